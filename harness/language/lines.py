"""Suprema of what jumps: between the jumps of a body along lines of answers."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from harness.language.answers import Answers, Found, Gap, column, height, lift
from harness.language.jumps import PLACES, Comparisons, Met, changes, crossings, jumps, some, stretches
from harness.language.spaces import Rng, Space

INSIDE = 2.0**-14  # of the way to the next jump: where both ends of the stretch between two of them are tried
WITHIN, FLAT = (0.25, 0.75), 1e-9  # where such a stretch is probed, and how far both may differ beside their size
NEIGHBOURHOODS = (1.0, 1.0 / 32.0)  # how far from the best number jumps are looked for, beside the size of the set
ALONG, NUMBER = 24, 64  # jumps on a line of answers, and of a single real answer, between which answers are tried
LINES = 24  # of answers, for several real numbers
CALM, SLIGHT = 3, 5e-3  # lines in a row that lift the replicates by less than this share of their spread end it
SIDEWAYS = 0.5  # how probably an answer as good as the best one takes its place


class Search(NamedTuple):
    """lhs - rhs of answers, what random ones come from, and how many lines of several numbers are followed."""

    gap: Gap
    rng: Rng
    lines: int = LINES


class Ends(NamedTuple):
    """A line of answers, from one to the other."""

    start: Answers
    end: Answers


def calls_between_jumps(compared: int, *, number: bool) -> tuple[int, int]:
    """How many lines, at most, and how many calls of the body on each, for comparisons with so many numbers."""
    if not compared:
        return 0, 0
    lines, most = (len(NEIGHBOURHOODS), NUMBER) if number else (LINES, ALONG)
    return lines, len(PLACES) + 2 * (min(compared, most) + 2)


def between_jumps_of_a_number(space: Space, search: Search, best: Found) -> Found:
    """Between the jumps of the body anywhere, then close to the best number."""
    for share in NEIGHBOURHOODS:
        value, width = best.answers[space.name], share * space.size
        ends = Ends({space.name: space.project(value - width)}, {space.name: space.project(value + width)})
        line = _Line([space], search, best, ends)
        if not line.follow(NUMBER):
            break
        best = line.found
    return best


def between_jumps(spaces: list[Space], search: Search, best: Found) -> Found:
    """Between the jumps of the body along lines, where it compares the answers in these real sets with anything.

    Two of three lines go through answers that wander: where nothing on a line is better, to what is as good.
    """
    found, calm = best, 0
    for turn in range(search.lines if spaces else 0):
        ends = _anywhere(spaces, found, search.rng) if turn % 3 == 2 else _through(spaces, found, search.rng, turn)
        line = _Line(spaces, search, found, ends)
        if not line.follow(ALONG):
            break
        found, before = line.found, best.heights
        best = best.or_better(found)
        calm = calm + 1 if lift(before, best.heights) <= SLIGHT else 0
        if calm == CALM:
            break
    return best


class _Line:
    """Answers on the way from one answer to another: `found` is one of the best that were tried, by chance."""

    def __init__(self, spaces: list[Space], search: Search, found: Found, ends: Ends) -> None:
        self.found = found
        self._spaces, self._gap, self._ends, self._rng = spaces, search.gap, ends, search.rng
        self._near = _nearest(spaces, found, ends)
        self._watched: list[tuple[Tensor, Met]] = []  # places, and what the body has compared there

    def follow(self, most: int) -> bool:
        """Try the answers between at most so many jumps, twice that where they are not known from the first calls.

        False where the body compares nothing that changes on the way.
        """
        for place in PLACES:
            self._call(torch.full_like(self._near, place), watch=True)
        met = [met for _, met in self._watched]
        if not changes(met):
            return False
        places, bends, certain = jumps(met)
        self._try_between(places, most, watch=not certain)
        if certain:
            return True
        for bend in bends.gather(-1, some(bends, self._near, most)).unbind(-1):
            self._call(torch.where(bend.isfinite(), bend, self._near), watch=True)
        if len({met.margins.shape for _, met in self._watched}) == 1:
            tried = torch.stack([place for place, _ in self._watched], 1)
            places = crossings(tried, torch.stack([met.margins for _, met in self._watched], 1))
            self._try_between(places, most, watch=False)
        return True

    def _try_between(self, jumps: Tensor, most: int, *, watch: bool) -> None:
        """Both ends of what lies between jumps; half way where nothing changes, as the longest stretch shows."""
        low, high = stretches(jumps, self._near, most)
        longest = (high - low).argmax(-1, keepdim=True)
        first, last = low.gather(-1, longest)[:, 0], high.gather(-1, longest)[:, 0]
        one, other = (self._call(first + share * (last - first), watch=watch) for share in WITHIN)
        flat = bool((one - other).abs().le(FLAT * one.abs()).all())
        for share in (0.5,) if flat else (INSIDE, 1.0 - INSIDE):
            for place in (low + share * (high - low)).unbind(-1):
                self._call(place, watch=watch)

    def _call(self, place: Tensor, *, watch: bool) -> Tensor:
        """lhs - rhs of the answers there, `(reps,)`; what cannot be moved stays as it is."""
        moved = {}
        for space in self._spaces:
            start, end = (answers[space.name] for answers in self._ends)
            moved[space.name] = space.project(start + place.reshape(column(start)) * (end - start))
        answers = {**self.found.answers, **moved}
        if watch:
            with Comparisons(len(place)) as comparisons:
                heights = height(self._gap(answers))
            self._watched.append((place, comparisons.met()))
        else:
            heights = height(self._gap(answers))
        chance = torch.from_numpy(self._rng.random(len(place))).to(heights.device)
        wins = (heights > self.found.heights) | (heights == self.found.heights) & (chance < SIDEWAYS)
        self.found = self.found.unless(wins, Found(answers, heights))
        return heights


def _anywhere(spaces: list[Space], found: Found, rng: Rng) -> Ends:
    """Between two random answers."""

    def answers() -> Answers:
        units = {space.name: space.from_unit(rng.random((len(found.heights), space.dimension))) for space in spaces}
        return {name: value.to(found.heights.device) for name, value in units.items()}

    return Ends(answers(), answers())


def _through(spaces: list[Space], found: Found, rng: Rng, turn: int) -> Ends:
    """Through these answers as far as the sets reach: along one of their entries, or anywhere, by turns."""
    reps = len(found.heights)
    sizes = [space.entries for space in spaces]
    if turn % 3:
        moves = rng.standard_normal((reps, sum(sizes)))
    else:
        moves = np.eye(sum(sizes))[(np.arange(reps) + turn // 3) % sum(sizes)]  # replicates begin with different ones
    parts = np.split(moves, np.cumsum(sizes)[:-1], axis=1)
    ends = Ends({}, {})
    for space, part in zip(spaces, parts, strict=True):
        value = found.answers[space.name]
        step = 2.0 * space.size * torch.from_numpy(part).to(value).reshape(value.shape)
        ends.start[space.name], ends.end[space.name] = space.project(value - step), space.project(value + step)
    return ends


def _nearest(spaces: list[Space], found: Found, ends: Ends) -> Tensor:
    """Where on a line it comes closest to these answers, `(reps,)`."""
    start, end, value = (
        torch.cat([answers[space.name].reshape(len(found.heights), -1) for space in spaces], -1)
        for answers in (*ends, found.answers)
    )
    way = end - start
    return (((value - start) * way).sum(-1) / way.square().sum(-1)).nan_to_num().clamp(0.0, 1.0)
