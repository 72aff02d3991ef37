"""Figure 1a at T = 1000 with a step that validation chooses, by a protocol fixed before its first run.

The points are those of `windmill`, on seeds of their own. The paper names neither steps nor how far frequencies go.
Here the step is 1/8, 1/4, ..., 8 times that of the regret bound, ``D/(G sqrt t)`` with the diameter ``D = C sqrt n``
and the gradient bound ``G = (1 + C n) sqrt n`` of pairs of mass one: the multiple, and of equals the least, whose
machine has most held-out points right over four folds of 2000 points on which nothing is judged. Frequencies go to
``|w_j| <= pi / h``, beyond which points as far apart as here, ``h = sqrt(pi / n)`` on the disc, tell none from another.
"""

import math

import torch
from torch import Tensor

from algos.best_response.planar import PlanarPeaks
from algos.margin_game.game import MarginGame, play_margin_game
from algos.margin_game.online import decreasing_step
from harness import Draw, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.nsrf.learned_machine import BOX, accuracy, machine
from harness.claims.placement import generators, on_device, table
from harness.claims.rows import prediction_half_width
from harness.data import windmill

POINTS, ROUNDS, UNSEEN = 2000, 1000, 50_000
"""As printed."""

RADIUS = math.sqrt(math.pi * POINTS)
MULTIPLES = tuple(2.0**k for k in range(-3, 4))
"""Of the step of the regret bound."""

FOLDS, SAMPLES = 4, 8
ERROR = 0.05
"""Probability that one of both numbers of one more sample is further above our mean, by Student's t."""

PRINTED = {"training": 99.7, "test": 99.3}


@claim(
    "nsrf/fig-1-windmill-validated",
    reproduction(sided="at most"),
    cite="nsrf, Section 5: 99.7% training, 99.3% test by T = 1000, if taken for validated steps on any windmill",
    sizes="n = 2000, T = 1000 and 50,000 test points as printed, eight samples; the generator, |w_j| <= sqrt(pi n) and "
    "steps by validation over a grid are ours, as the paper names none; largest peaks are exact",
    restricts="our generator, box and grid, whose least step validates best; asked for was that print be reached, "
    "the first run gave the opposite on test points, which is recorded",
)
def windmill_with_a_validated_step(draw: Draw):
    """On the windmill, at the step that validates best, the classifier falls short of 99.3 % of the test points.

    The printed number is that of one sample: our mean over eight is below it by more than the half-width of the
    prediction interval for one more sample, .05 of error probability for both numbers. Training accuracy is shown, and
    within its interval. That accuses nobody: the paper names neither points nor steps nor box, and with other steps, in
    the box |w_j| <= 40, its numbers are reached to .3 (nsrf/fig-1-windmill). Runs where TIGHTROPE_FULL is 1.
    """
    require_full_size("nsrf/fig-1-windmill-validated", takes="about six minutes of one core")
    seeds = [each.initial_seed() for each in generators(draw, "windmills of a validated step")[:SAMPLES]]
    multiple = validated_multiple(*on_device(draw, windmill(POINTS, seed=seeds[0] + 2)), rounds=ROUNDS)
    reached = [both_accuracies(draw, seed, multiple, rounds=ROUNDS) for seed in seeds]
    return [*accuracy_rows(torch.tensor(reached, dtype=torch.float64)), Row("multiple of the regret step", multiple)]


def accuracy_rows(reached: Tensor) -> list[Row]:
    """Mean accuracies in percent of samples (m, 2); on test points judged by the printed one less its half-width."""
    rows: list[Row] = []
    for (name, printed), found in zip(PRINTED.items(), reached.unbind(-1), strict=True):
        allowed = prediction_half_width(found, error=ERROR)  # one-sided: half of it for each number
        limit = printed - allowed if name == "test" else None
        rows.append(Row(f"{name} accuracy in %, printed {printed}", float(found.mean()), printed=limit))
        rows.append(Row(f"{name} accuracy in %, half-width for one more sample", allowed))
    return rows


def both_accuracies(draw: Draw, seed: int, multiple: float, *, rounds: int) -> tuple[float, float]:
    """Training and test accuracy in percent on the sample of this seed."""
    points, labels = on_device(draw, windmill(POINTS, seed=seed))
    unseen, truth = on_device(draw, windmill(UNSEEN, seed=seed + 1))
    player = PlanarPeaks(points, radius=RADIUS)
    learned = machine(player, games(player, labels, (multiple,), rounds=rounds)[0], rounds)
    return accuracy(learned.training_scores, labels)[0], accuracy(learned.scores(unseen), truth)[0]


def validated_multiple(points: Tensor, labels: Tensor, *, rounds: int) -> float:
    """The multiple whose machines have most points of their held-out folds right."""
    right = torch.zeros(len(MULTIPLES))
    for held in torch.arange(len(labels), device=labels.device).tensor_split(FOLDS):
        rest = torch.ones_like(labels, dtype=torch.bool).index_fill(0, held, value=False)
        player = PlanarPeaks(points[rest], radius=RADIUS)
        for k, game in enumerate(games(player, labels[rest], MULTIPLES, rounds=rounds)):
            scores = machine(player, game, rounds).scores(points[held])
            right[k] += float((scores * labels[held] > 0).sum())
    return MULTIPLES[int(right.argmax())]


def games(player: PlanarPeaks, labels: Tensor, multiples: tuple[float, ...], *, rounds: int) -> list[MarginGame]:
    """The games of mass one with C = 1 and these multiples of the step of the regret bound, played at once."""
    steps = regret_step(len(labels)) * table(multiples, like=labels)
    played = play_margin_game(player, labels, BOX * torch.ones_like(steps), rounds=rounds, step=decreasing_step(steps))
    return [played[k] for k in range(len(multiples))]


def regret_step(points: int) -> float:
    """D / G = C / (1 + C n)."""
    return BOX / (1 + BOX * points)
