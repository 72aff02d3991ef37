"""What is known between bounds: which is smaller, where two agree, and where one tends to. One table per module."""

from tests.mutation.orderings import (
    analysis,
    balls,
    features,
    games,
    kernels,
    learning,
    margins,
    pac_bayes,
    potentials,
    tuning,
)
from tests.mutation.orderings.table import Ordering, Span

ORDERINGS: tuple[Ordering, ...] = (
    *analysis.TABLE,
    *balls.TABLE,
    *features.TABLE,
    *games.TABLE,
    *kernels.TABLE,
    *learning.TABLE,
    *margins.TABLE,
    *pac_bayes.TABLE,
    *potentials.TABLE,
    *tuning.TABLE,
)

__all__ = ["ORDERINGS", "Ordering", "Span"]
