"""Ridge leverage scores of finitely many features, the effective dimension, and kernels of sampled features."""

from typing import Annotated

import torch
from torch import Tensor

from algos._cholesky import as_ridge, check_square, regularised_cholesky
from algos._domains import ColumnMasses, Kernel, NonNegativeBatch, Undefinable
from algos.ridge._gram import accumulate_gram, by_lapack, differentiable, inverse_diagonal_
from signatures.checked import checked
from signatures.tensors import Shaped


@checked
def feature_kernel(features: Annotated[Tensor, Shaped("*batch n v")], probabilities: ColumnMasses) -> Tensor:
    """Kernel matrix of a finite set of random features.

    ``K = sum_v p(v) z_v z_v^T``, not divided by n.

    Parameters
    ----------
    features : Tensor (*batch, n, V)
        Column v holds ``z(v, x_1), ..., z(v, x_n)``.
    probabilities : Tensor (*batch, V)
        Weights p(v) >= 0; they need not sum to one.

    Returns
    -------
    Tensor (*batch, n, n)

    Raises
    ------
    ValueError
        If the number of probabilities is not the number of features.

    References
    ----------
    uarff eq. 3.
    """
    _check_features(features, probabilities)
    return (features * probabilities.unsqueeze(-2)) @ features.mT


@checked
def effective_dimension(kernel: Kernel, ridge: NonNegativeBatch) -> Undefinable:
    """Number of degrees of freedom of kernel ridge regression.

    ``d_K = Tr K (K + n lambda I)^{-1}``, between 0 and n; computed as ``n - n lambda |L^{-1}|^2`` for the Cholesky
    factor L, with absolute error of order ``n eps max(1, |K| / (n lambda))``, eps the machine precision.

    Parameters
    ----------
    kernel : Tensor (*batch, n, n)
        Positive semidefinite, not divided by n.
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. An entry for which ``K + n lambda I`` is singular gives NaN.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If the kernel is not square or the ridge is negative.

    References
    ----------
    uarff Section 2.2.
    """
    n = kernel.shape[-1]
    inverse_factor = _triangular_inverse(regularised_cholesky(kernel, ridge))
    return (n - as_ridge(ridge, kernel).squeeze(-1) * inverse_factor.square().sum((-2, -1))).clamp(0, n)


@checked
def ridge_leverage_scores(
    features: Annotated[Tensor, Shaped("*batch n v")], probabilities: ColumnMasses, ridge: NonNegativeBatch
) -> Undefinable:
    """Ridge leverage score of every feature of a finite set.

    ``l(v) = p(v) z_v^T (K + n lambda I)^{-1} z_v`` with ``K = sum_v p(v) z_v z_v^T``. The scores sum to the effective
    dimension. For n <= V, and whenever a gradient is wanted, the n x n matrix is factored and each score is a sum of
    squares, with a small *relative* error; for V < n see `gram_leverage_scores`, with a small *absolute* error.

    Parameters
    ----------
    features : Tensor (*batch, n, V)
        Zero columns and columns of probability zero have score zero; duplicates share their common score.
    probabilities : Tensor (*batch, V)
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch, V)

    Raises
    ------
    ValueError
        If the shapes do not fit together or the ridge is negative.

    References
    ----------
    uarff Section 2.2 (the paper's density, with point masses in place of dv).
    """
    _check_features(features, probabilities)
    n, atoms = features.shape[-2:]
    if atoms < n and not differentiable(features, probabilities, ridge):
        roots = probabilities.sqrt()
        gram = accumulate_gram([features]) * (roots.unsqueeze(-1) * roots.unsqueeze(-2))
        return gram_leverage_scores(gram, ridge)
    factor = regularised_cholesky(feature_kernel(features, probabilities), ridge)
    whitened = torch.linalg.solve_triangular(factor, features, upper=False)
    scores: Tensor = probabilities * whitened.square().sum(-2)
    return scores


@checked
def gram_leverage_scores(gram: Annotated[Tensor, Shaped("*batch s s")], ridge: NonNegativeBatch) -> Undefinable:
    """Ridge leverage scores from the s x s Gram matrix of the (weighted) features.

    ``diag(G (G + n lambda I)^{-1}) = 1 - n lambda diag((G + n lambda I)^{-1})``: one Cholesky factor and one triangular
    inverse, no general inverse and no product. Absolute error of order ``eps max(1, |G| / (n lambda))``, eps the
    machine precision: scores far below one lose relative accuracy. Rounding below zero is cut off; zero columns have 0.

    Parameters
    ----------
    gram : Tensor (*batch, s, s)
        ``G = Z_p^T Z_p`` with columns ``sqrt(p(v)) z_v``.
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch, s)

    Raises
    ------
    ValueError
        If the Gram matrix is not square or the ridge is negative.

    References
    ----------
    uarff Algorithm 1. With p(v) = 1/s for a pool of s features the scores sum to the effective dimension; the printed
    ``p_i`` are s times as large.
    """
    check_square("the Gram matrix", gram)
    shift = as_ridge(ridge, gram)
    if by_lapack(gram) and shift.ndim == 1 and not differentiable(shift):
        diagonal = inverse_diagonal_(gram.detach().clone(memory_format=torch.contiguous_format), shift.item())
        return _of_columns(gram, 1 - shift * diagonal)
    inverse_factor = _triangular_inverse(regularised_cholesky(gram, ridge))
    return _of_columns(gram, 1 - shift * inverse_factor.square().sum(-2))


