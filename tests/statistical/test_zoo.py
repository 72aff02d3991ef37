"""The zoos are what they say: falsehoods are false by the stated size and found, truths are tight and left alone."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import stats

from harness.evidence.bernoulli import log_e_above
from harness.judges.base import load
from harness.judges.deterministic import DeterministicJudge
from harness.judges.random import RandomJudge
from harness.judges.trials import Moments, Shares
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate
from harness.report.terminal import Terminal
from harness.run.api import check
from harness.selftest import falsehoods, runner, truths
from harness.selftest.entries import Falsehood, Truth
from harness.selftest.runner import self_test
from harness.selftest.theory import FAMILY, MISS, allowed, from_counts, from_volume, threshold
from harness.settings import ALPHA, EFFORTS, QUICK, STANDARD, Settings
from harness.verdict import Status
from tests.helpers import bare_check
from tests.statistical.zoo import FALSEHOODS, INEQUALITIES, TRUTHS

DETECTABLE = [entry for entry in FALSEHOODS if entry.detectable]
DETERMINISTIC = [entry for entry in FALSEHOODS if isinstance(entry.claim.kind, Always | Identity)]
TAILS = [entry for entry in FALSEHOODS if isinstance(entry.claim.kind, HighProbability)]
MEANS = [entry for entry in FALSEHOODS if isinstance(entry.claim.kind, Expectation)]


def _named(entries: list[Falsehood] | list[Truth]) -> list[object]:
    return [pytest.param(entry, id=entry.claim.id.removeprefix("zoo/")) for entry in entries]


def test_the_zoos_are_as_large_and_as_varied_as_promised() -> None:
    ids = [entry.claim.id for entry in (*FALSEHOODS, *TRUTHS)]
    assert len(set(ids)) == len(ids)
    assert 60 <= len(DETECTABLE) < len(FALSEHOODS) < FAMILY  # some are undetectable, or theory would say nothing
    assert len(TRUTHS) >= 20
    for kind in (Always, Identity, HighProbability, Expectation, Rate):
        assert sum(isinstance(entry.claim.kind, kind) for entry in FALSEHOODS) >= 10
        assert sum(isinstance(entry.claim.kind, kind) for entry in TRUTHS) >= 4
    assert all(entry.why and entry.size for entry in FALSEHOODS)


def test_the_sample_of_the_self_test_holds_every_kind_and_something_out_of_reach() -> None:
    """A kind that is left out would go unjudged at the user's desk."""
    for kind in (Always, Identity, HighProbability, Expectation, Rate):
        assert sum(isinstance(entry.claim.kind, kind) for entry in falsehoods.FALSEHOODS) >= 7
        assert sum(isinstance(entry.claim.kind, kind) for entry in truths.TRUTHS) >= 4
    assert 0 < sum(not entry.detectable for entry in falsehoods.FALSEHOODS) < 12


@pytest.mark.in_turn
@pytest.mark.parametrize("entry", _named(DETERMINISTIC))
def test_a_deterministic_falsehood_is_violated_at_its_witness(entry: Falsehood) -> None:
    """A zoo entry that is true would teach the search to find what is not there."""
    judge = entry.claim.kind.judge(entry.claim, {}, Settings())
    assert isinstance(judge, DeterministicJudge)
    found = judge.replay(load([entry.witness]))  # refuses a witness outside its set
    assert found.lhs != found.rhs
    assert found.excess > 0.0 or "below the stated tolerance" in entry.why


@pytest.mark.parametrize("inequality", INEQUALITIES, ids=lambda tight: tight.name)
def test_an_inequality_is_tight_at_its_equality_case_and_off_by_the_factor_when_scaled(inequality) -> None:
    truth, scaled = inequality.truth(), inequality.falsehood(1.25)
    for claim, factor in ((truth.claim, 1.0), (scaled.claim, 1.25)):
        judge = claim.kind.judge(claim, {}, Settings())
        assert isinstance(judge, DeterministicJudge)
        found = judge.replay(load([inequality.equality]))
        assert found.lhs / found.rhs == pytest.approx(factor, rel=1e-7)


def _replayed(entry: Falsehood, trials: int) -> Any:
    params = entry.claim.groups()[0]
    judge = entry.claim.kind.judge(entry.claim, params, Settings())
    assert isinstance(judge, RandomJudge)
    return judge.replay(load([entry.witness]) if entry.witness else {}, trials, 11)


@pytest.mark.parametrize("entry", _named(TAILS))
def test_a_false_tail_has_the_stated_violation_probability(entry: Falsehood) -> None:
    """False alarms: two exact binomial tails of 1e-7 each. A probability wrong by a tenth is seen at most sizes."""
    assert entry.probability is not None
    assert entry.probability > entry.claim.groups()[0]["delta"]
    found = _replayed(entry, 40_000)
    if isinstance(found, Shares):
        assert found.probability == pytest.approx(entry.probability, rel=1e-9)
        return
    trials, violations = int(found.trials), int(found.violations)
    low, high = stats.binom.ppf([1e-7, 1.0 - 1e-7], trials, entry.probability)
    assert low <= violations <= high


@pytest.mark.parametrize("entry", _named(MEANS))
def test_a_false_mean_has_the_stated_excess(entry: Falsehood) -> None:
    """False alarms: about 1e-8 (5.7 standard errors of 40,000 draws)."""
    assert entry.mean is not None
    assert entry.mean > 0.0
    found = _replayed(entry, 40_000)
    if isinstance(found, Moments):
        assert found.excess == pytest.approx(entry.mean, rel=1e-9)
        return
    assert abs(found.mean_excess - entry.mean) <= 5.7 * found.standard_error + 1e-12


