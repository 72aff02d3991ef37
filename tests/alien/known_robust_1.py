"""Alien claims, known: robust and nonparametric statistics, heavy tails (1); see README.md."""

import math

import torch

from harness import always, claim, every, grid, high_probability, identity, tail


def median(x):
    return x.median(-1).values


def walsh_median(x):
    i, j = torch.triu_indices(x.shape[-1], x.shape[-1])
    return median((x[..., i] + x[..., j]) / 2)


def trimmed(x, k):
    return x.sort(-1).values[..., k:-k].mean(-1)


def huber_location(x, k):
    low, high = x.amin(-1), x.amax(-1)
    for _ in range(60):
        middle = (low + high) / 2
        positive = (x - middle[:, None]).clamp(-k, k).sum(-1) > 0
        low, high = torch.where(positive, middle, low), torch.where(positive, high, middle)
    return (low + high) / 2


TABLE = {5: 0, 6: 2, 7: 3, 8: 5, 9: 8}


@claim("robust/true-median-least-absolute", always(), cite="Laplace 1774")
def median_least_absolute(forall):
    """The median minimises the sum of absolute deviations."""
    x, t = forall.interval("x", -10.0, 10.0, 5), forall.interval("t", -10.0, 10.0)
    return (x - median(x)[:, None]).abs().sum(-1), (x - t[:, None]).abs().sum(-1)


@claim("robust/true-median-breakdown", always(), cite="Donoho and Huber 1983")
def median_breakdown(forall):
    """With three of seven numbers replaced the median stays in the range of the four others."""
    x, bad = forall.interval("x", -1.0, 1.0, 4), forall.interval("bad", -1e6, 1e6, 3)
    return median(torch.cat([x, bad], -1)).abs(), x.abs().amax(-1)


@claim("robust/true-median-local-sensitivity", always(), cite="Nissim, Raskhodnikova and Smith 2007")
def median_local_sensitivity(forall):
    """Replacing one of seven numbers moves the median no further than to the next order statistic."""
    x, new = forall.interval("x", 0.0, 1.0, 7), forall.interval("new", 0.0, 1.0, 1)
    s = x.sort(-1).values
    moved = median(torch.cat([x[:, 1:], new], -1))
    return (moved - s[:, 3]).abs(), torch.maximum(s[:, 4] - s[:, 3], s[:, 3] - s[:, 2])


@claim(
    "robust/true-median-of-means",
    high_probability("delta"),
    over=grid(k=[24], m=[10], delta=[0.05]),
    cite="Lugosi and Mendelson 2019, Theorem 2",
)
def median_of_means(forall, draw, *, k, m, delta):
    """|MoM - mu| <= 2 sigma / sqrt(m) with probability 1 - exp(-k/8), for k blocks of m."""
    law = forall.pareto("P", index=(2.5, 5.0))
    means = draw.law("x", law, k, m).mean(-1)
    return (median(means) - law.mean).abs(), 2 * (law.variance / m).sqrt()


@claim("robust/true-order-statistic-interval", tail(), cite="Thompson 1936")
def order_statistic_interval(forall, draw):
    """P(the median is outside [x_(2), x_(9)]) <= 22/1024 for ten normal numbers."""
    mu = forall.interval("mu", -3.0, 3.0)
    x = (draw.normal("x", 10) + mu[:, None]).sort(-1).values
    return (mu < x[:, 1]) | (mu > x[:, 8]), 22 / 1024


@claim("robust/true-huber-below-square", always(), cite="Huber 1964")
def huber_below_square(forall):
    """rho_k(x) <= x^2 / 2 for Huber's loss with k = 1.345."""
    x = forall.real("x")
    loss = torch.nn.functional.huber_loss(x, torch.zeros_like(x), reduction="none", delta=1.345)
    return loss, x**2 / 2


@claim("robust/plain-huber-homogeneous", identity(), expected="refuted", cite="Huber 1964")
def huber_homogeneous(forall):
    """rho_k(c x) = c^2 rho_k(x)."""
    x, c = forall.interval("x", -5.0, 5.0), forall.interval("c", 0.1, 10.0)
    k = 1.345

    def rho(u):
        return torch.where(u.abs() <= k, u**2 / 2, k * u.abs() - k**2 / 2)

    return rho(c * x), c**2 * rho(x)


@claim("robust/true-huber-estimate-near-median", always(), over=grid(k=[1.345]), cite="Huber 1964")
def huber_near_median(forall, *, k):
    """Huber's estimate of location of five numbers is within 2k/3 of the median."""
    x = forall.interval("x", -10.0, 10.0, 5)
    return (huber_location(x, k) - median(x)).abs(), 2 * k / 3


@claim(
    "robust/subtle-huber-estimate-near-median", always(), over=grid(k=[1.345]), expected="refuted", cite="Huber 1964"
)
def huber_nearer_median(forall, *, k):
    """Huber's estimate of location of five numbers is within 0.66 k of the median."""
    x = forall.interval("x", -10.0, 10.0, 5)
    return (huber_location(x, k) - median(x)).abs(), 0.66 * k


@claim("robust/true-catoni-influence", always(), cite="Catoni 2012")
def catoni_influence(forall):
    """-log(1 - x + x^2/2) <= log(1 + x + x^2/2)."""
    x = forall.real("x")
    return -(1 - x + x**2 / 2).log(), (1 + x + x**2 / 2).log()


@claim("robust/true-winsorised-variance", always(), cite="Tukey 1962")
def winsorised_variance(forall):
    """Winsorising does not increase the variance."""
    x = forall.interval("x", -10.0, 10.0, 6)
    a, b = forall.interval("a", -10.0, 0.0), forall.interval("b", 0.0, 10.0)
    w = torch.minimum(torch.maximum(x, a[:, None]), b[:, None])
    return w.var(-1, correction=0), x.var(-1, correction=0)


