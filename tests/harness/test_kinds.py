"""A kind defined outside the package is judged, shown, replayed, drawn and reported like the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import torch

from harness import claim, grid
from harness.errors import ClaimError
from harness.judges.base import Judge, Row
from harness.language.evaluation import evaluate
from harness.language.kind import NAMED, Kind, Replay
from harness.report.errata import by_severity
from harness.report.explain import explain
from harness.report.html import fragment, page
from harness.report.plots import picture
from harness.run.api import check
from harness.run.replaying import replay
from harness.verdict import CellVerdict, Status, Verdict, as_json


@dataclass(frozen=True)
class Median(Kind):
    """The median of lhs - rhs over fresh trials is not positive."""

    name: ClassVar[str] = "median"

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        if "draw" not in wants:
            raise ClaimError(f"claim {claim!r} is a median and takes no `draw`.")

    def judge(self, claim: Any, params: dict[str, Any], settings: Any) -> "MedianJudge":
        return MedianJudge(claim, params, settings)

    def replay(self, judge: Any, values: Mapping[str, Any], trials: int, seed: int) -> Replay:
        median = judge.execute({"stage": "median", "reps": trials, "seed": seed})["median"]
        return Replay(median > 0.0, f"median {median:.3g} over {trials} fresh trials.", {"median": median})

    def line(self, cell: CellVerdict) -> str:
        return f"median {cell.details['median']:.3g}"

    def caveat(self, verdict: Verdict) -> str:
        return "What could still be wrong: the median of other distributions."

    @classmethod
    def draw(cls, axes: Any, cells: list[Mapping[str, Any]]) -> bool:
        axes.bar(range(len(cells)), [cell["details"]["median"] for cell in cells])
        return True


class MedianJudge(Judge):
    """One block of trials."""

    def plan(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        return [] if rows else [{"stage": "median", "reps": 1001, "seed": self.settings.seed}]

    def execute(self, task: dict[str, Any]) -> dict[str, Any]:
        with torch.no_grad():
            sides = evaluate(self.claim, self.params, {}, self.draw(task["reps"], task["seed"]), task["reps"])
        return {"median": float((sides.lhs - sides.rhs).median())}

    def verdict(self, rows: Sequence[Row]) -> CellVerdict:
        median = rows[0].data["median"]
        refuted = median > 0.0
        return CellVerdict(
            self.params,
            Status.REFUTED if refuted else Status.HOLDS,
            trials=rows[0].task["reps"],
            counterexample={"median": median} if refuted else None,
            replay=self.replay_line({}) if refuted else None,
            details={"median": median},
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
    made = as_json(verdict)
    assert picture(made)
    assert "median" in fragment(verdict)
    head = {"seed": 0, "effort": "quick", "alpha": 0.01, "family": 1, "version": "0", "environment": {}}
    assert "mine/median" in page({**head, "claims": [made]})
    assert by_severity([made]) == {}


def test_its_rules_hold_at_the_decorator() -> None:
    with pytest.raises(ClaimError, match="takes no `draw`"):
        claim("mine/no-draw", Median())(lambda: None)


def test_its_name_is_known() -> None:
    assert NAMED["median"] is Median
    assert {"identity", "always", "high probability", "expectation", "rate", "reproduction", "untestable"} <= set(NAMED)
