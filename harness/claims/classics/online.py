"""Experts, bandits, online and stochastic optimisation, descent methods, and games against nature."""

import math

import torch

from harness import always, claim, expectation, grid

FINITE = "sharp as the numbers of rounds and experts grow"


@claim("classics/hedge", always(), cite="Cesa-Bianchi, Lugosi 2006, Theorem 2.2", sharp=0.8, over=grid(k=[2], n=[5]))
def hedge(forall, *, k, n):
    """Regret of exponential weights at rate sqrt(8 log(k) / n) <= sqrt(n log(k) / 2), losses in [0, 1]."""
    losses, rate = forall.interval("losses", 0.0, 1.0, n, k), math.sqrt(8.0 * math.log(k) / n)
    before = losses.cumsum(1) - losses
    own = (torch.softmax(-rate * before, -1) * losses).sum((-1, -2))
    return own - losses.sum(1).amin(-1), math.sqrt(n * math.log(k) / 2.0)


@claim(
    "classics/hedge-adaptive",
    always(),
    cite="Cesa-Bianchi and Lugosi 2006, Lemma 4.1 (adversaries who answer)",
    restricts="two experts of opposite losses; the adversary sees which expert has the larger weight",
    sharp=0.8,
    over=grid(n=[5]),
)
def hedge_adaptive(forall, *, n):
    """Regret of exponential weights <= sqrt(n log(2) / 2) against an adversary who answers the weights."""
    adversary, rate = forall.strategy("losses", n, 2), math.sqrt(8.0 * math.log(2.0) / n)
    own = first = torch.zeros_like(adversary.values[:, 0])
    for step in range(n):
        loss = adversary.move()
        weight = torch.sigmoid(-rate * (2.0 * first - step))
        own, first = own + weight * loss + (1.0 - weight) * (1.0 - loss), first + loss
        adversary.answer(2.0 * first > step + 1)
    return own - torch.minimum(first, n - first), math.sqrt(n * math.log(2.0) / 2.0)


@claim("classics/bayes-mixture", always(), cite="Cesa-Bianchi, Lugosi 2006, section 9.2", sharp=0.8, over=grid(k=[3]))
def bayes_mixture(forall, *, k):
    """Logarithmic loss of the uniform mixture of k forecasters <= that of the best one + log k."""
    p = forall.interval("p", 1e-3, 1.0, 4, k)
    likelihood = p.log().sum(1)
    return likelihood.amax(-1) - torch.logsumexp(likelihood, -1) + math.log(k), math.log(k)


@claim("classics/weighted-majority", always(), cite="Littlestone and Warmuth 1994, Corollary 2.1", sharp=FINITE)
def weighted_majority(forall):
    """Mistakes of weighted majority with factor 1/2 <= (log k + m log 2) / log(4/3), m those of the best expert."""
    wrong = forall.integers("wrong", 0, 1, 6, 3)
    weights = torch.exp2(-(wrong.cumsum(1) - wrong))
    mistakes = ((weights * wrong).sum(-1) >= weights.sum(-1) / 2.0).sum(-1)
    return mistakes, (math.log(3.0) + wrong.sum(1).amin(-1) * math.log(2.0)) / math.log(4.0 / 3.0)


@claim("classics/halving", always(), cite="Littlestone 1988, Theorem 1 (Barzdins and Freivalds 1972)", sharp=0.8)
def halving(forall):
    """The majority of the experts without a mistake errs at most log2(k) times if one of the k never does."""
    wrong = forall.integers("wrong", 0, 1, 5, 4)
    forall.assume((wrong.sum(1) == 0).any(-1))
    alive = (wrong.cumsum(1) - wrong == 0).double()
    return ((alive * wrong).sum(-1) >= alive.sum(-1) / 2.0).sum(-1), 2.0


@claim("classics/online-gradient", always(), cite="Zinkevich 2003, Theorem 1", sharp=0.8, over=grid(n=[4], d=[3]))
def online_gradient(forall, *, n, d):
    """Regret of projected steps 1 / sqrt(n) from 0 <= sqrt(n) in the unit ball, gradients at most 1."""
    g = forall.ball("g", n, d)
    w, own = torch.zeros_like(g[:, 0]), 0.0
    for step in range(n):
        own = own + (w * g[:, step]).sum(-1)
        w = w - g[:, step] / math.sqrt(n)
        w = w / w.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return own + g.sum(1).norm(dim=-1), math.sqrt(n)


