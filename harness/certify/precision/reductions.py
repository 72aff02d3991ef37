"""Sums, means, norms and other functions of whole lines, over any axes."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from flint import arb

from harness.certify.precision.balls import NAN, ONE, ZERO, Unsupported, boxed, each, equal, lift, scalar, spend
from harness.certify.precision.elementwise import Operation
from harness.certify.precision.functions import added_in_logs, divided, logarithm, power, root, squared

Line = list[arb]


def axes_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """Axes from torch's `dim`: all of them for None or ()."""
    wanted = tuple(dim) if isinstance(dim, list | tuple) else (dim,)
    if dim is None or not wanted:
        return tuple(range(ndim))
    width = max(ndim, 1)
    if any(isinstance(axis, bool) or not -width <= axis < width for axis in wanted):
        raise IndexError(f"axes {wanted} of a tensor with {ndim}")
    found = tuple(axis % width for axis in wanted)
    if len(set(found)) < len(found):
        raise IndexError(f"axes {wanted} name one twice")
    return found if ndim else ()


def reduced(function: Callable[[Line], Any], array: np.ndarray, dim: Any = None, keepdim: Any = False) -> np.ndarray:
    """One value for every line of entries along the axes `dim`."""
    axes = axes_of(dim, array.ndim)
    kept = tuple(axis for axis in range(array.ndim) if axis not in axes)
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
    count = math.prod(array.shape[axis] for axis in axes)
    lines = array.transpose(kept + axes).reshape(math.prod(array.shape[axis] for axis in kept), count)
    spend(lines.size)
    values = [function(line) for line in lines.tolist()]
    return boxed(values, shape if keepdim else tuple(array.shape[axis] for axis in kept))


def mapped(function: Callable[[Line], Sequence[Any]], array: np.ndarray, dim: int) -> np.ndarray:
    """Every line of entries along one axis, replaced by as many others."""
    wide = array.reshape(1) if array.ndim == 0 else array
    (axis,) = axes_of(dim, wide.ndim)
    moved = np.moveaxis(wide, axis, -1)
    spend(moved.size)
    lines = moved.reshape(-1, moved.shape[-1]).tolist() if moved.size else []
    back = boxed([entry for line in lines for entry in function(line)], moved.shape)
    return np.moveaxis(back, -1, axis).reshape(array.shape)


def total(line: Sequence[arb]) -> arb:
    return sum(line, ZERO)


def product(line: Sequence[arb]) -> arb:
    return math.prod(line, start=ONE)


def mean(line: Line) -> arb:
    return total(line) / len(line) if line else NAN


def largest(line: Line) -> arb:
    if not line:
        raise ValueError("the largest of no entries")
    top = line[0]
    for entry in line[1:]:
        top = top.max(entry)
    return top


def smallest(line: Line) -> arb:
    return -largest([-entry for entry in line])


def norm(line: Line, order: Any = 2) -> arb:
    """The norm of this order of one line."""
    if order == 2:
        return root(total([squared(entry) for entry in line]))
    sizes = [abs(entry) for entry in line]
    if order in (math.inf, -math.inf):
        return largest(sizes) if order > 0 else smallest(sizes)
    if order == 0:
        return arb(sum(not equal(size, ZERO) for size in sizes))
    degree = scalar(order)
    return total(sizes) if order == 1 else power(total([power(size, degree) for size in sizes]), ONE / degree)


def in_logs(line: Line) -> arb:
    """log of the sum of the powers e^entry, with the largest taken out."""
    heights = [entry.mid() for entry in line if entry.is_finite()]
    top = largest(heights) if heights else ZERO
    return top + logarithm(total([(entry - top).exp() for entry in line]))


def shares(line: Line) -> Line:
    """Powers e^entry, divided by their sum."""
    powers = _powers(line)
    whole = total(powers)
    return [power / whole for power in powers]


def _powers(line: Line) -> Line:
    heights = [entry.mid() for entry in line if entry.is_finite()]
    top = largest(heights) if heights else ZERO
    return [(entry - top).exp() for entry in line]


