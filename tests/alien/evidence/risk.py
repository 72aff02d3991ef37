"""Recompute the evidence without the bodies: 50 digits, fractions, enumeration, quadrature, exact recursions.

The checks are those of `optim.py`: a falsehood is run at its witness, a truth is evaluated in 50 digits at random and
degenerate inputs, or its probability or mean is computed exactly. Three are checked by what their proofs rest on: the
martingale of a queue, the integral of a waiting number, and a supremum by the exact law of Birnbaum and Tingey.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from optim import RNG, main, number, simplex
from shapes import exact, off


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def plus(x):
    return max(x, mp.mpf(0))


def losses(n, low=-1, high=1):
    """At times all the same, or with repeated ones."""
    x = [number(low, high) for _ in range(n)]
    kind = RNG.random()
    if kind < 0.1:
        return [x[0]] * n
    return [RNG.choice(x) for _ in range(n)] if kind < 0.3 else x


def cvar(x, w, level):
    """By the tail: the mean of the worst 1 - level."""
    left, total = 1 - mp.mpf(level), mp.mpf(0)
    for loss, weight in sorted(zip(x, w, strict=True), reverse=True):
        used = min(weight, left)
        total, left = total + used * loss, left - used
    return total / (1 - mp.mpf(level))


def quantile(x, w, level):
    reached = Fraction(0)
    for loss, weight in sorted(zip(x, w, strict=True)):
        reached += weight
        if reached >= level:
            return loss
    return max(x)


def differences(x):
    return sum(abs(a - b) for a in x for b in x)


def phi(x):
    return mp.ncdf(x)


def call(s, k, r, sigma, t):
    """As a mean over the price at the end, by its moments above the strike."""
    spread = sigma * mp.sqrt(t)
    d = (mp.log(s / k) + r * t) / spread
    return s * phi(d + spread / 2) - k * mp.exp(-r * t) * phi(d - spread / 2)


def market():
    return number("0.5", 2), number("0.5", 2), number("-0.05", "0.1"), number("0.05", 1), number("0.1", 2)


# Falsehoods


def pareto_average(a, t):
    """P((X + Y) / 2 <= t)."""
    if t == 1:
        return mp.mpf(0)
    ends = mp.linspace(1, 2 * t - 1, 6)
    return mp.quad(lambda x: a * x ** (-a - 1) * (1 - (2 * t - x) ** (-a)), ends)


def waiting_mean(n=60):
    """Spitzer: E W_n is the sum of E (S_k)_+ / k; S_k is positive by the phases left when the arrivals are over."""
    total = Fraction(0)
    for k in range(1, n + 1):
        total += (
            sum(
                j * math.comb(2 * k - j - 1, k - 1) * Fraction(1, 3) ** k * Fraction(2, 3) ** (k - j)
                for j in range(1, k + 1)
            )
            / k
        )
    return total


def optimal_revenue():
    """One value above 1/2 pays 1/2; of two the lower one, with the mean 2/3, is paid."""
    return Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 4) * Fraction(2, 3)


def second_largest():
    """The ranks and the order (0, 1, 2, 4, 3)."""
    return sorted(i + j for i, j in zip(range(1, 6), (1, 2, 3, 5, 4), strict=True))[-2]


def median_deviation(n):
    """E |B - 1/2| for B of Beta(a, a), a = (n + 1) / 2."""
    a = mp.mpf(n + 1) / 2
    return mp.mpf(4) ** (-a) / (a * mp.beta(a, a))


HALF = mp.mpf(1) / 2
EXACT = {
    "plain-var-subadditive": (
        quantile([0, 0, 1, 1], [Fraction(w, 100) for w in (80, 8, 8, 4)], Fraction(9, 10)),
        quantile([0, 0, 0, 1], [Fraction(w, 100) for w in (80, 8, 8, 4)], Fraction(9, 10)),
    ),
    "subtle-cvar-mean-deviation": (mp.mpf(1), mp.mpf("0.1") + mp.mpf("2.95") * mp.mpf("0.3")),
    "subtle-entropic-hoeffding": (mp.log((1 + mp.exp(HALF)) / 2), HALF / 2 + HALF**2 / mp.mpf("8.1")),
    "plain-entropic-homogeneous": (mp.log(mp.cosh(2)), 2 * mp.log(mp.cosh(1))),
    "subtle-poisson-mode": (mp.mpf("5.3") ** 5 * mp.exp(-mp.mpf("5.3")) / 120, mp.mpf("0.17")),
    "plain-averaging-pareto": (1 - pareto_average(mp.mpf("2.5"), mp.mpf("1.1")), mp.mpf("1.1") ** mp.mpf("-2.5")),
    "subtle-kingman": (
        Fraction(995, 5),
        Fraction(99, 100) * Fraction(995, 1000) * (Fraction(1000, 995) ** 2 + 1) / (2 * Fraction(5, 1000)),
    ),
    "plain-waiting-mean": (waiting_mean(), Fraction(1, 2)),
    "subtle-optimal-revenue": (optimal_revenue(), Fraction(41, 100)),
    "plain-double-kelly": (-mp.mpf("0.3") * mp.log(mp.mpf("0.2")), mp.mpf("0.7") * mp.log(mp.mpf("1.8"))),
    "subtle-equal-weights": (Fraction(20, 400), Fraction(95, 2000)),
    "subtle-at-the-money": (2 * phi(mp.mpf("0.005")) - 1, mp.mpf("0.00398")),
    "plain-gini-bound": (differences([1, 0, 0, 0, 0, 0]), 6),
    "plain-comonotone-worst": (second_largest(), 8),
    "plain-largest-claim": (1 - (1 - 1 / (10 * mp.log(20))) ** 10, mp.mpf(1) / 20),
    "plain-median-rate": median_deviation,
}


# Truths


def cvar_subadditive():
    w, x, y = simplex(4), losses(4), losses(4)
    return cvar([a + b for a, b in zip(x, y, strict=True)], w, "0.9") - cvar(x, w, "0.9") - cvar(y, w, "0.9")


def cvar_mean_deviation():
    w, x = simplex(3), losses(3, 0, 1)
    if RNG.random() < 0.3:
        p = number("0.05", "0.2")
        w, x = [1 - p, p, mp.mpf(0)], [mp.mpf(0), mp.mpf(1), mp.mpf(1)]
    mean = dot(w, x)
    return cvar(x, w, "0.9") - mean - 3 * mp.sqrt(sum(a * (b - mean) ** 2 for a, b in zip(w, x, strict=True)))


def cvar_dual():
    w, x = simplex(3), losses(3)
    v = simplex(3)
    share = min([1, *(2 * a / b for a, b in zip(w, v, strict=True) if b)])
    q = [share * b + (1 - share) * a for a, b in zip(w, v, strict=True)]
    if any(a > 2 * b for a, b in zip(q, w, strict=True)):
        return -mp.inf
    return dot(q, x) - cvar(x, w, "0.5")


def entropic_independent():
    v, w, x, y, h = simplex(3), simplex(3), losses(3), losses(3), number("0.1", 3)
    joint = sum(a * b * mp.exp(h * (c + d)) for a, c in zip(v, x, strict=True) for b, d in zip(w, y, strict=True))
    parts = [mp.log(sum(a * mp.exp(h * c) for a, c in zip(p, z, strict=True))) for p, z in ((v, x), (w, y))]
    return abs(mp.log(joint) - sum(parts)) / h


def proportional_hazard():
    w, x, rho = simplex(4), losses(4, 0, 1), number("0.2", 1)
    total, left, last = mp.mpf(0), mp.mpf(1), mp.mpf(0)
    for loss, weight in sorted(zip(x, w, strict=True)):
        total, left, last = total + (loss - last) * plus(left) ** rho, left - weight, loss
    return dot(w, x) - total


def noise():
    w, x, d, s = simplex(3), losses(3, 0, 1), number(0, 1), number(0, 1)
    after = sum(a * (plus(b + s - d) + plus(b - s - d)) for a, b in zip(w, x, strict=True)) / 2
    return sum(a * plus(b - d) for a, b in zip(w, x, strict=True)) - after


def lundberg():
    """Exact, by the walk that ends at ruin."""
    p, u = number("0.05", "0.45"), RNG.choice([1, 3])
    alive, ruined = {0: mp.mpf(1)}, mp.mpf(0)
    for _ in range(40):
        stepped = {}
        for k, mass in alive.items():
            stepped[k + 1] = stepped.get(k + 1, 0) + mass * p
            stepped[k - 1] = stepped.get(k - 1, 0) + mass * (1 - p)
        ruined += stepped.pop(u, 0)
        alive = stepped
    return ruined - (p / (1 - p)) ** u


def averaging_pareto():
    """Up to the error of the quadrature."""
    a, t = number("0.3", 1), number(1, 20)
    return pareto_average(a, t) - (1 - t ** (-a)) - mp.mpf(10) ** -9


def lindley():
    x, w = losses(12), mp.mpf(0)
    for step in x:
        w = plus(w + step)
    return abs(w - max([mp.mpf(0), *itertools.accumulate(reversed(x))]))


def little():
    """The number present on each piece between two events."""
    a, s = losses(5, 0, 1), losses(5, 0, 1)
    present = [(b, b + c) for b, c in zip(a, s, strict=True)]
    events = sorted(t for pair in present for t in pair)
    total = sum(
        (right - left) * sum(b <= left and right <= e for b, e in present)
        for left, right in itertools.pairwise(events)
        if left < right
    )
    return abs(total - sum(s))


def erlang():
    a, b = number("0.1", 20), mp.mpf(1)
    for n in range(1, 9):
        b = a * b / (n + a * b)
    return abs(b - (a**8 / mp.factorial(8)) / sum(a**k / mp.factorial(k) for k in range(9)))


def waiting_tail():
    """E exp(theta (S - A)) = 1 at theta = 0.4, so that Doob's inequality applies."""
    theta, rate = mp.mpf("0.4"), mp.mpf("0.6")
    return abs(1 / (1 - theta) * rate / (rate + theta) - 1)


