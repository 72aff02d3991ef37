"""A limit on what a block computes: heard by what catches everything, fatal to what hears nothing, gone afterwards."""

import hashlib
import itertools
import math
import signal
import threading
import time

import pytest

from harness.errors import WorkerLost
from harness.run.execution import Outcome
from harness.run.overdue import Overdue, _late, limited
from harness.run.workers import Workers


def stubborn() -> list[str]:
    """Computes until it is stopped, and catches that."""
    caught = []
    try:
        while True:
            math.sqrt(2.0)
    except Exception as error:
        caught.append(type(error).__name__)
    return caught


def test_a_limit_ends_a_block_that_catches_everything() -> None:
    """Computing counts, waiting does not; what a block raises by itself is raised."""
    with limited(0.2):
        time.sleep(0.4)
    with pytest.raises(Overdue), limited(0.05):
        stubborn()
    with pytest.raises(ZeroDivisionError), limited(5.0):
        _ = 1 / 0


def test_a_signal_that_comes_at_the_end_of_a_block_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another thread computing and a signal for every tick, some come while the limit is taken back."""
    monkeypatch.setattr("harness.run.overdue.AGAIN", 0.0002)
    reported: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    ended = threading.Event()

    def compute() -> None:
        while not ended.is_set():
            hashlib.sha256(bytes(1_000_000))

    other = threading.Thread(target=compute)
    other.start()
    try:
        for _ in range(100):
            with pytest.raises(Overdue), limited(0.002):
                stubborn()
            for timer in (signal.ITIMER_PROF, signal.ITIMER_VIRTUAL):
                assert signal.getitimer(timer) == (0.0, 0.0)
            assert signal.getsignal(signal.SIGPROF) is _late
    finally:
        ended.set()
        other.join()
    assert reported == []


def test_a_signal_below_the_end_of_a_block_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """`signal.signal` is a function of Python: a signal heard in it once ended `__exit__` half-way."""
    plain = signal.signal

    def signalled(number: int, handler: object) -> object:
        if handler is _late:
            signal.raise_signal(signal.SIGPROF)
        return plain(number, handler)  # type: ignore[arg-type]

    monkeypatch.setattr("signal.signal", signalled)
    with pytest.raises(Overdue), limited(5.0):
        pass
    assert signal.getsignal(signal.SIGPROF) is _late


def deaf(group: str) -> Outcome:
    """A loop in which no signal is heard."""
    with limited(0.1):
        sum(itertools.repeat(0))
    return Outcome({"group": group})


def test_a_block_that_never_comes_back_to_python_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.run.overdue.GRACE", 0.0)
    with Workers(1) as workers, pytest.raises(WorkerLost, match="SIGVTALRM"):
        workers.submit(deaf, "mine").result()
