"""Sentences used by several kinds and reports."""

from collections.abc import Mapping
from typing import Any

from harness.numbers import number
from harness.verdict import Verdict


def readable(found: Mapping[str, Any]) -> dict[str, Any]:
    """A counterexample without its rounding and certificate, which have sentences of their own."""
    return {name: value for name, value in found.items() if name not in ("certificate", "noise", "blind")}


def certificate(proof: Mapping[str, Any]) -> str:
    """What ball arithmetic says about a counterexample, in one sentence."""
    if not proof["digits"]:
        return f"No certificate: {proof['reason']}."
    sides = f"lhs = {proof['lhs']}, rhs = {proof['rhs']}"
    if proof["verdict"] == "confirmed":
        return f"Certified by enclosures: {sides}, each proved to all digits shown, at inputs exactly on their sets."
    return f"The enclosures do not decide it: {sides}."


def proof(details: Mapping[str, Any]) -> str:
    """How a cell was proved, or what stopped the proof; empty where none was tried."""
    found = details.get("proof", {})
    if "c" in found:
        by = f"{found['boxes']} boxes" if found["boxes"] else "equal expansions of both sides"
        return f"proved with c = {number(found['c'])} and tolerance {number(found['tolerance'])} by {by}"
    return f"not proved: {found['reason']}" if "reason" in found else ""


PROVED_CAVEAT = (
    "Proved for all quantified inputs, in real arithmetic, with the numbers of the body as they stand in it. "
    "What could still be wrong: our reading of the paper, the body, the prover."
)


def rounding(found: Mapping[str, Any]) -> str:
    """How the violation compares with its measured rounding, in one sentence."""
    if not found.get("noise"):
        return "Rounding does not affect the violation." if found.get("noise") == 0.0 else ""
    seen = " (the body computes outside torch, so its inputs were perturbed instead)" if found.get("blind") else ""
    return f"The violation is {number(found['excess'] / found['noise'])} times its measured rounding error{seen}."


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
    cells = [cell for cell in verdict.cells if "instance" in cell.details]
    if not cells:
        return []
    laws = sum(cell.details.get("laws", 0) for cell in cells)
    searched = f"{laws} distributions with common random numbers; the worst of each cell was fixed and " if laws else ""
    return [f"Tried: {searched}judged on {verdict.trials} fresh trials."]
