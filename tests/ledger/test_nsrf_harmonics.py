"""The nsrf claims on the sphere: harmonics, zonal kernels and potentials, checked independently."""

import math

import numpy as np
import pytest
import torch
from scipy.special import eval_gegenbauer, eval_legendre, sph_harm_y

from algos.kernel_learning.alignment import quadratic_alignment
from algos.sphere.harmonics import harmonic_pairs, pair_indices
from bounds.margin_game.sphere import harmonic_dimension, surface_area
from harness import Forall, always, claim, grid
from harness.claims.nsrf import explicit_harmonics, harmonic_polynomials, harmonics, sphere
from tests.ledger.nsrf import refutes, sides, tensor

# The sphere


def test_the_quadrature_makes_harmonics_orthonormal():
    """Up to degree 3; catches a wrong area or a node too few."""
    nodes, areas = harmonics.sphere_quadrature(3)
    values = harmonics.spherical_harmonics(nodes, 3)
    gram = values.conj().mT @ (areas.to(values.dtype).unsqueeze(-1) * values)
    torch.testing.assert_close(gram, torch.eye(16, dtype=gram.dtype), rtol=0, atol=1e-13)


def test_counts_of_harmonics():
    printed = [harmonics.printed_harmonic_dimension(3, degree) for degree in range(6)]
    assert printed == [1, 3, 5, 5, 0, -14]
    assert [harmonics.count_of_harmonics(3, degree) for degree in range(6)] == [1, 3, 5, 7, 9, 11]
    assert [harmonics.count_of_harmonics(2, degree) for degree in range(4)] == [1, 2, 2, 2]
    assert [harmonics.count_of_harmonics(4, degree) for degree in range(4)] == [1, 4, 9, 16]


@pytest.mark.parametrize("d", [2, 3, 4, 5])
def test_integrals_of_monomials_over_the_sphere(d: int) -> None:
    """The area; sum_i x_i^2 = 1; odd powers vanish."""
    integral = harmonic_polynomials.monomial_integral
    assert integral((0,) * d) == pytest.approx(surface_area(d), rel=1e-14)
    for powers in ((0,) * d, (4, *[0] * (d - 1)), (2, 2, *[0] * (d - 2))):
        parts = [integral(tuple(p + 2 * (i == axis) for i, p in enumerate(powers))) for axis in range(d)]
        assert sum(parts) == pytest.approx(integral(powers), rel=1e-14)
    assert integral((1, *[2] * (d - 1))) == 0.0


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_real_harmonics_are_orthonormal_on_the_sphere_of_space(degree: int) -> None:
    """By a quadrature that knows nothing of their making; they span what the complex ones span."""
    nodes, areas = harmonics.sphere_quadrature(degree)
    basis = harmonic_polynomials.real_harmonics(nodes, degree)
    torch.testing.assert_close(basis.mT @ (areas.unsqueeze(-1) * basis), torch.eye(2 * degree + 1, dtype=torch.float64))
    known = harmonics.harmonics_of_degree(nodes, degree)
    torch.testing.assert_close(basis @ basis.mT, (known @ known.conj().mT).real)


@pytest.mark.parametrize(("d", "degree"), [(2, 3), (4, 2), (5, 3)])
def test_real_harmonics_solve_laplace_s_equation(d: int, degree: int) -> None:
    """The trace of the second derivatives, by automatic differentiation; homogeneous of their degree."""
    point = torch.linspace(0.3, 1.1, d, dtype=torch.float64)
    count = harmonic_polynomials.real_harmonics(point[None], degree).shape[-1]
    assert count == harmonic_dimension(d, degree)
    for index in range(count):
        hessian = torch.autograd.functional.hessian(
            lambda x, i=index: harmonic_polynomials.real_harmonics(x[None], degree)[0, i], point
        )
        assert abs(float(torch.as_tensor(hessian).trace())) < 1e-10
    doubled = harmonic_polynomials.real_harmonics(2 * point[None], degree)
    torch.testing.assert_close(doubled, 2**degree * harmonic_polynomials.real_harmonics(point[None], degree))


