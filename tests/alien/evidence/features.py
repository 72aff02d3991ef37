"""Evidence for `features`: `python tests/alien/evidence/features.py`, by the checks of `optim.py` and `programs.py`.

What falsehoods are at their witnesses is computed without their bodies, but for the rate, whose means are compared with
each other: already the error at one distance has a mean of order D^(-1/2).
"""

import math
from itertools import pairwise, product

import numpy as np
from optim import check_falsehood, run
from parts import part
from programs import check_truth
from scipy import integrate, stats


def bernstein():
    """P(k - (cos a x + cos a y)/2 > (1 - k^2) sqrt(log(100)/2)) for normal x and y, a = 0.01: an integral over x."""
    a = 0.01
    k = math.exp(-a * a / 2)
    least = 2 * (k - (1 - k * k) * math.sqrt(math.log(100) / 2))

    def given(x):
        rest = least - math.cos(a * x)
        return 1.0 if rest >= 1 else 2 * stats.norm.sf(math.acos(rest) / a)

    edge = math.acos(least - 1) / a
    inside = integrate.quad(lambda x: given(x) * stats.norm.pdf(x), 0, edge, epsabs=1e-13, limit=500)[0]
    return 2 * (inside + stats.norm.sf(edge))


def two_samples(m=8, delta=0.1):
    """P(sqrt(2 (1 - exp(-8))) |i - j|/m > (1 + sqrt(2 log(1/delta)))/m) for binomial counts i and j."""
    bound, scale = (1 + math.sqrt(2 * math.log(1 / delta))) / m, math.sqrt(2 * (1 - math.exp(-8)))
    pairs = product(range(m + 1), repeat=2)
    return sum(math.comb(m, i) * math.comb(m, j) for i, j in pairs if scale * abs(i - j) / m > bound) / 4**m


def smallest(x):
    """The smallest eigenvalue of max(0, 1 - d^2), by the roots of the characteristic polynomial."""
    gram = [[max(0.0, 1 - (a - b) ** 2) for b in x] for a in x]
    return min(np.roots(np.poly(np.array(gram))).real)


def mean_of_cosines(a=0.1, n=16):
    """sin(a)/(2 n sin(a/(2 n))) on midpoints, against sin(a)/a."""
    return abs(math.sin(a) / (2 * n * math.sin(a / (2 * n))) - math.sin(a) / a)


def unbiased():
    inside, across = (2 * math.exp(-0.5) + math.exp(-2)) / 3, (3 + 4 * math.exp(-0.5) + 2 * math.exp(-2)) / 9
    return 2 * across - 2 * inside


def largest_of_four():
    """Three equal points and one at distance 2: [[3, sqrt(3) e], [sqrt(3) e, 1]] has the same largest eigenvalue."""
    e = math.exp(-4)
    return 2 + math.sqrt(1 + 3 * e * e), (10 + 6 * e) / 4


SIDES = {
    "plain-phase-better": (0.25, 0.0),
    "subtle-bernstein-first-term": (bernstein(), 0.01),
    "plain-orthogonal-unit-norms": (math.exp(-4.5), math.sin(math.sqrt(27)) / math.sqrt(27)),
    "plain-orthogonal-projection": (1 / 2, 1 / 3),
    "plain-positive-features": (math.exp(1.5), math.e),
    "plain-random-binning": (0.5, math.exp(-1)),
    "plain-mmd-test": (two_samples(), 0.1),
    "plain-johnson-lindenstrauss": (stats.chi2.sf(30, 20) + stats.chi2.cdf(10, 20), 2 * math.exp(-5)),
    "subtle-sign-projection": (0.7 / math.pi, math.sin(0.35) ** 2 + 0.09),
    "plain-positive-beats-trigonometric": (math.exp(6) - math.exp(2), 0.0),
    "plain-nystrom-optimal": (0.5, 0.48),
    "plain-leverage-lower": (0.75, 0.5),
    "subtle-effective-dimension": (0.75, 0.7425),
    "plain-dimension-root": (1.5, math.sqrt(3) / 2),
    "subtle-rademacher-moment": (7 / 3, 2.31),
    "plain-count-sketch": (2 / 3, 1 / 4),
    "plain-arc-cosine-orders": ((math.sin(0.5) + (math.pi - 0.5) * math.cos(0.5)) / math.pi, 1 - 0.5 / math.pi),
    "subtle-mmd-largest": (2 - 2 * math.exp(-2), 1.72),
    "plain-mmd-unbiased": (unbiased(), 0.0),
    "plain-kernel-pca-row-sum": largest_of_four(),
    "subtle-qmc-midpoint": (mean_of_cosines(), 0.01 / 6400),
    "subtle-characteristic-doubling": (2 * math.sin(0.1) ** 2, 7.98 * math.sin(0.05) ** 2),
    "plain-epanechnikov": (-smallest([1.0, 1.4, 0.0, 0.4]), 0.0),
}


# a supremum after the draws, laws on [-1, 1], and inverses that random inputs with equal points do not have
SKIPPED = (
    "true-uniform",
    "true-mmd-test",
    "true-characteristic-doubling",
    "true-krein",
    "true-nystrom-psd",
    "true-power-function",
)


def check(hand, exact, *, skipped=(), rates=()):
    """Falsehoods at their witnesses and truths at random inputs, but for `skipped`.

    The means of `rates` halve where D is four times as large. Returns how many claims there are.
    """
    found = 0
    for space in (part("known", hand), part("aside", hand)):
        for claim in vars(space).values():
            name = str(getattr(claim, "id", ""))
            if not name.startswith(f"{hand}/"):
                continue
            found += 1
            short = name.split("/")[1]
            if name in space.PROOFS:
                if short not in skipped:
                    check_truth(claim)
            elif short in rates:
                means = [float(run(claim, {"params": {"D": d}, "values": {}}, 4000).mean()) for d in (32, 128, 512)]
                assert all(0.45 < b / a < 0.55 for a, b in pairwise(means)), name
            else:
                check_falsehood(claim, space.WITNESSES[name], exact[short])
    print("all evidence holds")
    return found


if __name__ == "__main__":
    assert check("features", SIDES, skipped=SKIPPED, rates=("plain-rff-rate",)) == 62
