"""The keeper: a process forked from the parent before any work, which forks one worker per request and reaps it.

The parent has imported everything and computed nothing when it forks the keeper, so workers start warm within
milliseconds, and nothing that one of them does to itself reaches another. Parent and keeper share one stream: a byte
with two descriptors asks for a worker; lines of JSON say `{"ready": pid}` once, then `{"started": pid}` and
`{"ended": pid, "status": code}`. When the stream ends, because the parent is gone or wants no more, the keeper kills
all that is below it and ends.
"""

import contextlib
import gc
import json
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from typing import NoReturn

from harness.run.execution import warm
from harness.run.workers.places import WHERE
from harness.run.workers.processes import adopt_orphans, children, die_with_parent, kill_tree, outlive_parent
from harness.run.workers.work import work

PATIENCE = 10.0  # seconds to see everything dead at the end


def fork_keeper(foreign: Iterable[socket.socket] = ()) -> tuple[int, socket.socket]:
    """Fork a keeper; returns its process id and the parent's end of the stream.

    `foreign` are the parent's other sockets, which the keeper must not hold open.
    """
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            for other in (ours, *foreign):
                other.close()
            _Keeper(theirs, parent).keep()
        finally:
            os._exit(1)
    theirs.close()
    return pid, ours


def spawn_keeper(_foreign: Iterable[socket.socket] = ()) -> tuple[int, socket.socket]:
    """Start a keeper as a program of its own, as `fork_keeper` does; for a process whose threads a fork would lose.

    Its end of the stream is its standard input.
    """
    ours, theirs = socket.socketpair()
    code = f"import sys; sys.path[:] = {sys.path!r}; from harness.run.workers.keeper import serve; serve({os.getpid()})"
    stream = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 0)]
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ, file_actions=stream)
    theirs.close()
    return pid, ours


def serve(parent: int) -> NoReturn:
    """Be the keeper of the process that has started this one."""
    _Keeper(socket.socket(fileno=0), parent).keep()


class _Keeper:
    def __init__(self, stream: socket.socket, parent: int) -> None:
        self.stream, self.parent = stream, parent
        self.workers: set[int] = set()

    def keep(self) -> NoReturn:
        """Serve requests until the stream ends."""
        os.setsid()  # Ctrl-C is for the parent
        signal.signal(WHERE, signal.SIG_IGN)  # until a worker can answer
        adopt_orphans()
        die_with_parent(self.parent)  # while it does not listen, and has nobody to take along
        with contextlib.suppress(ImportError):
            warm()
        outlive_parent()
        self._tell(ready=os.getpid())
        gc.freeze()  # a collection would copy every page that workers share
        with _wakeups() as bell, selectors.DefaultSelector() as selector:
            selector.register(self.stream, selectors.EVENT_READ)
            selector.register(bell, selectors.EVENT_READ)
            with contextlib.suppress(OSError):
                while self._step(selector, bell):
                    pass
            self._end()
        os._exit(0)

    def _step(self, selector: selectors.BaseSelector, bell: socket.socket) -> bool:
        ready = {key.fileobj for key, _ in selector.select()}
        if bell in ready:
            bell.recv(4096)
        if self.stream in ready:
            data, descriptors, *_ = socket.recv_fds(self.stream, 1, 2)
            if not data:
                return False
            self._start(*descriptors)
        self._bury()
        return True

    def _start(self, tasks: int, output: int) -> None:
        keeper = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                work(keeper, tasks, output)
            finally:
                os._exit(1)
        os.close(tasks)
        os.close(output)
        self.workers.add(pid)
        self._tell(started=pid)

    def _tell(self, **fields: int) -> None:
        self.stream.sendall(json.dumps(fields).encode() + b"\n")

    def _bury(self) -> None:
        """Report workers that have ended, and kill what they have left behind."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid in self.workers:
                self.workers.discard(pid)
                self._tell(ended=pid, status=os.waitstatus_to_exitcode(status))
            elif pid == 0:
                strays = [child for child in children(os.getpid()) if child not in self.workers]
                for stray in strays:
                    kill_tree(stray)
                return

    def _end(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for child in {*self.workers, *children(os.getpid())}:
                kill_tree(child)
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            self.workers.discard(pid)
            if pid == 0:
                time.sleep(0.005)


@contextlib.contextmanager
def _wakeups() -> Iterator[socket.socket]:
    """A socket that is ready after the death of a child; signals mean here what they mean by default."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL if number != signal.SIGPIPE else signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bell, rope = socket.socketpair()
    bell.settimeout(0.0)
    rope.settimeout(0.0)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(rope.fileno(), warn_on_full_buffer=False)
    with bell, rope:
        yield bell
        signal.set_wakeup_fd(-1)
