"""Sentences that several kinds and reports share."""

from harness.numbers import number
from harness.verdict import Verdict


def tightness(verdict: Verdict) -> str:
    """How large an error would have been seen, and how loose the bound is."""
    factor, loose = verdict.detectable_factor, verdict.looseness
    if factor is None:
        return "What could still be wrong: no factor below 1 would have been detected by these rows."
    said = f"{verdict.claim.unnoticed}; " if verdict.claim.unnoticed else ""
    tight = f"the right side could be divided by {number(loose)} here; " if loose else ""
    return (
        f"What could still be wrong: {said}{tight}had the right side been smaller by a factor below {number(factor)}, "
        "these rows would have refuted it; a milder error, or a worse instance than the finders met, would pass unseen."
    )


def trials(verdict: Verdict) -> list[str]:
    """How many distributions were tried, and on how many fresh trials the worst of them was judged."""
    searched = [cell.details.laws for cell in verdict.cells if cell.details is not None]
    if not searched:
        return []
    laws = sum(searched)
    before = f"{laws} distributions on common random numbers; the worst of each cell was frozen and " if laws else ""
    return [f"Tried: {before}judged on {verdict.trials} fresh trials."]
