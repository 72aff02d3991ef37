"""JUnit XML as CI services read it: one case for each claim, well-formed whatever claims say."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.errors import Complaint
from harness.report.junit import KINDS, junit
from harness.report.layout import Judged
from harness.verdict import CellVerdict, Status
from tests.harness.runs import HOSTILE, one, run_with

OUTCOMES = [
    (one("p/holds"), "", ""),
    (one("p/known", Status.REFUTED, expected="refuted"), "", ""),
    (one("p/false", Status.REFUTED, as_expected=False), "failure", "failure"),
    (one("p/true", Status.HOLDS, expected="refuted", as_expected=False), "failure", "failure"),
    (one("p/open", Status.UNDECIDED, as_expected=None), "skipped", "failure"),
    (one("p/tight", Status.UNDECIDED, expected="undecided"), "", "failure"),
    (one("p/absent", Status.SKIPPED, as_expected=None, reason="no data"), "skipped", "skipped"),
    (one("p/broken", Status.ERROR, as_expected=None, reason="raised"), "error", "error"),
]


@pytest.mark.parametrize(("claim", "plain", "strict"), OUTCOMES)
def test_each_verdict_is_an_outcome(claim: Judged, plain: str, strict: str) -> None:
    for word, text in ((plain, junit(run_with(claim))), (strict, junit(run_with(claim), strict=True))):
        root = ET.fromstring(text)
        (case,) = root.iter("testcase")
        assert [child.tag for child in case] == ([word] if word else [])
        assert all(claim.reason in child.attrib["message"] for child in case)
        assert {kind: len(root.findall(f".//{kind}")) for kind in KINDS} == {
            kind: int(root.attrib[name]) for kind, name in zip(KINDS, ("failures", "errors", "skipped"), strict=True)
        }


def test_suites_are_papers_and_cases_are_named_as_claims_are() -> None:
    run = run_with(one("a/x", seconds=1.25), one("a/y", reading="printed"), one("b/z/deep"), one("alone"))
    root = ET.fromstring(junit(run))
    assert [(suite.attrib["name"], suite.attrib["tests"]) for suite in root] == [("a", "2"), ("b", "1"), ("alone", "1")]
    names = [(case.attrib["classname"], case.attrib["name"], case.attrib["time"]) for case in root.iter("testcase")]
    assert names == [
        ("a", "x", "1.250"),
        ("a", "y[printed]", "1.000"),
        ("b", "z/deep", "1.000"),
        ("alone", "alone", "1.000"),
    ]
    assert (root.attrib["tests"], root.attrib["time"]) == ("4", "4.250")


def test_an_argument_without_claims_is_a_case_with_an_error() -> None:
    text = junit(run_with(one("a/x"), complaints=[Complaint("b.py", "b.py does not import.")]))
    root = ET.fromstring(text)
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    (error,) = root.iterfind("testsuite[@name='arguments']/testcase[@name='b.py']/error")
    assert error.get("message") == "b.py does not import."


def test_hostile_text_is_well_formed() -> None:
    cell = CellVerdict({"name": HOSTILE}, Status.ERROR, reason=HOSTILE, replay=HOSTILE)
    claim = one(HOSTILE, Status.ERROR, as_expected=None, reason=HOSTILE, statement=HOSTILE, cite=HOSTILE, cells=[cell])
    text = junit(run_with(claim))
    root = ET.fromstring(text.encode("utf-8"))
    (error,) = root.iter("error")
    assert "]]>" in error.attrib["message"]
    assert "中" in (error.text or "")


def test_check_writes_it_beside_the_verdicts(
    write_claims: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '''
from harness import always, claim

@claim("mine/false", always())
def false(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9
'''
    path = write_claims(text)
    monkeypatch.chdir(path.parent)
    command = ["check", "--quick", "--jobs", "1", str(path), "--junit", "deep/out.xml"]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 1
    (failure,) = ET.parse("deep/out.xml").getroot().iter("failure")
    assert failure.attrib["message"].startswith("REFUTED, expected holds")
    assert "x <= 0.9." in (failure.text or "")
    assert "tightrope replay" in (failure.text or "")
    refused = CliRunner().invoke(main, [*command, "--contract"])
    assert refused.exit_code == 2
    assert "--junit writes verdicts" in refused.output
