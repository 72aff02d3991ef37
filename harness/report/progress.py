"""The terminal during a run: how many claims are judged, with which verdicts, and how long the rest may take."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeft
from rich.table import Table

from harness.judges.base import Task
from harness.language.registry import Claim
from harness.report.profile import Profile
from harness.report.terminal import Terminal
from harness.verdict import Status, Verdict


class ProgressBar:
    """An observer that shows how many claims are judged, how, which one is in progress, and the time left.

    Above the bar a table counts the verdicts of each paper, by the effort on which they rest; where claims are judged
    at a second effort, it changes in place. If the output is not a terminal, it prints a line per verdict instead,
    provided that `narrate` is set; a verdict that a larger effort confirms has no second line. With `several` efforts
    the lines name that of their verdict.
    """

    def __init__(self, console: Terminal, *, narrate: bool = True, several: bool = False) -> None:
        self.console = console
        self.several = several
        self.narrate = narrate and not console.is_terminal
        self.computed = 0  # tasks that no stored row had answered
        self.verdicts: dict[str, Verdict] = {}  # so far, at the largest effort
        self.efforts: list[str] = []
        self.profile = Profile()
        self.progress = _WithTable(
            SpinnerColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[tally]}", markup=False),
            TimeElapsedColumn(),
            TimeLeft(),
            TextColumn("left", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self.bar = self.progress.add_task("claims", total=None, now="starting", tally="")

    def __enter__(self) -> "ProgressBar":
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.profile.end()
        self.progress.stop()

    def started(self, claims: Sequence[Claim], effort: str) -> None:
        if effort not in self.efforts:
            if self.efforts and self.narrate:
                text = f"{len(self.verdicts)} verdicts at {self.efforts[-1]} effort; going on at {effort} effort"
                self.console.print(text, soft_wrap=True)
            self.efforts.append(effort)
        self.progress.reset(self.bar, total=len(claims), now="starting", tally=self.tally)

    def advanced(self, claim: Claim, task: Task, seconds: float) -> None:
        self.computed += 1
        self.profile.note(self.efforts[-1], claim, task, seconds)
        self.progress.update(self.bar, now=f"{claim.key}: {task.stage}")

    def judged(self, verdict: Verdict) -> None:
        key = verdict.claim.key
        known, self.verdicts[key] = self.verdicts.get(key), verdict
        self.progress.table = self._table()
        self.progress.update(self.bar, tally=self.tally)
        same = known is not None and known.status is verdict.status
        effort = f"{verdict.effort}, " if self.several else ""
        self.passed("" if same else f"{verdict.status:9} {key} ({effort}{verdict.seconds:.1f} s)")

    @property
    def tally(self) -> str:
        """The verdicts so far: "12 HOLDS, 1 REFUTED"."""
        return _tally(self.verdicts.values())

    def _table(self) -> Table:
        """By paper: how many verdicts rest on which effort, and which they are."""
        table = Table(box=None, pad_edge=False)
        for name in ("paper", *self.efforts, "verdicts"):
            table.add_column(name, justify="right" if name in self.efforts else "left")
        ordered = sorted(self.verdicts.values(), key=_paper)
        for paper, group in groupby(ordered, key=_paper):
            some = list(group)
            counts = [str(sum(verdict.effort == effort for verdict in some)) for effort in self.efforts]
            table.add_row(paper, *counts, _tally(some))
        return table

    def passed(self, line: str) -> None:
        """Another claim is done; nothing is printed of an empty line."""
        self.progress.advance(self.bar)
        if self.narrate and line:
            self.console.print(line, soft_wrap=True)


class _WithTable(Progress):
    """A bar below a table."""

    table: Table | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.table is not None:
            yield self.table
        yield from super().get_renderables()


def _paper(verdict: Verdict) -> str:
    return verdict.claim.id.partition("/")[0]


def _tally(verdicts: Iterable[Verdict]) -> str:
    found = [verdict.status for verdict in verdicts]
    return ", ".join(f"{found.count(status)} {status}" for status in Status if status in found)
