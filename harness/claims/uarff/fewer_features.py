"""Appendix F, the "only": fewer than 1000 features of the tuned kernel do not reach the kernel machine on kin8nm.

Print does not say to what performance becomes comparable: to that of the kernel machine, or of one sampling to that of
the other. The first is judged here; of the second, with 1000 features, app-F-tuned-kernel.

Fixed before the run. Numbers of features are those of fig-2 and app-F below 1000; comparable is within 10 %, as in
app-F. The width has the smallest error of the kernel machine in five folds of half of the training points, its lambda
the smallest on a fifth held out of all of them. Both samplings draw from a pool of 4000, as in app-F.

The plan was two splits of a random half of the data, with a pool of 10,000. There 500 features erred 40 % (plain) and
49 and 58 % (leverage) more than the kernel machine, and 1000 features 17 % and 20 and 27 %: so in this sense 1000 are
not comparable either. This is shown and not judged: it depends on our ten per cent, on which the paper does not decide.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.ridge.leverage import ridge_leverage_scores
from algos.ridge.leverage_sampling import leverage_sampling_weights, sample_by_leverage
from algos.ridge.regression import dual_coefficients
from harness import Draw, Row, claim, reproduction
from harness.claims.full_size import full_size
from harness.claims.placement import generators, on_device
from harness.claims.uarff.feature_pool import REGULARISATIONS, Sample, Selection, cosines, mean_row, root_mean_square
from harness.claims.uarff.figure_2_regression import FEW, split
from harness.claims.uarff.figure_2_tuned_kernel import COMPARABLE, SEARCH
from harness.claims.uarff.folded_pool import FOLDS, FoldedPool, gaussian_features
from harness.data import required

FEATURES = (*FEW.features, 500, 1000)
POOL = 4000
_NEAR = 1000
"""Training points, in random order, whose distances have the median."""

REPETITIONS, AT_FULL_SIZE = 3, 10
"""By the normal law three tell the planned margin, 40 % less 10 %, from its deviation, .07; by Student's t nine do."""


@claim(
    "uarff/app-F-fewer",
    reproduction(sided="at least"),
    cite='uarff, Appendix F, KINEMATICS, the "only"',
    quote="only when we increase the number of features up to 1000 we are able to attain comparable performance.",
    sizes="20, 50, 100 and 500 features of a pool of 4000; all 8192 points, 5 folds; ten repetitions with "
    "TIGHTROPE_FULL=1, else three, which decide nothing; comparable: to kernel ridge regression, within 10 %; numbers "
    "of features, pool, widths and splits are ours by a rule, as the paper names none",
    restricts="that fewer than 1000 features are not comparable, in the sense of the kernel machine; that 1000 are is "
    "judged in the sense of either sampling against the other (uarff/app-F-tuned-kernel) and only shown here: they "
    "still erred 24 and 28 % more than the kernel machine",
)
def fewer_features_do_not_reach_the_kernel_machine(draw: Draw):
    """RMSE(m features) > 1.1 RMSE(kernel machine) on kin8nm for m <= 500, plain or leverage-weighted features.

    Kernel ridge regression with the tuned kernel. In the one run 500 features erred 46 % (plain) and 56 % (leverage)
    more. Shown, not judged: 1000 erred 24 and 28 % more, so they are not within ten per cent either; and leverage
    weights lost 3 to 10 % at every number, so that one sampling against the other does not tell 1000 from fewer.
    """
    points, targets = on_device(draw, required("kin8nm", "uarff/app-F-fewer").tensors)
    found = [
        _errors(points, targets, source)
        for source in generators(draw, "seed")[: AT_FULL_SIZE if full_size() else REPETITIONS]
    ]
    machine = torch.stack([kernel for kernel, _ in found])
    errors = torch.stack([features for _, features in found])
    return [*_rows(100 * (errors / machine[:, None, None] - 1), errors), mean_row("kernel machine: RMSE", machine)]


def _rows(excess: Tensor, errors: Tensor) -> list[Row]:
    """Excess (repetitions, counts, 2) over the kernel machine, in %, and the error saved by leverage weights."""
    last = len(FEATURES) - 1
    rows = [
        mean_row(f"{name}, {m} features: more error than the kernel machine, in %", excess[:, c, k], limit)
        for k, name in enumerate(("plain", "leverage"))
        for c, (m, limit) in enumerate(zip(FEATURES, [COMPARABLE] * last + [None], strict=True))
    ]
    saved = 100 * (1 - errors[..., 1] / errors[..., 0])
    names = (f"error saved by leverage weights, in % of the plain error, {m} features" for m in FEATURES)
    return rows + [mean_row(name, saved[:, c]) for c, name in enumerate(names)]


@dataclass(frozen=True)
class Gaussian:
    """Kernel ridge regression with the kernel exp(-|x - x'|^2 / (2 width^2))."""

    width: float
    regularisation: float

    def error(self, train: Sample, test: Sample) -> Tensor:
        """Root mean squared error on the test points."""
        kernel, against = (
            (-torch.cdist(x, train[0]).square() / (2 * self.width**2)).exp() for x in (train[0], test[0])
        )
        fitted = dual_coefficients(kernel, train[1], len(train[1]) * self.regularisation)
        return root_mean_square(against @ fitted, test[1])


def tuned_machine(train: Sample) -> Gaussian:
    """The width by five folds of half of the training points, then lambda by a fifth held out of all."""
    median = float(torch.pdist(train[0][:_NEAR]).median())
    every = [Gaussian(width * median, lam) for width in SEARCH.widths for lam in REGULARISATIONS]
    count = len(train[1])
    width = _best(every, [part[: count // 2] for part in train], range(FOLDS)).width
    return _best([Gaussian(width, lam) for lam in REGULARISATIONS], train, [FOLDS - 1])


def _best(machines: Sequence[Gaussian], sample: Sequence[Tensor], held: Sequence[int]) -> Gaussian:
    """The machine with the smallest sum of squares on the folds held out, each in turn."""
    points, targets = (part.tensor_split(FOLDS) for part in sample)

    def loss(machine: Gaussian) -> float:
        total = 0.0
        for j in held:
            rest = [torch.cat([fold for i, fold in enumerate(part) if i != j]) for part in (points, targets)]
            error = machine.error((rest[0], rest[1]), (points[j], targets[j]))
            total += len(targets[j]) * float(error) ** 2
        return total

    return min(machines, key=loss)


def _errors(points: Tensor, targets: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Test errors of the kernel machine, and (counts, 2) of plain and of leverage-weighted features, on one split."""
    train, test = split(points, targets, generator)
    machine, dimension = tuned_machine(train), points.shape[1]
    pool = gaussian_features(POOL, dimension, machine.width / math.sqrt(dimension), generator=generator)
    share = torch.full_like(pool[:, 0], 1 / POOL)
    scores = ridge_leverage_scores(cosines(train[0], pool), share, len(train[1]) * machine.regularisation)
    most = FEATURES[-1]
    indices = sample_by_leverage(scores, most, generator=generator)
    drawn = [(pool[:most], torch.ones_like(share[:most])), (pool[indices], leverage_sampling_weights(scores)[indices])]
    columns = []
    for features, weights in drawn:
        folded, first = FoldedPool.of(train, test, features), torch.arange(most, device=weights.device)
        columns.append(torch.stack([folded.best(Selection(first[:m], weights[:m]))[1] for m in FEATURES]))
    return machine.error(train, test), torch.stack(columns, -1)
