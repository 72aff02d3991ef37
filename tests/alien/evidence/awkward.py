"""Recompute the evidence in exact or 50-digit arithmetic, then evaluate each body once at its witness."""

import math
from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import numpy as np
from parts import part

from harness import Draw
from harness.testing import instance

known = part("known", "awkward")
aside = part("aside", "awkward")

mp.mp.dps = 50
WITNESSES = {**known.WITNESSES, **aside.WITNESSES}
PROOFS = {**known.PROOFS, **aside.PROOFS}
M = mp.mpf


def vec(x):
    return [M(t) for t in x]


def norm(x):
    return mp.sqrt(sum(t * t for t in x))


def variance(x):
    return sum(t * t for t in x) / len(x) - (sum(x) / len(x)) ** 2


def rosenbrock(v):
    y = [t - M("0.3") * mp.sin(i) for i, t in enumerate(v["x"])]
    return 1, sum(20 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in pairwise(y))


def ill_conditioned(v):
    x, c = v["x"], [mp.cos(i + 1) for i in range(100)]
    dot = sum(a * b for a, b in zip(c, x, strict=True)) / sum(a * a for a in c)
    y = [a - 2 * b * dot for a, b in zip(x, c, strict=True)]
    return M("0.1"), sum(mp.mpf(10) ** (M(4 * i) / 99) * (t - mp.sin(i) / 2) ** 2 for i, t in enumerate(y))


def smallest_eigenvalue(v):
    eigenvalues = [Fraction(0)] + [Fraction(1, 7)] * 7
    m = sum(eigenvalues) / 8
    s = mp.sqrt(M(1) / (8 * 7) - M(1) / 64)
    assert all(abs(v["a"][i][j] - (i == j) * (i > 0) / 7) < 1e-15 for i in range(8) for j in range(8))
    return M(m.numerator) / m.denominator - M("0.85") * mp.sqrt(7) * s, 0


def signed_permutation(v):
    a, b = sorted(abs(t) for t in v["x"]), sorted(abs(t) for t in v["y"])
    return variance(a) / 100, sum((s - t) ** 2 for s, t in zip(a, b, strict=True)) / 12


def divisors(v):
    n = int(v["n"])
    return sum(n % d == 0 for d in range(1, n + 1)), 150


def needle(v):
    distance = sum(abs(t - M("0.8") * mp.sin(3 * (i + 1))) for i, t in enumerate(v["x"]))
    return 1 / (1 + 100 * distance), M("0.5")


def plateau(v):
    pattern = [mp.sign(mp.cos(i * i + 1)) for i in range(12)]
    return sum(a * b for a, b in zip(pattern, v["x"], strict=True)) / 12 - M("0.3"), M("0.5")


def twelve_directions(v):
    option = [mp.cos(M(7) / 4 * k + k) for k in (1, 2, 3, 5)]
    option = [M("1.3") * t / norm(option) for t in option]
    assert max(abs(a - b) for a, b in zip(option, v["v"], strict=True)) < 1e-14
    assert norm(v["x"]) <= 1 + M(10) ** -15
    return sum(a * b for a, b in zip(option, v["x"], strict=True)), 1


