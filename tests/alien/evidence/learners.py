"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are. The distances of nearest neighbours are integrals in float64.
"""

import itertools
import math
from fractions import Fraction
from functools import cache

import mpmath as mp
import numpy as np
from optim import RNG, main, number
from series import dot, share, shares, signed
from shapes import exact

HALF = Fraction(1, 2)


def vector(n):
    """In the unit ball; at times on its sphere, at times 0."""
    v = [number(-1, 1) * RNG.choice([0, 1, 1]) for _ in range(n)]
    size = mp.sqrt(dot(v, v))
    return [x / size for x in v] if size > 1 or (size and RNG.random() < 0.3) else v


def direction():
    """A rational point of the circle."""
    t = Fraction(RNG.randint(-30, 30), RNG.randint(1, 30))
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def in_disc():
    r, (a, b) = share(), direction()
    return r * a, r * b


def singles(n, p):
    """E of the missing mass and of the number of values seen once over n, by all counts of three values."""
    missing, once = Fraction(0), Fraction(0)
    for i in range(n + 1):
        for j in range(n + 1 - i):
            c = (i, j, n - i - j)
            ways = math.comb(n, i) * math.comb(n - i, j)
            chance = ways * math.prod(q**k for q, k in zip(p, c, strict=True))
            missing += chance * sum(q for q, k in zip(p, c, strict=True) if k == 0)
            once += chance * Fraction(sum(k == 1 for k in c), n)
    return missing, once


def above(n, k):
    """P(a new number exceeds the k-th smallest of n), all n + 1 ranks being equally likely."""
    return Fraction(sum(rank > k for rank in range(1, n + 2)), n + 1)


def softmax(a):
    e = [mp.exp(x) for x in a]
    return [x / sum(e) for x in e]


def distance(a, b):
    return mp.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def softmax_ratio():
    a, b = [mp.mpf(x) for x in ("0.1", "-0.1", "-5")], [mp.mpf(x) for x in ("-0.1", "0.1", "-5")]
    return distance(softmax(a), softmax(b)), distance(a, b) / 4


def part_of_disc(a, b, r):
    """The area of the points (u, v) of the disc of radius r with 0 <= u <= a, 0 <= v <= b."""
    a, b = np.minimum(a, r), np.minimum(b, r)

    def below_circle(u):
        return (u * np.sqrt(np.maximum(r * r - u * u, 0)) + r * r * np.arcsin(np.minimum(u / r, 1))) / 2

    start = np.sqrt(r * r - b * b)
    return np.where(a <= start, a * b, b * start + below_circle(a) - below_circle(np.minimum(start, a)))


@cache
def nearest(n):
    """E of the distance to the nearest of n points: the integral of (1 - area of the disc in the square)^n."""
    nodes, weights = np.polynomial.legendre.leggauss(48)
    radius = min(math.sqrt(2), 8 / math.sqrt(n))
    r, dr = (nodes + 1) * radius / 2, weights * radius / 2
    edges = sorted({0.0, min(0.5, 2 / math.sqrt(n)), min(0.5, 8 / math.sqrt(n)), 0.5})
    x = np.concatenate([(nodes + 1) * (b - a) / 2 + a for a, b in itertools.pairwise(edges)])
    dx = np.concatenate([weights * (b - a) / 2 for a, b in itertools.pairwise(edges)])
    total = 0.0
    for here, step in zip(r, dr, strict=True):
        sides = [(a, b) for a in (x, 1 - x) for b in (x, 1 - x)]
        area = sum(part_of_disc(a[:, None], b[None, :], here) for a, b in sides)
        total += step * 4 * (dx @ np.maximum(1 - area, 0) ** n @ dx)
    return mp.mpf(total)


def missing_ratio(n):
    """Of the missing mass of the law (1/n, 1 - 1/n) to n^(-3/2)."""
    p = Fraction(1, n)
    return exact(p * (1 - p) ** n + (1 - p) * p**n) * mp.mpf(n) ** 1.5


def james_stein_at_0():
    """E |z|^-2 = 1 in three dimensions, by quadrature; |z|^2 has the mean 3."""
    inverse = mp.sqrt(2 / mp.pi) * mp.quad(lambda r: mp.exp(-r * r / 2), [0, 4, 20])
    assert abs(inverse - 1) < mp.mpf(10) ** -40
    return 3 - 6 + 9 * inverse, mp.mpf(3)


def pinsker():
    p = [mp.mpf("0.51"), mp.mpf("0.49")]
    return mp.mpf("0.01"), mp.sqrt(sum(x * mp.log(2 * x) for x in p) / mp.mpf("2.01"))


def logistic():
    eta = mp.mpf("0.55")
    entropy = -eta * mp.log(eta) - (1 - eta) * mp.log(1 - eta)
    return mp.mpf("0.01"), mp.mpf("1.99") * (mp.log(2) - entropy)


def davis_kahan():
    """The eigenvector of a matrix of order two by its angle; the perturbation is symmetric without a trace."""
    a, b = mp.mpf("0.08"), mp.mpf("0.1833")
    return mp.sin(mp.atan2(2 * b, 1 - 2 * a) / 2), mp.mpf("1.005") * mp.sqrt(a * a + b * b)


def vapnik_sum():
    """At no other n of the sets is it false."""

    def sides(n, d):
        return sum(math.comb(n, i) for i in range(d + 1)), Fraction(137, 100) * Fraction(n**d, math.factorial(d))

    for d in (1, 2, 3):
        for n in range(d + 2, 301):
            left, right = sides(n, d)
            assert (left > right) == ((n, d) == (4, 2))
    return sides(4, 2)


EXACT = {
    "plain-cover-hart": (2 * Fraction(1, 10) * Fraction(9, 10), Fraction(3, 2) * Fraction(1, 10)),
    "plain-good-turing": singles(5, (HALF, HALF, 0))[::-1],
    "plain-conformal": (above(20, 18), Fraction(1, 10)),
    "plain-james-stein": james_stein_at_0(),
    "plain-softmax": softmax_ratio(),
    "plain-nearest-neighbour": nearest,
    "plain-unseen": [missing_ratio(n) for n in (5, 10, 20, 40, 80, 160)],
    "subtle-pinsker": pinsker(),
    "subtle-rank-auc": (Fraction(0), Fraction(sum((4, 5, 6, 7)) - 10, 12)),
    "subtle-logistic": logistic(),
    "subtle-davis-kahan": davis_kahan(),
    "subtle-vapnik-sum": vapnik_sum(),
    "subtle-conformal": (above(100, 90), Fraction(1, 10)),
    "subtle-threshold-erm": ((1 - mp.log(20) / 12) ** 10, mp.mpf(1) / 20),
    "subtle-massart-class": (mp.mpf(1), mp.sqrt(mp.mpf("1.4") * mp.log(2))),
}


def cover_hart():
    w, eta = shares(4), [share() for _ in range(4)]
    bayes = dot(w, [min(e, 1 - e) for e in eta])
    return exact(dot(w, [2 * e * (1 - e) for e in eta]) - 2 * bayes * (1 - bayes))


def kernel_density():
    """By quadrature; the two sides differ by less than 0.4, as no kernel is larger."""
    x, h = number(-3, 3), number(1, 2)
    assert 1 / mp.sqrt(2 * mp.pi) < 0.4
    mean = mp.quad(lambda y: mp.npdf(y) * mp.npdf(x, y, h), mp.linspace(-16, 16, 17))
    return abs(mean - mp.npdf(x, 0, mp.sqrt(1 + h * h)))


def adaboost():
    """All classifiers up to the order of the points, in fractions: odds in place of the logarithms.

    A round halves the weight of the right and of the wrong points; where eps is 0 or 1 the algorithm stops.
    """
    excess = []
    for points in itertools.combinations_with_replacement(itertools.product((-1, 1), repeat=3), 6):
        weights, odds, square = [Fraction(1, 6)] * 6, [Fraction(1)] * 6, Fraction(1)
        for t in range(3):
            eps = sum(w for w, p in zip(weights, points, strict=True) if p[t] < 0)
            square *= 4 * eps * (1 - eps)
            if square == 0:
                break
            odds = [o * ((1 - eps) / eps) ** p[t] for o, p in zip(odds, points, strict=True)]
            weights = [w / (2 * eps if p[t] < 0 else 2 * (1 - eps)) for w, p in zip(weights, points, strict=True)]
        else:
            excess.append(Fraction(sum(o <= 1 for o in odds), 6) ** 2 - square)
    return exact(max(excess))


def perceptron():
    """Points on the side of a rational direction, often close to its edge."""
    u, z = direction(), []
    while len(z) < 5:
        x = in_disc() if RNG.random() < 0.6 else tuple(s * Fraction(99, 100) for s in (-u[1], u[0]))
        x = [a + Fraction(RNG.randint(0, 5), 1000) * b for a, b in zip(x, u, strict=True)]
        side = dot(x, u)
        if side and dot(x, x) <= 1:
            z.append(x if side > 0 else [-a for a in x])
    w, mistakes = (Fraction(0), Fraction(0)), 0
    for x in z * 2:
        if dot(w, x) <= 0:
            w, mistakes = [a + b for a, b in zip(w, x, strict=True)], mistakes + 1
    return exact(mistakes * min(dot(x, u) for x in z) ** 2 - max(dot(x, x) for x in z))


def threshold_erm():
    """The gap exceeds t if no example lies in [theta - t, theta]; where theta <= t it does not."""
    n, theta = RNG.choice([10, 100]), number(0, 1)
    t = mp.log(20) / n
    return ((1 - t) ** n if theta > t else mp.mpf(0)) - mp.mpf(1) / 20


def bisection():
    """Half of the time the threshold is a middle."""
    theta = Fraction(RNG.randint(0, 256), 256) if RNG.random() < 0.5 else Fraction(RNG.randint(0, 997), 997)
    low, width = Fraction(0), Fraction(1)
    for _ in range(8):
        width /= 2
        low += width if theta > low + width else 0
    return exact(abs(theta - low - width / 2) - Fraction(1, 512))


def forecasts():
    """Weights, forecasts, frequencies and the Brier score."""
    w, f, o = shares(4), [share() for _ in range(4)], [share() for _ in range(4)]
    return w, f, o, dot(w, [b * (1 - a) ** 2 + (1 - b) * a * a for a, b in zip(f, o, strict=True)])


def murphy():
    w, f, o, brier = forecasts()
    base = dot(w, o)
    reliability = dot(w, [(a - b) ** 2 for a, b in zip(f, o, strict=True)])
    resolution = dot(w, [(b - base) ** 2 for b in o])
    return exact(abs(brier - reliability + resolution - base * (1 - base)))


def calibration():
    w, f, o, brier = forecasts()
    return exact(dot(w, [abs(a - b) for a, b in zip(f, o, strict=True)]) ** 2 - brier)


def domain_shift():
    """Half of the time the worst loss."""
    p, q, worst = shares(5), shares(5), RNG.random() < 0.5
    loss = [Fraction(a > b) if worst else share() for a, b in zip(p, q, strict=True)]
    gap = [a - b for a, b in zip(p, q, strict=True)]
    return exact(abs(dot(gap, loss)) - sum(map(abs, gap)) / 2)


def auc():
    """All there are."""
    gaps = []
    for scores in itertools.product((0, 1), repeat=7):
        pos, neg = scores[:4], scores[4:]
        wins = sum(Fraction((a > b) - (a < b) + 1, 2) for a in pos for b in neg) / 12
        gaps.append(abs(wins - (Fraction(sum(pos), 4) + 1 - Fraction(sum(neg), 3)) / 2))
    return exact(max(gaps))


def ridge(points, targets, lam):
    """The minimum of a mean of squares and lam |w|^2, by Cramer's rule."""
    n = len(points)
    a, b, c = (Fraction(sum(x[i] * x[j] for x in points)) / n for i, j in ((0, 0), (0, 1), (1, 1)))
    p, q = (sum(y * x[i] for x, y in zip(points, targets, strict=True)) / n for i in (0, 1))
    det = (a + lam) * (c + lam) - b * b
    return ((c + lam) * p - b * q) / det, ((a + lam) * q - b * p) / det


