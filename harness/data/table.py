"""What every loader returns: rows of points with their targets, and how many of them the publishers set apart."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

Points: TypeAlias = NDArray[Any] | sparse.csr_matrix
"""An array, or a sparse matrix of rows where the data are published as one."""


@dataclass(frozen=True)
class Table:
    """Rows of a data set: training rows first, then the published test rows, if there are any.

    points : (n, d), an array or a CSR matrix, features as they are.
    targets : (n,), labels -1 and +1, class codes, or real numbers.
    tested : how many of the last rows are the published test set; 0 where none is published.
    """

    points: Points
    targets: NDArray[Any]
    tested: int = 0

    @property
    def training(self) -> "Table":
        """The rows before the published test set."""
        return Table(self.points[: self._seen], self.targets[: self._seen])

    @property
    def test(self) -> "Table":
        """The published test set."""
        return Table(self.points[self._seen :], self.targets[self._seen :])

    @property
    def tensors(self) -> tuple[Tensor, Tensor]:
        """Points and targets, dense, float64."""
        return _tensor(dense(self.points)), _tensor(self.targets)

    def pair(self, first: int, second: int) -> "Table":
        """The rows of two classes, labelled -1 and +1, in their order; none of them is set apart."""
        kept = np.isin(self.targets, (first, second))
        return Table(self.points[kept], binary_labels(self.targets[kept] == second))

    @property
    def _seen(self) -> int:
        return len(self.targets) - self.tested


def _tensor(numbers: NDArray[Any]) -> Tensor:
    return torch.as_tensor(np.ascontiguousarray(numbers, dtype=np.float64))


def dense(points: Points) -> NDArray[Any]:
    """The points as an array."""
    if isinstance(points, np.ndarray):
        return points
    numbers: NDArray[Any] = points.toarray()
    return numbers


def binary_labels(positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """+1 where a row is of the class in question, -1 elsewhere; (n,)."""
    return np.where(positive, 1.0, -1.0)


def stacked(training: Table, test: Table) -> Table:
    """Training rows and the published test rows as one table."""
    pair = (training.points, test.points)
    points = sparse.vstack(pair, format="csr") if sparse.issparse(training.points) else np.concatenate(pair)
    return Table(points, np.concatenate([training.targets, test.targets]), len(test.targets))
