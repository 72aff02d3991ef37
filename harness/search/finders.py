"""Four ways to look for trouble. Each takes an objective and returns the instances with the highest scores."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from scipy.stats import qmc
from torch import Tensor

from harness.errors import ClaimError
from harness.language.spaces import Choice, Integers, Interval, Rng, Space, axes_of, tensor
from harness.search.objective import TIE, Batch, Objective, Sloped
from harness.search.structure import structured

KEEP = 16
LOOKED_AT = 512  # of the best instances, when starts are chosen
ATTAINED = 1e-7  # scores so close to zero are equality
IDLE, GAIN = 30, 1e-7  # an ascent ends after so many steps without such a gain, in log-ratio, of any start
BARREN = 30  # generations in which no member gains
FALLS = 3  # times that an ascent may step into rounding before it is given up
NEXT_TO = 0.02  # of a set's size: closer instances share a basin
_TINY = (1e-300, 1e-200, 1e-154, 1e-120, 1e-77, 1e-40, 1e-20, 2.0**-53, 1e-12, 1e-8, 1e-4)
_PLAIN = (0.0, 0.1, 1.0 / 3.0, 0.5, 1.0 - 2.0**-53, 1.0, 1.0 + 2.0**-52, 2.0, 10.0)
AWKWARD = np.array([*_TINY, *_PLAIN, 1e8, 1e16, 1e77, 1e154])


@dataclass(frozen=True)
class Finds:
    """Instances and their scores, best first."""

    values: Batch
    scores: Tensor

    def best(self, count: int) -> "Finds":
        order = torch.argsort(self.scores, descending=True, stable=True)[:count]
        return Finds({name: value[order] for name, value in self.values.items()}, self.scores[order])

    def niches(self, count: int, spaces: tuple[Space, ...]) -> "Finds":
        """The best, but of every option and every small pattern of integers and signs first the best one.

        Of the rest, those that are not next to a better one come first: most promising basins, not only the best.
        """
        order = torch.argsort(self.scores, descending=True, stable=True)[:LOOKED_AT]
        patterns = _columns([s for s in spaces if not s.smooth], self.values, order)
        points = _columns([s for s in spaces if s.smooth], self.values, order)
        attained = (self.scores[order].abs() <= ATTAINED).numpy()
        seen: set[bytes] = set()
        leaders: list[int] = []
        for i in range(len(order)):
            if len(leaders) >= max(count - count // 4, 1):
                break
            if attained[i] and attained[leaders].sum() >= count // 4:
                continue  # equality has no slope: other starts may lead beyond it
            key = patterns[i].tobytes()
            fresh = patterns.shape[1] > 0 and key not in seen and len(seen) < count // 2
            distance = np.abs(points[leaders] - points[i]).max(-1, initial=0.0) if leaders else np.ones(1)
            if fresh or (points.shape[1] > 0 and distance.min() > NEXT_TO):
                seen.add(key)
                leaders.append(i)
        others = [i for i in range(len(order)) if i not in set(leaders)]
        others.sort(key=lambda i: bool(attained[i]))
        chosen = order[torch.tensor(sorted([*leaders, *others[: max(count - len(leaders), 0)]]), dtype=torch.long)]
        return Finds({name: value[chosen] for name, value in self.values.items()}, self.scores[chosen])

    def distinct(self) -> "Finds":
        """Every instance once, best first: the same integers and signs are found again and again."""
        best = self.best(len(self.scores))
        rows = torch.cat([value.reshape(len(best.scores), -1) for value in best.values.values()], dim=1).numpy()
        first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
        kept = torch.as_tensor(first)
        return Finds({name: value[kept] for name, value in best.values.items()}, best.scores[kept])

    @property
    def top(self) -> float:
        return float(self.scores.max()) if len(self.scores) else float("-inf")


def _columns(spaces: list[Space], values: Batch, rows: Tensor) -> np.ndarray:
    """Some instances as rows of numbers, in units of the sets' sizes."""
    parts = [values[s.name][rows].reshape(len(rows), -1).numpy() / (s.size or 1.0) for s in spaces]
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))


