"""The margin game on any finite set of frequencies or harmonics: its equilibrium, and the margin after a play."""

import math
from typing import Literal

import torch
from torch import Tensor

from algos.best_response.oracle import BestResponse
from algos.fourier.sums import fourier_potential
from algos.margin_game.excessive_gap import excessive_gap
from algos.margin_game.game import play_margin_game
from algos.margin_game.online import decreasing_step
from algos.margin_game.projection import project_box_hyperplane
from algos.margin_game.value import margin_lower_bound
from bounds.margin_game.game import convergence
from bounds.margin_game.online import diameter, gradient_norm
from bounds.margin_game.value import margin_ratio_loss
from harness import Forall, always, claim, grid
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics
from harness.claims.nsrf.small_games import games_and_weights, theorem


@claim(
    "nsrf/A.3-nash",
    always(),
    over=grid(of=["frequencies"], n=[3], d=[2], size=[3], k=[5])
    + grid(of=["harmonics"], n=[2], d=[3], size=[1], k=[1])
    + grid(of=["harmonics"], n=[4], d=[2], size=[2], k=[3]),
    cite="nsrf, Section 3.2 and Appendix A.3: a Nash equilibrium via Nesterov's excessive gap technique",
    sizes="n = 2, 3 and 4; three frequencies of the plane, or all harmonics up to degree 1 for d = 3 and 2 for d = 2;"
    " one, three and five steps; boxes up to 4",
    unnoticed="the rate is that for the worst game of its norm: a third of it is reached",
)
def excessive_gap_reaches_the_equilibrium(
    forall: Forall, *, of: Literal["frequencies", "harmonics"], n: int, d: int, size: int, k: int
):
    """After k steps F(a, lambda) - min_w F(a', w) <= 2 sqrt(10) |Psi| B C^2 m^(3/2)/(k + 2) for every a in K.

    lambda a mixed strategy over finitely many frequencies, or over the harmonics up to a degree, a' the weights, both
    by the excessive gap technique, for any sample: an approximate Nash equilibrium. As this is true for every k and
    both players' sets are compact, an equilibrium exists on every finite set, and so on every bounded closed one; on
    all of R^d it need not: nsrf/equilibrium[printed]. |Psi| is the Frobenius norm of all features, B the largest norm
    of features of a point, m the size of the smaller class. The constant is ours, the rate 1/k that of the technique.
    """
    if of == "frequencies":
        phases = forall.ball("omega", size, d, radius=20.0) @ forall.ball("points", n, d).mT
        strategies = torch.stack([phases.cos(), phases.sin()], -1)
    else:
        points = forall.sphere("points", n, d)
        waves = torch.cat([explicit_harmonics(points, ell, pairs=True) for ell in range(size + 1)], -1)
        strategies = torch.view_as_real(waves).movedim(-2, -3)
    return _difference_of_guarantees(forall, strategies, k)


