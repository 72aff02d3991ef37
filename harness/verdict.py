"""The conclusion of a run about a claim, as plain data."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from scipy import special

from harness.language.registry import Claim, Parameters

SCHEMA = 2  # of the JSON of a run


class Status(StrEnum):
    """The verdict."""

    PROVED = "PROVED"
    HOLDS = "HOLDS"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    VACUOUS = "VACUOUS"
    SKIPPED = "SKIPPED"
    ERROR = "ERROR"


@dataclass(frozen=True)
class CellVerdict:
    """The verdict in one cell of the grid, with the numbers it rests on."""

    params: Parameters
    status: Status
    trials: int = 0
    violations: int = 0
    worst_ratio: float | None = None
    looseness: float | None = None  # rhs could be divided by this; at level 1 - delta for random claims
    looseness_interval: tuple[float, float] | None = None
    detectable_factor: float | None = None  # "lhs <= c rhs" with c below this would have been refuted
    counterexample: dict[str, Any] | None = None
    replay: str | None = None
    reason: str = ""
    log_e: float | None = None  # evidence against the claim; averaged over cells as e-values
    vacuous: bool = False
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim: its cells combined."""

    claim: Claim
    status: Status
    cells: tuple[CellVerdict, ...]
    seconds: float = 0.0
    reason: str = ""

    @property
    def looseness(self) -> float | None:
        """The smallest looseness of a cell: where the bound is tightest."""
        return min((c.looseness for c in self.cells if c.looseness is not None), default=None)

    @property
    def detectable_factor(self) -> float | None:
        """The largest detectable factor of a cell."""
        return max((c.detectable_factor for c in self.cells if c.detectable_factor is not None), default=None)

    @property
    def proved_constant(self) -> float | None:
        """The largest constant c of a cell for which lhs <= c rhs is proved; None where a cell has no proof."""
        constants = [constant_of(cell) for cell in self.cells]
        found = [c for c in constants if c is not None]
        return max(found) if found and len(found) == len(constants) else None

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

    def __str__(self) -> str:
        return _SHOWN["text"](self)

    def _repr_html_(self) -> str | None:
        return _SHOWN["html"](self) if "html" in _SHOWN else None


_SHOWN: dict[str, Callable[[Verdict], str]] = {"text": repr}


def show_by(*, text: Callable[[Verdict], str], html: Callable[[Verdict], str]) -> None:
    """Say how verdicts print themselves; the report does, which stands above them."""
    _SHOWN.update(text=text, html=html)


def constant_of(cell: CellVerdict) -> float | None:
    """The constant c with which lhs <= c rhs is proved in a cell; above 1 the cell HOLDS, and no more."""
    found = cell.details.get("proof", {}).get("c") if cell.status in (Status.PROVED, Status.HOLDS) else None
    return None if found is None else float(found)


def combine(claim: Claim, cells: list[CellVerdict], threshold: float, seconds: float) -> Verdict:
    """One verdict from the cells: any error, then refutation, then the weakest of the rest, PROVED being the strongest.

    A random claim is refuted when the e-values of its cells average at least exp(`threshold`) = m/alpha.
    """
    statuses = {cell.status for cell in cells}
    fine = (Status.HOLDS, Status.PROVED)
    reason = next((cell.reason for cell in cells if cell.reason and cell.status not in fine), "")
    for status in (Status.ERROR, Status.REFUTED):
        if status in statuses:
            return Verdict(claim, status, tuple(cells), seconds, reason)
    evidence = [cell.log_e for cell in cells if cell.log_e is not None]
    if evidence and special.logsumexp(evidence) - math.log(len(cells)) >= threshold:
        joint = "no single cell refutes the claim, but the average of the cells' e-values exceeds m/alpha"
        return Verdict(claim, Status.REFUTED, tuple(cells), seconds, joint)
    if statuses == {Status.SKIPPED}:
        return Verdict(claim, Status.SKIPPED, tuple(cells), seconds, reason)
    if Status.UNDECIDED in statuses:
        return Verdict(claim, Status.UNDECIDED, tuple(cells), seconds, reason)
    judged = [cell for cell in cells if cell.status is not Status.SKIPPED]
    if all(cell.vacuous for cell in judged):
        return Verdict(claim, Status.VACUOUS, tuple(cells), seconds, "the right side is beyond its trivial value")
    weakest = Status.PROVED if statuses == {Status.PROVED} else Status.HOLDS
    return Verdict(claim, weakest, tuple(cells), seconds)


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON, in the stable format of `--json`."""
    claim = verdict.claim
    return {
        "id": claim.id,
        "reading": claim.reading,
        "kind": claim.kind.name,
        "status": str(verdict.status),
        "expected": claim.expected,
        "as_expected": verdict.as_expected,
        "cite": claim.cite,
        "statement": claim.statement,
        "remarks": claim.remarks,
        "title": claim.title,
        "quote": claim.quote,
        "restricts": claim.restricts,
        "unnoticed": claim.unnoticed,
        "defect": None if claim.defect is None else asdict(claim.defect),
        "looseness": finite(verdict.looseness),
        "detectable_factor": finite(verdict.detectable_factor),
        "seconds": round(verdict.seconds, 3),
        "reason": verdict.reason,
        "cells": [_cell_json(cell) for cell in verdict.cells],
    }


def _cell_json(cell: CellVerdict) -> dict[str, Any]:
    interval = cell.looseness_interval
    return {
        "params": cell.params,
        "status": str(cell.status),
        "trials": cell.trials,
        "violations": cell.violations,
        "worst_ratio": finite(cell.worst_ratio),
        "looseness": finite(cell.looseness),
        "looseness_interval": None if interval is None else [finite(interval[0]), finite(interval[1])],
        "detectable_factor": finite(cell.detectable_factor),
        "counterexample": cell.counterexample,
        "replay": cell.replay,
        "reason": cell.reason,
        "vacuous": cell.vacuous,
        "details": plain(cell.details),
    }


def finite(number: float | None) -> float | None:
    """JSON has no infinity: None stands for "none" and for "unbounded"."""
    return None if number is None or not math.isfinite(number) else float(f"{number:.12g}")


def plain(value: Any) -> Any:
    """Numbers, lists and dicts only, floats to 12 digits."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(v) for v in value]
    if isinstance(value, float | np.floating):
        return finite(float(value))
    return value


def measures_error(claim: Claim) -> bool:
    """Identities report the largest relative error instead of a ratio; reproductions report neither."""
    return claim.kind.measures != "ratio"
