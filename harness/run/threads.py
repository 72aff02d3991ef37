"""The threads of the numerical libraries."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import torch
from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """The same sums in the same order for any number of workers."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with pools().limit(limits=1):
            yield
    finally:
        torch.set_num_threads(threads)


@cache
def pools() -> ThreadpoolController:
    """The thread pools of the numerical libraries of this process."""
    return ThreadpoolController()
