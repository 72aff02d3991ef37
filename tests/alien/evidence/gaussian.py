"""Recompute the evidence without the bodies: 50 digits, exact moments, quadrature.

The checks are those of `optim.py`. Means of singular values and of eigenvalues are integrals of the density of
Wishart's eigenvalues, on grids in float64 that are finer than the checks need.
"""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number

HALF = mp.mpf(1) / 2
REAL = mp.mpf(10) / 99  # the number u / (1 - u^2) of a real variable whose value is written as u = .1
ROOT = mp.sqrt(2 * mp.pi)


def phi(x):
    return mp.exp(-x * x / 2) / ROOT


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def he(n, x):
    """From the sum of powers, not from the recurrence."""
    return mp.fsum(
        (-1) ** m * mp.factorial(n) / (mp.factorial(m) * mp.factorial(n - 2 * m) * 2**m) * mp.mpf(x) ** (n - 2 * m)
        for m in range(n // 2 + 1)
    )


def moment(k):
    """E X^k."""
    return mp.mpf(0) if k % 2 else mp.fac2(k - 1)


def kl(m, s):
    return (m * m + s * s - 1) / 2 - mp.log(s)


def hellinger(m, s):
    return 1 - mp.sqrt(2 * s / (1 + s * s)) * mp.exp(-m * m / (4 * (1 + s * s)))


def distances(m, s):
    """W_2^2 and the Fisher information relative to the standard normal law."""
    return m * m + (s - 1) ** 2, m * m + (s - 1 / s) ** 2


def sine(t, b):
    second = (1 - mp.cos(2 * b) * mp.exp(-2 * t * t)) / 2
    energy = t * t * (1 + mp.cos(2 * b) * mp.exp(-2 * t * t)) / 2
    return second - (mp.sin(b) * mp.exp(-t * t / 2)) ** 2, energy


def two_point(a, b, p):
    return ((abs(a + b) ** p + abs(a - b) ** p) / 2) ** (1 / mp.mpf(p))


def expected_max(m1, m2, s1, s2, r):
    a = mp.sqrt(s1 * s1 + s2 * s2 - 2 * r * s1 * s2)
    if a == 0:
        return max(m1, m2)
    z = (m1 - m2) / a
    return m1 * mp.ncdf(z) + m2 * mp.ncdf(-z) + a * phi(z)


def between(a, b):
    return mp.ncdf(b) - mp.ncdf(a)


def chi_square(k, x):
    """P(chi^2_k >= x)."""
    return mp.gammainc(mp.mpf(k) / 2, mp.mpf(x) / 2, mp.inf, regularized=True)


def least_eigenvalue(kernel, x):
    return min(mp.eigsy(mp.matrix([[kernel(a, b) for b in x] for a in x]), eigvals_only=True))


def mechanism(eps, delta):
    s = mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta)) / eps
    return mp.ncdf(HALF / s - eps * s) - mp.exp(eps) * mp.ncdf(-HALF / s - eps * s)


def absolute_norm(p):
    return (2 ** (p / 2) * mp.gamma((p + 1) / 2) / mp.sqrt(mp.pi)) ** (1 / mp.mpf(p))


def chi_mean(n):
    return mp.sqrt(2) * mp.gammaprod([(n + mp.mpf(1)) / 2], [n / mp.mpf(2)])


