"""Tasks whose findings in one cell spare work in the others of the claim: one at a time, each told the earlier ones."""

from collections import deque
from typing import Any, Generic, TypeAlias, TypeVar

from harness.judges import Task

Told: TypeAlias = list[tuple[Task, Any]]
"""Tasks of one claim with what they have found, as plain data."""

Entry = TypeVar("Entry")


class Turns(Generic[Entry]):
    """Whose turn it is in each claim. What is told saves time and changes no finding, so that no order matters."""

    def __init__(self) -> None:
        self._queues: dict[str, deque[Entry]] = {}  # of the claims with such a task in flight
        self._told: dict[str, Told] = {}

    def enter(self, claim: str, entry: Entry) -> bool:
        """Whether it may go at once; if not, it is handed out by `leave` when its turn comes."""
        if claim in self._queues:
            self._queues[claim].append(entry)
            return False
        self._queues[claim] = deque()
        return True

    def leave(self, claim: str) -> Entry | None:
        """The next one of a claim, whose turn begins when another's has ended."""
        if self._queues[claim]:
            return self._queues[claim].popleft()
        del self._queues[claim]
        return None

    def tell(self, claim: str, task: Task, data: Any) -> None:
        """Let later tasks of a claim know what one has found."""
        told = self._told.setdefault(claim, [])
        if (task, data) not in told:
            told.append((task, data))

    def told(self, claim: str) -> Told:
        """What the tasks of a claim have found so far."""
        return list(self._told.get(claim, ()))
