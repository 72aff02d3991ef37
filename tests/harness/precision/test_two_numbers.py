"""Functions of two numbers and comparisons against mpmath."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import torch
from flint import arb
from mpmath import mp
from torch import Tensor, special

from harness.certify.precision import (
    Precise,
    Unsupported,
)
from tests.harness.precision.references import DIGITS, Reference, ball_of, check, defined, entries, truncated


def xlogy(a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    return mp.mpf(0) if a == 0 else a * mp.log(b)


def power(a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    if a == 0:
        return mp.mpf(1) if b == 0 else mp.mpf(0) if b > 0 else mp.inf
    return a ** int(b) if b == mp.floor(b) else a**b


def quotient(a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    return mp.nan if b == 0 else a / b


BINARY: dict[str, tuple[Callable[[Tensor, Tensor], Tensor], Reference]] = {
    "add": (torch.add, lambda a, b: a + b),
    "add a share": (lambda a, b: torch.add(a, b, alpha=0.1), lambda a, b: a + mp.mpf(0.1) * b),
    "sub": (lambda a, b: a - b, lambda a, b: a - b),
    "sub a share": (lambda a, b: torch.sub(a, b, alpha=3), lambda a, b: a - 3 * b),
    "mul": (lambda a, b: a * b, lambda a, b: a * b),
    "div": (lambda a, b: a / b, quotient),
    "div floor": (lambda a, b: torch.div(a, b, rounding_mode="floor"), lambda a, b: mp.floor(quotient(a, b))),
    "div trunc": (lambda a, b: torch.div(a, b, rounding_mode="trunc"), lambda a, b: truncated(quotient(a, b))),
    "pow": (lambda a, b: a**b, power),
    "float_power": (torch.float_power, power),
    "maximum": (torch.maximum, max),
    "minimum": (torch.minimum, min),
    "max": (torch.max, max),
    "fmin": (torch.fmin, min),
    "atan2": (torch.atan2, mp.atan2),
    "hypot": (torch.hypot, mp.hypot),
    "remainder": (lambda a, b: a % b, lambda a, b: a - b * mp.floor(quotient(a, b))),
    "fmod": (torch.fmod, lambda a, b: a - b * truncated(quotient(a, b))),
    "xlogy": (torch.xlogy, xlogy),
    "special xlogy": (special.xlogy, xlogy),
    "xlog1py": (special.xlog1py, lambda a, b: mp.mpf(0) if a == 0 else a * mp.log1p(b)),
    "logaddexp": (torch.logaddexp, lambda a, b: max(a, b) + mp.log1p(mp.exp(-abs(a - b)))),
    "logaddexp2": (torch.logaddexp2, lambda a, b: mp.log(mp.mpf(2) ** a + mp.mpf(2) ** b) / mp.log(2)),
    "gammainc": (special.gammainc, lambda a, x: mp.gammainc(a, 0, x, regularized=True) if min(a, x) > 0 else mp.nan),
    "gammaincc": (special.gammaincc, lambda a, x: mp.gammainc(a, x, regularized=True) if min(a, x) > 0 else mp.nan),
    "zeta": (special.zeta, lambda a, q: mp.zeta(a, q) if a > 1 and q > 0 else mp.nan),
    "copysign": (torch.copysign, lambda a, b: mp.nan if b == 0 else abs(a) * mp.sign(b)),
    "heaviside": (torch.heaviside, lambda a, b: b if a == 0 else mp.mpf(int(a > 0))),
    "lerp": (lambda a, b: torch.lerp(a, b, 0.1), lambda a, b: a + mp.mpf(0.1) * (b - a)),
    "addcmul": (lambda a, b: torch.addcmul(a, a, b, value=0.1), lambda a, b: a + mp.mpf(0.1) * a * b),
    "addcdiv": (lambda a, b: torch.addcdiv(a, a, b, value=2), lambda a, b: a + quotient(2 * a, b)),
    "clamp": (lambda a, b: a.clamp(min=b), max),
    "where": (lambda a, b: torch.where(a < b, a, b), min),
    "where not": (lambda a, b: a.where(a > b, b), max),
}
BOUNDED = frozenset(("logaddexp", "logaddexp2", "gammainc", "gammaincc", "zeta", "pow", "float_power"))  # exponentials
SLOW = frozenset(("gammainc", "gammaincc", "zeta"))


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str) -> None:
    function, reference = BINARY[name]
    rng = np.random.default_rng(len(name))
    points = [0.0, 1.0, -1.0, 0.3, 2.0, -2.5, 1e-300, *rng.standard_normal(2).tolist()]
    points += [] if name in BOUNDED else [1e300, -1e300, -1e-300]
    points = [0.0, 0.3, 2.0, 3.7] if name in SLOW else points
    with mp.workdps(130 if name in SLOW else DIGITS):
        for a, b in itertools.product(points, repeat=2):
            (found,) = entries(function(Precise([a]), Precise([b])))
            check(found, reference, a, b)
            if defined(reference, a, b) is not None and not (name == "atan2" and a == b == 0.0):
                assert found.is_finite(), (name, a, b)


@pytest.mark.parametrize("name", [name for name in BINARY if name not in SLOW])
def test_functions_of_two_numbers_over_wide_balls(name: str) -> None:
    function, reference = BINARY[name]
    rng = np.random.default_rng(len(name))
    boxes = [
        (0.0, 1.0),
        (0.5, 0.5),
        (1.0, 2.0**-40),
        (0.0, 2.0**-900),
        (2.0, 0.25),
        (-1.5, 0.5),
        (3.0, 0.0),
        (0.0, 0.0),
        (3.0, 0.25),
    ]
    for (a, s), (b, t) in itertools.product(boxes, repeat=2):
        pair = np.empty(2, dtype=object)
        pair[0], pair[1] = arb(a, s), arb(b, t)
        both = Precise(pair)
        try:
            (found,) = entries(function(both[:1], both[1:]))
        except Unsupported as signal:  # a comparison
            if not signal.undecided:
                raise
            continue
        points = [
            (a - s, b + t),
            (a + s, b - t),
            (a - s, b - t),
            (a, b),
            (a - s, b),
            (a, b - t),
            (a, 0.0),
            (0.0, b),
            (0.0, 0.0),
        ]
        points += zip(a + s * rng.uniform(-1, 1, 3), b + t * rng.uniform(-1, 1, 3), strict=True)
        inside = [(u, v) for u, v in points if abs(u - a) <= s and abs(v - b) <= t]
        numbers = [defined(reference, u, v) for u, v in inside]
        assert found.is_finite() or None in numbers or "pow" in name, (name, (a, s), (b, t))
        for point, value in zip(inside, numbers, strict=True):
            assert value is None or found.is_nan() or found.overlaps(ball_of(value)), (name, (a, s), (b, t), point)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_are_exact_or_undecided(name: str) -> None:
    compare = COMPARISONS[name]
    points = [0.0, -0.0, 1.0, 1.0 + 2.0**-52, 1e-300, -1e-300, 1e300, math.inf, -math.inf]
    for a, b in itertools.product(points, repeat=2):
        found = compare(Precise([a]), Precise([b]))
        assert type(found) is Tensor
        assert found.dtype is torch.bool
        assert bool(found) == compare(a, b)
        assert bool(compare(Precise([a]), b)) == compare(a, b) == bool(compare(torch.tensor([a]), Precise([b])))
    third = Precise([1.0]) / 3.0
    with pytest.raises(Unsupported) as signal:
        compare(third * 3.0, 1.0)
    assert signal.value.undecided
    with pytest.raises(Unsupported):
        compare(Precise([math.nan]), 1.0)
    touching = np.empty(1, dtype=object)
    touching[0] = arb(0.5, 0.5)
    for a in (0.0, 0.25, 1.0):  # each may be the number or not
        try:
            decided = bool(compare(Precise(touching), a))
        except Unsupported:
            continue
        assert {compare(u, a) for u in (0.0, 0.25, 0.5, 1.0)} == {decided}
