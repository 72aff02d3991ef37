"""Features of a symmetric pair of frequencies, and the answer of a kernel player that has picked one."""

import torch
from torch import Tensor

from algos.best_response.oracle import BestResponse


def pair_features(points: Tensor, frequencies: Tensor) -> Tensor:
    """(*batch, n, d), (*batch, d) -> (*batch, n, 2): cos(<w, x_i>) and sin(<w, x_i>)."""
    phases = (points @ frequencies.unsqueeze(-1).to(points.dtype)).squeeze(-1)
    return torch.stack([phases.cos(), phases.sin()], -1)


def answer_with_pair(points: Tensor, frequencies: Tensor, signed: Tensor, upper: Tensor) -> BestResponse:
    """The pair +-w against signed weights, whose potential is nowhere above `upper`; its value is that of its features.

    An infinite `upper` gives an infinite gap; rounding never gives a negative one.
    """
    features = pair_features(points, frequencies)
    value = (features * signed.unsqueeze(-1)).sum(-2).square().sum(-1)
    return BestResponse(frequencies, features, value, (upper - value).clamp(min=0.0))


def checked_points(points: Tensor, dimension: int | None = None) -> Tensor:
    """Points (*batch, n, d) with n >= 1 finite rows, in a floating dtype (float64 for integers)."""
    if points.ndim < 2 or points.shape[-2] < 1 or (dimension is not None and points.shape[-1] != dimension):
        width = "d" if dimension is None else str(dimension)
        raise ValueError(
            f"points have the shape {tuple(points.shape)}, but a peak finder needs (*batch, n, {width}) with n >= 1: "
            "reshape them"
        )
    points = points if points.is_floating_point() else points.double()
    if not bool(points.isfinite().all()):
        raise ValueError("points hold an infinite or undefined number, but phases must be finite: drop those rows")
    return points


def checked_weights(signed: Tensor, points: Tensor) -> Tensor:
    """Signed weights (*batch, n) that fit the points, in their dtype."""
    if signed.ndim < 1 or signed.shape[-1] != points.shape[-2]:
        raise ValueError(
            f"signed weights have the shape {tuple(signed.shape)}, but the player was set up for {points.shape[-2]} "
            "points: give one weight y_i a_i for each"
        )
    return signed.to(points.dtype)
