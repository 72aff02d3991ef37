"""What the kernel player of the margin game answers: one pure strategy that nearly maximises the potential."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from torch import Tensor


@dataclass(frozen=True)
class BestResponse:
    """A pure strategy against the signed weights u_i = y_i a_i.

    Its kernel of mass one on the points is ``Psi Psi^T``, so that its potential is ``v = |Psi^T u|^2``: for a pair of
    frequencies +-w the features are cos(<w, x_i>) and sin(<w, x_i>), for a pair of spherical harmonics Re Y and Im Y.

    Attributes
    ----------
    index : Tensor (*batch, k)
        What the strategy is called: a frequency w (k = d), a degree and an order (k = 2), a degree.
    features : Tensor (*batch, n, r)
        Psi on the points.
    value : Tensor (*batch,)
        The potential v at `index`.
    gap : Tensor (*batch,)
        An upper bound of sup v - value; infinite where nothing is known.
    """

    index: Tensor
    features: Tensor
    value: Tensor
    gap: Tensor


KernelPlayer: TypeAlias = Callable[[Tensor], BestResponse]
"""Signed weights u = y a, (*batch, n) -> the answer to them."""
