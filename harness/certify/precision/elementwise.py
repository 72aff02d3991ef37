"""Entrywise functions of one, two or three arguments."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from harness.certify.precision.balls import (
    NAN,
    ONE,
    ZERO,
    Unsupported,
    below,
    each,
    equal,
    lift,
    names,
    scalar,
    undecided,
)

Operation = Callable[..., Any]
Function = Callable[..., arb]
INFINITY = arb("inf")


def within(function: Function, low: arb, high: arb) -> Function:
    """A monotone function on [low, high]: the part of a ball inside counts, and what lies outside is nan."""

    def enclosed(a: arb) -> arb:
        if a < low or a > high:
            return NAN
        if low < a < high:
            return function(a)
        first: arb = function(a.lower().max(low))
        return first.union(function(a.upper().min(high)))

    return enclosed


root = within(arb.sqrt, ZERO, INFINITY)


def monotone(function: Function) -> Function:
    """A monotone function by its values at the ends, where Arb gives up on the whole ball."""

    def enclosed(a: arb) -> arb:
        found: arb = function(a)
        return found if found.is_finite() or a.is_exact() else function(a.lower()).union(function(a.upper()))

    return enclosed


def whole_power(a: arb, exponent: int) -> arb:
    """a^n for whole n >= 0, by the ends of a: Arb gives up on balls around 0."""
    if a.is_exact() or exponent == 0:
        return a**exponent
    if exponent % 2:
        return (a.lower() ** exponent).union(a.upper() ** exponent)
    low = ZERO if a.overlaps(ZERO) else a.abs_lower()
    return (low**exponent).union(a.abs_upper() ** exponent)


def squared(a: arb) -> arb:
    return whole_power(a, 2)


def logarithm(a: arb) -> arb:
    return -INFINITY if a.is_zero() else a.log()


def divided(a: arb, b: arb) -> arb:
    """a / b; nan for b = 0, where torch's answer depends on the sign of that zero."""
    return NAN if b.is_zero() else a / b


def power(a: arb, b: arb) -> arb:
    whole = b.unique_fmpz() if b.is_exact() else None
    if whole is not None and whole >= 0:
        return whole_power(a, int(whole))
    if a.is_zero() and b < 0 and b.is_exact():
        return INFINITY if whole is None or int(whole) % 2 == 0 else NAN
    if whole is not None:
        return divided(ONE, whole_power(a, int(-whole)))
    if a > 0:
        return a**b
    if a < 0 or not b > 0 or (b.contains_integer() and not a >= 0):
        return NAN
    top = a.upper().max(ZERO)  # 0 <= a^b <= top^b, and a^b is not decreasing in a >= 0
    return ZERO if top.is_zero() else ZERO.union(top**b)


def _entropy(a: arb) -> arb:
    """-a log a, on the non-negative part of a ball."""
    if a.is_zero():
        return ZERO
    if a > 0:
        return -(a * a.log())
    if a < 0:
        return NAN
    top = a.upper()
    if top.is_zero():
        return ZERO
    peak = (-ONE).exp()
    end = -(top * top.log())
    return ZERO.union(end) if top < peak else ZERO.union(end).union(peak)


def _xlogy(a: arb, b: arb) -> arb:
    if a.is_zero() and not b.is_nan():
        return ZERO
    return -_entropy(a) if a is b else a * logarithm(b)


def _log1p(a: arb) -> arb:
    return -INFINITY if equal_to(a, -1) else a.log1p()


def equal_to(a: arb, number: int) -> bool:
    """Whether a ball is exactly this whole number."""
    return bool(a.is_exact() and (a - number).is_zero())


def _truncated(a: arb) -> arb:
    return a.floor() if a >= 0 else a.ceil()  # around 0, all whole parts lie between the ends of the latter


def _rounded(a: arb) -> arb:
    """The nearest whole number, ties to even."""
    if a.is_integer():
        return a
    twice = 2 * a
    if twice.is_integer():
        low = a.floor()
        whole = low.unique_fmpz()
        return low.union(low + 1) if whole is None else low + int(whole) % 2
    shifted = a + arb(0.5)
    up = shifted.floor()
    return up.union(up - 1) if shifted.contains_integer() else up


