"""Spherical harmonics against scipy, exact quadrature and the addition theorem, at the poles and under autograd."""

import math

import numpy as np
import pytest
import torch
from scipy.special import sph_harm_y

from algos.sphere.harmonics import (
    conjugate_index,
    harmonic_indices,
    harmonic_pairs,
    pair_indices,
    spherical_harmonics,
)
from algos.sphere.zonal import zonal_polynomials

torch.set_num_threads(1)

RANDOM = np.random.default_rng(0)
POLES = torch.tensor([[0.0, 0, 1], [0, 0, -1], [-0.0, -0.0, 1], [1e-9, 0, 1], [0, -1e-300, -1], [1, 0, 0], [0, -1, 0]])


def directions(count):
    points = torch.from_numpy(RANDOM.standard_normal((count, 3)))
    return points / points.norm(dim=-1, keepdim=True)


def reference(points, degree):
    """scipy's harmonics, in the order of `harmonic_indices`."""
    x, y, z = points.numpy().T
    angle, longitude = np.arctan2(np.hypot(x, y), z)[:, None], np.arctan2(y, x)[:, None]
    degrees, orders = harmonic_indices(degree).numpy().T
    return torch.from_numpy(sph_harm_y(degrees, orders, angle, longitude))


def test_they_are_those_of_scipy_up_to_degree_31_poles_included():
    """A wrong phase, sign of m, order or normalisation, or a division by sin(theta)."""
    points = torch.cat([directions(200), POLES.double()])
    ours = spherical_harmonics(points, 31)
    assert ours.shape == (207, 1024)
    assert ours.dtype == torch.complex128
    torch.testing.assert_close(ours, reference(points, 31), rtol=0, atol=1e-12)


def test_they_stay_accurate_at_degree_120():
    points = torch.cat([directions(8), POLES.double()])
    torch.testing.assert_close(spherical_harmonics(points, 120), reference(points, 120), rtol=0, atol=1e-11)


@pytest.mark.parametrize(("dtype", "degree"), [(torch.float64, 1000), (torch.float32, 150)])
def test_nothing_overflows_up_to_the_degrees_the_docstring_promises(dtype, degree):
    """The addition theorem on the diagonal: every harmonic is finite, and so is their sum at the pole."""
    points = torch.cat([directions(3), POLES.double()[:4]]).to(dtype)
    squares = spherical_harmonics(points, degree, normalisation="probability")[:, degree**2 :].abs().square().sum(-1)
    expected = torch.full_like(squares, 2 * degree + 1)
    torch.testing.assert_close(squares, expected, rtol=degree**2 * torch.finfo(dtype).eps, atol=0)


def test_single_precision_is_the_same_rounded():
    points = directions(50)
    rounded = spherical_harmonics(points.float(), 31)
    assert rounded.dtype == torch.complex64
    torch.testing.assert_close(rounded.to(torch.complex128), spherical_harmonics(points, 31), rtol=0, atol=2e-4)


@pytest.mark.parametrize(("normalisation", "total"), [("surface", 1.0), ("probability", 4 * math.pi)])
def test_they_are_orthonormal_by_exact_quadrature(normalisation, total):
    """32 Gauss nodes and 63 longitudes integrate every product of two harmonics of degree 31 exactly."""
    heights, weights = (torch.from_numpy(a) for a in np.polynomial.legendre.leggauss(32))
    longitudes = 2 * math.pi * torch.arange(63, dtype=torch.float64) / 63
    radii = (1 - heights.square()).sqrt()
    grid = torch.stack(
        [radii[:, None] * longitudes.cos(), radii[:, None] * longitudes.sin(), heights[:, None].expand(-1, 63)], -1
    )
    values = spherical_harmonics(grid.flatten(0, 1), 31, normalisation=normalisation)
    area = (weights[:, None].expand(-1, 63) * 2 * math.pi / 63).reshape(-1, 1)
    gram = values.mH @ (area * values)
    torch.testing.assert_close(gram, total * torch.eye(1024, dtype=gram.dtype), rtol=0, atol=1e-11)


