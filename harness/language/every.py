"""Everything there is of something finite, for exact means in a body: `from harness import every`.

>>> every.signs(3, like=a)  # all eight vectors of three signs
"""

import math

import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.distributions import Atoms

MOST = 2**17
"""How much is enumerated at most."""


def signs(n: int, *, like: Tensor) -> Tensor:
    """All 2^n vectors of n signs, `(2^n, n)`; a mean over them is an expectation over Rademacher variables.

    Raises
    ------
    ClaimError
        If there are more than 2^17.
    """
    return 1.0 - 2.0 * vectors(2, n, like=like)


def vectors(k: int, n: int, *, like: Tensor) -> Tensor:
    """All k^n vectors of n entries among 0, ..., k - 1, `(k^n, n)`; `.long()` makes indices of them.

    Raises
    ------
    ClaimError
        If there are more than 2^17.
    """
    _limited(f"vectors of {n} entries among {k}", k**n)
    places = k ** torch.arange(n, device=like.device)
    index = torch.arange(k**n, device=like.device).unsqueeze(-1)
    return (index // places % k).to(like.dtype)


def permutations(n: int, *, like: Tensor) -> Tensor:
    """All n! orders of 0, ..., n - 1, `(n!, n)`.

    Raises
    ------
    ClaimError
        If there are more than 2^17.
    """
    _limited(f"permutations of {n}", math.factorial(n))
    orders = torch.zeros((1, 0), dtype=torch.long, device=like.device)
    for size in range(n):  # a new entry at each place, the larger ones move up
        first = torch.arange(size + 1, device=like.device).repeat_interleave(len(orders)).unsqueeze(-1)
        rest = orders.repeat(size + 1, 1)
        orders = torch.cat([first, rest + (rest >= first)], -1)
    return orders.to(like.dtype)


def samples(law: Atoms, n: int) -> tuple[Tensor, Tensor]:
    """All samples of n independent draws from a law of k atoms: values `(batch, k^n, n)`, probabilities `(batch, k^n)`.

    `(p * f(x)).sum(-1)` is E f(X_1, ..., X_n), exactly.

    Raises
    ------
    ClaimError
        If there are more than 2^17, or the law has no atoms.
    """
    if not isinstance(law, Atoms):
        raise ClaimError(f"every.samples takes a law with atoms, `forall.law`, got {type(law).__name__}.")
    batch, k = law.weights.shape
    index = vectors(k, n, like=law.weights).long()
    values = law.atoms.expand(batch, k)[:, index]
    return values, law.weights[:, index].prod(-1)


def _limited(what: str, count: int) -> None:
    if count > MOST:
        raise ClaimError(f"there are {count:,} {what}, more than {MOST:,}: take fewer, or use `draw`.")
