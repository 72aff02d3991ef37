"""Which slips would matter to a claim: what of ours its body executes, and what a slip there does to its sides."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from types import FrameType
from typing import Any
from zlib import crc32

import torch
from torch import Tensor

from harness.errors import TightropeError
from harness.kinds import Identity, Rate, Reproduction
from harness.language.evaluation import Sides, anatomy, call, evaluate
from harness.language.panels import Panel
from harness.language.quantifiers import Draw, Forall, from_values, stream
from harness.language.registry import Claim, Parameters
from harness.run.runner import ClaimReference, Outcome
from harness.run.slips import Slip, installed, slips_in

OURS = ("bounds.", "harness.claims.", "algos.")
HOMES = {"term": OURS[:2], "sign": OURS[2:], "factor": OURS[2:], "index": OURS[2:]}
INSTANCES, TRIALS = 16, 17
TRIES, TRIES_OF_TABLES = 24, 3  # slips of a sort that are tried, until one matters
MATTERS = 1e-6  # relative change of a side


def surveyed(claim: Claim | ClaimReference, sorts: tuple[str, ...]) -> Outcome:
    """For each sort a slip that would matter to a claim, if one is found; for a process that does nothing else.

    A slip matters when the sides stay defined and, on some of a few random instances of a cell, the claim
    becomes harder: another left or right side of an identity, a larger difference of the sides of an inequality. Of a
    dropped term the left side has to stay as it was.
    """
    found = claim.resolve() if isinstance(claim, ClaimReference) else claim
    if isinstance(found.kind, Rate):  # a constant is no part of a rate
        return Outcome(dict.fromkeys(sorts))
    torch.set_num_threads(1)
    try:
        with _traced() as executed:
            before = _sides(found)
    except TightropeError as error:
        return Outcome(skip=str(error))
    return Outcome({sort: _first(found, sort, executed, before) for sort in sorts})


def surveyed_first(claim: Claim) -> tuple[Parameters, ...]:
    """The cells of a claim, the one in the middle first: the first of a grid is often degenerate."""
    groups, half = claim.groups(), len(claim.groups()) // 2
    return groups[half:] + groups[:half]


def _first(claim: Claim, sort: str, executed: set[tuple[str, str]], before: Sides) -> dict[str, Any] | None:
    """The first slip that matters, in an order of chance that is the same everywhere."""
    if sort == "term" and isinstance(claim.kind, Reproduction):  # its right side is a printed number
        return None
    ours = sorted(place for place in executed if place[0].startswith(HOMES[sort]))
    slips = [slip for place in ours for slip in slips_in(*place, sort)]
    slips.sort(key=lambda slip: crc32(f"{claim.key} {slip}".encode()))
    tries = TRIES_OF_TABLES if isinstance(claim.kind, Reproduction) else TRIES
    return next((asdict(slip) for slip in slips[:tries] if _matters(claim, slip, before)), None)


def _matters(claim: Claim, slip: Slip, before: Sides) -> bool:
    _forget()
    try:
        with installed(slip):
            after = _sides(claim)
    except TightropeError:  # a body that raises is noticed by anybody
        return False
    finally:
        _forget()
    left, right = _change(before.lhs, after.lhs), _change(before.rhs, after.rhs)
    kept = slip.sort != "term" or bool((left == 0.0).all())
    return kept and bool(torch.isfinite(left + right).any()) and bool(_harder(claim, left, right).any())


def _change(before: Tensor, after: Tensor) -> Tensor:
    """By how much a side has moved, as a share of its size; 0 where neither is a number."""
    if before.shape != after.shape:
        return torch.full((1,), torch.nan, dtype=torch.float64)
    same = (before == after) | (before.isnan() & after.isnan())
    return torch.where(same, 0.0, (after - before) / torch.maximum(before.abs(), after.abs()))


def _harder(claim: Claim, left: Tensor, right: Tensor) -> Tensor:
    """Where the claim has become harder."""
    kind = claim.kind
    if isinstance(kind, Identity) or (isinstance(kind, Reproduction) and kind.sided == "two"):
        return (left.abs() > MATTERS) | (right.abs() > MATTERS)
    if isinstance(kind, Reproduction) and kind.sided == "at least":
        left, right = -left, -right
    return ((left > MATTERS) & (right <= 0.0)) | ((right < -MATTERS) & (left >= 0.0))


def _sides(claim: Claim) -> Sides:
    """Both sides on a few instances or trials of a cell; of a table, our numbers and the printed ones."""
    params, name = surveyed_first(claim)[0], ("survey", claim.key)
    with torch.no_grad():
        if isinstance(claim.kind, Reproduction):
            rows = call(claim, params, forall=Forall(from_values({})), draw=Draw(2, name))
            judged = [row for row in rows if not isinstance(row, Panel) and row.printed is not None]
            ours = torch.tensor([float(row.ours) for row in judged], dtype=torch.float64)
            return Sides(ours, torch.tensor([float(row.printed) for row in judged], dtype=torch.float64))
        spaces, draws = anatomy(claim, params).spaces, "draw" in claim.wants
        rng = stream(*name)
        values = {space.name: space.sample(rng, 1 if draws else INSTANCES) for space in spaces}
        batch = TRIALS if draws else INSTANCES if spaces else 1
        return evaluate(claim, params, values, Draw(batch, name), batch)


@contextmanager
def _traced() -> Iterator[set[tuple[str, str]]]:
    """The functions of ours, as (module, qualified name), that are called inside the block."""
    found: set[tuple[str, str]] = set()

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            home = frame.f_globals.get("__name__", "")
            if home.startswith(OURS):
                found.add((home, frame.f_code.co_qualname))

    sys.setprofile(called)
    try:
        yield found
    finally:
        sys.setprofile(None)


def _forget() -> None:
    """Empty the caches of our modules: what they keep was computed with another slip, or without."""
    for name, module in list(sys.modules.items()):
        if f"{name}.".startswith(OURS):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
