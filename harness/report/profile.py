"""Where the time of a run went: tasks and seconds by effort, kind and stage, and the dearest claims."""

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.table import Table

from harness.judges.base import Task
from harness.language.registry import Claim

DEAREST = 10


@dataclass
class _Spent:
    tasks: int = 0
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.tasks += 1
        self.seconds += seconds


@dataclass
class Profile:
    """What was computed, as it is told task by task; stored rows cost nothing."""

    begun: float = field(default_factory=time.monotonic)
    ended: float | None = None
    stages: dict[tuple[str, str, str], _Spent] = field(default_factory=lambda: defaultdict(_Spent))
    claims: dict[str, _Spent] = field(default_factory=lambda: defaultdict(_Spent))

    def note(self, effort: str, claim: Claim, task: Task, seconds: float) -> None:
        """A task is done."""
        self.stages[effort, claim.kind.name, task.stage].add(seconds)
        self.claims[claim.key].add(seconds)

    def end(self) -> None:
        """Nothing more is computed; what follows is writing."""
        self.ended = time.monotonic()

    @property
    def seconds(self) -> float:
        """Of all tasks together, as measured where they ran."""
        return sum(spent.seconds for spent in self.stages.values())

    def tables(self, jobs: int) -> Iterator[tuple[str, Table]]:
        """A heading and a table each: by stage, and by claim. `jobs`: how many tasks could run at a time."""
        wall = (time.monotonic() if self.ended is None else self.ended) - self.begun
        busy = self.seconds / (wall * jobs) if wall > 0.0 else 0.0
        heading = f"{self.seconds:.1f} s in tasks, {wall:.1f} s passed: {busy:.0%} of {jobs} at a time"
        table = _table("effort", "kind", "stage", "tasks", "seconds", "share")
        for names, spent in sorted(self.stages.items(), key=lambda item: -item[1].seconds):
            table.add_row(*names, f"{spent.tasks:,}", f"{spent.seconds:.1f}", f"{self._share(spent):.1%}")
        yield heading, table
        table = _table("claim", "tasks", "seconds", "share")
        dearest = sorted(self.claims.items(), key=lambda item: -item[1].seconds)[:DEAREST]
        for key, spent in dearest:
            table.add_row(key, f"{spent.tasks:,}", f"{spent.seconds:.1f}", f"{self._share(spent):.1%}")
        yield f"the dearest {len(dearest)} of {len(self.claims)} claims", table

    def _share(self, spent: _Spent) -> float:
        return spent.seconds / self.seconds if self.seconds > 0.0 else 0.0


def _table(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, justify="right" if name in ("tasks", "seconds", "share") else "left")
    return table
