"""Quasi-Newton ascent from many starts at once: follows ill-conditioned slopes that plain ascent only zigzags along."""

from collections.abc import Callable, Iterable
from typing import Protocol

import torch
from torch import Tensor

from harness.language.spaces import Interval, Space
from harness.search.objective import TIE, Batch, Sloped
from harness.search.population import ATTAINED, GAIN, Population, column, flatten, sloped, unflatten, unit

FIRST_MOVE = 0.05  # of a set's size
SHORTEST = 1e-8
DENSE = 64  # coordinates up to which a whole inverse Hessian is kept
MEMORY_PAIRS = 10
MOST_COORDINATES = 100_000
IDLE = 30  # an ascent ends after so many steps in which no start gains
FALLS = 3  # times that an ascent may step into rounding before it is given up


class _Curvature(Protocol):
    """What the ascent remembers of the inverse Hessian of minus the height, one per start."""

    def direction(self, slope: Tensor) -> Tensor: ...

    def learn(self, rows: Tensor, move: Tensor, bend: Tensor) -> None: ...

    def forget(self, rows: Tensor, slope: Tensor) -> None: ...


def bfgs(objective: Sloped, starts: Population, steps: int) -> Population:
    """Projected quasi-Newton: steps are kept only when they climb, and what was learnt is forgotten when none does."""
    smooth = tuple(space for space in objective.spaces if space.smooth)
    size = sum(space.entries for space in smooth)
    if not 0 < size <= MOST_COORDINATES:
        return starts
    batch = len(starts.scores)
    values = dict(starts.values)
    names = [space.name for space in smooth]
    ratios, gradients = _heights(objective, values, names)
    gradient = gradients()
    if gradient is None:
        return starts
    x, slope = flatten(smooth, values), _slope(gradient, values, smooth)
    curvature: _Curvature = _Dense(slope) if size <= DENSE else _Limited(slope)
    length = torch.ones(batch, 1, dtype=torch.float64)
    fell, retired = torch.zeros(batch, dtype=torch.long), ~slope.any(-1)  # without a slope a start stays for good
    idle = 0
    for _ in range(steps):
        if idle >= IDLE or bool(retired.all()):
            break
        direction = curvature.direction(slope)
        uphill = (direction * slope).sum(-1, keepdim=True) > 0.0
        usable = uphill & torch.isfinite(direction).all(-1, keepdim=True)  # what was learnt at a slope of 1e-300 is not
        direction = torch.where(usable, direction, _scaled(slope))
        direction = torch.where(retired.unsqueeze(-1), 0.0, direction)
        trial = {**values, **unflatten(smooth, x + length * direction)}
        found, gradients = _heights(objective, trial, names)
        fell += (found == TIE).long()
        retired = (fell >= FALLS) | (ratios.abs() < ATTAINED)
        better = found > ratios
        idle = 0 if bool((found > ratios + GAIN).any()) else idle + 1
        rows = better.unsqueeze(-1)
        if bool(better.any()):
            gradient = gradients()
            if gradient is None:
                break
            values, ratios = _moved(better, trial, values), torch.where(better, found, ratios)
            climbed, new = flatten(smooth, values), torch.where(rows, _slope(gradient, trial, smooth), slope)
            curvature.learn(better, climbed - x, slope - new)
            x, slope = climbed, new
        retired |= ~slope.any(-1)
        length = torch.where(rows, torch.ones_like(length), 0.3 * length)
        lost = length < SHORTEST
        curvature.forget(lost.squeeze(-1), slope)
        length = torch.where(lost, torch.ones_like(length), length)
    return _arrived(objective, starts, values)


def _arrived(objective: Sloped, starts: Population, values: Batch) -> Population:
    """Where the starts have climbed to, with their scores; one that has not moved keeps its own."""
    stayed = torch.ones(len(starts.scores), dtype=torch.bool)
    for name, value in values.items():
        stayed &= (value == starts.values[name]).reshape(len(stayed), -1).all(-1)
    with torch.no_grad():
        found = objective.scores(values, len(stayed))
    return Population(values, torch.where(stayed, starts.scores, found))


def _heights(objective: Sloped, values: Batch, smooth: Iterable[str]) -> tuple[Tensor, Callable[[], Batch | None]]:
    """The log-ratio of each instance, -inf where it has none, and what gives the slopes there."""
    found, gradients = sloped(objective.log_ratios, values, list(smooth))
    return torch.nan_to_num(found, nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf), gradients


def _moved(rows: Tensor, new: Batch, old: Batch) -> Batch:
    """The new instances in some rows, the old ones in the others."""
    return {name: torch.where(column(rows, value), new[name], value) for name, value in old.items()}


class _Dense:
    """BFGS: a whole inverse Hessian per start."""

    def __init__(self, slope: Tensor) -> None:
        self.inverse = _fresh(slope)

    def direction(self, slope: Tensor) -> Tensor:
        return (self.inverse @ slope.unsqueeze(-1)).squeeze(-1)

    def learn(self, rows: Tensor, move: Tensor, bend: Tensor) -> None:
        self.inverse = _updated(self.inverse, rows, move, bend)

    def forget(self, rows: Tensor, slope: Tensor) -> None:
        if bool(rows.any()):
            self.inverse = torch.where(rows[:, None, None], _fresh(slope), self.inverse)


