"""Euclidean projection onto the feasible set of a support vector machine with a bias."""

import torch
from torch import Tensor


def project_box_hyperplane(points: Tensor, labels: Tensor, box: Tensor | float) -> Tensor:
    """Project onto {a : 0 <= a_i <= C, sum_i y_i a_i = 0}, exactly, in O(n log n).

    The projection is a_i = clip(z_i - mu y_i, 0, C) for a root mu of the non-increasing, piecewise linear sum_i y_i
    clip(z_i - mu y_i, 0, C) = C n_+ - sum_i clip(mu - l_i, 0, C),  l_i = z_i - C if y_i = 1, -z_i if y_i = -1; its 2n
    breakpoints l_i and l_i + C are sorted, and the root is interpolated between two of them.

    Parameters
    ----------
    points : (*batch, n), z. Differentiable; at a kink the gradient is that of one adjacent piece.
    labels : (n,) or (*batch, n), entries -1 or +1. With one class only the set is {0}.
    box : C >= 0, a number or a tensor of shape (*batch,).

    Returns
    -------
    (*batch, n); 0 <= a <= C exactly and y.a = 0 up to rounding of the largest |z_i| and C. Equal inputs of one class
    stay equal. Feasible points are left unchanged up to rounding.

    Raises
    ------
    ValueError : if a label is not -1 or +1, or if C is negative or not finite.

    Source: nsrf Algorithm 3, whose alternating projections reach a feasible point but not the nearest one.
    """
    if not bool((labels.abs() == 1).all()):
        wrong = labels[labels.abs() != 1].reshape(-1)[0].item()
        raise ValueError(f"labels hold {wrong}, but each must be -1 or +1: map the two classes to these signs.")
    limit = torch.as_tensor(box, dtype=points.dtype, device=points.device)
    if not bool(((limit >= 0) & torch.isfinite(limit)).all()):
        raise ValueError(f"box = {box} must be finite and at least 0: it bounds every weight from above.")
    limit = limit.unsqueeze(-1)
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
