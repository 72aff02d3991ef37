"""The truths of dynamic programming and control among those of `agents.py`, which runs them: 50 digits, fractions."""

import itertools
from fractions import Fraction

import mpmath as mp
from optim import RNG, number, simplex
from shapes import disc, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def largest_gap(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def value(rows, rewards, g):
    """V = r + g P V."""
    size = len(rewards)
    system = mp.matrix([[(i == j) - g * rows[i][j] for j in range(size)] for i in range(size)])
    return list(mp.lu_solve(system, mp.matrix(rewards)))


def bellman():
    p, g = [[simplex(3) for _ in range(2)] for _ in range(3)], number(0, 1)
    r, v = [[number(-1, 1) for _ in range(2)] for _ in range(3)], [number(-10, 10) for _ in range(3)]
    shift = number(-10, 10)
    w = [x + shift for x in v] if RNG.random() < 0.3 else [number(-10, 10) for _ in range(3)]

    def operator(x):
        return [max(r[s][a] + g * dot(p[s][a], x) for a in range(2)) for s in range(3)]

    return largest_gap(operator(v), operator(w)) - g * largest_gap(v, w)


def mellowmax():
    x, omega, shift = [number(-1, 1) for _ in range(5)], number("0.05", 50), number(-1, 1)
    y = [a + shift for a in x] if RNG.random() < 0.3 else [number(-1, 1) for _ in range(5)]

    def operator(z):
        return mp.log(sum(mp.exp(omega * a) for a in z) / 5) / omega

    return abs(operator(x) - operator(y)) - largest_gap(x, y)


def simulation_lemma():
    """Half of the time, two rows differ by e alone: from the state of reward 1 some mass leaves for one of reward 0."""
    g, e = number(0, "0.95"), number(0, 1)
    p, q, r = [simplex(3) for _ in range(3)], [simplex(3) for _ in range(3)], [number(0, 1) for _ in range(3)]
    if RNG.random() < 0.5:
        p, q, r = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1 - e, e, 0], [0, 1, 0], [0, 0, 1]], [mp.mpf(1), 0, 0]
    far = max(sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2 for a, b in zip(p, q, strict=True))
    return largest_gap(value(p, r, g), value(q, r, g)) - g * far / ((1 - g) * (1 - g * (1 - far)))


def performance_difference():
    """The discounted visits are summed up by V' for the reward 1 in one state and 0 elsewhere."""
    p, g, mu = [[simplex(3) for _ in range(2)] for _ in range(3)], number(0, "0.9"), simplex(3)
    r = [[number(-1, 1) for _ in range(2)] for _ in range(3)]
    old, new = [simplex(2) for _ in range(3)], [simplex(2) for _ in range(3)]

    def chain(policy):
        return [[dot(w, [p[s][a][j] for a in range(2)]) for j in range(3)] for s, w in enumerate(policy)]

    def worth(policy, rewards):
        return value(chain(policy), rewards, g)

    v = worth(old, [dot(w, x) for w, x in zip(old, r, strict=True)])
    w = worth(new, [dot(w, x) for w, x in zip(new, r, strict=True)])
    visits = [dot(mu, worth(new, [mp.mpf(int(i == s)) for i in range(3)])) for s in range(3)]
    gains = [dot(new[s], [r[s][a] + g * dot(p[s][a], v) for a in range(2)]) - v[s] for s in range(3)]
    return abs(dot(mu, [b - a for a, b in zip(v, w, strict=True)]) - dot(visits, gains))


def greedy_loss():
    """Of all policies that are greedy for v, ties included."""
    p, g = [[simplex(2) for _ in range(2)] for _ in range(2)], number(0, "0.9")
    r, v = [[number(-1, 1) for _ in range(2)] for _ in range(2)], [number(-1, 1) for _ in range(2)]
    if RNG.random() < 0.3:  # nearly the case of equality, in which both actions of the first state are as good
        p, r, v = [[[0, 1], [1, 0]], [[0, 1], [0, 1]]], [[0, -2 * g], [0, 0]], [mp.mpf(1), mp.mpf(-1)]
    q = [[r[s][a] + g * dot(p[s][a], v) for a in range(2)] for s in range(2)]
    policies = list(itertools.product(range(2), repeat=2))
    values = {f: value([p[s][f[s]] for s in range(2)], [r[s][f[s]] for s in range(2)], g) for f in policies}
    best = [max(x[s] for x in values.values()) for s in range(2)]
    greedy = [f for f in policies if all(q[s][f[s]] >= max(q[s]) - mp.mpf(10) ** -45 for s in range(2))]
    return max(largest_gap(best, values[f]) for f in greedy) - 2 * g * largest_gap(v, best) / (1 - g)


def effective_horizon():
    g = number(0, "0.999")
    e = max(mp.exp(-RNG.randrange(7) * (1 - g)), mp.mpf("0.001")) if RNG.random() < 0.3 else number("0.001", 1)
    return g ** mp.ceil(mp.log(1 / e) / (1 - g)) - e


