"""The page, the terminal text and the notebook fragment, for one verdict of every kind and status."""

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from harness.judges.findings import Violation
from harness.report.explain import explain
from harness.report.html import fragment, page
from harness.report.layout import SCHEMA, Run, judged, plain, read
from harness.report.table import summary, verdict_tables
from harness.report.terminal import Terminal
from harness.run.api import check_all, settings_for
from harness.run.loading import from_file
from harness.verdict import Status, Verdict

ALL = '''
import numpy as np
import torch

from harness import (
    Panel, Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, skip, untestable
)

@claim("all/always", always(), over=grid(n=[1, 2]), cite="A <b>paper</b> & more")
def holds(forall, *, n):
    """sum x <= n & <script>alert(1)</script>."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), n

@claim("all/always", always(), reading="printed", expected="refuted")
def refuted(forall):
    """x <= 0.9.

    Only the constant is wrong:
    x <= 1 holds.
    """
    return forall.interval("x", 0.0, 1.0), 0.9

@claim("all/negative", always())
def negative(forall):
    """x - 2 <= -1."""
    return forall.interval("x", 0.0, 1.0) - 2.0, -1.0

@claim("all/vacuous", always(), trivial=1.0)
def vacuous(forall):
    """x <= 2."""
    return forall.interval("x", 0.0, 1.0), 2.0

@claim("all/identity", identity())
def identical(forall):
    """x + x = 2 x."""
    x = forall.interval("x", 0.0, 1.0)
    return x + x, 2 * x

@claim("all/probability", high_probability("delta"), over=grid(delta=[0.1]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return draw.uniform("u"), 1.0 - forall.interval("p", 0.0, 0.5 * delta)

@claim("all/never", high_probability("delta"), over=grid(delta=[0.1]))
def never(draw, *, delta):
    """-u <= 0."""
    return -draw.uniform("u"), 0.0

@claim("all/open", high_probability("delta"), over=grid(delta=[0.1]))
def open_(draw, *, delta):
    """P = delta."""
    return (draw.uniform("u") < delta).double(), 0.5

@claim("all/mean", expectation((-1.0, 1.0), margin=0.1))
def mean(draw):
    """E s <= 0."""
    return draw.signs("s"), 0.0

@claim("all/false-mean", expectation((-1.0, 1.0)))
def false_mean(draw):
    """E s <= -0.5."""
    return draw.signs("s") * 0.5, -0.4

@claim("all/mean-without-range", expectation())
def mean_without_range(draw):
    """E (u + 1) <= 0.5."""
    return draw.uniform("u") + 1.0, 0.5

@claim("all/through-numpy", always())
def through_numpy(forall):
    """sin x <= 0.5 x."""
    x = forall.interval("x", 0.1, 1.0).detach().numpy()
    return torch.from_numpy(np.sin(x)), torch.from_numpy(0.5 * x)

@claim("all/vanishing", rate("n", -0.9), over=grid(n=[10, 30, 100, 300]))
def vanishing(draw, *, n):
    """E = 0."""
    return 0.0 * draw.signs("s")

@claim("all/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n

@claim("all/table", reproduction(tolerance=0.5))
def table(draw):
    """A mean."""
    return [Row("mean", draw.uniform("u").mean(), 0.01, 0.5), Row("shown", 1.0, 0.1)]

@claim("all/panels", reproduction())
def panels():
    """A figure."""
    landscape = Panel("landscape", values=[[0.0, 1.0], [2.0, 3.0]], points=[[0.0, 0.5]], contour=1.5)
    cloud = Panel("cloud", points=[[0.0, 0.0], [1.0, 1.0]], labels=[-1.0, 1.0])
    return [landscape, Row("height", 3.0, printed=3.0), cloud]

@claim("all/false-table", reproduction())
def false_table():
    """pi = 3."""
    return [Row("pi", 3.14, printed=3.0)]

@claim("all/missing-table", reproduction(), over=grid(data=["there", "not there"]))
def missing_table(*, data):
    """A table without data."""
    raise skip(f"{data}: no data")

@claim("all/skipped", untestable("no constant"))
def skipped():
    """There is a constant."""

@claim("all/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) + {}, 1.0

@claim("all/broken-table", reproduction())
def broken_table():
    """Raises."""
    return 1 / 0
'''


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    path = tmp_path_factory.mktemp("claims") / "all.py"
    path.write_text(ALL)
    claims = from_file(path)
    return check_all(claims, settings=settings_for(effort="quick", family=len(claims)))


