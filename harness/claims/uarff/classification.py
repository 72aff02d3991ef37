"""Assumption B.1 and Remark 14: losses of classification, and what they say of wrong labels."""

import torch
from torch import Tensor
from torch.nn.functional import softplus

from harness import Forall, always, claim, grid


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
    cite="uarff, Remark 14",
    over=grid(points=[1, 2, 5]),
    sizes="all distributions on one, two and five points, all predictions in [-3, 3]",
)
def wrong_labels_cost_at_most_the_hinge_loss(forall: Forall, *, points: int):
    """E 1[y g <= 0] - min E 1[y f <= 0] <= E (1 - y g)_+ - min E (1 - y f)_+ for every prediction g.

    The minima are over all functions f, as in the source: an excess over a g_H of the unit ball may be smaller, and the
    remark needs g_H to attain the minimum. A prediction of zero is counted as +1. Equality where g is zero on the side
    of the wrong label.
    """
    law, p = forall.simplex("law", points), forall.interval("p", 0.0, 1.0, points)
    g = forall.interval("g", -3.0, 3.0, points)
    wrong = (law * (2 * p - 1).abs() * ((g >= 0) != (p >= 0.5))).sum(-1)
    hinge = p * (1 - g).clamp_min(0) + (1 - p) * (1 + g).clamp_min(0)
    return wrong, (law * (hinge - 2 * torch.minimum(p, 1 - p))).sum(-1)
