"""Sums of independent variables, martingales, quadratic forms and order statistics."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, tail

TAILS = "sharp in the exponent as n grows, in tails too thin to be simulated"


@claim("classics/hoeffding-lemma", always(), cite="Hoeffding 1963, (4.16)", sharp=0.8, over=grid(atoms=[2, 3]))
def hoeffding_lemma(forall, *, atoms):
    """log E exp(s (X - E X)) <= s^2 / 8 for X in [0, 1]."""
    law, s = forall.law("P", atoms=atoms), forall.interval("s", -5.0, 5.0)
    moment = law.expect(lambda x: torch.exp(s[:, None] * (x - law.mean[:, None])))
    return moment.log(), s**2 / 8.0


@claim("classics/sign-moment", always(), cite="Boucheron, Lugosi, Massart 2013, section 2.3", sharp=0.8)
def sign_moment(forall):
    """log cosh(s) <= s^2 / 2: a random sign is sub-Gaussian with variance one."""
    s = forall.real("s").abs()
    return s + torch.log1p(torch.exp(-2.0 * s)) - math.log(2.0), s**2 / 2.0


@claim("classics/hoeffding", tail(), cite="Hoeffding 1963, Theorem 2", sharp=TAILS, over=grid(n=[5, 50]))
def hoeffding(forall, draw, *, n):
    """P(mean - E X >= t) <= exp(-2 n t^2) for n independent numbers in [0, 1]."""
    law, t = forall.law("P"), forall.interval("t", 0.0, 0.7)
    return draw.law("x", law, n).mean(-1) - law.mean >= t, torch.exp(-2.0 * n * t**2)


@claim("classics/chernoff", tail(), cite="Hoeffding 1963, Theorem 1, (2.1)", sharp=0.8, over=grid(n=[4, 40]))
def chernoff(forall, draw, *, n):
    """P(mean of n coins >= q) <= exp(-n kl(q, p)) for q >= p."""
    p, t = forall.interval("p", 0.01, 0.99), forall.interval("t", 0.0, 1.0)
    q = p + t * (1.0 - p)
    divergence = q.xlogy(q / p) + (1.0 - q).xlogy((1.0 - q) / (1.0 - p))
    return draw.bernoulli("x", p, n).mean(-1) >= q, torch.exp(-n * divergence)


@claim(
    "classics/bennett",
    tail(),
    cite="Bennett 1962; Boucheron, Lugosi, Massart 2013, section 2.7",
    restricts="variance at least 0.001",
    sharp=TAILS,
)
def bennett(forall, draw):
    """P(mean - E X >= t) <= exp(-n v h(t / v)), h(u) = (1 + u) log(1 + u) - u, for X - E X <= 1 of variance v."""
    n, law, t = 20, forall.law("P"), forall.interval("t", 0.0, 0.7)
    forall.assume(law.variance >= 1e-3)
    u = t / law.variance
    allowed = torch.exp(-n * law.variance * ((1.0 + u) * torch.log1p(u) - u))
    return draw.law("x", law, n).mean(-1) - law.mean >= t, allowed


@claim(
    "classics/bernstein",
    tail(),
    cite="Bernstein 1924; Boucheron, Lugosi, Massart 2013, section 2.8",
    restricts="variance at least 0.001",
    sharp=TAILS,
)
def bernstein(forall, draw):
    """P(mean - E X >= t) <= exp(-n t^2 / (2 (v + t / 3))) for X - E X <= 1 of variance v."""
    n, law, t = 20, forall.law("P"), forall.interval("t", 0.0, 0.7)
    forall.assume(law.variance >= 1e-3)
    allowed = torch.exp(-n * t**2 / (2.0 * (law.variance + t / 3.0)))
    return draw.law("x", law, n).mean(-1) - law.mean >= t, allowed


@claim("classics/bennett-bernstein", always(), cite="Boucheron, Lugosi, Massart 2013, section 2.7", sharp=0.8)
def bennett_bernstein(forall):
    """u^2 / (2 (1 + u / 3)) <= (1 + u) log(1 + u) - u for u >= 0: Bennett's inequality implies Bernstein's."""
    u = forall.interval("u", 1e-3, 50.0)
    return u**2 / (2.0 * (1.0 + u / 3.0)), (1.0 + u) * torch.log1p(u) - u


@claim(
    "classics/empirical-bernstein",
    high_probability("delta"),
    cite="Maurer and Pontil 2009, Theorem 4",
    trivial=1.0,
    sharp="the term of order 1/n covers the error of the sample variance",
    over=grid(n=[100], delta=[0.05]),
)
def empirical_bernstein(forall, draw, *, n, delta):
    """E X - mean <= sqrt(2 V log(2/delta) / n) + 7 log(2/delta) / (3 (n - 1)), V the sample variance, X in [0, 1]."""
    law, log = forall.law("P", atoms=3), math.log(2.0 / delta)
    x = draw.law("x", law, n)
    return law.mean - x.mean(-1), (2.0 * x.var(-1) * log / n).sqrt() + 7.0 * log / (3.0 * (n - 1))


@claim(
    "classics/mcdiarmid-empty-bins",
    tail(),
    cite="McDiarmid 1989, Lemma 1.2, for the number of empty bins",
    restricts="one function of bounded differences",
    sharp="sharp for the mean of coins, not for empty bins, whose variance is smaller",
    over=grid(balls=[12], bins=[6]),
)
def mcdiarmid_empty_bins(forall, draw, *, balls, bins):
    """P(empty bins - E >= t) <= exp(-2 t^2 / balls): one ball changes the number by at most one."""
    p, t = forall.simplex("p", bins), forall.interval("t", 0.0, 4.0)
    empty = (draw.multinomial("counts", balls, p) == 0).sum(-1)
    return empty - ((1.0 - p) ** balls).sum(-1) >= t, torch.exp(-2.0 * t**2 / balls)


@claim("classics/azuma", tail(), cite="Azuma 1967; Hoeffding 1963, section 2", sharp=TAILS, over=grid(rounds=[6]))
def azuma(forall, draw, *, rounds):
    """P(M_n >= t) <= exp(-t^2 / (2 n)) for martingales whose increments, chosen in view of the past, are at most 1."""
    bets, t = forall.strategy("bets", rounds, 2), forall.interval("t", 0.0, 6.0)
    signs, total = draw.signs("signs", rounds), 0.0
    for step in range(rounds):
        total = total + bets.move() * signs[:, step]
        bets.answer(signs[:, step] > 0.0)
    return total >= t, torch.exp(-(t**2) / (2.0 * rounds))


@claim("classics/freedman", tail(), cite="Freedman 1975, Theorem 1.6", sharp=TAILS, over=grid(rounds=[6]))
def freedman(forall, draw, *, rounds):
    """P(M_k >= t and V_k <= v for some k) <= exp(-t^2 / (2 (v + t))) for increments at most 1."""
    bets, t, v = forall.strategy("bets", rounds, 2), forall.interval("t", 0.0, 5.0), forall.interval("v", 0.01, 6.0)
    signs, total, variance, happened = draw.signs("signs", rounds), 0.0, 0.0, False
    for step in range(rounds):
        bet = bets.move()
        total, variance = total + bet * signs[:, step], variance + bet**2
        happened = happened | ((total >= t) & (variance <= v))
        bets.answer(signs[:, step] > 0.0)
    return happened, torch.exp(-(t**2) / (2.0 * (v + t)))


@claim(
    "classics/ville",
    high_probability("delta"),
    cite="Ville 1939; Durrett 2019, Theorem 4.4.2 (Doob's inequality)",
    sharp=0.8,
    over=grid(rounds=[3], delta=[0.24]),
)
def ville(forall, draw, *, rounds, delta):
    """max_k M_k <= 1/delta with probability 1 - delta for nonnegative martingales with M_0 = 1."""
    bets, signs = forall.strategy("bets", rounds, 2, low=-1.0), draw.signs("signs", rounds)
    wealth = highest = torch.ones_like(signs[:, 0])
    for step in range(rounds):
        wealth = wealth * (1.0 + bets.move() * signs[:, step])
        highest = torch.maximum(highest, wealth)
        bets.answer(signs[:, step] > 0.0)
    return highest, 1.0 / delta


@claim("classics/kolmogorov-maximal", tail(), cite="Durrett 2019, Theorem 2.5.5", sharp=0.8, over=grid(n=[1, 5]))
def kolmogorov_maximal(forall, draw, *, n):
    """P(max_k |S_k| >= t) <= Var(S_n) / t^2 for sums of independent centred variables."""
    law, t = forall.law("P", atoms=[-1.0, 0.0, 1.0]), forall.interval("t", 0.2, 3.0)
    sums = (draw.law("x", law, n) - law.mean).cumsum(-1)
    return sums.abs().amax(-1) >= t, n * law.variance / t**2


@claim(
    "classics/massart-dkw",
    high_probability("delta"),
    cite="Dvoretzky, Kiefer, Wolfowitz 1956; Massart 1990, Corollary 1",
    restricts="the uniform law; others are images of it",
    sharp=0.8,
    over=grid(n=[20], delta=[0.1]),
)
def massart_dkw(draw, within, *, n, delta):
    """sup_t |F_n(t) - F(t)| <= sqrt(log(2/delta) / (2 n))."""
    x, t = draw.uniform("x", n), within.interval("t", 0.0, 1.0)
    return ((x <= t[:, None]).double().mean(-1) - t).abs(), math.sqrt(math.log(2.0 / delta) / (2.0 * n))


@claim(
    "classics/massart-one-sided",
    high_probability("delta"),
    cite="Massart 1990, Theorem 1",
    restricts="the uniform law; others are images of it",
    sharp=0.8,
    over=grid(n=[10, 100], delta=[0.1]),
)
def massart_one_sided(draw, *, n, delta):
    """sup_t F_n(t) - F(t) <= sqrt(log(1/delta) / (2 n)) for delta <= 1/2."""
    x = draw.uniform("x", n).sort(-1).values
    rank = torch.arange(1, n + 1, device=x.device)
    return (rank / n - x).amax(-1), math.sqrt(math.log(1.0 / delta) / (2.0 * n))


@claim(
    "classics/u-statistic",
    tail(),
    cite="Hoeffding 1963, (5.7)",
    sharp="blocks of disjoint pairs lose the averaging over all pairs",
    over=grid(n=[9]),
)
def u_statistic(forall, draw, *, n):
    """P(U - E U >= t) <= exp(-2 floor(n/2) t^2) for the mean difference, U = mean of |x_i - x_j| over pairs."""
    law, t = forall.law("P", atoms=3), forall.interval("t", 0.0, 0.6)
    x = draw.law("x", law, n)
    u = (x[:, :, None] - x[:, None, :]).abs().sum((-1, -2)) / (n * (n - 1))
    apart = (law.atoms[:, :, None] - law.atoms[:, None, :]).abs()
    return u - torch.einsum("bi,bij,bj->b", law.weights, apart, law.weights) >= t, torch.exp(-2.0 * (n // 2) * t**2)


@claim("classics/laurent-massart-upper", tail(), cite="Laurent and Massart 2000, Lemma 1, (4.3)", sharp=TAILS)
def laurent_massart_upper(forall, draw):
    """P(sum a_i (z_i^2 - 1) >= 2 |a|_2 sqrt(x) + 2 |a|_inf x) <= exp(-x) for weights a >= 0, not all 0."""
    a, x = forall.sphere("a", 4).abs(), forall.interval("x", 0.0, 6.0)
    edge = 2.0 * a.norm(dim=-1) * x.sqrt() + 2.0 * a.amax(-1) * x
    return (a * (draw.normal("z", 4) ** 2 - 1.0)).sum(-1) >= edge, torch.exp(-x)


@claim("classics/laurent-massart-lower", tail(), cite="Laurent and Massart 2000, Lemma 1, (4.4)", sharp=TAILS)
def laurent_massart_lower(forall, draw):
    """P(sum a_i (z_i^2 - 1) <= -2 |a|_2 sqrt(x)) <= exp(-x) for weights a >= 0, not all 0."""
    a, x = forall.sphere("a", 4).abs(), forall.interval("x", 0.0, 6.0)
    edge = -2.0 * a.norm(dim=-1) * x.sqrt()
    return (a * (draw.normal("z", 4) ** 2 - 1.0)).sum(-1) <= edge, torch.exp(-x)


@claim("classics/hanson-wright-signs", tail(), cite="Hsu, Kakade, Zhang 2012, main theorem", sharp=TAILS)
def hanson_wright_signs(forall, draw):
    """P(|A e|^2 > tr S + 2 sqrt(tr(S^2) t) + 2 |S| t) <= exp(-t), S = A'A, for signs e."""
    a, t = forall.interval("A", -1.0, 1.0, 3, 4), forall.interval("t", 0.0, 4.0)
    s = torch.linalg.svdvals(a) ** 2
    edge = s.sum(-1) + 2.0 * ((s**2).sum(-1) * t).sqrt() + 2.0 * s.amax(-1) * t
    return (a @ draw.signs("e", 4, 1)).square().sum((-1, -2)) > edge, torch.exp(-t)


