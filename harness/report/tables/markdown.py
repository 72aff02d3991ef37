"""A table in Markdown."""

from collections.abc import Sequence

from harness.report.layout import Run
from harness.report.tables.rows import COLUMNS, by_paper, cells, heading

_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_{}[]<>#|~$"} | {"&": "&amp;"})


def markdown(run: Run) -> str:
    """A heading and a table for each paper; what is special in Markdown is escaped."""
    parts = [f"Verdicts of Tightrope {run.version} ({run.effort} effort, seed {run.seed})."]
    for name, claims in by_paper(run.claims):
        rows = [COLUMNS, ("---",) * len(COLUMNS), *(tuple(map(escaped, cells(claim))) for claim in claims)]
        parts.append(f"## {escaped(heading(name))}\n\n{''.join(map(_line, rows))}".rstrip("\n"))
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is written, on one line."""
    return " ".join(text.split()).translate(_SPECIAL)


def _line(row: Sequence[str]) -> str:
    return f"| {' | '.join(row)} |\n"
