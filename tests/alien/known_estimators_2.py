"""Alien claims, known: what estimators and learners guarantee (2); see README.md."""

# ruff: noqa: B905, E731

import functools
import math
from collections import Counter

import numpy as np
import torch

from harness import always, claim, every, grid, high_probability, identity, rate


def sum_all(body):
    """The sum of the absolute differences of two vectors, against 0."""

    @functools.wraps(body)
    def scalar_sides(**given):
        left, right = body(**given)
        return (torch.as_tensor(left) - right).abs().sum(-1), 0.0

    return scalar_sides


def pava(y):
    """Pool adjacent violators, as a stack of blocks."""
    blocks = []
    for value in y:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            b, nb = blocks.pop()
            a, na = blocks.pop()
            blocks.append([(a * na + b * nb) / (na + nb), na + nb])
    return [mean for mean, count in blocks for _ in range(count)]


@claim("estimators/true-iso-min-max", identity(), cite="Barlow et al. 1972")
@sum_all
def iso_min_max(forall):
    """Pool adjacent violators computes max_{a <= i} min_{b >= i} mean(y_a..y_b)."""
    y = forall.interval("y", -1.0, 1.0, 6)
    fits = torch.tensor([pava(row) for row in y.tolist()], dtype=torch.float64)
    formula = []
    for i in range(6):
        inner = [torch.stack([y[:, a : b + 1].mean(-1) for b in range(i, 6)]).amin(0) for a in range(i + 1)]
        formula.append(torch.stack(inner).amax(0))
    return fits, torch.stack(formula, -1)


@claim("estimators/plain-iso-sup-norm-optimal", always(), expected="refuted", cite="Barlow et al. 1972")
def iso_sup(forall):
    """The least squares isotonic fit is the best monotone one in sup norm as well."""
    y = forall.interval("y", -1.0, 1.0, 6)
    fits = torch.tensor([pava(row) for row in y.tolist()], dtype=torch.float64)
    best = torch.stack([(y[:, i] - y[:, j]) / 2.0 for i in range(6) for j in range(i, 6)]).amax(0)
    return (y - fits).abs().amax(-1), best


@claim("estimators/true-cv-majority-loo", always(), cite="elementary")
def majority_loo(forall):
    """The leave-one-out error of the majority rule is at most twice its training error, for an even number of \
labels."""
    labels = forall.signs("y", 8)
    loo, train = [], []
    for row in labels.tolist():
        majority = lambda rest: 1.0 if sum(rest) >= 0 else -1.0
        loo.append(sum(majority(row[:i] + row[i + 1 :]) != row[i] for i in range(8)) / 8)
        train.append(sum(majority(row) != v for v in row) / 8)
    return torch.tensor(loo, dtype=torch.float64), 2.0 * torch.tensor(train, dtype=torch.float64)


@claim("estimators/true-boot-variance-of-mean", identity(), cite="Efron 1979")
def boot_variance(forall):
    """The bootstrap variance of the mean of four numbers is their plug-in variance over four."""
    x = forall.interval("x", -3.0, 3.0, 4)
    resamples = x[:, every.vectors(4, 4, like=x).long()]
    means = resamples.mean(-1)
    return means.var(-1, unbiased=False), x.var(-1, unbiased=False) / 4.0


@claim("estimators/plain-boot-variance-unbiased", identity(), expected="refuted", cite="Efron 1979")
def boot_variance_unbiased(forall):
    """The bootstrap variance of the mean of four numbers is their unbiased variance over four."""
    x = forall.interval("x", -3.0, 3.0, 4)
    means = x[:, every.vectors(4, 4, like=x).long()].mean(-1)
    return means.var(-1, unbiased=False), x.var(-1, unbiased=True) / 4.0


@claim("estimators/true-boot-distinct", identity(), over=grid(n=[3, 5]), cite="Efron 1979")
def distinct(*, n):
    """A bootstrap sample of n has n (1 - (1 - 1/n)^n) distinct members on average."""
    import itertools

    counts = [len(set(sample)) for sample in itertools.product(range(n), repeat=n)]
    return float(np.mean(counts)), n * (1 - (1 - 1 / n) ** n)


