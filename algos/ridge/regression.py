"""Ridge regression on a kernel matrix and on random features, in the two forms that agree."""

from typing import Annotated

import torch
from torch import Tensor

from algos._cholesky import as_ridge, cholesky_solve, regularised_cholesky
from algos._domains import Coefficients, Kernel, NonNegativeBatch, Undefinable, Vector
from signatures.checked import checked
from signatures.numbers import PositiveFloat
from signatures.tensors import Shaped


@checked
def dual_coefficients(kernel: Kernel, targets: Vector, ridge: NonNegativeBatch) -> Undefinable:
    """Coefficients of kernel ridge regression.

    ``w = (K + n lambda I)^{-1} Y``; the fitted function is ``sum_i w_i k(x_i, .)`` and its squared norm ``w^T K w``.

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, not divided by n.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. An entry for which ``K + n lambda I`` is singular gives NaN.

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If the kernel is not square, the targets do not match it or the ridge is negative.

    References
    ----------
    uarff eq. 1.
    """
    _check_targets(kernel, targets)
    return cholesky_solve(regularised_cholesky(kernel, ridge), targets)


@checked
def kernel_ridge_fit(kernel: Kernel, targets: Vector, ridge: NonNegativeBatch) -> Undefinable:
    """In-sample prediction of kernel ridge regression.

    ``K (K + n lambda I)^{-1} Y``. With the kernel of sampled features it is the in-sample prediction of the
    random-feature ridge estimator.

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, not divided by n.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. An entry for which ``K + n lambda I`` is singular gives NaN.

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If the kernel is not square, the targets do not match it or the ridge is negative.

    References
    ----------
    uarff eq. 7 and Lemma 24.
    """
    return (kernel @ dual_coefficients(kernel, targets, ridge).unsqueeze(-1)).squeeze(-1)


@checked
def feature_ridge_coefficients(
    features: Annotated[Tensor, Shaped("*batch n s")], targets: Vector, ridge: NonNegativeBatch
) -> Undefinable:
    """Coefficients of ridge regression on s random features.

    ``beta = argmin |Y - Z b|^2 / n + lambda s |b|^2 = (Z^T Z + s n lambda I)^{-1} Z^T Y``, through whichever is smaller
    of the s x s matrix and the n x n form ``beta = Z^T (Z Z^T / s + n lambda I)^{-1} Y / s``.

    Parameters
    ----------
    features : Tensor (*batch, n, s)
        Importance weights ``sqrt(p/q)`` included, the factor ``1/sqrt(s)`` not.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the targets do not match the features or the ridge is negative.

    References
    ----------
    uarff eq. 7.
    """
    _check_targets(features, targets)
    n, s = features.shape[-2:]
    if s <= n:
        moments = (features.mT @ targets.unsqueeze(-1)).squeeze(-1)
        return feature_ridge_from_moments(features.mT @ features, moments, ridge)
    weights = dual_coefficients(features @ features.mT / s, targets, ridge)
    return (features.mT @ weights.unsqueeze(-1)).squeeze(-1) / s


@checked
def feature_ridge_from_moments(
    gram: Annotated[Tensor, Shaped("*batch s s")], moments: Coefficients, ridge: NonNegativeBatch
) -> Undefinable:
    """Coefficients of ridge regression on s random features from sums over the sample.

    ``beta = (G + s n lambda I)^{-1} m`` with ``G = Z^T Z`` and ``m = Z^T Y``, so that Z can be streamed.

    Parameters
    ----------
    gram : Tensor (*batch, s, s)
    moments : Tensor (*batch, s)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the Gram matrix is not square, the moments do not match it or the ridge is negative.

    References
    ----------
    uarff eq. 7.
    """
    _check_targets(gram, moments)
    scale = as_ridge(ridge, gram).squeeze(-1) * gram.shape[-1]
    return cholesky_solve(regularised_cholesky(gram, scale), moments)


