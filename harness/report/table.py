"""The terminal after a run: a table of verdicts by paper, what is behind them, and what to do next."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from harness.claims import papers
from harness.judges.base import reference
from harness.numbers import count, number
from harness.report.errata import counted
from harness.report.explain import counterexample
from harness.report.terminal import Terminal, printable
from harness.shell import operand, quoted
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
OUT = Path("results")
"""The folder for rows and reports where no other is named."""
COLUMNS = {"claim": 0, "kind": 120, "verdict": 0, "trials": 90, "looseness": 75, "detectable": 105, "seconds": 90}
"""The columns before the statement, and how wide a terminal must be to show them."""
NUMBERS = ("trials", "looseness", "detectable", "seconds")
SHORTEST = 20  # columns for a statement, however narrow the terminal is
OPEN = (Status.UNDECIDED, Status.ERROR, Status.SKIPPED)
"""Verdicts whose reason stands in the place of the statement."""


def verdict_tables(verdicts: Sequence[Verdict], width: int = 140) -> Iterator[tuple[str, Table]]:
    """By paper: how it is called, and a table with a line for each claim; columns stand below each other."""
    names = [name for name, least in COLUMNS.items() if width >= least]
    rows = [_row(verdict) for verdict in verdicts]
    widths = {name: max([len(name), *(cell_len(str(row[name])) for row in rows)]) for name in names}
    room = max(width - sum(widths.values()) - 2 * len(names), SHORTEST)
    for paper, some in groupby(zip(verdicts, rows, strict=True), key=lambda pair: pair[0].claim.id.partition("/")[0]):
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in names:
            table.add_column(
                name,
                justify="right" if name in NUMBERS else "left",
                min_width=min(widths[name], width // 3),
                overflow="fold",
            )
        table.add_column("statement", overflow="fold")
        for _, row in some:
            table.add_row(*(row[name] for name in names), shortened(str(row["statement"]), room))
        yield _heading(paper), table


def shortened(text: str, room: int) -> str:
    """Text on one line, in so many columns."""
    return text if cell_len(text) <= room else set_cell_size(text, room - 3).rstrip() + "..."


def _heading(paper: str) -> str:
    known = papers().get(paper)
    return f"{paper}: {known.names}, {known.title}, {known.venue} {known.year}" if known else paper


def _row(verdict: Verdict) -> dict[str, str | Text]:
    claim = verdict.claim
    plain = measures_error(claim)
    unexpected = " (!)" if verdict.as_expected is False else ""
    said = reason(verdict) if verdict.status in OPEN else claim.statement
    return {
        "claim": claim.key,
        "kind": claim.kind.name,
        "verdict": Text(f"{verdict.status}{unexpected}", style=STYLES[verdict.status]),
        "trials": count(verdict.trials),
        "looseness": "" if plain else number(verdict.looseness),
        "detectable": "" if plain else number(verdict.detectable_factor),
        "seconds": f"{verdict.seconds:.1f}",
        "statement": " ".join(printable(said).split()),
    }


def reason(verdict: Verdict) -> str:
    """Why a claim has no other verdict, in one sentence."""
    if verdict.reason:
        return verdict.reason
    cell = next((cell for cell in verdict.cells if cell.status is verdict.status), None)
    if verdict.status is Status.UNDECIDED and cell is not None:
        return verdict.claim.kind.line(cell)
    return "no reason is known"


def summary(console: Terminal, verdicts: Sequence[Verdict], defects: Mapping[str, int]) -> None:
    """The tables, replay commands, all verdicts that are open or not as expected, and the defects by severity."""
    tables = list(verdict_tables(verdicts, console.width))
    for heading, table in tables:
        if len(tables) > 1:
            console.print(f"\n{heading}", style="bold", soft_wrap=True)
        console.print(table)
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
        _trouble(console, verdict)
    tally = {status: sum(v.status is status for v in verdicts) for status in Status}
    console.print("\n" + ", ".join(f"{n} {status}" for status, n in tally.items() if n))
    if defects:
        console.print(counted(defects))


def _trouble(console: Terminal, verdict: Verdict) -> None:
    """The whole reason of a verdict that is open, and what contradicts an expectation."""
    key = verdict.claim.key
    if verdict.status in (Status.ERROR, Status.SKIPPED):
        console.print(printable(f"{verdict.status}: {verdict.reason}"), soft_wrap=True)
    elif verdict.as_expected is False:
        expected = verdict.claim.expected or "holds"
        text = f"NOT AS EXPECTED: {key} is {verdict.status}, expected {expected}. {verdict.reason}"
        console.print(printable(text), style="bold red", soft_wrap=True)
    elif verdict.status is Status.UNDECIDED:
        console.print(printable(f"{verdict.status}: {key}: {reason(verdict)}"), soft_wrap=True)


def next_steps(verdicts: Sequence[Verdict], out: Path = OUT) -> list[str]:
    """The commands that go on from here: about what is not as expected, else what is open, else the first claim.

    They read what was written into `out`.
    """
    options = "" if out == OUT else f"--out {quoted(str(out))} "
    wrong = [v for v in verdicts if v.as_expected is False or v.status is Status.ERROR]
    undecided = [v for v in verdicts if v.status is Status.UNDECIDED and v.as_expected is not True]
    first = next(iter([*wrong, *undecided, *verdicts]), None)
    if first is None:
        return []
    steps = [f"next: tightrope show {options}{_named(first)}  # what was tried, what could still be wrong"]
    if wrong and wrong[0].counterexample is not None:
        steps.append(f"next: {wrong[0].counterexample.replay}  # the counterexample again")
    if undecided:
        steps.append(f"next: tightrope check --budget 10m {options}{_named(undecided[0])}  # more trials")
    return steps


def _named(verdict: Verdict) -> str:
    """The claim of a verdict as a word of a command."""
    return quoted(operand(reference(verdict.claim)))
