"""Alien claims, known: ridge, margins, compression, stability, deviations from papers; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    grid,
    high_probability,
    identity,
    reproduction,
    tail,
    up_to_constant,
)


def ridge_error(forall):
    x, theta = forall.ball("X", 4, 2), forall.ball("theta", 2)
    lam = forall.interval("lam", 0.01, 1.0)
    n = 4
    eye = torch.eye(2, dtype=x.dtype, device=x.device)
    s = x.mT @ x / n
    r = torch.linalg.inv(s + lam[:, None, None] * eye)
    noise = every.signs(n, like=x)
    y = (x @ theta[:, :, None])[:, :, 0] + noise[:, None, :]
    estimate = torch.einsum("bij,bkj,obk->obi", r, x, y) / n
    error = torch.einsum("bki,obi->obk", x, estimate - theta)
    return error.square().sum(-1).mean(0) / n, s, r, theta, lam, n


@claim(
    "papers/true-ridge-bias-variance", identity(), cite="Bach, Learning theory from first principles, Proposition 3.7"
)
def ridge_bias_variance(forall):
    """E |X t_lam - X t|^2 / n = lam^2 t'(S + lam)^-2 S t + tr(S^2 (S + lam)^-2) / n."""
    error, s, r, theta, lam, n = ridge_error(forall)
    bias = lam**2 * torch.einsum("bi,bij,bjk,bkl,bl->b", theta, r, s, r, theta)
    return error, bias + torch.einsum("bij,bjk,bkl,bli->b", s, r, s, r) / n


@claim("papers/true-ridge-bias-bound", always(), cite="Bach, Learning theory from first principles")
def ridge_bias_bound(forall):
    """lam^2 t'(S + lam)^-2 S t <= lam |t|^2 / 4."""
    s, theta, lam = forall.psd("S", 3, trace=1.0), forall.ball("theta", 3), forall.interval("lam", 0.01, 1.0)
    eye = torch.eye(3, dtype=s.dtype, device=s.device)
    r = torch.linalg.inv(s + lam[:, None, None] * eye)
    v = r @ theta[:, :, None]
    return lam**2 * (v.mT @ s @ v)[:, 0, 0], lam * theta.square().sum(-1) / 4


def mmd_and_tv(forall, radius):
    p, q, x = forall.simplex("p", 4), forall.simplex("q", 4), forall.ball("x", 4, 2, radius=radius)
    k = torch.exp(-((x[:, :, None, :] - x[:, None, :, :]) ** 2).sum(-1) / 2)
    d = p - q
    return torch.sqrt((d[:, :, None] * k * d[:, None, :]).sum((1, 2))), d.abs().sum(-1) / 2


@claim("papers/true-mmd-tv", always(), cite="Gretton et al. 2012")
def mmd_tv(forall):
    """MMD(P, Q) <= sqrt(2) TV(P, Q) for the Gaussian kernel."""
    mmd, tv = mmd_and_tv(forall, 3.0)
    return mmd, math.sqrt(2) * tv


@claim("papers/true-sauer", always(), over=grid(n=[10, 40], d=[1, 3, 10]), cite="Sauer 1972")
def sauer(*, n, d):
    """sum_{i <= d} C(n, i) <= (e n / d)^d."""
    return sum(math.comb(n, i) for i in range(d + 1)), (math.e * n / d) ** d


@claim(
    "papers/true-interval-compression",
    high_probability("delta"),
    over=grid(n=[20, 60], delta=[0.05]),
    cite="Floyd and Warmuth 1995",
)
def interval_compression(forall, draw, *, n, delta):
    """Risk of the tightest interval <= (log C(n, 2) + log(1/delta)) / (n - 2)."""
    a, b = forall.interval("a", 0.0, 1.0), forall.interval("b", 0.0, 1.0)
    forall.assume(a <= b)
    x = draw.uniform("x", n)
    inside = (x >= a[:, None]) & (x <= b[:, None])
    low = torch.where(inside, x, math.inf).amin(-1)
    high = torch.where(inside, x, -math.inf).amax(-1)
    covered = torch.where(inside.any(-1), high - low, 0.0)
    return b - a - covered, (math.log(math.comb(n, 2)) + math.log(1 / delta)) / (n - 2)


