"""Alien claims, known: geometry, complex numbers and sampled statistics; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, tail


@claim("shapes/true-product", always(), over=grid(n=[4]), cite="triangle inequality")
def true_product(forall, *, n):
    """|prod (1 - z_i)| <= 2^n in the unit disc."""
    w = forall.ball("z", n, 2)
    z = torch.complex(w[..., 0], w[..., 1])
    return (1 - z).prod(-1).abs(), 2.0**n


@claim("shapes/true-exp-minus-one", always(), cite="Rudin 1976, mean value inequality")
def true_exp_minus_one(forall):
    """|e^z - 1| <= |z| e^max(Re z, 0)."""
    x, y = forall.interval("x", -3.0, 3.0), forall.interval("y", -9.0, 9.0)
    z = torch.complex(x, y)
    return (z.exp() - 1).abs(), z.abs() * x.clamp_min(0.0).exp()


@claim("shapes/plain-angles-add", identity(), expected="refuted", cite="de Moivre's formula, with principal values")
def plain_angles_add(forall):
    """arg(z w) = arg z + arg w."""
    a, b = forall.sphere("z", 2), forall.sphere("w", 2)
    z, w = torch.complex(a[:, 0], a[:, 1]), torch.complex(b[:, 0], b[:, 1])
    return (z * w).angle(), z.angle() + w.angle()


@claim("shapes/true-cap", tail(), over=grid(d=[3, 10]), cite="Ball 1997, Lemma 2.2")
def true_cap(forall, draw, *, d):
    """P(x_1 >= t) <= exp(-d t^2 / 2) on the sphere."""
    t = forall.interval("t", 0.0, 1.0)
    return draw.sphere("x", d)[:, 0] >= t, (-d * t**2 / 2).exp()


@claim(
    "shapes/plain-mean-radius",
    expectation(range=(-1.0, 1.0)),
    over=grid(d=[10]),
    expected="refuted",
    cite="the radius U^(1/d) of a point of the ball, with 1 - 1/d for d/(d + 1)",
)
def plain_mean_radius(draw, *, d):
    """E |x| <= 1 - 1/d for x uniform in the ball."""
    return draw.ball("x", d).norm(dim=-1), 1 - 1 / d


@claim("shapes/true-minkowski-det", always(), cite="Minkowski; Horn and Johnson 2013, section 7.8")
def true_minkowski_det(forall):
    """det A^(1/3) + det B^(1/3) <= det(A + B)^(1/3)."""
    a, b = forall.psd("A", 3), forall.psd("B", 3)
    root = lambda m: torch.linalg.det(m).clamp_min(0.0) ** (1 / 3)  # noqa: E731
    return root(a) + root(b), root(a + b)


@claim("shapes/true-p-norm", always(), cite="Hardy, Littlewood, Polya 1934, section 2.10")
def true_p_norm(forall):
    """max |x_i| <= |x|_p for p >= 1."""
    x, p = forall.ball("x", 3), forall.interval("p", 1.0, 20.0)
    return x.abs().amax(-1), (x.abs() ** p[:, None]).sum(-1) ** (1 / p)


@claim("shapes/subtle-four-points", always(), expected="refuted", cite="Rankin 1955, sqrt(8/3) rounded down")
def subtle_four_points(forall):
    """Of four points of the unit ball of space, two are at most 1.63 apart."""
    x = forall.ball("x", 4, 3)
    d = (x[:, :, None] - x[:, None]).norm(dim=-1) + 100 * torch.eye(4, dtype=torch.float64)
    return d.amin((-1, -2)), 1.63


@claim("shapes/true-bootstrap-mean", expectation(range=(-1.0, 1.0)), cite="Efron 1979")
def true_bootstrap_mean(forall, draw):
    """The mean of a bootstrap sample has the sample mean as its mean."""
    x = forall.interval("x", 0.0, 1.0, 4)
    i = draw.categorical("i", torch.full((1, 4), 0.25, dtype=torch.float64), 4).long()
    return x.expand(len(i), -1).gather(-1, i).mean(-1), x.mean(-1)


@claim(
    "shapes/plain-bootstrap-variance",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="Efron 1979, with the unbiased variance",
)
def plain_bootstrap_variance(forall, draw):
    """s^2 / n <= E (bootstrap mean - mean)^2 with the unbiased s^2."""
    x = forall.interval("x", 0.0, 1.0, 4)
    i = draw.categorical("i", torch.full((1, 4), 0.25, dtype=torch.float64), 4).long()
    boot = x.expand(len(i), -1).gather(-1, i).mean(-1)
    return x.var(-1) / 4, (boot - x.mean(-1)) ** 2


@claim("shapes/true-midrank", expectation(range=(-5.0, 5.0)), cite="Lehmann 1975 (midranks)")
def true_midrank(forall, draw):
    """The midrank of the first of four has the mean 2.5, with ties too (as <=)."""
    x = draw.law("x", forall.law("P", atoms=3), 4)
    rank = 0.5 + (x < x[:, :1]).double().sum(-1) + 0.5 * (x == x[:, :1]).double().sum(-1)
    return rank, 2.5


@claim(
    "shapes/true-median-interval",
    high_probability("delta"),
    over=grid(n=[5], delta=[0.0625]),
    cite="David and Nagaraja 2003 (sign test interval)",
)
def true_median_interval(forall, draw, *, n, delta):
    """min <= median <= max with probability 1 - 2^(1-n)."""
    law = forall.law("P", atoms=3)
    x, m = draw.law("x", law, n), law.quantile(0.5)
    return torch.maximum(x.amin(-1) - m, m - x.amax(-1)), 0.0


@claim("shapes/true-ratio", expectation(range=(-1.0, 1.0)), over=grid(n=[5]), cite="tower property")
def true_ratio(forall, draw, *, n):
    """E hits / accepted (0 where none is accepted) <= p."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    hit, taken = draw.bernoulli("hit", p, n), draw.bernoulli("taken", q, n)
    return ((hit * taken).sum(-1) / taken.sum(-1)).nan_to_num(0.0), p


