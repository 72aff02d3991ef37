"""Recompute the evidence without the bodies: fractions, enumeration, exact recursions, 50 digits.

A falsehood is run at its witness, where both sides (or the probability, the mean, the ratios) have to be the numbers
computed here. A truth is evaluated in 50 digits at random and degenerate inputs, where it must not fail.
`kernels.py`, `walks.py`, `shapes.py`, `agents.py`, `networks.py`, `papers.py`, `inference.py`, `convex.py`,
`graphs.py`, `highdim.py`, `algorithms.py`, `bayes.py`, `series.py`, `signals.py`, `learners.py`, `risk.py` and
`quantum.py` use the same checks.
"""

import itertools
import math
import random
from fractions import Fraction

import mpmath as mp
import torch
from parts import part

from harness import Draw
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, Tail, UpToConstant
from harness.testing import instance

mp.mp.dps = 50
RNG = random.Random(5)
REPS = 20_000
TINY = mp.mpf(10) ** -38


def number(low, high):
    """A random number between two ends: one in four is an end, one in eight lies close to the lower one."""
    low, high, kind = mp.mpf(low), mp.mpf(high), RNG.random()
    if kind < 0.24:
        return low if kind < 0.12 else high
    share = mp.mpf(10) ** -RNG.uniform(0, 12) if kind < 0.36 else mp.mpf(RNG.random())
    return low + (high - low) * share


def simplex(n):
    """Random weights, one in four of them 0."""
    w = [
        mp.mpf(0) if RNG.random() < 0.25 else -(mp.log(1 - mp.mpf(RNG.random())) ** RNG.choice([1, 3]))
        for _ in range(n)
    ]
    w = [abs(x) for x in w]
    w[0] += not any(w)
    return [x / sum(w) for x in w]


def entropy_term(u, w):
    return u * mp.log(u / w) if u else mp.mpf(0)


def as_float(side):
    return float(torch.as_tensor(side, dtype=torch.float64).mean())


def standard_error(side):
    """Of the mean of a drawn side; 0 for a number."""
    side = torch.as_tensor(side, dtype=torch.float64)
    return float(side.std()) / math.sqrt(side.numel()) if side.numel() > 1 else 0.0


def run(claim, witness, reps=REPS):
    """What a body returns at its witness."""
    given = {"forall": instance(witness["values"]), "draw": Draw(reps, ("evidence", claim.id))}
    return claim.body(**{name: given[name] for name in claim.wants}, **witness["params"])


def agree(ours, exact, what, allowed=0.0):
    exact = float(exact)
    assert abs(ours - exact) <= 1e-9 * abs(exact) + 1e-12 + allowed, (what, ours, exact)


def check_rate(claim, witness, exact):
    """`exact` is the mean by what the rate is along.

    The local exponents end where the witness says, and the body has these means.
    """
    for cell in claim.cells:
        found = torch.as_tensor(run(claim, {"params": cell, "values": {}}, 4000))
        agree(float(found.mean()), exact(cell[claim.kind.along]), claim.id, 5 * float(found.std()) / math.sqrt(4000))
    last = mp.log(exact(8192) / exact(4096), 2)
    agree(float(last), witness["exponent"], claim.id, 0.01)
    return last


def check_table(claim, witness, exact):
    """`exact` is the expectation of every row by its label; the named row alone is off."""
    rows = {row.label: row for row in (row.stored() for row in run(claim, witness, 64))}
    for label, row in rows.items():
        value = exact[label]
        agree(row.ours, value, label, 5 * row.standard_error)
        assert (abs(row.printed - value) > 1.25 * claim.kind.tolerance) == (label == witness["row"])
    agree(witness["ours"], exact[witness["row"]], claim.id)
    return witness["ours"]


