"""Alien claims, known: concentration of measure; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, rate


@claim(
    "concentration/true-weighted-flips",
    high_probability("delta"),
    over=grid(n=[1, 5, 40], delta=[0.05, 0.3]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.8 (Hoeffding)",
)
def true_weighted_flips(forall, draw, *, n, delta):
    """sum_i w_i (x_i - p) <= sqrt(|w|^2 log(1/delta) / 2) with probability at least 1 - delta, w in the simplex."""
    p = forall.interval("p", 0.0, 1.0)
    w = forall.simplex("w", n)
    x = draw.bernoulli("x", p, n)
    return (w * (x - p)).sum(-1), (w.square().sum(-1) * math.log(1 / delta) / 2).sqrt()


@claim(
    "concentration/plain-bernstein-without-linear-term",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[100], delta=[0.05]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.10, linear term dropped",
)
def plain_bernstein_without_linear_term(forall, draw, *, n, delta):
    """mean - p <= sqrt(2 p (1 - p) log(1/delta) / n) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return x.mean(-1) - p, (2 * p * (1 - p) * math.log(1 / delta) / n).sqrt()


@claim(
    "concentration/true-tomaszewski",
    high_probability("delta"),
    over=grid(d=[1, 2, 9], delta=[0.5]),
    cite="Keller-Klein 2022, proof of Tomaszewski's conjecture",
)
def true_tomaszewski(forall, draw, *, d, delta):
    """|<a, eps>| <= 1 with probability at least 1/2, for every unit vector a."""
    a = forall.sphere("a", d)
    eps = draw.signs("eps", d)
    return (a * eps).sum(-1).abs(), 1.0


@claim(
    "concentration/plain-chi-square-one-term",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[4], delta=[0.01]),
    cite="Laurent-Massart 2000, Lemma 1, second term dropped",
)
def plain_chi_square_one_term(forall, draw, *, d, delta):
    """sum_i a_i (g_i^2 - 1) <= 2 |a| sqrt(log(1/delta)) with probability at least 1 - delta, a_i >= 0."""
    a = forall.interval("a", 0.0, 1.0, d)
    g = draw.normal("g", d)
    return (a * (g.square() - 1)).sum(-1), 2 * a.norm(dim=-1) * math.sqrt(math.log(1 / delta))


@claim(
    "concentration/true-variance-of-weighted-mean",
    expectation(range=(-0.25, 1.0)),
    over=grid(d=[1, 4, 30]),
    cite="Feller I, IX.5 (variance of a sum)",
)
def true_variance_of_weighted_mean(forall, draw, *, d):
    """E (sum_i w_i x_i - p)^2 <= p (1 - p) |w|^2 for independent flips x_i of bias p (with equality)."""
    p = forall.interval("p", 0.0, 1.0)
    w = forall.simplex("w", d)
    x = draw.bernoulli("x", p, d)
    return ((w * x).sum(-1) - p).square(), p * (1 - p) * w.square().sum(-1)


@claim(
    "concentration/plain-small-ball-one-half",
    high_probability("delta"),
    expected="refuted",
    over=grid(d=[3], delta=[0.5]),
    cite="Tomaszewski's statement read in the wrong direction",
)
def plain_small_ball_one_half(forall, draw, *, d, delta):
    """1 <= |<a, eps>| with probability at least 1/2, for every unit vector a."""
    a = forall.sphere("a", d)
    eps = draw.signs("eps", d)
    return 1.0, (a * eps).sum(-1).abs()


