"""Linear support vector machines with squared hinge losses along a path of costs, by Newton's method."""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Cloud
from algos._labels import check_signs
from signatures.checked import checked
from signatures.numbers import Count, PositiveFloat
from signatures.tensors import Shaped

TINY = 1e-200  # tells which points of margin 1 start to lose, and no others
LARGE = 1000  # losing points above which conjugate gradients are tried
SPEED = 20  # of products of matrices, over that of products with a vector


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

    The objective is piecewise quadratic and strongly convex. With signed points Z = (y_i x_i) and the points I of
    positive loss, a Newton step goes from w towards the w' with ``(I / (2 C) + Z_I^T Z_I) w' = Z_I^T 1``, to the exact
    minimum of the objective on that line, so that after finitely many steps I is that of the minimiser.

    Where n > 5 d / 4 a system has d x d entries: Z_I^T Z_I follows the changes of I, in O(d^2) for each point that
    enters or leaves, beside O(d^3 + n d) for each step and O(n d^2) once. Elsewhere it has |I| x |I|: ``w' = Z_I^T a``
    with ``(I / (2 C) + Z_I Z_I^T) a = 1``, in O(|I|^3 + n d) for each step, and O(n^2 d) once for all of Z Z^T. As I
    shrinks with growing C, the latter is as fast for somewhat more points than columns, too. Large systems of small
    condition number, as those of small C, are solved by conjugate gradients, in O(|I| d) for each of these.

    Parameters
    ----------
    points : Tensor (n, d)
        Without an intercept; a column of ones adds one, which is penalised like the other weights.
    labels : Tensor (n,)
        Entries -1 or +1.
    costs : Tensor (c,)
        C, positive; increasing costs are the fastest.
    tolerance : float
        Positive. Norm of the gradient at which to stop, as a multiple of that at w = 0; its rounding there, four units
        in the last place of all the points, is enough where it is larger.
    max_steps : int
        Newton steps for each cost, at least 1.

    Returns
    -------
    Tensor (c, d)
        Weights, without a gradient.

    Raises
    ------
    ValueError
        If a label is not -1 or +1, a cost is not positive and finite, or the gradient is larger than the tolerance
        after so many steps.

    References
    ----------
    Keerthi and DeCoste 2005 (L2-SVM-MFN); the machines of the experiments of pbrff Section 6.1.
    """
    check_signs(labels)
    path = _Path(labels.detach().to(points).unsqueeze(-1) * points.detach(), tolerance)
    found = [path.minimiser(float(cost), max_steps) for cost in costs]
    return torch.stack(found) if found else points.new_zeros(0, points.shape[1])


class _Path:
    """Signed points y_i x_i, the last minimiser w, and the margins ``m = Z w``.

    For signed points all labels are 1: the losses are max(0, 1 - m_i)^2. Gradients are those of the objective over 2 C.
    """

    def __init__(self, signed: Tensor, tolerance: float) -> None:
        self.signed, self.tolerance = signed, tolerance
        start, rounding = signed.sum(0), 4 * torch.finfo(signed.dtype).eps * signed.abs().sum(0)
        self.least = max(tolerance * float(start.norm()), float(rounding.norm()))  # of the gradient, as at w = 0
        self.systems = _systems(signed, self.least / 2)
        self.weights = signed.new_zeros(signed.shape[1])
        self.margins = signed.new_zeros(signed.shape[0])

    def minimiser(self, cost: float, max_steps: int) -> Tensor:
        shrinkage = 1 / (2 * cost)
        for _ in range(max_steps):
            slack = 1 - self.margins
            losing, losses = slack > 0, slack.clamp(min=0)
            gradient = shrinkage * self.weights - losses @ self.signed
            if float(gradient.norm()) <= self.least:
                return self.weights
            step = -self.systems.solution(losing, shrinkage, gradient)
            change = self.signed @ step
            if not torch.equal(slack > change, losing):  # else the objective is quadratic on all of the way
                along, square = shrinkage * (self.weights @ step), shrinkage * step.square().sum()
                length = _minimum_on_line(losses, slack, change, along, square)
                step, change = length * step, length * change
            self.weights = self.weights + step
            self.margins = self.margins + change
        raise ValueError(
            f"Newton's method did not reach the tolerance {self.tolerance} at C = {cost} in {max_steps} steps: "
            "allow more steps, or a larger tolerance"
        )


def _systems(signed: Tensor, accuracy: float) -> "_Primal | _Dual":
    return _Dual(signed, accuracy) if 4 * signed.shape[0] <= 5 * signed.shape[1] else _Primal(signed)


class _Primal:
    """Systems of Newton's method by their d x d matrices: Z_I^T Z_I of the last losing points I is kept."""

    def __init__(self, signed: Tensor) -> None:
        self.signed = signed
        self.held = torch.zeros_like(signed[:, 0], dtype=torch.bool)
        self.gram = signed.new_zeros(signed.shape[1], signed.shape[1])

    def solution(self, losing: Tensor, shrinkage: float, right: Tensor) -> Tensor:
        """The x with ``(shrinkage I + Z_I^T Z_I) x = right``."""
        self._follow(losing)
        return _solution(self.gram.clone(), shrinkage, right)

    def _follow(self, losing: Tensor) -> None:
        """Make the Gram matrix that of the losing points: from their changes, or anew where these are as many."""
        changed = losing ^ self.held
        if changed.sum() < losing.sum():
            rows = self.signed[changed]
            signs = torch.where(losing[changed], 1.0, -1.0).to(rows).unsqueeze(-1)
            self.gram = self.gram + rows.mT @ (signs * rows)
        else:
            rows = self.signed[losing]
            self.gram = rows.mT @ rows
        self.held = losing