def examples(n):
    """Now and then all on a line."""
    points, flat = [in_disc() for _ in range(n)], RNG.random() < 0.2
    return [(r * a, r * b) for (a, b), r in zip([points[0]] * n, signed(n), strict=True)] if flat else points


def leave_one_out():
    """The hat value by the fit to an indicator."""
    x, y = examples(4), [v / 2 for v in signed(4)]
    ahead = dot(ridge(x, [1, 0, 0, 0], Fraction(1, 8)), x[0])
    residual = (y[0] - dot(ridge(x, y, Fraction(1, 8)), x[0])) / (1 - ahead)
    return exact(abs(residual - y[0] + dot(ridge(x[1:], y[1:], Fraction(1, 6)), x[0])))


def ridge_stability():
    lam, (first, other, *x), (p, q, *y) = Fraction(1, RNG.choice([1, 10])), examples(5), signed(5)
    gap = distance(*([exact(w) for w in ridge([a, *x], [b, *y], lam)] for a, b in ((first, p), (other, q))))
    return gap - (1 + 1 / mp.sqrt(exact(lam))) / (2 * exact(lam))


def sauer():
    """All cells."""
    cells = itertools.product((4, 10, 40), (1, 2, 4))
    return max(sum(math.comb(n, i) for i in range(d + 1)) - (mp.e * n / d) ** d for n, d in cells)


