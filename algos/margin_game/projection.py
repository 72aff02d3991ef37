"""Projections onto the feasible set of a support vector machine with a bias."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, Signs, Steps, Vector
from algos._labels import check_signs
from signatures.checked import checked

_Array: TypeAlias = npt.NDArray[Any]


@checked
def project_box_hyperplane(points: Vector, labels: Signs, box: NonNegativeBatch) -> Tensor:
    """Project onto {a : 0 <= a_i <= C, sum_i y_i a_i = 0}, exactly, in O(n log n).

    The projection is a_i = clip(z_i - mu y_i, 0, C) for a root mu of the non-increasing, piecewise linear sum_i y_i
    clip(z_i - mu y_i, 0, C) = C n_+ - sum_i clip(mu - l_i, 0, C),  l_i = z_i - C if y_i = 1, -z_i if y_i = -1; its 2n
    breakpoints l_i and l_i + C are sorted, and the root is interpolated between two of them.

    Parameters
    ----------
    points : Tensor (*batch, n)
        z. Differentiable; at a kink the gradient is that of one adjacent piece.
    labels : Tensor (n,) or (*batch, n)
        Entries -1 or +1. With one class only the set is {0}.
    box : float or Tensor
        C >= 0, a number or a tensor of shape (*batch,).

    Returns
    -------
    Tensor (*batch, n)
        0 <= a <= C exactly and y.a = 0 up to rounding of the largest |z_i| and C. Equal inputs of one class stay equal.
        Feasible points are left unchanged up to rounding.

    Raises
    ------
    ValueError
        If a label is not -1 or +1, or if C is negative or not finite.

    References
    ----------
    nsrf Algorithm 3, whose alternating projections reach a feasible point but not the nearest one.
    """
    return BoxHyperplane(labels, box)(points)


@checked
def alternating_projection(points: Vector, labels: Signs, box: NonNegativeBatch, *, iterations: Steps) -> Tensor:
    """Clip to the box, then move to the hyperplane, again and again.

    a <- clip(a, 0, C), a <- a - (y.a / n) y. The limit is a point of {0 <= a <= C, y.a = 0}, but in general not the
    nearest one. After any number of iterations the result is at least as near as `points` to every point of the set,
    which is all that the regret of online gradient ascent needs.

    Parameters
    ----------
    points : Tensor (*batch, n)
        z. Differentiable; at a kink the gradient is that of one adjacent piece.
    labels : Tensor (n,) or (*batch, n)
        Entries -1 or +1. With one class only the set is {0}.
    box : float or Tensor
        C >= 0, a number or a tensor of shape (*batch,).
    iterations : int
        Pairs of steps, >= 0; 10 are printed. Convergence is linear, at a rate that may be near one.

    Returns
    -------
    Tensor (*batch, n)
        y.a = 0 up to rounding, while the last step may have left the box.

    Raises
    ------
    ValueError
        If a label is not -1 or +1, C is negative or not finite, or `iterations` is negative.

    References
    ----------
    nsrf Algorithm 3.
    """
    limit = _checked_limit(labels, box).to(points.device, points.dtype).unsqueeze(-1)
    if iterations < 0:
        raise ValueError(f"iterations = {iterations} must not be negative: 10 are usual.")
    labels = labels.to(points.dtype)
    for _ in range(iterations):
        points = torch.minimum(points.clamp(min=0), limit)
        points = points - (labels * points).mean(-1, keepdim=True) * labels
    return points


class BoxHyperplane:
    """The set {a : 0 <= a_i <= C, sum_i y_i a_i = 0}, checked once, to project onto many times.

    ``BoxHyperplane(labels, box)(points)`` is `project_box_hyperplane`, with its arguments, shapes and errors. Single
    problems on a CPU that need no gradient are solved by numpy, several times faster at small n, with the same numbers
    up to rounding.

    Parameters
    ----------
    labels : Tensor (n,) or (*batch, n)
        Entries -1 or +1.
    box : float or Tensor (*batch,)
        C >= 0.
    """

    @checked
    def __init__(self, labels: Signs, box: NonNegativeBatch) -> None:
        limit = _checked_limit(labels, box)
        self.labels, self.box = labels, box
        single = labels.ndim == 1 and limit.ndim == 0 and labels.device.type == "cpu"
        self._single = _SingleProjection(labels, limit.item()) if single and not limit.requires_grad else None

    @checked
    def __call__(self, points: Vector) -> Tensor:
        plain = points.dtype in (torch.float32, torch.float64) and points.device.type == "cpu"
        needs_gradient = torch.is_grad_enabled() and points.requires_grad
        if self._single is not None and plain and points.shape == self.labels.shape and not needs_gradient:
            return torch.from_numpy(self._single(points.detach().numpy()))
        return _project(points, self.labels, self.box)


def _checked_limit(labels: Tensor, box: Tensor | float) -> Tensor:
    check_signs(labels)
    limit = torch.as_tensor(box, dtype=torch.float64)
    if not bool(((limit >= 0) & torch.isfinite(limit)).all()):
        raise ValueError(f"box = {box} must be finite and at least 0: it bounds every weight from above.")
    return limit


class _SingleProjection:
    """One problem in numpy: the same breakpoints, the same interpolation and the same Newton step as `_project`."""

    def __init__(self, labels: Tensor, limit: float) -> None:
        self._limit = limit
        self._positive = (labels > 0).numpy()
        self._signs = labels.detach().double().numpy()
        self._target = limit * int(self._positive.sum())
        self._slopes = np.repeat([1, -1], len(self._signs))

    def __call__(self, points: _Array) -> _Array:
        limit, signs = self._limit, self._signs.astype(points.dtype, copy=False)
        lower = np.where(self._positive, points - limit, -points)
        ends = np.concatenate((lower, lower + limit))
        order = ends.argsort()
        ends = ends[order]
        slope = self._slopes[order].cumsum()
        filled = (slope[:-1] * (ends[1:] - ends[:-1])).cumsum()
        left = min(int(filled.searchsorted(self._target)), len(filled) - 1)
        missing = self._target - (filled[left - 1] if left else 0.0)
        shift = float(ends[left] + min(missing / max(slope[left], 1), ends[left + 1] - ends[left]))
        unclipped = points - shift * signs
        clipped = np.minimum(np.maximum(unclipped, 0), limit)
        free = np.count_nonzero((unclipped > 0) & (unclipped < limit))
        shift += float(clipped.dot(signs)) / max(int(free), 1)
        projection: _Array = np.minimum(np.maximum(points - shift * signs, 0), limit)
        return projection


def _project(points: Tensor, labels: Tensor, box: Tensor | float) -> Tensor:
    limit = torch.as_tensor(box, dtype=points.dtype, device=points.device).unsqueeze(-1)
    shape = torch.broadcast_tensors(points, labels, limit)[0].shape  # type: ignore[no-untyped-call]
    points, labels = points.expand(shape), labels.to(points.dtype).expand(shape)
    with torch.no_grad():
        shift = _root(points, labels, limit)
    unclipped = points - shift * labels
    clipped = torch.minimum(unclipped.clamp(min=0), limit)
    free = ((unclipped > 0) & (unclipped < limit)).sum(-1, keepdim=True).clamp(min=1)
    shift = shift + (labels * clipped).sum(-1, keepdim=True) / free
    return torch.minimum((points - shift * labels).clamp(min=0), limit)


def _root(points: Tensor, labels: Tensor, limit: Tensor) -> Tensor:
    """The multiplier mu (*batch, 1), up to the rounding that one Newton step on its linear piece removes."""
    positive = labels > 0
    lower = torch.where(positive, points - limit, -points)
    ends, order = torch.cat([lower, lower + limit], -1).sort(-1)
    n = points.shape[-1]
    slope = torch.where(order < n, 1, -1).cumsum(-1)[..., :-1].to(points.dtype)
    filled = torch.cat([torch.zeros_like(ends[..., :1]), (slope * ends.diff(dim=-1)).cumsum(-1)], -1)
    target = limit * positive.sum(-1, keepdim=True)
    right = (filled < target).sum(-1, keepdim=True).clamp(max=2 * n - 1)
    left = (right - 1).clamp(min=0)
    missing = (target - filled.gather(-1, left)).clamp(min=0)
    width = ends.gather(-1, right) - ends.gather(-1, left)
    step = missing / slope.gather(-1, left).clamp(min=1)
    return ends.gather(-1, left) + torch.minimum(step, width)
