"""The finders that the zoo called for: each solves what it is for, stays inside its set, and never falls."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import always, claim, identity
from harness.kinds import Always, Identity
from harness.language.evaluation import Sides
from harness.language.registry import Claim
from harness.language.spaces import (
    Ball,
    Choice,
    Integers,
    Interval,
    PositiveSemidefinite,
    Signs,
    Simplex,
    Space,
    tensor,
)
from harness.run.api import check
from harness.search.bfgs import bfgs
from harness.search.cma_es import cma_es
from harness.search.local_search import local_search
from harness.search.objective import FLOOR, Batch, log_ratio, score
from harness.search.population import Population, flatten, unflatten
from harness.search.starts import random_points
from harness.verdict import Status

SEEDS = range(10)


class Written:
    """An objective written down directly; counts evaluations outside its sets."""

    differentiable = True

    def __init__(self, function, *spaces: Space) -> None:
        self.function, self.spaces, self.evaluations, self.outside = function, spaces, 0, 0

    def scores(self, values: Batch, batch: int) -> Tensor:
        self.evaluations += batch
        for space in self.spaces:
            self.outside += int((~space.contains(values[space.name].detach())).sum())
        return self.function(**values)

    log_ratios = scores


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _starts(objective: Written, seed: int, count: int = 32) -> Population:
    return random_points(objective, _rng(seed), count)


PATTERN = tensor(np.where(np.sin(np.arange(60.0) ** 2) > 0.0, 1.0, -1.0))


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanges_solve_a_separable_pattern_in_a_few_rounds(seed: int) -> None:
    """All flips that help are applied at once: one pattern of 2^60, 12 rounds."""
    objective = Written(lambda s: 0.5 - (s != PATTERN).double().sum(-1), Signs("s", (60,)))
    assert local_search(objective, _rng(seed), _starts(objective, seed), 12, 64).top > 0.0
    assert objective.outside == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanges_keep_a_balance_that_single_flips_break(seed: int) -> None:
    balanced = PATTERN[:24] * 0.0 + tensor([1.0, -1.0, -1.0, 1.0, 1.0, -1.0] * 4)

    def closeness(s: Tensor) -> Tensor:
        return torch.where(s.sum(-1) == 0.0, 0.5 - (s != balanced).double().sum(-1), -100.0)

    objective = Written(closeness, Signs("s", (24,)))
    assert local_search(objective, _rng(seed), _starts(objective, seed), 60, 64).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanges_move_integers_and_choices_and_intervals_to_their_ends_only(seed: int) -> None:
    """Where a slope leads is the business of other finders: no entry of an interval gets a value inside of it."""
    options = tuple((float(i), float(i * i % 7)) for i in range(12))

    def close(k: Tensor, c: Tensor, x: Tensor) -> Tensor:
        off = (k - tensor([5.0, -40.0, 77.0])).abs().sum(-1) + 3.0 * (c[:, 0] - 9.0).abs()
        return 0.5 - off + 0.0 * x

    objective = Written(close, Integers("k", (3,), -100, 100), Choice("c", (2,), options), Interval("x", (), 0.0, 1.0))
    starts = _starts(objective, seed)
    found = local_search(objective, _rng(seed), starts, 80, 64)
    assert found.top > 0.0
    assert set(found.values["x"].tolist()) <= {*starts.values["x"].tolist(), 0.0, 1.0}
    assert objective.outside == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanges_solve_a_pattern_of_ends_of_an_interval(seed: int) -> None:
    """One corner of 2^60 where every slope vanishes: flat but for which half of the interval an entry is in."""
    objective = Written(lambda x: 0.5 - (x.sign() != PATTERN).double().sum(-1), Interval("x", (60,), -1.0, 1.0))
    assert local_search(objective, _rng(seed), _starts(objective, seed), 12, 64).top > 0.0
    assert objective.outside == 0


@pytest.mark.parametrize("space", [Simplex("x", (3,)), Ball("x", (3,), 1.0, surface=True)], ids=str)
def test_exchanges_of_sets_without_coordinates_of_their_own_do_nothing(space: Space) -> None:
    """One entry of a simplex or a sphere cannot move alone."""
    objective = Written(lambda x: x.sum(-1), space)
    starts = _starts(objective, 0)
    assert local_search(objective, _rng(0), starts, 5, 8) is starts


def test_a_goal_out_of_reach_lets_the_search_go_on_past_the_first_positive_score() -> None:
    """Scores of distributions are frequencies, positive from the start: stopping at zero would search nothing."""
    objective = Written(lambda s: (s + 1.0).sum(-1), Signs("s", (20,)))
    assert local_search(objective, _rng(0), _starts(objective, 0), 30, 32, goal=math.inf).top == 40.0
    hill = Written(lambda x: 5.0 - x.square().sum(-1), Interval("x", (4,), -1.0, 1.0))
    assert cma_es(hill, _rng(0), _starts(hill, 0), 40, 12, goal=math.inf).top > 5.0 - 1e-4


SMOOTH: list[Space] = [
    Interval("x", (5,), -1.0, 2.0),
    Ball("x", (5,), 2.0, surface=False),
    Ball("x", (5,), 2.0, surface=True),
    Simplex("x", (5,)),
    PositiveSemidefinite("x", (3, 3), 1.0),
]


@pytest.mark.parametrize("space", SMOOTH, ids=str)
@pytest.mark.parametrize("finder", ["cma_es", "bfgs"])
def test_the_finders_stay_in_their_set_and_never_fall(space: Space, finder: str) -> None:
    weights = tensor(_rng(3).standard_normal(space.shape))
    objective = Written(lambda x: -9.0 + (x * weights).reshape(len(x), -1).sum(-1), space)
    starts = _starts(objective, 1, 16)
    found = bfgs(objective, starts, 40) if finder == "bfgs" else cma_es(objective, _rng(2), starts, 40, 16)
    assert objective.outside == 0
    assert bool(space.contains(found.values["x"]).all())
    assert found.top > starts.top
    assert bool((found.scores[: len(starts.scores)] >= starts.scores).all())


@pytest.mark.parametrize("space", SMOOTH, ids=str)
def test_joint_vectors_return_to_the_elements_they_came_from(space: Space) -> None:
    values = {"x": space.sample(_rng(0), 7)}
    assert torch.allclose(unflatten((space,), flatten((space,), values))["x"], values["x"], rtol=1e-9, atol=1e-12)


TARGET = tensor(np.linspace(-0.7, 0.8, 10))


@pytest.mark.parametrize("seed", SEEDS)
def test_quasi_newton_ascent_solves_a_quadratic_of_condition_1e6(seed: int) -> None:
    """Plain ascent needs about as many steps as the condition number."""
    stiffness = torch.logspace(0.0, 6.0, 10, dtype=torch.float64)
    objective = Written(lambda x: 1e-6 - (stiffness * (x - TARGET).square()).sum(-1), Interval("x", (10,), -1.0, 1.0))
    assert bfgs(objective, _starts(objective, seed, 8), 120).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_quasi_newton_ascent_reaches_an_optimum_on_the_boundary(seed: int) -> None:
    """Coordinates that push against an end must not spoil the curvature of the others."""
    pull = tensor([3.0, -2.0, 0.3])
    objective = Written(lambda x: 1e-9 - (x - pull).square().sum(-1) + 5.0, Interval("x", (3,), -1.0, 1.0))
    assert bfgs(objective, _starts(objective, seed, 8), 60).top > 5.0 - 4.0 - 1.0 - 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_covariance_adaptation_learns_a_rotated_valley_without_gradients(seed: int) -> None:
    rotation = torch.linalg.qr(tensor(_rng(5).standard_normal((8, 8)))).Q
    stiffness = torch.logspace(0.0, 3.0, 8, dtype=torch.float64)

    def valley(x: Tensor) -> Tensor:
        return 1e-3 - (stiffness * ((x - TARGET[:8]) @ rotation).square()).sum(-1)

    objective = Written(valley, Interval("x", (8,), -1.0, 1.0))
    assert cma_es(objective, _rng(seed), _starts(objective, seed), 150, 32).top > 0.0


def test_no_gradient_means_no_quasi_newton_ascent_and_no_error() -> None:
    objective = Written(lambda x: x.detach().sum(-1), Interval("x", (2,), 0.0, 1.0))
    starts = _starts(objective, 0)
    assert bfgs(objective, starts, 10) is starts


SIDES = tensor([-3.0, -1.0, -1e-8, 1e-8, 0.5, 1.0, 1.5, 1e9])


@pytest.mark.parametrize("kind", [Always(), Identity()])
def test_heights_order_instances_like_scores_where_the_signs_agree(kind: Always | Identity) -> None:
    lhs, rhs = (side.reshape(-1) for side in torch.meshgrid(SIDES, SIDES, indexing="ij"))
    for sign in (-1.0, 1.0):
        same = (lhs * sign > 0.0) & (rhs * sign > 0.0)
        sides = Sides(lhs[same], rhs[same])
        marks, heights = score(sides, kind), log_ratio(sides, kind)
        order = torch.argsort(heights, stable=True)
        assert bool((marks[order].diff() >= -1e-8).all())  # ties of the score, up to its tolerance of 1e-9


def test_heights_keep_a_slope_at_any_ratio_and_where_scores_are_flat() -> None:
    """A climb ends where its height is flat: far below equality, at different signs, within the tolerance."""
    lhs = tensor([1e-30, 2e-30, -1e20, -2e20])
    heights = log_ratio(Sides(lhs, torch.ones_like(lhs)), Always())
    assert float(heights[1] - heights[0]) == pytest.approx(math.log(2.0))
    assert float(heights[2] - heights[3]) == pytest.approx(math.log(2.0))
    assert float(heights[2]) < -FLOOR < float(heights[0])
    within = Sides(tensor([1.0 + 1e-10, 1.0 + 5e-10]), tensor([1.0, 1.0]))
    assert score(within, Always()).tolist() == [0.0, 0.0]
    assert float(log_ratio(within, Always()).diff()) == pytest.approx(4e-10, rel=1e-5)


@claim("zoo-search/cancelled-variance", identity())
def cancelled_variance(forall):
    """mean of squares - square of mean = variance: true, and far from it in float64 around 1e7."""
    x = forall.interval("x", 1e7, 1e7 + 1.0, 5)
    return x.square().mean(-1) - x.mean(-1).square(), x.var(-1, correction=0)


@claim("zoo-search/end-point", always())
def false_at_one_end(forall):
    """[x >= 1] <= 1/2 on [0, 1], through numpy: false at the end alone, where a smaller x is no violation."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.from_numpy((x.detach().numpy() >= 1.0).astype(float)), 0.5


