"""Triangular factors and linear systems of small matrices of forms, by their minors.

With the leading minors m_0 = 1, m_1, ..., m_n of a symmetric A = L L^T,
(L^-1)_ij = (-1)^(i+j) A[1..i without j; 1..i-1] / sqrt(m_(i-1) m_i). L exists where all leading minors are positive;
elsewhere what is made of it is undefined. L itself is only used to solve: its entries are names.
"""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.forms import ONE, Form, Workspace, rational, root
from harness.certify.expansion.operations import operation
from harness.certify.expansion.polynomials import constant, everywhere
from harness.certify.expansion.tensor import OPERATIONS, Expanded, lift, space_of, total

ORDER = 5
Places = tuple[int, ...]


@dataclass
class Minors:
    """The minors of one square matrix of polynomials, each computed once."""

    entries: np.ndarray
    space: Workspace
    known: dict[tuple[Places, Places], Form] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.entries) > ORDER:
            raise NoEnclosure(f"matrices of an order above {ORDER}")
        if any(entry.below is not None for entry in self.entries.reshape(-1)):
            raise NoEnclosure("matrices of fractions")

    @property
    def order(self) -> int:
        return len(self.entries)

    def __call__(self, rows: Places, columns: Places) -> Form:
        """The determinant of some rows and columns, by its last row."""
        if not rows:
            return self.space.number(1)
        if (rows, columns) not in self.known:
            found = self.space.number(0)
            for k, column in enumerate(columns):
                rest = self(rows[:-1], columns[:k] + columns[k + 1 :])
                part = self.entries[rows[-1], column] * rest
                found = found - part if (len(columns) - 1 - k) % 2 else found + part
            self.known[rows, columns] = found
        return self.known[rows, columns]

    def leading(self, size: int) -> Form:
        return self(tuple(range(size)), tuple(range(size)))

    def factor(self) -> np.ndarray:
        """L, of whose entries nothing is told but what they are named."""
        found, key = self._zeros(), _key(self.entries)
        for i, j in _lower(self.order):
            found[i, j] = self.space.named((key, i, j), self.space.ring.new)
            self.space.ring.partial |= everywhere(found[i, j].above)
        return found

    def inverse_factor(self) -> np.ndarray:
        """L^-1."""
        found = self._zeros()
        for i, j in _lower(self.order):
            minor = self(tuple(k for k in range(i + 1) if k != j), tuple(range(i)))
            scale = _inverse_of(root(self.leading(i) * self.leading(i + 1)))
            found[i, j] = (minor if (i + j) % 2 == 0 else -minor) * scale
        return found

    def inverse(self) -> np.ndarray:
        """A^-1, from the adjugate."""
        whole = _inverse_of(self.leading(self.order))
        found = self.adjugate()
        found.reshape(-1)[:] = [entry * whole for entry in found.reshape(-1)]
        return found

    def adjugate(self) -> np.ndarray:
        """det(A) A^-1."""
        found, everything = self._zeros(), range(self.order)
        for i, j in np.ndindex(found.shape):
            minor = self(tuple(k for k in everything if k != j), tuple(k for k in everything if k != i))
            found[i, j] = minor if (i + j) % 2 == 0 else -minor
        return found

    def _zeros(self) -> np.ndarray:
        found = np.empty((self.order, self.order), dtype=object)
        found[...] = self.space.number(0)
        return found


def _inverse_of(a: Form) -> Form:
    """1 / a, where a vanishes for no input at which the matrix can be inverted."""
    return a.inverse() if a.number is not None else Form(a.space, constant(ONE), a.above)


def _lower(order: int) -> list[tuple[int, int]]:
    """The places of a triangular matrix."""
    return [(i, j) for i in range(order) for j in range(i + 1)]


def _key(matrix: np.ndarray) -> Any:
    return "factor", matrix.shape, tuple(form.key for form in matrix.reshape(-1))


def _each_matrix(array: np.ndarray) -> Any:
    """Places of the batch axes."""
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise NoEnclosure("a system whose matrix is not square")
    return np.ndindex(array.shape[:-2])


def _mirrored(matrix: np.ndarray) -> np.ndarray:
    """The symmetric matrix of the lower triangle, which is all that a factorisation looks at."""
    found = matrix.copy()
    for i, j in _lower(len(matrix)):
        found[j, i] = matrix[i, j]
    return found


def _factored(input: Any) -> Expanded:
    array, space = input.array, input.space
    found = np.empty(array.shape, dtype=object)
    for place in _each_matrix(array):
        minors = Minors(_mirrored(array[place]), space)
        found[place] = factor = minors.factor()
        space.factors[_key(factor), False] = minors
        space.factors[_key(factor.T), True] = minors
    return Expanded(found, space, undefined=True)


@operation("linalg_cholesky", "cholesky")
def _cholesky(input: Any, upper: Any = False) -> Expanded:
    if upper:
        raise NoEnclosure("upper triangular factors")
    return _factored(input)


