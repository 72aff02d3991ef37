"""Judges a statement up to a constant: the largest ratio at each value of a parameter, and whether it stays bounded."""

import math
from collections.abc import Sequence
from typing import ClassVar

import msgspec
import numpy as np
import torch

from harness.errors import ClaimError
from harness.evidence.growth import STEEP, Growth, growth
from harness.evidence.rates import NARROW, local_slopes
from harness.judges.along import AlongJudge
from harness.judges.base import Data, Findings, Row, Task, block_size, check_instance, expect, found, load
from harness.judges.contract import check_instances, check_trials
from harness.judges.ratios import Ratio, largest_ratio, ratio_at
from harness.judges.replicates import Replicates, untold
from harness.language.evaluation import evaluate
from harness.numbers import Instance, claim_at, number
from harness.verdict import CellVerdict, Counterexample, Details, Status

CONFIDENCE = 0.99  # of the interval of the exponent
FEWEST = 5  # values of the parameter
SEARCHES = 2  # independent ones: what they differ by is the error of a supremum that was searched
SURE = 4.0  # standard errors below zero at which a mean is negative
FASTER = "faster"
FRESH = 8  # times the replicates, because a replayed curve must refute by itself


class Anatomy(Task, frozen=True, kw_only=True):
    """Look at the quantified sets, and whether the body keeps the contract."""


class Worst(Task, frozen=True, kw_only=True):
    """Search for the largest ratio at one value of the parameter, once more."""

    at: int | float
    attempt: int


class Point(Task, frozen=True, kw_only=True):
    """Replicates of both sides at one value of the parameter."""

    index: int | str
    at: int | float
    reps: int


class Sets(Data, frozen=True, kw_only=True):
    """Whether inputs are quantified, and the bytes that one replicate of every point writes."""

    quantified: bool
    written: int


class Means(Data, frozen=True, kw_only=True):
    """Of the replicates: how many, the means of both sides, sums of squares and products around them, and extremes."""

    count: int
    lhs: float
    rhs: float
    squares: tuple[float, float, float]  # lhs lhs, lhs rhs, rhs rhs
    largest: tuple[float, float]  # deviation of each side

    def side(self, which: int) -> Replicates:
        """What the replicates say of the left side, 0, or of the right one, 1."""
        mean, spread = (self.lhs, self.rhs)[which], self.squares[2 * which]
        return Replicates(count=self.count, mean=mean, spread=spread, largest=self.largest[which])


class Ratios(Details, frozen=True, kw_only=True):
    """The largest lhs/rhs with its error at each value of the parameter, and how it grows."""

    along: str
    n: list[float]
    ratio: list[float]
    error: list[float]
    constant: float | None
    margin: float
    exponent: float | None
    interval: tuple[float | None, float | None]
    slopes: list[float | None]
    growing: str
    tries: int

    @property
    def sentence(self) -> str:
        """What was found, in one line."""
        low, high = self.interval
        seen = f"smallest C seen {number(self.constant)}"
        if self.exponent is None or low is None or high is None:
            return seen
        grows = f"; it keeps growing {self.growing}" if self.growing else ""
        if self.growing.startswith(FASTER):  # than the fit has exponents
            return f"{seen}{grows}"
        return f"{seen}; growth exponent {self.exponent:.3f} in [{low:.3f}, {high:.3f}]{grows}"


class NoConstant(Counterexample, frozen=True, kw_only=True):
    """The largest ratios along the parameter, at `values` where inputs are quantified."""

    n: list[float]
    ratio: list[float | None]  # None for an infinite one


class Replayed(Data, frozen=True, kw_only=True):
    """The ratios once more, and whether they refute."""

    n: list[float]
    ratio: list[float]
    refuting: bool


class Ratioed(msgspec.Struct, frozen=True):
    """The largest ratio at one value of the parameter, its standard error, where it is, and after how many tries."""

    at: float
    ratio: float
    error: float
    values: Instance
    tries: int
    clear: bool = True


