"""Bochner's theorem, both directions: for measures on finitely many frequencies of R^d, and for periodic kernels.

A kernel is judged by its values alone: its Gram matrix is filled entry by entry from k(x - x').
"""

import itertools
import math
from functools import cache
from typing import Literal

import torch
from torch import Tensor

from algos.kernel_learning.alignment import quadratic_alignment
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf import symbols
from harness.claims.nsrf.kernels import mixture_of_cosines
from harness.claims.placement import table

Part = Literal["if", "only if", "a measure exists"]


@claim(
    "nsrf/thm-2.1-both",
    identity(),
    over=grid(part=["if"], d=[1], size=[4])
    + grid(part=["if"], d=[5], size=[2])
    + grid(part=["only if"], d=[2], size=[3])
    + grid(part=["only if"], d=[5], size=[1])
    + grid(part=["a measure exists"], d=[1], size=[5])
    + grid(part=["a measure exists"], d=[3], size=[2]),
    cite="nsrf, Theorem 2.1, if and only if",
    sizes="signed measures on one to four pairs of frequencies of R^d, d = 1, 2 and 5; every even function of period 5"
    " on the line and of period 2 in three dimensions",
    restricts="that a measure exists is judged for functions on lattices with a period, not on R^d",
)
def kernels_are_the_transforms_of_measures(forall: Forall, *, part: Part, d: int, size: int):
    """k is a kernel if and only if k(x - x') is the transform of a symmetric non-negative measure lambda.

    If: a'Ga = sum_j lambda_j |sum_i a_i exp(i <w_j, x_i>)|^2 for all points and all a, which is not negative where no
    mass is. Only if: for any masses of either sign some a has a'Ga = lambda_j, for every j. A measure exists: every
    even function on the lattice with a period is the transform of its coefficients, and the smallest eigenvalue of its
    Gram matrix is their smallest, times the number of points. The measure may have atoms, as "measure" says; the
    density in L_1 that the theorem names next need not exist: nsrf/thm-2.1-only-if[printed].
    """
    if part == "a measure exists":
        return _eigenvalue_and_coefficient(forall, d, size)
    points, omega = forall.ball("points", 2 * size + 1, d), forall.ball("omega", size, d, radius=20.0)
    masses = forall.interval("masses", -1.0, 1.0, size)
    gram, phases = mixture_of_cosines(points, omega, masses), points @ omega.mT
    waves = torch.cat([phases.cos(), phases.sin()], -1)  # (batch, points, 2 size)
    if part == "if":
        weights = forall.interval("a", -1.0, 1.0, 2 * size + 1)
        squares = (weights.unsqueeze(-2) @ waves).squeeze(-2).square()
        return quadratic_alignment(gram, weights), (torch.cat([masses, masses], -1) * squares).sum(-1)
    inner = waves.mT @ waves
    forall.assume(torch.linalg.eigvalsh(inner)[..., 0] > 0.01)  # points that tell the frequencies apart
    place = forall.integers("j", 0, size - 1).to(torch.int64).unsqueeze(-1)
    unit = torch.nn.functional.one_hot(place.squeeze(-1), 2 * size).to(waves)
    dual = (waves @ torch.linalg.solve(inner, unit).unsqueeze(-1)).squeeze(-1)
    return quadratic_alignment(gram, dual), masses.gather(-1, place).squeeze(-1)


def _eigenvalue_and_coefficient(forall: Forall, d: int, period: int) -> tuple[Tensor, Tensor]:
    """Smallest eigenvalue of k on the lattice, plus what the transform misses of k; smallest coefficient times P^d."""
    nodes = lattice(d, period)
    values = forall.interval("values", -1.0, 1.0, len(nodes))
    opposite = [nodes.index(tuple(-u % period for u in node)) for node in nodes]
    kernel = (values + values[..., opposite]) / 2
    places = table(nodes, like=kernel)
    waves = torch.cos(2 * math.pi / period * (places @ places.mT))
    coefficients = kernel @ waves / len(nodes)
    missed = (coefficients @ waves - kernel).abs().amax(-1)
    gram = kernel[..., differences(d, period)]
    return torch.linalg.eigvalsh(gram)[..., 0] + missed, len(nodes) * coefficients.amin(-1)


@claim(
    "nsrf/thm-2.1-only-if",
    always(),
    over=grid(frequencies=[1, 3]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem 2.1, only if, with a density in L_1",
    quote=(
        "for some lambda in L_1(Omega), satisfying lambda(omega) >= 0 and lambda(omega) = lambda(-omega) for all omega "
        "in Omega."
    ),
    defect=symbols.DENSITY,
)
def densities_as_printed(forall: Forall, *, frequencies: int):
    """A kernel k(x - x') on the line that is not 0 has k(u) < k(0) at every u != 0, as transforms of densities have.

    For a density lambda >= 0, k(0) - k(u) is the integral of lambda(w)(1 - cos w u), where 1 - cos w u is 0 for
    countably many w alone: it is 0 only if lambda is. Left the number of integers from 1 to 4 at which k(u) = k(0), for
    k = sum_m lambda_m cos(2 pi m u) with masses at m = 0, 1, ...; k = 1 and k = cos are of the kind. "Measure", as the
    first sentence of the theorem has it, is true: nsrf/thm-2.1-both.
    """
    masses, u = forall.simplex("measure", frequencies), torch.arange(1, 5)
    waves = torch.cos(2 * math.pi * torch.arange(frequencies).unsqueeze(-1) * u).to(masses)
    return ((masses @ waves) >= 1 - 1e-9).sum(-1), 0


@cache
def lattice(d: int, period: int) -> list[tuple[int, ...]]:
    """All d-tuples of 0, ..., P - 1."""
    return list(itertools.product(range(period), repeat=d))


@cache
def differences(d: int, period: int) -> list[list[int]]:
    """The place of x - x' modulo the period, for every pair of nodes."""
    nodes = lattice(d, period)
    return [[nodes.index(tuple((u - v) % period for u, v in zip(x, y, strict=True))) for y in nodes] for x in nodes]
