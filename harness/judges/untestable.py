"""Statements that no program can evaluate: a row with the reason."""

from collections.abc import Sequence

from harness.judges.base import Data, Judge, Row, Task, skipped
from harness.kinds import Untestable
from harness.verdict import CellVerdict


class UntestableJudge(Judge):
    """Always SKIPPED."""

    def plan(self, rows: Sequence[Row]) -> list[Task]:  # noqa: ARG002
        return []

    def execute(self, task: Task) -> Data:
        raise NotImplementedError(f"an untestable claim has no task {task}")

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:  # noqa: ARG002
        assert isinstance(self.claim.kind, Untestable)
        return skipped(self.params, self.claim.kind.reason)
