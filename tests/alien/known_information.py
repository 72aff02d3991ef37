"""Alien claims, known: information theory and statistics; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def kl(p, q):
    """sum p log(p/q), with 0 log 0 = 0."""
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)


def entropy(p):
    """-sum p log p."""
    return -torch.xlogy(p, p).sum(-1)


def tv(p, q):
    """Total variation distance, half the l1 norm."""
    return 0.5 * (p - q).abs().sum(-1)


def binary_kl(x, y):
    """kl between Bernoulli(x) and Bernoulli(y)."""
    return torch.xlogy(x, x) - torch.xlogy(x, y) + torch.xlogy(1 - x, 1 - x) - torch.xlogy(1 - x, 1 - y)


@claim("information/true-pinsker-mixture", always(), cite="Polyanskiy-Wu, Theorem 7.10", over=grid(k=[2, 10, 100]))
def pinsker_mixture(forall, *, k):
    """TV(p, q) <= sqrt(KL(p, q) / 2), also when q = (1-e) p + e r is arbitrarily near p."""
    p = forall.simplex("p", k)
    r = forall.simplex("r", k)
    e = forall.interval("e", 0.0, 1.0)[:, None]
    q = (1 - e) * p + e * r
    return tv(p, q), (kl(p, q).clamp_min(0) / 2).sqrt()


@claim("information/true-kl-log-chi2", always(), cite="Tsybakov, Lemma 2.7", over=grid(k=[2, 5, 200]))
def kl_log_chi2(forall, *, k):
    """KL(p, q) <= log(1 + chi2(p, q)), written with the second moment of the likelihood ratio."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    return torch.xlogy(p, p / q).sum(-1), (p * p / q).sum(-1).log()


@claim("information/true-renyi-dpi", always(), cite="van Erven-Harremoes 2014, Theorem 9", over=grid(k=[2, 3, 8]))
def renyi_dpi(forall, *, k):
    """D_a(pW, qW) <= D_a(p, q) for every order a in [0.1, 5] and every channel W."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    w = forall.simplex("w", k, k)
    a = forall.interval("a", 0.1, 5.0)[:, None]
    pw = (p[:, :, None] * w).sum(1)
    qw = (q[:, :, None] * w).sum(1)
    after = (pw**a * qw ** (1 - a)).sum(-1).log() / (a[:, 0] - 1)
    before = (p**a * q ** (1 - a)).sum(-1).log() / (a[:, 0] - 1)
    return after, before


@claim("information/true-chain-rule", identity(), cite="Cover-Thomas, Theorem 2.5.3", over=grid(k=[2, 6]))
def chain_rule(forall, *, k):
    """KL(p x W, q x V) = KL(p, q) + sum_x p(x) KL(W_x, V_x)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    w = forall.simplex("w", k, k)
    v = forall.simplex("v", k, k)
    joint = kl((p[:, :, None] * w).flatten(1), (q[:, :, None] * v).flatten(1))
    return joint, kl(p, q) + (p * kl(w, v)).sum(-1)


@claim("information/true-mutual-information", identity(), cite="Cover-Thomas, equation (2.45)", over=grid(k=[2, 9]))
def mutual_information(forall, *, k):
    """H(X) + H(Y) - H(X, Y) = KL(joint, product of marginals), also for nearly independent pairs."""
    p = forall.simplex("p", k)
    r = forall.simplex("r", k, k)
    t = forall.interval("t", 0.0, 1e-3)[:, None, None]
    w = (1 - t) * r[:, :1] + t * r
    joint = p[:, :, None] * w
    x = joint.sum(2)
    y = joint.sum(1)
    product = x[:, :, None] * y[:, None, :]
    left = entropy(x) + entropy(y) - entropy(joint.flatten(1))
    return left, kl(joint.flatten(1), product.flatten(1))