@claim(
    "concentration/true-cantelli-flips",
    high_probability("delta"),
    over=grid(n=[1, 4], delta=[0.05, 0.25]),
    cite="Boucheron-Lugosi-Massart, Exercise 2.3 (Chebyshev-Cantelli)",
)
def true_cantelli_flips(forall, draw, *, n, delta):
    """mean - p <= sqrt(p (1 - p) (1/delta - 1) / n) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return x.mean(-1) - p, (p * (1 - p) * (1 / delta - 1) / n).sqrt()


@claim(
    "concentration/plain-doob-without-four",
    expectation(range=(-1.0, 4.0)),
    expected="refuted",
    over=grid(n=[4]),
    cite="Doob's L2 maximal inequality, factor 4 forgotten",
)
def plain_doob_without_four(forall, draw, *, n):
    """E max_k (sum_{i <= k} a_i eps_i)^2 <= |a|^2."""
    a = forall.ball("a", n)
    walk = (a * draw.signs("eps", n)).cumsum(-1)
    return walk.square().amax(-1), a.square().sum(-1)


@claim("concentration/true-bennett-function", always(), cite="Boucheron-Lugosi-Massart, Exercise 2.8")
def true_bennett_function(forall):
    """u^2 / (2 (1 + u/3)) <= h(u) = (1 + u) log(1 + u) - u for all u >= 0."""
    u = forall.interval("u", 0.0, 50.0)
    return u.square() / (2 * (1 + u / 3)), (1 + u) * torch.log(1 + u) - u


@claim(
    "concentration/plain-ville-square-root",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[3], delta=[0.1]),
    cite="Ville's inequality with 1/sqrt(delta) for 1/delta",
)
def plain_ville_square_root(forall, draw, *, n, delta):
    """max_k prod_{i <= k} (1 + stake_i eps_i) <= 1/sqrt(delta) with probability at least 1 - delta."""
    stake = forall.interval("stake", -1.0, 1.0, n)
    eps = draw.signs("eps", n)
    return (1 + stake * eps).cumprod(-1).amax(-1), 1 / math.sqrt(delta)


@claim(
    "concentration/true-chernoff-binomial-tail",
    always(),
    over=grid(n=[1, 7, 60]),
    cite="Lattimore-Szepesvari, Lemma 10.3; Boucheron-Lugosi-Massart, section 2.2",
)
def true_chernoff_binomial_tail(forall, *, n):
    """P(Bin(n, p) >= k) <= exp(-n kl(k/n, p)) for all p <= k/n."""
    k = forall.integers("k", 1, n)
    p = forall.interval("q", 0.0, 1.0) * k / n
    j = torch.arange(n + 1, dtype=torch.float64)
    choose = math.lgamma(n + 1) - torch.lgamma(j + 1) - torch.lgamma(n - j + 1)
    q = p.unsqueeze(-1)
    mass = torch.exp(choose + torch.xlogy(j, q) + torch.xlogy(n - j, 1 - q))
    tail = (mass * (j >= k.unsqueeze(-1))).sum(-1)
    return tail, torch.exp(-torch.xlogy(k, k / (n * p)) - torch.xlogy(n - k, (n - k) / (n - n * p)))


@claim(
    "concentration/plain-finite-population",
    expectation(range=(-0.1, 1.0)),
    expected="refuted",
    cite="Serfling 1974, variance without replacement, with divisor N instead of N - 1",
)
def plain_finite_population(forall, draw):
    """Sampling 2 of 4 without replacement: E (sample mean - mean)^2 <= variance / 2 * (1 - 2/4), divisor 4."""
    x = forall.interval("x", 0.0, 1.0, 4)
    order = draw.uniform("u", 4).argsort(-1)
    sample = torch.take_along_dim(x, order, -1)[..., :2]
    return (sample.mean(-1) - x.mean(-1)).square(), x.var(-1, correction=0) / 2 * (1 - 2 / 4)


@claim(
    "concentration/true-ville-products",
    high_probability("delta"),
    over=grid(n=[3, 10], delta=[0.125, 0.05]),
    cite="Lattimore-Szepesvari, Theorem 3.9 (maximal inequality); Ville 1939",
)
def true_ville_products(forall, draw, *, n, delta):
    """max_k sum_{i <= k} log(1 + stake_i eps_i) <= log(1/delta) with probability at least 1 - delta."""
    stake = forall.interval("stake", -1.0, 1.0, n)
    eps = draw.signs("eps", n)
    return (1 + stake * eps).log().cumsum(-1).amax(-1), math.log(1 / delta)


@claim(
    "concentration/subtle-doob-one-and-a-half",
    expectation(range=(-1.5, 40.0)),
    expected="refuted",
    over=grid(n=[40]),
    cite="Doob's L2 maximal inequality with 1.5 for 4",
)
def subtle_doob_one_and_a_half(forall, draw, *, n):
    """E max_k (sum_{i <= k} a_i eps_i)^2 <= 1.5 |a|^2 for at most forty steps.

    Findable: needs many comparable weights; equal entries are the natural instance.
    """
    a = forall.ball("a", n)
    walk = (a * draw.signs("eps", n)).cumsum(-1)
    return walk.square().amax(-1), 1.5 * a.square().sum(-1)


@claim(
    "concentration/true-maximum-of-uniforms",
    high_probability("delta"),
    over=grid(n=[1, 20], delta=[0.05, 0.5]),
    cite="Feller II, I.7 (order statistics)",
)
def true_maximum_of_uniforms(forall, draw, *, n, delta):
    """s delta^(1/n) <= max of n uniforms on [0, s] with probability at least 1 - delta (exactly)."""
    s = forall.interval("s", 0.0, 1.0)
    u = draw.uniform("u", n)
    return s * delta ** (1 / n), (s * u).amax(-1)


@claim(
    "concentration/plain-hoeffding-lemma-variance",
    always(),
    expected="refuted",
    cite="Hoeffding's lemma with the variance as variance proxy",
)
def plain_hoeffding_lemma_variance(forall):
    """log(1 - p + p e^s) - p s <= p (1 - p) s^2 / 2."""
    p = forall.interval("p", 0.0, 1.0)
    s = forall.interval("s", -5.0, 5.0)
    return torch.log(1 - p + p * torch.exp(s)) - p * s, p * (1 - p) * s.square() / 2


@claim(
    "concentration/true-szarek",
    expectation(range=(-2.0, 1.0)),
    over=grid(d=[1, 2, 5]),
    cite="Szarek 1976; Boucheron-Lugosi-Massart, Theorem 5.20 (Khinchine-Kahane)",
)
def true_szarek(forall, draw, *, d):
    """|a| / sqrt(2) <= E |<a, eps>| for every a in the unit ball."""
    a = forall.ball("a", d)
    eps = draw.signs("eps", d)
    return a.norm(dim=-1) / math.sqrt(2), (a * eps).sum(-1).abs()


@claim(
    "concentration/plain-hoeffding-tail-three",
    always(),
    expected="refuted",
    over=grid(n=[20]),
    cite="Hoeffding 1963, Theorem 1, with 3 for 2 in the exponent",
)
def plain_hoeffding_tail_three(forall, *, n):
    """P(Bin(n, p) >= k) <= exp(-3 n (k/n - p)^2) for all p <= k/n."""
    k = forall.integers("k", 1, n)
    p = forall.interval("q", 0.0, 1.0) * k / n
    j = torch.arange(n + 1, dtype=torch.float64)
    choose = math.lgamma(n + 1) - torch.lgamma(j + 1) - torch.lgamma(n - j + 1)
    q = p.unsqueeze(-1)
    mass = torch.exp(choose + torch.xlogy(j, q) + torch.xlogy(n - j, 1 - q))
    return (mass * (j >= k.unsqueeze(-1))).sum(-1), torch.exp(-3 * n * (k / n - p).square())


@claim(
    "concentration/true-finite-population",
    expectation(range=(-1.0, 1.0)),
    over=grid(n=[1, 3, 6]),
    cite="Cochran 1977, Theorem 2.2; Serfling 1974",
)
def true_finite_population(forall, draw, *, n):
    """Sampling n of 6 without replacement: E (sample mean - mean)^2 <= S^2 / n * (1 - n/6) (with equality)."""
    x = forall.interval("x", 0.0, 1.0, 6)
    order = draw.uniform("u", 6).argsort(-1)
    sample = torch.take_along_dim(x, order, -1)[..., :n]
    return (sample.mean(-1) - x.mean(-1)).square(), x.var(-1) / n * (1 - n / 6)


@claim(
    "concentration/plain-paley-zygmund-not-squared",
    always(),
    expected="refuted",
    over=grid(d=[2]),
    cite="Paley-Zygmund with (1 - t) for (1 - t)^2",
)
def plain_paley_zygmund_not_squared(forall, *, d):
    """(1 - t) (E Z)^2 <= P(Z > t E Z) E Z^2 for Z >= 0 with values x and weights w."""
    w = forall.simplex("w", d)
    x = forall.interval("x", 0.0, 1.0, d)
    t = forall.interval("t", 0.0, 1.0)
    mean = (w * x).sum(-1)
    above = (w * (x > (t * mean).unsqueeze(-1))).sum(-1)
    return (1 - t) * mean.square(), above * (w * x.square()).sum(-1)


@claim("concentration/true-mills-lower", always(), cite="Gordon 1941; Feller I, VII.1 (tail of the normal law)")
def true_mills_lower(forall):
    """t / (1 + t^2) phi(t) <= 1 - Phi(t) for all t >= 0."""
    t = forall.interval("t", 0.0, 40.0)
    density = torch.exp(-t.square() / 2) / math.sqrt(2 * math.pi)
    return t / (1 + t.square()) * density, 1 - 0.5 * (1 + torch.erf(t / math.sqrt(2)))


@claim(
    "concentration/plain-biased-variance",
    expectation(range=(-0.25, 0.25)),
    expected="refuted",
    over=grid(n=[5]),
    cite="Feller I, IX.9 (problems), Bessel's correction forgotten",
)
def plain_biased_variance(forall, draw, *, n):
    """p (1 - p) <= E of the empirical variance with divisor n."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return p * (1 - p), x.var(-1, correction=0)


