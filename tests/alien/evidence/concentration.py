"""Recompute the evidence without the bodies (fractions, mpmath), then evaluate every body once at its witness."""

import itertools
import math
from fractions import Fraction

import mpmath as mp
from parts import part

from harness import Draw
from harness.testing import instance

known = part("known", "concentration")
aside = part("aside", "concentration")

mp.mp.dps = 50
WITNESSES = {**known.WITNESSES, **aside.WITNESSES}
PROOFS = {**known.PROOFS, **aside.PROOFS}
HALF = Fraction(1, 2)


def binomial(n, p, keep):
    """Probability that Bin(n, p) satisfies keep, in exact rational arithmetic."""
    p = Fraction(p)
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1) if keep(j))


def walk_maximum(n):
    """E max_k S_k^2 / n for the simple walk."""
    law = {(0, 0): Fraction(1)}
    for _ in range(n):
        after = {}
        for (top, s), mass in law.items():
            for t in (s - 1, s + 1):
                key = (max(top, abs(t)), t)
                after[key] = after.get(key, 0) + mass * HALF
        law = after
    return sum(mass * top * top for (top, _), mass in law.items()) / n


def crossing(n, delta):
    """P(some k <= n has |S_k| > sqrt(2 k log(2/delta))) for the simple walk."""
    law, out = {0: Fraction(1)}, Fraction(0)
    for k in range(1, n + 1):
        after = {}
        for s, mass in law.items():
            for t in (s - 1, s + 1):
                after[t] = after.get(t, 0) + mass * HALF
        level = mp.sqrt(2 * k * mp.log(2 / mp.mpf(delta)))
        out += sum(mass for t, mass in after.items() if abs(t) > level)
        law = {t: mass for t, mass in after.items() if abs(t) <= level}
    return out


def no_collision(w, n):
    """n! times the elementary symmetric function of degree n."""
    e = [mp.mpf(1)] + [mp.mpf(0)] * n
    for x in w:
        for j in range(n, 0, -1):
            e[j] += e[j - 1] * mp.mpf(x)
    return mp.factorial(n) * e[n]


def kl(a, p):
    """Binary relative entropy."""
    first = a * mp.log(a / p) if a else 0
    return first + ((1 - a) * mp.log((1 - a) / (1 - p)) if a < 1 else 0)


def drawn():
    """Exact probability of violation or mean excess at each drawn witness."""
    bernstein = mp.sqrt(2 * mp.mpf("0.001") * mp.mpf("0.999") * mp.log(20) / 100)
    chebyshev = mp.sqrt(mp.mpf("0.004") * mp.mpf("0.996") / (2 * 20 * mp.mpf("0.05")))
    heavy = WITNESSES["concentration/subtle-birthday-exponential"]["values"]["w"]
    square = mp.fsum(mp.mpf(x) ** 2 for x in heavy)
    pairs = [Fraction(sum(c), 2) - HALF for c in itertools.combinations((1, 1, 0, 0), 2)]
    p9 = Fraction("0.06")
    spread = sum(abs(Fraction(j, 9) - p9) * math.comb(9, j) * p9**j * (1 - p9) ** (9 - j) for j in range(10))
    stakes = [max(m) for m in ([1 + a, (1 + a) * (1 + b)] for a in (1, -1) for b in (1, -1))]
    signs = list(itertools.product((1, -1), repeat=3))
    rare = mp.mpf("0.0138")
    return {
        "plain-bernstein-without-linear-term": binomial(100, "0.001", lambda j: j / mp.mpf(100) - 0.001 > bernstein),
        "plain-chi-square-one-term": mp.erfc(mp.sqrt((1 + 2 * mp.sqrt(mp.log(100))) / 2)),
        "subtle-khinchine-constant": mp.mpf("0.725") - 1 / mp.sqrt(2),
        "plain-small-ball-one-half": Fraction(sum(sum(e) ** 2 < 3 for e in signs), 8),
        "plain-doob-without-four": walk_maximum(4) - 1,
        "plain-ville-square-root": Fraction(sum(m * m > 10 for m in stakes), 4),
        "plain-finite-population": sum(x * x for x in pairs) / 6 - Fraction(1, 16),
        "plain-chebyshev-halved": binomial(20, "0.004", lambda j: abs(j / mp.mpf(20) - mp.mpf("0.004")) > chebyshev),
        "subtle-doob-one-and-a-half": walk_maximum(40) - Fraction(3, 2),
        "subtle-birthday-exponential": no_collision(heavy, 5) - mp.exp(-10 * square),
        "plain-finite-class-without-two": 1 - mp.sqrt(mp.log(2)),
        "plain-biased-variance": Fraction(1, 4) - Fraction(1, 4) * Fraction(4, 5),
        "plain-sums-of-tenths-too-low": binomial(10, HALF, lambda j: j > 6),
        "plain-efron-stein-quarter": Fraction(1, 4) - Fraction(1, 4) * HALF,
        "subtle-two-sided-kl": binomial(50, "0.0138", lambda j: 50 * kl(j / mp.mpf(50), rare) > mp.log(2)),
        "plain-anytime-for-free": crossing(200, "0.2"),
        "plain-mean-absolute-deviation-gaussian": mp.mpf(spread.numerator) / spread.denominator
        - mp.sqrt(2 * mp.mpf("0.06") * mp.mpf("0.94") / (9 * mp.pi)),
        "plain-fourth-moment-sparse": Fraction(27, 10) + 1 / (10 * Fraction("0.05")) - 3,
    }


