"""Panels of figures: what is stored is what is drawn, and what cannot be drawn is refused in a sentence."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from harness import ClaimError, Panel
from harness.language.panels import StoredPanel, cell_edges, landscape

HEIGHTS = st.floats(-1e6, 1e6, width=32)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=HEIGHTS))
def test_a_stored_landscape_comes_back_to_a_level(values):
    """Also constant ones and one row or column; catches a swapped axis and a wrong scale."""
    stored = msgspec.convert(msgspec.to_builtins(Panel("p", values=values).stored()), StoredPanel)
    back = landscape(stored)
    assert back.shape == values.shape
    assert np.abs(back - values).max() <= np.ptp(values) / 510 * (1 + 1e-9) + 1e-9


def test_cells_reach_half_a_step_beyond_their_centres():
    stored = Panel("p", values=np.zeros((3, 5)), extent=(0.0, 4.0, 0.0, 2.0)).stored()
    assert cell_edges(stored) == (-0.5, 4.5, -0.5, 2.5)


def test_points_alone_have_no_landscape():
    stored = Panel("p", points=[[0.123456, 1.0]], labels=[-1e-6], sizes=[2.0]).stored()
    assert landscape(stored) is None
    assert stored.points == [(0.1235, 1.0)]
    assert stored.labels == [-1e-6]
    assert stored.sizes == [1.0]


@pytest.mark.parametrize("largest", [0.0, 1e-7, 4e5])
def test_sizes_are_stored_relative_to_the_largest(largest):
    """Small weights once were rounded to nothing."""
    stored = Panel("p", points=np.zeros((3, 2)), sizes=[largest, largest / 2, 0.0]).stored()
    assert stored.sizes == ([1.0, 0.5, 0.0] if largest else [0.0] * 3)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "neither values nor points"),
        ({"values": [1.0, 2.0]}, "values of shape"),
        ({"values": [[np.nan]]}, "values of shape"),
        ({"values": [[]]}, "values of shape"),
        ({"points": [[1.0, 2.0, 3.0]]}, "points of shape"),
        ({"points": [[1.0, 2.0]], "labels": [1.0, 1.0]}, "labels of shape"),
        ({"points": [[1.0, 2.0]], "sizes": [np.inf]}, "sizes of shape"),
        ({"points": [[1.0, 2.0]], "sizes": [-0.5]}, "size of -0.5"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, named):
    with pytest.raises(ClaimError, match=named):
        Panel("p", **given).stored()
