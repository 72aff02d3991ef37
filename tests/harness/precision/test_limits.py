"""What is left open, refused or limited, and what stays exact."""

import math

import numpy as np
import pytest
import torch
from flint import arb
from torch import Tensor, special

from harness.certify.precision import (
    BITS,
    Precise,
    Unsupported,
    balls,
    each,
    eigenvalues,
    lift,
    plain_numbers,
    working_bits,
)
from tests.harness.precision.references import called, entries, lines


def ball(low: float, high: float) -> Precise:
    """A tensor with one ball between these ends."""
    made = np.empty(1, dtype=object)
    made[0] = arb(low).union(arb(high))
    return Precise(made)


def test_zero_has_no_sign_and_no_inverse() -> None:
    zero, one = Precise([0.0]), Precise([1.0])
    for unknown in (
        one / zero,
        zero / zero,
        one / 0.0,
        zero**-1,
        zero.reciprocal(),
        zero.rsqrt(),
        zero * (-zero.log()),
    ):
        assert entries(unknown)[0].is_nan()
    assert not entries(1.0 / ball(-1.0, 1.0))[0].is_finite()
    assert entries(zero**-2)[0] > 1e300
    assert entries(zero.log())[0] < -1e300
    assert [float(v) for v in entries(torch.cat([zero**0, zero**0.5, zero**2, zero.xlogy(zero)]))] == [
        1.0,
        0.0,
        0.0,
        0.0,
    ]


def test_roots_and_entropies_take_the_part_inside_their_domain() -> None:
    around = ball(-1e-60, 1e-60)
    for found, top in [(around.sqrt(), 1e-30), (around**0.5, 1e-30), (special.entr(around), 1.4e-58)]:
        (enclosure,) = entries(found)
        assert enclosure.contains(0)
        assert enclosure.contains(arb(top) * 0.98)
        assert enclosure.rad() < top
    (entropy_near_peak,) = entries(special.entr(ball(-0.1, 0.9)))
    assert entropy_near_peak.contains((-arb(1)).exp())
    for function, at in [(torch.acos, 0.0), (torch.asin, math.pi / 2), (torch.acosh, 0.0)]:
        (enclosure,) = entries(function(ball(1.0 - 1e-10, 1.0 + 1e-10)))
        assert enclosure.is_finite()
        assert abs(enclosure - at) < 1e-4
    for outside in (ball(-2.0, -1.0).sqrt(), ball(1.5, 2.0).acos(), ball(-2.0, -1.0).log(), ball(-2.0, -1.0) ** 0.5):
        assert entries(outside)[0].is_nan()
    assert not entries(around.log())[0].is_finite()
    assert entries(ball(-2.0, -1.0) ** 2)[0].contains(2.25)


def test_whole_parts_and_signs_are_enclosed_where_they_jump() -> None:
    around = Precise([2.0]) + ball(-1e-30, 1e-30)
    assert all(entries(around.floor())[0].contains(v) for v in (1, 2))
    assert all(entries(around.ceil())[0].contains(v) for v in (2, 3))
    assert all(entries(ball(2.5, 2.6).round())[0].contains(v) for v in (2, 3))
    assert all(entries(ball(0.0, 1.0).sign())[0].contains(v) for v in (0, 1))
    assert all(entries(ball(-0.5, 0.5).trunc())[0].contains(v) for v in (0,))
    assert all(entries(torch.heaviside(ball(0.0, 1.0), Precise([0.5])))[0].contains(v) for v in (0.5, 1))
    assert [float(v) for v in entries(Precise([-1.5, 2.5, 3.5]).frac())] == [-0.5, 0.5, 0.5]


def test_nothing_overflows_or_underflows() -> None:
    large, small = Precise([1e300]), Precise([1e-300])
    assert float(entries(large * large / large)[0]) == 1e300
    assert float(entries((small * small).sqrt())[0]) == 1e-300
    assert entries((Precise([1e-20]) + 1.0) - 1.0)[0].contains(arb(1e-20))
    assert entries(torch.logsumexp(Precise([1e6, 1e6]), 0))[0].overlaps(arb(10) ** 6 + arb(2).log())


def test_numbers_enter_exactly() -> None:
    whole = 2**80 + 1
    found = Precise([0.0]) + whole
    assert entries(found)[0].unique_fmpz() == whole
    assert (entries(Precise([0.0]) + 0.1)[0] - arb(0.1)).is_zero()
    single = Precise([0.0]) + torch.tensor([0.1], dtype=torch.float32)
    assert (entries(single)[0] - arb(float(np.float32(0.1)))).is_zero()
    assert lift([True, False]).tolist() == [arb(1), arb(0)]
    assert lift(2**100).item().unique_fmpz() == 2**100
    assert lift(np.float32(0.5)).shape == ()
    with plain_numbers(lambda number: 2.0 * number):
        assert float(entries(Precise([[1.0]]) * 3.0)[0]) == 12.0
    with pytest.raises(Unsupported, match="complex"):
        Precise([1.0]) * torch.tensor([1j])


# --- decisions -------------------------------------------------------------------------------------------------------


def pair() -> Precise:
    """Twice the same number, of which balls cannot say that it is."""
    third = Precise([1.0, 2.0]) / 3.0
    return torch.stack([third[0] + third[0], third[1]])


UNDECIDED = """
x[0] < x[1]
bool(x[0] - x[1])
torch.where(x[:1] >= x[1:], 1.0, x[:1])
x.argmax()
x.argmin(-1)
x.argsort()
x.gather(0, x.sort().indices)
torch.ones(2)[x.max(0).indices]
(x - x[0]).bool()
(x - x[0]).count_nonzero()
(3.0 * x).floor().long()
torch.equal(x, x.flip(0))
torch.isfinite(1.0 / (x[0] - x[1]))
torch.isnan(1.0 / (x[0] - x[1]))
(x[0] - x[1]).norm(0)
torch.allclose(x, x.flip(0), rtol=0.0, atol=0.0)
"""


