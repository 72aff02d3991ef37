"""Alien claims, known: false on a thin strip, at one small integer of many, or for one-sided events; see README.md."""

import math

import torch

from harness import claim, expectation, grid, high_probability


def flips(draw, n, p):
    """How many of n flips fall on the side of probability p."""
    return draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[..., 0]


def binomial(n, p):
    """P(X = k) for k = 0 ... n, X of law Bin(n, p); shape `(..., n + 1)`."""
    ways = torch.tensor([float(math.comb(n, k)) for k in range(n + 1)])
    k = torch.arange(n + 1)
    return ways * p.unsqueeze(-1) ** k * (1 - p.unsqueeze(-1)) ** (n - k)


@claim(
    "tuner/plain-geometric-waiting-time",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.3]),
    cite="(1 - p)^t <= e^(-p t), where t should have been rounded up",
)
def plain_geometric_waiting_time(forall, draw, *, delta):
    """The first success, one of probability p at a time, comes within log(1/delta) / p trials."""
    p = forall.interval("p", 0.01, 0.99)
    wait = (draw.uniform("u").log() / (1 - p).log()).ceil()
    return wait, math.log(1 / delta) / p


@claim(
    "tuner/plain-recapture",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.15]),
    cite="Chapman 1951, three times the estimate as an upper bound",
)
def plain_recapture(forall, draw, *, delta):
    """N <= 3 * 21 * 21 / (m + 1), 20 of N fish marked, m of 20 caught ones (and let go) with a mark, N <= 450."""
    size = forall.integers("size", 100, 450)
    return size, 3 * 21 * 21 / (flips(draw, 20, 20 / size) + 1)


@claim(
    "tuner/plain-student-quantile",
    high_probability("delta"),
    expected="refuted",
    over=grid(delta=[0.05]),
    cite="Student 1908, one quantile for all degrees of freedom",
)
def plain_student_quantile(forall, draw, *, delta):
    """|t| <= 2.8 with probability 0.95 for Student's t of 2 to 400 degrees of freedom."""
    degrees = forall.integers("degrees", 2, 400)
    used = torch.arange(400) < degrees.unsqueeze(-1)
    square = (draw.normal("h", 400).square() * used).sum(-1) / degrees
    return draw.normal("g").abs() / square.sqrt(), 2.8


@claim(
    "tuner/plain-mid-p-value",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[12], delta=[0.05]),
    cite="Lancaster 1961 (the mid-p test is not conservative)",
)
def plain_mid_p_value(forall, draw, *, n, delta):
    """P(X > x) + P(X = x) / 2 >= delta with probability 1 - delta, X of law Bin(n, p)."""
    p = forall.interval("p", 0.0, 1.0)
    mass = binomial(n, p)
    above = mass.flip(-1).cumsum(-1).flip(-1) - mass / 2
    seen = flips(draw, n, p).long().unsqueeze(-1)
    return delta - torch.take_along_dim(above, seen, -1).squeeze(-1), 0.0


@claim(
    "tuner/plain-some-rare-event",
    expectation(range=(-0.2, 1.0)),
    expected="refuted",
    over=grid(n=[2]),
    cite="Le Cam 1960 (Poisson approximation), as a bound",
)
def plain_some_rare_event(forall, draw, *, n):
    """P(some of n events) <= 1 - exp(-the sum of their probabilities), each at most 0.1."""
    p = forall.interval("p", 0.0, 0.1, n)
    return draw.bernoulli("x", p, n).amax(-1), 1 - (-p.sum(-1)).exp()


@claim(
    "tuner/plain-signs-at-seventeen-tenths",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[10], delta=[0.08]),
    cite="Pinelis 1994, a normal tail with a constant that is too small",
)
def plain_signs_at_seventeen_tenths(forall, draw, *, n, delta):
    """<a, eps> < 1.7 with probability 0.92, |a| = 1."""
    a = forall.sphere("a", n)
    return (a * draw.signs("eps", n)).sum(-1), 1.7


