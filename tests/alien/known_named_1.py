"""Alien claims, known, part 1 of 4: named inequalities in many phrasings; see README.md."""

import math

import torch

from harness import always, claim, grid, high_probability


def sign_table(n):
    """All 2^n sign vectors, one a row."""
    bits = torch.arange(2**n)[:, None] >> torch.arange(n)[None, :]
    return 2.0 * (bits & 1).double() - 1.0


def choose(n):
    """The binomial coefficients C(n, 0), ..., C(n, n)."""
    return torch.tensor([math.comb(n, k) for k in range(n + 1)], dtype=torch.float64)


# ---------------------------------------------------------------------------------------------------------- Pinsker


@claim(
    "named/true-pinsker-sqrt-xlogy", always(), cite="Cover and Thomas 2006, Lemma 11.6.1", over=grid(k=[2, 3, 5, 10])
)
def pinsker_sqrt_xlogy(forall, *, k):
    """TV(p, q) <= sqrt(KL(p, q) / 2)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return 0.5 * (p - q).abs().sum(-1), (kl / 2).sqrt()


@claim("named/true-pinsker-squared-ratio", always(), cite="Tsybakov 2009, Lemma 2.5", over=grid(k=[2, 4, 10]))
def pinsker_squared_ratio(forall, *, k):
    """TV(p, q)^2 <= KL(p, q) / 2, with the log of a clamped ratio."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (p * (p / q).clamp_min(1e-300).log()).sum(-1)
    tv = (p - q).abs().sum(-1) / 2
    return tv**2, kl / 2


@claim(
    "named/true-pinsker-relu-clamp", always(), cite="Boucheron, Lugosi, Massart 2013, Thm 4.19", over=grid(k=[2, 3, 7])
)
def pinsker_relu_clamp(forall, *, k):
    """sum (p - q)_+ <= sqrt(KL / 2), masked logs, the divergence clamped at 0."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = torch.where(p > 0, p * (p / q).log(), torch.zeros_like(p)).sum(-1)
    return (p - q).relu().sum(-1), (kl.clamp_min(0) / 2).sqrt()


@claim("named/true-pinsker-moved", always(), cite="Cover and Thomas 2006, Lemma 11.6.1", over=grid(k=[2, 5, 10]))
def pinsker_moved(forall, *, k):
    """2 TV^2 - KL <= 0."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    tv = (p - q).clamp_min(0).sum(-1)
    return 2 * tv**2 - (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1), torch.zeros_like(tv)


@claim("named/true-pinsker-l1-minus-log", always(), cite="Cover and Thomas 2006, Lemma 11.6.1", over=grid(k=[2, 6]))
def pinsker_l1_minus_log(forall, *, k):
    """|p - q|_1^2 / 2 <= - sum p log(q / p)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return torch.linalg.vector_norm(p - q, ord=1, dim=-1) ** 2 / 2, -(p * (q / p.clamp_min(1e-300)).log()).sum(-1)


@claim("named/true-pinsker-bernoulli", always(), cite="Boucheron, Lugosi, Massart 2013, Sec. 4.9")
def pinsker_bernoulli(forall):
    """2 (p - q)^2 <= kl(p, q) for two biases."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    return 2 * (p - q) ** 2, p * (p / q).log() + (1 - p) * ((1 - p) / (1 - q)).log()