def second_price():
    v, b, price = number(0, 1), number(0, 1), max(losses(4, 0, 1))
    return (v - price if b > price else mp.mpf(0)) - (v - price if v > price else mp.mpf(0))


def revenue_equivalence():
    return max(abs(exact(Fraction(n - 1, n + 1) - Fraction(n - 1, n) * Fraction(n, n + 1))) for n in (2, 5))


def virtual_surplus():
    """Both means are polynomials of the reserve."""
    r = number(0, 1)
    revenue = 3 * r**3 * (1 - r) + 6 * ((1 - r**3) / 3 - (1 - r**4) / 4)
    return abs(revenue - (6 * (1 - r**4) / 4 - (1 - r**3)))


def kelly():
    p, f = number("0.01", "0.99"), number("-0.9", "0.9")
    f = 2 * p - 1 if RNG.random() < 0.2 and abs(2 * p - 1) <= mp.mpf("0.9") else f
    best = mp.log(2) + p * mp.log(p) + (1 - p) * mp.log(1 - p)
    return p * mp.log(1 + f) + (1 - p) * mp.log(1 - f) - best


def sharpe():
    a = mp.matrix([losses(3) for _ in range(3)])
    c = a * a.T + mp.eye(3) / 20
    m, w = mp.matrix(losses(3)), mp.matrix(losses(3))
    best = mp.lu_solve(c, m)
    w = best if RNG.random() < 0.2 else w
    return (w.T * m)[0] - mp.sqrt((m.T * best)[0]) * mp.sqrt((w.T * c * w)[0])


