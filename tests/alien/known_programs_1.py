"""Alien claims, known: programs as practitioners write them (1); see README.md."""

import math
from dataclasses import dataclass, field

import numpy as np
import torch

from harness import always, claim, every, grid, identity


def edit_distance_program(a, b, *, swaps=False):
    """Levenshtein's distance; with swaps of neighbours that of optimal string alignment."""
    d = np.zeros((len(a) + 1, len(b) + 1))
    d[:, 0] = range(len(a) + 1)
    d[0, :] = range(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if swaps and i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
    return d[-1, -1]


def word(row):
    """Blanks, written 0, are left out."""
    return [int(c) for c in row if c != 0]


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


@dataclass
class Perceptron:
    """Rosenblatt's rule, passes over the data until one is without a mistake."""

    dimension: int
    mistakes: int = 0
    weights: np.ndarray = field(init=False)

    def __post_init__(self):
        self.weights = np.zeros(self.dimension)

    def fit(self, points, labels, passes=500):
        for _ in range(passes):
            clean = True
            for x, y in zip(points, labels, strict=True):
                if y * (self.weights @ x) <= 0:
                    self.weights = self.weights + y * x
                    self.mistakes += 1
                    clean = False
            if clean:
                break
        return self


class AdaBoost:
    """Freund and Schapire's algorithm over a given list of weak hypotheses."""

    def __init__(self, hypotheses, rounds):
        self.hypotheses = hypotheses
        self.rounds = rounds
        self.chosen = []
        self.errors = []

    def fit(self, labels):
        n = len(labels)
        weights = np.full(n, 1.0 / n)
        for _ in range(self.rounds):
            best, error = None, 2.0
            for h in self.hypotheses:
                for sign in (1.0, -1.0):
                    e = weights[sign * h != labels].sum()
                    if e < error:
                        best, error = sign * h, e
            self.errors.append(error)
            if error <= 1e-12:
                self.chosen = [(1.0, best)]
                break
            alpha = 0.5 * np.log((1.0 - error) / error)
            self.chosen.append((alpha, best))
            weights = weights * np.exp(-alpha * labels * best)
            weights = weights / weights.sum()
        return self

    def training_error(self, labels):
        score = sum(alpha * h for alpha, h in self.chosen)
        return np.mean(labels * score <= 0)


def lloyd(points, centres, steps=100):
    """k-means by Lloyd's algorithm; an empty cluster keeps its centre."""
    centres = centres.copy()
    history = []
    for _ in range(steps):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(-1)
        labels = distances.argmin(1)
        history.append(distances.min(1).sum())
        new = centres.copy()
        for k in range(len(centres)):
            members = points[labels == k]
            if len(members):
                new[k] = members.mean(0)
        if np.allclose(new, centres, rtol=0.0, atol=1e-12):
            break
        centres = new
    return centres, history


def best_two_means(points):
    """The least cost of two clusters, over all partitions."""
    n, best = len(points), np.inf
    for code in range(1, 2 ** (n - 1)):
        mask = np.array([code >> i & 1 for i in range(n)], dtype=bool)
        best = min(best, sum(((g - g.mean(0)) ** 2).sum() for g in (points[mask], points[~mask])))
    return best


def kalman(observations, a, q, r, prior=1.0):
    """Mean and variance of the last state, x' = a x + N(0, q), y = x + N(0, r)."""
    mean, variance = 0.0, prior
    for step, y in enumerate(observations):
        if step:
            mean, variance = a * mean, a * a * variance + q
        gain = variance / (variance + r)
        mean, variance = mean + gain * (y - mean), (1.0 - gain) * variance
    return mean, variance


def pool_adjacent_violators(y):
    blocks = []
    for value in y:
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (v, m), (w, k) = blocks[-2], blocks[-1]
            blocks[-2:] = [[(v * m + w * k) / (m + k), m + k]]
    return np.array([v for v, m in blocks for _ in range(m)])


def run_perceptron(points, normal):
    labels = np.where(points @ normal >= 0, 1.0, -1.0)
    return Perceptron(points.shape[1]).fit(points, labels).mistakes


def separated(forall, n, low):
    """Points of the unit ball and a unit normal from whose hyperplane they keep away; the margin."""
    x, u = forall.ball("x", n, 2), forall.sphere("u", 2)
    margin = (x * u[:, None, :]).sum(-1).abs().amin(-1)
    forall.assume(margin >= low)
    return x, u, margin


def boosted(hypotheses, labels, rounds):
    model = AdaBoost(list(hypotheses), rounds).fit(labels)
    bound = math.prod(2.0 * math.sqrt(max(e * (1.0 - e), 0.0)) for e in model.errors)
    return bound - model.training_error(labels)


def boosted_half(hypotheses, labels, rounds):
    model = AdaBoost(list(hypotheses), rounds).fit(labels)
    bound = math.prod(1.8 * math.sqrt(max(e * (1.0 - e), 0.0)) for e in model.errors)
    return bound - model.training_error(labels)


def bootstrap_variance(x):
    """Over all n^n resamples, exactly."""
    n = x.shape[-1]
    means = x[:, every.vectors(n, n, like=x).long()].mean(-1)
    return means.var(-1, unbiased=False)


def lasso_sweeps(x, y, lam, sweeps, *, together=False):
    """Coordinate descent for |y - x w|^2 / 2 + lam |w|_1; the objectives. Together: all from the old ones."""
    w = np.zeros(x.shape[1])
    objective = [0.5 * y @ y]
    for _ in range(sweeps):
        new = w.copy()
        for j in range(len(w)):
            base = w if together else new
            rest = y - x @ base + x[:, j] * base[j]
            norm = x[:, j] @ x[:, j]
            z = x[:, j] @ rest
            new[j] = np.sign(z) * max(abs(z) - lam, 0.0) / norm if norm > 0 else 0.0
        w = new
        objective.append(0.5 * np.sum((y - x @ w) ** 2) + lam * np.abs(w).sum())
    return np.array(objective)


def distances(forall, *, swaps):
    a, b, c = (forall.integers(name, 0, 3, 4) for name in "abc")

    def distance(u, v):
        return edit_distance_program(word(u), word(v), swaps=swaps)

    return rows(distance, a, c), rows(distance, a, b) + rows(distance, b, c)


@claim("programs/true-perceptron", always(), cite="Novikoff 1962")
def perceptron(forall):
    """The perceptron makes at most (R / margin)^2 mistakes."""
    x, u, margin = separated(forall, 5, 0.1)
    mistakes = rows(run_perceptron, x, u)
    return mistakes * margin**2, x.norm(dim=-1).amax(-1) ** 2


@claim("programs/plain-perceptron-root", always(), expected="refuted", cite="Novikoff 1962")
def perceptron_root(forall):
    """The perceptron makes at most R / margin mistakes."""
    x, u, margin = separated(forall, 5, 0.1)
    mistakes = rows(run_perceptron, x, u)
    return mistakes * margin, x.norm(dim=-1).amax(-1)


@claim("programs/true-adaboost", always(), cite="Freund and Schapire 1997, Theorem 6", over=grid(rounds=[1, 3, 6]))
def adaboost(forall, *, rounds):
    """Training error <= prod 2 sqrt(e (1 - e)) for the weighted errors e of the rounds."""
    h, y = forall.signs("h", 4, 6), forall.signs("y", 6)
    return 0.0, rows(lambda h, y: boosted(h, y, rounds), h, y)


@claim(
    "programs/plain-adaboost-factor",
    always(),
    over=grid(rounds=[6]),
    expected="refuted",
    cite="Freund and Schapire 1997, Theorem 6",
)
def adaboost_factor(forall, *, rounds):
    """Training error <= prod 1.8 sqrt(e (1 - e))."""
    h, y = forall.signs("h", 4, 6), forall.signs("y", 6)
    return 0.0, rows(lambda h, y: boosted_half(h, y, rounds), h, y)


@claim("programs/true-lloyd-monotone", always(), cite="Lloyd 1982")
def lloyd_monotone(forall):
    """The cost of Lloyd's k-means falls from step to step."""
    x, c = forall.ball("x", 6, 2), forall.ball("c", 2, 2)
    return rows(lambda x, c: max(np.diff(lloyd(x, c)[1] + [0.0])), x, c), 0.0


@claim("programs/plain-lloyd-twice", always(), expected="refuted", cite="Lloyd 1982")
def lloyd_twice(forall):
    """Lloyd's k-means, started at the first two points, ends at most twice above the least cost."""
    x = forall.ball("x", 5, 2)
    return rows(lambda x: lloyd(x, x[:2])[1][-1], x), 2.0 * rows(best_two_means, x)


@claim("programs/true-k-means-plus-plus", always(), cite="Arthur and Vassilvitskii 2007, Theorem 1.1")
def k_means_plus_plus(forall):
    """Seeding by squared distances costs at most 8 (log 2 + 2) times the least in the mean."""
    x = forall.ball("x", 5, 2)
    d = torch.cdist(x, x).square()
    forall.assume(d.sum(-1).amin(-1) > 1e-6)
    mean = 0.0
    for first in range(5):
        for second in range(5):
            cost = torch.minimum(d[:, first], d[:, second]).sum(-1)
            mean = mean + cost * d[:, first, second] / d[:, first].sum(-1) / 5.0
    return mean, 8.0 * (math.log(2.0) + 2.0) * rows(best_two_means, x)


@claim("programs/true-kalman-variance", always(), cite="Anderson and Moore 1979")
def kalman_variance(forall):
    """The filter's variance is at most those of the last observation alone and of the state."""
    y, a = forall.interval("y", -1.0, 1.0, 5), forall.interval("a", -1.0, 1.0)
    q, r = forall.interval("q", 0.0, 1.0), forall.interval("r", 0.1, 1.0)
    variance = rows(lambda y, a, q, r: kalman(y, a, q, r)[1], y, a, q, r)
    state = torch.ones_like(a)
    for _ in range(4):
        state = a**2 * state + q
    return variance, torch.minimum(r, state)


@claim("programs/plain-kalman-shrinks", always(), expected="refuted", cite="Anderson and Moore 1979")
def kalman_shrinks(forall):
    """The filter's variance falls with every observation."""
    y, a = forall.interval("y", -1.0, 1.0, 5), forall.interval("a", -1.0, 1.0)
    q, r = forall.interval("q", 0.0, 1.0), forall.interval("r", 0.1, 1.0)
    after = rows(lambda y, a, q, r: kalman(y, a, q, r)[1], y, a, q, r)
    return after, rows(lambda y, a, q, r: kalman(y[:-1], a, q, r)[1], y, a, q, r)


@claim("programs/true-pav-min-max", identity(), cite="Robertson, Wright and Dykstra 1988, Theorem 1.4.4")
def pav_min_max(forall):
    """Pooling violators gives max over i <= k of min over j >= k of the means of i ... j."""
    y = forall.interval("y", 0.0, 1.0, 5)

    def formula(y):
        fits = [max(min(y[i : j + 1].mean() for j in range(k, len(y))) for i in range(k + 1)) for k in range(len(y))]
        return np.arange(1, 6) @ np.array(fits)

    return rows(lambda y: np.arange(1, 6) @ pool_adjacent_violators(y), y), rows(formula, y)


@claim("programs/true-bootstrap-variance", identity(), cite="Efron 1979")
def bootstrap(forall):
    """The bootstrap variance of the mean is that of the sample, with divisor n, over n."""
    x = forall.interval("x", 0.0, 1.0, 4)
    return bootstrap_variance(x), x.var(-1, unbiased=False) / 4.0


@claim("programs/plain-bootstrap-variance", identity(), expected="refuted", cite="Efron 1979")
def bootstrap_unbiased(forall):
    """The bootstrap variance of the mean is the unbiased variance of the sample over n."""
    x = forall.interval("x", 0.0, 1.0, 4)
    return bootstrap_variance(x), x.var(-1, unbiased=True) / 4.0


@claim("programs/true-coordinate-descent", always(), cite="Tseng 2001")
def coordinate_descent(forall):
    """No sweep of coordinate descent raises the objective of the lasso."""
    x, y = forall.ball("x", 4, 3), forall.interval("y", -1.0, 1.0, 4)
    lam = forall.interval("lambda", 0.0, 0.5)
    return (
        rows(lambda x, y, lam: lasso_sweeps(x, y, lam, 3)[-1], x, y, lam),
        rows(lambda x, y, lam: lasso_sweeps(x, y, lam, 3)[-2], x, y, lam),
    )


PROOFS = {
    "programs/true-perceptron": "Each mistake adds the margin to <w, u> and at most R^2 to |w|^2.",
    "programs/true-adaboost": "exp(-y F) bounds the error, and its mean is the product of the normalisers.",
    "programs/true-lloyd-monotone": "Both the assignment and the means minimise the cost given the other.",
    "programs/true-k-means-plus-plus": "Theorem 1.1 of Arthur and Vassilvitskii for k = 2.",
    "programs/true-kalman-variance": (
        "1 / variance = 1 / r + 1 / predicted, and the predicted one is at most that without observations."
    ),
    "programs/true-pav-min-max": "The min-max formula of isotonic regression.",
    "programs/true-bootstrap-variance": "A resampled mean is a mean of n independent draws from the sample.",
    "programs/true-coordinate-descent": "Each update minimises the objective in its coordinate.",
}


WITNESSES = {
    "programs/plain-perceptron-root": {
        "params": {},
        "values": {
            "x": [
                [0.06756689917530831, 0.8246501803744306],
                [0.9621895213112678, -0.2723808456532756],
                [0.8246501803744306, 0.565643067674677],
                [-0.2723808456532756, -0.7091832817868514],
                [-0.7847176532153898, -0.6198533735748571],
            ],
            "u": [0.8, 0.6],
        },
        "why": "1.09769 against 1",
    },
    "programs/plain-adaboost-factor": {
        "params": {"rounds": 6},
        "values": {
            "h": [
                [1.0, -1.0, 1.0, 1.0, 1.0, -1.0],
                [-1.0, 1.0, -1.0, -1.0, -1.0, 1.0],
                [-1.0, 1.0, -1.0, -1.0, 1.0, -1.0],
                [-1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
            ],
            "y": [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        },
        "why": "1 against 0.531441",
    },
    "programs/plain-lloyd-twice": {
        "params": {},
        "values": {"x": [[1.0, 0.0], [0.7, 0.7], [0.0, 0.0], [0.0, -0.7], [1.0, 0.0]]},
        "why": "1.48333 against 1.26333",
    },
    "programs/plain-kalman-shrinks": {
        "params": {},
        "values": {"y": [0.0, 0.0, 0.0, 0.0, 0.0], "a": -1.0, "q": 1.0, "r": 1.0},
        "why": "0.617978 against 0.617647",
    },
    "programs/plain-bootstrap-variance": {
        "params": {},
        "values": {"x": [6.612397975403577e-82, 6.612397975403577e-82, 6.612397975403577e-82, 0.0]},
        "why": "2.04955e-164 against 2.73274e-164",
    },
}
