"""Alien claims, known: what functions of libraries return (2); see README.md."""

import math

import numpy as np
import torch
from scipy import integrate, interpolate, linalg, optimize, signal, spatial, stats
from scipy.spatial import distance
from torch import distributions as laws
from torch.nn import functional

from harness import always, claim, expectation, grid, identity


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


NODES = np.array([0.0, 1.0, 2.0, 3.5, 5.0])


@claim("libraries/true-transport", identity(), cite="Birkhoff 1946; Kuhn 1955")
def transport(forall):
    """linprog over doubly stochastic matrices finds the cost of linear_sum_assignment."""
    c = forall.interval("c", 0.0, 1.0, 3, 3)

    def program(c):
        a = np.array(
            [np.outer(e, np.ones(3)).ravel() for e in np.eye(3)] + [np.outer(np.ones(3), e).ravel() for e in np.eye(3)]
        )
        return optimize.linprog(c.ravel(), A_eq=a, b_eq=np.ones(6), method="highs").fun

    def assigned(c):
        return c[optimize.linear_sum_assignment(c)].sum()

    return 1.0 + rows(program, c), 1.0 + rows(assigned, c)


@claim("libraries/plain-assignment-greedy", always(), expected="refuted", cite="Kuhn 1955")
def assignment_greedy(forall):
    """Taking the row minima in turn costs at most twice the least."""
    c = forall.interval("c", 0.0, 1.0, 4, 4)

    def greedy(c):
        free, total = [0, 1, 2, 3], 0.0
        for row in c:
            j = min(free, key=lambda j: row[j])
            free.remove(j)
            total += row[j]
        return total

    return rows(greedy, c), 2.0 * rows(lambda c: c[optimize.linear_sum_assignment(c)].sum(), c)


@claim("libraries/true-nnls", identity(), cite="Lawson and Hanson 1974")
def nnls(forall):
    """<A x, b - A x> = 0 for the non-negative least squares x, added to |b|^2."""
    a, b = forall.ball("A", 4, 3), forall.ball("b", 4)

    def slack(a, b):
        x, _ = optimize.nnls(a, b)
        return (a @ x) @ (b - a @ x)

    return b.square().sum(-1) + rows(slack, a, b), b.square().sum(-1)


@claim("libraries/true-brent", always(), cite="Brent 1973")
def brent(forall):
    """brentq's root of x^3 + p x = q is as close as it was asked to be."""
    p, root = forall.interval("p", 0.1, 2.0), forall.interval("root", -0.9, 0.9)
    q = root**3 + p * root
    ours = rows(lambda p, q: optimize.brentq(lambda x: x**3 + p * x - q, -1.0, 1.0, xtol=1e-3), p, q)
    return (ours - root).abs(), 1.001e-3


@claim("libraries/true-sylvester", identity(), cite="Bartels and Stewart 1972")
def sylvester(forall):
    """The trace of A X + X B for scipy's solution is that of Q."""
    a = forall.psd("A", 3, trace=1.0) + 0.1 * torch.eye(3, dtype=torch.float64)
    b, q = forall.psd("B", 3, trace=1.0), forall.interval("Q", 0.0, 1.0, 3, 3)

    def left(a, b, q):
        x = linalg.solve_sylvester(a, b, q)
        return np.trace(a @ x + x @ b)

    return rows(left, a, b, q), q.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("libraries/true-polar", always(), cite="Fan and Hoffman 1955")
def polar(forall):
    """No orthogonal matrix is closer to A than its polar factor."""
    a, q = forall.interval("A", -1.0, 1.0, 3, 3), forall.orthogonal("Q", 3)
    return rows(lambda a: linalg.norm(a - linalg.polar(a)[0]), a), (a - q).square().sum((-1, -2)).sqrt()


@claim("libraries/plain-young", always(), expected="refuted", cite="Young 1912")
def young_twos(forall):
    """|f * g|_2 <= |f|_2 |g|_2."""
    f, g = forall.interval("f", -1.0, 1.0, 4), forall.interval("g", -1.0, 1.0, 5)
    return rows(lambda f, g: np.linalg.norm(signal.fftconvolve(f, g)), f, g), f.norm(dim=-1) * g.norm(dim=-1)


