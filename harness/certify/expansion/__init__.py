"""Expansion of both sides of an identity into normal forms with rational coefficients: equal forms prove it.

>>> from harness.certify.expansion import expands_to_zero
"""

from harness.certify.expansion.identity import expands_to_zero

__all__ = ["expands_to_zero"]
