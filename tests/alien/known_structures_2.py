"""Alien claims, known: combinatorial structures, codes and matrices (2); see README.md."""

import functools
import math

import numpy as np
import torch

from harness import always, claim, every, grid, high_probability, identity, tail, up_to_constant


def sum_all(body):
    """The sum of the absolute differences of two vectors, against 0."""

    @functools.wraps(body)
    def scalar_sides(**given):
        left, right = body(**given)
        return (torch.as_tensor(left) - right).abs().sum(-1), 0.0

    return scalar_sides


@claim("structures/true-max-cut", always(), cite="Edwards 1973")
def max_cut(forall):
    """Every connected graph on six vertices has a cut of at least m/2 + 5/4 edges."""
    graph = forall.graph("G", 6)
    sides = every.signs(6, like=graph)
    cuts = torch.einsum("si,bij,sj->bs", sides, graph, sides)
    edges = graph.sum((-1, -2)) / 2.0
    reach = torch.linalg.matrix_power(graph + torch.eye(6, dtype=torch.float64), 6)
    forall.assume((reach > 0).all(-1).all(-1))
    return edges / 2.0 + 1.25, ((2.0 * edges[:, None] - cuts) / 4.0).amax(-1)


@claim("structures/plain-fiedler", always(), expected="refuted", cite="Fiedler 1973")
def fiedler(forall):
    """The algebraic connectivity of a graph is at most its smallest degree."""
    graph = forall.graph("G", 5)
    degree = graph.sum(-1)
    return torch.linalg.eigvalsh(torch.diag_embed(degree) - graph)[:, 1], degree.amin(-1)


@claim("structures/true-mat-golden-thompson", always(), cite="Golden 1965, Thompson 1965")
def golden_thompson(forall):
    """tr exp(A + B) <= tr exp(A) exp(B) for symmetric matrices."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    e = torch.linalg.matrix_exp
    return e(a + b).diagonal(dim1=-2, dim2=-1).sum(-1), (e(a) @ e(b)).diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("structures/plain-mat-anticommutator", always(), expected="refuted", cite="Bhatia 2007")
def anticommutator(forall):
    """A B + B A is positive semi-definite for positive semi-definite A and B."""
    a, b = forall.psd("A", 2, trace=1.0), forall.psd("B", 2, trace=1.0)
    return -torch.linalg.eigvalsh(a @ b + b @ a)[:, 0], 0.0


@claim("structures/true-mat-circulant", identity(), cite="Davis 1979")
@sum_all
def circulant(forall):
    """The singular values of a circulant matrix are the moduli of the Fourier transform of its first column."""
    c = forall.interval("c", -1.0, 1.0, 5)
    shift = (torch.arange(5)[:, None] - torch.arange(5)) % 5
    values = torch.linalg.svdvals(c[:, shift])
    spectrum = np.sort(np.abs(np.fft.fft(c.numpy(), axis=-1)), axis=-1)[:, ::-1].copy()
    return values, torch.tensor(spectrum)


@claim("structures/true-tail-longest-run", tail(), over=grid(k=[3, 6]), cite="Feller 1968, XIII.7")
def longest_run(draw, *, k):
    """P(a run of at least k heads in 10 flips) <= (10 - k + 2) / 2^(k+1)."""
    x = draw.bernoulli("x", 0.5, 10)
    runs = torch.stack([x[:, i : i + k].prod(-1) for i in range(10 - k + 1)], -1)
    return runs.amax(-1) > 0, (12 - k) / 2 ** (k + 1)


@claim("structures/plain-tail-longest-run-low", tail(), expected="refuted", cite="Feller 1968, XIII.7")
def longest_run_low(draw):
    """P(a run of at least 6 heads in 10 flips) <= 5/128."""
    x = draw.bernoulli("x", 0.5, 10)
    runs = torch.stack([x[:, i : i + 6].prod(-1) for i in range(5)], -1)
    return runs.amax(-1) > 0, 5 / 128


@claim(
    "structures/plain-rate-l1-l2",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    expected="refuted",
    cite="Cauchy 1821",
)
def l1_l2(forall, *, n):
    """|x|_1 <= C n^0.3 |x|_2."""
    x = forall.ball("x", n)
    return x.abs().sum(-1), n**0.3 * x.norm(dim=-1)


@claim(
    "structures/true-within-intervals", high_probability("delta"), over=grid(n=[20], delta=[0.1]), cite="Massart 1990"
)
def intervals(draw, within, *, n, delta):
    """sup over intervals |P_n - P| <= 2 sqrt(log(2/delta)/(2n)) for uniform numbers."""
    x = draw.uniform("x", n)
    a, b = within.interval("a", 0.0, 1.0), within.interval("b", 0.0, 1.0)
    low, high = torch.minimum(a, b), torch.maximum(a, b)
    inside = ((x >= low[:, None]) & (x <= high[:, None])).double().mean(-1)
    return (inside - (high - low)).abs(), 2.0 * math.sqrt(math.log(2.0 / delta) / (2.0 * n))


PROOFS = {
    "structures/true-max-cut": "Edwards 1973: a connected graph has a cut of at least m/2 + (n - 1)/4 edges.",
    "structures/true-mat-golden-thompson": (
        "Golden and Thompson: tr exp(A + B) <= tr exp(A) exp(B) for Hermitian matrices."
    ),
    "structures/true-mat-circulant": (
        "A circulant matrix is normal with the Fourier transform of its first column as eigenvalues."
    ),
    "structures/true-tail-longest-run": (
        "A run starts at the first flip (2^-k) or at one of 10 - k others, after a tail (2^-(k+1)); add these up."
    ),
    "structures/true-within-intervals": (
        "An interval is a difference of two half lines, and P(sup |F_n - F| > e) <= 2 exp(-2 n e^2) (Massart 1990)."
    ),
}

WITNESSES = {
    "structures/plain-fiedler": {"params": {}, "values": {"G": [1.0] * 10}, "why": "The complete graph: 5 against 4."},
    "structures/plain-mat-anticommutator": {
        "params": {},
        "values": {"A": [[1.0, 0.0], [0.0, 0.0]], "B": [[0.5, 0.5], [0.5, 0.5]]},
        "why": "The smallest eigenvalue is (1 - sqrt 2)/2.",
    },
    "structures/plain-tail-longest-run-low": {
        "params": {},
        "values": {},
        "probability": 0.046875,
        "why": "The starts of runs of six exclude each other: 2^-6 + 4 2^-7 = 6/128.",
    },
    "structures/plain-rate-l1-l2": {
        "params": [{"n": 2**k} for k in range(2, 9)],
        "values": [{"x": [2 ** (-k / 2)] * 2**k} for k in range(2, 9)],
        "why": "Equal entries: the ratio is n^0.2.",
    },
}
