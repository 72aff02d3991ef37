"""Products, systems and factors of matrices, over any leading axes."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from flint import arb, arb_mat

from harness.certify.precision.balls import NAN, ONE, ZERO, boxed, each, lift, scalar, spend, undecided
from harness.certify.precision.elementwise import Operation
from harness.certify.precision.functions import logarithm, squared
from harness.certify.precision.reductions import axes_of, reduced, total


def as_matrix(array: np.ndarray) -> arb_mat:
    rows, columns = array.shape
    return arb_mat(rows, columns, array.reshape(-1).tolist())


def as_array(matrix: arb_mat) -> np.ndarray:
    shape = (matrix.nrows(), matrix.ncols())
    return boxed([matrix[i, j] for i in range(shape[0]) for j in range(shape[1])], shape)


def over_leading(*arrays: np.ndarray) -> Iterator[tuple[Any, tuple[np.ndarray, ...]]]:
    """Matching matrices over broadcast leading axes."""
    lead = np.broadcast_shapes(*(a.shape[:-2] for a in arrays))
    wide = [np.broadcast_to(a, lead + a.shape[-2:]) for a in arrays]
    for index in np.ndindex(lead):
        yield index, tuple(a[index] for a in wide)


def lower_half(array: np.ndarray, uplo: str = "L") -> np.ndarray:
    """The symmetric matrix that torch sees: it reads one triangle."""
    read = array if uplo == "L" else np.swapaxes(array, -1, -2)
    return np.where(np.tri(array.shape[-1], dtype=bool), read, np.swapaxes(read, -1, -2))


def squares_only(array: np.ndarray) -> np.ndarray:
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError("square matrices are needed")
    return array


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Matrix products under torch.matmul's rules."""
    if not (a.ndim and b.ndim):
        raise ValueError("a product of matrices needs axes")
    left, right = (a[None, :] if a.ndim == 1 else a), (b[:, None] if b.ndim == 1 else b)
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matrices of shapes {a.shape} and {b.shape}")
    lead = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    result = np.empty((*lead, left.shape[-2], right.shape[-1]), dtype=object)
    for index, (first, second) in over_leading(left, right):
        spend(first.size * second.shape[1])
        result[index] = as_array(as_matrix(first) * as_matrix(second))
    result = result[..., 0] if b.ndim == 1 else result
    return result if a.ndim > 1 else result[..., 0] if b.ndim == 1 else result[..., 0, :]


def _product_of(*ranks: int) -> Operation:
    """A product for operands with these numbers of axes only."""

    def operation(input: Any, other: Any) -> np.ndarray:
        a, b = lift(input), lift(other)
        if (a.ndim, b.ndim) != ranks:
            raise ValueError(f"operands with {a.ndim} and {b.ndim} axes")
        return product(a, b)

    return operation


def _inner(input: Any, other: Any) -> np.ndarray:
    a, b = lift(input), lift(other)
    if not (a.ndim and b.ndim):
        return each(lambda u, v: u * v, a, b)
    flat = product(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]).T)
    return flat.reshape(a.shape[:-1] + b.shape[:-1])


def _vecdot(x: Any, y: Any, dim: int = -1) -> np.ndarray:
    return reduced(total, each(lambda u, v: u * v, lift(x), lift(y)), dim)


def _outer(input: Any, vec2: Any) -> np.ndarray:
    a, b = lift(input), lift(vec2)
    if (a.ndim, b.ndim) != (1, 1):
        raise ValueError("an outer product needs vectors")
    return each(lambda u, v: u * v, a[:, None], b[None, :])


def _cross(input: Any, other: Any, dim: Any = -1) -> np.ndarray:
    a, b = np.broadcast_arrays(lift(input), lift(other))
    (axis,) = axes_of(dim, a.ndim)
    if a.shape[axis] != 3:
        raise ValueError("a cross product needs three coordinates")
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    parts = [each(lambda u, v, w, z: u * v - w * z, a[i - 2], b[i - 1], a[i - 1], b[i - 2]) for i in range(3)]
    return np.moveaxis(np.stack(parts), 0, axis)


