"""What functions of Python and makers of tensors give in balls."""

import builtins
import contextlib
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import arb
from scipy import special
from torch import Tensor

from harness.certify.precision import Precise, Unsupported, lift
from harness.certify.precision.balls import boxed, undecided

CONTAINERS = (str, list, tuple, dict, set, frozenset, range)
WHOLE = (math.comb, math.factorial, math.perm, math.isqrt, math.gcd)
LARGEST = sys.float_info.max
_ON_THE_CPU = ("device", "dtype", "requires_grad", "layout", "pin_memory")


def is_floating(value: Any) -> bool:
    """Whether a value is a tensor of real numbers, of balls or not."""
    return isinstance(value, Tensor) and (isinstance(value, Precise) or value.is_floating_point())


def exact(value: Any) -> Any:
    """A decimal as the ball that holds it; everything else as it is."""
    if isinstance(value, float | np.floating):
        return Precise(float(value))
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, Tensor) and not isinstance(value, Precise) and value.is_floating_point():
        return Precise(value)
    return value


def are_whole(*values: Any) -> bool:
    """Whether all are arrays of whole numbers, or whole numbers beside such an array."""
    arrays = [isinstance(value, np.ndarray) and value.dtype.kind in "iu" for value in values]
    return any(arrays) and all(array or isinstance(value, int) for array, value in zip(arrays, values, strict=True))


def point(value: arb) -> Precise:
    """A number of Python."""
    return Precise(value)


def scalar(value: Any) -> arb:
    """One number as a ball."""
    found = lift(value)
    if found.size != 1:
        raise Unsupported("several numbers where one is needed")
    ball: arb = found.reshape(()).item()
    return ball


def whole(rounded: arb) -> int:
    """The whole number that a ball stands for."""
    found = rounded.unique_fmpz()
    if found is None:
        raise undecided("a whole part that the enclosure does not decide")
    return int(found)


def _of_one(function: Callable[[arb], arb]) -> Callable[[Any], Any]:
    return lambda x: _existing(function(scalar(x)))


def _existing(value: arb) -> Precise:
    """A number of Python; where it does not exist Python raises, which the body may expect."""
    if value.is_nan() or abs(value) > LARGEST:
        raise undecided("a function of math where it has no value")
    return point(value)


def _rounded(function: Callable[[arb], arb]) -> Callable[[Any], int]:
    return lambda x: x if isinstance(x, int) else whole(function(scalar(x)))


def _integer(x: Any = 0) -> int:
    if isinstance(x, str):
        raise Unsupported("a number read from text")
    if not is_floating(x):
        return int(x)
    ball = scalar(x)
    return whole(ball.floor() if ball >= 0 else ball.ceil())


def _round(x: Any, digits: Any = None) -> int:
    if digits is not None:
        raise Unsupported("rounding to decimals")
    if isinstance(x, int):
        return x
    ball = scalar(x)
    low, high = whole((ball - 0.5).ceil()), whole((ball + 0.5).floor())
    if low != high:
        raise undecided("a number between two whole ones")
    return low


def _sum(values: Iterable[Any], start: Any = 0) -> Any:
    return functools.reduce(_plus, values, start)


def _plus(a: Any, b: Any) -> Any:
    a, b = exact(a), exact(b)
    return a + b if isinstance(a, int) == isinstance(b, int) else Precise(a) + Precise(b)


def _product(values: Iterable[Any], start: Any = 1) -> Any:
    return functools.reduce(lambda a, b: exact(a) * exact(b), values, start)


def _extreme(name: str) -> Callable[..., Any]:
    def found(*values: Any, **others: Any) -> Any:
        if others:
            raise Unsupported(f"{name} with {', '.join(others)}")
        candidates = list(values[0]) if len(values) == 1 else list(values)
        if all(isinstance(value, int | Fraction) or is_dataclass(value) for value in candidates):
            return getattr(builtins, name)(candidates)
        made = point(functools.reduce(getattr(arb, name), [scalar(value) for value in candidates]))
        made.plain = all(getattr(value, "plain", True) for value in candidates)  # of tensors it is one of them
        return made

    return found


def _logarithm(x: Any, base: Any = None) -> Precise:
    top = scalar(x).log()
    return _existing(top if base is None else top / scalar(base).log())


def _power(x: Any, y: Any) -> Precise:
    return _existing(scalar(x) ** scalar(y))


def _tensor(data: Any, **options: Any) -> Tensor:
    """torch.tensor and torch.as_tensor."""
    if isinstance(data, Precise):
        return Precise(data.array)
    if isinstance(data, Tensor | np.ndarray):
        return exact(torch.as_tensor(data))  # type: ignore[no-any-return]
    shape, flat = _flat(data)
    if all(isinstance(entry, int) for entry in flat) and options.get("dtype") not in (torch.float64, torch.float32):
        return torch.tensor(data, dtype=options.get("dtype"))
    _double(options)
    return Precise(boxed([scalar(entry) for entry in flat], shape))


def _double(options: dict[str, Any]) -> None:
    if options.get("dtype") not in (None, torch.float64):
        raise Unsupported(f"numbers of type {options['dtype']}")


def _flat(data: Any) -> tuple[tuple[int, ...], list[Any]]:
    if not isinstance(data, list | tuple):
        return (), [data]
    parts = [_flat(part) for part in data]
    if len({shape for shape, _ in parts}) > 1:
        raise Unsupported("lines of different lengths")
    inner = parts[0][0] if parts else ()
    return (len(parts), *inner), [entry for _, entries in parts for entry in entries]