@claim(
    "shapes/plain-normal-interval",
    high_probability("delta"),
    over=grid(n=[5], delta=[0.05]),
    expected="refuted",
    cite="Student 1908, with the quantile of the normal law",
)
def plain_normal_interval(draw, *, n, delta):
    """|mean| <= 1.96 s / sqrt n for normal data."""
    x = draw.normal("x", n)
    return x.mean(-1).abs(), 1.96 * x.std(-1) / math.sqrt(n)


@claim("shapes/true-clipping-bias", always(), cite="(|x| - b)_+ <= x^2 / (4 b)")
def true_clipping_bias(forall):
    """|E X - E clip(X, -b, b)| <= E X^2 / (4 b)."""
    law, b = forall.law("P", atoms=3, low=-1.0), forall.interval("b", 0.1, 1.0)
    bias = law.mean - law.expect(lambda x: torch.minimum(torch.maximum(x, -b[:, None]), b[:, None]))
    return bias.abs(), law.expect(lambda x: x**2) / (4 * b)


@claim(
    "shapes/plain-inverse-count",
    expectation(range=(-10.0, 10.0)),
    over=grid(n=[10]),
    expected="refuted",
    cite="Jensen's inequality, in the wrong direction",
)
def plain_inverse_count(forall, draw, *, n):
    """E n / max(K, 1) <= 1/p for K heads in n flips."""
    p = forall.interval("p", 0.1, 1.0)
    return n / draw.bernoulli("x", p, n).sum(-1).clamp_min(1.0), 1 / p


