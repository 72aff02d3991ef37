"""`tightrope check`: judge claims, write the verdicts and the report."""

import sys
from pathlib import Path
from typing import Any

import click

from harness.cli.options import JOBS, OUT, SEED
from harness.report.terminal import console, say
from harness.run.memory import lasting
from harness.run.unchanged import Watch, watch
from harness.settings import MEMORY_LIMIT, TIME_LIMIT


@click.command()
@click.argument("patterns", nargs=-1)
@click.option("--quick", is_flag=True, help="Low effort: about half as long as the standard.")
@click.option("--budget", default=None, help="Keep doubling the effort for this long: 90s, 10m, 2h.")
@click.option(
    "--first/--no-first",
    default=None,
    help="Glance at every claim before any is judged at the standard effort. Default: with more than 20.",
)
@SEED
@JOBS
@click.option(
    "--time-limit",
    default=None,
    help="Time limit for one claim, over all its cells: 90s, 10m, 2h; a claim that exceeds it is ERROR. "
    f"Default: {TIME_LIMIT / 60:g}m, or --budget where that is longer.",
)
@click.option(
    "--memory-limit",
    default=f"{MEMORY_LIMIT // 2**30}G",
    show_default=True,
    help="Memory limit for a claim's worker and its child processes: 500M, 8G; a claim that exceeds it is ERROR.",
)
@click.option("--executor", default=None, help="dask://HOST:PORT: judge on a Dask cluster, not in local processes.")
@click.option("--device", default="cpu", type=click.Choice(["cpu", "cuda"]), show_default=True)
@OUT
@click.option(
    "--json", "json_file", default=None, type=click.Path(path_type=Path), help="Also write the verdicts here."
)
@click.option(
    "--junit",
    "junit_file",
    default=None,
    type=click.Path(path_type=Path),
    help="Also write the verdicts as JUnit XML, a test case for each claim: failure where one contradicts its "
    "expectation, error for ERROR and for a file that does not import, skipped for SKIPPED and, without --strict, "
    "UNDECIDED.",
)
@click.option("--profile", is_flag=True, help="End with where the time went: by effort, kind and stage, and by claim.")
@click.option("--strict", is_flag=True, help="Exit with code 3 when a verdict is UNDECIDED.")
@click.option(
    "--contract", is_flag=True, help="Judge nothing; say whether each body keeps to what the judge relies on."
)
@click.option("--self-test", is_flag=True, help="Test the judge itself on planted false claims and tight true ones.")
@click.pass_context
def check(ctx: click.Context, /, patterns: tuple[str, ...], **options: Any) -> None:
    """Judge the ledger, the claims that match PATTERNS, or those of a file or a folder.

    Of many claims, all get a verdict at a glance first, which the standard one then replaces; the JSON names the effort
    of each. Stored rows are reused, so an interrupted run resumes where it stopped; what is interrupted after the first
    verdicts is written and reported as it is by then. If nothing has changed since the last run of the same command,
    its table is shown again at once, with the time of that run. Exit code: 0 every verdict as expected; 1 a verdict
    contradicts its expectation; 2 bad usage, a claim in ERROR or in breach of its contract, or a lost cluster; 3 a
    verdict is UNDECIDED under --strict; 130 interrupted.
    """
    seen = _watched(patterns, options)
    past = None if seen is None else seen.past()
    if past is not None:
        click.echo(past.text, nl=False, color=True)
        say(f"unchanged: the claims, the judges, the libraries and the options are those of the run of {past.ended}")
        ctx.exit(past.code)
    with lasting():
        from harness.cli.judging import judge  # noqa: PLC0415  (`--help` needs no torch, nor does a run that is known)

    ctx.exit(judge(patterns, options, seen))


def _watched(patterns: tuple[str, ...], options: dict[str, Any]) -> Watch | None:
    """What the command is about to judge; in a process that has loaded torch, code may be other than in its files."""
    if "torch" in sys.modules:
        return None
    terminal = console()
    return watch(patterns, options, [terminal.is_terminal, terminal.width, terminal.color_system])


COMMANDS = {"check": check}
