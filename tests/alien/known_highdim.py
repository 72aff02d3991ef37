"""Alien claims, known: maxima, norms, the cube, processes, rates; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    expected_value,
    grid,
    high_probability,
    rate,
    reproduction,
    tail,
)


def characters(n, like):
    signs = every.signs(n, like=like)
    subsets = (every.signs(n, like=like) + 1.0) / 2.0
    return torch.where(subsets[:, None, :] > 0.5, signs[None, :, :], 1.0).prod(-1), subsets.sum(-1)


@claim("highdim/true-max-signs", expectation(range=(-5.0, 3.0)), cite="Boucheron, Lugosi and Massart 2013, Theorem 2.5")
def max_signs(forall, draw):
    """E max_j <x_j, e> <= sqrt(2 log 4) for four points of the unit ball and random signs e."""
    x, e = forall.ball("x", 4, 6), draw.signs("e", 6)
    return (x * e[:, None, :]).sum(-1).amax(-1), math.sqrt(2.0 * math.log(4.0))


@claim("highdim/true-hoeffding-sphere", tail(), cite="Hoeffding 1963")
def hoeffding_sphere(forall, draw):
    """P(<a, e> >= t) <= exp(-t^2 / 2) for unit a and signs e."""
    a, t, e = forall.sphere("a", 8), forall.interval("t", 0.0, 3.0), draw.signs("e", 8)
    return (a * e).sum(-1) >= t, torch.exp(-t.square() / 2.0)


@claim("highdim/true-sauer-sum", always(), over=grid(n=[1, 2, 5, 12]), cite="Sauer 1972; Blumer et al. 1989")
def sauer_sum(forall, *, n):
    """sum_{i <= d} C(n, i) <= (e n / d)^d for 1 <= d <= n."""
    d = forall.integers("d", 1, n)
    i = torch.arange(n + 1, dtype=torch.float64)
    binom = torch.tensor([float(math.comb(n, k)) for k in range(n + 1)], dtype=torch.float64)
    return torch.where(i <= d[:, None], binom, 0.0).sum(-1), (math.e * n / d) ** d


@claim(
    "highdim/true-width-l1",
    expectation(range=(-10.0, math.inf)),
    over=grid(n=[1, 3, 30, 300]),
    cite="Vershynin 2018, section 7.5",
)
def width_l1(draw, *, n):
    """The Gaussian width of the l1 ball: E max |g_i| <= sqrt(2 log(2 n))."""
    return draw.normal("g", n).abs().amax(-1), math.sqrt(2.0 * math.log(2.0 * n))


@claim("highdim/true-slepian", expectation(range=(-1.0, 1.0), margin=0.03), cite="Slepian 1962")
def slepian(forall, draw):
    """P(max of equicorrelated normals > t) falls with the correlation."""
    r, s, t = forall.interval("r", 0.0, 1.0), forall.interval("s", 0.0, 1.0), forall.interval("t", -2.0, 3.0)
    forall.assume(r <= s)
    z, common = draw.normal("z", 5), draw.normal("common", 1)
    low = r.sqrt()[:, None] * common + (1.0 - r).sqrt()[:, None] * z
    high = s.sqrt()[:, None] * common + (1.0 - s).sqrt()[:, None] * z
    return (high.amax(-1) > t).double(), (low.amax(-1) > t).double()


@claim("highdim/true-poincare", expectation(range=(-9.0, 2.0), margin=0.1), cite="Nash 1958; Chernoff 1981")
def poincare(forall, draw):
    """Var f(g) <= E f'(g)^2 for f(x) = sin(a x + b)."""
    a, b = forall.interval("a", 0.0, 3.0), forall.interval("b", 0.0, math.pi)
    g, h = draw.normal("g"), draw.normal("h")
    return (torch.sin(a * g + b) - torch.sin(a * h + b)).square() / 2.0, (a * torch.cos(a * g + b)).square()


@claim(
    "highdim/true-largest-singular",
    high_probability("delta"),
    over=grid(m=[4, 20], n=[4], delta=[0.1]),
    cite="Davidson and Szarek 2001, Theorem II.13",
)
def largest_singular(draw, *, m, n, delta):
    """s_max(G) <= sqrt m + sqrt n + sqrt(2 log(1/delta)) (Davidson and Szarek)."""
    return torch.linalg.svdvals(draw.normal("G", m, n))[:, 0], math.sqrt(m) + math.sqrt(n) + math.sqrt(
        2.0 * math.log(1.0 / delta)
    )


