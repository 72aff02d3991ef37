"""What rounding decides, or what is not finite, counts for neither verdict: found by a hand that had read no code."""

import math

import pytest
import torch
from torch import Tensor

from harness import claim, every, expectation, grid, high_probability, rate, tail
from harness.certify.rounding.trials import UNDONE, trial_noise
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.recorded import Recorder
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check


def _sums_differ(draw) -> Tensor:
    """u_1 + u_2 + u_3 > u_3 + u_2 + u_1, never in real arithmetic, and for one draw in twelve in float64."""
    u = draw.uniform("u", 3)
    return u[:, 0] + u[:, 1] + u[:, 2] > u[:, 2] + u[:, 1] + u[:, 0]


ORDERS = every.permutations(4, like=torch.zeros(1)).long()


def _p_value(draw) -> Tensor:
    """Of u_1 + u_2 + u_3 - u_4 among all orders of four numbers: six of them tie, so that it is 1/4 at least."""
    x = draw.uniform("x", 4)
    y = x[:, ORDERS]
    return (y[..., :3].sum(-1) - y[..., 3] >= (x[:, :3].sum(-1) - x[:, 3])[:, None]).double().mean(-1)


@claim("doubt/sums", tail())
def sums_as_an_event(draw):
    """P(event) <= .0005, where it is 0."""
    return _sums_differ(draw), 0.0005


@claim("doubt/sums-mean", expectation(range=(-1.0, 1.0)))
def sums_as_a_mean(draw):
    """The same as a mean."""
    return _sums_differ(draw).double(), 0.0005


@claim("doubt/sums-high", high_probability("delta"), over=grid(delta=[0.0005]))
def sums_as_a_violation(draw, *, delta):
    """The same as a violation."""
    return _sums_differ(draw).double(), 0.5


@claim("doubt/permutation", tail())
def permutation(draw):
    """P(p <= 1/5) <= 0."""
    return _p_value(draw) <= 0.2, 0.0


@claim("doubt/coins", tail())
def rare_ties(draw):
    """P(mean - .5 > .3) <= .0003 for thirty coins: 24 of them are a tie, and 25 have probability .00016."""
    return draw.bernoulli("x", 0.5, 30).mean(-1) - 0.5 > 0.3, 0.0003


TRUE = [sums_as_an_event, sums_as_a_mean, sums_as_a_violation, permutation, rare_ties]


@pytest.mark.in_turn
@pytest.mark.parametrize("made", TRUE, ids=lambda c: c.id)
@pytest.mark.parametrize("seed", range(2))
def test_ties_that_rounding_breaks_refute_nothing_however_rare(made: Claim, seed: int) -> None:
    assert bare_check(made, seed=seed).status is not Status.REFUTED


def _tenths(draw) -> Tensor:
    """a/10 - b/10 = c/10 for whole numbers up to 10: in 66 cases of 1331, of which float64 sees 41."""
    uniform = torch.full((1, 11), 1 / 11, dtype=torch.float64)
    a, b, c = (draw.categorical(name, uniform) / 10 for name in "abc")
    return a - b == c


@claim("doubt/tenths", tail())
def tenths_as_an_event(draw):
    """P(event) <= .045, where it is .0496."""
    return _tenths(draw), 0.045


@claim("doubt/tenths-mean", expectation(range=(-1.0, 1.0)))
def tenths_as_a_mean(draw):
    """The same as a mean."""
    return _tenths(draw).double(), 0.045


@claim("doubt/tenths-high", high_probability("delta"), over=grid(delta=[0.045]))
def tenths_as_a_violation(draw, *, delta):
    """The same as a violation."""
    return _tenths(draw).double(), 0.5


@pytest.mark.parametrize("made", [tenths_as_an_event, tenths_as_a_mean, tenths_as_a_violation], ids=lambda c: c.id)
def test_ties_that_rounding_breaks_confirm_nothing(made: Claim) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.UNDECIDED
    assert "rounding decides " in verdict.reason


def share(numbers: int, allowed: float) -> Claim:
    @claim("doubt/share", tail())
    def made(draw):
        """P(at most one in twenty of these numbers reaches the first) <= allowed; 5/100 <= .05 is a tie of decimals."""
        u = draw.uniform("u", numbers + 1)
        return (u[:, 1:] >= u[:, :1]).double().mean(-1) <= 0.05, allowed

    return made


def test_a_tie_of_decimals_is_the_reason_where_an_excess_rests_on_it() -> None:
    """The event has the probability 6/101 = .059; without the tie 5/101 = .0495."""
    verdict = bare_check(share(100, 0.05))
    assert verdict.status is Status.UNDECIDED
    assert "rounding decides differences of 0.0" in verdict.reason


