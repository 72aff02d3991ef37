"""Alien claims, aside: sketches, sampling, descent, chains; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    expectation,
    grid,
    rate,
    reproduction,
    tail,
)


@claim("algorithms/true-count-min", tail(), cite="Cormode and Muthukrishnan 2005")
def count_min(forall, draw):
    """P(count-min of item 0 > f_0 + eps |f|_1) <= (1 / (4 eps))^2 for two rows of width 4."""
    f, eps = forall.interval("f", 0.0, 1.0, 5), forall.interval("eps", 0.26, 1.0)
    h = draw.categorical("h", torch.full((1, 4), 0.25, dtype=torch.float64), 2, 5)
    estimate = ((h == h[:, :, :1]).double() * f[:, None, :]).sum(-1).amin(-1)
    return estimate > f[:, 0] + eps * f.sum(-1), (1.0 / (4.0 * eps)) ** 2


@claim("algorithms/true-quicksort", reproduction(tolerance=0.05), cite="Hoare 1962")
def quicksort(draw):
    """Quicksort of five keys makes 7.4 comparisons in the mean: keys i < j meet if one of them has the first priority
    of i..j.
    """
    u, total = draw.uniform("u", 2000, 5), 0.0
    for i in range(5):
        for j in range(i + 1, 5):
            first = u[..., i : j + 1].argmin(-1)
            total = total + ((first == 0) | (first == j - i)).double()
    return [Row("comparisons", Estimate.mean(total.mean(-1), between=(0.0, 10.0)), printed=7.4)]


@claim("algorithms/true-coupon", tail(), over=grid(n=[2, 5, 20], c=[0.5, 2.0]), cite="Erdos and Renyi 1961")
def coupon(draw, *, n, c):
    """P(a coupon is missing after n log n + c n draws) <= exp(-c)."""
    m = math.ceil(n * math.log(n) + c * n)
    counts = draw.multinomial("counts", m, torch.full((1, n), 1.0 / n, dtype=torch.float64))
    return counts.amin(-1) == 0, math.exp(-c)


@claim("algorithms/true-ogd-regret", always(), over=grid(n=[1, 4, 9]), cite="Zinkevich 2003, Theorem 1")
def ogd_regret(forall, *, n):
    """The regret of projected online gradient descent in the disc is at most 2 sqrt n, with steps 2 / sqrt n."""
    g = forall.ball("g", n, 2)
    x, loss = torch.zeros_like(g[:, 0]), 0.0
    for t in range(n):
        loss = loss + (x * g[:, t]).sum(-1)
        x = x - 2.0 / math.sqrt(n) * g[:, t]
        x = x / x.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return loss + g.sum(1).norm(dim=-1), 2.0 * math.sqrt(n)


@claim(
    "algorithms/true-monte-carlo",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[16, 64, 256, 1024, 4096]),
    cite="Metropolis and Ulam 1949",
)
def monte_carlo(draw, *, n):
    """The mean error of Monte Carlo for the integral of exp on [0, 1] is of order n^-1/2."""
    return (draw.uniform("u", n).exp().mean(-1) - (math.e - 1.0)).abs()


@claim("algorithms/true-reflection", expectation(range=(-2.0, 1.0)), cite="Andre 1887")
def reflection(forall, draw):
    """P(max S_k >= a) <= 2 P(S_n >= a) for the simple walk of ten steps."""
    a = forall.integers("a", 1, 10)
    s = draw.signs("e", 10).cumsum(-1)
    return (s.amax(-1) >= a).double(), 2.0 * (s[:, -1] >= a).double()


@claim("algorithms/true-randomised-response", always(), cite="Warner 1965")
def randomised_response(forall):
    """P(y | x) <= e^eps P(y | x') for randomised response that keeps the truth with probability e^eps / (1 + e^eps)."""
    eps, law = forall.interval("eps", 0.0, 20.0), forall.signs("truth")
    keep = eps.exp() / (1.0 + eps.exp())
    one = torch.where(law > 0.0, keep, 1.0 - keep)
    return one, eps.exp() * (1.0 - one)


@claim(
    "algorithms/plain-langevin",
    expectation(range=(-1.0, math.inf)),
    expected="refuted",
    cite="Roberts and Tweedie 1996, without the bias",
)
def langevin_exact(forall, draw):
    """E x_k^2 <= 1 for unadjusted Langevin steps of size h on a standard normal target, from 0."""
    h, g, x = forall.interval("h", 0.05, 1.0), draw.normal("g", 12), 0.0
    for k in range(12):
        x = (1.0 - h) * x + (2.0 * h).sqrt() * g[:, k]
    return x**2, 1.0


@claim("algorithms/subtle-birthday", always(), expected="refuted", cite="von Mises 1939; Brink 2012, with .27")
def birthday(forall):
    """ceil(sqrt(2 m log 2) + 0.27) keys hashed to m places collide with probability at least 1/2."""
    m = forall.integers("m", 2, 400)
    n = torch.ceil((2.0 * m * math.log(2.0)).sqrt() + 0.27)
    i = torch.arange(30, dtype=torch.float64)
    return torch.where(i < n[:, None], 1.0 - i / m[:, None], 1.0).prod(-1), 0.5


@claim("algorithms/subtle-ams", tail(), expected="refuted", cite="Alon, Matias and Szegedy 1999, with .95")
def ams_one(forall, draw):
    """P(|Z^2 - 1| >= eps) <= 0.95 / eps^2 for one AMS counter of a unit vector, 1.5 <= eps <= 2.5."""
    f, eps = forall.sphere("f", 5), forall.interval("eps", 1.5, 2.5)
    z2 = (draw.signs("s", 5) * f).sum(-1).square()
    return (z2 - 1.0).abs() >= eps, 0.95 / eps.square()


PROOFS = {
    "algorithms/true-count-min": "Markov per row on the others' share (mean at most |f|_1/4), rows independent.",
    "algorithms/true-quicksort": "2(n+1)H_n - 4n = 7.4 at n = 5.",
    "algorithms/true-coupon": "n (1-1/n)^m <= n exp(-m/n) <= exp(-c).",
    "algorithms/true-ogd-regret": "|x0-u|^2/(2 eta) + eta n/2 = sqrt n/4 + sqrt n <= 2 sqrt n.",
    "algorithms/true-monte-carlo": "CLT with uniform integrability.",
    "algorithms/true-reflection": "P(max >= a) = 2 P(S > a) + P(S = a).",
    "algorithms/true-randomised-response": "keep/(1-keep) = e^eps and eps >= 0.",
}

WITNESSES = {
    "algorithms/plain-langevin": {"params": {}, "values": {"h": 1.0}, "mean": 1.0, "why": "x = sqrt(2) g"},
    "algorithms/subtle-birthday": {
        "params": {},
        "values": {"m": 10},
        "why": "n = 4, product .504; only m = 10, 43, 83, 253 fail",
    },
    "algorithms/subtle-ams": {
        "params": {},
        "values": {"f": [3**-0.5] * 3 + [0, 0], "eps": 1.999},
        "probability": 0.25,
        "why": "P = 1/4 > .2378",
    },
}
