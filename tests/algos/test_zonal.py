"""Gegenbauer polynomials of index (d - 2)/2 against closed forms, scipy and quadrature; kernels made of them."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from scipy.special import eval_chebyt, eval_chebyu, eval_gegenbauer, eval_legendre

from algos.sphere.zonal import unit_directions, zonal_kernel, zonal_polynomials, zonal_sequence

torch.set_num_threads(1)

COSINES = torch.linspace(-1, 1, 101, dtype=torch.float64)
DEGREES = np.arange(32)


def sphere(count, dimension, seed=0):
    points = np.random.default_rng(seed).standard_normal((count, dimension))
    return unit_directions(torch.from_numpy(points))


def harmonics_of_degree(dimension, degree):
    """N(d, l) = C(d + l - 1, l) - C(d + l - 3, l - 2)."""
    return math.comb(dimension + degree - 1, degree) - (
        math.comb(dimension + degree - 3, degree - 2) if degree > 1 else 0
    )


@pytest.mark.parametrize(
    ("dimension", "closed"),
    [
        (2, eval_chebyt),
        (3, eval_legendre),
        (4, lambda ell, t: eval_chebyu(ell, t) / (ell + 1)),
        (7, lambda ell, t: eval_gegenbauer(ell, 2.5, t) / eval_gegenbauer(ell, 2.5, 1.0)),
    ],
)
def test_they_are_the_classical_polynomials_of_index_half_d_minus_1(dimension, closed):
    """The printed index (d - 1)/2 gives other polynomials: for d = 3, l = 4 the two differ by .175."""
    expected = torch.from_numpy(closed(DEGREES, COSINES.numpy()[:, None]))
    torch.testing.assert_close(zonal_polynomials(COSINES, 31, dimension), expected, rtol=0, atol=1e-12)


def test_the_printed_index_is_visibly_another_polynomial():
    printed = eval_gegenbauer(4, 1.0, COSINES.numpy()) / eval_gegenbauer(4, 1.0, 1.0)
    assert np.abs(zonal_polynomials(COSINES, 4, 3)[:, 4].numpy() - printed).max() > 0.17


def test_on_the_circle_they_are_the_chebyshev_polynomials():
    assert zonal_polynomials(torch.tensor(0.75), 2, 2).tolist() == [1.0, 0.75, 0.125]


@pytest.mark.parametrize("dimension", [3, 5, 9])
def test_the_recurrence_is_exact_on_rational_cosines(dimension):
    """The three-term recurrence of unnormalised Gegenbauer polynomials in fractions, divided by its value at 1."""

    def gegenbauer(t):
        index = Fraction(dimension - 2, 2)
        values = [Fraction(1), 2 * index * t]
        for ell in range(2, 9):
            values.append((2 * t * (ell + index - 1) * values[-1] - (ell + 2 * index - 2) * values[-2]) / ell)
        return values

    exact = [float(a / b) for a, b in zip(gegenbauer(Fraction(3, 8)), gegenbauer(Fraction(1)), strict=True)]
    ours = zonal_polynomials(torch.tensor(0.375, dtype=torch.float64), 8, dimension)
    torch.testing.assert_close(ours, torch.tensor(exact, dtype=torch.float64), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("dimension", [2, 3, 6])
def test_they_are_one_at_one_bounded_and_even_or_odd(dimension):
    values = zonal_polynomials(COSINES, 31, dimension)
    torch.testing.assert_close(values[-1], torch.ones(32, dtype=torch.float64), rtol=0, atol=1e-12)
    assert values.abs().max() <= 1 + 1e-12
    torch.testing.assert_close(values.flip(0), values * (-1.0) ** torch.arange(32), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dimension", [3, 5, 8])
def test_they_are_orthogonal_with_the_square_norm_one_over_the_number_of_harmonics(dimension):
    """E P_l(t) P_k(t) = 1[l = k] / N(d, l) for t a coordinate of a uniform point; for odd d Gauss nodes are exact."""
    nodes, weights = np.polynomial.legendre.leggauss(64)
    if dimension % 2:
        density = (1 - nodes**2) ** ((dimension - 3) // 2) * weights
    else:  # t = cos(theta): a trigonometric polynomial, integrated exactly by equal weights
        theta = (np.arange(128) + 0.5) * math.pi / 128
        nodes, density = np.cos(theta), np.sin(theta) ** (dimension - 2)
    values = zonal_polynomials(torch.from_numpy(nodes), 10, dimension)
    gram = values.mT @ (torch.from_numpy(density / density.sum())[:, None] * values)
    expected = [1 / harmonics_of_degree(dimension, ell) for ell in range(11)]
    torch.testing.assert_close(gram, torch.diag(torch.tensor(expected, dtype=torch.float64)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_the_kernel_of_a_degree_has_the_rank_of_its_space(dimension):
    points = sphere(60, dimension)
    grams = zonal_polynomials(points @ points.mT, 4, dimension)
    for ell in range(5):
        values = torch.linalg.eigvalsh(grams[..., ell])
        assert values.min() > -1e-12
        assert (values > 1e-10).sum() == harmonics_of_degree(dimension, ell)


def test_a_kernel_is_the_sum_and_its_diagonal_the_norm_of_its_coefficients():
    coefficients = torch.tensor([0.1, 0.0, 0.4, 0.3], dtype=torch.float64)
    points = sphere(20, 5)
    gram = zonal_kernel(coefficients, points @ points.mT, 5)
    expected = (zonal_polynomials(points @ points.mT, 3, 5) * coefficients).sum(-1)
    torch.testing.assert_close(gram, expected, rtol=0, atol=1e-14)
    torch.testing.assert_close(gram.diagonal(), torch.full((20,), 0.8, dtype=torch.float64), rtol=0, atol=1e-13)
    assert torch.equal(zonal_kernel(coefficients[:1], COSINES, 2), torch.full_like(COSINES, 0.1))


def test_gradients_pass():
    cosines = torch.tensor([-1.0, -0.3, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
    coefficients = torch.tensor([0.5, 0.2, 0.3], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: zonal_polynomials(t, 6, 4), (cosines,))
    assert torch.autograd.gradcheck(lambda c, t: zonal_kernel(c, t, 3), (coefficients, cosines))
    points = torch.from_numpy(np.random.default_rng(1).standard_normal((3, 4))).requires_grad_()
    assert torch.autograd.gradcheck(unit_directions, (points,))


def test_the_dtype_and_the_shape_follow_the_cosines():
    values = zonal_polynomials(torch.zeros(2, 3, dtype=torch.float32), 4, 3)
    assert (values.dtype, values.shape) == (torch.float32, (2, 3, 5))
    assert zonal_polynomials(COSINES[:0], 4, 3).shape == (0, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zonal_polynomials(COSINES, -1, 3), "degree = -1"),
        (lambda: zonal_polynomials(COSINES, 2, 1), "dimension = 1"),
        (lambda: zonal_sequence(COSINES, 2, 0), "dimension = 0"),
        (lambda: zonal_kernel(torch.ones(0), COSINES, 3), r"shape \(0,\)"),
        (lambda: zonal_kernel(torch.ones(2, 2), COSINES, 3), r"shape \(2, 2\)"),
        (lambda: unit_directions(torch.tensor([[1.0, 0.0], [0.0, 0.0]])), "points is zero"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
