"""More inequalities, with equality cases of other natures: vertices, ranks, patterns, limits."""

import itertools
import math

import numpy as np
import torch

from harness.language.quantifiers import Forall
from harness.selftest.entries import Instance, Sides, Tight
from harness.selftest.truths import norm

Array = np.ndarray


def _table(size: int, modulus: int, shift: int) -> Array:
    """A fixed symmetric matrix of small integers with zero diagonal."""
    i, j = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
    low, high = np.minimum(i, j), np.maximum(i, j)
    values = (7 * low * high + 3 * low * low + 5 * high + 1) % modulus - shift
    return np.where(i == j, 0, values).astype(float)


def _best_signs(matrix: Array) -> Array:
    """The signs that maximise s'As, by enumeration."""
    patterns = np.array(list(itertools.product((-1.0, 1.0), repeat=len(matrix) - 1)))
    patterns = np.concatenate([np.ones((len(patterns), 1)), patterns], axis=1)
    return np.asarray(patterns[((patterns @ matrix) * patterns).sum(-1).argmax()])


def _largest_clique(adjacency: Array) -> list[int]:
    """The largest clique, by enumeration of subsets."""
    size = len(adjacency)
    for count in range(size, 0, -1):
        for chosen in itertools.combinations(range(size), count):
            if adjacency[np.ix_(chosen, chosen)].sum() == count * (count - 1):
                return list(chosen)
    return [0]


def _knapsack(values: list[int], weights: list[int], capacity: int, copies: int) -> list[int]:
    """The best counts of each item, by dynamic programming."""
    best: list[tuple[int, list[int]]] = [(0, []) for _ in range(capacity + 1)]
    for value, weight in zip(values, weights, strict=True):
        best = [
            max(
                (best[room - c * weight][0] + c * value, [*best[room - c * weight][1], c])
                for c in range(copies + 1)
                if c * weight <= room
            )
            for room in range(capacity + 1)
        ]
    return best[capacity][1]


QUADRATIC = _table(14, 13, 6)
GRAPH = (_table(12, 5, 0) > 1.0).astype(float)
CLIQUE = _largest_clique(GRAPH)
BEST_SIGNS = _best_signs(QUADRATIC)
PETERSEN = (
    [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)] + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
)
VALUES, WEIGHTS, CAPACITY = [23, 31, 29, 44, 53, 38, 63, 85, 89, 82], [10, 13, 12, 19, 23, 17, 28, 38, 40, 37], 165
BEST_COUNTS = _knapsack(VALUES, WEIGHTS, CAPACITY, 3)
SIGNS_OF_4 = torch.tensor(list(itertools.product((-1.0, 1.0), repeat=4)), dtype=torch.float64)


def _l1_l2(forall: Forall) -> Sides:
    x = forall.interval("x", -1.0, 1.0, 8)
    return x.abs().sum(-1), math.sqrt(8.0) * norm(x)


def _l2_max(forall: Forall) -> Sides:
    x = forall.ball("x", 8, radius=5.0)
    return norm(x), math.sqrt(8.0) * x.abs().amax(-1)


def _rayleigh(forall: Forall) -> Sides:
    k, x = forall.psd("K", 4, trace=1.0), forall.sphere("x", 4)
    return (x.unsqueeze(-2) @ k @ x.unsqueeze(-1)).squeeze((-2, -1)), 1.0


def _gini(forall: Forall) -> Sides:
    return 1.0 - forall.simplex("p", 6).square().sum(-1), 5.0 / 6.0


def _pinsker(forall: Forall) -> Sides:
    p, q = forall.interval("p", 0.01, 0.99), forall.interval("q", 0.01, 0.99)
    gap = p - q  # log1p keeps the digits of the divergence of two close laws
    divergence = p * torch.log1p(gap / q) + (1.0 - p) * torch.log1p(-gap / (1.0 - q))
    return gap.abs(), (divergence.clamp_min(0.0) / 2.0).sqrt()


def _signs(forall: Forall) -> Sides:
    s = forall.signs("s", 14)
    return ((s @ torch.from_numpy(QUADRATIC)) * s).sum(-1), float(BEST_SIGNS @ QUADRATIC @ BEST_SIGNS)


def _integer_programme(forall: Forall) -> Sides:
    x = forall.integers("x", 0, 3, 10)
    values, weights = (torch.tensor(v, dtype=torch.float64) for v in (VALUES, WEIGHTS))
    feasible = (x * weights).sum(-1) <= CAPACITY
    return torch.where(feasible, (x * values).sum(-1), 0.0), float(np.dot(VALUES, BEST_COUNTS))


