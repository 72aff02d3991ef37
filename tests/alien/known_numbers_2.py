"""Alien claims, known: elementary number theory (2); see README.md."""

# ruff: noqa: B905

import math
from fractions import Fraction

import torch

from harness import always, claim, grid, identity


def each(f, *columns):
    """f of whole numbers, instance by instance."""
    rows = zip(*(c.tolist() for c in columns))
    return torch.tensor([float(f(*(int(v) for v in row))) for row in rows], dtype=torch.float64)


@claim("numbers/true-lucas", identity(), over=grid(p=[3, 7]), cite="Lucas 1878")
def lucas(forall, *, p):
    """binom(a, b) = product of binom(a_i, b_i) mod p over the digits to the base p."""

    def by_digits(a, b):
        value = 1
        while a or b:
            value, a, b = value * math.comb(a % p, b % p), a // p, b // p
        return value % p

    a, b = forall.integers("a", 0, 300), forall.integers("b", 0, 300)
    return each(lambda x, y: math.comb(x, y) % p, a, b), each(by_digits, a, b)


@claim("numbers/true-legendre", identity(), over=grid(p=[11, 23]), cite="Euler 1748")
def legendre(forall, *, p):
    """(a b / p) = (a / p) (b / p), by Euler's criterion."""

    def symbol(a):
        return (pow(a, (p - 1) // 2, p) + 1) % p - 1

    a, b = forall.integers("a", 0, 100), forall.integers("b", 0, 100)
    return each(lambda x, y: symbol(x * y), a, b), each(symbol, a) * each(symbol, b)


@claim(
    "numbers/plain-two-residue",
    identity(),
    over=grid(p=[3, 5, 7, 13]),
    expected="refuted",
    cite="Gauss 1801, article 112",
)
def two_is_a_residue(*, p):
    """2 is a square mod p if and only if p = 1 mod 4."""
    squares = {x * x % p for x in range(1, p)}
    return int(2 in squares), int(p % 4 == 1)


@claim("numbers/true-egyptian", always(), cite="Fibonacci 1202; Sylvester 1880")
def egyptian_length(forall):
    """The greedy algorithm writes a/b < 1 as a sum of at most a unit fractions."""

    def greedy(a, b):
        x, count = Fraction(a, b), 0
        while x:
            x, count = x - Fraction(1, -(-x.denominator // x.numerator)), count + 1
        return count

    a, b = forall.integers("a", 1, 12), forall.integers("b", 13, 60)
    return each(greedy, a, b), a


@claim("numbers/true-fibonacci-gcd", identity(), cite="Lucas 1876")
def fibonacci_gcd(forall):
    """gcd(F_m, F_n) = F_gcd(m, n)."""

    def fib(n):
        a, b = 0, 1
        for _ in range(n):
            a, b = b, a + b
        return a

    m, n = forall.integers("m", 1, 70), forall.integers("n", 1, 70)
    return each(lambda i, j: math.gcd(fib(i), fib(j)), m, n), each(lambda i, j: fib(math.gcd(i, j)), m, n)


@claim("numbers/true-josephus", identity(), cite="Graham, Knuth and Patashnik, Section 1.3")
def josephus(forall):
    """The survivor among n, every second leaving, is 2 (n - 2^floor(log2 n)) + 1."""

    def survivor(n):
        circle = list(range(1, n + 1))
        while len(circle) > 1:
            circle = circle[2:] + circle[:1]
        return circle[0]

    n = forall.integers("n", 1, 130)
    return each(survivor, n), 2 * (n - 2.0 ** torch.floor(torch.log2(n))) + 1


@claim("numbers/subtle-collatz", always(), expected="refuted", cite="Lagarias 1985")
def collatz(forall):
    """The Collatz trajectory of n <= 100 reaches 1 within 117 steps."""

    def steps(n):
        count = 0
        while n != 1:
            n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
        return count

    return each(steps, forall.integers("n", 1, 100)), 117


@claim("numbers/true-central-binomial", always(), cite="Graham, Knuth and Patashnik, Section 9")
def central_binomial(forall):
    """binom(2n, n) <= 4^n / sqrt(3 n + 1)."""
    n = forall.integers("n", 1, 300)
    return each(lambda m: Fraction(math.comb(2 * m, m), 4**m), n), 1 / torch.sqrt(3 * n + 1)


@claim("numbers/subtle-central-binomial", always(), expected="refuted", cite="Wallis 1656")
def central_binomial_wrong(forall):
    """binom(2n, n) <= 4^n / sqrt(pi n + 0.8)."""
    n = forall.integers("n", 1, 300)
    return each(lambda m: math.comb(2 * m, m) / 4**m, n), 1 / torch.sqrt(math.pi * n + 0.8)


PROOFS = {
    "numbers/true-lucas": "(1 + x)^a = prod (1 + x^(p^i))^(a_i) mod p.",
    "numbers/true-legendre": (
        "Euler's criterion is multiplicative; the body's symbol maps p - 1 to -1, 0 to 0, 1 to 1."
    ),
    "numbers/true-egyptian": "Numerators of the greedy remainders strictly decrease.",
    "numbers/true-fibonacci-gcd": "F_{m+n} = F_m F_{n+1} + F_{m-1} F_n. Values up to F_70 < 2^53.",
    "numbers/true-josephus": "J(2m) = 2 J(m) - 1, J(2m+1) = 2 J(m) + 1; log2 of powers of two is exact.",
    "numbers/true-central-binomial": "Induction: (2n+1)^2/(4 (n+1)^2) <= (3n+1)/(3n+4); equality at n = 1.",
}

WITNESSES = {
    "numbers/plain-two-residue": {"params": {"p": 7}, "values": {}, "why": "p = 7: 3^2 = 2 mod 7, and 7 = 3 mod 4."},
    "numbers/subtle-collatz": {"params": {}, "values": {"n": 97.0}, "why": "n = 97 takes 118 steps."},
    "numbers/subtle-central-binomial": {
        "params": {},
        "values": {"n": 300.0},
        "why": "n = 300: the ratio of the sides is 1.0000075.",
    },
}
