"""The spline kernels of Section 5: their product rule, and why uniform features are leverage weighted."""

import math

import torch
from torch import Tensor

from algos.ridge.leverage import ridge_leverage_scores
from harness import Forall, claim, grid, identity
from harness.claims.placement import table

from .symbols import SPLINE_KERNEL

_MODES = 6
_GRID = 16
"""Points of a rectangle rule, exact for trigonometric polynomials below this degree."""


@claim(
    "uarff/spline-id",
    identity(),
    over=grid(r=[2, 3]),
    reading="printed",
    expected="refuted",
    cite="uarff, Section 5",
    quote="k_2r(x, y) = 1 + sum_{m>0} m^{-2r} cos 2 pi m (x - y) ... k_2r(x, y) = int_0^1 z(v, x) z(v, y) p(v) "
    "dv, where z(v, x) = k_r(v, x) and p(v) is uniform on [0, 1]",
    defect=SPLINE_KERNEL,
)
def product_rule_as_printed(forall: Forall, *, r: int):
    """int_0^1 k_r(v, x) k_r(v, y) dv = k_2r(x, y) for k_r(x, y) = 1 + sum m^-r cos 2 pi m (x - y).

    The integral of a product of cosines is half a cosine: kernel and features differ by that factor, rates do not. The
    first 6 modes, integrals exact.
    """
    x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
    return _integral(x, y, r, 1.0), _spline(x - y, 2 * r, 1.0)


@claim(
    "uarff/spline-id",
    identity(),
    over=grid(r=[2, 3]),
    reading="corrected",
    cite="uarff, Section 5",
    restricts="r = 2 and 3, the first six modes",
)
def product_rule(forall: Forall, *, r: int):
    """int_0^1 k_r(v, x) k_r(v, y) dv = k_2r(x, y) for k_r(x, y) = 1 + 2 sum m^-r cos 2 pi m (x - y)."""
    x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
    return _integral(x, y, r, 2.0), _spline(x - y, 2 * r, 2.0)


@claim(
    "uarff/spline-leverage",
    identity(),
    over=grid(r=[1, 2]),
    cite="uarff, Section 5",
    restricts="r = 1 and 2, the first six modes, inputs on a grid",
)
def leverage_of_spline_features_is_constant(forall: Forall, *, r: int):
    """For uniform inputs all spline features have the same leverage score, d: uniform sampling is leverage sampling.

    By translation invariance. The population is an equidistant grid, exact for 6 modes; on a random sample the
    empirical scores are not constant.
    """
    v, lam = forall.interval("v", 0.0, 1.0), forall.interval("regularisation", 1e-3, 1.0)
    points = table(range(_GRID), like=v) / _GRID
    centres = v.unsqueeze(-1) + points  # any v, and its shifts: together a uniform distribution
    features = _spline(points.unsqueeze(-1) - centres.unsqueeze(-2), r, 2.0)
    uniform = torch.full_like(centres, 1 / _GRID)
    score = ridge_leverage_scores(features, uniform, _GRID * lam)[..., 0] * _GRID
    eigenvalues = table(range(1, _MODES + 1), like=lam) ** (-2.0 * r)
    return score, 1 / (1 + lam) + 2 * (eigenvalues / (eigenvalues + lam.unsqueeze(-1))).sum(-1)


def _integral(x: Tensor, y: Tensor, r: int, factor: float) -> Tensor:
    v = table(range(_GRID), like=x) / _GRID
    return (_spline(v - x.unsqueeze(-1), r, factor) * _spline(v - y.unsqueeze(-1), r, factor)).mean(-1)


def _spline(offsets: Tensor, order: int, factor: float) -> Tensor:
    """1 + factor sum m^-order cos 2 pi m u over the first modes."""
    harmonics = table(range(1, _MODES + 1), like=offsets)
    return 1 + factor * (harmonics ** (-float(order)) * (2 * math.pi * harmonics * offsets.unsqueeze(-1)).cos()).sum(-1)
