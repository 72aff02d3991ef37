"""Where a body jumps along a line of answers."""

import math

import pytest
import torch

from harness.language.jumps import PLACES, Comparisons, Met, changes, crossings, jumps, some, stretches

pytestmark = pytest.mark.usefixtures("double_precision")
REPS = 5


def along(body) -> list[Met]:
    """What a body compares at the first places of a line."""
    met = []
    for place in PLACES:
        with Comparisons(REPS) as comparisons:
            body(torch.full((REPS,), place))
        met.append(comparisons.met())
    return met


def test_linear_comparisons_are_found_once_each_and_in_order() -> None:
    edges = torch.rand(REPS, 7, generator=torch.Generator().manual_seed(0))
    edges[0, 3] = edges[0, 2]
    places, bends, certain = jumps(along(lambda s: 3.0 * edges - 1.0 <= 3.0 * s[:, None] - 1.0))
    assert certain
    assert bends.shape == (REPS, 0)
    assert places[0, 6] == math.inf
    torch.testing.assert_close(places[1:], edges[1:].sort(-1).values, rtol=0.0, atol=1e-14)
    torch.testing.assert_close(places[0, :6], edges[0].unique(), rtol=0.0, atol=1e-14)


@pytest.mark.parametrize(
    "body",
    [
        lambda s: torch.sign(s - 0.3),
        lambda s: torch.heaviside(0.3 - s, torch.tensor(0.5)),
        lambda s: torch.searchsorted(torch.full((REPS, 1), 0.3), s[:, None]),
        lambda s: torch.bucketize(s[:, None], torch.tensor([0.3])),
        lambda s: s > 0.3,
        lambda s: 2.0 * s <= 0.6,
        lambda s: s.square() > 0.09,
    ],
)
def test_each_way_to_compare(body) -> None:
    places, _, certain = jumps(along(body))
    assert certain
    torch.testing.assert_close(places, torch.full((REPS, 1), 0.3), rtol=0.0, atol=1e-14)


def test_a_parabola_has_two_zeros_and_a_turn() -> None:
    places, bends, certain = jumps(along(lambda s: (s - 0.41).square() <= 1e-8))
    assert certain
    torch.testing.assert_close(places, torch.tensor([0.4099, 0.4101]).expand(REPS, 2), rtol=0.0, atol=1e-10)
    torch.testing.assert_close(bends, torch.full((REPS, 1), 0.41), rtol=0.0, atol=1e-10)


def test_others_are_bracketed_and_what_bends_on_the_way_is_said() -> None:
    places, bends, certain = jumps(along(lambda s: (s - 0.4).abs() <= 0.01))
    assert not certain
    assert places.shape == (REPS, 0)
    torch.testing.assert_close(bends, torch.full((REPS, 1), 0.4), rtol=0.0, atol=1e-14)


def test_signs_change_between_calls() -> None:
    places = torch.tensor([[1.0, 0.0, 0.5]]).expand(REPS, 3)
    margins = (places - torch.tensor([0.2, 0.7, 1.5])[:, None, None]).permute(1, 2, 0)
    torch.testing.assert_close(crossings(places, margins), torch.tensor([0.2, 0.7]).expand(REPS, 2))


def test_what_depends_on_no_answer_is_no_jump() -> None:
    still = along(lambda s: torch.ones_like(s) > 2.0)
    assert changes(still) == 0
    moving = along(lambda s: torch.stack([torch.ones(REPS), s], -1) > 0.5)
    assert changes(moving) == 1
    assert changes(along(lambda s: s.sin())) == 0


def test_stretches_reach_from_end_to_end_and_some_are_chosen_near_a_place() -> None:
    places = torch.tensor([[0.25, 0.5], [0.5, math.inf]])
    low, high = stretches(places, torch.tensor([0.1, 0.1]), 10)
    torch.testing.assert_close(low, torch.tensor([[0.0, 0.25, 0.5], [0.0, 0.5, 0.1]]))
    torch.testing.assert_close(high, torch.tensor([[0.25, 0.5, 1.0], [0.5, 1.0, 0.1]]))
    many = torch.linspace(0.0, 1.0, 101).expand(1, -1)
    chosen = many.gather(-1, some(many, torch.tensor([0.301]), 8))[0]
    assert sorted(chosen[:4].tolist()) == pytest.approx([0.29, 0.3, 0.31, 0.32])
    assert chosen[4:].tolist() == pytest.approx([0.0, 0.33, 0.67, 1.0])
