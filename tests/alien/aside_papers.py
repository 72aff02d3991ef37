"""Alien claims, aside: kernels, learning theory, deviations from papers; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


@claim(
    "papers/true-rff-gram-rate",
    rate("D", -0.5, at="exactly"),
    over=grid(D=[16, 32, 64, 128, 256, 512]),
    cite="Rahimi and Recht 2007",
)
def rff_gram_rate(draw, *, D):
    """E max_ij |K_ij - RFF_ij| is exactly of order D^(-1/2) for the points 0, 1, 2.5."""
    w = draw.normal("w", D)
    gaps = [1.0, 1.5, 2.5]
    errors = [(torch.cos(w * g).mean(-1) - math.exp(-g * g / 2)).abs() for g in gaps]
    return torch.stack(errors, -1).amax(-1)


@claim("papers/true-leverage-monotone", always(), cite="Alaoui and Mahoney 2015; Musco and Musco 2017")
def leverage_monotone(forall):
    """l_i(lam) <= (mu / lam) l_i(mu) for ridge leverage scores and lam <= mu."""
    k = forall.psd("K", 3, trace=1.0)
    lam, mu = forall.interval("lam", 0.001, 1.0), forall.interval("mu", 0.001, 1.0)
    forall.assume(lam <= mu)
    eye = torch.eye(3, dtype=k.dtype, device=k.device)
    low = torch.linalg.solve(k + lam[:, None, None] * eye, k)[:, 0, 0]
    high = torch.linalg.solve(k + mu[:, None, None] * eye, k)[:, 0, 0]
    return low, mu / lam * high


def kl(q, p):
    return torch.xlogy(q, q / p) + torch.xlogy(1 - q, (1 - q) / (1 - p))


@claim("papers/true-refined-pinsker", always(), cite="Tolstikhin and Seldin 2013, (3)")
def refined_pinsker(forall):
    """p <= q + sqrt(2 q kl(q, p)) + 2 kl(q, p)."""
    q, p = forall.interval("q", 0.0, 1.0), forall.interval("p", 0.0, 1.0)
    e = kl(q, p)
    return p, q + torch.sqrt(2 * q * e) + 2 * e


@claim(
    "papers/true-online-to-batch",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.05, 0.2]),
    cite="Cesa-Bianchi, Conconi and Gentile 2004, Proposition 1",
)
def online_to_batch(forall, draw, *, n, delta):
    """Mean risk of the majority predictors <= mean online loss + sqrt(log(1/delta) / (2 n))."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    seen = torch.cumsum(x, -1) - x
    t = torch.arange(n, dtype=x.dtype, device=x.device)
    h = (2 * seen > t).double()
    risk = torch.where(h > 0, 1 - p[:, None], p[:, None])
    return risk.mean(-1), (h != x).double().mean(-1) + math.sqrt(math.log(1 / delta) / (2 * n))


