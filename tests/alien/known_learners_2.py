"""Alien claims, known: estimators, stability, missing mass, conformal prediction, complexity; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, identity, tail, up_to_constant


@claim(
    "learners/true-kernel-density-mean",
    expectation(range=(-0.4, 0.4), margin=0.01),
    cite="Parzen 1962",
    over=grid(n=[5]),
)
def kernel_density_mean(forall, draw, *, n):
    """E f^(x) <= the normal density of variance 1 + h^2 at x (with equality), Gaussian kernel and data, h >= 1."""
    x, h = forall.interval("x", -3.0, 3.0), forall.interval("h", 1.0, 2.0)
    kernel = torch.exp(-((x[:, None] - draw.normal("X", n)) ** 2) / (2.0 * h[:, None] ** 2)) / (
        h[:, None] * math.sqrt(2.0 * math.pi)
    )
    v = 1.0 + h**2
    return kernel.mean(-1), torch.exp(-(x**2) / (2.0 * v)) / torch.sqrt(2.0 * math.pi * v)


@claim(
    "learners/true-leave-one-out",
    identity(),
    cite="Allen 1974; Hastie, Tibshirani, Friedman 2009, (7.52)",
    over=grid(lam=[0.5]),
)
def leave_one_out(forall, *, lam):
    """The ridge residual at a point left out is the residual divided by 1 - H_ii."""
    x, y = forall.ball("x", 4, 2), forall.ball("y", 4)
    eye = lam * torch.eye(2, dtype=torch.float64)
    gram = x.mT @ x + eye
    hat = x @ torch.linalg.solve(gram, x.mT)
    residual = y - (hat @ y[..., None])[..., 0]
    shortcut = residual / (1.0 - torch.diagonal(hat, dim1=-2, dim2=-1))
    rest, target = x[:, 1:], y[:, 1:]
    refit = torch.linalg.solve(rest.mT @ rest + eye, rest.mT @ target[..., None])[..., 0]
    return shortcut[:, 0], y[:, 0] - (x[:, 0] * refit).sum(-1)


@claim(
    "learners/true-ridge-stability", always(), cite="Bousquet and Elisseeff 2002, Theorem 22", over=grid(lam=[0.1, 1.0])
)
def ridge_stability(forall, *, lam):
    """|w - w'| <= 2 (1 + 1/sqrt(lam)) / (lam n) when one of n = 4 examples is replaced, |x| <= 1, |y| <= 1."""
    x, y = forall.ball("x", 5, 2), forall.interval("y", -1.0, 1.0, 5)

    def fit(keep):
        a, b = x[:, keep], y[:, keep]
        gram = a.mT @ a / 4.0 + lam * torch.eye(2, dtype=torch.float64)
        return torch.linalg.solve(gram, a.mT @ b[..., None] / 4.0)[..., 0]

    return (fit([0, 1, 2, 3]) - fit([4, 1, 2, 3])).norm(dim=-1), 2.0 * (1.0 + lam**-0.5) / (lam * 4.0)


@claim(
    "learners/true-ridge-risk",
    expectation(range=(-math.inf, math.inf), margin=0.1),
    cite="Hoerl and Kennard 1970",
    over=grid(d=[3]),
)
def ridge_risk(forall, draw, *, d):
    """E |z/(1+lam) - theta|^2 <= (lam^2 |theta|^2 + d) / (1 + lam)^2 (with equality), orthogonal design."""
    theta, lam = forall.ball("theta", d, radius=3.0), forall.interval("lam", 0.0, 5.0)
    z = theta + draw.normal("z", d)
    risk = (z / (1.0 + lam[:, None]) - theta).square().sum(-1)
    return risk, (lam**2 * theta.square().sum(-1) + d) / (1.0 + lam) ** 2


@claim(
    "learners/true-james-stein", expectation(range=(-40.0, math.inf)), cite="James and Stein 1961", over=grid(d=[4, 8])
)
def james_stein(forall, draw, *, d):
    """The James-Stein estimator has at most the risk of z ~ N(theta, I), d >= 3."""
    theta = forall.ball("theta", d, radius=3.0)
    z = theta + draw.normal("z", d)
    shrunk = (1.0 - (d - 2) / z.square().sum(-1, keepdim=True)) * z
    return (shrunk - theta).square().sum(-1), (z - theta).square().sum(-1)


