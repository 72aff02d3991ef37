"""The learners of the experiments: support vector machines on kernels, landmarks and greedy features.

Every hyper-parameter is chosen by its error on the validation part, ties going to the first of the grid; errors are
percentages of the test part. The linear machines minimise the squared hinge loss in the primal (deterministic, run to
convergence): the library's defaults for this changed since the paper, and with them the published numbers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC, LinearSVC
from torch import Tensor

from algos.alignment import binary_alignment_loss, landmark_alignment_loss
from algos.greedy_kernel import chi_square_alignment_weights, pseudo_bayesian_weights, sample_frequencies
from algos.landmarks import kmeans_landmarks, similarity_map
from algos.random_features import gaussian_frequencies, gaussian_kernel, random_fourier_features


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
        return 100.0 * float((torch.as_tensor(predicted) != self.labels[rows]).double().mean())


@dataclass(frozen=True)
class Machine:
    """A chosen model: its hyper-parameters, validation error and test error, both in percent."""

    parameters: tuple[float, ...]
    validation_error: float
    test_error: float


def published_split(points: Tensor, labels: Tensor, *, gammas: Sequence[float], costs: Sequence[float]) -> Task:
    """The split of the paper: a quarter for testing, a fifth of the rest for validation, one generator seeded by 42."""
    state = np.random.RandomState(42)
    rest, test = train_test_split(np.arange(len(labels)), test_size=0.25, random_state=state)
    train, valid = train_test_split(rest, test_size=0.2, random_state=state)
    train, valid, test = (torch.as_tensor(rows) for rows in (train, valid, test))
    return Task(points, labels, train, valid, test, gammas, costs)


def random_split(
    points: Tensor, labels: Tensor, order: Tensor, *, gammas: Sequence[float], costs: Sequence[float]
) -> Task:
    """A split of the paper's proportions along the given order of the rows; the test part comes first."""
    test = -(-len(order) // 4)
    valid = test + -(-(len(order) - test) // 5)
    return Task(points, labels, order[valid:], order[test:valid], order[:test], gammas, costs)


def kernel_machine(task: Task) -> Machine:
    """Support vector machine with Gaussian kernel; parameters are (C, gamma), C in the outer loop."""
    points = task.points.numpy()
    labels = task.labels.numpy()

    def candidates() -> Iterable[Machine]:
        for cost in task.costs:
            for gamma in task.gammas:
                model = SVC(C=cost, gamma=gamma).fit(points[task.train], labels[task.train])
                valid, test = (task.errors(model.predict(points[rows]), rows) for rows in (task.valid, task.test))
                yield Machine((cost, gamma), valid, test)

    return best(candidates())


def linear_machine(task: Task, features: Tensor, *, costs: Sequence[float]) -> Machine:
    """Linear support vector machine with squared hinge loss on the features of all rows; the parameter is C."""
    columns = features.numpy()
    labels = task.labels.numpy()

    def candidates() -> Iterable[Machine]:
        for cost in costs:
            model = LinearSVC(C=cost, loss="squared_hinge", dual=False, tol=1e-4, max_iter=10_000)
            model.fit(columns[task.train], labels[task.train])
            valid, test = (task.errors(model.predict(columns[rows]), rows) for rows in (task.valid, task.test))
            yield Machine((cost,), valid, test)

    return best(candidates())


def best(candidates: Iterable[Machine]) -> Machine:
    """The first machine of smallest validation error."""
    return min(candidates, key=lambda machine: machine.validation_error)


@dataclass(frozen=True)
class LandmarkErrors:
    """Test errors of the landmark-based learners, in percent."""

    rbf: float
    unlearned: float
    pseudo_bayesian: float


def landmark_errors(
    task: Task, *, gamma: float, costs: Sequence[float], features: int, beta: float, seed: int
) -> LandmarkErrors:
    """Gaussian and pseudo-Bayesian similarities to k-means landmarks: a tenth of the training size, half in each class.

    `unlearned` is the pseudo-Bayesian map at beta = 0: random features without a posterior.
    """
    generator = torch.Generator().manual_seed(seed)
    points, labels = task.points[task.train], task.labels[task.train]
    count = 2 * (-(-len(labels) // 10) // 2)
    landmarks, classes = kmeans_landmarks(points, labels, count, seed=seed % 2**31)
    frequencies = gaussian_frequencies(count, features, points.shape[1], gamma=gamma, generator=generator)
    losses = landmark_alignment_loss(points, labels, landmarks, classes, frequencies)

    def learned(inverse_temperature: float) -> float:
        posterior = pseudo_bayesian_weights(losses, inverse_temperature, sample_size=len(labels))
        similarities = similarity_map(task.points, landmarks, frequencies, posterior)
        return linear_machine(task, similarities, costs=costs).test_error

    rbf = linear_machine(task, gaussian_kernel(task.points, landmarks, gamma=gamma), costs=costs).test_error
    return LandmarkErrors(rbf, learned(0.0), learned(beta))


@dataclass(frozen=True)
class GreedyGrids:
    """What the greedy learners choose from by validation: beta, radii as fractions of the pool, and C."""

    betas: Sequence[float]
    radii: Sequence[float]
    costs: Sequence[float]


def greedy_errors(
    task: Task, *, gamma: float, grids: GreedyGrids, pool: int, count: int, repeats: tuple[int, int], seed: int
) -> Tensor:
    """Test errors with `count` frequencies from the pool: plain, chi-square ball, pseudo-posterior; shape (3,).

    Each is a mean over independent choices of the frequencies: `repeats` of the plain and of the learned ones.
    """
    generator = torch.Generator().manual_seed(seed)
    points, labels = task.points[task.train], task.labels[task.train]
    frequencies = gaussian_frequencies(pool, points.shape[1], gamma=gamma, generator=generator)
    losses = binary_alignment_loss(points, labels, frequencies)

    def learned(weights: Iterable[Tensor]) -> float:
        chosen = (sample_frequencies(frequencies, weight, count, generator=generator) for weight in weights)
        features = (random_fourier_features(task.points, few) for few in chosen)
        return best(linear_machine(task, columns, costs=grids.costs) for columns in features).test_error

    ball = [chi_square_alignment_weights(losses, radius * pool) for radius in grids.radii]
    posterior = [pseudo_bayesian_weights(losses, beta, sample_size=len(labels)) for beta in grids.betas]
    choices = (([torch.ones_like(losses)], repeats[0]), (ball, repeats[1]), (posterior, repeats[1]))
    means = [sum(learned(weights) for _ in range(times)) / times for weights, times in choices]
    return torch.tensor(means, dtype=torch.float64)
