"""Recompute the evidence without the bodies: fractions, enumeration, Fourier inversion, exact laws, 50 digits.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated exactly or in 50 digits at
random and degenerate inputs. The truths of dynamic programming and control are in `agents_control.py`.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from agents_control import (
    bellman,
    dot,
    effective_horizon,
    garbling,
    greedy_loss,
    joseph_form,
    jury,
    kalman_rate,
    lyapunov_norm,
    mellowmax,
    performance_difference,
    riccati_contraction,
    riccati_optimal,
    simulation_lemma,
    wald_late,
)
from optim import RNG, main, number, simplex
from shapes import disc, exact


def panels(edges, order):
    """Gauss and Legendre between neighbouring edges: (node, weight)."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    for low, high in itertools.pairwise(edges):
        yield from zip((low + high + (high - low) * nodes) / 2, weights * (high - low) / 2, strict=True)


def pareto_sum_beyond(a, n, threshold, order):
    """P(X_1 + ... + X_n > threshold), P(X > x) = x^-a, by Gil-Pelaez: the characteristic function is a E_(a+1)(-i t).

    The last panels end at t = 24, where its power is below (a / 24)^n; the first ones shrink towards 0, where it is not
    smooth.
    """
    total, edges = mp.mpf(0), [0.0, *(2.0**k for k in range(-20, 0)), *range(1, 25)]
    with mp.workdps(20):
        for node, weight in panels(edges, order):
            t = mp.mpf(node)
            total += weight * (mp.expj(-t * threshold) * (a * mp.expint(a + 1, mp.mpc(0, -t))) ** n).imag / t
    return mp.mpf(1) / 2 + total / mp.pi


def boltzmann():
    def operator(z):
        w = [mp.exp(5 * a) for a in z]
        return dot(w, z) / sum(w)

    tenth = mp.mpf(1) / 10
    return abs(operator([4 * tenth, 0, 0]) - operator([5 * tenth, 0, 0])), tenth


def stays():
    """State 1 stays at -0.95 or goes to state 2, which gives 0 for ever: V* = 0."""
    g, v, cost = Fraction(1, 2), (Fraction(1), Fraction(-1)), Fraction(-95, 100)
    assert cost + g * v[0] > 0 + g * v[1]
    return -cost / (1 - g), Fraction(18, 10) * g * max(map(abs, v)) / (1 - g)


def rounded_horizon():
    g, e = mp.mpf("0.9127"), mp.mpf("0.4")
    steps = mp.nint(mp.log(1 / e) / (1 - g))
    assert steps == 10
    return g**steps, e


def jackknife():
    """All samples of three and of four coins that show 1 with probability 1/10."""

    def samples(n):
        return [(x, Fraction(9 ** (n - sum(x)), 10**n)) for x in itertools.product((0, 1), repeat=n)]

    def spread(x):
        without = [max(x[:i] + x[i + 1 :]) for i in range(4)]
        return sum(a * a for a in without) - Fraction(sum(without) ** 2, 4)

    mean = sum(w * max(x) for x, w in samples(3))
    return mean * (1 - mean), Fraction(3, 4) * sum(w * spread(x) for x, w in samples(4))


def pareto_mean():
    """Index 3: mean 3/2, variance 3/4; no sample is below the mean by the bound. One large term is not all of it."""
    n, delta = 20, mp.mpf("0.0005")
    bound = mp.sqrt(2 * (mp.mpf(3) / 4) * mp.log(2 / delta) / n)
    assert mp.mpf(3) / 2 - bound < 1
    threshold = n * (mp.mpf(3) / 2 + bound)
    found = pareto_sum_beyond(mp.mpf(3), n, threshold, 24)
    assert found > 1 - (1 - (threshold - (n - 1)) ** -3) ** n > 2 * delta
    return found, delta


def benjamini_hochberg():
    """By cells of u, at whose ends alone a p-value crosses a threshold."""
    a, cells = Fraction(1, 10), 1000
    rejected = 0
    for k in range(cells):
        u = Fraction(2 * k + 1, 2 * cells)
        p = sorted((u, 1 - u if u <= a / 2 or u > 1 - a / 2 else u))
        rejected += p[0] <= a / 2 or p[1] <= a
    return Fraction(rejected, cells), a


def stopping():
    y, chance = (Fraction(0), Fraction(1)), (Fraction(99, 100), Fraction(1, 100))
    x = Fraction(1, 100)
    return Fraction(505, 1000) * dot(chance, [max(x, a) for a in y]), max(x, dot(chance, y))


def anarchy():
    best = 1 / mp.sqrt(3)
    return mp.mpf(1), mp.mpf("1.62") * (best**3 + 1 - best)


