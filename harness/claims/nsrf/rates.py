"""How fast what Section 4 promises sets in: gaps of the game along rounds, potentials and errors along samples.

Samples come from six labelled points of the line with a fixed law, where they are six counts, so that n goes up to
3 10^7 and the potential of the population is exact. Frequencies are those of a grid on [0, 3].
"""

import math

import torch
from torch import Tensor

from algos.margin_game.maximum import margin_maximum
from algos.margin_game.online import decreasing_step, linear_regret, online_gradient_ascent
from algos.margin_game.squared_hinge import play_squared_hinge_game
from harness import Draw, claim, grid, rate
from harness.claims.nsrf.generalisation import excess_of_cosines
from harness.claims.nsrf.small_games import SmallGames, theorem

LAW = (0.31, 0.07, 0.19, 0.11, 0.23, 0.09)
POINTS = (-1.0, -0.6, -0.1, 0.3, 0.5, 0.9)
LABELS = (1.0, -1.0, 1.0, 1.0, -1.0, -1.0)
BANDWIDTH = 3.0
STEPS = 96
SIZES = [2 ** (4 + 3 * j) for j in range(8)]
BED = "six labelled points of the line with a fixed law, R_w = 3; n from 16 to 3 10^7"
PLAYERS = 8
"""Points of a random game."""


@claim(
    "nsrf/rate-lem-C.1",
    rate("T", -1 / 2),
    over=grid(T=[4**j for j in range(1, 7)], steps=["D/(G sqrt t)", "G/(D sqrt t)"]),
    cite="nsrf, Lemma C.1",
    restricts="payoffs 2 a s_t on [0, 1] with fair signs s_t, so D = 1 and G = 2; T from 4 to 4096",
)
def regret_of_online_ascent(draw: Draw, *, T: int, steps: str):
    """E |average regret| of online gradient ascent decays at least as fast as T^(-1/2), with either order of D and G.

    The printed steps G/(D sqrt t) have a larger constant than the printed one (nsrf/lem-C.1), and the same rate. The
    regret is a mean over eight runs against fair signs, where no player does better than T^(-1/2).
    """
    slopes = 2.0 * draw.signs("slopes", 8, T)
    scale = 0.5 if steps == "D/(G sqrt t)" else 2.0
    run = online_gradient_ascent(
        lambda t, _: slopes[..., t - 1 : t],
        lambda action: action.clamp(0.0, 1.0),
        torch.full_like(slopes[..., :1], 0.5),
        rounds=T,
        step=decreasing_step(torch.full_like(slopes[..., 0], scale)),
    )
    one = torch.ones_like(slopes[..., 0])
    return linear_regret(slopes, run.actions.squeeze(-1), 0.0, one).mean(-1).abs()


@claim(
    "nsrf/rate-thm-4.1",
    rate("T", -1 / 2),
    over=grid(T=[2**j for j in range(1, 8)]),
    cite="nsrf, Theorem 4.1 and Appendix C, with pairs of mass one and steps D/(G sqrt t)",
    restricts="games of eight points of the line at random distances, C = 1, exact D and G; T from 2 to 128",
)
def gap_of_the_mean_strategies(draw: Draw, *, T: int):
    """E (max F(., lambda_bar) - F*) decays at least as fast as T^(-1/2), for pairs of mass one.

    Both ends are certified, F* from below by what the mean weights guarantee. The printed play, of mass two, need not
    converge in the box C (nsrf/thm-4.1-proof-steps).
    """
    games = _random_games(draw)
    game, _ = theorem(games, T)
    return games.largest(game) - games.guaranteed(game)


@claim(
    "nsrf/rate-l2-svm",
    rate("T", -1.0, log_power=1.0),
    over=grid(T=[2**j for j in range(2, 8)]),
    cite="nsrf, Section 4.1 after Corollary 4.2, with pairs of mass one and |a| <= C sqrt n",
    restricts="games of eight points of the line at random distances, C = 1, steps C/t; T from 4 to 128",
)
def gap_with_squared_hinge_losses(draw: Draw, *, T: int):
    """E (max F(., lambda_bar) - F*) decays at least as fast as log T / T with squared hinge losses and steps C/t.

    Both ends are certified. For the printed pairs of mass two it need not vanish (nsrf/l2-svm).
    """
    games = _random_games(draw)
    game = play_squared_hinge_game(games.player, games.labels, 1.0, rounds=T)
    largest = margin_maximum(games.features(game), games.labels, math.inf, ridge=1.0).upper
    weights = game.mean_weights
    answer = games.player(games.labels * weights)
    curvature = answer.value + answer.gap + weights.square().sum(-1)
    return largest - weights.sum(-1) ** 2 / (2 * curvature)


@claim(
    "nsrf/rate-thm-4.3",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="nsrf, Theorem 4.3, under the hypotheses of its proof",
    restricts=f"single cosines for all f of norm one, theta = .05; {BED}",
)
def generalisation_gap(draw: Draw, *, n: int):
    """E of the largest P(y f <= 0) - share(y_i f(x_i) <= theta) over cosines f decays at least as fast as n^(-1/2)."""
    points, labels, law = _bed(draw)
    shares, theta = draw.multinomial("points", n, LAW) / n, torch.tensor([0.05], dtype=torch.float64)
    return excess_of_cosines(points.unsqueeze(-1), labels, law, shares, thetas=theta, bandwidth=BANDWIDTH)[:, 0]


