"""Batches of small margin games on integers, played by the rules of Theorem 4.1, and what bounds their gaps."""

from dataclasses import dataclass

import torch
from torch import Tensor

from algos.best_response.lattice import LatticePeaks
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.maximum import margin_maximum
from algos.margin_game.measure import measure_features
from algos.margin_game.online import StepRule, adagrad_norm_step, decreasing_step
from algos.margin_game.projection import project_box_hyperplane
from algos.margin_game.value import margin_lower_bound
from bounds.margin_game.game import (
    adagrad_convergence,
    convergence,
    posterior_convergence,
    printed_play_convergence,
)
from bounds.margin_game.online import diameter, gradient_norm
from harness import Forall
from harness.claims.placement import table


@dataclass(frozen=True)
class SmallGames:
    """A batch of games on integers: points (*batch, n), labels (*batch, n), boxes (*batch,). One class may be empty.

    The min-player answers on a grid of so many frequencies of the circle.
    """

    points: Tensor
    labels: Tensor
    box: Tensor
    grid: int = 128

    @property
    def n(self) -> int:
        """Number of points."""
        return self.points.shape[-1]

    @property
    def minority(self) -> Tensor:
        """Sizes of the smaller classes."""
        return (self.n - self.labels.sum(-1).abs()) / 2

    @property
    def player(self) -> LatticePeaks:
        """The min-player, with a rigorous gap."""
        return LatticePeaks(self.points.unsqueeze(-1), grid=self.grid)

    def play(self, rounds: int, step: StepRule, *, mass: int = 1) -> MarginGame:
        """T rounds of Algorithm 2."""
        return play_margin_game(self.player, self.labels, self.box, rounds=rounds, step=step, mass=mass)

    def features(self, game: MarginGame) -> Tensor:
        """Features of lambda_bar, (*batch, n, 2 T)."""
        strategies = self.player.features(game.indices, self.points[..., None, :, None])
        shares = torch.full_like(game.values, 1 / game.values.shape[-1])
        return measure_features(strategies, shares)

    def payoff(self, game: MarginGame, weights: Tensor) -> Tensor:
        """F(., lambda_bar) at weights."""
        signed = (self.labels * weights).unsqueeze(-1)
        return weights.sum(-1) - (self.features(game).mT @ signed).square().sum((-2, -1)) / 2

    def largest(self, game: MarginGame, *, scale: float = 1.0) -> Tensor:
        """max F(., lambda_bar) in the box scale C, its certified upper end."""
        return margin_maximum(self.features(game), self.labels, scale * self.box).upper

    def guaranteed(self, game: MarginGame, *, scale: float = 1.0) -> Tensor:
        """What scale times the mean weights guarantee against every frequency, after the best shrinking."""
        weights = scale * game.mean_weights
        answer = self.player(self.labels * weights)
        return margin_lower_bound(weights.sum(-1), answer.value + answer.gap)


Outcome = tuple[MarginGame, Tensor]
"""A run, and the bound on its gap."""


def theorem(games: SmallGames, rounds: int) -> Outcome:
    """Steps D/(G sqrt t) and the bound 3 G D/(2 sqrt T)."""
    steepest = gradient_norm(games.box, games.n, games.minority, mass=1)
    game = games.play(rounds, decreasing_step(diameter(games.box, games.minority) / steepest))
    return game, convergence(games.box, games.n, games.minority, rounds, peak_gap=game.gaps.mean(-1))


def posterior(games: SmallGames, rounds: int, scale: Tensor, power: float) -> Outcome:
    """Steps c / t^power and the bound with the gradients of the run."""
    game = games.play(rounds, lambda t, _: scale / t**power)
    steps = scale.unsqueeze(-1) / table(range(1, rounds + 1), like=scale) ** power
    weighted, across = (steps * game.gradient_squares).sum(-1), diameter(games.box, games.minority)
    return game, posterior_convergence(across, steps[..., -1], weighted, rounds, peak_gap=game.gaps.mean(-1))


def adaptive(games: SmallGames, rounds: int) -> Outcome:
    """AdaGrad-norm steps and their bound."""
    across = diameter(games.box, games.minority)
    game = games.play(rounds, adagrad_norm_step(across))
    return game, adagrad_convergence(across, game.gradient_squares.sum(-1), rounds, peak_gap=game.gaps.mean(-1))


def as_played(games: SmallGames, rounds: int) -> Outcome:
    """Mass two, steps D/(G sqrt t) with the exact G, and the bound in the box 2 C."""
    steepest = gradient_norm(games.box, games.n, games.minority, mass=2)
    game = games.play(rounds, decreasing_step(diameter(games.box, games.minority) / steepest), mass=2)
    return game, printed_play_convergence(games.box, games.n, games.minority, rounds, peak_gap=game.gaps.mean(-1))


def games_and_weights(forall: Forall, n: int, *, scale: float = 1.0) -> tuple[SmallGames, Tensor]:
    """Any labels on any integers among 1, ..., 8, any box among 1/4, ..., 2, and any weights in the box scale C."""
    points, labels = forall.integers("points", 1, 8, n), forall.signs("labels", n)
    box = forall.integers("quarters", 1, 8) / 4
    raw = scale * box.unsqueeze(-1) * forall.interval("raw", 0.0, 1.0, n)
    return SmallGames(points, labels, box), project_box_hyperplane(raw, labels, scale * box)
