"""Two-dimensional toys with two classes that no line separates."""

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import Tensor


def two_moons(count: int, *, noise: float, seed: int) -> tuple[Tensor, Tensor]:
    """Two interleaving half circles of radius one with Gaussian noise, half of the points on each.

    Parameters
    ----------
    count : int
    noise : float
        Standard deviation in both directions.
    seed : int

    Returns
    -------
    tuple of Tensor (count, 2) and Tensor (count,), labels -1 or +1, in random order
    """
    points, side = make_moons(count, noise=noise, random_state=seed)
    return torch.as_tensor(points, dtype=torch.float64), torch.as_tensor(2.0 * side - 1.0, dtype=torch.float64)


def gaussian_xor(count: int, *, noise: float, seed: int) -> tuple[Tensor, Tensor]:
    """Four Gaussian clouds around (-1, -1), (-1, 1), (1, -1), (1, 1), the label being the product of the signs.

    Parameters
    ----------
    count : int
    noise : float
        Standard deviation in both directions.
    seed : int

    Returns
    -------
    tuple of Tensor (count, 2) and Tensor (count,), labels -1 or +1
    """
    generator = np.random.default_rng(seed)
    centres = 2.0 * generator.integers(0, 2, (count, 2)) - 1.0
    points = centres + noise * generator.standard_normal((count, 2))
    return torch.as_tensor(points), torch.as_tensor(centres.prod(-1))
