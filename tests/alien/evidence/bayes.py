"""Recompute the evidence without the bodies: fractions, enumeration, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs. Where a probability is far from its bound, float64 decides.
"""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from optim import RNG, entropy_term, main, number, simplex
from shapes import exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def kl(p, q):
    """Infinite where q lacks what p has."""
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return mp.inf
    return sum(entropy_term(a, b) for a, b in zip(p, q, strict=True))


def apart(p, q):
    """The total variation."""
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def numbers(*texts):
    return [mp.mpf(text) for text in texts]


def ratio(low, high):
    """A fraction between two whole numbers, often a whole one."""
    return Fraction(RNG.randint(7 * low, 7 * high), 7) if RNG.random() < 0.7 else Fraction(RNG.randint(low, high))


def pair(n):
    """Two laws, sometimes near each other."""
    p, q = simplex(n), simplex(n)
    if RNG.random() < 0.4:
        near = mp.mpf(10) ** -RNG.randrange(1, 9)
        q = [(1 - near) * a + near * b for a, b in zip(p, q, strict=True)]
    return p, q


def kernel(a, b):
    return mp.exp(-((a - b) ** 2) / (2 * mp.mpf("0.09")))


def kernel_matrix(x):
    n = len(x)
    return mp.matrix([[kernel(x[i], x[j]) + (i == j) * mp.mpf("0.1") for j in range(n)] for i in range(n)])


def explained(x, z):
    """What noisy data at x take from the variance at z."""
    c = mp.matrix([kernel(v, z) for v in x])
    return (c.T * mp.lu_solve(kernel_matrix(x), c))[0]


def beta_variance(a, b):
    return a * b / ((a + b) ** 2 * (a + b + 1))


def two_points():
    x, y = numbers("0.3", "0.6")
    return explained([x, y], 0), explained([x], 0) + explained([y], 0)


def divergence_half(p, q):
    return -2 * mp.log(sum(mp.sqrt(a * b) for a, b in zip(p, q, strict=True)))


def stirling(n, extra):
    n = mp.mpf(n)
    return mp.log(2 * mp.pi * n) / 2 + n * mp.log(n) - n + 1 / (12 * n + extra)


CLOSE = (numbers("0.501", "0.499"), numbers("0.5", "0.5"))
FAR = (numbers("0.5", "0.5"), numbers("0.9", "0.1"))
EXACT = {
    "plain-variance-always-falls": (beta_variance(Fraction(8), Fraction(2)), beta_variance(Fraction(8), Fraction(1))),
    "subtle-gp-variances-add": two_points(),
    "plain-pinsker-quarter": (apart(*CLOSE), mp.sqrt(kl(*CLOSE)) / 2),
    "subtle-pinsker-one-percent": (apart(*CLOSE), mp.mpf("0.99") * mp.sqrt(kl(*CLOSE) / 2)),
    "plain-chi2-below-kl": (mp.mpf(2), mp.log(3)),
    "plain-kl-below-renyi-half": (kl(*FAR), divergence_half(*FAR)),
    "plain-kl-symmetric": (kl(*FAR), kl(*FAR[::-1])),
    "plain-js-overshrinks": (5 + Fraction(64 - 48, 3), Fraction(5)),
    "subtle-js-six-three": (5 + (Fraction(63, 10) ** 2 - 6 * Fraction(63, 10)) / 3, Fraction(5)),
    "subtle-beta-third-rule": (Fraction(17, 19) ** 6, Fraction(1, 2)),
    "subtle-kl-uniform-at-five": (mp.log(5), mp.mpf("1.5")),
    "subtle-robbins-at-one": (stirling(1, mp.mpf("0.3")), mp.mpf(0)),
}


def posterior_mean():
    n, a, b = RNG.choice([1, 5, 20]), ratio(1, 10), ratio(1, 10)
    k = RNG.randint(0, n)
    weight = (a + b) / (a + b + n)
    return exact(abs((a + k) / (a + b + n) - weight * a / (a + b) - (1 - weight) * Fraction(k, n)))


