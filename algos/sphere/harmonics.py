"""Spherical harmonics on the unit sphere of three dimensions, and the pairs of them that the margin game plays."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

import torch
from torch import Tensor

from algos._domains import AnyDevice, HarmonicDegree
from algos.sphere.zonal import unit_directions
from signatures.checked import checked
from signatures.tensors import Shaped

_LARGEST_DEGREE = 1000


@checked
def harmonic_indices(degree: HarmonicDegree, *, device: AnyDevice = None) -> Tensor:
    """Degrees and orders (l, m) of all harmonics up to a degree: |m| <= l <= L, at the position l^2 + l + m.

    Parameters
    ----------
    degree : int
        L >= 0.
    device : torch.device or str, optional

    Returns
    -------
    Tensor ((L + 1)^2, 2)
        Of int64.

    Raises
    ------
    ValueError
        For a negative degree.
    """
    _check_degree(degree)
    return torch.tensor([(ell, m) for ell in range(degree + 1) for m in range(-ell, ell + 1)], device=device)


@checked
def pair_indices(degree: HarmonicDegree, *, device: AnyDevice = None) -> Tensor:
    """Degrees and orders (l, m) of all pairs (l, +-m) up to a degree: 0 <= m <= l <= L, at the position l(l + 1)/2 + m.

    Parameters
    ----------
    degree : int
        L >= 0.
    device : torch.device or str, optional

    Returns
    -------
    Tensor ((L + 1)(L + 2)/2, 2)
        Of int64.

    Raises
    ------
    ValueError
        For a negative degree.
    """
    _check_degree(degree)
    return torch.tensor([(ell, m) for ell in range(degree + 1) for m in range(ell + 1)], device=device)


@checked
def conjugate_index(indices: Annotated[Tensor, Shaped("*batch 2", kind="codes")]) -> Tensor:
    """The involution (l, m) -> (l, -m), which pairs each harmonic with its complex conjugate up to a sign.

    conj Y_l^m = (-1)^m Y_l^(-m) with the phase used here, as in scipy: the sign that nsrf B.2 leaves out is 1 only for
    even m. Squared moduli, hence potentials and kernels, do not see it.

    Parameters
    ----------
    indices : Tensor (*batch, 2)
        Pairs (l, m).

    Returns
    -------
    Tensor (*batch, 2)
        Of the same dtype.

    References
    ----------
    nsrf B.2.
    """
    return torch.stack([indices[..., 0], -indices[..., 1]], -1)


@checked
def spherical_harmonics(
    points: Annotated[Tensor, Shaped("*batch n>=0 3")],
    degree: HarmonicDegree,
    *,
    normalisation: Literal["surface", "probability"] = "surface",
) -> Tensor:
    """All spherical harmonics up to a degree at points of the sphere, with the Condon-Shortley phase.

    Y_l^m(x) = sqrt((2l + 1)/(4 pi) (l - m)!/(l + m)!) P_l^m(cos theta) exp(i m phi), with theta the angle to the third
    axis and phi the longitude. The recurrence in l runs on the polynomials P_l^m(z) / sin^m(theta), fully normalised,
    and the rest is the power (x_1 + i x_2)^m: nothing is divided by sin(theta), the poles are ordinary points, and
    the result can be differentiated everywhere. No overflow up to degree 1000 in double and 150 in single precision.

    Parameters
    ----------
    points : Tensor (*batch, n, 3)
        Not zero; only their directions matter.
    degree : int
        L >= 0.
    normalisation : {"surface", "probability"}
        "surface" for int |Y|^2 = 1 over the area of the sphere, as in the paper; "probability" for a mean square of 1
        under the uniform law: times sqrt(4 pi).

    Returns
    -------
    Tensor (*batch, n, (L + 1)^2)
        Complex, of the precision of the points, in the order of `harmonic_indices`.

    Raises
    ------
    ValueError
        For points that are not real (*batch, n, 3) or zero, a negative degree, another normalisation.

    References
    ----------
    nsrf Theorem 2.2 and Appendix B.
    """
    _check_degree(degree)
    columns = []
    for real, imaginary in _rows(points, degree, _scale(normalisation)):
        row = torch.complex(real, imaginary)
        signs = torch.ones(row.shape[-1], dtype=points.dtype, device=points.device)
        signs[1::2] = -1
        columns += [(signs * row.conj())[..., 1:].flip(-1), row]
    return torch.cat(columns, -1)


@checked
def harmonic_pairs(
    points: Annotated[Tensor, Shaped("*batch n>=0 3")],
    indices: Annotated[Tensor, Shaped("k>=0 2", "[0, inf)", kind="codes")],
) -> Tensor:
    """Real features of pairs (l, +-m): sqrt(4 pi) (Re Y_l^m, Im Y_l^m).

    They are the features of the pure strategies of mass one on the sphere, with kernel 4 pi Re(Y_l^m(x) conj
    Y_l^m(x')). The second is zero for m = 0. Memory for the listed pairs only.

    Parameters
    ----------
    points : Tensor (*batch, n, 3)
        As in `spherical_harmonics`.
    indices : Tensor (k, 2)
        Pairs with 0 <= m <= l, in any order; of all of them, `pair_indices`.

    Returns
    -------
    Tensor (*batch, n, k, 2)

    Raises
    ------
    ValueError
        For points that are not real (*batch, n, 3) or zero, or for other indices.

    References
    ----------
    nsrf Section 2 (the transformation to real features), for the uniform probability instead of the area.
    """
    degrees, orders = indices.unbind(-1)
    fractional = (indices.long() != indices).any(-1)
    wrong = (orders < 0) | (orders > degrees) | (degrees > _LARGEST_DEGREE) | fractional
    if bool(wrong.any()):
        pair = tuple(indices[wrong][0].tolist())
        raise ValueError(
            f"indices hold {pair}, but a pair (l, +-m) is named by integers 0 <= m <= l <= 1000: use its m >= 0"
        )
    blocks, places = [points.new_empty(*points.shape[:-1], 0, 2)], [degrees.new_empty(0)]
    for ell, row in enumerate(_rows(points, int(degrees.max()) if len(degrees) else 0, _scale("probability"))):
        place = (degrees == ell).nonzero().squeeze(-1)
        if len(place):
            places.append(place)
            blocks.append(torch.stack([part[..., orders[place]] for part in row], -1))
    return torch.cat(blocks, -2)[..., torch.cat(places).argsort(), :]


def _rows(points: Tensor, degree: int, scale: float) -> Iterator[tuple[Tensor, Tensor]]:
    """For l = 0, ..., L: real and imaginary parts of the harmonics 0 <= m <= l, (*batch, n, l + 1) each."""
    if points.shape[-1:] != (3,):
        raise ValueError(f"points have the shape {tuple(points.shape)}, but these harmonics need (*, n, 3): use zonal")
    directions = unit_directions(points)
    real, imaginary = _powers(directions[..., 0], directions[..., 1], degree)
    for count, row in enumerate(_legendre_rows(directions[..., 2:], degree), start=1):
        yield scale * row * real[..., :count], scale * row * imaginary[..., :count]


def _powers(x: Tensor, y: Tensor, degree: int) -> tuple[Tensor, Tensor]:
    """Real and imaginary parts of (x + i y)^m for m = 0, ..., L, (*batch, n, L + 1)."""
    real, imaginary = [torch.ones_like(x)], [torch.zeros_like(x)]
    for _ in range(degree):
        a, b = real[-1], imaginary[-1]
        real.append(x * a - y * b)
        imaginary.append(x * b + y * a)
    return torch.stack(real, -1), torch.stack(imaginary, -1)


def _legendre_rows(height: Tensor, degree: int) -> Iterator[Tensor]:
    """Fully normalised P_l^m(z) / sin^m(theta), one row (*batch, n, l + 1) over 0 <= m <= l for each l.

    Q_l^m = a_lm (z Q_(l-1)^m - Q_(l-2)^m / a_(l-1)m),  a_lm^2 = (4 l^2 - 1) / (l^2 - m^2), from
    Q_m^m = -sqrt((2m + 1)/(2m)) Q_(m-1)^(m-1) and Q_(m+1)^m = sqrt(2m + 3) z Q_m^m.
    """
    diagonal = math.sqrt(1 / (4 * math.pi))
    older, row = height.new_zeros(*height.shape[:-1], 0), torch.full_like(height, diagonal)
    inverses: list[float] = []
    yield row
    for ell in range(1, degree + 1):
        diagonal *= -math.sqrt((2 * ell + 1) / (2 * ell))
        factors = [math.sqrt((4 * ell * ell - 1) / (ell * ell - m * m)) for m in range(ell)]
        older = torch.cat([older * height.new_tensor(inverses), torch.zeros_like(height)], -1)
        newer = (height * row - older) * height.new_tensor(factors)
        older, row = row, torch.cat([newer, torch.full_like(height, diagonal)], -1)
        inverses = [1 / factor for factor in factors]
        yield row


def _scale(normalisation: str) -> float:
    if normalisation not in ("surface", "probability"):
        raise ValueError(
            f"normalisation is {normalisation!r}, but a mean square of 1 is meant over the area or under the uniform "
            "law: choose 'surface' or 'probability'"
        )
    return 1.0 if normalisation == "surface" else math.sqrt(4 * math.pi)


def _check_degree(degree: int) -> None:
    if degree < 0:
        raise ValueError(f"degree is {degree}, but degrees of polynomials start at 0: choose 0 or more")