@claim("named/true-pinsker-log-log", always(), cite="Cover and Thomas 2006, Lemma 11.6.1", over=grid(k=[2, 3, 8]))
def pinsker_log_log(forall, *, k):
    """2 log |p - q|_1 <= log(2 KL)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return 2 * (p - q).abs().sum(-1).log(), (2 * kl).log()


@claim("named/true-pinsker-event", always(), cite="Tsybakov 2009, Lemma 2.5", over=grid(k=[3, 9]))
def pinsker_event(forall, *, k):
    """|P(A) - Q(A)| <= sqrt(KL / 2) for every event A."""
    p, q, s = forall.simplex("p", k), forall.simplex("q", k), forall.signs("s", k)
    event = (1 + s) / 2
    kl = (p * (p.clamp_min(1e-300) / q).log()).sum(-1)
    return ((event * p).sum(-1) - (event * q).sum(-1)).abs(), (kl.relu() / 2).sqrt()


@claim("named/true-pinsker-tilt", always(), cite="Boucheron, Lugosi, Massart 2013, Thm 4.19", over=grid(k=[2, 5]))
def pinsker_tilt(forall, *, k):
    """TV(p, q)^2 <= KL(p, q) / 2 for the exponential tilt q = p exp(t h) / Z; t may be 0."""
    p, h, t = forall.simplex("p", k), forall.interval("h", -1.0, 1.0, k), forall.interval("t", -2.0, 2.0)
    weight = p * (t[:, None] * h).exp()
    q = weight / weight.sum(-1, keepdim=True)
    kl = weight.sum(-1).log() - t * (p * h).sum(-1)
    return ((p - q).abs().sum(-1) / 2) ** 2, kl / 2


@claim("named/true-pinsker-towards-q", always(), cite="Tsybakov 2009, Lemma 2.5", over=grid(k=[2, 4, 10]))
def pinsker_towards_q(forall, *, k):
    """TV(p, m) <= sqrt(KL(p, m) / 2) for the mixture m = (1 - t) p + t q, t in [0, 1]."""
    p, q, t = forall.simplex("p", k), forall.simplex("q", k), forall.interval("t", 0.0, 1.0)
    m = (1 - t[:, None]) * p + t[:, None] * q
    kl = torch.where(p > 0, p * (p.log() - m.log()), torch.zeros_like(p)).sum(-1)
    return (p - m).abs().sum(-1) / 2, (0.5 * kl).clamp_min(0).sqrt()


@claim("named/true-pinsker-average", always(), cite="Pinsker with Jensen", over=grid(m=[2, 4], k=[2, 3]))
def pinsker_average(forall, *, m, k):
    """sum_j w_j TV(p_j, q_j) <= sqrt(sum_j w_j KL(p_j, q_j) / 2)."""
    w, p, q = forall.simplex("w", m), forall.simplex("p", m, k), forall.simplex("q", m, k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    tv = 0.5 * (p - q).abs().sum(-1)
    return (w * tv).sum(-1), ((w * kl).sum(-1) / 2).clamp_min(0).sqrt()


@claim(
    "named/true-pinsker-binomials",
    always(),
    cite="Pinsker, chain rule, sufficiency of the count",
    over=grid(n=[1, 5, 20]),
)
def pinsker_binomials(forall, *, n):
    """TV(Bin(n, p), Bin(n, q)) <= sqrt(n kl(p, q) / 2)."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    k = torch.arange(n + 1, dtype=torch.float64)
    first = choose(n) * p[:, None] ** k * (1 - p[:, None]) ** (n - k)
    second = choose(n) * q[:, None] ** k * (1 - q[:, None]) ** (n - k)
    kl = torch.xlogy(p, p / q) + torch.xlogy(1 - p, (1 - p) / (1 - q))
    return (first - second).abs().sum(-1) / 2, (n * kl / 2).clamp_min(0).sqrt()


# -------------------------------------------------------------------------------------------------------- McDiarmid


@claim(
    "named/true-mcdiarmid-sum",
    high_probability("delta"),
    cite="McDiarmid 1989, Lemma 1.2",
    over=grid(n=[1, 4, 30], delta=[0.05, 0.3]),
)
def mcdiarmid_sum(forall, draw, *, n, delta):
    """f - E f <= sqrt(sum c_i^2 log(1/delta) / 2), f = sum c_i x_i, x_i in [0, 1]; all c_i may be 0."""
    c = forall.interval("c", 0.0, 1.0, n)
    x = draw.uniform("x", n)
    return (c * x).sum(-1) - (c / 2).sum(-1), ((c**2).sum(-1) * math.log(1 / delta) / 2).sqrt()


@claim(
    "named/true-mcdiarmid-coins-abs",
    high_probability("delta"),
    cite="McDiarmid 1989, Lemma 1.2",
    over=grid(n=[1, 3, 10], delta=[0.05]),
)
def mcdiarmid_coins_abs(forall, draw, *, n, delta):
    """(f - E f)^2 <= sum c_i^2 log(2/delta) / 2, f = sum c_i x_i, x_i coins of biases p_i, c_i of either sign."""
    c, p = forall.interval("c", -3.0, 3.0, n), forall.interval("p", 0.0, 1.0, n)
    x = draw.bernoulli("x", p, n)
    f, mean = (c * x).sum(-1), (c * p).sum(-1)
    return (f - mean) ** 2, (c**2).sum(-1) * math.log(2 / delta) / 2


@claim(
    "named/true-mcdiarmid-max",
    high_probability("delta"),
    cite="McDiarmid 1989, Lemma 1.2",
    over=grid(n=[1, 2, 8], delta=[0.05, 0.2]),
)
def mcdiarmid_max(forall, draw, *, n, delta):
    """max_i c_i x_i - E <= sqrt(sum c_i^2 log(1/delta) / 2), x_i fair coins; E = sum 2^-i c_(i)."""
    c = forall.interval("c", 0.0, 1.0, n)
    x = draw.bernoulli("x", 0.5, n)
    ordered = c.sort(dim=-1, descending=True).values
    mean = (ordered * 0.5 ** torch.arange(1, n + 1, dtype=torch.float64)).sum(-1)
    return (c * x).amax(-1) - mean, (c.square().sum(-1) * math.log(1 / delta) / 2).sqrt()


