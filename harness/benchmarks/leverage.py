"""Ridge leverage scores of a pool of features."""

import math

import torch

from algos.ridge.leverage import ridge_leverage_scores
from algos.ridge.leverage_sampling import pool_leverage_scores
from algos.ridge.streaming import feature_gram

from .floors import multiply, one_thread, ratio


class LeverageScores:
    """n = 10,000 points, s features; the floor has the n s^2 + (2/3) s^3 operations as bare matrix products."""

    params = ([500, 1_000],)
    param_names = ("features",)
    timeout = 300

    def setup(self, features: int) -> None:
        one_thread()
        self.pool = torch.randn(10_000, features, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
        self.probabilities = torch.full((features,), 1 / features, dtype=torch.float64)

    def scores(self) -> None:
        ridge_leverage_scores(self.pool, self.probabilities, 10.0)

    def time_scores(self, _features: int) -> None:
        self.scores()

    def track_scores_over_products(self, features: int) -> float:
        s = features
        return ratio(self.scores, multiply((s // 2, 10_000, s), (s // 3, s, s)), rounds=3)

    track_scores_over_products.unit = "times the floor"


class StreamedLeverageScores:
    """A pool of s cosines at n points, streamed, beside the textbook form: the whole matrix, an inverse, a product."""

    params = ([2_000, 10_000], [500, 1_000, 5_000])
    param_names = ("points", "features")
    timeout = 900

    def setup(self, points: int, features: int) -> None:
        if points < features:
            raise NotImplementedError  # how asv leaves out a combination
        one_thread()
        generator = torch.Generator().manual_seed(0)
        self.points = torch.randn(points, 10, generator=generator, dtype=torch.float64)
        self.frequencies = torch.randn(10, features, generator=generator, dtype=torch.float64) / 3
        self.ridge = points**0.5

    def feature_map(self, rows: torch.Tensor) -> torch.Tensor:
        return (rows @ self.frequencies).cos_().mul_(math.sqrt(2))

    def streamed(self) -> torch.Tensor:
        return pool_leverage_scores(feature_gram(self.points, self.feature_map), self.ridge)

    def inverted(self) -> torch.Tensor:
        features = self.feature_map(self.points)
        gram = features.T @ features / features.shape[1]
        shifted = gram + self.ridge * torch.eye(len(gram), dtype=gram.dtype)
        return (gram @ torch.linalg.inv(shifted)).diagonal()

    def track_inverted_over_streamed(self, _points: int, features: int) -> float:
        return ratio(self.inverted, self.streamed, rounds=1 if features > 1_000 else 3)

    track_inverted_over_streamed.unit = "times as long"

    def track_largest_difference(self, _points: int, _features: int) -> float:
        return float((self.inverted() - self.streamed()).abs().max())

    track_largest_difference.unit = "of a score"

    def peakmem_streamed(self, _points: int, _features: int) -> None:
        self.streamed()