def good_turing():
    missing, once = singles(RNG.choice([5, 12]), shares(3))
    return exact(missing - once)


def majority():
    """By all that three voters may do; some weights tie at one half."""
    w, p = RNG.choice([shares(3), [HALF, HALF, Fraction(0)], [HALF, HALF / 2, HALF / 2]]), shares(8)
    mixed = [dot(w, errors) for errors in itertools.product((0, 1), repeat=3)]
    return exact(sum(c for c, g in zip(p, mixed, strict=True) if g >= HALF) - 2 * dot(p, mixed))


def online_gradient():
    """Half of the time one gradient all along."""
    g, eta = [vector(3) for _ in range(4)], number("0.05", 2)
    g = g[:1] * 4 if RNG.random() < 0.5 else g
    w, loss = [mp.mpf(0)] * 3, mp.mpf(0)
    for v in g:
        loss += dot(w, v)
        w = [a - eta * b for a, b in zip(w, v, strict=True)]
        size = max(mp.sqrt(dot(w, w)), 1)
        w = [a / size for a in w]
    total = [sum(v[i] for v in g) for i in range(3)]
    return loss + mp.sqrt(dot(total, total)) - 1 / (2 * eta) - eta * sum(dot(v, v) for v in g) / 2


def ridge_risk():
    """Signs in place of the normal numbers: a sum of squares needs their first two moments alone."""
    theta, lam, mean = [2 * v for v in signed(3)], 5 * share(), Fraction(0)
    for e in itertools.product((-1, 1), repeat=3):
        mean += sum(((t + s) / (1 + lam) - t) ** 2 for t, s in zip(theta, e, strict=True)) / 8
    return exact(abs(mean - (lam**2 * dot(theta, theta) + 3) / (1 + lam) ** 2))