@claim("information/true-log-sum", always(), cite="Cover-Thomas, Theorem 2.7.1", over=grid(n=[1, 2, 30]))
def log_sum(forall, *, n):
    """(sum a) log(sum a / sum b) <= sum a log(a / b) for nonnegative a, b."""
    a = forall.interval("a", 0.0, 1e4, n)
    b = forall.interval("b", 0.0, 1.0, n)
    left = torch.xlogy(a.sum(-1), a.sum(-1) / b.sum(-1))
    return left - torch.xlogy(a, a).sum(-1) + torch.xlogy(a, b).sum(-1), torch.zeros_like(left)


@claim("information/true-chapman-robbins", always(), cite="Polyanskiy-Wu, Theorem 29.1", over=grid(k=[2, 3, 30]))
def chapman_robbins(forall, *, k):
    """(E_p f - E_q f)^2 <= chi2(p, q) Var_q f for f of any level."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    f = forall.interval("f", -1.0, 1.0, k) + forall.interval("level", 0.0, 1000.0)[:, None]
    variance = (q * f**2).sum(-1) - (q * f).sum(-1) ** 2
    return ((p - q) * f).sum(-1) ** 2, ((p - q) ** 2 / q).sum(-1) * variance


@claim("information/true-gaussian-two-point", always(), cite="Tsybakov, Theorem 2.2 and Lemma 2.6")
def gaussian_two_point(forall):
    """exp(-KL)/2 <= 1 - TV for N(0, 1) and N(d, 1): KL = d^2/2 and TV = erf(d / sqrt 8)."""
    d = forall.interval("d", 0.0, 30.0)
    return 0.5 * torch.exp(-(d**2) / 2), 1 - torch.erf(d / math.sqrt(8))


@claim("information/true-kearns-saul", always(), cite="Ordentlich-Weinberger 2005, Theorem 2.1 and Kearns-Saul 1998")
def kearns_saul(forall):
    """kl(q, p) >= (q - p)^2 log((1 - p) / p) / (1 - 2 p), with equality at q = p and q = 1 - p."""
    p = forall.interval("p", 0.0, 1.0)
    q = forall.interval("q", 0.0, 1.0)
    return (q - p) ** 2 * torch.log((1 - p) / p) / (1 - 2 * p), binary_kl(q, p)


@claim("information/true-vajda", always(), cite="Vajda 1970; Polyanskiy-Wu, equation (7.24)", over=grid(k=[2, 20]))
def vajda(forall, *, k):
    """log((1 + t) / (1 - t)) - 2 t / (1 + t) <= KL(p, q) for t = TV(p, q)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    t = tv(p, q)
    return torch.log((1 + t) / (1 - t)) - 2 * t / (1 + t), kl(p, q)


@claim(
    "information/true-binary-input-contraction",
    always(),
    cite="Polyanskiy-Wu, Chapter 33, binary-input channels",
    over=grid(m=[2, 3, 10]),
)
def binary_input_contraction(forall, *, m):
    """KL(pW, qW) <= (1 - b^2) KL(p, q), b the affinity of the two rows of W; (1-2e)^2 for the binary symmetric one."""
    p = forall.interval("p", 0.0, 1.0)
    q = forall.interval("q", 0.0, 1.0)
    w = forall.simplex("w", 2, m)
    pw = p[:, None] * w[:, 0] + (1 - p)[:, None] * w[:, 1]
    qw = q[:, None] * w[:, 0] + (1 - q)[:, None] * w[:, 1]
    b = (w[:, 0] * w[:, 1]).sqrt().sum(-1)
    return kl(pw, qw), (1 - b**2) * binary_kl(p, q)


@claim(
    "information/true-binomial-stirling",
    always(),
    cite="MacWilliams-Sloane, Chapter 10, Lemma 7",
    over=grid(n=[2, 10, 10**4, 10**12]),
)
def binomial_stirling(forall, *, n):
    """log C(n, k) <= n h(k/n) + log(n / (2 pi k (n-k))) / 2 for 0 < k < n."""
    k = forall.integers("k", 1, n - 1)
    x = k / n
    h = -torch.xlogy(x, x) - torch.xlogy(1 - x, 1 - x)
    left = math.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma(n - k + 1)
    return left, n * h + 0.5 * torch.log(n / (2 * math.pi * k * (n - k)))


