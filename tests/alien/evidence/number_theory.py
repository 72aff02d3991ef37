"""Evidence for `numbers`: `python tests/alien/evidence/number_theory.py`, by the checks of `features.py`.

What falsehoods are at their witnesses is counted without their bodies. (A file `numbers.py` would hide the module of
that name from the others in this folder.)
"""

import math
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, permutations, product

from features import check

GAMMA = 0.5772156649015329


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def cubes(n):
    """The fewest positive cubes with the sum n, by breadth."""
    sums, count = {0}, 0
    while n not in sums:
        sums, count = {s + k**3 for s in sums for k in range(1, n + 1) if s + k**3 <= n}, count + 1
    return count


def greedy(n):
    """How many unit fractions the greedy algorithm takes for 4/n, in whole numbers."""
    a, b, count = 4, n, 0
    while a:
        unit = -(-b // a)
        a, b, count = a * unit - b, b * unit, count + 1
        shared = math.gcd(a, b)
        a, b = a // shared, b // shared
    return count


def collatz(n):
    return 0 if n == 1 else 1 + collatz(3 * n + 1 if n % 2 else n // 2)


@cache
def loads(bins, balls):
    """In how many ways balls fall into bins with at most three in each."""
    if not bins:
        return int(not balls)
    return sum(math.comb(balls, k) * loads(bins - 1, balls - k) for k in range(min(3, balls) + 1))


def weak_ballot(a, b):
    """The share of orders in which A is never behind."""
    orders = [[-1 if i in losing else 1 for i in range(a + b)] for losing in combinations(range(a + b), b)]
    return Fraction(sum(min(accumulate(order)) >= 0 for order in orders), len(orders))


def walks(n, a):
    """P(max S_k >= a) and 2 P(S_n >= a)."""
    paths = [list(accumulate(steps)) for steps in product((-1, 1), repeat=n)]
    return Fraction(sum(max(p) >= a for p in paths), 2**n), 2 * Fraction(sum(p[-1] >= a for p in paths), 2**n)


def monochromatic(n, pairs):
    return sum(len({pair in pairs for pair in combinations(three, 2)}) == 1 for three in combinations(range(n), 3))


SEVEN = {(1, 2), (2, 3), (0, 4), (1, 4), (2, 4), (0, 5), (3, 5), (0, 6), (3, 6), (5, 6)}
FIVE = {(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)}


def merges(items):
    """Comparisons of merge sort, by how many of the two halves are left when one is used up."""
    if len(items) < 2:
        return 0
    a, b = sorted(items[: len(items) // 2]), sorted(items[len(items) // 2 :])
    left = sum(v > b[-1] for v in a) if a[-1] > b[-1] else sum(v > a[-1] for v in b)
    return merges(items[: len(items) // 2]) + merges(items[len(items) // 2 :]) + len(items) - left


def derangements(n):
    return sum((-1) ** k * math.factorial(n) // math.factorial(k) for k in range(n + 1))


def collisions(x, y):
    return Fraction(sum((a * x % 17 - a * y % 17) % 4 == 0 for a in range(1, 17)), 16)


SIDES = {
    "subtle-wieferich": (int((2**1092 - 1) % 1093**2 == 0), 0),
    "subtle-totient": (0.21 * 2310, math.prod(p - 1 for p in (2, 3, 5, 7, 11))),
    "subtle-robin": (sum(divisors(5040)), math.exp(GAMMA) * 5040 * math.log(math.log(5040))),
    "subtle-prime-polynomial": (len([d for d in divisors(80**2 - 79 * 80 + 1601) if 1 < d <= 41]), 0),
    "plain-euler-partitions": (2, 4),
    "plain-cube-root": (7, 4),
    "subtle-eight-cubes": (cubes(23), 8),
    "plain-two-residue": (int(any(x * x % 7 == 2 for x in range(7))), 0),
    "subtle-egyptian": (greedy(17), 3),
    "subtle-collatz": (collatz(97), 117),
    "subtle-central-binomial": (Fraction(math.comb(600, 300), 4**300), 1 / math.sqrt(300 * math.pi + 0.8)),
    "subtle-goldbach-count": (2, 1),
    "plain-inversions-cycles": (15, 6),
    "subtle-erdos-szekeres": (4, 3),
    "subtle-derangements": (derangements(6), math.floor(math.factorial(6) / math.e)),
    "subtle-ramsey": (1, monochromatic(5, FIVE)),
    "subtle-goodman-seven": (5, monochromatic(7, SEVEN)),
    "subtle-sperner": (math.comb(4, 2), 5),
    "plain-merge-sort": (merges([0, 4, 2, 6, 1, 5, 3, 7]), 14),
    "subtle-union-find": (3, 2),
    "subtle-binary-search": (4, 3),
    "subtle-hashing-without-shift": (collisions(4, 3), Fraction(1, 4)),
    "plain-coupon-collector": (
        1 - sum(Fraction((-1) ** j * math.comb(6, j) * (6 - j) ** 14, 6**14) for j in range(7)),
        math.exp(-1.5),
    ),
    "subtle-birthday": (Fraction(math.perm(365, 10), 365**10), math.exp(-100 / 730)),
    "plain-ballot": (weak_ballot(6, 3), Fraction(1, 3)),
    "plain-reflection": walks(8, 2),
    "plain-secretary": (Fraction(2, 6) * sum(Fraction(1, k) for k in range(2, 6)), 1 / math.e),
    "subtle-van-der-waerden": (0.224, Fraction(len(list(permutations(range(3)))), 27)),
    "plain-ky-fan": (4, 2),
    "plain-max-load": (1 - Fraction(loads(16, 16), 16**16), 0.1),
}

if __name__ == "__main__":
    # in floats 64^(1/3) is below 4
    assert check("numbers", SIDES, skipped=("true-cube-root",)) == 84
