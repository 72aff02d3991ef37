"""Spherical harmonics as Appendix B recalls them: how many there are, their sum over a degree, their conjugates."""

from functools import lru_cache

import numpy as np
import scipy.special
import torch
from torch import Tensor

from algos.sphere.harmonics import conjugate_index, harmonic_indices, spherical_harmonics
from algos.sphere.zonal import zonal_polynomials
from bounds.margin_game.sphere import harmonic_dimension, printed_harmonic_dimension, surface_area
from harness import Forall, claim, grid, identity
from harness.claims.nsrf import symbols
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics, explicit_indices
from harness.claims.nsrf.harmonic_polynomials import count_of_harmonics, real_harmonics
from harness.claims.placement import table

COMPLEX_PARTS = ["real", "imaginary"]


@claim(
    "nsrf/eq-8",
    identity(),
    over=grid(d=[3], degree=[0, 1, 3, 8]) + grid(d=[2, 4, 5], degree=[1, 3]),
    cite="nsrf, equation (8)",
    reading="corrected",
    sizes="d = 3, degrees 0, 1, 3 and 8; d = 2, 4 and 5, degrees 1 and 3",
)
def harmonics_of_a_degree_add_up_to_a_zonal_polynomial(forall: Forall, *, d: int, degree: int):
    """P_l(<x, x'>) = (area / N(d, l)) sum over m of Y_lm(x) conj Y_lm(x'), with the letters put right.

    For d = 3 the factor is 4 pi / (2 l + 1). One letter is m on the left and l on the right of the printed sum, in the
    paper or in our copy: the degree stands on the left, the order runs on the right.
    """
    x, other = forall.sphere("x", 1, d), forall.sphere("x'", 1, d)
    harmonics = [harmonics_of_degree(point, degree)[..., 0, :] for point in (x, other)]
    total = (harmonics[0] * harmonics[1].conj()).real.sum(-1)
    cosine = (x * other).sum((-2, -1))
    return zonal_polynomials(cosine, degree, d)[..., degree], surface_area(d) / harmonic_dimension(d, degree) * total


def harmonics_of_degree(points: Tensor, degree: int) -> Tensor:
    """Orthonormal harmonics of a degree, (*, n, d) -> (*, n, N(d, l)): complex ones for d = 3, real ones otherwise."""
    if points.shape[-1] == 3:
        return spherical_harmonics(points, degree)[..., degree**2 :]
    return real_harmonics(points, degree)


