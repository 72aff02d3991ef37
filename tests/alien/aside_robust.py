"""Alien claims, aside: robust and nonparametric statistics, heavy tails; see README.md."""

import math

import torch

from harness import always, claim, every, grid, high_probability, identity, rate, tail, up_to_constant


def median(x):
    return x.median(-1).values


def mad(x):
    return median((x - median(x)[..., None]).abs())


def walsh_median(x):
    i, j = torch.triu_indices(x.shape[-1], x.shape[-1])
    return median((x[..., i] + x[..., j]) / 2)


def isotonic(y):
    n = y.shape[-1]
    columns = []
    for i in range(n):
        rows = []
        for s in range(i + 1):
            rows.append(torch.stack([y[:, s : t + 1].mean(-1) for t in range(i, n)], -1).amin(-1))
        columns.append(torch.stack(rows, -1).amax(-1))
    return torch.stack(columns, -1)


def isotonic_dual(y):
    n = y.shape[-1]
    columns = []
    for i in range(n):
        rows = []
        for t in range(i, n):
            rows.append(torch.stack([y[:, s : t + 1].mean(-1) for s in range(i + 1)], -1).amax(-1))
        columns.append(torch.stack(rows, -1).amin(-1))
    return torch.stack(columns, -1)


def inversions(p):
    i, j = torch.triu_indices(p.shape[-1], p.shape[-1], 1)
    return (p[:, i] > p[:, j]).double().sum(-1)


def hill(x, k):
    top = x.log().sort(-1, descending=True).values
    return top[..., :k].mean(-1) - top[..., k]


def three_neighbours(p):
    few = (1 - p) ** 3 + 3 * p * (1 - p) ** 2
    return p * few + (1 - p) * (1 - few)


@claim("robust/true-median-equivariant", identity(), cite="Rousseeuw and Leroy 1987")
def median_equivariant(forall):
    """med(a x + b) = a med(x) + b for an odd number of observations, a of any sign."""
    x = forall.interval("x", -10.0, 10.0, 7)
    a, b = forall.interval("a", -3.0, 3.0), forall.interval("b", -3.0, 3.0)
    return median(a[:, None] * x + b[:, None]), a * median(x) + b


@claim("robust/true-dkw-one-sided", high_probability("delta"), over=grid(n=[15], delta=[0.1]), cite="Massart 1990")
def dkw_one_sided(draw, within, *, n, delta):
    """sup_t F_n(t) - t <= sqrt(log(1/delta) / (2 n)) for delta <= 1/2 (Massart)."""
    x, t = draw.uniform("x", n), within.interval("t", 0.0, 1.0)
    return (x <= t[:, None]).double().mean(-1) - t, math.sqrt(math.log(1 / delta) / (2 * n))


@claim("robust/true-huber-by-excess", identity(), cite="Huber 1964")
def huber_by_excess(forall):
    """rho_k(x) = x^2/2 - (|x| - k)_+^2 / 2."""
    x, k = forall.interval("x", -20.0, 20.0), forall.interval("k", 0.0, 5.0)
    loss = torch.where(x.abs() <= k, x**2 / 2, k * x.abs() - k**2 / 2)
    return loss, x**2 / 2 - (x.abs() - k).clamp_min(0) ** 2 / 2


@claim("robust/subtle-catoni-influence", always(), expected="refuted", cite="Catoni 2012")
def catoni_influence_narrow(forall):
    """-log(1 - x + x^2/2.1) <= log(1 + x + x^2/2.1)."""
    x = forall.interval("x", 0.0, 10.0)
    return -(1 - x + x**2 / 2.1).log(), (1 + x + x**2 / 2.1).log()


@claim("robust/true-catoni-deviation", high_probability("delta"), over=grid(n=[20], delta=[0.1]), cite="Catoni 2012")
def catoni_deviation(forall, draw, *, n, delta):
    """Mean of psi(a X) / a <= mu + a E X^2 / 2 + log(1/delta) / (n a)."""
    law = forall.gaussian_mixture("P", 2)
    second = law.variance + law.mean**2
    a = (2 * math.log(1 / delta) / (n * second)).sqrt()
    y = a[:, None] * draw.law("x", law, n)
    psi = y.sign() * (1 + y.abs() + y**2 / 2).log()
    return psi.mean(-1) / a, law.mean + a * second / 2 + math.log(1 / delta) / (n * a)


