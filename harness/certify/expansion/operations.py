"""torch's functions on forms: what has an expansion, and what is known of the rest (equal arguments, equal values)."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.forms import (
    Form,
    conjugate,
    cosine,
    exponential,
    is_real,
    logarithm,
    opaque,
    rational,
    root,
    sine,
    size,
    truth_of,
)
from harness.certify.expansion.polynomials import finite_generators, generators, number_of
from harness.certify.expansion.tensor import (
    LARGEST,
    OPERATIONS,
    Expanded,
    each,
    lift,
    mapped,
    reduced,
    space_of,
    total,
)

OPAQUE = ("erf", "erfc", "atan", "asin", "acos", "lgamma", "digamma", "floor", "round", "sign")


def _squared(a: Form) -> Form:
    return a * a


def _larger(a: Form, b: Form) -> Form:
    return _half(a + b + size(a - b))


def _smaller(a: Form, b: Form) -> Form:
    return _half(a + b - size(a - b))


def _half(a: Form) -> Form:
    return a * a.space.number(0.5)


def _power(a: Form, b: Form) -> Form:
    exponent = b.number
    if exponent is None:
        base = a.number
        if base is not None and base > 0:  # c^x = exp(x log c), for one and the same number log c
            return exponential(b * logarithm(a))
        raise NoEnclosure("a power whose exponent is an input")
    if exponent.q == 1 and abs(int(exponent.p)) <= 64:
        return a.power(int(exponent.p))
    if exponent.q == 2 and abs(int(exponent.p)) <= 64:
        return root(a).power(int(exponent.p))
    return opaque(f"power {exponent}", a)


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
    **dict.fromkeys(("abs", "absolute"), size),
    **dict.fromkeys(("sigmoid", "expit"), _sigmoid),
    "square": _squared,
    "reciprocal": lambda a: a.inverse(),
    "sqrt": root,
    "rsqrt": lambda a: root(a).inverse(),
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
    "relu": lambda a: _larger(a, a.space.number(0)),
    **{name: functools.partial(opaque, name) for name in OPAQUE},
}
_TWO: dict[str, Callable[..., Form]] = {
    **dict.fromkeys(("mul", "rmul", "multiply"), lambda a, b: a * b),
    **dict.fromkeys(("rdiv", "rtruediv"), lambda a, b: b / a),
    **dict.fromkeys(("pow", "float_power"), _power),
    "rpow": lambda a, b: _power(b, a),
    "maximum": _larger,
    "minimum": _smaller,
    "xlogy": _x_log_y,
    "xlog1py": lambda a, b: _x_log_y(a, b + b.space.number(1)),
}
_TRUTHS: dict[str, Callable[..., Form]] = {
    **dict.fromkeys(("gt", "greater"), lambda a, b: truth_of(a - b, "gt")),
    **dict.fromkeys(("lt", "less"), lambda a, b: truth_of(b - a, "gt")),
    **dict.fromkeys(("ge", "greater_equal"), lambda a, b: _not(truth_of(b - a, "gt"))),
    **dict.fromkeys(("le", "less_equal"), lambda a, b: _not(truth_of(a - b, "gt"))),
    "eq": lambda a, b: _equal(a, b),  # noqa: PLW0108  (defined below)
    **dict.fromkeys(("ne", "not_equal"), lambda a, b: _not(_equal(a, b))),
    **dict.fromkeys(("and", "rand", "logical_and"), lambda a, b: a * b),
    **dict.fromkeys(("or", "ror", "logical_or"), lambda a, b: a + b - a * b),
    **dict.fromkeys(("invert", "logical_not"), lambda a: _not(a)),  # noqa: PLW0108
}


def _not(a: Form) -> Form:
    return a.space.number(1) - a


def _equal(a: Form, b: Form) -> Form:
    difference = a - b
    first = min(difference.above, default=None)
    return truth_of(-difference if first is not None and difference.above[first] < 0 else difference, "eq")


OPERATIONS.update({name: mapped(function) for name, function in {**_ONE, **_TWO}.items()})
OPERATIONS.update({name: mapped(function, truths=True) for name, function in _TRUTHS.items()})


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
    return mapped(lambda a, b: a / b)(input, other)  # type: ignore[no-any-return]


@operation("clamp", "clip")
def _clamp(input: Any, min: Any = None, max: Any = None) -> Expanded:
    found = input if min is None else OPERATIONS["maximum"](input, min)
    return found if max is None else OPERATIONS["minimum"](found, max)  # type: ignore[no-any-return]


OPERATIONS["clamp_min"] = lambda input, min: _clamp(input, min=min)
OPERATIONS["clamp_max"] = lambda input, max: _clamp(input, max=max)


@operation("where")
def _where(condition: Any, input: Any, other: Any) -> Expanded:
    """t a + (1 - t) b, with t the truth value."""
    if not (condition.truths if isinstance(condition, Expanded) else condition.dtype is torch.bool):
        condition, input = input, condition
    space = space_of(condition, input, other)

    def chosen(t: Form, a: Form, b: Form) -> Form:
        decided = t.number
        if decided is not None:
            return b if decided == 0 else a
        return t * a + _not(t) * b

    return Expanded(each(chosen, *(lift(value, space) for value in (condition, input, other))), space)


@operation("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Expanded:
    return _where(mask, value, input)  # type: ignore[no-any-return]


@operation("sum", "nansum")
def _sum(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(total, input, dim, keepdim)


@operation("mean")
def _mean(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(_average, input, dim, keepdim)


def _average(line: list[Form]) -> Form:
    return total(line) / line[0].space.number(len(line))


@operation("prod")
def _prod(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: functools.reduce(lambda a, b: a * b, line), input, dim, keepdim)


@operation("amax")
def _amax(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: functools.reduce(_larger, line), input, dim, keepdim)


@operation("amin")
def _amin(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: functools.reduce(_smaller, line), input, dim, keepdim)


@operation("max")
def _max(input: Any, dim: Any = None, keepdim: Any = False) -> Any:  # noqa: ARG001
    if isinstance(dim, Tensor):
        return OPERATIONS["maximum"](input, dim)
    if dim is None:
        return _amax(input)
    raise NoEnclosure("the place of a largest entry")


@operation("var")
def _variance(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = 1) -> Any:
    taken = correction if unbiased is None else int(unbiased)

    def spread(line: list[Form]) -> Form:
        centre = _average(line)
        return total([_squared(a - centre) for a in line]) / line[0].space.number(len(line) - taken)

    return reduced(spread, input, dim, keepdim)


@operation("linalg_vector_norm", "norm")
def _norm(input: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, p: Any = None) -> Expanded:
    order = ord if p is None else p
    if order in (2, None, "fro"):
        return reduced(lambda line: root(total([_squared(a) for a in line])), input, dim, keepdim)
    if order == 1:
        return reduced(lambda line: total([size(a) for a in line]), input, dim, keepdim)
    raise NoEnclosure(f"a norm of order {order}")


@operation("logsumexp")
def _logsumexp(input: Any, dim: Any, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: logarithm(total([exponential(a) for a in line])), input, dim, keepdim)


@operation("softmax")
def _softmax(input: Any, dim: int) -> Expanded:
    powers = OPERATIONS["exp"](input)
    return divide(powers, _sum(powers, dim, True))  # type: ignore[no-any-return]  # noqa: FBT003


@operation("cumsum")
def _cumsum(input: Any, dim: int) -> Expanded:
    return Expanded(np.add.accumulate(input.array, axis=dim), input.space)


@operation("cumprod")
def _cumprod(input: Any, dim: int) -> Expanded:
    return Expanded(np.multiply.accumulate(input.array, axis=dim), input.space)


@operation("diff")
def _differences(input: Any, n: int = 1, dim: int = -1) -> Expanded:
    return Expanded(np.diff(input.array, n=n, axis=dim), input.space)


@operation("matmul", "mm", "bmm", "mv", "dot")
def _matmul(input: Any, other: Any) -> Expanded:
    space = space_of(input, other)
    a, b = lift(input, space), lift(other, space)
    if a.size * b.shape[-1] > LARGEST * 8:
        raise NoEnclosure("a product of large matrices of forms")
    left = a[None, :] if a.ndim == 1 else a
    right = b[:, None] if b.ndim == 1 else b
    found = _products(left, right)
    found = found[..., 0] if b.ndim == 1 else found
    return Expanded(found if a.ndim > 1 else found[..., 0] if b.ndim == 1 else found[..., 0, :], space)


def _products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    lead = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left = np.broadcast_to(left, lead + left.shape[-2:])
    right = np.broadcast_to(right, lead + right.shape[-2:])
    found = np.empty((*lead, left.shape[-2], right.shape[-1]), dtype=object)
    for index in np.ndindex(found.shape):
        row, column = left[(*index[:-2], index[-2])], right[(*index[:-2], slice(None), index[-1])]
        found[index] = total([a * b for a, b in zip(row, column, strict=True)])
    return found


OPERATIONS["rmatmul"] = lambda input, other: _matmul(other, input)


@operation("getitem")
def _getitem(input: Any, index: Any) -> Expanded:
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(part, Expanded) for part in parts):
        raise NoEnclosure("indices that depend on inputs")
    plain = tuple(part.cpu().numpy() if isinstance(part, Tensor) else part for part in parts)
    return Expanded(input.array[plain], input.space, truths=input.truths)


@operation("gather", "take_along_dim")
def _gather(input: Any, dim: int, index: Any) -> Expanded:
    if isinstance(index, Expanded):
        raise NoEnclosure("indices that depend on inputs")
    places = torch.arange(input.array.size).reshape(input.array.shape).gather(dim, index).numpy()
    return Expanded(input.array.reshape(-1)[places], input.space)


@operation("to", "type", "type_as")
def _converted(input: Any, *wanted: Any, dtype: Any = None, copy: Any = False) -> Any:  # noqa: ARG001
    if not isinstance(input, Expanded):
        return input.to(*(torch.float64 if isinstance(target, Expanded) else target for target in wanted))
    for target in (*wanted, dtype):
        if (
            isinstance(target, torch.dtype)
            and target is not torch.float64
            and not (target is torch.bool and input.truths)
        ):
            raise NoEnclosure(f"conversion to {target}")
    return Expanded(input.array, input.space, truths=torch.bool in (*wanted, dtype))


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


@operation("unique")
def _codes(input: Any, *, sorted: Any = True, **wanted: Any) -> Tensor:  # noqa: ARG001
    """All values that inputs may have: a body answers alike whatever else is in its batch, so all of them may be."""
    if any(value not in (None, False) for value in wanted.values()):
        raise NoEnclosure("the places of the different values of inputs")
    values: set[float] = set()
    for a in input.array.reshape(-1):
        numbers = None if a.below is not None else finite_generators(a.space.ring, a.above)
        if numbers is None or len(numbers) != 1:
            raise NoEnclosure("the different values of inputs")
        for value in a.space.ring.values[numbers[0]]:
            at = number_of(a.space.ring.at(a.above, {numbers[0]: value}))
            assert at is not None
            values.add(float(Fraction(int(at.p), int(at.q))))
    return torch.tensor(list(values), dtype=torch.float64).sort().values


@operation("data", "cpu", "double", "resolve_conj", "resolve_neg", "requires_grad_")
def _itself(input: Any, *args: Any) -> Expanded:  # noqa: ARG001
    return Expanded(input.array, input.space)


def _constant(name: str) -> Callable[..., Tensor]:
    def made(input: Any, *args: Any, **kwargs: Any) -> Tensor:
        dtype = kwargs.pop("dtype", None) or torch.float64
        if name == "new_tensor":
            return torch.tensor(args[0], dtype=dtype)
        method = getattr(torch, name.removeprefix("new_").removesuffix("_like"))
        shape = (tuple(input.shape), *args) if name.endswith("_like") else args
        found: Tensor = method(*shape, **kwargs, dtype=dtype)
        return found

    return made


for _name in ("zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "new_tensor"):
    OPERATIONS[_name] = _constant(_name)
for _name in ("mT", "T", "mH", "H"):
    OPERATIONS[_name] = lambda input: OPERATIONS["transpose"](input, -1, -2)


@operation("expand_as", "view_as", "reshape_as")
def _as(input: Any, other: Any) -> Expanded:
    name = "expand" if input.ndim <= other.ndim and input.numel() != other.numel() else "reshape"
    return OPERATIONS[name](input, tuple(other.shape))  # type: ignore[no-any-return]


@operation("__iter__")
def _iterated(input: Any) -> Any:
    return iter([Expanded(part, input.space) for part in input.array])


def _finiteness(kind: str, *, finite: bool) -> Callable[..., Any]:
    """Polynomials and their exponentials are finite; of others it is a truth value of its own."""

    def truth(a: Form) -> Form:
        if a.below is None and not a.space.ring.partial & generators(a.above):
            return a.space.number(1 if finite else 0)
        return a.space.named((kind, a.key), lambda: a.space.ring.finite((rational(0), rational(1))))

    return mapped(truth, truths=True)


OPERATIONS["isfinite"] = _finiteness("finite", finite=True)
OPERATIONS["isnan"] = _finiteness("nan", finite=False)
OPERATIONS["isinf"] = _finiteness("infinite", finite=False)


@operation("all")
def _all(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    found = reduced(lambda line: functools.reduce(lambda a, b: a * b, line), input, dim, keepdim)
    return Expanded(found.array, found.space, truths=True)


@operation("any")
def _any(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    found = reduced(lambda line: _not(functools.reduce(lambda a, b: a * b, map(_not, line))), input, dim, keepdim)
    return Expanded(found.array, found.space, truths=True)


@operation("__bool__")
def _decision(input: Any) -> bool:
    value = input.array.reshape(()).item().number if input.array.size == 1 else None
    if value is None:
        raise NoEnclosure("a decision that depends on inputs")
    return bool(value != 0)


@operation("diag_embed")
def _diagonal(input: Any) -> Expanded:
    return OPERATIONS["mul"](OPERATIONS["unsqueeze"](input, -1), torch.eye(input.shape[-1], dtype=torch.float64))  # type: ignore[no-any-return]
