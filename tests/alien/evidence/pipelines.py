"""Evidence for `pipelines`: `python tests/alien/evidence/pipelines.py`, by the checks of `estimators.py`.

What falsehoods are at their witnesses is counted or computed without their bodies: fractions, enumeration, closed
forms. Truths are run at random and degenerate inputs of our own.
"""

import itertools
from fractions import Fraction

import mpmath as mp
from estimators import check


def distances(a, b):
    """The fewest edits, by breadth; and 2 n less twice the longest common subsequence, by enumeration."""
    n, reached, edits = len(a), {a}, 0
    while b not in reached:
        new = {w[:i] + c + w[i + 1 :] for w in reached for i in range(len(w)) for c in ("", "0", "1")}
        new |= {w[:i] + c + w[i:] for w in reached for i in range(len(w) + 1) for c in "01"}
        reached, edits = reached | {w for w in new if len(w) <= n + 1}, edits + 1
    common = max(k for k in range(n + 1) if set(itertools.combinations(a, k)) & set(itertools.combinations(b, k)))
    return edits, 2 * (n - common)


def lines(x):
    """The energy, and what the half spectrum says with all lines but the zeroth twice."""
    n = len(x)
    power = [abs(sum(v * mp.expjpi(-mp.mpf(2 * j * k) / n) for j, v in enumerate(x))) ** 2 for k in range(n // 2 + 1)]
    return sum(v * v for v in x), (2 * sum(power) - power[0]) / n


def adjusted(p):
    """Holm's excess over Benjamini and Hochberg's values, for sorted p-values, in fractions."""
    m = len(p)
    holm = [min(1, max((m - j) * p[j] for j in range(i + 1))) for i in range(m)]
    bh = [min(1, *(Fraction(m, j + 1) * p[j] for j in range(i, m))) for i in range(m)]
    return 1 + max(a - b for a, b in zip(holm, bh, strict=True))


def running(x):
    padded = [0, *x, 0]
    return [sorted(padded[i : i + 3])[1] for i in range(len(x))]


def upper_quartile(x):
    """Of four numbers, interpolated at the place 9/4."""
    x = sorted(x)
    return Fraction(3, 4) * x[2] + Fraction(1, 4) * x[3]


def assignments(rows):
    """0.6 of the best of all permutations, and greedy by the largest entry."""
    n = len(rows)
    best = max(sum(rows[i][s[i]] for i in range(n)) for s in itertools.permutations(range(n)))
    entries = sorted(itertools.product(range(n), repeat=2), key=lambda e: -rows[e[0]][e[1]])
    taken = []
    for i, j in entries:
        if all(i != a and j != b for a, b in taken):
            taken.append((i, j))
    return Fraction(3, 5) * best, sum(rows[i][j] for i, j in taken)


def coverage(sets):
    """0.8 of the best two sets, and what greedy covers."""
    first = max(sets, key=len)
    best = max(len(a | b) for a, b in itertools.combinations(sets, 2))
    return Fraction(4, 5) * best, max(len(first | s) for s in sets)


def rank_sides():
    """Ranks 1.5, 1.5, 3, 4 and 1, 2, 3, 4: 2 + rho, and 2 + the formula without ties."""
    x, y = [Fraction(3, 2), Fraction(3, 2), 3, 4], [1, 2, 3, 4]
    middle = Fraction(5, 2)
    both = sum((a - middle) * (b - middle) for a, b in zip(x, y, strict=True))
    squares = sum((a - middle) ** 2 for a in x) * sum((b - middle) ** 2 for b in y)
    formula = 1 - Fraction(6 * sum((a - b) ** 2 for a, b in zip(x, y, strict=True)), 60)
    return 2 + mp.mpf(float(both)) / mp.sqrt(mp.mpf(float(squares))), 2 + formula


STEPS = [Fraction(k, 4) for k in range(5)]
SPIKES = (0, 1, 0, 1, 0, 0, 0)
FIRST, SECOND = (0, 1, 0, 0), (0, 0, 1, 0)
assert running(SPIKES) == [0, 0, 1, 0, 0, 0, 0]
assert 341 == 11 * 31
SIDES = {
    "plain-edit-lcs": distances("0000", "1111"),
    "plain-diagonal-radius": (1, mp.sqrt(1 - mp.mpf(16) / 25)),  # the eigenvalues square to 1 - 0.8^2
    "plain-parseval-even": lines((1, -1) * 4),
    "plain-median-step": (1, 4 * Fraction(1, 25) + Fraction(16, 25)),
    "plain-holm-below-bh": (adjusted([Fraction(k, 100) for k in (1, 2, 3, 4)]), 1),
    "plain-ks-wasserstein": (1, Fraction(1, 100)),
    "plain-medfilt": (max(abs(a - b) for a, b in zip(running(running(SPIKES)), running(SPIKES), strict=True)), 1e-3),
    "plain-quantile-subadditive": (
        upper_quartile(a + b for a, b in zip(FIRST, SECOND, strict=True)),
        upper_quartile(FIRST) + upper_quartile(SECOND),
    ),
    "subtle-greedy-matching": assignments([[1, Fraction(99, 100), 0], [Fraction(99, 100), 0, 0], [0, 0, 0]]),
    "subtle-coverage-08": coverage([{0, 1, 4, 5}, {0, 1, 2, 3}, {4, 5, 6, 7}, set()]),
    "subtle-spearman-ties": rank_sides(),
    "subtle-tour-tree": (
        min(sum(abs(a - b) for a, b in zip(o, (*o[1:], o[0]), strict=True)) for o in itertools.permutations(STEPS)),
        Fraction(9, 5) * sum(b - a for a, b in itertools.pairwise(STEPS)),
    ),
    "subtle-euler-stability": (Fraction(11, 10) ** 20, 1),
    "subtle-fermat": (2**340 % 341, 0),
}

if __name__ == "__main__":
    assert check("pipelines", SIDES, {}) == 23
