"""Alien claims, aside: claims that are numerically awkward to judge; see README.md.

Hold-out: whoever tunes the judge does not read on.
"""

import torch

from harness import always, claim, expectation, grid, identity, rate


@claim("awkward/true-cosine-quotient", always(), cite="Higham, Accuracy and Stability, section 1.7")
def cosine_quotient(forall):
    """(1 - cos x) / x^2 <= 1/2 for |x| <= 1e-6."""
    x = forall.interval("x", -1e-6, 1e-6)
    return (1 - x.cos()) / x.square(), torch.full_like(x, 0.5)


@claim(
    "awkward/true-hermite-floor",
    identity(),
    cite="Hermite's identity; Graham, Knuth, Patashnik, (3.26)",
    over=grid(n=[1, 3, 7, 49]),
)
def hermite_floor(forall, *, n):
    """sum over k < n of floor(x + k/n) = floor(n x)."""
    x = forall.interval("x", 0.0, 1.0)
    k = torch.arange(n).double()
    return (x[..., None] + k / n).floor().sum(-1), (n * x).floor()


@claim("awkward/true-rearrangement", always(), cite="Hardy, Littlewood, Polya, Theorem 368", over=grid(n=[1, 2, 25]))
def rearrangement(forall, *, n):
    """sum x_i y_i - sum of sorted x times sorted y <= 0, for x near 10^8."""
    x = forall.interval("x", 1e8, 1e8 + 1, n)
    y = forall.interval("y", -1.0, 1.0, n)
    gap = (x * y).sum(-1) - (x.sort(-1).values * y.sort(-1).values).sum(-1)
    return gap, torch.zeros_like(gap)


@claim("awkward/true-importance-tie", expectation(range=(-1.0, 999.0)), cite="importance weights have mean one")
def importance_tie(forall, draw):
    """E x/p <= 1 for a flip x with bias p >= 1/1000 (it is equal)."""
    p = forall.interval("p", 1e-3, 1.0)
    x = draw.bernoulli("x", p)
    return x / p, torch.ones_like(p)


@claim(
    "awkward/true-expanded-distances",
    always(),
    cite="triangle inequality; Higham, section 1.7 (cancellation)",
    over=grid(n=[1, 3]),
)
def expanded_distances(forall, *, n):
    """d(x, z) <= d(x, y) + d(y, z), with distances from |x|^2 + |y|^2 - 2 <x, y>."""
    x, y, z = (forall.interval(name, 1000.0, 1001.0, n) for name in "xyz")
    pairs = ((x, z), (x, y), (y, z))
    squares = [u.square().sum(-1) + v.square().sum(-1) - 2 * (u * v).sum(-1) for u, v in pairs]
    xz, xy, yz = (s.clamp_min(0).sqrt() for s in squares)
    return xz, xy + yz


@claim(
    "awkward/true-log-over-n",
    rate("n", -1.0, log_power=1),
    cite="log(n)/n, by definition",
    over=grid(n=[1, 4, 16, 64, 256, 1024, 4096]),
)
def log_over_n(draw, *, n):
    """log(n)/n decays like log(n)/n, from n = 1 where it is 0."""
    return torch.tensor(float(n)).double().log() / n + 0.0 * draw.uniform("u")


@claim(
    "awkward/true-forward-recursion",
    always(),
    cite="Forsythe, Malcolm, Moler 1977, chapter 2",
    over=grid(n=[3, 12, 19, 25]),
)
def forward_recursion(forall, *, n):
    """0 <= E_n <= 1/(n + 1) where E_1 = 1/e and E_k = 1 - k E_{k-1}, in any units c."""
    c = forall.interval("c", 1.0, 2.0)
    e = torch.exp(-torch.ones_like(c))
    for k in range(2, n + 1):
        e = 1 - k * e
    middle = 0.5 / (n + 1)
    return c * (e - middle).abs(), c * middle


