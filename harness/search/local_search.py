"""Coordinate search for signs, integers, choices and ends of intervals: one or two entries, or all that help."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import torch

from harness.language.spaces import Choice, Integers, Interval, Rng, Signs, Space, tensor
from harness.search.objective import TIE, Batch, Objective
from harness.search.population import Population, joined

CLIMBERS = 8
SHORT = 8  # numbers that name an instance by themselves
PATIENCE = 4  # rounds without any gain before a climber starts again elsewhere


@dataclass(frozen=True)
class _Coordinates:
    """All entries that move by jumps, as one vector; entries of one set can be exchanged.

    Signs flip, entries of an interval go from one end to the other, integers and options of a choice move by steps.
    """

    spaces: tuple[Space, ...]
    low: np.ndarray
    high: np.ndarray
    flips: np.ndarray
    inner: np.ndarray  # whether an entry may lie anywhere between its ends

    @classmethod
    def of(cls, spaces: tuple[Space, ...]) -> "_Coordinates":
        low, high, flips, inner = [], [], [], []
        for space in spaces:
            least, most = _range(space)
            count = 1 if isinstance(space, Choice) else space.entries
            low.append(np.full(count, least))
            high.append(np.full(count, most))
            flips.append(np.full(count, isinstance(space, Signs | Interval)))
            inner.append(np.full(count, isinstance(space, Interval)))
        return cls(spaces, *map(np.concatenate, (low, high, flips, inner)))

    def alike(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Whether entries i and j take the same values."""
        parts = (self.low, self.high, self.flips, self.inner)
        return np.asarray(np.logical_and.reduce([part[i] == part[j] for part in parts]))

    def flipped(self, at: np.ndarray, old: np.ndarray) -> np.ndarray:
        """The other end; the farther one from inside an interval."""
        middle = 0.5 * (self.low[at] + self.high[at])
        return np.asarray(np.where(old > middle, self.low[at], self.high[at]))

    def flatten(self, values: Batch, index: int) -> np.ndarray:
        parts = []
        for space in self.spaces:
            x = values[space.name][index]
            if isinstance(space, Choice):
                gap = (x.reshape(1, -1) - tensor(space.options)).abs().sum(-1)
                parts.append(np.array([float(gap.argmin())]))
            else:
                parts.append(x.reshape(-1).numpy().copy())
        return np.concatenate(parts)

    def unflatten(self, vectors: np.ndarray) -> Batch:
        result: Batch = {}
        start = 0
        for space in self.spaces:
            if isinstance(space, Choice):
                rows = tensor(space.options)[torch.as_tensor(vectors[:, start].astype(int))]
                result[space.name] = rows.reshape(-1, *space.shape)
                start += 1
                continue
            stop = start + space.entries
            result[space.name] = tensor(vectors[:, start:stop]).reshape(-1, *space.shape)
            start = stop
        return result


def _range(space: Space) -> tuple[float, float]:
    if isinstance(space, Integers | Interval):
        return float(space.low), float(space.high)
    return (0.0, len(space.options) - 1.0) if isinstance(space, Choice) else (-1.0, 1.0)


def local_search(
    objective: Objective,
    rng: Rng,
    parents: Population,
    rounds: int,
    width: int,
    *,
    climbers: int = CLIMBERS,
    goal: float = 0.0,
) -> Population:
    """Climb from the best parents by changing one or two entries at a time, or all the entries that help at once.

    Every round tries `width` changes per climber in one call, then the best of them together. A climber without a gain
    for a few rounds starts again: from another parent, or from one of the best instances with a few entries changed.
    """
    discrete = tuple(space for space in objective.spaces if isinstance(space, Signs | Integers | Choice | Interval))
    if not discrete:
        return parents
    order = parents.best(len(parents.scores))
    frame = _Coordinates.of(discrete)
    found = order.best(climbers)
    values, best = {name: value.clone() for name, value in found.values.items()}, found.scores.clone()
    hall = [Population({name: value.clone() for name, value in values.items()}, best.clone())]
    stale = np.zeros(len(best), dtype=int)
    reserve, known = len(best), _Known(objective)
    for _ in range(rounds):
        for i in np.flatnonzero(stale >= PATIENCE):
            hall.append(Population({n: v[i : i + 1].clone() for n, v in values.items()}, best[i : i + 1].clone()))
            if reserve < len(order.scores) and rng.random() < 0.3:
                start = {name: value[reserve : reserve + 1] for name, value in order.values.items()}
                reserve += 1
            else:
                start = _kicked(rng, frame, hall)
            best[i], stale[i] = float(known.scores(start, 1)[0]), 0
            for name, value in values.items():
                value[i] = start[name][0]
        gained = _round(known, rng, frame, Population(values, best), width)
        stale = np.where(gained, 0, stale + 1)
        if float(best.max()) > goal:
            break
    return joined([*hall, Population(values, best)])


def _kicked(rng: Rng, frame: _Coordinates, hall: list[Population]) -> Batch:
    """One of the best instances so far with a few entries changed: the next hill is often a neighbour of this one."""
    known = joined(hall).best(2 * CLIMBERS)
    start = {name: value.clone() for name, value in known.values.items()}
    pick = int(rng.integers(0, len(known.scores)))
    vector = frame.flatten(start, pick)
    at = rng.permutation(len(vector))[: int(rng.integers(2, 5))]
    vector[at] = _changed(rng, frame, vector, at)
    return {name: value[pick : pick + 1] for name, value in start.items()} | frame.unflatten(vector[None, :])