@claim("robust/true-hodges-lehmann-breakdown", always(), cite="Hodges 1967")
def hodges_lehmann_breakdown(forall):
    """The median of Walsh averages survives two bad numbers of seven."""
    x, bad = forall.interval("x", -1.0, 1.0, 5), forall.interval("bad", -100.0, 100.0, 2)
    return walsh_median(torch.cat([x, bad], -1)).abs(), x.abs().amax(-1)


@claim(
    "robust/subtle-wilcoxon-table",
    tail(),
    over=grid(n=[5, 6, 7, 8, 9]),
    expected="refuted",
    cite="Wilcoxon 1945, Table I",
)
def wilcoxon_table_wrong(draw, *, n):
    """P(signed rank sum <= critical value) <= .05 with the critical values 0, 2, 3, 5, 9."""
    positive = draw.signs("e", n) > 0
    critical = [0, 2, 3, 5, 9][n - 5]
    return (positive * torch.arange(1, n + 1)).sum(-1) <= critical, 0.05


@claim("robust/true-mann-whitney-midranks", identity(), cite="Mann and Whitney 1947")
def mann_whitney_midranks(forall):
    """The midrank sum of the first sample is U + n (n + 1) / 2, with ties."""
    x, y = forall.integers("x", 0, 4, 4), forall.integers("y", 0, 4, 3)
    pooled = torch.cat([x, y], -1)
    less = (pooled[:, None, :] < x[:, :, None]).double().sum(-1)
    equal = (pooled[:, None, :] == x[:, :, None]).double().sum(-1)
    u = (x[:, :, None] > y[:, None, :]).double() + 0.5 * (x[:, :, None] == y[:, None, :]).double()
    return (less + (equal + 1) / 2).sum(-1), u.sum((-1, -2)) + 10.0


@claim("robust/true-kde-rate", rate("n", -0.8), over=grid(n=[50, 100, 200, 400, 800, 1600]), cite="Parzen 1962")
def kde_rate(draw, *, n):
    """The squared error at 0 of a kernel estimate with h = n^(-1/5) is of order n^(-4/5)."""
    h = n ** (-0.2)
    x = draw.normal("x", n)
    estimate = (-((x / h) ** 2) / 2).exp().mean(-1) / (h * math.sqrt(2 * math.pi))
    return (estimate - 1 / math.sqrt(2 * math.pi)) ** 2


@claim(
    "robust/plain-kde-rate-parametric",
    rate("n", -1.0),
    over=grid(n=[50, 100, 200, 400, 800, 1600, 3200]),
    expected="refuted",
    cite="Parzen 1962",
)
def kde_rate_parametric(draw, *, n):
    """The squared error at 0 of a kernel estimate with h = n^(-1/5) is of order 1/n."""
    h = n ** (-0.2)
    x = draw.normal("x", n)
    estimate = (-((x / h) ** 2) / 2).exp().mean(-1) / (h * math.sqrt(2 * math.pi))
    return (estimate - 1 / math.sqrt(2 * math.pi)) ** 2


@claim("robust/true-isotonic-min-max", identity(), cite="Barlow, Bartholomew, Bremner and Brunk 1972")
def isotonic_min_max(forall):
    """max over s of min over t of means is min over t of max over s."""
    y = forall.interval("y", -2.0, 2.0, 5)
    i = forall.simplex("w", 5)
    return (i * isotonic(y)).sum(-1), (i * isotonic_dual(y)).sum(-1)


@claim("robust/subtle-three-neighbours-constant", always(), expected="refuted", cite="Cover and Hart 1967")
def three_neighbours_constant(forall):
    """Three neighbours err at most 1.31 times as often as Bayes' rule, asymptotically."""
    p = forall.interval("p", 0.0, 1.0)
    return three_neighbours(p), 1.31 * torch.minimum(p, 1 - p)


@claim("robust/true-hill-scale-invariant", identity(), cite="Hill 1975")
def hill_scale_invariant(forall):
    """Hill's estimate does not change with the scale."""
    x, c = forall.interval("x", 0.1, 10.0, 6), forall.interval("c", 0.1, 10.0)
    return hill(c[:, None] * x, 3), hill(x, 3)


