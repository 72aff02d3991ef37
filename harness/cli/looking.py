"""What `tightrope show` and `tightrope replay` do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.cli.executors import executor
from harness.cli.options import UNEXPECTED, json_object
from harness.cli.selection import readings
from harness.errors import UsageError
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance
from harness.report.explain import explain
from harness.report.layout import last_run
from harness.report.table import ProgressBar
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.loading import resolve
from harness.run.replaying import replay
from harness.run.runner import run
from harness.run.store import Store


def explain_verdicts(reference: str, *, quick: bool, seed: str, out: Path) -> None:
    """Say of each reading of a claim what was tried and found; from stored rows, where there are some."""
    claims, family = readings(reference)
    settings = settings_for(seed=seed, effort="quick" if quick else "standard", family=family)
    with executor(1) as (workers, _), ProgressBar(console(), narrate=False) as bar:
        verdicts = run(claims, settings, store=Store(out), executor=workers, observer=bar)
    for verdict in verdicts:
        say(explain(verdict) + "\n", lines=True)


def replayed(reference: str, options: Mapping[str, Any]) -> int:
    """Recompute a counterexample, given or stored; the exit code."""
    claim, _ = resolve(reference)
    params = json_object("--params", options["params"])
    values = json_object("--values", options["values"])
    if options["stored"]:
        values = _stored_values(options["out"], claim, params)
    settings = settings_for(seed=options["seed"])
    result = replay(claim, params, values, trials=options["trials"], seed=settings.seed)
    say(f"{claim.key}: {result.sentence}")
    return 0 if result.violated else UNEXPECTED


def _stored_values(out: Path, claim: Claim, params: Parameters) -> Instance:
    for entry in last_run(out).claims:
        if entry.key == claim.key:
            for cell in entry.cells:
                if cell.params == params and cell.counterexample is not None:
                    values: Instance = cell.counterexample.values
                    return values
    raise UsageError(
        f"{out / 'verdicts.json'} contains no counterexample to {claim.key!r} at {params}; run `tightrope check` again."
    )