def _round(known: "_Known", rng: Rng, frame: _Coordinates, climbers: Population, width: int) -> np.ndarray:
    """One round for all climbers; moves them in place and says who gained."""
    values, best = climbers.values, climbers.scores
    bases = [frame.flatten(values, i) for i in range(len(best))]
    trials = [_neighbours(rng, frame, base, width) for base in bases]
    scores = _scores(known, frame, values, trials)
    gains = [np.where(s > -np.inf, s - max(float(b), -1e300), -np.inf) for s, b in zip(scores, best, strict=True)]
    joint = [_together(base, t, gain) for base, t, gain in zip(bases, trials, gains, strict=True)]
    more = _scores(known, frame, values, joint)
    gained = np.zeros(len(best), dtype=bool)
    for i in range(len(best)):
        candidates, marks = np.concatenate([trials[i], joint[i]]), np.concatenate([scores[i], more[i]])
        top = int(marks.argmax())
        if marks[top] >= float(best[i]):  # along a plateau too
            gained[i] = marks[top] > float(best[i])
            best[i] = float(marks[top])
            for name, value in frame.unflatten(candidates[top : top + 1]).items():
                values[name][i] = value[0]
    return gained


def _scores(known: "_Known", frame: _Coordinates, values: Batch, trials: list[np.ndarray]) -> list[np.ndarray]:
    owner = torch.as_tensor(np.repeat(np.arange(len(trials)), [len(t) for t in trials]))
    if len(owner) == 0:
        return [np.zeros(0) for _ in trials]
    instances = {name: value[owner] for name, value in values.items()}
    instances |= frame.unflatten(np.concatenate(trials))
    return np.split(known.scores(instances, len(owner)), np.cumsum([len(t) for t in trials])[:-1])


class _Known:
    """Scores by instance: few entries have few changes, and a climber without a gain tries them again.

    What scores TIE is evaluated again: it may be no tie, but one whose rounding was not measured yet.
    """

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.found: dict[bytes, float] = {}

    def scores(self, values: Batch, batch: int) -> np.ndarray:
        """The score of each instance, `(batch,)`; none is evaluated twice."""
        names = _names(values, batch)
        fresh = {name: i for i, name in enumerate(names) if self.found.get(name, TIE) == TIE}
        if fresh:
            some = torch.tensor(list(fresh.values()))
            with torch.no_grad():
                marks = self.objective.scores({name: value[some] for name, value in values.items()}, len(some))
            self.found.update(zip(fresh, marks.tolist(), strict=True))
        return np.array([self.found[name] for name in names])


def _names(values: Batch, batch: int) -> list[bytes]:
    """Each instance by its numbers, or by their digest where these are many."""
    rows = np.concatenate([value.reshape(batch, -1).numpy() for value in values.values()], axis=1)
    if rows.shape[1] <= SHORT:
        return [row.tobytes() for row in rows]
    return [blake2b(row, digest_size=16).digest() for row in rows]


def _neighbours(rng: Rng, frame: _Coordinates, base: np.ndarray, width: int) -> np.ndarray:
    """Half single changes, half changes of two entries: exchanged, moved together, or moved against each other."""
    size = len(base)
    singles = max(width // 2, 1) if size > 1 else width
    trials = np.repeat(base[None, :], width, axis=0)
    first = np.resize(rng.permutation(size), singles)
    rows = np.arange(singles)
    trials[rows, first] = _changed(rng, frame, base, first)
    if size == 1:
        return trials
    rows = np.arange(singles, width)
    i = rng.integers(0, size, len(rows))
    j = (i + rng.integers(1, size, len(rows))) % size
    both = rng.integers(0, 3, len(rows))
    swap = (both == 0) & frame.alike(i, j)
    step = rng.choice([-1.0, 1.0], len(rows)) * rng.integers(1, 4, len(rows))
    other = step * np.where(both == 1, 1.0, -1.0) * rng.integers(1, 4, len(rows))
    one = np.where(swap, base[j], np.where(frame.flips[i], frame.flipped(i, base[i]), base[i] + step))
    two = np.where(swap, base[i], np.where(frame.flips[j], frame.flipped(j, base[j]), base[j] + other))
    trials[rows, i] = np.clip(one, frame.low[i], frame.high[i])
    trials[rows, j] = np.clip(two, frame.low[j], frame.high[j])
    return trials


def _changed(rng: Rng, frame: _Coordinates, base: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A sign or an end flipped; an integer moved by steps of all sizes, or anywhere."""
    low, high, old = frame.low[at], frame.high[at], base[at]
    reach = np.exp(rng.random(len(at)) * np.log(np.maximum(high - low, 1.0)))
    moved = old + rng.choice([-1.0, 1.0], len(at)) * np.floor(reach)
    anywhere = np.floor(low + rng.random(len(at)) * (high - low + 1.0))
    new = np.where(rng.random(len(at)) < 0.7, moved, anywhere)
    return np.asarray(np.clip(np.where(frame.flips[at], frame.flipped(at, old), new), low, high))


def _together(base: np.ndarray, trials: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """The changes that help, best first, applied together while they touch different entries: 2, 4, 8, ... of them."""
    joint, touched, results, used = base.copy(), np.zeros(len(base), dtype=bool), [], 0
    for row in np.argsort(-gains, kind="stable"):
        if not gains[row] > 0.0:
            break
        changed = trials[row] != base
        if (changed & touched).any():
            continue
        joint = np.where(changed, trials[row], joint)
        touched |= changed
        used += 1
        if used & (used - 1) == 0 and used > 1:
            results.append(joint)
    if used > 1:
        results.append(joint)
    return np.array(results).reshape(-1, len(base))
