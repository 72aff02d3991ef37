"""Table 1 on data: frequencies by three distributions, and one machine on their features.

A method is a distribution of frequencies: Gaussian with the median distance as bandwidth (RBF-RF), the same reweighted
by kernel alignment (LKRF), or the answers of the kernel player in the margin game (ours). Each frequency gives a cosine
and a sine, m counts frequencies, and the machine on the raw features has hinge loss, C = 1 and a free bias.

The paper leaves open rho of LKRF (here 10, for 5000 candidates), the steps of the game (here .003 / sqrt t), how many
features a frequency gives, and how they are scaled. Peaks are sought by 25 steps from 30 starts (paper: 100 from 500).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.best_response.ascent import AscentPeaks
from algos.best_response.oracle import BestResponse
from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.fourier.random_features import gaussian_frequencies, random_fourier_features
from algos.fourier.sums import fourier_potential
from algos.kernel_learning.weights import sampled_features
from algos.margin_game.game import play_margin_game
from algos.margin_game.online import decreasing_step
from harness import Estimate, Row
from harness.claims.nsrf.learned_machine import BOX, accuracy, hinge_machine
from harness.data import photograph_patches

CANDIDATES = 5000
RADIUS = 10.0
STEP = 0.003
STARTS, STEPS, POLISH = 30, 25, 10

OURS = "ours"
BASELINES = ("RBF-RF", "LKRF")


@dataclass(frozen=True)
class Task:
    """Training and test points, centred by the training mean, with labels -1 and +1."""

    points: Tensor
    labels: Tensor
    test_points: Tensor
    test_labels: Tensor

    @property
    def bandwidth(self) -> float:
        """Of the Gaussian kernel: the median distance, of 500 training points."""
        return float(torch.pdist(self.points[:500]).median())


@dataclass(frozen=True)
class Answers:
    """Which test points a method gets right, (n,), for every m; and the share of training points that it does."""

    right: dict[int, Tensor]
    training: dict[int, float]

    def accuracy(self, m: int) -> float:
        """In percent."""
        return 100 * float(self.right[m].mean())


@dataclass(frozen=True)
class Trained:
    """A machine: right answers on the test points, scores of the training points, y_i a_i (n,), and its normal."""

    right: Tensor
    scores: Tensor
    coefficients: Tensor
    normal: Tensor


def task_of(points: Tensor, labels: Tensor, tested: Tensor) -> Task:
    """The task with these rows (a mask) for the test."""
    centre = points[~tested].mean(0)
    return Task(points[~tested] - centre, labels[~tested], points[tested] - centre, labels[tested])


def random_task(points: Tensor, labels: Tensor, *, share: float, generator: torch.Generator) -> Task:
    """The task with a random share of the points for training."""
    points, labels = points.to(generator.device), labels.to(generator.device)
    order = torch.randperm(len(labels), device=generator.device, generator=generator)
    tested = torch.zeros_like(order, dtype=torch.bool)
    tested[order[round(share * len(labels)) :]] = True
    return task_of(points, labels, tested)


def photograph_task(training: int, tested: int, *, generator: torch.Generator) -> Task:
    """Patches of 16 x 16 pixels of one photograph against those of another: pictures in hundreds of dimensions."""
    seed = int(torch.randint(2**31, (), generator=generator, device=generator.device))
    points, labels = (part.to(generator.device) for part in photograph_patches(training + tested, side=16, seed=seed))
    return task_of(points, labels, torch.arange(len(labels), device=labels.device) >= training)


def gaussian(task: Task, count: int, *, generator: torch.Generator) -> Tensor:
    """RBF-RF: (count, d)."""
    return gaussian_frequencies(count, task.points.shape[-1], gamma=0.5 / task.bandwidth**2, generator=generator)


def aligned(task: Task, count: int, *, generator: torch.Generator, candidates: int = CANDIDATES) -> Tensor:
    """LKRF: draws from the law in the chi-square ball around the Gaussian one whose kernel aligns best, (count, d)."""
    pool = gaussian(task, candidates, generator=generator)
    alignments = fourier_potential(task.points, pool, task.labels) / len(task.labels) ** 2
    weights = chi_square_ball_maximum(alignments, RADIUS).weights
    return pool[sampled_features(weights, count, generator=generator)]


def peaks(task: Task, count: int, *, generator: torch.Generator) -> Tensor:
    """Ours: the frequencies of as many rounds of the margin game, (count, d)."""
    game = play_margin_game(player(task, generator), task.labels, BOX, rounds=count, step=decreasing_step(STEP))
    return game.indices


def several_peaks(task: Task, rounds: int, count: int, *, generator: torch.Generator, step: float = STEP) -> Tensor:
    """Frequencies of a game whose kernel player answers with the mean kernel of its `count` highest samples."""
    search = player(task, generator)

    def respond(signed: Tensor) -> BestResponse:
        places = search.best(signed, count)
        features = random_fourier_features(task.points, places)
        value = (features.mT @ signed).square().sum()
        return BestResponse(places.flatten(), features, value, torch.full_like(value, math.inf))

    game = play_margin_game(respond, task.labels, BOX, rounds=rounds, step=decreasing_step(step))
    return game.indices.reshape(rounds * count, -1)


def player(task: Task, generator: torch.Generator) -> AscentPeaks:
    """The kernel player: starts of 1.5 times the variance of `gaussian`, ascents in single precision."""
    return AscentPeaks(
        task.points,
        generator=generator,
        starts=STARTS,
        steps=STEPS,
        polish=POLISH,
        lengthscale=task.bandwidth,
        search=torch.float32,
    )


METHODS: Mapping[str, Callable[..., Tensor]] = {"RBF-RF": gaussian, "LKRF": aligned, OURS: peaks}


def answers(task: Task, method: str, sizes: Sequence[int], *, generator: torch.Generator) -> Answers:
    """The machine's answers with the first m frequencies of one draw or one game, for every m of the sizes."""
    return answers_of(task, METHODS[method](task, max(sizes), generator=generator), sizes)