@claim(
    "tuner/plain-longest-run",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[64], delta=[0.15]),
    cite="Erdos-Renyi 1970 (the longest run), one more than the logarithm",
)
def plain_longest_run(forall, draw, *, n, delta):
    """The longest run of heads in n flips is at most log n / log(1/p) + 1."""
    p = forall.interval("p", 0.1, 0.6)
    x = draw.bernoulli("x", p, n)
    run, longest = torch.zeros_like(x[..., 0]), torch.zeros_like(x[..., 0])
    for i in range(n):
        run = (run + 1) * x[..., i]
        longest = torch.maximum(longest, run)
    return longest, math.log(n) / (1 / p).log() + 1


@claim(
    "tuner/plain-largest-of-dice",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(m=[4]),
    cite="David-Nagaraja 2003, section 3.1, with 1/4 for 1/2",
)
def plain_largest_of_dice(forall, draw, *, m):
    """E max / k <= m / (m + 1) + 1 / (4 k), m dice with k faces, 1 <= k <= 10^6."""
    k = forall.integers("k", 1, 1_000_000)
    largest = (draw.uniform("u", m) * k.unsqueeze(-1)).floor().amax(-1) + 1
    return largest / k, m / (m + 1) + 1 / (4 * k)


@claim(
    "tuner/plain-polya-urn",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[20], delta=[0.05]),
    cite="Eggenberger-Polya 1923, as if the draws were independent",
)
def plain_polya_urn(forall, draw, *, n, delta):
    """The share of n draws is within 0.35 of a / (a + b), Polya's urn of a and b balls, up to 10^5 each."""
    a, b = forall.integers("a", 1, 100_000), forall.integers("b", 1, 100_000)
    u = draw.uniform("u", n)
    drawn = torch.zeros_like(u[..., 0])
    for i in range(n):
        drawn = drawn + (u[..., i] < (a + drawn) / (a + b + i)).double()
    return (drawn / n - a / (a + b)).abs(), 0.35


@claim(
    "tuner/plain-inverse-of-count",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(n=[30]),
    cite="Chao-Strawderman 1972 (E 1/(1 + X)), Jensen's inequality with a tenth to spare",
)
def plain_inverse_of_count(forall, draw, *, n):
    """E 1 / (1 + X) <= 1.1 / (1 + n p), X of law Bin(n, p)."""
    p = forall.interval("p", 0.0, 1.0)
    return 1 / (1 + flips(draw, n, p)), 1.1 / (1 + n * p)


@claim(
    "tuner/plain-one-above-the-mean",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.25]),
    cite="Kaas-Buhrman 1980 (the median is next to the mean), a quarter above the next number",
)
def plain_one_above_the_mean(forall, draw, *, n, delta):
    """X <= n p + 1 with probability 3/4, X of law Bin(n, p), n p <= 2.1."""
    p = forall.interval("p", 0.0, 0.021)
    return flips(draw, n, p), n * p + 1


@claim(
    "tuner/plain-sample-quantile-above",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[9], delta=[0.58]),
    cite="David-Nagaraja 2003, section 2.1 (the distribution of an order statistic)",
)
def plain_sample_quantile_above(forall, draw, *, n, delta):
    """q <= the ceil(n q)-th of n uniform numbers with probability 0.42, q <= 0.9."""
    q = forall.interval("q", 0.0, 0.9)
    at = ((n * q).ceil().long().clamp(1, n) - 1).unsqueeze(-1)
    ordered = draw.uniform("u", n).sort(-1).values
    return q, torch.take_along_dim(ordered, at, -1).squeeze(-1)