def riccati_contraction():
    """Not where a and q are both 0, and with them f."""
    a, r, q = number(-2, 2), number("0.01", 10), number(0, 10)
    if q and RNG.random() < 0.1:
        a = mp.mpf(0)
    p, s = (mp.mpf(10) ** number(-3, 3) for _ in range(2))

    def logarithm(x):
        return mp.log(a**2 * x * r / (x + r) + q)

    return abs(logarithm(p) - logarithm(s)) - abs(mp.log(p) - mp.log(s))


def covariance(size):
    """A positive semidefinite matrix of any rank."""
    rank = RNG.randrange(1, size + 1)
    b = mp.matrix([[number(-1, 1) for _ in range(rank)] for _ in range(size)])
    return b * b.T


def lyapunov_norm():
    """By the series; a multiple of an orthogonal matrix attains the bound for Q = 1."""
    a, q = mp.matrix([[number(-1, 1) for _ in range(3)] for _ in range(3)]), covariance(3)
    if RNG.random() < 0.2:
        a, q = mp.matrix([[0, 1, 0], [0, 0, 1], [-1, 0, 0]]), mp.eye(3)
    size = mp.sqrt(sum(x * x for x in a))
    a = a * (mp.mpf("0.95") * (1 if RNG.random() < 0.5 else number(0, 1)) / (size or 1))
    x, power = q, a
    while max(abs(entry) for entry in power) > mp.mpf(10) ** -60:  # X_2k = X_k + A^k X_k A'^k
        x, power = x + power * x * power.T, power * power

    def largest(m):
        return max(mp.eigsy(m, eigvals_only=True))

    return largest(x) - largest(q) / (1 - largest(a.T * a))


def form(m, x, y):
    return (x.T * m * y)[0]


def riccati_optimal():
    """Half of the time at the best control, where both sides are equal."""
    a, b = mp.matrix([[number(-1, 1) for _ in range(2)] for _ in range(2)]), mp.matrix([number(-1, 1), number(-1, 1)])
    p, q, z = covariance(2), covariance(2), disc()
    x, u = mp.matrix([z.real, z.imag]), number(-2, 2)
    y, price = a * x, 1 + form(p, b, b)
    u = -form(p, b, y) / price if RNG.random() < 0.5 else u
    step = q + a.T * p * a - a.T * p * b * b.T * p * a / price
    return form(step, x, x) - form(q, x, x) - u**2 - form(p, y + u * b, y + u * b)


def joseph_form():
    p, c, r = covariance(2), mp.matrix([number(-1, 1), number(-1, 1)]), number("0.01", 1)
    gain = p * c / (form(p, c, c) + r)
    keep = mp.eye(2) - gain * c.T
    u, v = (mp.matrix([mp.cos(t), mp.sin(t)]) for t in (number(0, 7), number(0, 7)))
    return abs(form(keep * p * keep.T + r * gain * gain.T, u, v) - form(keep * p, u, v))


def garbling():
    prior, seen, garble = simplex(3), [simplex(3) for _ in range(3)], [simplex(2) for _ in range(3)]
    utility = [[number(-1, 1) for _ in range(2)] for _ in range(3)]

    def worth(experiment):
        """Of the best act after each signal."""
        return sum(
            max(sum(prior[s] * experiment[s][k] * utility[s][act] for s in range(3)) for act in range(2))
            for k in range(len(experiment[0]))
        )

    return worth([[dot(row, column) for column in zip(*garble, strict=True)] for row in seen]) - worth(seen)


def jury():
    """In 120 digits: a nearly double root has half of them."""
    with mp.workdps(120):
        b = number(-1, 1)
        a = (1 + b) * number(-1, 1)
        root = mp.sqrt(mp.mpc(a * a - 4 * b))
        return max(abs(-a + root), abs(-a - root)) / 2 - 1


def kalman_rate():
    p = Fraction(3)
    for n in range(1, 65):
        p -= p * p / (p + 2)
        assert p == 1 / (Fraction(1, 3) + Fraction(n, 2))
    return off([8, 256, 512], lambda n: 1 / (mp.mpf(1) / 3 + mp.mpf(n) / 2), -1)


def wald_late():
    """By the types of people: (dose, outcome) with and without the offer."""
    share, treated, control = simplex(3), [number(0, 1) for _ in range(2)], [number(0, 1) for _ in range(2)]
    if not share[0]:
        return mp.mpf(-1)
    offered = [(1, treated[0]), (1, treated[1]), (0, control[1])]
    denied = [(0, control[0]), (1, treated[1]), (0, control[1])]
    dose, outcome = (dot(share, [x[i] - y[i] for x, y in zip(offered, denied, strict=True)]) for i in (0, 1))
    return abs(outcome / dose - (treated[0] - control[0]))
