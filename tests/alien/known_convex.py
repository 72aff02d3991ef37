"""Alien claims, known: conjugates, proximal maps, regret, softmax, entropies; see README.md."""

import math

import torch

from harness import (
    always,
    claim,
    grid,
    high_probability,
    identity,
    rate,
    up_to_constant,
)


def shrink(x, t):
    return torch.sign(x) * (x.abs() - t).clamp_min(0.0)


@claim("convex/true-fenchel-young-exp", always(), cite="Fenchel 1949")
def fenchel_young(forall):
    """x y <= e^x + y log y - y for y >= 0."""
    x, y = forall.interval("x", -5.0, 5.0), forall.interval("y", 0.0, 5.0)
    return x * y, x.exp() + torch.special.xlogy(y, y) - y


@claim("convex/true-bregman-three-points", identity(), cite="Chen and Teboulle 1993, Lemma 3.1")
def three_points(forall):
    """D(x,z) = D(x,y) + D(y,z) + <x - y, log y - log z> for the unnormalised relative entropy."""
    x = forall.interval("x", 0.0, 2.0, 3)
    y, z = forall.interval("y", 0.05, 2.0, 3), forall.interval("z", 0.05, 2.0, 3)

    def d(a, b):
        return (torch.special.xlogy(a, a / b) - a + b).sum(-1)

    return d(x, z), d(x, y) + d(y, z) + ((x - y) * (y.log() - z.log())).sum(-1)


@claim("convex/true-prox-firm", always(), cite="Moreau 1965")
def prox_firm(forall):
    """|Px - Py|^2 <= <Px - Py, x - y> for soft thresholding."""
    x, y, t = forall.real("x", 3), forall.real("y", 3), forall.interval("t", 0.0, 3.0)
    d = shrink(x, t[:, None]) - shrink(y, t[:, None])
    return d.square().sum(-1), (d * (x - y)).sum(-1)


@claim("convex/true-moreau-decomposition", identity(), cite="Moreau 1965")
def moreau(forall):
    """|x|^2 = |P x|^2 + |x - P x|^2 + 2 t |P x|_1 for the soft threshold P of level t."""
    x, t = forall.interval("x", -4.0, 4.0, 4), forall.interval("t", 0.0, 3.0)
    p = shrink(x, t[:, None])
    return x.square().sum(-1), p.square().sum(-1) + (x - p).square().sum(-1) + 2.0 * t * p.abs().sum(-1)


@claim("convex/true-hedge-regret", always(), cite="Cesa-Bianchi, Lugosi 2006, Theorem 2.2", over=grid(T=[1, 4]))
def hedge(forall, *, T):
    """The regret of exponential weights is at most log N / eta + eta T / 8."""
    loss, eta = forall.interval("loss", 0.0, 1.0, T, 3), forall.interval("eta", 0.1, 4.0)
    past = loss.cumsum(1) - loss
    weights = torch.softmax(-eta[:, None, None] * past, dim=-1)
    regret = (weights * loss).sum((-1, -2)) - loss.sum(1).amin(-1)
    return regret, math.log(3.0) / eta + eta * T / 8.0


@claim("convex/true-online-gradient", always(), cite="Zinkevich 2003, Theorem 1")
def online_gradient(forall):
    """Projected online gradient descent on [-1, 1]: regret <= u^2/(2 eta) + eta/2 sum g^2, against an adaptive
    adversary.
    """
    adversary, eta = forall.strategy("g", 4, 2, low=-1.0, high=1.0), forall.interval("eta", 0.05, 2.0)
    u = forall.interval("u", -1.0, 1.0)
    x, regret, squares = torch.zeros_like(eta), 0.0, 0.0
    for _ in range(4):
        g = adversary.move()
        regret, squares = regret + g * (x - u), squares + g**2
        x = (x - eta * g).clamp(-1.0, 1.0)
        adversary.answer(x > 0.0)
    return regret, u**2 / (2.0 * eta) + eta / 2.0 * squares


