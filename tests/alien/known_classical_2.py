"""Alien claims, known, part 2 of 2: classical inequalities, combinatorics and geometry; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability


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
    "classical/plain-kantorovich-unsquared",
    always(),
    expected="refuted",
    cite="Kantorovich 1948, square forgotten",
    over=grid(n=[2, 10], top=[9.0]),
)
def plain_kantorovich_unsquared(forall, *, n, top):
    """(sum w x)(sum w / x) <= (m + M) / (2 sqrt(m M)) for m <= x <= M, m = 1."""
    x = forall.interval("x", 1.0, top, n)
    w = forall.simplex("w", n)
    return (w * x).sum(-1) * (w / x).sum(-1), (1 + top) / (2 * math.sqrt(top))


@claim(
    "classical/plain-ptolemy-l1",
    always(),
    expected="refuted",
    cite="Schoenberg 1940: Ptolemaic normed spaces are inner product spaces",
)
def plain_ptolemy_l1(forall):
    """Ptolemy's inequality with the l1 distance of the plane."""
    a, b, c, d = (forall.interval(name, -1.0, 1.0, 2) for name in "abcd")

    def dist(u, v):
        return (u - v).abs().sum(-1)

    return dist(a, c) * dist(b, d), dist(a, b) * dist(c, d) + dist(b, c) * dist(a, d)


@claim("classical/subtle-sampford-constant", always(), expected="refuted", cite="Sampford 1953 with 8.3 in place of 8")
def subtle_sampford_constant(forall):
    """Mills ratio <= 4 / (3 x + sqrt(x^2 + 8.3)): true near 0, false by 0.2 % at x = 2.7, less and less beyond.

    Findable: one variable, smooth; every x from 1.63 to 30 violates it, by 0.3/(8 x^2) far out.
    """
    x = forall.interval("x", 0.0, 30.0)
    mills = math.sqrt(math.pi / 2) * torch.special.erfcx(x / math.sqrt(2))
    return mills, 4 / (3 * x + (x**2 + 8.3).sqrt())


@claim(
    "classical/subtle-grothendieck",
    always(),
    expected="refuted",
    cite="Grothendieck 1953; Krivine 1979; CHSH 1969",
    over=grid(n=[2, 3]),
)
def subtle_grothendieck(forall, *, n):
    """sum A_ij <u_i, v_j> <= 1.3 max over signs sum A_ij s_i t_j: false by 8.8 % at the CHSH matrix.

    Findable: smooth ascent in the matrix and both families of unit vectors; the set of violations is open.
    """
    a = forall.interval("a", -1.0, 1.0, n, n)
    u = forall.sphere("u", n, n)
    v = forall.sphere("v", n, n)
    vectors = (a * (u @ v.transpose(-1, -2))).sum((-2, -1))
    signs = (sign_table(n) @ a).abs().sum(-1).amax(-1)
    return vectors, 1.3 * signs


@claim(
    "classical/plain-markov-linear",
    always(),
    expected="refuted",
    cite="Markov 1889 with n (Bernstein's factor) in place of n^2",
    over=grid(n=[2, 5, 20]),
)
def plain_markov_linear(forall, *, n):
    """|p'(1)| <= n max_k |p(cos(k pi / n))| for p = sum c_j T_j of degree n."""
    c = forall.ball("c", n + 1)
    j = torch.arange(n + 1).double()
    values = c @ (math.pi / n * j.unsqueeze(-1) * j).cos()
    return (c * j**2).sum(-1).abs(), n * values.abs().amax(-1)


@claim(
    "classical/plain-chord-squared",
    always(),
    expected="refuted",
    cite="Steele, Master Class, ch. 4; factor 2 forgotten",
    over=grid(n=[2, 3, 100]),
)
def plain_chord_squared(forall, *, n):
    """1 - <u, w> <= (1 - <u, v>) + (1 - <v, w>) for unit vectors, as if squared chords were a metric."""
    u, v, w = (forall.sphere(name, n) for name in "uvw")
    return 1 - (u * w).sum(-1), (1 - (u * v).sum(-1)) + (1 - (v * w).sum(-1))