def largest_singular():
    """E s_max of a 6 by 3 matrix: density prod |s_i^2 - s_j^2| prod s_i^3 exp(-s_i^2 / 2), s = t (1, u, u v)."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    unit, part = (nodes + 1) / 2, weights / 2
    t, u, v = np.meshgrid(14 * unit, unit, unit, indexing="ij")
    w = np.einsum("i,j,k->ijk", part, part, part)
    s = (t, t * u, t * u * v)
    density = np.exp(-sum(x * x for x in s) / 2) * np.prod([x**3 for x in s], axis=0) * t * t * u
    for i, j in ((0, 1), (0, 2), (1, 2)):
        density *= s[i] ** 2 - s[j] ** 2
    return float((w * density * t).sum() / (w * density).sum())


def covariance_error(n):
    """E max |lambda - 1| of X'X / n for three columns, on a grid around one."""
    wide = 2 * math.sqrt(3 / n) + 3 / n
    side = np.linspace(max(1 - 3 * wide, 1e-9), 1 + 4 * wide, 161)
    side = (side[1:] + side[:-1]) / 2
    x = np.meshgrid(side, side, side, indexing="ij")
    with np.errstate(divide="ignore"):
        log = sum((n - 4) / 2 * np.log(v) - n / 2 * (v - 1) for v in x)
        log = log + sum(np.log(np.abs(x[i] - x[j])) for i, j in ((0, 1), (0, 2), (1, 2)))
    density = np.exp(log - log.max())
    return float((density * np.max([np.abs(v - 1) for v in x], axis=0)).sum() / density.sum())


def power_kernel(a, b):
    return mp.exp(-(abs(a - b) ** mp.mpf("2.2")))


def growth(t, c):
    return -mp.log(1 - 2 * t) / 2, t + c * t * t / (1 - 2 * t)


SHORT = [mp.mpf(x) for x in ("-0.5", "0", "0.5", "1")]
EXACT = {
    "plain-mills-wrong-way": (upper(mp.mpf(1)), phi(mp.mpf(1)) / 2),
    "subtle-birnbaum": (2 * phi(mp.mpf(10)) / (10 + mp.sqrt(mp.mpf("103.9"))), upper(mp.mpf(10))),
    "plain-half-exponential-tail": (upper(mp.mpf(2)), mp.exp(-4) / 2),
    "subtle-polya": (mp.erf(REAL) ** 2, 1 - mp.exp(-mp.mpf("1.265") * REAL**2)),
    "plain-stein-jump": (mp.sqrt(2 / mp.pi), mp.mpf(0)),
    "plain-hermite-recurrence": (he(3, 1), 2 * he(2, 1) - 4 * he(1, 1)),
    "subtle-total-variation-shift": (mp.erf(REAL / mp.sqrt(8)), mp.mpf("0.395") * REAL),
    "plain-hellinger-kl-quarter": (hellinger(mp.mpf(0), HALF), kl(mp.mpf(0), HALF) / 4),
    "plain-talagrand-without-two": (mp.mpf(1), HALF),
    "plain-log-sobolev-quarter": (HALF, HALF / 2),
    "subtle-hwi": (HALF, mp.mpf("0.49")),
    "subtle-poincare-sine": (sine(mp.mpf("0.05"), 0)[0], mp.mpf("0.99") * sine(mp.mpf("0.05"), 0)[1]),
    "subtle-bonami": (two_point(1, mp.mpf("0.5831") * mp.mpf("0.15"), 4), two_point(1, mp.mpf("0.15"), 2)),
    "plain-bonami": (two_point(1, mp.mpf("0.35"), 4), two_point(1, HALF, 2)),
    "plain-sudakov-fernique-reversed": (1 / mp.sqrt(mp.pi), 1 / mp.sqrt(2 * mp.pi)),
    "plain-sheppard": (mp.mpf(1) / 6, mp.mpf(1) / 12),
    "plain-slepian-any-correlation": (HALF / 2, HALF / 2 - mp.asin(mp.mpf("0.9")) / (2 * mp.pi)),
    "subtle-radial-kernel-power": (-least_eigenvalue(power_kernel, SHORT), mp.mpf(0)),
    "plain-johnson-lindenstrauss": (chi_square(20, 36) + 1 - chi_square(20, 4), 2 * mp.exp(-mp.mpf("6.4"))),
    "plain-laurent-massart-one-term": (2 * upper(mp.sqrt(1 + 2 * mp.sqrt(6))), mp.exp(-6)),
    "plain-anderson-asymmetric": (between(-1, 1), between(0, 2)),
    "plain-joseph-any-gain": (Fraction(2), Fraction(1)),
    "plain-determinant-subadditive": (Fraction(1), Fraction(1, 2)),
    "subtle-gaussian-mechanism": (mechanism(mp.mpf(10), mp.mpf("0.00001")), mp.mpf("0.00001")),
    "subtle-moments": (absolute_norm(mp.mpf("1.95")), mp.sqrt(mp.mpf("0.95"))),
    "subtle-chi-mean": (mp.sqrt(mp.pi / 2), mp.sqrt(mp.mpf("1.57"))),
    "subtle-square-moment-generating": growth(mp.mpf("0.005"), mp.mpf("0.99")),
    "plain-gordon": (largest_singular(), 3),
    "plain-covariance-rate": covariance_error,
}