def _khinchin(forall: Forall) -> Sides:
    x = forall.sphere("x", 4)
    return norm(x), math.sqrt(2.0) * (x @ SIGNS_OF_4.mT).abs().mean(-1)


def _hadamard(forall: Forall) -> Sides:
    k = forall.psd("K", 4, trace=4.0)
    return torch.linalg.det(k), k.diagonal(dim1=-2, dim2=-1).prod(-1)


def _triangle(forall: Forall) -> Sides:
    x, y = forall.ball("x", 5), forall.ball("y", 5)
    return norm(x + y), norm(x) + norm(y)


def _nesbitt(forall: Forall) -> Sides:
    a = forall.interval("a", 0.01, 5.0, 3)
    return 1.5, (a / (a.sum(-1, keepdim=True) - a)).sum(-1)


def _motzkin_straus(forall: Forall) -> Sides:
    p = forall.simplex("p", 12)
    return ((p @ torch.from_numpy(GRAPH)) * p).sum(-1), 1.0 - 1.0 / len(CLIQUE)


def _petersen(forall: Forall) -> Sides:
    s = forall.signs("s", 10)
    edges = torch.tensor(PETERSEN)
    return (1.0 - s[:, edges[:, 0]] * s[:, edges[:, 1]]).sum(-1) / 2.0, 12.0


def _holder(forall: Forall) -> Sides:
    x, y = forall.interval("x", 0.0, 2.0, 5), forall.interval("y", 0.5, 2.0, 5)
    return (x * y * y).sum(-1), (x**3).sum(-1) ** (1 / 3) * (y**3).sum(-1) ** (2 / 3)


def _clique_law() -> Instance:
    return {"p": [1.0 / len(CLIQUE) if i in CLIQUE else 0.0 for i in range(12)]}


def _eye(n: int) -> list[list[float]]:
    return np.eye(n).tolist()


FIRST = [1.0, 0.0, 0.0, 0.0]
HALF = math.sqrt(0.5)
INEQUALITIES = [
    Tight("l1-l2", "|x|_1 <= sqrt(8) |x|_2", _l1_l2, {"x": [1.0] * 8}, "entries of equal size"),
    Tight("l2-max", "|x|_2 <= sqrt(8) |x|_max", _l2_max, {"x": [1.0] * 8}, "entries of equal size"),
    Tight("rayleigh", "x'Kx <= tr K", _rayleigh, {"K": np.diag(FIRST).tolist(), "x": FIRST}, "rank one, aligned"),
    Tight("gini", "1 - sum p^2 <= 5/6", _gini, {"p": [1.0 / 6.0] * 6}, "the uniform law"),
    Tight("pinsker", "|p - q| <= sqrt(KL/2)", _pinsker, {"p": 0.5001, "q": 0.5}, "two close laws, a limit of 0/0"),
    Tight("signs", "s'As <= its maximum", _signs, {"s": BEST_SIGNS.tolist()}, "one sign pattern up to sign"),
    Tight(
        "knapsack", "value <= optimum", _integer_programme, {"x": [float(c) for c in BEST_COUNTS]}, "the best packing"
    ),
    Tight("khinchin", "|x|_2 <= sqrt(2) E|sum s x|", _khinchin, {"x": [HALF, HALF, 0.0, 0.0]}, "two equal entries"),
    Tight("hadamard", "det K <= product of the diagonal", _hadamard, {"K": _eye(4)}, "diagonal matrices"),
    Tight("triangle", "|x + y| <= |x| + |y|", _triangle, {"x": [*FIRST, 0.0], "y": [*FIRST, 0.0]}, "aligned vectors"),
    Tight("nesbitt", "3/2 <= sum a/(b + c)", _nesbitt, {"a": [1.0] * 3}, "equal entries"),
    Tight("clique", "p'Ap <= 1 - 1/omega (Motzkin, Straus)", _motzkin_straus, _clique_law(), "the largest clique"),
    Tight(
        "cut",
        "a cut of the Petersen graph has at most 12 edges",
        _petersen,
        {"s": [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0]},
        "a maximum cut",
    ),
    Tight("holder", "<x, y^2> <= |x|_3 |y|_3^2", _holder, {"x": [1.0] * 5, "y": [1.0] * 5}, "proportional vectors"),
]
