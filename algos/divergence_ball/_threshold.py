"""Where the maximiser over a divergence ball changes its form: the arithmetic behind `algos.divergence_ball.exact`.

All computations use depths below the largest supported value, divided by the spread of the values, so that neither
a large common shift,
nor the scale of the values, nor a tiny radius causes cancellation.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from algos._ratios import power_excess
from signatures.tensors import watched

_RESIDUAL = 1e-15
"""Relative accuracy of a root, a few units of float64 rounding."""

_TIE = 1e-300
"""Depths below this share of the spread are ties: they have lost digits to underflow, and their squares when lifted."""
_LIFT = {torch.float64: 2.0**500, torch.float32: 2.0**60}
"""Depths, at most one, are multiplied by this power of two before they are squared, lest squares underflow."""

_TINY_RADIUS = 1e-4
"""Below it the difference of a power and its tangent loses more than two digits, and is worth a series."""

_USUAL = 12
"""Most roots take fewer iterations; after that a bracket wider than four decades is bisected in the exponent."""
_MAX_EVALUATIONS = 120
"""About ten are used; the limit only guards against a function that rounding has made flat."""


@dataclass(frozen=True)
class BallProblem:
    """Depths (top - values) / spread in [0, 1], zero exactly at the largest supported value; base None if uniform.

    The entries are along the last axis; or, where a pass should go over many small problems, along the first.
    """

    depth: Tensor
    base: Tensor | None
    top: Tensor
    spread: Tensor
    axis: int = -1

    def mean(self, x: Tensor) -> Tensor:
        """Expectation of x under the base measure, its axis kept."""
        return x.mean(self.axis, keepdim=True) if self.base is None else (self.base * x).sum(self.axis, keepdim=True)


def check_order(order: float) -> None:
    if not (math.isfinite(order) and order > 1):
        raise ValueError(f"order = {order} must be a finite number above 1: use 2 for the chi-square divergence.")


def centred_problem(values: Tensor, rho: float, base: Tensor | None) -> BallProblem:
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
        shape = np.broadcast_shapes(values.shape, base.shape)
        values, base = values.expand(shape), base.to(values).expand(shape)
        supported = base > 0
        top = torch.where(supported, values, -math.inf).amax(-1, keepdim=True)
        depth = torch.where(supported, top - values, 0.0)
        depth = torch.where(supported, depth, depth.amax(-1, keepdim=True))
    spread = depth.detach().amax(-1, keepdim=True)
    spread = torch.where(spread > 0, spread, 1.0)
    relative = depth / spread
    return BallProblem(torch.where(relative < _TIE, 0.0, relative), base, top, spread)


def base_weights(problem: BallProblem) -> Tensor:
    if problem.base is None:
        return torch.full_like(problem.depth, 1.0 / problem.depth.shape[-1])
    return problem.base


def active_mass(problem: BallProblem, active: Tensor) -> tuple[Tensor, Tensor]:
    """Base mass of the active entries, and the mass that is missing from 1."""
    if problem.base is None:
        count, total = active.sum(-1, keepdim=True), active.shape[-1]
        return count / total, (total - count) / total
    return problem.mean(active), problem.mean(1 - active)


def last_active_and_first_inactive(problem: BallProblem, rho: float) -> tuple[Tensor, Tensor]:
    """Depths of the last active and of the first inactive entry (inf if all are active), each (*batch, 1).

    With m1 and m2 the first two moments of (v - eta)_+ at eta = the next value, the divergence m2 / m1^2 - 1 is
    updated from entry to entry by sums of non-negative terms only, so nothing cancels however close the values are; and
    lifted, so that no square underflows.
    """
    if problem.base is None:
        depth = _ascending(problem.depth)
        size = depth.shape[-1]
        mass = torch.arange(1, size, dtype=depth.dtype, device=depth.device) / size
    else:
        depth, order = problem.depth.sort(-1)
        mass = problem.base.gather(-1, order).cumsum(-1)[..., :-1]
    step = depth.diff(dim=-1) * _LIFT.get(depth.dtype, 1.0)
    first = (mass * step).cumsum(-1)
    before = torch.cat([torch.zeros_like(first[..., :1]), first[..., :-1]], -1)
    second = (step * (2 * before + mass * step)).cumsum(-1)
    inside = (first > 0) & (second <= (1 + rho) * first**2)
    ends = torch.cat([inside, torch.ones_like(depth[..., :1], dtype=torch.bool)], -1).to(torch.int8)
    last = ends.argmax(-1, keepdim=True)
    padded = torch.cat([depth, torch.full_like(depth[..., :1], math.inf)], -1)
    return padded.gather(-1, last), padded.gather(-1, last + 1)


def _ascending(depth: Tensor, axis: int = -1) -> Tensor:
    """Sorted copy without gradient; numpy's vectorised sort is about ten times faster than torch's on a CPU."""
    depth = depth.detach()
    if depth.device.type == "cpu" and depth.dtype in (torch.float32, torch.float64):
        return torch.from_numpy(np.sort(depth.numpy(), axis=axis))
    return depth.sort(axis).values


@dataclass(frozen=True)
class Threshold:
    """At the depth inner + step > 0.

    The summands are kept apart because entries at the depth `inner` have v - eta = step, however small it is; and the
    logarithm beside the step because roots of order k - 1 count where the step itself underflows: it is then 0.
    """

    inner: Tensor
    step: Tensor
    log_step: Tensor

    @property
    def depth(self) -> Tensor:
        return self.inner + self.step


def at_step(inner: Tensor, step: Tensor) -> Threshold:
    return Threshold(inner, step, step.log())


def log_profile(problem: BallProblem, at: Threshold) -> Tensor:
    """log((v - eta)_+ / (top - eta)) at a threshold eta; -inf where v <= eta."""
    depth = at.depth
    near = problem.depth < 0.5 * depth
    height = at.inner - problem.depth + at.step
    active = height > 0
    last = torch.where(at.step > 0, -math.inf, at.log_step - depth.log())  # of entries whose height underflows
    far = torch.where(
        active,
        (torch.where(active, height, 1.0) / depth).log(),
        torch.where(problem.depth == at.inner, last, -math.inf),
    )
    return torch.where(near, torch.log1p(-torch.where(near, problem.depth / depth, 0.0)), far)


def _divergence_at(problem: BallProblem, at: Threshold, rho: float, order: float) -> Tensor:
    """Divergence of the maximiser with the threshold at depth inner + step, without cancellation when it is small.

    With q/p = 1 + z, sum p z = 0: the divergence is sum p ((1 + z)^k - 1 - k z), by a series where it is compared with
    a tiny rho. Far from the base the plain formula is the accurate one.
    """
    profile, tilt = _root_profile(problem, at) if order == 3 else _profile(problem, at, order)
    total = problem.mean(profile)
    far = problem.mean((profile / total) ** order) - 1
    mean = problem.mean(tilt)
    z = ((tilt - mean) / (1 + mean)).clamp(min=-1)  # -1 at what is inactive, however that rounds
    if order == 3:
        near = z.square() * (3 + z)
    elif rho < _TINY_RADIUS:
        near = power_excess(z, order)
    else:
        near = torch.expm1(order * torch.log1p(z)) - order * z
    return torch.where(total < 0.5, far, problem.mean(near))


def _profile(problem: BallProblem, at: Threshold, order: float) -> tuple[Tensor, Tensor]:
    """h = ((v - eta)_+ / (top - eta))^(1/(k-1)), and h - 1."""
    exponent = log_profile(problem, at) / (order - 1)
    return exponent.exp(), torch.expm1(exponent)


def _root_profile(problem: BallProblem, at: Threshold) -> tuple[Tensor, Tensor]:
    """The same for k = 3, where h is a square root, and h - 1 = (h^2 - 1)/(h + 1): no logarithm, no cancellation."""
    depth = at.depth
    root = ((at.inner - problem.depth + at.step) / depth).clamp(min=0).sqrt()
    return root, -(problem.depth / depth).clamp(max=1) / (1 + root)


@dataclass(frozen=True)
class _Excess:
    """How much the root of the divergence exceeds that of rho, and where the threshold is, by a coordinate in [0, 1].

    All but the depths and the base are one number for each problem. `width` is the distance to the next entry, where
    there is one or the root is as near (`between`).
    """

    problem: BallProblem
    inner: Tensor
    width: Tensor
    between: Tensor
    rho: float
    order: float

    def threshold(self, coordinate: Tensor) -> Threshold:
        """Below the last active entry by a distance that is 0 where it leaves the normal numbers."""
        power = self.order - 1
        step = torch.where(self.between, self.width * coordinate**power, 1 / coordinate - 1)
        log_step = torch.where(self.between, self.width.log() + power * coordinate.log(), step.log())
        step = torch.where(step < torch.finfo(step.dtype).tiny, 0.0, step)
        inner, step, log_step = (part.unsqueeze(self.problem.axis) for part in (self.inner, step, log_step))
        return Threshold(inner, step, log_step)

    def __call__(self, coordinate: Tensor) -> Tensor:
        divergence = _divergence_at(self.problem, self.threshold(coordinate), self.rho, self.order)
        divergence = divergence.squeeze(self.problem.axis)
        return divergence.clamp(min=0).sqrt() - math.sqrt(self.rho)

    def some(self, kept: Tensor) -> "_Excess":
        """The same for some of the problems."""
        where = (slice(None), kept) if self.problem.axis == 0 else (kept,)
        base = None if self.problem.base is None else self.problem.base[where]
        problem = replace(self.problem, depth=self.problem.depth[where], base=base)
        inner, width, between = (part[kept] for part in (self.inner, self.width, self.between))
        return replace(self, problem=problem, inner=inner, width=width, between=between)


def find_threshold(problem: BallProblem, rho: float, order: float) -> tuple[Threshold, Tensor]:
    """Where the divergence is rho, below the last active entry; whether the largest values alone fit.

    Between two entries the square root of the divergence is close to linear in (distance / width)^(1/(k-1)), and beyond
    the last entry in 1 / (1 + distance); in these coordinates regula falsi needs about eight evaluations.
    """
    shape, problem = problem.top.shape, _flat(problem)
    top_mass = problem.mean((problem.depth <= 0).to(problem.depth.dtype))
    top_only = torch.expm1((1 - order) * torch.log(top_mass)) <= rho
    inner, outer = _neighbours(problem, rho, order)
    inner, outer = torch.where(top_only, 1.0, inner), torch.where(top_only, math.inf, outer)
    beyond = at_step(inner, torch.ones_like(inner))
    between = torch.isfinite(outer) | (_divergence_at(problem, beyond, rho, order) <= rho)
    width = torch.where(torch.isfinite(outer), outer - inner, 1.0)
    widest = 1.0 / math.expm1(math.log1p(rho) * (order - 1) / order)
    top_only, inner, between, width = (part.squeeze(problem.axis) for part in (top_only, inner, between, width))
    excess = _Excess(problem, inner, width, between, rho, order)
    outside = torch.where(between, torch.zeros_like(inner), 0.5)
    inside = torch.where(between, torch.ones_like(inner), 1 / (1 + widest))
    coordinate = _regula_falsi(excess, outside, inside, done=top_only, tolerance=_RESIDUAL * math.sqrt(rho))
    found = excess.threshold(coordinate)
    at = Threshold(found.inner.reshape(shape), found.step.reshape(shape), found.log_step.reshape(shape))
    return at, top_only.reshape(shape)


def _flat(problem: BallProblem) -> BallProblem:
    """The problems of all batch axes in a row; the entries of many small ones along the first axis.

    Not where a mode of torch sees each operation: the first axis is what it takes for the batch.
    """
    size = problem.depth.shape[-1]
    depth = problem.depth.reshape(-1, size)
    base = None if problem.base is None else problem.base.reshape(-1, size)
    if len(depth) <= size or watched():
        return BallProblem(depth, base, problem.top.reshape(-1, 1), problem.spread)
    base = None if base is None else base.mT.contiguous()
    return BallProblem(depth.mT.contiguous(), base, problem.top.reshape(1, -1), problem.spread, axis=0)


def sloped(problem: BallProblem, at: Threshold, order: float, *, fixed: Tensor) -> Threshold:
    """The same threshold with its gradient in values and base, unless fixed: the divergence stays as it is.

    By the implicit function theorem: with h = (v - eta)_+ and r = 1/(k-1), 1 + divergence = E h^(rk) / (E h^r)^k, and
    rk = 1 + r. The variable is the logarithm of the step, below a last active entry that moves where the step is 0.
    """
    moved = problem.depth - problem.depth.detach()
    last = (problem.depth == at.inner).to(moved.dtype)
    together = (last * moved).sum(-1, keepdim=True) / last.sum(-1, keepdim=True).clamp(min=1)
    inner = at.inner + torch.where(at.step > 0, 0.0, together)
    exponent = log_profile(problem, replace(at, inner=inner)) / (order - 1)
    constant = problem.mean((order * exponent).exp()).log() - order * problem.mean(exponent.exp()).log()
    with torch.no_grad():
        share = at.log_step - at.depth.log() - exponent * (order - 1)  # log(step / height)
        share = torch.where(exponent == -math.inf, -math.inf, share)
        powers = [power * exponent for power in (order, 1.0)]
        upper, lower = (problem.mean((power + share).exp()) / problem.mean(power.exp()) for power in powers)
        slope = order / (order - 1) * (upper - lower)
        slope = torch.where(slope < 0, slope, -math.inf)  # among ties alone the threshold moves nothing
    shift = torch.where(fixed, 0.0, (constant - constant.detach()) / slope)
    return Threshold(inner, at.step - at.step * shift, at.log_step - shift)


def _neighbours(problem: BallProblem, rho: float, order: float) -> tuple[Tensor, Tensor]:
    """Depths of the last active and of the first inactive entry (inf if all are active), by binary search."""
    axis = problem.axis
    ends = torch.cat([_ascending(problem.depth, axis), torch.full_like(problem.top, math.inf)], axis)
    size = problem.depth.shape[axis]
    outside = torch.zeros_like(problem.top, dtype=torch.int64)
    inside = torch.full_like(outside, size)
    for _ in range(size.bit_length()):
        middle = (outside + inside) // 2
        depth = ends.gather(axis, middle)
        positive = depth > 0
        safe = torch.where(positive & torch.isfinite(depth), depth, 1.0)
        fits = positive & (_divergence_at(problem, at_step(safe, torch.zeros_like(safe)), rho, order) <= rho)
        outside, inside = torch.where(fits, outside, middle), torch.where(fits, middle, inside)
    return ends.gather(axis, outside), ends.gather(axis, inside)


def _regula_falsi(function: _Excess, outside: Tensor, inside: Tensor, *, done: Tensor, tolerance: float) -> Tensor:
    """Root of a function that is positive outside and at most 0 inside; the inside end of the last bracket.

    Regula falsi in which an end that stays put loses weight by the rule of Anderson and Bjorck (1973), with a bisection
    where four steps have not left an eighth of the bracket. A root may be as small as the closest values: what takes
    longer is bisected every fourth time, in the exponent. Rows that are done are left behind once they are half of what
    is evaluated.
    """
    found, rows = inside, torch.arange(len(inside), device=inside.device)
    value_outside, value_inside = function(outside), function(inside)
    residual, last, before = value_inside, torch.zeros_like(inside), (inside - outside).abs()
    for iteration in range(1, _MAX_EVALUATIONS):
        width = (inside - outside).abs()
        narrow = width <= _RESIDUAL * torch.maximum(inside, outside)
        kept = ~(done | narrow | (-residual <= tolerance))
        left = int(kept.sum())
        if 2 * left <= len(rows):
            found = found.index_copy(0, rows, inside)
            if not left:
                return found
            function, rows = function.some(kept), rows[kept]
            state = (outside, inside, value_outside, value_inside, residual, last, done, before, width)
            outside, inside, value_outside, value_inside, residual, last, done, before, width = (
                part[kept] for part in state
            )
        low, high = torch.minimum(inside, outside), torch.maximum(inside, outside)
        middle = (low + high) / 2
        if iteration > _USUAL:
            middle = torch.where(high > 1e4 * low, low.clamp(min=_TIE).sqrt() * high.sqrt(), middle)
        trial = inside - value_inside * (inside - outside) / (value_inside - value_outside)
        within = (trial - inside) * (trial - outside) < 0
        if iteration % 4 == 0:
            within = within & (width <= before / 8) & (iteration <= _USUAL)
            before = width
        trial = torch.where(within, trial, middle)
        value = function(trial)
        fits = value <= 0
        side = fits * 2.0 - 1
        weight = 1 - value / torch.where(fits, value_inside, value_outside)
        weight = torch.where(last == side, torch.where(weight > 0, weight, 0.5), 1.0)
        other = torch.where(fits, value_outside, value_inside) * weight
        inside, value_inside = torch.where(fits, trial, inside), torch.where(fits, value, other)
        outside, value_outside = torch.where(fits, outside, trial), torch.where(fits, other, value)
        residual, last = torch.where(fits, value, residual), side
    return found.index_copy(0, rows, inside)


def dual_below_top(problem: BallProblem, depth: Tensor, rho: float, order: float) -> Tensor:
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
