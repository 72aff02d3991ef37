"""Orderings between bounds over divergence balls: radii, samples of features, complexities."""

import math
from fractions import Fraction

from bounds.complexity.rademacher import (
    fourth_moment_divergence_ball_complexity,
    khinchine_divergence_ball_complexity,
    printed_divergence_ball_complexity,
    sharp_divergence_ball_complexity,
)
from bounds.divergence_ball.norms import chi_square_radius, radius_growth, sharp_weight_norm
from bounds.divergence_ball.sampling import (
    binomial_deviation_constant,
    c_rho,
    c_rho_order,
    convex_deviation,
    d_rho,
    dual_threshold_bound,
    expected_supremum_gap,
    sharp_expected_supremum_gap,
    supremum_deviation,
)
from tests.mutation.orderings.table import DELTA, RHO, STEP, Ordering, Span

BALL, SAMPLING, COMPLEXITY = (
    "bounds.divergence_ball.norms",
    "bounds.divergence_ball.sampling",
    "bounds.complexity.rademacher",
)
ORDER = Span(2.0, 40.0, "log")
COUNT = Span(1, 10**6, "log", whole=True)
HALF = Span(0.1, 3.0)

TABLE = (
    Ordering(
        BALL,
        "a power of the radius is the same in float64, which avoids cancellation, and by operators alone",
        "=",
        {"rho": RHO, "exponent": Span(0.1, 1.0)},
        lambda rho, exponent: (radius_growth(Fraction(rho), exponent), radius_growth(rho, exponent)),
        rtol=1e-8,
    ),
    Ordering(
        BALL,
        "the chi-square ball around a ball of order k: 1 + rho' = N times the squared sharp norm",
        "=",
        {"rho": RHO, "order": ORDER},
        lambda rho, order: (1 + chi_square_radius(rho, order=order), sharp_weight_norm(rho, 1, order=order) ** 2),
    ),
    Ordering(
        BALL,
        "the chi-square ball around itself has its own radius",
        "=",
        {"rho": RHO},
        lambda rho: (chi_square_radius(rho, order=2), rho),
    ),
    Ordering(
        SAMPLING,
        "C_{rho,k} is at most C_rho",
        "<=",
        {"rho": RHO, "order": ORDER},
        lambda rho, order: (c_rho_order(rho, order=order), c_rho(rho)),
    ),
    Ordering(
        SAMPLING,
        "C_{rho,2} is C_rho",
        "=",
        {"rho": RHO},
        lambda rho: (c_rho_order(rho, order=2), c_rho(rho)),
    ),
    Ordering(
        SAMPLING,
        "C_rho is at least 8, at rho = 3 exactly, and at least D_rho / sqrt 2",
        "<=",
        {"rho": RHO},
        lambda rho: (max(c_rho(3.0), d_rho(rho) / math.sqrt(2)), c_rho(rho)),
    ),
    Ordering(
        SAMPLING,
        "C_{rho,k} is (1 + rho)^(1/k) (1 + c)",
        "=",
        {"rho": RHO, "order": ORDER},
        lambda rho, order: (
            c_rho_order(rho, order=order),
            (1 + rho) ** (1 / order) * (1 + dual_threshold_bound(rho, order=order)),
        ),
    ),
    Ordering(
        SAMPLING,
        "at the end of its interval the dual's printed slope vanishes",
        "=",
        {"rho": Span(1e-3, 1e3, "log"), "order": Span(2.0, 10.0)},
        lambda rho, order: (_slope_root(rho, order), dual_threshold_bound(rho, order=order)),
        rtol=1e-10,
    ),
    Ordering(
        SAMPLING,
        "the sharp gap is at most M sqrt(rho' / N), and that at most the printed one",
        "<=",
        {"half": HALF, "rho": RHO, "count": COUNT, "order": ORDER},
        lambda half, rho, count, order: (
            sharp_expected_supremum_gap(half, rho, count, order=order),
            min(half * math.sqrt(rho / count), expected_supremum_gap(half, rho, count)),
        ),
    ),
    Ordering(
        SAMPLING,
        "the sharp gap at order two is the one without an order",
        "=",
        {"half": HALF, "rho": RHO, "count": COUNT},
        lambda half, rho, count: (
            sharp_expected_supremum_gap(half, rho, count),
            sharp_expected_supremum_gap(half, rho, count, order=2),
        ),
    ),
    Ordering(
        SAMPLING,
        "the sharp gap is attained by rare largest values: 2 M (1 - 1/(2N))^N at rho = 2N - 1",
        "=",
        {"half": HALF, "count": Span(1, 1000, "log", whole=True)},
        lambda half, count: (
            sharp_expected_supremum_gap(half, 2 * count - 1, count),
            2 * half * (1 - 0.5 / count) ** count,
        ),
    ),
    Ordering(
        SAMPLING,
        "binomial deviations shrink, in standard deviations, as the sample grows, to sqrt(2 / e)",
        "<=",
        {"count": COUNT},
        lambda count: (
            max(binomial_deviation_constant(count + 1), math.sqrt(2 / math.e)),
            binomial_deviation_constant(count),
        ),
    ),
    Ordering(
        SAMPLING,
        "a deviation inverts the tail 2 exp(-t^2 / (8 L^2 M^2))",
        "=",
        {"half": HALF, "lipschitz": Span(0.01, 10.0, "log"), "delta": DELTA},
        lambda half, lipschitz, delta: (
            2
            * math.exp(
                -((convex_deviation(half, lipschitz=lipschitz, delta=delta) / (half * lipschitz)) ** 2) / 8,
            ),
            delta,
        ),
        rtol=1e-10,
    ),
    Ordering(
        SAMPLING,
        "the deviation of a supremum is D_rho M sqrt(log(2 / delta) / N)",
        "=",
        {"half": HALF, "rho": RHO, "count": COUNT, "delta": DELTA},
        lambda half, rho, count, delta: (
            supremum_deviation(half, rho, count, delta=delta),
            d_rho(rho) * half * math.sqrt(math.log(2 / delta) / count),
        ),
    ),
    Ordering(
        COMPLEXITY,
        "the sharp complexity is at most the fourth-moment one, and that at most the printed one",
        "<=",
        {"radius": HALF, "rho": RHO, "n": COUNT, "pair": ((0, 1), (1, 2))},
        lambda radius, rho, n, pair: tuple(
            (
                sharp_divergence_ball_complexity(radius, rho, n),
                fourth_moment_divergence_ball_complexity(radius, rho, n),
                printed_divergence_ball_complexity(radius, rho, n),
            )[i]
            for i in pair
        ),
    ),
    Ordering(
        COMPLEXITY,
        "balls of higher order are smaller",
        "<=",
        {"radius": HALF, "rho": RHO, "n": COUNT, "order": ORDER, "step": STEP},
        lambda radius, rho, n, order, step: (
            sharp_divergence_ball_complexity(radius, rho, n, order=step * order),
            sharp_divergence_ball_complexity(radius, rho, n, order=order),
        ),
    ),
    Ordering(
        COMPLEXITY,
        "one point, or no ball: the trivial B / sqrt n",
        "=",
        {"radius": HALF, "rho": RHO, "n": COUNT},
        lambda radius, rho, n: (
            sharp_divergence_ball_complexity(radius, rho, 1) + sharp_divergence_ball_complexity(radius, 0.0, n),
            radius + radius / math.sqrt(n),
        ),
    ),
    Ordering(
        COMPLEXITY,
        "by Khinchine's inequality for k = 2: the fourth moment of many signs",
        "=",
        {"radius": HALF, "rho": RHO},
        lambda radius, rho: (
            khinchine_divergence_ball_complexity(radius, rho, 10**15, order=2),
            fourth_moment_divergence_ball_complexity(radius, rho, 10**15),
        ),
    ),
    Ordering(
        COMPLEXITY,
        "for huge orders only the variance is left: B / sqrt n",
        "=",
        {"radius": HALF, "rho": RHO, "n": COUNT},
        lambda radius, rho, n: (
            khinchine_divergence_ball_complexity(radius, rho, n, order=1e10),
            radius / math.sqrt(n),
        ),
        rtol=1e-8,
    ),
)


def _slope_root(rho: float, order: float) -> float:
    """c with (1 + rho)^(1/k) ((c - 1) / (c + 1))^(1/(k-1)) = 1."""
    share = (1 + rho) ** (-(order - 1) / order)
    return float((1 + share) / (1 - share))
