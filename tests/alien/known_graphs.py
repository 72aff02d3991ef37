"""Alien claims, known: Laplacians, trees, eigenvalues, singular values, random graphs; see README.md."""

import math

import torch

from harness import (
    always,
    claim,
    every,
    grid,
    identity,
    rate,
    tail,
    up_to_constant,
)


def laplacian(w):
    return torch.diag_embed(w.sum(-1)) - w


def weighted(forall, n, low, high):
    """A symmetric matrix of weights with zero diagonal."""
    w = forall.interval("w", low, high, n, n).triu(1)
    return w + w.mT


PETERSEN = torch.zeros(10, 10, dtype=torch.float64)

for i in range(5):
    for u, v in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)):
        PETERSEN[u, v] = PETERSEN[v, u] = 1.0


@claim("graphs/true-laplacian-form", identity(), cite="Kirchhoff 1847")
def laplacian_form(forall):
    """x'L x = sum over edges (x_i - x_j)^2."""
    g, x = forall.graph("G", 6), forall.ball("x", 6)
    form = (x * (laplacian(g) @ x[:, :, None])[:, :, 0]).sum(-1)
    return form, (g.triu(1) * (x[:, :, None] - x[:, None, :]) ** 2).sum((-1, -2))


@claim("graphs/true-cut-lambda-two", always(), cite="Fiedler 1973; Mohar 1989", over=grid(n=[5, 8]))
def cut_lambda(forall, *, n):
    """lambda_2 |S| |S^c| <= n cut(S)."""
    g, s = forall.graph("G", n), (forall.signs("s", n) + 1.0) / 2.0
    size = s.sum(-1)
    cut = (s[:, :, None] * g * (1.0 - s)[:, None, :]).sum((-1, -2))
    return torch.linalg.eigvalsh(laplacian(g))[:, 1] * size * (n - size), n * cut


@claim("graphs/true-matrix-tree", identity(), cite="Kirchhoff 1847; Temperley 1964")
def matrix_tree(forall):
    """det(L + J) = n^2 det(L with a row and column left out)."""
    lap = laplacian(weighted(forall, 5, 0.0, 1.0))
    return torch.linalg.det(lap + 1.0), 25.0 * torch.linalg.det(lap[:, 1:, 1:])


@claim("graphs/true-foster", identity(), cite="Foster 1949")
def foster(forall):
    """sum over edges of weight times effective resistance = n - 1."""
    w = weighted(forall, 4, 0.1, 1.0)
    inverse = torch.linalg.inv(laplacian(w) + 0.25)
    d = torch.diagonal(inverse, dim1=-2, dim2=-1)
    resistance = d[:, :, None] + d[:, None, :] - 2.0 * inverse
    return (w * resistance).sum((-1, -2)) / 2.0, 3.0


@claim("graphs/true-weyl", always(), over=grid(k=[0, 1, 3]), cite="Weyl 1912")
def weyl(forall, *, k):
    """lambda_k(A + B) <= lambda_k(A) + lambda_max(B)."""
    a, b = forall.symmetric("A", 4), forall.symmetric("B", 4)
    return torch.linalg.eigvalsh(a + b)[:, k], torch.linalg.eigvalsh(a)[:, k] + torch.linalg.eigvalsh(b)[:, -1]


@claim("graphs/true-interlacing", always(), cite="Cauchy 1829", over=grid(n=[3, 5], k=[0, 1]))
def interlacing(forall, *, n, k):
    """The eigenvalues of a graph less a vertex interlace: lambda_k(G) <= lambda_k(G - v)."""
    g = forall.graph("G", n)
    return torch.linalg.eigvalsh(g)[:, k], torch.linalg.eigvalsh(g[:, 1:, 1:])[:, k]


@claim("graphs/true-oppenheim", always(), cite="Oppenheim 1930")
def oppenheim(forall):
    """det A prod B_ii <= det(A o B) for positive semi-definite matrices."""
    a, b = forall.psd("A", 3), forall.psd("B", 3)
    return torch.linalg.det(a) * b.diagonal(dim1=-2, dim2=-1).prod(-1), torch.linalg.det(a * b)


@claim("graphs/true-davis-kahan", always(), cite="Yu, Wang, Samworth 2015, Corollary 1")
def davis_kahan(forall):
    """gap(A) sin(v, v') <= 2 |E| for the top eigenvectors of A and A + E."""
    a, e = forall.symmetric("A", 3), forall.symmetric("E", 3)
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors
    cosine = (vectors[:, :, -1] * other[:, :, -1]).sum(-1)
    sine = (1.0 - cosine**2).clamp_min(0.0).sqrt()
    return (values[:, -1] - values[:, -2]) * sine, 2.0 * torch.linalg.matrix_norm(e, 2)


