"""What a search climbs: a positive score is a violation; it is monotone in lhs/rhs where both sides are positive."""

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding.shares import TWINS
from harness.certify.rounding.spread import CLEAR, instance_noise
from harness.language.apart import evaluate_apart
from harness.language.evaluation import Sides
from harness.language.kind import Comparison
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.search.approaches import Approaches

Batch = dict[str, Tensor]
MEMORY = 96 * 2**20  # bytes of temporaries per call


class Objective(Protocol):
    """A score over joint instances; the finders and what shrinks their finds know nothing else."""

    spaces: tuple[Space, ...]
    differentiable: bool
    evaluations: int

    def scores(self, values: Batch, batch: int) -> Tensor:
        """Score of each instance, `(batch,)`."""
        ...


class Confined(Objective, Protocol):
    """An objective that says where its claim is silent, for what looks for the edge of that."""

    def inside(self, values: Batch, batch: int) -> Tensor:
        """Which instances the claim speaks of: those with a finite score, `(batch,)`."""
        ...


class Sloped(Objective, Protocol):
    """An objective with an unbounded form, for gradient methods."""

    def log_ratios(self, values: Batch, batch: int) -> Tensor:
        """What rises with the score and stays sloped where the score saturates, `(batch,)`."""
        ...


def sides_of(
    claim: Claim, params: Parameters, values: Batch, batch: int, *, bytes_each: int, device: str = "cpu"
) -> Sides:
    """Both sides at each of `batch` instances, which write `bytes_each` bytes; in chunks that fit the memory cap."""
    chunk = int(max(1, min(batch, MEMORY // max(bytes_each, 1))))
    parts = []
    for start in range(0, batch, chunk):
        size = min(chunk, batch - start)
        piece = {name: value[start : start + size].to(device) for name, value in values.items()}
        parts.append(evaluate_apart(claim, params, piece, size))
    return Sides.joined(parts)


def tolerance(sides: Sides, kind: Comparison) -> Tensor:
    """What a violation must exceed besides its own rounding: the stated relative and absolute tolerance."""
    larger = torch.maximum(sides.lhs.abs(), sides.rhs.abs())
    whole = (sides.lhs == sides.lhs.round()) & (sides.rhs == sides.rhs.round()) & (larger <= COUNTED)
    return torch.where(whole, kind.rtol_of_whole, kind.rtol) * larger + kind.atol


def gap_of(sides: Sides, kind: Comparison) -> Tensor:
    """By how much the statement is violated in float64; for an inequality negative where it holds."""
    gap: Tensor = kind.gap(sides.lhs, sides.rhs)
    return gap


def excess(sides: Sides, kind: Comparison) -> Tensor:
    """How far a statement is violated, beyond the stated tolerance; positive means violated."""
    return gap_of(sides, kind) - tolerance(sides, kind)


COUNTED = 1e12  # sides up to here are whole numbers if they look like it: libraries err by less than a unit
FLOOR = 700.0  # beyond the logarithm of any ratio of two doubles
TIE = -4.0 * FLOOR  # the score of sides that differ by rounding alone: neither a violation nor an approach
SMALLEST = 1e-300
UNRESOLVED = 1e-12
NEARLY = 1e-6  # sides so close, or so small beside those of other distributions, have their rounding measured


def log_ratio(sides: Sides, kind: Comparison) -> Tensor:
    """What the search climbs: the logarithm of the ratio of both sides, sloped everywhere and blind to scale.

    log(lhs/rhs) where both sides are positive, log(rhs/lhs) where both are negative; -FLOOR - log(1 + |lhs|/rhs) and
    its mirror image where the signs differ. For an identity log |lhs - rhs|, relative to both sides, and flat below
    UNRESOLVED: the slope of a rounding error leads nowhere. A common factor of both sides changes nothing, or adds a
    constant where one side is zero throughout.
    """
    lhs, rhs = sides.lhs, sides.rhs
    left, right = lhs.abs().clamp_min(SMALLEST), rhs.abs().clamp_min(SMALLEST)
    if kind.two_sided:
        relative = (lhs - rhs).abs() / torch.maximum(left, right)
        result = relative.clamp_min(UNRESOLVED).log()  # flat where nothing but rounding is left to climb
    elif bool(((lhs > 0.0) & (rhs > 0.0)).all()):
        result = left.log() - right.log()
    else:
        same = torch.where(lhs > 0.0, left.log() - right.log(), right.log() - left.log())
        steep = torch.logaddexp(torch.zeros((), dtype=left.dtype), left.log() - right.log())  # log(1 + left/right)
        below, above = -FLOOR - steep, FLOOR + steep
        differ = torch.where(rhs > 0.0, below, above)
        result = torch.where((lhs > 0.0) == (rhs > 0.0), same, differ)
        result = torch.where((lhs == 0.0) & (rhs == 0.0), TIE, result)  # a degenerate input is no approach
    return torch.where(torch.isfinite(lhs) & torch.isfinite(rhs), result, -torch.inf)


def score(sides: Sides, kind: Comparison) -> Tensor:
    """The logarithm of the ratio, positive where and only where the statement is violated beyond its tolerance.

    Instances with a non-finite side score -inf: never violations.
    """
    return edged(log_ratio(sides, kind), sides, kind)


def edged(found: Tensor, sides: Sides, kind: Comparison) -> Tensor:
    """The score where the log-ratio is known."""
    if kind.two_sided:
        found = found - math.log(max(kind.rtol, SMALLEST))
    return torch.where(excess(sides, kind) > 0.0, found.clamp_min(SMALLEST), found.clamp_max(0.0))


def share(sides: Sides, kind: Comparison) -> Tensor:
    """The violation relative to both sides, in [-1, 1]: what a reduced counterexample keeps a part of."""
    beyond = excess(sides, kind) / (sides.lhs.abs() + sides.rhs.abs()).clamp_min(SMALLEST)
    return torch.where(torch.isfinite(beyond), beyond, -torch.inf)


SCREENED = (0, 16, 128, 512)  # violations whose rounding is measured first, next, and last (not in long bodies)
PATIENCE, SPREAD_OVER = 24, 200  # measurements that a short body may cost at first, and again per so many plain calls
STAGES = 4  # that share what may still be measured once rounding is familiar
RARELY = 8  # beyond that, one call in so many is measured
FINAL = 8  # of these, the highest that are left are measured again, more often
CONFIRMATIONS, FEWER = 5, 2  # calls of the body that measure a rounding for good, and within a search of a long one


def _by_turns(found: Tensor, beyond: Tensor) -> Tensor:
    """The violations: the worst by score, the largest by excess, and one as they come, in turn.

    Rounding at 0/0 must not hide the rest, nor many violations by rounding a smaller one elsewhere.
    """
    some = torch.nonzero(found > 0.0).squeeze(-1)
    by_score = some[torch.argsort(found[some], descending=True, stable=True)]
    by_excess = some[torch.argsort(beyond[some], descending=True, stable=True)]
    every = torch.stack([by_score, by_excess, some], dim=1).flatten().tolist()
    return torch.tensor(list(dict.fromkeys(every)), dtype=torch.long)


@dataclass
class Deterministic:
    """Score of an identity or an inequality for all inputs; remembers the closest approach.

    The rounding of every instance that seems to violate the statement is measured there and then: a violation within
    `clear` times its own spread scores TIE, so that the search goes on above the noise. The most suspicious of these
    are kept for a certificate in exact inputs: a body that jumps at ties spreads widely without being wrong.
    """

    claim: Claim
    params: Parameters
    kind: Comparison
    spaces: tuple[Space, ...]
    bytes_per_instance: int
    device: str = "cpu"
    clear: float = CLEAR
    patience: int = PATIENCE
    differentiable: bool = True
    evaluations: int = 0
    nonfinite: int = 0
    smallest_rhs: float = field(default=float("inf"))
    suspects: list[tuple[float, Batch]] = field(default_factory=list)
    calls: int = 0
    earlier: int = 0  # measurements of rounding before this objective
    measurements: int = 0
    usual: float = 0.0  # the largest share of both sides that rounding was seen to be, where it is small
    largest: float = 0.0  # the largest rounding that was seen
    records: Approaches = field(default_factory=Approaches)

    def sides(self, values: Batch, batch: int) -> Sides:
        """Both sides, evaluated in chunks that fit the memory cap."""
        self.calls += 1
        return sides_of(self.claim, self.params, values, batch, bytes_each=self.bytes_per_instance, device=self.device)

    def scores(self, values: Batch, batch: int) -> Tensor:
        sides = self.sides(values, batch)
        found = score(sides, self.kind)
        plain = Sides(sides.lhs.detach(), sides.rhs.detach())
        ties = self._screened(values, plain, found.detach())
        self.remember(values, plain)
        return torch.where(ties, TIE, found)

    def inside(self, values: Batch, batch: int) -> Tensor:
        """Where both sides are finite; the rounding of violations is not measured for that."""
        sides = self.sides(values, batch)
        self.remember(values, sides)
        return torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)

    def log_ratios(self, values: Batch, batch: int) -> Tensor:
        """The score without its edge at zero, for methods that follow slopes."""
        self.calls += 1  # slopes cost as much again
        sides = self.sides(values, batch)
        found, plain = log_ratio(sides, self.kind), Sides(sides.lhs.detach(), sides.rhs.detach())
        ties = self._screened(values, plain, edged(found.detach(), plain, self.kind))
        self.remember(values, plain)
        return torch.where(ties, TIE, found)

    def shares(self, values: Batch, batch: int) -> Tensor:
        """The relative violation, -1 where it is rounding."""
        sides = self.sides(values, batch)
        return torch.where(self._screened(values, sides, score(sides, self.kind)), -1.0, share(sides, self.kind))

    def noise(self, values: Batch, sides: Sides, calls: int) -> Tensor:
        """The measured rounding of lhs - rhs at each instance, in chunks that fit the memory cap."""
        self.measurements += calls
        batch = len(sides.lhs)
        chunk = int(max(1, min(batch, MEMORY // max(4 * TWINS * self.bytes_per_instance, 1))))
        parts = []
        for start in range(0, batch, chunk):
            piece = {name: value[start : start + chunk] for name, value in values.items()}
            gap = sides.lhs[start : start + chunk] - sides.rhs[start : start + chunk]
            measured = instance_noise(self.claim, self.params, self.spaces, piece, gap, calls=calls, device=self.device)
            parts.append(measured)
        return torch.cat(parts)

    def level(self, values: Batch, batch: int) -> bool:
        """Whether the sides of an identity differ by rounding alone at all of these instances: no slope leads away."""
        if not self.kind.two_sided or not batch:
            return False
        with torch.no_grad():
            sides = self.sides(values, batch)
        gap = gap_of(sides, self.kind)
        return bool((gap <= self.clear * self.noise(values, sides, 1))[torch.isfinite(gap)].all())

    def _screened(self, values: Batch, sides: Sides, found: Tensor) -> Tensor:
        """Which violations are no larger than their own rounding."""
        ties = torch.zeros(len(found), dtype=torch.bool)
        if not bool((found > 0.0).any()):
            return ties
        beyond, size = excess(sides, self.kind), sides.lhs.abs() + sides.rhs.abs()
        order = _by_turns(found, beyond)
        allowed = self.patience * (1.0 + self.calls / SPREAD_OVER)
        if len(order) and self.earlier + self.measurements > allowed:  # rounding has become familiar
            ties[order] = True
            order = order[beyond[order] > self.clear * self.usual * size[order]]
            if self.measurements > allowed / STAGES and self.calls % max(RARELY, 100 // self.patience):
                order = order[beyond[order] > self.clear * self.largest]  # what is no tie will be met again
            if not len(order):
                return ties
        screened = SCREENED if self.patience == PATIENCE else SCREENED[:-1]
        ties[order[screened[-1] :]] = True
        for start, stop in pairwise(screened):
            some = order[start:stop]
            if not len(some):
                break
            picked = {name: value[some] for name, value in values.items()}
            own = Sides(sides.lhs[some], sides.rhs[some])
            noise, over = self.noise(picked, own, 1), beyond[some]
            left = torch.nonzero(over > self.clear * noise).squeeze(-1)
            left = left[torch.argsort(found[some[left]], descending=True, stable=True)[:FINAL]]
            if len(left):
                twice = {name: value[left] for name, value in picked.items()}
                again = CONFIRMATIONS if self.patience == PATIENCE else FEWER
                noise[left] = self.noise(twice, Sides(own.lhs[left], own.rhs[left]), again)
            ties[some] = over <= self.clear * noise
            self._suspect(picked, over, noise)
            self._learn(noise, size[some])
            standing = some[left][~ties[some[left]]]
            if len(standing):  # what was not measured ranks behind it
                rest = order[stop:]
                ties[rest] |= found[rest] > found[standing].max()
                break
            ties[some] = True
            if self.measurements > self.patience:
                ties[order] = True
                break
        return ties

    def _learn(self, noise: Tensor, size: Tensor) -> None:
        """Remember the largest rounding, as it is and beside both sides, where it is small there."""
        known = torch.isfinite(noise)
        shares = (noise / size.clamp_min(SMALLEST))[known]
        self.largest = max(self.largest, float(noise[known].max()) if len(shares) else 0.0)
        small = shares[shares <= NEARLY]
        self.usual = max(self.usual, float(small.max()) if len(small) else 0.0)

    def _suspect(self, values: Batch, beyond: Tensor, noise: Tensor) -> None:
        """Keep the violations that are largest beside their noise."""
        order = torch.argsort(beyond / noise, descending=True, stable=True)[:2]
        new = [
            (float(beyond[i] / noise[i]), {name: value[i : i + 1].detach().clone() for name, value in values.items()})
            for i in order.tolist()
            if bool(torch.isfinite(beyond[i]))
        ]
        self.suspects = sorted([*self.suspects, *new], key=lambda entry: -entry[0])[:2]

    def remember(self, values: Batch, sides: Sides) -> None:
        """Count what was evaluated and keep the closest approaches."""
        lhs, rhs = sides.lhs.numpy(), sides.rhs.numpy()
        finite = np.isfinite(lhs) & np.isfinite(rhs)
        count = int(finite.sum())
        self.evaluations += len(finite)
        self.nonfinite += len(finite) - count
        if not count:
            return
        self.smallest_rhs = min(self.smallest_rhs, float(rhs.min(where=finite, initial=np.inf)))
        with np.errstate(all="ignore"):
            largest = np.maximum(np.abs(lhs), np.abs(rhs))
            size = largest if self.kind.two_sided else rhs
            approach = np.abs(lhs - rhs) if self.kind.two_sided else lhs
            ratio = np.where(finite & (size > 0.0), approach / size, 0.0)
            ratio = np.where(ratio <= 1.0 + self.kind.rtol, ratio, 0.0)  # beyond, it is a violation or rounding
            self.records.add(ratio, largest, values)

    def closest(self, values: Batch, batch: int) -> float:
        """The largest lhs/rhs (for an identity the largest relative error), less its measured rounding.

        0/0 at degenerate inputs is not an approach; beyond the stated tolerance it is a violation, judged elsewhere.
        """
        with torch.no_grad():
            sides = self.sides(values, batch)
        size = torch.maximum(sides.lhs.abs(), sides.rhs.abs())
        noise = self.noise(values, sides, 1) / size
        ratio = gap_of(sides, self.kind) / size if self.kind.two_sided else sides.lhs / sides.rhs
        sharp = torch.isfinite(ratio - noise) & (ratio <= 1.0 + self.kind.rtol)
        return max(float((ratio - noise)[sharp].max()), 0.0) if bool(sharp.any()) else 0.0
