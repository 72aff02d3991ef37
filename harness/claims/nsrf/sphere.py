"""Rotation-invariant kernels on the sphere: their expansion, their potentials, and kernels that are not invariant.

Harmonics are orthonormal for the area of the sphere, as in the paper; d = 3, if nothing else is said.
"""

import math

import torch
from torch import Tensor

from algos.kernel_learning.alignment import quadratic_alignment
from algos.sphere.harmonics import harmonic_pairs, pair_indices
from algos.sphere.zonal import zonal_polynomials
from bounds.margin_game.sphere import (
    harmonic_dimension,
    harmonic_potential_bound,
    printed_harmonic_potential_bound,
    surface_area,
)
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf import defects, symbols
from harness.claims.nsrf.harmonics import harmonics_of_degree, sphere_quadrature


@claim(
    "nsrf/thm-B.1",
    always(),
    over=grid(n=[1, 5], d=[2, 3, 5], degree=[4]),
    cite="nsrf, Theorem B.1, if",
    reading="corrected",
    sizes="d = 2, 3 and 5, degrees up to 4, one and five points",
    restricts="one direction; both are under nsrf/thm-2.2",
)
def zonal_kernels_are_positive_semidefinite(forall: Forall, *, n: int, d: int, degree: int):
    """Gegenbauer sums of <x, x'> with c_l >= 0, l = 0 included, are positive semidefinite on the sphere.

    That is 2 a'Gb <= a'Ga + b'Gb for all a, b. The printed "for all m in N^+" has to include m = 0: k = -1 is no
    kernel. The index of the polynomials on the sphere of R^d is (d - 2)/2 in Schoenberg's notation; (d - 1)/2, as
    printed, is that of the sphere of dimension d.
    """
    points, coefficients = forall.sphere("points", n, d), forall.interval("coefficients", 0.0, 1.0, degree + 1)
    gram = zonal_gram(points, points, coefficients)
    a, b = (forall.interval(name, -1.0, 1.0, n) for name in ("a", "b"))
    cross = (a * (gram @ b.unsqueeze(-1)).squeeze(-1)).sum(-1)
    return 2 * cross, quadratic_alignment(gram, a) + quadratic_alignment(gram, b)


@claim(
    "nsrf/thm-2.2",
    identity(),
    over=grid(d=[2], degree=[3]) + grid(d=[3], degree=[0, 2]) + grid(d=[4, 5], degree=[1]),
    cite="nsrf, Theorem 2.2 and Theorem B.1",
    sizes="d = 2 to 5, kernels of degree up to 3",
)
def coefficients_are_eigenvalues(forall: Forall, *, d: int, degree: int):
    """The eigenvalues of k = sum_l c_l P_l(<x, x'>) are c_l area/N(d, l): semidefinite if and only if all c_l >= 0.

    The judged quantity is the smallest eigenvalue, zero for the degrees that k lacks, of the operator on a quadrature
    exact for it; the eigenvalues are lambda(l, m), of multiplicity N(d, l). The letters of the printed sums, j outside
    and l inside, stand for l and m. The theorem speaks of kernels known to be rotation-invariant, whose lambda depends
    on l alone; symmetric lambda(l, m) >= 0 do not make a kernel rotation-invariant: nsrf/sphere-not-invariant.
    """
    coefficients = forall.interval("coefficients", -1.0, 1.0, degree + 1)
    nodes, areas = (table.to(coefficients) for table in sphere_quadrature(degree, d))
    gram = zonal_gram(nodes, nodes, coefficients)
    operator = areas.sqrt().unsqueeze(-1) * gram * areas.sqrt()
    counts = [harmonic_dimension(d, ell) for ell in range(degree + 1)]
    eigenvalues = coefficients * coefficients.new_tensor([surface_area(d) / count for count in counts])
    lowest = eigenvalues.amin(-1)
    missing = len(nodes) > sum(counts)
    return torch.linalg.eigvalsh(operator).amin(-1), lowest.clamp(max=0) if missing else lowest


