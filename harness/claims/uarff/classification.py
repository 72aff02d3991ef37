"""Assumption B.1 and Remark 14: losses of classification, and what they say of wrong labels."""

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Forall, always, claim, grid

from .defects import REMARK_14


@claim(
    "uarff/B.1",
    always(),
    cite="uarff, Assumption B.1 and Remark 14: hinge and logistic loss",
    over=grid(loss=["hinge", "logistic"]),
    sizes="both losses that the remark names, either label, all predictions",
)
def losses_of_classification_are_lipschitz(forall: Forall, *, loss: str):
    """|l(y, u) - l(y, v)| <= |u - v| for the hinge and the logistic loss: B.1 with L = 1.

    The constant cannot be smaller. The squared hinge loss, for one, has none.
    """
    u, v, y = forall.real("u"), forall.real("v"), forall.signs("y")
    first, second = (_loss(loss, y * value) for value in (u, v))
    return (first - second).abs(), (u - v).abs()


def _loss(name: str, margin: Tensor) -> Tensor:
    return (1 - margin).clamp_min(0) if name == "hinge" else softplus(-margin)


@claim(
    "uarff/rem-14",
    always(),
    reading="inferred",
    expected="refuted",
    cite="uarff, Remark 14, with the excess risk of Section 2.1 and the unit ball of Assumption 1",
    defect=REMARK_14,
)
def wrong_labels_cost_at_most_the_excess_over_the_unit_ball(forall: Forall):
    """E 1[y g <= 0] - E 1[y f_H <= 0] <= E l_g - E l_gH for the hinge loss l and every g of the unit ball.

    The paper calls E l_g - E l_gH excess risk, g_H the best function of the ball. One point, k = b^2, so that g_H = b
    if P(y = 1) > 1/2: for y = 1 surely and g slightly below zero the sides are 1 and b. The remark cites sources, where
    the minimum is over all functions, and may mean that.
    """
    p, b = forall.interval("p", 0.5, 1.0), forall.interval("b", 0.01, 1.0)
    g = b * forall.interval("g / b", -1.0, 1.0)
    return (2 * p - 1) * (g < 0), (2 * p - 1) * (b - g)


@claim(
    "uarff/rem-14",
    always(),
    reading="corrected",
    cite="uarff, Remark 14, with minima over all functions",
    over=grid(points=[1, 2, 5]),
    restricts="the excess over all functions, not over f_H and g_H of the unit ball; one, two and five points, all "
    "distributions, predictions in [-3, 3]",
)
def wrong_labels_cost_at_most_the_hinge_loss(forall: Forall, *, points: int):
    """E 1[y g <= 0] - min E 1[y f <= 0] <= E (1 - y g)_+ - min E (1 - y f)_+ for every prediction g.

    The minima are over all functions f, as in the source; the remark needs g_H to attain that of the hinge loss. A
    prediction of zero is counted as +1. Equality where g is zero on the side
    of the wrong label.
    """
    law, p = forall.simplex("law", points), forall.interval("p", 0.0, 1.0, points)
    g = forall.interval("g", -3.0, 3.0, points)
    wrong = (law * (2 * p - 1).abs() * ((g >= 0) != (p >= 0.5))).sum(-1)
    hinge = p * (1 - g).clamp_min(0) + (1 - p) * (1 + g).clamp_min(0)
    return wrong, (law * (hinge - 2 * torch.minimum(p, 1 - p))).sum(-1)
