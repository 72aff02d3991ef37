"""Splits of a data set, and the support vector machines of the experiments.

Every hyper-parameter is chosen by its error on the validation part, ties going to the first of the grid; errors are
percentages. The linear machines are exact minima of the squared hinge loss, with an intercept that is penalised like
the other weights: where a library stops before, its choice of C and its errors depend on rounding.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn import config_context
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
from torch import Tensor

from algos.estimators.hold_out import HoldOutSearch, hold_out_search, published_split_sizes
from algos.estimators.hold_out_paths import HoldOutPath, gaussian_machine_path, linear_machine_path
from algos.ridge.squared_hinge_path import squared_hinge_path

LARGE = 1_000_000
"""Entries of a training matrix above which Gram matrices and cosines are shared."""


@dataclass(frozen=True)
class Task:
    """A data set cut into training, validation and test rows, and the grids of its kernel machine."""

    points: Tensor
    labels: Tensor
    train: Tensor
    valid: Tensor
    test: Tensor
    gammas: Sequence[float]
    costs: Sequence[float]

    def errors(self, predicted: np.ndarray, rows: Tensor) -> float:
        """Percentage of the rows whose label is not the predicted one."""
        return 100.0 * float(
            (torch.as_tensor(predicted, device=self.labels.device) != self.labels[rows]).double().mean()
        )


@dataclass(frozen=True)
class Machine:
    """A chosen model: its hyper-parameters and its errors on the three parts, in percent."""

    parameters: Mapping[str, float]
    validation_error: float
    test_error: float
    training_error: float


def validation_size(count: int) -> int:
    """A fifth of the rows that are not for testing, rounded up."""
    return -(-count // 5)


def published_split(
    points: Tensor,
    labels: Tensor,
    *,
    gammas: Sequence[float],
    costs: Sequence[float],
    state: np.random.RandomState | None = None,
) -> Task:
    """The split of the paper: a quarter for testing, a fifth of the rest for validation, one generator seeded by 42.

    A generator that is handed over is left in the state in which the released program goes on.
    """
    state = state or np.random.RandomState(42)
    rest, test = train_test_split(np.arange(len(labels)), test_size=0.25, random_state=state)
    train, valid = train_test_split(rest, test_size=0.2, random_state=state)
    train, valid, test = (torch.as_tensor(rows, device=points.device) for rows in (train, valid, test))
    return Task(points, labels, train, valid, test, gammas, costs)


def random_split(
    points: Tensor, labels: Tensor, order: Tensor, *, gammas: Sequence[float], costs: Sequence[float]
) -> Task:
    """A split of the paper's proportions along the given order of the rows; the test part comes first."""
    _, valid, test = published_split_sizes(len(order))
    first = test + valid
    return Task(points, labels, order[first:], order[test:first], order[:test], gammas, costs)


def consecutive_split(
    points: Tensor, labels: Tensor, *, train: int, valid: int, gammas: Sequence[float], costs: Sequence[float]
) -> Task:
    """The first `train` rows, the next `valid` ones, and the rest for testing."""
    rows = torch.arange(len(labels), device=labels.device)
    seen = train + valid
    return Task(points, labels, rows[:train], rows[train:seen], rows[seen:], gammas, costs)


def large(task: Task, columns: int) -> bool:
    """Whether the training rows have so many entries that the search is worth sharing what its candidates share."""
    return len(task.train) * columns > LARGE


def kernel_machine(task: Task) -> Machine:
    """Support vector machine with Gaussian kernel, C in the outer loop of the grid and gamma in the inner one."""
    if large(task, task.points.shape[1]):
        return _of_path(
            task,
            gaussian_machine_path(
                task.points, task.labels, task.train, task.valid, costs=task.costs, gammas=task.gammas
            ),
        )
    return _measured(task, _searched(task))


def linear_machine(task: Task, features: Tensor, *, costs: Sequence[float]) -> Machine:
    """Linear support vector machine with squared hinge loss on the features of all rows."""
    return _of_path(task, linear_machine_path(features, task.labels, task.train, task.valid, costs=costs))


def linear_decisions(task: Task, features: Tensor, *, costs: Sequence[float]) -> Tensor:
    """Decision values of the same machine, of all rows."""
    chosen = features.new_tensor([linear_machine(task, features, costs=costs).parameters["C"]])
    columns = torch.cat([features, torch.ones_like(features[:, :1])], dim=1)
    return columns @ squared_hinge_path(columns[task.train], task.labels[task.train], chosen)[0]


def _of_path(task: Task, found: HoldOutPath) -> Machine:
    parts = (task.valid, task.test, task.train)
    errors = (100.0 * float((found.predicted[rows] != task.labels[rows]).double().mean()) for rows in parts)
    return Machine(found.parameters, *errors)


def _searched(task: Task) -> HoldOutSearch:
    columns, labels = task.points.cpu().numpy(), task.labels.cpu().numpy()
    parts = (rows.cpu().numpy() for rows in (task.train, task.valid, task.test))
    train, valid, test = ((columns[rows], labels[rows]) for rows in parts)
    finite = bool(torch.isfinite(task.points).all())
    with config_context(assume_finite=finite, skip_parameter_validation=True):
        return hold_out_search(SVC(random_state=0), {"C": task.costs, "gamma": task.gammas}, train, valid, test=test)


def _measured(task: Task, found: HoldOutSearch) -> Machine:
    training_error = task.errors(found.best_estimator.predict(task.points[task.train].cpu().numpy()), task.train)
    test_error = 100 * (found.best.test_error or 0.0)
    return Machine(found.best.parameters, 100 * found.best.validation_error, test_error, training_error)


def best(candidates: Iterable[Machine]) -> Machine:
    """The first machine of smallest validation error."""
    return min(candidates, key=lambda machine: machine.validation_error)