def joined(parts: list[Finds]) -> Finds:
    """Several finds as one."""
    values = {name: torch.cat([part.values[name] for part in parts]) for name in parts[0].values}
    return Finds(values, torch.cat([part.scores for part in parts]))


def hard(objective: Objective, rng: Rng, count: int) -> Finds:
    """Structured instances; every hand-written choice meets several of them."""
    options = max((len(s.options) for s in objective.spaces if isinstance(s, Choice)), default=1)
    batch = max(count, options)
    values = {space.name: space.corners(rng, batch) for space in objective.spaces}
    half = batch // 2
    drawn = {space.name: space.sample(rng, batch - half) for space in objective.spaces}
    related = structured(objective.spaces, rng, drawn)
    for space in objective.spaces:
        keep = half if not isinstance(space, Choice) else batch
        values[space.name] = torch.cat([values[space.name][:keep], related[space.name][: batch - keep]])
    return _scored(objective, values, batch)


def edges(objective: Objective, rng: Rng, count: int) -> Finds:
    """Edge cases of floating point: a few awkward numbers per instance, repeated over its entries.

    Squares that underflow, differences that cancel, near ties, signed zeros: where algorithms leave the real numbers.
    """
    values = {space.name: _awkward(space, rng, count) for space in objective.spaces}
    return _scored(objective, values, count)


def _awkward(space: Space, rng: Rng, count: int) -> Tensor:
    if not space.smooth:
        return space.sample(rng, count)
    palette = rng.choice(AWKWARD, (count, 3)) * rng.choice([-1.0, 1.0], (count, 3))
    anchors = [0.0, 0.0, space.low, space.high] if isinstance(space, Interval) else [0.0]
    palette = palette + rng.choice(anchors, (count, 1))
    pick = rng.integers(0, rng.integers(1, 4, (count, 1)), (count, space.entries))  # one, two or three of them
    return space.project(tensor(np.take_along_axis(palette, pick, axis=1)).reshape(count, *space.shape))


def scatter(objective: Objective, rng: Rng, count: int) -> Finds:
    """Half low-discrepancy points, half a mixture of scales, of which some are structured."""
    even = count // 2
    values = low_discrepancy(objective.spaces, rng, even)
    mixed = structured(objective.spaces, rng, {s.name: s.sample(rng, count - even) for s in objective.spaces})
    return _scored(objective, {name: torch.cat([values[name], mixed[name]]) for name in values}, count)


def low_discrepancy(spaces: tuple[Space, ...], rng: Rng, count: int) -> Batch:
    """Scrambled Sobol points mapped to the joint set; plain random points beyond 64 coordinates."""
    dimension = sum(space.dimension for space in spaces)
    if dimension <= 64:
        power = int(np.ceil(np.log2(max(count, 1))))
        cube = qmc.Sobol(dimension, rng=rng).random_base2(power)[:count]
    else:
        cube = rng.random((count, dimension))
    return {space.name: space.from_unit(cube[:, axis]) for space, axis in axes_of(spaces)}


def ascend(objective: Sloped, starts: Finds, steps: int) -> Finds:
    """Projected gradient ascent from many starts at once, each with its own step, kept only when it climbs."""
    smooth = {space.name: space for space in objective.spaces if space.smooth}
    values, best = dict(starts.values), starts.scores.clone()
    batch = len(best)
    step = torch.full((batch,), 0.1, dtype=torch.float64)
    stale = torch.ones(batch, dtype=torch.bool)
    directions: Batch = {}
    fell, retired = torch.zeros(batch, dtype=torch.long), torch.zeros(batch, dtype=torch.bool)
    idle = 0
    for _ in range(steps):
        if idle >= IDLE or bool(retired.all()):
            break
        if bool(stale.any()):
            gradient = _directions(objective, values, list(smooth))
            if gradient is None:
                break
            directions = gradient
        trial = dict(values)
        for name, space in smooth.items():
            move = _column(step, values[name]) * space.size * directions[name]
            trial[name] = torch.where(_column(retired, move), values[name], space.project(values[name] + move))
        with torch.no_grad():
            found = objective.scores(trial, batch)
        fell += (found == TIE).long()
        retired = (fell >= FALLS) | ((best <= 0.0) & (best > -ATTAINED))  # at equality nothing is left to climb
        better = found > best
        idle = 0 if bool((found > best + GAIN).any()) else idle + 1
        values = {name: torch.where(_column(better, value), trial[name], value) for name, value in values.items()}
        best = torch.where(better, found, best)
        step = torch.where(better, 1.5 * step, 0.4 * step).clamp(1e-12, 2.0)
        step = torch.where(step < 1e-10, 0.1, step)
        stale = better
    return Finds(values, best)