@claim(
    "named/true-mcdiarmid-abs-sum",
    high_probability("delta"),
    cite="McDiarmid 1989, Lemma 1.2",
    over=grid(n=[2, 6], delta=[0.1]),
)
def mcdiarmid_abs_sum(forall, draw, *, n, delta):
    """| |<c, s>| - E |<c, s>| | <= sqrt(2 sum c_i^2 log(2/delta)) for random signs s."""
    c = forall.interval("c", 0.0, 2.0, n)
    s = draw.signs("s", n)
    mean = (c @ sign_table(n).T).abs().mean(-1)
    return ((c * s).sum(-1).abs() - mean).abs(), torch.linalg.vector_norm(c, dim=-1) * math.sqrt(
        2 * math.log(2 / delta)
    )


# ------------------------------------------------------------------------------------------------------ Davis-Kahan


@claim("named/true-davis-kahan-psd", always(), cite="Yu, Wang, Samworth 2015, Corollary 1", over=grid(d=[2, 3, 6]))
def davis_kahan_psd(forall, *, d):
    """(lambda_1 - lambda_2) sin(theta) <= 2 |t E|_op for the top eigenvectors of A and A + t E, t in [0, 1]."""
    a, g = forall.psd("a", d, trace=1.0), forall.interval("g", -1.0, 1.0, d, d)
    t = forall.interval("t", 0.0, 1.0)
    e = t[:, None, None] * (g + g.mT) / 2
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors[..., -1]
    cosine = (vectors[..., -1] * other).sum(-1)
    sine = (1 - cosine**2).clamp_min(0).sqrt()
    return (values[..., -1] - values[..., -2]) * sine, 2 * torch.linalg.matrix_norm(e, 2)


@claim("named/true-davis-kahan-squared", always(), cite="Yu, Wang, Samworth 2015, Corollary 1", over=grid(d=[2, 4]))
def davis_kahan_squared(forall, *, d):
    """gap^2 (1 - <v, w>^2) <= 4 max |eig(E)|^2, A symmetric."""
    g, h = forall.interval("g", -1.0, 1.0, d, d), forall.interval("h", -1.0, 1.0, d, d)
    t = forall.interval("t", -0.5, 0.5)
    a, e = g + g.mT, t[:, None, None] * (h + h.mT)
    values, vectors = torch.linalg.eigh(a)
    other = torch.linalg.eigh(a + e).eigenvectors
    cosine = (vectors[..., -1] * other[..., -1]).sum(-1)
    gap = values[..., -1] - values[..., -2]
    return gap**2 * (1 - cosine**2), 4 * torch.linalg.eigvalsh(e).abs().amax(-1) ** 2


@claim("named/true-davis-kahan-ratio", always(), cite="Yu, Wang, Samworth 2015, Corollary 1", over=grid(d=[2, 5]))
def davis_kahan_ratio(forall, *, d):
    """|v v' - w w'|_F <= 2 sqrt(2) |E|_op / (lambda_1 - lambda_2)."""
    a, h = forall.psd("a", d, trace=1.0), forall.interval("h", -1.0, 1.0, d, d)
    t = forall.interval("t", 0.0, 0.2)
    e = t[:, None, None] * (h + h.mT)
    values, vectors = torch.linalg.eigh(a)
    v, w = vectors[..., -1:], torch.linalg.eigh(a + e).eigenvectors[..., -1:]
    gap = values[..., -1] - values[..., -2]
    return torch.linalg.matrix_norm(v @ v.mT - w @ w.mT), 2 * math.sqrt(2) * torch.linalg.matrix_norm(e, 2) / gap


@claim(
    "named/true-davis-kahan-mixed-gap",
    always(),
    cite="Davis, Kahan 1970, sin theta theorem; Stewart, Sun 1990, V.3.4",
    over=grid(d=[3, 5], r=[1, 2]),
)
def davis_kahan_mixed_gap(forall, *, d, r):
    """(lambda_r(A) - lambda_{r+1}(A + E)) |V_perp' U|_F <= |E|_F for the top r eigenspaces."""
    g, h = forall.interval("g", -1.0, 1.0, d, d), forall.interval("h", -1.0, 1.0, d, d)
    t = forall.interval("t", 0.0, 1.0)
    a, e = (g + g.mT) / 2, t[:, None, None] * (h + h.mT) / 2
    first, u = torch.linalg.eigh(a)
    second, w = torch.linalg.eigh(a + e)
    gap = (first[:, d - r] - second[:, d - r - 1]).clamp_min(0)
    return gap * torch.linalg.matrix_norm(w[..., : d - r].mT @ u[..., d - r :]), torch.linalg.matrix_norm(e)


