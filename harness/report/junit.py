"""A run as JUnit XML, which CI services show beside the tests: a test case for each claim, a suite for each paper.

An argument of the command that names no claims, such as a file that does not import, is a test case with an error.
"""

import xml.etree.ElementTree as ET

from harness.numbers import parameters
from harness.report.layout import Judged, Run
from harness.report.tables.rows import by_paper
from harness.report.terminal import printable
from harness.verdict import Status

ARGUMENTS = "arguments"
KINDS = ("failure", "error", "skipped")


def junit(run: Run, *, strict: bool = False) -> str:
    """Well-formed XML, whatever claims say.

    A verdict that contradicts its expectation is a failure, ERROR an error; SKIPPED is skipped, and so is UNDECIDED,
    which is a failure where `strict` says so, as in the exit code of `tightrope check`.
    """
    root = ET.Element("testsuites", name="tightrope")
    for name, claims in by_paper(run.claims):
        suite = ET.SubElement(root, "testsuite", name=_text(name))
        for claim in claims:
            _case(suite, claim, strict=strict)
        _count(suite, claims)
    if run.complaints:
        suite = ET.SubElement(root, "testsuite", name=ARGUMENTS)
        for complaint in run.complaints:
            case = ET.SubElement(suite, "testcase", classname=ARGUMENTS, name=_text(complaint.argument), time="0.000")
            ET.SubElement(case, "error", message=_text(complaint.sentence), type=str(Status.ERROR))
        _count(suite, [])
    _count(root, run.claims)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _case(suite: ET.Element, claim: Judged, *, strict: bool) -> None:
    name, _, rest = claim.key.partition("/")
    seconds = f"{claim.seconds:.3f}"
    case = ET.SubElement(suite, "testcase", classname=_text(name), name=_text(rest or name), time=seconds)
    kind = outcome(claim, strict=strict)
    if kind:
        said = ET.SubElement(case, kind, message=_text(_message(claim)), type=str(claim.status))
        said.text = _text(_details(claim))


def outcome(claim: Judged, *, strict: bool = False) -> str:
    """Which of KINDS a claim is; empty where its test passes."""
    if claim.status is Status.ERROR:
        return "error"
    if claim.as_expected is False or (strict and claim.status is Status.UNDECIDED):
        return "failure"
    return "skipped" if claim.as_expected is None else ""


def _message(claim: Judged) -> str:
    said = f"{claim.status}, expected {claim.expected or 'holds'}" if claim.as_expected is False else str(claim.status)
    return f"{said}: {claim.reason}" if claim.reason else said


def _details(claim: Judged) -> str:
    """The statement, where it is from, the cells that failed, and how to replay them."""
    lines = [claim.statement, claim.cite]
    for cell in claim.cells:
        if cell.status is claim.status:
            lines += [f"{parameters(cell.params)} {cell.reason}".strip(), cell.replay or ""]
    return "\n".join(filter(None, lines))


def _count(element: ET.Element, claims: list[Judged]) -> None:
    """What the cases of a suite amount to."""
    element.set("tests", str(len(element.findall(".//testcase"))))
    for kind, name in zip(KINDS, ("failures", "errors", "skipped"), strict=True):
        element.set(name, str(len(element.findall(f".//{kind}"))))
    element.set("time", f"{sum(claim.seconds for claim in claims):.3f}")


def _text(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return printable(text, lines=True)