def evolve(objective: Objective, rng: Rng, parents: Finds, generations: int) -> Finds:
    """Differential evolution with local moves: needs no gradient and changes integers and signs too."""
    values, best = dict(parents.values), parents.scores.clone()
    size = len(best)
    idle = 0
    for generation in range(generations):
        if idle >= BARREN:
            break
        scale = 10.0 ** -rng.uniform(0.0, 1.0 + 3.0 * generation / max(generations, 1))
        mates = rng.integers(0, size, (3, size))
        child: Batch = {}
        for space in objective.spaces:
            value = values[space.name]
            numbers = isinstance(space, Integers) or space.smooth
            if numbers and rng.random() < 0.5:
                weight = float(rng.uniform(0.2, 1.0)) if space.smooth else 1.0
                child[space.name] = space.project(value[mates[0]] + weight * (value[mates[1]] - value[mates[2]]))
            else:
                child[space.name] = space.perturb(value, rng, scale)
            keep = _column(torch.as_tensor(rng.random(size) < 0.3), value)
            child[space.name] = torch.where(keep, value, child[space.name])
        if generation % 4 == 3:
            child = structured(objective.spaces, rng, child)
        with torch.no_grad():
            found = objective.scores(child, size)
        better = found > best
        idle = 0 if bool((found > best + GAIN).any()) else idle + 1
        values = {name: torch.where(_column(better, value), child[name], value) for name, value in values.items()}
        best = torch.where(better, found, best)
    return Finds(values, best)


def _scored(objective: Objective, values: Batch, batch: int) -> Finds:
    with torch.no_grad():
        return Finds(values, objective.scores(values, batch))


def _directions(objective: Sloped, values: Batch, smooth: list[str]) -> Batch | None:
    """Ascent direction of each variable and start, of largest entry 1; None when the claim has no gradient at all."""
    gradients = gradient_of(objective.heights, values, smooth)
    if gradients is None:
        return None
    for name, gradient in gradients.items():
        norm = gradient.reshape(len(gradient), -1).abs().amax(-1).clamp_min(1e-300)
        gradients[name] = gradient / _column(norm, gradient)
    return gradients


def gradient_of(function: Callable[[Batch, int], Tensor], values: Batch, smooth: list[str]) -> Batch | None:
    """Gradient of each instance's value in each variable, non-finite entries as zero; None where there is none."""
    leaves = {name: value.clone().requires_grad_(name in smooth) for name, value in values.items()}
    batch = len(next(iter(values.values())))
    try:
        found = function(leaves, batch)
        if not found.requires_grad:
            return None
        total = torch.where(torch.isfinite(found), found, 0.0).sum()
        gradients = torch.autograd.grad(total, [leaves[name] for name in smooth], allow_unused=True)
    except (ClaimError, RuntimeError):  # the same values passed without a gradient: the body leaves torch on the way
        return None
    result: Batch = {}
    for name, gradient in zip(smooth, gradients, strict=True):
        empty = torch.zeros_like(values[name])
        result[name] = empty if gradient is None else torch.nan_to_num(gradient, nan=0.0, posinf=0.0, neginf=0.0)
    return result


def _column(vector: Tensor, like: Tensor) -> Tensor:
    return vector.reshape(-1, *(1 for _ in range(like.ndim - 1)))
