"""Spherical harmonics, zonal kernels and their random features."""

from algos.sphere.harmonics import (
    conjugate_index,
    harmonic_indices,
    harmonic_pairs,
    pair_indices,
    spherical_harmonics,
)
from algos.sphere.zonal import (
    unit_directions,
    zonal_kernel,
    zonal_polynomials,
    zonal_sequence,
)
from algos.sphere.zonal_features import (
    ZonalMap,
    zonal_map,
)

__all__ = [
    "ZonalMap",
    "conjugate_index",
    "harmonic_indices",
    "harmonic_pairs",
    "pair_indices",
    "spherical_harmonics",
    "unit_directions",
    "zonal_kernel",
    "zonal_map",
    "zonal_polynomials",
    "zonal_sequence",
]
