"""Each finder finds the violation that only its kind can find, and none of them leaves the set."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from harness.kinds import Always, Identity
from harness.language.evaluation import Sides
from harness.language.registry import claim
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
from harness.search.differential_evolution import differential_evolution
from harness.search.gradient_ascent import gradient_ascent
from harness.search.local_search import local_search
from harness.search.objective import TIE, Batch, Deterministic, excess, score, tolerance
from harness.search.population import Population, joined
from harness.search.shrink import complexity, shrink
from harness.search.starts import corner_cases, float_edge_cases, low_discrepancy, random_points

SEEDS = range(20)


class Score:
    """An objective written down directly, its own slope; positive means violated."""

    differentiable = True

    def __init__(self, function: Callable[..., Tensor], *spaces: Space) -> None:
        self.function, self.spaces, self.evaluations = function, spaces, 0
        self.outside = 0

    def scores(self, values: Batch, batch: int) -> Tensor:
        self.evaluations += batch
        for space in self.spaces:
            self.outside += int((~space.contains(values[space.name].detach())).sum())
        return self.function(**values)

    log_ratios = scores


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_corners_find_what_needs_all_coordinates_at_their_ends(seed: int) -> None:
    """Uniform sampling meets this corner of 12 coordinates with probability 1e-24 per instance."""
    found = Score(lambda x: x.amin(-1) - 0.99, Interval("x", (12,), 0.0, 1.0))
    assert corner_cases(found, _rng(seed), 128).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_every_written_choice_is_tried_even_with_a_small_count(seed: int) -> None:
    options = tuple((float(i),) for i in range(40))
    found = corner_cases(Score(lambda c: (c == 37.0).double() - 0.5, Choice("c", (), options)), _rng(seed), 8)
    assert found.top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_scatter_meets_every_box_of_one_hundredth_of_the_square(seed: int) -> None:
    """Independent points miss such a box with probability 0.6 % each time; even points must not."""
    corner = 0.1 * float(_rng(seed).integers(0, 9)), 0.1 * float(_rng(seed + 1).integers(0, 9))

    def inside(x: Tensor) -> Tensor:
        low = tensor(corner)
        return ((x >= low) & (x <= low + 0.1)).all(-1).double() - 0.5

    assert random_points(Score(inside, Interval("x", (2,), 0.0, 1.0)), _rng(seed), 1024).top > 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_edges_find_where_a_formula_leaves_the_real_numbers(seed: int) -> None:
    """A variance in one pass, and a norm whose squares underflow: true on the reals, false on floats."""

    def underflow(x: Tensor) -> Tensor:
        size = x.abs().amax(-1)
        return torch.where(size > 0.0, size - 2.0 * (x**2).sum(-1).sqrt(), -1.0)

    found = Score(underflow, Interval("x", (4,), -1.0, 1.0))
    assert float_edge_cases(found, _rng(seed), 1024).top > 0.0
    assert random_points(found, _rng(seed), 1024).top <= 0.0


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
    float_edge_cases(found, _rng(0), 256)
    assert found.outside == 0


def test_scatter_works_beyond_the_dimensions_of_the_even_points() -> None:
    points = low_discrepancy((Interval("x", (70,), 0.0, 1.0), Signs("s", (3,))), _rng(0), 10)
    assert tuple(points["x"].shape) == (10, 70)
    assert tuple(points["s"].shape) == (10, 3)


NEEDLE = tensor(np.linspace(-0.7, 0.8, 10))


def _needle(x: Tensor) -> Tensor:
    return 1e-3 - (x - NEEDLE).norm(dim=-1)


@pytest.mark.parametrize("seed", SEEDS)
def test_ascent_follows_a_slope_to_a_needle_in_ten_dimensions(seed: int) -> None:
    """A ball of radius 1e-3 in [-1, 1]^10: one part in 10^33, but the slope points at it."""
    objective = Score(_needle, Interval("x", (10,), -1.0, 1.0))
    starts = random_points(objective, _rng(seed), 24)
    assert starts.top < 0.0
    assert gradient_ascent(objective, starts, 120).top > 0.0


SMOOTH: list[Space] = [
    Interval("x", (6,), -1.0, 2.0),
    Ball("x", (6,), 2.0, surface=False),
    Ball("x", (6,), 2.0, surface=True),
    Simplex("x", (6,)),
    PositiveSemidefinite("x", (3, 3), None),
    PositiveSemidefinite("x", (3, 3), 1.0),
]


@pytest.mark.parametrize("space", SMOOTH, ids=str)
@pytest.mark.parametrize("finder", ["gradient_ascent", "differential_evolution"])
def test_no_finder_ever_evaluates_outside_the_set(space: Space, finder: str) -> None:
    """An instance outside its set would be a false accusation."""
    weights = tensor(_rng(3).standard_normal(space.shape))
    objective = Score(lambda x: (x * weights).reshape(len(x), -1).sum(-1) + x.reshape(len(x), -1).sin().sum(-1), space)
    starts = random_points(objective, _rng(0), 16)
    found = (
        gradient_ascent(objective, starts, 40)
        if finder == "gradient_ascent"
        else differential_evolution(objective, _rng(1), starts, 40)
    )
    assert objective.outside == 0
    assert bool(space.contains(found.values["x"]).all())
    assert bool((found.scores >= starts.scores).all())  # what climbs never falls
    assert found.top > starts.top


def test_ascent_ignores_gradients_that_are_not_numbers() -> None:
    """sqrt at zero has an infinite slope; one such coordinate must not stop the others."""
    objective = Score(lambda x: x[:, 0] + 0.0 * x[:, 1].sqrt() - 0.99, Interval("x", (2,), 0.0, 1.0))
    start = {"x": torch.zeros(4, 2, dtype=torch.float64)}
    assert gradient_ascent(objective, Population(start, objective.scores(start, 4)), 60).top > 0.0


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
    starts = random_points(objective, _rng(0), 8)
    found = gradient_ascent(objective, starts, 10)
    assert torch.equal(found.scores, starts.scores)


@pytest.mark.parametrize("seed", SEEDS)
def test_evolution_finds_a_combination_of_integers_and_signs(seed: int) -> None:
    """One combination in 21^3 * 2^10 = 9 million, reached by moves that improve one coordinate at a time."""
    target, pattern = tensor([7.0, -3.0, 10.0]), tensor(np.sign(np.sin(np.arange(10) + 1.0)))

    def close(k: Tensor, s: Tensor) -> Tensor:
        return 0.5 - (k - target).abs().sum(-1) - (s != pattern).double().sum(-1)

    objective = Score(close, Integers("k", (3,), -10, 10), Signs("s", (10,)))
    starts = random_points(objective, _rng(seed), 64)
    assert starts.top < 0.0
    assert differential_evolution(objective, _rng(seed), starts, 300).top > 0.0
    assert objective.outside == 0


@pytest.mark.parametrize("seed", range(5))
def test_exchanges_between_sets_of_different_values_stay_inside(seed: int) -> None:
    """A sign that takes the place of an integer may become zero: no sign, and an error in the body."""
    spaces = (Signs("s", (3,)), Integers("k", (3,), -1, 1), Integers("m", (2,), 0, 5))
    objective = Score(lambda s, k, m: -1.0 - (s.sum(-1) - k.sum(-1)).abs() - m.sum(-1), *spaces)
    local_search(objective, _rng(seed), random_points(objective, _rng(seed), 16), 20, 64)
    assert objective.outside == 0
    zeros = Score(lambda k: k.square().sum(-1) * -1.0, Integers("k", (6,), -1, 1))
    assert (
        float(local_search(zeros, _rng(seed), random_points(zeros, _rng(seed), 4), 60, 32, goal=-0.5).scores.max())
        == 0.0
    )


def test_finds_are_ordered_and_joined() -> None:
    a = Population({"x": tensor([1.0, 3.0])}, tensor([1.0, 3.0]))
    b = Population({"x": tensor([2.0])}, tensor([2.0]))
    assert joined([a, b]).best(2).values["x"].tolist() == [3.0, 2.0]
    assert joined([a, b]).top == 3.0


SIDES = torch.tensor([-2.0, -1.0, -1e-9, 0.0, 1e-9, 1.0, 2.0, 1e8], dtype=torch.float64)


@pytest.mark.parametrize(
    "kind", [Always(), Identity(), Always(rtol=0.5), Always(atol=0.5), Identity(atol=0.5)], ids=str
)
def test_a_score_is_positive_exactly_where_the_statement_is_violated_beyond_its_tolerance(
    kind: Always | Identity,
) -> None:
    """An edge elsewhere would convict what the claim allows, or end a search before a violation."""
    lhs, rhs = (side.reshape(-1) for side in torch.meshgrid(SIDES, SIDES, indexing="ij"))
    sides = Sides(lhs, rhs)
    got = score(sides, kind)
    gap = (lhs - rhs).abs() if isinstance(kind, Identity) else lhs - rhs
    assert torch.equal(got > 0.0, gap > kind.rtol * torch.maximum(lhs.abs(), rhs.abs()) + kind.atol)
    assert torch.equal(got > 0.0, gap > tolerance(sides, kind))
    assert torch.equal(got > 0.0, excess(sides, kind) > 0.0)


EXTREME = torch.tensor(
    [-1e300, -1e160, -1.0, -1e-160, -1e-300, 0.0, 1e-300, 1e-160, 1.0, 1e160, 1e300], dtype=torch.float64
)


@pytest.mark.parametrize("kind", [Always(), Identity()])
def test_scores_of_finite_sides_are_finite_and_above_those_of_ties(kind: Always | Identity) -> None:
    """A score of -inf would pass for a side that is not finite, +inf cannot be climbed; a tie must rank below both.

    Two zeros are a tie: at a degenerate input both sides vanish, and a search that took that for equality would stay.
    """
    lhs, rhs = (side.reshape(-1) for side in torch.meshgrid(EXTREME, EXTREME, indexing="ij"))
    nothing = (lhs == 0.0) & (rhs == 0.0)
    assert bool((score(Sides(lhs, rhs), Always())[nothing] == TIE).all())
    lhs, rhs = lhs[~nothing], rhs[~nothing]
    got = score(Sides(lhs, rhs), kind)
    assert bool(torch.isfinite(got).all())
    assert bool((got > TIE).all())


def test_the_score_grows_with_the_ratio() -> None:
    lhs = torch.linspace(-5.0, 5.0, 201, dtype=torch.float64)
    got = score(Sides(lhs, torch.full_like(lhs, 2.0)), Always())
    assert bool((got.diff() > 0.0).all())


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
def test_a_side_that_is_not_finite_is_never_a_violation(value: float) -> None:
    bad, good = torch.tensor([value], dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    for sides in (Sides(bad, good), Sides(good, bad), Sides(bad, bad)):
        for kind in (Always(), Identity()):
            assert float(score(sides, kind)) == -torch.inf


@pytest.mark.parametrize("factor", [1e-150, 1e-100, 1e-10, 1e10, 1e100, 1e150])
@pytest.mark.parametrize("kind", [Always(), Identity()])
def test_a_common_factor_of_both_sides_changes_no_score(kind: Always | Identity, factor: float) -> None:
    """A tolerance from a guessed scale accused tiny true claims, or acquitted tiny false ones."""
    some = torch.tensor([-3.0, -1.0, -1.0 - 1e-7, -0.2, 0.2, 1.0, 1.0 + 1e-7, 3.0], dtype=torch.float64)
    lhs, rhs = (side.reshape(-1) for side in torch.meshgrid(some, some, indexing="ij"))
    plain, scaled = score(Sides(lhs, rhs), kind), score(Sides(factor * lhs, factor * rhs), kind)
    assert torch.equal(plain > 0.0, scaled > 0.0)
    assert torch.allclose(plain, scaled, rtol=0.0, atol=1e-6)


def _objective(body: Callable[..., object], *spaces: Space, kind: Always | Identity, cost: int = 8) -> Deterministic:
    made = claim(f"finders/{body.__name__.strip('_')}", kind)(body)
    return Deterministic(made, {}, kind, spaces, bytes_per_instance=cost)


def _closest(objective: Deterministic) -> float:
    """The closest approach among the instances that the objective has kept."""
    kept = [values for *_, values in objective.records.entries()]
    return objective.closest({name: torch.cat([values[name] for values in kept]) for name in kept[0]}, len(kept))


def _sum(forall):
    """sum x <= 4."""
    return forall.interval("x", 0.0, 1.0, 4).sum(-1), 4.0


def test_instances_are_evaluated_in_chunks_with_one_result() -> None:
    """A memory cap of 96 MiB and 64 MiB per instance: one at a time, same numbers, same roundings."""
    space = Interval("x", (4,), 0.0, 1.0)
    narrow, wide = _objective(_sum, space, kind=Always(), cost=2**26), _objective(_sum, space, kind=Always())
    values = {"x": tensor(_rng(0).random((9, 4)))}
    sides = narrow.sides(values, 9)
    assert torch.equal(sides.lhs, values["x"].sum(-1))
    assert bool((narrow.noise(values, sides, 2) < 1e-14).all())
    for objective in (narrow, wide):
        objective.scores(values, 9)
        assert objective.evaluations == 9
        assert _closest(objective) == pytest.approx(float(values["x"].sum(-1).max()) / 4.0)


def _cancelling(forall):
    """(x + 1e8) - 1e8 <= x, but for x beyond 9: true up to rounding, and plainly false at the end."""
    x = forall.interval("x", 0.0, 10.0)
    return (x + 1e8) - 1e8 + torch.where(x > 9.0, 1.0, 0.0), x


def test_violations_within_their_rounding_are_ties_and_others_stand_beside_them() -> None:
    """One rounding that is taken for a violation ends the search; one violation taken for rounding is never found."""
    objective = _objective(_cancelling, Interval("x", (), 0.0, 10.0), kind=Always())
    x = tensor(_rng(0).uniform(0.0, 8.0, 40))
    plain = objective.sides({"x": x}, 40)
    up = plain.lhs > plain.rhs * (1.0 + 1e-9)
    assert 5 < int(up.sum()) < 35  # what float64 computes violates the statement
    got = objective.scores({"x": x}, 40)
    assert bool((got[up] == TIE).all())
    assert bool((got[~up] <= 0.0).all())
    assert bool((objective.shares({"x": x}, 40) <= 0.0).all())
    both = {"x": torch.cat([x, tensor([9.5])])}
    assert float(objective.scores(both, 41)[40]) > 0.0
    assert float(objective.log_ratios(both, 41)[40]) > 0.0
    assert float(objective.shares(both, 41)[40]) > 0.0


def test_the_closest_approach_is_met_where_rounding_leaves_it_sharp() -> None:
    """0/0 up to rounding is no approach: x <= 2 x reaches 1/2, and at x = 1e-17, through cancellation, nothing."""

    def body(forall):
        """(x + 1) - 1 <= 2 x."""
        x = forall.interval("x", 0.0, 1.0)
        return (x + 1.0) - 1.0, 2.0 * x

    objective = _objective(body, Interval("x", (), 0.0, 1.0), kind=Always())
    tiny = tensor([1.3e-16, 1.2e-16])  # (x + 1) - 1 = 2.2e-16: a ratio of 0.85 and 0.93
    objective.scores({"x": torch.cat([tiny, tensor([0.25, 0.5])])}, 4)
    assert _closest(objective) == pytest.approx(0.5)


def _violates(scores: Tensor) -> Tensor:
    return scores > 0.0


REDUCIBLE: list[tuple[str, Score, Batch]] = [
    (
        "interval",
        Score(lambda x: x[:, 2] - 0.3, Interval("x", (5,), 0.0, 1.0)),
        {"x": tensor([[0.123456, 0.9182, 0.777123, 0.1234, 0.5555]])},
    ),
    (
        "simplex",
        Score(lambda x: x[:, 1] - 0.3, Simplex("x", (3,))),
        {"x": tensor([[0.123456789, 0.654321, 1.0 - 0.123456789 - 0.654321]])},
    ),
    (
        "ball",
        Score(lambda x: x[:, 0] - 0.5, Ball("x", (3,), 1.0, surface=False)),
        {"x": tensor([[0.7123, 0.31, -0.2]])},
    ),
    (
        "sphere",
        Score(lambda x: x[:, 0] - 0.5, Ball("x", (3,), 1.0, surface=True)),
        {"x": tensor([[0.8, 0.36, 0.48]])},
    ),
    ("integers", Score(lambda x: x[:, 0] - 5.5, Integers("x", (2,), -9, 99)), {"x": tensor([[97.0, -7.0]])}),
    (
        "psd",
        Score(lambda x: x[:, 0, 0] - 0.5, PositiveSemidefinite("x", (2, 2), None)),
        {"x": tensor([[[1.234567, 0.345678], [0.345678, 2.345678]]])},
    ),
]


@pytest.mark.parametrize(("objective", "instance"), [r[1:] for r in REDUCIBLE], ids=[r[0] for r in REDUCIBLE])
def test_a_reduced_instance_is_simpler_still_inside_and_still_violates(objective: Score, instance: Batch) -> None:
    small = shrink(objective.spaces, instance, _violates, objective.scores)
    assert complexity(small) < complexity(instance)
    assert float(objective.scores(small, 1)) > 0.0
    assert bool(objective.spaces[0].contains(small["x"]).all())
    assert len(repr(small["x"].tolist())) <= len(repr(instance["x"].tolist()))


def test_nothing_is_reduced_that_would_not_violate() -> None:
    objective = Score(lambda x: (x - 0.777).abs().neg() + 1e-12, Interval("x", (), 0.0, 1.0))
    instance = {"x": tensor([0.777])}
    assert torch.equal(shrink(objective.spaces, instance, _violates, objective.scores)["x"], instance["x"])


def test_reduction_of_many_entries_ends() -> None:
    objective = Score(lambda x: x.reshape(len(x), -1).sum(-1) - 1.0, Interval("x", (30, 30), 0.0, 1.0))
    instance = {"x": tensor(_rng(0).random((1, 30, 30)))}
    small = shrink(objective.spaces, instance, _violates, objective.scores)
    assert complexity(small) < complexity(instance)


def test_instances_that_are_found_again_count_once() -> None:
    """Twelve copies of one integer had filled the heats, and the worst distribution was never tried in them."""
    values = {"m": torch.tensor([29.0, 30.0, 29.0, 31.0]), "p": torch.tensor([[0.5], [0.5], [0.5], [0.5]])}
    found = Population(values, torch.tensor([0.3, 0.5, 0.4, 0.1])).distinct()
    assert found.values["m"].tolist() == [30.0, 29.0, 31.0]
    assert found.scores.tolist() == pytest.approx([0.5, 0.4, 0.1])
