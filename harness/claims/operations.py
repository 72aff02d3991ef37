"""Operations of torch that count what they compute: what a batched formula costs, whatever the machine."""

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

PRODUCTS = (
    torch.ops.aten.mm,
    torch.ops.aten.mv,
    torch.ops.aten.bmm,
    torch.ops.aten.addmm,
    torch.ops.aten.baddbmm,
)
MEMORY = (torch.ops.aten.empty, torch.ops.aten.empty_like, torch.ops.aten.new_empty)
"""Reserve memory and write nothing."""


class Operations(TorchDispatchMode):
    """Counts the numbers that operations write, and the operations.

    Two for each term of a product of matrices, and log2 p rounded up for each number sorted in rows of length p. What
    looks at a tensor in another way, or reserves memory, writes nothing and is no operation.
    """

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.calls = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call the operation, and count what it wrote."""
        found = func(*args, **(kwargs or {}))
        written = [each for each in (found if isinstance(found, tuple | list) else [found]) if isinstance(each, Tensor)]
        if not func.is_view and func.overloadpacket not in MEMORY:
            times = 1
            if func.overloadpacket in PRODUCTS:
                times = 2 * args[-1].shape[-2 if args[-1].ndim > 1 else 0]
            elif func.overloadpacket is torch.ops.aten.sort:
                times, written = (written[0].shape[-1] - 1).bit_length(), written[:1]
            self.calls += 1
            self.count += times * sum(each.numel() for each in written)
        return found
