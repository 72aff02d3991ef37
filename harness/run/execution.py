"""One task, in whatever process it is: what a claim does wrong is an outcome, never an exception."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from harness.errors import SkipClaim, TightropeError, describe
from harness.judges import Task
from harness.judges.base import load
from harness.judges.conformance import examine
from harness.judges.contract import steady
from harness.language.evaluation import made_of
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, claim_at
from harness.run.homes import at_home
from harness.run.reference import ClaimReference
from harness.run.surroundings import shipped, untouched
from harness.run.threads import one_thread, pools
from harness.run.witness import BODIES, LOADED, noting
from harness.settings import Settings


@dataclass(frozen=True)
class Outcome:
    """What a worker returns: findings as plain data, or one sentence that says why there are none."""

    data: Any = None
    seconds: float = 0.0
    error: str | None = None
    skip: str | None = None
    read: dict[str, str] = field(default_factory=dict)  # by the bodies of its process so far


def execute(
    claim: Claim | ClaimReference,
    params: Parameters,
    task: Task,
    settings: Settings,
    told: Sequence[tuple[Task, Any]] = (),
) -> Outcome:
    """Run one task, anywhere; a claim's own failure is an outcome, not an exception.

    What other cells have found is `told` to it, which saves time and changes nothing else. That bodies of this package
    replace no function and keep to their answers is for its tests to see, and not looked at here.
    In this process KeyboardInterrupt is the user's. In a worker it is the body's: the user's goes to the parent.
    """

    def judged(found: Claim) -> Any:
        judge = found.kind.judge(found, params, settings)
        for earlier, plain in told:
            judge.learn(judge.row(earlier, plain, 0.0))
        return judge.execute(task)

    def kept(found: Claim) -> AbstractContextManager[None]:
        if shipped(found.file):
            return nullcontext()
        return steady(found, params, settings.device, begun=task.stage != "anatomy")

    return replace(_outcome(claim, params, judged, kept), read=dict(BODIES))


def reveal(claim: Claim | ClaimReference, params: Parameters, values: Instance) -> Outcome:
    """What the body makes of the values of a counterexample before it computes, anywhere; see `made_of`."""

    def revealed(found: Claim) -> Instance:
        return {name: made.tolist() for name, made in made_of(found, params, load([values])).items()}

    return replace(_outcome(claim, params, revealed, lambda _: nullcontext()), read=dict(BODIES))


def look(claim: Claim | ClaimReference, device: str | None) -> Outcome:
    """What a body breaks of its contract, and what could not be seen of that, anywhere; see `Conformance`."""

    def kept(found: Claim) -> AbstractContextManager[None]:
        if shipped(found.file):
            return nullcontext()
        return steady(found, found.groups()[0], device or "cpu", begun=not found.kind.flaw)

    def looked(found: Claim) -> dict[str, list[str]]:
        conformance = examine(found, device)
        return {"breaches": list(conformance.breaches), "unseen": list(conformance.unseen)}

    return _outcome(claim, {}, looked, kept)


def _outcome(
    claim: Claim | ClaimReference,
    params: Parameters,
    compute: Callable[[Claim], Any],
    kept: Callable[[Claim], AbstractContextManager[None]],
) -> Outcome:
    start = time.perf_counter()
    try:
        found = claim.resolve() if isinstance(claim, ClaimReference) else claim
        ours, module = shipped(found.file), found.body.__module__
        home, noted = at_home(module), noting(BODIES, LOADED.get(module))
        with home, one_thread(), untouched(claim.key, functions=not ours), noted, kept(found):
            data = compute(found)
        return Outcome(msgspec.to_builtins(data), time.perf_counter() - start)
    except SkipClaim as signal:
        return Outcome(skip=str(signal))
    except TightropeError as error:
        return Outcome(error=str(error))
    except BaseException as error:  # the other claims are still judged
        if isinstance(error, KeyboardInterrupt) and isinstance(claim, Claim):
            raise
        return Outcome(error=broken(claim.key, params, error))


def broken(key: str, params: Parameters, error: BaseException) -> str:
    """The message for an exception in the judge itself, or for the one of the body that nobody catches on the way."""
    who = "body" if isinstance(error, KeyboardInterrupt) else "judge"
    return (
        f"{claim_at(key, params)}: the {who} raised {describe(error)}; "
        "run the function by hand at these parameters, and report this if it works there."
    )


def warm() -> None:
    """Find the pools of threads and what a body must not touch, in a process from which workers are forked."""
    with pools().limit(limits=1), untouched("none"):
        pass
