"""Alien claims, aside: what functions of libraries return; see README.md."""

import itertools
import math

import numpy as np
import torch
from scipy import interpolate, linalg, optimize, signal, spatial, special, stats
from scipy.spatial import distance
from sklearn import metrics
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Lasso, Ridge
from torch import distributions as laws
from torch.nn import functional

from harness import always, claim, grid, identity, rate, tail


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


def regression(forall, n=6, p=2):
    return forall.ball("x", n, p), forall.interval("y", -1.0, 1.0, n)


NODES = np.array([0.0, 1.0, 2.0, 3.5, 5.0])


@claim("libraries/true-ridge", identity(), cite="Hoerl and Kennard 1970")
def ridge(forall):
    """y'x w = y'x (x'x + a I)^-1 x'y for scikit-learn's Ridge without an intercept."""
    x, y = regression(forall)
    a = forall.interval("a", 0.1, 2.0)
    gram = x.mT @ x + a[:, None, None] * torch.eye(2, dtype=torch.float64)
    v = (x.mT @ y[:, :, None])[:, :, 0]
    ours = rows(lambda x, y, a, v: v @ Ridge(alpha=a, fit_intercept=False).fit(x, y).coef_, x, y, a, v)
    return ours, (v * torch.linalg.solve(gram, v[:, :, None])[:, :, 0]).sum(-1)


@claim("libraries/plain-lasso-zero", always(), expected="refuted", cite="Tibshirani 1996")
def lasso_zero(forall):
    """Lasso returns zero from alpha = max |x'y| / (2 n) on."""
    x, y = regression(forall)

    def size(x, y):
        level = np.abs(x.T @ y).max() / 12.0 + 1e-3
        return np.abs(Lasso(alpha=level, fit_intercept=False, random_state=0).fit(x, y).coef_).sum()

    return rows(size, x, y), 0.001


@claim("libraries/true-pca", identity(), cite="Jolliffe 2002, Property A5")
def pca(forall):
    """What two components leave unexplained is the rest of the variance."""
    x = forall.ball("x", 6, 3)

    def left(x):
        model = PCA(2, svd_solver="full").fit(x)
        return np.sum((x - model.inverse_transform(model.transform(x))) ** 2) + 5.0 * model.explained_variance_.sum()

    return rows(left, x), (x - x.mean(1, keepdim=True)).square().sum((-1, -2))


@claim("libraries/true-nystroem", identity(), cite="Williams and Seeger 2001")
def nystroem(forall):
    """Nystroem features on all points give the kernel matrix back."""
    x = forall.ball("x", 4, 2)

    def total(x):
        z = Nystroem(kernel="rbf", gamma=1.0, n_components=4, random_state=0).fit_transform(x)
        return (z @ z.T).sum()

    return rows(total, x), torch.exp(-torch.cdist(x, x).square()).sum((-1, -2))


@claim("libraries/true-v-measure", identity(), cite="Rosenberg and Hirschberg 2007; Becker 2011")
def v_measure(forall):
    """The V-measure is the mutual information normalised by the mean entropy."""
    a, b = forall.integers("a", 0, 2, 7), forall.integers("b", 0, 2, 7)
    return rows(metrics.v_measure_score, a, b), rows(metrics.normalized_mutual_info_score, a, b)


@claim("libraries/plain-rand", always(), expected="refuted", cite="Hubert and Arabie 1985")
def adjusted_rand(forall):
    """The adjusted Rand index is not negative."""
    a, b = forall.integers("a", 0, 2, 6), forall.integers("b", 0, 2, 6)
    return 0.0, rows(metrics.adjusted_rand_score, a, b)


@claim("libraries/true-energy-distance", always(), cite="Szekely and Rizzo 2013; (F - G)^2 <= |F - G|")
def energy_distance(forall):
    """The squared energy distance is at most twice Wasserstein's distance."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 5)
    return rows(stats.energy_distance, x, y) ** 2, 2.0 * rows(stats.wasserstein_distance, x, y)


@claim(
    "libraries/plain-pinsker", always(), expected="refuted", cite="Pinsker 1964; Cover and Thomas 2006, Lemma 11.6.1"
)
def pinsker_whole(forall):
    """0.55 |p - q|_1^2 <= KL(p, q) by scipy's entropy."""
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    return 0.55 * (p - q).abs().sum(-1) ** 2, rows(stats.entropy, p, q)


