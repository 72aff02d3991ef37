"""Functions of one or two balls, and their names in torch, numpy and scipy."""

from collections.abc import Callable

from flint import arb

from harness.certify.precision.balls import NAN, ONE, ZERO, below, equal, names, told_apart, told_from

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
    """a / b; nan for b = 0, where torch's answer depends on the sign of that zero, and for what is beyond a pole."""
    return NAN if b.is_zero() or equal_infinity(b, 1) or equal_infinity(b, -1) else a / b


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


def log1p(a: arb) -> arb:
    return -INFINITY if equal_to(a, -1) else a.log1p()


def equal_to(a: arb, number: int) -> bool:
    """Whether a ball is exactly this whole number."""
    return bool(a.is_exact() and (a - number).is_zero())


def floored(a: arb) -> arb:
    return told_apart(a).floor()


def truncated(a: arb) -> arb:
    return (
        floored(a) if a >= 0 else told_apart(a).ceil()
    )  # around 0, all whole parts lie between the ends of the latter


def rounded(a: arb) -> arb:
    """The nearest whole number, ties to even."""
    if a.is_integer():
        return a
    twice = told_apart(2 * a)
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


def _sign(a: arb) -> arb:
    told_from(a, ZERO)
    return a.sgn()


def equal_infinity(a: arb, sign: int) -> bool:
    """Whether a ball is exactly this infinity."""
    return bool(a.is_exact() and not a.is_finite() and not a.is_nan() and (a > 0 if sign > 0 else a < 0))


def log_gamma(a: arb) -> arb:
    """log |gamma(a)|."""
    if a > 0:
        return a.lgamma()
    if a.contains_integer():
        return INFINITY if a.is_exact() and a <= 0 else NAN
    if a < 0:
        return (arb.pi() / abs(a.sin_pi())).log() - (ONE - a).lgamma()
    return NAN


def polygamma(order: int, a: arb) -> arb:
    if order == 0:
        return a.digamma()
    if not a > 0:
        return NAN
    return (-ONE) ** (order + 1) * arb(order).fac() * arb(order + 1).zeta(a)


def normal(a: arb) -> arb:
    return (-a / arb(2).sqrt()).erfc() / 2


def _remainder(a: arb, b: arb) -> arb:
    return NAN if b.is_zero() else a - b * floored(a / b)


def _positive_only(function: Function) -> Function:
    return lambda *numbers: function(*numbers) if all(number > 0 for number in numbers) else NAN


_POSITIVE_DIGAMMA = monotone(arb.digamma)
ONE_NUMBER: dict[str, Function] = {
    **{name: getattr(arb, name) for name in names("exp cos sin tan expm1 tanh sinh cosh atan erf erfc neg")},
    **{"floor": floored, "ceil": lambda a: told_apart(a).ceil()},
    **{"arctan": arb.atan, "negative": arb.neg, "erfinv": monotone(arb.erfinv)},
    **dict.fromkeys(("asinh", "arcsinh"), monotone(arb.asinh)),
    **dict.fromkeys(("atanh", "arctanh"), monotone(arb.atanh)),
    **dict.fromkeys(("digamma", "psi"), lambda a: _POSITIVE_DIGAMMA(a) if a > 0 else a.digamma()),
    **dict.fromkeys(("asin", "arcsin"), within(arb.asin, -ONE, ONE)),
    **dict.fromkeys(("acos", "arccos"), within(arb.acos, -ONE, ONE)),
    **dict.fromkeys(("acosh", "arccosh"), within(arb.acosh, ONE, INFINITY)),
    **dict.fromkeys(("abs", "absolute"), abs),
    **dict.fromkeys(("lgamma", "gammaln"), log_gamma),
    **dict.fromkeys(("sigmoid", "expit"), monotone(_sigmoid)),
    **dict.fromkeys(("log_sigmoid", "logsigmoid"), lambda a: -softplus(-a)),
    **dict.fromkeys(("sign", "sgn"), _sign),
    **dict.fromkeys(("trunc", "fix"), truncated),
    "sinc": arb.sinc_pi,
    "sqrt": root,
    "rsqrt": lambda a: divided(ONE, root(a)),
    "square": squared,
    "reciprocal": lambda a: divided(ONE, a),
    "log": logarithm,
    "log2": lambda a: logarithm(a) / arb(2).log(),
    "log10": lambda a: logarithm(a) / arb(10).log(),
    "log1p": log1p,
    "exp2": lambda a: arb(2) ** a,
    "entr": lambda a: -INFINITY if a < 0 else _entropy(a),
    "round": rounded,
    "frac": lambda a: a - truncated(a),
    "deg2rad": lambda a: a * arb.pi() / 180,
    "rad2deg": lambda a: a * 180 / arb.pi(),
    "ndtr": normal,
    "log_ndtr": monotone(lambda a: normal(a).log()),
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
TWO_NUMBERS: dict[str, Function] = {
    **dict.fromkeys(("mul", "rmul", "multiply"), lambda a, b: a * b),
    **dict.fromkeys(("pow", "float_power"), power),
    **dict.fromkeys(("maximum", "fmax"), arb.max),
    **dict.fromkeys(("minimum", "fmin"), arb.min),
    **dict.fromkeys(("atan2", "arctan2"), arb.atan2),
    **dict.fromkeys(("remainder", "mod"), _remainder),
    **dict.fromkeys(("floordiv", "floor_divide"), lambda a, b: floored(divided(a, b))),
    **dict.fromkeys(("gammainc", "igamma"), _positive_only(lambda a, x: x.gamma_lower(a, 1))),
    **dict.fromkeys(("gammaincc", "igammac"), _positive_only(lambda a, x: x.gamma_upper(a, 1))),
    "zeta": lambda a, q: a.zeta(q) if a > 1 and q > 0 else NAN,
    "fmod": lambda a, b: NAN if b.is_zero() else a - b * truncated(a / b),
    "xlogy": _xlogy,
    "xlog1py": lambda a, b: ZERO if a.is_zero() and not b.is_nan() else a * log1p(b),
    "logaddexp": added_in_logs,
    "logaddexp2": lambda a, b: added_in_logs(a * arb(2).log(), b * arb(2).log()) / arb(2).log(),
    "hypot": lambda a, b: root(squared(a) + squared(b)),
    "heaviside": _heaviside,
    "copysign": lambda a, b: NAN if b.is_zero() else abs(a) * b.sgn(),
}
SWAPPED = {
    **dict.fromkeys(("rdiv", "rtruediv"), divided),
    **{"rpow": power, "rmod": _remainder, "rfloordiv": TWO_NUMBERS["floordiv"]},
}
COMPARISONS: dict[str, Callable[[arb, arb], bool]] = {
    **dict.fromkeys(("lt", "less"), below),
    **dict.fromkeys(("le", "less_equal"), lambda a, b: not below(b, a)),
    **dict.fromkeys(("gt", "greater"), lambda a, b: below(b, a)),
    **dict.fromkeys(("ge", "greater_equal"), lambda a, b: not below(a, b)),
    "eq": equal,
    **dict.fromkeys(("ne", "not_equal"), lambda a, b: not equal(a, b)),
}
