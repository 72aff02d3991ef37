"""Alien claims, known, part 3 of 4: named inequalities in many phrasings; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def sign_table(n):
    """All 2^n sign vectors, one a row."""
    bits = torch.arange(2**n)[:, None] >> torch.arange(n)[None, :]
    return 2.0 * (bits & 1).double() - 1.0


# -------------------------------------------------------------------------------------------------------- Khinchine


@claim("named/true-khinchine-exact", always(), cite="Szarek 1976", over=grid(n=[1, 2, 3, 6]))
def khinchine_exact(forall, *, n):
    """|a|_2 / sqrt(2) <= E |<a, s>|, all signs enumerated; equality at (1, 1, 0, ...)."""
    a = forall.interval("a", -1.0, 1.0, n)
    return a.norm(dim=-1) / math.sqrt(2), (a @ sign_table(n).T).abs().mean(-1)


@claim("named/true-khinchine-squared", always(), cite="Szarek 1976", over=grid(n=[2, 5]))
def khinchine_squared(forall, *, n):
    """|a|^2 - 2 (E |<a, s>|)^2 <= 0."""
    a = forall.ball("a", n)
    return (a**2).sum(-1) - 2 * (a @ sign_table(n).T).abs().mean(-1) ** 2, torch.zeros_like(a[:, 0])


@claim("named/true-khinchine-mean", expectation(range=(-1.3, 0.71)), cite="Szarek 1976", over=grid(n=[2, 4]))
def khinchine_mean(forall, draw, *, n):
    """|a| / sqrt(2) <= E |sum a_i s_i| for unit vectors a."""
    a = forall.sphere("a", n)
    return a.norm(dim=-1) / math.sqrt(2), (a * draw.signs("s", n)).sum(-1).abs()


@claim("named/true-khinchine-fourth", always(), cite="Khinchine 1923", over=grid(n=[1, 4, 8]))
def khinchine_fourth(forall, *, n):
    """E <a, s>^4 <= 3 (sum a^2)^2."""
    a = forall.interval("a", -1.0, 1.0, n)
    return ((a @ sign_table(n).T) ** 4).mean(-1), 3 * (a**2).sum(-1) ** 2


@claim("named/true-khinchine-littlewood", always(), cite="Littlewood 1930; Holder", over=grid(n=[2, 5]))
def khinchine_littlewood(forall, *, n):
    """(E S^2)^3 <= (E |S|)^2 E S^4."""
    a = forall.interval("a", -1.0, 1.0, n)
    s = (a @ sign_table(n).T).abs()
    return (s**2).mean(-1) ** 3, s.mean(-1) ** 2 * (s**4).mean(-1)


# --------------------------------------------------------------------- variance of a mean, Jensen, Markov, unions


@claim("named/true-variance-of-mean", expectation(range=(-0.25, 1.0)), cite="Bienayme", over=grid(n=[1, 4, 50]))
def variance_of_mean(forall, draw, *, n):
    """E (mean - p)^2 <= p (1 - p) / n, an equality."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p) ** 2, p * (1 - p) / n


@claim("named/true-variance-of-mean-reversed", expectation(range=(-4.0, 1.0)), cite="Bienayme", over=grid(n=[2, 10]))
def variance_of_mean_reversed(forall, draw, *, n):
    """s^2 / n <= E (mean - m)^2 for m + s z_i, z_i signs: the same equality from the other side."""
    m, s = forall.interval("m", -50.0, 50.0), forall.interval("s", 0.0, 1.0)
    x = m[:, None] + s[:, None] * draw.signs("z", n)
    return s**2 / n, (x.mean(-1) - m) ** 2


