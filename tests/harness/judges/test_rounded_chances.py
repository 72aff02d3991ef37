"""Probabilities that a body computes round as well: they are moved with the draws that they decide."""

import math

import numpy as np
import pytest
import torch

from harness import Draw, check, claim, expectation, grid, high_probability, tail
from harness.certify.rounding.spread import CLEAR
from harness.certify.rounding.trials import chance_rounding, chances_otherwise
from harness.judges.random import RandomJudge
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.outcomes import Outcomes
from harness.language.recorded import Recorder
from harness.run.api import settings_for
from harness.verdict import Status


def arrival(factor: float):
    @claim("mine/arrival", tail())
    def made(forall, draw):
        """P(an exponential arrives before x) = 1 - exp(-x) <= factor x; true from 1 on."""
        x = forall.interval("x", 0.0, 1.0)
        return draw.bernoulli("arrived", 1.0 - torch.exp(-x)) > 0.5, factor * x

    return made


def tails(lost: float):
    @claim("mine/tails", expectation(range=(-1.0, 1.0)))
    def made(forall, draw):
        """E(tails of a coin with heads 1 - q) <= q - lost q^2; true for lost = 0, with equality."""
        q = forall.interval("q", 0.0, 1.0)
        return 1.0 - draw.bernoulli("heads", 1.0 - q), q - lost * q**2

    return made


def arc(allowed: float):
    @claim("mine/arc", high_probability("delta"), over=grid(delta=[allowed]))
    def made(forall, draw, *, delta):
        """(1 - cos t) / (2 t^2) <= delta; true from 1/4 on."""
        t = forall.interval("t", 1e-9, 1.0)
        return draw.bernoulli("x", ((1.0 - torch.cos(t)) / t**2 / 2.0).clamp(0, 1)), 0.5

    return made


def arcs(allowed: float):
    @claim("mine/arcs", high_probability("delta"), over=grid(delta=[0.05]))
    def made(forall, draw, *, delta):
        """The mean of 400 coins of (1 - cos t) / (2 t^2) <= 1/4 is at most `allowed`: true at .35, false at .27."""
        t = forall.interval("t", 0.0, 1.0)
        p = torch.where(t > 0, (1.0 - torch.cos(t)) / t**2 / 2.0, 0.25).clamp(0.0, 1.0)
        return draw.bernoulli("x", p, 400).mean(-1), allowed

    return made


