"""Alien claims, known: what functions of libraries return (1); see README.md."""

import math
import warnings

import numpy as np
import torch
from scipy import special, stats
from sklearn import metrics
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.isotonic import IsotonicRegression, isotonic_regression
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.svm import SVC

from harness import always, claim, grid, high_probability, identity, tail


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


def regression(forall, n=6, p=2):
    return forall.ball("x", n, p), forall.interval("y", -1.0, 1.0, n)


LABELS = np.array([0, 0, 0, 1, 1, 1, 1])


def covers(draw, p, n, method):
    intervals = [stats.binomtest(k, n).proportion_ci(0.95, method=method) for k in range(n + 1)]
    low, high = (torch.tensor([getattr(i, e) for i in intervals], dtype=torch.float64) for e in ("low", "high"))
    k = draw.bernoulli("x", p, n).sum(-1).long()
    return (low[k] > p) | (high[k] < p)


@claim("libraries/true-isotonic-mean", identity(), cite="Robertson, Wright and Dykstra 1988, Theorem 1.3.3")
def isotonic_mean(forall):
    """Isotonic regression keeps the weighted mean."""
    y, w = forall.interval("y", 0.0, 1.0, 6), forall.interval("w", 0.1, 1.0, 6)
    return rows(lambda y, w: w @ isotonic_regression(y, sample_weight=w), y, w), (w * y).sum(-1)


@claim("libraries/true-isotonic-projection", always(), cite="Robertson, Wright and Dykstra 1988, Theorem 1.3.2")
def isotonic_projection(forall):
    """|y - f|^2 + |f - g|^2 <= |y - g|^2 for the isotonic fit f and any increasing g."""
    y, g = forall.interval("y", 0.0, 1.0, 6), forall.interval("g", 0.0, 1.0, 6).sort(-1).values

    def left(y, g):
        f = IsotonicRegression().fit(np.arange(6), y).predict(np.arange(6))
        return np.sum((y - f) ** 2) + np.sum((f - g) ** 2)

    return rows(left, y, g), (y - g).square().sum(-1)


@claim(
    "libraries/plain-isotonic-lipschitz",
    always(),
    expected="refuted",
    cite="Robertson, Wright and Dykstra 1988, Theorem 1.3.2",
)
def isotonic_lipschitz(forall):
    """Two isotonic fits differ by at most 0.9 of what the data differ by, in the norm."""
    y, z = forall.interval("y", 0.0, 1.0, 5), forall.interval("z", 0.0, 1.0, 5)
    ours = rows(lambda y, z: np.linalg.norm(isotonic_regression(y) - isotonic_regression(z)), y, z)
    return ours, 0.9 * (y - z).norm(dim=-1)


@claim("libraries/plain-ridge-intercept", identity(), expected="refuted", cite="Hoerl and Kennard 1970")
def ridge_intercept(forall):
    """So it is with scikit-learn's default intercept, on centred points."""
    x, y = regression(forall)
    x = x - x.mean(1, keepdim=True)
    a = forall.interval("a", 0.1, 2.0)
    gram = x.mT @ x + 6.0 * a[:, None, None] * torch.eye(2, dtype=torch.float64)
    v = (x.mT @ y[:, :, None])[:, :, 0]
    ours = rows(lambda x, y, a, v: v @ Ridge(alpha=a).fit(x, y).coef_, x, y, a, v)
    return ours, (v * torch.linalg.solve(gram, v[:, :, None])[:, :, 0]).sum(-1)


@claim("libraries/true-lasso-gap", always(), cite="scikit-learn's user guide: the dual gap is at most tol |y|^2")
def lasso_gap(forall):
    """Lasso's objective exceeds that of any w by at most tol |y|^2 / n."""
    x, y = regression(forall)
    a, w = forall.interval("a", 0.05, 0.5), forall.ball("w", 2, radius=2.0)

    def objective(x, y, a, w):
        return np.sum((y - x @ w) ** 2) / 12.0 + a * np.abs(w).sum()

    def ours(x, y, a):
        model = Lasso(alpha=a, fit_intercept=False, tol=1e-4, max_iter=100000, random_state=0).fit(x, y)
        return objective(x, y, a, model.coef_)

    return rows(ours, x, y, a), rows(objective, x, y, a, w) + 1e-4 * y.square().sum(-1) / 6.0


@claim("libraries/true-r-squared", identity(), cite="Draper and Smith 1998, 1.3")
def r_squared(forall):
    """R^2 of a least-squares line is the squared correlation."""
    x, y = forall.interval("x", -1.0, 1.0, 5), forall.interval("y", -1.0, 1.0, 5)
    forall.assume((x.std(-1) > 0.1) & (y.std(-1) > 0.1))
    ours = rows(lambda x, y: LinearRegression().fit(x[:, None], y).score(x[:, None], y), x, y)
    return 1.0 + ours, 1.0 + rows(lambda x, y: stats.pearsonr(x, y)[0] ** 2, x, y)


