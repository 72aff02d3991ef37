"""Whether the plain numbers of a body keep their digits: a proof takes them for exactly what float64 makes of them."""

from dataclasses import replace

import numpy as np
import torch

from harness.certify.rounding.statements import Shares, rounded_by
from harness.errors import TightropeError
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

KEPT = 2.0**-30  # of a number, by which it may differ between two evaluations
INSTANCES = 2


def lose_digits(claim: Claim, params: Parameters, spaces: tuple[Space, ...]) -> bool:
    """Whether a plain number of the body differs by more than KEPT of it between two rounded evaluations.

    Such as sqrt(2)^2 - 2, and what numpy makes of an ill-conditioned matrix. False where the body has no source to
    rewrite, or refuses to be evaluated so.
    """
    rng = stream("digits", claim.key, params)
    values = {space.name: space.sample(rng, INSTANCES) for space in spaces}
    found = []
    for sign in (1.0, -1.0):
        share = Shares(0, sign, moved=[])
        body = rounded_by(claim.body, share)
        if body is None:
            return False
        try:
            with torch.no_grad():
                evaluate(replace(claim, body=body), params, values, Draw(INSTANCES, ("digits",)), INSTANCES)
        except TightropeError:
            return False
        found.append(share.moved or [])
    return len(found[0]) == len(found[1]) and any(_differ(*pair) for pair in zip(*found, strict=True))


def _differ(first: np.ndarray, second: np.ndarray) -> bool:
    if first.shape != second.shape:
        return True
    with np.errstate(all="ignore"):
        return bool((np.abs(first - second) > KEPT * np.maximum(np.abs(first), np.abs(second))).any())
