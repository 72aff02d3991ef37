"""Alien claims, known: random features and kernel approximation (3); see README.md."""

# ruff: noqa: E731

import math

import numpy as np
import torch

from harness import always, claim, expectation, grid, tail


def van_der_corput(i, base=2):
    value, scale = 0.0, 1.0
    while i:
        scale /= base
        i, digit = divmod(i, base)
        value += digit * scale
    return value


@claim("features/true-van-der-corput", always(), over=grid(m=[2, 3, 5]), cite="van der Corput 1935")
def corput_frequencies(*, m):
    """|mean exp(2 pi i h x_j)| <= 1e-12 for 2^m points of van der Corput and h = 1."""
    x = np.array([van_der_corput(j) for j in range(2**m)])
    return float(abs(np.exp(2j * np.pi * x).mean())), 1e-12


@claim("features/true-characteristic-doubling", always(), cite="Feller 1971, XV.1")
def characteristic_doubling(forall):
    """1 - Re f(2t) <= 4 (1 - Re f(t)) for characteristic functions f."""
    law, t = forall.law("P", atoms=3, low=-1.0), forall.interval("t", 0.01, 5.0)
    f = lambda s: law.expect(lambda x: torch.cos(s[:, None] * x))
    return 1 - f(2 * t), 4 * (1 - f(t))


@claim("features/subtle-characteristic-doubling", always(), expected="refuted", cite="Feller 1971, XV.1")
def characteristic_doubling_wrong(forall):
    """1 - Re f(2t) <= 3.99 (1 - Re f(t)) for characteristic functions f."""
    law, t = forall.law("P", atoms=3, low=-1.0), forall.interval("t", 0.01, 5.0)
    f = lambda s: law.expect(lambda x: torch.cos(s[:, None] * x))
    return 1 - f(2 * t), 3.99 * (1 - f(t))


@claim("features/true-polya-hat", always(), cite="Polya 1949")
def polya_hat(forall):
    """Gram matrices of max(0, 1 - |x - y|) are positive semi-definite."""
    x = forall.interval("x", -2.0, 2.0, 4)
    gram = (1 - (x[:, :, None] - x[:, None]).abs()).clamp_min(0)
    return -torch.linalg.eigvalsh(gram)[:, 0], 0.0


@claim("features/plain-epanechnikov", always(), expected="refuted", cite="Bochner 1932")
def epanechnikov(forall):
    """Gram matrices of max(0, 1 - (x - y)^2) are positive semi-definite."""
    x = forall.interval("x", -2.0, 2.0, 4)
    gram = (1 - (x[:, :, None] - x[:, None]) ** 2).clamp_min(0)
    return -torch.linalg.eigvalsh(gram)[:, 0], 0.0


@claim("features/true-sign-projection", tail(), cite="Goemans and Williamson 1995")
def sign_projection(forall, draw):
    """P(w.x > 0 != w.y > 0) <= |x - y| / 2 for unit vectors."""
    x, y = forall.sphere("x", 3), forall.sphere("y", 3)
    w = draw.normal("w", 3)
    return ((w * x).sum(-1) > 0) != ((w * y).sum(-1) > 0), (x - y).norm(dim=-1) / 2


@claim("features/true-laplace-cauchy", expectation(range=(-2.0, 2.0), margin=0.03), cite="Rahimi and Recht 2007")
def laplace_cauchy(forall, draw):
    """E cos(w d) <= exp(-|d|) for a Cauchy frequency w."""
    d = forall.interval("d", -3.0, 3.0)
    w = draw.sample("w", torch.distributions.Cauchy(0.0, 1.0))
    return torch.cos(w * d), torch.exp(-d.abs())


@claim(
    "features/true-gram-matrix-bernstein",
    expectation(range=(-9.0, 9.0)),
    over=grid(m=[10]),
    cite="Lopez-Paz et al. 2014",
)
def gram_matrix_bernstein(forall, draw, *, m):
    """E |K_m - K| <= sqrt(3 n^2 log n / m) + 2 n log n / m for n = 4 points."""
    x = forall.ball("x", 4, 2, radius=2.0)
    w = draw.normal("w", m, 2)
    gap = x[:, :, None] - x[:, None]
    approximate = torch.cos((gap[:, None] * w[:, :, None, None]).sum(-1)).mean(1)
    error = torch.linalg.eigvalsh(approximate - torch.exp(-gap.square().sum(-1) / 2)).abs().amax(-1)
    return error, math.sqrt(3 * 16 * math.log(4) / m) + 2 * 4 * math.log(4) / m


PROOFS = {
    "features/true-van-der-corput": (
        "The 2^m points are the multiples of 2^-m in another order; the sum of roots of unity vanishes."
    ),
    "features/true-characteristic-doubling": (
        "1 - cos 2u = 2 sin^2 u = 2 (1 - cos u)(1 + cos u) <= 4 (1 - cos u), on average."
    ),
    "features/true-polya-hat": "Polya: the hat is convex and decreasing in |d|; its transform is sinc^2.",
    "features/true-sign-projection": "P = angle/pi, |x - y|/2 = sin(angle/2), and sin is concave on [0, pi/2].",
    "features/true-laplace-cauchy": "The characteristic function of the Cauchy law: equality.",
    "features/true-gram-matrix-bernstein": "Lopez-Paz et al. 2014, Theorem 4, by matrix Bernstein.",
}

WITNESSES = {
    "features/subtle-characteristic-doubling": {
        "params": {},
        "values": {"P atoms": [1.0, 1.0, 1.0], "P weights": [1.0, 0.0, 0.0], "t": 0.1},
        "why": "Point mass at 1, t = 0.1: ratio 2 + 2 cos 0.1 = 3.990004.",
    },
    "features/plain-epanechnikov": {
        "params": {},
        "values": {"x": [1.0, 1.4, 0.0, 0.4]},
        "why": "x = (1, 1.4, 0, 0.4): smallest eigenvalue -0.2189.",
    },
}