@claim("robust/true-mad-below-two-sd", always(), cite="Hampel 1974")
def mad_below_two_sd(forall):
    """MAD <= 2 sd."""
    x = forall.interval("x", -10.0, 10.0, 5)
    return mad(x), 2 * x.std(-1, correction=0)


@claim("robust/plain-mad-below-sd", always(), expected="refuted", cite="Hampel 1974")
def mad_below_sd(forall):
    """MAD <= sd."""
    x = forall.interval("x", -10.0, 10.0, 5)
    return mad(x), x.std(-1, correction=0)


@claim("robust/true-weiszfeld-descends", always(), cite="Weiszfeld 1937")
def weiszfeld_descends(forall):
    """A step of Weiszfeld's algorithm does not increase the sum of distances."""
    x, y = forall.ball("x", 4, 2), forall.ball("y", 2)
    distance = (x - y[:, None]).norm(dim=-1)
    w = 1 / distance
    z = (w[..., None] * x).sum(1) / w.sum(-1, keepdim=True)
    return (x - z[:, None]).norm(dim=-1).sum(-1), distance.sum(-1)


@claim("robust/true-biweight-bounded", always(), cite="Beaton and Tukey 1974")
def biweight_bounded(forall):
    """|psi_c| <= 16 c / (25 sqrt 5) for Tukey's biweight."""
    x, c = forall.interval("x", -10.0, 10.0), forall.interval("c", 0.5, 5.0)
    psi = torch.where(x.abs() <= c, x * (1 - (x / c) ** 2) ** 2, 0.0)
    return psi.abs(), 16 * c / (25 * math.sqrt(5))


@claim("robust/subtle-biweight-bounded", always(), expected="refuted", cite="Beaton and Tukey 1974")
def biweight_bounded_wrong(forall):
    """|psi_c| <= 0.286 c for Tukey's biweight."""
    x, c = forall.interval("x", -10.0, 10.0), forall.interval("c", 0.5, 5.0)
    psi = torch.where(x.abs() <= c, x * (1 - (x / c) ** 2) ** 2, 0.0)
    return psi.abs(), 0.286 * c


@claim("robust/true-footrule", always(), over=grid(n=[6]), cite="Diaconis and Graham 1977")
def footrule(forall, *, n):
    """Inversions <= footrule, footrule <= 2 inversions, added up with weights 1 and 1."""
    p = forall.permutation("p", n)
    d, i = (p - torch.arange(n)).abs().double().sum(-1), inversions(p)
    return torch.maximum(i - d, d - 2 * i), 0.0


@claim("robust/true-von-bahr-esseen", always(), over=grid(p=[1.2, 1.5]), cite="von Bahr and Esseen 1965")
def von_bahr_esseen(forall, *, p):
    """E |S_n|^p <= 2 n E |X|^p for centred X and n = 4."""
    law = forall.law("P", atoms=2)
    values, chances = every.samples(law, 4)
    s = (values - law.mean[:, None, None]).sum(-1).abs() ** p
    return (chances * s).sum(-1), 8 * law.expect(lambda x: (x - law.mean[:, None]).abs() ** p)


@claim(
    "robust/plain-mean-subgaussian",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.01]),
    expected="refuted",
    cite="Catoni 2012",
)
def mean_subgaussian(forall, draw, *, n, delta):
    """|mean - mu| <= sigma sqrt(2 log(2/delta) / n) for any law with a variance."""
    law = forall.law("P", atoms=2)
    return (draw.law("x", law, n).mean(-1) - law.mean).abs(), (law.variance * 2 * math.log(2 / delta) / n).sqrt()


@claim("robust/subtle-grubbs", always(), over=grid(n=[30]), expected="refuted", cite="Grubbs 1950")
def grubbs_wrong(forall, *, n):
    """max - mean <= 0.99 s (n - 1) / sqrt(n)."""
    x = forall.interval("x", -10.0, 10.0, n)
    return x.amax(-1) - x.mean(-1), 0.99 * x.std(-1) * (n - 1) / math.sqrt(n)


@claim("robust/true-lower-upper-quantile", identity(), cite="Hyndman and Fan 1996")
def reflected_quantile(forall):
    """The 0.3-quantile of -x is minus the 0.7-quantile of x, interpolated."""
    x = forall.interval("x", -5.0, 5.0, 6)
    return torch.quantile(-x, 0.3, dim=-1), -torch.quantile(x, 0.7, dim=-1)


