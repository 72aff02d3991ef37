"""Defects of the papers: declared with the claims, counted once each, told in full."""

import json
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from harness import Defect, Severity, always, claim
from harness.cli import main
from harness.errors import ClaimError
from harness.language.registry import key_of
from harness.report.coverage import FULL, MISSING, REDUCED, SKIPPED, coverage
from harness.report.errata import by_severity, counted, defects_found, errata
from harness.report.layout import Judged
from harness.run.catalogue import catalogue
from harness.run.loading import ledger
from harness.verdict import CellVerdict, Counterexample, Status

ROOT = Path(__file__).parents[2]


def defect(id: str = "paper/lem-1", severity: Severity = Severity.CONSTANT) -> Defect:
    return Defect(id, severity, "Lemma 1", "A factor is lost.", "Twice the right side.", "Use the larger bound.")


def judged(id: str, status: str, found: Defect | None = None, *, reason: str = "", **limits: str) -> Judged:
    """A claim as it stands in the JSON of a run."""
    cell = CellVerdict(
        {"n": 3},
        Status(status),
        counterexample=Counterexample(values={"x": 2.0}),
        replay=f"tightrope replay {id}",
    )
    return Judged(
        id=id,
        reading="printed",
        kind="always",
        status=Status(status),
        expected=None,
        as_expected=None,
        cite="",
        statement="",
        remarks="",
        title="",
        quote="lhs <= rhs",
        **{"restricts": "", **limits},
        unnoticed="",
        sharp="",
        defect=found,
        looseness=None,
        detectable_factor=None,
        seconds=0.0,
        reason=reason,
        cells=[cell],
    )


def test_every_refuted_reading_of_the_ledger_names_its_defect() -> None:
    refuted = [c for c in ledger() if c.expected == "refuted"]
    assert [c.key for c in refuted if c.defect is None] == []
    assert [c.key for c in ledger() if c.defect is not None and c.expected != "refuted"] == []


def test_printed_readings_can_be_quoted_and_nothing_inferred_is_called_printed() -> None:
    printed = [c for c in ledger() if c.reading == "printed"]
    assert [c.key for c in printed if not c.quote] == []
    inferred = [c for c in ledger() if c.defect is not None and c.defect.severity is Severity.INFERRED]
    assert [c.key for c in inferred if c.reading == "printed"] == []


def test_one_id_is_one_defect_of_the_paper_whose_readings_name_it() -> None:
    known: dict[str, Defect] = {}
    for each in ledger():
        if each.defect is not None:
            assert known.setdefault(each.defect.id, each.defect) is each.defect
            assert each.defect.id.split("/")[0] == each.id.split("/")[0]


def test_several_readings_of_one_defect_count_once_and_what_holds_does_not() -> None:
    one, other = defect(), defect("paper/thm-2", Severity.STATEMENT)
    claims = [
        judged("paper/lem-1", "REFUTED", one),
        judged("paper/lem-1-again", "REFUTED", one),
        judged("paper/thm-2", "REFUTED", other),
        judged("paper/thm-3", "HOLDS", defect("paper/thm-3")),
    ]
    assert by_severity(claims) == {"statement": 1, "constant": 1}
    assert counted(by_severity(claims)) == "2 defects in print: 1 statement, 1 constant"
    assert [found.defect.id for found in defects_found(claims)] == ["paper/thm-2", "paper/lem-1"]
    assert counted({}) == ""


def test_what_is_not_in_print_is_not_counted_as_a_defect_in_print() -> None:
    only = counted({"inferred": 2})
    assert only == "2 in readings that the paper does not state"
    assert counted({"statement": 1, "inferred": 2}) == f"1 defect in print: 1 statement; {only}"
    assert counted({"copy in doubt": 8, "inferred": 2}) == f"8 symbols that our copy may have lost; {only}"


def test_the_counterexample_shown_is_to_what_is_printed_and_to_what_the_defect_is_named_after() -> None:
    """Whichever replay line is the shortest."""
    readings = [
        ("paper/lem-1-event", "inferred", "a"),
        ("paper/lem-1-again", "printed", "ab"),
        ("paper/lem-1", "printed", "abc"),
    ]
    shown = [
        msgspec.structs.replace(found, reading=reading, cells=[msgspec.structs.replace(found.cells[0], replay=replay)])
        for name, reading, replay in readings
        for found in [judged(name, "REFUTED", defect())]
    ]
    for left, replay in ((3, "abc"), (2, "ab"), (1, "a")):
        assert f"```sh\n{replay}\n```" in errata(shown[:left])


