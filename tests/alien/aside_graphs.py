"""Alien claims, aside: cuts, resistances, eigenvalues, random graphs; see README.md."""

import math

import torch

from harness import (
    always,
    claim,
    every,
    expectation,
    grid,
    high_probability,
    identity,
)


def laplacian(w):
    return torch.diag_embed(w.sum(-1)) - w


def weighted(forall, n, low, high):
    """A symmetric matrix of weights with zero diagonal."""
    w = forall.interval("w", low, high, n, n).triu(1)
    return w + w.mT


@claim("graphs/true-cheeger-mohar", always(), cite="Mohar 1989, Theorem 4.2", over=grid(n=[4, 5]))
def mohar(forall, *, n):
    """min over |S| <= n/2 of cut(S)/|S| <= sqrt(lambda_2 (2 maxdeg - lambda_2)), n >= 4."""
    g = forall.graph("G", n)
    s = every.vectors(2, n, like=g)
    size = s.sum(-1)
    s, size = s[(size > 0) & (2 * size <= n)], size[(size > 0) & (2 * size <= n)]
    cut = torch.einsum("ki,bij,kj->bk", s, g, 1.0 - s)
    second = torch.linalg.eigvalsh(laplacian(g))[:, 1].clamp_min(0.0)
    return (cut / size).amin(-1), (second * (2.0 * g.sum(-1).amax(-1) - second)).sqrt()


@claim("graphs/true-resistance-triangle", always(), cite="Klein, Randic 1993")
def resistance_triangle(forall):
    """R(0, 2) <= R(0, 1) + R(1, 2)."""
    w = weighted(forall, 4, 0.01, 1.0)
    k = torch.linalg.inv(laplacian(w) + 0.25)

    def r(i, j):
        return k[:, i, i] + k[:, j, j] - 2.0 * k[:, i, j]

    return r(0, 2), r(0, 1) + r(1, 2)


@claim("graphs/true-golden-thompson", always(), cite="Golden 1965; Thompson 1965")
def golden_thompson(forall):
    """tr e^(A+B) <= tr e^A e^B."""
    a, b = forall.symmetric("A", 3, radius=3), forall.symmetric("B", 3, radius=3)
    left = torch.linalg.matrix_exp(a + b).diagonal(dim1=-2, dim2=-1).sum(-1)
    return left, (torch.linalg.matrix_exp(a) * torch.linalg.matrix_exp(b).mT).sum((-1, -2))


@claim("graphs/true-bauer-fike", always(), cite="Bauer, Fike 1960")
def bauer_fike(forall):
    """Each eigenvalue of A + E, A symmetric and E any matrix, is within |E| of the spectrum of A."""
    a, e = forall.symmetric("A", 3), forall.interval("E", -1.0, 1.0, 3, 3)
    mu = torch.linalg.eigvals(a + e)
    distance = (mu[:, :, None] - torch.linalg.eigvalsh(a)[:, None, :]).abs().amin(-1).amax(-1)
    return distance, torch.linalg.matrix_norm(e, 2)


@claim("graphs/true-hadamard", always(), cite="Hadamard 1893", over=grid(n=[2, 4]))
def hadamard(forall, *, n):
    """|det A| <= the product of the norms of the rows."""
    a = forall.interval("A", -1.0, 1.0, n, n)
    return torch.linalg.det(a).abs(), a.norm(dim=-1).prod(-1)


@claim("graphs/true-triangles-mean", expectation(range=(-10.0, 10.0), margin=0.01), cite="Erdos and Renyi 1960")
def triangles(forall, draw):
    """The mean number of triangles of G(4, p) is at most 4 p^3."""
    p = forall.interval("p", 0.0, 1.0)
    a, b, c, d, e, f = draw.bernoulli("e", p, 6).unbind(-1)
    return a * b * d + a * c * e + b * c * f + d * e * f, 4.0 * p**3


@claim("graphs/true-degrees", high_probability("delta"), over=grid(n=[6, 20], delta=[0.05]), cite="Hoeffding 1963")
def degrees(draw, *, n, delta):
    """All degrees of G(n, 1/2) are within sqrt((n-1) log(2n/delta) / 2) of (n-1)/2."""
    x = draw.bernoulli("x", 0.5, n, n).triu(1)
    degree = (x + x.mT).sum(-1)
    return (degree - (n - 1) / 2.0).abs().amax(-1), math.sqrt((n - 1) * math.log(2.0 * n / delta) / 2.0)


