"""The rounding of trials, their events and the probabilities of all outcomes: the same draws, rounded differently."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.recompiled import calls_of
from harness.certify.rounding.inputs import blurred
from harness.certify.rounding.libraries import ELSEWHERE
from harness.certify.rounding.spread import (
    CLEAR,
    leaves_torch,
    nothing,
    otherwise,
    spread_of,
    unseen,
    where_defined,
)
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Ties
from harness.language.evaluation import Sides
from harness.language.outcomes import Outcomes
from harness.language.recorded import Recorder
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

UNDONE = 0.5  # rounding of an event minus a number from which on the event itself is undone
PAIRS = 12  # evaluations of events, and as many the other way: ties that hardly move show in some
FEW = 61  # events, at most, that are looked at first
DECIDED = 1e290  # more than any side


def trial_noise(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    instance: Mapping[str, Tensor],
    draw: Callable[[], Any],
    gap: Tensor,
    *,
    pairs: int,
    directed: bool = True,
) -> Tensor:
    """Rounding of lhs - rhs in each trial of a block, `(reps,)`: the same draws, rounded differently.

    `pairs` times at random and the other way, and, if `directed`, once up, once down; and once more, where something
    ties, with ties equal: trials that may divide by zero, or invert a matrix that may be singular, have zero there.
    `draw` hands out the same draws at every call: they are kept, not made again from parameters that have moved.
    DECIDED where rounding, or a pole, decides whether the claim says anything of the instance or of the trial, and
    where rounding decides how many are drawn, or from what law.
    """
    reps, ties = len(gap), Ties(of_trials=True)
    samples, excluded = [gap.unsqueeze(-1)], torch.zeros(reps, dtype=torch.bool)
    for found in _both_ways(claim, params, spaces, instance, draw, reps, pairs=pairs, directed=directed, ties=ties):
        sides = found or nothing(reps)
        samples.append((sides.lhs - sides.rhs).unsqueeze(-1))
        excluded |= sides.out
    for _ in ties.sides():
        sides = otherwise(claim, params, instance, draw, reps, moved(pairs, ties=ties), pairs) or nothing(reps)
        divided, tied = torch.from_numpy(ties.undefined(reps)), sides.lhs - sides.rhs
        samples.append(torch.where(divided | torch.isfinite(tied), tied, gap).unsqueeze(-1))
        excluded |= divided & where_defined(sides, ties).out
    noise = torch.maximum(spread_of(torch.cat(samples, dim=-1)), unseen(claim, params, spaces, instance, batch=1))
    return torch.where(excluded, DECIDED, noise)


def chances_otherwise(
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    instance: Mapping[str, Tensor],
    every: Callable[[], Outcomes],
) -> Tensor:
    """The probabilities of all outcomes, rounded differently in each of a few evaluations, `(evaluations, outcomes)`.

    `every` makes the outcomes, afresh at each call.
    """
    met, reps = [], every().reps

    def afresh() -> Outcomes:
        met.append(every())
        return met[-1]

    sides = _both_ways(claim, params, spaces, instance, afresh, reps, pairs=1)
    found = [met[-1].weights.detach().cpu() for each in sides if each is not None]
    return torch.stack(found) if found else torch.zeros((0, reps), dtype=torch.float64)


def _both_ways(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    instance: Mapping[str, Tensor],
    draw: Callable[[], Any],
    reps: int,
    *,
    pairs: int,
    directed: bool = True,
    ties: Ties | None = None,
) -> Iterator[Sides | None]:
    """Evaluations that are rounded differently, each beside its opposite: `pairs` at random, then all up, all down."""
    blind = leaves_torch(claim, params, instance, draw(), reps)
    for seed in range(pairs + directed):
        for sign in (1.0, -1.0):
            moved_inputs = blurred(spaces, instance, seed, sign, blind=blind)
            mode = moved(seed, sign=sign, directed=seed == pairs, ties=ties)
            yield otherwise(claim, params, moved_inputs, draw, reps, mode, seed)


def chance_rounding(weights: np.ndarray, others: np.ndarray, values: np.ndarray) -> float:
    """How far rounding of probabilities (outcomes,), otherwise (k, outcomes), may take the mean of values (outcomes,).

    CLEAR times the range of the means that are finite.
    """
    means = np.append(others @ values, weights @ values)
    means = means[np.isfinite(means)]
    return float(CLEAR * np.ptp(means)) if len(means) else 0.0


def undone(  # noqa: PLR0917
    claim: Claim,
    params: Parameters,
    spaces: tuple[Space, ...],
    instance: Mapping[str, Tensor],
    sides: Sides,
    drawn: Recorder,
) -> Tensor:
    """Which events of a block rounding may undo, their indices, such as a tie of sums in different order.

    The left side is the event, 0 or 1, and the right one a number; `drawn` has recorded what both were made from. None
    where a few events, spread over the block, show none. All that are `decided_elsewhere`.
    """
    gap = sides.lhs - sides.rhs

    def among(some: Tensor) -> Tensor:
        if not len(some):
            return some
        rows = partial(drawn.rows, some)
        return some[~(trial_noise(claim, params, spaces, instance, rows, gap[some], pairs=PAIRS) < UNDONE)]

    every = torch.nonzero(torch.isfinite(gap) & (sides.lhs > 0.0)).squeeze(-1)
    if decided_elsewhere(claim, spaces, drawn.drawn):
        return every
    few = every[:: len(every) // FEW + 1]
    doubtful = among(few)
    return among(every) if len(doubtful) and len(few) < len(every) else doubtful


def decided_elsewhere(claim: Claim, spaces: tuple[Space, ...], drawn: Mapping[str, Tensor]) -> bool:
    """Whether a library outside torch makes events of whole numbers: ties are likely, and nothing moves to show it."""
    if any(space.smooth for space in spaces) or not calls_of(claim.body, ELSEWHERE):
        return False
    return all(bool((value == value.round()).all()) for value in drawn.values() if not value.is_complex())
