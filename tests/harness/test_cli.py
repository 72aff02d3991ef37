"""The command as a user meets it: what it prints, writes and returns."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.cli.selection import gather
from harness.run.loading import ledger
from harness.run.selection import select
from harness.settings import MEMORY_LIMIT, TIME_LIMIT

HOLDS = '''
from harness import always, claim

@claim("mine/holds", always(), cite="me, line 1")
def holds(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0
'''
REFUTED = HOLDS.replace("mine/holds", "mine/refuted").replace("1.0), 1.0", "1.0), 0.9")
OPEN = '''
from harness import claim, grid, high_probability

@claim("mine/open", high_probability("delta"), over=grid(delta=[0.2]))
def exact(draw, *, delta):
    """P(u < delta) = delta exactly: no finite sample decides."""
    return (draw.uniform("u") < delta).double(), 0.5
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in: `results/` is written there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def _check(*arguments: str | Path) -> Result:
    return _tightrope("check", "--jobs", "1", "--quick", *arguments)


def test_the_ten_lines_of_the_readme_hold(here: Path, write_claims: Callable[..., Path], coin_text: str) -> None:
    result = _tightrope("check", "--jobs", "1", write_claims(coin_text))
    assert result.exit_code == 0
    assert re.search(r"hoeffding1963/thm-1\s+high probability\s+HOLDS", result.output)
    assert "1 HOLDS" in result.output
    assert (here / "results" / "report" / "index.html").exists()


def test_the_same_with_half_the_width_is_refuted_and_its_replay_line_shows_it(
    here: Path, write_claims: Callable[..., Path], coin_text: str
) -> None:
    """The printed line is run by a shell, as a user would."""
    result = _tightrope("check", "--jobs", "1", write_claims(coin_text.replace("2 * n", "8 * n")))
    assert result.exit_code == 1
    assert "REFUTED" in result.output
    assert "NOT AS EXPECTED" in result.output
    (line,) = [text.strip() for text in result.output.splitlines() if text.strip().startswith("tightrope replay")]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(line, shell=True, capture_output=True, text=True, env=environment, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"violated (in \d+ of|with probability)", ran.stdout)


def test_a_refuted_inequality_prints_values_that_replay_to_the_same_sides(
    here: Path, write_claims: Callable[..., Path]
) -> None:
    result = _check(write_claims(REFUTED))
    assert result.exit_code == 1
    line = next(text.strip() for text in result.output.splitlines() if text.strip().startswith("tightrope replay"))
    again = _tightrope(*shlex.split(line)[1:])
    assert again.exit_code == 0
    assert "lhs = 1.0, rhs = 0.9: lhs <= rhs is violated" in again.output


def test_a_value_that_respects_the_claim_replays_with_exit_code_1(
    here: Path, write_claims: Callable[..., Path]
) -> None:
    result = _tightrope("replay", write_claims(REFUTED), "--values", '{"x": 0.5}')
    assert result.exit_code == 1
    assert "satisfied" in result.output


def test_a_counterexample_too_long_for_a_line_is_replayed_from_the_last_run(
    here: Path, write_claims: Callable[..., Path]
) -> None:
    text = '''
from harness import always, claim

@claim("mine/long", always())
def long(forall):
    """mean x y <= -1 with alternating noise: false everywhere, in 3000 numbers."""
    return forall.interval("x", 0.1234567, 0.2345678, 3000).mean(-1), 0.1
'''
    result = _check(write_claims(text))
    assert result.exit_code == 1
    line = next(text.strip() for text in result.output.splitlines() if text.strip().startswith("tightrope replay"))
    assert "--stored" in line
    assert _tightrope(*shlex.split(line)[1:]).exit_code == 0


def test_what_is_stored_is_replayed_by_the_name_of_the_claim_alone(
    here: Path, write_claims: Callable[..., Path]
) -> None:
    path = write_claims(
        REFUTED.replace("always()", "always(), over=({'n': 1}, {'n': 2})").replace("forall)", "forall, *, n)")
    )
    assert _check(path, "--out", "there").exit_code == 1
    again = _tightrope("replay", path, "--stored", "--out", "there")
    assert again.exit_code == 0, again.output
    wrong = _tightrope("replay", path, "--stored", "--out", "there", "--params", '{"n": 3}')
    assert wrong.exit_code == 2
    assert """there is one with --params '{"n": 1}' or --params '{"n": 2}'.""" in wrong.output


SCHEMA = ["schema", "version", "seed", "alpha", "environment", "defects", "claims"]
CLAIM = [
    "id",
    "reading",
    "kind",
    "status",
    "expected",
    "cite",
    "statement",
    "looseness",
    "detectable_factor",
    "seconds",
]
CELL = ["params", "status", "trials", "violations", "worst_ratio", "counterexample", "replay"]


def test_json_has_the_keys_that_others_parse(here: Path, write_claims: Callable[..., Path], coin_text: str) -> None:
    path = write_claims(coin_text + HOLDS + REFUTED)
    _check(path, "--json", "deep/out.json", "--seed", "5")
    text = (here / "deep" / "out.json").read_text()
    payload = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert set(SCHEMA) <= set(payload)
    assert payload["schema"] == 3
    assert payload["seed"] == 5
    assert payload["alpha"] == 0.01
    assert [claim["id"] for claim in payload["claims"]] == ["hoeffding1963/thm-1", "mine/holds", "mine/refuted"]
    for claim in payload["claims"]:
        assert {*CLAIM, "cells"} <= set(claim)
        for cell in claim["cells"]:
            assert set(CELL) <= set(cell)
    first = payload["claims"][0]["cells"]
    assert [cell["params"] for cell in first] == [{"n": n, "delta": 0.05} for n in (10, 100, 1000)]
    assert all(cell["counterexample"] is None and cell["replay"] is None for cell in first)
    refuted = payload["claims"][2]["cells"][0]
    assert refuted["counterexample"]["values"] == {"x": 1.0}
    assert refuted["replay"].startswith("tightrope replay ")
    assert json.loads((here / "results" / "verdicts.json").read_text()) == payload


def test_exit_codes(here: Path, write_claims: Callable[..., Path]) -> None:
    known = REFUTED.replace("always(), ", 'always(), expected="refuted", ')
    unexpectedly_true = HOLDS.replace("always(), ", 'always(), expected="refuted", ')
    cases = [(HOLDS, 0), (REFUTED, 1), (known, 0), (unexpectedly_true, 1), (OPEN, 0)]
    for text, code in cases:
        assert _check(write_claims(text)).exit_code == code, text
    assert _check(write_claims(OPEN), "--strict").exit_code == 3
    assert _check(write_claims(HOLDS), "--strict").exit_code == 0
    assert _check(write_claims(OPEN + REFUTED), "--strict").exit_code == 1


def test_a_second_check_uses_the_rows_of_the_first(here: Path, write_claims: Callable[..., Path]) -> None:
    path = write_claims(OPEN)
    _check(path, "--json", "a.json")
    rows = sorted((here / "results" / "rows").glob("*.jsonl"))
    before = [row.read_bytes() for row in rows]
    _check(path, "--json", "b.json")
    assert [row.read_bytes() for row in rows] == before
    assert _timeless(here / "a.json") == _timeless(here / "b.json")


def _timeless(path: Path) -> Any:
    payload = json.loads(path.read_text())
    for claim in payload["claims"]:
        del claim["seconds"]
    return payload


def test_list_names_every_claim_of_the_ledger_and_of_a_file(here: Path, write_claims: Callable[..., Path]) -> None:
    output = _tightrope("list").output
    for claim in ledger():
        assert claim.id in output
    own = _tightrope("list", write_claims(HOLDS + OPEN)).output
    assert "mine/holds" in own
    assert "mine/open" in own
    assert "x <= 1." in own
    assert "satisfies E[v / n^2]" in _tightrope("list", "nsrf/bias").output  # brackets are no markup
    paper = ledger()[0].id.split("/")[0]
    some = _tightrope("list", paper).output
    assert ledger()[0].id in some
    assert all(claim.id not in some for claim in ledger() if not claim.id.startswith(paper))


def test_show_explains_a_verdict(here: Path, write_claims: Callable[..., Path]) -> None:
    path = write_claims(HOLDS + REFUTED)
    output = _tightrope("show", f"{path}::mine/refuted", "--quick").output
    assert "mine/refuted: REFUTED" in output
    assert "Counterexample" in output
    assert "Replay: tightrope replay" in output
    output = _tightrope("show", f"{path}::mine/holds", "--quick").output
    assert "mine/holds: PROVED" in output
    assert "Source: me, line 1" in output
    assert "What could still be wrong" in output


def test_one_claim_of_a_file_can_be_named(here: Path, write_claims: Callable[..., Path]) -> None:
    result = _check(f"{write_claims(HOLDS + REFUTED)}::mine/holds")
    assert result.exit_code == 0
    assert "mine/refuted" not in result.output


def test_a_folder_a_glob_and_a_claim_of_a_file_are_found_as_pytest_finds_tests(here: Path) -> None:
    """Files without claims are helpers: their claims' files import them; hidden folders are left alone."""
    (here / "claims" / "deeper").mkdir(parents=True)
    (here / "claims" / ".hidden").mkdir()
    (here / "claims" / "helper.py").write_text("LIMIT = 1.0\n", encoding="utf-8")
    ours = HOLDS.replace("from harness import", "from helper import LIMIT\nfrom harness import").replace(
        "), 1.0", "), LIMIT"
    )
    (here / "claims" / "one.py").write_text(ours, encoding="utf-8")
    (here / "claims" / "deeper" / "two.py").write_text(HOLDS.replace("mine/holds", "mine/two"), encoding="utf-8")
    (here / "claims" / ".hidden" / "three.py").write_text("raise ValueError", encoding="utf-8")
    for place, keys in (
        ("claims", {"mine/holds", "mine/two"}),
        ("claims/", {"mine/holds", "mine/two"}),
        (str(here / "claims"), {"mine/holds", "mine/two"}),
        ("claims/*.py", {"mine/holds"}),
        ("claims/**/*.py", {"mine/holds", "mine/two"}),
        ("claims/one.py::mine/holds", {"mine/holds"}),
    ):
        found, family = gather([place])
        assert {claim.key for claim in found} == keys, place
        assert family == len(keys)
    result = _check("claims")
    assert result.exit_code == 0
    assert "2 PROVED" in result.output


