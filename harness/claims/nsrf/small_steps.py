"""Small steps of the text and of its proofs: the diameter, the net, one ascent step, one product for many sums."""

import torch

from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient
from algos.margin_game.projection import project_box_hyperplane
from bounds.margin_game.fourier_potential import derivative_bound
from bounds.margin_game.online import printed_diameter
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf import defects


@claim(
    "nsrf/d-bound",
    always(),
    over=grid(n=[2, 5, 20]),
    cite="nsrf, Appendix C, D <= C sqrt n",
    sizes="n = 2, 5 and 20; boxes up to 4",
)
def diameter_of_the_feasible_set(forall: Forall, *, n: int):
    """Two points of K are at most C sqrt n apart.

    Attained by 0 and C where the classes have the same size.
    """
    box, labels = forall.interval("C", 0.1, 4.0), forall.signs("labels", n)
    raw = [box.unsqueeze(-1) * forall.interval(name, -1.0, 2.0, n) for name in ("first", "second")]
    first, second = (project_box_hyperplane(point, labels, box) for point in raw)
    return torch.linalg.vector_norm(first - second, dim=-1), printed_diameter(box, n)


@claim(
    "nsrf/net",
    always(),
    over=grid(d=[1, 3], R_w=[3.0]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix E, the net and the union bound",
    quote="<= |W| exp(-n eps^2/(8 R_x^2 R_omega^4)) <= (2 R_omega/eps)^d exp(-n eps^2/(8 R_x^2 R_omega^4)).",
    defect=defects.LABELS_OF_SAMPLES,
)
def size_of_the_net_as_printed(forall: Forall, *, d: int, R_w: float):
    """An (epsilon/R_w)-net of the ball of radius R_w in R^d has at most (2 R_w/epsilon)^d elements.

    Left: what any such net has at least, the volume of the ball over that of one of radius epsilon/R_w. It is larger
    for every R_w > 2. For smaller R_w the size can be right, but not the step: the potentials move by up to 2 R_x
    epsilon/R_w between the net and the rest, which is not in the printed inequality. What remains is nsrf/thm-4.4.
    """
    epsilon = forall.interval("epsilon", 0.05, 0.5)
    return (R_w**2 / epsilon) ** d, (2 * R_w / epsilon) ** d


@claim(
    "nsrf/net",
    always(),
    over=grid(d=[1], count=[9]) + grid(d=[2], count=[5]) + grid(d=[4], count=[3]),
    reading="corrected",
    cite="nsrf, Appendix E, the net, with (1 + 2 R_w/r)^d elements",
    sizes="d = 1, 2 and 4; three, five and nine points",
)
def size_of_a_net(forall: Forall, *, d: int, count: int):
    """N points of the ball of radius R_w have two at a distance r with N <= (1 + 2 R_w/r)^d.

    So a set to which no point of the ball can be added at a distance above r, which is an r-net, has at most so many.
    Equality for d = 1. The left side is the smallest distance, the right one 2 R_w/(N^(1/d) - 1), for R_w = 1.
    """
    points = forall.ball("points", count, d)
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)
    pairs = torch.triu_indices(count, count, 1, device=points.device)
    distances = gaps[..., pairs[0], pairs[1], :].square().sum(-1)
    return distances.amin(-1).clamp(min=1e-30).sqrt(), 2 / (count ** (1 / d) - 1)


