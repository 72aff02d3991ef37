"""Defects of the papers, counted once each, from the JSON of a run; used by the table, the report and the errata."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.language.defects import Defect, Severity
from harness.numbers import parameters
from harness.report.explain import shortened
from harness.report.layout import Judged
from harness.verdict import CellVerdict, Status

HEADINGS = {
    Severity.STATEMENT: "Statements that are false",
    Severity.MISSING_HYPOTHESIS: "Statements that need another hypothesis",
    Severity.CONSTANT: "Statements that need another constant",
    Severity.PROOF_STEP: "Steps of proofs",
    Severity.MISPRINT: "Misprints and conventions",
    Severity.COPY: "Symbols that our copy of the paper may have lost",
    Severity.INFERRED: "Readings that the paper does not state",
}

APART = {  # what is not held against the authors
    Severity.COPY: "symbols that our copy may have lost",
    Severity.INFERRED: "in readings that the paper does not state",
}


@dataclass(frozen=True)
class Found:
    """A defect with the refuted readings that show it."""

    defect: Defect
    readings: tuple[Judged, ...]


def defects_found(claims: Iterable[Judged]) -> list[Found]:
    """The defects that refuted readings name, most severe first, then in the order of the ledger."""
    shown: dict[str, tuple[Defect, list[Judged]]] = {}
    for claim in claims:
        if claim.defect is not None and claim.status is Status.REFUTED:
            shown.setdefault(claim.defect.id, (claim.defect, []))[1].append(claim)
    order = list(Severity)
    found = [Found(defect, tuple(readings)) for defect, readings in shown.values()]
    return sorted(found, key=lambda each: order.index(each.defect.severity))


def by_severity(claims: Iterable[Judged]) -> dict[str, int]:
    """How many defects of each severity were found; severities without one are left out."""
    counts = {str(severity): 0 for severity in Severity}
    for found in defects_found(claims):
        counts[found.defect.severity] += 1
    return {severity: count for severity, count in counts.items() if count}


def counted(counts: Mapping[str, int]) -> str:
    """The counts in one line: "23 defects in print: 9 statement, 14 misprint; 2 in readings that are not stated"."""
    stated = {severity: count for severity, count in counts.items() if severity not in APART}
    total = sum(stated.values())
    parts = ", ".join(f"{count} {severity}" for severity, count in stated.items())
    printed = [f"{total} {'defect' if total == 1 else 'defects'} in print: {parts}"] if total else []
    return "; ".join(
        printed + [f"{counts[severity]} {words}" for severity, words in APART.items() if counts.get(severity)]
    )


def errata(claims: Sequence[Judged]) -> str:
    """The page of errata in Markdown."""
    found = defects_found(claims)
    lines = ["# Errata", "", INTRODUCTION, "", f"{counted(by_severity(claims))}.", ""]
    for severity, heading in HEADINGS.items():
        of_this = [each for each in found if each.defect.severity == severity]
        if of_this:
            lines += [f"## {heading}", ""]
        for each in of_this:
            lines += _entry(each)
    return "\n".join(lines).rstrip() + "\n"


LONGEST = 500  # characters of a replay line that everyone can read


INTRODUCTION = """This page is written by `tightrope record` from a run. Each entry is one defect, however many readings
show it: the printed text, a counterexample, why the proof fails, what is true instead, and what it means for a reader.
The authors are careful colleagues; most of what follows is a constant, a hypothesis or a symbol, and where our text
copy may be to blame the entry says so. The command below each counterexample replays it."""


def _entry(found: Found) -> list[str]:
    defect = found.defect
    lines = [f"### {defect.id}", "", f"*{defect.where}*", ""]
    quotes = list(dict.fromkeys(claim.quote for claim in found.readings if claim.quote))
    lines += [f"> {quote}\n" for quote in quotes]
    readings = ", ".join(f"`{claim.key}`" for claim in found.readings)
    example = _example(found)
    lines += [f"Refuted readings: {readings}.", ""]
    if example is not None and example.counterexample is not None:
        at = f" at {parameters(example.params)}" if example.params else ""
        lines += [f"Counterexample{at}:", "", "```text", shortened(example.counterexample), "```", ""]
        lines += ["```sh", example.replay or "", "```", ""]
    return [
        *lines,
        f"**Why the proof fails.** {defect.why_the_proof_fails}",
        "",
        f"**What is true.** {defect.what_is_true}",
        "",
        f"**Consequence.** {defect.consequence}",
        "",
    ]


def _example(found: Found) -> CellVerdict | None:
    """The counterexample with the shortest text: to what is printed, and to what names the defect if that is short."""

    def order(shown: tuple[Judged, CellVerdict]) -> tuple[bool, bool, bool, int]:
        claim, cell = shown
        text = len(cell.replay or "")
        return claim.reading == "inferred", text > LONGEST, claim.id != found.defect.id, text

    cells = [(claim, c) for claim in found.readings for c in claim.cells if c.counterexample is not None and c.replay]
    return min(cells, key=order)[1] if cells else None
