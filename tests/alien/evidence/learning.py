"""Recompute the evidence of `learning` (50 digits or exact) and evaluate each body at its witness."""

import itertools
import math
from fractions import Fraction as Fr

import mpmath as mp
import torch
from parts import part

from harness import Draw
from harness.testing import instance

known = part("known", "learning")
aside = part("aside", "learning")


mp.mp.dps = 50
one = mp.mpf(1)


def hedge(losses, eta):
    total, mine = [mp.mpf(0)] * 2, mp.mpf(0)
    for row in losses:
        w = [mp.e ** (-eta * s) for s in total]
        mine += sum(a * b for a, b in zip(w, row, strict=False)) / sum(w)
        total = [s + b for s, b in zip(total, row, strict=False)]
    return mine - min(total)


def nesterov(lam, k):
    x = y = t = one
    for _ in range(k):
        new, tn = y * (1 - lam), (1 + mp.sqrt(1 + 4 * t * t)) / 2
        y, x, t = new + (t - 1) / tn * (new - x), new, tn
    return lam * x * x / 2


def cg_energy():
    lam = [Fr(25), Fr(19), Fr(7), Fr(1)]
    w = []
    for j, a in enumerate(lam):
        prod = a
        for i, b in enumerate(lam):
            prod *= abs(a - b) if i != j else 1
        w.append(1 / prod)
    # minimise sum w (1 + c1 a + c2 a^2 + c3 a^3)^2 exactly, by the normal equations
    gram = mp.matrix(3, 3)
    rhs = mp.matrix(3, 1)
    for p in range(3):
        rhs[p] = -sum(mp.mpf(x.numerator) / x.denominator * int(a) ** (p + 1) for x, a in zip(w, lam, strict=False))
        for q in range(3):
            gram[p, q] = sum(
                mp.mpf(x.numerator) / x.denominator * int(a) ** (p + q + 2) for x, a in zip(w, lam, strict=False)
            )
    c = mp.lu_solve(gram, rhs)
    value = sum(
        mp.mpf(x.numerator) / x.denominator * (1 + sum(c[p] * int(a) ** (p + 1) for p in range(3))) ** 2
        for x, a in zip(w, lam, strict=False)
    )
    start = sum(x / a for x, a in zip(w, lam, strict=False))  # squared norm of the start with energies w
    bound = (2 * rho**3 / (1 + rho**6)) ** 2 * mp.mpf(9) / 10
    scale = mp.mpf(start.denominator) / start.numerator
    return value * scale, bound * scale * sum(mp.mpf(x.numerator) / x.denominator for x in w)


def enumerate_signs(vectors, outer):
    n = len(vectors[0])
    cube = list(itertools.product([-1, 1], repeat=n))
    return Fr(sum(max(outer(sum(s * a for s, a in zip(e, v, strict=False))) for v in vectors) for e in cube), len(cube))


def exp3_two_arms(n):
    eta = mp.sqrt(2 * mp.log(2) / (2 * n))
    est, ps = mp.mpf(0), []
    for _ in range(n + 1):
        ps.append(1 / (1 + mp.exp(min(eta * est, 10**4))))
        est += 1 / ps[-1]
    law, loss = [one] + [mp.mpf(0)] * (n + 1), mp.mpf(0)
    for _ in range(n):
        loss += sum(q * p for q, p in zip(law, ps, strict=False))
        law = [law[j] * (1 - ps[j]) + (law[j - 1] * ps[j - 1] if j else 0) for j in range(n + 1)] + [mp.mpf(0)]
    return loss


def max_sums():
    n = k = 20
    cdf, out, last = mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for j in range(n + 1):
        cdf += mp.mpf(math.comb(n, j)) / 2**n
        out += (2 * j - n) / mp.sqrt(n) * (cdf**k - last**k)
        last = cdf
    return out


def heavy_ball():
    m, r = mp.mpf("0.04"), mp.mpf(2) / 3
    a = 4 / (1 + mp.sqrt(m)) ** 2
    x = old = one
    for _ in range(10):
        x, old = x - a * x + r * r * (x - old), x
    return abs(x), 2 * r**10


