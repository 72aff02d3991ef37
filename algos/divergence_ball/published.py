"""The published search for the best weights of a divergence ball, a bisection on the multiplier, and its repair.

`printed_...` is as the paper has it, faults included, beside what is true; `algos.divergence_ball.exact` solves the
same problem directly and is what to use.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, OrderAboveOne, PositiveBatch, Values
from algos.divergence_ball._penalised import (
    Number,
    Search,
    check_values,
    chi_square_level,
    column,
    depths,
    divergence_of,
    maximiser,
)
from algos.divergence_ball._threshold import check_order
from algos.divergence_ball.penalised import penalised_maximum
from signatures.checked import checked
from signatures.numbers import Size


@dataclass(frozen=True)
class BisectionResult:
    """What a bisection on the multiplier returns; leading axes are batch axes.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        q at `multiplier`; differentiable in the values at fixed multiplier.
    value : Tensor (*batch,)
        q.v.
    multiplier : Tensor (*batch,)
        lambda.
    divergence : Tensor (*batch,)
        D(q).
    gap : Tensor (*batch,)
        lambda (rho - D(q)), negative where q is not feasible: at least the suboptimality, and k times as much as needed
        where lambda is that of the printed inner problem.
    steps : Tensor (*batch,)
        Int64, number of inner problems solved.
    terminated : Tensor (*batch,)
        Bool, whether the stopping rule was met within the allowed steps.
    """

    weights: Tensor
    value: Tensor
    multiplier: Tensor
    divergence: Tensor
    gap: Tensor
    steps: Tensor
    terminated: Tensor


@checked
def printed_bisection(
    values: Values,
    rho: NonNegativeBatch,
    *,
    order: OrderAboveOne,
    tolerance: PositiveBatch,
    search: Search = "sort",
    max_steps: Size = 256,
) -> BisectionResult:
    """Algorithm 1 of lkrf to the letter, its inner problem solved: the last weights of a bisection on the multiplier.

    lambda_s doubles from 1 until D(q) < rho and becomes lambda_u; then (lambda_l, lambda_u), from lambda_l = 0, is
    halved while lambda_u - lambda_l > epsilon lambda_s. The weights of the last inner problem are returned.

    They need be neither feasible nor epsilon-suboptimal: epsilon bounds the width in lambda, and the last problem may
    lie on the infeasible side. `certified_bisection` is what the statement needs.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float or Tensor
        Radius, >= 0 and finite, a number or (*batch,). For rho = 0 the first phase never ends, as D < 0 is impossible.
    order : float
        k > 1 and finite; the paper has k >= 2.
    tolerance : float or Tensor
        epsilon > 0, a number or (*batch,). Below the rounding of the dtype the second phase never ends.
    search : {"sort", "median"}
        How the active entries are found for order 2; other orders always use the median search. "sort" does it by
        sorting. "median" does it by the median search and counts the entries looked at: at most 2 N for order 2, where
        sums of the active entries carry over from round to round and give tau in closed form. For other orders every
        round looks again at the active entries, up to N (1 + log2 N) in all, and tau needs root-finding besides, whose
        visits (all active entries, per evaluation) are not counted. The median search is the printed cost of a step.
    max_steps : int
        Where the search is given up; `terminated` tells.

    Returns
    -------
    BisectionResult

    Raises
    ------
    ValueError
        For a negative or non-finite radius, a tolerance that is not positive, no allowed step, or as
        `penalised_maximum`.

    References
    ----------
    lkrf Algorithm 1.
    """
    return _bisected(_inner_problem(values, order, search), rho, tolerance, max_steps)


@checked
def fully_printed_bisection(
    values: Values,
    rho: NonNegativeBatch,
    *,
    order: OrderAboveOne,
    tolerance: PositiveBatch,
    search: Search = "sort",
    max_steps: Size = 256,
) -> BisectionResult:
    """Algorithm 1 of lkrf to the letter, its inner problem by the printed form of (8) too, whose factor k is missing.

    The path of the weights is that of `printed_bisection`; lambda, hence the doubling phase and the point where the
    search stops, differ.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float or Tensor
        Radius, >= 0 and finite, a number or (*batch,). For rho = 0 the first phase never ends, as D < 0 is impossible.
    order : float
        k > 1 and finite; the paper has k >= 2.
    tolerance : float or Tensor
        epsilon > 0, a number or (*batch,). Below the rounding of the dtype the second phase never ends.
    search : {"sort", "median"}
        How the active entries are found for order 2; other orders always use the median search. "sort" does it by
        sorting. "median" does it by the median search and counts the entries looked at: at most 2 N for order 2, where
        sums of the active entries carry over from round to round and give tau in closed form. For other orders every
        round looks again at the active entries, up to N (1 + log2 N) in all, and tau needs root-finding besides, whose
        visits (all active entries, per evaluation) are not counted. The median search is the printed cost of a step.
    max_steps : int
        Where the search is given up; `terminated` tells.

    Returns
    -------
    BisectionResult

    Raises
    ------
    ValueError
        As `printed_bisection`.

    References
    ----------
    lkrf Algorithm 1 with eq. (8).
    """
    return _bisected(_inner_problem(values, order, search, divisor=order), rho, tolerance, max_steps)


@checked
def certified_bisection(
    values: Values, rho: NonNegativeBatch, *, order: OrderAboveOne, tolerance: PositiveBatch, max_steps: Size = 256
) -> BisectionResult:
    """The bisection on the multiplier with what it lacks in print: a feasible result, and a stopping rule that proves.

    Only the weights at lambda_u are kept, which are feasible. Weak duality gives, for every multiplier,
    sup - q(lambda).v <= lambda (rho - D(q(lambda))), and the search stops once this gap is at most epsilon.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float or Tensor
        Radius, >= 0 and finite, a number or (*batch,). rho = 0 gives the uniform weights, with
        multiplier infinity, gap 0 and no step.
    order : float
        k > 1 and finite; the paper has k >= 2.
    tolerance : float or Tensor
        epsilon > 0, a number or (*batch,), in the units of the values: multiply by max v - min v for a relative one.
        Where rounding hides so small a gap `terminated` is false; the gap still holds.
    max_steps : int
        Where the search is given up; `terminated` tells.

    Returns
    -------
    BisectionResult
        The weights are feasible, the gap is non-negative and at least the suboptimality, up to rounding.

    Raises
    ------
    ValueError
        As `printed_bisection`.

    References
    ----------
    lkrf Algorithm 1, corrected.
    """
    inner = _inner_problem(values, order, "sort")
    radius, epsilon = _radius_and_tolerance(values, rho, tolerance, max_steps)
    low, high = torch.zeros_like(radius), torch.full_like(radius, math.inf)
    ones, positive = torch.ones_like(radius), radius > 0  # two plain numbers would be of the default dtype
    start, gap = torch.where(positive, ones, math.inf), torch.where(positive, math.inf, 0.0 * ones)
    steps = torch.zeros_like(radius, dtype=torch.int64)
    for _ in range(max_steps):
        trial = torch.where(high.isinf(), start, (high + low) / 2)
        running = (gap > epsilon) & (low < trial) & (trial < high)
        if not bool(running.any()):
            break
        slack = radius - divergence_of(inner(trial), order).unsqueeze(-1)
        feasible = running & (slack >= 0)
        low = torch.where(running & ~feasible, trial, low)
        start = torch.where(running & ~feasible, 2 * start, start)
        high, gap = torch.where(feasible, trial, high), torch.where(feasible, trial * slack, gap)
        steps = steps + running
    return _result(inner, radius, high, steps, gap <= epsilon)


def _bisected(inner: "_InnerProblem", rho: Number, tolerance: Number, max_steps: int) -> BisectionResult:
    values, order = inner.values, inner.order
    radius, epsilon = _radius_and_tolerance(values, rho, tolerance, max_steps)
    start, low = torch.ones_like(radius), torch.zeros_like(radius)
    high, last = torch.full_like(radius, math.inf), torch.ones_like(radius)
    steps = torch.zeros_like(radius, dtype=torch.int64)
    for _ in range(max_steps):
        doubling = high.isinf()
        running = doubling | (high - low > epsilon * start)
        if not bool(running.any()):
            break
        last = torch.where(running, torch.where(doubling, start, (high + low) / 2), last)
        feasible = divergence_of(inner(last), order).unsqueeze(-1) < radius
        high = torch.where(running & feasible, last, high)
        low = torch.where(running & ~feasible & ~doubling, last, low)
        start = torch.where(running & ~feasible & doubling, 2 * start, start)
        steps = steps + running
    terminated = high.isfinite() & (high - low <= epsilon * start)
    return _result(inner, radius, last, steps, terminated)


@dataclass(frozen=True)
class _InnerProblem:
    """Ratios N q - 1 of the maximiser at multipliers (*batch, 1), without gradient; sorts once for order 2."""

    values: Tensor
    gaps: Tensor
    ascending: Tensor
    order: float
    search: Search
    divisor: float  # of the multiplier: k where the paper's form is followed, which loses that factor

    def __call__(self, multiplier: Tensor) -> Tensor:
        scale = multiplier / self.divisor
        depth = depths(self.gaps, scale, self.order)
        if self.order == 2 and self.search == "sort":
            level = chi_square_level(depth, depths(self.ascending, scale, self.order))
            return (level - depth).clamp_min(-1)
        return maximiser(depth, self.order, self.search)[0]


def _inner_problem(values: Tensor, order: float, search: Search, *, divisor: float = 1.0) -> _InnerProblem:
    check_order(order)
    check_values(values)
    gaps = (values.amax(-1, keepdim=True) - values).detach()
    ascending = gaps.sort(-1).values if order == 2 and search == "sort" else gaps
    return _InnerProblem(values, gaps, ascending, order, search, divisor)


def _radius_and_tolerance(values: Tensor, rho: Number, tolerance: Number, max_steps: int) -> tuple[Tensor, Tensor]:
    """Both (*batch, 1), expanded to the batch of the results."""
    radius, epsilon = column(rho, values), column(tolerance, values)
    if not bool(((radius >= 0) & radius.isfinite()).all()):
        raise ValueError(f"rho = {rho} must be finite and at least 0: it is the radius of the divergence ball.")
    if not bool(((epsilon > 0) & epsilon.isfinite()).all()):
        raise ValueError(f"tolerance = {tolerance} must be finite and positive: give the accepted error.")
    if max_steps < 1:
        raise ValueError(f"max_steps = {max_steps} must be at least 1: the first multiplier is a step.")
    shape = np.broadcast_shapes(values[..., :1].shape, radius.shape, epsilon.shape)
    return radius.detach().expand(shape), epsilon.detach().expand(shape)


def _result(inner: _InnerProblem, radius: Tensor, multiplier: Tensor, steps: Tensor, done: Tensor) -> BisectionResult:
    values = inner.values
    found = penalised_maximum(values, (multiplier / inner.divisor).squeeze(-1), order=inner.order)
    multiplier = multiplier.squeeze(-1)
    slack = radius.squeeze(-1) - found.divergence
    return BisectionResult(
        weights=found.weights,
        value=(found.weights * values).sum(-1),
        multiplier=multiplier,
        divergence=found.divergence,
        gap=torch.where(multiplier.isinf() & (slack == 0), 0.0, multiplier * slack),
        steps=steps.squeeze(-1),
        terminated=done.squeeze(-1),
    )