@claim(
    "nsrf/N-d-l",
    identity(),
    over=grid(d=[2, 3, 4], degree=[0, 1, 2, 3, 5]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix B.1, N(d, l) below equation (8)",
    quote="N(d, l) = binom(d-1+l, l) - binom(d-1+l, l-2)",
    defect=symbols.NUMBER_OF_HARMONICS,
)
def number_of_harmonics_as_printed(*, d: int, degree: int):
    """binom(d-1+l, l) - binom(d-1+l, l-2) is the number of harmonics of degree l in d dimensions.

    A misprint in the second binomial, in the paper or in our copy: its upper entry is d - 3 + l. Right up to l = 2; for
    d = 3, l = 3 it gives 5 instead of 7. No algorithm and no other statement uses the formula.
    """
    return printed_harmonic_dimension(d, degree), count_of_harmonics(d, degree)


@claim(
    "nsrf/N-d-l",
    identity(),
    over=grid(d=[2, 3, 4], degree=[0, 1, 2, 3, 5]) + grid(d=[3], degree=[10]),
    reading="corrected",
    cite="nsrf, Appendix B.1, with binom(d-3+l, l-2)",
    sizes="d = 2, 3 and 4, degrees up to 10",
)
def number_of_harmonics(*, d: int, degree: int):
    """binom(d-1+l, l) - binom(d-3+l, l-2) is the number of harmonics of degree l in d dimensions.

    Right: the nullity of the Laplacian on the homogeneous polynomials of degree l, as Appendix B.2 defines them.
    """
    return harmonic_dimension(d, degree), count_of_harmonics(d, degree)


@claim(
    "nsrf/B.2",
    identity(),
    over=grid(degree=[1, 3], part=["real"]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix B.2, last display",
    quote="When f is real-valued, we conclude that lambda_(-omega) = -lambda_omega, as claimed.",
    defect=symbols.OPPOSITE_COEFFICIENTS,
)
def coefficients_of_opposite_harmonics_as_printed(forall: Forall, *, degree: int, part: str):
    """Real functions on the sphere have coefficients lambda_(-w) = -lambda_w, with Y_(-w) = conj Y_w.

    A misprint, in the paper or in our copy: one clause earlier the text has conj lambda_w, and "as claimed" means the
    symmetry of Theorem 2.2. With the minus it is wrong for the real part, and for every real coefficient, as f = 1
    shows. What Theorem 2.2 needs of a kernel is true, as its coefficients depend on the degree alone.
    """
    opposite, coefficient = _opposite_coefficients(forall, 3, degree)
    return _part(opposite, part), _part(-coefficient, part)


@claim(
    "nsrf/B.2",
    identity(),
    over=grid(d=[2, 5], degree=[1], part=COMPLEX_PARTS) + grid(d=[3, 4], degree=[3], part=["imaginary"]),
    reading="corrected",
    cite="nsrf, Appendix B.2, with the conjugate",
    sizes="d = 2 to 5, degrees 1 and 3; sums of three zonal monomials, which span all polynomials of the degree",
)
def coefficients_of_opposite_harmonics(forall: Forall, *, d: int, degree: int, part: str):
    """Real functions on the sphere have coefficients lambda_(-w) = conj lambda_w, with Y_(-w) = conj Y_w.

    For f with complex values this needs the coefficient of conj f on the right.
    """
    opposite, coefficient = _opposite_coefficients(forall, d, degree)
    return _part(opposite, part), _part(coefficient.conj(), part)


def _opposite_coefficients(forall: Forall, d: int, degree: int) -> tuple[Tensor, Tensor]:
    """<f, Y_(-w)> and <f, Y_w> for f = sum_i c_i <z_i, x>^l and any w = (l_1, ...), by a quadrature exact for them."""
    centres, weights = forall.sphere("centres", 3, d), forall.interval("weights", -1.0, 1.0, 3)
    indices = explicit_indices(d, degree)
    position = forall.integers("position", 0, len(indices) - 1).to(torch.int64)
    nodes, areas = (table(part, like=weights) for part in sphere_quadrature(degree, d))
    values = ((centres @ nodes.mT) ** degree * weights.unsqueeze(-1)).sum(-2)
    conjugates = explicit_harmonics(nodes, degree).conj().mT
    opposite = table([indices.index((-index[0], *index[1:])) for index in indices], like=position)
    integrals = [(areas * values * conjugates[where]).sum(-1) for where in (opposite[position], position)]
    return integrals[0], integrals[1]


def _part(number: Tensor, part: str) -> Tensor:
    return number.real if part == "real" else number.imag


@claim(
    "nsrf/B.2-involution",
    identity(),
    over=grid(degree=[4], part=COMPLEX_PARTS),
    cite="nsrf, Appendix B.2",
    restricts="d = 3, degree 4; harmonics with the phase of Condon and Shortley, as our library has them",
)
def opposite_harmonics_are_conjugate(forall: Forall, *, degree: int, part: str):
    """With the Condon-Shortley phase conj Y_(l,m) = (-1)^m Y_(l,-m), and (l, m) -> (l, -m) is an involution.

    Most programs give Y with that phase; in the convention without it Y_(-w) = conj Y_w, as printed. Squared moduli do
    not see the sign.
    """
    point = forall.sphere("x", 1, 3)
    position = forall.integers("position", degree**2, (degree + 1) ** 2 - 1).to(torch.int64).unsqueeze(-1)
    harmonics = spherical_harmonics(point, degree)[..., 0, :]
    index = harmonic_indices(degree, device=point.device)[position.squeeze(-1)]
    opposite = conjugate_index(index)
    again = (opposite[..., 0] ** 2 + opposite[..., 0] + opposite[..., 1]).unsqueeze(-1)
    sign = 1 - 2 * (index[..., 1] % 2)
    pair = [harmonics.gather(-1, where).squeeze(-1) for where in (position, again)]
    return _part(pair[0].conj(), part), _part(sign * pair[1], part)


@claim(
    "nsrf/B.2-explicit",
    identity(),
    over=grid(d=[2], degree=[4], part=["real"])
    + grid(d=[3, 4], degree=[2], part=["real"])
    + grid(d=[4, 5], degree=[1], part=["imaginary"]),
    reading="corrected",
    cite="nsrf, Appendix B.2, the product of Legendre functions, with l_(k-1) above",
    sizes="d = 2 to 5, degrees 1, 2 and 4",
)
def separated_harmonics_are_a_basis(forall: Forall, *, d: int, degree: int, part: str):
    """(2 pi)^(-1/2) exp(i l_1 theta_1) times the product of k P_(l_k)^(l_(k-1))(theta_k) is an orthonormal basis.

    Of a degree, over |l_1| <= l_2 <= ... <= l_(d-1) = l: their sum over the indices, with the area over their number,
    is P_l(<x, x'>), which it is for orthonormal bases of the harmonics of the degree and for nothing else. The printed
    upper index l_(d-1), in the paper or in our copy, belongs to the next lower degree l_(k-1), as in the construction
    by Higuchi that the paper adopts: read to the letter an order would exceed its degree.
    """
    x, other = forall.sphere("x", 1, d), forall.sphere("x'", 1, d)
    first, second = (explicit_harmonics(point, degree)[..., 0, :] for point in (x, other))
    total = surface_area(d) / len(explicit_indices(d, degree)) * (first * second.conj()).sum(-1)
    zonal = zonal_polynomials((x * other).sum((-2, -1)), degree, d)[..., degree]
    return _part(total, part), _part(torch.complex(zonal, torch.zeros_like(zonal)), part)


@claim(
    "nsrf/B.2-conjugate",
    identity(),
    over=grid(d=[2, 5], degree=[1], part=["imaginary"]) + grid(d=[3, 4], degree=[3], part=COMPLEX_PARTS),
    cite="nsrf, Appendix B.2, the permutation sigma",
    sizes="d = 2 to 5, degrees 1 and 3",
)
def first_index_pairs_the_harmonics(forall: Forall, *, d: int, degree: int, part: str):
    """Y_(-l_1, l_2, ..., l_(d-1)) = conj Y_(l_1, ..., l_(d-1)) in d dimensions, for the explicit harmonics.

    So changing the sign of l_1 is the involution; in a convention with a phase a sign appears (nsrf/B.2-involution).
    """
    point, indices = forall.sphere("x", 1, d), explicit_indices(d, degree)
    position = forall.integers("position", 0, len(indices) - 1).to(torch.int64)
    opposite = table([indices.index((-index[0], *index[1:])) for index in indices], like=position)
    values = explicit_harmonics(point, degree)[..., 0, :]
    pair = [values.gather(-1, where.unsqueeze(-1)).squeeze(-1) for where in (opposite[position], position)]
    return _part(pair[0], part), _part(pair[1].conj(), part)


@claim(
    "nsrf/eq-3-sphere",
    identity(),
    over=grid(d=[2], J=[3]) + grid(d=[3, 4], J=[2]),
    cite="nsrf, below equation (3): the analogous result holds for spherical harmonics",
    sizes="d = 2, 3 and 4, all harmonics up to degrees 2 and 3",
    restricts="harmonics; frequencies are under nsrf/eq-3",
)
def real_harmonics_preserve_the_inner_product(forall: Forall, *, d: int, J: int):
    """The sum of lambda Y conj Y' over all harmonics is the product of features sqrt(2 lambda) (Re, Im) Y of pairs.

    lambda is symmetric; one harmonic of each pair has features. Where l_1 = 0 a harmonic is real and its own opposite:
    there the feature is sqrt(lambda) Y, without the factor sqrt 2 of nsrf/eq-3.
    """
    points, indices = forall.sphere("x and x'", 2, d), [i for ell in range(J + 1) for i in explicit_indices(d, ell)]
    pairs = [index for index in indices if index[0] >= 0]
    masses = forall.simplex("lambda of both", len(pairs))
    shares = table([0.5 if index[0] else 1.0 for index in indices], like=masses)
    dual = masses[..., [pairs.index((abs(index[0]), *index[1:])) for index in indices]] * shares
    every, half = (
        torch.cat([explicit_harmonics(points, ell, pairs=kept) for ell in range(J + 1)], -1) for kept in (False, True)
    )
    kernel = (dual * (every[..., 0, :] * every[..., 1, :].conj()).real).sum(-1)
    features = torch.cat([half.real, half.imag], -1) * torch.cat([masses, masses], -1).sqrt().unsqueeze(-2)
    return kernel, (features[..., 0, :] * features[..., 1, :]).sum(-1)


@lru_cache
def sphere_quadrature(degree: int, d: int = 3) -> tuple[Tensor, Tensor]:
    """Nodes (k, d) and areas (k,) that integrate polynomials up to degree 2 L over the sphere of R^d exactly.

    Equal steps on the circle, then Gauss-Gegenbauer in each further height t, where a slice has the radius
    (1 - t^2)^(1/2) and the weight (1 - t^2)^((d - 3)/2).
    """
    angles = 2 * np.pi / (2 * degree + 1) * np.arange(2 * degree + 1)
    nodes = np.stack([np.cos(angles), np.sin(angles)], -1)
    areas = np.full(len(angles), 2 * np.pi / len(angles))
    for dimension in range(3, d + 1):
        heights, widths = scipy.special.roots_gegenbauer(degree + 1, dimension / 2 - 1)
        radii = np.sqrt(1 - heights**2)
        slices = [
            np.concatenate([r * nodes, np.full((len(nodes), 1), t)], -1) for r, t in zip(radii, heights, strict=True)
        ]
        nodes, areas = np.concatenate(slices), np.multiply.outer(widths, areas).ravel()
    return torch.from_numpy(nodes), torch.from_numpy(areas)
