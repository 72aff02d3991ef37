"""Operations moved by last places: the operation itself up to these, in both directions."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from algos.divergence_ball.exact import divergence_ball_maximum
from harness.certify.rounding.short import PLACE, coarse
from harness.certify.rounding.tensors import moved
from harness.language.spaces import tensor
from tests.harness.rounding.measured import EPS

OPERATIONS: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "sum": lambda a, _: a.sum(-1),
    "sum, axis kept": lambda a, _: a.sum(-1, keepdim=True),
    "mean, axis kept": lambda a, _: a.mean(-2, keepdim=True),
    "matrices": lambda a, b: a @ b,
    "matrix and column": lambda a, b: a @ b[..., :1],
    "row and matrix": lambda a, b: a[..., :1, :] @ b,
    "dot": lambda a, b: torch.dot(a[0, 0], b[0, :, 0]),
    "einsum": lambda a, b: torch.einsum("bij,bjk->bk", a, b),
    "norm": lambda a, _: a.norm(dim=-1, keepdim=True),
    "softmax": lambda a, _: torch.softmax(a, -1),
    "logsumexp": lambda a, _: a.logsumexp(-1, keepdim=True),
    "log-softmax": lambda a, _: torch.log_softmax(a, -2),
    "log of two powers": lambda a, _: torch.logaddexp(a, a[..., :1]),
    "sums of products": lambda a, _: torch.addcmul(a, a, a[..., :1], value=0.3),
    "sums of quotients": lambda a, _: torch.addcdiv(a, a, 1.5 + a[..., :1].abs(), value=0.3),
    "between two": lambda a, _: torch.lerp(a, a[..., :1].expand_as(a).contiguous(), 0.3),
    "layer norm": lambda a, _: functional.layer_norm(a, a.shape[-2:], eps=0.1),
    "group norm": lambda a, _: functional.group_norm(a.mT, a.shape[-1], eps=0.1),
    "instance norm": lambda a, _: functional.instance_norm(a, eps=0.1),
    "batch norm": lambda a, _: functional.batch_norm(a, None, None, training=True, eps=0.1),
    "gelu": lambda a, _: functional.gelu(a),
    "gelu by tanh": lambda a, _: functional.gelu(a, approximate="tanh"),
    "cross product": lambda a, _: torch.linalg.cross(a[..., :3], a[..., :3] + 0.3),
    "var": lambda a, _: a.var(-1, keepdim=True),
    "std and mean": lambda a, _: torch.std_mean(a, -1),
    "product": lambda a, _: a * a[..., :1],
    "quotient": lambda a, _: a / (1.5 + a[..., :1].abs()),
    "sum of two": lambda a, _: a + a[..., :1],
    "in place": lambda a, _: a.clone().mul_(0.3).add_(a[..., :1]).sub_(0.1),
    "into a slice": lambda a, _: a.clone().index_fill_(0, torch.tensor([0]), 0.7),
    "chain": lambda a, b: torch.linalg.multi_dot([a[0], b[0], b[0].mT]),
    "outer": lambda a, _: torch.outer(a[0, 0], a[0, 1]),
    "concatenated": lambda a, _: torch.cat([a, 0.3 * a], -1).cumsum(-1),
    "stacked": lambda a, _: torch.stack([a / 3.0, a]).mean(0),
    "solve": lambda a, b: torch.linalg.solve(a @ a.mT + torch.eye(3), b[..., :3, :]),
    "eigenvalues": lambda a, _: torch.linalg.eigvalsh(a @ a.mT),
    "singular values": lambda a, _: torch.linalg.svdvals(a),
    "inverse": lambda a, _: torch.linalg.inv(a @ a.mT + torch.eye(3)),
    "determinant": lambda a, _: torch.linalg.slogdet(a @ a.mT + torch.eye(3)),
    "distances": lambda a, _: torch.cdist(a, a + 1.0),
    "power": lambda a, _: a.abs() ** 0.7,
    "integer power": lambda a, _: a**3,
    "maps": lambda a, _: torch.func.vmap(lambda row: (row / 3.0).sum())(a),
    "integers": lambda a, _: (a > 0).long().sum(-1) // 2,
    "truth values": lambda a, _: a > 0.0,
    "transform": lambda a, _: torch.fft.rfft(a).abs(),
}


@pytest.mark.parametrize("zeros", [False, True], ids=["full", "with zeros"])
@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_a_moved_operation_is_the_operation_up_to_last_places(operation: Callable[..., Any], zeros: bool) -> None:  # noqa: FBT001
    """Another shape, type or value would be the rounding of another statement; zeros among the results included."""
    rng = np.random.default_rng(5)
    a, b = tensor(rng.standard_normal((8, 3, 4))), tensor(rng.standard_normal((8, 4, 5)))
    if zeros:
        a[0], a[1, 1], b[2], b[3, :, 0] = 0.0, 0.0, 0.0, 0.0
    plain = operation(a.clone(), b.clone())
    for directed in (False, True):
        with torch.no_grad(), moved(1, directed=directed):
            otherwise = operation(a.clone(), b.clone())
        for one, other in zip(_tensors(plain), _tensors(otherwise), strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            assert torch.allclose(one, other, rtol=1e-12, atol=1e-12)
            if one.dtype in PLACE and not zeros and "slice" not in str(operation):
                assert bool(torch.isfinite(other).all())


def _tensors(result: Any) -> list[Tensor]:
    return [result] if isinstance(result, Tensor) else list(result)


def test_copies_of_an_instance_are_moved_both_ways_and_up_and_down() -> None:
    """Four by four: at random, the other way, one place up, one place down; in magnitude, for negative numbers too."""
    x = tensor([0.1, -0.7]).repeat_interleave(4)
    with torch.no_grad(), moved(0):
        got = (x * 1.1 - x * 1.1).tolist() and x * 1.1
    away = (got - x * 1.1) / (x * 1.1 * EPS)
    one, other, up, down = away.reshape(2, 4).T
    assert torch.allclose(one, -other, atol=1.01)
    assert bool(((up >= 0.5) & (up <= 1.5) & (down <= -0.5) & (down >= -1.5)).reshape(-1)[0])
    assert bool(((got.reshape(2, 4)[:, 2] - got.reshape(2, 4)[:, 3]) > 0.0).all())


SHORT = [0.0, 1.0, -3.5, 2.0**-30, 2.0**26 - 1.0, 1e10]
SHORT += [2.0**27 + 1.0, 2.0**44 - 1.0]  # whole ones
LONG = [0.1, 1 / 3, math.pi, 2.0**27 + 1.5, 2.0**44 + 1.0]


@pytest.mark.parametrize(("number", "short"), [*((x, True) for x in SHORT), *((x, False) for x in LONG)])
def test_short_numbers_are_those_of_26_bits_and_whole_ones_of_44(number: float, short: bool) -> None:  # noqa: FBT001
    """Longer ones were rounded, or may have been; shorter ones are what somebody wrote or counted."""
    assert bool(coarse(tensor([number]))[0]) is short


MASK, COUNT = torch.tensor([True, False, True, True]), torch.arange(4)
X = torch.tensor([0.1, 0.2, 0.3, 0.4], dtype=torch.float64)
MIXED = {
    "number and mask": lambda: 0.0 + MASK,
    "mask and number": lambda: MASK + 0.1,
    "tensor and mask": lambda: X + MASK,
    "mask and tensor": lambda: MASK + X,
    "whole tensor and mask": lambda: 2.0 * COUNT + MASK,
    "mask and whole tensor": lambda: MASK + 2.0 * COUNT,
    "less a mask": lambda: X - 1.0 * MASK,
    "times a mask": lambda: MASK * X,
    "over a count": lambda: X / (COUNT + 1),
    "count and number": lambda: COUNT - 0.5,
    "count and tensor": lambda: COUNT + X,
    "into a tensor": lambda: X.clone().add_(MASK),
    "mean of a mask": lambda: MASK.double().mean(-1),
    "sum of a mask": lambda: MASK.sum(-1) + 0.1,
    "chosen": lambda: torch.where(MASK, COUNT, 0.5),
    "maximum": lambda: torch.maximum(X, COUNT),
}


@pytest.mark.usefixtures("double_precision")
@pytest.mark.parametrize("operation", MIXED.values(), ids=MIXED.keys())
@pytest.mark.parametrize("directed", [False, True])
def test_masks_and_counts_are_operands_as_any_other(operation: Callable[[], Tensor], directed: bool) -> None:  # noqa: FBT001
    plain = operation()
    with torch.no_grad(), moved(1, directed=directed):
        found = operation()
    assert found.dtype is plain.dtype
    assert torch.allclose(found, plain, rtol=1e-14, atol=0.0)


def test_a_divergence_ball_with_a_tiny_mass_on_its_best_value_is_known_to_twelve_digits() -> None:
    """What is inactive has the density -1 beside the base; rounded below -1 it made the threshold a NaN."""
    values = tensor([-0.57, -0.17, -1.77, 0.83, -0.57 + EPS])
    base = tensor([0.15, 0.16, 0.15, EPS, 0.54])
    plain = divergence_ball_maximum(values, 10.0, order=3.0, base=base).value
    for seed in range(16):
        with moved(seed), torch.no_grad():
            otherwise = divergence_ball_maximum(values, 10.0, order=3.0, base=base).value
        assert abs(float(otherwise) - float(plain)) <= 1e-12