@claim("estimators/true-cluster-medoid", always(), cite="Kaufman and Rousseeuw 1987")
def medoid(forall):
    """The best data point costs at most 2 - 2/n times any centre, in the sum of distances."""
    x, c = forall.ball("x", 5, 2), forall.ball("c", 2)
    gaps = (x[:, :, None] - x[:, None]).square().sum(-1).clamp_min(0.0).sqrt()
    return gaps.sum(-1).amin(-1), (2.0 - 2.0 / 5.0) * (x - c[:, None]).norm(dim=-1).sum(-1)


@claim("estimators/plain-cluster-medoid-squared", always(), expected="refuted", cite="Kaufman and Rousseeuw 1987")
def medoid_squared(forall):
    """The best data point costs at most 2 - 2/n times the mean, in the sum of squared distances."""
    x = forall.ball("x", 3, 2)
    gaps = (x[:, :, None] - x[:, None]).square().sum(-1)
    return gaps.sum(-1).amin(-1), (2.0 - 2.0 / 3.0) * (x - x.mean(1, keepdim=True)).square().sum((-1, -2))


@claim(
    "estimators/true-density-histogram",
    rate("n", -2.0 / 3.0),
    over=grid(n=[64, 216, 512, 1000, 1728, 4096]),
    cite="Scott 1979",
)
def histogram(draw, *, n):
    """The integrated squared error of the histogram with n^(1/3) bins is of order n^(-2/3), for a Lipschitz density."""
    bins = round(n ** (1 / 3))
    x = draw.uniform("u", n).sqrt()
    cell = (x * bins).floor().clamp_max(bins - 1).long()
    counts = torch.zeros(x.shape[0], bins, dtype=torch.float64).scatter_add(-1, cell, torch.ones_like(x))
    height = counts * bins / n
    k = torch.arange(bins, dtype=torch.float64)
    # int over the bin of (h - 2x)^2 = [h^2 x - 2 h x^2 + 4 x^3/3]
    a, b = k / bins, (k + 1) / bins
    return (height**2 / bins - 2.0 * height * (b**2 - a**2) + 4.0 * (b**3 - a**3) / 3.0).sum(-1)


@claim(
    "estimators/plain-density-histogram-fast",
    rate("n", -0.8),
    over=grid(n=[64, 216, 512, 1000, 1728, 4096]),
    expected="refuted",
    cite="Scott 1979",
)
def histogram_fast(draw, *, n):
    """The integrated squared error of the histogram with n^(1/3) bins is of order n^(-0.8), for a Lipschitz density."""
    bins = round(n ** (1 / 3))
    x = draw.uniform("u", n).sqrt()
    cell = (x * bins).floor().clamp_max(bins - 1).long()
    counts = torch.zeros(x.shape[0], bins, dtype=torch.float64).scatter_add(-1, cell, torch.ones_like(x))
    height = counts * bins / n
    k = torch.arange(bins, dtype=torch.float64)
    a, b = k / bins, (k + 1) / bins
    return (height**2 / bins - 2.0 * height * (b**2 - a**2) + 4.0 * (b**3 - a**3) / 3.0).sum(-1)


@claim(
    "estimators/true-knn-distance-square",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[16, 32, 64, 128, 256, 512]),
    cite="Biau and Devroye 2015",
)
def nn_distance(draw, *, n):
    """The distance of a fresh point to its nearest neighbour among n uniform points of the square is of order \
n^(-1/2)."""
    x, z = draw.uniform("x", n, 2), draw.uniform("z", 2)
    return (x - z[:, None]).square().sum(-1).amin(-1).sqrt()


@claim(
    "estimators/plain-pac-threshold-fast",
    high_probability("delta"),
    over=grid(n=[10, 50], delta=[0.1]),
    expected="refuted",
    cite="Shalev-Shwartz and Ben-David 2014, chapter 2",
)
def pac_threshold_fast(forall, draw, *, n, delta):
    """The largest negative example errs by at most log(1/delta)/(1.5 n) as a threshold, in the realisable case."""
    theta = forall.interval("theta", 0.0, 1.0)
    x = draw.uniform("x", n)
    learned = torch.where(x <= theta[:, None], x, 0.0).amax(-1)
    return theta - learned, math.log(1.0 / delta) / (1.5 * n)


