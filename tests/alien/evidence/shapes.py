"""Recompute the evidence without the bodies: fractions, quadrature, closed forms, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs. Means along a grid are exact; their exponents are compared with the claimed ones.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number, simplex

MARGIN = mp.mpf("0.05")  # of the exponent of a rate


def exact(x):
    """A fraction in 50 digits."""
    x = Fraction(x)
    return mp.mpf(x.numerator) / x.denominator


def largest_gap(n):
    """The largest of n - 1 exponential variables has the mean H_(n-1), the sum of n + 1 of them n + 1."""
    return (mp.digamma(n) + mp.euler) / (n + 1)


def clipped_cauchy(n):
    """E |mean|, the integral of (1 - f^n) / t^2 times 2 / pi, f the characteristic function of one summand over n.

    1 - f(t) is an integral over (-1, 1) and the two atoms at its ends; its variable is sinh(s) / n. Beyond t = 80 the
    integrand is 1 / t^2, as f^n is about e^-t.
    """
    nodes, weights = np.polynomial.legendre.leggauss(400)
    end = math.asinh(n)
    s, ds = (nodes + 1) * end / 2, weights * end / 2
    t, dt = (nodes + 1) * 40, weights * 40
    within = ((1 - np.cos(t[:, None] * np.sinh(s) / n)) / np.cosh(s)) @ ds * 2 / math.pi
    missing = within + (1 - np.cos(t)) * 2 * math.atan(1 / n) / math.pi
    return mp.mpf((((1 - (1 - missing) ** n) / t**2) @ dt + 1 / 80) * 2 / math.pi)


def student():
    """P(|t| > 1.96) for four degrees of freedom, by the density."""
    density = mp.quad(lambda t: mp.mpf(3) / 8 * (1 + t * t / 4) ** mp.mpf("-2.5"), [0, mp.mpf("1.96")])
    return 1 - 2 * density, mp.mpf(1) / 20


def inverse_count():
    return sum(Fraction(math.comb(10, k), 1024) * Fraction(10, max(k, 1)) for k in range(11)), Fraction(2)


def bootstrap_variance():
    """All 256 samples from (0, 0, 0, 1)."""
    means = [Fraction(sum(x), 4) for x in itertools.product((0, 0, 0, 1), repeat=4)]
    unbiased = Fraction(3 * 1 + 9, 16) / 3
    return unbiased / 4, sum((m - Fraction(1, 4)) ** 2 for m in means) / 256


def second_order():
    z = mp.mpf(1) / 100
    return mp.exp(z) - 1 - z, z * z / 2


def argument():
    """(3 + 4 i)^2 = -7 + 24 i."""
    return mp.atan2(24, -7), 2 * mp.atan2(-4, -3)


EXACT = {
    "plain-min-gap-fast": lambda n: mp.mpf(1) / (n * n - 1),
    "subtle-largest-gap": largest_gap,
    "plain-clipped-cauchy": clipped_cauchy,
    "plain-coupons": {"six": 6 * sum(Fraction(1, k) for k in range(1, 7))},
    "subtle-exp-second-order": second_order(),
    "plain-angles-add": argument(),
    "plain-mean-radius": (Fraction(10, 11), Fraction(9, 10)),
    "plain-gaussian-norm": (mp.sqrt(2) * mp.gamma(mp.mpf(11) / 2) / mp.gamma(5), mp.mpf(3)),
    "subtle-four-points": (mp.sqrt(mp.mpf(8) / 3), mp.mpf("1.63")),
    "plain-bootstrap-variance": bootstrap_variance(),
    "plain-normal-interval": student(),
    "plain-inverse-count": inverse_count(),
}


def off(grid, mean, claimed):
    """By how much the exponent over the whole grid, or over its last step, leaves the margin around the claimed one."""
    values = [mean(n) for n in (grid[0], grid[-2], grid[-1])]
    pairs = ((grid[0], values[0]), (grid[-2], values[1]))
    slopes = [mp.log(values[2] / value) / mp.log(mp.mpf(grid[-1]) / n) for n, value in pairs]
    return max(abs(slope - claimed) for slope in slopes) - MARGIN


def harmonic():
    return off(
        [16, 512, 1024], lambda n: exact(sum(Fraction(1, k) for k in range(1, n + 1))) - mp.log(n) - mp.euler, -1
    )


def max_normal():
    def largest(n):
        return mp.quad(lambda t: t * n * mp.ncdf(t) ** (n - 1) * mp.npdf(t), [-10, -3, 0, 2, 4, 10])

    with mp.workdps(15):
        return max(largest(n) - mp.sqrt(2 * mp.log(n)) for n in (4, 16, 64, 256, 1024))


def median_variance():
    """By the density of the middle of n = 2 k + 1; over the grid the exponent is within 0.03 of -1."""

    def square(n):
        k, width = n // 2, 2 / mp.sqrt(n)
        ends = [0, width, 2 * width, 4 * width, 9 * width]
        scale = 2 * n * math.comb(2 * k, k)
        return scale * mp.quad(lambda t: t * t * (mp.ncdf(t) * mp.ncdf(-t)) ** k * mp.npdf(t), ends)

    with mp.workdps(15):
        found = off([5, 161, 321], square, -1)
        assert found + MARGIN < 0.03
        assert abs(2001 * square(2001) - mp.pi / 2) < 0.001
        return found


def min_gap():
    """By the integral of P(all n - 1 inner gaps > t)."""
    found = [mp.quad(lambda t, n=n: (1 - (n - 1) * t) ** n, [0, mp.mpf(1) / (n - 1)]) for n in (4, 32)]
    assert all(abs(value - mp.mpf(1) / (n * n - 1)) < 1e-40 for n, value in zip((4, 32), found, strict=True))
    return off([4, 64, 128], lambda n: mp.mpf(1) / (n * n - 1), -2)


def worst_coin():
    """de Moivre: E |K - n p| = 2 k C(n, k) p^k (1-p)^(n-k+1), k = floor(n p) + 1; for each k the worst p is k/(n+1)."""

    def deviation(n):
        return max(
            exact(Fraction(2 * k * math.comb(n, k) * k**k * (n + 1 - k) ** (n + 1 - k), n * (n + 1) ** (n + 1)))
            for k in range(1, n + 1)
        )

    assert all(deviation(n) * mp.sqrt(n) <= 0.5 for n in (4, 32, 256))
    return off([4, 128, 256], deviation, mp.mpf(-1) / 2)


def birthday():
    """The printed digits, rounded."""
    return exact(abs(1 - Fraction(math.perm(365, 23), 365**23) - Fraction("0.507")) - Fraction(5, 10000))


def gini():
    n = RNG.choice([4, 8, 16])
    x = [number(-1, 1) for _ in range(n)] if RNG.random() < 0.7 else [mp.mpf(2 * i - n - 1) for i in range(1, n + 1)]
    gaps = sum(abs(a - b) for a, b in itertools.combinations(x, 2))
    return gaps - mp.sqrt(mp.mpf(n) ** 3 / 3) * mp.sqrt(sum(a * a for a in x))


def disc():
    """A point of the closed unit disc, one in three on the circle."""
    radius = mp.mpf(1) if RNG.random() < 0.33 else mp.sqrt(number(0, 1))
    angle = number(0, 1) if RNG.random() < 0.5 else mp.mpf(RNG.randrange(6)) / 6
    return radius * mp.expjpi(2 * angle)


def product_of_four():
    z = [disc() for _ in range(4)] if RNG.random() < 0.8 else [mp.mpf(-1)] * 4
    return abs(mp.fprod(1 - x for x in z)) - 16


def roots_of_unity():
    z = mp.mpc(number(-5, 5), number(-5, 5))
    return abs(sum(abs(1 + z * mp.unitroots(5)[k]) ** 2 for k in range(5)) - 5 * (1 + abs(z) ** 2))


def exp_minus_one():
    z = mp.mpc(number(-3, 3), number(-9, 9)) * (mp.mpf(10) ** -RNG.uniform(0, 6) if RNG.random() < 0.3 else 1)
    return abs(mp.expm1(z)) - abs(z) * mp.exp(max(z.real, 0))


def cap():
    d, t = RNG.choice([3, 10]), number(0, 1)
    return mp.betainc(mp.mpf(d - 1) / 2, mp.mpf(1) / 2, 0, 1 - t * t, regularized=True) / 2 - mp.exp(-d * t * t / 2)


def support():
    k, other, u = [disc() for _ in range(3)], [disc() for _ in range(4)], mp.expjpi(2 * number(0, 1))

    def height(points):
        return max((z * mp.conj(u)).real for z in points)

    return abs(height([a + b for a in k for b in other]) - height(k) - height(other))


def minkowski():
    """Fractions, so that the determinant of a singular matrix is 0."""

    def gram(rank):
        b = [[Fraction(RNG.randrange(-9, 10)) for _ in range(rank)] for _ in range(3)]
        return [[sum(x * y for x, y in zip(r, s, strict=True)) for s in b] for r in b]

    def root(m):
        lines = [m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
        assert sum(lines) >= 0
        return mp.cbrt(exact(sum(lines)))

    a = gram(RNG.choice([1, 2, 3]))
    b = [[3 * x for x in row] for row in a] if RNG.random() < 0.3 else gram(RNG.choice([1, 2, 3]))
    total = [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
    return root(a) + root(b) - root(total)


def p_norm():
    x, p = [number(0, 1) if RNG.random() < 0.7 else mp.mpf(0) for _ in range(3)], number(1, 20)
    power = sum(a**p for a in x)
    return max(x) - (power ** (1 / p) if power else 0)


def three_points():
    x = [disc() for _ in range(3)]
    if RNG.random() < 0.2:
        x = [mp.expjpi(mp.mpf(2 * k) / 3) for k in range(3)]
    return min(abs(a - b) for a, b in itertools.combinations(x, 2)) - mp.sqrt(3)


def bootstrap_mean():
    x = [number(0, 1) for _ in range(4)]
    return abs(sum(sum(drawn) for drawn in itertools.product(x, repeat=4)) / 1024 - sum(x) / 4)


def law():
    """Three atoms in fractions, some equal, and their weights, some 0."""
    atoms, weights = [Fraction(RNG.randrange(-8, 9), 8) for _ in range(3)], [RNG.randrange(5) for _ in range(3)]
    weights[0] += not any(weights)
    return atoms, [Fraction(w, sum(weights)) for w in weights]


def median(atoms, weights):
    below = {a: sum(w for b, w in zip(atoms, weights, strict=True) if b <= a) for a in atoms}
    return min(a for a, mass in below.items() if mass >= Fraction(1, 2))


def midrank():
    (atoms, weights), mean = law(), Fraction(0)
    for places in itertools.product(range(3), repeat=4):
        x = [atoms[i] for i in places]
        rank = Fraction(1, 2) + sum(a < x[0] for a in x) + Fraction(sum(a == x[0] for a in x), 2)
        mean += math.prod(weights[i] for i in places) * rank
    return exact(abs(mean - Fraction(5, 2)))


def beyond_median(n, event):
    atoms, weights = law()
    middle, mass = median(atoms, weights), Fraction(0)
    for places in itertools.product(range(3), repeat=n):
        if event([atoms[i] for i in places], middle):
            mass += math.prod(weights[i] for i in places)
    return mass


def all_below():
    return exact(beyond_median(4, lambda x, m: max(x) < m) - Fraction(1, 16))


def median_interval():
    return exact(beyond_median(5, lambda x, m: max(x) < m or min(x) > m) - Fraction(1, 16))


def ratio():
    """By the numbers of those taken and of the hits among them."""
    p, q, mean = number(0, 1), number(0, 1), mp.mpf(0)
    for taken in range(1, 6):
        mass = math.comb(5, taken) * q**taken * (1 - q) ** (5 - taken)
        hits = [math.comb(taken, h) * p**h * (1 - p) ** (taken - h) * h / taken for h in range(taken + 1)]
        mean += mass * sum(hits)
    return mean - p


def pareto():
    """The mean and the variance that Chebyshev's inequality uses, by quadrature of u^(-k/a) = e^(k s / a) over e^-s."""
    a = number("2.1", 6)
    first, second = (mp.quad(lambda s, k=k: mp.exp((k / a - 1) * s), [0, 40, 400, mp.inf]) for k in (1, 2))
    found = max(abs(first - a / (a - 1)), abs(second - first**2 - a / ((a - 1) ** 2 * (a - 2))))
    return found if found > mp.mpf(10) ** -25 else mp.mpf(0)


