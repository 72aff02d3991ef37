"""Sums, means, products, norms and matrix products."""

# ruff: noqa: FBT002, FBT003  (parameters and their defaults are torch's)

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.enclosure.arithmetic import (
    add_ends,
    divide,
    divide_ends,
    is_one_object,
    magnitude_ends,
    multiply,
    multiply_ends,
    square,
    subtract,
)
from harness.certify.enclosure.elementary import logarithm, power, root
from harness.certify.enclosure.outward import INF, above, below, down, line_margin, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import OPERATIONS, Enclosed, Ends, any_partial, ends, mixed, operation, plain

LARGEST_PRODUCT = 30_000_000  # entries of the products behind one matrix product


def axes_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Axes from torch's `dim`: all of them for None or ()."""
    wanted = tuple(dim) if isinstance(dim, list | tuple) else (dim,)
    if dim is None or not wanted:
        return tuple(range(ndim))
    return tuple(int(axis) % max(ndim, 1) for axis in wanted) if ndim else ()


def sum_over(a: Ends, axes: tuple[int, ...], *, keepdim: bool = False) -> Ends:
    """Sums along axes, in any order of the terms."""
    if not axes or not a[0].ndim:
        return a
    low, high = (end.sum(axes, keepdim=keepdim) for end in a)
    count = math.prod(a[0].shape[axis] for axis in axes)
    if count == 1:
        return low, high
    margins = [line_margin(end.abs().sum(axes, keepdim=keepdim), count) for end in a]
    return (
        torch.where(margins[0] == 0.0, low, below(low, margins[0])),
        torch.where(margins[1] == 0.0, high, above(high, margins[1])),
    )


@operation("sum")
def total(input: Any, dim: Any = None, keepdim: Any = False) -> Enclosed:
    a = ends(input)
    return mixed(*sum_over(a, axes_of(dim, a[0].ndim), keepdim=bool(keepdim)), input)


@operation("mean")
def mean(input: Any, dim: Any = None, keepdim: Any = False) -> Enclosed:
    a = ends(input)
    axes = axes_of(dim, a[0].ndim)
    count = math.prod(a[0].shape[axis] for axis in axes)
    return divide(total(input, dim, keepdim), float(count))  # type: ignore[no-any-return]


@operation("nansum")
def _total_of_numbers(input: Any, dim: Any = None, keepdim: Any = False) -> Enclosed:
    low, high = ends(input)
    if any_partial(input) or not bool((low.isfinite() & high.isfinite()).all()):
        raise NoEnclosure("a sum without the terms that are undefined", undecided=True)
    return total(input, dim, keepdim)  # type: ignore[no-any-return]


def _running(input: Any, dim: int, step: Any) -> Enclosed:
    """One entry after the other along an axis."""
    a = ends(input)
    lines = [part.unbind(dim) for part in a]
    parts: list[Ends] = []
    for low, high in zip(*lines, strict=True):
        parts.append(step(parts[-1], (low, high)) if parts else (low, high))
    return mixed(torch.stack([p[0] for p in parts], dim), torch.stack([p[1] for p in parts], dim), input)


@operation("cumsum")
def _running_sums(input: Any, dim: int) -> Enclosed:
    return _running(input, dim, add_ends)


@operation("cumprod")
def _running_products(input: Any, dim: int) -> Enclosed:
    return _running(input, dim, multiply_ends)


@operation("prod")
def _product(input: Any, dim: int | None = None, keepdim: Any = False) -> Enclosed:
    low, high = ends(input)
    if dim is None:
        low, high, dim = low.reshape(-1), high.reshape(-1), 0
    parts = list(zip(low.unbind(dim), high.unbind(dim), strict=True))
    found = parts[0]
    for part in parts[1:]:
        found = multiply_ends(found, part)
    kept = tuple(end.unsqueeze(dim) for end in found) if keepdim else found
    return mixed(kept[0], kept[1], input)


