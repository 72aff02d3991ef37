"""Alien claims, known: random features and kernel approximation (2); see README.md."""

# ruff: noqa: B905, E731

import itertools
import math

import numpy as np
import torch

from harness import always, claim, every, grid, high_probability, identity, tail


@claim("features/true-effective-dimension", always(), cite="Caponnetto and De Vito 2007")
def effective_dimension(forall):
    """d(lambda) <= n s_1 / (s_1 + lambda)."""
    k, lam = forall.psd("K", 3, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    s = torch.linalg.eigvalsh(k)
    return (s / (s + lam[:, None])).sum(-1), 3 * s[:, -1] / (s[:, -1] + lam)


@claim("features/subtle-effective-dimension", always(), expected="refuted", cite="Caponnetto and De Vito 2007")
def effective_dimension_one_percent(forall):
    """d(lambda) <= 0.99 n s_1 / (s_1 + lambda)."""
    k, lam = forall.psd("K", 3, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    s = torch.linalg.eigvalsh(k)
    return (s / (s + lam[:, None])).sum(-1), 0.99 * 3 * s[:, -1] / (s[:, -1] + lam)


@claim("features/true-dimension-halves", always(), cite="Caponnetto and De Vito 2007")
def dimension_halves(forall):
    """d(lambda) <= 2 d(2 lambda), by traces."""
    k, lam = forall.psd("K", 3, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    eye = torch.eye(3, dtype=torch.float64)
    d = lambda r: torch.linalg.solve(k + r[:, None, None] * eye, k).diagonal(dim1=-2, dim2=-1).sum(-1)
    return d(lam), 2 * d(2 * lam)


@claim("features/plain-dimension-root", always(), expected="refuted", cite="Caponnetto and De Vito 2007")
def dimension_root(forall):
    """d(lambda) <= sqrt(tr K / lambda) / 2."""
    k, lam = forall.psd("K", 3, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    s = torch.linalg.eigvalsh(k)
    return (s / (s + lam[:, None])).sum(-1), torch.sqrt(1 / lam) / 2


@claim("features/true-maclaurin", identity(), cite="Kar and Karnick 2012")
def maclaurin(forall):
    """E (s.x)(s.y)(t.x)(t.y) = (x.y)^2 for independent signs s and t."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    s = every.signs(3, like=x)
    one = (s @ x.mT) * (s @ y.mT)
    both = (one[:, None] * one[None]).mean((0, 1))
    return both, (x * y).sum(-1) ** 2


@claim("features/true-rademacher-below-gauss", always(), cite="Kar and Karnick 2012")
def rademacher_below_gauss(forall):
    """E (s.x)^2 (s.y)^2 <= |x|^2 |y|^2 + 2 (x.y)^2, the Gaussian value, for signs s."""
    x, y = forall.ball("x", 4), forall.ball("y", 4)
    s = every.signs(4, like=x)
    second = ((s @ x.mT) ** 2 * (s @ y.mT) ** 2).mean(0)
    return second, (x * x).sum(-1) * (y * y).sum(-1) + 2 * (x * y).sum(-1) ** 2


@claim("features/subtle-rademacher-moment", always(), expected="refuted", cite="Kar and Karnick 2012")
def rademacher_moment(forall):
    """E (s.x)^2 (s.y)^2 <= 2.31 |x|^2 |y|^2 for signs s in three dimensions."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    s = every.signs(3, like=x)
    second = ((s @ x.mT) ** 2 * (s @ y.mT) ** 2).mean(0)
    return second, 2.31 * (x * x).sum(-1) * (y * y).sum(-1)


class CountSketch:
    """All sketches of n coordinates into m buckets."""

    def __init__(self, n, m):
        self.tables = []
        for buckets in itertools.product(range(m), repeat=n):
            for signs in itertools.product((-1.0, 1.0), repeat=n):
                table = torch.zeros(m, n, dtype=torch.float64)
                for i, (bucket, sign) in enumerate(zip(buckets, signs)):
                    table[bucket, i] = sign
                self.tables.append(table)

    def inner(self, x, y):
        return torch.stack([((x @ t.T) * (y @ t.T)).sum(-1) for t in self.tables])


@claim(
    "features/plain-count-sketch",
    always(),
    over=grid(m=[2]),
    expected="refuted",
    cite="Charikar, Chen and Farach-Colton 2002",
)
def count_sketch_wrong(forall, *, m):
    """The variance of a count sketch of <x, y> is at most |x|^2 |y|^2 / m^2."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    inner = CountSketch(3, m).inner(x, y)
    variance = ((inner - (x * y).sum(-1)) ** 2).mean(0)
    return variance, (x**2).sum(-1) * (y**2).sum(-1) / m**2


@claim("features/true-arc-cosine-gram", always(), cite="Cho and Saul 2009")
def arc_cosine_gram(forall):
    """Gram matrices of the arc-cosine kernel of order zero, 1 - angle/pi, are positive semi-definite."""
    x = forall.sphere("x", 4, 3)
    angle = torch.arccos((x @ x.mT).clamp(-1, 1))
    return -torch.linalg.eigvalsh(1 - angle / math.pi)[:, 0], 0.0


@claim("features/true-arc-cosine-one", always(), cite="Cho and Saul 2009")
def arc_cosine_one(forall):
    """cos t <= (sin t + (pi - t) cos t) / pi on [0, pi]."""
    t = forall.interval("t", 0.0, math.pi)
    return torch.cos(t), (torch.sin(t) + (math.pi - t) * torch.cos(t)) / math.pi


def mmd_squared(x, y):
    k = lambda a, b: torch.exp(-(a[:, :, None] - b[:, None]).square().sum(-1) / 2).mean((1, 2))
    return k(x, x) + k(y, y) - 2 * k(x, y)


@claim("features/subtle-mmd-largest", always(), expected="refuted", cite="Gretton et al. 2012")
def mmd_largest_wrong(forall):
    """MMD^2 <= 1.72 for samples of the unit ball and the Gaussian kernel."""
    x, y = forall.ball("x", 3, 2), forall.ball("y", 3, 2)
    return mmd_squared(x, y), 1.72


@claim("features/plain-mmd-unbiased", always(), expected="refuted", cite="Gretton et al. 2012")
def mmd_unbiased_positive(forall):
    """The unbiased estimate of MMD^2 is not negative."""
    x, y = forall.ball("x", 3, 1), forall.ball("y", 3, 1)
    k = lambda a, b: torch.exp(-(a[:, :, None] - b[:, None]).square().sum(-1) / 2)
    off = 1 - torch.eye(3, dtype=torch.float64)
    value = (k(x, x) * off).sum((1, 2)) / 6 + (k(y, y) * off).sum((1, 2)) / 6 - 2 * k(x, y).mean((1, 2))
    return -value, 0.0


@claim("features/true-mmd-features", identity(), cite="Zhao and Meng 2015")
def mmd_features(forall):
    """MMD of feature means: |mean phi(x) - mean phi(y)|^2 is the V-statistic of the approximate kernel."""
    x, y = forall.interval("x", -2.0, 2.0, 4), forall.interval("y", -2.0, 2.0, 3)
    w = torch.tensor([0.3, 1.1, 2.4], dtype=torch.float64)

    def phi(v):
        return torch.cat([torch.cos(v[:, :, None] * w), torch.sin(v[:, :, None] * w)], -1) / math.sqrt(3)

    def kernel(a, b):
        return torch.cos((a[:, :, None, None] - b[:, None, :, None]) * w).mean((1, 2, 3))

    return (phi(x).mean(1) - phi(y).mean(1)).square().sum(-1), kernel(x, x) + kernel(y, y) - 2 * kernel(x, y)


@claim(
    "features/true-mmd-test",
    high_probability("delta"),
    over=grid(m=[8], delta=[0.1]),
    cite="Gretton et al. 2012, Cor. 9",
)
def mmd_test(forall, draw, *, m, delta):
    """MMD_b <= sqrt(2/m) (1 + sqrt(2 log(1/delta))) for two samples of one law."""
    law = forall.law("P", atoms=3, low=-2.0, high=2.0)
    x, y = draw.law("x", law, m), draw.law("y", law, m)
    bound = math.sqrt(2 / m) * (1 + math.sqrt(2 * math.log(1 / delta)))
    return mmd_squared(x[..., None], y[..., None]).clamp_min(0).sqrt(), bound


@claim("features/plain-kernel-pca-row-sum", always(), expected="refuted", cite="Perron 1907; Frobenius 1912")
def kernel_pca_row_sum(forall):
    """The largest eigenvalue of a Gaussian Gram matrix is at most its mean row sum, in numpy."""
    x = forall.interval("x", -2.0, 2.0, 4).numpy()
    gram = np.exp(-((x[:, :, None] - x[:, None, :]) ** 2))
    return torch.from_numpy(np.linalg.eigvalsh(gram)[:, -1]), torch.from_numpy(gram.sum(-1).mean(-1))


@claim("features/true-hoffman-wielandt", always(), cite="Hoffman and Wielandt 1953")
def hoffman_wielandt(forall):
    """The eigenvalues of two matrices differ by at most the Frobenius norm of their difference."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    gap = torch.linalg.eigvalsh(a) - torch.linalg.eigvalsh(b)
    return (gap**2).sum(-1), ((a - b) ** 2).sum((-1, -2))


@claim("features/true-johnson-lindenstrauss", tail(), over=grid(m=[20]), cite="Dasgupta and Gupta 2003")
def johnson_lindenstrauss(forall, draw, *, m):
    """P(| |Gx|^2/m - |x|^2 | >= eps |x|^2) <= 2 exp(-m (eps^2 - eps^3) / 4)."""
    x, eps = forall.sphere("x", 3), forall.interval("eps", 0.1, 0.9)
    g = draw.normal("G", m, 3)
    length = (g @ x[:, :, None]).square().sum((-1, -2)) / m
    return (length - 1).abs() >= eps, 2 * torch.exp(-m * (eps**2 - eps**3) / 4)


@claim(
    "features/plain-johnson-lindenstrauss",
    tail(),
    over=grid(m=[20]),
    expected="refuted",
    cite="Dasgupta and Gupta 2003",
)
def johnson_lindenstrauss_wrong(forall, draw, *, m):
    """P(| |Gx|^2/m - |x|^2 | >= eps |x|^2) <= 2 exp(-m eps^2)."""
    x, eps = forall.sphere("x", 3), forall.interval("eps", 0.1, 0.9)
    g = draw.normal("G", m, 3)
    length = (g @ x[:, :, None]).square().sum((-1, -2)) / m
    return (length - 1).abs() >= eps, 2 * torch.exp(-m * eps**2)


PROOFS = {
    "features/true-effective-dimension": "s/(s + lambda) increases in s.",
    "features/true-dimension-halves": "s/(s + 2 lambda) >= s/(s + lambda)/2 term by term.",
    "features/true-maclaurin": (
        "E s_i s_j = 1 if i = j, else 0; s and t independent, the mean over all pairs of signs."
    ),
    "features/true-rademacher-below-gauss": "E (s.x)^2 (s.y)^2 = |x|^2|y|^2 + 2 (x.y)^2 - 2 sum x_i^2 y_i^2.",
    "features/true-arc-cosine-gram": "1 - angle/pi = 2 P(w.x > 0, w.y > 0): a mean of psd matrices.",
    "features/true-arc-cosine-one": ("The difference is (sin t - t cos t)/pi >= 0 on [0, pi]: derivative t sin t."),
    "features/true-mmd-features": (
        "|mean phi(x) - mean phi(y)|^2 expands by cos(a)cos(b) + sin(a)sin(b) = cos(a - b)."
    ),
    "features/true-mmd-test": (
        "Gretton et al. 2012, Corollary 9, kernel bound 1: McDiarmid and a mean of at most sqrt(2/m)."
    ),
    "features/true-hoffman-wielandt": ("Hoffman and Wielandt 1953 for symmetric matrices, eigenvalues sorted alike."),
    "features/true-johnson-lindenstrauss": (
        "Dasgupta and Gupta 2003: |Gx|^2 is chi-square with m degrees; both tails at most exp(-m (eps^2 - eps^3)/4)."
    ),
}

WITNESSES = {
    "features/subtle-effective-dimension": {
        "params": {},
        "values": {
            "K": [[0.3333333333333333, 0.0, 0.0], [0.0, 0.3333333333333333, 0.0], [0.0, 0.0, 0.3333333333333333]],
            "lambda": 1.0,
        },
        "why": "K = I/3: equality without the factor 0.99.",
    },
    "features/plain-dimension-root": {
        "params": {},
        "values": {
            "K": [[0.3333333333333333, 0.0, 0.0], [0.0, 0.3333333333333333, 0.0], [0.0, 0.0, 0.3333333333333333]],
            "lambda": 0.3333333333333333,
        },
        "why": "K = I/3, lambda = 1/3: 1.5 > 0.866.",
    },
    "features/subtle-rademacher-moment": {
        "params": {},
        "values": {
            "x": [0.5773502691896257, 0.5773502691896257, 0.5773502691896257],
            "y": [0.5773502691896257, 0.5773502691896257, 0.5773502691896257],
        },
        "why": "x = y = (1, 1, 1)/sqrt 3: 7/3 > 2.31.",
    },
    "features/plain-count-sketch": {
        "params": {"m": 2},
        "values": {
            "x": [0.5773502691896257, 0.5773502691896257, 0.5773502691896257],
            "y": [0.5773502691896257, 0.5773502691896257, 0.5773502691896257],
        },
        "why": "x = y = (1, 1, 1)/sqrt 3: 2/3 > 1/4.",
    },
    "features/subtle-mmd-largest": {
        "params": {},
        "values": {"x": [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], "y": [[-1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]]},
        "why": "x all e_1, y all -e_1: 2 (1 - exp(-2)) = 1.7293 > 1.72.",
    },
    "features/plain-mmd-unbiased": {
        "params": {},
        "values": {"x": [[-1.0], [0.0], [1.0]], "y": [[-1.0], [0.0], [1.0]]},
        "why": "x = y = (-1, 0, 1): -0.367.",
    },
    "features/plain-kernel-pca-row-sum": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 2.0]},
        "why": (
            "1'G1/n is a Rayleigh quotient, so the largest eigenvalue is at least it; strict for x = (0, 0, "
            "0, 2): about 3.0 > 2.5."
        ),
    },
    "features/plain-johnson-lindenstrauss": {
        "params": {"m": 20},
        "values": {"x": [1.0, 0.0, 0.0], "eps": 0.5},
        "probability": 0.10168171800561476,
        "why": "eps = 0.5: 0.10 (simulated, chi-square with 20 degrees) > 0.0135.",
    },
}
