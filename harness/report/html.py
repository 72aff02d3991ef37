"""A self-contained HTML page from the JSON of a run: it opens from disk and loads nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from harness.claims import papers
from harness.language.registry import key_of
from harness.numbers import count, number, parameters
from harness.report.errata import by_severity, counted
from harness.report.plots import picture
from harness.report.terminal import printable
from harness.verdict import Verdict, as_json
from harness.words import certificate, proof, readable


def page(payload: Mapping[str, Any]) -> str:
    """The whole report."""
    claims = [_dressed(claim) for claim in payload["claims"]]
    tally: dict[str, int] = {}
    for claim in claims:
        tally[claim["status"]] = tally.get(claim["status"], 0) + 1
    defects = counted(by_severity(payload["claims"]))
    return (
        _environment().get_template("report.html").render(payload=payload, claims=claims, tally=tally, defects=defects)
    )


def fragment(verdict: Verdict) -> str:
    """One claim's part of the report, for notebooks."""
    claim = _dressed(as_json(verdict))
    return _environment().get_template("claim.html").render(claim=claim, open=True)


def _harmless(value: Any) -> Any:
    """Texts without control characters and lone surrogates, which neither fonts nor UTF-8 can show."""
    if isinstance(value, str):
        return printable(value, lines=True)
    if isinstance(value, Mapping):
        return {name: _harmless(part) for name, part in value.items()}
    return [_harmless(part) for part in value] if isinstance(value, list | tuple) else value


def _dressed(verdict: Mapping[str, Any]) -> dict[str, Any]:
    claim = _harmless(verdict)
    key = key_of(claim["id"], claim["reading"])
    shown = next((c for c in claim["cells"] if c["counterexample"] and c["replay"]), None)
    paper, known = claim["id"].split("/", 1)[0], papers()
    return {
        **claim,
        "key": key,
        "anchor": key.replace("/", "-").replace("[", "-").rstrip("]"),
        "paper": known[paper].title if paper in known else paper,
        "link": known[paper].link if paper in known else "",
        "plot": picture(claim),
        "shown": shown,
        "counterexample": json.dumps(readable(shown["counterexample"]), indent=1) if shown else "",
        "certificate": certificate(found)
        if (found := (shown or {}).get("counterexample", {}).get("certificate"))
        else "",
        "proofs": [(cell["params"], said) for cell in claim["cells"] if (said := proof(cell["details"]))],
        "rows": [row for cell in claim["cells"] for row in cell["details"].get("rows", [])],
        "unexpected": claim["as_expected"] is False,
        "trials": sum(cell["trials"] for cell in claim["cells"]),
    }


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, count=count, parameters=lambda p: parameters(p).rstrip(": "))
    return environment
