"""Primal-dual interior points for min |Z^T a|^2 / 2 + rho |a|^2 / 2 - 1.a over {0 <= a <= C, y.a = 0}, batched."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

_TO_THE_BOUNDARY = 0.995
_FEW_POINTS, _DENSE_POINTS = 256, 2048
"""From the first on, few features are factorised as an r x r matrix, which loses digits as C grows; up to the second
the n x n one is taken where they were lost."""

_LinearSolver: TypeAlias = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class _Point:
    """Weights in units of the box, their slack 1 - a, the multipliers of both bounds, and that of the hyperplane."""

    weights: Tensor
    slack: Tensor
    low: Tensor
    high: Tensor
    bias: Tensor

    def gap(self) -> Tensor:
        """Complementarity (*batch, 1): the duality gap, since every point here satisfies the linear conditions."""
        return (self.weights * self.low + self.slack * self.high).sum(-1, keepdim=True)

    def moved(self, size: Tensor, step: "_Point", *, where: Tensor) -> "_Point":
        pairs = ((getattr(self, name), getattr(step, name)) for name in _Point.__dataclass_fields__)
        return _Point(*(torch.where(where, value + size * change, value) for value, change in pairs))


def interior_point(
    factor: Tensor, labels: Tensor, box: Tensor, ridge: float, *, tolerance: float, iterations: int
) -> tuple[Tensor, Tensor]:
    """Mehrotra's predictor and corrector from a feasible start: weights (*batch, n) and bias (*batch, 1).

    Parameters
    ----------
    factor : Tensor (*batch, n, r)
        Z.
    labels : Tensor (*batch, n)
        Both signs in every entry of the batch.
    box : Tensor (*batch, 1)
        C > 0.
    ridge : float
        rho >= 0.
    tolerance : float
        Of the duality gap relative to the value; entries that reached it are left alone.
    """
    n, r = factor.shape[-2:]
    scaled = factor * box.sqrt().unsqueeze(-1)
    few = n > _FEW_POINTS and 2 * r < n
    point, reached = _climb(_Curvature(scaled, ridge * box, dense=not few), labels, tolerance, iterations)
    if few and n <= _DENSE_POINTS and not reached:
        point, _ = _climb(_Curvature(scaled, ridge * box, dense=True), labels, tolerance, iterations)
    return box * point.weights, point.bias


def _climb(curve: "_Curvature", labels: Tensor, tolerance: float, iterations: int) -> tuple[_Point, bool]:
    """Step by step from the start; and whether gap and stationarity everywhere are as accurate as asked for."""
    point = _start(curve, labels)
    for step in range(iterations + 1):
        gradient = curve.product(point.weights) - 1
        value = 0.5 * (point.weights * (1 - gradient)).sum(-1, keepdim=True)
        residual = point.low - point.high - gradient - point.bias * labels
        accuracy = tolerance * value.abs()
        active = point.gap() > _goal(residual, accuracy)
        if step == iterations or not bool(active.any()):
            break
        move, sound = _newton_step(curve, labels, residual, point)
        size = _TO_THE_BOUNDARY * _longest(point, move)
        active = active & sound.unsqueeze(-1) & size.isfinite()
        if not bool(active.any()):
            break
        point = point.moved(size, move, where=active)
    reached = torch.maximum(point.gap(), residual.abs().sum(-1, keepdim=True)) <= accuracy
    return point, bool(reached.all())


def _goal(residual: Tensor, accuracy: Tensor) -> Tensor:
    """Gap at which to stop: `accuracy`, or where stationarity is worse than that, well below what it is worth.

    Further steps would still improve stationarity down to its rounding, and then lose it again.
    """
    missed = residual.abs().sum(-1, keepdim=True)
    return torch.where(missed > accuracy, torch.minimum(accuracy, 0.01 * missed), accuracy)


class _Curvature:
    """Q = Z Z^T + rho I in units of the box: products, and solutions with a diagonal added."""

    def __init__(self, factor: Tensor, ridge: Tensor, *, dense: bool) -> None:
        self._factor, self._ridge = factor, ridge
        self._identity = torch.eye(factor.shape[-1], dtype=factor.dtype, device=factor.device)
        self._gram = factor @ factor.mT if dense else None

    def product(self, weights: Tensor) -> Tensor:
        right = weights.unsqueeze(-1)
        curved = self._factor @ (self._factor.mT @ right) if self._gram is None else self._gram @ right
        return curved.squeeze(-1) + self._ridge * weights

    def solver(self, diagonal: Tensor) -> tuple[_LinearSolver, Tensor]:
        """b -> (Q + D)^-1 b with one step of refinement; and where rounding has not spoilt the factors, (*batch,)."""
        if self._gram is not None:
            matrix = self._gram.clone()
            matrix.diagonal(dim1=-2, dim2=-1).add_(diagonal + self._ridge)
            factor, failed = torch.linalg.cholesky_ex(matrix)
            rough = _cholesky_solver(factor)
        else:
            divided = self._factor / (diagonal + self._ridge).unsqueeze(-1)
            factor, failed = torch.linalg.cholesky_ex(self._identity + self._factor.mT @ divided)
            rough = _woodbury_solver(_cholesky_solver(factor), divided, diagonal + self._ridge)

        def solve(right: Tensor) -> Tensor:
            first = rough(right)
            return first + rough(right - self.product(first) - diagonal * first)

        return solve, failed == 0


def _woodbury_solver(inner: _LinearSolver, divided: Tensor, diagonal: Tensor) -> _LinearSolver:
    """(D + Z Z^T)^-1 b = D^-1 b - D^-1 Z (I + Z^T D^-1 Z)^-1 Z^T D^-1 b, `inner` being the inverse in the middle."""

    def solve(right: Tensor) -> Tensor:
        shared = inner((divided.mT @ right.unsqueeze(-1)).squeeze(-1))
        return right / diagonal - (divided @ shared.unsqueeze(-1)).squeeze(-1)

    return solve


def _cholesky_solver(factor: Tensor) -> _LinearSolver:
    return lambda right: torch.cholesky_solve(right.unsqueeze(-1), factor).squeeze(-1)


def _start(curve: _Curvature, labels: Tensor) -> _Point:
    """Half of the box on the smaller class, as much in sum on the other; multipliers that satisfy stationarity."""
    positive = (labels > 0).to(labels.dtype)
    share = positive.mean(-1, keepdim=True)
    weights = 0.5 * torch.minimum(share, 1 - share) / torch.where(labels > 0, share, 1 - share)
    gradient = curve.product(weights) - 1
    centre = 1 + gradient.abs().mean(-1, keepdim=True)
    return _Point(
        weights, 1 - weights, gradient.clamp(min=0) + centre, (-gradient).clamp(min=0) + centre, torch.zeros_like(share)
    )


def _newton_step(curve: _Curvature, labels: Tensor, residual: Tensor, point: _Point) -> tuple[_Point, Tensor]:
    solve, sound = curve.solver(point.low / point.weights + point.high / point.slack)
    along = solve(labels)
    curvature = (labels * along).sum(-1, keepdim=True)
    balance = -(labels * point.weights).sum(-1, keepdim=True)

    def towards(low: Tensor, high: Tensor) -> _Point:
        """Direction in which the products a s and (1 - a) z change by `low` and `high` to first order."""
        pull = solve(residual + low / point.weights - high / point.slack)
        bias = ((labels * pull).sum(-1, keepdim=True) - balance) / curvature
        move = pull - along * bias
        change = (low - point.low * move) / point.weights
        return _Point(move, -move, change, (high + point.high * move) / point.slack, bias)

    low, high = -point.weights * point.low, -point.slack * point.high
    predictor = towards(low, high)
    gap = point.gap()
    ahead = point.moved(_longest(point, predictor), predictor, where=sound.unsqueeze(-1)).gap()
    target = (ahead / gap) ** 3 * gap / (2 * labels.shape[-1])
    low = low + target - predictor.weights * predictor.low
    high = high + target - predictor.slack * predictor.high
    return towards(low, high), sound


def _longest(point: _Point, step: _Point) -> Tensor:
    """The longest step in (0, 1] that keeps weights, slacks and multipliers non-negative, (*batch, 1)."""
    longest = torch.ones_like(point.bias)
    for name in ("weights", "slack", "low", "high"):
        value, change = getattr(point, name), getattr(step, name)
        reach = torch.where(change < 0, -value / change, torch.inf).amin(-1, keepdim=True)
        longest = torch.minimum(longest, reach)
    return longest
