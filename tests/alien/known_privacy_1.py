"""Alien claims, known: differential privacy, hashing, secret sharing (1); see README.md."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch.distributions import Gumbel, Laplace, Normal

from harness import always, claim, expectation, grid, high_probability, identity, rate


def hockey_stick(p, q, eps):
    """The least delta for which (P, Q) is (eps, delta)-indistinguishable in this direction."""
    return (p - math.exp(eps) * q).clamp_min(0.0).sum(-1)


def kl(p, q):
    return (p * (p / q).log()).sum(-1)


def product(p, q):
    return (p[..., :, None] * q[..., None, :]).flatten(-2)


def smooth(w, share=0.2):
    """Away from the boundary of the simplex."""
    return (1.0 - share) * w + share / w.shape[-1]


@dataclass
class RandomisedResponse:
    """Answer the truth with probability e^eps / (1 + e^eps)."""

    eps: float

    @property
    def keep(self):
        return 1.0 / (1.0 + math.exp(-self.eps))

    def answer(self, truth, flips):
        return torch.where(flips > 0.5, truth, 1.0 - truth)

    def debias(self, answers):
        return (answers - (1.0 - self.keep)) / (2.0 * self.keep - 1.0)


@claim("privacy/true-laplace-ratio", always(), cite="Dwork, McSherry, Nissim and Smith 2006")
def laplace_ratio(forall):
    """The log-likelihood ratio of the Laplace mechanism is at most |f(D) - f(D')| / b."""
    x = forall.interval("x", -20.0, 20.0)
    f, g, b = forall.interval("f", -1.0, 1.0), forall.interval("g", -1.0, 1.0), forall.interval("b", 0.1, 5.0)
    loss = Laplace(f, b, validate_args=False).log_prob(x) - Laplace(g, b, validate_args=False).log_prob(x)
    return loss.abs(), (f - g).abs() / b


@claim("privacy/true-laplace-renyi", identity(), over=grid(alpha=[1.5, 2.0, 5.0]), cite="Mironov 2017, Table II")
def laplace_renyi(forall, *, alpha):
    """D_a(Lap(0) || Lap(1)) = log(a e^((a-1)eps) / (2a-1) + (a-1) e^(-a eps) / (2a-1)) / (a-1)."""
    eps = forall.interval("eps", 0.1, 2.0)
    nodes, weights = np.polynomial.legendre.leggauss(48)
    nodes, weights = torch.as_tensor((nodes + 1.0) / 2.0), torch.as_tensor(weights / 2.0)
    middle = (weights * torch.exp(-(2.0 * alpha - 1.0) * eps[:, None] * nodes)).sum(-1)
    left = 0.5 * torch.exp((alpha - 1.0) * eps)
    right = 0.5 * torch.exp(-alpha * eps)
    total = left + right + 0.5 * eps * torch.exp((alpha - 1.0) * eps) * middle
    closed = alpha * torch.exp((alpha - 1.0) * eps) + (alpha - 1.0) * torch.exp(-alpha * eps)
    return total.log() / (alpha - 1.0), (closed / (2.0 * alpha - 1.0)).log() / (alpha - 1.0)


@claim("privacy/true-gaussian-classic", always(), over=grid(delta=[0.1, 0.01, 1e-5]), cite="Dwork and Roth 2014, A.1")
def gaussian_classic(forall, *, delta):
    """sigma = sqrt(2 log(1.25/delta)) / eps is (eps, delta)-private for eps <= 1."""
    eps = forall.interval("eps", 0.01, 1.0)
    sigma = math.sqrt(2.0 * math.log(1.25 / delta)) / eps
    normal = Normal(torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64))
    half, shift = 1.0 / (2.0 * sigma), eps * sigma
    return normal.cdf(half - shift) - eps.exp() * normal.cdf(-half - shift), delta


@claim(
    "privacy/subtle-gaussian-classic",
    always(),
    over=grid(delta=[0.1]),
    cite="Dwork and Roth 2014, A.1, without the hypothesis eps <= 1",
    expected="refuted",
)
def gaussian_classic_everywhere(forall, *, delta):
    """sigma = sqrt(2 log(1.25/delta)) / eps is (eps, delta)-private for eps <= 5.9."""
    eps = forall.interval("eps", 0.01, 5.9)
    sigma = math.sqrt(2.0 * math.log(1.25 / delta)) / eps
    normal = Normal(torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64))
    half, shift = 1.0 / (2.0 * sigma), eps * sigma
    return normal.cdf(half - shift) - eps.exp() * normal.cdf(-half - shift), delta


