"""Instances and their scores: what every finder takes and returns, as tensors and as joint vectors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.spaces import Space
from harness.search.objective import Batch, Objective

KEEP = 16
LOOKED_AT = 512  # of the best instances, when starts are chosen
ATTAINED = 1e-7  # scores so close to zero are equality
GAIN = 1e-7  # in log-ratio: what a finder must gain in a while to go on
NEXT_TO = 0.02  # of a set's size: closer instances share a basin


@dataclass(frozen=True)
class Population:
    """Instances and their scores, best first."""

    values: Batch
    scores: Tensor

    def best(self, count: int) -> "Population":
        return self.take(torch.argsort(self.scores, descending=True, stable=True)[:count])

    def take(self, index: Tensor) -> "Population":
        """The instances at some places."""
        return Population({name: value[index] for name, value in self.values.items()}, self.scores[index])

    def niches(self, count: int, spaces: tuple[Space, ...]) -> "Population":
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
        return self.take(chosen)

    def apart(self, count: int, spaces: tuple[Space, ...], distance: float) -> "Population":
        """The best, and the next best that are further than `distance`, in sizes of the sets, from all chosen."""
        order = torch.argsort(self.scores, descending=True, stable=True)
        points = _columns(list(spaces), self.values, order)
        far = np.ones(len(order), dtype=bool)
        chosen: list[int] = []
        while len(chosen) < count and bool(far.any()):
            chosen.append(int(far.argmax()))
            far &= np.abs(points - points[chosen[-1]]).max(-1) > distance
        return self.take(order[torch.tensor(chosen, dtype=torch.long)])

    def distinct(self) -> "Population":
        """Every instance once, best first: the same integers and signs are found again and again."""
        best = self.best(len(self.scores))
        rows = torch.cat([value.reshape(len(best.scores), -1) for value in best.values.values()], dim=1).numpy()
        first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
        return best.take(torch.as_tensor(first))

    @property
    def top(self) -> float:
        return float(self.scores.max()) if len(self.scores) else float("-inf")


def _columns(spaces: list[Space], values: Batch, rows: Tensor) -> np.ndarray:
    """Some instances as rows of numbers, in units of the sets' sizes."""
    parts = [values[s.name][rows].reshape(len(rows), -1).numpy() / (s.size or 1.0) for s in spaces]
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))


def joined(parts: list[Population]) -> Population:
    """Several finds as one."""
    values = {name: torch.cat([part.values[name] for part in parts]) for name in parts[0].values}
    return Population(values, torch.cat([part.scores for part in parts]))


def scored(objective: Objective, values: Batch, batch: int) -> Population:
    with torch.no_grad():
        return Population(values, objective.scores(values, batch))


def gradient_of(function: Callable[[Batch, int], Tensor], values: Batch, smooth: list[str]) -> Batch | None:
    """Gradient of each instance's value in each variable, non-finite entries as zero; None where there is none."""
    return sloped(function, values, smooth)[1]()


def sloped(
    function: Callable[[Batch, int], Tensor], values: Batch, smooth: list[str]
) -> tuple[Tensor, Callable[[], Batch | None]]:
    """Each instance's value, and what gives the gradient of these values, from one evaluation."""
    leaves = {name: value.clone().requires_grad_(name in smooth) for name, value in values.items()}
    batch = len(next(iter(values.values())))
    try:
        found = function(leaves, batch)
    except (ClaimError, RuntimeError):  # where these values pass without a gradient, the body leaves torch on the way
        with torch.no_grad():
            return function(values, batch), lambda: None

    def gradients() -> Batch | None:
        if not found.requires_grad:
            return None
        try:
            total = torch.where(torch.isfinite(found), found, 0.0).sum()
            parts = torch.autograd.grad(total, [leaves[name] for name in smooth], allow_unused=True)
        except RuntimeError:
            return None
        result: Batch = {}
        for name, part in zip(smooth, parts, strict=True):
            empty = torch.zeros_like(values[name])
            result[name] = empty if part is None else torch.nan_to_num(part, nan=0.0, posinf=0.0, neginf=0.0)
        return result

    return found.detach(), gradients


def column(vector: Tensor, like: Tensor) -> Tensor:
    return vector.reshape(-1, *(1 for _ in range(like.ndim - 1)))


def flatten(spaces: tuple[Space, ...], values: Batch) -> Tensor:
    """The joint vectors of several sets, `(batch, entries)`, in units of the sets' sizes."""
    return torch.cat([values[s.name].reshape(len(values[s.name]), -1) / unit(s) for s in spaces], dim=1)


def unflatten(spaces: tuple[Space, ...], points: Tensor) -> Batch:
    """Joint vectors as elements of the sets, projected where they lie outside."""
    parts = torch.split(points, [space.entries for space in spaces], dim=1)
    return {s.name: s.project((part * unit(s)).reshape(-1, *s.shape)) for s, part in zip(spaces, parts, strict=True)}


def unit(space: Space) -> float:
    """The length that joint vectors are measured in."""
    return space.size if space.size > 0.0 else 1.0
