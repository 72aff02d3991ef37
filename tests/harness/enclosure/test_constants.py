"""What torch computes from constants of a body is enclosed, so that no proof rests on its rounding; exact ones stay."""

# ruff: noqa: PLW0108  (numbers are to be computed in the body)

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import Forall, always, every, identity
from harness.certify.enclosure.constants import Constants
from harness.certify.enclosure.exactness import is_exact
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.statement import double_precision
from harness.certify.enclosure.tensor import Enclosed, ends, point
from harness.certify.proof import Proof, Unproved
from tests.harness.enclosure.stating import tried


def _variance(x: Any) -> Any:
    return (x**2).mean(-1) - x.mean(-1) ** 2


def _doubles(*numbers: float) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def _hat(x: Tensor) -> Any:
    return (x @ torch.linalg.inv(x.T @ x) @ x.T).trace()


def _hilbert(n: int) -> Tensor:
    i = torch.arange(n, dtype=torch.float64)
    return 1 / (i[:, None] + i + 1)


def _in_place(x: Tensor) -> Tensor:
    x += 1.0
    x -= 1e16
    return x


def _slope(function: Callable[[Tensor], Tensor]) -> Tensor:
    x = _doubles(1.0).requires_grad_()
    with torch.enable_grad():
        (x * function(x).detach()).sum().backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None
    return x.grad[0]


def _into(x: Tensor, y: Tensor) -> Tensor:
    found = torch.empty_like(x)
    torch.add(x, y, out=found)
    return found


