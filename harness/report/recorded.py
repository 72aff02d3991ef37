"""What is compared of two runs, and shown on a badge: a line for each claim, read without judging anything.

From what `tightrope check --json` writes, or from the shorter `ledger.json` that `tightrope record` writes, in a file,
in a folder of results, or in a commit.
"""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.files import read_json
from harness.language.registry import key_of

VERDICTS, LEDGER = "verdicts.json", "results/ledger.json"
SCHEMA = 3  # of the JSON of a run; one with another layout has a larger one


@dataclass(frozen=True)
class Line:
    """What a run says of a claim; None for what its file does not hold."""

    status: str
    looseness: float | None = None
    interval: tuple[float, float] | None = None  # of the cell with that looseness
    seconds: float | None = None
    as_expected: bool | None = None


@dataclass(frozen=True)
class Recorded:
    """The lines of a run by the keys of its claims."""

    name: str
    lines: Mapping[str, Line]
    defects: Mapping[str, int]
    settings: Mapping[str, Any]  # seed and effort, where the file has them


def recorded(place: str, ledger: str = LEDGER) -> Recorded:
    """The run in a file, in a folder, or in the file `ledger` of a commit.

    Raises UsageError where there is none.
    """
    path = Path(place)
    if path.is_dir():
        path = path / VERDICTS
    elif not path.exists():
        text = _in_commit(place, ledger)
        if text is None:
            raise UsageError(f"cannot read {place}: there is no such file, folder of results or git commit here.")
        return read(f"{place}:{ledger}", text)
    return read(str(path), read_json(path))


def read(name: str, payload: Any) -> Recorded:
    """A run from its JSON, of this layout or of one before.

    Raises UsageError where it is none, or of a version that is newer than this one.
    """
    try:
        if (schema := payload.get("schema", SCHEMA)) > SCHEMA:
            raise UsageError(
                f"{name} was written by a newer version (schema {schema}; this one reads up to {SCHEMA}); upgrade it."
            )
        lines = {key_of(c["id"], c["reading"]): _line(c) for c in payload["claims"]}
        defects = {str(severity): int(count) for severity, count in payload.get("defects", {}).items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"has no {error}" if isinstance(error, KeyError) else "is of another form"
        raise UsageError(
            f"{name} is not a file that `tightrope check --json` or `tightrope record` wrote (it {why})."
        ) from error
    return Recorded(name, lines, defects, {key: payload[key] for key in ("seed", "effort") if key in payload})


def _line(claim: Mapping[str, Any]) -> Line:
    looseness = claim.get("looseness")
    cells = [cell for cell in claim.get("cells", ()) if cell["looseness"] == looseness and looseness is not None]
    intervals = [cell["looseness_interval"] for cell in cells if cell.get("looseness_interval")]
    finite = [tuple(interval) for interval in intervals if None not in interval]
    return Line(
        claim["status"], looseness, finite[0] if finite else None, claim.get("seconds"), claim.get("as_expected")
    )


def _in_commit(name: str, ledger: str) -> Any:
    """The JSON of a file as it is in a commit; None where git knows no such commit, or is not there."""
    if _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}") is None:
        return None
    text = _git("show", "--end-of-options", f"{name}:./{ledger}")
    if text is None:
        raise UsageError(f"commit {name} has no file {ledger} here; name another with --ledger, as the commit has it.")
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{ledger} of commit {name} is not valid JSON ({error}); name another commit.") from error


def _git(*arguments: str) -> str | None:
    """What git prints, if it is installed and succeeds."""
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
