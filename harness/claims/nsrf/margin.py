"""The payoff of the margin game: what it is of a kernel and of its machine, and what Algorithm 2 climbs instead."""

import math

import torch
from torch import Tensor

from algos.fourier.sums import fourier_potential
from algos.kernel_learning.alignment import quadratic_alignment
from algos.margin_game.game import margin_payoff, margin_payoff_gradient
from algos.margin_game.projection import project_box_hyperplane
from algos.margin_game.value import margin_value
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf.kernels import mixture_of_cosines


@claim(
    "nsrf/F-identity",
    identity(),
    over=grid(n=[1, 4], frequencies=[1, 3]),
    cite="nsrf, Section 3.2, F(alpha, k)",
    restricts="d = 2, at most four points and three pairs of frequencies; harmonics are not judged",
)
def payoff_is_a_mean_of_payoffs(forall: Forall, *, n: int, frequencies: int):
    """F(a, k) = 1.a - a'Y G Y a / 2 is 1.a - (1/2) the integral of v_a against the dual measure of k."""
    points, omega = forall.ball("points", n, 2), forall.ball("omega", frequencies, 2, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, 4.0, n)
    energy = quadratic_alignment(mixture_of_cosines(points, omega, measure), labels * weights)
    payoffs = margin_payoff(weights, labels, points, omega, mass=1)
    return weights.sum(-1) - energy / 2, (measure * payoffs).sum(-1)


@claim(
    "nsrf/F-margin",
    always(),
    over=grid(n=[2, 5]),
    cite="nsrf, Section 3.2: max over alpha of F is the margin",
    restricts="features in the plane, at most five points",
)
def payoff_is_below_the_reciprocal_margin(forall: Forall, *, n: int):
    """F(a) <= 1/(2 M^2) for every a >= 0 with y.a = 0 and the geometric margin M of every separating plane.

    Equality holds between the best a and the widest margin, if C is large enough: the maximum of F is 1/(2 M^2), the
    "(reciprocal) margin" of the text in the sense of this formula. A plane through the origin is no restriction: moving
    all features changes nothing where y.a = 0.
    """
    features, normal = forall.ball("features", n, 2), forall.sphere("normal", 2)
    labels = forall.signs("labels", n)
    distance = forall.interval("margin", 0.05, 1.0)
    heights = (features @ normal.unsqueeze(-1)).squeeze(-1)
    wanted = labels * (heights.abs() + distance.unsqueeze(-1))
    features = features + (wanted - heights).unsqueeze(-1) * normal.unsqueeze(-2)
    weights = scaled_to_the_hyperplane(forall, labels, n)
    return payoff(features, labels, weights), 1 / (2 * distance**2)


@claim(
    "nsrf/F-soft-margin",
    always(),
    over=grid(n=[1, 2, 5]),
    cite="nsrf, Section 3.2: the dual l1-SVM objective",
    restricts="features in the plane, at most five points",
)
def payoff_is_below_the_primal(forall: Forall, *, n: int):
    """F(a) <= |w|^2/2 + C sum_i max(0, 1 - y_i (w.psi_i + b)) for every a in K and every (w, b).

    So max F is the smallest primal value, C times the slacks included: with a box it is not a function of the margin.
    """
    features, labels = forall.ball("features", n, 2), forall.signs("labels", n)
    box, offset = forall.interval("C", 0.05, 4.0), forall.interval("b", -2.0, 2.0)
    normal = forall.ball("w", 2, radius=4.0)
    raw = box.unsqueeze(-1) * forall.interval("raw", -1.0, 2.0, n)
    weights = project_box_hyperplane(raw, labels, box)
    scores = (features @ normal.unsqueeze(-1)).squeeze(-1) + offset.unsqueeze(-1)
    primal = normal.square().sum(-1) / 2 + box * (1 - labels * scores).clamp(min=0).sum(-1)
    return payoff(features, labels, weights), primal


