"""What a proof leaves open is where the claim is false, if it is: the search begins there, too."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import always, check, claim
from harness.certify.proof import Proof, Unproved, prove
from harness.language.anatomy import anatomy
from harness.verdict import Status

PLACE, WIDTH = 0.717171, 1e-6

NEEDLES: dict[str, Callable[[Tensor], Tensor]] = {
    "a hat": lambda x: 2.0 * (1.0 - ((x - PLACE) / WIDTH).abs().clamp(0.0, 1.0)),
    "a half circle": lambda x: 2.0 * torch.sqrt(torch.relu(1.0 - ((x - PLACE) / WIDTH) ** 2)),
    "two logistic curves": lambda x: 2.0 * torch.sigmoid(1e7 * (x - PLACE)) * torch.sigmoid(1e7 * (PLACE + 3e-6 - x)),
    "an angle": lambda x: torch.atan2(WIDTH + 0.0 * x, (x - PLACE).abs()) / math.pi * 3.0,
    "a distance": lambda x: 2.0 * WIDTH / torch.hypot(x - PLACE, torch.full_like(x, WIDTH)),
}


def _below(height: Callable[[Tensor], Tensor], bound: float) -> Any:
    def needle(forall):
        """A height is at most a bound."""
        return height(forall.interval("x", 0.0, 1.0)), bound

    return claim("leads/needle", always())(needle)


@pytest.mark.parametrize("height", NEEDLES.values(), ids=NEEDLES.keys())
def test_a_needle_is_found_where_the_proof_stays_open(height: Callable[[Tensor], Tensor]) -> None:
    """One millionth of the interval: points from everywhere and slopes miss it."""
    verdict = check(_below(height, 1.0), effort="standard")
    assert verdict.status is Status.REFUTED
    (cell,) = verdict.cells
    assert cell.counterexample is not None
    assert cell.counterexample.values["x"] == pytest.approx(PLACE, abs=10.0 * WIDTH)


@pytest.mark.parametrize("height", NEEDLES.values(), ids=NEEDLES.keys())
def test_one_that_is_low_enough_is_not_accused(height: Callable[[Tensor], Tensor]) -> None:
    assert check(_below(height, 2.0), effort="quick").status in (Status.PROVED, Status.HOLDS)


def test_leads_are_points_of_the_sets_and_a_weaker_proof_has_them_too() -> None:
    def ball(forall):
        """|x|_1 <= 1.999 |x|_2 in four dimensions: false at one point of the sphere."""
        x = forall.ball("x", 4)
        return x.abs().sum(-1), 1.999 * x.norm(dim=-1)

    made = claim("leads/ball", always())(ball)
    found = prove(made, {}, anatomy(made, {}), boxes=2_000)
    assert isinstance(found, Proof | Unproved)
    assert found.leads
    points = torch.tensor([lead["x"] for lead in found.leads], dtype=torch.float64)
    assert bool(anatomy(made, {}).spaces[0].contains(points).all())

    def peak(forall):
        """sin x <= 0.9999: false by less than a thousandth."""
        return torch.sin(forall.interval("x", 0.0, 3.0)), 0.9999

    made = claim("leads/peak", always())(peak)
    found = prove(made, {}, anatomy(made, {}), boxes=2_000)
    assert isinstance(found, Proof)
    assert found.c == 1.001
    assert min(abs(lead["x"] - math.pi / 2.0) for lead in found.leads) < 0.02
