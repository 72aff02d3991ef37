"""Alien claims, known: what lecture notes and answers say in passing (2); see README.md."""

# ruff: noqa: B905, E731

import heapq
import math

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.special
import torch

from harness import (
    Row,
    always,
    claim,
    every,
    grid,
    high_probability,
    identity,
    reproduction,
    up_to_constant,
)


@claim("folklore/true-dkw-massart", high_probability("delta"), over=grid(n=[8, 30], delta=[0.1]), cite="Massart 1990")
def dkw(draw, within, *, n, delta):
    """sup_t |F_n(t) - t| <= sqrt(log(2/delta) / (2n))."""
    x, t = draw.uniform("x", n), within.interval("t", 0, 1)
    return ((x <= t[:, None]).double().mean(-1) - t).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim("folklore/plain-coupon-collector", always(), over=grid(n=[5, 50]), expected="refuted", cite="Feller 1968, IX.3")
def coupon(*, n):
    """The coupon collector waits n log n on average, at most."""
    return n * sum(1 / k for k in range(1, n + 1)), n * math.log(n)


@claim("folklore/true-die-table", reproduction(tolerance=0.005), cite="any primer")
def die():
    """Mean 3.5 and variance 2.92 of a die."""
    faces = range(1, 7)
    mean = sum(faces) / 6
    return [Row("mean", mean, printed=3.5), Row("variance", sum((f - mean) ** 2 for f in faces) / 6, printed=2.92)]


@claim("folklore/true-gd-descends-below-two-over-l", always(), cite="Nesterov 2004, section 1.2.3")
def gd(forall):
    """f(x - t A x) <= f(x) for f = x'Ax/2, |A| <= 1, t <= 2."""
    a, x, t = forall.psd("A", 2, trace=1.0), forall.ball("x", 2), forall.interval("t", 0, 2)
    f = lambda v: (v * (a @ v[..., None])[..., 0]).sum(-1) / 2
    return f(x - t[:, None] * (a @ x[..., None])[..., 0]), f(x)


@claim("folklore/subtle-gd-descends-a-bit-beyond", always(), expected="refuted", cite="Nesterov 2004, section 1.2.3")
def gd_false(forall):
    """... for t <= 2.1."""
    a, x, t = forall.psd("A", 2, trace=1.0), forall.ball("x", 2), forall.interval("t", 0, 2.1)
    f = lambda v: (v * (a @ v[..., None])[..., 0]).sum(-1) / 2
    return f(x - t[:, None] * (a @ x[..., None])[..., 0]), f(x)


@claim("folklore/plain-subgradient-descends", always(), expected="refuted", cite="Shor 1985")
def subgrad(forall):
    """f(x - t g) <= f(x) for some t of {.001, .01, .1}, g any subgradient of |x| + 3 |y| at (1, 0)."""
    s = forall.interval("s", -3, 3)
    values = [(1 - t) + 3 * (t * s).abs() for t in (0.001, 0.01, 0.1)]
    return torch.stack(values, -1).amin(-1), 1.0


@claim("folklore/plain-coordinate-minimum-is-minimum", always(), expected="refuted", cite="Warga 1963")
def coord(forall):
    """If no move of one coordinate by +-t helps, t in a list, then f(x) <= f* + .1, f convex."""
    x = forall.interval("x", -1, 1, 2)
    f = lambda a, b: (a + b).abs() + 3 * (a - b).abs()
    here = f(x[:, 0], x[:, 1])
    moves = [f(x[:, 0] + d, x[:, 1]) for d in np.linspace(-2, 2, 41)] + [
        f(x[:, 0], x[:, 1] + d) for d in np.linspace(-2, 2, 41)
    ]
    forall.assume(torch.stack(moves).amin(0) >= here - 1e-9)
    return here, 0.1


@claim("folklore/true-product-of-increasing-convex", always(), cite="Boyd and Vandenberghe 2004, exercise 3.32")
def prod_true(forall):
    """x^2 exp(x) is midpoint convex on [0, 2]."""
    x, y = forall.interval("x", 0, 2), forall.interval("y", 0, 2)
    f = lambda t: t**2 * t.exp()
    return f((x + y) / 2), (f(x) + f(y)) / 2