@claim("privacy/true-exponential-mechanism", always(), cite="McSherry and Talwar 2007, Theorem 6")
def exponential_mechanism(forall):
    """The exponential mechanism with weights exp(eps u / 2) is eps-private where |u - u'| <= 1."""
    u, change = forall.interval("u", 0.0, 5.0, 6), forall.interval("c", -1.0, 1.0, 6)
    eps = forall.interval("eps", 0.0, 3.0)
    loss = torch.log_softmax(eps[:, None] * u / 2.0, -1) - torch.log_softmax(eps[:, None] * (u + change) / 2.0, -1)
    return loss.amax(-1), eps


@claim(
    "privacy/plain-exponential-mechanism",
    always(),
    cite="McSherry and Talwar 2007, without the factor of two",
    expected="refuted",
)
def exponential_mechanism_half(forall):
    """The exponential mechanism with weights exp(eps u) is eps-private where |u - u'| <= 1."""
    u, change = forall.interval("u", 0.0, 5.0, 6), forall.interval("c", -1.0, 1.0, 6)
    eps = forall.interval("eps", 0.0, 3.0)
    loss = torch.log_softmax(eps[:, None] * u, -1) - torch.log_softmax(eps[:, None] * (u + change), -1)
    return loss.amax(-1), eps


@claim("privacy/true-gumbel-noisy-max", expectation(range=(-1.0, 1.0), margin=0.02), cite="Durfee and Rogers 2019")
def gumbel_noisy_max(forall, draw):
    """P(argmax of u_i + Gumbel noise is the first) = softmax(u)_1."""
    u = forall.interval("u", -1.0, 1.0, 3)
    one = torch.tensor(1.0, dtype=torch.float64)
    noise = draw.sample("g", Gumbel(torch.zeros_like(one), one), 3)
    return ((u + noise).argmax(-1) == 0).double(), torch.softmax(u, -1)[:, 0]


@claim(
    "privacy/true-laplace-max",
    high_probability("delta"),
    over=grid(k=[3, 10, 50], delta=[0.05]),
    cite="Dwork and Roth 2014, Theorem 3.8",
)
def laplace_max(draw, *, k, delta):
    """The largest of k Laplace numbers is in absolute value at most log(k / delta)."""
    noise = draw.sample("x", Laplace(torch.tensor(0.0, dtype=torch.float64), 1.0), k)
    return noise.abs().max(dim=-1).values, math.log(k / delta)


@claim(
    "privacy/plain-laplace-max",
    high_probability("delta"),
    over=grid(k=[3, 10], delta=[0.05]),
    cite="Dwork and Roth 2014, Theorem 3.8, without the union",
    expected="refuted",
)
def laplace_max_single(draw, *, k, delta):
    """The largest of k Laplace numbers is in absolute value at most log(1 / delta)."""
    noise = draw.sample("x", Laplace(torch.tensor(0.0, dtype=torch.float64), 1.0), k)
    return noise.abs().max(dim=-1).values, math.log(1.0 / delta)


@claim(
    "privacy/plain-local-mean-rate",
    rate("n", -1.0),
    over=grid(n=[16, 64, 256, 1024]),
    cite="Duchi, Jordan and Wainwright 2013, with the central rate",
    expected="refuted",
)
def local_mean_rate(draw, *, n):
    """The mean of n bits is estimated by randomised response up to an error of order 1/n."""
    rr = RandomisedResponse(1.0)
    truth = (torch.arange(n) % 2).double()
    answers = rr.answer(truth, draw.bernoulli("flip", rr.keep, n))
    return (rr.debias(answers).mean(-1) - truth.mean()).abs()


@claim("privacy/true-test-power", always(), cite="Wasserman and Zhou 2010, Theorem 2.4")
def test_power(forall):
    """No test of level a between the answers of randomised response has a power beyond e^eps a."""
    eps, phi = forall.interval("eps", 0.0, 4.0), forall.interval("phi", 0.0, 1.0, 2)
    keep = torch.sigmoid(eps)
    level = (1.0 - keep) * phi[:, 0] + keep * phi[:, 1]
    power = keep * phi[:, 0] + (1.0 - keep) * phi[:, 1]
    return power, eps.exp() * level


