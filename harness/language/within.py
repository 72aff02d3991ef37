"""`within`: inputs quantified inside the event or the mean, chosen by an adversary who has seen the draws.

    def uniform_deviation(draw, within, *, n, delta):
        x = draw.uniform("x", n)                     # first everything that is drawn ...
        t = within.interval("t", 0.0, 1.0)           # ... then the worst t for these x
        return ((x <= t[:, None]).double().mean(-1) - t).abs(), math.sqrt(math.log(2 / delta) / (2 * n))

The left side becomes its supremum over what is `within`, replicate by replicate: where a class is finite and small it
is enumerated, else lhs - rhs is climbed from several starts, and where the body makes comparisons the answers between
its jumps are tried along lines. A supremum that was searched is at most the true one, so that a refutation stands,
while HOLDS says less.
"""

import itertools
import math
from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from harness.language.answers import Answers, Found, Gap, column, height, lift, sloped
from harness.language.every import permutations
from harness.language.flips import calls_of_flips, entry_by_entry
from harness.language.lines import Search, between_jumps, between_jumps_of_a_number, calls_between_jumps
from harness.language.quantifiers import Forall
from harness.language.spaces import Choice, Integers, Interval, Keys, Rng, Signs, Space

ENUMERATED = 1024  # combinations of finite sets that are tried one by one
STARTS = 12  # random and structured answers for each replicate; the best of them is climbed
STEPS = 24  # of that climb, at most
CALM, LEAST = 3, 1e-3  # steps in a row that lift the replicates by less than this share of their spread end it
SCANNED, ROUNDS = 33, 3  # numbers in a row for a single real answer, each round between the neighbours of the best
WHOLE = 129  # numbers in a row for a whole number
CACHED = 0.25  # what a call on a line costs beside others: few lines are followed to the end, and they write little
FIRST, GROWTH, SHRINKAGE = 0.25, 1.5, 0.4  # its first step, beside the size of the set, and how later ones follow it


class Within(Forall):
    """The inputs quantified inside the event or the mean. Every method returns a float64 tensor `(reps, *shape)`."""

    def permutation(self, name: str, n: int) -> Tensor:
        """Permutations of 0 ... n - 1 as indices, `(reps, n)`: all of them where they are few, else by exchanges."""
        return self._made(name, self._take(Keys(name, (n,), 0.0, 1.0)).argsort(-1))


def best_answers(spaces: tuple[Space, ...], search: Search, reps: int, device: str) -> Answers:
    """The worst answers found, for each replicate separately.

    Parameters
    ----------
    spaces : the sets of the answers.
    search : lhs - rhs of every replicate, differentiable where its inputs are, and how it is searched.
    reps : number of replicates.
    device : where the replicates are.
    """
    gap, rng = search.gap, search.rng
    known = finite_answers(spaces)
    if known is not None:
        return _best(gap, (_everywhere(answer, reps, device) for answer in known)).answers
    if _is_number(spaces):
        return between_jumps_of_a_number(spaces[0], search, _scan(spaces[0], gap, reps, device)).answers
    if _is_whole_number(spaces):
        return _scan(spaces[0], gap, reps, device, points=WHOLE, rounds=_rounds(spaces[0])).answers
    smooth, others = _parted(spaces)
    found = _climb(spaces, gap, _best(gap, _starts(spaces, reps, rng, device)), rng)
    return between_jumps(smooth, search, entry_by_entry(others, search, found)).answers


class Cost(NamedTuple):
    """Of a supremum: calls of the body, and numbers that are kept for each replicate."""

    calls: int
    numbers: int


def cost_of_answers(spaces: tuple[Space, ...], compared: int) -> Cost:
    """What a supremum takes, at most, where its answers are compared with so many numbers."""
    known = finite_answers(spaces)
    if known is not None:
        return Cost(len(known) + 2, 0)
    if _is_whole_number(spaces):
        return Cost(WHOLE * _rounds(spaces[0]) + 2, 0)
    number = _is_number(spaces)
    plain = SCANNED * ROUNDS if number else STARTS + 2 * STEPS + calls_of_flips(_parted(spaces)[1])
    lines, along = calls_between_jumps(compared, number=number)
    return Cost(2 + plain + math.ceil(CACHED * lines * along), along * compared)


def _is_number(spaces: tuple[Space, ...]) -> bool:
    """Whether there is a single real answer."""
    return len(spaces) == 1 and isinstance(spaces[0], Interval) and spaces[0].entries == 1


def _is_whole_number(spaces: tuple[Space, ...]) -> bool:
    """Whether there is a single answer, a whole number."""
    return len(spaces) == 1 and isinstance(spaces[0], Integers) and spaces[0].entries == 1