def _range(*ends: Any, **options: Any) -> Tensor:
    """torch.arange and np.arange."""
    if all(isinstance(end, int) for end in ends):
        found = torch.arange(*ends)
        return Precise(found) if options.get("dtype") is torch.float64 else found
    _double(options)
    first, last, step = [scalar(end) for end in ((0, *ends) if len(ends) == 1 else ends)] + [arb(1)] * (len(ends) < 3)
    count = max(whole(((last - first) / step).ceil()), 0)
    return Precise(boxed([first + step * k for k in range(count)], (count,)))


def _distinct(values: Any) -> Any:
    if not are_whole(values):
        raise Unsupported("np.unique of decimals")
    return np.unique(values)


def _line(start: Any, end: Any, steps: int, **options: Any) -> Precise:
    """torch.linspace, at its exact places."""
    _double(options)
    first, last = scalar(start), scalar(end)
    return Precise(boxed([first + (last - first) * k / max(steps - 1, 1) for k in range(steps)], (steps,)))


def _filled(name: str) -> Callable[..., Precise]:
    def made(*args: Any, **options: Any) -> Precise:
        _double(options)
        kept = {key: value for key, value in options.items() if key not in _ON_THE_CPU}
        if name == "full":
            return Precise(np.broadcast_to(lift(args[1]), args[0]))
        return Precise(getattr(torch, name)(*args, **kept, dtype=torch.float64))

    return made


def _is_instance(value: Any, kinds: Any) -> bool:
    """A tensor here may stand for a decimal, so that a number is not told from another by its type."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if isinstance(value, Precise) and any(k in (float, int, complex, np.ndarray, np.float64) for k in wanted):
        raise Unsupported("a decision by the type of a number")
    return isinstance(value, kinds)


def _whole_arguments(function: Callable[..., int]) -> Callable[..., int]:
    def found(*args: Any) -> int:
        if not all(isinstance(arg, int) for arg in args):
            raise Unsupported(f"math.{function.__name__} of decimals")
        return function(*args)

    return found


def _fraction(above: Any, below: Any = 1) -> Fraction:
    if isinstance(above, Precise) and scalar(above).is_exact() and below == 1:  # the fraction that a float is
        digits, power = scalar(above).man_exp()
        return Fraction(int(digits)) * Fraction(2) ** int(power)
    if not all(isinstance(part, int | Fraction) for part in (above, below)):
        raise Unsupported("a fraction of decimals")
    return Fraction(above, below)


def _decimal(x: Any) -> Precise:
    if isinstance(x, str):
        return Precise(float(x))  # nan stands for any number
    return point(scalar(x))


def _of_entries(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(torch, name)(Precise(exact(x)))


TABLE: dict[Any, Callable[..., Any]] = {
    "pi": lambda: point(arb.pi()),
    "e": lambda: point(arb(1).exp()),
    "tau": lambda: point(2 * arb.pi()),
    **{getattr(math, name): _of_one(getattr(arb, name)) for name in ("sqrt", "exp", "expm1", "log1p", "sinh", "cosh")},
    **{getattr(math, name): _of_one(getattr(arb, name)) for name in ("sin", "cos", "tan", "tanh", "atan", "acos")},
    **{getattr(math, name): _of_one(getattr(arb, name)) for name in ("asin", "erf", "erfc", "gamma", "lgamma")},
    math.log: _logarithm,
    math.log2: lambda x: _logarithm(x, 2),
    math.log10: lambda x: _logarithm(x, 10),
    math.pow: _power,
    math.fabs: _of_one(abs),
    math.ceil: _rounded(arb.ceil),
    math.floor: _rounded(arb.floor),
    math.fsum: _sum,
    math.prod: _product,
    math.isfinite: lambda x: isinstance(x, int) or bool(scalar(x).is_finite()),
    math.hypot: lambda *values: point(sum((scalar(x) ** 2 for x in values), arb(0)).sqrt()),
    **{function: _whole_arguments(function) for function in WHOLE},
    float: _decimal,
    Fraction: _fraction,
    int: _integer,
    round: _round,
    abs: abs,
    sum: _sum,
    max: _extreme("max"),
    min: _extreme("min"),
    isinstance: _is_instance,
    functools.reduce: functools.reduce,
    **{f: f for f in (len, range, enumerate, map, zip, list, tuple, dict, set, reversed, all, any, bool)},
    **{f: f for f in (itertools.product, itertools.combinations, itertools.permutations, itertools.chain)},
    np.random.default_rng: np.random.default_rng,
    np.unique: _distinct,
    np.arange: lambda *ends: np.arange(*ends) if all(isinstance(end, int) for end in ends) else _range(*ends),
    **{f: f for f in (torch.broadcast_shapes, np.broadcast_shapes)},
    **{getattr(np, name): _of_entries(name) for name in ("sum", "sqrt", "exp", "log", "log1p", "expm1")},
    special.expit: _of_entries("sigmoid"),
    special.digamma: _of_entries("digamma"),
    special.gammaln: _of_entries("lgamma"),
    torch.no_grad: contextlib.nullcontext,
    torch.Size: torch.Size,
    torch.tensor: _tensor,
    torch.as_tensor: _tensor,
    torch.arange: _range,
    torch.linspace: _line,
    **{getattr(torch, name): _filled(name) for name in ("zeros", "ones", "eye", "full")},
}