def test_a_file_that_is_named_twice_is_one_file(here: Path, write_claims: Callable[..., Path]) -> None:
    path = write_claims(HOLDS)
    for others in ([here / "." / path.name], [f"../{here.name}/{path.name}::mine/holds"], [here, "./"]):
        claims, family = gather([str(each) for each in [path.name, *others]])
        assert ([claim.key for claim in claims], family) == (["mine/holds"], 1)


def test_a_place_without_claims_is_bad_usage(here: Path) -> None:
    (here / "empty").mkdir()
    (here / "empty" / "helper.py").write_text("LIMIT = 1.0\n", encoding="utf-8")
    for place in ("empty", "empty/*.py", "nothing/*.py"):
        result = _check(place)
        assert result.exit_code == 2
        assert f"{place} contains no Python file with @claim functions" in result.output


def test_a_folder_called_like_a_paper_is_meant_with_a_slash(here: Path) -> None:
    (here / "pbrff").mkdir()
    (here / "pbrff" / "mine.py").write_text(HOLDS, encoding="utf-8")
    assert {claim.key for claim in gather(["./pbrff"])[0]} == {"mine/holds"}
    assert {claim.key for claim in gather(["pbrff/"])[0]} == {"mine/holds"}
    assert all(claim.key.startswith("pbrff/") for claim in gather(["pbrff"])[0])


