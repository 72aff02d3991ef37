"""Recompute the evidence of `matrices` independently: mpmath, fractions, enumeration, scipy."""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import torch
from parts import part
from scipy import stats

from harness import Draw
from harness.testing import instance

known = part("known", "matrices")
aside = part("aside", "matrices")

mp.mp.dps = 50
torch.set_num_threads(1)
WITNESSES = known.WITNESSES | aside.WITNESSES
CLAIMS = {c.id: c for module in (known, aside) for c in vars(module).values() if hasattr(c, "cite")}


def eig(m):
    return sorted(mp.eigsy(m, eigvals_only=True))


def root(m):
    e, q = mp.eigsy(m)
    return q * mp.diag([mp.sqrt(max(x, 0)) for x in e]) * q.T


def fro2(m):
    return sum(x * x for x in m)


def trace(m):
    return sum(m[i, i] for i in range(m.rows))


def nuc(m):
    return sum(mp.svd_r(m, compute_uv=False))


def top(m):
    return max(mp.svd_r(m, compute_uv=False))


def sym(m):
    return (m + m.T) / 2


def exp(m):
    e, q = mp.eigsy(m)
    return q * mp.diag([mp.exp(x) for x in e]) * q.T


def weyl_second(a, b):
    return eig(a + b)[-2], eig(a)[-2] + eig(b)[-2]


def triple(a, b, c):
    return -trace(a * b * c), mp.mpf("0.1235")


def square(a, b):
    return -eig((a + b) ** 2 - a**2)[0], mp.mpf(0)


def davis_kahan(a, x):
    (e, q), (_, moved) = mp.eigsy(a), mp.eigsy(a + sym(x))
    c = sum(q[i, a.rows - 1] * moved[i, a.rows - 1] for i in range(a.rows))
    return mp.sqrt(1 - c**2) * (e[a.rows - 1] - e[a.rows - 2]), top(sym(x))


def det7(s):
    return abs(mp.det(s)), mp.mpf(560)


def radius(a, e):
    return max(map(abs, mp.eig(a + e)[0])), max(a[i, i] for i in range(3)) + top(e)


def minkowski(a, b):
    p = mp.mpf(1) / (a.rows + 1)
    return mp.det(a) ** p + mp.det(b) ** p, mp.det(a + b) ** p


def integer(a):
    return fro2(a) / abs(a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]), mp.mpf(300)


def root_frobenius(a, b):
    return fro2(root(a) - root(b)), mp.sqrt(fro2(a - b))


def absolute(x, y):
    return mp.sqrt(fro2(root(x.T * x) - root(y.T * y))), mp.sqrt(fro2(x - y))


def six(x):
    g = x * x.T
    return mp.mpf("0.46"), max(abs(g[i, j]) for i in range(6) for j in range(i))


def golden(x, y, z):
    a, b, c = sym(x), sym(y), sym(z)
    return trace(exp(a + b + c)), trace(exp(a) * exp(b) * exp(c))


def interlace(x):
    a, n = sym(x), x.rows
    outer, inner = eig(a), eig(a[: n - 2, : n - 2])
    return max(inner[k] - outer[k + 1] for k in range(n - 2)), mp.mpf(0)


def anticommutator(a, b):
    return -eig(a * b + b * a)[0], mp.mpf("0.2475")


def commutator(a, b):
    return fro2(a * b - b * a), mp.mpf("1.96") * fro2(a) * fro2(b)


def cholesky(a, b):
    ridge = mp.eye(a.rows) * mp.mpf("0.15")
    return fro2(mp.cholesky(a + ridge) - mp.cholesky(b + ridge)), sum(map(abs, eig(a - b)))


def nuclear_trace(x):
    a = mp.eye(x.rows) * mp.mpf("3.5") + sym(x)
    return nuc(a), trace(a)


def hilbert(x):
    n = len(x)
    left = sum(x[i] * x[j] / (i + j + 1) for i in range(n) for j in range(n))
    return left, mp.mpf("2.1") * sum(t * t for t in x)


def nuclear(x):
    return nuc(x), mp.sqrt(mp.mpf("0.98") * x.rows * fro2(x))


def kantorovich(w, e):
    a = [mp.mpf(10) ** t for t in e]
    left = mp.fdot(w, a) * sum(p / q for p, q in zip(w, a, strict=True))
    return left, (1 + mp.log(max(a) / min(a))) ** 2


def singular(a, b):
    second, first, other = (sorted(mp.svd_r(m, compute_uv=False))[-2] for m in (a * b, a, b))
    return second, first * other


def tsirelson(u, v):
    g = u * v.T
    return g[0, 0] + g[0, 1] + g[1, 0] - g[1, 1], mp.mpf("2.8")