def erm(p, picks, cells):
    """Thresholds 0..cells over joint law of (x, y); returns the true risks and the ERM's index."""
    joint = p.reshape(len(p), cells, 2)
    risks, empirical = [], []
    x, y = picks // 2, picks % 2
    for t in range(cells + 1):
        truth = (torch.arange(cells) >= t).long()
        risks.append(joint[:, torch.arange(cells), 1 - truth].sum(-1))
        empirical.append(((x >= t).long() != y).double().mean(-1))
    return torch.stack(risks, -1), torch.stack(empirical, -1)


@claim(
    "estimators/true-pac-erm-agnostic",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.1]),
    cite="Shalev-Shwartz and Ben-David 2014, chapter 4",
)
def erm_agnostic(forall, draw, *, n, delta):
    """ERM over five thresholds has excess risk at most 2 sqrt(log(10/delta)/(2n))."""
    p = forall.simplex("P", 8)
    picks = draw.categorical("sample", p, n).long()
    risks, empirical = erm(p, picks, 4)
    chosen = risks.expand(len(empirical), -1).gather(-1, empirical.argmin(-1, keepdim=True))[:, 0]
    return chosen - risks.amin(-1), 2.0 * math.sqrt(math.log(10.0 / delta) / (2.0 * n))


@claim("estimators/true-compress-interval-loo", always(), cite="Littlestone and Warmuth 1986")
def interval_loo(forall):
    """The tightest interval makes at most two leave-one-out errors on realisable data."""
    x = forall.interval("x", 0.0, 1.0, 7)
    a, b = forall.interval("a", 0.0, 0.5), forall.interval("b", 0.5, 1.0)
    y = (x >= a[:, None]) & (x <= b[:, None])
    errors = torch.zeros(len(x), dtype=torch.float64)
    for i in range(7):
        keep = y & (torch.arange(7) != i)
        low = torch.where(keep, x, 9.0).amin(-1)
        high = torch.where(keep, x, -9.0).amax(-1)
        errors = errors + (((x[:, i] >= low) & (x[:, i] <= high)) != y[:, i]).double()
    return errors, 2.0


@claim("estimators/plain-missing-mass-shifted", always(), expected="refuted", cite="Berend and Kontorovich 2012")
def missing_mass_shifted(forall):
    """The expected missing mass of n draws from k outcomes is at most k/(e (n+1)), n = 5, k = 6."""
    p = forall.simplex("P", 6)
    return (p * (1.0 - p) ** 5).sum(-1), 6.0 / (math.e * 6.0)


@claim("estimators/true-missing-good-turing", identity(), cite="Good 1953")
def good_turing(forall):
    """The mean of the Good-Turing estimate of n draws is the mean missing mass of n - 1 draws."""
    law = forall.simplex("P", 3)
    n, k = 4, 3
    words = every.vectors(k, n, like=law).long()  # (81, 4)
    chances = law[:, words].prod(-1)
    singles = torch.tensor([sum(c == 1 for c in Counter(w).values()) / n for w in words.tolist()], dtype=torch.float64)
    shorter = every.vectors(k, n - 1, like=law).long()
    unseen = torch.tensor([[float(j not in w) for j in range(k)] for w in shorter.tolist()], dtype=torch.float64)
    mass = (law[:, shorter].prod(-1) * (law @ unseen.mT)).sum(-1)
    return (chances * singles).sum(-1), mass


@claim("estimators/true-sk-ridge-dual", identity(), cite="Saunders, Gammerman and Vovk 1998")
def sk_ridge_dual(forall):
    """Kernel ridge regression with the linear kernel predicts what ridge regression predicts."""
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.linear_model import Ridge

    x, y, z = forall.ball("X", 4, 2), forall.interval("y", -1.0, 1.0, 4), forall.ball("z", 2)
    left, right = [], []
    for a, b, c in zip(x.numpy(), y.numpy(), z.numpy()):
        left.append(Ridge(alpha=0.7, fit_intercept=False, solver="cholesky").fit(a, b).predict(c[None])[0])
        right.append(KernelRidge(alpha=0.7, kernel="linear").fit(a, b).predict(c[None])[0])
    return torch.tensor(np.array(left)), torch.tensor(np.array(right))


