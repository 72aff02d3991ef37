"""The command `tightrope`: list, check, show, replay, report, diff, bench, new."""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from harness.api import settings_for
from harness.errors import TightropeError, UsageError
from harness.loading import from_file, is_file, ledger, resolve, select
from harness.registry import Claim
from harness.replaying import replay as replay_instance
from harness.report.explain import explain
from harness.report.html import page
from harness.report.table import ProgressBar, summary
from harness.report.terminal import console, prepare_streams, say
from harness.runner import environment, run
from harness.settings import Settings
from harness.store import Store, read_json, write_atomically
from harness.verdict import Status, Verdict, as_json
from harness.workers import MEMORY_LIMIT, TIME_LIMIT, Workers
from harness.workers.cluster import Cluster

UNEXPECTED, BAD_USAGE, OPEN, INTERRUPTED = 1, 2, 3, 130
OUT = click.option(
    "--out",
    default="results",
    type=click.Path(path_type=Path),
    show_default=True,
    help="Folder of rows and reports.",
)
SEED = click.option("--seed", default="0", show_default=True, help="Seed of the run, or 'fresh'.")


class OneSentence(click.Group):
    """Shows a user's mistake as one sentence, with exit code 2."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        prepare_streams()
        return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except TightropeError as error:
            say(f"error: {error}", err=True)
            ctx.exit(BAD_USAGE)
        except OSError as error:
            place = error.filename or "a file or folder"
            say(f"error: cannot use {place} ({error.strerror or error}); check that it is there for you.", err=True)
            ctx.exit(BAD_USAGE)
        except KeyboardInterrupt:
            say("stopped; finished rows are kept, the same command goes on from there", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=OneSentence, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tightrope")
def main() -> None:
    """Write a theorem as code; see whether it holds, how tight it is, and where it breaks."""


@main.command("list")
@click.argument("patterns", nargs=-1)
def list_claims(patterns: tuple[str, ...]) -> None:
    """List claims: id, reading, kind, statement."""
    claims, _ = _gather(patterns)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("claim", "reading", "kind", "expected", "statement"):
        table.add_column(name, overflow="fold")
    for claim in claims:
        table.add_row(claim.id, claim.reading or "", claim.kind.name, claim.expected or "holds", claim.statement)
    console().print(table)


@main.command()
@click.argument("patterns", nargs=-1)
@click.option("--quick", is_flag=True, help="A coarse run: under a minute for the ledger.")
@click.option("--budget", default=None, help="Go on with doubled effort for this long: 90s, 10m, 2h.")
@SEED
@click.option(
    "--jobs", default=None, type=click.IntRange(min=1), help="Worker processes; default: the number of cores."
)
@click.option(
    "--time-limit",
    default=None,
    help="How long one claim may take, over all its cells: 90s, 10m, 2h; a claim beyond it is ERROR. "
    f"Default: {TIME_LIMIT / 60:g}m, or --budget where that is longer.",
)
@click.option(
    "--memory-limit",
    default=f"{MEMORY_LIMIT // 2**30}G",
    show_default=True,
    help="Memory that a claim's worker may hold, with all it starts: 500M, 8G; a claim beyond it is ERROR.",
)
@click.option("--executor", default=None, help="dask://HOST:PORT to judge on a Dask cluster instead of --jobs.")
@click.option("--device", default="cpu", type=click.Choice(["cpu", "cuda"]), show_default=True)
@OUT
@click.option(
    "--json", "json_file", default=None, type=click.Path(path_type=Path), help="Also write the verdicts here."
)
@click.option("--strict", is_flag=True, help="Exit with 3 when a verdict stays open.")
@click.option("--self-test", is_flag=True, help="Judge the judge: planted falsehoods and tight truths.")
@click.pass_context
def check(ctx: click.Context, /, patterns: tuple[str, ...], **options: Any) -> None:
    """Judge the ledger, the claims that match PATTERNS, or the claims of a file.

    Stored rows are used again, so an interrupted run goes on where it stopped. Exit code: 0 every verdict as expected;
    1 a verdict contradicts its expectation; 2 bad usage, a claim raised, or the cluster is gone; 3 undecided under
    --strict.
    """
    if options["self_test"]:
        from harness.zoo.selftest import run_self_test  # noqa: PLC0415  (hundreds of claims that only this option needs)

        ctx.exit(run_self_test(console(), settings_for(seed=options["seed"]).seed))
    complaints: list[str] = []
    claims, family = _gather(patterns, complaints)
    settings = settings_for(
        seed=options["seed"],
        effort="quick" if options["quick"] else "standard",
        device=options["device"],
        family=family,
    )
    deadline = None if options["budget"] is None else time.monotonic() + _seconds("--budget", options["budget"])
    store = Store(options["out"])
    terminal = console()
    jobs = options["jobs"] or (os.cpu_count() or 1)
    running = _executor(jobs, options["executor"], **_limits(options))
    with running as (executor, in_flight), ProgressBar(terminal) as bar:
        verdicts = run(
            claims, settings, store=store, executor=executor, observer=bar, in_flight=in_flight, deadline=deadline
        )
    payload = _payload(verdicts, settings)
    text = _one_claim_a_line(payload)
    store.write("verdicts.json", text)
    if options["json_file"] is not None:
        write_atomically(options["json_file"], text)
    report = store.write("report/index.html", page(payload))
    summary(terminal, verdicts)
    terminal.print(f"report: {report}", soft_wrap=True)
    for sentence in store.damaged:
        say(f"warning: {sentence}", err=True)
    for sentence in complaints:
        say(f"error: {sentence}", err=True)
    ctx.exit(_exit_code(verdicts, bad_input=bool(store.damaged or complaints), strict=options["strict"]))


def _exit_code(verdicts: Sequence[Verdict], *, bad_input: bool, strict: bool) -> int:
    if bad_input or any(v.status is Status.ERROR for v in verdicts):
        return BAD_USAGE
    if any(v.as_expected is False for v in verdicts):
        return UNEXPECTED
    if strict and any(v.status is Status.UNDECIDED for v in verdicts):
        return OPEN
    return 0


@main.command()
@click.argument("reference")
@click.option("--quick", is_flag=True, help="Judge with the quick effort where no rows are stored.")
@SEED
@OUT
def show(reference: str, quick: bool, seed: str, out: Path) -> None:  # noqa: FBT001  (click passes flags by name)
    """Explain the verdict on one claim: what was tried, what was found, what could still be wrong."""
    claims, family = _readings(reference)
    settings = settings_for(seed=seed, effort="quick" if quick else "standard", family=family)
    with _executor(1) as (executor, _), ProgressBar(console(), narrate=False) as bar:
        verdicts = run(claims, settings, store=Store(out), executor=executor, observer=bar)
    for verdict in verdicts:
        say(explain(verdict) + "\n", lines=True)


@main.command()
@click.argument("reference")
@click.option("--params", default="{}", help="The cell, as JSON.")
@click.option("--values", default="{}", help="The quantified inputs, as JSON.")
@click.option("--stored", is_flag=True, help="Take the counterexample of this cell from the last run in --out.")
@click.option("--trials", default=100_000, show_default=True, help="Fresh draws, for claims that draw.")
@SEED
@OUT
@click.pass_context
def replay(ctx: click.Context, /, reference: str, **options: Any) -> None:
    """Recompute a counterexample; exit code 0 when the violation is there, 1 when it is not."""
    claim, _ = resolve(reference)
    params = _json_object("--params", options["params"])
    values = _json_object("--values", options["values"])
    if options["stored"]:
        values = _stored_values(options["out"] / "verdicts.json", claim, params)
    settings = settings_for(seed=options["seed"])
    result = replay_instance(claim, params, values, trials=options["trials"], seed=settings.seed)
    say(f"{claim.key}: {result.sentence}")
    ctx.exit(0 if result.violated else UNEXPECTED)


@main.command()
@OUT
def report(out: Path) -> None:
    """Write the HTML report again from the last run's verdicts."""
    payload = read_json(out / "verdicts.json")
    path = write_atomically(out / "report" / "index.html", page(payload))
    say(f"report: {path}")


