"""Every outcome instead of draws: probabilities against closed forms, and against the draws themselves."""

import itertools
import math

import pytest
import torch
from scipy import stats

from harness.language.distributions import Atoms
from harness.language.outcomes import LARGEST, Endless, Outcomes, counted, over_outcomes
from harness.language.quantifiers import Draw

pytestmark = pytest.mark.usefixtures("double_precision")


def probability(event) -> float:
    happened, weights = over_outcomes(event)
    assert float(weights.sum()) == pytest.approx(1.0, abs=1e-13)
    return float((weights * happened).sum())


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_sums_of_flips_are_binomial(p: float) -> None:
    for k in range(8):
        found = probability(lambda draw, k=k: draw.bernoulli("x", torch.tensor([p]), 7).sum(-1) == k)
        assert found == pytest.approx(stats.binom.pmf(k, 7, p), abs=1e-14)


def test_flips_of_different_coins() -> None:
    p = torch.tensor([[0.2, 0.5, 0.9]])
    found = probability(lambda draw: draw.bernoulli("x", p, 3).sum(-1) == 3)
    assert found == pytest.approx(0.2 * 0.5 * 0.9, abs=1e-15)


def test_signs_have_the_moments_of_khinchine() -> None:
    mean, weights = over_outcomes(lambda draw: (draw.signs("s", 2, 3)[:, 1] * torch.tensor([1.0, 2.0, 3.0])).sum(-1))
    assert float((weights * mean).sum()) == pytest.approx(0.0, abs=1e-15)
    assert float((weights * mean**2).sum()) == pytest.approx(14.0, abs=1e-13)


def test_classes_and_atoms() -> None:
    probs = torch.tensor([[0.5, 0.25, 0.25]])
    assert probability(lambda d: (d.categorical("c", probs, 2) == 2).all(-1)) == pytest.approx(1 / 16, abs=1e-15)
    law = Atoms(torch.tensor([[-1.0, 0.0, 4.0]]), probs)
    mean, weights = over_outcomes(lambda draw: draw.law("x", law, 4).mean(-1))
    assert float((weights * mean).sum()) == pytest.approx(law.mean.item(), abs=1e-14)
    assert float((weights * (mean - law.mean) ** 2).sum()) == pytest.approx(law.variance.item() / 4, abs=1e-13)


def test_counts_are_multinomial() -> None:
    probs = [0.2, 0.3, 0.5]
    counts, weights = over_outcomes(lambda draw: draw.multinomial("n", 5, probs))
    expected = {c: stats.multinomial.pmf(c, 5, probs) for c in itertools.product(range(6), repeat=3) if sum(c) == 5}
    found = {tuple(map(int, row)): weight for row, weight in zip(counts.tolist(), weights.tolist(), strict=True)}
    assert found == pytest.approx(expected, abs=1e-14)


def test_draws_that_follow_draws() -> None:
    def run(draw):
        first = draw.bernoulli("a", 0.5)
        return first, draw.bernoulli("b", 0.25 + 0.5 * first)  # a coin that depends on the first one

    (a, b), weights = over_outcomes(run)
    assert float((weights * ((a == 1) & (b == 1))).sum()) == pytest.approx(0.375, abs=1e-15)
    assert float((weights * (b == 1)).sum()) == pytest.approx(0.5, abs=1e-15)


def test_probabilities_agree_with_draws() -> None:
    """At six standard errors: it fails once in 10^8 seeds."""

    def event(draw):
        x = draw.bernoulli("x", 0.3, 4)
        s = draw.signs("s", 4)
        return ((x * s).sum(-1) >= 1.0).to(torch.float64)

    exact, reps = probability(event), 200_003
    drawn = float(event(Draw(reps, ("test",))).mean())
    assert abs(drawn - exact) <= 6.0 * math.sqrt(exact * (1 - exact) / reps)


@pytest.mark.parametrize(
    "endless",
    [
        lambda draw: draw.normal("x"),
        lambda draw: draw.uniform("x"),
        lambda draw: draw.ball("x", 2),
        lambda draw: draw.sample("x", torch.distributions.Poisson(1.0)),
        lambda draw: draw.signs("s", LARGEST),
        lambda draw: (draw.signs("s", 10), draw.signs("t", 10)),
        lambda draw: draw.multinomial("n", 10**6, [0.2, 0.3, 0.5]),
        lambda draw: draw.multinomial("n", torch.full((draw.reps,), 5), [0.2, 0.8]),
        lambda draw: draw.multinomial("n", 3000, [1 / 3000] * 3000),  # more than a float can hold
    ],
)
def test_what_does_not_end_says_so(endless) -> None:
    with pytest.raises(Endless):
        over_outcomes(endless)


@pytest.mark.in_turn
@pytest.mark.parametrize("count", [10**4, 3 * 10**6, 10**8])
def test_the_one_outcome_of_a_certain_class_has_probability_one_however_many_trials_there_are(count: int) -> None:
    """Gamma functions of millions leave less than the nine digits that a probability is held to."""

    def body(draw):
        return draw.multinomial("x", count, torch.tensor([[1.0]]))

    outcomes = Outcomes(counted(body))
    body(outcomes)
    assert float(outcomes.chances()[0]) == pytest.approx(1.0, abs=1e-6)


def test_rounding_below_zero_is_no_probability_of_its_own() -> None:
    def body(draw):
        draw.categorical("c", torch.tensor([[1.0, -4e-16, -4e-16]]), 2)
        return draw.multinomial("x", 20, torch.tensor([[1.0, -4e-16, -4e-16]]))

    counts, chances = over_outcomes(body)
    assert float(chances.sum()) == pytest.approx(1.0, abs=1e-12)
    assert counts[chances > 0.0].tolist() == [[20.0, 0.0, 0.0]]
