"""Identities and inequalities for all inputs: one replayed counterexample refutes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from harness.errors import ClaimError
from harness.judges.base import load
from harness.judges.deterministic import DeterministicJudge
from harness.judges.findings import Searches, Violation
from harness.language.drawing import labels_of, logarithmic
from harness.language.kind import Comparison, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, count, number
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import tightness

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from harness.settings import Settings

FINDERS = {
    "single": "the only instance",
    "corner_cases": "structured instances",
    "float_edge_cases": "edge cases of floating point",
    "random_points": "low-discrepancy and random points",
    "gradient_ascent": "projected gradient ascent",
    "bfgs": "quasi-Newton ascent",
    "differential_evolution": "differential evolution",
    "local_search": "local search over discrete entries",
    "cma_es": "CMA-ES",
}
COLOURS = {Status.REFUTED: "#c92a2a", Status.PROVED: "#0b5d1e"}


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
        return f"The counterexample was recomputed in float64 on the CPU. {proof}"


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
    def draw(cls, axes: "Axes", cells: Sequence[CellVerdict[Searches, Violation]]) -> bool:
        """Largest relative error per cell, on a log scale."""
        errors = [max(cell.worst_ratio or 0.0, 1e-17) for cell in cells]
        axes.barh(labels_of(cells), errors, color="#1f6feb", height=0.6)
        logarithmic(axes, "x")
        axes.set_xlabel("largest relative error found")
        axes.invert_yaxis()
        return True


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
    def draw(cls, axes: "Axes", cells: Sequence[CellVerdict[Searches, Violation]]) -> bool:
        """Closest approach of lhs/rhs per cell."""
        cells = [cell for cell in cells if cell.worst_ratio is not None]
        if not cells:
            return False
        colours = [COLOURS.get(cell.status, "#2b8a3e") for cell in cells]
        axes.barh(labels_of(cells), [cell.worst_ratio or 0.0 for cell in cells], color=colours, height=0.6)
        axes.axvline(1.0, color="black", linewidth=0.8)
        axes.invert_yaxis()
        axes.set(xlabel="largest lhs / rhs found (a bound holds while it stays at or below 1)")
        return True


def _with_remarks(line: str, cell: CellVerdict[Searches, Violation]) -> str:
    return "; ".join([line, *(cell.details.remarks if cell.details else ())])


def identity(rtol: float = 1e-9, atol: float = 0.0) -> Identity:
    """lhs = rhs for all inputs.

    A difference counts if it exceeds both `rtol` max(|lhs|, |rhs|) + `atol` and its measured rounding error.
    """
    return Identity(_tolerance("rtol", rtol), _tolerance("atol", atol))


def always(rtol: float = 1e-9, atol: float = 0.0) -> Always:
    """lhs <= rhs for all inputs.

    A violation counts if it exceeds both `rtol` max(|lhs|, |rhs|) + `atol` and its measured rounding error.
    """
    return Always(_tolerance("rtol", rtol), _tolerance("atol", atol))


def _tolerance(name: str, value: float) -> float:
    if not 0.0 <= value < math.inf:
        raise ClaimError(f"{name}={value} must be a finite non-negative number.")
    return value
