"""Figure 2 on data that anyone has: the two bundled sets with one real target or with two classes.

By a protocol fixed before its first run. scikit-learn bundles one data set with a single real target, diabetes, and one
with two classes, breast cancer: both kinds of tasks of the figure, with ridge regression and with a support vector
machine. Its width is that at which the exact Gaussian kernel does best in five folds of the training points: the median
distance times a power of two. Plain and leverage-weighted features of this width are the three largest powers of two
below a tenth of the training points, and each draw has its own ridge or cost by five folds.

Scores are those of Algorithm 1 at the lambda at which the pool has half as many dimensions as features are drawn, since
Theorem 20 wants more features than d_K~. At one lambda for all counts, that of the tuned kernel, d_K~ is larger than
the count, and scores prefer high frequencies that so few features do not need: on made data this cost up to five per
cent, while half saved half a per cent to six at 16 features (four regression problems, d = 10). It saved nothing in
classification.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from scipy.optimize import brentq
from sklearn.svm import SVC, LinearSVC
from torch import Tensor

from algos.ridge.leverage import feature_kernel, ridge_leverage_scores
from algos.ridge.leverage_sampling import leverage_sampling_weights, sample_by_leverage
from harness import Draw, Row, claim, grid, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.placement import generators, on_device
from harness.claims.rows import repetitions_needed
from harness.claims.uarff.feature_pool import REGULARISATIONS, Sample, Selection, cosines, mean_row
from harness.claims.uarff.figure_2_regression import split
from harness.claims.uarff.figure_2_tuned_kernel import SEARCH
from harness.claims.uarff.folded_pool import FOLDS, FoldedPool, gaussian_features
from harness.data import breast_cancer, diabetes

POOL = 1000
COSTS = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""C of the support vector machines."""


@dataclass(frozen=True)
class Task:
    """Points and targets; draws of either sampling on each split; how far a split's number is from their mean."""

    data: Callable[[], Sample]
    classes: bool
    draws: int
    deviation: float

    @property
    def splits(self) -> int:
        """So many that a gain of one (per cent of the error; points in classification) is told from none."""
        return repetitions_needed(1.0, self.deviation, error=1e-6, power=0.95)


TASKS = {
    "diabetes": Task(diabetes, classes=False, draws=32, deviation=2.5),
    "breast cancer": Task(breast_cancer, classes=True, draws=2, deviation=2.0),
}
"""Deviations are about those on made data of as many points."""


@claim(
    "uarff/fig-2-substitute",
    reproduction(sided="at least"),
    expected="undecided",
    over=grid(data=list(TASKS)),
    cite="uarff, Section 5 on Figure 2, on data that scikit-learn bundles",
    quote="This indicates that leverage weighted RFFs perform statistically significantly better than plain RFFs in "
    "terms of the learning accuracy and prediction error.",
    sizes="both bundled data sets of these kinds; 8, 16 and 32 features of a pool of 1000; 256 and 164 splits by their "
    "power; pool, grids, splits, numbers of features and the lambda of the scores are ours by a rule, as the paper "
    "names none",
    restricts="data that scikit-learn bundles, none of the paper's; in classification the mean over the numbers of "
    "features, where the paper says most of the time",
)
def leverage_weighted_features_are_better_on_bundled_data(draw: Draw, *, data: str):
    """On diabetes and on breast cancer leverage-weighted features err less than as many plain ones.

    Judged: the error saved, of regression in per cent of the plain error for each number of features, of classification
    in points on average over them. Means over random splits. All are positive; with 32 features on diabetes and on
    breast cancer (.07 +- .03 % and .4 +- .1 points) the run leaves open whether by chance. Runs where TIGHTROPE_FULL is
    1.
    """
    require_full_size("uarff/fig-2-substitute", takes="about ten minutes of one core")
    task, source = TASKS[data], generators(draw, f"splits of {data}")[0]
    points, targets = on_device(draw, task.data())
    counts = counts_below_a_tenth(math.ceil(0.8 * len(targets)))
    errors = torch.stack([split_errors(points, targets, task, counts, source) for _ in range(task.splits)])
    return rows_of(errors, counts, task)


def rows_of(errors: Tensor, counts: list[int], task: Task) -> list[Row]:
    """Judged gains, and the curves, of errors (splits, counts, 2)."""
    plain, leverage = errors.unbind(-1)
    if task.classes:
        label, gains = "error saved by leverage weights, in points, mean over the counts", (plain - leverage).mean(-1)
        judged = [mean_row(label, gains, 0.0)]
    else:
        label, gains = "error saved by leverage weights, in % of the plain error", 100 * (1 - leverage / plain)
        judged = [mean_row(f"{label}, {m} features", gains[:, k], 0.0) for k, m in enumerate(counts)]
    unit = "error in %" if task.classes else "RMSE"
    return judged + [
        mean_row(name, some[:, k], at={"features": m}, unit=unit)
        for name, some in (("plain", plain), ("leverage", leverage))
        for k, m in enumerate(counts)
    ]


