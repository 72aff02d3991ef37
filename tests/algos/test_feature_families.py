"""Feature families: laws and kernels by quadrature, sums without n x N arrays against the plain ones."""

import math

import mpmath
import pytest
import torch
from scipy.integrate import quad

from algos.fourier.feature_families import ArcCosine, Coordinates, OffsetCosine

torch.set_num_threads(1)
FAMILIES = [OffsetCosine(0.7), OffsetCosine(), Coordinates(), ArcCosine(0), ArcCosine(1), ArcCosine(2)]
every_family = pytest.mark.parametrize("family", FAMILIES, ids=repr)


def _generator(seed=0):
    return torch.Generator().manual_seed(seed)


def _points(*shape, seed=3):
    return torch.randn(*shape, dtype=torch.float64, generator=_generator(seed))


@every_family
def test_sums_are_those_of_the_evaluated_features(family, monkeypatch):
    """Block by block, with one block smaller than the rest."""
    monkeypatch.setattr("algos.fourier.feature_families._BLOCK_BYTES", 8 * 2 * 5 * 3)
    points, weights = _points(2, 5, 4), _points(2, 3, 5, seed=4)
    parameters = family.draw(7, 4, generator=_generator())
    features = family.evaluate(points, parameters)
    assert features.shape == (2, 5, 7)
    torch.testing.assert_close(family.weighted_sums(points, parameters, weights), weights @ features)
    torch.testing.assert_close(family.squared_sums(points, parameters), features.square().sum(-2))


@every_family
def test_batches_of_parameters_are_evaluated_one_by_one(family):
    points, weights = _points(5, 4), _points(2, 3, 5, seed=4)
    parameters = torch.stack([family.draw(6, 4, generator=_generator(seed)) for seed in (1, 2)])
    for part in (
        family.evaluate(points, parameters),
        family.weighted_sums(points, parameters, weights),
        family.squared_sums(points, parameters),
    ):
        assert part.shape[0] == 2
        assert part.shape[-1] == 6
    for row in (0, 1):
        alone = family.evaluate(points, parameters[row])
        torch.testing.assert_close(family.evaluate(points, parameters)[row], alone)
        torch.testing.assert_close(family.weighted_sums(points, parameters, weights)[row], weights[row] @ alone)
        torch.testing.assert_close(family.squared_sums(points, parameters)[row], alone.square().sum(-2))


@every_family
def test_bounded_features_stay_within_one(family):
    features = family.evaluate(100 * _points(50, 4), family.draw(40, 4, generator=_generator()))
    assert family.bounded == (features.abs().max().item() <= 1)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 1.2, math.pi / 2, 2.5, math.pi])
def test_arc_cosine_kernels_are_the_expectation_in_polar_coordinates(order, angle):
    """E = 2^n n! / (2 pi) int cos_+(t)^n cos_+(t - theta)^n dt: a wrong J_n, or a forgotten factor 2, would differ."""
    points = torch.tensor([[2.0, 0.0, 0.0]], dtype=torch.float64)
    others = 0.5 * torch.tensor([[math.cos(angle), math.sin(angle), 0.0]], dtype=torch.float64)
    angular, _ = quad(lambda t: (math.cos(t) * math.cos(t - angle)) ** order, angle - math.pi / 2, math.pi / 2)
    expected = 2**order * math.factorial(order) * angular / (2 * math.pi)
    assert ArcCosine(order).kernel(points, others).item() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("missing", [1.1, 0.9, 1e-2, 1e-4, 1e-8])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_arc_cosine_kernels_of_nearly_opposite_points_keep_their_digits(order, missing):
    """J_n of the angle between the very floats, in 50 digits, for points of any size."""
    other = [-math.cos(missing), math.sin(missing)]
    with mpmath.workdps(50):
        x, y = map(mpmath.mpf, other)
        t = mpmath.atan2(y, -x)
        shapes = t, mpmath.sin(t) - t * mpmath.cos(t), t * (1 + 2 * mpmath.cos(t) ** 2) - 3 * mpmath.sin(2 * t) / 2
        exact = float(mpmath.hypot(x, y) ** order * shapes[order] / (2 * mpmath.pi))
    for scale in (1.0, 1e-60) if order else (1.0, 1e-200):
        points, others = (scale * torch.tensor([row], dtype=torch.float64) for row in ([1.0, 0.0], other))
        ours = ArcCosine(order).kernel(points, others / scale).item() / scale**order
        assert ours == pytest.approx(exact, rel=1e-13, abs=0)
    points = torch.tensor([[1.0, 0.0], [0.3, -0.2]], dtype=torch.float64, requires_grad=True)
    opposite = torch.tensor([other], dtype=torch.float64, requires_grad=True)
    if order and missing > 1e-3:
        assert torch.autograd.gradcheck(ArcCosine(order).kernel, (points, opposite))


