"""Tensors of intervals, and how torch's functions find their enclosures.

An `Enclosed` tensor holds two float64 tensors, lower and upper ends, for every entry of a tensor of real numbers, and
answers torch's functions through `__torch_function__`: what comes out contains what the body would give, in real
numbers, for every choice of the entries of what went in. An operation without enclosure here raises `NoEnclosure`.

- Plain numbers and tensors in a body count as exactly these floats; what torch computes from them in the body is
  enclosed, too, where it is not exact (`harness.certify.enclosure.constants`).
- Roots, logarithms, powers and arcs take the part of an interval inside their domain: where the body is undefined there
  is nothing to prove. Entries that touched the outside are marked `partial`, and no comparison with them is decided.
- A comparison is a plain truth value where it is decided, and open elsewhere: `where` then takes the hull of both
  branches, and a decision of the body itself (`if`) raises `NoEnclosure`.
- Nothing is changed in place, and what reads a tensor behind `__torch_function__` (`torch.tensor`, `vmap`) is refused.
"""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.sealed import Sealed
from harness.certify.enclosure.truths import are_moved_truths, are_whole, is_whole, meant_operation, type_of

Ends: TypeAlias = tuple[Tensor, Tensor]
Operation: TypeAlias = Callable[..., Any]


def names(text: str) -> list[str]:
    """Words, for tables of torch's functions."""
    return text.split()


LARGEST = 20_000_000  # entries of one tensor of ends
METADATA = frozenset(
    names(
        "shape ndim device dim size numel nelement element_size itemsize nbytes is_cuda is_complex is_leaf "
        "is_sparse layout __len__ names grad_fn is_contiguous stride storage_offset is_quantized is_meta is_nested "
        "is_conj is_neg is_inference is_signed is_mps is_same_size get_device"
    )
)
OPERATORS = {
    f"__{name}__": name
    for name in names(
        "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul "
        "neg pos abs lt le gt ge eq ne getitem and or xor invert rand ror"
    )
}
SYNONYMS = {
    "absolute": "abs",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "expit": "sigmoid",
    "gammaln": "lgamma",
    "psi": "digamma",
    "row_stack": "vstack",
}
"""torch's other names of operations, by which it calls them here as well."""
_ALIASES = {"axis": "dim", "keepdims": "keepdim"}
_IGNORED = ("_stacklevel", "device", "memory_format", "pin_memory", "layout", "non_blocking", "requires_grad")
_FIRST = ("input", "self", "tensors", "tensor")
OPERATIONS: dict[str, Operation] = {}
"""torch's functions by name; each module of this package adds its own (`harness.certify.enclosure`)."""


class Enclosed(Sealed):
    """A tensor of intervals; `open_truth` marks one of truth values 0 and 1, of which some may not be decided.

    `constant` is one that encloses rounded numbers of the body alone, whatever the inputs are.
    """

    low: Tensor
    high: Tensor
    partial: Tensor | None
    open_truth: bool
    constant = False

    @staticmethod
    def __new__(
        cls, low: Tensor, high: Tensor, partial: Tensor | None = None, *, open_truth: bool = False
    ) -> "Enclosed":
        if low.numel() > LARGEST:
            raise NoEnclosure(f"a tensor of {low.numel()} entries")
        made = cls.over(low.shape)
        made.low, made.high, made.partial, made.open_truth = low, high, partial, open_truth
        return made

    def __init__(self, low: Tensor, high: Tensor, partial: Tensor | None = None, *, open_truth: bool = False) -> None:
        pass

    @property
    def holds_truths(self) -> bool:
        return self.open_truth

    def point(self, value: Tensor) -> "Enclosed":
        return point(value)

    def settled(self) -> Tensor | None:
        if self.partial is not None or not bool(((self.low == self.high) & self.low.isfinite()).all()):
            return None
        return self.low.bool() if self.open_truth else self.low.long() if self.holds_whole else self.low

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(issubclass(kind, Sealed) and kind is not Enclosed for kind in types):
            return NotImplemented  # tensors with slopes know what to do with enclosures
        name = name_of(func)
        if name in _ANSWERS:
            return _ANSWERS[name](args[0])
        if name in METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        name = operation_of(name)
        if name not in OPERATIONS:
            raise NoEnclosure(f"torch.{name}")
        given = kwargs or {}
        args, kwargs = arguments(args, given, name)
        name = meant_operation(name, args, kwargs)
        try:
            with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
                made = OPERATIONS[name](*args, **kwargs)
        except (TypeError, ValueError, IndexError, RuntimeError, AttributeError) as error:
            reason = " ".join(str(error).split())[:120]
            raise NoEnclosure(f"torch.{name} with arguments that are not known here ({reason})") from error
        met = [leaf.constant for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Enclosed)]
        _mark(
            made,
            truths=are_moved_truths(name, args),
            whole=are_whole(name, args, given),
            constant=bool(met) and all(met),
        )
        return iter(made) if name == "__iter__" else made


def _mark(made: Any, *, truths: bool, whole: bool, constant: bool) -> None:
    """Note in results what torch holds them as; places beside sorted values are whole numbers."""
    if isinstance(made, Enclosed):
        made.open_truth |= truths
        made.holds_whole |= whole
        made.constant = constant
    elif isinstance(made, tuple):
        for part in made:
            _mark(part, truths=truths, whole=whole or part is getattr(made, "indices", None), constant=constant)