@pytest.mark.parametrize("call", lines(UNDECIDED))
def test_what_the_balls_leave_open_is_undecided(call: str) -> None:
    with pytest.raises(Unsupported) as signal:
        called(call, pair())
    assert signal.value.undecided


def test_values_of_ties_are_enclosed_even_where_their_order_is_open() -> None:
    x = torch.cat([pair(), Precise([0.5])])
    two_thirds = arb(2) / 3
    for found in (
        x.sort().values[1:],
        x.amax(),
        x.max(0).values,
        x.topk(2).values,
        x.median(),
        torch.maximum(x[0], x[1]),
    ):
        assert all(entry.overlaps(two_thirds) and entry.rad() < 1e-50 for entry in entries(found))
    crossing = each(lambda a, r: arb(a.mid(), r.mid()), lift([0.0, 0.1, 1.0]), lift([1.0, 0.01, 0.01]))
    found = entries(Precise(crossing).sort(descending=True).values)[::-1]
    for point in (-1.0, 0.05, 0.1, 0.995, 1.0):
        for enclosure, value in zip(found, sorted([point, 0.1, 1.0]), strict=True):
            assert enclosure.contains(arb(value))


def test_exact_ties_are_decided_by_place() -> None:
    x = Precise([2.0, 1.0, 2.0, 1.0])
    assert int(x.argmax()) == 0
    assert int(x.argmin()) == 1
    assert x.argsort(stable=True).tolist() == [1, 3, 0, 2]
    assert x.sort(descending=True, stable=True).indices.tolist() == [0, 2, 1, 3]
    close = Precise([1.0, 0.0]) + torch.tensor([0.0, 1.0]) + Precise([0.0, 1e-50])
    assert int(close.argmax()) == 1  # more digits than a float has


def test_truth_of_one_entry() -> None:
    assert bool(Precise([2.0]))
    assert not bool(Precise(0.0))
    assert Precise([1.0]) > 0.0
    with pytest.raises(Unsupported):
        bool(Precise([1.0, 2.0]))


# --- refusals --------------------------------------------------------------------------------------------------------


REFUSED = """
float(x)
int(x)
x.item()
x.tolist()
x.numpy()
np.asarray(x)
math.sqrt(x)
[1, 2][x]
range(x)
x.add_(1.0)
x.clamp_(min=0.0)
x.__iadd__(1.0)
x.__setitem__(0, 1.0)
torch.zeros(1).add_(x)
torch.zeros(1).copy_(x)
torch.zeros(1).__setitem__(0, x[0])
torch.add(x, 1.0, out=torch.zeros(1))
functional.relu(x, inplace=True)
x.requires_grad_()
x.float()
x.to(torch.float32)
x.to(dtype=torch.float16)
x.sum(dtype=torch.float32)
torch.sum(x, 0, dtype=torch.int64)
torch.round(x, decimals=1)
x.sum(5)
x.sum((0, 0))
x.quantile(0.5)
torch.fft.fft(x)
x * 1j
torch.complex(x, x)
torch.rand_like(x)
torch.linalg.eigvals(x[None])
functional.gelu(x, approximate="tanh")
torch.ones(3)[x]
torch.ones(3).index_select(0, x)
torch.where(x, 1.0, 2.0)
x[x]
x.expand(x)
x.norm("nuc")
x.masked_fill(x, 0.0)
torch.autograd.grad(x, x)
x.backward()
setattr(x, "data", torch.zeros(1))
x.grad
str(x)
Precise(torch.zeros(500, 500))
"""


@pytest.mark.parametrize("call", lines(REFUSED))
def test_what_has_no_enclosure_says_so(call: str) -> None:
    with pytest.raises(Unsupported):
        called(call, Precise([0.5]))


def test_work_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balls, "WORK", 1000)
    with working_bits(BITS[0]), pytest.raises(Unsupported, match="time"):
        sum(len(Precise([0.5]).exp()) for _ in range(1001))
    with working_bits(BITS[0]), pytest.raises(Unsupported, match="time"):
        Precise(np.ones((20, 20))) @ Precise(np.ones((20, 20)))


PAST = """
torch.tensor(x)
torch.full((2,), x)
torch.as_tensor(x, dtype=torch.float32)
torch.func.grad(lambda a: (a * a).sum())(x)
torch.vmap(lambda a: a * 2.0)(x[None])
torch.tensor([x, x])
torch.linspace(0.0, x, 3)
"""


@pytest.mark.filterwarnings("ignore:To copy construct")
@pytest.mark.parametrize("call", lines(PAST))
def test_what_reads_past_the_balls_finds_no_number(call: str) -> None:
    try:
        (found,) = called(call, Precise(0.5))
    except Unsupported:
        return
    assert bool(torch.isnan(found).all()) if type(found) is Tensor else all(v.is_nan() for v in entries(found))


def test_what_is_the_same_tensor_keeps_its_balls() -> None:
    third = Precise([1.0]) / 3.0
    for same in (torch.as_tensor(third), torch.as_tensor(third, dtype=torch.float64), torch.asarray(third)):
        assert entries(same)[0].overlaps(arb(1) / 3)


def test_the_precision_is_that_of_the_context() -> None:
    for bits in BITS:
        with working_bits(bits):
            (third,) = entries(Precise([1.0]) / 3.0)
            assert abs(third * 3 - 1) < arb(2) ** (4 - bits)
            assert bits - 5 < third.rel_accuracy_bits() < bits + 5
    assert eigenvalues(lift(np.eye(2))).tolist() == [arb(1), arb(1)]