def _chain(tensors: Sequence[Any]) -> np.ndarray:
    result = lift(tensors[0])
    for tensor in tensors[1:]:
        result = product(result, lift(tensor))
    return result


def _sum_with_product(input: Any, first: Any, second: Any, beta: Any = 1, alpha: Any = 1) -> np.ndarray:
    keep, share = scalar(beta), scalar(alpha)
    return each(lambda a, b: keep * a + share * b, lift(input), product(lift(first), lift(second)))


def _kronecker(input: Any, other: Any) -> np.ndarray:
    a, b = lift(input), lift(other)
    rank = max(a.ndim, b.ndim)
    a, b = (array.reshape((1,) * (rank - array.ndim) + array.shape) for array in (a, b))
    shape = tuple(m * n for m, n in zip(a.shape, b.shape, strict=True))
    first, second = np.expand_dims(a, tuple(range(1, 2 * rank, 2))), np.expand_dims(b, tuple(range(0, 2 * rank, 2)))
    return each(lambda u, v: u * v, first, second).reshape(shape)


def _tensordot(a: Any, b: Any, dims: Any = 2) -> np.ndarray:
    left, right = lift(a), lift(b)
    if isinstance(dims, int):
        dims = (range(left.ndim - dims, left.ndim), range(dims))
    first, second = (tuple(axes_of(list(axes), array.ndim)) for axes, array in zip(dims, (left, right), strict=True))
    if not first:
        return each(lambda u, v: u * v, left.reshape(left.shape + (1,) * right.ndim), right)
    kept = tuple(i for i in range(left.ndim) if i not in first), tuple(i for i in range(right.ndim) if i not in second)
    summed = [left.shape[i] for i in first]
    if summed != [right.shape[i] for i in second]:
        raise ValueError("axes of different lengths")
    count = int(np.prod(summed))
    rows, columns = [left.shape[i] for i in kept[0]], [right.shape[i] for i in kept[1]]
    flat_left = left.transpose(kept[0] + first).reshape(int(np.prod(rows)), count)
    flat_right = right.transpose(second + kept[1]).reshape(count, int(np.prod(columns)))
    return product(flat_left, flat_right).reshape([*rows, *columns])


def _einsum(equation: Any, *operands: Any) -> np.ndarray:
    """Every product of entries with the same letters, summed over the letters that the output lacks."""
    if not isinstance(equation, str) or "." in equation:
        raise TypeError("an einsum in letters without ... is needed")
    arrays = [lift(operand) for part in operands for operand in (part if isinstance(part, list | tuple) else (part,))]
    given, _, wanted = equation.replace(" ", "").partition("->")
    terms = given.split(",")
    if "->" not in equation:
        wanted = "".join(sorted(letter for letter in set(given) - {","} if given.count(letter) == 1))
    sizes: dict[str, int] = {}
    for term, array in zip(terms, arrays, strict=True):
        for letter, size in zip(term, array.shape, strict=True):
            if sizes.setdefault(letter, size) != size:
                raise ValueError(f"two lengths of axis {letter}")
    letters = list(wanted) + [letter for letter in sizes if letter not in wanted]
    wide = [_spread_out(term, array, letters) for term, array in zip(terms, arrays, strict=True)]
    shape = tuple(sizes[letter] for letter in letters)
    spend(int(np.prod(shape)))
    whole = each(lambda *factors: _multiplied(factors), *(np.broadcast_to(part, shape) for part in wide))
    summed = tuple(range(len(wanted), len(letters)))
    return reduced(total, whole, summed) if summed else whole


def _multiplied(factors: tuple[arb, ...]) -> arb:
    result = factors[0]
    for factor in factors[1:]:
        result = result * factor
    return result


