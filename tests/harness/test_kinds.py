"""A kind defined outside the package is judged, shown, replayed, drawn and reported like the others."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
import pytest
import torch

from harness import claim, grid
from harness.errors import ClaimError
from harness.judges.base import Data, Findings, Judge, Row, Task, found
from harness.language.charts import Chart, Series, labels_of
from harness.language.evaluation import evaluate
from harness.language.kind import NAMED, Kind, Replay
from harness.numbers import Instance
from harness.report.errata import by_severity
from harness.report.explain import explain
from harness.report.html import fragment, report
from harness.report.layout import judged, read
from harness.report.recorded import SCHEMA
from harness.run.api import check
from harness.run.replaying import replay
from harness.verdict import CellVerdict, Counterexample, Details, Status, Verdict


class Block(Task, frozen=True, kw_only=True):
    """Fresh trials."""

    reps: int
    seed: int


class Half(Data, frozen=True, kw_only=True):
    """Half of the trials lie below it."""

    median: float


class Halves(Details, frozen=True, kw_only=True):
    """What the verdict rests on."""

    median: float


class TooHigh(Counterexample, frozen=True, kw_only=True):
    """What refutes."""

    median: float


@dataclass(frozen=True)
class Median(Kind[Halves, TooHigh]):
    """The median of lhs - rhs over fresh trials is not positive."""

    name: ClassVar[str] = "median"
    details: ClassVar[Any] = Halves
    counterexample: ClassVar[Any] = TooHigh

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        if "draw" not in wants:
            raise ClaimError(f"claim {claim!r} is a median and takes no `draw`.")

    def judge(self, claim: Any, params: dict[str, Any], settings: Any) -> "MedianJudge":
        return MedianJudge(claim, params, settings)

    def replay(self, judge: Any, values: Instance, trials: int, seed: int) -> Replay:
        median = judge.execute(Block(reps=trials, seed=seed)).median
        return Replay(median > 0.0, f"median {median:.3g} over {trials} fresh trials.")

    def line(self, cell: CellVerdict[Halves, TooHigh]) -> str:
        assert cell.details is not None
        return f"median {cell.details.median:.3g}"

    def caveat(self, verdict: Verdict) -> str:
        return "What could still be wrong: the median of other distributions."

    @classmethod
    def draw(cls, cells: Sequence[CellVerdict[Halves, TooHigh]]) -> Sequence[Chart]:
        medians = [(cell.details.median, row) for row, cell in enumerate(cells) if cell.details is not None]
        return [Chart([Series(medians, style="bars")], x="median", rows=labels_of(cells))]


class MedianJudge(Judge):
    """One block of trials."""

    finds: ClassVar[Findings] = {Block: Half}

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        return [] if rows else [Block(reps=1001, seed=self.settings.seed)]

    def execute(self, task: Task) -> Half:
        assert isinstance(task, Block)
        with torch.no_grad():
            sides = evaluate(self.claim, self.params, {}, self.draw(task.reps, task.seed), task.reps)
        return Half(median=float((sides.lhs - sides.rhs).median()))

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        median = found(rows, Block, Half)[0].median
        refuted = median > 0.0
        return CellVerdict(
            self.params,
            Status.REFUTED if refuted else Status.HOLDS,
            trials=1001,
            counterexample=TooHigh(median=median) if refuted else None,
            replay=self.replay_line({}) if refuted else None,
            details=Halves(median=median),
        )


@claim("mine/median", Median(), over=grid(shift=[-1.0, 0.5]))
def shifted(draw, *, shift):  # type: ignore[no-untyped-def]
    """A normal number plus a shift is at most zero in the median."""
    return draw.normal("x", 1).squeeze(-1) + shift, 0.0


def test_it_is_judged_and_explained() -> None:
    verdict = check(shifted)
    assert [cell.status for cell in verdict.cells] == [Status.HOLDS, Status.REFUTED]
    text = explain(verdict)
    assert "Kind: median" in text
    assert "HOLDS: median -" in text
    assert "Refuted on fresh randomness" in text


def test_it_is_replayed() -> None:
    assert replay(shifted, {"shift": 0.5}, {}, trials=501).violated
    assert not replay(shifted, {"shift": -1.0}, {}, trials=501).violated


def test_it_is_drawn_and_reported() -> None:
    verdict = check(shifted)
    made = judged(verdict)
    assert 'class="bar s0"' in fragment(verdict)
    head = {"schema": SCHEMA, "seed": 0, "effort": "quick", "alpha": 0.01, "family": 1, "version": "0"}
    written = json.loads(json.dumps(msgspec.to_builtins(made)))
    run = read({**head, "environment": {}, "defects": {}, "claims": [written]})
    assert run.claims == [made]
    assert "mine/median" in dict(report(run))["index.html"]
    assert by_severity([made]) == {}


def test_its_rules_hold_at_the_decorator() -> None:
    with pytest.raises(ClaimError, match="takes no `draw`"):
        claim("mine/no-draw", Median())(lambda: None)


def test_its_name_is_known() -> None:
    assert NAMED["median"] is Median
    assert {"identity", "always", "high probability", "expectation", "rate", "reproduction", "untestable"} <= set(NAMED)