@claim(
    "classics/gaussian-lipschitz",
    tail(),
    cite="Tsirelson, Ibragimov, Sudakov 1976; Boucheron, Lugosi, Massart 2013, Theorem 5.6",
    restricts="one Lipschitz function, the Euclidean norm",
    sharp=TAILS,
    over=grid(d=[1, 8]),
)
def gaussian_lipschitz(forall, draw, *, d):
    """P(f(z) - E f(z) >= t) <= exp(-t^2 / 2) for 1-Lipschitz f of standard normal z: here the norm."""
    t = forall.interval("t", 0.0, 4.0)
    mean = math.sqrt(2.0) * math.exp(math.lgamma((d + 1) / 2.0) - math.lgamma(d / 2.0))
    return draw.normal("z", d).norm(dim=-1) - mean >= t, torch.exp(-(t**2) / 2.0)


@claim(
    "classics/gaussian-poincare",
    expectation(),
    cite="Boucheron, Lugosi, Massart 2013, Theorem 3.20",
    restricts="largest of three affine functions of two variables",
    sharp="sharp for linear functions; a mean over unbounded draws is never refuted",
)
def gaussian_poincare(forall, draw):
    """Var f(z) <= E |grad f(z)|^2 for standard normal z."""
    f, z, again = forall.convex("f", 3, 2), draw.normal("z", 2), draw.normal("again", 2)
    return (f(z) - f(again)) ** 2 / 2.0, f.subgradient(z).square().sum(-1)