@pytest.mark.parametrize("trials_of", [QUICK, STANDARD], ids=lambda effort: effort.name)
def test_theory_of_counts_agrees_with_the_evidence_it_speaks_about(trials_of) -> None:
    """`detectable` means: at the last look, only counts of total probability MISS leave the evidence too small."""
    trials, delta, p = trials_of.maximum_trials, 0.05, 0.0625
    counts = np.arange(int(trials * delta), int(trials * 0.08))
    seen = np.array([log_e_above(int(k), trials, delta) >= threshold() for k in counts])
    miss = stats.binom.cdf(counts[seen.argmax()] - 1, trials, p)
    assert from_counts(p, delta)(trials_of).detectable == (miss <= MISS)
    assert f"{miss:.2g}" in from_counts(p, delta)(trials_of).why


def test_theory_of_volumes() -> None:
    assert from_volume(0.01)(STANDARD).detectable  # 0.99^4096 = 1e-18
    assert not from_volume(1e-3)(STANDARD).detectable  # 0.999^4096 = 0.017


@pytest.mark.in_turn
@pytest.mark.parametrize("entry", _named(DETECTABLE))
def test_every_detectable_falsehood_is_refuted_at_the_standard_effort(entry: Falsehood) -> None:
    assert bare_check(entry.claim, effort="standard", family=FAMILY).status is Status.REFUTED, entry.why


@pytest.mark.nightly
@pytest.mark.parametrize("entry", _named(DETECTABLE))
def test_every_detectable_falsehood_is_refuted_under_every_seed(entry: Falsehood) -> None:
    missed = [
        seed
        for seed in range(1, 21)
        if check(entry.claim, seed=seed, effort="standard", family=FAMILY).status is not Status.REFUTED
    ]
    assert missed == []


def _refuted_seeds(truth: Truth, seeds: range, effort: str) -> list[int]:
    """The seeds under which it is; what a verdict says beside its status is found out under the first of them."""
    statuses = {
        seed: (bare_check if seed != seeds[0] else check)(truth.claim, seed=seed, effort=effort).status
        for seed in seeds
    }
    assert Status.ERROR not in statuses.values()
    return [seed for seed, status in statuses.items() if status is Status.REFUTED]


@pytest.mark.in_turn
@pytest.mark.parametrize("truth", _named(TRUTHS))
def test_no_truth_is_refuted_more_often_than_promised(truth: Truth) -> None:
    """Each is a run of its own: P(REFUTED) <= 1 %, so a random one may be refuted `allowed(3, 1 %)` = 1 time of 3."""
    seeds = range(3)
    limit = 0 if truth.deterministic else allowed(len(seeds), ALPHA)
    assert len(_refuted_seeds(truth, seeds, "quick")) <= limit


@pytest.mark.nightly
@pytest.mark.parametrize("truth", _named(TRUTHS))
def test_no_truth_is_refuted_more_often_than_promised_over_400_seeds(truth: Truth) -> None:
    """At most `allowed(400, 1 %)` = 11 refutations of a random truth, exact binomial tail 1e-3; none otherwise."""
    limit = 0 if truth.deterministic else allowed(400, ALPHA)
    assert len(_refuted_seeds(truth, range(400), "quick")) <= limit


@pytest.mark.parametrize(("runs", "alpha"), [(3, 0.01), (400, 0.01), (8000, 0.01), (20, 0.5)])
def test_the_allowed_number_of_false_verdicts_is_the_exact_binomial_quantile(runs: int, alpha: float) -> None:
    def more_than(k: int) -> float:
        return sum(
            math.comb(runs, i) * alpha**i * (1.0 - alpha) ** (runs - i) for i in range(k + 1, min(runs, 500) + 1)
        )

    limit = allowed(runs, alpha)
    if runs < 1000:
        assert more_than(limit) <= 1e-3 < more_than(limit - 1)
    else:
        assert stats.binom.sf(limit, runs, alpha) <= 1e-3 < stats.binom.sf(limit - 1, runs, alpha)


def test_the_self_test_fails_when_a_falsehood_is_missed_or_a_truth_refuted() -> None:
    """A self-test that cannot fail would prove nothing: hand it the zoos with their labels exchanged."""
    truth = next(t for t in TRUTHS if t.claim.id == "zoo/true-interior")
    lie = next(f for f in FALSEHOODS if f.claim.id == "zoo/false-interior-1.1")
    mislabelled = replace(lie, claim=truth.claim)
    missed = self_test(effort="quick", falsehoods=[mislabelled], truths=[])
    assert not missed.passed
    assert len(missed.missed) == 1
    accused = self_test(effort="quick", falsehoods=[], truths=[replace(truth, claim=lie.claim)], truth_seeds=1)
    assert not accused.passed
    assert any("falsely refuted: zoo/false-interior-1.1" in line for line in accused.lines())
    honest = self_test(effort="quick", falsehoods=[lie], truths=[truth], truth_seeds=1)
    assert honest.passed
    assert "1 of 1 detectable" in honest.lines()[0]


def test_the_command_line_form_prints_the_lines_and_returns_an_exit_code(monkeypatch) -> None:
    monkeypatch.setattr(runner, "self_test", lambda seed, **_: runner.SelfTest(seed, "standard", missed=["x"]))
    console = Terminal(record=True, width=200)
    assert runner.run_self_test(console, 3) == runner.FAILED
    told = console.export_text()
    assert "missed: x" in told
    assert "tests/statistical/zoo" in told
    assert set(EFFORTS) == {"quick", "standard"}
    assert torch.get_num_threads() == 1
