"""How fast what the lemmas and theorems promise sets in: errors along geometric grids of points, features and steps.

The bed: four labelled points with a fixed law, and eight cosines as features, taken with equal probability. On it a
sample is four counts, so that n goes up to 3 10^7, and every supremum over a ball is exact.
"""

import torch
from torch import Tensor

from algos.divergence_ball.published import certified_bisection
from harness import Draw, claim, grid, rate
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.beds import binomial_law, sampled_suprema, two_valued_supremum
from harness.claims.lkrf.complexity import root
from harness.claims.lkrf.consistency import alignment_errors, larger_supremum
from harness.claims.lkrf.optimality import loss_of_learned

RHO = 1.0
LAW = (0.37, 0.11, 0.23, 0.29)
LABELS = (1.0, -1.0, 1.0, -1.0)
FEATURES = 8
SIZES = [2 ** (4 + 3 * j) for j in range(8)]
SHORT = [2**j for j in range(4, 14)]
"""Where the law of a binomial number is written out."""


@claim(
    "lkrf/rate-lem-1",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="lkrf, Lemma 1",
    restricts="k = 2, rho = 1, four labelled points with a fixed law, eight features; n from 16 to 3 10^7",
)
def uniform_alignment_error(draw: Draw, *, n: int):
    """E sup over the ball of |That(Q) - T(Q)| decays at least as fast as n^(-1/2).

    What the tail exp(-n t^2/(16 (1 + rho))) promises of the mean.
    """
    error = alignment_errors(draw.multinomial("points", n, LAW), _signed(draw), _law(draw), n)
    return larger_supremum(error, RHO, 2, _measure(draw))


@claim(
    "lkrf/rate-lem-6",
    rate("n", -1.0),
    over=grid(n=SIZES),
    cite="lkrf, Lemma 6",
    restricts="one feature, four labelled points with a fixed law; n from 16 to 3 10^7",
)
def alignment_variance(draw: Draw, *, n: int):
    """E (That(w) - T(w))^2 at one feature decays at least as fast as 1/n.

    A mean-zero 4/n-sub-Gaussian error, as the lemma has it, has a variance of 4/n at most.
    """
    return alignment_errors(draw.multinomial("points", n, LAW), _signed(draw), _law(draw), n)[:, 0] ** 2


@claim(
    "lkrf/rate-lem-2",
    rate("N", -1 / 2),
    over=grid(N=SIZES),
    cite="lkrf, Lemma 2",
    restricts="k = 2, rho = 1, the alignments of eight features; N from 16 to 3 10^7; without the printed logarithm",
)
def sampling_error_of_the_supremum(draw: Draw, *, N: int):
    """E |sup_N That - sup_P That| decays at least as fast as N^(-1/2), for N features drawn from eight.

    Printed with sqrt(log N), for all laws of the features at once.
    """
    shares, alignments = draw.multinomial("features", N, [1 / FEATURES] * FEATURES) / N, _alignments(draw)
    sampled = ball_maximum(alignments, RHO, 2, shares).value
    return (sampled - ball_maximum(alignments, RHO, 2, _measure(draw)).value).abs()


@claim(
    "lkrf/rate-lem-5",
    rate("N", -1 / 2),
    over=grid(N=SHORT),
    cite="lkrf, Lemma 5",
    restricts="k = 2, rho = 3, features +-1 with P(1) = c/N, c uniform in (0, 1); the printed logarithm is left out",
)
def expected_supremum_gap_of_rare_features(draw: Draw, *, N: int):
    """sup_P - E sup_N decays at least as fast as N^(-1/2) where it decays slowest: F = 1 with probability c/N, else -1.

    The expectation is exact, by the binomial law. A fixed law loses 1/N; here the best features are in the sample with
    a probability that stays away from 0 and 1, and the promise, but for sqrt(log N), is all that there is.
    """
    success = draw.uniform("c") / N
    rho = torch.full_like(success, 3.0)
    suprema, probabilities = sampled_suprema(success, rho, N)
    return two_valued_supremum(success, rho) - (probabilities * suprema).sum(-1)


