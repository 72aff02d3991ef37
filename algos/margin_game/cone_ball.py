"""Euclidean projection onto the feasible set of a support vector machine with squared hinge losses."""

import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, Signs, Vector
from algos.margin_game.projection import project_box_hyperplane
from signatures.checked import checked


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
    limit = torch.as_tensor(radius, dtype=points.dtype, device=points.device)
    if not bool((limit >= 0).all()):
        raise ValueError(f"radius = {radius} must be at least 0: it bounds the norm of the weights.")
    largest = points.detach().abs().amax(-1)
    if not bool(largest.isfinite().all()):
        raise ValueError("points hold an infinite or undefined number, which has no nearest weights: shorten steps.")
    cone = project_box_hyperplane(points, labels, 2 * largest)
    norm = torch.linalg.vector_norm(cone, dim=-1)
    inside = norm <= limit
    return cone * torch.where(inside, 1.0, limit / torch.where(inside, 1.0, norm)).unsqueeze(-1)
