"""Alien claims, aside: random features and kernel approximation; see README.md."""

# ruff: noqa: B905, E731

import itertools
import math

import numpy as np
import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate, tail


@claim(
    "features/true-cos-sin-better",
    expectation(range=(-9.0, 4.0), margin=0.02),
    over=grid(m=[1, 5]),
    cite="Sutherland and Schneider 2015",
)
def cos_sin_beats_phase(forall, draw, *, m):
    """With as many features, cos-sin pairs have no larger squared error than cosines with random phases."""
    x, y = forall.ball("x", 2, radius=2.0), forall.ball("y", 2, radius=2.0)
    w, b = draw.normal("w", 2 * m, 2), draw.uniform("b", 2 * m, high=2 * math.pi)
    k = torch.exp(-(x - y).square().sum(-1) / 2)
    pairs = torch.cos((w[:, :m] * (x - y)[:, None]).sum(-1)).mean(-1)
    phases = (2 * torch.cos((w * x[:, None]).sum(-1) + b) * torch.cos((w * y[:, None]).sum(-1) + b)).mean(-1)
    return (pairs - k) ** 2, (phases - k) ** 2


@claim("features/true-orthogonal-unbiased", expectation(range=(-2.0, 2.0), margin=0.03), cite="Yu et al. 2016")
def orthogonal_unbiased(forall, draw):
    """Orthogonal random features of dimension three, with norms of chi, are unbiased (one direction)."""
    d = forall.ball("d", 3, radius=2.0)
    q = torch.linalg.qr(draw.normal("G", 3, 3)).Q
    norms = draw.normal("S", 3, 3).norm(dim=-1)
    w = norms[:, :, None] * q.mT
    return torch.cos((w * d[:, None]).sum(-1)).mean(-1), torch.exp(-d.square().sum(-1) / 2)


@claim(
    "features/plain-orthogonal-unit-norms",
    expectation(range=(-2.0, 2.0), margin=0.03),
    expected="refuted",
    cite="Yu et al. 2016",
)
def orthogonal_without_norms(forall, draw):
    """Orthogonal features with all norms sqrt(3) estimate at least the Gaussian kernel."""
    d = forall.ball("d", 3, radius=3.0)
    q = torch.linalg.qr(draw.normal("G", 3, 3)).Q
    return torch.exp(-d.square().sum(-1) / 2), torch.cos((math.sqrt(3) * q * d[:, None]).sum(-1)).mean(-1)


