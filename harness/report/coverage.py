"""What each paper states, item by item, and how completely it is judged: a table from the JSON of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.report.experiments import Experiments
from harness.report.layout import Judged
from harness.verdict import Status

Item = Mapping[str, Any]
FULL, REDUCED, SKIPPED, MISSING = "full", "reduced", "skipped", "missing"


def coverage(
    statements: Mapping[str, Sequence[Item]], claims: Sequence[Judged], experiments: Experiments | None = None
) -> str:
    """The page in Markdown.

    statements : by paper, its items with the ids of their claims, or why there are none.
    experiments : what another run judged, with data that this one had not.
    """
    parts = ["# Coverage", "", INTRODUCTION, ""]
    if experiments is not None:
        parts += [f"*With data*: judged in a run with {experiments.data or 'no public data set'}.", ""]
        if any(one.full_size for one in experiments.claims):
            parts += ["*At full size*: judged in a run where `TIGHTROPE_FULL` is 1.", ""]
    for paper, items in statements.items():
        of_paper = [_Reading.of(claim, experiments) for claim in claims if claim.id.startswith(f"{paper}/")]
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
decided on all that the statement quantifies over, at the sizes named; *reduced* when every decided reading fixes what
the statement leaves free, uses other data or concludes less, or when all that are judged stay UNDECIDED; *skipped* when
its readings were not judged in this run; and *missing* when nothing judges it, with the reason."""


@dataclass(frozen=True)
class _Reading:
    """A reading as the table shows it."""

    claim: Judged
    status: Status
    limits: tuple[str, ...]
    restricted: bool

    @classmethod
    def of(cls, claim: Judged, experiments: Experiments | None) -> "_Reading":
        restrictions = [claim.restricts]
        found = None if experiments is None else experiments.of(claim)
        if found is not None:
            restrictions.append(found.partial and f"a part of the data, {found.partial}")
        restricted = "; ".join(filter(None, restrictions))
        how = found and ("at full size" if found.full_size else "with data")
        limits = (how, claim.sizes, restricted and f"restricted: {restricted}")
        status = claim.status if found is None else found.status
        return cls(claim, status, tuple(str(limit) for limit in limits if limit), bool(restricted))

    @property
    def judged(self) -> bool:
        return self.status not in (Status.SKIPPED, Status.ERROR)

    def __str__(self) -> str:
        return f"`{self.claim.key}` {self.status}" + (f" ({'; '.join(self.limits)})" if self.limits else "")


def _line(paper: str, item: Item, readings: Sequence[_Reading]) -> tuple[str, str, str]:
    mine = [one for name in item.get("claims", ()) for one in readings if one.claim.id == f"{paper}/{name}"]
    judged = [one for one in mine if one.judged]
    if not mine:
        return item["item"], MISSING, item.get("not_judged", "")
    if not judged:
        return item["item"], SKIPPED, "; ".join(dict.fromkeys(one.claim.reason for one in mine))
    decided = [one for one in judged if one.status is not Status.UNDECIDED]
    how = REDUCED if all(one.restricted for one in decided) else FULL
    return item["item"], how, "; ".join(map(str, mine))


def cell(text: str) -> str:
    """Text without line breaks and column separators, for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
