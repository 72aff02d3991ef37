"""What torch does with tensors of truth values and of whole numbers, which is not what it does with decimals.

The sum of two truth values is their disjunction, the largest of some is whether any is true, and moved about they stay
truth values; their sum along an axis counts. Enclosures and forms hold truth values as numbers 0 and 1 with a mark, so
that an operation whose first operand has that mark is carried out under the name found here, or refused. Whole numbers
have a mark as well: a tensor of them that is filled with decimals cuts these off.
"""

from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves

from harness.certify.conversions import wanted_type
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


MOVED = _names(
    "reshape view flatten ravel unflatten unsqueeze squeeze expand broadcast_to transpose swapaxes swapdims permute "
    "movedim moveaxis diagonal linalg_diagonal diag diag_embed tril triu flip roll unbind split chunk narrow select "
    "index_select repeat repeat_interleave tile contiguous clone detach alias masked_select atleast_1d atleast_2d "
    "unfold t"
)
"""Operations that move the entries of their first operand, and keep its type."""
LISTS = _names("cat concat concatenate stack hstack vstack column_stack broadcast_tensors meshgrid cartesian_prod")
"""Operations that move the entries of several operands."""
LIKE = _names("zeros_like ones_like full_like empty_like new_zeros new_ones new_full new_empty new_tensor")
"""Operations that make tensors of the type of their first operand."""
KEPT = MOVED | _names(
    "mT T mH H adjoint getitem gather take_along_dim __iter__ expand_as view_as reshape_as "
    "data cpu conj resolve_conj resolve_neg real requires_grad_"
)
"""Operations whose results are truth values as their first operand is."""
DECIMAL = _names(
    "div divide truediv true_divide rdiv rtruediv reciprocal sqrt rsqrt exp expm1 exp2 log log1p log2 log10 sin cos "
    "tanh sinh cosh asin acos atan erf erfc sigmoid lgamma digamma entr xlogy xlog1py logsumexp double"
)
"""Operations that make decimals of whole numbers and of truth values."""
COUNTED = DECIMAL | _names(
    "sum cumsum prod cumprod square lt less le less_equal gt greater ge greater_equal eq ne not_equal isfinite isnan "
    "isinf item __float__ to type type_as long int"
)
"""Operations for which truth values count as the numbers 0 and 1."""
LOGICAL = (
    LISTS
    | LIKE
    | _names(
        "and rand bitwise_and logical_and or ror bitwise_or logical_or xor bitwise_xor logical_xor invert bitwise_not "
        "logical_not any all where Tensor.where masked_fill bool __bool__"
    )
)
"""Operations that tell truth values from numbers by themselves."""
MEANS = _names("mean var std trapezoid linalg_vector_norm norm softmax log_softmax angle")
"""Further operations whose results are decimals."""
PLACES = _names("argmax argmin argsort long int")
"""Operations whose results are whole numbers, whatever they are applied to."""
CONVERSIONS = _names("to type type_as")


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
    if name == "pad" and (len(args) > 3 or "value" in kwargs):
        require_room(args[0], kwargs.get("value", args[-1]))
    if name in CONVERSIONS and any(isinstance(leaf, Sealed) and not _is_decimal(leaf) for leaf in args[1:]):
        raise NoEnclosure(f"torch.{name} as numbers of another type")
    if not is_truth(_first(args)) or name in KEPT | COUNTED | LOGICAL:
        return name
    if name in EXTREMES:
        return EXTREMES[name]
    raise NoEnclosure(f"torch.{name} of truth values")


def are_whole(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether torch holds the results of an operation as whole numbers: where no operand is a decimal."""
    if name in PLACES or name in KEPT:
        return name in PLACES or is_whole(_first(args))
    if name in CONVERSIONS:
        target = wanted_type(*args[1:], kwargs.get("dtype"))
        if target is None:
            return is_whole(args[0])
        return not (target.is_floating_point or target.is_complex or target is torch.bool)
    return name not in DECIMAL | MEANS and not any(map(_asks_for_decimals, tree_leaves((args, kwargs))))


def _asks_for_decimals(option: Any) -> bool:
    return (isinstance(option, torch.dtype) and option.is_floating_point) or option is float or _is_decimal(option)


def _is_decimal(value: Any) -> bool:
    """Whether an operand is for certain no whole number and no truth value in torch."""
    return isinstance(value, float | Tensor) and not is_whole(value) and not is_truth(value)


def require_one_kind(values: Any) -> None:
    """Refuse truth values, whole numbers and decimals beside each other where each stays what it is."""
    if len({(is_truth(leaf), is_whole(leaf)) for leaf in tree_leaves(values)}) > 1:
        raise NoEnclosure("truth values and numbers that are broadcast together")


def require_truths(*values: Any) -> None:
    """Refuse numbers where torch would look at their bits, or raise."""
    if not all(map(is_truth, values)):
        raise NoEnclosure("numbers where truth values are needed")


def require_room(held: Any, given: Any) -> None:
    """Refuse entries that a tensor of another type would change: decimals among whole numbers or truth values."""
    without_rest = is_whole(given) or (isinstance(given, float) and given.is_integer())
    fits = is_truth(given) or (is_whole(held) and without_rest)
    if (is_truth(held) or is_whole(held)) and not fits:
        raise NoEnclosure("a tensor of another type that is filled with numbers")


def type_of(value: Any, turned: torch.dtype = torch.float64) -> torch.dtype:
    """What torch says of the type of a tensor: `turned` where it holds neither truth values nor whole numbers."""
    return torch.bool if is_truth(value) else torch.int64 if is_whole(value) else turned


def is_whole(value: Any) -> bool:
    """Whether torch holds an operand as a whole number, or as a tensor of them."""
    if is_truth(value):
        return False
    if isinstance(value, Sealed):
        return value.holds_whole
    return not value.is_floating_point() if isinstance(value, Tensor) else isinstance(value, int)


def _first(args: tuple[Any, ...]) -> Any:
    """The first tensor among the arguments."""
    return next((leaf for leaf in tree_leaves(args) if isinstance(leaf, Tensor)), None)
