"""Alien claims, known: claims that are numerically awkward to judge; see README.md."""

import math

import numpy as np
import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


@claim(
    "awkward/true-variance-moments", always(), cite="Higham, Accuracy and Stability, section 1.9", over=grid(n=[2, 50])
)
def variance_moments(forall, *, n):
    """E x^2 - (E x)^2 >= 0 for n numbers between 10^8 and 10^8 + 1."""
    x = forall.interval("x", 1e8, 1e8 + 1, n)
    variance = x.square().mean(-1) - x.mean(-1).square()
    return -variance, torch.zeros_like(variance)


@claim(
    "awkward/true-halves-maximum", identity(), cite="Muller et al., Handbook of Floating-Point Arithmetic, chapter 4"
)
def halves_maximum(forall):
    """max(x, y) = (x + y + |x - y|) / 2, with |x| <= 1e150 and |y| <= 1e-150."""
    x = forall.interval("x", -1e150, 1e150)
    y = forall.interval("y", -1e-150, 1e-150)
    return torch.where(x > y, x, y), (x + y + (x - y).abs()) / 2


@claim(
    "awkward/true-tomaszewski",
    high_probability("delta"),
    cite="Keller, Klein: Proof of Tomaszewski's conjecture, 2022",
    over=grid(n=[1, 4, 9], delta=[0.5]),
)
def tomaszewski(forall, draw, *, n, delta):
    """|sum w_i s_i| <= |w|_2 with probability at least 1/2 over random signs s, for all weights w."""
    w = forall.interval("w", -1.0, 1.0, n)
    s = draw.signs("s", n)
    return (w * s).sum(-1).abs(), w.square().sum(-1).sqrt()


@claim("awkward/true-compound-interest", always(), cite="Higham, Accuracy and Stability, section 1.11")
def compound_interest(forall):
    """(1 + 1/n)^n <= e for all n up to 10^15."""
    n = forall.integers("n", 1, 10**15)
    return (1 + 1 / n).pow(n), torch.full_like(n, math.e)


@claim(
    "awkward/true-dime-tie",
    high_probability("delta"),
    cite="binomial tail; Muller et al., Handbook, section 1.3",
    over=grid(n=[10], delta=[0.02, 0.05]),
)
def dime_tie(forall, draw, *, n, delta):
    """The sum of ten dimes, each paid with probability p <= 0.1, is at most 0.3 with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 0.1)
    x = draw.bernoulli("x", p, n)
    return (0.1 * x).sum(-1), 0.3


@claim("awkward/true-stirling", always(), cite="Robbins 1955, A remark on Stirling's formula")
def stirling(forall):
    """n log n - n + log(2 pi n)/2 - log n! <= 0 for all n up to 10^12."""
    n = forall.integers("n", 1, 10**12)
    formula = n * n.log() - n + 0.5 * (2 * math.pi * n).log()
    return formula - torch.lgamma(n + 1), torch.zeros_like(n)


@claim(
    "awkward/true-muller-recurrence",
    always(),
    cite="Muller et al., Handbook, section 1.3.2 (Muller's sequence)",
    over=grid(n=[8, 15, 30]),
)
def muller_recurrence(forall, *, n):
    """u_n <= 10 for n >= 3, u_{k+1} = 111 - 1130/u_k + 3000/(u_k u_{k-1}), from (2, -4), (5, 5) or (6, 6)."""
    starts = [torch.tensor([2.0, -4.0]), torch.tensor([5.0, 5.0]), torch.tensor([6.0, 6.0])]
    start = forall.choice("start", [s.double() for s in starts])
    u, v = start[..., 0], start[..., 1]
    for _ in range(n - 1):
        u, v = v, 111 - 1130 / v + 3000 / (v * u)
    return v, torch.full_like(v, 10.0)


@claim(
    "awkward/true-cauchy-scales",
    always(),
    cite="Cauchy-Schwarz; Higham, Accuracy and Stability, chapter 27",
    over=grid(n=[1, 3]),
)
def cauchy_scales(forall, *, n):
    """<x, y> <= |x| |y| with entries of x up to 1e-150 and of y up to 1e150."""
    x = forall.interval("x", 0.0, 1e-150, n)
    y = forall.interval("y", 0.0, 1e150, n)
    return (x * y).sum(-1), x.square().sum(-1).sqrt() * y.square().sum(-1).sqrt()


@claim("awkward/true-heron-needle", always(), cite="Kahan, Miscalculating area and angles of a needle-like triangle")
def heron_needle(forall):
    """Heron's radicand is not negative for sides a, b, c with |a - b| <= c <= a + b."""
    a = forall.interval("a", 1.0, 2.0)
    b = forall.interval("b", 1.0, 2.0)
    t = forall.interval("t", 0.0, 1.0)
    c = (a - b).abs() + t * (a + b - (a - b).abs())
    s = (a + b + c) / 2
    radicand = s * (s - a) * (s - b) * (s - c)
    return torch.zeros_like(radicand), radicand


