"""The first page: what was judged, what is wrong in print, how loose bounds are, and what changed; then the papers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.claims import CLASSICS, papers
from harness.language.papers import Paper
from harness.report.errata import HEADINGS, Found, by_severity, defects_found
from harness.report.history import Entry, last_changes
from harness.report.html.environment import asset, rendered
from harness.report.html.overview import overview
from harness.report.layout import Judged, Run
from harness.verdict import Status

_READINGS = ("printed", None, "inferred", "corrected")


@dataclass(frozen=True)
class Chapter:
    """A paper, or the claims of a file, with the readings of each statement together."""

    key: str
    heading: str
    paper: Paper | None
    groups: Sequence[Sequence[Judged]]

    @property
    def claims(self) -> list[Judged]:
        return [claim for group in self.groups for claim in group]

    @property
    def tally(self) -> dict[str, int]:
        return tally(self.claims)


def index(run: Run, entries: Sequence[Entry]) -> str:
    """The first page; the last of the entries is that of the run."""
    made = chapters(run)
    return rendered(
        "index.html",
        run=run,
        chapters=made,
        tally=tally(run.claims),
        unexpected=[claim for claim in run.claims if claim.as_expected is False],
        defects=_by_heading(run),
        severities=by_severity(run.claims),
        kinds=sorted({claim.kind for claim in run.claims}),
        picture=overview({chapter.heading: chapter.claims for chapter in made}),
        changes=last_changes(entries),
        entries=entries,
        known={claim.key for claim in run.claims},
    )


def bounds(run: Run) -> str:
    """The picture of the bounds as an SVG file of its own."""
    picture = overview({chapter.heading: chapter.claims for chapter in chapters(run)})
    return rendered("bounds.svg", picture=picture, style=asset("chart.css"))


def chapters(run: Run) -> list[Chapter]:
    """The claims of a run by paper, in its order."""
    of_paper: dict[str, dict[str, list[Judged]]] = {}
    for claim in run.claims:
        of_paper.setdefault(claim.id.split("/", 1)[0], {}).setdefault(claim.id, []).append(claim)
    return [
        Chapter(key, _heading(key), papers().get(key), [sorted(group, key=_place) for group in groups.values()])
        for key, groups in of_paper.items()
    ]


def tally(claims: Sequence[Judged]) -> dict[str, int]:
    """How many claims have each status; statuses without one are left out."""
    counts = {str(status): sum(claim.status is status for claim in claims) for status in Status}
    return {status: count for status, count in counts.items() if count}


def _heading(key: str) -> str:
    known = papers().get(key)
    if known is not None:
        return known.title
    return "Classics: textbook theorems" if key == CLASSICS else f"Claims of your own: {key}"


def _place(claim: Judged) -> int:
    return _READINGS.index(claim.reading) if claim.reading in _READINGS else len(_READINGS)


def _by_heading(run: Run) -> list[tuple[str, str, list[Found]]]:
    """Severity, heading and defects, the most severe first."""
    found = groupby(defects_found(run.claims), key=lambda each: each.defect.severity)
    return [(str(severity), HEADINGS[severity], list(defects)) for severity, defects in found]
