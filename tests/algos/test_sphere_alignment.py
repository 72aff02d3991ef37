"""The closed form of Section 4.1 against a series, another quadrature, the exact ball in one variable, and symmetry."""

import math

import mpmath
import pytest
import scipy.integrate
import scipy.special
import scipy.stats
import torch

from algos.fourier.feature_families import OffsetCosine
from algos.kernel_learning.sphere import radial_label_transform, sphere_alignment, sphere_ball_maximum

DIMENSIONS = (1, 2, 3, 4, 5, 10, 15)
LENGTHS = (0.0, 0.5, 1.2, 1.363, 3.0, 6.0)


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def series(length: float, dimension: int) -> float:
    """exp(-r^2/2) - 2 sum_k (-r^2/2)^k / k! P(d/2 + k, d/2): moments of |x| inside the sphere, in 40 digits."""
    with mpmath.workdps(40):
        half, square = mpmath.mpf(dimension) / 2, mpmath.mpf(length) ** 2 / 2
        terms = (
            (-square) ** k / mpmath.factorial(k) * mpmath.gammainc(half + k, 0, half, regularized=True)
            for k in range(120)
        )
        return float(mpmath.exp(-square) - 2 * mpmath.fsum(terms))


def bessel_quadrature(length: float, dimension: int) -> float:
    """2 int_{sqrt d}^inf f_chi(R) Om_d(r R) dR - exp(-r^2/2), Om_d the mean of cos over the unit sphere, r > 0."""

    def integrand(radius: float) -> float:
        s, order = length * radius, dimension / 2 - 1
        mean = scipy.special.gamma(dimension / 2) * (2 / s) ** order * scipy.special.jv(order, s)
        return float(scipy.stats.chi.pdf(radius, dimension) * mean)

    outside, _ = scipy.integrate.quad(integrand, math.sqrt(dimension), math.sqrt(dimension) + 12, epsabs=1e-13)
    return 2 * outside - math.exp(-(length**2) / 2)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_transform_agrees_with_its_power_series(dimension):
    ours = radial_label_transform(tensor(LENGTHS), dimension)
    exact = tensor([series(length, dimension) for length in LENGTHS])
    assert torch.allclose(ours, exact, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dimension", DIMENSIONS[1:])
def test_the_transform_agrees_with_the_integral_over_radii(dimension):
    ours = radial_label_transform(tensor(LENGTHS[1:]), dimension)
    exact = tensor([bessel_quadrature(length, dimension) for length in LENGTHS[1:]])
    assert torch.allclose(ours, exact, rtol=0, atol=1e-9)


def test_the_transform_in_one_dimension_at_zero_and_in_hundreds():
    """P(|x| > 1) - P(|x| < 1) on the line; many dimensions are as accurate, by a good incomplete gamma function."""
    assert float(radial_label_transform(tensor(0.0), 1)) == pytest.approx(1 - 2 * math.erf(math.sqrt(0.5)), abs=1e-13)
    assert float(radial_label_transform(tensor(1.0), 300)) == pytest.approx(series(1.0, 300), abs=1e-13)
    assert float(radial_label_transform(tensor(0.0), 1000)) == pytest.approx(series(0.0, 1000), abs=1e-12)


def test_the_transform_is_even_keeps_shapes_and_has_its_derivative():
    lengths = tensor([[0.3, 1.1], [2.0, 4.0]]).requires_grad_()
    values = radial_label_transform(lengths, 3)
    assert values.shape == (2, 2)
    assert torch.equal(values, radial_label_transform(-lengths, 3))
    assert radial_label_transform(tensor([]), 3).shape == (0,)
    assert radial_label_transform(lengths.detach().float(), 3).dtype == torch.float32
    (slope,) = torch.autograd.grad(values.sum(), lengths)
    step = 1e-5
    difference = radial_label_transform(lengths + step, 3) - radial_label_transform(lengths - step, 3)
    assert torch.allclose(slope, difference / (2 * step), atol=1e-8)


@pytest.mark.parametrize(("dimension", "peak"), [(2, 1.36), (5, 1.24), (10, 1.20), (15, 1.185)])
def test_the_transform_peaks_where_the_page_says(dimension, peak):
    lengths = torch.linspace(0, 5, 5001, dtype=torch.float64)
    best = lengths[radial_label_transform(lengths, dimension).abs().argmax()]
    assert float(best) == pytest.approx(peak, abs=0.006)


def test_the_alignment_depends_on_length_and_offset_alone_and_is_a_square():
    """A sine instead of a cosine of the offset, or a missing square, would show."""
    angles = tensor([0.0, 1.0, 2.0])
    frequencies = 1.363 * torch.stack([angles.cos(), angles.sin()], -1)
    parameters = torch.cat([frequencies, tensor([[0.0], [math.pi], [math.pi / 3]])], -1)
    peak = series(1.363, 2) ** 2
    assert torch.allclose(sphere_alignment(parameters), tensor([peak, peak, peak / 4]), atol=1e-12)
    assert peak == pytest.approx(0.1961, abs=5e-5)


def test_the_alignment_is_the_squared_mean_of_labelled_features():
    """On the line, by quadrature over x: E sign(|x| - 1) cos(w x + v), squared."""
    parameters = tensor([[0.7, 0.4], [2.0, 1.9]])

    def mean(w: float, v: float) -> float:
        def integrand(x: float) -> float:
            return math.copysign(1, abs(x) - 1) * math.cos(w * x + v) * math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)

        return sum(scipy.integrate.quad(integrand, a, b, epsabs=1e-13)[0] for a, b in ((-12, -1), (-1, 1), (1, 12)))

    exact = tensor([mean(w, v) ** 2 for w, v in parameters.tolist()])
    assert torch.allclose(sphere_alignment(parameters), exact, atol=1e-11)


