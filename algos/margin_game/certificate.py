"""What a run of the margin game certifies about itself: its regret, and both sides of the game's value."""

from dataclasses import dataclass
from typing import Annotated, Protocol

import torch
from torch import Tensor

from algos._domains import UnboundedBatch
from algos.best_response.oracle import BestResponse
from algos.margin_game.game import MarginGame
from algos.margin_game.maximum import MarginMaximum, margin_maximum
from algos.margin_game.measure import DualMeasure, dual_measure, measure_features
from algos.margin_game.value import margin_lower_bound
from signatures.checked import checked
from signatures.numbers import Count, NonNegativeFloat, PositiveFloat
from signatures.tensors import Shaped


class FeaturePlayer(Protocol):
    """A kernel player that also gives the features of strategies by their names."""

    def __call__(self, signed: Tensor, /) -> BestResponse: ...

    def features(self, index: Tensor, /) -> Tensor:
        """(m, k) -> (m, n, r), of mass one, on the player's own points."""
        ...


@checked
def measure_maximum(
    measure: DualMeasure,
    player: FeaturePlayer,
    labels: Annotated[Tensor, Shaped("n", "[-1, 1]", kind="codes")],
    box: UnboundedBatch,
    *,
    mass: PositiveFloat = 1.0,
    ridge: NonNegativeFloat = 0.0,
) -> MarginMaximum:
    """Largest payoff against a mixed strategy, max_K 1.a - (s/2) int v_a dlambda - (rho/2) |a|^2, enclosed.

    Parameters
    ----------
    measure : DualMeasure
        lambda, of mass one.
    player : FeaturePlayer
        Gives the features of its strategies.
    labels : Tensor (n,)
    box : float or Tensor
        C >= 0; may be infinite with a ridge.
    mass : float
        s > 0.
    ridge : float
        rho >= 0.

    Returns
    -------
    MarginMaximum

    References
    ----------
    nsrf Theorem 4.1, its left side.
    """
    features = measure_features(player.features(measure.indices), mass * measure.masses)
    return margin_maximum(features, labels, box, ridge=ridge)


@checked
def average_regret(game: MarginGame, player: FeaturePlayer, *, rounds: Count | None = None) -> tuple[float, float]:
    """Average regret of the weights of a run, (max_K sum_t f_t(a) - sum_t f_t(a_t)) / T, enclosed.

    f_t(a) = 1.a - (s/2) v_a(w_t) - (rho/2) |a|^2. Their mean is the payoff against s lambda_bar, so the first term is a
    `measure_maximum`; nothing is bounded but that.

    Parameters
    ----------
    game : MarginGame
        One run; slice a batch first.
    player : FeaturePlayer
        Gives the features of the strategies played.
    rounds : int, optional
        How many of the first rounds, T; by default all.

    Returns
    -------
    tuple of float
        (lower, upper).

    Raises
    ------
    ValueError
        If the game is a batch, or has not so many rounds.

    References
    ----------
    nsrf Appendix C, the regret in the proof of Theorem 4.1.
    """
    measure = dual_measure(game, rounds)
    best = measure_maximum(measure, player, game.labels, game.box, mass=game.mass, ridge=game.ridge)
    played = game.payoffs()[:rounds].mean()
    return (best.lower - played).item(), (best.upper - played).item()


@checked
def regret_certificate(game: MarginGame, player: FeaturePlayer, *, rounds: Count | None = None) -> float:
    """Upper bound of the gap max_K F(., lambda_bar) - F* of a run, from its regret and the gaps of its player.

    s regret + s^2 sum_t eps_t / (2 T), with `average_regret`. For s = 1: no constant, valid for any sequence of weights
    in K, whatever the steps. For s = 2 it holds in the game with the box 2C (and the ridge rho/2), the one that
    strategies of mass 2 play: with b = s a, f_t(a) = (1.b - v_b(w_t) / 2) / s.

    Parameters
    ----------
    game : MarginGame
        One run; slice a batch first.
    player : FeaturePlayer
        Gives the features of the strategies played.
    rounds : int, optional
        How many of the first rounds, T; by default all.

    Returns
    -------
    float
        A number, infinite if a gap of the player is.

    References
    ----------
    nsrf Theorem 4.1, its proof with the regret itself in place of a bound, and for s = 2 put right.
    """
    _, regret = average_regret(game, player, rounds=rounds)
    return game.mass * regret + 0.5 * game.mass**2 * game.gaps[:rounds].mean().item()


@dataclass(frozen=True)
class GameCertificate:
    """Two numbers that enclose the value F* of the game, one from each player's mean strategy.

    Attributes
    ----------
    lower : float
        Guaranteed by the mean weights against every strategy; at most F*.
    upper : float
        At least max_K F(., lambda_bar), which is at least F*.
    maximum : MarginMaximum
        The bracket of max_K F(., lambda_bar), with weights and bias of the machine.
    measure : DualMeasure
        lambda_bar.
    """

    lower: float
    upper: float
    maximum: MarginMaximum
    measure: DualMeasure

    @property
    def gap(self) -> float:
        """Upper bound of max_K F(., lambda_bar) - F*."""
        return self.upper - self.lower


@checked
def game_certificate(game: MarginGame, player: FeaturePlayer, *, scale: PositiveFloat = 1.0) -> GameCertificate:
    """Enclose the value of the game between what the mean strategies of a run guarantee.

    upper >= max_K F(., lambda_bar) by `algos.margin_game.maximum`; lower from a_bar and one more answer of the player,
    with `margin_lower_bound` at V = value + gap. With a ridge a_bar may also grow: A^2 / (2 (V + rho |a_bar|^2)).

    Parameters
    ----------
    game : MarginGame
        One run; slice a batch first.
    player : FeaturePlayer
        A peak finder whose gap is rigorous; it need not be the one that played.
    scale : float
        c; the certificate is for the game with the box c C and the ridge rho / c, with weights c a_bar. 1 is the game
        of the theorem; `game.mass` is the one that a run of that mass approaches.

    Returns
    -------
    GameCertificate

    Raises
    ------
    ValueError
        If the game is a batch.

    References
    ----------
    nsrf Theorem 4.1 (the inequalities that enclose F*); the lower bound is ours.
    """
    measure, ridge = dual_measure(game), game.ridge / scale
    maximum = measure_maximum(measure, player, game.labels, scale * game.box, ridge=ridge)
    weights = scale * game.mean_weights
    answer = player(game.labels * weights)
    total, peak = weights.sum(), answer.value + answer.gap
    if ridge > 0:
        curvature = peak + ridge * weights.square().sum()
        lower = torch.where(curvature > 0, total.square() / (2 * curvature), 0.0)
    else:
        lower = margin_lower_bound(total, peak)
    return GameCertificate(lower.item(), maximum.upper.item(), maximum, measure)
