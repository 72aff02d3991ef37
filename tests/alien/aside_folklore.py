"""Alien claims, aside: what lecture notes and answers say in passing; see README.md."""

# ruff: noqa: B905, E731, RUF007

import itertools
import math
from fractions import Fraction

import scipy.stats as st
import torch
from sklearn.linear_model import LinearRegression

from harness import (
    always,
    claim,
    expectation,
    grid,
    identity,
    tail,
)


@claim("folklore/plain-uniform-has-largest-variance", always(), expected="refuted", cite="Popoviciu 1935")
def unif_var(forall):
    """Var X <= 1/12 for X in [0, 1]."""
    return forall.law("P", atoms=5).variance, 1 / 12


def correlations(forall):
    x, y, z = (forall.sphere(k, 3) for k in "xyz")
    return (x * y).sum(-1), (y * z).sum(-1), (x * z).sum(-1)


@claim("folklore/true-correlation-transitive", always(), cite="Langford, Schwertman and Owens 2001")
def corr_true(forall):
    """r_xy, r_yz >= .71 imply r_xz >= 0."""
    a, b, c = correlations(forall)
    forall.assume((a >= 0.71) & (b >= 0.71))
    return -c, 0.0


@claim("folklore/plain-no-simpson-reversal", always(), expected="refuted", cite="Simpson 1951")
def simpson(forall):
    """If treatment is better by .05 in both groups, it is not worse by .05 overall."""
    rates, shares = forall.interval("r", 0, 1, 2, 2), forall.interval("w", 0, 1, 2)
    forall.assume((rates[:, 0] >= rates[:, 1] + 0.05).all(-1))
    w = torch.stack([shares, 1 - shares], -1)  # arm, group
    overall = (w * rates).sum(-1)
    return overall[:, 1], overall[:, 0] + 0.05


@claim("folklore/true-no-reversal-when-balanced", always(), cite="Simpson 1951")
def simpson_ok(forall):
    """... with equal shares of the groups in both arms."""
    rates, share = forall.interval("r", 0, 1, 2, 2), forall.interval("w", 0, 1)
    forall.assume((rates[:, 0] >= rates[:, 1]).all(-1))
    w = torch.stack([share, 1 - share], -1)
    return (w * rates[:, 1]).sum(-1), (w * rates[:, 0]).sum(-1)


@claim("folklore/plain-hot-hand-share-is-half", always(), expected="refuted", cite="Miller and Sanjurjo 2018")
def hot():
    """The mean share of heads after heads in 4 fair flips (those with any) is 1/2, at least .45."""
    rows = [r for r in itertools.product((0, 1), repeat=4) if sum(r[:3]) > 0]
    shares = [Fraction(sum(a * b for a, b in zip(r, r[1:])), sum(r[:3])) for r in rows]
    return 0.45, float(sum(shares) / len(shares))


@claim("folklore/true-cartwright-field", always(), cite="Cartwright and Field 1978")
def cf(forall):
    """A - G <= Var / (2 min) for numbers in [1, 3]."""
    x = forall.interval("x", 1.0, 3.0, 3)
    return x.mean(-1) - x.log().mean(-1).exp(), x.var(-1, unbiased=False) / (2 * x.amin(-1))


@claim("folklore/plain-kendall-below-spearman", always(), expected="refuted", cite="Daniels 1950")
def tau_rho(forall):
    """|tau| <= |rho|."""
    y = forall.permutation("pi", 5).double()
    tau = torch.tensor([st.kendalltau(range(5), r).statistic for r in y.numpy()])
    rho = torch.tensor([st.spearmanr(range(5), r).statistic for r in y.numpy()])
    return tau.abs(), rho.abs() + 0.01


@claim("folklore/true-permutation-p-with-one", tail(), over=grid(B=[9, 19]), cite="Phipson and Smyth 2010")
def perm_p_one(forall, draw, *, B):
    """P((1 + #{u_b >= u_0}) / (B + 1) <= a) <= a, a in [.05, .9]."""
    a = forall.interval("a", 0.05, 0.9)
    u = draw.uniform("u", B + 1)
    count = 1 + (u[:, 1:] >= u[:, :1]).sum(-1)
    return count <= torch.floor(a * (B + 1) + 1e-9), a + 1e-6


@claim(
    "folklore/true-real-eigenvalues", expectation(range=(-1.5, 0.6), margin=0.02), cite="Edelman, Kostlan and Shub 1994"
)
def real_eigs(draw):
    """A 2x2 Gaussian matrix has sqrt(2) real eigenvalues on average."""
    g = draw.normal("g", 2, 2)
    disc = (g[:, 0, 0] - g[:, 1, 1]) ** 2 + 4 * g[:, 0, 1] * g[:, 1, 0]
    return torch.where(disc > 0, 2.0, 0.0), math.sqrt(2)


@claim(
    "folklore/plain-real-eigenvalues-rare",
    expectation(range=(-1.5, 1.5)),
    expected="refuted",
    cite="Edelman, Kostlan and Shub 1994",
)
def real_eigs_false(draw):
    """At most 1.35 on average."""
    return 2.0 * (torch.linalg.eigvals(draw.normal("g", 2, 2)).imag == 0).all(-1).double(), 1.35


