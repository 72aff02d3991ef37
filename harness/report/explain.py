"""A verdict in plain words: what was tried, what was found, what could still be wrong."""

import json
from collections.abc import Mapping
from typing import Any

from harness.certify.recompiled import computed_outside
from harness.language.defects import Defect
from harness.numbers import headed, parameters
from harness.report.terminal import printable
from harness.verdict import CellVerdict, Counterexample, Status, Verdict
from harness.words import PROVED_CAVEAT, taken_as_exact

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
    if claim.sizes:
        head.append(f"Sizes: {claim.sizes}")
    if claim.restricts:
        head.append(f"Judged for: {claim.restricts}")
    head.append(f"Kind: {claim.kind.name}; expected: {claim.expected or 'holds'}")
    if verdict.reason:
        head.append(f"Because: {verdict.reason}")
    lines = [f"  {headed(cell.params, cell_line(verdict, cell))}" for cell in verdict.cells]
    tail = []
    shown = verdict.counterexample
    if shown is not None:
        tail = [f"Counterexample: {counterexample(shown)}", f"Replay: {shown.replay}"]
    if verdict.status is Status.REFUTED and claim.defect is not None:
        tail += defect_lines(claim.defect)
    return "\n".join(map(printable, [*head, *claim.kind.tried(verdict), *lines, *tail, caveat(verdict)]))


def defect_lines(defect: Defect) -> list[str]:
    """What is wrong in the paper, in a few lines."""
    return [
        f"Defect {defect.id} ({defect.severity}): {defect.where}.",
        f"Why the proof fails: {defect.why_the_proof_fails}",
        f"What is true: {defect.what_is_true}",
        f"Consequence: {defect.consequence}",
    ]


def counterexample(cell: CellVerdict) -> str:
    """The cell and the values, shortened to a readable length."""
    at = f"at {parameters(cell.params)}: " if cell.params else ""
    return at + ("{}" if cell.counterexample is None else shortened(cell.counterexample))


def shortened(found: Counterexample) -> str:
    """The values of a counterexample, shortened to a readable length."""
    return shortened_values(found.readable())


def shortened_values(values: Mapping[str, Any]) -> str:
    """Values as JSON, shortened to a readable length."""
    text = json.dumps(values)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def cell_line(verdict: Verdict, cell: CellVerdict) -> str:
    """One cell in one line."""
    if cell.status in (Status.SKIPPED, Status.ERROR):
        return f"{cell.status}: {cell.reason}"
    rests = f"; {cell.reason}" if cell.status is Status.HOLDS and cell.reason else ""
    return f"{cell.status}: {verdict.claim.kind.line(cell)}{rests}"


def caveat(verdict: Verdict) -> str:
    """What could still be wrong with this verdict."""
    if verdict.status is Status.REFUTED:
        return verdict.claim.kind.conviction(verdict)
    if verdict.status is Status.UNDECIDED:
        return "Not decided at this effort: neither certified nor refuted. Use --budget for more trials."
    if verdict.status in (Status.SKIPPED, Status.ERROR):
        return "Nothing was judged."
    if verdict.status is Status.PROVED:
        return PROVED_CAVEAT + taken_as_exact(computed_outside(verdict.claim.body))
    return verdict.claim.kind.caveat(verdict) + _left_out(verdict)


def _left_out(verdict: Verdict) -> str:
    """What a verdict at a glance has not looked at."""
    looked_at, of = len(verdict.cells), len(verdict.claim.groups())
    return f" At a glance: {looked_at} of {of} cells judged." if looked_at < of else ""
