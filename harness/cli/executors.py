"""Where tasks run, and what one claim may take."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from harness.cli.options import BYTES, measure, seconds
from harness.run.workers import TIME_LIMIT, Workers
from harness.run.workers.cluster import Cluster


def limits(options: Mapping[str, Any]) -> dict[str, Any]:
    """What one claim may take."""
    budget = 0.0 if options["budget"] is None else seconds("--budget", options["budget"])
    text = options["time_limit"]
    return {
        "time_limit": max(TIME_LIMIT, budget) if text is None else seconds("--time-limit", text),
        "memory_limit": int(measure("--memory-limit", options["memory_limit"], BYTES, "500M or 8G")),
    }


@contextmanager
def executor(jobs: int, address: str | None = None, **limits: Any) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Where tasks run, in worker processes or on a Dask cluster, and how many keep it busy."""
    if address is not None:
        with Cluster(address, **limits) as cluster:
            yield cluster, cluster.in_flight
        return
    with Workers(jobs, **limits) as workers:
        yield workers, lambda: 2 * jobs
