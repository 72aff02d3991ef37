"""Samples of torch's laws that round to an end, or to the middle of a narrow law, decide nothing."""

import math

import pytest
import torch
from torch.distributions import (
    AffineTransform,
    Beta,
    Categorical,
    Dirichlet,
    Gumbel,
    Independent,
    Kumaraswamy,
    LogisticNormal,
    MixtureSameFamily,
    Normal,
    Pareto,
    Poisson,
    RelaxedBernoulli,
    TransformedDistribution,
    Uniform,
    Weibull,
)

from harness import Draw, claim, expectation, grid, high_probability, tail
from harness.language.marks import marks
from harness.language.recorded import Recorder
from harness.verdict import Status
from tests.helpers import bare_check


def t(*values: float) -> torch.Tensor:
    return torch.tensor(values[0] if len(values) == 1 else values, dtype=torch.float64)


def distance(draw, law) -> torch.Tensor:
    """From 1."""
    return 1.0 - draw.sample("x", law)


@claim("ends/beta", tail())
def beta(forall, draw):
    """P(1 - X <= t) = t^b for Beta(1, b)."""
    b, least = forall.interval("b", 0.02, 1.0), forall.interval("t", 1e-30, 1.0)
    return distance(draw, Beta(torch.ones_like(b), b)) <= least, 1.05 * least**b


@claim("ends/equal", tail())
def equal(draw):
    """P(X = 1) = 0 <= .1."""
    return draw.sample("x", Beta(t(0.01), t(0.01))) == 1.0, 0.1


@claim("ends/logarithm", tail())
def logarithm(draw):
    """P(log(1 - X) <= -300) = .0249."""
    return torch.log1p(-draw.sample("x", Beta(t(0.01), t(0.01)))) <= -300.0, 0.05


@claim("ends/dirichlet", tail())
def dirichlet(draw):
    """P(the largest of three weights is 1) = 0 <= .1."""
    return draw.sample("x", Dirichlet(t(0.02, 0.02, 0.02))).amax(-1) >= 1.0, 0.1


@claim("ends/kumaraswamy", tail())
def kumaraswamy(draw):
    """P(1 - X <= 1e-30) = 1e-30^.01 = .501."""
    return distance(draw, Kumaraswamy(t(1.0), t(0.01))) <= 1e-30, 0.6


@claim("ends/spread", tail())
def spread(draw):
    """P(1 - X <= 2e-16) = .666 for Kumaraswamy(.01, .01): its last power takes 1 - 1e-16 to 1 - 1e-14."""
    return distance(draw, Kumaraswamy(t(0.01), t(0.01))) <= 2e-16, 0.67


@claim("ends/mean", expectation(range=(-4970.0, 5000.0)))
def mean(draw):
    """E min(log(1 / (1 - X)), 5000) = 25 for Beta(1, .04)."""
    return (-torch.log1p(-draw.sample("x", Beta(t(1.0), t(0.04))))).clamp_max(5000.0), 30.0


@claim("ends/violation", high_probability("delta"), over=grid(delta=[0.2]))
def violation(draw, *, delta):
    """P(log(1 / (1 - X)) > 100) = e^-2 = .135 for Beta(1, .02)."""
    return (-torch.log1p(-draw.sample("x", Beta(t(1.0), t(0.02))))).clamp_max(200.0), 100.0


@claim("ends/relaxed", tail())
def relaxed(draw):
    """P(1 - X >= 1e-30) = 1 / (1 + e^-.69) = .666 for the logistic law of scale 100, which torch clips at 2.2e-16."""
    return distance(draw, RelaxedBernoulli(t(0.01), probs=t(0.5))) >= 1e-30, 0.7


@claim("ends/relaxed-low", tail())
def relaxed_low(draw):
    """P(log X >= -750) = 1 / (1 + e^-.75) = .679 for the logistic law of scale 1000, which torch clips at -708."""
    return draw.sample("x", RelaxedBernoulli(t(0.001), probs=t(0.5))).log() >= -750.0, 0.75