@claim("awkward/true-late-rate", rate("n", -1.0), cite="1/(n + 200) <= 1/n", over=grid(n=[8, 32, 128, 512, 2048, 8192]))
def late_rate(draw, *, n):
    """1/(n + 200) decays like 1/n."""
    return 1 / (n + 200) + 0.0 * draw.uniform("u")


@claim("awkward/true-sum-orders", identity(), cite="Higham, Accuracy and Stability, chapter 4", over=grid(n=[2, 30]))
def sum_orders(forall, *, n):
    """A sum does not depend on its order, for summands up to 1e16."""
    x = forall.interval("x", -1e16, 1e16, n)
    return x.sum(-1), x.sort(-1).values.cumsum(-1)[..., -1]


@claim(
    "awkward/true-hadamard",
    always(),
    cite="Hadamard's inequality; Horn and Johnson, Theorem 7.8.1",
    over=grid(n=[1, 2, 6]),
)
def hadamard(forall, *, n):
    """det A <= product of the diagonal entries, for positive semidefinite A of trace 1."""
    a = forall.psd("a", n, trace=1.0)
    return torch.linalg.det(a), a.diagonal(dim1=-2, dim2=-1).prod(-1)


@claim(
    "awkward/true-angles",
    always(),
    cite="triangle inequality of the geodesic distance on the sphere",
    over=grid(n=[2, 3, 10]),
)
def angles(forall, *, n):
    """angle(x, z) <= angle(x, y) + angle(y, z) on the unit sphere, by arccos of inner products."""
    x, y, z = forall.sphere("x", n), forall.sphere("y", n), forall.sphere("z", n)
    xy, yz, xz = ((u * v).sum(-1).clamp(-1, 1).arccos() for u, v in ((x, y), (y, z), (x, z)))
    return xz, xy + yz


@claim(
    "awkward/true-variance-pairs",
    identity(),
    cite="Higham, Accuracy and Stability, section 1.9",
    over=grid(n=[1, 2, 20]),
)
def variance_pairs(forall, *, n):
    """mean x^2 - (mean x)^2 = sum over pairs of (x_i - x_j)^2 / (2 n^2), in numpy."""
    x = forall.interval("x", 1e3, 1e3 + 1, n).detach().numpy()
    moments = np.mean(x**2, -1) - np.mean(x, -1) ** 2
    pairs = np.square(x[..., :, None] - x[..., None, :]).sum((-2, -1)) / (2 * n**2)
    return torch.from_numpy(moments), torch.from_numpy(pairs)


@claim(
    "awkward/true-median-plateau",
    always(),
    cite="the median minimises the sum of absolute deviations",
    over=grid(n=[1, 2, 9, 40]),
)
def median_plateau(forall, *, n):
    """sum |x_i - median(x)| <= sum |x_i - c| for all c, in numpy."""
    x = forall.interval("x", 1e6, 1e6 + 1, n).detach().numpy()
    c = forall.interval("c", 1e6, 1e6 + 1).detach().numpy()
    best = np.abs(x - np.median(x, -1)[..., None]).sum(-1)
    return torch.from_numpy(best), torch.from_numpy(np.abs(x - c[..., None]).sum(-1))


