"""The terminal: a progress bar while claims run, and the table at the end."""

from collections.abc import Mapping, Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from harness.judges.base import Task
from harness.language.registry import Claim
from harness.numbers import count, number
from harness.report.errata import counted
from harness.report.explain import counterexample
from harness.report.terminal import Terminal, printable
from harness.verdict import Status, Verdict, measures_error

STYLES = {
    Status.PROVED: "bold green",
    Status.HOLDS: "green",
    Status.REFUTED: "red",
    Status.UNDECIDED: "yellow",
    Status.VACUOUS: "cyan",
    Status.SKIPPED: "dim",
    Status.ERROR: "bold red",
}


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """One row per claim."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "reading", "kind", "verdict"):
        table.add_column(name, overflow="fold")
    for name in ("trials", "looseness", "detectable", "seconds"):
        table.add_column(name, justify="right")
    for verdict in verdicts:
        claim = verdict.claim
        unexpected = verdict.as_expected is False
        status = Text(str(verdict.status) + (" (!)" if unexpected else ""), style=STYLES[verdict.status])
        plain = measures_error(claim)
        table.add_row(
            claim.id,
            claim.reading or "",
            claim.kind.name,
            status,
            count(verdict.trials),
            "" if plain else number(verdict.looseness),
            "" if plain else number(verdict.detectable_factor),
            f"{verdict.seconds:.1f}",
        )
    return table


def summary(console: Terminal, verdicts: Sequence[Verdict], defects: Mapping[str, int]) -> None:
    """The table, replay commands, all verdicts that are not as expected, and the defects by severity."""
    console.print(verdict_table(verdicts))
    refuted = [v for v in verdicts if v.status is Status.REFUTED and v.counterexample is not None]
    if refuted:
        console.print("\nCounterexamples (the command below each replays it)", style="bold")
    for verdict in refuted:
        cell = verdict.counterexample
        if cell is not None:
            console.print(verdict.claim.key, style="red", end=" ")
            console.print(counterexample(cell), soft_wrap=True)
            console.print(f"  {printable(cell.replay or '')}", soft_wrap=True, style="dim")
    for verdict in verdicts:
        if verdict.status in (Status.ERROR, Status.SKIPPED):
            console.print(printable(f"{verdict.status}: {verdict.reason}"), soft_wrap=True)
        elif verdict.as_expected is False:
            expected = verdict.claim.expected or "holds"
            text = f"NOT AS EXPECTED: {verdict.claim.key} is {verdict.status}, expected {expected}. {verdict.reason}"
            console.print(printable(text), style="bold red", soft_wrap=True)
    tally = {status: sum(v.status is status for v in verdicts) for status in Status}
    console.print("\n" + ", ".join(f"{n} {status}" for status, n in tally.items() if n))
    if defects:
        console.print(counted(defects))


class ProgressBar:
    """An observer that shows how many claims are judged and which one is in progress.

    If the output is not a terminal, it prints a line per verdict instead, provided that `narrate` is set.
    """

    def __init__(self, console: Terminal, *, narrate: bool = True) -> None:
        self.console = console
        self.narrate = narrate and not console.is_terminal
        self.progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self.bar = self.progress.add_task("claims", total=None, now="starting")

    def __enter__(self) -> "ProgressBar":
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def started(self, claims: Sequence[Claim]) -> None:
        self.progress.reset(self.bar, total=len(claims), now="starting")

    def advanced(self, claim: Claim, task: Task) -> None:
        self.progress.update(self.bar, now=f"{claim.key}: {task.stage}")

    def judged(self, verdict: Verdict) -> None:
        self.passed(f"{verdict.status:9} {verdict.claim.key} ({verdict.seconds:.1f} s)")

    def passed(self, line: str) -> None:
        """Another claim is done."""
        self.progress.advance(self.bar)
        if self.narrate:
            self.console.print(line)
