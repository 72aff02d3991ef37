"""Alien claims, known: posteriors, divergences, PAC-Bayes, Gaussian processes, scores, shrinkage; see README.md."""

import math

import torch

from harness import Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, tail


def kl(p, q):
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)


def binary_kl(a, p):
    return torch.xlogy(a, a) - torch.xlogy(a, p) + torch.xlogy(1 - a, 1 - a) - torch.xlogy(1 - a, 1 - p)


def rbf(x, y):
    return (-((x[:, :, None] - y[:, None, :]) ** 2) / (2 * 0.3**2)).exp()


def gp_variance(x, z, noise=0.1):
    """Posterior variance at z (batch, 1) given noisy data at x (batch, n)."""
    k = rbf(x, x) + noise * torch.eye(x.shape[-1], dtype=x.dtype)
    c = rbf(x, z)
    return 1.0 - (c * torch.linalg.solve(k, c)).sum((-1, -2))


@claim("bayes/true-posterior-mean-shrinks", identity(), over=grid(n=[1, 5, 20]), cite="Diaconis and Ylvisaker 1979")
def b1(forall, *, n):
    """The posterior mean of a coin is a mean of the prior mean and the share of heads."""
    a, b, k = forall.interval("a", 0.1, 10.0), forall.interval("b", 0.1, 10.0), forall.integers("k", 0, n)
    w = (a + b) / (a + b + n)
    return (a + k) / (a + b + n), w * a / (a + b) + (1 - w) * k / n


@claim("bayes/true-expected-posterior-variance", always(), over=grid(n=[1, 4]), cite="law of total variance")
def b2(forall, *, n):
    """E Var(p | X) <= Var p for n flips and a beta prior."""
    a, b = forall.interval("a", 0.1, 10.0), forall.interval("b", 0.1, 10.0)
    k = torch.arange(n + 1, dtype=a.dtype)
    a, b = a[:, None], b[:, None]
    logpmf = (
        math.lgamma(n + 1)
        - torch.lgamma(k + 1)
        - torch.lgamma(n - k + 1)
        + torch.lgamma(k + a)
        + torch.lgamma(n - k + b)
        - torch.lgamma(n + a + b)
        - torch.lgamma(a)
        - torch.lgamma(b)
        + torch.lgamma(a + b)
    )
    post = (a + k) * (b + n - k) / ((a + b + n) ** 2 * (a + b + n + 1))
    return (logpmf.exp() * post).sum(-1), (a * b / ((a + b) ** 2 * (a + b + 1)))[:, 0]


@claim(
    "bayes/plain-variance-always-falls", always(), expected="refuted", cite="law of total variance, without the mean"
)
def b2f(forall):
    """The posterior variance after a failure is at most the prior variance."""
    a, b = forall.interval("a", 0.1, 10.0), forall.interval("b", 0.1, 10.0)
    return a * (b + 1) / ((a + b + 1) ** 2 * (a + b + 2)), a * b / ((a + b) ** 2 * (a + b + 1))


@claim("bayes/true-gp-information-gain", identity(), cite="Srinivas et al. 2010, Lemma 5.3")
def b5(forall):
    """1/2 log det(I + K / s^2) = 1/2 sum_i log(1 + var_{i-1}(x_i) / s^2)."""
    x = forall.interval("x", 0.0, 1.0, 3)
    k = rbf(x, x) / 0.1 + torch.eye(3, dtype=x.dtype)
    total = (1 + 1 / 0.1) * torch.ones_like(x[:, 0])
    gain = 0.5 * total.log()
    for i in (1, 2):
        gain = gain + 0.5 * (1 + gp_variance(x[:, :i], x[:, i : i + 1]) / 0.1).log()
    return 0.5 * torch.logdet(k), gain


@claim("bayes/subtle-gp-variances-add", always(), expected="refuted", cite="Das and Kempe 2008, without the condition")
def b5f(forall):
    """The variances explained by two observations add up: 1 - v(x1, x2) <= (1 - v(x1)) + (1 - v(x2))."""
    x, z = forall.interval("x", 0.0, 1.0, 2), forall.interval("z", 0.0, 1.0, 1)
    return 1 - gp_variance(x, z), 2 - gp_variance(x[:, :1], z) - gp_variance(x[:, 1:], z)


