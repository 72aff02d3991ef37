"""Recompute the evidence of `information`: mpmath and fractions beside the float64 bodies at the witnesses."""

import math
import random
from fractions import Fraction

import mpmath as mp
from parts import part

from harness import Draw
from harness.testing import instance

known = part("known", "information")
aside = part("aside", "information")

mp.mp.dps = 50
WITNESSES = {**known.WITNESSES, **aside.WITNESSES}
PROOFS = {**known.PROOFS, **aside.PROOFS}


def m(text):
    return mp.mpf(str(text))


def xlog(x, y):
    return mp.mpf(0) if x == 0 else (mp.inf if y == 0 else x * mp.log(x / y))


def kl(p, q):
    return mp.fsum(xlog(x, y) for x, y in zip(p, q, strict=True))


def ent(p):
    return -mp.fsum(xlog(x, 1) for x in p)


def tv(p, q):
    return mp.fsum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2


def two(x):
    return [m(x), 1 - m(x)]


def js(p, q):
    mid = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    return (kl(p, mid) + kl(q, mid)) / 2


def binom(n, p, g):
    """Mean and sd of g(count) under Binomial(n, p)."""
    w = [mp.binomial(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    v = [g(i) for i in range(n + 1)]
    mean = mp.fsum(a * b for a, b in zip(w, v, strict=True))
    return mean, mp.sqrt(mp.fsum(a * (b - mean) ** 2 for a, b in zip(w, v, strict=True)))


def marginal(joint, bits, keep):
    out = {}
    for i, w in enumerate(joint):
        b = format(i, f"0{bits}b")
        key = tuple(b[j] for j in keep)
        out[key] = out.get(key, 0) + w
    return ent(list(out.values()))


def mutual(joint, bits, a, b, given=()):
    h = [marginal(joint, bits, s) for s in (a + given, b + given, a + b + given, given)]
    return h[0] + h[1] - h[2] - h[3]


def deterministic():
    """Both sides of each deterministic falsehood, 50 digits."""
    out = {}
    p, q = two("0.6"), two("0.4")
    out["plain-pinsker-constant"] = m("2.2") * tv(p, q) ** 2, kl(p, q)
    p, q = two(1), two("0.25")
    out["plain-bretagnolle-huber-half"] = tv(p, q), mp.sqrt(1 - mp.exp(-kl(p, q) / 2))
    p, q = two("0.775"), two("0.355")
    t = tv(p, q)
    out["subtle-refined-pinsker"] = 2 * t**2 + m("0.55") * t**4, kl(p, q)
    out["plain-fano-without-bit"] = mp.mpf(1), mp.mpf(2) / 3
    p, q, r = two(1), two("0.5"), two(0)
    out["plain-js-triangle"] = js(p, r), js(p, q) + js(q, r)
    out["plain-chapman-robbins-swapped"] = m("0.64"), (m("0.02") + m("1.62") - 1) * (1 - m("0.64"))
    p, q = m("0.01"), m("0.99")
    out["subtle-kearns-saul"] = m("1.01") * (q - p) ** 2 * mp.log((1 - p) / p) / (1 - 2 * p), kl([q, 1 - q], [p, 1 - p])
    out["plain-dobrushin-squared"] = kl(two("0.9"), two("0.995")), kl(two("0.8"), two("0.99")) / 4
    joint = [mp.mpf(0)] * 16
    for i, w in zip((4, 11, 13, 14), ("0.35", "0.35", "0.15", "0.15"), strict=True):
        joint[i] = m(w)
    a, b, c, d = (0,), (1,), (2,), (3,)
    right = mutual(joint, 4, a, b, c) + mutual(joint, 4, a, b, d) + mutual(joint, 4, c, d)
    out["subtle-ingleton"] = mutual(joint, 4, a, b), right
    out["plain-chi2-adds"] = mp.mpf(25) / 16 - 1, mp.mpf(1) / 2
    joint = [m("0.25") if i in (0, 3, 5, 6) else mp.mpf(0) for i in range(8)]
    out["plain-conditioning-information"] = mutual(joint, 3, a, b, c), mutual(joint, 3, a, b)
    out["subtle-gaussian-two-point"] = m("0.915") * mp.exp(-m("0.125")), mp.erfc(m("0.5") / mp.sqrt(8))
    p = two("0.999999999")
    out["subtle-smoothed-entropy"] = -mp.fsum(x * mp.log(x + m("1e-12")) for x in p), ent(p)
    out["plain-reverse-pinsker"] = kl(two("0.8"), two("0.5")), mp.log(m("1.18"))
    out["plain-integer-entropy"] = mp.mpf(0), mp.log(2 * mp.pi * mp.e / 20) / 2
    out["subtle-entropy-continuity"] = ent([m("0.2"), m("0.4"), m("0.4")]), m("1.6") * mp.log(3 / m("1.6"))
    out["plain-js-triangular"] = m("0.26") * m("0.08"), js(two("0.6"), two("0.4"))
    out["plain-binary-input-contraction"] = (
        kl(two("0.55"), two("0.5")),
        (1 - mp.sqrt(m("0.75"))) * kl(two("0.6"), two("0.5")),
    )
    out["plain-determinant-concave"] = mp.mpf(1) / 2, mp.mpf(1) / 8
    out["subtle-binomial-lower"] = 2 * mp.log(2) + mp.log(2 / m("7.9")) / 2, mp.log(2)
    return out


def wilks(i):
    return 40 * kl([mp.mpf(i) / 20, 1 - mp.mpf(i) / 20], two("0.065"))


def tail(n, p, level, *, one_sided=True):
    """P(n kl(mean, p) > level and, one-sided, mean > p)."""

    def event(i):
        x = mp.mpf(i) / n
        return (n * kl([x, 1 - x], [p, 1 - p]) > level) * (not one_sided or x > p)

    return binom(n, p, event)[0]


def uniform_tv_tail():
    """P(sum |6 c_i - 50| / 600 > sqrt(log 20 / 100)) for 50 uniform draws of six letters, exactly."""
    states = {(0, 0): Fraction(1)}
    for _ in range(6):
        new = {}
        for (used, dist), w in states.items():
            for c in range(51 - used):
                key = (used + c, dist + abs(6 * c - 50))
                new[key] = new.get(key, 0) + w / math.factorial(c)
        states = new
    level = 600 * mp.sqrt(mp.log(20) / 100)
    hit = sum(w for (used, dist), w in states.items() if used == 50 and dist > level)
    return float(hit * math.factorial(50) / Fraction(6) ** 50)


def drawn():
    mean, sd = binom(20, m("0.065"), wilks)
    out = {"subtle-wilks-mean": float(mean - 1)}
    print(f"wilks-mean: excess / sd = {float((mean - 1) / sd):.3f}")
    out["plain-chernoff-two-sided"] = float(tail(3, m("0.53"), mp.log(1 / m("0.15")), one_sided=False))
    out["subtle-chernoff-half"] = float(tail(20, m("0.89"), mp.log(10)))
    out["plain-good-turing-reversed"] = 0.125
    out["plain-miller-madow"] = 0.2
    out["plain-tv-without-mean"] = uniform_tv_tail()
    return out


def slopes():
    """Exact local exponents of the two false rates and of the true one."""
    mp.mp.dps = 20
    ns = (10, 30, 100, 300, 1000)
    absolute = [binom(n, mp.mpf(1) / 6, lambda i, n=n: abs(mp.mpf(i) / n - mp.mpf(1) / 6))[0] for n in ns]
    p = two("0.45")
    coin = [binom(n, p[0], lambda i, n=n: abs(ent([mp.mpf(i) / n, 1 - mp.mpf(i) / n]) - ent(p)))[0] for n in ns]
    x = [binom(n, mp.mpf(1) / 4, lambda i, n=n: -4 * xlog(mp.mpf(i) / n, 1))[0] for n in ns]
    four = [mp.log(4) - v for v in x]
    for name, v in (("tv-rate", absolute), ("entropy-rate", coin), ("true uniform-entropy-rate", four)):
        steps = [mp.log(v[i + 1] / v[i]) / mp.log(mp.mpf(ns[i + 1]) / ns[i]) for i in range(4)]
        print(f"{name}: local exponents", [mp.nstr(s, 4) for s in steps])
    mp.mp.dps = 50


def rational_law(rng, k, near=None):
    """A law in 50 digits: sparse, skewed, uniform on a part, or near another one."""
    style = rng.randrange(5)
    if near is not None and style == 0:
        e = mp.mpf(10) ** -rng.uniform(0, 20)
        return [(1 - e) * x + e * y for x, y in zip(near, rational_law(rng, k), strict=True)]
    w = [mp.mpf(rng.expovariate(1)) ** rng.choice([1, 1, 5, 40]) for _ in range(k)]
    if style in (1, 2):
        w = [x * rng.randrange(2) for x in w]
    if style == 2:
        w = [mp.mpf(int(x > 0)) for x in w]
    if sum(w) == 0:
        w[0] = mp.mpf(1)
    return [x / mp.fsum(w) for x in w]


def truths(rounds=400):  # noqa: PLR0915
    """The truths whose float64 sides cross by rounding, in 80 digits on degenerate laws."""
    mp.mp.dps = 80
    rng = random.Random(5)
    worst = {}

    def note(name, left, right):
        if mp.isfinite(left) and mp.isfinite(right):
            gap = (left - right) / max(abs(left), abs(right), mp.mpf(10) ** -30)
            worst[name] = max(worst.get(name, -mp.inf), gap)

    for _ in range(rounds):
        k = rng.choice([2, 3, 5])
        p = rational_law(rng, k)
        q = rational_law(rng, k, p)
        r = rational_law(rng, k, q)
        t = tv(p, q)
        note("pinsker", tv(p, q), mp.sqrt(kl(p, q) / 2))
        if t < 1:
            note("vajda", mp.log((1 + t) / (1 - t)) - 2 * t / (1 + t), kl(p, q))
        note("root-js", mp.sqrt(js(p, r)), mp.sqrt(js(p, q)) + mp.sqrt(js(q, r)))
        s = [rng.choice([-1, 1]) for _ in p]
        c = mp.fsum(z * mp.sqrt(x * y) for z, x, y in zip(s, p, q, strict=True))
        note("pure-state", t, mp.sqrt(max(1 - c * c, 0)))
        note("continuity", abs(ent(p) - ent(q)), t * mp.log(k - 1) + ent([t, 1 - t]))
        if min(q) > 0:
            f = [1000 + mp.mpf(rng.choice([-1, 1, rng.uniform(-1, 1)])) for _ in p]
            mp_, mq = (mp.fsum(a * b for a, b in zip(u, f, strict=True)) for u in (p, q))
            var = mp.fsum(a * (b - mq) ** 2 for a, b in zip(q, f, strict=True))
            chi = mp.fsum((a - b) ** 2 / b for a, b in zip(p, q, strict=True))
            note("chapman-robbins", (mp_ - mq) ** 2, chi * var)
            note("kl-log-chi2", kl(p, q), mp.log(1 + chi))
        a = 1 + rng.choice([-1, 1]) * mp.mpf(10) ** -rng.uniform(0.05, 18)
        w = [rational_law(rng, k) for _ in p]
        pw, qw = ([mp.fsum(u[x] * w[x][y] for x in range(k)) for y in range(k)] for u in (p, q))

        def renyi(u, v, a=a):
            if a > 1 and any(y == 0 < x for x, y in zip(u, v, strict=True)):
                return mp.inf
            z = mp.fsum(x**a * y ** (1 - a) for x, y in zip(u, v, strict=True) if x > 0 and y > 0)
            return mp.log(z) / (a - 1) if z > 0 else mp.inf

        note("renyi-dpi", renyi(pw, qw), renyi(p, q))
        low, high = 1 - abs(a - 1), 1 + abs(a - 1)
        note("renyi-order", *(mp.log(mp.fsum(x**o for x in p if x > 0)) / (1 - o) for o in (high, low)))
        x, y = mp.mpf(rng.random()), mp.mpf(rng.choice([rng.random(), rng.random() ** 30, 1 - rng.random() ** 30]))
        for z in (x, 1 - y, y):
            if z not in (0, 1) and y not in (0, 1, 0.5):
                note("kearns-saul", (z - y) ** 2 * mp.log((1 - y) / y) / (1 - 2 * y), kl([z, 1 - z], [y, 1 - y]))
        u, v = rational_law(rng, k), rational_law(rng, k)
        b = mp.fsum(mp.sqrt(i * j) for i, j in zip(u, v, strict=True))
        ow, oy = ([z * i + (1 - z) * j for i, j in zip(u, v, strict=True)] for z in (x, y))
        note("binary-input", kl(ow, oy), (1 - b * b) * kl([x, 1 - x], [y, 1 - y]))
        joint = rational_law(rng, 16)
        one, c1 = (0,), (2,)
        right = mutual(joint, 4, one, (1,)) + mutual(joint, 4, one, (2, 3)) + 3 * mutual(joint, 4, c1, (3,), one)
        note("zhang-yeung", 2 * mutual(joint, 4, c1, (3,)), right + mutual(joint, 4, c1, (3,), (1,)))
        n = rng.choice([2, 3, 10, 10**4, 10**12])
        i = min(max(1, int(n * rng.random() ** rng.choice([1, 20]))), n - 1)
        left = mp.loggamma(n + 1) - mp.loggamma(i + 1) - mp.loggamma(n - i + 1)
        h = ent([mp.mpf(i) / n, 1 - mp.mpf(i) / n])
        note("binomial", left, n * h + mp.log(n / (2 * mp.pi * i * (n - i))) / 2)
        d = mp.mpf(30) * rng.random() ** 3
        note("gaussian", mp.exp(-d * d / 2) / 2, mp.erfc(d / mp.sqrt(8)))
    for name, gap in worst.items():
        print(f"truth {name}: largest relative excess {mp.nstr(gap, 3)}", "" if gap < 1e-18 else "  <-- LOOK")


def drawn_truths():
    """Exact probabilities and means on grids of biases."""
    biases = [mp.mpf(i) / 200 for i in range(1, 200)] + [mp.mpf(10) ** -j for j in (4, 8)]
    mp.mp.dps = 20
    for n in (1, 5, 40):
        for delta in ("0.05", "0.3"):
            extra = [m(delta) ** (mp.mpf(1) / n) * (1 + e) for e in (-1e-6, 0, 1e-6)]
            worst = max(tail(n, p, mp.log(1 / m(delta)) + mp.mpf(10) ** -15) for p in biases + extra)
            print(f"chernoff-kl n={n} delta={delta}: worst probability {mp.nstr(worst, 6)}")
    for n in (1, 4, 25):
        s = mp.sqrt(n)
        risks = [binom(n, p, lambda i, p=p, n=n, s=s: ((i + s / 2) / (n + s) - p) ** 2)[0] for p in biases]
        print(f"constant-risk n={n}: 4(1+s)^2 risk in", *(mp.nstr(4 * (1 + s) ** 2 * f(risks), 15) for f in (min, max)))
        print("   largest value of lhs - rhs:", max((2 * s + 1) ** 2 - 1, 0))
    for n in (20, 100):
        bias = [
            ent([p, 1 - p]) - binom(n, p, lambda i, n=n: ent([mp.mpf(i) / n, 1 - mp.mpf(i) / n]))[0] for p in biases
        ]
        print(f"plug-in-bias n={n}: worst {mp.nstr(max(bias), 6)} <= {mp.nstr(mp.log(1 + mp.mpf(1) / n), 6)}")
    mp.mp.dps = 50


def body(name):
    """The two sides of the body at the witness."""
    witness = WITNESSES[f"information/{name}"]
    claims = [
        c for module in (known, aside) for c in vars(module).values() if getattr(c, "id", "").endswith("/" + name)
    ]
    assert len(claims) == 1, name
    drawn_kind = any(key in witness for key in ("probability", "mean", "exponent"))
    rest = [Draw(50_000, ("verify", name))] if drawn_kind else []
    args = ([instance(**witness["values"])] if witness["values"] else []) + rest
    return claims[0](*args, **witness["params"])


def main():
    exact = deterministic()
    chance = drawn()
    for name, (left, right) in exact.items():
        a, b = (float(v.reshape(-1)[0]) for v in body(name))
        relative = float(abs(left - right) / max(abs(left), abs(right)))
        close = abs(a - left) <= 1e-7 * abs(left) + 1e-15 and abs(b - right) <= 1e-7 * abs(right) + 1e-15
        bad = relative > 1e-6 and close and (left > right or name in ("plain-chi2-adds", "subtle-smoothed-entropy"))
        print(
            f"{name}: {mp.nstr(left, 8)} > {mp.nstr(right, 8)} rel {relative:.2e} body {a:.8g} {b:.8g}",
            "ok" if bad else "BAD",
        )
        assert bad, name
    for name, value in chance.items():
        left, right = body(name)
        witness = WITNESSES[f"information/{name}"]
        kind = "probability" if "probability" in witness else "mean"
        sample = float(((left > right) if kind == "probability" else (left - right)).double().mean())
        good = abs(value - witness[kind]) < 1e-9 and abs(sample - value) < 0.02
        print(
            f"{name}: {kind} exact {value:.12g} stated {witness[kind]:.12g} sample {sample:.4f}",
            "ok" if good else "BAD",
        )
        assert good, name
    covered = set(exact) | set(chance) | {"plain-tv-rate", "subtle-entropy-rate"}
    assert {name.split("/")[1] for name in WITNESSES} == covered
    for name in ("plain-tv-rate", "subtle-entropy-rate"):
        print(name, float(body(name).mean()))
    slopes()
    drawn_truths()
    truths()
    print(
        len(known.PROOFS),
        "truths in known,",
        len(aside.PROOFS),
        "in aside;",
        len(known.WITNESSES),
        len(aside.WITNESSES),
    )


if __name__ == "__main__":
    main()