@claim(
    "nsrf/net-transfer",
    always(),
    over=grid(d=[1], atoms=[2]) + grid(d=[3], atoms=[4]),
    cite="nsrf, Appendix E, from the net to the ball, with R_x",
    sizes="d = 1 and 3; samples and distributions on two and four labelled points",
)
def deviations_move_little_off_the_net(forall: Forall, *, d: int, atoms: int):
    """|v/n^2 - v_ideal| at w is at most that at w' and 2 R_x |w - w'|: a net of radius epsilon/(4 R_x) is enough.

    With deviations of epsilon/2 on it. For any distribution and any sample on the same labelled points; R_x = 1.
    """
    points, labels = forall.ball("points", atoms, d), forall.signs("labels", atoms)
    omega = forall.ball("w and w'", 2, d, radius=4.0)
    ideal, sampled = (
        fourier_potential(points, omega, labels * forall.simplex(name, atoms)) for name in ("law", "shares")
    )
    deviation = (sampled - ideal).abs()
    reach = torch.linalg.vector_norm(omega[..., 0, :] - omega[..., 1, :], dim=-1)
    return deviation[..., 0], deviation[..., 1] + 2 * reach


@claim(
    "nsrf/A.1-refine",
    always(),
    over=grid(n=[2], d=[1]) + grid(n=[6], d=[3]),
    cite="nsrf, Appendix A.1: refine the samples by a few steps with a very small learning rate",
    sizes="n = 2 and 6, d = 1 and 3",
    restricts="one gradient step and the potential; longer runs of Algorithm 1 and the margin: nsrf/A.1-saturate",
)
def small_ascent_steps_never_hurt(forall: Forall, *, n: int, d: int):
    """A step of length zeta |g| along the gradient g raises the potential by at least zeta |g|^2/2, zeta <= 1/L.

    L = 2 n^2 R_x^2 bounds its second derivatives. So more steps never hurt, and what they add to the potential is taken
    off epsilon_t in the bound of Theorem 4.1. The larger potential stands on the right.
    """
    points = forall.ball("points", n, d)
    signed = forall.signs("labels", n) * forall.interval("weights", 0.0, 1.0, n)
    omega, share = forall.ball("omega", 1, d, radius=10.0), forall.interval("zeta L", 0.0, 1.0)
    value, gradient = fourier_potential_and_gradient(points, omega, signed)
    radius = torch.linalg.vector_norm(points, dim=-1).amax(-1).clamp(min=1e-6)
    rate = share / derivative_bound(n, radius, 2)
    moved = fourier_potential(points, omega + rate[..., None, None] * gradient, signed)
    return value.squeeze(-1) + rate * gradient.square().sum((-2, -1)) / 2, moved.squeeze(-1)


@claim(
    "nsrf/sec-3.1-product",
    identity(),
    over=grid(n=[1], d=[1], m=[4]) + grid(n=[5], d=[2], m=[3]) + grid(n=[3], d=[6], m=[1]),
    cite="nsrf, Section 3.1: v and its gradient at m frequencies from one (m, d) by (d, n) product",
    sizes="n = 1, 3 and 5, d = 1, 2 and 6, m = 1, 3 and 4",
    restricts="that one product and pointwise cosines and sines give them; how fast a GPU does it is not judged",
)
def many_potentials_from_one_product(forall: Forall, *, n: int, d: int, m: int):
    """v and its gradient at m frequencies, from one product and cosines and sines, are the double sums over the points.

    Compared are sums over the frequencies with any coefficients, of values and slopes.
    """
    points, omega = forall.ball("points", n, d), forall.ball("omega", m, d, radius=10.0)
    signed = forall.signs("labels", n) * forall.interval("weights", 0.0, 1.0, n)
    coefficients, directions = forall.interval("coefficients", -1.0, 1.0, m), forall.interval("u", -1.0, 1.0, m, d)
    values, gradients = fourier_potential_and_gradient(points, omega, signed)
    found = (coefficients * values).sum(-1) + (directions * gradients).sum((-2, -1))
    gaps = points.unsqueeze(-2) - points.unsqueeze(-3)  # (batch, n, n, d)
    pairs = (signed.unsqueeze(-1) * signed.unsqueeze(-2)).unsqueeze(-1)
    phases, slopes = (gaps @ vectors.mT.unsqueeze(-3) for vectors in (omega, directions))
    terms = coefficients[..., None, None, :] * phases.cos() - slopes * phases.sin()
    return found, (pairs * terms).sum((-3, -2, -1))
