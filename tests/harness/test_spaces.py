"""Every quantified set, from one table: a new set is one more row.

They would catch an instance outside its set (a false accusation in the making), a projection that is not one, and a
finder that is handed the wrong shape.
"""

import itertools

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
    axes_of,
    tensor,
)

SPACES: list[Space] = [
    Interval("scalar interval", (), 0.1, 0.3),
    Interval("interval whose width rounds up", (), 0.7, 0.9),
    Interval("interval", (3,), -2.0, 5.0),
    Interval("matrix of intervals", (2, 3), 1e-3, 10.0),
    Interval("point", (2,), 0.7, 0.7),
    Interval("wide interval", (4,), -1e6, 1e6),
    Interval("tiny interval", (1,), -1e-12, 3e-12),
    Integers("scalar integer", (), 0, 1),
    Integers("integers", (4,), -3, 7),
    Integers("one integer", (2,), 5, 5),
    Integers("large integers", (1,), 1, 10**6),
    Signs("scalar sign", ()),
    Signs("signs", (5,)),
    Signs("matrix of signs", (2, 3)),
    Ball("one-dimensional ball", (1,), 1.0, surface=False),
    Ball("ball", (3,), 0.5, surface=False),
    Ball("rows in a ball", (2, 4), 3.0, surface=False),
    Ball("two points", (1,), 2.0, surface=True),
    Ball("sphere", (3,), 1.0, surface=True),
    Ball("rows on a sphere", (2, 4), 1e-3, surface=True),
    Simplex("one atom", (1,)),
    Simplex("two atoms", (2,)),
    Simplex("simplex", (7,)),
    Simplex("rows of a simplex", (2, 3)),
    Simplex("many atoms", (200,)),
    PositiveSemidefinite("non-negative number", (1, 1), None),
    PositiveSemidefinite("psd", (3, 3), None),
    PositiveSemidefinite("density number", (1, 1), 2.5),
    PositiveSemidefinite("density matrix", (4, 4), 1.0),
    PositiveSemidefinite("psd of trace 7", (3, 3), 7.0),
    Choice("scalar choice", (), ((0.5,), (2.0,), (-1.0,))),
    Choice("choice", (2,), ((0.0, 1.0), (2.0, -3.0))),
    Choice("no choice", (1, 2), ((1.0, 2.0),)),
]
EXACT = [s for s in SPACES if not (isinstance(s, PositiveSemidefinite) and s.trace is not None)]
BATCH = 257
every_space = pytest.mark.parametrize("space", SPACES, ids=lambda s: s.name)


def _rng() -> np.random.Generator:
    return np.random.default_rng(20261121)


def _anything(space: Space, rng: np.random.Generator) -> Tensor:
    """Arrays of the right shape anywhere, from far inside to far outside."""
    scale = 10.0 ** rng.uniform(-6.0, 3.0, (BATCH, *(1 for _ in space.shape)))
    return tensor(rng.standard_normal((BATCH, *space.shape)) * scale * max(space.size, 1e-9))


def _assert_inside(space: Space, x: Tensor, batch: int = BATCH) -> None:
    assert x.dtype == torch.float64
    assert tuple(x.shape) == (batch, *space.shape)
    assert torch.isfinite(x).all()
    inside = space.contains(x)
    assert inside.dtype == torch.bool
    assert tuple(inside.shape) == (batch,)
    assert inside.all(), f"outside: {x[~inside][0].tolist()}"


@every_space
def test_members_made_in_any_way_lie_inside(space: Space) -> None:
    rng = _rng()
    for _ in range(8):
        _assert_inside(space, space.sample(rng, BATCH))
        _assert_inside(space, space.corners(rng, BATCH))
    _assert_inside(space, space.sample(rng, 1), batch=1)
    _assert_inside(space, space.corners(rng, 1), batch=1)


