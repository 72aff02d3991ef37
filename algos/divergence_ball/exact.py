"""Linear maximisation over the divergence ball around a probability vector.

    sup { sum_i q_i v_i : q a probability vector, sum_i p_i (q_i / p_i)^k - 1 <= rho }.

For k = 2 (the chi-square ball) the solution is found exactly by sorting and prefix sums; for other orders by
root-finding on the threshold. Every solution carries its duality gap: for any feasible q and any threshold eta,
0 <= sup - sum_i q_i v_i <= S(eta) - sum_i q_i v_i, S the dual function.
"""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from algos._domains import AnyBatch, Law, OrderAboveOne, Values
from algos._ratios import log_near_one, uniform_like
from algos.divergence_ball._active_set import ActiveSetBall, active_set_ball, large_and_plain
from algos.divergence_ball._threshold import (
    BallProblem,
    active_mass,
    base_weights,
    centred_problem,
    check_order,
    dual_below_top,
    find_threshold,
    last_active_and_first_inactive,
    log_profile,
    sloped,
)
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat


@dataclass(frozen=True)
class DivergenceBallSolution:
    """A maximiser over the divergence ball, with the certificate of its optimality; leading axes are batch axes.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        The maximising probability vector, differentiable in the values and in the base measure.
    value : Tensor (*batch,)
        sum_i weights_i values_i; its gradient in the values is `weights`, in the base measure that of the dual function
        (envelope theorem).
    threshold : Tensor (*batch,)
        The eta at which the dual function is minimal; minus infinity for rho = 0, where the infimum is not attained.
    dual_value : Tensor (*batch,)
        The dual function at the threshold, an upper bound of the supremum whatever the threshold.
    gap : Tensor (*batch,)
        dual_value - value, computed without cancellation: at least the suboptimality, and zero up to rounding.
    """

    weights: Tensor
    value: Tensor
    threshold: Tensor
    dual_value: Tensor
    gap: Tensor


@checked
def chi_square_ball_maximum(
    values: Values, rho: NonNegativeFloat, *, base: Law | None = None
) -> DivergenceBallSolution:
    """Maximise a linear function over the chi-square ball, exactly, in O(N log N).

    sup { q.v : sum_i p_i (q_i / p_i)^2 - 1 <= rho } is attained at q_i = (p_i / P) (1 + (v_i - mu) / u) on the R
    largest values and 0 elsewhere,
    where P is their mass, mu and sigma^2 the mean and variance of v on them, u = sigma / sqrt((1 + rho) P - 1).
    R is the smallest count for which the maximiser with threshold eta = v_(R+1) lies in the ball; eta = mu - u.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float
        Radius, >= 0 and finite. rho = 0 leaves the base measure alone.
    base : Tensor (N,) or (*batch, N), optional
        Probability vector p; uniform by default. Entries of zero mass are ignored (q is absolutely continuous).

    Returns
    -------
    DivergenceBallSolution
        When the largest values have mass P with 1/P - 1 <= rho, the weights are the base measure restricted to them
        (constant values, N = 1, ties, large radii); v -> a v + b with a > 0 leaves the weights unchanged.

    Raises
    ------
    ValueError
        For a negative or non-finite radius, an empty last axis, or a base measure of another length or sum.

    References
    ----------
    lkrf, problem (8) and Algorithm 1, solved directly instead of by bisection on the multiplier; Lemma 4 is the
    certificate.
    """
    if 0 < rho < math.inf and large_and_plain(values, base):
        found = active_set_ball(values, rho)
        if found is not None:
            return _from_active_set(found)
    problem = centred_problem(values, rho, base)
    if rho == 0:
        return _solution(problem, base_weights(problem), torch.full_like(problem.top, math.inf), rho=rho, order=2.0)
    with torch.no_grad():
        inner, outer = last_active_and_first_inactive(problem, rho)
    active = (problem.depth <= inner).to(values.dtype)
    mass, missing = active_mass(problem, active)
    height = (inner - problem.depth) * active
    unit = height.detach().amax(-1, keepdim=True)  # squares of what is below it by 150 orders do not matter
    unit = torch.where(unit > 0, unit, 1.0)
    height = height / unit
    mean = problem.mean(height) / mass
    variance = problem.mean(((height - mean) * active) ** 2) / mass
    slack = rho * mass - missing
    regular = variance > 0
    scale_squared = torch.where(regular, variance, 1.0) / slack.clamp(min=torch.finfo(slack.dtype).tiny)
    step = (scale_squared - mean**2) / (scale_squared.sqrt() + mean)
    step = torch.where(regular, torch.minimum(step.clamp(min=0), (outer - inner) / unit), 0.0)
    weights = base_weights(problem) * torch.where(regular, height + step * active, active)
    threshold_depth = torch.where(regular, inner + step * unit, 0.0)
    return _solution(problem, weights, threshold_depth, rho=rho, order=2.0)


