"""What code has read while it was loaded or run: files, lists of what is in a folder, variables of the environment.

Python tells of every file that is opened, whoever opens it (`sys.addaudithook`), and the environment is an object of
Python's. What is read is noted by name, with a digest of what was found under it; it is the same later if the same is
found there. A process that is started, a connection, and a file that has changed between two looks say nothing that
could be found again: what depends on them is never the same. What belongs to Python, to an installed library or to this
package is not noted, since the versions of libraries and the sources of the package are known by other means. How old
a file is and what time it is are not noted either.
"""

import hashlib
import io
import linecache
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, wraps
from importlib.util import decode_source
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

from harness.origins import is_ours, library_folders

PASSING = frozenset({"_", "OLDPWD", "SHLVL"})  # what a shell changes from one command to the next
BYTECODE = "__pycache__"
UNKNOWN = "?"
_SYSTEM = ("/dev/", "/proc/", "/sys/")
_IMPORTS = "<frozen importlib"
_METADATA = f"importlib{os.sep}metadata"
_WHOLE = "*"
_ELSEWHERE = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "socket.connect"}
)
_EVENTS = _ELSEWHERE | {"open", "os.listdir", "os.scandir", "os.mkdir", "sqlite3.connect", "ctypes.dlopen"}

Inputs: TypeAlias = dict[str, str]
"""What was read, with a digest of it: "source PATH" for a file that was compiled, "file PATH" for one that was opened,
"folder PATH" for a list of names, "presence PATH", "variable NAME", and "here" for the current folder."""

LOADED: dict[str, Inputs] = {}
"""By the name of its module, what was read when a user's file of claims was loaded."""
BODIES: Inputs = {}
"""What the bodies of this process have read so far: all of them, for they may keep what they have read."""

_listening: list[tuple[Inputs, Inputs]] = []  # notes, and what is known beside: the judge reads sources again
_made = set[str]()  # files and folders that are this process's own
_set: dict[str, str] = {}  # variables that this process has given a value
_deaf = threading.local()


@contextmanager
def noting(found: Inputs, known: Inputs | None = None) -> Iterator[None]:
    """Note in `found` what is read within, but the sources that are `known` to be compiled."""
    _install()
    notes = (found, {} if known is None else known)
    _listening.append(notes)
    try:
        yield
    finally:
        _listening[:] = [each for each in _listening if each is not notes]


def still(found: Mapping[str, str]) -> bool:
    """Whether the same would be read now."""
    return all(value != UNKNOWN and now(key) == value for key, value in found.items())


def now(key: str) -> str:
    """What is found under a name, as a digest."""
    kind, _, name = key.partition(" ")
    if kind in ("file", "source"):
        return _file(name)
    if kind == "folder":
        return _listing(name)
    if kind == "presence":
        return "folder" if os.path.isdir(name) else "file" if os.path.exists(name) else "none"
    if kind == "variable":
        return _variable(name)
    return os.getcwd() if kind == "here" else UNKNOWN


def compiled(found: Mapping[str, str]) -> Inputs:
    """Of what was read, the files that were compiled, by their paths."""
    return {key.removeprefix("source "): value for key, value in found.items() if key.startswith("source ")}


def note(key: str, value: str) -> None:
    """Note something that was read; if it was something else before, it can never be found again.

    Of a file that was compiled the text is kept, for whoever asks for the source of its functions later.
    """
    kind, _, name = key.partition(" ")
    if kind == "source":
        _keep_text(name, value)
    for found, known in _listening:
        source = known.get(f"source {name}") if kind in ("file", "presence") else None
        if (source is None or source != _file(name)) and found.setdefault(key, value) != value:
            found[key] = UNKNOWN


def _keep_text(path: str, known: str) -> None:
    """Keep the text of a file that was compiled from bytes of this digest; none if it has become another meanwhile."""
    lines: list[str] = []
    with unheard(), suppress(OSError, SyntaxError, ValueError):
        content = Path(path).read_bytes()
        if digest(content) == known:
            lines = list(io.StringIO(decode_source(content)))
    linecache.cache[path] = (sum(map(len, lines)), None, lines, path)


def digest(content: bytes) -> str:
    """Of a file."""
    return hashlib.sha256(content).hexdigest()[:32]


def is_users(path: str) -> bool:
    """Whether a file is none of Python's, of an installed library or of this package."""
    return not f"{path}{os.sep}".startswith(library_folders()) and not is_ours(path) and not _recorded(path)


def _recorded(path: str) -> bool:
    """Whether a file was installed into a folder of its own choice (`pip install --target`), as its record says."""
    return any(path.startswith(f"{place}{os.sep}") and path in recorded(place) for place in sys.path if place)


@cache
def recorded(folder: str) -> frozenset[str]:
    """The files that the records of the distributions in a folder name."""
    found = set[str]()
    with unheard(), suppress(OSError):
        for record in Path(folder).glob("*.dist-info/RECORD"):
            lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
            found |= {os.path.join(folder, line.partition(",")[0].strip('"')) for line in lines}
    return frozenset(found)


