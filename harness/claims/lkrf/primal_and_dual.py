"""Equations (1) and (7), a penalty on the function or a box of coefficients: their duals, for convex costs."""

import torch
from torch import Tensor

from harness import Forall, always, claim, grid, identity


@claim(
    "lkrf/eq-1",
    always(),
    over=grid(n=[1], rank=[1], pieces=[2]) + grid(n=[4], rank=[3], pieces=[3]),
    cite="lkrf, equation (1)",
    sizes="n = 1 and 4 points, kernels of rank 1 and 3, costs that are the largest of two or three lines",
)
def dual_is_below_the_primal(forall: Forall, *, n: int, rank: int, pieces: int):
    """-sum_i c*(alpha_i, y_i) - alpha'G alpha/(2 lambda) <= sum_i c(f(x_i), y_i) + lambda |f|^2/2 for all f and alpha.

    Each point has any cost c(z) = max_j (s_j z + b_j); with weights w on its lines alpha = sum_j w_j s_j, and c*(alpha)
    is the least of -sum_j w_j b_j over them, so all alpha with a finite c* are tried. The quadratic term of the dual is
    taken to the right, and 8 n is added to both sides, which makes them positive.
    """
    features, slopes, offsets, scale = problem(forall, n, rank, pieces)
    direction, shares = forall.ball("f", rank, radius=3.0), forall.simplex("w", n, pieces)
    scores = (features * direction.unsqueeze(-2)).sum(-1)
    costs = (slopes * scores.unsqueeze(-1) + offsets).amax(-1).sum(-1)
    primal = costs + scale * direction.square().sum(-1) / 2
    alpha, conjugates = (shares * slopes).sum(-1), -(shares * offsets).sum(-1)
    combined = (features * alpha.unsqueeze(-1)).sum(-2)
    energy = combined.square().sum(-1) / (2 * scale)
    return 8.0 * n - conjugates.sum(-1), primal + energy + 8.0 * n


@claim(
    "lkrf/eq-1-attained",
    identity(),
    over=grid(n=[1], rank=[1], pieces=[2]) + grid(n=[4], rank=[2], pieces=[3]),
    cite="lkrf, equation (1)",
    sizes="n = 1 and 4 points, kernels of rank 1 and 2, costs that are the largest of two or three lines",
)
def dual_meets_the_primal(forall: Forall, *, n: int, rank: int, pieces: int):
    """The two values of (1) are equal where alpha_i is a slope of c(., y_i) at f(x_i), f = -sum alpha_i K_(x_i)/lambda.

    Any such alpha and f, with costs that have this slope there: the conditions of optimality, so both problems
    are solved and have one value. c*(alpha_i) is computed as the largest of alpha_i z - c(z) at the kinks of c.
    """
    features, slopes, offsets, scale = problem(forall, n, rank, pieces)
    alpha = forall.interval("alpha", -1.0, 1.0, n)
    direction = -(features * alpha.unsqueeze(-1)).sum(-2) / scale.unsqueeze(-1)
    scores = (features * direction.unsqueeze(-2)).sum(-1)
    slopes, offsets = with_slope(alpha, scores, slopes, offsets)
    costs = (slopes * scores.unsqueeze(-1) + offsets).amax(-1).sum(-1)
    primal = costs + scale * direction.square().sum(-1) / 2
    gram = features @ features.mT
    energy = (alpha * (gram @ alpha.unsqueeze(-1)).squeeze(-1)).sum(-1) / (2 * scale)
    return primal + 1.0, 1.0 - conjugate(alpha, slopes, offsets, scores).sum(-1) - energy


@claim(
    "lkrf/eq-7-dual",
    always(),
    reading="corrected",
    over=grid(n=[1], D=[2], pieces=[2]) + grid(n=[4], D=[3], pieces=[3]),
    cite="lkrf, equation (7), with D for N_w",
    sizes="n = 1 and 4 points, D = 2 and 3 features, costs that are the largest of two or three lines",
)
def box_problem_has_a_dual(forall: Forall, *, n: int, D: int, pieces: int):
    """-sum_i c*(beta_i, y_i) - (C/D) |Phi'beta|_1 <= sum_i c(sum_m alpha_m phi(x_i, w_m), y_i) in the box of (7).

    For all |alpha|_inf <= C/D and all beta with a finite c*, as in lkrf/eq-1; the norm is taken to the right and 8 n is
    added to both sides, which makes them positive.
    """
    features, slopes, offsets, box = box_problem(forall, n, D, pieces)
    alpha, shares = box.unsqueeze(-1) * forall.interval("alpha", -1.0, 1.0, D), forall.simplex("w", n, pieces)
    scores = (features * alpha.unsqueeze(-2)).sum(-1)
    costs = (slopes * scores.unsqueeze(-1) + offsets).amax(-1).sum(-1)
    beta, conjugates = (shares * slopes).sum(-1), -(shares * offsets).sum(-1)
    pulls = (features * beta.unsqueeze(-1)).sum(-2)
    return 8.0 * n - conjugates.sum(-1), costs + support_function(box, pulls) + 8.0 * n


