"""System services for groups of processes: death signals, adoption of orphans, process trees, memory.

Death signals and adoption are Linux's; trees and memory are read from /proc. Elsewhere the functions find nothing, and
what a pipe tells (see `harness.run.workers.keeper`) has to do.
"""

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")
ROUNDS = 50  # of killing what has appeared meanwhile


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process as soon as its `parent` is gone; at once if it is gone already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def outlive_parent() -> None:
    """Take `die_with_parent` back."""
    _prctl(_PR_SET_PDEATHSIG, 0)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that forking twice is no escape."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def children(pid: int) -> list[int]:
    """The children of a process, of all its threads."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def tree(pid: int) -> Iterator[int]:
    """A process and its descendants, parents first."""
    yield pid
    for child in children(pid):
        yield from tree(child)


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        os.kill(pid, 0)
        return (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except ProcessLookupError:
        return False
    except OSError:
        return sys.platform != "linux"


def kill_tree(pid: int) -> None:
    """Kill a process, its group and its descendants, whatever session they have moved to.

    Parents are stopped before their children are listed, so that none appears behind our back.
    """
    for _ in range(ROUNDS):
        family = []
        for member in tree(pid):
            _send(member, signal.SIGSTOP)
            family.append(member)
        if all(member in family for member in tree(pid)):
            break
    with contextlib.suppress(OSError):
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
    for member in reversed(family):
        _send(member, signal.SIGKILL)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def memory(pid: int, above: int) -> int:
    """Bytes of memory that a process and its descendants hold: resident, and where that exceeds `above`, exactly.

    Pages that several processes share count for each in the first figure, and in equal parts in the exact one.
    """
    family = list(tree(pid))
    resident = sum(map(_resident, family))
    return resident if resident <= above else sum(map(_proportional, family))


def schedule(pid: int) -> tuple[float, float]:
    """Seconds that a process has run, and that it has waited for a core while it could have; 0 where nothing tells."""
    try:
        ran, waited = (_PROC / str(pid) / "schedstat").read_bytes().split()[:2]
        return int(ran) / 1e9, int(waited) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0


def _resident(pid: int) -> int:
    try:
        return int((_PROC / str(pid) / "statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        for line in (_PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, IndexError):
        pass
    return _resident(pid)
