"""Boxes of inputs: how the sets of a claim become coordinates, what a box holds of them, and how it is cut.

Every set has coordinates in intervals: entries themselves, places in the list of options, 0 and 1 for the two signs.
Boxes are two tensors (boxes, coordinates) of lower and upper ends. Where a set has an equation or an inequality
(simplex, ball, sphere, positive semidefinite), boxes are cut down to what may meet it, and those that miss it are
dropped. The last entry of a simplex is 1 less the others, and has no coordinate.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from harness.certify.enclosure.arithmetic import magnitude_ends, multiply_ends, square_ends, subtract_ends
from harness.certify.enclosure.elementary import root_ends
from harness.certify.enclosure.outward import INF, down, up
from harness.certify.enclosure.reductions import sum_over
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.slopes import Sloped
from harness.certify.enclosure.tensor import Enclosed, Ends, ends
from harness.language.spaces import (
    Ball,
    Choice,
    Integers,
    Interval,
    PositiveSemidefinite,
    Signs,
    Simplex,
    Space,
    tensor,
)

WIDE = 16.0  # a positive interval with ends this far apart is cut at its geometric middle


@dataclass(frozen=True)
class Chart(ABC):
    """The coordinates of one set."""

    space: Space
    whole: ClassVar[bool] = False  # whether coordinates are whole numbers

    @property
    def free(self) -> bool:
        """Whether every box of coordinates belongs to the set."""
        return True

    @property
    def count(self) -> int:
        return self.space.entries

    @abstractmethod
    def limits(self) -> tuple[float, float]:
        """The interval of every coordinate."""

    def values(self, box: Ends) -> Enclosed:
        """What a body is given: the set's elements with coordinates in the boxes."""
        return Enclosed(*(end.reshape(-1, *self.space.shape) for end in box))

    def contracted(self, box: Ends) -> Ends:
        """A smaller box with the same elements; an empty one (lower end above the upper) where there are none."""
        return box

    def middle(self, box: Ends) -> Tensor:
        """A point of every box; where the elements of a box are cut down by more than the box, an element."""
        middle = box[0] / 2.0 + box[1] / 2.0
        return torch.minimum(torch.maximum(middle, box[0]), box[1])

    def directions(self) -> Tensor | None:
        """How the elements move with each coordinate, (count, *shape); None where they jump."""
        return torch.eye(self.count, dtype=torch.float64).reshape(self.count, *self.space.shape)


class IntervalChart(Chart):
    """Entries in an interval."""

    def limits(self) -> tuple[float, float]:
        assert isinstance(self.space, Interval)
        return self.space.low, self.space.high


class IntegersChart(Chart):
    """Whole entries."""

    whole: ClassVar[bool] = True

    def limits(self) -> tuple[float, float]:
        assert isinstance(self.space, Integers)
        if max(abs(self.space.low), abs(self.space.high)) > 2**53:
            raise NoEnclosure("whole numbers beyond 2^53")
        return float(self.space.low), float(self.space.high)


class SignsChart(Chart):
    """0 for -1 and 1 for 1."""

    whole: ClassVar[bool] = True

    def limits(self) -> tuple[float, float]:
        return 0.0, 1.0

    def values(self, box: Ends) -> Enclosed:
        return Enclosed(*(2.0 * end.reshape(-1, *self.space.shape) - 1.0 for end in box))

    def directions(self) -> Tensor | None:
        return 2.0 * torch.eye(self.count, dtype=torch.float64).reshape(self.count, *self.space.shape)


