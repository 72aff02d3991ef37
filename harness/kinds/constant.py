"""Statements up to a constant: the largest ratio of both sides along one parameter, and whether it stays bounded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from harness.errors import ClaimError
from harness.judges.constant import FEWEST, ConstantJudge, NoConstant, Ratios
from harness.judges.ratios import INFINITE
from harness.language.arguments import real, text
from harness.language.charts import MOST_CURVES, Chart, Series, around
from harness.language.kind import Comparison, Replay, fits, groups_along, values_along
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, headed, number
from harness.verdict import CellVerdict, Verdict
from harness.words import unmet

if TYPE_CHECKING:
    from harness.settings import Settings

MOST_REPLAYED = 200_000  # replicates of all points together


@dataclass(frozen=True)
class UpToConstant(Comparison[Ratios, NoConstant]):
    """There is a C with lhs <= C rhs for all inputs, however large `along` is; of claims that draw, with the means."""

    name: ClassVar[str] = "up to constant"
    details: ClassVar[Any] = Ratios
    counterexample: ClassVar[Any] = NoConstant
    two_sided: ClassVar[bool] = False
    along: str = ""
    margin: float = 0.05

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        values = values_along(self.along, over)
        if not all(fits(value) and value > 1 for value in values) or len(values) < FEWEST:
            raise ClaimError(
                f"claim {claim!r}: up_to_constant({self.along!r}) needs a grid parameter of that name with at least "
                f"{FEWEST} numbers above 1, whole ones up to 2^63 (1e20 is a float), got {values}."
            )
        if {"forall", "draw"} <= wants:
            raise ClaimError(
                f"claim {claim!r} is 'up to constant' and takes `forall` and `draw`; put its instances into the grid, "
                "or take the mean in the body."
            )
        if "within" in wants:
            raise ClaimError(f"claim {claim!r} is 'up to constant' and takes `within`; use `forall`.")

    def groups(self, cells: tuple[Parameters, ...]) -> tuple[Parameters, ...]:
        """The grid without the parameter along which the constant is to be one."""
        return groups_along(self.along, cells)

    def judge(self, claim: Claim, params: Parameters, settings: "Settings") -> ConstantJudge:
        return ConstantJudge(claim, params, settings)

    def replay(self, judge: ConstantJudge, values: Instance, trials: int, seed: int) -> Replay:
        found = judge.replay(values, min(trials, MOST_REPLAYED), seed)
        ratios = ", ".join(f"{self.along} = {n:g}: {number(r)}" for n, r in zip(found.n, found.ratio, strict=True))
        word = "no constant serves them all" if found.refuting else "a constant may serve them all"
        return Replay(found.refuting, f"lhs / rhs is {ratios}; {word}.", found)

    def tried(self, verdict: Verdict) -> list[str]:
        known: list[Ratios] = [cell.details for cell in verdict.cells if cell.details is not None and cell.details.n]
        if not known:
            return []
        first, tries = known[0], sum(each.tries for each in known)
        what = "replicates" if "draw" in verdict.claim.wants else "instances"
        return [f"Tried: {self.along} = {first.n[0]:g} to {first.n[-1]:g}, with {tries} {what} in all."]

    def line(self, cell: CellVerdict[Ratios, NoConstant]) -> str:
        d = cell.details
        assert d is not None
        return d.sentence

    def caveat(self, verdict: Verdict) -> str:  # noqa: ARG002
        return (
            f"What could still be wrong: growth beyond the largest {self.along}, or slower than "
            f"{self.along}^{self.margin:g}; worse instances than the search found."
        )

    def conviction(self, verdict: Verdict) -> str:
        shown = verdict.counterexample
        found: NoConstant | None = shown.counterexample if shown else None
        if found and None in found.ratio:
            return f"Both sides exceed their rounding there, and their ratio {INFINITE:g}: that is no constant."
        rare = ""
        if found and shown and "draw" in verdict.claim.wants:
            rare = f" {unmet(shown.trials // len(found.n))}"
        return (
            "Refuted because no bounded model describes the largest ratios as well as one that grows; a bound that "
            f"sets in far beyond the grid could not be told from none.{rare}"
        )

    @classmethod
    def draw(cls, cells: "Sequence[CellVerdict[Ratios, NoConstant]]") -> Sequence[Chart]:
        """Log-log: the largest lhs/rhs along the parameter."""
        details = [(cell.params, cell.details) for cell in cells if cell.details is not None]
        shown = [(params, d) for params, d in details if any(ratio > 0.0 for ratio in d.ratio)][:MOST_CURVES]
        series = [
            Series(
                list(zip(d.n, d.ratio, strict=True)),
                around(d.ratio, d.error),
                "dots and line",
                index,
                headed(params, f"smallest C seen {number(d.constant)}"),
            )
            for index, (params, d) in enumerate(shown)
        ]
        return [Chart(series, x=shown[-1][1].along, y="largest lhs / rhs", log="xy")] if shown else []


def up_to_constant(along: str, *, margin: float = 0.05) -> UpToConstant:
    """There is a constant C with lhs <= C rhs for all inputs, however large the parameter `along` is.

    The largest ratio of both sides is searched at every value of `along` in the grid. It must not grow: HOLDS where the
    exponent of its growth is below `margin`, REFUTED where no bounded curve describes it. In claims that draw, the
    sides are means.
    """
    return UpToConstant(along=text("along", along), margin=real("margin", margin, "(0, inf)"))
