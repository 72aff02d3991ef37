"""The report and the history of a folder, on disk."""

from datetime import UTC, datetime
from pathlib import Path

from harness.report.history import FILE, Entry, entry_of, parsed, written
from harness.report.html import report
from harness.report.layout import Run
from harness.run.store import Store


def record_run(store: Store, run: Run) -> Path:
    """Note the verdicts of a run in the history of the folder, and write its report."""
    past = parsed(store.read(FILE))
    entries = [*past, entry_of(run, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), past)]
    store.write(FILE, written(entries))
    return _write(store, run, entries)


def write_report(store: Store, run: Run) -> Path:
    """Write the report of the last run again."""
    return _write(store, run, parsed(store.read(FILE)))


def _write(store: Store, run: Run, entries: list[Entry]) -> Path:
    paths = [store.write(f"report/{name}", text) for name, text in report(run, entries)]
    store.keep_only("report/claims", {path.name for path in paths})
    return paths[-1]
