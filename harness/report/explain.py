"""A verdict in plain words: what was tried, what was found, what could still be wrong."""

import json
from collections.abc import Mapping
from typing import Any

from harness.defects import Defect
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, Reproduction
from harness.report.numbers import number, parameters
from harness.report.terminal import printable
from harness.verdict import CellVerdict, Status, Verdict

LONGEST = 700  # characters of a counterexample


def explain(verdict: Verdict) -> str:
    """Several lines of text for a terminal."""
    claim = verdict.claim
    head = [f"{claim.key}: {verdict.status}", claim.statement]
    if claim.remarks:
        head.append(claim.remarks)
    if claim.cite:
        head.append(f"Source: {claim.cite}")
    if claim.quote:
        head.append(f"Printed: {claim.quote}")
    if claim.restricts:
        head.append(f"Judged for: {claim.restricts}")
    head.append(f"Kind: {claim.kind.name}; expected: {claim.expected or 'holds'}")
    if verdict.reason:
        head.append(f"Because: {verdict.reason}")
    lines = [f"  {parameters(cell.params)}{cell_line(verdict, cell)}" for cell in verdict.cells]
    tail = []
    shown = verdict.counterexample
    if shown is not None:
        tail = [f"Counterexample: {counterexample(shown)}", f"Replay: {shown.replay}"]
    if verdict.status is Status.REFUTED and claim.defect is not None:
        tail += defect_lines(claim.defect)
    return "\n".join(map(printable, [*head, *tried(verdict), *lines, *tail, caveat(verdict)]))


def defect_lines(defect: Defect) -> list[str]:
    """What is wrong in print, in a few lines."""
    return [
        f"Defect {defect.id} ({defect.severity}): {defect.where}.",
        f"Why the proof fails: {defect.why_the_proof_fails}",
        f"What is true: {defect.what_is_true}",
        f"Consequence: {defect.consequence}",
    ]


FINDERS = {
    "single": "the only instance",
    "hard": "structured instances",
    "edges": "edge cases of floating point",
    "scatter": "low-discrepancy and random points",
    "ascend": "projected gradient ascent",
    "polish": "quasi-Newton ascent",
    "evolve": "differential evolution",
    "exchange": "exchanges of discrete entries",
    "adapt": "evolution with covariance adaptation",
}


def tried(verdict: Verdict) -> list[str]:
    """One line on how trouble was looked for, and which way came closest."""
    cells = [cell for cell in verdict.cells if cell.details]
    finders = [cell.details["finders"] for cell in cells if "finders" in cell.details]
    if finders:
        names = [name for name in FINDERS if any(name in found for found in finders)]
        best = max(((score, name) for found in finders for name, score in found.items()), default=(0.0, names[0]))
        ways = ", ".join(FINDERS[name] for name in names)
        if names == ["single"]:
            return ["Tried: the only instance of each cell."]
        return [f"Tried: {ways}; closest came {FINDERS[best[1]]}."]
    if any("instance" in cell.details for cell in cells):
        laws = sum(cell.details.get("laws", 0) for cell in cells)
        searched = (
            f"{laws} distributions on common random numbers; the worst of each cell was frozen and" if laws else ""
        )
        return [f"Tried: {searched} judged on {verdict.trials} fresh trials.".replace("  ", " ")]
    if isinstance(verdict.claim.kind, Rate) and cells:
        d = cells[0].details
        return [
            f"Tried: {d['along']} = {min(d['n']):g} to {max(d['n']):g}, {min(d['replicates'])} replicates or more each."
        ]
    return []


def cell_line(verdict: Verdict, cell: CellVerdict) -> str:
    """One cell in one line."""
    kind = verdict.claim.kind
    if cell.status in (Status.SKIPPED, Status.ERROR):
        return f"{cell.status}: {cell.reason}"
    if isinstance(kind, Identity):
        return f"{cell.status}: largest relative error {number(cell.worst_ratio)} over {cell.trials} instances"
    if isinstance(kind, Always):
        return f"{cell.status}: closest approach lhs/rhs = {number(cell.worst_ratio)} over {cell.trials} instances"
    if isinstance(kind, HighProbability):
        delta = cell.details.get("delta")
        return (
            f"{cell.status}: {cell.violations} violations in {cell.trials} trials (delta = {delta}), "
            f"worst of {cell.details.get('laws', 0) or 1} distributions tried"
        )
    if isinstance(kind, Expectation):
        d = cell.details
        return (
            f"{cell.status}: E lhs = {number(d['mean_lhs'])}, E rhs = {number(d['mean_rhs'])}, "
            f"excess {number(d['mean_excess'])} +- {number(d['standard_error'])} over {cell.trials} trials"
        )
    if isinstance(kind, Rate):
        d = cell.details
        low, high = d["interval"]
        return f"{cell.status}: exponent {d['exponent']:.3f} in [{low:.3f}, {high:.3f}], claimed {d['claimed']:.3f}"
    rows = cell.details.get("rows", [])
    against = {"two": "paper", "at most": "at most", "at least": "at least"}[cell.details.get("sided", "two")]
    tolerance = cell.details.get("tolerance", 0.0)
    within = f"; judged within {number(tolerance)}" if tolerance else ""
    return f"{cell.status}: " + "; ".join(_row(row, against) for row in rows) + within