@claim("graphs/true-perron-row-sums", always(), cite="Perron 1907; Frobenius 1912")
def perron(forall):
    """min row sum <= spectral radius <= max row sum: the sum of the two, for non-negative matrices."""
    a = forall.interval("A", 0.0, 1.0, 4, 4)
    radius = torch.linalg.eigvals(a).abs().amax(-1)
    return radius, a.sum(-1).amax(-1)


@claim("graphs/true-dobrushin", always(), cite="Dobrushin 1956")
def dobrushin(forall):
    """|pP - qP|_1 <= max_ij |P_i - P_j|_1 / 2 |p - q|_1."""
    kernel, p, q = forall.simplex("P", 3, 3), forall.simplex("p", 3), forall.simplex("q", 3)
    left = ((p - q)[:, None, :] @ kernel)[:, 0].abs().sum(-1)
    coefficient = (kernel[:, :, None] - kernel[:, None, :]).abs().sum(-1).amax((-1, -2)) / 2.0
    return left, coefficient * (p - q).abs().sum(-1)


@claim("graphs/true-expander-mixing-petersen", always(), cite="Alon, Chung 1988")
def mixing(forall):
    """|e(S, T) - 3 |S| |T| / 10| <= 2 sqrt(|S| |T| (1 - |S|/10) (1 - |T|/10)) in the Petersen graph."""
    s, t = (forall.signs("s", 10) + 1.0) / 2.0, (forall.signs("t", 10) + 1.0) / 2.0
    a, b = s.sum(-1), t.sum(-1)
    return ((s @ PETERSEN) * t).sum(-1).sub(0.3 * a * b).abs(), 2.0 * (
        a * b * (1.0 - a / 10.0) * (1.0 - b / 10.0)
    ).sqrt()


@claim("graphs/true-percolation-square", tail(), cite="Moore and Shannon 1956")
def percolation(forall, draw):
    """P(opposite corners of a square are joined) <= 1 - (1 - p^2)^2, with equality."""
    p = forall.interval("p", 0.0, 1.0)
    e = draw.bernoulli("e", p, 4) > 0.5
    return (e[:, 0] & e[:, 1]) | (e[:, 2] & e[:, 3]), 1.0 - (1.0 - p**2) ** 2


