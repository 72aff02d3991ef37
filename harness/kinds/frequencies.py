"""How often lhs exceeds rhs: what is kept of the trials of a high-probability claim, and its picture."""

import math
from collections.abc import Sequence

import numpy as np

from harness.certify.proof import Proof, Unproved
from harness.evidence.histogram import BINS_PER_E, OVER, UNDER
from harness.judges.base import Data
from harness.language.charts import MOST_CURVES, Chart, Series
from harness.language.registry import Parameters
from harness.numbers import Instance, parameters
from harness.verdict import Counterexample, Details


class Total(Data, frozen=True, kw_only=True):
    """Blocks of fresh trials added up."""

    trials: int
    violations: int
    frequency: float
    interval: tuple[float, float]
    delta: float
    log_e: float


class Ratios(Details, frozen=True, kw_only=True):
    """The distribution that was judged, and the counts of lhs/rhs by bin in its trials.

    Where all outcomes were enumerated, `probability` is that of a violation, and counts are in units of 1/PARTS.
    """

    instance: Instance
    ratios: list[tuple[int, int]]
    delta: float
    laws: int
    ties: int
    nonfinite: int
    probability: float | None = None
    proof: Proof | Unproved | None = None  # None where none was tried

    @property
    def exact(self) -> bool:
        return self.probability is not None

    @property
    def remarks(self) -> Sequence[str]:
        return () if self.proof is None else (self.proof.sentence,)


class TooOften(Counterexample, frozen=True, kw_only=True):
    """A distribution, and how often lhs > rhs there, with an interval of 99 %."""

    values: Instance
    frequency: float
    interval: tuple[float, float]


def survival(cells: Sequence[tuple[Parameters, Ratios]]) -> Chart:
    """Survival of lhs/rhs and the allowed level: where a curve passes 1 above its level, the bound fails."""
    most = max([1, *(sum(c for _, c in details.ratios) for _, details in cells)])
    shown = list(enumerate(cells[:MOST_CURVES]))
    several = len(cells) > 1
    return Chart(
        [
            Series(_survival(details), style="steps", colour=i, label=parameters(params) if several else "")
            for i, (params, details) in shown
        ],
        x="lhs / rhs",
        y="P(ratio > x)",
        title="survival of lhs/rhs; dotted: the allowed probability",
        log="xy",
        verticals=[1.0],
        dotted=[(details.delta, i) for i, (_, details) in shown],
        heights=(0.5 / most, 1.5),
    )


def _survival(found: Ratios) -> list[tuple[float, float]]:
    """How often each ratio is exceeded; what lies beyond the bins is drawn at 10."""
    bins = [(i, c) for i, c in found.ratios if i > UNDER]
    total, above = sum(c for _, c in found.ratios), sum(c for _, c in bins)
    points = []
    for i, c in bins:
        points.append((math.exp(min(i, OVER) / BINS_PER_E) if i < OVER else 10.0, above / total))
        above -= c
    return points


def undefined(lhs: np.ndarray, rhs: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Where a side is not finite, unless an infinite one agrees with the claim."""
    found: np.ndarray = ~finite & ~((lhs < rhs) & ((lhs == -math.inf) | (rhs == math.inf)))
    return found


def surely(lhs: np.ndarray, rhs: np.ndarray, doubt: np.ndarray) -> np.ndarray:
    """The left sides, at most the right ones where rounding decides."""
    return np.where(doubt > 0.0, np.minimum(lhs, rhs), lhs)


def deciding(lhs: np.ndarray, rhs: np.ndarray, doubt: np.ndarray) -> np.ndarray:
    """The doubt where it decides whether lhs exceeds rhs; zero elsewhere."""
    return np.where(lhs - rhs + doubt > 0.0, doubt, 0.0)


def replay_trials(frequency: float, delta: float) -> int:
    """Enough fresh trials to see a frequency above delta again: six standard errors apart."""
    gap = max(frequency - delta, 1e-6)
    return int(min(max(1000, 36.0 * max(frequency, delta) / gap**2), 10_000_000))