def _heaviside(a: arb, at_zero: arb) -> arb:
    if a.is_zero():
        return at_zero
    return ONE if a > 0 else ZERO if a < 0 else ZERO.union(ONE).union(at_zero)


def softplus(a: arb) -> arb:
    """log(1 + e^a), without the large power."""
    return a + (-a).exp().log1p() if a.mid() > 0 else a.exp().log1p()


def _sigmoid(a: arb) -> arb:
    if a.mid() > 0:
        return ONE / (ONE + (-a).exp())
    small = a.exp()
    return small / (ONE + small)


def added_in_logs(a: arb, b: arb) -> arb:
    """log(e^a + e^b)."""
    if not a.is_finite() or not b.is_finite():
        return b if equal_infinity(a, -1) else a if equal_infinity(b, -1) else NAN
    return a + softplus(b - a)


def equal_infinity(a: arb, sign: int) -> bool:
    """Whether a ball is exactly this infinity."""
    return bool(a.is_exact() and not a.is_finite() and not a.is_nan() and (a > 0 if sign > 0 else a < 0))


def _log_gamma(a: arb) -> arb:
    """log |gamma(a)|."""
    if a > 0:
        return a.lgamma()
    if a.contains_integer():
        return INFINITY if a.is_exact() and a <= 0 else NAN
    if a < 0:
        return (arb.pi() / abs(a.sin_pi())).log() - (ONE - a).lgamma()
    return NAN


def _polygamma(order: int, a: arb) -> arb:
    if order == 0:
        return a.digamma()
    if not a > 0:
        return NAN
    return (-ONE) ** (order + 1) * arb(order).fac() * arb(order + 1).zeta(a)


def _normal(a: arb) -> arb:
    return (-a / arb(2).sqrt()).erfc() / 2


def _remainder(a: arb, b: arb) -> arb:
    return NAN if b.is_zero() else a - b * (a / b).floor()


def _positive_only(function: Function) -> Function:
    return lambda *numbers: function(*numbers) if all(number > 0 for number in numbers) else NAN


