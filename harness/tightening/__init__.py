"""The best constant: between the largest ratio of both sides that was found and the smallest one that is proved."""

from harness.tightening.bracket import tighten_by_judging
from harness.tightening.enclosed import Step, Tightened
from harness.tightening.ratio import tighten_ratio

__all__ = ["Step", "Tightened", "tighten_by_judging", "tighten_ratio"]
