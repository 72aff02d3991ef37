"""Alien claims, known: programs as practitioners write them (3); see README.md."""

import math

import numpy as np
import torch

from harness import always, claim, every, grid, identity, tail


def rows(function, *tensors):
    """The function of numpy arrays, instance by instance."""
    count = max(len(t) for t in tensors)
    arrays = [t.detach().numpy() for t in tensors]
    return torch.tensor(
        [float(function(*(a[i if len(a) > 1 else 0] for a in arrays))) for i in range(count)], dtype=torch.float64
    )


class Hedge:
    """Exponential weights."""

    def __init__(self, losses, rate):
        self.total = torch.zeros_like(losses[:, 0])
        self.own = torch.zeros_like(losses[:, 0, 0])
        self.rate = rate

    def step(self, loss):
        weights = torch.softmax(-self.rate * self.total, -1)
        self.own = self.own + (weights * loss).sum(-1)
        self.total = self.total + loss

    def regret(self):
        return self.own - self.total.amin(-1)


def hedge_regret(losses):
    steps, experts = losses.shape[1:]
    learner = Hedge(losses, math.sqrt(8.0 * math.log(experts) / steps))
    for t in range(steps):
        learner.step(losses[:, t])
    return learner.regret()


def bellman(value, move, reward, gamma):
    """max over a of r(s, a) + gamma sum P(s' | s, a) V(s')."""
    return (reward + gamma * (move * value[:, None, None, :]).sum(-1)).amax(-1)


def decision_process(forall, states=3, actions=2):
    move = forall.simplex("P", states, actions, states)
    return move, forall.interval("r", 0.0, 1.0, states, actions)


def conjugate_gradients(a, b, steps):
    """Hestenes and Stiefel's method from zero; stops where the residual is zero."""
    x, r = np.zeros_like(b), b.copy()
    p, rr = r.copy(), r @ r
    for _ in range(steps):
        if rr == 0.0:
            break
        ap = a @ p
        alpha = rr / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        rr, old = r @ r, rr
        p = r + rr / old * p
    return x


def definite(forall, n, low=0.2):
    return forall.psd("A", n, trace=1.0) + low * torch.eye(n, dtype=torch.float64)


def heron(a, x, tolerance):
    """Newton's method for the square root until a step is short."""
    while True:
        new = 0.5 * (x + a / x)
        if abs(new - x) <= tolerance:
            return new
        x = new


def descend(a, x, steps, rate=1.0):
    for _ in range(steps):
        x = x - rate * (a @ x[:, :, None])[:, :, 0]
    return 0.5 * torch.einsum("bi,bij,bj->b", x, a, x)


def metropolis(target, proposal, *, corrected=True):
    """The transition matrix; corrected by the ratio of proposals (Hastings)."""
    n = target.shape[-1]
    flow = target[:, :, None] * proposal if corrected else target[:, :, None] * torch.ones(n, n, dtype=torch.float64)
    accept = torch.clamp(flow.mT / flow, max=1.0)
    move = proposal * accept * (1.0 - torch.eye(n, dtype=torch.float64))
    return move + torch.diag_embed(1.0 - move.sum(-1))


def permutation_p_value(x, split, *, strict=False):
    """The share of all splits whose first group has a sum at least (strict: larger than) that observed."""
    n = x.shape[-1]
    masks = every.signs(n, like=x)
    masks = (masks[masks.sum(-1) == 2 * split - n] + 1.0) / 2.0
    sums = x @ masks.mT
    observed = x[:, :split].sum(-1, keepdim=True)
    return ((sums > observed) if strict else (sums >= observed)).double().mean(-1)


def conformal_threshold(scores, rank):
    return scores.sort(-1).values[..., rank - 1]


@claim("programs/true-hedge", always(), cite="Cesa-Bianchi and Lugosi 2006, Theorem 2.2", over=grid(steps=[2, 8]))
def hedge(forall, *, steps):
    """Exponential weights lose at most sqrt(T log N / 2) more than the best of N experts."""
    return hedge_regret(forall.interval("loss", 0.0, 1.0, steps, 3)), math.sqrt(steps * math.log(3.0) / 2.0)


