"""Which bound should I use for my numbers? Bounds of the same left side, ranked at given numbers."""

from harness.comparison.families import FAMILIES, family_of
from harness.comparison.family import Bound, Family
from harness.comparison.ranking import Along, Comparison, Standing, along, compare

__all__ = ["FAMILIES", "Along", "Bound", "Comparison", "Family", "Standing", "along", "compare", "family_of"]