_POSITIVE_DIGAMMA = monotone(arb.digamma)
_ONE_NUMBER: dict[str, Function] = {
    **{name: getattr(arb, name) for name in names("exp cos sin tan expm1 tanh sinh cosh atan erf erfc floor ceil neg")},
    **{"arctan": arb.atan, "negative": arb.neg, "erfinv": monotone(arb.erfinv)},
    **dict.fromkeys(("asinh", "arcsinh"), monotone(arb.asinh)),
    **dict.fromkeys(("atanh", "arctanh"), monotone(arb.atanh)),
    **dict.fromkeys(("digamma", "psi"), lambda a: _POSITIVE_DIGAMMA(a) if a > 0 else a.digamma()),
    **dict.fromkeys(("asin", "arcsin"), within(arb.asin, -ONE, ONE)),
    **dict.fromkeys(("acos", "arccos"), within(arb.acos, -ONE, ONE)),
    **dict.fromkeys(("acosh", "arccosh"), within(arb.acosh, ONE, INFINITY)),
    **dict.fromkeys(("abs", "absolute"), abs),
    **dict.fromkeys(("lgamma", "gammaln"), _log_gamma),
    **dict.fromkeys(("sigmoid", "expit"), monotone(_sigmoid)),
    **dict.fromkeys(("log_sigmoid", "logsigmoid"), lambda a: -softplus(-a)),
    **dict.fromkeys(("sign", "sgn"), arb.sgn),
    **dict.fromkeys(("trunc", "fix"), _truncated),
    "sinc": arb.sinc_pi,
    "sqrt": root,
    "rsqrt": lambda a: divided(ONE, root(a)),
    "square": squared,
    "reciprocal": lambda a: divided(ONE, a),
    "log": logarithm,
    "log2": lambda a: logarithm(a) / arb(2).log(),
    "log10": lambda a: logarithm(a) / arb(10).log(),
    "log1p": _log1p,
    "exp2": lambda a: arb(2) ** a,
    "entr": lambda a: -INFINITY if a < 0 else _entropy(a),
    "round": _rounded,
    "frac": lambda a: a - _truncated(a),
    "deg2rad": lambda a: a * arb.pi() / 180,
    "rad2deg": lambda a: a * 180 / arb.pi(),
    "ndtr": _normal,
    "log_ndtr": monotone(lambda a: _normal(a).log()),
    "ndtri": lambda a: -arb(2).sqrt() * (2 * a).erfcinv(),
    "erfcx": monotone(lambda a: squared(a).exp() * a.erfc()),
    "i0": lambda a: a.bessel_i(0),
    "i1": lambda a: a.bessel_i(1),
    "i0e": lambda a: (-abs(a)).exp() * a.bessel_i(0),
    "i1e": lambda a: (-abs(a)).exp() * a.bessel_i(1),
    "bessel_j0": lambda a: a.bessel_j(0),
    "bessel_j1": lambda a: a.bessel_j(1),
    "relu": lambda a: a.max(ZERO),
    "relu6": lambda a: a.max(ZERO).min(arb(6)),
    "silu": lambda a: a * _sigmoid(a),
    "softsign": monotone(lambda a: a / (ONE + abs(a))),
    "tanhshrink": lambda a: a - a.tanh(),
}
_TWO_NUMBERS: dict[str, Function] = {
    **dict.fromkeys(("mul", "rmul", "multiply"), lambda a, b: a * b),
    **dict.fromkeys(("pow", "float_power"), power),
    **dict.fromkeys(("maximum", "fmax"), arb.max),
    **dict.fromkeys(("minimum", "fmin"), arb.min),
    **dict.fromkeys(("atan2", "arctan2"), arb.atan2),
    **dict.fromkeys(("remainder", "mod"), _remainder),
    **dict.fromkeys(("floordiv", "floor_divide"), lambda a, b: divided(a, b).floor()),
    **dict.fromkeys(("gammainc", "igamma"), _positive_only(lambda a, x: x.gamma_lower(a, 1))),
    **dict.fromkeys(("gammaincc", "igammac"), _positive_only(lambda a, x: x.gamma_upper(a, 1))),
    "zeta": lambda a, q: a.zeta(q) if a > 1 and q > 0 else NAN,
    "fmod": lambda a, b: NAN if b.is_zero() else a - b * _truncated(a / b),
    "xlogy": _xlogy,
    "xlog1py": lambda a, b: ZERO if a.is_zero() and not b.is_nan() else a * _log1p(b),
    "logaddexp": added_in_logs,
    "logaddexp2": lambda a, b: added_in_logs(a * arb(2).log(), b * arb(2).log()) / arb(2).log(),
    "hypot": lambda a, b: root(squared(a) + squared(b)),
    "heaviside": _heaviside,
    "copysign": lambda a, b: NAN if b.is_zero() else abs(a) * b.sgn(),
}
_SWAPPED = {
    **dict.fromkeys(("rdiv", "rtruediv"), divided),
    **{"rpow": power, "rmod": _remainder, "rfloordiv": _TWO_NUMBERS["floordiv"]},
}
_COMPARISONS: dict[str, Callable[[arb, arb], bool]] = {
    **dict.fromkeys(("lt", "less"), below),
    **dict.fromkeys(("le", "less_equal"), lambda a, b: not below(b, a)),
    **dict.fromkeys(("gt", "greater"), lambda a, b: below(b, a)),
    **dict.fromkeys(("ge", "greater_equal"), lambda a, b: not below(a, b)),
    "eq": equal,
    **dict.fromkeys(("ne", "not_equal"), lambda a, b: not equal(a, b)),
}


def _defined(function: Function) -> Function:
    """nan stays nan: it may stand for a number that does not exist."""
    return lambda *numbers: NAN if any(number.is_nan() for number in numbers) else function(*numbers)


