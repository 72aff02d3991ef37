"""Exact worst violation probabilities of "|mean - p| <= sqrt(log(2/delta) / (c n))" over all biases p.

For X ~ Binomial(n, p) the event |X - n p| > n eps is X < n (p - eps) or X > n (p + eps). Between the points where
n (p - eps) or n (p + eps) is a whole number the event is a fixed set of counts and its probability a polynomial in p:
the supremum is taken over a fine grid of each such piece, ends included as one-sided limits, with 30 digits.

Run `python tests/oracles/coin_flips.py` to write coin_flips.json again.
"""

import json
from itertools import pairwise
from math import floor
from pathlib import Path

from mpmath import binomial, log, mp, mpf, sqrt

mp.dps = 30
DELTA = mpf("0.05")
GRID = 24  # points inside each piece


def violation_probability(n: int, p: mpf, low: int, high: int) -> mpf:
    """P(X <= low or X >= high)."""
    counts = [k for k in range(n + 1) if k <= low or k >= high]
    return sum((binomial(n, k) * p**k * (1 - p) ** (n - k) for k in counts), mpf(0))


def worst(n: int, c: int) -> tuple[mpf, mpf]:
    """(supremum, a bias that comes within the grid of it)."""
    eps = sqrt(log(2 / DELTA) / (c * n))
    cuts = {mpf(0), mpf(1)}
    for k in range(n + 1):
        cuts |= {p for p in (mpf(k) / n + eps, mpf(k) / n - eps) if 0 < p < 1}
    ordered = sorted(cuts)
    best = (mpf(-1), mpf(0))
    for left, right in pairwise(ordered):
        middle = (left + right) / 2
        low = -floor(-n * (middle - eps)) - 1  # largest count below n (p - eps), inside the piece
        high = floor(n * (middle + eps)) + 1
        for i in range(GRID + 1):
            p = left + (right - left) * i / GRID
            best = max(best, (violation_probability(n, p, low, high), p))
    return best


def main() -> None:
    """Write the table."""
    table = []
    for n in (10, 30):
        for c in (2, 3, 4, 5, 6, 8):
            probability, bias = worst(n, c)
            table.append({"n": n, "c": c, "worst_probability": float(probability), "bias": float(bias)})
    text = json.dumps({"delta": float(DELTA), "table": table}, indent=1) + "\n"
    Path(__file__).with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
