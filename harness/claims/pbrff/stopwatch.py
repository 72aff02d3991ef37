"""Processor time of two routines, measured side by side."""

import time
from collections.abc import Callable


def time_ratio(slow: Callable[[], object], fast: Callable[[], object], *, rounds: int = 7) -> float:
    """Processor time of the first routine over that of the second: the best of each, over rounds that interleave them.

    The minimum is what a routine costs undisturbed; interleaving exposes both to the same disturbances.
    """

    def seconds(routine: Callable[[], object]) -> float:
        start = time.process_time()
        routine()
        return time.process_time() - start

    pairs = [(seconds(slow), seconds(fast)) for _ in range(rounds)]
    return min(first for first, _ in pairs) / max(min(second for _, second in pairs), 1e-9)