@claim(
    "lkrf/rate-thm-1",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="lkrf, Theorem 1, n = N",
    restricts="k = 2, rho = 1, four labelled points, eight features; n = N from 16 to 3 10^7; no logarithm",
)
def alignment_of_the_learned_kernel(draw: Draw, *, n: int):
    """E |T(Qhat) - sup_P T| decays at least as fast as n^(-1/2), for n points and as many sampled features.

    Printed with sqrt(log N / N) + n^(-1/2). The features decide: see rate-thm-1-enumerated.
    """
    shares = draw.multinomial("features", n, [1 / FEATURES] * FEATURES) / n
    return loss_of_learned(_statistics(draw, n), _alignments(draw), RHO, 2, shares=shares, measure=_measure(draw))


@claim(
    "lkrf/rate-thm-1-enumerated",
    rate("n", -1.0),
    over=grid(n=SIZES),
    cite="lkrf, Theorem 1, its term in n",
    restricts="k = 2, rho = 1, four labelled points, all eight features in the sample; n from 16 to 3 10^7",
)
def alignment_of_the_learned_kernel_with_every_feature(draw: Draw, *, n: int):
    """E (sup_P T - T(Qhat)) decays at least as fast as 1/n when every feature is enumerated, as for linear kernels.

    Printed with n^(-1/2), twice the uniform error of Lemma 1; at the maximum that error counts in second order only.
    """
    measure = _measure(draw)
    return loss_of_learned(_statistics(draw, n), _alignments(draw), RHO, 2, shares=measure, measure=measure)


@claim(
    "lkrf/rate-lem-3",
    rate("n", -1 / 2),
    over=grid(n=SIZES),
    cite="lkrf, Lemma 3",
    restricts="k = 2, rho = 1, B = 1, four points with a fixed law, eight features; n from 16 to 3 10^7",
)
def complexity_of_the_class(draw: Draw, *, n: int):
    """The Rademacher complexity R_n of the learned functions decays at least as fast as n^(-1/2)."""
    cells = draw.multinomial("points and signs", n, [p / 2 for p in LAW for _ in (0, 1)])
    forms = ((cells[:, ::2] - cells[:, 1::2]) @ _signed(draw)) ** 2
    return root(ball_maximum(forms, RHO, 2).value) / n


@claim(
    "lkrf/rate-thm-2",
    rate("n", -1 / 2),
    over=grid(n=SIZES, M=[16]),
    cite="lkrf, Theorem 2",
    restricts="one class, its kernel the identity on 16 points, a fixed law and nu = B/4; n from 16 to 3 10^7",
)
def generalisation_gap(draw: Draw, *, n: int, M: int):
    """E sup over h of R(h) - Rhat_nu(h) decays at least as fast as n^(-1/2) at a fixed margin nu.

    The class of lkrf/thm-2, where the supremum is the total variation between the sample and its law.
    """
    law = torch.arange(1, M + 1, dtype=torch.float64, device=draw.device) ** 0.5
    law = law / law.sum()
    return (draw.multinomial("points", n, law) / n - law).clamp(min=0).sum(-1)


@claim(
    "lkrf/rate-eq-5",
    rate("D", -1 / 2),
    over=grid(D=SIZES),
    cite="lkrf, Section 2.1, equation (5)",
    restricts="four points, eight features with fixed weights q; D from 16 to 3 10^7",
)
def kernel_of_sampled_features(draw: Draw, *, D: int):
    """E of the largest error of the kernel of D features drawn from q decays at least as fast as D^(-1/2).

    The paper draws them because D random features approximate K_q; the error is largest over the pairs of points.
    """
    q = torch.arange(1, FEATURES + 1, dtype=torch.float64, device=draw.device)
    q = q / q.sum()
    error = draw.multinomial("features", D, q) / D - q
    signed = _signed(draw)
    return ((signed * error[:, None, :]) @ signed.mT).abs().amax((-2, -1))


@claim(
    "lkrf/rate-alg-1",
    rate("accuracy", 0.0, log_power=1.0),
    over=grid(accuracy=[10**j for j in range(1, 10)]),
    cite="lkrf, Section 2.1: an epsilon-suboptimal solution in O(N log(1/epsilon)) time",
    restricts="k = 2, N = 50, rho = 1, uniform v in [0, 1]; steps to a certified epsilon = 1/accuracy, not time",
)
def steps_to_a_certified_solution(draw: Draw, *, accuracy: int):
    """The mean number of steps to a certified epsilon-suboptimal solution grows no faster than log(1/epsilon).

    For the bisection with the stop lambda_u (rho - D(q)) <= epsilon, which proves it; the printed stop does not
    (lkrf/alg-1). Each step costs O(N).
    """
    found = certified_bisection(draw.uniform("v", 50), RHO, order=2, tolerance=1 / accuracy)
    return found.steps.to(torch.float64)