def parity():
    """The put as a mean over the price at the end."""
    s, k, r, sigma, t = market()
    spread = sigma * mp.sqrt(t)
    d = (mp.log(s / k) + r * t) / spread
    put = k * mp.exp(-r * t) * phi(spread / 2 - d) - s * phi(-d - spread / 2)
    return abs(call(s, k, r, sigma, t) - put - s + k * mp.exp(-r * t))


def call_floor():
    s, k, r, sigma, t = market()
    return plus(s - k * mp.exp(-r * t)) - call(s, k, r, sigma, t)


def call_convex():
    _, k, _, sigma, t = market()
    other, s, r = number("0.5", 2), mp.mpf(1), mp.mpf("0.02")
    ends = call(s, k, r, sigma, t) + call(s, other, r, sigma, t)
    return call(s, (k + other) / 2, r, sigma, t) - ends / 2


def gini_sorted():
    x = losses(7, 0, 1)
    return abs(differences(x) - 2 * sum((2 * k - 8) * v for k, v in enumerate(sorted(x), 1)))


def transfer():
    x, t = losses(5, 0, 1), number(0, 1)
    return differences([(1 - t) * x[0] + t * x[1], t * x[0] + (1 - t) * x[1], *x[2:]]) - differences(x)


def frechet():
    p = simplex(9)
    f, g = sum(p[:6]), p[0] + p[1] + p[3] + p[4] + p[6] + p[7]
    return plus(f + g - 1) - (p[0] + p[1] + p[3] + p[4])


