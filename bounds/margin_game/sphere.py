"""Spherical harmonics on the unit sphere S^(d-1) of R^d: how many there are, and how large they get.

Y_(l,m) of degree l, m = 1, ..., N(d, l), orthonormal for the surface measure: the sum over m of |Y_(l,m)(x)|^2 is
N(d, l) / |S^(d-1)| at every x. Multiplied by sqrt(|S^(d-1)|) they are orthonormal for the uniform probability.
"""

import math

from bounds._ranges import Degree, SphereDimension
from signatures.checked import checked
from signatures.numbers import NonNegative, Real


@checked
def printed_harmonic_dimension(ambient_dimension: SphereDimension, degree: Degree) -> int:
    """Printed number of spherical harmonics of degree l: binom(d-1+l, l) - binom(d-1+l, l-2).

    Wrong from l = 3 on for d = 3, where it counts 5, 0, -14 instead of 7, 9, 11; a misprint in the second binomial.

    Parameters
    ----------
    ambient_dimension : int
        d >= 2.
    degree : int
        l >= 0.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If d is below 2 or l is negative.

    References
    ----------
    nsrf Appendix B.1.
    """
    top = ambient_dimension - 1 + degree
    return math.comb(top, degree) - (math.comb(top, degree - 2) if degree > 1 else 0)


@checked
def harmonic_dimension(ambient_dimension: SphereDimension, degree: Degree) -> int:
    """Number of spherical harmonics of degree l: N(d, l) = binom(d+l-1, l) - binom(d+l-3, l-2).

    Homogeneous polynomials of degree l in d variables, less those that |x|^2 divides; 2 l + 1 for d = 3.

    Parameters
    ----------
    ambient_dimension : int
        d >= 2.
    degree : int
        l >= 0.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If d is below 2 or l is negative.

    References
    ----------
    nsrf Appendix B.1, corrected.
    """
    top = ambient_dimension + degree - 1
    return math.comb(top, degree) - (math.comb(top - 2, degree - 2) if degree > 1 else 0)


@checked
def surface_area(ambient_dimension: SphereDimension) -> float:
    """Surface area of the unit sphere S^(d-1) of R^d: 2 pi^(d/2) / Gamma(d/2).

    Parameters
    ----------
    ambient_dimension : int
        d >= 2.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If d is below 2.

    References
    ----------
    nsrf eq. (8).
    """
    half = ambient_dimension / 2
    return 2 * math.exp(half * math.log(math.pi) - math.lgamma(half))


@checked
def printed_harmonic_potential_bound(total_mass: NonNegative) -> Real:
    """Printed bound on |int Y_(l,m) d(P - Q)|^2 on the sphere: (P + Q)^2.

    False from degree 6 on for d = 3: at a pole |Y_(l,0)|^2 = (2 l + 1) / (4 pi) > 1.

    Parameters
    ----------
    total_mass : float or array
        P + Q >= 0, of both classes.

    Returns
    -------
    float or array

    References
    ----------
    nsrf Section 3.1.
    """
    return total_mass**2


@checked
def harmonic_potential_bound(total_mass: NonNegative, ambient_dimension: SphereDimension, degree: Degree) -> Real:
    """Bound on |int Y_(l,m) d(P - Q)|^2 on the sphere: (P + Q)^2 N(d, l) / |S^(d-1)|.

    Attained at a pole by the harmonic that is a function of the height.

    Parameters
    ----------
    total_mass : float or array
        P + Q >= 0, of both classes.
    ambient_dimension : int
        d >= 2.
    degree : int
        l >= 0.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If d is below 2 or l is negative.

    References
    ----------
    nsrf Section 3.1, corrected.
    """
    return total_mass**2 * harmonic_dimension(ambient_dimension, degree) / surface_area(ambient_dimension)