def test_opposite_coefficients_of_a_coordinate():
    """f = 3 x_1: coefficient sqrt(6 pi) for Y_11 and for its conjugate, equal and not opposite; m = 0 has none."""
    values = {"centres": [[1.0, 0.0, 0.0]] * 3, "weights": [1.0] * 3}
    cell = {"degree": 1, "part": "real"}
    size = 3 * math.sqrt(2 * math.pi / 3)
    at = explicit_harmonics.explicit_indices(3, 1).index((1, 1))
    judged = harmonics.coefficients_of_opposite_harmonics
    assert sides(judged, {"d": 3, **cell}, position=float(at), **values) == pytest.approx((size, size))
    assert sides(
        harmonics.coefficients_of_opposite_harmonics_as_printed, cell, position=float(at), **values
    ) == pytest.approx((size, -size))
    at = explicit_harmonics.explicit_indices(3, 1).index((0, 1))
    assert sides(judged, {"d": 3, **cell}, position=float(at), **values) == pytest.approx((0.0, 0.0))


@pytest.mark.parametrize("d", [2, 3, 4, 5, 6])
def test_explicit_harmonics_are_an_orthonormal_basis(d: int) -> None:
    """By the quadrature, whose area is checked too; catches a norm of a Legendre function and a lost index."""
    for degree in range(3):
        nodes, areas = harmonics.sphere_quadrature(degree, d)
        assert areas.sum().item() == pytest.approx(surface_area(d), rel=1e-12)
        basis = explicit_harmonics.explicit_harmonics(nodes, degree)
        assert basis.shape[-1] == harmonic_dimension(d, degree)
        products = basis.conj().mT @ (areas.to(basis.dtype).unsqueeze(-1) * basis)
        torch.testing.assert_close(products, torch.eye(len(products), dtype=basis.dtype), rtol=0, atol=1e-12)


def test_explicit_harmonics_of_space_are_those_of_scipy():
    """Without its phase (-1)^m for m > 0."""
    nodes, _ = harmonics.sphere_quadrature(3)
    theta, phi = torch.arccos(nodes[:, 2]).numpy(), torch.atan2(nodes[:, 1], nodes[:, 0]).numpy()
    found = explicit_harmonics.explicit_harmonics(nodes, 3)
    for column, (m, degree) in enumerate(explicit_harmonics.explicit_indices(3, 3)):
        expected = torch.from_numpy(sph_harm_y(degree, abs(m), theta, phi)) * (-1) ** m
        torch.testing.assert_close(found[:, column], expected if m >= 0 else expected.conj(), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("degree", "peak"), [(5, 0.8754), (6, 1.0345), (11, 1.8303)])
def test_the_potential_of_a_pole(degree, peak):
    values = {"points": [[0.0, 0.0, 1.0]], "weights": [1.0], "labels": [1.0]}
    largest, printed = sides(sphere.potential_on_the_sphere_as_printed, {"n": 1, "degree": degree}, **values)
    assert largest == pytest.approx(peak, abs=5e-5)
    assert printed == 1.0
    largest, bound = sides(sphere.potential_on_the_sphere, {"d": 3, "n": 1, "degree": degree}, **values)
    assert largest == pytest.approx(bound, rel=1e-13)


def test_the_constant_kernel_has_total_mass_four_pi():
    values = {"x": [[0.6, 0.0, 0.8]], "lambda": [4 * math.pi]}
    diagonal, mass = sides(sphere.total_mass_on_the_sphere_as_printed, {"degree": 0}, **values)
    assert diagonal == pytest.approx(1.0, rel=1e-14)
    assert mass == pytest.approx(4 * math.pi)