@claim(
    "nsrf/eq-5",
    identity(),
    over=grid(d=[3], n=[1, 4], degree=[0, 3]) + grid(d=[2, 4, 5], n=[4], degree=[3]),
    cite="nsrf, equation (5)",
    sizes="d = 2, 3, 4 and 5, degrees 0 and 3, one and four points",
)
def alignment_is_a_sum_of_potentials(forall: Forall, *, d: int, n: int, degree: int):
    """The alignment of a rotation-invariant kernel is the sum over (l, m) of lambda(l, m) v(l, m).

    k = sum_l c_l P_l(<x, x'>) has lambda(l, m) = c_l area/N(d, l) for all N(d, l) harmonics of the degree; for d = 3
    c_l 4 pi/(2 l + 1) for all 2 l + 1 orders, of both signs.
    """
    points = forall.sphere("points", n, d)
    signed = forall.signs("labels", n) * forall.interval("weights", 0.0, 1.0, n)
    coefficients = forall.interval("coefficients", 0.0, 1.0, degree + 1)
    sizes = signed.new_tensor([surface_area(d) / harmonic_dimension(d, ell) for ell in range(degree + 1)])
    potentials = torch.stack([harmonic_potentials(points, signed, ell).sum(-1) for ell in range(degree + 1)], -1)
    alignment = quadratic_alignment(zonal_gram(points, points, coefficients), signed)
    return alignment, (coefficients * sizes * potentials).sum(-1)