@claim(
    "concentration/true-greenberg-mohri",
    high_probability("delta"),
    over=grid(n=[2, 5, 20], delta=[0.75]),
    cite="Greenberg-Mohri 2014, Theorem 1",
)
def true_greenberg_mohri(forall, draw, *, n, delta):
    """n p <= Bin(n, p) with probability at least 1/4, for all p >= 1/n."""
    p = forall.interval("p", 1 / n, 1.0)
    x = draw.bernoulli("x", p, n)
    return n * p, x.sum(-1)


@claim(
    "concentration/subtle-wallis-integer",
    always(),
    expected="refuted",
    cite="Watson 1959 (Gamma(m+1)/Gamma(m+1/2))^2 >= m + 1/4, with 0.251",
)
def subtle_wallis_integer(forall):
    """sqrt(m + 0.251) <= Gamma(m + 1) / Gamma(m + 1/2) for the integers 1 to 200.

    Findable: false for most integers above 31, by at most 4e-6.
    """
    m = forall.integers("m", 1, 200)
    return (m + 0.251).sqrt(), torch.exp(torch.lgamma(m + 1) - torch.lgamma(m + 0.5))


@claim(
    "concentration/true-finite-class",
    expectation(range=(-5.0, 2.0)),
    over=grid(N=[1, 2, 8]),
    cite="Boucheron-Lugosi-Massart, Theorem 2.5",
)
def true_finite_class(forall, draw, *, N):
    """E max_j <a_j, eps> <= max_j |a_j| sqrt(2 log N), N vectors of the unit ball of dimension 4."""
    a = forall.ball("a", N, 4)
    eps = draw.signs("eps", 4).unsqueeze(-2)
    return (a * eps).sum(-1).amax(-1), a.norm(dim=-1).amax(-1) * math.sqrt(2 * math.log(N))