def _unary(function: Function) -> Operation:
    return lambda input: each(function, lift(input))


def _binary(function: Function) -> Operation:
    return lambda input, other: each(function, lift(input), lift(other))


def _flipped(function: Function) -> Operation:
    return lambda input, other: each(function, lift(other), lift(input))


def _compared(function: Callable[[arb, arb], bool]) -> Operation:
    return lambda input, other: each(function, lift(input), lift(other)).astype(bool)


def _add(input: Any, other: Any, alpha: Any = 1) -> np.ndarray:
    share = scalar(alpha)
    return each((lambda a, b: a + b) if equal_to(share, 1) else (lambda a, b: a + share * b), lift(input), lift(other))


def _subtract(input: Any, other: Any, alpha: Any = 1) -> np.ndarray:
    share = scalar(alpha)
    return each((lambda a, b: a - b) if equal_to(share, 1) else (lambda a, b: a - share * b), lift(input), lift(other))


def _divide(input: Any, other: Any, rounding_mode: str | None = None) -> np.ndarray:
    whole = {None: lambda a: a, "floor": arb.floor, "trunc": _truncated}[rounding_mode]
    return each(lambda a, b: whole(divided(a, b)), lift(input), lift(other))


def clamp(input: Any, min: Any = None, max: Any = None) -> np.ndarray:
    array = lift(input)
    if min is not None:
        array = each(arb.max, array, lift(min))
    return array if max is None else each(arb.min, array, lift(max))


def _round(input: Any, decimals: int = 0) -> np.ndarray:
    if decimals != 0:
        raise Unsupported("rounding to decimals")
    return each(_defined(_rounded), lift(input))


def _logit(input: Any, eps: Any = None) -> np.ndarray:
    array = lift(input) if eps is None else clamp(input, eps, ONE - scalar(eps))
    return each(lambda a: logarithm(a) - _log1p(-a), array)


def _softplus(input: Any, beta: Any = 1, threshold: Any = 20) -> np.ndarray:  # noqa: ARG001  (torch's shortcut beyond it)
    share = scalar(beta)
    return each(lambda a: softplus(share * a) / share, lift(input))


def _elu(input: Any, alpha: Any = 1.0) -> np.ndarray:
    share = scalar(alpha)
    return each(lambda a: a.max(ZERO) + share * a.min(ZERO).expm1(), lift(input))


def _leaky(input: Any, negative_slope: Any = 0.01) -> np.ndarray:
    share = scalar(negative_slope)
    return each(lambda a: a.max(ZERO) + share * a.min(ZERO), lift(input))


def _gelu(input: Any, approximate: str = "none") -> np.ndarray:
    if approximate != "none":
        raise Unsupported("an approximate gelu")
    return each(lambda a: a * _normal(a), lift(input))


def _polygammas(order: Any, input: Any) -> np.ndarray:
    if isinstance(order, Tensor):  # x.polygamma(n)
        order, input = input, order
    return each(lambda a: _polygamma(int(order), a), lift(input))


def _multigamma(input: Any, p: int) -> np.ndarray:
    constant = arb(p * (p - 1)) / 4 * arb.pi().log()
    return each(lambda a: sum((_log_gamma(a - arb(j) / 2) for j in range(p)), constant), lift(input))


def _finite(a: arb) -> bool:
    if a.is_finite():
        return True
    if equal_infinity(a, 1) or equal_infinity(a, -1):
        return False
    raise undecided("a number that may or may not be finite")


def _close(input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: Any = False) -> np.ndarray:  # noqa: ARG001
    def near(a: arb, b: arb) -> bool:
        return not below(arb(atol) + arb(rtol) * abs(b), abs(a - b))

    return each(near, lift(input), lift(other)).astype(bool)


def _same(input: Any, other: Any) -> bool:
    a, b = lift(input), lift(other)
    return a.shape == b.shape and bool(each(equal, a, b).astype(bool).all())