@claim(
    "robust/subtle-weak-norm",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024]),
    expected="refuted",
    cite="Lorentz 1950",
)
def weak_norm_without_logarithm(forall, *, n):
    """|x|_1 <= C max_k k x_(k)."""
    x = forall.ball("x", n).abs()
    weak = (x.sort(-1, descending=True).values * torch.arange(1, n + 1)).amax(-1)
    return x.sum(-1), weak


PROOFS = {
    "robust/true-median-equivariant": (
        "The middle of an odd number of points stays in the middle, also when the order is reversed."
    ),
    "robust/true-dkw-one-sided": (
        "Massart's one-sided inequality, for delta up to 1/2; for n = 15 by Smirnov's exact law."
    ),
    "robust/true-huber-by-excess": ("x^2/2 - (|x| - k)^2/2 = k |x| - k^2/2 for |x| > k."),
    "robust/true-catoni-deviation": ("psi(y) <= log(1 + y + y^2/2); Markov's inequality for exp(sum psi)."),
    "robust/true-hodges-lehmann-breakdown": (
        "Five good points make 15 of 28 averages, so that the fourteenth in order is between good ones."
    ),
    "robust/true-mann-whitney-midranks": (
        "A midrank counts those below and half of the equal ones; within the sample these add up to n (n + 1) / 2."
    ),
    "robust/true-kde-rate": ("Squared bias at most h^4 f(0)^2 / 4, variance at most 1 / (2 pi sqrt(2) n h)."),
    "robust/true-isotonic-min-max": ("Both are the isotonic regression."),
    "robust/true-hill-scale-invariant": ("log c cancels."),
    "robust/true-mad-below-two-sd": (
        "Half of the mean of |x - med| is at least MAD / 2, and it is the least mean deviation."
    ),
    "robust/true-weiszfeld-descends": ("Each step minimises a quadratic majorant."),
    "robust/true-biweight-bounded": ("The maximum is at x = c / sqrt(5)."),
    "robust/true-footrule": ("Enumerated for n = 6."),
    "robust/true-von-bahr-esseen": ("Theorem 2 of the paper, for 1 <= p <= 2."),
    "robust/true-lower-upper-quantile": ("Order statistics are reversed, and so are the places 1.5 and 3.5."),
}

WITNESSES = {
    "robust/subtle-catoni-influence": {
        "params": {},
        "values": {"x": 0.3},
        "why": "(1 + a x^2)^2 - x^2 < 1 for a < 1/2 and small x",
    },
    "robust/subtle-wilcoxon-table": {
        "params": {"n": 9},
        "values": {},
        "probability": 33 / 512,
        "why": "33 of 512 subsets of 1 ... 9",
    },
    "robust/plain-kde-rate-parametric": {
        "params": {},
        "values": {},
        "exponent": -0.74958144600822,
        "why": "n^(-4/5) in the limit",
    },
    "robust/subtle-three-neighbours-constant": {"params": {}, "values": {"p": 0.2}, "why": "1.312, and 1.3156 at most"},
    "robust/plain-mad-below-sd": {
        "params": {},
        "values": {"x": [-1.0, -1.0, 0.0, 1.0, 1.0]},
        "why": "1 against sqrt(.8)",
    },
    "robust/subtle-biweight-bounded": {
        "params": {},
        "values": {"x": 2.236, "c": 5.0},
        "why": "16 / (25 sqrt 5) = .28622",
    },
    "robust/plain-mean-subgaussian": {
        "params": {"n": 20, "delta": 0.01},
        "values": {"P atoms": [0.0, 1.0], "P weights": [0.999, 0.001]},
        "probability": 1.0 - 0.999**20,
        "why": "a rare atom",
    },
    "robust/subtle-grubbs": {
        "params": {"n": 30},
        "values": {"x": [1.0] + [0.0] * 29},
        "why": "equality without .99 at a single outlier",
    },
    "robust/subtle-weak-norm": {
        "params": [{"n": n} for n in (4, 16, 64, 256, 1024)],
        "values": [{"x": [0.5 / k for k in range(1, n + 1)]} for n in (4, 16, 64, 256, 1024)],
        "why": "harmonic numbers",
    },
}
