"""Alien claims, known, part 2 of 4: named inequalities in many phrasings; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity


def choose(n):
    """The binomial coefficients C(n, 0), ..., C(n, n)."""
    return torch.tensor([math.comb(n, k) for k in range(n + 1)], dtype=torch.float64)


# ------------------------------------------------------------------------------------------- vector means in a ball


@claim(
    "named/true-mean-in-ball",
    always(),
    cite="triangle inequality",
    over=grid(n=[1, 3, 20], d=[1, 2, 10], radius=[1e-3, 1.0, 100.0]),
)
def mean_in_ball(forall, *, n, d, radius):
    """|mean of x_i| <= R for all points of the ball."""
    x = forall.ball("x", n, d, radius=radius)
    return x.mean(-2).norm(dim=-1), radius


@claim("named/true-weighted-mean-in-ball", always(), cite="Jensen", over=grid(n=[2, 5], d=[2, 6]))
def weighted_mean_in_ball(forall, *, n, d):
    """|sum w_i x_i|^2 <= sum w_i |x_i|^2."""
    w, x = forall.simplex("w", n), forall.ball("x", n, d, radius=3.0)
    mean = (w[:, None, :] @ x)[:, 0]
    return (mean**2).sum(-1), (w * (x**2).sum(-1)).sum(-1)


@claim("named/true-mean-spread", identity(), cite="Huygens-Steiner", over=grid(n=[1, 4], d=[1, 3]))
def mean_spread(forall, *, n, d):
    """mean |x_i - m|^2 = mean |x_i|^2 - |m|^2."""
    x = forall.ball("x", n, d)
    m = x.mean(-2, keepdim=True)
    return ((x - m) ** 2).sum(-1).mean(-1), (x**2).sum(-1).mean(-1) - (m**2).sum((-2, -1))


@claim(
    "named/true-mean-signs-norm",
    high_probability("delta"),
    cite="Boucheron, Lugosi, Massart 2013, Example 6.3",
    over=grid(n=[2, 10], d=[1, 5], delta=[0.05]),
)
def mean_signs_norm(forall, draw, *, n, d, delta):
    """|1/n sum s_i x_i| <= R (1 + sqrt(2 log(1/delta))) / sqrt(n), R = max |x_i|."""
    x = forall.ball("x", n, d, radius=10.0)
    s = draw.signs("s", n)
    mean = (s[..., None] * x).mean(-2)
    return mean.norm(dim=-1), x.norm(dim=-1).amax(-1) * (1 + math.sqrt(2 * math.log(1 / delta))) / math.sqrt(n)


@claim(
    "named/true-mean-signs-second-moment", expectation(range=(-0.26, 1.01)), cite="orthogonality", over=grid(d=[1, 3])
)
def mean_signs_second_moment(forall, draw, *, d):
    """E |1/4 sum s_i x_i|^2 <= 1/16 sum |x_i|^2, an equality."""
    x = forall.ball("x", 4, d)
    s = draw.signs("s", 4)
    return ((s[..., None] * x).mean(-2) ** 2).sum(-1), (x**2).sum((-2, -1)) / 16


# -------------------------------------------------------------------------------------------------- Bretagnolle-Huber


@claim(
    "named/true-bretagnolle-huber-sqrt",
    always(),
    cite="Bretagnolle, Huber 1979; Tsybakov 2009, (2.25)",
    over=grid(k=[2, 3, 8]),
)
def bretagnolle_huber_sqrt(forall, *, k):
    """TV <= sqrt(1 - exp(-KL))."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return (p - q).abs().sum(-1) / 2, (1 - (-kl).exp()).sqrt()


@claim("named/true-bretagnolle-huber-sum", always(), cite="Bretagnolle, Huber 1979", over=grid(k=[2, 5]))
def bretagnolle_huber_sum(forall, *, k):
    """TV^2 + exp(-KL) <= 1."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = torch.where(p > 0, p * (p / q).log(), torch.zeros_like(p)).sum(-1)
    return (p - q).relu().sum(-1) ** 2 + (-kl).exp(), 1.0


@claim("named/true-bretagnolle-huber-log", always(), cite="Bretagnolle, Huber 1979", over=grid(k=[2, 4]))
def bretagnolle_huber_log(forall, *, k):
    """-log(1 - TV^2) <= KL."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    tv = 0.5 * (p - q).abs().sum(-1)
    return -(1 - tv**2).log(), (p * (p / q).clamp_min(1e-300).log()).sum(-1)


