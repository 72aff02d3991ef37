"""Bodies without inputs: their formulas, evaluated in balls from their numbers on.

>>> from harness.certify.formulas import contradicted, decided
"""

from harness.certify.formulas.decision import contradicted, decided

__all__ = ["contradicted", "decided"]
