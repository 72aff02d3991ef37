"""Commands that look at one claim: show, replay."""

from typing import Any

import click

from harness.cli.options import OUT, SEED


@click.command()
@click.argument("reference")
@click.option("--quick", is_flag=True, help="The verdict at the quick effort, whatever the last run used.")
@click.option("--seed", default=None, help="The verdict with this seed, whatever the last run used; or 'fresh'.")
@OUT
def show(**options: Any) -> None:
    """Explain the verdict on one claim: what was tried, what was found, what could still be wrong.

    It is the verdict of the last run into --out, at its effort and with its seed, unless options ask for another one. A
    claim that the run has not judged is judged now, and the first line says so.
    """
    from harness.cli.looking import explain_verdicts  # noqa: PLC0415  (`--help` needs no torch)

    explain_verdicts(**options)


@click.command()
@click.argument("reference")
@click.option("--params", default=None, help="The cell, as JSON; of --stored, the first one with a counterexample.")
@click.option("--values", default="{}", help="The quantified inputs, as JSON.")
@click.option("--stored", is_flag=True, help="Take the counterexample from the last run in --out.")
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    help="Number of fresh draws, for claims that draw.  [default: 100000; of a table those of the standard effort]",
)
@SEED
@OUT
@click.pass_context
def replay(ctx: click.Context, /, reference: str, **options: Any) -> None:
    """Recompute a counterexample; exit code 0 if the violation is reproduced, 1 if not."""
    from harness.cli.looking import replayed  # noqa: PLC0415  (`--help` needs no torch)

    ctx.exit(replayed(reference, options))


COMMANDS = {"replay": replay, "show": show}