@main.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.pass_context
def diff(ctx: click.Context, old: Path, new: Path) -> None:
    """Compare two --json files: verdicts that changed, claims that came or went; exit code 1 if any."""
    before, after = _statuses(old), _statuses(new)
    changed = 0
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key, "absent"), after.get(key, "absent")
        if was != now:
            changed += 1
            say(f"{key}: {was} -> {now}")
    say(f"{changed} of {len(before.keys() | after.keys())} claims changed")
    ctx.exit(UNEXPECTED if changed else 0)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def bench(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Run the speed suite: `asv run --quick`, or asv with the given ARGUMENTS."""
    asv = Path(sys.executable).with_name("asv")
    if not asv.exists():
        raise UsageError("asv is not installed; install the extra: pip install -c constraints.txt -e '.[bench]'.")
    subprocess.run([str(asv), "machine", "--yes"], check=True, stdout=subprocess.DEVNULL)
    ctx.exit(subprocess.run([str(asv), *(arguments or ("run", "--quick"))], check=False).returncode)


TEMPLATE = '''"""A theorem of mine. Judge it with: tightrope check {name}"""

import math

from harness import claim, grid, high_probability


@claim("mine/thm-1", high_probability("delta"), trivial=1.0,
       cite="Hoeffding 1963, Theorem 1", over=grid(n=[10, 100, 1000], delta=[0.05]))
def coin_flips(forall, draw, *, n, delta):
    """|mean - p| <= sqrt(log(2/delta) / (2 n)) with probability at least 1 - delta."""
    p = forall.interval("p", 0.0, 1.0)            # for every bias ...
    x = draw.bernoulli("x", p, n)                 # ... over n flips: shape (reps, n)
    return (x.mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))
'''


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
def new(file: Path) -> None:
    """Write a file with one claim to start from."""
    if file.suffix != ".py":
        raise UsageError(f"{file} must end in .py.")
    if file.exists():
        raise UsageError(f"{file} exists already; choose another name.")
    write_atomically(file, TEMPLATE.format(name=file))
    say(f"wrote {file}; judge it with: tightrope check {file}")


def _gather(patterns: Sequence[str], complaints: list[str] | None = None) -> tuple[list[Claim], int]:
    """The claims that arguments name, and how many claims share the error probability.

    With a list for `complaints`, a bad argument is noted there and the others are still served; it is an error all the
    same when nothing is left.
    """
    claims: dict[str, Claim] = {}
    families: dict[str, int] = {}
    trouble: list[UsageError] = []
    for argument in patterns or ("",):
        try:
            family, chosen = _claims_of(argument)
            twice = [c.key for c in chosen if c.key in claims and claims[c.key].file != c.file]
            if twice:
                raise UsageError(f"claim {twice[0]!r} comes from two files; judge them one at a time.")
        except UsageError as error:
            trouble.append(error)
            continue
        families[argument.partition("::")[0] if is_file(argument) else "ledger"] = family
        claims.update({c.key: c for c in chosen})
    if trouble and (complaints is None or not claims):
        raise trouble[0]
    if complaints is not None:
        complaints += [str(error) for error in trouble]
    return list(claims.values()), sum(families.values())


def _claims_of(argument: str) -> tuple[int, list[Claim]]:
    """The size of the family that an argument refers to, and the claims it selects."""
    if is_file(argument):
        path, _, key = argument.partition("::")
        own = from_file(Path(path))
        return len(own), select(own, [key] if key else [])
    return len(ledger()), select(ledger(), [argument] if argument else [])


def _readings(reference: str) -> tuple[list[Claim], int]:
    if is_file(reference):
        return _gather([reference])
    claims = [c for c in ledger() if reference in (c.id, c.key)]
    return (claims, len(ledger())) if claims else ([resolve(reference)[0]], len(ledger()))


def _payload(verdicts: Sequence[Verdict], settings: Settings) -> dict[str, Any]:
    from importlib.metadata import version  # noqa: PLC0415  (only a run needs it)

    return {
        "schema": 1,
        "version": version("tightrope"),
        "seed": settings.seed,
        "alpha": settings.alpha,
        "effort": settings.effort.name,
        "family": settings.family,
        "environment": environment(settings),
        "claims": [as_json(verdict) for verdict in verdicts],
    }


def _one_claim_a_line(payload: dict[str, Any]) -> str:
    """The payload as JSON: a difference of two files is a list of claims."""
    head = json.dumps({key: value for key, value in payload.items() if key != "claims"})
    claims = ",\n".join(json.dumps(claim) for claim in payload["claims"])
    return f'{head[:-1]}, "claims": [\n{claims}\n]}}\n'


def _statuses(path: Path) -> dict[str, str]:
    """Verdict by claim of a --json file."""
    try:
        claims = read_json(path)["claims"]
        return {f"{c['id']}[{c['reading']}]" if c["reading"] else c["id"]: c["status"] for c in claims}
    except (KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a file that `tightrope check --json` wrote (it has no {error}).") from error


def _stored_values(path: Path, claim: Claim, params: dict[str, Any]) -> dict[str, Any]:
    for entry in read_json(path)["claims"]:
        if (entry["id"], entry["reading"]) == (claim.id, claim.reading):
            for cell in entry["cells"]:
                if cell["params"] == params and cell["counterexample"]:
                    values: dict[str, Any] = cell["counterexample"]["values"]
                    return values
    raise UsageError(f"{path} holds no counterexample of {claim.key!r} at {params}; run `tightrope check` again.")


def _json_object(option: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{option} {text[:60]!r} is not JSON ({error}); write it as '{{\"n\": 10}}'.") from error
    if not isinstance(value, dict):
        raise UsageError(f"{option} {text[:60]!r} must be a JSON object such as '{{\"n\": 10}}'.")
    return value


_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BYTES = {"M": 2.0**20, "G": 2.0**30, "T": 2.0**40}


def _measure(option: str, text: str, units: Mapping[str, float], examples: str) -> float:
    """A positive number with a unit."""
    try:
        number = float(text[:-1]) * units[text[-1]]
    except (KeyError, ValueError, IndexError):
        number = math.nan
    if not 0.0 < number < math.inf:
        raise UsageError(f"{option} {text!r} must be a number with a unit: {examples}.")
    return number


def _seconds(option: str, text: str) -> float:
    return _measure(option, text, _SECONDS, "90s, 10m or 2h")


def _limits(options: Mapping[str, Any]) -> dict[str, Any]:
    """What one claim may take."""
    budget = 0.0 if options["budget"] is None else _seconds("--budget", options["budget"])
    text = options["time_limit"]
    return {
        "time_limit": max(TIME_LIMIT, budget) if text is None else _seconds("--time-limit", text),
        "memory_limit": int(_measure("--memory-limit", options["memory_limit"], _BYTES, "500M or 8G")),
    }


@contextmanager
def _executor(jobs: int, address: str | None = None, **limits: Any) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Where tasks run, in worker processes or on a Dask cluster, and how many keep it busy."""
    if address is not None:
        with Cluster(address, **limits) as cluster:
            yield cluster, cluster.in_flight
        return
    with Workers(jobs, **limits) as workers:
        yield workers, lambda: 2 * jobs
