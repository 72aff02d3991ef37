"""Kernels of finite rank: leverage scores and effective dimension by r x r linear algebra."""

from typing import Annotated

import torch
from torch import Tensor

from algos._cholesky import as_ridge, regularised_cholesky
from algos._domains import ColumnMasses, NonNegativeBatch, Undefinable
from algos.ridge.leverage import effective_dimension
from signatures.checked import checked
from signatures.tensors import Shaped


@checked
def finite_rank_effective_dimension(
    factor: Annotated[Tensor, Shaped("*batch n r")], ridge: NonNegativeBatch
) -> Undefinable:
    """Effective dimension of a kernel of finite rank.

    ``d_K = Tr[G (G + n lambda I)^{-1}]`` with ``G = Phi^T Phi`` for the kernel matrix ``K = Phi Phi^T``: the non-zero
    eigenvalues of G and K agree.

    Parameters
    ----------
    factor : Tensor (*batch, n, r)
        Phi, the values of r functions at the n points.
    ridge : float or Tensor (*batch,)
        The product n lambda >= 0. An entry for which ``G + n lambda I`` is singular gives NaN.

    Returns
    -------
    Tensor (*batch,)
        Between 0 and min(n, r).

    Raises
    ------
    ValueError
        If the ridge is negative.

    References
    ----------
    uarff Section 2.2, by the push-through identity.
    """
    return effective_dimension(factor.mT @ factor, ridge)


@checked
def finite_rank_leverage_scores(
    factor: Annotated[Tensor, Shaped("*batch n r")],
    atoms: Annotated[Tensor, Shaped("*batch r v")],
    probabilities: ColumnMasses,
    ridge: NonNegativeBatch,
) -> Undefinable:
    """Ridge leverage scores of features that are combinations of finitely many functions.

    For ``z_v = Phi a_v`` with ``sum_v p(v) a_v a_v^T = I`` (so that ``K = Phi Phi^T``) and ``G = Phi^T Phi``:
    ``l(v) = p(v) a_v^T G (G + n lambda I)^{-1} a_v = p(v) (|G u|^2 + n lambda u^T G u)`` with
    ``u = (G + n lambda I)^{-1} a_v``. Nothing of size n x V or n x n is formed, and the two terms do not cancel.

    Parameters
    ----------
    factor : Tensor (*batch, n, r)
        Phi.
    atoms : Tensor (*batch, r, V)
        Column v is a_v. Their second moment under p is not checked: without it the scores belong to another kernel.
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
    uarff Section 2.2, by the push-through identity.
    """
    _check_atoms(factor, atoms, probabilities)
    gram = factor.mT @ factor
    cholesky = regularised_cholesky(gram, ridge)
    half = torch.linalg.solve_triangular(cholesky, atoms, upper=False)
    solved = torch.linalg.solve_triangular(cholesky.mT, half, upper=True)
    images = gram @ solved
    scores: Tensor = probabilities * (images.square().sum(-2) + as_ridge(ridge, gram) * (solved * images).sum(-2))
    return scores


@checked
def whitened_atoms(atoms: Annotated[Tensor, Shaped("*batch r v")], probabilities: ColumnMasses) -> Undefinable:
    """Atoms with second moment the identity: ``a_v = S^{-1} b_v`` with ``S S^T = sum_v p(v) b_v b_v^T`` (Cholesky).

    Parameters
    ----------
    atoms : Tensor (*batch, r, V)
        b, of full rank r under p; otherwise the result is NaN.
    probabilities : Tensor (*batch, V)

    Returns
    -------
    Tensor (*batch, r, V)

    Raises
    ------
    ValueError
        If the number of probabilities is not the number of atoms.

    References
    ----------
    uarff eq. 3, for a kernel of finite rank.
    """
    _check_atoms(atoms.mT, atoms, probabilities)
    factor = regularised_cholesky((atoms * probabilities.unsqueeze(-2)) @ atoms.mT, 0.0)
    whitened: Tensor = torch.linalg.solve_triangular(factor, atoms, upper=False)
    return whitened


def _check_atoms(factor: Tensor, atoms: Tensor, probabilities: Tensor) -> None:
    if (
        min(factor.ndim, atoms.ndim) < 2
        or factor.shape[-1] != atoms.shape[-2]
        or probabilities.ndim < 1
        or atoms.shape[-1] != probabilities.shape[-1]
    ):
        raise ValueError(
            f"the factor has shape {tuple(factor.shape)}, the atoms {tuple(atoms.shape)} and the probabilities "
            f"{tuple(probabilities.shape)}: pass (*batch, n, r), (*batch, r, V) and (*batch, V)"
        )
