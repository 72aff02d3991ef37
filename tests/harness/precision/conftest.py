"""As in a certificate: numbers in a body are float64, balls have their first precision."""

from collections.abc import Iterator

import pytest
import torch
from mpmath import mp

from harness.certify.precision import BITS, working_bits
from tests.harness.precision.references import DIGITS


@pytest.fixture(autouse=True)
def double_precision() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    with working_bits(BITS[0]), mp.workdps(DIGITS):
        yield
    torch.set_default_dtype(before)
