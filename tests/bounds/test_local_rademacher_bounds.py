"""Fixed points against bisection and random spectra; the constant that equation (10) loses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.complexity import local_rademacher

EIGENVALUE = st.just(0.0) | st.floats(1e-200, 2.0)  # below, products leave the range of normal floats
SPECTRUM = st.lists(EIGENVALUE, min_size=1, max_size=8).map(lambda v: sorted(v, reverse=True))
POSITIVE = st.floats(0.01, 50.0)


@given(SPECTRUM, st.integers(8, 1000), POSITIVE, POSITIVE, st.floats(0.0, 10.0))
def test_fixed_point_is_one_and_lies_below_its_bound(
    spectrum: list[float], n: int, scale: float, truncation: float, offset: float
) -> None:
    """psi(r*) = r*, nothing above r* is fixed (psi(2 r*) < 2 r*), and the bound is at most three times too large."""
    options = {"scale": scale, "truncation": truncation, "offset": offset}
    value = local_rademacher.fixed_point(spectrum, n, **options)

    def psi(r: float) -> float:
        return scale * math.sqrt(2 / n * local_rademacher.truncated_trace(spectrum, truncation * r)) + offset / n

    assert psi(value) == pytest.approx(value, rel=1e-9, abs=1e-150)
    assert psi(2 * value) <= 2 * value
    assert value <= local_rademacher.fixed_point_bound(spectrum, n, **options) * (1 + 1e-12)


def test_equation_10_loses_the_constant_before_the_root() -> None:
    """A thousand eigenvalues 1e-6 and a = 1: r* = 1.414e-3, while the printed bound says 1.000e-3 (h = 0)."""
    spectrum = [1e-6] * 1000
    assert local_rademacher.fixed_point(spectrum, 1000) == pytest.approx(math.sqrt(2) * 1e-3, rel=1e-9)
    assert local_rademacher.printed_fixed_point_bound(spectrum, 1000) == pytest.approx(1e-3, rel=1e-9)
    assert local_rademacher.fixed_point_bound(spectrum, 1000) == pytest.approx(math.sqrt(2) * 1e-3, rel=1e-9)
    assert local_rademacher.fixed_point([0.0], 10, offset=3.0) == pytest.approx(0.3)  # b / n, which print drops
    assert local_rademacher.printed_fixed_point_bound([0.0], 10) == 0.0
