"""What solvers of scipy return is right within their tolerance, and no statement about it is refuted within that."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.integrate import fixed_quad, quad, solve_ivp
from scipy.optimize import brentq, linear_sum_assignment, linprog, minimize

from harness import always, claim, identity
from harness.certify.rounding.solvers import is_solver, within_tolerance
from harness.verdict import Status
from tests.helpers import bare_check

UP: Any = np.ones  # shares: as far as a tolerance goes, upwards


def _double(values: list[float]) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@claim("solvers/lp", identity())
def lp(forall: Any) -> Any:
    """The least c.x over the simplex is the least c_i: it was refuted at c of 1e-10."""
    c = 1e-9 * forall.interval("c", -1.0, 1.0, 3)
    found = [linprog(row.numpy(), A_eq=np.ones((1, 3)), b_eq=[1.0]).fun for row in c]
    return _double(found), c.amin(-1)


@claim("solvers/lp-false", always(), expected="refuted")
def lp_false(forall: Any) -> Any:
    """The least c.x over the simplex is at most .999 of the least c_i."""
    c = forall.interval("c", 0.0, 1.0, 3)
    found = [linprog(row.numpy(), A_eq=np.ones((1, 3)), b_eq=[1.0]).fun for row in c]
    return _double(found), 0.999 * c.amin(-1)


@claim("solvers/argmin", identity())
def argmin(forall: Any) -> Any:
    """The quartic (x - a)^4 + (x - a)^2 is least at a."""
    a = forall.interval("a", -1.0, 1.0)
    found = [minimize(lambda x, a=a: float((x[0] - a) ** 4 + (x[0] - a) ** 2), [0.0]).x[0] for a in a.tolist()]
    return _double(found), a


@claim("solvers/ivp", identity())
def ivp(forall: Any) -> Any:
    """y' = -a y has y(1) = exp(-a) y(0)."""
    a = forall.interval("a", 0.0, 3.0)
    found = [solve_ivp(lambda _, y, a=a: -a * y, (0.0, 1.0), [1.0]).y[0, -1] for a in a.tolist()]
    return _double(found), torch.exp(-a)


@pytest.mark.parametrize(
    ("body", "status"),
    [(lp, Status.HOLDS), (lp_false, Status.REFUTED), (argmin, Status.HOLDS), (ivp, Status.HOLDS)],
)
def test_a_tolerance_refutes_nothing(body: Any, status: Status) -> None:
    assert bare_check(body).status is status


def test_each_is_moved_by_its_own() -> None:
    value, error = within_tolerance(UP, quad, (lambda x: x, 0.0, 1.0), {})
    assert 1e-9 < value - 0.5 < 1e-7
    assert error < 1e-13
    fixed, none = within_tolerance(UP, fixed_quad, (lambda x: x, 0.0, 1.0), {})  # which names no error
    assert 1e-9 < fixed - 0.5 < 1e-7
    assert none is None
    assert 0.0 < within_tolerance(UP, brentq, (lambda x: x - 0.5, 0.0, 1.0), {}) - 0.5 < 1e-11
    found = within_tolerance(UP, linprog, ([1.0],), {"bounds": [(0.5, 1.0)]})
    assert 1e-9 < found.fun - 0.5 < 1e-7
    assert found.status == 0
    rows, columns = within_tolerance(UP, linear_sum_assignment, (np.eye(2),), {})
    assert (rows.tolist(), columns.tolist()) == ([0, 1], [1, 0])


def test_what_adds_up_samples_is_no_solver() -> None:
    from scipy.integrate import simpson

    assert not is_solver(simpson)
    assert not is_solver(np.linalg.solve)
    assert is_solver(minimize)