@claim("information/true-zhang-yeung", always(), cite="Zhang-Yeung 1998, Theorem 3")
def zhang_yeung(forall):
    """2 I(C;D) <= I(A;B) + I(A;CD) + 3 I(C;D|A) + I(C;D|B) for four bits."""
    joint = forall.simplex("joint", 16).reshape(-1, 2, 2, 2, 2)

    def h(*drop):
        return entropy(joint.sum(drop).flatten(1))

    cd = h(1, 2, 4) + h(1, 2, 3) - h(1, 2)
    ab = h(2, 3, 4) + h(1, 3, 4) - h(3, 4)
    a_cd = h(2, 3, 4) + h(1, 2) - h(2)
    cd_a = h(2, 4) + h(2, 3) - h(2) - h(2, 3, 4)
    cd_b = h(1, 4) + h(1, 3) - h(1) - h(1, 3, 4)
    return 2 * cd, ab + a_cd + 3 * cd_a + cd_b


@claim("information/true-minkowski-determinant", always(), cite="Cover-Thomas, Theorem 17.9.2", over=grid(n=[1, 2, 5]))
def minkowski_determinant(forall, *, n):
    """det(A)^(1/n) + det(B)^(1/n) <= det(A + B)^(1/n), the Gaussian entropy power inequality."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    left = torch.linalg.det(a) ** (1 / n) + torch.linalg.det(b) ** (1 / n)
    return left, torch.linalg.det(a + b) ** (1 / n)


@claim(
    "information/true-plug-in-bias",
    expectation(range=(-2.0, 1.0)),
    cite="Paninski 2003, Proposition 1",
    over=grid(k=[2, 10], n=[20, 100]),
)
def plug_in_bias(forall, draw, *, k, n):
    """H(p) - E H(empirical) <= log(1 + (k-1)/n), in units of log k."""
    p = forall.simplex("p", k)
    c = draw.multinomial("c", n, p)
    return (entropy(p) - entropy(c / n)) / math.log(k), math.log(1 + (k - 1) / n) / math.log(k)


@claim(
    "information/true-constant-risk",
    expectation(range=(-1.0, 121.0)),
    cite="Lehmann-Casella, Example 5.1.7",
    over=grid(n=[1, 4, 25]),
)
def constant_risk(forall, draw, *, n):
    """The minimax estimate (x + sqrt(n)/2)/(n + sqrt n) of p has risk 1/(4 (1 + sqrt n)^2), here in that unit."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n).sum(-1)
    s = (x + math.sqrt(n) / 2) / (n + math.sqrt(n))
    return 4 * (1 + math.sqrt(n)) ** 2 * (s - p) ** 2, 1.0


@claim(
    "information/true-missing-mass",
    high_probability("delta"),
    cite="McAllester-Ortiz 2003; Berend-Kontorovich 2013",
    over=grid(k=[2, 30], n=[1, 20], delta=[0.05]),
)
def missing_mass(forall, draw, *, k, n, delta):
    """The probability of the unseen letters is <= its mean + sqrt(log(1/delta) / n)."""
    p = forall.simplex("p", k)
    c = draw.multinomial("c", n, p)
    mean = (p * (1 - p) ** n).sum(-1)
    return (p * (c == 0)).sum(-1), mean + math.sqrt(math.log(1 / delta) / n)


@claim(
    "information/true-uniform-entropy-rate",
    rate("n", -1.0),
    cite="Paninski 2003, Section 4 (Wilks)",
    over=grid(n=[20, 60, 200, 600, 2000]),
)
def uniform_entropy_rate(draw, *, n):
    """E |H(empirical) - log 4| decays like 1/n under the uniform law on four letters."""
    c = draw.multinomial("c", n, torch.full((4,), 0.25, dtype=torch.float64))
    return (entropy(c / n) - math.log(4)).abs()


