"""The only module that writes results to disk: append-only rows (which are also the cache), reports, JSON.

A row is one line of JSON, written with a single append. Rows are found again by a key made of all that the claim
imports and reads when it is loaded (`harness.run.closure`), the seed, the cell and the task: a killed run goes on where
it stopped, and a change of the claim, of a helper, an algorithm, a judge or a library starts anew. So does one of what
the body had read, which the row itself names.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from harness.errors import UsageError, remedy
from harness.files import write_atomically
from harness.judges.base import Task
from harness.language.registry import Claim, Parameters
from harness.run.witness import UNKNOWN, Inputs, still


class Stored(msgspec.Struct, frozen=True):
    """A line of the store, as far as it is read again: `data` are findings as plain data.

    `read` is what the body's process had read by then (`harness.run.witness`), and `file` that of the claim.
    """

    key: str
    data: Any
    seconds: float
    read: dict[str, str] = {}
    file: str = ""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """Where a row was made."""

    cell: Parameters
    seed: int
    effort: str
    source: str  # the hash of all that it depends on
    versions: dict[str, str]
    device: str
    dtype: str = "float64"


class Store:
    """Rows of all claims under one folder; `damaged` collects one sentence per line that could not be read.

    Raises UsageError if the folder cannot be written; with `read_only_too`, it is read then, and rows live in memory.
    """

    def __init__(self, folder: Path | None, *, read_only_too: bool = False) -> None:
        self.folder = folder
        self.writes = folder is not None
        self.damaged: list[str] = []
        self.rests_on: Inputs = {}
        self._rows: dict[str, dict[str, Stored]] = {}
        if folder is not None:
            try:
                _require_writable(folder)
            except UsageError:
                if not read_only_too:
                    raise
                self.writes = False

    def damage(self, sentence: str) -> None:
        """Note what could not be read, once."""
        if sentence not in self.damaged:
            self.damaged.append(sentence)

    def noted(self, read: Mapping[str, str]) -> None:
        """Collect what the rows that are used depend on besides the sources."""
        for key, value in read.items():
            self.rests_on[key] = value if self.rests_on.get(key, value) == value else UNKNOWN

    def known(self, claim: Claim) -> dict[str, Stored]:
        """The stored rows of a claim by key."""
        if claim.key not in self._rows:
            self._rows[claim.key] = self._read(claim)
        return self._rows[claim.key]

    def usable(self, claim: Claim, key: str) -> Stored | None:
        """The row of a key, if a body would read the same now; what it reads may lie beside its file."""
        row = self.known(claim).get(key)
        if row is None or (row.read and (row.file != os.path.abspath(claim.file) or not still(row.read))):
            return None
        self.noted(row.read)
        return row

    def append(self, claim: Claim, task: Task, row: Stored, context: Context) -> None:
        """Store the findings of a task: in memory, and as one line on disk."""
        row = msgspec.structs.replace(row, file=os.path.abspath(claim.file) if row.read else "")
        self.known(claim)[row.key] = row
        self.noted(row.read)
        if not self.writes:
            return
        record = {
            "key": row.key,
            "claim": claim.id,
            "reading": claim.reading,
            **msgspec.to_builtins(context),
            "task": msgspec.to_builtins(task),
            "seconds": round(row.seconds, 4),
            "data": row.data,
        }
        if row.read:
            record |= {"read": row.read, "file": row.file}
        line = json.dumps(record, separators=(",", ":")) + "\n"
        if not _is_readable(line):
            return
        path = self._path(claim)
        try:
            _append(path, line.encode())
        except OSError as error:
            what = remedy(error, "free space or choose another --out")
            raise UsageError(f"cannot write {path} ({error.strerror}); {what}.") from error

    def write(self, name: str, text: str) -> Path:
        """Write a report atomically under the folder and return its path."""
        assert self.folder is not None
        return write_atomically(self.folder / name, text)

    def read(self, name: str) -> str:
        """What was written under a name; empty if nothing was."""
        assert self.folder is not None
        path = self.folder / name
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise UsageError(f"cannot read {path} ({error.strerror}); remove it or choose another --out.") from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While other runs into the folder wait, where the system has locks: the pages of a report are of one run."""
        assert self.folder is not None
        rows = self.folder / "rows"
        rows.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            with suppress(ImportError, OSError):
                import fcntl  # noqa: PLC0415  (not everywhere)

                lock = os.open(rows, os.O_RDONLY)
                held.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def files(self, claims: Iterable[Claim]) -> list[Path]:
        """Where the rows of claims lie."""
        return [self._path(claim) for claim in claims]

    def keep_only(self, name: str, files: Container[str]) -> None:
        """Remove the pages in a folder that a later run did not write again."""
        assert self.folder is not None
        for page in (self.folder / name).glob("*.html"):
            if page.name not in files:
                page.unlink(missing_ok=True)

    def _path(self, claim: Claim) -> Path:
        assert self.folder is not None
        return self.folder / "rows" / f"{quote(claim.key, safe='')}.jsonl"  # one file for each claim

    def _read(self, claim: Claim) -> dict[str, Stored]:
        if self.folder is None:
            return {}
        path = self._path(claim)
        rows: dict[str, Stored] = {}
        good: list[str] = []
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise UsageError(f"cannot read {path} ({error.strerror}); remove it or choose another --out.") from error
        for number, line in enumerate(text.split("\n"), start=1):
            if not line:
                continue
            try:
                stored = _decoded(line)
                rows[stored.key] = stored
                good.append(line)
            except (ValueError, RecursionError):  # no JSON, or none of a row
                self.damaged.append(
                    f"claim {claim.key!r}: line {number} of {path} is truncated or damaged ({line[:40]!r}...); it was "
                    "dropped and is computed again, and the other lines are kept."
                )
        if (
            self.writes and "".join(line + "\n" for line in good) != text
        ):  # a last line without its end would swallow the next row
            write_atomically(path, "".join(line + "\n" for line in good))
        return rows