def hedge():
    eta, own, first = mp.sqrt(8 * mp.log(2) / 6), mp.mpf(0), 0
    for t, loss in enumerate((0, 1, 0, 1, 0, 0)):
        w = [mp.exp(-eta * total) for total in (first, t - first)]
        own += (w[0] * loss + w[1] * (1 - loss)) / sum(w)
        first += loss
    return own - min(first, 6 - first), mp.mpf("0.35") * mp.sqrt(6)


def largest_mean(n):
    """E max of four means of n numbers uniform on (-1, 1): the distribution of the sum by Fourier inversion.

    The integrals are of doubles: over t where (sin(t) / t)^n exceeds 1e-17, and over the sum in units of sqrt(n), which
    exceeds 7 with probability below 1e-30.
    """
    end = max(10.0 ** (17 / n), 16 / math.sqrt(n))
    t, dt = (np.array(x) for x in zip(*panels(np.linspace(0, end, 12), 200), strict=True))
    z, dz = (np.array(x) for x in zip(*panels(np.linspace(0, min(math.sqrt(n), 7.0), 5), 24), strict=True))
    kernel = (np.sin(t) / t) ** n / t * dt
    below = 0.5 + np.sin(np.outer(z, t) * math.sqrt(n)) @ kernel / math.pi
    return mp.mpf(float(((1 - below**4 - (1 - below) ** 4) @ dz) / math.sqrt(n)))


def berry_esseen():
    n, k, p = 200, 83, Fraction(417, 1000)
    below = exact(sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1)))
    p = exact(p)
    width = mp.sqrt(n * p * (1 - p))
    return abs(below - mp.ncdf((k - n * p) / width)), mp.mpf("0.405") * (p**2 + (1 - p) ** 2) / width


EXACT = {
    "plain-boltzmann": boltzmann(),
    "subtle-greedy-loss": stays(),
    "subtle-horizon-rounded": rounded_horizon(),
    "plain-jackknife-max": jackknife(),
    "plain-mean-subgaussian": pareto_mean(),
    "plain-bh-dependent": benjamini_hochberg(),
    "subtle-prophet": stopping(),
    "subtle-quadratic-anarchy": anarchy(),
    "plain-hedge-constant": hedge(),
    "plain-max-bias": largest_mean,
    "subtle-berry-esseen": berry_esseen(),
}


def neyman_variance():
    y1, y0 = ([Fraction(RNG.randrange(-8, 9), 8) for _ in range(4)] for _ in range(2))
    chosen = list(itertools.combinations(range(4), 2))
    estimates = [Fraction(sum(y1[i] if i in two else -y0[i] for i in range(4)), 2) for two in chosen]

    def square(x):
        return sum((a - Fraction(sum(x), len(x))) ** 2 for a in x)

    effects = [a - b for a, b in zip(y1, y0, strict=True)]
    return exact(abs(square(estimates) / 6 - square(y1) / 6 - square(y0) / 6 + square(effects) / 12))


def propensity():
    """Outcomes in eighths, so that few sums are possible."""
    n, delta, e = 12, mp.mpf(1) / 20, number("0.1", 1)
    y = [RNG.randrange(9) for _ in range(n)] if RNG.random() < 0.6 else [8] * n
    law = {0: mp.mpf(1)}
    for outcome in y:
        stepped = {}
        for total, mass in law.items():
            stepped[total] = stepped.get(total, 0) + mass * (1 - e)
            stepped[total + outcome] = stepped.get(total + outcome, 0) + mass * e
        law = stepped
    slack = 8 * n * mp.sqrt(mp.log(2 / delta) / (2 * n)) / e
    return sum(mass for total, mass in law.items() if abs(total / e - sum(y)) > slack) - delta


def binomial_tail(n, least, p):
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(least, n + 1))


def median_of_means():
    """No mean is below by sigma; above, of four, by Fourier inversion up to 1e-4 and by Chebyshev's inequality."""
    a = number("2.1", 4)
    mean, sigma = a / (a - 1), mp.sqrt(a / (a - 2)) / (a - 1)
    assert mean - sigma < 1
    assert binomial_tail(9, 5, Fraction(1, 4)) < Fraction(1, 20)
    off_by_sigma = pareto_sum_beyond(a, 4, 4 * (mean + sigma), 12)
    assert off_by_sigma < mp.mpf(1) / 4
    return binomial_tail(9, 5, off_by_sigma + mp.mpf(10) ** -4) - mp.mpf(1) / 20


def ville():
    """By the numbers of heads; wealth counts as reaching 1 / alpha if it misses it by rounding alone."""
    share, alpha = number(-1, 1), number("0.02", 1)
    if share > 0 and RNG.random() < 0.5:
        alpha = max((1 + share) ** -RNG.randrange(1, 6), mp.mpf("0.02"))
    going, reached = {0: mp.mpf(1)}, mp.mpf(0)
    for t in range(1, 11):
        stepped = {}
        for heads, mass in going.items():
            for more in (heads, heads + 1):
                if alpha * (1 + share) ** more * (1 - share) ** (t - more) >= 1 - mp.mpf(10) ** -45:
                    reached += mass / 2
                else:
                    stepped[more] = stepped.get(more, 0) + mass / 2
        going = stepped
    return reached - alpha