class ChoiceChart(Chart):
    """The place in the list of options; a box of several places holds the hull of their options."""

    whole: ClassVar[bool] = True

    @property
    def count(self) -> int:
        return 1

    def limits(self) -> tuple[float, float]:
        assert isinstance(self.space, Choice)
        if not bool(tensor(self.space.options).isfinite().all()):
            raise NoEnclosure("options that are not finite")
        return 0.0, float(len(self.space.options) - 1)

    def values(self, box: Ends) -> Enclosed:
        assert isinstance(self.space, Choice)
        table = tensor(self.space.options)
        places = torch.arange(len(table), dtype=torch.float64)
        inside = ((places >= box[0]) & (places <= box[1])).unsqueeze(-1)
        low = torch.where(inside, table, INF).amin(1)
        high = torch.where(inside, table, -INF).amax(1)
        return Enclosed(low.reshape(-1, *self.space.shape), high.reshape(-1, *self.space.shape))

    def directions(self) -> Tensor | None:
        return None


class SimplexChart(Chart):
    """Entries but the last, in [0, 1]; the last is 1 less the others."""

    @property
    def count(self) -> int:
        return self.space.entries - math.prod(self.space.shape[:-1])

    @property
    def free(self) -> bool:
        return self.space.shape[-1] <= 2

    def limits(self) -> tuple[float, float]:
        return 0.0, 1.0

    def middle(self, box: Ends) -> Tensor:
        """Short of the middle where the sum would exceed 1; the lower ends where they almost do."""
        if not self.count:
            return box[0]
        low, high = (end.reshape(len(end), -1, self.space.shape[-1] - 1) for end in box)
        room = 1.0 - low.sum(-1, keepdim=True)
        width = (high - low).sum(-1, keepdim=True)
        share = torch.minimum(torch.full_like(room, 0.5), 0.999 * room / width.clamp_min(1e-300))
        found = torch.where(room < 1e-9, low, low + share * (high - low))
        return torch.minimum(torch.maximum(found, low), high).reshape(box[0].shape)

    def values(self, box: Ends) -> Enclosed:
        lines = tuple(end.reshape(len(end), *self.space.shape[:-1], self.space.shape[-1] - 1) for end in box)
        last = self._last((lines[0], lines[1]))
        parts = [torch.cat([line, end], -1) for line, end in zip(lines, last, strict=True)]
        return Enclosed(parts[0], parts[1])

    @staticmethod
    def _last(lines: Ends) -> Ends:
        if not lines[0].shape[-1]:
            ones = torch.ones((*lines[0].shape[:-1], 1), dtype=torch.float64)
            return ones, ones
        low, high = subtract_ends(ends(1.0), sum_over(lines, (lines[0].ndim - 1,), keepdim=True))
        return low.clamp_min(0.0), high.clamp_max(1.0)

    def contracted(self, box: Ends) -> Ends:
        """Each entry is at most 1 less the others."""
        if not self.count:
            return box
        low, high = (end.reshape(len(end), -1, self.space.shape[-1] - 1) for end in box)
        least = sum_over((low, low), (2,), keepdim=True)[0]
        high = torch.minimum(high, up(1.0 - down(least - low)))
        return low.reshape(box[0].shape), high.reshape(box[1].shape)

    def directions(self) -> Tensor | None:
        lines, size = math.prod(self.space.shape[:-1]), self.space.shape[-1]
        found = torch.zeros((lines, size - 1, lines, size), dtype=torch.float64)
        for line in range(lines):
            found[line, :, line, :-1] = torch.eye(size - 1, dtype=torch.float64)
            found[line, :, line, -1] = -1.0
        return found.reshape(self.count, *self.space.shape)


class BallChart(Chart):
    """Vectors of norm at most (exactly, on a sphere) the radius."""

    @property
    def free(self) -> bool:
        return False

    def limits(self) -> tuple[float, float]:
        assert isinstance(self.space, Ball)
        return -self.space.radius, self.space.radius

    def contracted(self, box: Ends) -> Ends:
        assert isinstance(self.space, Ball)
        low, high = (end.reshape(len(end), -1, self.space.shape[-1]) for end in box)
        square = multiply_ends(ends(self.space.radius), ends(self.space.radius))
        squares = square_ends((low, high))
        least, most = sum_over(squares, (low.ndim - 1,), keepdim=True)
        left = up(square[1] - down(least - squares[0]))  # at most this is left for the square of an entry
        reach = root_ends((left, left))[1]
        missed = (left < 0.0).any(-1, keepdim=True)
        low, high = torch.maximum(low, -reach), torch.minimum(high, reach)
        if self.space.surface:
            missed = missed | (most < square[0])
            due = down(square[0] - up(most - squares[1])).clamp_min(0.0)  # at least this is left
            away = root_ends((due, due))[0]
            high = torch.where(high < away, torch.minimum(high, -away), high)
            low = torch.where(low > -away, torch.maximum(low, away), low)
        low = torch.where(missed, INF, low)
        return low.reshape(box[0].shape), high.reshape(box[1].shape)