@checked
def divergence_ball_maximum(
    values: Values, rho: NonNegativeFloat, *, order: OrderAboveOne, base: Law | None = None
) -> DivergenceBallSolution:
    """Maximise a linear function over the divergence ball of any order k > 1, by root-finding on the threshold.

    The maximiser is q_i proportional to p_i (v_i - eta)_+^(1/(k-1)); its divergence sum_i p_i (q_i / p_i)^k - 1
    does not decrease in eta,
    so a binary search over the values finds the two between which it equals rho, and a bracketed secant rule finds eta
    there; the feasible end of the bracket is returned. About 10 + log2 N passes over the values.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    rho : float
        Radius, >= 0 and finite. rho = 0 leaves the base measure alone.
    order : float
        k > 1 and finite.
    base : Tensor (N,) or (*batch, N), optional
        Probability vector p; uniform by default. Entries of zero mass are ignored (q is absolutely continuous).

    Returns
    -------
    DivergenceBallSolution

    Raises
    ------
    ValueError
        As in `chi_square_ball_maximum`, or for an order that is not a finite number above 1.

    References
    ----------
    lkrf, Lemma 4 with f(t) = t^k - 1, lambda eliminated.
    """
    check_order(order)
    problem = centred_problem(values, rho, base)
    if rho == 0:
        return _solution(problem, base_weights(problem), torch.full_like(problem.top, math.inf), rho=rho, order=order)
    with torch.no_grad():
        at, top_only = find_threshold(problem, rho, order)
    if torch.is_grad_enabled() and (problem.depth.requires_grad or base_weights(problem).requires_grad):
        at = sloped(problem, at, order, fixed=top_only)
    profile = (log_profile(problem, at) / (order - 1)).exp()
    weights = base_weights(problem) * torch.where(top_only, (problem.depth <= 0).to(profile.dtype), profile)
    depth = torch.where(top_only, 0.0, at.depth)
    return _solution(problem, weights, depth, rho=rho, order=order)


@checked
def divergence_ball_dual(
    values: Values,
    threshold: AnyBatch,
    rho: NonNegativeFloat,
    *,
    order: OrderAboveOne = 2.0,
    base: Law | None = None,
) -> Tensor:
    """Dual function of the divergence ball: bounds the supremum from above at every threshold, tightly at the best.

    ``S(eta) = (1 + rho)^(1/k) (sum_i p_i (v_i - eta)_+^(k*))^(1/k*) + eta``,  k* = k / (k - 1).

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    threshold : float or Tensor (*batch,)
        eta; at or above the largest supported value S(eta) = eta, and S(-inf) is the mean for rho = 0, inf otherwise.
    rho : float
        Radius, >= 0 and finite. rho = 0 leaves the base measure alone.
    order : float
        k > 1.
    base : Tensor (N,) or (*batch, N), optional
        Probability vector p; uniform by default. Entries of zero mass are ignored (q is absolutely continuous).

    Returns
    -------
    Tensor (*batch,)
        Values of S.

    References
    ----------
    lkrf, Lemma 4 after minimising over lambda.
    """
    check_order(order)
    problem = centred_problem(values, rho, base)
    threshold = torch.as_tensor(threshold, dtype=values.dtype, device=values.device)
    depth = (problem.top - threshold.unsqueeze(-1)) / problem.spread
    return (problem.top + problem.spread * dual_below_top(problem, depth, rho, order)).squeeze(-1)


@checked
def f_divergence(weights: Values, base: Law | None = None, *, order: OrderAboveOne = 2.0) -> Tensor:
    """Divergence of a probability vector q from a base measure p: the f-divergence of f(t) = t^k - 1.

    D(q || p) = sum_i p_i (q_i / p_i)^k - 1.

    Parameters
    ----------
    weights : Tensor (*batch, N)
        q.
    base : Tensor (N,) or (*batch, N), optional
        p; uniform by default.
    order : float
        k > 1. The divergence is chi-square for k = 2. The scaled f(t) = (t^k - 1)/k gives this value divided by k.

    Returns
    -------
    Tensor (*batch,)
        Infinite where q puts mass on an entry of zero base mass.

    References
    ----------
    lkrf, Section 2 (f(t) = t^k - 1).
    """
    check_order(order)
    near, log_ratio = log_near_one(weights, uniform_like(weights) if base is None else base)
    close = torch.expm1(order * log_ratio)
    if base is None:
        return torch.where(near, close, (weights * weights.shape[-1]) ** order - 1).mean(-1)
    supported = base > 0
    ratio = torch.where(supported, weights, 0.0) / torch.where(supported, base, 1.0)
    outside = torch.where(supported, torch.zeros_like(weights), weights) > 0
    divergence = (base * torch.where(near, close, ratio**order - 1)).sum(-1)
    return torch.where(outside.any(-1), math.inf, divergence)


def _solution(
    problem: BallProblem, weights: Tensor, depth: Tensor, *, rho: float, order: float
) -> DivergenceBallSolution:
    weights = weights / weights.sum(-1, keepdim=True)
    below = -(weights.detach() * problem.depth).sum(-1, keepdim=True)
    dual = dual_below_top(problem, depth.detach(), rho, order)
    if base_weights(problem).requires_grad:  # the supremum changes with the base as its dual does
        in_base = dual_below_top(replace(problem, depth=problem.depth.detach()), depth.detach(), rho, order)
        below = below + torch.where(torch.isfinite(in_base), in_base - in_base.detach(), 0.0)
    return DivergenceBallSolution(
        weights=weights,
        value=(problem.top + problem.spread * below).squeeze(-1),
        threshold=(problem.top - problem.spread * depth).squeeze(-1),
        dual_value=(problem.top + problem.spread * dual).squeeze(-1),
        gap=(problem.spread * (dual - below)).squeeze(-1),
    )


def _from_active_set(found: ActiveSetBall) -> DivergenceBallSolution:
    numbers = (
        found.top + found.spread * found.below,
        found.top - found.spread * found.depth,
        found.top + found.spread * found.dual,
        found.spread * (found.dual - found.below),
    )
    value, threshold, dual_value, gap = (torch.tensor(number, dtype=torch.float64) for number in numbers)
    return DivergenceBallSolution(found.weights, value, threshold, dual_value, gap)
