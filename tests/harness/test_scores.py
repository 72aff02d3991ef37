"""The score of an instance: its sign, its range, and how many are evaluated at once."""

from collections.abc import Callable

import pytest
import torch

from harness.kinds import Always, Identity
from harness.language.evaluation import Sides
from harness.language.registry import claim
from harness.language.spaces import Interval, Space, tensor
from harness.search.objective import TIE, Deterministic, excess, score, tolerance
from tests.harness.scores import rng_of

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
    values = {"x": tensor(rng_of(0).random((9, 4)))}
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
    x = tensor(rng_of(0).uniform(0.0, 8.0, 40))
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
