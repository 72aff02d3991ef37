"""Greedy kernel learning as a transformer: PBRFF, OKRFF and plain random Fourier features."""

from typing import Annotated, Any, Self

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from algos._domains import AnyDevice
from algos.estimators._base import Array, RandomState, TensorTransformer, array
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from algos.kernel_learning.alignment import binary_alignment_loss, multiclass_alignment_loss
from algos.kernel_learning.greedy_kernel import (
    chi_square_alignment_weights,
    pseudo_bayesian_weights,
    sample_frequencies,
)
from algos.kernel_learning.pseudo_posterior import chi_square_divergence, effective_sample_size, kl_divergence
from signatures.domains import Options
from signatures.numbers import NonNegativeFloat, PositiveFloat, Size


class GreedyFourierFeatures(TensorTransformer):
    """Random Fourier features drawn, with replacement, from a pool that is weighted by its alignment with the labels.

    A pool of frequencies ``w_m ~ N(0, 2 gamma I)`` gets weights Q from its alignment losses on the training sample;
    `n_components` of them are drawn from Q, and a point is mapped to their cosines and sines, so that the expected
    inner product is ``sum_m Q_m cos(<w_m, x - x'>)``.

    Parameters
    ----------
    n_components : int
        Frequencies drawn; the map has ``2 n_components`` columns, all cosines before all sines.
    pool_size : int
    gamma : float
        Positive. ``1 / (2 sigma^2)``.
    weighting : {"pseudo-bayesian", "chi-square", "uniform"}
        PBRFF, ``Q_m ~ exp(-beta sqrt(n) loss_m)``; OKRFF, the least loss with ``N |Q - 1/N|^2 <= rho``; plain random
        Fourier features, which need no labels.
    beta : float
        Non-negative. Used by "pseudo-bayesian" alone; 0 gives uniform weights.
    rho : float
        Non-negative. Used by "chi-square" alone, in the paper's units (the released code divides by `pool_size`); 0
        gives uniform weights, ``pool_size - 1`` or more the best frequency alone.
    random_state : int, RandomState or None
        With equal values the pool is the same whatever the weighting.
    device : str, torch.device or None
        Where to compute; None is the CPU.

    Attributes
    ----------
    components_ : ndarray (n_components, d)
        The frequencies drawn.
    weights_ : ndarray (pool_size,)
        Float64.
    losses_ : ndarray (pool_size,)
        Alignment losses; absent for "uniform".
    classes_ : ndarray
        Sorted labels, any number of them; absent for "uniform".
    kl_, chi_square_, effective_sample_size_ : float
        Of the weights against the uniform ones.

    References
    ----------
    pbrff Sections 5.3 and 5.4, eqs. 17 to 19; lkrf problem (8).
    """

    components_: Array
    weights_: Array
    losses_: Array
    kl_: float
    chi_square_: float
    effective_sample_size_: float

    def __init__(
        self,
        n_components: Size = 100,
        *,
        pool_size: Size = 20_000,
        gamma: PositiveFloat = 1.0,
        weighting: Annotated[str, Options(("pseudo-bayesian", "chi-square", "uniform"))] = "pseudo-bayesian",
        beta: NonNegativeFloat = 1.0,
        rho: NonNegativeFloat = 1.0,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.n_components = n_components
        self.pool_size = pool_size
        self.gamma = gamma
        self.weighting = weighting
        self.beta = beta
        self.rho = rho
        self.random_state = random_state
        self.device = device

    def _needs_labels(self) -> bool:
        return self.weighting != "uniform"

    @property
    def _n_features_out(self) -> int:
        return 2 * len(self.components_)

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Weigh the pool and draw from it."""
        given = self._checked_parameters()
        points, codes = self._checked_sample(X, y)
        drawing, generator = self._generators()
        pool = gaussian_frequencies(given.pool_size, points.shape[1], gamma=given.gamma, generator=generator)
        weights = self._weights(points, codes, pool.to(points), given)
        self.weights_ = array(weights)
        self.components_ = array(
            sample_frequencies(pool, weights.cpu(), given.n_components, generator=drawing).to(points.dtype)
        )
        self.kl_ = float(kl_divergence(weights))
        self.chi_square_ = float(chi_square_divergence(weights))
        self.effective_sample_size_ = float(effective_sample_size(weights))
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Cosines and sines (n, 2 n_components); every row has Euclidean norm 1."""
        points = self._checked_points(X)
        return array(random_fourier_features(points, self._tensor(self.components_).to(points)))

    def _weights(self, points: Tensor, codes: Tensor, pool: Tensor, given: Any) -> Tensor:
        """Weights of the pool in float64, (N,)."""
        if self.weighting == "uniform":
            return torch.full((len(pool),), 1 / len(pool), dtype=torch.float64, device=pool.device)
        if len(self.classes_) == 2:
            losses = binary_alignment_loss(points, (2 * codes - 1).to(points), pool)
        else:
            losses = multiclass_alignment_loss(points, codes, pool)
        self.losses_ = array(losses)
        if self.weighting == "chi-square":
            return chi_square_alignment_weights(losses.double(), given.rho)
        return pseudo_bayesian_weights(losses.double(), given.beta, sample_size=len(points))
