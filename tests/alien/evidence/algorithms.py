"""Recompute the evidence without the bodies: fractions, enumeration, exact recursions and laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. Where a probability is far from its bound, float64 decides.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number, success
from shapes import disc, exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def share(low=0):
    """A fraction of [0, 1], or of its inside; its ends are likely."""
    return Fraction(RNG.choice([low, 20 - low, RNG.randint(low, 20 - low)]), 20)


def law(n):
    """Fractions that add up to 1, some of them 0."""
    w = [RNG.choice([0, 1, RNG.randint(0, 9)]) for _ in range(n)]
    w[RNG.randrange(n)] += not any(w)
    return [Fraction(x, sum(w)) for x in w]


def direction(n=2):
    """A point of the sphere, some of its coordinates 0, sometimes all others the same."""
    x = [mp.mpf(RNG.gauss(0, 1)) * (RNG.random() < 0.7) for _ in range(n)]
    x = [mp.sign(v) for v in x] if RNG.random() < 0.3 else x
    x[0] += not any(x)
    size = mp.sqrt(dot(x, x))
    return [v / size for v in x]


def missing(n, m):
    """P(m draws miss one of n coupons)."""
    return 1 - sum((-1) ** j * math.comb(n, j) * Fraction(n - j, n) ** m for j in range(n + 1))


def comparisons(n):
    """Of quicksort in the mean, by the recursion."""
    mean = [Fraction(0)]
    for k in range(1, n + 1):
        mean.append(k - 1 + Fraction(2, k) * sum(mean))
    return mean[n]


def small_steps(n):
    """By the recursions of the bias and the variance."""
    bias, variance = mp.mpf(1) / 2, mp.mpf(0)
    for t in range(1, n + 1):
        step = mp.mpf(1) / (4 * t)
        bias, variance = (1 - step) * bias, (1 - step) ** 2 * variance + step**2 / 12
    return bias**2 + variance


def langevin_square(h):
    """After twelve steps."""
    square = h * 0
    for _ in range(12):
        square = (1 - h) ** 2 * square + 2 * h
    return square


def collisions():
    equal = [a for a in range(1, 31) if a * 30 % 31 % 5 == a * 5 % 31 % 5]
    return Fraction(len(equal), 30), Fraction(1, 4)


def one_counter():
    """Three of the five frequencies are the same: Z^2 is 3 or 1/3."""
    squares = [Fraction(sum(e) ** 2, 3) for e in itertools.product((-1, 1), repeat=3)]
    far = Fraction(sum(abs(z - 1) >= Fraction(1999, 1000) for z in squares), 8)
    return far, Fraction(95, 100) / Fraction(1999, 1000) ** 2


def keys(m):
    return math.ceil(math.sqrt(2 * m * math.log(2)) + 0.27)


def birthday():
    alone = {m: Fraction(math.perm(m, keys(m)), m ** keys(m)) for m in range(2, 401)}
    assert [m for m in alone if alone[m] > Fraction(1, 2)] == [10, 43, 83, 253]
    return alone[10], Fraction(1, 2)


EXACT = {
    "plain-coupon": (missing(30, math.ceil(30 * math.log(30))), Fraction(1, 2)),
    "plain-secretary": (Fraction(42, 100), success(30, 11)),
    "plain-langevin": (langevin_square(Fraction(1)), 1),
    "plain-sgd-small-step": small_steps,
    "plain-count-min": (Fraction(1, 16), (1 / (8 * Fraction(9, 10))) ** 2),
    "subtle-birthday": birthday(),
    "subtle-linear-hash": collisions(),
    "subtle-laplace-max": (1 - (1 - mp.exp(mp.mpf("0.2")) / 100) ** 10, mp.mpf(1) / 10),
    "subtle-ams": one_counter(),
    "subtle-quicksort": {"comparisons": comparisons(6)},
}


def kaczmarz():
    """All choices of three rows; sometimes these are a third of a turn apart, and both sides are equal."""
    rows, x = [direction() for _ in range(3)], disc()
    if RNG.random() < 0.3:
        turn = number(0, 6)
        rows = [[mp.cos(turn + k * mp.pi * 2 / 3), mp.sin(turn + k * mp.pi * 2 / 3)] for k in range(3)]
    x, mean = [x.real, x.imag], mp.mpf(0)
    for chosen in itertools.product(rows, repeat=3):
        e = x
        for row in chosen:
            along = dot(row, e)
            e = [a - along * b for a, b in zip(e, row, strict=True)]
        mean += dot(e, e) / 27
    a, b, c = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    smallest = (a + c - mp.sqrt((a - c) ** 2 + 4 * b * b)) / 2
    return mean - (1 - smallest / 3) ** 3 * dot(x, x)


def perceptron():
    x, u = [disc() for _ in range(6)], direction()
    x = [[z.real, z.imag] for z in x]
    score = [dot(z, u) for z in x]
    if min(map(abs, score)) < mp.mpf(10) ** -9:
        return mp.mpf(-1)
    w, wrong = [mp.mpf(0)] * 2, 0
    for point, s in [*zip(x, score, strict=True)] * 2:
        if mp.sign(s) * dot(w, point) <= 0:
            w = [a + mp.sign(s) * b for a, b in zip(w, point, strict=True)]
            wrong += 1
    return wrong - 1 / min(map(abs, score)) ** 2


def count_min():
    """All places of the other four; the rows are independent."""
    f, eps = [share() for _ in range(5)], Fraction(RNG.choice([26, 50, RNG.randint(26, 100)]), 100)
    worse = sum(
        sum(w for w, place in zip(f[1:], h, strict=True) if place == 0) > eps * sum(f)
        for h in itertools.product(range(4), repeat=4)
    )
    return exact(Fraction(worse, 256) ** 2 - (1 / (4 * eps)) ** 2)


def ams():
    """All signs; half of the time eps is one of the distances, where the tail jumps."""
    f = np.array([float(v) for v in direction(4)])
    squares = (np.array(list(itertools.product((-1, 1), repeat=4))) @ f) ** 2
    apart = np.abs((squares[:, None, None] + squares[:, None] + squares).ravel() / 3 - 1)
    eps = RNG.uniform(0.5, 4)
    if RNG.random() < 0.5 and apart.max() >= 0.5:
        eps = float(RNG.choice(list(apart[apart >= 0.5])))
    return float((apart >= eps - 1e-9).mean()) - 2 / (3 * eps**2)


def reservoir():
    """The law of what is kept, item by item."""
    kept = []
    for k in range(1, 9):
        kept = [mass * (1 - Fraction(1, k)) for mass in kept] + [Fraction(1, k)]
    return exact(max(abs(mass - Fraction(1, 8)) for mass in kept))


def quicksort():
    return exact(abs(comparisons(5) - Fraction(74, 10)))


def laplace():
    return exact(max(1 - (1 - Fraction(1, 10 * k)) ** k for k in (1, 10)) - Fraction(1, 10))


def secretary():
    return max(1 / mp.e - exact(success(n, math.floor(n / math.e))) for n in (5, 10, 20))


def coupon():
    cells = itertools.product((2, 5, 20), (0.5, 2.0))
    return max(exact(missing(n, math.ceil(n * math.log(n) + c * n))) - mp.exp(-c) for n, c in cells)


def empty_bins():
    return max(n * (1 - 1 / mp.mpf(n)) ** n - n / mp.e for n in (1, 4, 40))


def sgd_average():
    """The mean square by the recursion, for the variance 1."""
    found = {}
    for n in (4, 40):
        square = Fraction(0)
        for t in range(1, n + 1):
            square = (1 - Fraction(1, t)) ** 2 * square + Fraction(1, t * t)
        found[n] = abs(square - Fraction(1, n))
    return exact(max(found.values()))


def ogd():
    """Half of the time the adversary moves against the point."""
    n, x, loss, total = RNG.choice([1, 4, 9]), [mp.mpf(0)] * 2, mp.mpf(0), [mp.mpf(0)] * 2
    against = RNG.random() < 0.5
    for _ in range(n):
        size = mp.sqrt(dot(x, x))
        g = [v / size for v in x] if against and size else direction()
        loss += dot(x, g)
        total = [a + b for a, b in zip(total, g, strict=True)]
        x = [a - 2 / mp.sqrt(n) * b for a, b in zip(x, g, strict=True)]
        size = max(mp.sqrt(dot(x, x)), mp.mpf(1))
        x = [v / size for v in x]
    return loss + mp.sqrt(dot(total, total)) - 2 * mp.sqrt(n)


def doeblin():
    kernel = [law(3) for _ in range(3)]
    columns = list(zip(*kernel, strict=True))
    rows = kernel
    for _ in range(2):
        rows = [[dot(row, column) for column in columns] for row in rows]
    apart = max(sum(abs(a - b) for a, b in zip(r, s, strict=True)) for r in rows for s in rows) / 2
    return exact(apart - (1 - sum(map(min, columns))) ** 3)


def importance():
    p, q = law(4), law(4)
    return exact(sum(b * (a / b) for a, b in zip(p, q, strict=True) if b) - 1)


def integration_error():
    """E |mean of exp(U) - e + 1|: 2 / pi times the integral of (1 - Re c.f.) / t^2, as in `papers.py`."""
    places, mass = np.polynomial.legendre.leggauss(200)
    x, mass = np.exp((places + 1) / 2) - math.e + 1, mass / 2
    spread = math.sqrt(mass @ x**2)
    nodes, weights = np.polynomial.legendre.leggauss(120)

    def mean(n):
        end = 14 / (spread * math.sqrt(n))
        t = end * (nodes + 1) / 2
        characteristic = (np.exp(1j * np.outer(t, x)) @ mass) ** n
        return mp.mpf(2 / math.pi / n * (end / 2 * weights @ ((1 - characteristic.real) / t**2) + 1 / end))

    return mean


def monte_carlo():
    return off([16, 64, 256, 1024, 4096], integration_error(), mp.mpf(-1) / 2)


def adaboost():
    gamma = [number(-mp.mpf(1) / 2, mp.mpf(1) / 2) * mp.mpf(10) ** -RNG.choice([0, 0, 3, 9]) for _ in range(4)]
    return mp.fprod(mp.sqrt(1 - 4 * g * g) for g in gamma) - mp.exp(-2 * dot(gamma, gamma))


def seeding():
    x = [(share() - Fraction(1, 2), share() - Fraction(1, 2)) for _ in range(5)]

    def cost(c):
        return sum((a - c[0]) ** 2 + (b - c[1]) ** 2 for a, b in x)

    centre = [sum(column) / 5 for column in zip(*x, strict=True)]
    return exact(abs(sum(map(cost, x)) / 5 - 2 * cost(centre)))


def reflection():
    """All walks."""
    walks = np.cumsum(list(itertools.product((-1, 1), repeat=10)), 1)
    return int(max((walks.max(1) >= a).sum() - 2 * (walks[:, -1] >= a).sum() for a in range(1, 11)))


def langevin():
    h = number("0.05", 1)
    return langevin_square(h) - 1 / (1 - h / 2)


def median_of_means():
    """The laws of the numbers of ones in the three groups; half of the time t is one of the distances."""
    a, b, p = share(), share(), share()
    mean, variance = p * b + (1 - p) * a, p * (1 - p) * (a - b) ** 2
    apart = [abs(a + (b - a) * Fraction(k, 4) - mean) for k in range(5)]
    t = Fraction(RNG.randint(10, 100), 100)
    there = [d for d in apart if Fraction(1, 10) <= d <= 1]
    t = RNG.choice(there) if there and RNG.random() < 0.5 else t
    chance = [math.comb(4, k) * p**k * (1 - p) ** (4 - k) for k in range(5)]
    groups = itertools.product(range(5), repeat=3)
    far = sum(math.prod(chance[k] for k in g) for g in groups if apart[sorted(g)[1]] > t)
    return exact(far - min(3 * (variance / (4 * t * t)) ** 2, Fraction(1)))


def randomised_response():
    eps = number(0, 20)
    keep = mp.exp(eps) / (1 + mp.exp(eps))
    return max(one - mp.exp(eps) * (1 - one) for one in (keep, 1 - keep)) / mp.exp(eps)


TRUTHS = {
    "true-kaczmarz": (kaczmarz, 200),
    "true-perceptron": (perceptron, 1000),
    "true-count-min": (count_min, 200),
    "true-ams": (ams, 400),
    "true-reservoir": (reservoir, 1),
    "true-quicksort": (quicksort, 1),
    "true-laplace-max": (laplace, 1),
    "true-secretary": (secretary, 1),
    "true-coupon": (coupon, 1),
    "true-empty-bins": (empty_bins, 1),
    "true-sgd-average": (sgd_average, 1),
    "true-ogd-regret": (ogd, 400),
    "true-doeblin": (doeblin, 1000),
    "true-importance": (importance, 1000),
    "true-monte-carlo": (monte_carlo, 1),
    "true-adaboost": (adaboost, 1000),
    "true-kmeans-seed": (seeding, 200),
    "true-reflection": (reflection, 1),
    "true-langevin": (langevin, 400),
    "true-median-of-means": (median_of_means, 400),
    "true-randomised-response": (randomised_response, 400),
}

if __name__ == "__main__":
    main("algorithms", EXACT, TRUTHS, (31, 21))
