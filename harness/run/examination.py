"""Plant errors in claims and judge them: one process for each claim, up to the first cell that notices an error.

What the errors of a claim have in common is computed once: what its body executes, its sides without an error, and the
rows of a table, which are compared with other limits instead of being made again.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from harness.errors import SkipClaim, TightropeError, WorkerLost
from harness.judges import Row
from harness.judges.base import failed, skipped
from harness.kinds import Reproduction
from harness.language.registry import Claim, Parameters
from harness.run.closure import source_hashes
from harness.run.execution import Outcome
from harness.run.overdue import Overdue, limited
from harness.run.reference import ClaimReference
from harness.run.runner import haste
from harness.run.sensitivity import Finding, Planted, halved, noticed, powered, slipped, sound
from harness.run.slips import Slip
from harness.run.surroundings import untouched
from harness.run.survey import Survey, forget, survey
from harness.run.threads import one_thread
from harness.settings import Settings
from harness.verdict import CellVerdict, Status, combine

LIMIT = 120.0  # seconds of computing for one error of one claim
LOOK = 5.0  # seconds of computing within which the sides of a claim must be there, for slips to be tried


@dataclass(frozen=True)
class Question:
    """Which of some errors a claim notices."""

    claim: Claim | ClaimReference
    errors: tuple[str, ...]
    settings: Settings


class Result(msgspec.Struct, frozen=True):
    """What became of an error."""

    status: Status | None  # None: it was spared, or a limit was met before
    detail: str = ""  # of a slip: where and what
    spared: bool = False  # the claim says that it would not notice half of its right side, and this is no more
    seconds: float = 0.0  # of computing


class Answer(msgspec.Struct, frozen=True):
    """What became of the errors that could be planted, and which were not looked at after one had met its limit."""

    results: dict[str, Result]
    left: list[str] = []


def examined(question: Question) -> Outcome:
    """An Answer; for a process that does nothing else, and ends where something was interrupted."""
    claim = question.claim
    found = claim.resolve() if isinstance(claim, ClaimReference) else claim
    results: dict[str, Result] = {}
    left = list(question.errors)
    with one_thread(), untouched(found.key):
        begun = _Examination(found, question.settings, surveys=any(e not in SPOILERS for e in question.errors))
        while left and not begun.interrupted:
            error = left.pop(0)
            result = begun.of(error)
            if result is not None:
                results[error] = result
    return Outcome(msgspec.to_builtins(Answer(results, left)))


SPOILERS: dict[str, Callable[[Claim], Planted | None]] = {"half": halved, "power": powered}


class _Examination:
    """What is known of a claim, and its judgements under errors."""

    def __init__(self, claim: Claim, settings: Settings, *, surveys: bool) -> None:
        self.table = isinstance(claim.kind, Reproduction)
        self.claim, self.settings = claim, settings
        self.known = _once(claim) if self.table else claim
        self.survey: Survey | None = None
        self.slow = self.interrupted = False
        if surveys:
            self._look()

    def _look(self) -> None:
        """Survey the claim, unless it cannot be evaluated or takes too long."""
        try:
            with limited(LIMIT):
                self.survey = survey(self.known, self.settings.effort.replicates)
        except (TightropeError, SkipClaim):
            return
        except Overdue:
            self.slow = True
        if self.survey is not None and self.survey.seconds > LOOK:
            self.slow = True

    def of(self, error: str) -> Result | None:
        """What becomes of an error; None where there is nothing to plant."""
        start = time.process_time()
        if error in SPOILERS:
            planted, small = SPOILERS[error](self.known), False
        elif self.slow:
            return None if self.table and error == "term" else Result(None)
        else:
            planted, small = self._slipped(error)
        if planted is None:
            return None
        spared = small and bool(self.claim.unnoticed) and not self.table
        status = None if spared else self._status(planted)
        return Result(status, planted.detail, spared, time.process_time() - start)

    def _status(self, planted: Planted) -> Status | None:
        """None where the limit is met."""
        forget()
        try:
            with limited(LIMIT):
                return status_of(planted, self.settings)
        except Overdue:
            self.interrupted = True
            return None

    def _slipped(self, sort: str) -> tuple[Planted | None, bool]:
        """The claim with the first slip of a sort that matters, and whether that is small."""
        made: dict[Slip, Planted] = {}

        def planted(slip: Slip) -> Claim:
            made[slip] = one = slipped(self.claim, slip)
            if self.table:  # the rows that the survey has seen are those that are judged
                made[slip] = one = replace(one, claim=_once(one.claim))
            return one.claim

        hit = None if self.survey is None else self.survey.first(sort, planted)
        return (None, False) if hit is None else (made[hit.slip], hit.small)


def _once(claim: Claim) -> Claim:
    """A table whose rows are computed once in each cell, and with so many replicates."""
    known: dict[str, Any] = {}
    body = claim.body

    def recalled(**given: Any) -> Any:
        cell = {name: value for name, value in given.items() if name not in claim.wants}
        place = json.dumps([cell, given["draw"].reps if "draw" in given else 0], sort_keys=True)
        if place not in known:
            known[place] = body(**given)
        return known[place]

    return replace(claim, body=recalled)


def status_of(planted: Planted, settings: Settings) -> Status:
    """The status of a planted claim; cells after the first that notices are not judged."""
    cells: list[CellVerdict] = []
    claim = planted.claim
    for cell in claim.groups():
        cells.append(_verdict(claim, cell, settings))
        if noticed(planted.error, cells[-1].status):
            return cells[-1].status
    threshold = claim.kind.judge(claim, claim.groups()[0], settings).threshold
    return combine(claim, cells, threshold, 0.0).status


def _verdict(claim: Claim, cell: Parameters, settings: Settings) -> CellVerdict:
    """One cell judged in this process, as a run of its claim alone would judge it."""
    judge, rows = claim.kind.judge(claim, cell, settings), list[Row]()
    try:
        while tasks := judge.plan(rows):
            rows += [judge.row(task, msgspec.to_builtins(judge.execute(task)), 0.0) for task in tasks]
        return judge.verdict(rows)
    except Overdue:
        raise
    except SkipClaim as signal:
        return skipped(cell, str(signal))
    except Exception as error:  # of the body, or of the judge on what the body returned
        return failed(cell, str(error))


def examine(
    claims: Sequence[Claim], errors: Sequence[str], settings: Settings, executor: Executor
) -> Iterator[list[Finding]]:
    """What became of the errors that fit each sound claim, claim by claim, as processes of the executor finish.

    A claim whose process was interrupted is asked again about the rest, and one whose process is lost about one error
    at a time.
    """
    chosen = sorted(sound(claims), key=haste)
    hashes = source_hashes(chosen)
    asked: dict[Future[Outcome], tuple[Claim, Question]] = {}

    def ask(claim: Claim, some: Sequence[str]) -> None:
        reference = ClaimReference.of(claim, hashes[claim.key])
        question = Question(reference, tuple(some), settings)
        asked[executor.submit(examined, question)] = claim, question

    for claim in chosen:
        ask(claim, errors)
    while asked:
        done, _ = wait(asked, return_when=FIRST_COMPLETED)
        for future in done:
            claim, question = asked.pop(future)
            try:
                found, left = _found(claim, question.errors, future)
            except WorkerLost:
                if len(question.errors) > 1:
                    for error in question.errors:
                        ask(claim, [error])
                    continue
                found, left = [Finding(claim, question.errors[0], None)], []
            if left:
                ask(claim, left)
            yield found


def _found(claim: Claim, errors: Sequence[str], future: Future[Outcome]) -> tuple[list[Finding], list[str]]:
    """What a process has found about a claim, and what it has left; raises WorkerLost where it was lost."""
    outcome = future.result()
    if outcome.error is not None:
        return [Finding(claim, error, Status.SKIPPED, outcome.error) for error in errors], []
    answer = msgspec.convert(outcome.data, Answer)
    return [
        Finding(claim, error, each.status, each.detail, each.spared, each.seconds)
        for error, each in answer.results.items()
    ], answer.left
