"""Posteriors over a pool of frequencies, and the estimators: fit and transform at sizes of the papers' experiments."""

import numpy as np
import torch

from algos.estimators import (
    GaussianLandmarks,
    GreedyFourierFeatures,
    LearnedKernelFeatures,
    LeverageWeightedFeatures,
    NotSoRandomFeatures,
    PseudoBayesianLandmarks,
)
from algos.kernel_learning.greedy_kernel import chi_square_alignment_weights, pseudo_bayesian_weights

from .floors import multiply_and_turn, one_thread, ratio

ESTIMATORS = {
    "greedy": lambda: GreedyFourierFeatures(100, pool_size=2_000, random_state=0),
    "landmarks": lambda: GaussianLandmarks(0.1, random_state=0),
    "pseudo-bayesian landmarks": lambda: PseudoBayesianLandmarks(0.1, n_frequencies=32, random_state=0),
    "learned kernel": lambda: LearnedKernelFeatures(n_features=2_000, random_state=0),
    "leverage": lambda: LeverageWeightedFeatures(100, random_state=0),
    "not so random": lambda: NotSoRandomFeatures(n_rounds=10, n_starts=10, random_state=0),
}


def labelled(count: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal points, labelled by the sign of a product of two of their coordinates."""
    points = np.random.default_rng(0).standard_normal((count, dimension))
    return points, np.where(points[:, 0] * points[:, 1] > 0, 1, -1)


class Posterior:
    """Weights on a pool of N frequencies from their alignment losses."""

    params = ([20_000, 1_000_000],)
    param_names = ("frequencies",)

    def setup(self, count: int) -> None:
        one_thread()
        self.losses = torch.rand(count, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def time_gibbs(self, *_: object) -> None:
        pseudo_bayesian_weights(self.losses, 10.0, sample_size=1_000)

    def time_chi_square(self, *_: object) -> None:
        chi_square_alignment_weights(self.losses, 20.0)

    def track_gibbs_over_softmax(self, *_: object) -> float:
        out = torch.empty_like(self.losses)
        softmax = lambda: torch.softmax(self.losses, -1, out=out)  # noqa: E731
        return ratio(lambda: pseudo_bayesian_weights(self.losses, 10.0, sample_size=1_000), softmax, rounds=9)

    track_gibbs_over_softmax.unit = "times a softmax"


class Estimators:
    """n = 1,000 points in 20 dimensions to fit, 10,000 to transform, double precision."""

    params = (list(ESTIMATORS),)
    param_names = ("estimator",)
    timeout = 600

    def setup(self, name: str) -> None:
        one_thread()
        self.points, self.labels = labelled(1_000, 20)
        self.many, _ = labelled(10_000, 20)
        self.fitted = ESTIMATORS[name]().fit(self.points, self.labels)

    def time_fit(self, name: str) -> None:
        ESTIMATORS[name]().fit(self.points, self.labels)

    def time_transform(self, *_: object) -> None:
        self.fitted.transform(self.many)


class GreedyTransform:
    """100 chosen frequencies as features of 10,000 points in 20 dimensions, beside a bare product and sine pass."""

    def setup(self) -> None:
        one_thread()
        points, labels = labelled(1_000, 20)
        self.many, _ = labelled(10_000, 20)
        self.fitted = GreedyFourierFeatures(100, pool_size=500, random_state=0).fit(points, labels)
        generator = torch.Generator().manual_seed(0)
        frequencies = torch.randn(100, 20, generator=generator, dtype=torch.float64)
        self.floor = multiply_and_turn(torch.from_numpy(self.many), frequencies)

    def track_transform_over_product_and_sine_pass(self) -> float:
        return ratio(lambda: self.fitted.transform(self.many), self.floor, rounds=9)

    track_transform_over_product_and_sine_pass.unit = "times the floor"
