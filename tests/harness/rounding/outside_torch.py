"""Equalities of real numbers that float64 misses, computed with plain numbers, numpy or scipy."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy import special

from tests.harness.rounding.measured import listed

OUTSIDE_TORCH: dict[str, Callable[..., Any]] = {}
outside_torch = listed(OUTSIDE_TORCH)


@outside_torch
def plain_roots():
    return math.sqrt(2) ** 2 - 2, 0.0


@outside_torch
def plain_decimals():
    return 0.1 + 0.2, 0.3


@outside_torch
def plain_numpy():
    return float(np.array([0.1] * 3).sum()), 0.3


@outside_torch
def plain_numpy_logarithms():
    return np.log(np.array([2.0, 3.0])).sum(), math.log(6)


@outside_torch
def a_plain_constant_beside_tensors(forall):
    x = forall.interval("x", 0.0, 1.0)
    return x * (math.sqrt(2) ** 2), 2.0 * x


@outside_torch
def a_function_inside_the_body(forall):
    def shift(x, by=1 / 3):
        return (x + by) - by

    x = forall.interval("x", 0.0, 1.0)
    return shift(x), x


@outside_torch
def numpy_all_the_way(forall):
    x = forall.interval("x", 0.0, 1.0, 3).numpy()
    return torch.from_numpy((((x + 1e8) - 1e8) - x).sum(-1)), 0.0


@outside_torch
def numpy_inside_a_function(forall):
    def inside(x: np.ndarray) -> np.ndarray:
        return np.var(x, axis=-1) - (np.mean(x**2, axis=-1) - np.mean(x, axis=-1) ** 2)

    return torch.from_numpy(inside(forall.interval("x", 1e4, 1e4 + 1.0, 4).numpy())), 0.0


@outside_torch
def plain_numbers_one_by_one(forall):
    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([(value + 1e8) - 1e8 for value in x.tolist()]), x


@outside_torch
def plain_numbers_assigned_in_place(forall):
    def shift(number: float) -> float:
        number += 1e8
        number -= 1e8
        return number

    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([shift(value) for value in x.tolist()]), x


@outside_torch
def numpy_assigned_in_place(forall):
    x = forall.interval("x", 0.0, 1.0)
    array = x.numpy().copy()
    array += 1e8
    array -= 1e8
    return torch.from_numpy(array), x


@outside_torch
def plain_means(forall):
    x = forall.interval("x", 0.0, 1.0, 5)
    return torch.tensor([sum(row) / 5.0 for row in x.tolist()]), x.mean(-1)


@outside_torch
def functions_of_scipy(forall):
    x = forall.interval("x", 0.1, 20.0)
    return torch.from_numpy(special.gammaln(x.numpy() + 1.0) - special.gammaln(x.numpy())), x.log()
