"""Running: rows are used again, kills lose nothing, and neither workers nor executors change a verdict.

What the runner does with outcomes is tested on outcomes that are computed once (`Once`); that they are the same in
another order and another process is tested on outcomes that are computed again.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.errors import UsageError
from harness.judges import Task
from harness.language.registry import Claim
from harness.report.layout import judged
from harness.run.api import check, check_all, settings_for
from harness.run.execution import execute
from harness.run.loading import from_file
from harness.run.runner import Silent, haste, run
from harness.run.store import Store
from harness.run.workers import Workers
from harness.settings import EFFORTS, Settings
from harness.verdict import Status, Verdict
from tests.harness.executors import Counting, Once

SUITE = '''
import torch
from harness import (
    Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, skip, untestable
)

@claim("suite/always", always(), over=grid(n=[2, 3]))
def cauchy_schwarz(forall, *, n):
    """<x, y> <= |x| |y|."""
    x, y = forall.interval("x", -1.0, 1.0, n), forall.ball("y", n)
    return (x * y).sum(-1), x.norm(dim=-1) * y.norm(dim=-1)

@claim("suite/false", always())
def false(forall):
    """sum x <= 2.9."""
    return forall.interval("x", 0.0, 1.0, 3).sum(-1), 2.9

@claim("suite/identity", identity())
def square(forall):
    """x^2 = x x."""
    x = forall.interval("x", -1.0, 1.0)
    return x ** 2, x * x

@claim("suite/probability", high_probability("delta"), over=grid(delta=[0.1, 0.2]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return (draw.uniform("u") < forall.interval("p", 0.0, 0.5 * delta)).double(), 0.5

@claim("suite/mean", expectation((-1.0, 1.0), margin=0.1))
def mean(draw):
    """E s <= 0."""
    return draw.signs("s"), 0.0

@claim("suite/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n

@claim("suite/table", reproduction(tolerance=0.5))
def table(draw):
    """A mean."""
    return [Row("mean", draw.uniform("u").mean(), 0.01, 0.5)]

@claim("suite/skipped", untestable("no constant"))
def skipped():
    """There is a constant."""

@claim("suite/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) / 0 // 0 + {}, 1.0
'''


@pytest.fixture
def suite(write_claims: Callable[..., Path]) -> tuple[Claim, ...]:
    return from_file(write_claims(SUITE))


QUICK = Settings(effort=EFFORTS["quick"], family=9)
BARE = replace(QUICK, effort=QUICK.effort.bare())


def _plain(verdicts: Sequence[Verdict], *, seconds: bool = False) -> list[dict[str, Any]]:
    """What `--json` writes, without the times."""
    claims = [msgspec.to_builtins(judged(verdict)) for verdict in verdicts]
    for entry in claims:
        if not seconds:
            del entry["seconds"]
    return claims


def _statuses(verdicts: Sequence[Verdict]) -> dict[str, Status]:
    return {verdict.claim.id: verdict.status for verdict in verdicts}


EXPECTED = {
    "suite/always": Status.HOLDS,
    "suite/false": Status.REFUTED,
    "suite/identity": Status.PROVED,
    "suite/probability": Status.HOLDS,
    "suite/mean": Status.HOLDS,
    "suite/rate": Status.HOLDS,
    "suite/table": Status.HOLDS,
    "suite/skipped": Status.SKIPPED,
    "suite/broken": Status.ERROR,
}


def test_one_broken_claim_leaves_the_others_judged(suite: tuple[Claim, ...]) -> None:
    assert _statuses(run(suite, QUICK)) == EXPECTED


def test_verdicts_keep_the_order_asked_for(suite: tuple[Claim, ...]) -> None:
    backwards = suite[::-1]
    assert [v.claim.id for v in run(backwards, QUICK, executor=Once())] == [c.id for c in backwards]


def test_a_second_run_executes_nothing_and_says_the_same(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    judged = [c for c in suite if c.id != "suite/broken"]
    first_executor, second_executor = Counting(), Counting()
    first = run(judged, QUICK, store=Store(tmp_path / "out"), executor=first_executor)
    second = run(judged, QUICK, store=Store(tmp_path / "out"), executor=second_executor)
    assert first_executor.count > 20
    assert second_executor.count == 0
    assert _plain(first) == _plain(second)
    assert [a["seconds"] for a in _plain(first, seconds=True)] == pytest.approx(
        [b["seconds"] for b in _plain(second, seconds=True)], abs=0.05
    )


def test_a_run_stopped_anywhere_goes_on_to_the_same_verdicts(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    whole = Counting()
    reference = _plain(run(suite, BARE, executor=whole))
    for limit in range(1, whole.count, 5):
        folder = tmp_path / str(limit)
        with pytest.raises(KeyboardInterrupt):
            run(suite, BARE, store=Store(folder), executor=Counting(limit))
        rest = Counting()
        assert _plain(run(suite, BARE, store=Store(folder), executor=rest)) == reference
        assert rest.count <= whole.count - limit + 4  # a rate's round of four points is kept together, at worst


def test_rows_lost_from_the_middle_are_computed_again(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    """As after a kill during a write: the file ends in the middle of a line."""
    folder = tmp_path / "out"
    reference = _plain(run(suite, QUICK, store=Store(folder), executor=Once()))
    for path in (folder / "rows").glob("*.jsonl"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    store = Store(folder)
    executor = Counting()
    assert _plain(run(suite, QUICK, store=store, executor=executor)) == reference
    assert executor.count > 0
    assert store.damaged


def test_processes_change_nothing(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    with Workers(2) as pool:
        ours = _plain(run(suite, QUICK, store=Store(tmp_path / "two"), executor=pool))
    assert ours == _plain(run(suite, QUICK, executor=Once()))


def test_the_order_of_completion_changes_nothing(suite: tuple[Claim, ...]) -> None:
    """An executor that keeps results back and hands them out in reverse."""
    assert _plain(run(suite, QUICK, executor=_Late(), in_flight=6)) == _plain(run(suite, QUICK, executor=Once()))


class _Late(Executor):
    """Runs a task only when several wait, the latest first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = _Lazy(self)
        self.waiting.append((future, fn, args))
        return future

    def drain(self) -> None:
        while self.waiting:
            future, fn, args = self.waiting.pop()
            future.set_result(fn(*args))


