"""Alien claims, aside: posteriors, divergences, PAC-Bayes, Gaussian processes, scores, shrinkage; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, identity


def kl(p, q):
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)


def rbf(x, y):
    return (-((x[:, :, None] - y[:, None, :]) ** 2) / (2 * 0.3**2)).exp()


def gp_variance(x, z, noise=0.1):
    """Posterior variance at z (batch, 1) given noisy data at x (batch, n)."""
    k = rbf(x, x) + noise * torch.eye(x.shape[-1], dtype=x.dtype)
    c = rbf(x, z)
    return 1.0 - (c * torch.linalg.solve(k, c)).sum((-1, -2))


@claim("bayes/true-gp-variance-falls", always(), cite="Rasmussen and Williams 2006, Section 2.2")
def b4(forall):
    """One more observation does not increase the posterior variance of a Gaussian process."""
    x, z = forall.interval("x", 0.0, 1.0, 4), forall.interval("z", 0.0, 1.0, 1)
    return gp_variance(x, z), gp_variance(x[:, :3], z)


@claim("bayes/true-pinsker", always(), cite="Pinsker 1964; Csiszar 1967")
def b7(forall):
    """TV <= sqrt(KL / 2)."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return (p - q).abs().sum(-1) / 2, (kl(p, q) / 2).clamp_min(0.0).sqrt()


@claim("bayes/plain-pinsker-quarter", always(), expected="refuted", cite="Pinsker 1964, with 1/4 for 1/2")
def b7f(forall):
    """TV <= sqrt(KL) / 2."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return (p - q).abs().sum(-1) / 2, kl(p, q).clamp_min(0.0).sqrt() / 2


@claim("bayes/true-renyi-monotone", always(), cite="van Erven and Harremoes 2014, Theorem 3")
def b10(forall):
    """The Renyi divergence increases with its order."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    a, b = forall.interval("a", 0.2, 0.9), forall.interval("b", 1.1, 3.0)
    a, b = a[:, None], b[:, None]
    da = (p**a * q ** (1 - a)).sum(-1).log() / (a[:, 0] - 1)
    db = (p**b * q ** (1 - b)).sum(-1).log() / (b[:, 0] - 1)
    return da, db


