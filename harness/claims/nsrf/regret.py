"""Online gradient ascent: gradients of the payoffs and Lemma C.1."""

import torch
from torch import Tensor

from algos.margin_game.game import margin_payoff_gradient
from algos.margin_game.online import decreasing_step, linear_regret, online_gradient_ascent
from algos.margin_game.projection import project_box_hyperplane
from bounds.margin_game.online import diameter, gradient_norm, online_ascent_regret, printed_gradient_norm
from harness import Forall, always, claim, grid
from harness.claims.nsrf import defects, symbols


@claim(
    "nsrf/g-bound",
    always(),
    over=grid(n=[2, 4, 8]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix C, proof of Theorem 4.1",
    quote="G <= sup ||1 - 2Y Re(<Phi_t, Y alpha_t> conj Phi_t)||_2 <= (1 + 2C) sqrt n",
    defect=defects.GRADIENT_BOUND,
)
def payoff_gradient_as_printed(forall: Forall, *, n: int):
    """Every payoff of the algorithm has a gradient of norm at most (1 + 2 C) sqrt n on the feasible set.

    The payoff has mass two as printed, and |sum_i y_i a_i exp(i <w, x_i>)| reaches 2 C m, not C; m the smaller class.
    A constant of the proof of Theorem 4.1: of what is said of the theorem, only thm-4.1-plugged-constants rests on it.
    """
    norm, box, _ = _largest_payoff_gradient(forall, n, mass=2)
    return norm, printed_gradient_norm(box, n)


@claim(
    "nsrf/g-bound",
    always(),
    over=[{"n": 2, "mass": 1}, {"n": 4, "mass": 2}, {"n": 8, "mass": 1}],
    reading="corrected",
    cite="nsrf, Appendix C, with |S| <= 2 C m",
    restricts="n <= 8, d = 1",
)
def payoff_gradient(forall: Forall, *, n: int, mass: int):
    """A payoff of mass s has a gradient of norm at most sqrt n (1 + 2 s C m), m the size of the smaller class."""
    norm, box, minority = _largest_payoff_gradient(forall, n, mass=mass)
    return norm, gradient_norm(box, n, minority, mass=mass)


def _largest_payoff_gradient(forall: Forall, n: int, *, mass: int) -> tuple[Tensor, Tensor, Tensor]:
    """Gradient norm at any feasible weights and any frequency, with the box and the size of the smaller class."""
    box = forall.interval("box", 0.0, 4.0)
    labels = forall.signs("labels", n)
    points = forall.ball("points", n, 1)
    omega = forall.ball("omega", 1, 1, radius=10.0)
    raw = forall.interval("raw", 0.0, 1.0, n)
    weights = project_box_hyperplane(box.unsqueeze(-1) * raw, labels, box)
    gradient = margin_payoff_gradient(weights, labels, points, omega, mass=mass).squeeze(-2)
    positive = (labels > 0).sum(-1).to(box.dtype)
    return torch.linalg.vector_norm(gradient, dim=-1), box, torch.minimum(positive, n - positive)


@claim(
    "nsrf/lem-C.1",
    always(),
    over=grid(T=[4, 16, 64]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Lemma C.1, for general concave payoffs",
    quote=(
        "Online gradient ascent on f_t(alpha), with step size schedule eta_t = G/(D sqrt t), guarantees the "
        "following for all T >= 1: (1/T) sum f_t(alpha_t) >= max (1/T) sum f_t(alpha) - 3GD/(2 sqrt T)."
    ),
    defect=symbols.ONLINE_STEPS,
)
def online_ascent_with_printed_steps(forall: Forall, *, T: int):
    """Online gradient ascent with steps G/(D sqrt t) has average regret at most 3 G D / (2 sqrt T).

    The letters G and D are interchanged, in the paper or in our copy: the cited theorem has D/(G sqrt t). General
    concave payoffs, linear on [0, D] with slopes in [-G, G], where the lemma speaks of f_t = F(., lambda_t); for these
    see nsrf/lem-C.1-game. The printed steps still have no regret, only another constant: (D^3/(2 G) + G^3/D)/sqrt T.
    """
    regret, diameter, lipschitz = _regret_on_an_interval(forall, T, printed=True)
    return regret, online_ascent_regret(diameter, lipschitz, T)


@claim(
    "nsrf/lem-C.1",
    always(),
    over=grid(T=[1, 4, 16, 64]),
    reading="corrected",
    cite="nsrf, Lemma C.1, with steps D/(G sqrt t)",
    restricts="linear payoffs on an interval, T <= 64",
)
def online_ascent(forall: Forall, *, T: int):
    """Online gradient ascent with steps D/(G sqrt t) has average regret at most 3 G D / (2 sqrt T)."""
    regret, diameter, lipschitz = _regret_on_an_interval(forall, T, printed=False)
    return regret, online_ascent_regret(diameter, lipschitz, T)


def _regret_on_an_interval(forall: Forall, rounds: int, *, printed: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Average regret on [0, D] for any slopes in [-G, G] and any start, with D and G."""
    diameter = forall.interval("diameter", 0.1, 4.0)
    lipschitz = forall.interval("lipschitz", 0.1, 4.0)
    start = diameter * forall.interval("start", 0.0, 1.0)
    slopes = lipschitz.unsqueeze(-1) * forall.interval("slopes", -1.0, 1.0, rounds)
    run = online_gradient_ascent(
        lambda t, _: slopes[..., t - 1 : t],
        lambda action: torch.minimum(action.clamp(min=0.0), diameter.unsqueeze(-1)),
        start.unsqueeze(-1),
        rounds=rounds,
        step=decreasing_step(lipschitz / diameter if printed else diameter / lipschitz),
    )
    return linear_regret(slopes, run.actions.squeeze(-1), 0.0, diameter), diameter, lipschitz


@claim(
    "nsrf/lem-C.1-game",
    always(),
    over=grid(T=[16, 100]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Lemma C.1, for payoffs F(., lambda_t)",
    quote=(
        "Online gradient ascent on f_t(alpha), with step size schedule eta_t = G/(D sqrt t), guarantees the "
        "following for all T >= 1: (1/T) sum f_t(alpha_t) >= max (1/T) sum f_t(alpha) - 3GD/(2 sqrt T)."
    ),
    defect=symbols.ONLINE_STEPS,
)
def online_ascent_in_the_game_with_printed_steps(forall: Forall, *, T: int):
    """In the margin game, online gradient ascent with steps G/(D sqrt t) has average regret at most 3 G D/(2 sqrt T).

    x = (0, 0, 1, 1), y = (+, +, -, -), C <= 1/4, G = 2 the largest gradient norm over all of K and all frequencies: an
    answer pi to heavy weights and 0 to light ones moves the weights from one end of the box to the other, up to t = 256
    for C = 1/4. There the regret is .495 > .15 at T = 100, and above .225, what the proof's G = (1 + 2 C) sqrt n would
    allow. The letters G and D are interchanged, in the paper or in our copy.
    """
    return _regret_of_thrown_weights(forall, T, printed=True)


@claim(
    "nsrf/lem-C.1-game",
    always(),
    over=grid(T=[1, 16, 100]),
    reading="corrected",
    cite="nsrf, Lemma C.1, for payoffs F(., lambda_t), with steps D/(G sqrt t)",
    restricts="one way to answer the weights, on four points, T <= 100",
)
def online_ascent_in_the_game(forall: Forall, *, T: int):
    """In the margin game, online gradient ascent with steps D/(G sqrt t) has average regret at most 3 G D/(2 sqrt T).

    The same points and answers.
    """
    return _regret_of_thrown_weights(forall, T, printed=False)


def _regret_of_thrown_weights(forall: Forall, rounds: int, *, printed: bool) -> tuple[Tensor, Tensor]:
    """Average regret from a_1 = C/2 and its bound; all four weights are u, and K on them is 0 <= u <= C.

    Pairs of mass two. The answer is w = pi, whose payoff is 4 u - 16 u^2 and whose gradient 1 - 8 u in each entry,
    where 4 u > 3 C, else w = 0 with 4 u and 1. Norms are at most 2 for C <= 1/4, and D = 2 C.
    """
    box = forall.interval("C", 0.05, 0.25)
    across, steepest = diameter(box, 2), 2.0
    run = online_gradient_ascent(
        lambda _, action: torch.where(4 * action > 3 * box.unsqueeze(-1), 1 - 8 * action, torch.ones_like(action)),
        lambda action: torch.minimum(action.clamp(min=0.0), box.unsqueeze(-1)),
        box.unsqueeze(-1) / 2,
        rounds=rounds,
        step=decreasing_step(steepest / across if printed else across / steepest),
    )
    weights = run.actions.squeeze(-1)
    curved = (4 * weights > 3 * box.unsqueeze(-1)).to(weights.dtype)
    played = (4 * weights - 16 * curved * weights.square()).mean(-1)
    share = curved.mean(-1)
    best = torch.minimum(box, 1 / (8 * share.clamp(min=1e-300)))
    return 4 * best - 16 * share * best.square() - played, online_ascent_regret(across, steepest, rounds)
