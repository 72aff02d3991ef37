"""Alien claims, aside: elementary number theory; see README.md."""

# ruff: noqa: B905

import itertools
import math
from fractions import Fraction

import numpy as np
import torch

from harness import always, claim, grid, identity


def each(f, *columns):
    """f of whole numbers, instance by instance."""
    rows = zip(*(c.tolist() for c in columns))
    return torch.tensor([float(f(*(int(v) for v in row))) for row in rows], dtype=torch.float64)


@claim("numbers/true-bezout-size", always(), cite="Bezout 1779")
def bezout_size(forall):
    """The extended Euclidean algorithm gives |x| <= b / gcd(a, b)."""

    def bezout(a, b):
        x, x1 = 1, 0
        while b:
            q, (a, b) = a // b, (b, a % b)
            x, x1 = x1, x - q * x1
        return abs(x)

    a, b = forall.integers("a", 1, 500), forall.integers("b", 1, 500)
    return each(bezout, a, b), each(lambda x, y: y // math.gcd(x, y), a, b)


@claim("numbers/true-carmichael", identity(), cite="Carmichael 1910")
def carmichael(forall):
    """a^560 = 1 mod 561 where gcd(a, 561) = 1."""
    a = forall.integers("a", 1, 560)
    forall.assume(each(lambda x: math.gcd(x, 561), a) == 1)
    return each(lambda x: pow(x, 560, 561), a), 1


@claim("numbers/subtle-robin", always(), expected="refuted", cite="Robin 1984")
def robin(forall):
    """sigma(n) <= exp(gamma) n log log n for 2521 <= n <= 6000."""

    def sigma(n):
        return sum(d + (n // d if d * d < n else 0) for d in range(1, math.isqrt(n) + 1) if n % d == 0)

    n = forall.integers("n", 2521, 6000)
    return each(sigma, n), math.exp(0.5772156649015329) * n * n.log().log()


def all_partitions(n, largest=None):
    if n == 0:
        yield ()
        return
    for k in range(min(n, largest or n), 0, -1):
        for rest in all_partitions(n - k, k):
            yield (k, *rest)


@claim("numbers/true-euler-partitions", identity(), over=grid(n=[1, 6, 15]), cite="Euler 1748")
def euler_partitions(*, n):
    """As many partitions have distinct parts as have odd parts."""
    every = list(all_partitions(n))
    return len([p for p in every if len(set(p)) == len(p)]), len([p for p in every if all(k % 2 for k in p)])


@claim("numbers/true-cube-root", always(), cite="elementary")
def cube_root(forall):
    """n < (floor(n^(1/3)) + 1)^3, as whole numbers."""
    n = forall.integers("n", 1, 1000)
    return each(lambda m: m + 1, n), each(lambda m: (math.floor(m ** (1 / 3)) + 1) ** 3, n)


@claim("numbers/plain-cube-root", always(), expected="refuted", cite="elementary")
def cube_root_wrong(forall):
    """n <= floor(n^(1/3))^3 + 3 floor(n^(1/3))^2."""
    n = forall.integers("n", 1, 1000)
    root = each(lambda m: math.floor(m ** (1 / 3)), n)
    return n, root**3 + 3 * root**2


@claim("numbers/true-four-squares", always(), cite="Lagrange 1770")
def four_squares(forall):
    """Each n is a sum of at most four squares."""
    need = np.zeros(501, dtype=int)
    for n in range(1, 501):
        need[n] = 1 + min(need[n - k * k] for k in range(1, math.isqrt(n) + 1))
    return each(lambda m: need[m], forall.integers("n", 1, 500)), 4


@claim("numbers/true-convergents", always(), cite="Khinchin, Theorem 9")
def convergents(forall):
    """|a/b - p_k/q_k| <= 1/(q_k q_{k+1}) for convergents of a/b; the largest excess."""

    def excess(a, b):
        x, terms = Fraction(a, b), []
        n, d = a, b
        while d:
            terms.append(n // d)
            n, d = d, n % d
        p, q, p1, q1, worst = terms[0], 1, 1, 0, Fraction(-1)
        for term in terms[1:]:
            p, p1, q, q1 = term * p + p1, p, term * q + q1, q
            worst = max(worst, abs(x - Fraction(p1, q1)) - Fraction(1, q * q1))
        return worst

    return each(excess, forall.integers("a", 1, 999), forall.integers("b", 1, 999)), 0


@claim("numbers/subtle-egyptian", always(), expected="refuted", cite="Fibonacci 1202")
def egyptian(forall):
    """The greedy algorithm writes 4/n as a sum of at most three unit fractions, 2 <= n <= 40."""

    def greedy(n):
        x, count = Fraction(4, n), 0
        while x > 0:
            x -= Fraction(1, math.ceil(1 / x))
            count += 1
        return count if n > 4 else 0

    return each(greedy, forall.integers("n", 2, 40)), 3


@claim("numbers/true-zeckendorf", always(), cite="Zeckendorf 1972")
def zeckendorf(forall):
    """Greedy Fibonacci expansions have no two neighbours."""
    fib = [1, 2]
    while fib[-1] < 10**4:
        fib.append(fib[-1] + fib[-2])

    def neighbours(n):
        used = []
        for index in reversed(range(len(fib))):
            if fib[index] <= n:
                n -= fib[index]
                used.append(index)
        return sum(i - j == 1 for i, j in itertools.pairwise(used))

    return each(neighbours, forall.integers("n", 1, 9999)), 0


@claim("numbers/subtle-goldbach-count", always(), expected="refuted", cite="Goldbach 1742")
def goldbach_count(forall):
    """Each even number from 4 to 400 is a sum of two primes in at least two ways."""
    prime = [all(n % d for d in range(2, math.isqrt(n) + 1)) and n > 1 for n in range(401)]
    half = forall.integers("h", 2, 200)
    return 2, each(lambda h: sum(prime[p] and prime[2 * h - p] for p in range(2, h + 1)), half)


PROOFS = {
    "numbers/true-bezout-size": (
        "Coefficients of the extended algorithm are at most b/(2g), or 0 or 1 at the start; b/g >= 1."
    ),
    "numbers/true-carmichael": "561 = 3 * 11 * 17, and 2, 10, 16 divide 560.",
    "numbers/true-euler-partitions": "prod (1 + x^k) = prod 1/(1 - x^(2k-1)).",
    "numbers/true-cube-root": "floor(r) + 1 > r = n^(1/3), and both sides are whole.",
    "numbers/true-four-squares": "Lagrange 1770.",
    "numbers/true-convergents": (
        "p_k/q_k - p_{k+1}/q_{k+1} = +-1/(q_k q_{k+1}), and a/b lies between the two or is the last."
    ),
    "numbers/true-zeckendorf": "After taking F_i the rest is below F_{i-1}.",
}

WITNESSES = {
    "numbers/subtle-robin": {"params": {}, "values": {"n": 5040.0}, "why": "sigma(5040) = 19344 > 19237.1."},
    "numbers/plain-cube-root": {"params": {}, "values": {"n": 7.0}, "why": "n = 7: 1 + 3 = 4 < 7."},
    "numbers/subtle-egyptian": {
        "params": {},
        "values": {"n": 17.0},
        "why": "4/17 = 1/5 + 1/29 + 1/1233 + 1/3039345, and 4/25 has four terms, too.",
    },
    "numbers/subtle-goldbach-count": {"params": {}, "values": {"h": 2.0}, "why": "4 = 2 + 2 only."},
}
