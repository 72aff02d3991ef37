"""The terminal text and the notebook fragment, for one verdict of every kind and status."""

import json
from pathlib import Path

from harness import check, claim, expectation
from harness.judges.findings import Violation
from harness.report.explain import explain
from harness.report.html import fragment
from harness.report.html.typeset import typeset
from harness.report.layout import judged
from harness.report.table import summary, verdict_tables
from harness.report.terminal import Terminal
from harness.run.replaying import replay
from harness.verdict import Status, Verdict
from tests.harness.pages import parsed


def test_every_status_is_among_the_verdicts(verdicts: list[Verdict]) -> None:
    assert {verdict.status for verdict in verdicts} == set(Status)


def test_verdicts_print_in_a_terminal_and_in_a_notebook(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        text, html = str(verdict), verdict._repr_html_()
        assert text == explain(verdict)
        assert html == fragment(verdict)
        assert html.count("<style>.of-tightrope {") == html.count("<style") == 1  # nothing else of a notebook is styled
        assert text.startswith(f"{verdict.claim.key}: {verdict.status}")
        assert verdict.claim.statement in text
        assert verdict.claim.statement in parsed(html).text
        assert verdict.claim.remarks in text
        assert typeset(verdict.claim.remarks).striptags() in parsed(html).text
        if verdict.status is Status.REFUTED:
            assert "Replay: tightrope replay" in text
        if verdict.status in (Status.SKIPPED, Status.ERROR):
            assert verdict.reason in text


def _refuted(verdicts: list[Verdict], key: str) -> tuple[str, Violation]:
    verdict = next(v for v in verdicts if v.claim.key.startswith(key) and v.status is Status.REFUTED)
    assert verdict.counterexample is not None
    found = verdict.counterexample.counterexample
    assert isinstance(found, Violation)
    return str(verdict), found


def test_a_refutation_says_how_far_it_is_from_rounding_and_what_proves_it(verdicts: list[Verdict]) -> None:
    """The line with the values stays readable: rounding and certificate have sentences of their own."""
    text, found = _refuted(verdicts, "all/always")
    assert "Certified by enclosures: lhs = " in text
    assert "times its measured rounding" in text or "No rounding of it was measured." in text
    line = next(line for line in text.splitlines() if line.startswith("Counterexample"))
    assert all(name not in line for name in ("certificate", "noise", "blind"))
    assert json.dumps(found.values) in line
    text, found = _refuted(verdicts, "all/through-numpy")
    assert found.blind is True
    assert "the body computes outside torch, so its inputs were perturbed instead" in text
    assert "No certificate: " in text


def test_a_mean_that_only_the_limit_theorem_speaks_against_is_not_refuted_and_says_so(verdicts: list[Verdict]) -> None:
    verdict = next(v for v in verdicts if v.claim.key == "all/mean-without-range")
    assert verdict.status is Status.UNDECIDED
    assert "asymptotic evidence against" in str(verdict)


def test_the_table_has_a_row_per_claim_and_names_what_was_not_expected(verdicts: list[Verdict], tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("w") as file:
        console = Terminal(file=file, width=160)
        summary(console, verdicts, {"constant": 1})
    text = (tmp_path / "out.txt").read_text()
    assert "1 defect in print: 1 constant" in text
    assert sum(table.row_count for _, table in verdict_tables(verdicts)) == len(verdicts)
    for verdict in verdicts:
        assert verdict.claim.id in text
        if verdict.as_expected is False:
            assert f"NOT AS EXPECTED: {verdict.claim.key}" in text
        if verdict.status is Status.ERROR:
            assert verdict.reason in text
        if verdict.counterexample is not None:
            assert str(verdict.counterexample.replay) in text
    assert "2 ERROR" in text


def test_the_instance_that_was_judged_can_be_replayed_from_the_json() -> None:
    """Weights that are rounded to twelve digits lie outside their simplex."""

    @claim("report/law", expectation(range=(-1.0, 1.0)))
    def law_of_three(forall, draw):
        """E x <= 1."""
        law = forall.law("P", atoms=3)
        return draw.law("x", law), 1.0

    verdict = check(law_of_three, effort="quick")
    (cell,) = judged(verdict).cells
    assert cell.details.instance == verdict.cells[0].details.instance
    replay(law_of_three, {}, cell.details.instance)
