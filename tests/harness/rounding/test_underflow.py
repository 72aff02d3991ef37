"""Samples of torch's laws that are too small or too large for a float decide nothing."""

import math

import pytest
import torch
from torch.distributions import Chi2, FisherSnedecor, Gamma, InverseGamma, LogNormal, Poisson, StudentT

from harness import Draw, claim, expectation, grid, high_probability, tail
from harness.language.recorded import Recorder
from harness.language.torch_laws import sampled, smallest
from harness.verdict import Status
from tests.helpers import bare_check

TINY = torch.finfo(torch.float64).tiny


def gamma(shape: float) -> Gamma:
    return Gamma(torch.tensor(shape, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64))


def logarithm(draw, shape: float, least: float) -> torch.Tensor:
    return draw.sample("x", gamma(shape)).log().clamp_min(least)


@claim("underflow/mean", expectation(range=(-4100.0, 1000.0)))
def cut_mean(draw):
    """E max(log X, -5000) <= -900 for the gamma law of shape .001: it is -993."""
    return logarithm(draw, 0.001, -5000.0), -900.0


@claim("underflow/mean-from-below", expectation(range=(-2100.0, 5000.0)))
def cut_mean_from_below(draw):
    """-1100 <= E max(log X, -5000)."""
    return -1100.0, logarithm(draw, 0.001, -5000.0)


@claim("underflow/rare", expectation(range=(-1303.0, 500.0)))
def rarely_cut_mean(draw):
    """E max(log X, -1500) <= -197 for the shape .005: it is -200.46."""
    return logarithm(draw, 0.005, -1500.0), -197.0


@claim("underflow/tail", tail())
def event(draw):
    """P(log X >= -750) <= .55 for the shape .001: it is .527."""
    return draw.sample("x", gamma(0.001)).log() >= -750.0, 0.55


@claim("underflow/violation", high_probability("delta"), over=grid(delta=[0.48]))
def violation(draw, *, delta):
    """P(log(1 / X) > 750) = .473."""
    law = InverseGamma(torch.tensor(0.001, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64))
    return draw.sample("x", law).log().clamp_max(800.0), 750.0


@pytest.mark.parametrize("made", [cut_mean, cut_mean_from_below, rarely_cut_mean, event, violation], ids=lambda c: c.id)
def test_what_underflows_refutes_nothing(made) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.UNDECIDED
    assert "samples beyond the range or the resolution of floats decide" in verdict.reason


def test_what_has_underflowed_is_small_all_the_same() -> None:
    @claim("underflow/true", tail())
    def true(draw):
        """P(X >= 1/10) <= .01 for the shape .001."""
        return draw.sample("x", gamma(0.001)) >= 0.1, 0.01

    @claim("underflow/false", tail())
    def false(draw):
        """P(log X <= -100) <= .85 for the shape .001: it is .905, whatever is below -708."""
        return draw.sample("x", gamma(0.001)).log() <= -100.0, 0.85

    assert bare_check(true).status is Status.HOLDS
    assert bare_check(false).status is Status.REFUTED


def test_samples_are_those_of_torch_above_its_floor() -> None:
    a = torch.tensor([0.5, 3.0], dtype=torch.float64)
    for law in (Gamma(a, a), Chi2(a), StudentT(a, a, a), FisherSnedecor(a, a), InverseGamma(a, a), LogNormal(a, a)):
        torch.manual_seed(3)
        plain = law.sample(torch.Size((100,)))
        torch.manual_seed(3)
        assert torch.equal(sampled("x", law, (100,)), plain)


def test_zero_stands_for_what_no_normal_number_is() -> None:
    recorder = Recorder(Draw(1000, ("k",)))
    x, low = recorder.sample("x", gamma(0.001)), recorder.sample("low", Poisson(torch.tensor(0.1)))
    assert 400 < int((x == 0.0).sum()) < 600
    assert torch.equal(recorder.unresolved(), x == 0.0)
    rows = recorder.again()
    first, second = (recorder.again().sample("x", gamma(0.001)) for _ in range(2))
    for found in (rows.sample("x", gamma(0.001)), first, second):
        assert torch.equal(found[x > 0.0], x[x > 0.0])
        assert ((found[x == 0.0] > 0.5 * TINY) & (found[x == 0.0] <= TINY)).all()
    assert not (first == second)[x == 0.0].any()  # somewhere below, and not at one place
    assert torch.equal(rows.sample("low", None), low)
    assert smallest(Poisson(1.0)) is None
    assert math.isclose(smallest(Gamma(torch.tensor(1.0, dtype=torch.float32), 1.0)), 2.0**-126)
