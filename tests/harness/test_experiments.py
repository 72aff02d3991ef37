"""Verdicts of a run with public data complete the coverage of a run without; they stay in a file of their own."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from harness.claims.full_size import FULL
from harness.cli import main
from harness.data import DATA_SETS, VARIABLE, Table, digit_pair
from harness.errors import UsageError
from harness.language.registry import key_of
from harness.report.coverage import coverage
from harness.report.experiments import Experiments, data_here, experiments_of, stored_experiments, text_of
from harness.report.layout import Judged, Run
from harness.run.catalogue import catalogue
from harness.verdict import Status
from tests.harness.runs import one, run_with

ROOT = Path(__file__).parents[2]
STATEMENTS = {"pbrff": [{"item": "Table 1 adult", "claims": ["tab-1-adult"]}]}


def judged(id: str, status: str) -> Judged:
    return one(id, Status(status), reason="needs UCI Adult" if status == "SKIPPED" else "")


def run(*claims: Judged, **environment: str) -> Run:
    return run_with(*claims, environment=environment)


SKIPPED = [judged("pbrff/tab-1-adult", "SKIPPED"), judged("pbrff/eq-11", "HOLDS")]


def test_what_was_skipped_and_then_judged_with_data_counts_and_says_so() -> None:
    found = experiments_of([run(judged("pbrff/tab-1-adult", "HOLDS"), SKIPPED[1], data="adult")], SKIPPED)
    assert [one.id for one in found.claims] == ["pbrff/tab-1-adult"]
    page = coverage(STATEMENTS, SKIPPED, found)
    assert "| Table 1 adult | full | `pbrff/tab-1-adult` HOLDS (with data) |" in page
    assert "*With data*: judged in a run with adult." in page
    assert "| Table 1 adult | skipped | needs UCI Adult |" in coverage(STATEMENTS, SKIPPED)


def test_a_part_of_the_data_is_a_restriction_for_the_claims_that_read_them() -> None:
    environment = {"data": "adult, mnist", "partial data": "mnist: TRAINING=part", "full size": "1"}
    skipped = [judged("pbrff/tab-1-mnist", "SKIPPED"), SKIPPED[0]]
    both = run(judged("pbrff/tab-1-mnist", "HOLDS"), judged("pbrff/tab-1-adult", "HOLDS"), **environment)
    found = experiments_of([both], skipped)
    assert [one.partial for one in found.claims] == ["TRAINING=part", ""]
    statements = {"pbrff": [{"item": "Table 1 mnist", "claims": ["tab-1-mnist"]}]}
    page = coverage(statements, skipped, found)
    assert "| Table 1 mnist | reduced | `pbrff/tab-1-mnist` HOLDS (at full size; restricted: a part of the data" in page
    assert "*At full size*: judged in a run where `TIGHTROPE_FULL` is 1." in page
    assert "with adult, mnist." in page


def test_a_part_with_all_the_rows_that_a_claim_reads_is_no_restriction() -> None:
    claims = ["nsrf/A.1-starts-mnist", "pbrff/tab-1-mnist"]
    environment = {"data": "mnist", "partial data": "mnist: TRAINING=part"}
    found = experiments_of(
        [run(*(judged(id, "HOLDS") for id in claims), **environment)], [judged(id, "SKIPPED") for id in claims]
    )
    assert [one.partial for one in found.claims] == ["", "TRAINING=part"]


def test_a_claim_that_says_how_many_rows_it_reads_refuses_a_smaller_part() -> None:
    """The reader of pairs of digits does, by default and where so many images are asked for."""
    for entry in DATA_SETS.values():
        assert set(entry.training_rows) <= set(entry.claims)
        assert entry.name == "mnist" or not entry.training_rows
        assert all(rows < entry.rows for rows in entry.training_rows.values())
    for rows in {*DATA_SETS["mnist"].training_rows.values()}:
        images = Table(np.zeros((rows - 1 + 2, 784)), np.array([1] * (rows - 1) + [1, 7]), tested=2)
        with pytest.raises(UsageError, match=f"{rows} are needed"):
            digit_pair(images, 1, 7)


@pytest.mark.parametrize("status", ["SKIPPED", "ERROR"])
def test_what_the_other_run_did_not_judge_either_stays_skipped(status) -> None:
    assert experiments_of([run(judged("pbrff/tab-1-adult", status))], SKIPPED).claims == []


def test_several_runs_are_one_record_and_the_last_verdict_on_a_reading_counts() -> None:
    skipped = [judged(id, "SKIPPED") for id in ("pbrff/tab-1-adult", "lkrf/fig-1b-full", "uarff/fig-2")]
    first = run(judged("pbrff/tab-1-adult", "UNDECIDED"), judged("uarff/fig-2", "HOLDS"), data="adult, cpu_act")
    second = run(judged("pbrff/tab-1-adult", "HOLDS"), judged("uarff/fig-2", "SKIPPED"), data="adult")
    large = run(judged("lkrf/fig-1b-full", "HOLDS"), **{"full size": "1"})
    found = experiments_of([first, second, large], skipped)
    assert {one.id: (str(one.status), one.full_size) for one in found.claims} == {
        "pbrff/tab-1-adult": ("HOLDS", False),
        "uarff/fig-2": ("HOLDS", False),
        "lkrf/fig-1b-full": ("HOLDS", True),
    }
    assert found.data == "adult, cpu_act"
    with pytest.raises(UsageError, match="differ in version, seed or effort"):
        experiments_of([first, msgspec.structs.replace(second, seed=1)], skipped)


def test_what_is_stored_stays_where_a_run_says_nothing_of_it() -> None:
    skipped = [judged(id, "SKIPPED") for id in ("pbrff/tab-1-adult", "lkrf/fig-1b-full")]
    both = run(judged("pbrff/tab-1-adult", "UNDECIDED"), judged("uarff/fig-2", "HOLDS"), data="adult, cpu_act")
    stored = experiments_of([both], [*skipped, judged("uarff/fig-2", "SKIPPED")])
    large = run(judged("lkrf/fig-1b-full", "HOLDS"), **{"full size": "1"})
    found = experiments_of([large], [*skipped, judged("uarff/fig-2", "HOLDS")], stored)
    assert [(one.key, str(one.status)) for one in found.claims] == [
        ("pbrff/tab-1-adult", "UNDECIDED"),
        ("lkrf/fig-1b-full", "HOLDS"),
    ]
    assert found.data == "adult, cpu_act"
    again = experiments_of([run(judged("pbrff/tab-1-adult", "HOLDS"), data="adult")], skipped, found)
    assert {one.key: str(one.status) for one in again.claims}["pbrff/tab-1-adult"] == "HOLDS"
    with pytest.raises(UsageError, match="from what is stored"):
        experiments_of([large], skipped, msgspec.structs.replace(stored, seed=1))


def test_what_is_stored_is_read_again(tmp_path) -> None:
    path = tmp_path / "experiments.json"
    assert stored_experiments(path) is None
    found = experiments_of([run(judged("pbrff/tab-1-adult", "HOLDS"), data="adult")], SKIPPED)
    path.write_text(text_of(found))
    assert stored_experiments(path) == found
    path.write_text('{"claims": [{}]}')
    with pytest.raises(UsageError, match=r"record --experiments"):
        stored_experiments(path)


def test_a_run_says_which_data_it_could_read(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv(FULL, raising=False)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert data_here() == {}
    for name in ("cpu_act.csv", "own-images-idx3-ubyte", "own-labels-idx1-ubyte"):
        (tmp_path / name).write_bytes(b"")
    for name in ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"):
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setenv("TIGHTROPE_MNIST_TRAINING", "own")
    monkeypatch.setenv(FULL, "1")
    expected = {"data": "mnist, cpu_act", "partial data": "mnist: TIGHTROPE_MNIST_TRAINING=own", "full size": "1"}
    assert data_here() == expected


def test_the_classics_have_no_experiments(tmp_path) -> None:
    done = CliRunner().invoke(main, ["record", "classics", "--experiments", str(tmp_path)])
    assert done.exit_code == 2


def test_the_recorded_experiments_are_of_the_ledger_and_skipped_in_its_recorded_run() -> None:
    stored = stored_experiments(ROOT / "results" / "experiments.json")
    assert isinstance(stored, Experiments)
    recorded = json.loads((ROOT / "results" / "ledger.json").read_text(encoding="utf-8"))["claims"]
    skipped = {key_of(c["id"], c["reading"]) for c in recorded if c["status"] == "SKIPPED"}
    found = {key_of(one.id, one.reading): one for one in stored.claims}
    assert set(found) <= skipped
    for claim in catalogue():
        if claim.key in found and claim.expected:
            assert found[claim.key].status == claim.expected.upper(), claim.key