@checked
def feature_ridge_fit(
    features: Annotated[Tensor, Shaped("*batch n s")], targets: Vector, ridge: NonNegativeBatch
) -> Undefinable:
    """In-sample prediction of ridge regression on s random features.

    ``Z beta = K~ (K~ + n lambda I)^{-1} Y`` with ``K~ = Z Z^T / s``.

    Parameters
    ----------
    features : Tensor (*batch, n, s)
        Importance weights ``sqrt(p/q)`` included, the factor ``1/sqrt(s)`` not.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If the targets do not match the features or the ridge is negative.

    References
    ----------
    uarff eq. 7.
    """
    return (features @ feature_ridge_coefficients(features, targets, ridge).unsqueeze(-1)).squeeze(-1)


@checked
def ridge_cross_term(kernel: Kernel, approximation: Kernel, targets: Vector, ridge: NonNegativeBatch) -> Undefinable:
    """Inner product of the kernel ridge residual with the error of refitting by another kernel.

    ``<Y - f, f - f~> / n`` with ``f = K (K + n lambda I)^{-1} Y`` and ``f~ = K~ (K~ + n lambda I)^{-1} f``.

    Parameters
    ----------
    kernel, approximation : Tensor (*batch, n, n)
        K and K~, positive semidefinite.
    targets : Tensor (*batch, n)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If the shapes do not fit together or the ridge is negative.

    References
    ----------
    uarff Lemma 24.
    """
    weights = dual_coefficients(kernel, targets, ridge)
    fit = (kernel @ weights.unsqueeze(-1)).squeeze(-1)
    missed = as_ridge(ridge, kernel) * dual_coefficients(approximation, fit, ridge)
    residual = as_ridge(ridge, kernel) * weights
    return (residual * missed).sum(-1) / kernel.shape[-1]


@checked
def unit_ball_coefficients(kernel: Kernel, directions: Vector, *, relative_jitter: PositiveFloat = 1e-6) -> Tensor:
    """Dual coefficients of functions in the unit ball, one for each direction.

    ``w = L^{-T} u`` with ``L L^T = K + jitter I``, so that the function ``sum_i w_i k(x_i, .)`` has squared norm
    ``w^T K w <= |u|^2``. Every function spanned by the sample is reached as the jitter goes to zero; with it the
    coefficients stay bounded, by ``|u| / sqrt(jitter)``, also where K is singular (duplicated points).

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite and not zero.
    directions : Tensor (*batch, n)
        u, of Euclidean norm at most 1.
    relative_jitter : float
        The jitter as a multiple of the mean eigenvalue of K; positive.

    Returns
    -------
    Tensor (*batch, n)

    Raises
    ------
    ValueError
        If the directions do not match the kernel or the jitter is not positive.

    References
    ----------
    uarff Assumption 1 (all estimators in the unit ball).
    """
    _check_targets(kernel, directions)
    if not relative_jitter > 0:
        raise ValueError(f"the relative jitter is {relative_jitter}, but must be positive: pass for example 1e-6")
    mean_eigenvalue = kernel.diagonal(dim1=-2, dim2=-1).mean(-1)
    if bool((mean_eigenvalue < 0).any()):
        raise ValueError(f"kernel has the mean eigenvalue {mean_eigenvalue.min().item()}, but must be semidefinite.")
    factor = regularised_cholesky(kernel, relative_jitter * mean_eigenvalue)
    coefficients: Tensor = torch.linalg.solve_triangular(factor.mT, directions.unsqueeze(-1), upper=True)
    return coefficients.squeeze(-1)


def _check_targets(matrix: Tensor, targets: Tensor) -> None:
    if matrix.ndim < 2 or targets.ndim < 1 or matrix.shape[-2] != targets.shape[-1]:
        raise ValueError(
            f"the matrix has shape {tuple(matrix.shape)} and the targets {tuple(targets.shape)}, but each row needs "
            "one target: pass (*batch, n, columns) and (*batch, n)"
        )
    if not torch.is_floating_point(targets):
        raise ValueError(f"the targets have dtype {targets.dtype}, but must be real numbers: pass float64")