@claim("information/true-donsker-varadhan", always(), cite="Polyanskiy-Wu, Theorem 4.6", over=grid(k=[2, 10, 100]))
def donsker_varadhan(forall, *, k):
    """E_p f - log E_q exp(f) - KL(p, q) <= 0 for every f."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    f = forall.interval("f", -50.0, 50.0, k)
    left = (p * f).sum(-1) - (q * f.exp()).sum(-1).log() - kl(p, q)
    return left, torch.zeros_like(left)


@claim(
    "information/true-collisions",
    expectation(range=(-1.0, 1.0)),
    cite="Goldreich-Ron 2000, collision estimator",
    over=grid(k=[1, 3, 40], n=[2, 50]),
)
def collisions(forall, draw, *, k, n):
    """E of the share of colliding pairs is <= sum p^2 (it is unbiased)."""
    p = forall.simplex("p", k)
    c = draw.multinomial("c", n, p)
    return (c * (c - 1)).sum(-1) / (n * (n - 1)), (p**2).sum(-1)


@claim(
    "information/plain-pinsker-constant",
    always(),
    expected="refuted",
    cite="Cover-Thomas, Lemma 11.6.1 (constant changed)",
    over=grid(k=[2, 10]),
)
def pinsker_constant(forall, *, k):
    """2.2 TV(p, q)^2 <= KL(p, q)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    return 2.2 * tv(p, q) ** 2, torch.xlogy(p, p / q).sum(-1)


@claim(
    "information/plain-bretagnolle-huber-half",
    always(),
    expected="refuted",
    cite="Tsybakov, equation (2.24) (factor of the exponent changed)",
    over=grid(k=[2, 30]),
)
def bretagnolle_huber_half(forall, *, k):
    """TV(p, q) <= sqrt(1 - exp(-KL(p, q) / 2))."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    return tv(p, q), (1 - torch.exp(-kl(p, q) / 2)).clamp_min(0).sqrt()


@claim(
    "information/plain-fano-without-bit",
    always(),
    expected="refuted",
    cite="Cover-Thomas, equation (2.132) (the bit forgotten)",
    over=grid(k=[3, 12]),
)
def fano_without_bit(forall, *, k):
    """H(X|Y) / log k <= error of the best guess of X from Y."""
    joint = forall.simplex("joint", k * k).reshape(-1, k, k)
    e = 1 - joint.max(1).values.sum(-1)
    return (entropy(joint.flatten(1)) - entropy(joint.sum(1))) / math.log(k), e


@claim(
    "information/plain-js-triangle",
    always(),
    expected="refuted",
    cite="Endres-Schindelin 2003 (the square root forgotten)",
    over=grid(k=[2, 8]),
)
def js_triangle(forall, *, k):
    """JS(p, r) <= JS(p, q) + JS(q, r), without square roots."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    r = forall.simplex("r", k)

    def js(u, v):
        return (kl(u, (u + v) / 2) + kl(v, (u + v) / 2)) / 2

    return js(p, r), js(p, q) + js(q, r)


@claim(
    "information/subtle-kearns-saul",
    always(),
    expected="refuted",
    cite="Ordentlich-Weinberger 2005 (constant off by one per cent)",
)
def kearns_saul_off(forall):
    """1.01 (q - p)^2 log((1 - p) / p) / (1 - 2 p) <= kl(q, p) for p in [0.001, 0.1].

    Equality without the 1.01 on the ridge q = 1 - p: a band of q, far from p, where the ratio climbs smoothly.
    """
    p = forall.interval("p", 0.001, 0.1)
    q = forall.interval("q", 0.0, 1.0)
    return 1.01 * (q - p) ** 2 * torch.log((1 - p) / p) / (1 - 2 * p), binary_kl(q, p)


