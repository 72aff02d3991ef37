"""The learners of pbrff, lkrf, uarff and nsrf as scikit-learn transformers over the tensor programs of `algos`.

Numpy in, numpy out. The dtype follows the input (float32 or float64); computations run on the device that the parameter
`device` names, with the random numbers of the CPU.
"""

from algos.estimators.greedy_kernel import GreedyFourierFeatures
from algos.estimators.hold_out import HoldOutCandidate, HoldOutSearch, hold_out_search, published_split_sizes
from algos.estimators.hold_out_paths import HoldOutPath, gaussian_machine_path, linear_machine_path
from algos.estimators.landmarks import GaussianLandmarks, PseudoBayesianLandmarks
from algos.estimators.learned_kernel import LearnedKernelFeatures
from algos.estimators.learners import penalised_learner
from algos.estimators.leverage_features import LeverageWeightedFeatures
from algos.estimators.not_so_random import NotSoRandomFeatures

__all__ = [
    "GaussianLandmarks",
    "GreedyFourierFeatures",
    "HoldOutCandidate",
    "HoldOutPath",
    "HoldOutSearch",
    "LearnedKernelFeatures",
    "LeverageWeightedFeatures",
    "NotSoRandomFeatures",
    "PseudoBayesianLandmarks",
    "gaussian_machine_path",
    "hold_out_search",
    "linear_machine_path",
    "penalised_learner",
    "published_split_sizes",
]
