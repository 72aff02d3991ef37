"""Derivatives forward: torch keeps their zeros without memory, and to read one ends the process."""

from typing import Any

import pytest
import torch

from harness import always, claim, identity
from harness.language.spaces import tensor
from harness.verdict import Status
from tests.harness.rounding.measured import EPS, measured
from tests.helpers import bare_check


def _second(x: torch.Tensor) -> torch.Tensor:
    """Second derivatives of softplus, forward over backward."""
    return torch.func.vmap(torch.func.hessian(torch.nn.functional.softplus))(x)


@claim("forward/softplus", always())
def softplus(forall: Any) -> Any:
    """The second derivative of softplus is at most 1/4."""
    return _second(forall.interval("x", -3.0, 3.0)), 0.25


@claim("forward/softplus-too-small", always(), expected="refuted")
def softplus_too_small(forall: Any) -> Any:
    """It is at most .24."""
    return _second(forall.interval("x", -3.0, 3.0)), 0.24


@claim("forward/square", identity())
def square(forall: Any) -> Any:
    """The derivative of the derivative of s^2 is 2, where torch computes with shapes alone on the way."""
    x = forall.ball("x", 2)
    return torch.func.vmap(torch.func.jacfwd(torch.func.grad(lambda x: x.sum() ** 2)))(x)[:, 0, 0], 2.0


@claim("forward/directional", identity())
def directional(forall: Any) -> Any:
    """The derivative of sin along v is v cos, by dual numbers."""
    x, v = forall.interval("x", -3.0, 3.0), forall.interval("v", -1.0, 1.0)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, v)
        return torch.autograd.forward_ad.unpack_dual(torch.sin(dual)).tangent, x.cos() * v


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (softplus, Status.HOLDS),
        (softplus_too_small, Status.REFUTED),
        (square, Status.HOLDS),
        (directional, Status.HOLDS),
    ],
)
def test_a_body_may_differentiate_forward(body: Any, status: Status) -> None:
    assert bare_check(body).status is status


def test_the_rounding_of_a_second_derivative_is_seen() -> None:
    """That zeros stay exact does not make the rest so."""
    _, noise = measured(softplus.body, x=tensor([0.3, 1.1]))
    assert bool(((noise > 0.01 * EPS) & (noise < 100.0 * EPS)).all())
