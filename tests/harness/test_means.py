"""Expectations in bodies: enumerations are complete and weighted rightly, estimates lie on their safe side."""

import itertools
import math

import pytest
import torch

from harness import ClaimError, Draw, always, check, claim, every, expectation, expected_value, tail
from harness.language.averages import CHANCE
from harness.language.distributions import Atoms
from harness.language.outcomes import Outcomes
from harness.verdict import Status
from tests.helpers import bare_check

LIKE = torch.zeros(1, dtype=torch.float64)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_enumerations_are_those_of_itertools(n: int) -> None:
    assert sorted(map(tuple, every.signs(n, like=LIKE).tolist())) == sorted(itertools.product((-1.0, 1.0), repeat=n))
    assert sorted(map(tuple, every.vectors(3, n, like=LIKE).tolist())) == sorted(itertools.product(range(3), repeat=n))
    orders = every.permutations(n, like=LIKE)
    assert sorted(map(tuple, orders.tolist())) == sorted(itertools.permutations(range(n)))
    assert orders.dtype == torch.float64


def test_samples_of_a_law_have_the_moments_of_independent_draws() -> None:
    """E prod_i (X_i + i) = prod_i (E X + i), for each instance of a batch."""
    weights = torch.tensor([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], dtype=torch.float64)
    atoms = torch.tensor([[0.0, 1.0, -2.0], [3.0, 4.0, 5.0]], dtype=torch.float64)
    law = Atoms(atoms, weights)
    values, chances = every.samples(law, 4)
    assert values.shape == (2, 81, 4)
    assert torch.allclose(chances.sum(-1), torch.ones(2, dtype=torch.float64), rtol=1e-14)
    shift = torch.arange(4.0, dtype=torch.float64)
    product = (chances * (values + shift).prod(-1)).sum(-1)
    assert torch.allclose(product, (law.mean[:, None] + shift).prod(-1), rtol=1e-13)


def test_one_place_for_a_batch_of_weights() -> None:
    law = Atoms(torch.tensor([[0.0, 1.0]], dtype=torch.float64), torch.full((3, 2), 0.5, dtype=torch.float64))
    values, chances = every.samples(law, 2)
    assert values.shape == (3, 4, 2)
    assert torch.equal(chances, torch.full((3, 4), 0.25, dtype=torch.float64))


@pytest.mark.parametrize(
    "asked",
    [
        lambda: every.signs(18, like=LIKE),
        lambda: every.vectors(9, 9, like=LIKE),
        lambda: every.permutations(9, like=LIKE),
        lambda: every.samples(LIKE, 2),
    ],
)
def test_what_is_too_much_or_no_law_is_refused(asked) -> None:
    with pytest.raises(ClaimError, match=r"more than|takes a law"):
        asked()


def test_a_mean_over_few_outcomes_is_exact_and_the_same_everywhere() -> None:
    """E |sum of 4 signs| = 3/2, for sampled replicates and for outcomes that are enumerated themselves."""
    for draw in (Draw(5, ("key",)), Outcomes(None)):
        value = expected_value(draw, "E Z", lambda d: d.signs("e", 4).sum(-1).abs(), low=0.0, high=4.0, side="above")
        assert value.tolist() == [1.5] * draw.reps
        assert draw.names == ["E Z"]


def test_an_estimate_lies_on_the_safe_side_by_the_empirical_bernstein_deviation() -> None:
    """E max of 4 uniform numbers = 4/5: fifty seeds, each with both sides."""
    level, reps = math.log(2 / CHANCE), 2**10
    for seed in range(50):
        above, below = (
            float(
                expected_value(
                    Draw(2, (seed,)), "m", lambda d: d.uniform("x", 4).amax(-1), low=0.0, high=1.0, side=side, reps=reps
                )[0]
            )
            for side in ("above", "below")
        )
        assert below < 0.8 < above
        middle, half = (above + below) / 2, (above - below) / 2
        assert abs(middle - 0.8) < 0.05
        least = 7 * level / (3 * (reps - 1))
        assert least < half < least + math.sqrt(2 * 0.25 * level / reps)


def test_estimates_never_leave_their_range() -> None:
    for side, end in (("above", 1.0), ("below", 0.0)):
        value = expected_value(Draw(1, ("key",)), "m", lambda d: d.uniform("x"), low=0.0, high=1.0, side=side, reps=3)
        assert float(value[0]) == end


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"side": "left"}, "side 'above' or 'below'"),
        ({"high": 0.0}, "low < high"),
        ({"reps": 1}, "two draws"),
        ({"high": 0.5}, "one number in"),
    ],
)
def test_what_cannot_be_a_mean_is_refused(options, said) -> None:
    asked = {"low": 0.0, "high": 1.0, "side": "above"} | options
    with pytest.raises(ClaimError, match=said):
        expected_value(Draw(1, ("key",)), "m", lambda d: d.uniform("x"), **asked)


