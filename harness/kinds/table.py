"""Tables and figures: our number beside the paper's, with our standard error."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import torch

from harness.errors import ClaimError
from harness.judges.base import Data, Judge, Row, Task
from harness.language.evaluation import call
from harness.language.kind import Kind, Replay
from harness.language.panels import Panel
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim, Parameters
from harness.numbers import number
from harness.verdict import CellVerdict, Status, Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from harness.settings import Settings

Sided: TypeAlias = Literal["two", "at most", "at least"]
Entry = tuple[str, float, float, float | None]


@dataclass(frozen=True)
class Reproduction(Kind):
    """Rows (label, ours, standard error, printed), each judged within `tolerance` or in one direction."""

    name: ClassVar[str] = "reproduction"
    returns: ClassVar[Any] = "rows"
    measures: ClassVar[Any] = "nothing"
    tolerance: float = 0.0
    sided: Sided = "two"

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "ReproductionJudge":
        return ReproductionJudge(claim, params, settings)

    def replay(self, judge: "ReproductionJudge", values: Mapping[str, Any], trials: int, seed: int) -> Replay:  # noqa: ARG002
        rows = [Row(task, judge.execute(task), 0.0) for task in judge.plan([])]
        verdict = judge.verdict(rows)
        return Replay(verdict.status is Status.REFUTED, json.dumps(verdict.details.get("rows", [])), {})

    def line(self, cell: CellVerdict) -> str:
        against = "paper" if self.sided == "two" else self.sided
        within = f"; judged within {number(self.tolerance)}" if self.tolerance else ""
        return "; ".join(_row(row, against) for row in cell.details.get("rows", [])) + within

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "What could still be wrong: the numbers may agree for a reason other than the paper's."

    def conviction(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "The rows named above differ from the paper's by more than the tolerance and their standard error allow."

    @classmethod
    def draw(cls, axes: "Axes", cells: list[Mapping[str, Any]]) -> bool:
        from harness.language.rows import draw_rows  # noqa: PLC0415  (imports matplotlib)

        return draw_rows(axes, cells)


def reproduction(*, tolerance: float = 0.0, sided: Sided = "two") -> Reproduction:
    """A table or figure: rows (label, ours, standard error, printed), judged within `tolerance` or in a direction."""
    if sided not in ("two", "at most", "at least"):
        raise ClaimError(f"reproduction(sided={sided!r}) must be 'two', 'at most' or 'at least'.")
    return Reproduction(tolerance, sided)


def _row(row: Mapping[str, Any], against: str) -> str:
    error = f" +- {number(row['standard_error'])}" if row["standard_error"] else ""
    printed = f" ({against} {number(row['printed'])})" if row["printed"] is not None else ""
    return f"{row['label']}: {number(row['ours'])}{error}{printed}"


class ReproductionJudge(Judge):
    """Each row agrees when its deviation stays within the tolerance, judged with its standard error."""

    @property
    def kind(self) -> Reproduction:
        assert isinstance(self.claim.kind, Reproduction)
        return self.claim.kind

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        return [] if rows else [{"stage": "table", "reps": self.effort.replicates if "draw" in self.claim.wants else 1}]

    def execute(self, task: Task) -> Data:
        draw = self.draw(task["reps"], "table")
        returned = call(self.claim, self.params, forall=Forall(from_values({})), draw=draw)
        entries = self._checked(returned)
        data: Data = {"rows": [list(self._entry(row)) for row in entries if not isinstance(row, Panel)]}
        panels = [entry.as_json() for entry in entries if isinstance(entry, Panel)]
        return {**data, "panels": panels} if panels else data

    def _checked(self, returned: Any) -> Sequence[Any]:
        if not isinstance(returned, list | tuple) or all(isinstance(entry, Panel) for entry in returned):
            raise ClaimError(
                f"claim {self.claim.key!r} returned {type(returned).__name__}; a reproduction returns a non-empty list "
                "of rows (label, ours, standard_error, printed), optionally with panels between them."
            )
        return returned

    def _entry(self, row: Any) -> Entry:
        if not isinstance(row, list | tuple) or len(row) != 4:
            raise ClaimError(
                f"claim {self.claim.key!r} returned the row {row!r}; rows are (label, ours, standard_error, printed)."
            )
        label, *numbers, printed = row
        try:
            ours, error = (float(torch.as_tensor(value, dtype=torch.float64)) for value in numbers)
            limit = None if printed is None else float(printed)
        except (TypeError, ValueError, RuntimeError):
            ours = error = math.nan
            limit = None
        if not all(math.isfinite(value) for value in (ours, error, limit or 0.0)):
            raise ClaimError(
                f"claim {self.claim.key!r} returned the row {row!r}; ours, standard_error and printed must be finite "
                "numbers (printed may be None)."
            )
        return str(label), ours, error, limit

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        entries = rows[0].data["rows"]
        judged = [entry for entry in entries if entry[3] is not None]
        level = self.settings.alpha / (self.settings.family * max(len(judged), 1) * len(self.claim.groups()))
        z = NormalDist().inv_cdf(1.0 - level)
        table = [self._judge(entry, z) for entry in entries]
        statuses = {line["status"] for line in table} - {"shown"}
        status = Status.HOLDS
        for candidate in (Status.UNDECIDED, Status.REFUTED):
            if str(candidate) in statuses:
                status = candidate
        if not statuses:
            status = Status.UNDECIDED
        off = [line["label"] for line in table if line["status"] == str(status)]
        return CellVerdict(
            self.params,
            status,
            trials=rows[0].task["reps"],
            counterexample={"rows": [line for line in table if line["status"] == "REFUTED"]}
            if status is Status.REFUTED
            else None,
            replay=self.replay_line({}) if status is Status.REFUTED else None,
            reason="" if status is Status.HOLDS else f"{status.lower()} at: " + "; ".join(off),
            details={"tolerance": self.kind.tolerance, "sided": self.kind.sided, **rows[0].data, "rows": table},
        )

    def _judge(self, entry: Sequence[Any], z: float) -> Mapping[str, Any]:
        label, ours, error, printed = entry
        line = {"label": label, "ours": ours, "standard_error": error, "printed": printed, "status": "shown"}
        if printed is None:
            return line
        gap = ours - printed
        off = {"two": abs(gap), "at most": gap, "at least": -gap}[self.kind.sided] - self.kind.tolerance
        if off - z * error > 1e-9 * abs(printed):
            return {**line, "status": str(Status.REFUTED)}
        certain = off + z * error <= 1e-9 * abs(printed)
        return {**line, "status": str(Status.HOLDS if certain else Status.UNDECIDED)}
