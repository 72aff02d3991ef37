"""Theorem 12 and what of its proof can be judged."""

import math

import torch
from torch import Tensor

from algos.complexity.local_rademacher import local_fixed_point
from algos.complexity.rademacher import all_signs
from bounds.random_features.leverage import PRINTED_THEOREM_CONSTANT, feature_count
from harness import Forall, always, claim, grid, identity, untestable
from harness.claims.placement import table

from .defects import EQUATION_25, FIXED_POINTS, STAR_HULL, TRAINING_NOISE
from .finite_classes import quadratic_supremum
from .finite_support import finite_support
from .symbols import DEFINITION_1


@claim(
    "uarff/thm-12",
    untestable(
        "B, e_0 and the constant in O(1/n) are free, so that no finite number contradicts (9); steps of the proof are "
        "judged one by one (eq-21-noise, eq-22, eq-22-chain, eq-25, thm-12-fixed-points), and we do not claim that "
        "(9) is false"
    ),
    cite="uarff, Theorem 12",
)
def refined_risk_of_ridge_regression():
    """E l_f~ - E l_fH <= (12 D / B) r* + 4 D lambda / (D - 1) + O(1/n) + E l_f^ - E l_fH with probability 1 - delta."""


@claim(
    "uarff/lem-25",
    untestable(
        "c1, c2 and c3 are not named; the bound on the fixed point is judged as eq-10, the class of losses as eq-22 "
        "and eq-22-chain, its first line as lem-25-squares"
    ),
    cite="uarff, Lemma 25",
)
def local_rademacher_bound_for_squared_loss():
    """E l_f <= D / (D - 1) E_n l_f + (6 D / B) r* + (c3 / n) log(1 / delta) for squared losses over the unit ball."""


@claim(
    "uarff/eq-21-noise",
    always(),
    over=grid(n=[1, 5]),
    reading="printed",
    expected="refuted",
    cite="uarff, below eq. 21",
    quote="we have E_P[E_n[l_f^]] >= E[l_fH] >= sigma^2",
    defect=TRAINING_NOISE,
)
def training_risk_from_below_as_printed(forall: Forall, *, n: int):
    """E E_n l_f^ >= E l_fH >= sigma^2 for the empirical minimiser f^.

    Minimum and expectation are exchanged in the wrong direction: one constant function, targets +-sigma, all samples
    enumerated. A step of the proof of Theorem 12, not its statement.
    """
    risk, noise = _training_risk(forall, n)
    return noise, risk


@claim(
    "uarff/eq-21-noise",
    always(),
    over=grid(n=[1, 5]),
    reading="corrected",
    cite="uarff, below equation 21",
    restricts="constant functions, fair targets +-sigma, n = 1 and 5",
)
def training_risk_from_above(forall: Forall, *, n: int):
    """E E_n l_f^ <= E l_fH for the empirical minimiser f^: sigma^2 (1 - 1 / n) against sigma^2 in the example."""
    risk, noise = _training_risk(forall, n)
    return risk, noise


def _training_risk(forall: Forall, n: int) -> tuple[Tensor, Tensor]:
    """E min_a E_n (y - a)^2 over all samples of fair targets +-sigma, and sigma^2."""
    sigma = forall.interval("sigma", 0.1, 1.0)
    means = 2 * torch.arange(n + 1, dtype=torch.float64) / n - 1
    probabilities = torch.tensor([math.comb(n, k) / 2**n for k in range(n + 1)])
    noise = sigma.square()
    return noise * (probabilities * (1 - means**2)).sum(), noise


_TRANSLATED, _TINY = grid(n=[1, 3]), 1e-290


@claim(
    "uarff/eq-22",
    identity(),
    over=_TRANSLATED,
    reading="printed",
    expected="refuted",
    cite="uarff, equation 22",
    quote="R^_n{l_f in star(l_H, 0) | E_n[(f - f^)^2] <= r/e_2} = R^_n{l_f - l_f^ | E_n[(f - f^)^2] <= r/e_2, "
    "l_f in star(l_H, 0)}",
    defect=DEFINITION_1,
)
def translated_class_as_printed(forall: Forall, *, n: int):
    """R_n(F) = R_n(F - l_f^) for the star hull F of squared losses over the unit ball, second line of (22), r large.

    False with the absolute value of Definition 1, true without: only the convention is at stake. A step of the proof of
    Theorem 12. A kernel of rank one, f = a z with |a| <= 1, f^ the smallest empirical risk in the ball, the suprema
    exact; for example n = 1, z = 1 and y = 2: 18 against 16.
    """
    largest, smallest, shift, _ = _star_hull(forall, n)
    return (
        2 / n * torch.maximum(largest, -smallest).mean(-1),
        2 / n * torch.maximum(largest - shift, shift - smallest).mean(-1),
    )


