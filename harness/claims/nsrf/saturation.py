"""Appendix A.1: that saturating the peak finding never hurts, and adds to the margin bound."""

import torch

from algos.best_response.langevin import langevin_dynamics
from algos.fourier.sums import fourier_potential, fourier_potential_and_gradient
from algos.margin_game.projection import project_box_hyperplane
from bounds.margin_game.fourier_potential import derivative_bound
from bounds.margin_game.game import convergence
from harness import Forall, always, claim, grid


@claim(
    "nsrf/A.1-saturate",
    always(),
    over=grid(n=[2], d=[1], copies=[1], steps=[1], more=[1]) + grid(n=[3], d=[2], copies=[2], steps=[1], more=[2]),
    cite="nsrf, Appendix A.1: it never hurts to saturate the peak finding; refine by small gradient steps",
    sizes="n = 2 and 3, d = 1 and 2, one and two copies, up to three steps and a gradient step; boxes up to 2",
)
def saturation_is_an_additive_improvement(forall: Forall, *, n: int, d: int, copies: int, steps: int, more: int):
    """More steps of Algorithm 1, then a step of length zeta |g| along g, take zeta |g|^2/4 or more off the gap's bound.

    The bound of Theorem 4.1, (mean of eps_t)/2 + 3 G D/(2 sqrt T) as corrected, with eps_t from any bound of the peak:
    what is added to the potential in every round is taken off, by half. For any sample, weights of K, starts, noise and
    step sizes, zeta <= 1/L, L = 2 (C n R_x)^2 a bound of second derivatives. Step 0 of a run counts, as printed.
    """
    points, labels, box = forall.ball("points", n, d), forall.signs("labels", n), forall.interval("C", 0.1, 2.0)
    raw = box.unsqueeze(-1) * forall.interval("raw", -1.0, 2.0, n)
    signed = labels * project_box_hyperplane(raw, labels, box)
    starts, numbers = (
        forall.ball("w_0", copies, d, radius=10.0),
        forall.interval("z", -3.0, 3.0, steps + more, copies, d),
    )
    runs = [
        langevin_dynamics(
            lambda places: fourier_potential_and_gradient(points, places, signed),
            starts,
            steps=count,
            step=0.05,
            noise_scale=0.5,
            noise=lambda t: numbers[..., t - 1, :, :],
        )
        for count in (steps, steps + more)
    ]
    omega = runs[1].best_index.unsqueeze(-2)
    gradient = fourier_potential_and_gradient(points, omega, signed)[1]
    radius = torch.linalg.vector_norm(points, dim=-1).amax(-1).clamp(min=1e-3)
    rate = forall.interval("zeta L", 0.0, 1.0) / (box.square() * derivative_bound(n, radius, 2))
    refined = fourier_potential(points, omega + rate[..., None, None] * gradient, signed).squeeze(-1)
    peak, minority = signed.abs().sum(-1).square(), (n - labels.sum(-1).abs()) / 2
    before, after = (
        convergence(box, n, minority, 100, peak_gap=(peak - value).clamp(min=0.0))
        for value in (runs[0].best_value, refined)
    )
    return after + rate * gradient.square().sum((-2, -1)) / 4, before
