"""Run claims: plan tasks, hand them to an executor, keep their rows, conclude.

The runner talks to a `concurrent.futures.Executor` and nothing else: in-process, `harness.run.workers`, or Dask's.
A kill loses at most the tasks in flight; with the same store the next run goes on from the rows that are there.
"""

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import msgspec
import torch

from harness.errors import RunLost, TightropeError, WorkerLost, describe
from harness.judges import Judge, Row, Task
from harness.judges.base import failed, skipped
from harness.language.kept import forget
from harness.language.registry import Claim, Parameters
from harness.numbers import claim_at
from harness.run.closure import source_hashes, versions
from harness.run.execution import Outcome, broken, execute
from harness.run.reference import ClaimReference, changed
from harness.run.revealing import revealed
from harness.run.store import Context, Store, Stored, row_key
from harness.run.turns import Turns
from harness.run.witness import UNKNOWN, compiled
from harness.settings import Effort, Settings
from harness.verdict import CellVerdict, Status, Verdict, combine


class Observer(Protocol):
    """Is notified of progress; the default does nothing."""

    def started(self, claims: Sequence[Claim], effort: str) -> None: ...

    def advanced(self, claim: Claim, task: Task, seconds: float) -> None: ...

    def judged(self, verdict: Verdict) -> None: ...


class Silent:
    """An observer that ignores everything."""

    def started(self, claims: Sequence[Claim], effort: str) -> None: ...

    def advanced(self, claim: Claim, task: Task, seconds: float) -> None: ...

    def judged(self, verdict: Verdict) -> None: ...


