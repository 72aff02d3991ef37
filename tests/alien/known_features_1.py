"""Alien claims, known: random features and kernel approximation (1); see README.md."""

# ruff: noqa: E731

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity


def gaussian_gram(x, y):
    return torch.exp(-(x[:, :, None, :] - y[:, None, :, :]).square().sum(-1) / 2)


@claim("features/true-gaussian-gram", always(), cite="Bochner 1932")
def gaussian_gram_is_psd(forall):
    """The smallest eigenvalue of a Gaussian Gram matrix is not negative."""
    x = forall.ball("x", 4, 2, radius=2.0)
    return -torch.linalg.eigvalsh(gaussian_gram(x, x))[:, 0], 0.0


@claim("features/true-cos-sin-variance", identity(), cite="Sutherland and Schneider 2015")
def cos_sin_variance(forall):
    """Var cos(w d) = (1 - k(d)^2)^2 / 2 for the Gaussian kernel k(d) = exp(-|d|^2/2)."""
    d = forall.ball("d", 3, radius=3.0)
    k = lambda z: torch.exp(-z.square().sum(-1) / 2)
    return (1 + k(2 * d)) / 2 - k(d) ** 2, (1 - k(d) ** 2) ** 2 / 2


@claim(
    "features/plain-phase-better",
    expectation(range=(-4.0, 9.0), margin=0.02),
    over=grid(m=[1]),
    expected="refuted",
    cite="Sutherland and Schneider 2015",
)
def phase_beats_cos_sin(forall, draw, *, m):
    """With as many features, cosines with random phases have no larger squared error than cos-sin pairs."""
    x, y = forall.ball("x", 2, radius=2.0), forall.ball("y", 2, radius=2.0)
    w, b = draw.normal("w", 2 * m, 2), draw.uniform("b", 2 * m, high=2 * math.pi)
    k = torch.exp(-(x - y).square().sum(-1) / 2)
    pairs = torch.cos((w[:, :m] * (x - y)[:, None]).sum(-1)).mean(-1)
    phases = (2 * torch.cos((w * x[:, None]).sum(-1) + b) * torch.cos((w * y[:, None]).sum(-1) + b)).mean(-1)
    return (phases - k) ** 2, (pairs - k) ** 2


@claim("features/true-bernstein", high_probability("delta"), over=grid(D=[4, 50], delta=[0.05]), cite="Bernstein 1924")
def bernstein(forall, draw, *, D, delta):
    """|mean cos(w_i d) - k(d)| <= sqrt(2 V log(2/delta)/D) + 4 log(2/delta)/(3 D), V = (1 - k(d)^2)^2/2."""
    d = forall.interval("d", 0.0, 4.0)
    k = torch.exp(-(d**2) / 2)
    log = math.log(2 / delta)
    approx = torch.cos(draw.normal("w", D) * d[:, None]).mean(-1)
    return (approx - k).abs(), torch.sqrt((1 - k**2) ** 2 * log / D) + 4 * log / (3 * D)


@claim(
    "features/subtle-bernstein-first-term",
    high_probability("delta"),
    over=grid(D=[2], delta=[0.01]),
    expected="refuted",
    cite="Bernstein 1924",
)
def bernstein_first_term(forall, draw, *, D, delta):
    """k(d) - mean cos(w_i d) <= sqrt(2 V log(1/delta)/D), V = (1 - k(d)^2)^2/2."""
    d = forall.interval("d", 0.01, 4.0)
    k = torch.exp(-(d**2) / 2)
    approx = torch.cos(draw.normal("w", D) * d[:, None]).mean(-1)
    return k - approx, torch.sqrt((1 - k**2) ** 2 * math.log(1 / delta) / D)


@claim(
    "features/true-uniform",
    high_probability("delta"),
    over=grid(D=[40], delta=[0.1]),
    cite="Rahimi and Recht 2007, Claim 1, its proof",
)
def uniform(draw, within, *, D, delta):
    """sup_{|d| <= 1} |mean cos(w_i d) - k(d)| <= sqrt(2 log(2N/delta)/D) + (mean |w_i| + exp(-1/2))/(2N), N = 10."""
    N = 10
    w = draw.normal("w", D)
    d = within.interval("d", 0.0, 1.0)
    error = torch.cos(w * d[:, None]).mean(-1) - torch.exp(-(d**2) / 2)
    return error.abs(), math.sqrt(2 * math.log(2 * N / delta) / D) + (w.abs().mean(-1) + math.exp(-0.5)) / (2 * N)


