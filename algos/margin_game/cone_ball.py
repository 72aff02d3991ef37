"""Euclidean projection onto the feasible set of a support vector machine with squared hinge losses."""

import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, Signs, Vector
from algos.margin_game.projection import BoxHyperplane, project_box_hyperplane
from signatures.checked import checked

_FEW_POINTS = 16
"""Up to here the slack at all n breakpoints, n operations each, costs less than sorting those of a box."""


@checked
def project_cone_ball(points: Vector, labels: Signs, radius: NonNegativeBatch) -> Tensor:
    """Project onto {a >= 0, sum_i y_i a_i = 0, |a| <= R}, exactly, in O(n log n).

    Onto the cone first, then radially onto the ball: exact for a closed convex cone and a ball around its apex. The
    projection onto the cone is a_i = max(0, z_i - mu y_i) with mu between the extremes of y_i z_i, so that no weight
    exceeds 2 max|z|: it is the projection onto the box of that size.

    Parameters
    ----------
    points : Tensor (*batch, n)
        z. Differentiable.
    labels : Tensor (n,) or (*batch, n)
        Entries -1 or +1. With one class only the set is {0}.
    radius : float or Tensor
        R >= 0, a number or (*batch,).

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If a label is not -1 or +1, a point is not finite, or the radius is negative or undefined.

    References
    ----------
    nsrf Section 4.1, the l2-SVM; its dual is unbounded, and this is the part that contains every maximiser.
    """
    return _ConeBall(labels, radius)(points)


class _ConeBall:
    """The set {a >= 0, sum_i y_i a_i = 0, |a| <= R}, checked once, to project onto many times.

    ``_ConeBall(labels, radius)(points)`` is `project_cone_ball`, with its arguments, shapes and errors.

    Parameters
    ----------
    labels : Tensor (n,) or (*batch, n)
        Entries -1 or +1.
    radius : float or Tensor (*batch,)
        R >= 0.
    """

    @checked
    def __init__(self, labels: Signs, radius: NonNegativeBatch) -> None:
        BoxHyperplane(labels, 0.0)  # refuses other labels
        if not bool((torch.as_tensor(radius) >= 0).all()):
            raise ValueError(f"radius = {radius} must be at least 0: it bounds the norm of the weights.")
        self.labels, self.radius = labels, radius

    @checked
    def __call__(self, points: Vector) -> Tensor:
        limit = torch.as_tensor(self.radius, dtype=points.dtype, device=points.device)
        largest = points.detach().abs().amax(-1)
        if not bool(largest.isfinite().all()):
            raise ValueError(
                "points hold an infinite or undefined number, which has no nearest weights: shorten steps."
            )
        if points.shape[-1] <= _FEW_POINTS:
            cone = _project_few(points, self.labels.to(points.dtype))
        else:
            cone = project_box_hyperplane(points, self.labels, 2 * largest)
        norm = torch.linalg.vector_norm(cone, dim=-1)
        inside = norm <= limit
        return cone * torch.where(inside, 1.0, limit / torch.where(inside, 1.0, norm)).unsqueeze(-1)


def _project_few(points: Tensor, labels: Tensor) -> Tensor:
    """Onto the cone, from the slack sum_i y_i max(0, z_i - mu y_i) at all n breakpoints mu = y_i z_i.

    It does not increase, so that a root lies between the last breakpoint where it is not negative and the first where
    it is not positive; one Newton step from between them is exact on that linear piece.
    """
    with torch.no_grad():
        ends = labels * points
        moved = (points.unsqueeze(-2) - ends.unsqueeze(-1) * labels.unsqueeze(-2)).clamp(min=0)
        slack = (moved * labels.unsqueeze(-2)).sum(-1)
        left = torch.where(slack >= 0, ends, ends.amin(-1, keepdim=True)).amax(-1, keepdim=True)
        right = torch.where(slack <= 0, ends, ends.amax(-1, keepdim=True)).amin(-1, keepdim=True)
        middle = left + (right - left) / 2
    free = (points - middle * labels).clamp(min=0)
    count = (free > 0).sum(-1, keepdim=True).clamp(min=1)
    shift = middle + (labels * free).sum(-1, keepdim=True) / count
    return (points - shift * labels).clamp(min=0)