class Inline(Executor):
    """Runs each task at once in the calling thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@dataclass
class _Cell:
    claim: Claim
    judge: Judge
    params: Parameters
    rows: list[Row] = field(default_factory=list)
    pending: int = 0
    batch: list[Row | None] = field(default_factory=list)
    verdict: CellVerdict | None = None


def run(
    claims: Sequence[Claim],
    settings: Settings,
    *,
    store: Store | None = None,
    executor: Executor | None = None,
    observer: Observer | None = None,
    in_flight: int | Callable[[], int] = 4,
    deadline: float | None = None,
    first: Effort | None = None,
) -> list[Verdict]:
    """Judge claims; returns their verdicts in the given order. Raises RunLost if the executor is lost.

    About `in_flight` tasks are submitted at a time; a function is asked again before each, since a cluster grows.

    With a `first` effort, every claim that stored rows do not decide is judged at that one before any is judged at that
    of the settings: what usually takes least comes first, so that most have a verdict soon. The observer sees both
    verdicts; the second replaces the first.

    With a `deadline` (seconds on the monotonic clock) the effort is doubled while time remains, for all claims that a
    larger effort can still change; without one, the run depends on counts alone and is the same on every machine.
    """
    forget()
    run_ = _Run(claims, store or Store(None), executor or Inline(), observer or Silent(), in_flight)
    if first is not None:
        open_ = [claim for claim in claims if not run_.stored(claim, settings)]
        run_.judge(replace(settings, effort=first), among=open_, fastest_first=True)
    verdicts = run_.judge(settings)
    doubling = 1
    while deadline is not None and time.monotonic() < deadline:
        known = {verdict.claim.key: verdict for verdict in verdicts}
        open_ = [verdict.claim for verdict in verdicts if _can_change(verdict)]
        if not open_:
            break
        deeper = replace(settings, effort=settings.effort.doubled(doubling))
        known |= {verdict.claim.key: verdict for verdict in run_.judge(deeper, deadline, known, among=open_)}
        verdicts = [known[claim.key] for claim in claims]
        doubling += 1
    return [revealed(verdict, run_.reference(verdict.claim), run_.executor.submit) for verdict in verdicts]


def _can_change(verdict: Verdict) -> bool:
    """Whether a larger effort may find another verdict: not where it is final, nor of a table without draws."""
    final = (Status.PROVED, Status.REFUTED, Status.SKIPPED, Status.ERROR)
    table = verdict.claim.kind.returns == "rows" and "draw" not in verdict.claim.wants
    return verdict.status not in final and not table


def haste(claim: Claim) -> int:
    """Least for what usually takes longest: it comes first, so that no worker is left alone with it at the end."""
    if claim.kind.returns in ("rows", "quantity") or {"within", "draw"} <= claim.wants:
        return 0
    return 1 if "draw" in claim.wants else 2


class _Run:
    def __init__(
        self,
        claims: Sequence[Claim],
        store: Store,
        executor: Executor,
        observer: Observer,
        in_flight: int | Callable[[], int],
    ) -> None:
        self.claims, self.store, self.executor, self.observer = claims, store, executor, observer
        inline = isinstance(executor, Inline)
        width = 1 if inline else in_flight  # keep an inline row as soon as it is there
        self.in_flight = width if callable(width) else lambda: width
        seen = self.store.folder is not None or not inline  # by another process, or a later run
        self.sources = source_hashes(claims, session=inline) if seen else dict.fromkeys((c.key for c in claims), "")
        self.futures: dict[Future[Any], tuple[_Cell, int, Task]] = {}
        self.turns: Turns[tuple[_Cell, int, Task]] = Turns()
        self.forfeited: dict[str, WorkerLost] = {}  # claims whose workers were stopped or have ended
        self.compiled: dict[tuple[str, str], str] = {}  # by claim and file, what bodies have imported

    def stored(self, claim: Claim, settings: Settings) -> bool:
        """Whether the rows in the store decide a claim."""
        self.settings = settings
        return all(self._decided(self._open(claim, params)) for params in claim.groups())

    def _decided(self, cell: _Cell) -> bool:
        try:
            while tasks := cell.judge.plan(cell.rows):
                rows = [self._stored(cell, task) for task in tasks]
                if None in rows:
                    return False
                cell.rows += [row for row in rows if row is not None]
        except Exception:  # judging it tells
            return False
        return True

    def judge(
        self,
        settings: Settings,
        deadline: float | None = None,
        known: Mapping[str, Verdict] | None = None,
        among: Sequence[Claim] | None = None,
        *,
        fastest_first: bool = False,
    ) -> list[Verdict]:
        """One pass at one effort; after the deadline, unfinished claims keep their previous verdicts."""
        self.settings = settings
        claims = self.claims if among is None else among
        self.observer.started(claims, settings.effort.name)
        looked_at = slice(settings.effort.groups)
        cells = {claim.key: [self._open(claim, params) for params in claim.groups()[looked_at]] for claim in claims}
        waiting = [cell for claim in claims for cell in cells[claim.key]]
        if fastest_first or not isinstance(self.executor, Inline):
            waiting.sort(key=lambda cell: haste(cell.claim), reverse=fastest_first)
        verdicts: dict[str, Verdict] = {}
        self._settle(cells, verdicts)
        while waiting or self.futures:
            while waiting and len(self.futures) < self.in_flight():
                if deadline is not None and time.monotonic() > deadline:
                    waiting.clear()
                    break
                self._advance(waiting.pop(0), waiting)
            if self.futures:
                self._collect(waiting)
            self._settle(cells, verdicts)
        kept = {key: verdict for key, verdict in (known or {}).items() if key in self.forfeited or key not in verdicts}
        return [{**verdicts, **kept}[claim.key] for claim in claims]

    def _settle(self, cells: Mapping[str, list[_Cell]], verdicts: dict[str, Verdict]) -> None:
        """Conclude the claims whose cells are all decided."""
        for claim in self.claims:
            if claim.key in cells and claim.key not in verdicts and all(cell.verdict for cell in cells[claim.key]):
                verdicts[claim.key] = self._conclude(claim, cells[claim.key])
                self.observer.judged(verdicts[claim.key])

    def _open(self, claim: Claim, params: Parameters) -> _Cell:
        return _Cell(claim, claim.kind.judge(claim, params, self.settings), params)

    def _conclude(self, claim: Claim, cells: list[_Cell]) -> Verdict:
        if claim.key in self.forfeited:  # which cells were done by then is chance
            for cell in cells:
                cell.verdict = failed(cell.params, self._why_not(claim))
        seconds = sum(row.seconds for cell in cells for row in cell.rows)
        if claim.key in self.forfeited:
            seconds = max(seconds, self.forfeited[claim.key].seconds)
        verdict = combine(claim, [c.verdict for c in cells if c.verdict], cells[0].judge.threshold, seconds)
        return replace(verdict, effort=self.settings.effort.name)

    def _why_not(self, claim: Claim) -> str:
        """Why a claim whose workers were lost has no verdict."""
        return f"claim {claim.key!r}: {self.forfeited[claim.key]}."

    def _advance(self, cell: _Cell, waiting: list[_Cell]) -> None:
        """Plan the next round of a cell; stored rows are used at once, the other tasks are submitted."""
        if cell.claim.key in self.forfeited:
            cell.verdict = failed(cell.params, self._why_not(cell.claim))
            return
        try:
            tasks = cell.judge.plan(cell.rows)
            if not tasks:
                cell.verdict = cell.judge.verdict(cell.rows)
                return
        except TightropeError as error:  # what the findings say of the claim
            cell.verdict = failed(cell.params, str(error))
            return
        except Exception as error:  # the other claims are still judged
            cell.verdict = failed(cell.params, broken(cell.claim.key, cell.params, error))
            return
        cell.batch = [self._stored(cell, task) for task in tasks]
        missing = [i for i, row in enumerate(cell.batch) if row is None]
        cell.pending = len(missing)
        if not missing:
            self._close_round(cell, waiting)
            return
        for index in missing:
            task = tasks[index]
            if not isinstance(task, cell.judge.helps) or self.turns.enter(cell.claim.key, (cell, index, task)):
                self._start(cell, index, task)

    def _start(self, cell: _Cell, index: int, task: Task) -> None:
        self.futures[self._submit(cell, task)] = (cell, index, task)

    def _stored(self, cell: _Cell, task: Task) -> Row | None:
        """The row of a task from an earlier run; none where it is not what such a task finds."""
        stored = self.store.usable(cell.claim, self._key(cell, task))
        if stored is None or self._changed(cell.claim, stored.read):
            return None
        try:
            row = cell.judge.row(task, stored.data, stored.seconds)
        except msgspec.ValidationError as error:
            what = f"claim {cell.claim.key!r}: a stored row of its {task.stage!r} is damaged ({error})"
            self.store.damage(f"{what}; it is computed again.")
            return None
        self._tell(cell, task, stored.data)
        return row

    def _tell(self, cell: _Cell, task: Task, data: Any) -> None:
        if isinstance(task, cell.judge.helps):
            self.turns.tell(cell.claim.key, task, data)

    def _submit(self, cell: _Cell, task: Task) -> Future[Any]:
        try:
            return self.executor.submit(execute, *self._call(cell, task))
        except Exception as error:  # as `_collect` says
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    def _call(self, cell: _Cell, task: Task) -> tuple[Any, ...]:
        claim = cell.claim
        told = self.turns.told(claim.key) if isinstance(task, cell.judge.helps) else []
        return self.reference(claim), cell.params, task, self.settings, told

    def reference(self, claim: Claim) -> Claim | ClaimReference:
        """The claim as the executor's processes find it."""
        if isinstance(self.executor, Inline):
            return claim
        return ClaimReference.of(claim, self.sources[claim.key])

    def _collect(self, waiting: list[_Cell]) -> None:
        done, _ = wait(self.futures, return_when=FIRST_COMPLETED)
        for future in done:
            cell, index, task = self.futures.pop(future)
            try:
                outcome = future.result()
            except WorkerLost as loss:
                self.forfeited.setdefault(cell.claim.key, loss)
                outcome = Outcome(error=self._why_not(cell.claim))
            except RunLost:
                raise
            except Exception as error:  # the executor's own: a pool that broke
                outcome = Outcome(
                    error=f"{claim_at(cell.claim.key, cell.params)}: the executor failed ({describe(error)}); "
                    "finished rows are kept, the same command continues from there."
                )
            self._finish(cell, index, task, outcome, waiting)
            following = self.turns.leave(cell.claim.key) if isinstance(task, cell.judge.helps) else None
            if following is not None:
                self._start(*following)

    def _finish(self, cell: _Cell, index: int, task: Task, outcome: Outcome, waiting: list[_Cell]) -> None:
        cell.pending -= 1
        self.store.noted(outcome.read)
        self.observer.advanced(cell.claim, task, outcome.seconds)
        other = self._changed(cell.claim, outcome.read)
        if outcome.error is not None:
            cell.verdict = failed(cell.params, outcome.error)
        elif other:
            cell.verdict = failed(cell.params, changed(other, cell.claim.key))
        elif outcome.skip is not None:
            cell.verdict = skipped(cell.params, outcome.skip)
        else:
            self._keep(cell, index, task, outcome)
        if cell.pending == 0 and cell.verdict is None:
            self._close_round(cell, waiting)

    def _changed(self, claim: Claim, read: Mapping[str, str]) -> str:
        """A file that bodies of a claim import when they run, and that was another before; empty if there is none."""
        for path, digest in compiled(read).items():
            known = self.compiled.setdefault((claim.key, path), digest)
            if known != digest and UNKNOWN not in (known, digest):
                return path
        return ""

    def _keep(self, cell: _Cell, index: int, task: Task, outcome: Outcome) -> None:
        """Take a finished row into the cell and into the store."""
        try:
            row = cell.judge.row(task, outcome.data, outcome.seconds)
        except msgspec.ValidationError as error:
            cell.verdict = failed(cell.params, broken(cell.claim.key, cell.params, error))
            return
        cell.batch[index] = row
        self._tell(cell, task, outcome.data)
        context = Context(
            cell=cell.params,
            seed=self.settings.seed,
            effort=self.settings.effort.name,
            source=self.sources[cell.claim.key],
            versions=versions(),
            device=self.settings.device,
        )
        stored = Stored(self._key(cell, task), outcome.data, row.seconds, outcome.read)
        self.store.append(cell.claim, task, stored, context)

    def _close_round(self, cell: _Cell, waiting: list[_Cell]) -> None:
        cell.rows += [row for row in cell.batch if row is not None]
        waiting.insert(0, cell)

    def _key(self, cell: _Cell, task: Task) -> str:
        source = self.sources[cell.claim.key]
        return row_key(source, self.settings.seed, self.settings.device, cell.params, task)


def environment(settings: Settings) -> dict[str, str]:
    """The environment that a report names: versions, device and system."""
    name = torch.cuda.get_device_name() if settings.device == "cuda" else platform.processor() or platform.machine()
    return {**versions(), "platform": platform.system(), "device": settings.device, "processor": name}