def truth(input: Any) -> bool:
    """The truth value of a tensor with one entry."""
    return not equal(lift(input).reshape(()).item(), ZERO)


def _converted(input: Any, *wanted: Any, dtype: Any = None, copy: Any = False) -> Any:  # noqa: ARG001
    """x.to(...), x.type(...): float64 stays, whole numbers and truth values are decided."""
    for target in (*wanted, dtype):
        if isinstance(target, Tensor):
            return _converted(input, target.dtype)
        if isinstance(target, torch.dtype) and target is not torch.float64:
            return _discrete(input, target)
        if isinstance(target, str) and ("Tensor" in target or "torch." in target):
            raise Unsupported(f"conversion to {target}")
    return lift(input)


def _discrete(input: Any, dtype: torch.dtype) -> torch.Tensor:
    array = lift(input)
    if dtype is torch.bool:
        return torch.as_tensor(each(lambda a: not equal(a, ZERO), array).astype(bool))
    if dtype.is_floating_point or dtype.is_complex:
        raise Unsupported(f"conversion to {dtype}")

    def whole(a: arb) -> int:
        found = _truncated(a).unique_fmpz()
        if found is None:
            raise undecided("a whole part that the enclosure does not decide")
        return int(found)

    return torch.as_tensor(each(whole, array).astype(np.int64)).to(dtype)


def _no_nan(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> np.ndarray:  # noqa: ARG001
    if not all(a.is_finite() for a in lift(input).reshape(-1)):
        raise undecided("numbers that may not be finite")
    return lift(input)


OPERATIONS: dict[str, Operation] = {
    **{name: _unary(_defined(function)) for name, function in _ONE_NUMBER.items()},
    **{name: _binary(_defined(function)) for name, function in _TWO_NUMBERS.items()},
    **{name: _flipped(_defined(function)) for name, function in _SWAPPED.items()},
    **{name: _compared(function) for name, function in _COMPARISONS.items()},
    **dict.fromkeys(("add", "radd"), _add),
    **dict.fromkeys(("sub", "subtract"), _subtract),
    "rsub": lambda input, other, alpha=1: _subtract(other, input, alpha),
    **dict.fromkeys(("div", "divide", "truediv", "true_divide"), _divide),
    **dict.fromkeys(("clamp", "clip"), clamp),
    "clamp_min": lambda input, min: clamp(input, min=min),
    "clamp_max": lambda input, max: clamp(input, max=max),
    "hardtanh": lambda input, min_val=-1.0, max_val=1.0: clamp(input, min_val, max_val),
    "round": _round,
    "logit": _logit,
    "softplus": _softplus,
    "elu": _elu,
    "leaky_relu": _leaky,
    "gelu": _gelu,
    "polygamma": _polygammas,
    **dict.fromkeys(("multigammaln", "mvlgamma"), _multigamma),
    "lerp": lambda input, end, weight: each(lambda a, b, w: a + w * (b - a), lift(input), lift(end), lift(weight)),
    "addcmul": lambda input, tensor1, tensor2, value=1: each(
        lambda a, b, c, v: a + v * b * c, lift(input), lift(tensor1), lift(tensor2), lift(value)
    ),
    "addcdiv": lambda input, tensor1, tensor2, value=1: each(
        lambda a, b, c, v: a + divided(v * b, c), lift(input), lift(tensor1), lift(tensor2), lift(value)
    ),
    "isfinite": lambda input: each(_finite, lift(input)).astype(bool),
    "isinf": lambda input: ~each(_finite, lift(input)).astype(bool),
    "isnan": lambda input: each(_finite, lift(input)).astype(bool) & False,
    "isclose": _close,
    "allclose": lambda *args, **kwargs: bool(_close(*args, **kwargs).all()),
    "equal": _same,
    "__bool__": truth,
    **dict.fromkeys(("to", "type", "type_as"), _converted),
    "double": lift,
    "bool": lambda input: _discrete(input, torch.bool),
    **dict.fromkeys(("long", "int"), lambda input: _discrete(input, torch.int64)),
    "nan_to_num": _no_nan,
}
