"""Eigenvalues and vectors of symmetric matrices, singular values and the norms made of them.

Approximate eigenvectors X are found in plain arithmetic; what encloses is proved from them in balls. By Ostrowski's
theorem the k-th eigenvalues of A and X'AX differ by a factor between the extreme eigenvalues of X'X, by Weyl's those of
X'AX are its diagonal up to the norm of the rest, and by Davis and Kahan's the angle between a vector and an isolated
eigenvector is at most residual / gap.
"""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from flint import arb, arb_mat, ctx

from harness.certify.precision.balls import NAN, ONE, ZERO, boxed, each, lift, spend, undecided
from harness.certify.precision.elementwise import Operation
from harness.certify.precision.functions import divided, root
from harness.certify.precision.matrices import as_array, as_matrix, lower_half, over_leading, product, squares_only
from harness.certify.precision.reductions import axes_of, largest, reduced, smallest, total, vector_norm

SWEEPS = 14  # of rotations; each squares the error once it is small


def _upper_size(entries: list[arb]) -> arb:
    """An upper bound of the Euclidean norm."""
    return total([entry.abs_upper() ** 2 for entry in entries]).upper().max(ZERO).sqrt().upper()


def _orthonormal(basis: arb_mat) -> arb_mat:
    """Newton's steps towards the nearest orthogonal matrix."""
    size = basis.nrows()
    three = arb_mat(size, size, 3)
    for _ in range(2 + max(ctx.prec // 50, 1).bit_length()):
        basis = (basis * (three - basis.transpose() * basis) / 2).mid()
    return basis


def _rotated(matrix: np.ndarray) -> np.ndarray:
    """Jacobi's rotations in plain arithmetic: approximate eigenvectors of an almost diagonal matrix."""
    size = len(matrix)
    vectors = lift(np.eye(size))
    tiny = largest([abs(entry) for entry in matrix.reshape(-1)]) * arb(2) ** (8 - ctx.prec)
    for _ in range(SWEEPS):
        quiet = True
        for p in range(size):
            for q in range(p + 1, size):
                if abs(matrix[p, q]) <= tiny:
                    continue
                quiet = False
                spend(12 * size)
                ratio = (matrix[q, q] - matrix[p, p]) / (2 * matrix[p, q])
                tangent = (-ONE if ratio < 0 else ONE) / (abs(ratio) + (ratio**2 + 1).sqrt())
                cosine = (ONE / (tangent**2 + 1).sqrt()).mid()
                sine = (tangent * cosine).mid()
                for table in (matrix, matrix.T, vectors):
                    first, second = table[:, p].tolist(), table[:, q].tolist()
                    table[:, p] = [(cosine * u - sine * v).mid() for u, v in zip(first, second, strict=True)]
                    table[:, q] = [(sine * u + cosine * v).mid() for u, v in zip(first, second, strict=True)]
        if quiet:
            break
    return vectors


def _basis(square: np.ndarray) -> arb_mat:
    """Approximate eigenvectors in columns, eigenvalues ascending; with the signs that LAPACK gives them."""
    size = len(square)
    top = largest([entry.abs_upper() for entry in square.reshape(-1)])
    if not top.is_finite():
        raise undecided("eigenvalues of a matrix that could not be enclosed")
    if top.is_zero():
        return as_matrix(lift(np.eye(size)))
    scale = top if top > 1e150 or top < 1e-150 else ONE
    scaled = torch.tensor([float((entry.mid() / scale).mid()) for entry in square.reshape(-1)], dtype=torch.float64)
    start = as_matrix(lift(torch.linalg.eigh(scaled.reshape(square.shape)).eigenvectors))
    start = _orthonormal(start)
    spend(20 * size**3)
    almost = as_array((start.transpose() * as_matrix(square) * start).mid())
    basis = _orthonormal(start * as_matrix(_rotated(almost)))
    final = as_array((basis.transpose() * as_matrix(square) * basis).mid())
    order = sorted(range(size), key=lambda k: final[k, k])
    return as_matrix(as_array(basis)[:, order])


def _enclosed(square: np.ndarray) -> tuple[list[arb], arb_mat]:
    """Eigenvalues of one symmetric matrix in ascending order, and the approximate vectors behind them."""
    basis = _basis(square)
    within = as_array(basis.transpose() * as_matrix(square) * basis)
    gram = as_array(basis.transpose() * basis - as_matrix(lift(np.eye(len(square)))))
    outside = ~np.eye(len(square), dtype=bool)
    rest, skew = _upper_size(within[outside].tolist()), _upper_size(gram.reshape(-1).tolist())
    if not (rest.is_finite() and skew < 1):
        raise undecided("eigenvalues that could not be enclosed")
    factor = (ONE - skew).union(ONE + skew)
    lows = sorted(entry.lower() for entry in np.diagonal(within))
    highs = sorted(entry.upper() for entry in np.diagonal(within))
    return [(low - rest).union(high + rest) / factor for low, high in zip(lows, highs, strict=True)], basis


def eigenvalues(matrices: np.ndarray, uplo: str = "L") -> np.ndarray:
    """Eigenvalues of symmetric matrices in ascending order."""
    wide = lower_half(squares_only(matrices), uplo)
    result = np.empty(wide.shape[:-1], dtype=object)
    for index, (square,) in over_leading(wide):
        result[index] = _enclosed(square)[0]
    return result


class Eigen(NamedTuple):
    """What torch.linalg.eigh returns."""

    eigenvalues: Any
    eigenvectors: Any


def _eigh(A: Any, UPLO: str = "L") -> Eigen:
    """Values, and unit vectors with LAPACK's sign; those of eigenvalues that are not isolated are nan."""
    wide = lower_half(squares_only(lift(A)), UPLO)
    values, vectors = np.empty(wide.shape[:-1], dtype=object), np.empty(wide.shape, dtype=object)
    for index, (square,) in over_leading(wide):
        found, basis = _enclosed(square)
        values[index] = found
        columns = [_vector(square, found, as_array(basis)[:, k], k) for k in range(len(square))]
        vectors[index] = boxed([column[i] for i in range(len(square)) for column in columns], square.shape)
    return Eigen(values, vectors)


def _vector(square: np.ndarray, values: list[arb], column: np.ndarray, k: int) -> list[arb]:
    length = total([entry**2 for entry in column]).sqrt()
    image = product(square, column)
    quotient = (total([u * v for u, v in zip(image, column, strict=True)]) / length**2).mid()
    gaps = [quotient - values[k - 1].upper()] if k > 0 else []
    gaps += [values[k + 1].lower() - quotient] if k + 1 < len(values) else []
    gap = smallest(gaps) if gaps else ONE
    residual = _upper_size([u - quotient * v for u, v in zip(image, column, strict=True)]) if gaps else ZERO
    if not gap > 0:
        return [NAN] * len(column)
    sine = (residual / (gap * length)).upper()
    if not sine < 1:
        return [NAN] * len(column)
    away = arb(1.5) * sine  # |v - x/|x|| = 2 sin(angle / 2) <= 2^0.5 sin(angle)
    return [(entry / length - away).union(entry / length + away) for entry in column]


def singular_values(matrices: np.ndarray) -> np.ndarray:
    """Singular values in descending order, by the Gram matrix of the shorter side."""
    if matrices.ndim < 2:
        raise ValueError("matrices are needed")
    turned = np.swapaxes(matrices, -1, -2)
    gram = product(turned, matrices) if matrices.shape[-1] <= matrices.shape[-2] else product(matrices, turned)
    return each(root, eigenvalues(gram)[..., ::-1])


def _matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False) -> np.ndarray:
    array = lift(A)
    rows, columns = axes_of(dim, array.ndim)
    if ord == "fro":
        return vector_norm(array, 2, dim, keepdim)
    matrices = np.moveaxis(array, (rows, columns), (-2, -1))
    pick = smallest if isinstance(ord, int | float) and ord < 0 else largest
    if ord in ("nuc", 2, -2):
        result = reduced(total if ord == "nuc" else pick, singular_values(matrices), -1)
    elif ord in (1, -1, math.inf, -math.inf):
        sums = reduced(total, each(abs, matrices), -2 if abs(ord) == 1 else -1)
        result = reduced(pick, sums, -1)
    else:
        raise ValueError(f"a matrix norm of order {ord}")
    return np.expand_dims(result, (rows, columns)) if keepdim else result


def _norm(A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False) -> np.ndarray:
    """torch.linalg.norm: of vectors or of matrices, by the number of axes."""
    array = lift(A)
    if ord is None:
        return vector_norm(array, 2, dim, keepdim)
    if dim is None and array.ndim not in (1, 2):
        raise ValueError("axes are needed")
    axes = axes_of(dim, array.ndim)
    return (vector_norm if len(axes) == 1 else _matrix_norm)(array, ord, axes, keepdim)


def _condition(A: Any, p: Any = None) -> np.ndarray:
    if p not in (None, 2, -2):
        raise ValueError(f"a condition number of order {p}")
    values = singular_values(lift(A))
    high, low = (values[..., -1], values[..., 0]) if p == -2 else (values[..., 0], values[..., -1])
    return each(divided, np.asarray(high, dtype=object), np.asarray(low, dtype=object))


OPERATIONS: dict[str, Operation] = {
    "linalg_eigvalsh": lambda A, UPLO="L": eigenvalues(lift(A), UPLO),
    "linalg_eigh": _eigh,
    "linalg_svdvals": lambda A: singular_values(lift(A)),
    "linalg_matrix_norm": _matrix_norm,
    "linalg_norm": _norm,
    "linalg_cond": _condition,
}