@claim(
    "nsrf/rate-rademacher",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="nsrf, Appendix D: R_S <= 3 R_w R_x sqrt(R_lambda/n)",
    restricts=f"R_lambda = 1, frequencies on a grid; {BED}",
)
def complexity_of_all_cosines(draw: Draw, *, n: int):
    """The complexity of the unit balls of all kernels of spectral mass one decays at least as fast as n^(-1/2).

    The largest |sum_i sigma_i exp(i <w, x_i>)|/n over frequencies. The printed constant is too small for small R_w R_x
    (nsrf/rademacher), the rate is right.
    """
    cells = draw.multinomial("points and signs", n, [p / 2 for p in LAW for _ in (0, 1)])
    return _potentials(draw, (cells[:, ::2] - cells[:, 1::2]) / n).amax(-1).sqrt()


@claim(
    "nsrf/rate-thm-4.4",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="nsrf, Theorem 4.4",
    restricts=f"d = 1, frequencies on a grid; {BED}",
)
def error_of_the_sampled_potential(draw: Draw, *, n: int):
    """E of the largest |v/n^2 - v_ideal| over |w| <= R_w decays at least as fast as n^(-1/2).

    Samples of order 1/epsilon^2 for an error epsilon.
    """
    sampled, ideal = _both_potentials(draw, n)
    return (sampled - ideal).abs().amax(-1)


@claim(
    "nsrf/rate-peak-value",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="nsrf, Section 3.1 and Theorem 4.4",
    restricts=f"d = 1, frequencies on a grid; {BED}",
)
def error_of_the_peak(draw: Draw, *, n: int):
    """E |max v/n^2 - max v_ideal| over |w| <= R_w decays at least as fast as n^(-1/2)."""
    sampled, ideal = _both_potentials(draw, n)
    return (sampled.amax(-1) - ideal.amax(-1)).abs()


@claim(
    "nsrf/rate-peak-frequency",
    rate("n", -1.0),
    over=grid(n=SIZES[1:]),
    cite="nsrf, Section 3.1 and Theorem 4.4: peaks of the sample for those of v_ideal",
    restricts=f"d = 1, one highest peak of the population inside |w| <= R_w; {BED.replace('16', '128')}",
)
def potential_at_the_peak_of_the_sample(draw: Draw, *, n: int):
    """E (max v_ideal - v_ideal(w_n)) decays at least as fast as 1/n, w_n the peak of the potential of the sample.

    Theorem 4.4 twice gives n^(-1/2); at a maximum the error of the frequency counts in second order only.
    """
    _, _, law = _bed(draw)
    found = _refined_peak(draw, draw.multinomial("points", n, LAW) / n)
    best = _refined_peak(draw, law.unsqueeze(0))
    at_best, at_found = (_derivatives(draw, law, place)[0] for place in (best, found))
    return (at_best - at_found).abs()


def _random_games(draw: Draw) -> SmallGames:
    """Eight integers at random distances from 1 to 3, four of one class and then four of the other, C = 1."""
    points = 2 * torch.arange(PLAYERS, device=draw.device) + draw.bernoulli("shifts", 0.5, PLAYERS)
    labels = torch.where(torch.arange(PLAYERS, device=draw.device) < PLAYERS // 2, 1.0, -1.0).to(points.dtype)
    return SmallGames(points, labels.expand_as(points), torch.ones_like(points[..., 0]), grid=1024)


def _bed(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Points, labels and their law, (6,) each."""
    points, labels, law = (torch.tensor(row, dtype=torch.float64, device=draw.device) for row in (POINTS, LABELS, LAW))
    return points, labels, law


def _potentials(draw: Draw, weights: Tensor) -> Tensor:
    """|sum_k a_k exp(i w x_k)|^2 at every frequency of the grid, (*batch, 97), for weights (*batch, 6)."""
    frequencies = torch.arange(STEPS + 1, dtype=torch.float64, device=draw.device) * (BANDWIDTH / STEPS)
    phases = _bed(draw)[0].unsqueeze(-1) * frequencies
    return (weights @ phases.cos()) ** 2 + (weights @ phases.sin()) ** 2


def _both_potentials(draw: Draw, n: int) -> tuple[Tensor, Tensor]:
    """v/n^2 of samples of n points, (reps, 97), and v_ideal, (97,)."""
    _, labels, law = _bed(draw)
    return _potentials(draw, labels * draw.multinomial("points", n, LAW) / n), _potentials(draw, labels * law)


def _derivatives(draw: Draw, shares: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """v/n^2 and its first two derivatives at one frequency (*batch,) for each row of shares (*batch, 6)."""
    points, labels, _ = _bed(draw)
    waves = labels * shares * torch.polar(torch.ones_like(shares), places.unsqueeze(-1) * points)
    sums = [(waves * (1j * points) ** k).sum(-1) for k in range(3)]
    slope = 2 * (sums[0].conj() * sums[1]).real
    return sums[0].abs() ** 2, slope, 2 * (sums[1].abs() ** 2 + (sums[0].conj() * sums[2]).real)


def _refined_peak(draw: Draw, shares: Tensor) -> Tensor:
    """The highest frequency of the grid after six steps of Newton, held within a cell on either side."""
    spacing = BANDWIDTH / STEPS
    start = _potentials(draw, _bed(draw)[1] * shares).argmax(-1) * spacing
    place = start
    for _ in range(6):
        _, slope, curvature = _derivatives(draw, shares, place)
        place = place - slope / curvature.clamp(max=-1e-12)
        place = torch.minimum(torch.maximum(place, start - spacing), start + spacing)
    return place
