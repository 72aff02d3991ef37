"""Alien claims, aside: differential privacy, hashing, secret sharing; see README.md."""

import math
from dataclasses import dataclass

import torch
from torch.distributions import Laplace, MultivariateNormal, kl_divergence

from harness import always, claim, every, expectation, grid, high_probability, identity, rate, tail, up_to_constant


def hockey_stick(p, q, eps):
    """The least delta for which (P, Q) is (eps, delta)-indistinguishable in this direction."""
    return (p - math.exp(eps) * q).clamp_min(0.0).sum(-1)


def renyi_of_orders(p, q, order):
    return torch.logsumexp(order[:, None] * p.log() + (1.0 - order[:, None]) * q.log(), -1) / (order - 1.0)


def kl(p, q):
    return (p * (p / q).log()).sum(-1)


def smooth(w, share=0.2):
    """Away from the boundary of the simplex."""
    return (1.0 - share) * w + share / w.shape[-1]


@dataclass
class RandomisedResponse:
    """Answer the truth with probability e^eps / (1 + e^eps)."""

    eps: float

    @property
    def keep(self):
        return 1.0 / (1.0 + math.exp(-self.eps))

    def answer(self, truth, flips):
        return torch.where(flips > 0.5, truth, 1.0 - truth)

    def debias(self, answers):
        return (answers - (1.0 - self.keep)) / (2.0 * self.keep - 1.0)


@claim("privacy/true-gaussian-kl", identity(), cite="Bun and Steinke 2016, Lemma 2.4")
def gaussian_kl(forall):
    """KL(N(mu, S) || N(nu, S)) = (mu - nu)' S^-1 (mu - nu) / 2."""
    mu, nu = forall.ball("mu", 3), forall.ball("nu", 3)
    cov = forall.psd("S", 3, trace=1.0) + 0.1 * torch.eye(3, dtype=torch.float64)
    p, q = MultivariateNormal(mu, cov), MultivariateNormal(nu, cov)
    d = mu - nu
    return kl_divergence(p, q), 0.5 * (d * torch.linalg.solve(cov, d[:, :, None])[:, :, 0]).sum(-1)


@claim("privacy/true-exponential-utility", tail(), over=grid(k=[4]), cite="Dwork and Roth 2014, Theorem 3.11")
def exponential_utility(forall, draw, *, k):
    """P(u(chosen) <= max u - 2 (log k + t) / eps) <= exp(-t)."""
    u = forall.interval("u", 0.0, 4.0, k)
    eps, t = forall.interval("eps", 0.5, 8.0), forall.interval("t", 0.0, 3.0)
    chosen = draw.categorical("r", torch.softmax(eps[:, None] * u / 2.0, -1)).long()
    got = u.expand(len(chosen), k).gather(-1, chosen[:, None])[:, 0]
    return got <= u.amax(-1) - 2.0 * (math.log(k) + t) / eps, torch.exp(-t)


@claim(
    "privacy/plain-laplace-variance",
    expectation(range=(-1.0, math.inf)),
    cite="any table, off by two",
    expected="refuted",
)
def laplace_variance(draw):
    """The Laplace noise of scale 1 has variance 1."""
    one = torch.tensor(1.0, dtype=torch.float64)
    return draw.sample("x", Laplace(torch.zeros_like(one), one)) ** 2, 1.0


@claim(
    "privacy/true-laplace-mean-rate", rate("n", -1.0), over=grid(n=[10, 30, 100, 300, 1000]), cite="Dwork et al. 2006"
)
def laplace_mean_rate(draw, *, n):
    """The noise that makes a mean of n values in [0, 1] 1-private is of order 1/n."""
    return draw.sample("x", Laplace(0.0, torch.tensor(1.0 / n, dtype=torch.float64))).abs()


@claim("privacy/true-kl-of-pure", always(), cite="Bun and Steinke 2016; Ghosh and Roth 2011, tightened")
def kl_of_pure(forall):
    """KL(P || Q) <= eps tanh(eps / 2) for eps = max |log P/Q|."""
    p, q = smooth(forall.simplex("P", 3)), smooth(forall.simplex("Q", 3))
    eps = (p / q).log().abs().amax(-1)
    return kl(p, q), eps * torch.tanh(eps / 2.0)