@claim("bayes/true-donsker-varadhan", always(), cite="Donsker and Varadhan 1983")
def b6(forall):
    """E_Q f <= KL(Q | P) + log E_P exp f."""
    q, p, f = forall.simplex("Q", 4), forall.simplex("P", 4), forall.interval("f", -5.0, 5.0, 4)
    return (q * f).sum(-1), kl(q, p) + (p * f.exp()).sum(-1).log()


@claim("bayes/subtle-pinsker-one-percent", always(), expected="refuted", cite="Pinsker 1964, with .99")
def b7g(forall):
    """TV <= 0.99 sqrt(KL / 2)."""
    p, q = forall.simplex("P", 5), forall.simplex("Q", 5)
    return (p - q).abs().sum(-1) / 2, 0.99 * (kl(p, q) / 2).clamp_min(0.0).sqrt()


@claim("bayes/true-bretagnolle-huber", always(), cite="Bretagnolle and Huber 1979")
def b8(forall):
    """TV^2 <= 1 - exp(-KL)."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return ((p - q).abs().sum(-1) / 2) ** 2, 1 - (-kl(p, q)).exp()


@claim("bayes/true-kl-log-chi2", always(), cite="Jensen 1906")
def b9(forall):
    """KL <= log(1 + chi^2)."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return kl(p, q), (p**2 / q).sum(-1).log()


@claim("bayes/plain-chi2-below-kl", always(), expected="refuted", cite="Jensen 1906, the wrong way round")
def b9f(forall):
    """chi^2 <= KL."""
    p, q = forall.simplex("P", 3), forall.simplex("Q", 3)
    return (p**2 / q).sum(-1) - 1, kl(p, q)


@claim(
    "bayes/plain-kl-symmetric", identity(), expected="refuted", cite="Kullback and Leibler 1951, taken for a distance"
)
def b10g(forall):
    """KL(P | Q) = KL(Q | P) for Bernoulli laws."""
    p, q = forall.interval("p", 0.01, 0.99), forall.interval("q", 0.01, 0.99)
    return binary_kl(p, q), binary_kl(q, p)


@claim("bayes/true-maurer", high_probability("delta"), over=grid(n=[30], delta=[0.05]), cite="Maurer 2004, Theorem 5")
def b11(forall, draw, within, *, n, delta):
    """n kl(emp Q | risk Q) <= KL(Q | P) + log(2 sqrt n / delta) for all Q, two hypotheses, uniform prior."""
    p = forall.interval("p", 0.0, 1.0, 2)
    share = draw.bernoulli("x", p, 2, n).mean(-1)
    q = within.simplex("Q", 2)
    risk, emp = (q * p).sum(-1), (q * share).sum(-1)
    return n * binary_kl(emp, risk) - kl(q, torch.full_like(q, 0.5)), math.log(2 * math.sqrt(n) / delta)


@claim(
    "bayes/true-kl-moment",
    expectation(range=(-2 * math.sqrt(10), math.inf)),
    over=grid(n=[10]),
    cite="Maurer 2004, Theorem 1",
)
def b12(forall, draw, *, n):
    """E exp(n kl(mean | p)) <= 2 sqrt n."""
    p = forall.interval("p", 0.05, 0.95)
    m = draw.bernoulli("x", p, n).mean(-1)
    return (n * binary_kl(m, p)).exp(), 2 * math.sqrt(n)


@claim("bayes/true-james-stein", expectation(range=(-5.0, math.inf)), cite="James and Stein 1961")
def b14(forall, draw):
    """E |JS - theta|^2 <= d, d = 5."""
    theta = forall.ball("theta", 5, radius=3.0)
    x = theta + draw.normal("z", 5)
    js = (1 - 3 / (x**2).sum(-1, keepdim=True)) * x
    return ((js - theta) ** 2).sum(-1), 5.0


@claim(
    "bayes/plain-js-overshrinks",
    expectation(range=(-5.0, math.inf)),
    expected="refuted",
    cite="James and Stein 1961, with 8 for a number up to 6",
)
def b14f(forall, draw):
    """E |(1 - 8/|x|^2) x - theta|^2 <= d, d = 5."""
    theta = forall.ball("theta", 5, radius=3.0)
    x = theta + draw.normal("z", 5)
    js = (1 - 8 / (x**2).sum(-1, keepdim=True)) * x
    return ((js - theta) ** 2).sum(-1), 5.0