def perceptron(forall):
    x, y, u = forall.ball("x", 6, 2), forall.signs("y", 6), forall.sphere("u", 2)
    margin = (y * (x * u[:, None, :]).sum(-1)).amin(-1)
    forall.assume(margin > 0.05)
    w, mistakes = torch.zeros_like(u), torch.zeros_like(margin)
    for _ in range(2):
        for i in range(6):
            wrong = (y[:, i] * (w * x[:, i]).sum(-1) <= 0).double()
            w = w + (wrong * y[:, i])[:, None] * x[:, i]
            mistakes = mistakes + wrong
    return mistakes, margin, x.norm(dim=-1).amax(-1)


@claim("papers/true-perceptron", always(), cite="Novikoff 1962")
def novikoff(forall):
    """M gamma^2 <= R^2 for the mistakes M in two passes."""
    mistakes, margin, radius = perceptron(forall)
    return mistakes * margin**2, radius**2


@claim("papers/true-vector-contraction", always(), cite="Maurer 2016, Corollary 1")
def vector_contraction(forall):
    """E sup_f sum e_i |f(x_i)| <= sqrt(2) E sup_f sum e_ik f_k(x_i), three functions, two points, two outputs."""
    f = forall.ball("f", 3, 2, 2)
    e, ee = every.signs(2, like=f), every.signs(4, like=f)
    left = torch.einsum("oi,bfi->obf", e, f.norm(dim=-1)).amax(-1).mean(0)
    right = torch.einsum("oj,bfj->obf", ee, f.reshape(-1, 3, 4)).amax(-1).mean(0)
    return left, math.sqrt(2) * right


def kl(q, p):
    return torch.xlogy(q, q / p) + torch.xlogy(1 - q, (1 - q) / (1 - p))


@claim("papers/true-kl-tail", tail(), over=grid(n=[10]), cite="Hoeffding 1963, (2.1); Langford 2005")
def kl_tail(forall, draw, *, n):
    """P(mean <= p and kl(mean, p) >= t) <= exp(-n t)."""
    p, t = forall.interval("p", 0.0, 1.0), forall.interval("t", 0.01, 1.0)
    q = draw.bernoulli("x", p, n).mean(-1)
    return (q <= p) & (kl(q, p) >= t), torch.exp(-n * t)


@claim(
    "papers/true-double-descent-table",
    reproduction(tolerance=0.01),
    cite="Hastie et al. 2022, isotropic ridgeless variance",
)
def double_descent_table(draw):
    """Variance of ridgeless regression, mean of 400 designs a replicate: 0.36 at (5, 20) and 1.11 at (10, 20)."""
    rows = []
    for n, printed in ((5, 0.36), (10, 1.11)):
        x = draw.normal(f"X{n}", 400, n, 20)
        variance = torch.linalg.inv(x @ x.mT).diagonal(dim1=-2, dim2=-1).sum(-1).mean(-1)
        rows.append(Row(f"n={n}", Estimate.mean(variance), printed=printed))
    return rows


@claim(
    "papers/true-pac-bayes-lambda",
    high_probability("delta"),
    over=grid(n=[10], delta=[0.1]),
    cite="Thiemann et al. 2017, Theorem 3",
)
def pac_bayes_lambda(forall, draw, within, *, n, delta):
    """Q risk <= Q emp/(1 - l/2) + (KL + log(2 sqrt(n)/delta))/(n l (1 - l/2)) for all Q and l in (0, 2)."""
    risk = forall.interval("risk", 0.0, 1.0, 3)
    emp = draw.bernoulli("losses", risk, 3, n).mean(-1)
    q, l = within.simplex("Q", 3), within.interval("l", 0.05, 1.95)  # noqa: E741
    divergence = torch.xlogy(q, 3 * q).sum(-1)
    bound = (q * emp).sum(-1) / (1 - l / 2) + (divergence + math.log(2 * math.sqrt(n) / delta)) / (n * l * (1 - l / 2))
    return (q * risk).sum(-1), bound


