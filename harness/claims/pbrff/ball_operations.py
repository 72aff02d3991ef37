"""Section 5.3: the steps of the iterative procedure for (17) and (18), each sum, product and comparison counted.

With values v = -losses of spread one, the multiplier lambda of D_mu(Q || P) <= rho is bisected. At lambda the best
weights are N Q = ((v - eta)_+ / (lambda mu))^t, t = 1 / (mu - 1), where eta solves mean (v - eta)_+^t = (lambda mu)^t:
by a search among the values that halves them at a pivot drawn at random, with the sums of the active ones carried
along. Feasible weights have the duality gap lambda (rho - D_mu), and the search stops once that is at most epsilon.

The divergence is at most rho from lambda = 1 / (mu rho) on, and -mu' D <= d D / d log lambda <= 0 for mu <= 2, with
mu' = t mu. So after k halvings the gap is at most t 2^(t + 2 - k), whatever N and rho are.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from algos.divergence_ball.exact import divergence_ball_maximum
from harness import always, claim
from harness.claims.counted import Counted, Steps, total

STEP_COST = 30
"""Steps for each frequency in a round: 4 (t + 2) to find eta in expectation, t + 5 for the weights, and some room."""

_CELLS = [
    {"order": order, "N": N, "epsilon": epsilon}
    for order in (1.5, 2.0)
    for N, epsilon in ((5, 1e-6), (20, 1e-4), (120, 1e-2))
]


@dataclass(frozen=True)
class Round:
    """Weights at a multiplier, their divergence, and the steps taken so far."""

    weights: Sequence[Counted]
    divergence: Counted
    steps: int


def counted_bisection(losses: NDArray[np.float64], rho: float, order: float, epsilon: float) -> Round:
    """Feasible weights within epsilon of the best ones; losses of spread one, mu = 2 or 3/2."""
    steps, generator = Steps(), np.random.default_rng(len(losses))
    values = [Counted(-float(loss), steps) for loss in losses]
    low, high = Counted(0.0, steps), Counted(1.0 / (order * rho), steps)
    trial, found = high, None
    while True:
        weights, divergence = best_weights(values, trial * order, order, generator)
        if divergence.above(rho) and found is not None:  # the first trial is feasible but for rounding
            low = trial
        else:
            high, found = trial, (weights, divergence)
            gap = (divergence - Counted(rho, steps)) * high
            if not (gap * -1.0).above(epsilon):
                return Round(*found, steps.taken)
        trial = (low + high) / 2.0


def best_weights(
    values: Sequence[Counted], scale: Counted, order: float, generator: np.random.Generator
) -> tuple[list[Counted], Counted]:
    """The weights Q at the scale lambda mu, and D_mu(Q || P) of them."""
    power, size = round(1 / (order - 1)), float(len(values))
    eta = threshold(values, power_of(scale, power) * size, power, generator)
    ratios = [(value - eta) / scale if value.above(eta) else None for value in values]
    raised = [None if ratio is None else power_of(ratio, power) for ratio in ratios]
    active = [(ratio, weight) for ratio, weight in zip(ratios, raised, strict=True) if ratio and weight]
    zero, one = Counted(0.0, scale.steps), Counted(1.0, scale.steps)
    divergence = total([ratio * weight for ratio, weight in active]) / size - one
    return [weight / size if weight else zero for weight in raised], divergence


def power_of(number: Counted, power: int) -> Counted:
    """The number, or its square."""
    return number if power == 1 else number * number


def threshold(values: Sequence[Counted], target: Counted, power: int, generator: np.random.Generator) -> Counted:
    """eta with sum_i (v_i - eta)_+^power = target > 0; the values are compared with pivots, not sorted."""
    candidates, count = list(values), 0.0
    sums = [Counted(0.0, target.steps)] * power
    while candidates:
        pivot = candidates[int(generator.integers(len(candidates)))]
        above = [value for value in candidates if value.above(pivot)]
        below = [value for value in candidates if pivot.above(value)]
        larger = list(_added(sums, above))
        if _excess(larger, count + len(above), pivot).above(target):
            candidates = above
        else:
            equal = len(candidates) - len(above) - len(below)
            sums, count = list(_added(larger, [pivot] * equal)), count + len(above) + equal
            candidates = below
    if power == 1:
        return (sums[0] - target) / count
    return (sums[0] - (sums[0] * sums[0] - (sums[1] - target) * count).sqrt()) / count


def _added(sums: Sequence[Counted], values: Sequence[Counted]) -> Iterator[Counted]:
    """The sums of the values, and of their squares where there are two, with these values in them."""
    for power, known in enumerate(sums, start=1):
        yield total([known, *(power_of(value, power) for value in values)])


def _excess(sums: Sequence[Counted], count: float, at: Counted) -> Counted:
    """sum_i (v_i - at)^power over so many values, from their sums."""
    if len(sums) == 1:
        return sums[0] - at * count
    return sums[1] - at * sums[0] * 2.0 + at * at * count


def instances(N: int, order: float) -> list[tuple[NDArray[np.float64], float]]:
    """Losses of spread one and radii: at random, two values, many close ones, a geometric sequence; small and large."""
    steps, generator = np.arange(N), np.random.default_rng(N)
    uniform = generator.uniform(size=N)
    samples = [
        (uniform - uniform.min()) / np.ptp(uniform),
        (steps % 2).astype(float),
        np.concatenate([[0.0, 1.0], 1e-3 * steps[2:] / N]),
        (1 - 0.5**steps) / (1 - 0.5 ** (N - 1)),
    ]
    return [(losses, rho) for losses in samples for rho in (0.01, 0.5 * (N ** (order - 1) - 1))]


@claim(
    "pbrff/sd-complexity-cost",
    always(),
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=_CELLS,
    sizes="mu = 3/2 and 2; N = 5, 20 and 120; epsilon = 1e-2, 1e-4 and 1e-6 of the spread of the losses; four kinds of "
    "losses, a small and a large rho; sums, products and comparisons are counted, pivots drawn at random",
)
def suboptimal_alignment_takes_linearly_many_steps(*, order: float, N: int, epsilon: float):
    """An epsilon-suboptimal Q takes O(N log(1 / epsilon)) steps: at most 30 N (1 + ceil(log2(t 2^(t+2) / epsilon))).

    t = 1 / (mu - 1). The largest count over the losses and radii; neither rho nor the losses change the bound.
    """
    power = 1 / (order - 1)
    rounds = 1 + math.ceil(math.log2(power * 2 ** (power + 2) / epsilon))
    taken = max(counted_bisection(losses, rho, order, epsilon).steps for losses, rho in instances(N, order))
    return taken, STEP_COST * N * rounds


@claim(
    "pbrff/sd-complexity-cost-accuracy",
    always(),
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=[cell for cell in _CELLS if cell["N"] < 50],
    sizes="as sd-complexity-cost, N = 5 and 20",
)
def counted_alignment_is_suboptimal_by_epsilon(*, order: float, N: int, epsilon: float):
    """What these steps find has D_mu(Q || P) <= rho and a loss within epsilon of the exact solution of (17) and (18).

    The larger of the two shares, of rho and of epsilon, over the losses and radii.
    """
    shares = []
    for losses, rho in instances(N, order):
        found = counted_bisection(losses, rho, order, epsilon).weights
        weights = torch.tensor([weight.value for weight in found], dtype=torch.float64)
        values = torch.as_tensor(-losses)
        excess = divergence_ball_maximum(values, rho, order=order).value - (weights * values).sum()
        divergence = (N * weights).pow(order).mean() - 1
        shares += [float(excess) / epsilon, float(divergence) / rho]
    return max(shares), 1.0
