"""What solvers of scipy return is right within their tolerance, and no statement about it is refuted within that."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.integrate import fixed_quad, quad, solve_bvp, solve_ivp
from scipy.optimize import brentq, linear_sum_assignment, linprog, lsq_linear, minimize, newton
from scipy.sparse.linalg import bicgstab, gmres

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


@claim("solvers/box", identity())
def box(forall: Any) -> Any:
    """The nearest point of a box is found by clipping: lsq_linear stops where the square is good to 1e-10."""
    a = forall.interval("a", -1.0, 2.0, 2)
    found = [lsq_linear(np.eye(2), row.numpy(), bounds=(0, 1)).x.sum() for row in a]
    return 1.0 + _double(found), 1.0 + a.clamp(0.0, 1.0).sum(-1)


@claim("solvers/double-root", identity())
def double_root(forall: Any) -> Any:
    """Newton's method finds a double root."""
    a = forall.interval("a", 0.5, 1.5)
    found = [
        newton(lambda x, a=a: (x - a) ** 2, 0.0, fprime=lambda x, a=a: 2 * (x - a), maxiter=99) for a in a.tolist()
    ]
    return _double(found), a


def _bending(a: float) -> float:
    """Of y'' = -y with y(0) = 0, y(1) = a, the middle."""
    found = solve_bvp(
        lambda _, y: np.vstack([y[1], -y[0]]),
        lambda left, right: np.array([left[0], right[0] - a]),
        np.linspace(0.0, 1.0, 5),
        np.zeros((2, 5)),
    )
    return float(found.sol(0.5)[0])


@claim("solvers/bvp", identity())
def bvp(forall: Any) -> Any:
    """The middle of a solution, from its spline."""
    a = forall.interval("a", 0.5, 1.5)
    return _double([_bending(each) for each in a.tolist()]), a * float(np.sin(0.5) / np.sin(1.0))


def _iterated(factor: float) -> Any:
    @claim(f"solvers/iterated-{factor:g}", identity())
    def body(forall: Any) -> Any:
        """b.x of five equations, by an iteration."""
        a = forall.psd("A", 5, trace=1.0) + 0.05 * torch.eye(5)
        b = forall.sphere("b", 5)
        found = [np.dot(v, bicgstab(m, v)[0]) for m, v in zip(a.numpy(), b.numpy(), strict=True)]
        return _double(found), factor * (b * torch.linalg.solve(a, b.unsqueeze(-1)).squeeze(-1)).sum(-1)

    return body


def test_iterations_are_moved_by_what_they_are_told() -> None:
    moved = within_tolerance(UP, gmres, (np.eye(2), np.ones(2)), {"rtol": 1e-3})[0]
    assert moved == pytest.approx(1.001, abs=1e-12)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (box, Status.HOLDS),
        (double_root, Status.HOLDS),
        (bvp, Status.HOLDS),
        (_iterated(1.0), Status.HOLDS),
        (_iterated(1.01), Status.REFUTED),
    ],
)
def test_each_solver_has_its_tolerance(body: Any, status: Status) -> None:
    assert bare_check(body).status is status


@pytest.mark.in_turn
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
