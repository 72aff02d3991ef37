"""Rademacher complexities and margin bounds."""

from bounds.complexity.local_rademacher import (
    fixed_point,
    fixed_point_bound,
    local_complexity,
    printed_fixed_point_bound,
    printed_local_complexity,
    refined_excess_risk,
    truncated_trace,
)
from bounds.complexity.margin import (
    margin_excess_risk,
)
from bounds.complexity.rademacher import (
    divergence_ball_complexity,
    fourth_moment_divergence_ball_complexity,
    khinchine_divergence_ball_complexity,
    printed_divergence_ball_complexity,
    printed_unit_ball_complexity,
    unit_ball_complexity,
)
from bounds.complexity.spectral_class import (
    expected_sign_sum,
    printed_margin_vacuous_sample,
    printed_spectral_complexity,
    printed_spectral_margin_excess,
    spectral_complexity,
    spectral_margin_excess,
    uniform_spectral_margin_excess,
)

__all__ = [
    "divergence_ball_complexity",
    "expected_sign_sum",
    "fixed_point",
    "fixed_point_bound",
    "fourth_moment_divergence_ball_complexity",
    "khinchine_divergence_ball_complexity",
    "local_complexity",
    "margin_excess_risk",
    "printed_divergence_ball_complexity",
    "printed_fixed_point_bound",
    "printed_local_complexity",
    "printed_margin_vacuous_sample",
    "printed_spectral_complexity",
    "printed_spectral_margin_excess",
    "printed_unit_ball_complexity",
    "refined_excess_risk",
    "spectral_complexity",
    "spectral_margin_excess",
    "truncated_trace",
    "uniform_spectral_margin_excess",
    "unit_ball_complexity",
]