@claim("named/true-bretagnolle-huber-event", always(), cite="Lattimore, Szepesvari 2020, Thm 14.2", over=grid(k=[2, 6]))
def bretagnolle_huber_event(forall, *, k):
    """exp(-KL) / 2 <= P(A) + Q(not A)."""
    p, q, s = forall.simplex("p", k), forall.simplex("q", k), forall.signs("s", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return (-kl).exp() / 2, ((1 + s) / 2 * p).sum(-1) + ((1 - s) / 2 * q).sum(-1)


@claim("named/true-bretagnolle-huber-product", always(), cite="Bretagnolle, Huber 1979", over=grid(n=[1, 10, 100]))
def bretagnolle_huber_product(forall, *, n):
    """TV^2 <= 1 - exp(-n kl) for n coins of bias p against q, TV over the counts."""
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    k = torch.arange(n + 1, dtype=torch.float64)
    first = choose(n) * p[:, None] ** k * (1 - p[:, None]) ** (n - k)
    second = choose(n) * q[:, None] ** k * (1 - q[:, None]) ** (n - k)
    kl = p * (p / q).log() + (1 - p) * ((1 - p) / (1 - q)).log()
    return ((first - second).abs().sum(-1) / 2) ** 2, 1 - (-n * kl).exp()


# ----------------------------------------------------------------------------------------------------------- angles


@claim(
    "named/true-angle-triangle-clamp", always(), cite="Bridson, Haefliger 1999, Prop. I.2.1", over=grid(d=[1, 2, 3, 20])
)
def angle_triangle_clamp(forall, *, d):
    """arccos <x, z> <= arccos <x, y> + arccos <y, z> on the sphere."""
    x, y, z = forall.sphere("x", d), forall.sphere("y", d), forall.sphere("z", d)
    xy, yz, xz = (x * y).sum(-1), (y * z).sum(-1), (x * z).sum(-1)
    return xz.clamp(-1, 1).arccos(), xy.clamp(-1, 1).arccos() + yz.clamp(-1, 1).arccos()


@claim("named/true-angle-triangle-cosine", always(), cite="Gram determinant", over=grid(d=[2, 5]))
def angle_triangle_cosine(forall, *, d):
    """<x,y> <y,z> - sqrt(1 - <x,y>^2) sqrt(1 - <y,z>^2) <= <x,z>."""
    x, y, z = forall.sphere("x", d), forall.sphere("y", d), forall.sphere("z", d)
    xy, yz, xz = (x * y).sum(-1), (y * z).sum(-1), (x * z).sum(-1)
    return xy * yz - (1 - xy**2).clamp_min(0).sqrt() * (1 - yz**2).clamp_min(0).sqrt(), xz


@claim("named/true-angle-path", always(), cite="triangle inequality, induction", over=grid(n=[3, 8], d=[2, 4]))
def angle_path(forall, *, n, d):
    """The angle between the ends is at most the sum of the angles along a path of n unit vectors."""
    x = forall.sphere("x", n, d)
    steps = (x[:, 1:] * x[:, :-1]).sum(-1).clamp(-1.0, 1.0).acos()
    return (x[:, 0] * x[:, -1]).sum(-1).clamp(-1.0, 1.0).acos() - steps.sum(-1), 0.0


@claim("named/true-angle-triangle-normalised", always(), cite="triangle inequality of the sphere", over=grid(d=[2, 3]))
def angle_triangle_normalised(forall, *, d):
    """The same for vectors of any length, cosines <x, y> / (|x| |y|), no clamp."""
    x, y, z = (forall.ball(name, d) for name in ("x", "y", "z"))
    gram = [(u * v).sum(-1) / (u.norm(dim=-1) * v.norm(dim=-1)) for u, v in ((x, z), (x, y), (y, z))]
    return gram[0].acos(), gram[1].acos() + gram[2].acos()


@claim(
    "named/true-angle-of-laws", always(), cite="Bhattacharyya 1943; the angle between square roots", over=grid(k=[2, 4])
)
def angle_of_laws(forall, *, k):
    """arccos sum sqrt(p r) <= arccos sum sqrt(p q) + arccos sum sqrt(q r)."""
    p, q, r = forall.simplex("p", k), forall.simplex("q", k), forall.simplex("r", k)
    pr, pq, qr = ((u * v).sqrt().sum(-1).clamp_max(1).arccos() for u, v in ((p, r), (p, q), (q, r)))
    return pr, pq + qr


@claim("named/true-angle-of-lines", always(), cite="metric of the elliptic space; Blumenthal 1953", over=grid(d=[2, 4]))
def angle_of_lines(forall, *, d):
    """The same for lines: arccos |<x, y>|."""
    x, y, z = forall.sphere("x", d), forall.sphere("y", d), forall.sphere("z", d)
    xz, xy, yz = ((u * v).sum(-1).abs().clamp_max(1.0).acos() for u, v in ((x, z), (x, y), (y, z)))
    return xz - xy, yz


# ---------------------------------------------------------------------------------- orderings of the divergences


@claim("named/true-tv-root-two-hellinger", always(), cite="Tsybakov 2009, Lemma 2.3", over=grid(k=[2, 5]))
def tv_root_two_hellinger(forall, *, k):
    """TV <= sqrt(2) H, H^2 = sum (sqrt p - sqrt q)^2 / 2."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    h = (((p.sqrt() - q.sqrt()) ** 2).sum(-1) / 2).sqrt()
    return (p - q).abs().sum(-1) / 2, math.sqrt(2) * h


@claim("named/true-tv-affinity", always(), cite="Tsybakov 2009, Lemma 2.3", over=grid(k=[2, 3, 10]))
def tv_affinity(forall, *, k):
    """TV <= sqrt(2 (1 - sum sqrt(p q)))."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    affinity = (p * q).sqrt().sum(-1)
    return 0.5 * (p - q).abs().sum(-1), (2 * (1 - affinity)).sqrt()


@claim("named/true-le-cam-squared", always(), cite="Le Cam; Tsybakov 2009, Lemma 2.3", over=grid(k=[2, 6]))
def le_cam_squared(forall, *, k):
    """TV^2 + (sum sqrt(p q))^2 <= 1."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p - q).relu().sum(-1) ** 2 + (p * q).sqrt().sum(-1) ** 2, 1.0


@claim("named/true-le-cam-hellinger", always(), cite="Tsybakov 2009, Lemma 2.3", over=grid(k=[2, 4]))
def le_cam_hellinger(forall, *, k):
    """TV <= H sqrt(2 - H^2) with H^2 = 1 - sum sqrt(p) sqrt(q)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    h2 = (1 - (p.sqrt() * q.sqrt()).sum(-1)).clamp_min(0)
    return (p - q).abs().sum(-1) / 2, h2.sqrt() * (2 - h2).sqrt()


@claim("named/true-hellinger-below-tv", always(), cite="Tsybakov 2009, Lemma 2.3", over=grid(k=[2, 4, 30]))
def hellinger_below_tv(forall, *, k):
    """1 - sum sqrt(p q) <= TV."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return 1 - (p * q).sqrt().sum(-1), (p - q).clamp_min(0).sum(-1)


@claim("named/true-hellinger-kl", always(), cite="Tsybakov 2009, Lemma 2.4", over=grid(k=[2, 5]))
def hellinger_kl(forall, *, k):
    """2 (1 - sum sqrt(p q)) - KL <= 0."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    kl = (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)
    return 2 * (1 - (p * q).sqrt().sum(-1)) - kl, torch.zeros_like(kl)


@claim("named/true-bhattacharyya-kl", always(), cite="Jensen; van Erven, Harremoes 2014, Thm 3", over=grid(k=[2, 5]))
def bhattacharyya_kl(forall, *, k):
    """-2 log sum sqrt(p q) <= KL."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return -2 * (p * q).sqrt().sum(-1).log(), torch.where(p > 0, p * (p / q).log(), 0.0 * p).sum(-1)


@claim("named/true-kl-log-chi-square", always(), cite="Tsybakov 2009, Lemma 2.7", over=grid(k=[2, 3, 6]))
def kl_log_chi_square(forall, *, k):
    """KL <= log(1 + chi^2) = log sum p^2 / q, an equality for point masses p."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1), (p**2 / q).sum(-1).log()


@claim("named/true-kl-chi-square", always(), cite="Tsybakov 2009, Lemma 2.7", over=grid(k=[2, 5]))
def kl_chi_square(forall, *, k):
    """KL <= sum (p - q)^2 / q."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return torch.xlogy(p, p / q).sum(-1), ((p - q) ** 2 / q).sum(-1)


@claim("named/true-tv-chi-square", always(), cite="Cauchy-Schwarz", over=grid(k=[2, 7]))
def tv_chi_square(forall, *, k):
    """TV <= sqrt(sum p^2 / q - 1) / 2, an equality when |p - q| is proportional to q."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    return (p - q).abs().sum(-1) / 2, ((p * p / q).sum(-1) - 1).sqrt() / 2


@claim("named/true-triangular-below-tv", always(), cite="Topsoe 2000, (14)", over=grid(k=[2, 5]))
def triangular_below_tv(forall, *, k):
    """2 TV^2 <= sum (p - q)^2 / (p + q)."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    tv = (p - q).abs().sum(-1) / 2
    total = p + q
    return 2 * tv**2, torch.where(total > 0, (p - q) ** 2 / total, torch.zeros_like(p)).sum(-1)


@claim("named/true-jensen-shannon-tv", always(), cite="Lin 1991, Thm 3", over=grid(k=[2, 4]))
def jensen_shannon_tv(forall, *, k):
    """JS(p, q) <= log(2) TV(p, q), by entropies."""
    p, q = forall.simplex("p", k), forall.simplex("q", k)
    m = (p + q) / 2
    hm, hp, hq = (-torch.xlogy(r, r).sum(-1) for r in (m, p, q))
    return hm - (hp + hq) / 2, math.log(2) * (p - q).abs().sum(-1) / 2


# --------------------------------------------------------------------------------------------- Laurent and Massart


@claim(
    "named/true-laurent-massart-upper",
    high_probability("delta"),
    cite="Laurent, Massart 2000, Lemma 1",
    over=grid(n=[1, 10, 60], delta=[0.05, 0.01]),
)
def laurent_massart_upper(forall, draw, *, n, delta):
    """sum a_i (z_i^2 - 1) <= 2 |a|_2 sqrt(x) + 2 |a|_inf x, x = log(1/delta), a >= 0 (0 included)."""
    a = forall.interval("a", 0.0, 1.0, n)
    z, x = draw.normal("z", n), math.log(1 / delta)
    return (a * (z**2 - 1)).sum(-1), 2 * a.norm(dim=-1) * math.sqrt(x) + 2 * a.amax(-1) * x


@claim(
    "named/true-laurent-massart-lower",
    high_probability("delta"),
    cite="Laurent, Massart 2000, Lemma 1",
    over=grid(n=[1, 20], delta=[0.05]),
)
def laurent_massart_lower(forall, draw, *, n, delta):
    """sum a_i - 2 |a|_2 sqrt(x) <= sum a_i z_i^2."""
    a = forall.interval("a", 0.0, 1.0, n)
    z = draw.normal("z", n)
    return a.sum(-1) - 2 * (a**2).sum(-1).sqrt() * math.sqrt(math.log(1 / delta)), (a * z**2).sum(-1)


@claim(
    "named/true-laurent-massart-quadratic-form",
    high_probability("delta"),
    cite="Laurent, Massart 2000, Lemma 1",
    over=grid(n=[2, 6], delta=[0.05]),
)
def laurent_massart_quadratic_form(forall, draw, *, n, delta):
    """z' A z - tr A <= 2 |A|_F sqrt(x) + 2 |A|_op x for psd A."""
    a = forall.psd("a", n, trace=1.0)
    z, x = draw.normal("z", n), math.log(1 / delta)
    form = ((z[:, None, :] @ a)[:, 0] * z).sum(-1)
    rhs = 2 * torch.linalg.matrix_norm(a) * math.sqrt(x) + 2 * torch.linalg.matrix_norm(a, 2) * x
    return form - a.diagonal(dim1=-2, dim2=-1).sum(-1), rhs


# ----------------------------------------------------------------------------------------------- Catoni, UCB, SGD


@claim(
    "named/true-catoni-gibbs",
    high_probability("delta"),
    cite="Catoni 2007, Thm 1.2.6",
    over=grid(n=[5, 40], k=[1, 4], lam=[2.0, 40.0], delta=[0.05]),
)
def catoni_gibbs(forall, draw, *, n, k, lam, delta):
    """R(rho) <= (1 - exp(-C r(rho) - (KL + log(1/delta)) / n)) / (1 - exp(-C)), C = lam / n, rho Gibbs."""
    risk, prior = forall.interval("risk", 0.0, 1.0, k), forall.simplex("prior", k)
    r = draw.bernoulli("x", risk, k, n).mean(-1)
    rho = torch.softmax(prior.log() - lam * r, -1)
    kl = (torch.xlogy(rho, rho) - torch.xlogy(rho, prior)).sum(-1)
    empirical, c = (rho * r).sum(-1), lam / n
    return (rho * risk).sum(-1), (1 - (-c * empirical - (kl + math.log(1 / delta)) / n).exp()) / (1 - math.exp(-c))


@claim(
    "named/true-catoni-all-posteriors",
    high_probability("delta"),
    cite="Catoni 2007, Thm 1.2.1; Donsker-Varadhan",
    over=grid(n=[1, 10], k=[1, 3], c=[0.5, 4.0], delta=[0.05]),
)
def catoni_all_posteriors(forall, draw, *, n, k, c, delta):
    """log sum prior exp(-n log(1 - R (1 - e^-C)) - n C r) <= log(1/delta)."""
    risk, prior = forall.interval("risk", 0.0, 1.0, k), forall.simplex("prior", k)
    r = draw.bernoulli("x", risk, k, n).mean(-1)
    exponent = -n * (1 - risk * (1 - math.exp(-c))).log() - n * c * r
    return torch.logsumexp(prior.log() + exponent, -1), math.log(1 / delta)


@claim(
    "named/true-catoni-fixed-posterior",
    high_probability("delta"),
    cite="Catoni 2007, Thm 1.2.6",
    over=grid(n=[8], k=[2, 5], c=[1.0], delta=[0.1]),
)
def catoni_fixed_posterior(forall, draw, *, n, k, c, delta):
    """1 - exp(-n C r(rho) / n - (KL + log(1/delta)) / n) >= R(rho) (1 - e^-C), rho any law on k predictors."""
    risk, rho = forall.interval("risk", 0.0, 1.0, k), forall.simplex("rho", k)
    r = (rho * draw.bernoulli("x", risk, k, n).mean(-1)).sum(-1)
    kl = math.log(k) + torch.xlogy(rho, rho).sum(-1)
    return (rho * risk).sum(-1) * (1 - math.exp(-c)), 1 - (-c * r - (kl + math.log(1 / delta)) / n).exp()


@claim(
    "named/true-ucb-all-times",
    high_probability("delta"),
    cite="Lattimore, Szepesvari 2020, Ch. 7",
    over=grid(horizon=[3, 30], delta=[0.1]),
)
def ucb_all_times(forall, draw, *, horizon, delta):
    """For all t <= T: |mean_t - p| <= sqrt(log(2T/delta) / (2t))."""
    p = forall.interval("p", 0.0, 1.0)
    t = torch.arange(1, horizon + 1, dtype=torch.float64)
    means = draw.bernoulli("x", p, horizon).cumsum(-1) / t
    width = (math.log(2 * horizon / delta) / (2 * t)).sqrt()
    return ((means - p[:, None]).abs() - width).amax(-1), 0.0


@claim(
    "named/true-ucb-chosen-arm",
    high_probability("delta"),
    cite="Lattimore, Szepesvari 2020, Ch. 6",
    over=grid(arms=[2, 6], n=[4, 20], delta=[0.05]),
)
def ucb_chosen_arm(forall, draw, *, arms, n, delta):
    """The arm of the largest empirical mean is 2 sqrt(log(2K/delta) / (2n))-optimal."""
    p = forall.interval("p", 0.0, 1.0, arms)
    best = draw.bernoulli("x", p, arms, n).mean(-1).argmax(-1)
    return p.amax(-1) - p[0][best], 2 * math.sqrt(math.log(2 * arms / delta) / (2 * n))


@claim(
    "named/true-ogd-regret",
    always(),
    cite="Zinkevich 2003; Shalev-Shwartz 2012, Thm 2.4",
    over=grid(T=[1, 5, 30], d=[1, 3]),
)
def ogd_regret(forall, *, T, d):
    """sum <g_t, x_t - u> <= |u|^2 / (2 eta) + eta / 2 sum |g_t|^2 for x_t = -eta (g_1 + ... + g_{t-1})."""
    g, u, eta = forall.ball("g", T, d), forall.ball("u", d, radius=5.0), 0.1
    x = -eta * (g.cumsum(1) - g)
    regret = (g * (x - u[:, None, :])).sum((-2, -1))
    return regret, (u**2).sum(-1) / (2 * eta) + eta / 2 * (g**2).sum((-2, -1))


@claim(
    "named/true-sgd-average-mean",
    expectation(range=(-0.33, 2.0)),
    cite="Robbins, Monro; Shalev-Shwartz, Ben-David 2014, 14.3",
)
def sgd_average_mean(forall, draw):
    """E |xbar - u| <= u^2 / (2 eta T) + eta: 20 projected steps of size 0.2 along sign(x - u) + a random sign."""
    u = forall.interval("u", -1.0, 1.0)
    noise = draw.signs("s", 20)
    x = torch.zeros_like(noise[:, 0])
    total = torch.zeros_like(x)
    for t in range(20):
        total = total + x
        x = (x - 0.2 * ((x - u).sign() + noise[:, t])).clamp(-1.0, 1.0)
    return (total / 20 - u).abs(), u**2 / 8 + 0.2


@claim(
    "named/true-sgd-quadratic-mean",
    expectation(range=(-1.0, 2.0)),
    cite="bias-variance of SGD; Moulines, Bach 2011",
    over=grid(T=[1, 10, 100]),
)
def sgd_quadratic_mean(forall, draw, *, T):
    """E |x_T - u|^2 <= (1 - eta)^2T |u|^2 + d eta / (2 - eta) (1 - (1 - eta)^2T): an equality, d = 2, eta = 0.1."""
    u = forall.ball("u", 2)
    noise = draw.signs("s", T, 2)
    x = torch.zeros_like(noise[:, 0])
    for t in range(T):
        x = x - 0.1 * (x - u - noise[:, t])
    decay = 0.9 ** (2 * T)
    return ((x - u) ** 2).sum(-1), decay * (u**2).sum(-1) + 2 * 0.1 / 1.9 * (1 - decay)


@claim("named/true-gd-quadratic", always(), cite="Drori, Teboulle 2014, Thm 3.1", over=grid(T=[1, 5, 50], d=[2, 4]))
def gd_quadratic(forall, *, T, d):
    """x_T' A x_T / 2 <= |x_0|^2 / (4T + 2) for x_{t+1} = x_t - A x_t and 0 <= A <= I."""
    a, x = forall.psd("a", d, trace=1.0), forall.ball("x", d)
    start = (x**2).sum(-1)
    for _ in range(T):
        x = x - (a @ x[..., None])[..., 0]
    return 0.5 * torch.einsum("bi,bij,bj->b", x, a, x), start / (4 * T + 2)


BH = "Bretagnolle-Huber: TV^2 <= 1 - BC^2 and BC^2 >= exp(-KL) by Jensen"


LM = "Laurent, Massart 2000, Lemma 1; both sides are 0 at a = 0"


SPHERE = "the angle is the geodesic distance of the unit sphere, a metric"


PROOFS = {
    "named/true-mean-in-ball": "Triangle inequality: the ball is convex.",
    "named/true-weighted-mean-in-ball": "Jensen for |.|^2.",
    "named/true-mean-spread": "Expand the square; the cross term is -2 |m|^2.",
    "named/true-mean-signs-norm": (
        "McDiarmid with differences 2 |x_i| / n <= 2R/n, and E|mean| <= sqrt(sum |x_i|^2) / n <= R / sqrt(n)."
    ),
    "named/true-mean-signs-second-moment": "E s_i s_j = 0 for i != j; 0 <= lhs <= 1 and 0 <= rhs <= 1/4.",
    "named/true-bretagnolle-huber-sqrt": BH + ".",
    "named/true-bretagnolle-huber-sum": BH + ", moved.",
    "named/true-bretagnolle-huber-log": (
        BH + ", in logs; the clamp can only raise KL; both sides are inf at disjoint supports."
    ),
    "named/true-bretagnolle-huber-event": BH + "; P(A) + Q(not A) >= 1 - TV >= 1 - sqrt(1 - e^-KL) >= e^-KL / 2.",
    "named/true-bretagnolle-huber-product": BH + " for the counts, whose KL is n kl.",
    "named/true-angle-triangle-clamp": SPHERE + "; d = 1 has the angles 0 and pi only.",
    "named/true-angle-triangle-cosine": (
        "<x,z> - <x,y><y,z> is the inner product of the parts orthogonal to y, at least minus the product of norms."
    ),
    "named/true-angle-path": SPHERE + "; induction along the path.",
    "named/true-angle-triangle-normalised": SPHERE + ", for the normalised vectors; 0/0 at a zero vector.",
    "named/true-angle-of-laws": SPHERE + ", applied to the unit vectors sqrt(p), sqrt(q), sqrt(r).",
    "named/true-angle-of-lines": (
        "Change the signs of x and z so that <x,y>, <y,z> >= 0; then angle(x, z) <= sum, and arccos|c| <= arccos c."
    ),
    "named/true-tv-root-two-hellinger": (
        "Cauchy-Schwarz: TV = sum |a - b|(a + b)/2 <= H sqrt(2 - H^2) <= sqrt(2) H with a = sqrt p, b = sqrt q."
    ),
    "named/true-tv-affinity": "The same with H^2 = 1 - affinity.",
    "named/true-le-cam-squared": "TV^2 <= H^2 (2 - H^2) = 1 - BC^2.",
    "named/true-le-cam-hellinger": "TV <= H sqrt(2 - H^2), Cauchy-Schwarz.",
    "named/true-hellinger-below-tv": "sum sqrt(p q) >= sum min(p, q) = 1 - TV.",
    "named/true-hellinger-kl": "KL >= -2 log BC >= 2 (1 - BC).",
    "named/true-bhattacharyya-kl": (
        "Jensen: -KL/2 = sum p log sqrt(q/p) <= log BC; +inf on both sides at disjoint supports."
    ),
    "named/true-kl-log-chi-square": "Jensen: sum p log(p/q) <= log sum p^2/q.",
    "named/true-kl-chi-square": "KL <= log(1 + chi^2) <= chi^2.",
    "named/true-tv-chi-square": "Cauchy-Schwarz: (sum |p - q|)^2 <= sum (p - q)^2 / q.",
    "named/true-triangular-below-tv": (
        "Cauchy-Schwarz: (sum |p - q|)^2 <= 2 sum (p - q)^2 / (p + q), and the left side is 4 TV^2."
    ),
    "named/true-jensen-shannon-tv": (
        "With p + q = s and u = p/s: log 2 - h(u) <= log 2 |2u - 1| because h is concave, summed with weights s/2."
    ),
    "named/true-laurent-massart-upper": LM + ".",
    "named/true-laurent-massart-lower": LM + "; lower tail.",
    "named/true-laurent-massart-quadratic-form": LM + ", for the eigenvalues of A (rotation invariance).",
    "named/true-catoni-gibbs": (
        "Catoni 2007, Thm 1.2.6: exponential moment 1 for each predictor, change of measure, Jensen, Markov."
    ),
    "named/true-catoni-all-posteriors": (
        "E exp(-nCr) = (1 - R(1 - e^-C))^n, so the prior mean of the exponentials has mean 1: Markov."
    ),
    "named/true-catoni-fixed-posterior": "Catoni 2007, Thm 1.2.6, uniform prior, posterior fixed beforehand.",
    "named/true-ucb-all-times": "Hoeffding two-sided at delta / T for each t, Boole.",
    "named/true-ucb-chosen-arm": (
        "On the event that all K means are within the width (Hoeffding, Boole), the gap is at most two widths."
    ),
    "named/true-ogd-regret": (
        "|x_{t+1} - u|^2 = |x_t - u|^2 - 2 eta <g_t, x_t - u> + eta^2 |g_t|^2, telescoped from x_1 = 0."
    ),
    "named/true-sgd-average-mean": (
        "Projected SGD: E mean f(x_t) <= u^2/(2 eta T) + eta G^2/2 with G^2 <= 2, and Jensen; -0.325 <= lhs - rhs <= 2."
    ),
    "named/true-sgd-quadratic-mean": (
        "e_{t+1} = 0.9 e_t + 0.1 s_t with E|s_t|^2 = 2: geometric sum, equality; |e_t|^2 <= 2 and rhs <= 1."
    ),
    "named/true-gd-quadratic": (
        "In the eigenbasis: lambda (1 - lambda)^2T / 2 <= 1 / (2 (2T + 1)), the maximum at lambda = 1/(2T + 1)."
    ),
}


WITNESSES: dict[str, object] = {}