@claim("libraries/true-savgol", identity(), cite="Savitzky and Golay 1964")
def savgol(forall):
    """A filter of degree three leaves cubic polynomials as they are."""
    c = forall.interval("c", 0.1, 1.0, 4)
    t = np.linspace(0.0, 1.0, 9)
    ours = rows(lambda c: signal.savgol_filter(np.polyval(c, t), 7, 3).sum(), c)
    return ours, rows(lambda c: np.polyval(c, t).sum(), c)


@claim("libraries/plain-cosine", always(), expected="refuted", cite="scipy's documentation of scipy.spatial.distance")
def cosine(forall):
    """scipy's cosine distance obeys the triangle inequality."""
    x, y, z = (forall.sphere(name, 3) for name in "xyz")
    return rows(distance.cosine, x, z), rows(distance.cosine, x, y) + rows(distance.cosine, y, z)


@claim("libraries/true-jensen-shannon", always(), cite="Endres and Schindelin 2003")
def jensen_shannon(forall):
    """scipy's jensenshannon is a metric."""
    p, q, r = (forall.simplex(name, 3) for name in "pqr")
    left, right = rows(distance.jensenshannon, p, r), rows(distance.jensenshannon, p, q)
    return left, right + rows(distance.jensenshannon, q, r)


@claim("libraries/true-procrustes", identity(), cite="Gower 1975")
def procrustes(forall):
    """The disparity of scipy's procrustes is symmetric."""
    x, y = forall.ball("x", 4, 2), forall.ball("y", 4, 2)
    spread = torch.minimum(x.var(1).sum(-1), y.var(1).sum(-1))
    forall.assume(spread > 0.05)

    def disparity(x, y):
        if min(np.ptp(x, axis=0).max(), np.ptp(y, axis=0).max()) < 0.01:
            return 0.0
        return spatial.procrustes(x, y)[2]

    return 1.0 + rows(disparity, x, y), 1.0 + rows(disparity, y, x)


@claim("libraries/true-pchip", always(), cite="Fritsch and Carlson 1980")
def pchip(forall):
    """PCHIP stays between the neighbouring values."""
    y, t = forall.interval("y", 0.0, 1.0, 5), forall.interval("t", 1.0, 2.0)
    value = rows(lambda y, t: interpolate.PchipInterpolator(NODES, y)(t), y, t)
    low, high = torch.minimum(y[:, 1], y[:, 2]), torch.maximum(y[:, 1], y[:, 2])
    return (value - 0.5 * (low + high)).abs(), 0.5 * (high - low)


@claim("libraries/subtle-akima", always(), expected="refuted", cite="Akima 1970")
def akima(forall):
    """Akima's interpolant of increasing values is at most 1.03 times the larger neighbour."""
    y, t = forall.interval("y", 0.1, 1.0, 5).sort(-1).values, forall.interval("t", 1.0, 2.0)
    value = rows(lambda y, t: interpolate.Akima1DInterpolator(NODES, y)(t), y, t)
    return value, 1.03 * y[:, 2]


@claim("libraries/true-simpson", identity(), cite="Davis and Rabinowitz 1984, 2.2")
def simpson(forall):
    """Simpson's rule on five points is exact for cubic polynomials."""
    c = forall.interval("c", 0.1, 1.0, 4)
    t = np.linspace(0.0, 2.0, 5)
    exact = 4.0 * c[:, 0] + 8.0 / 3.0 * c[:, 1] + 2.0 * c[:, 2] + 2.0 * c[:, 3]
    return rows(lambda c: integrate.simpson(np.polyval(c, t), x=t), c), exact


@claim("libraries/plain-gauss", identity(), expected="refuted", cite="Gauss 1814")
def gauss(forall):
    """Gauss's rule of two points is exact for polynomials of degree four."""
    c = forall.interval("c", 0.1, 1.0, 5)
    exact = (c / torch.tensor([5.0, 4.0, 3.0, 2.0, 1.0], dtype=torch.float64)).sum(-1)
    return rows(lambda c: integrate.fixed_quad(lambda t: np.polyval(c, t), 0.0, 1.0, n=2)[0], c), exact


