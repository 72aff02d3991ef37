"""Each finder finds the violation that only its kind can find, and none of them leaves the set."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

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
from harness.search.bfgs import bfgs
from harness.search.cma_es import cma_es
from harness.search.differential_evolution import differential_evolution
from harness.search.local_search import local_search
from harness.search.population import Population, joined
from harness.search.starts import corner_cases, float_edge_cases, low_discrepancy, random_points
from tests.harness.scores import Score, rng_of

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_corners_find_what_needs_all_coordinates_at_their_ends(seed: int) -> None:
    """Uniform sampling meets this corner of 12 coordinates with probability 1e-24 per instance."""
    found = Score(lambda x: x.amin(-1) - 0.99, Interval("x", (12,), 0.0, 1.0))
    assert corner_cases(found, rng_of(seed), 128).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_every_written_choice_is_tried_even_with_a_small_count(seed: int) -> None:
    options = tuple((float(i),) for i in range(40))
    found = corner_cases(Score(lambda c: (c == 37.0).double() - 0.5, Choice("c", (), options)), rng_of(seed), 8)
    assert found.top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_scatter_meets_every_box_of_one_hundredth_of_the_square(seed: int) -> None:
    """Independent points miss such a box with probability 0.6 % each time; even points must not."""
    corner = 0.1 * float(rng_of(seed).integers(0, 9)), 0.1 * float(rng_of(seed + 1).integers(0, 9))

    def inside(x: Tensor) -> Tensor:
        low = tensor(corner)
        return ((x >= low) & (x <= low + 0.1)).all(-1).double() - 0.5

    assert random_points(Score(inside, Interval("x", (2,), 0.0, 1.0)), rng_of(seed), 1024).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_find_where_a_formula_leaves_the_real_numbers(seed: int) -> None:
    """A variance in one pass, and a norm whose squares underflow: true on the reals, false on floats."""

    def underflow(x: Tensor) -> Tensor:
        size = x.abs().amax(-1)
        return torch.where(size > 0.0, size - 2.0 * (x**2).sum(-1).sqrt(), -1.0)

    found = Score(underflow, Interval("x", (4,), -1.0, 1.0))
    assert float_edge_cases(found, rng_of(seed), 1024).top > 0.0
    assert random_points(found, rng_of(seed), 1024).top <= 0.0


@pytest.mark.parametrize(
    "space",
    [
        Interval("x", (3,), -2.0, 5.0),
        Integers("x", (3,), 0, 9),
        Signs("x", (4,)),
        Ball("x", (3,), 2.0, surface=True),
        Ball("x", (2, 3), 0.5, surface=False),
        Simplex("x", (5,)),
        PositiveSemidefinite("x", (3, 3), 1.0),
        PositiveSemidefinite("x", (2, 2), None),
        Choice("x", (), ((1.0,), (5.0,))),
    ],
    ids=lambda space: type(space).__name__,
)
def test_edges_stay_inside_every_set(space: Space) -> None:
    found = Score(lambda x: torch.zeros(len(x)), space)
    float_edge_cases(found, rng_of(0), 256)
    assert found.outside == 0


def test_scatter_works_beyond_the_dimensions_of_the_even_points() -> None:
    points = low_discrepancy((Interval("x", (70,), 0.0, 1.0), Signs("s", (3,))), rng_of(0), 10)
    assert tuple(points["x"].shape) == (10, 70)
    assert tuple(points["s"].shape) == (10, 3)


NEEDLE = tensor(np.linspace(-0.7, 0.8, 10))


def _needle(x: Tensor) -> Tensor:
    return 1e-3 - (x - NEEDLE).norm(dim=-1)


@pytest.mark.parametrize("seed", SEEDS)
def test_ascent_follows_a_slope_to_a_needle_in_ten_dimensions(seed: int) -> None:
    """A ball of radius 1e-3 in [-1, 1]^10: one part in 10^33, but the slope points at it."""
    objective = Score(_needle, Interval("x", (10,), -1.0, 1.0))
    starts = random_points(objective, rng_of(seed), 24)
    assert starts.top < 0.0
    assert bfgs(objective, starts, 200).top > 0.0


SMOOTH: list[Space] = [
    Interval("x", (6,), -1.0, 2.0),
    Ball("x", (6,), 2.0, surface=False),
    Ball("x", (6,), 2.0, surface=True),
    Simplex("x", (6,)),
    PositiveSemidefinite("x", (3, 3), None),
    PositiveSemidefinite("x", (3, 3), 1.0),
]


@pytest.mark.parametrize("space", SMOOTH, ids=str)
@pytest.mark.parametrize("finder", ["bfgs", "differential_evolution"])
def test_no_finder_ever_evaluates_outside_the_set(space: Space, finder: str) -> None:
    """An instance outside its set would be a false accusation."""
    weights = tensor(rng_of(3).standard_normal(space.shape))
    objective = Score(lambda x: (x * weights).reshape(len(x), -1).sum(-1) + x.reshape(len(x), -1).sin().sum(-1), space)
    starts = random_points(objective, rng_of(0), 16)
    found = (
        bfgs(objective, starts, 40) if finder == "bfgs" else differential_evolution(objective, rng_of(1), starts, 40)
    )
    assert objective.outside == 0
    assert bool(space.contains(found.values["x"]).all())
    assert bool((found.scores >= starts.scores).all())  # what climbs never falls
    assert found.top > starts.top


def test_ascent_ignores_gradients_that_are_not_numbers() -> None:
    """sqrt at zero has an infinite slope; one such coordinate must not stop the others."""
    objective = Score(lambda x: x[:, 0] + 0.0 * x[:, 1].sqrt() - 0.99, Interval("x", (2,), 0.0, 1.0))
    start = {"x": torch.zeros(4, 2, dtype=torch.float64)}
    assert bfgs(objective, Population(start, objective.scores(start, 4)), 60).top > 0.0


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tensor(x.detach().numpy()).sum(-1),
        lambda x: tensor(x.numpy()).sum(-1),
        lambda x: x.round().detach().sum(-1),
    ],
    ids=["detached", "numpy", "no gradient"],
)
def test_a_body_without_gradient_means_no_ascent_and_no_error(function: Callable[[Tensor], Tensor]) -> None:
    objective = Score(function, Interval("x", (2,), 0.0, 1.0))
    starts = random_points(objective, rng_of(0), 8)
    found = bfgs(objective, starts, 10)
    assert torch.equal(found.scores, starts.scores)


@pytest.mark.parametrize("seed", SEEDS)
def test_evolution_finds_a_combination_of_integers_and_signs(seed: int) -> None:
    """One combination in 21^3 * 2^10 = 9 million, reached by moves that improve one coordinate at a time."""
    target, pattern = tensor([7.0, -3.0, 10.0]), tensor(np.sign(np.sin(np.arange(10) + 1.0)))

    def close(k: Tensor, s: Tensor) -> Tensor:
        return 0.5 - (k - target).abs().sum(-1) - (s != pattern).double().sum(-1)

    objective = Score(close, Integers("k", (3,), -10, 10), Signs("s", (10,)))
    starts = random_points(objective, rng_of(seed), 64)
    assert starts.top < 0.0
    assert differential_evolution(objective, rng_of(seed), starts, 300).top > 0.0
    assert objective.outside == 0


OF_ONE_RANGE = (
    Signs("s", (3,)),
    Integers("k", (3,), -1, 1),
    Interval("x", (3,), -1.0, 1.0),
    Choice("c", (), ((-1.0,), (0.5,), (1.0,))),
    Ball("b", (3,), 1.0, surface=False),
)
FINDERS: dict[str, Callable[[Score, Population, np.random.Generator], Population]] = {
    "local_search": lambda objective, starts, rng: local_search(objective, rng, starts, 40, 64),
    "differential_evolution": lambda objective, starts, rng: differential_evolution(objective, rng, starts, 40),
    "cma_es": lambda objective, starts, rng: cma_es(objective, rng, starts, 40, 16),
    "bfgs": lambda objective, starts, _: bfgs(objective, starts, 20),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("finder", FINDERS)
def test_sets_of_one_range_keep_what_is_theirs(finder: str, seed: int) -> None:
    """A number of [-1, 1] that takes the place of a sign is none: true claims about signs were refuted by y = 0."""
    objective = Score(
        lambda s, k, x, c, b: -(s.sum(-1) - k.sum(-1) - x.sum(-1)).abs() - c.square() + b[:, 0], *OF_ONE_RANGE
    )
    starts = random_points(objective, rng_of(seed), 16)
    found = FINDERS[finder](objective, starts, rng_of(seed))
    assert objective.outside == 0
    assert all(bool(space.contains(found.values[space.name]).all()) for space in OF_ONE_RANGE)


@pytest.mark.parametrize("seed", range(5))
def test_exchanges_between_sets_of_different_values_stay_inside(seed: int) -> None:
    """A sign that takes the place of an integer may become zero: no sign, and an error in the body."""
    spaces = (Signs("s", (3,)), Integers("k", (3,), -1, 1), Integers("m", (2,), 0, 5))
    objective = Score(lambda s, k, m: -1.0 - (s.sum(-1) - k.sum(-1)).abs() - m.sum(-1), *spaces)
    local_search(objective, rng_of(seed), random_points(objective, rng_of(seed), 16), 20, 64)
    assert objective.outside == 0
    zeros = Score(lambda k: k.square().sum(-1) * -1.0, Integers("k", (6,), -1, 1))
    assert (
        float(local_search(zeros, rng_of(seed), random_points(zeros, rng_of(seed), 4), 60, 32, goal=-0.5).scores.max())
        == 0.0
    )


def test_starts_without_a_slope_are_left_alone() -> None:
    """In a corner that every slope pushes against, and on a plateau: once to see it, once to say what was found."""
    corner = Score(lambda x: x.sum(-1) - 5.0, Interval("x", (3,), 0.0, 1.0))
    assert bfgs(corner, Population({"x": torch.ones(4, 3, dtype=torch.float64)}, tensor([-2.0] * 4)), 200).top == -2.0
    assert corner.evaluations == 8
    plateau = Score(lambda x: x.sum(-1).clamp_max(1.0) - 2.0, Interval("x", (3,), 0.0, 1.0))
    starts = Population({"x": tensor([[0.5, 0.4, 0.9], [0.1, 0.2, 0.3]])}, tensor([-1.0, -1.4]))
    assert bfgs(plateau, starts, 200).scores.tolist() == [-1.0, -1.0]
    assert 4 < plateau.evaluations < 2 * 30


def test_finds_are_ordered_and_joined() -> None:
    a = Population({"x": tensor([1.0, 3.0])}, tensor([1.0, 3.0]))
    b = Population({"x": tensor([2.0])}, tensor([2.0]))
    assert joined([a, b]).best(2).values["x"].tolist() == [3.0, 2.0]
    assert joined([a, b]).top == 3.0


def test_instances_that_are_found_again_count_once() -> None:
    """Twelve copies of one integer had filled the heats, and the worst distribution was never tried in them."""
    values = {"m": torch.tensor([29.0, 30.0, 29.0, 31.0]), "p": torch.tensor([[0.5], [0.5], [0.5], [0.5]])}
    found = Population(values, torch.tensor([0.3, 0.5, 0.4, 0.1])).distinct()
    assert found.values["m"].tolist() == [30.0, 29.0, 31.0]
    assert found.scores.tolist() == pytest.approx([0.5, 0.4, 0.1])


def test_the_best_far_from_each_other_come_after_the_best() -> None:
    values = {"p": torch.tensor([[0.0], [0.1], [0.5], [0.55], [1.0]])}
    found = Population(values, torch.tensor([5.0, 4.0, 2.0, 3.0, 1.0]))
    spaces = (Interval("p", (1,), 0.0, 1.0),)
    assert found.apart(4, spaces, 0.2).values["p"].flatten().tolist() == pytest.approx([0.0, 0.55, 1.0])
    assert found.apart(2, spaces, 0.2).scores.tolist() == [5.0, 3.0]


def test_what_a_vanishing_slope_has_taught_is_no_direction_where_the_slope_is_huge() -> None:
    """The first move is scaled by a slope of 1e-305; the same scale at a slope of 1e17 is infinite."""

    def jump(x: Tensor) -> Tensor:
        return torch.where(x[:, 0] <= 0.6, 1e-305 * x[:, 0] - 1e18, 1e17 * (x[:, 0] - 2.0))

    objective = Score(jump, Ball("x", (3,), 1.0, surface=True))
    start = {"x": tensor([[0.6, 0.8, 0.0]])}
    found = bfgs(objective, Population(start, objective.scores(start, 1)), 60)
    assert objective.outside == 0
    assert found.top > -1.39e17  # it goes on from where the first move led