def test_a_negative_zonal_coefficient_is_a_negative_eigenvalue():
    lowest, smallest = sides(sphere.coefficients_are_eigenvalues, {"d": 3, "degree": 2}, coefficients=[1.0, 0.5, -0.25])
    assert smallest == pytest.approx(-0.25 * 4 * math.pi / 5, rel=1e-14)
    assert lowest == pytest.approx(smallest, rel=1e-12)
    lowest, smallest = sides(sphere.coefficients_are_eigenvalues, {"d": 3, "degree": 2}, coefficients=[1.0, 0.5, 0.25])
    assert smallest == 0.0
    assert lowest == pytest.approx(0.0, abs=1e-13)


def test_pairs_change_under_a_rotation_and_degrees_do_not():
    """(1, 0), (3, 2), (6, 6): a quarter turn about the first axis; sqrt(4 pi) Y_10 = sqrt 3 x_3."""
    turn = tensor([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    points = tensor([[0.0, 0.6, 0.8], [0.48, 0.6, 0.64]])
    pairs = pair_indices(6)
    before, after = (harmonic_pairs(place, pairs) for place in (points, points @ turn.mT))
    kernel, moved = (psi[0] * psi[1] for psi in (before, after))
    for ell, m in ((1, 0), (3, 2), (6, 6)):
        where = ell * (ell + 1) // 2 + m
        assert abs(float(kernel[where].sum() - moved[where].sum())) > 0.05
    assert float(kernel[1].sum()) == pytest.approx(3 * 0.8 * 0.64, rel=1e-13)
    orders = torch.where(pairs[:, 1] > 0, 2.0, 1.0).to(kernel)
    for ell in range(7):
        zonal = [(orders * side.sum(-1))[pairs[:, 0] == ell].sum() for side in (kernel, moved)]
        torch.testing.assert_close(*zonal, rtol=1e-12, atol=1e-12)


def test_the_index_of_the_polynomials():
    """d = 3, l = 4: the index (d - 2)/2 gives the Legendre polynomial, (d - 1)/2 differs from it by .175 and more."""
    t = np.linspace(-1, 1, 401)
    scaled = {index: eval_gegenbauer(4, index, t) / eval_gegenbauer(4, index, 1.0) for index in (0.5, 1.0)}
    assert np.abs(scaled[0.5] - eval_legendre(4, t)).max() < 1e-13
    assert np.abs(scaled[1.0] - eval_legendre(4, t)).max() > 0.17


@pytest.mark.parametrize("degree", [1, 31])
def test_all_potentials_by_direct_sums(degree):
    """sum over m of |sum_i u_i Y_lm(x_i)|^2 4 pi, with the harmonics of scipy."""
    points, signed = (part.numpy() for part in sphere.checkered_spiral(200))
    theta, phi = np.arccos(np.clip(points[:, 2], -1, 1)), np.arctan2(points[:, 1], points[:, 0])
    sums = [(signed * sph_harm_y(degree, m, theta, phi)).sum() for m in range(-degree, degree + 1)]
    product, double_sum = sphere.all_potentials_are_one_product(degree=degree)
    expected = 4 * math.pi * np.square(np.abs(sums)).sum()
    assert product.item() == pytest.approx(expected, rel=1e-9)
    assert double_sum.item() == pytest.approx(expected, rel=1e-9)


def test_a_constant_of_minus_one_is_no_kernel():
    """Theorem B.1 for the degrees from one on only, as "N^+" may be read, is refuted."""

    @claim("variants/thm-B.1", always(), over=grid(n=[2]))
    def variant(forall: Forall, *, n: int):
        """c_0 + c_1 <x, x'> is a kernel for every c_0 and every c_1 >= 0."""
        points = forall.sphere("points", n, 3)
        constant, slope = forall.interval("constant", -1.0, 1.0, 1), forall.interval("slope", 0.0, 1.0, 1)
        gram = sphere.zonal_gram(points, points, torch.cat([constant, slope], -1))
        a = forall.interval("a", -1.0, 1.0, n)
        return -quadratic_alignment(gram, a), torch.zeros(len(a), dtype=a.dtype)

    assert refutes(variant)
