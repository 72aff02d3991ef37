"""Recompute the evidence without the bodies: 50 digits, fractions, enumeration, exact binomial laws.

The checks are those of `optim.py`. Rates are checked by exact means along their grids, the bound up to a constant with
the constant of its proof.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number, simplex
from shapes import off

HALF = mp.mpf(1) / 2


def smooth(p, share="0.2"):
    return [(1 - mp.mpf(share)) * x + mp.mpf(share) / len(p) for x in p]


def law(n, share="0.2"):
    return smooth(simplex(n), share)


def plus(x):
    return max(x, mp.mpf(0))


def hockey(p, q, eps):
    return sum(plus(a - mp.exp(eps) * b) for a, b in zip(p, q, strict=True))


def renyi(p, q, order):
    return mp.log(sum((a / b) ** (order - 1) * a for a, b in zip(p, q, strict=True))) / (order - 1)


def kl(p, q):
    return sum(a * (mp.log(a) - mp.log(b)) for a, b in zip(p, q, strict=True))


def level(p, q):
    return max(abs(mp.log(a) - mp.log(b)) for a, b in zip(p, q, strict=True))


def tv(p, q):
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def product(p, q):
    return [a * b for a in p for b in q]


def gaussian_delta(eps, delta):
    sigma = mp.sqrt(2 * mp.log(mp.mpf("1.25") / mp.mpf(delta))) / eps
    return mp.ncdf(1 / (2 * sigma) - eps * sigma) - mp.exp(eps) * mp.ncdf(-1 / (2 * sigma) - eps * sigma)


def loss_tail(k, eps, bound):
    """P(the sum of k losses exceeds the bound)."""
    keep = 1 / (1 + mp.exp(-eps))
    return sum(mp.binomial(k, j) * keep**j * (1 - keep) ** (k - j) for j in range(k + 1) if eps * (2 * j - k) > bound)


def all_differ(n, k):
    return math.prod(Fraction(n - i, n) for i in range(k))


def collisions(x, y, prime, cells, first):
    pairs = list(itertools.product(range(first, prime), range(prime)))
    return Fraction(sum((a * x + b) % prime % cells == (a * y + b) % prime % cells for a, b in pairs), len(pairs))


def exponential_loss(eps, u, v):
    one, two = ([mp.exp(eps * x) for x in w] for w in (u, v))
    return max(mp.log(a * sum(two) / (b * sum(one))) for a, b in zip(one, two, strict=True))


def parity_bias(p):
    """The mean over all masks of |P(even) - P(odd)|."""
    n = len(p).bit_length() - 1
    return sum(abs(sum(x * (-1) ** (a & b).bit_count() for b, x in enumerate(p))) for a in range(2**n)) / 2**n


def local_mean(n):
    """E |debiased mean - true mean| of n coins that are wrong with probability 1 / (1 + e)."""
    wrong, slope, half = 1 / (1 + math.e), (math.e - 1) / (math.e + 1), n // 2
    odds, base = math.log(wrong / (1 - wrong)), half * math.log(1 - wrong)
    chances = np.exp([math.log(math.comb(half, j)) + j * odds + base for j in range(half + 1)])
    gaps = np.abs(np.arange(-half, half + 1))
    return float(np.convolve(chances, chances[::-1]) @ gaps) / n / slope


TWO = (
    smooth([mp.mpf(x) for x in ("0.2341", "0.5318", "0.2341")]),
    smooth([mp.mpf(x) for x in ("0.2242", "0.5516", "0.2242")]),
)
NEAR = smooth([mp.mpf("0.6"), mp.mpf("0.4"), mp.mpf(0)]), smooth([mp.mpf("0.4"), mp.mpf("0.6"), mp.mpf(0)])
FIRST, LAST = (smooth([mp.mpf(int(i == j)) for j in range(2)], "0.02") for i in range(2))
PATH = [smooth([mp.mpf(x) for x in w]) for w in ((1, 0, 0), ("0.5", "0.5", 0), (0, 1, 0))]
EXACT = {
    "subtle-gaussian-classic": (gaussian_delta(mp.mpf("5.9"), "0.1"), mp.mpf("0.1")),
    "plain-exponential-mechanism": (exponential_loss(1, [HALF] * 6, [-HALF] + [3 * HALF] * 5), mp.mpf(1)),
    "plain-laplace-variance": (mp.mpf(2), mp.mpf(1)),
    "plain-laplace-max": (1 - mp.mpf("0.95") ** 10, mp.mpf("0.05")),
    "plain-local-mean-rate": local_mean,
    "subtle-kl-of-pure": (kl(*TWO), mp.mpf("0.49") * level(*TWO) ** 2),
    "plain-pinsker": (tv(*NEAR), kl(*NEAR)),
    "plain-composition-max": (
        hockey(product([HALF, HALF], [HALF, HALF]), product([0, 1], [0, 1]), 1),
        hockey([HALF, HALF], [0, 1], HALF),
    ),
    "plain-group": (
        hockey([HALF, HALF], [0, 1], 1),
        hockey([HALF, HALF], [mp.mpf("0.35"), mp.mpf("0.65")], HALF)
        + hockey([mp.mpf("0.35"), mp.mpf("0.65")], [0, 1], HALF),
    ),
    "plain-renyi-triangle": (renyi(PATH[0], PATH[2], 2), renyi(PATH[0], PATH[1], 2) + renyi(PATH[1], PATH[2], 2)),
    "subtle-renyi-convex": (renyi([HALF, HALF], LAST, 10), renyi(FIRST, LAST, 10) / 2),
    "subtle-advanced-composition": (
        loss_tail(40, HALF, 20 * mp.tanh(mp.mpf("0.25")) + mp.mpf("0.65") * HALF * mp.sqrt(40 * mp.log(10))),
        mp.mpf("0.1"),
    ),
    "plain-group-linear": [mp.exp(mp.mpf(n) / 2) / n for n in (2, 4, 8, 16, 32)],
    "subtle-birthday": (mp.mpf("0.504"), mp.exp(-mp.mpf(16) / 20)),
    "subtle-universal-hash": (collisions(0, 1, 17, 8, 0), Fraction(1, 8)),
    "plain-shamir": (Fraction(9), Fraction(0)),  # the line through (1, 1) and (2, 4): 2 * 1 - 4 = -2 mod 11
    "subtle-leftover-hash": (parity_bias([1, 0, 0, 0]), mp.mpf("0.97")),
}


# Truths


def laplace_ratio():
    x, f, g, b = number(-20, 20), number(-1, 1), number(-1, 1), number("0.1", 5)
    return abs(abs(x - f) - abs(x - g)) / b - abs(f - g) / b


def laplace_renyi():
    """By quadrature over the line."""
    eps, a = number("0.1", 2), RNG.choice([mp.mpf("1.5"), mp.mpf(2), mp.mpf(5)])

    def density(x):
        return eps / 2 * mp.exp(-a * eps * abs(x) + (a - 1) * eps * abs(x - 1))

    total = mp.quad(density, [-mp.inf, 0, 1, mp.inf])
    closed = (a * mp.exp((a - 1) * eps) + (a - 1) * mp.exp(-a * eps)) / (2 * a - 1)
    return abs(total - closed) / closed


def gaussian_kl():
    """In one dimension, by quadrature: the quotient of the exponents alone remains."""
    m, n, s = number(-1, 1), number(-1, 1), number("0.4", 1)

    def p(x):
        return mp.npdf(x, m, s)

    total = mp.quad(
        lambda x: p(x) * ((x - n) ** 2 - (x - m) ** 2) / (2 * s**2), mp.linspace(m - 16 * s, m + 16 * s, 17)
    )
    return abs(total - (m - n) ** 2 / (2 * s**2))


def gaussian_classic():
    delta = RNG.choice(["0.1", "0.01", "0.00001"])
    return gaussian_delta(number("0.01", 1), delta) - mp.mpf(delta)


def exponential_mechanism():
    u, c, eps = [number(0, 5) for _ in range(6)], [number(-1, 1) for _ in range(6)], number(0, 3)
    if RNG.random() < 0.3:
        c = [mp.mpf(RNG.choice([-1, 1])) for _ in c]
    return exponential_loss(eps / 2, u, [a + b for a, b in zip(u, c, strict=True)]) - eps


def exponential_utility():
    u, eps, t = [number(0, 4) for _ in range(4)], number("0.5", 8), number(0, 3)
    w = [mp.exp(eps * x / 2) for x in u]
    bad = sum(a for a, x in zip(w, u, strict=True) if x <= max(u) - 2 * (mp.log(4) + t) / eps)
    return bad / sum(w) - mp.exp(-t)


def gumbel_noisy_max():
    """E exp(-(a + b) e^-g): the first wins where the other two stay below."""
    u = [number(-1, 1) for _ in range(3)]
    rest = mp.exp(u[1] - u[0]) + mp.exp(u[2] - u[0])
    chance = mp.quad(lambda y: mp.exp(-y * (1 + rest)), [0, 1, 10, mp.inf])
    return abs(chance - mp.exp(u[0]) / sum(mp.exp(x) for x in u))


def laplace_max():
    return max(1 - (1 - mp.mpf("0.05") / k) ** k - mp.mpf("0.05") for k in (3, 10, 50))


def laplace_mean_rate():
    return off([10, 30, 100, 300, 1000], lambda n: 1 / mp.mpf(n), mp.mpf(-1))


def test_power():
    eps, a, b = number(0, 4), number(0, 1), number(0, 1)
    keep = 1 / (1 + mp.exp(-eps))
    return keep * a + (1 - keep) * b - mp.exp(eps) * ((1 - keep) * a + keep * b)


def rr_hoeffding():
    """Exact: an answer is 1 with probability keep p + (1 - keep)(1 - p)."""
    n, eps, p = RNG.choice([10, 100]), RNG.choice([HALF, mp.mpf(2)]), number(0, 1)
    keep = 1 / (1 + mp.exp(-eps))
    one = keep * p + (1 - keep) * (1 - p)
    bound = mp.sqrt(mp.log(40) / (2 * n))
    chance = sum(
        mp.binomial(n, j) * one**j * (1 - one) ** (n - j) for j in range(n + 1) if abs(mp.mpf(j) / n - one) > bound
    )
    return chance - mp.mpf("0.05")


def kl_of_pure():
    p, q = law(3), law(3)
    return kl(p, q) - level(p, q) * mp.tanh(level(p, q) / 2)


def tv_of_pure():
    p, q = law(4, "0.1"), law(4, "0.1")
    return tv(p, q) - mp.tanh(level(p, q) / 2)


def basic_composition():
    p, q, r, s, e = simplex(3), simplex(3), simplex(2), simplex(2), RNG.choice([mp.mpf(0), HALF])
    return hockey(product(p, r), product(q, s), e + 1) - hockey(p, q, e) - hockey(r, s, 1)


def group():
    p, q, r = simplex(4), simplex(4), simplex(4)
    return hockey(p, r, 1) - hockey(p, q, HALF) - mp.exp(HALF) * hockey(q, r, HALF)


def subsampling():
    p, q, eps, t = simplex(5), simplex(5), number(0, 3), number(0, 1)
    mixed = [(1 - t) * b + t * a for a, b in zip(p, q, strict=True)]
    return abs(hockey(mixed, q, mp.log(1 + t * (mp.exp(eps) - 1))) - t * hockey(p, q, eps))


def postprocessing():
    p, q, kernel = law(3), law(3), [law(3, "0.01") for _ in range(3)]
    after = [[sum(x[i] * kernel[i][j] for i in range(3)) for j in range(3)] for x in (p, q)]
    order = RNG.choice([HALF, mp.mpf(2), mp.mpf(7)])
    return renyi(*after, order) - renyi(p, q, order)


def renyi_order():
    p, q, a = law(3), law(3), number("1.05", 8)
    return renyi(p, q, a) - renyi(p, q, a + number("0.05", 8))


def renyi_weak_triangle():
    p, q, r = law(3), law(3), law(3)
    return renyi(p, r, 2) - 3 * HALF * renyi(p, q, 4) - renyi(q, r, 3)


def advanced_composition():
    worst = -mp.inf
    for k, eps, delta in itertools.product((10, 40), (mp.mpf("0.1"), HALF), (mp.mpf("0.01"), mp.mpf("0.1"))):
        bound = k * eps * mp.tanh(eps / 2) + eps * mp.sqrt(2 * k * mp.log(1 / delta))
        worst = max(worst, loss_tail(k, eps, bound) - delta)
    return worst


def quadratic_kl():
    """With C = 1/8, by Hoeffding's lemma."""
    n, q = RNG.choice([2, 4, 8, 16, 32, 64]), law(3)
    w = [b * mp.exp(number(-1, 1) / (2 * n)) for b in q]
    return kl([a / sum(w) for a in w], q) - mp.mpf(1) / (8 * n**2)


