"""Statements that no program can evaluate, and claims that cannot be made: a row with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from harness.errors import ClaimError
from harness.judges.base import Data, Findings, Judge, Row, Task, failed, skipped
from harness.language.arguments import text
from harness.language.kind import Kind, Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance
from harness.verdict import CellVerdict, Counterexample, Details, Verdict

if TYPE_CHECKING:
    from harness.settings import Settings


@dataclass(frozen=True)
class Untestable(Kind[Details, Counterexample]):
    """A statement that cannot be evaluated, with the reason."""

    name: ClassVar[str] = "untestable"
    returns: ClassVar[Any] = "nothing"
    details: ClassVar[Any] = Details
    counterexample: ClassVar[Any] = Counterexample
    reason: str

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "UntestableJudge":
        return UntestableJudge(claim, params, settings)

    def replay(self, judge: "UntestableJudge", values: Instance, trials: int, seed: int) -> Replay:  # noqa: ARG002
        return Replay(violated=False, sentence=self.reason)

    def line(self, cell: CellVerdict) -> str:
        return cell.reason

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "Nothing was judged."


def untestable(reason: str) -> Untestable:
    """A statement that no program can evaluate as printed (free constants, missing data), with the reason."""
    if not text("reason", reason):
        raise ClaimError("untestable() needs the reason, such as untestable('its constant is not given').")
    return Untestable(reason)


class UntestableJudge(Judge):
    """Always SKIPPED."""

    finds: ClassVar[Findings] = {}

    def plan(self, rows: Sequence[Row]) -> list[Task]:  # noqa: ARG002
        return []

    def execute(self, task: Task) -> Data:
        raise NotImplementedError(f"an untestable claim has no task {task}")

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:  # noqa: ARG002
        assert isinstance(self.claim.kind, Untestable)
        return skipped(self.params, self.claim.kind.reason)


@dataclass(frozen=True)
class Broken(Kind[Details, Counterexample]):
    """What a claim is whose parts do not fit together, in a file that is loaded, with what is wrong."""

    name: ClassVar[str] = "broken"
    returns: ClassVar[Any] = "nothing"
    details: ClassVar[Any] = Details
    counterexample: ClassVar[Any] = Counterexample
    reason: str

    @property
    def flaw(self) -> str:
        return self.reason

    def judge(self, claim: "Claim", params: Parameters, settings: "Settings") -> "BrokenJudge":
        return BrokenJudge(claim, params, settings)

    def replay(self, judge: "BrokenJudge", values: Instance, trials: int, seed: int) -> Replay:  # noqa: ARG002
        raise ClaimError(self.reason)

    def line(self, cell: CellVerdict) -> str:
        return cell.reason

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return "Nothing was judged."


class BrokenJudge(UntestableJudge):
    """Always ERROR."""

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:  # noqa: ARG002
        assert isinstance(self.claim.kind, Broken)
        return failed(self.params, self.claim.kind.reason)