@claim(
    "features/true-orthogonal-projection",
    expectation(range=(-1.0, 9.0), margin=0.02),
    over=grid(d=[6], m=[2, 3]),
    cite="Choromanski et al. 2017",
)
def orthogonal_projection(draw, *, d, m):
    """The squared error of (d/m) |Q_m x|^2 for unit x is 2 (d - m) / (m (d + 2)), on average (one direction)."""
    x = draw.sphere("x", d)
    return (d / m * (x[:, :m] ** 2).sum(-1) - 1) ** 2, 2 * (d - m) / (m * (d + 2))


@claim(
    "features/plain-orthogonal-projection",
    expectation(range=(-1.0, 9.0), margin=0.0),
    over=grid(d=[6], m=[2, 3]),
    expected="refuted",
    cite="Choromanski et al. 2017",
)
def orthogonal_projection_wrong(draw, *, d, m):
    """The squared error of (d/m) |Q_m x|^2 for unit x is at most (d - m) / (m d), on average."""
    x = draw.sphere("x", d)
    return (d / m * (x[:, :m] ** 2).sum(-1) - 1) ** 2, (d - m) / (m * d)


@claim(
    "features/true-positive-features", expectation(range=(-3.0, math.inf), margin=0.05), cite="Choromanski et al. 2021"
)
def positive_features(forall, draw):
    """E exp(w.x - |x|^2/2) exp(w.y - |y|^2/2) <= exp(x.y)."""
    x, y = forall.ball("x", 3, radius=0.7), forall.ball("y", 3, radius=0.7)
    w = draw.normal("w", 3)

    def phi(v):
        return torch.exp((w * v).sum(-1) - v.square().sum(-1) / 2)

    return phi(x) * phi(y), torch.exp((x * y).sum(-1))


@claim(
    "features/plain-positive-features",
    expectation(range=(-3.0, math.inf), margin=0.05),
    expected="refuted",
    cite="Choromanski et al. 2021",
)
def positive_features_unnormalised(forall, draw):
    """E exp(w.x - |x|^2/4) exp(w.y - |y|^2/4) <= exp(x.y)."""
    x, y = forall.ball("x", 3, radius=1.0), forall.ball("y", 3, radius=1.0)
    w = draw.normal("w", 3)
    phi = lambda v: torch.exp((w * v).sum(-1) - v.square().sum(-1) / 4)
    return phi(x) * phi(y), torch.exp((x * y).sum(-1))


@claim("features/true-hyperbolic-mse", always(), cite="Choromanski et al. 2021, Lemma 2")
def hyperbolic_mse(forall):
    """The hyperbolic positive features have at most half of the squared error of the plain ones."""
    x, y = forall.ball("x", 2), forall.ball("y", 2)
    s = (x + y).square().sum(-1)
    shrink = torch.exp(-x.square().sum(-1) - y.square().sum(-1))
    return shrink * ((torch.exp(2 * s) + 1) / 2 - torch.exp(s)), shrink * (torch.exp(2 * s) - torch.exp(s)) / 2


@claim("features/true-nystrom-psd", always(), cite="Williams and Seeger 2001")
def nystrom_psd(forall):
    """K minus its Nystroem approximation on two of four points is positive semi-definite."""
    x = forall.ball("x", 4, 2, radius=2.0)
    k = gaussian_gram(x, x)
    low = k[:, :, :2] @ torch.linalg.solve(k[:, :2, :2], k[:, :2, :])
    return -torch.linalg.eigvalsh(k - low)[:, 0], 0.0


@claim("features/true-eckart-young", always(), cite="Eckart and Young 1936")
def eckart_young(forall):
    """The error of a Nystroem approximation of rank one is at least the second eigenvalue."""
    k = forall.psd("K", 3, trace=1.0)
    forall.assume(k[:, 0, 0] > 0.01)
    low = k[:, :, :1] * k[:, :1, :] / k[:, :1, :1]
    return torch.linalg.eigvalsh(k)[:, -2], torch.linalg.eigvalsh(k - low)[:, -1]


@claim("features/plain-nystrom-optimal", always(), expected="refuted", cite="Eckart and Young 1936")
def nystrom_optimal(forall):
    """The error of a Nystroem approximation of rank one is at most the second eigenvalue."""
    k = forall.psd("K", 3, trace=1.0)
    forall.assume(k[:, 0, 0] > 0.01)
    low = k[:, :, :1] * k[:, :1, :] / k[:, :1, :1]
    return torch.linalg.eigvalsh(k - low)[:, -1], torch.linalg.eigvalsh(k)[:, -2]


