"""Regret bounds and the constants of the margin game, against vertex enumeration and exact suprema."""

import itertools

import numpy as np
import pytest

from bounds.margin_game import online


def vertices(labels, box):
    """Vertices of {0 <= a <= C, y.a = 0}: equally many entries C in each class (all labels are signs)."""
    choices = itertools.product([0.0, box], repeat=len(labels))
    return np.array([a for a in choices if abs(np.dot(a, labels)) < 1e-12])


@pytest.mark.parametrize("labels", [[1, -1], [1, 1, -1], [1, 1, 1, -1, -1, -1], [1, 1, 1, 1, 1, -1], [1, 1]])
def test_diameter_by_vertex_enumeration(labels):
    corners = vertices(labels, 0.5)
    farthest = max(np.linalg.norm(a - b) for a in corners for b in corners)
    minority = min(labels.count(1), labels.count(-1))
    assert online.diameter(0.5, minority) == pytest.approx(farthest)
    assert farthest <= online.printed_diameter(0.5, len(labels)) + 1e-12


def test_gradient_norm_covers_aligned_data_and_the_printed_bound_does_not():
    """Phases equal to the labels, a = C: the gradient is 1 - s n C in every entry."""
    for mass, n, box in itertools.product([1, 2], [2, 4, 10], [0.25, 1.0, 2.0]):
        aligned = n**0.5 * abs(1 - mass * n * box)
        assert aligned <= online.gradient_norm(box, n, n // 2, mass=mass)
    assert 4**0.5 * abs(1 - 2 * 4 * 2.0) > online.printed_gradient_norm(2.0, 4)
