"""Replay a counterexample: recompute it in float64 on the CPU, or on fresh draws."""

from harness.errors import UsageError
from harness.language.kind import Replay
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance
from harness.settings import Settings


def replay(claim: Claim, params: Parameters, values: Instance, *, trials: int | None = None, seed: int = 0) -> Replay:
    """Judge one instance again, by so many fresh draws where it takes any; None for the usual number.

    Raises UsageError or ClaimError when the cell or the values do not fit the claim.
    """
    judge = claim.kind.judge(claim, _cell(claim, params), Settings(seed=seed))
    return claim.kind.replay(judge, values, claim.kind.replay_trials if trials is None else trials, seed)


def _cell(claim: Claim, params: Parameters) -> Parameters:
    """The parameters of a cell: any values for the claim's parameters, not only those of its grid."""
    known = set(claim.groups()[0])
    unknown = sorted(set(params) - known)
    if unknown:
        raise UsageError(f"claim {claim.key!r} has no parameter {unknown[0]!r}; its parameters are {sorted(known)}.")
    missing = sorted(known - set(params))
    if missing:
        raise UsageError(f"claim {claim.key!r} needs a value for {missing[0]!r}; give it in --params.")
    return dict(params)