@claim("libraries/true-mann-whitney", tail(), cite="Mann and Whitney 1947", over=grid(level=[0.1]))
def mann_whitney(draw, *, level):
    """The exact p-value of Mann and Whitney is below a level no more often than that."""
    x = draw.normal("x", 7)
    return rows(lambda x: stats.mannwhitneyu(x[:3], x[3:], method="exact").pvalue <= level, x), level


@claim("libraries/plain-gamma-median", always(), expected="refuted", cite="Chen and Rubin 1986")
def gamma_median_less(forall):
    """a - 0.3 <= median of the gamma law of shape a."""
    a = forall.interval("a", 0.05, 20.0)
    return a - 0.3, rows(stats.gamma.median, a)


@claim("libraries/true-binomial-median", always(), cite="Hamza 1995", over=grid(n=[5, 40]))
def binomial_median(forall, *, n):
    """The median of a binomial law is within log 2 of the mean."""
    p = forall.interval("p", 0.0, 1.0)
    return (rows(lambda p: stats.binom.median(n, p), p) - n * p).abs(), math.log(2.0)


@claim("libraries/plain-digamma", always(), expected="refuted", cite="Alzer 1997")
def digamma(forall):
    """log x - psi(x) <= 0.9 / x."""
    x = forall.interval("x", 0.01, 10.0)
    return x.log() - rows(special.psi, x), 0.9 / x


@claim("libraries/true-elliptic", identity(), cite="Gauss 1799; DLMF 19.8.5")
def elliptic(forall):
    """K(m) = pi / (2 AGM(1, sqrt(1 - m)))."""
    m = forall.interval("m", 0.0, 0.99)
    return rows(special.ellipk, m), math.pi / (2.0 * rows(lambda m: special.agm(1.0, math.sqrt(1.0 - m)), m))


@claim("libraries/true-assignment", identity(), cite="Kuhn 1955")
def assignment(forall):
    """linear_sum_assignment finds the least cost over all orders."""
    c = forall.interval("c", -1.0, 1.0, 4, 4)

    def enumerated(c):
        return min(sum(c[i, j] for i, j in enumerate(p)) for p in itertools.permutations(range(4)))

    return 5.0 + rows(lambda c: c[optimize.linear_sum_assignment(c)].sum(), c), 5.0 + rows(enumerated, c)


@claim("libraries/true-expm", always(), cite="Dahlquist 1958")
def expm(forall):
    """|exp(A)|_2 <= exp(lambda_max((A + A') / 2))."""
    a = forall.interval("A", -1.0, 1.0, 3, 3)
    norm = torch.linalg.eigvalsh(0.5 * (a + a.mT))[:, -1]
    return rows(lambda a: linalg.norm(linalg.expm(a), 2), a), norm.exp()


@claim("libraries/plain-expm", always(), expected="refuted", cite="Dahlquist 1958")
def expm_radius(forall):
    """|exp(A)|_2 <= exp(largest real part of an eigenvalue)."""
    a = forall.interval("A", -1.0, 1.0, 3, 3)
    return (
        rows(lambda a: linalg.norm(linalg.expm(a), 2), a),
        rows(lambda a: np.exp(np.linalg.eigvals(a).real.max()), a),
    )


@claim("libraries/true-young", always(), cite="Young 1912")
def young(forall):
    """|f * g|_2 <= |f|_1 |g|_2 for scipy's fftconvolve."""
    f, g = forall.interval("f", -1.0, 1.0, 4), forall.interval("g", -1.0, 1.0, 5)
    return rows(lambda f, g: np.linalg.norm(signal.fftconvolve(f, g)), f, g), f.abs().sum(-1) * g.norm(dim=-1)