def explore_then_commit():
    n, m, d = 200, 10, number(0, 2)
    return (n - 2 * m) * d * (mp.ncdf(-d * mp.sqrt(mp.mpf(m) / 2)) - mp.exp(-m * d**2 / 4))


def prophet():
    """One in three: a certain first variable and a rare large second one."""
    x, w, y, v = [number(0, 1) for _ in range(3)], simplex(3), [number(0, 1) for _ in range(3)], simplex(3)
    if RNG.random() < 0.3:
        rare = mp.mpf(10) ** -RNG.randrange(1, 9)
        x, y, v = [rare] * 3, [mp.mpf(0), mp.mpf(0), mp.mpf(1)], [1 - rare, mp.mpf(0), rare]
    best = sum(a * b * max(s, t) for s, a in zip(x, w, strict=True) for t, b in zip(y, v, strict=True))
    second = sum(b * t for t, b in zip(y, v, strict=True) if t >= best / 2)
    return best / 2 - sum(a * (s if s >= best / 2 else second) for s, a in zip(x, w, strict=True))


def regret_matching():
    """Against losses at random, and against the heavier expert."""
    regret, heavy = [mp.mpf(0)] * 2, RNG.random() < 0.4
    for _ in range(8):
        positive = [max(x, mp.mpf(0)) for x in regret]
        w = [x / sum(positive) for x in positive] if sum(positive) else [mp.mpf(1) / 2] * 2
        loss = mp.mpf(int(w[0] >= w[1])) if heavy else number(0, 1)
        losses = [loss, 1 - loss]
        regret = [r + dot(w, losses) - x for r, x in zip(regret, losses, strict=True)]
    return max(regret) - mp.sqrt(8)


def elliptical_potential():
    """With the constant 4 of the proof; rows at random, all the same, or the two axes in turn."""
    n, kind = RNG.choice([2, 4, 8, 16, 32]), RNG.randrange(3)
    gram, total, same = mp.eye(2), mp.mpf(0), disc()
    for t in range(n):
        z = (disc(), same, mp.mpc(0, 1) ** t)[kind]
        x = mp.matrix([z.real, z.imag])
        total += (x.T * mp.inverse(gram) * x)[0]
        gram += x * x.T
    return total - 4 * mp.log(1 + mp.mpf(n) / 2)


def policies_within():
    """One of three independent binomial counts is off."""
    n, delta, inside = 20, mp.mpf(1) / 20, mp.mpf(1)
    slack = mp.sqrt(mp.log(6 / delta) / (2 * n))
    for p in (number(0, 1) for _ in range(3)):
        mass = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        inside *= sum(w for k, w in enumerate(mass) if abs(mp.mpf(k) / n - p) <= slack)
    return 1 - inside - delta


def auction_table():
    """The printed digits, rounded; means are integrals of the chances to exceed t."""
    second, largest = mp.quad(lambda t: (1 - t) ** 2, [0, 1]), mp.quad(lambda t: 1 - t * t, [0, 1])
    reserve = mp.mpf(3) / 4 / 2 + mp.quad(lambda t: (1 - t) ** 2, [0.5, 1])
    rows = ((second, "0.333"), (largest / 2, "0.333"), (reserve, "0.417"))
    return max(abs(mean - mp.mpf(printed)) for mean, printed in rows) - mp.mpf("0.0005")


TRUTHS = {
    "true-bellman-contraction": (bellman, 400),
    "true-mellowmax": (mellowmax, 400),
    "true-simulation-lemma": (simulation_lemma, 400),
    "true-performance-difference": (performance_difference, 100),
    "true-greedy-loss": (greedy_loss, 400),
    "true-effective-horizon": (effective_horizon, 400),
    "true-riccati-contraction": (riccati_contraction, 400),
    "true-lyapunov-norm": (lyapunov_norm, 60),
    "true-riccati-optimal": (riccati_optimal, 200),
    "true-joseph-form": (joseph_form, 200),
    "true-garbling": (garbling, 400),
    "true-jury": (jury, 400),
    "true-kalman-rate": (kalman_rate, 1),
    "true-wald-late": (wald_late, 200),
    "true-neyman-variance": (neyman_variance, 200),
    "true-ipw-hoeffding": (propensity, 60),
    "true-median-of-means": (median_of_means, 3),
    "true-ville-betting": (ville, 200),
    "true-explore-then-commit": (explore_then_commit, 400),
    "true-prophet": (prophet, 400),
    "true-regret-matching": (regret_matching, 400),
    "true-elliptical-potential": (elliptical_potential, 60),
    "true-policies-within": (policies_within, 100),
    "true-auction-table": (auction_table, 1),
}

if __name__ == "__main__":
    main("agents", EXACT, TRUTHS, (35, 24))
