"""Bodies that call functions of the user's other modules: their rounding is seen, too."""

import numpy as np
import pytest
import torch

from harness import always, check, claim, grid, identity
from harness.certify.recompiled import calls_of
from harness.language.registry import Claim
from harness.verdict import Status
from tests.harness.rounding import users_library
from tests.harness.rounding.users_library import Model, behind_a_decorator


@claim("users/smallest", always(), over=grid(n=[2, 3, 5, 9]))
def smallest(*, n):
    """0 <= the smallest eigenvalue of a matrix of ones."""
    return 0.0, users_library.smallest_eigenvalue_of_ones(n)


@claim("users/solve", identity())
def solve(forall):
    """A^-1 A 1 = 1 for a whole matrix."""
    u = np.triu(forall.integers("a", -3, 3, 10, 10).numpy(), 1) + np.eye(10)
    return torch.as_tensor(users_library.normal_equations(u)), 10.0


@claim("users/method", always(), over=grid(n=[2, 3, 5, 7]))
def method(*, n):
    """sqrt(n)^2 - n <= 0."""
    return Model(n).gap(), 0.0


@claim("users/called", always(), over=grid(n=[2, 3, 5, 7]))
def called(*, n):
    """The same by an object that is called, and a method with a private name."""
    return Model(n)(), 0.0


@claim("users/partial", always())
def partial():
    """The same by a function of which an argument is given."""
    return users_library.gap_of_two(), 0.0


@claim("users/steps", identity())
def steps():
    """Ten steps of 1/10 lead from 1 to 0."""
    x, n = 1.0, 0
    while x and n < 50:
        x -= 0.1
        n += 1
    return n, 10


@claim("users/decorated", identity(), over=grid(n=[1, 2]))
def decorated(*, n):
    """What a decorator makes of a function is called, not the function."""
    return behind_a_decorator(n), 2 * n


@claim("users/smallest-false", always(), over=grid(n=[2, 3, 5, 9]))
def smallest_false(*, n):
    """1e-9 <= the smallest eigenvalue of a matrix of ones."""
    return 1e-9, users_library.smallest_eigenvalue_of_ones(n)


@claim("users/method-false", always(), over=grid(n=[2, 3, 5, 7]))
def method_false(*, n):
    """sqrt(n)^2 - n <= -1e-12."""
    return Model(n).gap(), -1e-12


@pytest.mark.parametrize(
    "true", [smallest, solve, method, called, partial, steps, decorated], ids=lambda claim: claim.id
)
def test_rounding_in_other_modules_refutes_nothing(true: Claim) -> None:
    assert check(true, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize("false", [smallest_false, method_false], ids=lambda claim: claim.id)
def test_what_is_false_beyond_it_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


def test_libraries_that_other_modules_call_are_found() -> None:
    assert calls_of(smallest.body, ("numpy.linalg",))
    assert calls_of(solve.body, ("numpy.linalg",))
    assert not calls_of(method.body, ("numpy.linalg",))
