"""The stated errors of torch's elementary functions are at least twice what Arb finds."""

import numpy as np
import pytest

from harness.certify.enclosure.outward import ULPS
from tests.harness.enclosure.ulps import FUNCTIONS, arguments, errors, powers

COUNT = 5_000


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_error_of_a_function_is_at_most_half_of_what_is_allowed_for(name: str) -> None:
    """Would catch another library behind torch whose functions are worse."""
    x = arguments(FUNCTIONS[name][2], COUNT, np.random.default_rng(7))
    assert float(errors(name, x).max()) <= ULPS[name] / 2.0


def test_the_error_of_powers_is_at_most_half_of_what_is_allowed_for() -> None:
    assert powers(COUNT, np.random.default_rng(8)) <= ULPS["pow"] / 2.0


def test_every_stated_error_is_measured() -> None:
    assert {*FUNCTIONS, "pow"} == set(ULPS)
