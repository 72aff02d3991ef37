"""The planar player: peaks that a dense search cannot beat, and bounds that it never exceeds."""

import math

import pytest
import torch

from algos.best_response._planar_search import Curvature, grid_cells, newton_peaks
from algos.best_response.lattice import LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.best_response.separable_potential import SeparablePotential
from algos.fourier.sums import fourier_potential


def cloud(n: int, seed: int) -> torch.Tensor:
    return 2 * torch.rand(n, 2, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) - 1


def weights(n: int, seed: int, *batch: int) -> torch.Tensor:
    return torch.randn(*batch, n, generator=torch.Generator().manual_seed(1000 + seed), dtype=torch.float64)


def dense(points: torch.Tensor, signed: torch.Tensor, radius: float, count: int) -> torch.Tensor:
    """The largest potential on a dense grid of half the box, by direct sums."""
    first = torch.linspace(0, radius, count, dtype=torch.float64)
    second = torch.linspace(-radius, radius, 2 * count, dtype=torch.float64)
    return fourier_potential(points, torch.cartesian_prod(first, second), signed).amax(-1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("spacing", "starts"), [(0.25, 3), (2.0, 1)])
def test_value_plus_gap_covers_a_dense_search(seed, spacing, starts):
    """Small boxes, so that the maximum is often on an edge; a coarse grid misses the peak and must own up to it."""
    points, signed = cloud(4 + seed, seed), weights(4 + seed, seed, 2)
    answer = PlanarPeaks(points, radius=3.0, spacing=spacing, starts=starts)(signed)
    best = dense(points, signed, 3.0, 200)
    assert (answer.value + answer.gap >= best * (1 - 1e-12)).all()
    assert (answer.index.abs() <= 3.0).all()
    if spacing < 1:
        assert (answer.value >= best * (1 - 1e-12)).all()


@pytest.mark.parametrize("direction", [(1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (0.5, 2.0)])
def test_the_bound_around_a_maximum_is_valid_and_sharp_to_second_order(direction):
    """Two points x, v = 4 cos^2(<w, x - x'> / 2): the bound from a neighbour at e is 4 + O(e^4), never less than 4."""
    delta = torch.tensor(direction, dtype=torch.float64)
    curvature = Curvature(
        torch.tensor(2.0, dtype=torch.float64), torch.stack([delta[0] ** 2, delta[0] * delta[1], delta[1] ** 2]) / 4
    )
    for size in (0.3, 0.03):
        e = size * delta
        upper = curvature.upper(4 * torch.cos((e * delta).sum() / 2).square(), e.abs())
        assert upper >= 4 * (1 - 1e-15)
        assert upper <= 4 + (e * delta).sum() ** 4


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.999])
def test_the_bound_solves_its_own_inequality(fraction):
    """A neighbour as low as the derivation allows, v = V - sqrt(V) s with s = A q, is bounded by V exactly."""
    half = torch.tensor([0.5, 0.25], dtype=torch.float64)
    covariance = torch.tensor([0.4, -0.1, 0.2], dtype=torch.float64)
    slack = 3.0 * (0.5**2 * 0.4 + 0.25**2 * 0.2 + 2 * 0.5 * 0.25 * 0.1)
    root = slack / (1 - fraction)
    upper = Curvature(torch.tensor(3.0, dtype=torch.float64), covariance).upper(
        torch.tensor(root**2 - root * slack, dtype=torch.float64), half
    )
    assert upper.item() == pytest.approx(root**2, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_no_neighbour_of_a_maximum_bounds_it_too_low(seed):
    points, signed = cloud(6, seed), weights(6, seed)
    player = PlanarPeaks(points, radius=50.0, tolerance=1e-9)
    answer, curvature = player(signed), player._curvature(signed)
    assert (answer.index.abs() < 49).all()
    offsets = 2 * cloud(400, 50 + seed) * torch.logspace(-2, 0, 400, dtype=torch.float64).unsqueeze(-1)
    values = fourier_potential(points, answer.index + 0.5 * offsets, signed)
    assert (curvature.upper(values, 0.5 * offsets.abs()) >= answer.value * (1 - 1e-12)).all()


def test_edges_of_the_box_have_cells_without_width():
    axes = (torch.tensor([0.0, 1.0, 2.0]), torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]))
    flat = Curvature(torch.tensor(1.0), torch.zeros(3))
    centres, halves, values = grid_cells(axes, torch.full((2,), 0.5), torch.ones(3, 5), flat, torch.tensor(0.5))
    assert len(centres) == len(values) == 15 + 5 + 6
    across_first, across_second = halves[:, 0] == 0, halves[:, 1] == 0
    assert sorted(map(tuple, centres[across_first].tolist())) == [(2.0, float(k)) for k in range(-2, 3)]
    assert sorted(map(tuple, centres[across_second].tolist())) == [(float(k), s) for k in range(3) for s in (-2.0, 2.0)]
    assert len(grid_cells(axes, torch.full((2,), 0.5), torch.ones(3, 5), flat, torch.tensor(2.0))[0]) == 0