def check_falsehood(claim, witness, exact):
    """`exact` is (lhs, rhs), (probability, allowed), the means of both sides, or what the kind needs.

    Shown is the ratio of the two, or the last exponent, the last ratio, or the number of the row that is off.
    """
    if isinstance(claim.kind, Rate):
        shown = check_rate(claim, witness, exact)
    elif isinstance(claim.kind, UpToConstant):
        for params, values, value in zip(witness["params"], witness["values"], exact, strict=True):
            lhs, rhs = run(claim, {"params": params, "values": values})
            agree(float(lhs / rhs), value, claim.id)
        shown = exact[-1]
    elif "row" in witness:
        shown = check_table(claim, witness, exact)
    else:
        lhs, rhs = exact
        assert lhs != rhs if isinstance(claim.kind, Identity) else lhs > rhs, claim.id
        left, right = run(claim, witness)
        if isinstance(claim.kind, HighProbability):
            left = (torch.as_tensor(left) > torch.as_tensor(right)).double()
            right = witness["params"][claim.kind.parameter]
        drawn = isinstance(claim.kind, HighProbability | Expectation)
        agree(as_float(left), lhs, claim.id, 5 * standard_error(left))
        agree(as_float(right), rhs, claim.id, 5 * standard_error(right))
        if isinstance(claim.kind, HighProbability | Tail):
            agree(witness["probability"], lhs, claim.id, 1e-9)
        elif drawn:
            agree(witness["mean"], lhs - rhs, claim.id, 1e-9)
        else:
            assert isinstance(claim.kind, Always | Identity), claim.id
        shown = float(lhs) / float(rhs) if rhs else math.inf
    print(f"{claim.id:45} {float(shown):.10g}")


def check_truth(name, excess, times):
    """The largest excess (for an identity, the largest difference) of a truth over random and degenerate inputs."""
    worst = max(mp.mpf(excess()) for _ in range(times))
    assert worst <= TINY, (name, worst)
    print(f"{name:45} worst excess {mp.nstr(worst, 3)} over {times}")


def main(hand, exact, truths, counts=(30, 18)):
    """Check all claims of a hand: what is exact of its falsehoods, and the excesses of its truths.

    `counts` are those of its claims and of its truths.
    """
    known, aside = part("known", hand), part("aside", hand)
    witnesses = {**known.WITNESSES, **aside.WITNESSES}
    proofs = {**known.PROOFS, **aside.PROOFS}
    claims = {getattr(c, "id", ""): c for ns in (known, aside) for c in vars(ns).values()}
    claims = {name: c for name, c in claims.items() if str(name).startswith(f"{hand}/")}
    assert set(claims) == set(witnesses) | set(proofs)
    assert (len(claims), len(proofs)) == counts
    assert {f"{hand}/{name}" for name in exact} == set(witnesses)
    assert {f"{hand}/{name}" for name in truths} == set(proofs)
    for name, value in exact.items():
        check_falsehood(claims[f"{hand}/{name}"], witnesses[f"{hand}/{name}"], value)
    for name, (excess, times) in truths.items():
        check_truth(f"{hand}/{name}", excess, times)
    print("all evidence holds")


def huber_descent():
    """f(x_10) = 1/42 against 1/44."""
    x, delta = Fraction(1), Fraction(1, 21)
    for _ in range(10):
        x -= x if abs(x) <= delta else delta
    return (x * x / 2 if abs(x) <= delta else delta * x - delta * delta / 2), Fraction(1, 44)


def renyi(a, eps):
    """Divergence of order a between randomised response and its mirror."""
    p = mp.e**eps / (1 + mp.e**eps)
    return mp.log(p**a * (1 - p) ** (1 - a) + (1 - p) ** a * p ** (1 - a)) / (a - 1)


def success(n, r):
    """Probability of the best of n when r are let pass."""
    return Fraction(r, n) * sum(Fraction(1, i) for i in range(r, n))


def secretary():
    assert round(26 / math.e) == 10
    return success(26, 9), success(26, 10)


def heavy_ball():
    x = before = Fraction(-3)
    for _ in range(60):
        slope = 25 * x if x < 1 else x + 24 if x < 2 else 25 * x - 24
        x, before = x - slope / 9 + Fraction(4, 9) * (x - before), x
    return abs(x), Fraction(3, 5)


def frank_wolfe(b, n):
    """f(x_n) from the first vertex; the fractions or mpf of b are kept."""
    x = [b[0] * 0 + (i == 0) for i in range(len(b))]
    for t in range(n):
        vertex = min(range(len(b)), key=lambda i: x[i] - b[i])
        gamma = (b[0] * 0 + 2) / (t + 2)
        x = [(1 - gamma) * c for c in x]
        x[vertex] += gamma
    return sum((c - d) ** 2 for c, d in zip(x, b, strict=True)) / 2