@claim(
    "awkward/true-square-mean-tie",
    expectation(range=(-0.25, 1.0)),
    cite="variance of a binomial mean",
    over=grid(n=[1, 4, 16]),
)
def square_mean_tie(forall, draw, *, n):
    """E (mean of n flips - p)^2 <= p (1 - p) / n (it is equal)."""
    p = forall.interval("p", 0.0, 1.0)
    x = draw.bernoulli("x", p, n)
    return (x.mean(-1) - p).square(), p * (1 - p) / n


@claim(
    "awkward/true-gibbs", always(), cite="Gibbs' inequality; Cover and Thomas, Theorem 2.6.3", over=grid(n=[1, 2, 30])
)
def gibbs(forall, *, n):
    """sum p log q - sum p log p <= 0 on the simplex."""
    p, q = forall.simplex("p", n), forall.simplex("q", n)
    gap = torch.xlogy(p, q).sum(-1) - torch.xlogy(p, p).sum(-1)
    return gap, torch.zeros_like(gap)


@claim("awkward/true-rump", always(), cite="Rump 1988; Muller et al., Handbook, section 1.3.2")
def rump(forall):
    """Rump's expression is at least -1 at (77617, 33096), at (1, 1) and at (2, -1)."""
    points = [torch.tensor(ab).double() for ab in ([77617.0, 33096.0], [1.0, 1.0], [2.0, -1.0])]
    point = forall.choice("point", points)
    a, b = point[..., 0], point[..., 1]
    inner = 11 * a**2 * b**2 - b**6 - 121 * b**4 - 2
    value = 333.75 * b**6 + a**2 * inner + 5.5 * b**8 + a / (2 * b)
    return torch.full_like(value, -1.0), value


@claim(
    "awkward/plain-small-whole-scale", always(), expected="refuted", cite="norms of different degree", over=grid(n=[6])
)
def small_whole_scale(forall, *, n):
    """1e-6 sum x_i <= sum x_i^2 for x in [0, 1]^n (false for small x)."""
    x = forall.interval("x", 0.0, 1.0, n)
    return 1e-6 * x.sum(-1), x.square().sum(-1)


@claim(
    "awkward/subtle-rosenbrock",
    always(),
    expected="refuted",
    cite="Rosenbrock 1960; More, Garbow, Hillstrom 1981, (21)",
    over=grid(n=[30]),
)
def rosenbrock(forall, *, n):
    """A shifted Rosenbrock function in 30 dimensions is at least 1 (false: its minimum is 0).

    A curved valley leads to the minimum: about 100 steps of L-BFGS from a random point, some 1000 of Adam.
    """
    x = forall.interval("x", -2.0, 2.0, n)
    y = x - 0.3 * torch.arange(n).double().sin()
    f = (20 * (y[..., 1:] - y[..., :-1].square()).square() + (1 - y[..., :-1]).square()).sum(-1)
    return torch.ones_like(f), f


@claim(
    "awkward/plain-small-units", always(), expected="refuted", cite="(x + y)^2 <= 2 (x^2 + y^2) with a wrong constant"
)
def small_units(forall):
    """(x + y)^2 <= 1.8 (x^2 + y^2) in units of 1e-100 (false at x = y)."""
    x = forall.interval("x", 0.0, 1.0)
    y = forall.interval("y", 0.0, 1.0)
    return 1e-100 * (x + y).square(), 1.8e-100 * (x.square() + y.square())


@claim("awkward/subtle-powers-of-two", always(), expected="refuted", cite="Knuth, TAOCP 4A, 7.1.3 (sideways addition)")
def powers_of_two(forall):
    """log2(n) <= 15 times the number of binary ones of n, for n <= 10^6 (false at 2^16, 2^17, 2^18, 2^19 only).

    Fewer ones and a larger n raise the ratio: there is a trend, and powers of two are natural integers to try.
    """
    n = forall.integers("n", 1, 10**6)
    ones = sum((n / 2**k).floor() % 2 for k in range(20))
    return n.log2(), 15 * ones


