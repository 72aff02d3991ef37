"""Alien claims, known: transport, convex bodies, codes, combinatorics, mechanisms, votes (1); see README.md."""

import functools
import itertools
import math

import numpy as np
import torch
from scipy.optimize import linear_sum_assignment
from scipy.spatial import ConvexHull
from scipy.stats import wasserstein_distance

from harness import always, claim, every, grid, identity, rate, tail


def wasserstein_by_sorting(x, y, p=1):
    return ((x.sort(-1).values - y.sort(-1).values).abs() ** p).mean(-1) ** (1.0 / p)


@functools.cache
def orders(n):
    return torch.tensor(list(itertools.permutations(range(n))))


def assignment(cost):
    """The cheapest of all matchings, cost of shape (batch, n, n)."""
    n = cost.shape[-1]
    return cost[:, torch.arange(n), orders(n)].sum(-1).amin(-1)


@claim("geometry/true-sorting-optimal", identity(), over=grid(p=[1, 2, 3]), cite="Villani 2003, Theorem 2.18")
def sorting_optimal(forall, *, p):
    """On the line the sorted matching is the cheapest for |x - y|^p, p >= 1."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    cost = (x[:, :, None] - y[:, None, :]).abs() ** p
    return assignment(cost) / 4.0, wasserstein_by_sorting(x, y, p) ** p


@claim(
    "geometry/subtle-sorting-concave",
    identity(),
    cite="Gangbo and McCann 1996: for a concave cost it is not",
    expected="refuted",
)
def sorting_concave(forall):
    """On the line the sorted matching is the cheapest for |x - y|^0.9."""
    x, y = forall.interval("x", -1.0, 1.0, 3), forall.interval("y", -1.0, 1.0, 3)
    cost = (x[:, :, None] - y[:, None, :]).abs() ** 0.9
    return assignment(cost) / 3.0, ((x.sort(-1).values - y.sort(-1).values).abs() ** 0.9).mean(-1)


@claim("geometry/true-cdf-formula", identity(), cite="Vallender 1973")
def cdf_formula(forall):
    """W_1 of two laws on a common grid is the l1 distance of the distribution functions, by scipy too."""
    p, q = forall.simplex("p", 5), forall.simplex("q", 5)
    places = np.arange(5.0)
    ours = (p.cumsum(-1) - q.cumsum(-1)).abs().sum(-1)
    theirs = [wasserstein_distance(places, places, a, b) for a, b in zip(p.numpy(), q.numpy(), strict=True)]
    return ours, torch.tensor(theirs, dtype=torch.float64)


@claim("geometry/true-hungarian", always(), cite="Kuhn 1955")
def hungarian(forall):
    """No matching is cheaper than that of the Hungarian method."""
    cost, who = forall.interval("c", 0.0, 1.0, 5, 5), forall.permutation("pi", 5).long()
    best = []
    for c in cost.numpy():
        rows, columns = linear_sum_assignment(c)
        best.append(c[rows, columns].sum())
    return torch.tensor(best), cost.gather(-1, who[:, :, None])[:, :, 0].sum(-1)


@claim("geometry/true-wasserstein-triangle", always(), over=grid(p=[1, 2]), cite="Villani 2003, Theorem 7.3")
def wasserstein_triangle(forall, *, p):
    """W_p is a metric on the uniform laws of four points of the plane."""
    x, y, z = (forall.ball(name, 4, 2) for name in "xyz")

    def distance(a, b):
        return (assignment(torch.cdist(a, b, compute_mode="donot_use_mm_for_euclid_dist") ** p) / 4.0) ** (1.0 / p)

    return distance(x, z), distance(x, y) + distance(y, z)


@claim("geometry/plain-w2-w1", always(), cite="Villani 2009, Remark 6.6, the wrong way", expected="refuted")
def w2_w1(forall):
    """W_2 <= W_1 on [0, 1]."""
    x, y = forall.interval("x", 0.0, 1.0, 5), forall.interval("y", 0.0, 1.0, 5)
    return wasserstein_by_sorting(x, y, 2), wasserstein_by_sorting(x, y, 1)


@claim("geometry/true-gelbrich", always(), cite="Gelbrich 1990")
def gelbrich(forall):
    """W_2^2 of two discrete laws with equal weights is at least the distance of their means and deviations."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    gap = (x.mean(-1) - y.mean(-1)) ** 2 + (x.std(-1, correction=0) - y.std(-1, correction=0)) ** 2
    return gap, wasserstein_by_sorting(x, y, 2) ** 2


