"""Similarities to landmarks as transformers: the Gaussian kernel, and one learned similarity per landmark."""

import math
from numbers import Integral
from typing import Any, Self

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from algos._domains import AnyDevice, Starts
from algos.estimators._base import Array, RandomState, Selection, TensorTransformer, array
from algos.fourier.random_features import gaussian_frequencies, gaussian_kernel
from algos.kernel_learning.alignment import landmark_alignment_loss
from algos.kernel_learning.greedy_kernel import pseudo_bayesian_weights
from algos.kernel_learning.landmarks import kmeans_landmarks, random_landmarks, similarity_map, stratified_landmarks
from algos.kernel_learning.pseudo_posterior import chi_square_divergence, effective_sample_size, kl_divergence
from signatures.domains import Plain
from signatures.numbers import NonNegativeFloat, PositiveFloat, Size


class _LandmarkTransformer(TensorTransformer):
    """Chooses landmarks; with equal `random_state` every subclass chooses the same ones."""

    n_landmarks: int | float
    gamma: float
    selection: str
    n_init: int
    landmarks_: Array
    landmark_labels_: Array
    landmark_indices_: Array | None

    @property
    def _n_features_out(self) -> int:
        return len(self.landmarks_)

    def _choose(
        self, points: Tensor, codes: Tensor, generator: torch.Generator, given: Any
    ) -> tuple[Tensor, Tensor, bool]:
        """Landmarks (l, d), their codes (l,), and whether they are points of the sample."""
        count = _landmark_count(self.n_landmarks, len(points))
        if self.selection == "kmeans":
            landmarks, chosen = kmeans_landmarks(
                points, codes, count, seed=generator.initial_seed() % 2**32, n_init=given.n_init
            )
            self.landmark_indices_ = None
        else:
            choose = random_landmarks if self.selection == "random" else stratified_landmarks
            indices = choose(codes, count, generator=generator)
            landmarks, chosen = points[indices], codes[indices]
            self.landmark_indices_ = array(indices)
        self.landmarks_ = array(landmarks)
        if self._needs_labels():
            self.landmark_labels_ = self.classes_[array(chosen)]
        return landmarks, chosen, self.selection != "kmeans"


