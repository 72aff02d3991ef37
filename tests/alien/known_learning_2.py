"""Alien claims, known, part 2 of 2: learning theory, online learning and convex optimisation; see README.md."""

import itertools
import math

import torch

from harness import always, claim, expectation, grid, high_probability, rate


def sign_cube(n):
    return torch.tensor(list(itertools.product([-1.0, 1.0], repeat=n)), dtype=torch.float64)


def binary_kl(a, b):
    return torch.xlogy(a, a / b) + torch.xlogy(1 - a, (1 - a) / (1 - b))


# ------------------------------------------------------------------------------------- losses, divergences, complexity


@claim(
    "learning/true-logistic-calibration",
    always(),
    cite="Bartlett, Jordan and McAuliffe 2006, Theorem 1 (logistic loss), by Pinsker",
)
def true_logistic_calibration(forall):
    """|2 eta - 1| <= sqrt(2 (ln 2 - H(eta))): excess error from excess logistic risk."""
    eta = forall.interval("eta", 0.0, 1.0)
    excess = math.log(2) + torch.xlogy(eta, eta) + torch.xlogy(1 - eta, 1 - eta)
    return (2 * eta - 1).abs(), torch.sqrt(2 * excess)


@claim(
    "learning/true-donsker-varadhan",
    always(),
    cite="Donsker and Varadhan 1975; Catoni 2007, Lemma 1.1.3",
    over=grid(k=[1, 2, 6, 100]),
)
def true_donsker_varadhan(forall, *, k):
    """rho(h) <= KL(rho, pi) + ln pi(exp h)."""
    rho = forall.simplex("rho", k)
    pi = forall.simplex("pi", k)
    h = forall.interval("h", -10.0, 10.0, k)
    kl = torch.xlogy(rho, rho / pi).sum(-1)
    return (rho * h).sum(-1), kl + torch.log((pi * torch.exp(h)).sum(-1))


@claim(
    "learning/true-pajor",
    always(),
    cite="Pajor 1985; Shalev-Shwartz and Ben-David 2014, proof of Lemma 6.10 (Sauer)",
    over=grid(m=[1, 5, 12]),
)
def true_pajor(forall, *, m):
    """A family of subsets of {1, 2, 3, 4} shatters at least as many sets as it has members."""
    rows = forall.signs("rows", m, 4)
    code = (((rows + 1) / 2) * torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)).sum(-1).long()
    shattered = torch.zeros_like(rows[:, 0, 0])
    for s in range(16):
        seen = ((code & s)[:, :, None] == torch.arange(16)).any(1).sum(-1)
        shattered = shattered + (seen == 2 ** s.bit_count()).double()
    size = (code[:, :, None] == torch.arange(16)).any(1).sum(-1)
    return size.double(), shattered


@claim(
    "learning/true-khintchine-szarek",
    always(),
    cite="Szarek 1976; Latala and Oleszkiewicz 1994",
    over=grid(n=[1, 2, 8]),
)
def true_khintchine(forall, *, n):
    """|a|_2 <= sqrt(2) E |sum eps_i a_i|."""
    a = forall.ball("a", n, radius=10.0)
    return a.norm(dim=-1), math.sqrt(2) * (a @ sign_cube(n).T).abs().mean(-1)


@claim(
    "learning/true-sauer-polynomial",
    always(),
    cite="Vapnik 1998, section 4.10: growth function at most n^d + 1",
)
def true_sauer(forall):
    """sum_{i <= d} C(n, i) <= n^d + 1 for n, d >= 1."""
    n = forall.integers("n", 1, 500)
    d = forall.integers("d", 1, 6)
    i = torch.arange(7, dtype=torch.float64)
    logs = torch.lgamma(n + 1)[:, None] - torch.lgamma(i + 1) - torch.lgamma(n[:, None] - i + 1)
    return (torch.exp(logs) * (i <= d[:, None])).sum(-1), n**d + 1


