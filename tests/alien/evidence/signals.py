"""Recompute the evidence without the bodies: 50 digits, fractions, enumeration, quadrature.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated in 50 digits at random and
degenerate inputs, or at all there are. Means along a grid are integrals of characteristic functions, in float64.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, main, number
from shapes import exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def norm(x, p=2):
    return sum(abs(v) ** mp.mpf(p) for v in x) ** (1 / mp.mpf(p))


def dft(x):
    """By its definition."""
    n = len(x)
    turn = [mp.expjpi(mp.mpf(-2 * k) / n) for k in range(n)]
    return [dot(x, [turn[j * k % n] for j in range(n)]) for k in range(n)]


def sequence(n):
    """Numbers of [-1, 1], many of them 0; at times one alone is not, or all are the same."""
    kind = RNG.random()
    if kind < 0.15:
        return [mp.mpf(i == n // 2) for i in range(n)]
    if kind < 0.3:
        return [number(-1, 1)] * n
    return [number(-1, 1) * RNG.choice([0, 1, 1]) for _ in range(n)]


def complex_sequence(n):
    """At times a character, whose transform is one number alone."""
    if RNG.random() < 0.2:
        return [mp.expjpi(mp.mpf(2 * j) / n) / 2 for j in range(n)]
    return [mp.mpc(a, b) for a, b in zip(sequence(n), sequence(n), strict=True)]


def convolved(x, y):
    out = [x[0] * 0] * (len(x) + len(y) - 1)
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            out[i + j] += a * b
    return out


def sine_sum(t, n):
    return sum(mp.sin(k * t) / k for k in range(1, n + 1))


def runge_kutta(z, order):
    """The stability function."""
    return sum(z**k / mp.factorial(k) for k in range(order + 1))


def mean_deviation(transform):
    """E |X| for a standardised X, from the real part of its characteristic function.

    That part has to be negligible from t = 40 on.
    """
    nodes, weights = np.polynomial.legendre.leggauss(2000)
    t = (nodes + 1) * 20
    return float(((1 - transform(t)) / t**2 @ weights * 20 + 1 / 40) * 2 / math.pi)


def monte_carlo(n):
    """Of the mean of n uniform numbers, whose standard deviation is (12 n)^-1/2."""
    scale = math.sqrt(12 * n)
    return mp.mpf(mean_deviation(lambda t: np.sinc(t * scale / (2 * n * math.pi)) ** n) / scale)


def kershaw():
    x, s = mp.mpf(1) / 2, mp.mpf("0.78")
    return mp.gamma(x + 1) / mp.gamma(x + s), (x + s / 2 + mp.mpf("0.037")) ** (1 - s)


def robbins():
    """At no other n of the set is it false."""

    def sides(n):
        return 1 / (12 * n + mp.mpf("0.3")), mp.loggamma(n + 1) - mp.log(2 * mp.pi * n) / 2 - n * mp.log(n) + n

    assert all(left <= right for left, right in map(sides, range(2, 201)))
    return sides(1)


def cosine_sum():
    """-5/6 at t = pi. The extrema are the zeros of sin(n t/2) sin((n+1) t/2); at no other n of the grid is it false."""

    def lowest(n):
        places = [2 * mp.pi * j / m for m in (n, n + 1) for j in range(m)]
        return min(sum(mp.cos(k * t) / k for k in range(1, n + 1)) for t in [*places[1:], mp.pi])

    assert all(lowest(n) > -0.833 for n in (2, 4, 5))
    return -lowest(3), mp.mpf("0.833")


EXACT = {
    "plain-gautschi": (1 / mp.gamma(mp.mpf(3) / 2), mp.mpf(1)),
    "plain-gibbs": (sine_sum(mp.pi / 21, 20), mp.pi / 2),
    "plain-rk2-imaginary": (abs(runge_kutta(mp.mpc(0, mp.mpf(1) / 2), 2)), mp.mpf(1)),
    "plain-hausdorff-young": (
        norm(dft([mp.mpf(s) / 2 for s in (1, 1, 1, -1)]), mp.mpf(4) / 3),
        mp.mpf(4) ** 0.75 * norm([mp.mpf(1) / 2] * 4, 4),
    ),
    "plain-monte-carlo": monte_carlo,
    "plain-nikolskii": [mp.mpf(n) ** 0.25 for n in (4, 8, 16, 32, 64, 128)],
    "subtle-kershaw": kershaw(),
    "subtle-mills": (mp.sqrt(mp.pi) / 2, 1 / mp.sqrt(mp.mpf("1.28"))),
    "subtle-bessel-envelope": (mp.mpf("11.749") * mp.besselj(1, mp.mpf("11.749")) ** 2, 2 / mp.pi),
    "subtle-young": (norm(convolved([1] * 32, [1] * 32)), norm([1] * 32, mp.mpf("1.39")) ** 2),
    "subtle-rk4-real": (runge_kutta(mp.mpf("-2.79"), 4), mp.mpf(1)),
    "subtle-robbins": robbins(),
    "subtle-cosine-sum": cosine_sum(),
}


def parseval():
    x = complex_sequence(RNG.choice([5, 8]))
    return abs(sum(abs(v) ** 2 for v in dft(x)) - len(x) * sum(abs(v) ** 2 for v in x))


def convolution():
    x, y = sequence(6), sequence(6)
    direct = [sum(x[j] * y[(i - j) % 6] for j in range(6)) for i in range(6)]
    product = sum(abs(a * b) ** 2 for a, b in zip(dft(x), dft(y), strict=True)) / 6
    return abs(dot(direct, direct) - product)


def uncertainty():
    x = sequence(RNG.choice([4, 7]))
    return len(x) * dot(x, x) - sum(map(abs, x)) * sum(map(abs, dft(x)))


def trigonometric():
    """A polynomial of degree 3 and its derivative."""
    c, s = sequence(4), sequence(4)

    def p(t):
        return sum(c[k] * mp.cos(k * t) + s[k] * mp.sin(k * t) for k in range(4))

    def slope(t):
        return sum(k * (s[k] * mp.cos(k * t) - c[k] * mp.sin(k * t)) for k in range(4))

    return p, slope


def riesz():
    (p, slope), t, total = trigonometric(), number(0, 2 * mp.pi), mp.mpf(0)
    for k in range(1, 7):
        node = (2 * k - 1) * mp.pi / 6
        total -= (-1) ** k * p(t + node) / mp.sin(node / 2) ** 2
    return abs(slope(t) - total / 12)


def periodic_sampling():
    """By the closed form of Dirichlet's kernel."""
    (p, _), t = trigonometric(), number(0, 2 * mp.pi)
    t += mp.mpf("0.01")  # of no node
    u = [2 * mp.pi * k / 7 for k in range(7)]
    return abs(p(t) - sum(p(v) * mp.sin(7 * (t - v) / 2) / mp.sin((t - v) / 2) for v in u) / 7)


