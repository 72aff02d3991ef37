"""`tightrope sensitivity`: judge claims again with errors planted in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli.options import JOBS, SEED, UNEXPECTED
from harness.cli.selection import complain, gather
from harness.errors import Complaint, UsageError
from harness.files import write_atomically
from harness.language.registry import Claim
from harness.report.terminal import say

if TYPE_CHECKING:
    from harness.run.sensitivity import Sensitivity

ENOUGH = 0.9  # of the judged claims have to notice half of their right side, or to say that they do not
SENTENCES = {
    "half": "Half of the right side (a rate n^(-1/2) faster, a row against half of its limit)",
    "power": "The right side divided by the square root of its size n",
    "term": "One term dropped from the right side",
    "sign": "A sign turned in an algorithm",
    "factor": "A factor of two in an algorithm",
    "index": "An index off by one in an algorithm",
}


@click.command("sensitivity")
@click.argument("patterns", nargs=-1)
@JOBS
@click.option("--errors", default=",".join(SENTENCES), show_default=True, help="Which errors to plant.")
@click.option("--standard", is_flag=True, help="The standard effort instead of the quick one.")
@click.option("--page", "file", default=None, type=click.Path(path_type=Path), help="Write the result here too.")
@SEED
@click.pass_context
def command(ctx: click.Context, /, patterns: tuple[str, ...], **options: Any) -> None:
    """Plant errors in claims that hold, and see which claims notice.

    In right sides: half of it (half), over the square root of n (power), one term dropped (term). In algorithms: a
    sign, a factor, an index. A claim that does not notice half of its right side may say so by `unnoticed=`. Exit code
    1 when more than a tenth of the claims neither notice that nor say so.
    """
    from harness.cli.planting import planted_and_judged  # noqa: PLC0415  (`--help` needs no torch)

    complaints: list[Complaint] = []
    claims, _ = gather(patterns, complaints)
    errors = _errors(options["errors"])
    effort = "standard" if options["standard"] else "quick"
    results = planted_and_judged(claims, errors, effort, options)
    say(page(results, claims, effort), lines=True)
    if options["file"] is not None:
        write_atomically(options["file"], page(results, claims, effort))
    complain(complaints)
    ctx.exit(UNEXPECTED if any(r.error == "half" and r.share < ENOUGH for r in results) else 0)


def _errors(text: str) -> tuple[str, ...]:
    chosen = tuple(text.split(","))
    for error in chosen:
        if error not in SENTENCES:
            raise UsageError(f"--errors {error!r} must be some of {', '.join(SENTENCES)}.")
    return chosen


INTRODUCTION = """Written by `tightrope sensitivity{errors}` ({effort} effort, without proofs and looseness).

Claims that hold were judged again with an error planted in them, up to the first cell that notices. An error in a right
side is noticed when the claim is REFUTED; one in an algorithm also when the claim ends in ERROR. Terms are dropped, and
algorithms changed, in one of the functions that the claim's body executes (of a user's, in other files than the
claim's): the first change, in an order of chance, that leaves the sides defined and makes the claim harder on one of a
few random instances. Claims without such a change are not counted. Where the change at most doubles lhs/rhs on all of
these instances, a claim that says that it would hold with half of its right side is not judged again, but counted as
saying that it does not notice.

An error has {limit:g} seconds of computing to be judged, and in claims whose sides take more than {look:g} seconds no
algorithm is changed. What is not judged for these reasons, or cannot be evaluated here, is named."""
COLUMNS = ("error", "counted", "noticed", "say that they do not", "neither", "share that notices", "not judged")


def page(results: Sequence["Sensitivity"], claims: Sequence[Claim], effort: str) -> str:
    """What was noticed, in Markdown."""
    from harness.run.examination import LIMIT, LOOK  # noqa: PLC0415  (`--help` needs no torch)

    errors = ",".join(result.error for result in results)
    option = "" if errors == ",".join(SENTENCES) else f" --errors {errors}"
    introduction = INTRODUCTION.format(errors=option, effort=effort, limit=LIMIT, look=LOOK)
    lines = ["# Sensitivity", "", introduction, ""]
    lines += [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    lines += [_row(result) for result in results]
    for result in results:
        lines += ["", f"## {SENTENCES[result.error]}", "", *_section(result, {c.key: c for c in claims})]
    return "\n".join(lines).rstrip() + "\n"


def _row(result: "Sensitivity") -> str:
    counts = (result.counted, len(result.noticed), len(result.declared), len(result.silent))
    noticing = f"{len(result.noticed) / result.counted:.0%}" if result.counted else "-"
    return f"| {result.error} | {' | '.join(map(str, counts))} | {noticing} | {len(result.skipped)} |"


def _section(result: "Sensitivity", claims: Mapping[str, Claim]) -> list[str]:
    """Who did not notice: with its own reason, with what was changed, or by name."""
    share = f"{result.share:.1%} of {result.counted} notice or say that they do not."
    lines = [share if result.counted else "No claim has a place for it."]
    if result.skipped:
        lines += ["", f"Not judged: {_names(result.skipped)}."]
    if result.details:
        spared = set(result.spared)
        lines += ["", "Not noticed (in brackets: not judged, since the claim says so):", ""]
        lines += [
            f"- `{key}`: `{detail}`" if key not in spared else f"- (`{key}`: `{detail}`)"
            for key, detail in result.details.items()
        ]
        return lines
    if result.silent:
        lines += ["", f"Neither notice nor say so: {_names(result.silent)}."]
    if result.error == "half" and result.stale:
        lines += ["", f"Notice although they say otherwise: {_names(result.stale)}."]
    if result.error == "half" and result.declared:
        lines += ["", "Would hold with half of their right side, and say why:", ""]
        lines += [f"- `{key}`: {claims[key].unnoticed}" for key in result.declared]
    return lines


def _names(keys: Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


COMMANDS = {"sensitivity": command}