def test_report_is_written_again_from_the_last_run(here: Path, write_claims: Callable[..., Path]) -> None:
    _check(write_claims(HOLDS))
    page = here / "results" / "report" / "index.html"
    text = page.read_text()
    page.unlink()
    assert _tightrope("report").exit_code == 0
    assert page.read_text() == text


def test_diff_names_what_changed(here: Path, write_claims: Callable[..., Path]) -> None:
    _check(write_claims(HOLDS + OPEN), "--json", "a.json")
    _check(write_claims(HOLDS.replace("1.0), 1.0", "1.0), 0.9")), "--json", "b.json")
    assert _tightrope("diff", "a.json", "a.json").exit_code == 0
    result = _tightrope("diff", "a.json", "b.json")
    assert result.exit_code == 1
    assert "mine/holds: PROVED -> REFUTED" in result.output
    assert "mine/open: UNDECIDED -> absent" in result.output


def test_new_writes_a_file_that_holds(here: Path) -> None:
    assert _tightrope("new", "theorem.py").exit_code == 0
    assert _check("theorem.py").exit_code == 0
    again = _tightrope("new", "theorem.py")
    assert again.exit_code == 2
    assert "exists already" in again.output
    assert _tightrope("new", "theorem.txt").exit_code == 2


def test_a_fresh_seed_and_a_budget_are_accepted(here: Path, write_claims: Callable[..., Path]) -> None:
    result = _check(write_claims(HOLDS), "--seed", "fresh", "--budget", "1s", "--json", "out.json")
    assert result.exit_code == 0
    assert isinstance(json.loads((here / "out.json").read_text())["seed"], int)


