"""Identities and inequalities for all inputs: one replayed counterexample refutes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from harness.certify.recompiled import computed_outside
from harness.errors import ClaimError
from harness.judges.base import load
from harness.judges.deterministic import DeterministicJudge
from harness.judges.findings import Searches, Violation
from harness.language.arguments import real
from harness.language.charts import Chart, Series, labels_of, spread
from harness.language.kind import Comparison, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, count, number
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import taken_as_exact, tightness

if TYPE_CHECKING:
    from harness.settings import Settings

FINDERS = {
    "single": "the only instance",
    "corner_cases": "structured instances",
    "float_edge_cases": "edge cases of floating point",
    "random_points": "low-discrepancy and random points",
    "bfgs": "quasi-Newton ascent",
    "differential_evolution": "differential evolution",
    "local_search": "local search over discrete entries",
    "cma_es": "CMA-ES",
}
SMALLEST = 1e-17  # relative error in a picture
FAR = 1000.0  # a ratio of ratios from which on an axis is logarithmic


@dataclass(frozen=True)
class _Deterministic(Comparison[Searches, Violation]):
    """What identities and inequalities share."""

    details: ClassVar[Any] = Searches
    counterexample: ClassVar[Any] = Violation
    relation: ClassVar[str]

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:  # noqa: ARG002
        if "draw" in wants:
            raise ClaimError(
                f"claim {claim!r} is {self.name!r} and takes `draw`; quantify its inputs with `forall`, "
                "or state it as high_probability or expectation."
            )

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> DeterministicJudge:
        return DeterministicJudge(claim, params, settings)

    def replay(self, judge: DeterministicJudge, values: Instance, trials: int, seed: int) -> Replay:  # noqa: ARG002
        data = judge.replay(load([values]) if values else {})
        violated = data.stands
        word = "violated" if violated else "violated only within rounding" if data.excess > 0.0 else "satisfied"
        word = "undefined" if math.isnan(data.lhs) or math.isnan(data.rhs) else word
        return Replay(violated, f"lhs = {data.lhs!r}, rhs = {data.rhs!r}: lhs {self.relation} rhs is {word}.", data)

    def tried(self, verdict: Verdict) -> list[str]:
        finders: list[dict[str, float]] = [cell.details.finders for cell in verdict.cells if cell.details is not None]
        names = [name for name in FINDERS if any(name in found for found in finders)]
        if not names:
            return []
        if names == ["single"]:
            return ["Tried: the only instance of each cell."]
        best = max((score, name) for found in finders for name, score in found.items())
        return [f"Tried: {', '.join(FINDERS[name] for name in names)}; closest came {FINDERS[best[1]]}."]

    def conviction(self, verdict: Verdict) -> str:
        shown = verdict.counterexample
        found: Violation | None = shown.counterexample if shown else None
        proof = f"{found.beside_rounding} {found.proof}" if found else ""
        outside = taken_as_exact(computed_outside(verdict.claim.body))
        if found and not found.values and found.noise is None:
            return f"Both sides were evaluated without rounding from the numbers of the body on.{proof}{outside}"
        return f"The counterexample was recomputed in float64 on the CPU. {proof}{outside}"


@dataclass(frozen=True)
class Identity(_Deterministic):
    """lhs = rhs for all inputs, to relative error `rtol` and absolute error `atol`."""

    name: ClassVar[str] = "identity"
    relation: ClassVar[str] = "="
    measures: ClassVar[Any] = "error"
    two_sided: ClassVar[bool] = True

    def line(self, cell: CellVerdict) -> str:
        return _with_remarks(
            f"largest relative error {number(cell.worst_ratio)} over {count(cell.trials)} instances", cell
        )

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "What could still be wrong: inputs that the search did not find; errors below the relative tolerance."

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Searches, Violation]]) -> Sequence[Chart]:
        """Largest relative error per cell, on a log scale."""
        errors = [(max(cell.worst_ratio or 0.0, SMALLEST), row) for row, cell in enumerate(cells)]
        label = "largest relative error found"
        return [Chart([Series(errors, style="bars")], x=label, rows=labels_of(cells), log="x")]


@dataclass(frozen=True)
class Always(_Deterministic):
    """lhs <= rhs for all inputs; a violation must exceed the relative tolerance `rtol` and the absolute one `atol`."""

    name: ClassVar[str] = "always"
    relation: ClassVar[str] = "<="
    two_sided: ClassVar[bool] = False

    def line(self, cell: CellVerdict) -> str:
        return _with_remarks(
            f"closest approach lhs/rhs = {number(cell.worst_ratio)} over {count(cell.trials)} instances", cell
        )

    def caveat(self, verdict: Verdict) -> str:
        return tightness(verdict)

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Searches, Violation]]) -> Sequence[Chart]:
        """Closest approach of lhs/rhs per cell."""
        cells = [cell for cell in cells if cell.worst_ratio is not None]
        if not cells:
            return []
        ratios = [(cell.worst_ratio or 0.0, float(row)) for row, cell in enumerate(cells)]
        far = spread(ratio for ratio, _ in ratios) > FAR
        label = "largest lhs / rhs found; a bound stays at or below 1"
        series = [
            Series(
                [p for p, cell in zip(ratios, cells, strict=True) if (cell.status is Status.REFUTED) == refuted],
                style="dots" if far else "bars",
                colour=int(refuted),
            )
            for refuted in (False, True)
        ]
        return [Chart(series, x=label, rows=labels_of(cells), verticals=[1.0], log="x" if far else "")]


def _with_remarks(line: str, cell: CellVerdict[Searches, Violation]) -> str:
    return "; ".join([line, *(cell.details.remarks if cell.details else ())])


def identity(rtol: float = 1e-9, atol: float = 0.0) -> Identity:
    """lhs = rhs for all inputs.

    A difference counts if it exceeds both `rtol` max(|lhs|, |rhs|) + `atol` and its measured rounding error.
    """
    return Identity(real("rtol", rtol, "[0, 1)"), real("atol", atol, "[0, inf)"))


def always(rtol: float = 1e-9, atol: float = 0.0) -> Always:
    """lhs <= rhs for all inputs.

    A violation counts if it exceeds both `rtol` max(|lhs|, |rhs|) + `atol` and its measured rounding error.
    """
    return Always(real("rtol", rtol, "[0, 1)"), real("atol", atol, "[0, inf)"))
