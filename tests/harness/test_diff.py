"""Two runs compared: verdicts, looseness, speed; from files, folders and commits."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.report.layout import Judged
from harness.verdict import CellVerdict, Status
from tests.harness.runs import one, run_with, write


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _diff(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["diff", *arguments], catch_exceptions=False)


def _loose(value: float, low: float | None = None, high: float | None = None, **more: object) -> Judged:
    interval = None if low is None else (low, high)
    cell = CellVerdict({}, Status.HOLDS, looseness=value, looseness_interval=interval)
    return one("mine/loose", looseness=value, cells=[cell], **more)


def _compared(before: list[Judged], after: list[Judged], *options: str) -> Result:
    write(Path("old.json"), run_with(*before))
    write(Path("new.json"), run_with(*after))
    return _diff("old.json", "new.json", *options)


def test_verdicts_come_first_and_decide_the_exit_code() -> None:
    result = _compared([one("a"), one("b")], [one("a", Status.REFUTED), one("c")])
    assert result.exit_code == 1
    assert result.output.splitlines()[:4] == [
        "a: HOLDS -> REFUTED",
        "b: HOLDS -> absent",
        "c: absent -> HOLDS",
        "3 of 3 claims changed",
    ]
    same = _compared([one("a", seconds=1.0)], [one("a", seconds=9.0)])
    assert same.exit_code == 0
    assert "0 of 1 claims changed" in same.output


MOVES = [
    (_loose(1.0), _loose(1.05), False),
    (_loose(1.0), _loose(1.2), True),
    (_loose(1.2), _loose(1.0), True),
    (_loose(1.0, 0.9, 1.1), _loose(1.2, 1.05, 1.4), False),  # the intervals overlap
    (_loose(1.0, 0.9, 1.1), _loose(1.5, 1.4, 1.6), True),
    (_loose(1.0, 0.9, 1.1), _loose(1.5), True),  # only one of them has an interval
    (_loose(0.0), _loose(1.0), True),
]


@pytest.mark.parametrize(("before", "after", "moved"), MOVES)
def test_a_looseness_is_named_beyond_the_factor_and_the_intervals(
    before: Judged, after: Judged, *, moved: bool
) -> None:
    result = _compared([before], [after])
    assert f"looseness: {int(moved)} of 1 moved by more than a factor of 1.1" in result.output
    assert ("  mine/loose: " in result.output) == moved
    assert result.exit_code == 0


def test_the_factors_are_options() -> None:
    assert (
        "0 of 1 moved by more than a factor of 2" in _compared([_loose(1.0)], [_loose(1.9)], "--looseness", "2").output
    )
    for option in ("--looseness", "--speed"):
        assert _diff("old.json", "new.json", option, "1").exit_code == 2


def test_speed_names_claims_beyond_the_factor_and_the_total() -> None:
    times = {"quick": (0.1, 0.9), "slower": (2.0, 9.0), "faster": (8.0, 2.0), "same": (5.0, 6.0)}
    result = _compared(*([one(name, seconds=pair[side]) for name, pair in times.items()] for side in (0, 1)))
    assert "speed: 2 of 4 changed by more than a factor of 2; 15.1 s -> 17.9 s (1.19 times) in all" in result.output
    assert "  slower: 2.0 s -> 9.0 s (4.50 times)" in result.output
    assert "  faster: 8.0 s -> 2.0 s (0.25 times)" in result.output
    assert "quick" not in result.output
    assert "noise unless both runs were made on one machine" in result.output


def _git(*arguments: str) -> None:
    who = ["-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def _commit(status: str, looseness: float) -> None:
    claims = [{"id": "a/b", "reading": "printed", "status": status, "looseness": looseness, "detectable_factor": 1.0}]
    Path("results").mkdir(exist_ok=True)
    for name in ("ledger", "classics"):
        payload = {"seed": 0, "effort": "standard", "claims": claims if name == "ledger" else []}
        Path(f"results/{name}.json").write_text(json.dumps(payload))
    _git("add", ".")
    _git("commit", "-m", status)


def test_commits_are_compared_by_the_ledger_that_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    _git("init", "--quiet")
    _commit("HOLDS", 1.0)
    _commit("REFUTED", 2.0)
    _git("tag", "v1")
    result = _diff("HEAD~1", "v1")
    assert result.exit_code == 1
    assert "a/b[printed]: HOLDS -> REFUTED" in result.output
    assert "  a/b[printed]: 1 -> 2" in result.output
    assert "speed: not compared" in result.output
    assert _diff("v1", "results/ledger.json").exit_code == 0
    assert _diff("HEAD~1", "HEAD", "--ledger", "results/classics.json").exit_code == 0
    absent = _diff("HEAD~1", "HEAD", "--ledger", "no/such.json")
    assert absent.exit_code == 2
    assert "commit HEAD~1 has no file no/such.json" in absent.output
    assert "cannot read HEAD~7" in _diff("HEAD~7", "HEAD").output
    assert "cannot read --output" in _diff("--", "--output=x", "HEAD").output
    monkeypatch.setenv("PATH", "")
    assert "cannot read v1: there is no such file" in _diff("v1", "v1").output


def test_a_folder_of_results_and_other_settings_are_named() -> None:
    write(Path("one/verdicts.json"), run_with(one("a")))
    write(Path("two/verdicts.json"), run_with(one("a"), seed=7, effort="standard"))
    result = _diff("one", "two")
    assert result.exit_code == 0
    assert "note: seed 0 -> 7" in result.output
    assert "note: effort quick -> standard" in result.output


def test_runs_without_a_claim_in_common_have_no_speed() -> None:
    assert "no claim in common" in _compared([one("a", seconds=1.0)], [one("b", seconds=1.0)]).output