@claim("estimators/plain-sk-knn-training-error", always(), expected="refuted", cite="Cover and Hart 1967")
def sk_knn(forall):
    """The training error of three-nearest-neighbours is at most that of five-nearest-neighbours."""
    from sklearn.neighbors import KNeighborsClassifier

    x, y = forall.interval("x", 0.0, 1.0, 7), forall.signs("y", 7)
    out = []
    for a, b in zip(x.numpy(), y.numpy()):
        out.append([1.0 - KNeighborsClassifier(k).fit(a[:, None], b).score(a[:, None], b) for k in (3, 5)])
    out = torch.tensor(out, dtype=torch.float64)
    return out[:, 0], out[:, 1]


PROOFS = {
    "estimators/true-iso-min-max": (
        "The min-max formula of isotonic regression (Barlow, Bartholomew, Bremner and Brunk 1972)."
    ),
    "estimators/true-cv-majority-loo": (
        "Where one label leads, it leads by two and still after one removal, so that both errors agree; at four "
        "and four they are 1 and 1/2."
    ),
    "estimators/true-boot-variance-of-mean": (
        "The mean of a resample is a mean of four independent draws from the plug-in law."
    ),
    "estimators/true-boot-distinct": "Each member is in the sample with probability 1 - (1 - 1/n)^n; add these up.",
    "estimators/true-cluster-medoid": (
        "The mean cost of a data point is (1/n) sum over i != j of |x_i - x_j| <= (1/n) sum of |x_i - c| + |x_j "
        "- c| = 2 (1 - 1/n) times the cost of c."
    ),
    "estimators/true-density-histogram": (
        "The squared bias is 4 / (12 b^2) and the variance b/n (1 - sum p_j^2) with b = n^(1/3) bins: both of "
        "order n^(-2/3)."
    ),
    "estimators/true-knn-distance-square": (
        "P(distance > r) = (1 - pi r^2)^n away from the boundary, which only n^(-1/2) of the points are near: "
        "the mean is 1 / (2 sqrt n) to first order."
    ),
    "estimators/true-pac-erm-agnostic": (
        "Hoeffding's inequality for five thresholds and both sides: all empirical risks are within "
        "sqrt(log(10/delta) / (2n)) of the true ones."
    ),
    "estimators/true-compress-interval-loo": (
        "Only the smallest and the largest positive point can change the interval when they are left out; a "
        "negative point never lies in it."
    ),
    "estimators/true-missing-good-turing": "Both are sum p (1 - p)^(n - 1).",
    "estimators/true-sk-ridge-dual": "z' (X'X + a I)^-1 X'y = z'X' (XX' + a I)^-1 y.",
}

WITNESSES = {
    "estimators/plain-iso-sup-norm-optimal": {
        "params": {},
        "values": {"y": [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "The fit is 1/6 and errs by 5/6; the constant 1/2 errs by 1/2.",
    },
    "estimators/plain-boot-variance-unbiased": {
        "params": {},
        "values": {"x": [1.0, 0.0, 0.0, 0.0]},
        "why": "3/64 against 1/16.",
    },
    "estimators/plain-cluster-medoid-squared": {
        "params": {},
        "values": {"x": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]},
        "why": "2 against 4/3 of 4/3.",
    },
    "estimators/plain-density-histogram-fast": {
        "params": {},
        "values": {},
        "exponent": -2.0 / 3.0,
        "why": "Bias 1/(3 b^2), variance b/n (1 - 4/(3b) + 1/(3b^3)) with b = n^(1/3) bins.",
    },
    "estimators/plain-pac-threshold-fast": {
        "params": {"n": 50, "delta": 0.1},
        "values": {"theta": 1.0},
        "probability": (1 - math.log(10) / 75) ** 50,
        "why": "(1 - log(10)/75)^50 = 0.2103.",
    },
    "estimators/plain-missing-mass-shifted": {
        "params": {},
        "values": {"P": [1 / 6] * 6},
        "why": "(5/6)^5 = 0.40188 against 1/e.",
    },
    "estimators/plain-sk-knn-training-error": {
        "params": {},
        "values": {"x": [v / 64 for v in (0, 6, 21, 24, 38, 46, 64)], "y": [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]},
        "why": "Alternating labels: 5/7 against 2/7, without ties.",
    },
}
