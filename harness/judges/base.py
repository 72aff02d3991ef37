"""How a cell is judged: a pure plan over the rows so far, and self-contained tasks that produce new rows.

`plan(rows)` names the tasks still to run (none: the cell is decided), `execute(task)` runs one anywhere and returns
what it found, `verdict(rows)` concludes. Rows are keyed by their task, so a stored row is never computed twice, a
killed run goes on where it stopped, and neither the number of workers nor the executor changes the result.

Tasks and findings are typed: between processes and on the disk they are plain numbers, lists and texts, and
`Judge.row` makes them typed again, or refuses them.
"""

import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, TypeVar

import msgspec
import torch
from torch import Tensor

from harness.errors import ClaimError, TightropeError
from harness.language.anatomy import Anatomy, anatomy
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.numbers import Instance
from harness.search.objective import MEMORY, Batch
from harness.settings import Settings
from harness.shell import operand, quoted
from harness.verdict import CellVerdict, Status

LONGEST_REPLAY = 4000


class Task(msgspec.Struct, frozen=True, kw_only=True, tag_field="stage", tag=str.lower):
    """What to run next. The fields and the name of the class are all that its findings depend on, beside the cell."""

    @property
    def stage(self) -> str:
        """What progress bars and random streams call it."""
        return str(self.__struct_config__.tag)


class Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a task has found."""


@dataclass(frozen=True)
class Row:
    """One task and what it found."""

    task: Task
    data: Data
    seconds: float


D = TypeVar("D", bound=Data)
Findings: TypeAlias = Mapping[type[Task], type[Data]]


class Judge(ABC):
    """Judges one cell of one claim."""

    finds: ClassVar[Findings]  # what each sort of task finds
    helps: ClassVar[tuple[type[Task], ...]] = ()  # tasks that find what spares work in the claim's other cells

    def __init__(self, claim: Claim, params: Parameters, settings: Settings) -> None:
        self.claim = claim
        self.params = params
        self.settings = settings
        self.effort = settings.effort

    @property
    def threshold(self) -> float:
        """log(m/alpha): what an e-value must reach to certify a cell."""
        return math.log(self.settings.family / self.settings.alpha)

    @property
    def conviction(self) -> float:
        """log(cells m/alpha): one cell alone lifts the average over cells to m/alpha."""
        return self.threshold + math.log(len(self.claim.groups()))

    @abstractmethod
    def plan(self, rows: Sequence[Row]) -> list[Task]:
        """The tasks to run next; none when the cell is decided or the effort spent."""

    @abstractmethod
    def execute(self, task: Task) -> Data:
        """Run one task; the result depends on (claim, cell, task, seed) only."""

    @abstractmethod
    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        """Conclude from all rows."""

    def learn(self, row: Row) -> None:
        """Keep what a task that `helps` has found in another cell of the claim; findings are the same without."""
        assert isinstance(row.task, self.helps), row.task

    def row(self, task: Task, plain: Any, seconds: float) -> Row:
        """A row from what came back from a worker or from the disk.

        Raises msgspec.ValidationError when that is not what such a task finds.
        """
        return Row(task, msgspec.convert(plain, self.finds[type(task)]), seconds)

    def key(self, *parts: object) -> tuple[object, ...]:
        """The name of a random stream of this cell."""
        return (self.settings.seed, self.claim.key, json.dumps(self.params, sort_keys=True), *parts)

    def draw(self, reps: int, *parts: object) -> Draw:
        """Fresh random inputs, named by `parts`."""
        return Draw(reps, self.key(*parts), self.settings.device)

    @cached_property
    def anatomy(self) -> Anatomy:
        """The quantified sets of this cell and the cost of a replicate; it runs the body, which only tasks do."""
        return anatomy(self.claim, self.params)

    def replay_line(self, values: Instance, *options: str) -> str:
        """The command that reproduces a counterexample."""
        command = ["tightrope", "replay", reference(self.claim)]
        if self.params:
            command += ["--params", json.dumps(self.params)]
        inline = json.dumps(values)
        if len(inline) <= LONGEST_REPLAY:
            command += ["--values", inline]
        else:
            command += ["--stored"]
        return " ".join(map(quoted, [*command, *options]))


def reference(claim: Claim) -> str:
    """How a command line names a claim: its key, after its file when it has one outside the ledger."""
    if claim.body.__module__.startswith("harness.claims") or not claim.file:
        return claim.key
    return operand(f"{os.path.relpath(claim.file)}::{claim.key}")


def found(rows: Sequence[Row], stage: type[Task], kind: type[D]) -> list[D]:
    """What the tasks of one stage have found, in the order they were planned."""
    return [expect(row.data, kind) for row in rows if isinstance(row.task, stage)]


def expect(data: Data, kind: type[D]) -> D:
    """The data, known to be of a kind."""
    assert isinstance(data, kind), f"{data} is not {kind.__name__}"
    return data


def load(instances: Sequence[Instance]) -> Batch:
    """Instances as a batch."""
    if not instances:
        return {}
    return {name: _column(name, [instance[name] for instance in instances]) for name in instances[0]}


def _column(name: str, values: Sequence[Any]) -> Tensor:
    try:
        return torch.tensor(values, dtype=torch.float64)
    except (TypeError, ValueError) as error:
        raise ClaimError(
            f"the value of {name!r} is not an array of numbers ({error}); write it as [0.5, 1]."
        ) from error


def check_instance(claim: Claim, spaces: Sequence[Space], values: Batch) -> None:
    """Refuse values that are missing, unknown, of the wrong shape, or outside their set."""
    known = {space.name: space for space in spaces}
    for name in values:
        if name not in known:
            raise ClaimError(f"claim {claim.key!r} has no variable {name!r}; it quantifies {sorted(known)}.")
    for name, space in known.items():
        if name not in values:
            raise ClaimError(f"claim {claim.key!r} needs a value for {name!r}; give it in --values.")
        shape = tuple(values[name].shape[1:])
        if shape != space.shape:
            raise ClaimError(f"claim {claim.key!r}: {name!r} has shape {shape}, expected {space.shape}.")
        if not bool(space.contains(values[name]).all()):
            raise ClaimError(f"claim {claim.key!r}: the value of {name!r} lies outside its set {space}.")


def held(spaces: Sequence[Space], values: Batch) -> Batch:
    """What a search has found, which lies in its sets: nothing else may speak against a claim."""
    for space in spaces:
        if not bool(space.contains(values[space.name]).all()):
            raise TightropeError(
                f"a search has left the set of {space.name!r}, which is a fault of Tightrope and not of the claim: "
                "please report it with the claim."
            )
    return values


def block_size(index: int, bytes_per_replicate: int) -> int:
    """Replicates of the `index`-th block: doubling from 61, up to the memory cap, always a prime.

    Prime sizes keep a replicate axis from being mistaken for an axis of the claim's own shapes, usually round numbers.
    """
    cap = max(MEMORY // max(bytes_per_replicate, 1), 16)
    sizes = (61, 127, 251, 509, 1021, 2039, 4093, 8191, 16381, 32749)
    fitting = [size for size in sizes if size <= cap] or [17]
    return fitting[min(index, len(fitting) - 1)]


def skipped(params: Parameters, reason: str) -> CellVerdict:
    """A cell that cannot be evaluated here."""
    return CellVerdict(params, Status.SKIPPED, reason=reason)


def failed(params: Parameters, reason: str) -> CellVerdict:
    """A cell whose claim raised or returned nonsense."""
    return CellVerdict(params, Status.ERROR, reason=reason)