@claim(
    "bayes/plain-kl-below-renyi-half",
    always(),
    expected="refuted",
    cite="van Erven and Harremoes 2014, Theorem 3, the wrong way round",
)
def b10f(forall):
    """KL <= D_{1/2} = -2 log sum sqrt(p q)."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return kl(p, q), -2 * (p * q).sqrt().sum(-1).log()


@claim("bayes/true-brier-decomposition", identity(), cite="Murphy 1973")
def b13(forall):
    """Brier = reliability - resolution + uncertainty, two forecasts."""
    f, n, k = forall.interval("f", 0.0, 1.0, 2), forall.integers("n", 1, 10, 2), forall.integers("k", 0, 10, 2)
    forall.assume((k <= n).all(-1))
    total, share = n.sum(-1), k / n
    base = k.sum(-1) / total
    brier = (k * (1 - f) ** 2 + (n - k) * f**2).sum(-1) / total
    reliability, resolution = (n * (f - share) ** 2).sum(-1) / total, (n * (share - base[:, None]) ** 2).sum(-1) / total
    return brier, reliability - resolution + base * (1 - base)


@claim(
    "bayes/subtle-js-six-three",
    expectation(range=(-5.0, math.inf)),
    expected="refuted",
    cite="James and Stein 1961, with 6.3 for a number up to 6",
)
def b14g(forall, draw):
    """E |(1 - 6.3/|x|^2) x - theta|^2 <= d, d = 5."""
    theta = forall.ball("theta", 5, radius=3.0)
    x = theta + draw.normal("z", 5)
    js = (1 - 6.3 / (x**2).sum(-1, keepdim=True)) * x
    return ((js - theta) ** 2).sum(-1), 5.0


@claim("bayes/true-iwae", always(), cite="Burda et al. 2016, Theorem 1")
def b16(forall):
    """E log W <= E log (W1 + W2)/2."""
    law = forall.law("W", atoms=3, low=0.1, high=5.0)
    values, chances = every.samples(law, 2)
    return law.expect(torch.log), (chances * values.mean(-1).log()).sum(-1)


@claim("bayes/true-gaussian-kl", always(), cite="Kullback and Leibler 1951")
def b19(forall):
    """log det S + 3 <= tr S."""
    s = forall.psd("S", 3, trace=2.0) + 0.05 * torch.eye(3, dtype=torch.float64)
    return torch.logdet(s) + 3, s.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("bayes/true-elliptical-potential", always(), cite="Abbasi-Yadkori et al. 2011, Lemma 11")
def b22(forall):
    """sum_t min(1, |x_t|^2 in V_{t-1}^-1) <= 2 log det V_n, V_0 = I."""
    x = forall.ball("x", 5, 2, radius=2.0)
    v, total = torch.eye(2, dtype=torch.float64).expand(len(x), 2, 2), 0.0
    for t in range(5):
        total = total + (x[:, t] * torch.linalg.solve(v, x[:, t])).sum(-1).clamp_max(1.0)
        v = v + x[:, t, :, None] * x[:, t, None, :]
    return total, 2 * torch.logdet(v)


@claim("bayes/true-peierls", always(), cite="Peierls 1938; Schur 1923")
def b25(forall):
    """sum exp(a_ii) <= tr exp(A)."""
    a = forall.symmetric("A", 3, radius=2.0)
    return a.diagonal(dim1=-2, dim2=-1).exp().sum(-1), torch.linalg.eigvalsh(a).exp().sum(-1)


@claim("bayes/subtle-robbins-at-one", always(), expected="refuted", cite="Robbins 1955, with .3 for 1")
def b29(forall):
    """log n! >= log sqrt(2 pi n) + n log n - n + 1/(12 n + 0.3)."""
    n = forall.integers("n", 1, 1000)
    return 0.5 * (2 * math.pi * n).log() + n * n.log() - n + 1 / (12 * n + 0.3), torch.lgamma(n + 1)


PROOFS = {
    "bayes/true-gp-variance-falls": (
        "Conditioning on more reduces the variance (Schur complement); the noise keeps K invertible."
    ),
    "bayes/true-pinsker": "Pinsker's inequality with the constant of Csiszar 1967.",
    "bayes/true-renyi-monotone": "van Erven and Harremoes 2014, Theorem 3.",
    "bayes/true-brier-decomposition": "Murphy 1973.",
    "bayes/true-iwae": "Concavity of the logarithm (Burda et al. 2016).",
    "bayes/true-gaussian-kl": "log u <= u - 1 for every eigenvalue.",
    "bayes/true-elliptical-potential": (
        "min(1,u) <= 2 log(1+u) and the matrix determinant lemma (Abbasi-Yadkori et al. 2011)."
    ),
    "bayes/true-peierls": "The diagonal is majorised by the spectrum (Schur 1923) and exp is convex.",
}

WITNESSES = {
    "bayes/plain-pinsker-quarter": {
        "params": {},
        "values": {"P": [0.501, 0.499, 0.0], "Q": [0.5, 0.5, 0.0]},
        "why": "TV is .001, the right side .000707",
    },
    "bayes/plain-kl-below-renyi-half": {
        "params": {},
        "values": {"P": [0.5, 0.5, 0.0], "Q": [0.9, 0.1, 0.0]},
        "why": ".511 > .223",
    },
    "bayes/subtle-js-six-three": {
        "params": {},
        "values": {"theta": [0.0] * 5},
        "mean": 0.63,
        "why": "5 + (39.69 - 37.8)/3 = 5.63",
    },
    "bayes/subtle-robbins-at-one": {"params": {}, "values": {"n": 1}, "why": ".00024 > 0"},
}
