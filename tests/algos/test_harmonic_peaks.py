"""The players on spheres against enumeration of the potentials, their feature maps, and rotations of the data."""

import math

import numpy as np
import pytest
import torch

from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.sphere.harmonics import harmonic_pairs, spherical_harmonics
from algos.sphere.zonal import unit_directions, zonal_polynomials
from algos.sphere.zonal_features import ZonalMap, zonal_map

torch.set_num_threads(1)


def sphere(count, dimension, seed=0):
    points = np.random.default_rng(seed).standard_normal((count, dimension))
    return unit_directions(torch.from_numpy(points))


def weights(*shape, seed=1):
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape))


def rotation(dimension, seed=2):
    return torch.linalg.qr(torch.from_numpy(np.random.default_rng(seed).standard_normal((dimension, dimension))))[0]


PLAYERS = [HarmonicPeaks(sphere(30, 3), 8), *(ZonalPeaks(sphere(30, d), 8) for d in (2, 3, 5))]
every_player = pytest.mark.parametrize("player", PLAYERS, ids=["pairs", "circle", "sphere", "landmarks"])


def test_the_best_pair_is_that_of_enumeration():
    """v(l, m) = 4 pi |sum u Y|^2 over all (l, m) of both signs; the reported pair has m >= 0."""
    points, signed = sphere(40, 3), weights(7, 40)
    potentials = 4 * math.pi * (signed.to(torch.complex128) @ spherical_harmonics(points, 12)).abs().square()
    answer = HarmonicPeaks(points, 12)(signed)
    torch.testing.assert_close(answer.value, potentials.amax(-1), rtol=1e-12, atol=0)
    degrees, orders = answer.index.unbind(-1)
    at_index = potentials.gather(-1, (degrees**2 + degrees + orders).unsqueeze(-1)).squeeze(-1)
    torch.testing.assert_close(at_index, answer.value, rtol=1e-12, atol=0)
    assert (orders >= 0).all()
    assert (answer.gap == 0).all()


@pytest.mark.parametrize("dimension", [2, 3, 4, 6])
def test_the_best_degree_is_that_of_enumeration(dimension):
    points, signed = sphere(40, dimension), weights(2, 3, 40)
    grams = zonal_polynomials(points @ points.mT, 9, dimension)
    potentials = torch.einsum("...i,ijl,...j->...l", signed, grams, signed)
    player = ZonalPeaks(points, 9)
    torch.testing.assert_close(player.potentials(signed), potentials, rtol=1e-10, atol=1e-10)
    answer = player(signed)
    torch.testing.assert_close(answer.value, potentials.amax(-1), rtol=1e-10, atol=0)
    assert torch.equal(answer.index.squeeze(-1), potentials.argmax(-1))
    assert answer.index.shape == (2, 3, 1)


@pytest.mark.parametrize(
    "player", [HarmonicPeaks(sphere(30, 3), 8), *(ZonalPeaks(sphere(30, d), 8) for d in (2, 3, 5))]
)
@pytest.mark.parametrize("shape", [(30,), (4, 30), (2, 3, 30)])
def test_the_value_is_the_squared_norm_of_the_features_times_the_weights(player, shape):
    """v = |Psi^T u|^2 for every batch shape; a wrong gather or padding gives the features of another strategy."""
    signed = weights(*shape)
    answer = player(signed)
    squares = (signed.unsqueeze(-2) @ answer.features).square().sum((-2, -1))
    torch.testing.assert_close(squares, answer.value, rtol=1e-10, atol=0)
    torch.testing.assert_close(player.features(answer.index), answer.features, rtol=0, atol=0)