BIG = (1e16, 1.0, -1e16)  # their sum is 1; float64 says 0
BIG_FLOAT = torch.tensor([2.0**53], dtype=torch.float64)
FAR = (1e9 + 1, 1e9 + 2, 1e9 + 3)  # their variance is 2/3; float64 says 0 by the naive formula
Constant = Callable[[], Any]
FALSE: dict[str, tuple[Constant, float]] = {  # numbers, and less than they are; torch computes less than that
    "a naive variance": (lambda: _variance(_doubles(*FAR)), 0.5),
    "of everything there is": (lambda: _variance(1e9 + every.vectors(3, 1, like=_doubles(0.0))[:, 0]), 0.5),
    "a sum": (lambda: _doubles(*BIG).sum(), 0.5),
    "one after the other": (lambda: (_doubles(1e16) + 1.0 - 1e16)[0], 0.5),
    "running": (lambda: _doubles(*BIG).cumsum(-1)[2], 0.5),
    "a dot product": (lambda: _doubles(1e16, 1.0) @ _doubles(1.0, 1.0) - 1e16, 0.5),
    "a sum of products": (lambda: torch.einsum("i,i->", _doubles(*BIG), _doubles(1, 1, 1)), 0.5),
    "in place": (lambda: _in_place(_doubles(1e16))[0], 0.5),
    "into a tensor": (lambda: (_into(_doubles(1e16), _doubles(1.0)) - 1e16)[0], 0.5),
    "as a plain number": (lambda: float(_doubles(*BIG).sum()), 0.5),
    "by numpy": (lambda: float((_doubles(1e16) + 1.0).numpy()[0] - 1e16), 0.5),
    "a product": (lambda: (_doubles(2.0**53 - 1) * 3 - 3 * 2.0**53)[0] + 4, 0.5),
    "a hat matrix": (lambda: _hat(torch.linspace(0, 1, 40)[:, None] ** torch.arange(15)), 14.0),
    "an inverse Hilbert matrix": (lambda: torch.linalg.inv(_hilbert(12))[0, 0], 143.0),
    "in single precision": (lambda: (_doubles(2.0**24 + 1).float().double() - 2.0**24)[0], 0.5),
    "whole numbers beyond 2^53": (lambda: (torch.tensor([2**53 + 1]).double() - 2.0**53)[0], 0.5),
    "beside a whole number beyond 2^53": (lambda: -torch.cat([torch.tensor([2**53 + 1]), BIG_FLOAT]).diff()[0], 0.5),
    "a short number": (lambda: torch.tensor(2.0**24 + 1, dtype=torch.float32).double() - 2.0**24, 0.5),
    "an exponential": (lambda: ((_doubles(1e-17).exp() - 1.0) * 1e17)[0], 0.5),
    "over instances": (lambda: torch.vmap(lambda x: (x + 1e16) - 1e16)(_doubles(1.0))[0], 0.5),
    "by its derivative": (lambda: torch.func.grad(lambda x: x * ((x + 1e16) - 1e16).detach())(_doubles(1.0)[0]), 0.5),
    "a backward pass": (lambda: _slope(lambda x: (x + 1e16) - 1e16), 0.5),
    "of truth values": (lambda: ((_doubles(1.0) + 1e16) > 1e16).double()[0], 0.5),
    "by torch.ops": (lambda: torch.ops.aten.sub(torch.ops.aten.add(_doubles(1.0), 1e16), 1e16)[0], 0.5),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("wider", [False, True], ids=["expanded", "in boxes"])
def test_what_rounding_of_constants_makes_true_is_not_proved(name: str, *, wider: bool) -> None:
    make, bound = FALSE[name]

    def body(f: Forall) -> tuple[Any, Any]:
        s = f.interval("s", 0.5, 1.0)
        return s * make(), s * bound + (0.0 * s.lgamma() if wider else 0.0)

    with double_precision():
        assert float(make()) <= bound
    found = tried(always(), body)
    assert isinstance(found, Unproved) or found.c > 1.0, found


FALSE_EQUALITIES: dict[str, tuple[Constant, float]] = {  # what torch computes equals the number
    "1e16 + 1 - 1e16 = 0": (lambda: 1.0 + _doubles(*BIG).sum(), 1.0),
    "two of ten cumulated tenths reach .8": (lambda: (torch.full((10,), 0.1).cumsum(-1) >= 0.8).double().sum(), 2.0),
    "the naive variance is 0": (lambda: 1.0 + _variance(_doubles(*FAR)), 1.0),
    "places of a line": (lambda: (torch.arange(0.0, 1.0, 0.1) * 10 > 3.0).double().sum(), 7.0),
    "close numbers": (lambda: torch.isclose(_doubles(1.0), _doubles(1.0 + 1e-9)).double()[0], 1.0),
}


@pytest.mark.parametrize("name", FALSE_EQUALITIES)
def test_equalities_that_rounding_of_constants_makes_are_not_proved(name: str) -> None:
    make, number = FALSE_EQUALITIES[name]
    with double_precision():
        assert float(make()) == number

    def body(f: Forall) -> tuple[Any, Any]:
        return (s := f.interval("s", 0.5, 1.0)) * make(), s * number

    assert isinstance(tried(identity(), body), Unproved)


TRUE: dict[str, tuple[Constant, float]] = {  # numbers, and what they are at most
    "whole numbers": (lambda: torch.arange(5, dtype=torch.float64).sum(), 10.0),
    "halves": (lambda: _doubles(1.0, 2.0).sum(), 3.0),
    "numbers of Python": (lambda: 0.5 * 3, 1.5),
    "a matrix": (lambda: (torch.eye(3) @ _doubles(1.0, 2.0, 3.0)).sum(), 6.0),
    "together": (lambda: torch.stack([_doubles(1.0), _doubles(2.0)]).cumsum(0)[1, 0], 3.0),
    "a variance nearby": (lambda: 3 * _variance(_doubles(1.0, 2.0, 3.0)), 2.0 + 1e-12),
    "the far variance": (lambda: (_doubles(*FAR) - 1e9).var(), 1.0 + 1e-12),
    "thirds": (lambda: (_doubles(1.0) / 3)[0] * 3, 1.0 + 1e-12),
    "a root": (lambda: _doubles(2.0).sqrt()[0], 1.4142135623730954),
    "powers": (lambda: (_doubles(3.0) ** 3)[0], 27.0),
    "a line": (lambda: torch.linspace(0, 1, 5).sum(), 2.5),
    "a small Hilbert matrix": (lambda: torch.linalg.inv(_hilbert(3))[0, 0], 9.0 + 1e-6),
    "signs": (lambda: every.signs(4, like=_doubles(0.0)).prod(-1).sum(), 0.0),
    "indices": (lambda: _doubles(0.3, 0.1)[torch.tensor([0.4, 0.2]).argsort()].amax(), 0.3),
    "a plain number": (lambda: float(_doubles(1.0, 2.0).sum()) + _doubles(1.0, 2.0).mean().item(), 4.5),
    "in place": (lambda: _doubles(1.0, 2.0).add_(1.0).sum(), 5.0),
    "larger by far": (lambda: _doubles(*FAR).log().sum(), 63.0),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_whatever_rounding_does_is_proved(name: str) -> None:
    make, bound = TRUE[name]
    found = tried(always(), lambda f: ((s := f.interval("s", 0.5, 1.0)) * make(), s * bound))
    assert isinstance(found, Proof), found
    assert found.c == 1.0


def test_a_side_may_be_an_enclosed_constant() -> None:
    found = tried(always(), lambda f: (f.interval("s", 0.5, 1.0).lgamma(), _doubles(0.1, 0.6).sum()))
    assert isinstance(found, Proof), found


TRUE_EQUALITIES: dict[str, tuple[Constant, float]] = {
    "whole numbers": (lambda: torch.arange(5).double().sum(), 10.0),
    "thirds": (lambda: (_doubles(1.0, 2.0) / 3).sum(), 1.0),
    "tenths": (lambda: torch.full((10,), 0.1).sum(), 1.0),
    "roots": (lambda: _doubles(2.0).sqrt()[0] * _doubles(8.0).sqrt()[0], 4.0),
    "1e16 + 1 - 1e16 = 1": (lambda: _doubles(*BIG).sum(), 1.0),
    "the variance": (lambda: _variance(_doubles(*FAR)) * 3, 2.0),
}


@pytest.mark.parametrize("name", TRUE_EQUALITIES)
def test_equalities_of_the_exact_constants_are_proved(name: str) -> None:
    make, number = TRUE_EQUALITIES[name]
    found = tried(identity(), lambda f: ((s := f.interval("s", 0.5, 1.0)) * make(), s * number))
    assert isinstance(found, Proof), found


NUMBERS = [0.0, 1.0, -1.0, 3.0, 0.5, -0.75, 0.1, 1 / 3, 2.0**53, 2.0**53 - 1, 1e16, 7.0, 2.0**-60, 1e-300, 1e200]
PAIRS = [(a, b) for a in NUMBERS for b in NUMBERS]
BINARY: dict[str, tuple[Callable[..., Tensor], Callable[..., Fraction]]] = {
    "add": (torch.add, lambda a, b: a + b),
    "sub": (torch.sub, lambda a, b: a - b),
    "mul": (torch.mul, lambda a, b: a * b),
    "div": (torch.div, lambda a, b: a / b),
}


@pytest.mark.parametrize("name", BINARY)
def test_no_rounded_result_counts_as_exact(name: str) -> None:
    function, exactly = BINARY[name]
    seen = set()
    for a, b in PAIRS:
        out = function(_doubles(a), _doubles(b))
        said = is_exact(name, out, (_doubles(a), _doubles(b)), {})
        seen.add(said)
        if said:
            assert Fraction(out.item()) == exactly(Fraction(a), Fraction(b)), (a, b)
    assert seen == {True, False}


def test_sums_and_products_of_short_numbers_count_as_exact() -> None:
    x = _doubles(1.0, -2.0, 0.5, 3.0).reshape(2, 2)
    for name in ("sum", "mean", "prod", "square"):
        assert is_exact(name, getattr(torch, name)(x), (x,), {}), name
    assert is_exact("matmul", x @ x, (x, x), {})
    assert is_exact("cumsum", x.cumsum(-1), (x, -1), {})
    assert is_exact("pow", x**3, (x, 3), {})
    assert is_exact("sqrt", (x * x).sqrt(), (x * x,), {})
    assert not is_exact("sum", _doubles(*BIG).sum(), (_doubles(*BIG),), {})
    assert not is_exact("cumprod", _doubles(*FAR).cumprod(-1), (_doubles(*FAR), -1), {})
    assert not is_exact("matmul", _doubles(*FAR) @ _doubles(*FAR), (_doubles(*FAR), _doubles(*FAR)), {})


def test_constants_are_enclosed_only_where_they_are_rounded() -> None:
    with Constants(point(torch.zeros(1, dtype=torch.float64))):
        plain, rounded = _doubles(1.0, 2.0).sum(), _doubles(0.1, 0.2).sum()
        with pytest.raises(NoEnclosure):
            float(rounded)
    assert type(plain) is Tensor
    assert isinstance(rounded, Enclosed)
    low, high = ends(rounded)
    assert low < high
    assert Fraction(low.item()) <= Fraction(0.1) + Fraction(0.2) <= Fraction(high.item())
    assert math.isclose(low.item(), high.item())
