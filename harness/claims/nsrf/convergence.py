"""Theorem 4.1 put right: pairs of mass one, the gradient bound G = sqrt n (1 + 2 C m), and certificates of a run.

F* is replaced by what the mean weights guarantee, which never exceeds it (`SmallGames.guaranteed`). So the claims say
more than the theorem: they bound the gap between what the mean strategies of both players guarantee.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.dual_measure import measure_features
from algos.lattice_peaks import LatticePeaks
from algos.margin_game import MarginGame, margin_payoff, play_margin_game
from algos.margin_maximum import margin_maximum
from algos.margin_value import margin_lower_bound
from algos.online import StepRule, adagrad_norm_step, decreasing_step
from algos.projection import project_box_hyperplane
from bounds.margin_game import adagrad_convergence, convergence, posterior_convergence, printed_play_convergence
from bounds.online import diameter, gradient_norm
from harness import Draw, Forall, always, claim, reproduction


@dataclass(frozen=True)
class SmallGames:
    """A batch of games on integers: points (*batch, n), labels (*batch, n), boxes (*batch,). One class may be empty."""

    points: Tensor
    labels: Tensor
    box: Tensor

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
        return LatticePeaks(self.points.unsqueeze(-1), grid=128)

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
    steps = scale.unsqueeze(-1) / torch.arange(1, rounds + 1, dtype=scale.dtype) ** power
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


@claim(
    "nsrf/thm-4.1",
    always(),
    over=[{"n": 4, "T": 1}, {"n": 5, "T": 4}],
    reading="corrected",
    cite="nsrf, Theorem 4.1, with pairs of mass one and steps D/(G sqrt t)",
)
def mean_measure_converges(forall: Forall, *, n: int, T: int):
    """F(a, lambda_bar) <= F* + (mean of eps_t)/2 + 3 G D/(2 sqrt T) on K, D = C sqrt(2 m), G = sqrt n (1 + 2 C m).

    g_t = 1 - Y Re(conj(S) Phi), the gradient for a pair of mass one; m is the size of the smaller class. F* is replaced
    by a lower bound of it, what the mean weights guarantee.
    """
    games, weights = games_and_weights(forall, n)
    game, allowed = theorem(games, T)
    return games.payoff(game, weights), games.guaranteed(game) + allowed


@claim(
    "nsrf/thm-4.1-posterior",
    always(),
    over=[{"n": 5, "T": 4, "power": 0.5}],
    cite="nsrf, Theorem 4.1, corrected, with the gradients of the run",
)
def mean_measure_converges_with_any_steps(forall: Forall, *, n: int, T: int, power: float):
    """If eta_t never increases, the gap is at most (mean of eps_t)/2 + [D^2/eta_T + sum eta_t |g_t|^2]/(2 T).

    Pairs of mass one; here eta_t = c/t^power for any c.
    """
    games, weights = games_and_weights(forall, n)
    game, allowed = posterior(games, T, 0.25 * forall.integers("scale", 1, 12), power)
    return games.payoff(game, weights), games.guaranteed(game) + allowed


@claim(
    "nsrf/thm-4.1-adagrad",
    always(),
    over=[{"n": 5, "T": 4}],
    cite="nsrf, Theorem 4.1, corrected, with AdaGrad-norm steps",
)
def mean_measure_converges_with_adaptive_steps(forall: Forall, *, n: int, T: int):
    """With steps D/sqrt(2 sum_(s<=t) |g_s|^2) the gap is at most (mean of eps_t)/2 + sqrt 2 D sqrt(sum |g_t|^2)/T.

    Pairs of mass one; steps are zero while every gradient has been.
    """
    games, weights = games_and_weights(forall, n)
    game, allowed = adaptive(games, T)
    return games.payoff(game, weights), games.guaranteed(game) + allowed


@claim(
    "nsrf/thm-4.1-played",
    always(),
    over=[{"n": 5, "T": 4}],
    cite="nsrf, Theorem 4.1 and Algorithm 2, for the machine with the box 2 C",
)
def printed_play_converges_in_the_doubled_box(forall: Forall, *, n: int, T: int):
    """Algorithm 2 as printed has max F(., lambda_bar) <= F* + 2 (mean of eps_t) + 3 G D/sqrt T, both in the box 2 C.

    Steps D/(G sqrt t), G = sqrt n (1 + 4 C m), D = C sqrt(2 m). Its pair delta_w + delta_-w has mass two, so that its
    play in the box C is the play of mass one in the box 2 C: train the machine there, or double the kernel.
    """
    games, weights = games_and_weights(forall, n, scale=2.0)
    game, allowed = as_played(games, T)
    return games.payoff(game, weights), games.guaranteed(game, scale=2.0) + allowed


@claim(
    "nsrf/thm-4.1-regret",
    always(rtol=1e-10),
    over=[{"n": 5, "T": 4, "mass": 1}, {"n": 5, "T": 4, "mass": 2}],
    cite="nsrf, Theorem 4.1, its proof with the regret itself",
)
def regret_certifies_the_gap(forall: Forall, *, n: int, T: int, mass: int):
    """max F(., lambda_bar) - F* <= regret + (mean of eps_t)/2 for any steps, if pairs have mass one.

    An inequality without a constant. Regret: max F(., lambda_bar) - (mean of f_t(a_t)), f_t(a) = 1.a - v_a(w_t)/2, for
    F is affine in lambda. So the claim is that (mean of f_t(a_t)) - (mean of eps_t)/2 <= F(mean of a_t, (w, -w)) for
    every w, whose minimum is at most F*. Pairs of mass two play this game in the box 2 C, with weights 2 a_t.
    """
    points, labels = forall.integers("points", 1, 8, n), forall.signs("labels", n)
    games = SmallGames(points, labels, forall.integers("quarters", 1, 8) / 4)
    omega = forall.interval("omega", 0.0, math.pi)
    scale = 0.25 * forall.integers("scale", 1, 12)
    game = games.play(T, decreasing_step(scale), mass=mass)
    payoff = margin_payoff(
        mass * game.mean_weights, labels, points.unsqueeze(-1), omega[..., None, None], mass=1.0
    ).squeeze(-1)
    return mass * game.payoffs().mean(-1) - mass**2 * game.gaps.mean(-1) / 2, payoff


@claim("nsrf/thm-4.1-random-games", reproduction(sided="at most"), cite="nsrf, Theorem 4.1, corrected, at larger T")
def random_games_stay_below_the_bounds(draw: Draw):
    """In random games of 3 to 8 points, T = 1, 10, 50, the certified gap is at most the corrected bounds.

    Rows: the largest ratio gap over bound among the games, classes of any sizes, max F from above and F* from below.
    """
    rows: list[tuple[str, float, float, float | None]] = []
    ratios: dict[str, list[Tensor]] = {}
    for n in (3, 5, 8):
        points = draw.uniform(f"points of {n}", 8, n, high=8.0).floor()
        games = SmallGames(
            points, draw.signs(f"labels of {n}", 8, n), draw.uniform(f"box of {n}", 8, low=0.1, high=2.0)
        )
        for rounds in (1, 10, 50):
            for name, outcome in RULES.items():
                game, allowed = outcome(games, rounds)
                gap = games.largest(game, scale=game.mass) - games.guaranteed(game, scale=game.mass)
                fair = allowed > 0
                label = f"largest gap over bound, {name}, T = {rounds}"
                ratios.setdefault(label, []).append(torch.where(fair, gap / torch.where(fair, allowed, 1.0), 0.0))
    rows += [(label, torch.cat([r.flatten() for r in found]).max().item(), 0.0, 1.0) for label, found in ratios.items()]
    return rows


RULES: dict[str, Callable[[SmallGames, int], Outcome]] = {
    "D/(G sqrt t)": theorem,
    "AdaGrad": adaptive,
    "c/sqrt t, gradients known": lambda games, rounds: posterior(games, rounds, games.box, 0.5),
    "printed play in the box 2 C": as_played,
}