@claim("papers/true-hsic-three-sums", identity(), cite="Gretton et al. 2005, Lemma 1")
def hsic_three_sums(forall):
    """tr(K H L H)/n^2 = sum K L/n^2 + sum K sum L/n^4 - 2 sum_ijq K_ij L_iq/n^3 for Gaussian kernels on points."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    n = 4
    k = torch.exp(-((x[:, :, None] - x[:, None, :]) ** 2))
    l = torch.exp(-((y[:, :, None] - y[:, None, :]) ** 2))  # noqa: E741
    h = torch.eye(n, dtype=k.dtype, device=k.device) - 1 / n
    left = (k @ h @ l @ h).diagonal(dim1=-2, dim2=-1).sum(-1) / n**2
    right = (k * l).sum((1, 2)) / n**2 + k.sum((1, 2)) * l.sum((1, 2)) / n**4
    return left, right - 2 * (k.sum(-1) * l.sum(-1)).sum(-1) / n**3


@claim("papers/true-kernel-pca-optimism", expectation(range=(-1.0, 1.0)), cite="Shawe-Taylor et al. 2005, section III")
def kernel_pca_optimism(forall, draw):
    """lambda_max(C) <= E lambda_max(C_n) for n = 3 draws from three atoms of the disc."""
    p, x = forall.simplex("p", 3), forall.ball("x", 3, 2)
    counts = draw.multinomial("counts", 3, p)
    outer = x[:, :, :, None] * x[:, :, None, :]
    c = (p[:, :, None, None] * outer).sum(1)
    c_n = (counts[:, :, None, None] / 3 * outer).sum(1)
    return torch.linalg.eigvalsh(c)[:, -1], torch.linalg.eigvalsh(c_n)[:, -1]


@claim("papers/plain-nystrom-error", always(), expected="refuted", cite="Bach 2013")
def nystrom_error(forall):
    """lambda_max(K - K_S (K_SS + g I)^-1 K_S') <= g for the first two of four columns."""
    k, g = forall.psd("K", 4, trace=1.0), forall.interval("g", 0.01, 1.0)
    c, w = k[:, :, :2], k[:, :2, :2]
    eye = torch.eye(2, dtype=k.dtype, device=k.device)
    approx = c @ torch.linalg.solve(w + g[:, None, None] * eye, c.mT)
    return torch.linalg.eigvalsh(k - approx)[:, -1], g


@claim(
    "papers/plain-refined-pinsker-both-sides",
    always(),
    expected="refuted",
    cite="Tolstikhin and Seldin 2013, without p > q",
)
def refined_pinsker_both_sides(forall):
    """(p - q)^2 / (2 p) <= kl(q, p) for all p and q."""
    q, p = forall.interval("q", 0.0, 1.0), forall.interval("p", 0.01, 0.99)
    return (p - q) ** 2 / (2 * p), kl(q, p)


@claim(
    "papers/true-min-norm-bias",
    expectation(range=(-1.0, 1.0), margin=0.02),
    over=grid(n=[3], d=[6]),
    cite="Hastie et al. 2022",
)
def min_norm_bias(forall, draw, *, n, d):
    """E |t - min-norm interpolant|^2 <= (1 - n/d) |t|^2 (+ margin), with equality."""
    t = forall.sphere("t", d)
    x = draw.normal("X", n, d)
    y = x @ t[:, :, None]
    estimate = (x.mT @ torch.linalg.solve(x @ x.mT, y))[:, :, 0]
    return (t - estimate).square().sum(-1), 1 - n / d


@claim(
    "papers/true-relative-deviation",
    high_probability("delta"),
    over=grid(n=[30], delta=[0.1]),
    cite="Cortes, Greenberg and Mohri 2019, Theorem 1",
)
def relative_deviation(draw, within, *, n, delta):
    """(R - R_n)/sqrt(R) <= 2 sqrt(log(4 (2 n + 1)/delta)/n) for all intervals [0, t] under the uniform law."""
    x = draw.uniform("x", n)
    t = within.interval("t", 0.0, 1.0)
    return (t - (x <= t[:, None]).double().mean(-1)) / torch.sqrt(t), 2 * math.sqrt(
        math.log(4 * (2 * n + 1) / delta) / n
    )


@claim("papers/true-sgd-nonexpansive", always(), cite="Hardt, Recht and Singer 2016, Lemma 3.7")
def sgd_nonexpansive(forall):
    """|(u - eta A u) - (v - eta A v)| <= |u - v| for eta <= 2/beta, beta = lambda_max(A)."""
    a, u, v = forall.psd("A", 3, trace=1.0), forall.ball("u", 3), forall.ball("v", 3)
    eta = forall.interval("eta", 0.0, 2.0)

    def step(w):
        return w - eta[:, None] * (a @ w[:, :, None])[:, :, 0]

    return (step(u) - step(v)).norm(dim=-1), (u - v).norm(dim=-1)


@claim("papers/true-kearns-saul", always(), cite="Kearns and Saul 1998")
def kearns_saul(forall):
    """log E exp(s (X - p)) <= s^2 (1 - 2 p) / (4 log((1 - p) / p)) for a coin of bias p."""
    p, s = forall.interval("p", 0.0, 1.0), forall.interval("s", -10.0, 10.0)
    return torch.log(1 - p + p * torch.exp(s)) - s * p, s**2 * (1 - 2 * p) / (4 * torch.log((1 - p) / p))


@claim("papers/true-arccos-psd", always(), cite="Cho and Saul 2009")
def arccos_psd(forall):
    """0 <= lambda_min of the Gram matrix 1 - theta/pi of four unit vectors (degree 0)."""
    x = forall.sphere("x", 4, 3)
    theta = torch.acos((x @ x.mT).clamp(-1.0, 1.0))
    return 0.0, torch.linalg.eigvalsh(1 - theta / math.pi)[:, 0]


@claim(
    "papers/subtle-ridge-variance",
    always(),
    expected="refuted",
    cite="Bach, Learning theory from first principles, with 4.1 for 4",
)
def ridge_variance(forall):
    """tr(S^2 (S + lam)^-2) <= tr S / (4.1 lam)."""
    s, lam = forall.psd("S", 6, trace=1.0), forall.interval("lam", 0.01, 1.0)
    eye = torch.eye(6, dtype=s.dtype, device=s.device)
    m = torch.linalg.solve(s + lam[:, None, None] * eye, s)
    return (m * m.mT).sum((1, 2)), s.diagonal(dim1=-2, dim2=-1).sum(-1) / (4.1 * lam)


@claim(
    "papers/plain-rff-rate",
    rate("D", -1.0),
    over=grid(D=[16, 32, 64, 128, 256, 512]),
    expected="refuted",
    cite="Rahimi and Recht 2007",
)
def rff_rate(draw, *, D):
    """E |k - k_D| is of order 1/D."""
    return (torch.cos(draw.normal("w", D)).mean(-1) - math.exp(-0.5)).abs()


def mmd_and_tv(forall, radius):
    p, q, x = forall.simplex("p", 4), forall.simplex("q", 4), forall.ball("x", 4, 2, radius=radius)
    k = torch.exp(-((x[:, :, None, :] - x[:, None, :, :]) ** 2).sum(-1) / 2)
    d = p - q
    return torch.sqrt((d[:, :, None] * k * d[:, None, :]).sum((1, 2))), d.abs().sum(-1) / 2


@claim("papers/subtle-mmd-tv-constant", always(), expected="refuted", cite="Gretton et al. 2012, with 1.4 for sqrt 2")
def mmd_tv_constant(forall):
    """MMD <= 1.4 TV for the Gaussian kernel."""
    mmd, tv = mmd_and_tv(forall, 3.0)
    return mmd, 1.4 * tv


PROOFS = {
    "papers/true-rff-gram-rate": (
        "E|sum of D iid centred bounded variables|/D ~ sqrt(2 var/(pi D)) for each entry (CLT); max of 3 entries "
        "likewise."
    ),
    "papers/true-leverage-monotone": (
        "s/(s+mu) <= s/(s+lam) <= (mu/lam) s/(s+mu) for 0 < lam <= mu, as quadratic forms (Alaoui, Mahoney 2015; "
        "Musco, Musco 2017)."
    ),
    "papers/true-refined-pinsker": (
        "for p > q, kl(q,p) >= (p-q)^2/(2p), so with e = kl: p <= q + sqrt(2 p e); solving the quadratic gives p "
        "<= q + sqrt(2qe) + 2e (Tolstikhin, Seldin 2013, (3)); p <= q is trivial."
    ),
    "papers/true-online-to-batch": (
        "risk(h_{t-1}) - loss_t are martingale differences of conditional range 1: Hoeffding-Azuma (Cesa-Bianchi, "
        "Conconi, Gentile 2004, Proposition 1, with the constant for losses in [0,1])."
    ),
    "papers/true-hsic-three-sums": (
        "expand tr(KHLH) with H = I - 11'/n (Gretton et al. 2005, Lemma 1, and 2008, (4))."
    ),
    "papers/true-kernel-pca-optimism": ("lambda_max is convex: Jensen (Shawe-Taylor et al. 2005, section III)."),
    "papers/true-min-norm-bias": (
        "the row space of a Gaussian matrix is a uniform n-dimensional subspace, so E|(I-P)t|^2 = (1 - n/d)|t|^2 "
        "(Hastie et al. 2022)."
    ),
    "papers/true-relative-deviation": (
        "Vapnik; Cortes, Greenberg, Mohri 2019, Theorem 1: 4 E S(2n) exp(-n e^2/4), growth 2n + 1 for thresholds."
    ),
    "papers/true-sgd-nonexpansive": (
        "eigenvalues of I - eta A lie in [-1, 1] for 0 <= A <= I, eta <= 2 (Hardt, Recht, Singer 2016, Lemma 3.7)."
    ),
    "papers/true-kearns-saul": (
        "Kearns, Saul 1998; Berend, Kontorovich 2013: log E exp(s(X-p)) <= s^2 (1-2p)/(4 log((1-p)/p))."
    ),
    "papers/true-arccos-psd": (
        "arc-cosine kernels are E over Gaussian w of products of step features (Cho, Saul 2009), hence positive "
        "semi-definite."
    ),
}

WITNESSES = {
    "papers/plain-nystrom-error": {
        "params": {},
        "values": {"K": [[0.25 * (i == j) for j in range(4)] for i in range(4)], "g": 0.01},
        "why": "K - L has the eigenvalue 1/4 > 0.01.",
    },
    "papers/plain-refined-pinsker-both-sides": {
        "params": {},
        "values": {"q": 1.0, "p": 0.1},
        "why": "(p - q)^2 / (2 p) = 4.05 > log 10 = 2.30.",
    },
    "papers/subtle-ridge-variance": {
        "params": {},
        "values": {"S": [[(i == j) / 6 for j in range(6)] for i in range(6)], "lam": 1 / 6},
        "why": "S = I / 6: tr = 6/4 = 1.5 > 6 / 4.1 = 1.463.",
    },
    "papers/plain-rff-rate": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "the exact rate is D^(-1/2) by the central limit theorem.",
    },
    "papers/subtle-mmd-tv-constant": {
        "params": {},
        "values": {
            "p": [1.0, 0.0, 0.0, 0.0],
            "q": [0.0, 1.0, 0.0, 0.0],
            "x": [[3.0, 0.0], [-3.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
        },
        "why": "MMD = sqrt(2 - 2 exp(-18)) = 1.41421 > 1.4.",
    },
}
