"""Convergence of the margin game, its value, and concentration of the Fourier potential."""

from bounds.margin_game.fourier_potential import (
    derivative_bound,
    expected_potential,
    lipschitz_constant,
    point_lipschitz_constant,
    printed_lipschitz_constant,
    printed_point_lipschitz_constant,
    printed_replacement_change,
    replacement_change,
)
from bounds.margin_game.game import (
    adagrad_convergence,
    convergence,
    posterior_convergence,
    printed_convergence,
    printed_play_convergence,
    squared_hinge_convergence,
    trivial_gap,
)
from bounds.margin_game.online import (
    decreasing_step_regret,
    diameter,
    gradient_norm,
    online_ascent_regret,
    printed_diameter,
    printed_gradient_norm,
)
from bounds.margin_game.potential_concentration import (
    labelled_potential_tail,
    potential_sample_size,
    potential_tail,
    printed_potential_sample_size,
    printed_potential_tail,
)
from bounds.margin_game.sign_patterns import (
    error_deficit,
    log_sign_patterns,
    printed_share,
    sign_pattern_gap,
)
from bounds.margin_game.sphere import (
    harmonic_dimension,
    harmonic_potential_bound,
    printed_harmonic_dimension,
    printed_harmonic_potential_bound,
    surface_area,
)
from bounds.margin_game.value import (
    margin_ratio_loss,
    printed_margin_ratio_loss,
    printed_weak_learner_value,
    value_lower_bound,
    weak_learner_value,
)

__all__ = [
    "adagrad_convergence",
    "convergence",
    "decreasing_step_regret",
    "derivative_bound",
    "diameter",
    "error_deficit",
    "expected_potential",
    "gradient_norm",
    "harmonic_dimension",
    "harmonic_potential_bound",
    "labelled_potential_tail",
    "lipschitz_constant",
    "log_sign_patterns",
    "margin_ratio_loss",
    "online_ascent_regret",
    "point_lipschitz_constant",
    "posterior_convergence",
    "potential_sample_size",
    "potential_tail",
    "printed_convergence",
    "printed_diameter",
    "printed_gradient_norm",
    "printed_harmonic_dimension",
    "printed_harmonic_potential_bound",
    "printed_lipschitz_constant",
    "printed_margin_ratio_loss",
    "printed_play_convergence",
    "printed_point_lipschitz_constant",
    "printed_potential_sample_size",
    "printed_potential_tail",
    "printed_replacement_change",
    "printed_share",
    "printed_weak_learner_value",
    "replacement_change",
    "sign_pattern_gap",
    "squared_hinge_convergence",
    "surface_area",
    "trivial_gap",
    "value_lower_bound",
    "weak_learner_value",
]