@claim(
    "learning/true-arcsine-kernel",
    always(),
    cite="Grothendieck's identity; Cho and Saul 2009 (arc-cosine kernel of degree 0)",
    over=grid(n=[2, 5], d=[2, 3]),
)
def true_arcsine(forall, *, n, d):
    """sum_ij c_i c_j arcsin <x_i, x_j> >= 0 on the sphere."""
    x = forall.sphere("x", n, d)
    c = forall.interval("c", -1.0, 1.0, n)
    gram = torch.arcsin((x @ x.mT).clamp(-1, 1))
    return -(c[:, :, None] * c[:, None, :] * gram).sum((1, 2)), 0.0


@claim(
    "learning/plain-calibration-without-two",
    always(),
    cite="Bartlett, Jordan and McAuliffe 2006 (logistic loss), the factor 2 forgotten",
    expected="refuted",
)
def plain_calibration(forall):
    """|2 eta - 1| <= sqrt(ln 2 - H(eta))."""
    eta = forall.interval("eta", 0.0, 1.0)
    excess = math.log(2) + torch.xlogy(eta, eta) + torch.xlogy(1 - eta, 1 - eta)
    return (2 * eta - 1).abs(), torch.sqrt(excess)


@claim(
    "learning/subtle-logistic-self-bounding",
    always(),
    cite="Srebro, Sridharan and Tewari 2010, Lemma 2.1 (true with 1/2), sharpened too far",
    expected="refuted",
)
def subtle_self_bounding(forall):
    """sigma(-m)^2 <= 0.405 ln(1 + exp(-m)).

    The sharp constant is 0.40726 at m = -0.921: half a per cent, on one smooth hill around it.
    """
    m = forall.interval("m", -50.0, 50.0)
    return torch.sigmoid(-m) ** 2, 0.405 * torch.log1p(torch.exp(-m))


@claim(
    "learning/plain-khintchine-gaussian-constant",
    always(),
    cite="Khintchine with the constant sqrt(pi / 2) of Gaussian sums",
    over=grid(n=[8]),
    expected="refuted",
)
def plain_khintchine(forall, *, n):
    """|a|_2 <= sqrt(pi / 2) E |sum eps_i a_i|."""
    a = forall.ball("a", n)
    return a.norm(dim=-1), math.sqrt(math.pi / 2) * (a @ sign_cube(n).T).abs().mean(-1)


@claim(
    "learning/subtle-contraction-absolute",
    always(),
    cite="Ledoux and Talagrand 1991, Theorem 4.12, the factor 2 forgotten",
    over=grid(n=[3], k=[3]),
    expected="refuted",
)
def subtle_contraction(forall, *, n, k):
    """E max_a |sum eps_i |a_i|| <= E max_a |sum eps_i a_i| over three vectors of length 3.

    About three per cent of vectors with few distinct entries violate it, by up to a third.
    """
    a = forall.interval("a", -1.0, 1.0, k, n)
    cube = sign_cube(n).T
    return (a.abs() @ cube).abs().amax(1).mean(-1), (a @ cube).abs().amax(1).mean(-1)


@claim(
    "learning/subtle-geodesic-gaussian-psd",
    always(),
    cite="Feragen, Lauze and Hauberg 2015, Theorem 1: geodesic Gaussian kernels are not psd on the circle",
    over=grid(n=[4]),
    expected="refuted",
)
def subtle_geodesic(forall, *, n):
    """The least eigenvalue of exp(-0.3 d(s, t)^2), d the arc length on the circle, is not negative.

    Two close pairs, each opposite to the other, violate it: one in two hundred random sets of four angles does.
    """
    angle = forall.interval("angle", 0.0, 2 * math.pi, n)
    gap = (angle[:, :, None] - angle[:, None, :]).abs()
    arc = torch.minimum(gap, 2 * math.pi - gap)
    return -torch.linalg.eigvalsh(torch.exp(-0.3 * arc**2))[:, 0], 0.0


# ---------------------------------------------------------------------------------------------------- drawn samples