def posterior_variance():
    n, a, b = RNG.choice([1, 4]), number("0.1", 10), number("0.1", 10)
    mass = [math.comb(n, k) * mp.beta(k + a, n - k + b) / mp.beta(a, b) for k in range(n + 1)]
    assert abs(sum(mass) - 1) < mp.mpf(10) ** -40
    return dot(mass, [beta_variance(a + k, b + n - k) for k in range(n + 1)]) - beta_variance(a, b)


def places(n):
    """Of [0, 1], some the same."""
    x = [number(0, 1) for _ in range(n)]
    return [RNG.choice(x) if RNG.random() < 0.2 else v for v in x]


def process_variance():
    x, z = places(4), number(0, 1)
    return explained(x[:3], z) - explained(x, z)


def information_gain():
    x = places(3)
    total = mp.log(mp.det(kernel_matrix(x) * 10)) / 2
    return abs(total - sum(mp.log(1 + 10 * (1 - (explained(x[:i], x[i]) if i else 0))) for i in range(3)) / 2)


def donsker_varadhan():
    """Half of the time at the law where both sides are equal."""
    p, f = simplex(4), [number(-5, 5) for _ in range(4)]
    tilted = [a * mp.exp(b) for a, b in zip(p, f, strict=True)]
    q = [v / sum(tilted) for v in tilted] if RNG.random() < 0.5 else simplex(4)
    far = kl(q, p)
    return dot(q, f) - far - mp.log(sum(tilted)) if mp.isfinite(far) else mp.mpf(-1)


def pinsker():
    p, q = pair(3)
    far = kl(p, q)
    return apart(p, q) ** 2 - far / 2 if mp.isfinite(far) else mp.mpf(-1)


def bretagnolle_huber():
    p, q = pair(3)
    far = kl(p, q)
    return apart(p, q) ** 2 - 1 + (mp.exp(-far) if mp.isfinite(far) else 0)


def log_chi():
    p, q = pair(3)
    far = kl(p, q)
    return far - mp.log(sum(a * a / b for a, b in zip(p, q, strict=True) if a)) if mp.isfinite(far) else mp.mpf(-1)


def renyi(p, q, order):
    if order > 1 and not mp.isfinite(kl(p, q)):
        return mp.inf
    total = sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True) if a and b)
    return mp.log(total) / (order - 1) if total else mp.inf


def renyi_monotone():
    p, q = pair(3)
    low, high = renyi(p, q, number("0.2", "0.9")), renyi(p, q, number("1.1", 3))
    return low - high if mp.isfinite(high) else mp.mpf(-1)


def log_ratio(a, b):
    """a log(a / b), 0 at a = 0."""
    return np.where(a > 0, a * np.log(np.where(a > 0, a, 1) / np.maximum(b, 1e-300)), 0)


def coin_divergence(a, p):
    return log_ratio(a, p) + log_ratio(1 - a, 1 - p)


def maurer():
    """All counts of heads, and 201 mixtures of the two hypotheses."""
    n, p = 30, [float(number(0, 1)) for _ in range(2)]
    k, q = np.arange(n + 1), np.linspace(0, 1, 201)
    ways = np.array([math.comb(n, i) for i in k])
    mass = np.multiply.outer(*(ways * v**k * (1 - v) ** (n - k) for v in p))
    empirical = (q[:, None, None] * k[:, None] + (1 - q)[:, None, None] * k) / n
    risk = (q * p[0] + (1 - q) * p[1])[:, None, None]
    cost = log_ratio(q, 0.5 + 0 * q) + log_ratio(1 - q, 0.5 + 0 * q)
    worst = (n * coin_divergence(np.minimum(empirical, 1), np.minimum(risk, 1)) - cost[:, None, None]).max(0)
    return float(mass[worst > math.log(2 * math.sqrt(n) / 0.05)].sum()) - 0.05


def divergence_moment():
    n, p = 10, number("0.05", "0.95")
    coin = [[mp.mpf(k) / n, 1 - mp.mpf(k) / n] for k in range(n + 1)]
    mass = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return dot(mass, [mp.exp(n * kl(c, [p, 1 - p])) for c in coin]) - 2 * mp.sqrt(n)