@claim("awkward/true-arcosh-domain", always(), cite="Kahan 1987, Branch cuts; log(x + sqrt(x^2 - 1)) = arcosh x")
def arcosh_domain(forall):
    """log(x + sqrt(x^2 - 1)) <= sqrt(x^2 - 1) where both are real."""
    x = forall.interval("x", -3.0, 3.0)
    root = (x.square() - 1).sqrt()
    return (x + root).log(), root


@claim(
    "awkward/true-run-of-heads",
    rate("n", -2.0),
    cite="0.7^n is smaller than any power",
    over=grid(n=[2, 8, 32, 128, 512]),
)
def run_of_heads(draw, *, n):
    """The probability that n flips of bias 0.7 are all heads decays faster than n^-2."""
    return draw.bernoulli("x", 0.7, n).prod(-1)


@claim(
    "awkward/plain-alternating-variation",
    always(),
    expected="refuted",
    cite="total variation of a sequence",
    over=grid(n=[20, 100]),
)
def alternating_variation(forall, *, n):
    """sum |x_{i+1} - x_i| <= 0.9 (n - 1) for x in [0, 1]^n (false for 0, 1, 0, 1, ...)."""
    x = forall.interval("x", 0.0, 1.0, n)
    variation = x.diff(dim=-1).abs().sum(-1)
    return variation, torch.full_like(variation, 0.9 * (n - 1))


@claim(
    "awkward/plain-cosh-range",
    always(),
    expected="refuted",
    cite="Hoeffding's lemma with 0.45 for 1/2",
    over=grid(n=[1, 2]),
)
def cosh_range(forall, *, n):
    """prod cosh t_i <= exp(0.45 |t|^2) for |t_i| <= 1000 (false for small t; both overflow for large t)."""
    t = forall.interval("t", -1000.0, 1000.0, n)
    return t.cosh().prod(-1), (0.45 * t.square().sum(-1)).exp()


@claim(
    "awkward/plain-zero-of-one",
    always(),
    expected="refuted",
    cite="a Lipschitz bound with a forgotten constant",
    over=grid(n=[6]),
)
def zero_of_one(forall, *, n):
    """|y| <= 1000 |x| + 1/2 for y in the unit ball (false near x = 0)."""
    x = forall.interval("x", -1.0, 1.0, n)
    y = forall.ball("y", 4)
    return y.square().sum(-1).sqrt(), 1000 * x.square().sum(-1).sqrt() + 0.5


@claim(
    "awkward/subtle-ill-conditioned",
    always(),
    expected="refuted",
    cite="Nocedal and Wright, section 3.3",
    over=grid(n=[100]),
)
def ill_conditioned(forall, *, n):
    """A convex quadratic of condition number 10^4 in 100 dimensions is at least 1/10 (false: its minimum is 0).

    It is convex, smooth, and its minimum is inside the box: 500 steps of L-BFGS get there, 1000 of Adam.
    """
    x = forall.interval("x", -1.0, 1.0, n)
    i = torch.arange(n).double()
    v = (i + 1).cos() / (i + 1).cos().norm()
    y = x - 2 * v * (v * x).sum(-1, keepdim=True)
    f = (10 ** (4 * i / (n - 1)) * (y - 0.5 * i.sin()).square()).sum(-1)
    return torch.full_like(f, 0.1), f


@claim(
    "awkward/plain-maximum-of-uniforms",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="order statistics",
    over=grid(n=[5, 10]),
)
def maximum_of_uniforms(forall, draw, *, n):
    """E c max(u_1, ..., u_n) <= c (n - 1)/n (false: c n/(n + 1))."""
    c = forall.interval("c", 0.0, 1.0)
    u = draw.uniform("u", n)
    return c * u.amax(-1), c * (n - 1) / n


