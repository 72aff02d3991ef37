"""Rates: the mean of a quantity along one parameter, and the interval of its exponent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from harness.errors import ClaimError
from harness.evidence.rates import USUAL
from harness.judges.decay import FEWEST, RateJudge
from harness.judges.decay_findings import Astray, Fitted
from harness.language.arguments import option, real, text
from harness.language.charts import MOST_CURVES, Chart, Series, around
from harness.language.kind import Kind, Replay, fits, groups_along, values_along
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, headed
from harness.verdict import CellVerdict, Status, Verdict
from harness.words import unmet

if TYPE_CHECKING:
    from harness.settings import Settings

Order = Literal["most", "least", "exactly"]
SAID = {"most": "", "least": "at least ", "exactly": "exactly "}
MOST_REPLAYED = 20_000  # replicates of each point


@dataclass(frozen=True)
class Rate(Kind[Fitted, Astray]):
    """E of the quantity is of order along^exponent x log^log_power at most, up to `margin` in the exponent.

    With `at` "least" it decays no faster, with "exactly" neither faster nor more slowly. Where inputs are quantified,
    the quantity is that at the worst ones, searched at each value of `along`.
    """

    name: ClassVar[str] = "rate"
    returns: ClassVar[Any] = "quantity"
    details: ClassVar[Any] = Fitted
    counterexample: ClassVar[Any] = Astray
    along: str
    exponent: float
    log_power: float = 0.0
    correction: float | None = 0.5
    margin: float = 0.05
    at: Order = "most"

    @property
    def limits(self) -> tuple[float, float]:
        """The exponents that are allowed."""
        low = -math.inf if self.at == "most" else self.exponent - self.margin
        return low, math.inf if self.at == "least" else self.exponent + self.margin

    @property
    def claimed(self) -> str:
        """The limits in words."""
        low, high = self.limits
        if self.at == "exactly":
            return f"claimed {self.exponent:.3f} with margin {self.margin:g}"
        sign, limit = ("+", high) if self.at == "most" else ("-", low)
        return f"claimed {self.exponent:.3f} {sign} margin {self.margin:g} = {limit:.3f}"

    @property
    def powers(self) -> tuple[float, ...]:
        """Of n in the lower-order term: the stated one, or those of which the data choose."""
        return USUAL if self.correction is None else (self.correction,)

    def refuse(self, claim: str, wants: frozenset[str], over: Sequence[Mapping[str, Any]]) -> None:
        values = values_along(self.along, over)
        if not all(fits(value) and value >= 1 for value in values) or len(values) < FEWEST:
            raise ClaimError(
                f"claim {claim!r}: rate({self.along!r}) is an order as {self.along} grows, and needs a grid parameter "
                f"of that name with at least {FEWEST} numbers from 1, whole ones up to 2^63 (1e20 is a float), got "
                f"{values}; what falls to 0 goes in as its inverse."
            )
        if "forall" in wants and "draw" not in wants:
            raise ClaimError(
                f"claim {claim!r} is a rate that draws nothing, but has inputs; return it with its rate, such as "
                f"{self.along} ** -1.0, as an up_to_constant({self.along!r}) claim, which searches them."
            )

    def groups(self, cells: tuple[Parameters, ...]) -> tuple[Parameters, ...]:
        """The grid without the parameter along which the rate is measured."""
        return groups_along(self.along, cells)

    def judge(self, claim: Claim, params: Parameters, settings: "Settings") -> RateJudge:
        return RateJudge(claim, params, settings)

    def replay(self, judge: RateJudge, values: Instance, trials: int, seed: int) -> Replay:
        data = judge.replay(values, min(trials, MOST_REPLAYED), seed)
        low, high = data.interval
        text = f"exponent {data.exponent:.3f} in [{low:.3f}, {high:.3f}], claimed {SAID[self.at]}{data.claimed:.3f}."
        fast = self.at != "most" and high < data.claimed
        return Replay(fast or (self.at != "least" and low > data.claimed), text, data)

    def tried(self, verdict: Verdict) -> list[str]:
        fits: list[Fitted] = [cell.details for cell in verdict.cells if cell.details is not None]
        if not fits:
            return []
        n, replicates = fits[0].n, min(fits[0].replicates)
        searched = sum(fit.tried for fit in fits)
        worst = f", at the worst of {searched} inputs" if searched else ""
        each = f", with at least {replicates} replicates each" if "draw" in verdict.claim.wants else ""
        return [f"Tried: {self.along} = {min(n):g} to {max(n):g}{each}{worst}."]

    def line(self, cell: CellVerdict[Fitted, Astray]) -> str:
        d = cell.details
        assert d is not None
        low, high = d.interval
        chosen = f"; lower-order term n^-{d.power:g}, misfit {d.misfit:.2g}" if self.correction is None else ""
        return f"exponent {d.exponent:.3f} in [{low:.3f}, {high:.3f}], claimed {SAID[self.at]}{d.claimed:.3f}{chosen}"

    def caveat(self, verdict: Verdict) -> str:
        searched = "; worse inputs than the search found" if "forall" in verdict.claim.wants else ""
        return (
            "What could still be wrong: a change of slope beyond the largest n; more than one correction term"
            f"{searched}."
        )

    def conviction(self, verdict: Verdict) -> str:
        fitted = [cell.details for cell in verdict.cells if cell.status is Status.REFUTED and cell.details is not None]
        if "draw" not in verdict.claim.wants or not fitted:
            return super().conviction(verdict)
        return f"{super().conviction(verdict)} {unmet(min(min(details.replicates) for details in fitted))}"

    @classmethod
    def draw(cls, cells: "Sequence[CellVerdict[Fitted, Astray]]") -> Sequence[Chart]:
        """Log-log: empirical means, and the claimed slope through the first of them."""
        series: list[Series] = []
        shown = [(cell.params, cell.details) for cell in cells if cell.details is not None][:MOST_CURVES]
        for index, (params, d) in enumerate(shown):
            points = list(zip(d.n, d.mean, strict=True))
            series.append(Series(points, around(d.mean, d.error), "dots", index, headed(params, _slope(d))))
            theory = list(zip(d.n, claimed_decay(d), strict=True))
            series.append(Series(theory, (), "dashed", index, "" if index else f"theory: slope {d.claimed:.3f}"))
        return [Chart(series, x=shown[-1][1].along, y="mean", log="xy")] if shown else []


def _slope(d: Fitted) -> str:
    """The fitted exponent in words."""
    low, high = d.interval
    if d.exponent is None or low is None or high is None:
        return "no slope"
    return f"slope {d.exponent:.3f} in [{low:.3f}, {high:.3f}]"


def claimed_decay(d: Fitted) -> list[float]:
    """The claimed decay through the first mean at which a logarithm is positive."""
    start = next((i for i, x in enumerate(d.n) if x > 1.0), 0)
    logs = [(math.log(x) / math.log(d.n[start])) ** d.log_power if d.log_power and x > 1.0 else 1.0 for x in d.n]
    return [d.mean[start] * (x / d.n[start]) ** d.claimed * log for x, log in zip(d.n, logs, strict=True)]


def rate(
    along: str,
    exponent: float,
    *,
    log_power: float = 0.0,
    correction: float | None = 0.5,
    margin: float = 0.05,
    at: Order = "most",
) -> Rate:
    """E of the returned quantity is at most of order along^exponent x log(along)^log_power; or `at` "least", "exactly".

    The lower-order term is smaller by along^-correction; with None its power is chosen from the data.
    """
    return Rate(
        text("along", along),
        real("exponent", exponent),
        real("log_power", log_power),
        None if correction is None else real("correction", correction, "(0, inf)"),
        real("margin", margin, "[0, inf)"),
        cast(Order, option("at", at, list(SAID))),
    )