@pytest.mark.parametrize("stride", [0.5, 10.0])
def test_ascents_from_anywhere_end_where_no_direction_of_the_box_climbs(stride):
    points, signed = cloud(15, 7), weights(15, 7)
    potential = SeparablePotential(points, radius=5.0)
    moments, starts = potential.moments(signed), 5 * cloud(60, 8)
    longest = torch.full((2,), stride, dtype=torch.float64)
    places, values = newton_peaks(potential, moments, starts, longest=longest, steps=60)
    assert (values >= potential.value(moments, starts) * (1 - 1e-12)).all()
    value, gradient = potential.value_and_gradient(moments, places)
    blocked = ((places == 5.0) & (gradient > 0)) | ((places == -5.0) & (gradient < 0))
    assert gradient.masked_fill(blocked, 0.0).abs().amax() <= 1e-6 * signed.abs().sum() ** 2
    torch.testing.assert_close(value, values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_branch_and_bound_reaches_its_tolerance_even_from_a_poor_start(seed):
    points, signed = cloud(8, seed), weights(8, seed)
    fine = PlanarPeaks(points, radius=6.0, tolerance=1e-8)(signed)
    coarse = PlanarPeaks(points, radius=6.0, spacing=3.0, starts=1, tolerance=1e-8)(signed)
    for answer in (fine, coarse):
        assert answer.gap <= 1e-8 * answer.value
        assert answer.value + answer.gap >= dense(points, signed, 6.0, 300)
    torch.testing.assert_close(coarse.value, fine.value, rtol=1e-8, atol=0)


def test_an_exhausted_search_reports_a_larger_gap_that_is_still_valid():
    points, signed = cloud(10, 3), weights(10, 3)
    exact = PlanarPeaks(points, radius=6.0, tolerance=1e-9)(signed)
    gaps = []
    for evaluations in (1, 2_000, 10**6):
        answer = PlanarPeaks(points, radius=6.0, spacing=1.0, tolerance=1e-9, evaluations=evaluations)(signed)
        assert answer.value + answer.gap >= exact.value * (1 - 1e-12)
        gaps.append(float(answer.gap))
    assert gaps[0] >= gaps[1] >= gaps[2]
    assert gaps[2] <= 1e-9 * answer.value
    assert gaps[0] > 1e-9 * answer.value


def test_a_line_in_the_plane_is_the_line():
    """Integer points on the first axis: the maximum over [0, pi] is that of the transform on the line, and the constant
    direction costs no evaluations."""
    line = torch.tensor([[0], [1], [3], [4]])
    signed = torch.tensor([-0.25, -0.25, 0.25, 0.25], dtype=torch.float64)
    plane = torch.cat([line.double(), torch.zeros(4, 1, dtype=torch.float64)], -1)
    answer = PlanarPeaks(plane, radius=math.pi, tolerance=1e-10, evaluations=2_000)(signed)
    exact = LatticePeaks(line, grid=2**18)(signed)
    assert exact.value <= answer.value + 1e-12
    assert answer.value <= exact.value + exact.gap
    assert answer.gap <= 1e-10 * answer.value


def test_a_maximum_in_the_corner_of_the_box_is_found_with_a_small_gap():
    """Two points with opposite signs: v = 2 - 2 cos(w1 + w2) grows up to the corner while w1 + w2 < pi."""
    points = torch.tensor([[0.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    signed = torch.tensor([1.0, -1.0], dtype=torch.float64)
    answer = PlanarPeaks(points, radius=1.0, tolerance=1e-10)(signed)
    torch.testing.assert_close(answer.value.item(), 2 - 2 * math.cos(2.0), rtol=1e-12, atol=0)
    torch.testing.assert_close(answer.index, torch.ones(2, dtype=torch.float64))
    assert answer.gap <= 1e-10 * answer.value


def test_the_gap_knows_the_height_of_the_potential():
    """Noise on many points: the plain second-derivative bound A^2 q would exceed the potential itself."""
    points, signed = cloud(400, 5), torch.sign(weights(400, 5))
    answer = PlanarPeaks(points, radius=20.0)(signed)
    mass = signed.abs().sum()
    variance = points.square().mean(0).sum() * 0.125**2
    assert answer.gap < 0.5 * mass.square() * variance
    assert answer.gap > 0


def test_degenerate_weights_and_points():
    player = PlanarPeaks(cloud(5, 0), tolerance=1e-6)
    nothing = player(torch.zeros(2, 5, dtype=torch.float64))
    assert (nothing.value == 0).all()
    assert (nothing.gap == 0).all()
    single = PlanarPeaks(torch.tensor([[3.0, -2.0]], dtype=torch.float64), tolerance=1e-6)
    answer = single(torch.tensor([-2.0], dtype=torch.float64))
    torch.testing.assert_close(answer.value.item(), 4.0)
    assert answer.gap <= 1e-12
    twice = PlanarPeaks(cloud(5, 0).repeat(2, 1))(weights(5, 0).repeat(2) / 2)
    once = PlanarPeaks(cloud(5, 0))(weights(5, 0))
    torch.testing.assert_close(twice.value, once.value)
    torch.testing.assert_close(twice.gap, once.gap)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spacing", [0.25, 2.0])
def test_two_equal_coordinates_are_a_line(seed, spacing):
    """Every Hessian has an eigenvalue that is exactly zero; a shift in proportion to it once divided by zero."""
    line = torch.randn(6, 1, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    signed = weights(6, seed).abs()
    answer = PlanarPeaks(line.expand(6, 2), radius=3.0, spacing=spacing)(signed)
    best = fourier_potential(line, torch.linspace(0, 6, 4001, dtype=torch.float64).unsqueeze(-1), signed).amax()
    assert answer.value + answer.gap >= best * (1 - 1e-12)
    assert answer.value <= best * (1 + 1e-4)


@pytest.mark.parametrize("scale", [1e-70, 1e90])
def test_the_size_of_the_weights_does_not_matter(scale):
    """Fourth powers of the weights would leave the range of numbers in a determinant that is not scaled."""
    player = PlanarPeaks(cloud(9, 3), radius=8.0)
    one, other = player(weights(9, 3)), player(scale * weights(9, 3))
    torch.testing.assert_close(other.index, one.index, rtol=1e-7, atol=1e-7)
    torch.testing.assert_close(other.value / scale**2, one.value)


def test_a_batch_is_answered_entry_by_entry_and_features_extend():
    points, signed = cloud(12, 1), weights(12, 1, 2, 3)
    for tolerance in (None, 1e-6):
        player = PlanarPeaks(points, radius=8.0, tolerance=tolerance)
        together = player(signed)
        assert together.index.shape == (2, 3, 2)
        assert together.features.shape == (2, 3, 12, 2)
        for i in range(2):
            for j in range(3):
                alone = player(signed[i, j])
                torch.testing.assert_close(together.value[i, j], alone.value)
                torch.testing.assert_close(together.gap[i, j], alone.gap, rtol=1e-6, atol=1e-10)
        direct = (together.features.mT @ signed.unsqueeze(-1)).square().sum((-1, -2))
        torch.testing.assert_close(direct, together.value)
        torch.testing.assert_close(player.features(together.index), together.features)
    assert player.features(together.index[0], cloud(7, 2)).shape == (3, 7, 2)


def test_float32_answers_in_float32_with_a_valid_gap():
    points, signed = cloud(50, 4), weights(50, 4)
    exact = PlanarPeaks(points, radius=10.0, tolerance=1e-9)(signed)
    answer = PlanarPeaks(points.float(), radius=10.0)(signed.float())
    assert answer.value.dtype == torch.float32
    torch.testing.assert_close(answer.value.double(), exact.value, rtol=1e-4, atol=0)
    assert answer.value + answer.gap >= exact.value


@pytest.mark.parametrize("option", [{"spacing": 0.0}, {"starts": 0}, {"tolerance": -1.0}, {"radius": -2.0}])
def test_numbers_that_are_not_positive_are_refused(option):
    with pytest.raises(ValueError, match=r"positive|starts = 0"):
        PlanarPeaks(cloud(3, 0), **option)


def test_points_off_the_plane_are_refused():
    with pytest.raises(ValueError, match="n, 2"):
        PlanarPeaks(torch.zeros(3, 1))


@pytest.mark.parametrize("size", [60.0, 1e3, 1e300])
def test_a_grid_that_no_memory_holds_is_refused_at_once(size):
    """Points that nobody scaled; the nodes of the interpolation alone would fill the memory."""
    with pytest.raises(ValueError, match="scale the points"):
        PlanarPeaks(size * cloud(5, 0))
