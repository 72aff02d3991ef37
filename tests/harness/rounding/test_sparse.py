"""Sparse matrices in a body: their rounding is measured; where a body's cannot be, a violation stays open."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import always, claim, identity
from harness.certify.rounding.tensors import moved
from harness.language.spaces import tensor
from harness.verdict import Status
from tests.harness.rounding.measured import EPS, measured
from tests.helpers import bare_check

WEIGHTS = tensor([0.1, 0.2, 0.3, 0.4])
LAYOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    "coordinates": lambda a: a.to_sparse(),
    "rows": lambda a: a.to_sparse_csr(),
    "columns": lambda a: a.to_sparse_csc(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_entries_and_results_are_moved_by_last_places(layout: str) -> None:
    a, x = LAYOUTS[layout](torch.diag(WEIGHTS)), tensor([[0.3], [0.7], [1.1], [1.3]])
    plain = a @ x
    with moved(0):
        found = a @ x
    assert bool((found != plain).all())
    torch.testing.assert_close(found, plain, rtol=8.0 * EPS, atol=0.0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_whole_numbers_stay(layout: str) -> None:
    a, x = LAYOUTS[layout](torch.diag(tensor([1.0, 2.0, 3.0, 4.0]))), tensor([[1.0], [2.0], [3.0], [4.0]])
    with moved(0):
        assert (a @ x).flatten().tolist() == [1.0, 4.0, 9.0, 16.0]


@claim("sparse/form", identity())
def form(forall: Any) -> Any:
    """x' D x with a sparse D is the sum of d_i x_i^2."""
    x = forall.ball("x", 4)
    d = torch.sparse_coo_tensor(torch.arange(4).repeat(2, 1), WEIGHTS, (4, 4), check_invariants=True)
    return (torch.sparse.mm(d, x.mT).mT * x).sum(-1), (WEIGHTS * x.square()).sum(-1)


@claim("sparse/form-too-small", always(), expected="refuted")
def form_too_small(forall: Any) -> Any:
    """x' D x <= .01 |x|^2: it was held to be rounding."""
    x = forall.ball("x", 4)
    d = torch.diag(WEIGHTS).to_sparse()
    return (torch.sparse.mm(d, x.mT).mT * x).sum(-1), 0.01 * x.square().sum(-1)


@claim("sparse/nested", always(), expected="refuted")
def nested(forall: Any) -> Any:
    """1 + |x|^2 <= 1/2, by tensors that nothing here can move."""
    x = forall.ball("x", 4)
    return 1.0 + torch.nested.nested_tensor([x, x]).to_padded_tensor(0.0)[0].square().sum(-1), 0.5


@pytest.mark.parametrize(
    ("body", "status"),
    [(form, Status.HOLDS), (form_too_small, Status.REFUTED), (nested, Status.UNDECIDED)],
)
def test_what_is_sparse_is_judged_as_what_is_dense(body: Any, status: Status) -> None:
    assert bare_check(body).status is status


def test_the_rounding_of_a_sparse_product_is_that_of_its_terms() -> None:
    def difference(forall: Any) -> Any:
        x = forall.interval("x", 0.0, 1.0, 2)
        row = torch.tensor([[1e8, -1e8]], dtype=torch.float64).to_sparse()
        return torch.sparse.mm(row, (x + 1.0).mT)[0], 0.0

    _, noise = measured(difference, x=tensor([[0.3, 0.3], [0.7, 0.1]]))
    assert bool(((noise > 0.05 * 1e8 * EPS) & (noise < 20.0 * 1e8 * EPS)).all())
