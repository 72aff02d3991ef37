"""Alien claims, aside: control, information, experiments, bandits, games; see README.md."""

import itertools
import math

import torch

from harness import Estimate, Row, always, claim, grid, identity, reproduction, tail


def value(transitions, rewards, discount):
    """(I - discount P)^-1 r, batched."""
    eye = torch.eye(transitions.shape[-1], dtype=torch.float64)
    return torch.linalg.solve(eye - discount[:, None, None] * transitions, rewards[..., None])[..., 0]


@claim("agents/true-simulation-lemma", always(), cite="Lobel and Parr 2024")
def true_simulation_lemma(forall):
    """|V - V'| <= g e / ((1 - g) (1 - g (1 - e))) where rows of P and P' differ by e in total variation."""
    p, q = forall.simplex("P", 3, 3), forall.simplex("P'", 3, 3)
    r, g = forall.interval("r", 0.0, 1.0, 3), forall.interval("g", 0.0, 0.95)
    e = 0.5 * (p - q).abs().sum(-1).amax(-1)
    return (value(p, r, g) - value(q, r, g)).abs().amax(-1), g * e / ((1.0 - g) * (1.0 - g * (1.0 - e)))


@claim("agents/true-effective-horizon", always(), cite="Kearns, Mansour and Ng 2002")
def true_effective_horizon(forall):
    """g^H <= e for the horizon H = ceil(log(1/e) / (1 - g))."""
    g, e = forall.interval("g", 0.0, 0.999), forall.interval("e", 0.001, 1.0)
    return g ** ((1.0 / e).log() / (1.0 - g)).ceil(), e


@claim(
    "agents/subtle-horizon-rounded",
    always(),
    expected="refuted",
    cite="Kearns, Mansour and Ng 2002, with the nearest whole number",
)
def subtle_horizon_rounded(forall):
    """g^H <= e for the horizon H = log(1/e) / (1 - g), rounded to the nearest whole number."""
    g, e = forall.interval("g", 0.0, 0.999), forall.interval("e", 0.001, 0.4)
    return g ** ((1.0 / e).log() / (1.0 - g)).round(), e


@claim("agents/true-riccati-optimal", always(), cite="Kalman 1960")
def true_riccati_optimal(forall):
    """One step of the Riccati recursion costs no more than any control u."""
    a, b = forall.interval("A", -1.0, 1.0, 2, 2), forall.interval("B", -1.0, 1.0, 2)
    p, q = forall.psd("P", 2), forall.psd("Q", 2)
    x, u = forall.ball("x", 2), forall.interval("u", -2.0, 2.0)
    ax = (a @ x[..., None])[..., 0]

    def form(m, y):
        return (y[:, None, :] @ m @ y[..., None])[:, 0, 0]

    pb = (p @ b[..., None])[..., 0]
    best = form(q, x) + form(p, ax) - (pb * ax).sum(-1) ** 2 / (1.0 + (pb * b).sum(-1))
    return best, form(q, x) + u**2 + form(p, ax + b * u[:, None])


@claim("agents/true-jury", always(), cite="Jury 1964")
def true_jury(forall):
    """The roots of z^2 + a z + b lie in the unit disc where |a| <= 1 + b and b <= 1."""
    a, b = forall.interval("a", -2.0, 2.0), forall.interval("b", -1.0, 1.0)
    forall.assume(a.abs() <= 1.0 + b)
    root = torch.sqrt(torch.complex(a**2 - 4.0 * b, torch.zeros_like(a)))
    return torch.maximum(((-a + root) / 2.0).abs(), ((-a - root) / 2.0).abs()), 1.0


TWO_OF_FOUR = torch.tensor(
    [[1.0 if i in pair else 0.0 for i in range(4)] for pair in itertools.combinations(range(4), 2)],
    dtype=torch.float64,
)


@claim("agents/true-neyman-variance", identity(), cite="Neyman 1923")
def true_neyman_variance(forall):
    """The variance of the difference in means of 2 of 4 units is S1^2/2 + S0^2/2 - St^2/4."""
    y1, y0 = forall.interval("y1", -1.0, 1.0, 4), forall.interval("y0", -1.0, 1.0, 4)
    estimates = y1 @ TWO_OF_FOUR.mT / 2.0 - y0 @ (1.0 - TWO_OF_FOUR).mT / 2.0
    return estimates.var(-1, correction=0), y1.var(-1) / 2.0 + y0.var(-1) / 2.0 - (y1 - y0).var(-1) / 4.0


@claim("agents/true-ville-betting", tail(), cite="Ville 1939")
def true_ville_betting(forall, draw):
    """A gambler who bets a share on fair coins ever has 1/alpha times the stake with probability at most alpha."""
    share, alpha = forall.interval("share", -1.0, 1.0), forall.interval("alpha", 0.02, 1.0)
    coins = draw.signs("e", 10)
    wealth = (1.0 + share[:, None] * coins).cumprod(-1)
    return wealth.amax(-1) >= 1.0 / alpha, alpha


@claim("agents/plain-bh-dependent", tail(), over=grid(a=[0.1]), expected="refuted", cite="Benjamini and Yekutieli 2001")
def plain_bh_dependent(draw, *, a):
    """Two true hypotheses are left alone by Benjamini and Hochberg with probability 1 - a, however they depend."""
    u = draw.uniform("u")
    mirrored = (u <= a / 2.0) | (u > 1.0 - a / 2.0)
    p, q = u, torch.where(mirrored, 1.0 - u, u)
    return (torch.minimum(p, q) <= a / 2.0) | (torch.maximum(p, q) <= a), a


