"""Bullins, Zhang, Zhang: Not-So-Random Features.

Points x_i in R^d with labels y_i = +-1; v_a(w) = |sum_i y_i a_i exp(i <w, x_i>)|^2 is the Fourier potential of the
weights a, and K = {0 <= a <= C, y.a = 0} the feasible set of the support vector machine with a bias. A symmetric
measure puts half of each mass on w and half on -w, so that its kernel is a mixture of cosines.
"""

import torch
from torch import Tensor

from algos.fourier import fourier_potential, fourier_potential_and_gradient
from algos.margin_game import margin_payoff_gradient
from algos.online import decreasing_step, linear_regret, online_gradient_ascent
from algos.projection import project_box_hyperplane
from bounds.fourier_potential import expected_potential, printed_lipschitz_constant
from bounds.online import gradient_norm, online_ascent_regret, printed_gradient_norm
from harness import Draw, Forall, always, claim, expectation, grid, identity


@claim("nsrf/eq-4", identity(), over=grid(n=[1, 2, 6], frequencies=[1, 4]), cite="nsrf, equation (4)")
def alignment_is_an_integral_of_the_potential(forall: Forall, *, n: int, frequencies: int):
    """Kernel alignment a'Y G Y a is the integral of the Fourier potential v_a against the kernel's spectral measure."""
    points = forall.ball("points", n, 2)
    labels = forall.signs("labels", n)
    weights = forall.interval("weights", 0.0, 1.0, n)
    omega = forall.ball("omega", frequencies, 2, radius=20.0)
    measure = forall.simplex("measure", frequencies)
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)
    gram = (torch.cos(gaps @ omega.mT.unsqueeze(-3)) * measure[..., None, None, :]).sum(-1)
    signed = (labels * weights).unsqueeze(-1)
    alignment = (signed.mT @ gram @ signed).squeeze((-2, -1))
    return alignment, (measure * fourier_potential(points, omega, labels * weights)).sum(-1)


@claim("nsrf/lem-E.1", always(), over=grid(n=[2, 6], d=[1, 3]), cite="nsrf, Lemma E.1")
def potential_is_lipschitz(forall: Forall, *, n: int, d: int):
    """The Fourier potential of n unit weights is 2 n^2 R-Lipschitz in the frequency, R the largest norm of a point.

    Its gradient is differentiable everywhere, so the best constant is the largest gradient norm: n^2 R, half of it.
    """
    points = forall.ball("points", n, d)
    labels = forall.signs("labels", n)
    omega = forall.ball("omega", 1, d, radius=10.0)
    _, gradient = fourier_potential_and_gradient(points, omega, labels)
    radius = torch.linalg.vector_norm(points, dim=-1).amax(-1)
    return torch.linalg.vector_norm(gradient.squeeze(-2), dim=-1), printed_lipschitz_constant(n, radius)


@claim(
    "nsrf/g-bound",
    always(),
    over=grid(n=[2, 4, 8]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix C, proof of Theorem 4.1",
)
def payoff_gradient_as_printed(forall: Forall, *, n: int):
    """Every payoff of the algorithm has a gradient of norm at most (1 + 2 C) sqrt n on the feasible set.

    The payoff has mass two as printed, and |sum_i y_i a_i exp(i <w, x_i>)| reaches 2 C m, not C; m the smaller class.
    """
    norm, box, _ = _largest_payoff_gradient(forall, n, mass=2)
    return norm, printed_gradient_norm(box, n)


@claim(
    "nsrf/g-bound",
    always(),
    over=grid(n=[2, 4, 8], mass=[1, 2]),
    reading="corrected",
    cite="nsrf, Appendix C, with |S| <= 2 C m",
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
)
def online_ascent_with_printed_steps(forall: Forall, *, T: int):
    """Online gradient ascent with steps G/(D sqrt t) has average regret at most 3 G D / (2 sqrt T).

    Payoffs are linear on [0, D] with slopes in [-G, G]. Equal slopes G are also payoffs of the paper's own game (one
    point per class, frequency zero), so reading the lemma for that game alone does not save it.
    """
    regret, diameter, lipschitz = _regret_on_an_interval(forall, T, printed=True)
    return regret, online_ascent_regret(diameter, lipschitz, T)


@claim(
    "nsrf/lem-C.1",
    always(),
    over=grid(T=[1, 4, 16, 64]),
    reading="corrected",
    cite="nsrf, Lemma C.1, with steps D/(G sqrt t)",
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
    "nsrf/bias",
    expectation(range=(-1.0, 1.0), margin=0.02),
    over=grid(n=[2, 10], side=[1, -1]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix E, before Lemma E.1",
)
def potential_is_unbiased_as_printed(forall: Forall, draw: Draw, *, n: int, side: int):
    """The potential of n independent samples satisfies E[v / n^2] = v_ideal (as <= for side 1, >= for side -1).

    The n diagonal terms are one, not v_ideal: a bias of (1 - v_ideal) / n, which vanishes as n grows.
    """
    empirical, ideal = _empirical_and_ideal_potential(forall, draw, n)
    return side * empirical, side * ideal


@claim(
    "nsrf/bias",
    expectation(range=(-1.0, 1.0), margin=0.02),
    over=grid(n=[1, 2, 10], side=[1, -1]),
    reading="corrected",
    cite="nsrf, Appendix E, with the diagonal kept",
)
def potential_bias(forall: Forall, draw: Draw, *, n: int, side: int):
    """E[v / n^2] = v_ideal + (1 - v_ideal) / n (as <= for side 1, >= for side -1)."""
    empirical, ideal = _empirical_and_ideal_potential(forall, draw, n)
    return side * empirical, side * expected_potential(ideal, n)


def _empirical_and_ideal_potential(forall: Forall, draw: Draw, n: int, *, atoms: int = 4) -> tuple[Tensor, Tensor]:
    """v / n^2 of n samples and v_ideal, at frequency 1, for any law on a few labelled points of the line."""
    law = forall.simplex("law", atoms)
    points = forall.interval("points", -3.2, 3.2, atoms, 1)
    labels = forall.signs("labels", atoms)
    frequency = torch.ones_like(points[..., :1, :])
    counts = draw.multinomial("counts", n, law)
    empirical = fourier_potential(points, frequency, counts * labels).squeeze(-1) / n**2
    return empirical, fourier_potential(points, frequency, law * labels).squeeze(-1)