@every_space
def test_the_whole_unit_cube_maps_inside_its_corners_included(space: Space) -> None:
    rng = _rng()
    cube = rng.random((BATCH, space.dimension))
    cube[: BATCH // 4] = rng.choice([0.0, 0.5, np.nextafter(1.0, 0.0)], (BATCH // 4, space.dimension))
    cube[0], cube[1] = 0.0, np.nextafter(1.0, 0.0)
    _assert_inside(space, space.from_unit(cube))


@every_space
@pytest.mark.parametrize("scale", [0.0, 1e-6, 0.1, 1.0, 30.0])
def test_moves_of_any_size_stay_inside(space: Space, scale: float) -> None:
    rng = _rng()
    x = space.sample(rng, BATCH)
    before = x.clone()
    _assert_inside(space, space.perturb(x, rng, scale))
    assert torch.equal(x, before)  # a move that writes into its input would corrupt the search's memory


@every_space
def test_projection_lands_inside_and_twice_is_once(space: Space) -> None:
    once = space.project(_anything(space, _rng()))
    _assert_inside(space, once)
    twice = space.project(once)
    assert torch.allclose(twice, once, rtol=1e-11, atol=1e-13 * max(space.size, 1e-12))


@every_space
def test_projection_leaves_members_alone(space: Space) -> None:
    rng = _rng()
    for x in (space.sample(rng, BATCH), space.corners(rng, BATCH)):
        atol = 1e-12 * max(1.0 if isinstance(space, PositiveSemidefinite) else space.size, float(x.abs().max()))
        assert torch.allclose(space.project(x), x, rtol=0.0, atol=atol)


@pytest.mark.parametrize("space", EXACT, ids=lambda s: s.name)
def test_no_member_is_nearer_than_the_projection(space: Space) -> None:
    """Would catch a feasible point that is not the Euclidean projection (ascent would drift along the boundary)."""
    rng = _rng()
    x = _anything(space, rng)
    projected = space.project(x)
    order = 1 if isinstance(space, Choice) else 2
    distance = (x - projected).reshape(BATCH, -1).norm(p=order, dim=-1)
    for other in (space.sample(rng, BATCH), space.corners(rng, BATCH), space.perturb(projected, rng, 1e-3)):
        rival = (x - other).reshape(BATCH, -1).norm(p=order, dim=-1)
        assert bool((distance <= rival * (1.0 + 1e-9) + 1e-12).all())


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_simplex_projection_is_the_best_over_all_supports(k: int) -> None:
    """Enumerates the supports: on each the projection onto sum = 1 is a shift; the best feasible one is the answer."""
    space = Simplex("p", (k,))
    x = np.random.default_rng(k).normal(size=(60, k)) * np.geomspace(0.01, 30.0, 60)[:, None]
    x[:10] = np.round(x[:10])  # ties
    ours = space.project(tensor(x)).numpy()
    for row, got in zip(x, ours, strict=True):
        best = np.inf
        for size in range(1, k + 1):
            for support in itertools.combinations(range(k), size):
                candidate = np.zeros(k)
                chosen = list(support)
                candidate[chosen] = row[chosen] - (row[chosen].sum() - 1.0) / size
                if candidate.min() >= -1e-14:
                    best = min(best, float(((row - candidate) ** 2).sum()))
        assert ((row - got) ** 2).sum() == pytest.approx(best, rel=1e-10, abs=1e-12)


def test_simplex_projection_survives_numbers_that_swallow_one() -> None:
    """At 1e20 the sum minus one is the sum: a cumulative sum without a shift would give 0/0."""
    projected = Simplex("p", (3,)).project(tensor([[1e20, 0.0, -1e20], [-1e20, -1e20, -1e20], [1e17, 1e17, 0.0]]))
    expected = tensor([[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0.0]])
    assert torch.allclose(projected, expected, atol=1e-12)


@every_space
def test_what_lies_outside_is_told_apart(space: Space) -> None:
    """Would catch a `contains` that always says yes."""
    x = space.sample(_rng(), 3)
    x[1] = x[1] - 7.3 * max(space.size, 1.0) - 0.123
    inside = space.contains(x)
    assert inside.tolist() == [True, False, True]


def test_nan_is_nowhere() -> None:
    for space in SPACES:
        if isinstance(space, PositiveSemidefinite):
            continue  # eigenvalues of NaN are refused by LAPACK
        assert not bool(space.contains(torch.full((1, *space.shape), torch.nan, dtype=torch.float64)).any())


def test_samples_span_the_scales() -> None:
    """Narrow bad regions near an end, and tiny vectors, are found by no uniform sample."""
    rng = _rng()
    x = Interval("x", (), 0.0, 1.0).sample(rng, 4000)
    assert float(x[x > 0.0].min()) < 1e-6
    assert float((1.0 - x[x < 1.0]).min()) < 1e-6
    norms = Ball("v", (3,), 1.0, surface=False).sample(rng, 4000).norm(dim=-1)
    assert float(norms.min()) < 1e-4
    assert float((norms >= 1.0 - 1e-12).double().mean()) > 0.1
    p = Simplex("p", (5,)).sample(rng, 4000)
    assert float(p.amax(-1).max()) > 1.0 - 1e-6
    assert float(p.amax(-1).min()) < 0.25


def test_corners_hold_zeros_ends_one_hot_and_equal_entries() -> None:
    rng = _rng()
    x = Interval("x", (4,), -2.0, 5.0).corners(rng, 2000)
    for wanted in (
        [0.0] * 4,
        [-2.0] * 4,
        [5.0] * 4,
        [5.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 5.0],
        [5.0, 5.0, -2.0, -2.0],
    ):
        assert bool((x == tensor(wanted)).all(-1).any()), wanted
    p = Simplex("p", (3,)).corners(rng, 500)
    for wanted in ([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]):
        assert bool(torch.isclose(p, tensor(wanted), atol=1e-12).all(-1).any()), wanted


@pytest.mark.parametrize("space", [Ball("sphere", (12,), 2.0, surface=True), Simplex("simplex", (12,))], ids=str)
def test_corners_hold_equal_weights_on_every_number_of_entries(space: Space) -> None:
    """Three equal weights of ten were the worst direction of a sum of signs, and some seeds never tried them."""
    for seed in range(20):
        corners = space.corners(np.random.default_rng(seed), 72).abs()
        equal = (corners - corners.amax(-1, keepdim=True)).abs() < 1e-12
        flat = (equal | (corners < 1e-12)).all(-1)
        assert set(range(1, 13)) <= set(equal[flat].sum(-1).tolist())


def test_every_written_choice_is_tried_first() -> None:
    space = Choice("c", (2,), ((0.0, 1.0), (2.0, -3.0), (4.0, 4.0)))
    assert space.corners(_rng(), 3).tolist() == [list(option) for option in space.options]


def test_ball_points_spread_by_volume() -> None:
    """A ball filled by radius instead of volume would leave its boundary empty: half the radius holds 2^-d."""
    d = 3
    grid = (np.arange(16) + 0.5) / 16
    cube = np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), axis=-1).reshape(-1, d)
    radii = Ball("v", (d,), 2.0, surface=False).from_unit(cube).norm(dim=-1)
    # the midpoint rule on 16^3 cells errs by at most the cells that the sphere of half the mass cuts: about 1/16
    assert float((radii <= 1.0).double().mean()) == pytest.approx(2.0**-d, abs=1.0 / 16)
    assert float((radii <= 2.0 * 0.5 ** (1 / d)).double().mean()) == pytest.approx(0.5, abs=1.0 / 16)