@claim("named/true-variance-unbiased", expectation(range=(-1.0, 1.0)), cite="Bessel", over=grid(n=[2, 9]))
def variance_unbiased(forall, draw, *, n):
    """E s_n^2 <= p (1 - p), an equality, with n - 1 below."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p, n).var(-1), p * (1 - p)


@claim("named/true-variance-moments", identity(), cite="Konig-Huygens", over=grid(k=[2, 6]))
def variance_moments(forall, *, k):
    """sum_i w_i (x_i - m)^2 = sum_ij w_i w_j (x_i - x_j)^2 / 2."""
    w, x = forall.simplex("w", k), forall.interval("x", -100.0, 100.0, k)
    m = (w * x).sum(-1, keepdim=True)
    pairs = w[:, :, None] * w[:, None, :] * (x[:, :, None] - x[:, None, :]) ** 2
    return (w * (x - m) ** 2).sum(-1), pairs.sum((-2, -1)) / 2


@claim("named/true-jensen-log", always(), cite="Jensen 1906", over=grid(k=[2, 8]))
def jensen_log(forall, *, k):
    """sum w log x <= log sum w x."""
    w, x = forall.simplex("w", k), forall.interval("x", 0.0, 10.0, k)
    return torch.xlogy(w, x).sum(-1), (w * x).sum(-1).log()


@claim("named/true-jensen-geometric", always(), cite="weighted AM-GM", over=grid(k=[2, 5]))
def jensen_geometric(forall, *, k):
    """prod x^w - sum w x <= 0."""
    w, x = forall.simplex("w", k), forall.interval("x", 0.0, 1.0, k)
    return (x**w).prod(-1) - (w * x).sum(-1), 0.0


@claim("named/true-jensen-exp", always(), cite="Jensen 1906", over=grid(k=[3]))
def jensen_exp(forall, *, k):
    """exp(sum w x) <= sum w exp(x), magnitudes from e^-50 to e^50."""
    w, x = forall.simplex("w", k), forall.interval("x", -50.0, 50.0, k)
    return (w * x).sum(-1).exp(), (w * x.exp()).sum(-1)


@claim("named/true-jensen-square", always(), cite="Jensen 1906", over=grid(n=[1, 2, 100]))
def jensen_square(forall, *, n):
    """(sum x)^2 <= n sum x^2."""
    x = forall.interval("x", 999.0, 1000.0, n)
    return x.sum(-1) ** 2, n * (x**2).sum(-1)


@claim("named/true-jensen-mean-exp", expectation(range=(-6.4, 6.4)), cite="Jensen 1906")
def jensen_mean_exp(forall, draw):
    """exp(t p) <= E exp(t x), x a coin of bias p, t in [0, 2]; equality at t = 0 and p = 0, 1."""
    t, p = forall.interval("t", 0.0, 2.0), forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p)
    return (t * p).exp() - (t * x).exp(), torch.zeros_like(x)


@claim("named/true-markov-coin", high_probability("delta"), cite="Markov", over=grid(delta=[0.05, 0.5]))
def markov_coin(forall, draw, *, delta):
    """x <= E x / delta for x in {0, w}: equality at p = delta."""
    w, p = forall.interval("w", 0.0, 7.0), forall.interval("p", 0.0, 1.0)
    return w * draw.bernoulli("x", p), w * p / delta


@claim("named/true-markov-exact", always(), cite="Markov", over=grid(k=[2, 5]))
def markov_exact(forall, *, k):
    """t P(X >= t) <= E X for X >= 0."""
    w, x, t = forall.simplex("w", k), forall.interval("x", 0.0, 1.0, k), forall.interval("t", 0.0, 1.0)
    return t * (w * (x >= t[:, None])).sum(-1), (w * x).sum(-1)


@claim("named/true-union-product", always(), cite="Boole", over=grid(k=[1, 3, 30]))
def union_product(forall, *, k):
    """1 - prod (1 - p_i) <= sum p_i."""
    p = forall.interval("p", 0.0, 1.0, k)
    return 1 - (1 - p).prod(-1), p.sum(-1)


@claim("named/true-union-bonferroni", always(), cite="Bonferroni 1936", over=grid(k=[2, 6]))
def union_bonferroni(forall, *, k):
    """sum p_i - sum_{i<j} p_i p_j <= 1 - prod (1 - p_i), p_i in [0, 1e-6]."""
    p = forall.interval("p", 0.0, 1e-6, k)
    pairs = (p.sum(-1) ** 2 - (p**2).sum(-1)) / 2
    return p.sum(-1) - pairs, 1 - (1 - p).prod(-1)


@claim(
    "named/true-union-of-means",
    high_probability("delta"),
    cite="Hoeffding 1963 and Boole",
    over=grid(m=[1, 20], n=[10], delta=[0.05]),
)
def union_of_means(forall, draw, *, m, n, delta):
    """max_k |mean_k - p_k| <= sqrt(log(2m/delta) / (2n))."""
    p = forall.interval("p", 0.0, 1.0, m)
    return (draw.bernoulli("x", p, m, n).mean(-1) - p).abs().amax(-1), math.sqrt(math.log(2 * m / delta) / (2 * n))


# ------------------------------------------------------------------------------------------------- means and rates


@claim("named/true-mean-rare-loss", expectation(), cite="1 - 1e-4 - 9999e-4 = 0")
def mean_rare_loss(draw):
    """E x <= 0 for x = 1 with probability 1 - 1e-4 and x = -9999 otherwise: the mean is 0."""
    x = 1.0 - 10000.0 * draw.bernoulli("x", 1e-4)
    return x, torch.zeros_like(x)


@claim("named/true-mean-lognormal-far", expectation(), cite="E exp(s z) = exp(s^2 / 2)")
def mean_lognormal_far(draw):
    """1 <= E exp(4 z - 8)."""
    z = draw.normal("z")
    return torch.ones_like(z), (4 * z - 8).exp()


@claim("named/true-mean-lognormal", expectation(range=(-91.0, math.inf)), cite="E exp(s z) = exp(s^2 / 2)")
def mean_lognormal(forall, draw):
    """E exp(s z) <= exp(s^2 / 2), s in [0, 3]."""
    s = forall.interval("s", 0.0, 3.0)
    return (s * draw.normal("z")).exp(), (s**2 / 2).exp()


@claim("named/true-mean-pareto", expectation(range=(-10.5, math.inf)), cite="mean of the Pareto law")
def mean_pareto(forall, draw):
    """E U^(-1/a) <= a / (a - 1), a in [1.1, 4]."""
    a = forall.interval("a", 1.1, 4.0)
    return (1 - draw.uniform("u")) ** (-1 / a), a / (a - 1)


@claim("named/true-mean-importance-weight", expectation(range=(-1e6, 1.0)), cite="importance weights have mean 1")
def mean_importance_weight(forall, draw):
    """1 <= E b / p for a coin b of bias p in [1e-6, 1]: equality, mostly 0."""
    p = forall.interval("p", 1e-6, 1.0)
    weight = draw.bernoulli("b", p) / p
    return torch.ones_like(weight), weight


@claim("named/true-rate-late-inverse", rate("n", -1.0), cite="limit", over=grid(n=[10, 30, 100, 300, 1000]))
def rate_late_inverse(draw, *, n):
    """1 / (n + 200) = O(1 / n)."""
    return 1 / (n + 200) + 0.0 * draw.uniform("u")


@claim("named/true-rate-late-root", rate("n", -0.5), cite="limit", over=grid(n=[4, 16, 64, 256, 1024]))
def rate_late_root(draw, *, n):
    """1 / (sqrt(n) + 10) = O(n^-1/2)."""
    return 1 / (math.sqrt(n) + 10) + 0.0 * draw.uniform("u")


@claim("named/true-rate-late-mixed", rate("n", -1.0), cite="limit", over=grid(n=[10, 100, 1000, 10000, 100000]))
def rate_late_mixed(draw, *, n):
    """1 / (n + 50 sqrt(n)) = O(1 / n)."""
    return 1 / (n + 50 * math.sqrt(n)) + 0.0 * draw.uniform("u")


@claim("named/true-rate-constant", rate("n", 0.0), cite="a constant", over=grid(n=[10, 20, 40, 80, 160]))
def rate_constant(draw, *, n):
    """The second moment of a sign is O(1)."""
    return (draw.signs("s", n) ** 2).mean(-1)


@claim(
    "named/true-rate-zero-point",
    rate("n", -1.0),
    cite="|n - 100| / n^2 <= 1/n + 100/n^2",
    over=grid(n=[10, 30, 100, 1000, 10000]),
)
def rate_zero_point(draw, *, n):
    """|n - 100| / n^2 = O(1 / n); it is 0 at n = 100."""
    return abs(n - 100) / n**2 + 0.0 * draw.uniform("u")


@claim("named/true-rate-vanishes", rate("n", -1.0), cite="0 for n >= 1000", over=grid(n=[10, 30, 100, 300, 1000, 3000]))
def rate_vanishes(draw, *, n):
    """(1/n - 1/1000)_+ times a random sign squared = O(1 / n)."""
    return max(1 / n - 1 / 1000, 0.0) * draw.signs("s") ** 2


@claim(
    "named/true-rate-random-mean", rate("n", -0.5), cite="central limit theorem", over=grid(n=[4, 16, 64, 256, 1024])
)
def rate_random_mean(draw, *, n):
    """E |mean of n signs| = O(n^-1/2)."""
    return draw.signs("s", n).mean(-1).abs()


# ------------------------------------------------------------------------------------------------------- falsehoods


@claim("named/plain-cosh", always(), cite="Hoeffding 1963, with 0.45 for 1/2", expected="refuted")
def plain_cosh(forall):
    """cosh(t) <= exp(0.45 t^2) on [-10, 10]: false for 0 < |t| < 0.9, by 1 % at most."""
    t = forall.interval("t", -10.0, 10.0)
    return torch.cosh(t), (0.45 * t**2).exp()


@claim("named/subtle-cosh-wide", always(), cite="Hoeffding 1963, with 0.45 for 1/2", expected="refuted")
def subtle_cosh_wide(forall):
    """cosh(t) <= exp(0.45 t^2) on [-30, 30]: the bad region is 3 % of the interval; lhs / rhs is largest there."""
    t = forall.interval("t", -30.0, 30.0)
    return torch.cosh(t), (0.45 * t**2).exp()


@claim("named/plain-hoeffding-lemma-ninth", always(), cite="Hoeffding 1963, with 1/9 for 1/8", expected="refuted")
def plain_hoeffding_lemma_ninth(forall):
    """E exp(t (X - p)) <= exp(t^2 / 9) for a coin X of bias p, |t| <= 5: false near p = 1/2, t about 1.5."""
    p, t = forall.interval("p", 0.0, 1.0), forall.interval("t", -5.0, 5.0)
    return p * (t * (1 - p)).exp() + (1 - p) * (-t * p).exp(), (t**2 / 9).exp()


@claim("named/subtle-hoeffding-lemma-log-ninth", always(), cite="Hoeffding 1963, with 1/9 for 1/8", expected="refuted")
def subtle_hoeffding_lemma_log_ninth(forall):
    """log sum w exp(t x) <= t sum w x + t^2 / 9, 8 points x in [0, 1]: half the weight must sit at either end."""
    w, x, t = forall.simplex("w", 8), forall.interval("x", 0.0, 1.0, 8), forall.interval("t", -10.0, 10.0)
    return (w * (t[:, None] * x).exp()).sum(-1).log(), t * (w * x).sum(-1) + t**2 / 9


@claim(
    "named/plain-fourth-power-small-ball",
    always(),
    cite="Cauchy-Schwarz, with 0.8 for 1",
    over=grid(d=[2, 5]),
    expected="refuted",
)
def plain_fourth_power_small_ball(forall, *, d):
    """(sum x^2)^2 <= 0.8 d sum x^4 in a ball of radius 1e-6: false at equal entries."""
    x = forall.ball("x", d, radius=1e-6)
    return (x**2).sum(-1) ** 2, 0.8 * d * (x**4).sum(-1)


@claim(
    "named/plain-fourth-power-tiny-ball",
    always(),
    cite="norm inequality, with 1/2 for 1",
    over=grid(d=[2, 3]),
    expected="refuted",
)
def plain_fourth_power_tiny_ball(forall, *, d):
    """sum x^4 <= (sum x^2)^2 / 2 in a ball of radius 1e-80: false at an axis, where both sides are near 1e-320."""
    x = forall.ball("x", d, radius=1e-80)
    return (x**4).sum(-1), 0.5 * (x**2).sum(-1) ** 2


@claim(
    "named/plain-ftl-20",
    always(),
    cite="Cesa-Bianchi, Lugosi 2006, Sec. 3.2 (lower bound T/2)",
    over=grid(T=[20]),
    expected="refuted",
)
def plain_ftl_20(forall, *, T):
    """Follow the leader, losses in [0, 1], two experts: regret <= T / 5: false, alternating losses give T / 2."""
    losses = forall.interval("loss", 0.0, 1.0, T, 2)
    before = losses.cumsum(1) - losses
    second = (before[..., 1] < before[..., 0]).double()
    paid = (1 - second) * losses[..., 0] + second * losses[..., 1]
    return paid.sum(-1) - losses.sum(1).amin(-1), T / 5


@claim(
    "named/plain-ftl-50",
    always(),
    cite="Cesa-Bianchi, Lugosi 2006, Sec. 3.2 (lower bound T/2)",
    over=grid(T=[50]),
    expected="refuted",
)
def plain_ftl_50(forall, *, T):
    """The same for T = 50, regret <= 10; true worst 25."""
    losses = forall.interval("loss", 0.0, 1.0, T, 2)
    before = losses.cumsum(1) - losses
    leader = torch.where(before[..., 0] <= before[..., 1], losses[..., 0], losses[..., 1])
    return leader.sum(-1), losses.sum(1).amin(-1) + 10.0


@claim(
    "named/subtle-ftl-100",
    always(),
    cite="Cesa-Bianchi, Lugosi 2006, Sec. 3.2 (lower bound T/2)",
    over=grid(T=[100]),
    expected="refuted",
)
def subtle_ftl_100(forall, *, T):
    """The same for T = 100, regret <= 20; true worst 50. High dimension, but alternating entries do it."""
    losses = forall.interval("loss", 0.0, 1.0, T, 2)
    before = losses.cumsum(1) - losses
    leader = torch.where(before[..., 0] <= before[..., 1], losses[..., 0], losses[..., 1])
    return leader.sum(-1) - losses.sum(1).amin(-1), 20.0


@claim(
    "named/plain-pinsker-quarter", always(), cite="Pinsker, with 1/4 for 1/2", over=grid(k=[2, 4]), expected="refuted"
)
def plain_pinsker_quarter(forall, *, k):
    """TV <= sqrt(KL / 4)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return (p - q).abs().sum(-1) / 2, (kl / 4).clamp_min(0).sqrt()


