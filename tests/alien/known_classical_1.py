"""Alien claims, known, part 1 of 2: classical inequalities, combinatorics and geometry; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def elementary(x):
    """Elementary symmetric functions e_0 .. e_n of the last axis."""
    e = torch.ones_like(x[..., :1])
    for i in range(x.shape[-1]):
        zero = torch.zeros_like(e[..., :1])
        e = torch.cat([e, zero], -1) + x[..., i : i + 1] * torch.cat([zero, e], -1)
    return e


def sign_table(n):
    """All sign vectors of length n, one a row."""
    return ((torch.arange(2**n).unsqueeze(-1) >> torch.arange(n)) & 1).double() * 2 - 1


@claim(
    "classical/true-amgm-logs",
    always(),
    cite="Hardy-Littlewood-Polya, Inequalities, Theorem 9",
    over=grid(n=[1, 3, 200]),
)
def true_amgm_logs(forall, *, n):
    """Geometric mean <= arithmetic mean, the former through logarithms; equality at equal entries."""
    x = forall.interval("x", 0.0, 1e6, n)
    return x.log().mean(-1).exp(), x.mean(-1)


@claim(
    "classical/true-korkine",
    identity(),
    cite="Mitrinovic, Pecaric, Fink, Classical and New Inequalities, ch. IX (Korkine)",
    over=grid(n=[1, 2, 30]),
)
def true_korkine(forall, *, n):
    """n sum x y - (sum x)(sum y) = 1/2 sum_ij (x_i - x_j)(y_i - y_j)."""
    x = forall.interval("x", -1000.0, 1000.0, n)
    y = forall.interval("y", -1000.0, 1000.0, n)
    lhs = n * (x * y).sum(-1) - x.sum(-1) * y.sum(-1)
    dx = x.unsqueeze(-1) - x.unsqueeze(-2)
    dy = y.unsqueeze(-1) - y.unsqueeze(-2)
    return lhs, 0.5 * (dx * dy).sum((-2, -1))


@claim(
    "classical/true-shapiro-23",
    always(),
    cite="Troesch 1989, Math. Comp. 53, 657-664; Godunova & Levin 1976",
    over=grid(n=[3, 4, 7, 12, 17, 23]),
)
def true_shapiro_23(forall, *, n):
    """Shapiro's cyclic inequality sum x_i / (x_{i+1} + x_{i+2}) >= n/2 (even n <= 12, odd n <= 23)."""
    x = forall.interval("x", 0.0, 1.0, n)
    return n / 2, (x / (x.roll(-1, -1) + x.roll(-2, -1))).sum(-1)


@claim(
    "classical/true-popoviciu-naive",
    always(),
    cite="Popoviciu 1935; Mitrinovic, Pecaric, Fink, ch. X (Grüss)",
    over=grid(n=[1, 2, 200]),
)
def true_popoviciu_naive(forall, *, n):
    """Mean of squares minus squared mean <= (max - min)^2 / 4."""
    x = forall.interval("x", -1e4, 1e4, n)
    variance = (x * x).mean(-1) - x.mean(-1) ** 2
    return variance, (x.amax(-1) - x.amin(-1)) ** 2 / 4


@claim("classical/true-log-mean-lin", always(), cite="Lin 1974, Amer. Math. Monthly 81, 879-883")
def true_log_mean_lin(forall):
    """Logarithmic mean (a - b) / log(a/b) <= power mean of order 1/3."""
    a = forall.interval("a", 1e-6, 1e6)
    b = forall.interval("b", 1e-6, 1e6)
    return (a - b) / (a / b).log(), ((a ** (1 / 3) + b ** (1 / 3)) / 2) ** 3


@claim(
    "classical/true-newton-real",
    always(),
    cite="Hardy-Littlewood-Polya, Inequalities, Theorem 51 (Newton; real entries)",
    over=grid(n=[5, 12], k=[1, 2, 4]),
)
def true_newton_real(forall, *, n, k):
    """p_{k-1} p_{k+1} <= p_k^2 for the normalised elementary symmetric means of any real numbers."""
    x = forall.interval("x", -3.0, 3.0, n)
    e = elementary(x)
    p = [e[..., j] / math.comb(n, j) for j in (k - 1, k, k + 1)]
    return p[0] * p[2], p[1] ** 2