def descent(n, *, average):
    """E of the square of the last or of the mean iterate, by the recursion of the mean and the covariances."""
    mean, sums, variance, cross, squares = mp.mpf(1), mp.mpf(0), mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for t in range(1, n + 1):
        a = 1 / (2 * mp.sqrt(t))
        mean *= 1 - a
        squares += 2 * (1 - a) * cross + (1 - a) ** 2 * variance + a * a
        variance, cross = (
            (1 - a) ** 2 * variance + a * a,
            (1 - a) * cross + (1 - a) ** 2 * variance + a * a,
        )
        sums += mean
    return (squares + sums * sums) / n**2 if average else variance + mean * mean


def hedge():
    total, own = [mp.mpf(0)] * 2, mp.mpf(0)
    for loss in [(1, 0), (0, 1), (1, 0), (0, 1), *[(1, 0)] * 4]:
        w = [mp.exp(-mp.sqrt(mp.log(2)) * c) for c in total]
        own += (w[0] * loss[0] + w[1] * loss[1]) / sum(w)
        total = [c + d for c, d in zip(total, loss, strict=True)]
    return own - min(total), mp.sqrt(mp.log(2))


def kaczmarz_uniform():
    """Rows (sqrt(1/2), 0), (0, 1/2), (0, 1/2): A'A is half the identity; two of three rows leave e = (1, 0) alone."""
    return Fraction(2, 3), 1 - Fraction(1, 2)


def slowest_sums():
    """sum_t a_t / S_t for a = (1/2, 1, 1, ...): 1 + sum 1 / (j + 1/2), whose growth over doublings does not fall."""
    sums = [1 + sum(Fraction(2, 2 * j + 1) for j in range(1, n)) for n in (4, 8, 16, 32, 64, 128, 256)]
    growth = [b - a for a, b in itertools.pairwise(sums)]
    assert growth == sorted(growth)
    return sums


EXACT = {
    "subtle-gradient-descent-constant": huber_descent(),
    "subtle-response-renyi": (renyi(mp.mpf(2), mp.mpf(1) / 10), mp.mpf("0.0098")),
    "subtle-secretary-rounding": secretary(),
    "subtle-heavy-ball": heavy_ball(),
    "plain-frank-wolfe-square": (frank_wolfe([Fraction(1, 30)] * 30, 4), Fraction(2, 36)),
    "plain-last-iterate": lambda n: descent(n, average=False),
    "plain-explore-then-commit": (mp.ncdf(-3 / mp.sqrt(2)), mp.exp(-mp.mpf(9) / 2)),
    "plain-hedge-half": hedge(),
    "plain-pure-composition": (mp.e**4, mp.e**2),
    "plain-conformal-quantile": (Fraction(2, 11), Fraction(1, 10)),
    "plain-kaczmarz-uniform": kaczmarz_uniform(),
    "plain-adagrad-logarithm": slowest_sums(),
}


def gradient_norm():
    n, x0 = RNG.choice([1, 5, 20]), number(-1, 1)
    delta = number(0, 1) if RNG.random() < 0.5 else abs(x0) / (n + 1) * mp.mpf(RNG.uniform(0.9, 1.1))

    def slope(x):
        return x if abs(x) <= delta else delta * mp.sign(x)

    x = x0
    for _ in range(n):
        x -= slope(x)
    return abs(slope(x)) - abs(x0) / (n + 1)


def proximal_point():
    c, x0 = [number("0.1", 1) for _ in range(3)], number(-1, 1)
    s = number(0, 2) if RNG.random() < 0.5 else abs(x0) / (2 * sum(c))
    x = x0
    for step in c:
        x = mp.sign(x) * max(abs(x) - step * s, 0)
    return s * abs(x) - x0**2 / (4 * sum(c))


def chebyshev():
    n, m, factor = RNG.choice([2, 5]), mp.mpf(1) / 10, mp.mpf(1)
    lam = number(m, 1)
    for k in range(1, n + 1):
        factor *= 1 - lam / ((1 + m) / 2 + (1 - m) / 2 * mp.cos((2 * k - 1) * mp.pi / (2 * n)))
    return abs(factor) - 1 / mp.cosh(n * mp.acosh((1 + m) / (1 - m)))