def extrema(n):
    return [mp.cos(k * mp.pi / n) for k in range(n + 1)]


CHEBYSHEV = {3: [0, -3, 0, 4], 4: [1, 0, -8, 0, 8], 5: [0, 5, 0, -20, 0, 16]}


def duffin_schaeffer():
    """One time in four a Chebyshev polynomial, with equality at the ends."""
    n, x = RNG.choice([3, 4]), number(-1, 1)
    a = [mp.mpf(c) / 8 for c in CHEBYSHEV[n]] if RNG.random() < 0.25 else [number(-1, 1) for _ in range(n + 1)]
    largest = max(abs(mp.polyval(a[::-1], v)) for v in extrema(n))
    return abs(mp.polyval([j * a[j] for j in range(n, 0, -1)], x)) - n**2 * largest


def monic():
    n = RNG.choice([3, 5])
    best = [mp.mpf(c) / 2 ** (n - 1) for c in CHEBYSHEV[n]]
    shift = RNG.choice([mp.mpf(0), mp.mpf(10) ** -RNG.uniform(1, 12), mp.mpf(2)])
    a = [b + shift * number(-1, 1) for b in best[:-1]]
    return mp.mpf(2) ** (1 - n) - max(abs(mp.polyval([1, *a[::-1]], v)) for v in extrema(n))


