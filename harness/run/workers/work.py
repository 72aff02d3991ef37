"""A worker: one process that runs the tasks of one claim, isolated from the rest of the run."""

import contextlib
import json
import os
import pickle
import resource
import signal
import socket
import sys
import threading
from typing import Any, NoReturn

from harness.errors import describe
from harness.run.memory import keep_memory
from harness.run.workers.places import WHERE, answer_where
from harness.run.workers.processes import adopt_orphans, die_with_parent

HEADER = 8  # bytes that hold the length of a task
TOKEN = 16  # bytes that an answer repeats, so that what a body writes by accident is not taken for one


def work(keeper: int, tasks: int, output: int) -> NoReturn:
    """Serve tasks from the descriptor `tasks` until it ends; everything printed goes to `output`."""
    try:
        _begin(keeper, tasks, output)
    except OSError as error:  # too few descriptors, for example
        os.write(output, describe(error).encode())
        raise
    own = os.getpid()
    with socket.socket(fileno=tasks) as stream, stream.makefile("rb") as incoming:
        while header := incoming.read(HEADER):
            token = incoming.read(TOKEN)
            function, arguments = pickle.loads(incoming.read(int.from_bytes(header, "big")))
            line = _answer(function, arguments)
            if os.getpid() != own:  # a body has forked, and both have come back
                break
            stream.sendall(token + line + b"\n")
    os._exit(0)


def _begin(keeper: int, tasks: int, output: int) -> None:
    os.setsid()  # a group to kill, and no terminal
    _leave_with(keeper)
    adopt_orphans()
    _limit()
    keep_memory()
    _shut_off(tasks, output)
    answer_where(2)


def _answer(function: Any, arguments: Any) -> bytes:
    """The function's outcome as one line of JSON; whatever it raises is an outcome too."""
    try:
        return json.dumps(vars(function(*arguments))).encode()
    except BaseException as error:
        return json.dumps({"error": f"the judge raised {describe(error)}"}).encode()


def _leave_with(keeper: int) -> None:
    """End with the keeper: by the kernel on Linux, elsewhere by a thread that sees its parent change."""
    die_with_parent(keeper)
    if sys.platform != "linux":
        threading.Thread(target=_watch, args=(keeper,), daemon=True).start()


def _watch(keeper: int) -> None:
    while os.getppid() == keeper:
        threading.Event().wait(0.5)
    os._exit(1)


def _limit() -> None:
    """No core files; and where memory runs out, the kernel takes workers first."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(descriptor, b"1000")
        os.close(descriptor)


def _shut_off(tasks: int, output: int) -> None:
    """Default signals, output to the parent alone, and nothing behind any other descriptor of the parent's."""
    signal.set_wakeup_fd(-1)
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE, WHERE}:
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    for standard in (1, 2):
        os.dup2(output, standard)
    for name in os.listdir("/dev/fd"):
        if int(name) not in (0, 1, 2, tasks):
            with contextlib.suppress(OSError):
                os.dup2(nothing, int(name), inheritable=False)
    sys.stdin, sys.stdout, sys.stderr = (_text(descriptor, mode) for descriptor, mode in ((0, "r"), (1, "w"), (2, "w")))


def _text(descriptor: int, mode: str) -> Any:
    """A standard stream that stays open."""
    return os.fdopen(descriptor, mode, buffering=1, encoding="utf-8", errors="replace", closefd=False)
