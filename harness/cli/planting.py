"""What `tightrope sensitivity` does: plant errors, and judge the claims that have them."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.cli.executors import executor
from harness.language.registry import Claim
from harness.report.progress import ProgressBar
from harness.report.terminal import console
from harness.run.api import settings_for
from harness.run.examination import examine
from harness.run.sensitivity import ERRORS, Finding, Sensitivity, sensitivity, sound


def planted_and_judged(
    claims: Sequence[Claim], errors: Sequence[str], effort: str, options: Mapping[str, Any]
) -> list[Sensitivity]:
    """What was noticed of each error."""
    chosen = sound(claims)
    settings = settings_for(seed=str(options["seed"]), effort=effort, family=len(chosen) * len(errors))
    settings = replace(settings, effort=settings.effort.bare())
    findings: list[Finding] = []
    with executor(options["jobs"] or os.cpu_count() or 1) as (workers, _), ProgressBar(console()) as bar:
        bar.started(chosen, settings.effort.name)
        for found in examine(chosen, errors, settings, workers):
            findings += found
            bar.passed("; ".join(map(_line, found)) or "nothing to plant")
    order = {claim.key: place for place, claim in enumerate(chosen)}
    findings.sort(key=lambda found: order[found.claim.key])
    return [sensitivity(error, findings) for error in ERRORS if error in errors]


def _line(found: Finding) -> str:
    status = found.status or ("spared" if found.spared else "not judged")
    return f"{found.claim.key} {found.error}: {status} ({found.seconds:.1f} s)"
