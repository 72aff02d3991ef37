"""Alien claims, known: kernels, features, leverage, PAC-Bayes and online learning from papers; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, up_to_constant


@claim(
    "papers/true-phase-feature-variance",
    expectation(range=(-4.0, 9.0), margin=0.02),
    cite="Sutherland and Schneider 2015, (5)",
)
def phase_feature_variance(forall, draw):
    """E (2 cos(wx + b) cos(wy + b) - k)^2 <= 1 + k(2D)/2 - k(D)^2 for the Gaussian kernel."""
    x, y = forall.interval("x", -2.0, 2.0), forall.interval("y", -2.0, 2.0)
    w, b = draw.normal("w"), draw.uniform("b", low=0.0, high=2 * math.pi)
    k = torch.exp(-((x - y) ** 2) / 2)
    feature = 2 * torch.cos(w * x + b) * torch.cos(w * y + b)
    return (feature - k) ** 2, 1 + torch.exp(-2 * (x - y) ** 2) / 2 - k**2


@claim("papers/true-paired-features-better", always(), cite="Sutherland and Schneider 2015")
def paired_features_better(forall):
    """1 + k(2D) - 2 k(D)^2 <= 1 + k(2D)/2 - k(D)^2 for the Gaussian kernel (Sutherland, Schneider 2015)."""
    d = forall.interval("D", 0.0, 10.0)
    k, k2 = torch.exp(-(d**2) / 2), torch.exp(-2 * d**2)
    return 1 + k2 - 2 * k**2, 1 + k2 / 2 - k**2


@claim(
    "papers/true-effective-dimension",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024, 4096]),
    cite="Caponnetto and De Vito 2007",
)
def effective_dimension(forall, *, n):
    """N(1/n) <= C n^(1/s) for eigenvalues i^(-s), i = 1..10000."""
    s = forall.interval("s", 1.5, 4.0)
    i = torch.arange(1, 10001, dtype=torch.float64, device=s.device)
    mu = i ** (-s[:, None])
    return (mu / (mu + 1 / n)).sum(-1), n ** (1 / s)


@claim("papers/true-nystrom-regularised", always(), cite="Bach 2013, section 4")
def nystrom_regularised(forall):
    """lambda_max(K_S (K_SS + g I)^-1 K_S' - K) <= 0 for the first two columns."""
    k, g = forall.psd("K", 4, trace=1.0), forall.interval("g", 0.0, 1.0)
    c, w = k[:, :, :2], k[:, :2, :2]
    eye = torch.eye(2, dtype=k.dtype, device=k.device)
    approx = c @ torch.linalg.solve(w + g[:, None, None] * eye, c.mT)
    return torch.linalg.eigvalsh(approx - k)[:, -1], 0.0


@claim("papers/true-leverage-sum", identity(), cite="Alaoui and Mahoney 2015, Definition 1")
def leverage_sum(forall):
    """sum_i l_i(lam) = sum_i s_i / (s_i + lam)."""
    k, lam = forall.psd("K", 4, trace=1.0), forall.interval("lam", 0.001, 1.0)
    eye = torch.eye(4, dtype=k.dtype, device=k.device)
    scores = torch.linalg.solve(k + lam[:, None, None] * eye, k).diagonal(dim1=-2, dim2=-1)
    s = torch.linalg.eigvalsh(k)
    return scores.sum(-1), (s / (s + lam[:, None])).sum(-1)


@claim("papers/true-maurer-sum", always(), over=grid(n=[8, 40, 200]), cite="Maurer 2004, Theorem 1")
def maurer_sum(*, n):
    """sum_k C(n, k) (k/n)^k (1 - k/n)^(n - k) <= 2 sqrt(n)."""
    total = sum(math.comb(n, k) * (k / n) ** k * (1 - k / n) ** (n - k) for k in range(n + 1))
    return total, 2 * math.sqrt(n)


def kl(q, p):
    return torch.xlogy(q, q / p) + torch.xlogy(1 - q, (1 - q) / (1 - p))


@claim("papers/true-catoni-kl", always(), cite="Germain et al. 2009, Proposition 2.1")
def catoni_kl(forall):
    """-log(1 - p (1 - exp(-C))) - C q <= kl(q, p)."""
    q, p = forall.interval("q", 0.0, 1.0), forall.interval("p", 0.0, 1.0)
    c = forall.interval("C", 0.0, 5.0)
    return -torch.log(1 - p * (1 - torch.exp(-c))) - c * q, kl(q, p)


@claim("papers/true-xu-raginsky", always(), cite="Xu and Raginsky 2017, Theorem 1")
def xu_raginsky(forall):
    """|E_joint loss - E_product loss| <= sqrt(I(S; W) / 2) for losses in [0, 1]."""
    p = forall.simplex("joint", 9).reshape(-1, 3, 3)
    loss = forall.interval("loss", 0.0, 1.0, 3, 3)
    product = p.sum(1, keepdim=True) * p.sum(2, keepdim=True)
    information = torch.where(p > 0, p * torch.log(p / product), 0.0).sum((1, 2))
    return ((p - product) * loss).sum((1, 2)).abs(), torch.sqrt(information / 2)


@claim("papers/true-adaboost", always(), cite="Freund and Schapire 1997, Theorem 6")
def adaboost(forall):
    """Training error of AdaBoost <= prod_t 2 sqrt(e_t (1 - e_t))."""
    y, h = forall.signs("y", 6), forall.signs("h", 3, 6)
    w = torch.full_like(y, 1 / 6)
    f, bound = torch.zeros_like(y), torch.ones_like(y[:, 0])
    for t in range(3):
        e = (w * (h[:, t] != y)).sum(-1)
        a = 0.5 * torch.log((1 - e) / e)
        w = w * torch.exp(-a[:, None] * y * h[:, t])
        w = w / w.sum(-1, keepdim=True)
        f = f + a[:, None] * h[:, t]
        bound = bound * 2 * torch.sqrt(e * (1 - e))
    return (y * f <= 0).double().mean(-1), bound


@claim("papers/true-centred-alignment", identity(), cite="Cortes, Mohri and Rostamizadeh 2012, Lemma 1")
def centred_alignment(forall):
    """<Kc, Lc> = <Kc, L>."""
    k, l = forall.psd("K", 3, trace=1.0), forall.psd("L", 3, trace=1.0)  # noqa: E741
    h = torch.eye(3, dtype=k.dtype, device=k.device) - 1 / 3
    kc, lc = h @ k @ h, h @ l @ h
    return (kc * lc).sum((1, 2)), (kc * l).sum((1, 2))


def centred_distances(x):
    a = (x[:, :, None] - x[:, None, :]).abs()
    return a - a.mean(1, keepdim=True) - a.mean(2, keepdim=True) + a.mean((1, 2), keepdim=True)


@claim("papers/true-dcov-cauchy-schwarz", always(), cite="Szekely, Rizzo and Bakirov 2007, Theorem 3")
def dcov_cauchy_schwarz(forall):
    """dCov^2(x, y) <= dVar(x) dVar(y), the roots of the mean products of centred distances."""
    x, y = forall.interval("x", -1.0, 1.0, 5), forall.interval("y", -1.0, 1.0, 5)
    a, b = centred_distances(x), centred_distances(y)
    return (a * b).mean((1, 2)), torch.sqrt((a * a).mean((1, 2)) * (b * b).mean((1, 2)))


@claim(
    "papers/true-mmd-null",
    high_probability("delta"),
    over=grid(m=[5, 8], delta=[0.05, 0.3]),
    cite="Gretton et al. 2012, Corollary 9",
)
def mmd_null(forall, draw, *, m, delta):
    """MMD_b <= sqrt(2/m) (1 + sqrt(2 log(1/delta))) for two samples of one law, kernel 1[x = y]."""
    p = forall.simplex("p", 3)
    a, b = draw.multinomial("a", m, p), draw.multinomial("b", m, p)
    return torch.sqrt(((a - b) ** 2).sum(-1)) / m, math.sqrt(2 / m) * (1 + math.sqrt(2 * math.log(1 / delta)))


@claim(
    "papers/plain-phase-variance",
    expectation(range=(-4.0, 9.0)),
    expected="refuted",
    cite="Sutherland and Schneider 2015, the variance of the other features",
)
def phase_variance(forall, draw):
    """E (2 cos(wx + b) cos(wy + b) - k)^2 <= (1 - k^2)^2 / 2 (the variance of paired features)."""
    x, y = forall.interval("x", -2.0, 2.0), forall.interval("y", -2.0, 2.0)
    w, b = draw.normal("w"), draw.uniform("b", low=0.0, high=2 * math.pi)
    k = torch.exp(-((x - y) ** 2) / 2)
    return (2 * torch.cos(w * x + b) * torch.cos(w * y + b) - k) ** 2, (1 - k**2) ** 2 / 2


@claim("papers/subtle-ntk-lipschitz", always(), expected="refuted", cite="Jacot, Gabriel and Hongler 2018")
def ntk_lipschitz(forall):
    """|Phi(x) - Phi(y)|^2 <= 400 |x - y|^2 for the NTK u k0(u) + k1(u) of a two-layer ReLU network."""
    x, y = forall.sphere("x", 2), forall.sphere("y", 2)
    u = (x * y).sum(-1).clamp(-1.0, 1.0)
    theta = torch.acos(u)
    k0 = (math.pi - theta) / math.pi
    k1 = (u * (math.pi - theta) + torch.sqrt(1 - u**2)) / math.pi
    return 2 * 2 - 2 * (u * k0 + k1), 400 * ((x - y) ** 2).sum(-1)


@claim(
    "papers/subtle-kl-two-sided",
    high_probability("delta"),
    over=grid(n=[15], delta=[0.05]),
    expected="refuted",
    cite="Langford 2005, with a forgotten 2",
)
def kl_two_sided(forall, draw, *, n, delta):
    """kl(mean, p) <= log(1/delta) / n with probability 1 - delta, on both sides."""
    p = forall.interval("p", 0.01, 0.99)
    return kl(draw.bernoulli("x", p, n).mean(-1), p), math.log(1 / delta) / n


@claim(
    "papers/subtle-refined-pinsker-constant",
    always(),
    expected="refuted",
    cite="Tolstikhin and Seldin 2013, with 0.6 for 2",
)
def refined_pinsker_constant(forall):
    """p <= q + sqrt(2 q kl(q, p)) + 0.6 kl(q, p)."""
    q, p = forall.interval("q", 0.0, 0.5), forall.interval("p", 0.0, 1.0)
    e = kl(q, p)
    return p, q + torch.sqrt(2 * q * e) + 0.6 * e


@claim(
    "papers/subtle-xu-raginsky-constant", always(), expected="refuted", cite="Xu and Raginsky 2017, with 0.49 for 1/2"
)
def xu_raginsky_constant(forall):
    """|E_joint loss - E_product loss| <= sqrt(0.49 I(S; W)) for losses in [0, 1]."""
    p = forall.simplex("joint", 9).reshape(-1, 3, 3)
    loss = forall.interval("loss", 0.0, 1.0, 3, 3)
    product = p.sum(1, keepdim=True) * p.sum(2, keepdim=True)
    information = torch.where(p > 0, p * torch.log(p / product), 0.0).sum((1, 2))
    return ((p - product) * loss).sum((1, 2)).abs(), torch.sqrt(0.49 * information)


PROOFS = {
    "papers/true-phase-feature-variance": (
        "E 4cos^2(wx+b)cos^2(wy+b) = 1 + E cos(2 w D)/2 (+ phases that average to 0), so Var = 1 + k(2D)/2 - "
        "k(D)^2 (Sutherland and Schneider 2015, (5)); equality, margin .02."
    ),
    "papers/true-paired-features-better": ("k(2D) = k^4 <= 2 k^2 for k in (0,1], so 1+k^4-2k^2 <= 1+k^4/2-k^2."),
    "papers/true-effective-dimension": (
        "sum_i 1/(1 + lam i^s) <= int_0^inf dx/(1 + lam x^s) = lam^(-1/s) (pi/s)/sin(pi/s) (Caponnetto, De Vito "
        "2007), bounded for s in [1.5, 4]."
    ),
    "papers/true-nystrom-regularised": (
        "K^(1/2)[K^(1/2)S(S'KS+gI)^(-1)S'K^(1/2)]K^(1/2) with the bracket A(A'A+gI)^(-1)A' <= I (Bach 2013, section 4)."
    ),
    "papers/true-leverage-sum": (
        "trace of K(K+lam)^-1 is the sum of its eigenvalues (Alaoui, Mahoney 2015, Definition 1)."
    ),
    "papers/true-maurer-sum": (
        "Maurer 2004, Theorem 1: sqrt(n) <= sum_k C(n,k)(k/n)^k(1-k/n)^(n-k) <= 2 sqrt(n), n >= 8; computed "
        "exactly in fractions."
    ),
    "papers/true-catoni-kl": (
        "Donsker-Varadhan for two points with the function -C x: kl(q,p) >= -Cq - log(1 - p + p e^-C) (Germain et "
        "al. 2009, Proposition 2.1)."
    ),
    "papers/true-xu-raginsky": ("Xu, Raginsky 2017, Theorem 1, n = 1, losses in [0,1] are 1/2-sub-Gaussian."),
    "papers/true-adaboost": ("1[yF <= 0] <= exp(-yF) and mean exp(-yF) = prod Z_t (Freund, Schapire 1997, Theorem 6)."),
    "papers/true-centred-alignment": (
        "H is a projection: tr(HKH HLH) = tr(HKH L) (Cortes, Mohri, Rostamizadeh 2012, Lemma 1)."
    ),
    "papers/true-dcov-cauchy-schwarz": (
        "Cauchy-Schwarz for the doubly centred matrices (Szekely, Rizzo, Bakirov 2007, Theorem 3)."
    ),
    "papers/true-mmd-null": (
        "Gretton et al. 2012, Corollary 9, K = 1: McDiarmid for the biased statistic, E MMD_b <= sqrt(2/m)."
    ),
}

WITNESSES = {
    "papers/plain-phase-variance": {
        "params": {},
        "values": {"x": 2.0, "y": -2.0},
        "mean": 0.5,
        "why": "k = exp(-8): E (feature - k)^2 = 1 + k^4 / 2 - k^2 > (1 - k^2)^2 / 2 by one half.",
    },
    "papers/subtle-ntk-lipschitz": {
        "params": {},
        "values": {"x": [1.0, 0.0], "y": [math.cos(1e-4), math.sin(1e-4)]},
        "why": "at the angle 1e-4: 2 theta / pi + O(theta^2) = 6.4e-5 > 400 theta^2 = 4e-6.",
    },
    "papers/subtle-kl-two-sided": {
        "params": {"n": 15, "delta": 0.05},
        "values": {"p": 0.182},
        "probability": 0.05993271228281864,
        "why": "the sum of the binomial weights with kl > log(20) / 15 is 0.0599 > 0.05.",
    },
    "papers/subtle-refined-pinsker-constant": {
        "params": {},
        "values": {"q": 0.001, "p": 0.003},
        "why": "p - q - sqrt(2 q e) - 0.6 e = 1.1e-4 > 0 for e = kl(q, p).",
    },
    "papers/subtle-xu-raginsky-constant": {
        "params": {},
        "values": {
            "joint": [0.26, 0.24, 0.0, 0.24, 0.26, 0.0, 0.0, 0.0, 0.0],
            "loss": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
        },
        "why": "the gap is 0.02 > sqrt(0.49 I) = 0.0198.",
    },
}