@claim("libraries/true-trapezoid", always(), cite="Davis and Rabinowitz 1984, 2.1", over=grid(n=[2, 5]))
def trapezoid(forall, *, n):
    """The trapezoidal error of sin(w t + p) on [0, 1] is at most w^2 h^2 / 12."""
    w, p = forall.interval("w", 0.1, 3.0), forall.interval("p", 0.0, 6.28)
    t = np.linspace(0.0, 1.0, n)
    ours = rows(lambda w, p: integrate.trapezoid(np.sin(w * t + p), t), w, p)
    return (ours - (p.cos() - (w + p).cos()) / w).abs(), w**2 / (12.0 * (n - 1) ** 2)


@claim("libraries/true-log-sum-exp-gradient", identity(), cite="Boyd and Vandenberghe 2004, 3.1.5")
def log_sum_exp_gradient(forall):
    """The gradient of logsumexp, by torch.func, is the softmax: both against fixed weights."""
    x = forall.interval("x", -3.0, 3.0, 4)
    w = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)
    gradient = torch.func.vmap(torch.func.grad(lambda v: torch.logsumexp(v, -1)))(x)
    return gradient @ w, torch.softmax(x, -1) @ w


@claim("libraries/true-hessian", always(), cite="Boyd and Vandenberghe 2004, 3.1.5")
def hessian(forall):
    """The largest eigenvalue of the Hessian of logsumexp is at most one half."""
    x = forall.interval("x", -3.0, 3.0, 3)
    matrices = torch.func.vmap(torch.func.hessian(lambda v: torch.logsumexp(v, -1)))(x)
    return torch.linalg.eigvalsh(matrices)[:, -1], 0.5


@claim("libraries/subtle-gelu", always(), expected="refuted", cite="Hendrycks and Gimpel 2016")
def gelu(forall):
    """gelu(x) >= -0.1699."""
    x = forall.interval("x", -6.0, 6.0)
    return -functional.gelu(x), 0.1699


@claim("libraries/true-huber", always(), cite="Huber 1964")
def huber(forall):
    """The Huber loss is the infimal convolution of |.| and squares: at most |u| + (x - y - u)^2 / 2 for any u."""
    x, y, u = forall.interval("x", -3.0, 3.0), forall.interval("y", -3.0, 3.0), forall.interval("u", -6.0, 6.0)
    return functional.huber_loss(x, y, reduction="none"), u.abs() + 0.5 * (x - y - u) ** 2


@claim("libraries/plain-smooth-l1", identity(), expected="refuted", cite="Huber 1964")
def smooth(forall):
    """smooth_l1_loss with beta = 2 is huber_loss with delta = 2."""
    x, y = forall.interval("x", -3.0, 3.0), forall.interval("y", -3.0, 3.0)
    ours = functional.smooth_l1_loss(x, y, beta=2.0, reduction="none")
    return ours, functional.huber_loss(x, y, delta=2.0, reduction="none")


@claim("libraries/true-layer-norm", always(), cite="Ba, Kiros and Hinton 2016")
def layer_norm(forall):
    """The output of layer_norm has a squared norm of at most n."""
    x = forall.interval("x", -2.0, 2.0, 5)
    return functional.layer_norm(x, (5,)).square().sum(-1), 5.0


@claim("libraries/true-cross-entropy", always(), cite="Cover and Thomas 2006, Theorem 2.6.3")
def cross_entropy(forall):
    """The cross entropy is at least the entropy of the targets."""
    p, x = forall.simplex("p", 4), forall.interval("x", -3.0, 3.0, 4)
    return -torch.special.xlogy(p, p).sum(-1), functional.cross_entropy(x, p, reduction="none")


@claim("libraries/true-kl-normal", always(), cite="Pardo 2006; Pinsker 1964")
def kl_normal(forall):
    """The total variation of two normal laws of one variance is at most sqrt(KL / 2)."""
    m, s = forall.interval("m", 0.0, 3.0), forall.interval("s", 0.2, 2.0)
    kl = laws.kl_divergence(laws.Normal(m, s), laws.Normal(torch.zeros_like(m), s))
    return torch.erf(m / (2.0 * math.sqrt(2.0) * s)), (kl / 2.0).sqrt()


