"""A batch of instances of which some have no value: each is judged as if it were alone."""

import numpy as np
import torch

from harness.errors import BodyRaised, ClaimError
from harness.language.evaluation import Sides, Values, evaluate, left_out, nowhere
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, Parameters


def singular(error: ClaimError) -> bool:
    """Whether a body stopped because numpy or scipy found a matrix without an inverse or factorisation."""
    return isinstance(error.__cause__, np.linalg.LinAlgError)


def evaluate_apart(claim: Claim, params: Parameters, values: Values, batch: int) -> Sides:
    """As `evaluate` without draws, of a body that may raise for a whole batch because of some of its instances.

    Those that it had assumed away by then are left out; else it is asked by halves. A matrix that numpy or scipy finds
    singular makes its own instance NaN, as torch does; any other exception is raised with the inputs that are to blame,
    where they are so by themselves. A claim without inputs has nothing that could be taken apart.
    """
    try:
        return evaluate(claim, params, values, Draw(batch, ()), batch)
    except BodyRaised as error:
        raised = error
    if not values:
        raise raised
    out = left_out(claim, raised, batch)
    if bool(out.any()):
        return _elsewhere(claim, params, values, ~out)
    if batch == 1:
        if not singular(raised):
            raise raised
        nothing = torch.full((1,), torch.nan, dtype=torch.float64)
        return Sides(nothing, nothing)
    halves = slice(0, batch // 2), slice(batch // 2, batch)
    found = [evaluate_apart(claim, params, _some(values, half), len(range(batch)[half])) for half in halves]
    if not singular(raised):
        raise raised
    return Sides.joined(found)


def _elsewhere(claim: Claim, params: Parameters, values: Values, kept: torch.Tensor) -> Sides:
    """Both sides at the instances that are kept, nothing at the others."""
    some = kept.nonzero().squeeze(-1)
    found = evaluate_apart(claim, params, _some(values, some), len(some))
    nothing = nowhere(len(kept))
    lhs, rhs = (side.index_put((some,), part) for side, part in ((nothing.lhs, found.lhs), (nothing.rhs, found.rhs)))
    return Sides(lhs, rhs, nothing.out.index_put((some,), found.out))


def _some(values: Values, which: slice | torch.Tensor) -> Values:
    return {name: value[which] for name, value in values.items()}
