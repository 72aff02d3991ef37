"""Rates at which the excess risk of kernel ridge regression on periodic splines decays, and their dimensions."""

import math


def theorem_exponent(regularisation_exponent: float) -> float:
    """Exponent of n that the worst-case theorem promises for the excess risk.

    ``-min(a, 1/2)`` for ``lambda = n^{-a}``: the bound is ``4 lambda + O(n^{-1/2})``.

    Parameters
    ----------
    regularisation_exponent : float
        a > 0.

    Raises
    ------
    ValueError
        If a is not positive.

    Source: uarff Theorem 9.
    """
    _check_positive("the exponent a of lambda = n^-a", regularisation_exponent)
    return -min(regularisation_exponent, 0.5)


def spline_ridge_exponent(regularisation_exponent: float, order: float, smoothness: float) -> float:
    """Exponent of n at which kernel ridge regression on splines actually learns a spline.

    ``-min(a min(2, (2 t - 1)/(2 r)), 1 - a/(2 r))`` for ``lambda = n^{-a}``, eigenvalues ``m^{-2 r}`` and regression
    function ``k_t(., x_0)``: the smaller exponent of the squared bias (saturated at ``lambda^2``) and of the variance
    ``d_K / n``.

    Parameters
    ----------
    regularisation_exponent : float
        a > 0.
    order : float
        r > 1/2; features are ``k_r``, the kernel is ``k_{2r}``.
    smoothness : float
        t > 1/2; the function lies in the kernel's space if and only if t > r + 1/2.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Source: uarff Figure 1 (which shows only the edge t close to r + 1/2); our derivation.
    """
    _check_positive("the exponent a of lambda = n^-a", regularisation_exponent)
    for name, value in (("the order r", order), ("the smoothness t", smoothness)):
        if not value > 0.5:
            raise ValueError(f"{name} is {value}, but must exceed 1/2 for a continuous function")
    bias = regularisation_exponent * min(2.0, (2 * smoothness - 1) / (2 * order))
    variance = 1 - regularisation_exponent / (2 * order)
    return -min(bias, variance)


def spline_effective_dimension(order: float, regularisation: float) -> float:
    """Effective dimension of the periodic spline kernel under the uniform distribution.

    ``1/(1 + lambda) + 2 sum_{m >= 1} 1/(1 + lambda m^{2 r})``: the kernel ``1 + 2 sum m^{-2r} cos`` has the eigenvalue
    1 once and ``m^{-2r}`` twice. Summed directly up to where a term is below 1e-4, the rest by the midpoint rule
    with its first correction; relative error below 1e-12.

    Parameters
    ----------
    order : float
        r >= 1.
    regularisation : float
        lambda in [1e-8, infinity).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Source: uarff Section 5.
    """
    if not order >= 1:
        raise ValueError(f"the order r is {order}, but must be at least 1 for the sum to be short: choose r >= 1")
    if not 1e-8 <= regularisation < math.inf:
        raise ValueError(f"lambda is {regularisation}, but must be finite and at least 1e-8 for the sum to be short")
    power = 2 * order
    last = max(1000, math.ceil((1e4 / regularisation) ** (1 / power)))
    head = math.fsum(1 / (1 + regularisation * m**power) for m in range(1, last + 1))
    edge = last + 0.5
    tail = sum((-1) ** (j - 1) * regularisation**-j * edge ** (1 - power * j) / (power * j - 1) for j in range(1, 4))
    tail -= power * edge ** (-power - 1) / (24 * regularisation)  # slope / 24 of the terms at the edge
    return float(1 / (1 + regularisation) + 2 * (head + tail))


def _check_positive(name: str, value: float) -> None:
    if not value > 0:
        raise ValueError(f"{name} is {value}, but must be positive")
