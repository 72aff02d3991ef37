"""Commands that look at one claim: show, replay."""

from pathlib import Path
from typing import Any

import click

from harness.cli.executors import executor
from harness.cli.options import OUT, SEED, UNEXPECTED, json_object
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
from harness.run.replaying import replay as replay_instance
from harness.run.runner import run
from harness.run.store import Store


@click.command()
@click.argument("reference")
@click.option("--quick", is_flag=True, help="Use the quick effort where no rows are stored.")
@SEED
@OUT
def show(reference: str, quick: bool, seed: str, out: Path) -> None:  # noqa: FBT001  (click passes flags by name)
    """Explain the verdict on one claim: what was tried, what was found, what could still be wrong."""
    claims, family = readings(reference)
    settings = settings_for(seed=seed, effort="quick" if quick else "standard", family=family)
    with executor(1) as (workers, _), ProgressBar(console(), narrate=False) as bar:
        verdicts = run(claims, settings, store=Store(out), executor=workers, observer=bar)
    for verdict in verdicts:
        say(explain(verdict) + "\n", lines=True)


@click.command()
@click.argument("reference")
@click.option("--params", default="{}", help="The cell, as JSON.")
@click.option("--values", default="{}", help="The quantified inputs, as JSON.")
@click.option("--stored", is_flag=True, help="Take the counterexample of this cell from the last run in --out.")
@click.option("--trials", default=100_000, show_default=True, help="Number of fresh draws, for claims that draw.")
@SEED
@OUT
@click.pass_context
def replay(ctx: click.Context, /, reference: str, **options: Any) -> None:
    """Recompute a counterexample; exit code 0 if the violation is reproduced, 1 if not."""
    claim, _ = resolve(reference)
    params = json_object("--params", options["params"])
    values = json_object("--values", options["values"])
    if options["stored"]:
        values = _stored_values(options["out"], claim, params)
    settings = settings_for(seed=options["seed"])
    result = replay_instance(claim, params, values, trials=options["trials"], seed=settings.seed)
    say(f"{claim.key}: {result.sentence}")
    ctx.exit(0 if result.violated else UNEXPECTED)


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


COMMANDS = {"replay": replay, "show": show}
