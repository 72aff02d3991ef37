"""Bounds against reality: one lane for each paper, and in it a mark for each bound at its looseness."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.language.kind import NAMED
from harness.report.html.axis import Axis
from harness.report.layout import Judged
from harness.verdict import Status

WIDTH = 720
LOW, HIGH = 0.1, 1e4
_MARGIN = 16
_SIDE, _MOST = 8, 10  # of a mark in pixels; marks above each other, further ones stand beside them
_HEAD, _FOOT = 22, 8  # of a lane
SHOWN = (Status.PROVED, Status.HOLDS, Status.VACUOUS, Status.REFUTED, Status.UNDECIDED)


@dataclass(frozen=True)
class Spot:
    """A bound in the picture."""

    claim: Judged
    looseness: float
    x: float
    y: float


@dataclass(frozen=True)
class Lane:
    """The bounds of a paper."""

    name: str
    top: float
    bottom: float
    spots: list[Spot]


@dataclass(frozen=True)
class Overview:
    """What the template writes out."""

    height: float
    axis: Axis
    lanes: list[Lane]
    statuses: Sequence[Status]
    bounds: int
    others: int


def overview(chapters: Mapping[str, Sequence[Judged]]) -> Overview:
    """The picture of the claims of each chapter."""
    axis = Axis(LOW, HIGH, _MARGIN, WIDTH - _MARGIN, log=True)
    lanes: list[Lane] = []
    top = 0.0
    for name, claims in chapters.items():
        bounds = [(claim, loose) for claim in claims if (loose := _looseness(claim)) is not None]
        if bounds:
            lanes.append(_lane(name, bounds, axis, top))
            top = lanes[-1].bottom
    drawn = [spot.claim for lane in lanes for spot in lane.spots]
    present = {claim.status for claim in drawn}
    every = sum(len(claims) for claims in chapters.values())
    return Overview(top + 34, axis, lanes, [s for s in SHOWN if s in present], len(drawn), every - len(drawn))


def _looseness(claim: Judged) -> float | None:
    """By how much the right side could be divided; below 1 where it is exceeded by the inverse of that."""
    kind = NAMED.get(claim.kind)
    if kind is None or kind.measures != "ratio" or claim.status not in SHOWN:
        return None
    ratio = max((cell.worst_ratio for cell in claim.cells if cell.worst_ratio is not None), default=0.0)
    return 1.0 / ratio if claim.status is Status.REFUTED and ratio > 1.0 else claim.looseness


def _lane(name: str, bounds: Sequence[tuple[Judged, float]], axis: Axis, top: float) -> Lane:
    """The marks of a paper, piled up where they would cover each other: never to the other side of 1."""
    taken: dict[int, int] = {}
    places: list[tuple[Judged, float, float, int]] = []
    for claim, loose in sorted(bounds, key=lambda bound: bound[1]):
        column = round((axis.at(loose) - axis.at(1.0)) / _SIDE)
        if loose < 1.0 - 1e-9 and claim.status is Status.REFUTED:
            column = min(column, -1)
        for place in _outwards(column):
            if taken.get(place, 0) < _MOST:
                break
        row = taken[place] = taken.get(place, 0) + 1
        places.append((claim, loose, round(axis.at(1.0) + _SIDE * place, 1), row))
    bottom = top + _HEAD + _SIDE * max(taken.values()) + _FOOT
    spots = [Spot(claim, loose, x, bottom - _FOOT - _SIDE * (row - 0.5)) for claim, loose, x, row in places]
    return Lane(name, top, bottom, spots)


def _outwards(column: int) -> Iterator[int]:
    """A column, and those further from 1."""
    while True:
        yield column
        column += -1 if column < 0 else 1
