"""The sets over which a claim is quantified: how to sample, stress, move and describe each of them."""

from harness.language.spaces.base import Rng, Space, axes_of, tensor
from harness.language.spaces.boxes import Integers, Interval, Keys, Signs, Triangle
from harness.language.spaces.choice import Choice
from harness.language.spaces.joint import Ball, PositiveSemidefinite, Simplex

__all__ = [
    "Ball",
    "Choice",
    "Integers",
    "Interval",
    "Keys",
    "PositiveSemidefinite",
    "Rng",
    "Signs",
    "Simplex",
    "Space",
    "Triangle",
    "axes_of",
    "tensor",
]
