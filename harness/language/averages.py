"""Expectations inside a body that draws: exact where few outcomes make them, else bounded on a stated side."""

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.outcomes import Endless, over_outcomes
from harness.language.quantifiers import Draw

Side: TypeAlias = Literal["above", "below"]
CHANCE = 1e-12
"""The probability that an estimate is on the wrong side: small beside the level of any run."""


def expected_value(
    draw: Draw, name: str, f: Callable[[Draw], Tensor], *, low: float, high: float, side: Side, reps: int = 2**14
) -> Tensor:
    """E f over draws of its own, the same number in each replicate: exact, or with its error added on the safe side.

    Where f draws few outcomes, they are enumerated and E f is exact. Otherwise it is the mean of `reps` draws plus or
    minus the empirical Bernstein deviation at probability 1e-12, and never leaves [low, high]. With `side="above"` it
    is not below E f, as a right side needs it; with `side="below"` not above, as a left side needs it. A verdict then
    speaks of a claim that is weaker by this deviation, and refutes only what is false.

    Parameters
    ----------
    draw : Draw
        Of the body.
    name : str
        As for every draw.
    f : function of a Draw
        Returns `(reps,)` values in [low, high].
    low, high : float
        Between which all values of f lie.
    side : {"above", "below"}
        On which side the error goes.
    reps : int
        Draws of an estimate, at least 2.

    Returns
    -------
    Tensor (reps of `draw`,)

    Raises
    ------
    ClaimError
        If a value leaves [low, high], or an argument is none of these.

    References
    ----------
    Maurer, Pontil, Empirical Bernstein bounds and sample variance penalization, 2009, Theorem 4.
    """
    if side not in ("above", "below") or not low < high or reps < 2:
        raise ClaimError(
            f"expected_value({name!r}) needs side 'above' or 'below', low < high and two draws or more, "
            f"got {side!r}, {low}, {high}, {reps}."
        )

    def number(own: Draw) -> Tensor:
        try:
            values, weights = over_outcomes(f, draw.device)
        except Endless:
            return _estimate(_checked(f(own), name, low, high), low, high, side)
        return (weights * _checked(values, name, low, high)).sum()

    return draw._once(name, number, reps)


def _checked(values: Tensor, name: str, low: float, high: float) -> Tensor:
    slack = 1e-9 * max(abs(low), abs(high))
    if values.ndim != 1 or not bool(((values >= low - slack) & (values <= high + slack)).all()):
        raise ClaimError(
            f"expected_value({name!r}) needs one number in [{low:g}, {high:g}] for each replicate, got shape "
            f"{tuple(values.shape)} from {float(values.min()):g} to {float(values.max()):g}."
        )
    return values


def _estimate(values: Tensor, low: float, high: float, side: Side) -> Tensor:
    level, n = math.log(2 / CHANCE), len(values)
    error = (2 * values.var() * level / n).sqrt() + 7 * (high - low) * level / (3 * (n - 1))
    mean = values.mean()
    return torch.clamp(mean + error, max=high) if side == "above" else torch.clamp(mean - error, min=low)
