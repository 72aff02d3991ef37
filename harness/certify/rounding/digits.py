"""Whether the plain numbers of a body keep their digits: a proof takes them for exactly what float64 makes of them."""

from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import Tensor

from harness.certify.recompiled import names_of
from harness.certify.rounding.spread import AMPLIFIED
from harness.certify.rounding.statements import Shares, rounded_by
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Ties, mark
from harness.errors import Slip, TightropeError
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

KEPT = 2.0**-30  # of a number, by which it may differ between two rounded evaluations
INSTANCES, EVALUATIONS = 2, 8
OF_WHOLE_NUMBERS = frozenset(
    (
        *("int", "long", "short", "int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float32", "astype"),
        *("arange", "prod", "cumprod", "left_shift", "bitwise_left_shift", "randint"),
    )
)
MANY = 32  # plain numbers of a program in which single last places may be hidden


def lose_digits(claim: Claim, params: Parameters, spaces: tuple[Space, ...]) -> bool:
    """Whether a plain number of the body is mostly rounding, or rests on what rounding decides.

    It differs by more than KEPT of it between rounded evaluations, such as sqrt(2)^2 - 2 and what numpy makes of an
    ill-conditioned matrix; it is a whole number that rounding has made, such as int(.29 * 100); or a comparison may be
    one of equals, such as .1 + .2 <= .3, of tensors too if no input has made them: others are enclosed. Without inputs
    only these two count: balls compute the rest without floats. AMPLIFIED last places may take so many times as much of
    a number of MANY, unless they decide something. False where the body has no source to rewrite, or refuses to be
    evaluated at all.
    """
    numbers_of, ties = partial(_numbers_of, claim, params, _instances(claim, params, spaces)), Ties(of_constants=True)
    found = list[list[np.ndarray]]()
    for turn in range(EVALUATIONS):
        sign = (-1.0) ** turn if turn else 0.0
        numbers = numbers_of(ties, turn // 2, sign, directed=not turn)
        if numbers is None:
            return turn > 0
        found.append(numbers)
    if len({len(each) for each in found}) > 1 or ties.differences.differ():
        return True
    meant = (same for same in zip(*found, strict=True) if spaces or same[0].dtype.kind == "i")
    if any(_decided(same[0], other) or _far(same[0], other, KEPT) for same in meant for other in same[1:]):
        return True
    if any(True for _ in ties.sides()) and (spaces or not _of_divisors(ties)):
        return True
    for sign in (AMPLIFIED, -AMPLIFIED) if spaces and len(found[0]) >= MANY else ():
        wide = numbers_of(Ties(of_constants=True), 0, sign, directed=False)
        pairs = zip(found[0], wide, strict=True) if wide is not None and len(wide) == len(found[0]) else ()
        if any(not _decided(*pair) and _far(*pair, AMPLIFIED * KEPT) for pair in pairs):
            return True
    return False


def _of_divisors(ties: Ties) -> bool:
    """Whether all that ties are divisors that may be zero, of which balls know better."""
    others = ties.met_neighbours or ties.by_nearness or not ties.doubtful
    return not others and all(number in ties.divisors for number in ties.doubtful)


def _instances(claim: Claim, params: Parameters, spaces: tuple[Space, ...]) -> dict[str, Tensor]:
    rng = stream("digits", claim.key, params)
    values = {space.name: space.sample(rng, INSTANCES) for space in spaces}
    mark(list(values.values()))
    return values


def _numbers_of(  # noqa: PLR0917
    claim: Claim, params: Parameters, values: dict[str, Tensor], ties: Ties, seed: int, sign: float, *, directed: bool
) -> list[np.ndarray] | None:
    """The plain numbers of one rounded evaluation; None where the body has no source to rewrite, or is refused."""
    share = Shares(seed, sign, moved=[])
    body = rounded_by(claim.body, share, ties)
    if body is None:
        return None
    ties.begin()
    try:
        with np.errstate(all="ignore"), torch.no_grad(), moved(seed, sign=sign, directed=directed, ties=ties):
            evaluate(replace(claim, body=body), params, values, Draw(INSTANCES, ("digits",)), INSTANCES)
    except TightropeError as error:
        if isinstance(error.__cause__, Slip):  # a slip, and no rounding
            raise
        return None
    return share.moved or []


def refuse_overflow(claim: Claim, params: Parameters, spaces: tuple[Space, ...]) -> None:
    """Refuse a body whose whole numbers overflow, seen at a few instances: nothing else may ever evaluate it so.

    One with inputs is looked at if it names whole numbers of few digits: most have none.
    """
    if spaces and not names_of(claim.body) & OF_WHOLE_NUMBERS:
        return
    _numbers_of(claim, params, _instances(claim, params, spaces), Ties(of_constants=True), 0, 0.0, directed=False)


def _decided(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether rounding has decided a whole number, or how many numbers there are."""
    return first.shape != second.shape or (first.dtype.kind == "i" and bool((first != second).any()))


def _far(first: np.ndarray, second: np.ndarray, kept: float) -> bool:
    """Whether numbers differ by more than a share of them."""
    with np.errstate(all="ignore"):
        return bool((np.abs(first - second) > kept * np.maximum(np.abs(first), np.abs(second))).any())
