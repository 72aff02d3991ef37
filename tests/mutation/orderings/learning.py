"""Orderings between guarantees for learned kernels: pairs of points, both samples together, margins, power means."""

import math

from bounds.complexity.margin import margin_excess_risk
from bounds.divergence_ball.kernel_learning import (
    consistency_deviation,
    sampling_deviation,
    sharp_consistency_deviation,
    sharp_sampling_deviation,
)
from bounds.divergence_ball.moments import (
    bounded_high_power_deficit,
    bounded_low_power_deficit,
    bounded_power_mean_deficit,
    high_power_deficit,
    intermediate_moment_bound,
    low_power_deficit,
    power_mean_deficit,
)
from bounds.divergence_ball.norms import alignment_deviation, mcdiarmid_alignment_deviation
from bounds.divergence_ball.pair_statistics import (
    alignment_variance_proxy,
    binary_alignment_half_range,
    block_alignment_deviation,
    block_alignment_deviation_tail,
    centred_alignment_deviation,
    diagonal_loss,
    diagonal_loss_by_spread,
    square_moment_bound,
)
from bounds.divergence_ball.sampling import sharp_expected_supremum_gap, supremum_deviation
from tests.mutation.orderings.table import DELTA, RHO, SIZE, STEP, Ordering, Span

LEARNING, PAIRS, MARGIN, MOMENTS = (
    f"bounds.{name}" for name in ("kernel_learning", "pair_statistics", "margin", "moments")
)
ORDER = Span(2.0, 40.0, "log")
COUNT = Span(1, 10**6, "log", whole=True)
POSITIVE = Span(1e-3, 1e3, "log")
POWER = Span(1.0, 12.0)
HIGH = Span(2.0, 12.0)
BOTH = {"rho": RHO, "n": SIZE, "count": COUNT, "delta": DELTA}

