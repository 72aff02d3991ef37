"""A file that is edited while its claims are judged: all that is judged is what was loaded, or the claim is ERROR."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.judges.base import Task
from harness.language.registry import Claim, forget
from harness.run.api import settings_for
from harness.run.loading import from_file
from harness.run.reference import ClaimReference
from harness.run.runner import run
from harness.run.store import Store
from harness.run.workers import Workers
from harness.run.workers.keeper import spawn_keeper
from harness.verdict import Status, Verdict

TEXT = '''
from harness import always, claim, grid
{before}
@claim("mine/variance", always(){options})
def variance(forall{parameters}):
    """p (1 - p) <= c: true for c = 0.25, and false for c = 0.2."""
    {inside}
    p = forall.interval("p", 0.0, 1.0)
    return p * (1 - p), {constant}
'''
QUICK = settings_for(effort="quick")


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Writes a file in the current folder, and names it as a user does: from there."""
    monkeypatch.chdir(tmp_path)

    def write(name: str = "mine.py", **parts: str) -> Path:
        known = dict.fromkeys(("before", "inside", "options", "parameters"), "")
        Path(name).write_text(TEXT.format_map(known | parts))
        return Path(name)

    return write


def _shown(verdict: Verdict) -> tuple[object, ...]:
    return verdict.status, verdict.looseness, verdict.detectable_factor


def _judged(claim: Claim) -> Verdict:
    with Workers(1) as workers:
        (verdict,) = run([claim], QUICK, executor=workers)
    return verdict


@pytest.mark.parametrize(("before", "after"), [("0.2", "0.25"), ("0.25", "0.2")])
def test_the_text_that_was_loaded_is_judged_throughout(write: Callable[..., Path], before: str, after: str) -> None:
    """Rounding is measured, and proofs are made, from the source of a body as well."""
    (claim,) = from_file(write(constant=before))
    alone = _judged(claim)
    write(constant=after)
    assert _shown(_judged(claim)) == _shown(alone)
    assert f", {before}" in claim.source


def test_the_text_of_a_module_beside_it_is_that_which_was_loaded(write: Callable[..., Path]) -> None:
    helper = "def bound(p):\n    return 0 * p + {}\n"
    Path("helper.py").write_text(helper.format(0.25))
    (claim,) = from_file(write(before="from helper import bound", constant="bound(p)"))
    alone = _judged(claim)
    Path("helper.py").write_text(helper.format(0.2))
    assert _shown(_judged(claim)) == _shown(alone)


def test_a_worker_that_loads_another_text_does_not_judge(write: Callable[..., Path]) -> None:
    (claim,) = from_file(write(constant="0.25"))
    reference = ClaimReference.of(claim, "")
    forget(claim.body.__module__)
    write(constant="0.2")
    with Workers(1, hire=spawn_keeper) as workers:
        (verdict,) = run([claim], QUICK, executor=workers)
    assert verdict.status is Status.ERROR
    assert verdict.reason == "claim 'mine/variance': mine.py changed while it was judged; run the command again."
    write(constant="0.25")
    assert replace(reference, file="mine.py").resolve().key == claim.key


class Editor(Executor):
    """Runs each task in a new process, and edits a file after the first one."""

    def __init__(self, edit: Callable[[], object]) -> None:
        self.edit = edit

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with Workers(1) as workers:
            outcome = workers.submit(fn, *args, **kwargs).result()
        if any(isinstance(each, Task) and each.stage != "anatomy" for each in args):
            self.edit()
        future: Future[Any] = Future()
        future.set_result(outcome)
        return future


@pytest.mark.parametrize("edited", [True, False])
def test_a_module_that_bodies_import_must_stay_what_it_was(
    write: Callable[..., Path], tmp_path: Path, *, edited: bool
) -> None:
    """Each process imports it by itself, and no verdict is on both of its texts."""
    helper = Path("helper.py")
    helper.write_text("C = 0.25\n")
    file = write(
        inside="from helper import C",
        constant="C * n",
        options=", over=grid(n=[1, 2])",
        parameters=", *, n",
    )
    (claim,) = from_file(file)
    executor = Editor(lambda: helper.write_text("C = 0.2\n" if edited else "C = 0.25\n"))
    (verdict,) = run([claim], QUICK, executor=executor, store=Store(tmp_path / "out"))
    if not edited:
        assert verdict.status in (Status.PROVED, Status.HOLDS)
        return
    assert verdict.status is Status.ERROR
    assert verdict.reason == "claim 'mine/variance': helper.py changed while it was judged; run the command again."
