"""The maximiser of (8) in linear time, against the one by sorting and root-finding."""

import pytest
import torch

from algos.divergence_ball import linear_time_maximum, penalised_maximum


@pytest.mark.parametrize("order", [2.0, 2.3, 3.0, 4.0, 7.0])
@pytest.mark.parametrize("size", [1, 2, 3, 8, 57, 1000])
@pytest.mark.parametrize("multiplier", [0.0, 1e-9, 1e-3, 0.3, 1e3])
def test_it_is_the_maximiser(order: float, size: int, multiplier: float) -> None:
    """The largest weight to twelve digits, all weights to eight: those near the threshold lose the root's digits."""
    values = torch.rand(5, size, dtype=torch.float64, generator=torch.Generator().manual_seed(size))
    values[1] = values[1].round(decimals=1)
    values[2] = 0.5
    values[3] = torch.nn.functional.one_hot(torch.tensor(0), size)
    found = linear_time_maximum(values, multiplier, order=order)
    best = penalised_maximum(values, multiplier, order=order)
    torch.testing.assert_close(found.largest / size, best.weights.amax(-1), rtol=1e-12, atol=0)
    torch.testing.assert_close(found.weights, best.weights, rtol=1e-12 ** (1 / (order - 1)), atol=1e-8)


def test_steps_are_linear() -> None:
    """Twice the entries take no more than twice the steps and some that do not depend on them."""
    for order in (2.0, 3.0):
        taken = [
            float(linear_time_maximum(torch.linspace(0, 1, size, dtype=torch.float64), 1e-3, order=order).steps)
            for size in (512, 1024, 2048)
        ]
        assert taken[2] - taken[1] < 2.1 * (taken[1] - taken[0])


def test_orders_below_two_are_refused() -> None:
    with pytest.raises(ValueError, match="order"):
        linear_time_maximum(torch.ones(2, dtype=torch.float64), 1.0, order=1.5)
