"""The contracts of bodies, looked at in worker processes: what a body does there does not stop the command."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future

from harness.errors import WorkerLost
from harness.judges.conformance import Conformance
from harness.language.registry import Claim
from harness.run.closure import source_hashes
from harness.run.execution import Outcome, look
from harness.run.reference import ClaimReference


def looked_at(claims: Sequence[Claim], device: str | None, executor: Executor) -> Iterator[Conformance]:
    """What is found about each claim, in their order."""
    hashes = source_hashes(claims)
    asked: list[tuple[Claim, Future[Outcome]]] = []
    for claim in claims:
        reference = ClaimReference.of(claim, hashes[claim.key])
        asked.append((claim, executor.submit(look, reference, device)))
    for claim, future in asked:
        yield _found(claim, future)


def _found(claim: Claim, future: Future[Outcome]) -> Conformance:
    try:
        outcome = future.result()
    except WorkerLost as loss:
        return Conformance((f"claim {claim.key!r}: {loss}.",), ())
    if outcome.error is not None:
        return Conformance((outcome.error,), ())
    if outcome.skip is not None:
        return Conformance((), (f"{claim.key}: {outcome.skip}",))
    return Conformance(tuple(outcome.data["breaches"]), tuple(outcome.data["unseen"]))
