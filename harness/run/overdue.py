"""A limit on what a block computes, as its own process counts it: a busy machine changes nothing."""

import math
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

AGAIN = 0.1  # seconds after which a block that has caught the signal gets it once more
GRACE = 5.0  # seconds after which a process that has not even noticed, in a loop outside Python, is killed


class Overdue(Exception):  # noqa: N818  (what has happened, not what is wrong)
    """A block has computed for longer than it was given."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Overdue out of the block once it has computed for so many seconds, whatever is caught inside.

    For the main thread, and not nested. What the block was about to put back may not be. A block that does not come
    back to Python ends its process a little later.
    """
    rung = False

    def ring(*_: Any) -> NoReturn:
        nonlocal rung
        rung = True
        raise Overdue

    before, limits = signal.signal(signal.SIGPROF, ring), resource.getrlimit(resource.RLIMIT_CPU)
    last = math.ceil(time.process_time() + seconds + GRACE)
    hard = limits[1]
    resource.setrlimit(resource.RLIMIT_CPU, (last if hard == resource.RLIM_INFINITY else min(last, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    except BaseException:
        if not rung:
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_CPU, limits)
    if rung:
        raise Overdue
