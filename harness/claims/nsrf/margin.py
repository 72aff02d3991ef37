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
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics
from harness.claims.nsrf.kernels import any_game, mixture_of_cosines


@claim(
    "nsrf/F-identity",
    identity(),
    over=grid(n=[1], d=[1], frequencies=[1])
    + grid(n=[4], d=[2], frequencies=[3])
    + grid(n=[3], d=[5], frequencies=[2]),
    cite="nsrf, Section 3.2, F(alpha, k)",
    sizes="d = 1, 2 and 5; at most four points and three pairs of frequencies",
    restricts="harmonics are under nsrf/F-identity-sphere",
)
def payoff_is_a_mean_of_payoffs(forall: Forall, *, n: int, d: int, frequencies: int):
    """F(a, k) = 1.a - a'Y G Y a / 2 is 1.a - (1/2) the integral of v_a against the dual measure of k."""
    points, omega = forall.ball("points", n, d), forall.ball("omega", frequencies, d, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, 4.0, n)
    energy = quadratic_alignment(mixture_of_cosines(points, omega, measure), labels * weights)
    payoffs = margin_payoff(weights, labels, points, omega, mass=1)
    return weights.sum(-1) - energy / 2, (measure * payoffs).sum(-1)


@claim(
    "nsrf/F-identity-sphere",
    identity(),
    over=grid(n=[1], d=[2], size=[3]) + grid(n=[4], d=[3, 4], size=[2]),
    cite="nsrf, Section 3.2, F(alpha, k), for harmonics",
    sizes="d = 2, 3 and 4; one and four points; degrees up to 3",
    restricts="harmonics; frequencies are under nsrf/F-identity",
)
def payoff_is_a_mean_of_payoffs_on_the_sphere(forall: Forall, *, n: int, d: int, size: int):
    """F(a, k) = 1.a - (1/2) sum over (l, m) of lambda(l, m) v_a(l, m) for kernels of harmonics."""
    game = any_game(forall, "rotation", n, d, size, largest=4.0)
    total = game.weights.sum(-1)
    return total - quadratic_alignment(game.gram, game.signed) / 2, total - (game.measure * game.potentials).sum(-1) / 2


@claim(
    "nsrf/F-margin",
    always(),
    over=grid(n=[2], r=[1]) + grid(n=[5], r=[2, 6]),
    cite="nsrf, Section 3.2: max over alpha of F is the margin",
    sizes="1, 2 and 6 features; two and five points",
)
def payoff_is_below_the_reciprocal_margin(forall: Forall, *, n: int, r: int):
    """F(a) <= 1/(2 M^2) for every a >= 0 with y.a = 0 and the geometric margin M of every separating plane.

    Equality holds between the best a and the widest margin, if C is large enough: the maximum of F is 1/(2 M^2), the
    "(reciprocal) margin" of the text in the sense of this formula. A plane through the origin is no restriction: moving
    all features changes nothing where y.a = 0.
    """
    features, normal = forall.ball("features", n, r), forall.sphere("normal", r)
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
    over=grid(n=[1], r=[1]) + grid(n=[2], r=[6]) + grid(n=[5], r=[2]),
    cite="nsrf, Section 3.2: the dual l1-SVM objective",
    sizes="1, 2 and 6 features; at most five points",
)
def payoff_is_below_the_primal(forall: Forall, *, n: int, r: int):
    """F(a) <= |w|^2/2 + C sum_i max(0, 1 - y_i (w.psi_i + b)) for every a in K and every (w, b).

    So max F is the smallest primal value, C times the slacks included: with a box it is not a function of the margin.
    """
    features, labels = forall.ball("features", n, r), forall.signs("labels", n)
    box, offset = forall.interval("C", 0.05, 4.0), forall.interval("b", -2.0, 2.0)
    normal = forall.ball("w", r, radius=4.0)
    raw = box.unsqueeze(-1) * forall.interval("raw", -1.0, 2.0, n)
    weights = project_box_hyperplane(raw, labels, box)
    scores = (features @ normal.unsqueeze(-1)).squeeze(-1) + offset.unsqueeze(-1)
    primal = normal.square().sum(-1) / 2 + box * (1 - labels * scores).clamp(min=0).sum(-1)
    return payoff(features, labels, weights), primal