def sides():
    """Both sides at each deterministic witness, in 50 digits."""
    u, s, p = mp.mpf("0.046875"), mp.mpf(4.394449154672439), mp.mpf(0.1)
    k, n, q = 2, 6, mp.mpf(0.3)
    spread = mp.fsum(mp.binomial(n, j) * q**j * (1 - q) ** (n - j) * abs(j - n * q) for j in range(n + 1))
    weights, values = [mp.mpf(0.9), mp.mpf(0.1)], [mp.mpf(0.1), mp.mpf(1)]
    mean = mp.fsum(w * x for w, x in zip(weights, values, strict=True))
    square = mp.fsum(w * x * x for w, x in zip(weights, values, strict=True))
    above = mp.fsum(w for w, x in zip(weights, values, strict=True) if x > mp.mpf(0.6) * mean)
    ridge = mp.mpf("0.9999") * s**2 * (1 - 2 * p) / (4 * mp.log((1 - p) / p))
    return {
        "subtle-bennett-denominator": (u**2 / (2 * (1 + u / mp.mpf("3.05"))), (1 + u) * mp.log(1 + u) - u),
        "plain-hoeffding-lemma-variance": (mp.log(1 - p + p * mp.exp(2)) - 2 * p, p * (1 - p) * 2),
        "plain-hoeffding-tail-three": (mp.mpf(2) ** -20, mp.exp(-15)),
        "plain-paley-zygmund-not-squared": ((1 - mp.mpf(0.6)) * mean**2, above * square),
        "subtle-wallis-integer": (mp.sqrt(mp.mpf("62.251")), mp.gamma(63) / mp.gamma(mp.mpf("62.5"))),
        "subtle-kearns-saul-ridge": (mp.log(1 - p + p * mp.exp(s)) - p * s, ridge),
        "plain-de-moivre-exponent": (spread, 2 * k * mp.binomial(n, k) * q**k * (1 - q) ** (n - k)),
    }


def rates():
    """Local exponents at the far end: from the stable law, and from the exact mean squared error."""
    error = [(100 + Fraction(n, 4)) / (n + 20) ** 2 for n in (51200, 204800)]
    return {
        "plain-rate-heavy-tail": float(1 / mp.mpf("1.3") - 1),
        "plain-rate-pseudo-counts": math.log(error[1] / error[0]) / math.log(4),
    }


def body(name):
    """The claim's function."""
    attribute = name.replace("-", "_")
    return getattr(known, attribute, None) or getattr(aside, attribute)


def number(x):
    """A float from a fraction or an mpmath number."""
    return float(x) if not isinstance(x, Fraction) else x.numerator / x.denominator


def main():
    """Compare evidence, witnesses and bodies."""
    exact_drawn, exact_sides, exact_rates = drawn(), sides(), rates()
    seen = set(exact_drawn) | set(exact_sides) | set(exact_rates)
    assert {f"concentration/{name}" for name in seen} == set(WITNESSES), seen ^ {w[14:] for w in WITNESSES}
    for name, value in exact_drawn.items():
        witness = WITNESSES[f"concentration/{name}"]
        stated = witness.get("probability", witness.get("mean"))
        params, trials = witness["params"], 100_000
        lhs, rhs = body(name)(instance(**witness["values"]), Draw(trials, ("verify", name)), **params)
        gap = lhs - rhs
        sample = (gap > 1e-12).double() if "probability" in witness else gap
        error = max(sample.std().item(), 1e-12) / math.sqrt(trials)
        z = (sample.mean().item() - number(value)) / error
        ratio = number(value) / params["delta"] if "probability" in witness else number(value) / sample.std().item()
        print(f"{name:42} exact {number(value):.6f} stated {stated} z {z:+.2f} ratio {ratio:.3f}")
        assert stated is not None
        assert abs(number(value) - stated) < 1e-6, (value, stated)
        assert abs(z) < 5 or abs(sample.mean().item() - number(value)) < 1e-9
        assert ratio >= (1.25 if "probability" in witness else 0.02)
    for name, (left, right) in exact_sides.items():
        witness = WITNESSES[f"concentration/{name}"]
        lhs, rhs = body(name)(instance(**witness["values"]), **witness["params"])
        relative = float((left - right) / right)
        print(
            f"{name:42} {float(left):.9e} {float(right):.9e} relative {relative:.2e} body {lhs.item():.9e}", float(rhs)
        )
        assert abs(relative) > 1e-6
        assert abs(lhs.item() / left - 1) < 1e-9
        assert abs(float(rhs) / right - 1) < 1e-9
    for name, value in exact_rates.items():
        print(f"{name:42} exponent {value:.4f} stated {WITNESSES['concentration/' + name]['exponent']}")


if __name__ == "__main__":
    main()
