"""A race of laws: how many offspring a continuous search has, and what it finds with few of them."""

import pytest
import torch

from harness.language.spaces import Integers, Interval, Space
from harness.search.cma_es import cma_es
from harness.search.race import ADAPTATIONS, FEWEST, OFFSPRING, _offspring
from harness.search.starts import random_points
from harness.settings import STANDARD
from tests.harness.scores import Score, rng_of


@pytest.mark.parametrize(
    ("spaces", "expected"),
    [
        ((Integers("k", (3,), 0, 9),), FEWEST),
        ((Interval("p", (), 0.0, 1.0),), FEWEST),
        ((Interval("p", (2,), 0.0, 1.0),), FEWEST + 2),
        ((Interval("p", (3,), 0.0, 1.0), Integers("k", (), 0, 9)), FEWEST + 3),
        ((Interval("p", (8,), 0.0, 1.0),), OFFSPRING),
        ((Interval("p", (160,), 0.0, 1.0),), OFFSPRING),
    ],
)
def test_offspring_grow_with_the_logarithm_of_the_coordinates(spaces: tuple[Space, ...], expected: int) -> None:
    assert _offspring(spaces) == expected


@pytest.mark.parametrize("entries", [1, 2, 4])
def test_few_offspring_climb_to_the_top_of_a_hill(entries: int) -> None:
    """To two hundredths of the set for each coordinate, which the random starts alone do not reach."""
    top = torch.linspace(0.31, 0.77, entries, dtype=torch.float64)
    space = Interval("p", (entries,), 0.0, 1.0)
    objective = Score(lambda p: -(p.reshape(-1, entries) - top).abs().sum(-1), space)
    starts = random_points(objective, rng_of(1), 64)
    steps = ADAPTATIONS * STANDARD.law_generations
    found = cma_es(objective, rng_of(2), starts.best(8), steps, _offspring((space,)), goal=float("inf"))
    assert float(found.scores.max()) > -0.02 * entries
    if entries > 1:
        assert float(starts.scores.max()) < -0.02 * entries
