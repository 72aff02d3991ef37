"""Sums over the sample for many frequencies: alignment losses, the potential and its gradient."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import torch
from torch import Tensor

from algos.fourier.sums import fourier_potential_and_gradient
from algos.kernel_learning.alignment import binary_alignment_loss
from harness.benchmarks.floors import multiply_and_turn, two_products_and_turns
from harness.speed.contest import Bar, Contest, Item, Peer
from harness.speed.items.features import normal


def alignment(dtype: torch.dtype) -> Contest:
    """10,000 points, 1,000 frequencies."""
    points, frequencies = normal(10_000, 30, dtype=dtype), normal(1_000, 30, dtype=dtype, seed=1)
    labels, n = points[:, 0].sign(), len(points)

    def by_torch() -> Tensor:
        phases = points @ frequencies.T
        potential = (labels @ phases.cos()) ** 2 + (labels @ phases.sin()) ** 2
        return n / (2 * (n - 1)) - potential / (2 * n * (n - 1))

    def by_numpy() -> np.ndarray:
        phases, y = points.numpy() @ frequencies.numpy().T, labels.numpy()
        potential = (y @ np.cos(phases)) ** 2 + (y @ np.sin(phases)) ** 2
        return np.asarray(n / (2 * (n - 1)) - potential / (2 * n * (n - 1)))

    return Contest(
        ours={"": lambda: binary_alignment_loss(points, labels, frequencies)},
        peers=(Peer("numpy, textbook", lambda: by_numpy), Peer("torch, textbook", lambda: by_torch)),
        floor=multiply_and_turn(points, frequencies),
        tolerance=1e-5 if dtype == torch.float32 else 1e-12,
    )


def gradient(dimension: int) -> Contest:
    """10,000 points, 500 frequencies, float32."""
    points = normal(10_000, dimension, dtype=torch.float32)
    frequencies = normal(500, dimension, dtype=torch.float32, seed=1) * (3 / math.sqrt(dimension))
    weights = normal(10_000, dtype=torch.float32, seed=2)

    def by_autograd() -> tuple[Tensor, Tensor]:
        places = frequencies.clone().requires_grad_()
        phases = points @ places.T
        value = (weights @ phases.cos()) ** 2 + (weights @ phases.sin()) ** 2
        return value, torch.autograd.grad(value.sum(), places)[0]

    return Contest(
        ours={"": lambda: fourier_potential_and_gradient(points, frequencies, weights)},
        peers=(Peer("torch, autograd", lambda: by_autograd),),
        floor=two_products_and_turns(points, frequencies),
        tolerance=1e-3,
    )


def _items() -> Iterator[Item]:
    for name in ("float32", "float64"):
        yield Item(
            f"alignment-{name}",
            f"alignment losses, 10,000 points in 30 dimensions, 1,000 frequencies, {name}",
            "product, cosines and sines in cache",
            partial(alignment, getattr(torch, name)),
            (Bar("", "floor", most=1.3),),
        )
    for dimension in (2, 32, 512):
        yield Item(
            f"gradient-{dimension}",
            f"potential and gradient, 10,000 points in {dimension} dimensions, 500 frequencies, float32",
            "two products, cosines and sines in cache",
            partial(gradient, dimension),
            (Bar("", "floor", most=1.3),),
        )


ITEMS = tuple(_items())
