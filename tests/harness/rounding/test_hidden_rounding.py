"""Programs that float64 takes to a wrong number, which no single last place moves: sixty roots of 2 are 1 there."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness import always, check, claim, identity
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

TRUE: list[Claim] = []
FALSE: list[Claim] = []


def roots_and_squares(n: int, y: Any = 2.0) -> Any:
    """Of y, n roots and then n squares."""
    for _ in range(n):
        y = math.sqrt(y)
    for _ in range(n):
        y = y * y
    return y


def muller(steps: int) -> float:
    """Muller's recurrence, which tends to 6 from here, and to 100 in floats."""
    a, b = 11 / 2, 61 / 11
    for _ in range(steps):
        a, b = b, 111 - 1130 / b + 3000 / (b * a)
    return b


def polygon(doublings: int) -> float:
    """Half of the circumference of a polygon in the unit circle, by Archimedes."""
    s, n = 1.0, 6
    for _ in range(doublings):
        s, n = math.sqrt(2 - math.sqrt(4 - s * s)), 2 * n
    return n * s / 2


def power_method(steps: int) -> float:
    """The Rayleigh quotient that powers leave of the eigenvector (2, 1, -2) of the eigenvalues 81, 27, 9."""
    pairs = [(81, (1, 2, 2)), (27, (2, 1, -2)), (9, (2, -2, 1))]
    matrix = [[sum(v * u[i] * u[j] for v, u in pairs) / 9 for j in range(3)] for i in range(3)]
    x = [2.0, 1.0, -2.0]
    for _ in range(steps):
        y = [sum(a * b for a, b in zip(row, x, strict=True)) for row in matrix]
        size = math.sqrt(sum(v * v for v in y))
        x = [v / size for v in y]
    y = [sum(a * b for a, b in zip(row, x, strict=True)) for row in matrix]
    return sum(a * b for a, b in zip(x, y, strict=True)) / sum(v * v for v in x)


def without_inputs(name: str, kind: Any, sides: Callable[[], Any], table: list[Claim] = TRUE) -> None:
    def body():
        return sides()

    body.__doc__ = f"{name}."
    table.append(claim(f"hidden/{name}", kind)(body))


without_inputs("roots", identity(), lambda: (roots_and_squares(60), 2.0))
without_inputs("muller", always(), lambda: (muller(30), 7.0))
without_inputs("archimedes", identity(rtol=1e-6), lambda: (polygon(40), math.pi))
without_inputs("no-muller", always(), lambda: (50.0, muller(30)), FALSE)


@claim("hidden/tensor", identity())
def of_tensors():
    """Sixty roots and sixty squares of 2, in torch."""
    y = torch.tensor(2.0, dtype=torch.float64)
    for _ in range(60):
        y = y.sqrt()
    for _ in range(60):
        y = y * y
    return y, 2.0


@claim("hidden/numpy", identity())
def of_numpy():
    """Sixty roots and sixty squares of 2, in numpy."""
    y = np.float64(2.0)
    for _ in range(60):
        y = np.sqrt(y)
    for _ in range(60):
        y = y * y
    return float(y), 2.0


@claim("hidden/constant", always())
def of_a_constant(forall):
    """1.5 x <= 2 x, the 2 by roots and squares."""
    x = forall.interval("x", 1, 2)
    return 1.5 * x, roots_and_squares(60) * x


@claim("hidden/inputs", identity())
def of_inputs(forall):
    """The same roots and squares of every x in [1, 4]."""
    x = forall.interval("x", 1, 4)
    return torch.tensor([roots_and_squares(60, v) for v in x.tolist()], dtype=torch.float64), x


@claim("hidden/power", always())
def of_powers():
    """Powers from an eigenvector stay there: in floats they leave it for the largest one."""
    return power_method(100), 28.0


@pytest.mark.parametrize("true", [*TRUE, of_tensors, of_numpy, of_a_constant, of_inputs, of_powers], ids=lambda c: c.id)
def test_a_true_statement_is_not_refuted_by_the_wrong_number(true: Claim) -> None:
    assert bare_check(true).status is not Status.REFUTED


@pytest.mark.parametrize("false", FALSE, ids=lambda c: c.id)
def test_balls_see_the_right_number(false: Claim) -> None:
    assert bare_check(false).status is Status.REFUTED


@claim("hidden/false", always())
def false_constant(forall):
    """2 x <= 1.5 x, the 2 by roots and squares."""
    x = forall.interval("x", 1, 2)
    return roots_and_squares(60) * x, 1.5 * x


def test_a_false_statement_is_not_proved_with_the_wrong_number() -> None:
    assert check(false_constant, effort="quick").status is not Status.PROVED
