"""Runs for tests of what is written about them: made of data, nothing is judged."""

import json
from pathlib import Path
from typing import Any

from harness.language.registry import Claim
from harness.report.layout import Judged, Run, plain
from harness.report.recorded import SCHEMA
from harness.verdict import CellVerdict, Status

HOSTILE = "Müller–Łoś & 50 % of x_i^2 ≤ α·β² {\\end} $~#|<b>\"'`` --- \x1b[31m \x00 \ud800 \ufffe ]]> 中 ﬁ ẞ 𝔼"


def judged_as(claim: Claim, status: Status = Status.HOLDS, **more: Any) -> Judged:
    """A claim with a verdict that nobody gave."""
    given = {
        "kind": claim.kind.name,
        "status": status,
        "as_expected": True,
        "looseness": None,
        "detectable_factor": None,
        "seconds": 1.5,
        "reason": "",
        "cells": [CellVerdict(params, status, trials=10) for params in claim.groups()],
    }
    shared = ("id", "reading", "expected", "cite", "statement", "remarks", "title", "quote", "restricts", "unnoticed")
    return Judged(
        **{name: getattr(claim, name) for name in (*shared, "sharp", "defect")},
        **{**given, **more},
    )


def one(id: str = "mine/a", status: Status = Status.HOLDS, **more: Any) -> Judged:
    """A claim that is only a name, with a verdict."""
    texts = ("cite", "statement", "remarks", "title", "quote", "restricts", "unnoticed", "sharp", "reason")
    given = {
        **dict.fromkeys(texts, ""),
        **dict.fromkeys(("reading", "expected", "defect", "looseness", "detectable_factor")),
        "kind": "always",
        "as_expected": True,
        "seconds": 1.0,
        "cells": [CellVerdict({}, status)],
    }
    return Judged(id=id, status=status, **{**given, **more})


def run_with(*claims: Judged, **more: Any) -> Run:
    """A run of these claims."""
    given = {
        "schema": SCHEMA,
        "version": "0.1.0",
        "seed": 0,
        "alpha": 0.01,
        "effort": "quick",
        "family": len(claims),
        "environment": {},
        "defects": {},
    }
    return Run(claims=list(claims), **{**given, **more})


def write(path: Path, run: Run) -> Path:
    """The file that `tightrope check --json` would have written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plain(run)), encoding="utf-8")
    return path