@claim("libraries/plain-pca-divisor", identity(), expected="refuted", cite="Jolliffe 2002, Property A5")
def pca_divisor(forall):
    """The explained variances have the divisor n."""
    x = forall.ball("x", 6, 3)
    total = rows(lambda x: PCA(3, svd_solver="full").fit(x).explained_variance_.sum(), x)
    return total, x.var(1, unbiased=False).sum(-1)


@claim("libraries/true-k-means", always(), cite="Lloyd 1982")
def k_means(forall):
    """The inertia of KMeans is at most that of its initial centres."""
    x, c = forall.ball("x", 6, 2), forall.ball("c", 2, 2)

    def inertia(x, c):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return KMeans(2, init=c, n_init=1).fit(x).inertia_

    return rows(inertia, x, c), torch.cdist(x, c).square().amin(-1).sum(-1)


@claim("libraries/true-svc-balance", identity(), cite="Cortes and Vapnik 1995")
def svc_balance(forall):
    """The dual variables of an SVC add up to the same for both classes."""
    x = forall.ball("x", 6, 2)
    y = np.array([0, 0, 0, 1, 1, 1])

    def one(x, sign):
        dual = SVC(C=1.0, kernel="rbf", gamma=1.0, random_state=0).fit(x, y).dual_coef_.ravel()
        return np.clip(sign * dual, 0.0, None).sum()

    return rows(lambda x: one(x, 1.0), x), rows(lambda x: one(x, -1.0), x)


@claim(
    "libraries/true-rbf-sampler",
    high_probability("delta"),
    cite="Rahimi and Recht 2007, Claim 1; Hoeffding 1963",
    over=grid(features=[30], delta=[0.05]),
)
def rbf_sampler(forall, draw, *, features, delta):
    """|z(x)'z(y) - k(x, y)| <= 2 sqrt(2 log(2 / delta) / D) for scikit-learn's random features."""
    x, y = forall.ball("x", 2), forall.ball("y", 2)
    seeds = (draw.uniform("seed") * 2.0**31).long()

    def product(seed, x, y):
        z = RBFSampler(gamma=0.5, n_components=features, random_state=int(seed)).fit(x[None])
        return (z.transform(x[None]) @ z.transform(y[None]).T).item()

    exact = torch.exp(-0.5 * (x - y).square().sum(-1))
    return (rows(product, seeds, x, y) - exact).abs(), 2.0 * math.sqrt(2.0 * math.log(2.0 / delta) / features)


@claim("libraries/true-auc", identity(), cite="Hanley and McNeil 1982")
def area_under_curve(forall):
    """The area under the ROC curve is Mann and Whitney's U over n m, ties included."""
    score = forall.integers("score", 0, 4, 7)
    ours = rows(lambda s: metrics.roc_auc_score(LABELS, s), score)
    return ours, rows(lambda s: stats.mannwhitneyu(s[3:], s[:3]).statistic / 12.0, score)


@claim("libraries/subtle-average-precision", always(), expected="refuted", cite="Davis and Goadrich 2006")
def average_precision(forall):
    """The average precision is at least 0.45 for four positives of seven."""
    score = forall.integers("score", 0, 6, 7)
    return 0.45, rows(lambda s: metrics.average_precision_score(LABELS, s), score)


@claim("libraries/true-matthews", always(), cite="Chicco and Jurman 2020")
def matthews(forall):
    """Matthews' coefficient is at most the root of precision times recall."""
    y, z = forall.integers("y", 0, 1, 8), forall.integers("z", 0, 1, 8)
    forall.assume((y.sum(-1) > 0) & (z.sum(-1) > 0))
    ours = rows(metrics.matthews_corrcoef, y, z)
    both = rows(metrics.precision_score, y, z) * rows(metrics.recall_score, y, z)
    return ours, both.sqrt()


@claim("libraries/true-daniels", always(), cite="Daniels 1950; Kendall 1970, 2.6")
def daniels(forall):
    """|3 n tau - 2 (n + 1) rho| <= n - 2 for orders of n = 6."""
    order = forall.permutation("pi", 6).double()
    i = np.arange(6)
    tau = rows(lambda p: stats.kendalltau(i, p).statistic, order)
    rho = rows(lambda p: stats.spearmanr(i, p).statistic, order)
    return (18.0 * tau - 14.0 * rho).abs(), 4.0


@claim("libraries/subtle-daniels", always(), expected="refuted", cite="Daniels 1950; Kendall 1970, 2.6")
def daniels_less(forall):
    """|tau - rho| <= 0.35 for orders of n = 7."""
    order = forall.permutation("pi", 7).double()
    i = np.arange(7)
    tau = rows(lambda p: stats.kendalltau(i, p).statistic, order)
    rho = rows(lambda p: stats.spearmanr(i, p).statistic, order)
    return (tau - rho).abs(), 0.35


