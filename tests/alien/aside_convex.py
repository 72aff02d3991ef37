"""Alien claims, aside: divergences, envelopes, games, sums; see README.md."""

import math

import torch

from harness import (
    always,
    claim,
    expectation,
    grid,
    high_probability,
    identity,
)


def shrink(x, t):
    return torch.sign(x) * (x.abs() - t).clamp_min(0.0)


@claim("convex/true-pinsker", always(), cite="Pinsker 1964; Csiszar 1967; Kullback 1967")
def pinsker(forall):
    """|p - q|_1^2 / 2 <= KL(p, q)."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    kl = (torch.special.xlogy(p, p) - torch.special.xlogy(p, q)).sum(-1)
    return (p - q).abs().sum(-1) ** 2 / 2.0, kl


@claim("convex/true-envelope-is-huber", identity(), cite="Huber 1964; Moreau 1965")
def envelope(forall):
    """The Moreau envelope of |.| with parameter m is the Huber function divided by m."""
    x, m = forall.interval("x", -4.0, 4.0), forall.interval("m", 0.1, 2.0)
    p = shrink(x, m)
    huber = torch.where(x.abs() <= m, x**2 / (2.0 * m), x.abs() - m / 2.0)
    return p.abs() + (x - p) ** 2 / (2.0 * m), huber


@claim("convex/true-frank-wolfe-gap", always(), cite="Frank and Wolfe 1956; Jaggi 2013")
def frank_wolfe(forall):
    """f(x) - f(s) <= max_i <grad f(x), x - e_i> on the simplex for f = |A x - b|^2 / 2."""
    x, s = forall.simplex("x", 3), forall.simplex("s", 3)
    a, b = forall.interval("A", -1.0, 1.0, 2, 3), forall.interval("b", -1.0, 1.0, 2)

    def residual(v):
        return (a @ v[:, :, None])[:, :, 0] - b

    gradient = (a.mT @ residual(x)[:, :, None])[:, :, 0]
    gap = (gradient * x).sum(-1) - gradient.amin(-1)
    return residual(x).square().sum(-1) / 2.0 - residual(s).square().sum(-1) / 2.0, gap


@claim("convex/true-weak-minimax", always(), over=grid(n=[2, 4]), cite="von Neumann 1928")
def weak_minimax(forall, *, n):
    """min_j (p'A)_j <= max_i (A q)_i."""
    a, p, q = forall.interval("A", -1.0, 1.0, n, n), forall.simplex("p", n), forall.simplex("q", n)
    return (p[:, None, :] @ a)[:, 0].amin(-1), (a @ q[:, :, None])[:, :, 0].amax(-1)


@claim("convex/true-lovasz-cut", identity(), cite="Lovasz 1983")
def lovasz(forall):
    """The Lovasz extension of the cut function of a graph is its total variation."""
    graph, x = forall.graph("G", 5), forall.interval("x", -1.0, 1.0, 5)
    values, order = x.sort(dim=-1, descending=True)
    total = torch.zeros_like(x[:, 0])
    for k in range(1, 5):
        inside = torch.zeros_like(x).scatter(-1, order[:, :k], 1.0)
        cut = (inside[:, :, None] * graph * (1.0 - inside)[:, None, :]).sum((-1, -2))
        total = total + (values[:, k - 1] - values[:, k]) * cut
    return total, (graph * (x[:, :, None] - x[:, None, :]).abs()).sum((-1, -2)) / 2.0


@claim("convex/true-signs-subgaussian", expectation(range=(-math.inf, math.inf)), cite="Hoeffding 1963")
def subgaussian(forall, draw):
    """E exp <e, x> <= exp(|x|^2 / 2)."""
    x, e = forall.ball("x", 3, radius=2.0), draw.signs("e", 3)
    return (e * x).sum(-1).exp(), (x.square().sum(-1) / 2.0).exp()


@claim(
    "convex/true-support-function", high_probability("delta"), over=grid(n=[10, 40], delta=[0.1]), cite="McDiarmid 1989"
)
def support(draw, within, *, n, delta):
    """sup over unit u of the mean of <x_i, u> is at most (1 + sqrt(2 log(1/delta))) / sqrt n for points of the
    circle.
    """
    x, u = draw.sphere("x", n, 2), within.sphere("u", 2)
    return (x * u[:, None, :]).sum(-1).mean(-1), (1.0 + math.sqrt(2.0 * math.log(1.0 / delta))) / math.sqrt(n)


@claim(
    "convex/plain-hedge-no-variance",
    always(),
    expected="refuted",
    cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2, without its second term",
)
def hedge_no_variance(forall):
    """The regret of exponential weights is at most log N / eta."""
    loss, eta = forall.interval("loss", 0.0, 1.0, 4, 3), forall.interval("eta", 0.1, 4.0)
    weights = torch.softmax(-eta[:, None, None] * (loss.cumsum(1) - loss), dim=-1)
    return (weights * loss).sum((-1, -2)) - loss.sum(1).amin(-1), math.log(3.0) / eta


@claim("convex/subtle-softmax-495", always(), expected="refuted", cite="Gao and Pavel 2017, with .495 for 1/2")
def softmax_495(forall):
    """|softmax x - softmax y| <= .495 |x - y| in six dimensions."""
    x, y = forall.interval("x", -3.0, 3.0, 6), forall.interval("y", -3.0, 3.0, 6)
    return (torch.softmax(x, -1) - torch.softmax(y, -1)).norm(dim=-1), 0.495 * (x - y).norm(dim=-1)


@claim("convex/subtle-lattice-prox", always(), expected="refuted", cite="Archimedes; the fraction 355/113")
def lattice(forall):
    """The distance from k pi to the integers is at least .005 / k for k = 1 ... 5000."""
    k = forall.integers("k", 1, 5000)
    return 0.005 / k, (k * math.pi - torch.round(k * math.pi)).abs()


PROOFS = {
    "convex/true-pinsker": "Pinsker's inequality; where q_i = 0 < p_i the right side is +inf.",
    "convex/true-envelope-is-huber": "Insert the soft threshold in |p| + (x-p)^2/(2m).",
    "convex/true-frank-wolfe-gap": "Convexity: f(x)-f(s) <= <grad, x-s> <= max over vertices.",
    "convex/true-weak-minimax": "min_j (p'A)_j <= p'Aq <= max_i (Aq)_i.",
    "convex/true-lovasz-cut": "Each edge contributes the sum of gaps between the order positions of its ends.",
    "convex/true-signs-subgaussian": "cosh t <= exp(t^2/2).",
    "convex/true-support-function": "|mean|: E <= 1/sqrt n, McDiarmid with differences 2/n.",
}

WITNESSES = {
    "convex/plain-hedge-no-variance": {
        "params": {},
        "values": {"loss": [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "eta": 4.0},
        "why": "regret 1/3 > log(3)/4 = .2747",
    },
    "convex/subtle-softmax-495": {
        "params": {},
        "values": {"x": [3.0, 2.99, -3.0, -3.0, -3.0, -3.0], "y": [2.99, 3.0, -3.0, -3.0, -3.0, -3.0]},
        "why": "p near (1/2, 1/2, 0, ...)",
    },
    "convex/subtle-lattice-prox": {"params": {}, "values": {"k": 113}, "why": "355/113"},
}