@pytest.mark.parametrize("index", [(0, 0), (5, 0), (7, 3), (8, 8)])
def test_the_features_of_a_pair_are_its_kernel_of_mass_one(index):
    """(Y_l^m(x) conj Y_l^m(x') + its conjugate) / 2, times 4 pi, on the sample and on new points."""
    player, new = HarmonicPeaks(sphere(30, 3), 8), sphere(11, 3, seed=4)
    position = index[0] ** 2 + sum(index)
    for points, features in (
        (sphere(30, 3), player.features(torch.tensor(index))),
        (new, player.features(torch.tensor(index), new)),
    ):
        column = spherical_harmonics(points, 8)[:, position : position + 1]
        torch.testing.assert_close(features @ features.mT, 4 * math.pi * (column @ column.mH).real, rtol=0, atol=1e-13)
        assert features.shape == (len(points), 1 if index[1] == 0 else 2)
    several = player.features(torch.tensor([[5, 0], [7, 3]]), new)
    assert several.shape == (2, 11, 2)
    assert torch.equal(several[1], player.features(torch.tensor([7, 3]), new))


@pytest.mark.parametrize(("dimension", "degree", "rank"), [(2, 5, 2), (2, 0, 1), (3, 6, 13), (4, 3, 16), (6, 2, 20)])
def test_the_map_of_a_degree_is_exact_everywhere_once_the_sample_spans_it(dimension, degree, rank):
    """N(d, l) landmarks make the map exact at points that it never saw."""
    new = sphere(25, dimension, seed=5)
    features = zonal_map(sphere(80, dimension), degree)(new)
    expected = zonal_polynomials(new @ new.mT, degree, dimension)[..., degree]
    torch.testing.assert_close(features @ features.mT, expected, rtol=0, atol=1e-9)
    assert features.shape == (25, rank)


