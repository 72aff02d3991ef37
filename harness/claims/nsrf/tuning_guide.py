"""The tuning guide of Appendix A.1 on handwritten digits: starts and steps, several samples of a run, the bandwidth."""

import math
from collections.abc import Sequence
from statistics import mean

import torch
from torch import Tensor

from algos.best_response.ascent import AscentPeaks
from algos.margin_game.game import play_margin_game
from algos.margin_game.online import decreasing_step
from harness import Draw, Row, claim, reproduction
from harness.claims.nsrf.digits import EVEN, THREE, digit_task
from harness.claims.nsrf.learned_machine import BOX
from harness.claims.nsrf.table_1 import STEP, Task, gaussian, machine, peaks, player, several_peaks
from harness.claims.placement import generators
from harness.claims.rows import mean_and_error

RULE = "500 starts, 100 steps"
SEARCHES = {
    RULE: (500, 100, 1.0),
    "30 starts, 25 steps": (30, 25, 1.0),
    f"{RULE}, a tenth of the variance": (500, 100, 0.1),
    f"{RULE}, ten times the variance": (500, 100, 10.0),
}
"""Starts, steps, variance over that of the rule; our table uses the second."""

THOROUGH = (1000, 200, 1.0)
REASONABLE = 0.75
"""Print has no number for "reasonably good"."""

TOP = 10
SIZES = (10, 20, 50)

REPEATED = 5
"""Draws of Gaussian features on each split."""

BANDWIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)


@claim(
    "nsrf/A.1",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1, starts and steps",
    restricts="digits 3 and 8 of 8 x 8 pixels, at two moments of the game",
)
def rule_of_thumb_for_the_starts(draw: Draw):
    """About 100 steps from 500 starts of 1.5 times the variance of Gaussian features locate a reasonably good peak.

    Digits 3 and 8, at the first weights of the game and after 20 rounds: the potential there over the highest that 1000
    starts and 200 steps find, at least .75 (the paper has no number). Normalised steps without noise. The 30 starts and
    25 steps of our table, and starts of other variances, are shown.
    """
    shares: dict[str, list[float]] = {}
    for generator in generators(draw, "splits")[: max(2, draw.reps // 10)]:
        task = digit_task(THREE, generator)
        rounds = play_margin_game(player(task, generator), task.labels, BOX, rounds=20, step=decreasing_step(STEP))
        for when, weights in (("first", torch.full_like(task.labels, BOX / 2)), ("20th", rounds.last_weights)):
            for name, share in _shares(task, weights * task.labels, generator).items():
                shares.setdefault(f"{when} weights, {name}: share of the highest potential", []).append(share)
    return [
        Row(label, *mean_and_error(found), REASONABLE if f"{RULE}:" in label else None)
        for label, found in shares.items()
    ]


@claim(
    "nsrf/A.1-top-k",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1, the top k samples",
    restricts="even against odd digits of 8 x 8 pixels, m <= 50",
)
def ten_samples_of_each_run(draw: Draw):
    """The ten highest samples of each run, for a tenth of the runs, do not degrade the features much.

    Even against odd digits. The paper has no number for "much": judged is whether the features stay better than as many
    Gaussian ones (RBF-RF) at m = 20 and 50. What they lose against one sample of each run is shown, and is largest for
    few features: ten of one run may share a peak.
    """
    accuracies: dict[tuple[str, int], list[float]] = {}
    for generator in generators(draw, "splits")[: max(2, draw.reps // 10)]:
        task = digit_task(EVEN, generator)
        laws = {
            "one sample": [peaks(task, SIZES[-1], generator=generator)],
            "ten samples": [several_peaks(task, SIZES[-1] // TOP, TOP, generator=generator)],
            "RBF-RF": [gaussian(task, SIZES[-1], generator=generator) for _ in range(REPEATED)],
        }
        for name, drawn in laws.items():
            for m in SIZES:
                accuracies.setdefault((name, m), []).append(mean(accuracy(task, each[:m]) for each in drawn))
    differences = [
        Row(
            f"ten samples - {name}",
            *_difference(accuracies["ten samples", m], accuracies[name, m]),
            0.0 if name == "RBF-RF" and m > TOP else None,
            at={"m": m},
            unit="points",
        )
        for name in ("RBF-RF", "one sample")
        for m in SIZES
    ]
    shown = [
        Row(name, *mean_and_error(found), at={"m": m}, unit="accuracy in %") for (name, m), found in accuracies.items()
    ]
    return [*differences, *shown]


@claim(
    "nsrf/A.1-median",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1, the median of pairwise distances",
    restricts="even against odd digits of 8 x 8 pixels, m = 50",
)
def median_distance_as_bandwidth(draw: Draw):
    """The median distance is a good bandwidth for random Gaussian features: better than a quarter and four times of it.

    Even against odd digits, m = 50. Half and twice the median are shown; print calls it a rule of thumb.
    """
    accuracies: dict[float, list[float]] = {factor: [] for factor in BANDWIDTHS}
    for generator in generators(draw, "splits")[: max(4, draw.reps // 4)]:
        task = digit_task(EVEN, generator)
        frequencies = gaussian(task, 50, generator=generator)
        for factor, found in accuracies.items():
            found.append(accuracy(task, frequencies / factor))
    gains = [
        Row(
            f"median - {factor:g} times the median, in points",
            *_difference(accuracies[1.0], accuracies[factor]),
            0.0 if factor in (BANDWIDTHS[0], BANDWIDTHS[-1]) else None,
        )
        for factor in BANDWIDTHS
        if factor != 1.0
    ]
    shown = [
        Row("RBF-RF", *mean_and_error(found), at={"bandwidth over median": factor}, unit="accuracy in %")
        for factor, found in accuracies.items()
    ]
    return [*gains, *shown]


def accuracy(task: Task, frequencies: Tensor) -> float:
    """Of the machine on the test points, in percent."""
    right, _ = machine(task, frequencies)
    return 100 * float(right.mean())


def _shares(task: Task, signed: Tensor, generator: torch.Generator) -> dict[str, float]:
    """Potential that each search reaches, over the highest of all."""
    found = {name: _height(task, signed, generator, search) for name, search in SEARCHES.items()}
    highest = max(_height(task, signed, generator, THOROUGH), *found.values())
    return {name: height / highest for name, height in found.items()}


def _height(task: Task, signed: Tensor, generator: torch.Generator, search: tuple[int, int, float]) -> float:
    starts, steps, variance = search
    finder = AscentPeaks(
        task.points,
        generator=generator,
        starts=starts,
        steps=steps,
        lengthscale=task.bandwidth / math.sqrt(variance),
        polish=0,
        search=torch.float32,
    )
    return float(finder(signed).value)


def _difference(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    return mean_and_error([a - b for a, b in zip(first, second, strict=True)])