@claim(
    "nsrf/l1-norm-sphere",
    identity(),
    over=grid(degree=[0, 2]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Section 2.2, rotation-invariant, with the normalisation of Appendix B.1",
    quote=(
        "It can also be verified that ||lambda_k||_(L_1(Omega)) = k(x, x), which is of course the same for all x in X."
    ),
    defect=symbols.HARMONIC_MASS,
)
def total_mass_on_the_sphere_as_printed(forall: Forall, *, degree: int):
    """The total mass of the dual measure of a rotation-invariant kernel is k(x, x) at every x.

    A matter of convention: with int |Y|^2 = 1 over the area, as the appendix sets, k = 1 has lambda(0, 0) = 4 pi.
    The statement is true for harmonics of mean square one. A lambda that depends on m, as one pair (l, +-m) has, does
    not even give a constant k(x, x).
    """
    diagonal, mass = _diagonal_and_mass(forall, 3, degree)
    return diagonal, mass


@claim(
    "nsrf/l1-norm-sphere",
    identity(),
    over=grid(d=[3], degree=[0, 2, 5]) + grid(d=[2, 4, 5], degree=[3]),
    reading="corrected",
    cite="nsrf, Section 2.2, with the area of the sphere",
    sizes="d = 3, degrees up to 5; d = 2, 4 and 5, degrees up to 3",
)
def total_mass_on_the_sphere(forall: Forall, *, d: int, degree: int):
    """The total mass of the dual measure of a rotation-invariant kernel is k(x, x) times the area of the sphere."""
    diagonal, mass = _diagonal_and_mass(forall, d, degree)
    return surface_area(d) * diagonal, mass


def _diagonal_and_mass(forall: Forall, d: int, degree: int) -> tuple[Tensor, Tensor]:
    """k(x, x) and sum over (l, m) of lambda, for a lambda that depends on the degree alone."""
    point, by_degree = forall.sphere("x", 1, d), forall.interval("lambda", 0.0, 1.0, degree + 1)
    squares = [harmonic_potentials(point, torch.ones_like(point[..., 0]), ell) for ell in range(degree + 1)]
    diagonal = torch.stack([of_degree.sum(-1) for of_degree in squares], -1)
    orders = by_degree.new_tensor([of_degree.shape[-1] for of_degree in squares])
    return (by_degree * diagonal).sum(-1), (by_degree * orders).sum(-1)


@claim(
    "nsrf/v-bound-sphere",
    always(),
    over=grid(n=[1, 3], degree=[6, 11]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Section 2.2, rotation-invariant, with the normalisation of Appendix B.1",
    quote="This function is clearly bounded pointwise by (P(X) + Q(X))^2.",
    defect=defects.HARMONIC_POTENTIAL,
)
def potential_on_the_sphere_as_printed(forall: Forall, *, n: int, degree: int):
    """Every potential v(l, m) on the sphere is at most (P(X) + Q(X))^2.

    At a pole |Y_(l,0)|^2 = (2 l + 1)/(4 pi), which exceeds one from l = 6 on: 1.0345 there, and true below. With
    harmonics of mean square one it fails from l = 1 on.
    """
    potential, mass = _largest_potential(forall, n, 3, degree)
    return potential, printed_harmonic_potential_bound(mass)


@claim(
    "nsrf/v-bound-sphere",
    always(),
    over=grid(d=[3], n=[1], degree=[0, 6]) + grid(d=[3], n=[3], degree=[5]) + grid(d=[2, 4, 5], n=[3], degree=[3]),
    reading="corrected",
    cite="nsrf, Section 2.2, with N(d, l) over the area of the sphere",
    sizes="d = 3, degrees up to 6; d = 2, 4 and 5, degree 3; one and three points",
)
def potential_on_the_sphere(forall: Forall, *, d: int, n: int, degree: int):
    """Every potential v(l, m) on the sphere is at most (P(X) + Q(X))^2 N(d, l)/area; for d = 3 (2 l + 1)/(4 pi).

    In other dimensions the largest potential over all harmonics of norm one, which is the sum over a basis.
    """
    potential, mass = _largest_potential(forall, n, d, degree)
    return potential, harmonic_potential_bound(mass, d, degree)


def _largest_potential(forall: Forall, n: int, d: int, degree: int) -> tuple[Tensor, Tensor]:
    """max over m of v(l, m), for d = 3, or over all harmonics of norm one, and the total mass of both classes."""
    points, weights = forall.sphere("points", n, d), forall.interval("weights", 0.0, 1.0, n)
    potentials = harmonic_potentials(points, forall.signs("labels", n) * weights, degree)
    return potentials.amax(-1) if d == 3 else potentials.sum(-1), weights.sum(-1)


@claim(
    "nsrf/sphere-not-invariant",
    identity(),
    over=grid(degree=[1, 3]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Section 3.2: a mixed strategy is simply a translation- or rotation-invariant kernel",
    quote=(
        "Furthermore, a mixed strategy lambda_bar for the min-player is simply a translation- or "
        "rotation-invariant kernel, realized by the feature map corresponding to its support."
    ),
    defect=defects.SPHERE_INVARIANCE,
)
def mixed_strategies_are_invariant_as_printed(forall: Forall, *, degree: int):
    """A mixture of pairs (l, +-m) is a rotation-invariant kernel: k(Rx, Rx') = k(x, x').

    Right in the translation-invariant case. On the sphere a pair alone, such as 3/(4 pi) x_3 x_3' for (1, 0), changes
    with the choice of the axes; the constraint set of Section 3.1 and the algorithm allow all such pairs.
    """
    masses = forall.simplex("masses", (degree + 1) * (degree + 2) // 2)
    return _kernel_before_and_after_a_rotation(forall, degree, masses)


@claim(
    "nsrf/sphere-not-invariant",
    identity(),
    over=grid(degree=[1, 3]),
    reading="corrected",
    cite="nsrf, Section 3.2, for strategies that give all orders of a degree the same mass",
    restricts="d = 3, degrees up to 3",
)
def degrees_are_invariant(forall: Forall, *, degree: int):
    """A mixture of degrees, all orders of a degree alike, is a rotation-invariant kernel: k(Rx, Rx') = k(x, x').

    So a kernel player that chooses a degree l with the whole kernel P_l(<x, x'>) repairs the method on the sphere.
    """
    pairs = pair_indices(degree)
    orders = torch.where(pairs[:, 1] > 0, 2.0, 1.0) / (2 * pairs[:, 0] + 1)
    masses = forall.simplex("masses", degree + 1)
    return _kernel_before_and_after_a_rotation(forall, degree, masses[..., pairs[:, 0]] * orders.to(masses))


def _kernel_before_and_after_a_rotation(forall: Forall, degree: int, masses: Tensor) -> tuple[Tensor, Tensor]:
    """k(x, x') and k(Rx, Rx') for masses of the pairs (l, +-m) and R the product of two reflections."""
    points = forall.sphere("x and x'", 2, 3)
    rotated = points
    for name in ("first mirror", "second mirror"):
        mirror = forall.sphere(name, 3).unsqueeze(-1)
        rotated = rotated - 2 * (rotated @ mirror) * mirror.mT
    features = (harmonic_pairs(place, pair_indices(degree, device=place.device)) for place in (points, rotated))
    before, after = ((masses * (psi[..., 0, :, :] * psi[..., 1, :, :]).sum(-1)).sum(-1) for psi in features)
    return before, after


@claim(
    "nsrf/A.3",
    identity(),
    over=grid(degree=[0, 1, 2, 30, 31]),
    cite="nsrf, Appendix A.3: the first 1000 coefficients",
    restricts="one sample of 200 points, d = 3, sums over the orders of five degrees; any sample: nsrf/A.3-product",
)
def all_potentials_are_one_product(*, degree: int):
    """One product of a matrix with 528 x 2 columns and the signed weights gives all 1024 potentials v(l, m), l <= 31.

    Left their sum over the orders of a degree, right the same from the double sum of P_l(<x, x'>) over the points. The
    first 1000 coefficients of the paper are taken as l <= 31, 32^2 = 1024 of them; the degree that it calls j and m
    in its complexity, and the order that stands first in the labels of its figure, are l and m here.
    """
    points, signed = checkered_spiral(200)
    pairs = pair_indices(31)
    potentials = torch.tensordot(signed, harmonic_pairs(points, pairs), dims=1).square().sum(-1)
    both_signs = torch.where(pairs[:, 1] > 0, 2.0, 1.0)
    total = (both_signs * potentials)[pairs[:, 0] == degree].sum()
    zonal = zonal_polynomials(points @ points.mT, degree, 3)[..., degree]
    return total, harmonic_dimension(3, degree) * quadratic_alignment(zonal, signed)


def checkered_spiral(n: int) -> tuple[Tensor, Tensor]:
    """Points (n, 3) on a spiral over the sphere, both poles included, and the labels of a checkerboard of 4 x 4."""
    height = torch.linspace(1, -1, n, dtype=torch.float64)
    longitude = math.pi * (3 - math.sqrt(5)) * torch.arange(n, dtype=torch.float64)
    radius = (1 - height**2).clamp(min=0).sqrt()
    points = torch.stack([radius * longitude.cos(), radius * longitude.sin(), height], -1)
    return points, torch.where(torch.sin(4 * longitude) * torch.sin(4 * height.acos()) > 0, 1.0, -1.0).to(points)


def zonal_gram(points: Tensor, others: Tensor, coefficients: Tensor) -> Tensor:
    """sum_l c_l P_l(<x, x'>) for batches of points (*, n, d), (*, n', d) and coefficients (*, L + 1)."""
    polynomials = zonal_polynomials(points @ others.mT, coefficients.shape[-1] - 1, points.shape[-1])
    return (polynomials * coefficients[..., None, None, :]).sum(-1)


def harmonic_potentials(points: Tensor, signed: Tensor, degree: int) -> Tensor:
    """v(l, m) = |sum_i u_i Y_lm(x_i)|^2 for every harmonic of a degree, of both signs for d = 3: (*, N(d, l))."""
    sums = (signed.unsqueeze(-1) * harmonics_of_degree(points, degree)).sum(-2)
    return sums.real.square() + sums.imag.square() if sums.is_complex() else sums.square()