@claim("folklore/plain-monty-hall-half", expectation(range=(-1.0, 1.0)), expected="refuted", cite="Selvin 1975")
def monty(draw):
    """Switching wins at most every second game."""
    car, pick = draw.categorical("car", [1 / 3] * 3), draw.categorical("pick", [1 / 3] * 3)
    return (car != pick).double(), 0.5


@claim("folklore/true-birthday", always(), over=grid(n=[10, 23, 60]), cite="von Mises 1939")
def birthday(*, n):
    """P(all different) <= exp(-n (n-1) / 730)."""
    exact = Fraction(1)
    for k in range(n):
        exact *= Fraction(365 - k, 365)
    return float(exact), math.exp(-n * (n - 1) / 730)


@claim("folklore/plain-momentum-is-monotone", always(), expected="refuted", cite="Polyak 1964")
def momentum(forall):
    """Heavy ball with 0 <= b <= .9 and step .5 on x^2/2 never increases |x| by more than .1 in a step,
    within 8 steps.
    """
    b, prev = forall.interval("b", 0, 0.9), torch.ones(1, dtype=torch.float64)
    x, worst = prev - 0.5 * prev, -prev
    for _ in range(8):
        new = x - 0.5 * x + b * (x - prev)
        worst = torch.maximum(worst, new.abs() - x.abs())
        x, prev = new, x
    return worst, 0.1


@claim("folklore/true-subgradient-approaches", always(), cite="Shor 1985")
def subgrad_true(forall):
    """|x - t g - x*|^2 <= |x - x*|^2 - 2 t (f(x) - f*) + t^2 |g|^2 at (1, 0)."""
    s, t = forall.interval("s", -3, 3), forall.interval("t", 0, 1)
    return (1 - t) ** 2 + (t * s) ** 2, 1 - 2 * t + t**2 * (1 + s**2)


@claim(
    "folklore/plain-product-of-convex", always(), expected="refuted", cite="Boyd and Vandenberghe 2004, exercise 3.32"
)
def prod(forall):
    """x^2 (x-1)^2 is midpoint convex, as a product of convex non-negative functions."""
    x, y = forall.interval("x", -1, 2), forall.interval("y", -1, 2)
    f = lambda t: t**2 * (t - 1) ** 2
    return f((x + y) / 2), (f(x) + f(y)) / 2


@claim("folklore/true-gelu-lipschitz", always(), cite="Hendrycks and Gimpel 2016")
def gelu_lip_true(forall):
    """GELU is 1.13-Lipschitz."""
    x, y = forall.interval("x", -4, 4), forall.interval("y", -4, 4)
    g = torch.nn.functional.gelu
    return (g(x) - g(y)).abs(), 1.13 * (x - y).abs()


def smallest(points, k):
    gram = k((points[:, :, None] - points[:, None, :]).abs())
    return torch.linalg.eigvalsh(gram)[:, 0]


@claim("folklore/plain-exp-power-three-kernel", always(), expected="refuted", cite="Schoenberg 1938")
def exp3(forall):
    """exp(-|x-y|^3) is positive definite (four points, to -1e-4)."""
    x = forall.interval("x", 0, 2, 4)
    return -smallest(x, lambda d: (-(d**3)).exp()), 1e-4


@claim("folklore/true-root-cosine-metric", always(), cite="Deza and Deza 2009")
def cosd_true(forall):
    """sqrt(2 - 2 cos) is a metric (it is the chord)."""
    x, y, z = (forall.sphere(k, 2) for k in "xyz")
    d = lambda u, v: (2 - 2 * (u * v).sum(-1)).clamp_min(0).sqrt()
    return d(x, z), d(x, y) + d(y, z) + 1e-6


@claim("folklore/plain-sorted-matching-concave", always(), expected="refuted", cite="Gangbo and McCann 1996")
def sorted_concave(forall):
    """sum |a_(i) - b_(i)|^(1/2) <= sum |a_i - b_i|^(1/2)."""
    a, b = forall.interval("a", 0, 1, 3), forall.interval("b", 0, 1, 3)
    return ((a.sort(-1).values - b.sort(-1).values).abs() ** 0.5).sum(-1), ((a - b).abs() ** 0.5).sum(-1)


@claim("folklore/true-r2-grows", always(), cite="Greene 2012, Theorem 3.6")
def r2(forall):
    """R^2 with one regressor <= R^2 with two."""
    x, y = forall.interval("x", -1, 1, 6, 2), forall.interval("y", -1, 1, 6)
    small, large = [], []
    for a, b in zip(x.numpy(), y.numpy()):
        if b.std() < 1e-3:
            small.append(0.0), large.append(0.0)
            continue
        small.append(LinearRegression().fit(a[:, :1], b).score(a[:, :1], b))
        large.append(LinearRegression().fit(a, b).score(a, b))
    return torch.tensor(small), torch.tensor(large) + 1e-9


