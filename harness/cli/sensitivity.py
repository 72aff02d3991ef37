"""`tightrope sensitivity`: judge claims again with errors planted in their right sides."""

import os
from pathlib import Path

import click

from harness.cli.executors import executor
from harness.cli.options import JOBS, SEED, UNEXPECTED
from harness.cli.selection import gather
from harness.files import write_atomically
from harness.report.table import ProgressBar
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.runner import run
from harness.run.sensitivity import Sensitivity, plant, sensitivity
from harness.run.store import Store

ENOUGH = 0.9  # of the judged claims have to notice half of their right side, or to say that they do not


@click.command("sensitivity")
@click.argument("patterns", nargs=-1)
@JOBS
@click.option("--standard", is_flag=True, help="The standard effort instead of the quick one.")
@click.option("--page", default=None, type=click.Path(path_type=Path), help="Also write the result here, in Markdown.")
@click.option("--out", default=None, type=click.Path(path_type=Path), help="Keep rows here, to go on after a stop.")
@SEED
@click.pass_context
def command(ctx: click.Context, /, patterns: tuple[str, ...], **options: object) -> None:
    """Plant errors in the right sides of claims that hold, and see which claims notice.

    Half of the right side, and the right side over the square root of n. A claim that does not notice may say so by
    `unnoticed=`. Exit code 1 when more than a tenth of the claims neither notice half of their right side nor say so.
    """
    complaints: list[str] = []
    claims, _ = gather(patterns, complaints)
    planted = plant(claims)  # before the workers are forked, which know what is known here
    effort = "standard" if options["standard"] else "quick"
    settings = settings_for(seed=str(options["seed"]), effort=effort, family=len(planted))
    out = options["out"]
    with executor(options["jobs"] or os.cpu_count() or 1) as (workers, in_flight), ProgressBar(console()) as bar:  # type: ignore[arg-type]
        store = Store(out if isinstance(out, Path) else None)
        verdicts = run(
            [p.claim for p in planted], settings, store=store, executor=workers, observer=bar, in_flight=in_flight
        )
    results = [sensitivity(error, planted, verdicts) for error in dict.fromkeys(p.error for p in planted)]
    text = page(results, effort)
    say(text, lines=True)
    if isinstance(options["page"], Path):
        write_atomically(options["page"], text)
    for sentence in complaints:
        say(f"error: {sentence}", err=True)
    ctx.exit(UNEXPECTED if any(r.error == "half" and r.share < ENOUGH for r in results) else 0)


SENTENCES = {
    "half": "Half of the right side (a rate n^(-1/2) faster, a row against half of its limit)",
    "power": "The right side divided by the square root of its size n",
}


def page(results: list[Sensitivity], effort: str) -> str:
    """What was noticed, in Markdown."""
    lines = [
        "# Sensitivity",
        "",
        f"Written by `tightrope sensitivity` ({effort} effort): claims that hold were judged again with an error in",
        "their right side.",
        "",
    ]
    for result in results:
        judged = len(result.noticed) + len(result.declared) + len(result.silent)
        lines += [
            f"## {SENTENCES[result.error]}",
            "",
            f"{judged} judged: {len(result.noticed)} notice, {len(result.declared)} say that they do not, "
            f"{len(result.silent)} do neither ({result.share:.1%} notice or say so); {len(result.skipped)} skipped.",
            "",
        ]
        if result.silent:
            lines += [f"Neither: {', '.join(f'`{key}`' for key in result.silent)}.", ""]
        if result.error == "half" and result.stale:
            lines += [f"Notice although they say otherwise: {', '.join(f'`{key}`' for key in result.stale)}.", ""]
    return "\n".join(lines).rstrip() + "\n"


COMMANDS = {"sensitivity": command}
