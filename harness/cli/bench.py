"""`tightrope bench`: the speed suite, its table as a page, and asv."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from harness.cli.options import require_checkout
from harness.errors import UsageError
from harness.files import write_atomically
from harness.report.terminal import say


class Bench(click.Command):
    """Patterns are arguments, and `asv` as the first of them is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["asv"]:
            return asv.make_context(f"{info_name} asv", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=Bench)
@click.argument("patterns", nargs=-1)
@click.option("--json", "file", default=None, type=click.Path(path_type=Path), help="Write the result as JSON, too.")
@click.option(
    "--from",
    "source",
    default=None,
    type=click.Path(path_type=Path),
    help="Measure nothing: show what --json wrote to this file.",
)
@click.option(
    "--page", "written", default=None, type=click.Path(path_type=Path), help="Write the table as a page of the manual."
)
def bench(patterns: tuple[str, ...], file: Path | None, source: Path | None, written: Path | None) -> None:
    """Compare our speed with peers and with floors measured in the same run.

    About three minutes; PATTERNS name some items (`tightrope bench features 'gradient-*'`). A peer that
    is not installed is skipped; one that computes something else is an error. `tightrope bench asv` follows the speed
    from commit to commit.
    """
    from harness.speed.page import line, page  # noqa: PLC0415  (`--help` needs no torch)
    from harness.speed.results import decoded, encoded  # noqa: PLC0415

    if source is not None:
        if patterns or file:
            raise UsageError("--from measures nothing; leave PATTERNS and --json away, or --from.")
        report = decoded(source)
        for row in report.rows:
            say(line(row))
    else:
        from harness.speed import matching, run_items  # noqa: PLC0415

        chosen = matching(patterns)
        report = run_items(chosen, done=lambda row: say(line(row)))
        say(f"{report.seconds:.0f} s")
    if file is not None:
        say(f"wrote {write_atomically(file, encoded(report))}")
    if written is not None:
        say(f"wrote {write_atomically(written, page(report))}")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def asv(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Follow the speed from commit to commit: `asv run --quick`, or asv with the given ARGUMENTS."""
    require_checkout("bench asv", Path("asv.conf.json"), "which holds the benchmarks and their results")
    program = Path(sys.executable).with_name("asv")
    if not program.exists():
        raise UsageError("asv is not installed; install the extra: pip install -c constraints.txt -e '.[bench]'.")
    subprocess.run([str(program), "machine", "--yes"], check=True, stdout=subprocess.DEVNULL)
    ctx.exit(subprocess.run([str(program), *(arguments or ("run", "--quick"))], check=False).returncode)


COMMANDS = {"bench": bench}
