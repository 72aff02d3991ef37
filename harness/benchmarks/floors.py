"""Floors: the arithmetic that an algorithm cannot avoid, as bare library calls into memory that is there.

Beside the benchmarks, which take nothing else of this package: asv runs those of today on the algorithms of any commit.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from scipy.linalg import blas
from threadpoolctl import threadpool_limits
from torch import Tensor

Call = Callable[[], object]

_ROWS, _COLUMNS = 1000, 256
"""A block of phases that stays in a second-level cache."""


def one_thread() -> None:
    """One thread for torch and for every BLAS that is loaded, for the rest of the process."""
    torch.set_num_threads(1)
    threadpool_limits(1)


@contextmanager
def threads(count: int) -> Iterator[None]:
    """So many threads for torch and for every BLAS that is loaded."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with threadpool_limits(count):
            yield
    finally:
        torch.set_num_threads(before)


def ratio(ours: Call, floor: Call, *, rounds: int = 5, seconds: float = 3.0) -> float:
    """Processor time of `ours` over that of `floor`: the median over turns of one call of each, which share the load.

    After one call of each that is not measured, at least so many rounds, and more until they took so many seconds.
    """
    calls = (ours, floor)
    for call in calls:
        call()
    ratios: list[float] = []
    start = time.process_time()
    while len(ratios) < rounds or time.process_time() - start < seconds:
        first, second = (_processor_time(call) for call in calls)
        ratios.append(first / second)
    return statistics.median(ratios)


def _processor_time(call: Call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def in_turn(*calls: Call) -> Call:
    """All of them, one after the other."""

    def run() -> None:
        for call in calls:
            call()

    return run


def multiply(*shapes: tuple[int, int, int], dtype: torch.dtype = torch.float64) -> Call:
    """Matrix products of the given shapes (rows, inner, columns)."""
    jobs = [
        (torch.ones(a, b, dtype=dtype), torch.ones(b, c, dtype=dtype), torch.empty(a, c, dtype=dtype))
        for a, b, c in shapes
    ]

    def run() -> None:
        for left, right, out in jobs:
            torch.mm(left, right, out=out)

    return run


def symmetric_update(rows: int, columns: int) -> Call:
    """``Z^T Z`` of a float64 matrix, one triangle of it: half the arithmetic of a product."""
    features, gram = np.ones((rows, columns)), np.zeros((columns, columns))
    return lambda: blas.dsyrk(1.0, features.T, beta=0.0, c=gram.T, lower=1, overwrite_c=1)


def multiply_and_turn(points: Tensor, frequencies: Tensor) -> Call:
    """All phases <w, x> by bare products and one cosine and sine pass, block by block in a second-level cache."""
    buffers = [points.new_empty(_ROWS, _COLUMNS) for _ in range(2)]

    def run() -> None:
        for block in torch.split(points, _ROWS):
            for some in torch.split(frequencies, _COLUMNS):
                phase, turned = (buffer[: len(block), : len(some)] for buffer in buffers)
                torch.mm(block, some.T, out=phase)
                _turn(phase, turned)

    return run


def _turn(phase: Tensor, turned: Tensor) -> None:
    """Cosines and sines by whichever library is faster: numpy in single precision with AVX-512, on one thread."""
    wide = torch.backends.cpu.get_cpu_capability() == "AVX512"
    if phase.dtype == torch.float32 and wide and torch.get_num_threads() == 1:
        np.cos(phase.numpy(), out=turned.numpy())
        np.sin(phase.numpy(), out=phase.numpy())
    else:
        torch.cos(phase, out=turned)
        torch.sin(phase, out=phase)


def two_products_and_turns(points: Tensor, frequencies: Tensor) -> Call:
    """The floor of a gradient: phases, one cosine and sine pass, one product back, block by block in a second cache."""
    buffers = [points.new_empty(_ROWS, _COLUMNS) for _ in range(2)]
    back = torch.zeros_like(frequencies)

    def run() -> None:
        for block in torch.split(points, _ROWS):
            for some, out in zip(torch.split(frequencies, _COLUMNS), torch.split(back, _COLUMNS), strict=True):
                phase, turned = (buffer[: len(block), : len(some)] for buffer in buffers)
                torch.mm(block, some.T, out=phase)
                _turn(phase, turned)
                out.addmm_(phase.T, block)

    return run


def hadamard_products(rows: int, left: int, right: int, count: int, *, dtype: torch.dtype) -> Call:
    """`count` times the products of rows of left x right numbers with two square matrices, in a second-level cache."""
    block = max(1, 2**17 // (left * right))
    first, second = torch.ones(left, left, dtype=dtype), torch.ones(right, right, dtype=dtype)
    some, other = torch.ones(2, block, left, right, dtype=dtype)

    def run() -> None:
        for _ in range(-(-rows // block) * count):
            torch.mm(some.view(-1, right), second, out=other.view(-1, right))
            torch.matmul(first, other, out=some)
            some.fill_(1.0)

    return run
