"""That a call has fitted once says nothing about another form, nor about the entries of the same one."""

from typing import Annotated

import pytest
import torch
from torch import Tensor

from signatures import tensors
from signatures.checked import checked
from signatures.tensors import Shaped


@checked
def scaled(
    x: Annotated[Tensor, Shaped("*batch n d>=2")], by: Annotated[Tensor, Shaped("*batch n", "(0, inf)")]
) -> Tensor:
    """Rows times positive numbers."""
    return x * by.unsqueeze(-1)


X, BY = torch.ones(3, 2, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
REFUSED = {
    "another size": (X, BY[:2]),
    "too few columns": (X[:, :1], BY),
    "an axis less": (X[0], BY),
    "another order": (X.mT, BY),
    "batches that do not broadcast": (X.expand(4, 3, 2), BY.expand(5, 3)),
    "complex numbers": (X.to(torch.complex128), BY),
    "truth values": (X, BY > 0.0),
    "nan": (X * torch.nan, BY),
    "out of range": (X, -BY),
    "no tensor": (X, [1.0, 1.0, 1.0]),
    "nothing": (X, None),
}


@pytest.mark.parametrize("values", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_is_refused_after_a_call_that_fits(values: tuple[Tensor, Tensor]) -> None:
    for _ in range(2):
        assert torch.equal(scaled(X, BY), X)
        with pytest.raises((ValueError, TypeError), match=r"x|by"):
            scaled(*values)


@checked
def logarithms(x: Annotated[Tensor, Shaped("*batch n")], same: Annotated[Tensor, Shaped("*batch n")]) -> Tensor:
    """log x, where `same` has come as a float."""
    assert same.is_floating_point()
    return x.log()


def test_integers_become_floats_every_time() -> None:
    for _ in range(2):
        assert logarithms(BY, BY.to(torch.int64)).dtype is torch.float64
        assert logarithms(BY.to(torch.float32), BY.to(torch.int64)).dtype is torch.float32


def test_a_result_that_is_undefined_is_refused_every_time() -> None:
    for _ in range(2):
        assert torch.equal(logarithms(BY, BY), 0.0 * BY)
        with pytest.raises(ValueError, match="nan"):
            logarithms(torch.tensor([-1.0, 1.0, 2.0], dtype=torch.float64), BY)


def test_an_instance_of_a_batch_may_be_undefined_and_a_single_one_may_not() -> None:
    """The same entries with a batch axis and without, in turn: which of the two a call is belongs to its form."""
    spoilt = torch.stack([X, X * torch.nan])
    for _ in range(2):
        assert bool(scaled(spoilt, BY).isnan()[1].all())
        with pytest.raises(ValueError, match="nan"):
            scaled(spoilt[1], BY)


def test_no_more_forms_are_remembered_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "FORMS", 2)
    fit = Shaped.joint([("x", Shaped("n"), False)])
    for n in range(1, 9):
        fit(torch.ones(n))
        assert len(fit._fitted) <= 2  # type: ignore[attr-defined]
