"""Table 10 with every hyper-parameter by five-fold cross-validation, by a protocol fixed before its first run.

The problem is that of `table_10`, at the sizes of print. "We carefully cross-validate both methods across a grid of
hyper-parameters": each of the three learners gets the width of its kernel and its lambda from five folds of the 50,000
points. Widths are powers of two times that of the median heuristic, ``1 / sqrt(20 log 2)``, as the squared distance of
two points of N(0, 5 I_2) has the median 20 log 2; the last is the first no narrower than the frequencies of the target,
since print puts these in the tail of the kernel's. Lambdas are powers of ten about sigma^2 / n, at which scores are
taken. Leverage scores see all inputs, no target.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from algos.ridge.gaussian_leverage import gaussian_kernel_eigenvalues
from algos.ridge.leverage_sampling import leverage_sampling_weights, sample_by_leverage
from harness import Draw, Row, claim, reproduction
from harness.claims.full_size import require_full_size
from harness.claims.placement import generators
from harness.claims.uarff.feature_pool import Parts, Sample, mean_row, root_mean_square
from harness.claims.uarff.gaussian_modes import GaussianModes, ModalSample
from harness.claims.uarff.table_10 import NOISE, PRINTED, Sizes, synthetic_problem
from harness.claims.uarff.table_10_sizes import HALF_WIDTHS, IN_PRINT, PLAIN

INPUT_SCALE = math.sqrt(5)
TARGET_WIDTH = math.sqrt(4.5)
"""Standard deviation of the target's frequencies in each direction: modes at +-2, variance 1/2."""

FOLDS, PROBLEMS = 5, 5
DROPPED = 0.003
"""Root mean square of what the modes leave out of a feature, whose own is 1."""

LEARNERS = ("few", "leverage", "every")


@claim(
    "uarff/tab-10-validated",
    reproduction(sided="at least"),
    cite="uarff, Table 10 and Section 5, the text on it",
    quote="learning with 1,000 leverage weighted RFFs is as effective as learning with a complete pool of 50,000 plain "
    "RFFs",
    sizes="all sizes of print; five draws of the problem and the features; widths and lambdas by five-fold "
    "cross-validation over grids of ours, as the paper names none",
    restricts="the width that validates best, 2.15, is that of the target's frequencies, which print puts in the tail; "
    "fixed before its first run, which left both comparisons open",
)
def validated_leverage_features_are_as_effective_as_fifty_times_as_many(draw: Draw):
    """1000 leverage-weighted features err less than 1000 plain ones, and no more than 50,000 up to the intervals.

    The errors differ by at most .03, the half-widths of the printed intervals .04 +- .01 and .04 +- .02 together. Every
    learner has the width and the lambda that cross-validate best for it; errors are against the function itself.
    Open: all get the widest kernel, and there .058 (plain), .079 (leverage) and .028 (50,000), with standard errors of
    .010, .019 and .006, show no gain by leverage. That accuses nobody: the paper names no width, its premise of a
    target in the tail fails at this one, and at 1.5 few draws leave it open (uarff/tab-10-sizes). Runs where
    TIGHTROPE_FULL is 1.
    """
    require_full_size("uarff/tab-10-validated", takes="about five minutes of one core")
    sources = generators(draw, "problems at validated widths")[:PROBLEMS]
    return validated_rows(sources, PRINTED, plain=PLAIN)


def validated_rows(sources: list[torch.Generator], sizes: Sizes, *, plain: int) -> list[Row]:
    """Both comparisons (judged), the errors, and the widths that cross-validation chose."""
    found = torch.stack([validated_errors(source, sizes, plain=plain) for source in sources])
    (few, leverage, every), widths = found[..., 0].unbind(-1), found[..., 1].unbind(-1)
    return [
        mean_row(f"plain - leverage, {sizes.features} features each", few - leverage, 0.0),
        mean_row(f"{plain} plain features - {sizes.features} leverage", every - leverage, -HALF_WIDTHS),
        *(mean_row(f"RMSE, {name}", some) for name, some in zip(IN_PRINT, (few, leverage, every), strict=True)),
        *(mean_row(f"width, {name}", some) for name, some in zip(LEARNERS, widths, strict=True)),
    ]


def validated_errors(generator: torch.Generator, sizes: Sizes, *, plain: int) -> Tensor:
    """Test error and width (3, 2) of each learner where it cross-validates best."""
    parts = synthetic_problem(sizes.points, generator=generator)
    directions = torch.randn(plain, 2, dtype=torch.float64, device=generator.device, generator=generator)
    turns = torch.rand(plain, 1, dtype=torch.float64, device=generator.device, generator=generator)
    tried = []
    for width in widths():
        features = torch.cat([width * directions, 2 * math.pi * turns], -1)
        found = errors_at(parts, width, features, sizes, generator=generator)
        tried.append(torch.cat([found, torch.full_like(found[:, :1], width)], -1))
    by_learner = torch.stack(tried, 1)  # learner, width, (validated, test, width)
    return torch.stack([each[each[:, 0].argmin(), 1:] for each in by_learner])