@claim(
    "learners/plain-james-stein",
    expectation(range=(-16.0, math.inf)),
    cite="James and Stein 1961, with d for d - 2",
    expected="refuted",
    over=grid(d=[3]),
)
def plain_james_stein(forall, draw, *, d):
    """Shrinking by d / |z|^2 in place of (d - 2) / |z|^2 is no worse than z itself."""
    theta = forall.ball("theta", d, radius=3.0)
    z = theta + draw.normal("z", d)
    shrunk = (1.0 - d / z.square().sum(-1, keepdim=True)) * z
    return (shrunk - theta).square().sum(-1), (z - theta).square().sum(-1)


@claim("learners/subtle-davis-kahan", always(), cite="after Davis and Kahan 1970", expected="refuted")
def subtle_davis_kahan(forall):
    """The leading eigenvector moves by a sine of at most 1.005 |E| / gap, |E| <= 0.2, gap 1."""
    e = forall.symmetric("E", 2, radius=0.2)
    a = torch.diag(torch.tensor([1.0, 0.0], dtype=torch.float64))
    _, vectors = torch.linalg.eigh(a + e)
    return vectors[:, 1, 1].abs(), 1.005 * torch.linalg.matrix_norm(e, 2)


@claim("learners/true-domain-shift", always(), cite="Ben-David et al. 2010, Theorem 1")
def domain_shift(forall):
    """|target risk - source risk| <= TV(source, target) for losses in [0, 1]."""
    p, q, loss = forall.simplex("p", 5), forall.simplex("q", 5), forall.interval("loss", 0.0, 1.0, 5)
    return ((p - q) * loss).sum(-1).abs(), 0.5 * (p - q).abs().sum(-1)


@claim("learners/subtle-pinsker", always(), cite="after Pinsker 1964", expected="refuted")
def subtle_pinsker(forall):
    """TV(p, q) <= sqrt(KL(p, q) / 2.01)."""
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    kl = (torch.special.xlogy(p, p) - torch.special.xlogy(p, q)).sum(-1)
    return 0.5 * (p - q).abs().sum(-1), torch.sqrt(kl / 2.01)


@claim(
    "learners/true-good-turing",
    expectation(range=(-1.0, 1.0)),
    cite="Good 1953; McAllester and Schapire 2000",
    over=grid(n=[5, 12]),
)
def good_turing(forall, draw, *, n):
    """E missing mass <= E (number of values seen once) / n."""
    p = forall.simplex("p", 3)
    counts = draw.multinomial("counts", n, p)
    return torch.where(counts == 0, p, 0.0).sum(-1), (counts == 1).double().sum(-1) / n


@claim(
    "learners/plain-good-turing",
    expectation(range=(-1.0, 1.0)),
    cite="Good 1953, the other way round",
    expected="refuted",
    over=grid(n=[5]),
)
def plain_good_turing(forall, draw, *, n):
    """E (number of values seen once) / n <= E missing mass."""
    p = forall.simplex("p", 3)
    counts = draw.multinomial("counts", n, p)
    return (counts == 1).double().sum(-1) / n, torch.where(counts == 0, p, 0.0).sum(-1)


@claim(
    "learners/true-unseen",
    up_to_constant("n"),
    cite="Berend and Kontorovich 2012",
    over=grid(n=[5, 10, 20, 40, 80, 160]),
)
def unseen(forall, *, n):
    """The expected missing mass over four values is at most C / n."""
    p = forall.simplex("p", 4)
    return (p * (1.0 - p) ** n).sum(-1), 1.0 / n + 0.0 * p[:, 0]


@claim(
    "learners/plain-unseen",
    up_to_constant("n"),
    cite="Berend and Kontorovich 2012, with n^(3/2) for n",
    expected="refuted",
    over=grid(n=[5, 10, 20, 40, 80, 160]),
)
def plain_unseen(forall, *, n):
    """The expected missing mass over four values is at most C / n^(3/2)."""
    p = forall.simplex("p", 4)
    return (p * (1.0 - p) ** n).sum(-1), n**-1.5 + 0.0 * p[:, 0]


