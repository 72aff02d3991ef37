"""Enclosures of a claim's body over boxes of inputs, and proofs made of them.

>>> from harness.certify.enclosure import Enclosed, NoEnclosure
"""

from harness.certify.enclosure import (  # noqa: F401  (they register)
    arithmetic,
    elementary,
    entries,
    order,
    reductions,
    slopes_of_lines,
)
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.tensor import Enclosed, ends

__all__ = ["Enclosed", "NoEnclosure", "ends"]
