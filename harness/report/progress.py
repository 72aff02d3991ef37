"""The terminal during a run: how many claims are judged, with which verdicts, and how long the rest may take."""

from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeft

from harness.judges.base import Task
from harness.language.registry import Claim
from harness.report.terminal import Terminal
from harness.verdict import Status, Verdict


class ProgressBar:
    """An observer that shows how many claims are judged, how, which one is in progress, and the time left.

    If the output is not a terminal, it prints a line per verdict instead, provided that `narrate` is set; a verdict
    that a larger effort confirms has no second line.
    """

    def __init__(self, console: Terminal, *, narrate: bool = True) -> None:
        self.console = console
        self.narrate = narrate and not console.is_terminal
        self.computed = 0  # tasks that no stored row had answered
        self.verdicts: dict[str, Status] = {}
        self.progress = Progress(
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
        self.progress.stop()

    def started(self, claims: Sequence[Claim]) -> None:
        self.progress.reset(self.bar, total=len(claims), now="starting", tally=self.tally)

    def advanced(self, claim: Claim, task: Task) -> None:
        self.computed += 1
        self.progress.update(self.bar, now=f"{claim.key}: {task.stage}")

    def judged(self, verdict: Verdict) -> None:
        key = verdict.claim.key
        known, self.verdicts[key] = self.verdicts.get(key), verdict.status
        self.progress.update(self.bar, tally=self.tally)
        line = "" if known is verdict.status else f"{verdict.status:9} {key} ({verdict.seconds:.1f} s)"
        self.passed(line)

    @property
    def tally(self) -> str:
        """The verdicts so far: "12 HOLDS, 1 REFUTED"."""
        found = list(self.verdicts.values())
        return ", ".join(f"{found.count(status)} {status}" for status in Status if status in found)

    def passed(self, line: str) -> None:
        """Another claim is done; nothing is printed of an empty line."""
        self.progress.advance(self.bar)
        if self.narrate and line:
            self.console.print(line, soft_wrap=True)
