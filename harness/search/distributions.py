"""What a search over distributions climbs: a statistic of both sides over common random numbers."""

import contextlib
import heapq
import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, NoiseLevel
from harness.certify.rounding.trials import chance_rounding, chances_otherwise, trial_noise, undone
from harness.errors import ClaimError
from harness.evidence.ratios import LARGEST_LOG, Ordered, log_ratios
from harness.language.evaluation import Sides, evaluate
from harness.language.outcomes import Endless, Outcomes, counted
from harness.language.quantifiers import Draw, stream
from harness.language.recorded import Recorder
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.numbers import claim_at
from harness.search.objective import MEMORY, NEARLY, SMALLEST, Batch
from harness.search.population import Population, joined

TIED = -1e6  # the score of a distribution under which both sides are equal in almost every trial
ALL_TIES = 0.01
FEW = 6  # lines along which suprema within are searched
PROBED = 61
FEWEST = 67  # replicates, however much memory they take
REMEMBERED = 32  # distributions that are worst by another statistic
AS_GOOD = 2  # times as many outcomes as replicates are worth the exactness
RECALLED = 64 * 2**20  # bytes of sides that a search keeps for distributions that it meets again
KEPT = 4 * RECALLED  # bytes of random numbers, from which on no more are kept
OFF, BESIDE = (1e-6, 1e-4, 1e-2), 16  # how far off a tie distributions are tried, in sizes of their sets; how many
FAMILIAR = 16  # after so many measurements rounding is known where it is usual, and ties are


