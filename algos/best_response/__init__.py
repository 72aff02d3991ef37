"""Best responses in the margin game: where the Fourier potential of signed weights is largest."""

from algos.best_response.ascent import (
    AscentPeaks,
)
from algos.best_response.harmonic import (
    HarmonicPeaks,
    ZonalPeaks,
)
from algos.best_response.langevin import (
    LangevinRun,
    langevin_dynamics,
    langevin_noise_scale,
    printed_noise_scale,
    stationary_variance,
)
from algos.best_response.lattice import (
    FinitePeaks,
    LatticePeaks,
)
from algos.best_response.oracle import (
    BestResponse,
)
from algos.best_response.planar import (
    PlanarPeaks,
)
from algos.best_response.separable_potential import (
    SeparablePotential,
)

__all__ = [
    "AscentPeaks",
    "BestResponse",
    "FinitePeaks",
    "HarmonicPeaks",
    "LangevinRun",
    "LatticePeaks",
    "PlanarPeaks",
    "SeparablePotential",
    "ZonalPeaks",
    "langevin_dynamics",
    "langevin_noise_scale",
    "printed_noise_scale",
    "stationary_variance",
]
