"""What a cell of a claim quantifies over and what it costs: its body at a few random instances, once for each cell."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.errors import BodyRaised, ClaimError
from harness.language.apart import singular
from harness.language.dispatch import DispatchMode
from harness.language.evaluation import Values, call, cell_name, evaluate, left_out
from harness.language.jumps import Comparisons, changes
from harness.language.kept import Kept
from harness.language.quantifiers import Draw, Forall, stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.language.within import Within, cost_of_answers

REPLICATES, TURNS = 3, 20  # at which a cell is looked at first, and how often, until all of them have values
COPIED = 200  # how often at copies of one instance, where no three have them


@dataclass(frozen=True)
class Anatomy:
    """What a cell quantifies over and what one replicate costs."""

    spaces: tuple[Space, ...]
    bytes_per_replicate: int  # held at once
    operations: int  # of torch in one evaluation, which calls the body many times where a supremum is searched
    written: int  # bytes of a replicate in one evaluation


def anatomy(claim: Claim, params: Parameters) -> Anatomy:
    """Run the body on a few random instances, to find its quantified variables and the memory cost of a replicate.

    A run asks once for each cell. Raises ClaimError when the claim raises, returns the wrong thing, or is nowhere
    finite.
    """
    met = _anatomies.of(claim.body)
    cell = cell_name(claim, params)
    if cell not in met:
        met[cell] = _anatomy(claim, params)
    return met[cell]


_anatomies: Kept[tuple[str, str], Anatomy] = Kept()


def _anatomy(claim: Claim, params: Parameters) -> Anatomy:
    """At the first few instances at which the body has values, or at copies of one of them."""
    rng = stream("anatomy", claim.key, params)
    last = TURNS + (0 if "draw" in claim.wants else COPIED) - 1
    for turn in range(last + 1):
        try:
            return _anatomy_at(claim, params, rng, ("anatomy", claim.key, params, turn), distinct=turn < TURNS)
        except BodyRaised as error:
            if turn == last or not (singular(error) or bool(left_out(claim, error, REPLICATES).any())):
                raise
    raise AssertionError


def _anatomy_at(
    claim: Claim, params: Parameters, rng: np.random.Generator, key: tuple[object, ...], *, distinct: bool
) -> Anatomy:
    instances = 1 if "draw" in claim.wants else REPLICATES

    values: dict[str, Tensor] = {}

    def sampled(space: Space) -> Tensor:
        found = space.sample(rng, instances) if distinct else space.sample(rng, 1).repeat_interleave(instances, 0)
        values[space.name] = found
        return found

    forall = Forall(sampled)
    meter = _ByteMeter()
    within = Within(lambda space: space.sample(rng, REPLICATES)) if "within" in claim.wants else None
    with torch.no_grad(), meter:
        try:
            call(claim, params, forall=forall, draw=Draw(REPLICATES, key), within=within)
        except BodyRaised as error:
            raise _alone(claim, params, values, key, error) from error.__cause__
    spaces = tuple(forall.spaces.values())
    drawn = 8 * REPLICATES
    bytes_each = math.ceil((meter.bytes + drawn) / REPLICATES)
    if within is None:
        return Anatomy(spaces, bytes_each, meter.operations, bytes_each)
    search = cost_of_answers(tuple(within.spaces.values()), _compared(claim, params, REPLICATES))
    return Anatomy(spaces, bytes_each + 8 * search.numbers, search.calls * meter.operations, search.calls * bytes_each)


def _alone(claim: Claim, params: Parameters, values: Values, key: tuple[object, ...], raised: BodyRaised) -> BodyRaised:
    """What a body has raised at a few instances, with the first of them that is to blame by itself."""
    for index in range(max((len(value) for value in values.values()), default=0)):
        one = {name: value[index : index + 1] for name, value in values.items()}
        reps = REPLICATES if "draw" in claim.wants else 1
        try:
            evaluate(claim, params, one, Draw(reps, key), reps)
        except BodyRaised as named:
            return named
        except ClaimError:  # it goes on to variables that the others have not come to
            continue
    return raised


def _compared(claim: Claim, params: Parameters, replicates: int) -> int:
    """With how many numbers of a replicate, at most, what is quantified within is compared."""
    met = []
    for turn in range(2):
        rng, answers = stream("anatomy", claim.key, params), stream("anatomy", "within", claim.key, params, turn)
        forall = Forall(lambda space, rng=rng: space.sample(rng, 1))  # type: ignore[misc]
        within = Within(lambda space, rng=answers: space.sample(rng, replicates))  # type: ignore[misc]
        draw = Draw(replicates, ("anatomy", claim.key, params))
        with torch.no_grad(), Comparisons(replicates) as comparisons:
            call(claim, params, forall=forall, draw=draw, within=within)
        met.append(comparisons.met())
    return changes(met)


class _ByteMeter(DispatchMode):
    """Counts operations, and the bytes of every tensor that the body creates: an upper bound on its temporaries."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.bytes = self.operations = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.operations += 1
        if kwargs and "out" in kwargs:
            return out
        for item in out if isinstance(out, tuple | list) else (out,):
            if isinstance(item, Tensor):
                self.bytes += item.numel() * item.element_size()
        return out