@claim("agents/true-regret-matching", always(), cite="Hart and Mas-Colell 2000")
def true_regret_matching(forall):
    """The regret of regret matching with two experts of opposite losses is at most sqrt(T)."""
    rounds = 8
    adversary = forall.strategy("losses", rounds, 2)
    regret = torch.zeros(1, 2, dtype=torch.float64)
    for _ in range(rounds):
        loss = adversary.move()
        losses = torch.stack([loss, 1.0 - loss], -1)
        positive = regret.clamp_min(0.0)
        total = positive.sum(-1, keepdim=True)
        weights = torch.where(total > 0.0, positive / torch.where(total > 0.0, total, 1.0), 0.5)
        regret = regret + (weights * losses).sum(-1, keepdim=True) - losses
        adversary.answer((weights[:, 0] > 0.5).expand(len(loss)))
    return regret.amax(-1), math.sqrt(rounds)


@claim(
    "agents/plain-hedge-constant",
    always(),
    expected="refuted",
    cite="Cesa-Bianchi and Lugosi 2006, 2.2, with .35 for .589",
)
def plain_hedge_constant(forall):
    """The regret of Hedge over 6 rounds with two experts of opposite losses is at most 0.35 sqrt(6)."""
    rounds = 6
    eta = math.sqrt(8.0 * math.log(2.0) / rounds)
    adversary = forall.strategy("losses", rounds, 2)
    own, first = 0.0, 0.0
    for step in range(rounds):
        loss = adversary.move()
        lead = torch.as_tensor(step - 2.0 * first, dtype=torch.float64)
        weight = torch.sigmoid(eta * lead)
        own, first = own + weight * loss + (1.0 - weight) * (1.0 - loss), first + loss
        adversary.answer((lead > 0.0).expand(len(loss)))
    return own - torch.minimum(first, rounds - first), 0.35 * math.sqrt(rounds)


@claim("agents/true-auction-table", reproduction(tolerance=0.005), cite="Myerson 1981")
def true_auction_table(draw):
    """Two uniform bidders pay 0.333 in a second and a first price auction, and 0.417 with the reserve price 1/2."""
    v = draw.uniform("v", 4000, 2)
    low, high = v.amin(-1), v.amax(-1)
    reserve = torch.where(high >= 0.5, low.clamp_min(0.5), 0.0)
    return [
        Row("second price", Estimate.mean(low.mean(-1)), printed=0.333),
        Row("first price", Estimate.mean((high / 2.0).mean(-1)), printed=0.333),
        Row("reserve", Estimate.mean(reserve.mean(-1)), printed=0.417),
    ]


PROOFS = {
    "agents/true-simulation-lemma": (
        "Let c = min(P, P'), of mass >= 1 - e, and d = max (V - V'): P V - P' V' <= (1 - e) d + e / (1 - g) since"
        " 0 <= V, V' <= 1 / (1 - g), hence d (1 - g (1 - e)) <= g e / (1 - g); likewise for V' - V."
    ),
    "agents/true-effective-horizon": "g^H <= exp(-(1 - g) H) <= exp(-log(1/e)) = e; 0^0 = 1 only where e = 1.",
    "agents/true-riccati-optimal": (
        "The right side is a quadratic in u with leading coefficient 1 + b'Pb >= 1, minimised at -b'PAx / (1 + b'Pb)."
    ),
    "agents/true-jury": (
        "The closed triangle is the closure of the set where both roots lie in the open disc, and roots are continuous."
    ),
    "agents/true-neyman-variance": "Neyman 1923; Imbens and Rubin 2015, theorem 6.2.",
    "agents/true-ville-betting": (
        "The wealth is a nonnegative martingale that starts at 1: Ville; alpha = 1 is trivial."
    ),
    "agents/true-regret-matching": (
        "|R^+|^2 grows by at most |r|^2 = (l_1 - l_0)^2 (w_0^2 + w_1^2) <= 1 a round, as <R^+, r> = 0."
    ),
    "agents/true-auction-table": (
        "E min = 1/3, E max / 2 = 1/3, and with reserve 1/2: 2 (1/4) 1/2 + (1/4) (1/2 + 1/6) = 5/12."
    ),
}

WITNESSES = {
    "agents/subtle-horizon-rounded": {
        "params": {},
        "values": {"g": 0.9127, "e": 0.4},
        "why": "log(2.5) / 0.0873 = 10.4959 is rounded to 10, and 0.9127^10 = 0.4011 > 0.4.",
    },
    "agents/plain-bh-dependent": {
        "params": {"a": 0.1},
        "values": {},
        "probability": 0.15,
        "why": "rejected for u <= a and for u > 1 - a/2: probability 3 a / 2 = 0.15.",
    },
    "agents/plain-hedge-constant": {
        "params": {},
        "values": {"losses": [loss for t, loss in enumerate((0, 1, 0, 1, 0, 0)) for _ in range(2**t)]},
        "why": "along this path of losses the regret is 1.22339, and 0.35 sqrt(6) = 0.85732.",
    },
}