@claim("ends/uniform", tail())
def uniform(draw):
    """P(1 - X <= 1e-17) = .1 for the law on [1 - 1e-16, 1]."""
    return distance(draw, Uniform(t(1.0 - 2.0**-53), t(1.0))) <= 2.0**-55, 0.3


@claim("ends/affine", tail())
def affine(draw):
    """P(X >= 2) = 0 for 2 Beta(1, .01)."""
    doubled = TransformedDistribution(Beta(t(1.0), t(0.01)), [AffineTransform(0.0, 2.0)])
    return draw.sample("x", doubled) >= 2.0, 0.1


@claim("ends/pareto", tail())
def pareto(draw):
    """P(X <= 3) = 0 for a Pareto law from 3 on."""
    return draw.sample("x", Pareto(t(3.0), t(1e17))) <= 3.0, 0.1


@claim("ends/normal", tail())
def normal(draw):
    """P(|X - 1| <= s / 10) = .0797."""
    return (draw.sample("x", Normal(t(1.0), t(1e-20))) - 1.0).abs() <= 1e-21, 0.11


@claim("ends/weibull", tail())
def weibull(draw):
    """P(X = 1) = 0."""
    return draw.sample("x", Weibull(t(1.0), t(1e18))) == 1.0, 0.1


@claim("ends/mixture", tail())
def mixture(draw):
    """P(X = 1) = 0, and P(X = 1/2) as well."""
    x = draw.sample("x", MixtureSameFamily(Categorical(t(0.5, 0.5)), Beta(t(0.01, 1.0), t(0.01, 1.0))), 2)
    return (x == 1.0).any(-1), 0.1


@claim("ends/independent", tail())
def independent(draw):
    """P(some of three is 1) = 0."""
    law = Independent(Beta(t(0.01, 0.02, 1.0), t(0.01, 0.02, 1.0)), 1)
    return (draw.sample("x", law, 2) == 1.0).any(-1).any(-1), 0.1


OPEN = [
    *(beta, equal, logarithm, dirichlet, kumaraswamy, spread, mean, violation, relaxed, relaxed_low, uniform),
    *(affine, pareto, normal, weibull, mixture, independent),
]


@pytest.mark.in_turn
@pytest.mark.parametrize("made", OPEN, ids=lambda c: c.id)
def test_what_rounds_to_an_end_refutes_nothing(made) -> None:
    verdict = bare_check(made)
    assert verdict.status is Status.UNDECIDED
    assert "samples beyond the range or the resolution of floats decide" in verdict.reason


@claim("ends/true", tail())
def true(draw):
    """P(X >= 1/2) = 1/2, whatever is next to 1."""
    return draw.sample("x", Beta(t(0.01), t(0.01))) >= 0.5, 0.55


@claim("ends/true-next-to-it", tail())
def true_next_to_it(draw):
    """P(1 - X <= 1e-13) = .050 for Beta(1, .1): a hundredth of it is where rounding decides."""
    return distance(draw, Beta(t(1.0), t(0.1))) <= 1e-13, 0.06


@claim("ends/true-rarely", tail())
def true_rarely(draw):
    """P(X = 1) = 0 <= .1 for Beta(1, .1), of whose samples two in a hundred round to 1."""
    return draw.sample("x", Beta(t(1.0), t(0.1))) == 1.0, 0.1


@claim("ends/stick", tail())
def stick(draw):
    """P(X_2 >= 1e-20) = P(Z <= 46 / 1000) = .518, which torch clips at 2.2e-16."""
    return draw.sample("x", LogisticNormal(t(0.0).expand(1), t(1000.0).expand(1)))[..., 1] >= 1e-20, 0.55