class SemidefiniteChart(Chart):
    """Symmetric matrices of order 1 and 2 of given trace, by the first diagonal entry and the one beside it."""

    @property
    def free(self) -> bool:
        return self.count == 1

    @property
    def trace(self) -> float:
        assert isinstance(self.space, PositiveSemidefinite)
        if self.space.trace is None:
            raise NoEnclosure("psd matrices without a bound on their size")
        return self.space.trace

    @property
    def count(self) -> int:
        return 2 if self.space.shape[-1] == 2 else 1

    def limits(self) -> tuple[float, float]:
        if self.space.shape[-1] > 2:
            raise NoEnclosure("psd matrices of an order above 2")
        return (-self.trace, self.trace) if self.count == 2 else (self.trace, self.trace)

    def values(self, box: Ends) -> Enclosed:
        if self.count == 1:
            return Enclosed(*(end.reshape(-1, 1, 1) for end in box))
        first = box[0][:, 0], box[1][:, 0]
        beside = box[0][:, 1], box[1][:, 1]
        last = subtract_ends(ends(self.trace), first)
        rows = [torch.stack([first[k], beside[k], beside[k], last[k]], -1) for k in (0, 1)]
        return Enclosed(*(row.reshape(-1, 2, 2) for row in rows))

    def directions(self) -> Tensor | None:
        if self.count == 1:
            return torch.ones((1, 1, 1), dtype=torch.float64)
        return torch.tensor([[[1.0, 0.0], [0.0, -1.0]], [[0.0, 1.0], [1.0, 0.0]]], dtype=torch.float64)

    def contracted(self, box: Ends) -> Ends:
        """The first entry lies in [0, trace], the one beside it within the root of the product of the diagonal."""
        if self.count == 1:
            return box
        first = box[0][:, 0].clamp_min(0.0), box[1][:, 0]
        last = subtract_ends(ends(self.trace), first)
        inside = first, (last[0].clamp_min(0.0), last[1].clamp_min(0.0))
        reach = root_ends(multiply_ends(*inside))[1]
        low = torch.stack([first[0], torch.maximum(box[0][:, 1], -reach)], -1)
        high = torch.stack([first[1], torch.minimum(box[1][:, 1], reach)], -1)
        return low, high


CHARTS: dict[type[Space], type[Chart]] = {
    Interval: IntervalChart,
    Integers: IntegersChart,
    Signs: SignsChart,
    Choice: ChoiceChart,
    Simplex: SimplexChart,
    Ball: BallChart,
    PositiveSemidefinite: SemidefiniteChart,
}