@claim("convex/true-softmax-cocoercive", always(), cite="Baillon, Haddad 1977; Gao, Pavel 2017")
def cocoercive(forall):
    """|softmax x - softmax y|^2 <= <softmax x - softmax y, x - y> / 2."""
    x, y = forall.interval("x", -6.0, 6.0, 3), forall.interval("y", -6.0, 6.0, 3)
    d = torch.softmax(x, -1) - torch.softmax(y, -1)
    return d.square().sum(-1), (d * (x - y)).sum(-1) / 2.0


@claim("convex/true-gibbs", always(), cite="Gibbs; Donsker and Varadhan 1975")
def gibbs(forall):
    """<p, x> + H(p) <= log sum exp x."""
    p, x = forall.simplex("p", 4), forall.real("x", 4)
    return (p * x).sum(-1) - torch.special.xlogy(p, p).sum(-1), torch.logsumexp(x, -1)


@claim("convex/true-self-concordant-lower", always(), cite="Nesterov 2004, Theorem 4.1.7")
def self_concordant(forall):
    """f(x) + <f'(x), y - x> + r - log(1 + r) <= f(y) for f = -sum log, r the local norm of y - x at x."""
    x, y = forall.interval("x", 0.01, 5.0, 3), forall.interval("y", 0.01, 5.0, 3)
    r = ((y - x) / x).norm(dim=-1)
    return -x.log().sum(-1) - ((y - x) / x).sum(-1) + r - torch.log1p(r), -y.log().sum(-1)


@claim("convex/true-schur-horn", always(), cite="Schur 1923", over=grid(k=[1, 2, 3, 4]))
def schur_horn(forall, *, k):
    """The sum of the k largest diagonal entries is at most that of the k largest eigenvalues."""
    a = forall.symmetric("A", 4)
    diagonal = torch.diagonal(a, dim1=-2, dim2=-1)
    return diagonal.topk(k, dim=-1).values.sum(-1), torch.linalg.eigvalsh(a)[:, 4 - k :].sum(-1)


@claim("convex/true-newton-inequality", always(), cite="Newton 1707")
def newton(forall):
    """(e1/4) (e3/4) <= (e2/6)^2 for four real numbers."""
    x = forall.ball("x", 4, radius=3.0)
    a, b, c, d = x.unbind(-1)
    e1, e2, e3 = (
        a + b + c + d,
        a * b + a * c + a * d + b * c + b * d + c * d,
        a * b * c + a * b * d + a * c * d + b * c * d,
    )
    return e1 * e3 / 16.0, (e2 / 6.0) ** 2


@claim(
    "convex/true-kl-chernoff",
    high_probability("delta"),
    over=grid(n=[10, 60], delta=[0.05]),
    cite="Chernoff 1952; Hoeffding 1963",
)
def kl_chernoff(forall, draw, *, n, delta):
    """kl(mean, p) <= log(2/delta) / n with probability 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    m = draw.bernoulli("x", p, n).mean(-1)
    kl = (
        torch.special.xlogy(m, m)
        - torch.special.xlogy(m, p)
        + torch.special.xlogy(1 - m, 1 - m)
        - torch.special.xlogy(1 - m, 1 - p)
    )
    return kl, math.log(2.0 / delta) / n


@claim("convex/true-entropy-radius", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]), cite="Shannon 1948")
def entropy_radius(forall, *, n):
    """log n - H(p) <= C log n on the simplex."""
    p = forall.simplex("p", n)
    return math.log(n) + torch.special.xlogy(p, p).sum(-1), math.log(n)


@claim(
    "convex/true-sgd-rate",
    rate("n", -1.0, at="exactly"),
    over=grid(n=[16, 32, 64, 128, 256]),
    cite="Robbins and Monro 1951",
)
def sgd_rate(draw, *, n):
    """SGD with steps 1/t on E (x - u)^2 / 2 has the excess risk of order 1/n."""
    u = draw.uniform("u", n)
    x = torch.zeros_like(u[:, 0])
    for t in range(n):
        x = x - (x - u[:, t]) / (t + 1.0)
    return (x - 0.5) ** 2 / 2.0


@claim("convex/true-brunn-minkowski-boxes", always(), cite="Brunn 1887; Minkowski 1896")
def brunn_minkowski(forall):
    """|A|^(1/3) + |B|^(1/3) <= |A + B|^(1/3) for boxes."""
    a, b = forall.interval("a", 0.0, 4.0, 3), forall.interval("b", 0.0, 4.0, 3)
    return a.prod(-1) ** (1 / 3) + b.prod(-1) ** (1 / 3), (a + b).prod(-1) ** (1 / 3)


@claim("convex/true-strong-convexity-quadratic", always(), cite="Polyak 1963")
def quadratic(forall):
    """mu |x|^2 <= <A x, x> and the PL inequality: 2 mu f <= |grad f|^2 for f = <A x, x>/2, mu the least eigenvalue."""
    a, x = forall.psd("A", 3), forall.ball("x", 3)
    g = (a @ x[:, :, None])[:, :, 0]
    return torch.linalg.eigvalsh(a)[:, 0] * (g * x).sum(-1), g.square().sum(-1)


@claim("convex/plain-pinsker-one", always(), expected="refuted", cite="Pinsker 1964, with 1 for 1/2")
def pinsker_one(forall):
    """|p - q|_1^2 <= KL(p, q)."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    return (p - q).abs().sum(-1) ** 2, (torch.special.xlogy(p, p) - torch.special.xlogy(p, q)).sum(-1)


