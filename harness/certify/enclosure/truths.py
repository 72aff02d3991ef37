"""What torch does with tensors of truth values, which is not what it does with the numbers 0 and 1.

The sum of two truth values is their disjunction, the largest of some is whether any is true, and moved about they stay
truth values; their sum along an axis counts. Enclosures and forms hold truth values as numbers 0 and 1 with a mark, so
that an operation whose first operand has that mark is carried out under the name found here, or refused.
"""

from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.sealed import Sealed

JOINED = {
    **dict.fromkeys(("add", "radd", "maximum"), "or"),
    **dict.fromkeys(("mul", "rmul", "multiply", "minimum"), "and"),
}
"""Operations on two operands that are logical ones where both are truth values."""
EXTREMES = {"amax": "any", "amin": "all"}


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEPT = _names(
    "reshape view flatten ravel unflatten unsqueeze squeeze expand broadcast_to transpose swapaxes swapdims permute "
    "movedim moveaxis diagonal linalg_diagonal diag diag_embed tril triu flip roll unbind split chunk narrow select "
    "index_select repeat repeat_interleave tile contiguous clone detach alias masked_select atleast_1d atleast_2d "
    "unfold t mT T mH H adjoint getitem gather take_along_dim __iter__ expand_as view_as reshape_as "
    "data cpu conj resolve_conj resolve_neg real requires_grad_"
)
"""Operations whose results are truth values as their first operand is."""
COUNTED = _names(
    "sum cumsum prod cumprod div divide truediv true_divide rdiv rtruediv reciprocal square sqrt rsqrt exp expm1 exp2 "
    "log log1p log2 log10 sin cos tanh sinh cosh asin acos atan erf erfc sigmoid lgamma digamma entr xlogy xlog1py "
    "logsumexp lt less le less_equal gt greater ge greater_equal eq ne not_equal isfinite isnan isinf item __float__ "
    "double to type type_as long int"
)
"""Operations for which truth values count as the numbers 0 and 1."""
LOGICAL = _names(
    "and rand bitwise_and logical_and or ror bitwise_or logical_or xor bitwise_xor logical_xor invert bitwise_not "
    "logical_not any all where Tensor.where masked_fill bool __bool__ "
    "cat concat concatenate stack hstack vstack column_stack broadcast_tensors meshgrid cartesian_prod "
    "zeros_like ones_like full_like empty_like new_zeros new_ones new_full new_empty new_tensor"
)
"""Operations that tell truth values from numbers by themselves."""


def is_truth(value: Any) -> bool:
    """Whether torch holds an operand as a truth value, or as a tensor of them."""
    if isinstance(value, Sealed):
        return value.holds_truths
    return isinstance(value, bool) or (isinstance(value, Tensor) and value.dtype is torch.bool)


def are_moved_truths(name: str, args: tuple[Any, ...]) -> bool:
    """Whether the results of an operation are truth values because its operand is one of them."""
    return name in KEPT and is_truth(_first(args))


def meant_operation(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The operation that torch carries out under a name on these operands.

    Raises
    ------
    NoEnclosure
        Where the operands are truth values for which it is not known here.
    """
    if name in JOINED:
        operands = [*args[:2], *(kwargs[key] for key in ("other",) if key in kwargs)]
        return JOINED[name] if all(map(is_truth, operands)) else name
    if name == "broadcast_tensors":
        require_one_kind(args)
    if not is_truth(_first(args)) or name in KEPT | COUNTED | LOGICAL:
        return name
    if name in EXTREMES:
        return EXTREMES[name]
    raise NoEnclosure(f"torch.{name} of truth values")


def require_one_kind(values: Any) -> None:
    """Refuse truth values beside numbers where each stays what it is."""
    if len({is_truth(leaf) for leaf in tree_leaves(values)}) > 1:
        raise NoEnclosure("truth values and numbers that are broadcast together")


def require_truths(*values: Any) -> None:
    """Refuse numbers where torch would look at their bits, or raise."""
    if not all(map(is_truth, values)):
        raise NoEnclosure("numbers where truth values are needed")


def require_room(held: Any, given: Any) -> None:
    """Refuse entries that a tensor of another type would change: decimals among whole numbers or truth values."""
    if (is_truth(held) and not is_truth(given)) or (_is_whole(held) and not _is_whole(given)):
        raise NoEnclosure("a tensor of another type that is filled with numbers")


def _is_whole(value: Any) -> bool:
    if isinstance(value, Sealed) or is_truth(value):
        return False
    return not value.is_floating_point() if isinstance(value, Tensor) else isinstance(value, int)


def _first(args: tuple[Any, ...]) -> Any:
    """The first tensor among the arguments."""
    return next((leaf for leaf in tree_leaves(args) if isinstance(leaf, Tensor)), None)
