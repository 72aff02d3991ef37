"""The learners of pbrff as scikit-learn transformers: numpy in, numpy out, over the tensor programs of `algos`.

The dtype follows the input (float32 or float64); computations run on the device that the parameter `device` names, with
the random numbers of the CPU.
"""

from algos.estimators.greedy_kernel import GreedyFourierFeatures
from algos.estimators.hold_out import HoldOutCandidate, HoldOutSearch, hold_out_search, published_split_sizes
from algos.estimators.landmarks import GaussianLandmarks, PseudoBayesianLandmarks

__all__ = [
    "GaussianLandmarks",
    "GreedyFourierFeatures",
    "HoldOutCandidate",
    "HoldOutSearch",
    "PseudoBayesianLandmarks",
    "hold_out_search",
    "published_split_sizes",
]
