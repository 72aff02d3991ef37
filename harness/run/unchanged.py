"""A command that would only repeat its last run: nothing that its verdicts depend on has changed since.

Stored rows answer task by task (`harness.run.store`), but to ask for them takes the claims, and these take torch. Here
the run is remembered as a whole: what it printed, its exit code, the state of every file that it was made from or has
written, and what it has read besides (`harness.run.witness`). A file is the same if its size, its inode and the times
at which its content and its status last changed are, to the nanosecond; the environment, the folder, the options, the
terminal and the installed libraries must be the same as well. When in doubt, the run is made: a miss costs time,
nothing else.

Nothing here imports torch or runs a claim.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from glob import has_magic
from importlib.machinery import BYTECODE_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path
from typing import Any, TypeAlias

from harness.origins import OURS, ROOT
from harness.run.closure import closure
from harness.run.selection import globbed, is_file, python_files
from harness.run.witness import BYTECODE, PASSING, still
from harness.settings import DATA_FOLDER

FILE = "unchanged.json"
LARGEST = 100  # files of folders and globs, above which a run is not remembered
MOST = 8  # commands that a folder remembers, the latest ones
_IMPORTED = (".py", ".so", ".pth", ".dist-info", ".egg-info")
_OUTSIDE = ("executor", "budget", "profile", "self_test", "contract")  # what they look at is not all in files

State: TypeAlias = list[int] | None
"""Size, inode, and the times of the last change of content and of status; None if there is no such file."""


@dataclass(frozen=True)
class Past:
    """A run as it ended, the state of the files that it was made from or has written, and what else it has read."""

    text: str
    code: int
    ended: str
    files: Mapping[str, State]
    others: Mapping[str, str]


@dataclass(frozen=True)
class Watch:
    """A command before its run: what it is known by, and the state of what its verdicts will be made from."""

    folder: Path
    key: str
    sources: Mapping[str, State]
    beside: frozenset[str]  # the folders of the files: what they offer to imports is part of the key

    def past(self) -> Past | None:
        """The last run of this command, if another would be the same; what cannot be read is no memory."""
        try:
            past = Past(**_memory(self.folder)[self.key])
            same = all(_state(name) == state for name, state in past.files.items()) and still(past.others)
        except (KeyError, TypeError, AttributeError):
            return None
        return past if same and self.sources.items() <= past.files.items() else None

    def noted(self, text: str, code: int, written: Iterable[Path], read: Mapping[str, str]) -> str | None:
        """The memory of the folder with this run: what it printed, its exit code, and the files that it has written.

        None if what it has read is not the same any more, or cannot be told to be. A new file in a folder from which it
        has imported may hide a module.
        """
        opened = {key.partition(" ")[2] for key in read if key.startswith(("file ", "source "))}
        folders = {os.path.dirname(path) for path in opened if path.endswith((*SOURCE_SUFFIXES, *BYTECODE_SUFFIXES))}
        found = {path: _state(path) for path in opened | (folders - self.beside)}
        if not still(read):
            return None
        files = found | {str(path): _state(str(path)) for path in written} | dict(self.sources)
        others = {key: value for key, value in read.items() if key.startswith(("folder ", "presence "))}
        past = Past(text, code, datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"), files, others)
        known = [(key, run) for key, run in _memory(self.folder).items() if key != self.key]
        return json.dumps(dict([*known, (self.key, asdict(past))][-MOST:]))


def watch(patterns: Sequence[str], options: Mapping[str, Any], terminal: Sequence[object]) -> Watch | None:
    """Look at what a command is about to judge; None if its run is not to be remembered.

    `terminal` is what the printed text depends on: whether there is one, its width and its colours. Of a folder or a
    glob all files are looked at. What uses data sets, a cluster, a device or the clock is not remembered.
    """
    named = [_named(pattern) for pattern in patterns]
    files = [file for some in named if some is not None for file in some]
    if (
        options["seed"] == "fresh"
        or options["device"] != "cpu"
        or any(options[name] for name in _OUTSIDE)
        or DATA_FOLDER in os.environ
        or None in named
        or len(files) > LARGEST
        or not os.path.isdir(os.curdir)
    ):
        return None
    out = Path(options["out"])
    beside = frozenset(os.path.dirname(os.path.realpath(file)) for file in files)
    known = [
        [list(patterns), [str(file) for file in files]],
        sorted((name, str(value)) for name, value in options.items()),
        sorted((name, value) for name, value in os.environ.items() if name not in PASSING),
        [
            _modules_in(Path(place), Path(os.path.realpath(out)))
            for place in (*sys.path, *sorted(beside))
            if os.path.isdir(place)
        ],
        [(path, _state(path)) for path in _package()],
        [os.getcwd(), sys.version, sys.executable, *terminal],
    ]
    key = hashlib.sha256(json.dumps(known).encode()).hexdigest()
    return Watch(out, key, {path: _state(path) for file in files for path in _reached(file)}, beside)


def _named(pattern: str) -> list[Path] | None:
    """The files that an argument names, none for a pattern of the ledger; None for what is no file, folder or glob."""
    place = pattern.partition("::")[0] if is_file(pattern) else pattern
    if os.path.isdir(place):
        return python_files(Path(place))
    if not is_file(pattern):
        return None if os.path.exists(place) else []
    if has_magic(place) and not os.path.exists(place):
        return globbed(place)
    return [Path(place)] if os.path.isfile(place) else None


def _reached(file: Path) -> Iterator[str]:
    """The user's file, and the modules of theirs that it imports."""
    yield os.path.realpath(file)
    with contextlib.suppress(SyntaxError, ValueError, OSError, RuntimeError):  # then the run says so
        yield from sorted(module.path for module in closure(file).siblings)


def _package() -> Iterator[str]:
    """Every file of this package."""
    for top in sorted(OURS):
        for folder, inner, names in os.walk(ROOT / top):
            inner[:] = sorted(name for name in inner if name != BYTECODE)
            yield from (f"{folder}/{name}" for name in sorted(names))


def _modules_in(folder: Path, out: Path) -> list[str]:
    """What a folder offers to imports, for a new module may hide another; results and bytecode are none.

    Libraries that were installed carry their versions in the names of their metadata. A folder that cannot be read
    offers nothing.
    """
    found: list[str] = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        found = [e.name for e in entries if (e.is_dir() and e.name.isidentifier()) or e.name.endswith(_IMPORTED)]
    return sorted(name for name in found if name != BYTECODE and folder / name != out)


def _state(path: str) -> State:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns]


def _memory(folder: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError, RecursionError):
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}