@claim("named/plain-pinsker-coin", always(), cite="Pinsker, 10 % off", expected="refuted")
def plain_pinsker_coin(forall):
    """2.2 (p - q)^2 <= kl(p, q): false near p = q = 1/2."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    return 2.2 * (p - q) ** 2, p * (p / q).log() + (1 - p) * ((1 - p) / (1 - q)).log()


@claim("named/subtle-pinsker-ten", always(), cite="Pinsker, 8 % off", expected="refuted")
def subtle_pinsker_ten(forall):
    """TV^2 <= 0.46 KL on 10 points: false along p = (1/2 + a, 1/2 - a) split evenly, q its mirror image, a < 0.17."""
    p, q = forall.simplex("p", 10), forall.simplex("q", 10)
    kl = (p * (p / q).clamp_min(1e-300).log()).sum(-1)
    return ((p - q).abs().sum(-1) / 2) ** 2, 0.46 * kl


@claim(
    "named/plain-pinsker-no-root",
    always(),
    cite="Pinsker without the square root",
    over=grid(k=[3]),
    expected="refuted",
)
def plain_pinsker_no_root(forall, *, k):
    """TV <= KL / 2: false for neighbouring laws."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = torch.where(p > 0, p * (p / q).log(), torch.zeros_like(p)).sum(-1)
    return (p - q).relu().sum(-1), kl / 2