@claim("programs/true-value-iteration", always(), cite="Puterman 1994, Proposition 6.2.4", over=grid(gamma=[0.5, 0.9]))
def value_iteration(forall, *, gamma):
    """k steps of value iteration bring two functions closer by gamma^k."""
    move, reward = decision_process(forall)
    v, w = forall.interval("V", -1.0, 1.0, 3), forall.interval("W", -1.0, 1.0, 3)
    start = (v - w).abs().amax(-1)
    for _ in range(3):
        v, w = bellman(v, move, reward, gamma), bellman(w, move, reward, gamma)
    return (v - w).abs().amax(-1), gamma**3 * start


@claim(
    "programs/subtle-value-iteration",
    always(),
    over=grid(gamma=[0.9]),
    expected="refuted",
    cite="Puterman 1994, Proposition 6.2.4",
)
def value_iteration_less(forall, *, gamma):
    """Three steps of value iteration bring two functions closer by 0.99 gamma^3."""
    move, reward = decision_process(forall)
    v, w = forall.interval("V", -1.0, 1.0, 3), forall.interval("W", -1.0, 1.0, 3)
    start = (v - w).abs().amax(-1)
    for _ in range(3):
        v, w = bellman(v, move, reward, gamma), bellman(w, move, reward, gamma)
    return (v - w).abs().amax(-1), 0.99 * gamma**3 * start


@claim("programs/true-conjugate-gradients", identity(), cite="Hestenes and Stiefel 1952")
def conjugate_gradients_exact(forall):
    """Conjugate gradients solve four equations in four steps: b'x = b'A^-1 b."""
    a, b = definite(forall, 4), forall.ball("b", 4)
    ours = rows(lambda a, b: b @ conjugate_gradients(a, b, 4), a, b)
    return ours, (b * torch.linalg.solve(a, b[:, :, None])[:, :, 0]).sum(-1)


@claim("programs/plain-conjugate-gradients", identity(), expected="refuted", cite="Hestenes and Stiefel 1952")
def conjugate_gradients_short(forall):
    """Three steps are enough for the first four digits."""
    a, b = definite(forall, 4, 0.05), forall.sphere("b", 4)
    ours = rows(lambda a, b: b @ conjugate_gradients(a, b, 3), a, b)
    exact = (b * torch.linalg.solve(a, b[:, :, None])[:, :, 0]).sum(-1)
    return torch.relu((ours - exact).abs() - 1e-4 * exact), torch.zeros_like(exact)


@claim("programs/true-cg-rate", always(), cite="Golub and Van Loan 2013, Theorem 11.3.3", over=grid(steps=[1, 2]))
def conjugate_gradients_rate(forall, *, steps):
    """|x - x_k|_A <= 2 ((sqrt K - 1) / (sqrt K + 1))^k |x|_A for the condition K."""
    a, x = definite(forall, 3), forall.ball("x", 3)
    ours = torch.stack(
        [
            torch.from_numpy(conjugate_gradients(m, m @ v, steps))
            for m, v in zip(a.detach().numpy(), x.detach().numpy(), strict=True)
        ]
    )
    error = x - ours
    values = torch.linalg.eigvalsh(a)
    root = (values[:, -1] / values[:, 0]).sqrt()
    size = torch.einsum("bi,bij,bj->b", x, a, x).sqrt()
    return torch.einsum("bi,bij,bj->b", error, a, error).sqrt(), 2.0 * ((root - 1.0) / (root + 1.0)) ** steps * size


@claim("programs/true-heron", always(), cite="Burden and Faires 2010, 2.3", over=grid(tolerance=[0.1, 0.001]))
def heron_stops(forall, *, tolerance):
    """Stopped at a step below the tolerance, Newton's square root is as close to the root."""
    a, x = forall.interval("a", 0.01, 4.0), forall.interval("x", 0.1, 4.0)
    return (rows(lambda a, x: heron(a, x, tolerance), a, x) - a.sqrt()).abs(), tolerance


@claim("programs/true-gradient-descent", always(), cite="Nesterov 2004, Corollary 2.1.2", over=grid(steps=[1, 3, 9]))
def gradient_descent(forall, *, steps):
    """f(x_k) - f* <= |x_0 - x*|^2 / (2 k) for steps of length 1 / L, L = 1."""
    a, x = forall.psd("A", 3, trace=1.0), forall.ball("x", 3)
    return descend(a, x, steps), x.square().sum(-1) / (2.0 * steps)


@claim(
    "programs/plain-gradient-descent",
    always(),
    over=grid(steps=[3]),
    expected="refuted",
    cite="Nesterov 2004, Corollary 2.1.2",
)
def gradient_descent_eighth(forall, *, steps):
    """f(x_k) - f* <= |x_0 - x*|^2 / (16 k) for steps of length 1 / L, L = 1."""
    a, x = forall.psd("A", 3, trace=1.0), forall.ball("x", 3)
    return descend(a, x, steps), x.square().sum(-1) / (16.0 * steps)


