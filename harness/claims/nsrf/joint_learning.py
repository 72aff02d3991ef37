"""Section 1.1: learning a frequency jointly with its regression parameters by descent, which can end in poor minima."""

import torch
from torch import Tensor

from algos.best_response.langevin import langevin_dynamics
from harness import Draw, Row, claim, reproduction
from harness.claims.placement import on_device
from harness.data import windmill

POINTS, SIDE, REACH, STEPS = 250, 8, 6.0, 1500
WAVE = (6.4, 4.8)
"""The planted frequency, of length 8."""


@claim(
    "nsrf/joint-minima",
    reproduction(sided="at least"),
    cite="nsrf, Section 1.1: this approach can get stuck in poor local minima, even in 2 dimensions",
    sizes="250 points of the disc, one frequency, 64 runs; labels of our own, as the paper names no data",
)
def joint_descent_gets_stuck(draw: Draw):
    """In the plane a tenth or more of the runs of joint descent end in a strict local minimum of half the best fit.

    Descent on mean (y - b cos <w, x> - c sin <w, x>)^2 in w, b and c together, as the approach that the paper names
    learns frequencies and regression parameters, from 64 frequencies of a lattice on |w_j| <= 6. Labels are the signs
    of one wave of length 8 on the disc, so that a single frequency explains most of them. Stuck: next to where a run
    ends Newton's method finds a point without slope whose second derivatives are all of one sign, with at most half of
    the fit of the best run. On the windmill, shown beside it, no run of a single frequency is.
    """
    points, spiral = on_device(draw, windmill(POINTS, seed=1))
    wave = torch.where(points @ points.new_tensor(WAVE) % (2 * torch.pi) < torch.pi, 1.0, -1.0).to(points)
    axis = torch.linspace(-REACH, REACH, SIDE, dtype=points.dtype, device=points.device)
    starts = torch.cartesian_prod(axis, axis)
    return [
        Row("share of runs stuck, planted wave", _stuck(points, wave, starts), printed=0.1),
        Row("share of runs stuck, windmill", _stuck(points, spiral, starts)),
    ]


def _stuck(points: Tensor, labels: Tensor, starts: Tensor) -> float:
    """Share of runs that end within 1/2, in w, of a strict local maximum of the fit with at most half of the best."""
    first = torch.cat([starts, torch.full_like(starts, 0.1)], -1)
    ends = langevin_dynamics(
        lambda places: fit_and_slope(points, labels, places), first, steps=STEPS, step=0.25, noise_scale=0.0
    ).last
    best = fit_and_slope(points, labels, ends)[0].amax()
    nearest = ends
    for _ in range(30):
        slope, curvature = fit_and_slope(points, labels, nearest)[1], second_derivatives(points, labels, nearest)
        nearest = nearest - torch.linalg.solve(curvature, slope)
    fit, slope = fit_and_slope(points, labels, nearest)
    largest = torch.linalg.eigvalsh(second_derivatives(points, labels, nearest))[:, -1]
    strict = (slope.norm(dim=-1) < 1e-8) & (largest < 0)
    close = (nearest - ends)[:, :2].norm(dim=-1) < 0.5
    return float((strict & close & (fit <= best / 2)).double().mean())


def fit_and_slope(points: Tensor, labels: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
    """mean y^2 - mean (y - b cos <w, x> - c sin <w, x>)^2 at places (w, b, c), (runs, 4), and its gradient."""
    _, _, slopes, residual = _parts(points, labels, places)
    gradient = 2 * (residual.unsqueeze(-1) * slopes).mean(-2)
    return (labels.square() - residual.square()).mean(-1), gradient


def second_derivatives(points: Tensor, labels: Tensor, places: Tensor) -> Tensor:
    """Of the same, (runs, 4, 4): 2 mean (residual times those of the wave - the square of its gradient)."""
    cosine, sine, slopes, residual = _parts(points, labels, places)
    wave = places[:, 2:3] * cosine + places[:, 3:] * sine
    bent = -wave[..., None, None] * points.unsqueeze(-1) * points.unsqueeze(-2)  # (runs, n, 2, 2)
    turned = torch.stack([-sine, cosine], -1).unsqueeze(-2) * points.unsqueeze(-1)  # d/dw d/d(b, c)
    zero = torch.zeros_like(bent)
    second = torch.cat([torch.cat([bent, turned], -1), torch.cat([turned.mT, zero], -1)], -2)
    squares = slopes.unsqueeze(-1) * slopes.unsqueeze(-2)
    return 2 * (residual[..., None, None] * second - squares).mean(1)


def _parts(points: Tensor, labels: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """cos <w, x> and sin <w, x>, (runs, n), the gradient of the wave, (runs, n, 4), and what it leaves of y."""
    phases = places[:, :2] @ points.mT
    cosine, sine = phases.cos(), phases.sin()
    along = (places[:, 3:] * cosine - places[:, 2:3] * sine).unsqueeze(-1) * points
    slopes = torch.cat([along, torch.stack([cosine, sine], -1)], -1)
    return cosine, sine, slopes, labels - places[:, 2:3] * cosine - places[:, 3:] * sine
