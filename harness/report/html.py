"""A self-contained HTML page from the JSON of a run: it opens from disk and loads nothing else."""

import json
from dataclasses import dataclass
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from harness.claims import papers
from harness.language.rows import StoredRow
from harness.numbers import count, number, parameters
from harness.report.errata import by_severity, counted
from harness.report.layout import Judged, Run, claim_of, judged
from harness.report.plots import picture
from harness.report.terminal import printable
from harness.verdict import CellVerdict, Verdict


@dataclass(frozen=True)
class Dressed:
    """A claim with what the templates show beside it."""

    claim: Judged
    anchor: str
    paper: str
    link: str
    plot: str
    shown: CellVerdict | None
    counterexample: str
    rows: tuple[StoredRow, ...]
    trials: int


def page(run: Run) -> str:
    """The whole report."""
    claims = [_dressed(claim) for claim in run.claims]
    tally: dict[str, int] = {}
    for each in claims:
        tally[each.claim.status] = tally.get(each.claim.status, 0) + 1
    defects = counted(by_severity(run.claims))
    return _environment().get_template("report.html").render(run=run, claims=claims, tally=tally, defects=defects)


def fragment(verdict: Verdict) -> str:
    """One claim's part of the report, for notebooks."""
    return _environment().get_template("claim.html").render(dressed=_dressed(judged(verdict)), open=True)


def _harmless(value: Any) -> Any:
    """Texts without control characters and lone surrogates, which neither fonts nor UTF-8 can show."""
    if isinstance(value, str):
        return printable(value, lines=True)
    if isinstance(value, dict):
        return {name: _harmless(part) for name, part in value.items()}
    return [_harmless(part) for part in value] if isinstance(value, list | tuple) else value


def _dressed(verdict: Judged) -> Dressed:
    claim = claim_of(_harmless(msgspec.to_builtins(verdict)))
    paper, known = claim.id.split("/", 1)[0], papers()
    shown = claim.counterexample
    found = shown.counterexample if shown else None
    return Dressed(
        claim,
        anchor=claim.key.replace("/", "-").replace("[", "-").rstrip("]"),
        paper=known[paper].title if paper in known else paper,
        link=known[paper].link if paper in known else "",
        plot=picture(claim),
        shown=shown,
        counterexample="" if found is None else json.dumps(found.readable(), indent=1),
        rows=tuple(row for cell in claim.cells for row in (cell.details.table if cell.details else ())),
        trials=sum(cell.trials for cell in claim.cells),
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, count=count, parameters=parameters)
    return environment
