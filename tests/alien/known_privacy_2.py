"""Alien claims, known: differential privacy, hashing, secret sharing (2); see README.md."""

import itertools
import math
from dataclasses import dataclass

import torch

from harness import always, claim, every, grid, high_probability, identity, tail, up_to_constant


def hockey_stick(p, q, eps):
    """The least delta for which (P, Q) is (eps, delta)-indistinguishable in this direction."""
    return (p - math.exp(eps) * q).clamp_min(0.0).sum(-1)


def renyi(p, q, order):
    return (p**order * q ** (1.0 - order)).sum(-1).log() / (order - 1.0)


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


@claim("privacy/plain-composition-max", always(), cite="as if deltas did not add up", expected="refuted")
def composition_max(forall):
    """The product of two answers that are (1/2, d)-private is (1, d)-private, with the larger d."""
    p1, q1 = forall.simplex("P1", 2), forall.simplex("Q1", 2)
    p2, q2 = forall.simplex("P2", 2), forall.simplex("Q2", 2)
    together = hockey_stick(product(p1, p2), product(q1, q2), 1.0)
    return together, torch.maximum(hockey_stick(p1, q1, 0.5), hockey_stick(p2, q2, 0.5))


@claim("privacy/true-subsampling", identity(), cite="Balle, Barthe and Gaboardi 2018, Theorem 2")
def subsampling(forall):
    """H_e'((1 - q) Q + q P || Q) = q H_eps(P || Q) for e^e' = 1 + q (e^eps - 1)."""
    p, q = forall.simplex("P", 5), forall.simplex("Q", 5)
    eps, share = forall.interval("eps", 0.0, 3.0), forall.interval("q", 0.0, 1.0)
    ratio = 1.0 + share * (eps.exp() - 1.0)
    mixed = torch.lerp(q, p, share[:, None])
    amplified = torch.relu(mixed - ratio[:, None] * q).sum(-1)
    return amplified, share * torch.relu(p - eps.exp()[:, None] * q).sum(-1)


@claim(
    "privacy/true-postprocessing",
    always(),
    over=grid(alpha=[0.5, 2.0, 7.0]),
    cite="van Erven and Harremoes 2014, Theorem 9",
)
def postprocessing(forall, *, alpha):
    """D_a(K P || K Q) <= D_a(P || Q) for a Markov kernel K."""
    p, q, kernel = smooth(forall.simplex("P", 3)), smooth(forall.simplex("Q", 3)), forall.simplex("K", 3, 3)
    after = [torch.einsum("bi,bij->bj", x, smooth(kernel, 0.01)) for x in (p, q)]
    return renyi(*after, alpha), renyi(p, q, alpha)


@claim(
    "privacy/plain-renyi-triangle",
    always(),
    cite="Mironov 2017, Proposition 11, without its factors",
    expected="refuted",
)
def renyi_triangle(forall):
    """D_2(P || R) <= D_2(P || Q) + D_2(Q || R)."""
    p, q, r = (smooth(forall.simplex(name, 3)) for name in "PQR")
    return renyi(p, r, 2.0), renyi(p, q, 2.0) + renyi(q, r, 2.0)


@claim("privacy/true-renyi-triangle", always(), cite="Mironov 2017, Corollary 4")
def renyi_weak_triangle(forall):
    """D_2(P || R) <= 3/2 D_4(P || Q) + D_3(Q || R), the weak triangle inequality."""
    p, q, r = (smooth(forall.simplex(name, 3)) for name in "PQR")
    return renyi(p, r, 2.0), 1.5 * renyi(p, q, 4.0) + renyi(q, r, 3.0)


@claim(
    "privacy/subtle-renyi-convex",
    always(),
    cite="van Erven and Harremoes 2014, Theorem 11, beyond order 1",
    expected="refuted",
)
def renyi_convex(forall):
    """D_10 is jointly convex at the middle of two pairs."""
    p, q, r, s = (smooth(forall.simplex(name, 2), 0.02) for name in "PQRS")
    middle = renyi((p + r) / 2.0, (q + s) / 2.0, 10.0)
    return middle, (renyi(p, q, 10.0) + renyi(r, s, 10.0)) / 2.0


