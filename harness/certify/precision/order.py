"""Sorting and extremes: values are always enclosed, places only where the balls decide them."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from flint import arb
from torch import Tensor

from harness.certify.precision.balls import NAN, Unsupported, boxed, each, lift, undecided
from harness.certify.precision.elementwise import Operation
from harness.certify.precision.reductions import Line, axes_of, largest, mapped, reduced, smallest


class Sorted(NamedTuple):
    """What torch.sort, torch.topk and torch.max over an axis return; places that the balls leave open are nan."""

    values: Any
    indices: Any


def _not_above(first: arb, second: arb) -> bool:
    """first <= second for certain, ties between exact numbers included."""
    return bool(first < second or (first.is_exact() and second.is_exact() and first <= second))


def decided_order(line: Line, *, descending: bool = False) -> list[int] | None:
    """Places that sort a line, equal numbers by their place; None where the balls do not decide."""
    middles = [entry.mid() for entry in line]
    if any(entry.is_nan() for entry in line):
        return None
    places = sorted(range(len(line)), key=middles.__getitem__, reverse=descending)
    for i, j in itertools.pairwise(places):
        if not (_not_above(line[j], line[i]) if descending else _not_above(line[i], line[j])):
            return None
    return places


def ordered(line: Line, *, descending: bool = False) -> Line:
    """A line in order: the k-th smallest lies between the k-th smallest lower and the k-th smallest upper end."""
    places = decided_order(line, descending=descending)
    if places is not None:
        return [line[place] for place in places]
    if any(entry.is_nan() for entry in line):
        return [NAN] * len(line)
    lows, highs = sorted(entry.lower() for entry in line), sorted(entry.upper() for entry in line)
    found = [low.union(high) for low, high in zip(lows, highs, strict=True)]
    return found[::-1] if descending else found


def _places(line: Line, *, descending: bool) -> Line:
    found = decided_order(line, descending=descending)
    return [NAN] * len(line) if found is None else list(map(arb, found))


def _as_indices(array: np.ndarray) -> np.ndarray:
    """Whole numbers as indices; left as balls where one is nan, which no index accepts."""
    if any(place.is_nan() for place in array.reshape(-1)):
        return array
    return each(lambda place: int(place.unique_fmpz()), array).astype(np.int64)


def _sort(input: Any, dim: int = -1, descending: Any = False, stable: Any = None) -> Sorted:  # noqa: ARG001  (it is)
    array = lift(input)
    values = mapped(lambda line: ordered(line, descending=bool(descending)), array, dim)
    return Sorted(values, _as_indices(mapped(lambda line: _places(line, descending=bool(descending)), array, dim)))


def _argsort(input: Any, dim: int = -1, descending: Any = False, stable: Any = None) -> np.ndarray:
    return _decided(_sort(input, dim, descending, stable).indices)


def _decided(indices: np.ndarray) -> np.ndarray:
    if indices.dtype == object:
        raise undecided("an order that the enclosures of its entries do not decide")
    return indices


def _topk(input: Any, k: int, dim: int = -1, largest: Any = True, sorted: Any = True) -> Sorted:
    if not sorted:
        raise Unsupported("torch.topk in no order")
    full = _sort(input, dim, bool(largest))
    taken = [slice(None)] * full.values.ndim
    taken[dim] = slice(0, k)
    if k > full.values.shape[dim]:
        raise ValueError("more than there are")
    return Sorted(full.values[tuple(taken)], full.indices[tuple(taken)])


def _kth(input: Any, k: int, dim: int = -1, keepdim: Any = False) -> Sorted:
    full = _sort(input, dim)
    if not 1 <= k <= full.values.shape[dim]:
        raise ValueError("no such entry")
    parts = (np.take(part, [k - 1], axis=dim) for part in full)
    return Sorted(*(part if keepdim else np.squeeze(part, axis=dim) for part in parts))


def _median(input: Any, dim: int | None = None, keepdim: Any = False) -> Any:
    array = lift(input)
    if dim is None:
        line = ordered(array.reshape(-1).tolist())
        return boxed([line[(len(line) - 1) // 2]], ())
    return _kth(input, (array.shape[dim] + 1) // 2, dim, keepdim)


def _first_extreme(line: Line, *, descending: bool) -> arb:
    """The first place of the largest (smallest) entry, nan where the balls leave it open."""
    signed = line if descending else [-entry for entry in line]
    if not signed or any(entry.is_nan() for entry in signed):
        return NAN
    best = 0
    for place, entry in enumerate(signed):
        best = place if entry.mid() > signed[best].mid() else best
    return arb(best) if all(k == best or _not_above(entry, signed[best]) for k, entry in enumerate(signed)) else NAN


def _arg_extreme(*, descending: bool) -> Operation:
    def operation(input: Any, dim: int | None = None, keepdim: Any = False) -> np.ndarray:
        axes_of(dim, lift(input).ndim)
        found = reduced(lambda line: _first_extreme(line, descending=descending), lift(input), dim, keepdim)
        return _decided(_as_indices(found))

    return operation


def _extreme(function: Callable[[Line], arb], pick: Callable[[arb, arb], arb], *, descending: bool) -> Operation:
    """torch.max and torch.min: of everything, over an axis, or of two tensors."""

    def operation(input: Any, dim: Any = None, keepdim: Any = False, other: Any = None) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return each(pick, lift(input), lift(dim if other is None else other))
        if dim is None:
            return reduced(function, lift(input))
        if not isinstance(dim, int):
            raise TypeError("several axes")
        places = reduced(lambda line: _first_extreme(line, descending=descending), lift(input), dim, keepdim)
        return Sorted(reduced(function, lift(input), dim, keepdim), _as_indices(places))

    return operation


OPERATIONS: dict[str, Operation] = {
    "sort": _sort,
    "argsort": _argsort,
    "msort": lambda input: _sort(input, 0).values,
    "topk": _topk,
    "kthvalue": _kth,
    **dict.fromkeys(("median", "nanmedian"), _median),
    "argmax": _arg_extreme(descending=True),
    "argmin": _arg_extreme(descending=False),
    "max": _extreme(largest, arb.max, descending=True),
    "min": _extreme(smallest, arb.min, descending=False),
}
