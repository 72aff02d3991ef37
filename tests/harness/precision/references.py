"""What the references of these tests share: their error, their samples, expressions in x."""

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import torch
from flint import arb
from mpmath import mp
from torch import Tensor, special
from torch.nn import functional

from harness.certify.precision import (
    Precise,
    lift,
    working_bits,
)

DIGITS = 400  # of the references
Reference = Callable[..., Any]
INDEX = torch.tensor([[0, 2, 1], [1, 1, 0]])
ORDERS = ("fro", "nuc", 2, -2, 1, -1, math.inf, -math.inf)

NAMES = {"INDEX": INDEX, "ORDERS": ORDERS, "Precise": Precise, "functional": functional, "math": math, "np": np}
NAMES |= {"special": special, "torch": torch}  # what an expression in x may use


def ball_of(number: mpmath.mpf) -> arb:
    """A reference with its own error."""
    sign, mantissa, exponent, _ = number._mpf_
    with working_bits(4 * DIGITS):
        exact = arb((-int(mantissa) if sign else int(mantissa), int(exponent)))
        error = abs(exact) * arb(10) ** -100
        return (exact - error).union(exact + error)


def defined(reference: Reference, *numbers: float) -> mpmath.mpf | None:
    """The reference where it is a finite real number."""
    try:
        value = mp.mpmathify(reference(*map(mp.mpf, numbers)))
    except (ValueError, ZeroDivisionError):
        return None
    return value if isinstance(value, mpmath.mpf) and mp.isfinite(value) else None


def check(found: arb, reference: Reference, *numbers: float) -> None:
    value = defined(reference, *numbers)
    if value is None:
        assert not found.is_finite(), (numbers, found)
    else:
        assert found.is_nan() or found.overlaps(ball_of(value)), (numbers, found, value)


def entries(value: Any) -> list[arb]:
    return list(lift(value).reshape(-1).tolist())


def values_in(result: Any) -> list[Any]:
    if isinstance(result, tuple | list):
        return [leaf for part in result for leaf in values_in(part)]
    return [result]


def sample(shape: tuple[int, ...], seed: int) -> Tensor:
    """Distinct positive and negative numbers away from zero."""
    rng = np.random.default_rng(seed)
    return torch.as_tensor(rng.uniform(0.2, 2.0, shape) * np.where(rng.random(shape) < 0.6, 1.0, -1.0))


def lines(text: str) -> list[str]:
    return text.split("\n")[1:-1]


def called(expression: str, x: Tensor) -> list[Any]:
    """What an expression in x gives, tuples taken apart."""
    return values_in(eval(expression.strip(), {**NAMES, "x": x}))


def half_even(x: mpmath.mpf) -> mpmath.mpf:
    low = mp.floor(x)
    rest = x - low
    return low + (rest > 0.5 or (rest == 0.5 and int(low) % 2 == 1))


def truncated(x: mpmath.mpf) -> mpmath.mpf:
    return mp.floor(x) if x >= 0 else mp.ceil(x)


def normal(x: mpmath.mpf) -> mpmath.mpf:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def entropy(x: mpmath.mpf) -> mpmath.mpf:
    return mp.mpf(0) if x == 0 else -x * mp.log(x)


def log_gamma(x: mpmath.mpf) -> mpmath.mpf:
    return mp.re(mp.loggamma(x)) if x > 0 or x != mp.floor(x) else mp.inf


def reciprocal(x: mpmath.mpf) -> mpmath.mpf:
    return mp.nan if x == 0 else 1 / x
