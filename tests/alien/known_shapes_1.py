"""Alien claims, known: rates and asymptotics; see README.md."""

import math

import torch

from harness import Estimate, Row, claim, grid, rate, reproduction, up_to_constant

N = [16, 32, 64, 128, 256, 512, 1024]


@claim(
    "shapes/true-harmonic",
    rate("n", -1.0, at="exactly"),
    over=grid(n=N),
    cite="Graham, Knuth, Patashnik 1994, chapter 9",
)
def true_harmonic(*, n):
    """H_n - log n - gamma is of order 1/n exactly."""
    h = sum(1 / k for k in range(1, n + 1))
    return torch.tensor([h - math.log(n) - 0.5772156649015329], dtype=torch.float64)


@claim(
    "shapes/true-max-normal",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024]),
    cite="Boucheron, Lugosi, Massart 2013, Theorem 2.5",
)
def true_max_normal(draw, *, n):
    """E max of n normals <= C sqrt(log n)."""
    return draw.normal("z", n).amax(-1), math.sqrt(math.log(n))


@claim(
    "shapes/true-min-gap",
    rate("n", -2.0, at="exactly"),
    over=grid(n=[4, 8, 16, 32, 64, 128]),
    cite="Pyke 1965 (spacings)",
)
def true_min_gap(draw, *, n):
    """The smallest gap between n uniform numbers is of order n^-2 exactly."""
    return draw.uniform("u", n).sort(-1).values.diff(dim=-1).amin(-1)


@claim(
    "shapes/plain-min-gap-fast",
    rate("n", -2.5),
    over=grid(n=[4, 8, 16, 32, 64, 128]),
    expected="refuted",
    cite="Pyke 1965 (spacings), with n^-2.5 for n^-2",
)
def plain_min_gap_fast(draw, *, n):
    """The smallest gap between n uniform numbers is of order n^-2.5."""
    return draw.uniform("u", n).sort(-1).values.diff(dim=-1).amin(-1)


@claim(
    "shapes/plain-clipped-cauchy",
    rate("n", -0.5),
    over=grid(n=N),
    expected="refuted",
    cite="the rate of finite variance, for a variance that grows with n",
)
def plain_clipped_cauchy(draw, *, n):
    """E |mean of n Cauchy variables, each clipped to [-n, n]| is of order n^-1/2."""
    x = torch.tan(math.pi * (draw.uniform("u", n) - 0.5)).clamp(-n, n)
    return x.mean(-1).abs()


@claim(
    "shapes/true-worst-coin",
    rate("n", -0.5, at="exactly"),
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
    cite="de Moivre 1730; Diaconis and Zabell 1991",
)
def true_worst_coin(forall, draw, *, n):
    """max_p E |mean of n coins - p| is of order n^-1/2 exactly."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs()


@claim("shapes/plain-coupons", reproduction(tolerance=0.05), cite="a lecture", expected="refuted")
def plain_coupons(draw):
    """Collecting six coupons takes 14.3 draws (it is 14.7)."""
    u = draw.uniform("u", 3000, 6)
    p = torch.arange(1, 7, dtype=torch.float64) / 6
    steps = (torch.log(u) / torch.log1p(-p.clamp_max(1 - 1e-300))).floor() + 1
    steps[..., -1] = 1
    return [Row("six", Estimate.mean(steps.sum(-1).mean(-1)), printed=14.3)]


@claim(
    "shapes/true-gini",
    up_to_constant("n"),
    over=grid(n=[4, 8, 16, 32, 64]),
    cite="David and Nagaraja 2003 (Gini's mean difference)",
)
def true_gini(forall, *, n):
    """sum_{i<j} |x_i - x_j| <= C n^(3/2) |x|."""
    x = forall.ball("x", n)
    return (x[:, :, None] - x[:, None, :]).abs().sum((-1, -2)) / 2, n**1.5 * x.norm(dim=-1)


PROOFS = {
    "shapes/true-harmonic": (
        "Euler and Maclaurin: H_n - log n - gamma lies between 1 / (2 n) - 1 / (12 n^2) and 1 / (2 n)."
    ),
    "shapes/true-max-normal": (
        "E max <= log(n E e^(s z)) / s = log(n) / s + s / 2 = sqrt(2 log n) at s = sqrt(2 log n), so C = sqrt 2."
    ),
    "shapes/true-min-gap": "P(all n - 1 inner gaps > t) = (1 - (n - 1) t)^n, whose integral is 1 / (n^2 - 1).",
    "shapes/true-worst-coin": (
        "E |mean - p| <= sqrt(p (1 - p) / n) <= 1 / (2 sqrt n), and at p = 1/2 sqrt(n) E |mean - p| -> 1 / sqrt(2 pi)"
        " > 0."
    ),
    "shapes/true-gini": (
        "The sum is sum_i (2 i - n - 1) x_(i) <= sqrt(n (n^2 - 1) / 3) |x| by Cauchy and Schwarz, so C = 1 / sqrt 3."
    ),
}

WITNESSES = {
    "shapes/plain-min-gap-fast": {
        "params": {},
        "values": {},
        "exponent": -2.0,
        "why": "E min gap = 1 / (n^2 - 1) exactly.",
    },
    "shapes/plain-clipped-cauchy": {
        "params": {},
        "values": {},
        "exponent": 0.0,
        "why": "the mean of n clipped variables has a limit law that is not 0 (means by Fourier inversion).",
    },
    "shapes/plain-coupons": {
        "params": {},
        "values": {},
        "row": "six",
        "ours": 14.7,
        "why": "6 (1 + 1/2 + ... + 1/6) = 14.7, printed 14.3.",
    },
}