def test_a_false_claim_around_an_estimated_mean_is_refuted_and_replayed() -> None:
    """The largest of four uniform numbers exceeds its mean by .1 with probability 1 - .9^4 = .34, not at most .2."""

    @claim("means/too-rare", tail(), expected="refuted")
    def too_rare(draw):
        """P(Z - E Z >= .1) <= .2."""

        def largest(draw):
            return draw.uniform("x", 4).amax(-1)

        mean = expected_value(draw, "E", largest, low=0.0, high=1.0, side="above")
        return largest(draw) - mean >= 0.1, 0.2

    verdict = check(too_rare, effort="quick")
    assert verdict.status == "REFUTED"


def test_a_false_claim_over_every_sample_is_refuted() -> None:
    """E max of two draws exceeds the mean."""

    @claim("means/max", always(), expected="refuted")
    def largest(forall):
        """E max(X, Y) <= E X."""
        law = forall.law("P")
        values, chances = every.samples(law, 2)
        return (chances * values.amax(-1)).sum(-1), law.mean

    assert check(largest, effort="quick").status == "REFUTED"


@claim("means/distance-of-samples", expectation(range=(-1.0, 2.0)))
def distance_of_samples(forall, draw):
    """E MMD^2 of two samples of three <= .9 (2/3) (1 - E k): false by a ninth for every law that is not a point.

    Where the law is almost a point both sides are smaller than the rounding of 1 - E k, and their ratio is anything.
    """
    law = forall.law("P", atoms=2, high=2.0)
    x, y = draw.law("x", law, 3), draw.law("y", law, 3)

    def kernel(a, b):
        return torch.exp(-((a.unsqueeze(-1) - b.unsqueeze(-2)) ** 2) / 2)

    statistic = (kernel(x, x) + kernel(y, y) - 2 * kernel(x, y)).mean((-1, -2))
    pairs, chance = every.samples(law, 2)
    return statistic, 0.9 * 2 / 3 * (1 - (chance * torch.exp(-((pairs[..., 0] - pairs[..., 1]) ** 2) / 2)).sum(-1))


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(4))
def test_laws_under_which_both_sides_are_rounding_hide_no_violation(seed: int) -> None:
    """Seven of nine seeds ended at such a law, where it HOLDS."""
    assert bare_check(distance_of_samples, seed=seed).status is Status.REFUTED


def test_a_mean_certified_by_the_central_limit_theorem_says_so() -> None:
    @claim("means/asymptotic", expectation())
    def normal(draw):
        """E z <= 1."""
        return draw.normal("z"), 1.0

    verdict = check(normal, effort="quick")
    assert verdict.status is Status.HOLDS
    assert "asymptotic" in str(verdict)


@pytest.mark.parametrize("ends", [None, (-2.0, math.inf)])
def test_trials_that_are_all_equal_certify_no_mean_without_a_range(ends) -> None:
    """A lottery: 1e10 with probability 1e-7, which no sample meets, is worth 1000 and not 1."""

    @claim("mine/lottery", expectation(range=ends))
    def made(draw):
        """E <= 1."""
        return 1e10 * (draw.uniform("u") < 1e-7).double(), 1.0

    verdict = check(made, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "trials are equal" in verdict.cells[0].reason


@pytest.mark.parametrize("scale", [1.0, 1e-170])
def test_a_false_mean_is_refuted_at_any_scale(scale: float) -> None:
    @claim("mine/scale", expectation(range=(-scale, scale)))
    def made(draw):
        """E u <= E u^2."""
        u = draw.uniform("u")
        return scale * u, scale * u**2

    assert check(made, effort="quick").status is Status.REFUTED


def test_each_end_of_a_range_has_a_slack_of_its_own() -> None:
    @claim("mine/slack", expectation(range=(-0.5, 1e9)))
    def made(draw):
        """-1.4 or 1, beyond the lower end by more than rounding."""
        return torch.where(draw.uniform("u") < 0.5, -1.4, 1.0), 0.0

    verdict = check(made, effort="quick")
    assert verdict.status is Status.ERROR
    assert "lies outside the stated range" in verdict.reason


def test_a_margin_beyond_the_range_is_refused() -> None:
    with pytest.raises(ClaimError, match="margin"):
        expectation(range=(-1.0, 1.0), margin=1.0)
