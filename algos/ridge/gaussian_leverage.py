"""Gaussian kernel and Gaussian inputs: eigenvalues, effective dimension and leverage of frequencies in closed form.

In d dimensions the kernel is ``exp(-|x - y|^2 / (2 ell^2))`` and the inputs are ``N(0, sigma^2 I)``. With
``a = 1 / (4 sigma^2)``, ``b = 1 / (2 ell^2)``, ``c = sqrt(a^2 + 2 a b)`` and ``A = a + b + c`` the integral operator
has the eigenvalues ``mu_k = (2 a / A)^{d/2} (b / A)^k``, each ``C(k + d - 1, d - 1)`` times. Frequencies are drawn from
``N(0, ell^{-2} I)``, and their operator has the same eigenvalues, with Hermite functions as eigenfunctions.
"""

import math

import torch
from torch import Tensor

from algos._domains import CoordinateCount, Frequencies, PositiveBatch
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size

_NEGLIGIBLE = 1e-17
_MOST_DEGREES = 100_000


@checked
def gaussian_kernel_eigenvalues(
    count: Size, *, lengthscale: PositiveFloat, input_scale: PositiveFloat, dimension: CoordinateCount = 1
) -> tuple[Tensor, Tensor]:
    """Eigenvalues of the Gaussian kernel under Gaussian inputs, by degree, and how often each occurs.

    ``mu_k = (2 a / A)^{d/2} (b / A)^k`` with multiplicity ``C(k + d - 1, d - 1)``, ``0 <= k < count``; their sum over
    all k is k(x, x) = 1.

    Parameters
    ----------
    count : int
        At least 1.
    lengthscale, input_scale : float
        Positive. ell and sigma.
    dimension : int
        At least 1.

    Returns
    -------
    tuple of Tensor (count,)
        Float64. Eigenvalues, non-increasing, and multiplicities.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    Zhu, Williams, Rohwer and Morciniec 1998, Section 4; the test bed of the claims of uarff Section 2.2.
    """
    if count < 1:
        raise ValueError(f"count is {count}, but there must be an eigenvalue: ask for at least 1")
    ratio, first = _spectrum(lengthscale, input_scale, dimension)
    degrees = torch.arange(count, dtype=torch.float64)
    return first * ratio**degrees, _multiplicities(degrees, dimension)


@checked
def gaussian_effective_dimension(
    regularisation: PositiveBatch,
    *,
    lengthscale: PositiveFloat,
    input_scale: PositiveFloat,
    dimension: CoordinateCount = 1,
) -> Tensor:
    """Effective dimension of the Gaussian kernel under Gaussian inputs.

    ``d(lambda) = sum_k C(k + d - 1, d - 1) mu_k / (mu_k + lambda)``, the limit of ``Tr K (K + n lambda I)^{-1}`` for
    many points; summed until the rest is below rounding.

    Parameters
    ----------
    regularisation : float or Tensor (*batch,)
        lambda > 0.
    lengthscale, input_scale : float
        Positive. ell and sigma.
    dimension : int
        At least 1.

    Returns
    -------
    Tensor (*batch,)
        Float64 unless lambda has another dtype.

    Raises
    ------
    ValueError
        If a parameter is out of range, or more than 100,000 degrees would be needed.

    References
    ----------
    uarff Section 2.2.
    """
    shares, multiplicities = _shares(regularisation, lengthscale, input_scale, dimension)
    return (multiplicities * shares).sum(-1)


@checked
def gaussian_leverage_density(
    frequencies: Frequencies, regularisation: PositiveFloat, *, lengthscale: PositiveFloat, input_scale: PositiveFloat
) -> Tensor:
    """Ridge leverage function of frequencies, for the Gaussian kernel under Gaussian inputs.

    The population limit of ``p(w) z_w^* (K + n lambda I)^{-1} z_w`` with ``z_w = exp(i <w, x>)``:
    ``l(w) = sum_k mu_k / (mu_k + lambda) sum_{|j| = k} prod_i psi_{j_i}(w_i)^2``, where ``psi_j`` is the orthonormal
    Hermite function of width ``(2 c')^{-1/2}``, ``c' = sqrt(a'^2 + 2 a' b')``, ``a' = ell^2 / 4`` and
    ``b' = sigma^2 / 2``. Its integral is the effective dimension; absolute error near the machine precision. Cost per
    frequency for K degrees: O(K) if d = 1, O(K^2 d) otherwise.

    Parameters
    ----------
    frequencies : Tensor (*batch, m, d)
        Angular frequencies.
    regularisation : float
        lambda > 0.
    lengthscale, input_scale : float
        Positive. ell and sigma.

    Returns
    -------
    Tensor (*batch, m)

    Raises
    ------
    ValueError
        If a parameter is out of range, or more than 100,000 degrees would be needed.

    References
    ----------
    uarff Section 2.2; checked there against the dense definition on samples.
    """
    dimension = frequencies.shape[-1]
    shares, _ = _shares(regularisation, lengthscale, input_scale, dimension)
    width = math.sqrt(lengthscale) * math.sqrt(math.hypot(lengthscale / 2, input_scale))  # without squares
    squares = width * _hermite_squares(width * frequencies, len(shares))
    by_degree = squares[..., 0, :]
    for axis in range(1, dimension):
        by_degree = _convolve(by_degree, squares[..., axis, :])
    return (by_degree * shares.to(frequencies)).sum(-1)