@claim("awkward/subtle-needle", always(), expected="refuted", cite="a cusp in four dimensions", over=grid(n=[4]))
def needle(forall, *, n):
    """1 / (1 + 100 |x - a|_1) <= 1/2 for a fixed interior point a (false within 1/100 of it).

    The bad set has volume 4e-10 of the box, yet every coordinate has a slope towards it everywhere.
    """
    x = forall.interval("x", -1.0, 1.0, n)
    a = (3 * torch.arange(1, n + 1).double()).sin() * 0.8
    return 1 / (1 + 100 * (x - a).abs().sum(-1)), torch.full_like(x[..., 0], 0.5)


@claim(
    "awkward/subtle-two-term-rate",
    rate("n", -0.75),
    expected="refuted",
    cite="sum of two powers",
    over=grid(n=[16, 64, 256, 1024, 4096, 16384]),
)
def two_term_rate(draw, *, n):
    """n^-1/2 + 5/n decays like n^-0.75 (false: n^-1/2; the first local exponents are steeper).

    The local exponent moves away from the claim, from -0.74 to -0.53.
    """
    return n**-0.5 + 5 / n + 0.0 * draw.uniform("u")


@claim(
    "awkward/plain-large-units",
    always(),
    expected="refuted",
    cite="Cauchy-Schwarz with a wrong constant",
    over=grid(n=[6]),
)
def large_units(forall, *, n):
    """1.1 (sum x)^2 <= n sum x^2 for x in [0, 1e100]^n (false for equal entries)."""
    x = forall.interval("x", 0.0, 1e100, n)
    return 1.1 * x.sum(-1).square(), n * x.square().sum(-1)


