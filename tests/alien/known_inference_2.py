"""Alien claims, known: variances, rates, information, chains, classics; see README.md."""

import itertools
import math

import torch

from harness import Estimate, Row, always, claim, every, expectation, grid, rate, reproduction, up_to_constant


@claim("inference/true-efron-stein", always(), cite="Efron and Stein 1981")
def efron_stein(forall):
    """Var max(X1, X2, X3) <= 1/2 sum E (Z - Z_i)^2."""
    law = forall.law("P", atoms=3)
    x, chance = every.samples(law, 4)
    z, other = x[:, :, :3].amax(-1), x[:, :, 1:].amax(-1)
    mean = (chance * z).sum(-1)
    return (chance * z**2).sum(-1) - mean**2, 1.5 * (chance * (z - other) ** 2).sum(-1)


@claim("inference/true-u-statistic", always(), cite="Hoeffding 1948")
def u_statistic(forall):
    """Var of Gini's mean difference of four draws <= (2/4) Var |X - Y|."""
    law = forall.law("P", atoms=3)
    x, chance = every.samples(law, 4)
    u = sum((x[:, :, i] - x[:, :, j]).abs() for i, j in itertools.combinations(range(4), 2)) / 6
    y, weight = every.samples(law, 2)
    h = (y[:, :, 0] - y[:, :, 1]).abs()
    var = lambda w, v: (w * v**2).sum(-1) - (w * v).sum(-1) ** 2  # noqa: E731
    return var(chance, u), var(weight, h) / 2


@claim(
    "inference/true-hilbert",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    cite="Hardy, Littlewood and Polya 1934, 9.1",
)
def hilbert(forall, *, n):
    """sum a_i b_j / (i + j) <= C |a| |b|."""
    a, b = forall.sphere("a", n), forall.sphere("b", n)
    i = torch.arange(1, n + 1, dtype=torch.float64)
    return (a @ (1 / (i[:, None] + i)) * b).sum(-1), a.norm(dim=-1) * b.norm(dim=-1)


@claim("inference/true-birthday", reproduction(tolerance=0.01), cite="any textbook")
def birthday(draw):
    """Of 23 people two share a birthday with probability .507."""
    days = draw.categorical("days", torch.full((1, 365), 1 / 365, dtype=torch.float64), 500, 23)
    hit = (days.sort(-1).values.diff(dim=-1) == 0).any(-1)
    return [Row("23 people", Estimate.share(int(hit.sum()), hit.numel()), printed=0.507)]


@claim("inference/true-renyi", always(), cite="van Erven and Harremoes 2014, Theorem 3")
def renyi(forall):
    """D_a(p, q) <= D_b(p, q) for 1 < a <= b."""
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    a, more = forall.interval("a", 1.01, 3.0), forall.interval("more", 0.0, 3.0)

    def d(order):
        return (p ** order[:, None] * q ** (1 - order[:, None])).sum(-1).log() / (order - 1)

    return d(a), d(a + more)


@claim("inference/true-fano", always(), over=grid(k=[3]), cite="Fano 1952")
def fano(forall, *, k):
    """H(X | Y) <= h(e) + e log(k - 1), e the error of the best guess."""
    p = forall.simplex("p", k * k).reshape(-1, k, k)
    h = torch.special.entr
    e = 1 - p.amax(1).sum(-1)
    return h(p).sum((-1, -2)) - h(p.sum(1)).sum(-1), h(e) + h(1 - e) + e * math.log(k - 1)


@claim("inference/true-kraft", always(), over=grid(k=[5]), cite="Kraft 1949")
def kraft(forall, *, k):
    """Shannon's code lengths satisfy Kraft's inequality."""
    p = forall.simplex("p", k)
    return (2.0 ** -torch.ceil(-torch.log2(p))).sum(-1), 1.0


@claim(
    "inference/true-sudakov-fernique",
    expectation(range=(-math.inf, math.inf)),
    over=grid(k=[4], d=[3]),
    cite="Fernique 1975",
)
def sudakov_fernique(forall, draw, *, k, d):
    """E max_i <g, sin(t_i)> <= E max_i <g, t_i>."""
    t, g = forall.interval("t", -2.0, 2.0, k, d), draw.normal("g", d)[:, None, :]
    return (t.sin() * g).sum(-1).amax(-1), (t * g).sum(-1).amax(-1)