@claim("features/true-positive-mse", identity(), cite="Choromanski et al. 2021, Lemma 2")
def positive_mse(forall):
    """E phi(x)^2 phi(y)^2 - exp(2 x.y) = exp(|x+y|^2) exp(2 x.y) (1 - exp(-|x+y|^2))."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    s, soft = (x + y).square().sum(-1), torch.exp((x * y).sum(-1))
    second = torch.exp(2 * s - x.square().sum(-1) - y.square().sum(-1))
    return second - soft**2, torch.exp(s) * soft**2 * (1 - torch.exp(-s))


@claim(
    "features/plain-positive-beats-trigonometric", always(), expected="refuted", cite="Choromanski et al. 2021, Lemma 2"
)
def positive_beats_trigonometric(forall):
    """The squared error of positive features is at most that of trigonometric ones, for the softmax kernel."""
    x, y = forall.ball("x", 2), forall.ball("y", 2)
    s, t, soft = (x + y).square().sum(-1), (x - y).square().sum(-1), torch.exp((x * y).sum(-1))
    return torch.exp(s) * soft**2 * (1 - torch.exp(-s)), torch.exp(s) / soft**2 * (1 - torch.exp(-t)) ** 2 / 2


@claim("features/true-power-function", always(), cite="Wendland 2005, Section 11.1")
def power_function(forall):
    """k(x, Z) K_ZZ^-1 k(Z, x) <= k(x, x), in numpy."""
    x, z = forall.interval("x", -2.0, 2.0).numpy(), forall.interval("z", -2.0, 2.0, 3).numpy()
    out = []
    for point, landmarks in zip(x, z):
        gram = np.exp(-((landmarks[:, None] - landmarks[None]) ** 2))
        row = np.exp(-((point - landmarks) ** 2))
        out.append(row @ np.linalg.inv(gram) @ row)
    return torch.tensor(np.array(out)), 1.0


@claim(
    "features/true-rff-rate", rate("D", -0.5), over=grid(D=[16, 32, 64, 128, 256, 512]), cite="Rahimi and Recht 2007"
)
def rff_rate(draw, *, D):
    """E |mean cos(w_i) - exp(-1/2)| is of order D^(-1/2)."""
    return (torch.cos(draw.normal("w", D)).mean(-1) - math.exp(-0.5)).abs()


@claim(
    "features/plain-rff-rate",
    rate("D", -1.0),
    over=grid(D=[16, 32, 64, 128, 256, 512]),
    expected="refuted",
    cite="Rahimi and Recht 2007",
)
def rff_rate_wrong(draw, *, D):
    """The largest error of RFF at twenty distances is of order 1/D."""
    d = torch.linspace(0, 3, 20, dtype=torch.float64)
    w = draw.normal("w", D)
    return (torch.cos(w[:, :, None] * d).mean(1) - torch.exp(-(d**2) / 2)).abs().amax(-1)


def same_bin(x, y, pitch, shift):
    return torch.floor((x - shift) / pitch) == torch.floor((y - shift) / pitch)


@claim("features/true-random-binning", tail(), cite="Rahimi and Recht 2007, Section 4")
def random_binning(forall, draw):
    """P(x and y in the same bin) <= exp(-|x - y| / pitch)."""
    x, y, pitch = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0), forall.interval("pitch", 0.2, 2.0)
    shift = draw.uniform("u") * pitch
    return same_bin(x, y, pitch, shift), torch.exp(-(x - y).abs() / pitch)


@claim("features/plain-random-binning", tail(), expected="refuted", cite="Rahimi and Recht 2007, Section 4")
def random_binning_wrong(forall, draw):
    """P(x and y in the same bin) <= exp(-2 |x - y| / pitch)."""
    x, y, pitch = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0), forall.interval("pitch", 0.2, 2.0)
    shift = draw.uniform("u") * pitch
    return same_bin(x, y, pitch, shift), torch.exp(-2 * (x - y).abs() / pitch)


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


@claim("features/true-count-sketch", identity(), over=grid(m=[2, 3]), cite="Charikar, Chen and Farach-Colton 2002")
def count_sketch(forall, *, m):
    """The variance of a count sketch of <x, y> is (|x|^2 |y|^2 + <x, y>^2 - 2 sum x_i^2 y_i^2) / m."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    inner = CountSketch(3, m).inner(x, y)
    exact = (x * y).sum(-1)
    variance = ((inner - exact) ** 2).mean(0)
    return variance, ((x**2).sum(-1) * (y**2).sum(-1) + exact**2 - 2 * (x**2 * y**2).sum(-1)) / m


@claim("features/plain-arc-cosine-orders", always(), expected="refuted", cite="Cho and Saul 2009")
def arc_cosine_orders(forall):
    """The arc-cosine kernel of order one is at most that of order zero, for unit vectors."""
    t = forall.interval("t", 0.0, math.pi)
    return (torch.sin(t) + (math.pi - t) * torch.cos(t)) / math.pi, 1 - t / math.pi


def mmd_squared(x, y):
    k = lambda a, b: torch.exp(-(a[:, :, None] - b[:, None]).square().sum(-1) / 2).mean((1, 2))
    return k(x, x) + k(y, y) - 2 * k(x, y)


@claim("features/true-mmd-largest", always(), cite="Gretton et al. 2012")
def mmd_largest(forall):
    """MMD^2 <= 2 (1 - exp(-2)) for samples of the unit ball and the Gaussian kernel."""
    x, y = forall.ball("x", 3, 2), forall.ball("y", 3, 2)
    return mmd_squared(x, y), 2 * (1 - math.exp(-2))


