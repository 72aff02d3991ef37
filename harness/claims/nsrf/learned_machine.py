"""The classifier behind Figure 1: hinge loss, C = 1 and a free bias on the features that a run collected."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from sklearn.svm import SVC
from torch import Tensor

from algos.best_response.oracle import BestResponse
from algos.fourier.sums import fourier_sums
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.measure import DualMeasure, dual_measure, measure_features
from algos.margin_game.online import decreasing_step
from harness.claims.placement import table

BOX = 1.0
_BLOCK = 2**17
"""Feature values at a time: they stay in a second-level cache."""


class Player(Protocol):
    """A kernel player that maps new points as well."""

    def __call__(self, signed: Tensor, /) -> BestResponse: ...

    def features(self, index: Tensor, points: Tensor | None = None, /) -> Tensor: ...


@dataclass(frozen=True)
class Machine:
    """A linear machine on the features of `measure`, each with the weight sqrt(T mass): Algorithm 2 concatenates them.

    Attributes
    ----------
    measure : what was played, equal strategies merged.
    scores : points (p, d) -> decision values (p,).
    training_scores : (n,).
    """

    measure: DualMeasure
    scores: Callable[[Tensor], Tensor]
    training_scores: Tensor


def played(player: Player, labels: Tensor, *, rounds: int, step: float) -> MarginGame:
    """The mass-one game with steps eta / sqrt t and C = 1."""
    return play_margin_game(player, labels, BOX, rounds=rounds, step=decreasing_step(step))


def machine(player: Player, game: MarginGame, rounds: int) -> Machine:
    """Train on the features of the first rounds."""
    measure, masses, weights, bias, training = _trained(player, game, rounds)

    def scores(points: Tensor) -> Tensor:
        blocks = points.split(max(1, _BLOCK // len(weights)))
        return torch.cat(
            [measure_features(player.features(measure.indices, block), masses) @ weights + bias for block in blocks]
        )

    return Machine(measure, scores, training)


def machine_of_pairs(player: Player, game: MarginGame, rounds: int) -> Machine:
    """The same where strategies are pairs of frequencies: their sums on new points, without their features."""
    measure, masses, weights, bias, training = _trained(player, game, rounds)
    coefficients = (weights.unflatten(0, (-1, 2)) * masses.sqrt().unsqueeze(-1)).mT

    def scores(points: Tensor) -> Tensor:
        cosines, sines = fourier_sums(measure.indices, points, coefficients)
        return cosines[0] + sines[1] + bias

    return Machine(measure, scores, training)


def _trained(player: Player, game: MarginGame, rounds: int) -> tuple[DualMeasure, Tensor, Tensor, float, Tensor]:
    """What was played and its masses, weights of its features, the bias, and the scores of the sample."""
    measure = dual_measure(game, rounds)
    masses = rounds * measure.masses
    sample = measure_features(player.features(measure.indices), masses)
    coefficients, bias = hinge_machine(sample @ sample.mT, game.labels)
    weights = coefficients @ sample
    return measure, masses, weights, bias, sample @ weights + bias


def hinge_machine(kernel: Tensor, labels: Tensor) -> tuple[Tensor, float]:
    """Coefficients y_i a_i (n,) of the machine with C = 1 on a kernel matrix (n, n), and its free bias."""
    solver = SVC(C=BOX, kernel="precomputed", random_state=0).fit(kernel.cpu().numpy(), labels.cpu().numpy())
    coefficients = torch.zeros_like(kernel[0])
    coefficients[torch.as_tensor(solver.support_, dtype=torch.int64)] = table(solver.dual_coef_[0], like=kernel)
    return coefficients, float(solver.intercept_[0])


def accuracy(scores: Tensor, labels: Tensor) -> tuple[float, float]:
    """Share of correct signs and its standard error, in percent."""
    share = (scores * labels > 0).double().mean().item()
    return 100 * share, 100 * math.sqrt(share * (1 - share) / len(labels))
