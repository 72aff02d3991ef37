"""Which slips would matter to a claim: what of ours its body executes, and what a slip there does to its sides."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FrameType
from zlib import crc32

import torch
from torch import Tensor

from harness.errors import TightropeError
from harness.kinds import Identity, Rate, Reproduction
from harness.language.anatomy import anatomy
from harness.language.evaluation import Sides, Values, call, evaluate
from harness.language.panels import Panel
from harness.language.quantifiers import Draw, Forall, from_values, stream
from harness.language.registry import Claim, Parameters
from harness.run.overdue import Overdue, limited
from harness.run.slips import Slip, slips_in
from harness.run.witness import is_users

OURS = ("bounds.", "harness.claims.", "algos.")
HOMES = {"term": OURS[:2], "sign": OURS[2:], "factor": OURS[2:], "index": OURS[2:]}
INSTANCES, TRIALS = 16, 17
TRIES, TRIES_OF_TABLES = 24, 3  # slips of a sort that are tried, until one matters
SLOWER, SLACK = 3.0, 1.0  # a slip with which the sides take so many times as long, and these seconds, is left alone
MATTERS = 1e-6  # relative change of a side
OLD = 100_000
CACHED = type(cache(len))


@dataclass(frozen=True)
class Survey:
    """What a claim executes in one cell, and its sides there, on a few instances or trials."""

    claim: Claim
    cell: Parameters
    values: Values
    replicates: int
    executed: frozenset[tuple[str, str]]  # modules and qualified names of functions of ours, and of the user's
    sides: Sides
    seconds: float  # of computing both sides

    def first(self, sort: str, made: Callable[[Slip], Claim]) -> "Hit | None":
        """The first slip of a sort that matters, in an order of chance that is the same everywhere.

        `made` is the claim with a slip. A slip matters when the sides stay defined and, on some instance, the claim
        becomes harder: another left or right side of an identity, a larger difference of the sides of an inequality.
        Of a dropped term the left side has to stay as it was.
        """
        table = isinstance(self.claim.kind, Reproduction)
        if table and sort == "term":  # its right side is a printed number
            return None
        ours = sorted(place for place in self.executed if self._has_place(sort, place[0]))
        slips = [slip for place in ours for slip in slips_in(*place, sort)]
        slips.sort(key=lambda slip: crc32(f"{self.claim.key} {slip}".encode()))
        tries = TRIES_OF_TABLES if table else TRIES
        return next(filter(None, (self._hit(slip, made(slip)) for slip in slips[:tries])), None)

    def _has_place(self, sort: str, module: str) -> bool:
        """Whether a slip of a sort is one in this module: of an algorithm, not in what states the claim."""
        if module.startswith(OURS):
            return module.startswith(HOMES[sort])
        return sort == "term" or module != self.claim.body.__module__

    def _hit(self, slip: Slip, changed: Claim) -> "Hit | None":
        """The slip, where it matters."""
        forget()
        try:
            with limited(SLOWER * self.seconds + SLACK):
                after = _sides(changed, self.cell, self.values, _draw(self.claim, self.replicates))
        except (TightropeError, Overdue):  # a body that raises or does not end is noticed by anybody
            return None
        finally:
            forget()
        left, right = _change(self.sides.lhs, after.lhs), _change(self.sides.rhs, after.rhs)
        kept = slip.sort != "term" or bool((left == 0.0).all())
        if kept and bool(torch.isfinite(left + right).any()) and bool(_harder(self.claim, left, right).any()):
            return Hit(slip, _small(self.sides, after))
        return None


@dataclass(frozen=True)
class Hit:
    """A slip that matters; `small` if it brings the left side at most twice as close to the right one, where looked."""

    slip: Slip
    small: bool


def survey(claim: Claim, replicates: int) -> Survey | None:
    """Look at a claim in its middle cell, or at a table, which takes long, in its first, with so many replicates.

    None of a rate: a constant is no part of it. Raises what the body raises.
    """
    if isinstance(claim.kind, Rate):
        return None
    with _traced() as executed:
        if isinstance(claim.kind, Reproduction):
            cell, values, reps = claim.groups()[0], {}, replicates
        else:
            cell = middle_first(claim)[0]
            spaces, draws, rng = anatomy(claim, cell).spaces, "draw" in claim.wants, stream("survey", claim.key)
            values = {space.name: space.sample(rng, 1 if draws else INSTANCES) for space in spaces}
            reps = TRIALS if draws else INSTANCES if spaces else 1
        forget()
        start = time.process_time()
        sides = _sides(claim, cell, values, _draw(claim, reps))
    return Survey(claim, cell, values, reps, frozenset(executed), sides, time.process_time() - start)


def middle_first(claim: Claim) -> tuple[Parameters, ...]:
    """The cells of a claim, the one in the middle first: the first of a grid is often degenerate."""
    groups, half = claim.groups(), len(claim.groups()) // 2
    return groups[half:] + groups[:half]


def _draw(claim: Claim, replicates: int) -> Draw:
    return Draw(replicates, ("survey", claim.key))


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


def _small(before: Sides, after: Sides) -> bool:
    """Whether lhs/rhs has at most doubled wherever both sides are numbers; of positive sides alone."""
    sides = torch.stack([before.lhs, before.rhs, after.lhs, after.rhs])
    lhs, rhs, later, smaller = sides[:, torch.isfinite(sides).all(0)]
    positive = bool((lhs >= 0.0).all()) and bool((rhs > 0.0).all()) and bool((smaller > 0.0).all())
    return positive and bool((later * rhs <= 2.0 * lhs * smaller).all())


def _sides(claim: Claim, cell: Parameters, values: Values, draw: Draw) -> Sides:
    """Both sides; of a table, our numbers and the printed ones."""
    with torch.no_grad():
        if not isinstance(claim.kind, Reproduction):
            return evaluate(claim, cell, values, draw, draw.reps)
        rows = call(claim, cell, forall=Forall(from_values({})), draw=draw)
        judged = [row for row in rows if not isinstance(row, Panel) and row.printed is not None]
        ours = torch.tensor([float(row.ours) for row in judged], dtype=torch.float64)
        return Sides(ours, torch.tensor([float(row.printed) for row in judged], dtype=torch.float64))


@contextmanager
def _traced() -> Iterator[set[tuple[str, str]]]:
    """The functions of ours and of the user's, as (module, qualified name), that are called inside the block.

    It looks no further where `OLD` calls one after the other have been of known functions.
    """
    found: set[tuple[str, str]] = set()
    seen: set[CodeType] = set()
    old = 0

    def called(frame: FrameType, _event: str, _argument: object) -> None:
        nonlocal old
        old += 1
        if frame.f_code not in seen:
            seen.add(frame.f_code)
            old = 0
            home = frame.f_globals.get("__name__", "")
            if home.startswith(OURS) or (home in sys.modules and is_users(frame.f_code.co_filename)):
                found.add((home, frame.f_code.co_qualname))
        elif old > OLD:
            sys.settrace(None)

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield found
    finally:
        sys.settrace(before)


def forget() -> None:
    """Empty the caches of our modules and the user's: what they keep was computed with another slip, or without."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name.startswith(OURS) or (file and is_users(file)):
            for value in vars(module).values():
                if isinstance(value, CACHED):
                    value.cache_clear()