@claim("inference/true-cheeger", always(), cite="Jerrum and Sinclair 1988; Lawler and Sokal 1988")
def cheeger(forall):
    """phi^2 / 2 <= spectral gap of the Metropolis chain with uniform proposals on four states."""
    pi = forall.simplex("pi", 4)
    flow = torch.minimum(pi[:, :, None], pi[:, None, :]) / 3 * (1 - torch.eye(4))
    root = pi.sqrt()
    s = flow / (root[:, :, None] * root[:, None, :]) + torch.diag_embed(1 - flow.sum(-1) / pi)
    gap = 1 - torch.linalg.eigvalsh(s)[:, -2]
    phi = math.inf
    for size in (1, 2):
        for a in itertools.combinations(range(4), size):
            rest = [i for i in range(4) if i not in a]
            mass = pi[:, list(a)].sum(-1)
            cut = flow[:, list(a)][:, :, rest].sum((-1, -2)) / torch.minimum(mass, 1 - mass)
            phi = cut if isinstance(phi, float) else torch.minimum(phi, cut)
    return phi**2 / 2, gap


@claim(
    "inference/true-particle-filter",
    expectation(range=(-1.0, 1.0), margin=0.01),
    over=grid(size=[3]),
    cite="Del Moral 2004",
)
def particle_filter(forall, draw, *, size):
    """The likelihood estimate of the bootstrap filter is unbiased: two steps, two states."""
    start, move = forall.interval("start", 0.0, 1.0), forall.interval("move", 0.0, 1.0, 2)
    g, h = forall.interval("g", 0.1, 1.0, 2), forall.interval("h", 0.1, 1.0, 2)
    x = draw.bernoulli("x", start, size)
    w = torch.where(x > 0, g[:, 1:], g[:, :1])
    parents = x.gather(-1, draw.categorical("a", w / w.sum(-1, keepdim=True), size).long())
    y = draw.bernoulli("y", torch.where(parents > 0, move[:, 1:], move[:, :1]), size)
    estimate = w.mean(-1) * torch.where(y > 0, h[:, 1:], h[:, :1]).mean(-1)
    prior = torch.stack([1 - start, start], -1)
    truth = (prior * g * (move * h[:, 1:] + (1 - move) * h[:, :1])).sum(-1)
    return estimate, truth


@claim("inference/true-carleman", always(), over=grid(n=[12]), cite="Carleman 1922")
def carleman(forall, *, n):
    """sum (a_1 ... a_k)^(1/k) <= e sum a_k."""
    a = forall.interval("a", 0.0, 1.0, n)
    return (a.cumprod(-1) ** (1 / torch.arange(1, n + 1))).sum(-1), math.e * a.sum(-1)


@claim("inference/true-wirtinger", always(), over=grid(n=[7]), cite="Fan, Taussky and Todd 1955")
def wirtinger(forall, *, n):
    """4 sin(pi/n)^2 sum x^2 <= sum (x_(k+1) - x_k)^2 on a cycle for mean zero."""
    x = forall.ball("x", n)
    x = x - x.mean(-1, keepdim=True)
    return 4 * math.sin(math.pi / n) ** 2 * x.square().sum(-1), (x - x.roll(1, -1)).square().sum(-1)


def kl(p, q):
    return p * torch.log(p / q) + (1 - p) * torch.log((1 - p) / (1 - q))


@claim("inference/subtle-sdpi", always(), expected="refuted", cite="Ahlswede and Gacs 1976, with 0.99 for 1")
def subtle_sdpi(forall):
    """KL through a binary symmetric channel contracts by .99 (1 - 2 a)^2."""
    p, q, a = forall.interval("p", 0.01, 0.99), forall.interval("q", 0.01, 0.99), forall.interval("a", 0.1, 0.4)
    out = lambda r: a + (1 - 2 * a) * r  # noqa: E731
    return kl(out(p), out(q)), 0.99 * (1 - 2 * a) ** 2 * kl(p, q)


@claim("inference/subtle-log-sobolev", always(), expected="refuted", cite="Gross 1975, with 0.99 for 1")
def subtle_log_sobolev(forall):
    """Ent(f^2) <= .99/2 sum_i E (f(x) - f(x with bit i flipped))^2 on {0, 1}^2."""
    f = forall.interval("f", -1.0, 1.0, 2, 2)
    s = f**2
    m = s.mean((-1, -2))
    ent = torch.xlogy(s, s).mean((-1, -2)) - torch.xlogy(m, m)
    return ent, 0.99 * (f.diff(dim=1).square().sum((-1, -2)) + f.diff(dim=2).square().sum((-1, -2))) / 4