@claim(
    "features/plain-mmd-test",
    high_probability("delta"),
    over=grid(m=[8], delta=[0.1]),
    expected="refuted",
    cite="Gretton et al. 2012, Cor. 9",
)
def mmd_test_fast(forall, draw, *, m, delta):
    """MMD_b <= (1 + sqrt(2 log(1/delta))) / m for two samples of one law."""
    law = forall.law("P", atoms=3, low=-2.0, high=2.0)
    x, y = draw.law("x", law, m), draw.law("y", law, m)
    return mmd_squared(x[..., None], y[..., None]).clamp_min(0).sqrt(), (1 + math.sqrt(2 * math.log(1 / delta))) / m


@claim("features/true-kernel-pca", always(), cite="Schur 1923")
def kernel_pca(forall):
    """The two largest eigenvalues of a Gram matrix explain at least what any two points explain."""
    x = forall.ball("x", 4, 2)
    gram = (1 + x @ x.mT) ** 2
    return gram[:, 0, 0] + gram[:, 1, 1], torch.linalg.eigvalsh(gram)[:, -2:].sum(-1)


def midpoints(n):
    return (torch.arange(n, dtype=torch.float64) + 0.5) / n


@claim("features/true-qmc-koksma", always(), over=grid(n=[8, 16]), cite="Koksma 1942")
def qmc_koksma(forall, *, n):
    """|mean cos(a u_i) - sin(a)/a| <= a / (2 n) on midpoints, discrepancy times variation."""
    a = forall.interval("a", 0.05, 20.0)
    return (torch.cos(a[:, None] * midpoints(n)).mean(-1) - torch.sin(a) / a).abs(), a / (2 * n)


@claim(
    "features/subtle-qmc-midpoint",
    always(),
    over=grid(n=[16]),
    expected="refuted",
    cite="Davis and Rabinowitz 1984, 2.1",
)
def qmc_midpoint(forall, *, n):
    """|mean cos(a u_i) - sin(a)/a| <= a^2 / (25 n^2) on midpoints."""
    a = forall.interval("a", 0.05, 20.0)
    return (torch.cos(a[:, None] * midpoints(n)).mean(-1) - torch.sin(a) / a).abs(), a**2 / (25 * n**2)


@claim("features/true-krein", always(), cite="Krein 1940")
def krein(forall):
    """|f(s) - f(t)|^2 <= 2 (1 - Re f(s - t)) for characteristic functions f."""
    law = forall.law("P", atoms=2, low=-1.0)
    s, t = forall.interval("s", -5.0, 5.0), forall.interval("t", -5.0, 5.0)
    real = law.expect(lambda x: torch.cos(s[:, None] * x) - torch.cos(t[:, None] * x))
    imag = law.expect(lambda x: torch.sin(s[:, None] * x) - torch.sin(t[:, None] * x))
    return real**2 + imag**2, 2 * (1 - law.expect(lambda x: torch.cos((s - t)[:, None] * x)))


@claim("features/subtle-sign-projection", tail(), expected="refuted", cite="Goemans and Williamson 1995")
def sign_projection_wrong(forall, draw):
    """P(w.x > 0 != w.y > 0) <= |x - y|^2 / 4 + 0.09 for unit vectors."""
    x, y = forall.sphere("x", 3), forall.sphere("y", 3)
    w = draw.normal("w", 3)
    return ((w * x).sum(-1) > 0) != ((w * y).sum(-1) > 0), (x - y).square().sum(-1) / 4 + 0.09


@claim("features/true-softmax-lipschitz", always(), cite="Gao and Pavel 2017; the constant 1/2")
def softmax_lipschitz(forall):
    """|softmax(x) - softmax(y)| <= |x - y| / 2."""
    x, y = forall.interval("x", -5.0, 5.0, 4), forall.interval("y", -5.0, 5.0, 4)
    return (torch.softmax(x, -1) - torch.softmax(y, -1)).norm(dim=-1), (x - y).norm(dim=-1) / 2