@claim("ends/true-normal", tail())
def true_normal(forall, draw):
    """P(|X - 1| <= s / 10) = .0797."""
    s = forall.interval("s", 1e-20, 1.0)
    return (draw.sample("x", Normal(torch.ones_like(s), s)) - 1.0).abs() <= s / 10.0, 0.11


@claim("ends/true-mean", expectation(range=(-1.0, 1.0)))
def true_mean(draw):
    """E X = 1/2."""
    return draw.sample("x", Beta(t(0.01), t(0.01))), 0.53


@pytest.mark.parametrize(
    "made", [true, true_next_to_it, true_rarely, true_mean, true_normal, stick], ids=lambda c: c.id
)
def test_what_rounding_hardly_decides_holds(made) -> None:
    assert bare_check(made).status is Status.HOLDS


@claim("ends/false", tail())
def false(draw):
    """P(1 - X <= 1e-10) = .794 for Beta(1, .01)."""
    return distance(draw, Beta(t(1.0), t(0.01))) <= 1e-10, 0.7


@claim("ends/false-mean", expectation(range=(-1.0, 1.0)))
def false_mean(draw):
    """E X = 1/2."""
    return draw.sample("x", Beta(t(0.01), t(0.01))), 0.47


@pytest.mark.parametrize("made", [false, false_mean], ids=lambda c: c.id)
def test_what_is_wrong_whatever_was_rounded_is_refuted(made) -> None:
    assert bare_check(made).status is Status.REFUTED


def test_ordinary_samples_are_as_they_were() -> None:
    """None of them is next to an end, so that nothing is evaluated once more."""
    for law in (Beta(t(2.0), t(3.0)), Dirichlet(t(1.0, 2.0)), Normal(t(1.0), t(1.0)), Gumbel(t(0.0), t(1.0))):
        recorder = Recorder(Draw(10_000, ("k",)))
        x = recorder.sample("x", law, 2)
        assert not bool(recorder.unresolved().any())
        assert torch.equal(recorder.again().sample("x", law, 2), x)


def test_samples_move_towards_the_inside_of_their_law_and_not_beyond() -> None:
    """In whichever layout: a law for each replicate, or one for all of them with a shape of its own."""
    each = Beta(torch.linspace(0.01, 3.0, 500, dtype=torch.float64), t(0.01))
    both = Beta(t(0.01, 3.0), t(0.01, 0.02))
    for law, shape in ((each, (2, 3)), (both, (3,)), (Dirichlet(t(0.01).expand(1, 3)), (2,))):
        recorder = Recorder(Draw(500, ("k",)))
        x = recorder.sample("x", law, *shape)
        unresolved = (x == 0.0) | (x == 1.0)
        assert 100 < int(recorder.unresolved().sum()) <= 500
        some = torch.arange(400, 500)
        for _ in range(2):
            moved = recorder.rows(some).sample("x", law, *shape)
            assert bool(((moved >= 0.0) & (moved <= 1.0)).all())
            assert bool((moved[unresolved[some]] != x[some][unresolved[some]]).all())
            assert float((moved - x[some]).abs().max()) < 1e-12
        assert torch.equal(recorder.rows(some, exact=True).sample("x", law, *shape), x[some])


def test_marks_pass_through_transforms() -> None:
    assert marks(Poisson(t(1.0))) == []
    wide = max(float(mark.step) for mark in marks(Kumaraswamy(t(0.001), t(1.0))) if float(mark.at) == 1.0)
    assert 1e-13 < wide < 1e-12
    falling = TransformedDistribution(Beta(t(2.0), t(3.0)), [AffineTransform(5.0, -3.0)])
    assert [(float(m.at), float(m.side)) for m in marks(falling) if m.end] == [(5.0, -1.0), (2.0, 1.0)]
    single = Normal(torch.tensor(1.0, dtype=torch.float32), torch.tensor(1.0, dtype=torch.float32))
    assert all(math.isclose(float(mark.step), 2.0 * 2.0**-23) for mark in marks(single))
