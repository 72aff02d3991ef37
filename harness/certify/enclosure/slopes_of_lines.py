"""Rules of differentiation for choices, extremes, and lines of entries."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.slopes import (
    RULES,
    Slope,
    Sloped,
    chained,
    count_of,
    divide,
    multiply,
    op,
    plus,
    rule,
    slopes_of,
    subtract,
    value_of,
)
from harness.certify.enclosure.tensor import Enclosed, ends
from harness.certify.enclosure.truths import require_room, require_truths


def _choice(input: Any, other: Any, value: Enclosed, first: Tensor, second: Tensor) -> Sloped:
    """The slopes of the branch that is taken for certain, the hull of both elsewhere (a kink)."""
    count = count_of(input, other)
    slopes: list[Slope] = []
    for s, t in zip(slopes_of(input, count), slopes_of(other, count), strict=True):
        if s is None and t is None:
            slopes.append(None)
            continue
        (al, ah), (bl, bh) = ends(0.0 if s is None else s), ends(0.0 if t is None else t)
        low = torch.where(first, al, torch.where(second, bl, torch.minimum(al, bl)))
        high = torch.where(first, ah, torch.where(second, bh, torch.maximum(ah, bh)))
        slopes.append(Enclosed(low, high))
    return Sloped(value, slopes)


@rule("maximum")
def _maximum(input: Any, other: Any) -> Sloped:
    a, b = ends(value_of(input)), ends(value_of(other))
    return _choice(input, other, op("maximum", value_of(input), value_of(other)), a[0] >= b[1], b[0] >= a[1])


@rule("minimum")
def _minimum(input: Any, other: Any) -> Sloped:
    a, b = ends(value_of(input)), ends(value_of(other))
    return _choice(input, other, op("minimum", value_of(input), value_of(other)), a[1] <= b[0], b[1] <= a[0])


@rule("clamp", "clip")
def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    found = input if min is None else _maximum(input, min)
    return found if max is None else _minimum(found, max)


RULES["clamp_min"] = lambda input, min: _clamp(input, min=min)
RULES["clamp_max"] = lambda input, max: _clamp(input, max=max)
RULES["relu"] = lambda input: _clamp(input, min=0.0)


@rule("where")
def _where(condition: Any, input: Any, other: Any) -> Sloped:
    """The slopes of the chosen branch; anything where the choice is open, since the function may jump there."""
    require_truths(condition)
    value = op("where", condition, value_of(input), value_of(other))
    certain, possible = (
        (condition.low != 0.0, condition.high != 0.0) if isinstance(condition, Enclosed) else (condition, condition)
    )
    found = _choice(input, other, value, certain, ~possible)
    jumps = possible & ~certain
    if not bool(jumps.any()):
        return found
    wide = [torch.where(jumps, sign * math.inf, torch.zeros(value.low.shape, dtype=torch.float64)) for sign in (-1, 1)]
    return Sloped(
        value,
        [
            Enclosed(*((torch.where(jumps, w, 0.0 if s is None else ends(s)[k])) for k, w in enumerate(wide)))
            for s in found.slopes
        ],
    )


@rule("Tensor.where")
def _chosen(input: Any, condition: Any, other: Any) -> Sloped:
    return _where(condition, input, other)  # type: ignore[no-any-return]


@rule("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Sloped:
    require_room(input, value)
    return _where(mask, value, input)  # type: ignore[no-any-return]


@rule("gather")
def _gather(input: Any, dim: int, index: Any) -> Sloped:
    if isinstance(index, Enclosed):
        value = op("gather", value_of(input), dim, index)
        wide = Enclosed(torch.full(value.low.shape, -math.inf).double(), torch.full(value.low.shape, math.inf).double())
        return Sloped(value, [wide for _ in range(count_of(input))])
    parts = [None if s is None else op("gather", s, dim, index) for s in slopes_of(input, count_of(input))]
    return Sloped(op("gather", value_of(input), dim, index), parts)


def _extreme(name: str) -> Callable[..., Sloped]:
    def found(input: Sloped, dim: Any = None, keepdim: Any = False) -> Sloped:
        """The hull of the slopes of the entries that may be extreme."""
        value = op(name, input.value, dim, True)  # noqa: FBT003
        a = ends(input.value)
        may = a[1] >= value.low if name == "amax" else a[0] <= value.high
        parts: list[Slope] = []
        for s in input.slopes:
            if s is None:
                parts.append(None)
                continue
            low, high = torch.where(may, s.low, math.inf), torch.where(may, s.high, -math.inf)
            parts.append(Enclosed(*_hull(low, high, dim, keepdim)))
        return Sloped(op(name, input.value, dim, keepdim), parts)

    return found


def _hull(low: Tensor, high: Tensor, dim: Any, keepdim: Any) -> tuple[Tensor, Tensor]:
    axes = tuple(range(low.ndim)) if dim is None or dim == () else dim
    return low.amin(axes, keepdim=bool(keepdim)), high.amax(axes, keepdim=bool(keepdim))


RULES["amax"], RULES["amin"] = _extreme("amax"), _extreme("amin")


@rule("sort")
def _sort(input: Sloped, dim: int = -1, descending: Any = False, stable: Any = None) -> Any:
    """Sorted values: where the order is open, the hull of all slopes."""
    found = op("sort", input.value, dim, descending, stable)
    parts: list[Slope] = []
    for s in input.slopes:
        if s is None:
            parts.append(None)
        elif isinstance(found.indices, Enclosed):
            low, high = s.low.amin(dim, keepdim=True), s.high.amax(dim, keepdim=True)
            parts.append(Enclosed(low.expand(s.low.shape), high.expand(s.low.shape)))
        else:
            parts.append(op("gather", s, dim, found.indices))
    return type(found)(Sloped(found.values, parts), found.indices)


@rule("prod")
def _product(input: Sloped, dim: int = -1, keepdim: Any = False) -> Any:
    parts = RULES["unbind"](input, dim)
    found = parts[0]
    for part in parts[1:]:
        found = multiply(found, part)
    return RULES["unsqueeze"](found, dim) if keepdim else found


@rule("cumprod")
def _running_product(input: Sloped, dim: int) -> Any:
    parts = list(RULES["unbind"](input, dim))
    for k in range(1, len(parts)):
        parts[k] = multiply(parts[k - 1], parts[k])
    return RULES["stack"](parts, dim)


@rule("matmul", "mm", "bmm", "mv", "dot")
def _matmul(input: Any, other: Any) -> Sloped:
    count, a, b = count_of(input, other), value_of(input), value_of(other)
    left = [None if s is None else op("matmul", s, b) for s in slopes_of(input, count)]
    right = [None if s is None else op("matmul", a, s) for s in slopes_of(other, count)]
    return Sloped(op("matmul", a, b), [plus(s, t) for s, t in zip(left, right, strict=True)])


RULES["rmatmul"] = lambda input, other: _matmul(other, input)


@rule("linalg_vector_norm", "norm")
def _norm(input: Sloped, ord: Any = 2, dim: Any = None, keepdim: Any = False) -> Any:
    if ord not in (2, None):
        raise NoEnclosure(f"slopes of a norm of order {ord}")
    return RULES["sqrt"](RULES["sum"](RULES["square"](input), dim, keepdim))


@rule("var")
def _variance(
    input: Sloped, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = 1
) -> Any:
    axes = dim if isinstance(dim, int) else None
    if axes is None:
        raise NoEnclosure("slopes of a variance over several axes")
    taken = correction if unbiased is None else int(unbiased)
    away = subtract(input, RULES["mean"](input, axes, True))  # noqa: FBT003
    count = float(input.shape[axes] - taken)
    return divide(RULES["sum"](RULES["square"](away), axes, keepdim), count)


@rule("softmax")
def _softmax(input: Sloped, dim: int) -> Sloped:
    """Shares s_i with slopes s_i (x_i' - sum_j s_j x_j')."""
    value = op("softmax", input.value, dim)
    parts: list[Slope] = []
    for s in input.slopes:
        if s is None:
            parts.append(None)
            continue
        parts.append(op("mul", value, op("sub", s, op("sum", op("mul", value, s), dim, True))))  # noqa: FBT003
    return Sloped(value, parts)


@rule("logsumexp")
def _logsumexp(input: Sloped, dim: Any, keepdim: Any = False) -> Sloped:
    axis = dim if isinstance(dim, int) else dim[0]
    if not isinstance(dim, int) and len(dim) > 1:
        raise NoEnclosure("slopes of torch.logsumexp over several axes")
    shares = op("softmax", input.value, axis)
    parts = [None if s is None else op("sum", op("mul", shares, s), dim, keepdim) for s in input.slopes]
    return Sloped(op("logsumexp", input.value, dim, keepdim), parts)


@rule("xlogy")
def _x_log_y(input: Any, other: Any) -> Sloped:
    """a log b: slopes log b and a / b."""
    count, a, b = count_of(input, other), value_of(input), value_of(other)
    value = op("xlogy", a, b)
    if input is other:
        return chained(value, (op("add", op("log", a), 1.0), slopes_of(input, count)))
    base = b if isinstance(b, Enclosed) else Enclosed(*ends(b))
    return chained(value, (op("log", base), slopes_of(input, count)), (op("div", a, base), slopes_of(other, count)))


@rule("__iter__")
def _iterated(input: Sloped) -> Any:
    return iter(RULES["unbind"](input, 0))


@rule("expand_as", "view_as", "reshape_as")
def _as(input: Any, other: Any) -> Any:
    return RULES["expand" if input.numel() != other.numel() or input.ndim != other.ndim else "reshape"](
        input, tuple(other.shape)
    )


@rule("__bool__")
def _decision(input: Sloped) -> Any:
    return op("__bool__", input.value)


@rule("item", "__float__")
def _number(input: Sloped) -> Any:
    return op("item", input.value)