def _rounds(space: Space) -> int:
    """After how many grids no whole number between neighbours is left."""
    return 1 + math.ceil(math.log(space.size) / math.log((WHOLE - 1) / 2))


def _parted(spaces: tuple[Space, ...]) -> tuple[list[Space], list[Space]]:
    """Sets of real numbers, and those whose elements are changed entry by entry."""
    countable: list[Space] = [space for space in spaces if isinstance(space, Choice | Integers | Keys | Signs)]
    return [space for space in spaces if space.smooth and not isinstance(space, Keys)], countable


def finite_answers(spaces: tuple[Space, ...]) -> list[Answers] | None:
    """Every combination of answers, each entry with a leading axis of one; None where there are too many."""
    sets = []
    for space in spaces:
        entries = _entries(space)
        if entries is None:
            return None
        sets.append([(space.name, entry) for entry in entries])
        if math.prod(map(len, sets)) > ENUMERATED:
            return None
    return [dict(combination) for combination in itertools.product(*sets)]


def _entries(space: Space) -> list[Tensor] | None:
    """The elements of a small finite set."""
    if isinstance(space, Choice):
        return [torch.tensor(option, dtype=torch.float64).reshape(1, *space.shape) for option in space.options]
    if isinstance(space, Keys):
        few = math.factorial(space.entries) <= ENUMERATED
        orders = permutations(space.entries, like=torch.zeros((), dtype=torch.float64)) if few else None
        return None if orders is None else list(space.of_ranks(orders).unsqueeze(1))
    if isinstance(space, Signs):
        values: tuple[int, ...] | range = (-1, 1)
    elif isinstance(space, Integers):
        values = range(space.low, space.high + 1)
    else:
        return None
    if space.entries * math.log(max(len(values), 1)) > math.log(ENUMERATED):
        return None
    tuples = itertools.product(values, repeat=space.entries)
    return [torch.tensor(entry, dtype=torch.float64).reshape(1, *space.shape) for entry in tuples]


def _everywhere(answer: Answers, reps: int, device: str) -> Answers:
    return {name: value.to(device).expand(reps, *value.shape[1:]).clone() for name, value in answer.items()}


def _starts(spaces: tuple[Space, ...], reps: int, rng: Rng, device: str) -> Iterator[Answers]:
    """Structured and random answers by turns."""
    for start in range(STARTS):
        yield {
            space.name: (space.corners(rng, reps) if start % 3 == 2 else space.sample(rng, reps)).to(device)
            for space in spaces
        }


def _best(gap: Gap, answers: Iterator[Answers]) -> Found:
    """For each replicate the answer with the largest gap, and that gap."""
    return reduce(Found.or_better, (Found(answer, height(gap(answer))) for answer in answers))


def _scan(space: Space, gap: Gap, reps: int, device: str, *, points: int = SCANNED, rounds: int = ROUNDS) -> Found:
    """The worst value of one number: a grid, then finer grids between the neighbours of the best point."""
    centre = space.from_unit(np.full((1, 1), 0.5)).to(device).expand(reps, *space.shape)
    width = 0.5 * space.size
    best = None
    for _ in range(rounds):
        grid = (
            {space.name: space.project(centre + share * width)} for share in np.linspace(-1.0, 1.0, points).tolist()
        )
        found = _best(gap, grid)
        best = found if best is None else best.or_better(found)
        centre, width = best.answers[space.name], 2.0 * width / (points - 1)
    assert best is not None
    return best


def _climb(spaces: tuple[Space, ...], gap: Gap, best: Found, rng: Rng) -> Found:
    """Projected gradient steps on smooth sets and random moves on the others, kept where they climb."""
    smooth = [space for space in spaces if space.smooth]
    steps = torch.full_like(best.heights, FIRST)
    moves = sloped(smooth, gap, best.answers)[1]
    calm = 0
    for step in range(STEPS):
        candidate = dict(best.answers)
        for space in spaces:
            value = best.answers[space.name]
            width = steps.reshape(column(value))
            if space.name in moves:
                candidate[space.name] = space.project(value + width * space.size * moves[space.name])
            elif not smooth or step % 2:  # a random move beside a gradient step hides whether that one climbs
                candidate[space.name] = space.perturb(value.cpu(), rng, FIRST).to(value.device)
        heights, there = sloped(smooth, gap, candidate)
        wins, before = heights > best.heights, best.heights
        best = best.or_better(Found(candidate, heights))
        moves = {name: torch.where(wins.reshape(column(old)), there[name], old) for name, old in moves.items()}
        steps = torch.where(best.heights > before, GROWTH * steps, SHRINKAGE * steps)
        calm = calm + 1 if lift(before, best.heights) <= LEAST else 0
        if calm == CALM:
            break
    return best