@claim(
    "awkward/plain-rare-variance-bound",
    high_probability("delta"),
    expected="refuted",
    cite="Bernstein's inequality without its linear term",
    over=grid(n=[100], delta=[0.05]),
)
def rare_variance_bound(forall, draw, *, n, delta):
    """mean <= p + sqrt(2 p (1 - p) log(1/delta) / n) with probability 1 - delta (false for rare events)."""
    p = forall.interval("p", 1e-5, 1e-2)
    x = draw.bernoulli("x", p, n)
    return x.mean(-1), p + (2 * p * (1 - p) * math.log(1 / delta) / n).sqrt()


@claim(
    "awkward/subtle-signed-permutation",
    always(),
    expected="refuted",
    cite="distance of sorted moduli",
    over=grid(n=[12]),
)
def signed_permutation(forall, *, n):
    """0.01 var|x| <= mean square distance of the sorted |x| and |y| (false where y is x up to order and signs).

    Copying one variable into the other, whatever the order and signs, shows it, and so does a descent of the distance.
    """
    x = forall.interval("x", -1.0, 1.0, n)
    y = forall.interval("y", -1.0, 1.0, n)
    distance = (x.abs().sort(-1).values - y.abs().sort(-1).values).square().mean(-1)
    return 0.01 * x.abs().var(-1, unbiased=False), distance


@claim(
    "awkward/subtle-tiny-norm",
    always(),
    expected="refuted",
    cite="Higham, Accuracy and Stability, chapter 27",
    over=grid(n=[5]),
)
def tiny_norm(forall, *, n):
    """1e-100 |x| <= |x|^2 on [-1, 1]^n (false where 0 < |x| < 1e-100).

    The ratio grows steadily as x shrinks; the scales 1e-50, 1e-100, 1e-150 are a short list to try.
    """
    x = forall.interval("x", -1.0, 1.0, n)
    norm = x.square().sum(-1).sqrt()
    return 1e-100 * norm, norm.square()


@claim("awkward/plain-twelve-directions", always(), expected="refuted", cite="Cauchy-Schwarz with one vector too long")
def twelve_directions(forall):
    """<v, x> <= 1 for the twelve vectors v and all x of the unit ball (false: the eighth v has length 1.3)."""
    angle = torch.arange(12).double() / 4
    v = torch.stack([(angle * k + k).cos() for k in (1.0, 2.0, 3.0, 5.0)], -1)
    v = v / v.norm(dim=-1, keepdim=True)
    v[7] *= 1.3
    x = forall.ball("x", 4)
    return (forall.choice("v", list(v)) * x).sum(-1), torch.ones_like(x[..., 0])


@claim("awkward/plain-forgotten-n-minus-1", identity(), expected="refuted", cite="sample variance", over=grid(n=[20]))
def forgotten_n_minus_1(forall, *, n):
    """mean x^2 - (mean x)^2 is the unbiased sample variance, in numpy (false: a factor n / (n - 1))."""
    x = forall.interval("x", 1e3, 1e3 + 1, n).detach().numpy()
    moments = np.mean(x**2, -1) - np.mean(x, -1) ** 2
    return torch.from_numpy(moments), torch.from_numpy(np.var(x, -1, ddof=1))


@claim("awkward/subtle-corner-domain", always(), expected="refuted", cite="Lagrange multipliers, three factors")
def corner_domain(forall):
    """x y sqrt(0.014 - x - y) <= 1.3e-6 where defined (false: its maximum is 1.66e-6, at x = y = 0.0056).

    The sides are NaN on all but 1e-4 of the square; the corner (0, 0) belongs to the domain: climb from near it.
    """
    x = forall.interval("x", 0.0, 1.0)
    y = forall.interval("y", 0.0, 1.0)
    return x * y * (0.014 - x - y).sqrt(), torch.full_like(x, 1.3e-6)


@claim(
    "awkward/plain-mean-rate",
    rate("n", -0.7),
    expected="refuted",
    cite="central limit theorem",
    over=grid(n=[16, 64, 256, 1024]),
)
def mean_rate(draw, *, n):
    """E |mean of n uniforms - 1/2| decays like n^-0.7 (false: n^-1/2)."""
    return (draw.uniform("u", n).mean(-1) - 0.5).abs()