@claim(
    "classics/gaussian-maximum",
    always(),
    cite="Boucheron, Lugosi, Massart 2013, Theorem 2.5",
    restricts="independent variables, by quadrature",
    sharp=0.8,
    over=grid(n=[2, 100, 10**6]),
)
def gaussian_maximum(*, n):
    """E max of n standard normal numbers <= sqrt(2 log n)."""
    x = torch.linspace(0.0, 12.0, 24001)
    above = 1.0 - torch.exp(n * torch.special.log_ndtr(x))
    return torch.trapezoid(above - torch.exp(n * torch.special.log_ndtr(-x)), x), math.sqrt(2.0 * math.log(n))


@claim("classics/paley-zygmund", always(), cite="Paley and Zygmund 1932; Kahane 1985, chapter 1", sharp=0.8)
def paley_zygmund(forall):
    """(1 - c)^2 (E X)^2 / E X^2 <= P(X > c E X) for X >= 0 and c in [0, 1]."""
    law, c = forall.law("P", atoms=3), forall.interval("c", 0.0, 1.0)
    least = ((1.0 - c) * law.mean) ** 2 / law.expect(lambda x: x**2)
    return least, law.probability(lambda x: x > (c * law.mean)[:, None])


@claim("classics/cantelli", tail(), cite="Cantelli 1928; Boucheron, Lugosi, Massart 2013, Exercise 2.3", sharp=0.8)
def cantelli(forall, draw):
    """P(X - E X >= t) <= Var X / (Var X + t^2)."""
    law, t = forall.law("P", low=-1.0), forall.interval("t", 0.05, 1.9)
    return draw.law("x", law) >= law.mean + t, law.variance / (law.variance + t**2)