def clipping():
    (atoms, weights), b = law(), number("0.1", 1)
    b = exact(Fraction(RNG.randrange(1, 9), 16)) if RNG.random() < 0.5 else b
    pairs = [(exact(x), exact(w)) for x, w in zip(atoms, weights, strict=True)]
    bias = sum(w * (x - min(max(x, -b), b)) for x, w in pairs)
    return abs(bias) - sum(w * x * x for x, w in pairs) / (4 * b)


def conformal():
    """The new point exceeds the 18th smallest of 19 if 18 of them lie below it."""
    assert math.ceil((1 - 0.1) * 20) == 18
    mass, below = mp.mpf(0), mp.mpf(0)
    for w in simplex(4):
        mass, below = mass + w * (19 * below**18 * (1 - below) + below**19), below + w
    return mass - mp.mpf(1) / 10


def leave_one_out():
    x = mp.matrix([[number(-1, 1) / 3 for _ in range(2)] for _ in range(4)])
    if RNG.random() < 0.3:
        x[:, 1] = 2 * x[:, 0]
    y, ridge = mp.matrix([number(-1, 1) / 2 for _ in range(4)]), mp.eye(2) / 10
    rest = x[1:4, :]
    without = mp.lu_solve(rest.T * rest + ridge, rest.T * y[1:4])
    hat = x * mp.inverse(x.T * x + ridge) * x.T
    return abs(y[0] - (x[0, :] * without)[0] - (y[0] - (hat * y)[0]) / (1 - hat[0, 0]))