PAIRS = {
    "tail": (arrival(1.0), arrival(0.99)),
    "mean": (tails(0.0), tails(0.001)),
    "chance": (arc(0.25), arc(0.249)),
    "sampled": (arcs(0.35), arcs(0.27)),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", PAIRS)
def test_a_probability_of_rounding_refutes_nothing_and_a_false_twin_is_refuted(name: str) -> None:
    true, false = PAIRS[name]
    assert check(true, effort="quick").status is not Status.REFUTED
    assert check(false, effort="quick").status is Status.REFUTED


def test_the_rounding_of_probabilities_is_about_a_last_place_of_what_they_were_made_from() -> None:
    @claim("mine/heads", tail())
    def made(forall, draw):
        """1 - q, of which nothing below 2^-53 is left."""
        q = forall.interval("q", 0.0, 1.0)
        return draw.bernoulli("x", 1.0 - q) < 0.5, q

    spaces, tails_only = anatomy(made, {}).spaces, np.array([1.0, 0.0])
    for q in (1e-3, 1e-9, 1e-15):
        values, plain = {"q": torch.tensor([q], dtype=torch.float64)}, Outcomes([2])
        evaluate(made, {}, values, plain, 2)
        others = chances_otherwise(made, {}, spaces, values, lambda: Outcomes([2])).numpy()
        moved = chance_rounding(plain.chances().numpy(), others, tails_only) / CLEAR
        assert 2.0**-54 < moved < 2.0**-50


def test_rows_are_compared_with_the_same_uniform_numbers_again() -> None:
    recorder = Recorder(Draw(100, ("k",)))
    x = recorder.bernoulli("x", 0.3, 7)
    k = recorder.categorical("k", torch.tensor([[0.2, 0.3, 0.5]]), 4)
    z = recorder.normal("z", 2)
    some = torch.tensor([3, 50, 99])
    rows = recorder.rows(some)
    assert torch.equal(rows.bernoulli("x", 0.3, 7), x[some])
    assert torch.equal(rows.categorical("k", torch.tensor([[0.2, 0.3, 0.5]]), 4), k[some])
    assert torch.equal(rows.normal("z", 2), z[some])
    assert bool((rows.bernoulli("x", 0.4, 7) >= x[some]).all())
    assert not torch.equal(recorder.again().bernoulli("x", 0.9, 7), x)


@pytest.mark.parametrize("kind", [tail(), expectation(range=(-1.0, 1.0))], ids=lambda kind: kind.name)
def test_a_probability_that_is_none_is_an_error_where_it_may_happen(kind) -> None:
    @claim("mine/none", kind)
    def made(draw):
        """Without a success the mean place is 0/0."""
        x = draw.bernoulli("x", 0.99, 8)  # which no sample will see
        place = (x * torch.arange(8.0) / 7.0).sum(-1) / x.sum(-1)
        y = draw.bernoulli("y", place)
        return 1.0 - x.amax(-1) + 0.0 * y, 0.001

    verdict = check(made, effort="quick")
    assert verdict.status is Status.ERROR
    assert "'y' has a probability outside [0, 1]" in verdict.reason


def test_a_probability_that_is_none_where_nothing_happens_does_no_harm() -> None:
    @claim("mine/never", tail())
    def made(draw):
        """x is 1 for certain, so that 0/0 is never drawn from."""
        x = draw.bernoulli("x", 1.0)
        y = draw.bernoulli("y", 0.5 * x / x)
        return y > 0.5, 0.5

    assert check(made, effort="quick").status is Status.HOLDS


def test_no_tail_holds_against_its_own_looseness() -> None:
    """The tightest distribution is looked at with all its outcomes, too: what violates there refutes."""

    @claim("mine/cantelli", tail())
    def made(forall, draw):
        """P(mean - mu >= t) <= .9 var / (var + 3 t^2) for three draws from two atoms (Cantelli's bound has no .9)."""
        law, t = forall.law("P"), forall.interval("t", 0.05, 1.0)
        x = draw.law("x", law, 3)
        return x.mean(-1) - law.mean >= t, 0.9 * law.variance / (law.variance + 3.0 * t**2)

    for seed in range(3):
        verdict = check(made, effort="quick", seed=seed)
        assert verdict.status is Status.REFUTED or not (verdict.looseness or math.inf) < 1.0


def test_a_champion_that_only_a_tie_makes_gives_way_to_one_beside_it() -> None:
    """P(|Z^2 - 1| >= 2) = 1/4 for Z = (e_1 + e_2 + e_3) / sqrt 3 is a tie that rounding decides; at 1.99 it is none."""

    @claim("mine/ams", tail())
    def made(forall, draw):
        """P(|Z^2 - 1| >= eps) <= .95 / eps^2."""
        f, eps = forall.sphere("f", 5), forall.interval("eps", 1.5, 2.5)
        return ((draw.signs("s", 5) * f).sum(-1).square() - 1.0).abs() >= eps, 0.95 / eps.square()

    judge = made.kind.judge(made, {}, settings_for(effort="quick"))
    assert isinstance(judge, RandomJudge)
    objective = judge.law(1000, "select", 16)
    f = torch.tensor([[1.0, 1.0, 1.0, 0.0, 0.0]], dtype=torch.float64) / math.sqrt(3.0)
    tied = {"f": f, "eps": torch.tensor([2.0], dtype=torch.float64)}
    plain, sure = float(objective.scores(tied, 1)[0]), objective.surely(tied)
    assert plain > judge.notable_score() >= sure
    found = objective.champion(tied, 1)
    assert float(found.values["eps"]) < 2.0
    assert float(found.scores[0]) > judge.notable_score()
