"""Recompute the evidence without the bodies (fractions, exact laws, simulation), then run every body.

A falsehood is run at its witness, where its frequency of violations has to be the probability computed here; a truth at
corners and random points of its sets, where it must not be violated more often than delta.
"""

import inspect
import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import torch
from parts import part
from scipy.stats import beta, chi2, kstwo

from harness import Draw
from harness.testing import instance

known = part("known", "sampling")
aside = part("aside", "sampling")

mp.mp.dps = 50
WITNESSES = {**known.WITNESSES, **aside.WITNESSES}
PROOFS = {**known.PROOFS, **aside.PROOFS}
CLAIMS = {c.id: c for ns in (known, aside) for c in vars(ns).values() if str(getattr(c, "id", "")).startswith("sampl")}
RNG = np.random.default_rng(20240)
POINTS, REPS = 16, 1000


def binomial(n, p, keep):
    """Probability that Bin(n, p) satisfies keep, in exact rational arithmetic (keep decides in 50 digits)."""
    p = Fraction(str(p))
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1) if keep(j))


def at(name):
    """Parameters and values of a witness, in one dictionary."""
    witness = WITNESSES[f"sampling/{name}"]
    return {**witness["params"], **witness["values"]}


def normal_quantile(level):
    return mp.sqrt(2) * mp.erfinv(2 * mp.mpf(level) - 1)


def beta_interval(n, tail, shift):
    """Limits by count: beta quantiles (k + shift, n - k + 1 - shift) below and (k + 1 - shift, n - k + shift) above."""
    low = [0.0] + [beta.ppf(tail, k + shift, n - k + 1 - shift) for k in range(1, n + 1)]
    return list(zip(low, [beta.ppf(1 - tail, k + 1 - shift, n - k + shift) for k in range(n)] + [1.0], strict=True))


def misses(limits, n, p):
    """Probability that the interval of the count misses p; no limit is within 1e-6 of p, so float64 decides."""
    assert min(abs(p - x) for pair in limits for x in pair) > 1e-6
    return binomial(n, p, lambda k: not limits[k][0] <= p <= limits[k][1])


def wald():
    w = at("plain-wald-interval")
    z, n, p = normal_quantile("0.975"), w["n"], mp.mpf(str(w["p"]))
    return binomial(n, w["p"], lambda k: abs(mp.mpf(k) / n - p) > z * mp.sqrt(mp.mpf(k) * (n - k) / n**3))


def wilson():
    w = at("subtle-wilson-88-percent")
    n, p, z = w["n"], mp.mpf(str(w["p"])), mp.mpf("1.96")
    return binomial(n, w["p"], lambda k: abs(mp.mpf(k) / n - p) > z * mp.sqrt(p * (1 - p) / n))  # the same set of p


def finite_population():
    w = at("plain-finite-population-squared")
    level = mp.mpf(2) / 8 * mp.sqrt(mp.log(10) / 12)
    samples = list(itertools.combinations(w["x"], 6))
    return Fraction(sum(mp.mpf(sum(s)) / 6 - mp.mpf(sum(w["x"])) / 8 > level for s in samples), len(samples))


def serfling():
    w = at("subtle-serfling-without-one")
    return Fraction(sum(x - sum(w["x"]) / 2 > mp.sqrt(mp.log(1 / mp.mpf("0.38")) / 4) for x in w["x"]), 2)


def coupons():
    n = math.ceil(20 * math.log(20))
    return sum((-1) ** (j + 1) * math.comb(20, j) * Fraction(20 - j, 20) ** n for j in range(1, 21))


def load():
    """1 - n! [z^n] (sum_{j <= 3} z^j / j!)^n / n^n with n = 100."""
    assert 3 < mp.log(100) / mp.log(mp.log(100)) < 4
    series = [mp.mpf(1)] + [mp.mpf(0)] * 100
    for _ in range(100):
        series = [sum(series[m - j] / math.factorial(j) for j in range(min(m, 3) + 1)) for m in range(101)]
    return 1 - math.factorial(100) * series[100] / mp.mpf(100) ** 100


def reflection():
    top = math.floor(10 * normal_quantile("0.95")) + 1
    heads = [(s, binomial(100, "0.5", lambda k, s=s: 2 * k - 100 >= s)) for s in (top, top + 1)]
    return sum(mass for _, mass in heads)