@claim("libraries/subtle-jensen-shannon", always(), expected="refuted", cite="Endres and Schindelin 2003")
def jensen_shannon_bound(forall):
    """scipy's jensenshannon is at most 0.83."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    return rows(distance.jensenshannon, p, q), 0.83


@claim("libraries/true-nearest", identity(), cite="Bentley 1975")
def nearest(forall):
    """cKDTree finds the distances that a full search finds."""
    x, y = forall.ball("x", 7, 2), forall.ball("y", 2)
    ours = rows(lambda x, y: spatial.cKDTree(x, leafsize=1).query(y, k=3)[0].sum(), x, y)
    return ours, torch.cdist(x, y[:, None]).squeeze(-1).sort(-1).values[:, :3].sum(-1)


@claim("libraries/true-cubic-spline", identity(), cite="de Boor 1978, IV")
def cubic_spline(forall):
    """The spline with not-a-knot ends reproduces cubic polynomials."""
    c, t = forall.interval("c", 0.1, 1.0, 4), forall.interval("t", 0.0, 5.0)
    ours = rows(lambda c, t: interpolate.CubicSpline(NODES, np.polyval(c, NODES))(t), c, t)
    return ours, ((c[:, 0] * t + c[:, 1]) * t + c[:, 2]) * t + c[:, 3]


@claim("libraries/true-softmax-lipschitz", always(), cite="Gao and Pavel 2017; half is the norm of the Hessian")
def softmax_lipschitz(forall):
    """|softmax x - softmax y| <= |x - y| / 2."""
    x, y = forall.interval("x", -3.0, 3.0, 3), forall.interval("y", -3.0, 3.0, 3)
    return (functional.softmax(x, -1) - functional.softmax(y, -1)).norm(dim=-1), 0.5 * (x - y).norm(dim=-1)


@claim(
    "libraries/subtle-softmax-lipschitz",
    always(),
    expected="refuted",
    cite="Gao and Pavel 2017; half is the norm of the Hessian",
)
def softmax_lipschitz_less(forall):
    """|softmax x - softmax y| <= 0.49 |x - y|."""
    x, y = forall.interval("x", -3.0, 3.0, 3), forall.interval("y", -3.0, 3.0, 3)
    return (functional.softmax(x, -1) - functional.softmax(y, -1)).norm(dim=-1), 0.49 * (x - y).norm(dim=-1)


@claim("libraries/true-gelu", always(), cite="Hendrycks and Gimpel 2016; a finite check of a function of one number")
def gelu_tanh(forall):
    """The tanh form of gelu errs by at most 4.74e-4."""
    x = forall.interval("x", -6.0, 6.0)
    return (functional.gelu(x) - functional.gelu(x, approximate="tanh")).abs(), 4.74e-4


@claim("libraries/true-attention", always(), cite="Vaswani et al. 2017; averages of values")
def attention(forall):
    """Attention gives averages: no larger than the largest value."""
    q, k = forall.interval("q", -2.0, 2.0, 2, 3), forall.interval("k", -2.0, 2.0, 4, 3)
    v = forall.interval("v", -1.0, 1.0, 4, 1)
    return functional.scaled_dot_product_attention(q, k, v)[:, 0, 0], v[:, :, 0].amax(-1)


@claim("libraries/plain-kl-div", identity(), expected="refuted", cite="torch's documentation of kl_div")
def kl_div(forall):
    """functional.kl_div(log q, p) is KL(q, p), shifted by one."""
    p, q = forall.simplex("p", 3) + 0.1, forall.simplex("q", 3) + 0.1
    p, q = p / p.sum(-1, keepdim=True), q / q.sum(-1, keepdim=True)
    return 1.0 + functional.kl_div(q.log(), p, reduction="none").sum(-1), 1.0 + (q * (q / p).log()).sum(-1)


@claim("libraries/true-kl-gamma", always(), cite="Gibbs' inequality")
def kl_gamma(forall):
    """KL divergences of gamma laws are not negative."""
    a, b, c, d = (forall.interval(name, 0.2, 5.0) for name in "abcd")
    return 0.0, laws.kl_divergence(laws.Gamma(a, b), laws.Gamma(c, d))


@claim("libraries/true-interlacing", always(), cite="Horn and Johnson 2013, Theorem 4.3.17")
def interlacing(forall):
    """The middle eigenvalue of a symmetric matrix lies between those of a part of it."""
    a = forall.symmetric("A", 3)
    part, middle = torch.linalg.eigvalsh(a[:, :2, :2]), torch.linalg.eigvalsh(a)[:, 1]
    return (middle - part.mean(-1)).abs(), 0.5 * (part[:, 1] - part[:, 0])


@claim("libraries/plain-std", identity(), expected="refuted", cite="Bessel's correction")
def deviations(forall):
    """torch.std is numpy.std."""
    x = forall.interval("x", 0.0, 1.0, 5)
    return torch.std(x, dim=-1), torch.from_numpy(np.std(x.detach().numpy(), axis=-1))


@claim("libraries/true-parseval", identity(), cite="Parseval 1799")
def parseval(forall):
    """|fft x|^2 = n |x|^2, by rfft with the inner frequencies twice."""
    x = forall.interval("x", -1.0, 1.0, 7)
    power = torch.fft.rfft(x).abs().square()
    return power[:, 0] + 2.0 * power[:, 1:].sum(-1), 7.0 * x.square().sum(-1)


@claim("libraries/true-student-tail", tail(), cite="Chebyshev 1867; variance nu / (nu - 2)")
def student(forall, draw):
    """P(|T| >= t) <= nu / ((nu - 2) t^2) for Student's law."""
    nu, t = forall.interval("nu", 2.2, 10.0), forall.interval("t", 0.5, 5.0)
    return draw.sample("T", laws.StudentT(nu)).abs() >= t, nu / ((nu - 2.0) * t**2)