@claim(
    "information/plain-dobrushin-squared",
    always(),
    expected="refuted",
    cite="Polyanskiy-Wu, Section 33.2 (eta_KL <= eta_TV, not its square)",
    over=grid(k=[2, 4]),
)
def dobrushin_squared(forall, *, k):
    """KL(pW, qW) <= (max_xy TV(W_x, W_y))^2 KL(p, q)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    w = forall.simplex("w", k, k)
    eta = tv(w[:, :, None, :], w[:, None, :, :]).flatten(1).max(-1).values
    pw = torch.einsum("bx,bxy->by", p, w)
    qw = torch.einsum("bx,bxy->by", q, w)
    return kl(pw, qw), eta**2 * kl(p, q)


@claim(
    "information/plain-chi2-adds",
    identity(),
    expected="refuted",
    cite="Tsybakov, Section 2.4 (1 + chi2 is what multiplies)",
    over=grid(k=[2, 5]),
)
def chi2_adds(forall, *, k):
    """chi2(p x r, q x s) = chi2(p, q) + chi2(r, s) for products."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    r = forall.simplex("r", k)
    s = forall.simplex("s", k)
    top = (p[:, :, None] * r[:, None, :]).flatten(1)
    bottom = (q[:, :, None] * s[:, None, :]).flatten(1)
    return (top**2 / bottom).sum(-1) - 1, (p**2 / q).sum(-1) + (r**2 / s).sum(-1) - 2


@claim(
    "information/plain-conditioning-information",
    always(),
    expected="refuted",
    cite="Cover-Thomas, after Theorem 2.8.1 (it needs a Markov chain)",
)
def conditioning_information(forall):
    """I(X;Y|Z) <= I(X;Y) for three bits."""
    joint = forall.simplex("joint", 8).reshape(-1, 2, 2, 2)

    def h(*drop):
        return entropy((joint.sum(drop) if drop else joint).flatten(1))

    return h(2) + h(1) - h() - h(1, 2), h(2, 3) + h(1, 3) - h(3)


@claim(
    "information/subtle-smoothed-entropy",
    identity(),
    expected="refuted",
    cite="common practice: log(p + 1e-12) in place of 0 log 0 = 0",
)
def smoothed_entropy(forall):
    """-sum p log(p + 1e-12) = H(p) for p on the simplex of two letters.

    The relative error is 2e-12 / H: it needs a law near a vertex, or the ends and tiny weights that a search tries.
    """
    p = forall.simplex("p", 2)
    return -(p * (p + 1e-12).log()).sum(-1), entropy(p)


@claim(
    "information/plain-reverse-pinsker",
    always(),
    expected="refuted",
    cite="Sason-Verdu 2016, Theorem 25 (factor 2 forgotten)",
    over=grid(k=[2, 6]),
)
def reverse_pinsker(forall, *, k):
    """KL(p, q) <= log(1 + TV(p, q)^2 / min q)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    return kl(p, q), torch.log1p(tv(p, q) ** 2 / q.min(-1).values)


@claim(
    "information/subtle-entropy-continuity",
    always(),
    expected="refuted",
    cite="Cover-Thomas, Theorem 17.3.3 (hypothesis V <= 1/2 forgotten)",
    over=grid(k=[3]),
)
def entropy_continuity_off(forall, *, k):
    """|H(p) - H(q)| <= -V log(V / k) for V = sum |p - q|, three letters.

    Violated only where one law is near a vertex and the other spreads about .8 of the mass evenly elsewhere.
    """
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    v = (p - q).abs().sum(-1)
    return (entropy(p) - entropy(q)).abs(), -torch.xlogy(v, v / k)


@claim(
    "information/plain-js-triangular",
    always(),
    expected="refuted",
    cite="Topsoe 2000, Theorem 2 (1/4 is the best constant)",
    over=grid(k=[2, 50]),
)
def js_triangular(forall, *, k):
    """0.26 sum (p - q)^2 / (p + q) <= JS(p, q)."""
    p = forall.simplex("p", k)
    q = forall.simplex("q", k)
    m = 0.5 * (p + q)
    return 0.26 * ((p - q) ** 2 / (p + q)).sum(-1), entropy(m) - 0.5 * entropy(p) - 0.5 * entropy(q)


@claim(
    "information/plain-determinant-concave",
    always(),
    expected="refuted",
    cite="Cover-Thomas, Theorem 17.9.1 (the logarithm forgotten)",
    over=grid(n=[3]),
)
def determinant_concave(forall, *, n):
    """(det A + det B) / 2 <= det((A + B) / 2)."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    return 0.5 * (torch.linalg.det(a) + torch.linalg.det(b)), torch.linalg.det(0.5 * (a + b))


