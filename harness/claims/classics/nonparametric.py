"""Rates of estimators without parameters, and what samples miss."""

import math

import torch

from harness import always, claim, expectation, grid, rate, tail, up_to_constant

SIZES = [64, 125, 216, 512, 1000, 2197, 4096]  # cubes: n^(1/3) and n^(2/3) are whole numbers


@claim(
    "classics/histogram",
    rate("n", -2.0 / 3.0, correction=1.0 / 3.0),
    cite="Freedman and Diaconis 1981; Tsybakov 2009, section 1.2 (Lipschitz densities)",
    restricts="the density 2 x on [0, 1] and n^(1/3) bins",
    sharp=0.8,
    over=grid(n=SIZES),
)
def histogram(draw, *, n):
    """E of the integrated squared error of a histogram is of order n^(-2/3) for Lipschitz densities."""
    bins = round(n ** (1.0 / 3.0))
    mass = torch.arange(bins + 1, device=draw.device).double().square().diff() / bins**2
    height = draw.multinomial("counts", n, mass) * bins / n
    return (height**2 / bins - 2.0 * height * mass).sum(-1) + 4.0 / 3.0


@claim(
    "classics/kernel-density",
    rate("n", -0.8, correction=0.2),
    cite="Parzen 1962; Tsybakov 2009, Theorem 1.1",
    restricts="the standard normal density at 0, the box kernel, width n^(-1/5)",
    sharp=0.8,
    over=grid(n=[64, 256, 1024, 4096, 16384, 65536]),
)
def kernel_density(draw, *, n):
    """E (density estimate - density)^2 at a point is of order n^(-4/5) for two derivatives."""
    width = n**-0.2
    inside = math.erf(width / math.sqrt(2.0))
    near = draw.multinomial("counts", n, torch.tensor([inside, 1.0 - inside], device=draw.device))[:, 0]
    return (near / (2.0 * n * width) - 1.0 / math.sqrt(2.0 * math.pi)).square()


@claim(
    "classics/nearest-neighbours",
    rate("n", -2.0 / 3.0, correction=2.0 / 3.0),
    cite="Gyorfi, Kohler, Krzyzak, Walk 2002, Theorem 6.2 (one dimension)",
    restricts="|x| at 0 with signs as noise, n^(2/3) neighbours",
    sharp=0.8,
    over=grid(n=SIZES),
)
def nearest_neighbours(draw, *, n):
    """E (mean over k neighbours - regression)^2 is of order n^(-2/3) for Lipschitz regression, k = n^(2/3)."""
    k = round(n ** (2.0 / 3.0))
    distance = draw.uniform("x", n).sort(-1).values[:, :k]
    return (distance.mean(-1, keepdim=True) + draw.signs("noise", 16, k).mean(-1)).square().mean(-1)


@claim(
    "classics/nearest-distance",
    rate("n", -0.5),
    cite="Gyorfi, Kohler, Krzyzak, Walk 2002, Lemma 6.4",
    restricts="uniform points in the square, the distance from its centre",
    sharp=0.8,
    over=grid(n=[16, 32, 64, 128, 256, 512, 1024]),
)
def nearest_distance(draw, *, n):
    """The mean distance to the nearest of n points is of order n^(-1/d): here d = 2."""
    return (draw.uniform("x", n, 2) - 0.5).norm(dim=-1).amin(-1)


@claim(
    "classics/stratified",
    rate("n", -1.5, correction=1.0),
    cite="Haber 1966; Owen 2013, chapter 10",
    restricts="exp on [0, 1]",
    sharp=0.8,
    over=grid(n=[8, 16, 32, 64, 128, 256, 512]),
)
def stratified(draw, *, n):
    """The error of stratified sampling with n strata is of order n^(-3/2) for smooth functions on an interval."""
    points = (torch.arange(n, device=draw.device) + draw.uniform("u", n)) / n
    return (points.exp().mean(-1) - (math.e - 1.0)).abs()


@claim(
    "classics/empirical-frequencies",
    rate("n", -0.5, at="exactly", correction=None),
    cite="Devroye 1983; Han, Jiao, Weissman 2015, Corollary 1",
    restricts="laws on four outcomes",
    sharp=0.8,
    over=grid(n=[16, 64, 256, 1024, 4096, 16384]),
)
def empirical_frequencies(forall, draw, *, n):
    """E |frequencies - law|_1 is of order n^(-1/2), neither more nor less, at the worst law."""
    p = forall.simplex("P", 4)
    return (draw.multinomial("counts", n, p) / n - p).abs().sum(-1)


