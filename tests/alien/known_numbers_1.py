"""Alien claims, known: elementary number theory (1); see README.md."""

# ruff: noqa: B905, E731, UP033

import functools
import math

import torch

from harness import always, claim, grid, identity


def each(f, *columns):
    """f of whole numbers, instance by instance."""
    rows = zip(*(c.tolist() for c in columns))
    return torch.tensor([float(f(*(int(v) for v in row))) for row in rows], dtype=torch.float64)


@claim("numbers/true-gcd-lcm", identity(), cite="Euclid VII")
def gcd_lcm(forall):
    """gcd(a, b) lcm(a, b) = a b."""
    a, b = forall.integers("a", 1, 1000), forall.integers("b", 1, 1000)
    return each(lambda x, y: math.gcd(x, y) * math.lcm(x, y), a, b), a * b


@claim("numbers/true-euclid", identity(), cite="Euclid VII.2")
def euclid(forall):
    """gcd(a, b) = gcd(b, a mod b), by torch."""
    a, b = forall.integers("a", 0, 10**6), forall.integers("b", 1, 10**6)
    return torch.gcd(a.long(), b.long()), torch.gcd(b.long(), torch.remainder(a, b).long())


@claim("numbers/true-lame", always(), cite="Lame 1844")
def lame(forall):
    """Euclid's algorithm takes at most 5 times as many divisions as the smaller number has digits."""

    def steps(a, b):
        count = 0
        while b:
            a, b, count = b, a % b, count + 1
        return count

    a, b = forall.integers("a", 1, 10**5), forall.integers("b", 1, 10**5)
    return each(lambda x, y: steps(max(x, y), min(x, y)), a, b), each(lambda x, y: 5 * len(str(min(x, y))), a, b)


@claim("numbers/true-fermat", identity(), over=grid(p=[7, 13, 101]), cite="Fermat 1640")
def fermat(forall, *, p):
    """a^p = a mod p."""
    a = forall.integers("a", 0, 1000)
    return each(lambda x: pow(x, p, p), a), each(lambda x: x % p, a)


@claim("numbers/subtle-wieferich", always(), expected="refuted", cite="Meissner 1913")
def wieferich(forall):
    """2^(n-1) = 1 mod n^2 for no odd n between 3 and 1999."""
    n = 2 * forall.integers("h", 1, 999) + 1
    return each(lambda m: pow(2, m - 1, m * m) == 1, n), 0


@functools.lru_cache(maxsize=None)
def totient(n):
    return sum(1 for k in range(1, n + 1) if math.gcd(k, n) == 1)


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


@claim("numbers/true-gauss-totient", identity(), cite="Gauss 1801, article 39")
def gauss_totient(forall):
    """sum over divisors d of n of phi(d) = n."""
    n = forall.integers("n", 1, 200)
    return each(lambda m: sum(map(totient, divisors(m))), n), n


@claim("numbers/subtle-totient", always(), expected="refuted", cite="Hardy and Wright, 18.4")
def totient_lower(forall):
    """phi(n) >= 0.21 n for n <= 3000."""

    def phi(n):
        result, p, m = n, 2, n
        while p * p <= m:
            if m % p == 0:
                result -= result // p
                while m % p == 0:
                    m //= p
            p += 1
        return result - result // m if m > 1 else result

    n = forall.integers("n", 1, 3000)
    return 0.21 * n, each(phi, n)


@claim("numbers/subtle-prime-polynomial", always(), expected="refuted", cite="Euler 1772")
def prime_polynomial(forall):
    """n^2 - 79 n + 1601 is prime for 0 <= n <= 80 (one divisor at most between 2 and its root)."""

    def small_divisors(n):
        value = n * n - 79 * n + 1601
        return sum(value % d == 0 for d in range(2, math.isqrt(value) + 1))

    return each(small_divisors, forall.integers("n", 0, 80)), 0


@functools.lru_cache(maxsize=None)
def partitions(n, largest):
    if n == 0:
        return 1
    return sum(partitions(n - k, k) for k in range(1, min(n, largest) + 1))


@claim("numbers/true-ramanujan", identity(), over=grid(k=[0, 1, 5, 10]), cite="Ramanujan 1919")
def ramanujan(*, k):
    """p(5k + 4) = 0 mod 5."""
    n = 5 * k + 4
    return partitions(n, n) % 5, 0


