"""Alien claims, known: robust and nonparametric statistics, heavy tails (2); see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, identity, tail


def isotonic(y):
    n = y.shape[-1]
    columns = []
    for i in range(n):
        rows = []
        for s in range(i + 1):
            rows.append(torch.stack([y[:, s : t + 1].mean(-1) for t in range(i, n)], -1).amin(-1))
        columns.append(torch.stack(rows, -1).amax(-1))
    return torch.stack(columns, -1)


def hill(x, k):
    top = x.log().sort(-1, descending=True).values
    return top[..., :k].mean(-1) - top[..., k]


def density(x, variance):
    return (-(x**2) / (2 * variance)).exp() / (2 * math.pi * variance).sqrt()


def three_neighbours(p):
    few = (1 - p) ** 3 + 3 * p * (1 - p) ** 2
    return p * few + (1 - p) * (1 - few)


@claim("robust/plain-sign-test-zeros-count", tail(), expected="refuted", cite="Arbuthnot 1710")
def sign_test_zeros(forall, draw):
    """P(at least seven of eight not negative) <= 9/256 if the median is at most 0."""
    law = forall.law("P", atoms=3, low=-1.0, high=1.0)
    forall.assume(law.quantile(0.5) <= 0)
    return (draw.law("x", law, 8) >= 0).sum(-1) >= 7, 9 / 256


@claim("robust/true-kde-bias", always(), cite="Parzen 1962")
def kde_bias(forall):
    """|E f_h(x) - f(x)| <= h^2/2 sup|f''| for normal data and a normal kernel."""
    x, h = forall.interval("x", -5.0, 5.0), forall.interval("h", 0.0, 3.0)
    return (density(x, 1 + h**2) - density(x, torch.ones_like(h))).abs(), h**2 / 2 / math.sqrt(2 * math.pi)


@claim("robust/plain-kde-bias-quarter", always(), expected="refuted", cite="Parzen 1962")
def kde_bias_quarter(forall):
    """|E f_h(x) - f(x)| <= h^2/4 sup|f''| for normal data and a normal kernel."""
    x, h = forall.interval("x", -5.0, 5.0), forall.interval("h", 0.0, 3.0)
    return (density(x, 1 + h**2) - density(x, torch.ones_like(h))).abs(), h**2 / 4 / math.sqrt(2 * math.pi)


@claim("robust/true-histogram-l1", expectation(range=(-1.0, 2.0)), cite="Devroye and Gyorfi 1985")
def histogram_l1(forall, draw):
    """E |p_hat - p|_1 <= sqrt((k - 1) / n) for k = 4 bins and n = 6 observations."""
    p = forall.simplex("p", 4)
    return (draw.multinomial("c", 6, p) / 6 - p).abs().sum(-1), math.sqrt(3 / 6)


@claim("robust/true-isotonic-contraction", always(), cite="Robertson, Wright and Dykstra 1988")
def isotonic_contraction(forall):
    """Isotonic regression is a contraction."""
    y, z = forall.interval("y", -2.0, 2.0, 5), forall.interval("z", -2.0, 2.0, 5)
    return (isotonic(y) - isotonic(z)).norm(dim=-1), (y - z).norm(dim=-1)


@claim("robust/plain-isotonic-linear", identity(), expected="refuted", cite="Robertson, Wright and Dykstra 1988")
def isotonic_linear(forall):
    """The isotonic regression of a sum is the sum of the isotonic regressions."""
    y, z = forall.interval("y", -2.0, 2.0, 4), forall.interval("z", -2.0, 2.0, 4)
    return isotonic(y + z)[:, 0], isotonic(y)[:, 0] + isotonic(z)[:, 0]


@claim("robust/true-cover-hart", always(), cite="Cover and Hart 1967")
def cover_hart(forall):
    """E 2 eta (1 - eta) <= 2 R (1 - R), R = E min(eta, 1 - eta)."""
    eta, w = forall.interval("eta", 0.0, 1.0, 4), forall.simplex("w", 4)
    bayes = (w * torch.minimum(eta, 1 - eta)).sum(-1)
    return (w * 2 * eta * (1 - eta)).sum(-1), 2 * bayes * (1 - bayes)


@claim("robust/plain-cover-hart-three-halves", always(), expected="refuted", cite="Cover and Hart 1967")
def cover_hart_three_halves(forall):
    """E 2 eta (1 - eta) <= 1.5 E min(eta, 1 - eta)."""
    eta, w = forall.interval("eta", 0.0, 1.0, 4), forall.simplex("w", 4)
    return (w * 2 * eta * (1 - eta)).sum(-1), 1.5 * (w * torch.minimum(eta, 1 - eta)).sum(-1)


@claim("robust/true-three-neighbours", always(), cite="Cover and Hart 1967")
def three_neighbours_better(forall):
    """Three neighbours err no more often than one, asymptotically."""
    p = forall.interval("p", 0.0, 1.0)
    return three_neighbours(p), 2 * p * (1 - p)


@claim("robust/plain-hill-shift-invariant", identity(), expected="refuted", cite="Hill 1975")
def hill_shift_invariant(forall):
    """Hill's estimate does not change with the location."""
    x, c = forall.interval("x", 0.1, 10.0, 6), forall.interval("c", 0.0, 10.0)
    return hill(c[:, None] + x, 3), hill(x, 3)


@claim("robust/true-hill-unbiased", expectation(range=(-1.0, math.inf), margin=0.02), cite="Hill 1975")
def hill_unbiased(forall, draw):
    """E of Hill's estimate of an exact Pareto sample is 1/alpha."""
    a = forall.interval("a", 1.0, 4.0)
    x = draw.uniform("u", 12) ** (-1 / a[:, None])
    return hill(x, 5), 1 / a


