"""Floors: the arithmetic that an algorithm cannot avoid, as bare library calls, and the ratio to it."""

import statistics
import time
from collections.abc import Callable

import torch
from threadpoolctl import threadpool_limits


def one_thread() -> None:
    """One thread for torch and for every BLAS that is loaded, for the rest of the process."""
    torch.set_num_threads(1)
    threadpool_limits(1)


def ratio(ours: Callable[[], object], floor: Callable[[], object], *, rounds: int = 5) -> float:
    """Median CPU time of `ours` over that of `floor`, the two run in turns after one unmeasured call of each."""
    times: dict[Callable[[], object], list[float]] = {ours: [], floor: []}
    for function in times:
        function()
    for _ in range(rounds):
        for function, seconds in times.items():
            start = time.process_time()
            function()
            seconds.append(time.process_time() - start)
    return statistics.median(times[ours]) / statistics.median(times[floor])


def multiply(*shapes: tuple[int, int, int], dtype: torch.dtype = torch.float64) -> Callable[[], None]:
    """Matrix products of the given shapes (rows, inner, columns) into memory that is already there."""
    jobs = [
        (torch.rand(a, b, dtype=dtype), torch.rand(b, c, dtype=dtype), torch.empty(a, c, dtype=dtype))
        for a, b, c in shapes
    ]

    def run() -> None:
        for left, right, out in jobs:
            torch.mm(left, right, out=out)

    return run


def multiply_and_turn(points: torch.Tensor, frequencies: torch.Tensor) -> Callable[[], None]:
    """All phases <w, x> by bare products and one cosine and sine pass, block by block in a second-level cache."""
    rows, columns = 1000, 256
    buffers = [points.new_empty(rows, columns) for _ in range(2)]

    def run() -> None:
        for block in points.split(rows):
            for some in frequencies.split(columns):
                phase, turned = (buffer[: len(block), : len(some)] for buffer in buffers)
                torch.mm(block, some.T, out=phase)
                torch.cos(phase, out=turned)
                torch.sin(phase, out=phase)

    return run
