"""Everything that judges: claims, quantifiers, search, evidence, verdicts, running, storing, reporting.

>>> from harness import claim, grid, high_probability
"""

from harness.api import check
from harness.errors import ClaimError, TightropeError, UsageError, skip
from harness.kinds import always, expectation, high_probability, identity, rate, reproduction, untestable
from harness.panels import Panel
from harness.quantifiers import Draw, Forall
from harness.registry import Claim, claim, grid

__all__ = [
    "Claim",
    "ClaimError",
    "Draw",
    "Forall",
    "Panel",
    "TightropeError",
    "UsageError",
    "always",
    "check",
    "claim",
    "expectation",
    "grid",
    "high_probability",
    "identity",
    "rate",
    "reproduction",
    "skip",
    "untestable",
]