@claim("classics/median-mean", always(), cite="Hotelling and Solomons 1932", sharp=0.8, over=grid(atoms=[2, 4]))
def median_mean(forall, *, atoms):
    """|median - mean| <= standard deviation."""
    law = forall.law("P", atoms=atoms)
    return (law.quantile(0.5) - law.mean).abs(), law.variance.sqrt()


@claim("classics/bhatia-davis", always(), cite="Bhatia and Davis 2000, Theorem 1", sharp=0.8, over=grid(atoms=[2, 3]))
def bhatia_davis(forall, *, atoms):
    """Var X <= (1 - E X) E X for X in [0, 1]."""
    law = forall.law("P", atoms=atoms)
    return law.variance, (1.0 - law.mean) * law.mean


@claim("classics/khinchin", always(), cite="Szarek 1976", sharp=0.8, over=grid(n=[2, 5]))
def khinchin(forall, *, n):
    """|a| / sqrt(2) <= E |sum e_i a_i| for random signs e."""
    a = forall.sphere("a", n)
    return a.norm(dim=-1) / math.sqrt(2.0), (a @ every.signs(n, like=a).mT).abs().mean(-1)


@claim(
    "classics/markov-pareto",
    tail(),
    cite="folklore (Markov's inequality), for heavy tails",
    restricts="Pareto laws",
    sharp="sharp for two atoms, not for Pareto laws",
)
def markov_pareto(forall, draw):
    """P(X >= t) <= E X / t for X >= 0."""
    law, t = forall.pareto("P", index=(1.05, 4.0)), forall.interval("t", 1.0, 50.0)
    return draw.law("x", law) >= t, law.mean / t


