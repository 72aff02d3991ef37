"""A run of many claims glances at each first; interrupted after that, it is written as it is by then."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.report.progress import ProgressBar
from harness.run.runner import Inline
from harness.verdict import Verdict
from tests.harness.runs import one

CLAIMS = '''
from harness import always, claim, grid, identity

@claim("mine/square", always(), over=grid(n=[1, 2]))
def square(forall, *, n):
    """(sum x)^2 <= n sum x^2."""
    x = forall.interval("x", -1.0, 1.0, n)
    return x.sum(-1) ** 2, n * x.square().sum(-1)

@claim("mine/cube", identity())
def cube(forall):
    """x^3 = x x^2."""
    x = forall.interval("x", -1.0, 1.0)
    return x ** 3, x * x.square()
'''
KEYS = ("mine/cube", "mine/square")


class Interrupted(ProgressBar):
    """The user presses Ctrl-C when so many verdicts are there."""

    after = 0

    def judged(self, verdict: Verdict) -> None:
        super().judged(verdict)
        self.heard = getattr(self, "heard", 0) + 1
        if self.heard == self.after:
            raise KeyboardInterrupt


@contextmanager
def here(*_: object, **__: object) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """This process, in place of several."""
    yield Inline(), lambda: 1


@pytest.fixture
def claims(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr("harness.cli.judging.executor", here)
    file = tmp_path / "mine.py"
    file.write_text(CLAIMS, encoding="utf-8")
    return file


def _check(claims: Path, *options: str) -> Result:
    arguments = ["check", str(claims), "--jobs", "1", "--out", str(claims.parent / "out"), *options]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def _written(claims: Path) -> dict[str, str]:
    text = (claims.parent / "out" / "verdicts.json").read_text(encoding="utf-8")
    return {claim["id"]: claim["effort"] for claim in json.loads(text)["claims"]}


def test_verdicts_at_a_glance_come_first_and_the_standard_ones_replace_them(claims: Path) -> None:
    done = _check(claims, "--first")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    there = next(
        place for place, line in enumerate(lines) if line == "2 verdicts at glance effort; going on at standard effort"
    )
    assert sorted(line.split()[1] for line in lines[:there]) == list(KEYS)
    assert all("(glance, " in line for line in lines[:there])
    assert set(_written(claims).values()) == {"standard"}


@pytest.mark.parametrize("options", [(), ("--no-first",), ("--first", "--quick")])
def test_a_few_claims_are_judged_at_once(claims: Path, options: tuple[str, ...]) -> None:
    done = _check(claims, *options)
    assert "going on at" not in done.output
    assert set(_written(claims).values()) == {"quick" if "--quick" in options else "standard"}


def test_many_claims_have_first_verdicts_unless_they_are_not_wanted(claims: Path, monkeypatch) -> None:
    monkeypatch.setattr("harness.cli.judging.MANY", 1)
    assert "going on at standard effort" in _check(claims).output
    assert "going on at" not in _check(claims, "--no-first").output


def test_an_interruption_after_the_first_verdicts_leaves_a_report_of_both_efforts(claims: Path, monkeypatch) -> None:
    monkeypatch.setattr("harness.cli.judging.ProgressBar", Interrupted)
    monkeypatch.setattr(Interrupted, "after", 3)
    done = _check(claims, "--first")
    assert done.exit_code == 130
    assert "the same command continues from there" in done.output
    assert sorted(_written(claims).values()) == ["glance", "standard"]
    assert (claims.parent / "out" / "report" / "index.html").exists()
    monkeypatch.setattr("harness.cli.looking.executor", here)
    (early,) = (id for id, effort in _written(claims).items() if effort == "glance")
    shown = CliRunner().invoke(main, ["show", f"{claims}::{early}", "--out", str(claims.parent / "out")])
    assert "was stopped after its first verdict, " in shown.output


def test_a_glance_sees_the_first_cell_and_says_of_how_many(claims: Path, monkeypatch) -> None:
    with monkeypatch.context() as interrupted:
        interrupted.setattr("harness.cli.judging.ProgressBar", Interrupted)
        interrupted.setattr(Interrupted, "after", 2)
        _check(claims, "--first")
    for cells, said in (([{"n": 1}], {"mine/square"}), ([{"n": 1}, {"n": 2}], set())):
        text = (claims.parent / "out" / "verdicts.json").read_text(encoding="utf-8")
        written = {claim["id"]: claim for claim in json.loads(text)["claims"]}
        assert [cell["params"] for cell in written["mine/square"]["cells"]] == cells
        assert {key for key in KEYS if written[key]["caveat"].endswith(" At a glance: 1 of 2 cells judged.")} == said
        _check(claims, "--first")


def test_an_interruption_before_every_claim_has_a_verdict_writes_none(claims: Path, monkeypatch) -> None:
    monkeypatch.setattr("harness.cli.judging.ProgressBar", Interrupted)
    monkeypatch.setattr(Interrupted, "after", 1)
    assert _check(claims, "--first").exit_code == 130
    assert not (claims.parent / "out" / "verdicts.json").exists()


def test_an_interrupted_run_is_not_recorded(claims: Path, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("harness.cli.judging.ProgressBar", Interrupted)
    monkeypatch.setattr(Interrupted, "after", 3)
    _check(claims, "--first")
    monkeypatch.setattr("harness.run.catalogue.catalogue", lambda _: [SimpleNamespace(key=key) for key in KEYS])
    (tmp_path / "statements.toml").write_text("", encoding="utf-8")
    done = CliRunner().invoke(main, ["record", "--out", str(tmp_path / "out"), "--docs", str(tmp_path)])
    assert done.exit_code == 2
    assert "was interrupted" in done.output


def test_larger_efforts_of_a_budget_are_no_early_stop() -> None:
    stopped = {
        effort: one(effort=effort).stopped_early("standard")
        for effort in ("", "glance", "quick", "standard", "standardx4")
    }
    assert stopped == {"": False, "glance": True, "quick": True, "standard": False, "standardx4": False}
    assert one(effort="glance").stopped_early("quick")
    assert not one(effort="quick").stopped_early("quick")


def test_a_profile_says_where_the_time_went(claims: Path) -> None:
    done = _check(claims, "--first", "--profile")
    lines = [line.split() for line in done.output.splitlines()]
    header = lines.index(["effort", "kind", "stage", "tasks", "seconds", "share"])
    heading = " ".join(lines[header - 1])
    stages = [line for line in lines[header + 1 :] if line and line[0] in ("glance", "standard")]
    assert {(effort, kind) for effort, kind, *_ in stages} == {
        (effort, kind) for effort in ("glance", "standard") for kind in ("always", "identity")
    }
    assert float(heading.split()[0]) == pytest.approx(sum(float(line[4]) for line in stages), abs=0.06 * len(stages))
    assert "1 at a time" in heading
    assert ["the", "dearest", "2", "of", "2", "claims"] in lines
    assert "share" not in _check(claims).output
    again = _check(claims, "--profile")
    assert "0.0 s in tasks" in again.output  # all rows are stored
