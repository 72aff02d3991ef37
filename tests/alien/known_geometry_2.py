"""Alien claims, known: transport, convex bodies, codes, combinatorics, mechanisms, votes (2); see README.md."""

import itertools
import math
from collections import Counter

import numpy as np
import torch

from harness import always, claim, grid, rate, tail, up_to_constant


def hamming_distances(words):
    """The Hamming distance of each pair of different rows."""
    i, j = np.triu_indices(words.shape[1], 1)
    return (words[:, i] != words[:, j]).sum(-1)


@claim("geometry/true-plotkin", always(), over=grid(m=[3, 4, 5]), cite="Plotkin 1960")
def plotkin(forall, *, m):
    """d C(m, 2) <= n floor(m / 2) ceil(m / 2) for m binary words of length n = 6 at least d apart."""
    words = forall.integers("w", 0, 1, m, 6)
    d = hamming_distances(words).amin(-1)
    return (d * math.comb(m, 2)).double(), 6.0 * (m // 2) * ((m + 1) // 2)


@claim("geometry/plain-plotkin-half", always(), cite="Plotkin 1960, without m / (m - 1)", expected="refuted")
def plotkin_half(forall):
    """Of four binary words of length six some two differ in at most three places."""
    words = forall.integers("w", 0, 1, 4, 6)
    return hamming_distances(words).amin(-1).double(), 3.0


@claim("geometry/true-hamming-code", always(), cite="Hamming 1950")
def hamming_code(forall):
    """The syndrome decoder of the [7, 4] code corrects one error: no wrong bit remains."""
    message, place = forall.integers("m", 0, 1, 4).long(), forall.integers("e", 0, 7).long()
    check = torch.tensor([[int(b) for b in f"{k:03b}"] for k in range(1, 8)])
    data = [2, 4, 5, 6]
    word = torch.zeros(len(message), 7, dtype=torch.long)
    word[:, data] = message
    for bit, position in ((2, 0), (1, 1), (0, 3)):
        word[:, position] = (word @ check[:, bit]) % 2
    received = torch.where(torch.arange(1, 8) == place[:, None], 1 - word, word)
    syndrome = (received @ check % 2 * torch.tensor([4, 2, 1])).sum(-1)
    decoded = torch.where(torch.arange(1, 8) == syndrome[:, None], 1 - received, received)
    return (decoded != word).sum(-1).double(), 0.0


def huffman(weights):
    """The mean length of Huffman's code."""
    heap, cost = sorted(weights), 0.0
    while len(heap) > 1:
        a, b, *rest = heap
        cost += a + b
        heap = sorted([a + b, *rest])
    return cost


@claim("geometry/true-huffman", always(), cite="Gallager 1978")
def huffman_redundancy(forall):
    """Huffman's mean length is at most entropy + p_max + 0.0861."""
    p = 0.95 * forall.simplex("p", 5) + 0.01
    length = torch.tensor([huffman(w) for w in p.tolist()], dtype=torch.float64)
    return length, -(p * p.log2()).sum(-1) + p.amax(-1) + 0.0861


@claim("geometry/subtle-huffman", always(), cite="Gallager 1978, with 0.9 p_max alone", expected="refuted")
def huffman_redundancy_small(forall):
    """Huffman's mean length is at most entropy + 0.9 p_max."""
    p = 0.95 * forall.simplex("p", 5) + 0.01
    length = torch.tensor([huffman(w) for w in p.tolist()], dtype=torch.float64)
    return length, -(p * p.log2()).sum(-1) + 0.9 * p.amax(-1)


@claim("geometry/true-random-code", tail(), over=grid(n=[8], m=[3]), cite="Gilbert 1952; Varshamov 1957")
def random_code(draw, *, n, m):
    """P(some two of m random words are within distance 1) <= C(m, 2) (n + 1) / 2^n."""
    words = draw.bernoulli("w", 0.5, m, n)
    return (hamming_distances(words) <= 1).any(-1), math.comb(m, 2) * (n + 1) / 2**n


SUBSETS = torch.tensor(list(itertools.product([0, 1], repeat=4)))


def comparable(family):
    """How often one member of a family of subsets of {1, ..., 4} is strictly inside another."""
    inside = (SUBSETS[:, None, :] <= SUBSETS[None, :, :]).all(-1) & ~torch.eye(16, dtype=torch.bool)
    return torch.einsum("bi,ij,bj->b", family, inside.double(), family)


@claim("geometry/plain-sperner", always(), cite="Sperner 1928, with five", expected="refuted")
def sperner(forall):
    """Of more than five subsets of {1, ..., 4} one lies in another: an antichain has at most five members."""
    family = forall.integers("F", 0, 1, 16)
    return family.sum(-1), 5.0 + 20.0 * comparable(family)


@claim("geometry/true-sauer", always(), cite="Sauer 1972; Shelah 1972")
def sauer(forall):
    """A family of subsets of {1, ..., 4} shatters at least as many sets as it has members (Pajor)."""
    family = forall.integers("F", 0, 1, 16)
    total = torch.zeros_like(family[:, 0])
    for size in range(5):
        for chosen in itertools.combinations(range(4), size):
            code = (SUBSETS[:, list(chosen)] * torch.tensor([2**i for i in range(size)])).sum(-1).long()
            traces = torch.stack([family[:, code == c].amax(-1) for c in range(2**size)])
            total = total + (traces.sum(0) == 2**size).double()
    return family.sum(-1), total


@claim("geometry/true-mantel", always(), over=grid(n=[5, 6]), cite="Mantel 1907")
def mantel(forall, *, n):
    """A graph has at most n^2 / 4 edges, or a triangle: edges <= floor(n^2 / 4) + triangles * n."""
    graph = forall.graph("G", n)
    triangles = torch.diagonal(graph @ graph @ graph, dim1=-2, dim2=-1).sum(-1) / 6.0
    return graph.sum((-1, -2)) / 2.0, n * n // 4 + n * triangles


@claim("geometry/subtle-goodman", always(), over=grid(n=[6]), cite="Goodman 1959, off by one", expected="refuted")
def goodman(forall, *, n):
    """A graph on six vertices and its complement have together at least three triangles."""
    graph = forall.graph("G", n)
    other = 1.0 - graph - torch.eye(n, dtype=torch.float64)
    count = sum(torch.einsum("bij,bjk,bki->b", g, g, g) / 6.0 for g in (graph, other))
    return 3.0 + 0.0 * count, count


@claim("geometry/true-vcg", always(), cite="Clarke 1971; Groves 1973")
def vcg(forall):
    """Under VCG with three alternatives no report gains against the truth."""
    value, report = forall.interval("v", 0.0, 1.0, 3), forall.interval("r", 0.0, 1.0, 3)
    others = forall.interval("o", 0.0, 1.0, 2, 3).sum(1)

    def utility(said):
        chosen = (said + others).argmax(-1, keepdim=True)
        return (value + others).gather(-1, chosen)[:, 0] - others.amax(-1)

    return utility(report), utility(value)


@claim("geometry/true-median-voter", always(), cite="Moulin 1980")
def median_voter(forall):
    """Nobody with single-peaked wishes gains by lying to the median of five."""
    peaks, lie = forall.interval("p", 0.0, 1.0, 5), forall.interval("l", 0.0, 1.0)
    told = torch.cat([lie[:, None], peaks[:, 1:]], dim=-1)
    return (peaks.median(-1).values - peaks[:, 0]).abs(), (told.median(-1).values - peaks[:, 0]).abs()


@claim("geometry/plain-mean-voter", always(), cite="Moulin 1980, for the mean", expected="refuted")
def mean_voter(forall):
    """Nobody with single-peaked wishes gains by lying to the mean of five."""
    peaks, lie = forall.interval("p", 0.0, 1.0, 5), forall.interval("l", 0.0, 1.0)
    told = torch.cat([lie[:, None], peaks[:, 1:]], dim=-1)
    return (peaks.mean(-1) - peaks[:, 0]).abs(), (told.mean(-1) - peaks[:, 0]).abs()


RANKINGS = list(itertools.permutations("abc"))


@claim("geometry/plain-condorcet-borda", always(), cite="Condorcet 1785: Borda may fail", expected="refuted")
def borda_elects(forall):
    """A Condorcet winner wins by Borda."""
    votes = forall.integers("votes", 0, 5, 6)
    tally = Counter()
    for i, ranking in enumerate(RANKINGS):
        for better, worse in itertools.combinations(ranking, 2):
            tally[better, worse] = tally[better, worse] + votes[:, i]
    forall.assume((tally["a", "b"] > tally["b", "a"]) & (tally["a", "c"] > tally["c", "a"]))
    return tally["b", "a"] + tally["b", "c"], tally["a", "b"] + tally["a", "c"]


@claim("geometry/true-jury", tail(), over=grid(n=[5, 11]), cite="Condorcet 1785; Hoeffding 1963")
def jury(forall, draw, *, n):
    """A majority of n jurors, each right with probability p > 1/2, errs at most as often as (4 p (1 - p))^(n/2)."""
    p = forall.interval("p", 0.5, 1.0)
    right = draw.bernoulli("right", p, n).sum(-1)
    return right <= n / 2, (4.0 * p * (1.0 - p)) ** (n / 2)


@claim("geometry/true-jury-rate", rate("n", -2.0), over=grid(n=[1, 3, 5, 9, 17, 33]), cite="Condorcet 1785")
def jury_rate(draw, *, n):
    """The error of a majority of n jurors of competence .8 falls faster than n^-2."""
    return (draw.bernoulli("right", 0.8, n).mean(-1) < 0.5).double() * n**0.0


@claim(
    "geometry/true-spread",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    cite="Polya and Szego 1925, variance of ranks",
)
def spread(forall, *, n):
    """sum over pairs of |x_i - x_j| <= C n^2 for points of [0, 1]."""
    x = forall.interval("x", 0.0, 1.0, n).sort(-1).values
    ranks = 2.0 * torch.arange(1, n + 1) - n - 1
    return (x * ranks).sum(-1), float(n * n)


PROOFS = {
    "geometry/true-plotkin": ("Each column contributes at most floor(m/2) ceil(m/2) to the sum of all distances."),
    "geometry/true-hamming-code": ("The columns of the check matrix are all different and not zero."),
    "geometry/true-huffman": ("Gallager 1978, Theorem 2: the constant is 1 - log2 e + log2 log2 e = 0.08607."),
    "geometry/true-random-code": ("Union bound over pairs, each within distance one with probability (n + 1) / 2^n."),
    "geometry/true-sauer": ("Pajor 1985: a family shatters at least as many sets as it has members."),
    "geometry/true-mantel": (
        "Mantel without triangles; with t of them the excess of edges is at most t n, as t >= edges (4 "
        "edges - n^2) / (3 n)."
    ),
    "geometry/true-vcg": ("The utility is the welfare of the chosen alternative minus a constant; truth maximises it."),
    "geometry/true-median-voter": ("A lie moves the median only away from the peak, or not at all."),
    "geometry/true-jury": ("Chernoff's bound for P(B <= n / 2): exp(-n KL(1/2 || p)) = (4 p (1 - p))^(n/2)."),
    "geometry/true-jury-rate": ("The error is at most 0.8^n, by Chernoff."),
    "geometry/true-spread": ("Each of the n (n - 1) / 2 differences is at most 1."),
}

WITNESSES = {
    "geometry/plain-plotkin-half": {
        "params": {},
        "values": {"w": [[0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1]]},
        "why": "all four at the distance four",
    },
    "geometry/subtle-huffman": {
        "params": {},
        "values": {"p": [0.3238, 0.0, 0.3388, 0.3374, 0.0]},
        "why": "a redundancy of .911 p_max",
    },
    "geometry/plain-sperner": {
        "params": {},
        "values": {"F": [float(a + b + c + d == 2) for a, b, c, d in itertools.product([0, 1], repeat=4)]},
        "why": "the six pairs",
    },
    "geometry/subtle-goodman": {
        "params": {"n": 6},
        "values": {"G": [float((i < 3) != (j < 3)) for j in range(6) for i in range(j)]},
        "why": "two triangles in the complement of K33",
    },
    "geometry/plain-mean-voter": {
        "params": {},
        "values": {"p": [0.5, 0.0, 0.0, 0.0, 0.0], "l": 1.0},
        "why": "the mean .2 is nearer to .5 than .1",
    },
    "geometry/plain-condorcet-borda": {
        "params": {},
        "values": {"votes": [3, 0, 0, 2, 0, 0]},
        "why": "Borda scores 6, 7 and 2",
    },
}
