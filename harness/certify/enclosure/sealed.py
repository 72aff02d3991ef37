"""Tensors that stand for something else than the numbers in their memory."""

import math
from collections.abc import Sequence
from typing import Self

import torch
from torch import Tensor

from harness.certify.enclosure.refusal import NoEnclosure


class Sealed(Tensor):
    """A tensor that answers torch's functions by itself, and whose memory nothing may read.

    `holds_truths` says whether torch would hold it as a tensor of truth values, `holds_whole` whether as one of whole
    numbers.

    What gets around `__torch_function__` (`torch.tensor`, `torch.full`, `torch.vmap`, `torch.func`) ends here.
    """

    @property
    def holds_truths(self) -> bool:
        return False

    holds_whole = False

    def point(self, value: Tensor) -> "Sealed":
        """Plain numbers as a tensor that is carried through a body beside this one."""
        raise NoEnclosure(f"{tuple(value.shape)} numbers beside a {type(self).__name__}")

    def settled(self) -> Tensor | None:
        """The plain numbers that it stands for, where it does for no others and floats hold them."""
        return None

    @classmethod
    def over(cls, shape: Sequence[int]) -> Self:
        """One of this shape; what could still read it finds nan, never a number."""
        behind = torch.full((), math.nan, dtype=torch.float64).expand(shape)
        made: Self = torch.Tensor._make_subclass(cls, behind)
        return made

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def, override]
        raise NoEnclosure(f"{func}, which reads numbers behind torch's functions")