@claim("named/true-davis-kahan-residual", always(), cite="Parlett 1998, Thm 11.7.1", over=grid(d=[2, 4, 8]))
def davis_kahan_residual(forall, *, d):
    """(rho - lambda_2) sin(theta) <= |A x - rho x| for a unit x with Rayleigh quotient rho."""
    a, x = forall.psd("a", d, trace=1.0), forall.sphere("x", d)
    ax = (a @ x[..., None])[..., 0]
    rho = (x * ax).sum(-1)
    values, vectors = torch.linalg.eigh(a)
    sine = (1 - (x * vectors[..., -1]).sum(-1) ** 2).relu().sqrt()
    return (rho - values[..., -2]) * sine, (ax - rho[:, None] * x).norm(dim=-1)


@claim("named/true-weyl", always(), cite="Horn, Johnson 2013, Thm 4.3.1", over=grid(d=[2, 5]))
def weyl(forall, *, d):
    """max_i |lambda_i(A + t E) - lambda_i(A)| <= t |E|_op, t in [0, 1]."""
    a, h = forall.psd("a", d, trace=1.0), forall.interval("h", -1.0, 1.0, d, d)
    t = forall.interval("t", 0.0, 1.0)
    e = h + h.mT
    moved = torch.linalg.eigvalsh(a + t[:, None, None] * e) - torch.linalg.eigvalsh(a)
    return moved.abs().amax(-1), t * torch.linalg.eigvalsh(e).abs().amax(-1)


# -------------------------------------------------------------------------------------------- Chebyshev and Cantelli


@claim(
    "named/true-chebyshev-coins",
    high_probability("delta"),
    cite="Chebyshev",
    over=grid(n=[1, 2, 12], delta=[0.05, 0.25]),
)
def chebyshev_coins(forall, draw, *, n, delta):
    """|sum w_i (x_i - p_i)| <= sqrt(Var / delta), x_i coins of biases p_i (0 and 1 make constants)."""
    w, p = forall.interval("w", -1.0, 1.0, n), forall.interval("p", 0.0, 1.0, n)
    x = draw.bernoulli("x", p, n)
    variance = (w**2 * p * (1 - p)).sum(-1)
    return ((w * x).sum(-1) - (w * p).sum(-1)).abs(), (variance / delta).sqrt()


@claim(
    "named/true-chebyshev-location-scale", high_probability("delta"), cite="Chebyshev", over=grid(n=[3, 7], delta=[0.1])
)
def chebyshev_location_scale(forall, draw, *, n, delta):
    """|mean - m| <= s / sqrt(n delta) for x_i = m + s z_i with signs z_i; s may be 0."""
    m, s = forall.interval("m", -100.0, 100.0), forall.interval("s", 0.0, 1.0)
    x = m[:, None] + s[:, None] * draw.signs("z", n)
    return (x.mean(-1) - m).abs(), s / math.sqrt(n * delta)


@claim(
    "named/true-chebyshev-three-points",
    high_probability("delta"),
    cite="Chebyshev, sharp law",
    over=grid(delta=[0.01, 0.2]),
)
def chebyshev_three_points(forall, draw, *, delta):
    """x^2 <= Var / delta for x in {-1, 0, 1} with P(x != 0) = q: equality at q = delta."""
    q = forall.interval("q", 0.0, 1.0)
    x = draw.bernoulli("b", q) * draw.signs("s")
    return x**2, q / delta


@claim("named/true-chebyshev-exact-law", always(), cite="Chebyshev", over=grid(k=[2, 3, 6]))
def chebyshev_exact_law(forall, *, k):
    """t^2 P(|X - E X| >= t) <= Var X for a law w on the points x."""
    w, x, t = forall.simplex("w", k), forall.interval("x", -1.0, 1.0, k), forall.interval("t", 0.0, 2.0)
    centred = x - (w * x).sum(-1, keepdim=True)
    return t**2 * (w * (centred.abs() >= t[:, None])).sum(-1), (w * centred**2).sum(-1)


@claim("named/true-chebyshev-moved", high_probability("delta"), cite="Chebyshev", over=grid(n=[5], delta=[0.05]))
def chebyshev_moved(forall, draw, *, n, delta):
    """delta S^2 - |a|^2 <= 0 for S = <a, z>, z standard normal, a in a ball (0 included)."""
    a = forall.ball("a", n)
    s = (a * draw.normal("z", n)).sum(-1)
    return delta * s**2 - (a**2).sum(-1), torch.zeros_like(s)


@claim(
    "named/true-cantelli-coin", high_probability("delta"), cite="Cantelli 1928", over=grid(n=[1, 3], delta=[0.05, 0.2])
)
def cantelli_coin(forall, draw, *, n, delta):
    """S - E S <= sigma sqrt((1 - delta) / delta) for weighted coins."""
    w, p = forall.interval("w", 0.0, 1.0, n), forall.interval("p", 0.0, 1.0, n)
    s = (w * (draw.bernoulli("x", p, n) - p)).sum(-1)
    return s, ((w * w * p * (1 - p)).sum(-1) * (1 - delta) / delta).sqrt()


