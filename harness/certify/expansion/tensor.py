"""Tensors of forms, and how torch's functions apply to them."""

import functools
from collections.abc import Callable, Iterator, ValuesView
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.conversions import is_type
from harness.certify.enclosure.entries import FIRST
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.sealed import Sealed
from harness.certify.enclosure.tensor import METADATA, arguments, name_of, operation_of
from harness.certify.enclosure.truths import (
    LISTS,
    are_moved_truths,
    are_whole,
    is_truth,
    is_whole,
    meant_operation,
    type_of,
)
from harness.certify.expansion.forms import Form, Workspace, rational
from harness.certify.expansion.truths import may_be_undefined

COMPARISONS = ["gt", "greater", "lt", "less", "ge", "greater_equal", "le", "less_equal", "eq", "ne", "not_equal"]
LARGEST = 20_000  # entries of one tensor
DECIDING = frozenset(
    {
        *("isfinite", "isnan", "isinf", "sign", "__bool__", "logical_and", "logical_or", "logical_not", "any", "all"),
        *COMPARISONS,
    }
)
REAL = frozenset({"real", "imag", "abs", "linalg_vector_norm", "norm", "angle", "view_as_real", *DECIDING})
Operation = Callable[..., Any]


class Expanded(Sealed):
    """A tensor of forms; `truths` marks truth values, which are forms with the values 0 and 1.

    What is `undefined` may have entries that are no numbers for some inputs: there the body may return what it likes,
    as long as no decision rests on them. It is found from the operations, since forms need not show it: d / d is the
    form 1, and r - r the form 0 for a root r. `turned` is what torch holds as complex numbers, also where their
    imaginary parts are 0.
    """

    array: np.ndarray
    space: Workspace
    truths: bool
    undefined: bool
    turned: bool

    @staticmethod
    def __new__(cls, array: Any, space: Workspace, *, truths: bool = False, undefined: bool = False) -> "Expanded":
        entries = np.asarray(array, dtype=object)
        if entries.size > LARGEST:
            raise NoEnclosure(f"a tensor of {entries.size} forms")
        made = cls.over(entries.shape)
        made.array, made.space, made.truths, made.undefined = entries, space, truths, undefined
        made.turned = False
        return made

    def __init__(self, array: Any, space: Workspace, *, truths: bool = False, undefined: bool = False) -> None:
        pass

    def without_bounds(self) -> "Expanded":
        """As many variables about whose values nothing is known."""
        free = np.empty(self.array.shape, dtype=object)
        for index in np.ndindex(free.shape):
            free[index] = self.space.variable()
        return Expanded(free, self.space)

    @property
    def holds_truths(self) -> bool:
        return self.truths

    def point(self, value: Tensor) -> "Expanded":
        found = Expanded(lift(value, self.space), self.space, truths=value.dtype is torch.bool)
        found.turned, found.holds_whole = value.is_complex(), is_whole(value)
        return found

    def settled(self) -> Tensor | None:
        """Plain numbers, where each is read as the number that it stands for."""
        if self.turned or self.undefined:
            return None
        values = [form.number for form in self.array.flat]
        if any(value is None for value in values):
            return None
        floats = [int(value.p) / int(value.q) for value in values if value is not None]
        if any(rational(x) != value for x, value in zip(floats, values, strict=True)):
            return None
        dtype = torch.bool if self.truths else torch.int64 if self.holds_whole else torch.float64
        return torch.tensor(floats, dtype=torch.float64).to(dtype).reshape(self.array.shape)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = name_of(func)
        if name in ("requires_grad", "dtype", "is_floating_point", "is_complex"):
            return _kind_of(name, args[0])
        if name in METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        name = operation_of(name)
        if name not in OPERATIONS:
            raise NoEnclosure(f"torch.{name}")
        given = kwargs or {}
        args, kwargs = arguments(args, given, name)
        name = meant_operation(name, args, kwargs)
        undefined = any(value.undefined for value in _expanded(args, kwargs.values()))
        if undefined and name in DECIDING:
            raise NoEnclosure("a comparison of numbers that may be undefined")
        try:
            with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
                made = OPERATIONS[name](*args, **kwargs)
        except (TypeError, ValueError, IndexError, RuntimeError, AttributeError) as error:
            reason = " ".join(str(error).split())[:120]
            raise NoEnclosure(f"torch.{name} with arguments that are not known here ({reason})") from error
        moved_truths, whole = are_moved_truths(name, args), are_whole(name, args, given)
        turned = name == "complex" or (name not in REAL and any(_are_turned([*args, *kwargs.values()])))
        for value in _expanded([made]):
            value.undefined = undefined or value.undefined or any(map(may_be_undefined, value.array.flat))
            value.turned |= turned
            value.truths |= moved_truths
            value.holds_whole |= whole
        return iter(made) if name == "__iter__" else made


def _kind_of(name: str, x: Expanded) -> Any:
    """What torch says of the type of a tensor."""
    if name in ("requires_grad", "is_complex"):
        return name == "requires_grad" or x.turned
    dtype = type_of(x, torch.complex128 if x.turned else torch.float64)
    return dtype if name == "dtype" else dtype is torch.float64


