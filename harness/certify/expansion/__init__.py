"""Expansion of both sides of an identity into normal forms with rational coefficients: equal forms prove it.

>>> from harness.certify.expansion import expansion_constant, expansion_gap
"""

from harness.certify.expansion.identity import expansion_constant, expansion_gap

__all__ = ["expansion_constant", "expansion_gap"]
