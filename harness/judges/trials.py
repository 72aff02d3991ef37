"""The tasks of a claim that draws, and what they find."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from harness.certify.rounding.spread import NoiseLevel
from harness.certify.rounding.trials import chance_rounding
from harness.judges.base import Data, Task
from harness.judges.replicates import Replicates
from harness.numbers import Instance

REWRITTEN = 32  # times, at most, that a block writes into its memory before it counts as larger


class Anatomy(Task, frozen=True, kw_only=True):
    """Look at the quantified sets, and whether the body keeps the contract."""


class Laws(Task, frozen=True, kw_only=True):
    """Search for the worst distribution, and for the tightest one where the looseness is measured there."""

    bytes: int
    count: int
    steps: int
    tight: bool


class Shrink(Task, frozen=True, kw_only=True):
    """Simplify the worst distribution."""

    bytes: int
    instance: Instance
    rounds: int


class Enumerate(Task, frozen=True, kw_only=True):
    """Every outcome of the draws with its probability, where they are few."""

    instance: Instance


class Probe(Task, frozen=True, kw_only=True):
    """Measure rounding at the frozen distribution."""

    instance: Instance


class Block(Task, frozen=True, kw_only=True):
    """Fresh replicates at the frozen distribution."""

    index: int
    reps: int
    instance: Instance
    noise: NoiseLevel


class Tight(Task, frozen=True, kw_only=True):
    """Fresh replicates at the tightest distribution."""

    index: int
    reps: int
    instance: Instance


class Parts(Data, frozen=True, kw_only=True):
    """The quantified sets; the bytes of a replicate that are held, and in all; the operations of torch for a block."""

    variables: list[str]
    bytes: int
    written: int
    operations: int


class Worst(Data, frozen=True, kw_only=True):
    """The worst distribution that was found, the tightest one where it is another, and how many were tried."""

    best: Instance
    best_score: float
    tight: Instance | None
    laws: int


class Frozen(Data, frozen=True, kw_only=True):
    """The distribution that is judged."""

    values: Instance
    best_score: float


class Probed(Data, frozen=True, kw_only=True):
    """The rounding of some trials."""

    noise: NoiseLevel


class Trials(Data, frozen=True, kw_only=True):
    """What a block of replicates leaves behind; `nonfinite` of the trials had a side that is not, `ties` equal ones.

    Samples that floats do not resolve decide `unresolved` of them.
    """

    trials: int
    nonfinite: int
    ties: int
    unresolved: int = 0
    smallest_rhs: float


class Exact(Data, frozen=True, kw_only=True):
    """What all outcomes together give; none of them where the draws have too many, or a side is not finite."""

    outcomes: int = 0


@dataclass(frozen=True)
class Every:
    """Both sides of all outcomes and their probabilities, `(outcomes,)`; `doubt` as in `Settled`, `noise` of the rest.

    `otherwise` makes the probabilities rounded differently, `(k, outcomes)`.
    """

    lhs: np.ndarray
    rhs: np.ndarray
    weights: np.ndarray
    doubt: np.ndarray
    noise: float
    otherwise: Callable[[], np.ndarray]

    def rounding(self, values: np.ndarray) -> float:
        """How far rounding of the probabilities may take the mean of these values."""
        return chance_rounding(self.weights, self.otherwise(), values)


class Counts(msgspec.Struct, frozen=True):
    """Of the replicates of a block."""

    trials: int
    nonfinite: int
    ties: int
    unresolved: int


class Violations(Trials, frozen=True, kw_only=True):
    """Trials with lhs > rhs, others in which it may be so, and the counts of lhs/rhs by bin.

    `doubtful` are those that rounding decides, `undefined` those with a side that is not finite, unless an infinite one
    agrees with the claim.
    """

    violations: int
    doubtful: int = 0
    undefined: int = 0
    ratios: dict[str, int]


class Shares(Exact, frozen=True, kw_only=True):
    """The probability that lhs > rhs, that of violations that rounding decides, and that of lhs/rhs by bin.

    The latter in units of 1/PARTS. `rounding` is how far that of probabilities may take the first, where it matters.
    """

    violations: int = 0
    ties: int = 0
    probability: float = 0.0
    doubtful: float = 0.0
    rounding: float = 0.0
    ratios: dict[str, int] = msgspec.field(default_factory=dict)
    smallest_rhs: float = math.inf


class Sums(Trials, frozen=True, kw_only=True):
    """Sums over finite trials, and logarithms of bets: on the mean, and on the mean against a smaller right side."""

    lhs: float
    rhs: float
    sum: float
    squares: float
    largest: float = 0.0  # of lhs - rhs, how far from its mean
    doubtful: float = 0.0  # how far rounding may take the sum up, where it decides more than last places
    undone: float = 0.0  # and down
    decided: int = 0  # in how many trials
    against: list[float] | None = None  # None without a finite end of the range on that side
    in_favour: list[float] | None = None
    factors: list[list[float]] | None = None


def sums(parts: Sequence[Sums]) -> tuple[int, float, float]:
    """Trials, the sum of lhs - rhs, and of its squares."""
    return sum(part.trials for part in parts), sum(part.sum for part in parts), sum(part.squares for part in parts)


def differences(parts: Sequence[Sums]) -> Replicates:
    """What the finite trials say of lhs - rhs."""
    found = []
    for part in parts:
        count = part.trials - part.nonfinite
        if count:
            spread = max(part.squares - part.sum**2 / count, part.largest**2)  # the former loses what is small
            found.append(Replicates(count=count, mean=part.sum / count, spread=spread, largest=part.largest))
    return Replicates.joined(found)


class MeanTotal(Data, frozen=True, kw_only=True):
    """Blocks of a claim about means added up."""

    trials: int
    mean_lhs: float
    mean_rhs: float
    mean_excess: float
    standard_error: float
    log_e: float | None
    exact: bool = False

    @property
    def replay_trials(self) -> int:
        """Enough fresh trials to see the mean excess again at six standard errors."""
        errors = self.standard_error / max(self.mean_excess, 1e-300)  # squared, tiny numbers would vanish
        needed = 36.0 * errors * errors * self.trials
        return int(min(max(1000.0, needed), 10_000_000.0))


class Moments(Exact, frozen=True, kw_only=True):
    """Means of both sides, of their difference, and of their sizes; its rounding, and between what the mean difference
    lies where rounding decides more than last places, such as whether events happen.
    """

    lhs: float = 0.0
    rhs: float = 0.0
    excess: float = 0.0
    tolerance: float = 0.0
    smallest_rhs: float = math.inf
    least: float = 0.0
    most: float = 0.0

    @property
    def sides(self) -> tuple[float, float]:
        """Both means."""
        return self.lhs, self.rhs

    @property
    def largest(self) -> tuple[float, float]:
        """Both means, the left one as large as what rounding decides may make it: no looseness rests on that."""
        return self.lhs + (self.most - self.excess), self.rhs

    @property
    def total(self) -> MeanTotal:
        """As blocks added up; without an error, and without evidence to weigh."""
        return MeanTotal(
            trials=self.outcomes,
            mean_lhs=self.lhs,
            mean_rhs=self.rhs,
            mean_excess=self.excess,
            standard_error=0.0,
            log_e=None,
            exact=True,
        )


def together(bytes_each: int, written: int) -> int:
    """What a replicate counts for in a block, in bytes: one whose memory is written again and again, for more."""
    return max(bytes_each, written // REWRITTEN)
