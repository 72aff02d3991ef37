"""Hostile arguments for every public function: what is drawn, what is called, and what counts as a silent failure."""

import inspect
import math
import re
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import FrameType
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
import torch

from signatures.domains import Elementwise, Interval, Options, Plain, Series

Function = Callable[..., Any]
NUMBERS: tuple[Any, ...] = (
    *(0, 0.0, -0.0, 1, -1, 2, -0.5, 0.5, 1.0, 3.7, math.nan, math.inf, -math.inf, 1e300, -1e300, 1e-300, 1e154, 1e-160),
    *(5e-324, 1.7976931348623157e308, 10**400, -(10**400), 10**18, 2**63, 10**12, 1e16, 0.9999999999999999, 1 + 3e-16),
    *(Fraction(1, 3), Fraction(1, 10**400), Fraction(10**400), np.float16(0.5), np.float32(0.3), np.float64(0.7)),
    *(np.int8(100), np.int64(3), np.int64(2**62)),
)
JUNK: tuple[Any, ...] = (
    *(True, False, "0.5", "x", b"1", None, [], [1.0], (1,), {}, {1}, 1j, 1 + 0j, object(), len, float, np.bool_(1)),
    *(np.array(["a"]), np.array([1j]), np.array([True]), np.array([None]), np.datetime64("2020-01-01")),
    *(torch.tensor([True]), torch.tensor(1j)),
)
"""Arguments of a kind that no number has."""
SECONDS = 5.0
"""Longest that one call may take."""


class Late(BaseException):
    """Raised by the alarm inside a call that does not end."""


def domain_of(annotation: Any) -> Any:
    """What an annotation declares: a domain, the options of a Literal, or None."""
    if get_origin(annotation) is Annotated:
        return next((mark for mark in annotation.__metadata__ if hasattr(mark, "acceptor")), None)
    if get_origin(annotation) is Literal:
        return Options(get_args(annotation))
    inner = [part for part in get_args(annotation) if part is not type(None)]
    return domain_of(inner[0]) if len(inner) == 1 else Plain("(-inf, inf)", whole=True) if annotation is int else None


def number(domain: Plain | Elementwise, rng: np.random.Generator) -> Any:
    """An ordinary number of a domain: of the order of one where that lies inside, more rarely of many orders."""
    span = Interval(domain.interval)
    low, high = max(span.low, -3.0), min(span.high, 1e3)
    if isinstance(domain, Plain) and domain.whole:
        return int(rng.integers(math.ceil(low), min(high, max(low + 30, 40)) + 1))
    if low >= 0 and high > 1:
        value = math.exp(rng.uniform(math.log(max(low, 1e-3)), math.log(min(high, max(low, 1e-3) * 1e4))))
        return min(max(value, span.low), span.high)
    return float(rng.uniform(low, high))


def ordinary(function: Function, rng: np.random.Generator) -> dict[str, Any]:
    """Arguments drawn from the declared domains, until the function finds them in accord with each other."""
    parameters = inspect.signature(function).parameters
    for _ in range(200):
        arguments = {name: _argument(name, domain_of(p.annotation), rng) for name, p in parameters.items()}
        try:
            function(**arguments)
        except ValueError:
            continue
        return arguments
    raise AssertionError(f"{function.__module__}.{function.__name__} has refused 200 draws from its own domains")


def _argument(name: str, domain: Any, rng: np.random.Generator) -> Any:
    assert domain is not None, f"the parameter {name} declares no domain"
    if isinstance(domain, Options):
        return domain.options[rng.integers(len(domain.options))]
    if not isinstance(domain, Series):
        return number(domain, rng)
    if name == "probabilities":
        shares = rng.dirichlet(np.ones(3))
        return [*map(float, shares[:2]), float(max(0.0, 1 - shares[:2].sum()))]
    values = [number(domain.item, rng) for _ in range(3)]
    return sorted(values, reverse=True)


def calls(function: Function, rng: np.random.Generator, count: int) -> Iterator[tuple[dict[str, Any], bool]]:
    """Ordinary arguments with one or two replaced by absurd ones, and whether one of those is junk."""
    given = ordinary(function, rng)
    parameters = inspect.signature(function).parameters
    for turn in range(count):
        if turn % 25 == 24:
            given = ordinary(function, rng)
        arguments, junk = dict(given), False
        for name in rng.permutation(list(given))[: 1 + int(rng.random() < 0.3)]:
            arguments[name], is_junk = _absurd(given[name], rng)
            left_out = arguments[name] is None and allows_none(parameters[name].annotation)
            junk |= is_junk and not left_out
        yield arguments, junk


def allows_none(annotation: Any) -> bool:
    return annotation is type(None) or any(map(allows_none, get_args(annotation)))


def _absurd(usual: Any, rng: np.random.Generator) -> tuple[Any, bool]:
    kind = rng.random()
    if kind < 0.6:
        return NUMBERS[rng.integers(len(NUMBERS))], isinstance(usual, str | list)
    if kind < 0.75 and isinstance(usual, float):
        worst = NUMBERS[rng.integers(len(NUMBERS))]
        arrays = (
            *([usual, usual, worst if isinstance(worst, float) else math.nan], [], usual),
            *([usual, -usual], np.full(4, usual)[::2], np.array([1, 2, 3]), np.array([1, 2], dtype=np.int8)),
            np.full((2, 3), usual, dtype=np.float32).T,
        )
        return np.asarray(arrays[rng.integers(len(arrays))]), False
    junk = JUNK[rng.integers(len(JUNK))]
    return junk, not (isinstance(usual, list) and isinstance(junk, list | tuple | np.ndarray))


def verdict(function: Function, arguments: dict[str, Any], *, junk: bool) -> str:
    """How one call ends: "named", "answered", or the name of a failure."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function(**arguments)
    except (ValueError, TypeError) as error:
        named = any(re.search(rf"\b{name}\b", str(error)) for name in arguments) and "\n" not in str(error)
        return "named" if named else f"{type(error).__name__} that names no argument"
    except Late:
        return "endless"
    except Exception as error:
        return f"{type(error).__name__} from inside"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return _answer(result, arguments, junk=junk)


def _answer(result: Any, arguments: dict[str, Any], *, junk: bool) -> str:
    if isinstance(result, complex) or (isinstance(result, np.ndarray) and result.dtype.kind == "c"):
        return "silent complex number"
    if junk:
        return "answer to junk"
    if isinstance(result, torch.Tensor):
        return "answered"  # see hostile_tensors.end
    if holds_nan(result):
        return "silent nan"
    return "finite answer to nan" if any(map(holds_nan, arguments.values())) else "answered"


def holds_nan(value: Any) -> bool:
    """Whether a number or an array has an undefined entry."""
    if value is None:
        return False
    try:
        return bool(np.isnan(np.asarray(value, dtype=float)).any())
    except (TypeError, ValueError, OverflowError):
        return False


def tally(function: Function, rng: np.random.Generator, count: int) -> tuple[Counter[str], list[str]]:
    """How so many hostile calls end, and those that should not end like that."""
    ends: Counter[str] = Counter()
    failures: list[str] = []
    for arguments, junk in calls(function, rng, count):
        end = verdict(function, arguments, junk=junk)
        ends[end] += 1
        if end not in ("named", "answered"):
            failures.append(f"{end}: {function.__module__}.{function.__name__}({arguments!r:.300})")
    return ends, failures
