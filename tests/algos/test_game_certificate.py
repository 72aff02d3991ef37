"""Certificates along real runs against the exact value on a finite set: they must hold to 1e-10, and be needed."""

import dataclasses
import functools
import math

import pytest
import torch

from algos.best_response.lattice import FinitePeaks
from algos.best_response.oracle import BestResponse
from algos.margin_game.certificate import average_regret, game_certificate, measure_maximum, regret_certificate
from algos.margin_game.game import margin_payoff, play_margin_game
from algos.margin_game.maximum import margin_maximum
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import adagrad_norm_step, decreasing_step
from algos.margin_game.squared_hinge import play_squared_hinge_game
from algos.margin_game.value import margin_value

GRID = torch.linspace(0, math.pi, 65, dtype=torch.float64).unsqueeze(-1)
ROUNDS = (1, 2, 5, 40, 150)
GAMES = {
    "closed form": ([0, 1, 3, 4], [-1, -1, 1, 1], 0.25),
    "eight points": ([3, 5, 1, 3, 7, 3, 0, 6], [1, 1, 1, 1, -1, -1, -1, -1], 0.5),
    "unbalanced": ([0, 1, 2, 5, 5, 6], [1, -1, -1, -1, -1, -1], 1.0),
    "two points": ([0, 1], [1, -1], 1.0),
    "contradictory duplicates": ([2, 2, 3], [1, -1, 1], 4.0),
    "one class": ([0, 1, 2], [1, 1, 1], 1.0),
}
STEPS = {"decreasing": decreasing_step(0.05), "adagrad": adagrad_norm_step(1.0), "none": decreasing_step(0.0)}


def data(name):
    points, labels, box = GAMES[name]
    return torch.tensor(points, dtype=torch.float64).unsqueeze(-1), torch.tensor(labels, dtype=torch.float64), box


@functools.cache
def value_of(name, scale):
    """The game's value on the grid, in `scale` times the box."""
    points, labels, box = data(name)
    return margin_value(FinitePeaks(points, GRID).features(GRID), labels, scale * box)


class SecondBest:
    """A lazy player that answers with the runner-up and says exactly by how much it missed the peak."""

    def __init__(self, player):
        self._player, self.features = player, player.features

    def __call__(self, signed):
        best, second = self._player.potential(signed).topk(2).values
        place = self._player.potential(signed).topk(2).indices[1]
        index = self._player.frequencies[place]
        return BestResponse(index, self.features(index), second, best - second)


@pytest.mark.in_turn
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", GAMES)
def test_the_regret_certificate_holds_along_runs(name, step):
    """gap(lambda_bar) <= s regret + s^2 mean eps / 2, F* enclosed by cutting planes, for both masses and players."""
    points, labels, box = data(name)
    exact = FinitePeaks(points, GRID)
    for mass, player in [(1.0, exact), (2.0, exact), (1.0, SecondBest(exact))]:
        value = value_of(name, mass)
        game = play_margin_game(player, labels, box, rounds=ROUNDS[-1], step=STEPS[step], mass=mass)
        for rounds in ROUNDS:
            reached = measure_maximum(dual_measure(game, rounds), player, labels, mass * box).lower.item()
            assert reached - value.upper <= regret_certificate(game, player, rounds=rounds) + 1e-10


def test_without_the_gaps_of_the_player_the_certificate_fails():
    """A player that always answers 0 makes lambda_bar a constant kernel and the regret vanish: eps must pay."""
    points, labels, box = data("closed form")
    exact = FinitePeaks(points, GRID)

    class Constant:
        features = staticmethod(exact.features)

        def __call__(self, signed):
            index = torch.zeros(1, dtype=torch.float64)
            value = (self.features(index).T @ signed).square().sum()
            return BestResponse(index, self.features(index), value, exact(signed).value - value)

    player = Constant()
    game = play_margin_game(player, labels, box, rounds=200, step=decreasing_step(0.1))
    value = value_of("closed form", 1.0)
    gap = measure_maximum(dual_measure(game), player, labels, box).lower.item() - value.lower
    honest = regret_certificate(game, player)
    silent = regret_certificate(dataclasses.replace(game, gaps=torch.zeros_like(game.gaps)), player)
    assert gap <= honest + 1e-10
    assert gap > silent + 0.1


