"""Tables and figures: our number beside the paper's, with our standard error."""

import json
import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, cast, get_args

import msgspec
import numpy as np
from scipy.special import betaincinv, stdtrit

from harness.errors import ClaimError
from harness.evidence.betting import mean_limits
from harness.judges.base import Data, Findings, Judge, Task, expect
from harness.judges.base import Row as Finding
from harness.language.arguments import option, real
from harness.language.charts import Chart
from harness.language.curves import charts_of
from harness.language.evaluation import call
from harness.language.kind import Kind, Replay
from harness.language.panels import Panel, StoredPanel
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim, Parameters
from harness.language.rows import Row, StoredRow
from harness.numbers import Instance, number
from harness.verdict import CellVerdict, Counterexample, Details, Status, Verdict

if TYPE_CHECKING:
    from harness.settings import Settings

Sided: TypeAlias = Literal["two", "at most", "at least"]
SHOWN = "shown"
FIRST_LOOK = 0.9
"""Of the error of a table, so that it may be looked at again with twice the trials, as often as one likes."""

MOST_DOUBLINGS = 20
"""Of the trials of a row, within which a number that decides it is in reach."""


class Table(Task, frozen=True, kw_only=True):
    """Compute the table."""

    reps: int


class Made(Data, frozen=True, kw_only=True):
    """The rows of the table, and the panels between them."""

    rows: list[StoredRow]
    panels: list[StoredPanel] = msgspec.field(default_factory=list)


class Compared(Details, frozen=True, kw_only=True):
    """The judged rows, and the panels between them."""

    tolerance: float
    sided: Sided
    rows: list[StoredRow]
    panels: list[StoredPanel] = msgspec.field(default_factory=list)

    @property
    def table(self) -> Sequence[StoredRow]:
        return self.rows


class Off(Counterexample, frozen=True, kw_only=True):
    """The rows that do not agree."""

    rows: list[StoredRow]


@dataclass(frozen=True)
class Reproduction(Kind[Compared, Off]):
    """Rows, each judged against the paper's number within `tolerance` or in one direction."""

    name: ClassVar[str] = "reproduction"
    returns: ClassVar[Any] = "rows"
    details: ClassVar[Any] = Compared
    counterexample: ClassVar[Any] = Off
    measures: ClassVar[Any] = "nothing"
    replay_trials: ClassVar[int] = 0
    tolerance: float = 0.0
    sided: Sided = "two"

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "ReproductionJudge":
        return ReproductionJudge(claim, params, settings)

    def replay(self, judge: "ReproductionJudge", values: Instance, trials: int, seed: int) -> Replay:  # noqa: ARG002
        if values:
            raise ClaimError(f"claim {judge.claim.key!r} is a table and quantifies over nothing: leave --values out.")
        task = Table(reps=trials) if trials and "draw" in judge.claim.wants else judge.plan([])[0]
        verdict = judge.verdict([Finding(task, judge.execute(task), 0.0)])
        made = verdict.details.rows if verdict.details else []
        return Replay(verdict.status is Status.REFUTED, json.dumps(msgspec.to_builtins(made)))

    def line(self, cell: CellVerdict[Compared, Off]) -> str:
        against = "paper" if self.sided == "two" else self.sided
        within = f"; judged within {number(self.tolerance)}" if self.tolerance else ""
        return "; ".join(_row(row, against) for row in (cell.details.rows if cell.details else [])) + within

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "What could still be wrong: the numbers may agree for a reason other than the paper's."

    def conviction(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "The rows named above differ from the paper's by more than the tolerance and their standard error allow."

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Compared, Off]]) -> Sequence[Chart | StoredPanel]:
        judged = [(cell.params, cell.details) for cell in cells if cell.details is not None]
        panels = [panel for _, details in judged for panel in details.panels]
        return [*panels, *charts_of([(params, details.rows) for params, details in judged])]


def reproduction(*, tolerance: float = 0.0, sided: Sided = "two") -> Reproduction:
    """A table or figure: a list of `harness.Row`, judged within `tolerance`, or in a direction.

    The tolerance is in the unit of the rows. `draw` hands out 32 replicates at the standard effort, 6 at the quick one.
    """
    return Reproduction(real("tolerance", tolerance, "[0, inf)"), cast(Sided, option("sided", sided, get_args(Sided))))


def _row(row: StoredRow, against: str) -> str:
    error = f" +- {number(row.standard_error)}" if row.standard_error else ""
    printed = f" ({against} {number(row.printed)})" if row.printed is not None else ""
    return f"{row.label}: {number(row.ours)}{error}{printed}"


