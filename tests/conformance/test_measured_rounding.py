"""The rounding of every body can be measured: where it cannot, no violation would stand, and nobody would notice."""

import pytest
import torch

from harness.certify.rounding.spread import instance_noise
from harness.certify.rounding.trials import trial_noise
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.recorded import Recorder
from harness.language.registry import Claim
from harness.run.loading import ledger

INSTANCES, TRIALS = 64, 61
MEASURED = [
    claim
    for claim in (*ledger(), *ledger("classics"))
    if claim.kind.returns not in ("rows", "nothing", "quantity") and {"forall", "draw"} & claim.wants
]

pytestmark = pytest.mark.usefixtures("double_precision")


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", MEASURED, ids=lambda claim: claim.key)
def test_a_body_can_be_rounded_differently(claim: Claim) -> None:
    """At nearly all random inputs where both sides are finite; in the first cell."""
    params, draws = claim.cells[0], "draw" in claim.wants
    spaces = anatomy(claim, params).spaces
    values = {s.name: s.sample(stream("measured", claim.key), 1 if draws else INSTANCES) for s in spaces}
    size = TRIALS if draws else INSTANCES if spaces else 1
    recorder = Recorder(Draw(size, ("measured", claim.key)))
    with torch.no_grad():
        sides = evaluate(claim, params, values, recorder, size)
    gap = sides.lhs - sides.rhs
    if draws:
        noise = trial_noise(claim, params, spaces, values, recorder.again, gap, pairs=1, directed=False)
    else:
        noise = instance_noise(claim, params, spaces, values, gap, calls=1)
    finite = torch.isfinite(gap)
    assert int((finite & ~torch.isfinite(noise)).sum()) <= 0.02 * int(finite.sum())