@claim(
    "graphs/true-density-rate", rate("n", -2.0, at="exactly"), over=grid(n=[8, 16, 32, 64, 128]), cite="Gilbert 1959"
)
def density_rate(draw, *, n):
    """The squared error of the edge density of a random graph is of order n^-2."""
    edges = draw.bernoulli("e", 0.3, n * (n - 1) // 2)
    return (edges.mean(-1) - 0.3) ** 2


@claim(
    "graphs/true-frobenius",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    cite="Golub and Van Loan 2013, (2.3.7)",
)
def frobenius(forall, *, n):
    """|A|_F <= C sqrt(n) |A|_2."""
    a = forall.symmetric("A", n)
    return a.square().sum((-1, -2)).sqrt(), math.sqrt(n) * torch.linalg.eigvalsh(a).abs().amax(-1)


@claim("graphs/true-mirsky", always(), cite="Mirsky 1960", over=grid(k=[0, 2]))
def mirsky(forall, *, k):
    """|sigma_k(A + E) - sigma_k(A)| <= sigma_1(E) for 3 x 4 matrices."""
    a, e = forall.interval("A", -1.0, 1.0, 3, 4), forall.interval("E", -1.0, 1.0, 3, 4)
    return (torch.linalg.svdvals(a + e)[:, k] - torch.linalg.svdvals(a)[:, k]).abs(), torch.linalg.svdvals(e)[:, 0]


@claim("graphs/true-harris", always(), cite="Harris 1960")
def harris(forall):
    """P(0-1 joined) P(2-3 joined) <= P(both) in the square 0-1-2-3 with edges of probability p_e."""
    p = forall.interval("p", 0.0, 1.0, 4)
    e = every.vectors(2, 4, like=p)
    chance = torch.where(e[None] > 0.5, p[:, None], 1.0 - p[:, None]).prod(-1)
    one = ((e[:, 0] > 0.5) | ((e[:, 1] > 0.5) & (e[:, 2] > 0.5) & (e[:, 3] > 0.5))).double()
    two = ((e[:, 2] > 0.5) | ((e[:, 0] > 0.5) & (e[:, 1] > 0.5) & (e[:, 3] > 0.5))).double()
    return (chance * one).sum(-1) * (chance * two).sum(-1), (chance * one * two).sum(-1)


@claim("graphs/plain-weyl-reversed", always(), expected="refuted", cite="Weyl 1912, reversed")
def weyl_reversed(forall):
    """lambda_max(A) + lambda_max(B) <= lambda_max(A + B)."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    return torch.linalg.eigvalsh(a)[:, -1] + torch.linalg.eigvalsh(b)[:, -1], torch.linalg.eigvalsh(a + b)[:, -1]


@claim("graphs/plain-cut-half", always(), expected="refuted", cite="Mohar 1989, with n/2 for n")
def cut_half(forall):
    """lambda_2 |S| |S^c| <= (n/2) cut(S)."""
    g, s = forall.graph("G", 6), (forall.signs("s", 6) + 1.0) / 2.0
    size = s.sum(-1)
    cut = (s[:, :, None] * g * (1.0 - s)[:, None, :]).sum((-1, -2))
    return torch.linalg.eigvalsh(laplacian(g))[:, 1] * size * (6 - size), 3.0 * cut


@claim(
    "graphs/plain-percolation-path", tail(), expected="refuted", cite="Moore and Shannon 1956, with one path for two"
)
def percolation_path(forall, draw):
    """P(opposite corners of a square are joined) <= p^2."""
    p = forall.interval("p", 0.0, 1.0)
    e = draw.bernoulli("e", p, 4) > 0.5
    return (e[:, 0] & e[:, 1]) | (e[:, 2] & e[:, 3]), p**2


@claim(
    "graphs/plain-density-rate",
    rate("n", -3.0),
    over=grid(n=[8, 16, 32, 64, 128]),
    expected="refuted",
    cite="Gilbert 1959, with n^-3 for n^-2",
)
def density_rate_three(draw, *, n):
    """The squared error of the edge density of a random graph is of order n^-3."""
    edges = draw.bernoulli("e", 0.3, n * (n - 1) // 2)
    return (edges.mean(-1) - 0.3) ** 2


@claim("graphs/plain-dobrushin-half", always(), expected="refuted", cite="Dobrushin 1956, with half of the coefficient")
def dobrushin_half(forall):
    """|pP - qP|_1 <= max_ij |P_i - P_j|_1 / 4 |p - q|_1."""
    kernel, p, q = forall.simplex("P", 3, 3), forall.simplex("p", 3), forall.simplex("q", 3)
    left = ((p - q)[:, None, :] @ kernel)[:, 0].abs().sum(-1)
    coefficient = (kernel[:, :, None] - kernel[:, None, :]).abs().sum(-1).amax((-1, -2)) / 4.0
    return left, coefficient * (p - q).abs().sum(-1)


@claim(
    "graphs/plain-frobenius-bounded",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    expected="refuted",
    cite="Golub and Van Loan 2013, (2.3.7), with n^(1/4) for sqrt(n)",
)
def frobenius_bounded(forall, *, n):
    """|A|_F <= C n^(1/4) |A|_2."""
    a = forall.symmetric("A", n)
    return a.square().sum((-1, -2)).sqrt(), n**0.25 * torch.linalg.eigvalsh(a).abs().amax(-1)


@claim("graphs/subtle-determinant-six", always(), expected="refuted", cite="Williamson 1946, with 150 for 160")
def determinant_six(forall):
    """|det A| <= 150 for 6 x 6 matrices with entries in [-1, 1]."""
    return torch.linalg.det(forall.interval("A", -1.0, 1.0, 6, 6)).abs(), 150.0


@claim("graphs/subtle-ramsey-three-four", always(), expected="refuted", cite="Greenwood and Gleason 1955, with 8 for 9")
def ramsey(forall):
    """A graph on eight vertices has a triangle or an independent set of four: 1 <= their number."""
    g = forall.graph("G", 8)
    triangles = (g @ g @ g).diagonal(dim1=-2, dim2=-1).sum(-1) / 6.0
    free = 1.0 - g
    fours = torch.zeros_like(triangles)
    for i in range(8):
        for j in range(i + 1, 8):
            for k in range(j + 1, 8):
                for m in range(k + 1, 8):
                    fours = (
                        fours
                        + free[:, i, j] * free[:, i, k] * free[:, i, m] * free[:, j, k] * free[:, j, m] * free[:, k, m]
                    )
    return 1.0, triangles + fours


@claim("graphs/subtle-mixing-petersen-195", always(), expected="refuted", cite="Alon, Chung 1988, with 1.95 for 2")
def mixing_195(forall):
    """|e(S, T) - 3 |S| |T| / 10| <= 1.95 sqrt(|S| |T| (1 - |S|/10) (1 - |T|/10)) in the Petersen graph."""
    s, t = (forall.signs("s", 10) + 1.0) / 2.0, (forall.signs("t", 10) + 1.0) / 2.0
    a, b = s.sum(-1), t.sum(-1)
    return ((s @ PETERSEN) * t).sum(-1).sub(0.3 * a * b).abs(), 1.95 * (
        a * b * (1.0 - a / 10.0) * (1.0 - b / 10.0)
    ).sqrt()


@claim("graphs/subtle-isolated", tail(), expected="refuted", cite="Gilbert 1959, with 2.99 for 3")
def isolated(forall, draw):
    """P(an isolated vertex in G(4, p)) <= 4 q^3 - 6 q^5 + 2.99 q^6."""
    p = forall.interval("p", 0.0, 1.0)
    a, b, c, d, e, f = (draw.bernoulli("e", p, 6) > 0.5).unbind(-1)
    event = ~(a | b | c) | ~(a | d | e) | ~(b | d | f) | ~(c | e | f)
    q = 1.0 - p
    return event, 4.0 * q**3 - 6.0 * q**5 + 2.99 * q**6


PROOFS = {
    "graphs/true-laplacian-form": "Expand the square over the edges.",
    "graphs/true-cut-lambda-two": (
        "Rayleigh quotient of the centred indicator of S; both sides 0 for S empty or full."
    ),
    "graphs/true-matrix-tree": "Kirchhoff's theorem, det(L + tJ) = n^2 t tau.",
    "graphs/true-foster": "sum w R = tr(L^+ L) = n - 1 for connected graphs.",
    "graphs/true-weyl": "Weyl 1912.",
    "graphs/true-interlacing": "Cauchy interlacing, eigenvalues ascending.",
    "graphs/true-oppenheim": "Oppenheim 1930; singular A: the Schur product is PSD.",
    "graphs/true-davis-kahan": "Yu, Wang, Samworth 2015; zero gap: the left side is zero.",
    "graphs/true-perron-row-sums": "The spectral radius is at most the infinity norm.",
    "graphs/true-dobrushin": "Dobrushin's contraction coefficient.",
    "graphs/true-expander-mixing-petersen": "Eigenvalues 3, 1, -2.",
    "graphs/true-percolation-square": "Two independent paths.",
    "graphs/true-density-rate": "The mean is p (1 - p) / binom(n, 2).",
    "graphs/true-frobenius": "C = 1.",
    "graphs/true-mirsky": "Weyl for singular values.",
    "graphs/true-harris": "Both events are increasing, Harris (FKG).",
}

I3 = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
WITNESSES = {
    "graphs/plain-weyl-reversed": {
        "params": {},
        "values": {"A": [1.0, 0, 0, 0, 0, 0], "B": [0, 0, 1.0, 0, 0, 0]},
        "why": "2 > 1",
    },
    "graphs/plain-cut-half": {
        "params": {},
        "values": {"G": [1.0] * 15, "s": [1.0, -1.0, -1.0, -1.0, -1.0, -1.0]},
        "why": "complete graph: 30 > 15",
    },
    "graphs/plain-percolation-path": {"params": {}, "values": {"p": 0.5}, "probability": 7 / 16, "why": "7/16 > 1/4"},
    "graphs/plain-density-rate": {"params": {}, "values": {}, "exponent": -2.0, "why": "the mean is .21 / binom(n, 2)"},
    "graphs/plain-dobrushin-half": {
        "params": {},
        "values": {"P": I3, "p": [1.0, 0, 0], "q": [0, 1.0, 0]},
        "why": "2 > 1",
    },
    "graphs/plain-frobenius-bounded": {
        "params": [{"n": n} for n in (4, 8, 16, 32, 64)],
        "values": [{"A": [float(i == j) for i in range(n) for j in range(i + 1)]} for n in (4, 8, 16, 32, 64)],
        "why": "the ratio at the identity is n^(1/4)",
    },
    "graphs/subtle-determinant-six": {
        "params": {},
        "values": {
            "A": [
                [-1, -1, -1, -1, 1, -1],
                [1, -1, 1, 1, 1, 1],
                [-1, 1, 1, -1, 1, 1],
                [1, 1, -1, -1, 1, 1],
                [-1, 1, -1, 1, 1, 1],
                [1, 1, 1, 1, 1, -1],
            ]
        },
        "why": "160",
    },
    "graphs/subtle-ramsey-three-four": {
        "params": {},
        "values": {"G": [float((i - j) % 8 in (1, 4, 7)) for i in range(8) for j in range(i)]},
        "why": "the Wagner graph, R(3, 4) = 9",
    },
    "graphs/subtle-mixing-petersen-195": {
        "params": {},
        "values": {"s": [1.0, -1, 1, -1, -1, -1, -1, -1, 1, 1], "t": [1.0, -1, 1, -1, -1, -1, -1, -1, 1, 1]},
        "why": "an independent set of four: ratio 2",
    },
    "graphs/subtle-isolated": {
        "params": {},
        "values": {"p": 0.0},
        "probability": 1.0,
        "why": "the probability is 4 q^3 - 6 q^5 + 3 q^6; at p = 0: 1 > .99",
    },
}
