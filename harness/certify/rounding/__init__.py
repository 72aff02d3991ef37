"""How far rounding alone can move the sides of a claim, measured at the instance by stochastic arithmetic.

>>> from harness.certify.rounding import instance_noise, trial_noise
"""

from harness.certify.rounding.spread import CLEAR, instance_noise
from harness.certify.rounding.trials import trial_noise

__all__ = ["CLEAR", "instance_noise", "trial_noise"]
