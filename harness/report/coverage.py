"""What each paper states, item by item, and how completely it is judged: a table from the JSON of a run."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.report.layout import Judged
from harness.verdict import Status

Item = Mapping[str, Any]
FULL, REDUCED, SKIPPED, MISSING = "full", "reduced", "skipped", "missing"


def coverage(statements: Mapping[str, Sequence[Item]], claims: Sequence[Judged]) -> str:
    """The page in Markdown. `statements`: by paper, its items with the ids of their claims, or why there are none."""
    parts = ["# Coverage", "", INTRODUCTION, ""]
    for paper, items in statements.items():
        of_paper = [claim for claim in claims if claim.id.startswith(f"{paper}/")]
        lines = [_line(paper, item, of_paper) for item in items]
        counts = ", ".join(
            f"{sum(how == each for _, how, _ in lines)} {each}" for each in (FULL, REDUCED, SKIPPED, MISSING)
        )
        parts += [f"## {paper}", "", f"{len(items)} items: {counts}.", ""]
        parts += ["| item | how | readings, restrictions, reasons |", "|---|---|---|"]
        parts += [f"| {cell(name)} | {how} | {cell(detail)} |" for name, how, detail in lines]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


INTRODUCTION = """This page is written by `tightrope record` from a run. An item is *full* when one of its readings is
judged on all that the statement quantifies over, at the sizes named; *reduced* when every judged reading fixes what the
statement leaves free, uses other data or concludes less; *skipped* when its readings were not judged in this run; and
*missing* when nothing judges it, with the reason."""


def _line(paper: str, item: Item, claims: Sequence[Judged]) -> tuple[str, str, str]:
    mine = [claim for name in item.get("claims", ()) for claim in claims if claim.id == f"{paper}/{name}"]
    judged = [claim for claim in mine if claim.status not in (Status.SKIPPED, Status.ERROR)]
    if not mine:
        return item["item"], MISSING, item.get("not_judged", "")
    if not judged:
        return item["item"], SKIPPED, "; ".join(dict.fromkeys(claim.reason for claim in mine))
    how = REDUCED if all(claim.restricts for claim in judged) else FULL
    return item["item"], how, "; ".join(map(_reading, mine))


def _reading(claim: Judged) -> str:
    limits = "; ".join(filter(None, [claim.sizes, claim.restricts and f"restricted: {claim.restricts}"]))
    return f"`{claim.key}` {claim.status}" + (f" ({limits})" if limits else "")


def cell(text: str) -> str:
    """Text without line breaks and column separators, for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
