"""Where numbers lie along an axis, and what is written beside it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_PAD = 0.04  # of the range, on each side
_TICKS = 6
_SMALLEST, _LARGEST = 1e-280, 1e280  # room is left for the arithmetic of the axis
_SAME = 1e-9  # relative difference up to which numbers are drawn as one
_STEPS = (1.0, 2.0, 5.0, 10.0)
_NEAR, _FAR = 0.5, 2.0  # decades up to which ticks are as on a linear axis; from which on only powers of ten are marked


@dataclass(frozen=True)
class Axis:
    """Numbers from `low` to `high` at pixels from `start` to `end`, which may be the smaller one."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a number; that of the nearest end where it lies beyond."""
        low, high, value = (self._scaled(number) for number in (self.low, self.high, value))
        share = min(max((value - low) / (high - low), 0.0), 1.0)
        place = round(self.start + share * (self.end - self.start), 1)
        return int(place) if place == int(place) else place

    def _scaled(self, value: float) -> float:
        if not self.log:
            return value
        return math.log10(value) if value > 0.0 else -math.inf

    def shows(self, value: float) -> bool:
        """Whether a number has a place on the axis: no logarithm is drawn of what is not positive."""
        return math.isfinite(value) and (value > 0.0 or not self.log)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places with the numbers that stand there."""
        values = self._powers() if self.log else self._multiples()
        return [(self.at(value), f"{value:.6g}") for value in values if self.low <= value <= self.high]

    def _powers(self) -> list[float]:
        wide = math.log10(self.high) - math.log10(self.low)
        if wide < _NEAR:
            return [value for value in self._multiples() if value > 0.0]
        low, high = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        if wide <= _FAR:
            return [digit * 10.0**power for power in range(low, high + 1) for digit in (1, 2, 5)]
        step = math.ceil(wide / _TICKS)
        return [10.0**power for power in range(low, high + 1) if power % step == 0]

    def _multiples(self) -> list[float]:
        rough = (self.high - self.low) / _TICKS
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(step * size for step in _STEPS if step * size >= rough)
        first = math.ceil(self.low / step)
        return [float(f"{index * step:.12g}") for index in range(first, first + 3 * _TICKS)]


def axis_over(values: Iterable[float], start: float, end: float, *, log: bool) -> Axis:
    """The axis that shows all the numbers it can, with some room at its ends."""
    shown = [min(max(value, -_LARGEST), _LARGEST) for value in values if math.isfinite(value)]
    if log:
        shown = [max(value, _SMALLEST) for value in shown if value > 0.0]
    low, high = (min(shown), max(shown)) if shown else (0.1, 1.0)
    if log:
        factor = 10.0 ** (_PAD * (math.log10(high) - math.log10(low)))
        factor = factor if factor > 1.0 + _SAME else 2.0
        return Axis(low / factor, high * factor, start, end, log=True)
    room = _PAD * (high - low)
    if room <= _SAME * max(abs(low), abs(high)):
        room = 0.5 * abs(high) or 1.0
    room = max(room, _SMALLEST)
    return Axis(low - room, high + room, start, end)