@claim(
    "concentration/plain-efron-stein-quarter",
    expectation(range=(-1.0, 0.5)),
    expected="refuted",
    over=grid(n=[4]),
    cite="Boucheron-Lugosi-Massart, Theorem 3.1, with 1/4 for 1/2",
)
def plain_efron_stein_quarter(forall, draw, *, n):
    """Z = max_i a_i x_i: E (Z - Z')^2 / 2 <= sum_i E (Z - Z_i')^2 / 4, x_i replaced by a copy, one at a time."""
    a = forall.interval("a", 0.0, 1.0, n)
    p = forall.interval("p", 0.0, 1.0)
    x, y = draw.bernoulli("x", p, n), draw.bernoulli("y", p, n)
    z = (a * x).amax(-1)
    own = torch.eye(n, dtype=torch.bool)
    swapped = sum((z - (a * torch.where(own[i], y, x)).amax(-1)).square() for i in range(n))
    return (z - (a * y).amax(-1)).square() / 2, swapped / 4


@claim(
    "concentration/true-pinelis-vectors",
    high_probability("delta"),
    over=grid(n=[1, 8], d=[1, 3], delta=[0.05, 0.4]),
    cite="Pinelis 1994, Theorem 3.5",
)
def true_pinelis_vectors(forall, draw, *, n, d, delta):
    """|sum_i eps_i v_i|^2 <= 2 log(2/delta) sum_i |v_i|^2 with probability at least 1 - delta."""
    v = forall.ball("v", n, d)
    eps = draw.signs("eps", n).unsqueeze(-1)
    return (eps * v).sum(-2).square().sum(-1), 2 * math.log(2 / delta) * v.square().sum((-1, -2))


