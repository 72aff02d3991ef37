"""Linear support vector machines with squared hinge losses along a path of costs, by Newton's method in the primal."""

from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Cloud
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat
from signatures.tensors import Shaped


@checked
def squared_hinge_path(
    points: Cloud,
    labels: Annotated[Tensor, Shaped("n", "[-1, 1]", kind="codes")],
    costs: Annotated[Tensor, Shaped("c", "(0, inf)")],
    *,
    tolerance: PositiveFloat = 1e-8,
    max_steps: Count = 200,
) -> Tensor:
    """Minimisers of ``|w|^2 / 2 + C sum_i max(0, 1 - y_i <w, x_i>)^2``, one for each cost, each started at the last.

    The objective is piecewise quadratic and strongly convex. A Newton step solves ``(I / (2 C) + X_I^T X_I) w = X_I^T
    y_I`` for the points I of positive loss and goes to the exact minimum of the objective on the line to w, so that
    after finitely many steps I is that of the minimiser. X_I^T X_I follows the changes of I: O(d^2) for each point that
    enters or leaves, and O(d^3 + n d) for each step.

    Parameters
    ----------
    points : Tensor (n, d)
        Without an intercept; a column of ones adds one, which is penalised like the other weights.
    labels : Tensor (n,)
        Entries -1 or +1.
    costs : Tensor (c,)
        C, positive; increasing costs are the fastest.
    tolerance : float
        Positive. Norm of the gradient at which to stop, as a multiple of that at w = 0.
    max_steps : int
        Newton steps for each cost, at least 1.

    Returns
    -------
    Tensor (c, d)
        Weights.

    Raises
    ------
    ValueError
        If a cost is not positive and finite, or the gradient is larger than the tolerance after so many steps.

    References
    ----------
    Keerthi and DeCoste 2005 (L2-SVM-MFN); the machines of the experiments of pbrff Section 6.1.
    """
    path = _Path(points, labels.to(points))
    found = [path.minimiser(float(cost), tolerance, max_steps) for cost in costs]
    return torch.stack(found) if found else points.new_zeros(0, points.shape[1])


class _Path:
    """Signed points y_i x_i, the last minimiser, and the Gram matrix X_I^T X_I of the points I that it has.

    For signed points all labels are 1: the losses are max(0, 1 - m_i)^2 with margins m = Z w.
    """

    def __init__(self, points: Tensor, labels: Tensor) -> None:
        self.signed = labels.unsqueeze(-1) * points
        self.weights = points.new_zeros(points.shape[1])
        self.margins = points.new_zeros(points.shape[0])
        self.held = torch.zeros_like(self.margins, dtype=torch.bool)
        self.gram = points.new_zeros(points.shape[1], points.shape[1])
        self.slope = self.signed.sum(0).norm()  # of the losses at w = 0, halved

    def minimiser(self, cost: float, tolerance: float, max_steps: int) -> Tensor:
        for _ in range(max_steps):
            losing = self.margins < 1
            gradient = self.weights / (2 * cost) - (1 - self.margins).clamp(min=0) @ self.signed
            if gradient.norm() <= tolerance * self.slope:
                return self.weights
            self._follow(losing)
            system = self.gram + torch.eye(len(gradient)).to(gradient) / (2 * cost)
            step = -torch.cholesky_solve(gradient.unsqueeze(-1), torch.linalg.cholesky(system)).squeeze(-1)
            change = self.signed @ step
            length = _minimum_on_line(self.margins, change, float(self.weights @ step) / (2 * cost), step, cost)
            self.weights = self.weights + length * step
            self.margins = self.signed @ self.weights
        raise ValueError(
            f"Newton's method did not reach the tolerance {tolerance} at C = {cost} in {max_steps} steps: "
            "allow more steps, or a larger tolerance"
        )

    def _follow(self, losing: Tensor) -> None:
        """Make the Gram matrix that of the losing points: from their changes, or anew where these are as many."""
        entering, leaving = losing & ~self.held, self.held & ~losing
        if entering.sum() + leaving.sum() < losing.sum():
            new, old = self.signed[entering], self.signed[leaving]
            self.gram = self.gram + new.mT @ new - old.mT @ old
        else:
            rows = self.signed[losing]
            self.gram = rows.mT @ rows
        self.held = losing


def _minimum_on_line(margins: Tensor, change: Tensor, along: float, step: Tensor, cost: float) -> Tensor:
    """Length t > 0 at which the objective along the step is minimal.

    Half its derivative over 2 C is increasing and piecewise linear, a + b t: a point enters or leaves where its margin
    is 1, at t_i = (1 - m_i) / s_i.
    """
    losing = (margins < 1) | ((margins == 1) & (change < 0))
    crossings = (1 - margins) / change
    crossed = (crossings > 0) & crossings.isfinite()
    order = crossings[crossed].argsort()
    times, sign = crossings[crossed][order], torch.where(losing, -1.0, 1.0).to(margins)[crossed][order]
    slack, speed = (1 - margins) * change, change.square()
    constants = along - slack[losing].sum() - torch.cat([slack.new_zeros(1), (sign * slack[crossed][order]).cumsum(0)])
    squares = step.square().sum() / (2 * cost) + speed[losing].sum()
    linear = squares + torch.cat([speed.new_zeros(1), (sign * speed[crossed][order]).cumsum(0)])
    rising = constants[:-1] + linear[:-1] * times >= 0  # the derivative at the crossings
    piece = int(rising.int().argmax()) if bool(rising.any()) else len(times)
    return -constants[piece] / linear[piece]