@claim(
    "privacy/true-rr-hoeffding",
    high_probability("delta"),
    over=grid(n=[10, 100], eps=[0.5, 2.0], delta=[0.05]),
    cite="Warner 1965",
)
def rr_hoeffding(forall, draw, *, n, eps, delta):
    """The debiased share of randomised answers errs by at most sqrt(log(2/d) / (2n)) (e^eps + 1) / (e^eps - 1)."""
    rr = RandomisedResponse(eps)
    share = forall.interval("p", 0.0, 1.0)
    truth = draw.bernoulli("truth", share, n)
    answers = rr.answer(truth, draw.bernoulli("flip", rr.keep, n))
    error = (rr.debias(answers).mean(-1) - share).abs()
    return error, math.sqrt(math.log(2.0 / delta) / (2.0 * n)) * (math.exp(eps) + 1.0) / (math.exp(eps) - 1.0)


@claim("privacy/true-tv-of-pure", always(), cite="Kairouz, Oh and Viswanath 2015")
def tv_of_pure(forall):
    """TV(P, Q) <= (e^eps - 1) / (e^eps + 1)."""
    p, q = smooth(forall.simplex("P", 4), 0.1), smooth(forall.simplex("Q", 4), 0.1)
    eps = (p.log() - q.log()).abs().max(-1).values
    return 0.5 * (p - q).abs().sum(-1), torch.expm1(eps) / (eps.exp() + 1.0)


@claim("privacy/plain-pinsker", always(), cite="Pinsker 1964, without the root", expected="refuted")
def pinsker(forall):
    """TV(P, Q) <= KL(P || Q)."""
    p, q = smooth(forall.simplex("P", 3)), smooth(forall.simplex("Q", 3))
    return 0.5 * (p - q).abs().sum(-1), kl(p, q)


@claim(
    "privacy/true-basic-composition",
    always(),
    over=grid(e1=[0.0, 0.5], e2=[1.0]),
    cite="Dwork and Roth 2014, Theorem 3.16",
)
def basic_composition(forall, *, e1, e2):
    """The product of an (e1, d1)- and an (e2, d2)-private answer is (e1 + e2, d1 + d2)-private."""
    p1, q1 = forall.simplex("P1", 3), forall.simplex("Q1", 3)
    p2, q2 = forall.simplex("P2", 2), forall.simplex("Q2", 2)
    together = hockey_stick(product(p1, p2), product(q1, q2), e1 + e2)
    return together, hockey_stick(p1, q1, e1) + hockey_stick(p2, q2, e2)


PROOFS = {
    "privacy/true-laplace-ratio": ("The triangle inequality: | |x - g| - |x - f| | <= |f - g|."),
    "privacy/true-laplace-renyi": ("Integrate exp over the three pieces between and beyond the two centres."),
    "privacy/true-gaussian-classic": (
        "Dwork and Roth 2014, Appendix A, for eps <= 1; the exact curve of Balle and Wang 2018 is checked."
    ),
    "privacy/true-exponential-mechanism": (
        "Each weight and the normalisation change by a factor of at most exp(eps / 2)."
    ),
    "privacy/true-gumbel-noisy-max": ("The Gumbel-max trick."),
    "privacy/true-laplace-max": ("Union bound over P(|X| > log(k / delta)) = delta / k."),
    "privacy/true-test-power": ("Each coefficient is at most e^eps times the other."),
    "privacy/true-rr-hoeffding": ("Hoeffding for the answers, divided by the slope (e^eps - 1) / (e^eps + 1)."),
    "privacy/true-tv-of-pure": (
        "The event P > Q has q (e^eps - 1) and (1 - p) (e^eps - 1) as bounds of its excess; balance both."
    ),
    "privacy/true-basic-composition": (
        "P_1 <= e^e1 Q_1 + excess of mass d1, and likewise for the other factor, multiplied."
    ),
}

WITNESSES = {
    "privacy/subtle-gaussian-classic": {
        "params": {"delta": 0.1},
        "values": {"eps": 5.9},
        "why": "the failing region begins at 5.75",
    },
    "privacy/plain-exponential-mechanism": {
        "params": {},
        "values": {"u": [0.5] * 6, "c": [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "eps": 1.0},
        "why": "the ratio is nearly e^2",
    },
    "privacy/plain-laplace-max": {
        "params": {"k": 10, "delta": 0.05},
        "values": {},
        "probability": 1.0 - 0.95**10,
        "why": "ten independent chances of 1/20",
    },
    "privacy/plain-local-mean-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "the central limit"},
    "privacy/plain-pinsker": {
        "params": {},
        "values": {"P": [0.6, 0.4, 0.0], "Q": [0.4, 0.6, 0.0]},
        "why": "linear against quadratic",
    },
}
