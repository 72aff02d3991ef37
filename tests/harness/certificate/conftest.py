"""Balls have their first precision in every test."""

from collections.abc import Iterator

import pytest

from harness.certify.precision import BITS, working_bits


@pytest.fixture(autouse=True)
def many_bits() -> Iterator[None]:
    with working_bits(BITS[0]):
        yield