def gautschi():
    x, s = number("0.01", 100), number(0, 1)
    return x ** (1 - s) - mp.gamma(x + 1) / mp.gamma(x + s)


def mills():
    x = number(0, 50)
    return mp.exp(x * x) * mp.sqrt(mp.pi) / 2 * mp.erfc(x) - 1 / (x + mp.sqrt(x * x + 4 / mp.pi))


def bessel():
    """Half of the time next to where the peaks of x J_0(x)^2 are."""
    x = number(0, 200)
    x = (mp.floor(x / mp.pi) + mp.mpf(1) / 4) * mp.pi if RNG.random() < 0.5 else x
    return x * mp.besselj(0, x) ** 2 - 2 / mp.pi


def fejer():
    n, t = RNG.choice([2, 7]), number(-mp.pi, mp.pi)
    t = 2 * mp.pi * RNG.randint(1, n) / (n + 1) if RNG.random() < 0.3 else t
    kernel = 1 + 2 * sum((1 - mp.mpf(k) / (n + 1)) * mp.cos(k * t) for k in range(1, n + 1))
    square = mp.sin((n + 1) * t / 2) ** 2 - kernel * (n + 1) * mp.sin(t / 2) ** 2
    return max(-kernel, abs(square))


def gibbs():
    """Half of the time at a peak, t = (2 j - 1) pi / (n + 1)."""
    n, t = RNG.choice([5, 50]), number(0, mp.pi)
    t = (2 * RNG.randint(1, (n + 1) // 2) - 1) * mp.pi / (n + 1) if RNG.random() < 0.5 else t
    assert abs(mp.si(mp.pi) - mp.mpf("1.85193705198246617")) < mp.mpf(10) ** -17
    return sine_sum(t, n) - mp.mpf("1.85193705198246617")


def gauss_legendre():
    """All powers below 2 n; the nodes are the roots of the Legendre polynomial, by Rodrigues' coefficients."""
    worst = mp.mpf(0)
    for n in (3, 6):
        p = [mp.mpf(0)] * (n + 1)
        for k in range(n // 2 + 1):
            p[2 * k] = mp.mpf((-1) ** k * math.comb(n, k) * math.comb(2 * n - 2 * k, n)) / 2**n
        nodes = mp.polyroots(p, maxsteps=200, extraprec=200)
        slopes = [mp.polyval([(n - i) * c for i, c in enumerate(p[:-1])], x) for x in nodes]
        weights = [2 / ((1 - x * x) * d * d) for x, d in zip(nodes, slopes, strict=True)]
        rule = np.polynomial.legendre.leggauss(n)
        for ours, theirs in zip((nodes, weights), rule, strict=True):
            assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) < 1e-13
        for m in range(2 * n):
            worst = max(worst, abs(dot(weights, [x**m for x in nodes]) - mp.mpf(1 + (-1) ** m) / (m + 1)))
    return worst


def interpolation():
    """By divided differences."""
    n, x = RNG.choice([4, 6]), number(0, mp.pi)
    nodes = [mp.pi * k / (n - 1) for k in range(n)]
    table, value, product = [mp.sin(v) for v in nodes], mp.mpf(0), mp.mpf(1)
    for k in range(n):
        value += table[0] * product
        product *= x - nodes[k]
        table = [(table[i + 1] - table[i]) / (nodes[i + k + 1] - nodes[i]) for i in range(len(table) - 1)]
    return abs(mp.sin(x) - value) - abs(product) / mp.factorial(n)


def rk4_imaginary():
    y = number(-2 * mp.sqrt(2), 2 * mp.sqrt(2))
    return abs(runge_kutta(mp.mpc(0, y), 4)) - 1


def times_x(p):
    return [mp.mpf(0), *p]


def minus(p, q):
    return [a - b for a, b in itertools.zip_longest(p, q, fillvalue=mp.mpf(0))]


def square_mean(p):
    """The integral of p(x)^2 exp(-x^2)."""
    return sum(
        a * b * mp.gamma(mp.mpf(i + j + 1) / 2) for i, a in enumerate(p) for j, b in enumerate(p) if not i + j & 1
    )


def heisenberg():
    """f = P exp(-x^2/2) with the polynomial of the Hermite functions, f' = (P' - x P) exp(-x^2/2)."""
    c, hermite = sequence(4), [[mp.mpf(1)]]
    for k in range(3):
        slope = [(i + 1) * a for i, a in enumerate(hermite[k][1:])]
        hermite.append(minus([2 * a for a in times_x(hermite[k])], slope))
    p = [mp.mpf(0)] * 4
    for k, h in enumerate(hermite):
        size = mp.sqrt(2**k * mp.factorial(k) * mp.sqrt(mp.pi))
        p = minus(p, [-c[k] * a / size for a in h])
    slope = minus([(i + 1) * a for i, a in enumerate(p[1:])], times_x(p))
    assert abs(square_mean(p) - dot(c, c)) < mp.mpf(10) ** -40
    return dot(c, c) / 2 - mp.sqrt(square_mean(times_x(p)) * square_mean(slope))


def young():
    x, y, p = sequence(5), sequence(5), mp.mpf(4) / 3
    return norm(convolved(x, y)) - norm(x, p) * norm(y, p)


def hausdorff_young():
    x = complex_sequence(RNG.choice([4, 6]))
    return norm(dft(x), 4) - mp.mpf(len(x)) ** 0.25 * norm(x, mp.mpf(4) / 3)


def circulant():
    """By the power series of the matrix in 60 digits."""
    a = [number(-1, 1) for _ in range(3)]
    first = [a[0], a[1], a[2], a[2], a[1]]
    matrix = mp.matrix(5, 5)
    for i, j in itertools.product(range(5), repeat=2):
        matrix[i, j] = first[(i - j) % 5]
    with mp.workdps(60):
        power, total = mp.eye(5), mp.mpf(0)
        for k in range(90):
            total += sum(power[i, i] for i in range(5)) / mp.factorial(k)
            power = power * matrix
        return abs(total - sum(mp.exp(v.real) for v in dft(first)))


def condition():
    """In 200 digits, as many of the matrices are nearly singular; singular ones are left out."""
    with mp.workdps(200):
        a = mp.matrix([[number(-1, 1) for _ in range(3)] for _ in range(3)])
        if RNG.random() < 0.2:
            a = mp.diag([number(-1, 1) for _ in range(3)])
        if mp.det(a) == 0:
            return mp.mpf(-1)
        b, e = (mp.matrix(sequence(3)) for _ in range(2))
        inverse = mp.inverse(a)
        x, y = inverse * b, inverse * (b + e)
        s = list(mp.svd_r(a, compute_uv=False))
        return mp.norm(y - x) * mp.norm(b) - max(s) / min(s) * mp.norm(e) * mp.norm(x)


def bernstein():
    """Half of the time the worst function, |v - x|."""
    n, x = RNG.choice([3, 6]), number(0, 1)
    places = sorted({*(mp.mpf(k) / n for k in range(n + 1)), x})
    f = {places[0]: number(-1, 1)}
    for a, b in itertools.pairwise(places):
        f[b] = f[a] + (b - a) * number(-1, 1)
    if RNG.random() < 0.5:
        f = {v: abs(v - x) for v in places}
    mean = sum(math.comb(n, k) * x**k * (1 - x) ** (n - k) * f[mp.mpf(k) / n] for k in range(n + 1))
    return abs(mean - f[x]) - mp.sqrt(x * (1 - x) / n)


def wallis():
    """All there are."""
    return max(exact(Fraction(math.comb(2 * n, n), 4**n)) - 1 / mp.sqrt(mp.pi * (n + 0.25)) for n in range(501))


def stratified():
    """The error is the mean of (2 i v + v^2) / n^2, v uniform, over i < n; its variance is (n^3/9 - n/45) / n^6."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    v, dv = (nodes + 1) / 2, weights / 2

    def deviation(n):
        scale = math.sqrt(n**3 / 9 - n / 45)

        def transform(t):
            product = np.ones(len(t), dtype=complex)
            for i in range(n):
                product *= np.exp(1j * t[:, None] / scale * (2 * i * v + v * v - i - 1 / 3)) @ dv
            return product.real

        return mp.mpf(mean_deviation(transform) * scale / n**3)

    return off([4, 8, 16, 32, 64, 128], deviation, mp.mpf("-1.5"))


def nikolskii():
    n, t = RNG.choice([4, 8, 16, 32, 64]), number(0, mp.pi)
    c = [mp.cos(k * t) for k in range(n)] if RNG.random() < 0.3 else sequence(n)
    return abs(dot(c, [mp.cos(k * t) for k in range(n)])) - mp.sqrt(n) * norm(c)


def salem_zygmund():
    """|X_k| is largest at the signs of cos(2 pi j k / n - phi), which change at multiples of pi / n.

    By that only X_0 and X_(n/2) can exceed the bound, and each has the law of a sum of signs.
    """
    excess = []
    for n in (8, 32):
        bound, chance = math.sqrt(4 * n * math.log(40 * n)), Fraction(0)
        for k in range(n):
            turns = np.exp(-2j * math.pi * k * np.arange(n) / n)
            halves = np.exp(1j * math.pi * (np.arange(2 * n) + 0.5) / n)
            signs = np.sign((turns * halves[:, None]).real)
            if np.abs(signs @ turns).max() > bound:
                assert k in (0, n // 2)
                chance += sum(Fraction(math.comb(n, i), 2**n) for i in range(n + 1) if abs(n - 2 * i) > bound)
        excess.append(exact(chance) - mp.mpf("0.1"))
    return max(excess)


def random_phase():
    """Without the cut the mean is 16 + 240 |E exp(i u)|^2; the range of lhs - rhs is from -16 to 60."""
    turn = mp.quad(mp.expj, [0, mp.pi, 2 * mp.pi]) / (2 * mp.pi)
    return 240 * abs(turn) ** 2


TRUTHS = {
    "true-parseval": (parseval, 200),
    "true-convolution-theorem": (convolution, 200),
    "true-uncertainty-l1": (uncertainty, 400),
    "true-riesz-formula": (riesz, 200),
    "true-duffin-schaeffer": (duffin_schaeffer, 1000),
    "true-monic": (monic, 1000),
    "true-gautschi": (gautschi, 1000),
    "true-mills": (mills, 1000),
    "true-bessel-envelope": (bessel, 400),
    "true-periodic-sampling": (periodic_sampling, 200),
    "true-fejer-kernel": (fejer, 1000),
    "true-gibbs": (gibbs, 400),
    "true-gauss-legendre": (gauss_legendre, 1),
    "true-interpolation-error": (interpolation, 1000),
    "true-rk4-imaginary": (rk4_imaginary, 1000),
    "true-heisenberg": (heisenberg, 200),
    "true-young": (young, 1000),
    "true-hausdorff-young": (hausdorff_young, 1000),
    "true-circulant": (circulant, 40),
    "true-condition": (condition, 200),
    "true-bernstein-operator": (bernstein, 1000),
    "true-wallis": (wallis, 1),
    "true-stratified": (stratified, 1),
    "true-nikolskii": (nikolskii, 400),
    "true-salem-zygmund": (salem_zygmund, 1),
    "true-random-phase": (random_phase, 1),
}

if __name__ == "__main__":
    main("signals", EXACT, TRUTHS, (39, 26))