def test_with_fewer_points_the_map_is_exact_between_any_point_and_the_sample():
    sample, new = sphere(15, 5), sphere(25, 5, seed=6)
    kernel = zonal_map(torch.cat([sample, 3 * sample[:4]]), 7)
    expected = zonal_polynomials(new @ sample.mT, 7, 5)[..., 7]
    assert kernel(new).shape == (25, 15)  # repeated points are no new landmarks
    torch.testing.assert_close(kernel(new) @ kernel(sample).mT, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("degree", [9, 100, 400])
def test_equal_points_of_high_degree_share_a_landmark(degree):
    """Rounding in P_l near 1 grows like l^2: once two copies of a point made a singular factor."""
    points = sphere(20, 4)
    kernel = zonal_map(torch.cat([points, 1.7 * points]), degree)
    assert kernel.rank <= 20
    features = kernel(points)
    assert (features @ features.mT).diagonal().sub(1).abs().max() < 1e-14 * max(100, degree**2)


def test_degrees_are_invariant_to_rotations_and_pairs_are_not():
    points, signed = sphere(60, 3), weights(60)
    turned = points @ rotation(3)
    for dimension in (2, 3, 5):
        cloud = sphere(60, dimension)
        plain, rotated = (ZonalPeaks(x, 9).potentials(signed) for x in (cloud, cloud @ rotation(dimension)))
        torch.testing.assert_close(rotated, plain, rtol=1e-9, atol=1e-9)
    assert abs(HarmonicPeaks(turned, 9)(signed).value / HarmonicPeaks(points, 9)(signed).value - 1) > 0.01


def test_a_pair_is_at_most_the_potential_of_its_degree_times_the_number_of_harmonics():
    """v_l = sum_m v(l, m) / (2l + 1): the average over a degree lies below its best pair."""
    points, signed = sphere(30, 3), weights(30)
    pairs = 4 * math.pi * (signed.to(torch.complex128) @ spherical_harmonics(points, 6)).abs().square()
    degrees = ZonalPeaks(points, 6).potentials(signed)
    means = torch.stack([pairs[ell**2 : (ell + 1) ** 2].mean() for ell in range(7)])
    torch.testing.assert_close(degrees, means, rtol=1e-12, atol=0)


@pytest.mark.parametrize("make", [HarmonicPeaks, ZonalPeaks])
def test_degenerate_samples(make):
    """One point, equal points, zero weights, degree 0, lengths other than one."""
    one = make(torch.tensor([[0.0, 0.0, 2.0]], dtype=torch.float64), 4)
    answer = one(torch.tensor([3.0], dtype=torch.float64))
    largest = 9.0 * (9 if make is HarmonicPeaks else 1)  # 2l + 1 = 9 at the pole against |P_l| <= 1
    torch.testing.assert_close(answer.value, torch.tensor(largest, dtype=torch.float64))
    points, signed = sphere(20, 3), weights(20)
    zero = make(points, 4)(torch.zeros(20, dtype=torch.float64))
    assert zero.value == 0
    assert (zero.index == 0).all()
    constant = make(points, 0)(signed)
    torch.testing.assert_close(constant.value, signed.sum().square())
    twice = make(torch.cat([points, 5 * points]), 4)(torch.cat([signed, signed]))
    torch.testing.assert_close(twice.value, 4 * make(points, 4)(signed).value)


@every_player
def test_values_can_be_differentiated_in_the_weights(player):
    assert torch.autograd.gradcheck(lambda u: player(u).value, (weights(30).requires_grad_(),))


@pytest.mark.parametrize("make", [lambda x: HarmonicPeaks(x, 5), lambda x: ZonalPeaks(x, 5)])
def test_the_dtype_follows_the_points(make):
    answer = make(sphere(12, 3).float())(weights(12).float())
    assert answer.value.dtype == answer.features.dtype == answer.gap.dtype == torch.float32
    mixed = make(sphere(12, 3).float())(weights(12))
    torch.testing.assert_close(mixed.value, answer.value)
    landmarks = ZonalPeaks(sphere(12, 5).float(), 5)(weights(12).float())
    assert landmarks.value.dtype == landmarks.features.dtype == torch.float32


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: HarmonicPeaks(torch.ones(3)), r"shape \(3,\)"),
        (lambda: HarmonicPeaks(torch.ones(0, 3)), r"shape \(0, 3\)"),
        (lambda: HarmonicPeaks(torch.ones(2, 4)), r"shape \(2, 4\)"),
        (lambda: HarmonicPeaks(torch.zeros(2, 3)), "points is zero"),
        (lambda: HarmonicPeaks(torch.tensor([[1.0, 2.0, math.nan]])), "an entry of"),
        (lambda: ZonalPeaks(torch.tensor([[1.0, 2.0], [math.inf, 0.0]])), "an entry of"),
        (lambda: HarmonicPeaks(torch.ones(2, 3), 1)(torch.ones(3)), "2 points"),
        (lambda: ZonalPeaks(torch.ones(2, 5), 1)(torch.ones(3)), "2 points"),
        (lambda: HarmonicPeaks(torch.ones(2, 3), -1), "degree = -1"),
        (lambda: ZonalPeaks(torch.ones(2, 1)), "d >= 2"),
        (lambda: ZonalPeaks(torch.ones(2, 2), -3), "degree = -3"),
        (lambda: zonal_map(torch.zeros(2, 5), 2), "points is zero"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("pair", [[1.5, 0.0], [2.0, 0.5], [1e300, 1.0], [-1.0, 0.0], [1.0, 2.0]])
def test_what_names_no_pair_is_refused_instead_of_being_rounded_or_left_out(pair):
    points = torch.eye(3, dtype=torch.float64)
    with pytest.raises(ValueError, match="indices"):
        harmonic_pairs(points, torch.tensor([[1.0, 0.0], pair]))
    with pytest.raises(ValueError, match="index"):
        HarmonicPeaks(points, 2).features(torch.tensor(pair))


def test_a_degree_is_no_fraction():
    with pytest.raises(ValueError, match="index"):
        ZonalPeaks(torch.eye(3, dtype=torch.float64), 2).features(torch.tensor([1.5]))


def test_a_map_without_the_landmarks_that_its_dimension_needs_is_refused_by_name():
    with pytest.raises(ValueError, match="5 coordinates needs landmarks"):
        ZonalMap(2, 5)(torch.eye(5, dtype=torch.float64))