def _row(row: dict[str, Any], against: str) -> str:
    error = f" +- {number(row['standard_error'])}" if row["standard_error"] else ""
    printed = f" ({against} {number(row['printed'])})" if row["printed"] is not None else ""
    return f"{row['label']}: {number(row['ours'])}{error}{printed}"


def counterexample(cell: CellVerdict) -> str:
    """The cell and the values, cut to what a person can read."""
    at = f"at {parameters(cell.params)}" if cell.params else ""
    return at + shortened(json.dumps(readable(cell.counterexample or {})))


def counterexample_of(cell: Mapping[str, Any]) -> str:
    """The values of a counterexample in the JSON of a run."""
    return json.dumps(readable(cell["counterexample"]))


def shortened(text: str) -> str:
    """A text cut to what a person can read."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def readable(found: Mapping[str, Any]) -> dict[str, Any]:
    """A counterexample without its rounding and certificate, which have sentences of their own."""
    return {name: value for name, value in found.items() if name not in ("certificate", "noise", "blind")}


def certificate(proof: Mapping[str, Any]) -> str:
    """What ball arithmetic says about a counterexample, in one sentence."""
    if not proof["digits"]:
        return f"It has no certificate: {proof['reason']}."
    sides = f"lhs = {proof['lhs']}, rhs = {proof['rhs']}"
    if proof["verdict"] == "confirmed":
        return f"Certified by enclosures: {sides}, each proved to all digits shown, at inputs exactly on their sets."
    return f"Enclosures leave it open: {sides}."


def rounding(found: Mapping[str, Any]) -> str:
    """How the violation compares with its measured rounding, in one sentence."""
    if not found.get("noise"):
        return "No rounding moves it." if found.get("noise") == 0.0 else ""
    seen = " (its body leaves torch: inputs were moved instead)" if found.get("blind") else ""
    return f"The violation is {number(found['excess'] / found['noise'])} times its measured rounding{seen}."


def caveat(verdict: Verdict) -> str:
    """What could still be wrong with this verdict."""
    if verdict.status is Status.REFUTED:
        return _refuted_caveat(verdict)
    if verdict.status is Status.UNDECIDED:
        return "Not decided at this effort: neither certified nor refuted. More trials: --budget."
    if verdict.status in (Status.SKIPPED, Status.ERROR):
        return "Nothing was judged."
    kind = verdict.claim.kind
    if isinstance(kind, Identity):
        return "What could still be wrong: an input that no finder met; errors below the stated relative tolerance."
    if isinstance(kind, Rate):
        return "What could still be wrong: a change of slope beyond the largest n; the fit allows one correction term."
    if isinstance(kind, Reproduction):
        return "What could still be wrong: agreement within the tolerance for another reason than the paper's."
    factor = verdict.detectable_factor
    if factor is None:
        return "What could still be wrong: no factor below 1 would have been detected by these rows."
    loose = verdict.looseness
    tight = f"the right side could be divided by {number(loose)} here; " if loose else ""
    return (
        f"What could still be wrong: {claim_says(verdict)}{tight}"
        f"had the right side been smaller by a factor below {number(factor)}, "
        "these rows would have refuted it; a milder error, or a worse instance than the finders met, would pass unseen."
    )


def claim_says(verdict: Verdict) -> str:
    """Why half of the right side would pass, where the claim says so."""
    return f"{verdict.claim.unnoticed}; " if verdict.claim.unnoticed else ""


def _refuted_caveat(verdict: Verdict) -> str:
    kind = verdict.claim.kind
    if isinstance(kind, Identity | Always):
        shown = verdict.counterexample
        found = shown.counterexample if shown and shown.counterexample else None
        proof = f"{rounding(found)} {certificate(found['certificate'])}" if found else ""
        return f"The counterexample was recomputed in float64 on the CPU. {proof}"
    if isinstance(kind, Reproduction):
        return "The rows named above differ from print by more than the tolerance and their standard error."
    return "Convicted on fresh randomness at the frozen instance, at the family-wise error stated in the report."
