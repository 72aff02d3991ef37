"""Landmark-based learning and greedy kernel learning: random features, what they learn, and the errors on top."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.fourier.random_features import gaussian_frequencies, gaussian_kernel, random_fourier_features
from algos.kernel_learning.alignment import binary_alignment_loss, landmark_alignment_loss
from algos.kernel_learning.greedy_kernel import (
    chi_square_alignment_weights,
    pseudo_bayesian_weights,
    sample_frequencies,
)
from algos.kernel_learning.landmarks import kmeans_landmarks, random_landmarks, similarity_map, stratified_landmarks
from algos.kernel_learning.learned_similarities import pseudo_bayesian_similarities
from harness.claims.pbrff.learners import Machine, Task, best, large, linear_machine


@dataclass(frozen=True)
class Landmarks:
    """Landmarks of a task with their classes; `in_sample` where they are training points."""

    points: Tensor
    labels: Tensor
    in_sample: bool


def clustered_landmarks(task: Task, share: float, *, seed: int, n_init: int = 10) -> Landmarks:
    """The k-means centroids of each class, `share` of the training size in all (strategy -C)."""
    points, labels = task.points[task.train], task.labels[task.train]
    found = kmeans_landmarks(points, labels, _even_count(task, share), seed=seed % 2**31, n_init=n_init)
    return Landmarks(*found, in_sample=False)


def drawn_landmarks(task: Task, share: float, *, generator: torch.Generator) -> Landmarks:
    """Training points drawn at random, equally many in each class, `share` of the training size in all (-R)."""
    chosen = stratified_landmarks(task.labels[task.train], _even_count(task, share), generator=generator)
    rows = task.train[chosen]
    return Landmarks(task.points[rows], task.labels[rows], in_sample=True)


def few_landmarks(task: Task, count: int, *, generator: torch.Generator) -> Landmarks:
    """Training points drawn at random, whatever their classes."""
    rows = task.train[random_landmarks(task.labels[task.train], count, generator=generator)]
    return Landmarks(task.points[rows], task.labels[rows], in_sample=True)


def _even_count(task: Task, share: float) -> int:
    """As many landmarks in each of the two classes as half of ceil(share n), rounded down."""
    return 2 * (math.ceil(share * len(task.train)) // 2)


def gaussian_landmark_machine(task: Task, landmarks: Landmarks, *, gamma: float, costs: Sequence[float]) -> Machine:
    """Linear machine on the Gaussian kernel at the landmarks (RBF landmarks)."""
    return linear_machine(task, gaussian_kernel(task.points, landmarks.points, gamma=gamma), costs=costs)


def learned_landmark_machines(
    task: Task,
    landmarks: Landmarks,
    *,
    gamma: float,
    costs: Sequence[float],
    features: int,
    betas: Sequence[float],
    generator: torch.Generator,
) -> list[Machine]:
    """Linear machines on the learned similarities (PB landmarks), one for each beta, all on the same features."""
    found = learned_similarities(task, landmarks, gamma=gamma, features=features, betas=betas, generator=generator)
    return [linear_machine(task, similarities, costs=costs) for similarities in found]


def learned_similarities(
    task: Task,
    landmarks: Landmarks,
    *,
    gamma: float,
    features: int,
    betas: Sequence[float],
    generator: torch.Generator,
) -> Iterator[Tensor]:
    """Similarities (points, landmarks) of all points of the task, one for each beta, all on the same features.

    At beta = 0 nothing is learned: the similarities are plain random features.
    """
    shape = (len(landmarks.points), features, task.points.shape[1])
    frequencies = gaussian_frequencies(*shape, gamma=gamma, generator=generator)
    if large(task, len(landmarks.points)):
        yield from pseudo_bayesian_similarities(
            task.points,
            task.train,
            task.labels[task.train],
            landmarks.points,
            frequencies,
            landmark_labels=landmarks.labels,
            betas=task.points.new_tensor(betas),
            in_sample=landmarks.in_sample,
        )
        return
    points, labels = task.points[task.train], task.labels[task.train]
    losses = landmark_alignment_loss(
        points, labels, landmarks.points, landmarks.labels, frequencies, in_sample=landmarks.in_sample
    )
    for beta in betas:
        posterior = pseudo_bayesian_weights(losses, beta, sample_size=len(labels))
        yield similarity_map(task.points, landmarks.points, frequencies, posterior)


@dataclass(frozen=True)
class GreedyGrids:
    """What the greedy learners choose from by validation: beta, radii as fractions of the pool, and C."""

    betas: Sequence[float]
    radii: Sequence[float]
    costs: Sequence[float]


def greedy_errors(
    task: Task, *, gamma: float, grids: GreedyGrids, pool: int, draws: Mapping[int, tuple[int, int]], seed: int
) -> Tensor:
    """Training and test errors with so many frequencies from one pool as each key of `draws`; shape (numbers, 2, 3).

    Columns: plain, chi-square ball, pseudo-posterior. Each is a mean over independent choices of the frequencies: so
    many of the plain and of the learned ones as `draws` says.
    """
    generator = torch.Generator(task.points.device).manual_seed(seed)
    points, labels = task.points[task.train], task.labels[task.train]
    frequencies = gaussian_frequencies(pool, points.shape[1], gamma=gamma, generator=generator)
    losses = binary_alignment_loss(points, labels, frequencies)

    def learned(weights: Sequence[Tensor], count: int) -> tuple[float, float]:
        features = (drawn_features(task.points, frequencies, each, count, generator=generator) for each in weights)
        machine = best(linear_machine(task, columns, costs=grids.costs) for columns in features)
        return machine.training_error, machine.test_error

    ball = [chi_square_alignment_weights(losses, radius * pool) for radius in grids.radii]
    posterior = [pseudo_bayesian_weights(losses, beta, sample_size=len(labels)) for beta in grids.betas]
    laws = ([torch.ones_like(losses)], ball, posterior)
    errors = [
        [[learned(law, count) for _ in range(times)] for law, times in zip(laws, (plain, chosen, chosen), strict=True)]
        for count, (plain, chosen) in draws.items()
    ]
    means = [torch.stack([torch.tensor(found, dtype=torch.float64).mean(0) for found in each], -1) for each in errors]
    return torch.stack(means)


def drawn_features(
    points: Tensor, frequencies: Tensor, weights: Tensor, count: int, *, generator: torch.Generator
) -> Tensor:
    """Features of `count` frequencies, drawn with replacement: k equal columns are one, times sqrt(k)."""
    places = torch.arange(len(frequencies), device=points.device).to(points).unsqueeze(-1)
    drawn = sample_frequencies(places, weights, count, generator=generator)
    kept, times = drawn.squeeze(-1).long().unique(return_counts=True)
    scales = (times.to(points) * len(kept) / count).sqrt()
    return random_fourier_features(points, frequencies[kept]) * torch.cat([scales, scales])
