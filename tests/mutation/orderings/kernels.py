"""Orderings between the bounds of divergence balls and Rademacher complexities."""

import math

from bounds.complexity.rademacher import printed_unit_ball_complexity, unit_ball_complexity
from bounds.divergence_ball.norms import (
    alignment_deviation,
    alignment_deviation_tail,
    mcdiarmid_alignment_deviation,
    sharp_weight_norm,
    weight_norm,
)
from tests.mutation.orderings.table import DELTA, RHO, SIZE, STEP, Ordering, Span

BALL, COMPLEXITY = "bounds.divergence_ball.norms", "bounds.complexity.rademacher"
ORDER = Span(2.0, 40.0, "log")
COUNT = Span(1, 10**6, "log", whole=True)
TRACE = Span(1e-6, 1e6, "log")

TABLE = (
    Ordering(
        BALL,
        "the sharp norm is at most the printed one",
        "<=",
        {"rho": RHO, "count": COUNT, "order": ORDER},
        lambda rho, count, order: (sharp_weight_norm(rho, count, order=order), weight_norm(rho, count, order=order)),
    ),
    Ordering(
        BALL,
        "the sharp norm equals the printed one for k = 2",
        "=",
        {"rho": RHO, "count": COUNT},
        lambda rho, count: (sharp_weight_norm(rho, count, order=2), weight_norm(rho, count, order=2)),
    ),
    Ordering(
        BALL,
        "a ball of radius zero holds the uniform weights alone, of norm 1 / sqrt N",
        "=",
        {"count": COUNT, "order": ORDER, "norm": (weight_norm, sharp_weight_norm)},
        lambda count, order, norm: (norm(0.0, count, order=order), 1 / math.sqrt(count)),
    ),
    Ordering(
        BALL,
        "the smallest ball that holds a unit mass has rho = N^(k-1) - 1 and sharp norm 1",
        "=",
        {"count": Span(1, 1000, "log", whole=True), "order": Span(2.0, 20.0)},
        lambda count, order: (sharp_weight_norm(count ** (order - 1) - 1, count, order=order), 1.0),
    ),
    Ordering(
        BALL,
        "norms grow with the radius",
        "<=",
        {"rho": RHO, "count": COUNT, "order": ORDER, "norm": (weight_norm, sharp_weight_norm), "step": STEP},
        lambda rho, count, order, norm, step: (norm(rho, count, order=order), norm(step * rho, count, order=order)),
    ),
    Ordering(
        BALL,
        "norms shrink as the order grows: the balls are nested by Jensen's inequality",
        "<=",
        {"rho": RHO, "count": COUNT, "order": ORDER, "norm": (weight_norm, sharp_weight_norm), "step": STEP},
        lambda rho, count, order, norm, step: (norm(rho, count, order=step * order), norm(rho, count, order=order)),
    ),
    Ordering(
        BALL,
        "four times as many weights have half the norm",
        "=",
        {"rho": RHO, "count": COUNT, "order": ORDER, "norm": (weight_norm, sharp_weight_norm)},
        lambda rho, count, order, norm: (norm(rho, 4 * count, order=order), norm(rho, count, order=order) / 2),
    ),
    Ordering(
        BALL,
        "the deviation inverts its tail",
        "=",
        {"rho": RHO, "n": SIZE, "delta": DELTA},
        lambda rho, n, delta: (alignment_deviation_tail(alignment_deviation(rho, n, delta=delta), rho, n), delta),
        rtol=1e-11,
    ),
    Ordering(
        BALL,
        "the tail grows with the radius",
        "<=",
        {"deviation": Span(0.0, 2.0), "rho": RHO, "n": SIZE, "step": STEP},
        lambda deviation, rho, n, step: (
            alignment_deviation_tail(deviation, rho, n),
            alignment_deviation_tail(deviation, step * rho, n),
        ),
    ),
    Ordering(
        BALL,
        "the tail at no deviation is sqrt 2",
        "=",
        {"rho": RHO, "n": SIZE},
        lambda rho, n: (alignment_deviation_tail(0.0, rho, n), math.sqrt(2)),
    ),
    Ordering(
        BALL,
        "a smaller probability of failure costs a larger deviation",
        "<=",
        {
            "rho": RHO,
            "n": SIZE,
            "delta": DELTA,
            "step": STEP,
            "bound": (alignment_deviation, mcdiarmid_alignment_deviation),
        },
        lambda rho, n, delta, step, bound: (bound(rho, n, delta=delta), bound(rho, n, delta=delta / step)),
    ),
    Ordering(
        BALL,
        "four times as many points halve the deviation",
        "=",
        {"rho": RHO, "n": SIZE, "delta": DELTA, "bound": (alignment_deviation, mcdiarmid_alignment_deviation)},
        lambda rho, n, delta, bound: (bound(rho, 4 * n, delta=delta), bound(rho, n, delta=delta) / 2),
    ),
    Ordering(
        BALL,
        "McDiarmid's form is at most the printed one: 4 A + 16 L <= 16 A (L + log sqrt 2) for A >= 1, L >= 0",
        "<=",
        {"rho": RHO, "n": SIZE, "delta": DELTA},
        lambda rho, n, delta: (
            mcdiarmid_alignment_deviation(rho, n, delta=delta),
            alignment_deviation(rho, n, delta=delta),
        ),
    ),
    Ordering(
        BALL,
        "as delta tends to 1, McDiarmid's form leaves the mean sqrt(2 / n) times sqrt N times the sharp norm",
        "=",
        {"rho": RHO, "n": SIZE, "order": ORDER},
        lambda rho, n, order: (
            mcdiarmid_alignment_deviation(rho, n, delta=1 - 2**-53, order=order),
            math.sqrt(2 / n) * sharp_weight_norm(rho, 1, order=order),
        ),
        rtol=1e-7,
    ),
    Ordering(
        BALL,
        "McDiarmid's form is for k = 2 unless told otherwise",
        "=",
        {"rho": RHO, "n": SIZE, "delta": DELTA},
        lambda rho, n, delta: (
            mcdiarmid_alignment_deviation(rho, n, delta=delta),
            mcdiarmid_alignment_deviation(rho, n, delta=delta, order=2.0),
        ),
    ),
    Ordering(
        BALL,
        "beyond the mean, McDiarmid's form inverts the tail exp(-n t^2 / 8) of bounded differences 4 / n",
        "=",
        {"n": SIZE, "delta": DELTA},
        lambda n, delta: (
            math.exp(-n * (mcdiarmid_alignment_deviation(0, n, delta=delta) - (2 / n) ** 0.5) ** 2 / 8),
            delta,
        ),
        rtol=1e-10,
    ),
    Ordering(
        COMPLEXITY,
        "the convention with factor two doubles the printed complexity",
        "=",
        {"trace": TRACE, "n": COUNT},
        lambda trace, n: (unit_ball_complexity(trace, n), 2 * printed_unit_ball_complexity(trace, n)),
    ),
    Ordering(
        COMPLEXITY,
        "doubling kernel values and points alike leaves 1 / sqrt 2 of the complexity",
        "=",
        {"trace": TRACE, "n": COUNT},
        lambda trace, n: (unit_ball_complexity(2 * trace, 2 * n), unit_ball_complexity(trace, n) / math.sqrt(2)),
    ),
    Ordering(
        COMPLEXITY,
        "one point with k(x, x) = c has complexity E |2 sigma| sqrt c",
        "=",
        {"trace": TRACE},
        lambda trace: (unit_ball_complexity(trace, 1), 2 * math.sqrt(trace)),
    ),
)