@claim("programs/subtle-long-steps", always(), expected="refuted", cite="Nesterov 2004, Corollary 2.1.2")
def long_steps(forall):
    """Steps of length 2.02 / L do not raise a quadratic function in three steps."""
    a, x = forall.psd("A", 3, trace=1.0), forall.ball("x", 3)
    return descend(a, x, 3, 2.02), descend(a, x, 0)


@claim("programs/true-frank-wolfe", always(), cite="Jaggi 2013, Theorem 1", over=grid(steps=[1, 5, 10]))
def frank_wolfe(forall, *, steps):
    """f(x_k) - f(y) <= 4 / (k + 2) for |x - b|^2 / 2 on the simplex and every y of it."""
    b, y = forall.ball("b", 4), forall.simplex("y", 4)
    x = torch.zeros_like(b) + torch.eye(4, dtype=torch.float64)[0]
    for k in range(steps):
        vertex = torch.nn.functional.one_hot((x - b).argmin(-1), 4).double()
        x = x + 2.0 / (k + 2.0) * (vertex - x)
    return 0.5 * (x - b).square().sum(-1) - 0.5 * (y - b).square().sum(-1), 4.0 / (steps + 2.0)


@claim("programs/true-sinkhorn", always(), cite="Birkhoff 1957; Franklin and Lorenz 1989")
def sinkhorn(forall):
    """A round of Sinkhorn's scaling contracts Hilbert's metric by tanh(D / 4)^2."""
    k, a, b = forall.interval("K", 0.2, 1.0, 3, 3), forall.simplex("a", 3) + 0.1, forall.simplex("b", 3) + 0.1
    u, v = forall.interval("u", 0.1, 1.0, 3), forall.interval("v", 0.1, 1.0, 3)

    def metric(x, y):
        ratio = (x / y).log()
        return ratio.amax(-1) - ratio.amin(-1)

    def scale(x):
        y = b / (k.mT @ x[:, :, None])[:, :, 0]
        return a / (k @ y[:, :, None])[:, :, 0]

    ratios = (k[:, :, :, None, None] * k[:, None, None]).log() - (
        k[:, :, None, None, :] * k.mT[:, None, :, :, None]
    ).log()
    width = ratios.flatten(1).amax(-1)
    return metric(scale(u), scale(v)), torch.tanh(width / 4.0) ** 2 * metric(u, v)


@claim("programs/true-metropolis-hastings", identity(), cite="Hastings 1970")
def metropolis_hastings(forall):
    """The target is stationary for Metropolis and Hastings' chain: E f stays."""
    p, q = forall.simplex("p", 4) + 0.05, forall.simplex("q", 4, 4) + 0.05
    p, q = p / p.sum(-1, keepdim=True), q / q.sum(-1, keepdim=True)
    f = torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)
    return ((p[:, None] @ metropolis(p, q))[:, 0] * f).sum(-1), (p * f).sum(-1)


@claim("programs/true-reservoir", identity(), cite="Vitter 1985, Algorithm R", over=grid(n=[4, 5]))
def reservoir(forall, *, n):
    """Over all random choices the mean of a reservoir of two is that of the stream."""
    x, total, count = forall.interval("x", 0.0, 1.0, n), 0.0, 0
    choices = [range(t + 1) for t in range(2, n)]
    for slots in np.ndindex(*(len(c) for c in choices)):
        kept = [0, 1]
        for t, slot in zip(range(2, n), slots, strict=True):
            if slot < 2:
                kept[slot] = t
        total, count = total + x[:, kept].mean(-1), count + 1
    return total / count, x.mean(-1)


@claim(
    "programs/true-permutation-test", tail(), cite="Lehmann and Romano 2005, Theorem 15.2.1", over=grid(level=[0.12])
)
def permutation_test(forall, draw, *, level):
    """P(p-value <= level) <= level for exchangeable whole numbers of any law."""
    x = draw.categorical("x", forall.simplex("P", 3), 6).double()
    return permutation_p_value(x, 3) <= level, level