def simulated(violated, batches=40, size=25000):
    """Frequency and its standard error (a slow statistic may answer fewer than `size` times)."""
    found = np.concatenate([violated(size) for _ in range(batches)])
    return found.mean(), math.sqrt(found.mean() * (1 - found.mean()) / found.size)


def pareto(size):
    alpha = at("plain-sub-gaussian-pareto")["alpha"]
    x = RNG.pareto(alpha, (size, 5)) + 1
    sigma = math.sqrt(alpha / ((alpha - 1) ** 2 * (alpha - 2)))
    return x.mean(1) > alpha / (alpha - 1) + sigma * math.sqrt(2 * math.log(200) / 5)


def projection(size):
    """Squared distances sum_k (g_ki - g_kj)^2 / k of the projected basis, against 2 (1 +- 0.5)."""
    k = math.ceil(math.log(2 * 6 / 0.1) / 0.25)
    g = RNG.standard_normal((size // 10, 4, k))
    i, j = np.triu_indices(4, 1)
    ratio = ((g[:, i] - g[:, j]) ** 2).sum(-1) / (2 * k)
    return (abs(ratio - 1) > 0.5).any(1)


def bootstrap(size):
    """By multinomial counts of the four numbers; places 5 and 95 of 99."""
    x = RNG.standard_normal((size // 25, 4))
    means = np.sort((RNG.multinomial(4, [0.25] * 4, (size // 25, 99)) * x[:, None]).sum(-1) / 4, axis=1)
    return (means[:, 4] > 0) | (means[:, 94] < 0)


def pairs():
    w = at("plain-pairs-as-independent")
    level = mp.mpf("0.32") + mp.sqrt(mp.log(20) / 380)
    assert w["p"] == 0.2
    return binomial(20, "0.2", lambda k: mp.mpf(k * (20 - k)) / 190 > level)


def empirical_bernstein():
    p, log = at("subtle-empirical-bernstein-constant")["p"], mp.log(40)
    slack = [mp.sqrt(2 * mp.mpf(k) * (100 - k) / 9900 * log / 100) + mp.mpf("0.65") * log / 99 for k in range(101)]
    return binomial(100, p, lambda k: mp.mpf(str(p)) - mp.mpf(k) / 100 > slack[k])


def conformal_rounded():
    m = at("subtle-conformal-rounded")["m"]
    return 1 - Fraction(round(Fraction(95, 100) * (m + 1)), m + 1)


def signs():
    ones = sum(map(bool, at("subtle-signs-as-gaussian")["a"]))
    return binomial(ones, "0.5", lambda k: abs(2 * k - ones) > mp.mpf("2.49") * mp.sqrt(ones))


def edge():
    """Mean of the largest squared singular value over n, from the R factor's law (Bartlett), and its standard error."""
    size, d, n = 100000, 5, 10
    r = np.triu(RNG.standard_normal((size, d, d)), 1)
    r[:, range(d), range(d)] = np.sqrt(RNG.chisquare(n - np.arange(d), (size, d)))
    top = np.linalg.svd(r, compute_uv=False)[:, 0] ** 2 / n
    return top.mean() - 1 - math.sqrt(d / n), top.std() / math.sqrt(size)


def features():
    """P(|mean of 50 cosines of uniform phases| > t), Gil-Pelaez; exp(-x^2/2) = 2e-22 at x = 10 changes no digit."""
    t = 50 * math.sqrt(math.log(200) / 100)
    mp.mp.dps = 20
    inside = mp.quad(lambda s: mp.besselj(0, s) ** 50 * mp.sin(s * t) / s, mp.linspace(0, 12, 49)) * 2 / mp.pi
    mp.mp.dps = 50
    return 1 - inside


def exponential_variance(size):
    x = RNG.exponential(size=(size, 20))
    return x.var(1) * 20 < chi2.ppf(0.05, 19)


def good_turing():
    """All multinomial counts of ten draws; the strict comparison in fractions."""
    w = [Fraction(str(x)) for x in at("plain-good-turing-as-limit")["w"]]
    out = Fraction(0)
    for a, b in itertools.product(range(11), repeat=2):
        counts = (a, b, 10 - a - b)
        if min(counts) >= 0:
            ways = math.factorial(10) // math.prod(map(math.factorial, counts))
            missing = sum(x for x, c in zip(w, counts, strict=True) if c == 0)
            if missing > Fraction(sum(c == 1 for c in counts), 10):
                out += ways * math.prod(x**c for x, c in zip(w, counts, strict=True))
    return out


def importance():
    """The first value alone has weight: 40 k / 20, k successes of probability 1/40, against 1."""
    return binomial(20, "0.025", lambda k: abs(2 * k - 1) > mp.sqrt(mp.log(40) / 40))


def self_normalised():
    p, q = (Fraction(95, 100), Fraction(5, 100)), (Fraction(5, 100), Fraction(95, 100))
    weights = [a / b for a, b in zip(p, q, strict=True)]
    pairs_of = itertools.product(range(2), repeat=2)
    return sum(q[i] * q[j] * (i * weights[i] + j * weights[j]) / (weights[i] + weights[j]) for i, j in pairs_of) - p[1]


def rule():
    w = at("subtle-rule-of-two-point-seven")
    assert Fraction(str(w["p"])) > Fraction(27, 1000)
    return binomial(100, w["p"], lambda k: k == 0)


def bernstein():
    p, log = mp.mpf(str(at("subtle-bernstein-small-linear-term")["p"])), mp.log(20)
    level = p + mp.sqrt(2 * p * (1 - p) * log / 100) + mp.mpf("0.08") * log / 100
    return binomial(100, str(p), lambda k: mp.mpf(k) / 100 > level)


EXACT = {
    "plain-wald-interval": wald,
    "plain-dkw-union-forgotten": lambda: kstwo.sf(math.sqrt(math.log(10) / 100), 50),
    "plain-maximum-without-delta": lambda: 1 - mp.ncdf(mp.sqrt(2 * mp.log(50))) ** 50,
    "plain-clopper-pearson-full-tails": lambda: misses(
        beta_interval(50, 0.05, 0), 50, at("plain-clopper-pearson-full-tails")["p"]
    ),
    "plain-finite-population-squared": finite_population,
    "subtle-serfling-without-one": serfling,
    "plain-coupons-d-log-d": coupons,
    "plain-maximal-load-asymptotic": load,
    "plain-reflection-forgotten": reflection,
    "subtle-wilson-88-percent": wilson,
    "subtle-empirical-bernstein-constant": empirical_bernstein,
    "plain-pairs-as-independent": pairs,
    "plain-median-interval-one-inside": lambda: 2 * binomial(10, "0.5", lambda k: k <= 2),
    "plain-median-of-exponentials": lambda: mp.mpf(1) / 5 + mp.mpf(1) / 4 + mp.mpf(1) / 3 - mp.log(2),
    "subtle-conformal-rounded": conformal_rounded,
    "subtle-signs-as-gaussian": signs,
    "plain-importance-hoeffding": importance,
    "plain-self-normalised-weights": self_normalised,
    "plain-random-features-range": features,
    "plain-conformal-without-one": lambda: 1 - Fraction(9, 11),
    "plain-good-turing-as-limit": good_turing,
    "plain-birthdays-of-any-law": lambda: sum(
        Fraction(1, 32) for c in itertools.product((0, 1), repeat=5) if len(set(c)) < 5
    ),
    "subtle-jeffreys-91-percent": lambda: misses(
        beta_interval(30, 0.025, 0.5), 30, at("subtle-jeffreys-91-percent")["p"]
    ),
    "subtle-rule-of-two-point-seven": rule,
    "subtle-bernstein-small-linear-term": bernstein,
}
SIMULATED = {
    "plain-sub-gaussian-pareto": lambda: simulated(pareto),
    "plain-projection-factor-four": lambda: simulated(projection),
    "plain-percentile-bootstrap": lambda: simulated(bootstrap),
    "plain-covariance-edge": edge,
    "plain-variance-interval-exponential": lambda: simulated(exponential_variance),
}


class Anywhere:
    """Quantifiers that answer with a corner (even attempts) or a random point (odd ones) of their set."""

    def __init__(self, attempt):
        self.corner, self.rng = attempt % 2 == 0, np.random.default_rng(attempt)

    def interval(self, _, low, high, *shape):
        u = self.rng.integers(0, 2, (1, *shape)) if self.corner else self.rng.random((1, *shape)) ** self.rng.choice(5)
        return torch.as_tensor(low + (high - low) * u, dtype=torch.float64)

    def simplex(self, _, *shape):
        if self.corner:
            return torch.nn.functional.one_hot(torch.tensor([0]), shape[-1]).double()
        return torch.as_tensor(self.rng.dirichlet([10.0 ** self.rng.uniform(-2, 2)] * shape[-1], (1, *shape[:-1])))

    def sphere(self, _, *shape, radius=1.0):
        x = self.rng.integers(-1, 2, (1, *shape)) if self.corner else self.rng.standard_normal((1, *shape)) ** 3
        x = torch.as_tensor(x, dtype=torch.float64)
        x[..., 0] += (x == 0).all(-1)
        return radius * x / x.norm(dim=-1, keepdim=True)

    def ball(self, name, *shape, radius=1.0):
        return self.sphere(name, *shape, radius=radius) * int(self.rng.integers(0, 4) > 0)


def run(claim, params, forall, reps):
    """lhs - rhs of a body, one for each replicate."""
    given = {"forall": forall, "draw": Draw(reps, ("evidence", claim.id))}
    wanted = inspect.signature(claim.body).parameters
    lhs, rhs = claim.body(**{k: v for k, v in given.items() if k in wanted}, **params)
    return (torch.as_tensor(lhs, dtype=torch.float64) - torch.as_tensor(rhs, dtype=torch.float64)).expand(reps)


def check_falsehood(name, claim, witness):
    """The number computed here against the stated one and against the body's."""
    value, error = SIMULATED[name]() if name in SIMULATED else (EXACT[name](), 0.0)
    value, reps = float(value), 20000
    gap = run(claim, witness["params"], instance(witness["values"]), reps)
    if "mean" in witness:
        stated, ours, spread = witness["mean"], float(gap.mean()), float(gap.std())
        assert value - 8 * error > 0.05 * abs(claim.kind.range[0]), name
    else:
        delta, ours = witness["params"]["delta"], float((gap > 0).double().mean())
        stated, spread = witness["probability"], math.sqrt(value * (1 - value))
        factor = 1.5 if name.startswith("plain") else 1.25
        assert min(value - 8 * error, stated) >= factor * delta, (name, value / delta)
    assert abs(stated - value) <= 1e-7 + 5 * error, (name, stated, value, error)
    assert abs(ours - value) <= 5 * spread / math.sqrt(reps) + 5 * error + 1e-9, (name, ours, value)
    print(f"{name:45} {value:.10f} +- {error:.1e}  body {ours:.5f}")


def check_truth(name, claim):
    worst = -math.inf
    points = POINTS if "forall" in inspect.signature(claim.body).parameters else 1
    for params, attempt in itertools.product(claim.cells, range(points)):
        gap = run(claim, params, Anywhere(attempt), REPS)
        assert bool(gap.isfinite().all()), name
        if hasattr(claim.kind, "range"):
            low, high = claim.kind.range
            assert low <= float(gap.min()), name
            assert float(gap.max()) <= high, name
            excess = float(gap.mean()) / max(float(gap.std()) / math.sqrt(REPS), 1e-9)
        else:
            # where both sides tie exactly, rounding decides: only an excess beyond it counts
            often = float((gap > 1e-12).double().mean())
            excess = (often - params["delta"]) / math.sqrt(params["delta"] / REPS)
        worst = max(worst, excess)
    assert worst < 5.0, (name, worst)
    print(f"{name:45} worst excess {worst:.2f} standard errors")


if __name__ == "__main__":
    assert set(CLAIMS) == set(WITNESSES) | set(PROOFS)
    assert (len(CLAIMS), len(PROOFS)) == (54, 24)
    assert {name.split("/")[1] for name in WITNESSES} == set(EXACT) | set(SIMULATED)
    for key, claim in CLAIMS.items():
        if key in WITNESSES:
            check_falsehood(key.split("/")[1], claim, WITNESSES[key])
        else:
            check_truth(key.split("/")[1], claim)
    print("all evidence holds")