@claim(
    "awkward/plain-absolute-deviation",
    expectation(range=(-0.06, 1.0)),
    expected="refuted",
    cite="de Moivre's mean absolute deviation",
    over=grid(n=[50]),
)
def absolute_deviation(forall, draw, *, n):
    """E |mean - p| <= 0.75 sqrt(p (1 - p) / n) (false at p = 1/2, where the factor is 0.79)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return (x.mean(-1) - p).abs(), 0.75 * (p * (1 - p) / n).sqrt()


PROOFS = {
    "awkward/true-cosine-quotient": "1 - cos x = 2 sin(x/2)^2 <= x^2/2; 0/0 at x = 0 is undefined.",
    "awkward/true-hermite-floor": "Hermite's identity, for all real x (Graham, Knuth, Patashnik, Concrete "
    "Mathematics, (3.26)).",
    "awkward/true-rearrangement": "The rearrangement inequality (Hardy, Littlewood, Polya, Theorem 368), ties allowed.",
    "awkward/true-importance-tie": "E x/p = 1 for p >= 1/1000, and -1 <= x/p - 1 <= 1/p - 1 <= 999.",
    "awkward/true-expanded-distances": "|x|^2 + |y|^2 - 2 <x, y> = |x - y|^2, and the Euclidean distance is a metric.",
    "awkward/true-log-over-n": "Both sides are the same function; it vanishes at n = 1.",
    "awkward/true-forward-recursion": "E_n is the integral of x^n e^(x - 1) over [0, 1], between 0 and 1/(n + 1).",
    "awkward/true-arcosh-domain": "With x = cosh u, u >= 0: u <= sinh u; for x <= -1 the logarithm has a "
    "negative argument, else NaN.",
    "awkward/true-run-of-heads": "The mean is 0.7^n = o(n^-2).",
}

MINIMUM = [
    0.45544707,
    0.0699451,
    -0.37986408,
    -0.48042797,
    -0.1392886,
    0.32991207,
    0.4957931,
    0.20584425,
    -0.27335686,
    -0.50123493,
    -0.26827992,
    0.21133041,
    0.49664454,
    0.32534597,
    -0.14507419,
    -0.4821138,
    -0.37590021,
    0.0759143,
    0.45793355,
    0.41893081,
    -0.00523499,
    -0.42458776,
    -0.45357651,
    -0.0655491,
    0.38274385,
    0.47914386,
    0.13502122,
    -0.33323931,
    -0.49512116,
    -0.2017909,
    0.27706498,
    0.50118859,
    0.26452173,
    -0.2153452,
    -0.49722474,
    -0.32195815,
    0.14931528,
    0.48330893,
    0.37295058,
    -0.08029682,
    -0.45971969,
    -0.4164784,
    0.00967121,
    0.42692915,
    0.4516704,
    0.06114797,
    -0.38559362,
    -0.47782222,
    -0.13074327,
    0.33654044,
    0.49441042,
    0.19772174,
    -0.2807514,
    -0.50110299,
    -0.26074281,
    0.21934311,
    0.49776598,
    0.31854511,
    -0.15354467,
    -0.48446619,
    -0.36997172,
    0.08467304,
    0.4614698,
    0.41399336,
    -0.01410667,
    -0.42923709,
    -0.44972891,
    -0.05674204,
    0.38841319,
    0.47646313,
    0.12645506,
    -0.33981521,
    -0.49366094,
    -0.19363708,
    0.28441582,
    0.50097813,
    0.25694346,
    -0.22332384,
    -0.49826823,
    -0.31510711,
    0.15776204,
    0.48558549,
    0.36696389,
    -0.08904263,
    -0.46318376,
    -0.41147588,
    0.01854103,
    0.4315114,
    0.44775218,
    0.05233167,
    -0.39120233,
    -0.47506672,
    -0.12215695,
    0.34306335,
    0.49287279,
    0.18953726,
    -0.28805795,
    -0.50081401,
    -0.25312398,
    0.22728707,
]

WITNESSES = {
    "awkward/plain-alternating-variation": {
        "params": {"n": 100},
        "values": {"x": [0.0, 1.0] * 50},
        "why": "99 > 89.1.",
    },
    "awkward/plain-cosh-range": {
        "params": {"n": 1},
        "values": {"t": [0.5]},
        "why": "cosh 0.5 = 1.12763 > exp(0.1125) = 1.11907; true from |t| = 0.844 on.",
    },
    "awkward/plain-zero-of-one": {
        "params": {"n": 6},
        "values": {"x": [0.0] * 6, "y": [1.0, 0.0, 0.0, 0.0]},
        "why": "1 > 1/2.",
    },
    "awkward/subtle-ill-conditioned": {
        "params": {"n": 100},
        "values": {"x": MINIMUM},
        "why": "The minimum is at the reflection of a = (sin(i)/2), within [-0.502, 0.502]; here f < 1e-6 < 0.1.",
    },
    "awkward/plain-maximum-of-uniforms": {
        "params": {"n": 5},
        "values": {"c": 1.0},
        "why": "5/6 - 4/5 = 1/30; the maximum has standard deviation 0.141.",
        "mean": 1 / 30,
    },
    "awkward/subtle-needle": {
        "params": {"n": 4},
        "values": {"x": [0.1129, -0.2235, 0.3297, -0.4293]},
        "why": "a = 0.8 (sin 3, sin 6, sin 9, sin 12): the distance is below 0.0002, the left side above 0.98 > 0.5.",
    },
    "awkward/subtle-two-term-rate": {
        "params": {},
        "values": {},
        "why": "n^-1/2 (1 + 5/sqrt n): the local exponent at n is -(1/2 + 5/sqrt n)/(1 + 5/sqrt n) -> -1/2.",
        "exponent": -0.5,
    },
    "awkward/plain-large-units": {
        "params": {"n": 6},
        "values": {"x": [1e100] * 6},
        "why": "39.6e200 > 36e200.",
    },
    "awkward/plain-absolute-deviation": {
        "params": {"n": 50},
        "values": {"p": 0.5},
        "why": "E |mean - 1/2| = 0.7939054 * sqrt(0.25/50) exactly (binomial sum), against 0.75 times it.",
        "mean": (0.7939053594622283 - 0.75) * 0.07071067811865475,
    },
}