@claim(
    "lkrf/rate-lem-7-2",
    rate("n", -1.0),
    over=grid(n=SHORT),
    cite="lkrf, Lemma 7, (16a), p >= 2, second branch",
    restricts="p = 3, Z = 1/2 or 1 with P(Z = 1) uniform in (.1, .9)",
)
def power_mean_deficit_of_a_fixed_law(draw: Draw, *, n: int):
    """||Z||_p - E (mean Z_i^p)^(1/p) decays at least as fast as 1/n for p >= 2 and a fixed law of Z."""
    return _deficit(draw.uniform("P(Z = 1)", low=0.1, high=0.9), 3.0, n, low=0.5)


@claim(
    "lkrf/rate-lem-7-3",
    rate("n", -2 / 3),
    over=grid(n=SHORT),
    cite="lkrf, Lemma 7, (16b), p <= 2",
    restricts="p = 1.5, Z in {0, 1}, P(Z = 1) = c/n with c uniform in (0, 1)",
)
def power_mean_deficit_of_low_order(draw: Draw, *, n: int):
    """||Z||_p - E (mean Z_i^p)^(1/p) decays at least as fast as n^(-1/p) for Z in [0, 1], at p = 1.5.

    Printed with n^(-1/2); rare ones are the slowest laws, by lkrf/lem-7-bounded.
    """
    return _deficit(draw.uniform("c") / n, 1.5, n)


@claim(
    "lkrf/rate-lem-7-4",
    rate("n", -1 / 4),
    over=grid(n=SHORT),
    cite="lkrf, Lemma 7, (16b), p > 2",
    restricts="p = 4, Z in {0, 1}, P(Z = 1) = c/n with c uniform in (0, 1)",
)
def power_mean_deficit_of_high_order(draw: Draw, *, n: int):
    """||Z||_p - E (mean Z_i^p)^(1/p) decays at least as fast as n^(-1/p) for Z in [0, 1], at p = 4.

    Rare ones show that the printed rate cannot be better, though a fixed law has 1/n.
    """
    return _deficit(draw.uniform("c") / n, 4.0, n)


def _law(draw: Draw) -> Tensor:
    return torch.tensor(LAW, dtype=torch.float64, device=draw.device)


def _measure(draw: Draw) -> Tensor:
    return torch.full((FEATURES,), 1 / FEATURES, dtype=torch.float64, device=draw.device)


def _signed(draw: Draw) -> Tensor:
    """y phi at every point and feature, (4, 8): cosines of frequencies 1, ..., 8 at the points .3, .6, .9 and 1.2."""
    points = 0.3 * torch.arange(1, 5, dtype=torch.float64, device=draw.device)
    frequencies = torch.arange(1, FEATURES + 1, dtype=torch.float64, device=draw.device)
    labels = torch.tensor(LABELS, dtype=torch.float64, device=draw.device)
    return labels.unsqueeze(-1) * (points.unsqueeze(-1) * frequencies).cos()


def _alignments(draw: Draw) -> Tensor:
    """T(w) of every feature."""
    return (_law(draw) @ _signed(draw)) ** 2


def _statistics(draw: Draw, n: int) -> Tensor:
    """That(w) of every feature for n points, (reps, 8)."""
    return alignment_errors(draw.multinomial("points", n, LAW), _signed(draw), _law(draw), n) + _alignments(draw)


def _deficit(success: Tensor, power: float, n: int, *, low: float = 0.0) -> Tensor:
    """||Z||_p - E (mean Z_i^p)^(1/p) for Z = 1 with that probability and `low` else, exactly."""
    ones = torch.arange(n + 1, dtype=torch.float64, device=success.device) / n
    means = low**power + (1 - low**power) * ones
    norm = low**power + (1 - low**power) * success
    deficit: Tensor = norm ** (1 / power) - (binomial_law(success, n) * means ** (1 / power)).sum(-1)
    return deficit