@claim("highdim/true-jl-signs", tail(), over=grid(k=[4, 12]), cite="Achlioptas 2003")
def jl_signs(forall, draw, *, k):
    """A projection by k x 5 signs keeps a unit vector's length up to eps, but for 2 exp(-(eps^2/2 - eps^3/3) k / 2)."""
    x, eps = forall.sphere("x", 5), forall.interval("eps", 0.1, 1.0)
    y = (draw.signs("S", k, 5) * x[:, None, :]).sum(-1).square().mean(-1)
    return (y - 1.0).abs() >= eps, 2.0 * torch.exp(-(eps**2 / 2.0 - eps**3 / 3.0) * k / 2.0)


@claim("highdim/true-efron-stein", always(), cite="Efron and Stein 1981")
def efron_stein(forall):
    """Var f <= sum_i E Var_i f for any f on the cube of three bits with independent biased coordinates."""
    f, p = forall.interval("f", -1.0, 1.0, 2, 2, 2), forall.interval("p", 0.0, 1.0, 3)
    q = torch.stack([1.0 - p, p], -1)
    w = q[:, 0, :, None, None] * q[:, 1, None, :, None] * q[:, 2, None, None, :]
    mean = (w * f).sum((1, 2, 3))
    total = (w * (f - mean[:, None, None, None]).square()).sum((1, 2, 3))
    parts = 0.0
    for i in range(3):
        shape = [len(f), 1, 1, 1]
        shape[i + 1] = 2
        qi = q[:, i].reshape(shape)
        centre = (qi * f).sum(i + 1, keepdim=True)
        parts = parts + (w * (f - centre).square()).sum((1, 2, 3))
    return total, parts


@claim("highdim/true-edge-isoperimetry", always(), cite="Harper 1964")
def edge_isoperimetry(forall):
    """|A| (3 - log2 |A|) <= |boundary A| for sets A of vertices of the cube (Harper)."""
    a = (forall.signs("A", 2, 2, 2) + 1.0) / 2.0
    size = a.sum((1, 2, 3))
    edges = sum((a.select(i, 0) - a.select(i, 1)).abs().sum((1, 2)) for i in (1, 2, 3))
    return 3.0 * size - torch.xlogy(size, size) / math.log(2.0), edges


@claim("highdim/true-littlewood-offord", tail(), cite="Littlewood and Offord 1943; Erdos 1945")
def littlewood_offord(forall, draw):
    """P(|<a, e> - v| < 1) <= C(8, 4) / 2^8 where all a_i >= 1 (Erdos)."""
    a, v = forall.interval("a", 1.0, 2.0, 8), forall.interval("v", -4.0, 4.0)
    return ((draw.signs("e", 8) * a).sum(-1) - v).abs() < 1.0, 70.0 / 256.0


@claim(
    "highdim/true-laurent-massart",
    high_probability("delta"),
    over=grid(delta=[0.2, 0.02]),
    cite="Laurent and Massart 2000, Lemma 1",
)
def laurent_massart(forall, draw, *, delta):
    """sum w_i (g_i^2 - 1) <= 2 |w|_2 sqrt t + 2 |w|_inf t with probability 1 - delta, t = log(1/delta), w >= 0."""
    w, t = forall.interval("w", 0.0, 1.0, 5), math.log(1.0 / delta)
    return (w * (draw.normal("g", 5).square() - 1.0)).sum(-1), 2.0 * w.norm(dim=-1) * math.sqrt(t) + 2.0 * w.amax(
        -1
    ) * t


@claim("highdim/true-max-uniform", reproduction(tolerance=0.001), cite="David and Nagaraja 2003")
def max_uniform(draw):
    """The mean largest of ten uniform numbers is 0.909."""
    return [
        Row("largest", Estimate.mean(draw.uniform("u", 3000, 10).amax(-1).mean(-1), between=(0.0, 1.0)), printed=0.909)
    ]


