"""Reproduce a counterexample: recompute it, in float64 on the CPU, or on fresh draws."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.errors import UsageError
from harness.judges import judge_for
from harness.judges.base import Data, Row, load
from harness.judges.deterministic import DeterministicJudge
from harness.judges.random import RandomJudge
from harness.judges.rate import RateJudge
from harness.registry import Claim, Parameters
from harness.settings import Settings
from harness.verdict import Status


@dataclass(frozen=True)
class Replay:
    """What a replay found; `violated` says whether the counterexample still stands."""

    violated: bool
    sentence: str
    data: Data


def replay(
    claim: Claim, params: Parameters, values: Mapping[str, Any], *, trials: int = 100_000, seed: int = 0
) -> Replay:
    """Judge one instance again.

    Raises UsageError or ClaimError when the cell or the values do not fit the claim.
    """
    judge = judge_for(claim, _cell(claim, params), Settings(seed=seed))
    if isinstance(judge, DeterministicJudge):
        data = judge.replay(load([values]) if values else {})
        violated = data["stands"]
        relation = "=" if claim.kind.name == "identity" else "<="
        found = f"lhs = {data['lhs']!r}, rhs = {data['rhs']!r}"
        word = "violated" if violated else "violated by no more than rounding" if data["excess"] > 0.0 else "respected"
        return Replay(violated, f"{found}: lhs {relation} rhs is {word}.", data)
    if isinstance(judge, RateJudge):
        data = judge.replay(min(trials, 20_000), seed)
        low, high = data["interval"]
        text = f"exponent {data['exponent']:.3f} in [{low:.3f}, {high:.3f}], claimed {data['claimed']:.3f}."
        return Replay(low > data["claimed"], text, data)
    if isinstance(judge, RandomJudge):
        data = judge.replay(load([values]) if values else {}, trials, seed)
        if "frequency" in data:
            low, high = data["interval"]
            text = (
                f"violated in {data['violations']} of {data['trials']} fresh trials: "
                f"frequency {data['frequency']:.6g}, 99% interval [{low:.6g}, {high:.6g}], allowed {data['delta']}."
            )
            return Replay(low > data["delta"], text, data)
        excess, error = data["mean_excess"], data["standard_error"]
        text = f"mean excess {excess:.6g} +- {error:.2g} over {data['trials']} fresh trials."
        return Replay(excess > 3.0 * error, text, data)
    rows = judge.plan([])
    done = [Row(task, judge.execute(task), 0.0) for task in rows]
    verdict = judge.verdict(done)
    return Replay(verdict.status is Status.REFUTED, json.dumps(verdict.details.get("rows", [])), {})


def _cell(claim: Claim, params: Parameters) -> Parameters:
    """The parameters of a cell: any values of the claim's own parameters, not only those of its grid."""
    known = set(claim.groups()[0])
    unknown = sorted(set(params) - known)
    if unknown:
        raise UsageError(f"claim {claim.key!r} has no parameter {unknown[0]!r}; its parameters are {sorted(known)}.")
    missing = sorted(known - set(params))
    if missing:
        raise UsageError(f"claim {claim.key!r} needs a value for {missing[0]!r}; give it in --params.")
    return dict(params)
