"""Structured instances: always inside their sets, and with the relations and patterns that no set knows alone."""

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
from harness.search.objective import Batch
from harness.search.starts import corner_cases, random_points
from harness.search.structure import structured

SPACES: list[Space] = [
    Interval("scalar", (), 0.1, 0.3),
    Interval("one entry", (1,), 0.0, 1.0),
    Interval("whose width rounds up", (5,), 0.7, 0.9),
    Interval("around zero", (4,), -2.0, 5.0),
    Interval("below zero", (2, 3), -3.0, -1e-3),
    Interval("point", (3,), 0.7, 0.7),
    Interval("huge", (3,), -1e150, 1e150),
    Interval("tiny", (3,), -1e-200, 3e-200),
    Interval("three axes", (2, 3, 4), 0.0, 1.0),
    Integers("integer", (), 0, 1),
    Integers("integers", (4,), -3, 7),
    Integers("one integer", (2,), 5, 5),
    Integers("matrix of integers", (3, 3), 1, 9),
    Signs("sign", ()),
    Signs("signs", (6,)),
    Signs("matrix of signs", (4, 4)),
    Ball("segment", (1,), 1.0, surface=False),
    Ball("ball", (3,), 0.5, surface=False),
    Ball("rows in a ball", (2, 4), 3.0, surface=False),
    Ball("two points", (1,), 2.0, surface=True),
    Ball("sphere", (3,), 1.0, surface=True),
    Ball("rows on a small sphere", (2, 4), 1e-3, surface=True),
    Simplex("one atom", (1,)),
    Simplex("simplex", (7,)),
    Simplex("rows of a simplex", (2, 3)),
    Simplex("many atoms", (200,)),
    PositiveSemidefinite("non-negative number", (1, 1), None),
    PositiveSemidefinite("psd", (3, 3), None),
    PositiveSemidefinite("density matrix", (4, 4), 1.0),
    PositiveSemidefinite("psd of trace 7", (3, 3), 7.0),
    Choice("choice", (2,), ((0.0, 1.0), (2.0, -3.0))),
]
BATCH = 500


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _drawn(*spaces: Space, seed: int = 0, batch: int = BATCH) -> Batch:
    rng = _rng(seed)
    return {space.name: space.sample(rng, batch) for space in spaces}


def _made(*spaces: Space, seed: int = 0, batch: int = BATCH) -> Batch:
    return structured(spaces, _rng(seed + 100), _drawn(*spaces, seed=seed, batch=batch))


def _assert_inside(space: Space, x: Tensor, batch: int = BATCH) -> None:
    assert tuple(x.shape) == (batch, *space.shape)
    assert x.dtype == torch.float64
    assert bool(torch.isfinite(x).all())
    assert bool(space.contains(x).all())


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)
def test_every_structured_instance_lies_in_its_set(space: Space) -> None:
    """An instance outside its set would be a false accusation."""
    for seed in range(5):
        _assert_inside(space, _made(space, seed=seed)[space.name])
    for batch in (1, 2, 3):
        _assert_inside(space, _made(space, batch=batch)[space.name], batch)


def test_every_structured_instance_of_several_sets_lies_in_each_of_them() -> None:
    """A relation hands the values of one set to another: signs to integers, a simplex to a sphere, sizes to a ball."""
    groups = [
        [space for space in SPACES if space.entries == size] for size in sorted({space.entries for space in SPACES})
    ]
    assert max(map(len, groups)) >= 6
    for group in (*groups, SPACES):
        for seed in range(3):
            made = _made(*group, seed=seed)
            for space in group:
                _assert_inside(space, made[space.name])


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.name)
def test_structure_is_the_same_for_the_same_seed_and_leaves_its_input_alone(space: Space) -> None:
    """A verdict depends on the seed alone, and the parents of an evolution are judged after their children are made."""
    values = _drawn(space)
    before = values[space.name].clone()
    one, again = (structured((space,), _rng(7), values)[space.name] for _ in range(2))
    assert torch.equal(one, again)
    assert torch.equal(values[space.name], before)
    if space.entries > 1 and not isinstance(space, Choice) and space.size > 0.0:
        assert not torch.equal(one, structured((space,), _rng(8), values)[space.name])