class _Lazy(Future[Any]):
    """Asks its executor to work when somebody begins to wait."""

    def __init__(self, owner: _Late) -> None:
        super().__init__()
        self._owner = owner
        self._condition.acquire = self._wake(self._condition.acquire)  # type: ignore[method-assign]

    def _wake(self, acquire: Callable[..., Any]) -> Callable[..., Any]:
        def woken(*args: Any, **kwargs: Any) -> Any:
            self._owner.drain()
            return acquire(*args, **kwargs)

        return woken


def test_another_seed_is_another_run_and_the_same_seed_the_same(suite: tuple[Claim, ...]) -> None:
    tail = [c for c in suite if c.id == "suite/probability"]
    first, again, other = (run(tail, Settings(seed=s, effort=EFFORTS["quick"])) for s in (1, 1, 2))
    assert _plain(first) == _plain(again)
    assert first[0].violations != other[0].violations


def test_a_changed_claim_is_judged_anew(write_claims: Callable[..., Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    imports, _, false, *_ = SUITE.split("@claim")
    text = f"{imports}@claim{false}"
    assert run(from_file(write_claims(text)), QUICK, store=Store(folder))[0].status is Status.REFUTED
    executor = Counting()
    repaired = from_file(write_claims(text.replace("2.9", "3.0")))
    assert run(repaired, QUICK, store=Store(folder), executor=executor)[0].status is Status.PROVED
    assert executor.count > 0


class Broken(Once):
    """A pool or a cluster that is gone after `limit` tasks: it refuses everything, or fails what it has accepted."""

    def __init__(self, limit: int, *, late: bool) -> None:
        self.count, self.limit, self.late = 0, limit, late

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count <= self.limit:
            return super().submit(fn, *args, **kwargs)
        if not self.late:
            raise BrokenExecutor("the pool is not usable anymore")
        future: Future[Any] = Future()
        future.set_exception(OSError("the scheduler is gone"))
        return future


@pytest.mark.parametrize("late", [False, True])
def test_an_executor_that_breaks_costs_one_sentence_each_and_the_next_run_goes_on(
    suite: tuple[Claim, ...], tmp_path: Path, late: Any
) -> None:
    whole = Counting()
    reference = _plain(run(suite, QUICK, executor=whole))
    broken = run(suite, QUICK, store=Store(tmp_path), executor=Broken(20, late=late))
    lost = [v for v in broken if v.status is Status.ERROR and v.claim.id != "suite/broken"]
    assert lost
    for verdict in lost:
        assert verdict.claim.key in verdict.reason
        assert "the executor failed" in verdict.reason
        assert "\n" not in verdict.reason
    rest = Counting()
    assert _plain(run(suite, QUICK, store=Store(tmp_path), executor=rest)) == reference
    assert rest.count <= whole.count - 20 + 4


class _Watching(Silent):
    def __init__(self) -> None:
        self.total, self.tasks, self.verdicts = 0, 0, 0

    def started(self, claims: Sequence[Claim], effort: str) -> None:
        self.total = len(claims)

    def advanced(self, *_: Claim | Task | float) -> None:
        self.tasks += 1

    def judged(self, *_: Verdict) -> None:
        self.verdicts += 1


def test_an_observer_hears_of_every_task_and_every_verdict(suite: tuple[Claim, ...]) -> None:
    watching, executor = _Watching(), Counting()
    run(suite, QUICK, executor=executor, observer=watching)
    assert watching.total == watching.verdicts == len(suite)
    assert watching.tasks == executor.count


class _Efforts(_Watching):
    """Which verdicts were seen, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.passes: list[str] = []
        self.seen: list[tuple[str, str]] = []

    def started(self, claims: Sequence[Claim], effort: str) -> None:
        self.passes.append(effort)

    def judged(self, verdict: Verdict) -> None:  # type: ignore[override]
        self.seen.append((verdict.claim.key, verdict.effort))


def test_every_claim_has_a_first_verdict_before_any_has_its_last(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    reference = run(suite, QUICK, executor=Once())
    seen = _Efforts()
    first = replace(QUICK.effort.bare(), name="first")
    verdicts = run(suite, QUICK, store=Store(tmp_path), executor=Once(), observer=seen, first=first)
    assert _plain(verdicts) == _plain(reference)  # what came first leaves no trace
    assert seen.passes == ["first", "quick"]
    last = [effort for _, effort in seen.seen].index("quick")
    assert {effort for _, effort in seen.seen[last:]} == {"quick"}
    assert {key for key, _ in seen.seen[last:]} == {c.key for c in suite}
    assert {key for key, _ in seen.seen[:last]} == {c.key for c in suite} - {"suite/skipped"}  # nothing to judge in it


def test_first_verdicts_come_soonest_where_least_is_to_be_done(suite: tuple[Claim, ...]) -> None:
    """Most claims have one when the experiments, which take longest, begin."""
    seen = _Efforts()
    run(suite, QUICK, executor=Once(), observer=seen, first=replace(QUICK.effort.bare(), name="first"))
    of = {claim.key: haste(claim) for claim in suite}
    order = [of[key] for key, effort in seen.seen if effort == "first" and key != "suite/broken"]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == 3


def test_what_stored_rows_decide_has_no_first_verdict(suite: tuple[Claim, ...], tmp_path: Path) -> None:
    some = [c for c in suite if c.id in ("suite/always", "suite/mean")]
    run(some[:1], QUICK, store=Store(tmp_path), executor=Once())
    seen = _Efforts()
    first = replace(QUICK.effort.bare(), name="first")
    run(some, QUICK, store=Store(tmp_path), executor=Once(), observer=seen, first=first)
    assert seen.seen == [(some[1].key, "first"), (some[0].key, "quick"), (some[1].key, "quick")]


def test_a_budget_deepens_the_search_and_never_loses_a_verdict(suite: tuple[Claim, ...]) -> None:
    import time

    some = [c for c in suite if c.id in ("suite/always", "suite/mean")]
    start = time.monotonic()
    shallow = run(some, QUICK)
    spent = time.monotonic() - start
    deep = run(some, QUICK, deadline=time.monotonic() + 2.0 + 5.0 * spent)  # a busy machine gets a longer budget
    assert _statuses(deep) == _statuses(shallow)
    assert sum(v.trials for v in deep) > sum(v.trials for v in shallow)
    assert _statuses(run(some, QUICK, deadline=time.monotonic() - 1.0)) == _statuses(shallow)


class Foreign(Task, frozen=True, kw_only=True):
    """A task of no judge."""


def test_an_unexpected_failure_inside_the_judge_is_an_outcome(suite: tuple[Claim, ...]) -> None:
    """A bug of ours must not lose the verdicts of a long run."""
    outcome = execute(suite[0], {"n": 2}, Foreign(), QUICK)
    assert outcome.error is not None
    assert "suite/always" in outcome.error
    assert "AssertionError" in outcome.error


def test_check_and_check_all_refuse_what_is_no_claim() -> None:
    with pytest.raises(UsageError, match="is not a claim; decorate"):
        check(len)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="must be one of quick, standard"):
        check_all([], settings=settings_for(effort="heroic"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"device": "tpu"}, "cpu or cuda"),
        ({"seed": "abc"}, "'fresh'"),
        ({"seed": -1}, "non-negative"),
        ({"effort": "x"}, "one of"),
    ],
)
def test_settings_refuse_in_one_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        settings_for(**options)


def test_a_fresh_seed_is_fresh() -> None:
    assert settings_for(seed="fresh").seed != settings_for(seed="fresh").seed
    assert settings_for(seed="7").seed == 7
    with pytest.raises(UsageError, match="alpha"):
        Settings(alpha=0.0)


def test_threads_are_left_as_they_were(suite: tuple[Claim, ...]) -> None:
    import torch

    before = torch.get_num_threads()
    run(suite[:1], QUICK)
    assert torch.get_num_threads() == before
    assert os.getpid()
