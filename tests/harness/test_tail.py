"""Tail bounds: the probability allowed may depend on what is quantified."""

import itertools
import math
from fractions import Fraction

import pytest
import torch

from harness import ClaimError, check, claim, every, grid, tail
from harness.kinds.tail import Tail
from harness.verdict import Status
from tests.helpers import bare_check


def chernoff(factor: float):
    @claim("mine/chernoff", tail(), over=grid(n=[10, 100]))
    def made(forall, draw, *, n):
        """P(mean of n coin flips >= p + t) <= exp(-factor n KL(p + t || p)); true for factors up to 1."""
        p, t = forall.interval("p", 0.01, 0.99), forall.interval("t", 0.0, 0.5)
        q = (p + t).clamp(max=1.0)
        divergence = torch.special.xlogy(q, q / p) + torch.special.xlogy(1 - q, (1 - q) / (1 - p))
        x = draw.bernoulli("x", p, n)
        return x.mean(-1) >= p + t, torch.where(p + t > 1, 0.0, torch.exp(-factor * n * divergence))

    return made


@pytest.mark.parametrize("seed", range(2))
def test_a_true_bound_is_not_refuted_and_one_a_third_too_small_in_its_exponent_is(seed: int) -> None:
    assert bare_check(chernoff(1.0), seed=seed).status in ("HOLDS", "UNDECIDED")
    verdict = check(chernoff(1.5), seed=seed, effort="quick")
    assert verdict.status == "REFUTED"
    assert verdict.counterexample is not None
    assert verdict.counterexample.replay is not None


def test_the_exact_probability_decides_nothing_by_sampling_and_holds_by_enumeration() -> None:
    @claim("mine/exact", tail())
    def exact(forall, draw):
        """P(u <= p) <= p, with equality."""
        p = forall.interval("p", 0.001, 0.9)
        return draw.uniform("u") <= p, p

    @claim("mine/enumerated", tail())
    def enumerated(forall, draw):
        """P(x = 1) <= p, with equality."""
        p = forall.interval("p", 0.001, 0.9)
        return draw.bernoulli("x", p) == 1.0, p

    assert bare_check(exact).status == "UNDECIDED"
    assert bare_check(enumerated).status == "HOLDS"


def test_nothing_is_claimed_beyond_one() -> None:
    @claim("mine/beyond", tail(), trivial=1.0)
    def beyond(forall, draw):
        """P(x >= a) <= E x / a, with E x = 1 and a below 1."""
        return draw.uniform("x", high=2.0) >= 0.0, 1.0 / forall.interval("a", 0.01, 0.9)

    assert bare_check(beyond).status == "VACUOUS"


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        (lambda x: (x, 0.5), "must be the event"),
        (lambda x: (x > 0.5, -0.1), "must not be negative"),
        (lambda x: (0.5, x > 0.5), "must be the event"),
    ],
    ids=["a number", "a negative bound", "sides exchanged"],
)
def test_sides_that_are_no_event_and_no_probability_are_errors(sides, sentence: str) -> None:
    @claim("mine/wrong", tail())
    def wrong(draw):
        """Not a tail bound."""
        return sides(draw.normal("x"))

    verdict = check(wrong, effort="quick")
    assert verdict.status == "ERROR"
    assert sentence in verdict.reason


def survival(factor: float):
    @claim("mine/survival", tail())
    def made(forall, draw):
        """P(X >= q) <= factor (1 - P(X < q)), which is zero where all atoms lie below q; true from 1 on."""
        law, q = forall.law("P", atoms=3), forall.interval("q", 0.0, 1.0)
        return draw.law("x", law) >= q, factor * (1 - law.probability(lambda v: v < q[:, None]))

    return made


def test_a_probability_that_rounding_takes_below_zero_is_zero() -> None:
    for seed in range(2):
        assert bare_check(survival(1.0), seed=seed).status is Status.HOLDS
    assert bare_check(survival(0.9)).status is Status.REFUTED

    def beside_zero(allowed: float, value: float):
        @claim("mine/beside-zero", tail())
        def made(draw):
            """P(x = value) <= allowed."""
            return draw.bernoulli("x", 1.0) == value, allowed

        return bare_check(made).status

    assert beside_zero(-4e-16, 0.0) is Status.HOLDS
    assert beside_zero(-4e-16, 1.0) is Status.REFUTED
    assert beside_zero(-1e-6, 0.0) is Status.ERROR


def test_a_tail_bound_draws() -> None:
    with pytest.raises(ClaimError, match="does not take `draw`"):

        @claim("mine/still", tail())
        def still(forall):
            """Nothing is drawn."""
            return forall.interval("x", 0.0, 1.0) > 0.5, math.exp(-1.0)


def test_tail_is_a_kind_by_name() -> None:
    assert Tail().name == "tail"
    assert Tail().range == (-1.0, 1.0)