class ConstantJudge(AlongJudge):
    """Searches the largest ratio twice at every value of the parameter, or doubles the replicates of its means."""

    finds: ClassVar[Findings] = {Anatomy: Sets, Worst: Ratio, Point: Means}

    @property
    def draws(self) -> bool:
        return "draw" in self.claim.wants

    def plan(self, rows: Sequence[Row]) -> list[Task]:
        if not rows:
            return [Anatomy()]
        sets = expect(rows[0].data, Sets)
        if not self.draws:
            attempts = SEARCHES if sets.quantified else 1
            wanted = [Worst(at=value, attempt=k) for value in self.axis() for k in range(attempts)]
            done = {row.task for row in rows}
            return [task for task in wanted if task not in done]
        rounds = self._rounds(rows)
        status = self._status(rows)[0] if rounds else Status.UNDECIDED
        if status is Status.HOLDS or (status is Status.REFUTED and self.convincing(rounds, sets.written)):
            return []
        if rounds and not self.another(rounds, sets.written):
            return []
        return [Point(index=rounds, at=value, reps=self.replicates(rounds)) for value in self.axis()]

    def _rounds(self, rows: Sequence[Row]) -> int:
        return len(found(rows, Point, Means)) // len(self.axis())

    def execute(self, task: Task) -> Data:
        if isinstance(task, Anatomy):
            return self._look()
        if isinstance(task, Worst):
            key = self.key("ratio", task.at, task.attempt)
            return largest_ratio(self.claim, self.at(task.at), self.kind, self.parts(task.at), self.effort, key)
        assert isinstance(task, Point)
        return self._point(task)

    def _look(self) -> Sets:
        value = self.axis()[0]
        spaces = self.parts(value).spaces
        if self.draws:
            check_trials(self.claim, self.at(value), spaces, self.settings.device)
        else:
            check_instances(self.claim, self.at(value), spaces)
        return Sets(quantified=bool(spaces), written=self.written() if self.draws else 0)

    def _point(self, task: Point) -> Means:
        params, size = self.at(task.at), block_size(9, 4 * self.parts(task.at).bytes_per_replicate)
        parts = []
        for start in range(0, task.reps, size):
            reps = min(size, task.reps - start)
            with torch.no_grad():
                draw = self.draw(reps, "point", task.at, task.index, start)
                sides = evaluate(self.claim, params, {}, draw, reps)
            parts.append(np.stack([sides.lhs.numpy(), sides.rhs.numpy()]))
        both = np.concatenate(parts, axis=1)
        if not np.isfinite(both).all():
            raise ClaimError(
                f"{claim_at(self.claim.key, params)} has replicates that are not finite; guard the formula."
            )
        centred = both - both.mean(1, keepdims=True)
        (ll, lr), (_, rr) = (centred @ centred.T).tolist()
        lhs, rhs = both.mean(1).tolist()
        left, right = np.abs(centred).max(1).tolist()
        return Means(count=task.reps, lhs=lhs, rhs=rhs, squares=(ll, lr, rr), largest=(left, right))

    def _ratios(self, rows: Sequence[Row]) -> list[Ratioed]:
        """The largest ratio at each value of the parameter."""
        if self.draws:
            return [self._mean_ratio(rows, value) for value in self.axis()]
        tries = [[row.data for row in rows if isinstance(row.task, Worst) and row.task.at == v] for v in self.axis()]
        return [
            _largest(value, [expect(one, Ratio) for one in of]) for value, of in zip(self.axis(), tries, strict=True)
        ]

    def _mean_ratio(self, rows: Sequence[Row], value: float) -> Ratioed:
        """The ratio of the means over all rounds, its error to first order."""
        data = [expect(row.data, Means) for row in rows if isinstance(row.task, Point) and row.task.at == value]
        counts = np.array([part.count for part in data], dtype=float)
        means = np.array([[part.lhs, part.rhs] for part in data])
        total = counts.sum()
        lhs, rhs = counts @ means / total
        apart = means - [lhs, rhs]
        squares = np.array([part.squares for part in data]).sum(0)
        squares += counts @ np.stack([apart[:, 0] ** 2, apart[:, 0] * apart[:, 1], apart[:, 1] ** 2], axis=1)
        doubt = SURE * math.sqrt(squares[2]) / total
        if rhs < -doubt or rhs == doubt == 0.0:
            raise ClaimError(
                f"claim {self.claim.key!r} at {self.at(value)}: the mean of its right side is {rhs:.6g}, not "
                "positive; up to a constant only a positive right side means anything."
            )
        if rhs <= doubt:
            return Ratioed(value, 0.0, 0.0, {}, int(total), clear=False)
        ratio = float(lhs / rhs)
        variance = float(squares[0] - 2.0 * ratio * squares[1] + ratio**2 * squares[2])
        error = math.sqrt(max(variance, 0.0)) / float(total * rhs)
        return Ratioed(value, ratio if ratio > SURE * error else 0.0, error, {}, int(total))

    def _untold(self, rows: Sequence[Row]) -> str:
        """Where replicates tell no error of a ratio; empty where they do, and where nothing is drawn."""
        lefts: dict[float, Replicates] = {}
        rights: dict[float, Replicates] = {}
        for value in self.axis() if self.draws else ():
            data = [expect(row.data, Means) for row in rows if isinstance(row.task, Point) and row.task.at == value]
            lhs, rhs = (Replicates.joined([part.side(k) for part in data]) for k in (0, 1))
            if not (lhs.equal and rhs.telling):  # a left side that is no random number
                lefts[value] = lhs
            if not rhs.equal:
                rights[value] = rhs
        return untold(lefts, self.kind.along) or untold(rights, self.kind.along)

    def _growth(self, ratios: Sequence[Ratioed], sure: float) -> Growth | None:
        """How the positive ratios grow; None where there are too few."""
        some = [each for each in ratios if each.ratio > 0.0]
        if len(some) < FEWEST:
            return None
        worst = max(each.error / each.ratio for each in some)  # one search that differs says how sure the others are
        share = [each.error / each.ratio if self.draws else worst for each in some]
        n, ratio = (np.array(column) for column in zip(*((each.at, each.ratio) for each in some), strict=True))
        return growth(n.astype(float), ratio, np.array(share) * ratio, CONFIDENCE, sure=sure)

    def _sure(self, rows: Sequence[Row]) -> float:
        """The confidence with which this look may refute; look r may spend 1/(r (r + 1)) of the level."""
        look = max(self._rounds(rows), 1)
        share = self.settings.alpha / (self.settings.family * len(self.claim.groups()) * look * (look + 1))
        return 1.0 - 2.0 * share

    def _status(self, rows: Sequence[Row]) -> tuple[Status, Growth | None]:
        ratios = self._ratios(rows)
        if any(math.isinf(each.ratio) for each in ratios):
            return Status.REFUTED, None
        if not self.draws and all(each.clear and each.ratio <= 0.0 for each in ratios):
            return Status.HOLDS, None
        grows = self._growth(ratios, self._sure(rows))
        if grows is None or self._untold(rows):
            return Status.UNDECIDED, grows
        if grows.endless and ratios[-1].ratio > 0.0:
            return Status.REFUTED, grows
        return (Status.HOLDS if grows.bounded(self.kind.margin) else Status.UNDECIDED), grows

    def verdict(self, rows: Sequence[Row]) -> CellVerdict[Ratios, NoConstant]:
        status, grows = self._status(rows)
        ratios = self._ratios(rows)
        largest = max(each.ratio for each in ratios)
        cell = CellVerdict(
            self.params,
            status,
            trials=sum(each.tries for each in ratios),
            worst_ratio=largest if math.isfinite(largest) else None,
            reason=self._undecided(grows, self._untold(rows)) if status is Status.UNDECIDED else "",
            details=self._details(ratios, grows),
        )
        if status is not Status.REFUTED:
            return cell
        shown = [each for each in ratios if math.isinf(each.ratio)][:1] or ratios
        values = {self.name_of(each.at, name): value for each in shown for name, value in each.values.items()}
        return msgspec.structs.replace(
            cell,
            counterexample=NoConstant(
                values=values,
                n=[each.at for each in shown],
                ratio=[each.ratio if math.isfinite(each.ratio) else None for each in shown],
            ),
            replay=self.replay_line(values, *self._trials(ratios)),
        )

    def _trials(self, ratios: Sequence[Ratioed]) -> tuple[str, ...]:
        return ("--trials", str(FRESH * max(each.tries for each in ratios))) if self.draws else ()

    def _details(self, ratios: Sequence[Ratioed], grows: Growth | None) -> Ratios:
        finite = [each for each in ratios if math.isfinite(each.ratio)]
        n, ratio = [each.at for each in finite], [each.ratio for each in finite]
        return Ratios(
            along=self.kind.along,
            n=n,
            ratio=ratio,
            error=[each.error for each in finite],
            constant=max((each.ratio for each in ratios), default=None),
            margin=self.kind.margin,
            exponent=grows.fit.exponent if grows else None,
            interval=(grows.fit.low, grows.fit.high) if grows else (None, None),
            slopes=[float(slope) for slope in local_slopes(np.array(n), np.array(ratio))],
            growing=self._growing(grows) if grows and grows.endless else "",
            tries=sum(each.tries for each in ratios),
        )

    def _growing(self, grows: Growth) -> str:
        """How an endless growth goes on, in words."""
        along = self.kind.along
        if grows.steep:
            return f"{FASTER} than {along}^{STEEP:g}"
        return f"with {along}" if grows.steady == "n" else f"with log {along}"

    def _undecided(self, grows: Growth | None, silent: str) -> str:
        """What was computed, and what would settle it."""
        along, axis = self.kind.along, self.axis()
        larger = f"larger {along} than {axis[-1]:g}"
        if silent:
            return f"{silent}: more replicates (--budget) would settle it"
        if grows is None:
            error = "its error" if self.draws else "rounding"
            return (
                f"the ratio is positive and clear of {error} at fewer than {FEWEST} values of {along}: too few to fit"
            )
        low, high = grows.fit.low, grows.fit.high
        if grows.fit.low > self.kind.margin or (grows.grown and grows.doubtful):
            why = "its growth fades" if grows.unbounded else "a bounded curve describes it as well"
            if axis[-1] < NARROW * axis[0]:
                why = f"the grid ends at {axis[-1] / axis[0]:.3g} times its smallest {along}"
            return f"the ratio grows with an exponent in [{low:.3f}, {high:.3f}], but {why}: {larger} would settle it"
        more = "more replicates (--budget) or " if self.draws else ""
        return (
            f"the 99 % interval [{low:.3f}, {high:.3f}] of the growth exponent extends beyond the margin "
            f"{self.kind.margin:g}: {more}{larger} would settle it"
        )

    def replay(self, values: Instance, trials: int, seed: int) -> Replayed:
        """The ratios at given values, or on fresh draws."""
        ratios = self._redrawn(trials, seed) if self.draws else self._revisited(values)
        grows = None if any(math.isinf(each.ratio) for each in ratios) else self._growth(ratios, CONFIDENCE)
        refuting = any(math.isinf(each.ratio) for each in ratios) or (grows is not None and grows.endless)
        return Replayed(n=[each.at for each in ratios], ratio=[each.ratio for each in ratios], refuting=refuting)

    def _redrawn(self, trials: int, seed: int) -> list[Ratioed]:
        reps = max(trials // len(self.axis()), 2)
        tasks = [Point(index=f"replay-{seed}", at=value, reps=reps) for value in self.axis()]
        return self._ratios([Row(task, self._point(task), 0.0) for task in tasks])

    def _revisited(self, values: Instance) -> list[Ratioed]:
        """The ratios at the values of a counterexample, `{"n=10: x": ...}`."""
        revisited = []
        for value in self.axis():
            spaces, own = self.parts(value).spaces, self.own(values, value)
            if spaces and not own:
                continue
            check_instance(self.claim, spaces, load([own]) if own else {})
            ratio = ratio_at(self.claim, self.at(value), self.kind, self.parts(value), own)
            revisited.append(Ratioed(value, ratio.value, 0.0, own, 1))
        if not revisited:
            key = self.name_of(self.axis()[0], "x")
            raise ClaimError(f"claim {self.claim.key!r} needs values named as in {key!r}; give them in --values.")
        return revisited


def _largest(value: float, ratios: Sequence[Ratio]) -> Ratioed:
    """The largest of the ratios that independent searches have found; they differ by its error."""
    best = max(ratios, key=lambda each: each.value)
    least = min(each.value for each in ratios)
    error = best.value - least if math.isfinite(best.value) else 0.0
    tries = sum(each.evaluations for each in ratios)
    return Ratioed(value, best.value, error, best.values, tries, all(each.clear for each in ratios))
