"""Sentences used by several kinds and reports."""

from collections.abc import Sequence

from harness.numbers import count, number
from harness.verdict import CellVerdict, Status, Verdict

PROVED_CAVEAT = (
    "Proved for all quantified inputs, in real arithmetic, with the numbers of the body as they stand in it. "
    "What could still be wrong: our reading of the paper, the body, the prover."
)

NAMED = 5  # values from outside a body, at most


def taken_as_exact(names: Sequence[str]) -> str:
    """What counts as exact, though it was computed: these values from outside a body."""
    shown = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
    return f" Computed outside the body, and taken as exact: {shown}." if names else ""


def tightness(verdict: Verdict) -> str:
    """How large an error would have been seen, and how loose the bound is."""
    factor, loose = verdict.detectable_factor, verdict.looseness
    if factor is None:
        return "What could still be wrong: these rows would not have detected any error in the right side."
    said = f"{verdict.claim.unnoticed}; " if verdict.claim.unnoticed else ""
    if "within" in verdict.claim.wants:
        said += "suprema inside the event were searched, and may be larger; "
    if factor <= 0.0:  # whatever positive number it is multiplied by
        told = (
            "the left side is not above zero here, so that these rows would have refuted a negative right side only; "
        )
        return f"What could still be wrong: {said}{told}a worse instance than the search found would go unnoticed."
    tight = f"the right side could be divided by {number(loose)} here; " if loose else ""
    return (
        f"What could still be wrong: {said}{tight}these rows would have refuted a right side multiplied by a factor "
        f"below {number(factor)}; a smaller error, or a worse instance than the search found, would go unnoticed."
    )


def trials(verdict: Verdict) -> list[str]:
    """How many distributions were tried, what the worst of them was judged on, and where all inputs are covered."""
    judged = [cell for cell in verdict.cells if cell.details is not None]
    if not judged:
        return []
    laws = sum(cell.details.laws for cell in judged if cell.details is not None)
    alike = (
        "" if any(cell.details is not None and cell.details.exact for cell in judged) else " with common random numbers"
    )
    before = f"{count(laws)} distributions{alike}; the worst of each cell was fixed and " if laws else ""
    said = [f"Tried: {before}judged on {_outcomes_and_trials(judged)}."]
    proved = [cell for cell in judged if cell.status is Status.PROVED]
    if proved:
        where = "Then" if len(proved) == len(verdict.cells) else f"Then, {_in_cells(len(proved))},"
        said.append(f"{where} it was proved for all inputs, by the probabilities of all outcomes and enclosures.")
    return said


def exact_conviction(verdict: Verdict) -> str:
    """What a refutation rests on, where it rests on no trials."""
    shown = verdict.counterexample
    if shown is None or shown.details is None or not shown.details.exact:
        return ""
    return "Refuted exactly: the probabilities of all outcomes were added at a fixed instance."


def _outcomes_and_trials(judged: Sequence[CellVerdict]) -> str:
    """How many outcomes were added up, and how many trials were drawn, each with its cells where there are both."""
    exact = [cell for cell in judged if cell.details is not None and cell.details.exact]
    drawn = [cell for cell in judged if cell.details is not None and not cell.details.exact]
    outcomes = f"all {count(sum(cell.trials for cell in exact))} outcomes, each with its probability"
    fresh = f"{count(sum(cell.trials for cell in drawn))} fresh trials"
    if not (exact and drawn):
        return outcomes if exact else fresh
    return f"{outcomes}, {_in_cells(len(exact))}, and on {fresh}, {_in_cells(len(drawn))}"


def _in_cells(number_of: int) -> str:
    return "in one cell" if number_of == 1 else f"in {number_of} cells"


def unmet(replicates: int) -> str:
    """What no number of replicates shows of a mean whose quantity has no range."""
    return (
        f"Its means rest on {count(replicates)} replicates or more: an event that happens less often than once in "
        f"about {count(replicates // 5)} may not have been met, and what it would add to a mean is not in it."
    )


def decided_by_rounding(what: str, unresolved: int = 0) -> str:
    """Why a claim is open where rounding decides more than last places, or samples that floats do not resolve do."""
    if unresolved:
        return (
            f"samples beyond the range or the resolution of floats decide {what}, which are enough for a violation: "
            "draw.sample does not tell what is below 1e-308 from 0, nor what is within 1e-15 of 1 (or of another end, "
            "or of the middle of a narrow law) from it, so claim nothing of such distances and their logarithms, or "
            "give the law parameters at which they are rare"
        )
    return (
        f"rounding decides {what}, which are enough for a violation: where numbers tie, compare whole numbers or exact "
        "fractions; where a divisor or a matrix is next to singular, keep the inputs away from there"
    )


def of_trials(share: float) -> str:
    """A share of the trials, in (0, 1]."""
    return "all trials" if share == 1.0 else f"a share of {number(share)} of the trials"


def infinite(share: float) -> str:
    """Why a claim is open where a side is not finite in such a share of the trials."""
    return (
        f"a side is not finite in {of_trials(share)}, which count neither against the claim nor in favour of it: "
        "restrict the inputs, or return a large number"
    )
