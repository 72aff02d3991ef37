"""Appendix A.1 on pairs of MNIST digits that no claim had read, by a protocol fixed before its first run.

The appendix names no data; MNIST is one of the paper's two. Its pairs, 1-7, 4-9 and 5-6, served to plan the samples.
Here are the pairs 2j and 2j + 1, in which every digit occurs once, and means over all samples of all pairs. Criteria
are those of nsrf/A.1, A.1-top-k and A.1-median, unchanged. The number of samples is what a mean needs to be told from
its limit with probability 19/20 at the level of a run (4.5 standard errors), with the gaps and spreads of the paper's
pairs: ((4.5 + 1.65) spread / gap)^2. That is 19 for the search (.058, .083) and 23 for ten samples (2.9, 3.7 points),
rounded up to equally many in each pair. The bandwidth is judged at numbers of features of the paper's Table 1, for gaps
of one point at spreads of one: 38 samples.
"""

import torch

from harness import Draw, claim, grid, reproduction
from harness.claims.nsrf.mnist_guide import some_images
from harness.claims.nsrf.search_guide import rows_of_search, weighted_task
from harness.claims.nsrf.table_1 import Task
from harness.claims.nsrf.tuning_guide import rows_of_bandwidths, rows_of_several_samples

FRESH_PAIRS = tuple(f"{digit}-{digit + 1}" for digit in range(0, 10, 2))
SEARCHED, COMPARED, WIDTHS = 4, 5, 8
"""Samples of each pair."""


@claim(
    "nsrf/A.1-starts-mnist",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1: 500 parallel copies, 1.5 times the variance, about 100 steps",
    sizes=(
        "500 copies and 100 steps as printed; 300 images in 784 dimensions, five pairs of MNIST digits of ours, four "
        "samples of each, as the paper names no data here; at the first weights of the game and after 20 rounds"
    ),
)
def rule_of_thumb_on_other_digits(draw: Draw):
    """On other pairs of MNIST, 100 steps of 500 copies from 1.5 times the variance locate a reasonably good peak.

    At least three quarters of the highest potential known, in the mean, as in nsrf/A.1: the paper has no number.
    """
    samples = [(weighted_task(task, generator), generator) for task, generator in samples_of_pairs(draw, SEARCHED)]
    return rows_of_search("mnist", samples)


@claim(
    "nsrf/A.1-top-k-mnist",
    reproduction(sided="at least"),
    cite="nsrf, Appendix A.1, the top k samples",
    sizes=(
        "k = 10 as printed, m = 20 and 50; 400 training images in 784 dimensions, five pairs of MNIST digits of ours, "
        "five samples of each, as the paper names no data here"
    ),
)
def ten_samples_of_each_run_on_other_digits(draw: Draw):
    """On other pairs of MNIST, the ten highest samples of each run do not degrade the features much.

    As in nsrf/A.1-top-k: with a tenth of the runs they stay better than as many Gaussian features at m = 20 and 50.
    """
    return rows_of_several_samples(samples_of_pairs(draw, COMPARED))


@claim(
    "nsrf/A.1-median-mnist",
    reproduction(sided="at least"),
    over=grid(m=[100, 1000]),
    cite="nsrf, Appendix A.1, the median of pairwise distances",
    sizes=(
        "m = 100 and 1000, as in Table 1; 400 training images in 784 dimensions, five pairs of MNIST digits of ours, "
        "eight samples of each, as the paper names no data here"
    ),
)
def median_distance_as_bandwidth_on_other_digits(draw: Draw, *, m: int):
    """On other pairs of MNIST, the median distance is a better bandwidth than a quarter and four times of it.

    As in nsrf/A.1-median; half and twice the median are shown.
    """
    return rows_of_bandwidths(samples_of_pairs(draw, WIDTHS), m)


def samples_of_pairs(draw: Draw, count: int) -> list[tuple[Task, torch.Generator]]:
    """So many samples of each pair in a standard run, one in a quick one."""
    few = max(1, count * draw.reps // 32)
    return [sample for pair in FRESH_PAIRS for sample in some_images(draw, pair, few, f"splits of {pair}")]