def _file(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return "none"
    if not stat.S_ISREG(found.st_mode):
        return "folder" if stat.S_ISDIR(found.st_mode) else UNKNOWN
    return _content(path, found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)


@cache
def _content(path: str, *_state: int) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:32]
    except OSError as error:
        return f"{error.strerror}"


def _listing(folder: str) -> str:
    try:
        return digest(repr(sorted(name for name in os.listdir(folder) if name != BYTECODE)).encode())
    except OSError:
        return "none"


def _variable(name: str) -> str:
    values: Mapping[str, str] = dict(os.environ)
    if name != _WHOLE:
        return digest(values[name].encode(errors="surrogateescape")) if name in values else "none"
    lasting = sorted((name, value) for name, value in values.items() if name not in PASSING)
    return digest(repr(lasting).encode(errors="surrogateescape"))


def _hears() -> bool:
    """Whether anybody listens, and this thread is not looking for the notes themselves."""
    return bool(_listening) and getattr(_deaf, "here", True)


@contextmanager
def unheard() -> Iterator[None]:
    """What is read within is read for the notes."""
    before, _deaf.here = getattr(_deaf, "here", True), False
    try:
        yield
    finally:
        _deaf.here = before


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """The hook: it stays for the life of the process, and for that of its children."""
    if event not in _EVENTS or not _hears():
        return
    with unheard():
        if not _asked(sys._getframe(1), listed=event in ("os.listdir", "os.scandir")):
            return
        if event == "open":
            _opened(arguments[0], arguments[2])
        elif event in ("os.listdir", "os.scandir"):
            _read("folder", os.curdir if arguments[0] is None else arguments[0])
        elif event == "sqlite3.connect" or (event == "ctypes.dlopen" and os.sep in os.fsdecode(arguments[0] or "")):
            _read("file", arguments[0])
        elif event == "os.mkdir":
            _make(arguments[0])
        elif event in _ELSEWHERE:
            note(f"process {event}", UNKNOWN)


def _asked(frame: FrameType | None, *, listed: bool = False) -> bool:
    """Whether a user's code or ours reads, by itself or through a library: not a library that is being imported."""
    library = False
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_IMPORTS):
            if library or listed:
                return False
        elif file.startswith(library_folders()) and not is_ours(file):
            if _METADATA in file:
                return False
            library = True
        elif not file.startswith("<frozen ") and file != __file__:
            return True
        frame = frame.f_back
    return True


def _opened(name: Any, flags: int) -> None:
    if isinstance(name, int):  # a descriptor, which was opened before
        return
    path = os.fsdecode(name)
    if flags & os.O_TRUNC:
        _made.add(os.path.abspath(path))
    elif flags & os.O_EXCL:
        _make(path)
    elif flags & os.O_ACCMODE != os.O_WRONLY:
        _read("file", path)


def _make(name: Any) -> None:
    """Something is made, unless it is there."""
    if not os.path.lexists(path := os.path.abspath(os.fsdecode(name))):
        _made.add(path)


def _read(kind: str, name: Any) -> None:
    if not isinstance(name, str | bytes | os.PathLike):  # an open descriptor: of a folder, whose name is not known
        note(f"{kind} {name}", UNKNOWN)
        return
    path = os.fsdecode(name)
    place = os.path.abspath(path)
    if (
        place.startswith(_SYSTEM)
        or not is_users(place)
        or not _made.isdisjoint((place, *map(str, Path(place).parents)))
    ):
        return
    note(f"{kind} {place}", now(f"{kind} {place}"))
    if not os.path.isabs(path) and any(f"{kind} {place}" in found for found, _ in _listening):
        note("here", os.getcwd())


def _noticed(look: Callable[..., Any]) -> Callable[..., Any]:
    """A look at whether something is there, which is no event of Python's."""

    @wraps(look)
    def noticed(path: Any, *arguments: Any, **options: Any) -> Any:
        if _hears() and not isinstance(path, int):
            with unheard():
                if _asked(sys._getframe(1)):
                    _read("presence", path)
        return look(path, *arguments, **options)

    return noticed


class _Environment(type(os.environ)):  # type: ignore[misc]
    """The environment, which notes what is asked of it."""

    def __getitem__(self, key: Any) -> Any:
        self._note(os.fsdecode(key))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        self._note(_WHOLE)
        return iter(list(super().__iter__()))

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if _listening:
            with unheard():
                _set[os.fsdecode(key)] = _variable(os.fsdecode(key))

    def _note(self, name: str) -> None:
        if _hears():
            with unheard():
                value = _variable(name)
                if _set.get(name) != value and _asked(sys._getframe(1)):
                    note(f"variable {name}", value)


@cache
def _install() -> None:
    sys.addaudithook(_heard)
    for name in ("stat", "lstat", "access"):
        before = getattr(os, name)
        noticed = _noticed(before)
        setattr(os, name, noticed)
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if before in able:
                able.add(noticed)
    for environment in (os.environ, os.environb):
        environment.__class__ = _Environment