@claim("bayes/true-beta-median", tail(), cite="Groeneveld and Meeden 1977")
def b15(forall, draw):
    """P(X >= mean) <= 1/2 for Beta(a, b), 1 < a < b."""
    a, b = forall.interval("a", 1.5, 3.0), forall.interval("b", 4.0, 8.0)
    return draw.sample("x", torch.distributions.Beta(a, b)) >= a / (a + b), 0.5


@claim(
    "bayes/subtle-beta-third-rule", tail(), expected="refuted", cite="Kerman 2011, the approximation taken for a bound"
)
def b15f(forall, draw):
    """P(X >= (a - 1/3)/(a + b - 2/3)) <= 1/2 for Beta(a, b), a, b in [1, 6]."""
    a, b = forall.interval("a", 1.0, 6.0), forall.interval("b", 1.0, 6.0)
    return draw.sample("x", torch.distributions.Beta(a, b)) >= (a - 1 / 3) / (a + b - 2 / 3), 0.5


@claim(
    "bayes/true-posterior-mean-rate",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256]),
    cite="central limit theorem",
)
def b17(draw, *, n):
    """E |posterior mean - p| is of order n^(-1/2) under the uniform prior."""
    p = draw.uniform("p")
    k = draw.bernoulli("x", p, n).sum(-1)
    return ((k + 1) / (n + 2) - p).abs()


@claim("bayes/true-ville", high_probability("delta"), over=grid(n=[50], delta=[0.1]), cite="Ville 1939")
def b18(forall, draw, *, n, delta):
    """The likelihood ratio never exceeds 1/delta, with probability 1 - delta."""
    p, q = forall.interval("p", 0.1, 0.9), forall.interval("q", 0.1, 0.9)
    x = draw.bernoulli("x", p, n)
    up, down = (q / p).log()[:, None], ((1 - q) / (1 - p)).log()[:, None]
    return (x * up + (1 - x) * down).cumsum(-1).amax(-1), math.log(1 / delta)


@claim("bayes/true-evidence-rotates", identity(), cite="spectral theorem")
def b20(forall):
    """y'(I + Q D Q')^-1 y = sum_i (Q'y)_i^2 / (1 + d_i)."""
    q, y, d = forall.orthogonal("Q", 3), forall.ball("y", 3), forall.interval("d", 0.0, 5.0, 3)
    a = torch.eye(3, dtype=torch.float64) + q @ torch.diag_embed(d) @ q.mT
    z = (q.mT @ y[:, :, None])[:, :, 0]
    return (y * torch.linalg.solve(a, y)).sum(-1), (z**2 / (1 + d)).sum(-1)


@claim("bayes/true-ridge-trace", identity(), cite="spectral theorem")
def b21(forall):
    """tr (I + A)^-1 = 1 + 1/2 + 1/4 for A with eigenvalues 0, 1, 3."""
    a = forall.spectrum("A", [0.0, 1.0, 3.0])
    return torch.linalg.inv(torch.eye(3, dtype=torch.float64) + a).diagonal(dim1=-2, dim2=-1).sum(-1), 1.75


@claim("bayes/true-hellman-raviv", tail(), cite="Hellman and Raviv 1970")
def b23(forall, draw):
    """The error probability of the Bayes classifier is at most H(Z | X) / 2 bits."""
    joint = forall.simplex("J", 6)
    table = joint.reshape(-1, 2, 3)
    i = draw.categorical("i", joint).long()
    z, x = i // 3, i % 3
    guess = table.argmax(1).expand(len(i), 3).gather(-1, x[:, None])[:, 0]
    h = (torch.xlogy(table.sum(1), table.sum(1)).sum(-1) - torch.xlogy(table, table).sum((-1, -2))) / math.log(2)
    return guess != z, h / 2


@claim("bayes/true-succession-table", reproduction(tolerance=0.0006), cite="Laplace 1814")
def b24():
    """(s + 1)/(n + 2) for n = 10."""
    return [Row("s=0", 1 / 12, printed=0.083), Row("s=7", 8 / 12, printed=0.667), Row("s=10", 11 / 12, printed=0.917)]


@claim("bayes/true-jensen-posterior", always(), cite="Jensen 1906")
def b26(forall):
    """f(posterior mean) <= posterior mean of f for convex f."""
    f, x, w = forall.convex("f", 3, 2), forall.ball("x", 3, 2), forall.simplex("w", 3)
    values = torch.stack([f(x[:, i]) for i in range(3)], -1)
    return f((w[:, :, None] * x).sum(1)), (w * values).sum(-1)