@claim(
    "uarff/eq-22",
    identity(),
    over=_TRANSLATED,
    reading="corrected",
    cite="uarff, equation 22",
    restricts="a kernel of rank one, r large, n = 1 and 3",
)
def translated_class(forall: Forall, *, n: int):
    """R_n(F) = R_n(F - l_f^) for the star hull F of squared losses, in the convention 1/n without absolute value."""
    largest, _, shift, _ = _star_hull(forall, n)
    return largest.mean(-1) / n, (largest - shift).mean(-1) / n


@claim(
    "uarff/eq-22-chain",
    always(),
    over=_TRANSLATED,
    reading="printed",
    expected="refuted",
    cite="uarff, equation 22 and equations 48 and 49",
    quote="R^_n{l_f in star(l_H, 0) | E_n[l_f^2] <= r} <= ... <= 2L R^_n{f in H | E_n[f^2] <= e_3 r}",
    defect=STAR_HULL,
)
def star_hull_as_printed(forall: Forall, *, n: int):
    """R_n(star hull of the squared losses) <= 2 L R_n(H): first and last line of (22), r large, so for any e_2, e_3.

    The left side without the factor 2 and the absolute value of Definition 1, the right side with both, so false in
    either convention: for n = 1, z = .05 and y = 2 it is 2.1 against 1.2. A kernel of rank one, f = a z with |a| <= 1,
    and L = 6, the Lipschitz constant for all |y| <= 2 and |f| <= 1. The hull holds a multiple of l_f for every factor
    up to one, which contracts no f: as z tends to zero no L will do. A step of the proof, not Lemma 25.
    """
    largest, _, _, linear = _star_hull(forall, n)
    forall.assume(linear > 0.01)  # some f is not zero
    return largest.mean(-1) / n, 2 * 6.0 * 2 / n * linear


@claim(
    "uarff/eq-22-chain",
    always(),
    over=_TRANSLATED,
    reading="corrected",
    cite="uarff, equation 22, without the star hull",
    restricts="a kernel of rank one, n = 1 and 3, 41 functions on the left; the convention 1/n without absolute value",
    unnoticed="the factor 2 is for the shift by f^, which doubles the ball: half of the right side is reached",
)
def losses_of_a_part_of_the_ball(forall: Forall, *, n: int):
    """R_n{l_f : E_n l_f^2 <= r} <= 2 L R_n{f in H : E_n f^2 <= r / (4 e_2)}, e_2 = 2 E_n l_f^, squared loss, any r.

    By (21) with B = 1 (eq-21) and contraction; L = 2 max (|y_i| + |f(x_i)|). The star hull, which Lemma 6 needs, is
    left out, as the paper does itself in Section 6.5.
    """
    z, y = forall.interval("z", -1.0, 1.0, n), forall.interval("y", -2.0, 2.0, n)
    weights = table(torch.linspace(-1.0, 1.0, 41), like=z)
    loss = (y.unsqueeze(-2) - weights.unsqueeze(-1) * z.unsqueeze(-2)).square()  # (batch, functions, n)
    second, energy = loss.square().mean(-1), z.square().mean(-1)
    forall.assume(energy > 1e-9)
    r = second.amin(-1) + forall.interval("r", 0.0, 1.0) * (second.amax(-1) - second.amin(-1))
    half = all_signs(n, like=z)
    sums = loss @ torch.cat([half, -half]).mT / n
    inside = sums.masked_fill((second > r.unsqueeze(-1)).unsqueeze(-1), -torch.inf).amax(-2).mean(-1)
    best = ((y * z).mean(-1) / energy.clamp_min(1e-9)).clamp(-1.0, 1.0).unsqueeze(-1)
    growth = 2 * (y - best * z).square().mean(-1)
    reach = (r / (4 * growth * energy).clamp_min(_TINY)).sqrt().clamp_max(1.0)
    lipschitz = 2 * (y.abs() + z.abs()).amax(-1)
    return inside, 2 * lipschitz * reach * (z @ half.mT / n).abs().mean(-1)