@operation("diff")
def _differences(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Enclosed:
    parts = [part for part in (prepend, input, append) if part is not None]
    found = OPERATIONS["cat"](parts, dim) if len(parts) > 1 else input
    for _ in range(n):
        size = found.shape[dim]
        later, earlier = (OPERATIONS["narrow"](found, dim, start, size - 1) for start in (1, 0))
        found = subtract(later, earlier)
    return found  # type: ignore[no-any-return]


@operation("linalg_vector_norm", "norm")
def vector_norm(input: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, p: Any = None) -> Enclosed:
    order = ord if p is None else p
    if order in (None, "fro", 2):
        return root(_line(square(input), dim, keepdim))  # type: ignore[no-any-return]
    sizes = Enclosed(*magnitude_ends(ends(input)), input.partial)
    if order == math.inf:
        return OPERATIONS["amax"](sizes, dim, keepdim)  # type: ignore[no-any-return]
    if order == 1:
        return _line(sizes, dim, keepdim)
    if not isinstance(order, int | float) or order <= 0:
        raise NoEnclosure(f"a norm of order {order}")
    return power(_line(power(sizes, order), dim, keepdim), _inverse(float(order)))  # type: ignore[no-any-return]


def _inverse(order: float) -> Enclosed:
    low, high = divide_ends(ends(1.0), ends(order))[0]
    return Enclosed(low, high)


def _line(x: Any, dim: Any, keepdim: Any) -> Enclosed:
    """A sum of numbers that are not negative."""
    found = total(x, dim, keepdim)
    return Enclosed(found.low.clamp_min(0.0), found.high, found.partial)


@operation("var")
def variance(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None
) -> Enclosed:
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    taken = (1 if unbiased in (None, True) else 0) if correction is None else correction
    axes = axes_of(dim, input.ndim)
    count = math.prod(input.shape[axis] for axis in axes) - float(taken)
    if count <= 0.0:
        raise NoEnclosure("a variance without degrees of freedom")
    away = subtract(input, mean(input, axes, True))
    return divide(_line(square(away), axes, keepdim), count)  # type: ignore[no-any-return]


@operation("std")
def _deviation(*args: Any, **kwargs: Any) -> Enclosed:
    return root(variance(*args, **kwargs))  # type: ignore[no-any-return]


@operation("logsumexp")
def _logsumexp(input: Any, dim: Any, keepdim: Any = False) -> Enclosed:
    """log sum exp: increasing in every entry, so that its ends are those of the ends."""
    a = ends(input)
    axes = axes_of(dim, a[0].ndim)
    low = _logsumexp_at(a[0], axes, keepdim=bool(keepdim))
    high = _logsumexp_at(a[1], axes, keepdim=bool(keepdim))
    return mixed(low.low, high.high, input)


def _logsumexp_at(x: Tensor, axes: tuple[int, ...], *, keepdim: bool) -> Enclosed:
    top = x.amax(axes, keepdim=True)
    top = torch.where(top.isfinite(), top, 0.0)
    shifted = subtract(Enclosed(x, x), top)
    logs = logarithm(_line(OPERATIONS["exp"](shifted), axes, True))
    found = OPERATIONS["add"](logs, top)
    return found if keepdim else Enclosed(*(end.squeeze(axes) for end in ends(found)))


@operation("softmax")
def softmax(input: Any, dim: int) -> Enclosed:
    """Shares exp(x_i) / sum exp(x_j): increasing in its own entry, falling in the others."""
    a = ends(input)
    top = a[1].amax(dim, keepdim=True)
    top = torch.where(top.isfinite(), top, 0.0)
    powers = ends(OPERATIONS["exp"](subtract(Enclosed(*a), top)))
    sums = sum_over(powers, axes_of(dim, a[0].ndim), keepdim=True)
    most = up(sums[1] - powers[1])  # of what the others add up to
    low = divide_ends((powers[0], powers[0]), add_ends((powers[0], powers[0]), (most, most)))[0][0]
    rest = down(sums[0] - powers[0]).clamp_min(0.0)
    high = divide_ends((powers[1], powers[1]), add_ends((powers[1], powers[1]), (rest, rest)))[0][1]
    return mixed(low.clamp(0.0, 1.0), high.nan_to_num(INF).clamp(0.0, 1.0), input)


@operation("log_softmax")
def _log_softmax(input: Any, dim: int) -> Enclosed:
    return subtract(input, _logsumexp(input, dim, True))  # type: ignore[no-any-return]


def _contracted(a: Any, b: Any, axis: int) -> Enclosed:
    """The sum of products along an axis, from operands that broadcast; a product with itself is a square."""
    shape = np.broadcast_shapes(ends(a)[0].shape, ends(b)[0].shape)
    if math.prod(shape) > LARGEST_PRODUCT:
        raise NoEnclosure(f"a product of matrices with {math.prod(shape)} terms")
    return total(multiply(a, b), axis)  # type: ignore[no-any-return]


def _moved(x: Any, function: Any) -> Any:
    if isinstance(x, Enclosed):
        return Enclosed(function(x.low), function(x.high), None if x.partial is None else function(x.partial))
    return function(plain(x))


@operation("matmul", "mm", "bmm", "mv", "dot")
def matmul(input: Any, other: Any) -> Enclosed:
    ranks = ends(input)[0].ndim, ends(other)[0].ndim
    if not all(ranks):
        raise NoEnclosure("a product of matrices without axes")
    if ranks[1] == 1:
        return _contracted(input, other, -1)
    left = _moved(input, lambda t: t.unsqueeze(-1))
    right = other if ranks[0] == 1 else _moved(other, lambda t: t.unsqueeze(-3))
    return _contracted(left, right, -2)


@operation("rmatmul")
def _rmatmul(input: Any, other: Any) -> Enclosed:
    return matmul(other, input)  # type: ignore[no-any-return]


@operation("einsum")
def _einsum(equation: str, *operands: Any) -> Enclosed:
    """Products of all operands on the joint axes, then the sum over those that are not in the result."""
    given = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    inputs, _, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if "..." in equation or "->" not in equation or any(len(set(term)) < len(term) for term in (*terms, output)):
        raise NoEnclosure(f"torch.einsum of {equation!r}")
    letters = [*output, *sorted(set(inputs) - {",", *output})]
    wide = [_spread(x, term, letters) for x, term in zip(given, terms, strict=True)]
    found = wide[0]
    for k, factor in enumerate(wide[1:], start=1):
        alike = k == 1 and terms[0] == terms[1] and is_one_object(given[0], given[1])
        found = square(found) if alike else multiply(found, factor)
    if len(letters) == len(output):
        return found  # type: ignore[no-any-return]
    return total(found, tuple(range(len(output), len(letters))))  # type: ignore[no-any-return]


def _spread(x: Any, term: str, letters: list[str]) -> Any:
    """An operand with one axis for every letter, of size 1 where it has none."""
    order = sorted(range(len(term)), key=lambda k: letters.index(term[k]))
    places = {term[k] for k in range(len(term))}

    def spread(t: Tensor) -> Tensor:
        sizes = iter(t.permute(order).shape)
        return t.permute(order).reshape([next(sizes) if letter in places else 1 for letter in letters])

    return _moved(x, spread)


@operation("trapezoid")
def _trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Enclosed:
    if dim != -1:
        raise NoEnclosure("trapezoids along an inner axis")
    size = y.shape[-1]
    later, earlier = (OPERATIONS["narrow"](y, -1, start, size - 1) for start in (1, 0))
    steps = dx if x is None else subtract(plain(x)[..., 1:], plain(x)[..., :-1])
    return divide(total(multiply(OPERATIONS["add"](later, earlier), steps), -1), 2.0)  # type: ignore[no-any-return]
