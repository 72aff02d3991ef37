"""Alien claims, known: transport, hashing, projections, sensing, numerics, special functions; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, tail


@claim("networks/true-sorted-transport", always(), cite="Villani 2009")
def true_sorted_transport(forall):
    """Sorting both samples couples them at the least squared cost."""
    x, y = forall.interval("x", -1.0, 1.0, 5), forall.interval("y", -1.0, 1.0, 5)
    order = forall.permutation("pi", 5)
    best = (x.sort(-1).values - y.sort(-1).values).square().sum(-1)
    return best, (x - y.gather(-1, order)).square().sum(-1)


@claim("networks/true-rounding-error", always(), over=grid(step=[0.1, 0.25]), cite="Widrow and Kollar 2008")
def true_rounding_error(forall, *, step):
    """The nearest multiple of the step is at most half a step away."""
    x = forall.interval("x", -1e6, 1e6)
    return (x - step * (x / step).round()).abs(), step / 2.0


@claim("networks/true-jl", tail(), over=grid(m=[20]), cite="Dasgupta and Gupta 2003")
def true_jl(forall, draw, *, m):
    """P(| |G x|^2 / m - 1 | >= e) <= 2 exp(-m (e^2 - e^3) / 4)."""
    x, e = forall.sphere("x", 3), forall.interval("e", 0.1, 1.0)
    image = (draw.normal("G", m, 3) * x[:, None, :]).sum(-1)
    return (image.square().mean(-1) - 1.0).abs() >= e, 2.0 * (-m * (e**2 - e**3) / 4.0).exp()


@claim(
    "networks/plain-jl", tail(), over=grid(m=[20]), expected="refuted", cite="Dasgupta and Gupta 2003, with m e^2 / 2"
)
def plain_jl(forall, draw, *, m):
    """P(| |G x|^2 / m - 1 | >= e) <= 2 exp(-m e^2 / 2)."""
    x, e = forall.sphere("x", 3), forall.interval("e", 0.3, 1.0)
    image = (draw.normal("G", m, 3) * x[:, None, :]).sum(-1)
    return (image.square().mean(-1) - 1.0).abs() >= e, 2.0 * (-m * e**2 / 2.0).exp()


@claim("networks/true-count-sketch", expectation(range=(-32.0, 32.0)), cite="Charikar, Chen and Farach-Colton 2002")
def true_count_sketch(forall, draw):
    """E (estimate of x_1 - x_1)^2 <= (|x|^2 - x_1^2) / 2 for a count sketch of two buckets."""
    x = forall.ball("x", 4)
    bucket, sign = draw.categorical("h", [0.5, 0.5], 4), draw.signs("s", 4)
    same = (bucket == bucket[:, :1]).double()
    estimate = sign[:, 0] * (same * sign * x).sum(-1)
    return (estimate - x[:, 0]).square(), (x.square().sum(-1) - x[:, 0].square()) / 2.0


@claim("networks/plain-bloom", tail(), over=grid(m=[4]), expected="refuted", cite="Bose et al. 2008")
def plain_bloom(draw, *, m):
    """A Bloom filter of m bits with one key and two hashes errs with probability at most (1 - (1 - 1/m)^2)^2."""
    place = draw.categorical("h", [1.0 / m] * m, 4)
    hits = (place[:, 2:, None] == place[:, None, :2]).any(-1).all(-1)
    return hits, (1.0 - (1.0 - 1.0 / m) ** 2) ** 2


@claim("networks/true-welch-complex", always(), cite="Welch 1974")
def true_welch_complex(forall):
    """Four unit vectors of C^2 have coherence at least 1 / sqrt(3)."""
    x = forall.sphere("x", 4, 4)
    z = torch.complex(x[..., :2], x[..., 2:])
    gram = (z @ z.mH).abs() - 2.0 * torch.eye(4, dtype=torch.float64)
    return 1.0 / math.sqrt(3.0), gram.amax((-1, -2))


@claim("networks/true-carter-wegman", always(), cite="Carter and Wegman 1979")
def true_carter_wegman(forall):
    """Different keys collide under ((a x + b) mod 17) mod 4 for at most a quarter of a = 1 ... 16, b = 0 ... 16."""
    x, y = forall.integers("x", 0, 16), forall.integers("y", 0, 16)
    forall.assume(x != y)
    a, b = torch.arange(1.0, 17.0, dtype=torch.float64)[:, None], torch.arange(17.0, dtype=torch.float64)

    def hashed(key):
        return (a * key[:, None, None] + b) % 17 % 4

    return (hashed(x) == hashed(y)).double().mean((-1, -2)), 0.25


@claim("networks/subtle-hash-with-zero", always(), expected="refuted", cite="Carter and Wegman 1979, with a = 0")
def subtle_hash_with_zero(forall):
    """Different keys collide under ((a x + b) mod 17) mod 4 for at most a quarter of a, b = 0 ... 16."""
    x, y = forall.integers("x", 0, 16), forall.integers("y", 0, 16)
    forall.assume(x != y)
    a, b = torch.arange(17.0, dtype=torch.float64)[:, None], torch.arange(17.0, dtype=torch.float64)

    def hashed(key):
        return (a * key[:, None, None] + b) % 17 % 4

    return (hashed(x) == hashed(y)).double().mean((-1, -2)), 0.25


@claim("networks/true-gautschi", always(), cite="Wendel 1948")
def true_gautschi(forall):
    """x^(1 - s) <= Gamma(x + 1) / Gamma(x + s) for x > 0 and s in [0, 1]."""
    x, s = forall.interval("x", 0.001, 1e6), forall.interval("s", 0.0, 1.0)
    return x ** (1.0 - s), (torch.lgamma(x + 1.0) - torch.lgamma(x + s)).exp()


@claim("networks/subtle-gelu-sigmoid", always(), expected="refuted", cite="Hendrycks and Gimpel 2016")
def subtle_gelu_sigmoid(forall):
    """|gelu(x) - x sigmoid(1.702 x)| <= 0.0202."""
    x = forall.interval("x", -10.0, 10.0)
    return (0.5 * x * torch.erfc(-x / math.sqrt(2.0)) - x * torch.sigmoid(1.702 * x)).abs(), 0.0202


PROOFS = {
    "networks/true-sorted-transport": (
        "The rearrangement inequality: sum x_i y_pi(i) is largest for equally sorted numbers."
    ),
    "networks/true-rounding-error": "round takes the nearest whole number, at most 1/2 away from x / step.",
    "networks/true-jl": "Dasgupta and Gupta 2003; Achlioptas 2003, Lemma 4.1: each tail <= exp(-m (e^2 - e^3) / 4).",
    "networks/true-count-sketch": (
        "The error is sum over j > 1 of [same bucket] s_1 s_j x_j, uncorrelated, each kept with probability 1/2."
    ),
    "networks/true-welch-complex": "Welch's bound sqrt((n - d) / (d (n - 1))) with n = 4 and d = 2.",
    "networks/true-carter-wegman": (
        "(a x + b, a y + b) mod 17 takes each of the 272 ordered pairs of different residues once; 20 + 3 x 12 ="
        " 56 of them agree mod 4: 56 / 272 = 0.2059."
    ),
    "networks/true-gautschi": (
        "Wendel 1948 (log-convexity of Gamma): Gamma(x + s) <= x^s Gamma(x), with equality at s = 0 and 1."
    ),
}

WITNESSES = {
    "networks/plain-jl": {
        "params": {"m": 20},
        "values": {"x": [1.0, 0.0, 0.0], "e": 0.75},
        "probability": 0.020381627729721,
        "why": "P(chi2_20 >= 35) = 0.0201 > 2 exp(-5.625) = 0.00721.",
    },
    "networks/plain-bloom": {
        "params": {"m": 4},
        "values": {},
        "probability": 0.203125,
        "why": "(1/4) (1/16) + (3/4) (1/4) = 0.203125 > (7/16)^2 = 0.19140625.",
    },
    "networks/subtle-hash-with-zero": {
        "params": {},
        "values": {"x": 0, "y": 1},
        "why": "(56 + 17) / 289 = 0.252595.",
    },
    "networks/subtle-gelu-sigmoid": {
        "params": {},
        "values": {"x": 2.27},
        "why": "the difference is 0.0203349 there.",
    },
}
