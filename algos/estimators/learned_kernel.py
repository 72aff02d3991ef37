"""Random features whose weights are learned by alignment with the labels, as a transformer."""

import math
from typing import Annotated, Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy.sparse import diags_array, issparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import Tensor

from algos._domains import AnyDevice, ArcCosineOrder, OrderAboveOne
from algos.divergence_ball.exact import DivergenceBallSolution, chi_square_ball_maximum, divergence_ball_maximum
from algos.estimators._base import Array, RandomState, TensorTransformer, array
from algos.fourier.feature_families import ArcCosine, Coordinates, FeatureFamily, OffsetCosine
from algos.kernel_learning.weights import alignment_vector, class_targets, sampled_features, support
from signatures.domains import Options
from signatures.numbers import NonNegativeFloat, PositiveFloat, Size


class LearnedKernelFeatures(TensorTransformer):
    """Random features weighted by the law in a divergence ball that best aligns their kernel with the labels.

    A pool of features ``phi(x, w_m)`` is drawn; the weights q maximise ``sum_m q_m v_m``, with v_m the alignment of the
    feature with the labels, over ``{q : N^(k-1) sum_m q_m^k - 1 <= rho}``, exactly and with a certificate.

    Parameters
    ----------
    family : {"gaussian", "linear", "arc-cosine"}
        ``cos(<w, x> + b)``; the coordinates of x, all of which form the pool; ``1[<w, x> > 0] <w, x>^order``.
    order : {0, 1, 2}
        Of the arc-cosine features.
    gamma : float
        Positive. Of the Gaussian features, ``w ~ N(0, 2 gamma I)``.
    n_features : int
        Size of the pool, except for "linear".
    rho : float
        Non-negative. Radius of the ball: 0 leaves the features unweighted, large values select few.
    order_k : float
        Above 1. Order k of the divergence, 2 for the chi-square divergence. The paper has k >= 2.
    estimator : {"reweighted", "sampled", "fewest"}
        The features of positive weight, times ``sqrt(q_m)``; `n_components` draws from q, over ``sqrt(n_components)``;
        whichever of the two has fewer features, as in the experiments of the paper: the second if `n_components` is
        below the number of positive weights, else the first.
    n_components : int
        Number of draws; plays no part for "reweighted".
    random_state : int, RandomState or None
    device : str, torch.device or None
        Where to compute; None is the CPU. Sparse samples stay on the CPU.

    Attributes
    ----------
    weights_ : ndarray (pool,)
        q, in float64.
    nnz_ : int
        Number of positive weights.
    alignment_ : ndarray (pool,)
        ``v / n^2``, the mean of S_ij phi_i phi_j over all pairs, the diagonal included.
    value_, gap_, threshold_ : float
        The alignment of the learned kernel; how far it can be from the best in the ball (zero up to rounding); the
        threshold eta below which a feature has weight zero, minus infinity for rho = 0.
    indices_ : ndarray (n_out,)
        Which features of the pool the transformer returns; draws may repeat.
    parameters_, scales_ : ndarray (n_out, p) and (n_out,)
        Of the returned features.
    classes_ : ndarray
        Sorted labels. More than two are compared by 1 if equal and -1 / (L - 1) if not.

    Notes
    -----
    Sparse samples are accepted for "linear", and give sparse features.

    References
    ----------
    lkrf eqs. (4), (5), (6) and Section 4.
    """

    weights_: Array
    alignment_: Array
    indices_: Array
    parameters_: Array
    scales_: Array

    def __init__(
        self,
        family: Annotated[str, Options(("gaussian", "linear", "arc-cosine"))] = "gaussian",
        *,
        order: ArcCosineOrder = 2,
        gamma: PositiveFloat = 0.5,
        n_features: Size = 2000,
        rho: NonNegativeFloat = 10.0,
        order_k: OrderAboveOne = 2.0,
        estimator: Annotated[str, Options(("reweighted", "sampled", "fewest"))] = "reweighted",
        n_components: Size = 100,
        random_state: RandomState = None,
        device: AnyDevice = None,
    ) -> None:
        self.family = family
        self.order = order
        self.gamma = gamma
        self.n_features = n_features
        self.rho = rho
        self.order_k = order_k
        self.estimator = estimator
        self.n_components = n_components
        self.random_state = random_state
        self.device = device

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.family == "linear"
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.indices_)

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Draw the pool, weigh it, and choose the features to return."""
        given = self._checked_parameters()
        family = _family(given)
        sample, labels = validate_data(self, X, y, ensure_min_samples=2, **self._rules())
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        targets = class_targets(torch.from_numpy(codes))
        drawing, generator = self._generators()
        if isinstance(family, Coordinates):
            pool = family.every(sample.shape[1])
        else:
            pool = family.draw(given.n_features, sample.shape[1], generator=generator)
        alignment = self._alignment(sample, targets, pool, family) / sample.shape[0] ** 2
        if not bool(alignment.isfinite().all()):
            raise ValueError("X holds entries so large that sums over pairs leave float64: scale its columns")
        solution = _solve(alignment, given)
        self.alignment_, self.weights_ = array(alignment), array(solution.weights)
        self.value_, self.gap_ = float(solution.value), float(solution.gap)
        self.threshold_ = float(solution.threshold)
        self._choose(solution.weights.cpu(), given.n_components, drawing)
        self.parameters_ = array(pool)[self.indices_].astype(sample.dtype if pool.is_floating_point() else np.int64)
        return self

    def transform(self, X: ArrayLike) -> Any:
        """Weighted features (n, n_out), whose inner products are the learned kernel, or an estimate of it."""
        check_is_fitted(self)
        sample: Any = validate_data(self, X, reset=False, **self._rules())
        scales = self.scales_.astype(sample.dtype)
        if issparse(sample):
            return sample[:, self.parameters_[:, 0]] @ diags_array(scales, dtype=sample.dtype)
        points, parameters = self._tensor(sample), self._tensor(self.parameters_)
        parameters = parameters.to(points.dtype) if parameters.is_floating_point() else parameters
        return array(_family(self._checked_parameters()).evaluate(points, parameters) * self._tensor(scales))

    def _rules(self) -> dict[str, Any]:
        return {"dtype": (np.float64, np.float32), "accept_sparse": "csr" if self.family == "linear" else False}

    def _alignment(self, sample: Any, targets: Tensor, pool: Tensor, family: FeatureFamily) -> Tensor:
        """Sums over pairs in float64, (pool,)."""
        if issparse(sample):
            sums = np.asarray(sample.T @ targets.mT.numpy().astype(np.float64))
            return torch.from_numpy(np.square(sums).sum(1))
        points = self._tensor(sample)
        pool = pool.to(points if pool.is_floating_point() else points.device)
        return alignment_vector(points, targets.to(points), pool, family).double()

    def _choose(self, weights: Tensor, count: int, generator: torch.Generator) -> None:
        """Set the returned features and their scales: the support of the weights, or draws from them."""
        kept = support(weights)
        self.nnz_ = len(kept)
        if self.estimator == "sampled" or (self.estimator == "fewest" and count < self.nnz_):
            self.indices_ = array(sampled_features(weights, count, generator=generator))
            self.scales_ = np.full(count, 1 / math.sqrt(count))
        else:
            self.indices_, self.scales_ = array(kept), array(weights[kept].sqrt())


def _family(given: Any) -> FeatureFamily:
    if given.family == "gaussian":
        return OffsetCosine(given.gamma)
    return Coordinates() if given.family == "linear" else ArcCosine(given.order)


def _solve(alignment: Tensor, given: Any) -> DivergenceBallSolution:
    if given.order_k == 2:
        return chi_square_ball_maximum(alignment, given.rho)
    return divergence_ball_maximum(alignment, given.rho, order=given.order_k)