def brier():
    """The score, forecast by forecast and outcome by outcome."""
    f, n = [Fraction(RNG.randint(0, 8), 8) for _ in range(2)], [RNG.randint(1, 10) for _ in range(2)]
    k = [RNG.randint(0, m) for m in n]
    score = [(f[i] - (j < k[i])) ** 2 for i in range(2) for j in range(n[i])]
    total, base = sum(n), Fraction(sum(k), sum(n))
    parts = sum(n[i] * ((f[i] - Fraction(k[i], n[i])) ** 2 - (Fraction(k[i], n[i]) - base) ** 2) for i in range(2))
    return exact(abs(sum(score) / total - parts / total - base * (1 - base)))


def james_stein():
    """By Stein's identity, with the mean of 1 / |x|^2 as a mean over a Poisson number."""
    half = number(0, 9) / 2
    return -9 * mp.nsum(lambda j: mp.exp(-half) * half**j / mp.factorial(j) / (3 + 2 * j), [0, 120])


def beta_median():
    a, b = number("1.5", 3), number(4, 8)
    return mp.betainc(a, b, a / (a + b), 1, regularized=True) - mp.mpf(1) / 2


def iwae():
    w, x = simplex(3), [number("0.1", 5) for _ in range(3)]
    both = sum(w[i] * w[j] * mp.log((x[i] + x[j]) / 2) for i in range(3) for j in range(3))
    return dot(w, [mp.log(v) for v in x]) - both


def deviation(n):
    """The number of heads is uniform, the coin given it has a beta law, whose mean deviation is known."""
    total = mp.mpf(0)
    for k in range(n + 1):
        a, b = mp.mpf(k + 1), mp.mpf(n - k + 1)
        logs = a * mp.log(a) + b * mp.log(b) - (a + b + 1) * mp.log(a + b)
        total += 2 * mp.exp(logs + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b))
    return total / (n + 1)


def posterior_rate():
    return off([8, 16, 32, 64, 128, 256], deviation, mp.mpf("-0.5"))


def ville():
    """The probability to cross, by the number of heads so far; ties and near ties counted."""
    p, q = float(number("0.1", "0.9")), float(number("0.1", "0.9"))
    up, down = math.log(q / p), math.log((1 - q) / (1 - p))
    alive, crossed = {0: 1.0}, 0.0
    for t in range(1, 51):
        following: dict[int, float] = {}
        for k, mass in alive.items():
            for head in (0, 1):
                following[k + head] = following.get(k + head, 0.0) + mass * (p if head else 1 - p)
        over = [k for k in following if k * up + (t - k) * down > math.log(10) - 1e-9]
        crossed += sum(following.pop(k) for k in over)
        alive = following
    return crossed - 0.1


def gaussian():
    """Of any rank."""
    rank = RNG.randrange(1, 4)
    root = mp.matrix([[number(-1, 1) for _ in range(rank)] for _ in range(3)])
    s = root * root.T
    trace = s[0, 0] + s[1, 1] + s[2, 2]
    s = s * (2 / trace if trace else 0) + mp.eye(3) * mp.mpf("0.05")
    return mp.log(mp.det(s)) + 3 - s[0, 0] - s[1, 1] - s[2, 2]


def rotation():
    return mp.qr(mp.matrix([[mp.mpf(RNG.gauss(0, 1)) for _ in range(3)] for _ in range(3)]))[0]


def evidence_rotates():
    q, y, d = rotation(), mp.matrix([number(-1, 1) for _ in range(3)]), [number(0, 5) for _ in range(3)]
    z = q.T * y
    left = (y.T * mp.lu_solve(mp.eye(3) + q * mp.diag(d) * q.T, y))[0]
    return abs(left - sum(z[i] ** 2 / (1 + d[i]) for i in range(3)))


def ridge_trace():
    q = rotation()
    inverse = (mp.eye(3) + q * mp.diag([0, 1, 3]) * q.T) ** -1
    return abs(inverse[0, 0] + inverse[1, 1] + inverse[2, 2] - mp.mpf("1.75"))


