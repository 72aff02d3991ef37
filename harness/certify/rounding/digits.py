"""Whether the plain numbers of a body keep their digits: a proof takes them for exactly what float64 makes of them."""

from dataclasses import replace

import numpy as np
import torch

from harness.certify.rounding.statements import Shares, rounded_by
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Ties, mark
from harness.errors import TightropeError
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

KEPT = 2.0**-30  # of a number, by which it may differ between two rounded evaluations
INSTANCES, EVALUATIONS = 2, 8


def lose_digits(claim: Claim, params: Parameters, spaces: tuple[Space, ...]) -> bool:
    """Whether a plain number of the body is mostly rounding, or rests on what rounding decides.

    It differs by more than KEPT of it between rounded evaluations, such as sqrt(2)^2 - 2 and what numpy makes of an
    ill-conditioned matrix; it is a whole number that rounding has made, such as int(.29 * 100); or a comparison may be
    one of equals, such as .1 + .2 <= .3, of tensors too if no input has made them: others are enclosed. Without inputs
    only these two count: balls compute the rest without floats. False where the body has no source to rewrite, or
    refuses to be evaluated at all.
    """
    rng = stream("digits", claim.key, params)
    values = {space.name: space.sample(rng, INSTANCES) for space in spaces}
    mark(list(values.values()))
    ties, found = Ties(of_constants=True), list[list[np.ndarray]]()
    for turn in range(EVALUATIONS):
        sign = (-1.0) ** turn if turn else 0.0
        share, tensors = Shares(turn // 2, sign, moved=[]), moved(turn // 2, sign=sign, directed=not turn, ties=ties)
        body = rounded_by(claim.body, share, ties)
        if body is None:
            return False
        ties.begin()
        try:
            with torch.no_grad(), tensors:
                evaluate(replace(claim, body=body), params, values, Draw(INSTANCES, ("digits",)), INSTANCES)
        except TightropeError:
            return turn > 0
        found.append(share.moved or [])
    if len({len(each) for each in found}) > 1 or ties.differences.differ():
        return True
    numbers = (same for same in zip(*found, strict=True) if spaces or same[0].dtype.kind == "i")
    return any(_differ(same[0], other) for same in numbers for other in same[1:]) or any(True for _ in ties.sides())


def _differ(first: np.ndarray, second: np.ndarray) -> bool:
    if first.shape != second.shape or (first.dtype.kind == "i" and (first != second).any()):
        return True
    with np.errstate(all="ignore"):
        return bool((np.abs(first - second) > KEPT * np.maximum(np.abs(first), np.abs(second))).any())