@claim(
    "libraries/plain-half-mean-rate",
    rate("n", -1.0),
    over=grid(n=[9, 17, 33, 65, 129, 257]),
    expected="refuted",
    cite="Serfling 1980",
)
def midpoint_rate(draw, *, n):
    """The mean of the sorted quarter of n normal numbers is off its limit by order 1/n."""
    x = draw.normal("x", n).sort(-1).values
    return (x[:, : n // 2].mean(-1) + math.sqrt(2.0 / math.pi)).abs()


PROOFS = {
    "libraries/true-ridge": "The normal equations.",
    "libraries/true-pca": "Pythagoras for the projection onto the first components.",
    "libraries/true-nystroem": "K K^+ K = K.",
    "libraries/true-v-measure": (
        "Homogeneity and completeness are I / H(C) and I / H(K); their harmonic mean is 2 I / (H + H)."
    ),
    "libraries/true-energy-distance": "Its square is twice the integral of (F - G)^2 <= |F - G|.",
    "libraries/true-mann-whitney": "Exact p-values of an exchangeable sample.",
    "libraries/true-binomial-median": "Hamza's bound.",
    "libraries/true-elliptic": "Gauss's theorem on the arithmetic-geometric mean.",
    "libraries/true-assignment": "Both are minima over all orders.",
    "libraries/true-expm": "d|x|^2 / dt <= 2 mu |x|^2 for the logarithmic norm mu.",
    "libraries/true-young": "Young's inequality for convolutions.",
    "libraries/true-nearest": "Both find the nearest points.",
    "libraries/true-cubic-spline": "It is the only such spline through its values.",
    "libraries/true-softmax-lipschitz": "The Hessian of logsumexp is a covariance of one-hot vectors, at most 1/2.",
    "libraries/true-gelu": "The largest error, near 2.699, is 4.7324e-4; a function of one number.",
    "libraries/true-attention": "Weights are not negative and add up to one.",
    "libraries/true-kl-gamma": "Gibbs' inequality again.",
    "libraries/true-interlacing": "Cauchy's interlacing theorem.",
    "libraries/true-parseval": "Parseval's identity; conjugate frequencies have equal power.",
    "libraries/true-student-tail": "Chebyshev's inequality.",
}


WITNESSES = {
    "libraries/plain-lasso-zero": {
        "params": {},
        "values": {
            "x": [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
            "y": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        },
        "why": "half of the level leaves a coefficient of one half, less a thousandth",
    },
    "libraries/plain-rand": {
        "params": {},
        "values": {"a": [0.0, 1.0, 0.0, 0.0, 0.0, 0.0], "b": [1.0, 1.0, 0.0, 0.0, 1.0, 1.0]},
        "why": "0 against -0.173913",
    },
    "libraries/plain-pinsker": {
        "params": {},
        "values": {"p": [0.35, 0.1, 0.35, 0.2], "q": [0.2, 0.08, 0.6, 0.12]},
        "why": "0.1375 against 0.131696",
    },
    "libraries/plain-gamma-median": {"params": {}, "values": {"a": 1.0}, "why": "0.7 against 0.693147"},
    "libraries/plain-digamma": {"params": {}, "values": {"x": 0.01}, "why": "95.9557 against 90"},
    "libraries/plain-expm": {
        "params": {},
        "values": {"A": [[1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, -1.0]]},
        "why": "5.63706 against 2.71828",
    },
    "libraries/subtle-jensen-shannon": {
        "params": {},
        "values": {"p": [0.0, 0.0, 1.0], "q": [1.0, 0.0, 0.0]},
        "why": "0.832555 against 0.83",
    },
    "libraries/subtle-softmax-lipschitz": {
        "params": {},
        "values": {"x": [3.0, -3.0, 2.995], "y": [2.996, -3.0, 3.0]},
        "why": "0.00317803 against 0.00313753",
    },
    "libraries/plain-kl-div": {
        "params": {},
        "values": {"p": [0.5, 0.5, 0.0], "q": [0.0, 0.0, 1.0]},
        "why": "2.46948 against 2.75333",
    },
    "libraries/plain-std": {"params": {}, "values": {"x": [0.0, 0.0, 0.0, 1.0, 0.0]}, "why": "0.447214 against 0.4"},
    "libraries/plain-half-mean-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "means of n / 2 numbers"},
}
