"""Real spherical harmonics in any number of dimensions, as Appendix B.2 defines them: harmonic homogeneous polynomials.

A basis of the null space of the Laplacian on the monomials of a degree, made orthonormal by the exact integrals of
monomials over the sphere. Only what is the same for every orthonormal basis may be asked of it.
"""

import itertools
import math
from functools import cache

import numpy as np
import scipy.linalg
import torch
from numpy.typing import NDArray
from torch import Tensor

from harness.claims.placement import table


def real_harmonics(points: Tensor, degree: int) -> Tensor:
    """Orthonormal real harmonics of a degree at unit vectors: (*, n, d) -> (*, n, N(d, l))."""
    exponents, coefficients = (table(part, like=points) for part in _basis(points.shape[-1], degree))
    return (points.unsqueeze(-2) ** exponents).prod(-1) @ coefficients


def count_of_harmonics(dimension: int, degree: int) -> int:
    """Number of monomials of the degree less the rank of the Laplacian on their span."""
    laplacian = _laplacian(dimension, degree)
    return int(laplacian.shape[1]) - int(np.linalg.matrix_rank(laplacian))


def monomial_integral(exponents: tuple[int, ...]) -> float:
    """Integral of x^alpha over the area of the sphere: 2 prod Gamma((alpha_i + 1)/2) / Gamma((|alpha| + d)/2), or 0.

    Source: Folland 2001, How to integrate a polynomial over a sphere.
    """
    if any(power % 2 for power in exponents):
        return 0.0
    halves = [(power + 1) / 2 for power in exponents]
    return 2 * math.prod(math.gamma(half) for half in halves) / math.gamma(sum(halves))


@cache
def _basis(dimension: int, degree: int) -> tuple[Tensor, Tensor]:
    """Exponents (monomials, d) and coefficients (monomials, N(d, l))."""
    monomials = _monomials(dimension, degree)
    null = scipy.linalg.null_space(_laplacian(dimension, degree))
    products = [[monomial_integral(tuple(np.add(a, b).tolist())) for b in monomials] for a in monomials]
    factor = np.linalg.cholesky(null.T @ np.array(products) @ null)
    coefficients = scipy.linalg.solve_triangular(factor, null.T, lower=True).T
    return torch.tensor(monomials, dtype=torch.float64), torch.tensor(coefficients)


def _laplacian(dimension: int, degree: int) -> NDArray[np.float64]:
    """Of the monomials of a degree, by those of two degrees less; one row of zeros where there are none."""
    monomials = _monomials(dimension, degree)
    rows = {monomial: row for row, monomial in enumerate(_monomials(dimension, degree - 2))}
    laplacian = np.zeros((max(len(rows), 1), len(monomials)))
    for column, monomial in enumerate(monomials):
        for axis, power in enumerate(monomial):
            if power > 1:
                reduced = (*monomial[:axis], power - 2, *monomial[axis + 1 :])
                laplacian[rows[reduced], column] += power * (power - 1)
    return laplacian


def _monomials(dimension: int, degree: int) -> list[tuple[int, ...]]:
    """Exponents of the monomials of a degree; none of a negative one."""
    powers = itertools.product(range(degree + 1), repeat=dimension)
    return [monomial for monomial in powers if sum(monomial) == degree]