@claim(
    "classical/true-fejer-jackson",
    always(),
    cite="Jackson 1911; Gronwall 1912; Mitrinovic, Analytic Inequalities, 3.5",
    over=grid(n=[1, 2, 10, 200]),
)
def true_fejer_jackson(forall, *, n):
    """0 <= sum_{k <= n} sin(k x) / k on [0, pi]."""
    x = forall.interval("x", 0.0, math.pi)
    k = torch.arange(1, n + 1).double()
    return 0.0, ((k * x.unsqueeze(-1)).sin() / k).sum(-1)


@claim(
    "classical/true-ptolemy",
    always(),
    cite="Ptolemy's inequality in inner product spaces (Schoenberg 1940)",
    over=grid(n=[1, 2, 3, 50]),
)
def true_ptolemy(forall, *, n):
    """|a-c| |b-d| <= |a-b| |c-d| + |b-c| |a-d| for four points of Euclidean space."""
    a, b, c, d = (forall.ball(name, n, radius=100.0) for name in "abcd")

    def dist(u, v):
        return ((u - v) ** 2).sum(-1).sqrt()

    return dist(a, c) * dist(b, d), dist(a, b) * dist(c, d) + dist(b, c) * dist(a, d)


@claim(
    "classical/true-littlewood-offord",
    always(),
    cite="Erdős 1945; Bollobás, Combinatorics, section 4",
    over=grid(n=[1, 5, 10]),
)
def true_littlewood_offord(forall, *, n):
    """Of the 2^n sums of +-a_i, a_i >= 1, at most C(n, n//2) lie in an open interval of length 2."""
    a = forall.integers("a", 1, 9, n)
    centre = forall.interval("centre", -20.0, 20.0)
    sums = a @ sign_table(n).T
    inside = (sums - centre.unsqueeze(-1)).abs() < 1
    return inside.double().mean(-1), math.comb(n, n // 2) / 2**n


@claim("classical/true-schur", always(), cite="Hardy-Littlewood-Polya, Inequalities, Theorem 80 (Schur)")
def true_schur(forall):
    """x^t (x-y)(x-z) + y^t (y-z)(y-x) + z^t (z-x)(z-y) >= 0 for x, y, z >= 0, t >= 0."""
    t = forall.interval("t", 0.0, 4.0)
    x = forall.interval("x", 0.0, 10.0)
    y = forall.interval("y", 0.0, 10.0)
    z = forall.interval("z", 0.0, 10.0)
    return 0.0, x**t * (x - y) * (x - z) + y**t * (y - z) * (y - x) + z**t * (z - x) * (z - y)


@claim(
    "classical/true-tomaszewski",
    high_probability("delta"),
    cite="Keller & Klein 2022, Adv. Math. 407 (Tomaszewski's conjecture)",
    over=grid(n=[2, 5, 30], delta=[0.5]),
)
def true_tomaszewski(forall, draw, *, n, delta):
    """|sum of +-a_i| <= |a| with probability at least 1/2."""
    a = forall.ball("a", n)
    eps = draw.signs("eps", n)
    return (a * eps).sum(-1).abs(), a.norm(dim=-1)


@claim("classical/true-polya-erf", always(), cite="Pólya 1949, Proc. Berkeley Symp., 63-78")
def true_polya_erf(forall):
    """erf(x) <= sqrt(1 - exp(-4 x^2 / pi)), x >= 0."""
    x = forall.interval("x", 0.0, 10.0)
    return torch.erf(x), (1 - (-4 * x**2 / math.pi).exp()).sqrt()


@claim(
    "classical/true-markov-nodes",
    always(),
    cite="Duffin & Schaeffer 1941, Trans. AMS 50, 517-528",
    over=grid(n=[1, 2, 5, 30]),
)
def true_markov_nodes(forall, *, n):
    """|p'(1)| <= n^2 max_k |p(cos(k pi / n))| for p = sum c_j T_j of degree n."""
    c = forall.ball("c", n + 1)
    j = torch.arange(n + 1).double()
    values = c @ (math.pi / n * j.unsqueeze(-1) * j).cos()
    return (c * j**2).sum(-1).abs(), n**2 * values.abs().amax(-1)


@claim(
    "classical/true-divisors-root-3n",
    always(),
    cite="Hardy & Wright, Introduction to the Theory of Numbers, 18.1 (method)",
)
def true_divisors_root_3n(forall):
    """The number of divisors d(n) <= sqrt(3 n); equality at n = 12."""
    n = forall.integers("n", 1, 5000)
    k = torch.arange(1, 5001).double()
    return (n.unsqueeze(-1) % k == 0).double().sum(-1), (3 * n).sqrt()


@claim(
    "classical/true-khintchine-mean",
    expectation(range=(-1.0, 3.0)),
    cite="Khintchine 1923; Steele, Master Class, ch. 1 (Cauchy-Schwarz)",
    over=grid(n=[4, 16]),
)
def true_khintchine_mean(forall, draw, *, n):
    """E |sum of +-a_i| <= |a|."""
    a = forall.ball("a", n)
    eps = draw.signs("eps", n)
    return (a * eps).sum(-1).abs(), a.norm(dim=-1)


@claim("classical/true-gamma-reflection", identity(), cite="DLMF 5.5.3")
def true_gamma_reflection(forall):
    """Gamma(x) Gamma(1 - x) = pi / sin(pi x) on (0, 1)."""
    x = forall.interval("x", 0.0, 1.0)
    return (torch.lgamma(x) + torch.lgamma(1 - x)).exp(), math.pi / (math.pi * x).sin()


@claim(
    "classical/true-min-gap-rate",
    rate("n", -2.0),
    cite="David & Nagaraja, Order Statistics, 6.4 (uniform spacings)",
    over=grid(n=[8, 16, 32, 64, 128]),
)
def true_min_gap_rate(draw, *, n):
    """The expected smallest gap between n uniform points of [0, 1] is 1 / (n^2 - 1), of order n^-2."""
    x = draw.uniform("x", n).sort(-1).values
    return (x[..., 1:] - x[..., :-1]).amin(-1)


@claim("classical/true-redheffer", always(), cite="Redheffer 1968; Williams 1969, Amer. Math. Monthly 76, 1153-1154")
def true_redheffer(forall):
    """(pi^2 - x^2) / (pi^2 + x^2) <= sin(x) / x for every real x."""
    x = forall.interval("x", -40.0, 40.0)
    return (math.pi**2 - x**2) / (math.pi**2 + x**2), x.sin() / x


@claim(
    "classical/true-schur-horn",
    always(),
    cite="Schur 1923; Marshall, Olkin, Arnold, Majorization, Theorem 9.B.1",
    over=grid(n=[1, 3, 20]),
)
def true_schur_horn(forall, *, n):
    """The diagonal of a symmetric matrix is majorised by its eigenvalues: largest partial-sum excess <= 0."""
    a = forall.psd("a", n)
    diagonal = a.diagonal(dim1=-2, dim2=-1).sort(-1, descending=True).values
    spectrum = torch.linalg.eigvalsh(a).flip(-1)
    return (diagonal.cumsum(-1) - spectrum.cumsum(-1)).amax(-1), 0.0


@claim("classical/true-robbins", always(), cite="Robbins 1955, Amer. Math. Monthly 62, 26-29")
def true_robbins(forall):
    """log n! <= (n + 1/2) log n - n + log(2 pi)/2 + 1/(12 n)."""
    n = forall.integers("n", 1, 10**6)
    return torch.lgamma(n + 1), (n + 0.5) * n.log() - n + 0.5 * math.log(2 * math.pi) + 1 / (12 * n)


@claim(
    "classical/plain-unweighted-amgm",
    always(),
    expected="refuted",
    cite="Hardy-Littlewood-Polya, Theorem 9, weights forgotten",
    over=grid(n=[5, 50]),
)
def plain_unweighted_amgm(forall, *, n):
    """prod x_i^w_i <= mean(x): the arithmetic mean has lost its weights."""
    x = forall.interval("x", 1.0, 100.0, n)
    w = forall.simplex("w", n)
    return (w * x.log()).sum(-1).exp(), x.mean(-1)


@claim(
    "classical/subtle-shapiro-26",
    always(),
    expected="refuted",
    cite="Shapiro 1954; Zulauf 1958, Math. Gazette 42, 182-184",
    over=grid(n=[26]),
)
def subtle_shapiro_26(forall, *, n):
    """Shapiro's cyclic inequality sum x_i / (x_{i+1} + x_{i+2}) >= n/2 at n = 26, where it fails by 0.24 %.

    Findable: local minimisation from random log-entries gets below n/2 in about half of the starts.
    """
    x = forall.interval("x", 0.0, 1.0, n)
    return n / 2, (x / (x.roll(-1, -1) + x.roll(-2, -1))).sum(-1)


@claim(
    "classical/subtle-popoviciu-unbiased",
    always(),
    expected="refuted",
    cite="Popoviciu 1935, with the n - 1 divisor",
    over=grid(n=[100]),
)
def subtle_popoviciu_unbiased(forall, *, n):
    """The unbiased sample variance <= (max - min)^2 / 4: false by a factor n / (n - 1) at half and half.

    Findable: the variance is convex, ascent ends at corners, and 46 to 54 ones suffice for a violation.
    """
    x = forall.interval("x", 0.0, 1.0, n)
    return x.var(-1), (x.amax(-1) - x.amin(-1)) ** 2 / 4


PROOFS = {
    "classical/true-amgm-logs": (
        "Weighted AM-GM with equal weights; log 0 = -inf makes the left side 0 (HLP Theorem 9)."
    ),
    "classical/true-korkine": (
        "Expand the double sum: n sum xy appears twice with +1/2, (sum x)(sum y) twice with -1/2."
    ),
    "classical/true-shapiro-23": "Even n <= 12: Godunova-Levin 1976; odd n <= 23: Troesch 1989; zeros by continuity.",
    "classical/true-popoviciu-naive": (
        "0 <= mean (max - x)(x - min) gives Var <= (max - mean)(mean - min) <= (max - min)^2/4."
    ),
    "classical/true-log-mean-lin": "Lin 1974: L(a, b) <= M_{1/3}(a, b), and 1/3 is best possible; a = b is 0/0.",
    "classical/true-newton-real": (
        "HLP Theorem 51 holds for real, positive or negative, entries (Rolle on prod (1 + x_i t))."
    ),
    "classical/true-fejer-jackson": "Fejer-Jackson-Gronwall: the sum is positive on (0, pi), zero at both ends.",
    "classical/true-ptolemy": "Invert at one point and use the triangle inequality; equality on circles and lines.",
    "classical/true-littlewood-offord": (
        "The sets of plus signs form an antichain (a step changes the sum by >= 2); Sperner."
    ),
    "classical/true-schur": "For x >= y >= z: (x-y)(x^t(x-z) - y^t(y-z)) >= 0 and z^t(z-x)(z-y) >= 0.",
    "classical/true-tomaszewski": "Keller & Klein: P(|sum a_i eps_i| <= |a|) >= 1/2; equality at (1, 1, 0, ...).",
    "classical/true-polya-erf": (
        "Compare the Gaussian mass of a square with that of the disc of the same area (Pólya 1949)."
    ),
    "classical/true-markov-nodes": (
        "The weights of p'(1) on the nodes alternate in sign, so T_n is extremal: T_n'(1) = n^2."
    ),
    "classical/true-divisors-root-3n": (
        "d(n)/sqrt n is a product over p^k || n of (k+1)/p^(k/2) <= 3/2 (p=2), 2/sqrt 3 (p=3), 1 else."
    ),
    "classical/true-khintchine-mean": (
        "E|S| <= sqrt(E S^2) = |a|; lhs - rhs in [-|a|, |a|_1 - |a|] within [-1, sqrt(n) - 1]."
    ),
    "classical/true-gamma-reflection": "Euler's reflection formula, DLMF 5.5.3; both sides are infinite at 0 and 1.",
    "classical/true-min-gap-rate": "P(n-1 spacings all > t) = (1 - (n-1) t)^n, so the mean is 1/((n-1)(n+1)).",
    "classical/true-redheffer": (
        "Redheffer's inequality, proved by Williams 1969 for all real x != 0; equality at +-pi."
    ),
    "classical/true-schur-horn": (
        "Schur 1923; the last partial sums are both the trace, so the left side is exactly 0."
    ),
    "classical/true-robbins": "Robbins 1955, upper half; the gap is about 1/(360 n^3).",
}


WITNESSES = {
    "classical/plain-unweighted-amgm": {
        "params": {"n": 5},
        "values": {"x": [100.0, 1.0, 1.0, 1.0, 1.0], "w": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "lhs = 100, rhs = 104/5 = 20.8",
    },
    "classical/subtle-shapiro-26": {
        "params": {"n": 26},
        "values": {
            "x": [
                0.76,
                0.21,
                0.68,
                0.27,
                0.57,
                0.25,
                0.47,
                0.21,
                0.41,
                0.15,
                0.38,
                0.09,
                0.37,
                0.04,
                0.39,
                0.0,
                0.45,
                0.0,
                0.51,
                0.0,
                0.58,
                0.0,
                0.66,
                0.0,
                0.75,
                0.09,
            ]
        },
        "why": "the sum, in fractions with numerators 76, 21, 68, ..., is 13 (1 - 0.0023252)",
    },
    "classical/subtle-popoviciu-unbiased": {
        "params": {"n": 100},
        "values": {"x": [0.0] * 50 + [1.0] * 50},
        "why": "lhs = 25/99, rhs = 1/4",
    },
}