def james_stein():
    """The mean difference by quadrature in polar coordinates around 0, in float64; it is far below 0.

    At u = 1/|z|, lhs - rhs is c^2 u^2 - 2 c + 2 c theta z u^2 >= (c u - |theta|)^2 - |theta|^2 - 2 c, c = d - 2.
    """
    d, size = RNG.choice([4, 8]), 3 * float(share())
    c = d - 2
    assert -2 * c - 9 > -40
    nodes, weights = np.polynomial.legendre.leggauss(120)
    rho, phi = (nodes[:, None] + 1) * 7, (nodes[None, :] + 1) * math.pi / 2
    z, r = rho * np.cos(phi), rho * np.sin(phi)
    density = rho * r ** (d - 2) * np.exp(-((z - size) ** 2 + r**2) / 2) * weights[:, None] * weights * 7 * math.pi / 2
    density /= math.sqrt(2 * math.pi) * 2 ** ((d - 3) / 2) * math.gamma((d - 1) / 2)
    assert abs(density.sum() - 1) < 1e-9
    return float((density * (c * c + 2 * c * size * z - 2 * c * rho**2) / rho**2).sum())


def conformal():
    """A law on three atoms: a new score v exceeds the threshold if k of the n lie below it."""
    n, level, w = RNG.choice([10, 25]), Fraction(RNG.choice([1, 3]), 10), shares(3)
    k, found = math.ceil((n + 1) * (1 - level)), Fraction(0)
    assert k == math.ceil((n + 1) * (1.0 - float(level))) <= n
    for i in range(3):
        below = sum(w[:i])
        found += w[i] * sum(math.comb(n, j) * below**j * (1 - below) ** (n - j) for j in range(k, n + 1))
    return exact(found - level)


def hinge():
    eta, f = share(), RNG.choice([Fraction(0), 3 * (2 * share() - 1)])
    excess = abs(2 * eta - 1) if f * (2 * eta - 1) <= 0 else 0
    risk = eta * max(1 - f, 0) + (1 - eta) * max(1 + f, 0)
    return exact(excess - risk + 2 * min(eta, 1 - eta))