@claim(
    "privacy/true-advanced-composition",
    high_probability("delta"),
    over=grid(k=[10, 40], eps=[0.1, 0.5], delta=[0.01, 0.1]),
    cite="Dwork, Rothblum and Vadhan 2010",
)
def advanced_composition(draw, *, k, eps, delta):
    """The privacy loss of k randomised responses is at most k eps tanh(eps/2) + eps sqrt(2 k log(1/delta))."""
    loss = eps * (2.0 * draw.bernoulli("kept", RandomisedResponse(eps).keep, k) - 1.0)
    return loss.sum(-1), k * eps * math.tanh(eps / 2.0) + eps * math.sqrt(2.0 * k * math.log(1.0 / delta))


@claim(
    "privacy/plain-group-linear",
    up_to_constant("n"),
    over=grid(n=[2, 4, 8, 16, 32]),
    cite="as if the factor of a group were linear in its size",
    expected="refuted",
)
def group_linear(forall, *, n):
    """The ratio of probabilities over n steps of 1/2-privacy is at most C n."""
    steps = forall.interval("eps", 0.0, 0.5, n)
    return steps.sum(-1).exp(), float(n)


@claim("privacy/true-birthday", tail(), over=grid(n=[7, 20], k=[3, 4]), cite="Mitzenmacher and Upfal 2005, 5.1")
def birthday(draw, *, n, k):
    """P(k birthdays among n days all differ) <= exp(-k (k - 1) / (2 n))."""
    days = draw.categorical("day", [1.0 / n] * n, k)
    ordered = days.sort(-1).values
    return (ordered.diff(dim=-1) != 0).all(-1), math.exp(-k * (k - 1) / (2 * n))


@claim(
    "privacy/subtle-birthday",
    tail(),
    over=grid(n=[10], k=[4]),
    cite="folklore, with k^2 for k (k - 1)",
    expected="refuted",
)
def birthday_square(draw, *, n, k):
    """P(k birthdays among n days all differ) <= exp(-k^2 / (2 n))."""
    days = draw.categorical("day", [1.0 / n] * n, k)
    ordered = days.sort(-1).values
    return (ordered.diff(dim=-1) != 0).all(-1), math.exp(-(k**2) / (2 * n))


@claim("privacy/true-birthday-uniform", always(), cite="Munford 1977")
def birthday_uniform(forall):
    """Four draws from any law on six days all differ at most as often as from the uniform one."""
    p = forall.simplex("p", 6)
    distinct = sum(torch.stack([p[:, i] for i in subset]).prod(0) for subset in itertools.combinations(range(6), 4))
    return math.factorial(4) * distinct, math.prod(1.0 - i / 6.0 for i in range(4))


@claim("privacy/true-fingerprint", always(), over=grid(p=[7, 13], degree=[2, 3]), cite="Schwartz 1980; Zippel 1979")
def fingerprint(forall, *, p, degree):
    """Two different polynomials of degree d agree at no more than d of the p points of a prime field."""
    a, b = forall.integers("a", 0, p - 1, degree + 1).long(), forall.integers("b", 0, p - 1, degree + 1).long()
    forall.assume((a != b).any(-1))
    r = torch.arange(p)
    values = []
    for poly in (a, b):
        value = torch.zeros(len(poly), p, dtype=torch.long)
        for c in poly.unbind(-1):
            value = (value * r + c[:, None]) % p
        values.append(value)
    return (values[0] == values[1]).sum(-1).double(), float(degree)


def shares(secret, coefficients, points, p):
    value = torch.zeros(len(secret), len(points), dtype=torch.long)
    for c in [*coefficients.unbind(-1), secret]:
        value = (value * points + c[:, None]) % p
    return value


def interpolate_at_zero(x, y, p):
    total = torch.zeros_like(y[:, 0])
    for i in range(y.shape[-1]):
        top, bottom = torch.ones_like(total), torch.ones_like(total)
        for j in range(y.shape[-1]):
            if i != j:
                top, bottom = top * -x[:, j] % p, bottom * (x[:, i] - x[:, j]) % p
        inverse = torch.ones_like(bottom)
        for _ in range(p - 2):
            inverse = inverse * bottom % p
        total = (total + y[:, i] * top * inverse) % p
    return total


