"""Recompute the evidence without the bodies: fractions, enumeration, quadrature, closed forms, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs, or at all there are.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, entropy_term, main, number, simplex
from shapes import MARGIN, disc, exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def length(x):
    return mp.sqrt(sum(a * a for a in x))


def spectral_radius(m):
    """Of two rows."""
    (a, b), (c, d) = m
    root = mp.sqrt(mp.mpc((a - d) ** 2 + 4 * b * c))
    return max(abs(a + d + root), abs(a + d - root)) / 2


def product(a, b):
    return [[dot(row, column) for column in zip(*b, strict=True)] for row in a]


def nilpotent():
    first, second = [[0, 1], [0, 0]], [[0, 0], [1, 0]]
    return spectral_radius(product(second, first)), spectral_radius(second) * spectral_radius(first)


def inverse_chi_square(k):
    """E 1 / chi-square with k degrees of freedom, by the density."""
    scale = mp.mpf(2) ** (mp.mpf(k) / 2) * mp.gamma(mp.mpf(k) / 2)
    return mp.quad(lambda x: x ** (mp.mpf(k) / 2 - 2) * mp.exp(-x / 2), [0, 1, 10, 100, mp.inf]) / scale


def inverse_trace(p):
    """An entry of the diagonal of (X X')^-1 is 1 over the squared distance of a row from the line of the other one."""
    return 2 * inverse_chi_square(p - 1)


def denoiser():
    """Atoms -1 and 1 of the same weight."""

    def mean(y):
        up, down = mp.exp(-2 * (1 - y) ** 2), mp.exp(-2 * (1 + y) ** 2)
        return (up - down) / (up + down)

    tenth = mp.mpf(1) / 10
    return mean(tenth) - mean(-tenth), 2 * tenth


def swish(x):
    return x / (1 + mp.exp(-x))


def transport():
    x, y = (0, Fraction(1, 2), 1), (Fraction(1, 2), 1, 1)
    return tuple(sum(mp.sqrt(exact(abs(a - b))) for a, b in zip(x, z, strict=True)) for z in (y, (y[1], y[0], y[2])))


def chi_square_off(m, e):
    """P(|chi-square_m / m - 1| >= e)."""
    half = mp.mpf(m) / 2
    below = mp.gammainc(half, 0, half * (1 - e), regularized=True) if e < 1 else 0
    return below + mp.gammainc(half, half * (1 + e), mp.inf, regularized=True)


def bloom():
    """All places of the two hashes of the key that is stored and of one that is not."""
    places = list(itertools.product(range(4), repeat=4))
    hits = sum(h[2] in h[:2] and h[3] in h[:2] for h in places)
    return Fraction(hits, len(places)), (1 - Fraction(3, 4) ** 2) ** 2


def icosahedron():
    """Unnormed, with squared length 1 + phi^2."""
    phi = (1 + mp.sqrt(5)) / 2
    lines = [(0, 1, phi), (0, 1, -phi), (1, phi, 0), (1, -phi, 0), (phi, 0, 1), (-phi, 0, 1)]
    return mp.mpf("0.45"), max(abs(dot(a, b)) for a, b in itertools.combinations(lines, 2)) / (1 + phi**2)


def collisions(x, y, least):
    return sum((a * x + b) % 17 % 4 == (a * y + b) % 17 % 4 for a in range(least, 17) for b in range(17))


def gelu():
    x = mp.mpf("2.27")
    return abs(x * mp.ncdf(x) - x / (1 + mp.exp(-mp.mpf("1.702") * x))), mp.mpf("0.0202")


def lebesgue():
    """The means over 40000 midpoints, within one in a thousand of Fejer's closed form of the integrals."""
    grid, points = (4, 16, 64, 256, 1024), 40000
    t = [(2 * j + 1) * mp.pi / points for j in range(points // 2)]  # the other half mirrors it
    half = [mp.sin(x / 2) for x in t]
    means = [sum(abs(mp.sin((n + 0.5) * x)) / s for x, s in zip(t, half, strict=True)) / len(t) for n in grid]
    for n, mean in zip(grid, means, strict=True):
        size = 2 * n + 1
        closed = mp.mpf(1) / size + 2 / mp.pi * sum(mp.tan(mp.pi * k / size) / k for k in range(1, n + 1))
        assert abs(mean / closed - 1) < mp.mpf("0.001")
    return means


EXACT = {
    "plain-spectral-radius": nilpotent(),
    "subtle-kahane": (mp.mpf("0.71") * mp.sqrt(2), mp.mpf(sum(abs(a + b) for a in (-1, 1) for b in (-1, 1))) / 4),
    "plain-ridgeless": (inverse_trace(8), mp.mpf(2) / 6),
    "plain-denoiser": denoiser(),
    "plain-swish-variance": ((swish(mp.mpf(3)) - swish(mp.mpf(2))) ** 2 / 4, mp.mpf(1) / 4),
    "plain-concave-transport": transport(),
    "plain-jl": (chi_square_off(20, mp.mpf(3) / 4), 2 * mp.exp(-20 * (mp.mpf(3) / 4) ** 2 / 2)),
    "plain-bloom": bloom(),
    "subtle-six-lines": icosahedron(),
    "subtle-hash-with-zero": (Fraction(collisions(0, 1, 0), 289), Fraction(1, 4)),
    "subtle-gelu-sigmoid": gelu(),
    "plain-lebesgue": lebesgue(),
}


def softmax_lipschitz():
    """Half of the time close to 0 along the difference of two entries, where the slope is nearly 1/2."""
    x, y = [number(-10, 10) for _ in range(4)], [number(-10, 10) for _ in range(4)]
    if RNG.random() < 0.5:
        h = mp.mpf(10) ** -RNG.randrange(1, 9)
        x, y = [h, -h, mp.mpf(-10), mp.mpf(-10)], [-h, h, mp.mpf(-10), mp.mpf(-10)]

    def softmax(z):
        w = [mp.exp(a) for a in z]
        return [a / sum(w) for a in w]

    def distance(a, b):
        return length([s - t for s, t in zip(a, b, strict=True)])

    return distance(softmax(x), softmax(y)) - distance(x, y) / 2


def closed_form(t):
    """Of the arc-cosine kernel, degree one."""
    return (mp.sin(t) + (mp.pi - t) * mp.cos(t)) / mp.pi


def arc_cosine():
    """By the angle of w, of which |w|^2 with the mean 2 is independent."""
    t = number(0, mp.pi)
    found = mp.quad(lambda u: mp.cos(u) * mp.cos(u - t), [t - mp.pi / 2, mp.pi / 2]) / mp.pi
    return abs(found - closed_form(t) / 2)


def arc_cosine_psd():
    """Some points are the same, or opposite."""
    u = [number(0, 2 * mp.pi) if RNG.random() < 0.6 else RNG.randrange(4) * mp.pi / 2 for _ in range(4)]
    angles = [[abs(a - b) for b in u] for a in u]
    kernel = mp.matrix([[closed_form(min(x, 2 * mp.pi - x)) for x in row] for row in angles])
    return -min(mp.eigsy(kernel, eigvals_only=True))


def he_concentration():
    """Given the number k of the active neurons the sum is chi-square; E |X - c| = 2 E (X - c)_+, as E X = c = n / 2."""

    def deviation(n):
        c, mean = mp.mpf(n) / 2, mp.mpf(0)
        for k in range(1, n + 1):
            beyond = [mp.gammainc(mp.mpf(k) / 2 + i, c / 2, mp.inf, regularized=True) for i in (1, 0)]
            mean += math.comb(n, k) * (k * beyond[0] - c * beyond[1]) / mp.mpf(2) ** n
        return 4 * mean / n

    with mp.workdps(20):
        return off([16, 256, 512], deviation, mp.mpf(-1) / 2)


def dropout():
    x, w = [number(-1, 1) for _ in range(4)], [number(-1, 1) for _ in range(4)]
    y, p, left = number(-1, 1), number("0.1", 1), mp.mpf(0)
    for kept in itertools.product((0, 1), repeat=4):
        output = sum(a * b for a, b, k in zip(x, w, kept, strict=True) if k) / p
        left += p ** sum(kept) * (1 - p) ** (4 - sum(kept)) * (y - output) ** 2
    penalty = (1 - p) / p * sum((a * b) ** 2 for a, b in zip(x, w, strict=True))
    return abs(left - (y - dot(x, w)) ** 2 - penalty)


def kahane():
    """Two of the same length are the case of equality."""
    x = [disc() for _ in range(6)]
    if RNG.random() < 0.3:
        x = [x[0], x[0] * RNG.choice([1, -1]), *[mp.mpc(0)] * 4]
    mean = sum(abs(dot(signs, x)) for signs in itertools.product((-1, 1), repeat=6)) / 64
    return mp.sqrt(sum(abs(z) ** 2 for z in x) / 2) - mean


def ridgeless_table():
    """The printed digits, rounded."""
    printed = {6: "0.667", 8: "0.400", 12: "0.222"}
    assert all(abs(inverse_trace(p) - mp.mpf(2) / (p - 3)) < mp.mpf(10) ** -20 for p in printed)
    return max(abs(mp.mpf(2) / (p - 3) - mp.mpf(digits)) for p, digits in printed.items()) - mp.mpf("0.0005")


def heavy_ball():
    """In 120 digits: a nearly double root has half of them."""
    with mp.workdps(120):
        beta = number(0, 1)
        c = number(0, 2 * (1 + beta)) if RNG.random() < 0.6 else (1 - mp.sqrt(beta)) ** 2
        return spectral_radius([[1 + beta - c, -beta], [mp.mpf(1), mp.mpf(0)]]) - 1


def hwi():
    m, s = number(-3, 3), number("0.01", 10)
    if RNG.random() < 0.4:
        m, s = RNG.choice([m, mp.mpf(0)]), 1 + mp.mpf(10) ** -RNG.randrange(2, 9) * RNG.choice([-1, 0, 1])
    square = m**2 + (s - 1) ** 2
    return (s**2 + m**2 - 1) / 2 - mp.log(s) - mp.sqrt(square * (m**2 + (s - 1 / s) ** 2)) + square / 2


def tweedie():
    """The slope of log p by differences, in 90 digits."""
    with mp.workdps(90):
        atoms, w, s, y = [number(-1, 1) for _ in range(3)], simplex(3), number("0.3", 2), number(-3, 3)

        def masses(at):
            return [a * mp.exp(-((at - x) ** 2) / (2 * s * s)) for a, x in zip(w, atoms, strict=True)]

        h = mp.mpf(10) ** -25
        slope = (mp.log(sum(masses(y + h))) - mp.log(sum(masses(y - h)))) / (2 * h)
        return abs(dot(masses(y), atoms) / sum(masses(y)) - y - s * s * slope)


def covariance_within():
    """The worst w has w_1 w_2 = 1/2, and then the left side is |mean of 20 signs|."""
    n, delta = 20, mp.mpf(1) / 20
    slack = mp.sqrt(2 * mp.log(2 / delta) / n)
    return exact(sum(Fraction(math.comb(n, k), 2**n) for k in range(n + 1) if abs(2 * k - n) > n * slack)) - delta


def relu_variance():
    atoms, w = [number(-1, 1) for _ in range(3)], simplex(3)
    if RNG.random() < 0.3:
        atoms = [abs(x) for x in atoms]

    def variance(x):
        mean = dot(w, x)
        return dot(w, [(a - mean) ** 2 for a in x])

    return variance([max(x, mp.mpf(0)) for x in atoms]) - variance(atoms)


def gradient_flow():
    """No slower than 1/t: over the grid and over its last step."""

    def loss(t):
        return sum(mp.exp(-mp.mpf(t) / i) / (i * i) for i in range(1, 20001))

    with mp.workdps(15):
        values = [loss(t) for t in (8, 256, 512)]
    slopes = [mp.log(values[2] / v) / mp.log(mp.mpf(512) / t) for t, v in ((8, values[0]), (256, values[1]))]
    return max(slopes) + 1 - MARGIN


def sorted_transport():
    """All orders."""
    x, y = [number(-1, 1) for _ in range(5)], [number(-1, 1) for _ in range(5)]
    if RNG.random() < 0.3:
        x, y = [RNG.choice(x[:2]) for _ in range(5)], [RNG.choice(y[:3]) for _ in range(5)]
    costs = [sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) for z in itertools.permutations(y)]
    return sum((a - b) ** 2 for a, b in zip(sorted(x), sorted(y), strict=True)) - min(costs)


def infonce():
    p, f = simplex(4), [[number(-3, 3) for _ in range(2)] for _ in range(2)]
    p = [p[:2], p[2:]]
    if RNG.random() < 0.3:
        a, b = simplex(2), simplex(2)
        p, f = [[x * y for y in b] for x in a], [[x, x] for x, _ in f]
    px, py = [sum(row) for row in p], [sum(column) for column in zip(*p, strict=True)]
    pairs = list(itertools.product(range(2), repeat=2))
    information = sum(entropy_term(p[i][j], px[i] * py[j]) for i, j in pairs if p[i][j])
    mean = mp.mpf(0)
    for (i, j), k in itertools.product(pairs, range(2)):
        mean += p[i][j] * py[k] * (f[i][j] - mp.log((mp.exp(f[i][j]) + mp.exp(f[i][k])) / 2))
    return mean - information


def rounding():
    x, step = number(-(10**6), 10**6), RNG.choice([mp.mpf(1) / 10, mp.mpf(1) / 4])
    if RNG.random() < 0.3:
        x = (RNG.randrange(-9999, 9999) + mp.mpf(1) / 2) * step
    return abs(x - step * mp.nint(x / step)) - step / 2


def johnson_lindenstrauss():
    e = number("0.1", 1)
    return chi_square_off(20, e) - 2 * mp.exp(-20 * (e**2 - e**3) / 4)


def simhash():
    """The arcs of g between its four zeros with x and y, in 120 digits, of which an angle near 0 or pi has half."""
    with mp.workdps(120):
        a, b = number(0, 2 * mp.pi), number(0, 2 * mp.pi)
        b = a + RNG.choice([0, 1]) * mp.pi if RNG.random() < 0.2 else b
        zeros = sorted((angle + k * mp.pi / 2) % (2 * mp.pi) for angle in (a, b) for k in (1, 3))
        apart = mp.mpf(0)
        for low, high in zip(zeros, [*zeros[1:], zeros[0] + 2 * mp.pi], strict=True):
            middle = (low + high) / 2
            if mp.cos(middle - a) * mp.cos(middle - b) < 0:
                apart += (high - low) / (2 * mp.pi)
        cosine = mp.cos(a) * mp.cos(b) + mp.sin(a) * mp.sin(b)
        return apart - mp.acos(max(min(cosine, mp.mpf(1)), mp.mpf(-1))) / mp.pi


def count_sketch():
    """All buckets and signs; the first bucket is 0 without loss of generality."""
    x, mean = [number(-1, 1) / 2 for _ in range(4)], mp.mpf(0)
    for bucket in itertools.product((0, 1), repeat=3):
        for sign in itertools.product((-1, 1), repeat=4):
            total = sum(s * a for s, a, b in zip(sign, x, (0, *bucket), strict=True) if b == 0)
            mean += (sign[0] * total - x[0]) ** 2 / 128
    return abs(mean - sum(a * a for a in x[1:]) / 2)


def welch():
    """A tetrahedron of the Bloch sphere attains the bound."""
    z = [[disc() + mp.mpf(10) ** -9, disc()] for _ in range(4)]
    if RNG.random() < 0.3:
        turn, third = mp.expjpi(2 * number(0, 1)), 1 / mp.sqrt(3)
        z = [[turn, 0], *([turn * third, mp.sqrt(2) * third * mp.expjpi(mp.mpf(2 * k) / 3)] for k in range(3))]
    z = [[c / mp.sqrt(sum(abs(a) ** 2 for a in x)) for c in x] for x in z]
    coherence = [abs(sum(a * mp.conj(b) for a, b in zip(x, y, strict=True))) for x, y in itertools.combinations(z, 2)]
    return 1 / mp.sqrt(3) - max(coherence)


def roots_of_unity():
    """For all m."""
    a = number(-mp.pi, mp.pi)
    worst = mp.mpf(0)
    for m in range(41):
        mean = (mp.expj(a) * sum(mp.expjpi(mp.mpf(m * k % 8) / 4) for k in range(8))).real / 8
        worst = max(worst, abs(mean - (mp.cos(a) if m % 8 == 0 else 0)))
    return worst


def carter_wegman():
    """All pairs of keys."""
    found = {collisions(x, y, 1) for x, y in itertools.permutations(range(17), 2)}
    assert found == {56}
    return exact(Fraction(56, 272) - Fraction(1, 4))


def gautschi():
    with mp.workdps(80):
        x, s = mp.mpf(10) ** number(-3, 6), number(0, 1)
        return x ** (1 - s) - mp.exp(mp.loggamma(x + 1) - mp.loggamma(x + s))


TRUTHS = {
    "true-softmax-lipschitz": (softmax_lipschitz, 400),
    "true-arc-cosine": (arc_cosine, 20),
    "true-arc-cosine-psd": (arc_cosine_psd, 60),
    "true-he-concentration": (he_concentration, 1),
    "true-dropout-penalty": (dropout, 200),
    "true-kahane": (kahane, 200),
    "true-ridgeless-table": (ridgeless_table, 1),
    "true-heavy-ball-radius": (heavy_ball, 400),
    "true-hwi": (hwi, 400),
    "true-tweedie": (tweedie, 100),
    "true-covariance-within": (covariance_within, 1),
    "true-relu-variance": (relu_variance, 400),
    "true-gradient-flow": (gradient_flow, 1),
    "true-sorted-transport": (sorted_transport, 60),
    "true-infonce": (infonce, 400),
    "true-rounding-error": (rounding, 400),
    "true-jl": (johnson_lindenstrauss, 100),
    "true-simhash": (simhash, 200),
    "true-count-sketch": (count_sketch, 40),
    "true-welch-complex": (welch, 200),
    "true-roots-of-unity": (roots_of_unity, 10),
    "true-carter-wegman": (carter_wegman, 1),
    "true-gautschi": (gautschi, 100),
}

if __name__ == "__main__":
    main("networks", EXACT, TRUTHS, (35, 23))