def geodesic():
    a = mp.mpf("0.233")
    q = [mp.e ** (-mp.mpf("0.3") * s * s) for s in (a, mp.pi, mp.pi - a)]
    return -(1 - q[0] + q[1] - q[2]), mp.mpf(0)


def slope(f, a, b):
    return float(mp.log(f(b) / f(a)) / mp.log(mp.mpf(b) / a))


alternating = [(1, 0), (0, 1)]
m = mp.mpf("-0.92142")
lam = mp.mpf("0.003185")
kh = mp.sqrt(2) / 2
massart = [(1, 0, 0, 0), (-1, 0, 0, 0)]
contr = [(1, 1, 0), (0, -1, 1), (1, 0, 1)]
contr_abs = [tuple(abs(t) for t in v) for v in contr]
rho = mp.mpf(2) / 3
DETERMINISTIC = {
    "plain-hedge-sixteen": (hedge(alternating * 50, one / 2), 2 * mp.log(2) + mp.mpf(100) / 32),
    "plain-ftl-square-root": (Fr(1, 2) + 39 - Fr(39, 2), 2 * mp.sqrt(40 * mp.log(2))),
    "plain-ftl-binary-plus-one": (3, 1),
    "plain-perceptron-linear-in-margin": (3 / mp.sqrt(3), 1),
    "plain-ogd-forgets-diameter": (Fr(20) - Fr(1, 20) * sum(range(20)), Fr(1, 2)),
    "plain-elliptical-factor-one": (sum(Fr(1, t) for t in range(1, 11)), mp.log(11)),
    "plain-gd-e-constant": (Fr(1, 14) * Fr(6, 7) ** 6, 1 / (14 * mp.e)),
    "subtle-cg-ten-percent": cg_energy(),
    "subtle-nesterov-quarter": (nesterov(lam, 30), one / (2 * 31**2)),
    "plain-calibration-without-two": (1, mp.sqrt(mp.log(2))),
    "subtle-logistic-self-bounding": ((1 / (1 + mp.e**m)) ** 2, mp.mpf("0.405") * mp.log1p(mp.e**-m)),
    "plain-khintchine-gaussian-constant": (kh, mp.sqrt(mp.pi / 2) / 2),
    "subtle-contraction-absolute": (enumerate_signs(contr_abs, abs), enumerate_signs(contr, abs)),
    "subtle-geodesic-gaussian-psd": geodesic(),
    "subtle-hedge-fifth-off": (
        hedge(alternating * 4 + [(0, 1)] * 4, mp.sqrt(8 * mp.log(2) / 12)),
        mp.mpf("0.8") * mp.sqrt(6 * mp.log(2)),
    ),
    "plain-gd-rate-doubled": (Fr(9, 11) ** 5, Fr(9, 11) ** 10),
    "plain-heavy-ball-no-transient": heavy_ball(),
    "plain-massart-without-two": (enumerate_signs(massart, int), mp.sqrt(mp.log(2))),
    "plain-epanechnikov-psd": (-(2 * Fr(9, 16) + 1 - 4 * Fr(3, 4) ** 2), 0),
    "subtle-sauer-two-for-e": (sum(math.comb(98, i) for i in range(9)), Fr(98, 4) ** 8),
}
q16 = Fr(sum(math.comb(50, k) for k in range(17)), 2**50)
PROBABILITY = {
    "plain-no-union-bound": 1 - (1 - q16) ** 20,
    "plain-empirical-bernstein-no-range": Fr(99, 100) ** 100,
    "subtle-chernoff-two-sides": Fr(2, 16),
}
MEAN = {
    "plain-phase-feature-variance": mp.mpf(1) / 8,
    "plain-missing-mass-e": mp.mpf("0.9") ** 9 - 1 / mp.e,
    "plain-exp3-full-information-rate": exp3_two_arms(50) - mp.sqrt(25 * mp.log(2)),
    "plain-max-of-signed-sums": max_sums() - mp.sqrt(mp.log(20)),
}


def kde_mise(n):
    h = mp.mpf(n) ** (-one / 2)
    bias = (1 - one / n) * (1 + h * h) ** (-one / 2) - 2 ** (3 * one / 2) * (2 + h * h) ** (-one / 2) + 1
    return (1 / (n * h) + bias) / (2 * mp.sqrt(mp.pi))


