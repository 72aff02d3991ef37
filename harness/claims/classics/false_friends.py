"""Statements that many believe and that are false: each is refuted, with a small counterexample."""

import math

import torch

from harness import always, claim, every, expectation, grid, high_probability, tail, up_to_constant


@claim("classics/false-square-monotone", always(), expected="refuted", cite="Bhatia 1997, Example V.1.2")
def false_square_monotone(forall):
    """0 <= A <= B implies A^2 <= B^2.

    True for numbers, and for the square root in place of the square.
    """
    a, c = forall.psd("A", 2), forall.psd("C", 2)
    b = a + c
    return torch.linalg.eigvalsh(a @ a - b @ b)[:, -1], 0.0


@claim("classics/false-golden-thompson", always(), expected="refuted", cite="Thompson 1965; Lieb 1973 has what is true")
def false_golden_thompson(forall):
    """tr exp(A + B + C) <= |tr(exp(A) exp(B) exp(C))| for symmetric matrices.

    True for two matrices, and for three in Lieb's integral form.
    """
    a, b, c = (forall.symmetric(name, 2, radius=2.0) for name in "ABC")
    product = torch.linalg.matrix_exp(a) @ torch.linalg.matrix_exp(b) @ torch.linalg.matrix_exp(c)
    return torch.linalg.eigvalsh(a + b + c).exp().sum(-1), product.diagonal(dim1=-2, dim2=-1).sum(-1).abs()


@claim("classics/false-absolute-triangle", always(), expected="refuted", cite="Bhatia 1997, section III.5")
def false_absolute_triangle(forall):
    """|A + B| <= |A| + |B| as matrices, |A| = (A^2)^(1/2).

    True for norms, and for matrices after turning |A| and |B| (Thompson 1976).
    """
    a, b = forall.symmetric("A", 2), forall.symmetric("B", 2)
    spectra = [torch.linalg.eigh(x) for x in (a + b, a, b)]
    whole, first, second = ((u * s.abs()[:, None]) @ u.mT for s, u in spectra)
    return torch.linalg.eigvalsh(whole - first - second)[:, -1], 0.0


@claim("classics/false-spectral-radius", always(), expected="refuted", cite="Horn and Johnson 2013, 5.6")
def false_spectral_radius(forall):
    """The spectral radius is subadditive: r(A + B) <= r(A) + r(B).

    True for symmetric matrices, and for those that commute.
    """
    a, b = forall.interval("A", -1.0, 1.0, 2, 2), forall.interval("B", -1.0, 1.0, 2, 2)
    radius = [torch.linalg.eigvals(x).abs().amax(-1) for x in (a + b, a, b)]
    return radius[0], radius[1] + radius[2]


@claim("classics/false-contraction", always(), expected="refuted", cite="Ledoux and Talagrand 1991, Theorem 4.12")
def false_contraction(forall):
    """E sup_t |sum e_i f_i(t_i)| <= E sup_t |sum e_i t_i| for 1-Lipschitz f_i with f_i(0) = 0.

    True without the absolute values, and with a factor 2, which is sharp: t in {(1, 1), (-1, -1)}, f_1(x) = |x|.
    """
    t = forall.interval("t", -1.0, 1.0, 2, 2)
    points = torch.cat([t, torch.zeros_like(t[:, :1])], 1)
    f = torch.stack([forall.lipschitz(f"f{i}", points[:, :, i]) for i in range(2)], -1)
    signs = every.signs(2, like=t)
    left, right = ((s @ signs.mT).abs().amax(1).mean(-1) for s in (f[:, :2] - f[:, 2:], t))
    return left, right


@claim("classics/false-tv-kl", always(), expected="refuted", cite="folklore; Pinsker's inequality is what is true")
def false_tv_kl(forall):
    """TV <= KL(P, Q).

    The divergence is of second order near P = Q: only its root bounds the total variation.
    """
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    return (p - q).abs().sum(-1) / 2.0, (p.xlogy(p) - p.xlogy(q)).sum(-1)


