"""The rounding of a body, measured at given values or all over its sets."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.rounding import instance_noise
from harness.kinds import Kind, identity
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, claim
from harness.search.objective import CONFIRMATIONS

EPS = 2.0**-52
BATCH = 400


def claim_of(body: Callable[..., Any], kind: Kind | None = None) -> Claim:
    body.__doc__ = body.__doc__ or "A statement under test."
    return claim(f"rounding/{body.__name__}", kind or identity())(body)


def measured(body: Callable[..., Any], calls: int = CONFIRMATIONS, **values: Tensor) -> tuple[Tensor, Tensor]:
    """|lhs - rhs| in float64 and its measured rounding: at the given values, or all over the sets."""
    made = claim_of(body)
    spaces = anatomy(made, {}).spaces
    rng = np.random.default_rng(3)
    if not values:
        drawn = {space.name: [space.sample(rng, BATCH), space.corners(rng, BATCH // 4)] for space in spaces}
        values = {name: torch.cat(parts) for name, parts in drawn.items()}
    batch = len(next(iter(values.values()))) if values else 1
    with torch.no_grad():
        sides = evaluate(made, {}, values, Draw(batch, ()), batch)
        gap = sides.lhs - sides.rhs
        noise = instance_noise(made, {}, spaces, values, gap, calls=calls)
    assert noise.shape == gap.shape == (batch,)
    return gap.abs(), noise


def listed(table: dict[str, Callable[..., Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that enters a body in the table under its name."""

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        table[body.__name__.replace("_", " ")] = body
        return body

    return decorate