def gershgorin(x):
    a, n = sym(x), x.rows
    return eig(a)[-1], max(a[i, i] + sum(abs(a[i, j]) for j in range(n) if j != i) / 2 for i in range(n))


EXACT = {
    "plain-singular-product": singular,
    "subtle-tsirelson": tsirelson,
    "plain-gershgorin-half": gershgorin,
    "plain-weyl-second": weyl_second,
    "subtle-triple-trace": triple,
    "plain-square-monotone": square,
    "plain-davis-kahan-one": davis_kahan,
    "subtle-sign-determinant-seven": det7,
    "plain-spectral-radius-perturbed": radius,
    "plain-minkowski-exponent": minkowski,
    "subtle-integer-condition": integer,
    "plain-root-frobenius": root_frobenius,
    "plain-absolute-value-lipschitz": absolute,
    "subtle-six-lines": six,
    "plain-golden-thompson-three": golden,
    "plain-interlacing-two-deleted": interlace,
    "subtle-anticommutator": anticommutator,
    "subtle-commutator": commutator,
    "subtle-cholesky-stormer": cholesky,
    "plain-nuclear-trace": nuclear_trace,
    "plain-hilbert-constant": hilbert,
    "subtle-nuclear-frobenius": nuclear,
    "plain-kantorovich-log": kantorovich,
}


def as_mp(v):
    return mp.matrix(v) if isinstance(v[0], list) else [mp.mpf(t) for t in v]


def signs(n):
    return np.array(list(itertools.product((-1.0, 1.0), repeat=n)))


def check_deterministic(name, w):
    lhs, rhs = EXACT[name](*map(as_mp, w["values"].values()))
    got = [
        float(torch.as_tensor(s, dtype=torch.float64).reshape(-1)[0])
        for s in CLAIMS["matrices/" + name].body(instance(**w["values"]), **w["params"])
    ]
    relative = float((lhs - rhs) / max(abs(lhs), abs(rhs)))
    agree = all(abs(g - float(s)) <= 1e-7 * (1 + abs(float(s))) for g, s in zip(got, (lhs, rhs), strict=True))
    # the radius of the Jordan block is a cube root: compare loosely, rounding is amplified
    agree = agree or (name.endswith("perturbed") and abs(got[0] - float(lhs)) < 1e-5)
    print(
        f"{name:38s} lhs {float(lhs):.8g} rhs {float(rhs):.8g} relative {relative:.3g} body {got[0]:.8g} {got[1]:.8g}"
    )
    assert relative > 1e-6, name
    assert agree, name


def drawn(name, w, reps=100_000):
    claim = CLAIMS["matrices/" + name]
    draw = Draw(reps, ("verify", name))
    args = (instance(**w["values"]), draw) if w["values"] else (draw,)
    lhs, rhs = (torch.as_tensor(s, dtype=torch.float64) for s in claim.body(*args, **w["params"]))
    return torch.broadcast_to(lhs - rhs, (reps,))


def check_probability(name, exact):
    w = WITNESSES["matrices/" + name]
    seen = float((drawn(name, w) > 1e-9).double().mean())
    print(f"{name:38s} P {exact:.6f} stated {w['probability']:.6f} seen {seen:.5f} delta {w['params']['delta']}")
    assert abs(exact - w["probability"]) < 1e-5
    assert abs(seen - exact) < 5 * math.sqrt(exact / 1e5)
    assert exact >= 1.25 * w["params"]["delta"] - 1e-12


def check_mean(name, gap, low):
    w = WITNESSES["matrices/" + name]
    mean, deviation = float(gap.mean()), float(gap.std())
    seen = float(drawn(name, w).mean())
    print(f"{name:38s} mean {mean:.6f} sd {deviation:.4f} low {low:.4f} stated {w['mean']:.6f} simulated {seen:.5f}")
    assert abs(mean - w["mean"]) < 1e-12
    assert abs(seen - mean) < 5 * deviation / math.sqrt(1e5)
    assert mean >= 0.02 * deviation
    assert mean >= 0.005 * abs(low)
    assert gap.min() >= low


