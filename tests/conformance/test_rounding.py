"""Every claim's body can be evaluated with its results rounded differently: else its rounding would not be known."""

import pytest
import torch

from harness.errors import SkipClaim
from harness.evaluation import anatomy, evaluate
from harness.kinds import Always, Expectation, HighProbability, Identity
from harness.loading import ledger
from harness.quantifiers import Draw, stream
from harness.registry import Claim
from harness.rounding.spread import twin_of
from harness.rounding.tensors import moved

JUDGED = [c for c in ledger() if isinstance(c.kind, Always | Identity | HighProbability | Expectation)]


@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.key)
def test_every_body_runs_with_its_results_moved(claim: Claim) -> None:
    """Catches a dispatch rule that breaks an operation: all trials would pass for ties, all violations for rounding."""
    params = claim.cells[0]
    try:
        spaces = anatomy(claim, params).spaces
    except SkipClaim as reason:
        pytest.skip(str(reason))
    batch = 5 if "draw" in claim.wants else 4
    rng = stream("rounding", claim.key)
    values = {space.name: space.sample(rng, 1 if "draw" in claim.wants else batch) for space in spaces}
    with torch.no_grad(), moved(0):
        sides = evaluate(twin_of(claim, 0), params, values, Draw(batch, ("rounding",)), batch)
    assert sides.lhs.shape == sides.rhs.shape == (batch,)
