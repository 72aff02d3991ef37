"""The parent's view of one worker: its sockets, what was sent, what was received, and its last output."""

import contextlib
import json
import os
import pickle
import secrets
import socket
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from harness.errors import clean
from harness.run.execution import Outcome
from harness.run.workers.places import WHERE, place, without_stack
from harness.run.workers.processes import schedule
from harness.run.workers.work import HEADER, TOKEN

LONGEST = 2**28  # bytes of an answer
TAIL, SHOWN = 2**14, 200  # bytes of output that are kept, and characters of these that are shown
CHUNK, CHUNKS = 2**18, 16  # bytes of output taken at a time, and how often in a row
MUCH = 2**18  # bytes of output between two charges, of which a worker waits for us to take them


class Garbled(Exception):  # noqa: N818  (as WorkerLost)
    """The reply does not belong to the request."""


@dataclass(eq=False)
class Job:
    """One call to make, for a group of calls that share limits, at a home of groups that share workers."""

    group: Hashable
    home: Hashable  # of its group, and of the others that it shares workers with
    function: Callable[..., Outcome]
    arguments: tuple[Any, ...]
    future: Future[Outcome] = field(default_factory=Future)
    alone: bool = False  # its worker was killed beside others: nothing else runs while it is tried again


class Channel:
    """Sockets to a worker. Nothing here blocks, whatever the worker does or does not."""

    def __init__(self, home: Hashable) -> None:
        self.home = home
        self.group: Hashable = None  # which it serves or has served last
        self.pid: int | None = None  # unknown until the keeper has forked it
        self.job: Job | None = None
        self.deaf = False  # it has closed its end, or is gone
        self.closed = False
        self.asked = 0.0  # when it was asked where it is; 0 for not
        self.waiting = 0.0  # seconds spent on the keeper's word about its start or its end
        self.tasks, self._far_tasks = socket.socketpair()
        self.output, self._far_output = socket.socketpair()
        for ours in (self.tasks, self.output):
            ours.settimeout(0.0)
        self._ran = self._delayed = 0.0
        self._printed = 0  # bytes since the last charge
        self._tail = b""
        self._token = b""
        self._inbox = bytearray()
        self._outbox = memoryview(b"")

    def request(self, keeper: socket.socket) -> None:
        """Ask the keeper for the process at the other end."""
        socket.send_fds(keeper, [b"+"], [self._far_tasks.fileno(), self._far_output.fileno()])
        self._far_tasks.close()
        self._far_output.close()

    def give(self, job: Job) -> None:
        """Begin to send a job; raises what pickling raises."""
        call = pickle.dumps((job.function, job.arguments))
        self.job, self.group = job, job.group
        self._token = secrets.token_hex(TOKEN // 2).encode()
        self._outbox = memoryview(len(call).to_bytes(HEADER, "big") + self._token + call)
        self.flush()

    def charge(self, passed: float) -> float:
        """How much of the time that has passed the worker must answer for.

        Not what it has waited for a core, nor, if it prints more than is taken from it, for that: then what it has run.
        A twentieth counts in any case, so that everything ends.
        """
        ran, delayed = schedule(self.pid) if self.pid is not None else (0.0, 0.0)
        own = passed - max(delayed - self._delayed, 0.0)
        if self._printed > MUCH and ran > self._ran:
            own = min(own, ran - self._ran)
        self._ran, self._delayed, self._printed = ran, delayed, 0
        return max(own, passed / 20.0)

    def flush(self) -> None:
        """Send what the worker takes now."""
        try:
            while self._outbox:
                self._outbox = self._outbox[self.tasks.send(self._outbox) :]
        except BlockingIOError:
            pass
        except OSError:  # it is gone: the keeper will say how
            self._outbox = memoryview(b"")

    @property
    def unsent(self) -> bool:
        return bool(self._outbox)

    def answer(self) -> Outcome | None:
        """The answer, once it is complete; sets `deaf` when none can come any more.

        Raises Garbled for anything else than one line with this job's token.
        """
        try:
            while data := self.tasks.recv(CHUNK):
                self._inbox += data
                if len(self._inbox) > LONGEST:
                    raise Garbled
            self.deaf = True
        except BlockingIOError:
            pass
        except OSError:
            self.deaf = True
        line, end, rest = self._inbox.partition(b"\n")
        if not end:
            return None
        self._inbox.clear()
        if rest or self.job is None or not line.startswith(self._token):
            raise Garbled
        try:
            return Outcome(**json.loads(bytes(line[TOKEN:])))
        except (ValueError, TypeError) as error:
            raise Garbled from error

    def drain(self) -> bool:
        """Take what was printed and keep its end; whether more may come."""
        try:
            for _ in range(CHUNKS):
                data = self.output.recv(CHUNK)
                if not data:
                    return False
                self._printed += len(data)
                self._tail = (self._tail + data)[-TAIL:]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def ask_where(self) -> None:
        """Have the worker print its stack, after what it has printed."""
        if self.pid is not None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, WHERE)
        self.asked = time.monotonic()

    def place(self) -> str:
        """Where it was when it was asked, for a sentence; empty where it has not said so, or not yet."""
        return place(self._tail.decode(errors="replace")) if self.asked else ""

    def last_words(self) -> str:
        """The end of what was printed, for a sentence."""
        text = self._tail.decode(errors="replace")
        text = clean(without_stack(text) if self.asked else text, TAIL)
        return f"; it had printed, at the end: {text[-SHOWN:]!r}" if text else ""

    def close(self) -> None:
        self.closed = True
        for each in self.sockets():
            each.close()

    def sockets(self) -> tuple[socket.socket, ...]:
        """All of the parent's ends, and the far ones until they are handed over."""
        return self.tasks, self.output, self._far_tasks, self._far_output