def _are_turned(values: Any) -> Iterator[bool]:
    """Whether each number or tensor among arguments, and in their lists, is complex."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _are_turned(value)
        elif isinstance(value, Expanded):
            yield value.turned
        else:
            yield isinstance(value, complex) or (isinstance(value, Tensor) and value.is_complex())


def _expanded(*values: Any) -> Iterator[Expanded]:
    """All tensors of forms among arguments, and in their lists."""
    for value in values:
        if isinstance(value, Expanded):
            yield value
        elif isinstance(value, list | tuple) or type(value) is ValuesView:
            yield from _expanded(*value)


def space_of(*values: Any) -> Workspace:
    """The workspace of the first tensor of forms."""
    for value in values:
        if isinstance(value, Expanded):
            return value.space
        if isinstance(value, list | tuple):
            return space_of(*value)
    raise NoEnclosure("an operation without forms")


def lift(value: Any, space: Workspace) -> np.ndarray:
    """Any operand as an array of forms."""
    if isinstance(value, Expanded):
        return value.array
    numbers = np.asarray(plain(value))
    found = np.empty(numbers.shape, dtype=object)
    flat = found.reshape(-1)
    make = space.complex_number if numbers.dtype.kind == "c" else space.number
    flat[:] = [make(number) for number in numbers.reshape(-1).tolist()]
    return flat.reshape(numbers.shape)


def plain(value: Any) -> Any:
    """A tensor as an array of numpy, and numbers as they are."""
    if not isinstance(value, Tensor):
        return value
    if type(value) not in (Tensor, torch.nn.Parameter):
        raise NoEnclosure(f"a tensor of type {type(value).__name__}")
    return value.detach().cpu().resolve_conj().resolve_neg().numpy()


def each(function: Callable[..., Form], *arrays: np.ndarray) -> np.ndarray:
    """Apply entry by entry, with broadcasting."""
    wide = np.broadcast_arrays(*arrays)
    if wide[0].size > LARGEST:
        raise NoEnclosure(f"a tensor of {wide[0].size} forms")
    columns = [array.reshape(-1).tolist() for array in wide]
    found = np.empty(wide[0].size, dtype=object)
    found[:] = [function(*entries) for entries in zip(*columns, strict=True)]
    return found.reshape(wide[0].shape)


def mapped(function: Callable[..., Form], *, truths: bool = False) -> Operation:
    """An operation entry by entry."""

    def operation(*values: Any) -> Expanded:
        space = space_of(*values)
        return Expanded(each(function, *(lift(value, space) for value in values)), space, truths=truths)

    return operation


def _moved(name: str, function: Callable[..., Any], *, lists: bool) -> Operation:
    """torch moves places in a pool of forms, so its rules hold exactly."""

    def operation(*args: Any, **kwargs: Any) -> Any:
        if any(is_type(value) for value in (*args, *kwargs.values())):
            raise NoEnclosure(f"torch.{name} as numbers of another type")
        given = list(args[0]) if lists and isinstance(args[0], list | tuple) else list(args) if lists else [args[0]]
        together = lists and name in ("broadcast_tensors", "meshgrid", "cartesian_prod")
        rest = args[1:] if not lists or isinstance(args[0], list | tuple) else ()
        space = space_of(*given)
        pool: list[Form] = [space.number(0)]
        places = []
        for part in given:
            array = lift(part, space)
            places.append(torch.arange(len(pool), len(pool) + array.size).reshape(array.shape))
            pool.extend(array.reshape(-1).tolist())
        head = places if together else [places] if lists else [places[0]]
        truths = all(map(is_truth, given))
        return _from_pool(function(*head, *rest, **kwargs), pool, space, truths=truths)

    return operation


def _from_pool(out: Any, pool: list[Form], space: Workspace, *, truths: bool) -> Any:
    if not isinstance(out, Tensor):
        return tuple(_from_pool(part, pool, space, truths=truths) for part in out)
    entries = np.empty(out.numel(), dtype=object)
    entries[:] = [pool[place] for place in out.reshape(-1).tolist()]
    return Expanded(entries.reshape(tuple(out.shape)), space, truths=truths)


def reduced(function: Callable[[list[Form]], Form], x: Expanded, dim: Any, keepdim: Any) -> Expanded:
    """One form for every line along the axes `dim`."""
    array = x.array
    wanted = tuple(dim) if isinstance(dim, list | tuple) else (dim,)
    axes = tuple(range(array.ndim)) if dim is None or dim == () else tuple(a % max(array.ndim, 1) for a in wanted)
    axes = axes if array.ndim else ()
    kept = [k for k in range(array.ndim) if k not in axes]
    lines = array.transpose(*kept, *axes).reshape(*(array.shape[k] for k in kept), -1)
    found = np.empty(lines.shape[:-1], dtype=object)
    for index in np.ndindex(lines.shape[:-1]):
        found[index] = function(lines[index].tolist())
    if keepdim:
        found = found.reshape([1 if k in axes else size for k, size in enumerate(array.shape)])
    return Expanded(found, x.space)


def total(line: list[Form]) -> Form:
    return functools.reduce(lambda a, b: a + b, line)


def _binary_tree(line: list[Form], step: Callable[[Form, Form], Form]) -> Form:
    while len(line) > 1:
        line = [step(*line[k : k + 2]) if k + 1 < len(line) else line[k] for k in range(0, len(line), 2)]
    return line[0]


def _torch_function(name: str) -> Any:
    if name == "linalg_diagonal":
        return torch.linalg.diagonal
    return getattr(Tensor, name, None) or getattr(torch, name, None)


OPERATIONS: dict[str, Operation] = {
    **{name: _moved(name, _torch_function(name), lists=False) for name in FIRST if _torch_function(name)},
    **{name: _moved(name, getattr(torch, name), lists=True) for name in LISTS},
}
