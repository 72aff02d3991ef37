"""Random Fourier features drawn from a pool by their ridge leverage scores."""

import math
from typing import Annotated, Any, Self, TypeAlias

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from algos._domains import AnyDevice, GridPoints
from algos.estimators._base import Array, RandomState, TensorTransformer, array
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from algos.fourier.spectral_measures import matern_frequencies
from algos.fourier.streamed import fourier_gram
from algos.ridge.leverage_sampling import leverage_sampling_weights, pool_leverage_scores, sample_by_leverage
from algos.ridge.spectral import laplace_frequencies
from signatures.domains import Options, Plain
from signatures.numbers import Count, PositiveFloat, Size

_SMOOTHNESS = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}
_KERNELS = ("gaussian", "laplace", *_SMOOTHNESS)

LengthScale: TypeAlias = Annotated[float, Plain("[1e-100, 1e100]", "its square is divided by")]
"""Length scale of a kernel."""


class LeverageWeightedFeatures(TensorTransformer):
    """Random Fourier features drawn, with replacement, from a pool in proportion to approximate leverage scores.

    A pool of frequencies from the spectral measure of the kernel gets ridge leverage scores on the training points;
    `n_components` of them are drawn from ``q = l / sum l``, and a point is mapped to their cosines and sines times
    ``1 / sqrt(m s q_i)``, so that inner products estimate those of the whole pool without bias. The labels play no
    part. The n x s matrix of the pool is never stored.

    Parameters
    ----------
    n_components : int
        m, frequencies drawn; the map has ``2 n_components`` columns, all cosines before all sines.
    kernel : {"gaussian", "laplace", "matern12", "matern32", "matern52"}
        ``exp(-|x - x'|^2 / (2 ell^2))``, ``exp(-|x - x'|_1 / ell)``, or Matern of smoothness 1/2, 3/2, 5/2.
    lengthscale : float
        Positive. ell.
    pool_size : int
        s.
    regularisation : float
        Positive. lambda of the scores; the ridge is n lambda.
    sampling : {"leverage", "uniform"}
        "uniform" draws from the pool with equal probabilities: plain random Fourier features.
    block_rows : int
        Rows of the feature matrix of the pool held at a time.
    random_state : int, RandomState or None
        With equal values the pool is the same whatever the sampling.
    device : str, torch.device or None
        Where to compute; None is the CPU.

    Attributes
    ----------
    components_ : ndarray (n_components, d)
        The frequencies drawn.
    weights_ : ndarray (n_components,)
        Multipliers ``1 / sqrt(s q_i)``.
    scores_ : ndarray (pool_size,)
        Float64, leverage scores; 1 / pool_size each for "uniform".
    effective_dimension_ : float
        Their sum, of the pool on the training points; absent for "uniform".

    References
    ----------
    uarff Algorithm 1, with the scores divided by s and the weights by sqrt(s) against print.
    """

    components_: Array
    weights_: Array
    scores_: Array
    effective_dimension_: float

    def __init__(
        self,
        n_components: Size = 100,
        *,
        kernel: Annotated[str, Options(_KERNELS)] = "gaussian",
        lengthscale: LengthScale = 1.0,
        pool_size: GridPoints = 1000,
        regularisation: PositiveFloat = 1e-3,
        sampling: Annotated[str, Options(("leverage", "uniform"))] = "leverage",
        block_rows: Count = 1024,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.lengthscale = lengthscale
        self.pool_size = pool_size
        self.regularisation = regularisation
        self.sampling = sampling
        self.block_rows = block_rows
        self.random_state = random_state
        self.device = device

    def _needs_labels(self) -> bool:
        return False

    @property
    def _n_features_out(self) -> int:
        return 2 * len(self.components_)

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Score the pool and draw from it."""
        given = self._checked_parameters()
        count = given.n_components
        points, _ = self._checked_sample(X, y)
        drawing, generator = self._generators()
        pool = _pool(given, points.shape[1], generator)
        if self.sampling == "uniform":
            scores = torch.full((len(pool),), 1 / len(pool), dtype=torch.float64)
            indices = torch.randint(len(pool), (count,), generator=drawing)
            weights = torch.ones(count, dtype=torch.float64)
        else:
            scores = _scores(points.double(), pool.to(points.device), given.regularisation, given.block_rows)
            self.effective_dimension_ = float(scores.sum())
            indices = sample_by_leverage(scores, count, generator=drawing)
            weights = leverage_sampling_weights(scores)[indices]
        self.scores_ = array(scores)
        self.components_ = array(pool[indices].to(points.dtype))
        self.weights_ = array(weights.to(points.dtype))
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Weighted cosines and sines (n, 2 n_components); their inner products estimate the kernel."""
        points = self._checked_points(X)
        features = random_fourier_features(points, self._tensor(self.components_).to(points))
        return array(features.mul_(self._tensor(self.weights_).to(points).repeat(2)))


def _pool(given: Any, dimension: int, generator: torch.Generator) -> Tensor:
    """Frequencies (s, d) in float64, on the CPU."""
    shape, lengthscale = (given.pool_size, dimension), given.lengthscale
    if given.kernel == "gaussian":
        return gaussian_frequencies(*shape, gamma=1 / (2 * lengthscale**2), generator=generator)
    if given.kernel == "laplace":
        return laplace_frequencies(*shape, gamma=1 / lengthscale, generator=generator)
    smoothness = _SMOOTHNESS[given.kernel]
    return matern_frequencies(*shape, smoothness=smoothness, lengthscale=lengthscale, generator=generator)


def _scores(points: Tensor, pool: Tensor, regularisation: float, block_rows: int) -> Tensor:
    """Leverage scores (s,) of the pool, on the CPU."""
    ridge = len(points) * regularisation
    if math.isinf(ridge):
        raise ValueError(f"regularisation = {regularisation} times {len(points)} points leaves float64: lower it")
    gram = fourier_gram(points, pool, block_rows=block_rows).mul_(len(pool))  # features not scaled by 1 / sqrt(s)
    return pool_leverage_scores(gram, ridge, columns_per_feature=2).cpu()