@claim("robust/true-trimmed-mean-sup-norm", always(), cite="Huber 1981")
def trimmed_sup_norm(forall):
    """Trimmed means are contractions in the largest norm."""
    x, y = forall.interval("x", -5.0, 5.0, 8), forall.interval("y", -5.0, 5.0, 8)
    return (trimmed(x, 2) - trimmed(y, 2)).abs(), (x - y).abs().amax(-1)


@claim("robust/plain-trimmed-mean-as-lipschitz-as-mean", always(), expected="refuted", cite="Huber 1981")
def trimmed_as_mean(forall):
    """|T(x) - T(y)| <= |x - y| / sqrt(n), as for the mean, for two of eight trimmed at each end."""
    x, y = forall.interval("x", -5.0, 5.0, 8), forall.interval("y", -5.0, 5.0, 8)
    return (trimmed(x, 2) - trimmed(y, 2)).abs(), (x - y).norm(dim=-1) / math.sqrt(8)


@claim("robust/plain-hodges-lehmann-breakdown", always(), expected="refuted", cite="Hodges 1967")
def hodges_lehmann_three(forall):
    """The median of Walsh averages survives three bad numbers of seven."""
    x, bad = forall.interval("x", -1.0, 1.0, 4), forall.interval("bad", -100.0, 100.0, 3)
    return walsh_median(torch.cat([x, bad], -1)).abs(), x.abs().amax(-1)


@claim("robust/true-wilcoxon-table", tail(), over=grid(n=[5, 6, 7, 8, 9]), cite="Wilcoxon 1945, Table I")
def wilcoxon_table(draw, *, n):
    """P(signed rank sum <= critical value) <= .05 with the critical values 0, 2, 3, 5, 8."""
    positive = draw.signs("e", n) > 0
    return (positive * torch.arange(1, n + 1)).sum(-1) <= TABLE[n], 0.05


@claim("robust/true-fourth-moment-of-signs", identity(), cite="Khintchine 1923")
def fourth_moment_of_signs(forall):
    """E (sum e_i x_i)^4 = 3 |x|^4 - 2 sum x_i^4."""
    x = forall.interval("x", -2.0, 2.0, 5)
    sums = every.signs(5, like=x) @ x.mT
    return (sums**4).mean(0), 3 * (x**2).sum(-1) ** 2 - 2 * (x**4).sum(-1)


@claim("robust/true-sign-test-size", tail(), cite="Arbuthnot 1710")
def sign_test_size(forall, draw):
    """P(at least seven of eight positive) <= 9/256 if P(X > 0) <= 1/2."""
    law = forall.law("P", atoms=3, low=-1.0, high=1.0)
    forall.assume(law.probability(lambda x: x > 0) <= 0.5)
    return (draw.law("x", law, 8) > 0).sum(-1) >= 7, 9 / 256


PROOFS = {
    "robust/true-median-least-absolute": (
        "The slope in t is the number of points below t minus that above, which changes its sign at the median."
    ),
    "robust/true-median-breakdown": (
        "Four of seven numbers lie in the range of the good ones, and so does the fourth in order."
    ),
    "robust/true-median-local-sensitivity": (
        "One replacement moves each order statistic no further than to a neighbour."
    ),
    "robust/true-median-of-means": (
        "A block is off by 2 sigma / sqrt(m) with probability 1/4 at most, half of them are with exp(-k/8) (Hoeffding)."
    ),
    "robust/true-order-statistic-interval": (
        "The number of points below the median is binomial: twice (1 + 10) / 1024."
    ),
    "robust/true-huber-below-square": ("k |x| - k^2/2 is the tangent of x^2/2 at k."),
    "robust/true-huber-estimate-near-median": (
        "At T = med + 2k/3 three points pull back by 2k/3 each at least, and two pull by at most k."
    ),
    "robust/true-catoni-influence": ("(1 + x^2/2)^2 - x^2 = 1 + x^4/4 is at least one."),
    "robust/true-winsorised-variance": (
        "Clamping is 1-Lipschitz, and the variance is a mean of squared differences of pairs."
    ),
    "robust/true-trimmed-mean-sup-norm": ("Each order statistic is 1-Lipschitz in the largest norm."),
    "robust/true-wilcoxon-table": ("Counts of subsets of 1 ... n with a small sum: 1, 3, 5, 10 and 25 of 2^n."),
    "robust/true-fourth-moment-of-signs": ("Expand: three pairings, less what they count twice on the diagonal."),
    "robust/true-sign-test-size": ("The number of positive ones is binomial with p <= 1/2."),
}

WITNESSES = {
    "robust/plain-huber-homogeneous": {
        "params": {},
        "values": {"x": 1.0, "c": 10.0},
        "why": "the loss is linear beyond k",
    },
    "robust/subtle-huber-estimate-near-median": {
        "params": {"k": 1.345},
        "values": {"x": [0.0, 10.0, 10.0, 0.0, 0.0]},
        "why": "2/3 against .66",
    },
    "robust/plain-trimmed-mean-as-lipschitz-as-mean": {
        "params": {},
        "values": {"x": [-5.0, -5.0, 0.0, 0.0, 0.0, 0.0, 5.0, 5.0], "y": [-5.0, -5.0, 1.0, 1.0, 1.0, 1.0, 5.0, 5.0]},
        "why": "only four of eight count",
    },
    "robust/plain-hodges-lehmann-breakdown": {
        "params": {},
        "values": {"x": [0.0] * 4, "bad": [1.0] * 3},
        "why": "ten of 28 averages are good",
    },
}
