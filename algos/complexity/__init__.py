"""Empirical, local and spectral Rademacher complexities."""

from algos.complexity.local_rademacher import (
    local_fixed_point,
    local_rademacher_complexity,
    local_suprema,
    sub_root_fixed_point,
)
from algos.complexity.rademacher import (
    all_signs,
    unit_ball_rademacher_complexity,
)
from algos.complexity.spectral_rademacher import (
    ComplexityBracket,
    frequencies_rademacher_complexity,
    spectral_rademacher_complexity,
)

__all__ = [
    "ComplexityBracket",
    "all_signs",
    "frequencies_rademacher_complexity",
    "local_fixed_point",
    "local_rademacher_complexity",
    "local_suprema",
    "spectral_rademacher_complexity",
    "sub_root_fixed_point",
    "unit_ball_rademacher_complexity",
]