@claim("privacy/true-shamir", identity(), over=grid(p=[11, 23]), cite="Shamir 1979")
def shamir(forall, *, p):
    """Any three of five shares of a polynomial of degree two give back the secret."""
    secret = forall.integers("s", 0, p - 1).long()
    coefficients = forall.integers("c", 0, p - 1, 2).long()
    who = forall.permutation("who", 5).long()[:, :3]
    points = torch.arange(1, 6)
    y = shares(secret, coefficients, points, p).gather(-1, who)
    return interpolate_at_zero(who + 1, y, p).double(), secret.double()


@claim(
    "privacy/plain-shamir", identity(), over=grid(p=[11]), cite="Shamir 1979, with a share too few", expected="refuted"
)
def shamir_short(forall, *, p):
    """Any two of five shares of a polynomial of degree two give back the secret."""
    secret = forall.integers("s", 0, p - 1).long()
    coefficients = forall.integers("c", 0, p - 1, 2).long()
    who = forall.permutation("who", 5).long()[:, :2]
    points = torch.arange(1, 6)
    y = shares(secret, coefficients, points, p).gather(-1, who)
    return interpolate_at_zero(who + 1, y, p).double(), secret.double()


@claim(
    "privacy/subtle-leftover-hash",
    always(),
    over=grid(n=[2]),
    cite="Impagliazzo, Levin and Luby 1989, with a constant too small",
    expected="refuted",
)
def leftover_hash_small(forall, *, n):
    """E_a |P(<a, X> = 0) - P(<a, X> = 1)| <= .97 sqrt(sum p^2) for a random mask a."""
    p = forall.simplex("p", 2**n)
    bits = every.vectors(2, n, like=p).long()
    parity = (bits @ bits.T) % 2
    bias = (p[:, None, :] * (1.0 - 2.0 * parity.double())).sum(-1).abs()
    return bias.mean(-1), 0.97 * (p**2).sum(-1).sqrt()


PROOFS = {
    "privacy/true-subsampling": ("(1 - q) Q + q P - (1 + q (e^eps - 1)) Q = q (P - e^eps Q)."),
    "privacy/true-postprocessing": ("Data processing, by joint convexity of the f-divergence behind it."),
    "privacy/true-renyi-triangle": ("Cauchy and Schwarz for P^2 / R = (P^2 / Q^(3/2)) (Q^(3/2) / R)."),
    "privacy/true-advanced-composition": ("Hoeffding for k losses in [-eps, eps] of mean eps tanh(eps / 2)."),
    "privacy/true-birthday": ("1 - i / n <= exp(-i / n), multiplied."),
    "privacy/true-birthday-uniform": ("The elementary symmetric polynomial is Schur concave."),
    "privacy/true-fingerprint": ("The difference has at most as many roots as its degree."),
    "privacy/true-shamir": ("Lagrange interpolation over the field."),
}

WITNESSES = {
    "privacy/plain-composition-max": {
        "params": {},
        "values": {"P1": [0.5, 0.5], "Q1": [0.0, 1.0], "P2": [0.5, 0.5], "Q2": [0.0, 1.0]},
        "why": "3/4 against 1/2",
    },
    "privacy/plain-renyi-triangle": {
        "params": {},
        "values": {"P": [1.0, 0.0, 0.0], "Q": [0.5, 0.5, 0.0], "R": [0.0, 1.0, 0.0]},
        "why": "a path of two steps is shorter",
    },
    "privacy/subtle-renyi-convex": {
        "params": {},
        "values": {"P": [0.0, 1.0], "Q": [0.0, 1.0], "R": [1.0, 0.0], "S": [0.0, 1.0]},
        "why": "1.669 times the mean of the two",
    },
    "privacy/plain-group-linear": {
        "params": [{"n": n} for n in (2, 4, 8, 16, 32)],
        "values": [{"eps": [0.5] * n} for n in (2, 4, 8, 16, 32)],
        "why": "e^(n/2) / n",
    },
    "privacy/subtle-birthday": {"params": {"n": 10, "k": 4}, "values": {}, "probability": 0.504, "why": ".504 > .449"},
    "privacy/plain-shamir": {
        "params": {"p": 11},
        "values": {"s": 0, "c": [1, 0], "who": [0.1, 0.2, 0.3, 0.4, 0.5]},
        "why": "the line through (1, 1) and (2, 4) is at -2",
    },
    "privacy/subtle-leftover-hash": {
        "params": {"n": 2},
        "values": {"p": [1.0, 0.0, 0.0, 0.0]},
        "why": "1 against .97 at a point",
    },
}
