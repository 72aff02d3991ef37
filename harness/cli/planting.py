"""What `tightrope sensitivity` does: plant errors, and judge the claims that have them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from harness.cli.executors import executor
from harness.language.registry import Claim
from harness.report.table import ProgressBar
from harness.report.terminal import console
from harness.run.api import settings_for
from harness.run.sensitivity import ERRORS, Sensitivity, judge, plant, plant_slips, sensitivity
from harness.run.store import Store

SURVEY = 60.0  # seconds for the survey of one claim


def planted_and_judged(
    claims: Sequence[Claim], errors: Sequence[str], effort: str, options: Mapping[str, Any]
) -> list[Sensitivity]:
    """What was noticed of each error: the survey for slips first, then all that was planted, judged."""
    jobs = options["jobs"] or os.cpu_count() or 1
    with executor(jobs, time_limit=SURVEY) as (workers, _):
        planted = plant(claims, errors) + plant_slips(claims, errors, workers)
    settings = settings_for(seed=str(options["seed"]), effort=effort, family=len(planted))
    with executor(jobs) as (workers, in_flight), ProgressBar(console()) as bar:
        running = {"store": Store(options["out"]), "executor": workers, "observer": bar, "in_flight": in_flight}
        statuses = judge(planted, settings, **running)
    return [sensitivity(error, planted, statuses) for error in ERRORS if error in errors]