@claim(
    "named/plain-catoni",
    high_probability("delta"),
    cite="Catoni 2007, Thm 1.2.6, divided by 1.25",
    over=grid(n=[20], k=[2], lam=[60.0], delta=[0.05]),
    expected="refuted",
)
def plain_catoni(forall, draw, *, n, k, lam, delta):
    """Catoni's bound / 1.25: false for two predictors of risk 0.143: often one of them makes no error."""
    risk = forall.interval("risk", 0.0, 1.0, k)
    r = draw.bernoulli("x", risk, k, n).mean(-1)
    rho = torch.softmax(-lam * r, -1)
    kl = torch.xlogy(rho, rho * k).sum(-1)
    c = lam / n
    bound = (1 - (-c * (rho * r).sum(-1) - (kl + math.log(1 / delta)) / n).exp()) / (1 - math.exp(-c))
    return (rho * risk).sum(-1), bound / 1.25


@claim(
    "named/plain-chebyshev-coin",
    high_probability("delta"),
    cite="Chebyshev, 20 % off",
    over=grid(n=[1, 2], delta=[0.05]),
    expected="refuted",
)
def plain_chebyshev_coin(forall, draw, *, n, delta):
    """|S - E S| <= 0.8 sqrt(Var / delta) for weighted coins: false for one coin of bias 0.07."""
    w, p = forall.interval("w", -1.0, 1.0, n), forall.interval("p", 0.0, 1.0, n)
    x = draw.bernoulli("x", p, n)
    return (w * (x - p)).sum(-1).abs(), 0.8 * ((w**2 * p * (1 - p)).sum(-1) / delta).sqrt()


