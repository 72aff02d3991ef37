"""Bodies without inputs: their formulas, evaluated in balls from their numbers on.

>>> from harness.certify.formulas import decided
"""

from harness.certify.formulas.decision import decided

__all__ = ["decided"]
