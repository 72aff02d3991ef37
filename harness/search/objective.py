"""What a search climbs: a positive score is a violation; it is monotone in lhs/rhs where both sides are positive."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from harness.evaluation import Sides, evaluate
from harness.kinds import Always, Identity
from harness.quantifiers import Draw
from harness.registry import Claim, Parameters
from harness.spaces import Space

Batch = dict[str, Tensor]
ROUNDING = 1e-12  # of the cell's own scale
MEMORY = 96 * 2**20  # bytes of temporaries per call


class Objective(Protocol):
    """A score over joint instances; the finders and the reducer know nothing else."""

    spaces: tuple[Space, ...]
    differentiable: bool
    evaluations: int

    def scores(self, values: Batch, batch: int) -> Tensor:
        """Score of each instance, `(batch,)`."""
        ...


class Sloped(Objective, Protocol):
    """An objective with an unbounded form for gradient methods."""

    def heights(self, values: Batch, batch: int) -> Tensor:
        """What rises with the score and stays sloped where the score saturates, `(batch,)`."""
        ...


def tolerance(sides: Sides, rtol: float, scale: float) -> Tensor:
    """What a violation must exceed: relative rounding plus rounding of the cell's own scale."""
    return rtol * torch.maximum(sides.lhs.abs(), sides.rhs.abs()) + ROUNDING * scale


def excess(sides: Sides, kind: Identity | Always, scale: float) -> Tensor:
    """How far a statement is violated, beyond rounding; positive means violated."""
    gap = sides.lhs - sides.rhs
    if isinstance(kind, Identity):
        gap = gap.abs()
    return gap - tolerance(sides, kind.rtol, scale)


def score(sides: Sides, kind: Identity | Always, scale: float) -> Tensor:
    """The excess relative to both sides, in [-2, 1]; the sign is that of the excess.

    With q = lhs/rhs > 0 this is (q - 1)/(q + 1). Where the left side is negative and the right one positive that ratio
    is flat, so -1 - |lhs|/(|lhs| + |rhs|) takes over. Instances with a non-finite side score -inf: never violations.
    """
    beyond = excess(sides, kind, scale)
    total = sides.lhs.abs() + sides.rhs.abs() + max(ROUNDING * scale, 1e-290)
    relative = beyond / total
    if isinstance(kind, Always):
        relative = torch.where((sides.lhs < 0.0) & (sides.rhs > 0.0), -1.0 + sides.lhs / total, relative)
    finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
    return torch.where(finite, relative, -torch.inf)


FLOOR = 700.0  # beyond the logarithm of any ratio of two doubles


def height(sides: Sides, kind: Identity | Always) -> Tensor:
    """The logarithm of the ratio that the score is built from: unbounded, so that curvature is not flattened away.

    log(lhs/rhs) where both sides are positive, log(rhs/lhs) where both are negative; -FLOOR - log(1 + |lhs|/rhs) and
    its mirror image where the signs differ. For an identity log |lhs - rhs|, relative to both sides.
    """
    lhs, rhs = sides.lhs, sides.rhs
    left, right = lhs.abs().clamp_min(1e-300), rhs.abs().clamp_min(1e-300)
    if isinstance(kind, Identity):
        result = (lhs - rhs).abs().clamp_min(1e-300).log() - (left + right).log()
    else:
        same = torch.where(lhs > 0.0, left.log() - right.log(), right.log() - left.log())
        below = -FLOOR - torch.log1p(left / right)
        above = FLOOR + torch.log1p(left / right)
        differ = torch.where(rhs > 0.0, below, above)
        result = torch.where((lhs > 0.0) == (rhs > 0.0), same, differ)
    return torch.where(torch.isfinite(lhs) & torch.isfinite(rhs), result, -torch.inf)