@claim("named/true-cantelli-exact-law", always(), cite="Cantelli 1928", over=grid(k=[2, 4]))
def cantelli_exact_law(forall, *, k):
    """P(X - E X >= t) (Var + t^2) <= Var for t >= 0."""
    w, x, t = forall.simplex("w", k), forall.interval("x", 0.0, 1.0, k), forall.interval("t", 0.0, 1.0)
    mean = (w * x).sum(-1)
    variance = (w * x**2).sum(-1) - mean**2
    tail = (w * (x - mean[:, None] >= t[:, None])).sum(-1)
    return tail * (variance + t**2), variance


@claim("named/true-cantelli-median", always(), cite="Hotelling, Solomons 1932", over=grid(n=[1, 2, 3, 10, 41]))
def cantelli_median(forall, *, n):
    """|median - mean| <= standard deviation of n numbers."""
    x = forall.interval("x", -1.0, 1.0, n)
    return (x.median(-1).values - x.mean(-1)).abs(), x.std(-1, correction=0)


@claim(
    "named/true-cantelli-quantile-squared",
    high_probability("delta"),
    cite="Cantelli 1928",
    over=grid(k=[2, 5], delta=[0.1]),
)
def cantelli_quantile_squared(forall, draw, *, k, delta):
    """((X - E X)_+)^2 <= Var (1 - delta) / delta for X = v_i with probability w_i."""
    w, v = forall.simplex("w", k), forall.interval("v", -5.0, 5.0, k)
    x = v[0][draw.categorical("i", w).long()]
    mean = (w * v).sum(-1)
    return (x - mean).relu() ** 2, (w * (v - mean[:, None]) ** 2).sum(-1) * (1 - delta) / delta


# -------------------------------------------------------------------------------------- Cauchy-Schwarz, covariances


@claim("named/true-covariance-centred", always(), cite="Cauchy-Schwarz", over=grid(k=[2, 3, 10]))
def covariance_centred(forall, *, k):
    """Cov(x, y)^2 <= Var(x) Var(y) under weights w."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", -1.0, 1.0, k), forall.interval("y", -1.0, 1.0, k)
    x = x - (w * x).sum(-1, keepdim=True)
    y = y - (w * y).sum(-1, keepdim=True)
    return (w * x * y).sum(-1) ** 2, (w * x**2).sum(-1) * (w * y**2).sum(-1)


@claim("named/true-covariance-moments", always(), cite="Cauchy-Schwarz", over=grid(k=[2, 5]))
def covariance_moments(forall, *, k):
    """|E xy - Ex Ey| <= sqrt(E x^2 - (E x)^2) sqrt(E y^2 - (E y)^2)."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", 0.0, 1.0, k), forall.interval("y", 0.0, 1.0, k)
    ex, ey = (w * x).sum(-1), (w * y).sum(-1)
    vx, vy = (w * x * x).sum(-1) - ex**2, (w * y * y).sum(-1) - ey**2
    return ((w * x * y).sum(-1) - ex * ey).abs(), vx.clamp_min(0).sqrt() * vy.clamp_min(0).sqrt()