HARDY = 2.41


@claim(
    "inference/subtle-hardy",
    always(),
    expected="refuted",
    over=grid(n=[40]),
    cite="Hardy 1920, with a constant for n = 40",
)
def subtle_hardy(forall, *, n):
    """sum (running mean)^2 <= 2.41 sum a^2 for n = 40 numbers (4 for infinitely many)."""
    a = forall.sphere("a", n)
    return (a.cumsum(-1) / torch.arange(1, n + 1)).square().sum(-1), HARDY * a.square().sum(-1)


@claim(
    "inference/subtle-max-spacing",
    rate("n", -1.0),
    expected="refuted",
    over=grid(n=[16, 64, 256, 1024, 4096]),
    cite="Pyke 1965, with a forgotten logarithm",
)
def max_spacing(draw, *, n):
    """The largest gap between n uniform points is of order 1/n."""
    return draw.uniform("x", n).sort(-1).values.diff(dim=-1).amax(-1)


@claim(
    "inference/plain-birthday", reproduction(tolerance=0.005), expected="refuted", cite="any textbook, with 22 for 23"
)
def plain_birthday(draw):
    """Of 22 people two share a birthday with probability .507."""
    days = draw.categorical("days", torch.full((1, 365), 1 / 365, dtype=torch.float64), 500, 22)
    hit = (days.sort(-1).values.diff(dim=-1) == 0).any(-1)
    return [Row("22 people", Estimate.share(int(hit.sum()), hit.numel()), printed=0.507)]


PROOFS = {
    "inference/true-efron-stein": ("Efron and Stein 1981; by symmetry the three terms are equal."),
    "inference/true-u-statistic": "Hoeffding 1948: Var U_n <= (m/n) zeta_m.",
    "inference/true-hilbert": "Hilbert's inequality with C = pi.",
    "inference/true-birthday": "1 - 365!/(342! 365^23) = .5073",
    "inference/true-renyi": "van Erven and Harremoes 2014, Theorem 3.",
    "inference/true-fano": "Fano 1952.",
    "inference/true-kraft": "2^-ceil(-log2 p) <= p.",
    "inference/true-sudakov-fernique": ("Sudakov-Fernique: |sin s - sin t| <= |s - t| coordinatewise."),
    "inference/true-cheeger": "Jerrum and Sinclair 1988, Lawler and Sokal 1988.",
    "inference/true-particle-filter": "Del Moral 2004: unbiased normalising constants.",
    "inference/true-carleman": "Carleman 1922.",
    "inference/true-wirtinger": "Spectrum of the cycle (Fan, Taussky, Todd 1955).",
}

WITNESSES = {
    "inference/subtle-sdpi": {
        "params": {},
        "values": {"p": 0.5, "q": 0.51, "a": 0.25},
        "why": "the ratio is 0.9999 > 0.99.",
    },
    "inference/subtle-log-sobolev": {
        "params": {},
        "values": {"f": [[1.0, 1.0], [0.9, 0.9]]},
        "why": "f = 1 on x_1 = 0 and 0.9 on x_1 = 1: the ratio is 0.999.",
    },
    "inference/subtle-hardy": {
        "params": {"n": 40},
        "values": {
            "a": [
                c / 19555**0.5
                for c in (
                    100,
                    59,
                    43,
                    33,
                    27,
                    23,
                    20,
                    17,
                    15,
                    13,
                    12,
                    11,
                    10,
                    9,
                    8,
                    7,
                    7,
                    6,
                    5,
                    5,
                    4,
                    4,
                    4,
                    3,
                    3,
                    3,
                    2,
                    2,
                    2,
                    2,
                    2,
                    1,
                    1,
                    1,
                    1,
                    1,
                    1,
                    0,
                    0,
                    0,
                )
            ]
        },
        "why": "close to the top right singular vector of the Cesaro matrix: 2.4314 > 2.41.",
    },
    "inference/subtle-max-spacing": {
        "params": {},
        "values": {},
        "exponent": -0.892,
        "why": "the mean is H_(n-1) / (n + 1), about log n / n.",
    },
    "inference/plain-birthday": {
        "params": {},
        "values": {},
        "row": "22 people",
        "ours": 0.4756953076625501,
        "why": "the probability is 0.4757.",
    },
}