@dataclass
class Deterministic:
    """Score of an identity or an inequality for all inputs; remembers the closest approach."""

    claim: Claim
    params: Parameters
    kind: Identity | Always
    spaces: tuple[Space, ...]
    scale: float
    bytes_per_instance: int
    device: str = "cpu"
    differentiable: bool = True
    evaluations: int = 0
    nonfinite: int = 0
    worst_ratio: float = 0.0
    smallest_rhs: float = field(default=float("inf"))

    def sides(self, values: Batch, batch: int) -> Sides:
        """Both sides, evaluated in chunks that fit the memory cap."""
        chunk = int(max(1, min(batch, MEMORY // max(self.bytes_per_instance, 1))))
        parts = [self._chunk(values, start, min(start + chunk, batch)) for start in range(0, batch, chunk)]
        if len(parts) == 1:
            return parts[0]
        return Sides(torch.cat([part.lhs for part in parts]), torch.cat([part.rhs for part in parts]))

    def _chunk(self, values: Batch, start: int, stop: int) -> Sides:
        piece = {name: value[start:stop].to(self.device) for name, value in values.items()}
        sides = evaluate(self.claim, self.params, piece, Draw(stop - start, ()), stop - start)
        return Sides(sides.lhs.cpu(), sides.rhs.cpu())

    def scores(self, values: Batch, batch: int) -> Tensor:
        sides = self.sides(values, batch)
        self._remember(Sides(sides.lhs.detach(), sides.rhs.detach()))
        return score(sides, self.kind, self.scale)

    def heights(self, values: Batch, batch: int) -> Tensor:
        sides = self.sides(values, batch)
        self._remember(Sides(sides.lhs.detach(), sides.rhs.detach()))
        return height(sides, self.kind)

    def _remember(self, sides: Sides) -> None:
        finite = torch.isfinite(sides.lhs) & torch.isfinite(sides.rhs)
        self.evaluations += len(finite)
        self.nonfinite += int((~finite).sum())
        lhs, rhs = sides.lhs[finite], sides.rhs[finite]
        if not len(lhs):
            return
        self.smallest_rhs = min(self.smallest_rhs, float(rhs.min()))
        if isinstance(self.kind, Identity):
            size = torch.maximum(lhs.abs(), rhs.abs())
            error = (lhs - rhs).abs() / (size + self.scale * 1e-6 + 1e-290)
            self.worst_ratio = max(self.worst_ratio, float(error.max()))
            return
        visible = rhs > 1e-9 * self.scale  # 0/0 at degenerate inputs is not an approach
        if bool(visible.any()):
            self.worst_ratio = max(self.worst_ratio, float((lhs[visible] / rhs[visible]).max()))


@dataclass
class Law:
    """Score of one distribution at a time, on common random numbers."""

    claim: Claim
    params: Parameters
    spaces: tuple[Space, ...]
    reps: int
    key: tuple[object, ...]
    badness: "Badness"
    device: str = "cpu"
    differentiable: bool = False
    evaluations: int = 0

    def scores(self, values: Batch, batch: int) -> Tensor:
        with torch.no_grad():
            found = [self._one({k: v[i : i + 1] for k, v in values.items()}) for i in range(batch)]
        return torch.tensor(found, dtype=torch.float64)

    def _one(self, instance: Batch) -> float:
        self.evaluations += 1
        on_device = {name: value.to(self.device) for name, value in instance.items()}
        sides = evaluate(self.claim, self.params, on_device, Draw(self.reps, self.key, self.device), self.reps)
        lhs, rhs = sides.lhs.cpu().numpy(), sides.rhs.cpu().numpy()
        finite = np.isfinite(lhs) & np.isfinite(rhs)
        if not finite.any():
            return -np.inf
        return self.badness(lhs[finite], rhs[finite])


class Badness(Protocol):
    """How bad a distribution is for a claim, from replicates of both sides; larger is worse."""

    def __call__(self, lhs: np.ndarray, rhs: np.ndarray) -> float: ...
