"""What `tightrope check` does with its arguments."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from harness.cli.executors import executor, limits
from harness.cli.options import BAD_USAGE, OPEN, UNEXPECTED, seconds
from harness.cli.selection import complain, gather
from harness.errors import Complaint, UsageError
from harness.files import one_claim_a_line, require_place, write_atomically
from harness.language.registry import Claim
from harness.report.errata import by_severity
from harness.report.experiments import data_here
from harness.report.history import FILE as HISTORY
from harness.report.junit import junit
from harness.report.layout import Run, judged, plain
from harness.report.profile import Profile
from harness.report.progress import ProgressBar
from harness.report.recorded import SCHEMA
from harness.report.table import next_steps, summary
from harness.report.terminal import Terminal, console, say
from harness.run.api import settings_for
from harness.run.contracts import looked_at
from harness.run.reporting import record_run
from harness.run.runner import environment, run
from harness.run.store import Store
from harness.run.unchanged import FILE as UNCHANGED
from harness.run.unchanged import Watch
from harness.run.witness import LOADED
from harness.settings import GLANCE, Effort, Settings
from harness.verdict import Status, Verdict

MANY = 20  # claims: of more, all get a verdict at a glance first


def judge(patterns: Sequence[str], options: Mapping[str, Any], watch: Watch | None = None) -> int:
    """Judge what the patterns select, write the verdicts and the report; the exit code.

    With `watch`, what is printed is kept for the next run of the same command.
    """
    if options["self_test"]:
        return _self_test(patterns, options)
    asked = [options[name] for name in ("json_file", "junit_file") if options[name] is not None]
    for path in asked:
        require_place(path)
    complaints: list[Complaint] = []
    try:
        claims, family = gather(patterns, complaints)
    except UsageError:
        if not options["contract"]:
            _write(_run([], _settings(options, 0), complaints), options)  # nobody shall read those of another run
        complain(complaints)
        return BAD_USAGE
    if options["contract"]:
        return _contract(claims, complaints, options)
    settings = _settings(options, family)
    store = Store(options["out"])
    terminal = console()
    terminal.record = not terminal.is_terminal  # a bar that moves is not part of the text
    jobs = options["jobs"] or (os.cpu_count() or 1)
    verdicts, interrupted, profile = _verdicts(claims, settings, store, terminal, {**options, "jobs": jobs})
    terminal.record = True
    judgement = _run(verdicts, settings, complaints)
    summary(terminal, verdicts, judgement.defects)
    for heading, table in profile.tables(jobs) if options["profile"] else ():
        terminal.print(f"\n{heading}", style="bold", soft_wrap=True)
        terminal.print(table)
    with store.alone():
        store.write("verdicts.json", _write(judgement, options))
        report = record_run(store, judgement)
    for line in (f"report: {report}", *next_steps(verdicts, options["out"])):
        terminal.print(line, soft_wrap=True)
    for sentence in store.damaged:
        say(f"warning: {sentence}", err=True)
    complain(complaints)
    if interrupted:
        raise KeyboardInterrupt
    code = _exit_code(verdicts, bad_input=bool(complaints), strict=options["strict"])
    if watch is not None and code != BAD_USAGE:
        pages = [page for page in report.parent.rglob("*") if page.is_file()]
        named = [options["out"] / "verdicts.json", options["out"] / HISTORY, *pages]
        text = terminal.export_text(styles=terminal.color_system is not None)
        memory = watch.noted(text, code, [*store.files(claims), *named, *asked], _read(claims, store))
        if memory is not None:
            store.write(UNCHANGED, memory)
    return code


def _self_test(patterns: Sequence[str], options: Mapping[str, Any]) -> int:
    from harness.selftest.runner import run_self_test  # noqa: PLC0415  (claims that only this option needs)

    others = [*patterns, *(f"--{name}" for name in ("contract", "quick") if options[name])]
    if others:
        raise UsageError(f"--self-test judges claims of its own, at efforts of its own; leave out {others[0]}.")
    return run_self_test(console(), settings_for(seed=options["seed"]).seed)


def _settings(options: Mapping[str, Any], family: int) -> Settings:
    effort = "quick" if options["quick"] else "standard"
    return settings_for(seed=options["seed"], effort=effort, device=options["device"], family=family)


def _write(judgement: Run, options: Mapping[str, Any]) -> str:
    """Write a run where the options say, and return its JSON."""
    text = one_claim_a_line(plain(judgement))
    if options["json_file"] is not None:
        write_atomically(options["json_file"], text)
    if options["junit_file"] is not None:
        write_atomically(options["junit_file"], junit(judgement, strict=options["strict"]))
    return text


def _read(claims: Sequence[Claim], store: Store) -> Mapping[str, str]:
    """What files of claims have read when they were loaded, and bodies when they were judged."""
    for module in {claim.body.__module__ for claim in claims}:
        store.noted(LOADED.get(module, {}))
    return store.rests_on


def _verdicts(
    claims: Sequence[Claim], settings: Settings, store: Store, terminal: Terminal, options: Mapping[str, Any]
) -> tuple[list[Verdict], bool, Profile]:
    """The verdicts, whether they are those before an interruption, and where the time went.

    An interruption that leaves claims without any verdict is raised.
    """
    deadline = None if options["budget"] is None else time.monotonic() + seconds("--budget", options["budget"])
    first = _first(len(claims), options)
    several = first is not None or deadline is not None
    running = executor(options["jobs"], options["executor"], device=settings.device, **limits(options))
    with running as (workers, in_flight), ProgressBar(terminal, several=several) as bar:
        try:
            verdicts = run(
                claims,
                settings,
                store=store,
                executor=workers,
                observer=bar,
                in_flight=in_flight,
                deadline=deadline,
                first=first,
            )
        except KeyboardInterrupt:
            if any(claim.key not in bar.verdicts for claim in claims):
                raise
            return [bar.verdicts[claim.key] for claim in claims], True, bar.profile
    return verdicts, False, bar.profile


def _first(claims: int, options: Mapping[str, Any]) -> Effort | None:
    """The effort of the verdicts that come first, if any do."""
    wanted = claims > MANY if options["first"] is None else options["first"]
    return GLANCE if wanted and not options["quick"] else None


def _contract(claims: Sequence[Claim], complaints: Sequence[Complaint], options: Mapping[str, Any]) -> int:
    """Say of each body whether it keeps the contract, and what could not be looked at."""
    for option in ("json", "junit"):
        if options[f"{option}_file"] is not None:
            raise UsageError(f"--{option} writes verdicts, and --contract judges nothing; leave out one of them.")
    device = settings_for(device=options["device"]).device
    broken = False
    unseen: dict[str, None] = {}
    with executor(options["jobs"] or os.cpu_count() or 1, options["executor"], device=device, **limits(options)) as (
        workers,
        _,
    ):
        for claim, found in zip(claims, looked_at(claims, None if device == "cpu" else device, workers), strict=True):
            broken |= bool(found.breaches)
            unseen.update(dict.fromkeys(found.unseen))
            say(f"{found.word:6} {claim.key}")
            for sentence in found.breaches:
                say(f"       {sentence}")
    for sentence in unseen:
        say(f"not seen: {sentence}")
    complain(complaints)
    return BAD_USAGE if broken or complaints else 0


def _exit_code(verdicts: Sequence[Verdict], *, bad_input: bool, strict: bool) -> int:
    if bad_input or any(v.status is Status.ERROR for v in verdicts):
        return BAD_USAGE
    if any(v.as_expected is False for v in verdicts):
        return UNEXPECTED
    if strict and any(v.status is Status.UNDECIDED for v in verdicts):
        return OPEN
    return 0


def _run(verdicts: Sequence[Verdict], settings: Settings, complaints: Sequence[Complaint]) -> Run:
    from importlib.metadata import version  # noqa: PLC0415  (only a run needs it)

    claims = [judged(verdict) for verdict in verdicts]
    return Run(
        schema=SCHEMA,
        version=version("tightrope"),
        seed=settings.seed,
        alpha=settings.alpha,
        effort=settings.effort.name,
        family=settings.family,
        environment={**environment(settings), **data_here()},
        defects=by_severity(claims),
        claims=claims,
        complaints=list(complaints),
    )