@claim(
    "learning/true-chernoff-lower-tail",
    high_probability("delta"),
    cite="Chernoff; Langford 2005, Corollary 3.7 (one side, relative entropy)",
    over=grid(n=[1, 10, 50], delta=[0.05]),
)
def true_chernoff(forall, draw, *, n, delta):
    """If p_hat < p, then kl(p_hat, p) <= ln(1 / delta) / n with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    p_hat = draw.bernoulli("x", p, n).mean(-1)
    kl = binary_kl(p_hat, p)
    return torch.where(p_hat < p, kl, torch.zeros_like(kl)), math.log(1 / delta) / n


@claim(
    "learning/true-missing-mass",
    expectation(range=(-0.388, 0.62)),
    cite="Berend and Kontorovich 2012: E missing mass <= K / (n + 1) * (n / (n + 1))^n",
)
def true_missing_mass(forall, draw):
    """With 10 symbols and 9 draws the expected missing mass is at most 0.9^9 (equality: uniform)."""
    k, n = 10, 9
    p = forall.simplex("p", k)
    x = draw.categorical("x", p, n)
    seen = (x[:, :, None] == torch.arange(k, device=x.device)).any(1)
    return (p * ~seen).sum(-1), k / (n + 1) * (n / (n + 1)) ** n


@claim(
    "learning/true-gd-power-spectrum",
    rate("k", -0.5),
    cite="Nemirovskii and Polyak 1984; sum i^-2 (1 - i^-2 / 2)^(2k) ~ c k^(-1/2)",
    over=grid(k=[16, 64, 256, 1024, 4096]),
)
def true_gd_power(draw, *, k):
    """f(x_k) decays like k^(-1/2) for gradient descent on eigenvalues i^(-2) / 2 and x_0 = (1, 1, ...)."""
    lam = 0.5 / torch.arange(1, 20001, dtype=torch.float64) ** 2
    return (lam * (1 - lam) ** (2 * k)).sum() + 0.0 * draw.uniform("u")


@claim(
    "learning/true-nearest-neighbour-plane",
    rate("n", -0.5),
    cite="Gyorfi et al. 2002, Lemma 6.4 (d = 2, fixed query)",
    over=grid(n=[8, 32, 128, 512, 2048]),
)
def true_nearest_plane(draw, *, n):
    """The distance of the square's centre to its nearest neighbour among n uniform points is O(n^(-1/2))."""
    x = draw.uniform("x", n, 2)
    return (x - 0.5).norm(dim=-1).amin(-1)


@claim(
    "learning/plain-no-union-bound",
    high_probability("delta"),
    cite="Mohri et al. 2018, Theorem 2.13, without ln K",
    over=grid(n=[50], k=[20], delta=[0.05]),
    expected="refuted",
)
def plain_no_union(forall, draw, *, n, k, delta):
    """max_k (p_k - mean_k) <= sqrt(ln(1 / delta) / (2 n)) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0, k)
    x = draw.bernoulli("x", p, k, n)
    return (p - x.mean(-1)).amax(-1), math.sqrt(math.log(1 / delta) / (2 * n))


@claim(
    "learning/plain-phase-feature-variance",
    expectation(range=(-0.125, 9.0)),
    cite="Rahimi and Recht 2007; Sutherland and Schneider 2015 (the variance of the other features)",
    over=grid(d=[2]),
    expected="refuted",
)
def plain_phase_variance(forall, draw, *, d):
    """Features sqrt(2) cos(w x + b), four of them: mean squared error at most (1 - k^2)^2 / 8."""
    x, y = forall.ball("x", d), forall.ball("y", d)
    w, b = draw.normal("w", 4, d), draw.uniform("b", 4, high=2 * math.pi)
    left, right = (torch.cos((w * z[:, None]).sum(-1) + b) for z in (x, y))
    k = torch.exp(-((x - y) ** 2).sum(-1) / 2)
    return ((2 * left * right).mean(-1) - k) ** 2, (1 - k**2) ** 2 / 8


@claim(
    "learning/plain-missing-mass-e",
    expectation(range=(-0.368, 0.64)),
    cite="Berend and Kontorovich 2012, with K / (e n) turned into K / (e (n + 1))",
    expected="refuted",
)
def plain_missing_mass(forall, draw):
    """With 10 symbols and 9 draws the expected missing mass is at most 10 / (10 e)."""
    k, n = 10, 9
    p = forall.simplex("p", k)
    x = draw.categorical("x", p, n)
    seen = (x[:, :, None] == torch.arange(k, device=x.device)).any(1)
    return (p * ~seen).sum(-1), k / (math.e * (n + 1))


@claim(
    "learning/plain-empirical-bernstein-no-range",
    high_probability("delta"),
    cite="Maurer and Pontil 2009, Theorem 4, without the term in 1 / n",
    over=grid(n=[100], delta=[0.05]),
    expected="refuted",
)
def plain_empirical_bernstein(forall, draw, *, n, delta):
    """p - p_hat <= sqrt(2 p_hat (1 - p_hat) ln(2 / delta) / n) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)
    p_hat = draw.bernoulli("x", p, n).mean(-1)
    return p - p_hat, torch.sqrt(2 * p_hat * (1 - p_hat) * math.log(2 / delta) / n)


