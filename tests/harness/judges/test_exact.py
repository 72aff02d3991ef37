"""Claims whose draws have few outcomes: verdicts by enumeration beside closed forms, and beside sampling."""

import contextlib
import math
from unittest import mock

import pytest
import torch
from scipy import stats

from harness.evidence.bernoulli import sample_size
from harness.kinds import expectation, high_probability, tail
from harness.language.outcomes import Endless, counted, over_outcomes
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.run.replaying import replay
from harness.verdict import Status
from tests.helpers import bare_check

N, DELTA = 10, 0.05
flips = {"n": [N], "delta": [DELTA]}


def _hoeffding(constant: float) -> Claim:
    @claim(f"exact/hoeffding-{constant:g}", high_probability("delta"), over=grid(**flips))
    def hoeffding(forall, draw, *, n, delta):
        """mean - p <= sqrt(log(1/delta) / (constant n)) for n flips of any coin."""
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", p, n).mean(-1) - p, math.sqrt(math.log(1 / delta) / (constant * n))

    return hoeffding


def _variance(share: float) -> Claim:
    @claim(f"exact/variance-{share:g}", expectation())
    def variance(forall, draw):
        """E (mean - p)^2 <= share p (1 - p) / 5 for five flips; an equality at share = 1."""
        p = forall.interval("p", 0.1, 0.9)
        return (draw.bernoulli("x", p, 5).mean(-1) - p) ** 2, share * p * (1 - p) / 5

    return variance


def _chernoff(exponent: float) -> Claim:
    @claim(f"exact/chernoff-{exponent:g}", tail())
    def chernoff(forall, draw):
        """P(mean >= p + t) <= exp(-exponent n t^2)."""
        p, t = forall.interval("p", 0.0, 1.0), forall.interval("t", 0.01, 0.9)
        return draw.bernoulli("x", p, N).mean(-1) - p >= t, torch.exp(-exponent * N * t**2)

    return chernoff


TRUE = [_hoeffding(2.0), _variance(1.0), _chernoff(2.0)]
FALSE = [_hoeffding(8.0), _variance(0.9999), _chernoff(3.0)]


@pytest.mark.in_turn
@pytest.mark.parametrize("made", TRUE, ids=lambda c: c.id)
def test_what_is_true_holds_exactly_even_with_equality(made: Claim) -> None:
    for seed in range(5):
        verdict = check(made, effort="quick", seed=seed)
        assert verdict.status in (Status.HOLDS, Status.PROVED)
        assert all(cell.details is not None and cell.details.exact for cell in verdict.cells)


@pytest.mark.in_turn
@pytest.mark.parametrize("made", FALSE, ids=lambda c: c.id)
def test_what_is_false_is_refuted_exactly_and_replays(made: Claim) -> None:
    for seed in range(5):
        verdict = check(made, effort="quick", seed=seed)
        assert verdict.status is Status.REFUTED
        cell = verdict.counterexample
        assert cell is not None
        assert cell.counterexample is not None
        again = replay(made, cell.params, cell.counterexample.values)
        assert again.violated
        assert "outcomes" in again.sentence


def test_the_probability_is_the_binomial_one() -> None:
    cell = check(_hoeffding(8.0), effort="quick").cells[0]
    p = cell.counterexample.values["p"]
    most = N * (p + math.sqrt(math.log(1 / DELTA) / (8.0 * N)))
    assert cell.counterexample.frequency == pytest.approx(float(stats.binom.sf(math.floor(most), N, p)), abs=1e-13)


def test_looseness_is_that_of_the_tightest_bias() -> None:
    """For each k the smallest bias with P(wins >= k) > delta."""
    smallest = [float(stats.beta.ppf(DELTA, k, N - k + 1)) for k in range(1, N + 1)]
    excess = max(k / N - p for k, p in zip(range(1, N + 1), smallest, strict=True))
    found = check(_hoeffding(2.0)).looseness
    assert found == pytest.approx(math.sqrt(math.log(1 / DELTA) / (2.0 * N)) / excess, rel=0.02)


def _sampled(made: Claim, seed: int = 0) -> Status:
    with (
        mock.patch("harness.judges.random.counted", side_effect=Endless),
        mock.patch("harness.search.distributions.counted", side_effect=Endless),
    ):
        verdict = bare_check(made, seed=seed, effort="standard")
    assert not any(cell.details.exact for cell in verdict.cells)
    return verdict.status


@pytest.mark.in_turn
@pytest.mark.parametrize("made", [_hoeffding(2.0), _chernoff(2.0)], ids=lambda c: c.id)
def test_sampling_does_not_accuse_what_holds_exactly(made: Claim) -> None:
    assert _sampled(made) is Status.HOLDS
    assert check(made).status in (Status.HOLDS, Status.PROVED)


@pytest.mark.in_turn
@pytest.mark.parametrize("made", [_hoeffding(8.0), _chernoff(3.0)], ids=lambda c: c.id)
def test_sampling_mostly_refutes_what_is_false_exactly(made: Claim) -> None:
    """Where the worst distribution is hardly beyond the bound, some samples leave it open."""
    runs, few = sample_size(1e-3, 1e-3, null=0.05, alternative=0.75)
    assert check(made).status is Status.REFUTED
    assert sum(_sampled(made, seed) is Status.REFUTED for seed in range(runs)) > few


@claim("exact/infinite-right-side", high_probability("delta"), over=grid(delta=[0.1]))
def infinite_right_side(draw, *, delta):
    """A right side that is infinite at one outcome."""
    x = draw.bernoulli("x", 0.5, 3).sum(-1)
    return x, torch.where(x > 2, math.inf, 4.0)


@claim("exact/normal", high_probability("delta"), over=grid(delta=[0.1]))
def normal(draw, *, delta):
    """A law with a density."""
    return draw.normal("z"), 9.0


@claim("exact/many", high_probability("delta"), over=grid(delta=[0.1]))
def many(draw, *, delta):
    """Ten to the thirtieth outcomes."""
    return draw.signs("s", 100).mean(-1), 1.0


@claim("exact/raises", high_probability("delta"), over=grid(delta=[0.1]))
def raises(draw, *, delta):
    """Its body stops at an outcome that has probability 2^-40."""
    x = draw.bernoulli("x", 2.0**-40, 3).sum(-1)
    if bool((x == 3).any()):
        raise ValueError("three rare events at once")
    return x, 4.0


@pytest.mark.parametrize("made", [infinite_right_side, normal, many, raises], ids=lambda c: c.id)
def test_what_cannot_be_enumerated_is_sampled(made: Claim) -> None:
    verdict = check(made, effort="quick")
    assert verdict.status is Status.HOLDS
    assert verdict.trials > 1000
    assert not any(cell.details.exact for cell in verdict.cells)


def test_a_body_that_catches_everything_is_not_taken_for_finite() -> None:
    def run(draw):
        with contextlib.suppress(Exception):
            draw.normal("z")
        return draw.signs("s")

    with pytest.raises(Endless):
        counted(run)


def test_draws_that_depend_on_how_many_outcomes_there_are_do_not_end() -> None:
    def run(draw):
        return draw.signs("s", draw.reps)

    with pytest.raises(Endless):
        over_outcomes(run)
