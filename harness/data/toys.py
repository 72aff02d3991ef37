"""Toy data sets with two classes that are not linearly separable, in the plane and on the sphere."""

import math

import numpy as np
import torch
from numpy.typing import NDArray
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


def windmill(count: int, *, seed: int, blades: int = 2, twist: float = 1.3) -> tuple[Tensor, Tensor]:
    """Uniform points of the unit disc, with twisted blades of alternating labels: y = sign sin(K theta + tau r).

    A stand-in for the windmill of nsrf Figure 1, whose law the paper does not give: with the defaults a Gaussian kernel
    at the median bandwidth reaches about the accuracy that it reports.

    Parameters
    ----------
    count : int
        The first points of a larger count are those of a smaller one.
    seed : int
    blades : int
        K >= 1, blades of each label.
    twist : float
        tau, radians from the centre to the rim.

    Returns
    -------
    tuple of Tensor (count, 2) and Tensor (count,), labels -1 or +1

    Raises
    ------
    ValueError
        If blades < 1.
    """
    if blades < 1:
        raise ValueError(f"blades is {blades}, but a windmill without blades has only one class: choose 1 or more")
    uniform = np.random.default_rng(seed).random((count, 2))
    radius, angle = np.sqrt(uniform[:, 0]), 2 * math.pi * uniform[:, 1]
    points = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return torch.as_tensor(points), _signs(np.sin(blades * angle + twist * radius))


def checkerboard(count: int, *, seed: int, meridians: int = 2, parallels: int = 4) -> tuple[Tensor, Tensor]:
    """Uniform points of the unit sphere on a board of labels: y = sign(sin(M phi) sin(B theta)).

    phi is the longitude and theta the angle to the third axis. With B even the labels are odd in the third coordinate.
    A stand-in for the sphere of nsrf Figure 1, whose law the paper does not give.

    Parameters
    ----------
    count : int
        The first points of a larger count are those of a smaller one.
    seed : int
    meridians : int
        M >= 1; there are 2 M fields around.
    parallels : int
        B >= 2, even; there are B fields from pole to pole.

    Returns
    -------
    tuple of Tensor (count, 3) and Tensor (count,), labels -1 or +1

    Raises
    ------
    ValueError
        If M is not positive or B not positive and even.
    """
    if meridians < 1 or parallels < 2 or parallels % 2:
        raise ValueError(
            f"a board of {meridians} meridians and {parallels} parallels has no checkerboard pattern: choose "
            "meridians >= 1 and an even number of parallels >= 2"
        )
    points = np.random.default_rng(seed).standard_normal((count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    longitude, angle = np.arctan2(points[:, 1], points[:, 0]), np.arccos(np.clip(points[:, 2], -1, 1))
    return torch.as_tensor(points), _signs(np.sin(meridians * longitude) * np.sin(parallels * angle))


def _signs(values: NDArray[np.float64]) -> Tensor:
    """Signs in {-1, +1}; zero, on the border of two fields, counts as +1."""
    return torch.as_tensor(np.where(values < 0, -1.0, 1.0))
