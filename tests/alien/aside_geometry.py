"""Alien claims, aside: transport, convex bodies, codes, combinatorics, mechanisms, votes; see README.md."""

import itertools
import math

import numpy as np
import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate, tail, up_to_constant


def wasserstein_by_sorting(x, y, p=1):
    return ((x.sort(-1).values - y.sort(-1).values).abs() ** p).mean(-1) ** (1.0 / p)


@claim("geometry/true-kantorovich", always(), cite="Kantorovich and Rubinstein 1958")
def kantorovich(forall):
    """E f(X) - E f(Y) <= W_1 for 1-Lipschitz f."""
    x, y = forall.interval("x", 0.0, 1.0, 3), forall.interval("y", 0.0, 1.0, 3)
    f = forall.lipschitz("f", torch.cat([x, y], dim=-1))
    return f[:, :3].mean(-1) - f[:, 3:].mean(-1), wasserstein_by_sorting(x, y)


@claim("geometry/true-w1-w2", always(), cite="Villani 2009, Remark 6.6")
def w1_w2(forall):
    """W_2^2 <= diameter W_1, here on [0, 1]."""
    x, y = forall.interval("x", 0.0, 1.0, 5), forall.interval("y", 0.0, 1.0, 5)
    return wasserstein_by_sorting(x, y, 2).square(), wasserstein_by_sorting(x, y)


def sinkhorn(cost, p, q, reg, steps):
    f, g = torch.zeros_like(p), torch.zeros_like(q)
    for _ in range(steps):
        f = -reg * torch.logsumexp((g[:, None, :] - cost) / reg + q.log()[:, None, :], -1)
        g = -reg * torch.logsumexp((f[:, :, None] - cost) / reg + p.log()[:, :, None], -2)
    return p[:, :, None] * q[:, None, :] * ((f[:, :, None] + g[:, None, :] - cost) / reg).exp()


@claim("geometry/plain-sinkhorn-rows", identity(), cite="Sinkhorn 1967, for the other sums", expected="refuted")
def sinkhorn_rows(forall):
    """After three rounds of Sinkhorn's iteration the rows have the right sums as well."""
    cost = forall.interval("c", 0.0, 1.0, 3, 3)
    p, q = (0.9 * forall.simplex(name, 3) + 0.1 / 3.0 for name in "pq")
    plan = sinkhorn(cost, p, q, 0.2, 3)
    return plan.sum(-1)[:, 0], p[:, 0]


@claim(
    "geometry/true-empirical-w1-rate",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256, 512]),
    cite="Bobkov and Ledoux 2019",
)
def empirical_w1_rate(draw, *, n):
    """E W_1 between two samples of n uniform numbers is of order n^(-1/2)."""
    return wasserstein_by_sorting(draw.uniform("x", n), draw.uniform("y", n))


@claim("geometry/true-loomis-whitney", always(), cite="Loomis and Whitney 1949")
def loomis_whitney(forall):
    """|S|^2 <= product of the sizes of the three projections of a set of cells."""
    cells = forall.integers("S", 0, 1, 3, 3, 3)
    shadows = torch.stack([cells.amax(axis).sum((-1, -2)) for axis in (1, 2, 3)])
    return cells.sum((-1, -2, -3)) ** 2, shadows.prod(0)


@claim(
    "geometry/plain-loomis-whitney", always(), cite="Loomis and Whitney 1949, for two projections", expected="refuted"
)
def loomis_whitney_two(forall):
    """|S|^2 <= product of the sizes of two projections of a set of cells."""
    cells = forall.integers("S", 0, 1, 3, 3, 3)
    return cells.sum((-1, -2, -3)) ** 2, cells.amax(1).sum((-1, -2)) * cells.amax(2).sum((-1, -2))


@claim("geometry/true-pick", identity(), cite="Pick 1899")
def pick(forall):
    """Twice the area of a lattice triangle = 2 I + B - 2 for a triangle that is not flat."""
    a, b = forall.integers("a", -4, 4, 2).long(), forall.integers("b", -4, 4, 2).long()
    double = (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).abs()
    forall.assume(double > 0)
    boundary = sum(torch.gcd(v[:, 0], v[:, 1]) for v in (a, b, a - b))
    grid_points = torch.cartesian_prod(torch.arange(-4, 5), torch.arange(-4, 5))

    def side(u, v):
        along, away = (v - u)[:, None], grid_points - u[:, None]
        return along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]

    zero = torch.zeros_like(a)
    turns = torch.stack([side(zero, a), side(a, b), side(b, zero)])
    inside = ((turns > 0).all(0) | (turns < 0).all(0)).sum(-1)
    return double.double(), (2 * inside + boundary - 2).double()