def _spread_out(term: str, array: np.ndarray, letters: list[str]) -> np.ndarray:
    """One operand with an axis for every letter, in their order; a letter twice means the diagonal."""
    names = list(term)
    for letter in dict.fromkeys(term):
        while names.count(letter) > 1:
            first = names.index(letter)
            second = names.index(letter, first + 1)
            array = np.diagonal(array, axis1=first, axis2=second)
            names = [name for k, name in enumerate(names) if k not in (first, second)] + [letter]
    array = array.transpose([names.index(letter) for letter in letters if letter in names])
    return np.expand_dims(array, tuple(k for k, letter in enumerate(letters) if letter not in names))


def solve(matrix: Any, target: Any, left: Any = True) -> np.ndarray:
    """Linear systems by elimination."""
    a, b = squares_only(lift(matrix)), lift(target)
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    if vector:
        return solve(a, b[..., None])[..., 0]
    if not left:
        return np.swapaxes(solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)), -1, -2)
    result = np.empty(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], dtype=object)
    for index, (square, right) in over_leading(a, b):
        spend(square.size * (len(square) + right.shape[1]))
        try:
            result[index] = as_array(as_matrix(square).solve(as_matrix(right)))
        except ZeroDivisionError:
            raise undecided("a system whose enclosure is singular") from None
    return result