def test_a_good_part_of_the_instances_stays_as_it_was() -> None:
    """Structure everywhere would leave the plain middle of the set to nobody."""
    space = Interval("x", (4,), -1.0, 1.0)
    drawn = _drawn(space)["x"]
    same = (structured((space,), _rng(1), {"x": drawn})["x"] == drawn).all(-1)
    assert 0.15 < float(same.double().mean()) < 0.6


def test_choices_stay_as_they_are() -> None:
    """The options were written by hand."""
    space, other = Choice("c", (2,), ((0.0, 1.0), (2.0, -3.0))), Interval("x", (2,), 0.0, 1.0)
    drawn = _drawn(space, other)
    assert torch.equal(structured((space, other), _rng(1), drawn)["c"], drawn["c"])


def _count(holds: Tensor) -> int:
    return int(holds.sum())


ONE, OTHER = Interval("x", (5,), -1.0, 1.0), Interval("y", (5,), -1.0, 1.0)
RELATIONS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "equal": lambda x, y: (x == y).all(-1),
    "opposite": lambda x, y: (x == -y).all(-1),
    "reversed": lambda x, y: (x == y.flip(-1)).all(-1),
    "sorted": lambda x, y: (x.sort(-1).values == y).all(-1) & (x != y).any(-1),
    "sorted downwards": lambda x, y: (x.sort(-1, descending=True).values == y).all(-1) & (x != y).any(-1),
    "equal but for the last entry": lambda x, y: (x[:, :-1] == y[:, :-1]).all(-1) & (x[:, -1] != y[:, -1]),
    "in another order": lambda x, y: (x.sort(-1).values == y.sort(-1).values).all(-1) & (x != y).any(-1),
}


@pytest.mark.parametrize("relation", RELATIONS.values(), ids=RELATIONS.keys())
def test_every_relation_across_variables_occurs_and_never_by_chance(relation: Callable[..., Tensor]) -> None:
    """x = y, where Cauchy-Schwarz, Jensen and the triangle inequality are tight, has probability zero otherwise."""
    x, y = torch.tensor(_rng(3).random((BATCH, 5))), torch.tensor(_rng(4).random((BATCH, 5)))
    assert _count(relation(x, y)) == 0
    made = _made(ONE, OTHER, batch=2000)
    assert _count(relation(made["x"], made["y"])) >= 5


def test_relations_reach_both_ways_and_mirror_an_interval_at_its_middle() -> None:
    """p and 1 - p; and which of two variables follows the other is nobody's to know."""
    p, q = Interval("p", (), 0.0, 1.0), Interval("q", (), 0.0, 1.0)
    made = _made(p, q, batch=2000)
    assert _count((made["p"] == 1.0 - made["q"]) & (made["p"] != made["q"])) > 5
    drawn = _drawn(ONE, OTHER, batch=2000)
    made = structured((ONE, OTHER), _rng(100), drawn)
    equal = (made["x"] == made["y"]).all(-1)
    assert _count(equal & (made["y"] == drawn["y"]).all(-1)) > 5
    assert _count(equal & (made["x"] == drawn["x"]).all(-1)) > 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Interval("x", (4,), 0.0, 1.0), Simplex("y", (4,))),
        (Ball("x", (3,), 1.0, surface=False), Ball("y", (3,), 1.0, surface=True)),
        (Signs("x", (6,)), Integers("y", (6,), -1, 1)),
        (Interval("x", (2, 3), -1.0, 1.0), Interval("y", (6,), -1.0, 1.0)),
    ],
    ids=["interval and simplex", "ball and sphere", "signs and integers", "matrix and vector"],
)
def test_relations_cross_sets_of_the_same_number_of_entries(one: Space, other: Space) -> None:
    """Up to the projection: an objective that asks for x = y finds instances close to it."""
    made = _made(one, other)
    x, y = made["x"].reshape(BATCH, -1), made["y"].reshape(BATCH, -1)
    assert _count((x - y).abs().amax(-1) < 1e-12) >= 5


def test_unlike_sets_are_not_related() -> None:
    """Three entries cannot stand for four; a matrix does not follow a vector."""
    spaces = (Interval("x", (3,), 0.0, 1.0), Interval("y", (4,), 0.0, 1.0), PositiveSemidefinite("K", (2, 2), None))
    made = _made(*spaces)
    for space in spaces:
        _assert_inside(space, made[space.name])