class _Dual:
    """The same systems by |I| x |I| matrices, parts of Z Z^T, of which the rows that were needed are kept.

    While I is large and C small, few conjugate gradients reach the accuracy. Making Z_I Z_I^T takes |I| / `SPEED` of
    their steps, or fewer: after so many the matrix is made, and at most twice the time of the better way has passed.
    """

    def __init__(self, signed: Tensor, accuracy: float) -> None:
        self.signed, self.accuracy = signed, accuracy
        self.gram = signed.new_empty(len(signed), len(signed))
        self.held = torch.zeros_like(signed[:, 0], dtype=torch.bool)

    def solution(self, losing: Tensor, shrinkage: float, right: Tensor) -> Tensor:
        """The x with ``(shrinkage I + Z_I^T Z_I) x = right``: ``shrinkage x = right - Z_I^T b``."""
        (rows,) = losing.nonzero(as_tuple=True)
        if len(rows) > LARGE:
            points = self.signed if len(rows) == len(losing) else self.signed[rows]
            found = _conjugate_gradients(points, shrinkage, right, len(rows) // SPEED, self.accuracy)
            if found is not None:
                return found
        self._hold(losing & ~self.held)
        inner = (self.signed @ right)[rows]
        spread = torch.zeros_like(losing, dtype=right.dtype)
        spread[rows] = _solution(self.gram[rows.unsqueeze(-1), rows], shrinkage, inner)
        return (right - spread @ self.signed) / shrinkage

    def _hold(self, new: Tensor) -> None:
        if bool(new.any()):
            self.held = self.held | new
            (rows,), (columns,) = new.nonzero(as_tuple=True), self.held.nonzero(as_tuple=True)
            products = self.signed[rows] @ self.signed[columns].mT
            self.gram[rows.unsqueeze(-1), columns] = products
            self.gram[columns.unsqueeze(-1), rows] = products.mT


def _conjugate_gradients(points: Tensor, shrinkage: float, right: Tensor, most: int, accuracy: float) -> Tensor | None:
    """The x with ``|(shrinkage I + Z^T Z) x - right| <= max(accuracy, |right| / 100)``, or none in so many steps."""
    found, left, direction = torch.zeros_like(right), right, right
    size = left.square().sum()
    goal = max(accuracy**2, float(size) / 1e4)
    for _ in range(most):
        image = shrinkage * direction + (points @ direction) @ points
        length = size / (direction @ image)
        found, left = found + length * direction, left - length * image
        before, size = size, left.square().sum()
        if float(size) <= goal:
            return found
        direction = left + size / before * direction
    return None


def _solution(gram: Tensor, shrinkage: float, right: Tensor) -> Tensor:
    """The x with ``(shrinkage I + gram) x = right``; writes into the Gram matrix."""
    gram.diagonal().add_(shrinkage)
    return torch.cholesky_solve(right.unsqueeze(-1), torch.linalg.cholesky(gram)).squeeze(-1)


def _minimum_on_line(losses: Tensor, slack: Tensor, change: Tensor, along: Tensor, square: Tensor) -> Tensor:
    """Length t > 0 at which the objective is minimal along a step that changes the slacks 1 - m to slack - t change.

    Its derivative over 2 C, <w, step> / (2 C) + t |step|^2 / (2 C) - sum_i max(0, slack_i - t change_i) change_i, is
    increasing, continuous and piecewise linear, a + b t: a point enters or leaves where its slack vanishes.
    """
    times = slack / change
    times, order = torch.where(times > 0, times, math.inf).sort()
    count = int((times < math.inf).sum())
    times, order = times[:count], order[:count]
    starts = slack > TINY * change  # the points that lose just after t = 0
    constant, linear = along - losses @ change, square + change[starts].square().sum()
    speed = change[order]
    size = speed.abs()
    constants = constant + (slack[order] * size).cumsum(0)  # after a crossing; a point that enters has speed < 0
    linears = linear - (speed * size).cumsum(0)
    passed = int((constants + linears * times < 0).sum())
    return -constants[passed - 1] / linears[passed - 1] if passed else -constant / linear