@pytest.fixture(scope="module")
def run(verdicts: list[Verdict]) -> Run:
    return Run(
        schema=SCHEMA,
        version="0",
        seed=0,
        alpha=0.01,
        effort="quick",
        family=len(verdicts),
        environment={"python": "3"},
        defects={},
        claims=[judged(verdict) for verdict in verdicts],
    )


@pytest.fixture(scope="module")
def html(run: Run) -> str:
    return page(run)


class _Page(HTMLParser):
    """Collects tags and texts, and refuses tags that are closed in the wrong order."""

    VOID = ("meta", "img", "br", "hr", "link", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _parsed(html: str) -> _Page:
    parser = _Page()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def test_every_status_is_among_the_verdicts(verdicts: list[Verdict]) -> None:
    assert {verdict.status for verdict in verdicts} == set(Status)


def test_the_page_is_well_formed_and_loads_nothing(html: str) -> None:
    """Opened from a disk without network it must look the same."""
    parsed = _parsed(html)
    for tag, name, value in parsed.attributes:
        assert tag not in ("link", "iframe", "object")
        if name in ("src", "href", "srcset", "action", "data", "poster"):
            assert value.startswith(("#", "data:")), (tag, name, value[:60])
    assert "http://" not in html
    assert "https://" not in html
    assert "@import" not in html
    assert "url(" not in html


def test_the_page_holds_every_claim_its_statement_source_and_replay_line(html: str, verdicts: list[Verdict]) -> None:
    parsed = _parsed(html)
    anchors = [value for _, name, value in parsed.attributes if name == "id"]
    assert len(anchors) == len(set(anchors)) == len(verdicts)
    links = [value[1:] for tag, name, value in parsed.attributes if tag == "a" and name == "href"]
    assert set(links) == set(anchors)
    for verdict in verdicts:
        claim = verdict.claim
        assert claim.id in parsed.text
        assert claim.statement in parsed.text
        assert claim.cite in parsed.text
        if verdict.status is Status.REFUTED:
            assert verdict.counterexample is not None
            assert str(verdict.counterexample.replay) in parsed.text
        if verdict.status in (Status.SKIPPED, Status.ERROR):
            assert verdict.reason in parsed.text


def test_what_a_claim_says_is_text_not_markup(html: str) -> None:
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html
    assert "<b>paper</b>" not in html


def test_pictures_are_png_inside_the_page(html: str, run: Run) -> None:
    """One for every claim that was judged; identities and tables included."""
    pictures = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    drawn = [c for c in run.claims if c.status not in (Status.SKIPPED, Status.ERROR)]
    assert len(pictures) == len(drawn)
    for encoded in pictures:
        assert base64.b64decode(encoded, validate=True).startswith(b"\x89PNG\r\n")


def test_an_unexpected_verdict_is_marked(html: str, run: Run) -> None:
    parsed = _parsed(html)
    assert parsed.text.count("expected holds") == sum(
        c.status is Status.REFUTED and c.expected is None for c in run.claims
    )


def test_the_page_depends_on_the_json_alone(html: str, run: Run) -> None:
    assert page(read(json.loads(json.dumps(plain(run))))) == html


def test_a_page_without_claims_is_a_page(run: Run) -> None:
    _parsed(page(msgspec.structs.replace(run, claims=[])))


def test_verdicts_print_in_a_terminal_and_in_a_notebook(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        text, html = str(verdict), verdict._repr_html_()
        assert text == explain(verdict)
        assert html == fragment(verdict)
        assert text.startswith(f"{verdict.claim.key}: {verdict.status}")
        assert verdict.claim.statement in text
        assert verdict.claim.statement in _parsed(html).text
        assert verdict.claim.remarks in text
        assert verdict.claim.remarks in _parsed(html).text
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
    assert "times its measured rounding" in text or "Rounding does not affect the violation." in text
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
