"""torch's functions on forms: what has an expansion, and what is known of the rest (equal arguments, equal values)."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from harness.certify.conversions import wanted_type
from harness.certify.enclosure.entries import like
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.truths import LIKE
from harness.certify.expansion.exponentials import cosine, exponential, sine
from harness.certify.expansion.forms import (
    Form,
    conjugate,
    is_real,
    opaque,
    size,
)
from harness.certify.expansion.positivity import outweighs_its_logarithms
from harness.certify.expansion.powers import rational_power, real_root
from harness.certify.expansion.tensor import (
    OPERATIONS,
    Expanded,
    lift,
    mapped,
)
from harness.certify.expansion.truths import logarithm, never_vanishes, values_of

OPAQUE = ("erf", "erfc", "atan", "asin", "acos", "lgamma", "digamma", "floor", "round", "sign")


def squared(a: Form) -> Form:
    return a * a


def larger(a: Form, b: Form) -> Form:
    return _half(a + b + _distance(a, b))


def smaller(a: Form, b: Form) -> Form:
    return _half(a + b - _distance(a, b))


def _distance(a: Form, b: Form) -> Form:
    """|a - b|, also where inequalities between logarithms tell which is the larger one."""
    difference = a - b
    return next((form for form in (difference, -difference) if outweighs_its_logarithms(form)), None) or size(
        difference
    )


def _half(a: Form) -> Form:
    return a * a.space.number(0.5)


def _power(a: Form, b: Form) -> Form:
    exponent = b.number
    if exponent is None:
        base = a.number
        if base is not None and base > 0:  # c^x = exp(x log c), for one and the same number log c
            return exponential(b * logarithm(a))
        raise NoEnclosure("a power whose exponent is an input")
    return rational_power(a, exponent)


def _hyperbolic_tangent(a: Form) -> Form:
    up, down = exponential(a), exponential(-a)
    return (up - down) / (up + down)


def _sigmoid(a: Form) -> Form:
    up = exponential(a)
    return up / (up + a.space.number(1))


def _entropy(a: Form) -> Form:
    return a if a.number == 0 else -(a * logarithm(a))


def _x_log_y(a: Form, b: Form) -> Form:
    return a if a.number == 0 else a * logarithm(b)


_ONE: dict[str, Callable[..., Form]] = {
    **dict.fromkeys(("neg", "negative"), lambda a: -a),
    "abs": size,
    "sigmoid": _sigmoid,
    "square": squared,
    "reciprocal": lambda a: a.inverse(),
    "sqrt": real_root,
    "rsqrt": lambda a: real_root(a).inverse(),
    "exp": exponential,
    "expm1": lambda a: exponential(a) - a.space.number(1),
    "cos": cosine,
    "sin": sine,
    "cosh": lambda a: _half(exponential(a) + exponential(-a)),
    "sinh": lambda a: _half(exponential(a) - exponential(-a)),
    "tanh": _hyperbolic_tangent,
    "log": logarithm,
    "log1p": lambda a: logarithm(a + a.space.number(1)),
    "entr": _entropy,
    "relu": lambda a: larger(a, a.space.number(0)),
    **{name: functools.partial(opaque, name) for name in OPAQUE},
}
_TWO: dict[str, Callable[..., Form]] = {
    **dict.fromkeys(("mul", "rmul", "multiply"), lambda a, b: a * b),
    **dict.fromkeys(("pow", "float_power"), _power),
    "rpow": lambda a, b: _power(b, a),
    "maximum": larger,
    "minimum": smaller,
    "xlogy": _x_log_y,
    "xlog1py": lambda a, b: _x_log_y(a, b + b.space.number(1)),
}
OPERATIONS.update({name: mapped(function) for name, function in {**_ONE, **_TWO}.items()})


def operation(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register under torch's names."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        OPERATIONS.update(dict.fromkeys(names, function))
        return function

    return register


@operation("add", "radd")
def _add(input: Any, other: Any, alpha: Any = 1) -> Expanded:
    return mapped(lambda a, b: a + b if alpha == 1 else a + b * a.space.number(alpha))(input, other)  # type: ignore[no-any-return]


@operation("sub", "subtract")
def _subtract(input: Any, other: Any, alpha: Any = 1) -> Expanded:
    return mapped(lambda a, b: a - b if alpha == 1 else a - b * a.space.number(alpha))(input, other)  # type: ignore[no-any-return]


@operation("rsub")
def _rsub(input: Any, other: Any, alpha: Any = 1) -> Expanded:
    return _subtract(other, input, alpha)  # type: ignore[no-any-return]


@operation("div", "divide", "truediv", "true_divide")
def divide(input: Any, other: Any, rounding_mode: Any = None) -> Expanded:
    if rounding_mode is not None:
        raise NoEnclosure("division with rounding")
    found: Expanded = mapped(lambda a, b: a / b)(input, other)
    found.undefined = not all(map(never_vanishes, lift(other, found.space).flat))
    return found


@operation("rdiv", "rtruediv")
def _rdivide(input: Any, other: Any) -> Expanded:
    return divide(other, input)  # type: ignore[no-any-return]


@operation("clamp", "clip")
def _clamp(input: Any, min: Any = None, max: Any = None) -> Expanded:
    found = input if min is None else OPERATIONS["maximum"](input, min)
    return found if max is None else OPERATIONS["minimum"](found, max)  # type: ignore[no-any-return]


OPERATIONS["clamp_min"] = lambda input, min: _clamp(input, min=min)
OPERATIONS["clamp_max"] = lambda input, max: _clamp(input, max=max)


@operation("to", "type", "type_as")
def _converted(input: Any, *wanted: Any, dtype: Any = None, copy: Any = False) -> Any:  # noqa: ARG001
    target = wanted_type(*wanted, dtype)
    if not isinstance(input, Expanded):
        return input if target is None else input.to(target)
    stays = target is None or (target is torch.float64 and not input.turned)
    if not (stays or (target is torch.bool and input.truths) or (target is torch.int64 and _whole(input))):
        raise NoEnclosure(f"conversion to {target}")
    return Expanded(input.array, input.space, truths=input.truths if target is None else target is torch.bool)


def _whole(input: Expanded) -> bool:
    """Whether all entries are whole numbers for all inputs."""
    if input.undefined:
        return False
    found = [values_of(form) for form in input.array.reshape(-1)]
    return all(values is not None and all(value.q == 1 for value in values) for values in found)


@operation("conj")
def _conjugate(input: Any) -> Expanded:
    return mapped(conjugate)(input)  # type: ignore[no-any-return]


@operation("real")
def _real_part(input: Any) -> Expanded:
    return mapped(lambda a: a if is_real(a) else _half(a + conjugate(a)))(input)  # type: ignore[no-any-return]


@operation("imag")
def _imaginary_part(input: Any) -> Expanded:
    return mapped(lambda a: (a - conjugate(a)) * a.space.complex_number(-0.5j))(input)  # type: ignore[no-any-return]


@operation("complex")
def _complex(real: Any, imag: Any) -> Expanded:
    return mapped(lambda a, b: a + b * a.space.complex_number(1j))(real, imag)  # type: ignore[no-any-return]


@operation("data", "cpu", "resolve_conj", "resolve_neg", "requires_grad_")
def _itself(input: Any, *args: Any) -> Expanded:  # noqa: ARG001
    return Expanded(input.array, input.space, truths=input.truths)


@operation("double")
def _numbers_of(input: Any) -> Expanded:
    if input.turned:
        raise NoEnclosure("the real part of a conversion")
    return Expanded(input.array, input.space)


OPERATIONS.update({name: like(name) for name in LIKE - {"empty_like", "new_empty"}})


@operation("mT")
def _transposed(input: Any) -> Any:
    return OPERATIONS["transpose"](input, -1, -2)


@operation("T")
def _turned_around(input: Any) -> Any:
    return OPERATIONS["permute"](input, tuple(reversed(range(input.ndim))))


@operation("mH", "adjoint")
def _adjoint(input: Any) -> Any:
    return _conjugate(_transposed(input))


@operation("H")
def _adjoint_matrix(input: Any) -> Any:
    return _adjoint(input.reshape(tuple(input.shape)[:2]))  # torch has it of matrices only


@operation("new_empty")
def _empty(input: Any, *size: Any, **kwargs: Any) -> Tensor:  # noqa: ARG001
    """A tensor without entries; what others hold is not known."""
    found = torch.zeros(*size, dtype=torch.float64)
    if found.numel():
        raise NoEnclosure("torch.new_empty of entries")
    return found


@operation("expand_as", "view_as", "reshape_as")
def _as(input: Any, other: Any) -> Any:
    if not isinstance(input, Expanded):
        return input.expand(tuple(other.shape))
    name = "expand" if input.ndim <= other.ndim and input.numel() != other.numel() else "reshape"
    return OPERATIONS[name](input, tuple(other.shape))


@operation("__iter__")
def _iterated(input: Any) -> Any:
    return [Expanded(part, input.space) for part in input.array]


@operation("diag_embed")
def _diagonal(input: Any) -> Expanded:
    return OPERATIONS["mul"](OPERATIONS["unsqueeze"](input, -1), torch.eye(input.shape[-1], dtype=torch.float64))  # type: ignore[no-any-return]