@claim(
    "papers/plain-kearns-saul-variance", always(), expected="refuted", cite="Kearns and Saul 1998, with the variance"
)
def kearns_saul_variance(forall):
    """log E exp(s (X - p)) <= s^2 p (1 - p) / 2."""
    p, s = forall.interval("p", 0.0, 1.0), forall.interval("s", -10.0, 10.0)
    return torch.log(1 - p + p * torch.exp(s)) - s * p, s**2 * p * (1 - p) / 2


def centred_distances(x):
    a = (x[:, :, None] - x[:, None, :]).abs()
    return a - a.mean(1, keepdim=True) - a.mean(2, keepdim=True) + a.mean((1, 2), keepdim=True)


@claim(
    "papers/plain-dcor-pearson", always(), expected="refuted", cite="Szekely, Rizzo and Bakirov 2007, for normal pairs"
)
def dcor_pearson(forall):
    """Distance correlation squared <= |Pearson correlation| (true for normal pairs), for five points."""
    x, y = forall.interval("x", -1.0, 1.0, 5), forall.interval("y", -1.0, 1.0, 5)
    a, b = centred_distances(x), centred_distances(y)
    u, v = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    dcor = (a * b).mean((1, 2)) / torch.sqrt((a * a).mean((1, 2)) * (b * b).mean((1, 2)))
    return dcor, (u * v).sum(-1).abs() / (u.norm(dim=-1) * v.norm(dim=-1))


@claim("papers/plain-perceptron-exponent", always(), expected="refuted", cite="Novikoff 1962, without the squares")
def perceptron_exponent(forall):
    """M gamma <= R for the mistakes M in two passes."""
    mistakes, margin, radius = perceptron(forall)
    return mistakes * margin, radius


@claim(
    "papers/subtle-effective-dimension",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024, 4096, 16384]),
    expected="refuted",
    cite="Caponnetto and De Vito 2007, with 0.4 for 1/2",
)
def effective_dimension_false(forall, *, n):
    """N(1/n) <= C n^0.4 for eigenvalues a i^-2 with a <= 1."""
    a = forall.interval("a", 0.1, 1.0)
    i = torch.arange(1, 100001, dtype=torch.float64, device=a.device)
    mu = a[:, None] * i**-2
    return (mu / (mu + 1 / n)).sum(-1), n**0.4


@claim(
    "papers/plain-kernel-pca-pessimism",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="Shawe-Taylor et al. 2005, the other way round",
)
def kernel_pca_pessimism(forall, draw):
    """E lambda_max(C_n) <= lambda_max(C) for n = 3."""
    p, x = forall.simplex("p", 2), forall.ball("x", 2, 2)
    counts = draw.multinomial("counts", 3, p)
    outer = x[:, :, :, None] * x[:, :, None, :]
    c = (p[:, :, None, None] * outer).sum(1)
    c_n = (counts[:, :, None, None] / 3 * outer).sum(1)
    return torch.linalg.eigvalsh(c_n)[:, -1], torch.linalg.eigvalsh(c)[:, -1]


@claim(
    "papers/plain-double-descent-print",
    reproduction(tolerance=0.02),
    expected="refuted",
    cite="Hastie et al. 2022, with a forgotten 1",
)
def double_descent_print(draw):
    """The variance of ridgeless regression at n = 5, d = 10 is n/(d - n) = 1."""
    x = draw.normal("X", 2000, 5, 10)
    variance = torch.linalg.inv(x @ x.mT).diagonal(dim1=-2, dim2=-1).sum(-1).mean(-1)
    return [Row("n=5", Estimate.mean(variance), printed=1.0)]


