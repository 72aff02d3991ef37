"""No true equality is missed by more than its measured rounding, which is small where nothing cancels."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from harness.certify.rounding import CLEAR
from tests.harness.rounding.equalities import TRUE
from tests.harness.rounding.measured import EPS, listed, measured
from tests.harness.rounding.outside_torch import OUTSIDE_TORCH

EQUALITIES = TRUE | OUTSIDE_TORCH


@pytest.mark.parametrize("body", EQUALITIES.values(), ids=EQUALITIES.keys())
def test_no_true_equality_is_missed_by_more_than_its_measured_rounding(body: Callable[..., Any]) -> None:
    """What exceeds CLEAR times its rounding convicts: here each excess is a false accusation."""
    gap, noise = measured(body)
    off = gap > CLEAR * noise
    assert not bool(off.any()), (gap[off][:3].tolist(), noise[off][:3].tolist(), int(off.sum()))


FALSE: dict[str, tuple[Callable[..., Any], float]] = {}


def false(size: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An equality off by the share `size` of both sides, at least, wherever they are not zero."""

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        FALSE[body.__name__.replace("_", " ")] = body, size
        return body

    return decorate


@false(1e-9)
def a_scaled_number(forall):
    x = forall.interval("x", 0.0, 1.0)
    return x, x * (1.0 + 1e-9)


@false(1e-9)
def a_scaled_sum(forall):
    x = forall.interval("x", 0.0, 1.0, 20)
    return x.sum(-1), (1.0 + 1e-9) * x.sum(-1)


@false(1e-9)
def a_scaled_norm(forall):
    x = forall.ball("x", 5)
    return x.norm(dim=-1), (1.0 + 1e-9) * x.norm(dim=-1)


@false(1e-9)
def a_scaled_largest_eigenvalue(forall):
    k = forall.psd("K", 4)
    top = torch.linalg.eigvalsh(k)[:, -1]
    return top, (1.0 + 1e-9) * top


@false(1e-3)
def tiny_numbers(forall):
    x = forall.interval("x", 0.0, 1e-150)
    return x, 0.999 * x


@false(1e-3)
def tiny_products(forall):
    x = forall.interval("x", 0.0, 1.0)
    return 1e-150 * x, 1e-150 * (0.999 * x)


@false(1e-3)
def huge_numbers(forall):
    x = forall.interval("x", 0.0, 1e150)
    return x, 0.999 * x


@false(1e-9)
def numbers_through_numpy(forall):
    x = forall.interval("x", 0.5, 1.0).numpy()
    return torch.from_numpy(x), torch.from_numpy(x * (1.0 + 1e-9))


@false(1e-9)
def plain_constants():
    return math.pi, 22.0 / 7.0 - 0.00126449


@pytest.mark.parametrize(("body", "size"), FALSE.values(), ids=FALSE.keys())
def test_where_nothing_cancels_the_measured_rounding_is_a_few_last_places(
    body: Callable[..., Any], size: float
) -> None:
    """A measure that exaggerates would acquit everything; at any magnitude, 1e-150 and 1e150 too."""
    gap, noise = measured(body)
    seen = gap > 1e-290  # zero, and what has lost its digits to underflow, has nothing to show
    assert int(seen.sum()) > 0.5 * len(gap)
    assert bool((noise[seen] <= 100.0 * EPS * gap[seen] / size).all())
    assert bool((gap[seen] > CLEAR * noise[seen]).all())


EXACT: dict[str, Callable[..., Any]] = {}
exact = listed(EXACT)


@exact
def sums_of_integers(forall):
    k = forall.integers("k", -1000, 1000, 9)
    return k.sum(-1), k.flip(-1).cumsum(-1)[:, -1] + 1.0


@exact
def products_of_integers(forall):
    k = forall.integers("k", -9, 9, 4)
    return k.square().sum(-1) * 3.0, k.prod(-1)


@exact
def matrices_of_integers(forall):
    a = forall.integers("a", -9, 9, 3, 3)
    return (a @ a).sum((-2, -1)), torch.einsum("bij,bjk->b", a, a) - 0.5


@exact
def counts(forall):
    x = forall.interval("x", 0.0, 1.0, 9)
    return (x > 0.3).sum(-1), (x > 0.3).double().mean(-1) * 0.0 + 4.0


@exact
def signs_and_halves(forall):
    s = forall.signs("s", 8)
    return (0.5 * (s + 1.0)).sum(-1), s.mean(-1) / 4.0


@exact
def the_same_twice(forall):
    x = forall.interval("x", 0.0, 1.0, 4)
    return x.amax(-1), x.sort(-1).values[:, -1]


@exact
def plain_integers():
    return 2**40 + 1, float(3 * 5) / 2


@pytest.mark.parametrize("body", EXACT.values(), ids=EXACT.keys())
def test_what_is_exact_is_not_moved(body: Callable[..., Any]) -> None:
    """Half a last place on a count or a comparison of whole numbers would turn a plain counterexample into a tie."""
    _, noise = measured(body)
    assert noise.tolist() == [0.0] * len(noise)


def test_whole_numbers_through_numpy_have_a_few_last_places() -> None:
    """Of their size: what is made of them there is not seen."""

    def body(forall):
        k = forall.integers("k", -9, 9, 4).numpy()
        return torch.from_numpy((k * 2.0).sum(-1)), torch.from_numpy(k.max(-1) * 0.25)

    _, noise = measured(body)
    assert bool((noise <= 4.0 * EPS * 9.0).all())
    assert bool((noise > 0.0).any())