@claim("folklore/plain-kl-normals-symmetric", identity(), expected="refuted", cite="Cover and Thomas 2006, chapter 8")
def kl_asym(forall):
    """KL(N(0, s), N(0, t)) = KL(N(0, t), N(0, s))."""
    s, t = forall.interval("s", 0.5, 2), forall.interval("t", 0.5, 2)
    k = lambda u, v: (v / u).log() + (u / v) ** 2 / 2 - 0.5
    return k(s, t), k(t, s)


@claim("folklore/true-relu-homogeneous", identity(), cite="Neyshabur, Salakhutdinov and Srebro 2015")
def relu(forall):
    """relu(W2 relu(W1 x)) scales by a b when W1 and W2 do by a, b >= 0."""
    w1, w2, x = forall.interval("W1", -1, 1, 3, 2), forall.interval("W2", -1, 1, 2, 3), forall.ball("x", 2)
    a, b = forall.interval("a", 0, 2), forall.interval("b", 0, 2)
    net = lambda u, v: torch.relu(v @ torch.relu(u @ x[..., None]))[..., 0]
    return net(a[:, None, None] * w1, b[:, None, None] * w2).sum(-1), a * b * net(w1, w2).sum(-1)


PROOFS = {
    "folklore/true-correlation-transitive": (
        "arccos 0.71 is below 45 degrees, and angles satisfy the triangle inequality."
    ),
    "folklore/true-no-reversal-when-balanced": "The same mean of larger rates is larger.",
    "folklore/true-cartwright-field": "Cartwright and Field: A - G <= Var / (2 min).",
    "folklore/true-permutation-p-with-one": (
        "The rank of u_0 is uniform on 1, ..., B + 1: P(rank <= k) = k / (B + 1) <= a for k <= a (B + 1)."
    ),
    "folklore/true-real-eigenvalues": (
        "Edelman, Kostlan and Shub: both are real with probability 1/sqrt 2, so 2/sqrt 2 = sqrt 2 on average."
    ),
    "folklore/true-birthday": "prod (1 - k/365) <= exp(-sum k/365) = exp(-n (n - 1) / 730).",
    "folklore/true-subgradient-approaches": (
        "|x - t g - x*|^2 = |x - x*|^2 - 2 t <g, x - x*> + t^2 |g|^2, and <g, x - x*> = 1 = f(x) - f*."
    ),
    "folklore/true-gelu-lipschitz": "The slope is extreme at x = sqrt 2 and -sqrt 2: at most 1.12890 in modulus.",
    "folklore/true-root-cosine-metric": "sqrt(2 - 2 cos) is the Euclidean distance of two unit vectors.",
    "folklore/true-r2-grows": "The larger model contains the smaller, so its least sum of squares is not larger.",
    "folklore/true-relu-homogeneous": "relu(a z) = a relu(z) for a >= 0, used twice.",
}

WITNESSES = {
    "folklore/plain-uniform-has-largest-variance": {
        "params": {},
        "values": {"P atoms": [0.0, 1.0, 1.0, 1.0, 1.0], "P weights": [0.5, 0.5, 0.0, 0.0, 0.0]},
        "why": "A fair coin: 1/4 against 1/12.",
    },
    "folklore/plain-no-simpson-reversal": {
        "params": {},
        "values": {"r": [[0.3, 0.9], [0.2, 0.8]], "w": [1.0, 0.0]},
        "why": "The better arm has the worse group alone: 0.8 against 0.35.",
    },
    "folklore/plain-hot-hand-share-is-half": {
        "params": {},
        "values": {},
        "why": "0.45 against 17/42 = 0.405.",
    },
    "folklore/plain-kendall-below-spearman": {
        "params": {},
        "values": {"pi": [0.0, 0.8, 0.6, 0.4, 0.2]},
        "why": "The order 0 4 3 2 1: tau = -0.2, rho = 0.",
    },
    "folklore/plain-real-eigenvalues-rare": {
        "params": {},
        "values": {},
        "mean": math.sqrt(2.0) - 1.35,
        "why": "Both are real with probability 1/sqrt 2.",
    },
    "folklore/plain-monty-hall-half": {
        "params": {},
        "values": {},
        "mean": 1.0 / 6.0,
        "why": "Switching wins two games of three.",
    },
    "folklore/plain-momentum-is-monotone": {
        "params": {},
        "values": {"b": 0.9},
        "why": "From -0.2 to -0.73: 0.53 against 0.1.",
    },
    "folklore/plain-product-of-convex": {
        "params": {},
        "values": {"x": 0.0, "y": 1.0},
        "why": "1/16 against 0.",
    },
    "folklore/plain-exp-power-three-kernel": {
        "params": {},
        "values": {"x": [0.0, 0.6, 1.2, 1.8]},
        "why": "The least eigenvalue is -0.1497.",
    },
    "folklore/plain-sorted-matching-concave": {
        "params": {},
        "values": {"a": [0.0, 0.5, 0.0], "b": [1.0, 0.5, 0.0]},
        "why": "2 sqrt(1/2) against 1.",
    },
    "folklore/plain-kl-normals-symmetric": {
        "params": {},
        "values": {"s": 1.0, "t": 2.0},
        "why": "0.318 against 0.807.",
    },
}