@claim("features/true-leverage-upper", always(), over=grid(n=[3]), cite="Alaoui and Mahoney 2015")
def leverage_upper(forall, *, n):
    """The ridge leverage score of i is at most K_ii / (K_ii + lambda)."""
    k, lam = forall.psd("K", n, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    eye = torch.eye(n, dtype=torch.float64)
    scores = torch.diagonal(k @ torch.linalg.inv(k + lam[:, None, None] * eye), dim1=-2, dim2=-1)
    diagonal = torch.diagonal(k, dim1=-2, dim2=-1)
    return scores[:, 0], diagonal[:, 0] / (diagonal[:, 0] + lam)


@claim("features/plain-leverage-lower", always(), over=grid(n=[3]), expected="refuted", cite="Alaoui and Mahoney 2015")
def leverage_lower(forall, *, n):
    """The ridge leverage score of i is at least K_ii / (tr K / n + lambda)."""
    k, lam = forall.psd("K", n, trace=1.0), forall.interval("lambda", 0.01, 1.0)
    eye = torch.eye(n, dtype=torch.float64)
    scores = torch.diagonal(k @ torch.linalg.inv(k + lam[:, None, None] * eye), dim1=-2, dim2=-1)
    return k[:, 0, 0] / (1 / n + lam), scores[:, 0]


PROOFS = {
    "features/true-gaussian-gram": (
        "Bochner: exp(-|x|^2/2) is the characteristic function of the normal law, so all Gram matrices are psd."
    ),
    "features/true-cos-sin-variance": "cos^2 = (1 + cos 2)/2 gives (1 + k(2d))/2 - k(d)^2, and k(2d) = k(d)^4.",
    "features/true-bernstein": "Bernstein for |cos - k| <= 2, mean zero, variance V, both tails.",
    "features/true-uniform": (
        "Net of 10 points of spacing 0.1, Hoeffding with range 2 at each, and Lipschitz constant mean "
        "|w_i| + max |k'| with max |k'| = exp(-1/2)."
    ),
    "features/true-orthogonal-projection": (
        "The sum of m squared coordinates is Beta(m/2, (d-m)/2), with variance 2 m (d-m) / (d^2 (d+2))."
    ),
    "features/true-positive-features": "E exp(w.(x+y)) = exp(|x+y|^2/2) for normal w: equality.",
    "features/true-hyperbolic-mse": (
        "(e^2s + 1)/2 - e^s = (e^s - 1)^2/2 <= (e^2s - e^s)/2 = e^s (e^s - 1)/2, since e^s - 1 <= e^s."
    ),
    "features/true-nystrom-psd": ("A Schur complement of a psd matrix is psd; undefined where the landmarks coincide."),
    "features/true-eckart-young": (
        "K - L with L of rank one: lambda_max(K - L) >= lambda_2(K) by Weyl (K - L is symmetric, L psd of rank one)."
    ),
    "features/true-leverage-upper": "score = 1 - lambda (A^-1)_ii for A = K + lambda, and (A^-1)_ii >= 1/A_ii.",
}

WITNESSES = {
    "features/plain-phase-better": {
        "params": {"m": 1},
        "values": {"x": [1.0, 0.0], "y": [1.0, 0.0]},
        "mean": 0.25,
        "why": "x = y: pairs have no error, phases have Var cos(2wx + 2b)/2 = 1/4.",
    },
    "features/subtle-bernstein-first-term": {
        "params": {"D": 2, "delta": 0.01},
        "values": {"d": 0.01},
        "probability": 0.017687784475721505,
        "why": (
            "d = 0.01: (w1^2 + w2^2)/2 is exponential; the event has probability 0.0176 (simulated 10^6 times) > 0.01."
        ),
    },
    "features/plain-orthogonal-projection": {
        "params": {"d": 6, "m": 2},
        "values": {},
        "mean": 0.16666666666666666,
        "why": "Mean 2 (d-m)/(m (d+2)): 0.5 > 0.333 at m = 2, 0.25 > 0.167 at m = 3.",
    },
    "features/plain-positive-features": {
        "params": {},
        "values": {"x": [1.0, 0.0, 0.0], "y": [1.0, 0.0, 0.0]},
        "mean": 1.7634072418790194,
        "why": "x = y of norm 1: exp(2 - 1/2) = 4.48 > e.",
    },
    "features/plain-nystrom-optimal": {
        "params": {},
        "values": {"K": [[0.02, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.48]]},
        "why": "K = diag(0.02, 0.5, 0.48): error 0.5 > 0.48.",
    },
    "features/plain-leverage-lower": {
        "params": {"n": 3},
        "values": {"K": [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "lambda": 1.0},
        "why": "K = diag(1, 0, 0), lambda = 1: 1/(4/3) = 0.75 > 0.5.",
    },
}