def _solve_triangular(input: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> np.ndarray:
    """torch reads the named triangle only."""
    a = squares_only(lift(input))
    mask = np.tri(a.shape[-1], dtype=bool)
    kept = np.where(mask.T if upper else mask, a, boxed([ZERO], ()))
    if unitriangular:
        kept = np.where(np.eye(a.shape[-1], dtype=bool), boxed([ONE], ()), kept)
    if lift(B).ndim < 2:
        raise ValueError("matrices are needed on the right")
    wide = np.broadcast_shapes(kept.shape[:-2], lift(B).shape[:-2])
    return solve(kept, np.broadcast_to(lift(B), wide + lift(B).shape[-2:]), left)


def _cholesky(input: Any, upper: Any = False) -> np.ndarray:
    a = lower_half(squares_only(lift(input)), "U" if upper else "L")
    result = np.empty(a.shape, dtype=object)
    for index, (square,) in over_leading(a):
        result[index] = _factor(square)
    return np.swapaxes(result, -1, -2) if upper else result


def _factor(square: np.ndarray) -> np.ndarray:
    size = len(square)
    spend(size**3)
    lower = np.full((size, size), ZERO, dtype=object)
    for j in range(size):
        pivot = square[j, j] - total([squared(v) for v in lower[j, :j]])
        if not pivot > 0:
            raise undecided("a Cholesky factor whose pivot the enclosure does not keep positive")
        lower[j, j] = pivot.sqrt()
        for i in range(j + 1, size):
            inner = total([u * v for u, v in zip(lower[i, :j], lower[j, :j], strict=True)])
            lower[i, j] = (square[i, j] - inner) / lower[j, j]
    return lower


class CholeskyInfo(NamedTuple):
    """What torch.linalg.cholesky_ex returns."""

    L: Any
    info: Any


def _cholesky_ex(input: Any, upper: Any = False, check_errors: Any = False) -> CholeskyInfo:  # noqa: ARG001
    return CholeskyInfo(_cholesky(input, upper), np.zeros(lift(input).shape[:-2], dtype=np.int32))


def _cholesky_solve(input: Any, L: Any, upper: Any = False) -> np.ndarray:
    factor = lift(L)
    transposed = np.swapaxes(factor, -1, -2)
    lower = transposed if upper else factor
    inner = _solve_triangular(lower, input, upper=False)
    return _solve_triangular(np.swapaxes(lower, -1, -2), inner, upper=True)


def _over_matrices(array: np.ndarray, function: Any) -> np.ndarray:
    """A ball for every square matrix."""
    result = np.empty(squares_only(array).shape[:-2], dtype=object)
    for index, (square,) in over_leading(array):
        spend(len(square) ** 3)
        result[index] = function(as_matrix(square))
    return result


def _determinant(input: Any) -> np.ndarray:
    return _over_matrices(lift(input), arb_mat.det)


class SignAndLog(NamedTuple):
    """What torch.linalg.slogdet returns."""

    sign: Any
    logabsdet: Any


def _slogdet(input: Any) -> SignAndLog:
    found = _determinant(input)
    return SignAndLog(each(arb.sgn, found), each(lambda a: logarithm(abs(a)), found))


def _inverse(input: Any) -> np.ndarray:
    a = squares_only(lift(input))
    return solve(a, np.broadcast_to(lift(np.eye(a.shape[-1])), a.shape))


def _matrix_power(input: Any, n: int) -> np.ndarray:
    a = _inverse(input) if n < 0 else squares_only(lift(input))
    result = np.broadcast_to(lift(np.eye(a.shape[-1])), a.shape)
    for bit in bin(abs(n))[2:]:
        result = product(result, result)
        result = product(result, a) if bit == "1" else result
    return result


def _matrix_exponential(input: Any) -> np.ndarray:
    a = squares_only(lift(input))
    result = np.empty(a.shape, dtype=object)
    for index, (square,) in over_leading(a):
        spend(20 * len(square) ** 3)
        result[index] = as_array(as_matrix(square).exp())
    return result


def _trace(input: Any) -> np.ndarray:
    array = lift(input)
    if array.ndim != 2:
        raise ValueError("a trace needs one matrix")
    return boxed([total(list(np.diagonal(array)))], ())


def _added(input: Any, dim: int, index: Any, source: Any, alpha: Any = 1) -> np.ndarray:
    """input.index_add(dim, index, source)."""
    array, share = lift(input), scalar(alpha)
    result, rows = np.moveaxis(array.copy(), dim, 0), np.moveaxis(lift(source), dim, 0)
    for place, row in zip(index.tolist(), rows, strict=True):
        result[place] = each(lambda a, b: a + share * b, *map(np.asarray, (result[place], row)))
    return np.moveaxis(result, 0, dim)


def _scattered(input: Any, dim: int, index: Any, src: Any) -> np.ndarray:
    """input.scatter_add(dim, index, src)."""
    result, rows = lift(input).copy(), lift(src)
    for place in np.ndindex(tuple(index.shape)):
        target = list(place)
        target[dim] = int(index[place])
        result[tuple(target)] = result[tuple(target)] + rows[place]
    return result


OPERATIONS: dict[str, Operation] = {
    "matmul": lambda input, other: product(lift(input), lift(other)),
    "rmatmul": lambda input, other: product(lift(other), lift(input)),
    "mm": _product_of(2, 2),
    "bmm": _product_of(3, 3),
    "mv": _product_of(2, 1),
    **dict.fromkeys(("dot", "vdot"), _product_of(1, 1)),
    "inner": _inner,
    "linalg_vecdot": _vecdot,
    **dict.fromkeys(("outer", "ger"), _outer),
    **dict.fromkeys(("cross", "linalg_cross"), _cross),
    "linalg_multi_dot": _chain,
    **dict.fromkeys(("addmm", "addmv", "baddbmm"), _sum_with_product),
    "kron": _kronecker,
    "tensordot": _tensordot,
    "einsum": _einsum,
    "linalg_solve": solve,
    "linalg_solve_triangular": _solve_triangular,
    **dict.fromkeys(("cholesky", "linalg_cholesky"), _cholesky),
    "linalg_cholesky_ex": _cholesky_ex,
    "cholesky_solve": _cholesky_solve,
    **dict.fromkeys(("det", "linalg_det"), _determinant),
    **dict.fromkeys(("slogdet", "linalg_slogdet"), _slogdet),
    "logdet": lambda input: each(lambda a: NAN if a < 0 else logarithm(a), _determinant(input)),
    **dict.fromkeys(("inverse", "linalg_inv"), _inverse),
    **dict.fromkeys(("matrix_power", "linalg_matrix_power"), _matrix_power),
    **dict.fromkeys(("matrix_exp", "linalg_matrix_exp"), _matrix_exponential),
    "trace": _trace,
    "index_add": _added,
    "scatter_add": _scattered,
}