# Truths


def mills_upper():
    x = number("0.01", 8)
    return upper(x) - phi(x) / x


def mills_lower():
    x = number(0, 30)
    return x * phi(x) / (1 + x * x) - upper(x)


def birnbaum():
    x = number(0, 20)
    return 2 * phi(x) / (x + mp.sqrt(x * x + 4)) - upper(x)


def sampford():
    x = number(0, 20)
    return upper(x) - 4 * phi(x) / (3 * x + mp.sqrt(x * x + 8))


def half_exponential():
    x = number(0, 20)
    return upper(x) - mp.exp(-x * x / 2) / 2


def polya():
    """With 200 digits: both sides vanish at zero."""
    with mp.workdps(200):
        x = number(-8, 8)
        return mp.erf(x) ** 2 - 1 + mp.exp(-4 * x * x / mp.pi)


def stein():
    c = [number(-1, 1) for _ in range(4)]
    left = mp.fsum(c[k] * moment(k + 1) for k in range(4))
    return abs(left - mp.fsum(k * c[k] * moment(k - 1) for k in range(1, 4)))


def recurrence():
    n, x = RNG.choice([2, 5, 10]), number(-5, 5)
    return abs(he(n + 1, x) - x * he(n, x) + n * he(n - 1, x))


def addition():
    n, x, y, angle = RNG.choice([3, 4]), number(-3, 3), number(-3, 3), number(0, 7)
    a, b = mp.cos(angle), mp.sin(angle)
    terms = [mp.binomial(n, k) * a**k * b ** (n - k) * he(k, x) * he(n - k, y) for k in range(n + 1)]
    return abs(he(n, a * x + b * y) - mp.fsum(terms))


def turan():
    n, x = RNG.choice([1, 3, 6]), number(-6, 6)
    return he(n - 1, x) * he(n + 1, x) - he(n, x) ** 2


