"""`tightrope figures`: the figures of the papers as files."""

from pathlib import Path
from typing import Any

import click

from harness.cli.options import JOBS, OUT, SEED


@click.command()
@click.option("--paper", "papers", multiple=True, help="Only the figures of this paper; may be repeated.")
@click.option("--atlas", is_flag=True, help="Every rate that is judged, in place of figures, and a page: atlas.md.")
@click.option("--format", "form", default="svg", type=click.Choice(["svg", "pdf", "png"]), show_default=True)
@click.option(
    "--from",
    "source",
    default=None,
    type=click.Path(path_type=Path),
    help="Judge nothing: draw from what `tightrope check` wrote, a --json file or a folder with verdicts.json.",
)
@click.option("--to", "folder", default=None, type=click.Path(path_type=Path), help="Default: figures, below --out.")
@click.option(
    "--contact-sheet",
    "sheet",
    default=None,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write all of them on one HTML page too, each beside what is as in print and what is not.",
)
@click.option("--quick", is_flag=True, help="Low effort for what is judged.")
@SEED
@JOBS
@OUT
@click.pass_context
def figures(ctx: click.Context, /, **options: Any) -> None:
    """Draw the figures of the papers from our runs, in the layout of print.

    The claims behind them are judged first; stored rows are reused. Exit code: 0 every panel of every figure is drawn;
    1 some are not, and a sentence for each says why and which command would make it possible; 2 bad usage.
    """
    from harness.cli.drawing import draw_all  # noqa: PLC0415  (`--help` needs neither torch nor matplotlib)

    ctx.exit(draw_all(**options))


COMMANDS = {"figures": figures}
