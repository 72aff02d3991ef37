"""Every claim's body can be evaluated with its results rounded differently: else its rounding would not be known."""

import pytest
import torch

from harness.certify.rounding.spread import twin_of
from harness.certify.rounding.tensors import moved
from harness.errors import SkipClaim
from harness.kinds import Always, Expectation, HighProbability, Identity
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.recorded import Recorder
from harness.language.registry import Claim
from harness.run.loading import ledger

ALIKE, ROUNDING, SEEDS = 1e-6, 1e-9, 4
JUDGED = [c for c in ledger() if isinstance(c.kind, Always | Identity | HighProbability | Expectation)]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.key)
def test_every_body_runs_with_its_results_moved(claim: Claim) -> None:
    """Catches a dispatch rule that breaks an operation, or a buffer that it does not fill.

    All trials would pass for ties, all violations for rounding. Some instance must come out nearly as it is: at all of
    them no body jumps.
    """
    params = claim.cells[0]
    try:
        spaces = anatomy(claim, params).spaces
    except SkipClaim as reason:
        pytest.skip(str(reason))
    batch = 5 if "draw" in claim.wants else 4
    rng = stream("rounding", claim.key)
    values = {space.name: space.sample(rng, 1 if "draw" in claim.wants else batch) for space in spaces}
    recorder = Recorder(Draw(batch, ("rounding",)))
    with torch.no_grad():
        plain = evaluate(claim, params, values, recorder, batch)  # type: ignore[arg-type]
        least = [torch.full((), torch.inf)] * 2
        for seed in range(SEEDS):
            with moved(seed):
                sides = evaluate(twin_of(claim, seed), params, values, recorder.again(), batch)  # type: ignore[arg-type]
            both = ((plain.lhs, sides.lhs), (plain.rhs, sides.rhs))
            least = [torch.minimum(least[i], _off(*pair)) for i, pair in enumerate(both)]
    assert max(map(float, least)) <= ALIKE, least


def _off(plain: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """The least relative distance over the instances; distances within ROUNDING count as none."""
    gap = torch.nan_to_num((plain - other).abs(), nan=torch.inf)
    off = gap / torch.maximum(plain.abs(), other.abs()).clamp_min(1e-300)
    same = (gap <= ROUNDING) | (plain == other) | ~torch.isfinite(plain)
    return torch.where(same, 0.0, torch.nan_to_num(off, nan=torch.inf)).min()