@claim(
    "nsrf/alg-2",
    identity(),
    over=grid(n=[1, 4], d=[1, 2]),
    cite="nsrf, Algorithm 2, line 8, and Section 3.2",
    restricts="translation-invariant kernels, d <= 2, at most four points",
)
def printed_gradient_is_that_of_mass_two(forall: Forall, *, n: int, d: int):
    """1 - 2 Y Re(<Phi, Y a> conj Phi) is the gradient of F(., delta_w + delta_-w): the slope of F along any line.

    F is quadratic, so F(a + h) - F(a - h) is twice the slope exactly. The strategy delta_w + delta_-w has mass two, the
    returned measure (1/(2T)) sum_t (delta_w_t + delta_-w_t) mass one: the consequences are under nsrf/alg-2-box and
    nsrf/thm-4.1. "Im phi(-w)" in line 7 differs from Im phi(w) by a sign, which no kernel sees.
    """
    points, omega = forall.ball("points", n, d), forall.ball("omega", 1, d, radius=20.0)
    labels = forall.signs("labels", n)
    weights, step = forall.interval("weights", 0.0, 1.0, n), forall.interval("step", -1.0, 1.0, n)
    gradient = margin_payoff_gradient(weights, labels, points, omega, mass=2).squeeze(-2)
    pair = 2 * mixture_of_cosines(points, omega, torch.ones_like(weights[..., :1]))
    ends = [a.sum(-1) - quadratic_alignment(pair, labels * a) / 2 for a in (weights + step, weights - step)]
    return ends[0] - ends[1], 2 * (gradient * step).sum(-1)


@claim(
    "nsrf/alg-2-box",
    identity(),
    over=grid(n=[4], T=[1, 3]),
    cite="nsrf, Algorithm 2, lines 8 and 11",
    restricts="translation-invariant kernels, d = 2, four points, T <= 3",
)
def printed_payoffs_are_those_of_the_double_box(forall: Forall, *, n: int, T: int):
    """The payoffs F(a, delta_w_t + delta_-w_t) have the mean F(2a, lambda_bar)/2 over t, lambda_bar of mass one.

    The algorithm as printed plays the game of the box 2C, and returns its measure for the box C. With payoffs of mass
    one, (delta_w + delta_-w)/2, the mean is F(a, lambda_bar) itself.
    """
    points, omega = forall.ball("points", n, 2), forall.ball("omega", T, 2, radius=20.0)
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, 1.0, n)
    played = margin_payoff(weights, labels, points, omega, mass=2).mean(-1)
    returned = 2 * weights.sum(-1) - fourier_potential(points, omega, 2 * weights * labels).mean(-1) / 2
    return played, returned / 2


@claim(
    "nsrf/equilibrium",
    identity(rtol=1e-6),
    over=grid(C=[0.25, 0.5, 2.0]),
    cite="nsrf, Section 3.2: there exists a Nash equilibrium",
    restricts=(
        "finitely many frequencies, 61 of [0, pi], and one example of four points; on all of R^d an equilibrium "
        "need not exist"
    ),
)
def both_players_guarantee_the_value(*, C: float):
    """On finitely many frequencies, in an example, some weights and some measure guarantee the same payoff.

    Points 0, 1, 3, 4 with labels - - + + and 61 frequencies from 0 to pi. Each side is certified against all answers
    of the other player. As on every bounded closed set of frequencies; on all of R^d the statement can fail:
    nsrf/peak-lp-kronecker.
    """
    points = torch.tensor([0.0, 1.0, 3.0, 4.0], dtype=torch.float64)
    phases = torch.linspace(0, math.pi, 61, dtype=torch.float64).unsqueeze(-1) * points
    labels = torch.tensor([-1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
    value = margin_value(torch.stack([phases.cos(), phases.sin()], -1), labels, C)
    return value.lower, value.upper


def payoff(features: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """1.a - |sum_i y_i a_i psi_i|^2 / 2 for features (batch, n, r)."""
    combined = (features * (labels * weights).unsqueeze(-1)).sum(-2)
    return weights.sum(-1) - combined.square().sum(-1) / 2


def scaled_to_the_hyperplane(forall: Forall, labels: Tensor, n: int) -> Tensor:
    """Weights a >= 0 with y.a = 0, of any size: both classes have the same total; zero if one of them is empty."""
    total = 10 ** forall.interval("log total", -3.0, 3.0)
    shares = [forall.simplex(name, n) * (sign * labels > 0) for name, sign in (("positive", 1), ("negative", -1))]
    sums = [share.sum(-1, keepdim=True) for share in shares]
    feasible = (sums[0] > 0) & (sums[1] > 0)
    parts = [share / torch.where(sum_ > 0, sum_, 1.0) for share, sum_ in zip(shares, sums, strict=True)]
    return torch.where(feasible, total.unsqueeze(-1) * (parts[0] + parts[1]), 0.0)