class Atlas:
    """The coordinates of all sets of a claim, side by side."""

    def __init__(self, spaces: Sequence[Space]) -> None:
        unknown = next((space for space in spaces if type(space) not in CHARTS), None)
        if unknown is not None:
            raise NoEnclosure(f"a set of type {type(unknown).__name__}")
        self.charts = [CHARTS[type(space)](space) for space in spaces]
        self.slices: list[slice] = []
        start = 0
        for chart in self.charts:
            self.slices.append(slice(start, start + chart.count))
            start += chart.count
        self.count = start
        self.free = torch.tensor([chart.free for chart in self.charts for _ in range(chart.count)], dtype=torch.bool)
        self.whole = torch.tensor([chart.whole for chart in self.charts for _ in range(chart.count)], dtype=torch.bool)

    def middle(self, box: Ends) -> Tensor:
        """One point of every box."""
        parts = [
            chart.middle((box[0][:, part], box[1][:, part]))
            for chart, part in zip(self.charts, self.slices, strict=True)
        ]
        return torch.cat(parts, -1)

    def everything(self) -> Ends:
        """One box around all sets."""
        limits = [chart.limits() for chart in self.charts for _ in range(chart.count)]
        low, high = (torch.tensor([[pair[k] for pair in limits]], dtype=torch.float64) for k in (0, 1))
        return self.contracted((low, high))

    def contracted(self, box: Ends) -> Ends:
        """Boxes cut down to what may meet the sets, without those that miss them."""
        found = self.cut_down(box)
        kept = (found[0] <= found[1]).all(-1)
        return found[0][kept], found[1][kept]

    def cut_down(self, box: Ends) -> Ends:
        """The same, with those that miss the sets, as empty boxes."""
        parts = [
            chart.contracted((box[0][:, part], box[1][:, part]))
            for chart, part in zip(self.charts, self.slices, strict=True)
        ]
        return torch.cat([part[0] for part in parts], -1), torch.cat([part[1] for part in parts], -1)

    def values(self, box: Ends) -> dict[str, Enclosed]:
        """What the body is given."""
        return {
            chart.space.name: chart.values((box[0][:, part], box[1][:, part]))
            for chart, part in zip(self.charts, self.slices, strict=True)
        }

    def sloped(self, box: Ends) -> dict[str, Any]:
        """What the body is given to find its slopes along the coordinates that have some width."""
        wide = (box[1] > box[0]).any(0)
        values: dict[str, Any] = {}
        for chart, part in zip(self.charts, self.slices, strict=True):
            value, directions = chart.values((box[0][:, part], box[1][:, part])), chart.directions()
            slopes: list[Enclosed | None] = [None] * self.count
            for k in range(chart.count):
                if bool(wide[part.start + k]):
                    slopes[part.start + k] = _slope(value, None if directions is None else directions[k])
            values[chart.space.name] = Sloped(value, slopes)
        return values

    def halves(self, box: Ends, axis: Tensor) -> Ends:
        """Each box cut in two along its own axis; whole numbers are not shared between the halves."""
        low, high = box
        column = axis.unsqueeze(-1)
        a, b = low.gather(-1, column), high.gather(-1, column)
        whole = self.whole.expand(len(low), -1).gather(-1, column)
        middle = torch.where(whole, ((a + b) / 2.0).floor(), _middle(a, b))
        above = torch.where(whole, middle + 1.0, middle)
        return (
            torch.cat([low, low.scatter(-1, column, above)]),
            torch.cat([high.scatter(-1, column, middle), high]),
        )


def _slope(value: Enclosed, direction: Tensor | None) -> Enclosed:
    if direction is None:
        return Enclosed(torch.full_like(value.low, -INF), torch.full_like(value.low, INF))
    wide = direction.expand(value.low.shape)
    return Enclosed(wide, wide)


def _middle(a: Tensor, b: Tensor) -> Tensor:
    """0 where it lies inside, the geometric middle of far numbers of one sign, the middle otherwise."""
    small, large = magnitude_ends((a, b))
    ratio = (small.clamp_min(1e-300).log() + large.clamp_min(1e-300).log()) / 2.0
    geometric = torch.exp(ratio) * torch.where(b > 0.0, 1.0, -1.0)
    middle = torch.where((small > 0.0) & (large > WIDE * small), geometric, a / 2.0 + b / 2.0)
    lopsided = (a < 0.0) & (b > 0.0) & (torch.maximum(-a, b) < WIDE * torch.minimum(-a, b))
    middle = torch.where(lopsided, 0.0, middle)
    return torch.minimum(torch.maximum(middle, a), b)


def widths(box: Ends, span: Tensor) -> Tensor:
    """Widths relative to those of the sets; 0 where a set has none."""
    return (box[1] - box[0]) / torch.where(span > 0.0, span, math.inf)