@claim(
    "learning/plain-kde-narrow-bandwidth",
    rate("n", -0.8),
    cite="Wand and Jones 1995, section 2.6 (exact MISE), with h = n^(-1/2)",
    over=grid(n=[100, 1000, 10000, 100000, 1000000]),
    expected="refuted",
)
def plain_kde(draw, *, n):
    """MISE of the Gaussian kernel estimate of N(0, 1) with h = n^(-1/2) is O(n^(-4/5))."""
    h = n**-0.5
    bias = (1 - 1 / n) * (1 + h * h) ** -0.5 - 2**1.5 * (2 + h * h) ** -0.5 + 1
    return (1 / (n * h) + bias) / (2 * math.sqrt(math.pi)) + 0.0 * draw.uniform("u")


@claim(
    "learning/plain-sgd-small-step",
    rate("n", -1.0),
    cite="Nemirovski et al. 2009, section 2.1: steps c / t with c too small",
    over=grid(n=[100, 300, 1000, 3000, 10000]),
    expected="refuted",
)
def plain_sgd(draw, *, n):
    """SGD on E (x - xi)^2 / 2 with steps 1 / (4 t) has mean squared error O(1 / n) (exact recursion)."""
    error = 1.0
    for t in range(1, n + 1):
        error = (1 - 0.25 / t) ** 2 * error + (0.25 / t) ** 2
    return error + 0.0 * draw.uniform("u")


@claim(
    "learning/subtle-sgd-horizon-step",
    rate("n", -1.0),
    cite="Shalev-Shwartz and Ben-David 2014, section 14.3 (fixed step a / sqrt n), on a quadratic",
    over=grid(n=[100, 1000, 10000, 100000, 1000000, 10000000]),
    expected="refuted",
)
def subtle_sgd_horizon(draw, *, n):
    """SGD on E (x - xi)^2 / 2 with the fixed step 0.1 / sqrt n has mean squared error O(1 / n) (exact).

    The start is forgotten like exp(-0.2 sqrt n), so the first local exponent is below -1; the noise leaves n^(-1/2).
    """
    eta = 0.1 / math.sqrt(n)
    forgotten = (1 - eta) ** (2 * n)
    return forgotten + eta / (2 - eta) * (1 - forgotten) + 0.0 * draw.uniform("u")


PROOFS = {
    "learning/true-logistic-calibration": "Pinsker: ln 2 - H(eta) = kl(eta, 1/2) >= 2 (eta - 1/2)^2.",
    "learning/true-donsker-varadhan": (
        "Jensen for ln sum rho (pi e^h / rho); infinite where rho is not absolutely continuous."
    ),
    "learning/true-pajor": (
        "Pajor's theorem, by induction on the ground set; the empty set is shattered by every family with a member."
    ),
    "learning/true-khintchine-szarek": "Szarek 1976 (best constant 1 / sqrt 2, equality at two equal weights).",
    "learning/true-sauer-polynomial": (
        "Induction on d: C(n, 1) + 1 = n + 1, and for d >= 2: n = 1 gives 2 <= 2, n >= 2 gives n^(d-1) + 1 + C(n, "
        "d) <= n^d + 1 "
        "as C(n, d) <= n^d / 2 <= n^d - n^(d-1)."
    ),
    "learning/true-arcsine-kernel": (
        "arcsin <x, y> = (pi / 2) E sign(g x) sign(g y) (Grothendieck), so the form is a mean of squares."
    ),
    "learning/true-chernoff-lower-tail": (
        "For p_hat < p the event is p_hat <= t for the t with kl(t, p) = ln(1/delta) / n, of probability at most "
        "exp(-n kl) = delta."
    ),
    "learning/true-missing-mass": (
        "E = sum p (1 - p)^n and p (1 - p)^n <= (1 / (n + 1)) (n / (n + 1))^n; right side 0.38742."
    ),
    "learning/true-gd-power-spectrum": (
        "sum_i i^-2 exp(-k i^-2) is a Riemann sum of k^(-1/2) times the integral of x^-2 exp(-x^-2); cutting the "
        "sum at 20000 "
        "lowers it by at most 2.5e-5 and makes it decay exponentially in the end."
    ),
    "learning/true-nearest-neighbour-plane": (
        "E R = integral of (1 - pi r^2)^n, plus at most 0.21 (1 - pi / 4)^n, about n^(-1/2) / 2."
    ),
}