_ANSWERS: dict[str, Callable[[Any], Any]] = {
    "requires_grad": lambda _: True,  # algorithms then take their differentiable form, which changes nothing in place
    "dtype": type_of,
    "is_floating_point": lambda x: type_of(x).is_floating_point,
}


def name_of(func: Any) -> str:
    """The name of one of torch's functions, or of the attribute that is read; `__set__ data` of one that is written.

    `x.where(condition, other)` has a name of its own: `torch.where(condition, x, other)` takes its condition first.
    """
    if func is Tensor.where:
        return "Tensor.where"
    name = getattr(func, "__name__", str(func))
    if name in ("__get__", "__set__", "__delete__"):
        name = f"{name} {func.__self__.__name__}"
    return name.removeprefix("__get__ ")


def operation_of(name: str) -> str:
    """The one name by which an operation is known here, whether it was written as an operator or under a synonym."""
    name = OPERATORS.get(name, name).removeprefix("special_")
    return SYNONYMS.get(name, name)


def arguments(args: Any, kwargs: dict[str, Any], name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments under torch's own names, without those that say nothing; what would be disregarded is refused."""
    kept = {_ALIASES.get(key, key): value for key, value in kwargs.items()}
    if kept.pop("out", None) is not None or kept.pop("inplace", False):
        raise NoEnclosure(f"torch.{name} in place")
    if "dtype" in kept and name != "to" and kept["dtype"] in (None, torch.float64):
        del kept["dtype"]
    for key in _IGNORED:
        kept.pop(key, None)
    if not args:
        first = next((key for key in _FIRST if key in kept), None)
        args = () if first is None else (kept.pop(first),)
    return tuple(args), kept


def point(value: Tensor) -> Enclosed:
    """A plain tensor as the enclosure of its numbers."""
    found = Enclosed(*ends(value), open_truth=value.dtype is torch.bool)
    found.constant, found.holds_whole = True, is_whole(value)
    return found


def ends(value: Any) -> Ends:
    """Lower and upper ends of any operand; plain numbers are exactly themselves."""
    if isinstance(value, Enclosed):
        return value.low, value.high
    point = plain(value)
    return point, point


def plain(value: Any) -> Tensor:
    """A plain number or tensor in float64."""
    if isinstance(value, Enclosed):
        raise NoEnclosure("an enclosure where a plain number is needed", undecided=True)
    if isinstance(value, Tensor):
        if type(value) not in (Tensor, torch.nn.Parameter):
            raise NoEnclosure(f"a tensor of type {type(value).__name__}")
        if value.is_complex():
            raise NoEnclosure("complex numbers")
        wide = value.detach().to(device="cpu", dtype=torch.float64)
        if bool(wide.isnan().any()):  # ends are never nan
            raise NoEnclosure("nan")
        if not value.is_floating_point() and value.dtype is torch.int64 and bool((wide.abs() > 2.0**53).any()):
            raise NoEnclosure("whole numbers beyond 2^53")
        return wide
    if isinstance(value, bool | int | float) or hasattr(value, "__float__"):
        number = float(value)
        if isinstance(value, int) and int(number) != value:
            raise NoEnclosure("whole numbers beyond 2^53")
        if math.isnan(number):
            raise NoEnclosure("nan")
        return torch.tensor(number, dtype=torch.float64)
    raise NoEnclosure(f"numbers of type {type(value).__name__}")


def partial_of(*values: Any) -> Tensor | None:
    """Where any of the operands is marked partial, broadcast; None where none is."""
    marks = [v.partial for v in values if isinstance(v, Enclosed) and v.partial is not None]
    if not marks:
        return None
    shapes = [v.low.shape if isinstance(v, Enclosed) else v.shape for v in values if isinstance(v, Tensor)]
    found = marks[0]
    for mark in marks[1:]:
        found = found | mark
    return found.expand(np.broadcast_shapes(found.shape, *shapes))


def any_partial(*values: Any) -> bool:
    """Whether any operand has a mark; then the whole result of an operation that mixes entries gets one."""
    return any(isinstance(v, Enclosed) and v.partial is not None and bool(v.partial.any()) for v in values)


def defined(what: str, value: Any) -> None:
    """Refuse entries that may be undefined where nan would not stay nan."""
    if any_partial(value):
        raise NoEnclosure(f"{what} of numbers that may be undefined", undecided=True)


def mixed(low: Tensor, high: Tensor, *sources: Any) -> Enclosed:
    """The result of an operation that mixes entries."""
    mark = torch.ones(low.shape, dtype=torch.bool) if any_partial(*sources) else None
    return Enclosed(low, high, mark)


def entrywise(low: Tensor, high: Tensor, *sources: Any) -> Enclosed:
    """The result of an operation entry by entry."""
    return Enclosed(low, high, partial_of(*sources))


def operation(*names: str) -> Callable[[Operation], Operation]:
    """Register an enclosure under torch's names."""

    def register(function: Operation) -> Operation:
        for name in names:
            OPERATIONS[name] = function
        return function

    return register
