"""A matrix without an inverse or a factorisation is undefined there, and there only."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import Draw, always, claim, grid, high_probability
from harness.language.evaluation import evaluate
from harness.language.undefined import NanWhereUndefined
from harness.verdict import Status
from tests.helpers import bare_check

SINGULAR = torch.ones(2, 2, dtype=torch.float64)
BATCH = torch.stack([torch.eye(2, dtype=torch.float64), SINGULAR, SINGULAR * torch.nan, 2.0 * torch.eye(2).double()])
RIGHT = torch.ones(4, 2, dtype=torch.float64)

OPERATIONS: dict[str, tuple[Callable[[Tensor], Tensor], list[float]]] = {
    "inv": (lambda a: torch.linalg.inv(a)[..., 0, 0], [1.0, torch.nan, torch.nan, 0.5]),
    "method": (lambda a: a.inverse()[..., 0, 0], [1.0, torch.nan, torch.nan, 0.5]),
    "solve": (lambda a: torch.linalg.solve(a, RIGHT)[..., 0], [1.0, torch.nan, torch.nan, 0.5]),
    "solve columns": (lambda a: torch.linalg.solve(a, RIGHT[..., None])[..., 0, 0], [1.0, torch.nan, torch.nan, 0.5]),
    "cholesky": (lambda a: torch.linalg.cholesky(a)[..., 0, 0], [1.0, torch.nan, torch.nan, 2.0**0.5]),
    "solve from the right": (
        lambda a: torch.linalg.solve(a, RIGHT[:, None], left=False)[..., 0, 0],
        [1.0, torch.nan, torch.nan, 0.5],
    ),
    "solve, many sides": (
        lambda a: torch.linalg.solve(A=a.repeat(3, 1, 1, 1), B=RIGHT.unsqueeze(-1))[0, :, 0, 0],
        [1.0, torch.nan, torch.nan, 0.5],
    ),
    "solve for one vector": (
        lambda a: torch.linalg.solve(B=RIGHT[0], A=a)[..., 0],
        [1.0, torch.nan, torch.nan, 0.5],
    ),
    "lu_factor": (
        lambda a: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), RIGHT[..., None])[..., 0, 0],
        [1.0, torch.nan, torch.nan, 0.5],
    ),
    "eigh": (lambda a: torch.linalg.eigh(a).eigenvalues[..., 1], [1.0, 2.0, torch.nan, 2.0]),
    "svdvals": (lambda a: torch.linalg.svdvals(a)[..., 0], [1.0, 2.0, torch.nan, 2.0]),
    "two batch axes": (
        lambda a: torch.linalg.inv(a.reshape(2, 2, 2, 2))[..., 0, 0].reshape(4),
        [1.0, torch.nan, torch.nan, 0.5],
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_one_matrix_spoils_no_other(name: str) -> None:
    """torch raises for the whole batch; an exception would be the ERROR of the cell."""
    operation, expected = OPERATIONS[name]
    with NanWhereUndefined():
        found = operation(BATCH)
    torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64), equal_nan=True)


@claim("undefined/harmonic", always(), over=grid(n=[1, 2]))
def harmonic(forall, *, n):
    """n^2 <= tr A tr A^-1, for psd matrices of which many are singular."""
    a = forall.psd("a", n)
    inverse = torch.linalg.inv(a)
    return float(n * n), a.diagonal(dim1=-2, dim2=-1).sum(-1) * inverse.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("undefined/harmonic-too-large", always(), over=grid(n=[2]), expected="refuted")
def harmonic_too_large(forall, *, n):
    """1.1 n^2 <= tr A tr A^-1."""
    lhs, rhs = harmonic.body(forall, n=n)
    return 1.1 * lhs, rhs


@claim("undefined/always-singular", always(), over=grid(n=[2]))
def always_singular(forall, *, n):
    """The inverse of a matrix of ones."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.linalg.inv(x[:, None, None] * torch.ones(n, n))[:, 0, 0], 1.0


@claim("undefined/harmonic-numpy", always(), over=grid(n=[2]))
def harmonic_in_numpy(forall, *, n):
    """n^2 <= tr A tr A^-1 for the Gram matrices A of n points on a line, those of one point twice among them."""
    v = forall.integers("v", 0, 3, n)
    x = torch.stack([torch.ones_like(v), v], -1)
    a = (x @ x.mT).numpy()
    return float(n * n), np.trace(a, axis1=-2, axis2=-1) * np.trace(np.linalg.inv(a), axis1=-2, axis2=-1)


@claim("undefined/harmonic-numpy-too-large", always(), over=grid(n=[2]), expected="refuted")
def harmonic_in_numpy_too_large(forall, *, n):
    """6 n^2 <= tr A tr A^-1; at 1 and 2 it is 49, at 0 and 1 it is 9."""
    lhs, rhs = harmonic_in_numpy.body(forall, n=n)
    return 6.0 * lhs, rhs


@claim("undefined/always-singular-numpy", always(), over=grid(n=[2]))
def always_singular_in_numpy(forall, *, n):
    """The Cholesky factor of a matrix of ones."""
    x = forall.interval("x", 0.0, 1.0)
    return np.linalg.cholesky((x[:, None, None] * torch.ones(n, n)).numpy() - 1.0)[:, 0, 0], 1.0


@claim("undefined/leverage", high_probability("delta"), over=grid(delta=[0.1]))
def leverage(forall, draw, *, delta):
    """x_1' (X'X)^-1 x_1 <= 1 for the rows of s_j g_ij, s_j possibly 0."""
    s = forall.interval("s", 0.0, 1.0, 2)
    x = s.unsqueeze(-2) * draw.normal("g", 8, 2)
    return (x[..., 0, :] * torch.linalg.solve(x.mT @ x, x[..., 0, :])).sum(-1), 1.0 + 1e-6


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (harmonic, Status.HOLDS),
        (harmonic_too_large, Status.REFUTED),
        (leverage, Status.HOLDS),
        (always_singular, Status.ERROR),  # undefined everywhere is no statement
        (harmonic_in_numpy, Status.HOLDS),
        (harmonic_in_numpy_too_large, Status.REFUTED),
        (always_singular_in_numpy, Status.ERROR),
    ],
)
def test_where_a_body_is_undefined_the_search_goes_around(body, status: Status) -> None:
    assert bare_check(body).status is status


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_slope_is_lost_where_there_is_no_value_and_only_there(name: str) -> None:
    operation, expected = OPERATIONS[name]
    matrices = BATCH.clone().requires_grad_()
    with NanWhereUndefined():
        found = operation(matrices)
    (slope,) = torch.autograd.grad(torch.where(found.isnan(), 0.0, found).sum(), matrices)
    assert bool(slope[torch.tensor(expected).isfinite()].isfinite().all())


def test_draws_are_the_same_when_the_body_is_run_once_more() -> None:
    """Other numbers in the second run would be other trials."""
    values = {"s": torch.tensor([[1.0, 0.5]], dtype=torch.float64)}
    usual = evaluate(leverage, {"delta": 0.1}, values, Draw(7, ("same",)), 7)
    with NanWhereUndefined():
        again = evaluate(leverage, {"delta": 0.1}, values, Draw(7, ("same",)), 7)
    assert torch.equal(usual.lhs, again.lhs)
    nowhere = evaluate(leverage, {"delta": 0.1}, {"s": torch.zeros(1, 2).double()}, Draw(7, ("same",)), 7)
    assert bool(nowhere.lhs.isnan().all())
