"""A claim with another constant: its right side times a factor, or one of its own parameters at another value."""

from dataclasses import replace
from typing import Any

from harness.errors import UsageError
from harness.kinds import Expectation, HighProbability, Identity
from harness.language.kind import Comparison
from harness.language.registry import Claim, Parameters


def scaled(claim: Claim, params: Parameters, factor: float) -> Claim:
    """One cell of `lhs <= factor rhs`."""
    body = claim.body

    def with_factor(**given: Any) -> Any:
        lhs, rhs = body(**given)
        return lhs, factor * rhs

    return replace(claim, body=with_factor if factor != 1.0 else body, cells=(params,), expected=None, defect=None)


def with_constant(claim: Claim, params: Parameters, name: str, value: float) -> Claim:
    """One cell with its parameter `name` at another value.

    Raises UsageError if the cell has no such number.
    """
    if not isinstance(params.get(name), int | float) or isinstance(params[name], bool):
        raise UsageError(f"claim {claim.key!r} has no number {name!r} in its grid: add {name}=[1.0] to over=grid(...).")
    return replace(claim, cells=({**params, name: value},), expected=None, defect=None)


def has_constant(claim: Claim) -> bool:
    """Whether the claim has two sides of which the right one can carry a constant."""
    kinds = Comparison | HighProbability | Expectation
    return isinstance(claim.kind, kinds) and not isinstance(claim.kind, Identity)
