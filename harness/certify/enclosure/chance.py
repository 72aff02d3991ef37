"""The probability of a violation over boxes of inputs, where the draws have finitely many outcomes."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from harness.certify.enclosure.bounding import Boxes
from harness.certify.enclosure.boxes import Atlas
from harness.certify.enclosure.outward import INF, UNIT, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.statement import Statement, ends_over, smallest_size
from harness.certify.enclosure.tensor import Enclosed, ends
from harness.language.outcomes import Endless, Outcomes


class EnclosedOutcomes(Outcomes):
    """Every outcome in each of `boxes` boxes, box after box; probabilities may be enclosures."""

    def __init__(self, sizes: list[int], boxes: int) -> None:
        super().__init__(sizes)
        self.outcomes, self.boxes = self.reps, boxes
        self.reps = self.outcomes * boxes
        self._afresh()

    def _index(self, name: str, size: float) -> Tensor:
        self.reps = self.outcomes  # the same outcomes in every box
        try:
            return super()._index(name, size).repeat(self.boxes)
        finally:
            self.reps = self.outcomes * self.boxes

    def _table(self, probs: Any) -> Any:
        return torch.as_tensor(probs, dtype=torch.float64)

    def _weigh(self, name: str, probabilities: Any) -> None:  # noqa: ARG002
        self.weights = self.weights * probabilities.reshape(self.reps, -1).prod(-1)

    def _beside(self, name: str, parameter: Any, shape: tuple[int, ...]) -> Any:
        if not isinstance(parameter, Enclosed):
            return super()._beside(name, parameter, shape)
        if parameter.ndim > len(shape) + 1:
            raise NoEnclosure("a parameter of a draw with more axes than the draw")
        return parameter.reshape(*parameter.shape, *(1 for _ in range(len(shape) + 1 - parameter.ndim)))


@dataclass
class Chance:
    """A bound of P(lhs > rhs) - allowed in each box; ties to the relative tolerance `rtol` are no violations."""

    statement: Statement
    atlas: Atlas
    sizes: list[int]
    allowed: float
    rtol: float
    slopes: bool = False

    def natural(self, boxes: Boxes) -> Tensor:
        """What is left of every box, (boxes,): proved where it is not positive."""
        count = len(boxes)
        draw = EnclosedOutcomes(self.sizes, count)
        values = {
            name: Enclosed(*(end.repeat_interleave(draw.outcomes, 0) for end in ends(value)))
            for name, value in self.atlas.values(boxes.ends).items()
        }
        try:
            lhs, rhs = (ends_over(side, draw.reps) for side in self.statement.sides(values, draw))
        except Endless as signal:
            raise NoEnclosure(f"draws without an enclosure ({signal})") from signal
        if draw.endless:
            raise NoEnclosure("draws that the body gave up")
        tolerance = self.rtol * torch.maximum(smallest_size(lhs), smallest_size(rhs)) * (1.0 - 4.0 * UNIT)
        fine = (lhs[1] <= rhs[0]) | (up(lhs[1] - rhs[0]) <= tolerance)
        low, high = (end.reshape(count, -1).clamp(0.0, 1.0) for end in ends_over(draw.weights, draw.reps))
        fine = fine.reshape(count, -1)
        rounding = 2.0 * UNIT * (draw.outcomes + 2)  # of a sum of so many numbers that are not negative
        some = torch.where(fine, 0.0, high.nan_to_num(nan=1.0)).sum(-1) * (1.0 + rounding)
        others = up(1.0 - torch.where(fine, low.nan_to_num(nan=0.0), 0.0).sum(-1) * (1.0 - rounding))
        left = up(torch.minimum(some, others) - self.allowed)
        return torch.where(left <= 0.0, left, left.clamp_min(math.ulp(0.0))).nan_to_num(nan=INF)

    def refined(self, boxes: Boxes, left: Tensor) -> tuple[Tensor, Boxes, None]:
        """Nothing more: jumps have no slopes."""
        return left, boxes, None