def birthday():
    return max(
        mp.mpf(all_differ(n, k).numerator) / all_differ(n, k).denominator - mp.exp(-mp.mpf(k * (k - 1)) / (2 * n))
        for n in (7, 20)
        for k in (3, 4)
    )


def birthday_uniform():
    p = simplex(6)
    chance = 24 * sum(math.prod(p[i] for i in s) for s in itertools.combinations(range(6), 4))
    return chance - mp.mpf(360) / 1296


def universal_hash():
    prime, cells = RNG.choice([11, 17]), RNG.choice([2, 4, 5])
    x, y = RNG.sample(range(prime), 2)
    return float(collisions(x, y, prime, cells, 1) - Fraction(1, cells))


def fingerprint():
    p, degree = RNG.choice([7, 13]), RNG.choice([2, 3])
    a, b = ([RNG.randrange(p) for _ in range(degree + 1)] for _ in range(2))
    if a == b:
        return -1
    if RNG.random() < 0.3:
        roots = [RNG.randrange(p) for _ in range(degree)]
        a, b = [1], [0] * (degree + 1)
        for r in roots:
            a = [(s - r * t) % p for s, t in zip([*a, 0], [0, *a], strict=True)]

    def value(c, r):
        return sum(k * r ** (degree - i) for i, k in enumerate(c)) % p

    return sum(value(a, r) == value(b, r) for r in range(p)) - degree