def widths() -> list[float]:
    """1, 2, 4, ... times the width of the median heuristic, up to the first that reaches the target's frequencies."""
    first = 1 / math.sqrt(4 * INPUT_SCALE**2 * math.log(2))
    return [first * 2**k for k in range(math.ceil(math.log2(TARGET_WIDTH / first)) + 1)]


def degree(width: float) -> int:
    """Least K at which modes beyond have a mean square of at most `DROPPED`^2: r^(K+1) (1 + (K+1)(1-r))."""
    kept, _ = gaussian_kernel_eigenvalues(2, lengthscale=1 / width, input_scale=INPUT_SCALE, dimension=2)
    ratio = float(kept[1] / kept[0])
    count = 1
    while ratio**count * (1 + count * (1 - ratio)) > DROPPED**2:
        count += 1
    return count - 1


def errors_at(parts: Parts, width: float, features: Tensor, sizes: Sizes, *, generator: torch.Generator) -> Tensor:
    """Cross-validated and test error (3, 2) at this width of few plain, leverage-weighted, and all plain features."""
    folds = Folds.of(GaussianModes(width=width, input_scale=INPUT_SCALE, degree=degree(width)), parts.train)
    sample, pool = folds.without(None), features[: sizes.pool]
    inner = sample.operator(pool)
    scores = sample.scores(pool, inner, NOISE**2 / sizes.points)
    chosen = sample_by_leverage(scores, sizes.features, generator=generator)
    multipliers = leverage_sampling_weights(scores)[chosen].unsqueeze(-1)
    rest = len(features) - sizes.pool
    every = (inner * sizes.pool + sample.operator(features[sizes.pool :]) * rest) / len(features)
    modes = sample.modes
    roots = (
        modes.of_features(pool[: sizes.features]) / math.sqrt(sizes.features),
        modes.of_features(pool[chosen]) * multipliers / math.sqrt(sizes.features),
        _root(every),
    )
    points, truth = parts.test
    psi = modes.of_points(points)
    found = []
    for root in roots:
        error, fitted = folds.best(root)
        found.append(torch.stack([error, root_mean_square(psi @ fitted, truth)]))
    return torch.stack(found)


def _root(operator: Tensor) -> Tensor:
    """R (B, B) with R^T R = H, for H that may be singular up to rounding."""
    values, vectors = torch.linalg.eigh(operator)
    root: Tensor = values.clamp_min(0).sqrt().unsqueeze(-1) * vectors.mT
    return root


@dataclass(frozen=True)
class Folds:
    """Sums over each fold: Psi^T Psi (k, B, B), Psi^T y (k, B), y^T y (k,), and the points in each (k,)."""

    modes: GaussianModes
    grams: Tensor
    moments: Tensor
    squares: Tensor
    counts: Tensor

    @staticmethod
    def of(modes: GaussianModes, sample: Sample) -> "Folds":
        """Consecutive points: they are independent, and so in no order."""
        parts = list(zip(*(torch.tensor_split(some, FOLDS) for some in sample), strict=True))
        sums = [ModalSample.of(modes, x, y) for x, y in parts]
        counts = torch.tensor([float(len(y)) for _, y in parts]).to(sample[1])
        return Folds(
            modes,
            torch.stack([some.gram for some in sums]) * counts.view(-1, 1, 1),
            torch.stack([some.moments for some in sums]) * counts.view(-1, 1),
            torch.stack([y.square().sum() for _, y in parts]),
            counts,
        )

    def without(self, fold: int | None) -> ModalSample:
        """The sample of all other folds, or of all."""
        kept = [k for k in range(len(self.counts)) if k != fold]
        n = self.counts[kept].sum()
        return ModalSample(self.modes, self.grams[kept].sum(0) / n, self.moments[kept].sum(0) / n)

    def best(self, root: Tensor) -> tuple[Tensor, Tensor]:
        """Least cross-validated root mean squared error among the lambdas, and the fit with it to all points (B,)."""
        lambdas = regularisations(int(self.counts.sum()))
        losses = torch.zeros(len(lambdas)).to(self.counts)
        for fold in range(len(self.counts)):
            for k, fitted in enumerate(fits(self.without(fold), root, lambdas)):
                crossed = self.moments[fold] @ fitted
                losses[k] += self.squares[fold] - 2 * crossed + fitted @ self.grams[fold] @ fitted
        chosen = int(losses.argmin())
        (whole,) = fits(self.without(None), root, lambdas[chosen : chosen + 1])
        return (losses[chosen] / self.counts.sum()).sqrt(), whole


def regularisations(points: int) -> list[float]:
    """sigma^2 / n times 1/100, 1/10, 1, 10, 100."""
    return [NOISE**2 / points * 10.0**k for k in range(-2, 3)]


def fits(sample: ModalSample, root: Tensor, lambdas: list[float]) -> Iterator[Tensor]:
    """Coefficients (B,) in Psi of ridge regression on features with H = R^T R: R^T (R T R^T + lambda I)^-1 R v."""
    gram, moments = root @ sample.gram @ root.mT, root @ sample.moments
    identity = torch.eye(len(gram)).to(gram)
    for each in lambdas:
        factor = torch.linalg.cholesky(gram + each * identity)
        yield root.mT @ torch.cholesky_solve(moments.unsqueeze(-1), factor).squeeze(-1)