def counts_below_a_tenth(points: int) -> list[int]:
    """The three largest powers of two below a tenth of so many points."""
    largest = math.ceil(math.log2(points / 10)) - 1
    return [2**k for k in range(largest - 2, largest + 1)]


def split_errors(points: Tensor, targets: Tensor, task: Task, counts: list[int], generator: torch.Generator) -> Tensor:
    """Test errors (counts, 2), plain and leverage-weighted, on one split; means over the draws."""
    train, test = split(points, targets, generator)
    if task.classes:
        train, test = ((x, y.sign()) for x, y in (train, test))
    features = gaussian_features(POOL, points.shape[1], tuned_width(train, task), generator=generator)
    z, share = cosines(train[0], features), torch.full_like(features[:, 0], 1 / POOL)
    found = []
    for m in counts:
        scores = ridge_leverage_scores(z, share, ridge_of_dimension(feature_kernel(z, share), m / 2))
        weights = leverage_sampling_weights(scores)
        for _ in range(task.draws):
            few = torch.randperm(POOL, device=z.device, generator=generator)[:m]
            drawn = sample_by_leverage(scores, m, generator=generator)
            for chosen, by in ((few, torch.ones_like(weights[few])), (drawn, weights[drawn])):
                found.append(_error(train, test, features[chosen], by, task))
    return torch.tensor(found, dtype=torch.float64).view(len(counts), task.draws, 2).mean(1)


def ridge_of_dimension(kernel: Tensor, dimension: float) -> float:
    """n lambda at which the effective dimension of the kernel is this number."""
    values = torch.linalg.eigvalsh(kernel).clamp_min(0)
    middle = math.log(float(values.sum()))
    return math.exp(brentq(lambda at: float((values / (values + math.exp(at))).sum()) - dimension, middle - 30, middle))


def tuned_width(train: Sample, task: Task) -> float:
    """Width in units of sqrt(d), at which the Gaussian kernel has the smallest error in cross validation."""
    points, targets = train
    squares, median = torch.cdist(points, points).square(), float(torch.pdist(points).median())
    errors = []
    for width in SEARCH.widths:
        kernel = torch.exp(-squares / (2 * (width * median) ** 2))
        errors.append(_machine_error(kernel, targets) if task.classes else _ridge_error(kernel, targets))
    return SEARCH.widths[errors.index(min(errors))] * median / math.sqrt(points.shape[1])


def _ridge_error(kernel: Tensor, targets: Tensor) -> float:
    """Sum of squared errors of kernel ridge regression in cross validation, at the best lambda."""
    losses = torch.zeros(len(REGULARISATIONS)).to(kernel)
    for held in _folds(targets):
        values, vectors = torch.linalg.eigh(kernel[~held][:, ~held])
        moments, new = vectors.mT @ targets[~held], kernel[held][:, ~held] @ vectors
        ridges = len(values) * torch.tensor(REGULARISATIONS).to(values).unsqueeze(-1)
        losses += ((moments / (values.clamp_min(0) + ridges)) @ new.mT - targets[held]).square().sum(-1)
    return float(losses.min())


def _machine_error(kernel: Tensor, targets: Tensor) -> float:
    """Wrong answers of kernel machines in cross validation, at the best cost."""
    wrong = [0.0] * len(COSTS)
    for held in _folds(targets):
        inner, new = kernel[~held][:, ~held].cpu().numpy(), kernel[held][:, ~held].cpu().numpy()
        for k, cost in enumerate(COSTS):
            fitted = SVC(C=cost, kernel="precomputed", random_state=0).fit(inner, targets[~held].cpu().numpy())
            wrong[k] += float((fitted.predict(new) != targets[held].cpu().numpy()).sum())
    return min(wrong)


def _error(train: Sample, test: Sample, features: Tensor, weights: Tensor, task: Task) -> float:
    """Test error of a draw, RMSE or per cent of wrong classes, at the ridge or cost that cross-validates best."""
    if not task.classes:
        drawn = FoldedPool.of(train, test, features)
        return float(drawn.best(Selection(drawn.everything().indices, weights))[1])
    scale = weights / math.sqrt(len(weights))
    inner, outer = ((cosines(x, features) * scale).cpu().numpy() for x in (train[0], test[0]))
    labels, folds = train[1].cpu().numpy(), [held.cpu().numpy() for held in _folds(train[1])]
    wrong = [
        sum((_machine(cost).fit(inner[~f], labels[~f]).predict(inner[f]) != labels[f]).sum() for f in folds)
        for cost in COSTS
    ]
    answers = _machine(COSTS[wrong.index(min(wrong))]).fit(inner, labels).predict(outer)
    return 100.0 * float((answers != test[1].cpu().numpy()).mean())


def _machine(cost: float) -> LinearSVC:
    return LinearSVC(C=cost, loss="squared_hinge", dual=False, tol=1e-4, max_iter=10_000, random_state=0)


def _folds(targets: Tensor) -> list[Tensor]:
    """Masks of five consecutive parts; the points are in random order."""
    owner = torch.arange(len(targets), device=targets.device) * FOLDS // len(targets)
    return [owner == k for k in range(FOLDS)]
