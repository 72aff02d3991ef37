"""Evidence for `estimators`: `python tests/alien/evidence/estimators.py`, by checks of `optim.py` and `programs.py`.

What falsehoods are at their witnesses is computed without their bodies: fractions, enumeration, closed forms. Truths
are run at random and degenerate inputs of our own, but for the game, of which all sequences of losses of 0 and 1 are
played in 50 digits: against a learner that does not draw, an adversary is a sequence. `structures.py`,
`errata.py`, `folklore.py`, `pipelines.py` and `theory.py` use the same checks.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import torch
from optim import agree, check_falsehood, run
from parts import part
from programs import INPUTS, Inputs, body, check_truth

from harness.kinds import Identity


def real(fraction):
    return mp.mpf(fraction.numerator) / fraction.denominator


def boosting(x, y, rounds=3):
    """Training error and 0.4 prod 2 sqrt(e (1 - e)) of AdaBoost in fractions; of the best stumps it takes the first."""
    stumps = [[1 if v > cut else -1 for v in x] for cut in [*x, min(x) - 1]]
    stumps += [[-side for side in h] for h in stumps]
    weights, score, bound = [Fraction(1, len(x))] * len(x), [mp.mpf(0)] * len(x), mp.mpf(2) / 5
    for _ in range(rounds):
        errors = [sum(w for w, a, b in zip(weights, h, y, strict=True) if a != b) for h in stumps]
        e = min(errors)
        h = stumps[errors.index(e)]
        score = [s + mp.log(real((1 - e) / e)) / 2 * a for s, a in zip(score, h, strict=True)]
        bound *= 2 * mp.sqrt(real(e * (1 - e)))
        weights = [w / (2 * e) if a != b else w / (2 * (1 - e)) for w, a, b in zip(weights, h, y, strict=True)]
    margins = [s * b for s, b in zip(score, y, strict=True)]
    assert min(map(abs, margins)) > 0.1
    return mp.mpf(sum(m < 0 for m in margins)) / len(x), bound


def halving(points, target):
    alive, mistakes = set(range(8)), 0
    for x in points:
        guess, label = 2 * sum(x >= t for t in alive) >= len(alive), x >= target
        mistakes += guess != label
        alive = {t for t in alive if (x >= t) == label}
    return mistakes


def hedge(losses):
    """The regret against two experts with these losses, eta = sqrt(8 log 2 / T)."""
    eta = mp.sqrt(8 * mp.log(2) / len(losses))
    own, totals = mp.mpf(0), [0, 0]
    for pair in losses:
        first = 1 / (1 + mp.exp(eta * (totals[0] - totals[1])))
        own += first * pair[0] + (1 - first) * pair[1]
        totals = [a + b for a, b in zip(totals, pair, strict=True)]
    return own - min(totals)


def lloyd(points, centres):
    """The cost after six steps, and twice the best of three centres, in fractions."""
    for _ in range(6):
        cells = [[] for _ in centres]
        for p in points:
            cells[min(range(3), key=lambda k: (p - centres[k]) ** 2)].append(p)
        centres = [sum(c) / len(c) if c else old for c, old in zip(cells, centres, strict=True)]
    cost = sum(min((p - c) ** 2 for c in centres) for p in points)

    def spread(cell):
        return sum((p - sum(cell) / len(cell)) ** 2 for p in cell)

    cuts = itertools.combinations(range(1, 6), 2)
    return cost, 2 * min(spread(points[:i]) + spread(points[i:j]) + spread(points[j:]) for i, j in cuts)


def histogram(b):
    """Integrated squared bias and variance of b bins for b^3 draws of density 2 x."""
    return Fraction(1, 3 * b * b) + Fraction(1, b * b) * (1 - Fraction(4 * b * b - 1, 3 * b**3))


def neighbours(x, y, k):
    """The training error of the majority of the k nearest; no distances may tie."""
    wrong = 0
    for a, label in zip(x, y, strict=True):
        gaps = [abs(a - b) for b in x]
        assert len(set(gaps)) == len(gaps)
        wrong += (sum(y[j] for j in sorted(range(len(x)), key=gaps.__getitem__)[:k]) > 0) != (label > 0)
    return Fraction(wrong, len(x))


def noisy():
    """E of the exchanged logistic loss at the margin 1, rates 0.4 and 0, and the loss."""
    own, other = mp.log(1 + mp.exp(-1)), mp.log(1 + mp.exp(1))
    kept, flipped = mp.mpf(6) / 10, mp.mpf(4) / 10
    return kept * (kept * own) / kept + flipped * (other - flipped * own) / kept, own


def ridge(lam):
    """Squared bias and variance for eigenvalues 1 and 27, beta = (2, 0), sigma^2 = 1/4."""
    return 4 * (lam / (1 + lam)) ** 2 + Fraction(1, 4) * (1 / (1 + lam) ** 2 + 27 / (27 + lam) ** 2)


def entropy(p):
    return -(p * mp.log(p) + (1 - p) * mp.log(1 - p)) / mp.log(2)


POINTS = [Fraction(k, 64) for k in (0, 1, 2, 32, 33, 64)]
LINE, LABELS = (0, 6, 21, 24, 38, 46, 64), (1, -1, 1, -1, 1, -1, 1)
SIDES = {
    "subtle-boost-training-error-fast": boosting([Fraction(k, 8) for k in range(6)], [1, -1, 1, 1, -1, 1]),
    "plain-tree-entropy-power-of-gini": (entropy(mp.mpf(1) / 4), (mp.mpf(3) / 4) ** mp.mpf("0.8")),
    "plain-online-perceptron-linear": (mp.sqrt(3), 1.2),
    "plain-online-halving-two": (halving([3, 5, 6, *[7] * 7], 7), 2),
    "plain-online-hedge-half": (hedge([(0, 1)] * 4), mp.sqrt(mp.log(2) / 2)),
    "plain-online-ogd-free": (Fraction(3, 2), Fraction(5, 4)),
    "plain-online-kt": (-mp.log(mp.mpf(1 * 3 * 5 * 7) / (2 * 4 * 6 * 8)), (mp.log(4) + 1) / 2),
    "plain-iso-sup-norm-optimal": (Fraction(5, 6), Fraction(1, 2)),
    "plain-cv-majority-loo-close": (1, Fraction(4, 8) + Fraction(3, 8)),
    "plain-boot-variance-unbiased": (Fraction(3, 16) / 4, Fraction(1, 4) / 4),
    "plain-cluster-medoid-squared": (2, Fraction(4, 3) * Fraction(4, 3)),
    "plain-cluster-lloyd-factor": lloyd(POINTS, POINTS[:3]),
    "plain-pac-threshold-fast": ((1 - math.log(10) / 75) ** 50, 0.1),
    "plain-pac-erm-fast": (sum(math.comb(20, k) * 0.44**k * 0.56 ** (20 - k) for k in range(10, 21)), 0.1),
    "plain-missing-mass-shifted": (Fraction(5, 6) ** 5, math.exp(-1)),
    "plain-sk-knn-training-error": (neighbours(LINE, LABELS, 3), neighbours(LINE, LABELS, 5)),
    "plain-gcv-is-press": (Fraction(1, 5), Fraction(3, 13) ** 2 / 5 / (1 - Fraction(10, 13) / 5) ** 2),
    "plain-ridge-always-wins": (ridge(Fraction(1, 4)), ridge(Fraction(0))),
    "plain-lasso-slow-rate-small": (4, Fraction(17, 5)),
    "plain-noisy-labels-exchanged": noisy(),
    "plain-nadaraya-watson-smoother": (2 * mp.tanh(mp.mpf(1) / 40), mp.mpf(1) / 30),
}


def check_histogram(claim, witness):
    """The body has these means, and from 8^20 to 8^21 draws they fall as the witness says."""
    for cell, b in zip(claim.cells, (4, 6, 8, 10, 12, 16), strict=True):
        assert cell == {"n": b**3}
        found = torch.as_tensor(run(claim, {"params": cell, "values": {}}, 4000))
        agree(float(found.mean()), histogram(b), claim.id, 5 * float(found.std()) / math.sqrt(4000))
    last = math.log(histogram(2**21) / histogram(2**20), 8)
    agree(last, witness["exponent"], claim.id, 1e-5)
    print(f"{claim.id:45} {last:.10g}")


class Regular(Inputs):
    """No point of a ball is repeated or the centre, so that what is inverted has an inverse."""

    def ball(self, name, *shape, radius=1.0):
        return radius * self.sphere(name, *shape) * self.uniform(*shape[:-1], 1) ** (1.0 / shape[-1])


def check_regular(claim, _):
    for cell in claim.cells:
        forall = Regular(INPUTS, 7)
        lhs, rhs = (torch.as_tensor(side).double().broadcast_to((INPUTS,)) for side in body(claim, cell, forall, None))
        lhs, rhs = lhs[forall.keep], rhs[forall.keep]
        gap = (lhs - rhs).abs() if isinstance(claim.kind, Identity) else lhs - rhs
        assert len(gap) > INPUTS // 2, claim.id
        assert not bool((gap > 1e-8 * torch.maximum(lhs.abs(), rhs.abs()) + 1e-10).any()), claim.id
    print(f"{claim.id:45} no violation")


def check_hedge(claim, _):
    for rounds in (4, 6):
        worst = max(map(hedge, itertools.product(itertools.product((0, 1), repeat=2), repeat=rounds)))
        assert worst <= mp.sqrt(rounds * mp.log(2) / 2), claim.id
        print(f"{claim.id:45} {float(worst):.10g} in {rounds} rounds")


def check(hand, exact, own):
    """Falsehoods at their witnesses, truths at random inputs, and by their `own` checks the claims that these name.

    Returns how many claims there are.
    """
    found = set()
    for space in (part("known", hand), part("aside", hand)):
        for claim in vars(space).values():
            name = str(getattr(claim, "id", ""))
            if not name.startswith(f"{hand}/"):
                continue
            found.add(short := name.split("/")[1])
            if short in own:
                own[short](claim, space.WITNESSES.get(name))
            elif name in space.PROOFS:
                check_truth(claim)
            else:
                check_falsehood(claim, space.WITNESSES[name], exact[short])
    assert set(exact) | set(own) <= found
    print("all evidence holds")
    return len(found)


INVERTED = ("true-ols-training-error", "true-gauss-markov", "true-theobald", "true-gd-is-a-filter")
OWN = {
    "true-online-hedge": check_hedge,
    "plain-density-histogram-fast": check_histogram,
    **dict.fromkeys(INVERTED, check_regular),
}

if __name__ == "__main__":
    assert check("estimators", SIDES, OWN) == 63
