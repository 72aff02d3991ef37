"""Measure the overhead of a task on a cluster: `python -m harness.run.workers.overhead dask://HOST:PORT`."""

import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from harness.run.execution import Outcome
from harness.run.workers.cluster import Cluster


@dataclass(frozen=True)
class Overhead:
    """Seconds: until the first empty task is back, for each of those that follow one by one, and on a busy cluster."""

    first: float
    alone: float
    busy: float


def empty(group: str) -> Outcome:
    """No work at all."""
    return Outcome({"group": group})


def overhead(address: str, tasks: int) -> Overhead:
    """Measure the overhead of tasks on the cluster at `address`, on the average of `tasks`."""
    with Cluster(address) as cluster:

        def submit() -> Future[Outcome]:
            return cluster.submit(empty, "empty")

        def fill() -> None:
            waiting = deque(submit() for _ in range(cluster.in_flight()))
            for _ in range(tasks):
                waiting.popleft().result()
                waiting.append(submit())
            for future in waiting:
                future.result()

        first = _seconds(lambda: submit().result())
        fill()  # every Dask worker has its processes now
        alone = _seconds(lambda: [submit().result() for _ in range(tasks)])
        return Overhead(first, alone / tasks, _seconds(fill) / (tasks + cluster.in_flight()))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    from harness.run.workers.overhead import overhead as measure  # under a name that the cluster knows

    found = measure(sys.argv[1], tasks=200)
    each = f"{1e3 * found.alone:.1f} ms one by one, {1e3 * found.busy:.1f} ms on a busy cluster"
    print(f"the first task {found.first:.1f} s, then {each}")