def _variance(line: Line, correction: arb) -> arb:
    if not line:
        return NAN
    centre, freedom = mean(line), arb(len(line)) - correction
    return divided(total([squared(entry - centre) for entry in line]), freedom) if freedom > 0 else NAN


def _running(step: Callable[[arb, arb], arb]) -> Callable[[Line], Line]:
    def run(line: Line) -> Line:
        found: Line = []
        for entry in line:
            found.append(step(found[-1], entry) if found else entry)
        return found

    return run


def _over(function: Callable[[Line], Any]) -> Operation:
    return lambda input, dim=None, keepdim=False: reduced(function, lift(input), dim, keepdim)


def _along(function: Callable[[Line], Line]) -> Operation:
    return lambda input, dim: mapped(function, lift(input), dim)


def _one_axis(function: Callable[[Line], Any]) -> Operation:
    """A reduction that torch offers over everything or one axis."""

    def operation(input: Any, dim: int | None = None, keepdim: Any = False) -> np.ndarray:
        if not isinstance(dim, int | None):
            raise TypeError("several axes")
        return reduced(function, lift(input), dim, keepdim)

    return operation


def _spread(input: Any, *args: Any, correction: Any = 1, unbiased: Any = None, **axes: Any) -> np.ndarray:
    """The variance, in torch's three forms: (unbiased), (dim, unbiased, keepdim), (dim, correction=...)."""
    if args and isinstance(args[0], bool):
        args, unbiased = (None, *args[1:]), args[0]
    if len(args) > 1:
        args, unbiased = (args[0], *args[2:]), args[1]
    if unbiased is not None:
        correction = 1 if unbiased else 0
    taken = scalar(1 if correction is None else correction)
    return _over(lambda line: _variance(line, taken))(input, *args, **axes)  # type: ignore[no-any-return]


def _deviation(*args: Any, **kwargs: Any) -> np.ndarray:
    return each(root, _spread(*args, **kwargs))


def _with_mean(spread: Operation) -> Operation:
    def operation(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> tuple[Any, Any]:
        both = {"dim": dim, "keepdim": keepdim}
        return spread(input, correction=correction, **both), _over(mean)(input, **both)

    return operation


def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False) -> np.ndarray:
    return reduced(lambda line: norm(line, ord), lift(x), dim, keepdim)


def _torch_norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False) -> np.ndarray:
    """torch.norm: a vector norm over all the axes given, whatever they are."""
    if p == "nuc":
        raise Unsupported("torch.norm of order nuc (torch.linalg.matrix_norm has it)")
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