@claim(
    "classics/adagrad-norm",
    always(),
    cite="Streeter and McMahan 2010; Orabona 2019, Theorem 4.14",
    sharp="the constant comes from bounding a sum by a square root",
    over=grid(n=[4], d=[2]),
)
def adagrad_norm(forall, *, n, d):
    """Regret with steps sqrt(2) / |gradients so far| in the unit ball <= 2 sqrt(2) sqrt(sum |g_t|^2)."""
    g = forall.ball("g", n, d)
    w, own, size = torch.zeros_like(g[:, 0]), 0.0, g.square().sum(-1).cumsum(-1)
    for step in range(n):
        own = own + (w * g[:, step]).sum(-1)
        w = w - g[:, step] * (2.0 / size[:, step, None].clamp_min(1e-30)).sqrt()
        w = w / w.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return own + g.sum(1).norm(dim=-1), 2.0 * (2.0 * size[:, -1]).sqrt()


@claim("classics/perceptron", always(), cite="Novikoff 1962", sharp=0.8, over=grid(n=[5], d=[3]))
def perceptron(forall, *, n, d):
    """mistakes x margin^2 <= 1 for examples y x in the unit ball, the margin in a direction u: here the first axis."""
    z, w, mistakes = forall.ball("z", n, d), 0.0, 0.0
    margin = z[:, :, 0].amin(-1)
    forall.assume(margin > 0.0)
    for step in range(n):
        wrong = (w * z[:, step]).sum(-1, keepdim=True) <= 0.0
        w, mistakes = w + wrong * z[:, step], mistakes + wrong.squeeze(-1)
    return mistakes * margin**2, 1.0


@claim(
    "classics/gradient-descent",
    always(),
    cite="Drori and Teboulle 2014, Theorem 3.1",
    restricts="Huber's functions, which are the worst ones",
    sharp=0.8,
    over=grid(steps=[1, 5]),
)
def gradient_descent(forall, *, steps):
    """f(x_n) - f* <= |x_0 - x*|^2 / (4 n + 2) after n steps of size one on convex f with a 1-Lipschitz gradient."""
    x, h = forall.interval("x", -1.0, 1.0), forall.interval("h", 0.01, 1.0)
    start = x
    for _ in range(steps):
        x = x - torch.minimum(torch.maximum(x, -h), h)
    return torch.where(x.abs() <= h, x**2 / 2.0, h * x.abs() - h**2 / 2.0), start**2 / (4 * steps + 2)


@claim("classics/gradient-descent-quadratic", always(), cite="Nesterov 2018, Theorem 2.1.15", sharp=0.8)
def gradient_descent_quadratic(forall):
    """|x_n| <= ((k - 1) / (k + 1))^n |x_0| on quadratics with eigenvalues from 1 to k = 4, steps 2 / (k + 1)."""
    a, x = forall.spectrum("A", [1.0, 2.0, 4.0]), forall.sphere("x", 3)
    moved = torch.linalg.matrix_power(torch.eye(3, device=a.device) - 0.4 * a, 4) @ x[:, :, None]
    return moved.norm(dim=(-1, -2)), 0.6**4


@claim(
    "classics/subgradient",
    always(),
    cite="Nesterov 2018, Theorem 3.2.2; Bubeck 2015, Theorem 3.2",
    sharp=0.8,
    over=grid(steps=[4]),
)
def subgradient(forall, *, steps):
    """mean f(x_t) - f(u) <= g / sqrt(n) for |u| <= 1, steps 1 / (g sqrt(n)) from 0, f convex and g-Lipschitz."""
    f, u = forall.convex("f", 3, 2), forall.ball("u", 2)
    x, g, total = torch.zeros_like(u), f.slopes.norm(dim=-1).amax(-1), 0.0
    for _ in range(steps):
        total = total + f(x) / steps
        x = x - f.subgradient(x) / (g * math.sqrt(steps))[:, None]
        x = x / x.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return total - f(u), g / math.sqrt(steps)


@claim("classics/jensen", always(), cite="Jensen 1906", sharp=0.8, over=grid(points=[3]))
def jensen(forall, *, points):
    """f(E X) <= E f(X) for convex f."""
    f, x, w = forall.convex("f", 3, 2), forall.ball("x", points, 2), forall.simplex("w", points)
    values = torch.stack([f(x[:, i]) for i in range(points)], -1)
    return f((w[:, :, None] * x).sum(1)), (w * values).sum(-1)


