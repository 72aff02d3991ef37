"""Alien claims, known: discrete structures, Markov chains and time series; see README.md."""

import torch

from harness import always, claim, every, expectation, grid, identity


@claim("walks/true-mantel", always(), over=grid(n=[6]), cite="Mantel 1907")
def true_mantel(forall, *, n):
    """A graph without triangles has at most n^2/4 edges."""
    g = forall.graph("G", n)
    forall.assume((g @ g @ g).diagonal(dim1=-2, dim2=-1).sum(-1) == 0)
    return g.sum((-1, -2)) / 2, n * n / 4


@claim("walks/true-trees", always(), over=grid(n=[6]), cite="Grone and Merris 1988; Kostochka 1995")
def true_trees(forall, *, n):
    """2 m tau <= (n/(n-1))^(n-1) prod d_v for the number tau of spanning trees."""
    g = forall.graph("G", n)
    d = g.sum(-1)
    tau = torch.linalg.det((torch.diag_embed(d) - g)[:, 1:, 1:])
    return d.sum(-1) * tau, (n / (n - 1)) ** (n - 1) * d.prod(-1)


@claim(
    "walks/subtle-trees-sharper",
    always(),
    over=grid(n=[6]),
    expected="refuted",
    cite="Grone and Merris 1988, with n - 2 for n - 1 in the exponent",
)
def subtle_trees_sharper(forall, *, n):
    """2 m tau <= (n/(n-1))^(n-2) prod d_v for the number tau of spanning trees."""
    g = forall.graph("G", n)
    d = g.sum(-1)
    tau = torch.linalg.det((torch.diag_embed(d) - g)[:, 1:, 1:])
    return d.sum(-1) * tau, (n / (n - 1)) ** (n - 2) * d.prod(-1)


@claim(
    "walks/subtle-zero-sum",
    always(),
    over=grid(n=[4]),
    expected="refuted",
    cite="Erdos, Ginzburg, Ziv 1961, with one number less",
)
def subtle_zero_sum(forall, *, n):
    """Among 2n - 2 integers there are n with a sum divisible by n."""
    x = forall.integers("x", 0, 11, 2 * n - 2)
    sets = every.vectors(2, 2 * n - 2, like=x)
    sets = sets[sets.sum(-1) == n]
    rest = (x @ sets.mT) % n
    return rest.amin(-1), 0.0


@claim("walks/true-zero-sum-egz", always(), over=grid(n=[4]), cite="Erdos, Ginzburg, Ziv 1961")
def true_zero_sum_egz(forall, *, n):
    """Among 2n - 1 integers there are n with a sum divisible by n."""
    x = forall.integers("x", 0, 11, 2 * n - 1)
    sets = every.vectors(2, 2 * n - 1, like=x)
    sets = sets[sets.sum(-1) == n]
    rest = (x @ sets.mT) % n
    return rest.amin(-1), 0.0


def least_distance(words):
    d = (words[:, :, None, :] != words[:, None, :, :]).double().sum(-1)
    k = words.shape[1]
    return (d + 1000 * torch.eye(k, dtype=torch.float64)).amin((-1, -2))


@claim("walks/true-plotkin", always(), cite="Plotkin 1960")
def true_plotkin(forall):
    """Four words of five bits: the least distance is at most 3."""
    return least_distance(forall.integers("w", 0, 1, 4, 5)), 3.0


@claim("walks/subtle-plotkin-six", always(), expected="refuted", cite="Plotkin 1960, the bound of five bits for six")
def subtle_plotkin_six(forall):
    """Four words of six bits: the least distance is at most 3."""
    return least_distance(forall.integers("w", 0, 1, 4, 6)), 3.0


@claim("walks/true-fixed-points", expectation(range=(-1.0, 5.0), margin=0.05), cite="Montmort 1708; Feller 1968, IV.4")
def true_fixed_points(draw):
    """A random order of six has one fixed point on average."""
    order = draw.uniform("u", 6).argsort(-1)
    return (order == torch.arange(6)).double().sum(-1), 1.0


@claim("walks/true-dobrushin", always(), cite="Dobrushin 1956")
def true_dobrushin(forall):
    """TV(mP, vP) <= max_ij TV(P_i, P_j) TV(m, v)."""
    P, m, v = forall.simplex("P", 3, 3), forall.simplex("m", 3), forall.simplex("v", 3)
    tv = lambda a, b: (a - b).abs().sum(-1) / 2  # noqa: E731
    c = tv(P[:, :, None], P[:, None]).amax((-1, -2))
    step = lambda a: (a[:, None] @ P)[:, 0]  # noqa: E731
    return tv(step(m), step(v)), c * tv(m, v)


@claim(
    "walks/plain-second-eigenvalue",
    always(),
    expected="refuted",
    cite="Dobrushin 1956, with the second eigenvalue for the coefficient",
)
def plain_second_eigenvalue(forall):
    """TV(mP, vP) <= |lambda_2| TV(m, v)."""
    P, m, v = forall.simplex("P", 3, 3), forall.simplex("m", 3), forall.simplex("v", 3)
    tv = lambda a, b: (a - b).abs().sum(-1) / 2  # noqa: E731
    lam = torch.linalg.eigvals(P).abs().sort(-1).values[:, 1]
    step = lambda a: (a[:, None] @ P)[:, 0]  # noqa: E731
    return tv(step(m), step(v)), lam * tv(m, v)