def ornstein_uhlenbeck():
    """The mean by expanding the polynomial and the moments."""
    n, x, r = RNG.choice([2, 3, 5]), number(-3, 3), number(0, 1)
    s, total = mp.sqrt(1 - r * r), mp.mpf(0)
    for m in range(n // 2 + 1):
        k = n - 2 * m
        power = mp.fsum(mp.binomial(k, j) * (r * x) ** (k - j) * s**j * moment(j) for j in range(k + 1))
        total += (-1) ** m * mp.factorial(n) / (mp.factorial(m) * mp.factorial(k) * 2**m) * power
    return abs(total - r**n * he(n, x))


def kl_formula():
    """The mean of the logarithmic ratio by moments."""
    m1, m2, s1, s2 = number(-3, 3), number(-3, 3), number("0.1", 3), number("0.1", 3)
    ratio = mp.log(s2 / s1) - HALF + (s1 * s1 + (m1 - m2) ** 2) / (2 * s2 * s2)
    return abs(kl((m1 - m2) / s2, s1 / s2) - ratio)


def total_variation():
    m = number(-10, 10)
    return mp.erf(abs(m) / mp.sqrt(8)) - abs(m) / ROOT


def pair():
    return number(-3, 3), number("0.1", 3)


def hellinger_kl():
    m, s = pair()
    return hellinger(m, s) - kl(m, s) / 2


def talagrand():
    m, s = pair()
    return distances(m, s)[0] - 2 * kl(m, s)


def log_sobolev():
    m, s = pair()
    return kl(m, s) - distances(m, s)[1] / 2


def hwi():
    m, s = pair()
    w, fisher = distances(m, s)
    return kl(m, s) - mp.sqrt(w * fisher) + w / 2


def poincare():
    with mp.workdps(100):
        left, right = sine(number(0, 3), number(-mp.pi, mp.pi))
        return left - right


def bonami():
    a, b = number(-1, 1), number(-1, 1)
    p, q = RNG.choice([mp.mpf("1.5"), mp.mpf(2)]), RNG.choice([3, 4])
    return two_point(a, mp.sqrt((p - 1) / (q - 1)) * b, q) - two_point(a, b, p)


def sudakov_fernique():
    m, s, r = ([number(-2, 2), number(-2, 2)], [number("0.1", 2), number("0.1", 2)], [number(-1, 1), number(-1, 1)])
    return expected_max(*m, *s, max(r)) - expected_max(*m, *s, min(r))


def sheppard():
    """The integral of the density over the orthant, in polar coordinates."""
    r = number("-0.99", "0.99")

    def density(a):
        return mp.sqrt(1 - r * r) / (2 * mp.pi * (1 - r * mp.sin(2 * a)))

    with mp.workdps(60):
        angle = mp.quad(density, mp.linspace(0, mp.pi / 2, 17))
        return max(abs(angle - HALF / 2 - mp.asin(r) / (2 * mp.pi)) - mp.mpf(10) ** -20, 0)


def sidak():
    """By quadrature over one variable, given the other; to the digits of the quadrature."""
    a, b, r = number("0.1", 3), number("0.1", 3), number("-0.99", "0.99")

    def inside(x):
        s = mp.sqrt(1 - r * r)
        return phi(x) * between((-b - r * x) / s, (b - r * x) / s)

    with mp.workdps(20):
        joint = mp.quad(inside, mp.linspace(-a, a, 9))
        return between(-a, a) * between(-b, b) - joint - mp.mpf(10) ** -8


def gram(n, d):
    points = []
    for _ in range(n):
        x = [mp.mpf(RNG.gauss(0, 1)) for _ in range(d)]
        x = RNG.choice(points) if points and RNG.random() < 0.3 else x
        length = mp.sqrt(mp.fsum(v * v for v in x))
        points.append([v / length for v in x])
    return points


def angle(x, y):
    return mp.acos(max(-1, min(1, mp.fsum(a * b for a, b in zip(x, y, strict=True)))))


def arc_one(x, y):
    t = angle(x, y)
    return (mp.sin(t) + (mp.pi - t) * mp.cos(t)) / mp.pi


def arc_zero(x, y):
    return 1 - angle(x, y) / mp.pi


def semidefinite(kernel, slack):
    with mp.workdps(90):
        points = gram(4, 3)
        return -least_eigenvalue(lambda x, y: kernel(x, y) if x != y else kernel(x, x), points) - mp.mpf(10) ** -slack


def radial(x, y):
    return mp.exp(-mp.fsum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / 2)


def random_features():
    """The characteristic function by its series of moments."""
    d = number(0, 3)
    with mp.workdps(60):
        series = mp.fsum((-1) ** k * d ** (2 * k) * moment(2 * k) / mp.factorial(2 * k) for k in range(90))
        return abs(series - mp.exp(-d * d / 2))


def max_concentration():
    t = number("0.1", 3)
    return 1 - mp.ncdf(mp.mpf("1.16297") + t) ** 5 - mp.exp(-t * t / 2)


def norm_concentration():
    n, t = RNG.choice([2, 10]), number(0, 3)
    return chi_square(n, (mp.sqrt(n) + t) ** 2) - mp.exp(-t * t / 2)


def johnson_lindenstrauss():
    e = number("0.1", "0.9")
    bound = min(1, 2 * mp.exp(-20 * (e**2 - e**3) / 4))
    return chi_square(20, 20 * (1 + e)) + 1 - chi_square(20, 20 * (1 - e)) - bound


def laurent_massart():
    """The logarithmic moment generating function of the weighted sum is at most |a|^2 l^2 / (1 - 2 |a|_inf l)."""
    a = [number(0, 1) for _ in range(4)]
    top = max(a)
    if top == 0:
        return mp.mpf(-1)
    rate = number(0, "0.499") / top
    exact = mp.fsum(-rate * x - mp.log(1 - 2 * rate * x) / 2 for x in a)
    return exact - rate**2 * mp.fsum(x * x for x in a) / (1 - 2 * rate * top)


def chi_square_lower():
    return max(1 - chi_square(k, max(0, k - 2 * mp.sqrt(k * mp.log(20)))) - mp.mpf("0.05") for k in (3, 30))


def ehrhard():
    a, b, t, u, v = number(-3, 3), number(-3, 3), number(0, 1), number("0.05", 3), number("0.05", 3)

    def level(left, width):
        return mp.sqrt(2) * mp.erfinv(2 * between(left, left + width) - 1)

    mixed = level((1 - t) * a + t * b, (1 - t) * u + t * v)
    return (1 - t) * level(a, u) + t * level(b, v) - mixed


def anderson():
    a, m = number(0, 5), number(-5, 5)
    return between(-a - m, a - m) - between(-a, a)


def positive(n, ridge="0"):
    """A random positive semi-definite matrix of trace one, often singular, plus a ridge."""
    k = RNG.choice([1, n])
    x = mp.matrix(n, k)
    for i in range(n):
        for j in range(k):
            x[i, j] = mp.mpf(RNG.gauss(0, 1))
    s = x * x.T
    return s / mp.fsum(s[i, i] for i in range(n)) + mp.mpf(ridge) * mp.eye(n)


def vector(n):
    x = mp.matrix([mp.mpf(RNG.gauss(0, 1)) for _ in range(n)])
    return x / mp.norm(x)


def kalman():
    p, h, u, r = positive(3, "0.1"), vector(3) * number(0, 1), vector(3), number("0.1", 2)
    gain = p - p * h * h.T * p / ((h.T * p * h)[0] + r)
    return abs((u.T * (gain - (p**-1 + h * h.T / r) ** -1) * u)[0])


def joseph():
    p, h, r = positive(3), vector(3) * number(0, 1), number("0.01", 2)
    k = p * h / ((h.T * p * h)[0] + r)
    rest = mp.eye(3) - k * h.T
    difference = rest * p * rest.T + r * k * k.T - rest * p
    return abs(mp.fsum(difference[i, i] for i in range(3)))


def conditioning():
    """b'S^(-1) b is not negative."""
    s = positive(3, "0.01")
    b = mp.matrix([s[1, 0], s[2, 0]])
    return -(b.T * s[1:3, 1:3] ** -1 * b)[0]


def hadamard():
    s = positive(3)
    return mp.det(s) - s[0, 0] * s[1, 1] * s[2, 2] - mp.mpf(10) ** -40


def minkowski():
    def root(s):
        return mp.sqrt(max(0, s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]))

    with mp.workdps(100):
        a, b = positive(2), positive(2)
        return root(a) + root(b) - root(a + b)