def main():
    for name, w in WITNESSES.items():
        if name.split("/")[1] in EXACT:
            check_deterministic(name.split("/")[1], w)

    # drawn falsehoods
    check_probability("plain-projection-subgaussian", stats.chi2.sf(4 + 4 * math.sqrt(math.log(200)), 4))
    check_probability("plain-gaussian-series-dimension", 1 - stats.norm.cdf(math.sqrt(2 * math.log(20))) ** 30)
    singular = sum(round(np.linalg.det(np.reshape(b, (3, 3)))) == 0 for b in itertools.product((0, 1), repeat=9))
    check_probability("plain-sign-singular", float(Fraction(singular, 512)))
    check_probability("subtle-sign-sum-tail", float(np.mean(np.abs(signs(2).sum(-1)) / math.sqrt(2) > 1.4)))
    threshold = 1 + math.sqrt(20 * math.log(40))
    needed = next(k for k in range(200) if k / 200 / 0.0005 > threshold)
    check_probability("subtle-bernstein-linear-term", 1 - stats.binom.cdf(needed - 1, 200, 0.0005) ** 2)
    dets = np.round(np.linalg.det(signs(9).reshape(-1, 3, 3)))
    check_mean("plain-sign-determinant-mean", dets**2 - 5.5, -5.5)
    gaps = [2 - 2 * math.cos(math.pi / n) for n in (8, 16, 32, 64, 128)]
    print("plain-path-gap-rate slopes", np.diff(np.log(gaps)) / math.log(2))
    body = [float(CLAIMS["matrices/plain-path-gap-rate"].body(Draw(2, ("verify", n)), n=n)[0]) for n in (8, 128)]
    assert np.allclose(body, [gaps[0], gaps[-1]])
    z = signs(6)
    check_mean("plain-hutchinson-one", (z.sum(-1) ** 2 / 6 - 1) ** 2 - (1 - 1 / 6), -1.0)
    check_mean("subtle-khinchine-constant", 0.74 - np.abs(signs(2).sum(-1)) / math.sqrt(2), 0.74 - math.sqrt(10))
    rng = np.random.default_rng(0)
    errors = [np.mean([covariance_error(rng, n) for _ in range(400)]) for n in (128, 512, 2048)]
    slopes = np.diff(np.log(errors)) / math.log(4)
    print("plain-covariance-rate slopes", slopes)
    assert np.all(np.abs(slopes + 0.5) < 0.05)
    drawn_truths(rng)


def drawn_truths(rng):
    """Exactly by enumeration: smallest margins over random, tied and sparse instances."""
    worst = dict.fromkeys(("szarek", "tomaszewski", "series", "hutchinson"), -1.0)
    for _ in range(300):
        d = int(rng.integers(1, 11))
        a = rng.normal(size=d) if rng.random() < 0.5 else rng.integers(0, 3, size=d).astype(float)
        a = a / np.linalg.norm(a) if a.any() else np.eye(d)[0]
        sums = np.abs(signs(d) @ a)
        worst["szarek"] = max(worst["szarek"], math.sqrt(0.5) - sums.mean())
        worst["tomaszewski"] = max(worst["tomaszewski"], np.mean(sums > 1 + 1e-12) - 0.5)
        m, k = int(rng.integers(1, 9)), int(rng.integers(1, 4))
        x = rng.uniform(-1, 1, (m, k, k)) * (rng.random((m, 1, 1)) < 0.7)
        x = (x + x.transpose(0, 2, 1)) / 2
        tops = np.linalg.eigvalsh(np.tensordot(signs(m), x, 1))[:, -1]
        for delta in (0.05, 0.4):
            right = math.sqrt(2 * np.linalg.norm((x @ x).sum(0), 2) * math.log(k / delta))
            worst["series"] = max(worst["series"], np.mean(tops > right + 1e-12) - delta)
        g = rng.normal(size=(5, int(rng.integers(1, 6))))
        s = g @ g.T / np.trace(g @ g.T)
        form = np.einsum("ri,ij,rj->r", signs(5), s, signs(5)) - 1
        gap = form**2 - 2 * ((s**2).sum() - (np.diag(s) ** 2).sum())
        assert gap.min() > -2
        assert gap.max() < 25
        worst["hutchinson"] = max(worst["hutchinson"], abs(gap.mean()))
    print("largest excess of the drawn truths:", worst)
    assert max(worst.values()) < 1e-12

    a = rng.normal(size=(1, 60))
    for d, delta in ((1, 0.05), (5, 0.05), (60, 0.3)):
        weights = np.abs(a[0, :d]) / np.abs(a[0, :d]).sum()
        t = math.log(1 / delta)
        right = 2 * np.linalg.norm(weights) * math.sqrt(t) + 2 * weights.max() * t
        seen = np.mean((rng.normal(size=(20_000, d)) ** 2 - 1) @ weights > right)
        assert seen < delta, (d, delta, seen)
    least = [np.mean(np.linalg.svd(rng.normal(size=(2000, n, n)), compute_uv=False)[:, -1]) for n in (8, 16, 32)]
    print("least singular value, local exponents:", np.diff(np.log(least)) / math.log(2))


def covariance_error(rng, n):
    x = rng.normal(size=(n, 4))
    return np.linalg.norm(x.T @ x / n - np.eye(4), 2)


if __name__ == "__main__":
    main()