def sgd_small(n):  # product formula for the forgotten part, exact: prod (1 - 1/(4t)) = G(n + 3/4) / (G(3/4) n!)
    return (mp.gamma(n + mp.mpf(3) / 4) / (mp.gamma(mp.mpf(3) / 4) * mp.gamma(n + 1))) ** 2


def sgd_horizon(n):
    eta = one / 10 / mp.sqrt(n)
    return (1 - eta) ** (2 * n) + eta / (2 - eta) * (1 - (1 - eta) ** (2 * n))


def nearest_space(n):  # the ball of radius 1/2 lies in the cube; the rest has probability (1 - pi/6)^n
    return mp.quad(lambda r: (1 - 4 * mp.pi * r**3 / 3) ** n, [0, 0.05, 0.1, 0.2, 0.5])


SLOPES = {
    "plain-kde-narrow-bandwidth": (slope(kde_mise, 10**5, 10**6), -0.5),
    "plain-sgd-small-step": (slope(sgd_small, 3000, 10000), -0.5),
    "subtle-sgd-horizon-step": (slope(sgd_horizon, 10**6, 10**7), -0.5),
    "plain-nearest-neighbour-space": (slope(nearest_space, 512, 2048), -1 / 3),
}
bodies = {
    c.id if hasattr(c, "id") else str(c): c
    for module in (known, aside)
    for c in vars(module).values()
    if type(c).__name__ == "Claim"
}


def main():
    witnesses = known.WITNESSES | aside.WITNESSES
    truths = known.PROOFS | aside.PROOFS
    ids = {i.split("[")[0] for i in bodies}
    print(
        "ids without evidence:",
        ids - set(witnesses) - set(truths),
        "and evidence without ids:",
        (set(witnesses) | set(truths)) - ids,
    )
    for name, w in witnesses.items():
        short = name.split("/")[1]
        body = next(c for i, c in bodies.items() if i.split("[")[0] == name)
        values, params = w["values"], w["params"]
        if short in DETERMINISTIC:
            out = body(instance(**values), **params)
            lhs, rhs = (float(torch.as_tensor(v, dtype=torch.float64).flatten()[0]) for v in out)
            exact = [float(v) for v in DETERMINISTIC[short]]
            good = abs(lhs - exact[0]) < 1e-9 * max(1, abs(lhs)) and abs(rhs - exact[1]) < 1e-9 * max(1, abs(rhs))
            violated = exact[0] - exact[1] > 1e-6 * max(abs(exact[0]), abs(exact[1]))
            print(
                f"{short:40s} {lhs:.8g} > {rhs:.8g} exact {exact[0]:.8g} {exact[1]:.8g}",
                "ok" if good and violated else "WRONG",
            )
            assert good, name
            assert violated, name
        elif short in SLOPES:
            got, want = SLOPES[short]
            print(f"{short:40s} slope {got:.4f} true {want:.4f}", "ok" if abs(got - want) < 0.02 else "WRONG")
            assert abs(got - want) < 0.02, name
            assert abs(w["exponent"] - want) < 1e-12
            body_value = body(Draw(200, ("verify", short)), **params)
            print(" " * 40, "body", float(body_value.mean()))
        else:
            out = body(instance(**values), Draw(40000, ("verify", short)), **params)
            lhs, rhs = torch.broadcast_tensors(*(torch.as_tensor(v, dtype=torch.float64) for v in out))
            gap = lhs - rhs
            if short in PROBABILITY:
                exact, seen, stated = float(PROBABILITY[short]), float((gap > 1e-12).double().mean()), w["probability"]
            else:
                exact, seen, stated = float(MEAN[short]), float(gap.mean()), w["mean"]
            close = abs(exact - seen) < 5 * float(gap.std()) / 200 + 0.01 * ("probability" in w)
            ok = close and abs(stated - exact) < 1e-4
            print(
                f"{short:40s} exact {exact:.6f} seen {seen:.6f} stated {stated:.6f} sd {float(gap.std()):.4f}"
                f" range [{float(gap.min()):.3f}, {float(gap.max()):.3f}]",
                "ok" if ok else "WRONG",
            )
            assert ok, name


if __name__ == "__main__":
    main()