def frank_wolfe_rate():
    n = RNG.choice([1, 4, 16])
    return frank_wolfe(simplex(3), n) - mp.mpf(4) / (n + 2)


def mirror_descent():
    losses, u, eta = [[number(-1, 1) for _ in range(3)] for _ in range(4)], simplex(3), number("0.01", 2)
    w = [mp.mpf(1) / 3] * 3
    potential, first = mp.mpf(0), sum(map(entropy_term, u, w))
    for loss in losses:
        v = [a * mp.exp(-eta * b) for a, b in zip(w, loss, strict=True)]
        potential -= mp.log(sum(v))
        w = [a / sum(v) for a in v]
    linear = eta * sum(loss[i] * u[i] for loss in losses for i in range(3))
    return abs(potential - linear - first + sum(map(entropy_term, u, w)))


def kaczmarz():
    """By the smaller eigenvalue of A'A in closed form; rows of zeros are never drawn."""
    rows = [[number(-1, 1) if RNG.random() < 0.7 else mp.mpf(0) for _ in range(2)] for _ in range(3)]
    a, b, c = (sum(r[i] * r[j] for r in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    if a + c == 0:
        return mp.mpf(-1)
    e, after = [mp.mpf(RNG.uniform(-0.7, 0.7)) for _ in range(2)], mp.mpf(0)
    for r in rows:
        square = r[0] ** 2 + r[1] ** 2
        if square:
            along = (r[0] * e[0] + r[1] * e[1]) / square
            after += square / (a + c) * sum((e[i] - along * r[i]) ** 2 for i in range(2))
    smallest = (a + c - mp.sqrt((a - c) ** 2 + 4 * b * b)) / 2
    return after - (1 - smallest / (a + c)) * (e[0] ** 2 + e[1] ** 2)


def be_the_leader():
    total, own = [mp.mpf(0)] * 3, mp.mpf(0)
    for _ in range(6):
        loss = [RNG.choice([mp.mpf(-1), mp.mpf(0), mp.mpf(1), mp.mpf(RNG.uniform(-1, 1))]) for _ in range(3)]
        total = [a + b for a, b in zip(total, loss, strict=True)]
        own += loss[total.index(min(total))]
    return own - min(total)


def laplace():
    eps, s = number("0.1", 2), number(-10, 10)

    def beyond(q):
        return 1 - mp.exp(eps * (s - q)) / 2 if s < q else mp.exp(-eps * (s - q)) / 2

    return beyond(number(0, 1)) - mp.exp(eps) * beyond(number(0, 1))


def response_renyi():
    with mp.workdps(80):
        a, eps = number("1.01", 30), number(0, 4)
        return renyi(a, eps) - a * eps * eps / 2


def conformal():
    """n = 4: all samples of a law on three atoms; for n = 9 the same proof, k = 8 of 10."""
    assert (math.ceil((1 - 0.2) * 5), math.ceil((1 - 0.2) * 10)) == (4, 8)
    w = simplex(3)
    samples = itertools.product(range(3), repeat=5)
    return sum(mp.fprod(w[i] for i in y) for y in samples if y[4] > sorted(y[:4])[3]) - mp.mpf(1) / 5


def permutation_test():
    """All samples of a law on three atoms, in fractions; the level at each possible p-value."""
    atoms = [Fraction(RNG.randrange(9), 8) for _ in range(3)]
    w = [Fraction(RNG.randrange(6)) for _ in range(3)]
    w[0] += not any(w)
    chosen, law = list(itertools.combinations(range(5), 3)), {}

    def statistic(x, three):
        inside = sum(x[i] for i in three)
        return inside / 3 - (sum(x) - inside) / 2

    for places in itertools.product(range(3), repeat=5):
        x = [atoms[i] for i in places]
        p = Fraction(sum(statistic(x, three) >= statistic(x, (0, 1, 2)) for three in chosen), len(chosen))
        law[p] = law.get(p, 0) + math.prod(w[i] / sum(w) for i in places)
    excess = max(sum(mass for q, mass in law.items() if q <= alpha) - alpha for alpha in law)
    return mp.mpf(excess.numerator) / excess.denominator


def stability():
    a, b, p = number(0, 1), number(0, 1), number(0, 1)
    mean, variance, gap = p * a + (1 - p) * b, p * (1 - p) * (a - b) ** 2, mp.mpf(0)
    for heads in itertools.product((0, 1), repeat=3):
        z = [a if h else b for h in heads]
        w = sum(z) / 3
        chance = mp.fprod(p if h else 1 - p for h in heads)
        gap += chance * ((w - mean) ** 2 + variance - sum((x - w) ** 2 for x in z) / 3)
    return abs(gap - 2 * variance / 3)


def averaging():
    """The local exponents of the exact mean are at most -1."""
    exponents = [mp.log(descent(2 * n, average=True) / descent(n, average=True), 2) for n in (16, 64, 128, 512)]
    return max(exponents) + 1


def adagrad():
    a = [number("0.01", 1) for _ in range(RNG.choice([4, 16, 64]))]
    sums = list(itertools.accumulate(a))
    return sum(x / mp.sqrt(s) for x, s in zip(a, sums, strict=True)) - 2 * mp.sqrt(sums[-1])


def best_arm(m=8):
    p = number(0, 1)
    q = p * number(0, 1)

    def mass(bias, j):
        return math.comb(m, j) * bias**j * (1 - bias) ** (m - j)

    wrong = sum(mass(p, i) * mass(q, j) for i in range(m + 1) for j in range(i, m + 1))
    return wrong - mp.exp(-m * (p - q) ** 2)


def at_all_times(n=20):
    """Exact probability, by the walk of the counts, that some mean of t <= n leaves its interval, minus delta."""
    p, delta = number(0, 1), mp.mpf(1) / 10
    inside = {0: mp.mpf(1)}
    for t in range(1, n + 1):
        stepped = {}
        for k, mass in inside.items():
            stepped[k] = stepped.get(k, 0) + mass * (1 - p)
            stepped[k + 1] = stepped.get(k + 1, 0) + mass * p
        slack = mp.sqrt(mp.log(2 * n / delta) / (2 * t))
        inside = {k: mass for k, mass in stepped.items() if abs(mp.mpf(k) / t - p) <= slack}
    return 1 - sum(inside.values()) - delta


def subsampling():
    def law():
        e = [mp.exp(number(-3, 3)) for _ in range(4)]
        return [a / sum(e) for a in e]

    first, second, rest, q = law(), law(), law(), number(0, 1)
    rest = second if RNG.random() < 0.3 else rest
    ratio = max(a / b for other in (second, rest) for a, b in zip(first, other, strict=True))
    mixed = max((q * a + (1 - q) * c) / (q * b + (1 - q) * c) for a, b, c in zip(first, second, rest, strict=True))
    return mp.log(mixed) - mp.log(1 + q * (ratio - 1))


def secretary_table():
    """The printed digits, rounded."""
    off = [abs(success(10, 3) - Fraction("0.3987")), abs(success(100, 37) - Fraction("0.3710"))]
    return float(max(off) - Fraction(1, 20000))


TRUTHS = {
    "true-gradient-norm": (gradient_norm, 400),
    "true-proximal-point": (proximal_point, 400),
    "true-chebyshev-steps": (chebyshev, 400),
    "true-frank-wolfe": (frank_wolfe_rate, 400),
    "true-mirror-descent-identity": (mirror_descent, 400),
    "true-kaczmarz": (kaczmarz, 400),
    "true-be-the-leader": (be_the_leader, 400),
    "true-laplace-mechanism": (laplace, 400),
    "true-response-renyi": (response_renyi, 1000),
    "true-conformal": (conformal, 30),
    "true-permutation-test": (permutation_test, 10),
    "true-stability-identity": (stability, 400),
    "true-polyak-averaging": (averaging, 1),
    "true-adagrad-lemma": (adagrad, 100),
    "true-best-arm": (best_arm, 400),
    "true-confidence-at-all-times": (at_all_times, 100),
    "true-subsampling": (subsampling, 1000),
    "true-secretary-table": (secretary_table, 1),
}

if __name__ == "__main__":
    main("optim", EXACT, TRUTHS)