@checked
def sampled_kernel(
    features: Annotated[Tensor, Shaped("*batch n v")],
    probabilities: ColumnMasses,
    counts: ColumnMasses,
    *,
    sampling: ColumnMasses | None = None,
) -> Tensor:
    """Kernel matrix of s sampled features, from the number of times each was drawn.

    ``K~ = (1/s) sum_v c_v (p(v)/q(v)) z_v z_v^T`` with ``s = sum_v c_v``; the s columns are never formed. Unbiased for
    K when ``counts`` is multinomial(s, q) and q > 0 wherever ``p(v) z_v`` is not zero.

    Parameters
    ----------
    features : Tensor (*batch, n, V)
    probabilities : Tensor (*batch, V)
    counts : Tensor (*batch, V)
        At least one positive. An atom that was not drawn contributes nothing, whatever its q.
    sampling : Tensor (*batch, V), optional
        The distribution q the features were drawn from; by default p itself.

    Returns
    -------
    Tensor (*batch, n, n)

    Raises
    ------
    ValueError
        If the shapes do not fit together.

    References
    ----------
    uarff eq. 4 and Section 2.2.
    """
    _check_features(features, probabilities)
    _check_features(features, counts)
    shares = counts / counts.sum(-1, keepdim=True)
    if sampling is None:
        return feature_kernel(features, shares)
    drawn = counts > 0
    ratio = probabilities / torch.where(drawn, sampling, torch.ones_like(sampling))
    return feature_kernel(features, torch.where(drawn, shares * ratio, torch.zeros_like(ratio)))


@checked
def operator_norm_deviation(kernel: Kernel, approximation: Kernel, ridge: NonNegativeBatch) -> Undefinable:
    """Largest relative error of an approximate kernel after regularisation.

    ``|| (K + n lambda I)^{-1/2} (K~ - K) (K + n lambda I)^{-1/2} ||`` in the operator norm. The Cholesky factor takes
    the place of the square root: the two whitened matrices are orthogonally similar.

    Parameters
    ----------
    kernel, approximation : Tensor (*batch, n, n)
        Symmetric; batch axes broadcast.
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. Where the regularised matrix is not positive definite in floats, or a product is not
        finite, the entry is NaN.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If a matrix is not square or the ridge is negative.

    References
    ----------
    uarff Lemma 27.
    """
    check_square("the approximate kernel", approximation)
    whitened = _whiten(approximation - kernel, regularised_cholesky(kernel, ridge))
    return _largest_eigenvalue(whitened, absolute=True)


@checked
def unit_ball_approximation_ratio(kernel: Kernel, approximation: Kernel, ridge: NonNegativeBatch) -> Undefinable:
    """Largest error, in units of lambda, of approximating the unit ball of one kernel by the functions of another.

    ``rho = lambda_max(K^{1/2} (K~ + n lambda I)^{-1} K^{1/2})``: the supremum over the unit ball of K, seen on the
    sample, of ``min_beta |f - Z beta|^2 / n + lambda s |beta|^2`` is ``lambda rho``. With ``K~ + n lambda I = L L^T``
    it is the largest eigenvalue of ``L^{-1} K L^{-T}``; rho <= 2 exactly when ``K~ + n lambda I >= K / 2``.

    Parameters
    ----------
    kernel, approximation : Tensor (*batch, n, n)
        K and K~, positive semidefinite; batch axes broadcast.
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. An entry for which ``K~ + n lambda I`` is not positive definite in floats is NaN.

    Returns
    -------
    Tensor (*batch,)

    Raises
    ------
    ValueError
        If a matrix is not square or the ridge is negative.

    References
    ----------
    uarff Lemma 22 (in its uniform form, which is what its proof shows).
    """
    check_square("the kernel matrix", kernel)
    return _largest_eigenvalue(_whiten(kernel, regularised_cholesky(approximation, ridge)))


def _check_features(features: Tensor, weights: Tensor) -> None:
    if features.ndim < 2 or weights.ndim < 1 or features.shape[-1] != weights.shape[-1]:
        raise ValueError(
            f"features have shape {tuple(features.shape)} and their weights {tuple(weights.shape)}, but each column "
            "needs one weight: pass (*batch, n, V) and (*batch, V)"
        )


def _of_columns(gram: Tensor, scores: Tensor) -> Tensor:
    """The scores without what rounding leaves below zero, and of zero columns."""
    nothing = (gram.diagonal(dim1=-2, dim2=-1) == 0) & scores.isfinite()
    return torch.where(nothing, 0.0, scores.clamp_min(0))


def _triangular_inverse(factor: Tensor) -> Tensor:
    identity = torch.eye(factor.shape[-1], dtype=factor.dtype, device=factor.device)
    inverse: Tensor = torch.linalg.solve_triangular(factor, identity.expand_as(factor), upper=False)
    return inverse


def _whiten(matrix: Tensor, factor: Tensor) -> Tensor:
    """``L^{-1} M L^{-T}`` for symmetric M."""
    half = torch.linalg.solve_triangular(factor, matrix, upper=False)
    whitened: Tensor = torch.linalg.solve_triangular(factor, half.mT, upper=False)
    return whitened


def _largest_eigenvalue(matrix: Tensor, *, absolute: bool = False) -> Tensor:
    """Of each symmetric matrix, NaN where an entry is NaN."""
    singular = matrix.isnan().any((-2, -1), keepdim=True)
    eigenvalues: Tensor = torch.linalg.eigvalsh(torch.where(singular, torch.zeros_like(matrix), matrix))
    values = eigenvalues.abs() if absolute else eigenvalues
    return values.amax(-1).masked_fill(singular[..., 0, 0], float("nan"))