def all_partitions(n, largest=None):
    if n == 0:
        yield ()
        return
    for k in range(min(n, largest or n), 0, -1):
        for rest in all_partitions(n - k, k):
            yield (k, *rest)


@claim("numbers/plain-euler-partitions", identity(), over=grid(n=[4, 6, 15]), expected="refuted", cite="Euler 1748")
def euler_partitions_wrong(*, n):
    """As many partitions have distinct parts as have no part more than twice."""
    every = list(all_partitions(n))
    return len([p for p in every if len(set(p)) == len(p)]), len([p for p in every if max(map(p.count, p)) <= 2])


@claim("numbers/true-gray", identity(), cite="Gray 1953")
def gray(forall):
    """Neighbours in the reflected Gray code differ in one bit."""
    code = lambda i: i ^ (i >> 1)
    return each(lambda i: bin(code(i) ^ code(i + 1)).count("1"), forall.integers("i", 0, 10**6)), 1


@claim("numbers/true-digits", identity(), cite="elementary")
def digits(forall):
    """n has floor(log_10 n) + 1 digits."""
    n = forall.integers("n", 1, 2000)
    return each(lambda m: math.floor(math.log(m, 10)) + 1, n), each(lambda m: len(str(m)), n)


@claim("numbers/true-beatty", identity(), cite="Beatty 1926")
def beatty(forall):
    """Each n is floor(k sqrt 2) or floor(k (2 + sqrt 2)) for one k of one of them."""
    first = {math.floor(k * math.sqrt(2)) for k in range(1, 1200)}
    second = {math.floor(k * (2 + math.sqrt(2))) for k in range(1, 1200)}
    return each(lambda m: (m in first) + (m in second), forall.integers("n", 1, 1000)), 1


@claim("numbers/true-brahmagupta", identity(), cite="Brahmagupta 628")
def brahmagupta(forall):
    """(a^2 + 5 b^2)(c^2 + 5 d^2) = (a c - 5 b d)^2 + 5 (a d + b c)^2."""
    a, b, c, d = forall.integers("v", -50, 50, 4).unbind(-1)
    return (a**2 + 5 * b**2) * (c**2 + 5 * d**2), (a * c - 5 * b * d) ** 2 + 5 * (a * d + b * c) ** 2


@claim("numbers/subtle-eight-cubes", always(), cite="Dickson 1939 names the exceptions 23 and 239", expected="refuted")
def eight_cubes(forall):
    """Each n up to 200 is a sum of at most eight positive cubes."""
    need = [0]
    for n in range(1, 201):
        need.append(1 + min(need[n - k**3] for k in range(1, 6) if k**3 <= n))
    return each(lambda m: need[m], forall.integers("n", 1, 200)), 8


PROOFS = {
    "numbers/true-gcd-lcm": "By prime powers: min + max = sum.",
    "numbers/true-euclid": "Common divisors of (a, b) and (b, a mod b) are the same.",
    "numbers/true-lame": "Lame 1844.",
    "numbers/true-fermat": "Fermat, p prime.",
    "numbers/true-gauss-totient": "Sort k/n by its reduced denominator.",
    "numbers/true-ramanujan": "Ramanujan's congruence.",
    "numbers/true-gray": "i ^ (i+1) is 2^j - 1 for some j, and x ^ (x >> 1) of it is one bit.",
    "numbers/true-digits": "10^(d-1) <= n < 10^d.",
    "numbers/true-beatty": "1/sqrt(2) + 1/(2 + sqrt 2) = 1, irrational.",
    "numbers/true-brahmagupta": "Norm of a product in Z[sqrt -5].",
}

WITNESSES = {
    "numbers/subtle-wieferich": {"params": {}, "values": {"h": 546.0}, "why": "1093 is a Wieferich prime."},
    "numbers/subtle-totient": {"params": {}, "values": {"n": 2310.0}, "why": "phi(2310) = 480 < 485.1."},
    "numbers/subtle-prime-polynomial": {"params": {}, "values": {"n": 80.0}, "why": "n = 80: 1681 = 41^2."},
    "numbers/plain-euler-partitions": {"params": {"n": 4}, "values": {}, "why": "n = 4: 2 against 4."},
    "numbers/subtle-eight-cubes": {"params": {}, "values": {"n": 23.0}, "why": "23 needs nine cubes."},
}
