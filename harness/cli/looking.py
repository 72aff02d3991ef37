"""What `tightrope show` and `tightrope replay` do."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.cli.executors import executor
from harness.cli.options import UNEXPECTED, json_object
from harness.cli.selection import readings
from harness.errors import UsageError
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, claim_at
from harness.report.explain import explain
from harness.report.layout import Judged, Run, last_run
from harness.report.progress import ProgressBar
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.loading import resolve
from harness.run.replaying import replay
from harness.run.runner import run
from harness.run.store import Store
from harness.settings import Settings
from harness.verdict import Verdict


def explain_verdicts(reference: str, *, quick: bool, seed: str | None, out: Path) -> None:
    """Say of each reading of a claim what the last run tried and found, or judge it now and say so."""
    claims, family = readings(reference)
    given = None if quick or seed is not None else _last(out)
    own = settings_for(seed=seed or "0", effort="quick" if quick else "standard", family=family)
    for claim in claims:
        known = next((judged for judged in given.claims if judged.key == claim.key), None) if given else None
        settings = own if given is None or known is None else _settings(given)
        shown = _explained(claim, settings, out)
        for sentence in _origin(shown, settings, known, out):
            say(sentence)
        say(explain(shown.verdict) + "\n", lines=True)


@dataclass(frozen=True)
class _Shown:
    verdict: Verdict
    computed: int  # tasks that no stored row had answered


def _explained(claim: Claim, settings: Settings, out: Path) -> _Shown:
    """The verdict at these settings; from stored rows, as far as there are some."""
    with executor(1, device=settings.device) as (workers, _), ProgressBar(console(), narrate=False) as bar:
        (verdict,) = run([claim], settings, store=Store(out, read_only_too=True), executor=workers, observer=bar)
    return _Shown(verdict, bar.computed)


def _last(out: Path) -> Run | None:
    """The last run into a folder, if there is one that this version can read."""
    try:
        return last_run(out)
    except UsageError:
        return None


def _settings(given: Run) -> Settings:
    """Those of a run; of one on a GPU that is not here, those of the processor."""
    try:
        made = settings_for(
            seed=given.seed, effort=given.effort, family=given.family, device=given.environment["device"]
        )
    except (UsageError, KeyError):
        made = settings_for(seed=given.seed, effort=given.effort, family=given.family)
    return replace(made, alpha=given.alpha)


def _origin(shown: _Shown, settings: Settings, known: Judged | None, out: Path) -> Sequence[str]:
    """Where a verdict comes from: never another effort, nor another run, without a word."""
    how = f"{settings.effort.name} effort, seed {settings.seed}"
    if known is None:
        return [f"(judged now: {how})"] if shown.computed else [f"(from stored rows: {how})"]
    if known.stopped_early(settings.effort.name):
        return [f"(judged now: {how}; the last run in {out} was stopped after its first verdict, {known.status})"]
    if known.status is not shown.verdict.status:
        said = f"the last run in {out} found {known.status}, with a larger --budget, or before something changed"
        return [f"(judged now: {how}; {said})"]
    if shown.computed:
        return [f"(judged again: {how}; its rows are not in {out}, or what it imports has changed since the last run)"]
    return [f"(from the last run in {out}: {how})"]


def replayed(reference: str, options: Mapping[str, Any]) -> int:
    """Recompute a counterexample, given or stored; the exit code."""
    claim, _ = resolve(reference)
    params = None if options["params"] is None else json_object("--params", options["params"])
    values = json_object("--values", options["values"])
    if options["stored"]:
        params, values = _stored(options["out"], claim, params)
    settings = settings_for(seed=options["seed"])
    result = replay(claim, params or {}, values, trials=options["trials"], seed=settings.seed)
    say(f"{claim.key}: {result.sentence}")
    return 0 if result.violated else UNEXPECTED


def _stored(out: Path, claim: Claim, params: Parameters | None) -> tuple[Parameters, Instance]:
    """The counterexample of a cell, of the first that has one if none is named."""
    cells = [cell for judged in last_run(out).claims if judged.key == claim.key for cell in judged.cells]
    found = [cell for cell in cells if cell.counterexample is not None]
    for cell in found:
        if cell.counterexample is not None and params in (None, cell.params):
            return cell.params, cell.counterexample.values
    if found:
        others = " or ".join(f"--params '{json.dumps(cell.params)}'" for cell in found[:3])
        remedy = f"there is one with {others}."
    else:
        remedy = "run `tightrope check` again."
    where = claim.key if params is None else claim_at(claim.key, params)
    raise UsageError(f"{out / 'verdicts.json'} contains no counterexample to {where}; {remedy}")