@claim(
    "tuner/plain-one-sided-dkw",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[40], d=[8], delta=[0.05]),
    cite="Massart 1990, with 0.25 for 1",
)
def plain_one_sided_dkw(forall, draw, *, n, d, delta):
    """max F_n - F <= sqrt(log(0.25/delta) / (2 n)), any law on d atoms."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    return (counts / n - w).cumsum(-1).amax(-1), math.sqrt(math.log(0.25 / delta) / (2 * n))


@claim(
    "tuner/plain-two-looks",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[200], delta=[0.075]),
    cite="Armitage-McPherson-Rowe 1969 (repeated significance tests)",
)
def plain_two_looks(forall, draw, *, n, delta):
    """|Z| <= 1.96 after m numbers and after n, with probability 1 - delta, 1 <= m <= n."""
    m = forall.integers("m", 1, n)
    x = draw.normal("x", n)
    first = (x * (torch.arange(n) < m.unsqueeze(-1))).sum(-1) / m.sqrt()
    return torch.maximum(first.abs(), x.sum(-1).abs() / math.sqrt(n)), 1.96


@claim(
    "tuner/plain-sum-of-two-dice",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    over=grid(n=[2]),
    cite="the law of the sum of two dice, 1/(m + 1) for 1/m",
)
def plain_sum_of_two_dice(forall, draw, *, n):
    """P(the sum of n = 2 dice with m faces is s) <= 1 / (m + 1), m <= 1000, s <= 2000."""
    m, s = forall.integers("m", 2, 1000), forall.integers("s", 2, 2000)
    total = ((draw.uniform("u", n) * m.unsqueeze(-1)).floor() + 1).sum(-1)
    return (total == s).double(), 1 / (m + 1)


PROOFS: dict[str, str] = {}

WITNESSES = {
    "tuner/plain-geometric-waiting-time": {
        "params": {"delta": 0.3},
        "values": {"p": 0.603},
        "probability": 0.397,
        "why": "1 - p: the bound is just below 2",
    },
    "tuner/plain-recapture": {
        "params": {"delta": 0.15},
        "values": {"size": 442},
        "probability": 0.2304,
        "why": "two marks or more; Bin(20, 20/442)",
    },
    "tuner/plain-student-quantile": {
        "params": {"delta": 0.05},
        "values": {"degrees": 2},
        "probability": 0.1074,
        "why": "Student's law of two degrees of freedom",
    },
    "tuner/plain-mid-p-value": {
        "params": {"n": 12, "delta": 0.05},
        "values": {"p": 0.006},
        "probability": 0.0697,
        "why": "1 - 0.994^12; above one, half the mass at one",
    },
    "tuner/plain-some-rare-event": {
        "params": {"n": 2},
        "values": {"p": [0.1, 0.1]},
        "mean": 0.00873,
        "why": "0.19 - (1 - exp(-0.2))",
    },
    "tuner/plain-signs-at-seventeen-tenths": {
        "params": {"n": 10, "delta": 0.08},
        "values": {"a": [3**-0.5] * 3 + [0.0] * 7},
        "probability": 0.125,
        "why": "three signs agree, sqrt(3) > 1.7",
    },
    "tuner/plain-longest-run": {
        "params": {"n": 64, "delta": 0.15},
        "values": {"p": 0.499},
        "probability": 0.211,
        "why": "seven heads or more; simulation",
    },
    "tuner/plain-largest-of-dice": {
        "params": {"m": 4},
        "values": {"k": 3},
        "mean": 0.0466,
        "why": "enumeration",
    },
    "tuner/plain-polya-urn": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"a": 1, "b": 1},
        "probability": 6 / 21,
        "why": "the count is uniform on 0 ... 20; 0, 1, 2 and 18, 19, 20",
    },
    "tuner/plain-inverse-of-count": {
        "params": {"n": 30},
        "values": {"p": 0.06},
        "mean": 0.065,
        "why": "(1 - 0.94^31) / (31 * 0.06) - 1.1 / 2.8",
    },
    "tuner/plain-one-above-the-mean": {
        "params": {"n": 100, "delta": 0.25},
        "values": {"p": 0.0199},
        "probability": 0.32,
        "why": "three or more of Bin(100, 0.0199)",
    },
    "tuner/plain-sample-quantile-above": {
        "params": {"n": 9, "delta": 0.58},
        "values": {"q": 0.8888},
        "probability": 0.736,
        "why": "eight or more of Bin(9, 8/9)",
    },
    "tuner/plain-one-sided-dkw": {
        "params": {"n": 40, "d": 8, "delta": 0.05},
        "values": {"w": [0.125] * 8},
        "probability": 0.08,
        "why": "simulation",
    },
    "tuner/plain-two-looks": {
        "params": {"n": 200, "delta": 0.075},
        "values": {"m": 1},
        "probability": 0.0965,
        "why": "nearly independent looks",
    },
    "tuner/plain-sum-of-two-dice": {
        "params": {"n": 2},
        "values": {"m": 2, "s": 3},
        "mean": 1 / 6,
        "why": "1/2 - 1/3",
    },
}
