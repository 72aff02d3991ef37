"""Alien claims, known: layers, kernels at initialisation, interpolation, dynamics, diffusion; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    grid,
    high_probability,
    identity,
    rate,
    reproduction,
)


@claim("networks/true-softmax-lipschitz", always(), cite="Gao and Pavel 2017, with 1/2")
def true_softmax_lipschitz(forall):
    """|softmax(x) - softmax(y)| <= |x - y| / 2."""
    x, y = forall.interval("x", -10.0, 10.0, 4), forall.interval("y", -10.0, 10.0, 4)
    return (torch.softmax(x, -1) - torch.softmax(y, -1)).norm(dim=-1), (x - y).norm(dim=-1) / 2.0


@claim("networks/plain-spectral-radius", always(), expected="refuted", cite="Horn and Johnson 2013, 5.6")
def plain_spectral_radius(forall):
    """The spectral radius of a product of layers is at most the product of the spectral radii."""
    first, second = forall.interval("W1", -1.0, 1.0, 2, 2), forall.interval("W2", -1.0, 1.0, 2, 2)

    def radius(m):
        return torch.linalg.eigvals(m).abs().amax(-1)

    return radius(second @ first), radius(second) * radius(first)


@claim("networks/true-arc-cosine", expectation(range=(-1.0, math.inf), margin=0.02), cite="Cho and Saul 2009")
def true_arc_cosine(forall, draw):
    """E relu(w x) relu(w y) <= (sin t + (pi - t) cos t) / (2 pi) for unit vectors at the angle t."""
    x, y = forall.sphere("x", 2), forall.sphere("y", 2)
    w = draw.normal("w", 2)
    t = (x * y).sum(-1).clamp(-1.0, 1.0).acos()
    lhs = (w * x).sum(-1).clamp_min(0.0) * (w * y).sum(-1).clamp_min(0.0)
    return lhs, (t.sin() + (math.pi - t) * t.cos()) / (2.0 * math.pi)


@claim(
    "networks/true-he-concentration",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[16, 32, 64, 128, 256, 512]),
    cite="He et al. 2015",
)
def true_he_concentration(draw, *, n):
    """E | |relu(W x)|^2 2/n - |x|^2 | is of order n^-1/2 exactly for a layer of n normal neurons."""
    return (2.0 * draw.normal("z", n).clamp_min(0.0).square().mean(-1) - 1.0).abs()


@claim("networks/true-dropout-penalty", identity(), cite="Wager, Wang and Liang 2013")
def true_dropout_penalty(forall):
    """E (y - sum m_i w_i x_i / p)^2 = (y - <w, x>)^2 + (1 - p) / p sum (w_i x_i)^2 for dropout m of keep rate p."""
    x, w = forall.interval("x", -1.0, 1.0, 4), forall.interval("w", -1.0, 1.0, 4)
    y, p = forall.interval("y", -1.0, 1.0), forall.interval("p", 0.1, 1.0)
    masks = every.vectors(2, 4, like=x)
    kept = masks.sum(-1)
    chance = p[:, None] ** kept * (1.0 - p[:, None]) ** (4.0 - kept)
    output = (x * w) @ masks.mT / p[:, None]
    penalty = (1.0 - p) / p * (x * w).square().sum(-1)
    return (chance * (y[:, None] - output).square()).sum(-1), (y - (x * w).sum(-1)).square() + penalty


@claim("networks/subtle-kahane", always(), expected="refuted", cite="Latala and Oleszkiewicz 1994, with .71 for .7071")
def subtle_kahane(forall):
    """0.71 sqrt(sum |x_i|^2) <= E |sum e_i x_i| for six points of the disc."""
    x = forall.ball("x", 6, 2)
    sums = torch.einsum("ki,bid->bkd", every.signs(6, like=x), x)
    return 0.71 * x.square().sum((-1, -2)).sqrt(), sums.norm(dim=-1).mean(-1)


@claim("networks/true-ridgeless-table", reproduction(tolerance=0.02), cite="Hastie et al. 2022")
def true_ridgeless_table(draw):
    """The variance n / (p - n - 1) of the least-norm interpolator of n = 2 points is .667, .400, .222 \
for p = 6, 8, 12."""
    rows = []
    for p, printed in ((6, 0.667), (8, 0.4), (12, 0.222)):
        x = draw.normal(f"x{p}", 2000, 2, p)
        trace = torch.linalg.inv(x @ x.mT).diagonal(dim1=-2, dim2=-1).sum(-1)
        rows.append(Row(f"p = {p}", Estimate.mean(trace.mean(-1)), printed=printed))
    return rows


@claim("networks/true-heavy-ball-radius", always(), cite="Polyak 1964; Cohen et al. 2021 (edge of stability)")
def true_heavy_ball_radius(forall):
    """Heavy ball on a quadratic has spectral radius at most 1 where the step times the curvature is <= 2 (1 + beta)."""
    beta, c = forall.interval("beta", 0.0, 1.0), forall.interval("c", 0.0, 4.0)
    forall.assume(c <= 2.0 * (1.0 + beta))
    one, zero = torch.ones_like(c), torch.zeros_like(c)
    step = torch.stack([torch.stack([1.0 + beta - c, -beta], -1), torch.stack([one, zero], -1)], -2)
    return torch.linalg.eigvals(step).abs().amax(-1), 1.0


@claim("networks/true-tweedie", identity(), cite="Robbins 1956; Efron 2011")
def true_tweedie(forall):
    """E[X | Y = y] = y + s^2 (log p)'(y) for Y = X + s Z."""
    atoms, weights = forall.interval("atoms", -1.0, 1.0, 3), forall.simplex("weights", 3)
    s, y = forall.interval("s", 0.3, 2.0), forall.interval("y", -3.0, 3.0)
    gap = atoms - y[:, None]
    density = weights * (-gap.square() / (2.0 * s[:, None] ** 2)).exp()
    score = (density * gap / s[:, None] ** 2).sum(-1) / density.sum(-1)
    return (density * atoms).sum(-1) / density.sum(-1), y + s**2 * score