@claim("convex/plain-softmax-quarter", always(), expected="refuted", cite="Gao and Pavel 2017, with 1/4 for 1/2")
def softmax_quarter(forall):
    """|softmax x - softmax y| <= |x - y| / 4."""
    x, y = forall.interval("x", -3.0, 3.0, 3), forall.interval("y", -3.0, 3.0, 3)
    return (torch.softmax(x, -1) - torch.softmax(y, -1)).norm(dim=-1), (x - y).norm(dim=-1) / 4.0


@claim(
    "convex/plain-kl-symmetric", identity(), expected="refuted", cite="Kullback and Leibler 1951, taken for a distance"
)
def kl_symmetric(forall):
    """KL(p, q) = KL(q, p)."""
    p, q = forall.simplex("p", 3), forall.simplex("q", 3)
    d = p.log() - q.log()
    return (p * d).sum(-1), -(q * d).sum(-1)


@claim("convex/plain-strong-minimax-pure", always(), expected="refuted", cite="von Neumann 1928, in pure strategies")
def pure(forall):
    """min_j max_i A_ij <= max_i min_j A_ij: a matrix game has a value in pure strategies."""
    a = forall.interval("A", -1.0, 1.0, 3, 3)
    return a.amax(-2).amin(-1), a.amin(-1).amax(-1)


@claim("convex/subtle-self-concordant-066", always(), expected="refuted", cite="Nesterov 2004, with .66 for 2/3")
def self_concordant_066(forall):
    """r^2 / (2 (1 + .66 r)) <= D(y, x) for f = -log, r = |y - x| / x."""
    x, y = forall.interval("x", 0.01, 5.0), forall.interval("y", 0.01, 5.0)
    r = (y - x).abs() / x
    return r**2 / (2.0 * (1.0 + 0.66 * r)), -torch.log(y / x) + (y - x) / x


@claim("convex/subtle-cumulant-99", always(), expected="refuted", cite="Hoeffding 1963, with .99")
def cumulant(forall):
    """log(1 - p + p e^s) - p s <= .99 s^2 / 8."""
    p, s = forall.interval("p", 0.0, 1.0), forall.interval("s", -20.0, 20.0)
    return torch.log(1.0 - p + p * s.exp()) - p * s, 0.99 * s**2 / 8.0


@claim("convex/subtle-entropy-ramp", always(), expected="refuted", cite="Shannon 1948, with 3.04 for log 21")
def entropy_ramp(forall):
    """The entropy of softmax(x + ramp) is at most 3.04 in 21 dimensions."""
    x = forall.interval("x", -5.0, 5.0, 21)
    p = torch.softmax(x + torch.linspace(-3.0, 3.0, 21, dtype=torch.float64) ** 3 / 9.0, -1)
    return -(p * p.log()).sum(-1), 3.04


