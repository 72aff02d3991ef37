"""Whether a draw is asked for as it was before, up to rounding: its shape, and the parameters of its law."""

from collections.abc import Iterable, Iterator
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor
from torch.distributions import Distribution, Transform
from torch.distributions.utils import lazy_property

Asked: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]
"""What a draw was asked for with, apart from its name."""

VISIBLE, NOTHING = 1e-3, 1e-9  # a share of a parameter, and a number, up to which it may have been rounded


def changed(before: Asked, now: Asked, some: Tensor, reps: int) -> Tensor:
    """In which of `some` replicates, of `reps`, a draw is asked for otherwise, `(len(some),)`.

    A parameter of its own in each replicate is compared there; where anything else differs, all of them do.
    """
    mask, some = torch.zeros(len(some), dtype=torch.bool), some.cpu()
    first, second = (list(_parts([*args, *dict(sorted(named.items())).values()])) for args, named in (before, now))
    with torch.no_grad(), torch._C._DisableTorchDispatch():  # nothing of this is the body's
        if len(first) != len(second):
            return ~mask
        for one, other in zip(first, second, strict=True):
            mask |= _apart(one, other, some, reps)
    return mask


def _parts(values: Iterable[Any], within: tuple[Any, ...] = ()) -> Iterator[Tensor]:
    """The numbers among arguments, in laws too; tensors on the CPU. A transform knows its inverse, and that it."""
    for value in values:
        if isinstance(value, Tensor):
            yield value.detach().cpu()
        elif isinstance(value, Real) or _is_numeric(value):
            yield torch.as_tensor(np.asarray(value, dtype=np.float64))
        elif isinstance(value, list | tuple):
            yield from _parts(value, within)
        elif isinstance(value, Distribution | Transform) and not any(value is law for law in within):
            lazy = _lazy(value)
            held = (held for key, held in sorted(vars(value).items()) if key not in lazy)
            yield from _parts(held, (*within, value))


def _is_numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _lazy(law: Any) -> set[str]:
    """What a law computes of its parameters once it is asked, and keeps."""
    held = ((name, value) for kind in type(law).__mro__ for name, value in vars(kind).items())
    return {name for name, value in held if isinstance(value, lazy_property)}


def _apart(one: Tensor, other: Tensor, some: Tensor, reps: int) -> Tensor:
    each = one.ndim > 0 and len(one) == reps and one.shape[1:] == other.shape[1:] and other.shape[:1] == some.shape
    if each:
        one = one[some]
    elif one.shape != other.shape:
        return torch.ones(len(some), dtype=torch.bool)
    if one.is_complex() or other.is_complex():
        one, other = (torch.view_as_real(value.to(torch.complex128)) for value in (one, other))
    one, other = one.double(), other.double()
    far = (one - other).abs() > VISIBLE * torch.maximum(one.abs(), other.abs()) + NOTHING
    far &= torch.isfinite(one) & torch.isfinite(other)
    return far.reshape(len(some), -1).any(-1) if each else far.any().expand(len(some))
