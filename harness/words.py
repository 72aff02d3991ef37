"""Sentences used by several kinds and reports."""

from harness.numbers import count, number
from harness.verdict import Verdict

PROVED_CAVEAT = (
    "Proved for all quantified inputs, in real arithmetic, with the numbers of the body as they stand in it. "
    "What could still be wrong: our reading of the paper, the body, the prover."
)


def tightness(verdict: Verdict) -> str:
    """How large an error would have been seen, and how loose the bound is."""
    factor, loose = verdict.detectable_factor, verdict.looseness
    if factor is None:
        return "What could still be wrong: these rows would not have detected any error in the right side."
    said = f"{verdict.claim.unnoticed}; " if verdict.claim.unnoticed else ""
    if "within" in verdict.claim.wants:
        said += "suprema inside the event were searched, and may be larger; "
    tight = f"the right side could be divided by {number(loose)} here; " if loose else ""
    return (
        f"What could still be wrong: {said}{tight}these rows would have refuted a right side multiplied by a factor "
        f"below {number(factor)}; a smaller error, or a worse instance than the search found, would go unnoticed."
    )


def trials(verdict: Verdict) -> list[str]:
    """How many distributions were tried, and on how many fresh trials the worst of them was judged."""
    searched = [cell.details.laws for cell in verdict.cells if cell.details is not None]
    if not searched:
        return []
    laws = sum(searched)
    before = (
        f"{count(laws)} distributions with common random numbers; the worst of each cell was fixed and " if laws else ""
    )
    exact = all(cell.details is None or cell.details.exact for cell in verdict.cells)
    on = (
        f"all {count(verdict.trials)} outcomes, each with its probability"
        if exact
        else f"{count(verdict.trials)} fresh trials"
    )
    return [f"Tried: {before}judged on {on}."]