@claim(
    "libraries/plain-energy-distance", always(), expected="refuted", cite="Szekely and Rizzo 2013; (F - G)^2 <= |F - G|"
)
def energy_distance_once(forall):
    """The squared energy distance is at most Wasserstein's distance."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 5)
    return rows(stats.energy_distance, x, y) ** 2, rows(stats.wasserstein_distance, x, y)


@claim("libraries/true-pinsker", always(), cite="Pinsker 1964; Cover and Thomas 2006, Lemma 11.6.1")
def pinsker(forall):
    """|p - q|_1^2 / 2 <= KL(p, q) by scipy's entropy."""
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    return (p - q).abs().sum(-1) ** 2 / 2.0, rows(stats.entropy, p, q)


@claim("libraries/true-clopper-pearson", tail(), cite="Clopper and Pearson 1934", over=grid(n=[4, 9]))
def clopper_pearson(forall, draw, *, n):
    """The exact interval misses p with probability at most 0.05."""
    return covers(draw, forall.interval("p", 0.0, 1.0), n, "exact"), 0.05


@claim("libraries/subtle-wilson", tail(), over=grid(n=[10]), expected="refuted", cite="Wilson 1927")
def wilson(forall, draw, *, n):
    """Wilson's interval misses p with probability at most 0.15."""
    return covers(draw, forall.interval("p", 0.0, 1.0), n, "wilson"), 0.15


@claim("libraries/plain-t-test", tail(), over=grid(level=[0.05]), expected="refuted", cite="Bartlett 1935")
def t_test(forall, draw, *, level):
    """Student's one-sided test of the mean keeps its level for exponential numbers, n = 8."""
    x = draw.sample("x", torch.distributions.Exponential(torch.tensor(1.0, dtype=torch.float64)), 8)
    scale = forall.interval("scale", 0.5, 2.0)
    return rows(lambda x, s: stats.ttest_1samp(s * x, s, alternative="less").pvalue <= level, x, scale), level


@claim("libraries/true-mills", always(), cite="Gordon 1941")
def mills(forall):
    """x / (1 + x^2) <= P(Z > x) / density <= 1 / x, by the distance from the middle."""
    x = forall.interval("x", 0.1, 6.0)
    ratio = rows(lambda x: stats.norm.sf(x) / stats.norm.pdf(x), x)
    low, high = x / (1.0 + x**2), 1.0 / x
    return (ratio - 0.5 * (low + high)).abs(), 0.5 * (high - low)


@claim("libraries/true-gamma-median", always(), cite="Chen and Rubin 1986")
def gamma_median(forall):
    """a - 1/3 <= median of the gamma law of shape a <= a."""
    a = forall.interval("a", 0.05, 20.0)
    return (rows(stats.gamma.median, a) - a + 1.0 / 6.0).abs(), 1.0 / 6.0


@claim("libraries/subtle-binomial-median", always(), over=grid(n=[40]), expected="refuted", cite="Hamza 1995")
def binomial_median_less(forall, *, n):
    """The median of a binomial law of 40 trials is within 0.68 of the mean."""
    p = forall.interval("p", 0.0, 1.0)
    return (rows(lambda p: stats.binom.median(n, p), p) - n * p).abs(), 0.68


@claim("libraries/subtle-poisson-median", always(), expected="refuted", cite="Choi 1994")
def poisson_median(forall):
    """The median of a Poisson law is at most the mean + 0.328, for means up to 12."""
    mean = forall.interval("mean", 0.01, 12.0)
    return rows(stats.poisson.median, mean), mean + 0.328


@claim("libraries/true-gautschi", always(), cite="Gautschi 1959")
def gautschi(forall):
    """x^(1-s) <= Gamma(x + 1) / Gamma(x + s) <= (x + 1)^(1-s), in logarithms."""
    x, s = forall.interval("x", 0.1, 10.0), forall.interval("s", 0.0, 1.0)
    ours = rows(lambda x, s: special.gammaln(x + 1.0) - special.gammaln(x + s), x, s)
    low, high = (1.0 - s) * x.log(), (1.0 - s) * (x + 1.0).log()
    return (ours - 0.5 * (low + high)).abs(), 0.5 * (high - low)


@claim("libraries/true-digamma", always(), cite="Alzer 1997")
def digamma_both(forall):
    """1 / (2 x) <= log x - psi(x) <= 1 / x."""
    x = forall.interval("x", 0.01, 10.0)
    gap = x.log() - torch.digamma(x)
    return (gap - 0.75 / x).abs(), 0.25 / x