@claim(
    "lkrf/eq-7-minimum",
    identity(),
    reading="corrected",
    over=grid(n=[1], D=[2], pieces=[2]) + grid(n=[4], D=[3], pieces=[3]) + grid(n=[2], D=[5], pieces=[2]),
    cite="lkrf, equation (7), with D for N_w",
    sizes="n = 1, 2 and 4 points, D = 2, 3 and 5 features, costs that are the largest of two or three lines",
)
def box_problem_is_solved_at_its_ends(forall: Forall, *, n: int, D: int, pieces: int):
    """alpha_m = -(C/D) sign(sum_i beta_i phi(x_i, w_m)) solves (7), beta_i a slope of c(., y_i) at the score of alpha.

    Where the sum is zero alpha_m is anything in the box. Its cost is the dual value at beta, which no alpha of the box
    is below (lkrf/eq-7-dual): the conditions of optimality, for any convex costs with these slopes.
    """
    features, slopes, offsets, box = box_problem(forall, n, D, pieces)
    beta, inner = forall.interval("beta", -1.0, 1.0, n), forall.interval("alpha", -1.0, 1.0, D)
    pulls = (features * beta.unsqueeze(-1)).sum(-2)
    alpha = box.unsqueeze(-1) * torch.where(pulls == 0.0, inner, -pulls.sign())
    scores = (features * alpha.unsqueeze(-2)).sum(-1)
    slopes, offsets = with_slope(beta, scores, slopes, offsets)
    costs = (slopes * scores.unsqueeze(-1) + offsets).amax(-1).sum(-1)
    return costs + 8.0 * n, 8.0 * n - conjugate(beta, slopes, offsets, scores).sum(-1) - support_function(box, pulls)


def box_problem(forall: Forall, n: int, D: int, pieces: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Features (batch, n, D) in [-1, 1], slopes and offsets (batch, n, pieces) of the costs, and C/D."""
    features, size = forall.interval("phi", -1.0, 1.0, n, D), forall.interval("C", 0.0, 3.0)
    slopes, offsets = forall.interval("slopes", -2.0, 2.0, n, pieces), forall.interval("offsets", -1.0, 1.0, n, pieces)
    return features, slopes, offsets, size / D


def support_function(box: Tensor, pulls: Tensor) -> Tensor:
    """The largest alpha.pulls over the box: (C/D) |pulls|_1."""
    return box * pulls.abs().sum(-1)


def with_slope(alpha: Tensor, scores: Tensor, slopes: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
    """Lines of which the one of slope alpha is the largest at the scores, where it is zero."""
    slopes = torch.cat([alpha.unsqueeze(-1), slopes], -1)
    heights = torch.cat([torch.zeros_like(alpha).unsqueeze(-1), -1 - offsets], -1)
    return slopes, heights - slopes * scores.unsqueeze(-1)


def problem(forall: Forall, n: int, rank: int, pieces: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Features (batch, n, rank) of a kernel, slopes and offsets (batch, n, pieces) of the costs, and lambda."""
    features = forall.ball("phi", n, rank)
    slopes, offsets = forall.interval("slopes", -2.0, 2.0, n, pieces), forall.interval("offsets", -1.0, 1.0, n, pieces)
    return features, slopes, offsets, forall.interval("lambda", 0.01, 10.0)


def conjugate(alpha: Tensor, slopes: Tensor, offsets: Tensor, scores: Tensor) -> Tensor:
    """sup_z { alpha z - max_j (s_j z + b_j) } at z = scores and at all crossings of two lines: (batch, n)."""
    rise = slopes.unsqueeze(-1) - slopes.unsqueeze(-2)
    crossings = (offsets.unsqueeze(-2) - offsets.unsqueeze(-1)) / torch.where(rise.abs() > 1e-6, rise, torch.inf)
    places = torch.cat([scores.unsqueeze(-1), crossings.flatten(-2)], -1)
    costs = (slopes.unsqueeze(-2) * places.unsqueeze(-1) + offsets.unsqueeze(-2)).amax(-1)
    return (alpha.unsqueeze(-1) * places - costs).amax(-1)