@claim("information/subtle-binomial-lower", always(), expected="refuted", cite="Cover-Thomas, Lemma 17.5.1 (7.9 for 8)")
def binomial_lower(forall):
    """n h(k/n) + log(n / (7.9 k (n-k))) / 2 <= log C(n, k) for 0 < k < n, n = a + b, k = a.

    The constant 8 is attained at n = 2, k = 1 only; all other pairs satisfy it with 7.6: one pair of integers is bad.
    """
    a = forall.integers("a", 1, 500)
    b = forall.integers("b", 1, 500)
    n = a + b
    h = -torch.xlogy(a / n, a / n) - torch.xlogy(b / n, b / n)
    choose = torch.lgamma(n + 1) - torch.lgamma(a + 1) - torch.lgamma(b + 1)
    return n * h + 0.5 * torch.log(n / (7.9 * a * b)), choose


@claim(
    "information/plain-chernoff-two-sided",
    high_probability("delta"),
    expected="refuted",
    cite="Chernoff 1952 (union over two sides forgotten)",
    over=grid(n=[3], delta=[0.15]),
)
def chernoff_two_sided(forall, draw, *, n, delta):
    """n kl(mean, p) <= log(1/delta) with probability at least 1 - delta, on both sides of p."""
    p = forall.interval("p", 0.0, 1.0)
    mean = draw.bernoulli("x", p, n).mean(-1)
    return n * binary_kl(mean, p), math.log(1 / delta)


@claim(
    "information/subtle-chernoff-half",
    high_probability("delta"),
    expected="refuted",
    cite="Chernoff 1952 (factor 1/2 gained for nothing)",
    over=grid(n=[20], delta=[0.05]),
)
def chernoff_half(forall, draw, *, n, delta):
    """If the mean is above p then n kl(mean, p) <= log(1/(2 delta)), with probability at least 1 - delta.

    Violated for p^n a little below 2 delta (p in .862..0.891), where the event is that all n flips are ones.
    """
    p = forall.interval("p", 0.0, 1.0)
    mean = draw.bernoulli("x", p, n).mean(-1)
    return n * binary_kl(mean, p) * (mean > p), math.log(1 / (2 * delta))


@claim(
    "information/subtle-entropy-rate",
    rate("n", -1.0),
    expected="refuted",
    cite="Paninski 2003, Section 4 (1/n at the uniform law only)",
    over=grid(n=[10, 30, 100, 300, 1000, 3000]),
)
def entropy_rate(draw, *, n):
    """E |H(empirical) - H(p)| decays like 1/n for a coin of bias .45.

    The local exponent is -.95, -.72, -.53, -.50, -.50 along the grid: only its far end shows n^(-1/2).
    """
    p = torch.tensor([0.45, 0.55], dtype=torch.float64)
    return (entropy(draw.multinomial("c", n, p) / n) - entropy(p)).abs()


@claim(
    "information/plain-good-turing-reversed",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="Good 1953 (direction reversed)",
    over=grid(k=[2, 10], n=[3, 5]),
)
def good_turing_reversed(forall, draw, *, k, n):
    """E (share of letters seen once) <= E (missing mass)."""
    p = forall.simplex("p", k)
    c = draw.multinomial("c", n, p)
    return (c == 1).double().sum(-1) / n, (p * (c == 0)).sum(-1)


@claim(
    "information/plain-tv-without-mean",
    high_probability("delta"),
    expected="refuted",
    cite="Devroye-Gyorfi, L1 view, Chapter 3 (the mean forgotten)",
    over=grid(k=[6], n=[50], delta=[0.05]),
)
def tv_without_mean(forall, draw, *, k, n, delta):
    """TV(empirical, p) <= sqrt(log(1/delta) / (2 n)) with probability at least 1 - delta."""
    p = forall.simplex("p", k)
    c = draw.multinomial("c", n, p)
    return tv(c / n, p), math.sqrt(math.log(1 / delta) / (2 * n))


