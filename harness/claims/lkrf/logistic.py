"""Logistic regression of the experiments, by Newton's method."""

import torch
from torch import Tensor

_STEPS = 100
_DECREMENT = 1e-9
"""Stop when the next Newton step would lower the mean objective by less than half of this."""


def logistic_regression(features: Tensor, labels: Tensor, *, cost: float) -> tuple[Tensor, Tensor]:
    """Coefficients and intercept that minimise cost * sum_i log(1 + exp(-y_i f(x_i))) + |coefficients|^2 / 2.

    The objective of scikit-learn's ``LogisticRegression(C=cost)``, solved to a stated accuracy: where classes are
    nearly separable and `cost` is large, its default stopping rule leaves errors that differ from solver to solver.

    Parameters
    ----------
    features : (n, D), float64.
    labels : (n,), -1 or +1, both present.
    cost : C > 0; the intercept is not penalised.
    """
    n = len(labels)
    design = labels.unsqueeze(-1) * torch.cat([features, features.new_ones(n, 1)], -1)
    penalty = torch.full_like(design[0], 1 / (cost * n))
    penalty[-1] = 0

    def objective(coefficients: Tensor) -> float:
        margins = design @ coefficients
        return float(torch.nn.functional.softplus(-margins).mean() + (penalty * coefficients.square()).sum() / 2)

    coefficients = torch.zeros_like(penalty)
    current = objective(coefficients)
    for _ in range(_STEPS):
        wrong = torch.sigmoid(-(design @ coefficients))
        gradient = penalty * coefficients - design.mT @ wrong / n
        curvature = design.mT @ (design * (wrong * (1 - wrong) / n).unsqueeze(-1)) + penalty.diag()
        step = torch.linalg.solve(curvature, gradient)
        decrement = float(gradient @ step)
        if decrement < _DECREMENT:
            break
        length = 1.0
        while objective(coefficients - length * step) > current - length * decrement / 4 and length > 1e-6:
            length /= 2
        coefficients = coefficients - length * step
        current = objective(coefficients)
    return coefficients[:-1], coefficients[-1]