@claim(
    "awkward/plain-smallest-eigenvalue",
    always(),
    expected="refuted",
    cite="Wolkowicz, Styan 1980, Theorem 2.1",
    over=grid(n=[8]),
)
def smallest_eigenvalue(forall, *, n):
    """lambda_min >= m - 0.85 sqrt(n - 1) s, m and s the mean and deviation of the eigenvalues (false: factor 1)."""
    a = forall.psd("a", n, trace=1.0)
    m = a.diagonal(dim1=-2, dim2=-1).mean(-1)
    s = (a.square().sum((-2, -1)) / n - m.square()).clamp_min(0).sqrt()
    return m - 0.85 * math.sqrt(n - 1) * s, torch.linalg.eigvalsh(a)[..., 0]


@claim(
    "awkward/plain-sign-match",
    always(),
    expected="refuted",
    cite="Cauchy-Schwarz with a wrong constant",
    over=grid(n=[30]),
)
def sign_match(forall, *, n):
    """|sum s_i x_i| <= 0.8 sqrt(n) |x|_2 for signs s and x in the box (false where x is a multiple of s)."""
    s = forall.signs("s", n)
    x = forall.interval("x", -1.0, 1.0, n)
    return (s * x).sum(-1).abs(), 0.8 * math.sqrt(n) * x.square().sum(-1).sqrt()


@claim("awkward/subtle-plateau", always(), expected="refuted", cite="clamped scores", over=grid(n=[12]))
def plateau(forall, *, n):
    """The score of x, clamped to [0, 1], is at most 1/2 (false: 0.7 at one corner of the box).

    The score is flat at 0 on 96 percent of the box and climbs from there on.
    """
    x = forall.interval("x", -1.0, 1.0, n)
    pattern = (torch.arange(n).double().square() + 1).cos().sign()
    score = ((pattern * x).mean(-1) - 0.3).clamp(0, 1)
    return score, torch.full_like(score, 0.5)


@claim(
    "awkward/plain-tomaszewski-99",
    high_probability("delta"),
    expected="refuted",
    cite="Keller, Klein 2022, with 0.99",
    over=grid(n=[5], delta=[0.5]),
)
def tomaszewski_99(forall, draw, *, n, delta):
    """|sum w_i s_i| <= 0.99 |w|_2 with probability at least 1/2 (false where one weight is all)."""
    w = forall.interval("w", -1.0, 1.0, n)
    return (w * draw.signs("s", n)).sum(-1).abs(), 0.99 * w.square().sum(-1).sqrt()


@claim("awkward/subtle-divisors", always(), expected="refuted", cite="Hardy and Wright, section 18.1")
def divisors(forall):
    """An integer up to 10^6 has at most 150 divisors (false: 720720 has 240).

    More than a hundred integers violate it; they share many small factors, and multiples have more divisors.
    """
    n = forall.integers("n", 1, 10**6)
    d = torch.arange(1, 1001).double()
    divides = n[..., None] % d == 0
    count = 2 * (divides & (d * d < n[..., None])).sum(-1) + (d * d == n[..., None]).sum(-1)
    return count.double(), torch.full_like(n, 150.0)


@claim(
    "awkward/subtle-unit-scale",
    always(),
    expected="refuted",
    cite="arithmetic and geometric mean, wrong constant",
    over=grid(n=[3]),
)
def unit_scale(forall, *, n):
    """|x| <= 0.45 (1 + |x|^2) for x in [0, 1e100]^n (false near |x| = 1).

    The ratio grows steadily as x shrinks from 1e100 to 1: a search over magnitudes sees it at once.
    """
    x = forall.interval("x", 0.0, 1e100, n)
    square = x.square().sum(-1)
    return square.sqrt(), 0.45 * (1 + square)


@claim(
    "awkward/plain-two-variables-agree", always(), expected="refuted", cite="a pair of equal points", over=grid(n=[10])
)
def two_variables_agree(forall, *, n):
    """0.01 (max x - min x) <= max |x_i - y_i| for x, y in [0, 1]^n (false at x = y)."""
    x = forall.interval("x", 0.0, 1.0, n)
    y = forall.interval("y", 0.0, 1.0, n)
    return 0.01 * (x.amax(-1) - x.amin(-1)), (x - y).abs().amax(-1)


