"""Rules that a body must obey before its numbers count as evidence; checked on a few instances before judging.

A side that is reduced over the replicates is one number, not thousands of trials; a body that mixes its batch, draws
its own random numbers or writes into its inputs answers something else than the question it was asked.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR
from harness.certify.rounding.trials import trial_noise
from harness.errors import ClaimError
from harness.language.anatomy import anatomy
from harness.language.apart import evaluate_apart
from harness.language.evaluation import Sides, evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.recorded import Recorder
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

INSTANCES, REPLICATES = 9, 5
DIGITS = 2.0**-46  # of the larger side, by which a body may differ from itself: 64 last places


@dataclass(frozen=True)
class Look:
    """How a batch is compared with its parts, each evaluated by itself."""

    parts: tuple[slice, ...]
    same: float  # relative: other batch sizes sum in another order


BRIEF = Look((slice(0, 1), slice(1, None)), 1e-6)


def check_instances(
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    values: Mapping[str, Tensor] | None = None,
    look: Look = BRIEF,
) -> None:
    """Refuse an `identity` or `always` body that does not treat the instances of a batch independently.

    Without `values` the batch consists of a few random instances.
    """
    if not spaces:
        return
    rng = stream("contract", claim.key, params)
    values = values or {space.name: space.sample(rng, INSTANCES) for space in spaces}
    instances = len(next(iter(values.values())))

    def sides(part: slice) -> Sides:
        some = {name: value[part].clone() for name, value in values.items()}
        batch = len(next(iter(some.values())))
        return _kept(claim, some, lambda: evaluate_apart(claim, params, some, batch))

    def noise(gap: Tensor) -> Tensor:
        return trial_noise(claim, params, spaces, values, lambda: Draw(instances, ()), gap, pairs=1)

    with torch.no_grad():
        _compare(claim, sides, noise, "instances of its batch", look)


def check_trials(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    device: str,
    values: Mapping[str, Tensor] | None = None,
    look: Look = BRIEF,
) -> None:
    """Refuse a body with `draw` that does not treat the replicates independently; at `values`, or a random instance."""
    rng = stream("contract", claim.key, params)
    values = values or {space.name: space.sample(rng, 1).to(device) for space in spaces}
    key = ("contract", claim.key, params)
    recorder = Recorder(Draw(REPLICATES, key, device))

    def sides(part: slice) -> Sides:
        draw: Any = recorder.rows(torch.arange(REPLICATES)[part], exact=True) if recorder.complete else recorder
        some = {name: value.clone() for name, value in values.items()}
        found = _kept(claim, some, lambda: evaluate(claim, params, some, draw, draw.reps))
        recorder.complete = True
        return found

    def noise(gap: Tensor) -> Tensor:
        return trial_noise(claim, params, spaces, values, recorder.again, gap, pairs=1)

    with torch.no_grad():
        _compare(claim, sides, noise, "replicates", look)


_first: dict[tuple[str, int, str, str], tuple[Callable[[], Sides], Sides]] = {}  # of this process: question and answer


@contextmanager
def steady(claim: Claim, params: Parameters, device: str, *, begun: bool) -> Iterator[None]:
    """Ask a few instances before and after, in one process, and refuse a body whose answer has changed meanwhile.

    A counter or a clock may agree with itself for longer than the checks before judging last. A cell that has not
    `begun` is asked afterwards only, so that what is wrong with it is said by whoever judges it. Reproductions are
    called once: nothing is learnt from calling them again.
    """
    if claim.kind.returns in ("rows", "nothing"):
        yield
        return
    key = (claim.key, id(claim.body), json.dumps(params, sort_keys=True), device)
    if not begun:
        _first.pop(key, None)  # of an earlier run in this process
    elif key not in _first:
        ask = _question(claim, params, device)
        _first[key] = ask, ask()
    yield
    if key in _first:
        ask, first = _first[key]
        check_equal(claim, first, ask())


def smallest(claim: Claim, params: Parameters) -> Parameters:
    """The cheapest cell of those that are judged together."""
    of_group = (c for c in claim.cells if all(c[other] == value for other, value in params.items()))
    return min(of_group, key=lambda cell: [cell[name] for name in cell.keys() - params.keys()])


def _question(claim: Claim, params: Parameters, device: str) -> Callable[[], Sides]:
    """A call of the body on the same few instances or replicates each time."""
    name = ("steady", claim.key, params)
    cell = smallest(claim, params) if claim.groups() != claim.cells else params
    spaces, draws = anatomy(claim, cell).spaces if "forall" in claim.wants else (), "draw" in claim.wants
    values = {s.name: s.sample(stream(*name), 1 if draws else INSTANCES).to(device) for s in spaces}
    batch = REPLICATES if draws else INSTANCES if spaces else 1

    def ask() -> Sides:
        some = {name: value.clone() for name, value in values.items()}
        with torch.no_grad():
            draw = Draw(batch, name, device)
            found = evaluate(claim, cell, some, draw, batch) if draws else evaluate_apart(claim, cell, some, batch)
        return Sides(found.lhs.detach().cpu(), found.rhs.detach().cpu())

    return ask


def check_equal(claim: Claim, whole: Sides, again: Sides) -> None:
    """Refuse two answers to one question, unless they differ by their last digits.

    LAPACK sums in another order where arrays begin at other places in memory, and what is badly conditioned shows it.
    """
    sizes = [torch.nan_to_num(side.abs()) for side in (whole.lhs, whole.rhs, again.lhs, again.rhs)]
    allowed = DIGITS * torch.stack(sizes).amax(0)
    for which in ("lhs", "rhs"):
        one, other = getattr(whole, which), getattr(again, which)
        same = (one == other) | (one.isnan() & other.isnan()) | ((one - other).abs() <= allowed)
        if not bool(same.all()):
            raise ClaimError(
                f"claim {claim.key!r} returns different values for equal inputs; take random numbers from `draw` "
                "and keep no state between calls."
            )


def _kept(claim: Claim, values: Mapping[str, Tensor], run: Callable[[], Sides]) -> Sides:
    """Run, and refuse a body that has written into its inputs, `.data` and numpy views included."""
    before = {name: value.clone() for name, value in values.items()}
    found = run()
    for name, value in values.items():
        if not torch.equal(value, before[name]):
            raise ClaimError(f"claim {claim.key!r} changes its variable {name!r} in place; work on {name}.clone().")
    return Sides(found.lhs.detach(), found.rhs.detach())


def _compare(
    claim: Claim, sides: Callable[[slice], Sides], noise: Callable[[Tensor], Tensor], what: str, look: Look
) -> None:
    everything = slice(None)
    whole, again = sides(everything), sides(everything)
    check_equal(claim, whole, again)
    apart = Sides.joined([sides(part) for part in look.parts])
    which = side_that_differs(whole, apart, look.same, noise)
    if which:
        raise ClaimError(
            f"claim {claim.key!r}: its {which} side mixes the {what}: it changes when they are evaluated apart; "
            "reduce only over the other axes (dim=-1), because the first one is the batch."
        )


def side_that_differs(one: Sides, other: Sides, same: float, noise: Callable[[Tensor], Tensor]) -> str:
    """ "left" or "right": a finite side that differs by more than the share `same` and than rounding; "" if none does.

    `noise` measures the rounding of a given lhs - rhs.
    """
    for which, a, b in (("left", one.lhs, other.lhs), ("right", one.rhs, other.rhs)):
        off = (a - b).abs() > same * torch.maximum(a.abs(), b.abs())
        off &= torch.isfinite(a) & torch.isfinite(b)
        if bool(off.any()) and bool((off & ((a - b).abs() > CLEAR * noise(one.lhs - one.rhs))).any()):
            return which
    return ""