def _differences(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> np.ndarray:
    (axis,) = axes_of(dim, lift(input).ndim)
    parts = [lift(part) for part in (prepend, input, append) if part is not None]
    array = np.concatenate(parts, axis=axis)
    for _ in range(n):
        high, low = np.moveaxis(array, axis, 0)[1:], np.moveaxis(array, axis, 0)[:-1]
        array = np.moveaxis(each(lambda a, b: a - b, high, low), 0, axis)
    return array


def _trapezoids(y: Any, x: Any = None, *, dx: Any = 1, dim: int = -1) -> np.ndarray:
    heights = lift(y)
    (axis,) = axes_of(dim, heights.ndim)
    heights = np.moveaxis(heights, axis, -1)
    if x is None:
        steps = lift(dx)
    else:
        points = lift(x)
        points = points if points.ndim == 1 else np.moveaxis(points, axis, -1)
        steps = each(lambda a, b: b - a, points[..., :-1], points[..., 1:])
    areas = each(lambda a, b, step: (a + b) * step / 2, heights[..., :-1], heights[..., 1:], steps)
    return reduced(total, areas, -1)


def _distances(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = None) -> np.ndarray:  # noqa: ARG001  (how to round)
    a, b = lift(x1)[..., :, None, :], lift(x2)[..., None, :, :]
    return vector_norm(each(lambda u, v: u - v, a, b), p, -1)


def _pairs(input: Any, p: Any = 2.0) -> np.ndarray:
    array = lift(input)
    first, second = np.triu_indices(len(array), 1)
    return vector_norm(each(lambda u, v: u - v, array[first], array[second]), p, -1)


def _pairwise(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-6, keepdim: Any = False) -> np.ndarray:
    small = scalar(eps)
    return vector_norm(each(lambda u, v: u - v + small, lift(x1), lift(x2)), p, -1, keepdim)


def _normalised(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12) -> np.ndarray:
    small = scalar(eps)
    return each(lambda a, size: divided(a, size.max(small)), lift(input), vector_norm(input, p, dim, keepdim=True))


def _cosine(x1: Any, x2: Any, dim: int = 1, eps: Any = 1e-8) -> np.ndarray:
    a, b = np.broadcast_arrays(lift(x1), lift(x2))
    small = scalar(eps)
    products = reduced(total, each(lambda u, v: u * v, a, b), dim)
    sizes = (vector_norm(a, 2, dim), vector_norm(b, 2, dim))
    return each(lambda c, u, v: divided(c, u.max(small) * v.max(small)), products, *sizes)


def _squared_error(input: Any, target: Any, *, reduction: str = "mean", **rest: Any) -> np.ndarray:
    if any(value is not None for value in rest.values()):
        raise TypeError("weights or deprecated arguments")
    squares = each(lambda a, b: squared(a - b), lift(input), lift(target))
    return squares if reduction == "none" else reduced({"mean": mean, "sum": total}[reduction], squares)


def _covariance(input: Any, correction: int = 1) -> np.ndarray:
    rows = np.atleast_2d(lift(input))
    lines = [[entry - mean(line) for entry in line] for line in rows.tolist()]
    freedom = rows.shape[1] - correction
    spend(len(lines) * rows.size)
    found = [total([u * v for u, v in zip(a, b, strict=True)]) for a in lines for b in lines]
    table = boxed([entry / freedom if freedom > 0 else NAN for entry in found], (len(lines), len(lines)))
    return table if lift(input).ndim == 2 else table.reshape(())


class Extent(NamedTuple):
    """What torch.aminmax returns."""

    min: Any
    max: Any


OPERATIONS: dict[str, Operation] = {
    "sum": _over(total),
    "nansum": _over(total),
    "mean": _over(mean),
    "amax": _over(largest),
    "amin": _over(smallest),
    "aminmax": lambda input, *, dim=None, keepdim=False: Extent(
        _over(smallest)(input, dim, keepdim), _over(largest)(input, dim, keepdim)
    ),
    "prod": _one_axis(product),
    "count_nonzero": lambda input, dim=None: reduced(
        lambda line: sum(not equal(entry, ZERO) for entry in line), lift(input), dim
    ).astype(np.int64),
    "any": lambda input, dim=None, keepdim=False: reduced(
        lambda line: any(not equal(entry, ZERO) for entry in line), lift(input), dim, keepdim
    ).astype(bool),
    "all": lambda input, dim=None, keepdim=False: reduced(
        lambda line: all(not equal(entry, ZERO) for entry in line), lift(input), dim, keepdim
    ).astype(bool),
    "var": _spread,
    "std": _deviation,
    "var_mean": _with_mean(_spread),
    "std_mean": _with_mean(_deviation),
    "norm": _torch_norm,
    "linalg_vector_norm": vector_norm,
    "dist": lambda input, other, p=2: vector_norm(each(lambda a, b: a - b, lift(input), lift(other)), p),
    "logsumexp": lambda input, dim, keepdim=False: reduced(in_logs, lift(input), dim, keepdim),
    "softmax": _along(shares),
    "softmin": _along(lambda line: shares([-entry for entry in line])),
    "log_softmax": _along(lambda line: [entry - in_logs(line) for entry in line]),
    "cumsum": _along(_running(lambda a, b: a + b)),
    "cumprod": _along(_running(lambda a, b: a * b)),
    "logcumsumexp": _along(_running(added_in_logs)),
    "diff": _differences,
    **dict.fromkeys(("trapezoid", "trapz"), _trapezoids),
    "cdist": _distances,
    "pdist": _pairs,
    "pairwise_distance": _pairwise,
    "normalize": _normalised,
    "cosine_similarity": _cosine,
    "mse_loss": _squared_error,
    "cov": _covariance,
}