@claim("classics/false-kl-triangle", always(), expected="refuted", cite="Cover and Thomas 2006, section 2.3")
def false_kl_triangle(forall):
    """KL(P, R) <= KL(P, Q) + KL(Q, R).

    True for total variation and for the Hellinger distance.
    """
    p, q, r = (forall.simplex(name, 2) for name in "pqr")
    kl = [(a.xlogy(a) - a.xlogy(b)).sum(-1) for a, b in ((p, r), (p, q), (q, r))]
    return kl[0], kl[1] + kl[2]


@claim("classics/false-kl-symmetric", always(), expected="refuted", cite="Cover and Thomas 2006, section 2.3")
def false_kl_symmetric(forall):
    """KL(P, Q) <= 2 KL(Q, P).

    Neither divergence bounds the other by a constant.
    """
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    return (p.xlogy(p) - p.xlogy(q)).sum(-1), 2.0 * (q.xlogy(q) - q.xlogy(p)).sum(-1)


@claim("classics/false-hellinger", always(), expected="refuted", cite="Tsybakov 2009, Lemma 2.3, has what is true")
def false_hellinger(forall):
    """TV <= H^2 for H^2 = sum (sqrt(p) - sqrt(q))^2.

    The other way round it is true up to a factor 2; TV is bounded by H, not by its square.
    """
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    return (p - q).abs().sum(-1) / 2.0, (p.sqrt() - q.sqrt()).square().sum(-1)


@claim("classics/false-conditional-entropy", always(), expected="refuted", cite="Cover and Thomas 2006, section 2.6")
def false_conditional_entropy(forall):
    """H(X | Y = y) <= H(X) for every value y.

    True on average over y; a single observation may leave us less certain.
    """
    joint = forall.simplex("joint", 4).unflatten(-1, (2, 2))
    given, x = joint[:, :, 0] / joint[:, :, 0].sum(-1, keepdim=True), joint.sum(-1)
    return -given.xlogy(given).sum(-1), -x.xlogy(x).sum(-1)


@claim("classics/false-jensen", always(), expected="refuted", cite="Jensen 1906 has what is true")
def false_jensen(forall):
    """log E X <= E log X.

    Concave functions have it the other way round.
    """
    law = forall.law("P", low=0.1)
    return law.mean.log(), law.expect(torch.log)


@claim("classics/false-simpson", always(), expected="refuted", cite="Simpson 1951")
def false_simpson(forall):
    """A treatment that is no worse in both of two groups is no worse in both together.

    The groups may differ in who is treated.
    """
    treated, other = forall.interval("treated", 0.0, 1.0, 2), forall.interval("other", 0.0, 1.0, 2)
    p, q = forall.simplex("p", 2), forall.simplex("q", 2)
    forall.assume((other <= treated).all(-1))
    return (q * other).sum(-1), (p * treated).sum(-1)


@claim(
    "classics/false-median-variance",
    expectation(range=(-2.0, 2.0)),
    expected="refuted",
    cite="folklore; the median is robust, not always less variable",
)
def false_median_variance(forall, draw):
    """Var(median) <= Var(mean) of three draws.

    True for heavy tails; for two values of equal weight the median varies three times as much.
    """
    law = forall.law("P", low=-1.0)
    x, y = draw.law("x", law, 3), draw.law("y", law, 3)
    return (x.median(-1).values - y.median(-1).values) ** 2 / 2.0, (x.mean(-1) - y.mean(-1)) ** 2 / 2.0


@claim("classics/false-product-tail", tail(), expected="refuted", cite="Vershynin 2018, Lemma 2.7.7")
def false_product_tail(forall, draw):
    """P(|x y| >= t) <= 2 exp(-t^2 / 2) for independent standard normal x and y: a product is sub-Gaussian.

    It is sub-exponential.
    """
    t = forall.interval("t", 0.0, 6.0)
    return (draw.normal("x") * draw.normal("y")).abs() >= t, 2.0 * torch.exp(-(t**2) / 2.0)


@claim("classics/false-union", tail(), expected="refuted", cite="folklore", over=grid(k=[3]))
def false_union(forall, draw, *, k):
    """P(one of the events) <= the largest of their probabilities.

    True for nested events only.
    """
    p = forall.interval("p", 0.0, 1.0, k)
    return (draw.bernoulli("events", p, k) > 0.0).any(-1), p.amax(-1)


