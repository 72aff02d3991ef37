"""Probabilities over boxes: never below the exact ones inside; what is proved of claims that draw is true."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import Draw, Forall, check, claim, grid, high_probability
from harness.certify.enclosure.bounding import Boxes
from harness.certify.enclosure.boxes import Atlas
from harness.certify.enclosure.chance import Chance
from harness.certify.enclosure.statement import Statement
from harness.certify.proof import Proof, Unproved, prove_chance
from harness.judges.findings import Prove
from harness.kinds import HighProbability
from harness.language.anatomy import anatomy
from harness.language.outcomes import counted, over_outcomes
from harness.language.quantifiers import from_values
from harness.language.registry import Claim
from harness.run.loading import ledger
from harness.settings import QUICK, Settings
from harness.verdict import Status


def _hoeffding(constant: float) -> Claim:
    @claim(f"chance/hoeffding-{constant}", high_probability("delta"), over=grid(n=[10], delta=[0.05]))
    def coins(forall: Forall, draw: Draw, *, n: int, delta: float) -> Any:
        """|mean - p| of n coins is below sqrt(log(2/delta) / (constant n))."""
        p = forall.interval("p", 0.0, 1.0)
        return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2.0 / delta) / (constant * n))

    return coins


@claim("chance/counts", high_probability("delta"), over=grid(delta=[0.1]))
def counts(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """Counts of three classes."""
    law = forall.simplex("law", 3)
    found = draw.multinomial("counts", 6, law) / 6.0
    return (found - law).abs().sum(-1), math.sqrt(2.0 * math.log(8.0 / delta) / 6.0)


@claim("chance/mixed", high_probability("delta"), over=grid(delta=[0.25]))
def mixed(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """Signs and classes, with a quantified threshold."""
    t = forall.interval("t", 0.5, 3.0)
    total = draw.signs("s", 3).sum(-1) + draw.categorical("c", [0.2, 0.3, 0.5]) - 1.3
    return total.abs(), t + 1.0 / t


def _violated(body: Claim, values: dict[str, Tensor]) -> float:
    def run(draw: Any) -> Tensor:
        lhs, rhs = body.body(forall=Forall(from_values(values)), draw=draw, **body.cells[0])
        return torch.as_tensor(lhs > rhs * (1.0 + 1e-9)).expand(draw.reps)

    violated, weights = over_outcomes(run)
    return math.fsum(weights[violated].tolist())


@pytest.mark.parametrize("made", [lambda: _hoeffding(8.0), lambda: counts, lambda: mixed])
def test_the_bound_of_a_box_is_above_the_exact_probability_in_it(made: Callable[[], Claim]) -> None:
    body = made()
    parts, rng = anatomy(body, body.cells[0]), np.random.default_rng(0)
    atlas = Atlas(parts.spaces)
    sizes = _sizes(body)
    bound = Chance(Statement(body, body.cells[0], parts.spaces), atlas, sizes, 0.0, 1e-9)
    low, high = atlas.everything()
    for size in (0.5, 0.05, 1e-3, 0.0):
        corner = torch.as_tensor(rng.random((20, low.shape[1])) * (1.0 - size))
        boxes = Boxes(
            *atlas.cut_down((low + corner * (high - low), low + (corner + size) * (high - low))),
            torch.zeros(20, dtype=torch.float64),
            torch.ones(20, dtype=torch.float64),
        )
        boxes = boxes[(boxes.low <= boxes.high).all(-1)]
        left = bound.natural(boxes)
        middle = atlas.values((atlas.middle(boxes.ends),) * 2)
        for i in range(len(boxes)):
            values = {name: ((value.low + value.high) / 2.0)[i : i + 1] for name, value in middle.items()}
            exact = _violated(body, values)
            assert float(left[i]) >= exact * (1.0 - 1e-12)
            if size == 0.0:
                assert float(left[i]) <= exact + 1e-9


def _sizes(body: Claim) -> list[int]:
    parts = anatomy(body, body.cells[0])
    atlas = Atlas(parts.spaces)
    low, high = atlas.everything()
    values = {name: (v.low + v.high) / 2.0 for name, v in atlas.values((atlas.middle((low, high)),) * 2).items()}
    return counted(lambda draw: body.body(forall=Forall(from_values(values)), draw=draw, **body.cells[0]))


def test_hoeffdings_inequality_for_ten_coins_is_proved_and_four_times_its_rate_refuted_exactly() -> None:
    true, false = check(_hoeffding(2.0), effort="quick"), check(_hoeffding(8.0), effort="quick")
    assert true.status is Status.PROVED
    assert false.status is Status.REFUTED
    cell = false.cells[0]
    assert cell.details is not None
    assert cell.details.exact
    assert cell.details.proof is None


def test_a_constant_that_fails_at_some_bias_only_is_not_proved() -> None:
    """The largest violation probability over all p, by enumeration on a fine grid, decides which constants may be."""
    for constant in (2.0, 4.0, 5.0):
        body = _hoeffding(constant)
        worst = max(_violated(body, {"p": torch.tensor([p], dtype=torch.float64)}) for p in np.linspace(0.0, 1.0, 101))
        found = prove_chance(body, body.cells[0], anatomy(body, body.cells[0]), _sizes(body), 0.05, 1e-9, 2000)
        assert not (isinstance(found, Proof) and worst > 0.05)
        assert isinstance(found, Proof) or worst > 0.02


def test_what_stops_it_is_said() -> None:
    body = _hoeffding(8.0)
    found = prove_chance(body, body.cells[0], anatomy(body, body.cells[0]), [1024], 0.05, 1e-9, 200)
    assert isinstance(found, Unproved)
    assert "budget" in found.reason or "equality" in found.reason
    wrong = prove_chance(body, body.cells[0], anatomy(body, body.cells[0]), [512], 0.05, 1e-9, 200)
    assert isinstance(wrong, Unproved)


REFUTED = [c for c in ledger() if isinstance(c.kind, HighProbability) and c.expected == "refuted"]


@pytest.mark.parametrize("refuted", REFUTED, ids=lambda c: c.key)
def test_no_refuted_reading_is_proved(refuted: Claim) -> None:
    found = [
        judge.execute(Prove(boxes=300))
        for params in refuted.cells
        for judge in [refuted.kind.judge(refuted, params, Settings(effort=QUICK))]
    ]
    assert any(isinstance(attempt.proof, Unproved) for attempt in found)