PROOFS = {
    "information/true-pinsker-mixture": "Pinsker's inequality KL >= 2 TV^2 applied to (p, q) with q in the simplex.",
    "information/true-kl-log-chi2": (
        "Jensen: E_p log(p/q) <= log E_p (p/q) = log(1 + chi2); infinite where p is not dominated."
    ),
    "information/true-renyi-dpi": (
        "Data processing of f-divergences for x^a (convex for a > 1, concave for a < 1) and monotone transform."
    ),
    "information/true-chain-rule": (
        "log(p W / (q V)) = log(p/q) + log(W/V), summed under p W; infinite on both sides together."
    ),
    "information/true-mutual-information": (
        "Expand log(joint) - log(x) - log(y) under the joint law; the marginals integrate to H(X), H(Y)."
    ),
    "information/true-log-sum": (
        "Log-sum inequality (convexity of t log t); if some b = 0 < a the left side is -infinity or undefined."
    ),
    "information/true-chapman-robbins": (
        "Cauchy-Schwarz: sum (p-q)(f - E_q f) = sum sqrt(q) (f - E_q f) (p-q)/sqrt(q), and sum (p-q) = 0."
    ),
    "information/true-gaussian-two-point": (
        "Bretagnolle-Huber 1 - TV >= exp(-KL)/2; KL = d^2/2, TV = 2 Phi(d/2) - 1 = erf(d/sqrt 8)."
    ),
    "information/true-kearns-saul": (
        "Ordentlich-Weinberger: optimal distribution-dependent Pinsker, phi(p) = log((1-p)/p)/(1-2p), in (q-p)^2."
    ),
    "information/true-vajda": "Vajda's lower bound log((2+V)/(2-V)) - 2V/(2+V) with V = 2t (Vajda 1970).",
    "information/true-binary-input-contraction": (
        "eta_KL of a binary-input channel is <= H^2 - H^4/4 = 1 - b^2 with H^2 = 2 - 2b (Polyanskiy-Wu, Ch. 33)."
    ),
    "information/true-binomial-stirling": (
        "Robbins: C = sqrt(n/(2 pi k(n-k))) e^{nh} e^s with s < 1/(12n) - 1/(12k+1) - 1/(12(n-k)+1) < 0."
    ),
    "information/true-zhang-yeung": (
        "Zhang-Yeung 1998: 2I(C;D) <= I(A;B) + I(A;CD) + 3I(C;D|A) + I(C;D|B) for all entropic vectors."
    ),
    "information/true-minkowski-determinant": "Minkowski's determinant inequality for positive semidefinite matrices.",
    "information/true-plug-in-bias": (
        "H(p) - E H(c/n) = E KL(c/n, p) <= E log(1 + chi2) <= log(1 + (|supp p|-1)/n); divided by log k."
    ),
    "information/true-constant-risk": (
        "(np(1-p) + n(1/2-p)^2)/(n + sqrt n)^2 = n/4/(n + sqrt n)^2 for every p; |s-p| <= (n + sqrt(n)/2)/(n+sqrt n)."
    ),
    "information/true-missing-mass": (
        "Upper deviations of the missing mass: P(M > E M + e) <= exp(-n e^2) (McAllester-Ortiz 2003)."
    ),
    "information/true-uniform-entropy-rate": "log 4 - H(c/n) = KL(c/n, uniform) >= 0 with mean ~ 3/(2n): exponent -1.",
    "information/true-donsker-varadhan": (
        "Donsker-Varadhan variational formula; KL = infinity makes the left side -infinity."
    ),
    "information/true-collisions": "E c(c-1) = n(n-1) p^2 for binomial c: equality.",
}

