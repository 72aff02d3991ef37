"""Verdicts of runs with public data sets or at full size: a file of their own, since most machines cannot repeat them.

`tightrope record --experiments FOLDER ...` writes it; the coverage table takes from it what the recorded run skipped.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from harness.claims.full_size import FULL
from harness.errors import UsageError
from harness.files import one_claim_a_line, read_json
from harness.language.registry import key_of
from harness.report.layout import Judged, Run
from harness.settings import DATA_FOLDER
from harness.verdict import Status

DATA, PARTIAL, FULL_SIZE = "data", "partial data", "full size"
"""What a run says of its data, in its environment."""


class Experiment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reading that was judged with data, or at full size.

    `partial` names the options by which a data set was only there in part.
    """

    id: str
    reading: str | None
    status: Status
    partial: str = ""
    full_size: bool = False

    @property
    def key(self) -> str:
        """The reading's name, as a claim has it."""
        return key_of(self.id, self.reading)


class Experiments(msgspec.Struct, frozen=True):
    """The readings that some runs judged and that are skipped without their data and sizes, with what they had."""

    version: str
    seed: int
    effort: str
    data: str
    claims: list[Experiment]

    def of(self, claim: Judged) -> Experiment | None:
        """The experiment of a reading that was skipped; None for any other reading."""
        if claim.status is not Status.SKIPPED:
            return None
        return next((one for one in self.claims if (one.id, one.reading) == (claim.id, claim.reading)), None)


def data_here() -> dict[str, str]:
    """Which public data sets a run could read, which of them only in part, and whether it was at full size."""
    parts = _parts_here() if os.environ.get(DATA_FOLDER) else {}
    found = {
        DATA: ", ".join(parts),
        PARTIAL: "; ".join(f"{name}: {part}" for name, part in parts.items() if part),
        FULL_SIZE: os.environ.get(FULL, "") if os.environ.get(FULL) == "1" else "",
    }
    return {key: value for key, value in found.items() if value}


def _parts_here() -> dict[str, str]:
    """By name of a data set in the folder, the options by which it is there in part."""
    from harness.data import DATA_SETS  # noqa: PLC0415  (scikit-learn's loaders take a tenth of torch's time)

    here = [entry for entry in DATA_SETS.values() if entry.here]
    return {entry.name: ", ".join(f"{o}={value}" for o, value in entry.chosen.items()) for entry in here}


def experiments_of(runs: Sequence[Run], recorded: Sequence[Judged], stored: Experiments | None = None) -> Experiments:
    """What runs with data or at full size judged of the readings that the recorded run skipped; of a reading the last.

    What is `stored` stays where the runs say nothing of it.

    Raises UsageError for runs of different versions, seeds or efforts.
    """
    first = runs[0]
    before = [] if stored is None else [stored]
    settings = {(each.version, each.seed, each.effort) for some in (runs, before) for each in some}
    if len(settings) > 1:
        raise UsageError(
            "the runs of --experiments differ in version, seed or effort, from each other or from what is stored; run "
            "them alike, or remove experiments.json."
        )
    skipped = {claim.key for claim in recorded if claim.status is Status.SKIPPED}
    judged = [
        (claim, run) for run in runs for claim in run.claims if claim.status not in (Status.SKIPPED, Status.ERROR)
    ]
    found = {one.key: one for each in before for one in each.claims if one.key in skipped}
    found |= {claim.key: _experiment(claim, run) for claim, run in judged if claim.key in skipped}
    data = [*(each.data for each in before), *(run.environment.get(DATA, "") for run in runs)]
    names = dict.fromkeys(name for names in data for name in names.split(", ") if name)
    return Experiments(
        version=first.version,
        seed=first.seed,
        effort=first.effort,
        data=", ".join(names),
        claims=list(found.values()),
    )


def _experiment(claim: Judged, run: Run) -> Experiment:
    partial = dict(part.split(": ", 1) for part in run.environment.get(PARTIAL, "").split("; ") if part)
    return Experiment(
        claim.id, claim.reading, claim.status, _partial(claim.id, partial), full_size=FULL_SIZE in run.environment
    )


def _partial(claim: str, partial: Mapping[str, str]) -> str:
    """The options of the data sets that the claim read in part, where it reads more than the rows it says it does."""
    from harness.data import DATA_SETS  # noqa: PLC0415

    restricting = {name: part for name, part in partial.items() if claim not in DATA_SETS[name].training_rows}
    return "; ".join(part for name, part in restricting.items() if claim in DATA_SETS[name].claims)


def text_of(experiments: Experiments) -> str:
    """As it is stored, one reading a line."""
    return one_claim_a_line(msgspec.to_builtins(experiments))


def stored_experiments(path: Path) -> Experiments | None:
    """What is stored, if anything.

    Raises UsageError where it is not of this layout.
    """
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(json.dumps(read_json(path)), type=Experiments)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{path} is not a file that `tightrope record --experiments` wrote ({error}); write it again."
        ) from error
