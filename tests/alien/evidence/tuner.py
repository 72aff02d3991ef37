"""Evidence for the claims of the tuner, by simulation at the witnesses: `python tests/alien/evidence/tuner.py`.

Exits with 1 when a stated probability or mean is off by a tenth and four standard errors.
"""

import math
import sys
from pathlib import Path
from typing import Any

import torch

from harness import Draw
from harness.kinds import Expectation, HighProbability
from harness.language.evaluation import call
from harness.language.registry import Claim
from harness.run.loading import from_file
from harness.testing import instance

FOLDER = Path(__file__).resolve().parents[1]
BLOCK, TRIALS = 2_000, 100_000


def gaps(claim: Claim, witness: dict[str, Any]) -> torch.Tensor:
    """lhs - rhs in many trials at the witness."""
    parts = []
    for block in range(TRIALS // BLOCK):
        draw = Draw(BLOCK, ("evidence", claim.id, block))
        returned = call(claim, witness["params"], forall=instance(witness["values"]), draw=draw)
        lhs, rhs = (torch.as_tensor(side, dtype=torch.float64).broadcast_to((BLOCK,)) for side in returned)
        parts.append(lhs - rhs)
    return torch.cat(parts)


def disagreement(claim: Claim, witness: dict[str, Any]) -> str:
    """What is wrong with a witness; empty where nothing is."""
    gap = gaps(claim, witness)
    if isinstance(claim.kind, HighProbability):
        found, stated = float((gap > 0).double().mean()), witness["probability"]
        error = math.sqrt(stated * (1 - stated) / TRIALS)
    else:
        assert isinstance(claim.kind, Expectation)
        found, stated = float(gap.mean()), witness["mean"]
        error = float(gap.std()) / math.sqrt(TRIALS)
    off = abs(found - stated) > 0.1 * stated + 4 * error
    return f"{claim.id}: stated {stated:.5g}, found {found:.5g} +- {error:.2g}" if off else ""


def main() -> int:
    """Print what disagrees."""
    wrong = []
    for path in sorted(FOLDER.glob("known_tuner_*.py")):
        claims = from_file(path)
        witnesses = vars(sys.modules[claims[0].body.__module__])["WITNESSES"]
        found = (disagreement(claim, witnesses[claim.id]) for claim in claims if claim.id in witnesses)
        wrong += [line for line in found if line]
    print("\n".join(wrong) or "all agree")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