WITNESSES = {
    "information/plain-pinsker-constant": {
        "params": {"k": 2},
        "values": {"p": [0.6, 0.4], "q": [0.4, 0.6]},
        "why": "KL = .2 log 1.5 = .081093 < 2.2 * .04 = .088",
    },
    "information/plain-bretagnolle-huber-half": {
        "params": {"k": 2},
        "values": {"p": [1.0, 0.0], "q": [0.25, 0.75]},
        "why": "TV = .75 > sqrt(1 - 1/2) = .7071",
    },
    "information/plain-fano-without-bit": {
        "params": {"k": 3},
        "values": {"joint": [0.1111111111111111] * 9},
        "why": "independent uniform pair: left 1, right 2/3",
    },
    "information/plain-js-triangle": {
        "params": {"k": 2},
        "values": {"p": [1.0, 0.0], "q": [0.5, 0.5], "r": [0.0, 1.0]},
        "why": "log 2 = .6931 > 2 (h(1/4) - log(2)/2) = .4315",
    },
    "information/subtle-kearns-saul": {
        "params": {},
        "values": {"p": 0.01, "q": 0.99},
        "why": "q = 1-p: both sides are .98 log 99 without the factor 1.01",
    },
    "information/plain-dobrushin-squared": {
        "params": {"k": 2},
        "values": {"p": [0.8, 0.2], "q": [0.99, 0.01], "w": [[1.0, 0.0], [0.5, 0.5]]},
        "why": "eta_TV = 1/2; kl(.1,.005) = .2092 > kl(.2,.01)/4 = .1072",
    },
    "information/plain-chi2-adds": {
        "params": {"k": 2},
        "values": {"p": [0.75, 0.25], "q": [0.5, 0.5], "r": [0.75, 0.25], "s": [0.5, 0.5]},
        "why": "1.25^2 - 1 = .5625 against .5",
    },
    "information/plain-conditioning-information": {
        "params": {},
        "values": {"joint": [0.25, 0.0, 0.0, 0.25, 0.0, 0.25, 0.25, 0.0]},
        "why": "Z = X xor Y: log 2 > 0",
    },
    "information/subtle-smoothed-entropy": {
        "params": {},
        "values": {"p": [0.999999999, 1e-09]},
        "why": "H = 2.17e-8, difference about 2e-12: relative 9e-5",
    },
    "information/plain-reverse-pinsker": {
        "params": {"k": 2},
        "values": {"p": [0.8, 0.2], "q": [0.5, 0.5]},
        "why": "KL = .19274 > log(1 + .09/.5) = .16551",
    },
    "information/subtle-entropy-continuity": {
        "params": {"k": 3},
        "values": {"p": [1.0, 0.0, 0.0], "q": [0.2, 0.4, 0.4]},
        "why": "H(q) = 1.0549 > 1.6 log(3/1.6) = 1.0058",
    },
    "information/plain-js-triangular": {
        "params": {"k": 2},
        "values": {"p": [0.6, 0.4], "q": [0.4, 0.6]},
        "why": ".26 * .08 = .0208 > log 2 - h(.6) = .020136 (midpoint uniform)",
    },
    "information/plain-determinant-concave": {
        "params": {"n": 3},
        "values": {
            "a": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            "b": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        },
        "why": "1/2 > 1/8",
    },
    "information/subtle-binomial-lower": {
        "params": {},
        "values": {"a": 1.0, "b": 1.0},
        "why": "2 log 2 + log(2/7.9)/2 = .69944 > log 2 = .69315",
    },
    "information/plain-chernoff-two-sided": {
        "params": {"n": 3, "delta": 0.15},
        "values": {"p": 0.53},
        "probability": 0.2527,
        "why": "x = 0 and x = 3 both exceed log(1/.15): p^3 + (1-p)^3",
    },
    "information/subtle-chernoff-half": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"p": 0.89},
        "probability": 0.09722996577908506,
        "why": "x = 20 exceeds log 10: probability .89^20 = .0972 = 1.94 delta",
    },
    "information/subtle-entropy-rate": {
        "params": {"n": 3000},
        "values": {},
        "exponent": -0.5,
        "why": "delta method: E|.| ~ .1 sqrt(2/pi) n^(-1/2); exact sums over the binomial give the local exponents",
    },
    "information/plain-good-turing-reversed": {
        "params": {"k": 2, "n": 3},
        "values": {"p": [0.5, 0.5]},
        "mean": 0.125,
        "why": "sum p (1-p)^2 = 1/4 against sum p (1-p)^3 = 1/8",
    },
    "information/plain-tv-without-mean": {
        "params": {"k": 6, "n": 50, "delta": 0.05},
        "values": {"p": [1 / 6] * 6},
        "probability": 0.144269411037,
        "why": "exact dynamic programme over the six counts",
    },
}
