"""Everything that judges: claims, quantifiers, search, evidence, verdicts, running, storing, reporting.

>>> from harness import claim, grid, high_probability

Names are imported when they are asked for: a command that needs neither claims nor torch starts without them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.errors import ClaimError, TightropeError, UsageError, skip
    from harness.kinds import (
        always,
        expectation,
        high_probability,
        identity,
        rate,
        reproduction,
        tail,
        untestable,
        up_to_constant,
    )
    from harness.language import every
    from harness.language.averages import expected_value
    from harness.language.defects import Defect, Severity
    from harness.language.panels import Panel
    from harness.language.quantifiers import Draw, Forall
    from harness.language.registry import Claim, claim, grid
    from harness.language.rows import Estimate, Row
    from harness.run.api import check

_HOMES = {
    "run.api": ("check",),
    "language.averages": ("expected_value",),
    "language.defects": ("Defect", "Severity"),
    "errors": ("ClaimError", "TightropeError", "UsageError", "skip"),
    "kinds": (
        "always",
        "expectation",
        "high_probability",
        "identity",
        "rate",
        "reproduction",
        "tail",
        "untestable",
        "up_to_constant",
    ),
    "language.panels": ("Panel",),
    "language.rows": ("Estimate", "Row"),
    "language.quantifiers": ("Draw", "Forall"),
    "language.registry": ("Claim", "claim", "grid"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Claim",
    "ClaimError",
    "Defect",
    "Draw",
    "Estimate",
    "Forall",
    "Panel",
    "Row",
    "Severity",
    "TightropeError",
    "UsageError",
    "always",
    "check",
    "claim",
    "every",
    "expectation",
    "expected_value",
    "grid",
    "high_probability",
    "identity",
    "rate",
    "reproduction",
    "skip",
    "tail",
    "untestable",
    "up_to_constant",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its module at its first use."""
    if name == "every":
        return import_module("harness.language.every")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"harness.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
