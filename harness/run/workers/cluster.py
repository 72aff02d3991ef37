"""An executor on a Dask cluster: each Dask worker judges as this machine would, in processes with the same limits.

A task carries a reference to its claim, which the worker's machine loads from the same path; where the source or a
library differs there, the claim is ERROR, since its rows would be another claim's. A Dask worker starts a keeper for
each run and sends claims to that keeper's workers, so that a body that ends its process costs its claim alone and not
the Dask worker, whose end Dask would blame on all that waited there.

A Dask worker that is gone costs time only: Dask hands its tasks to the others, and a task gives the same row anywhere.
"""

import asyncio
import contextlib
import itertools
import logging
import pickle
import secrets
import socket
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from harness.errors import ClusterLost, UsageError, WorkerLost, describe
from harness.run.closure import source_hashes
from harness.run.execution import Outcome
from harness.run.reference import ClaimReference
from harness.run.workers.keeper import spawn_keeper
from harness.run.workers.pool import Workers
from harness.settings import MEMORY_LIMIT, TIME_LIMIT

CONNECT = 5.0  # seconds until a scheduler has answered for the first time
PATIENCE = 60.0  # seconds without an answer of the scheduler, or without a worker
IDLE = 60.0  # seconds without a call, after which a Dask worker lets the processes of a run go
LOOK = 1.0  # seconds between two looks at the scheduler


@dataclass(frozen=True)
class Session:
    """One run on the cluster: what all its calls share."""

    time_limit: float
    memory_limit: int
    idle: float
    token: str = field(default_factory=lambda: secrets.token_hex(8))