@claim("classical/subtle-divisors-12", always(), expected="refuted", cite="Hardy & Wright, 18.1 (method)")
def subtle_divisors_12(forall):
    """The number of divisors d(n) <= 1.7 sqrt(n): false at n = 12 alone.

    Findable: 2000 integers can be listed, and small integers are the first to try.
    """
    n = forall.integers("n", 1, 2000)
    k = torch.arange(1, 2001).double()
    return (n.unsqueeze(-1) % k == 0).double().sum(-1), 1.7 * n.sqrt()


@claim(
    "classical/subtle-jung-space",
    always(),
    expected="refuted",
    cite="Jung 1901; the plane's constant 1/3 in space, where it is 3/8",
    over=grid(n=[4, 6]),
)
def subtle_jung_space(forall, *, n):
    """Weighted points of space: sum w_i |x_i - centroid|^2 <= diameter^2 / 3.

    False near regular simplices with nearly equal weights (by 12.5 %). Findable: a smooth climb, were it not for
    the maximum in the diameter.
    """
    x = forall.ball("x", n, 3)
    w = forall.simplex("w", n)
    centroid = (w.unsqueeze(-1) * x).sum(-2, keepdim=True)
    moment = (w * ((x - centroid) ** 2).sum(-1)).sum(-1)
    squares = ((x.unsqueeze(-2) - x.unsqueeze(-3)) ** 2).sum(-1)
    return moment, squares.amax((-2, -1)) / 3


@claim(
    "classical/plain-tomaszewski-third",
    high_probability("delta"),
    expected="refuted",
    cite="Keller & Klein 2022, with 0.35 in place of 1/2",
    over=grid(n=[2, 8], delta=[0.35]),
)
def plain_tomaszewski_third(forall, draw, *, n, delta):
    """|sum of +-a_i| <= |a| with probability at least 0.65."""
    a = forall.ball("a", n)
    eps = draw.signs("eps", n)
    return (a * eps).sum(-1).abs(), a.norm(dim=-1)


@claim(
    "classical/plain-khintchine-gaussian",
    expectation(range=(-1.0, 4.0)),
    expected="refuted",
    cite="Haagerup 1981: for signs the upper constant is 1",
    over=grid(n=[4, 16]),
)
def plain_khintchine_gaussian(forall, draw, *, n):
    """E |sum of +-a_i| <= sqrt(2/pi) |a|, as if the signs were Gaussian."""
    a = forall.ball("a", n)
    eps = draw.signs("eps", n)
    return (a * eps).sum(-1).abs(), math.sqrt(2 / math.pi) * a.norm(dim=-1)


@claim(
    "classical/subtle-nesbitt-power",
    always(),
    expected="refuted",
    cite="Nesbitt 1903; exponent log2(3) - 1 = 0.585 is critical",
)
def subtle_nesbitt_power(forall):
    """sum (x / (y + z))^t >= 3 / 2^t for 0.55 <= t <= 1: false for t < 0.585 near (1, 1, 0).

    Findable: a corner in all four variables.
    """
    t = forall.interval("t", 0.55, 1.0)
    x = forall.interval("x", 0.0, 1.0)
    y = forall.interval("y", 0.0, 1.0)
    z = forall.interval("z", 0.0, 1.0)
    return 3 / 2**t, (x / (y + z)) ** t + (y / (z + x)) ** t + (z / (x + y)) ** t


@claim(
    "classical/subtle-central-binomial",
    always(),
    expected="refuted",
    cite="Kazarinoff, Analytic Inequalities: true with 1/4",
)
def subtle_central_binomial(forall):
    """C(2n, n) / 4^n <= 1 / sqrt(pi (n + 0.26)): true for n <= 2, false from n = 3 on, by at most 0.04 % (n = 6).

    Findable: most integers violate it, by 0.005/n.
    """
    n = forall.integers("n", 1, 500)
    log_share = torch.lgamma(2 * n + 1) - 2 * torch.lgamma(n + 1) - 2 * n * math.log(2)
    return log_share.exp(), 1 / (math.pi * (n + 0.26)).sqrt()