def answers_of(task: Task, frequencies: Tensor, sizes: Sequence[int]) -> Answers:
    """The machine's answers with the first m of these frequencies, for every m of the sizes."""
    found = {m: machine(task, frequencies[:m]) for m in sizes}
    return Answers({m: right for m, (right, _) in found.items()}, {m: share for m, (_, share) in found.items()})


def machine(task: Task, frequencies: Tensor, box: float = 1.0) -> tuple[Tensor, float]:
    """Right answers on the test points, and accuracy on the training points in percent.

    The machine with C = `box` on a kernel decides as that with C = 1 on `box` times the kernel.
    """
    trained = train(task, frequencies, box)
    return trained.right, accuracy(trained.scores, task.labels)[0]


def train(task: Task, frequencies: Tensor, box: float = 1.0) -> Trained:
    """The machine on the features of these frequencies side by side, times sqrt(box)."""
    scale = math.sqrt(box * len(frequencies))
    features, tested = (scale * random_fourier_features(x, frequencies) for x in (task.points, task.test_points))
    coefficients, bias = hinge_machine(features @ features.mT, task.labels)
    weights = coefficients @ features
    right = ((tested @ weights + bias) * task.test_labels > 0).double()
    return Trained(right, features @ weights + bias, coefficients, weights)


def lead(ours: Sequence[Answers], theirs: Sequence[Answers], m: int, n: int) -> Estimate:
    """Mean over the trials with both columns of our accuracy with m frequencies minus theirs with n, in points."""
    pairs = [(a.right[m], b.right[n]) for a, b in zip(ours, theirs, strict=True) if m in a.right and n in b.right]
    return mean_of_points([100 * (a - b) for a, b in pairs])


def curves(trials: Mapping[str, Sequence[Answers]], *, prefix: str = "") -> list[Row]:
    """Accuracies along m of the trials with that column, not judged; in training for ours alone."""
    rows: list[Row] = []
    for method, found in trials.items():
        for m in found[0].right:
            spread = mean_of_points([100 * each.right[m] for each in found if m in each.right])
            rows.append(Row(f"{prefix}{method}", spread, at={"m": m}, unit="accuracy in %"))
    for m in trials[OURS][0].training:
        spread = Estimate.mean([each.training[m] for each in trials[OURS] if m in each.training])
        rows.append(Row(f"{prefix}{OURS} in training", spread, at={"m": m}, unit="accuracy in %"))
    return rows


def mean_of_points(trials: Sequence[Tensor]) -> Estimate:
    """Mean over trials of means over test points, with at least the error that the number of test points leaves."""
    tested = math.sqrt(sum(float(each.var()) / len(each) for each in trials)) / len(trials)
    return Estimate.mean([float(each.mean()) for each in trials], least=tested)
