"""No rate rests on replicates that tell no error of their mean: rare events, heavy tails, products of mean one."""

import math

import numpy as np
import pytest
from torch import Tensor

from harness import claim, grid, rate, up_to_constant
from harness.evidence.rates import Curve, fades
from harness.judges.replicates import CARRIED, Replicates, untold
from harness.language.registry import Claim
from harness.report.explain import explain
from harness.verdict import Status
from tests.helpers import bare_check

N = grid(n=[4, 16, 64, 256, 1024])


def _rare(draw, n: int) -> Tensor:
    """(share - p)^2, whose mean is p (1 - p) / n, for p = 1e-6."""
    return (draw.bernoulli("x", 1e-6, n).mean(-1) - 1e-6) ** 2


def _wealth(draw, n: int) -> Tensor:
    """A product of n numbers of mean one."""
    return (1 + 0.9 * draw.signs("e", n)).prod(-1)


@claim("untold/rare", rate("n", -1.0), over=N)
def rare(draw, *, n):
    """E (share - p)^2 = p (1 - p) / n."""
    return _rare(draw, n)


@claim("untold/wealth", rate("n", 0.0, at="exactly"), over=grid(n=[2, 4, 8, 16, 32, 64]))
def wealth(draw, *, n):
    """E prod (1 + .9 e_i) = 1."""
    return _wealth(draw, n)


@claim("untold/lognormal", rate("n", -1.0), over=N)
def lognormal(draw, *, n):
    """The variance of the mean of n lognormal numbers is that of one over n."""
    return ((3 * draw.normal("z", n)).exp().mean(-1) - math.exp(4.5)) ** 2


@claim("untold/rare-constant", rate("n", 0.0, at="exactly"), over=N)
def rare_as_a_constant(draw, *, n):
    """E (share - p)^2 does not decay, which is false."""
    return _rare(draw, n)


@claim("untold/wealth-decays", rate("n", -1.0), over=grid(n=[4, 8, 16, 32, 64]))
def wealth_as_a_decay(draw, *, n):
    """E prod (1 + .9 e_i) is of order 1/n, which is false."""
    return _wealth(draw, n)


@claim("untold/rare-up", up_to_constant("n"), over=N)
def rare_up_to_a_constant(draw, *, n):
    """E (share - p)^2 <= C / n."""
    return _rare(draw, n), 1 / n


@claim("untold/wealth-up", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]))
def wealth_up_to_a_constant(draw, *, n):
    """1 <= C E prod (1 + .9 e_i), positive in every replicate."""
    return 1.0, _wealth(draw, n)


@claim("untold/beside", up_to_constant("n"), over=grid(n=[16, 64, 256, 1024, 4096]))
def rare_beside_what_is_not(draw, *, n):
    """sqrt(n) E u <= C E (1 + w + 2000 sqrt(n) 1(v < 5e-4)), where 200 replicates meet no rare event."""
    u, v, w = draw.uniform("u"), draw.uniform("v"), draw.uniform("w")
    return u * n**0.5, 1.0 + w + 2000 * n**0.5 * (v < 5e-4).double()


@claim("untold/at-least", rate("n", -0.5, at="least"), over=grid(n=[16, 64, 256, 1024, 4096]))
def rare_failures(draw, *, n):
    """An error u / n and, with probability 5e-4, one of 2000 / sqrt(n)."""
    return draw.uniform("u") / n + 2000 * n**-0.5 * (draw.uniform("v") < 5e-4).double()


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("made", [rare_beside_what_is_not, rare_failures], ids=lambda made: made.id)
def test_no_first_look_refutes_what_rare_events_make_true(made: Claim, seed: int) -> None:
    """Refuted at 8 and at 6 of 12 seeds as long as 200 replicates were enough to refute."""
    assert bare_check(made, effort="standard", seed=seed).status is not Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    "made", [rare, wealth, lognormal, rare_up_to_a_constant, wealth_up_to_a_constant], ids=lambda made: made.id
)
def test_true_rates_of_rare_events_and_heavy_tails_are_not_refuted(made: Claim, seed: int) -> None:
    """Would catch "exponent 0.000 in [-0.000, 0.000]" where no event has been met."""
    assert bare_check(made, effort="quick", seed=seed).status in (Status.HOLDS, Status.UNDECIDED)


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("made", [rare_as_a_constant, wealth_as_a_decay], ids=lambda made: made.id)
def test_false_ones_do_not_hold(made: Claim, seed: int) -> None:
    assert bare_check(made, effort="quick", seed=seed).status is not Status.HOLDS