def _p_value(law, draw) -> torch.Tensor:
    """Of the permutation test of the mean of three against that of two, as one writes it: ties of sums are rounded."""
    x = draw.law("x", law, 5)
    orders = every.permutations(5, like=x).long()

    def statistic(y):
        return y[..., :3].sum(-1) / 3 - y[..., 3:].sum(-1) / 2

    return (statistic(x[:, orders]) >= statistic(x)[:, None]).double().mean(-1)


@claim("mine/permutations", tail(), over=grid(c=[0.5, 1.0]))
def permutation_test(forall, draw, *, c):
    """P(p-value <= alpha) <= c alpha: true for c = 1 (Lehmann and Romano 2005, Theorem 15.2.1), false for c = 1/2."""
    law, alpha = forall.law("P", atoms=3), forall.interval("alpha", 0.05, 0.5)
    return _p_value(law, draw) <= alpha, c * alpha


def exactly(atoms: list[float], weights: list[float], alpha: float) -> Fraction:
    """P(p-value <= alpha) in fractions: over all samples of five, with the ten choices of three."""
    places, chances = ([Fraction(x) for x in part] for part in (atoms, weights))
    total = Fraction(0)
    for sample in itertools.product(range(3), repeat=5):
        y = [places[i] for i in sample]
        three = [sum(y[i] for i in some) for some in itertools.combinations(range(5), 3)]  # grows with the statistic
        if Fraction(sum(each >= three[0] for each in three), 10) <= Fraction(alpha):
            total += math.prod(chances[i] for i in sample)
    return total / sum(chances) ** 5


def test_ties_that_rounding_breaks_hide_no_violation_and_make_none() -> None:
    """Their events count as allowed against the claim, and as happened in favour of it, which may leave it open."""
    false, true = bare_check(permutation_test, effort="standard").cells
    assert false.status is Status.REFUTED
    assert true.status in (Status.HOLDS, Status.UNDECIDED)
    for cell, factor in ((false, 0.5), (true, 1.0)):
        values, details = cell.details.instance, cell.details
        alpha = values["alpha"]
        truth = exactly(values["P atoms"], values["P weights"], alpha)
        assert details.mean_lhs <= float(truth) + 1e-12
        assert details.mean_rhs == pytest.approx(factor * alpha)
    assert float(truth) <= alpha


def test_events_that_rounding_decides_leave_a_claim_open() -> None:
    """(x + y) + z >= x + (y + z) is certain, and float64 cannot tell it of more than a third of the outcomes."""

    @claim("mine/rounded", tail())
    def rounded(draw):
        """P((x + y) + z >= x + (y + z)) <= .5, for x, y, z among .1, .7 and .3."""
        places = torch.tensor([0.1, 0.7, 0.3], dtype=torch.float64)
        x, y, z = (places[k] for k in draw.categorical("k", [1 / 3] * 3, 3).long().unbind(-1))
        return (x + y) + z >= x + (y + z), 0.5

    verdict = bare_check(rounded)
    assert verdict.status is Status.UNDECIDED
    assert "rounding decides events of probability" in verdict.reason


@pytest.mark.parametrize("seed", range(3))
def test_events_that_rounding_decides_at_one_place_hide_no_violation_at_another(seed: int) -> None:
    """Ties at k = 0 look worse than they can be shown to be; at k = 1 a coin shows the violation."""

    @claim("mine/hidden", tail())
    def hidden(forall, draw):
        """P(event) <= .5: of ties that rounding breaks where k = 0, of a coin of bias .6 where k = 1."""
        k = forall.integers("k", 0, 1)
        x, y, z = draw.uniform("x"), draw.uniform("y"), draw.uniform("z")
        return torch.where(k == 0, (x + y) + z >= x + (y + z), draw.bernoulli("coin", 0.6) == 1.0), 0.5

    verdict = bare_check(hidden, seed=seed)
    assert verdict.status is Status.REFUTED
    assert verdict.counterexample.counterexample.values["k"] == 1


@pytest.mark.parametrize("allowed", [1.0 - 1e-12, 1e-12])
def test_an_event_is_no_tie_with_a_probability_that_is_almost_it(allowed: float) -> None:
    """Sides that agree to nine digits are equal, but an event is 0 or 1, whatever is allowed."""

    @claim("mine/almost", tail())
    def almost(draw):
        """P(U < 2) <= 1 - 10^-12, or P(U < 0) <= 10^-12."""
        u = draw.uniform("u")
        return (u < 2.0 if allowed > 0.5 else u < 0.0), allowed

    assert bare_check(almost, effort="quick").status is Status.UNDECIDED  # no sample tells 10^-12 from 0


def test_hoeffding_s_bound_holds_down_to_t_zero() -> None:
    @claim("mine/hoeffding", tail(), over=grid(n=[5]))
    def hoeffding(forall, draw, *, n):
        """P(mean - E X >= t) <= exp(-2 n t^2) for n independent numbers in [0, 1]; the bound is 1 at t = 0."""
        law, t = forall.law("P"), forall.interval("t", 0.0, 0.7)
        return draw.law("x", law, n).mean(-1) - law.mean >= t, torch.exp(-2.0 * n * t**2)

    assert bare_check(hoeffding).status in (Status.HOLDS, Status.UNDECIDED)
