"""What is beyond the largest number and comes back as a finite one: infinities are not all equal."""

import numpy as np
import pytest
import torch

from harness import always, check, claim, grid, high_probability, identity
from harness.certify.rounding.tensors import moved
from harness.language.registry import Claim
from harness.verdict import Status


@claim("overflow/order", always())
def order(forall):
    """x > y implies exp x > exp y."""
    x, y = forall.interval("x", 0.0, 1000.0), forall.interval("y", 0.0, 1000.0)
    return (x > y).double(), (x.exp() > y.exp()).double()


@claim("overflow/largest", identity())
def largest(forall):
    """The largest weight exp(x_i) belongs to the largest score."""
    x = forall.interval("x", 0.0, 1000.0, 3)
    return x.exp().argmax(-1).double(), x.argmax(-1).double()


@claim("overflow/logistic", always())
def logistic(forall):
    """1 / (1 + exp(-x)) > 0."""
    x = forall.interval("x", -2000.0, 10.0)
    return (1.0 / (1.0 + (-x).exp()) <= 0.0).double(), 0.5


@claim("overflow/powers", always())
def powers(forall):
    """2^n < 3^n."""
    n = forall.integers("n", 1, 2000)
    return (2.0**n >= 3.0**n).double(), 0.5


@claim("overflow/wealth", always())
def wealth(forall):
    """prod x < 3/2 prod x."""
    x = forall.interval("x", 1.0, 2.0, 1200)
    return (1.5 * x.prod(-1) <= x.prod(-1)).double(), 0.5


@claim("overflow/complex", identity())
def small_complex(forall):
    """|c z|^2 / c^2 = |z|^2 for c = 1e-161, by complex numbers."""
    x, y = forall.interval("x", 0.1, 1.0), forall.interval("y", 0.1, 1.0)
    z = torch.complex(x * 1e-161, y * 1e-161)
    return (z * z.conj()).real * 1e300 * 1e22, x**2 + y**2


@claim("overflow/random", high_probability("delta"), over=grid(delta=[0.05]))
def random(draw, *, delta):
    """1 / (1 + exp(-1000 z)) > 0 almost surely."""
    return 0.5, (1.0 / (1.0 + (-1000.0 * draw.normal("z")).exp()) > 0.0).double()


@claim("overflow/order-false", always())
def order_false(forall):
    """x > y implies exp x > 2 exp y."""
    x, y = forall.interval("x", 0.0, 1000.0), forall.interval("y", 0.0, 1000.0)
    return (x > y).double(), (x.exp() > 2.0 * y.exp()).double()


@claim("overflow/bounded-false", always())
def bounded_false(forall):
    """exp(x) <= 5: an infinite one is larger, too."""
    x = forall.interval("x", 900.0, 1000.0)
    return (x.exp() > 5.0).double(), 0.5


@pytest.mark.parametrize(
    "true", [order, largest, logistic, powers, wealth, small_complex, random], ids=lambda claim: claim.id
)
@pytest.mark.parametrize("seed", [0, 1])
def test_overflow_refutes_nothing(true: Claim, seed: int) -> None:
    assert check(true, effort="quick", seed=seed).status is not Status.REFUTED


@pytest.mark.parametrize("false", [order_false, bounded_false], ids=lambda claim: claim.id)
def test_what_is_false_beyond_it_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_overflows_is_infinite_or_nearly_the_largest_number(sign: float) -> None:
    large = np.finfo(np.float64).max
    with moved(0, sign=sign, directed=True):
        grown = torch.tensor([1000.0, 1.0], dtype=torch.float64).exp()
        power = torch.tensor([1e200, -1e200], dtype=torch.float64) ** 3
        kept = torch.tensor([torch.inf], dtype=torch.float64) * 2.0
        pole = torch.tensor([0.0], dtype=torch.float64) ** -1.0
    for value in (grown[0], power[0], -power[1]):
        assert value == torch.inf if sign > 0 else large * (1.0 - 2.0**-9) < value < large
    assert grown[1] == pytest.approx(np.e)
    assert torch.isinf(kept).all()
    assert torch.isinf(pole).all()