def fidelity():
    """The nuclear norm of A^(1/2) B^(1/2), by the eigenvalues of A B, against the Frobenius norms."""
    with mp.workdps(100):
        a, b = positive(3), 2 * positive(3)
        values, _ = mp.eig(a * b)
        return mp.fsum(mp.sqrt(abs(v)) for v in values) - mp.sqrt(2) - mp.mpf(10) ** -40


def gaussian_mechanism():
    delta = mp.mpf(10) ** -number(1, 6)
    return mechanism(number("0.05", 1), delta) - delta


def moments():
    p = number(2, 50)
    return absolute_norm(p) - mp.sqrt(p - 1)


def chi_lower():
    n = RNG.choice([1, 2, 3, RNG.randrange(1, 1001), 1000])
    return mp.sqrt(n - HALF) - chi_mean(n)


def generating():
    t = number(0, "0.499")
    left, right = growth(t, 1)
    return left - right


def gordon():
    return largest_singular() - math.sqrt(6) - math.sqrt(3)


def max_order():
    """E max <= sqrt(2 log n), by quadrature of the exact law."""
    n = RNG.choice([4, 16, 64, 256, 1024])
    with mp.workdps(20):
        value = mp.quad(lambda x: n * x * phi(x) * mp.ncdf(x) ** (n - 1), mp.linspace(-10, 12, 23))
    return value - mp.sqrt(2 * mp.log(n))


