"""What torch computes from plain numbers of a body: exact results stay plain, all others are enclosed.

The plain tensors that a proof meets hold exactly the numbers that they stand for. An operation on them alone is looked
at: copies, choices, comparisons and counts give such tensors again, and so do sums, products and the like that floats
hold without rounding (`harness.certify.enclosure.exactness`). Everything else is done once more with the plain numbers
as points among enclosures, or among forms, so that its result is not what torch has rounded it to; an operation that
has no enclosure stops the proof.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

from harness.certify.enclosure.exactness import is_exact
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.sealed import Sealed
from harness.certify.enclosure.tensor import METADATA, arguments, name_of, names, operation_of
from harness.certify.enclosure.truths import KEPT, LIKE, LISTS

EXACT = (
    KEPT
    | LIKE
    | LISTS
    | frozenset(
        names(
            """
        neg negative abs sign sgn signbit positive pos pad where Tensor.where clamp clip clamp_min clamp_max relu
        floor ceil trunc fix amax amin aminmax max min maximum minimum fmax fmin argmax argmin argsort sort msort
        topk kthvalue median nanmedian cummax cummin eq ne lt le gt ge equal less less_equal greater greater_equal
        not_equal isfinite isnan isinf isin all any and or xor rand ror invert logical_and logical_or logical_not
        logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not count_nonzero nonzero searchsorted bucketize
        unique unique_consecutive scatter masked_fill masked_scatter index_put index_fill index_copy fill_diagonal
        zero copy take select_scatter slice_scatter diagonal_scatter block_diag combinations rot90 as_strided
        unsafe_split split_with_sizes tensor_split hsplit vsplit dsplit dstack one_hot frac fmod copysign nan_to_num
        threshold heaviside hardtanh imag complex view_as_real view_as_complex is_nonzero tolist item numpy
        __array__ __float__ __int__ __bool__ __index__ __complex__ __repr__ __str__ __format__ __hash__ __deepcopy__
        __copy__ __contains__ __reversed__ __reduce_ex__ __dir__ set requires_grad retain_grad scalar_tensor
        from_numpy frombuffer empty empty_strided zeros ones full eye tril_indices triu_indices randint randperm
        randn bernoulli normal uniform random exponential multinomial broadcast_shapes result_type promote_types
        can_cast is_tensor is_storage manual_seed
        """
        )
    )
)
"""Copies, choices, comparisons, counts, and tensors made of given numbers: no rounding at all."""
CONVERSIONS = frozenset(names("to type type_as double float half bfloat16 as_tensor tensor asarray copy fill setitem"))
SHORT = (torch.float32, torch.float16, torch.bfloat16)
WITH_TOLERANCE = frozenset(names("isclose allclose linalg_matrix_rank matrix_rank histc histogram histogramdd"))
"""What gives truth values and whole numbers, and rounds on the way."""


class Constants(TorchFunctionMode):
    """In force while a body meets enclosures or forms; `like` is one of those that it was given."""

    def __init__(self, like: Any) -> None:
        super().__init__()
        self.like = like

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given, name = kwargs or {}, name_of(func)
        if name == "requires_grad":  # algorithms then take the form in which enclosures know their operations
            return True
        if name in METADATA:
            return func(*args, **given)
        leaves = tree_leaves((args, given))
        if any(isinstance(leaf, Sealed) for leaf in leaves):
            return func(*args, **given)
        if name in _LINES:
            return _LINES[name](self, *args, **given)
        return self._of_plain_numbers(func, operation_of(name), args, given, leaves)

    def _of_plain_numbers(self, func: Any, name: str, args: Any, given: Any, leaves: list[Any]) -> Any:
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        _require_plain(tensors)
        _require_room(leaves)
        inside = name.endswith("_") and not name.endswith("__")
        base = name[:-1] if inside else name.strip("_") if name == "__setitem__" else name
        if base in CONVERSIONS:
            return _converted(func, name, args, given, tensors)
        if base in EXACT:
            return func(*args, **given)
        inside |= given.get("out") is not None
        before = tree_map(_copied, (args, given)) if inside else (args, given)
        out = func(*args, **given)
        results = [leaf for leaf in tree_leaves(out) if _is_decimal(leaf) and not isinstance(leaf, Sealed)]
        if base in WITH_TOLERANCE:
            raise NoEnclosure(f"torch.{name}, which rounds what it decides")
        options = {key: value for key, value in before[1].items() if key != "out"}
        if not results or is_exact(base, out, *arguments(before[0], options, base)):
            return out
        if inside:
            raise NoEnclosure(f"torch.{name}, which rounds in place")
        if not tensors:
            raise NoEnclosure(f"torch.{name}, which rounds")
        decimal = any(map(_is_decimal, tensors))

        def lifted(leaf: Any) -> Any:
            return self.like.point(leaf) if isinstance(leaf, Tensor) and _is_decimal(leaf) is decimal else leaf

        return tree_map(_settled, func(*tree_map(lifted, args), **tree_map(lifted, given)))

    def again(self, func: Callable[..., Any], *args: Any) -> Any:
        """An operation of torch's by the same rules."""
        return self.__torch_function__(func, (), args)


