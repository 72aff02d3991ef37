"""Steps of the proofs of Theorems 19 and 20 that can be judged, and Lemma 6 with the constants of its source."""

import math

import torch

from algos.ridge.leverage_sampling import pool_leverage_scores
from algos.ridge.regression import dual_coefficients
from harness import Draw, Forall, always, claim, grid, high_probability, identity

from .defects import EQUATION_25


@claim(
    "uarff/eq-31",
    always(),
    over=grid(points=[1, 3]),
    cite="uarff, proof of Theorem 19, equation 31",
    restricts="(31) alone, for the hinge loss, on one and three points, all functions with values in [-1, 1]",
    unnoticed="2 b (a - b) <= a^2 / 2: half of it is reached at most",
)
def second_moment_of_lipschitz_losses(forall: Forall, *, points: int):
    """E_n l_g^2 >= (2 / B) E_n l_g^ E_n (g - g^)^2 for the empirical minimiser g^, where B.2 holds for P_n.

    For the hinge loss with the B of B.2[corrected]; any empirical distribution on some points, with either label at
    each. The paper cites an Assumption B.4, and means B.2 for the empirical distribution.
    """
    law, p = forall.simplex("law", points), forall.interval("p", 0.0, 1.0, points)
    g = forall.interval("g", -1.0, 1.0, points)
    best = torch.where(p < 0.5, -1.0, 1.0)
    smallest = (law * 2 * torch.minimum(p, 1 - p)).sum(-1)
    second = (law * (p * (1 - g).square() + (1 - p) * (1 + g).square())).sum(-1)
    return (2 * p - 1).abs().amin(-1) * smallest * (law * (g - best).square()).sum(-1), second


_SIZES = [{"n": n, "constant": 1e5} for n in (10**7, 10**9)]


@claim(
    "uarff/eq-35",
    always(),
    over=_SIZES,
    reading="inferred",
    expected="refuted",
    cite="uarff, proof of Theorem 19, bound on (35)",
    restricts="(35) alone",
    defect=EQUATION_25,
)
def risk_of_the_target_as_bounded(*, n: int, constant: float):
    """D / (D - 1) E_n l_gH - E l_gH <= (12 D / B) r* + O(1/n), by "the same procedure" as for (33), applied to H.

    The step that fails at (25). k = 1, hinge loss, labels 1 with probability .9, so g_H = 1, B = 2.5 and E l_gH = .2;
    D = 2. r* = O(1/n) by (37) with h = 1, and `constant` / n leaves room for all of it. The expectation of the left
    side is E l_gH / (D - 1) = .2 for every n. This refutes the step, not Theorem 19: (33) may make up for it.
    """
    risk = 0.1 * 2
    return 2 * risk - risk, constant / n


@claim(
    "uarff/eq-35",
    high_probability("delta"),
    over=[{"n": 20, "D": 2.0, "delta": 0.1}, {"n": 500, "D": 5.0, "delta": 0.3}],
    reading="corrected",
    cite="uarff, proof of Theorem 19, bound on (35)",
    restricts="(35) alone; a loss with two values, n = 20 and 500, D = 2 and 5, delta = .1 and .3",
)
def risk_of_the_target(forall: Forall, draw: Draw, *, n: int, D: float, delta: float):
    """D / (D - 1) E_n l - E l <= E l / (D - 1) + (D / (D - 1)) sqrt(2 log(1/delta) / n) w.p. 1 - delta, l in [0, 2].

    Hoeffding's inequality; the first term does not vanish with n.
    """
    p = forall.interval("p", 0.0, 1.0)
    training, risk = 2 * draw.bernoulli("wrong", p, n).mean(-1), 2 * p
    deviation = math.sqrt(2 * math.log(1 / delta) / n)
    return D / (D - 1) * training - risk, risk / (D - 1) + D / (D - 1) * deviation


@claim(
    "uarff/eq-38",
    identity(),
    over=[{"n": 2, "s": 4}, {"n": 4, "s": 2}],
    cite="uarff, proof of Theorem 20, equation 38 and the scores below (39)",
    restricts="(38) and the scores that follow; (39) and (40) are Corollaries 11 and 10 with free constants",
)
def scores_of_the_pool_by_either_inverse(forall: Forall, *, n: int, s: int):
    """(1/s) z_v^T (K~ + n lambda I)^-1 z_v = (1/s) [G (G / s + n lambda I)^-1]_vv with G = Z^T Z, for every feature v.

    With k~ as a kernel whose features have the probability 1/s each; the inversion lemma of the proof.
    """
    pool, ridge = forall.interval("pool", -1.0, 1.0, n, s), forall.interval("ridge", 0.01, 10.0)
    direct = (pool[..., 0] * dual_coefficients(pool @ pool.mT / s, pool[..., 0], ridge)).sum(-1) / s
    return direct, pool_leverage_scores(pool.mT @ pool, ridge)[..., 0]


@claim(
    "uarff/lem-6-constants",
    high_probability("delta"),
    trivial=1.0,
    over=[
        {"points": 2, "n": 100_000, "D": 2.0, "delta": 0.1},
        {"points": 4, "n": 1_000_000, "D": 1.5, "delta": 0.3},
    ],
    cite="uarff, Lemma 6, with the constants of Bartlett et al. 2005, Theorem 4.1",
    restricts="the class of all functions with values in [0, 1] on two and four points, for which B = 1",
    unnoticed="the constants are for every class: less than a hundredth of it is reached",
)
def local_rademacher_bound_with_constants(forall: Forall, draw: Draw, *, points: int, n: int, D: float, delta: float):
    """For all f: E f <= D / (D - 1) E_n f + (6 D / B) r* + (11 + 5 B D) x / n w.p. 1 - delta, x = log(3 / delta).

    Where psi(r) >= c1 R_n{star(F, 0): P_n f^2 <= 2 r} + c2 x / n, without the factor 2 and the absolute value, has the
    fixed point r*; ranges in [-1, 1], c1 = 2 max(10, B), c2 = c1 + 11. On k points the local complexity is at most
    sqrt(2 k r / n), by Cauchy-Schwarz: psi(r) = c1 sqrt(2 k r / n) + c2 x / n.
    """
    law = forall.simplex("law", points)
    share = draw.multinomial("counts", n, law) / n
    x, scale = math.log(3 / delta), 20.0 * math.sqrt(2 * points / n)
    root = (scale + math.sqrt(scale**2 + 4 * 31.0 * x / n)) / 2
    worst = (law - D / (D - 1) * share).clamp_min(0).sum(-1)
    return worst, 6 * D * root**2 + (11 + 5 * D) * x / n
