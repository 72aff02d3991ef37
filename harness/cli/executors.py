"""Where tasks run, and the limits of time and memory for one claim."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from harness.cli.options import BYTES, measure, seconds
from harness.run.workers import Workers
from harness.run.workers.cluster import Cluster
from harness.run.workers.keeper import fork_keeper, spawn_keeper
from harness.settings import TIME_LIMIT

AT_HAND = 8
"""Calls per worker from which the next one is chosen, so that claims of one file follow each other in one worker."""


def limits(options: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of time and memory for one claim, from the command's options."""
    budget = 0.0 if options["budget"] is None else seconds("--budget", options["budget"])
    text = options["time_limit"]
    return {
        "time_limit": max(TIME_LIMIT, budget) if text is None else seconds("--time-limit", text),
        "memory_limit": int(measure("--memory-limit", options["memory_limit"], BYTES, "500M or 8G")),
    }


@contextmanager
def executor(
    jobs: int, address: str | None = None, *, device: str = "cpu", **limits: Any
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """An executor (worker processes or a Dask cluster), and a function for the number of tasks that keep it busy.

    Workers for a GPU descend from a process of their own: this one has asked for the GPU, and no child of it could.
    """
    if address is not None:
        with Cluster(address, **limits) as cluster:
            yield cluster, cluster.in_flight
        return
    with Workers(jobs, hire=spawn_keeper if device == "cuda" else fork_keeper, **limits) as workers:
        yield workers, lambda: AT_HAND * jobs
