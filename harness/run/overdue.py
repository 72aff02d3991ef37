"""A limit on what a block computes, as its own process counts it: a busy machine changes nothing."""

import signal
from types import FrameType, TracebackType
from typing import Any, Self

AGAIN = 0.1  # seconds after which a block that has caught the signal gets it once more
GRACE = 5.0  # seconds after which a process that has not even noticed, in a loop outside Python, is killed


class Overdue(Exception):  # noqa: N818  (what has happened, not what is wrong)
    """A block has computed for longer than it was given."""


def _late(_: int, frame: FrameType | None) -> None:
    """Hear a signal of a limit that is no more."""


class limited:  # noqa: N801  (used as a function)
    """Raise Overdue out of the block once it has computed for so many seconds, whatever is caught inside.

    For the main thread, and not nested. What the block was about to put back may not be. A block that does not come
    back to Python ends its process a little later.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.rung = seconds, False

    def __enter__(self) -> Self:
        self.before: Any = signal.signal(signal.SIGPROF, self._ring)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds + GRACE)  # its signal has nobody to hear it, and kills
        signal.setitimer(signal.ITIMER_PROF, self.seconds, AGAIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        # A signal that another thread is about to receive must not meet the default action, which ends the process,
        # nor none: Python reports one whose handler has gone.
        signal.signal(signal.SIGPROF, _late if self.before in (signal.SIG_DFL, signal.SIG_IGN) else self.before)
        if self.rung:
            raise Overdue from None

    def _ring(self, _: int, frame: FrameType | None) -> None:
        """Raise where the block runs, and nowhere below `__enter__`, `__exit__` or this: they have much to undo."""
        self.rung = True
        while frame is not None:
            if frame.f_code in UNDISTURBED:
                return
            frame = frame.f_back
        raise Overdue


UNDISTURBED = (limited.__enter__.__code__, limited.__exit__.__code__, limited._ring.__code__)
"""With all that they call: `signal.signal` is a function of Python."""