def shamir():
    """By solving for the polynomial: one value of s, among all, has a fit through the three shares."""
    p = RNG.choice([11, 23])
    s, a, b = (RNG.randrange(p) for _ in range(3))
    x = RNG.sample(range(1, 6), 3)
    y = [(a * t * t + b * t + s) % p for t in x]
    fits = {
        w
        for u, v in itertools.product(range(p), repeat=2)
        if all(
            (u * t * t + v * t + (w := (y[0] - u * x[0] ** 2 - v * x[0]) % p) - z) % p == 0
            for t, z in zip(x, y, strict=True)
        )
    }
    return int(fits != {s})


def leftover_hash():
    p = simplex(8)
    return parity_bias(p) / 2 - mp.sqrt(2 * sum(x * x for x in p)) / 2


TRUTHS = {
    "true-laplace-ratio": (laplace_ratio, 1000),
    "true-laplace-renyi": (laplace_renyi, 20),
    "true-gaussian-kl": (gaussian_kl, 20),
    "true-gaussian-classic": (gaussian_classic, 400),
    "true-exponential-mechanism": (exponential_mechanism, 1000),
    "true-exponential-utility": (exponential_utility, 1000),
    "true-gumbel-noisy-max": (gumbel_noisy_max, 40),
    "true-laplace-max": (laplace_max, 1),
    "true-laplace-mean-rate": (laplace_mean_rate, 1),
    "true-test-power": (test_power, 1000),
    "true-rr-hoeffding": (rr_hoeffding, 100),
    "true-kl-of-pure": (kl_of_pure, 1000),
    "true-tv-of-pure": (tv_of_pure, 1000),
    "true-basic-composition": (basic_composition, 1000),
    "true-group": (group, 1000),
    "true-subsampling": (subsampling, 400),
    "true-postprocessing": (postprocessing, 400),
    "true-renyi-order": (renyi_order, 1000),
    "true-renyi-triangle": (renyi_weak_triangle, 1000),
    "true-advanced-composition": (advanced_composition, 1),
    "true-quadratic-kl": (quadratic_kl, 1000),
    "true-birthday": (birthday, 1),
    "true-birthday-uniform": (birthday_uniform, 1000),
    "true-universal-hash": (universal_hash, 100),
    "true-fingerprint": (fingerprint, 400),
    "true-shamir": (shamir, 40),
    "true-leftover-hash": (leftover_hash, 400),
}

if __name__ == "__main__":
    main("privacy", EXACT, TRUTHS, (44, 27))
