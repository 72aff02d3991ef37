"""From a search over biases to a verdict, against the exact worst case (tests/oracles/coin_flips.json)."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from harness.kinds import high_probability
from harness.language.registry import Claim, claim
from harness.run.api import check
from harness.verdict import Status
from tests.helpers import bare_check

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "coin_flips.json").read_text())
DELTA = ORACLE["delta"]


def _claim(n: int, c: int) -> Claim:
    @claim(f"oracle/coin-{n}-{c}", high_probability("delta"), over=[{"n": n, "delta": DELTA}])
    def coin(forall, draw, *, n, delta):
        """|mean - p| <= sqrt(log(2/delta) / (c n))."""
        p = forall.interval("p", 0.0, 1.0)
        return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (c * n))

    return coin


def _exact(n: int, c: int, p: float) -> float:
    """P(|X/n - p| > eps), summed over the counts."""
    eps = math.sqrt(math.log(2 / DELTA) / (c * n))
    return sum(stats.binom.pmf(k, n, p) for k in range(n + 1) if abs(k / n - p) > eps)


@pytest.mark.in_turn
@pytest.mark.parametrize("row", ORACLE["table"], ids=lambda r: f"n={r['n']}, c={r['c']}")
def test_the_verdict_is_the_truth(row: dict[str, Any]) -> None:
    """Refuted exactly where the worst bias exceeds delta, and convicted at a bias that truly does."""
    for seed in range(5):
        judged = bare_check if seed else check  # with what a verdict says beside its status, under one seed
        verdict = judged(_claim(row["n"], row["c"]), seed=seed, effort="quick", family=40)
        if row["worst_probability"] <= DELTA:
            assert verdict.status in (Status.HOLDS, Status.PROVED)
            continue
        assert verdict.status is Status.REFUTED
        assert verdict.counterexample is not None
        found = verdict.counterexample.counterexample
        assert found is not None
        truth = _exact(row["n"], row["c"], found.values["p"])
        assert truth > DELTA
        assert truth <= row["worst_probability"] + 1e-3  # the oracle's grid
