"""The speed suite, `tightrope bench`: ours, the best peer and a floor of each item, in turns within one process.

Times on a shared machine are noise; what is reported is the ratio of two calls of the same round. Peers are what a user
would install or write instead; what they compute is compared with ours before anything is timed. A floor is the
arithmetic that cannot be avoided, as bare library calls, measured in the same rounds. `harness/benchmarks` is the
suite of asv, which follows the speed from commit to commit; the floors are there, for asv runs it on older commits.
"""

from harness.speed.contest import Bar, Contest, Item, MismatchError, Peer
from harness.speed.items import ITEMS, matching
from harness.speed.measure import run_item, run_items
from harness.speed.results import Ratio, Report, Row

__all__ = [
    "ITEMS",
    "Bar",
    "Contest",
    "Item",
    "MismatchError",
    "Peer",
    "Ratio",
    "Report",
    "Row",
    "matching",
    "run_item",
    "run_items",
]