PROOFS = {
    "awkward/true-variance-moments": "E x^2 - (E x)^2 = E (x - E x)^2, a mean of squares; 0 where all entries agree.",
    "awkward/true-halves-maximum": "|x - y| is x - y where x > y and y - x elsewhere, so the half sum is x or y.",
    "awkward/true-tomaszewski": "Keller, Klein, Proof of Tomaszewski's conjecture on randomly weighted sums, "
    "Adv. Math. 407 (2022): P(|sum w_i s_i| <= |w|_2) >= 1/2 for all real w; w = 0 gives 0 <= 0; delta = 1/2.",
    "awkward/true-compound-interest": "n log(1 + 1/n) < 1 as log(1 + t) < t for t > 0.",
    "awkward/true-dime-tie": "The event is S >= 4 for S binomial(10, p), P increases with p, and is "
    "0.012795 < 0.02 at p = 0.1; "
    "P(S >= 3) = 0.0702 belongs to the tie 3 dimes = 0.3, which is not an event.",
    "awkward/true-stirling": "Robbins 1955: n! = sqrt(2 pi n) (n/e)^n e^r with r > 1/(12 n + 1) > 0, for all n >= 1.",
    "awkward/true-muller-recurrence": "From (2, -4): u_n = (3 6^(n+1) - 4 5^(n+1)) / (3 6^n - 4 5^n) = 6 + "
    "4 5^n / (3 6^n - 4 5^n), "
    "9.378 at n = 3 and decreasing to 6 from there; 5 and 6 are fixed points; all starts are exact.",
    "awkward/true-cauchy-scales": "Cauchy-Schwarz; a product scaled by 1e-150 times 1e150.",
    "awkward/true-heron-needle": "|a - b| <= c <= a + b makes s - a, s - b, s - c and s all >= 0; t = 0 and "
    "t = 1 give exactly 0.",
    "awkward/true-late-rate": "1/(n + 200) <= 1/n for all n >= 1.",
    "awkward/true-sum-orders": "Addition is commutative and associative.",
    "awkward/true-hadamard": "Horn and Johnson, Matrix Analysis, Theorem 7.8.1: for positive semidefinite A "
    "(equal if diagonal).",
    "awkward/true-angles": "The geodesic distance of the unit sphere is a metric; equal for y on the arc from x to z.",
    "awkward/true-variance-pairs": "sum_ij (x_i - x_j)^2 = 2 n sum x_i^2 - 2 (sum x_i)^2; both 0 for n = 1.",
    "awkward/true-median-plateau": "c -> sum |x_i - c| is convex with 0 in its subdifferential at every "
    "median; np.median is one.",
    "awkward/true-square-mean-tie": "Var(mean) = p (1 - p)/n; 0 <= lhs <= 1 and 0 <= rhs <= 1/4, so -1/4 <= "
    "lhs - rhs <= 1.",
    "awkward/true-gibbs": "-KL(p, q) <= 0 (log t <= t - 1); 0 log 0 = 0; minus infinity where q_i = 0 < p_i.",
    "awkward/true-rump": "Exact values: -54767/66192 = -0.8274 at (77617, 33096), 226.75 at (1, 1), 18.25 at (2, -1).",
}

