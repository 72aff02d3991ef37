"""Exact empirical Rademacher complexities by enumeration of all signs."""

import torch
from torch import Tensor

from algos._cholesky import check_square
from algos._domains import AnyTensor, Enumerable, Kernel
from signatures.checked import checked

_MOST_POINTS = 16


@checked
def unit_ball_rademacher_complexity(kernel: Kernel) -> Tensor:
    """Empirical Rademacher complexity of the unit ball of a reproducing kernel Hilbert space, exactly.

    ``E_sigma sup_{|f| <= 1} |(2/n) sum_i sigma_i f(x_i)| = (2/n) E_sigma sqrt(sigma^T K sigma)``, by the reproducing
    property and Cauchy-Schwarz; the mean runs over all 2^{n-1} sign vectors up to a common sign. Where
    ``sigma^T K sigma`` is not positive (a singular K, to rounding) it counts as zero, with derivative zero.

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, n between 1 and 16.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If the kernel is not square or n is out of range.

    References
    ----------
    uarff Definition 1 (factor 2 and absolute value), Lemma 2.
    """
    check_square("the kernel matrix", kernel)
    n = kernel.shape[-1]
    signs = all_signs(n, like=kernel)
    squares = ((signs @ kernel) * signs).sum(-1)
    positive = squares > 0
    roots = torch.where(positive, torch.where(positive, squares, torch.ones_like(squares)).sqrt(), 0.0)
    complexity: Tensor = 2 / n * roots.mean(-1)
    return complexity


@checked
def all_signs(n: Enumerable, *, like: AnyTensor) -> Tensor:
    """All sign vectors up to a common sign: one of each pair sigma, -sigma.

    Parameters
    ----------
    n : int
        Between 1 and 16.
    like : Tensor
        Gives dtype and device.

    Returns
    -------
    Tensor (2^{n-1}, n)

    Raises
    ------
    ValueError
        If n is out of range.

    References
    ----------
    uarff Definition 1 (the expectation over Rademacher variables, as a mean).
    """
    if not 1 <= n <= _MOST_POINTS:
        raise ValueError(f"n is {n}, but all sign vectors are enumerated: pass between 1 and {_MOST_POINTS} points")
    codes = torch.arange(2 ** (n - 1), device=like.device)
    bits = codes.unsqueeze(-1).bitwise_right_shift(torch.arange(n, device=like.device)) & 1
    return 1 - 2 * bits.to(like.dtype)
