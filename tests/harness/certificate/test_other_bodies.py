"""Bodies that compute something else for an enclosure: what they compute then says nothing of their numbers."""

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, check, claim
from harness.verdict import Status
from tests.harness.rounding.measured import listed

CAUGHT: dict[str, Callable[..., Any]] = {}
ASKING: dict[str, Callable[..., Any]] = {}
caught, asking = listed(CAUGHT), listed(ASKING)


@caught
def zero_instead(forall):
    x = forall.interval("x", 0, 1)
    try:
        y = torch.tensor(np.sin(x.numpy()))
    except Exception:
        y = x * 0
    return y, 0.8


@caught
def true_instead(forall):
    x = forall.interval("x", 0, 1)
    try:
        y = torch.tensor(np.sin(x.numpy()))
    except Exception:
        return x, 2.0
    return y, 0.8


@caught
def of_a_list(forall):
    x = forall.interval("x", 0, 1)
    try:
        y = torch.tensor([math.exp(v) for v in x.tolist()], dtype=torch.float64)
    except Exception:
        y = x * 0
    return y, 1.5


@caught
def in_a_context(forall):
    x = forall.interval("x", 0, 1)
    y = x * 0
    with contextlib.suppress(Exception):
        y = torch.tensor(np.exp(x.numpy()))
    return y, 1.5


@asking
def for_the_type(forall):
    x = forall.interval("x", 0, 1)
    return x.clamp_min(0) if type(x) is torch.Tensor else 0 * x, 0.9


@asking
def for_a_gradient(forall):
    x = forall.interval("x", 0, 1)
    return 0 * x if x.requires_grad else x.clamp_min(0), 0.9


def _judged(body: Callable[..., Any]) -> Status:
    body.__doc__ = "A function of [0, 1] is below a number."
    return check(claim(f"other/{body.__name__}", always())(body), effort="quick").status


@pytest.mark.parametrize("body", CAUGHT.values(), ids=CAUGHT.keys())
def test_an_exception_that_the_body_catches_contradicts_no_violation(body: Callable[..., Any]) -> None:
    assert _judged(body) is Status.REFUTED


@pytest.mark.parametrize("body", ASKING.values(), ids=ASKING.keys())
def test_what_float64_does_not_compute_is_no_proof(body: Callable[..., Any]) -> None:
    assert _judged(body) is not Status.PROVED
