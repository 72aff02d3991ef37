"""The empirical Fourier potential: smoothness in the frequency, bias."""

import torch
from torch import Tensor

from algos.fourier import fourier_potential, fourier_potential_and_gradient
from bounds.fourier_potential import expected_potential, printed_lipschitz_constant
from harness import Draw, Forall, always, claim, expectation, grid


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