@operation("linalg_cholesky_ex")
def _cholesky_with_info(input: Any, *, upper: Any = False, check_errors: Any = False) -> Any:  # noqa: ARG001
    """The factor, and a number that is 0 where there is one: of which nothing else is known."""
    factor = _cholesky(input, upper)
    failed = np.empty(input.array.shape[:-2], dtype=object)
    for place in np.ndindex(failed.shape):
        key = ("failed", _key(input.array[place]))
        failed[place] = input.space.named(key, lambda: input.space.ring.finite((rational(0), rational(1))))
    return factor, Expanded(failed, input.space)


def _minors_of(factor: np.ndarray, space: Workspace, *, upper: bool) -> Minors:
    if (_key(factor), upper) not in space.factors:
        raise NoEnclosure("triangular matrices of unknown origin")
    return space.factors[_key(factor), upper]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class System:
    """A x = b, with a name for each entry of x."""

    matrix: np.ndarray
    solution: list[Form]
    right: list[Form]

    def energy(self) -> Form:
        """x' (A x - b), which is 0."""
        rows = range(len(self.solution))
        lines = [total([self.matrix[i, j] * self.solution[j] for j in rows]) - self.right[i] for i in rows]
        return total([self.solution[i] * lines[i] for i in rows])


def _named_solutions(matrix: np.ndarray, columns: np.ndarray, space: Workspace) -> np.ndarray:
    """Generators for the solutions of one system, a column of right sides after the other."""
    assert space.systems is not None
    found = np.empty(columns.shape, dtype=object)
    for column in range(columns.shape[-1]):
        right = columns[:, column].tolist()
        key = "solution", _key(matrix), tuple(form.key for form in right)
        for row in range(len(right)):
            found[row, column] = space.named((*key, row), space.ring.new)
            space.ring.partial |= everywhere(found[row, column].above)
        space.systems.append(System(matrix, found[:, column].tolist(), right))
    return found


def _solved_by_name(matrices: list[np.ndarray], right: Any, space: Workspace) -> Expanded | None:
    """The named solutions of one system without batch axes but those of length 1; None of others."""
    columns = lift(right, space)
    if len(matrices) != 1 or columns.ndim < 2 or any(size != 1 for size in columns.shape[:-2]):
        return None
    found = _named_solutions(matrices[0], columns.reshape(columns.shape[-2:]), space)
    return Expanded(found.reshape(columns.shape), space, undefined=True)


def _solved(inverse: Any, factor: Any, right: Any) -> Expanded:
    """The matrices that `inverse` makes of each factor, times the right sides; batch axes broadcast."""
    space = space_of(factor, right)
    matrices, columns = lift(factor, space), lift(right, space)
    found = np.empty(matrices.shape, dtype=object)
    for place in _each_matrix(matrices):
        found[place] = inverse(matrices[place])
    solved: Expanded = OPERATIONS["matmul"](Expanded(found, space), Expanded(columns, space))
    solved.undefined = True
    return solved


@operation("linalg_solve_triangular")
def _triangular(input: Any, B: Any, *, upper: Any, left: Any = True, unitriangular: Any = False) -> Expanded:
    if not left or unitriangular or not isinstance(input, Expanded):
        raise NoEnclosure("triangular systems of another form")
    if input.space.systems is not None:
        raise NoEnclosure("triangular systems, whose solutions have no names")

    def inverse(factor: np.ndarray) -> np.ndarray:
        found = _minors_of(factor, input.space, upper=bool(upper)).inverse_factor()
        return found.T if upper else found

    return _solved(inverse, input, B)


@operation("cholesky_solve")
def _by_factor(input: Any, input2: Any, upper: Any = False) -> Expanded:
    if not isinstance(input2, Expanded):
        raise NoEnclosure("plain factors")
    if input2.space.systems is not None:
        places = _each_matrix(input2.array)
        whole = [_minors_of(input2.array[place], input2.space, upper=bool(upper)).entries for place in places]
        named = _solved_by_name(whole, input, input2.space)
        if named is not None:
            return named
    return _solved(lambda factor: _minors_of(factor, input2.space, upper=bool(upper)).inverse(), input2, input)


@operation("linalg_solve")
def _by_matrix(A: Any, B: Any, *, left: Any = True) -> Expanded:
    if not left or not isinstance(A, Expanded) or (B.ndim == 1 or (B.ndim < A.ndim and tuple(B.shape) == A.shape[:-1])):
        raise NoEnclosure("linear systems of another form")
    if A.space.systems is not None:
        named = _solved_by_name([A.array[place] for place in _each_matrix(A.array)], B, A.space)
        if named is not None:
            return named
    return _solved(lambda matrix: Minors(matrix, A.space).inverse(), A, B)


@operation("linalg_inv", "inverse")
def _inverted(input: Any) -> Expanded:
    found = np.empty(input.array.shape, dtype=object)
    for place in _each_matrix(input.array):
        found[place] = Minors(input.array[place], input.space).inverse()
    return Expanded(found, input.space, undefined=True)