@claim(
    "nsrf/alg-2",
    identity(),
    over=grid(n=[1], d=[1]) + grid(n=[4], d=[2]) + grid(n=[3], d=[5]),
    cite="nsrf, Algorithm 2, line 8, and Section 3.2",
    sizes="d = 1, 2 and 5; at most four points; for harmonics see nsrf/alg-2-sphere",
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
    "nsrf/alg-2-sphere",
    identity(),
    over=grid(n=[1], d=[2], degree=[3]) + grid(n=[4], d=[3, 4], degree=[2]),
    cite="nsrf, Algorithm 2, line 8, and Section 3.2, for harmonics",
    sizes="d = 2, 3 and 4; one and four points; all harmonics of degree 2 and 3",
)
def printed_gradient_for_harmonics(forall: Forall, *, n: int, d: int, degree: int):
    """1 - 2 Y Re(<Phi, Y a> conj Phi) is the gradient of F(., delta_w + delta_-w) for every harmonic w.

    F(a + h) - F(a - h) is twice the slope, summed over the harmonics with any coefficients.
    """
    points, labels = forall.sphere("points", n, d), forall.signs("labels", n)
    weights, step = forall.interval("weights", 0.0, 1.0, n), forall.interval("step", -1.0, 1.0, n)
    features = explicit_harmonics(points, degree, pairs=True)
    coefficients = forall.interval("coefficients", 0.0, 1.0, features.shape[-1])

    def payoffs(a: Tensor) -> Tensor:
        pairs = torch.stack([features, features.conj()])  # w and -w
        sums = ((labels * a).unsqueeze(-1) * pairs).sum(-2)
        return a.sum(-1, keepdim=True) - (sums * sums.conj()).real.sum(0) / 2

    inner = ((labels * weights).unsqueeze(-1) * features).sum(-2, keepdim=True)
    gradients = 1 - 2 * labels.unsqueeze(-1) * (inner * features.conj()).real
    slopes = (gradients * step.unsqueeze(-1)).sum(-2)
    ends = payoffs(weights + step) - payoffs(weights - step)
    return (coefficients * ends).sum(-1), (coefficients * 2 * slopes).sum(-1)


@claim(
    "nsrf/alg-2-box",
    identity(),
    over=grid(n=[1], d=[5], T=[1]) + grid(n=[4], d=[2], T=[3]) + grid(n=[3], d=[1], T=[8]),
    cite="nsrf, Algorithm 2, lines 8 and 11",
    sizes="d = 1, 2 and 5; at most four points, T <= 8",
)
def printed_payoffs_are_those_of_the_double_box(forall: Forall, *, n: int, d: int, T: int):
    """The payoffs F(a, delta_w_t + delta_-w_t) have the mean F(2a, lambda_bar)/2 over t, lambda_bar of mass one.

    The algorithm as printed plays the game of the box 2C, and returns its measure for the box C. With payoffs of mass
    one, (delta_w + delta_-w)/2, the mean is F(a, lambda_bar) itself.
    """
    points, omega = forall.ball("points", n, d), forall.ball("omega", T, d, radius=20.0)
    labels, weights = forall.signs("labels", n), forall.interval("weights", 0.0, 1.0, n)
    played = margin_payoff(weights, labels, points, omega, mass=2).mean(-1)
    returned = 2 * weights.sum(-1) - fourier_potential(points, omega, 2 * weights * labels).mean(-1) / 2
    return played, returned / 2


