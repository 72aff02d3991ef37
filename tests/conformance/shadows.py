"""Shadows of bounds: the same code on numbers of 60 digits without a largest or a smallest one.

What float64 makes of a formula is compared with what the formula says. The code of a function, and of every function of
`bounds` that it calls, is run with `math` and `float` of mpmath.
"""

import inspect
import math
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import mpmath
import numpy as np

mpmath.mp.dps = 60
mpf = mpmath.mpf
WITHOUT = {
    "multinomial_box_probability": "a Fourier transform",
    "uniform_deviation_probability": "a Fourier transform",
    "logarithmic_chi_square_bound": "steps that rounding ends",
    "bennett_deviation": "scipy's Lambert function, to eight digits",
    "geometric_effective_dimension": "a sum over an array",
    "polynomial_effective_dimension": "a sum over an array",
    "harmonic_effective_dimension": "scipy's digamma function",
    "harmonic_dimension_bound": "scipy's digamma function",
    "spectral_effective_dimension": "the three above",
    "spectral_fixed_point_bound": "scipy's zeta function",
    "expected_sign_sum": "a sum over an array",
    "spectral_complexity": "the sum of signs",
    "spectral_margin_excess": "the sum of signs",
    "uniform_spectral_margin_excess": "the sum of signs",
    "spline_effective_dimension": "a sum of up to a million terms",
    "effective_dimension_exponent": "exact fractions",
    "feature_count_exponent": "exact fractions",
    "fixed_point_exponent": "exact fractions",
    "risk_exponent": "exact fractions",
    "tuned_kl_bound": "a grid whose size is an integer",
    "tuned_inverse_temperature": "a grid whose size is an integer",
    "temperature_grid_size": "an integer",
    "smallest_informative_sample": "an integer",
    "leverage_feature_count": "an integer",
    "plain_feature_count": "an integer",
    "lower_tail_feature_count": "an integer",
    "feature_count": "an integer",
    "printed_harmonic_dimension": "an integer",
    "harmonic_dimension": "an integer",
}
"""Functions that have no shadow, and why; their values are held by the oracles."""


class _Math:
    """`math` and what bounds use of `numpy`, by mpmath."""

    pi, e, inf, euler_gamma, ndarray = +mpmath.mp.pi, +mpmath.mp.e, mpmath.inf, +mpmath.mp.euler, np.ndarray
    lgamma = staticmethod(mpmath.loggamma)

    @staticmethod
    def comb(n: Any, k: Any) -> int:
        return math.comb(int(n), int(k))

    def __getattr__(self, name: str) -> Any:
        return getattr(mpmath, name)


@cache
def shadow(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function on mpmath's numbers."""
    plain = inspect.unwrap(function)
    assert isinstance(plain, FunctionType)
    names = dict(plain.__globals__)
    made = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    made.__kwdefaults__ = plain.__kwdefaults__
    for name in plain.__code__.co_names:
        value = names.get(name)
        if name in ("math", "np"):
            names[name] = _Math()
        elif inspect.isfunction(value) and value.__module__.startswith("bounds"):
            names[name] = shadow(value)
    names["float"] = mpf
    return made


def explained(function: Callable[..., Any], arguments: dict[str, Any], result: float, *, rtol: float = 1e-9) -> bool:
    """Whether a result is the formula's value up to rounding: at the arguments, or at ones a few last places away.

    Differences below 1e-140 do not count: the square of such a number is no float.
    """
    values = [_value(function, arguments, 0.0)]
    if _close(result, values[0], values[0], rtol):
        return True
    values += [_value(function, arguments, places * 2.0**-52) for places in (-4.0, -1.0, 1.0, 4.0)]
    for name, given in arguments.items():
        if isinstance(given, float):
            values += [_value(function, arguments, places * 2.0**-52, only=name) for places in (-4.0, 4.0)]
    found = [value for value in values if value is not None]
    return bool(found) and _close(result, min(found), max(found), rtol)


def _close(result: float, low: Any, high: Any, rtol: float) -> bool:
    if low is None or high is None:
        return False
    slack = rtol * max(abs(low), abs(high)) + mpf("1e-140")
    return bool(low - slack <= mpf(result) <= high + slack)


def _value(function: Callable[..., Any], arguments: dict[str, Any], share: float, only: str = "") -> Any:
    moved = {
        name: mpf(value) * (1 + mpf(share if only in ("", name) else 0)) if isinstance(value, float) else value
        for name, value in arguments.items()
    }
    try:
        value = shadow(function)(**moved)
    except (ZeroDivisionError, ValueError):
        return None
    return mpf(value) if isinstance(value, mpf | int | float) else None