def clayton():
    u, v, a = number("0.05", 1), number("0.05", 1), number("0.1", 5)
    return u * v - (u ** (-a) + v ** (-a) - 1) ** (-1 / a)


def empirical_cvar():
    """Exact, over all counts of three values."""
    n, bound = 20, 2 * mp.sqrt(mp.log(20) / 40)
    w, x = simplex(3), sorted(losses(3, 0, 1))
    true, chance = cvar(x, w, "0.5"), mp.mpf(0)
    for i in range(n + 1):
        for j in range(n + 1 - i):
            sample = [x[0]] * i + [x[1]] * j + [x[2]] * (n - i - j)
            if sum(sample[n // 2 :]) / (n // 2) - true > bound:
                mass = w[0] ** i * w[1] ** j * w[2] ** (n - i - j)
                chance += math.comb(n, i) * math.comb(n - i, j) * mass
    return chance - mp.mpf(1) / 20


def stop_loss_uniformly():
    """P(sup (F - F_n) > d) is at most 0.1, after Birnbaum and Tingey."""
    n, d = 25, mp.sqrt(mp.log(10) / 50)
    terms = range(int(n * (1 - d)) + 1)
    chance = d * sum(
        mp.binomial(n, j) * (d + mp.mpf(j) / n) ** (j - 1) * (1 - d - mp.mpf(j) / n) ** (n - j) for j in terms
    )
    return chance - mp.mpf("0.1")


def largest_claim():
    return max(1 - (1 - mp.mpf("0.05") / n) ** n - mp.mpf("0.05") for n in (10, 200))


def gumbel_error():
    """With C = 1/4."""
    n, y = RNG.choice([4, 8, 16, 32, 64, 128]), mp.exp(-number(0, 5))
    return mp.exp(-y) - (1 - y / n) ** n - mp.mpf(1) / (4 * n)


def median_rate():
    return off([11, 31, 101, 301, 1001], median_deviation, mp.mpf("-0.5"))


TRUTHS = {
    "true-cvar-subadditive": (cvar_subadditive, 1000),
    "true-cvar-mean-deviation": (cvar_mean_deviation, 1000),
    "true-cvar-dual": (cvar_dual, 1000),
    "true-entropic-independent": (entropic_independent, 400),
    "true-proportional-hazard": (proportional_hazard, 1000),
    "true-noise-increases-risk": (noise, 1000),
    "true-lundberg": (lundberg, 100),
    "true-averaging-pareto": (averaging_pareto, 40),
    "true-lindley": (lindley, 400),
    "true-little": (little, 400),
    "true-erlang-loss": (erlang, 400),
    "true-waiting-tail": (waiting_tail, 1),
    "true-second-price": (second_price, 1000),
    "true-revenue-equivalence": (revenue_equivalence, 1),
    "true-virtual-surplus": (virtual_surplus, 400),
    "true-kelly": (kelly, 1000),
    "true-sharpe": (sharpe, 400),
    "true-parity": (parity, 400),
    "true-call-floor": (call_floor, 1000),
    "true-call-convex": (call_convex, 1000),
    "true-gini-sorted": (gini_sorted, 400),
    "true-transfer": (transfer, 400),
    "true-frechet": (frechet, 1000),
    "true-clayton": (clayton, 1000),
    "true-empirical-cvar": (empirical_cvar, 30),
    "true-stop-loss-uniformly": (stop_loss_uniformly, 1),
    "true-largest-claim": (largest_claim, 1),
    "true-gumbel-error": (gumbel_error, 1000),
    "true-median-rate": (median_rate, 1),
}

if __name__ == "__main__":
    main("risk", EXACT, TRUTHS, (45, 29))
