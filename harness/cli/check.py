"""`tightrope check`: judge claims, write the verdicts and the report."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from harness.cli.executors import executor, limits
from harness.cli.options import BAD_USAGE, JOBS, OPEN, OUT, SEED, UNEXPECTED, seconds
from harness.cli.selection import gather
from harness.errors import UsageError
from harness.files import one_claim_a_line, write_atomically
from harness.language.registry import Claim
from harness.report.errata import by_severity
from harness.report.html import page
from harness.report.layout import SCHEMA, Run, judged, plain
from harness.report.table import ProgressBar, summary
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.runner import environment, run
from harness.run.store import Store
from harness.run.workers import MEMORY_LIMIT, TIME_LIMIT
from harness.settings import Settings
from harness.verdict import Status, Verdict


@click.command()
@click.argument("patterns", nargs=-1)
@click.option("--quick", is_flag=True, help="Low effort: about five minutes for the ledger.")
@click.option("--budget", default=None, help="Keep doubling the effort for this long: 90s, 10m, 2h.")
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
@click.option("--strict", is_flag=True, help="Exit with code 3 when a verdict is UNDECIDED.")
@click.option(
    "--contract", is_flag=True, help="Judge nothing; say whether each body keeps to what the judge relies on."
)
@click.option("--self-test", is_flag=True, help="Test the judge itself on planted false claims and tight true ones.")
@click.pass_context
def check(ctx: click.Context, /, patterns: tuple[str, ...], **options: Any) -> None:
    """Judge the ledger, the claims that match PATTERNS, or the claims of a file.

    Stored rows are reused, so an interrupted run resumes where it stopped. Exit code: 0 every verdict as expected;
    1 a verdict contradicts its expectation; 2 bad usage, a claim in ERROR or in breach of its contract, or a lost
    cluster; 3 a verdict is UNDECIDED under --strict.
    """
    if options["self_test"]:
        from harness.selftest.runner import run_self_test  # noqa: PLC0415  (claims that only this option needs)

        ctx.exit(run_self_test(console(), settings_for(seed=options["seed"]).seed))
    complaints: list[str] = []
    claims, family = gather(patterns, complaints)
    if options["contract"]:
        ctx.exit(_contract(claims, complaints, options))
    settings = settings_for(
        seed=options["seed"],
        effort="quick" if options["quick"] else "standard",
        device=options["device"],
        family=family,
    )
    deadline = None if options["budget"] is None else time.monotonic() + seconds("--budget", options["budget"])
    store = Store(options["out"])
    terminal = console()
    jobs = options["jobs"] or (os.cpu_count() or 1)
    running = executor(jobs, options["executor"], **limits(options))
    with running as (workers, in_flight), ProgressBar(terminal) as bar:
        verdicts = run(
            claims, settings, store=store, executor=workers, observer=bar, in_flight=in_flight, deadline=deadline
        )
    judgement = _run(verdicts, settings)
    text = one_claim_a_line(plain(judgement))
    store.write("verdicts.json", text)
    if options["json_file"] is not None:
        write_atomically(options["json_file"], text)
    report = store.write("report/index.html", page(judgement))
    summary(terminal, verdicts, judgement.defects)
    terminal.print(f"report: {report}", soft_wrap=True)
    for sentence in store.damaged:
        say(f"warning: {sentence}", err=True)
    _complain(complaints)
    ctx.exit(_exit_code(verdicts, bad_input=bool(store.damaged or complaints), strict=options["strict"]))


def _contract(claims: Sequence[Claim], complaints: Sequence[str], options: Mapping[str, Any]) -> int:
    """Say of each body whether it keeps the contract, and what could not be looked at."""
    from harness.judges.conformance import examine  # noqa: PLC0415  (only this option needs it)

    if options["json_file"] is not None:
        raise UsageError("--json writes verdicts, and --contract judges nothing; leave out one of them.")
    device = settings_for(device=options["device"]).device
    broken = False
    unseen: dict[str, None] = {}
    for claim in claims:
        found = examine(claim, None if device == "cpu" else device)
        broken |= bool(found.breaches)
        unseen.update(dict.fromkeys(found.unseen))
        say(f"{found.word:6} {claim.key}")
        for sentence in found.breaches:
            say(f"       {sentence}")
    for sentence in unseen:
        say(f"not seen: {sentence}")
    _complain(complaints)
    return BAD_USAGE if broken or complaints else 0


def _complain(complaints: Sequence[str]) -> None:
    for sentence in complaints:
        say(f"error: {sentence}", err=True)


def _exit_code(verdicts: Sequence[Verdict], *, bad_input: bool, strict: bool) -> int:
    if bad_input or any(v.status is Status.ERROR for v in verdicts):
        return BAD_USAGE
    if any(v.as_expected is False for v in verdicts):
        return UNEXPECTED
    if strict and any(v.status is Status.UNDECIDED for v in verdicts):
        return OPEN
    return 0


def _run(verdicts: Sequence[Verdict], settings: Settings) -> Run:
    from importlib.metadata import version  # noqa: PLC0415  (only a run needs it)

    claims = [judged(verdict) for verdict in verdicts]
    return Run(
        schema=SCHEMA,
        version=version("tightrope"),
        seed=settings.seed,
        alpha=settings.alpha,
        effort=settings.effort.name,
        family=settings.family,
        environment=environment(settings),
        defects=by_severity(claims),
        claims=claims,
    )


COMMANDS = {"check": check}
