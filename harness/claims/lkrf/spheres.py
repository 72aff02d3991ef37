"""Section 4.1: classes inside and outside a sphere, features chosen by alignment, plain ones, and plain ones retuned.

What the paper leaves open is set once for all learners: logistic regression with intercept and C = 10^4, features times
sqrt(q D) with D the number of chosen ones (as many plain ones without a factor), and 40,000 test points.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.feature_families import OffsetCosine
from algos.kernel_learning.sphere import sphere_alignment
from algos.kernel_learning.weights import alignment_vector, support
from harness import Draw
from harness.claims import placement
from harness.claims.lkrf.logistic import logistic_regression

RADIUS = 200.0
COST = 1e4
POINTS, TEST_POINTS, FEATURES = 10_000, 40_000, 20_000
TUNED_LENGTH = 0.6
"""Typical length of the frequencies in the control, for every d; under P_0 it is sqrt d."""

FAMILY = OffsetCosine(0.5)
"""cos(<w, x> + v), w ~ N(0, I), v uniform: P_0."""


@dataclass(frozen=True)
class Chosen:
    """Features of positive weight, largest first: parameters (D, d + 1), weights (D,), alignment of the kernel."""

    parameters: Tensor
    weights: Tensor
    alignment: float

    @property
    def count(self) -> int:
        return len(self.weights)

    @property
    def population_alignment(self) -> float:
        """T(Q): what the alignment of the learned kernel is on the distribution of the data."""
        return float(self.weights @ sphere_alignment(self.parameters))


@dataclass(frozen=True)
class Outcome:
    """Test errors on one data set, and the standard error of their difference over the test points."""

    chosen: Chosen
    learned: float
    plain: float
    tuned: float
    gain_error: float


def generators(draw: Draw, dimension: int, count: int) -> list[torch.Generator]:
    """Up to `count` generators, one for each data set of that dimension."""
    return placement.generators(draw, f"seed of d = {dimension}")[:count]


def sphere_sample(count: int, dimension: int, *, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """x ~ N(0, I) and y = sign(|x| - sqrt d)."""
    points = torch.randn(count, dimension, dtype=torch.float64, device=generator.device, generator=generator)
    return points, torch.where(points.norm(dim=-1) > math.sqrt(dimension), 1.0, -1.0).double()


def choose_features(points: Tensor, labels: Tensor, *, generator: torch.Generator, count: int = FEATURES) -> Chosen:
    """Solve the kernel problem over `count` features.

    The alignments, sums of 10^4 cosines, are taken in float32: that moves the weights by less than 10^-3 in total.
    """
    pool = FAMILY.draw(count, points.shape[-1], generator=generator)
    sums = alignment_vector(points.float(), labels.float().unsqueeze(0), pool.float(), FAMILY).double()
    solution = chi_square_ball_maximum(sums / len(points) ** 2, RADIUS)
    kept = support(solution.weights)
    return Chosen(pool[kept], solution.weights[kept], float(solution.value))


def compare(
    dimension: int,
    *,
    generator: torch.Generator,
    count: int = FEATURES,
    points: int = POINTS,
    test_points: int = TEST_POINTS,
) -> Outcome:
    """Errors of chosen features (OK), as many Gaussian ones (GK), and these with shorter frequencies (tuned GK)."""
    x, y = sphere_sample(points, dimension, generator=generator)
    tests, truth = sphere_sample(test_points, dimension, generator=generator)
    chosen = choose_features(x, y, generator=generator, count=count)
    plain = FAMILY.draw(chosen.count, dimension, generator=generator)
    shorter = plain * placement.table([TUNED_LENGTH / math.sqrt(dimension)] * dimension + [1.0], like=plain)
    scales = (chosen.weights * chosen.count).sqrt()
    wrong = []
    for parameters, scale in ((chosen.parameters, scales), (plain, 1.0), (shorter, 1.0)):
        coefficients, intercept = logistic_regression(FAMILY.evaluate(x, parameters) * scale, y, cost=COST)
        decisions = FAMILY.evaluate(tests, parameters) @ (scale * coefficients) + intercept
        wrong.append((decisions * truth <= 0).double())
    gain_error = float((wrong[1] - wrong[0]).std()) / math.sqrt(test_points)
    learned, ordinary, tuned = (float(w.mean()) for w in wrong)
    return Outcome(chosen, learned, ordinary, tuned, gain_error)
