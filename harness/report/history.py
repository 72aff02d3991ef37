"""The verdicts of all runs into one folder, as the changes from each run to the next: one short line of JSON each."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from harness.report.layout import Run
from harness.verdict import Status

FILE = "history.jsonl"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A run: when it ended, how it was made, and each status that differs from before; None for a claim left out."""

    when: str
    version: str
    effort: str
    seed: int
    changes: dict[str, Status | None]


@dataclass(frozen=True)
class Changes:
    """What is different in the last run: (claim, before, now), and the claims that came and went."""

    changed: list[tuple[str, Status, Status]]
    came: list[str]
    went: list[str]

    def __bool__(self) -> bool:
        return bool(self.changed or self.came or self.went)


def entry_of(run: Run, when: str, past: Sequence[Entry]) -> Entry:
    """A run as the next line of the history."""
    before, now = _statuses(past), {claim.key: claim.status for claim in run.claims}
    changes: dict[str, Status | None] = {key: status for key, status in now.items() if before.get(key) != status}
    changes.update(dict.fromkeys(before.keys() - now.keys()))
    return Entry(when=when, version=run.version, effort=run.effort, seed=run.seed, changes=changes)


def parsed(text: str) -> list[Entry]:
    """The runs of a history; a line that is damaged is left out."""
    found = []
    for line in text.splitlines():
        try:
            found.append(msgspec.convert(json.loads(line), Entry))
        except ValueError:  # no JSON, or none of a run
            continue
    return found


def written(entries: Iterable[Entry]) -> str:
    """A history as text."""
    return "".join(json.dumps(msgspec.to_builtins(entry), separators=(",", ":")) + "\n" for entry in entries)


def last_changes(entries: Sequence[Entry]) -> Changes | None:
    """What the last run changed; None where it is the first."""
    if len(entries) < 2:
        return None
    before, last = _statuses(entries[:-1]), entries[-1].changes
    return Changes(
        changed=[(key, before[key], now) for key, now in last.items() if now is not None and key in before],
        came=[key for key, now in last.items() if now is not None and key not in before],
        went=sorted(key for key, now in last.items() if now is None),
    )


def by_claim(entries: Iterable[Entry]) -> dict[str, list[tuple[Entry, Status | None]]]:
    """The runs in which the verdict on a claim changed, by its key, from the first."""
    found: dict[str, list[tuple[Entry, Status | None]]] = {}
    for entry in entries:
        for key, status in entry.changes.items():
            found.setdefault(key, []).append((entry, status))
    return found


def _statuses(entries: Iterable[Entry]) -> dict[str, Status]:
    """The verdicts of the last of some runs."""
    known: dict[str, Status] = {}
    for entry in entries:
        for key, status in entry.changes.items():
            if status is None:
                known.pop(key, None)
            else:
                known[key] = status
    return known