def _difference_of_guarantees(forall: Forall, strategies: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """F(a, lambda) - min_j F(a', j) at any a in K, and the bound on it."""
    n = strategies.shape[-2]
    labels, box = forall.signs("labels", n), forall.interval("C", 0.05, 4.0)
    weights = project_box_hyperplane(box.unsqueeze(-1) * forall.interval("raw", -1.0, 2.0, n), labels, box)
    found = excessive_gap(strategies, labels, box, rounds=steps)
    best = weights.sum(-1) - (found.measure * _potentials(strategies, labels * weights)).sum(-1) / 2
    guaranteed = found.weights.sum(-1) - _potentials(strategies, labels * found.weights).amax(-1) / 2
    norm, reach = strategies.square().sum((-3, -2, -1)).sqrt(), strategies.square().sum(-1).amax((-2, -1)).sqrt()
    minority = (n - labels.sum(-1).abs()) / 2
    return best - guaranteed, 2 * math.sqrt(10) * norm * reach * box**2 * minority**1.5 / (steps + 2)


def _potentials(strategies: Tensor, signed: Tensor) -> Tensor:
    """|Psi_j^T u|^2 for every strategy: (batch, m)."""
    return (strategies.mT @ signed[..., None, :, None]).square().sum((-2, -1))


@claim(
    "nsrf/cor-4.2-any-game",
    always(),
    trivial=1.0,
    over=grid(frequencies=["all"], n=[5], d=[1], size=[0], T=[30], margin=["geometric"])
    + grid(frequencies=["some"], n=[3], d=[2], size=[4], T=[40], margin=["reciprocal"]),
    reading="corrected",
    cite="nsrf, Corollary 4.2, with the unit of F divided out, and pairs of mass one",
    sizes="n = 3 and 5, T = 30 and 40, where the bound is below one; integers of the line against all frequencies, any"
    " points of the plane against any four; boxes up to 2. M as (2 max F)^(-1/2) and as 1/max F",
    unnoticed="regret is bounded for the worst sequence of functions, not for a game: a third of it is reached",
)
def margin_is_competitive(
    forall: Forall,
    *,
    frequencies: Literal["all", "some"],
    n: int,
    d: int,
    size: int,
    T: int,
    margin: Literal["geometric", "reciprocal"],
):
    """M >= (1 - delta) M*, delta <= gap/(2 F*), or gap/F* for M = 1/max F; gap = (mean of eps_t)/2 + 3 G D/(2 sqrt T).

    Steps D/(G sqrt t). Each answer w_t is any frequency of the set, eps_t what it lacks of the peak. M* is replaced by
    what the mean weights allow at most, max F by F at any weights of the box: the claim says more than the corollary.
    As printed delta has no unit while the right side has that of F, and the regret is that of a gradient bound too
    small; what is true of the printed right side is under nsrf/cor-4.2.
    """
    if frequencies == "all":
        games, weights = games_and_weights(forall, n)
        game, allowed = theorem(games, T)
        best, worth = games.payoff(game, weights), games.guaranteed(game)
    else:
        best, worth, allowed = _play_on_some_frequencies(forall, n, d, size, T)
    forall.assume(worth > 1e-6)  # both classes are there
    worth = worth.clamp(min=1e-6)
    power = 0.5 if margin == "geometric" else 1.0
    return 1 - (worth / torch.maximum(best, worth)) ** power, margin_ratio_loss(allowed, worth, margin=margin)


def _play_on_some_frequencies(forall: Forall, n: int, d: int, size: int, T: int) -> tuple[Tensor, Tensor, Tensor]:
    """F(a, lambda_bar) at any a in K, a lower bound of F*, and the bound on the gap, against any answers w_t."""
    points, omega = forall.ball("points", n, d), forall.ball("omega", size, d, radius=20.0)
    labels, box = forall.signs("labels", n), forall.integers("quarters", 1, 8) / 4
    answers = forall.integers("answers", 0, size, T).to(torch.int64)
    weights = project_box_hyperplane(box.unsqueeze(-1) * forall.interval("raw", 0.0, 1.0, n), labels, box)
    player, minority = AnyAnswers(points, omega, answers), (n - labels.sum(-1).abs()) / 2
    step = decreasing_step(diameter(box, minority) / gradient_norm(box, n, minority, mass=1))
    game = play_margin_game(player, labels, box, rounds=T, step=step)
    best = weights.sum(-1) - fourier_potential(points, game.indices, labels * weights).mean(-1) / 2
    mean = game.mean_weights
    worth = margin_lower_bound(mean.sum(-1), fourier_potential(points, omega, labels * mean).amax(-1))
    return best, worth, convergence(box, n, minority, T, peak_gap=game.gaps.mean(-1))


class AnyAnswers:
    """A kernel player on some frequencies that answers in round t with number k_t of them, the best one if k_t = 0."""

    def __init__(self, points: Tensor, frequencies: Tensor, answers: Tensor) -> None:
        self._frequencies, self._features = frequencies, pairs(points, frequencies)
        self._answers, self._round = answers, 0

    def __call__(self, signed: Tensor) -> BestResponse:
        """The answer to signed weights (batch, n)."""
        potentials = (signed[..., None, None, :] @ self._features).square().sum((-2, -1))
        asked = self._answers[..., self._round : self._round + 1]
        self._round += 1
        place = torch.where(asked > 0, asked - 1, potentials.argmax(-1, keepdim=True))
        value = potentials.gather(-1, place).squeeze(-1)
        omega = self._frequencies.take_along_dim(place.unsqueeze(-1), -2).squeeze(-2)
        features = self._features.take_along_dim(place[..., None, None], -3).squeeze(-3)
        return BestResponse(omega, features, value, potentials.amax(-1) - value)


@torch.no_grad()
def pairs(points: Tensor, frequencies: Tensor) -> Tensor:
    """Cosines and sines of every frequency at the points, as a game has them: (batch, m, n, 2)."""
    phases = frequencies @ points.mT
    return torch.stack([phases.cos(), phases.sin()], -1)