@claim("zoo-search/end-point-in-torch", always())
def false_at_one_end_in_torch(forall):
    """[x >= 1] <= 1/2 on [0, 1]: false at the end alone."""
    return (forall.interval("x", 0.0, 1.0) >= 1.0).double(), 0.5


@claim("zoo-search/ties", always())
def false_for_ties(forall):
    """The number of entries equal to the first is at most 3, through numpy: false at exact ties alone."""
    x = forall.interval("x", 0.1, 1.0, 4)
    array = x.detach().numpy()
    return torch.from_numpy((array == array[:, :1]).sum(-1).astype(float)), 3.0


@claim("zoo-search/ties-in-torch", always())
def false_for_ties_in_torch(forall):
    """The number of entries equal to the first is at most 3: false at exact ties alone."""
    x = forall.interval("x", 0.1, 1.0, 4)
    return (x == x[:, :1]).sum(-1).double(), 3.0


JUMPS = [false_at_one_end, false_at_one_end_in_torch, false_for_ties, false_for_ties_in_torch]


@pytest.mark.parametrize("seed", range(3))
def test_rounding_accuses_nobody(seed: int) -> None:
    """In float64 the sides of a cancelling variance differ by a thousandth around 1e7."""
    assert check(cancelled_variance, seed=seed, effort="quick").status.favourable


@pytest.mark.in_turn
@pytest.mark.parametrize("made", JUMPS, ids=lambda made: made.id)
@pytest.mark.parametrize("seed", range(3))
def test_jumps_still_convict(made: Claim, seed: int) -> None:
    """At a jump a last place of an input moves the sides as far as they differ: it must not pass for rounding."""
    assert check(made, seed=seed, effort="quick").status is Status.REFUTED