@claim("networks/plain-denoiser", always(), over=grid(s=[0.5]), expected="refuted", cite="Robbins 1956")
def plain_denoiser(forall, *, s):
    """The posterior mean of X given Y = X + s Z moves no further than Y."""
    atoms, weights = forall.interval("atoms", -1.0, 1.0, 2), forall.simplex("weights", 2)
    y, z = forall.interval("y", -2.0, 2.0), forall.interval("z", -2.0, 2.0)

    def denoise(point):
        density = weights * (-(atoms - point[:, None]).square() / (2.0 * s**2)).exp()
        return (density * atoms).sum(-1) / density.sum(-1)

    return (denoise(y) - denoise(z)).abs(), (y - z).abs()


@claim(
    "networks/true-covariance-within", high_probability("delta"), over=grid(n=[20], delta=[0.05]), cite="Hoeffding 1963"
)
def true_covariance_within(draw, within, *, n, delta):
    """|w' (S - I) w| <= sqrt(2 log(2/delta) / n) for all unit w and the covariance S of n pairs of signs."""
    e = draw.signs("e", n, 2)
    w = within.sphere("w", 2)
    return ((e * w[:, None, :]).sum(-1).square().mean(-1) - 1.0).abs(), math.sqrt(2.0 * math.log(2.0 / delta) / n)


@claim("networks/plain-swish-variance", always(), expected="refuted", cite="Ramachandran et al. 2017 (slope 1.0998)")
def plain_swish_variance(forall):
    """Var swish(X) <= Var X for X in [0, 4]."""
    law = forall.law("P", low=0.0, high=4.0)
    mean = law.expect(lambda x: x * torch.sigmoid(x))
    return law.expect(lambda x: (x * torch.sigmoid(x)) ** 2) - mean**2, law.variance


@claim(
    "networks/true-gradient-flow",
    rate("t", -1.0),
    over=grid(t=[8, 16, 32, 64, 128, 256, 512]),
    cite="Bordelon, Canatar and Pehlevan 2020",
)
def true_gradient_flow(*, t):
    """sum_i i^-2 exp(-t / i), the loss of gradient flow on a spectrum 1/i, is of order 1/t."""
    i = torch.arange(1, 20001, dtype=torch.float64)
    return (i**-2 * (-t / i).exp()).sum().reshape(1)


PROOFS = {
    "networks/true-softmax-lipschitz": (
        "The Jacobian is diag(p) - p p', and v' (diag(p) - p p') v = Var_p v <= (max - min)^2 / 4 <= |v|^2 / 2."
    ),
    "networks/true-arc-cosine": "Cho and Saul 2009, n = 1: both sides have equal means.",
    "networks/true-he-concentration": (
        "2 relu(z)^2 has mean 1 and a finite variance 5: central limit theorem with uniform integrability."
    ),
    "networks/true-dropout-penalty": (
        "Bias and variance: the output has mean <w, x> and variance sum (w_i x_i)^2 p (1 - p) / p^2."
    ),
    "networks/true-ridgeless-table": "E (X X')^-1 = I / (p - n - 1) (inverse Wishart): 2/3, 2/5, 2/9.",
    "networks/true-heavy-ball-radius": (
        "z^2 - (1 + beta - c) z + beta: Jury's |1 + beta - c| <= 1 + beta and beta <= 1."
    ),
    "networks/true-tweedie": "s^2 times the score is the posterior mean of X - y.",
    "networks/true-covariance-within": "w' S w - 1 = 2 w_1 w_2 mean(e_1 e_2), at most |mean(e_1 e_2)|: Hoeffding.",
    "networks/true-gradient-flow": (
        "The sum is at most that over all i, which is 1/t (1 + O(1/t)), an Euler-Maclaurin sum of x^-2 e^(-t/x)."
    ),
}

WITNESSES = {
    "networks/plain-spectral-radius": {
        "params": {},
        "values": {"W1": [[0.0, 1.0], [0.0, 0.0]], "W2": [[0.0, 0.0], [1.0, 0.0]]},
        "why": "both are nilpotent, and W2 W1 = diag(0, 1).",
    },
    "networks/subtle-kahane": {
        "params": {},
        "values": {"x": [[1, 0], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0]]},
        "why": "E |e_1 + e_2| = 1 < 0.71 sqrt 2 = 1.00409.",
    },
    "networks/plain-denoiser": {
        "params": {"s": 0.5},
        "values": {"atoms": [-1.0, 1.0], "weights": [0.5, 0.5], "y": 0.1, "z": -0.1},
        "why": "2 tanh(0.4) = 0.7599 > 0.2.",
    },
    "networks/plain-swish-variance": {
        "params": {},
        "values": {"P atoms": [2.0, 3.0], "P weights": [0.5, 0.5]},
        "why": "swish(3) - swish(2) = 1.0961 > 1.",
    },
}
