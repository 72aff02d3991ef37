"""Appendix A.3 below a threshold of the degree: all potentials by matrix products, and features found twice."""

import math
from typing import Literal

import torch
from torch import Tensor

from algos.kernel_learning.alignment import quadratic_alignment
from algos.margin_game.measure import measure_features
from algos.sphere.harmonics import harmonic_pairs, pair_indices
from algos.sphere.zonal import zonal_polynomials
from bounds.margin_game.sphere import harmonic_dimension, surface_area
from harness import Forall, claim, grid, identity
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics
from harness.claims.nsrf.harmonic_polynomials import real_harmonics
from harness.claims.placement import table


@claim(
    "nsrf/A.3-product",
    identity(),
    over=grid(by=["order"], n=[4], d=[3], J=[4])
    + grid(by=["degree"], n=[2], d=[3], J=[31])
    + grid(by=["degree"], n=[1], d=[2], J=[9])
    + grid(by=["degree"], n=[4], d=[5], J=[2]),
    cite="nsrf, Appendix A.3: all values of v(l, m) up to a threshold, by matrix multiplication",
    sizes="n = 1, 2 and 4; d = 3 up to J = 31, which has 1024 coefficients, and d = 2 and 5 up to J = 9 and 2",
)
def potentials_below_a_threshold(forall: Forall, *, by: Literal["order", "degree"], n: int, d: int, J: int):
    """One product of the harmonics up to degree J on the sample with the signed weights gives every v(l, m), l <= J.

    Summed with any coefficients >= 0, of each (l, m) or of each degree: every v(l, m) is one, so that nothing cancels,
    and others follow, as both sides are linear in them. Right: the double sums over the points, of Re(Y(x)
    conj Y(x')) with harmonics by separation of coordinates, or of the polynomials P_l(<x, x'>) times N(d, l)/area. For
    d other than 3 the table is itself a product, of the monomials of each degree with the coefficients of a basis.
    """
    points = forall.sphere("points", n, d)
    signed = forall.signs("labels", n) * forall.interval("weights", 0.0, 1.0, n)
    if by == "order":
        coefficients = forall.interval("coefficients", 0.0, 1.0, (J + 1) * (J + 2) // 2)
        return _of_every_order(points, signed, coefficients, J)
    coefficients = forall.interval("coefficients", 0.0, 1.0, J + 1)
    potentials = _of_every_degree(points, signed, J)
    zonal = zonal_polynomials(points @ points.mT, J, d)
    shares = table([harmonic_dimension(d, ell) / surface_area(d) for ell in range(J + 1)], like=coefficients)
    gram = (zonal * (coefficients * shares)[..., None, None, :]).sum(-1)
    return (coefficients * potentials).sum(-1), quadratic_alignment(gram, signed)


def _of_every_order(points: Tensor, signed: Tensor, coefficients: Tensor, degree: int) -> tuple[Tensor, Tensor]:
    """sum c_lm v(l, m), 0 <= m <= l <= J, for d = 3: from one product, and from harmonics one by one."""
    pairs = pair_indices(degree, device=points.device)
    features = harmonic_pairs(points, pairs)  # (batch, n, pairs, 2), of mean square one
    sums = (signed.unsqueeze(-2) @ features.flatten(-2)).unflatten(-1, (len(pairs), 2)).squeeze(-3)
    product = (coefficients * sums.square().sum(-1)).sum(-1) / (4 * math.pi)
    waves = torch.cat([explicit_harmonics(points, ell, pairs=True) for ell in range(degree + 1)], -1)
    gram = ((waves * coefficients.unsqueeze(-2)) @ waves.conj().mT).real
    return product, quadratic_alignment(gram, signed)


def _of_every_degree(points: Tensor, signed: Tensor, degree: int) -> Tensor:
    """sum over m of v(l, m) for l = 0, ..., J, from one product: (batch, J + 1)."""
    d = points.shape[-1]
    if d == 3:
        pairs = pair_indices(degree, device=points.device)
        features = harmonic_pairs(points, pairs).flatten(-2) / math.sqrt(4 * math.pi)
        columns = torch.repeat_interleave(pairs[:, 0], 2)
        twice = torch.where(pairs[:, 1] > 0, 2.0, 1.0).repeat_interleave(2).to(features)  # m and -m
    else:
        blocks = [real_harmonics(points, ell) for ell in range(degree + 1)]
        features = torch.cat(blocks, -1)
        columns = table([ell for ell, block in enumerate(blocks) for _ in range(block.shape[-1])], like=points).long()
        twice = torch.ones_like(features[0, 0])
    squares = twice * (signed.unsqueeze(-2) @ features).squeeze(-2).square()
    return squares.new_zeros(*squares.shape[:-1], degree + 1).index_add(-1, columns, squares)


@claim(
    "nsrf/A.3-duplicates",
    identity(),
    over=grid(d=[2], J=[3], T=[1]) + grid(d=[3], J=[2], T=[6]) + grid(d=[5], J=[1], T=[12]),
    cite="nsrf, Appendix A.3: a duplicate feature need not be concatenated, the existing one is scaled",
    sizes="d = 2, 3 and 5, all harmonics of degree up to 3; one to twelve features",
)
def duplicates_are_scaled(forall: Forall, *, d: int, J: int, T: int):
    """The T features found, put side by side, have the inner products of the distinct ones times sqrt(their number).

    For any sequence of harmonics (l, m) and any two points: so every machine on them is the same, on at most as many
    features as there are harmonics up to the threshold, however large T is.
    """
    points = forall.sphere("x and x'", 2, d)
    waves = torch.cat([explicit_harmonics(points, ell, pairs=True) for ell in range(J + 1)], -1)
    strategies = torch.view_as_real(waves).movedim(-2, -3)  # (batch, pairs, 2, 2)
    found = forall.integers("(l, m)", 0, waves.shape[-1] - 1, T).to(torch.int64)
    chosen = strategies.gather(-3, found[..., None, None].expand(*found.shape, 2, 2))
    concatenated = chosen.movedim(-3, -2).flatten(-2)
    counts = torch.zeros_like(strategies[..., 0, 0]).scatter_add(-1, found, torch.ones_like(chosen[..., 0, 0]))
    merged = measure_features(strategies, counts)
    return tuple((part[..., 0, :] * part[..., 1, :]).sum(-1) for part in (concatenated, merged))