def sinkhorn(cost, p, q, reg, steps):
    f, g = torch.zeros_like(p), torch.zeros_like(q)
    for _ in range(steps):
        f = -reg * torch.logsumexp((g[:, None, :] - cost) / reg + q.log()[:, None, :], -1)
        g = -reg * torch.logsumexp((f[:, :, None] - cost) / reg + p.log()[:, :, None], -2)
    return p[:, :, None] * q[:, None, :] * ((f[:, :, None] + g[:, None, :] - cost) / reg).exp()


@claim("geometry/true-sinkhorn-marginal", identity(), cite="Sinkhorn 1967")
def sinkhorn_marginal(forall):
    """After each full round of Sinkhorn's iteration the columns have the right sums."""
    cost = forall.interval("c", 0.0, 1.0, 3, 3)
    p, q = (0.9 * forall.simplex(name, 3) + 0.1 / 3.0 for name in "pq")
    plan = sinkhorn(cost, p, q, 0.2, 3)
    return plan.sum(-2)[:, 0], q[:, 0]


@claim(
    "geometry/plain-empirical-w1-rate",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    cite="Bobkov and Ledoux 2019, squared",
    expected="refuted",
)
def empirical_w1_fast(draw, *, n):
    """E W_1 between two samples of n uniform numbers is of order 1/n."""
    return wasserstein_by_sorting(draw.uniform("x", n), draw.uniform("y", n))


@claim("geometry/true-brunn-minkowski-boxes", always(), over=grid(d=[2, 4]), cite="Gardner 2002, Section 4")
def brunn_minkowski_boxes(forall, *, d):
    """vol(A)^(1/d) + vol(B)^(1/d) <= vol(A + B)^(1/d) for boxes."""
    a, b = forall.interval("a", 0.0, 1.0, d), forall.interval("b", 0.0, 1.0, d)
    return a.prod(-1) ** (1 / d) + b.prod(-1) ** (1 / d), (a + b).prod(-1) ** (1 / d)


@claim(
    "geometry/subtle-brunn-minkowski",
    always(),
    cite="Gardner 2002, with the exponent of one dimension less",
    expected="refuted",
)
def brunn_minkowski_exponent(forall):
    """vol(A)^(0.33) + vol(B)^(0.33) <= vol(A + B)^(0.33) for boxes in space, of sides in [0.5, 1]."""
    a, b = forall.interval("a", 0.5, 1.0, 3), forall.interval("b", 0.5, 1.0, 3)
    return a.prod(-1) ** 0.33 + b.prod(-1) ** 0.33, (a + b).prod(-1) ** 0.33


@claim("geometry/true-minkowski-determinant", always(), cite="Horn and Johnson 2013, 7.8.21")
def minkowski_determinant(forall):
    """det(A)^(1/3) + det(B)^(1/3) <= det(A + B)^(1/3) for positive semi-definite matrices."""
    a, b = forall.psd("A", 3, trace=1.0), forall.psd("B", 3, trace=1.0)

    def root(m):
        return torch.linalg.eigvalsh(m).clamp_min(0.0).prod(-1) ** (1.0 / 3.0)

    return root(a) + root(b), root(a + b)


def shoelace(points):
    following = points.roll(-1, dims=1)
    return 0.5 * (points[..., 0] * following[..., 1] - points[..., 1] * following[..., 0]).sum(-1).abs()


@claim("geometry/true-isoperimetric-polygon", always(), over=grid(n=[3, 4, 6]), cite="Zenodorus; Osserman 1978")
def isoperimetric_polygon(forall, *, n):
    """4 n tan(pi / n) area <= perimeter^2 for polygons with n corners."""
    corners = forall.ball("x", n, 2)
    perimeter = (corners.roll(-1, dims=1) - corners).norm(dim=-1).sum(-1)
    return 4.0 * n * math.tan(math.pi / n) * shoelace(corners), perimeter**2


@claim(
    "geometry/subtle-isoperimetric-pentagon",
    always(),
    cite="Zenodorus, with 14.7 for 20 tan 36 degrees",
    expected="refuted",
)
def isoperimetric_pentagon(forall):
    """14.7 area <= perimeter^2 for polygons with five corners."""
    corners = forall.ball("x", 5, 2)
    perimeter = (corners.roll(-1, dims=1) - corners).norm(dim=-1).sum(-1)
    return 14.7 * shoelace(corners), perimeter**2


@claim("geometry/true-hull-perimeter", always(), cite="Archimedes; monotone perimeters")
def hull_perimeter(forall):
    """The convex hull of six points of the unit disc has a perimeter of at most 12 sin(pi / 6)."""
    points = forall.ball("x", 6, 2)
    perimeters = []
    for cloud in points.numpy():
        try:
            perimeters.append(ConvexHull(cloud).area)
        except Exception:
            perimeters.append(0.0)
    return torch.tensor(perimeters, dtype=torch.float64), 12.0 * math.sin(math.pi / 6.0)


