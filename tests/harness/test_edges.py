"""The edge of what a claim assumes: reached from inside, where the worst law lies."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import always, claim, tail
from harness.language.registry import Claim
from harness.language.spaces import Interval, Signs, Simplex
from harness.search.edges import at_the_edge
from harness.search.objective import Batch
from harness.search.population import Population, joined, scored
from harness.settings import Settings
from harness.verdict import Status
from tests.helpers import bare_check


class _Disc:
    """x + y of a point in a disc of radius 1/2 of the square, or of a weight that is at most 1/3."""

    spaces = (Interval("x", (2,), -1.0, 1.0), Simplex("w", (3,)), Signs("s", (1,)))
    differentiable = False
    evaluations = 0

    def scores(self, values: Batch, batch: int) -> Tensor:
        total = values["x"].sum(-1) + values["w"][:, 0]
        return torch.where(self.inside(values, batch), total, -math.inf)

    def inside(self, values: Batch, batch: int) -> Tensor:
        self.evaluations += batch
        return (values["x"].norm(dim=-1) <= 0.5) & (values["w"][:, 0] <= 1.0 / 3.0)


def _sampled(objective: _Disc, count: int) -> Population:
    rng = np.random.default_rng(0)
    return scored(objective, {space.name: space.sample(rng, count) for space in objective.spaces}, count)


def test_the_best_instance_at_the_edge_is_reached() -> None:
    """At (1, 1) / sqrt 8 and a third, of which two hundred random points know nothing."""
    objective, best = _Disc(), math.sqrt(0.5) + 1.0 / 3.0
    pool = _sampled(objective, 200)
    found = at_the_edge(objective, np.random.default_rng(1), pool, 480, at_once=8)
    assert pool.top < best - 0.05
    assert best - 0.02 < found.top <= best + 1e-12
    inside = torch.isfinite(found.scores)
    for space in objective.spaces:
        assert bool(space.contains(found.values[space.name][inside]).all())


def test_where_hardly_anything_is_outside_nothing_is_tried() -> None:
    objective = _Disc()
    pool = _sampled(objective, 300)
    inner = pool.take(torch.isfinite(pool.scores))
    few = joined([inner, pool.take(~torch.isfinite(pool.scores)).best(len(inner.scores) // 20)])
    for each in (inner, few, pool.take(~torch.isfinite(pool.scores))):
        before = objective.evaluations
        assert at_the_edge(objective, np.random.default_rng(1), each, 160) is each
        assert objective.evaluations == before


def _law(forall, atoms: int, low: float = 0.0):
    return forall.law("P", atoms=atoms, low=low)


@claim("edge/cantelli", tail(), expected="refuted")
def cantelli(forall, draw):
    """P(X - E X >= .4) <= .15, where the variance is .04: at most .2."""
    law = _law(forall, 2)
    forall.assume(law.variance <= 0.04)
    return draw.law("x", law) - law.mean >= 0.4, 0.15


@claim("edge/chebyshev", tail(), expected="refuted")
def chebyshev(forall, draw):
    """P(|X - E X| >= .4) <= .18, where the variance is .04: at most .25."""
    law = _law(forall, 3)
    forall.assume(law.variance <= 0.04)
    return (draw.law("x", law) - law.mean).abs() >= 0.4, 0.18


@claim("edge/second-moment", tail(), expected="refuted")
def second_moment(forall, draw):
    """P(|X| >= .6) <= .2, where E X^2 <= .09: at most .25."""
    law = _law(forall, 3, low=-1.0)
    forall.assume(law.expect(lambda x: x**2) <= 0.09)
    return draw.law("x", law).abs() >= 0.6, 0.2


@claim("edge/exact", always(), expected="refuted")
def exact(forall):
    """The probability itself."""
    law = _law(forall, 3)
    mean = law.mean
    forall.assume(law.variance <= 0.04)
    return law.probability(lambda x: (x - mean[:, None]).abs() >= 0.4), 0.22


@claim("edge/true", tail())
def true(forall, draw):
    """Chebyshev's inequality."""
    law = _law(forall, 3)
    forall.assume(law.variance <= 0.04)
    return (draw.law("x", law) - law.mean).abs() >= 0.4, 0.2501


@pytest.mark.in_turn
@pytest.mark.parametrize("made", [cantelli, chebyshev, second_moment, exact, true], ids=lambda made: made.id)
def test_laws_at_the_edge_of_what_is_assumed_are_found(made: Claim) -> None:
    found = bare_check(made, effort="standard").status
    assert found is (Status.HOLDS if made is true else Status.REFUTED)


def test_the_way_to_the_edge_measures_no_rounding() -> None:
    """A claim that is violated on most of its set: the rounding of each violation that is passed was measured."""

    @claim("edges/violated", always())
    def violated(forall):
        """x + y <= 0, where x^2 + y^2 <= 1/2."""
        x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
        forall.assume(x.square() + y.square() <= 0.5)
        return x + y, 0.0

    judge = violated.kind.judge(violated, {}, Settings())
    objective = judge._objective(judge.anatomy.bytes_per_replicate)
    spaces = objective.spaces
    inside = objective.inside({space.name: torch.tensor([0.1, 0.9], dtype=torch.float64) for space in spaces}, 2)
    assert inside.tolist() == [True, False]
    assert objective.evaluations == 2
    assert objective.measurements == 0