def test_an_undecided_rate_says_which_replicates_tell_nothing() -> None:
    assert "are equal, which tells no error" in bare_check(rare, effort="quick").reason


def test_a_refuted_rate_says_what_its_replicates_cannot_have_met() -> None:
    @claim("untold/too-fast", rate("n", -2.0), over=grid(n=[16, 64, 256, 1024, 4096]))
    def made(draw, *, n):
        """A mean of n numbers, squared, decays like 1/n."""
        return draw.uniform("x", n).sub(0.5).mean(-1) ** 2

    verdict = bare_check(made)
    assert verdict.status is Status.REFUTED
    assert min(verdict.cells[0].details.replicates) > 122  # more than at the first look
    assert "less often than once in about" in explain(verdict)


def test_moments_of_parts_are_those_of_all() -> None:
    x = np.random.default_rng(0).exponential(size=300) + 5.0
    parts = [Replicates.of(part) for part in np.split(x, [10, 120])]
    joined, whole = Replicates.joined(parts), Replicates.of(x)
    assert (joined.count, joined.mean, joined.spread) == pytest.approx((300, whole.mean, whole.spread))
    assert whole.error == pytest.approx(x.std(ddof=1) / math.sqrt(300))
    assert whole.largest <= joined.largest <= whole.largest + 2 * max(abs(part.mean - whole.mean) for part in parts)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.full(40, 0.1), "all 40 replicates at n = 8 are equal"),
        (np.full(40, 0.1) * (1 + 1e-15 * np.arange(40)), "all 40 replicates"),
        (np.zeros(40), "all 40 replicates"),
        (np.r_[np.zeros(39), 1.0], "one of 40 replicates at n = 8 carries"),
        (np.r_[np.zeros(400), np.ones(9)], "carries"),
        (np.r_[np.zeros(400), np.ones(11)], ""),
        (np.random.default_rng(1).normal(size=211) ** 2, "carries"),
        (np.random.default_rng(1).normal(size=1000) ** 2, ""),
        (np.random.default_rng(1).uniform(size=40), ""),
    ],
)
def test_replicates_tell_an_error_unless_few_of_them_carry_it(x: np.ndarray, words: str) -> None:
    found = untold({8: Replicates.of(x)}, "n")
    assert words in found
    assert bool(found) is bool(words)
    assert CARRIED == 0.1  # ten events, or ten replicates of a tail, by which the examples are chosen


@pytest.mark.parametrize(
    ("mean", "faded"),
    [
        (lambda n: np.log(n) ** 3 / n, True),
        (lambda n: n**-0.5, False),
        (lambda n: n**-0.5 * (1 + n**-0.5), False),
        (lambda n: n**-0.5 * (1 - 0.5 * n**-0.5), False),
        (lambda n: np.full_like(n, 0.3), False),
    ],
)
def test_an_exponent_that_falls_to_the_claimed_one_is_told_from_one_that_stays(mean, *, faded: bool) -> None:
    """Beside n^-0.75; log(n)^3 / n is below C n^-0.8, though none of its exponents up to 65,536 is."""
    n = np.array([16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0])
    assert fades(Curve(n, mean(n), 1e-9 * mean(n), 0.0, 0.5), -0.75) is faded
