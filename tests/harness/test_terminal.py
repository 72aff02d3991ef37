"""What stands on a terminal and in a log file during and after a run, and what a verdict says of itself in a line."""

import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import main
from harness.report.progress import ProgressBar
from harness.report.table import next_steps, summary
from harness.report.terminal import Terminal
from harness.run.api import check_all, settings_for
from harness.run.loading import from_file
from harness.verdict import Status, Verdict

CLAIMS = '''
from harness import always, claim, grid, high_probability

@claim("mine/a-claim-that-holds", always(), over=grid(n=[1, 2]))
def holds(forall, *, n):
    """x <= 1, {long}."""
    return forall.interval("x", 0.0, 1.0), 1.0

@claim("mine/false", always())
def false(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9

@claim("lkrf/open", high_probability("delta"), over=grid(delta=[0.2]))
def exact(draw, *, delta):
    """P(u < delta) = delta exactly: no finite sample decides."""
    return (draw.uniform("u") < delta).double(), 0.5

@claim("lkrf/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) + {{}}, 1.0
'''.format(long="which is said at length " * 9)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    path = tmp_path_factory.mktemp("claims") / "mine.py"
    path.write_text(CLAIMS)
    claims = from_file(path)
    return check_all(claims, settings=settings_for(effort="quick", family=len(claims)))


def _summary(verdicts: list[Verdict], width: int) -> list[str]:
    stream = io.StringIO()
    summary(Terminal(file=stream, width=width), verdicts, {})
    return stream.getvalue().splitlines()


def test_claims_stand_below_their_paper_and_columns_below_each_other(verdicts: list[Verdict]) -> None:
    lines = _summary(verdicts, 140)
    assert "mine" in lines
    assert any(line.startswith("lkrf: Sinha, Duchi, Learning Kernels") for line in lines)
    heads = [line for line in lines if line.startswith("claim ")]
    assert len(heads) == 2
    assert len({head.index("verdict") for head in heads}) == 1
    assert not any(line.startswith("mine") and line == "mine" for line in _summary(verdicts[:2], 140))


@pytest.mark.parametrize("width", [60, 80, 100, 140, 400])
def test_a_claim_has_one_line_however_long_its_statement_is(verdicts: list[Verdict], width: int) -> None:
    lines = _summary(verdicts, width)
    rows = [line for line in lines if re.match(r"mine/a-claim-that-holds\s", line)]
    assert len(rows) == 1
    assert len(rows[0].rstrip()) <= width
    assert ("..." in rows[0]) == (width < 400)
    assert str(Status.PROVED) in rows[0]


def test_an_open_verdict_has_its_reason_beside_it_and_in_full_below(verdicts: list[Verdict]) -> None:
    lines = _summary(verdicts, 400)
    (row,) = [line for line in lines if line.startswith("lkrf/open ")]
    assert "tight here: violated in" in row
    (row,) = [line for line in lines if line.startswith("lkrf/broken ")]
    assert "raised TypeError" in row
    lines = _summary(verdicts, 80)
    assert any(line.startswith("UNDECIDED: lkrf/open: tight here") and line.endswith("--budget") for line in lines)
    assert any(line.startswith("ERROR: claim 'lkrf/broken'") and line.endswith("traceback.") for line in lines)


def test_it_ends_with_what_to_do_next(verdicts: list[Verdict]) -> None:
    steps = next_steps(verdicts)
    assert [shlex.split(step, comments=True)[1:3] for step in steps] == [
        ["tightrope", "show"],
        ["tightrope", "replay"],
        ["tightrope", "check"],
    ]
    assert all("mine/false" in step for step in steps[:2])
    assert "lkrf/open" in steps[2]
    (only,) = next_steps(verdicts[:1])
    assert "mine/a-claim-that-holds" in only
    assert next_steps([]) == []
    elsewhere = next_steps(verdicts, Path("my runs"))
    assert [step.count("--out 'my runs'") for step in elsewhere] == [1, 0, 1]  # a replay is told all that it needs


def test_a_terminal_shows_counts_and_the_time_left(verdicts: list[Verdict]) -> None:
    stream = io.StringIO()
    with ProgressBar(Terminal(file=stream, width=200, force_terminal=True)) as bar:
        bar.started([verdict.claim for verdict in verdicts], "standard")
        for verdict in verdicts:
            bar.judged(verdict)
        bar.progress.refresh()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    assert "4/4" in shown
    assert "1 PROVED, 1 REFUTED, 1 UNDECIDED, 1 ERROR" in shown
    assert "left" in shown
    assert "(0." not in shown  # no line per verdict


def test_a_log_file_has_one_line_per_verdict_and_no_colours(verdicts: list[Verdict]) -> None:
    stream = io.StringIO()
    console = Terminal(file=stream, width=40)
    with ProgressBar(console) as bar:
        for _ in range(2):  # a budget judges again
            bar.started([verdict.claim for verdict in verdicts], "standard")
            for verdict in verdicts:
                bar.judged(verdict)
    lines = stream.getvalue().splitlines()
    assert [line.split()[:2] for line in lines] == [[str(v.status), v.claim.key] for v in verdicts]
    summary(console, verdicts, {})
    assert "\x1b" not in stream.getvalue()


def test_a_verdict_is_a_short_line_to_a_debugger(verdicts: list[Verdict]) -> None:
    assert repr(verdicts[0]) == "<Verdict mine/a-claim-that-holds: PROVED, looseness 1, 2 cells>"
    assert repr(verdicts[1]) == "<Verdict mine/false: REFUTED, 1 cell>"


def _tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def test_show_explains_the_verdict_that_was_given(
    write_claims: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the effort and with the seed of the last run; anything else is said in the first line."""
    path = write_claims(CLAIMS)
    monkeypatch.chdir(path.parent)
    name = "mine.py::mine/false"

    def first(*more: str) -> str:
        return str(_tightrope("show", name, *more).output.splitlines()[0])

    assert first("--quick", "--out", "other") == "(judged now: quick effort, seed 0)"
    assert first("--quick", "--out", "other") == "(from stored rows: quick effort, seed 0)"
    checked = _tightrope("check", "--quick", "--jobs", "1", "--seed", "7", "mine.py").output.splitlines()
    assert checked[-4] == "report: results/report/index.html"
    assert checked[-3] == "next: tightrope show mine.py::mine/false  # what was tried, what could still be wrong"
    assert first() == "(from the last run in results: quick effort, seed 7)"
    assert first("--seed", "8", "--quick") == "(judged now: quick effort, seed 8)"
    path.write_text(CLAIMS.replace("0.9", "0.8"))
    assert first().startswith("(judged again: quick effort, seed 7; its rows are not in results, or what it imports")
    path.write_text(CLAIMS.replace("1.0), 0.9", "1.0), 1.9"))
    assert first().startswith("(judged now: quick effort, seed 7; the last run in results found REFUTED, with a larger")
