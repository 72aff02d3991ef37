"""Truth values are no numbers: false claims that hold if they are taken for 0 and 1, and true ones beside them.

Each is false at one whole number of a thousand million, or on one line of a square, where no search of points looks.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import Forall, always, identity
from harness.certify.enclosure import Enclosed, NoEnclosure
from harness.certify.enclosure.slopes import Sloped
from harness.certify.enclosure.truths import COUNTED, KEPT, LOGICAL, is_truth
from harness.certify.precision import Precise, lift
from harness.certify.proof import Proof, Unproved
from harness.kinds import Kind
from tests.harness.enclosure.stating import Body, tried

NEEDLE = 123456789.0
ALWAYS, IDENTITY = always(), identity()


def bump(f: Forall) -> Any:
    """1 at one whole number, 0 at the others."""
    return (1.0 - (f.integers("k", 0, 10**9) - NEEDLE).abs()).clamp_min(0.0)


def away(f: Forall) -> Any:
    """0 at one whole number."""
    return f.integers("k", 0, 10**9) - NEEDLE


def pair(x: Any) -> Any:
    return torch.stack([x, x], -1)


def chosen(mask: Any) -> Any:
    return torch.where(mask, 1.0, 5.0)


def first(x: Any) -> Tensor:
    return torch.zeros(1, 1, dtype=torch.long).expand(len(x), 1)


def by_method(f: Forall) -> Any:
    """m.where(c, True) = m, since c is true throughout."""
    b, x = bump(f), f.integers("x", 0, 1, 2)
    m = torch.stack([b, x[:, 0]], -1) < 0.5
    c = torch.stack([x[:, 1] + 2.0, x[:, 1]], -1) > 0.5
    return 1.0, m.where(c, torch.ones_like(m))[:, 0].double()


def masked_row(f: Forall) -> Any:
    """Rows 0 and 2, of which a sum of entries 1, 0 and 1 by number would be another."""
    x = f.interval("x", 1.0, 2.0)
    table = torch.tensor([[1.0], [10.0], [100.0]])
    return table[torch.stack([x[0], -x[0], x[0]]) > 0.0].sum() + 0.0 * x, 111.0 - 90.0 * x / x


FALSE: dict[str, tuple[Kind, Body]] = {
    # conditions
    "where of a product": (ALWAYS, lambda f: (chosen(((b := bump(f)) < 0.5) * (b < 0.7)), 1.0)),
    "where of a sum": (ALWAYS, lambda f: (5.0 - chosen(((b := bump(f)) > 0.5) + (b > 0.7)), 0.0)),
    "where of the largest": (ALWAYS, lambda f: (chosen((pair(bump(f)) < 0.5).amax(-1)), 1.0)),
    "where of the smallest": (ALWAYS, lambda f: (chosen((pair(bump(f)) < 0.5).amin(-1)), 1.0)),
    "where of the larger": (ALWAYS, lambda f: (chosen(torch.maximum((b := bump(f)) < 0.5, b < 0.7)), 1.0)),
    "where of a gathered one": (
        ALWAYS,
        lambda f: (chosen((pair(b := bump(f)) < 0.5).gather(-1, first(b)).squeeze(-1)), 1.0),
    ),
    "a filled mask": (ALWAYS, lambda f: ((0.0 * (b := bump(f))).masked_fill((b > 0.5) * (b > 0.6), 5.0), 1.0)),
    "the method": (ALWAYS, by_method),
    "a mask as an index": (IDENTITY, masked_row),
    # sums and products of truth values
    "a sum of two": (IDENTITY, lambda f: (((m := bump(f) > 0.5) + m).double(), 2.0 * m.double())),
    "a bounded sum of two": (
        ALWAYS,
        lambda f: (1.8 * ((b := bump(f)) > 0.3).double(), ((b > 0.3) + (b > 0.2)).double() + 0.1),
    ),
    "a sum with True": (IDENTITY, lambda f: (((m := bump(f) > 0.5) + True).double(), 1.0 + m.double())),
    "a multiple": (IDENTITY, lambda f: (torch.add(m := bump(f) > 0.5, m, alpha=2).double(), 3.0 * m.double())),
    "a difference along an axis": (
        ALWAYS,
        lambda f: ((pair(b := bump(f)) - torch.tensor([0.0, 1.0]) > -0.5).diff(dim=-1).double()[:, 0], 0.0 * b),
    ),
    "a sign": (IDENTITY, lambda f: (((m := (bump(f) > 0.5).sign()) + m).double(), 2.0 * m.double())),
    "an outer product": (
        IDENTITY,
        lambda f: (((p := torch.einsum("b,b->b", m := bump(f) > 0.5, m)) + p).double(), 2.0 * m.double()),
    ),
    "zeros like them": (IDENTITY, lambda f: (((z := torch.ones_like((b := bump(f)) > 0.5)) + z).double() + b - b, 2.0)),
    "filled like them": (IDENTITY, lambda f: (torch.full_like((b := bump(f)) > 0.5, 5).double(), 5.0 + 0.0 * b)),
    "filled with a number": (
        IDENTITY,
        lambda f: ((m := bump(f) > 0.5).masked_fill(m, 5).double(), 5.0 * m.double()),
    ),
    "scattered": (
        ALWAYS,
        lambda f: (4.9, (pair(b := bump(f)) < 2.0).scatter(-1, first(b), 5).double()[:, 0] + 0.0 * b),
    ),
    "padded": (
        IDENTITY,
        lambda f: (torch.nn.functional.pad(pair(b := bump(f)) > 0.5, (1, 0), value=5)[:, 0] + 0 * b, 5),
    ),
    "broadcast with numbers": (
        IDENTITY,
        lambda f: (((m := torch.broadcast_tensors((b := bump(f)) > 0.5, b)[0]) + m).double(), 2.0 * b),
    ),
    # whole numbers, which cut decimals off
    "filled counts": (
        IDENTITY,
        lambda f: (pair((b := bump(f)) > 0.5).sum(-1).masked_fill(b > 0.5, 0.5) + 0.0 * b, 0.5 * b),
    ),
    "filled choices": (
        IDENTITY,
        lambda f: (torch.where((b := bump(f)) > 0.5, 1, 0).masked_fill(b > 0.5, 0.5) + 0.0 * b, 0.5 * b),
    ),
    "filled whole numbers": (
        IDENTITY,
        lambda f: (torch.full_like((k := f.integers("k", 0, 1)).long(), 0.5) + 0.0 * k, 0.5),
    ),
    "filled sums": (
        ALWAYS,
        lambda f: (0.4, ((b := bump(f)) > 0.5) + torch.ones(1, dtype=torch.int64).masked_fill(b < 2.0, 0.5) + 0.0 * b),
    ),
    "filled places": (
        ALWAYS,
        lambda f: (0.4, (y := f.interval("x", 0.0, 1.0, 3)).argmax(-1).masked_fill(y[:, 0] < 2.0, 0.5) + 0.0 * y[:, 0]),
    ),
    "padded counts": (
        IDENTITY,
        lambda f: (torch.nn.functional.pad((pair(b := bump(f)) > 0.5).sum(-1), (1, 0), value=0.5)[:1] + 0.0 * b, 0.5),
    ),
    "numbers as truth values": (
        IDENTITY,
        lambda f: ((b := 0.5 * bump(f)).type_as(b > 0.2).double(), b),
    ),
    "numbers as counts": (IDENTITY, lambda f: ((b := 0.5 * bump(f)).to(pair(b > 0.2).sum(-1)).double(), b)),
    "numbers of the type of counts": (
        IDENTITY,
        lambda f: ((b := 0.5 * bump(f)).to(pair(b > 0.2).sum(-1).dtype).double(), b),
    ),
    # logical functions of numbers
    "not of numbers": (IDENTITY, lambda f: (torch.logical_not(b := 2.0 * bump(f)).double(), 1.0 - b)),
    "or of numbers": (IDENTITY, lambda f: (torch.logical_or(b := 2.0 * bump(f), b).double(), 2.0 * b - b * b)),
    "and of numbers": (IDENTITY, lambda f: (torch.logical_and(b := 2.0 * bump(f), b).double(), b * b)),
    "all of numbers": (IDENTITY, lambda f: (pair(b := 2.0 * bump(f)).all(-1).double(), b * b)),
    "any of numbers": (IDENTITY, lambda f: (pair(b := 2.0 * bump(f)).any(-1).double(), 2.0 * b - b * b)),
    "any along no axis": (ALWAYS, lambda f: (4.9, 5.0 * (pair(bump(f)) < 0.5).any(()).double()[:, 0])),
    "bits of a number": (ALWAYS, lambda f: (1.0, ((bump(f) < 0.5) & 2).double() + 0.5)),
    # what is undefined
    "nan": (IDENTITY, lambda f: (torch.where(torch.isnan(z := (d := away(f)) / d), 5.0, z), 1.0)),
    "infinite": (IDENTITY, lambda f: (chosen(torch.isfinite((1.0 / (d := away(f))) * d)), 1.0)),
    "equal": (IDENTITY, lambda f: (chosen((d := away(f)) / d == 1.0), 1.0)),
    "divided the other way": (IDENTITY, lambda f: (chosen(2.0 / (d := away(f)) * d > 1.0), 1.0)),
    "on a line": (
        ALWAYS,
        lambda f: (
            torch.where(((d := f.interval("x", -0.7, 0.7) - f.interval("y", -0.7, 0.7) - 0.12) / d).isnan(), 5.0, 1.0),
            1.0,
        ),
    ),
    "a difference of roots": (IDENTITY, lambda f: (chosen((r := torch.sqrt(0.5 - bump(f))) - r == 0.0), 1.0)),
    "a square of a root": (IDENTITY, lambda f: (chosen(torch.sqrt(0.5 - bump(f)).square() < 9.0), 1.0)),
    "a difference of logarithms": (IDENTITY, lambda f: (chosen((r := torch.log(0.5 - bump(f))) - r == 0.0), 1.0)),
    "a power of a power": (IDENTITY, lambda f: (chosen(((0.5 - bump(f)) ** (1 / 3)) ** 3 < 9.0), 1.0)),
    "whether any is not 0": (IDENTITY, lambda f: (pair((d := away(f)) / d - 1.0).any(-1).double(), 0.0)),
    "a whole number": (IDENTITY, lambda f: (((d := away(f)) / d).long().double(), 1.0)),
    "a solution": (
        IDENTITY,
        lambda f: (chosen(torch.linalg.solve((d := away(f))[:, None, None], d[:, None, None])[:, 0, 0] == 1.0), 1.0),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_at_one_place_is_not_proved(name: str) -> None:
    kind, body = FALSE[name]
    found = tried(kind, body)
    assert isinstance(found, Unproved), found


def truth(f: Forall) -> Any:
    return bump(f) > 0.5


def numbers(m: Any) -> Any:
    return m.double()


TRUE: dict[str, tuple[Kind, Body]] = {
    "where of a product": (ALWAYS, lambda f: (chosen(((b := bump(f)) < 0.5) * (b < 0.7)), 5.0)),
    "a product is a conjunction": (IDENTITY, lambda f: (numbers((m := truth(f)) * m), numbers(m & m))),
    "a sum is a disjunction": (IDENTITY, lambda f: (numbers((m := truth(f)) + m), numbers(m))),
    "a sum along an axis counts": (IDENTITY, lambda f: (1.0 * pair(m := truth(f)).sum(-1), 2.0 * numbers(m))),
    "a sum with a whole number counts": (IDENTITY, lambda f: (1.0 * ((m := truth(f)) + 1 + m), 1.0 + 2.0 * numbers(m))),
    "the largest is whether any is true": (
        IDENTITY,
        lambda f: (numbers(pair(m := truth(f)).amax(-1) + m), numbers(pair(m).any(-1))),
    ),
    "the method has its condition second": (
        IDENTITY,
        lambda f: ((b := bump(f)).where(b > 0.5, 7.0), torch.where(b > 0.5, b, 7.0)),
    ),
    "the method of truth values": (
        IDENTITY,
        lambda f: (numbers((m := truth(f)).where(m, ~m)), 1.0 + 0.0 * numbers(m)),
    ),
    "the method, bounded": (ALWAYS, lambda f: ((x := f.interval("x", -1.0, 1.0)).where(x > 0.0, -x), 1.0)),
    "not of numbers": (IDENTITY, lambda f: (numbers(torch.logical_not(b := 2.0 * bump(f))), numbers(b == 0.0))),
    "counts filled with whole numbers": (
        IDENTITY,
        lambda f: (1.0 * pair(m := truth(f)).sum(-1).masked_fill(m, 0.0), 0.0 * numbers(m)),
    ),
    "counts as decimals, filled": (
        IDENTITY,
        lambda f: (pair(m := truth(f)).sum(-1).double().masked_fill(m, 0.5), 0.5 * numbers(m)),
    ),
    "not of numbers, bounded": (ALWAYS, lambda f: (numbers(torch.logical_not(x := bump(f))) + 0.0 * x, 1.0)),
    "any of numbers": (IDENTITY, lambda f: (numbers(pair(b := 2.0 * bump(f)).any(-1)), numbers(b != 0.0))),
    "a quotient where both are defined": (IDENTITY, lambda f: ((d := away(f)) / d, 1.0)),
    "a quotient by what is positive": (
        IDENTITY,
        lambda f: (
            chosen((d := 1.0 + f.interval("x", -1.0, 1.0).square()) / d == 1.0) + chosen((1.0 / d).isfinite()) + d,
            2.0 + d,
        ),
    ),
    "a root of what is not negative": (
        IDENTITY,
        lambda f: (chosen((r := torch.sqrt(2.0 + f.interval("x", -1.0, 1.0))) - r == 0.0), 1.0),
    ),
    "moved truth values": (
        IDENTITY,
        lambda f: (chosen(pair(m := truth(f)).gather(-1, first(m))[:, 0]), torch.where(m, 1.0, 5.0)),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_its_true_twin_is_proved(name: str) -> None:
    kind, body = TRUE[name]
    found = tried(kind, body)
    assert isinstance(found, Proof), found
    assert found.c == 1.0


def wide(low: float, high: float) -> Enclosed:
    return Enclosed(*(torch.full((2, 3), end, dtype=torch.float64) for end in (low, high)))


ON_TRUTHS: dict[str, Callable[[Any, Any], Any]] = {
    "mul": lambda m, n: m * n,
    "add": lambda m, n: m + n,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "amax": lambda m, _: m.amax(-1),
    "amin": lambda m, _: m.amin((0, 1)),
    "gather": lambda m, _: m.gather(-1, torch.tensor([[2], [0]])),
    "cat": lambda m, n: torch.cat([m, n]),
    "stack with decided ones": lambda m, _: torch.stack([m, torch.ones(2, 3, dtype=torch.bool)]),
    "indices": lambda m, _: m[:, [1, 0]],
    "reshaped": lambda m, _: m.reshape(3, 2).expand(2, 3, 2).flip(-1),
    "where": lambda m, n: torch.where(m, n, ~n),
    "the method": lambda m, n: m.where(n, m),
    "filled": lambda m, n: m.masked_fill(n, value=True),
    "filled like it": lambda m, _: torch.zeros_like(m),
    "not": lambda m, _: ~m,
    "with True": lambda m, _: m * True,
    "beside numbers": lambda m, _: m * 2.0,
    "counted": lambda m, _: m.sum(-1),
    "a mean": lambda m, _: m.mean(),
    "a sign": lambda m, _: m.sign(),
    "a difference": lambda m, _: m.diff(dim=-1),
    "sorted": lambda m, _: m.sort(-1).values,
    "bits of numbers": lambda m, _: m & 1,
}
POINTS = (torch.tensor([[True, False, True], [False, False, True]]), torch.tensor([[True, True, False], [False] * 3]))


@pytest.mark.parametrize("name", ON_TRUTHS)
def test_enclosures_keep_the_type_that_torch_gives(name: str) -> None:
    """Or they are refused. Would catch a mark that is lost, and one that is kept by what counts."""
    operation = ON_TRUTHS[name]
    try:
        found = operation(wide(-1.0, 1.0) > 0.0, wide(-1.0, 1.0) > 0.5)
    except NoEnclosure:
        return
    expected = operation(*POINTS)
    assert is_truth(found) == (expected.dtype is torch.bool)
    assert found.shape == expected.shape


def test_each_name_of_an_operation_on_truth_values_stands_in_one_list() -> None:
    assert not KEPT & COUNTED
    assert not (KEPT | COUNTED) & LOGICAL


def test_slopes_tell_the_two_wheres_apart() -> None:
    x = Sloped(wide(1.0, 2.0), [wide(1.0, 1.0)])
    for found in (torch.where(x > 0.0, x, -x), x.where(x > 0.0, -x)):
        assert found.slopes[0].low.unique().tolist() == [1.0]
    with pytest.raises(NoEnclosure, match="where truth values are needed"):
        torch.where(x, x > 0.0, x)


def test_balls_tell_the_two_wheres_apart() -> None:
    x, m = Precise([1.0, 2.0]), torch.tensor([True, False])
    for found in (torch.where(m, x, -x), x.where(m, -x)):
        assert [float(ball) for ball in lift(found)] == [1.0, -2.0]
    assert [float(ball) for ball in lift(m.where(m, x))] == [1.0, 2.0]