TEN = [[0.12] * 5 + [0.08] * 5, [0.08] * 5 + [0.12] * 5]


CLOSE = {"p": [0.6, 0.4], "q": [0.4, 0.6]}


COIN = {"w": [1.0], "p": [0.07]}


PROOFS = {
    "named/true-khinchine-exact": "Szarek 1976, the best constant of the L1-L2 Khinchine inequality.",
    "named/true-khinchine-squared": "Szarek 1976, squared.",
    "named/true-khinchine-mean": "Szarek 1976; |S| <= sqrt(n) <= 2, so the difference lies in [0.7071 - 2, 0.7072].",
    "named/true-khinchine-fourth": "E S^4 = 3 |a|^4 - 2 sum a_i^4.",
    "named/true-khinchine-littlewood": "Holder with exponents 3/2 and 3 on |S|^2 = |S|^(2/3) |S|^(4/3).",
    "named/true-variance-of-mean": "Var(mean) = p(1 - p)/n; lhs in [0, 1], rhs in [0, 1/4].",
    "named/true-variance-of-mean-reversed": "Var(mean) = s^2/n; both sides in [0, 1].",
    "named/true-variance-unbiased": "The unbiased variance estimate; lhs in [0, 1/2], rhs in [0, 1/4].",
    "named/true-variance-moments": "Expand the double sum with weights of total 1.",
    "named/true-jensen-log": "log is concave; 0 log 0 = 0, and -inf is below everything.",
    "named/true-jensen-geometric": "Weighted AM-GM with 0^0 = 1.",
    "named/true-jensen-exp": "exp is convex.",
    "named/true-jensen-square": "Cauchy-Schwarz with the vector of ones; equality at equal entries.",
    "named/true-jensen-mean-exp": "exp is convex; both terms lie in [1, e^2], so the difference is within 6.39.",
    "named/true-markov-coin": (
        "The event w > w p / delta needs w > 0 and p < delta, and then has probability p < delta."
    ),
    "named/true-markov-exact": "t 1{X >= t} <= X pointwise.",
    "named/true-union-product": "Boole's inequality for independent events.",
    "named/true-union-bonferroni": "The second Bonferroni inequality for independent events; equality for two.",
    "named/true-union-of-means": "Hoeffding two-sided at delta / m for each coin, Boole.",
    "named/true-mean-rare-loss": "(1 - 1e-4) - 9999e-4 = 0.",
    "named/true-mean-lognormal-far": "E exp(4z - 8) = exp(16/2 - 8) = 1.",
    "named/true-mean-lognormal": "E exp(s z) = exp(s^2/2) <= e^4.5 < 90.1.",
    "named/true-mean-pareto": "int_0^1 u^(-1/a) du = a/(a - 1) <= 11, and the left side is at least 1.",
    "named/true-mean-importance-weight": "E b/p = 1; 0 <= b/p <= 1e6.",
    "named/true-rate-late-inverse": "n / (n + 200) <= 1.",
    "named/true-rate-late-root": "sqrt(n) / (sqrt(n) + 10) <= 1.",
    "named/true-rate-late-mixed": "n / (n + 50 sqrt(n)) <= 1.",
    "named/true-rate-constant": "The quantity is 1 everywhere.",
    "named/true-rate-zero-point": "n |n - 100| / n^2 <= 1 for n >= 50, and it tends to 1.",
    "named/true-rate-vanishes": "At most 1/n, and 0 for n >= 1000.",
    "named/true-rate-random-mean": "E|mean| <= sqrt(E mean^2) = n^-1/2.",
}


