"""Inequalities with solutions of linear systems as unknowns, and what is false beside them."""

from typing import Any

import pytest
import torch

from harness import Forall, always
from harness.certify.proof import Proof, Unproved
from tests.harness.enclosure.stating import Body, tried

HAIR = 1e-6


def _solved(matrix: Any, right: Any) -> Any:
    factor, info = torch.linalg.cholesky_ex(matrix)
    factor = factor.masked_fill((info != 0)[..., None, None], float("nan"))
    return torch.cholesky_solve(right.unsqueeze(-1), factor).squeeze(-1)


def _norm(f: Forall, *, n: int = 4, factor: float = 1.0, low: float = 1e-9, sign: float = 1.0) -> Any:
    """f'(Z Z' + r)^-1 f <= |w|^2 for f = Z w, with equality as r -> 0; with Z Z' - r it is at least the square."""
    z, w = f.interval("z", -1.0, 1.0, n, 2), f.interval("w", -1.0, 1.0, 2)
    r = sign * f.interval("r", low, 1.0)[:, None, None]
    values = (z @ w.unsqueeze(-1)).squeeze(-1)
    x = _solved(z @ z.mT + r * torch.eye(n, dtype=torch.float64), values)
    return (values * x).sum(-1), factor * w.square().sum(-1)


def _other_right_side(f: Forall) -> Any:
    """g'(Z Z' + r)^-1 g <= |w|^2, where g is not Z w."""
    z, w, g = f.interval("z", -1.0, 1.0, 2, 2), f.interval("w", -1.0, 1.0, 2), f.interval("g", -1.0, 1.0, 2)
    x = _solved(z @ z.mT + f.interval("r", 0.5, 1.0)[:, None, None] * torch.eye(2, dtype=torch.float64), g)
    return (g * x).sum(-1), w.square().sum(-1)


def _two_systems(f: Forall, *, factor: float) -> Any:
    """x'(A x) for A x = b is b'x: a system is not taken for another one with the same matrix."""
    z, b, c = f.interval("z", -1.0, 1.0, 2, 2), f.interval("b", -1.0, 1.0, 2), f.interval("c", -1.0, 1.0, 2)
    matrix = z @ z.mT + f.interval("r", 0.5, 1.0)[:, None, None] * torch.eye(2, dtype=torch.float64)
    x, y = _solved(matrix, b), _solved(matrix, c)
    return -factor * 2.0 * (b * y).sum(-1), (b * x).sum(-1) + (c * y).sum(-1)


@pytest.mark.parametrize("n", [2, 4])
def test_the_norm_of_an_interpolant_is_proved(n: int) -> None:
    assert tried(always(rtol=0.0), lambda f: _norm(f, n=n), 2_000) == Proof(1.0, 0, 0.0)


FALSE: dict[str, Body] = {
    "by a hair": lambda f: _norm(f, n=2, factor=1.0 - HAIR),
    "by a hair, in a larger system": lambda f: _norm(f, n=4, factor=1.0 - HAIR),
    "an indefinite matrix": lambda f: _norm(f, n=2, sign=-1.0, low=1e-3),
    "another right side": _other_right_side,
    "two systems": lambda f: _two_systems(f, factor=1.0 + HAIR),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_inequalities_with_solutions_are_not_proved(name: str) -> None:
    """Would catch an energy added to a system it is not of, and a matrix taken for a positive one."""
    found = tried(always(rtol=0.0), FALSE[name], 200)
    assert isinstance(found, Unproved) or found.c > 1.0
