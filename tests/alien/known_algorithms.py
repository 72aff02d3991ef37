"""Alien claims, known: iterations, sketches, sampling, games, chains; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    expectation,
    grid,
    high_probability,
    rate,
    reproduction,
    tail,
)


@claim("algorithms/true-kaczmarz", expectation(range=(-8.0, 8.0), margin=0.1), cite="Strohmer and Vershynin 2009")
def kaczmarz(forall, draw):
    """E |x_3|^2 <= (1 - s_min^2 / 3)^3 |x_0|^2 for the error of randomised Kaczmarz with three unit rows in the
    plane.
    """
    a, x = forall.sphere("A", 3, 2), forall.ball("x", 2)
    s2 = torch.linalg.eigvalsh(a.mT @ a)[:, 0]
    i = draw.categorical("i", torch.full((1, 3), 1.0 / 3.0, dtype=torch.float64), 3)
    error = x
    for step in range(3):
        row = (torch.nn.functional.one_hot(i[:, step].long(), 3)[:, :, None] * a).sum(1)
        error = error - (row * error).sum(-1, keepdim=True) * row
    return error.square().sum(-1), (1.0 - s2 / 3.0) ** 3 * x.square().sum(-1)


@claim("algorithms/true-perceptron", always(), cite="Novikoff 1962")
def perceptron(forall):
    """The perceptron makes at most 1 / margin^2 mistakes in two passes over six points of the disc."""
    x, u = forall.ball("x", 6, 2), forall.sphere("u", 2)
    score = (x * u[:, None, :]).sum(-1)
    forall.assume(score.abs().amin(-1) > 0.0)
    y, w, mistakes = torch.sign(score), torch.zeros_like(u), 0.0
    for k in list(range(6)) * 2:
        wrong = (y[:, k] * (w * x[:, k]).sum(-1) <= 0.0).double()
        w, mistakes = w + (wrong * y[:, k])[:, None] * x[:, k], mistakes + wrong
    return mistakes, 1.0 / score.abs().amin(-1).square()


@claim("algorithms/true-ams", tail(), cite="Alon, Matias and Szegedy 1999")
def ams(forall, draw):
    """P(|mean of three Z^2 - 1| >= eps) <= 2 / (3 eps^2) for the AMS sketch of a unit frequency vector."""
    f, eps = forall.sphere("f", 4), forall.interval("eps", 0.5, 4.0)
    z2 = (draw.signs("s", 3, 4) * f[:, None, :]).sum(-1).square().mean(-1)
    return (z2 - 1.0).abs() >= eps, 2.0 / (3.0 * eps.square())


@claim("algorithms/true-reservoir", expectation(range=(-1.0, 1.0), margin=0.02), cite="Vitter 1985")
def reservoir(forall, draw):
    """Reservoir sampling keeps item j of eight with probability at most 1/8."""
    j, u = forall.integers("j", 1, 8), draw.uniform("u", 8)
    kept = torch.zeros(len(u), dtype=torch.float64)
    for step in range(1, 9):
        kept = torch.where(u[:, step - 1] * step < 1.0, float(step), kept)
    return (kept == j).double(), 1.0 / 8.0


@claim(
    "algorithms/true-laplace-max",
    high_probability("delta"),
    over=grid(k=[1, 10], delta=[0.1]),
    cite="Dwork and Roth 2014, Theorem 3.8",
)
def laplace_max(forall, draw, *, k, delta):
    """The largest of k Laplace noises is at most log(k/delta) / eps in absolute value, with probability 1 - delta."""
    eps = forall.interval("eps", 0.1, 2.0)
    noise = draw.sample(
        "noise",
        torch.distributions.Laplace(torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)),
        k,
    )
    return (noise / eps[:, None]).abs().amax(-1), math.log(k / delta) / eps


@claim(
    "algorithms/true-secretary",
    expectation(range=(-1.0, 1.0)),
    over=grid(n=[5, 10, 20]),
    cite="Lindley 1961; Dynkin 1963",
)
def secretary(draw, *, n):
    """1/e <= P(best chosen), skipping the first floor(n / e) of n candidates."""
    u, r = draw.uniform("u", n), math.floor(n / math.e)
    bar = u[:, :r].amax(-1, keepdim=True)
    better = (u[:, r:] > bar).double()
    first = better.argmax(-1, keepdim=True)
    chosen = u[:, r:].gather(-1, first)[:, 0]
    return 1.0 / math.e, ((chosen == u.amax(-1)) & (better.sum(-1) > 0.0)).double()


@claim(
    "algorithms/true-empty-bins",
    expectation(range=(-20.0, 50.0), margin=0.05),
    over=grid(n=[1, 4, 40]),
    cite="Mitzenmacher and Upfal 2005",
)
def empty_bins(draw, *, n):
    """n balls leave at most n / e of n bins empty, in the mean."""
    counts = draw.multinomial("counts", n, torch.full((1, n), 1.0 / n, dtype=torch.float64))
    return (counts == 0).double().sum(-1), n / math.e


@claim(
    "algorithms/true-sgd-average",
    expectation(range=(-1.0, 1.0), margin=0.02),
    over=grid(n=[4, 40]),
    cite="Robbins and Monro 1951",
)
def sgd_average(forall, draw, *, n):
    """SGD with steps 1/t for the mean of a law: E (x_n - mean)^2 <= Var / n."""
    law = forall.law("P", atoms=3)
    xi, x = draw.law("xi", law, n), 0.0
    for t in range(1, n + 1):
        x = x - (x - xi[:, t - 1]) / t
    return (x - law.mean).square(), law.variance / n


@claim("algorithms/true-doeblin", always(), cite="Doeblin 1938; Dobrushin 1956")
def doeblin(forall):
    """Rows of P^3 differ in total variation by at most (1 - alpha)^3, alpha = sum_j min_i P_ij."""
    p = forall.simplex("P", 3, 3)
    alpha = p.amin(1).sum(-1)
    q = p @ p @ p
    tv = (q[:, :, None, :] - q[:, None, :, :]).abs().sum(-1).amax((1, 2)) / 2.0
    return tv, (1.0 - alpha) ** 3


@claim("algorithms/true-importance", expectation(range=(-1.0, math.inf)), cite="Kahn and Marshall 1953")
def importance(forall, draw):
    """E_q p/q <= 1 for laws on four points."""
    p, q = forall.simplex("p", 4), forall.simplex("q", 4)
    i = draw.categorical("i", q).long()
    return (p / q).expand(len(i), 4).gather(-1, i[:, None])[:, 0], 1.0


@claim("algorithms/true-adaboost", always(), cite="Freund and Schapire 1997")
def adaboost(forall):
    """prod 2 sqrt(e (1 - e)) <= exp(-2 sum gamma^2) for errors e = 1/2 - gamma."""
    gamma = forall.interval("gamma", -0.5, 0.5, 4)
    e = 0.5 - gamma
    return (2.0 * (e * (1.0 - e)).sqrt()).prod(-1), torch.exp(-2.0 * gamma.square().sum(-1))


@claim(
    "algorithms/true-kmeans-seed",
    expectation(range=(-20.0, 20.0), margin=0.2),
    cite="Arthur and Vassilvitskii 2007, Lemma 3.1",
)
def kmeans_seed(forall, draw):
    """A uniform seed costs at most twice the optimum of one centre, in the mean, for five points of the disc."""
    x = forall.ball("x", 5, 2)
    i = draw.categorical("i", torch.full((1, 5), 0.2, dtype=torch.float64)).long()
    seed = (torch.nn.functional.one_hot(i, 5)[:, :, None] * x).sum(1)
    return (x - seed[:, None, :]).square().sum((1, 2)), 2.0 * (x - x.mean(1, keepdim=True)).square().sum((1, 2))


@claim("algorithms/true-langevin", expectation(range=(-2.0, math.inf)), cite="Roberts and Tweedie 1996")
def langevin(forall, draw):
    """E x_k^2 <= 1 / (1 - h/2) for unadjusted Langevin steps of size h on a standard normal target, from 0."""
    h, g, x = forall.interval("h", 0.05, 1.0), draw.normal("g", 12), 0.0
    for k in range(12):
        x = (1.0 - h) * x + (2.0 * h).sqrt() * g[:, k]
    return x**2, 1.0 / (1.0 - h / 2.0)


@claim("algorithms/true-median-of-means", tail(), cite="Nemirovsky and Yudin 1983")
def median_of_means(forall, draw):
    """P(|median of three means - mean| > t) <= 3 p^2, p = Var / (4 t^2), groups of four from any law of two atoms."""
    law, t = forall.law("P"), forall.interval("t", 0.1, 1.0)
    groups = draw.law("x", law, 3, 4).mean(-1)
    return (groups.median(-1).values - law.mean).abs() > t, (3.0 * (law.variance / (4.0 * t**2)) ** 2).clamp_max(1.0)


@claim(
    "algorithms/plain-coupon",
    tail(),
    over=grid(n=[10, 30]),
    expected="refuted",
    cite="Erdos and Renyi 1961, with 1/2 for 1 - 1/e",
)
def coupon_early(draw, *, n):
    """P(a coupon is missing after n log n draws) <= 1/2."""
    counts = draw.multinomial("counts", math.ceil(n * math.log(n)), torch.full((1, n), 1.0 / n, dtype=torch.float64))
    return counts.amin(-1) == 0, 0.5


@claim(
    "algorithms/plain-secretary",
    expectation(range=(-1.0, 1.0)),
    over=grid(n=[30]),
    expected="refuted",
    cite="Lindley 1961, with .42 for 1/e",
)
def secretary_large(draw, *, n):
    """0.42 <= P(best chosen), skipping the first floor(n / e) of n candidates."""
    u, r = draw.uniform("u", n), math.floor(n / math.e)
    bar = u[:, :r].amax(-1, keepdim=True)
    better = (u[:, r:] > bar).double()
    chosen = u[:, r:].gather(-1, better.argmax(-1, keepdim=True))[:, 0]
    return 0.42, ((chosen == u.amax(-1)) & (better.sum(-1) > 0.0)).double()


@claim(
    "algorithms/plain-sgd-small-step",
    rate("n", -1.0),
    over=grid(n=[16, 32, 64, 128, 256, 512]),
    expected="refuted",
    cite="Nemirovski et al. 2009, with a step too small",
)
def sgd_small_step(draw, *, n):
    """SGD with steps 1/(4 t) for the mean of uniform numbers has the error 1/n."""
    xi, x = draw.uniform("xi", n), 1.0
    for t in range(1, n + 1):
        x = x - (x - xi[:, t - 1]) / (4.0 * t)
    return (x - 0.5).square()


@claim("algorithms/plain-count-min", tail(), expected="refuted", cite="Cormode and Muthukrishnan 2005, with 8 for 4")
def count_min_half(forall, draw):
    """P(count-min of item 0 > f_0 + eps |f|_1) <= (1 / (8 eps))^2 for two rows of width 4."""
    f, eps = forall.interval("f", 0.0, 1.0, 5), forall.interval("eps", 0.26, 1.0)
    h = draw.categorical("h", torch.full((1, 4), 0.25, dtype=torch.float64), 2, 5)
    estimate = ((h == h[:, :, :1]).double() * f[:, None, :]).sum(-1).amin(-1)
    return estimate > f[:, 0] + eps * f.sum(-1), (1.0 / (8.0 * eps)) ** 2


@claim("algorithms/subtle-linear-hash", tail(), expected="refuted", cite="Carter and Wegman 1979, with 1/4 for 1/3")
def linear_hash(forall, draw):
    """P(a x mod 31 mod 5 = a y mod 31 mod 5) <= 1/4 for random a and keys x != y."""
    x, y = forall.integers("x", 0, 30), forall.integers("y", 0, 30)
    forall.assume(x != y)
    a = draw.categorical("a", torch.full((1, 30), 1.0 / 30.0, dtype=torch.float64)).double() + 1.0
    return torch.remainder(torch.remainder(a * x, 31.0), 5.0) == torch.remainder(
        torch.remainder(a * y, 31.0), 5.0
    ), 0.25


@claim(
    "algorithms/subtle-laplace-max",
    high_probability("delta"),
    over=grid(k=[10], delta=[0.1]),
    expected="refuted",
    cite="Dwork and Roth 2014, Theorem 3.8, less .2",
)
def laplace_max_small(forall, draw, *, k, delta):
    """The largest of k Laplace noises is at most (log(k/delta) - 0.2) / eps with probability 1 - delta."""
    eps = forall.interval("eps", 0.1, 2.0)
    noise = draw.sample(
        "noise",
        torch.distributions.Laplace(torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)),
        k,
    )
    return (noise / eps[:, None]).abs().amax(-1), (math.log(k / delta) - 0.2) / eps


@claim(
    "algorithms/subtle-quicksort",
    reproduction(tolerance=0.05),
    expected="refuted",
    cite="Hoare 1962, with 10.5 for 10.3",
)
def quicksort_six(draw):
    """Quicksort of six keys makes 10.5 comparisons in the mean."""
    u, total = draw.uniform("u", 2000, 6), 0.0
    for i in range(6):
        for j in range(i + 1, 6):
            first = u[..., i : j + 1].argmin(-1)
            total = total + ((first == 0) | (first == j - i)).double()
    return [Row("comparisons", Estimate.mean(total.mean(-1)), printed=10.5)]


PROOFS = {
    "algorithms/true-kaczmarz": "Strohmer and Vershynin 2009 for equal row norms; three steps from any start.",
    "algorithms/true-perceptron": "Novikoff 1962 with R <= 1; any order, any number of passes.",
    "algorithms/true-ams": "Var Z^2 = 2(1 - sum f^4) <= 2, Chebyshev with three independent counters.",
    "algorithms/true-reservoir": "Item j is kept with probability (1/j) prod_{k>j}(1-1/k) = 1/8.",
    "algorithms/true-laplace-max": "Union bound over P(|L| > u) = exp(-u).",
    "algorithms/true-secretary": "r/n sum_{k=r}^{n-1} 1/k = .4167, .3987, .3842 > 1/e.",
    "algorithms/true-empty-bins": "n (1-1/n)^n <= n/e.",
    "algorithms/true-sgd-average": "x_n is the sample mean: equality.",
    "algorithms/true-doeblin": "Doeblin: tau(P) <= 1 - alpha, tau submultiplicative.",
    "algorithms/true-importance": "E_q p/q = p(supp q) <= 1.",
    "algorithms/true-adaboost": "1 - 4g^2 <= exp(-4 g^2).",
    "algorithms/true-kmeans-seed": "Mean over i of sum_j |x_j - x_i|^2 is twice the centred sum: equality.",
    "algorithms/true-langevin": "E x_k^2 = (1-(1-h)^{2k})/(1-h/2).",
    "algorithms/true-median-of-means": (
        "Two of three groups must deviate: 3 p^2 - 2 p^3 <= 3 p^2, Chebyshev; where p>1 the min with 1."
    ),
}

WITNESSES = {
    "algorithms/plain-coupon": {
        "params": {"n": 30},
        "values": {},
        "probability": 0.6253193009708995,
        "why": "about 1 - exp(-1)",
    },
    "algorithms/plain-secretary": {
        "params": {"n": 30},
        "values": {},
        "mean": 0.041348634006438616,
        "why": "r/n sum 1/k = .3786",
    },
    "algorithms/plain-sgd-small-step": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "bias squared decays as n^-1/2",
    },
    "algorithms/plain-count-min": {
        "params": {},
        "values": {"f": [0, 1, 0, 0, 0], "eps": 0.9},
        "why": "1/16 > 1/51.8",
        "probability": 0.0625,
    },
    "algorithms/subtle-linear-hash": {
        "params": {},
        "values": {"x": 30, "y": 5},
        "why": "10/30 for 60 of 465 pairs",
        "probability": 1 / 3,
    },
    "algorithms/subtle-laplace-max": {
        "params": {"k": 10, "delta": 0.1},
        "values": {"eps": 1.0},
        "probability": 0.11564111310504983,
        "why": "1-(1-.0122)^10",
    },
    "algorithms/subtle-quicksort": {
        "params": {},
        "values": {},
        "row": "comparisons",
        "ours": 10.3,
        "why": "2*7*2.45 - 24 = 10.3",
    },
}