def test_axes_share_the_cube_without_overlap() -> None:
    taken = [axis for _, axis in axes_of(tuple(SPACES))]
    assert taken[0].start == 0
    assert all(a.stop == b.start for a, b in itertools.pairwise(taken))
    assert all(axis.stop - axis.start == s.dimension for s, axis in axes_of(tuple(SPACES)))


NUMBERS = [space for space in SPACES if isinstance(space, Interval | Integers | Signs)]


@pytest.mark.parametrize("space", NUMBERS, ids=lambda s: s.name)
def test_simplest_numbers_are_numbers_of_the_set(space: Space) -> None:
    """The reducer proposes them for every entry; for intervals and integers each must be allowed."""
    for value in space.simplest():
        assert bool(space.contains(torch.full((1, *space.shape), value, dtype=torch.float64)).all())


def test_a_matrix_that_lapack_cannot_decompose_is_projected_to_its_diagonal_and_spoils_no_other() -> None:
    """Found by a search among the edge cases of floats, which ended in ERROR."""
    tiny, huge = 1e-300, 1e154
    hard = [
        [tiny, 5e-121, 5e153, 5e-121],
        [5e-121, tiny, tiny, 1e-120],
        [5e153, tiny, huge, 1e-120],
        [5e-121, 1e-120, 1e-120, tiny],
    ]
    batch = torch.stack([torch.eye(4, dtype=torch.float64), tensor(hard)])
    found = PositiveSemidefinite("K", (4, 4), None).project(batch)
    assert torch.equal(found[0], torch.eye(4, dtype=torch.float64))
    assert torch.isfinite(found).all()
    assert PositiveSemidefinite("K", (4, 4), None).contains(found).all()