@claim(
    "concentration/subtle-two-sided-kl",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[50], delta=[0.5]),
    cite="Lattimore-Szepesvari, Corollary 10.4, union over both sides forgotten",
)
def subtle_two_sided_kl(forall, draw, *, n, delta):
    """n kl(mean, p) <= log(1/delta) with probability at least 1 - delta (both tails at once).

    Findable: a window p = c/n with c in (0.69, 0.74), where a search of rare probabilities looks.
    """
    p = forall.interval("p", 0.0, 1.0)
    m = draw.bernoulli("x", p, n).mean(-1)
    return n * (torch.xlogy(m, m / p) + torch.xlogy(1 - m, (1 - m) / (1 - p))), math.log(1 / delta)


@claim(
    "concentration/true-pareto-maximum",
    high_probability("delta"),
    over=grid(n=[1, 50], delta=[0.05, 0.3]),
    cite="Feller II, VIII.8 (maxima of heavy tails); union bound",
)
def true_pareto_maximum(forall, draw, *, n, delta):
    """max of n Pareto(alpha) variables <= (n/delta)^(1/alpha) with probability at least 1 - delta."""
    alpha = forall.interval("alpha", 0.1, 5.0)
    u = draw.uniform("u", n)
    return u.pow(-1 / alpha).amax(-1), (n / delta) ** (1 / alpha)


@claim(
    "concentration/plain-anytime-for-free",
    high_probability("delta"),
    expected="refuted",
    over=grid(n=[200], delta=[0.2]),
    cite="Hoeffding at every time at once: the union over times forgotten",
)
def plain_anytime_for_free(forall, draw, *, n, delta):
    """max_k |sum_{i <= k} a_i eps_i| / sqrt(sum_{i <= k} a_i^2) <= sqrt(2 log(2/delta)), probability 1 - delta."""
    a = forall.interval("a", 0.1, 1.0, n)
    walk = (a * draw.signs("eps", n)).cumsum(-1)
    return (walk.abs() / a.square().cumsum(-1).sqrt()).amax(-1), math.sqrt(2 * math.log(2 / delta))


@claim(
    "concentration/true-rate-inverse-count",
    rate("n", -1.0),
    over=grid(n=[32, 128, 512, 2048, 8192, 32768]),
    cite="Chao-Strawderman 1972 (negative moments of the binomial)",
)
def true_rate_inverse_count(draw, *, n):
    """E 1 / (1 + Bin(n, 0.02)) decays like 1/n."""
    counts = draw.multinomial("x", n, torch.tensor([0.02, 0.98], dtype=torch.float64))
    return 1 / (1 + counts[..., 0])


@claim(
    "concentration/plain-rate-pseudo-counts",
    rate("n", -1.5),
    expected="refuted",
    over=grid(n=[50, 200, 800, 3200, 12800, 51200, 204800]),
    cite="Feller I, V.2 (Laplace's rule), the variance forgotten",
)
def plain_rate_pseudo_counts(draw, *, n):
    """E ((X + 20) / (n + 20) - 1/2)^2 decays like n^(-3/2), X ~ Bin(n, 1/2)."""
    counts = draw.multinomial("x", n, torch.tensor([0.5, 0.5], dtype=torch.float64))
    return ((counts[..., 0] + 20) / (n + 20) - 0.5).square()


