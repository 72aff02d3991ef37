"""The conclusion of a run about a claim."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic

import msgspec
from scipy import special
from typing_extensions import TypeVar

from harness.language.registry import Claim, Parameters
from harness.language.rows import StoredRow
from harness.numbers import Instance, number


class Status(StrEnum):
    """The verdict."""

    PROVED = "PROVED"
    HOLDS = "HOLDS"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    VACUOUS = "VACUOUS"
    SKIPPED = "SKIPPED"
    ERROR = "ERROR"

    @property
    def favourable(self) -> bool:
        """Whether nothing speaks against the claim: PROVED or HOLDS."""
        return self in (Status.PROVED, Status.HOLDS)


class Details(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The numbers that a verdict rests on; each kind of statement has its own. What is not finite is None in JSON."""

    @property
    def table(self) -> Sequence[StoredRow]:
        """Rows that a report lists."""
        return ()

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences that a report shows beside a cell."""
        return ()


class Counterexample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What refutes a cell, at `values` where inputs are quantified; each kind of statement has its own.

    `made` is what the body makes of them where a set is a map of another one: `forall.real`, `permutation`, ...
    """

    values: Instance = msgspec.field(default_factory=dict)
    made: Instance = msgspec.field(default_factory=dict)
    unshown: ClassVar[frozenset[str]] = frozenset()  # fields that `proof` has a sentence for

    @property
    def proof(self) -> str:
        """How sure its numbers are, in a sentence; empty where nothing more can be said."""
        return ""

    def readable(self) -> dict[str, object]:
        """Its numbers by name, for people."""
        return {name: value for name, value in msgspec.to_builtins(self).items() if name not in self.unshown}


D = TypeVar("D", bound=Details, default=Any)
C = TypeVar("C", bound=Counterexample, default=Any)


class CellVerdict(msgspec.Struct, Generic[D, C], frozen=True, forbid_unknown_fields=True):
    """The verdict in one cell of the grid, with the numbers it rests on."""

    params: Parameters
    status: Status
    trials: int = 0
    violations: int = 0
    worst_ratio: float | None = None
    looseness: float | None = None  # rhs could be divided by this; at level 1 - delta for random claims
    looseness_interval: tuple[float | None, float | None] | None = None
    detectable_factor: float | None = None  # "lhs <= c rhs" with c below this would have been refuted
    counterexample: C | None = None
    replay: str | None = None
    reason: str = ""
    log_e: float | None = None  # evidence against the claim; averaged over cells as e-values
    vacuous: bool = False
    details: D | None = None  # None where nothing was judged


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim: its cells combined."""

    claim: Claim
    status: Status
    cells: tuple[CellVerdict, ...]
    seconds: float = 0.0
    reason: str = ""
    effort: str = ""  # on which it rests, where a run judged it

    @property
    def looseness(self) -> float | None:
        """The smallest looseness of a cell: where the bound is tightest."""
        return min((c.looseness for c in self.cells if c.looseness is not None), default=None)

    @property
    def detectable_factor(self) -> float | None:
        """The largest detectable factor of a cell."""
        return max((c.detectable_factor for c in self.cells if c.detectable_factor is not None), default=None)

    @property
    def trials(self) -> int:
        return sum(cell.trials for cell in self.cells)

    @property
    def violations(self) -> int:
        return sum(cell.violations for cell in self.cells)

    @property
    def counterexample(self) -> CellVerdict | None:
        """The refuted cell that carries a counterexample, the first along the grid."""
        return next((c for c in self.cells if c.status is Status.REFUTED and c.replay is not None), None)

    @property
    def as_expected(self) -> bool | None:
        """Whether the verdict agrees with the expectation; None when the run leaves it open.

        A claim without an expectation is expected to hold; PROVED and VACUOUS agree with that. A known refutation that
        a run no longer finds is a disagreement.
        """
        if self.status in (Status.SKIPPED, Status.ERROR):
            return None
        expected = self.claim.expected or "holds"
        if expected == self.status.lower():
            return True
        if expected == "holds" and self.status in (Status.PROVED, Status.VACUOUS):
            return True
        if self.status is Status.UNDECIDED and expected == "holds":
            return None
        return False

    def __repr__(self) -> str:
        loose = "" if self.looseness is None else f", looseness {number(self.looseness)}"
        cells = f"{len(self.cells)} {'cell' if len(self.cells) == 1 else 'cells'}"
        return f"<Verdict {self.claim.key}: {self.status}{loose}, {cells}>"

    def __str__(self) -> str:
        return _SHOWN["text"](self)

    def _repr_html_(self) -> str | None:
        return _SHOWN["html"](self) if "html" in _SHOWN else None


_SHOWN: dict[str, Callable[[Verdict], str]] = {"text": repr}


def show_by(*, text: Callable[[Verdict], str], html: Callable[[Verdict], str]) -> None:
    """Say how verdicts print themselves; the report does, which stands above them."""
    _SHOWN.update(text=text, html=html)


def combine(claim: Claim, cells: list[CellVerdict], threshold: float, seconds: float) -> Verdict:
    """One verdict from the cells: any error, then refutation, then the weakest of the rest, PROVED being the strongest.

    A random claim is refuted when the e-values of its cells average at least exp(`threshold`) = m/alpha.
    """
    statuses = {cell.status for cell in cells}
    reasons = {cell.status: cell.reason for cell in reversed(cells) if cell.reason}  # of each status the first one
    for status in (Status.ERROR, Status.REFUTED):
        if status in statuses:
            return Verdict(claim, status, tuple(cells), seconds, reasons.get(status, ""))
    evidence = [cell.log_e for cell in cells if cell.log_e is not None]
    if evidence and special.logsumexp(evidence) - math.log(len(cells)) >= threshold:
        joint = "no single cell refutes the claim, but the average of the cells' e-values exceeds m/alpha"
        return Verdict(claim, Status.REFUTED, tuple(cells), seconds, joint)
    if statuses == {Status.SKIPPED}:
        return Verdict(claim, Status.SKIPPED, tuple(cells), seconds, reasons.get(Status.SKIPPED, ""))
    if Status.UNDECIDED in statuses:
        return Verdict(claim, Status.UNDECIDED, tuple(cells), seconds, reasons.get(Status.UNDECIDED, ""))
    judged = [cell for cell in cells if cell.status is not Status.SKIPPED]
    if all(cell.vacuous for cell in judged):
        return Verdict(claim, Status.VACUOUS, tuple(cells), seconds, "the right side is beyond its trivial value")
    weakest = Status.PROVED if statuses == {Status.PROVED} else Status.HOLDS
    return Verdict(claim, weakest, tuple(cells), seconds)


def measures_error(claim: Claim) -> bool:
    """Identities report the largest relative error instead of a ratio; reproductions report neither."""
    return claim.kind.measures != "ratio"