def softmax_lipschitz():
    """Half of the time two nearly equal classes, at a small distance."""
    a, b = ([number(-5, 5) for _ in range(3)] for _ in range(2))
    if RNG.random() < 0.5:
        h = mp.mpf(10) ** -RNG.uniform(0, 12)
        a, b = [h, -h, mp.mpf(-5)], [-h, h, mp.mpf(-5)]
    return distance(softmax(a), softmax(b)) - distance(a, b) / 2


def nearest_rate():
    """From step to step the exponents are at most -1/2: the edges of the square matter less and less."""
    grid = [8, 16, 32, 64, 128, 256]
    steps = [mp.log(nearest(b) / nearest(a), 2) for a, b in itertools.pairwise(grid)]
    return max(steps) + mp.mpf(1) / 2


def pinball():
    """Half of the time c is an atom."""
    atoms, w, level = sorted(share() for _ in range(3)), shares(3), Fraction(3, 10)
    quantile = next(a for a, mass in zip(atoms, itertools.accumulate(w), strict=True) if mass >= level)

    def risk(t):
        return dot(w, [max(level * (x - t), (level - 1) * (x - t)) for x in atoms])

    return exact(risk(quantile) - risk(RNG.choice([share(), RNG.choice(atoms)])))


def massart():
    """All 32 signs; half of the time opposite vectors."""
    a = [vector(5) for _ in range(RNG.choice([2, 3]))]
    a[1] = [-x for x in a[0]] if RNG.random() < 0.5 else a[1]
    mean = sum(max(dot(e, v) for v in a) for e in itertools.product((-1, 1), repeat=5)) / 32
    return mean - max(mp.sqrt(dot(v, v)) for v in a) * mp.sqrt(2 * mp.log(len(a)))


def unseen():
    """With the constant 4/e; many laws have values of probability 1/n."""
    n, p = RNG.choice([5, 10, 20, 40, 80, 160]), shares(4)
    p = [Fraction(1, n), Fraction(1, n), Fraction(1, n), 1 - Fraction(3, n)] if RNG.random() < 0.5 else p
    return n * exact(sum(q * (1 - q) ** n for q in p)) - 4 / mp.e


def linear_class():
    """All 2^20 signs in float64; near ties are counted. Half of the time all points are on a line."""
    x = np.array([[float(c) for c in v] for v in examples(20)])
    x = np.array([[1.0, 0.0]] * 20) if RNG.random() < 0.5 else x
    sums = np.zeros((1, 2))
    for point in x:
        sums = np.concatenate([sums + point, sums - point])
    bound = (1 + math.sqrt(2 * math.log(10))) / math.sqrt(20)
    return float((np.hypot(*(sums / 20).T) > bound - 1e-9).mean()) - 0.1


def rule_of_three():
    """At an error rate above 3/n no error is seen with a probability below (1 - 3/n)^n."""
    return exact(max((1 - Fraction(3, n)) ** n for n in (10, 30)) - Fraction(1, 20))


TRUTHS = {
    "true-cover-hart": (cover_hart, 1000),
    "true-kernel-density-mean": (kernel_density, 20),
    "true-adaboost": (adaboost, 1),
    "true-perceptron": (perceptron, 400),
    "true-threshold-erm": (threshold_erm, 400),
    "true-active-bisection": (bisection, 1000),
    "true-murphy": (murphy, 400),
    "true-calibration-error": (calibration, 1000),
    "true-domain-shift": (domain_shift, 1000),
    "true-binary-auc": (auc, 1),
    "true-leave-one-out": (leave_one_out, 400),
    "true-ridge-stability": (ridge_stability, 400),
    "true-sauer": (sauer, 1),
    "true-good-turing": (good_turing, 100),
    "true-majority-vote": (majority, 400),
    "true-online-gradient": (online_gradient, 1000),
    "true-ridge-risk": (ridge_risk, 400),
    "true-james-stein": (james_stein, 40),
    "true-conformal": (conformal, 200),
    "true-hinge-calibration": (hinge, 1000),
    "true-softmax-lipschitz": (softmax_lipschitz, 1000),
    "true-nearest-neighbour": (nearest_rate, 1),
    "true-pinball": (pinball, 1000),
    "true-massart-class": (massart, 400),
    "true-unseen": (unseen, 400),
    "true-linear-class": (linear_class, 20),
    "true-rule-of-three": (rule_of_three, 1),
}

if __name__ == "__main__":
    main("learners", EXACT, TRUTHS, (42, 27))