def _copied(leaf: Any) -> Any:
    return leaf.detach().clone() if isinstance(leaf, Tensor) else leaf


def _is_decimal(leaf: Any) -> bool:
    if isinstance(leaf, Tensor):
        return leaf.is_floating_point() or leaf.is_complex()
    return isinstance(leaf, float | complex)


def _settled(leaf: Any) -> Any:
    """A result as plain numbers, where it is such."""
    found = leaf.settled() if isinstance(leaf, Sealed) else None
    return leaf if found is None else found


def _require_plain(tensors: list[Tensor]) -> None:
    for tensor in tensors:
        if type(tensor) not in (Tensor, torch.nn.Parameter):
            raise NoEnclosure(f"a tensor of type {type(tensor).__name__}")
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            raise NoEnclosure("torch.vmap and its like")


def _require_room(leaves: list[Any]) -> None:
    """Refuse numbers that torch would round before it looks at them: beyond 2^53, or beside short ones."""
    kinds = {leaf if isinstance(leaf, torch.dtype) else getattr(leaf, "dtype", None) for leaf in leaves}
    short = [kind for kind in SHORT if kind in kinds]
    decimal = bool(short) or torch.float64 in kinds or any(map(_is_decimal, leaves))
    for leaf in leaves:
        if (
            isinstance(leaf, float)
            and math.isfinite(leaf)
            and any(torch.tensor(leaf, dtype=kind).item() != leaf for kind in short)
        ):
            raise NoEnclosure("numbers of which a tensor of short ones keeps a part")
        if decimal and _is_beyond(leaf):
            raise NoEnclosure("whole numbers beyond 2^53 beside others")


def _is_beyond(leaf: Any) -> bool:
    if isinstance(leaf, Tensor):
        return leaf.dtype is torch.int64 and bool((leaf.abs() > 2**53).any())
    return isinstance(leaf, int) and abs(leaf) > 2**53


def _converted(func: Any, name: str, args: Any, given: Any, tensors: list[Tensor]) -> Any:
    """A conversion, where no entry changes by it; a tensor that numbers are written into holds them all."""
    out = func(*args, **given)
    held = tensors[0] if isinstance(out, type(None)) and tensors else out
    source = tensors[-1] if tensors else None
    if not isinstance(held, Tensor) or source is None or source is held or not _is_decimal(held):
        return out
    if held.dtype in (torch.float64, torch.complex128) and _is_decimal(source):
        return out
    back = source.to(held.dtype).to(source.dtype)
    if not bool(((back == source) | source.isnan()).all()):
        raise NoEnclosure(f"torch.{name}, which rounds")
    return out


def _line(mode: Constants, start: Any, end: Any, steps: Any = None, **options: Any) -> Any:
    """torch.linspace at its exact places."""
    made = torch.linspace(start, end, steps, **options)
    if made.dtype is not torch.float64:
        raise NoEnclosure("torch.linspace of another type")
    first, last = (torch.as_tensor(number, dtype=torch.float64) for number in (start, end))
    if len(made) < 2:
        return made
    way = mode.again(torch.mul, mode.again(torch.sub, last, first), torch.arange(len(made), dtype=torch.float64))
    return mode.again(torch.add, mode.again(torch.div, way, float(len(made) - 1)), first)


def _range(mode: Constants, *ends: Any, **options: Any) -> Any:
    """torch.arange at its exact places, as many as torch has."""
    made = torch.arange(*ends, **options)
    start = options.get("start", ends[0] if len(ends) > 1 else 0)
    step = options.get("step", ends[2] if len(ends) > 2 else 1)
    if not _is_decimal(made) or all(float(number).is_integer() for number in (start, step)):
        return made
    first, each = (torch.as_tensor(number, dtype=torch.float64) for number in (start, step))
    return mode.again(torch.add, mode.again(torch.mul, torch.arange(len(made), dtype=torch.float64), each), first)


_LINES: dict[str, Callable[..., Any]] = {"linspace": _line, "arange": _range}
