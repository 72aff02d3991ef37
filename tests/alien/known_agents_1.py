"""Alien claims, known: dynamic programming, control, off-policy evaluation, information; see README.md."""

import torch

from harness import always, claim, grid, identity, rate

POLICIES = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]])


def value(transitions, rewards, discount):
    """(I - discount P)^-1 r, batched."""
    eye = torch.eye(transitions.shape[-1], dtype=torch.float64)
    return torch.linalg.solve(eye - discount[:, None, None] * transitions, rewards[..., None])[..., 0]


def optimal_value(transitions, rewards, discount):
    """The best value of the four deterministic policies of two states and two actions."""
    best = []
    for policy in POLICIES:
        p = torch.stack([transitions[:, s, policy[s]] for s in range(2)], 1)
        r = torch.stack([rewards[:, s, policy[s]] for s in range(2)], 1)
        best.append(value(p, r, discount))
    return torch.stack(best).amax(0)


def greedy_loss(forall):
    """Loss of a greedy policy and distance of the value function that it is greedy for."""
    transitions = forall.simplex("P", 2, 2, 2)
    rewards, v = forall.interval("r", -1.0, 1.0, 2, 2), forall.interval("v", -1.0, 1.0, 2)
    discount = forall.interval("discount", 0.0, 0.9)
    q = rewards + discount[:, None, None] * (transitions * v[:, None, None, :]).sum(-1)
    second = q[:, :, 1] > q[:, :, 0]
    p = torch.where(second[:, :, None], transitions[:, :, 1], transitions[:, :, 0])
    r = torch.where(second, rewards[:, :, 1], rewards[:, :, 0])
    best = optimal_value(transitions, rewards, discount)
    loss = (best - value(p, r, discount)).amax(-1)
    return loss, discount * (v - best).abs().amax(-1) / (1.0 - discount)


@claim("agents/true-bellman-contraction", always(), cite="Blackwell 1965")
def true_bellman_contraction(forall):
    """|T v - T w| <= discount |v - w| in the largest entry, for the Bellman operator T."""
    p, r = forall.simplex("P", 3, 2, 3), forall.interval("r", -1.0, 1.0, 3, 2)
    v, w = forall.interval("v", -10.0, 10.0, 3), forall.interval("w", -10.0, 10.0, 3)
    discount = forall.interval("discount", 0.0, 1.0)

    def bellman(x):
        return (r + discount[:, None, None] * (p * x[:, None, None, :]).sum(-1)).amax(-1)

    return (bellman(v) - bellman(w)).abs().amax(-1), discount * (v - w).abs().amax(-1)


@claim("agents/true-mellowmax", always(), cite="Asadi and Littman 2017")
def true_mellowmax(forall):
    """Mellowmax is a non-expansion in the largest entry."""
    x, y = forall.interval("x", -1.0, 1.0, 5), forall.interval("y", -1.0, 1.0, 5)
    omega = forall.interval("omega", 0.05, 50.0)

    def mellowmax(z):
        return (omega[:, None] * z).exp().mean(-1).log() / omega

    return (mellowmax(x) - mellowmax(y)).abs(), (x - y).abs().amax(-1)


@claim("agents/plain-boltzmann", always(), over=grid(beta=[5.0]), expected="refuted", cite="Asadi and Littman 2017")
def plain_boltzmann(forall, *, beta):
    """The Boltzmann softmax operator is a non-expansion in the largest entry."""
    x, y = forall.interval("x", -1.0, 1.0, 3), forall.interval("y", -1.0, 1.0, 3)

    def boltzmann(z):
        return (torch.softmax(beta * z, -1) * z).sum(-1)

    return (boltzmann(x) - boltzmann(y)).abs(), (x - y).abs().amax(-1)