WITNESSES = {
    "awkward/plain-small-whole-scale": {
        "params": {"n": 6},
        "values": {"x": [5e-7] * 6},
        "why": "1e-6 * 6 * 5e-7 = 3e-12 > 6 * 25e-14 = 1.5e-12: ratio 2.",
    },
    "awkward/subtle-rosenbrock": {
        "params": {"n": 30},
        "values": {"x": [1 + 0.3 * math.sin(i) for i in range(30)]},
        "why": "y = (1, ..., 1): f = 0 < 1 (about 1e-29 after rounding the entries); all entries lie in [0.7, 1.3].",
    },
    "awkward/plain-small-units": {
        "params": {},
        "values": {"x": 1.0, "y": 1.0},
        "why": "4 > 3.6, in units of 1e-100.",
    },
    "awkward/subtle-powers-of-two": {
        "params": {},
        "values": {"n": 524288.0},
        "why": "n = 2^19: log2 = 19 > 15 times one binary one.",
    },
    "awkward/plain-rare-variance-bound": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.001},
        "why": "The bound is 0.001 + 0.00774 < 1/100, so one success is an event: 1 - 0.999^100 = 0.0952 > 0.05.",
        "probability": 0.09520785288,
    },
    "awkward/subtle-signed-permutation": {
        "params": {"n": 12},
        "values": {
            "x": [0.5, -0.25, 1.0, 0.0, -0.75, 0.125, 0.5, -1.0, 0.25, 0.375, -0.625, 0.875],
            "y": [-0.875, 0.625, 0.375, 0.25, 1.0, 0.5, 0.125, 0.75, 0.0, -1.0, 0.25, -0.5],
        },
        "why": "y is x reversed with other signs: the distance is 0, and 0.01 var|x| = 0.001037 > 0.",
    },
    "awkward/subtle-tiny-norm": {
        "params": {"n": 5},
        "values": {"x": [5e-101, 0.0, 0.0, 0.0, 0.0]},
        "why": "1e-100 * 5e-101 = 5e-201 > 2.5e-201: ratio 2.",
    },
    "awkward/plain-twelve-directions": {
        "params": {},
        "values": {
            "v": [-0.9360331763901311, 0.7176638675570183, -0.3906436632929196, 0.38235846300192244],
            "x": [-0.7200255203001008, 0.552049128890014, -0.30049512560993813, 0.2941218946168634],
        },
        "why": "v is option 7 (from 0), of length 1.3, and x its direction: <v, x> = 1.3 > 1.",
    },
    "awkward/plain-forgotten-n-minus-1": {
        "params": {"n": 20},
        "values": {"x": [1000.0, 1001.0] * 10},
        "why": "1/4 against 5/19: they differ by the factor 20/19.",
    },
    "awkward/subtle-corner-domain": {
        "params": {},
        "values": {"x": 0.0056, "y": 0.0056},
        "why": "0.0056^2 sqrt(0.0028) = 1.6594e-6 > 1.3e-6.",
    },
    "awkward/plain-mean-rate": {
        "params": {},
        "values": {},
        "why": "E |mean - 1/2| sqrt(n) -> sqrt(2/(12 pi)) = 0.2303.",
        "exponent": -0.5,
    },
    "awkward/plain-smallest-eigenvalue": {
        "params": {"n": 8},
        "values": {"a": [[(i == j) * (i > 0) / 7 for j in range(8)] for i in range(8)]},
        "why": "One eigenvalue 0, seven of 1/7: m = 1/8, s = 1/(8 sqrt 7), m - 0.85 sqrt(7) s = 0.15/8 = 0.01875 > 0.",
    },
    "awkward/plain-sign-match": {
        "params": {"n": 30},
        "values": {"s": [1.0, -1.0] * 15, "x": [0.5, -0.5] * 15},
        "why": "15 > 0.8 * sqrt(30) * sqrt(7.5) = 12.",
    },
    "awkward/subtle-plateau": {
        "params": {"n": 12},
        "values": {"x": [1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, -1.0]},
        "why": "x is the pattern: the score is 1 - 0.3 = 0.7 > 0.5.",
    },
    "awkward/plain-tomaszewski-99": {
        "params": {"n": 5, "delta": 0.5},
        "values": {"w": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "|s_1| = 1 > 0.99 always.",
        "probability": 1.0,
    },
    "awkward/subtle-divisors": {
        "params": {},
        "values": {"n": 720720.0},
        "why": "720720 = 2^4 3^2 5 7 11 13 has 5 * 3 * 2^4 = 240 divisors; 322 integers up to 10^6 have more than 150.",
    },
    "awkward/subtle-unit-scale": {
        "params": {"n": 3},
        "values": {"x": [1.0, 0.0, 0.0]},
        "why": "1 > 0.9.",
    },
    "awkward/plain-two-variables-agree": {
        "params": {"n": 10},
        "values": {"x": [0.0, 1.0] * 5, "y": [0.0, 1.0] * 5},
        "why": "0.01 > 0.",
    },
}
