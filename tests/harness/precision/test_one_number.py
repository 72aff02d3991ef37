"""Functions of one number against mpmath, at points and over wide balls."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from flint import arb
from mpmath import mp
from torch import Tensor, special
from torch.nn import functional

from harness.certify.precision import (
    Precise,
)
from tests.harness.precision.references import (
    Reference,
    ball_of,
    check,
    defined,
    entries,
    entropy,
    half_even,
    log_gamma,
    normal,
    reciprocal,
    truncated,
)

ORDINARY = (
    0.0,
    0.3,
    -0.3,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    1.0 - 2.0**-53,
    -1.0 + 2.0**-53,
    1e-300,
    -1e-300,
    7.3,
)
HUGE = (1e300, -1e300, 4503599627370497.5)
LARGE = (700.0, -700.0, 1e4, -1e4)


ELEMENTARY: dict[str, tuple[Callable[[Tensor], Tensor], Reference, tuple[float, ...]]] = {
    "abs": (torch.abs, abs, HUGE),
    "acos": (torch.acos, mp.acos, HUGE),
    "acosh": (torch.acosh, mp.acosh, HUGE),
    "asin": (torch.asin, mp.asin, HUGE),
    "asinh": (torch.asinh, mp.asinh, HUGE),
    "atan": (torch.arctan, mp.atan, HUGE),
    "atanh": (torch.atanh, mp.atanh, HUGE),
    "bessel_j0": (special.bessel_j0, lambda x: mp.besselj(0, x), ()),
    "bessel_j1": (special.bessel_j1, lambda x: mp.besselj(1, x), ()),
    "ceil": (torch.ceil, mp.ceil, HUGE),
    "clamp": (lambda x: x.clamp(-0.4, 2.0), lambda x: min(max(x, mp.mpf(-0.4)), mp.mpf(2)), HUGE),
    "cos": (torch.cos, mp.cos, HUGE),
    "cosh": (torch.cosh, mp.cosh, LARGE),
    "deg2rad": (torch.deg2rad, lambda x: x * mp.pi / 180, HUGE),
    "digamma": (torch.digamma, mp.digamma, (1e300,)),
    "elu": (functional.elu, lambda x: x if x > 0 else mp.expm1(x), LARGE),
    "entr": (special.entr, entropy, HUGE),
    "erf": (torch.erf, mp.erf, LARGE),
    "erfc": (torch.erfc, mp.erfc, (-700.0, 30.0)),
    "erfcx": (special.erfcx, lambda x: mp.exp(x**2) * mp.erfc(x), (30.0, -30.0)),
    "erfinv": (torch.erfinv, mp.erfinv, ()),
    "exp": (torch.exp, mp.exp, LARGE),
    "exp2": (torch.exp2, lambda x: mp.mpf(2) ** x, LARGE),
    "expm1": (torch.expm1, mp.expm1, LARGE),
    "floor": (torch.floor, mp.floor, HUGE),
    "frac": (torch.frac, lambda x: x - truncated(x), HUGE),
    "gelu": (functional.gelu, lambda x: x * normal(x), ()),
    "i0": (special.i0, lambda x: mp.besseli(0, x), ()),
    "i0e": (special.i0e, lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), ()),
    "i1": (special.i1, lambda x: mp.besseli(1, x), ()),
    "i1e": (special.i1e, lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), ()),
    "leaky": (lambda x: functional.leaky_relu(x, 0.2), lambda x: x if x > 0 else mp.mpf(0.2) * x, HUGE),
    "lgamma": (torch.lgamma, log_gamma, (1e300, -20.3)),
    "log": (torch.log, mp.log, HUGE),
    "log10": (torch.log10, lambda x: mp.log(x) / mp.log(10), HUGE),
    "log1p": (torch.log1p, mp.log1p, HUGE),
    "log2": (torch.log2, lambda x: mp.log(x) / mp.log(2), HUGE),
    "log_ndtr": (special.log_ndtr, lambda x: mp.log(normal(x)), (-30.0,)),
    "logit": (torch.logit, lambda x: mp.log(x) - mp.log1p(-x), ()),
    "logsigmoid": (functional.logsigmoid, lambda x: -mp.log1p(mp.exp(-x)), LARGE),
    "multigammaln": (
        lambda x: special.multigammaln(x + 2.0, 2),
        lambda x: mp.log(mp.pi) / 2 + log_gamma(x + 2) + log_gamma(x + 1.5),
        (),
    ),
    "ndtr": (special.ndtr, normal, (30.0, -30.0)),
    "ndtri": (special.ndtri, lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), ()),
    "neg": (torch.neg, lambda x: -x, HUGE),
    "polygamma": (lambda x: torch.polygamma(2, x), lambda x: mp.polygamma(2, x) if x > 0 else mp.nan, ()),
    "rad2deg": (torch.rad2deg, lambda x: x * 180 / mp.pi, HUGE),
    "reciprocal": (torch.reciprocal, reciprocal, HUGE),
    "relu": (functional.relu, lambda x: max(x, mp.mpf(0)), HUGE),
    "relu6": (functional.relu6, lambda x: min(max(x, mp.mpf(0)), mp.mpf(6)), HUGE),
    "round": (torch.round, half_even, HUGE),
    "rsqrt": (torch.rsqrt, lambda x: reciprocal(mp.sqrt(x)), HUGE),
    "sigmoid": (torch.sigmoid, lambda x: 1 / (1 + mp.exp(-x)), LARGE),
    "expit": (special.expit, lambda x: 1 / (1 + mp.exp(-x)), LARGE),
    "sign": (torch.sign, mp.sign, HUGE),
    "silu": (functional.silu, lambda x: x / (1 + mp.exp(-x)), LARGE),
    "sin": (torch.sin, mp.sin, HUGE),
    "sinc": (torch.sinc, mp.sincpi, ()),
    "sinh": (torch.sinh, mp.sinh, LARGE),
    "softplus": (functional.softplus, lambda x: mp.log1p(mp.exp(x)), LARGE),
    "softplus2": (lambda x: functional.softplus(x, beta=2), lambda x: mp.log1p(mp.exp(2 * x)) / 2, LARGE),
    "softsign": (functional.softsign, lambda x: x / (1 + abs(x)), HUGE),
    "sqrt": (torch.sqrt, mp.sqrt, HUGE),
    "square": (torch.square, lambda x: x * x, HUGE),
    "tan": (torch.tan, mp.tan, HUGE),
    "tanh": (torch.tanh, mp.tanh, LARGE),
    "tanhshrink": (functional.tanhshrink, lambda x: x - mp.tanh(x), LARGE),
    "trunc": (torch.trunc, truncated, HUGE),
    "powers": (lambda x: x**3 + x**0, lambda x: x**3 + 1, HUGE),
    "inverse square": (lambda x: x**-2, lambda x: reciprocal(x * x), HUGE),
    "root": (lambda x: x**0.5, mp.sqrt, HUGE),
    "fractional power": (lambda x: x**1.7, lambda x: mp.mpf(0) if x == 0 else x ** mp.mpf(1.7), HUGE),
    "negative power": (lambda x: x**-0.3, lambda x: reciprocal(x ** mp.mpf(0.3)), HUGE),
    "base": (lambda x: 2.0**x, lambda x: mp.mpf(2) ** x, LARGE),
    "arithmetic": (lambda x: (1.5 - x) / 3.0 + 2 * x, lambda x: (mp.mpf(1.5) - x) / 3 + 2 * x, HUGE),
    "reversed division": (lambda x: 2.0 / x, lambda x: 2 * reciprocal(x), HUGE),
    "remainders": (lambda x: x % 0.3, lambda x: x - mp.mpf(0.3) * mp.floor(x / mp.mpf(0.3)), ()),
    "whole parts": (lambda x: x // 0.3, lambda x: mp.floor(x / mp.mpf(0.3)), ()),
}


@pytest.mark.parametrize("name", ELEMENTARY)
def test_functions_of_one_number(name: str) -> None:
    function, reference, far = ELEMENTARY[name]
    random = np.random.default_rng(len(name)).standard_normal(6).tolist()
    points = [*ORDINARY, *far, *random]
    for point, found in zip(points, entries(function(Precise(points))), strict=True):
        check(found, reference, point)
        if not found.is_finite():  # what torch finds finite and mpmath too is not given up
            value = defined(reference, point)
            assert value is None, (name, point, found)
        elif defined(reference, point) not in (None, 0):
            rough = math.ldexp(1.0, -120)  # and not given away either
            assert found.rad() <= max(abs(found) * rough, arb(rough)), (name, point, found)


POLES = frozenset(("tan",))  # between the points that are looked at


@pytest.mark.parametrize("name", ELEMENTARY)
def test_functions_of_one_number_over_wide_balls(name: str) -> None:
    function, reference, _ = ELEMENTARY[name]
    rng = np.random.default_rng(len(name))
    for centre, radius in [
        (0.0, 1.0),
        (0.5, 0.5),
        (1.0, 2.0**-40),
        (-0.25, 0.25),
        (0.0, 2.0**-900),
        (2.5, 2.0),
        (-1.5, 0.5),
        (0.75, 0.25),
        (2.75, 0.25),
    ]:
        wide = np.empty(1, dtype=object)
        wide[0] = arb(centre, radius)
        (found,) = entries(function(Precise(wide)))
        inside = [centre - radius, centre + radius, centre, *(centre + radius * rng.uniform(-1.0, 1.0, 4))]
        inside += [0.0] if abs(centre) <= radius else []
        numbers = [defined(reference, point) for point in inside]
        assert found.is_finite() or None in numbers or name in POLES, (name, centre, radius, found)
        for point, value in zip(inside, numbers, strict=True):
            assert value is None or found.is_nan() or found.overlaps(ball_of(value)), (
                name,
                centre,
                radius,
                point,
                found,
            )
    spoiled = np.empty(1, dtype=object)
    spoiled[0] = arb("nan")
    assert entries(function(Precise(spoiled)))[0].is_nan()