@claim(
    "nsrf/equilibrium",
    identity(rtol=1e-6),
    over=grid(C=[0.25, 0.5, 2.0]),
    reading="corrected",
    cite="nsrf, Section 3.2: there exists a Nash equilibrium, on a compact set of frequencies",
    restricts="finitely many frequencies, 61 of [0, pi], and one example of four points",
)
def both_players_guarantee_the_value(*, C: float):
    """On finitely many frequencies, in an example, some weights and some measure guarantee the same payoff.

    Points 0, 1, 3, 4 with labels - - + + and 61 frequencies from 0 to pi. Each side is certified against all answers
    of the other player. As on every bounded closed set of frequencies, and for any sample: there the measures of mass
    one are compact and F is continuous in them. On all of R^d the statement can fail: nsrf/equilibrium[printed].
    """
    points = torch.tensor([0.0, 1.0, 3.0, 4.0], dtype=torch.float64)
    phases = torch.linspace(0, math.pi, 61, dtype=torch.float64).unsqueeze(-1) * points
    labels = torch.tensor([-1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
    value = margin_value(torch.stack([phases.cos(), phases.sin()], -1), labels, C)
    return value.lower, value.upper


@claim(
    "nsrf/F-margin-attained",
    identity(),
    over=grid(n=[2], r=[1, 2]) + grid(n=[5], r=[3]),
    cite="nsrf, Section 3.2: max over alpha of F is the margin",
    sizes="1, 2 and 3 features; two and five points",
)
def widest_margin_is_reached(forall: Forall, *, n: int, r: int):
    """F(a) = 1/(2 M^2) at the weights and the plane of the optimality conditions, M its geometric margin.

    Every data set with a separating plane has them: a_i > 0 only at the distance M, total 1/M^2 in each class, and
    classes whose means under a differ along the normal alone. By nsrf/F-margin no weights have more and no plane a
    wider margin: so max F = 1/(2 M^2). Any such problem occurs: centres of the classes, of both labels, are moved.
    """
    normal, margin = forall.sphere("normal", r), forall.interval("margin", 0.05, 1.0)
    labels = _both_labels(forall, n)
    support = _with_the_first_two(forall.integers("support", 0, 1, n - 2)) if n > 2 else torch.ones_like(labels)
    masses = support * forall.interval("masses", 0.01, 1.0, n)
    excess = (1 - support) * forall.interval("excess", 0.0, 1.0, n)
    raw, shift = forall.ball("features", n, r), forall.ball("shift", r)
    along = raw - (raw @ normal.unsqueeze(-1)) * normal.unsqueeze(-2)
    weights = torch.zeros_like(labels)
    for sign in (1.0, -1.0):
        own = (labels == sign).to(labels.dtype)
        shares = own * masses / (own * masses).sum(-1, keepdim=True)
        along = along - own.unsqueeze(-1) * (shares.unsqueeze(-1) * along).sum(-2, keepdim=True)
        weights = weights + shares / (2 * margin.square().unsqueeze(-1))
    heights = labels * (margin.unsqueeze(-1) + excess)
    features = shift.unsqueeze(-2) + along + heights.unsqueeze(-1) * normal.unsqueeze(-2)
    return payoff(features, labels, weights), 1 / (2 * margin.square())


@claim(
    "nsrf/F-soft-margin-attained",
    identity(),
    over=grid(n=[2], r=[1]) + grid(n=[5], r=[3]),
    cite="nsrf, Section 3.2: the dual l1-SVM objective",
    sizes="2 and 4 features; two and five points",
)
def smallest_primal_value_is_reached(forall: Forall, *, n: int, r: int):
    """F(a) = |w|^2/2 + C sum_i max(0, 1 - y_i (w.psi_i + b)) at the a in K and the (w, b) of the optimality conditions.

    w = sum_i a_i y_i psi_i, scores y_i (w.psi_i + b) of 1 where 0 < a_i < C, of more where a_i = 0 and of less where
    a_i = C: every problem has such a solution, and by nsrf/F-soft-margin no weights and no plane are better. The last
    feature is chosen so that any weights but zero meet the conditions.
    """
    labels, box = _both_labels(forall, n), forall.interval("C", 0.05, 4.0)
    offset, edge = forall.interval("b", -2.0, 2.0), box.unsqueeze(-1)
    weights = project_box_hyperplane(edge * forall.interval("raw", -1.0, 2.0, n), labels, box)
    forall.assume(
        weights.sum(-1) > 1e-3 * box
    )  # without weights all scores would be at least 1, and b alone makes them
    more, less = forall.interval("more", 0.0, 2.0, n), forall.interval("less", 0.0, 0.9, n)
    scores = 1 + (weights <= 0) * more - (weights >= edge) * less
    features = forall.ball("features", n, r)
    total = (weights * scores).sum(-1)
    normal = (features * (labels * weights).unsqueeze(-1)).sum(-2)
    shrunk = (total / 2 / normal.square().sum(-1).clamp(min=1e-12)).clamp(max=1.0).sqrt()
    features, normal = features * shrunk[:, None, None], normal * shrunk.unsqueeze(-1)
    last = (total - normal.square().sum(-1)).sqrt()
    rest = labels * scores - offset.unsqueeze(-1) - (features @ normal.unsqueeze(-1)).squeeze(-1)
    features = torch.cat([features, (rest / last.unsqueeze(-1)).unsqueeze(-1)], -1)
    plane = (features * (labels * weights).unsqueeze(-1)).sum(-2)
    heights = (features @ plane.unsqueeze(-1)).squeeze(-1) + offset.unsqueeze(-1)
    primal = plane.square().sum(-1) / 2 + box * (1 - labels * heights).clamp(min=0).sum(-1)
    return payoff(features, labels, weights), primal


def _both_labels(forall: Forall, n: int) -> Tensor:
    """Labels of both classes: the first two differ."""
    first = forall.signs("first label")
    pair = torch.stack([first, -first], -1)
    return torch.cat([pair, forall.signs("other labels", n - 2)], -1) if n > 2 else pair


def _with_the_first_two(rest: Tensor) -> Tensor:
    return torch.cat([torch.ones_like(rest[..., :1]).expand(-1, 2), rest], -1)


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
