"""Certify a counterexample: both sides in 50-digit arithmetic, and the margin in units of float64's error bound."""

from collections.abc import Mapping
from typing import Any

import mpmath
from torch import Tensor

from harness.kinds import Always, Identity
from harness.precision import DIGITS, Precise, Unsupported, lift
from harness.quantifiers import Forall, from_values
from harness.registry import Claim, Parameters

SHOWN = 30  # digits of each side in the report


def certify(claim: Claim, params: Parameters, values: Mapping[str, Tensor], *, rounding: float) -> dict[str, Any]:
    """Evaluate a deterministic claim at one instance (batch of one) in 50 digits.

    Returns {"digits", "lhs", "rhs", "excess", "margin"}: the sides as text, by how much the claim is violated, and that
    excess in units of `rounding`, the bound on what float64 could have got wrong. A body that does not run in 50 digits
    gives {"digits": 0, "reason"}: the counterexample then rests on float64.
    """
    if not isinstance(claim.kind, Always | Identity):
        raise TypeError(f"only deterministic claims can be certified, {claim.key!r} is {claim.kind.name!r}.")
    exact = {name: Precise(value) for name, value in values.items()}
    forall = {"forall": Forall(from_values(exact))} if "forall" in claim.wants else {}
    with mpmath.workdps(DIGITS):
        try:
            sides = claim.body(**forall, **params)
            if not any(isinstance(side, Precise) for side in sides):
                raise Unsupported("plain float64 numbers on both sides")
            lhs, rhs = (_number(side) for side in sides)
        except Unsupported as signal:
            return {"digits": 0, "reason": f"its body uses {signal}, which has no 50-digit form here"}
        except Exception as error:  # the body runs in float64, so this is a limit of `Precise`, not of the claim
            return {
                "digits": 0,
                "reason": f"its body does not run on 50-digit numbers ({type(error).__name__}: {error})",
            }
        gap = abs(lhs - rhs) if isinstance(claim.kind, Identity) else lhs - rhs
        return {
            "digits": DIGITS,
            "lhs": mpmath.nstr(lhs, SHOWN),
            "rhs": mpmath.nstr(rhs, SHOWN),
            "excess": float(gap),
            "margin": float(gap / rounding) if rounding > 0.0 else None,
        }


def _number(side: Any) -> Any:
    """One side as an mpmath number; a plain number is taken as it is, a tensor of float64 certifies nothing."""
    if isinstance(side, Precise) or (isinstance(side, int | float) and not isinstance(side, bool)):
        return lift(side).reshape(-1)[0]
    raise Unsupported(f"numbers of type {type(side).__name__}")