@claim("folklore/true-star-shaped", always(), cite="Bruckner and Ostrow 1962")
def star(forall):
    """f(x) / x <= f(y) / y for 0 < x <= y, f = max of affine functions minus its value at 0."""
    f = forall.convex("f", 3, 1)
    x, y = forall.interval("x", 0.01, 1), forall.interval("y", 0.01, 1)
    forall.assume(x <= y)
    f0 = f(torch.zeros_like(x)[:, None])
    return (f(x[:, None]) - f0) / x, (f(y[:, None]) - f0) / y


@claim("folklore/plain-gelu-monotone", always(), expected="refuted", cite="Hendrycks and Gimpel 2016")
def gelu(forall):
    """GELU is non-decreasing."""
    x, y = forall.interval("x", -4, 4), forall.interval("y", -4, 4)
    forall.assume(x <= y)
    g = torch.nn.functional.gelu
    return g(x), g(y)


@claim("folklore/subtle-gelu-one-lipschitz", always(), expected="refuted", cite="Hendrycks and Gimpel 2016")
def gelu_lip(forall):
    """GELU is 1.1-Lipschitz."""
    x, y = forall.interval("x", -4, 4), forall.interval("y", -4, 4)
    g = torch.nn.functional.gelu
    return (g(x) - g(y)).abs(), 1.1 * (x - y).abs()


def smallest(points, k):
    gram = k((points[:, :, None] - points[:, None, :]).abs())
    return torch.linalg.eigvalsh(gram)[:, 0]


@claim("folklore/true-laplace-kernel", always(), cite="Schoenberg 1938")
def laplace(forall):
    """exp(-|x-y|) is positive definite."""
    x = forall.interval("x", 0, 2, 4)
    return -smallest(x, lambda d: (-d).exp()), 1e-12


@claim("folklore/plain-geodesic-gaussian", always(), expected="refuted", cite="Feragen, Lauze and Hauberg 2015")
def geodesic(forall):
    """exp(-t d^2) with geodesic distances on a circle is positive definite, t in [.05, 1], four points."""
    a, t = forall.interval("a", 0, 2 * math.pi, 4), forall.interval("t", 0.05, 1)
    return -smallest(a, lambda d: (-t[:, None, None] * torch.minimum(d, 2 * math.pi - d) ** 2).exp()), 1e-3


@claim("folklore/plain-sigmoid-kernel", always(), expected="refuted", cite="Lin and Lin 2003")
def sigmoid_kernel(forall):
    """tanh(x y - b) is positive semi-definite for b in [0, 1] (two points)."""
    x, b = forall.interval("x", -1, 1, 2), forall.interval("b", 0, 1)
    gram = torch.tanh(x[:, :, None] * x[:, None, :] - b[:, None, None])
    return -torch.linalg.eigvalsh(gram)[:, 0], 1e-9


@claim("folklore/true-schur-product", always(), cite="Schur 1911")
def schur(forall):
    """The Hadamard product of PSD matrices is PSD."""
    a, b = forall.psd("A", 3, trace=1.0), forall.psd("B", 3, trace=1.0)
    return -torch.linalg.eigvalsh(a * b)[:, 0], 1e-12


@claim("folklore/true-sorted-matching-convex", always(), cite="Villani 2003, Theorem 2.18")
def sorted_convex(forall):
    """sum |a_(i) - b_(i)|^1.5 <= sum |a_i - b_i|^1.5."""
    a, b = forall.interval("a", 0, 1, 4), forall.interval("b", 0, 1, 4)
    return ((a.sort(-1).values - b.sort(-1).values).abs() ** 1.5).sum(-1), ((a - b).abs() ** 1.5).sum(-1)


