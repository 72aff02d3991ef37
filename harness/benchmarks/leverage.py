"""Ridge leverage scores of a pool of features."""

import torch

from algos.leverage import ridge_leverage_scores

from ._floor import multiply, one_thread, ratio


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