@claim(
    "classical/plain-newton-index",
    always(),
    expected="refuted",
    cite="Hardy-Littlewood-Polya, Theorem 51, (n-k)/(n-k+1) mistyped",
    over=grid(n=[6, 10], k=[2, 3]),
)
def plain_newton_index(forall, *, n, k):
    """e_{k-1} e_{k+1} <= k/(k+1) (n-k-1)/(n-k) e_k^2 for nonnegative numbers."""
    x = forall.interval("x", 0.0, 10.0, n)
    e = elementary(x)
    return e[..., k - 1] * e[..., k + 1], k / (k + 1) * (n - k - 1) / (n - k) * e[..., k] ** 2


@claim(
    "classical/plain-hilbert-two",
    always(),
    expected="refuted",
    cite="Hardy-Littlewood-Polya, 9.1, with 2 in place of pi",
    over=grid(n=[10, 100]),
)
def plain_hilbert_two(forall, *, n):
    """sum_{i,j} a_i b_j / (i + j - 1) <= 2 |a| |b|."""
    a = forall.ball("a", n)
    b = forall.ball("b", n)
    i = torch.arange(1, n + 1).double()
    kernel = 1 / (i.unsqueeze(-1) + i - 1)
    return ((a @ kernel) * b).sum(-1), 2 * a.norm(dim=-1) * b.norm(dim=-1)


@claim("classical/subtle-log-mean", always(), expected="refuted", cite="Lin 1974: the order 1/3 is best possible")
def subtle_log_mean(forall):
    """Logarithmic mean (a - b) / log(a/b) <= power mean of order 0.325: false by 0.18 % for a/b near 6.5.

    Findable: two variables, violated by more than 1e-6 for 1.04 < a/b < 15.
    """
    a = forall.interval("a", 0.001, 1000.0)
    b = forall.interval("b", 0.001, 1000.0)
    return (a - b) / (a / b).log(), ((a**0.325 + b**0.325) / 2) ** (1 / 0.325)


@claim(
    "classical/subtle-vector-balancing",
    always(),
    expected="refuted",
    cite="Alon & Spencer, Theorem 2.4.1, with 0.93 sqrt(n)",
    over=grid(n=[6]),
)
def subtle_vector_balancing(forall, *, n):
    """Some choice of signs has |sum of +-v_i| <= 0.93 sqrt(n) for n vectors of the unit ball of R^n.

    False only near orthonormal families (by 7.5 %). Findable: ascent of the minimum, or an identity matrix.
    """
    v = forall.ball("v", n, n)
    lengths = torch.einsum("sn,bnd->bsd", sign_table(n), v).norm(dim=-1)
    return lengths.amin(-1), 0.93 * math.sqrt(n)


@claim(
    "classical/plain-hardy-two",
    always(),
    expected="refuted",
    cite="Hardy-Littlewood-Polya, Theorem 326, with 2 in place of 4",
    over=grid(n=[10, 50]),
)
def plain_hardy_two(forall, *, n):
    """sum of squared running means <= 2 sum a^2 for nonnegative a."""
    a = forall.interval("a", 0.0, 1.0, n)
    means = a.cumsum(-1) / torch.arange(1, n + 1).double()
    return (means**2).sum(-1), 2 * (a**2).sum(-1)


H = math.sqrt(0.5)


PROOFS: dict[str, object] = {}


