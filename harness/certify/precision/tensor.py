"""The tensor of balls, and how torch's functions find their enclosures."""

from fractions import Fraction
from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor

from harness.certify.precision import elementwise, entries, matrices, order, reductions, spectra
from harness.certify.precision.balls import Unsupported, lift, names, settled

LARGEST = 200_000  # entries of one tensor
OPERATIONS = {
    **elementwise.OPERATIONS,
    **reductions.OPERATIONS,
    **order.OPERATIONS,
    **matrices.OPERATIONS,
    **spectra.OPERATIONS,
}
METADATA = frozenset(
    names(
        "shape ndim dtype device dim size numel nelement element_size itemsize nbytes is_cuda is_complex is_leaf "
        "is_sparse is_floating_point layout __len__ names grad_fn is_contiguous stride storage_offset "
        "is_quantized is_meta is_nested is_conj is_neg is_inference is_signed is_mps is_same_size get_device"
    )
)
_OPERATORS = {
    f"__{name}__": name
    for name in names(
        "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul "
        "neg pos abs lt le gt ge eq ne getitem"
    )
}
_ALIASES = {"axis": "dim", "keepdims": "keepdim"}  # numpy's names, which torch understands
_FIRST = ("input", "self", "tensors", "tensor")


class Precise(Tensor):
    """A tensor of balls; floats are taken exactly.

    `plain` where it stands for a number of Python, which nothing changes in place; what is made of such is one.
    """

    array: np.ndarray
    plain: bool

    @staticmethod
    def __new__(cls, value: Any) -> "Precise":
        array = settled(lift(value))
        if array.size > LARGEST:
            raise Unsupported(f"a tensor of {array.size} entries")
        # whatever reads the tensor behind the back of __torch_function__ finds nan, never a number
        behind = torch.full(array.shape, torch.nan, dtype=torch.float64)
        made: Precise = torch.Tensor._make_subclass(cls, behind)
        made.array = array
        made.plain = isinstance(value, int | float | Fraction | arb) or getattr(value, "plain", False)
        return made

    def __init__(self, value: Any) -> None:
        pass

    def __hash__(self) -> int:
        """A ball may stand for a plain number, of which equal ones are one member of a set, which tensors are not."""
        raise Unsupported("members of a set, or keys")

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", str(func))
        if name in ("__get__", "__set__", "__delete__"):
            name = f"{name} {func.__self__.__name__}"
        name = name.removeprefix("__get__ ")
        if name == "requires_grad":
            return True  # algorithms then take their differentiable form, which changes nothing in place
        if name in METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        args, kwargs = _arguments(args, kwargs or {}, name)
        name = _OPERATORS.get(name, name)
        plain = name.removeprefix("special_")
        if entries.knows(name):
            return _wrapped(entries.moved(name, func, args, kwargs))
        if plain not in OPERATIONS:
            raise Unsupported(f"torch.{name}")
        try:
            found = _wrapped(OPERATIONS[plain](*args, **kwargs))
            return _of_plain_numbers(found) if all(_is_plain(each) for each in args) else found
        except (TypeError, ValueError, IndexError) as error:
            raise Unsupported(f"torch.{name} with arguments that are not known here ({error})") from error


def _arguments(args: Any, kwargs: dict[str, Any], name: str) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments under torch's own names, without those that say nothing; what would be disregarded is refused."""
    kept = {_ALIASES.get(key, key): value for key, value in kwargs.items()}
    if kept.pop("out", None) is not None or kept.pop("inplace", False):
        raise Unsupported(f"torch.{name} in place")
    if "dtype" in kept and (kept["dtype"] is None or (kept["dtype"] is torch.float64 and name != "to")):
        del kept["dtype"]
    for key in ("_stacklevel", "device", "memory_format", "pin_memory", "layout", "non_blocking", "requires_grad"):
        kept.pop(key, None)
    if not args:
        first = next((key for key in _FIRST if key in kept), None)
        args = () if first is None else (kept.pop(first),)
    return tuple(args), kept


def _is_plain(argument: Any) -> bool:
    return argument.plain if isinstance(argument, Precise) else not isinstance(argument, Tensor | list | tuple)


def _of_plain_numbers(found: Any) -> Any:
    """What an operation on numbers of Python gives: another one, or a truth value of Python."""
    if isinstance(found, Precise):
        found.plain = True
    elif isinstance(found, Tensor) and found.dtype is torch.bool and not found.dim():
        return bool(found)
    return found


def _wrapped(result: Any) -> Any:
    """Object arrays as `Precise`, truth values and indices as ordinary tensors."""
    if isinstance(result, np.ndarray):
        return Precise(result) if result.dtype == object else torch.as_tensor(result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_wrapped, result))
    return tuple(map(_wrapped, result)) if isinstance(result, tuple) else result