@claim("classics/false-pairwise", tail(), expected="refuted", cite="folklore; Alon and Spencer 2016, chapter 9")
def false_pairwise(forall, draw):
    """P(mean >= t) <= exp(-n t^2 / 2) for n = 7 signs that are independent in pairs.

    Pairs suffice for Chebyshev's inequality, not for Hoeffding's: the products of three signs are all 1 too often.
    """
    e, t = draw.signs("e", 3), forall.interval("t", 0.0, 1.0)
    products = [e[:, subset].prod(-1) for subset in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])]
    return torch.stack(products, -1).mean(-1) >= t, torch.exp(-7.0 * t**2 / 2.0)


@claim(
    "classics/false-vysochanskij-petunin",
    tail(),
    expected="refuted",
    cite="Vysochanskij and Petunin 1980, for laws with one mode",
)
def false_vysochanskij_petunin(forall, draw):
    """P(|X - E X| >= t) <= (4/9) Var X / t^2 for t^2 >= (8/3) Var X, whatever the law.

    True for laws with one mode; Chebyshev's inequality is sharp among the others.
    """
    law, k = forall.gaussian_mixture("P", 3, scale=(0.0, 0.2)), forall.interval("k", 1.64, 3.0)
    far = (draw.law("x", law) - law.mean).abs() >= k * law.variance.sqrt()
    return far, 4.0 / (9.0 * k**2)


@claim(
    "classics/false-subgaussian-mean",
    high_probability("delta"),
    expected="refuted",
    cite="Catoni 2012, Proposition 6.2",
    over=grid(n=[20], delta=[0.01]),
)
def false_subgaussian_mean(forall, draw, *, n, delta):
    """|mean - E X| <= sigma sqrt(2 log(2/delta) / n) whenever the variance is finite.

    The mean has it for sub-Gaussian laws only; medians of means have it up to a constant for all.
    """
    law = forall.law("P")
    error = (draw.law("x", law, n).mean(-1) - law.mean).abs()
    return error, law.variance.sqrt() * math.sqrt(2.0 * math.log(2.0 / delta) / n)


@claim("classics/false-follow-the-leader", always(), expected="refuted", cite="Hazan 2016, 5.1", over=grid(n=[8]))
def false_follow_the_leader(forall, *, n):
    """Regret of following the leader among two experts <= sqrt(n log(2) / 2), losses in [0, 1].

    It is linear: half a step at first, then always the leader errs. Exponential weights have the bound.
    """
    losses = forall.interval("losses", 0.0, 1.0, n, 2)
    before = losses.cumsum(1) - losses
    own = torch.where(before[:, :, 0] <= before[:, :, 1], losses[:, :, 0], losses[:, :, 1]).sum(-1)
    return own - losses.sum(1).amin(-1), math.sqrt(n * math.log(2.0) / 2.0)


@claim(
    "classics/false-hardy",
    up_to_constant("n"),
    expected="refuted",
    cite="Hardy, Littlewood, Polya 1934, section 9.8",
    over=grid(n=[4, 8, 16, 32, 64, 128, 256]),
)
def false_hardy(forall, *, n):
    """Running means are summable with the sequence: sum_k (a_1 + ... + a_k) / k <= C sum_k a_k.

    True for the sums of p-th powers, p > 1, with the constant (p / (p - 1))^p; for p = 1 a single term gives log n.
    """
    a = forall.simplex("a", n)
    return (a.cumsum(-1) / torch.arange(1, n + 1, device=a.device)).sum(-1), a.sum(-1)


@claim(
    "classics/false-equispaced",
    up_to_constant("n"),
    expected="refuted",
    cite="Runge 1901; Trefethen 2013, Theorem 15.2",
    over=grid(n=[4, 6, 8, 10, 12, 14, 16]),
)
def false_equispaced(forall, *, n):
    """Interpolation at n equispaced points loses at most a factor C (1 + log n) against best approximation.

    True at Chebyshev points; at equispaced ones the factor grows like 2^n / (n log n).
    """
    x, nodes = forall.interval("x", -1.0, 1.0), torch.linspace(-1.0, 1.0, n)
    same = torch.eye(n, device=x.device)
    nodes = nodes.to(x.device)
    factors = (x[:, None, None] - nodes) / (nodes[:, None] - nodes + same)
    return torch.where(same > 0.0, 1.0, factors).prod(-1).abs().sum(-1), 1.0 + math.log(n)