@claim("agents/true-performance-difference", identity(), cite="Kakade and Langford 2002")
def true_performance_difference(forall):
    """mu (V' - V) = sum_s d'(s) A(s, pi') with the discounted visits d' of pi' and the advantages A of pi."""
    p, r = forall.simplex("P", 3, 2, 3), forall.interval("r", -1.0, 1.0, 3, 2)
    old, new = forall.simplex("pi", 3, 2), forall.simplex("pi'", 3, 2)
    mu, g = forall.simplex("mu", 3), forall.interval("g", 0.0, 0.9)

    def chain(policy):
        return (policy[..., None] * p).sum(2), (policy * r).sum(-1)

    v, w = value(*chain(old), g), value(*chain(new), g)
    visits = value(chain(new)[0].mT, mu, g)
    q = r + g[:, None, None] * (p * v[:, None, None, :]).sum(-1)
    advantage = (new * q).sum(-1) - v
    return (mu * (w - v)).sum(-1), (visits * advantage).sum(-1)


@claim("agents/true-greedy-loss", always(), cite="Singh and Yee 1994")
def true_greedy_loss(forall):
    """V* - V(greedy for v) <= 2 g |v - V*| / (1 - g)."""
    loss, unit = greedy_loss(forall)
    return loss, 2.0 * unit


@claim("agents/subtle-greedy-loss", always(), expected="refuted", cite="Singh and Yee 1994, with 1.8 for their 2")
def subtle_greedy_loss(forall):
    """V* - V(greedy for v) <= 1.8 g |v - V*| / (1 - g)."""
    loss, unit = greedy_loss(forall)
    return loss, 1.8 * unit


@claim("agents/true-riccati-contraction", always(), cite="Bougerol 1993")
def true_riccati_contraction(forall):
    """|log f(p) - log f(s)| <= |log p - log s| for the scalar Riccati map f(p) = a^2 p r / (p + r) + q."""
    a, r, q = forall.interval("a", -2.0, 2.0), forall.interval("r", 0.01, 10.0), forall.interval("q", 0.001, 10.0)
    p, s = forall.interval("p", 0.001, 1000.0), forall.interval("s", 0.001, 1000.0)

    def riccati(x):
        return a**2 * x * r / (x + r) + q

    return (riccati(p).log() - riccati(s).log()).abs(), (p.log() - s.log()).abs()


@claim("agents/true-lyapunov-norm", always(), cite="Gahinet, Laub, Kenney and Hewer 1990")
def true_lyapunov_norm(forall):
    """|X| <= |Q| / (1 - |A|^2) for X = A X A' + Q."""
    a, q = forall.ball("A", 9, radius=0.95).reshape(-1, 3, 3), forall.psd("Q", 3)
    kron = torch.einsum("bij,bkl->bikjl", a, a).reshape(-1, 9, 9)
    eye = torch.eye(9, dtype=torch.float64)
    x = torch.linalg.solve(eye - kron, q.reshape(-1, 9, 1)).reshape(-1, 3, 3)

    def norm(m):
        return torch.linalg.matrix_norm(m, ord=2)

    return norm(x), norm(q) / (1.0 - norm(a) ** 2)


@claim("agents/true-joseph-form", identity(), cite="Bucy and Joseph 1968")
def true_joseph_form(forall):
    """u' ((I - K c') P (I - K c')' + r K K') v = u' (I - K c') P v for the Kalman gain K."""
    p, c, r = forall.psd("P", 2), forall.interval("c", -1.0, 1.0, 2), forall.interval("r", 0.01, 1.0)
    u, v = forall.sphere("u", 2), forall.sphere("v", 2)
    pc = (p @ c[..., None])[..., 0]
    gain = pc / ((pc * c).sum(-1) + r)[:, None]
    keep = torch.eye(2, dtype=torch.float64) - gain[:, :, None] * c[:, None, :]
    joseph = keep @ p @ keep.mT + r[:, None, None] * gain[:, :, None] * gain[:, None, :]

    def between(m):
        return (u[:, None, :] @ m @ v[..., None])[:, 0, 0]

    return between(joseph), between(keep @ p)