def test_the_addition_theorem_holds_for_every_degree():
    """sum_m Y_l^m(x) conj Y_l^m(x') = (2l + 1)/(4 pi) P_l(<x, x'>), to 1e-12 of its largest value."""
    first, second = directions(40), directions(40)
    products = spherical_harmonics(first, 31) * spherical_harmonics(second, 31).conj()
    legendre = zonal_polynomials((first * second).sum(-1), 31, 3)
    for ell in range(32):
        total = products[:, ell**2 : (ell + 1) ** 2].sum(-1)
        peak = (2 * ell + 1) / (4 * math.pi)
        torch.testing.assert_close(total.real, peak * legendre[:, ell], rtol=0, atol=1e-12 * max(1.0, peak))
        assert total.imag.abs().max() < 1e-12


def test_the_involution_conjugates_up_to_the_condon_shortley_sign():
    """conj Y_l^m = (-1)^m Y_l^-m; without the sign the identity of nsrf B.2 fails for odd m."""
    values, indices = spherical_harmonics(directions(10), 6), harmonic_indices(6)
    partner = conjugate_index(indices)
    assert torch.equal(conjugate_index(partner), indices)
    position = partner[:, 0].square() + partner[:, 0] + partner[:, 1]
    assert torch.equal(indices[position], partner)
    signs = 1.0 - 2.0 * (indices[:, 1] % 2)
    torch.testing.assert_close(values.conj(), signs * values[:, position], rtol=0, atol=0)
    odd = indices[:, 1] % 2 == 1
    assert (values.conj() - values[:, position])[:, odd].abs().amax(0).min() > 0.01


def test_pairs_are_real_and_imaginary_parts_for_the_uniform_probability():
    points, indices = directions(30), pair_indices(9)
    pairs = harmonic_pairs(points, indices)
    full = spherical_harmonics(points, 9, normalisation="probability")
    expected = full[:, indices[:, 0].square() + indices.sum(-1)]
    torch.testing.assert_close(torch.view_as_complex(pairs), expected, rtol=0, atol=1e-14)
    assert (pairs[:, indices[:, 1] == 0, 1] == 0).all()
    some = torch.tensor([40, 3, 3, 0, 54, 21])
    assert torch.equal(harmonic_pairs(points, indices[some]), pairs[:, some])
    assert harmonic_pairs(points, indices[:0]).shape == (30, 0, 2)


def test_batch_axes_lengths_and_the_empty_sample_change_nothing():
    points = directions(24)
    values = spherical_harmonics(points, 5)
    torch.testing.assert_close(spherical_harmonics(points.reshape(2, 3, 4, 3), 5), values.reshape(2, 3, 4, 36))
    torch.testing.assert_close(spherical_harmonics(1e-200 * points, 5), values, rtol=0, atol=1e-14)
    torch.testing.assert_close(spherical_harmonics(1e200 * points, 5), values, rtol=0, atol=1e-14)
    assert spherical_harmonics(points[:0], 5).shape == (0, 36)
    constant = spherical_harmonics(points, 0)
    torch.testing.assert_close(constant.real, torch.full((24, 1), math.sqrt(1 / (4 * math.pi)), dtype=torch.float64))


def test_the_gradient_is_that_of_finite_differences_at_the_poles_too():
    points = torch.cat([directions(3), POLES.double()[:2]]).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: torch.view_as_real(spherical_harmonics(x, 4)), (points,))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: spherical_harmonics(torch.ones(2, 3), -1), "degree = -1"),
        (lambda: spherical_harmonics(torch.ones(2, 4), 1), r"shape \(2, 4\)"),
        (lambda: spherical_harmonics(torch.zeros(2, 3), 1), "points is zero"),
        (lambda: spherical_harmonics(torch.ones(2, 3, dtype=torch.bool), 1), r"points has dtype torch\.bool"),
        (lambda: spherical_harmonics(torch.ones(2, 3), 1, normalisation="unit"), "normalisation = 'unit'"),
        (lambda: harmonic_pairs(torch.ones(2, 3), torch.tensor([[1, 0], [2, -1]])), r"an entry of indices = -1"),
        (lambda: harmonic_pairs(torch.ones(2, 3), torch.tensor([[1, 2]])), r"indices hold \(1, 2\)"),
        (lambda: harmonic_indices(-2), "degree = -2"),
        (lambda: pair_indices(-2), "degree = -2"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