class _Limited:
    """Limited-memory BFGS: the last few moves and bends, by the two-loop recursion (Nocedal 1980)."""

    def __init__(self, slope: Tensor) -> None:
        self.moves: list[Tensor] = []
        self.bends: list[Tensor] = []
        self.first = self._unlearnt(slope)

    @staticmethod
    def _unlearnt(slope: Tensor) -> Tensor:
        norm: Tensor = torch.linalg.vector_norm(slope, dim=-1, keepdim=True)
        return FIRST_MOVE / norm.clamp_min(1e-300)

    def direction(self, slope: Tensor) -> Tensor:
        q, factors = slope, []
        for move, bend in zip(reversed(self.moves), reversed(self.bends), strict=True):
            rho = _inverse_of((move * bend).sum(-1, keepdim=True))
            alpha = rho * (move * q).sum(-1, keepdim=True)
            factors.append((alpha, rho))
            q = q - alpha * bend
        scale = self.first
        if self.moves:
            move, bend = self.moves[-1], self.bends[-1]
            known = (move * bend).sum(-1, keepdim=True) * _inverse_of(bend.square().sum(-1, keepdim=True))
            scale = torch.where(known > 0.0, known, self.first)
        r = scale * q
        for move, bend, (alpha, rho) in zip(self.moves, self.bends, reversed(factors), strict=True):
            r = r + move * (alpha - rho * (bend * r).sum(-1, keepdim=True))
        return r

    def learn(self, rows: Tensor, move: Tensor, bend: Tensor) -> None:
        good = (rows & _curved(move, bend)).unsqueeze(
            -1
        )  # a start without news adds a pair of zeros, which does nothing
        self.moves.append(torch.where(good, move, 0.0))
        self.bends.append(torch.where(good, bend, 0.0))
        del self.moves[:-MEMORY_PAIRS], self.bends[:-MEMORY_PAIRS]

    def forget(self, rows: Tensor, slope: Tensor) -> None:
        if bool(rows.any()):
            for pairs in (self.moves, self.bends):
                pairs[:] = [torch.where(rows.unsqueeze(-1), 0.0, pair) for pair in pairs]
            self.first = torch.where(rows.unsqueeze(-1), self._unlearnt(slope), self.first)


def _inverse_of(x: Tensor) -> Tensor:
    """1/x where x > 0, else 0."""
    return torch.where(x > 0.0, 1.0 / torch.where(x > 0.0, x, 1.0), 0.0)


def _curved(move: Tensor, bend: Tensor) -> Tensor:
    """Where the curvature along a move has the right sign, clearly."""
    norms: Tensor = torch.linalg.vector_norm(move, dim=-1) * torch.linalg.vector_norm(bend, dim=-1)
    curvature: Tensor = (move * bend).sum(-1)
    return curvature > 1e-10 * norms


def _scaled(slope: Tensor) -> Tensor:
    """A steepest move of FIRST_MOVE."""
    norm: Tensor = torch.linalg.vector_norm(slope, dim=-1, keepdim=True)
    return FIRST_MOVE * slope / norm.clamp_min(1e-300)


def _fresh(slope: Tensor) -> Tensor:
    norm: Tensor = torch.linalg.vector_norm(slope, dim=-1)
    return torch.eye(slope.shape[-1], dtype=slope.dtype) * (FIRST_MOVE / norm.clamp_min(1e-300))[:, None, None]


def _updated(inverse: Tensor, rows: Tensor, move: Tensor, bend: Tensor) -> Tensor:
    """The BFGS update of the inverse Hessian of minus the height, in `rows` where the curvature has the right sign.

    H + (r + r^2 <y, H y>) s s^T - r (s (H y)^T + H y s^T) with r = 1 / <s, y>, for the move s and the bend y.
    """
    curvature: Tensor = (move * bend).sum(-1, keepdim=True)
    good = rows & _curved(move, bend)
    rho = torch.where(good.unsqueeze(-1), 1.0 / torch.where(curvature > 0.0, curvature, 1.0), 0.0)
    turned = rho * (inverse @ bend.unsqueeze(-1)).squeeze(-1)
    longer = (rho + rho * (bend * turned).sum(-1, keepdim=True)) * move - turned
    updated = inverse + torch.stack([move, -turned], dim=-1) @ torch.stack([longer, move], dim=-2)
    sound = good & torch.isfinite(updated.sum((-2, -1)))
    return torch.where(sound[:, None, None], updated, inverse)


def _slope(gradient: Batch, values: Batch, smooth: tuple[Space, ...]) -> Tensor:
    """The gradient in units of the sets' sizes; zero where it only pushes against an end of an interval."""
    inward = dict(gradient)
    for space in smooth:
        if isinstance(space, Interval):
            x, g = values[space.name], gradient[space.name]
            blocked = ((x <= space.low) & (g < 0.0)) | ((x >= space.high) & (g > 0.0))
            inward[space.name] = torch.where(blocked, 0.0, g)
    return flatten(smooth, {space.name: inward[space.name] * unit(space) ** 2 for space in smooth})