@claim(
    "shapes/true-conformal",
    high_probability("delta"),
    over=grid(n=[19], delta=[0.1]),
    cite="Vovk, Gammerman, Shafer 2005; Lei et al. 2018, Theorem 2.1",
)
def true_conformal(forall, draw, *, n, delta):
    """A new point is at most the k-th of n with probability 1 - delta, k = ceil((1-delta)(n+1)), ties included."""
    law = forall.law("P", atoms=4)
    x = draw.law("x", law, n + 1)
    k = math.ceil((1 - delta) * (n + 1))
    return x[:, -1], x[:, :-1].sort(-1).values[:, k - 1]


h = 1 / math.sqrt(3)


PROOFS = {
    "shapes/true-product": "|1 - z_i| <= 1 + |z_i| <= 2.",
    "shapes/true-exp-minus-one": (
        "e^z - 1 = z times the integral of e^(t z) over t in [0, 1], and |e^(t z)| <= e^max(Re z, 0)."
    ),
    "shapes/true-cap": (
        "E x_1^(2k) = (2k-1)!! / (d (d+2) ... (d+2k-2)) <= (2k-1)!! / d^k, so E e^(s x_1) <= e^(s^2 / (2 d)); "
        "Markov's inequality at s = d t."
    ),
    "shapes/true-minkowski-det": (
        "Minkowski's determinant inequality (Horn and Johnson 2013, section 7.8), by continuity for singular matrices"
        " too."
    ),
    "shapes/true-p-norm": "|x|_p^p >= max |x_i|^p.",
    "shapes/true-bootstrap-mean": "Each drawn value has the mean of x as its mean; average over four.",
    "shapes/true-midrank": (
        "The midranks of four add up to 10 whatever the ties, and by exchangeability each has the same mean."
    ),
    "shapes/true-median-interval": (
        "P(X < m) <= 1/2 and P(X > m) <= 1/2, so max < m and min > m have probability at most 2^-5 each."
    ),
    "shapes/true-ratio": (
        "Given who is taken, the ratio has the mean p if anyone is and is 0 otherwise: E = p (1 - (1 - q)^5) <= p."
    ),
    "shapes/true-clipping-bias": "|x - clip(x)| = (|x| - b)_+ <= x^2 / (4 b), as (|x| - 2 b)^2 >= 0; take means.",
    "shapes/true-conformal": (
        "Exchangeability: at most two of twenty values exceed the 18th smallest of the others, so the last does with "
        "probability at most 2/20."
    ),
}

WITNESSES = {
    "shapes/plain-angles-add": {
        "params": {},
        "values": {"z": [-0.6, -0.8], "w": [-0.6, -0.8]},
        "why": "z = w = -(3 + 4 i)/5: arg(z w) = 1.8546 against 2 arg z = -4.4286.",
    },
    "shapes/plain-mean-radius": {
        "params": {"d": 10},
        "values": {},
        "mean": 0.0090909090909,
        "why": "E |x| = d / (d + 1) = 10/11 > 9/10.",
    },
    "shapes/subtle-four-points": {
        "params": {},
        "values": {"x": [[h, h, h], [h, -h, -h], [-h, h, -h], [-h, -h, h]]},
        "why": "the regular tetrahedron: all distances are sqrt(8/3) = 1.63299 > 1.63.",
    },
    "shapes/plain-bootstrap-variance": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 1.0]},
        "mean": 0.015625,
        "why": "x = (0, 0, 0, 1): 1/16 > 3/64.",
    },
    "shapes/plain-normal-interval": {
        "params": {"n": 5, "delta": 0.05},
        "values": {},
        "probability": 0.1215546398,
        "why": "P(|t| > 1.96) = 0.12155 for Student's t with four degrees of freedom.",
    },
    "shapes/plain-inverse-count": {
        "params": {"n": 10},
        "values": {"p": 0.5},
        "mean": 0.2986227368551586,
        "why": "p = 1/2: E 10 / max(K, 1) = 2.29862 > 2 (fractions).",
    },
}