@claim("libraries/plain-kl-triangle", always(), expected="refuted", cite="Gibbs' inequality")
def kl_triangle(forall):
    """KL divergences of beta laws obey the triangle inequality."""
    p, q, r = (laws.Beta(forall.interval(n, 0.5, 4.0), forall.interval(n + n, 0.5, 4.0)) for n in "pqr")
    return laws.kl_divergence(p, r), laws.kl_divergence(p, q) + laws.kl_divergence(q, r)


@claim("libraries/true-dirichlet-entropy", always(), cite="Cover and Thomas 2006, Theorem 8.6.5")
def dirichlet_entropy(forall):
    """No Dirichlet law has a larger entropy than the uniform one."""
    a = forall.interval("a", 0.2, 5.0, 3)
    return laws.Dirichlet(a).entropy() + 2.0, 2.0 - math.log(2.0)


@claim("libraries/true-nuclear", always(), cite="Fazel 2002")
def nuclear(forall):
    """<A, B> <= nuclear norm times spectral norm."""
    a, b = forall.interval("A", -1.0, 1.0, 3, 2), forall.interval("B", -1.0, 1.0, 3, 2)
    return (a * b).sum((-1, -2)), torch.linalg.matrix_norm(a, "nuc") * torch.linalg.matrix_norm(b, 2)


@claim("libraries/plain-weyl-singular", always(), expected="refuted", cite="Horn and Johnson 2013, Theorem 4.3.17")
def weyl_singular(forall):
    """sigma_2(A + B) <= sigma_2(A) + sigma_2(B)."""
    a, b = forall.interval("A", -1.0, 1.0, 2, 2), forall.interval("B", -1.0, 1.0, 2, 2)
    return torch.linalg.svdvals(a + b)[:, 1], torch.linalg.svdvals(a)[:, 1] + torch.linalg.svdvals(b)[:, 1]


@claim("libraries/true-golden-thompson", always(), cite="Golden 1965; Thompson 1965")
def golden_thompson(forall):
    """tr exp(A + B) <= tr exp(A) exp(B)."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    left = torch.linalg.matrix_exp(a + b).diagonal(dim1=-2, dim2=-1).sum(-1)
    return left, (torch.linalg.matrix_exp(a) * torch.linalg.matrix_exp(b).mT).sum((-1, -2))


@claim("libraries/true-median-quantile", always(), cite="Mallows and Richter 1969")
def median_quantile(forall):
    """|quantile q - mean| <= sqrt(max(q / (1 - q), (1 - q) / q)) standard deviations, at q = 1/4, n = 5."""
    x = forall.interval("x", -1.0, 1.0, 5)
    return (torch.quantile(x, 0.25, dim=-1) - x.mean(-1)).abs(), math.sqrt(3.0) * x.std(-1, unbiased=False)


@claim("libraries/plain-kurtosis", always(), expected="refuted", cite="Pearson 1916")
def kurtosis(forall):
    """skew^2 + 1 <= kurtosis, by scipy's defaults."""
    x = forall.interval("x", -1.0, 1.0, 6)
    forall.assume(x.std(-1) > 0.1)
    skew, kurt = (torch.from_numpy(f(x.detach().numpy(), axis=-1)) for f in (stats.skew, stats.kurtosis))
    return skew**2 + 1.0, kurt


@claim("libraries/true-conv-shift", identity(), cite="Bracewell 2000")
def convolution(forall):
    """conv1d is a correlation: <conv(x, w), 1> = sum w times sum x, with full padding."""
    x, w = forall.interval("x", 0.0, 1.0, 6), forall.interval("w", 0.0, 1.0, 3)
    ours = torch.func.vmap(lambda x, w: functional.conv1d(x[None, None], w[None, None], padding=2).sum())(x, w)
    return ours, x.sum(-1) * w.sum(-1)


@claim("libraries/true-dropout-mean", expectation(range=(-1.0, 1.0), margin=0.02), cite="Srivastava et al. 2014")
def dropout(forall, draw):
    """Inverted dropout keeps the mean."""
    x, p = forall.interval("x", -0.5, 0.5), forall.interval("p", 0.0, 0.5)
    kept = draw.bernoulli("keep", 1.0 - p)
    return x * kept / (1.0 - p), x


