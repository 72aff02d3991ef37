"""State that a body must leave unchanged: process-wide settings that other results depend on, and library functions.

Each task of a claim is run inside `untouched`. A body that has changed a default, a generator or an error mode, or has
replaced a function, has no verdict: what was computed after it was computed by something else. Everything is put back,
so that claims judged later in the same process are judged as they would be alone. Functions are not compared after the
claims of this package, whose tests do it: to look at all of them costs a new process as much as a short claim.
"""

import contextlib
import decimal
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from harness.errors import ClaimError, SkipClaim
from harness.run.replaced import Entries, put_back

SEED = 0  # of the generators while a file is loaded
_RANDOM = "the random generator of "
_SMALLEST = [5e-324]
_BITS = 53  # of mpmath
_CLAIMS = Path(__file__).resolve().parents[1] / "claims"


class _Watched(NamedTuple):
    what: str
    get: Callable[[], Any]
    put: Callable[[Any], Any]
    matters: bool = True  # results depend on it; the rest is restored silently


def _put_device(device: torch.device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)


def _put_environment(before: dict[str, str]) -> None:
    for name in os.environ.keys() - before.keys():
        del os.environ[name]
    os.environ.update(before)


def _folder() -> str | None:
    with contextlib.suppress(OSError):
        return os.getcwd()
    return None


def _put_folder(before: str | None) -> None:
    if before is not None:
        with contextlib.suppress(OSError):
            os.chdir(before)


def _put_filters(before: list[Any]) -> None:
    warnings.filters[:] = before  # type: ignore[index]


def _decimals() -> tuple[Any, ...]:
    """Digits, rounding, range of exponents and traps; flags are what has happened, not what is set."""
    c = decimal.getcontext()
    return c.prec, c.rounding, c.Emin, c.Emax, c.capitals, c.clamp, tuple(c.traps.items())


def _put_decimals(before: tuple[Any, ...]) -> None:
    context, traps = decimal.getcontext(), before[-1]
    context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp = before[:-1]
    context.traps.update(traps)


def _determinism() -> tuple[bool, bool]:
    return torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()


def _put_determinism(before: tuple[bool, bool]) -> None:
    torch.use_deterministic_algorithms(before[0], warn_only=before[1])


def _numpy_state() -> tuple[Any, ...]:
    name, keys, *rest = tuple[Any, ...](np.random.get_state())  # noqa: NPY002
    return (name, keys.tobytes(), *rest)


def _put_numpy_state(before: tuple[Any, ...]) -> None:
    name, keys, *rest = before
    np.random.set_state((name, np.frombuffer(keys, dtype=np.uint32), *rest))  # noqa: NPY002


def _precision() -> int:
    """Of mpmath; as long as nobody has loaded it, what it begins with."""
    loaded = sys.modules.get("mpmath")
    return _BITS if loaded is None else int(loaded.mp.prec)


def _put_precision(bits: int) -> None:
    sys.modules["mpmath"].mp.prec = bits


_WATCHED = (
    _Watched("the default dtype of torch", torch.get_default_dtype, torch.set_default_dtype),
    _Watched("the default device of torch", torch.get_default_device, _put_device),
    _Watched("whether torch keeps gradients", torch.is_grad_enabled, torch.set_grad_enabled),
    _Watched("the number of threads of torch", torch.get_num_threads, torch.set_num_threads),
    _Watched(
        "the precision of torch's products", torch.get_float32_matmul_precision, torch.set_float32_matmul_precision
    ),
    _Watched("whether torch is deterministic", _determinism, _put_determinism),
    _Watched("what becomes of tiny numbers", lambda: _SMALLEST[0] * 1.0 == 0.0, torch.set_flush_denormal),
    _Watched("the error modes of numpy", np.geterr, lambda modes: np.seterr(**modes)),
    _Watched("the precision or the traps of decimal", _decimals, _put_decimals),
    _Watched("the precision of mpmath", _precision, _put_precision),
    _Watched(
        _RANDOM + "torch",
        lambda: torch.get_rng_state().numpy().tobytes(),
        lambda state: torch.set_rng_state(torch.frombuffer(bytearray(state), dtype=torch.uint8)),
    ),
    _Watched(_RANDOM + "numpy", _numpy_state, _put_numpy_state),
    _Watched(_RANDOM + "Python", random.getstate, random.setstate),
    _Watched("the folder", _folder, _put_folder, matters=False),
    _Watched("the environment", lambda: dict(os.environ), _put_environment, matters=False),
    _Watched("the filters of warnings", lambda: list(warnings.filters), _put_filters, matters=False),
    _Watched("the limit of recursion", sys.getrecursionlimit, sys.setrecursionlimit, matters=False),
)


_LASTING = tuple(watched for watched in _WATCHED if not watched.what.startswith(_RANDOM))


class Setting(NamedTuple):
    """What a file has set while it was imported, and what it was before."""

    watched: _Watched
    before: Any
    after: Any

    def enter(self) -> None:
        """Set it again."""
        self.watched.put(self.after)

    def leave(self) -> None:
        """Set what was there before, unless somebody else has set it meanwhile."""
        if self.watched.get() == self.after:
            self.watched.put(self.before)


@contextlib.contextmanager
def noticing(settings: list[Setting]) -> Iterator[None]:
    """Add to `settings` what is set within, to last."""
    before = [watched.get() for watched in _LASTING]
    try:
        yield
    finally:
        found = zip(_LASTING, before, [watched.get() for watched in _LASTING], strict=True)
        settings += [Setting(*each) for each in found if each[1] != each[2]]


def shipped(file: str) -> bool:
    """Whether a claim is one of this package."""
    return Path(file).is_relative_to(_CLAIMS)


@contextlib.contextmanager
def untouched(key: str, *, functions: bool = True) -> Iterator[None]:
    """Run a task of the claim `key`, and restore what it has changed; `functions` too, or settings only.

    Raises ClaimError, naming what was changed, when numbers depend on it. Where the task has been refused with a
    sentence already, that a random generator was used says less than the sentence.
    """
    values = [watched.get() for watched in _WATCHED]
    entries = Entries.of_judges() if functions else None
    complaint: BaseException | None = None
    try:
        yield
    except BaseException as error:
        complaint = error
    changed = [*_put_back(values), *(put_back(entries) if entries else [])]
    if isinstance(complaint, ClaimError):
        changed = [what for what in changed if not what.startswith(_RANDOM)]
    if changed and not isinstance(complaint, KeyboardInterrupt | SkipClaim):
        seeded = " (of scikit-learn by random_state=0)" if changed[0].startswith(_RANDOM) else ""
        raise ClaimError(
            f"claim {key!r} changes {changed[0]}, on which other results depend; take random numbers from `draw`, "
            f"fix the seeds of libraries{seeded}, and change nothing outside the body."
        ) from complaint
    if complaint is not None:
        raise complaint


@contextlib.contextmanager
def same_numbers() -> Iterator[None]:
    """Begin the random generators that a file may draw from at one place, and put them back where they were."""
    generators = [watched for watched in _WATCHED if watched.what.startswith(_RANDOM)]
    before = [generator.get() for generator in generators]
    torch.manual_seed(SEED)
    np.random.seed(SEED)  # noqa: NPY002
    random.seed(SEED)
    try:
        yield
    finally:
        for generator, state in zip(generators, before, strict=True):
            generator.put(state)


def _put_back(values: list[Any]) -> list[str]:
    changed = []
    for watched, before in zip(_WATCHED, values, strict=True):
        if watched.get() != before:
            watched.put(before)
            if watched.matters:
                changed.append(watched.what)
    return changed