@claim("privacy/subtle-kl-of-pure", always(), cite="Bun and Steinke 2016, Prop. 3.3, with .49", expected="refuted")
def kl_of_pure_small(forall):
    """KL(P || Q) <= .49 eps^2 for eps = max |log P/Q|."""
    p, q = smooth(forall.simplex("P", 3)), smooth(forall.simplex("Q", 3))
    eps = (p / q).log().abs().amax(-1)
    return kl(p, q), 0.49 * eps**2


@claim("privacy/true-group", always(), cite="Vadhan 2017, Lemma 2.2")
def group(forall):
    """Two steps of (1/2, d)-privacy: H_1(P || R) <= H_(1/2)(P || Q) + e^(1/2) H_(1/2)(Q || R)."""
    p, q, r = (forall.simplex(name, 4) for name in "PQR")
    return hockey_stick(p, r, 1.0), hockey_stick(p, q, 0.5) + math.exp(0.5) * hockey_stick(q, r, 0.5)


@claim("privacy/plain-group", always(), cite="Vadhan 2017, Lemma 2.2, without e^eps", expected="refuted")
def group_sum(forall):
    """Two steps of (1/2, d)-privacy: H_1(P || R) <= H_(1/2)(P || Q) + H_(1/2)(Q || R)."""
    p, q, r = (forall.simplex(name, 4) for name in "PQR")
    return hockey_stick(p, r, 1.0), hockey_stick(p, q, 0.5) + hockey_stick(q, r, 0.5)


@claim("privacy/true-renyi-order", always(), cite="van Erven and Harremoes 2014, Theorem 3")
def renyi_order(forall):
    """D_a(P || Q) grows with its order a."""
    p, q = smooth(forall.simplex("P", 3)), smooth(forall.simplex("Q", 3))
    a, step = forall.interval("a", 1.05, 8.0), forall.interval("h", 0.05, 8.0)
    return renyi_of_orders(p, q, a), renyi_of_orders(p, q, a + step)


@claim(
    "privacy/subtle-advanced-composition",
    high_probability("delta"),
    over=grid(k=[40], eps=[0.5], delta=[0.1]),
    cite="Dwork, Rothblum and Vadhan 2010, with half of the two under the root",
    expected="refuted",
)
def advanced_composition_small(draw, *, k, eps, delta):
    """The privacy loss of k randomised responses is at most k eps tanh(eps/2) + .65 eps sqrt(k log(1/delta))."""
    loss = eps * (2.0 * draw.bernoulli("kept", RandomisedResponse(eps).keep, k) - 1.0)
    return loss.sum(-1), k * eps * math.tanh(eps / 2.0) + 0.65 * eps * math.sqrt(k * math.log(1.0 / delta))


@claim(
    "privacy/true-quadratic-kl", up_to_constant("n"), over=grid(n=[2, 4, 8, 16, 32, 64]), cite="Dwork and Rothblum 2016"
)
def quadratic_kl(forall, *, n):
    """The relative entropy between the answers of an (1/n)-private mechanism is of order 1/n^2."""
    x = forall.interval("x", -1.0, 1.0, 3)
    q = smooth(forall.simplex("Q", 3))
    p = torch.softmax(q.log() + x / (2.0 * n), -1)
    return (p * (p.log() - q.log())).sum(-1), n**-2.0


def affine_hashes(x, prime, cells, first):
    """All h(x) = ((a x + b) mod prime) mod cells, a from `first` on."""
    a, b = torch.meshgrid(torch.arange(first, prime), torch.arange(prime), indexing="ij")
    return (a.flatten() * x.long()[:, None] + b.flatten()) % prime % cells


@claim(
    "privacy/true-universal-hash", always(), over=grid(prime=[11, 17], cells=[2, 4, 5]), cite="Carter and Wegman 1979"
)
def universal_hash(forall, *, prime, cells):
    """P(h(x) = h(y)) <= 1/m for x != y and h(x) = ((a x + b) mod p) mod m, a != 0."""
    x, y = forall.integers("x", 0, prime - 1), forall.integers("y", 0, prime - 1)
    forall.assume(x != y)
    equal = affine_hashes(x, prime, cells, 1) == affine_hashes(y, prime, cells, 1)
    return equal.double().mean(-1), 1.0 / cells


