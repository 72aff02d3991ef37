"""Bodies that do not come back, or take more than their share: loops, sleeps, stops, threads, leaks."""

import ctypes
import os
import re
import signal
import threading
import time

import numpy as np
import torch

from harness import always, claim


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("hanging/loop", always())
def loop(forall):
    """Loops for ever."""
    while True:
        pass


@claim("hanging/sleep", always())
def sleep(forall):
    """Sleeps for an hour."""
    time.sleep(3600.0)
    return _unit(forall), 1.0


@claim("hanging/stop", always())
def stop(forall):
    """Stops its own process."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return _unit(forall), 1.0


@claim("hanging/backtracking", always())
def backtracking(forall):
    """Never gives the interpreter back: one call into C that takes for ever."""
    re.match(r"(a+)+$", "a" * 60 + "b")
    return _unit(forall), 1.0


@claim("hanging/swallows", always())
def swallows(forall):
    """Catches everything and begins anew."""
    while True:
        try:
            time.sleep(3600.0)
        except BaseException:
            continue


@claim("hanging/deaf", always())
def deaf(forall):
    """Ignores every signal that can be ignored, and loops."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(0.1)


@claim("hanging/joins-a-thread", always())
def joins_a_thread(forall):
    """Waits for a thread that never ends."""
    thread = threading.Thread(target=threading.Event().wait)
    thread.start()
    thread.join()


@claim("hanging/lock", always())
def lock(forall):
    """Waits for itself."""
    twice = threading.Lock()
    twice.acquire()
    twice.acquire()


@claim("hanging/waits-for-input", always())
def waits_for_input(forall):
    """Asks the user."""
    return _unit(forall), float(input("right side? "))


@claim("hanging/reads-a-pipe", always())
def reads_a_pipe(forall):
    """Reads what nobody writes."""
    os.read(os.pipe()[0], 1)


@claim("hanging/slow-later", always())
def slow_later(forall):
    """Is quick on the few instances of the first check, and slow on the batches of the search."""
    x = _unit(forall)
    if len(x) > 16:
        time.sleep(3600.0)
    return x, 1.0


@claim("hanging/leak", always())
def leak(forall):
    """Keeps more with every round."""
    kept = []
    while True:
        kept.append(np.ones(2**22))


@claim("hanging/allocation", always())
def allocation(forall):
    """Asks for 16 GB at once and writes into them."""
    return _unit(forall), torch.ones(2**31, dtype=torch.float64).sum()


@claim("hanging/leaks-in-children", always())
def leaks_in_children(forall):
    """Three children with 600 MB each: none is beyond the limit by itself."""
    for _ in range(3):
        if os.fork() == 0:
            kept = np.ones(75 * 2**20)
            time.sleep(3600.0)
            os._exit(int(kept[0]))
    time.sleep(3600.0)


@claim("hanging/hidden-memory", always())
def hidden_memory(forall):
    """Takes memory that Python does not know of."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while True:
        ctypes.memset(libc.malloc(ctypes.c_size_t(2**25)), 1, 2**25)
