"""The margin game: play, projections, exact best weights, values and certificates."""

from algos.margin_game.certificate import (
    FeaturePlayer,
    GameCertificate,
    average_regret,
    game_certificate,
    measure_maximum,
    regret_certificate,
)
from algos.margin_game.cone_ball import (
    project_cone_ball,
)
from algos.margin_game.excessive_gap import (
    NearEquilibrium,
    excessive_gap,
)
from algos.margin_game.game import (
    margin_payoff,
    margin_payoff_gradient,
    play_margin_game,
)
from algos.margin_game.maximum import (
    MarginMaximum,
    margin_maximum,
)
from algos.margin_game.measure import (
    DualMeasure,
    dual_measure,
    measure_features,
)
from algos.margin_game.online import (
    OnlineAscent,
    adagrad_norm_step,
    decreasing_step,
    linear_regret,
    online_gradient_ascent,
)
from algos.margin_game.projection import (
    BoxHyperplane,
    alternating_projection,
    project_box_hyperplane,
)
from algos.margin_game.squared_hinge import (
    play_squared_hinge_game,
    strongly_concave_step,
)
from algos.margin_game.value import (
    MarginValue,
    margin_lower_bound,
    margin_value,
)

__all__ = [
    "BoxHyperplane",
    "DualMeasure",
    "FeaturePlayer",
    "GameCertificate",
    "MarginMaximum",
    "MarginValue",
    "NearEquilibrium",
    "OnlineAscent",
    "adagrad_norm_step",
    "alternating_projection",
    "average_regret",
    "decreasing_step",
    "dual_measure",
    "excessive_gap",
    "game_certificate",
    "linear_regret",
    "margin_lower_bound",
    "margin_maximum",
    "margin_payoff",
    "margin_payoff_gradient",
    "margin_value",
    "measure_features",
    "measure_maximum",
    "online_gradient_ascent",
    "play_margin_game",
    "play_squared_hinge_game",
    "project_box_hyperplane",
    "project_cone_ball",
    "regret_certificate",
    "strongly_concave_step",
]
