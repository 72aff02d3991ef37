"""Alien claims, aside: classical inequalities, combinatorics and geometry; see README.md.

Hold-out: whoever tunes the judge does not read on.
"""

import math

import torch

from harness import always, claim, grid, high_probability, identity, rate


def sign_table(n):
    """All sign vectors of length n, one a row."""
    return ((torch.arange(2**n).unsqueeze(-1) >> torch.arange(n)) & 1).double() * 2 - 1


@claim(
    "classical/true-hoelder-affinity",
    always(),
    cite="Hardy-Littlewood-Polya, Inequalities, Theorem 11 (Hölder)",
    over=grid(n=[1, 2, 200]),
)
def true_hoelder_affinity(forall, *, n):
    """sum p^t q^(1-t) <= 1 for two points of the simplex and 0 <= t <= 1."""
    t = forall.interval("t", 0.0, 1.0)
    p = forall.simplex("p", n)
    q = forall.simplex("q", n)
    t = t.unsqueeze(-1)
    return (p**t * q ** (1 - t)).sum(-1), 1.0


@claim("classical/true-gautschi-logs", always(), cite="DLMF 5.6.4 (Gautschi 1959)")
def true_gautschi_logs(forall):
    """(1 - s) log x <= log Gamma(x + 1) - log Gamma(x + s), 0 <= s <= 1, x > 0."""
    x = forall.interval("x", 0.0, 1e6)
    s = forall.interval("s", 0.0, 1.0)
    return (1 - s) * x.log(), torch.lgamma(x + 1) - torch.lgamma(x + s)


@claim("classical/true-sampford", always(), cite="Sampford 1953, Ann. Math. Statist. 24, 130-132")
def true_sampford(forall):
    """Mills ratio sqrt(pi/2) erfcx(x / sqrt 2) <= 4 / (3 x + sqrt(x^2 + 8)), x >= 0."""
    x = forall.interval("x", 0.0, 1e6)
    mills = math.sqrt(math.pi / 2) * torch.special.erfcx(x / math.sqrt(2))
    return mills, 4 / (3 * x + (x**2 + 8).sqrt())


@claim(
    "classical/true-dirichlet-kernel",
    identity(),
    cite="Zygmund, Trigonometric Series, I.2; DLMF 4.21 (product to sum)",
    over=grid(n=[1, 10, 100]),
)
def true_dirichlet_kernel(forall, *, n):
    """sin(x/2) (1 + 2 sum_{k <= n} cos k x) = sin((n + 1/2) x)."""
    x = forall.interval("x", -20.0, 20.0)
    k = torch.arange(1, n + 1).double()
    kernel = 1 + 2 * (k * x.unsqueeze(-1)).cos().sum(-1)
    return (x / 2).sin() * kernel, ((n + 0.5) * x).sin()


@claim(
    "classical/true-hilbert",
    always(),
    cite="Hardy-Littlewood-Polya, Inequalities, Theorem 294 and 9.1 (Hilbert)",
    over=grid(n=[1, 10, 200]),
)
def true_hilbert(forall, *, n):
    """sum_{i,j} a_i b_j / (i + j - 1) <= pi |a| |b|."""
    a = forall.ball("a", n)
    b = forall.ball("b", n)
    i = torch.arange(1, n + 1).double()
    kernel = 1 / (i.unsqueeze(-1) + i - 1)
    return ((a @ kernel) * b).sum(-1), math.pi * a.norm(dim=-1) * b.norm(dim=-1)


