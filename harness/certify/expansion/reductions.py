"""Sums, products, extremes and norms of lines of forms."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import functools
from typing import Any

import numpy as np
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.ends import root_above, root_below
from harness.certify.expansion.exponentials import exponential
from harness.certify.expansion.forms import Form, Key, root, size
from harness.certify.expansion.operations import divide, larger, operation, smaller, squared
from harness.certify.expansion.polynomials import generators, scaled
from harness.certify.expansion.tensor import LARGEST, OPERATIONS, Expanded, each, lift, reduced, space_of, total
from harness.certify.expansion.truths import is_not_negative, logarithm

PAIRED = 64  # numbers that are put in pairs to find their largest


@operation("sum")
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
    return reduced(lambda line: _largest_on_sphere(line) or largest_of(line), input, dim, keepdim)


def largest_of(line: list[Form]) -> Form:
    """The largest of some numbers; max(m_k + d, m_k - d) = |d| + max m_k, and max(a_k, -a_k) = max |a_k|."""
    known = {a.key: a for part in line for a in _either_sign(part)}
    if 2 < len(known) <= PAIRED and all(a.below is None for a in known.values()):
        first, *others = known.values()
        for other in others:
            middles = _middles(known, (first - other) * first.space.number(0.5))
            if middles is not None:
                return size((first - other) * first.space.number(0.5)) + largest_of(middles)
        if all((-a).key in known for a in known.values()):
            halves: list[Form] = []
            for a in known.values():
                if all((-a).key != b.key for b in halves):
                    halves.append(a)
            return functools.reduce(larger, map(size, halves))
    return functools.reduce(larger, line)


def _either_sign(a: Form) -> list[Form]:
    """What an absolute value is the larger one of; anything else as it is."""
    if a.below is None and len(a.above) == 1:
        (((product, exponent), value),) = a.above.items()
        inner = a.space.sizes.get(product[0][0]) if len(product) == 1 and product[0][1] == 1 else None
        if inner is not None and not exponent and value > 0:
            return [Form(a.space, scaled(inner, sign * value)) for sign in (1, -1)]
    return [a]


def _middles(known: dict[Key, Form], d: Form) -> list[Form] | None:
    """The numbers m with m + d and m - d among the given ones, if these are all in such pairs."""
    rest, found = dict(known), list[Form]()
    while rest:
        _, a = rest.popitem()
        for turned in (d, -d):
            other = a + turned + turned
            if rest.pop(other.key, None) is not None:
                found.append(a + turned)
                break
        else:
            return None
    return found


def _largest_on_sphere(line: list[Form]) -> Form | None:
    """The largest of numbers that are not negative and whose squares add up to a number s > 0: a name with its range.

    Each of the n squares is at most s, and one of them at least s / n, so the largest lies between sqrt(s / n) and
    sqrt(s). It is then known not to vanish, which the expansion by sizes of differences does not show.
    """
    if len(line) < 2 or any(a.number is not None or a.below is not None or not is_not_negative(a) for a in line):
        return None
    square = total([squared(a) for a in line]).number
    if square is None or square <= 0:
        return None
    ring, low, high = line[0].space.ring, root_below(square / len(line)), root_above(square)

    def named() -> int:
        number = ring.new()
        ring.ranges[number] = (low, high)
        return number

    return line[0].space.named(("largest", frozenset(a.key for a in line)), named) if low > 0 else None


@operation("amin")
def _amin(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: functools.reduce(smaller, line), input, dim, keepdim)


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
        return total([squared(a - centre) for a in line]) / line[0].space.number(len(line) - taken)

    return reduced(spread, input, dim, keepdim)


@operation("linalg_vector_norm", "norm")
def _norm(input: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, p: Any = None) -> Expanded:
    order = ord if p is None else p
    if order in (2, None, "fro"):
        return reduced(_length, input, dim, keepdim)
    if order == 1:
        return reduced(lambda line: total([size(a) for a in line]), input, dim, keepdim)
    raise NoEnclosure(f"a norm of order {order}")


def _length(line: list[Form]) -> Form:
    """sqrt(sum a^2); of fractions with one denominator D, that of their numerators over |D|."""
    below, space = line[0].below, line[0].space
    if below is None or any(a.below != below for a in line):
        return root(total([squared(a) for a in line]))
    return root(total([squared(Form(space, a.above)) for a in line])) / size(Form(space, below))


@operation("logsumexp")
def _logsumexp(input: Any, dim: Any, keepdim: Any = False) -> Expanded:
    return reduced(lambda line: logarithm(total([exponential(a) for a in line])), input, dim, keepdim)


@operation("softmax")
def _softmax(input: Any, dim: int) -> Expanded:
    """exp(a_i - s) / sum_j exp(a_j - s), with a_1 but its logarithms for s: what exponents have in common drops out."""
    first = OPERATIONS["narrow"](input, dim, 0, 1)
    shift = Expanded(each(_without_logarithms, first.array), input.space)
    powers = OPERATIONS["exp"](OPERATIONS["sub"](input, shift))
    return divide(powers, _sum(powers, dim, True))  # type: ignore[no-any-return]  # noqa: FBT003


def _without_logarithms(a: Form) -> Form:
    kept = {term: value for term, value in a.above.items() if not generators({term: value}) & set(a.space.logarithms)}
    return Form(a.space, kept) if a.below is None else a


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