@claim("libraries/true-polya", always(), cite="Polya 1949")
def polya(forall):
    """erf(x) <= sqrt(1 - exp(-4 x^2 / pi))."""
    x = forall.interval("x", 0.01, 4.0)
    return torch.erf(x), torch.sqrt(-torch.expm1(-4.0 * x**2 / math.pi))


@claim("libraries/subtle-polya", always(), expected="refuted", cite="Polya 1949")
def polya_less(forall):
    """erf(x) <= sqrt(1 - exp(-1.272 x^2))."""
    x = forall.interval("x", 0.01, 4.0)
    return torch.erf(x), torch.sqrt(-torch.expm1(-1.272 * x**2))


PROOFS = {
    "libraries/true-isotonic-mean": "Blocks are means.",
    "libraries/true-isotonic-projection": "The fit is the projection onto a convex cone.",
    "libraries/true-lasso-gap": "The dual gap of the scaled problem bounds what is missing to the minimum.",
    "libraries/true-r-squared": "With one regressor and an intercept both are cov^2 / (var var).",
    "libraries/true-k-means": "Each step of Lloyd's, and the relocation of an empty cluster, lowers the cost.",
    "libraries/true-svc-balance": "It is the equality constraint of the dual problem.",
    "libraries/true-rbf-sampler": (
        "Means of D independent numbers of [-2, 2] with the kernel as their mean; Hoeffding."
    ),
    "libraries/true-auc": "Both count pairs, ties by half.",
    "libraries/true-matthews": ("It is sqrt(PPV TPR TNR NPV) less a product of roots, and zero where it is undefined."),
    "libraries/true-daniels": "Daniels' inequality between rank correlations.",
    "libraries/true-pinsker": "Pinsker's inequality.",
    "libraries/true-clopper-pearson": "Tests of level 0.025 on either side, inverted.",
    "libraries/true-mills": "Gordon's bounds for Mills' ratio.",
    "libraries/true-gamma-median": "Chen and Rubin's bounds.",
    "libraries/true-gautschi": "The logarithm of gamma is convex.",
    "libraries/true-digamma": "Alzer's bounds.",
    "libraries/true-polya": "Polya's bound: a square holds less than the disc of the same area.",
}


WITNESSES = {
    "libraries/plain-isotonic-lipschitz": {
        "params": {},
        "values": {"y": [0.0, 0.0, 0.0, 0.0, 0.0], "z": [1.0, 1.0, 1.0, 1.0, 1.0]},
        "why": "2.23607 against 2.01246",
    },
    "libraries/plain-ridge-intercept": {
        "params": {},
        "values": {
            "x": [[0.707, 0.707], [0.707, 0.707], [0.707, 0.707], [0.707, 0.707], [0.706, 0.708], [0.706, 0.708]],
            "y": [0.0, 0.0, 0.0, 0.0, 0.0, -1.0],
            "a": 1.0,
        },
        "why": "8.88887e-07 against 1.48148e-07",
    },
    "libraries/plain-pca-divisor": {
        "params": {},
        "values": {
            "x": [
                [0.578, 0.577, 0.577],
                [0.576, 0.578, 0.578],
                [0.576, 0.578, 0.578],
                [0.577, 0.577, 0.577],
                [0.577, 0.577, 0.577],
                [0.578, 0.576, 0.577],
            ]
        },
        "why": "1.63333e-06 against 1.36111e-06",
    },
    "libraries/subtle-average-precision": {
        "params": {},
        "values": {"score": [3.0, 3.0, 3.0, 3.0, 2.0, 1.0, 0.0]},
        "why": "0.45 against 0.430357",
    },
    "libraries/subtle-daniels": {
        "params": {},
        "values": {"pi": [0.11, 0.1, 0.0, 1.0, 0.89, 0.54, 0.5]},
        "why": "0.357143 against 0.35",
    },
    "libraries/plain-energy-distance": {
        "params": {},
        "values": {"x": [-1.0, -1.0, -1.0, -1.0], "y": [0.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "2 against 1",
    },
    "libraries/subtle-wilson": {
        "params": {"n": 10},
        "values": {"p": 0.0178},
        "probability": 0.16439833253363687,
        "why": "one success is enough to miss a small p",
    },
    "libraries/plain-t-test": {
        "params": {"level": 0.05},
        "values": {"scale": 1.0},
        "probability": 0.1414,
        "why": "the share among four million samples",
    },
    "libraries/subtle-binomial-median": {"params": {"n": 40}, "values": {"p": 0.0171}, "why": "0.684 against 0.68"},
    "libraries/subtle-poisson-median": {"params": {}, "values": {"mean": 10.67}, "why": "11 against 10.998"},
    "libraries/subtle-polya": {"params": {}, "values": {"x": 0.01}, "why": "0.0112834 against 0.0112779"},
}