def test_the_cosine_kernel_is_the_expectation_over_offset_and_projection():
    """The phase difference u = <W, x - x'> is N(0, 2 gamma |x - x'|^2); the offset averages cos(a) cos(b) to half."""
    points, others, gamma = _points(1, 3), _points(1, 3, seed=5), 0.3
    variance = 2 * gamma * (points - others).square().sum().item()
    density = 1 / math.sqrt(2 * math.pi * variance)
    expected, _ = quad(lambda u: math.cos(u) / 2 * density * math.exp(-u * u / (2 * variance)), -30, 30, limit=200)
    assert OffsetCosine(gamma).kernel(points, others).item() == pytest.approx(expected, abs=1e-10)
    offsets = torch.arange(8, dtype=torch.float64) * (math.pi / 4)
    parameters = torch.cat([torch.full((8, 3), 0.4, dtype=torch.float64), offsets.unsqueeze(-1)], -1)
    features, others_features = (OffsetCosine(gamma).evaluate(x, parameters) for x in (points, others))
    phase = 0.4 * (points - others).sum()
    torch.testing.assert_close((features @ others_features.mT / 8).squeeze(), phase.cos() / 2)


def test_all_coordinates_with_equal_weights_are_the_linear_kernel():
    points, family = _points(6, 4), Coordinates()
    features = family.evaluate(points, family.every(4))
    torch.testing.assert_close(features, points)
    torch.testing.assert_close(features @ features.mT / 4, family.kernel(points, points))


def test_drawn_frequencies_scale_with_the_bandwidth_and_offsets_fill_the_circle():
    narrow, wide = (OffsetCosine(g).draw(2000, 3, generator=_generator()) for g in (0.5, 2.0))
    torch.testing.assert_close(wide[:, :3], 2 * narrow[:, :3])
    plain = torch.randn(2000, 3, dtype=torch.float64, generator=_generator())
    torch.testing.assert_close(narrow[:, :3], plain)  # gamma = 1/2 is N(0, I)
    offsets = narrow[:, 3] / (2 * math.pi)
    # Dvoretzky-Kiefer-Wolfowitz at error 1e-9: any true law that is 0.14 away is noticed
    ranks = torch.arange(1, 2001, dtype=torch.float64) / 2000
    assert (offsets.sort().values - ranks).abs().max() <= math.sqrt(math.log(2e9) / 4000) + 1 / 2000
    coordinates = Coordinates().draw(400, 5, generator=_generator())
    assert set(coordinates.flatten().tolist()) == set(range(5))


def test_zero_points_are_specified():
    zero, parameters = torch.zeros(1, 3, dtype=torch.float64), _points(4, 3)
    for order in (0, 1, 2):
        assert (ArcCosine(order).evaluate(zero, parameters) == 0).all()
        assert ArcCosine(order).kernel(zero, _points(1, 3)).item() == 0


def test_features_are_differentiable_where_they_are_smooth():
    points, weights = _points(3, 2).requires_grad_(), _points(1, 3, seed=9)
    for family in (OffsetCosine(), ArcCosine(1), ArcCosine(2)):
        parameters = family.draw(4, 2, generator=_generator()).requires_grad_()
        assert torch.autograd.gradcheck(lambda x, w, f=family: f.weighted_sums(x, w, weights), (points, parameters))


def test_impossible_parameters_are_refused_by_name():
    with pytest.raises(ValueError, match="gamma = 0"):
        OffsetCosine(0.0)
    with pytest.raises(ValueError, match="order = 3"):
        ArcCosine(3)
    for family in FAMILIES:
        with pytest.raises(ValueError, match="count = 0"):
            family.draw(0, 2, generator=_generator())
        with pytest.raises(ValueError, match="dimension = 0"):
            family.draw(2, 0, generator=_generator())