@claim(
    "programs/plain-permutation-test",
    tail(),
    over=grid(level=[0.05]),
    expected="refuted",
    cite="Lehmann and Romano 2005, Theorem 15.2.1",
)
def permutation_test_strict(forall, draw, *, level):
    """So it is if only larger sums are counted."""
    x = draw.categorical("x", forall.simplex("P", 3), 6).double()
    return permutation_p_value(x, 3, strict=True) <= level, level


@claim("programs/true-conformal", tail(), cite="Vovk, Gammerman and Shafer 2005", over=grid(n=[9, 25], alpha=[0.15]))
def conformal(forall, draw, *, n, alpha):
    """The score of rank ceil((n + 1)(1 - alpha)) is exceeded with probability at most alpha."""
    law = forall.law("P", atoms=3)
    scores = draw.law("scores", law, n + 1)
    return scores[:, -1] > conformal_threshold(scores[:, :-1], math.ceil((n + 1) * (1.0 - alpha))), alpha


@claim(
    "programs/subtle-conformal-rank",
    tail(),
    over=grid(n=[8], alpha=[0.2]),
    expected="refuted",
    cite="Vovk, Gammerman and Shafer 2005",
)
def conformal_rank(draw, *, n, alpha):
    """So is the score of rank ceil(n (1 - alpha))."""
    scores = draw.normal("scores", n + 1)
    return scores[:, -1] > conformal_threshold(scores[:, :-1], math.ceil(n * (1.0 - alpha))), alpha


PROOFS = {
    "programs/true-hedge": "Hoeffding's lemma for the potential, with the best rate.",
    "programs/true-value-iteration": "The Bellman operator contracts by gamma in the largest norm.",
    "programs/true-conjugate-gradients": "Directions are conjugate, so that the residual is zero after n steps.",
    "programs/true-cg-rate": "Chebyshev's polynomials on the spectrum.",
    "programs/true-heron": (
        "The new error is (x - s)^2 / (2 x), the step |x - s| (x + s) / (2 x), which is no smaller."
    ),
    "programs/true-gradient-descent": "Corollary 2.1.2 of Nesterov, with L = 1.",
    "programs/true-frank-wolfe": "Jaggi's theorem with the curvature 2.",
    "programs/true-sinkhorn": (
        "A positive matrix contracts Hilbert's metric by tanh(D / 4), and so does its transpose."
    ),
    "programs/true-metropolis-hastings": "The flow min(p q, p' q') is symmetric.",
    "programs/true-reservoir": "Each item is kept with the same chance.",
    "programs/true-permutation-test": "The rank of the observed sum among all splits is exchangeable.",
    "programs/true-conformal": (
        "The last score is among the largest n + 1 - r with probability (n + 1 - r) / (n + 1) at most."
    ),
}


WITNESSES = {
    "programs/subtle-value-iteration": {
        "params": {"gamma": 0.9},
        "values": {
            "P": [
                [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
                [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            ],
            "r": [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
            "V": [0.0, 0.0, 0.0],
            "W": [1.0, 1.0, 1.0],
        },
        "why": "0.729 against 0.72171",
    },
    "programs/plain-conjugate-gradients": {
        "params": {},
        "values": {
            "A": [[0.9, 0.0, 0.0, 0.0], [0.0, 0.09, 0.0, 0.0], [0.0, 0.0, 0.01, 0.0], [0.0, 0.0, 0.0, 0.0]],
            "b": [0.5, 0.5, 0.5, 0.5],
        },
        "why": "0.023581 against 0",
    },
    "programs/plain-gradient-descent": {
        "params": {"steps": 3},
        "values": {"A": [[0.6, -0.3, 0.0], [-0.3, 0.3, 0.1], [0.0, 0.1, 0.1]], "x": [7e-11, 7e-11, 7e-11]},
        "why": "3.84544e-22 against 3.0625e-22",
    },
    "programs/subtle-long-steps": {
        "params": {},
        "values": {
            "A": [
                [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
                [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
                [0.3333333333333333, 0.3333333333333333, 0.3333333333333333],
            ],
            "x": [0.3, 0.3, 0.3],
        },
        "why": "0.152032 against 0.135",
    },
    "programs/plain-permutation-test": {
        "params": {"level": 0.05},
        "values": {"P": [1.0, 0.0, 0.0]},
        "probability": 1.0,
        "why": "equal numbers have the p-value zero",
    },
    "programs/subtle-conformal-rank": {
        "params": {"n": 8, "alpha": 0.2},
        "values": {},
        "probability": 0.2222222222222222,
        "why": "2/9 against 1/5",
    },
}