@claim("folklore/true-assignment-by-sorting", identity(), cite="Villani 2003, Theorem 2.18")
def assignment(forall):
    """The optimal assignment for |a_i - b_j| costs sum |a_(i) - b_(i)|."""
    a, b = forall.interval("a", 0, 1, 3), forall.interval("b", 0, 1, 3)
    out = []
    for u, v in zip(a.numpy(), b.numpy()):
        cost = np.abs(u[:, None] - v[None])
        out.append(cost[scipy.optimize.linear_sum_assignment(cost)].sum())
    return torch.tensor(out), (a.sort(-1).values - b.sort(-1).values).abs().sum(-1)


@claim("folklore/plain-test-r2-non-negative", always(), expected="refuted", cite="Folklore")
def r2_test(forall):
    """R^2 on the second half of the data is >= -1."""
    x, y = forall.interval("x", -1, 1, 6), forall.interval("y", -1, 1, 6)
    a, b = x[:, :3] - x[:, :3].mean(-1, keepdim=True), y[:, :3]
    forall.assume((a.square().sum(-1) > 0.1) & (y[:, 3:].var(-1) > 0.1))
    slope = (a * b).sum(-1) / a.square().sum(-1)
    predicted = b.mean(-1, keepdim=True) + slope[:, None] * (x[:, 3:] - x[:, :3].mean(-1, keepdim=True))
    rss = (y[:, 3:] - predicted).square().sum(-1)
    return rss / (y[:, 3:] - y[:, 3:].mean(-1, keepdim=True)).square().sum(-1), 2.0


@claim(
    "folklore/plain-differential-entropy-non-negative",
    always(),
    expected="refuted",
    cite="Cover and Thomas 2006, chapter 8",
)
def diff_entropy(forall):
    """Differential entropy is >= 0 (normal, sd in [.1, 10])."""
    s = forall.interval("s", 0.1, 10)
    return -torch.distributions.Normal(torch.zeros_like(s), s).entropy(), 0.0


@claim("folklore/true-kl-normals-symmetric", identity(), cite="Cover and Thomas 2006, chapter 8")
def kl_sym(forall):
    """KL(N(a, s), N(b, s)) = KL(N(b, s), N(a, s))."""
    a, b, s = forall.interval("a", -1, 1), forall.interval("b", -1, 1), forall.interval("s", 0.5, 2)
    n = torch.distributions.Normal
    k = torch.distributions.kl_divergence
    return k(n(a, s), n(b, s)), k(n(b, s), n(a, s))


def huffman(ps):
    heap = [(p, 0.0) for p in ps]
    total = 0.0
    heap = sorted(p for p in ps)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        total += a + b
        heapq.heappush(heap, a + b)
    return total


@claim("folklore/subtle-huffman-within-half-bit", always(), expected="refuted", cite="Huffman 1952")
def huff_half(forall):
    """... at most H + .9."""
    p = forall.simplex("p", 4)
    h = -torch.special.xlogy(p, p).sum(-1) / math.log(2)
    return torch.tensor([huffman(r) for r in p.tolist()]), h + 0.9


@claim(
    "folklore/plain-norms-equivalent-uniformly",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64, 128]),
    expected="refuted",
    cite="Cauchy 1821",
)
def norms(forall, *, n):
    """|x|_1 <= C |x|_2, whatever n."""
    x = forall.ball("x", n)
    return x.abs().sum(-1), x.norm(dim=-1)


@claim("folklore/true-grothendieck-like-khintchine", always(), over=grid(n=[4, 7]), cite="Khintchine 1923")
def khintchine(forall, *, n):
    """E |sum e_i x_i|^4 <= 3 |x|^4."""
    x = forall.sphere("x", n)
    return (every.signs(n, like=x) @ x.mT).pow(4).mean(0), 3.0