def sides(v):
    """Both sides at the witness, by the id of the claim."""
    return {
        "plain-small-whole-scale": lambda: (M("1e-6") * sum(v["x"]), sum(t * t for t in v["x"])),
        "subtle-rosenbrock": lambda: rosenbrock(v),
        "plain-small-units": lambda: ((v["x"] + v["y"]) ** 2, M("1.8") * (v["x"] ** 2 + v["y"] ** 2)),
        "subtle-powers-of-two": lambda: (mp.log(v["n"], 2), 15 * bin(int(v["n"])).count("1")),
        "subtle-signed-permutation": lambda: signed_permutation(v),
        "subtle-tiny-norm": lambda: (M("1e-100") * norm(v["x"]), norm(v["x"]) ** 2),
        "plain-twelve-directions": lambda: twelve_directions(v),
        "plain-forgotten-n-minus-1": lambda: (variance(v["x"]), variance(v["x"]) * 20 / 19),
        "subtle-corner-domain": lambda: (v["x"] * v["y"] * mp.sqrt(M("0.014") - v["x"] - v["y"]), M("1.3e-6")),
        "plain-smallest-eigenvalue": lambda: smallest_eigenvalue(v),
        "plain-sign-match": lambda: (
            abs(sum(a * b for a, b in zip(v["s"], v["x"], strict=True))),
            M("0.8") * mp.sqrt(30) * norm(v["x"]),
        ),
        "subtle-plateau": lambda: plateau(v),
        "subtle-divisors": lambda: divisors(v),
        "subtle-unit-scale": lambda: (norm(v["x"]), M("0.45") * (1 + norm(v["x"]) ** 2)),
        "plain-two-variables-agree": lambda: (
            (max(v["x"]) - min(v["x"])) / 100,
            max(abs(a - b) for a, b in zip(v["x"], v["y"], strict=True)),
        ),
        "plain-alternating-variation": lambda: (
            sum(abs(b - a) for a, b in pairwise(v["x"])),
            M("0.9") * 99,
        ),
        "plain-cosh-range": lambda: (mp.cosh(v["t"][0]), mp.exp(M("0.45") * v["t"][0] ** 2)),
        "plain-zero-of-one": lambda: (norm(v["y"]), 1000 * norm(v["x"]) + M("0.5")),
        "subtle-ill-conditioned": lambda: ill_conditioned(v),
        "subtle-needle": lambda: needle(v),
        "plain-large-units": lambda: (M("1.1") * sum(v["x"]) ** 2, 6 * sum(t * t for t in v["x"])),
    }


def exact(x):
    if isinstance(x, list):
        return [exact(t) for t in x]
    return M(x)


def deterministic(name, body, witness):
    lhs, rhs = sides({k: exact(x) for k, x in witness["values"].items()})[name]()
    a, b = (float(np.asarray(t).reshape(-1)[0]) for t in body(instance(**witness["values"]), **witness["params"]))
    scale = max(abs(lhs), abs(rhs))
    assert (lhs - rhs) / scale > 1e-6 or "minus-1" in name, name
    unit = 1e-100 if name == "plain-small-units" else 1
    agree = abs(a - lhs * unit) + abs(b - rhs * unit) < 1e-6 * scale * unit
    print(
        f"{name:32} {mp.nstr(lhs, 8):>14} > {mp.nstr(rhs, 8):<14}",
        f"float64: {a:.8g} {b:.8g} {'ok' if agree else 'DISAGREES'}",
    )
    assert agree


def drawn():
    p = M("0.001")
    bound = p + mp.sqrt(2 * p * (1 - p) * mp.log(20) / 100)
    assert bound < M("0.01")
    print("rare-variance-bound: P =", 1 - (1 - p) ** 100)
    mean = sum(mp.binomial(50, k) * abs(M(k) / 50 - M("0.5")) for k in range(51)) / M(2) ** 50
    print(
        "absolute-deviation: excess",
        mean - M("0.75") * mp.sqrt(M("0.005")),
        "of deviation",
        mp.sqrt(M("0.005") - mean**2),
    )
    print("maximum-of-uniforms: excess", M(5) / 6 - M(4) / 5, "of deviation", mp.sqrt(M(5) / (36 * 7)))
    print("dime: P(S >= 4), P(S >= 3):", *(sum(mp.binomial(10, j) * M("0.1") ** j * M("0.9") ** (10 - j)
                                          for j in range(k, 11)) for k in (4, 3)))  # fmt: skip
    for n in (1, 4, 9):
        worst = 0
        rng = np.random.default_rng(n)
        signs = 1 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        for _ in range(2000):
            w = rng.integers(-3, 4, n) if rng.random() < 0.7 else rng.integers(-50, 51, n)
            worst = max(worst, np.mean((signs @ w) ** 2 > (w * w).sum()))
        print("tomaszewski: n =", n, "largest probability of an event over 2000 integer weights", worst)
    for n in (16, 64, 256, 1024):
        u = np.random.default_rng(1).random((2000, n)).mean(1) - 0.5
        print("mean-rate: sqrt(n) E|.| =", round(float(np.abs(u).mean() * math.sqrt(n)), 4), end="  ")
    print()
    grid = [16, 64, 256, 1024, 4096, 16384]
    value = [n**-0.5 + 5 / n for n in grid]
    print("two-term-rate:", [round(math.log(b / a) / math.log(4), 3) for a, b in pairwise(value)])


