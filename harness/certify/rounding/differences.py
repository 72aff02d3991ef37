"""What a body compares over several evaluations: of each difference its extremes alone, so that memory stays."""

from dataclasses import dataclass

import numpy as np

NEAR = 50.0  # times its spread, within which a difference may be zero
HELD = 2**21  # numbers that are compared in one evaluation, of which the differences are kept


@dataclass
class _Extremes:
    """Of differences, each of which is one number of a row: (numbers,)."""

    least: np.ndarray
    most: np.ndarray
    smallest: np.ndarray  # by its absolute value
    unknown: np.ndarray

    @staticmethod
    def of(values: np.ndarray) -> "_Extremes":
        with np.errstate(all="ignore"):
            finite = np.isfinite(values)
            least, most = np.where(finite, values, np.inf), np.where(finite, values, -np.inf)
            return _Extremes(least, most, np.abs(least), np.isnan(values))

    def join(self, other: "_Extremes") -> None:
        np.minimum(self.least, other.least, out=self.least)
        np.maximum(self.most, other.most, out=self.most)
        np.minimum(self.smallest, other.smallest, out=self.smallest)
        np.logical_or(self.unknown, other.unknown, out=self.unknown)

    def at(self, where: np.ndarray) -> "_Extremes":
        return _Extremes(self.least[where], self.most[where], self.smallest[where], self.unknown[where])

    def near_zero(self) -> np.ndarray:
        """Which of them may be zero, or anything."""
        with np.errstate(all="ignore"):
            spread = self.most - self.least
            near = (spread > 0.0) & np.isfinite(spread) & (self.smallest <= NEAR * spread)
        return np.asarray(self.unknown | near)

    def largest(self) -> np.ndarray:
        """Of each the largest absolute value."""
        return np.asarray(np.maximum(np.abs(self.least), np.abs(self.most)))


class Differences:
    """Those of one body, told evaluation by evaluation, the comparisons of each in their order.

    One that has another shape in some evaluation, or came when HELD numbers had been told, is not kept.
    """

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...] | None] = []
        self._extremes = _Extremes.of(np.zeros(0))
        self._told: list[np.ndarray | None] | None = None  # in the evaluation that goes on
        self._counts: set[int] = set()
        self._held = self._joined = 0

    def begin(self) -> None:
        """What is told from here on belongs to another evaluation."""
        self._settle()
        self._told, self._held = [], 0

    def forget(self) -> None:
        """Nothing counts that was told since."""
        self._told = None

    def holds(self, size: int) -> bool:
        """Whether as many numbers more are kept."""
        self._held += size
        return self._held <= HELD

    def tell(self, difference: np.ndarray | None) -> None:
        """The next one; None where it is not kept."""
        if self._told is not None:
            self._told.append(difference)

    def differ(self) -> bool:
        """Whether some evaluation compared more often than another: it took another way, such as one more step."""
        self._settle()
        return len(self._counts) > 1

    def near_zero(self) -> dict[int, np.ndarray]:
        """By their numbers, the comparisons that may be of equals, and which of their entries; none if ways differ."""
        if self.differ() or self._joined < 2:
            return {}
        return {number: mask for number, mask in self._each(self._extremes.near_zero()) if mask.any()}

    def largest(self) -> dict[int, np.ndarray]:
        """By their numbers, the absolute value that each difference had at most."""
        return dict(self._each(self._extremes.largest()))

    def _each(self, every: np.ndarray) -> list[tuple[int, np.ndarray]]:
        numbers = [number for number, shape in enumerate(self.shapes) if shape is not None]
        return [
            (number, part.reshape(self.shapes[number]))
            for number, part in zip(numbers, _split(every, self.shapes), strict=True)
        ]

    def _settle(self) -> None:
        """Join what the last evaluation told to what the others did."""
        told, self._told = self._told, None
        if told is None:
            return
        self._counts.add(len(told))
        if len(self._counts) > 1:
            return
        self._joined += 1
        shapes = [None if each is None else each.shape for each in told]
        kept = [np.ravel(each) for each in told if each is not None]
        extremes = _Extremes.of(np.concatenate([np.zeros(0), *kept]))
        if self._joined == 1:
            self.shapes, self._extremes = shapes, extremes
            return
        if shapes != self.shapes:
            common = [mine if mine == other else None for mine, other in zip(self.shapes, shapes, strict=True)]
            self._extremes = self._extremes.at(_where(common, self.shapes))
            extremes = extremes.at(_where(common, shapes))
            self.shapes = common
        self._extremes.join(extremes)


def _sizes(shapes: list[tuple[int, ...] | None]) -> list[int]:
    return [int(np.prod(shape, dtype=int)) for shape in shapes if shape is not None]


def _split(every: np.ndarray, shapes: list[tuple[int, ...] | None]) -> list[np.ndarray]:
    sizes = _sizes(shapes)
    return np.split(every, np.cumsum(sizes)[:-1]) if sizes else []


def _where(common: list[tuple[int, ...] | None], shapes: list[tuple[int, ...] | None]) -> np.ndarray:
    """Which numbers of comparisons of these shapes belong to those that are still kept."""
    kept = [one is not None for one, shape in zip(common, shapes, strict=True) if shape is not None]
    return np.repeat(np.array(kept, dtype=bool), _sizes(shapes))