PROOFS = {
    "folklore/true-dkw-massart": "Massart: P(sup |F_n - F| > e) <= 2 exp(-2 n e^2).",
    "folklore/true-die-table": "The mean is 7/2 and the variance 35/12 = 2.91667, printed with two digits.",
    "folklore/true-gd-descends-below-two-over-l": (
        "Each eigenvalue a in [0, 1] gives the factor (1 - t a)^2 <= 1 for 0 <= t <= 2."
    ),
    "folklore/true-product-of-increasing-convex": (
        "The second derivative of x^2 exp(x) is (x^2 + 4 x + 2) exp(x) > 0 on [0, 2]."
    ),
    "folklore/true-star-shaped": "Convexity on [0, y], with the value 0 at 0: f(x) <= (x/y) f(y).",
    "folklore/true-laplace-kernel": (
        "Schoenberg: exp(-|x - y|^p) is positive definite for 0 < p <= 2; it is the transform of a Cauchy law."
    ),
    "folklore/true-schur-product": "Schur's product theorem: a principal submatrix of the Kronecker product.",
    "folklore/true-sorted-matching-convex": (
        "Undoing a crossing does not raise the cost, for a convex function of the difference."
    ),
    "folklore/true-assignment-by-sorting": (
        "Sorted matchings are optimal for |a - b|, as for all convex costs, and the solver finds an optimal one."
    ),
    "folklore/true-kl-normals-symmetric": "Both are (a - b)^2 / (2 s^2).",
    "folklore/true-grothendieck-like-khintchine": "E (sum e_i x_i)^4 = 3 |x|^4 - 2 sum x_i^4.",
}

WITNESSES = {
    "folklore/plain-coupon-collector": {
        "params": {"n": 5},
        "values": {},
        "why": "5 (1 + 1/2 + ... + 1/5) = 11.42 against 8.05.",
    },
    "folklore/subtle-gd-descends-a-bit-beyond": {
        "params": {},
        "values": {"A": [[1.0, 0.0], [0.0, 0.0]], "x": [1.0, 0.0], "t": 2.1},
        "why": "1.1^2 / 2 against 1/2.",
    },
    "folklore/plain-subgradient-descends": {
        "params": {},
        "values": {"s": 3.0},
        "why": "1 + 8 t at least: 1.008 against 1.",
    },
    "folklore/plain-coordinate-minimum-is-minimum": {
        "params": {},
        "values": {"x": [0.5, 0.5]},
        "why": "|1 + d| + 3 |d| >= 1: no move helps at f = 1, and f* = 0.",
    },
    "folklore/plain-gelu-monotone": {
        "params": {},
        "values": {"x": -2.0, "y": -1.0},
        "why": "-0.0455 against -0.1587.",
    },
    "folklore/subtle-gelu-one-lipschitz": {
        "params": {},
        "values": {"x": 1.3, "y": 1.5},
        "why": "A slope of 1.128 near sqrt 2.",
    },
    "folklore/plain-geodesic-gaussian": {
        "params": {},
        "values": {"a": [0.0, 0.5 * math.pi, math.pi, 1.5 * math.pi], "t": 0.05},
        "why": "1 - 2 q + q^4 = -0.157, q = exp(-t pi^2 / 4).",
    },
    "folklore/plain-sigmoid-kernel": {
        "params": {},
        "values": {"x": [0.0, 0.0], "b": 1.0},
        "why": "The trace is negative: -2 tanh 1.",
    },
    "folklore/plain-test-r2-non-negative": {
        "params": {},
        "values": {"x": [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0], "y": [-1.0, 0.0, 1.0, 1.0, 0.0, -1.0]},
        "why": "The line rises, then the data fall: R^2 = 1 - 8/2 = -3.",
    },
    "folklore/plain-differential-entropy-non-negative": {
        "params": {},
        "values": {"s": 0.1},
        "why": "log(2 pi e / 100) / 2 = -0.884.",
    },
    "folklore/subtle-huffman-within-half-bit": {
        "params": {},
        "values": {"p": [1.0, 0.0, 0.0, 0.0]},
        "why": "One bit for a symbol that is certain, against 0.9.",
    },
    "folklore/plain-norms-equivalent-uniformly": {
        "params": [{"n": 2**k} for k in range(2, 8)],
        "values": [{"x": [2 ** (-k / 2)] * 2**k} for k in range(2, 8)],
        "why": "Equal entries: the ratio is sqrt n.",
    },
}
