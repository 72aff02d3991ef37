"""Periodic spline kernels of any order, ridge regression on spline features, and its exact excess risk."""

import math
from collections.abc import Sequence
from functools import lru_cache

import mpmath
import torch
from torch import Tensor

from algos._cholesky import broadcast_batch
from algos._domains import AnyTensor, Coefficients, PositiveBatch, RealBatch, SplineOrder, SplineSmoothness, Vector
from algos.ridge._piecewise import piecewise_moments
from algos.ridge.regression import feature_ridge_from_moments
from signatures.checked import checked

_BLOCK_ELEMENTS = 2**17
"""Features held at a time: one block stays in a second-level cache."""

_KERNEL_ELEMENTS = 2**15
"""Kernel values computed at a time: the passes over them stay in a second-level cache."""

_NEGLIGIBLE = 2.0**-60
_NEAREST_ODD_ORDER = 1e-3


@checked
def spline_kernel(offsets: AnyTensor, order: SplineOrder) -> Tensor:
    """Periodic spline kernel.

    ``k_r(u) = 1 + 2 sum_{m >= 1} m^{-r} cos(2 pi m u)``, by the expansion of the polylogarithm on the unit circle
    (even orders: a Bernoulli polynomial), without truncation; relative error near the machine precision. Spline kernels
    multiply as Fourier multipliers: ``int_0^1 k_r(v - x) k_t(v - y) dv = k_{r+t}(x - y)``.

    Parameters
    ----------
    offsets : Tensor (any shape)
        Differences of points; the kernel has period 1 and is even.
    order : float
        r > 1 (the series diverges at 0 otherwise), and not within 0.001 of an odd integer unless equal to it.

    Returns
    -------
    Tensor (shape of offsets)

    Raises
    ------
    ValueError
        If the order is out of range.

    References
    ----------
    uarff Section 5. The paper prints ``1 + sum m^{-2r} cos`` for ``k_{2r}`` and claims the product rule, which needs
    the factor 2 used here; eigenvalues are then ``m^{-r}``, each twice.
    """
    expansion = _expansion(float(order))
    if torch.is_grad_enabled() and offsets.requires_grad:
        return _evaluate(offsets, *expansion, in_place=False)
    flat = offsets.reshape(-1)
    value = torch.empty_like(flat)
    for first in range(0, len(flat), _KERNEL_ELEMENTS):
        some = slice(first, first + _KERNEL_ELEMENTS)
        value[some] = _evaluate(flat[some], *expansion, in_place=True)
    return value.reshape(offsets.shape)


def _evaluate(
    offsets: Tensor, polynomial: Sequence[float], power: float, coefficient: float, logarithm: float, *, in_place: bool
) -> Tensor:
    """The expansion; in place unless autograd must remember the intermediate results."""
    distance = (offsets - offsets.round()).abs()
    square = distance.square()
    value: Tensor = torch.full_like(distance, polynomial[-1])
    for term in reversed(polynomial[:-1]):
        value = value.mul_(square).add_(term) if in_place else value * square + term
    singular = distance if power == 1 else distance**power
    correction = logarithm * torch.special.xlogy(singular, distance) if logarithm else coefficient * singular
    result: Tensor = value + correction
    return result


@checked
def spline_features(points: Vector, centres: Coefficients, order: SplineOrder) -> Tensor:
    """Spline features of the points.

    ``z(v, x) = k_r(v - x)``; with v uniform on [0, 1] their kernel is ``k_{2r}``.

    Parameters
    ----------
    points : Tensor (*batch, n)
    centres : Tensor (*batch, s)
    order : float
        r, as in `spline_kernel`.

    Returns
    -------
    Tensor (*batch, n, s)

    References
    ----------
    uarff Section 5.
    """
    return spline_kernel(points.unsqueeze(-1) - centres.unsqueeze(-2), order)