def covariance_rate():
    """sqrt(n) times the mean stays below twice its last value."""
    values = [math.sqrt(n) * covariance_error(n) for n in (20, 40, 80, 160, 320)]
    return max(values) - 2 * values[-1]


TRUTHS = {
    "true-mills-upper": (mills_upper, 400),
    "true-mills-lower": (mills_lower, 400),
    "true-birnbaum": (birnbaum, 400),
    "true-sampford": (sampford, 400),
    "true-half-exponential-tail": (half_exponential, 400),
    "true-polya": (polya, 400),
    "true-stein-cubic": (stein, 400),
    "true-hermite-recurrence": (recurrence, 400),
    "true-hermite-addition": (addition, 400),
    "true-turan": (turan, 400),
    "true-ornstein-uhlenbeck-eigen": (ornstein_uhlenbeck, 200),
    "true-kl-formula": (kl_formula, 400),
    "true-total-variation-shift": (total_variation, 400),
    "true-hellinger-kl": (hellinger_kl, 400),
    "true-talagrand": (talagrand, 400),
    "true-log-sobolev": (log_sobolev, 400),
    "true-hwi": (hwi, 400),
    "true-poincare-sine": (poincare, 400),
    "true-bonami": (bonami, 400),
    "true-sudakov-fernique-two": (sudakov_fernique, 400),
    "true-sheppard": (sheppard, 20),
    "true-sidak": (sidak, 20),
    "true-arc-cosine-one-psd": (lambda: semidefinite(arc_one, 40), 40),
    "true-arc-cosine-zero-psd": (lambda: semidefinite(arc_zero, 40), 40),
    "true-radial-kernel-psd": (lambda: semidefinite(radial, 40), 40),
    "true-random-features-mean": (random_features, 40),
    "true-max-concentration": (max_concentration, 400),
    "true-norm-concentration": (norm_concentration, 200),
    "true-johnson-lindenstrauss": (johnson_lindenstrauss, 200),
    "true-laurent-massart": (laurent_massart, 400),
    "true-chi-square-lower": (chi_square_lower, 1),
    "true-ehrhard-intervals": (ehrhard, 100),
    "true-anderson": (anderson, 400),
    "true-kalman-information": (kalman, 100),
    "true-joseph-form": (joseph, 100),
    "true-conditioning-reduces-variance": (conditioning, 100),
    "true-hadamard": (hadamard, 200),
    "true-minkowski-determinant": (minkowski, 200),
    "true-fidelity-cauchy-schwarz": (fidelity, 40),
    "true-gaussian-mechanism": (gaussian_mechanism, 400),
    "true-moments": (moments, 400),
    "true-chi-mean": (chi_lower, 100),
    "true-square-moment-generating": (generating, 400),
    "true-gordon": (gordon, 1),
    "true-max-order": (max_order, 10),
    "true-covariance-rate": (covariance_rate, 1),
}

if __name__ == "__main__":
    main("gaussian", EXACT, TRUTHS, (len(EXACT) + len(TRUTHS), len(TRUTHS)))