PROOFS = {
    "features/true-cos-sin-better": (
        "V/m against (V + 1/2)/(2m) with V = (1 - k^2)^2/2 <= 1/2: the phase adds Var cos(w(x+y) + 2b) = "
        "1/2, uncorrelated."
    ),
    "features/true-orthogonal-unbiased": (
        "Columns of Q are uniform on the sphere up to sign, and a chi_3 norm times a uniform direction "
        "is normal; cos is even."
    ),
    "features/true-positive-mse": "2s - |x|^2 - |y|^2 = s + 2 x.y for s = |x+y|^2, and exp(2 x.y) = soft^2.",
    "features/true-power-function": (
        "The power function is the squared distance of k(x, .) to a span: not negative; undefined where "
        "landmarks coincide."
    ),
    "features/true-rff-rate": "Standard deviation of a mean of D bounded independent numbers.",
    "features/true-random-binning": "P = max(0, 1 - |x-y|/pitch) <= exp(-|x-y|/pitch).",
    "features/true-count-sketch": (
        "Off-diagonal terms x_i y_j s_i s_j with colliding buckets: variance sum_{i != j} (x_i^2 y_j^2 + "
        "x_i y_i x_j y_j)/m."
    ),
    "features/true-mmd-largest": "Kernel values lie in [exp(-2), 1] for points at distance at most 2.",
    "features/true-kernel-pca": (
        "Ky Fan's maximum principle: the sum of the two largest eigenvalues is the largest trace of a "
        "compression to a plane."
    ),
    "features/true-qmc-koksma": "Koksma: star discrepancy 1/(2n) times the variation, at most a.",
    "features/true-krein": "|E (e^isX - e^itX)|^2 <= E |e^isX - e^itX|^2 = 2 - 2 Re f(s - t).",
    "features/true-softmax-lipschitz": (
        "The Jacobian diag(p) - p p' has norm at most 1/2 (Gershgorin: 2 p_i (1 - p_i) <= 1/2)."
    ),
}

WITNESSES = {
    "features/plain-orthogonal-unit-norms": {
        "params": {},
        "values": {"d": [0.0, 0.0, 3.0]},
        "mean": 0.18147558591167395,
        "why": ("|d| = 3: the mean is sin(3 sqrt 3)/(3 sqrt 3) = -0.170 < exp(-4.5) = 0.011."),
    },
    "features/plain-positive-beats-trigonometric": {
        "params": {},
        "values": {"x": [1.0, 0.0], "y": [1.0, 0.0]},
        "why": "x = y = e_1: 396 > 0.",
    },
    "features/plain-rff-rate": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "At d = 1 alone the mean error is of order D^(-1/2).",
    },
    "features/plain-random-binning": {
        "params": {},
        "values": {"x": 0.0, "y": 0.5, "pitch": 1.0},
        "probability": 0.5,
        "why": "x = 0, y = 0.5, pitch = 1: 0.5 > exp(-1) = 0.368.",
    },
    "features/plain-arc-cosine-orders": {
        "params": {},
        "values": {"t": 0.5},
        "why": "t = 0.5: (0.4794 + 2.6416 * 0.8776)/pi = 0.8905 > 1 - 0.5/pi = 0.8408.",
    },
    "features/plain-mmd-test": {
        "params": {"m": 8, "delta": 0.1},
        "values": {"P atoms": [-2.0, 2.0, 0.0], "P weights": [0.5, 0.5, 0.0]},
        "probability": 0.210113525390625,
        "why": (
            "Atoms -2, 2 with weights 1/2: MMD = sqrt(2 (1 - e^-8)) |p - q|; P(|p - q| >= 5/16 - ) is about 0.3 > 0.1."
        ),
    },
    "features/subtle-qmc-midpoint": {
        "params": {"n": 16},
        "values": {"a": 0.1},
        "why": "a = 0.1: 1.6249e-6 > 1.5625e-6.",
    },
    "features/subtle-sign-projection": {
        "params": {},
        "values": {"x": [1.0, 0.0, 0.0], "y": [0.7648421872844885, 0.644217687237691, 0.0]},
        "probability": 0.22281692032865347,
        "why": "Angle 0.7: 0.2228 > 0.2076.",
    },
}
