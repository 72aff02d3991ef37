"""Equations (2) and (3): kernels and laws of frequencies of many shapes, and laws of atoms, as Fourier pairs.

A shape is an even function s with s(0) = 1 and its transform S(y) = integral s(x) cos(x y) dx in closed form. Read as a
kernel it has the density S / (2 pi); read as a density, divided by S(0), it has the kernel S / S(0).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from harness import Forall, claim, every, identity
from harness.claims.placement import table


@dataclass(frozen=True)
class Shape:
    """Nodes x and weights of a rule for integrals of s(x) g(x) over the line with even g, and S, at scale one."""

    nodes: NDArray[np.float64]
    weights: NDArray[np.float64]
    transform: Callable[[Tensor], Tensor]


def _sinc(x: Tensor) -> Tensor:
    return torch.sinc(x / math.pi)


_FAR, _DECAY = np.polynomial.laguerre.laggauss(32)
_LINE, _BELL = np.polynomial.hermite_e.hermegauss(24)
_NEAR, _FLAT = np.polynomial.legendre.leggauss(16)
_UNIT = (_NEAR + 1) / 2

LAPLACE = Shape(_FAR, 2 * _DECAY, lambda y: 2 / (1 + y.square()))
"""s = exp(-|x|)."""
MATERN = Shape(_FAR, 2 * _DECAY * (1 + _FAR), lambda y: 4 / (1 + y.square()).square())
"""s = (1 + |x|) exp(-|x|)."""
GAUSSIAN = Shape(_LINE, _BELL, lambda y: math.sqrt(2 * math.pi) * (-y.square() / 2).exp())
"""s = exp(-x^2 / 2)."""
TRIANGLE = Shape(_UNIT, _FLAT * (1 - _UNIT), lambda y: _sinc(y / 2).square())
"""s = (1 - |x|)_+."""
INTERVAL = Shape(_UNIT, _FLAT, lambda y: 2 * _sinc(y))
"""s = 1 for |x| <= 1, else 0."""

SHAPES = {2: (LAPLACE, MATERN, GAUSSIAN, TRIANGLE), 3: (LAPLACE, MATERN, GAUSSIAN, TRIANGLE, INTERVAL)}
"""By equation. The indicator of an interval is a density, but no kernel: its transform changes its sign."""


@claim(
    "pbrff/eq-2-3-shapes",
    identity(),
    cite="pbrff, Section 2, equations (2) and (3)",
    over=[{"equation": e, "dimension": d} for e, d in ((2, 1), (3, 1), (2, 3), (3, 2))],
    sizes="d = 1, 2 and 3; all mixtures of Laplace, Matern, Gaussian, triangular and uniform shapes, with any weights "
    "and scales, in d dimensions of their products",
)
def mixtures_of_shapes_are_fourier_pairs(forall: Forall, *, equation: int, dimension: int):
    """p(w) = (2 pi)^-d integral k(delta) exp(-i <w, delta>) d delta, and k(delta) = E_p cos(<w, delta>).

    For kernels that are continuous, integrable and one at zero, which the paper does not state. The laws have kinks,
    jumps, bounded support or tails like w^-2. Products are integrated coordinate by coordinate.
    """
    shapes = SHAPES[equation]
    at = forall.interval("at", -1.0, 1.0, dimension)
    scales = forall.interval("scales", 0.5, 1.5, len(shapes), dimension)
    weights = forall.simplex("weights", len(shapes))
    integrals, transforms = [], []
    for k, shape in enumerate(shapes):
        scale = scales[..., k, :]
        size = 2 * math.pi if equation == 2 else scale * shape.transform(torch.zeros_like(scale))
        integrals.append((scale * cosine_integral(shape, scale * at) / size).prod(-1))
        transforms.append((scale * shape.transform(scale * at) / size).prod(-1))
    left, right = (torch.stack(parts, -1) for parts in (integrals, transforms))
    return (weights * left).sum(-1), (weights * right).sum(-1)


def cosine_integral(shape: Shape, y: Tensor) -> Tensor:
    """Integral of s(x) cos(x y) over the line, exact to rounding for |y| <= 1.5."""
    x, w = (table(torch.as_tensor(part), like=y) for part in (shape.nodes, shape.weights))
    return (y.unsqueeze(-1) * x).cos() @ w


@claim(
    "pbrff/eq-3-atoms",
    identity(),
    cite="pbrff, Section 2, equation (3)",
    over=[{"terms": 1, "dimension": 3}, {"terms": 3, "dimension": 2}, {"terms": 6, "dimension": 1}],
    restricts="sums of one, three and six random signs times any vectors, d <= 3; equation (3) alone",
)
def laws_of_atoms_have_their_kernel(forall: Forall, *, terms: int, dimension: int):
    """k(x - x') = E exp(i <w, x - x'>) = E cos(<w, x - x'>) for discrete laws too, which have no density.

    w = sum_j e_j a_j with random signs e_j has the kernel prod_j cos(<a_j, x - x'>).
    """
    a, x = forall.interval("a", -2.0, 2.0, terms, dimension), forall.interval("x", -2.0, 2.0, 2, dimension)
    delta = (x[..., 0, :] - x[..., 1, :]).unsqueeze(-1)
    frequencies = every.signs(terms, like=a) @ a
    return (frequencies @ delta).squeeze(-1).cos().mean(-1), (a @ delta).squeeze(-1).cos().prod(-1)