class GaussianLandmarks(_LandmarkTransformer):
    """Gaussian kernel of each point with each landmark: ``exp(-gamma |x - x_l|^2)``, the baseline without learning.

    Parameters
    ----------
    n_landmarks : int or float
        Number of landmarks; a float in (0, 1] is a share of the training points (at least one landmark).
    gamma : float
        Positive. ``1 / (2 sigma^2)``.
    selection : {"random", "stratified", "kmeans"}
        Training points at random; equally many per class; k-means centroids, equally many per class. The last two need
        the labels.
    n_init : int
        Starts of k-means.
    random_state : int, RandomState or None
    device : str, torch.device or None
        Where to compute; None is the CPU.

    Attributes
    ----------
    landmarks_ : ndarray (n_landmarks, d)
    landmark_indices_ : ndarray (n_landmarks,)
        Positions in the training sample; None for "kmeans".
    landmark_labels_, classes_ : ndarray
        Labels of the landmarks, sorted labels; absent for "random".

    References
    ----------
    pbrff Section 4.2, "RBF-Landmarks" of its experiments (Balcan, Blum, Srebro 2008).
    """

    def __init__(
        self,
        n_landmarks: int | float = 0.1,
        *,
        gamma: PositiveFloat = 1.0,
        selection: Selection = "random",
        n_init: Starts = 10,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.n_landmarks = n_landmarks
        self.gamma = gamma
        self.selection = selection
        self.n_init = n_init
        self.random_state = random_state
        self.device = device

    def _needs_labels(self) -> bool:
        return self.selection != "random"

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Choose the landmarks."""
        given = self._checked_parameters()
        points, codes = self._checked_sample(X, y)
        generator, _ = self._generators()
        self._choose(points, codes, generator, given)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Kernel values (n, n_landmarks), in [0, 1]."""
        points = self._checked_points(X)
        landmarks = self._tensor(self.landmarks_).to(points)
        centre = landmarks.mean(0)  # squared norms then cancel no more than they must
        return array(gaussian_kernel(points - centre, landmarks - centre, gamma=self._checked_parameters().gamma))


class PseudoBayesianLandmarks(_LandmarkTransformer):
    """Similarity of each point to each landmark, learned by a pseudo-posterior over random frequencies per landmark.

    ``psi_l(x) = sum_m Q^l_m cos(<w^l_m, x_l - x>)`` with ``w^l_m ~ N(0, 2 gamma I)`` and
    ``Q^l_m ~ exp(-beta sqrt(n) loss^l(w^l_m))``, the loss of landmark l being its mean pair loss with the training
    sample. A landmark taken from the sample leaves its own pair out (n - 1 pairs); a centroid does not (n pairs). With
    equal `random_state` the landmarks are those of `GaussianLandmarks`. The bound of pbrff covers "random" alone.

    Parameters
    ----------
    n_landmarks : int or float
        Number of landmarks; a float in (0, 1] is a share of the training points (at least one landmark).
    n_frequencies : int
        Frequencies of each landmark.
    gamma : float
        Positive. ``1 / (2 sigma^2)``.
    beta : float
        Non-negative. 0 gives plain random features.
    selection : {"random", "stratified", "kmeans"}
        Training points at random; equally many per class; k-means centroids, equally many per class. The last two need
        the labels.
    n_init : int
        Starts of k-means.
    random_state : int, RandomState or None
    device : str, torch.device or None
        Where to compute; None is the CPU.

    Attributes
    ----------
    landmarks_ : ndarray (n_landmarks, d)
    landmark_labels_ : ndarray (n_landmarks,)
    landmark_indices_ : ndarray (n_landmarks,)
        Positions in the training sample; None for "kmeans".
    classes_ : ndarray
        Sorted labels, any number of them.
    frequencies_ : ndarray (n_landmarks, n_frequencies, d)
    losses_, posteriors_ : ndarray (n_landmarks, n_frequencies)
        The posteriors in float64.
    kl_, chi_square_, effective_sample_size_ : ndarray (n_landmarks,)
        Of the posteriors against the uniform prior.

    References
    ----------
    pbrff eqs. 12 and 13, Theorem 1.
    """

    frequencies_: Array
    losses_: Array
    posteriors_: Array
    kl_: Array
    chi_square_: Array
    effective_sample_size_: Array

    def __init__(
        self,
        n_landmarks: int | float = 0.1,
        *,
        n_frequencies: Size = 64,
        gamma: PositiveFloat = 1.0,
        beta: NonNegativeFloat = 1.0,
        selection: Selection = "random",
        n_init: Starts = 10,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.n_landmarks = n_landmarks
        self.n_frequencies = n_frequencies
        self.gamma = gamma
        self.beta = beta
        self.selection = selection
        self.n_init = n_init
        self.random_state = random_state
        self.device = device

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Choose landmarks and frequencies, and weigh the frequencies of each landmark."""
        given = self._checked_parameters()
        points, codes = self._checked_sample(X, y)
        choice, generator = self._generators()
        landmarks, chosen, in_sample = self._choose(points, codes, choice, given)
        shape = (len(landmarks), given.n_frequencies, points.shape[1])
        frequencies = gaussian_frequencies(*shape, gamma=given.gamma, generator=generator).to(points)
        losses = landmark_alignment_loss(points, codes, landmarks, chosen, frequencies, in_sample=in_sample)
        posteriors = pseudo_bayesian_weights(losses.double(), given.beta, sample_size=len(points))
        self.frequencies_, self.losses_, self.posteriors_ = array(frequencies), array(losses), array(posteriors)
        self.kl_ = array(kl_divergence(posteriors))
        self.chi_square_ = array(chi_square_divergence(posteriors))
        self.effective_sample_size_ = array(effective_sample_size(posteriors))
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Similarities (n, n_landmarks), in [-1, 1]."""
        points = self._checked_points(X)
        fitted = (self._tensor(values).to(points) for values in (self.landmarks_, self.frequencies_, self.posteriors_))
        return array(similarity_map(points, *fitted))


def _landmark_count(n_landmarks: object, n: int) -> int:
    """The number of landmarks that an integer or a share asks of n points."""
    if isinstance(n_landmarks, Integral):
        count: int = Plain("[1, inf)", whole=True).acceptor("n_landmarks")(n_landmarks)
        if count > n:
            raise ValueError(f"n_landmarks is {count}, but the sample has n_samples = {n}: ask for fewer")
        return count
    share: float = Plain("(0, 1]", "a share; give an integer for a number").acceptor("n_landmarks")(n_landmarks)
    return max(1, math.floor(share * n + 0.5))