def muller():
    for start in ((2, -4), (5, 5), (6, 6)):
        u, v = map(Fraction, start)
        values = []
        for _ in range(29):
            u, v = v, 111 - 1130 / v + 3000 / (v * u)
            values.append(v)
        assert all(t <= 10 for t in values[1:])
    a, b = Fraction(77617), Fraction(33096)
    value = (
        Fraction(1335, 4) * b**6
        + a**2 * (11 * a**2 * b**2 - b**6 - 121 * b**4 - 2)
        + Fraction(11, 2) * b**8
        + a / (2 * b)
    )
    assert value == Fraction(-54767, 66192)


def truths():
    """The drawn truths, once each, at a tie."""
    for body, values, params in (
        (known.tomaszewski, {"w": [0.3]}, {"n": 1, "delta": 0.5}),
        (known.tomaszewski, {"w": [0.1] * 4}, {"n": 4, "delta": 0.5}),
        (known.dime_tie, {"p": 0.1}, {"n": 10, "delta": 0.02}),
        (known.square_mean_tie, {"p": 0.3}, {"n": 4}),
        (aside.importance_tie, {"p": 0.01}, {}),
    ):
        lhs, rhs = body(instance(**values), Draw(20_000, ("awkward", body.id)), **params)
        gap = np.asarray(lhs - rhs)
        print(f"{body.id}: float events {(gap > 0).mean():.4f}, mean {gap.mean():.4f}, largest {gap.max():.3g}")
    for body in (known.late_rate, aside.log_over_n, aside.run_of_heads):
        print(body.id, [float(body(Draw(2000, ("awkward", n)), n=n).mean()) for n in (1, 8, 512)])


def main():
    claims = {}
    for module in (known, aside):
        for thing in vars(module).values():
            if hasattr(thing, "id") and str(thing.id).startswith("awkward/"):
                claims[thing.id] = thing
    assert set(claims) == set(WITNESSES) | set(PROOFS), set(claims) ^ (set(WITNESSES) | set(PROOFS))
    for identifier, witness in WITNESSES.items():
        name = identifier.split("/")[1]
        if name in sides({}):
            deterministic(name, claims[identifier], witness)
            continue
        if "exponent" in witness:
            draws = {n: Draw(2000, ("awkward", name, n)) for n in (16, 64, 256, 1024)}
            values = [float(np.asarray(claims[identifier](draw, n=n)).mean()) for n, draw in draws.items()]
            print(f"{name:32} local exponents", np.round(np.diff(np.log(values)) / math.log(4), 3))
            continue
        draw = Draw(20_000, ("awkward", name))
        lhs, rhs = claims[identifier](instance(**witness["values"]), draw, **witness["params"])
        gap = np.asarray(lhs - rhs)
        key = "mean" if "mean" in witness else "probability"
        seen = gap if key == "mean" else gap > 0
        print(f"{name:32} {key} {witness[key]:.6g}, simulated {seen.mean():.6g}")
        assert abs(seen.mean() - witness[key]) < 5 * seen.std() / math.sqrt(20_000) + 1e-9, name
    drawn()
    muller()
    truths()


main()