@claim(
    "privacy/subtle-universal-hash",
    always(),
    over=grid(prime=[17], cells=[8]),
    cite="Carter and Wegman 1979, with a = 0",
    expected="refuted",
)
def universal_hash_zero(forall, *, prime, cells):
    """P(h(x) = h(y)) <= 1/m for x != y and h(x) = ((a x + b) mod p) mod m, any a."""
    x, y = forall.integers("x", 0, prime - 1), forall.integers("y", 0, prime - 1)
    forall.assume(x != y)
    equal = affine_hashes(x, prime, cells, 0) == affine_hashes(y, prime, cells, 0)
    return equal.double().mean(-1), 1.0 / cells


@claim("privacy/true-leftover-hash", always(), over=grid(n=[3]), cite="Impagliazzo, Levin and Luby 1989")
def leftover_hash(forall, *, n):
    """E_a |P(<a, X> = 0) - P(<a, X> = 1)| / 2 <= sqrt(2 sum p^2) / 2 for a random mask a."""
    p = forall.simplex("p", 2**n)
    bits = every.vectors(2, n, like=p).long()
    parity = (bits @ bits.T) % 2
    bias = (p[:, None, :] * (1.0 - 2.0 * parity.double())).sum(-1).abs()
    return 0.5 * bias.mean(-1), 0.5 * torch.sqrt(2.0 * (p**2).sum(-1))


PROOFS = {
    "privacy/true-gaussian-kl": ("The traces and determinants cancel for equal covariances."),
    "privacy/true-exponential-utility": (
        "Union bound: each of k bad choices has at most the weight exp(-eps gap / 2) of the best one."
    ),
    "privacy/true-laplace-mean-rate": ("The mean absolute value of a Laplace number of scale 1 / n is 1 / n."),
    "privacy/true-kl-of-pure": (
        "KL + reverse KL <= eps (e^eps - 1) / (e^eps + 1) times 2 in the symmetric extreme case; the "
        "extreme points are two-valued likelihood ratios e^eps and e^-eps."
    ),
    "privacy/true-group": ("P <= e^eps Q + d1 and Q <= e^eps R + d2 as measures, chained."),
    "privacy/true-renyi-order": ("Jensen for the power (b - 1) / (a - 1) >= 1 of P / Q under P."),
    "privacy/true-quadratic-kl": (
        "Hoeffding's lemma: the log ratio has a range of 1 / n, so KL is at most of order 1 / n^2."
    ),
    "privacy/true-universal-hash": ("Carter and Wegman 1979: of p (p - 1) pairs of images at most 1 / m agree mod m."),
    "privacy/true-leftover-hash": (
        "Cauchy and Schwarz, and Parseval: the mean of the squared Fourier coefficients is sum p^2."
    ),
}

WITNESSES = {
    "privacy/plain-laplace-variance": {"params": {}, "values": {}, "mean": 1.0, "why": "the variance is 2"},
    "privacy/subtle-kl-of-pure": {
        "params": {},
        "values": {"P": [0.2341, 0.5318, 0.2341], "Q": [0.2242, 0.5516, 0.2242]},
        "why": "nearly eps^2 / 2 for near laws with ratios e^eps and e^-eps",
    },
    "privacy/plain-group": {
        "params": {},
        "values": {"P": [0.5, 0.5, 0.0, 0.0], "Q": [0.35, 0.65, 0.0, 0.0], "R": [0.0, 1.0, 0.0, 0.0]},
        "why": "1/2 against .35 and nothing",
    },
    "privacy/subtle-advanced-composition": {
        "params": {"k": 40, "eps": 0.5, "delta": 0.1},
        "values": {},
        "probability": 0.11876135700069396,
        "why": "a binomial tail",
    },
    "privacy/subtle-universal-hash": {
        "params": {"prime": 17, "cells": 8},
        "values": {"x": 0, "y": 1},
        "why": "37 of 289",
    },
}