@claim("named/true-covariance-far-from-zero", always(), cite="Cauchy-Schwarz", over=grid(k=[2, 4]))
def covariance_far_from_zero(forall, *, k):
    """(E xy - Ex Ey)^2 - Var(x) Var(y) <= 0 for values in [1000, 1001]."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", 1000.0, 1001.0, k), forall.interval("y", 1000.0, 1001.0, k)
    ex, ey = (w * x).sum(-1), (w * y).sum(-1)
    vx, vy = (w * x**2).sum(-1) - ex**2, (w * y**2).sum(-1) - ey**2
    return ((w * x * y).sum(-1) - ex * ey) ** 2 - vx * vy, torch.zeros_like(ex)


@claim("named/true-correlation", always(), cite="Cauchy-Schwarz", over=grid(n=[2, 3, 20]))
def correlation(forall, *, n):
    """|corr(x, y)| <= 1 for n pairs."""
    x, y = forall.interval("x", -10.0, 10.0, n), forall.interval("y", -10.0, 10.0, n)
    a, b = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    return (a * b).mean(-1).abs() / (a.pow(2).mean(-1) * b.pow(2).mean(-1)).sqrt(), 1.0


@claim(
    "named/true-covariance-matrix",
    always(),
    cite="a covariance matrix is positive semidefinite",
    over=grid(k=[2, 6], m=[2, 4]),
)
def covariance_matrix(forall, *, k, m):
    """0 <= lambda_min(X' diag(w) X - mu mu')."""
    w, x = forall.simplex("w", k), forall.interval("x", -2.0, 2.0, k, m)
    mu = x.mT @ w[..., None]
    covariance = x.mT @ (w[..., None] * x) - mu @ mu.mT
    return torch.zeros_like(w[:, 0]), torch.linalg.eigvalsh(covariance)[:, 0]


@claim("named/true-covariance-determinant", always(), cite="Cauchy-Schwarz", over=grid(n=[1, 2, 8]))
def covariance_determinant(forall, *, n):
    """(sum xy - sum x sum y / n)^2 <= (sum x^2 - (sum x)^2 / n) (sum y^2 - (sum y)^2 / n)."""
    x, y = forall.interval("x", -1.0, 1.0, n), forall.interval("y", -1.0, 1.0, n)
    sx, sy = x.sum(-1), y.sum(-1)
    return ((x * y).sum(-1) - sx * sy / n) ** 2, ((x**2).sum(-1) - sx**2 / n) * ((y**2).sum(-1) - sy**2 / n)


@claim("named/true-covariance-gruss", always(), cite="Gruss 1935", over=grid(k=[2, 5]))
def covariance_gruss(forall, *, k):
    """|E xy - Ex Ey| <= 1/4 for values in [0, 1]."""
    w = forall.simplex("w", k)
    x, y = forall.interval("x", 0.0, 1.0, k), forall.interval("y", 0.0, 1.0, k)
    return ((w * x * y).sum(-1) - (w * x).sum(-1) * (w * y).sum(-1)).abs(), 0.25


# ------------------------------------------------------------------------------------------------ Hoeffding and Azuma


@claim(
    "named/true-hoeffding-range",
    high_probability("delta"),
    cite="Hoeffding 1963, Thm 2",
    over=grid(n=[1, 3, 30], delta=[0.05]),
)
def hoeffding_range(forall, draw, *, n, delta):
    """mean - E <= (b - a) sqrt(log(1/delta) / (2n)), values a or b = a + w; w may be 0."""
    a, w, p = forall.interval("a", -5.0, 5.0), forall.interval("w", 0.0, 3.0), forall.interval("p", 0.0, 1.0)
    b = a + w
    coin = draw.bernoulli("x", p, n)
    x = a[:, None] * (1 - coin) + b[:, None] * coin
    return x.mean(-1) - ((1 - p) * a + p * b), (b - a) * math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "named/true-hoeffding-two-sided",
    high_probability("delta"),
    cite="Hoeffding 1963, Thm 2",
    over=grid(n=[2, 20], delta=[0.1]),
)
def hoeffding_two_sided(forall, draw, *, n, delta):
    """|mean - (a + b) / 2| <= (b - a) sqrt(log(2/delta) / (2n)) for uniforms on [a, b]."""
    a, w = forall.interval("a", -1000.0, 1000.0), forall.interval("w", 0.0, 1.0)
    x = a[:, None] + w[:, None] * draw.uniform("u", n)
    return (x.mean(-1) - (a + w / 2)).abs(), w * math.sqrt(math.log(2 / delta) / (2 * n))


@claim(
    "named/true-hoeffding-many-ranges",
    high_probability("delta"),
    cite="Hoeffding 1963, Thm 2",
    over=grid(n=[2, 9], delta=[0.05]),
)
def hoeffding_many_ranges(forall, draw, *, n, delta):
    """(S - E S)^2 <= sum (b_i - a_i)^2 log(2/delta) / 2."""
    a, w, p = forall.interval("a", -1.0, 1.0, n), forall.interval("w", 0.0, 2.0, n), forall.interval("p", 0.0, 1.0, n)
    b = a + w
    x = a + w * draw.bernoulli("x", p, n)
    return (x.sum(-1) - (a + p * w).sum(-1)) ** 2, ((b - a) ** 2).sum(-1) * math.log(2 / delta) / 2


@claim("named/true-hoeffding-lemma", always(), cite="Hoeffding 1963, (4.16)")
def hoeffding_lemma(forall):
    """E exp(t (X - E X)) <= exp(t^2 (b - a)^2 / 8) for a law on {0, w}."""
    p, t, w = forall.interval("p", 0.0, 1.0), forall.interval("t", -4.0, 4.0), forall.interval("w", 0.0, 2.0)
    return p * (t * (1 - p) * w).exp() + (1 - p) * (-t * p * w).exp(), (t**2 * w**2 / 8).exp()


@claim("named/true-hoeffding-lemma-log", always(), cite="Hoeffding 1963, (4.16)", over=grid(k=[2, 5]))
def hoeffding_lemma_log(forall, *, k):
    """log sum w exp(t x) - t sum w x - t^2 / 8 <= 0 for x in [0, 1]."""
    w, x, t = forall.simplex("w", k), forall.interval("x", 0.0, 1.0, k), forall.interval("t", -10.0, 10.0)
    mgf = (w * (t[:, None] * x).exp()).sum(-1)
    return mgf.log() - t * (w * x).sum(-1) - t**2 / 8, torch.zeros_like(t)


@claim("named/true-hoeffding-exact-tail", always(), cite="Hoeffding 1963, Thm 1", over=grid(n=[1, 2, 10]))
def hoeffding_exact_tail(forall, *, n):
    """P(Bin(n, p) >= n (p + t)) <= exp(-2 n t^2)."""
    p, t = forall.interval("p", 0.0, 1.0), forall.interval("t", 0.0, 1.0)
    k = torch.arange(n + 1, dtype=torch.float64)
    law = choose(n) * p[:, None] ** k * (1 - p[:, None]) ** (n - k)
    return (law * (k >= n * (p + t)[:, None])).sum(-1), (-2 * n * t**2).exp()


@claim("named/true-cosh", always(), cite="Hoeffding 1963; series term by term")
def cosh_bound(forall):
    """cosh(t) <= exp(t^2 / 2) on [-30, 30]."""
    t = forall.interval("t", -30.0, 30.0)
    return torch.cosh(t), (t**2 / 2).exp()


@claim(
    "named/true-azuma-predictable", high_probability("delta"), cite="Azuma 1967", over=grid(n=[2, 8, 25], delta=[0.05])
)
def azuma_predictable(forall, draw, *, n, delta):
    """sum d_i <= sqrt(2 sum c_i^2 log(1/delta)), d_i = c_i s_i s_{i-1}."""
    c = forall.interval("c", 0.0, 1.0, n)
    s = draw.signs("s", n + 1)
    d = c * s[:, 1:] * s[:, :-1]
    return d.sum(-1), ((c**2).sum(-1) * 2 * math.log(1 / delta)).sqrt()


@claim(
    "named/true-azuma-maximal",
    high_probability("delta"),
    cite="Azuma 1967 with Doob's inequality",
    over=grid(n=[4, 16], delta=[0.05]),
)
def azuma_maximal(forall, draw, *, n, delta):
    """max_k |M_k| <= |c| sqrt(2 log(2/delta)) for a martingale that stops after its first win."""
    c = forall.interval("c", -1.0, 1.0, n)
    s = draw.signs("s", n)
    alive = torch.cat([torch.ones_like(s[:, :1]), ((1 - s) / 2).cumprod(-1)[:, :-1]], -1)
    return (c * s * alive).cumsum(-1).abs().amax(-1), c.norm(dim=-1) * math.sqrt(2 * math.log(2 / delta))


@claim("named/true-azuma-squared", high_probability("delta"), cite="Azuma 1967", over=grid(n=[1, 6], delta=[0.01, 0.1]))
def azuma_squared(forall, draw, *, n, delta):
    """M_n^2 - 2 sum c_i^2 log(2/delta) <= 0 for signs."""
    c = forall.interval("c", -1.0, 1.0, n)
    m = (draw.signs("s", n) * c).sum(-1)
    return m**2 - 2 * (c**2).sum(-1) * math.log(2 / delta), 0.0


PINSKER = "Pinsker's inequality TV^2 <= KL / 2 (Cover, Thomas 2006, Lemma 11.6.1)"


YWS = (
    "Yu, Wang, Samworth 2015: if |E| < gap/2, Weyl and the residual bound give (gap - |E|) sin <= |E|; else gap <= 2|E|"
)


CS = "Cauchy-Schwarz for the weighted inner product of the centred values"


MC = "McDiarmid 1989 with differences bounded by c_i; both sides are 0 at c = 0"


HOEF = "Hoeffding 1963, Thm 2, with range b - a; both sides are 0 at b = a"


PROOFS = {
    "named/true-pinsker-sqrt-xlogy": PINSKER + "; KL = inf where q = 0 < p.",
    "named/true-pinsker-squared-ratio": PINSKER + "; the clamp of p/q can only raise KL, and x log x -> 0 at p = 0.",
    "named/true-pinsker-relu-clamp": PINSKER + "; sum (p - q)_+ = TV and KL >= 0.",
    "named/true-pinsker-moved": PINSKER + ", moved to one side.",
    "named/true-pinsker-l1-minus-log": (
        PINSKER + " with |p - q|_1 = 2 TV; the clamp of p can only raise the right side."
    ),
    "named/true-pinsker-bernoulli": PINSKER + " on two points, where TV = |p - q|.",
    "named/true-pinsker-log-log": PINSKER + " as |p - q|_1^2 <= 2 KL, and log is increasing; -inf = -inf at p = q.",
    "named/true-pinsker-event": PINSKER + "; |P(A) - Q(A)| <= TV; the clamp of p can only raise KL.",
    "named/true-pinsker-tilt": PINSKER + "; KL(p, q) = log Z - t <p, h> because log(q/p) = t h - log Z.",
    "named/true-pinsker-towards-q": PINSKER + " for p and the mixture m, which is a law.",
    "named/true-pinsker-average": PINSKER + " for each j, then Jensen for the concave square root.",
    "named/true-pinsker-binomials": (
        PINSKER + "; the KL of Bin(n, p) and Bin(n, q) is n kl(p, q): same likelihood ratio as n coins."
    ),
    "named/true-mcdiarmid-sum": MC + ".",
    "named/true-mcdiarmid-coins-abs": MC + "; two sides by a union bound; the sign of c_i does not matter.",
    "named/true-mcdiarmid-max": MC + "; the max is c_(i) exactly if x_(1) = ... = x_(i-1) = 0 and x_(i) = 1.",
    "named/true-mcdiarmid-abs-sum": MC + " (here 2 c_i); the mean is over all 2^n signs.",
    "named/true-davis-kahan-psd": YWS + ".",
    "named/true-davis-kahan-squared": YWS + "; squared; any eigenvectors at ties.",
    "named/true-davis-kahan-ratio": YWS + "; |vv' - ww'|_F = sqrt(2) sin(theta).",
    "named/true-davis-kahan-mixed-gap": (
        "W' E U = (M - L) o (W' U) entrywise with M - L <= -gap, so gap |W' U|_F <= |W' E U|_F <= |E|_F."
    ),
    "named/true-davis-kahan-residual": (
        "The component of A x - rho x on v_j, j >= 2, is (lambda_j - rho) <v_j, x>, of modulus >= (rho - "
        "lambda_2)|<v_j, x>|."
    ),
    "named/true-weyl": "Weyl's perturbation theorem (Horn, Johnson 2013, Thm 4.3.1 and Cor. 4.3.15).",
    "named/true-chebyshev-coins": (
        "Chebyshev for independent coins; if the variance is 0 the deviation is 0 almost surely."
    ),
    "named/true-chebyshev-location-scale": "Chebyshev: Var(mean) = s^2 / n; 0 > 0 is no event at s = 0.",
    "named/true-chebyshev-three-points": (
        "The event 1 > q / delta happens only for q < delta, and then with probability q < delta."
    ),
    "named/true-chebyshev-exact-law": "t^2 1{|X - m| >= t} <= (X - m)^2 pointwise, averaged.",
    "named/true-chebyshev-moved": "Chebyshev with Var S = |a|^2; 0 > 0 is no event at a = 0.",
    "named/true-cantelli-coin": (
        "Cantelli: P(S - ES >= t) <= Var / (Var + t^2) = delta at t^2 = Var (1 - delta) / delta; nothing "
        "moves at Var = 0."
    ),
    "named/true-cantelli-exact-law": (
        "Cantelli's inequality cleared of its denominator; at t = 0 it says Var P(.) <= Var."
    ),
    "named/true-cantelli-median": (
        "|median - mean| <= E|X - median| <= E|X - mean| <= sd, for any median (torch takes the lower one)."
    ),
    "named/true-cantelli-quantile-squared": (
        "Cantelli at t^2 = Var (1 - delta) / delta; X = E X almost surely at Var = 0."
    ),
    "named/true-covariance-centred": CS + ".",
    "named/true-covariance-moments": CS + "; E xy - Ex Ey is the covariance.",
    "named/true-covariance-far-from-zero": CS + ", in moments, moved to one side.",
    "named/true-correlation": CS + " with weights 1/n; 0/0 where a variance is 0.",
    "named/true-covariance-matrix": "u' C u = Var(<u, X>) >= 0 for every u.",
    "named/true-covariance-determinant": CS + " with weights 1, n times each covariance; 0 <= 0 at n = 1.",
    "named/true-covariance-gruss": "Gruss: |Cov| <= sd sd <= 1/4 (Popoviciu).",
    "named/true-hoeffding-range": HOEF + ".",
    "named/true-hoeffding-two-sided": HOEF + ", both sides by a union bound.",
    "named/true-hoeffding-many-ranges": HOEF + " of each summand; squared, both sides.",
    "named/true-hoeffding-lemma": "Hoeffding's lemma for the range w; equality at t w = 0.",
    "named/true-hoeffding-lemma-log": "Hoeffding's lemma for the range [0, 1], in logs.",
    "named/true-hoeffding-exact-tail": (
        "Hoeffding 1963, Thm 1: P(X - np >= nt) <= exp(-2 n t^2), t >= 0; impossible for p + t > 1."
    ),
    "named/true-cosh": "t^2k / (2k)! <= (t^2/2)^k / k! term by term.",
    "named/true-azuma-predictable": "Azuma: E(c_i s_i s_{i-1} | past) = 0 and |d_i| <= c_i; both sides 0 at c = 0.",
    "named/true-azuma-maximal": (
        "Azuma's exponential supermartingale with Doob's maximal inequality, twice; |d_i| <= |c_i| since "
        "the stop is predictable."
    ),
    "named/true-azuma-squared": "Azuma (Hoeffding) two-sided, squared, moved to one side.",
}


WITNESSES: dict[str, object] = {}