def test_the_regret_is_that_of_the_payoffs():
    """max over K of the summed payoffs, from weights kept aside, equals the bracket; its lower end is attained."""
    points, labels, box = data("eight points")
    player, kept = FinitePeaks(points, GRID), []

    def recording(signed):
        kept.append(labels * signed)
        return player(signed)

    game = play_margin_game(recording, labels, box, rounds=60, step=decreasing_step(0.1), mass=2.0)
    lower, upper = average_regret(game, player)
    assert upper - lower <= 1e-10
    best = measure_maximum(dual_measure(game), player, labels, box, mass=2.0).weights

    def payoff(weights, index):
        return margin_payoff(weights, labels, points, index.unsqueeze(0), mass=2.0).item()

    gains = [payoff(best, w) - payoff(a, w) for a, w in zip(kept, game.indices, strict=True)]
    assert sum(gains) / 60 == pytest.approx(lower, abs=1e-10)


@pytest.mark.parametrize("name", GAMES)
def test_certificates_enclose_the_value(name):
    points, labels, box = data(name)
    player = FinitePeaks(points, GRID)
    for mass, scale in [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)]:
        game = play_margin_game(player, labels, box, rounds=100, step=adagrad_norm_step(1.0), mass=mass)
        certificate = game_certificate(game, player, scale=scale)
        value = value_of(name, scale)
        assert certificate.lower <= value.upper + 1e-10
        assert value.lower <= certificate.upper + 1e-10
        assert certificate.gap >= -1e-10


def test_the_printed_mass_converges_to_the_game_in_twice_the_box():
    """Four points, C = 1/4: mass 2 ends at pi/3, .0123 above the value; mass 1 on the same data does converge."""
    points, labels, box = data("closed form")
    frequencies = torch.cat([GRID, torch.tensor([[math.pi / 3]], dtype=torch.float64)])
    player = FinitePeaks(points, frequencies)
    value = margin_value(player.features(frequencies), labels, box)
    printed = play_margin_game(player, labels, box, rounds=1500, step=decreasing_step(0.05), mass=2.0)
    certificate = game_certificate(printed, player)
    assert certificate.maximum.lower.item() - value.upper > 0.0123 / 2
    assert game_certificate(printed, player, scale=2.0).gap < 0.0123 / 2
    right = play_margin_game(player, labels, box, rounds=1500, step=decreasing_step(0.05))
    assert game_certificate(right, player).gap < 0.0123 / 2


@pytest.mark.parametrize("box", [0.25, 1.0, 8.0])
@pytest.mark.parametrize("name", ["closed form", "eight points", "unbalanced", "two points", "one class"])
def test_squared_hinge_games_converge_as_strongly_concave_ones(name, box):
    """The certificate closes within C n (2 + C n)^2 (1 + log T) / (2 T), and its sides enclose a longer run's."""
    points, labels, _ = data(name)
    player, n, rounds = FinitePeaks(points, GRID), len(labels), 100
    game = play_squared_hinge_game(player, labels, box, rounds=rounds)
    certificate = game_certificate(game, player)
    assert -1e-10 <= certificate.gap <= box * n * (2 + box * n) ** 2 * (1 + math.log(rounds)) / (2 * rounds)
    assert certificate.gap <= regret_certificate(game, player) + 1e-10
    longer = game_certificate(play_squared_hinge_game(player, labels, box, rounds=300), player)
    assert certificate.lower <= longer.upper + 1e-10
    assert longer.lower <= certificate.upper + 1e-10


def test_squared_hinge_with_mass_two_is_mass_one_with_twice_the_constant():
    points, labels, _ = data("eight points")
    player = FinitePeaks(points, GRID)
    double = play_squared_hinge_game(player, labels, 0.5, rounds=50, mass=2.0)
    single = play_squared_hinge_game(player, labels, 1.0, rounds=50)
    torch.testing.assert_close(2 * double.mean_weights, single.mean_weights)
    two = game_certificate(double, player, scale=2.0)
    one = game_certificate(single, player)
    assert two.upper == pytest.approx(one.upper, rel=1e-9)
    assert two.lower == pytest.approx(one.lower, rel=1e-9)


def test_the_maximum_with_squared_losses_stays_in_the_ball():
    """|a| <= C sqrt n for every kernel, here for each single frequency: what makes the smaller domain harmless."""
    points, labels, _ = data("unbalanced")
    for box in (0.1, 3.0, 100.0):
        found = margin_maximum(FinitePeaks(points, GRID).features(GRID), labels, math.inf, ridge=1 / box)
        assert (found.weights.norm(dim=-1) <= box * len(labels) ** 0.5).all()


@pytest.mark.parametrize("box", [0.0, -1.0, math.inf, math.nan])
def test_squared_losses_need_a_positive_constant(box):
    points, labels, _ = data("two points")
    with pytest.raises(ValueError, match="box = "):
        play_squared_hinge_game(FinitePeaks(points, GRID), labels, box, rounds=3)
