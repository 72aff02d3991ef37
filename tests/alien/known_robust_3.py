"""Alien claims, known: robust and nonparametric statistics, heavy tails (3); see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, identity, rate, up_to_constant


def median(x):
    return x.median(-1).values


def mad(x):
    return median((x - median(x)[..., None]).abs())


def kendall(p):
    i, j = torch.triu_indices(p.shape[-1], p.shape[-1], 1)
    return (p[:, j] - p[:, i]).double().sign().mean(-1)


def spearman(p):
    n = p.shape[-1]
    d2 = (p.double() - torch.arange(n)).square().sum(-1)
    return 1 - 6 * d2 / (n * (n * n - 1))


def inversions(p):
    i, j = torch.triu_indices(p.shape[-1], p.shape[-1], 1)
    return (p[:, i] > p[:, j]).double().sum(-1)


def theil_sen(x, y):
    i, j = torch.triu_indices(len(x), len(x), 1)
    return median((y[:, j] - y[:, i]) / (x[j] - x[i]))


@claim("robust/true-midrange-beats-mean", expectation(range=(-1.0, 1.0)), cite="Rider 1957")
def midrange_beats_mean(draw):
    """E midrange^2 <= E mean^2 for five uniform numbers on [-1, 1]."""
    u = draw.uniform("u", 5, low=-1.0)
    return ((u.amax(-1) + u.amin(-1)) / 2) ** 2, u.mean(-1) ** 2


@claim("robust/plain-median-beats-mean", expectation(range=(-1.0, 1.0)), expected="refuted", cite="Rider 1957")
def median_beats_mean(draw):
    """E median^2 <= E mean^2 for five uniform numbers on [-1, 1]."""
    u = draw.uniform("u", 5, low=-1.0)
    return median(u) ** 2, u.mean(-1) ** 2


@claim("robust/true-theil-sen-equivariant", identity(), cite="Sen 1968")
def theil_sen_equivariant(forall):
    """The slope of Theil and Sen is regression equivariant."""
    y, b = forall.interval("y", -3.0, 3.0, 5), forall.interval("b", -3.0, 3.0)
    x = torch.tensor([0.0, 1.0, 2.5, 3.0, 7.0], dtype=torch.float64)
    return theil_sen(x, y + b[:, None] * x + 1), theil_sen(x, y) + b


@claim("robust/true-daniels", always(), over=grid(n=[4, 5, 6]), cite="Daniels 1950")
def daniels(forall, *, n):
    """|3 n tau - 2 (n + 1) rho| <= n - 2."""
    p = forall.permutation("p", n)
    return (3 * n * kendall(p) - 2 * (n + 1) * spearman(p)).abs(), n - 2.0


@claim(
    "robust/plain-footrule-three-halves",
    always(),
    over=grid(n=[6]),
    expected="refuted",
    cite="Diaconis and Graham 1977",
)
def footrule_three_halves(forall, *, n):
    """Footrule <= 1.5 inversions."""
    p = forall.permutation("p", n)
    return (p - torch.arange(n)).abs().double().sum(-1), 1.5 * inversions(p)


@claim("robust/plain-spearman-below-kendall", always(), over=grid(n=[5]), expected="refuted", cite="Daniels 1950")
def spearman_below_kendall(forall, *, n):
    """rho <= tau where tau >= 0."""
    p = forall.permutation("p", n)
    forall.assume(kendall(p) >= 0)
    return spearman(p), kendall(p)


@claim("robust/true-pinball", always(), over=grid(level=[0.3, 0.5, 0.9]), cite="Koenker and Bassett 1978")
def pinball(forall, *, level):
    """A quantile minimises the pinball loss."""
    law, t = forall.law("P", atoms=4), forall.interval("t", 0.0, 1.0)
    q = law.quantile(level)

    def loss(c):
        return law.expect(lambda x: torch.maximum(level * (x - c[:, None]), (level - 1) * (x - c[:, None])))

    return loss(q), loss(t)


@claim("robust/true-expected-maximum", always(), cite="Gumbel 1954")
def expected_maximum(forall):
    """E max of three <= sqrt(3 E X^2)."""
    law = forall.law("P", atoms=3)
    values, chances = every.samples(law, 3)
    return (chances * values.amax(-1)).sum(-1), (3 * law.expect(lambda x: x**2)).sqrt()


@claim("robust/plain-median-of-means-half-the-points", always(), expected="refuted", cite="Lugosi and Mendelson 2019")
def median_of_means_breakdown(forall):
    """The median of five means of three survives any three bad points."""
    x, bad = forall.interval("x", -1.0, 1.0, 5, 2), forall.interval("bad", -1000.0, 1000.0, 3)
    first = torch.cat([bad, x[:, :2, 0]], -1)
    blocks = torch.cat([first[..., None], x], -1)
    return median(blocks.mean(-1)).abs(), 1.0


@claim("robust/subtle-coordinatewise-median", always(), over=grid(d=[2, 3]), expected="refuted", cite="Small 1990")
def coordinatewise_median(forall, *, d):
    """The coordinatewise median of three points of the unit ball lies in the unit ball."""
    x = forall.ball("x", 3, d)
    return x.median(1).values.norm(dim=-1), 1.0


@claim("robust/true-grubbs", always(), over=grid(n=[6]), cite="Grubbs 1950")
def grubbs(forall, *, n):
    """max - mean <= s (n - 1) / sqrt(n)."""
    x = forall.interval("x", -10.0, 10.0, n)
    return x.amax(-1) - x.mean(-1), x.std(-1) * (n - 1) / math.sqrt(n)


@claim("robust/true-lad-through-two-points", always(), cite="Bloomfield and Steiger 1983")
def lad_through_two_points(forall):
    """Some line through two of the points has the least sum of absolute residuals."""
    y = forall.interval("y", -3.0, 3.0, 5)
    a, b = forall.interval("a", -5.0, 5.0), forall.interval("b", -5.0, 5.0)
    x = torch.arange(5.0, dtype=torch.float64)
    best = []
    for i in range(5):
        for j in range(i + 1, 5):
            slope = (y[:, j] - y[:, i]) / (j - i)
            line = y[:, i, None] + slope[:, None] * (x - i)
            best.append((y - line).abs().sum(-1))
    return torch.stack(best, -1).amin(-1), (y - a[:, None] - b[:, None] * x).abs().sum(-1)


@claim(
    "robust/plain-robust-covariance-cauchy-schwarz",
    always(),
    expected="refuted",
    cite="Gnanadesikan and Kettenring 1972",
)
def robust_covariance(forall):
    """|MAD^2(x + y) - MAD^2(x - y)| / 4 <= MAD(x) MAD(y)."""
    x, y = forall.interval("x", -5.0, 5.0, 5), forall.interval("y", -5.0, 5.0, 5)
    return (mad(x + y) ** 2 - mad(x - y) ** 2).abs() / 4, mad(x) * mad(y)


@claim("robust/plain-lower-quantile-reflected", identity(), expected="refuted", cite="Hyndman and Fan 1996")
def reflected_lower_quantile(forall):
    """The lower 0.3-quantile of -x is minus the lower 0.7-quantile of x."""
    x = forall.interval("x", -5.0, 5.0, 6)
    left = torch.quantile(-x, 0.3, dim=-1, interpolation="lower")
    return left, -torch.quantile(x, 0.7, dim=-1, interpolation="lower")


@claim("robust/true-weak-norm", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]), cite="Lorentz 1950")
def weak_norm(forall, *, n):
    """|x|_1 <= C log(n) max_k k x_(k)."""
    x = forall.ball("x", n).abs()
    weak = (x.sort(-1, descending=True).values * torch.arange(1, n + 1)).amax(-1)
    return x.sum(-1), math.log(n) * weak


@claim(
    "robust/subtle-largest-spacing",
    rate("n", -1.0),
    over=grid(n=[10, 20, 40, 80, 160, 320, 640]),
    expected="refuted",
    cite="Levy 1939",
)
def largest_spacing(draw, *, n):
    """The largest spacing of n uniform numbers is of order 1/n."""
    u = draw.uniform("u", n).sort(-1).values
    return (u[:, 1:] - u[:, :-1]).amax(-1)


PROOFS = {
    "robust/true-midrange-beats-mean": ("1/21 against 1/15."),
    "robust/true-theil-sen-equivariant": ("Each slope of a pair moves by b."),
    "robust/true-daniels": ("Enumerated for n = 4, 5, 6."),
    "robust/true-pinball": ("The slope at c is P(X < c) - level, which changes its sign at the quantile."),
    "robust/true-expected-maximum": ("max^2 is at most the sum of squares; Jensen."),
    "robust/true-grubbs": ("The other deviations add up to minus the largest one; Cauchy and Schwarz."),
    "robust/true-lad-through-two-points": ("A convex piecewise linear function has a minimum at a vertex."),
    "robust/true-weak-norm": ("x_(k) <= w / k; harmonic numbers are at most (1 + 1/log 4) log n from n = 4 on."),
}

WITNESSES = {
    "robust/plain-median-beats-mean": {"params": {}, "values": {}, "mean": 1 / 7 - 1 / 15, "why": "1/7 against 1/15"},
    "robust/plain-footrule-three-halves": {
        "params": {"n": 6},
        "values": {"p": [0.0, 0.1, 0.2, 0.3, 0.5, 0.4]},
        "why": "two neighbours exchanged",
    },
    "robust/plain-spearman-below-kendall": {
        "params": {"n": 5},
        "values": {"p": [0.0, 0.1, 0.2, 0.4, 0.3]},
        "why": ".9 against .8",
    },
    "robust/plain-median-of-means-half-the-points": {
        "params": {},
        "values": {"x": [[0.0, 0.0]] * 5, "bad": [1000.0] * 3},
        "why": "three of five blocks are bad",
    },
    "robust/subtle-coordinatewise-median": {
        "params": {"d": 3},
        "values": {"x": [[0.7, 0.7, 0.0], [0.7, 0.0, 0.7], [0.0, 0.7, 0.7]]},
        "why": "(.7, .7, .7)",
    },
    "robust/plain-robust-covariance-cauchy-schwarz": {
        "params": {},
        "values": {"x": [2.0, -2.0, -1.0, -2.0, 2.0], "y": [2.0, 2.0, -2.0, 2.0, -2.0]},
        "why": "MAD(y) = 0",
    },
    "robust/plain-lower-quantile-reflected": {
        "params": {},
        "values": {"x": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]},
        "why": "-4 against -3",
    },
    "robust/subtle-largest-spacing": {"params": {}, "values": {}, "exponent": -0.891555643777, "why": "log(n) / n"},
}
