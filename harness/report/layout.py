"""The JSON of a run, as types: what `tightrope check --json` writes and the report reads.

`docs/schema.json` is its JSON schema, made from these types.
"""

import json
import math
import re
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any, Generic

import msgspec
from typing_extensions import TypeVar

import harness.kinds  # noqa: F401  (makes the kinds known by their names)
from harness.errors import Complaint, UsageError
from harness.files import read_json
from harness.language.defects import Defect
from harness.language.kind import NAMED, Kind
from harness.language.registry import key_of
from harness.report.explain import caveat
from harness.report.recorded import SCHEMA
from harness.settings import GLANCE, QUICK
from harness.verdict import CellVerdict, Counterexample, Details, Status, Verdict

REFERENCE = "#/$defs/"

D = TypeVar("D", bound=Details, default=Any)
C = TypeVar("C", bound=Counterexample, default=Any)


class Judged(msgspec.Struct, Generic[D, C], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim with its verdict."""

    id: str
    reading: str | None
    kind: str
    status: Status
    expected: str | None
    as_expected: bool | None
    cite: str
    statement: str
    remarks: str
    title: str
    quote: str
    restricts: str
    unnoticed: str
    sharp: float | str
    defect: Defect | None
    looseness: float | None
    detectable_factor: float | None
    seconds: float
    reason: str
    cells: list[CellVerdict[D, C]]
    tried: list[str] = []  # in words, as is the next; files of older runs have none of these
    caveat: str = ""
    sizes: str = ""
    effort: str = ""  # on which the verdict rests: that of the run, unless it was interrupted

    @property
    def key(self) -> str:
        return key_of(self.id, self.reading)

    def stopped_early(self, effort: str) -> bool:
        """Whether a run at this effort was stopped after its first verdict; a budget goes on to larger efforts."""
        return self.effort in (GLANCE.name, QUICK.name) and self.effort != effort

    @property
    def counterexample(self) -> CellVerdict[D, C] | None:
        """The first cell with a counterexample that can be replayed."""
        return next((cell for cell in self.cells if cell.counterexample is not None and cell.replay), None)


class Run(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole run."""

    schema: int
    version: str
    seed: int
    alpha: float
    effort: str
    family: int
    environment: dict[str, str]
    defects: dict[str, int]
    claims: list[Judged]
    complaints: list[Complaint] = []  # about arguments that name no claims, as a file that does not import


def judged(verdict: Verdict) -> Judged:
    """A verdict as it stands in the JSON of a run: numbers to 12 digits, None for what is not finite."""
    claim = verdict.claim
    return Judged(
        id=claim.id,
        reading=claim.reading,
        kind=claim.kind.name,
        status=verdict.status,
        expected=claim.expected,
        as_expected=verdict.as_expected,
        cite=claim.cite,
        statement=claim.statement,
        remarks=claim.remarks,
        title=claim.title,
        quote=claim.quote,
        restricts=claim.restricts,
        unnoticed=claim.unnoticed,
        sharp=claim.sharp,
        defect=claim.defect,
        looseness=_short(verdict.looseness),
        detectable_factor=_short(verdict.detectable_factor),
        seconds=round(verdict.seconds, 3),
        reason=verdict.reason,
        cells=[_shortened(cell, type(claim.kind)) for cell in verdict.cells],
        tried=claim.kind.tried(verdict),
        caveat=caveat(verdict),
        sizes=claim.sizes,
        effort=verdict.effort,
    )


def _shortened(cell: CellVerdict, kind: type[Kind]) -> CellVerdict:
    """A cell with shorter numbers, but for its parameters, instance and counterexample: their digits decide."""
    given = msgspec.to_builtins(cell)
    written = _short(given) | {name: given[name] for name in ("params", "counterexample")}
    if given["details"] and "instance" in given["details"]:
        written["details"]["instance"] = given["details"]["instance"]
    return msgspec.convert(written, CellVerdict[kind.details, kind.counterexample])  # type: ignore[name-defined]


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _short(part) for name, part in value.items()}
    return [_short(part) for part in value] if isinstance(value, list | tuple) else value


def plain(run: Run) -> dict[str, Any]:
    """A run as JSON has it."""
    written: dict[str, Any] = msgspec.to_builtins(run)
    return written


def read(payload: Mapping[str, Any]) -> Run:
    """A run from its JSON.

    Raises msgspec.ValidationError where that is not of this layout. The cells of a kind that is not known here, since
    a file defined it, are left out.
    """
    return msgspec.convert({**payload, "claims": [claim_of(claim) for claim in payload["claims"]]}, Run)


def last_run(out: Path) -> Run:
    """The last run into a folder.

    Raises UsageError if there is none, or one of a different version.
    """
    return run_of(out / "verdicts.json")


def run_of(path: Path) -> Run:
    """The run in a file that `tightrope check` wrote.

    Raises UsageError if there is none, or one of a different version.
    """
    payload = read_json(path)
    try:
        if payload["schema"] == SCHEMA:
            return read(payload)
    except (msgspec.ValidationError, KeyError, TypeError):
        pass
    raise UsageError(f"{path} was written by a different version; run `tightrope check` again.")


def claim_of(claim: Any) -> Judged:
    """A claim from its JSON."""
    kind = NAMED.get(claim["kind"])
    if kind is None:
        return msgspec.convert({**claim, "cells": []}, Judged)
    return msgspec.convert(claim, Judged[kind.details, kind.counterexample])  # type: ignore[name-defined]


def schema() -> dict[str, Any]:
    """The JSON schema of a run whose claims are of the kinds that this package defines."""
    names: dict[Any, list[str]] = {}  # of the kinds, by the type of their claims
    for kind in NAMED.values():
        if kind.__module__.startswith("harness."):
            names.setdefault(Judged[kind.details, kind.counterexample], []).append(kind.name)  # type: ignore[name-defined]
    (run, *claims), parts = msgspec.json.schema_components([Run, *names], ref_template=f"{REFERENCE}{{name}}")
    for claim, some in zip(claims, names.values(), strict=True):
        parts[_name(claim)]["properties"]["kind"] = {"enum": sorted(some)}
    parts[_name(run)]["properties"]["schema"] = {"const": SCHEMA}
    parts[_name(run)]["properties"]["claims"]["items"] = {"anyOf": claims}
    whole = parts.pop(_name(run))
    used = _used(whole, parts)
    for part in (whole, *used.values()):
        if "description" in part:  # a docstring, which Python has dedented since 3.13
            part["description"] = cleandoc(part["description"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": dict(sorted(used.items()))}


def _used(whole: Any, parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts to which the whole refers, directly or not."""
    named = re.findall(f'"{re.escape(REFERENCE)}([^"]+)"', json.dumps(whole))
    rest = {name: part for name, part in parts.items() if name not in named}
    used = {name: parts[name] for name in named if name in parts}
    return used | _used(list(used.values()), rest) if used else {}


def _name(reference: Mapping[str, str]) -> str:
    return reference["$ref"].removeprefix(REFERENCE)
