"""The best constant of an inequality for all inputs: the largest ratio found from below, proofs from above."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from harness.certify.certificate import least_ratio
from harness.certify.proof import Proof, prove
from harness.certify.rounding.spread import CLEAR, instance_noise
from harness.judges.base import Row, found, load
from harness.judges.findings import Approach, Search, Settled, Shrink, Shrunk
from harness.judges.gathered import searched_in
from harness.language.anatomy import Anatomy, anatomy
from harness.language.evaluation import Sides
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, dump
from harness.search.objective import Batch, sides_of
from harness.search.shrink import shrink
from harness.settings import Settings
from harness.tightening.enclosed import Step, Tightened
from harness.tightening.scaled import scaled

GROWTH, GREATEST = 2.0, 2.0**60  # how much larger a constant is tried than the largest ratio so far; the largest one
WITHIN = 0.9  # of the relative width asked for, between the largest ratio found and the constant to prove
WIDER, RUNGS = 4.0, 6  # times the width, and how many such constants are tried
KEPT = 0.1  # of the width, which a reduced instance may lose


def tighten_ratio(
    claim: Claim, params: Parameters, settings: Settings, *, rtol: float = 0.01, boxes: int = 50_000
) -> Tightened:
    """Enclose the smallest c with `lhs <= c rhs` for all inputs of one cell.

    From below: a search for the largest lhs/rhs, certified in ball arithmetic at its instance. From above: branch and
    bound for constants ever closer to that ratio.

    Parameters
    ----------
    claim, params : an `always` claim and its cell; its right side may be wrong by any factor up to 2^60.
    settings : the effort of the search.
    rtol : how far the ends may lie apart, relative to the lower one.
    boxes : the budget of each proof.
    """
    ratio = _Ratio(claim, params, anatomy(claim, params))
    steps: list[Step] = []
    best, top = _climbed(ratio, settings, steps)
    if best is None or not 0.0 < top < math.inf:
        vanishes = "the right side is, in floats, not positive where the left one is"
        why = vanishes if top == math.inf else "no ratio is positive"
        return Tightened(params, None, f"none: {why}", None, "none", (False, False), best, top or None, tuple(steps))
    reduced = ratio.reduced(best, top * (1.0 - KEPT * rtol))
    lower, rigorous = ratio.certified([best, reduced])
    upper, why = _proved(ratio, lower, rtol, boxes, steps)
    return Tightened(
        params,
        lower,
        "certified by enclosures" if rigorous else "in float64",
        upper,
        why,
        (rigorous, upper is not None),
        reduced,
        ratio.at(load([reduced]))[0].item(),
        tuple(steps),
    )


@dataclass(frozen=True)
class _Ratio:
    """lhs/rhs of one cell."""

    claim: Claim
    params: Parameters
    parts: Anatomy

    def at(self, values: Batch, batch: int = 1) -> Tensor:
        """The ratio at each instance, less what rounding may add to it; -infinity where nothing is left.

        It is infinite where the left side alone is positive, by more than rounding.
        """
        with torch.no_grad():
            sides = self._sides(values, batch)
            gap = sides.lhs - sides.rhs
            noise = instance_noise(self.claim, self.params, self.parts.spaces, values, gap, calls=1)
        clear = CLEAR * torch.where(torch.isfinite(noise), noise, math.inf)
        ratio = (sides.lhs - clear) / sides.rhs
        alone = (sides.rhs <= clear) & (gap > clear)
        ratio = torch.where(sides.rhs > clear, ratio, torch.where(alone, math.inf, -math.inf))
        return torch.where(torch.isfinite(sides.lhs + sides.rhs), ratio, -math.inf)

    def _sides(self, values: Batch, batch: int) -> Sides:
        return sides_of(self.claim, self.params, values, batch, bytes_each=self.parts.bytes_per_replicate)

    def reduced(self, instance: Instance, floor: float) -> Instance:
        """A simpler instance whose ratio is still above a floor."""
        if not instance:
            return instance
        return dump(shrink(self.parts.spaces, load([instance]), lambda found: found >= floor, self.at))

    def certified(self, instances: list[Instance]) -> tuple[float, bool]:
        """The largest lower bound of the ratio at some instances, and whether enclosures say so."""
        bounds = [least_ratio(self.claim, self.params, self.parts.spaces, load([each])) for each in instances]
        known = [bound for bound in bounds if bound is not None and bound > 0.0]
        if known:
            return max(known), True
        return max(float(self.at(load([each]))[0]) for each in instances), False


def _climbed(ratio: _Ratio, settings: Settings, steps: list[Step]) -> tuple[Instance | None, float]:
    """The instance with the largest ratio: the judge's own search, against constants that it does not exceed."""
    best: Instance | None = None
    top, constant, work = -math.inf, 1.0, 0
    while constant <= GREATEST:
        rows = list(_judged(scaled(ratio.claim, ratio.params, constant), ratio.params, settings))
        work += sum(data.evaluations for data in searched_in(rows))
        before = top
        for instance in _instances(rows):
            here = float(ratio.at(load([instance]))[0])
            if here > top:
                best, top = instance, here
        if top > 0.0:
            steps.append(Step(work, top, None))
        if top <= constant or top == math.inf or top <= before:
            break
        constant = GROWTH * top
    return best, top


def _judged(claim: Claim, params: Parameters, settings: Settings) -> Iterator[Row]:
    """The rows of one cell, judged in this process; without attempts to prove it."""
    judge, rows = claim.kind.judge(claim, params, settings), list[Row]()
    while tasks := judge.plan(rows):
        for task in tasks:
            rows.append(Row(task, judge.execute(task), 0.0))
            yield rows[-1]


def _instances(rows: list[Row]) -> Iterator[Instance]:
    """Where the sides came closest, and where a violation was seen."""
    for settled in found(rows, Approach, Settled):
        yield from settled.best
    for row in rows:
        if isinstance(row.task, Approach):
            yield from row.task.start
        if isinstance(row.task, Search | Shrink) and isinstance(row.data, Shrunk):
            yield row.data.accusation.values
    for data in searched_in(rows):
        yield from data.best


def _proved(ratio: _Ratio, lower: float, rtol: float, boxes: int, steps: list[Step]) -> tuple[float | None, str]:
    """The smallest constant that is proved, of some ever closer to the ratio found, and what that rests on."""
    upper, why, work = None, "", steps[-1].work if steps else 0
    for rung in reversed(range(RUNGS)):
        c = lower * (1.0 + WITHIN * rtol * WIDER**rung)
        proof = prove(ratio.claim, ratio.params, ratio.parts, boxes=boxes, ladder=(c,))
        if not isinstance(proof, Proof):
            return upper, f"{why}; none closer: {proof.reason}" if why else f"none: {proof.reason}"
        upper, why = c, f"proved by {proof.by}"
        work += proof.boxes
        steps.append(Step(work, lower, upper))
    return upper, why