def _star_hull(forall: Forall, n: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """For all signs: largest and smallest sum of sigma_i g(x_i, y_i) over F, and sum of sigma_i l_f^; `(batch, 2^n)`.

    F holds alpha (y - a z)^2 for |a| <= 1 and 0 <= alpha <= 1; over alpha the ends are extreme. Last, `(batch,)`, the
    mean over signs of |sum of sigma_i z_i|.
    """
    z, y = forall.interval("z", -1.0, 1.0, n), forall.interval("y", -2.0, 2.0, n)
    half = all_signs(n, like=z)
    signs = torch.cat([half, -half])
    constant, slope, curvature = (value @ signs.mT for value in (y.square(), -2 * y * z, z.square()))
    largest = constant + quadratic_supremum(curvature, slope, 1.0)
    smallest = constant - quadratic_supremum(-curvature, -slope, 1.0)
    energy, correlation = z.square().sum(-1), (y * z).sum(-1)
    best = (correlation / torch.where(energy > 0, energy, 1.0)).clamp(-1.0, 1.0)
    shift = constant + best.unsqueeze(-1) * slope + best.square().unsqueeze(-1) * curvature
    return largest.clamp_min(0), smallest.clamp_max(0), shift, (z @ half.mT).abs().mean(-1)


_SIZES = [{"n": n, "constant": 1e5} for n in (10**7, 10**9)]


@claim(
    "uarff/eq-25",
    always(),
    over=_SIZES,
    reading="printed",
    expected="refuted",
    cite="uarff, proof of Theorem 12",
    quote="Eq. (25) <= (6 D / B) r^*_H + O(1/n)",
    defect=EQUATION_25,
)
def training_risk_of_the_estimator_as_printed(*, n: int, constant: float):
    """D / (D - 1) E_n l_f^ - E l_f^ <= (6 D / B) r* + O(1/n): the bound on (25) in the proof of Theorem 12.

    k = 1, y = +-1 fair, D = 2, lambda = 1/n; then r* = O(1/n) by (10) with h = 1, and `constant` / n leaves room for
    all of it. The expectation of the left side tends to sigma^2 / (D - 1) = 1. This refutes the proof, not Theorem 12:
    the companion (23) tends to -1, and the sum is fine.
    """
    training, risk = _constant_kernel(n)
    return 2 * training - risk, constant / n


def _constant_kernel(n: int) -> tuple[float, float]:
    """Expected training risk and risk of ridge regression with k = 1, lambda = 1/n, on n fair targets +-1.

    f^ = c mean(y) with c = 1 / (1 + lambda), and E mean(y)^2 = 1/n.
    """
    c = 1 / (1 + 1 / n)
    return 1 - (2 * c - c**2) / n, 1 + c**2 / n


_ONE_POINT = [{"q": 0.5, "ridge": 0.01, "delta": 0.1}]


@claim(
    "uarff/thm-12-fixed-points",
    always(),
    over=_ONE_POINT,
    reading="printed",
    expected="refuted",
    cite="uarff, proof of Theorem 12, last inequality",
    quote="Consequently, we have that r^*_H~ <= r^*_H.",
    defect=FIXED_POINTS,
)
def fixed_points_of_the_two_spaces_as_printed(*, q: float, ridge: float, delta: float):
    """The fixed point of the space of the features is at most that of H, with probability 1 - delta.

    One point, two features of which one vanishes: K~ = K c / (s q) with c ~ binomial(s, q), summed exactly. It is
    larger than K, and so is its fixed point, about every other time. A step of the proof; only true on average. On the
    event of Lemma 27 the eigenvalues of K~ / n are at most 3/2 of those of K / n, plus lambda / 2: here a constant
    factor repairs the step. l~(a) > 0 = l(a): admissible, not the scores themselves.
    """
    s = feature_count(1 / (1 + ridge) / q, 1 / (1 + ridge), delta, constant=PRINTED_THEOREM_CONSTANT)
    counts = torch.arange(s + 1, dtype=torch.float64)
    spaces = [local_fixed_point(kernel.unsqueeze(-1), scale=1.0) for kernel in (counts / (s * q), torch.ones(1))]
    probabilities = torch.tensor([math.comb(s, k) * q**k * (1 - q) ** (s - k) for k in range(s + 1)])
    return (probabilities * (spaces[0] > spaces[1])).sum().reshape(1), delta


@claim(
    "uarff/thm-12-fixed-points",
    always(),
    over=grid(n=[2], s=[1, 2]),
    reading="corrected",
    cite="uarff, proof of Theorem 12, last inequality",
    restricts="n = 2, three atoms, s = 1 and 2; the truncated traces in the fixed points",
)
def truncated_traces_of_the_two_spaces(forall: Forall, *, n: int, s: int):
    """E sum_i min(r, mu_i(K~)) <= sum_i min(r, mu_i(K)) for every r: true on average over the features, by concavity.

    Leverage sampling, summed over all samples of s features.
    """
    bed = finite_support(forall, n=n, atoms=3)
    r = forall.interval("r", 1e-3, 1.0)
    kernels, probabilities = bed.every_sample(s, bed.leverage_distribution)
    mean = (probabilities * _truncated_trace(kernels, r.unsqueeze(-1))).sum(-1)
    return mean, _truncated_trace(bed.kernel, r)


def _truncated_trace(kernel: Tensor, r: Tensor) -> Tensor:
    return torch.minimum(r.unsqueeze(-1), torch.linalg.eigvalsh(kernel).clamp_min(0)).sum(-1)
