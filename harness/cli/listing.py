"""`tightrope list`: what can be judged, from the source of the ledger or from a user's files."""

from collections.abc import Iterable

import click
from rich.table import Table

from harness.claims import PAPERS
from harness.cli.folders import is_folder
from harness.report.terminal import console
from harness.run.catalogue import Entry, catalogue
from harness.run.selection import is_file, ledger_of, select


@click.command("list")
@click.argument("patterns", nargs=-1)
def list_claims(patterns: tuple[str, ...]) -> None:
    """List claims: id, reading, kind, statement."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "reading", "kind", "expected", "statement"):
        table.add_column(name, overflow="fold")
    entries = (
        _with_files(patterns) if any(is_file(each) or is_folder(each) for each in patterns) else _shipped(patterns)
    )
    for entry in entries:
        table.add_row(entry.id, entry.reading or "", entry.kind, entry.expected or "holds", entry.statement)
    console().print(table)


def _shipped(patterns: tuple[str, ...]) -> list[Entry]:
    """The entries that patterns name, of the papers and of the classics."""
    ledgers = {ledger_of(pattern): [p for p in patterns if ledger_of(p) == ledger_of(pattern)] for pattern in patterns}
    return [entry for name, own in (ledgers or {PAPERS: []}).items() for entry in select(catalogue(name), own)]


def _with_files(patterns: tuple[str, ...]) -> Iterable[Entry]:
    from harness.cli.selection import gather  # noqa: PLC0415  (imports what a user's file does)

    for claim in gather(patterns)[0]:
        yield Entry(claim.id, claim.reading, claim.kind.name, claim.expected, claim.statement)


COMMANDS = {"list": list_claims}