@claim("geometry/true-grothendieck", always(), cite="Garg 1983; Fishburn and Reeds 1994")
def grothendieck(forall):
    """sum a_ij <x_i, y_j> <= sqrt(2) max over signs of sum a_ij s_i t_j, for 3 x 3 matrices."""
    a = forall.interval("a", -1.0, 1.0, 3, 3)
    x, y = forall.sphere("x", 3, 3), forall.sphere("y", 3, 3)
    signs = every.signs(3, like=a)
    best = (signs @ a).abs().sum(-1).amax(-1)
    return (a * (x @ y.mT)).sum((-1, -2)), math.sqrt(2.0) * best


@claim("geometry/subtle-grothendieck", always(), cite="Fishburn and Reeds 1994, with 1.39", expected="refuted")
def grothendieck_small(forall):
    """sum a_ij <x_i, y_j> <= 1.39 max over signs of sum a_ij s_i t_j, for 2 x 2 matrices."""
    a = forall.interval("a", -1.0, 1.0, 2, 2)
    x, y = forall.sphere("x", 2, 2), forall.sphere("y", 2, 2)
    best = (every.signs(2, like=a) @ a).abs().sum(-1).amax(-1)
    return (a * (x @ y.mT)).sum((-1, -2)), 1.39 * best


@claim("geometry/true-sphere-cap", tail(), over=grid(d=[3, 8]), cite="Ball 1997, Lemma 2.2")
def sphere_cap(forall, draw, *, d):
    """P(u_1 >= t) <= exp(-d t^2 / 2) on the sphere."""
    t = forall.interval("t", 0.0, 0.9)
    return draw.sphere("u", d)[:, 0] >= t, (-d * t**2 / 2.0).exp()


PROOFS = {
    "geometry/true-sorting-optimal": (
        "Exchange: for convex costs crossing never helps, and some optimum is a matching."
    ),
    "geometry/true-cdf-formula": (
        "The optimal plan is monotone; its cost is the area between the distribution functions."
    ),
    "geometry/true-hungarian": ("The method returns a minimum over all matchings."),
    "geometry/true-wasserstein-triangle": ("Glue two matchings and use Minkowski's inequality."),
    "geometry/true-gelbrich": ("In any coupling Cov(X, Y) <= sd X sd Y."),
    "geometry/true-sinkhorn-marginal": ("The last half step sets g so that the columns add up."),
    "geometry/true-brunn-minkowski-boxes": (
        "The arithmetic and geometric means of a_i / (a_i + b_i) and b_i / (a_i + b_i), added."
    ),
    "geometry/true-minkowski-determinant": ("Horn and Johnson 2013, Theorem 7.8.21."),
    "geometry/true-isoperimetric-polygon": (
        "The regular polygon is the best one; for crossing polygons by Wirtinger's inequality for finite sums."
    ),
    "geometry/true-hull-perimeter": (
        "A convex polygon with at most six corners in the disc; the regular inscribed hexagon is the longest."
    ),
    "geometry/true-grothendieck": (
        "For three settings a side the only facets of the correlation polytope are those of Clauser and "
        "others; Tsirelson's bound."
    ),
    "geometry/true-sphere-cap": ("Ball 1997, Lemma 2.2."),
}

WITNESSES = {
    "geometry/subtle-sorting-concave": {
        "params": {},
        "values": {"x": [0.0, 0.1, 0.5], "y": [0.1, 0.5, 0.6]},
        "why": "0 moves to 0.6 and two stay",
    },
    "geometry/plain-w2-w1": {
        "params": {},
        "values": {"x": [0.0] * 5, "y": [0.0, 0.0, 0.0, 0.0, 1.0]},
        "why": "sqrt(1/5) > 1/5",
    },
    "geometry/plain-empirical-w1-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "the central limit"},
    "geometry/subtle-brunn-minkowski": {"params": {}, "values": {"a": [1.0] * 3, "b": [1.0] * 3}, "why": "2 > 8^0.33"},
    "geometry/subtle-isoperimetric-pentagon": {
        "params": {},
        "values": {"x": [[math.cos(2 * math.pi * k / 5) * 0.9, math.sin(2 * math.pi * k / 5) * 0.9] for k in range(5)]},
        "why": "the regular one",
    },
    "geometry/subtle-grothendieck": {
        "params": {},
        "values": {
            "a": [[1.0, 1.0], [1.0, -1.0]],
            "x": [[1.0, 0.0], [0.0, 1.0]],
            "y": [[0.5**0.5, 0.5**0.5], [0.5**0.5, -(0.5**0.5)]],
        },
        "why": "2 sqrt(2) against 2 * 1.39",
    },
}