@claim("geometry/true-crofton", expectation(range=(-2.0, 2.0), margin=0.02), cite="Buffon 1777; Cauchy 1841")
def crofton(forall, draw):
    """The mean width of a triangle is its perimeter / pi."""
    corners = forall.ball("x", 3, 2, radius=0.5)
    angle = draw.uniform("angle", high=math.pi)
    along = corners[..., 0] * angle.cos()[:, None] + corners[..., 1] * angle.sin()[:, None]
    width = along.amax(-1) - along.amin(-1)
    return width, (corners - corners.roll(1, dims=1)).norm(dim=-1).sum(-1) / math.pi


@claim(
    "geometry/plain-mean-distance",
    expectation(range=(-0.8, 1.2)),
    cite="Santalo 1976: the mean distance in the disc is 128 / (45 pi)",
    expected="refuted",
)
def mean_distance(draw):
    """The mean distance of two points of the unit disc is at most 0.8."""
    return (draw.ball("x", 2) - draw.ball("y", 2)).norm(dim=-1), 0.8 * torch.ones(1, dtype=torch.float64)


def hamming_distances(words):
    """The Hamming distance of each pair of different rows."""
    i, j = np.triu_indices(words.shape[1], 1)
    return (words[:, i] != words[:, j]).sum(-1)


@claim("geometry/true-kraft", always(), cite="Kraft 1949; McMillan 1956")
def kraft(forall):
    """E length <= entropy + 1 for the word lengths ceil(log2(1 / p))."""
    p = 0.96 * forall.simplex("p", 5) + 0.008
    lengths = torch.ceil(-torch.log2(p))
    return (p * lengths).sum(-1), -(p * p.log2()).sum(-1) + 1.0


@claim(
    "geometry/subtle-random-code",
    tail(),
    over=grid(n=[5], m=[2]),
    cite="Gilbert 1952, without the centre of the ball",
    expected="refuted",
)
def random_code_small(draw, *, n, m):
    """P(some two of m random words are within distance 1) <= C(m, 2) n / 2^n."""
    words = draw.bernoulli("w", 0.5, m, n)
    return (hamming_distances(words) <= 1).any(-1), math.comb(m, 2) * n / 2**n


SUBSETS = torch.tensor(list(itertools.product([0, 1], repeat=4)))


def comparable(family):
    """How often one member of a family of subsets of {1, ..., 4} is strictly inside another."""
    inside = (SUBSETS[:, None, :] <= SUBSETS[None, :, :]).all(-1) & ~torch.eye(16, dtype=torch.bool)
    return torch.einsum("bi,ij,bj->b", family, inside.double(), family)


@claim("geometry/true-lym", always(), cite="Lubell 1966; Yamamoto 1954; Meshalkin 1963")
def lym(forall):
    """sum over an antichain of 1 / C(4, |A|) <= 1."""
    family = forall.integers("F", 0, 1, 16)
    forall.assume(comparable(family) == 0)
    weights = torch.tensor([1.0 / math.comb(4, int(s)) for s in SUBSETS.sum(-1)], dtype=torch.float64)
    return family @ weights, 1.0


@claim("geometry/true-ekr", always(), cite="Erdos, Ko and Rado 1961")
def ekr(forall):
    """At most half of the 3-subsets of six points meet pairwise: size <= 10 + 10 * disjoint pairs."""
    triples = list(itertools.combinations(range(6), 3))
    family = forall.integers("F", 0, 1, 20)
    apart = torch.tensor([[float(not set(a) & set(b)) for b in triples] for a in triples], dtype=torch.float64)
    return family.sum(-1), 10.0 + 5.0 * (family @ apart * family).sum(-1)


@claim("geometry/plain-first-price", always(), cite="Vickrey 1961, for the first price", expected="refuted")
def first_price(forall):
    """In a first-price auction no bid gains more than the true value."""
    value, bid = forall.interval("v", 0.0, 1.0), forall.interval("b", 0.0, 1.0)
    other = forall.interval("o", 0.0, 1.0, 3).amax(-1)
    gain = torch.where(bid > other, value - bid, 0.0)
    return gain, torch.where(value > other, value - value, torch.zeros_like(value))


RANKINGS = list(itertools.permutations("abc"))


