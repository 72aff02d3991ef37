"""An executor whose workers are processes with limits: a claim that hangs, grows or dies affects only itself.

Calls whose first argument is equal form a group (the harness passes the claim first) and share workers: a worker serves
one group, or the groups of one `home` if they name one, and is killed, with all that it has started, when another needs
its place. Groups that spend more than the time limit over all their calls, whose worker with its descendants holds more
than the memory limit, or that end their process, get `WorkerLost` for what is in flight and for all later calls.

A worker that is killed from outside may be innocent: the kernel has run out of memory for another's sake, or somebody
has killed the keeper. Its call is tried once more, while nothing else runs.
"""

import contextlib
import socket
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import Any

from harness.errors import RunLost, describe, remedy
from harness.run.workers.channel import Job
from harness.run.workers.keeper import fork_keeper
from harness.run.workers.supervisor import Hire, Supervisor
from harness.settings import MEMORY_LIMIT, TIME_LIMIT


class Workers(Executor):
    """At most `jobs` calls at a time, each in a worker process that serves calls of its group only.

    Create it early: workers are forked from the process as it is then. They know what is imported; threads that have
    been started, and libraries that hold a GPU, do not survive a fork.

    Parameters
    ----------
    jobs : how many workers may be busy; as many more may wait for the next call of their group.
    time_limit : seconds that one group may spend, over all its calls; waiting for a core is not charged, where the
        system tells of it, so that a busy machine judges as an idle one does.
    memory_limit : bytes that one worker may hold, with all processes that it has started (where there is a /proc).
    hire : how the keeper is started: forked, or `harness.run.workers.keeper.spawn_keeper`.
    """

    def __init__(
        self,
        jobs: int,
        *,
        time_limit: float = TIME_LIMIT,
        memory_limit: int = MEMORY_LIMIT,
        hire: Hire = fork_keeper,
    ) -> None:
        self._ear, self._bell = socket.socketpair()
        self._ear.settimeout(0.0)
        self._bell.settimeout(0.0)
        self._new: deque[Job] = deque()
        self._open = set[Future[Any]]()  # not yet answered
        self._end: Exception = BrokenExecutor("the workers have been shut down")
        self._closed = False
        self._lock = threading.Lock()
        self._supervisor = Supervisor(jobs, time_limit, memory_limit, (self._ear, self._bell), hire)
        self._thread = threading.Thread(target=self._supervise, name="supervisor of workers", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker of the group `args[0]` call `fn(*args)`, which returns an Outcome.

        Groups whose attribute `home` is the same are served by the same workers, as far as possible by a single one:
        what one call has computed and kept is there for the next.
        Raises BrokenExecutor after a shutdown, and RunLost when the workers cannot go on.
        """
        group = args[0]
        job = Job(group, getattr(group, "home", group), partial(fn, **kwargs) if kwargs else fn, args)
        with self._lock:
            if self._closed:
                raise self._end
            self._open.add(job.future)
            self._new.append(job)
        job.future.add_done_callback(self._open.discard)
        self._ring()
        return job.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002
        """Kill every worker; what is not finished is cancelled."""
        with self._lock:
            self._closed = True
        self._ring()
        if wait:
            self._thread.join()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # it is ringing already, or nobody is there
            self._bell.send(b"!")

    def _supervise(self) -> None:
        try:
            while not self._closed:
                while self._new:
                    self._supervisor.add(self._new.popleft())
                self._supervisor.step()
        except Exception as error:  # of the system, or our own: whatever it has left undone, no caller waits for it
            self._end = RunLost(_sentence(error))
        finally:
            with self._lock:
                self._closed = True
            if isinstance(self._end, RunLost):
                self._release()
                with contextlib.suppress(Exception):  # what is left ends when our end of its stream is closed
                    self._supervisor.end()
            else:
                self._supervisor.end()
                self._release()
            self._ear.close()
            self._bell.close()

    def _release(self) -> None:
        """Tell all callers that nothing more comes."""
        for future in tuple(self._open):
            if future.running() or future.set_running_or_notify_cancel():
                future.set_exception(self._end)


def _sentence(error: Exception) -> str:
    advice = remedy(error, "report this") if isinstance(error, OSError) else "report this"
    kept = "finished rows are kept, the same command continues from there"
    return f"the worker processes cannot go on ({describe(error)}); {advice}; {kept}."