@claim("graphs/plain-matrix-tree-n", identity(), expected="refuted", cite="Temperley 1964, with n for n^2")
def matrix_tree_n(forall):
    """det(L + J) = n det(L with a row and column left out)."""
    lap = laplacian(weighted(forall, 4, 0.0, 1.0))
    return torch.linalg.det(lap + 1.0), 4.0 * torch.linalg.det(lap[:, 1:, 1:])


@claim("graphs/plain-hong-disconnected", always(), expected="refuted", cite="Hong 1988, without connectedness")
def hong(forall):
    """lambda_max <= sqrt(2m - n + 1), without connectedness."""
    g = forall.graph("G", 7)
    return torch.linalg.eigvalsh(g)[:, -1], (g.sum((-1, -2)) - 6.0).clamp_min(0.0).sqrt()


@claim("graphs/plain-three-exponentials", always(), expected="refuted", cite="Thompson 1965, for three matrices")
def three_exponentials(forall):
    """tr e^(A+B+C) <= |tr e^A e^B e^C| for symmetric 2 x 2 matrices."""
    a, b, c = (forall.symmetric(name, 2, radius=2) for name in "ABC")
    left = torch.linalg.matrix_exp(a + b + c).diagonal(dim1=-2, dim2=-1).sum(-1)
    product = torch.linalg.matrix_exp(a) @ torch.linalg.matrix_exp(b) @ torch.linalg.matrix_exp(c)
    return left, product.diagonal(dim1=-2, dim2=-1).sum(-1).abs()


@claim("graphs/subtle-davis-kahan-198", always(), expected="refuted", cite="Yu, Wang, Samworth 2015, with 1.98 for 2")
def davis_kahan_198(forall):
    """gap(A) sin(v, v') <= 1.98 |E| for the top eigenvectors of A and A + E."""
    a, e = forall.symmetric("A", 3), forall.symmetric("E", 3)
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors
    cosine = (vectors[:, :, -1] * other[:, :, -1]).sum(-1)
    sine = (1.0 - cosine**2).clamp_min(0.0).sqrt()
    return (values[:, -1] - values[:, -2]) * sine, 1.98 * torch.linalg.matrix_norm(e, 2)


PROOFS = {
    "graphs/true-cheeger-mohar": "Mohar 1989, Theorem 4.2 (graphs other than K1, K2, K3); enumerated for n = 4, 5.",
    "graphs/true-resistance-triangle": "Klein and Randic 1993; weights >= .01 so the graph is connected.",
    "graphs/true-golden-thompson": "Golden 1965, Thompson 1965.",
    "graphs/true-bauer-fike": "If mu is no eigenvalue, 1 <= |(A-mu)^-1| |E| and A is normal.",
    "graphs/true-hadamard": "Hadamard 1893.",
    "graphs/true-triangles-mean": "Linearity of the mean: four triangles.",
    "graphs/true-degrees": "Hoeffding and the union bound.",
}

WITNESSES = {
    "graphs/plain-matrix-tree-n": {"params": {}, "values": {"w": [[1.0] * 4] * 4}, "why": "256 = 16 * 16, not 64"},
    "graphs/plain-hong-disconnected": {
        "params": {},
        "values": {"G": [1.0] * 3 + [0.0] * 18},
        "why": "a triangle and four isolated vertices: 2 > 0",
    },
    "graphs/plain-three-exponentials": {
        "params": {},
        "values": {"A": [-0.853, -0.13, 1.075], "B": [1.437, -0.971, -0.562], "C": [1.276, 1.138, 0.211]},
        "why": "the trace of three exponentials can vanish",
    },
    "graphs/subtle-davis-kahan-198": {
        "params": {},
        "values": {"A": [1.0, 0, 0, 0, 0, 0], "E": [-0.501, 0, 0.501, 0, 0, 0]},
        "why": "1 > 1.98 * .501",
    },
}