@checked
def spline_ridge_coefficients(
    points: Vector, centres: Coefficients, targets: Vector, *, order: SplineOrder, ridge: PositiveBatch
) -> Tensor:
    """Coefficients of ridge regression on spline features.

    ``beta = (Z^T Z + s n lambda I)^{-1} Z^T Y`` with ``Z_ij = k_r(v_j - x_i)``; memory as for `spline_moments`.

    Parameters
    ----------
    points : Tensor (*batch, n)
    centres : Tensor (*batch, s)
    targets : Tensor (*batch, n)
    order : float
        r, as in `spline_kernel`.
    ridge : float or Tensor (*batch,)
        The product n lambda > 0.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the shapes do not fit together, the order is out of range or the ridge is negative.

    References
    ----------
    uarff eq. 7 and Section 5.
    """
    gram, moments = spline_moments(points, centres, targets, order=order)
    return feature_ridge_from_moments(gram, moments, ridge)


@checked
def spline_moments(
    points: Vector, centres: Coefficients, targets: Vector, *, order: SplineOrder
) -> tuple[Tensor, Tensor]:
    """Sums over the sample that ridge regression on spline features needs.

    ``Z^T Z`` and ``Z^T Y`` with ``Z_ij = k_r(v_j - x_i)``. Without gradients Z is never stored: for even r and many
    points the features are polynomials between the centres and the cost is O(n r + s^3 r) per fit, otherwise Z is
    formed block by block in O(n s^2).

    Parameters
    ----------
    points : Tensor (*batch, n)
    centres : Tensor (*batch, s)
    targets : Tensor (*batch, n)
    order : float
        r, as in `spline_kernel`.

    Returns
    -------
    tuple of Tensor (*batch, s, s)
        (*batch, s).

    Raises
    ------
    ValueError
        If points and targets differ in number or the order is out of range.

    References
    ----------
    uarff eq. 7 and Section 5.
    """
    if points.shape[-1] != targets.shape[-1]:
        raise ValueError(
            f"there are {points.shape[-1]} points and {targets.shape[-1]} targets, but each point needs one target"
        )
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in (points, centres, targets)):
        features = spline_features(points, centres, order)
        return features.mT @ features, (features.mT @ targets.unsqueeze(-1)).squeeze(-1)
    batch = broadcast_batch(points.shape[:-1], centres.shape[:-1], targets.shape[:-1])
    n, s = points.shape[-1], centres.shape[-1]
    flat_points, flat_targets = (tensor.expand(*batch, n).reshape(-1, n) for tensor in (points, targets))
    flat_centres = centres.expand(*batch, s).reshape(-1, s)
    piecewise = order % 2 == 0 and 2 * (order + 1) * (s + 1) < n
    sums = _sums_between_knots if piecewise else _sums_over_rows
    gram, moments = sums(flat_points, flat_centres, flat_targets, order)
    return gram.reshape(*batch, s, s), moments.reshape(*batch, s)


