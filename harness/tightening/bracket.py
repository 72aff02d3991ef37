"""The best constant of any other claim: judgements at one constant after another."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from harness.language.registry import Claim, Parameters
from harness.numbers import Instance
from harness.run.api import check_all
from harness.settings import Settings
from harness.tightening.enclosed import Step, Tightened
from harness.verdict import Status, Verdict

HOLDING = (Status.HOLDS, Status.PROVED, Status.VACUOUS)
FACTOR, FARTHEST = 2.0, 2.0**30  # from one constant to the next until both verdicts were seen; how far that goes
JUDGEMENTS = 24  # at most


def tighten_by_judging(
    at: Callable[[float], Claim], params: Parameters, settings: Settings, *, start: float = 1.0, rtol: float = 0.01
) -> Tightened:
    """Enclose the smallest constant at which a claim holds, by judging it at constants between two verdicts.

    A larger constant is taken to make the statement weaker. A refutation at c is evidence at the level of the run for
    c* > c; a claim that holds was searched for the worst inputs, which proves nothing about all of them.

    Parameters
    ----------
    at : one cell of the claim with a given constant.
    params : the cell, as it is reported.
    settings : the effort of each judgement; the error probability is shared among all of them.
    start : the first constant.
    rtol : how far the ends may lie apart, relative to the lower one.
    """
    search = _Bracket(at, replace(settings, family=max(settings.family, JUDGEMENTS)), start)
    search.opened()
    search.narrowed(rtol)
    return search.result(params)


@dataclass
class _Bracket:
    """The largest constant refuted, the smallest one that holds, and what lies UNDECIDED between them."""

    at: Callable[[float], Claim]
    settings: Settings
    start: float
    lower: float | None = None
    upper: float | None = None
    proved: bool = False
    open: tuple[float, float] | None = None
    witness: Instance | None = None
    stopped: str = ""
    judged: int = 0
    steps: list[Step] = field(default_factory=list)

    def opened(self) -> None:
        """Both verdicts, from constants ever farther from the first one."""
        down = up = self.start
        self.judge(self.start)
        while not self.stopped and self.lower is None and down * FARTHEST > self.start:
            down /= FACTOR
            self.judge(down)
        while not self.stopped and self.upper is None and up < FARTHEST * self.start:
            up *= FACTOR
            self.judge(up)

    def narrowed(self, rtol: float) -> None:
        """Bisection of the larger gap until both are narrow."""
        while not self.stopped and self.lower is not None and self.upper is not None:
            low, high = self.open or (None, None)
            gaps = [(self.lower, low), (high, self.upper)] if low and high else [(self.lower, self.upper)]
            wide = [(b / a, a, b) for a, b in gaps if a and b and b / a > 1.0 + (rtol / 2.0 if low else rtol)]
            if not wide:
                break
            _, a, b = max(wide)
            self.judge((a * b) ** 0.5)

    def judge(self, constant: float) -> None:
        if self.judged == JUDGEMENTS:
            self.stopped = f"{JUDGEMENTS} judgements"
            return
        verdict = check_all([self.at(constant)], settings=self.settings)[0]
        self.judged += 1
        if verdict.status is Status.REFUTED:
            self.lower, self.witness = constant, _witness(verdict)
        elif verdict.status in HOLDING:
            self.upper, self.proved = constant, verdict.status is Status.PROVED
        elif verdict.status is Status.UNDECIDED:
            low, high = self.open or (constant, constant)
            self.open = (min(low, constant), max(high, constant))
        else:
            self.stopped = f"{verdict.status} at {constant:.6g}: {verdict.reason}"
        self.steps.append(Step(self.judged, self.lower, self.upper))

    def result(self, params: Parameters) -> Tightened:
        between = "" if self.open is None else f", UNDECIDED from {self.open[0]:.4g} to {self.open[1]:.4g}"
        held = "proved" if self.proved else "holds at the worst inputs that a search found"
        return Tightened(
            params,
            self.lower,
            "refuted by judgement" if self.lower is not None else "none: nothing was refuted",
            self.upper,
            (held if self.upper is not None else "none: nothing held")
            + between
            + (f" (stopped: {self.stopped})" if self.stopped else ""),
            (self.lower is not None, self.proved),
            self.witness,
            None,
            tuple(self.steps),
        )


def _witness(verdict: Verdict) -> Instance | None:
    cell = verdict.counterexample
    return None if cell is None or cell.counterexample is None else cell.counterexample.values