def _decoded(line: str) -> Stored:
    """A row as it was written. Raises ValueError or RecursionError for what is none.

    No finding is NaN: a judge asks whether a side is, and says so in words.
    """
    return msgspec.convert(json.loads(line, parse_constant=_infinite), Stored)


def _infinite(word: str) -> float:
    if word == "NaN":
        raise ValueError("NaN is no finding")
    return float(word)


def _is_readable(line: str) -> bool:
    """Whether a row can be read again; that of a kind which finds NaN cannot."""
    try:
        return "NaN" not in line or _decoded(line) is not None
    except ValueError:
        return False


def row_key(source: str, seed: int, device: str, params: Parameters, task: Task) -> str:
    """The key of a row: a hash of everything its data depend on, numbers by their bits."""
    text = json.dumps([source, seed, device, "float64", params], sort_keys=True)
    return hashlib.sha256(text.encode() + msgspec.msgpack.encode(task, order="deterministic")).hexdigest()[:24]


def _append(path: Path, line: bytes) -> None:
    """Add a line to a file, all of it or, where there is no more room, none of it.

    Its folder is made again where somebody has removed it during the run.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        done = os.write(descriptor, line)
        try:
            while done < len(line):
                done += os.write(descriptor, line[done:])
        except OSError:
            end = os.lseek(descriptor, 0, os.SEEK_CUR)
            if end == os.fstat(descriptor).st_size:  # and nobody has written after it
                os.ftruncate(descriptor, end - done)
            raise
    finally:
        os.close(descriptor)


def _require_writable(folder: Path) -> None:
    try:
        (folder / "rows").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder / "rows"):
            pass
    except OSError as error:
        raise UsageError(
            f"the output folder {folder} is not writable ({error.strerror}); choose another with --out."
        ) from error