def test_a_tie_of_decimals_that_decides_ends_the_trials() -> None:
    """With it the event has the probability 2/21, without it 1/21: no number of trials settles .06."""
    verdict = bare_check(share(20, 0.06), effort="standard")
    assert verdict.status is Status.UNDECIDED
    assert "rounding decides differences of 0.04" in verdict.reason
    assert verdict.trials < 100_000


@claim("doubt/coin", high_probability("delta"), over=grid(delta=[0.05]))
def inverse_of_a_coin(forall, draw, *, delta):
    """1/X <= 1, with X = 0 in half of the trials and more."""
    return 1 / draw.bernoulli("x", forall.interval("p", 0.1, 0.5)), 1.0


@claim("doubt/log-loss", high_probability("delta"), over=grid(delta=[0.05]))
def log_loss(forall, draw, *, delta):
    """log(p / mean) <= 2.1, with a mean of 0 in up to .43 of the trials."""
    p = forall.interval("p", 0.1, 0.5)
    return (p / draw.bernoulli("x", p, 8).mean(-1)).log(), 2.1


@claim("doubt/inverse", expectation(range=(-1.0, math.inf)))
def mean_inverse(draw):
    """E 1/X <= 1, with X = 0 in most trials."""
    return 1 / draw.bernoulli("x", 0.3), 1.0


@pytest.mark.parametrize("made", [inverse_of_a_coin, log_loss, mean_inverse], ids=lambda c: c.id)
def test_an_infinite_left_side_confirms_nothing(made: Claim) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.UNDECIDED
    assert "a side is not finite" in verdict.reason


def test_an_infinite_right_side_agrees_with_the_claim() -> None:
    @claim("doubt/right", high_probability("delta"), over=grid(delta=[0.05]))
    def right(draw, *, delta):
        """x <= 1/(1 - x) for a coin."""
        x = draw.bernoulli("x", 0.5)
        return x, 1 / (1 - x)

    assert bare_check(right).status is Status.HOLDS


@claim("doubt/residuals", rate("n", -1.0), over=grid(n=[8, 16, 32, 64, 128, 256]))
def residuals(draw, *, n):
    """|sum of deviations from the mean|, which is zero, is of order 1/n."""
    x = draw.normal("x", n)
    return (x - x.mean(-1, keepdim=True)).sum(-1).abs()


@claim("doubt/variances", rate("n", -0.5), over=grid(n=[8, 16, 32, 64, 128, 256]))
def variances(draw, *, n):
    """|variance in one pass - in two| + |mean| around 1e8, of which the first is zero, is of order n^-1/2."""
    z = draw.normal("z", n)
    x = 1e8 + z
    return ((x**2).mean(-1) - x.mean(-1) ** 2 - z.var(-1, correction=0)).abs() + z.mean(-1).abs()


@pytest.mark.parametrize("made", [residuals, variances], ids=lambda c: c.id)
def test_a_curve_of_rounding_has_no_rate(made: Claim) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.UNDECIDED
    assert "times its rounding" in verdict.reason


@pytest.mark.parametrize("rows", [60, 61, 64])
def test_rounding_of_trials_is_seen_in_each_whatever_their_number(rows: int) -> None:
    """Four by four, every third and fourth of 4 k trials were moved up and down as a whole, which breaks no tie."""
    whole = Recorder(Draw(4093, ("trials",)))
    sides = evaluate(sums_as_a_mean, {}, {}, whole, whole.reps)
    some = torch.nonzero(sides.lhs > sides.rhs).squeeze(-1)[:rows]
    gap = (sides.lhs - sides.rhs)[some]
    noise = trial_noise(sums_as_a_mean, {}, (), {}, lambda: whole.rows(some), gap, pairs=12)
    assert bool((noise >= UNDONE).all())


@claim("doubt/moments", tail())
def moments(draw):
    """A variance by moments about a distant origin is negative with probability 0; in floats with one of .4."""
    rows = (1e8 + draw.uniform("x", 10)).tolist()
    return torch.tensor([sum(a * a for a in r) / 10 - (sum(r) / 10) ** 2 for r in rows]) < 0.0, 0.001


def test_more_trials_are_not_asked_for_where_rounding_decides_them_all() -> None:
    """A loop over the numbers of each trial took minutes, and had said all by the first thousand."""
    found = bare_check(moments, effort="quick")
    assert found.status is Status.UNDECIDED
    assert "rounding decides" in found.cells[0].reason
    assert found.cells[0].trials <= 4_000
