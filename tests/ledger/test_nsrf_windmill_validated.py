"""The windmill with a validated step: games at once are games one by one, and the rows can fail."""

import itertools

import pytest
import torch

from algos.best_response.planar import PlanarPeaks
from algos.margin_game.game import margin_payoff_gradient
from harness.claims.full_size import FULL
from harness.claims.nsrf import windmill_validated
from harness.claims.nsrf.learned_machine import played
from harness.claims.nsrf.windmill_validated import accuracy_rows, games, regret_step, validated_multiple
from harness.claims.rows import prediction_half_width
from harness.data import windmill
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import bare_check


def test_games_at_once_are_games_one_by_one():
    points, labels = windmill(60, seed=11)
    player = PlanarPeaks(points, radius=10.0)
    for multiple, game in zip((0.5, 2.0), games(player, labels, (0.5, 2.0), rounds=12), strict=True):
        alone = played(player, labels, rounds=12, step=multiple / 61)
        torch.testing.assert_close(game.indices, alone.indices)
        torch.testing.assert_close(game.last_weights, alone.last_weights)


def test_the_step_is_diameter_over_gradient_bound():
    """D = C sqrt n; four weights of 1 on equal points with equal labels have the gradient 1 - 4 in each entry."""
    labels, points = torch.ones(4, dtype=torch.float64), torch.zeros(4, 2, dtype=torch.float64)
    slope = margin_payoff_gradient(torch.ones(4).double(), labels, points, torch.zeros(1, 2).double(), mass=1.0)
    assert slope.norm() == pytest.approx(3 * 4**0.5)
    assert slope.norm() <= 4**0.5 / regret_step(4) == pytest.approx(5 * 4**0.5)  # 1 + 4: the sign is not used


def test_validation_takes_the_multiple_with_most_held_out_points_right(monkeypatch):
    """Machines of the multiple 2 are right everywhere, of 8 on none, of the others on half of the points."""
    points, labels = windmill(40, seed=12)

    class Constant:
        def __init__(self, multiple: float) -> None:
            self.multiple = multiple

        def scores(self, new: torch.Tensor) -> torch.Tensor:
            truth = labels[[int((points == point).all(-1).nonzero()) for point in new]]
            return {2.0: truth, 8.0: -truth}.get(self.multiple, torch.ones_like(truth))

    monkeypatch.setattr(windmill_validated, "games", lambda *some, **_: some[2])
    monkeypatch.setattr(windmill_validated, "machine", lambda _, game, __: Constant(game))
    assert validated_multiple(points, labels, rounds=3) == 2.0
    monkeypatch.setattr(windmill_validated, "MULTIPLES", (0.25, 0.5, 8.0))
    assert validated_multiple(points, labels, rounds=3) == 0.25


def test_means_below_the_prediction_interval_fall_short():
    reached = torch.tensor([[99.9, 98.0], [99.8, 98.2], [99.7, 98.1]], dtype=torch.float64)
    training, _, test, allowed = accuracy_rows(reached)
    assert training.printed is None
    assert float(test.ours) < float(test.printed) == pytest.approx(99.3 - float(allowed.ours))
    assert float(allowed.ours) == pytest.approx(prediction_half_width([98.0, 98.2, 98.1], error=0.05))


@pytest.fixture
def small(monkeypatch):
    """Eight rounds on 120 points."""
    for name, value in (("POINTS", 120), ("UNSEEN", 400), ("ROUNDS", 8), ("SAMPLES", 3), ("RADIUS", 10.0)):
        monkeypatch.setattr(windmill_validated, name, value)
    monkeypatch.setenv(FULL, "1")


def test_a_small_windmill_is_learned_and_tested_on_other_points(small):
    rows = windmill_validated.windmill_with_a_validated_step(draw=Draw(3, ("test",)))
    means = [float(rows[0].ours), float(rows[2].ours)]
    assert all(60.0 < mean < 100.0 for mean in means)
    assert means[0] > means[1]
    assert rows[-1].ours in windmill_validated.MULTIPLES


@pytest.mark.parametrize(("test", "status"), [(99.25, Status.REFUTED), (98.9, Status.HOLDS)])
def test_falling_short_is_refuted_where_print_is_reached(small, monkeypatch, test, status):
    reached = itertools.cycle([(99.8, test - 0.02), (99.8, test), (99.9, test + 0.02)])
    monkeypatch.setattr(windmill_validated, "both_accuracies", lambda *_, **__: next(reached))
    assert bare_check(windmill_validated.windmill_with_a_validated_step).status is status