@claim(
    "learners/true-rule-of-three",
    high_probability("delta"),
    cite="Hanley and Lippman-Hand 1983",
    over=grid(n=[10, 30], delta=[0.05]),
)
def rule_of_three(forall, draw, *, n, delta):
    """If n tests show no error, the error rate is at most 3/n, with confidence 95 %."""
    p = forall.interval("p", 0.0, 1.0)
    errors = draw.bernoulli("x", p, n).sum(-1)
    return torch.where(errors == 0, p, 0.0), 3.0 / n


@claim(
    "learners/true-conformal",
    tail(),
    cite="Vovk, Gammerman, Shafer 2005; Lei et al. 2018, Theorem 2.1",
    over=grid(n=[10, 25], alpha=[0.1, 0.3]),
)
def conformal(forall, draw, *, n, alpha):
    """A new score exceeds the ceil((n+1)(1-alpha))-th smallest of n with probability at most alpha,
    any law with atoms.
    """
    law = forall.law("P", atoms=3)
    s, new = draw.law("s", law, n), draw.law("new", law)
    k = math.ceil((n + 1) * (1.0 - alpha))
    threshold = s.sort(-1).values[:, k - 1] if k <= n else torch.full_like(new, math.inf)
    return new > threshold, alpha


@claim(
    "learners/plain-conformal",
    tail(),
    cite="Vovk, Gammerman, Shafer 2005, with n for n + 1",
    expected="refuted",
    over=grid(n=[20], alpha=[0.1]),
)
def plain_conformal(draw, *, n, alpha):
    """A new score exceeds the (1 - alpha) n-th smallest of n with probability at most alpha."""
    s = draw.uniform("s", n).sort(-1).values
    return draw.uniform("new") > s[:, math.ceil(n * (1.0 - alpha)) - 1], alpha


@claim(
    "learners/subtle-conformal",
    tail(),
    cite="after Lei et al. 2018",
    expected="refuted",
    over=grid(n=[100], alpha=[0.1]),
)
def subtle_conformal(draw, *, n, alpha):
    """A new score exceeds the floor((n+1)(1-alpha))-th smallest of n with probability at most alpha."""
    s = draw.uniform("s", n).sort(-1).values
    return draw.uniform("new") > s[:, math.floor((n + 1) * (1.0 - alpha)) - 1], alpha


@claim("learners/true-sauer", always(), cite="Sauer 1972; Vapnik 1998", over=grid(n=[4, 10, 40], d=[1, 2, 4]))
def sauer(*, n, d):
    """sum_{i<=d} C(n, i) <= (e n / d)^d for n >= d."""
    return sum(math.comb(n, i) for i in range(d + 1)), (math.e * n / d) ** d


@claim(
    "learners/subtle-vapnik-sum",
    always(),
    cite="after Vapnik and Chervonenkis 1971",
    expected="refuted",
    over=grid(d=[1, 2, 3]),
)
def subtle_vapnik_sum(forall, *, d):
    """sum_{i<=d} C(n, i) <= 1.37 n^d / d! for n >= d + 2."""
    n = forall.integers("n", d + 2, 300)
    total, term = torch.ones_like(n), torch.ones_like(n)
    for i in range(1, d + 1):
        term = term * (n - i + 1) / i
        total = total + term
    return total, 1.37 * n**d / math.factorial(d)


@claim("learners/true-massart-class", always(), cite="Massart 2000, Lemma 5.2", over=grid(n=[5], size=[2, 3]))
def massart_class(forall, *, n, size):
    """E max_a <e, a> <= max |a| sqrt(2 log N) for N vectors a and random signs e."""
    a = forall.ball("a", size, n)
    signs = every.signs(n, like=a)
    return torch.einsum("sn,bkn->bsk", signs, a).amax(-1).mean(-1), a.norm(dim=-1).amax(-1) * math.sqrt(
        2.0 * math.log(size)
    )


@claim("learners/subtle-massart-class", always(), cite="after Massart 2000", expected="refuted", over=grid(n=[5]))
def subtle_massart(forall, *, n):
    """E max(<e, a>, <e, b>) <= max(|a|, |b|) sqrt(1.4 log 2) for random signs e."""
    a = forall.ball("a", 2, n)
    signs = every.signs(n, like=a)
    return torch.einsum("sn,bkn->bsk", signs, a).amax(-1).mean(-1), a.norm(dim=-1).amax(-1) * math.sqrt(
        1.4 * math.log(2.0)
    )


