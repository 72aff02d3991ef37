"""Recompute the evidence of `named` with mpmath and scipy, then evaluate each body once at its witness."""

import inspect
import math
import sys

import torch
from mpmath import acos, binomial, cosh, exp, log, mp, mpf, sqrt
from parts import part
from scipy import stats

from harness import Draw
from harness.language.registry import Claim
from harness.testing import instance

known = part("known", "named")


mp.dps = 50
H = mpf(1) / 2
D = mpf("0.05")


def kl(p, q):
    return sum(a * log(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def m(*xs):
    return [mpf(x) for x in xs]


def ftl(T):
    """Regret of follow the leader on alternating losses, recomputed with integers."""
    total, paid = [0, 0], 0
    for t in range(T):
        loss = (1, 0) if t % 2 == 0 else (0, 1)
        paid += loss[0] if total[0] <= total[1] else loss[1]
        total = [total[0] + loss[0], total[1] + loss[1]]
    return paid, min(total)


def catoni():
    """Exact probability that the divided bound fails for two independent predictors of risk 0.143."""
    n, lam, risk = 20, 60, mpf("0.143")
    pmf = [binomial(n, j) * risk**j * (1 - risk) ** (n - j) for j in range(n + 1)]
    c, total = mpf(lam) / n, mpf(0)
    for i in range(n + 1):
        for j in range(n + 1):
            e = [exp(-mpf(lam) * i / n), exp(-mpf(lam) * j / n)]
            rho = [v / sum(e) for v in e]
            div = sum(r * log(2 * r) for r in rho)
            r = rho[0] * i / n + rho[1] * j / n
            bound = (1 - exp(-c * r - (div - log(D)) / n)) / (1 - exp(-c)) / mpf("1.25")
            total += pmf[i] * pmf[j] if risk > bound else 0
    return total


A, B = m("0.6", "0.4"), m("0.4", "0.6")
X99, Y99 = m("0.99", "0.01"), m("0.01", "0.99")
X65, Y65 = m("0.65", "0.35"), m("0.35", "0.65")
TEN_KL = kl(m(*["0.12"] * 5, *["0.08"] * 5), m(*["0.08"] * 5, *["0.12"] * 5))
ROOT100 = math.sqrt(math.log(100))
P, W = mpf("0.07"), mpf("0.8")

# (lhs, rhs) for deterministic falsehoods
SIDES = {
    "plain-cosh": (cosh(mpf("0.6")), exp(mpf("0.162"))),
    "subtle-cosh-wide": (cosh(mpf("0.6")), exp(mpf("0.162"))),
    "plain-hoeffding-lemma-ninth": (cosh(mpf("0.75")), exp(mpf("0.25"))),
    "subtle-hoeffding-lemma-log-ninth": (log((1 + exp(mpf("1.5"))) / 2), mpf("0.75") + mpf("0.25")),
    "plain-fourth-power-small-ball": (4 * mpf("7e-7") ** 4, mpf("3.2") * mpf("7e-7") ** 4),
    "plain-fourth-power-tiny-ball": (mpf("1e-320"), mpf("0.5e-320")),
    "plain-ftl-20": (mpf(ftl(20)[0] - ftl(20)[1]), mpf(4)),
    "plain-ftl-50": (mpf(ftl(50)[0]), mpf(ftl(50)[1] + 10)),
    "subtle-ftl-100": (mpf(ftl(100)[0] - ftl(100)[1]), mpf(20)),
    "plain-pinsker-quarter": (mpf("0.2"), sqrt(kl(A, B) / 4)),
    "plain-pinsker-coin": (mpf("0.022"), kl(m("0.55", "0.45"), m("0.45", "0.55"))),
    "subtle-pinsker-ten": (mpf("0.04"), mpf("0.46") * TEN_KL),
    "plain-pinsker-no-root": (mpf("0.1"), kl(m("0.5", "0.3", "0.2"), m("0.4", "0.4", "0.2")) / 2),
    "plain-chebyshev-exact-law": (mpf("0.125"), W * mpf("0.125")),
    "plain-cantelli-median": (mpf(5) / 11, W * sqrt(mpf(5) / 11 - (mpf(5) / 11) ** 2)),
    "plain-bretagnolle-huber-half": (mpf("0.98"), sqrt(1 - exp(-kl(X99, Y99) / 2))),
    "plain-bretagnolle-huber-whole": (mpf("0.9") * exp(-kl(X65, Y65)), mpf("0.7")),
    "plain-davis-kahan-no-two": (mpf("0.2"), mpf("0.11")),
    "subtle-davis-kahan-factor": (mpf(1), mpf("0.936")),
    "plain-khinchine-constant": (mpf("0.75") * sqrt(mpf(2)), mpf(1)),
    "plain-khinchine-fourth": (
        mpf(sum(math.comb(8, k) * (8 - 2 * k) ** 4 for k in range(9))) / 256,
        mpf("2.5") * 64,
    ),
    "plain-am-gm-reversed": (H, mpf(0)),
    "plain-tv-hellinger": (mpf("0.2"), mpf("1.1") * sqrt(1 - 2 * sqrt(mpf("0.24")))),
    "plain-kl-log-chi-square": (log(mpf(2)), mpf("0.9") * log(mpf(2))),
    "plain-popoviciu": (mpf("0.25"), mpf("0.2")),
    "subtle-gruss": (mpf("0.25"), mpf("0.24")),
    "plain-covariance": (mpf(1), mpf("0.9")),
    "plain-angle-triangle": (acos(mpf("0.28")), mpf("0.95") * 2 * acos(mpf("0.8"))),
    "subtle-ogd-regret": (sum(1 - mpf(t) / 10 for t in range(10)), W * (mpf(1) / mpf("0.2") + mpf("0.05") * 10)),
    "plain-union-product": (mpf("0.01"), mpf("0.009")),
}

# (violation holds in exact arithmetic, probability)
CHANCES = {
    "plain-catoni": (True, float(catoni())),
    "plain-chebyshev-coin": (W * sqrt(P * (1 - P) / D) < 1 - P, 0.07),
    "plain-chebyshev-three-points": (mpf("0.64") * mpf("1.5") < 1, 0.03),
    "plain-cantelli-coin": (W * sqrt(P * (1 - P) * 19) < 1 - P, 0.07),
    "plain-hoeffding-few": (mpf("0.71") > W * sqrt(log(mpf(20)) / 4), 0.29**2),
    "plain-azuma": (W * sqrt(12 * log(mpf(100))) < 6, 1 / 64),
    "plain-laurent-massart-no-max": (True, stats.chi2(1).sf(1 + 2 * ROOT100)),
    "plain-laurent-massart-lower": (True, stats.chi2(100).cdf(100 - 12 * ROOT100)),
    "plain-ucb-no-union": (
        13 < 100 * math.sqrt(math.log(40) / 200) < 14,
        1 - (1 - 2 * stats.binom(100, 0.5).cdf(36)) ** 20,
    ),
    "plain-markov": (mpf("0.7") * P / D < 1, 0.07),
}

MEANS = {  # (mean excess, standard deviation, -low)
    "subtle-khinchine-mean": (mpf("0.75") - sqrt(H), sqrt(H), 1.3),
    "plain-mean-lognormal": (exp(H) - exp(mpf("0.45")), sqrt(exp(mpf(2)) - exp(mpf(1))), 1.6),
    "plain-variance-of-mean": (mpf("0.0125"), sqrt(mpf(3) / 16 / 16 / 2), 0.25),
}

RATES = {
    "plain-rate-root": (lambda n: mpf(n // 2) * binomial(n, n // 2) / 2**n * 2 / n, -0.75),
    "plain-rate-floor": (lambda n: 1 / mpf(n) + D, -1.0),
    "plain-rate-mixed": (lambda n: 1 / sqrt(mpf(n)) + 1 / mpf(n), -1.0),
}


def main():
    claims = {c.id: c for c in vars(known).values() if isinstance(c, Claim)}
    bad = 0
    for name, witness in known.WITNESSES.items():
        short, body = name.split("/")[1], claims[name].body
        params, values = witness["params"], witness["values"]
        if short not in RATES:
            assert params == {} or any(dict(cell) == params for cell in claims[name].cells), (name, "no such cell")
        if short in SIDES:
            lhs, rhs = SIDES[short]
            got = [
                float(torch.as_tensor(side, dtype=torch.float64).reshape(-1)[0])
                for side in body(instance(**values), **params)
            ]
            relative = float((lhs - rhs) / max(abs(lhs), abs(rhs)))
            near = all(abs(g - float(e)) <= 1e-9 * abs(float(e)) + 1e-322 for g, e in zip(got, (lhs, rhs), strict=True))
            ok = relative > 1e-6 and near and got[0] > got[1]
            print(
                f"{'ok ' if ok else 'BAD'} {short}: {float(lhs):.6g} > {float(rhs):.6g}, "
                f"relative {relative:.3g}, float64 {got}"
            )
        elif short in CHANCES:
            holds, exact = CHANCES[short]
            reps = 40_000
            lhs, rhs = body(instance(**values), Draw(reps, ("verify", short)), **params)
            seen = float((lhs > rhs).double().mean())
            error = math.sqrt(exact * (1 - exact) / reps)
            ok = bool(holds) and exact >= 1.25 * params["delta"] and abs(seen - exact) < 4.5 * error
            ok = ok and abs(exact - witness["probability"]) < 1e-3 * exact
            print(
                f"{'ok ' if ok else 'BAD'} {short}: probability {exact:.6g} = {exact / params['delta']:.3f} delta, "
                f"seen {seen:.5f}"
            )
        elif short in MEANS:
            excess, sd, low = (float(v) for v in MEANS[short])
            reps = 200_000
            lhs, rhs = body(instance(**values), Draw(reps, ("verify", short)), **params)
            seen = float((lhs - rhs).mean())
            ok = excess > 0.02 * sd and excess > 0.005 * low and abs(seen - excess) < 4.5 * sd / math.sqrt(reps)
            ok = ok and abs(excess - witness["mean"]) < 1e-3 * excess
            print(
                f"{'ok ' if ok else 'BAD'} {short}: mean excess {excess:.6g} = {excess / sd:.3f} sd "
                f"= {excess / low:.3f} |low|, seen {seen:.5f}"
            )
        else:
            value, claimed = RATES[short]
            ns = [dict(cell)["n"] for cell in claims[name].cells]
            curve = [value(n) for n in ns]
            slopes = [
                float(log(b / a) / log(mpf(k) / j)) for a, b, j, k in zip(curve, curve[1:], ns, ns[1:], strict=False)
            ]
            got = [float(body(Draw(4000, ("verify", short, n)), n=n).mean()) for n in ns]
            ok = slopes[-1] > claimed + 0.15 and all(
                abs(g / float(c) - 1) < 0.06 for g, c in zip(got, curve, strict=True)
            )
            print(
                f"{'ok ' if ok else 'BAD'} {short}: local exponents {[round(s, 3) for s in slopes]} "
                f"against {claimed}, means {got}"
            )
        bad += not ok
    truths = [c for c in claims.values() if "/true-" in c.id]
    for c in truths:
        assert c.id in known.PROOFS
        assert c.cite
        assert inspect.getdoc(c.body)
    print(len(truths), "truths,", len(known.WITNESSES), "falsehoods,", bad, "bad")
    return bad


if __name__ == "__main__":
    sys.exit(main())