@claim(
    "walks/plain-euclidean-contraction",
    always(),
    expected="refuted",
    cite="Dobrushin 1956, with the Euclidean norm for total variation",
)
def plain_euclidean_contraction(forall):
    """|mP - vP| <= |m - v|."""
    P, m, v = forall.simplex("P", 3, 3), forall.simplex("m", 3), forall.simplex("v", 3)
    return ((m - v)[:, None] @ P)[:, 0].norm(dim=-1), (m - v).norm(dim=-1)


def kaplan_meier(t, s):
    days = torch.arange(1, 6, dtype=torch.float64)
    dead = (t[:, :, None] == days).double().sum(1)
    risk = (t[:, :, None] >= days).double().sum(1)
    hazard = dead / risk.clamp_min(1.0)
    return torch.where(days <= s[:, None], hazard, 0.0)


@claim("walks/true-fleming-harrington", always(), cite="Fleming and Harrington 1984")
def true_fleming_harrington(forall):
    """KM <= exp(-Nelson-Aalen)."""
    t, s = forall.integers("t", 1, 5, 7), forall.integers("s", 0, 5)
    h = kaplan_meier(t, s)
    return (1 - h).prod(-1), (-h.sum(-1)).exp()


@claim(
    "walks/true-ar-toeplitz", always(), over=grid(n=[5]), cite="Brockwell and Davis 1991, autoregression of order one"
)
def true_ar_toeplitz(forall, *, n):
    """The matrix phi^|i-j| is positive semi-definite for |phi| <= 1."""
    phi = forall.interval("phi", -1.0, 1.0)
    k = torch.arange(n)
    m = phi[:, None, None] ** (k[:, None] - k).abs()
    return -torch.linalg.eigvalsh(m)[:, 0], 0.0


@claim("walks/true-restricted-mean", expectation(range=(-4.0, 4.0), margin=0.03), cite="Irwin 1949")
def true_restricted_mean(forall, draw):
    """E min(X, c) = 1 - exp(-c) for X exponential, as <=."""
    c = forall.interval("c", 0.0, 4.0)
    return torch.minimum(-torch.log(draw.uniform("u")), c), 1 - (-c).exp()


@claim("walks/true-graph-walk", identity(), cite="Levin, Peres, Wilmer 2009, Example 1.12")
def true_graph_walk(forall):
    """The degrees are stationary: d P = d for the walk on a graph."""
    g, j = forall.graph("G", 5), forall.sphere("f", 5)
    d = g.sum(-1)
    P = g / d.clamp_min(1.0)[:, :, None]
    return ((d[:, None] @ P)[:, 0] * j).sum(-1), (d * j).sum(-1)


PROOFS = {
    "walks/true-mantel": "Mantel: adjacent u, v have d_u + d_v <= n; sum over edges and use Cauchy and Schwarz.",
    "walks/true-trees": (
        "2 m tau = prod d_v times the product of the n - 1 other eigenvalues of the normalised Laplacian, whose sum "
        "is n; arithmetic and geometric mean (0 on both sides or on the left where a vertex is isolated or the graph "
        "is disconnected)."
    ),
    "walks/true-zero-sum-egz": (
        "Erdos, Ginzburg and Ziv 1961 for n = 4; all multisets of residues are enumerated in evidence/walks.py."
    ),
    "walks/true-plotkin": (
        "In each of the five places at most 4 of the 6 pairs differ, so the mean distance is at most 20 / 6 < 4."
    ),
    "walks/true-fixed-points": (
        "Each place is fixed with probability 1/6 (equal keys have probability 0); add six of them."
    ),
    "walks/true-dobrushin": (
        "m - v = TV(m, v) (a - b) for laws a, b, and TV(aP, bP) <= max_ij TV(P_i, P_j) by convexity."
    ),
    "walks/true-fleming-harrington": "1 - h <= e^-h for every hazard h in [0, 1]; multiply.",
    "walks/true-ar-toeplitz": (
        "phi^|i-j| is the covariance of x_(t+1) = phi x_t + sqrt(1 - phi^2) z_t, started in its stationary law."
    ),
    "walks/true-restricted-mean": "E min(X, c) is the integral of P(X > x) = e^-x over [0, c].",
    "walks/true-graph-walk": "(d P)_j = sum_i d_i g_ij / d_i over neighbours i of j = d_j; isolated vertices give 0.",
}

WITNESSES = {
    "walks/subtle-trees-sharper": {
        "params": {"n": 6},
        "values": {"G": [1.0] * 15},
        "why": "the complete graph K_6: 30 * 6^4 = 38880 > (6/5)^4 5^6 = 32400 (Cayley).",
    },
    "walks/subtle-zero-sum": {
        "params": {"n": 4},
        "values": {"x": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]},
        "why": "0, 0, 0, 1, 1, 1: four of them add up to 1, 2 or 3.",
    },
    "walks/subtle-plotkin-six": {
        "params": {},
        "values": {"w": [[0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0]]},
        "why": "000000, 001111, 110011, 111100: all distances are 4 > 3.",
    },
    "walks/plain-second-eigenvalue": {
        "params": {},
        "values": {
            "P": [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            "m": [1.0, 0.0, 0.0],
            "v": [0.0, 0.0, 1.0],
        },
        "why": "P with the rows e1, e1, e2 has the eigenvalues 1, 0, 0, yet e1 P and e3 P have TV 1 > 0.",
    },
    "walks/plain-euclidean-contraction": {
        "params": {},
        "values": {
            "P": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            "m": [1.0, 0.0, 0.0],
            "v": [0.0, 0.5, 0.5],
        },
        "why": "P with the rows e1, e2, e2, m = e1, v = (0, 1/2, 1/2): sqrt 2 > sqrt(3/2).",
    },
}
