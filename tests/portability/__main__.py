"""Judge the same claims and run the same tests under other processors, threads, locales, paths and terminals.

    python -m tests.portability                       every cell: 80 claims, the commands, the tests of the cell
    python -m tests.portability blas-Zen locale-tr    these cells
    python -m tests.portability --slice --today       a few claims, another cell each day

A cell passes when every claim has the verdicts of the plain cell, on every cell of its grid, the commands say what they
say there, and its tests pass. Which claims is said in `choice.py`, which tests in `sensitive.py`. A cell that this
machine cannot have (a processor without AVX-512) is NOT RUN, with the reason. Exit code 1 unless all passed; `--today`
chooses among the cells that can be had. `--every-case` runs all cases of the tests, not one of each.
"""

import argparse
import datetime
import sys
import tempfile
from pathlib import Path

from tests.portability.cells import CELLS
from tests.portability.choice import COUNT, chosen
from tests.portability.matrix import Matrix

FEW = 20


def main() -> int:
    """Run the cells that the command line names."""
    options = _options()
    claims = chosen()[: FEW if options.slice and options.claims is None else options.claims]
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        matrix = Matrix(Path(folder), claims, ["--every-case"] if options.every_case else [])
        for name in ["plain", *_names(options, matrix)]:
            tests = not options.no_tests and not (options.slice and name == "plain")
            outcomes.append(matrix.outcome(CELLS[name], tests=tests))
            print(outcomes[-1], flush=True)
            if outcomes[0].trouble:
                print("the plain cell fails; there is nothing to compare with")
                return 1
    count = sum(not outcome.trouble for outcome in outcomes)
    print(f"\n{count} of {len(outcomes)} cells passed, {len(claims)} claims in each")
    return int(count < len(outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="*", choices=[[], *CELLS], metavar="CELL", help=", ".join(CELLS))
    parser.add_argument("--slice", action="store_true", help=f"{FEW} claims, and no tests in the plain cell")
    parser.add_argument("--today", action="store_true", help="one cell, chosen by the date")
    parser.add_argument("--claims", type=int, default=None, help=f"how many claims; default {COUNT}")
    parser.add_argument("--no-tests", action="store_true", help="claims and commands alone")
    parser.add_argument("--every-case", action="store_true", help="all cases of parametrised tests")
    return parser.parse_args()


def _names(options: argparse.Namespace, matrix: Matrix) -> list[str]:
    others = [name for name in CELLS if name != "plain"]
    if options.today:
        can = [name for name in others if not matrix.lacks(CELLS[name])]
        return [can[datetime.datetime.now(datetime.UTC).date().toordinal() % len(can)]]
    return [name for name in options.cells or others if name != "plain"]


if __name__ == "__main__":
    sys.exit(main())
