"""Logarithms of ratios and their quantiles, against the definitions and numpy."""

import math

import numpy as np
import pytest

from harness.evidence.ratios import LARGEST_LOG, Ordered, log_ratios


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_quantiles_are_those_of_numpy(size: int) -> None:
    """To the last bit: a verdict on record must not depend on which of both was asked."""
    numbers = np.round(np.random.default_rng(size).standard_normal(size), 1)  # with ties
    levels = np.concatenate([np.linspace(0.0, 1.0, 41), np.random.default_rng(1).random(50)])
    ordered = Ordered.of(numbers, None)
    assert [ordered.quantile(level) for level in levels] == np.quantile(numbers, levels).tolist()


def test_a_quantile_of_outcomes_is_the_largest_that_is_exceeded_often_enough() -> None:
    ordered = Ordered.of(np.array([3.0, 1.0, 2.0]), np.array([0.25, 0.5, 0.25]))
    assert [ordered.quantile(level) for level in (0.0, 0.5, 0.6, 0.75, 0.8, 1.0)] == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]


@pytest.mark.parametrize(
    ("lhs", "rhs", "expected"),
    [
        (2.0, 1.0, math.log(2.0)),
        (-1.0, -2.0, math.log(2.0)),
        (1.0, 0.0, LARGEST_LOG),
        (0.0, 1.0, -LARGEST_LOG),
        (1.0, -1.0, LARGEST_LOG),
        (-1.0, 1.0, -LARGEST_LOG),
        (0.0, 0.0, -LARGEST_LOG),
        (math.inf, 1.0, LARGEST_LOG),
        (2e-200, 1e-200, math.log(2.0)),  # their product underflows
        (1e300, 1e-300, LARGEST_LOG),
    ],
)
def test_log_ratios_alone_and_beside_others_of_other_signs(lhs: float, rhs: float, expected: float) -> None:
    assert log_ratios(np.array([lhs]), np.array([rhs]))[0] == pytest.approx(expected, rel=1e-13)
    beside = log_ratios(np.array([lhs, -1.0, 1.0]), np.array([rhs, 1.0, 1.0]))
    assert beside == pytest.approx([expected, -LARGEST_LOG, 0.0], rel=1e-13)
