"""`tightrope data`: the public data sets of the papers, what of them is here, and fetching the rest on request."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.errors import UsageError
from harness.files import write_atomically
from harness.report.terminal import console, say

if TYPE_CHECKING:
    from harness.data import DataSet

COLUMNS = ("name", "here", "rows", "columns", "download", "source", "claims")


@click.group(invoke_without_command=True)
@click.option(
    "--json", "file", default=None, type=click.Path(path_type=Path), help="Write the list as JSON to this file, too."
)
@click.pass_context
def data(ctx: click.Context, file: Path | None) -> None:
    """List the public data sets: what is here, what is missing, sources, sizes, and the claims that need them.

    They are looked for in the folder that the environment variable TIGHTROPE_DATA names: under their public file names,
    or in a cache of scikit-learn. Only `fetch` uses the network.
    """
    if ctx.invoked_subcommand is not None:
        return
    from harness.data import DATA_SETS, VARIABLE  # noqa: PLC0415  (`--help` needs no torch)
    from harness.data.folder import data_folder  # noqa: PLC0415

    described = [_described(entry) for entry in DATA_SETS.values()]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, overflow="fold", justify="right" if name in ("rows", "columns", "download") else "left")
    for entry in described:
        table.add_row(*_cells(entry))
    console().print(table)
    missing = [entry["name"] for entry in described if not entry["here"]]
    say(f"folder: {data_folder() or f'none; set {VARIABLE} to one'}")
    if missing:
        say(f"missing: {', '.join(missing)}; `{VARIABLE}=FOLDER tightrope data fetch NAME...` fetches them")
    if file is not None:
        write_atomically(file, json.dumps({"data_sets": described}, indent=1) + "\n")


def _described(entry: "DataSet") -> dict[str, Any]:
    paths = entry.paths
    return {
        "name": entry.name,
        "title": entry.title,
        "here": "files" if paths is not None else "cache" if entry.cached else None,
        "files": list(entry.names),
        "bytes": sum(path.stat().st_size for path in paths) if paths is not None else None,
        "rows": entry.rows,
        "columns": entry.columns,
        "megabytes": entry.megabytes,
        "source": str(entry.source),
        "options": entry.chosen,
        "claims": list(entry.claims),
    }


def _cells(entry: dict[str, Any]) -> list[str]:
    size = f" {entry['bytes'] / 1e6:.1f} MB" if entry["bytes"] is not None else ""
    chosen = "".join(f", {option}={value}" for option, value in entry["options"].items())
    return [
        entry["name"],
        f"{entry['here'] or '-'}{size}{chosen}",
        f"{entry['rows']:,}",
        f"{entry['columns']:,}",
        "?" if entry["megabytes"] is None else f"{entry['megabytes']:g} MB",
        entry["source"],
        ", ".join(entry["claims"]),
    ]


@data.command()
@click.argument("names", nargs=-1, required=True)
def fetch(names: tuple[str, ...]) -> None:
    """Fetch data sets into the folder that TIGHTROPE_DATA names, and compare them with what is published."""
    from harness.data import data_set  # noqa: PLC0415  (`--help` needs no torch)

    wanted = [data_set(name) for name in names]
    folder = _folder()
    complaints = []
    for entry in wanted:
        if entry.here:
            say(f"{entry.name}: is here")
        else:
            with Bars() as bars:
                entry.fetch(folder, bars.report)
        found = [f"{entry.name}: {sentence}" for sentence in entry.discrepancies()]
        if not found:
            say(f"{entry.name}: {entry.rows:,} rows and {entry.columns:,} columns, as published")
        complaints += found
    if complaints:
        raise UsageError("; ".join(complaints) + ".")


def _folder() -> Path:
    from harness.data.folder import VARIABLE, data_folder  # noqa: PLC0415

    folder = data_folder()
    if folder is None:
        raise UsageError(f"say where the data go: set the environment variable {VARIABLE} to a folder.")
    return folder


class Bars:
    """A progress bar for each file; one that only pulses where its length is unknown."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=console())
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def report(self, name: str, done: int, total: int | None) -> None:
        """Told by the source how far it is."""
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, total=total)
        self._progress.update(self._tasks[name], completed=done, total=total)


COMMANDS = {"data": data}
