"""Kernel ridge regression with the periodic spline kernel of order 2 in time O(n log n) and memory O(n)."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from algos._cholesky import as_ridge, broadcast_batch
from algos._domains import NonNegativeBatch, Undefinable, Vector
from algos.ridge._tridiagonal import TridiagonalFactor, tridiagonal_factor, tridiagonal_solve
from signatures.checked import checked

_CURVATURE = 4 * math.pi**2
_PEAK = 1 + math.pi**2 / 3


class _Sites(NamedTuple):
    """Distinct points in increasing order from the middle of the widest gap of the circle; empty places come last."""

    group: Tensor  # (*batch, n), of each point
    counts: Tensor  # (*batch, n), points per site, 0 in empty places
    gaps: Tensor  # (*batch, n), to the site before
    positions: Tensor  # (*batch, n), in (0, 1)


class _Solver(NamedTuple):
    """The matrix ``4 pi^2 min(x_i, x_j) + ridge / counts`` after differencing, and its correction of rank 3."""

    factor: TridiagonalFactor
    basis: Tensor  # (*batch, 3, n): differences of 1, a(x) and x
    solved: Tensor  # (*batch, 3, n)
    core: Tensor  # (*batch, 3, 3)


@checked
def spline_kernel_ridge_coefficients(points: Vector, targets: Vector, *, ridge: NonNegativeBatch) -> Undefinable:
    """Coefficients of kernel ridge regression with the periodic spline kernel of order 2.

    ``w = (K + n lambda I)^{-1} Y`` for ``K_ij = k_2(x_i - x_j)``, the kernel of spline features of order 1. On the
    circle cut open, ``k_2(x - y) = 4 pi^2 min(x, y) + c + a(x) + a(y) - 4 pi^2 x y`` with ``c = 1 + pi^2 / 3`` and
    ``a(x) = 2 pi^2 (x^2 - x)``: differences of neighbours make the first part and the ridge tridiagonal, and the rest
    has rank 3. The system is solved by cyclic reduction without reciprocals of gaps, duplicates are merged into
    weighted points, and one step of iterative refinement, its residual in O(n), restores what the cut loses.

    Parameters
    ----------
    points : Tensor (*batch, n)
        Taken modulo 1. Gradients with respect to points need distinct ones.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda > 0; zero is allowed where the points are distinct and gives NaN elsewhere.

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If points and targets differ in number, there are none, or the ridge is negative.

    References
    ----------
    uarff eq. 1 and Section 5, r = 1; the kernel of `spline_kernel`, which differs from print by a factor 2.
    """
    if points.shape[-1:] != targets.shape[-1:] or points.ndim < 1 or points.shape[-1] < 1:
        raise ValueError(
            f"points have shape {tuple(points.shape)} and targets {tuple(targets.shape)}, but each point needs one "
            "target: pass (*batch, n) twice, n >= 1"
        )
    shift = as_ridge(ridge, targets)
    batch = broadcast_batch(points.shape[:-1], targets.shape[:-1], shift.shape[:-1])
    n = points.shape[-1]
    y = targets.expand(*batch, n)
    sites = _merge(points.expand(*batch, n))
    occupied = sites.counts > 0
    sizes = torch.where(occupied, sites.counts, 1.0)
    means = torch.zeros_like(y).scatter_add(-1, sites.group, y) / sizes
    solver, weights = _factor_and_solve(sites, shift / sizes, means)
    residual = means - shift / sizes * weights - _multiply(sites, weights)
    weights = weights + _solve(solver, torch.where(occupied, residual, 0.0))
    alone = sizes.gather(-1, sites.group) == 1
    within = torch.where(alone, 0.0, y - means.gather(-1, sites.group)) / torch.where(alone, 1.0, shift)
    return within + (weights / sizes).gather(-1, sites.group)


def _merge(points: Tensor) -> _Sites:
    values, order = points.remainder(1).sort(-1)
    wrap = values[..., :1] + 1 - values[..., -1:]
    gaps = torch.cat([wrap, values.diff(dim=-1)], -1)
    n = points.shape[-1]
    cut = (torch.arange(n, device=points.device) + gaps.argmax(-1, keepdim=True)).remainder(n)
    values, order, gaps = values.gather(-1, cut), order.gather(-1, cut), gaps.gather(-1, cut)
    half = gaps[..., :1] / 2
    positions = (values - values[..., :1]).remainder(1) + half
    group = (gaps > 0).cumsum(-1) - 1
    empty = torch.zeros_like(values)
    return _Sites(
        group=torch.zeros_like(order).scatter(-1, order, group),
        counts=empty.scatter_add(-1, group, torch.ones_like(values)),
        gaps=empty.scatter_add(-1, group, torch.cat([half, gaps[..., 1:]], -1)),
        positions=empty.scatter(-1, group, positions),
    )


def _factor_and_solve(sites: _Sites, noise: Tensor, values: Tensor) -> tuple[_Solver, Tensor]:
    """The solver for ``K + noise`` on the sites, and its first solution; values are zero in empty places."""
    occupied = sites.counts > 0
    diagonal = _CURVATURE * sites.gaps + noise + _shift(noise)
    off_diagonal = torch.where(occupied[..., 1:], -noise[..., :-1], 0.0)
    factor = tridiagonal_factor(torch.where(occupied, diagonal, 1.0), off_diagonal)
    columns = torch.stack([occupied.to(noise), _bend(sites), values], -2)
    steps = torch.where(occupied.unsqueeze(-2), columns - _shift(columns), 0.0)
    basis = torch.stack([steps[..., 0, :], steps[..., 1, :], sites.gaps], -2)
    solved = tridiagonal_solve(factor, torch.cat([basis, steps[..., 2:, :]], -2))
    inverse = basis.new_tensor([[0, 1, 0], [1, -_PEAK, 0], [0, 0, -1 / _CURVATURE]])
    solver = _Solver(factor, basis, solved[..., :3, :], inverse + basis @ solved[..., :3, :].mT)
    return solver, _correct(solver, solved[..., 3:, :])


def _solve(solver: _Solver, values: Tensor) -> Tensor:
    steps = torch.where(solver.basis[..., 2, :] > 0, values - _shift(values), 0.0)
    return _correct(solver, tridiagonal_solve(solver.factor, steps.unsqueeze(-2)))


def _correct(solver: _Solver, plain: Tensor) -> Tensor:
    """Add the part of rank 3 to a solution (*batch, 1, n) and undo the differencing."""
    share: Tensor = torch.linalg.solve(solver.core, solver.basis @ plain.mT)
    corrected = (plain - share.mT @ solver.solved).squeeze(-2)
    return corrected - torch.nn.functional.pad(corrected[..., 1:], (0, 1))


def _multiply(sites: _Sites, weights: Tensor) -> Tensor:
    """The kernel matrix of the sites times the weights, by two running sums."""
    tails = weights.flip(-1).cumsum(-1).flip(-1)
    bend, x = _bend(sites), sites.positions
    mass, bent, mean = ((weights * f).sum(-1, keepdim=True) for f in (torch.ones_like(x), bend, x))
    return _CURVATURE * ((sites.gaps * tails).cumsum(-1) - x * mean) + _PEAK * mass + bend * mass + bent


def _bend(sites: _Sites) -> Tensor:
    return _CURVATURE / 2 * sites.positions * (sites.positions - 1)


def _shift(values: Tensor) -> Tensor:
    return torch.nn.functional.pad(values[..., :-1], (1, 0))