@claim(
    "classics/missing-mass-rate",
    rate("n", -1.0, at="exactly", correction=1.0),
    cite="Berend and Kontorovich 2012",
    restricts="laws on four outcomes",
    sharp=0.8,
    over=grid(n=[8, 32, 128, 512, 2048, 8192]),
)
def missing_mass_rate(forall, draw, *, n):
    """The expected probability of what n draws have missed is of order 1/n at the worst law, neither more nor less."""
    p = forall.simplex("P", 4)
    return torch.where(draw.multinomial("counts", n, p) == 0, p, 0.0).sum(-1)


@claim(
    "classics/sample-median",
    rate("n", -1.0, at="exactly", correction=None),
    cite="van der Vaart 1998, Corollary 21.5",
    restricts="the standard normal law",
    sharp="sharp, but a lower-order term of any power of n may hide a quarter of the exponent",
    over=grid(n=[9, 33, 129, 513, 2049, 8193]),
)
def sample_median(draw, *, n):
    """E (median of n draws - median)^2 is of order 1/n, neither more nor less, where the density is positive."""
    return draw.normal("x", 8, n).median(-1).values.square().mean(-1)


@claim("classics/missing-mass", always(), cite="Berend and Kontorovich 2012", sharp=0.8, over=grid(n=[4], k=[5]))
def missing_mass(forall, *, n, k):
    """E of the probability of what n draws have not shown <= k / (e n) for k values."""
    p = forall.simplex("p", k)
    return (p * (1.0 - p) ** n).sum(-1), k / (math.e * n)


@claim(
    "classics/good-turing",
    always(),
    cite="Good 1953; McAllester and Schapire 2000, Theorem 1",
    sharp="the excess is sum p^2 (1 - p)^(n - 1), which stays below 1 / n by a factor",
    over=grid(n=[3, 20], k=[4]),
)
def good_turing(forall, *, n, k):
    """E (values seen once) / n - E (missing mass) <= 1 / n."""
    p = forall.simplex("p", k)
    return (p * (1.0 - p) ** (n - 1) - p * (1.0 - p) ** n).sum(-1), 1.0 / n


@claim(
    "classics/empirical-law",
    expectation(range=(-2.0, 2.0), margin=0.01),
    cite="folklore; Devroye and Lugosi 2001",
    sharp=0.8,
    over=grid(n=[1, 20], k=[2]),
)
def empirical_law(forall, draw, *, n, k):
    """E |empirical law - p|_1 <= sqrt((k - 1) / n) on k values."""
    p = forall.simplex("p", k)
    return (draw.multinomial("counts", n, p) / n - p).abs().sum(-1), math.sqrt((k - 1) / n)


@claim(
    "classics/weissman",
    tail(),
    cite="Weissman, Ordentlich, Seroussi, Verdu, Weinberger 2003, Theorem 2.1",
    sharp="a union over sets of values, each with Hoeffding's inequality",
    over=grid(n=[20], k=[3]),
)
def weissman(forall, draw, *, n, k):
    """P(|empirical law - p|_1 >= t) <= (2^k - 2) exp(-n t^2 / 2) on k values."""
    p, t = forall.simplex("p", k), forall.interval("t", 0.0, 1.5)
    distance = (draw.multinomial("counts", n, p) / n - p).abs().sum(-1)
    return distance >= t, (2**k - 2) * torch.exp(-n * t**2 / 2.0)


@claim(
    "classics/coupon-collector",
    up_to_constant("n"),
    cite="Mitzenmacher and Upfal 2017, section 2.4.1",
    sharp="the constant is left open; as n grows any above 1 suffices",
    over=grid(n=[8, 16, 32, 64, 128, 256, 512]),
)
def coupon_collector(draw, *, n):
    """The mean number of draws until each of n equally likely values has been seen is at most C n log n."""
    missing = torch.arange(1, n, device=draw.device).double() / n
    waits = (torch.log1p(-draw.uniform("u", n - 1)) / torch.log1p(-missing)).ceil()
    return 1.0 + waits.clamp_min(1.0).sum(-1), n * math.log(n)


@claim(
    "classics/harmonic",
    up_to_constant("n"),
    cite="Graham, Knuth, Patashnik 1994, section 6.3",
    sharp="the constant is left open; as n grows any above 1 suffices",
    over=grid(n=[10, 30, 100, 300, 1000, 3000, 10_000]),
)
def harmonic(*, n):
    """1 + 1/2 + ... + 1/n <= C log n."""
    return math.fsum(1.0 / k for k in range(1, n + 1)), math.log(n)