WITNESSES = {
    "classical/plain-kantorovich-unsquared": {
        "params": {"n": 2, "top": 9.0},
        "values": {"x": [1.0, 9.0], "w": [0.5, 0.5]},
        "why": "lhs = 5 * 5/9 = 25/9, rhs = 5/3",
    },
    "classical/plain-ptolemy-l1": {
        "params": {},
        "values": {"a": [1.0, 1.0], "b": [-1.0, 1.0], "c": [-1.0, -1.0], "d": [1.0, -1.0]},
        "why": "diagonals 4 * 4 = 16, sides 2 * 2 + 2 * 2 = 8",
    },
    "classical/subtle-sampford-constant": {
        "params": {},
        "values": {"x": 2.6875},
        "why": "50-digit quotient of the sides: 1 + 0.0021066",
    },
    "classical/subtle-grothendieck": {
        "params": {"n": 2},
        "values": {"a": [[1.0, 1.0], [1.0, -1.0]], "u": [[1.0, 0.0], [0.0, 1.0]], "v": [[H, H], [H, -H]]},
        "why": "lhs = 2 sqrt 2 = 2.8284, rhs = 2.6",
    },
    "classical/plain-markov-linear": {
        "params": {"n": 2},
        "values": {"c": [0.0, 0.0, 1.0]},
        "why": "p = T_2: p'(1) = 4, rhs = 2 * 1",
    },
    "classical/plain-chord-squared": {
        "params": {"n": 2},
        "values": {"u": [1.0, 0.0], "v": [0.6, 0.8], "w": [0.0, 1.0]},
        "why": "lhs = 1, rhs = 0.4 + 0.2",
    },
    "classical/subtle-divisors-12": {
        "params": {},
        "values": {"n": 12.0},
        "why": "d(12) = 6, rhs = 1.7 sqrt 12 = 5.889",
    },
    "classical/subtle-jung-space": {
        "params": {"n": 4},
        "values": {
            "x": [[0.5, 0.5, 0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]],
            "w": [0.25, 0.25, 0.25, 0.25],
        },
        "why": "lhs = 3/4, diameter^2 = 2, rhs = 2/3",
    },
    "classical/plain-tomaszewski-third": {
        "params": {"n": 2, "delta": 0.35},
        "values": {"a": [0.5, 0.5]},
        "probability": 0.5,
        "why": "|S| is 1 or 0 with probability 1/2 each, |a| = 0.7071",
    },
    "classical/plain-khintchine-gaussian": {
        "params": {"n": 4},
        "values": {"a": [1.0, 0.0, 0.0, 0.0]},
        "mean": 0.20211543919713,
        "why": "|S| = 1 always, sqrt(2/pi) = 0.79788",
    },
    "classical/subtle-nesbitt-power": {
        "params": {},
        "values": {"t": 0.55, "x": 1.0, "y": 1.0, "z": 0.0},
        "why": "lhs = 3 / 2^0.55 = 2.0491, rhs = 2",
    },
    "classical/subtle-central-binomial": {
        "params": {},
        "values": {"n": 6.0},
        "why": "924/4096 = 0.225586, rhs = 1/sqrt(6.26 pi) = 0.225496",
    },
    "classical/plain-newton-index": {
        "params": {"n": 6, "k": 2},
        "values": {"x": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]},
        "why": "lhs = 6 * 20 = 120, rhs = 2/3 * 3/4 * 225 = 112.5",
    },
    "classical/plain-hilbert-two": {
        "params": {"n": 100},
        "values": {"a": [0.4 / k**0.5 for k in range(1, 101)], "b": [0.4 / k**0.5 for k in range(1, 101)]},
        "why": "a_k = b_k = 0.4/sqrt k: quotient 2.1292; the norm of the section is 2.1827",
    },
    "classical/subtle-log-mean": {
        "params": {},
        "values": {"a": 6.5, "b": 1.0},
        "why": "50-digit quotient of the sides: 1 + 0.0017534",
    },
    "classical/subtle-vector-balancing": {
        "params": {"n": 6},
        "values": {"v": [[float(i == j) for j in range(6)] for i in range(6)]},
        "why": "every sum has length sqrt 6 = 2.449, rhs = 2.278",
    },
    "classical/plain-hardy-two": {
        "params": {"n": 50},
        "values": {"a": [k**-0.5 for k in range(1, 51)]},
        "why": "quotient of the sums 2.07566 for a_k = 1/sqrt k (2.491 at the best a)",
    },
}
