"""A badge says how many claims were judged and how many defects found, from either form of a run."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.report.badge import GREEN, ORANGE, RED, message
from harness.report.layout import Judged, plain
from harness.report.recorded import read
from harness.verdict import Status
from tests.harness.runs import one, run_with, write

ROOT = Path(__file__).parents[2]


def _report(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, arguments)], catch_exceptions=False)


CASES: list[tuple[list[Judged], dict[str, int], tuple[str, str]]] = [
    ([], {}, ("0 judged", GREEN)),
    ([one("a"), one("b", Status.SKIPPED, as_expected=None)], {}, ("1 judged", GREEN)),
    ([one("a")], {"statement": 1}, ("1 judged, 1 defect", ORANGE)),
    ([one("a"), one("b")], {"statement": 1, "constant": 2}, ("2 judged, 3 defects", ORANGE)),
    ([one("a", Status.REFUTED, as_expected=False)], {}, ("1 judged, 1 unexpected", RED)),
    ([one("a"), one("b", Status.ERROR, as_expected=None)], {}, ("1 judged, 1 in error", RED)),
]


@pytest.mark.parametrize(("claims", "defects", "said"), CASES)
def test_what_a_badge_says(claims: list[Judged], defects: dict[str, int], said: tuple[str, str]) -> None:
    assert message(read("run", plain(run_with(*claims, defects=defects)))) == said


def test_the_svg_is_well_formed_and_loads_nothing(tmp_path: Path) -> None:
    write(tmp_path / "verdicts.json", run_with(one("a"), defects={"constant": 1}))
    result = _report("--format", "badge", "--from", tmp_path, "-o", tmp_path / "badge.svg")
    assert result.exit_code == 0
    tree = ET.parse(tmp_path / "badge.svg")
    assert "1 judged, 1 defect" in [node.text for node in tree.iter()]
    assert "href" not in (tmp_path / "badge.svg").read_text()


def test_the_recorded_ledger_makes_a_badge_without_a_run() -> None:
    shown = json.loads(_report("--format", "shields", "--from", ROOT / "results" / "ledger.json").output)
    recorded = json.loads((ROOT / "results" / "ledger.json").read_text())
    assert shown["schemaVersion"] == 1
    assert shown["label"] == "tightrope"
    assert shown["message"].endswith(f" judged, {sum(recorded['defects'].values())} defects")


def test_a_badge_of_some_claims_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "verdicts.json", run_with(one("a")))
    result = _report("--format", "badge", "--from", tmp_path, "a")
    assert result.exit_code == 2
    assert "shows a whole run; leave out 'a'" in result.output