class Cluster(Executor):
    """The workers of the Dask scheduler at `dask://HOST:PORT`.

    Parameters
    ----------
    address : of the scheduler.
    time_limit, memory_limit : of one claim, as for `Workers`; the times of its calls are summed over the cluster.
    patience : seconds without an answer of the scheduler, or without any worker, after which the run is given up.
    idle : seconds after which a Dask worker ends the processes of a run that sends nothing more.

    Raises UsageError when no scheduler answers.
    """

    def __init__(
        self,
        address: str,
        *,
        time_limit: float = TIME_LIMIT,
        memory_limit: int = MEMORY_LIMIT,
        patience: float = PATIENCE,
        idle: float = IDLE,
    ) -> None:
        self.address, self.patience = address, patience
        self.session = Session(time_limit, memory_limit, idle)
        self.threads = 1
        self.spent: dict[Hashable, float] = {}
        self._numbers = itertools.count()
        self._client = _client(address)
        self._loop = self._client.loop.asyncio_loop
        self._unpack = _unpacker()
        self._suspects = asyncio.Lock()
        self._asked: set[asyncio.Task[Any]] = set()
        self._trouble = ""
        self._watcher = asyncio.run_coroutine_threadsafe(self._watch(), self._loop)

    def in_flight(self) -> int:
        """How many tasks keep the cluster busy, as large as it is now."""
        return 2 * self.threads

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process on the cluster call `fn(*args)`, which returns an Outcome; `args[0]` is the group."""
        assert not kwargs
        call = pickle.dumps((answer, self.session, fn, args))
        return asyncio.run_coroutine_threadsafe(self._outcome(args[0], call), self._loop)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002
        """Cancel unfinished tasks and leave the cluster; its workers stay."""
        self._loop.call_soon_threadsafe(self._drop)
        with contextlib.suppress(OSError):  # it is gone
            self._client.close(timeout=CONNECT)

    def _drop(self) -> None:
        self._watcher.cancel()
        for task in self._asked:
            task.cancel()

    async def _outcome(self, group: Hashable, call: bytes) -> Outcome:
        """What the call gives; once more, and no other suspect beside it, when its workers have died repeatedly."""
        from distributed import KilledWorker  # noqa: PLC0415  (an optional dependency)

        try:
            found = await self._ask(call)
        except KilledWorker:
            async with self._suspects:
                try:
                    found = await self._ask(call)
                except KilledWorker:
                    found = WorkerLost("the Dask workers that judged it died, each time; it may be what kills them")
        if isinstance(found, WorkerLost):
            raise found
        spent = self.spent[group] = self.spent.get(group, 0.0) + found.seconds
        if spent > self.session.time_limit:
            late = f"stopped after {self.session.time_limit:g} s of --time-limit (all its cells together)"
            raise WorkerLost(late, spent)
        return found

    async def _ask(self, call: bytes) -> Outcome | WorkerLost:
        if self._trouble:
            raise ClusterLost(self._sentence(self._trouble))
        key = f"tightrope-{self.session.token}-{next(self._numbers)}"
        there = self._client.submit(self._unpack, call, key=key, pure=False)
        task = asyncio.ensure_future(there._result())
        self._asked.add(task)
        try:
            found: Outcome | WorkerLost = await task
        except (CancelledError, asyncio.CancelledError) as error:
            reason = self._trouble or "is gone, or has dropped what it was asked"
            raise ClusterLost(self._sentence(reason)) from error
        finally:
            self._asked.discard(task)
        return found

    def _sentence(self, reason: str) -> str:
        kept = "finished rows are kept, the same command continues from there, with or without --executor."
        return f"the Dask scheduler at {self.address} {reason}; {kept}"

    async def _watch(self) -> None:
        """Abandon the run if the scheduler has been silent, or without workers, for too long."""
        heard = staffed = time.monotonic()
        while not self._trouble:
            await asyncio.sleep(LOOK)
            try:
                info = await asyncio.wait_for(self._client.scheduler.identity(n_workers=0), self.patience)
            except OSError:
                if time.monotonic() - heard > self.patience:
                    self._trouble = f"has not answered for {self.patience:g} s"
                continue
            heard = time.monotonic()
            staffed = heard if info["n_workers"] else staffed
            self.threads = max(info["total_threads"], 1)
            if heard - staffed > self.patience:
                self._trouble = f"has had no worker for {self.patience:g} s"
        for task in tuple(self._asked):
            task.cancel()


def _unpacker() -> Callable[[bytes], Any]:
    """A function that travels as code: the scheduler reads what it passes on, and would stand still to load torch."""

    def unpack(call: bytes) -> Any:
        import pickle  # noqa: PLC0415  (nothing of this module goes along)

        function, *arguments = pickle.loads(call)
        return function(*arguments)

    return unpack


def _client(address: str) -> Any:
    """A client of the scheduler; one that is not there is noticed at once."""
    url = urlsplit(address)
    try:
        host, port = url.hostname, url.port
    except ValueError:
        host, port = None, None
    if url.scheme != "dask" or not host or not port or url.path.strip("/"):
        raise UsageError(f"--executor {address!r} must look like dask://HOST:PORT.")
    try:
        from distributed import Client  # noqa: PLC0415  (an optional dependency)
    except ImportError as error:
        raise UsageError("--executor dask:// needs the extra: pip install 'tightrope[cluster]'.") from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told in one sentence
    try:
        socket.create_connection((host, port), CONNECT).close()  # Dask would go on trying where nobody listens
        client: Any = Client
        return client(f"tcp://{url.netloc}", timeout=CONNECT, set_as_default=False)
    except OSError as error:
        raise UsageError(
            f"no Dask scheduler answers at {address} ({describe(error)}); start one with `dask scheduler` or check the "
            "address."
        ) from error


# on the cluster


@dataclass
class _Pool:
    """The processes of one run on this Dask worker."""

    workers: Workers
    calls: int = 0
    last: float = field(default_factory=time.monotonic)


_POOLS: dict[str, _Pool] = {}
_LOCK = threading.Lock()


def answer(session: Session, function: Callable[..., Outcome], arguments: tuple[Any, ...]) -> Outcome | WorkerLost:
    """A Dask task: have a process of the session make the call."""
    from distributed import Reschedule, get_worker  # noqa: PLC0415  (an optional dependency)

    here = get_worker()
    key = here.get_current_task()
    group, *others = arguments
    with _at_work(session, here.state.nthreads) as pool:
        outcome: Future[Outcome] = pool.workers.submit(judge, group, function, *others)
        while not wait([outcome], LOOK).done:
            if not _wanted(here, key):
                _close(session, pool)
                raise Reschedule  # elsewhere, if this worker alone goes
        try:
            return outcome.result()
        except WorkerLost as loss:
            return loss


def _wanted(here: Any, key: str) -> bool:
    """Whether this Dask worker goes on, and somebody waits for its task."""
    task = here.state.tasks.get(key)
    return here.status.name not in ("closing", "closed", "failed") and task is not None and task.state != "cancelled"


def judge(group: Hashable, function: Callable[..., Outcome], *others: Any) -> Outcome:
    """In a process for one claim: make the call, if the claim is the same here as where it comes from."""
    difference = _difference(group) if isinstance(group, ClaimReference) else None
    return Outcome(error=difference) if difference else function(group, *others)


@cache
def _difference(reference: ClaimReference) -> str | None:
    """Why this machine cannot judge the claim, in one sentence."""
    try:
        claim = reference.load()
        if source_hashes([claim])[claim.key] == reference.source:
            return None
        reason = f"{reference.file}, Tightrope or a library is not the same there"
    except Exception as error:
        reason = f"it cannot be loaded there: {describe(error).rstrip('.')}"
    return (
        f"claim {reference.key!r}: not judged by the cluster's machine {socket.gethostname()!r} ({reason}); share the "
        "file's folder under the same path and install the same versions."
    )


@contextlib.contextmanager
def _at_work(session: Session, jobs: int) -> Iterator[_Pool]:
    """The processes of a session, started at its first call here."""
    with _LOCK:
        if session.token not in _POOLS:
            _POOLS[session.token] = _open(session, jobs)
        pool = _POOLS[session.token]
        pool.calls += 1
    try:
        yield pool
    finally:
        with _LOCK:
            pool.calls -= 1
            pool.last = time.monotonic()


def _open(session: Session, jobs: int) -> _Pool:
    workers = Workers(jobs, time_limit=session.time_limit, memory_limit=session.memory_limit, hire=spawn_keeper)
    pool = _Pool(workers)
    threading.Thread(target=_close_when_idle, args=(session, pool), daemon=True).start()
    return pool


def _close_when_idle(session: Session, pool: _Pool) -> None:
    """End the processes of a session that sends nothing more; nobody may be there to say so."""
    idle = False
    while not idle:
        time.sleep(session.idle / 4.0)
        with _LOCK:
            idle = not pool.calls and time.monotonic() - pool.last > session.idle
            if idle:
                _forget(session, pool)
    pool.workers.shutdown()


def _close(session: Session, pool: _Pool) -> None:
    """End the processes of a session for which nobody waits."""
    with _LOCK:
        _forget(session, pool)
    pool.workers.shutdown()


def _forget(session: Session, pool: _Pool) -> None:
    if _POOLS.get(session.token) is pool:
        del _POOLS[session.token]
