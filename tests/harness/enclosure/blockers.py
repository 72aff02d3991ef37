"""What stops the proofs of the ledger: `python -m tests.harness.enclosure.blockers [PREFIX ...]`.

Tries the cells of every identity and inequality that is not expected to be refuted, the smallest first, at the standard
effort and in one process, and prints a table: how many readings are proved, how many each cause stops first, and which
attempts took the most processor time.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence

import torch

from harness.certify.proof import Unproved
from harness.certify.readings import in_order, prove_in_turn
from harness.kinds import Always, Identity
from harness.language.registry import Claim
from harness.run.loading import ledger
from harness.settings import STANDARD

DEAREST = 20  # attempts that are listed
CAUSES = {  # words of a reason, and what they mean
    "balls stop": "no inputs: a function without a formula in balls, or an open comparison",
    "its budget": "the budget of boxes: many inputs, or both sides vanish or touch",
    "equality": "both sides touch at a point inside",
    "plain numbers": "algorithms that make plain numbers of inputs",
    "eigvalsh": "eigenvalues",
    "eigh": "eigenvalues",
    "matrix_norm": "eigenvalues",
    "cholesky": "factorisations",
    "psd matrices": "positive semidefinite matrices of an order above 2, or without a bound",
    "decision": "a decision that inputs leave open",
    "undefined": "the order of numbers that may be undefined",
    "complex": "complex numbers",
}


def cause_of(reason: str) -> str:
    """The line of the table for one reason."""
    return next((meaning for words, meaning in CAUSES.items() if words in reason), "an operation without an enclosure")


def outcome(claim: Claim) -> str:
    """ "proved", "proved with c up to 1.01", or what stops the first cell that is not."""
    constants = []
    for cell in in_order(claim):
        found = prove_in_turn(claim, cell, boxes=STANDARD.boxes)
        if isinstance(found, Unproved):
            return cause_of(found.reason)
        constants.append(found.c)
    if not constants:
        return "no cell runs here: data are missing, or it is skipped"
    return "proved" if max(constants) == 1.0 else f"proved, but only with c up to {max(constants):g}"


def table(claims: Sequence[Claim]) -> str:
    """A table in Markdown, and the processor time that it took."""
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for claim in claims:
        start = time.process_time()
        counts[outcome(claim)] += 1
        seconds[claim.key] = time.process_time() - start
    lines = ["| readings | outcome |", "|---:|---|", *(f"| {n} | {cause} |" for cause, n in counts.most_common())]
    most = sorted(seconds.items(), key=lambda item: -item[1])[:DEAREST]
    dearest = ["| seconds | reading |", "|---:|---|", *(f"| {spent:.1f} | {key} |" for key, spent in most)]
    total = f"{len(claims)} readings, {sum(seconds.values()):.0f} s of one core."
    return "\n".join([*lines, "", *dearest, "", total])


def main(prefixes: Sequence[str]) -> None:
    """Print the table of all readings, or of those whose key begins with one of `prefixes`."""
    torch.set_num_threads(1)
    chosen = [c for c in ledger() if isinstance(c.kind, Always | Identity) and c.expected != "refuted"]
    print(table([c for c in chosen if not prefixes or c.key.startswith(tuple(prefixes))]))


if __name__ == "__main__":
    main(sys.argv[1:])