@pytest.mark.parametrize(
    ("dimension", "value", "count", "length"),
    [(2, 0.19521, 132, 1.36), (5, 0.0723, 133, 1.25), (10, 0.0286, 155, 1.47), (15, 0.0072, 237, 2.04)],
)
def test_the_population_optimum_of_section_4_1(dimension, value, count, length):
    population = sphere_ball_maximum(dimension, 200.0)
    assert population.value == pytest.approx(value, abs=6e-5)
    assert 20000 * population.selected == pytest.approx(count, abs=2)
    assert population.mean_length == pytest.approx(length, abs=0.006)


@pytest.mark.parametrize("dimension", [2, 15])
def test_the_grid_agrees_with_the_dual_in_one_variable(dimension):
    """sup = min_eta sqrt(1 + rho) (E (t - eta)_+^2)^(1/2) + eta, the mean over offsets in closed form."""
    rho = 200.0

    def transform(length: float) -> float:
        return float(radial_label_transform(tensor(length), dimension)) ** 2

    lengths, weights = scipy.special.roots_legendre(1500)
    lengths, weights = (lengths + 1) * 7, weights * 7
    heights = [transform(length) for length in lengths]
    masses = weights * scipy.stats.chi.pdf(lengths, dimension)

    def dual(eta: float) -> float:
        total = 0.0
        for height, mass in zip(heights, masses, strict=True):
            if height > eta:
                v = math.acos(math.sqrt(eta / height))
                second = v / 2 + math.sin(2 * v) / 4
                fourth = 3 * v / 8 + math.sin(2 * v) / 4 + math.sin(4 * v) / 32
                total += mass * 2 / math.pi * (height**2 * fourth - 2 * eta * height * second + eta**2 * v)
        return math.sqrt((1 + rho) * total) + eta

    found = scipy.optimize.minimize_scalar(dual, bounds=(1e-6, max(heights)), method="bounded", options={"xatol": 1e-9})
    assert sphere_ball_maximum(dimension, rho).value == pytest.approx(found.fun, rel=2e-4)


def test_the_ball_of_radius_zero_is_its_centre():
    """E cos^2(v) h^2 = E h^2 / 2, every feature kept, E |cos v| = 2 / pi, and the mean of the chi law."""
    population = sphere_ball_maximum(3, 0.0)
    mean, _ = scipy.integrate.quad(
        lambda r: float(radial_label_transform(tensor(r), 3)) ** 2 * scipy.stats.chi.pdf(r, 3), 0, 12
    )
    assert population.value == pytest.approx(mean / 2, rel=1e-6)
    assert population.selected == pytest.approx(1, abs=1e-12)
    assert population.mean_offset_cosine == pytest.approx(2 / math.pi, rel=1e-4)
    assert population.mean_length == pytest.approx(scipy.stats.chi.mean(3), rel=1e-6)


def test_a_larger_ball_aligns_better_with_fewer_features_and_gamma_scales_lengths():
    small, large = (sphere_ball_maximum(4, rho) for rho in (10.0, 100.0))
    assert small.value < large.value
    assert small.selected > large.selected >= 1 / 101
    narrow = sphere_ball_maximum(4, 0.0, gamma=0.125)
    assert narrow.mean_length == pytest.approx(scipy.stats.chi.mean(4) / 2, rel=1e-6)


def test_features_of_a_family_have_the_predicted_mean_alignment():
    """E_P0 t over a pool of 4,000 draws: within six standard errors of the closed form's mean."""
    pool = OffsetCosine(0.5).draw(4000, 3, generator=torch.Generator().manual_seed(0))
    values = sphere_alignment(pool)
    error = float(values.std()) / math.sqrt(4000)
    assert abs(float(values.mean()) - sphere_ball_maximum(3, 0.0).value) < 6 * error


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: radial_label_transform(tensor(1.0), 0), "dimension = 0"),
        (lambda: sphere_alignment(tensor([[1.0]])), "parameters has shape"),
        (lambda: sphere_ball_maximum(0, 1.0), "dimension = 0"),
        (lambda: sphere_ball_maximum(2, -1.0), "rho = -1.0"),
        (lambda: sphere_ball_maximum(2, 1.0, gamma=0.0), "gamma = 0.0"),
        (lambda: sphere_ball_maximum(2, 1.0, lengths=0), "lengths = 0"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
