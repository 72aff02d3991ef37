"""Extremes, sorting, comparisons, and choices between entries."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from typing import Any, NamedTuple

import torch
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import (
    Enclosed,
    Operation,
    any_partial,
    defined,
    ends,
    entrywise,
    mixed,
    operation,
    partial_of,
    plain,
)
from harness.certify.enclosure.truths import is_truth, require_room, require_truths


class Sorted(NamedTuple):
    """What torch.sort, torch.topk and torch.max over an axis return; open places are an `Enclosed` of all of them."""

    values: Any
    indices: Any


@operation("maximum")
def _maximum(input: Any, other: Any) -> Enclosed:
    a, b = ends(input), ends(other)
    return entrywise(torch.maximum(a[0], b[0]), torch.maximum(a[1], b[1]), input, other)


@operation("minimum")
def _minimum(input: Any, other: Any) -> Enclosed:
    a, b = ends(input), ends(other)
    return entrywise(torch.minimum(a[0], b[0]), torch.minimum(a[1], b[1]), input, other)


@operation("clamp", "clip")
def clamp(input: Any, min: Any = None, max: Any = None) -> Enclosed:
    found = input
    if min is not None:
        found = _maximum(found, min)
    return found if max is None else _minimum(found, max)  # type: ignore[no-any-return]


@operation("clamp_min")
def _clamp_min(input: Any, min: Any) -> Enclosed:
    return _maximum(input, min)  # type: ignore[no-any-return]


@operation("clamp_max")
def _clamp_max(input: Any, max: Any) -> Enclosed:
    return _minimum(input, max)  # type: ignore[no-any-return]


@operation("relu")
def _relu(input: Any) -> Enclosed:
    return _maximum(input, 0.0)  # type: ignore[no-any-return]


def _reduced(method: str, input: Any, dim: Any, keepdim: Any) -> Enclosed:
    a = ends(input)
    axes = tuple(range(a[0].ndim)) if dim is None or dim == () else dim
    low, high = (getattr(end, method)(axes, keepdim=bool(keepdim)) for end in a)
    return mixed(low, high, input)


@operation("amax")
def amax(input: Any, dim: Any = None, keepdim: Any = False) -> Enclosed:
    return _reduced("amax", input, dim, keepdim)


@operation("amin")
def amin(input: Any, dim: Any = None, keepdim: Any = False) -> Enclosed:
    return _reduced("amin", input, dim, keepdim)


@operation("argmax")
def _argmax(input: Any, dim: int | None = None, keepdim: Any = False) -> Tensor | Enclosed:
    """The first place of the largest entry; all places where the boxes leave it open."""
    low, high = ends(input)
    if dim is None:
        low, high, dim = low.reshape(-1), high.reshape(-1), 0
    best = low.argmax(dim, keepdim=True)
    others = high.scatter(dim, best, -float("inf")).amax(dim, keepdim=True)
    decided = (low.gather(dim, best) > others) & ~torch.tensor(any_partial(input))
    size = low.shape[dim]
    if not keepdim:
        best, decided = best.squeeze(dim), decided.squeeze(dim)
    if bool(decided.all()):
        return best
    return Enclosed(torch.where(decided, best, 0).double(), torch.where(decided, best, size - 1).double())


@operation("argmin")
def _argmin(input: Any, dim: int | None = None, keepdim: Any = False) -> Tensor | Enclosed:
    low, high = ends(input)
    return _argmax(Enclosed(-high, -low, partial_of(input)), dim, keepdim)  # type: ignore[no-any-return]


@operation("max")
def _max(input: Any, dim: Any = None, keepdim: Any = False, other: Any = None) -> Any:
    second = dim if isinstance(dim, Tensor) else other
    if second is not None:
        return _maximum(input, second)
    if dim is None:
        return amax(input)
    return Sorted(amax(input, dim, keepdim), _argmax(input, dim, keepdim))


@operation("min")
def _min(input: Any, dim: Any = None, keepdim: Any = False, other: Any = None) -> Any:
    second = dim if isinstance(dim, Tensor) else other
    if second is not None:
        return _minimum(input, second)
    if dim is None:
        return amin(input)
    return Sorted(amin(input, dim, keepdim), _argmin(input, dim, keepdim))


@operation("sort")
def sort(input: Any, dim: int = -1, descending: Any = False, stable: Any = None) -> Sorted:  # noqa: ARG001  (it is)
    """Sorted ends: the k-th smallest lies between the k-th smallest lower and the k-th smallest upper end."""
    defined("the order", input)  # torch puts nan last, so that the others move
    low, high = ends(input)
    first, places = low.sort(dim=dim, descending=bool(descending), stable=True)
    last = high.sort(dim=dim, descending=bool(descending)).values
    along_low, along_high = low.gather(dim, places), high.gather(dim, places)
    size = low.shape[dim]
    before, after = (part.narrow(dim, 0, size - 1) for part in (along_low, along_high))
    behind = (part.narrow(dim, 1, size - 1) for part in (along_low, along_high))
    next_low, next_high = behind
    apart = before > next_high if descending else after < next_low
    fixed = bool(apart.all())
    values = mixed(first, last, input)
    whole = torch.zeros_like(low), torch.full_like(low, float(size - 1))
    return Sorted(values, places if fixed else Enclosed(*whole))


@operation("argsort")
def _argsort(input: Any, dim: int = -1, descending: Any = False, stable: Any = None) -> Any:
    return sort(input, dim, descending, stable).indices


@operation("topk")
def _topk(input: Any, k: int, dim: int = -1, largest: Any = True, sorted: Any = True) -> Sorted:
    if not sorted:
        raise NoEnclosure("torch.topk in no order")
    full = sort(input, dim, bool(largest))
    parts = []
    for part in full:
        if isinstance(part, Enclosed):
            mark = None if part.partial is None else part.partial.narrow(dim, 0, k)
            parts.append(Enclosed(part.low.narrow(dim, 0, k), part.high.narrow(dim, 0, k), mark))
        else:
            parts.append(part.narrow(dim, 0, k))
    return Sorted(*parts)


def truth(certain: Tensor, possible: Tensor, *sources: Any) -> Any:
    """Truth values: a plain tensor where all are decided; nothing that touched the outside of a domain is."""
    mark = partial_of(*sources)
    if mark is not None:
        certain, possible = certain & ~mark, possible | mark
    if bool((certain == possible).all()):
        return certain
    return Enclosed(certain.double(), possible.double(), open_truth=True)


@operation("lt", "less")
def _less(input: Any, other: Any) -> Any:
    a, b = ends(input), ends(other)
    return truth(a[1] < b[0], a[0] < b[1], input, other)


@operation("le", "less_equal")
def _not_more(input: Any, other: Any) -> Any:
    a, b = ends(input), ends(other)
    return truth(a[1] <= b[0], a[0] <= b[1], input, other)


@operation("gt", "greater")
def _greater(input: Any, other: Any) -> Any:
    return _less(other, input)


@operation("ge", "greater_equal")
def _not_less(input: Any, other: Any) -> Any:
    return _not_more(other, input)


@operation("eq")
def _equal(input: Any, other: Any) -> Any:
    a, b = ends(input), ends(other)
    points = (a[0] == a[1]) & (b[0] == b[1]) & (a[0] == b[0])
    return truth(points, (a[0] <= b[1]) & (b[0] <= a[1]), input, other)


@operation("ne", "not_equal")
def _different(input: Any, other: Any) -> Any:
    return negated_truth(_equal(input, other))


def negated_truth(value: Any) -> Any:
    if isinstance(value, Enclosed):
        return truth(value.high == 0.0, value.low == 0.0)
    return ~value


def _parts(value: Any) -> tuple[Tensor, Tensor]:
    """Certainly true, possibly true; of numbers, those that are not 0."""
    found = value if is_truth(value) else _different(value, 0.0)
    if isinstance(found, Enclosed):
        return found.low != 0.0, found.high != 0.0
    mask = plain(found) != 0.0
    return mask, mask


def of_bits(function: Operation) -> Operation:
    """A logical operation under the names by which torch applies it to the bits of whole numbers as well."""

    def checked(*values: Any) -> Any:
        require_truths(*values)
        return function(*values)

    return checked


@operation("logical_and")
def _and(input: Any, other: Any) -> Any:
    a, b = _parts(input), _parts(other)
    return truth(a[0] & b[0], a[1] & b[1])


@operation("logical_or")
def _or(input: Any, other: Any) -> Any:
    a, b = _parts(input), _parts(other)
    return truth(a[0] | b[0], a[1] | b[1])


@operation("logical_xor")
def _xor(input: Any, other: Any) -> Any:
    a, b = _parts(input), _parts(other)
    decided = (a[0] == a[1]) & (b[0] == b[1])
    return truth(decided & (a[0] ^ b[0]), ~decided | (a[0] ^ b[0]))


@operation("logical_not")
def _not(input: Any) -> Any:
    certain, possible = _parts(input)
    return truth(~possible, ~certain)


operation("and", "rand", "bitwise_and")(of_bits(_and))
operation("or", "ror", "bitwise_or")(of_bits(_or))
operation("xor", "bitwise_xor")(of_bits(_xor))
operation("invert", "bitwise_not")(of_bits(_not))


def _of_lines(name: str) -> Operation:
    """torch.any and torch.all, along axes or over everything."""

    def found(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
        if dim == ():
            raise NoEnclosure(f"torch.{name} along no axis")
        axes = {} if dim is None else {"dim": dim, "keepdim": bool(keepdim)}
        return truth(*(getattr(part, name)(**axes) for part in _parts(input)))

    return found


operation("any")(_of_lines("any"))
operation("all")(_of_lines("all"))


@operation("__bool__")
def _decision(input: Any) -> bool:
    if input.numel() == 1 and bool((input.low > 0.0) | (input.high < 0.0)) and not any_partial(input):
        return True
    if input.numel() == 1 and bool((input.low == 0.0) & (input.high == 0.0)) and not any_partial(input):
        return False
    raise NoEnclosure("a decision that a box leaves open", undecided=True)


@operation("where")
def where(condition: Any, input: Any, other: Any) -> Enclosed:
    """The chosen branch; the hull of both where the condition is open."""
    require_truths(condition)
    certain, possible = _parts(condition)
    a, b = ends(input), ends(other)
    low = torch.where(certain, a[0], torch.where(possible, torch.minimum(a[0], b[0]), b[0]))
    high = torch.where(certain, a[1], torch.where(possible, torch.maximum(a[1], b[1]), b[1]))
    mark = _mark_of_choice(certain, possible, input, other, low)
    return Enclosed(low, high, mark, open_truth=is_truth(input) and is_truth(other))


@operation("Tensor.where")
def _chosen(input: Any, condition: Any, other: Any) -> Enclosed:
    """`input` where the condition holds: `input.where(condition, other)`."""
    return where(condition, input, other)  # type: ignore[no-any-return]


def _mark_of_choice(certain: Tensor, possible: Tensor, input: Any, other: Any, shape: Tensor) -> Tensor | None:
    first, second = partial_of(input), partial_of(other)
    if first is None and second is None:
        return None
    nothing = torch.zeros((), dtype=torch.bool)
    mark = (possible & (nothing if first is None else first)) | (~certain & (nothing if second is None else second))
    return mark.expand(shape.shape)


@operation("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Enclosed:
    require_room(input, value)
    return where(mask, value, input)  # type: ignore[no-any-return]


@operation("isfinite")
def _is_finite(input: Any) -> Any:
    """Real numbers are finite; what may be outside of a domain, or has no bound, is left open."""
    low, high = ends(input)
    certain = low.isfinite() & high.isfinite()
    return truth(certain, torch.ones_like(certain) & ~((low == high) & low.isinf()), input)


@operation("isnan")
def _is_nan(input: Any) -> Any:
    nothing = torch.zeros(ends(input)[0].shape, dtype=torch.bool)
    return truth(nothing, nothing, input)


@operation("isinf")
def _is_infinite(input: Any) -> Any:
    return negated_truth(_is_finite(input))


@operation("nan_to_num")
def _no_nan(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Enclosed:  # noqa: ARG001
    low, high = ends(input)
    if any_partial(input) or not bool((low.isfinite() & high.isfinite()).all()):
        raise NoEnclosure("numbers that may not be finite", undecided=True)
    return input  # type: ignore[no-any-return]


@operation("gather")
def gather(input: Any, dim: int, index: Any) -> Enclosed:
    """Entries by index; the hull of the line where the index is open."""
    a = ends(input)
    if isinstance(index, Enclosed):
        shape = index.low.shape
        low, high = a[0].amin(dim, keepdim=True), a[1].amax(dim, keepdim=True)
        return mixed(low.expand(_lined(shape, low, dim)), high.expand(_lined(shape, high, dim)), input)
    low, high = (torch.gather(x, dim, index) for x in a)
    mark = partial_of(input)
    return Enclosed(low, high, None if mark is None else torch.gather(mark, dim, index))


@operation("take_along_dim")
def _taken(input: Any, indices: Any, dim: Any = None) -> Enclosed:
    """As gather, but the index is broadcast over the other axes."""
    if isinstance(indices, Enclosed):
        return gather(input, dim, indices)  # type: ignore[no-any-return]
    low, high = (torch.take_along_dim(end, indices, dim) for end in ends(input))
    mark = partial_of(input)
    return Enclosed(low, high, None if mark is None else torch.take_along_dim(mark, indices, dim))


def _lined(shape: torch.Size, hull: Tensor, dim: int) -> list[int]:
    if any(s != h for k, (s, h) in enumerate(zip(shape, hull.shape, strict=True)) if k != dim % hull.ndim):
        raise NoEnclosure("torch.gather by open places of another shape")
    return list(shape)
