"""Operations that only move entries: torch itself moves their numbers in a pool of balls, so its rules hold exactly."""

from typing import Any

import numpy as np
import torch
from flint import arb
from torch import Tensor
from torch.utils._pytree import tree_leaves

from harness.certify.conversions import is_type
from harness.certify.precision.balls import ONE, ZERO, Unsupported, boxed, lift, names, spend, undecided

FIRST = (0,)
_OF_THE_FIRST = names(
    "getitem reshape view flatten ravel unflatten unsqueeze squeeze expand broadcast_to transpose swapaxes swapdims "
    "t T mT H mH adjoint movedim moveaxis permute diagonal linalg_diagonal diag diag_embed diagflat tril triu "
    "flip fliplr flipud rot90 roll unbind split chunk tensor_split hsplit vsplit narrow select index_select "
    "gather take take_along_dim masked_select repeat repeat_interleave tile unfold contiguous clone detach alias data "
    "atleast_1d atleast_2d atleast_3d combinations positive pos real conj resolve_conj resolve_neg pad"
)
MOVED: dict[str, tuple[int, ...] | None] = {  # which arguments hold the entries: None for all
    **dict.fromkeys(_OF_THE_FIRST, FIRST),
    **dict.fromkeys(names("cat concat concatenate stack hstack vstack row_stack dstack column_stack"), FIRST),
    **dict.fromkeys(names("broadcast_tensors meshgrid cartesian_prod block_diag")),
    **dict.fromkeys(names("view_as reshape_as expand_as"), (0, 1)),
    **dict.fromkeys(names("masked_fill masked_scatter"), (0, 2)),
    **dict.fromkeys(names("scatter index_fill index_copy"), (0, 3)),
    **dict.fromkeys(names("select_scatter slice_scatter diagonal_scatter"), (0, 1)),
    "where": (1, 2),
}
FILLED = frozenset(names("masked_fill masked_scatter scatter index_fill"))  # into the type of the first
_VALUES = frozenset(("input", "other", "src", "source", "value"))  # names of arguments that hold entries
CONSTANTS = frozenset(
    names("zeros_like ones_like full_like empty_like new_zeros new_ones new_full new_empty new_tensor")
)


def knows(name: str) -> bool:
    """Whether the result's entries are entries of the arguments, or constants."""
    return name in MOVED or name in CONSTANTS


def moved(name: str, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The operation, applied to places in a pool of balls; 0 and 1 come first, since torch fills with them."""
    if name == "view" and any(is_type(option) for option in (*args[1:], *kwargs.values())):
        raise Unsupported("torch.view as numbers of another type")
    pool: list[arb] = [ZERO, ONE]

    def places(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [places(part) for part in value]
        if value is None:
            return None
        balls = lift(value)
        start = len(pool)
        pool.extend(balls.reshape(-1).tolist())
        spend(balls.size)
        return torch.arange(start, len(pool)).reshape(balls.shape) if isinstance(value, Tensor) else start

    if name in MOVED:
        holding = _holding(name, func)
        if name in FILLED and not _takes_decimals(args[0]):
            raise Unsupported(f"torch.{name} of decimals into a tensor of another type")
        args = tuple(places(arg) if holding is None or k in holding else arg for k, arg in enumerate(args))
        kwargs = {key: places(value) if key in _VALUES else value for key, value in kwargs.items()}
    if any(hasattr(leaf, "array") for leaf in tree_leaves((args[1:] if name in CONSTANTS else args, kwargs))):
        raise undecided(f"torch.{name} by indices, masks or sizes that its enclosures do not decide")
    try:
        with torch.no_grad(), torch._C.DisableTorchFunctionSubclass():
            out = func(*args, **kwargs)
    except (RuntimeError, TypeError, IndexError, ValueError) as error:
        raise Unsupported(f"torch.{name} with arguments that are not known here ({error})") from error
    return out if name in CONSTANTS else _balls(out, pool)


def _holding(name: str, func: Any) -> tuple[int, ...] | None:
    return (0, 2) if func is Tensor.where else MOVED[name]  # x.where(condition, other)


def _takes_decimals(value: Any) -> bool:
    """Whether a tensor keeps what it is filled with: balls, or plain floats."""
    return not isinstance(value, Tensor) or hasattr(value, "array") or value.is_floating_point()


def _balls(out: Any, pool: list[arb]) -> Any:
    if isinstance(out, Tensor):
        spend(out.numel())
        return boxed([pool[place] for place in np.asarray(out.reshape(-1)).tolist()], out.shape)
    return tuple(_balls(part, pool) for part in out)