@claim(
    "bayes/subtle-kl-uniform-at-five",
    always(),
    over=grid(d=[2, 3, 4, 5]),
    expected="refuted",
    cite="Shannon 1948, with 1.5 for log 5",
)
def b28(forall, *, d):
    """KL(P | uniform on d points) <= 1.5."""
    p = forall.simplex("P", d)
    return kl(p, torch.full_like(p, 1 / d)), 1.5


@claim("bayes/true-robbins", always(), cite="Robbins 1955")
def b30(forall):
    """log n! >= log sqrt(2 pi n) + n log n - n + 1/(12 n + 1)."""
    n = forall.integers("n", 1, 1000)
    return 0.5 * (2 * math.pi * n).log() + n * n.log() - n + 1 / (12 * n + 1), torch.lgamma(n + 1)


PROOFS = {
    "bayes/true-posterior-mean-shrinks": "(a+k)/(a+b+n) = ((a+b) a/(a+b) + n k/n)/(a+b+n).",
    "bayes/true-expected-posterior-variance": "Law of total variance; the ratio is (a+b)/(a+b+n).",
    "bayes/true-gp-information-gain": "Chain rule of determinants (Srinivas et al. 2010, Lemma 5.3).",
    "bayes/true-donsker-varadhan": "Donsker and Varadhan 1983.",
    "bayes/true-bretagnolle-huber": "Bretagnolle and Huber 1979.",
    "bayes/true-kl-log-chi2": "Jensen: E_P log(p/q) <= log E_P p/q = log(1 + chi^2).",
    "bayes/true-maurer": "Maurer 2004, Theorem 5 (n >= 8).",
    "bayes/true-kl-moment": "Maurer 2004, Theorem 1; the exact value is 4.6602 for n = 10, below 6.32.",
    "bayes/true-james-stein": "James and Stein 1961.",
    "bayes/true-beta-median": "Mode <= median <= mean for 1 < a < b (Groeneveld and Meeden 1977).",
    "bayes/true-posterior-mean-rate": "The standard deviation is sqrt(p(1-p)/n); central limit theorem.",
    "bayes/true-ville": "Ville 1939: the likelihood ratio is a non-negative martingale of mean 1.",
    "bayes/true-evidence-rotates": "Q is orthogonal, so the matrix is Q (I + D) Q'.",
    "bayes/true-ridge-trace": "The eigenvalues of the inverse are 1, 1/2 and 1/4.",
    "bayes/true-hellman-raviv": "Hellman and Raviv 1970.",
    "bayes/true-succession-table": "The fractions 1/12, 8/12 and 11/12, rounded to three digits.",
    "bayes/true-jensen-posterior": "Jensen's inequality.",
    "bayes/true-robbins": "Robbins 1955.",
}

WITNESSES = {
    "bayes/plain-variance-always-falls": {
        "params": {},
        "values": {"a": 8.0, "b": 1.0},
        "why": "Beta(8, 1): .01455 after, .00988 before",
    },
    "bayes/subtle-gp-variances-add": {"params": {}, "values": {"x": [0.3, 0.6], "z": [0.0]}, "why": ".3862 > .3511"},
    "bayes/subtle-pinsker-one-percent": {
        "params": {},
        "values": {"P": [0.501, 0.499, 0.0, 0.0, 0.0], "Q": [0.5, 0.5, 0.0, 0.0, 0.0]},
        "why": "TV is .001, the right side .00099",
    },
    "bayes/plain-chi2-below-kl": {
        "params": {},
        "values": {"P": [1.0, 0.0, 0.0], "Q": [1.0 / 3.0] * 3},
        "why": "2 > log 3",
    },
    "bayes/plain-kl-symmetric": {"params": {}, "values": {"p": 0.5, "q": 0.9}, "why": ".511 and .368"},
    "bayes/plain-js-overshrinks": {
        "params": {},
        "values": {"theta": [0.0] * 5},
        "mean": 16.0 / 3.0,
        "why": "5 + (64 - 48)/3 = 10.33",
    },
    "bayes/subtle-beta-third-rule": {
        "params": {},
        "values": {"a": 1.0, "b": 6.0},
        "probability": (1.0 - 2.0 / 19.0) ** 6,
        "why": "P(X >= 2/19) = (17/19)^6 = .51306",
    },
    "bayes/subtle-kl-uniform-at-five": {
        "params": {"d": 5},
        "values": {"P": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "a vertex: log 5 = 1.609",
    },
}