def _sums_between_knots(points: Tensor, centres: Tensor, targets: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """Even orders and many points: on 0 <= u <= 1 the kernel is a polynomial in |u|."""
    even, power, coefficient, _ = _expansion(float(order), reach=1.0)
    polynomial = [0.0] * (round(order) + 1)
    polynomial[: 2 * len(even) : 2] = even
    polynomial[round(power)] += coefficient
    while abs(polynomial[-1]) < _NEGLIGIBLE:
        polynomial.pop()
    fits = max(1, _BLOCK_ELEMENTS // max(points.shape[-1], len(polynomial) * centres.shape[-1] ** 2))
    parts = []
    for first in range(0, points.shape[0], fits):
        x, v, y = (tensor[first : first + fits] for tensor in (points, centres, targets))
        parts.append(piecewise_moments(x - x.floor(), v - v.floor(), y, polynomial))
    return torch.cat([gram for gram, _ in parts]), torch.cat([moments for _, moments in parts])


def _sums_over_rows(points: Tensor, centres: Tensor, targets: Tensor, order: float) -> tuple[Tensor, Tensor]:
    """Features block by block."""
    (fits, n), s = points.shape, centres.shape[-1]
    gram, moments = points.new_zeros(fits, s, s), points.new_zeros(fits, s)
    rows = max(1, min(n, _BLOCK_ELEMENTS // s))
    together = max(1, _BLOCK_ELEMENTS // (rows * s))
    for first in range(0, fits, together):
        some = slice(first, first + together)
        for row in range(0, n, rows):
            block = slice(row, row + rows)
            features = spline_features(points[some, block], centres[some], order)
            gram[some] += features.mT @ features
            moments[some] += (features.mT @ targets[some, block].unsqueeze(-1)).squeeze(-1)
    return gram, moments


@checked
def spline_excess_risk(
    coefficients: Coefficients,
    centres: Coefficients,
    *,
    order: SplineSmoothness,
    smoothness: SplineSmoothness,
    origin: RealBatch,
) -> Tensor:
    """Exact excess risk of a combination of spline features when the regression function is a spline kernel.

    ``int_0^1 (sum_j beta_j k_r(v_j - x) - k_t(x - x_0))^2 dx
    = beta^T [k_{2r}(v_i - v_j)] beta - 2 beta^T [k_{r+t}(v_j - x_0)] + k_{2t}(0)``, Parseval's sum over all Fourier
    modes in closed form, for x uniform on [0, 1]; nothing is truncated. Rounding leaves an absolute error of about the
    machine precision times ``(sum |beta_j|)^2 + 1``.

    Parameters
    ----------
    coefficients, centres : Tensor (*batch, s)
    order, smoothness : float
        r and t; ``2 r``, ``r + t`` and ``2 t`` must be orders that `spline_kernel` accepts.
    origin : float or Tensor (*batch,)
        x_0.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If an order is out of range.

    References
    ----------
    uarff Section 5, Figure 1.
    """
    gram = spline_kernel(centres.unsqueeze(-1) - centres.unsqueeze(-2), 2 * order)
    start = torch.as_tensor(origin, dtype=centres.dtype, device=centres.device)
    cross = spline_kernel(centres - start.unsqueeze(-1), order + smoothness)
    fitted = (gram @ coefficients.unsqueeze(-1)).squeeze(-1)
    (height, *_), *_ = _expansion(2.0 * smoothness)  # k_2t(0), or a refusal
    return (coefficients * (fitted - 2 * cross)).sum(-1) + height


@lru_cache(maxsize=64)
def _expansion(order: float, reach: float = 0.5) -> tuple[tuple[float, ...], float, float, float]:
    """Polynomial in u^2, then exponent, coefficient and log-coefficient of the singular term, for 0 <= u <= reach.

    With ``theta = 2 pi u``: ``sum m^{-r} cos(m theta) = pi theta^{r-1} / (2 Gamma(r) cos(pi r / 2))
    + sum_k (-1)^k zeta(r - 2k) theta^{2k} / (2k)!``; for odd r the term ``2k = r - 1`` and the singular one have the
    common limit ``(-1)^k theta^{2k} (H_{2k} - log theta) / (2k)!``.
    """
    gap = abs(math.remainder(order - 1, 2)) if math.isfinite(order) else math.nan
    if not order > 1 or math.isnan(gap) or 0 < gap < _NEAREST_ODD_ORDER:
        raise ValueError(
            f"the spline order is {order}, but must exceed 1 and keep {_NEAREST_ODD_ORDER} away from odd integers "
            "other than itself: choose another order"
        )
    terms = round(order) // 2 if order % 2 == 0 else 30 + math.ceil(order / 2)
    with mpmath.workdps(40):
        exact, turn = mpmath.mpf(order), 2 * mpmath.pi
        scale = [2 * (-1) ** k * turn ** (2 * k) / mpmath.factorial(2 * k) for k in range(terms + 1)]
        middle = (round(order) - 1) // 2 if gap == 0 else -1
        factor = [
            mpmath.harmonic(2 * k) - mpmath.log(turn) if k == middle else mpmath.zeta(exact - 2 * k)
            for k in range(terms + 1)
        ]
        polynomial = [float(s * f + (k == 0)) for k, (s, f) in enumerate(zip(scale, factor, strict=True))]
        while len(polynomial) > 1 and abs(polynomial[-1]) * reach ** (2 * len(polynomial) - 2) < _NEGLIGIBLE:
            polynomial.pop()
        if middle >= 0:
            return tuple(polynomial), order - 1, 0.0, float(-scale[middle])
        coefficient = mpmath.pi * turn ** (exact - 1) / (mpmath.gamma(exact) * mpmath.cos(mpmath.pi * exact / 2))
        return tuple(polynomial), order - 1, float(coefficient), 0.0