def elliptical():
    """Often the same point again and again."""
    v, total, same = mp.eye(2), mp.mpf(0), RNG.random() < 0.4
    angle, length = number(0, 2 * mp.pi), number(0, 2)
    for _ in range(5):
        if not same:
            angle, length = number(0, 2 * mp.pi), number(0, 2)
        x = mp.matrix([length * mp.cos(angle), length * mp.sin(angle)])
        total += min(mp.mpf(1), (x.T * mp.lu_solve(v, x))[0])
        v += x * x.T
    return total - 2 * mp.log(mp.det(v))


def hellman_raviv():
    """Half of the time Z is a function of X, up to one place."""
    joint = simplex(6)
    if RNG.random() < 0.5:
        joint = [w * (i < 3 or i == 5) for i, w in enumerate(joint)]
        joint[0] += not any(joint)
        joint = [w / sum(joint) for w in joint]
    columns = [joint[i] + joint[i + 3] for i in range(3)]
    error = 1 - sum(max(joint[i], joint[i + 3]) for i in range(3))
    entropy = sum(entropy_term(v, 1) for v in columns) - sum(entropy_term(v, 1) for v in joint)
    return error - entropy / mp.log(2) / 2


def succession():
    """The printed digits, rounded."""
    table = {0: 83, 7: 667, 10: 917}
    return exact(max(abs(Fraction(s + 1, 12) - Fraction(v, 1000)) for s, v in table.items()) - Fraction(1, 2000))


def peierls():
    a = mp.matrix(3)
    for i in range(3):
        for j in range(i + 1):
            a[i, j] = a[j, i] = number(-1, 1) * (RNG.random() < 0.7 or i == j)
    values = mp.eigsy(a, eigvals_only=True)
    return sum(mp.exp(a[i, i]) for i in range(3)) - sum(map(mp.exp, values))


def jensen():
    """A maximum of affine functions plus a square."""
    w, curve = simplex(3), number(0, 2) * (RNG.random() < 0.5)
    x = [[number(-1, 1) for _ in range(2)] for _ in range(3)]
    pieces = [[number(-1, 1) for _ in range(3)] for _ in range(4)]

    def f(v):
        return max(dot(piece[:2], v) + piece[2] for piece in pieces) + curve * dot(v, v)

    return f([dot(w, column) for column in zip(*x, strict=True)]) - dot(w, [f(v) for v in x])


def robbins():
    return max(stirling(n, 1) - mp.loggamma(n + 1) for n in range(1, 1001))


TRUTHS = {
    "true-posterior-mean-shrinks": (posterior_mean, 1000),
    "true-expected-posterior-variance": (posterior_variance, 200),
    "true-gp-variance-falls": (process_variance, 200),
    "true-gp-information-gain": (information_gain, 200),
    "true-donsker-varadhan": (donsker_varadhan, 400),
    "true-pinsker": (pinsker, 1000),
    "true-bretagnolle-huber": (bretagnolle_huber, 1000),
    "true-kl-log-chi2": (log_chi, 1000),
    "true-renyi-monotone": (renyi_monotone, 1000),
    "true-maurer": (maurer, 40),
    "true-kl-moment": (divergence_moment, 100),
    "true-brier-decomposition": (brier, 400),
    "true-james-stein": (james_stein, 40),
    "true-beta-median": (beta_median, 100),
    "true-iwae": (iwae, 400),
    "true-posterior-mean-rate": (posterior_rate, 1),
    "true-ville": (ville, 200),
    "true-gaussian-kl": (gaussian, 400),
    "true-evidence-rotates": (evidence_rotates, 200),
    "true-ridge-trace": (ridge_trace, 100),
    "true-elliptical-potential": (elliptical, 400),
    "true-hellman-raviv": (hellman_raviv, 1000),
    "true-succession-table": (succession, 1),
    "true-peierls": (peierls, 200),
    "true-jensen-posterior": (jensen, 400),
    "true-robbins": (robbins, 1),
}

if __name__ == "__main__":
    main("bayes", EXACT, TRUTHS, (38, 26))