TRUTHS = {
    "true-harmonic": (harmonic, 1),
    "true-max-normal": (max_normal, 1),
    "true-median-variance": (median_variance, 1),
    "true-min-gap": (min_gap, 1),
    "true-worst-coin": (worst_coin, 1),
    "true-birthday": (birthday, 1),
    "true-gini": (gini, 200),
    "true-product": (product_of_four, 400),
    "true-roots-of-unity": (roots_of_unity, 100),
    "true-exp-minus-one": (exp_minus_one, 400),
    "true-cap": (cap, 100),
    "true-support": (support, 100),
    "true-minkowski-det": (minkowski, 400),
    "true-p-norm": (p_norm, 400),
    "true-three-points": (three_points, 400),
    "true-bootstrap-mean": (bootstrap_mean, 40),
    "true-midrank": (midrank, 60),
    "true-all-below-median": (all_below, 100),
    "true-median-interval": (median_interval, 60),
    "true-ratio": (ratio, 200),
    "true-chebyshev-pareto": (pareto, 10),
    "true-clipping-bias": (clipping, 400),
    "true-conformal": (conformal, 400),
    "true-loo-ridge": (leave_one_out, 60),
}

if __name__ == "__main__":
    main("shapes", EXACT, TRUTHS, (36, 24))