@claim("robust/true-truncation-bias", always(), cite="Bubeck, Cesa-Bianchi and Lugosi 2013")
def truncation_bias(forall):
    """E (X - B)_+ <= E X^2 / (4 B) for X >= 0."""
    law, b = forall.law("P", atoms=3), forall.interval("B", 0.05, 1.0)
    return law.expect(lambda x: (x - b[:, None]).clamp_min(0)), law.expect(lambda x: x**2) / (4 * b)


@claim("robust/subtle-truncation-bias", always(), expected="refuted", cite="Bubeck, Cesa-Bianchi and Lugosi 2013")
def truncation_bias_wrong(forall):
    """E (X - B)_+ <= E X^2 / (4.02 B) for X >= 0."""
    law, b = forall.law("P", atoms=3), forall.interval("B", 0.05, 1.0)
    return law.expect(lambda x: (x - b[:, None]).clamp_min(0)), law.expect(lambda x: x**2) / (4.02 * b)


@claim("robust/true-quantile-mean", always(), over=grid(level=[0.1, 0.3, 0.5]), cite="Cantelli 1928")
def quantile_mean(forall, *, level):
    """|q - mean| <= sd sqrt((1 - level) / level) for levels up to 1/2."""
    law = forall.law("P", atoms=3)
    return (law.quantile(level) - law.mean).abs(), (law.variance * (1 - level) / level).sqrt()


@claim("robust/subtle-quantile-mean", always(), expected="refuted", cite="Cantelli 1928")
def median_mean_close(forall):
    """|median - mean| <= 0.99 sd."""
    law = forall.law("P", atoms=3)
    return (law.quantile(0.5) - law.mean).abs(), 0.99 * law.variance.sqrt()


@claim("robust/true-contaminated-median", always(), cite="Huber 1964")
def contaminated_median(forall):
    """The median of (1-e) N(0,1) + e N(m,s^2) is at most the quantile of N(0,1) of level 1/(2(1-e))."""
    e, m = forall.interval("e", 0.0, 0.4), forall.interval("m", 0.0, 50.0)
    s = forall.interval("s", 0.1, 5.0)
    b = torch.special.ndtri(1 / (2 * (1 - e)))
    return 0.5, (1 - e) * torch.special.ndtr(b) + e * torch.special.ndtr((b - m) / s)


@claim("robust/true-middle-of-five-uniform", expectation(range=(-1.0, 1.0), margin=0.003), cite="David 1981")
def middle_of_five(draw):
    """E (U_(3) - 1/2)^2 = 1/28 for five uniform numbers."""
    return (draw.uniform("u", 5).median(-1).values - 0.5) ** 2, 1 / 28


PROOFS = {
    "robust/true-kde-bias": (
        "Taylor's theorem with the second derivative, which is largest at 0; the kernel has variance h^2."
    ),
    "robust/true-histogram-l1": (
        "E |p_hat - p| <= sum sqrt(p (1 - p) / n) <= sqrt((k - 1) / n) by Cauchy and Schwarz."
    ),
    "robust/true-isotonic-contraction": ("It is the projection onto a convex cone."),
    "robust/true-cover-hart": ("Jensen for the concave r (1 - r)."),
    "robust/true-three-neighbours": ("The error is p (1 - p) + 4 p^2 (1 - p)^2, and 4 p (1 - p) <= 1."),
    "robust/true-hill-unbiased": ("Normalised spacings of exponential numbers are exponential (Renyi)."),
    "robust/true-truncation-bias": ("(x - B)_+ <= x^2 / (4 B), since (x - 2 B)^2 >= 0."),
    "robust/true-quantile-mean": ("Cantelli's inequality on either side."),
    "robust/true-contaminated-median": ("(1 - e) Phi(b) = 1/2, and the rest is not negative."),
    "robust/true-middle-of-five-uniform": ("Beta(3, 3) has the variance 1/28."),
}

WITNESSES = {
    "robust/plain-sign-test-zeros-count": {
        "params": {},
        "values": {"P atoms": [0.0, 0.0, 0.0], "P weights": [1.0, 0.0, 0.0]},
        "probability": 1.0,
        "why": "a law on zero",
    },
    "robust/plain-kde-bias-quarter": {"params": {}, "values": {"x": 0.0, "h": 1.0}, "why": ".117 against .0997"},
    "robust/plain-isotonic-linear": {
        "params": {},
        "values": {"y": [0.0, 0.0, 0.0, -1.0], "z": [0.0, 0.0, 1.0, 0.0]},
        "why": "0 against -1/4",
    },
    "robust/plain-cover-hart-three-halves": {
        "params": {},
        "values": {"eta": [0.1] * 4, "w": [1.0, 0.0, 0.0, 0.0]},
        "why": ".18 against .15",
    },
    "robust/plain-hill-shift-invariant": {
        "params": {},
        "values": {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "c": 10.0},
        "why": "logarithms of shifted numbers",
    },
    "robust/subtle-truncation-bias": {
        "params": {},
        "values": {"P atoms": [0.0, 0.0, 0.1], "P weights": [0.0, 0.0, 1.0], "B": 0.05},
        "why": "equality with 4 at x = 2 B",
    },
    "robust/subtle-quantile-mean": {
        "params": {},
        "values": {"P atoms": [0.0, 1.0, 0.0], "P weights": [0.5, 0.5, 0.0]},
        "why": "a fair coin",
    },
}
