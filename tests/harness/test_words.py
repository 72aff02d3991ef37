"""What a verdict says of its trials is true where none were drawn: outcomes were added up, or all inputs covered."""

import json
import math
from typing import Any

import pytest
import torch

from harness import always, check, claim, expectation, grid, high_probability, tail
from harness.verdict import Status, Verdict


@claim("words/coins", high_probability("delta"), over=grid(n=[8, 400], delta=[0.05]))
def coins(forall: Any, draw: Any, *, n: int, delta: float) -> Any:
    """|mean - p| <= sqrt(log(2/delta) / (2 n)), by enumeration for eight coins."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim("words/event", tail(), expected="refuted", over=grid(n=[4]))
def event(forall: Any, draw: Any, *, n: int) -> Any:
    """P(at most one head in n flips) <= 1/5 for p >= 1/2."""
    p = forall.interval("p", 0.5, 1.0)
    return draw.bernoulli("x", p, n).sum(-1) <= 1, 0.2


@claim("words/mean", expectation(range=(-1.0, 1.0)), expected="refuted", over=grid(n=[4]))
def mean(forall: Any, draw: Any, *, n: int) -> Any:
    """E |mean - p| <= 1/10."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), 0.1


@claim("words/drawn", tail(), over=grid(n=[3]))
def drawn(forall: Any, draw: Any, *, n: int) -> Any:
    """P(mean of n uniform numbers >= t) <= 1/(2 t)."""
    t = forall.interval("t", 0.1, 1.0)
    return draw.uniform("x", n).mean(-1) >= t, 1 / (2 * t)


@pytest.fixture(scope="module")
def judged() -> dict[str, Verdict]:
    return {made.id: check(made, effort="quick") for made in (coins, event, mean, drawn)}


def test_cells_that_were_enumerated_are_told_from_cells_that_were_drawn(judged: dict[str, Verdict]) -> None:
    verdict = judged["words/coins"]
    exact, sampled = verdict.cells
    assert (exact.status, sampled.status) == (Status.PROVED, Status.HOLDS)
    said, proved = verdict.claim.kind.tried(verdict)
    assert "judged on all 256 outcomes, each with its probability, in one cell, and on " in said
    assert said.endswith(f" {sampled.trials:,} fresh trials, in one cell.")
    assert "random numbers" not in said
    assert proved.startswith("Then, in one cell, it was proved for all inputs")


@pytest.mark.parametrize("id", ["words/event", "words/mean"])
def test_an_exact_refutation_speaks_of_no_trial(judged: dict[str, Verdict], id: str) -> None:
    verdict = judged[id]
    assert verdict.status is Status.REFUTED
    said = str(verdict).partition("Replay:")[0] + verdict.claim.kind.conviction(verdict)
    assert "trials" not in said
    assert "+-" not in said
    assert "random" not in said
    assert "exactly, " in said
    assert "Refuted exactly" in said


def test_trials_that_were_drawn_are_called_so(judged: dict[str, Verdict]) -> None:
    verdict = judged["words/drawn"]
    (said,) = verdict.claim.kind.tried(verdict)
    assert "distributions with common random numbers" in said
    assert said.endswith(f"judged on {verdict.trials:,} fresh trials.")
    assert "over all" not in str(verdict)


@claim("words/negative", high_probability("delta"), over=grid(delta=[0.1]))
def negative(draw: Any, *, delta: float) -> Any:
    """-|x| <= 1 for normal x."""
    return -draw.normal("x").abs(), 1.0


def test_no_factor_of_zero_is_said() -> None:
    said = str(check(negative, effort="quick"))
    assert "the left side is not above zero here" in said
    assert "factor" not in said
    assert "divided by" not in said


@claim("words/cycle", always(), expected="refuted")
def cycle(forall: Any) -> Any:
    """No permutation is (1, 2, 0), and no graph on three vertices is complete."""
    order, graph = forall.permutation("p", 3), forall.graph("G", 3)
    turned = (order == torch.tensor([1, 2, 0], device=order.device)).all(-1).to(graph.dtype)
    return turned * graph.sum((-1, -2)), 5.0


def test_a_counterexample_shows_what_its_numbers_stand_for() -> None:
    said = str(check(cycle, effort="quick"))
    shown = next(line for line in said.splitlines() if line.startswith("Counterexample: "))
    made = json.loads(shown.removeprefix("Counterexample: "))["made"]
    assert made == {"p": [1, 2, 0], "G": [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]}
    assert '"made"' not in str(check(event, effort="quick"))