@claim("convex/subtle-shapiro-14", always(), expected="refuted", cite="Shapiro 1954; Troesch 1985")
def shapiro(forall):
    """7 <= sum x_i / (x_(i+1) + x_(i+2)), cyclically, for 14 positive numbers."""
    x = forall.interval("x", 0.001, 1.0, 14)
    return 7.0, (x / (x.roll(-1, -1) + x.roll(-2, -1))).sum(-1)


PROOFS = {
    "convex/true-fenchel-young-exp": "The conjugate of exp is y log y - y (y >= 0), Fenchel-Young.",
    "convex/true-bregman-three-points": (
        "Chen-Teboulle three-point identity for phi = sum x log x, whose gradient is log + 1."
    ),
    "convex/true-prox-firm": "Proximal maps are firmly non-expansive (Moreau).",
    "convex/true-moreau-decomposition": (
        "x - Px is t sign(Px) where Px is not 0, so <Px, x - Px> = t |Px|_1; expand |x|^2."
    ),
    "convex/true-hedge-regret": "Cesa-Bianchi and Lugosi 2006, Theorem 2.2.",
    "convex/true-online-gradient": (
        "Zinkevich: |x_{t+1}-u|^2 <= |x_t-u|^2 - 2 eta g(x_t-u) + eta^2 g^2, x_1 = 0, summed."
    ),
    "convex/true-softmax-cocoercive": "LSE is convex and 1/2-smooth (Hessian diag(p)-pp' <= 1/2), Baillon-Haddad.",
    "convex/true-gibbs": "Gibbs variational principle.",
    "convex/true-self-concordant-lower": "Nesterov 2004, Theorem 4.1.7; -sum log is standard self-concordant.",
    "convex/true-schur-horn": "Schur 1923, Ky Fan.",
    "convex/true-newton-inequality": "Newton's inequalities hold for all real numbers.",
    "convex/true-kl-chernoff": "Chernoff for each side with delta/2; p in {0,1}: kl(mean,p)=0.",
    "convex/true-entropy-radius": "H >= 0, so C = 1.",
    "convex/true-sgd-rate": "x_n is the sample mean; excess risk is Var/(2n) = 1/(24 n) exactly.",
    "convex/true-brunn-minkowski-boxes": "AM-GM on a_i/(a_i+b_i).",
    "convex/true-strong-convexity-quadratic": ("Per eigenvector: mu l_i c_i^2 <= l_i^2 c_i^2, as l_i >= mu, l_i >= 0."),
}

RAMP = [(-3.0 + 0.3 * i) ** 3 / 9.0 for i in range(21)]
WITNESSES = {
    "convex/plain-pinsker-one": {
        "params": {},
        "values": {"p": [0.5, 0.5, 0.0], "q": [0.25, 0.75, 0.0]},
        "why": "1/4 > .1438",
    },
    "convex/plain-softmax-quarter": {
        "params": {},
        "values": {"x": [1.0, 0.0, -3.0], "y": [0.0, 1.0, -3.0]},
        "why": "derivative up to 1/2",
    },
    "convex/plain-kl-symmetric": {
        "params": {},
        "values": {"p": [0.5, 0.25, 0.25], "q": [0.8, 0.1, 0.1]},
        "why": "relative entropy is not symmetric",
    },
    "convex/plain-strong-minimax-pure": {
        "params": {},
        "values": {"A": [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, -1.0]]},
        "why": "matching pennies: minmax 0 (third column), maxmin -1",
    },
    "convex/subtle-self-concordant-066": {
        "params": {},
        "values": {"x": 1.0, "y": 1.05},
        "why": "third-order terms: .33 < 1/3",
    },
    "convex/subtle-cumulant-99": {
        "params": {},
        "values": {"p": 0.5, "s": 0.2},
        "why": "s^2/8 (1 - s^2/24) > .99 s^2/8",
    },
    "convex/subtle-entropy-ramp": {
        "params": {},
        "values": {"x": [-r for r in RAMP]},
        "why": "uniform: log 21 = 3.0445",
    },
    "convex/subtle-shapiro-14": {
        "params": {},
        "values": {"x": [max(v, 0.05) / 42 for v in (0, 42, 2, 42, 4, 41, 5, 39, 4, 38, 2, 38, 0, 40)]},
        "why": "Troesch; the known counterexample for n = 14",
    },
}
