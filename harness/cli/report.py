"""`tightrope report`: the last run as a page, as a table for others, or as a badge."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.options import OUT
from harness.errors import UsageError
from harness.files import write_atomically
from harness.report.terminal import say

if TYPE_CHECKING:
    from harness.report.layout import Run

FORMATS = ("html", "latex", "markdown", "csv", "pandas", "bibtex", "badge", "shields")


@click.command()
@click.argument("patterns", nargs=-1)
@click.option("--format", "form", default="html", type=click.Choice(FORMATS), show_default=True)
@click.option(
    "--output",
    "-o",
    "file",
    default=None,
    type=click.Path(path_type=Path),
    help="File to write, for all formats but html. Default: the standard output.",
)
@click.option(
    "--from",
    "source",
    default=None,
    type=click.Path(path_type=Path),
    help="A run to report: what --json wrote, or a folder with verdicts.json. Default: --out.",
)
@OUT
def report(patterns: tuple[str, ...], form: str, file: Path | None, source: Path | None, out: Path) -> None:
    """Rewrite the HTML report from the verdicts of the last run, or write them as a table.

    With PATTERNS, only the claims that match them. latex: a longtable for an appendix, with citations; bibtex: its
    bibliography. markdown: the same table. csv: a row for each claim. pandas: JSON records, one for each cell, for
    pandas.read_json. badge: an SVG that says how many claims were judged, and how many defects found; shields: the same
    for shields.io. A badge can also be made from ledger.json.
    """
    if form == "html":
        _pages(patterns, source or out, out, file)
        return
    text = (
        _badge(form, patterns, source or out) if form in ("badge", "shields") else _table(form, patterns, source or out)
    )
    if file is None:
        say(text.removesuffix("\n"), lines=True)
    else:
        say(f"wrote: {write_atomically(file, text)}")


def _pages(patterns: Sequence[str], source: Path, out: Path, file: Path | None) -> None:
    """The folder of pages below --out."""
    from harness.run.reporting import write_report  # noqa: PLC0415  (imports torch)
    from harness.run.store import Store  # noqa: PLC0415

    if file is not None:
        raise UsageError(f"--output {file}: the HTML report is a folder; name the folder that it goes into with --out.")
    store = Store(out)
    with store.alone():
        say(f"report: {write_report(store, _selected(patterns, source))}")


def _table(form: str, patterns: Sequence[str], source: Path) -> str:
    """A table in one of its formats."""
    from harness.report.tables import TABLES  # noqa: PLC0415  (imports torch)

    return TABLES[form](_selected(patterns, source))


def _selected(patterns: Sequence[str], source: Path) -> "Run":
    """The claims of a stored run that match any pattern."""
    import msgspec  # noqa: PLC0415

    from harness.report.layout import last_run, run_of  # noqa: PLC0415  (imports torch)
    from harness.run.selection import select  # noqa: PLC0415

    run = last_run(source) if _is_folder(source) else run_of(source)
    return msgspec.structs.replace(run, claims=select(run.claims, patterns))


def _badge(form: str, patterns: Sequence[str], source: Path) -> str:
    from harness.report.badge import badge, shields  # noqa: PLC0415
    from harness.report.recorded import VERDICTS, recorded  # noqa: PLC0415

    if patterns:
        raise UsageError(f"--format {form} shows a whole run; leave out {patterns[0]!r}.")
    run = recorded(str(source / VERDICTS if _is_folder(source) else source))
    return badge(run) if form == "badge" else shields(run)


def _is_folder(source: Path) -> bool:
    """Whether a run is in a folder, which may not be there yet, rather than in a file."""
    return source.is_dir() or not source.suffix


COMMANDS = {"report": report}
