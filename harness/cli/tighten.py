"""`tightrope tighten`: between which numbers does the best constant lie?"""

from pathlib import Path
from typing import Any

import click

from harness.cli.options import SEED


@click.command()
@click.argument("reference")
@click.option("--params", default=None, help="One cell, as JSON; default: every cell of the grid.")
@click.option("--constant", default=None, metavar="NAME", help="A number of the grid to tighten, not a factor of rhs.")
@click.option("--rtol", default=0.01, show_default=True, help="How far apart the ends may lie, relative to the lower.")
@click.option(
    "--boxes",
    default=50_000,
    show_default=True,
    type=click.IntRange(min=1),
    help="Boxes that a proof of one constant may take.",
)
@click.option("--quick", is_flag=True, help="Low effort for searches and judgements.")
@SEED
@click.option(
    "--plot", default=None, type=click.Path(path_type=Path), help="Draw both ends against work: SVG, PDF, PNG."
)
@click.option("--json", "file", default=None, type=click.Path(path_type=Path), help="Write the ends as JSON, too.")
def tighten(reference: str, **options: Any) -> None:
    """Enclose the best constant: the largest ratio found, and the smallest constant proved.

    No constant c below the lower end makes `lhs <= c rhs` true, and none above the upper end is needed. For an
    inequality for all inputs, the lower end is the largest ratio that a search finds, certified by enclosures, and the
    upper end the smallest constant that is proved. A claim that draws, and a constant of the grid, are judged at one
    constant after another: the lower end is refuted, the upper end holds where a search has looked.
    """
    from harness.cli.tightening import tightened  # noqa: PLC0415  (`--help` needs no torch)

    tightened(reference, **options)


COMMANDS = {"tighten": tighten}