@dataclass(frozen=True)
class Sample:
    """Both sides of replicates, and which of them are finite; with `weights` they are outcomes of that probability.

    `noise` is how far rounding may take the mean of lhs - rhs; 0 where none was looked for. `others` are the
    probabilities rounded differently, `(k, outcomes)`; None where they were not looked for.
    """

    lhs: np.ndarray
    rhs: np.ndarray
    finite: np.ndarray
    weights: np.ndarray | None = None
    noise: float = 0.0
    others: np.ndarray | None = None

    @property
    def only_finite(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Both sides and the probabilities, where both sides are finite."""
        shares = None if self.weights is None else self.weights[self.finite]
        return self.lhs[self.finite], self.rhs[self.finite], shares

    @cached_property
    def log_ratios(self) -> np.ndarray:
        """log(lhs/rhs), cut at +- LARGEST_LOG."""
        return np.where(self.finite, log_ratios(self.lhs, self.rhs), -LARGEST_LOG)

    @cached_property
    def ordered(self) -> Ordered:
        """The log-ratios in order, for their quantiles."""
        return Ordered.of(self.log_ratios, self.weights)

    def rounding(self, values: np.ndarray) -> float:
        """How far rounding of the probabilities may take the mean of these values over the finite outcomes."""
        if self.others is None or self.weights is None:
            return 0.0
        return chance_rounding(self.weights[self.finite], self.others[:, self.finite], values)

    def share(self, event: np.ndarray) -> float:
        """How often an event happens: in which share of the replicates, or with which probability."""
        if self.weights is None:
            return np.count_nonzero(event) / len(event)
        return float((event * self.weights).sum() / self.weights.sum())


Statistic: TypeAlias = Callable[[Sample], float]
"""How bad a distribution is for a claim; larger is worse."""


def fitting(cost: int) -> int:
    """How many replicates of so many bytes a search makes at once."""
    return int(max(MEMORY // (4 * max(cost, 1)), FEWEST))


@dataclass(frozen=True)
class Scored:
    """The sample of one distribution with ties made equal, whether it is little else, and its left sides before."""

    sample: Sample
    alike: bool
    plain: np.ndarray

    @property
    def drawn(self) -> tuple[Sides, Tensor | None]:
        """Both sides as they were, and the probabilities of outcomes."""
        weights = self.sample.weights
        sides = Sides(torch.from_numpy(self.plain), torch.from_numpy(self.sample.rhs))
        return sides, None if weights is None else torch.from_numpy(weights)

    @property
    def nbytes(self) -> int:
        """Bytes, at most: sides, left ones before, logarithms of ratios, probabilities; the last two in order, too."""
        return 7 * self.plain.nbytes + self.sample.finite.nbytes


@dataclass
class Usual:
    """What all searches of one cell have met so far.

    The same integers, signs and ends of intervals are met again and again, by one statistic after another; on the same
    random numbers a distribution has the same sides. Those met last are kept, `RECALLED` bytes of them.
    """

    # random numbers, by the key of their draws and how many replicates there are
    numbers: dict[tuple[tuple[object, ...], int], dict[Any, np.ndarray]] = field(default_factory=dict)
    typical: float = 0.0  # the largest median size of the sides
    measured: int = 0  # distributions whose rounding was measured
    rounding: float = 0.0  # the largest share of both sides that it was found to be, where it is small
    floor: float = 0.0  # the largest one beside unusually small sides
    recent: OrderedDict[tuple[object, ...], Scored | None] = field(default_factory=OrderedDict)
    held: int = 0  # bytes

    def recalled(self, name: tuple[object, ...], judge: Callable[[], Scored | None]) -> Scored | None:
        """What is known by that name, or what `judge` finds; None for a distribution that is nowhere finite."""
        if name in self.recent:
            self.recent.move_to_end(name)
            return self.recent[name]
        found = self.recent[name] = judge()
        self.held += found.nbytes if found else 0
        while self.held > RECALLED:
            _, oldest = self.recent.popitem(last=False)
            self.held -= oldest.nbytes if oldest else 0
        return found

    def level(self, size: np.ndarray, *, small: bool) -> np.ndarray:
        """The rounding to expect in trials with sides of this size."""
        return np.maximum(self.rounding * size, self.floor if small else 0.0)


@dataclass
class DistributionObjective:
    """Score of one distribution at a time, on common random numbers, or on all outcomes where they are few.

    Where both sides are equal, or unusually small, in many trials, and at a `champion`, the rounding of a few trials is
    measured first: trials within it are ties, and a distribution of nothing but ties is never the worst one, unless the
    few other trials alone make it `notable`. More than `chunk` replicates are drawn in parts. What is worst by another
    statistic, `beside` the first one, is remembered among all that it was asked about.
    """

    claim: Claim
    params: Parameters
    spaces: tuple[Space, ...]
    reps: int
    key: tuple[object, ...]
    statistic: Statistic
    device: str = "cpu"
    notable: float = math.inf
    chunk: int = 2**62
    beside: Statistic | None = None
    usual: Usual = field(default_factory=Usual)
    events: bool = False  # whether the left side is an event, which rounding undoes or not
    remembered: list[tuple[float, int, Batch]] = field(default_factory=list)  # a heap, the best by it last to go
    differentiable: bool = False
    evaluations: int = 0
    peak: float = -math.inf  # the largest score with the rounding of probabilities measured: less need not be
    outcomes: list[int] | None = None  # how many each draw has; empty where there are too many; None before it is known

    def scores(self, values: Batch, batch: int) -> Tensor:
        with torch.no_grad():
            found = [self._one({k: v[i : i + 1] for k, v in values.items()}) for i in range(batch)]
        return torch.tensor(found, dtype=torch.float64)

    def inside(self, values: Batch, batch: int) -> Tensor:
        return torch.isfinite(self.scores(values, batch))

    def champion(self, values: Batch, batch: int, above: float = -math.inf) -> Population:
        """The worst of a few distributions, each with its rounding measured as long as it leads, and is `above`."""
        plain = self.scores(values, batch)
        best, height = int(plain.argmax()), -math.inf
        for index in torch.argsort(plain, descending=True, stable=True).tolist():
            if float(plain[index]) <= max(height, above):
                break
            score = self.surely({k: v[index : index + 1] for k, v in values.items()})
            if score > height:
                best, height = index, score
        chosen = {name: value[best : best + 1] for name, value in values.items()}
        led = float(plain[best]) > self.notable >= height
        if led and (off := self._off_ties(chosen)) and off[1] > max(height, above):
            chosen, height = off
        return Population(chosen, torch.tensor([height], dtype=torch.float64))

    def _off_ties(self, chosen: Batch) -> tuple[Batch, float] | None:
        """The worst distribution near one that only ties make bad, with its rounding measured; None where none is.

        Events that jump at a tie are worst at the tie, where rounding decides them, and as bad on one side of it.
        """
        rng, smooth = stream(*self.key, "off ties"), [space for space in self.spaces if space.smooth]
        if not smooth:
            return None
        many = {name: value.expand(len(OFF) * BESIDE, *value.shape[1:]) for name, value in chosen.items()}
        near = {s.name: [s.perturb(many[s.name][:BESIDE], rng, scale) for scale in OFF] for s in smooth}
        tried = many | {name: torch.cat(parts) for name, parts in near.items()}
        scores = self.scores(tried, len(OFF) * BESIDE)
        best = {name: value[int(scores.argmax())][None] for name, value in tried.items()}
        return (best, self.surely(best)) if float(scores.max()) > self.notable else None

    def surely(self, instance: Batch) -> float:
        """The score of one distribution with its rounding measured there, whatever its sides look like."""
        with torch.no_grad():
            return self._one(instance, surely=True)

    def _one(self, instance: Batch, *, surely: bool = False) -> float:
        self.evaluations += 1
        name = self._name(instance)
        scored = self.usual.recalled(name, partial(self._judged, instance))
        if surely and scored is not None:
            scored = self._settled(instance, *scored.drawn, surely=True)
        if scored is None:
            return -math.inf
        found = self.statistic(scored.sample)
        if scored.sample.weights is not None and found > (self.notable if surely else max(self.notable, self.peak)):
            scored = self._weighed(instance, scored)
            found = self.statistic(scored.sample)
            self.peak = max(self.peak, found)
            if not surely:
                self.usual.recent[name] = scored
        if scored.alike and found <= self.notable:
            return TIED
        if self.beside is not None:
            keep = heapq.heappushpop if len(self.remembered) >= REMEMBERED else heapq.heappush
            keep(self.remembered, (self.beside(scored.sample), self.evaluations, instance))
        return found

    def _name(self, instance: Batch) -> tuple[object, ...]:
        """What the sides of a distribution depend on within one cell."""
        return (self.key, self.reps, *(instance[space.name].numpy().tobytes() for space in self.spaces))

    def _judged(self, instance: Batch) -> Scored | None:
        """The sample of one distribution; None where it is nowhere finite."""
        return self._settled(instance, *self._drawn(self._on_device(instance)))

    def _weighed(self, instance: Batch, scored: Scored) -> Scored:
        """What is known of a distribution with all its outcomes, with the rounding of their probabilities."""
        if scored.sample.others is not None:
            return scored
        values = self._on_device(instance)
        others = chances_otherwise(self.claim, self.params, self.spaces, values, self._every_outcome)
        return replace(scored, sample=replace(scored.sample, others=others.numpy()))

    def _on_device(self, instance: Batch) -> Batch:
        return {name: value.to(self.device) for name, value in instance.items()}

    def _settled(self, instance: Batch, sides: Sides, weights: Tensor | None, *, surely: bool = False) -> Scored | None:
        """Both sides with ties made equal, as the class says; with the rounding measured if `surely`."""
        lhs, rhs = sides.lhs.numpy().copy(), sides.rhs.numpy().copy()  # views keep what was made
        chances = None if weights is None else weights.numpy()
        finite = np.isfinite(lhs) & np.isfinite(rhs)
        if not (finite if chances is None else chances[finite]).any():
            return None
        if self.events:
            certain = self._without_doubt(self._on_device(instance), exact=weights is not None) if surely else lhs
            return Scored(Sample(certain, rhs, finite, chances), _all_tie(lhs == rhs, finite, chances), plain=lhs)
        with np.errstate(all="ignore"):
            size = np.where(finite, np.abs(lhs) + np.abs(rhs), 0.0)
            gap, plain = np.where(finite, np.abs(lhs - rhs), np.inf), lhs
        shares = np.ones(len(gap)) if chances is None else chances
        median = _lower_median(size[finite], None if chances is None else chances[finite])
        usual = self.usual
        usual.typical = max(usual.typical, median)
        equal, small, alike, noise = gap <= NEARLY * size, median <= NEARLY * usual.typical, False, 0.0
        if surely or small or 2 * shares[equal].sum() >= shares.sum():
            level = CLEAR * usual.level(size, small=small)
            ties = gap <= level
            clear = bool((ties | ~equal).all())
            known = usual.measured >= FAMILIAR and (clear or _all_tie(ties, finite, chances))
            if surely or not known:
                level = self._level(self._on_device(instance), size, small=small)
                ties = gap <= level
            lhs = np.where(ties & finite, rhs, lhs)  # a tie is an equality
            alike = _all_tie(ties, finite, chances)
            noise = float((shares * level)[finite].sum() / shares[finite].sum())
        return Scored(Sample(lhs, rhs, finite, chances, noise), alike, plain)

    def _without_doubt(self, instance: Batch, *, exact: bool) -> np.ndarray:
        """The events that rounding does not undo."""
        parts = []
        for draw in [self._every_outcome()] if exact else self._replicates():
            recorder = Recorder(draw)
            sides = self._sides(instance, recorder)
            event = sides.lhs.clone()
            event[undone(self.claim, self.params, self.spaces, instance, sides, recorder)] = 0.0
            parts.append(event)
        return torch.cat(parts).numpy()

    def worst_beside(self) -> Population:
        """The worst distributions by the other statistic, each once, best first; at least one was scored."""
        parts = [Population(values, torch.tensor([score], dtype=torch.float64)) for score, _, values in self.remembered]
        return joined(parts).distinct()

    def _drawn(self, instance: Batch) -> tuple[Sides, Tensor | None]:
        """Both sides of every replicate; or of every outcome, with its probability."""
        if self.outcomes is None:
            self.outcomes = self._counted(instance)
        if self.outcomes:
            draw, sides = self._every_outcome(), None
            with contextlib.suppress(Endless, ClaimError):
                sides = self._sides(instance, draw)
            if sides is not None:
                return sides, draw.chances(f"{claim_at(self.claim.key, self.params)}: ").cpu()
        parts = [self._sides(instance, draw) for draw in self._replicates()]
        return Sides(*(torch.cat([getattr(part, side) for part in parts]) for side in ("lhs", "rhs"))), None

    def _counted(self, instance: Batch) -> list[int]:
        """How many outcomes each draw has; none where replicates are cheaper."""
        with contextlib.suppress(Endless, ClaimError):
            return counted(partial(self._sides, instance), self.device, most=min(AS_GOOD * self.reps, self.chunk))
        return []

    def _every_outcome(self) -> Outcomes:
        return Outcomes(self.outcomes, self.device, most=AS_GOOD * self.reps)

    def _replicates(self) -> Iterator[Draw]:
        """Draws of all replicates, in parts where they are more than `chunk`."""
        if self.reps <= self.chunk:
            yield self._draw(self.reps, self.key)
            return
        for at in range(0, self.reps, self.chunk):
            yield self._draw(min(self.chunk, self.reps - at), (*self.key, at))

    def _draw(self, reps: int, key: tuple[object, ...]) -> Draw:
        """Replicates whose random numbers are kept for other distributions, by one statistic after another."""
        numbers, name = self.usual.numbers, (key, reps)
        held = sum(each.nbytes for part in numbers.values() for each in part.values())
        kept = numbers.setdefault(name, {}) if name in numbers or held < KEPT else None
        return Draw(reps, key, self.device, kept)

    def _sides(self, instance: Batch, draw: Any) -> Sides:
        return evaluate(self.claim, self.params, instance, draw, draw.reps, lines=FEW)

    def _level(self, instance: Batch, size: np.ndarray, *, small: bool) -> np.ndarray:
        """The rounding to expect in each trial: the largest of a few, as it is and beside both sides."""
        recorder = Recorder(Draw(PROBED, self.key, self.device))
        few = self._sides(instance, recorder)
        gap = few.lhs - few.rhs
        noise = trial_noise(self.claim, self.params, self.spaces, instance, recorder.again, gap, pairs=1)
        level = noise_level(few, noise)
        self.usual.measured += 1
        if level.relative <= NEARLY:
            self.usual.rounding = max(self.usual.rounding, level.relative)
        if small:
            self.usual.floor = max(self.usual.floor, level.absolute)
        return np.asarray(CLEAR * np.maximum(level.absolute, level.relative * size))


def _lower_median(numbers: np.ndarray, weights: np.ndarray | None) -> float:
    """The middle one in order; of two, the lower one. By weight, where there are weights."""
    if weights is None:
        middle = (len(numbers) - 1) // 2
        return float(np.partition(numbers, middle)[middle])
    order = np.argsort(numbers, kind="stable")
    below = np.cumsum(weights[order])
    return float(numbers[order[min(int(np.searchsorted(below, 0.5 * below[-1])), len(order) - 1)]])


def _all_tie(ties: np.ndarray, finite: np.ndarray, weights: np.ndarray | None) -> bool:
    """Whether what is no tie makes up less than ALL_TIES."""
    share = np.ones(len(ties)) if weights is None else weights
    return float(share[finite & ~ties].sum()) <= ALL_TIES * float(share[finite].sum())


def noise_level(sides: Sides, noise: Tensor) -> NoiseLevel:
    """The largest rounding over some trials, as it is and as a share of both sides."""
    size = sides.lhs.abs() + sides.rhs.abs()
    finite = torch.isfinite(noise) & torch.isfinite(size)
    if not bool(finite.any()):
        return NoiseLevel(0.0, 1.0)
    relative = torch.where(noise > 0.0, noise / size.clamp_min(SMALLEST), 0.0)
    return NoiseLevel(float(noise[finite].max()), min(float(relative[finite].max()), 1.0))
