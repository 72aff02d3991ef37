"""What a process costs besides its work: pages that the kernel clears, searches for garbage, threads that wait.

A judge makes arrays of some megabytes by the million, each gone before the next. By default they are given back at
once, or leave holes in the heap that the next one does not fit in, so that each is written to new pages; to have these
cleared may take longer than what is computed.
"""

import atexit
import contextlib
import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from typing import NoReturn

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST_KEPT = 2**28  # bytes of an array


def prefer_huge_pages() -> None:
    """Let torch ask for huge pages, unless the environment says otherwise; to be called before torch makes a tensor."""
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")


def prefer_one_thread() -> None:
    """Let OpenBLAS start no threads, unless the environment says otherwise; to be called before numpy is loaded.

    Claims are judged on one thread. Each of the pools of numpy and scipy would wait for work at full speed before it
    falls asleep, in every worker again.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def keep_memory() -> None:
    """Let glibc keep what is freed for the next array; other C libraries do as they do."""
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGEST_KEPT)
        library.mallopt(_M_TRIM_THRESHOLD, 2 * _LARGEST_KEPT)


@contextlib.contextmanager
def lasting() -> Iterator[None]:
    """What is made within, by imports for example, stays: no garbage is looked for in it, then or later.

    Of a second that it takes to import torch, a quarter goes into that.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def leave(code: int) -> NoReturn:
    """End this process in order, but let the kernel take apart what was imported: Python needs half a second for torch.

    What waits for the end is called, and the streams are written out. Threads that are no daemons are not waited for.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)
