"""Suprema over signs, whole numbers, orders and choices: entry by entry, the steepest together to begin with."""

import numpy as np
import torch
from torch import Tensor

from harness.language.answers import Answers, Found, column, height, lift, sloped
from harness.language.lines import CALM, LINES, SIDEWAYS, SLIGHT, Search
from harness.language.spaces import Choice, Integers, Keys, Signs, Space

STEEPEST = 24  # calls, at most, in which the entries are changed that promise most by their slopes
FLIPS = 320  # calls, at most, in which one entry of all replicates is changed
KICKED = 3  # entries of each replicate that change by chance, where no single one is better


def calls_of_flips(spaces: list[Space]) -> int:
    """How many calls of the body the search takes, at most."""
    return STEEPEST + FLIPS if spaces else 0


def entry_by_entry(spaces: list[Space], search: Search, best: Found) -> Found:
    """The best answers that changes of single entries lead to.

    Where no change of an entry lifts the replicates any more, a few entries of each are changed by chance.
    """
    if not spaces:
        return best
    best = _apart([space for space in spaces if isinstance(space, Keys)], search, best)
    best = _steepest([space for space in spaces if not isinstance(space, Choice | Keys)], search, best)
    found, reps = best, len(best.heights)
    entries = [(space, entry) for space in spaces for entry in range(_entries(space))]
    if not entries:
        return best
    order: list[int] = []
    before, known, calm = torch.full_like(best.heights, -torch.inf), best.heights, 0
    for _ in range(FLIPS * search.lines // LINES):
        if not order:
            if lift(before, found.heights) <= SLIGHT:
                calm = calm + 1 if lift(known, best.heights) <= SLIGHT else 0
                if calm == CALM:
                    break
                known, found = best.heights, _kicked(found, entries, search)
            before, order = found.heights, search.rng.permutation(len(entries)).tolist()
        other = _changed(found.answers, entries, np.full(reps, order.pop()), search)
        heights = height(search.gap(other))
        chance = torch.from_numpy(search.rng.random(reps)).to(heights.device)
        wins = (heights > found.heights) | (heights == found.heights) & (chance < SIDEWAYS)
        found = found.unless(wins, Found(other, heights))
        best = best.or_better(found)
    return best


def _apart(spaces: list[Keys], search: Search, best: Found) -> Found:
    """Keys with the same order and no ties, whose exchange would change nothing."""
    if not spaces:
        return best
    apart = {space.name: space.of_ranks(best.answers[space.name].argsort(-1).argsort(-1)) for space in spaces}
    answers = {**best.answers, **apart}
    return Found(answers, height(search.gap(answers)))


def _kicked(found: Found, entries: list[tuple[Space, int]], search: Search) -> Found:
    """A few entries of each replicate changed by chance."""
    answers, reps = found.answers, len(found.heights)
    for _ in range(KICKED):
        answers = _changed(answers, entries, search.rng.integers(len(entries), size=reps), search)
    return Found(answers, height(search.gap(answers)))


def _steepest(spaces: list[Space], search: Search, best: Found) -> Found:
    """Entries moved to the end that their slope points at: all that promise to climb, then half of them, then fewer.

    One step is enough where the body is linear in its answers. Bodies without slopes are left as they are.
    """
    if not spaces:
        return best
    slopes = sloped(spaces, search.gap, best.answers)[1]
    count = torch.full_like(best.heights, sum(space.entries for space in spaces))
    for _ in range(STEEPEST):
        gains, ends = [], {}
        for space in spaces:
            value = best.answers[space.name]
            slope = slopes.get(space.name, torch.zeros_like(value))
            low, high = (-1.0, 1.0) if isinstance(space, Signs) else _range(space)
            ends[space.name] = torch.where(slope > 0.0, high, low)
            gains.append((slope * (ends[space.name] - value)).reshape(len(value), -1))
        gain = torch.cat(gains, -1)
        rank = gain.argsort(dim=-1, descending=True, stable=True).argsort(dim=-1)
        chosen = (gain > 0.0) & (rank < count.unsqueeze(-1))
        if not bool(chosen.any()):
            break
        other = dict(best.answers)
        for space, some in zip(spaces, torch.split(chosen, [space.entries for space in spaces], -1), strict=True):
            value = best.answers[space.name]
            other[space.name] = torch.where(some.reshape(value.shape), ends[space.name], value)
        heights, there = sloped(spaces, search.gap, other)
        wins = heights > best.heights
        best = best.or_better(Found(other, heights))
        slopes = {
            name: torch.where(wins.reshape(column(old)), there.get(name, old), old) for name, old in slopes.items()
        }
        count = torch.where(wins, count, (count / 2.0).floor())
    return best


def _changed(answers: Answers, entries: list[tuple[Space, int]], places: np.ndarray, search: Search) -> Answers:
    """Another value for one entry of each replicate."""
    changed = dict(answers)
    for index in np.unique(places).tolist():
        space, entry = entries[index]
        some = torch.from_numpy(np.flatnonzero(places == index))
        value = changed[space.name].clone()
        rows = value[some].cpu()
        if isinstance(space, Choice):
            rows = space.sample(search.rng, len(some))
        else:
            flat = rows.reshape(len(some), -1)
            if isinstance(space, Keys):
                one, other = (int(axis[entry]) for axis in np.triu_indices(space.entries, 1))
                flat[:, [one, other]] = flat[:, [other, one]]
            else:
                flat[:, entry] = _another(space, flat[:, entry], search)
            rows = flat.reshape(rows.shape)
        value[some] = rows.to(value.device)
        changed[space.name] = value
    return changed


def _another(space: Space, values: Tensor, search: Search) -> Tensor:
    """Other values of an entry: the other sign; the next whole number, or any."""
    if isinstance(space, Signs):
        return -values
    low, high = _range(space)
    step = torch.from_numpy(search.rng.choice([-1.0, 1.0], len(values)))
    near = torch.where((values + step < low) | (values + step > high), values - step, values + step)
    anywhere = torch.from_numpy(search.rng.integers(low, high, len(values), endpoint=True).astype(np.float64))
    return torch.where(torch.from_numpy(search.rng.random(len(values)) < 0.5), near, anywhere).clamp(low, high)


def _entries(space: Space) -> int:
    """In how many ways answers change: a choice in one, an order by the exchange of any two."""
    if isinstance(space, Keys):
        return space.entries * (space.entries - 1) // 2
    return 1 if isinstance(space, Choice) else space.entries


def _range(space: Space) -> tuple[int, int]:
    assert isinstance(space, Integers)
    return space.low, space.high
