"""The mean strategy of a run: merging must neither lose mass nor change the kernel."""

import pytest
import torch

from algos.best_response.lattice import FinitePeaks
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.measure import dual_measure, measure_features
from algos.margin_game.online import decreasing_step


def game_of(indices):
    """A run that played these strategies; nothing else of it matters here."""
    indices = torch.tensor(indices, dtype=torch.float64)
    rounds = torch.ones(indices.shape[:-1], dtype=torch.float64)
    weights = torch.ones(*indices.shape[:-2], 2, dtype=torch.float64)
    return MarginGame(
        indices=indices,
        values=rounds,
        gaps=rounds,
        gradient_squares=rounds,
        weight_sums=rounds,
        weight_squares=rounds,
        mean_weights=weights,
        last_weights=weights,
        labels=torch.tensor([1.0, -1.0], dtype=torch.float64),
        box=1.0,
        mass=1.0,
    )


def test_a_frequency_and_its_negative_are_one_strategy():
    """Also where the first coordinate vanishes, and where zero has a sign."""
    played = [[1, 2], [-1, -2], [0, -3], [-0.0, 3], [0, 0], [-0.0, -0.0], [1, -2], [1, 2]]
    measure = dual_measure(game_of(played))
    found = {tuple(w.tolist()): mass.item() for w, mass in zip(measure.indices, measure.masses, strict=True)}
    assert found == {(1, 2): 0.375, (0, 3): 0.25, (0, 0): 0.25, (1, -2): 0.125}


def test_the_first_rounds_have_their_own_measure():
    game = game_of([[1], [2], [2], [3]])
    assert dual_measure(game, 3).masses.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert dual_measure(game, 1).indices.tolist() == [[1]]


def test_the_kernel_of_the_measure_is_the_mean_kernel_of_the_rounds():
    points = torch.tensor([[0.0], [1.0], [3.0], [4.0], [6.0]], dtype=torch.float64)
    labels = torch.tensor([1.0, -1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
    player = FinitePeaks(points, torch.linspace(0, 3, 31, dtype=torch.float64).unsqueeze(-1))
    game = play_margin_game(player, labels, 1.0, rounds=50, step=decreasing_step(0.3))
    mean = sum((f @ f.T for f in map(player.features, game.indices)), torch.zeros(5, 5, dtype=torch.float64)) / 50
    measure = dual_measure(game)
    assert len(measure.masses) < 50
    features = measure_features(player.features(measure.indices), measure.masses)
    torch.testing.assert_close(features @ features.T, mean)
    assert measure.masses.sum().item() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("rounds", [0, 5])
def test_more_rounds_than_were_played_are_refused(rounds):
    with pytest.raises(ValueError, match=f"rounds = {rounds}"):
        dual_measure(game_of([[1], [2], [2], [3]]), rounds)


def test_a_batch_must_be_sliced():
    batch = game_of([[[1], [2]], [[3], [3]]])
    with pytest.raises(ValueError, match="batch of shape"):
        dual_measure(batch)
    assert dual_measure(batch[1]).masses.tolist() == [1]
