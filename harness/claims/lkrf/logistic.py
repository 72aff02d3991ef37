"""Logistic regression of the experiments, by Newton's method."""

import torch
from torch import Tensor

_STEPS = 100
_DECREMENT = 1e-9
"""Stop when the next Newton step would lower the mean objective by less than half of this."""

_NEGLIGIBLE = 1e-3
"""Share of the penalty: what bends the objective by less, all together, is left out of the Hessian."""


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

    def objective(coefficients: Tensor, margins: Tensor) -> float:
        return float(torch.nn.functional.softplus(-margins).mean() + (penalty * coefficients.square()).sum() / 2)

    coefficients, margins = torch.zeros_like(penalty), torch.zeros_like(labels)
    squares, current = design.square().sum(-1), objective(coefficients, margins)
    for _ in range(_STEPS):
        wrong = torch.sigmoid(-margins)
        gradient = penalty * coefficients - design.mT @ wrong / n
        curvature = _hessian(design, squares, wrong * (1 - wrong) / n, 1 / (cost * n)) + penalty.diag()
        step = torch.linalg.solve(curvature, gradient)
        decrement = float(gradient @ step)
        if decrement < _DECREMENT:
            break
        length, change = 1.0, design @ step
        while (
            objective(coefficients - length * step, margins - length * change) > current - length * decrement / 4
            and length > 1e-6
        ):
            length /= 2
        coefficients, margins = coefficients - length * step, margins - length * change
        current = objective(coefficients, margins)
    return coefficients[:-1], coefficients[-1]


def _hessian(design: Tensor, squares: Tensor, bends: Tensor, penalty: float) -> Tensor:
    """sum_i b_i z_i z_i^T over the points that matter: the trace of the others' sum is a small share of the penalty.

    And of the largest term, as the intercept has no penalty. Where classes are nearly separable few points matter, and
    a Newton step with or without the others is the same.
    """
    traces = bends * squares
    matter = traces > _NEGLIGIBLE * traces.amax().clamp(max=penalty) / len(design)
    if not bool(matter.all()):
        design, bends = design[matter], bends[matter]
    scaled = design * bends.sqrt().unsqueeze(-1)
    return scaled.mT @ scaled