WITNESSES = {
    "learning/plain-calibration-without-two": {
        "params": {},
        "values": {"eta": 1.0},
        "why": "1 against sqrt(ln 2) = 0.83255",
    },
    "learning/subtle-logistic-self-bounding": {
        "params": {},
        "values": {"m": -0.92142},
        "why": "the ratio of the left side to ln(1 + e^-m) is 0.407264 > 0.405",
    },
    "learning/plain-khintchine-gaussian-constant": {
        "params": {"n": 8},
        "values": {"a": [0.5, 0.5] + [0.0] * 6},
        "why": "0.70711 against sqrt(pi / 2) / 2 = 0.62666",
    },
    "learning/subtle-contraction-absolute": {
        "params": {"n": 3, "k": 3},
        "values": {"a": [[1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1.0, 0.0, 1.0]]},
        "why": "enumeration of eight signs: 2 against 3/2",
    },
    "learning/subtle-geodesic-gaussian-psd": {
        "params": {"n": 4},
        "values": {"angle": [0.0, 0.233, 3.141592653589793, 3.3745926535897933]},
        "why": (
            "c = (1, -1, 1, -1) / 2 gives 1 - q(a) + q(pi - a) / ... exactly: see verify.py; least eigenvalue -0.0111"
        ),
    },
    "learning/plain-no-union-bound": {
        "params": {"n": 50, "k": 20, "delta": 0.05},
        "values": {"p": [0.5] * 20},
        "probability": 0.142778,
        "why": "1 - (1 - P(Bin(50, 1/2) <= 16))^20 against 0.05",
    },
    "learning/plain-phase-feature-variance": {
        "params": {"d": 2},
        "values": {"x": [0.0, 0.0], "y": [0.0, 0.0]},
        "mean": 0.125,
        "why": (
            "the phase adds 1/2 to the variance of every term (for all x, y): excess (1/2) / 4; here the right "
            "side is 0"
        ),
    },
    "learning/plain-missing-mass-e": {
        "params": {},
        "values": {"p": [0.1] * 10},
        "mean": 0.9**9 - math.exp(-1),
        "why": "0.9^9 = 0.387420 against 1 / e = 0.367879; standard deviation of the missing mass 0.0972",
    },
    "learning/plain-empirical-bernstein-no-range": {
        "params": {"n": 100, "delta": 0.05},
        "values": {"p": 0.01},
        "probability": 0.99**100,
        "why": "without a success the right side is 0 < p: probability 0.99^100 = 0.366 against 0.05",
    },
    "learning/plain-kde-narrow-bandwidth": {
        "params": {"n": 1000000},
        "values": {},
        "exponent": -0.5,
        "why": "the variance 1 / (2 sqrt(pi) n h) = n^(-1/2) / (2 sqrt pi) dominates",
    },
    "learning/plain-sgd-small-step": {
        "params": {"n": 10000},
        "values": {},
        "exponent": -0.5,
        "why": "prod (1 - 1/(4t))^2 ~ c n^(-1/2) with c > 0, and the error is at least that",
    },
    "learning/subtle-sgd-horizon-step": {
        "params": {"n": 10000000},
        "values": {},
        "exponent": -0.5,
        "why": "eta / (2 - eta) ~ 0.05 n^(-1/2) remains; the other term is below 1e-8 from n = 10^4 on",
    },
}