@claim("geometry/true-borda-not-last", always(), cite="Young 1988")
def borda_not_last(forall):
    """A Condorcet winner is never last by Borda: her score is above the average."""
    votes = forall.integers("votes", 0, 5, 6)
    beats = {
        (x, y): sum(votes[:, i] for i, r in enumerate(RANKINGS) if r.index(x) < r.index(y))
        for x, y in itertools.permutations("abc", 2)
    }
    forall.assume((beats["a", "b"] > beats["b", "a"]) & (beats["a", "c"] > beats["c", "a"]))
    score = {x: sum(beats[x, y] for y in "abc" if y != x) for x in "abc"}
    return torch.minimum(score["b"], score["c"]) + 1.0, score["a"]


@claim(
    "geometry/true-two-samples",
    high_probability("delta"),
    over=grid(n=[10, 40], delta=[0.1]),
    cite="Massart 1990, twice",
)
def two_samples(draw, within, *, n, delta):
    """sup over half-lines of the difference of two samples of n uniform numbers <= sqrt(2 log(4 / delta) / n)."""
    x, y = draw.uniform("x", n), draw.uniform("y", n)
    t = within.interval("t", 0.0, 1.0)
    below = [torch.less_equal(z, t[:, None]).double().mean(-1) for z in (x, y)]
    return (below[0] - below[1]).abs(), math.sqrt(2.0 * math.log(4.0 / delta) / n)


@claim(
    "geometry/plain-edges-linear",
    up_to_constant("n"),
    over=grid(n=[4, 6, 8, 12, 16]),
    cite="Turan 1941, as if it were linear",
    expected="refuted",
)
def edges_linear(forall, *, n):
    """A bipartite graph with sides of n / 2 has at most C n edges."""
    edges = forall.integers("E", 0, 1, n // 2, n // 2)
    return edges.sum((-1, -2)), float(n)


PROOFS = {
    "geometry/true-kantorovich": ("E f(X) - E f(Y) <= E |X - Y| under the sorted coupling."),
    "geometry/true-w1-w2": ("|x - y|^2 <= |x - y| on [0, 1], under the sorted coupling, optimal for both."),
    "geometry/true-empirical-w1-rate": (
        "sqrt(n) E W_1 tends to the mean of the integral of |B| sqrt(2), B a Brownian bridge."
    ),
    "geometry/true-loomis-whitney": ("Loomis and Whitney 1949, by Cauchy and Schwarz slice by slice."),
    "geometry/true-pick": ("Pick's theorem for triangles."),
    "geometry/true-crofton": ("Cauchy's formula for the mean width."),
    "geometry/true-kraft": ("ceil(t) <= t + 1."),
    "geometry/true-lym": ("Each chain of a random order meets an antichain at most once."),
    "geometry/true-ekr": ("The 20 triples are ten complementary pairs; each pair taken twice is one disjoint pair."),
    "geometry/true-borda-not-last": (
        "Her score is above the average of the three by at least one; the least is below the average."
    ),
    "geometry/true-two-samples": ("Massart's inequality for either sample at delta / 2, and the triangle inequality."),
}

WITNESSES = {
    "geometry/plain-sinkhorn-rows": {
        "params": {},
        "values": {
            "c": [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]],
            "p": [1.0, 0.0, 0.0],
            "q": [0.0, 0.0, 1.0],
        },
        "why": "0.9306 against 0.9333: three rounds are not enough",
    },
    "geometry/plain-loomis-whitney": {
        "params": {},
        "values": {"S": [[[0.0] * 3, [0.0] * 3, [1.0] * 3]] * 3},
        "why": "a wall of nine: 81 against 27",
    },
    "geometry/plain-mean-distance": {
        "params": {},
        "values": {},
        "mean": 128 / (45 * math.pi) - 0.8,
        "why": "128 / (45 pi) = .905",
    },
    "geometry/subtle-random-code": {
        "params": {"n": 5, "m": 2},
        "values": {},
        "probability": 6 / 32,
        "why": "6/32 > 5/32",
    },
    "geometry/plain-first-price": {
        "params": {},
        "values": {"v": 1.0, "b": 0.5, "o": [0.0, 0.0, 0.0]},
        "why": "1/2 > 0",
    },
    "geometry/plain-edges-linear": {
        "params": [{"n": n} for n in (4, 6, 8, 12, 16)],
        "values": [{"E": [[1.0] * (n // 2)] * (n // 2)} for n in (4, 6, 8, 12, 16)],
        "why": "n / 4",
    },
}
