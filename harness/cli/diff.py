"""`tightrope diff`: two runs compared by verdicts, then by looseness, then by speed."""

from typing import Any

import click

from harness.cli.options import UNEXPECTED
from harness.report.recorded import LEDGER


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--ledger", default=LEDGER, show_default=True, help="The file that is read in a commit.")
@click.option(
    "--looseness",
    "loosened",
    default=1.1,
    show_default=True,
    type=click.FloatRange(min=1.0, min_open=True),
    help="Name claims whose looseness changed by more than this factor, and beyond the intervals that it has.",
)
@click.option(
    "--speed",
    "slowed",
    default=2.0,
    show_default=True,
    type=click.FloatRange(min=1.0, min_open=True),
    help="Name claims whose seconds changed by more than this factor, and by more than a second.",
)
@click.pass_context
def diff(ctx: click.Context, /, old: str, new: str, **options: Any) -> None:
    """Compare two runs: verdicts, then looseness, then speed.

    Each is a --json file, a folder of results or a git commit. A commit (`tightrope diff main~3 main`) stands for its
    results/ledger.json, which holds no times. Exit code: 0 no verdict changed, whatever else did; 1 some did, or claims
    came or went; 2 bad usage.
    """
    from harness.cli.differing import compared  # noqa: PLC0415

    ctx.exit(UNEXPECTED if compared(old, new, **options) else 0)


COMMANDS = {"diff": diff}
