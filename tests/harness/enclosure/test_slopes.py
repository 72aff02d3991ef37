"""The mean value theorem holds for enclosed slopes: differences of a function over a box lie in what they give."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness.certify.enclosure import Enclosed
from harness.certify.enclosure.slopes import Sloped
from tests.harness.enclosure.boxes import points

COUNT = 2_000
Body = Callable[..., Any]
BODIES: dict[str, Body] = {
    "arithmetic": lambda x, y: x * y + 3.0 * x - y / (x + 5.0) + 2.0 / (y + 4.0) - (1.0 - x),
    "powers": lambda x, y: x**3 - y.square() + (x + 4.0) ** 1.5 + (y + 4.0) ** -0.5 + 2.0**x + (x + 4.0) ** y,
    "exponentials": lambda x, y: (x * y).exp() + (x + 4.0).log() + y.expm1() + (y + 4.0).log1p() + x.sigmoid(),
    "waves": lambda x, y: (2.0 * x).sin() * y.cos() + x.tanh() + y.sinh() + x.cosh() + y.atan() + x.erf(),
    "arcs": lambda x, y: (x / 3.0).asin() + (y / 3.0 * x / 3.0).acos() + torch.arcsin(y / 4.0),
    "roots": lambda x, y: (x + 4.0).sqrt() + (y + 4.0).rsqrt() + (x + 4.0).reciprocal() + (y + 4.0).lgamma(),
    "kinks": lambda x, y: (
        x.abs() + torch.maximum(x, y) + torch.minimum(x, 2.0 * y) + x.clamp(-0.5, 0.5) + torch.relu(y)
    ),
    "products": lambda x, y: torch.stack([x, y, x + y], -1).prod(-1) + torch.stack([x, y], -1).cumprod(-1)[..., 1],
    "matrices": lambda x, y: (torch.stack([x, y], -1).unsqueeze(-2) @ torch.stack([y, x * x], -1).unsqueeze(-1))[
        :, 0, 0
    ],
    "lines": lambda x, y: torch.stack([x, y, -x], -1).amax(-1) + torch.stack([x, y * y], -1).amin(-1),
    "sorted": lambda x, y: (torch.stack([x, y, -x], -1).sort(-1).values * torch.tensor([1.0, -2.0, 0.5])).sum(-1),
    "norms": lambda x, y: torch.linalg.vector_norm(torch.stack([x, y], -1), dim=-1) + torch.stack([x, y], -1).var(-1),
    "shares": lambda x, y: (torch.stack([x, y], -1).softmax(-1) * torch.tensor([1.0, 3.0])).sum(-1),
    "sums of powers": lambda x, y: (
        torch.stack([x, y], -1).logsumexp(-1) + torch.stack([x, y], -1).mean(-1).cumsum(0) * 0
    ),
    "choices": lambda x, y: torch.where(x > 10.0, y, x * y) + torch.where(x > -10.0, y, 7.0),
    "moves": lambda x, y: (
        torch.cat([x[:, None], y[:, None]], 1).flip(-1).gather(1, torch.zeros(len(y), 1).long())[:, 0]
    ),
    "broadcast": lambda x, y: (
        (x[:, None] + torch.zeros(3)).sum(-1) - (y[:, None] - torch.zeros(1, 4))[:, 1:].cumsum(-1)[:, 2]
    ),
    "entropy": lambda x, y: torch.special.entr(x + 4.0) + torch.xlogy(y + 4.0, x + 4.0) + torch.xlogy(y + 4.0, y + 4.0),
}


def box(rng: np.random.Generator) -> Enclosed:
    ends = np.sort(rng.uniform(-3.0, 3.0, (2, COUNT)) * rng.choice([1.0, 0.1, 1e-6], COUNT), axis=0)
    return Enclosed(torch.from_numpy(ends[0]), torch.from_numpy(ends[1]))


@pytest.mark.parametrize("name", BODIES)
def test_differences_lie_within_the_slopes(name: str) -> None:
    """Would catch a wrong rule of differentiation, and a kink of which one side was forgotten."""
    rng = np.random.default_rng(5)
    x, y = box(rng), box(rng)
    one = torch.ones(COUNT)
    found = BODIES[name](Sloped(x, (Enclosed(one, one), None)), Sloped(y, (None, Enclosed(one, one))))
    for _ in range(5):
        a, b, c, d = points(x, rng), points(y, rng), points(x, rng), points(y, rng)
        change = BODIES[name](c, d) - BODIES[name](a, b)
        low, high = torch.zeros(COUNT), torch.zeros(COUNT)
        for slope, step in zip(found.slopes, (c - a, d - b), strict=True):
            ends = (torch.zeros(()), torch.zeros(())) if slope is None else (slope.low, slope.high)
            corners = torch.stack([(end * step).nan_to_num(0.0, torch.inf, -torch.inf) for end in ends])
            low, high = low + corners.amin(0), high + corners.amax(0)
        slack = 1e-9 * (1.0 + change.abs())
        assert bool(((low - slack <= change) & (change <= high + slack)).all())


@pytest.mark.parametrize(
    "body",
    [
        lambda x: torch.where(x > 0.0, 1.0, -1.0) * (x + 2.0),
        lambda x: 1.0 / x,
        torch.log,
        lambda x: x.sqrt(),
    ],
    ids=["jump", "pole", "log", "root"],
)
def test_no_slope_is_known_over_a_jump_a_pole_or_the_end_of_a_domain(body: Body) -> None:
    """A pole falls on both sides and jumps up between: its slope must not be taken for negative throughout."""
    one = torch.ones(1)
    x = Sloped(Enclosed(-one, one), (Enclosed(one, one),))
    (slope,) = body(x).slopes
    assert slope.low.item() == -torch.inf
    assert slope.high.item() == torch.inf