PROOFS = {
    "papers/true-ridge-bias-variance": (
        "Bach, Learning theory from first principles, Proposition 3.7, fixed design, noise variance 1."
    ),
    "papers/true-ridge-bias-bound": "lam^2 s/(s+lam)^2 <= lam/4 by (s+lam)^2 >= 4 s lam.",
    "papers/true-mmd-tv": (
        "p - q = T (a - b), a'Ka <= 1, b'Kb <= 1, a'Kb >= 0 since the kernel is positive, so MMD^2 <= 2 T^2."
    ),
    "papers/true-sauer": (
        "sum_{i<=d} C(n,i) <= (en/d)^d for n >= d >= 1 (Sauer 1972; Mohri et al., Corollary 3.18); integers."
    ),
    "papers/true-interval-compression": (
        "missed mass e of the tightest interval: P(miss > e) <= (1-e)^n + n e (1-e)^(n-1) (gap left plus right of "
        "n uniforms; exact), checked below the bound numerically; in general Floyd, Warmuth 1995."
    ),
    "papers/true-perceptron": ("Novikoff 1962: M g^2 <= R^2 where y <u, x> >= g > 0 for a unit vector u."),
    "papers/true-vector-contraction": ("Maurer 2016, Corollary 1, with h the Euclidean norm, which is 1-Lipschitz."),
    "papers/true-kl-tail": (
        "Chernoff-Hoeffding 1963 (2.1), lower tail: {q <= p, kl(q,p) >= t} = {mean <= q*} has probability <= "
        "exp(-n kl(q*,p)) <= exp(-nt) (Langford 2005)."
    ),
    "papers/true-double-descent-table": (
        "E tr (XX')^-1 = n/(d-n-1) for n x d Gaussian X, d > n + 1 (inverse Wishart): 5/14 = .357, 10/9 = 1.111."
    ),
    "papers/true-pac-bayes-lambda": (
        "Thiemann, Igel, Wintenberger, Seldin 2017, Theorem 3: from PAC-Bayes-kl (Maurer) and refined Pinsker, "
        "for all Q and lambda at once; n >= 8."
    ),
}

WITNESSES = {
    "papers/plain-kearns-saul-variance": {
        "params": {},
        "values": {"p": 0.1, "s": 1.0},
        "why": "log(0.9 + 0.1 e) - 0.1 = 0.0586 > p (1 - p) / 2 = 0.045.",
    },
    "papers/plain-dcor-pearson": {
        "params": {},
        "values": {"x": [-1.0, -0.5, 0.0, 0.5, 1.0], "y": [1.0, 0.25, 0.0, 0.25, 1.0]},
        "why": "y = x^2: Pearson 0, dCor > 0.",
    },
    "papers/plain-perceptron-exponent": {
        "params": {},
        "values": {"x": [[0.6, 0.8], [0.6, -0.8]] * 3, "y": [1.0] * 6, "u": [1.0, 0.0]},
        "why": "margin 0.6, R = 1, two mistakes: 1.2 > 1.",
    },
    "papers/subtle-effective-dimension": {
        "params": [{"n": 4**k} for k in range(1, 8)],
        "values": [{"a": a} for a in (1.0, 0.99, 1.0, 1.0, 1.0, 1.0, 1.0)],
        "why": "N(1/n) = (pi / 2) sqrt(a n) - 1/2 nearly: the ratio grows like n^0.1.",
    },
    "papers/plain-kernel-pca-pessimism": {
        "params": {},
        "values": {"p": [0.5, 0.5], "x": [[1.0, 0.0], [0.0, 1.0]]},
        "mean": 0.25,
        "why": "lambda_max(C) = 1/2, E lambda_max(C_3) = 1/4 + 3/4 * 2/3 = 3/4.",
    },
    "papers/plain-double-descent-print": {
        "params": {},
        "values": {},
        "row": "n=5",
        "ours": 1.25,
        "why": "E tr (XX')^-1 = 5 / (10 - 5 - 1) = 1.25, not n / (d - n) = 1.",
    },
}
