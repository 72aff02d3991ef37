"""Who notices a mutant: oracle values, orderings between bounds, claims of the ledger; cheapest first."""

import inspect
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Protocol

from harness.language.registry import Claim
from harness.run.loading import ledger
from tests.bounds.orderings import orderings
from tests.helpers import bare_check
from tests.mutation.oracles import load_cases


class Killer(Protocol):
    """Looks at a module of bounds as it is now."""

    name: str

    def notices(self, module: str, name: str) -> str | None:
        """What is wrong with the module, where `name` is suspected; None if nothing is seen."""


class OracleKiller:
    """Compares every function of the module with its reference values, the suspect first."""

    name = "oracle"

    def __init__(self, folder: Path, *, seconds: float = 1.0) -> None:
        self.folder, self.seconds = folder, seconds

    def notices(self, module: str, name: str) -> str | None:
        cases = sorted(load_cases(self.folder, module), key=lambda case: case.function != name)
        return _first(lambda: (case.error(module) for case in cases), self.seconds)


class OrderingKiller:
    """Looks for a point of its range where an ordering, a limit or an identity between bounds breaks."""

    name = "ordering"

    def __init__(self, *, points: int = 48, seconds: float = 3.0) -> None:
        self.points, self.seconds = points, seconds

    def notices(self, module: str, name: str) -> str | None:
        del name  # an ordering compares several functions
        return _first(lambda: (ordering.broken(self.points) for ordering in orderings(module)), self.seconds)


class ClaimKiller:
    """Judges the claims that compute with the suspect, and compares their verdicts with the expected ones."""

    name = "claim"

    def __init__(self, *, effort: str = "quick", seed: int = 0) -> None:
        self.effort, self.seed = effort, seed

    def notices(self, module: str, name: str) -> str | None:
        for claim in claims_using(module, name):
            verdict = bare_check(claim, effort=self.effort, seed=self.seed)
            if verdict.as_expected is False or verdict.status == "ERROR":
                return f"{claim.key} ends {verdict.status}"
        return None


class OutOfTimeError(Exception):
    """A variant computes without end."""


def _first(errors: Callable[[], Iterator[str | None]], seconds: float) -> str | None:
    try:
        with time_limit(seconds):
            return next((error for error in errors() if error is not None), None)
    except OutOfTimeError:
        return f"takes more than {seconds:g} s, where all values together take milliseconds"


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the block after so much processor time; without effect where a platform has no such timer."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def expired(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    previous = signal.signal(signal.SIGVTALRM, expired)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def claims_using(module: str, name: str) -> Sequence[Claim]:
    """The claims of the ledger whose computation reaches a name of a module of bounds, those that do little else first.

    The first that notices ends the search, and a lemma about the suspect takes less time than an experiment with it.
    """
    using = [claim for claim in ledger() if (module, name) in _reached(claim.body)]
    return sorted(using, key=lambda claim: len(_reached(claim.body)))


@cache
def _reached(body: Callable[..., Any]) -> frozenset[tuple[str, str]]:
    """(module, name) of all functions and constants that a claim's body reaches inside the ledger and `bounds`."""
    found: set[tuple[str, str]] = set()
    waiting = [function for function in [body] if isinstance(function, FunctionType)]
    while waiting:
        function = waiting.pop()
        for name in _names(function.__code__):
            value: Any = function.__globals__.get(name)
            value = inspect.unwrap(value) if callable(value) else value
            if isinstance(value, FunctionType) and value.__module__.startswith(("bounds.", "harness.claims.")):
                if (value.__module__, value.__name__) not in found:
                    found.add((value.__module__, value.__name__))
                    waiting.append(value)
            elif isinstance(value, int | float):
                found |= {(home, name) for home in _homes(name, value)}
    return frozenset(found)


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _homes(name: str, value: object) -> list[str]:
    return [m for m, module in list(sys.modules.items()) if m.startswith("bounds.") and vars(module).get(name) is value]
