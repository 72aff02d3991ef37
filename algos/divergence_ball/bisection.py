"""Linear maximisation over the chi-square ball by bisection on the multiplier: the baseline of the exact solver."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from algos._domains import Values
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, PositiveFloat


@dataclass(frozen=True)
class BallBisection:
    """A feasible point of the chi-square ball and how far from optimal it may be; leading axes are batch axes.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        A probability vector in the ball; constant, no gradient.
    objective : Tensor (*batch,)
        sum_i weights_i values_i; its gradient in the values is `weights` (envelope theorem).
    gap : Tensor (*batch,)
        Non-negative; the supremum is at most objective + gap, up to rounding.
    multiplier : Tensor (*batch,)
        lambda of the last feasible step, in the units of the values; infinite where no step was needed.
    steps : Tensor (*batch,)
        Int64, number of projections onto the simplex.
    """

    weights: Tensor
    objective: Tensor
    gap: Tensor
    multiplier: Tensor
    steps: Tensor


@checked
def chi_square_ball_bisection(values: Values, rho: NonNegativeFloat, *, tolerance: PositiveFloat) -> BallBisection:
    """Maximise a linear function over the chi-square ball around the uniform weights, to a given accuracy.

    sup { q.v : q a probability vector, N |q - 1/N|^2 <= rho }: at multiplier lambda the Lagrangian is maximised by
    q(lambda), the projection of 1/N + v / lambda onto the simplex, whose divergence does not increase in lambda.
    lambda is bisected between 0 and |v - mean v| sqrt(N / rho), where q(lambda) is feasible because projections do not
    expand distances. A feasible q(lambda) has the duality gap lambda (rho / N - |q - 1/N|^2) / 2, and the search stops
    once it is at most `tolerance` times the spread max v - min v. Since d|q - 1/N|^2 / d log lambda lies between
    -2 |q - 1/N|^2 and 0, the gap is at most 2 rho / N times the width of the bracket, hence sqrt(min(rho, N - 1)) 2^-k
    spreads once it was halved k times:

        steps <= 1 + max(0, ceil(log2(sqrt(min(rho, N - 1)) / tolerance))).

    Each step sorts, as in the released code of the papers: O(N log N log(1 / tolerance)) in all.
    `divergence_ball.chi_square_ball_maximum` is exact for the price of one step.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float
        Radius, >= 0 and finite. rho = 0 gives the uniform weights and no step (the released code refuses it, since
        rounding puts its own centre outside the ball); from rho = N - 1 on the ball contains the simplex.
    tolerance : float
        Largest accepted gap as a share of max v - min v, > 0. Below the rounding of the dtype, the search stops when
        the bracket cannot shrink any more.

    Returns
    -------
    BallBisection
        Constant values (N = 1 among them) give the uniform weights and no step.

    Raises
    ------
    ValueError
        For a negative or non-finite radius, a tolerance that is not positive, or an empty last axis.

    References
    ----------
    pbrff Section 5.3 (eqs. 17 and 18 at mu = 2) and lkrf Algorithm 1. The O(N log(1 / eps)) quoted there needs the
    order of the values to be kept from step to step, or a projection in linear time.
    """
    _check(values, rho, tolerance)
    size = values.shape[-1]
    with torch.no_grad():
        top, spread = values.amax(-1, keepdim=True), values.amax(-1, keepdim=True) - values.amin(-1, keepdim=True)
        scaled = (values - top) / torch.where(spread > 0, spread, 1.0)
        square = min(rho, size - 1) / size
        search = _bisect(scaled, square, tolerance) if square > 0 else _unmoved(scaled)
        deviation, multiplier, gap, steps = search
        weights = (1 / size + deviation).clamp_min(0)
        weights = weights / weights.sum(-1, keepdim=True)
    return BallBisection(
        weights=weights,
        objective=(weights * values).sum(-1),
        gap=(spread * gap).squeeze(-1),
        multiplier=torch.where(spread > 0, spread * multiplier, math.inf).squeeze(-1),
        steps=steps.squeeze(-1),
    )


def _bisect(values: Tensor, square: float, tolerance: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Deviation q - 1/N, multiplier, gap and steps; `values` have spread 1, `square` bounds |q - 1/N|^2."""
    high = (values - values.mean(-1, keepdim=True)).norm(dim=-1, keepdim=True) / math.sqrt(square)
    constant = high == 0
    low, trial = torch.zeros_like(high), torch.where(constant, 1.0, high)
    deviation, multiplier, gap, steps = _unmoved(values)
    running = ~constant
    while bool(running.any()):
        candidate = _projected_deviation(values / trial)
        slack = square - candidate.square().sum(-1, keepdim=True)
        fits = running & ((slack >= 0) | (steps == 0))  # the first trial is feasible but for rounding
        steps = steps + running
        deviation = torch.where(fits, candidate, deviation)
        multiplier = torch.where(fits, trial, multiplier)
        gap = torch.where(fits, trial / 2 * slack.clamp_min(0), gap)
        high, low = torch.where(fits, trial, high), torch.where(running & ~fits, trial, low)
        trial = torch.where(running, low + (high - low) / 2, trial)
        running = running & (gap > tolerance) & (low < trial) & (trial < high)
    return deviation, multiplier, gap, steps


def _unmoved(values: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The uniform weights: no deviation, an infinite multiplier, no gap, no step."""
    column = torch.zeros_like(values[..., :1])
    return (
        torch.zeros_like(values),
        torch.full_like(column, math.inf),
        column,
        torch.zeros_like(column, dtype=torch.int64),
    )


def _projected_deviation(shift: Tensor) -> Tensor:
    """P(1/N + shift) - 1/N for the projection P onto the simplex, free of cancellation when it is small.

    The deviation is max(shift - theta, -1/N), with theta from the largest R entries that stay above -1/N.
    """
    size = shift.shape[-1]
    descending = shift.sort(-1, descending=True).values
    count = torch.arange(1, size + 1, dtype=shift.dtype, device=shift.device)
    threshold = (descending.cumsum(-1) - (size - count) / size) / count
    last = (descending - threshold > -1 / size).sum(-1, keepdim=True).clamp_min(1) - 1
    return (shift - threshold.gather(-1, last)).clamp_min(-1 / size)


def _check(values: Tensor, rho: float, tolerance: float) -> None:
    if not (math.isfinite(rho) and rho >= 0):
        raise ValueError(f"rho = {rho} must be finite and at least 0: it is the radius of the divergence ball.")
    if not (math.isfinite(tolerance) and tolerance > 0):
        raise ValueError(f"tolerance = {tolerance} must be finite and positive: give the accepted share of the spread.")
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"values of shape {tuple(values.shape)} have no entries: give at least one along the last axis."
        )
