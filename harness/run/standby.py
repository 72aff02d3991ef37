"""A process that stays behind while another does what the command does, for files whose import kills it.

A broken library, `os.abort` or too little memory end a process without a word, and no `except` sees it. So the command
forks before it has loaded anything, which takes a millisecond. The child does the work, and says in a page that both
share which user's file it is importing. If it dies of that, another child is forked, which takes the file for one that
does not import, judges the others, and says so. Otherwise the parent ends as its child does, passes on the signals
that are meant for it alone, and takes the child along if it is killed.
"""

import ctypes
import mmap
import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PAGE = 4096  # bytes: the longest name that a file can have
_PR_SET_PDEATHSIG = 1
_DEADLY = frozenset(
    {
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGKILL,
        signal.SIGSEGV,
        signal.SIGSYS,
        signal.SIGTRAP,
    }
)
_PASSED_ON = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2})
_BY_KERNEL = 0  # codes of signals above it: sent to all in front of the terminal, and so to the child as well

_fatal: dict[bytes, signal.Signals] = {}  # files whose import has killed a child, and how
_importing: mmap.mmap | None = None  # the page that says which file is being imported


def stand_by() -> None:
    """Return in a child of this process, which ends as the child does; here, where the system offers less than that."""
    global _importing  # noqa: PLW0603  (of the process)
    if sys.platform != "linux":
        return
    _importing = mmap.mmap(-1, _PAGE)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED_ON | {signal.SIGCHLD})
    parent = os.getpid()
    while (child := _forked()) != 0:
        status = _ended(child)
        file = _importing[:].rstrip(b"\0")
        if not file or -status not in _DEADLY or file in _fatal:
            _end_as(status)
        _fatal[file] = signal.Signals(-status)
        _importing[:] = bytes(_PAGE)
    if os.getpid() != parent:
        _die_with(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def importing(path: Path) -> Iterator[None]:
    """Say that a file is being imported within, for the case that this process dies of it."""
    if _importing is None:
        yield
        return
    before, _importing[:] = _importing[:], _name(path).ljust(_PAGE, b"\0")
    try:
        yield
    finally:
        _importing[:] = before


def died_of(path: Path) -> signal.Signals | None:
    """The signal that has killed a process of this command while it imported a file, if one has."""
    return _fatal.get(_name(path))


def _forked() -> int:
    """A child's id, or 0 for who has to do the work: the child, or this process where there can be none."""
    try:
        return os.fork()
    except OSError:
        return 0


def _name(path: Path) -> bytes:
    return os.fsencode(os.path.abspath(path))[:_PAGE]


def _ended(child: int) -> int:
    """Wait for the end of a child, and pass on what is sent to this process alone; the exit code, or minus a signal."""
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        news = signal.sigwaitinfo(_PASSED_ON | {signal.SIGCHLD})
        if news.si_signo != signal.SIGCHLD and news.si_code <= _BY_KERNEL:
            with suppress(ProcessLookupError):
                os.kill(child, news.si_signo)


def _end_as(status: int) -> None:
    """End as a child has ended, without a second core file."""
    if status >= 0:
        os._exit(status)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # one that cannot be caught
        signal.signal(-status, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-status})
    os.kill(os.getpid(), -status)
    os._exit(128 - status)


def _die_with(parent: int) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
