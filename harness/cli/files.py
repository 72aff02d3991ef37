"""Commands that read and write files without judging: record, schema."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.claims import CLASSICS, PAPERS
from harness.cli.options import OUT, require_checkout
from harness.errors import UsageError
from harness.files import one_claim_a_line, read_toml, write_atomically
from harness.report.terminal import say

if TYPE_CHECKING:
    from harness.report.layout import Run


@click.command()
@click.argument("ledger", type=click.Choice([PAPERS, CLASSICS]), default=PAPERS)
@OUT
@click.option(
    "--docs", default="docs", show_default=True, type=click.Path(path_type=Path), help="Folder of the documents."
)
@click.option(
    "--experiments",
    metavar="FOLDER",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Results of a run with public data or at full size (TIGHTROPE_DATA, TIGHTROPE_FULL): keep its verdicts beside "
    "those kept before. Can be given several times.",
)
def record(ledger: str, out: Path, docs: Path, experiments: tuple[Path, ...]) -> None:
    """Write the files under version control: ledger.json and the generated pages of docs.

    They summarise the last run, which must have judged the whole LEDGER: papers (the default; writes ledger.json,
    docs/errata.md, docs/coverage.md, docs/figures.md and docs/bounds.svg), or classics (classics.json and
    docs/classics.md). Verdicts on what that run skipped for want of data stay in experiments.json, for the coverage
    table.
    """
    from harness.report.layout import last_run  # noqa: PLC0415

    if ledger == CLASSICS and experiments:
        raise UsageError("--experiments completes the coverage of the papers; leave it out with classics.")
    require_checkout("record", docs / "statements.toml", "or name its folder of documents with --docs")
    run = _judged(last_run(out), ledger, out)
    with_data = [last_run(folder) for folder in experiments]
    for path, text in _pages(run, ledger, out, docs, with_data).items():
        say(f"wrote {write_atomically(path, text)}")


def _judged(run: "Run", ledger: str, out: Path) -> "Run":
    """The run with the claims of one ledger; an error where some were not judged."""
    import msgspec  # noqa: PLC0415

    from harness.run.catalogue import catalogue  # noqa: PLC0415  (other commands here start without all this)

    own = {entry.key for entry in catalogue(ledger)}
    claims = [claim for claim in run.claims if claim.key in own]
    missing = own - {claim.key for claim in claims}
    if missing:
        raise UsageError(
            f"the last run in {out} judged {len(claims)} readings but not, for example, {min(missing)}; "
            f"run `tightrope check{'' if ledger == PAPERS else f' {ledger}'}` on the whole ledger first."
        )
    early = next((claim for claim in claims if claim.stopped_early(run.effort)), None)
    if early is not None:
        raise UsageError(
            f"the last run in {out} was interrupted: the verdict on {early.key}, for example, is of {early.effort} "
            "effort; run the same command again first."
        )
    return msgspec.structs.replace(run, claims=claims)


def _pages(run: "Run", ledger: str, out: Path, docs: Path, with_data: "list[Run]") -> dict[Path, str]:
    """The files to write, and what stands in them; without runs with data, their verdicts are those that are stored."""
    from harness.report.classics import classics  # noqa: PLC0415
    from harness.report.coverage import coverage  # noqa: PLC0415
    from harness.report.errata import errata  # noqa: PLC0415
    from harness.report.experiments import experiments_of, stored_experiments, text_of  # noqa: PLC0415
    from harness.report.figures.page import page  # noqa: PLC0415
    from harness.report.figures.specification import figures  # noqa: PLC0415
    from harness.report.html import bounds  # noqa: PLC0415

    if ledger == CLASSICS:
        return {out / "classics.json": _summary(run), docs / "classics.md": classics(run.claims, run.effort, run.seed)}
    kept = out / "experiments.json"
    experiments = stored_experiments(kept)
    if with_data:
        experiments = experiments_of(with_data, run.claims, experiments)
    return {
        out / "ledger.json": _summary(run),
        **({} if experiments is None else {kept: text_of(experiments)}),
        docs / "errata.md": errata(run.claims),
        docs / "coverage.md": coverage(read_toml(docs / "statements.toml"), run.claims, experiments),
        docs / "figures.md": page(figures(), run.claims, docs / "figures"),
        docs / "bounds.svg": bounds(run),
    }


def _summary(run: "Run") -> str:
    """One short line per reading, so that a changed verdict shows in a diff."""
    head = {"schema": run.schema, "version": run.version, "seed": run.seed, "effort": run.effort}
    claims = [
        {
            "id": claim.id,
            "reading": claim.reading,
            "status": claim.status,
            "looseness": claim.looseness,
            "detectable_factor": claim.detectable_factor,
        }
        for claim in run.claims
    ]
    return one_claim_a_line({**head, "defects": run.defects, "claims": claims})


@click.command("schema")
def schema_() -> None:
    """Print the JSON schema of what `check --json` writes."""
    from harness.report.layout import schema  # noqa: PLC0415

    say(json.dumps(schema(), indent=1), lines=True)


COMMANDS = {"record": record, "schema": schema_}