def test_the_page_tells_each_defect_with_its_quote_and_its_replay_line() -> None:
    page = errata([judged("paper/lem-1", "REFUTED", defect())])
    for part in ("> lhs <= rhs", '{"values": {"x": 2.0}}', "tightrope replay paper/lem-1", "A factor is lost."):
        assert part in page


def test_an_empty_field_is_refused() -> None:
    with pytest.raises(ClaimError, match="consequence must not be empty"):
        Defect("paper/lem-1", Severity.CONSTANT, "Lemma 1", "why", "what", " ")


def test_items_are_full_reduced_skipped_or_missing() -> None:
    statements = {
        "paper": [
            {"item": "Lemma 1", "claims": ["lem-1"]},
            {"item": "Lemma 2 | both", "claims": ["lem-2"]},
            {"item": "Lemma 3", "claims": ["lem-3"]},
            {"item": "Lemma 4", "claims": ["lem-4"]},
            {"item": "Lemma 5", "claims": ["lem-5"]},
            {"item": "Remark", "not_judged": "background"},
        ]
    }
    claims = [
        judged("paper/lem-1", "HOLDS"),
        judged("paper/lem-2", "HOLDS", restricts="d = 1"),
        judged("paper/lem-3", "SKIPPED", reason="needs data"),
        judged("paper/lem-4", "HOLDS", sizes="n <= 8"),
        judged("paper/lem-5", "UNDECIDED"),
    ]
    page = coverage(statements, claims)
    assert f"6 items: 2 {FULL}, 2 {REDUCED}, 1 {SKIPPED}, 1 {MISSING}." in page
    assert "| Lemma 2 \\| both | reduced | `paper/lem-2[printed]` HOLDS (restricted: d = 1) |" in page
    assert "| Lemma 3 | skipped | needs data |" in page
    assert "| Lemma 4 | full | `paper/lem-4[printed]` HOLDS (n <= 8) |" in page
    assert "| Lemma 5 | reduced | `paper/lem-5[printed]` UNDECIDED |" in page  # nothing is decided
    assert "| Remark | missing | background |" in page


def test_the_list_of_statements_names_every_claim_and_no_other() -> None:
    statements = tomllib.loads((ROOT / "docs" / "statements.toml").read_text(encoding="utf-8"))
    named = {f"{paper}/{name}" for paper, items in statements.items() for i in items for name in i.get("claims", ())}
    assert named == {entry.id for entry in catalogue()}
    empty = [i["item"] for items in statements.values() for i in items if not i.get("claims")]
    reasons = [i["item"] for items in statements.values() for i in items if i.get("not_judged")]
    assert empty == reasons


def test_a_part_of_the_ledger_is_not_recorded(tmp_path: Path) -> None:
    out = str(tmp_path / "results")
    assert CliRunner().invoke(main, ["check", "--quick", "lkrf/c-rho", "--out", out]).exit_code == 0
    done = CliRunner().invoke(main, ["record", "--out", out])
    assert done.exit_code == 2
    assert "on the whole ledger first" in done.output


def test_a_claim_shows_its_defect_when_it_is_refuted() -> None:
    from harness.run.api import check

    @claim("mine/lem-1", always(), reading="printed", expected="refuted", quote="x <= 0.4", defect=defect())
    def less(forall):  # type: ignore[no-untyped-def]
        """x <= 0.4 on the unit interval."""
        return forall.interval("x", 0.0, 1.0), 0.4

    text = str(check(less, effort="quick"))
    assert "Printed: x <= 0.4" in text
    assert "Defect paper/lem-1 (constant): Lemma 1." in text


def test_a_check_writes_only_what_is_not_under_version_control() -> None:
    """`git status` stays clean after `make check`: what is committed is written by `tightrope record` alone."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    written = ["results/verdicts.json", "results/rows/nsrf-eq-4.jsonl", "results/report/index.html"]
    done = subprocess.run([git, "check-ignore", *written], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == written
    tracked = subprocess.run([git, "ls-files", "results"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not set(tracked.stdout.split()) & set(written)


def test_what_is_recorded_agrees_with_the_ledger_and_with_the_readme() -> None:
    """A reading or a defect that came or went since the last `tightrope record` fails here."""
    recorded = json.loads((ROOT / "results" / "ledger.json").read_text(encoding="utf-8"))
    assert {key_of(c["id"], c["reading"]) for c in recorded["claims"]} == {entry.key for entry in catalogue()}
    declared = {c.defect.id: c.defect.severity for c in ledger() if c.defect is not None}
    counts = Counter(map(str, declared.values()))
    assert recorded["defects"] == {str(s): counts[str(s)] for s in Severity if counts[str(s)]}
    assert counted(recorded["defects"]) in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    page = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^### (\S+)$", page, re.MULTILINE)) == set(declared)