PROOFS = {
    "libraries/true-transport": "Vertices of the doubly stochastic matrices are permutations.",
    "libraries/true-nnls": "Complementary slackness.",
    "libraries/true-brent": "A sign change lies within the tolerance of what is returned.",
    "libraries/true-sylvester": "The trace of the equation.",
    "libraries/true-polar": "The theorem of Fan and Hoffman.",
    "libraries/true-savgol": "A least-squares fit of degree three reproduces cubic polynomials.",
    "libraries/true-jensen-shannon": "The theorem of Endres and Schindelin.",
    "libraries/true-procrustes": "After standardising it is one less the squared nuclear norm of x'y.",
    "libraries/true-pchip": "The interpolant is monotone between nodes.",
    "libraries/true-simpson": "The rule has degree three on each pair of steps.",
    "libraries/true-trapezoid": "The error is at most max |f''| h^2 / 12.",
    "libraries/true-log-sum-exp-gradient": "Both are the derivative.",
    "libraries/true-hessian": "For a unit vector v, Var v_I <= (max v - min v)^2 / 4 <= 1/2.",
    "libraries/true-huber": "The Huber loss is the infimum over u.",
    "libraries/true-layer-norm": "The variance over the variance plus epsilon, n times.",
    "libraries/true-cross-entropy": "Gibbs' inequality.",
    "libraries/true-kl-normal": "Pinsker's inequality for two normal laws.",
    "libraries/true-dirichlet-entropy": "The uniform law on a bounded set has the largest entropy.",
    "libraries/true-nuclear": "Duality of the nuclear and the spectral norm.",
    "libraries/true-golden-thompson": "The inequality of Golden and Thompson.",
    "libraries/true-median-quantile": "The second of five is off by sqrt(3/2) deviations at most.",
    "libraries/true-conv-shift": "The sum of a full convolution is the product of sums.",
    "libraries/true-dropout-mean": "The mean of a coin over its chance is one.",
}


WITNESSES = {
    "libraries/plain-assignment-greedy": {
        "params": {},
        "values": {"c": [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]},
        "why": "1 against 0",
    },
    "libraries/plain-young": {
        "params": {},
        "values": {"f": [1.0, 1.0, 1.0, 1.0], "g": [1.0, 1.0, 1.0, 1.0, 1.0]},
        "why": "7.74597 against 4.47214",
    },
    "libraries/plain-cosine": {
        "params": {},
        "values": {
            "x": [-0.5773502691896258, -0.5773502691896258, -0.5773502691896258],
            "y": [-0.847998304005088, 0.0, -0.52999894000318],
            "z": [-1.0, 0.0, 0.0],
        },
        "why": "0.42265 against 0.356415",
    },
    "libraries/subtle-akima": {
        "params": {},
        "values": {"y": [0.4, 1.0, 0.1, 1.0, 0.4], "t": 1.3},
        "why": "0.4144 against 0.412",
    },
    "libraries/plain-gauss": {
        "params": {},
        "values": {"c": [1.0, 1.0, 1.0, 1.0, 1.0]},
        "why": "2.27778 against 2.28333",
    },
    "libraries/subtle-gelu": {"params": {}, "values": {"x": -0.75}, "why": "0.169971 against 0.1699"},
    "libraries/plain-smooth-l1": {"params": {}, "values": {"x": 0.0, "y": 1.0}, "why": "0.25 against 0.5"},
    "libraries/plain-kl-triangle": {
        "params": {},
        "values": {"p": 1.0, "pp": 0.5, "q": 1.0, "qq": 1.0, "r": 0.5, "rr": 1.0},
        "why": "0.693147 against 0.5",
    },
    "libraries/plain-weyl-singular": {
        "params": {},
        "values": {"A": [[1.0, 1.0], [1.0, 1.0]], "B": [[1.0, -1.0], [-1.0, 1.0]]},
        "why": "2 against 0",
    },
    "libraries/plain-kurtosis": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]},
        "why": "4.2 against 1.2",
    },
}