@claim(
    "classics/median-of-means",
    high_probability("delta"),
    cite="Lugosi and Mendelson 2019, Theorem 2",
    restricts="Pareto laws; 24 blocks, the smallest number above 8 log(1/delta)",
    sharp="Chebyshev's inequality for a block loses a factor",
    over=grid(n=[240], delta=[0.05]),
)
def median_of_means(forall, draw, *, n, delta):
    """|median of the means of k blocks - E X| <= sigma sqrt(4 k / n) for k >= 8 log(1/delta)."""
    law, k = forall.pareto("P", index=(2.05, 6.0)), math.ceil(8.0 * math.log(1.0 / delta))
    means = draw.law("x", law, k, n // k).mean(-1)
    return (means.median(-1).values - law.mean).abs(), law.variance.sqrt() * math.sqrt(4.0 * k / n)


@claim(
    "classics/chebyshev-mixtures",
    tail(),
    cite="folklore (Chebyshev's inequality)",
    restricts="mixtures of three normal laws",
    sharp="reached by two atoms, mixtures of scale 0, where every trial is a tie",
)
def chebyshev_mixtures(forall, draw):
    """P(|X - E X| >= t) <= Var X / t^2."""
    law, t = forall.gaussian_mixture("P", 3), forall.interval("t", 0.2, 3.0)
    return (draw.law("x", law) - law.mean).abs() >= t, law.variance / t**2