TABLE = (
    Ordering(
        LEARNING,
        "Lemma 2 on the sharp gap is at most the printed one",
        "<=",
        {"rho": RHO, "count": COUNT, "delta": DELTA, "order": ORDER},
        lambda rho, count, delta, order: (
            sharp_sampling_deviation(1.0, rho, count, delta=delta, order=order),
            sampling_deviation(rho, count, delta=delta),
        ),
    ),
    Ordering(
        LEARNING,
        "Lemma 2 is the gap of the means and a deviation",
        "=",
        {"half": Span(0.5, 1.0), "rho": RHO, "count": COUNT, "delta": DELTA},
        lambda half, rho, count, delta: (
            sharp_sampling_deviation(half, rho, count, delta=delta),
            sharp_expected_supremum_gap(half, rho, count) + supremum_deviation(half, rho, count, delta=delta),
        ),
    ),
    Ordering(
        LEARNING,
        "the rebuilt Theorem 1 is at most the printed one",
        "<=",
        BOTH | {"order": ORDER},
        lambda rho, n, count, delta, order: (
            sharp_consistency_deviation(1.0, rho, n, count, delta=delta, order=order),
            consistency_deviation(rho, n, count, delta=delta),
        ),
    ),
    Ordering(
        LEARNING,
        "Theorem 1 tends to Lemma 2 as the points grow",
        "=",
        {"rho": RHO, "count": Span(1, 1000, "log", whole=True), "delta": Span(1e-6, 0.9)},
        lambda rho, count, delta: (
            consistency_deviation(rho, 10**30, count, delta=delta)
            + sharp_consistency_deviation(0.5, rho, 10**30, count, delta=delta),
            sampling_deviation(rho, count, delta=delta) + sharp_sampling_deviation(0.5, rho, count, delta=delta),
        ),
        rtol=1e-8,
    ),
    Ordering(
        LEARNING,
        "the printed Theorem 1 uses Lemma 1 twice, and log 2 for log sqrt 2",
        "<=",
        BOTH,
        lambda rho, n, count, delta: (
            sampling_deviation(rho, count, delta=delta) + 2 * alignment_deviation(rho, n, delta=delta),
            consistency_deviation(rho, n, count, delta=delta),
        ),
    ),
    Ordering(
        LEARNING,
        "the algorithm pays for its diagonal on top",
        "=",
        BOTH,
        lambda rho, n, count, delta: (
            consistency_deviation(rho, n, count, delta=delta, maximiser="v-statistic")
            + sharp_consistency_deviation(0.5, rho, n, count, delta=delta, maximiser="v-statistic"),
            consistency_deviation(rho, n, count, delta=delta)
            + sharp_consistency_deviation(0.5, rho, n, count, delta=delta)
            + 2 * diagonal_loss(n),
        ),
    ),
    Ordering(
        PAIRS,
        "E exp(lambda X^2) to the power -2 is 1 - 2 lambda sigma^2",
        "=",
        {"scale": Span(1e-6, 10.0), "share": Span(0.0, 0.99)},
        lambda scale, share: (square_moment_bound(scale, proxy=share / (2 * scale)) ** -2 + share, 1.0),
    ),
    Ordering(
        PAIRS,
        "blocks do at least as well as bounded differences",
        "<=",
        {"n": SIZE},
        lambda n: (alignment_variance_proxy(n, constant="blocks"), alignment_variance_proxy(n)),
    ),
    Ordering(
        PAIRS,
        "the block deviation is at most that of Lemma 1",
        "<=",
        {"rho": RHO, "n": SIZE, "delta": DELTA, "order": ORDER},
        lambda rho, n, delta, order: (
            block_alignment_deviation(rho, n, delta=delta, order=order),
            alignment_deviation(rho, n, delta=delta),
        ),
    ),
    Ordering(
        PAIRS,
        "the block deviation inverts its tail",
        "=",
        {"rho": RHO, "n": SIZE, "delta": DELTA, "order": ORDER},
        lambda rho, n, delta, order: (
            block_alignment_deviation_tail(
                block_alignment_deviation(rho, n, delta=delta, order=order), rho, n, order=order
            ),
            delta,
        ),
        rtol=1e-11,
    ),
    Ordering(
        PAIRS,
        "block and centred forms are for k = 2 unless told otherwise",
        "=",
        {"rho": RHO, "n": SIZE, "delta": DELTA},
        lambda rho, n, delta: (
            block_alignment_deviation(rho, n, delta=delta)
            + block_alignment_deviation_tail(0.1, rho, n)
            + centred_alignment_deviation(rho, n, delta=delta),
            block_alignment_deviation(rho, n, delta=delta, order=2.0)
            + block_alignment_deviation_tail(0.1, rho, n, order=2.0)
            + centred_alignment_deviation(rho, n, delta=delta, order=2.0),
        ),
    ),
    Ordering(
        PAIRS,
        "one side deviates at most as far as two",
        "<=",
        {"rho": RHO, "n": SIZE, "delta": DELTA, "order": ORDER},
        lambda rho, n, delta, order: (
            centred_alignment_deviation(rho, n, delta=delta, order=order),
            mcdiarmid_alignment_deviation(rho, n, delta=delta, order=order),
        ),
    ),
    Ordering(
        PAIRS,
        "the diagonal costs at most 1 / (n - 1)",
        "<=",
        {"n": SIZE},
        lambda n: (diagonal_loss(n), 1 / (n - 1)),
    ),
    Ordering(
        PAIRS,
        "the diagonal costs most at the largest centred sum of squares: n, or n - 1/n",
        "=",
        {"n": SIZE},
        lambda n: (diagonal_loss(n), diagonal_loss_by_spread(n - (n % 2) / n, n)),
    ),
    Ordering(
        PAIRS,
        "the U-statistic of n signs ranges from that of a balanced sample to 1",
        "=",
        {"n": SIZE},
        lambda n: (1 - 2 * binary_alignment_half_range(n), (n % 2 - n) / (n * (n - 1))),
        rtol=1e-9,
        atol=1e-15,
    ),
    Ordering(
        MARGIN,
        "without complexity: three times Hoeffding's deviation at delta / 2",
        "=",
        {"margin": POSITIVE, "n": COUNT, "delta": DELTA},
        lambda margin, n, delta: (
            2 * math.exp(-2 * n * (margin_excess_risk(0.0, margin, n, delta=delta) / 3) ** 2),
            delta,
        ),
        rtol=1e-10,
    ),
    Ordering(
        MARGIN,
        "twice the complexity in units of the margin comes on top",
        "=",
        {"complexity": POSITIVE, "margin": POSITIVE, "n": COUNT, "delta": DELTA},
        lambda complexity, margin, n, delta: (
            margin_excess_risk(complexity, margin, n, delta=delta),
            margin_excess_risk(0.0, margin, n, delta=delta) + 2 * complexity / margin,
        ),
    ),
    Ordering(
        MOMENTS,
        "the one-line form, or the trivial A, is at most the printed bound for p >= 2",
        "<=",
        {"norm": POSITIVE, "relative": POSITIVE, "n": COUNT, "power": HIGH},
        lambda norm, relative, n, power: (
            min(norm, power_mean_deficit(norm, relative * norm ** (2 * power), n, power=power)),
            high_power_deficit(norm, relative * norm ** (2 * power), n, power=power),
        ),
    ),
    Ordering(
        MOMENTS,
        "with many points the printed 1/n branch is 2 f times the one-line form",
        "=",
        {"norm": POSITIVE, "relative": POSITIVE, "power": HIGH},
        lambda norm, relative, power: (
            high_power_deficit(norm, relative * norm ** (2 * power), 10**6, power=power),
            2 * (power - 1) / power * power_mean_deficit(norm, relative * norm ** (2 * power), 10**6, power=power),
        ),
    ),
    Ordering(
        MOMENTS,
        "for p = 2, ||Z||_2 = A and a variance beyond n A^4, the printed bounds differ by sqrt 2",
        "=",
        {"norm": POSITIVE, "n": COUNT, "factor": Span(4.0, 100.0)},
        lambda norm, n, factor: (
            math.sqrt(2) * low_power_deficit(norm, factor * n * norm**4, norm, n, power=2),
            high_power_deficit(norm, factor * n * norm**4, n, power=2),
        ),
    ),
    Ordering(
        MOMENTS,
        "bounded variables: the one-line consequence is at most the printed bound for p >= 2",
        "<=",
        {"bound": POSITIVE, "n": COUNT, "power": HIGH},
        lambda bound, n, power: (
            bounded_power_mean_deficit(bound, n, power=power),
            bounded_high_power_deficit(bound, n, power=power),
        ),
    ),
    Ordering(
        MOMENTS,
        "bounded variables, p = 2: the one-line consequence is the printed C / sqrt(2 n)",
        "=",
        {"bound": POSITIVE, "n": COUNT},
        lambda bound, n: (
            bounded_power_mean_deficit(bound, n, power=2),
            bounded_low_power_deficit(bound, n, power=2),
        ),
    ),
    Ordering(
        MOMENTS,
        "bounded variables: the consequence covers the one-line form and the trivial A at every norm",
        "<=",
        {"share": Span(1e-3, 1.0, "log"), "n": COUNT, "power": POWER},
        lambda share, n, power: (
            min(share, power_mean_deficit(share, share**power, n, power=power)),
            bounded_power_mean_deficit(1.0, n, power=power),
        ),
    ),
    Ordering(
        MOMENTS,
        "deviations shrink as the sample grows",
        "<=",
        {"bound": POSITIVE, "n": COUNT, "power": Span(1.0, 2.0), "step": STEP},
        lambda bound, n, power, step: (
            bounded_low_power_deficit(bound, math.ceil(step * n), power=power)
            + low_power_deficit(bound, bound, bound, math.ceil(step * n), power=power),
            bounded_low_power_deficit(bound, n, power=power) + low_power_deficit(bound, bound, bound, n, power=power),
        ),
    ),
    Ordering(
        MOMENTS,
        "the moment at both ends is the given one, and half-way their geometric mean",
        "=",
        {"moment": POSITIVE, "double": POSITIVE},
        lambda moment, double: (
            intermediate_moment_bound(moment, double, ratio=1)
            * intermediate_moment_bound(moment, double, ratio=2)
            * intermediate_moment_bound(moment, double, ratio=1.5) ** 2,
            (moment * double) ** 2,
        ),
    ),
)
