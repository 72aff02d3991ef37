"""What each paper states, item by item, and how completely it is judged: a table from the JSON of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.report.layout import Judged
from harness.verdict import Status

Item = Mapping[str, Any]
PRINTED, RESTRICTED, NOT_JUDGED = "judged as printed", "judged under restrictions", "not judged"


def coverage(statements: Mapping[str, Sequence[Item]], claims: Sequence[Judged]) -> str:
    """The page in Markdown. `statements`: by paper, its items with the ids of their claims, or why there are none."""
    parts = ["# Coverage", "", INTRODUCTION, ""]
    for paper, items in statements.items():
        of_paper = [claim for claim in claims if claim.id.startswith(f"{paper}/")]
        lines = [_line(paper, item, of_paper) for item in items]
        counts = ", ".join(
            f"{sum(how == each for _, how, _ in lines)} {each}" for each in (PRINTED, RESTRICTED, NOT_JUDGED)
        )
        parts += [f"## {paper}", "", f"{len(items)} items: {counts}.", ""]
        parts += ["| item | how | readings, restrictions, reasons |", "|---|---|---|"]
        parts += [f"| {cell(name)} | {how} | {cell(detail)} |" for name, how, detail in lines]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


INTRODUCTION = """This page is written by `tightrope record` from a run. An item is "judged as printed" when one of its
readings is judged in full, "judged under restrictions" when every judged reading leaves something out (dimension,
order, distributions, sizes), and "not judged" otherwise, with the reason."""


def _line(paper: str, item: Item, claims: Sequence[Judged]) -> tuple[str, str, str]:
    mine = [claim for name in item.get("claims", ()) for claim in claims if claim.id == f"{paper}/{name}"]
    judged = [claim for claim in mine if claim.status not in (Status.SKIPPED, Status.ERROR)]
    if not judged:
        reasons = dict.fromkeys(claim.reason for claim in mine) or [item.get("not_judged", "")]
        return item["item"], NOT_JUDGED, "; ".join(reasons)
    how = RESTRICTED if all(claim.restricts for claim in judged) else PRINTED
    return item["item"], how, "; ".join(map(_reading, mine))


def _reading(claim: Judged) -> str:
    restricts = f" ({claim.restricts})" if claim.restricts else ""
    return f"`{claim.key}` {claim.status}{restricts}"


def cell(text: str) -> str:
    """Text without line breaks and column separators, for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