def _spectrum(lengthscale: float, input_scale: float, dimension: int) -> tuple[float, float]:
    for name, value in (("lengthscale", lengthscale), ("input_scale", input_scale)):
        if not 0 < value < math.inf:
            raise ValueError(f"{name} is {value}, but must be positive and finite: choose another value")
    if dimension < 1:
        raise ValueError(f"dimension is {dimension}, but points need a coordinate: give at least 1")
    ratio = lengthscale / input_scale
    if ratio > 1:
        b = 2 * (input_scale / lengthscale) ** 2  # in units of a: no square leaves float64
        total = 1 + b + math.sqrt(1 + 2 * b)
        return b / total, (2 / total) ** (dimension / 2)
    a = ratio**2 / 2  # in units of b
    total = a + 1 + math.sqrt(a**2 + 2 * a)
    return 1 / total, (2 * a / total) ** (dimension / 2)


def _multiplicities(degrees: Tensor, dimension: int) -> Tensor:
    """``C(k + d - 1, d - 1)`` as a product of d - 1 factors."""
    value = torch.ones_like(degrees)
    for i in range(1, dimension):
        value = value * (degrees + i) / i
    return value


def _shares(
    regularisation: float | Tensor, lengthscale: float, input_scale: float, dimension: int
) -> tuple[Tensor, Tensor]:
    """``mu_k / (mu_k + lambda)`` for as many degrees as matter, (*batch, K), and their multiplicities (K,)."""
    penalty = torch.as_tensor(regularisation, dtype=None if isinstance(regularisation, Tensor) else torch.float64)
    smallest = penalty.min().item() if penalty.numel() else 1.0
    if not 0 < smallest < math.inf:
        raise ValueError(f"the regularisation is {smallest}, but must be positive and finite: pass lambda > 0")
    count = _needed_degrees(smallest, *_spectrum(lengthscale, input_scale, dimension), dimension)
    eigenvalues, multiplicities = (
        values.to(penalty)
        for values in gaussian_kernel_eigenvalues(
            count, lengthscale=lengthscale, input_scale=input_scale, dimension=dimension
        )
    )
    return eigenvalues / (eigenvalues + penalty.unsqueeze(-1)), multiplicities


def _needed_degrees(penalty: float, ratio: float, first: float, dimension: int) -> int:
    """Degrees after which ``sum multiplicity mu_k / lambda``, a geometric tail, is below rounding."""
    if ratio == 0:
        return 1
    if first == 0:
        raise ValueError(
            f"dimension = {dimension} and this lengthscale make every eigenvalue 0 in float64: use a larger one"
        )
    log_negligible = math.log(_NEGLIGIBLE) + math.log(penalty) + math.log(first) - math.log(first + penalty)
    count = 1
    while count <= _MOST_DEGREES:
        growth = ratio * (1 + (dimension - 1) / (count + 1))  # of multiplicity times eigenvalue, decreasing in k
        if growth < 1:
            choices = math.lgamma(count + dimension) - math.lgamma(count + 1) - math.lgamma(dimension)
            log_rest = math.log(first) + count * math.log(ratio) + choices - math.log1p(-growth)
            if log_rest < log_negligible:
                return count
        count += max(1, count // 16)
    raise ValueError(
        f"the eigenvalue ratio {ratio} needs more than {_MOST_DEGREES} degrees: use a larger lengthscale or lambda"
    )


def _hermite_squares(arguments: Tensor, count: int) -> Tensor:
    """Squares of the first orthonormal Hermite functions; (*shape,) -> (*shape, count).

    The recursion ``h_{k+1} = sqrt(2/(k+1)) t h_k - sqrt(k/(k+1)) h_{k-1}`` runs on values rescaled at each step, with
    the logarithm of the scale beside them: ``h_0 = pi^{-1/4} exp(-t^2 / 2)`` alone underflows beyond t = 38.
    """
    log_scale = -arguments.square() / 2 - math.log(math.pi) / 4
    previous, current = torch.zeros_like(arguments), torch.ones_like(arguments)
    squares = []
    for k in range(count):
        squares.append((current * log_scale.exp()).square())
        following = math.sqrt(2 / (k + 1)) * arguments * current - math.sqrt(k / (k + 1)) * previous
        size = torch.maximum(current.abs(), following.abs()).detach()
        previous, current, log_scale = current / size, following / size, log_scale + size.log()
    return torch.stack(squares, -1)


def _convolve(left: Tensor, right: Tensor) -> Tensor:
    """Products of sequences as polynomials, cut off at their length; all terms are sums of non-negative products."""
    count = left.shape[-1]
    padded = torch.nn.functional.pad(right, (count, 0))
    return sum((left[..., k, None] * padded[..., count - k : 2 * count - k] for k in range(count)), 0 * left)