GRID = Interval("x", (6, 6), -1.0, 1.0)
ROWS, COLUMNS = np.indices((6, 6))
PATTERNS: dict[str, np.ndarray] = {
    "chessboard": (ROWS + COLUMNS) % 2,
    "alternating rows": ROWS % 2,
    "alternating columns": COLUMNS % 2,
    "halves": ROWS < 3,
    "one row against the others": ROWS == 2,
    "one column against the others": COLUMNS == 4,
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS.keys())
@pytest.mark.parametrize(
    "space", [GRID, Signs("x", (6, 6)), Integers("x", (6, 6), -1, 1)], ids=lambda s: type(s).__name__
)
def test_every_pattern_of_two_values_occurs(space: Space, pattern: np.ndarray) -> None:
    """One corner of 2^36: alternating losses of an online game, XOR, a point against its cluster."""
    x = _made(space, batch=4000)["x"]
    mask = torch.as_tensor(np.asarray(pattern, dtype=bool))
    first, second = x[:, mask], x[:, ~mask]
    shaped = (first == first[:, :1]).all(-1) & (second == second[:, :1]).all(-1) & (first[:, 0] != second[:, 0])
    assert _count(shaped) >= 5
    assert _count(shaped & (first[:, 0].abs() == 1.0) & (second[:, 0].abs() == 1.0)) >= 3  # with the ends of the set


def test_ramps_sparse_vectors_and_scales_occur() -> None:
    """Equal steps, a single entry, and 1e-9 of a set: where discretisation, sparsity and underflow are decided."""
    x = _made(Interval("x", (8,), -1.0, 1.0), batch=4000)["x"]
    steps = x.diff(dim=-1)
    assert _count(((steps - steps[:, :1]).abs() < 1e-12).all(-1) & (steps[:, 0].abs() > 0.01)) >= 5
    nonzero = (x != 0.0).sum(-1)
    for count in (1, 2, 4):
        assert _count(nonzero == count) >= 5
    size = x.abs().amax(-1)
    for scale in (1e-3, 1e-9, 1e-30):
        assert _count((size > 0.0) & (size < scale)) >= 5


def test_matrices_of_low_rank_and_of_clustered_spectra_occur() -> None:
    """A random matrix has full rank and distinct eigenvalues: the equality cases of matrix inequalities have not."""
    k = _made(PositiveSemidefinite("K", (4, 4), None), batch=2000)["K"]
    values = torch.linalg.eigvalsh(k)
    top = values[:, -1:].clamp_min(1e-300)
    rank = (values > 1e-9 * top).sum(-1)
    for r in (1, 2, 3, 4):
        assert _count(rank == r) >= 5
    assert _count((values[:, -1] - values[:, -2]).abs() <= 1e-9 * top[:, 0]) >= 5
    diagonal = k - torch.diag_embed(k.diagonal(dim1=-2, dim2=-1))
    assert _count(diagonal.abs().amax((-2, -1)) <= 1e-12 * top[:, 0]) >= 5


class Equality:
    """Positive where x = y in every entry; says nothing elsewhere."""

    differentiable, evaluations = False, 0
    spaces = (ONE, OTHER)

    def scores(self, values: Batch, batch: int) -> Tensor:
        return (values["x"] == values["y"]).all(-1).double() - 0.5


@pytest.mark.parametrize("seed", range(10))
def test_the_finders_meet_what_only_equal_variables_violate(seed: int) -> None:
    """Without a slope no other finder gets there: one relation of probability zero."""
    assert corner_cases(Equality(), _rng(seed), 128).top > 0.0
    assert random_points(Equality(), _rng(seed), 1024).top > 0.0


def test_structure_of_nothing_random_is_still_inside() -> None:
    """Zeros and ends, which a projection divides by."""
    for space in SPACES:
        zeros = space.project(tensor(np.zeros((64, *space.shape)))) if not isinstance(space, Choice) else None
        values = {space.name: zeros if zeros is not None else space.sample(_rng(), 64)}
        _assert_inside(space, structured((space,), _rng(5), values)[space.name], 64)
