# ruff: noqa: PLR0912, PLR0915
"""Evidence for the falsehoods of `classical`, recomputed with mpmath, fractions and enumeration.

Every witness is evaluated twice: here, without the claims' bodies, and by the body in float64; both must agree and
violate the statement.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import torch
from parts import part

from harness import Draw
from harness.testing import instance

known = part("known", "classical")
aside = part("aside", "classical")

mp.mp.dps = 50
M = mp.mpf


def dist(u, v):
    return mp.sqrt(sum((M(a) - M(b)) ** 2 for a, b in zip(u, v, strict=True)))


def signed(a):
    return [abs(sum(e * x for e, x in zip(eps, a, strict=True))) for eps in itertools.product((-1, 1), repeat=len(a))]


def dot(u, v):
    return mp.fsum(M(a) * M(b) for a, b in zip(u, v, strict=True))


def integer_det(rows):
    rows = [[Fraction(x) for x in row] for row in rows]
    det = Fraction(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot], det = rows[pivot], rows[i], -det
        det *= rows[i][i]
        for r in range(i + 1, len(rows)):
            f = rows[r][i] / rows[i][i]
            rows[r] = [x - f * y for x, y in zip(rows[r], rows[i], strict=True)]
    return det


def mills(x):
    return mp.sqrt(mp.pi / 2) * mp.exp(x**2 / 2) * mp.erfc(x / mp.sqrt(2))


def heron_sides(p, q, r, c):
    x, y, z = dist(q, r), dist(r, p), dist(p, q)
    s = (x + y + z) / 2
    area = mp.sqrt(max(M(0), s * (s - x) * (s - y) * (s - z)))
    return 4 * mp.sqrt(3) * area + M(c) * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2), x * x + y * y + z * z


def esp(x, k):
    return sum(math.prod(map(Fraction, c)) for c in itertools.combinations(x, k))


def exact(name, params, v):
    """Both sides at the witness, 50 digits."""
    n = params.get("n")
    if name == "plain-unweighted-amgm":
        return mp.fprod(M(x) ** M(w) for x, w in zip(v["x"], v["w"], strict=True)), mp.fsum(map(M, v["x"])) / n
    if name == "subtle-shapiro-26":
        x = [Fraction(round(100 * t), 100) for t in v["x"]]
        total = sum(x[i] / (x[(i + 1) % n] + x[(i + 2) % n]) for i in range(n))
        return Fraction(n, 2), total
    if name == "plain-bernoulli-small-power":
        return 1 + M(v["r"]) * M(v["x"]), (1 + M(v["x"])) ** M(v["r"])
    if name == "subtle-popoviciu-unbiased":
        x = list(map(Fraction, v["x"]))
        mean = sum(x) / n
        return sum((t - mean) ** 2 for t in x) / (n - 1), (max(x) - min(x)) ** 2 / 4
    if name == "plain-kantorovich-unsquared":
        a = sum(M(w) * M(x) for x, w in zip(v["x"], v["w"], strict=True))
        b = sum(M(w) / M(x) for x, w in zip(v["x"], v["w"], strict=True))
        return a * b, (1 + M(params["top"])) / (2 * mp.sqrt(params["top"]))
    if name == "subtle-gibbs":
        return mp.fsum(mp.sin(k * M(v["x"])) / k for k in range(1, n + 1)), M("1.75")
    if name == "plain-ptolemy-l1":
        d = {
            s: sum(abs(a - b) for a, b in zip(v[s[0]], v[s[1]], strict=True))
            for s in ("ac", "bd", "ab", "cd", "bc", "ad")
        }
        return M(d["ac"] * d["bd"]), M(d["ab"] * d["cd"] + d["bc"] * d["ad"])
    if name == "subtle-sampford-constant":
        x = M(v["x"])
        return mills(x), 4 / (3 * x + mp.sqrt(x**2 + M("8.3")))
    if name == "plain-littlewood-offord-closed":
        a, c = v["a"], v["centre"]
        sums = [sum(e * x for e, x in zip(eps, a, strict=True)) for eps in itertools.product((-1, 1), repeat=n)]
        return Fraction(sum(abs(s - c) <= 1 for s in sums), 2**n), Fraction(math.comb(n, n // 2), 2**n)
    if name == "subtle-grothendieck":
        a, u, w = v["a"], v["u"], v["v"]
        lhs = mp.fsum(M(a[i][j]) * dot(u[i], w[j]) for i in range(n) for j in range(n))
        cut = max(
            sum(a[i][j] * s[i] * t[j] for i in range(n) for j in range(n))
            for s in itertools.product((-1, 1), repeat=n)
            for t in itertools.product((-1, 1), repeat=n)
        )
        return lhs, M("1.3") * M(cut)
    if name == "plain-markov-linear":
        c = v["c"]
        lhs = abs(mp.fsum(M(c[j]) * j * j for j in range(n + 1)))
        nodes = [abs(mp.fsum(M(c[j]) * mp.cos(mp.pi * j * k / n) for j in range(n + 1))) for k in range(n + 1)]
        return lhs, n * max(nodes)
    if name == "subtle-hadwiger-needle":
        return heron_sides(v["p"], v["q"], v["r"], "1.01")
    if name == "plain-chord-squared":
        return 1 - dot(v["u"], v["w"]), 2 - dot(v["u"], v["v"]) - dot(v["v"], v["w"])
    if name == "subtle-divisors-12":
        m = int(v["n"])
        bad = [t for t in range(1, 2001) if sum(t % k == 0 for k in range(1, t + 1)) > 1.7 * t**0.5]
        assert bad == [12], bad
        return M(sum(m % k == 0 for k in range(1, m + 1))), M("1.7") * mp.sqrt(m)
    if name == "plain-kershaw-swapped":
        x, s = M(v["x"]), M(v["s"])
        return mp.gamma(x + 1) / mp.gamma(x + s), (x + s / 2) ** (1 - s)
    if name == "subtle-jung-space":
        x, w = v["x"], v["w"]
        centre = [sum(M(wi) * M(xi[d]) for wi, xi in zip(w, x, strict=True)) for d in range(3)]
        lhs = mp.fsum(M(wi) * dist(xi, centre) ** 2 for wi, xi in zip(w, x, strict=True))
        return lhs, max(dist(p, q) ** 2 for p in x for q in x) / 3
    if name == "subtle-nesbitt-power":
        t, x, y, z = (M(v[k]) for k in "txyz")
        return 3 / 2**t, (x / (y + z)) ** t + (y / (z + x)) ** t + (z / (x + y)) ** t
    if name == "subtle-central-binomial":
        m = int(v["n"])
        return M(math.comb(2 * m, m)) / M(4) ** m, 1 / mp.sqrt(mp.pi * (m + M("0.26")))
    if name == "plain-newton-index":
        k, x = params["k"], v["x"]
        return esp(x, k - 1) * esp(x, k + 1), Fraction(k * (n - k - 1), (k + 1) * (n - k)) * esp(x, k) ** 2
    if name == "subtle-sign-determinant":
        return abs(integer_det(v["a"])), Fraction(512)
    if name == "plain-hilbert-two":
        a, b = v["a"], v["b"]
        lhs = mp.fsum(M(a[i]) * M(b[j]) / (i + j + 1) for i in range(n) for j in range(n))
        return lhs, 2 * mp.sqrt(dot(a, a) * dot(b, b))
    if name == "subtle-log-mean":
        a, b, p = M(v["a"]), M(v["b"]), M("0.325")
        return (a - b) / mp.log(a / b), ((a**p + b**p) / 2) ** (1 / p)
    if name == "plain-chebyshev-unsorted":
        x, y = sorted(v["x"]), v["y"]
        return M(sum(x)) * M(sum(y)) / n**2, dot(x, y) / n
    if name == "subtle-vector-balancing":
        low = min(
            mp.sqrt(sum(sum(e * row[d] for e, row in zip(eps, v["v"], strict=True)) ** 2 for d in range(n)))
            for eps in itertools.product((-1, 1), repeat=n)
        )
        return low, M("0.93") * mp.sqrt(n)
    if name == "plain-hardy-two":
        a = list(map(M, v["a"]))
        return mp.fsum((mp.fsum(a[: k + 1]) / (k + 1)) ** 2 for k in range(n)), 2 * dot(a, a)
    if name == "subtle-pair-signs":
        s = v["s"]
        return Fraction(-(n - 1), 2), Fraction(int(sum(p * q for p, q in itertools.combinations(s, 2))))
    raise KeyError(name)


def drawn(name, params, w):
    """The exact probability or mean excess at the witness."""
    v, n = w["values"], params.get("n")
    if name == "plain-tomaszewski-third":
        length = dot(v["a"], v["a"])
        share = sum(M(s) ** 2 > length for s in signed(v["a"])) / 2**n
        assert share >= 1.25 * params["delta"]
        assert math.isclose(share, w["probability"])
        return share
    if name == "subtle-one-success":
        share = n * M(v["p"]) * (1 - M(v["p"])) ** (n - 1)
        assert share >= 1.25 * params["delta"]
        assert math.isclose(share, w["probability"], rel_tol=1e-10)
        return share
    if name == "plain-khintchine-gaussian":
        mean = mp.fsum(signed(v["a"])) / 2**n - mp.sqrt(2 / mp.pi) * mp.sqrt(dot(v["a"], v["a"]))
        assert math.isclose(mean, w["mean"], rel_tol=1e-10)
        return mean
    raise KeyError(name)


def closest_pair_exponent():
    rng = np.random.default_rng(5)
    sizes = [8, 16, 32, 64, 128]
    means = []
    for n in sizes:
        x = rng.random((2000, n, 2))
        d = ((x[:, :, None] - x[:, None]) ** 2).sum(-1) + 4 * np.eye(n)
        means.append(np.sqrt(d.min((1, 2))).mean())
    return np.polyfit(np.log(sizes), np.log(means), 1)[0]


def main():
    functions = {
        f"classical/{name.replace('_', '-')}": f
        for module in (known, aside)
        for name, f in vars(module).items()
        if name.startswith(("true_", "plain_", "subtle_"))
    }
    claims = {**known.PROOFS, **aside.PROOFS, **known.WITNESSES, **aside.WITNESSES}
    assert set(claims) == set(functions), set(claims) ^ set(functions)
    for key, w in {**known.WITNESSES, **aside.WITNESSES}.items():
        name, body, params = key.split("/")[1], functions[key], w["params"]
        if "exponent" in w:
            slope = closest_pair_exponent()
            print(f"{name:34s} exponent {slope:.3f}")
            assert slope > -1.5 + 0.35
        elif "probability" in w or "mean" in w:
            value = float(drawn(name, params, w))
            lhs, rhs = body(instance(**w["values"]), Draw(20_000, ("verify", name)), **params)
            gap = lhs - rhs
            seen = (gap > 1e-12).double().mean() if "probability" in w else gap.mean()
            print(f"{name:34s} exact {value:.6f} simulated {float(seen):.6f}")
            assert abs(value - float(seen)) < 0.02
        else:
            lhs, rhs = (float(s) for s in exact(name, params, w["values"]))
            relative = (lhs - rhs) / max(abs(lhs), abs(rhs))
            sides = [
                float(torch.as_tensor(s, dtype=torch.float64).flatten()[0])
                for s in body(instance(**w["values"]), **params)
            ]
            print(f"{name:34s} {lhs:.9g} > {rhs:.9g}  relative {relative:.3g}")
            assert relative > 1e-6
            assert np.allclose(sides, [lhs, rhs], rtol=1e-11, atol=1e-13), (name, sides, lhs, rhs)


main()
