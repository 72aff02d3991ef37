"""The grid players: exact values on the grid, and an upper bound that no frequency exceeds."""

import math

import pytest
import torch

from algos.best_response.lattice import FinitePeaks, LatticePeaks
from algos.fourier.sums import fourier_potential


def signed_weights(n: int, *batch: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*batch, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def dense(points: torch.Tensor, signed: torch.Tensor, count: int = 20_001) -> torch.Tensor:
    """The largest value of the potential on a far finer grid of [0, pi], by direct sums."""
    frequencies = torch.linspace(0, math.pi, count, dtype=torch.float64).unsqueeze(-1)
    return fourier_potential(points.double(), frequencies, signed).amax(-1)


@pytest.mark.parametrize("grid", [6, 7, 64, 512])
@pytest.mark.parametrize("seed", range(4))
def test_the_gap_covers_what_a_far_finer_grid_finds(grid, seed):
    points = torch.randint(-9, 10, (12, 1), generator=torch.Generator().manual_seed(seed))
    signed = signed_weights(12, 3, seed=seed)
    answer = LatticePeaks(points, grid=grid)(signed)
    best = dense(points, signed)
    assert (answer.value + answer.gap >= best * (1 - 1e-12)).all()
    assert (answer.value <= best + 4 * best * (18 * math.pi / 20_000) ** 2).all()


def test_the_potential_on_the_grid_is_the_direct_sum_also_for_points_beyond_the_grid():
    points = torch.tensor([[-100], [3], [3], [1000], [77]])
    player = LatticePeaks(points, grid=32)
    signed = signed_weights(5, 2)
    frequencies = torch.arange(17, dtype=torch.float64).unsqueeze(-1) * (2 * math.pi / 32)
    expected = fourier_potential(points.double(), frequencies, signed)
    torch.testing.assert_close(player.potential(signed), expected, rtol=0, atol=1e-11)
    answer = player(signed)
    torch.testing.assert_close(answer.value, expected.amax(-1), rtol=1e-11, atol=0)


def test_a_fine_grid_leaves_a_gap_of_second_order():
    """Both bounds of the gap are h^2 R^2 v / 16 at most, to second order; a first-order bound would not halve twice."""
    points = torch.tensor([[0], [1], [3], [4]])
    signed = torch.tensor([-0.25, -0.25, 0.25, 0.25], dtype=torch.float64)
    for grid in (2**8, 2**12, 2**16):
        answer = LatticePeaks(points, grid=grid)(signed)
        assert 0 <= answer.gap <= (2 * math.pi / grid * 4) ** 2 / 16 * answer.value * 1.01
    # cos^2(w/2) sin^2(3w/2) at its maximum .9359295: the closed form of the four-point game.
    torch.testing.assert_close(answer.value.item(), 2 * (1 - 0.61272406), rtol=1e-7, atol=0)
    assert abs(answer.index.item() - 0.9359295) < 1e-4


def test_the_height_of_the_potential_enters_the_gap():
    """Weights of alternating sign on shuffled points: the second derivative's bound alone would be far larger."""
    signed = torch.sign(signed_weights(64))
    points = torch.arange(64).unsqueeze(-1)
    answer = LatticePeaks(points, grid=1024)(signed)
    x = points.double().squeeze(-1) - 31.5
    curvature = (math.pi * 2 / 1024) ** 2 / 4 * (x.square().sum() * 64)
    assert answer.gap < curvature / 4


def test_degenerate_weights_and_points():
    player = LatticePeaks(torch.tensor([[2.0], [2.0], [5.0]], dtype=torch.float64))
    nothing = player(torch.zeros(3, dtype=torch.float64))
    assert nothing.value == 0
    assert nothing.gap == 0
    single = LatticePeaks(torch.tensor([[7]]), grid=2)(torch.tensor([-3.0], dtype=torch.float64))
    assert single.gap == 0
    torch.testing.assert_close(single.value.item(), 9.0)
    cancelling = player(torch.tensor([1.0, -1.0, 0.0], dtype=torch.float64))
    assert cancelling.value + cancelling.gap < 1e-25


def test_points_far_apart_have_a_valid_gap_however_their_phases_are_rounded():
    signed = torch.tensor([1.0, -1.0, 1.0], dtype=torch.float64)
    for far in (10**6, 10**12, 2**53 - 1):
        answer = LatticePeaks(torch.tensor([[0], [1], [far]]))(signed)
        # Within pi / far of pi there is a w at which the third phase is a multiple of 2 pi; the second is nearly pi.
        assert answer.value + answer.gap >= 9 * (1 - 1e-4)
        assert answer.value <= 9 * (1 + 1e-12)


def test_a_grid_coarser_than_the_span_still_gives_a_valid_gap():
    points = torch.tensor([[0], [50]])
    answer = LatticePeaks(points, grid=4)(torch.tensor([1.0, -1.0], dtype=torch.float64))
    assert answer.value + answer.gap >= 4.0 * (1 - 1e-12)
    assert answer.value + answer.gap <= 4.0 * (1 + 1e-12)


@pytest.mark.parametrize("player", [LatticePeaks, lambda x: FinitePeaks(x, torch.linspace(0, 3, 7)[:, None])])
def test_features_reproduce_value_and_extend_to_new_points(player):
    points = torch.tensor([[0], [1], [3]])
    finder = player(points)
    signed = signed_weights(3, 5)
    answer = finder(signed)
    torch.testing.assert_close(finder.features(answer.index), answer.features)
    value = (answer.features.mT @ signed.unsqueeze(-1)).square().sum((-1, -2))
    torch.testing.assert_close(value, answer.value)
    new = torch.tensor([[2.0], [-1.5]], dtype=torch.float64)
    assert finder.features(answer.index, new).shape == (5, 2, 2)
    assert finder.features(answer.index[0], new).shape == (2, 2)


def test_the_value_is_differentiable_in_the_weights():
    points = torch.tensor([[0], [1], [3]])
    signed = torch.tensor([0.5, -0.3, 0.4], dtype=torch.float64, requires_grad=True)
    answer = LatticePeaks(points)(signed)
    (gradient,) = torch.autograd.grad(answer.value, signed)
    expected = 2 * answer.features @ (answer.features.mT @ signed)
    torch.testing.assert_close(gradient, expected.detach())


def test_batched_points_are_searched_one_by_one():
    points = torch.tensor([[[0], [1], [4]], [[0], [2], [3]]])
    signed = signed_weights(3)
    frequencies = torch.linspace(0, 3, 50, dtype=torch.float64).unsqueeze(-1)
    for make in (LatticePeaks, lambda x: FinitePeaks(x, frequencies)):
        together = make(points)(signed)
        for k in range(2):
            alone = make(points[k])(signed)
            torch.testing.assert_close(together.value[k], alone.value)
            torch.testing.assert_close(together.index[k], alone.index)
            torch.testing.assert_close(together.features[k], alone.features)


def test_a_finite_set_is_searched_by_exhaustion():
    generator = torch.Generator().manual_seed(0)
    points = torch.randn(20, 3, generator=generator, dtype=torch.float64)
    frequencies = torch.randn(30, 3, generator=generator, dtype=torch.float64)
    signed = signed_weights(20, 4)
    answer = FinitePeaks(points, frequencies)(signed)
    value, place = fourier_potential(points, frequencies, signed).max(-1)
    torch.testing.assert_close(answer.value, value)
    assert torch.equal(answer.index, frequencies[place])
    assert (answer.gap == 0).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LatticePeaks(torch.tensor([[0.0], [0.5]])), "0.5, which is no integer"),
        (lambda: LatticePeaks(torch.tensor([[0], [2**53 + 1]])), r"beyond 2\^53"),
        (lambda: LatticePeaks(torch.tensor([[0.0], [-1e19]])), r"beyond 2\^53"),
        (lambda: LatticePeaks(torch.tensor([[0], [1]]), grid=1), "grid = 1"),
        (lambda: LatticePeaks(torch.zeros(3, 2)), "axes"),
        (lambda: LatticePeaks(torch.zeros(0, 1)), "n >= 1"),
        (lambda: LatticePeaks(torch.full((2, 1), math.inf)), "finite"),
        (lambda: FinitePeaks(torch.zeros(3, 2), torch.zeros(4, 3)), "d = 2"),
        (lambda: LatticePeaks(torch.tensor([[0], [1]]))(torch.zeros(3)), "2 points"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