@claim(
    "classics/nesterov",
    always(),
    cite="Nesterov 1983; Beck and Teboulle 2009, Theorem 4.4",
    restricts="quadratics with eigenvalues in [0, 1]",
    sharp="the worst functions are not quadratic, and the constant is not the best one (Kim and Fessler 2016)",
    over=grid(steps=[5]),
)
def nesterov(forall, *, steps):
    """f(x_n) - f* <= 2 |x_0 - x*|^2 / (n + 1)^2 for the accelerated method."""
    a, start = forall.interval("eigenvalues", 0.0, 1.0, 3), forall.ball("x", 3)
    x = y = start
    t = 1.0
    for _ in range(steps):
        fresh, later = y - a * y, (1.0 + math.sqrt(1.0 + 4.0 * t**2)) / 2.0
        x, y, t = fresh, fresh + (t - 1.0) / later * (fresh - x), later
    return (a * x**2).sum(-1) / 2.0, 2.0 * start.square().sum(-1) / (steps + 1) ** 2


@claim(
    "classics/stochastic-gradient",
    expectation(range=(-2.0, 4.0)),
    cite="Nemirovski, Juditsky, Lan, Shapiro 2009, (2.21); Bubeck 2015, Theorem 6.1",
    restricts="f(w) = E |w - X| on [-1, 1] for X with two values",
    sharp="one coordinate is fewer than the worst function has",
    over=grid(n=[9]),
)
def stochastic_gradient(forall, draw, *, n):
    """E f(mean iterate) - f(u) <= 1 / sqrt(n) for |u| <= 1, steps 1 / sqrt(n) from 0, gradients at most 1."""
    law, u = forall.law("P", low=-1.0), forall.interval("u", -1.0, 1.0)
    x = draw.law("x", law, n)
    w = total = torch.zeros_like(x[:, 0])
    for step in range(n):
        total = total + w / n
        w = (w - torch.sign(w - x[:, step]) / math.sqrt(n)).clamp(-1.0, 1.0)
    f = [(law.weights * (point[:, None] - law.atoms).abs()).sum(-1) for point in (total, u)]
    return f[0] - f[1], 1.0 / math.sqrt(n)


@claim(
    "classics/exp3",
    expectation(range=(-30.0, 30.0)),
    cite="Auer, Cesa-Bianchi, Freund, Schapire 2002; Bubeck and Cesa-Bianchi 2012, Theorem 3.1",
    restricts="losses fixed in advance",
    sharp="the variance of the estimates is bounded by that of uniform play",
    over=grid(k=[2], n=[10]),
)
def exp3(forall, draw, *, k, n):
    """E loss of EXP3 - loss of an arm <= sqrt(2 n k log k), losses in [0, 1]."""
    losses, u = forall.interval("losses", 0.0, 1.0, n, k), draw.uniform("u", n)
    estimate, own, rate = torch.zeros(draw.reps, k, device=u.device), 0.0, math.sqrt(2.0 * math.log(k) / (n * k))
    for step in range(n):
        p = torch.softmax(-rate * estimate, -1)
        arm = torch.nn.functional.one_hot((u[:, step, None] >= p.cumsum(-1)[:, :-1]).sum(-1), k)
        own = own + (arm * losses[:, step]).sum(-1)
        estimate = estimate + arm * losses[:, step] / p
    return own - losses.sum(1).amin(-1), math.sqrt(2.0 * n * k * math.log(k))


@claim("classics/ski-rental", always(), cite="Karlin et al. 1988", sharp=0.8, over=grid(price=[2, 10]))
def ski_rental(forall, *, price):
    """Renting until the rent paid is one below the price, then buying, costs at most (2 - 1/price) the optimum."""
    days = forall.integers("days", 1, 4 * price)
    own = torch.where(days >= price, 2.0 * price - 1.0, days)
    return own, (2.0 - 1.0 / price) * days.clamp(max=float(price))


@claim("classics/prophet", always(), cite="Krengel and Sucheston 1978", sharp=0.8, over=grid(atoms=[2]))
def prophet(forall, *, atoms):
    """E max(X, Y) <= 2 E max(X, E Y): a gambler gets at least half of what a prophet gets."""
    p, q = forall.law("P", atoms=atoms), forall.law("Q", atoms=atoms)
    best = torch.maximum(p.atoms[:, :, None], q.atoms[:, None, :])
    prophet = torch.einsum("bi,bij,bj->b", p.weights, best, q.weights)
    return prophet, 2.0 * p.expect(lambda x: torch.maximum(x, q.mean[:, None]))