class ReproductionJudge(Judge):
    """Each row agrees when its deviation stays within the tolerance, judged with its standard error."""

    finds: ClassVar[Findings] = {Table: Made}

    @property
    def kind(self) -> Reproduction:
        assert isinstance(self.claim.kind, Reproduction)
        return self.claim.kind

    def plan(self, rows: Sequence[Finding]) -> list[Task]:
        return [] if rows else [Table(reps=self.effort.replicates if "draw" in self.claim.wants else 1)]

    def execute(self, task: Task) -> Made:
        assert isinstance(task, Table)
        returned = call(self.claim, self.params, forall=Forall(from_values({})), draw=self.draw(task.reps, "table"))
        if not isinstance(returned, list | tuple) or all(isinstance(entry, Panel) for entry in returned):
            what = "an empty list" if returned in ([], ()) else type(returned).__name__
            raise ClaimError(
                f"claim {self.claim.key!r} returned {what}; a reproduction returns a non-empty list "
                "of harness.Row, optionally with panels between them."
            )
        panels = [entry.stored() for entry in returned if isinstance(entry, Panel)]
        return Made(rows=[self._stored(entry) for entry in returned if not isinstance(entry, Panel)], panels=panels)

    def _stored(self, row: Any) -> StoredRow:
        if not isinstance(row, Row):
            raise ClaimError(
                f"claim {self.claim.key!r} returned the row {row!r}; write it as "
                "harness.Row(label, ours, error, printed)."
            )
        try:
            return row.stored()
        except ClaimError as error:
            raise ClaimError(f"claim {self.claim.key!r}: {error}") from error

    def verdict(self, rows: Sequence[Finding]) -> CellVerdict[Compared, Off]:
        task, made = rows[0].task, expect(rows[0].data, Made)
        assert isinstance(task, Table)
        judged = [row for row in made.rows if row.printed is not None]
        level = self._level() / (max(len(judged), 1) * len(self.claim.groups()))
        table = [self._judge(row, level) for row in made.rows]
        status = _overall(table)
        off = [row for row in table if row.status == str(status)]
        named = [row.label + (self._wanting(row, level) if status is Status.UNDECIDED else "") for row in off]
        refuted = status is Status.REFUTED
        table, off = _without_trials(table), _without_trials(off)
        return CellVerdict(
            self.params,
            status,
            trials=task.reps,
            counterexample=Off(rows=off) if refuted else None,
            replay=self.replay_line({}, *self._trials(task)) if refuted else None,
            reason=_reason(status, named),
            details=Compared(tolerance=self.kind.tolerance, sided=self.kind.sided, rows=table, panels=made.panels),
        )

    def _trials(self, task: Table) -> list[str]:
        """What a replay is told, to draw the same once more."""
        return ["--trials", str(task.reps)] if "draw" in self.claim.wants else []

    def _level(self) -> float:
        """What the claim may err with: FIRST_LOOK of it at first, of the rest half as much at each doubling."""
        looks = self.effort.doublings
        share = FIRST_LOOK if not looks else (1.0 - FIRST_LOOK) * 0.5**looks
        return share * self.settings.alpha / self.settings.family

    def _judge(self, row: StoredRow, level: float) -> StoredRow:
        if row.printed is None:
            return msgspec.structs.replace(row, status=SHOWN)
        sided = self.kind.sided
        least, most = (limit - row.printed for limit in limits(row, level / 2 if sided == "two" else level))
        if sided == "at least":
            least, most = -most, -least
        elif sided == "two":
            least, most = max(least, -most, 0.0), max(most, -least)
        allowed = self.kind.tolerance + 1e-9 * abs(row.printed)  # the last digits
        status = Status.UNDECIDED
        if least > allowed:
            status = Status.REFUTED
        elif most <= allowed:
            status = Status.HOLDS
        return msgspec.structs.replace(row, status=str(status))

    def _wanting(self, row: StoredRow, level: float) -> str:
        """What an undecided row lacks: how many trials would decide it if its mean and its spread stayed."""
        trials = row.trials
        if trials is None:
            return ""
        if trials == 1 and not row.between:
            return " (of a single trial, which tells no error)"
        if not (row.standard_error or row.proportion or row.between):
            return f" (its {trials} trials are all equal, which tells no error)"

        def decides(many: int) -> bool:
            error = row.standard_error * math.sqrt(trials / many)
            more = msgspec.structs.replace(row, trials=many, standard_error=error)
            return self._judge(more, level).status != str(Status.UNDECIDED)

        most = next((trials << k for k in range(1, MOST_DOUBLINGS) if decides(trials << k)), None)
        if most is None:
            return " (no number of trials in reach decides it, if its mean stays)"
        needed = bisect_left(range(most), 1, lo=most // 2, key=decides)
        return f" (of {trials} trials; {needed} would decide it, if mean and spread stay)"


def limits(row: StoredRow, level: float) -> tuple[float, float]:
    """Between what the expectation lies; it is beyond either limit with probability `level` at most.

    A share of trials is judged by Clopper and Pearson's limits, exactly; a mean of trials in a range by bets, whatever
    their law; any other mean by Student's t, exactly for independent normal trials, or by the normal law where its
    error is known or rests on very many. A single trial, and trials that are all equal, say nothing about an error.
    """
    if row.between is not None and row.values and row.trials is not None:
        return mean_limits(np.array(row.values), row.between, level, row.trials / len(row.values))
    if row.proportion and row.trials is not None:
        events, trials = round(row.ours * row.trials), row.trials
        low = float(betaincinv(events, trials - events + 1, level)) if events else 0.0
        high = float(betaincinv(events + 1, trials - events, 1.0 - level)) if events < trials else 1.0
        return low, high
    if row.trials is not None and (row.trials == 1 or not row.standard_error):
        return -math.inf, math.inf
    quantile = NormalDist().inv_cdf(level) if row.trials is None else float(stdtrit(row.trials - 1, level))
    return row.ours + quantile * row.standard_error, row.ours - quantile * row.standard_error


def _without_trials(rows: Sequence[StoredRow]) -> list[StoredRow]:
    """Judged rows, which need the values of their trials no more."""
    return [msgspec.structs.replace(row, values=None) for row in rows]


def _reason(status: Status, off: Sequence[str]) -> str:
    """Where a table does not hold, or that it holds nothing to judge."""
    if status is Status.HOLDS:
        return ""
    return f"{status.lower()} at: {'; '.join(off)}" if off else "no row is judged: all are shown"


def _overall(table: Sequence[StoredRow]) -> Status:
    """The worst of the rows; open where nothing was judged."""
    statuses = {row.status for row in table} - {SHOWN}
    for candidate in (Status.REFUTED, Status.UNDECIDED):
        if str(candidate) in statuses:
            return candidate
    return Status.HOLDS if statuses else Status.UNDECIDED
