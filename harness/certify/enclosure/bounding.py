"""What is left to prove in boxes: by the natural extension, by slopes that keep their sign, by the mean value form.

For an inequality, D = lhs - c rhs with c > 1 where rhs is not negative in the box, else with c = 1. Where D grows
(falls) along a coordinate throughout a box, its largest value lies on the upper (lower) face: the face then stands for
the box, and D <= 0 has to be proved there with the same c (`fixed`) and without the tolerance of the kind, since that
may be smaller elsewhere in the box. Only coordinates whose boxes belong to the set as a whole are treated so. Along the
other coordinates D <= D(middle) + sum |slope| |x - middle|.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from harness.certify.enclosure.arithmetic import magnitude_ends, multiply_ends, subtract_ends
from harness.certify.enclosure.boxes import Atlas
from harness.certify.enclosure.outward import INF, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.statement import Statement, enclosed_sides, left_over, sloped_sides
from harness.certify.enclosure.tensor import Ends

MOST_SLOPES = 10  # coordinates


@dataclass(frozen=True)
class Boxes:
    """Boxes that are still to be proved."""

    low: Tensor
    high: Tensor
    fixed: Tensor  # (boxes,): the constant of a face; 0 where the box stands for itself
    share: Tensor  # (boxes,): the part of all inputs that it was cut from

    def __len__(self) -> int:
        return len(self.low)

    @property
    def ends(self) -> Ends:
        return self.low, self.high

    def __getitem__(self, index: Tensor | slice) -> "Boxes":
        return Boxes(self.low[index], self.high[index], self.fixed[index], self.share[index])

    def joined(self, other: "Boxes") -> "Boxes":
        return Boxes(*(torch.cat(both) for both in zip(self.parts, other.parts, strict=True)))

    @property
    def parts(self) -> tuple[Tensor, ...]:
        return self.low, self.high, self.fixed, self.share


@dataclass
class Bound:
    """Bounds of what is left to prove, for one constant; slopes are given up where a body has none."""

    statement: Statement
    atlas: Atlas
    c: float
    slopes: bool = True

    def natural(self, boxes: Boxes) -> Tensor:
        """What the natural interval extension leaves, (boxes,): proved where it is not positive."""
        lhs, rhs = enclosed_sides(self.statement, self.atlas.values(boxes.ends), len(boxes))
        return self._left(lhs, rhs, self._constant(rhs, boxes), self._allowed(lhs, rhs, boxes))

    def _left(self, lhs: Ends, rhs: Ends, c: Tensor, allowed: Tensor) -> Tensor:
        found = left_over(self.statement.gap(lhs, rhs, c), allowed)
        below = (lhs[1] <= rhs[0]) & (c >= 1.0)  # without rounding: c exceeds 1 where rhs is not negative only
        if self.statement.kind.two_sided:
            below = below & (rhs[1] <= lhs[0])
        return torch.where(below, 0.0, found)

    def _allowed(self, lhs: Ends, rhs: Ends, boxes: Boxes) -> Tensor:
        return torch.where(boxes.fixed > 0.0, 0.0, self.statement.allowed(lhs, rhs))

    def _constant(self, rhs: Ends, boxes: Boxes) -> Tensor:
        if self.statement.kind.two_sided:
            return torch.ones(len(boxes), dtype=torch.float64)
        return torch.where(boxes.fixed > 0.0, boxes.fixed, torch.where(rhs[0] >= 0.0, self.c, min(self.c, 1.0)))

    def refined(self, boxes: Boxes, left: Tensor) -> tuple[Tensor, Boxes, Tensor | None]:
        """What slopes leave, smaller boxes with the same largest D, and how much each coordinate matters."""
        if not self.slopes or self.atlas.count > MOST_SLOPES:
            return left, boxes, None
        try:
            (lhs, lhs_slopes), (rhs, rhs_slopes) = sloped_sides(
                self.statement, self.atlas.sloped(boxes.ends), len(boxes)
            )
        except NoEnclosure:
            self.slopes = False
            return left, boxes, None
        c = self._constant(rhs, boxes)
        slopes = [subtract_ends(a, multiply_ends((c, c), b)) for a, b in zip(lhs_slopes, rhs_slopes, strict=True)]
        low, high = (torch.stack([slope[k] for slope in slopes], -1) for k in (0, 1))
        allowed = self._allowed(lhs, rhs, boxes)
        faces = boxes if self.statement.kind.two_sided else self._faces(boxes, low, high, c)
        left = torch.minimum(left, self._mean_value(faces, low, high, c, allowed))
        if bool((faces.fixed != boxes.fixed).any()):
            ends_ = enclosed_sides(self.statement, self.atlas.values(faces.ends), len(faces))
            left = torch.minimum(left, self._left(*ends_, c, allowed))
        size = magnitude_ends((low, high))[1]
        return left, faces, torch.where(size.isfinite().all(-1, keepdim=True), size * (faces.high - faces.low), 0.0)

    def _faces(self, boxes: Boxes, low: Tensor, high: Tensor, c: Tensor) -> Boxes:
        """Each box cut down to the face on which D is largest, along coordinates where its slope has one sign."""
        wide = self.atlas.free & (boxes.high > boxes.low)
        grows, falls = wide & (low >= 0.0), wide & (high <= 0.0)
        cut = (grows | falls).any(-1)
        return Boxes(
            torch.where(grows & ~falls, boxes.high, boxes.low),
            torch.where(falls, boxes.low, boxes.high),
            torch.where(cut, c, boxes.fixed),
            boxes.share,
        )

    def _mean_value(self, boxes: Boxes, low: Tensor, high: Tensor, c: Tensor, allowed: Tensor) -> Tensor:
        middle = self.atlas.middle(boxes.ends)
        lhs, rhs = enclosed_sides(self.statement, self.atlas.values((middle, middle)), len(boxes))
        reach = torch.maximum(up(boxes.high - middle), up(middle - boxes.low))
        still = boxes.high == boxes.low
        terms = torch.where(still, 0.0, up(magnitude_ends((low, high))[1] * torch.where(still, 0.0, reach)))
        spread = terms.nan_to_num(nan=INF).sum(-1)
        spread = spread * (1.0 + 4e-16 * (terms.shape[-1] + 1))
        return left_over(up(self.statement.gap(lhs, rhs, c) + spread), allowed)