@claim("agents/true-garbling", always(), cite="Blackwell 1951")
def true_garbling(forall):
    """The value of a garbled experiment is at most that of the experiment."""
    prior, seen, garble = forall.simplex("prior", 3), forall.simplex("K", 3, 3), forall.simplex("G", 3, 2)
    utility = forall.interval("u", -1.0, 1.0, 3, 2)

    def worth(experiment):
        joint = prior[:, :, None] * experiment
        return (joint.mT @ utility).amax(-1).sum(-1)

    return worth(seen @ garble), worth(seen)


@claim(
    "agents/true-kalman-rate",
    rate("n", -1.0, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256, 512]),
    cite="Anderson and Moore 1979",
)
def true_kalman_rate(*, n):
    """The variance of a constant state after n noisy looks is of order 1/n exactly."""
    p = 3.0
    for _ in range(n):
        p = p - p**2 / (p + 2.0)
    return torch.tensor([p], dtype=torch.float64)


@claim("agents/true-wald-late", identity(), cite="Imbens and Angrist 1994")
def true_wald_late(forall):
    """The Wald ratio is the effect on compliers, where there are no defiers."""
    share = forall.simplex("share", 3)
    treated, control = forall.interval("y1", 0.0, 1.0, 2), forall.interval("y0", 0.0, 1.0, 2)
    complier, always_taker, never_taker = share.unbind(-1)
    rest = always_taker * treated[:, 1] + never_taker * control[:, 1]
    outcome1, outcome0 = complier * treated[:, 0] + rest, complier * control[:, 0] + rest
    dose1, dose0 = complier + always_taker, always_taker
    return (outcome1 - outcome0) / (dose1 - dose0), treated[:, 0] - control[:, 0]


PROOFS = {
    "agents/true-bellman-contraction": "max is a non-expansion, and rows of P average: |T v - T w| <= g |v - w|.",
    "agents/true-mellowmax": "The gradient of mellowmax is a softmax, whose entries are >= 0 and add up to 1.",
    "agents/true-performance-difference": (
        "w - v = (I - g P')^-1 (r' + g P' v - v) and r' + g P' v - v is the advantage of pi' over v, state by state."
    ),
    "agents/true-greedy-loss": "Singh and Yee 1994: any policy that is greedy for v, ties broken in any way.",
    "agents/true-riccati-contraction": (
        "d log f / d log p = a^2 p r^2 / (p+r)^2 / (a^2 p r / (p+r) + q) <= r / (p+r) <= 1."
    ),
    "agents/true-lyapunov-norm": "X = sum A^k Q A'^k, so |X| <= |Q| sum |A|^(2 k), and |A| <= |A|_F <= 0.95.",
    "agents/true-joseph-form": (
        "(I - K c') P c = r K since K (c'Pc + r) = P c, so the Joseph form is (I - K c') P - r K K' + r K K'."
    ),
    "agents/true-garbling": "A maximum of an average (over signals, weights G) is at most the average of the maxima.",
    "agents/true-kalman-rate": "1/p grows by 1/2 a look, so p = 1 / (1/3 + n/2).",
    "agents/true-wald-late": "The numerator is c (y1 - y0), the denominator c; where c = 0 nothing is claimed (0/0).",
}

WITNESSES = {
    "agents/plain-boltzmann": {
        "params": {"beta": 5.0},
        "values": {"x": [0.4, 0.0, 0.0], "y": [0.5, 0.0, 0.0]},
        "why": "the slope p (1 + beta (x_1 - boltz)) is above 1 near (0.45, 0, 0).",
    },
    "agents/subtle-greedy-loss": {
        "params": {},
        "values": {
            "P": [[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]],
            "r": [[0.0, -0.95], [0.0, 0.0]],
            "v": [1.0, -1.0],
            "discount": 0.5,
        },
        "why": "V* = 0; Q(1, go) = -0.5, Q(1, stay) = -0.45: greedy stays, V = -0.95 / 0.5 = -1.9 < -1.8.",
    },
}
