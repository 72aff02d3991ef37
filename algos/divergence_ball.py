"""Linear maximisation over the divergence ball around a probability vector.

    sup { sum_i q_i v_i : q a probability vector, sum_i p_i (q_i / p_i)^k - 1 <= rho }.

For k = 2 (the chi-square ball) the solution is found exactly by sorting and prefix sums; for other orders by bisection on the threshold.
Every solution carries its duality gap: for any feasible q and any threshold eta, 0 <= sup - sum_i q_i v_i <= S(eta) - sum_i q_i v_i.

All computations use depths below the largest supported value, divided by the spread of the values, so that neither a large common shift,
nor the scale of the values, nor a tiny radius causes cancellation.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

_BISECTION_STEPS = 64
"""Halvings of an interval of logarithms 40 k long: the last interval is below the spacing of float64 up to orders of about 100."""


@dataclass(frozen=True)
class DivergenceBallSolution:
    """A maximiser over the divergence ball, with the certificate of its optimality; leading axes are batch axes.

    Attributes
    ----------
    weights : (*batch, N), the maximising probability vector; differentiable in the values for order 2, constant for other orders.
    value : (*batch,), sum_i weights_i values_i; its gradient in the values is `weights` (envelope theorem).
    threshold : (*batch,), the eta at which the dual function is minimal; minus infinity for rho = 0, where the infimum is not attained.
    dual_value : (*batch,), the dual function at the threshold, an upper bound of the supremum whatever the threshold.
    gap : (*batch,), dual_value - value, computed without cancellation; zero up to rounding, and no larger than the suboptimality is certified.
    """

    weights: Tensor
    value: Tensor
    threshold: Tensor
    dual_value: Tensor
    gap: Tensor


@dataclass(frozen=True)
class _Problem:
    """Depths (top - values) / spread in [0, 1], zero exactly at the largest supported value; base weights or None for uniform ones."""

    depth: Tensor
    base: Tensor | None
    top: Tensor
    spread: Tensor

    def mean(self, x: Tensor) -> Tensor:
        """Expectation of x under the base measure, last axis kept."""
        return x.mean(-1, keepdim=True) if self.base is None else (self.base * x).sum(-1, keepdim=True)


def chi_square_ball_maximum(values: Tensor, rho: float, *, base: Tensor | None = None) -> DivergenceBallSolution:
    """Maximise a linear function over the chi-square ball, exactly, in O(N log N).

    sup { q.v : sum_i p_i (q_i / p_i)^2 - 1 <= rho } is attained at q_i = p_i (1 + (v_i - mu) / u) on the R largest values and 0 elsewhere,
    with mu and sigma^2 the mean and variance of v on these R entries under p, P their mass, u = sigma / sqrt((1 + rho) P - 1), all divided by P;
    R is the smallest count for which the ball is not left before the threshold eta = mu - u reaches the next value.

    Parameters
    ----------
    values : (*batch, N), N >= 1, finite.
    rho : radius, >= 0 and finite. rho = 0 leaves the base measure alone.
    base : (N,) or (*batch, N), probability vector p; uniform by default. Entries of zero mass are ignored (q is absolutely continuous).

    Returns
    -------
    DivergenceBallSolution. When the largest values have mass P with 1/P - 1 <= rho, the weights are the base measure restricted to them
    (constant values, N = 1, ties, large radii); v -> a v + b with a > 0 leaves the weights unchanged.

    Raises
    ------
    ValueError : for a negative or non-finite radius, an empty last axis, or a base measure of another length.

    Source: lkrf, problem (8) and Algorithm 1, solved directly instead of by bisection on the multiplier; Lemma 4 is the certificate.
    """
    problem = _problem(values, rho, base)
    if rho == 0:
        return _solution(problem, values, _base_weights(problem), torch.full_like(problem.top, math.inf), rho, 2.0)
    with torch.no_grad():
        inner, outer = _last_active_and_first_inactive(problem, rho)
    active = (problem.depth <= inner).to(values.dtype)
    mass, missing = _mass(problem, active)
    height = (inner - problem.depth) * active
    mean = problem.mean(height) / mass
    variance = problem.mean(((height - mean) * active) ** 2) / mass
    slack = rho * mass - missing
    regular = variance > 0
    scale_squared = torch.where(regular, variance, 1.0) / slack.clamp(min=torch.finfo(slack.dtype).tiny)
    step = (scale_squared - mean**2) / (scale_squared.sqrt() + mean)
    step = torch.where(regular, torch.minimum(step.clamp(min=0), outer - inner), 0.0)
    weights = _base_weights(problem) * torch.where(regular, height + step * active, active)
    threshold_depth = torch.where(regular, inner + step, 0.0)
    return _solution(problem, values, weights, threshold_depth, rho, 2.0)


def divergence_ball_maximum(
    values: Tensor, rho: float, *, order: float, base: Tensor | None = None
) -> DivergenceBallSolution:
    """Maximise a linear function over the divergence ball of any order k > 1, by bisection on the threshold.

    The maximiser is q_i proportional to p_i (v_i - eta)_+^(1/(k-1)); its divergence sum_i p_i (q_i / p_i)^k - 1 does not decrease in eta,
    so a binary search over the values finds the two between which it equals rho, and a bisection on the logarithm of the distance from the
    inner one finds eta; the feasible end of the bracket is returned. About 64 + log2 N passes over the values.

    Parameters
    ----------
    values, rho, base : as in `chi_square_ball_maximum`.
    order : k > 1 and finite.

    Raises
    ------
    ValueError : as in `chi_square_ball_maximum`, or for an order that is not a finite number above 1.

    Source: lkrf, Lemma 4 with f(t) = t^k - 1, lambda eliminated.
    """
    _check_order(order)
    problem = _problem(values, rho, base)
    with torch.no_grad():
        if rho == 0:
            weights, depth = _base_weights(problem), torch.full_like(problem.top, math.inf)
        else:
            inner, step, top_only = _bisect_threshold(problem, rho, order)
            profile = (_log_profile(problem, inner, step) / (order - 1)).exp()
            weights = _base_weights(problem) * torch.where(top_only, (problem.depth <= 0).to(profile.dtype), profile)
            depth = torch.where(top_only, 0.0, inner + step)
    return _solution(problem, values, weights, depth, rho, order)


def divergence_ball_dual(
    values: Tensor, threshold: Tensor, rho: float, *, order: float = 2.0, base: Tensor | None = None
) -> Tensor:
    """Dual function of the divergence ball: an upper bound of the supremum at every threshold, equal to it at the best one.

    S(eta) = (1 + rho)^(1/k) (sum_i p_i (v_i - eta)_+^(k*))^(1/k*) + eta,  k* = k / (k - 1).

    Parameters
    ----------
    values, rho, base : as in `chi_square_ball_maximum`.
    threshold : (*batch,) eta; at or above the largest supported value S(eta) = eta, and S(-inf) is the mean for rho = 0, inf otherwise.
    order : k > 1.

    Returns
    -------
    (*batch,) values of S.

    Source: lkrf, Lemma 4 after minimising over lambda.
    """
    _check_order(order)
    problem = _problem(values, rho, base)
    depth = (problem.top - threshold.unsqueeze(-1)) / problem.spread
    return (problem.top + problem.spread * _dual_below_top(problem, depth, rho, order)).squeeze(-1)


def f_divergence(weights: Tensor, base: Tensor | None = None, *, order: float = 2.0) -> Tensor:
    """Divergence of a probability vector q from a base measure p: sum_i p_i (q_i / p_i)^k - 1, the f-divergence of f(t) = t^k - 1.

    Parameters
    ----------
    weights : (*batch, N), q.
    base : (N,) or (*batch, N), p; uniform by default.
    order : k > 1. The divergence is chi-square for k = 2. The scaled f(t) = (t^k - 1)/k gives this value divided by k.

    Returns
    -------
    (*batch,); infinite where q puts mass on an entry of zero base mass.

    Source: lkrf, Section 2 (f(t) = t^k - 1).
    """
    _check_order(order)
    if base is None:
        return (((weights * weights.shape[-1]) ** order) - 1).mean(-1)
    supported = base > 0
    ratio = torch.where(supported, weights, 0.0) / torch.where(supported, base, 1.0)
    outside = torch.where(supported, torch.zeros_like(weights), weights) > 0
    divergence = (base * (ratio**order - 1)).sum(-1)
    return torch.where(outside.any(-1), math.inf, divergence)


def _check_order(order: float) -> None:
    if not (math.isfinite(order) and order > 1):
        raise ValueError(f"order = {order} must be a finite number above 1: use 2 for the chi-square divergence.")


def _problem(values: Tensor, rho: float, base: Tensor | None) -> _Problem:
    if not (math.isfinite(rho) and rho >= 0):
        raise ValueError(f"rho = {rho} must be finite and at least 0: it is the radius of the divergence ball.")
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"values of shape {tuple(values.shape)} have no entries: give at least one along the last axis."
        )
    if base is None:
        top = values.amax(-1, keepdim=True)
        depth = top - values
    else:
        if base.shape[-1] != values.shape[-1]:
            raise ValueError(
                f"base has {base.shape[-1]} entries, values have {values.shape[-1]}: give one weight per value."
            )
        values, base = torch.broadcast_tensors(values, base.to(values))
        supported = base > 0
        top = torch.where(supported, values, -math.inf).amax(-1, keepdim=True)
        depth = torch.where(supported, top - values, 0.0)
        depth = torch.where(supported, depth, depth.amax(-1, keepdim=True))
    spread = depth.detach().amax(-1, keepdim=True)
    spread = torch.where(spread > 0, spread, 1.0)
    return _Problem(depth / spread, base, top, spread)


def _base_weights(problem: _Problem) -> Tensor:
    if problem.base is None:
        return torch.full_like(problem.depth, 1.0 / problem.depth.shape[-1])
    return problem.base


def _mass(problem: _Problem, active: Tensor) -> tuple[Tensor, Tensor]:
    """Base mass of the active entries, and the mass that is missing from 1."""
    if problem.base is None:
        count, total = active.sum(-1, keepdim=True), active.shape[-1]
        return count / total, (total - count) / total
    return problem.mean(active), problem.mean(1 - active)


def _last_active_and_first_inactive(problem: _Problem, rho: float) -> tuple[Tensor, Tensor]:
    """Depths of the last active and of the first inactive entry (inf if all are active), each (*batch, 1).

    With m1 and m2 the first two moments of (v - eta)_+ at eta = the next value, the divergence m2 / m1^2 - 1 is updated from entry to entry
    by sums of non-negative terms only, so nothing cancels however close the values are.
    """
    if problem.base is None:
        depth = _ascending(problem.depth)
        size = depth.shape[-1]
        mass = torch.arange(1, size, dtype=depth.dtype, device=depth.device) / size
    else:
        depth, order = problem.depth.sort(-1)
        mass = problem.base.gather(-1, order).cumsum(-1)[..., :-1]
    step = depth.diff(dim=-1)
    first = (mass * step).cumsum(-1)
    before = torch.cat([torch.zeros_like(first[..., :1]), first[..., :-1]], -1)
    second = (step * (2 * before + mass * step)).cumsum(-1)
    inside = (first > 0) & (second <= (1 + rho) * first**2)
    ends = torch.cat([inside, torch.ones_like(depth[..., :1], dtype=torch.bool)], -1).to(torch.int8)
    last = ends.argmax(-1, keepdim=True)
    padded = torch.cat([depth, torch.full_like(depth[..., :1], math.inf)], -1)
    return padded.gather(-1, last), padded.gather(-1, last + 1)


def _ascending(depth: Tensor) -> Tensor:
    """Sorted copy without gradient; numpy's vectorised sort is about ten times faster than torch's on a CPU."""
    depth = depth.detach()
    if depth.device.type == "cpu" and depth.dtype in (torch.float32, torch.float64):
        return torch.from_numpy(np.sort(depth.numpy(), axis=-1))
    return depth.sort(-1).values


def _log_profile(problem: _Problem, inner: Tensor, step: Tensor) -> Tensor:
    """log((v - eta)_+ / (top - eta)) at the depth inner + step > 0 of the threshold; -inf where v <= eta.

    The two summands are kept apart because entries at the depth `inner` have v - eta = step, however small it is.
    """
    depth = inner + step
    near = problem.depth < 0.5 * depth
    far = ((inner - problem.depth + step) / depth).clamp(min=0).log()
    return torch.where(near, torch.log1p(-torch.where(near, problem.depth / depth, 0.0)), far)


def _divergence_at(problem: _Problem, inner: Tensor, step: Tensor, order: float) -> Tensor:
    """Divergence of the maximiser with the threshold at depth inner + step, without cancellation when it is small.

    With q/p = 1 + z, sum p z = 0: the divergence is sum p ((1 + z)^k - 1 - k z). Far from the base the plain formula is the accurate one.
    """
    log_profile = _log_profile(problem, inner, step) / (order - 1)
    profile, tilt = log_profile.exp(), torch.expm1(log_profile)
    total = problem.mean(profile)
    far = problem.mean((profile / total) ** order) - 1
    mean = problem.mean(tilt)
    z = (tilt - mean) / (1 + mean)
    return torch.where(total < 0.5, far, problem.mean(torch.expm1(order * torch.log1p(z)) - order * z))


def _bisect_threshold(problem: _Problem, rho: float, order: float) -> tuple[Tensor, Tensor, Tensor]:
    """Depth of the last active entry, distance of the threshold from it, and whether the largest values alone lie in the ball."""
    top_mass = problem.mean((problem.depth <= 0).to(problem.depth.dtype))
    top_only = torch.expm1((1 - order) * torch.log(top_mass)) <= rho
    ends = torch.cat([_ascending(problem.depth), torch.full_like(problem.top, math.inf)], -1)
    size = problem.depth.shape[-1]
    outside = torch.zeros_like(problem.top, dtype=torch.int64)
    inside = torch.full_like(outside, size)
    for _ in range(size.bit_length()):
        middle = (outside + inside) // 2
        depth = ends.gather(-1, middle)
        positive = depth > 0
        safe = torch.where(positive & torch.isfinite(depth), depth, 1.0)
        fits = positive & (_divergence_at(problem, safe, torch.zeros_like(safe), order) <= rho)
        outside, inside = torch.where(fits, outside, middle), torch.where(fits, middle, inside)
    inner, outer = ends.gather(-1, outside), ends.gather(-1, inside)
    widest = 1.0 / math.expm1(math.log1p(rho) * (order - 1) / order)
    high = torch.where(torch.isfinite(outer), outer - inner, widest).log()
    low = high - 40.0 * order
    for _ in range(_BISECTION_STEPS):
        step = (low + high) / 2
        fits = _divergence_at(problem, inner, step.exp(), order) <= rho
        low, high = torch.where(fits, low, step), torch.where(fits, step, high)
    return inner, high.exp(), top_only


def _dual_below_top(problem: _Problem, depth: Tensor, rho: float, order: float) -> Tensor:
    """(S(eta) - top) / spread at eta = top - depth * spread, as depth * expm1(...): no cancellation at large depths."""
    dual_order = order / (order - 1)
    regular = (depth > 0) & torch.isfinite(depth)
    safe = torch.where(regular, depth, 1.0)
    relative_depth = (problem.depth / safe).clamp(max=1.0)
    inside = relative_depth < 1
    log_relative = dual_order * torch.log1p(-torch.where(inside, relative_depth, 0.0))
    moment = problem.mean(torch.where(inside, log_relative.exp(), 0.0))
    drop = problem.mean(torch.where(inside, torch.expm1(log_relative), -1.0))
    log_moment = torch.where(moment < 0.5, moment.log(), torch.log1p(drop.clamp(min=-0.75))) / dual_order
    finite = safe * torch.expm1(math.log1p(rho) / order + log_moment)
    at_infinity = -problem.mean(problem.depth) if rho == 0 else torch.full_like(depth, math.inf)
    return torch.where(regular, finite, torch.where(depth > 0, at_infinity, -depth))


def _solution(
    problem: _Problem, values: Tensor, weights: Tensor, depth: Tensor, rho: float, order: float
) -> DivergenceBallSolution:
    weights = weights / weights.sum(-1, keepdim=True)
    below = -(weights.detach() * problem.depth).sum(-1, keepdim=True)
    dual = _dual_below_top(problem, depth.detach(), rho, order)
    return DivergenceBallSolution(
        weights=weights,
        value=(problem.top + problem.spread * below).squeeze(-1),
        threshold=(problem.top - problem.spread * depth).squeeze(-1),
        dual_value=(problem.top + problem.spread * dual).squeeze(-1),
        gap=(problem.spread * (dual - below)).squeeze(-1),
    )