@claim(
    "classical/true-hadwiger-finsler",
    always(),
    cite="Finsler & Hadwiger 1937; Steele, Cauchy-Schwarz Master Class, ex. 2.12-13",
)
def true_hadwiger_finsler(forall):
    """4 sqrt(3) S + (a-b)^2 + (b-c)^2 + (c-a)^2 <= a^2 + b^2 + c^2, S by Heron's formula."""
    p = forall.ball("p", 2, radius=10.0)
    q = forall.ball("q", 2, radius=10.0)
    r = forall.ball("r", 2, radius=10.0)
    a, b, c = (q - r).norm(dim=-1), (r - p).norm(dim=-1), (p - q).norm(dim=-1)
    s = (a + b + c) / 2
    area = (s * (s - a) * (s - b) * (s - c)).clamp_min(0).sqrt()
    return 4 * math.sqrt(3) * area + (a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2, a**2 + b**2 + c**2


@claim(
    "classical/true-power-means",
    always(),
    cite="Hardy-Littlewood-Polya, Inequalities, Theorem 16",
    over=grid(n=[1, 2, 50]),
)
def true_power_means(forall, *, n):
    """M_p(x) <= M_{p+h}(x) for p > 0, h >= 0."""
    p = forall.interval("p", 0.01, 10.0).unsqueeze(-1)
    q = p + forall.interval("h", 0.0, 10.0).unsqueeze(-1)
    x = forall.interval("x", 0.001, 1000.0, n)
    return (x**p).mean(-1) ** (1 / p.squeeze(-1)), (x**q).mean(-1) ** (1 / q.squeeze(-1))


@claim(
    "classical/true-spherical-triangle",
    always(),
    cite="Triangle inequality of the geodesic distance (Berger, Geometry II, 18.4)",
    over=grid(n=[1, 2, 3, 50]),
)
def true_spherical_triangle(forall, *, n):
    """angle(u, w) <= angle(u, v) + angle(v, w) for unit vectors."""
    u, v, w = (forall.sphere(name, n) for name in "uvw")

    def angle(a, b):
        return (a * b).sum(-1).clamp(-1, 1).acos()

    return angle(u, w), angle(u, v) + angle(v, w)


@claim(
    "classical/true-kantorovich",
    always(),
    cite="Kantorovich 1948; Marshall, Olkin, Arnold, Inequalities, 3.D",
    over=grid(n=[1, 2, 30], top=[4.0, 9.0, 1e6]),
)
def true_kantorovich(forall, *, n, top):
    """(sum w x)(sum w / x) <= (m + M)^2 / (4 m M) for m <= x <= M, m = 1."""
    x = forall.interval("x", 1.0, top, n)
    w = forall.simplex("w", n)
    return (w * x).sum(-1) * (w / x).sum(-1), (1 + top) ** 2 / (4 * top)


@claim(
    "classical/true-vector-balancing",
    always(),
    cite="Alon & Spencer, The Probabilistic Method, Theorem 2.4.1",
    over=grid(n=[1, 2, 6], dim=[1, 6]),
)
def true_vector_balancing(forall, *, n, dim):
    """Some choice of signs has |sum of +-v_i| <= sqrt(n) for n vectors of the unit ball."""
    v = forall.ball("v", n, dim)
    lengths = torch.einsum("sn,bnd->bsd", sign_table(n), v).norm(dim=-1)
    return lengths.amin(-1), math.sqrt(n)


@claim(
    "classical/plain-bernoulli-small-power",
    always(),
    expected="refuted",
    cite="Mitrinovic, Analytic Inequalities, 2.4; r >= 1 forgotten",
)
def plain_bernoulli_small_power(forall):
    """1 + r x <= (1 + x)^r for x >= -1 and every r >= 0."""
    r = forall.interval("r", 0.0, 3.0)
    x = forall.interval("x", -1.0, 10.0)
    return 1 + r * x, (1 + x) ** r


@claim(
    "classical/subtle-gibbs",
    always(),
    expected="refuted",
    cite="Wilbraham 1848; Zygmund, Trigonometric Series, II.9",
    over=grid(n=[50, 200]),
)
def subtle_gibbs(forall, *, n):
    """sum_{k <= n} sin(k x) / k <= 1.75, although the Gibbs overshoot tends to Si(pi) = 1.8519.

    Findable: a bump of width about 1.5/n at pi/(n + 1) with a slope towards it from both sides.
    """
    x = forall.interval("x", 0.0, math.pi)
    k = torch.arange(1, n + 1).double()
    return ((k * x.unsqueeze(-1)).sin() / k).sum(-1), 1.75


@claim(
    "classical/plain-littlewood-offord-closed",
    always(),
    expected="refuted",
    cite="Erdős 1945, open interval forgotten",
    over=grid(n=[5, 9]),
)
def plain_littlewood_offord_closed(forall, *, n):
    """Of the 2^n sums of +-a_i, a_i >= 1, at most C(n, n//2) lie in a closed interval of length 2."""
    a = forall.integers("a", 1, 9, n)
    centre = forall.interval("centre", -20.0, 20.0)
    sums = a @ sign_table(n).T
    inside = (sums - centre.unsqueeze(-1)).abs() <= 1
    return inside.double().mean(-1), math.comb(n, n // 2) / 2**n


@claim(
    "classical/subtle-hadwiger-needle",
    always(),
    expected="refuted",
    cite="Finsler & Hadwiger 1937 with 1.01 in place of 1",
)
def subtle_hadwiger_needle(forall):
    """4 sqrt(3) S + 1.01 ((a-b)^2 + (b-c)^2 + (c-a)^2) <= a^2 + b^2 + c^2.

    False only for needles, one side below about 1 % of the others. Findable: the quotient climbs to two equal
    vertices, a corner of the configuration space.
    """
    p = forall.ball("p", 2, radius=10.0)
    q = forall.ball("q", 2, radius=10.0)
    r = forall.ball("r", 2, radius=10.0)
    a, b, c = (q - r).norm(dim=-1), (r - p).norm(dim=-1), (p - q).norm(dim=-1)
    s = (a + b + c) / 2
    area = (s * (s - a) * (s - b) * (s - c)).clamp_min(0).sqrt()
    return 4 * math.sqrt(3) * area + 1.01 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2), a**2 + b**2 + c**2


@claim(
    "classical/plain-kershaw-swapped",
    always(),
    expected="refuted",
    cite="Kershaw 1983, Math. Comp. 41, 607-611; lower bound as upper",
)
def plain_kershaw_swapped(forall):
    """Gamma(x + 1) / Gamma(x + s) <= (x + s/2)^(1 - s), x >= 0, 0 <= s <= 1."""
    x = forall.interval("x", 0.0, 20.0)
    s = forall.interval("s", 0.0, 1.0)
    return (torch.lgamma(x + 1) - torch.lgamma(x + s)).exp(), (x + s / 2) ** (1 - s)


@claim(
    "classical/subtle-one-success",
    high_probability("delta"),
    expected="refuted",
    cite="Feller I, VI.5 (Poisson limit)",
    over=grid(n=[1000], delta=[0.25]),
)
def subtle_one_success(forall, draw, *, n, delta):
    """Exactly one success in n trials has probability at most 1/4 whatever the bias; it is 1/e at p = 1/n.

    Findable: a rare probability of order 1/n, the classical worst case of binomials.
    """
    p = forall.interval("p", 0.0, 1.0)
    count = draw.bernoulli("x", p, n).sum(-1)
    return (count == 1).double(), 0.5


@claim(
    "classical/plain-closest-pair-rate",
    rate("n", -1.5),
    expected="refuted",
    cite="Closest pair of n uniform points: of order 1/n in the plane",
    over=grid(n=[8, 16, 32, 64, 128]),
)
def plain_closest_pair_rate(draw, *, n):
    """The closest pair among n uniform points of the square is at expected distance O(n^-3/2)."""
    x = draw.uniform("x", n, 2)
    squares = ((x.unsqueeze(-2) - x.unsqueeze(-3)) ** 2).sum(-1)
    return (squares + 4 * torch.eye(n, dtype=torch.float64)).amin((-2, -1)).sqrt()


@claim(
    "classical/subtle-sign-determinant",
    always(),
    expected="refuted",
    cite="Maximal determinants of sign matrices (Williamson 1946): 576 at n = 7",
)
def subtle_sign_determinant(forall):
    """|det| <= 512 for sign matrices of order 7; determinants are multiples of 64, and 576 occurs.

    Findable: flipping one sign at a time while |det| grows reaches 576 from most starts.
    """
    a = forall.signs("a", 7, 7)
    return torch.linalg.det(a).abs(), 512.0


@claim(
    "classical/plain-chebyshev-unsorted",
    always(),
    expected="refuted",
    cite="Hardy-Littlewood-Polya, Theorem 43; common order forgotten",
    over=grid(n=[2, 20]),
)
def plain_chebyshev_unsorted(forall, *, n):
    """mean(x) mean(y) <= mean(x y) with x increasing and y in any order."""
    x = forall.interval("x", 0.0, 10.0, n).sort(-1).values
    y = forall.interval("y", 0.0, 10.0, n)
    return x.mean(-1) * y.mean(-1), (x * y).mean(-1)


@claim(
    "classical/subtle-pair-signs",
    always(),
    expected="refuted",
    cite="Bollobás, Combinatorics, section 4 (signed sums)",
    over=grid(n=[200]),
)
def subtle_pair_signs(forall, *, n):
    """sum_{i<j} s_i s_j >= -(n - 1)/2 for n signs: right for odd n, false by 1/2 at balanced signs of even n.

    Findable: alternating signs, or half and half.
    """
    s = forall.signs("s", n)
    pairs = (s.sum(-1) ** 2 - n) / 2
    return -(n - 1) / 2, pairs


PROOFS = {
    "classical/true-hoelder-affinity": (
        "Hölder with exponents 1/t, 1/(1-t); at t = 0 or 1 the sum is sum q or sum p (0^0 = 1)."
    ),
    "classical/true-gautschi-logs": (
        "DLMF 5.6.4 (log-convexity: Gamma(x+s) <= Gamma(x)^(1-s) Gamma(x+1)^s); equal at s = 0, 1."
    ),
    "classical/true-sampford": "Sampford 1953 (valid for x > -1); the relative gap is about 2 x^-6 for large x.",
    "classical/true-dirichlet-kernel": "2 sin(x/2) cos(kx) = sin((k+1/2)x) - sin((k-1/2)x) telescopes.",
    "classical/true-hilbert": "Hilbert's inequality with m + n + 1, m, n >= 0, and Schur's constant pi (HLP 9.1).",
    "classical/true-hadwiger-finsler": (
        "Equivalent to sum tan(A/2) >= sqrt 3 (Jensen); degenerate triangles by continuity."
    ),
    "classical/true-power-means": "HLP Theorem 16 (Jensen for t^(q/p)); equality at h = 0 and at equal entries.",
    "classical/true-spherical-triangle": (
        "The angle is the geodesic distance of the sphere; equality on great circles."
    ),
    "classical/true-kantorovich": "0 <= sum w (x - m)(M - x)/x and AM-GM; equality at half weight on each end.",
    "classical/true-vector-balancing": "The mean of |sum eps_i v_i|^2 over all signs is sum |v_i|^2 <= n.",
}

WITNESSES = {
    "classical/plain-bernoulli-small-power": {
        "params": {},
        "values": {"r": 0.5, "x": 3.0},
        "why": "lhs = 5/2, rhs = 2",
    },
    "classical/subtle-gibbs": {
        "params": {"n": 200},
        "values": {"x": 0.015629},
        "why": "50-digit sum: 1.844113 (x near pi/201)",
    },
    "classical/plain-littlewood-offord-closed": {
        "params": {"n": 5},
        "values": {"a": [1.0, 1.0, 1.0, 1.0, 1.0], "centre": 0.0},
        "why": "sums -1 and 1: 20/32 against 10/32",
    },
    "classical/subtle-hadwiger-needle": {
        "params": {},
        "values": {"p": [0.0, 0.0], "q": [1.0, 0.0], "r": [1.0, 0.0]},
        "why": "sides 0, 1, 1: lhs = 2.02, rhs = 2",
    },
    "classical/plain-kershaw-swapped": {
        "params": {},
        "values": {"x": 0.0, "s": 0.5},
        "why": "lhs = 1/sqrt(pi) = 0.56419, rhs = 1/2",
    },
    "classical/subtle-one-success": {
        "params": {"n": 1000, "delta": 0.25},
        "values": {"p": 0.001},
        "probability": 0.36806348825922,
        "why": "1000 * 0.001 * 0.999^999",
    },
    "classical/plain-closest-pair-rate": {
        "params": {},
        "values": {},
        "exponent": -1.0,
        "why": "P(no pair closer than r) is about exp(-pi n^2 r^2 / 2), so n E min tends to 1/sqrt 2",
    },
    "classical/subtle-sign-determinant": {
        "params": {},
        "values": {
            "a": [
                [-1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0],
                [1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0],
                [-1.0, -1.0, 1.0, 1.0, -1.0, -1.0, -1.0],
                [1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0],
                [-1.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0],
                [-1.0, 1.0, -1.0, 1.0, -1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
            ]
        },
        "why": "determinant +-576 in integers",
    },
    "classical/plain-chebyshev-unsorted": {
        "params": {"n": 2},
        "values": {"x": [0.0, 10.0], "y": [10.0, 0.0]},
        "why": "lhs = 25, rhs = 0",
    },
    "classical/subtle-pair-signs": {
        "params": {"n": 200},
        "values": {"s": [1.0] * 100 + [-1.0] * 100},
        "why": "pairs = (0 - 200)/2 = -100, bound -99.5",
    },
}
