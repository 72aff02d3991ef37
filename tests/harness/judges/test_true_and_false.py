"""Every kind of statement with a true and tight claim, and with a false one, under many seeds.

No true claim may be refuted, and every false one must be. The true ones are tight on purpose (equality is attained, or
the violation probability is exactly delta): slack would hide a judge that accuses too easily.
"""

import math
import shlex

import pytest

from harness.evidence.bernoulli import sample_size
from harness.kinds import always, high_probability
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.run.replaying import replay
from harness.verdict import Status, Verdict
from tests.harness.judges.false_claims import FALSE
from tests.harness.judges.true_claims import CERTIFIED, TRUE, exact_delta, hoeffding, sign_sum, worst_bias
from tests.helpers import bare_check

SEEDS = range(sample_size(1e-6, 1e-3, 0.0, 0.5)[0])
"""Of each claim: a judge that errs in half of the runs is missed with probability 1e-3, and by all claims of a kind far
less. The zoos judge more claims, and every night each under more seeds."""
IN_FULL = range(3)
"""The seeds under which a counterexample is simplified, too, before it is replayed."""


@pytest.mark.in_turn
@pytest.mark.parametrize("made", TRUE, ids=lambda c: c.id)
def test_no_true_claim_is_refuted_under_any_seed(made: Claim) -> None:
    verdicts = [bare_check(made, seed=seed) for seed in SEEDS]
    assert all(v.status.favourable or v.status is Status.UNDECIDED for v in verdicts)


@pytest.mark.in_turn
@pytest.mark.parametrize("made", FALSE, ids=lambda c: c.id)
def test_every_false_claim_is_refuted_under_every_seed_with_a_replay_that_shows_it(made: Claim) -> None:
    for seed in SEEDS:
        verdict = check(made, seed=seed, effort="quick") if seed in IN_FULL else bare_check(made, seed=seed)
        assert verdict.status is Status.REFUTED, f"seed {seed}"
        _assert_counterexample_replays(verdict)


def _assert_counterexample_replays(verdict: Verdict) -> None:
    cell = verdict.counterexample
    assert cell is not None
    assert cell.replay is not None
    words = shlex.split(cell.replay)
    assert words[:2] == ["tightrope", "replay"]
    assert cell.counterexample is not None
    trials = int(words[words.index("--trials") + 1]) if "--trials" in words else 100_000
    again = replay(verdict.claim, cell.params, cell.counterexample.values, trials=trials, seed=12345)
    assert again.violated, again.sentence


@pytest.mark.in_turn
@pytest.mark.parametrize("made", CERTIFIED, ids=lambda c: c.id)
def test_true_claims_hold(made: Claim) -> None:
    assert check(made).status.favourable


def test_a_probability_of_exactly_delta_stays_undecided_and_says_why() -> None:
    verdict = check(exact_delta, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "too close to delta" in verdict.reason


def test_a_probability_of_exactly_delta_holds_where_all_outcomes_are_known() -> None:
    verdict = check(worst_bias, effort="quick")
    assert verdict.status is Status.HOLDS
    assert verdict.cells[0].details.probability == pytest.approx(0.1, rel=1e-9)


def test_closest_approach_and_looseness_of_a_tight_inequality() -> None:
    verdict = check(sign_sum, effort="quick")
    assert verdict.cells[0].worst_ratio == pytest.approx(1.0)
    assert verdict.looseness == pytest.approx(1.0)
    assert verdict.detectable_factor == pytest.approx(1.0)


@pytest.mark.in_turn
def test_detectable_factor_is_honest() -> None:
    """What the rows say they would have refuted, they do refute: the claim with that factor on the right, same seed."""
    verdict = check(hoeffding, seed=3)
    factor = verdict.detectable_factor
    assert factor is not None
    assert 0.3 < factor < 1.0

    @claim("derived/hoeffding", high_probability("delta"), over=grid(n=[30], delta=[0.05]))
    def shrunk(forall, draw, *, n, delta):
        """The same with a smaller right side."""
        lhs, rhs = hoeffding.body(forall, draw, n=n, delta=delta)
        return lhs, 0.98 * factor * rhs

    assert check(shrunk, seed=3).status is Status.REFUTED


def test_looseness_is_the_ratio_at_level_one_minus_delta() -> None:
    """u <= 4 with probability 0.9: the 0.9-quantile of u/4 is 0.225, so the bound is loose by 1/0.225."""

    @claim("judges/loose", high_probability("delta"), over=grid(delta=[0.1]))
    def loose(draw, *, delta):
        """u <= 4."""
        return draw.uniform("u"), 4.0

    verdict = check(loose)
    low, high = verdict.cells[0].looseness_interval or (math.nan, math.nan)
    assert low * 0.99 <= 1 / 0.225 <= high * 1.01
    assert verdict.looseness == pytest.approx(1 / 0.225, rel=0.05)
    assert 1.0 < high / low < 1.1


def _vacuous(right: float) -> Claim:
    @claim("judges/vacuous", always(), trivial=1.0)
    def body(forall):
        """x <= c for x in [0, 1]."""
        return forall.interval("x", 0.0, 1.0), right

    return body


def test_a_bound_beyond_its_trivial_value_in_every_cell_is_vacuous() -> None:
    assert check(_vacuous(1.5), effort="quick").status is Status.VACUOUS
    assert check(_vacuous(1.5), effort="quick").as_expected is True
    assert check(_vacuous(1.0 + 1e-9), effort="quick").status is Status.VACUOUS

    @claim("judges/half-vacuous", high_probability("delta"), trivial=1.0, over=grid(c=[0.96, 3.0], delta=[0.1]))
    def half(draw, *, c, delta):
        """u <= c."""
        return draw.uniform("u"), c

    assert check(half, effort="quick").status is Status.HOLDS