def test_version_and_help() -> None:
    assert re.search(r"\d+\.\d+", _tightrope("--version").output)
    for command in ("list", "check", "show", "replay", "report", "diff", "bench", "new"):
        assert command in _tightrope("-h").output
        assert _tightrope(command, "-h").exit_code == 0
    told = " ".join(_tightrope("check", "-h").output.split())
    assert f"Default: {TIME_LIMIT / 60:g}m" in told
    assert f"default: {MEMORY_LIMIT // 2**30}G" in told


def test_a_limit_is_kept_and_named(here: Path, write_claims: Callable[..., Path]) -> None:
    text = HOLDS.replace("    return", "    while True:\n        pass\n    return")
    result = _check(write_claims(text), "--time-limit", "0.5s")
    assert result.exit_code == 2
    assert "ERROR: claim 'mine/holds': stopped after 0.5 s of --time-limit" in result.output
    (judged,) = json.loads((here / "results" / "verdicts.json").read_text())["claims"]
    assert judged["seconds"] >= 0.5


@pytest.mark.parametrize("code", [0, 1])
def test_the_self_test_decides_the_exit_code(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Would catch an option that runs the ledger instead, loses the seed, or swallows a failure."""
    seen: list[int] = []

    def run(console: object, seed: int) -> int:
        seen.append(seed)
        return code

    monkeypatch.setattr("harness.selftest.runner.run_self_test", run)
    assert CliRunner().invoke(main, ["check", "--self-test", "--seed", "7"]).exit_code == code
    assert seen == [7]


@pytest.mark.parametrize(
    ("former", "today"),
    [
        ("uarff/table-10-full", "uarff/tab-10-full"),
        ("pbrff/lemma-6*", "pbrff/lem-6*"),
        ("lkrf/eq8-closed-form[printed]", "lkrf/eq-8-closed-form[printed]"),
        ("lkrf/alg1", "lkrf/alg-1"),
    ],
)
def test_former_ids_mean_their_claims_for_a_version(former: str, today: str) -> None:
    chosen = select(ledger(), [former])
    assert chosen
    assert chosen == select(ledger(), [today])