@claim(
    "highdim/true-gini-rate",
    rate("n", -1.0, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    cite="Hoeffding 1948",
)
def gini_rate(draw, *, n):
    """The variance of Gini's mean difference of uniform numbers (a U-statistic, mean 1/3) is of order 1/n."""
    x = draw.uniform("x", n).sort(-1).values
    weights = torch.arange(1, n + 1, dtype=torch.float64) * 2.0 - n - 1.0
    return ((x * weights).sum(-1) * 2.0 / (n * (n - 1.0)) - 1.0 / 3.0).square()


@claim("highdim/true-mcdiarmid-sup", tail(), cite="McDiarmid 1989")
def mcdiarmid_sup(forall, draw):
    """P(Z - E Z >= t) <= exp(-t^2 / (2 |x|_2^2 sum)) for Z = |sum e_i x_i|, six plane vectors, by McDiarmid."""
    x, t = forall.ball("x", 6, 2), forall.interval("t", 0.2, 3.0)

    def total(draw):
        return (draw.signs("e", 6)[:, :, None] * x).sum(1).norm(dim=-1)

    mean = expected_value(draw, "E Z", total, low=0.0, high=6.0, side="above")
    return total(draw) - mean >= t, torch.exp(-t.square() / (2.0 * x.square().sum((1, 2))))


@claim(
    "highdim/plain-max-signs",
    expectation(range=(-5.0, 3.0)),
    expected="refuted",
    cite="Boucheron, Lugosi and Massart 2013, Theorem 2.5, with 1 for 2",
)
def max_signs_small(forall, draw):
    """E max_j <x_j, e> <= sqrt(log 4) for four points of the unit ball and random signs e."""
    x, e = forall.ball("x", 4, 6), draw.signs("e", 6)
    return (x * e[:, None, :]).sum(-1).amax(-1), math.sqrt(math.log(4.0))


@claim(
    "highdim/plain-gaussian-norm",
    high_probability("delta"),
    over=grid(delta=[0.001]),
    expected="refuted",
    cite="Tsirelson, Ibragimov and Sudakov 1976, with 1/2 for 2",
)
def gaussian_norm(forall, draw, *, delta):
    """|A g| <= |A|_F + |A|_op sqrt(log(1/delta) / 2) with probability 1 - delta."""
    a, g = forall.symmetric("A", 3), draw.normal("g", 3)
    return (a * g[:, None, :]).sum(-1).norm(dim=-1), a.flatten(1).norm(dim=-1) + torch.linalg.eigvalsh(a).abs().amax(
        -1
    ) * math.sqrt(math.log(1.0 / delta) / 2.0)


@claim(
    "highdim/plain-smallest-singular",
    high_probability("delta"),
    over=grid(n=[4, 10], delta=[0.05]),
    expected="refuted",
    cite="Edelman 1988, with a forgotten delta",
)
def smallest_singular(draw, *, n, delta):
    """s_min(G) >= 1 / (2 sqrt n) for square Gaussian G, with probability 1 - delta."""
    return 0.5 / math.sqrt(n), torch.linalg.svdvals(draw.normal("G", n, n))[:, -1]


@claim(
    "highdim/plain-median-rate",
    rate("n", -1.0),
    over=grid(n=[9, 17, 33, 65, 129, 257]),
    expected="refuted",
    cite="Laplace 1818, with 1/n for n^-1/2",
)
def median_rate(draw, *, n):
    """E |median - 1/2| of n uniform numbers is of order 1/n."""
    return (draw.uniform("x", n).median(-1).values - 0.5).abs()


@claim("highdim/subtle-hypercontractive", always(), expected="refuted", cite="Bonami 1970, with .6 for 1/sqrt 3")
def hypercontractive_large(forall):
    """|T_0.6 f|_4 <= |f|_2 on four bits."""
    c = forall.ball("c", 16)
    chi, degree = characters(4, c)
    return ((c * 0.6**degree) @ chi).pow(4).mean(-1), c.square().sum(-1).square()


@claim(
    "highdim/subtle-chi-square",
    high_probability("delta"),
    over=grid(delta=[0.02]),
    expected="refuted",
    cite="Laurent and Massart 2000, Lemma 1, without its last term",
)
def chi_square(forall, draw, *, delta):
    """sum w_i (g_i^2 - 1) <= 2 |w|_2 sqrt t with probability 1 - delta, t = log(1/delta), w >= 0."""
    w, t = forall.interval("w", 0.0, 1.0, 5), math.log(1.0 / delta)
    return (w * (draw.normal("g", 5).square() - 1.0)).sum(-1), 2.0 * w.norm(dim=-1) * math.sqrt(t)


PROOFS = {
    "highdim/true-max-signs": (
        "E max of N 1-sub-Gaussian variables <= sqrt(2 log N) (Boucheron, Lugosi, Massart 2013, Thm 2.5)."
    ),
    "highdim/true-hoeffding-sphere": "Hoeffding 1963: E exp(s<a,e>) <= exp(s^2 |a|^2/2), |a| = 1, t >= 0.",
    "highdim/true-sauer-sum": "(d/n)^d sum_{i<=d} C(n,i) <= sum C(n,i)(d/n)^i <= (1+d/n)^n <= e^d for d <= n.",
    "highdim/true-width-l1": "max |g_i| is the max of 2n normals; E <= sqrt(2 log 2n).",
    "highdim/true-slepian": "Slepian 1962; r = s gives equality.",
    "highdim/true-poincare": "Gaussian Poincare inequality.",
    "highdim/true-largest-singular": "Davidson and Szarek 2001, Thm II.13.",
    "highdim/true-jl-signs": "Achlioptas 2003, Lemmas 5.1 and 5.2 (both tails), eps <= 1.",
    "highdim/true-efron-stein": "Efron-Stein for independent coordinates (zero-variance ones included).",
    "highdim/true-edge-isoperimetry": "Harper 1964; A empty: 0 <= 0; subcubes equal.",
    "highdim/true-littlewood-offord": "Erdos 1945: an open interval of length 2 holds an antichain.",
    "highdim/true-laurent-massart": "Laurent and Massart 2000, Lemma 1; w = 0: 0 <= 0.",
    "highdim/true-max-uniform": "E = 10/11 = 0.90909, within 0.001 of 0.909.",
    "highdim/true-gini-rate": "Non-degenerate U-statistic: Var = 4 zeta_1/n + O(1/n^2), zeta_1 > 0.",
    "highdim/true-mcdiarmid-sup": (
        "Changing e_i moves Z by at most 2|x_i|: exp(-2t^2/sum 4|x_i|^2); x = 0: event 0 >= t > 0 never."
    ),
}

WITNESSES = {
    "highdim/plain-max-signs": {
        "params": {},
        "values": {
            "x": [
                [2**-0.5, 2**-0.5, 0, 0, 0, 0],
                [-(2**-0.5), 2**-0.5, 0, 0, 0, 0],
                [2**-0.5, -(2**-0.5), 0, 0, 0, 0],
                [-(2**-0.5), -(2**-0.5), 0, 0, 0, 0],
            ]
        },
        "mean": 2**0.5 - math.log(4.0) ** 0.5,
        "why": "the max is sqrt 2 always",
    },
    "highdim/plain-gaussian-norm": {
        "params": {"delta": 0.001},
        "values": {"A": [1, 0, 0, 0, 0, 0]},
        "probability": 0.004257013076179612,
        "why": "P(|g| > 1 + 1.858) = .0043",
    },
    "highdim/plain-smallest-singular": {
        "params": {"n": 10, "delta": 0.05},
        "values": {},
        "probability": 0.4548212737015649,
        "why": "P(s_min <= eps / sqrt n) is about eps (Edelman)",
    },
    "highdim/plain-median-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "the rate is n^-1/2"},
    "highdim/subtle-hypercontractive": {
        "params": {},
        "values": {"c": [0.0] * 14 + [0.1386, 0.99]},
        "why": "a constant and one bit, 0.14 times as large: 3 rho^2 = 1.08 > 1",
    },
    "highdim/subtle-chi-square": {
        "params": {"delta": 0.02},
        "values": {"w": [1, 0, 0, 0, 0]},
        "probability": 0.026003788222505826,
        "why": "P(g^2 > 1 + 2 sqrt t) = .026",
    },
}