WITNESSES = {
    "named/plain-cosh": {"params": {}, "values": {"t": 0.6}, "why": "cosh(0.6) = 1.18547 > exp(0.162) = 1.17586"},
    "named/subtle-cosh-wide": {"params": {}, "values": {"t": 0.6}, "why": "cosh(0.6) = 1.18547 > exp(0.162) = 1.17586"},
    "named/plain-hoeffding-lemma-ninth": {
        "params": {},
        "values": {"p": 0.5, "t": 1.5},
        "why": "cosh(0.75) = 1.29468 > exp(1/4) = 1.28403",
    },
    "named/subtle-hoeffding-lemma-log-ninth": {
        "params": {},
        "values": {"w": [0.5, 0.5] + [0.0] * 6, "x": [0.0, 1.0] + [0.0] * 6, "t": 1.5},
        "why": "log cosh(0.75) = 0.25826 > 0.25, both sides plus 0.75",
    },
    "named/plain-fourth-power-small-ball": {
        "params": {"d": 2},
        "values": {"x": [7e-7, 7e-7]},
        "why": "4 x^4 > 0.8 * 2 * 2 x^4 = 3.2 x^4",
    },
    "named/plain-fourth-power-tiny-ball": {
        "params": {"d": 2},
        "values": {"x": [1e-80, 0.0]},
        "why": "1e-320 > 0.5e-320 (subnormal, but a factor 2)",
    },
    "named/plain-ftl-20": {
        "params": {"T": 20},
        "values": {"loss": [[1.0, 0.0], [0.0, 1.0]] * 10},
        "why": "the leader pays 20, the best expert 10: 10 > 4",
    },
    "named/plain-ftl-50": {
        "params": {"T": 50},
        "values": {"loss": [[1.0, 0.0], [0.0, 1.0]] * 25},
        "why": "the leader pays 50 > 25 + 10",
    },
    "named/subtle-ftl-100": {
        "params": {"T": 100},
        "values": {"loss": [[1.0, 0.0], [0.0, 1.0]] * 50},
        "why": "regret 100 - 50 = 50 > 20",
    },
    "named/plain-pinsker-quarter": {
        "params": {"k": 2},
        "values": CLOSE,
        "why": "TV = 0.2 > sqrt(0.2 log(1.5) / 4) = 0.1424",
    },
    "named/plain-pinsker-coin": {
        "params": {},
        "values": {"p": 0.55, "q": 0.45},
        "why": "2.2 * 0.01 = 0.022 > 0.1 log(11/9) = 0.020067",
    },
    "named/subtle-pinsker-ten": {
        "params": {},
        "values": {"p": TEN[0], "q": TEN[1]},
        "why": "0.04 > 0.46 * 0.2 log(1.5) = 0.037303",
    },
    "named/plain-pinsker-no-root": {
        "params": {"k": 3},
        "values": {"p": [0.5, 0.3, 0.2], "q": [0.4, 0.4, 0.2]},
        "why": "TV = 0.1 > 0.02527 / 2",
    },
    "named/plain-catoni": {
        "params": {"n": 20, "k": 2, "lam": 60.0, "delta": 0.05},
        "values": {"risk": [0.143, 0.143]},
        "probability": 0.089251,
        "why": "sum over both binomial counts; the event is that one count is 0",
    },
    "named/plain-chebyshev-coin": {
        "params": {"n": 1, "delta": 0.05},
        "values": COIN,
        "probability": 0.07,
        "why": "0.93 > 0.8 sqrt(0.07 * 0.93 / 0.05) = 0.9128",
    },
}
