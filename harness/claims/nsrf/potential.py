"""The empirical Fourier potential: smoothness in the frequency and in the points, what one sample changes, bias."""

import math

import torch
from torch import Tensor

from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient, fourier_sums
from bounds.margin_game.fourier_potential import (
    derivative_bound,
    expected_potential,
    lipschitz_constant,
    point_lipschitz_constant,
    printed_lipschitz_constant,
    printed_point_lipschitz_constant,
    printed_replacement_change,
    replacement_change,
)
from harness import Draw, Forall, always, claim, expectation, grid
from harness.claims.nsrf import defects


@claim(
    "nsrf/lem-E.1",
    always(),
    over=grid(n=[2, 6], d=[1, 3]),
    cite="nsrf, Lemma E.1",
    sizes="n = 2 and 6, d = 1 and 3",
    unnoticed="n^2 R is enough (nsrf/lem-E.1-sharp): half of it is reached",
)
def potential_is_lipschitz(forall: Forall, *, n: int, d: int):
    """The Fourier potential of n unit weights is 2 n^2 R-Lipschitz in the frequency, R the largest norm of a point.

    It is differentiable everywhere, so the best constant is the largest gradient norm: half of it, n^2 R, for even n.
    """
    slope, radius = _slope(forall, n, d)
    return slope, printed_lipschitz_constant(n, radius)


@claim(
    "nsrf/lem-E.1-sharp",
    always(),
    over=grid(n=[2, 6], d=[1, 3]),
    cite="nsrf, Lemma E.1, sharpened",
    sizes="n = 2 and 6, d = 1 and 3",
)
def potential_is_lipschitz_sharply(forall: Forall, *, n: int, d: int):
    """The Fourier potential of n unit weights is n^2 R-Lipschitz in the frequency, R the largest norm of a point.

    Attained by equal labels, half of the points at each of +-R.
    """
    slope, radius = _slope(forall, n, d)
    return slope, lipschitz_constant(n, radius)


def _slope(forall: Forall, n: int, d: int) -> tuple[Tensor, Tensor]:
    """Length of the gradient at any frequency, and the largest norm of a point."""
    points = forall.ball("points", n, d)
    labels = forall.signs("labels", n)
    omega = forall.ball("omega", 1, d, radius=10.0)
    _, gradient = fourier_potential_and_gradient(points, omega, labels)
    radius = torch.linalg.vector_norm(points, dim=-1).amax(-1)
    return torch.linalg.vector_norm(gradient.squeeze(-2), dim=-1), radius


@claim(
    "nsrf/A.1-derivatives",
    always(),
    over=grid(n=[2], d=[1], k=[1]) + grid(n=[4], d=[2], k=[2, 4]) + grid(n=[4], d=[3], k=[3]),
    cite="nsrf, Appendix A.1: the k-th derivative scales as R_x^k",
    sizes="n = 2 and 4, d = 1, 2 and 3, k <= 4",
)
def derivatives_scale_with_the_radius(forall: Forall, *, n: int, d: int, k: int):
    """The k-th derivative of the potential of n unit weights is at most n^2 (2 R)^k / 2 along any line.

    The constant is ours, attained for even n: the text says that it scales as R^k, R the largest norm of a point.
    """
    points, labels = forall.ball("points", n, d), forall.signs("labels", n)
    omega, direction = forall.ball("omega", d, radius=10.0), forall.sphere("direction", d)
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)
    phases, slopes = ((gaps @ vector[..., None, :, None]).squeeze(-1) for vector in (omega, direction))
    pairs = labels.unsqueeze(-1) * labels.unsqueeze(-2)
    derivative = (pairs * slopes**k * torch.cos(phases + k * math.pi / 2)).sum((-2, -1))
    return derivative.abs(), derivative_bound(n, torch.linalg.vector_norm(points, dim=-1).amax(-1), k)


@claim(
    "nsrf/lem-E.2",
    always(),
    over=grid(n=[1, 2, 6], d=[1, 2]),
    cite="nsrf, Lemma E.2",
    sizes="n = 1, 2 and 6, d = 1 and 2",
)
def potential_is_lipschitz_in_a_point(forall: Forall, *, n: int, d: int):
    """The Fourier potential of n unit weights at w is 2 n |w|-Lipschitz in each point.

    The best constant is 2 (n - 1) |w|: a point's own term does not move.
    """
    slope, bandwidth = _slope_in_a_point(forall, n, d)
    return slope, printed_point_lipschitz_constant(n, bandwidth)


@claim(
    "nsrf/lem-E.2-sharp",
    always(),
    over=grid(n=[2, 6], d=[1, 2]),
    cite="nsrf, Lemma E.2, sharpened",
    sizes="n = 2 and 6, d = 1 and 2",
)
def potential_is_lipschitz_in_a_point_sharply(forall: Forall, *, n: int, d: int):
    """The Fourier potential of n unit weights at w is 2 (n - 1) |w|-Lipschitz in each point.

    Attained where the other points are in phase, a quarter turn from this one.
    """
    slope, bandwidth = _slope_in_a_point(forall, n, d)
    return slope, point_lipschitz_constant(n, bandwidth)


