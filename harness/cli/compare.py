"""`tightrope compare`: which bound should I use for my numbers?"""

from pathlib import Path
from typing import Any

import click

from harness.cli.options import OUT


@click.command()
@click.argument("words", nargs=-1, metavar="[BOUND ...] [NUMBER=VALUE ...]")
@click.option("--given", multiple=True, metavar="NUMBER=VALUE ...", help="Numbers, such as n=100 delta=0.05.")
@click.option("--along", "span", default=None, metavar="NUMBER=LOW:HIGH", help="Compare along this number.")
@click.option("--plot", default=None, type=click.Path(path_type=Path), help="With --along: draw it as SVG, PDF or PNG.")
@click.option("--json", "file", default=None, type=click.Path(path_type=Path), help="Write the values as JSON, too.")
@OUT
def compare(words: tuple[str, ...], given: tuple[str, ...], **options: Any) -> None:
    """Rank bounds of the same left side at given numbers: which one should I use?

    BOUND is a family (`sample-mean`, `alignment-loss`, ...) or some bounds of one family; without any, families are
    listed with their numbers. A bound is vacuous where it is not below the trivial value of its left side. Bounds that
    the ledger expects to be refuted stand last. Verdicts and loosenesses are those of the last run into --out.
    """
    from harness.cli.comparing import compare_bounds  # noqa: PLC0415  (`--help` needs no scipy)

    names = [word for word in words if "=" not in word]
    numbers = [*given, *(word for word in words if "=" in word)]
    compare_bounds(names, numbers, **options)


COMMANDS = {"compare": compare}
