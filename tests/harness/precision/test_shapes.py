"""Torch's own rules on shapes and values."""

import math

import numpy as np
import pytest
from flint import arb
from torch import Tensor

from harness.certify.precision import (
    Precise,
    each,
    lift,
)
from tests.harness.precision.calls import CALLS
from tests.harness.precision.references import called, entries, lines, sample

SHAPED_CALLS = [pytest.param(shape, call, id=call.strip()) for shape, text in CALLS.items() for call in lines(text)]
DISCRETE = (
    "argmax",
    "argmin",
    "argsort",
    "long()",
    "bool()",
    "> 0",
    "count_nonzero",
    "isfinite",
    "isnan",
    "isinf",
    "norm(0",
)


@pytest.mark.filterwarnings("ignore:var")
@pytest.mark.parametrize(("shape", "call"), SHAPED_CALLS)
def test_shapes_and_values_are_those_of_torch(shape: tuple[int, ...], call: str) -> None:
    plain = sample(shape, len(call))
    expected, found = called(call, plain), called(call, Precise(plain))
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        if not isinstance(theirs, Tensor):
            assert ours == theirs
            continue
        assert tuple(ours.shape) == tuple(theirs.shape)
        assert isinstance(ours, Precise) or ours.dtype == theirs.dtype
        for enclosure, number in zip(entries(ours), theirs.reshape(-1).tolist(), strict=True):
            if math.isnan(number):
                assert enclosure.is_nan()
            else:
                assert abs(float(enclosure) - number) <= 1e-12 * max(1.0, abs(number))


@pytest.mark.parametrize(("shape", "call"), [case for case in SHAPED_CALLS if not any(w in case.id for w in DISCRETE)])
def test_wide_balls_enclose_what_happens_inside_them(shape: tuple[int, ...], call: str) -> None:
    plain, rng = sample(shape, len(call)), np.random.default_rng(len(call))
    for radius in (2.0**-60, 2.0**-12):
        wide = each(lambda a, radius=radius: arb(a.mid(), radius), lift(plain))
        found = called(call, Precise(wide))
        for shares in (rng.choice([-1.0, 1.0], shape), rng.uniform(-1.0, 1.0, shape)):
            inside = each(lambda a, share, radius=radius: a + arb(share) * arb(radius), lift(plain), lift(shares))
            for outer, inner in zip(found, called(call, Precise(inside)), strict=True):
                if isinstance(outer, Tensor):
                    for a, b in zip(entries(outer), entries(inner), strict=True):
                        assert a.is_finite()
                        assert b.is_finite()
                        assert a.overlaps(b)
