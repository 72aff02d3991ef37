"""Tables for programs: CSV with a row for each claim, and records of its cells that pandas reads.

`pandas.read_json("cells.json")` makes a frame of the records; nothing here needs pandas. A grid parameter `n` is the
column `params.n`, as `pandas.json_normalize` would call it, and is missing where a claim has no such parameter.
"""

import csv
import io
from typing import Any

from harness.files import json_text
from harness.report.layout import Judged, Run

CLAIM = (
    "id",
    "reading",
    "kind",
    "status",
    "expected",
    "as_expected",
    "statement",
    "cite",
    "sizes",
    "restricts",
    "looseness",
    "detectable_factor",
    "seconds",
    "reason",
)
"""Columns of the CSV that a claim has under the same name; after them come its trials and its defect."""


def comma_separated(run: Run) -> str:
    """A row for each claim; what is unknown is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow((*CLAIM, "cells", "trials", "violations", "defect", "severity"))
    writer.writerows(_row(claim) for claim in run.claims)
    return stream.getvalue()


def _row(claim: Judged) -> tuple[Any, ...]:
    trials, violations = (sum(getattr(cell, name) for cell in claim.cells) for name in ("trials", "violations"))
    defect = (claim.defect.id, str(claim.defect.severity)) if claim.defect else ("", "")
    return (*(getattr(claim, name) for name in CLAIM), len(claim.cells), trials, violations, *defect)


def records(run: Run) -> str:
    """A JSON array with a record for each cell: what is said of its claim, its parameters, and its own numbers."""
    made = [json_text(record) for claim in run.claims for record in _records(claim, run)]
    return "[" + ",\n".join(made) + "]\n"


def _records(claim: Judged, run: Run) -> list[dict[str, Any]]:
    of_claim = {
        "claim": claim.key,
        "paper": claim.id.partition("/")[0],
        "kind": claim.kind,
        "claim_status": claim.status,
        "expected": claim.expected or "holds",
        "statement": claim.statement,
        "cite": claim.cite,
        "seed": run.seed,
        "effort": run.effort,
    }
    return [
        {
            **of_claim,
            **{f"params.{name}": value for name, value in cell.params.items()},
            "status": cell.status,
            "trials": cell.trials,
            "violations": cell.violations,
            "worst_ratio": cell.worst_ratio,
            "looseness": cell.looseness,
            "looseness_low": cell.looseness_interval[0] if cell.looseness_interval else None,
            "looseness_high": cell.looseness_interval[1] if cell.looseness_interval else None,
            "detectable_factor": cell.detectable_factor,
            "reason": cell.reason,
        }
        for cell in claim.cells
    ]