def _slope_in_a_point(forall: Forall, n: int, d: int) -> tuple[Tensor, Tensor]:
    """Length of the gradient in the first point, 2 |w| |Im(conj(S) exp(i <w, x_1>))|, and |w|."""
    points, labels = forall.ball("points", n, d), forall.signs("labels", n)
    omega = forall.ball("omega", 1, d, radius=10.0)
    cosine, sine = (total.squeeze((-2, -1)) for total in fourier_sums(points, omega, labels.unsqueeze(-2)))
    phase = (points[..., 0, :] * omega.squeeze(-2)).sum(-1)
    bandwidth = torch.linalg.vector_norm(omega.squeeze(-2), dim=-1)
    return 2 * bandwidth * (cosine * phase.sin() - sine * phase.cos()).abs(), bandwidth


@claim(
    "nsrf/replace-one",
    always(),
    over=grid(n=[1], d=[1]) + grid(n=[2], d=[4]) + grid(n=[5], d=[2]),
    cite="nsrf, Appendix E, before Lemma E.3",
    sizes="n = 1, 2 and 5, d = 1, 2 and 4",
)
def replacing_a_point_changes_little(forall: Forall, *, n: int, d: int):
    """Replacing one point x_i changes v(w) / n^2 by at most 4 R_x R_w / n; its label stays.

    Lemma E.3 goes on to replace samples (x_i, y_i), whose labels change as well: see nsrf/replace-one-sample.
    """
    change, phase = _change(forall, n, d, labels=False)
    return change, printed_replacement_change(phase, n)


@claim(
    "nsrf/replace-one-sample",
    always(),
    over=grid(n=[2], d=[1]) + grid(n=[5], d=[2]),
    cite="nsrf, Appendix E, before Lemma E.3, for point and label",
    sizes="n = 2 and 5, d = 1 and 2",
)
def replacing_a_sample_changes_more(forall: Forall, *, n: int, d: int):
    """Replacing one sample (x_i, y_i) changes v(w) / n^2 by at most 4 (n - 1) / n^2.

    What McDiarmid's inequality needs for independent samples. No bound that vanishes with R_x R_w is true: a label
    alone changes it by this much where all points are in phase.
    """
    change, _ = _change(forall, n, d, labels=True)
    return change, replacement_change(n)


def _change(forall: Forall, n: int, d: int, *, labels: bool) -> tuple[Tensor, Tensor]:
    """|v - v'| / n^2 for two samples that differ in the first point, or in its label too, and R_x R_w."""
    points, other = forall.ball("points", n, d), forall.ball("other point", 1, d)
    signs = forall.signs("labels", n)
    omega = forall.ball("omega", 1, d, radius=10.0)
    replaced = torch.cat([other, points[..., 1:, :]], -2)
    flipped = torch.cat([forall.signs("other label", 1), signs[..., 1:]], -1) if labels else signs
    change = fourier_potential(points, omega, signs) - fourier_potential(replaced, omega, flipped)
    radius = torch.linalg.vector_norm(torch.cat([points, other], -2), dim=-1).amax(-1)
    return change.squeeze(-1).abs() / n**2, radius * torch.linalg.vector_norm(omega.squeeze(-2), dim=-1)


@claim(
    "nsrf/bias",
    expectation(range=(-1.0, 1.0), margin=0.02),
    over=grid(n=[2, 10], side=[1, -1]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix E, before Lemma E.1",
    quote="we have E[v(omega)/n^2] = v_ideal(omega)",
    defect=defects.BIAS,
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
    restricts="distributions on four labelled points of the line, n <= 10",
)
def potential_bias(forall: Forall, draw: Draw, *, n: int, side: int):
    """E[v / n^2] = v_ideal + (1 - v_ideal) / n (as <= for side 1, >= for side -1)."""
    empirical, ideal = _empirical_and_ideal_potential(forall, draw, n)
    return side * empirical, side * expected_potential(ideal, n)


def _empirical_and_ideal_potential(forall: Forall, draw: Draw, n: int, *, atoms: int = 4) -> tuple[Tensor, Tensor]:
    """v / n^2 of n samples and v_ideal, at frequency 1, for any distribution on a few labelled points of the line."""
    law = forall.simplex("law", atoms)
    points = forall.interval("points", -3.2, 3.2, atoms, 1)
    labels = forall.signs("labels", atoms)
    frequency = torch.ones_like(points[..., :1, :])
    counts = draw.multinomial("counts", n, law)
    empirical = fourier_potential(points, frequency, counts * labels).squeeze(-1) / n**2
    return empirical, fourier_potential(points, frequency, law * labels).squeeze(-1)