@claim(
    "concentration/true-missing-mass",
    always(),
    over=grid(n=[1, 9, 60]),
    cite="Boucheron-Lugosi-Massart, section 6 (missing mass); calculus",
)
def true_missing_mass(forall, *, n):
    """sum_i w_i (1 - w_i)^n <= (n / (n + 1))^n for every law on n + 1 cells."""
    w = forall.simplex("w", n + 1)
    return (w * (1 - w).pow(n)).sum(-1), (n / (n + 1)) ** n


@claim(
    "concentration/plain-mean-absolute-deviation-gaussian",
    expectation(range=(-0.15, 1.0)),
    expected="refuted",
    over=grid(n=[9]),
    cite="central limit theorem used as an upper bound for E|mean - p|",
)
def plain_mean_absolute_deviation_gaussian(forall, draw, *, n):
    """E |mean - p| <= sqrt(2 p (1 - p) / (pi n)) for n flips of bias p."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return (x.mean(-1) - p).abs(), (2 * p * (1 - p) / (math.pi * n)).sqrt()


@claim(
    "concentration/true-l1-deviation-mean",
    expectation(range=(-2.0, 2.0)),
    over=grid(n=[1, 10], d=[2, 5]),
    cite="Kamath-Orlitsky-Pichapati-Suresh 2015, Lemma 1; Cauchy-Schwarz",
)
def true_l1_deviation_mean(forall, draw, *, n, d):
    """E sum_i |N_i/n - w_i| <= sqrt((d - 1) / n) for multinomial counts N."""
    w = forall.simplex("w", d)
    counts = draw.multinomial("x", n, w)
    return (counts / n - w).abs().sum(-1), math.sqrt((d - 1) / n)


@claim(
    "concentration/plain-fourth-moment-sparse",
    expectation(range=(-3.0, 40000.0)),
    expected="refuted",
    over=grid(n=[10]),
    cite="Gaussian fourth moment as an upper bound: bounded kurtosis forgotten",
)
def plain_fourth_moment_sparse(forall, draw, *, n):
    """E (n^(-1/2) sum_i x_i)^4 <= 3 for independent centred x_i of variance 1, x_i = +-q^(-1/2) with probability q."""
    q = forall.interval("q", 0.05, 1.0)
    x = draw.signs("eps", n) * draw.bernoulli("b", q, n) / q.sqrt()
    return (x.sum(-1) / math.sqrt(n)).pow(4), 3.0


PROOFS = {
    "concentration/true-weighted-flips": (
        "Hoeffding 1963 Thm 2 with increments w_i (x_i - p) in an interval of length w_i, so "
        "variance proxy sum w_i^2 / 4."
    ),
    "concentration/true-tomaszewski": (
        "Keller and Klein 2022 (Advances in Mathematics 407): P(|sum a_i eps_i| <= 1) >= 1/2 "
        "for every unit vector; equality at (1, 1, 0, ..) / sqrt(2)."
    ),
    "concentration/true-variance-of-weighted-mean": (
        "Bienayme: independent centred summands of variance p (1 - p) w_i^2; equality for every p and w."
    ),
    "concentration/true-cantelli-flips": (
        "Cantelli: P(X - mu > k sigma) <= 1/(1 + k^2) = delta at k^2 = 1/delta - 1; at n = 1,"
        " p = delta both sides tie and the strict event is empty."
    ),
    "concentration/true-bennett-function": (
        "Classical: both sides and their first derivatives vanish at 0 and the second "
        "derivative of the difference is nonnegative (BLM Exercise 2.8)."
    ),
    "concentration/true-chernoff-binomial-tail": (
        "Chernoff: P(X >= k) <= exp(-n kl(k/n, p)) for k >= n p; equality at k = n (both p^n)."
    ),
    "concentration/true-ville-products": (
        "Ville: a nonnegative martingale with start 1 exceeds 1/delta ever with probability "
        "at most delta; ties at exactly 1/delta = 8 have probability delta and are not "
        "violations."
    ),
    "concentration/true-maximum-of-uniforms": (
        "P(max U < delta^(1/n)) = delta exactly; scaling by s >= 0 changes nothing (both sides 0 at s = 0)."
    ),
    "concentration/true-szarek": ("Szarek 1976: E|<a, eps>| >= |a| / sqrt(2), equality for two equal entries."),
    "concentration/true-finite-population": (
        "Cochran 1977, Thm 2.2: the variance without replacement is S^2/n (1 - n/N) with S^2 "
        "of divisor N - 1, exactly; at n = N both sides are 0."
    ),
    "concentration/true-mills-lower": ("Gordon 1941: t/(1 + t^2) phi(t) <= 1 - Phi(t) for t >= 0."),
    "concentration/true-greenberg-mohri": (
        "Greenberg and Mohri 2014, Thm 1: P(X >= n p) > 1/4 for p > 1/n; at p = 1/n it is 1 - (1 - 1/n)^n > 1/2."
    ),
    "concentration/true-finite-class": (
        "Massart's finite class lemma (BLM Thm 2.5): sub-Gaussian variables with proxy "
        "|a_j|^2; N = 1 is 0 = 0 in mean, a zero class is 0 <= 0."
    ),
    "concentration/true-pinelis-vectors": (
        "Pinelis 1994, Thm 3.5 in a Hilbert space (D = 1): P(|sum eps_i v_i| >= r) <= 2 exp(-r^2 / (2 sum |v_i|^2))."
    ),
    "concentration/true-pareto-maximum": (
        "Union bound: P(U_i^(-1/alpha) > (n/delta)^(1/alpha)) = delta/n each; exactly delta at n = 1."
    ),
    "concentration/true-rate-inverse-count": (
        "E 1/(1 + X) = (1 - (1 - p)^(n + 1)) / ((n + 1) p) for X ~ Bin(n, p): exactly of "
        "order 1/n, flat until n ~ 1/p = 50."
    ),
    "concentration/true-missing-mass": (
        "Each term w (1 - w)^n is at most 1/(n + 1) (n/(n + 1))^n (attained at w = 1/(n + "
        "1)); n + 1 cells: equality at even weights."
    ),
    "concentration/true-l1-deviation-mean": (
        "Cauchy-Schwarz twice: sum sqrt(w(1-w)/n) <= sqrt(d (1 - sum w^2)/n) <= "
        "sqrt((d-1)/n); equality at n = 1, d = 2, even weights."
    ),
}

WITNESSES = {
    "concentration/plain-bernstein-without-linear-term": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.001},
        "probability": 0.0952078529,
        "why": (
            "one success among 100 flips of bias 0.001 already exceeds sqrt(2 p (1 - p) log(20) /"
            " n) = 0.00774, as 0.01 - 0.001 = 0.009; probability 1 - 0.999^100"
        ),
    },
    "concentration/plain-chi-square-one-term": {
        "params": {"d": 4, "delta": 0.01},
        "values": {"a": [1.0, 0.0, 0.0, 0.0]},
        "probability": 0.0214244383,
        "why": "one weight: P(g^2 > 1 + 2 sqrt(log 100)) = 2 (1 - Phi(2.3)) exactly by erfc",
    },
    "concentration/plain-small-ball-one-half": {
        "params": {"d": 3, "delta": 0.5},
        "values": {"a": [0.5773502691896258, 0.5773502691896258, 0.5773502691896258]},
        "probability": 0.75,
        "why": "|eps_1 + eps_2 + eps_3| / sqrt(3) is 1/sqrt(3) < 1 with probability 6/8",
    },
    "concentration/plain-doob-without-four": {
        "params": {"n": 4},
        "values": {"a": [0.5, 0.5, 0.5, 0.5]},
        "mean": 0.34375,
        "why": "enumeration of the 16 sign paths: E max_k S_k^2 = 1.34375 against |a|^2 = 1",
    },
    "concentration/plain-ville-square-root": {
        "params": {"n": 3, "delta": 0.1},
        "values": {"stake": [1.0, 1.0, 0.0]},
        "probability": 0.25,
        "why": "two wins in a row make the product 4 > sqrt(10), probability 1/4",
    },
    "concentration/plain-finite-population": {
        "params": {},
        "values": {"x": [1.0, 1.0, 0.0, 0.0]},
        "mean": 0.0208333333,
        "why": "all 6 samples of size 2: E (mean - 1/2)^2 = 1/12, the right side is (1/4)/2 * (1 - 2/4) = 1/16",
    },
    "concentration/subtle-doob-one-and-a-half": {
        "params": {"n": 40},
        "values": {"a": [0.15811388300841897] * 40},
        "mean": 0.148917045,
        "why": (
            "exact dynamic programme over (running maximum, position): E max_k S_k^2 / 40 = "
            "1.6489; needs about forty comparable weights, sparse or short vectors stay below 1.5"
        ),
    },
    "concentration/plain-hoeffding-lemma-variance": {
        "params": {},
        "values": {"p": 0.1, "s": 2.0},
        "why": "log(0.9 + 0.1 e^2) - 0.2 = 0.294.. against 0.1 * 0.9 * 4 / 2 = 0.18, in 50 digits",
    },
    "concentration/plain-hoeffding-tail-three": {
        "params": {"n": 20},
        "values": {"k": 20, "q": 0.5},
        "why": "2^-20 = 9.5e-7 against exp(-60 / 4) = 3.1e-7",
    },
    "concentration/plain-paley-zygmund-not-squared": {
        "params": {"d": 2},
        "values": {"w": [0.9, 0.1], "x": [0.1, 1.0], "t": 0.6},
        "why": (
            "mean 0.19, threshold 0.114: only the second atom exceeds it; 0.4 * 0.0361 = 0.01444 "
            "against 0.1 * 0.109 = 0.0109"
        ),
    },
    "concentration/plain-biased-variance": {
        "params": {"n": 5},
        "values": {"p": 0.5},
        "mean": 0.05,
        "why": "E of the variance with divisor n is p (1 - p) (n - 1)/n = 0.2 against 0.25",
    },
    "concentration/subtle-wallis-integer": {
        "params": {},
        "values": {"m": 62},
        "why": (
            "Gamma(m + 1)^2 / Gamma(m + 1/2)^2 = m + 1/4 + 1/(32 m) - .. falls below m + 0.251 "
            "from m = 31 on, by at most 4e-6 relative near m = 62; in 50 digits"
        ),
    },
    "concentration/plain-efron-stein-quarter": {
        "params": {"n": 4},
        "values": {"a": [1.0, 0.0, 0.0, 0.0], "p": 0.5},
        "mean": 0.125,
        "why": "Z = x_1: variance 1/4 on the left, E (x_1 - y_1)^2 / 4 = 1/8 on the right",
    },
    "concentration/subtle-two-sided-kl": {
        "params": {"n": 50, "delta": 0.5},
        "values": {"p": 0.0138},
        "probability": 0.65075194,
        "why": (
            "P(X = 0) just below 1/2 and X >= 2 both exceed log 2: exact binomial sum; a window p"
            " = c/n, c in (0.69, 0.74), of 0.4 % of [0, 1] (and its mirror), where rare-"
            "probability search looks"
        ),
    },
    "concentration/plain-anytime-for-free": {
        "params": {"n": 200, "delta": 0.2},
        "values": {"a": [1.0] * 200},
        "probability": 0.275938132,
        "why": "exact dynamic programme of the simple walk with absorption above sqrt(2 k log 10)",
    },
    "concentration/plain-rate-pseudo-counts": {
        "params": {},
        "values": {},
        "exponent": -1.0,
        "why": (
            "mean squared error (100 + n/4) / (n + 20)^2 exactly: the bias falls like 1/n^2, the "
            "variance takes over near n = 400"
        ),
    },
    "concentration/plain-mean-absolute-deviation-gaussian": {
        "params": {"n": 9},
        "values": {"p": 0.06},
        "mean": 0.00559701479,
        "why": (
            "exact binomial sum of |j/9 - p| minus sqrt(2 p (1 - p) / (9 pi)) = 0.0056: a rare "
            "probability, p about 1/2n"
        ),
    },
    "concentration/plain-fourth-moment-sparse": {
        "params": {"n": 10},
        "values": {"q": 0.05},
        "mean": 1.7,
        "why": "E (sum x_i / sqrt(n))^4 = 3 (n - 1)/n + 1/(n q) = 2.7 + 2 = 4.7 against 3",
    },
}
