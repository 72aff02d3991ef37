"""The rounding of lhs - rhs at an instance or in a trial: its spread over differently rounded evaluations."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from harness.certify.recompiled import calls_of
from harness.certify.rounding.inputs import LAST_PLACES, blurred
from harness.certify.rounding.libraries import ELSEWHERE
from harness.certify.rounding.shares import TWINS
from harness.certify.rounding.statements import rounded_differently
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Ties
from harness.errors import ClaimError, Resized, Slip
from harness.language.evaluation import Sides, cell_name, evaluate
from harness.language.kept import Kept
from harness.language.quantifiers import Draw
from harness.language.recorded import Rows
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

CLEAR = 50.0  # a violation stands when it exceeds this many times the spread
AMPLIFIED = 64.0  # last places by which results are moved to see what a single one hides
HIDDEN = 2.0**20  # times as much as single ones let expect, which they have hidden
UNSEEN = 4.0  # last places of what a body is made of that computes outside torch
LEAVING = frozenset(("numpy", "__array__", "tolist", "item", "__float__"))
_leaves: Kept[tuple[str, str], bool] = Kept()


class _Watch(TorchFunctionMode):
    """Notices a body that takes its numbers out of torch."""

    def __init__(self) -> None:
        super().__init__()
        self.left = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.left |= getattr(func, "__name__", "") in LEAVING
        return func(*args, **(kwargs or {}))


class NoiseLevel(NamedTuple):
    """The largest rounding of lhs - rhs that was measured, as it is and as a share of both sides.

    `decides` is the share of trials in which rounding decides more than last places, such as whether an event happens
    where sums tie; the other numbers are without them.
    """

    absolute: float
    relative: float
    decides: float = 0.0


class Evaluations(NamedTuple):
    """Both sides in every evaluation, and in those where equals are equal: None where none may be.

    `resized` where rounding decides how many inputs there are: no evaluation tells anything then.
    """

    every: Sides
    tied: Sides | None
    resized: bool = False


def leaves_torch(claim: Claim, params: Parameters, values: Mapping[str, Tensor], draw: Draw, batch: int) -> bool:
    """Whether the body computes outside torch, where its rounding is not seen; found out once per cell.

    Numbers that it takes out of torch tell; a body without inputs may never have come there.
    """
    met, key = _leaves.of(claim.body), cell_name(claim, params)
    if key not in met:
        with torch.no_grad(), suppress(ClaimError), _Watch() as watch:  # who raises has been there by then
            evaluate(claim, params, values, draw, batch)
        met[key] = watch.left or (not values and calls_of(claim.body, ELSEWHERE))
    return met[key]


def instance_noise(
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    values: Mapping[str, Tensor],
    gap: Tensor,
    *,
    calls: int,
    device: str = "cpu",
) -> Tensor:
    """Rounding of lhs - rhs at each instance of a batch, `(batch,)`, from TWINS x `calls` evaluations.

    The largest distance between `gap`, which is lhs - rhs in plain float64, and what the other evaluations give, or
    between two of these. Infinite where three quarters of them are not finite, and where rounding decides whether the
    instance is one of those that the claim is assumed for, or lies at a pole.
    """
    found = evaluations(claim, params, spaces, values, calls, device)
    return noise_among(found.every, claim, params, spaces, values, gap)


def noise_among(  # noqa: PLR0917
    found: Sides,
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    values: Mapping[str, Tensor],
    gap: Tensor,
) -> Tensor:
    """`instance_noise` from the evaluations that it rests on, each (batch, evaluations)."""
    noise = spread_of(torch.cat([gap.detach().unsqueeze(-1), found.lhs - found.rhs], dim=-1))
    least = unseen(claim, params, spaces, values, batch=len(gap))
    return torch.where(found.out.any(-1), torch.inf, torch.maximum(noise, least))


def amplified_noise(
    claim: Claim, params: Parameters, values: Mapping[str, Tensor], sides: Sides, noise: float
) -> float:
    """Rounding of lhs - rhs at one instance by what AMPLIFIED last places make of it; `noise` is what single ones do.

    So many times as much, where rounding is small: then a share of it is no news. Where it is very much more, single
    ones hide what there is: sixty square roots of 2 are 1 in float64, which no last place takes from there, and sixty
    squares of that are 1. Infinite where sides that are finite are not so then.
    """
    gaps = [(sides.lhs - sides.rhs).detach().reshape(1)]
    for seed in range(2):
        for sign in (AMPLIFIED, -AMPLIFIED):
            with np.errstate(all="ignore"):
                found = otherwise(claim, params, values, lambda: Draw(1, ()), 1, moved(seed, sign=sign), seed)
            if found is not None:
                gaps.append((found.lhs - found.rhs).reshape(1))
    every = torch.cat(gaps)
    if not bool(torch.isfinite(every).all()):
        return math.inf if math.isfinite(noise) else noise
    spread, size = float(every.max() - every.min()), float((sides.lhs.abs() + sides.rhs.abs()).max())
    hidden = spread > AMPLIFIED * HIDDEN * max(noise, LAST_PLACES * size)
    return spread if hidden else spread / AMPLIFIED


def sides_noise(
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    values: Mapping[str, Tensor],
    sides: Sides,
    *,
    calls: int,
) -> Sides:
    """Rounding of each side at each instance of a batch, as `instance_noise` has it of their difference."""
    found = evaluations(claim, params, spaces, values, calls, "cpu").every
    out, least = found.out.any(-1), unseen(claim, params, spaces, values, batch=len(sides.lhs))
    pairs = ((sides.lhs, found.lhs), (sides.rhs, found.rhs))
    noise = (spread_of(torch.cat([own.detach().unsqueeze(-1), other], dim=-1)) for own, other in pairs)
    return Sides(*(torch.where(out, torch.inf, torch.maximum(each, least)) for each in noise))


def evaluations(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    values: Mapping[str, Tensor],
    calls: int,
    device: str,
) -> Evaluations:
    """Both sides at each instance, rounded differently, `(batch, TWINS calls)`; more where ties show in several."""
    batch = len(next(iter(values.values()))) if values else 1
    plain = {name: value.detach().to(device) for name, value in values.items()}
    blind = leaves_torch(claim, params, plain, Draw(batch, ()), batch)
    repeated = {name: value.detach().repeat_interleave(TWINS, dim=0) for name, value in values.items()}
    ties, parts, tied = Ties() if calls > 1 else None, list[Sides](), list[Sides]()

    def once_more() -> None:
        moved_inputs = blurred(spaces, repeated, len(parts), blind=blind)
        on_device = {name: value.to(device) for name, value in moved_inputs.items()}
        parts.append(_in_parts(claim, params, on_device, batch * TWINS, len(parts), ties))

    for _ in range(calls):
        once_more()
    for _ in ties.sides() if ties is not None else ():
        once_more()
        if ties is not None and ties.divided:
            parts[-1] = where_defined(parts[-1], ties)
        if ties is not None and ties.side == 0.0:
            tied = parts[-1:]

    def by_instance(parts: Sequence[Sides]) -> Sides:
        found = Sides.joined(parts)
        each = (found.lhs, found.rhs, found.out)
        return Sides(*(side.reshape(len(parts), batch, TWINS).movedim(0, 1).reshape(batch, -1) for side in each))

    if ties is not None and ties.resized:
        return Evaluations(by_instance([nothing(batch * TWINS)] * len(parts)), None, resized=True)
    return Evaluations(by_instance(parts), by_instance(tied) if tied else None)


def _in_parts(  # noqa: PLR0917
    claim: Claim, params: Parameters, values: Mapping[str, Tensor], copies: int, seed: int, ties: Ties | None
) -> Sides:
    """Both sides, rounded differently; where the body refuses, each half by itself: one instance spoils no other."""
    mode = moved(seed, twins=True, ties=ties)
    sides = otherwise(claim, params, values, lambda: Draw(copies, ()), copies, mode, seed)
    if sides is not None:
        return sides
    if copies == TWINS or not values:
        return nothing(copies)
    half = copies // TWINS // 2 * TWINS
    pieces = ({name: v[:half] for name, v in values.items()}, {name: v[half:] for name, v in values.items()})
    sizes = (half, copies - half)
    parts = [_in_parts(claim, params, piece, n, seed, ties) for piece, n in zip(pieces, sizes, strict=True)]
    return Sides.joined(parts)


def where_defined(sides: Sides, ties: Ties) -> Sides:
    """Both sides, of which those count as excluded that are not finite, or rest on something that is not."""
    lost = torch.from_numpy(ties.meaningless(len(sides.lhs)))
    return replace(sides, excluded=sides.out | lost | ~torch.isfinite(sides.lhs - sides.rhs))


def nothing(batch: int) -> Sides:
    nothing = torch.full((batch,), torch.nan, dtype=torch.float64)
    return Sides(nothing, nothing)


def otherwise(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    values: Mapping[str, Tensor],
    draw: Callable[[], Any],
    batch: int,
    mode: moved,
    seed: int,
) -> Sides | None:
    """Both sides with every result rounded differently.

    A body that cannot be evaluated so, because a check inside it sits on the edge, has its tensors moved only; None
    where it refuses that too, and where its copy is no program: what that would have shown is not known.
    """
    ties = mode.ties
    for body in (twin_of(claim, seed, sign=mode.sign, directed=mode.directed, ties=ties), claim):
        if ties is not None:
            ties.begin()
        drawn = draw()
        try:
            with torch.no_grad(), mode:
                sides = evaluate(body, params, values, drawn, batch)
                return replace(sides, excluded=sides.out | _at_a_pole(mode, batch) | _redrawn(drawn, batch))
        except ClaimError as error:
            if ties is not None:
                ties.forget()
            if isinstance(error.__cause__, Resized):
                if ties is not None:
                    ties.resized = True
                return nothing(batch)
            if bool(_redrawn(drawn, batch).any()):
                return replace(nothing(batch), excluded=torch.ones(batch, dtype=torch.bool))
            if isinstance(error.__cause__, Slip):  # a slip, and no rounding
                raise
            if body is not claim and isinstance(error.__cause__, TypeError | AttributeError | NameError):
                break
    return None


def _at_a_pole(mode: moved, batch: int) -> Tensor:
    """The instances at which the body made finite what it had divided by zero; of trials all or none, by the inputs.

    There the claim is undefined, though its sides are finite: (1 - x) ** (1 / x) is 1 at x = 0.
    """
    rows = mode.swallowed.get(batch if mode.twins else 1)
    return torch.zeros(batch, dtype=torch.bool) if rows is None else rows.cpu().expand(batch)


def _redrawn(drawn: Any, batch: int) -> Tensor:
    """The trials of which rounding decides how many are drawn, or from what law."""
    return drawn.redrawn if isinstance(drawn, Rows) else torch.zeros(batch, dtype=torch.bool)


def twin_of(claim: Claim, seed: int, *, sign: float = 1.0, directed: bool = False, ties: Ties | None = None) -> Claim:
    """The claim with its plain numbers rounded differently; as it is where its source cannot be had."""
    body = rounded_differently(claim.body, seed, sign=sign, directed=directed, ties=ties)
    return claim if body is None else replace(claim, body=body)


def unseen(
    claim: Claim, params: Parameters, spaces: tuple[Space, ...], values: Mapping[str, Tensor], *, batch: int
) -> Tensor:
    """The least rounding of a body that computes outside torch, in functions that no statement of it shows, `(batch,)`.

    A few last places of what it is made of: its inputs, the sizes of its real sets, and 1 for what it draws or for a
    body without inputs.
    """
    if not _leaves.of(claim.body).get(cell_name(claim, params), False):
        return torch.zeros(batch, dtype=torch.float64)
    sets = [*(space.size for space in spaces if space.smooth), float("draw" in claim.wants or not spaces)]
    largest = torch.full((batch,), max(size for size in sets if math.isfinite(size)), dtype=torch.float64)
    for space in spaces:
        if space.name in values:
            value = values[space.name].detach().abs().cpu()
            largest = torch.maximum(largest, value.reshape(len(value), -1).amax(-1))
    return UNSEEN * LAST_PLACES * largest


def spread_of(samples: Tensor) -> Tensor:
    """Range of the finite samples; the first one is float64's own."""
    finite = torch.isfinite(samples)
    high = torch.where(finite, samples, -torch.inf).amax(-1)
    low = torch.where(finite, samples, torch.inf).amin(-1)
    enough = 4 * finite.sum(-1) >= samples.shape[-1]
    return torch.where(enough & finite[..., 0], high - low, torch.inf)
