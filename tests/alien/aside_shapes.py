"""Alien claims, aside: rates and asymptotics, geometry, complex numbers, sampled statistics; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    expectation,
    grid,
    high_probability,
    identity,
    rate,
    reproduction,
    tail,
)


@claim(
    "shapes/true-median-variance",
    rate("n", -1.0, at="exactly"),
    over=grid(n=[5, 11, 21, 41, 81, 161, 321]),
    cite="Laplace 1818; David and Nagaraja 2003 (central order statistics)",
)
def true_median_variance(draw, *, n):
    """The mean square of the sample median of n normals is of order 1/n exactly."""
    return draw.normal("z", n).median(-1).values ** 2


@claim(
    "shapes/subtle-largest-gap",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256, 512, 1024, 2048]),
    expected="refuted",
    cite="Levy 1939; Pyke 1965 (spacings), the logarithm forgotten",
)
def subtle_largest_gap(draw, *, n):
    """The largest gap between n uniform numbers is of order 1/n."""
    return draw.uniform("u", n).sort(-1).values.diff(dim=-1).amax(-1)


@claim("shapes/true-birthday", reproduction(tolerance=0.01), cite="Feller 1968, II.3")
def true_birthday(draw):
    """23 people share a birthday with probability 0.507."""
    day = (draw.uniform("day", 500, 23) * 365).floor().sort(-1).values
    same = (day.diff(dim=-1) == 0).any(-1)
    return [Row("23", Estimate.share(int(same.sum()), same.numel()), printed=0.507)]


@claim("shapes/true-roots-of-unity", identity(), over=grid(n=[5]), cite="Parseval's identity")
def true_roots_of_unity(forall, *, n):
    """sum_k |1 + z w^k|^2 = n (1 + |z|^2) for the n-th roots of unity w^k."""
    u = forall.real("z", 2)
    z = torch.complex(u[:, 0], u[:, 1])
    k = torch.arange(n, dtype=torch.float64) * (2 * math.pi / n)
    return (1 + z[:, None] * torch.exp(1j * k)[None]).abs().square().sum(-1), n * (1 + z.abs() ** 2)


@claim(
    "shapes/subtle-exp-second-order",
    always(),
    expected="refuted",
    cite="Taylor's formula in the left half-plane, used a little beyond it",
)
def subtle_exp_second_order(forall):
    """|e^z - 1 - z| <= |z|^2 / 2 for Re z <= 0.01."""
    x, y = forall.interval("x", -3.0, 0.01), forall.interval("y", -9.0, 9.0)
    z = torch.complex(x, y)
    return (z.exp() - 1 - z).abs(), z.abs() ** 2 / 2


@claim(
    "shapes/plain-gaussian-norm",
    expectation(range=(-4.0, math.inf)),
    over=grid(d=[10]),
    expected="refuted",
    cite="Jensen's inequality, with d - 1 for d",
)
def plain_gaussian_norm(draw, *, d):
    """E |g| <= sqrt(d - 1)."""
    return draw.normal("g", d).norm(dim=-1), math.sqrt(d - 1)


@claim("shapes/true-support", identity(), cite="Schneider 2014, section 1.7")
def true_support(forall):
    """h_{K+L}(u) = h_K(u) + h_L(u) for hulls of three and four points."""
    k, l, u = forall.ball("K", 3, 2), forall.ball("L", 4, 2), forall.sphere("u", 2)  # noqa: E741
    both = (k[:, :, None] + l[:, None]).flatten(1, 2)
    h = lambda body: (body * u[:, None]).sum(-1).amax(-1)  # noqa: E731
    return h(both), h(k) + h(l)


@claim("shapes/true-three-points", always(), cite="Rankin 1955")
def true_three_points(forall):
    """Of three points of the unit disc, two are at most sqrt 3 apart."""
    x = forall.ball("x", 3, 2)
    d = (x[:, :, None] - x[:, None]).norm(dim=-1) + 100 * torch.eye(3, dtype=torch.float64)
    return d.amin((-1, -2)), math.sqrt(3)


@claim("shapes/true-all-below-median", tail(), over=grid(n=[4]), cite="definition of a median")
def true_all_below_median(forall, draw, *, n):
    """P(max < median) <= 2^-n."""
    law = forall.law("P", atoms=3)
    return draw.law("x", law, n).amax(-1) < law.quantile(0.5), 2.0**-n


@claim(
    "shapes/true-chebyshev-pareto", high_probability("delta"), over=grid(n=[10], delta=[0.05]), cite="Chebyshev 1867"
)
def true_chebyshev_pareto(forall, draw, *, n, delta):
    """|mean - E X| <= sqrt(Var X / (n delta))."""
    law = forall.pareto("P", index=(2.1, 6.0))
    return (draw.law("x", law, n).mean(-1) - law.mean).abs(), (law.variance / (n * delta)).sqrt()


@claim("shapes/true-loo-ridge", identity(), cite="Allen 1974; Golub, Heath, Wahba 1979")
def true_loo_ridge(forall):
    """Leave-one-out residuals of ridge regression are r / (1 - h)."""
    x, y = forall.ball("x", 4, 2), forall.ball("y", 4)
    eye = 0.1 * torch.eye(2, dtype=torch.float64)
    h = x @ torch.linalg.inv(x.mT @ x + eye) @ x.mT
    fast = (y - (h @ y[:, :, None])[:, :, 0])[:, 0] / (1 - h[:, 0, 0])
    xs, ys = x[:, 1:], y[:, 1:, None]
    w = torch.linalg.solve(xs.mT @ xs + eye, xs.mT @ ys)
    return y[:, 0] - (x[:, :1] @ w)[:, 0, 0], fast


PROOFS = {
    "shapes/true-median-variance": (
        "n E median^2 -> pi / 2 (central order statistics, uniformly integrable); the exact means "
        "(evidence/shapes.py) have an exponent within 0.03 of -1 over the grid."
    ),
    "shapes/true-birthday": "1 - 365! / (342! 365^23) = 0.50730.",
    "shapes/true-roots-of-unity": "|1 + z w^k|^2 = 1 + |z|^2 + 2 Re(z w^k), and the w^k add up to 0.",
    "shapes/true-support": "The largest of sums a + b of which a and b are free is the sum of the largest.",
    "shapes/true-three-points": (
        "Two of three points of the disc are seen from its centre under an angle of at most 120 degrees (or one is "
        "the centre): |a - b|^2 <= |a|^2 + |b|^2 + |a| |b| <= 3."
    ),
    "shapes/true-all-below-median": "P(X < m) <= 1/2 for the smallest m with P(X <= m) >= 1/2; independence.",
    "shapes/true-chebyshev-pareto": (
        "Chebyshev's inequality for the mean of ten, whose variance Var X / 10 is finite as the index is above 2."
    ),
    "shapes/true-loo-ridge": (
        "The ridge fit without point 0 also minimises the criterion of all points with y_0 replaced by its prediction"
        " u, so u = (H y)_0 + h (u - y_0); solve for y_0 - u (h < 1)."
    ),
}

WITNESSES = {
    "shapes/subtle-largest-gap": {
        "params": {},
        "values": {},
        "exponent": -0.891556,
        "why": "E largest gap = H_(n-1) / (n + 1) exactly; stated is the local exponent from 4096 to 8192.",
    },
    "shapes/subtle-exp-second-order": {
        "params": {},
        "values": {"x": 0.01, "y": 0.0},
        "why": "z = 1/100: e^z - 1 - z = 5.0167e-5 > 5e-5.",
    },
    "shapes/plain-gaussian-norm": {
        "params": {"d": 10},
        "values": {},
        "mean": 0.0843277597999,
        "why": "E |g| = sqrt 2 Gamma(11/2) / Gamma(5) = 3.08433 > 3.",
    },
}