@claim(
    "learners/true-linear-class",
    high_probability("delta"),
    cite="Kakade, Sridharan, Tewari 2008",
    over=grid(n=[20], delta=[0.1]),
)
def linear_class(forall, draw, within, *, n, delta):
    """sup_{|w| <= 1} mean <w, e_i x_i> <= (1 + sqrt(2 log(1/delta))) / sqrt(n) for |x_i| <= 1 and random signs e."""
    x = forall.ball("x", n, 2)
    e = draw.signs("e", n)
    w = within.ball("w", 2)
    return ((x * e[..., None]).mean(1) * w).sum(-1), (1.0 + math.sqrt(2.0 * math.log(1.0 / delta))) / math.sqrt(n)


PROOFS = {
    "learners/true-kernel-density-mean": "The sum of independent normal numbers is normal; kernels are at most 0.399.",
    "learners/true-leave-one-out": "The Sherman-Morrison formula.",
    "learners/true-ridge-stability": (
        "Strong convexity: lam |d|^2 <= 2 (1 + 1/sqrt(lam)) |d| / n, as |w| <= 1/sqrt(lam) for both minima."
    ),
    "learners/true-ridge-risk": "Squared bias plus variance.",
    "learners/true-james-stein": (
        "Stein's identity: E lhs - E rhs = -(d-2)^2 E |z|^-2; lhs - rhs >= -2 (d-2) - |theta|^2."
    ),
    "learners/true-domain-shift": (
        "The total variation distance is the largest of sum (p - q) loss over losses in [0, 1]."
    ),
    "learners/true-good-turing": "sum p (1 - p)^n <= sum p (1 - p)^(n-1).",
    "learners/true-unseen": "p (1 - p)^n <= 1/(e n).",
    "learners/true-rule-of-three": "(1 - 3/n)^n <= e^-3 < 0.05.",
    "learners/true-conformal": "Exchangeability: the probability is at most 1 - k/(n+1).",
    "learners/true-sauer": "Sauer 1972; (d/n)^d times the sum is at most sum C(n, i) (d/n)^i <= e^d.",
    "learners/true-massart-class": "Massart 2000, Lemma 5.2.",
    "learners/true-linear-class": (
        "The supremum is the norm of the mean: at most 1/sqrt(n) on average; then McDiarmid's inequality."
    ),
}

WITNESSES = {
    "learners/plain-james-stein": {
        "params": {"d": 3},
        "values": {"theta": [0.0] * 3},
        "mean": 3.0,
        "why": "-2 d + d^2 E |z|^-2 = 3",
    },
    "learners/subtle-davis-kahan": {
        "params": {},
        "values": {"E": [-0.08, 0.1833, 0.08]},
        "why": "a sine of .204310 > .201",
    },
    "learners/subtle-pinsker": {"params": {}, "values": {"p": [0.51, 0.49], "q": [0.5, 0.5]}, "why": ".01 > .0099756"},
    "learners/plain-good-turing": {
        "params": {"n": 5},
        "values": {"p": [0.5, 0.5, 0.0]},
        "mean": 0.03125,
        "why": "1/16 > 1/32",
    },
    "learners/plain-unseen": {
        "params": [{"n": n} for n in (5, 10, 20, 40, 80, 160)],
        "values": [{"p": [1.0 / n, 1.0 - 1.0 / n, 0.0, 0.0]} for n in (5, 10, 20, 40, 80, 160)],
        "why": "a value of probability 1/n: the ratio is about sqrt(n)/e",
    },
    "learners/plain-conformal": {
        "params": {"n": 20, "alpha": 0.1},
        "values": {},
        "probability": 1.0 / 7.0,
        "why": "1 - 18/21",
    },
    "learners/subtle-conformal": {
        "params": {"n": 100, "alpha": 0.1},
        "values": {},
        "probability": 11.0 / 101.0,
        "why": "1 - 90/101 = .1089",
    },
    "learners/subtle-vapnik-sum": {
        "params": {"d": 2},
        "values": {"n": 4},
        "why": "11 > 10.96, at n = 4 and d = 2 alone",
    },
    "learners/subtle-massart-class": {
        "params": {"n": 5},
        "values": {"a": [[1.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 0.0]]},
        "why": "1 > sqrt(1.4 log 2) = .98509",
    },
}
