"""Text that is not ours: ids are checked, everything else reaches a terminal, a file name or a plot harmless."""

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.cli import main
from harness.errors import ClaimError
from harness.judges.findings import Single
from harness.kinds import always
from harness.language.registry import LONGEST_ID, claim
from harness.report.html import fragment
from harness.report.terminal import Forgiving, Terminal, printable
from harness.run.loading import from_file, ledger
from harness.run.store import Context, Store, Stored

ROOT = Path(__file__).resolve().parents[2]


def _body():
    """0 <= 1."""


ALLOWED = ["a", "a/b", "a_b", "a-b", "a.b", "a/b/c", "2013/thm-1.2", "x" * LONGEST_ID]
REFUSED = {
    "empty": "",
    "markup": "mine/[/red]",
    "long": "x" * 300,
    "one too long": "x" * (LONGEST_ID + 1),
    "newline": "mine/a\nb",
    "newline at the end": "mine/a\n",
    "tab": "mine/a\tb",
    "blank": "mine/a b",
    "escape sequence": "mine/\x1b[31mred",
    "empty part": "a//b",
    "slash at the end": "a/",
    "slash at the beginning": "/a",
    "upwards": "../a",
    "a dot alone": "a/.",
    "an option": "--out",
    "a digit that is not ASCII": "a/\u0661",
    "a letter that is not ASCII": "a/\u0131",
    "right to left": "a\u202eb",
    "no text": 3,
}


@pytest.mark.parametrize("text", ALLOWED)
def test_ids_of_the_rule_are_allowed(text: str) -> None:
    assert claim(text, always())(_body).id == text


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_other_ids_are_refused_in_one_sentence_that_states_the_rule(text: str) -> None:
    with pytest.raises(ClaimError, match=r"ASCII letters, digits, .* in parts between single slashes") as e:
        claim(text, always())(_body)
    assert str(e.value).isprintable()
    assert len(str(e.value)) < 400


def test_a_reading_is_one_of_three() -> None:
    with pytest.raises(ClaimError, match="must be one of printed, inferred, corrected"):
        claim("a", always(), reading="\x1b[31m")(_body)  # type: ignore[arg-type]


PARTS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,3}", fullmatch=True)


@settings(deadline=None)
@given(st.lists(st.lists(PARTS, min_size=1, max_size=4).map("/".join), min_size=2, max_size=2, unique=True))
def test_two_claims_never_share_a_file_of_rows(ids: list[str]) -> None:
    store = Store(None)
    store.folder = Path("results")
    one = claim("a", always())(_body)
    made = [replace(one, id=i, reading=reading) for i in ids for reading in (None, "printed", "corrected")]
    assert len({store._path(c) for c in made}) == len(made)


CONTEXT = Context(cell={}, seed=0, effort="quick", source="s", versions={}, device="cpu")


def test_claims_that_look_alike_keep_their_own_rows(tmp_path: Path) -> None:
    """a/b and a_b shared one file once."""
    made = [claim(i, always())(_body) for i in ("a/b", "a_b", "a-b", "a.b", "a/b.jsonl")]
    store = Store(tmp_path)
    for number, one in enumerate(made):
        store.append(one, Single(), Stored(f"k{number}", {}, 0.0), CONTEXT)
    again = Store(tmp_path)
    assert [set(again.known(one)) for one in made] == [{f"k{number}"} for number in range(len(made))]


def test_every_file_name_fits_a_file_system() -> None:
    store = Store(None)
    store.folder = Path("results")
    longest = claim("/".join(["a"] * (LONGEST_ID // 2)), always(), reading="corrected")(_body)
    assert len(store._path(longest).name) <= 255
    assert all(len(store._path(c).name) <= 255 for c in ledger())


NASTY = "[/red] [bold]x[/] \x1b[31m\x1b]0;title\x07 \x00\x08\x7f\x9b 1 m\u202e :smile: $x_ \udcff \r2"


@settings(deadline=None)
@given(st.text(st.characters()))
def test_printable_text_is_printable_and_keeps_what_was(text: str) -> None:
    assert printable(text).isprintable()
    assert all(line.isprintable() for line in printable(text, lines=True).split("\n"))
    assert printable(text, lines=True).count("\n") == text.count("\n")
    if text.isprintable():
        assert printable(text) == text


def test_a_console_shows_brackets_codes_and_names_as_they_are_written() -> None:
    from rich.table import Table

    stream = io.StringIO()
    terminal = Terminal(file=stream, width=200, force_terminal=True, color_system="truecolor")
    table = Table(box=None)
    table.add_column("one")
    table.add_row(NASTY)
    terminal.print(table)
    terminal.print(NASTY)
    for shown in stream.getvalue().split("\n")[1:3]:
        assert "[/red] [bold]x[/]" in shown
        assert ":smile:" in shown
        assert "\\x1b[31m" in shown
        assert not {"\x1b]", "\x07", "\x00", "\x08", "\x7f", "\x9b", "\u202e", "\udcff", "\r"} & set(shown)
        assert "\x1b]0;" not in shown


FILE = '''
from harness import Row, always, claim, grid, reproduction, skip

TEXT = {nasty!r}

def false(forall, *, name):
    return forall.interval("x", 0.0, 1.0), 0.5

false.__doc__ = TEXT + "\\n" + TEXT
claim("mine/false", always(), over=grid(name=[TEXT]), cite=TEXT, title=TEXT)(false)

@claim("mine/raises", always())
def raises(forall):
    """x <= 1."""
    raise ValueError(TEXT)

@claim("mine/skipped", always())
def skipped(forall):
    """x <= 1."""
    raise skip(TEXT)

@claim("mine/table", reproduction(tolerance=0.5))
def table(draw):
    """A mean."""
    curve = [Row("$a_", 0.1 * x, 0.1, at={{"x": x}}) for x in (5, 6)]
    return [Row(TEXT, draw.uniform("u").mean(), 0.01, 0.5), *curve]
'''


def _tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def _harmless(output: str) -> None:
    assert all(line.isprintable() for line in output.splitlines()), output


@pytest.fixture
def nasty(write_claims: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write_claims(FILE.format(nasty=NASTY))
    monkeypatch.chdir(path.parent)
    return path


def test_what_a_claim_says_reaches_no_terminal_as_a_command(nasty: Path) -> None:
    checked = _tightrope("check", "--quick", "--jobs", "1", nasty, "--json", "out.json")
    assert checked.exit_code == 2
    statuses = [c["status"] for c in json.loads(Path("out.json").read_text())["claims"]]
    assert statuses == ["REFUTED", "ERROR", "SKIPPED", "HOLDS"]
    for output in (
        checked.output,
        _tightrope("list", nasty).output,
        _tightrope("show", "--quick", nasty).output,
        _tightrope("diff", "out.json", "results/verdicts.json").output,
    ):
        assert "mine/false" in output or "0 of 4 claims" in output
        _harmless(output)
    line = next(text.strip() for text in checked.output.splitlines() if text.strip().startswith("tightrope replay"))
    again = _tightrope(*shlex.split(line)[1:])
    assert again.exit_code == 0
    _harmless(again.output)
    for page in Path("results/report").rglob("*.html"):
        assert "<script>alert" not in page.read_text(encoding="utf-8")


def test_a_file_of_verdicts_by_others_reaches_no_terminal_as_a_command(nasty: Path) -> None:
    for name, status in (("a.json", "HOLDS"), ("b.json", NASTY)):
        claims = [{"id": NASTY, "reading": None, "status": status}]
        Path(name).write_text(json.dumps({"claims": claims}))
    result = _tightrope("diff", "a.json", "b.json")
    assert result.exit_code == 1
    _harmless(result.output)


def test_labels_with_dollars_are_drawn_as_they_are() -> None:
    from harness.run.api import check

    namespace: dict[str, object] = {"__name__": "labels"}
    exec(FILE.format(nasty="$x_ and $"), namespace)
    for name in ("false", "table"):
        made = (
            namespace[name]
            if name == "table"
            else claim("mine/drawn", always(), over=[{"name": "$x_ $"}])(
                namespace["false"]  # type: ignore[arg-type]
            )
        )
        assert "$x_" in fragment(check(made, effort="quick"))  # type: ignore[arg-type]


UNREADABLE = {
    "rows are a folder": (lambda: Path("results/rows/mine%2Fgood.jsonl").mkdir(parents=True), ["check", "mine.py"]),
    "the results are a loop": (lambda: Path("results").symlink_to("results"), ["check", "mine.py"]),
    "the results have a long name": (lambda: None, ["check", "mine.py", "--out", "x" * 300]),
    "the verdicts are a folder": (lambda: Path("results/verdicts.json").mkdir(parents=True), ["report"]),
    "the file has a long name": (lambda: None, ["check", "x" * 300 + ".py"]),
    "the file is a folder": (lambda: Path("folder.py").mkdir(), ["check", "folder.py"]),
    "the file is a loop": (lambda: Path("loop.py").symlink_to("loop.py"), ["check", "loop.py"]),
    "the file has bytes that are no text": (lambda: Path("b.py").write_bytes(b"\xff\x00"), ["check", "b.py"]),
    "the JSON cannot be written": (lambda: None, ["check", "mine.py", "--json", "/proc/nothing/x.json"]),
    "the differences are folders": (lambda: None, ["diff", ".", "."]),
}
GOOD = '''
from harness import always, claim

@claim("mine/good", always())
def good(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0
'''


@pytest.mark.parametrize(("prepare", "arguments"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_read_is_one_sentence_with_exit_code_2(
    write_claims: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[], object],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(write_claims(GOOD).parent)
    prepare()
    more = ["--quick", "--jobs", "1"] if arguments[0] == "check" else []
    result = _tightrope(*arguments, *more)
    assert result.exit_code == 2
    assert len([line for line in result.output.splitlines() if line.startswith("error: ")]) == 1
    _harmless(result.output)


def _python(command: str, *, cwd: Path, closed: str = "") -> subprocess.CompletedProcess[str]:
    script = f"from harness.cli import main; main({shlex.split(command)!r})"
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, script],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "| true"])
def test_a_run_outlives_its_readers(write_claims: Callable[..., Path], closed: str) -> None:
    """A closed stream, a full disk behind it, a reader that has left: verdicts are written, rows are not mixed up."""
    folder = write_claims(GOOD).parent
    if closed == "| true":
        closed = "| true; test -s out.json"
    jobs = 2 if closed.startswith("<&-") else 1  # worker processes inherit the worst of them
    done = _python(f"check mine.py --quick --jobs {jobs} --json out.json", cwd=folder, closed=closed)
    assert done.returncode == (2 if "full" in closed else 0)
    assert "Traceback" not in done.stderr
    assert ("error: write error: No space left on device\n" in done.stderr) == ("full" in closed)
    assert json.loads((folder / "out.json").read_text())["claims"][0]["status"] == "PROVED"
    (rows,) = (folder / "results" / "rows").iterdir()
    assert all(json.loads(line)["claim"] == "mine/good" for line in rows.read_text().splitlines())


@pytest.mark.parametrize("command", ["schema", "list mine.py", "--help", "report --format csv"])
def test_an_output_that_cannot_be_written_is_an_error(write_claims: Callable[..., Path], command: str) -> None:
    folder = write_claims(GOOD).parent
    if command.startswith("report"):
        assert _python("check mine.py --quick --jobs 1", cwd=folder).returncode == 0
    full = _python(command, cwd=folder, closed=">/dev/full")
    assert (full.returncode, full.stderr) == (2, "error: write error: No space left on device\n")
    unread = _python(command, cwd=folder, closed="| true")
    assert (unread.returncode, unread.stderr) == (0, "")


def test_a_stream_goes_silent_once() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        forgiving = Forgiving(stream)
        for _ in range(3):
            assert forgiving.write("x" * 100_000) == 100_000
            forgiving.flush()


def test_nothing_reads_pickles() -> None:
    """A folder of results may come from anybody. Tasks alone are pickled, from a run to its own workers."""
    sending = ("channel.py", "cluster.py", "supervisor.py", "work.py")
    between_processes = {ROOT / "harness/run/workers" / name for name in sending}
    for package in ("algos", "bounds", "harness", "signatures"):
        for path in sorted({*(ROOT / package).rglob("*.py")} - between_processes):
            text = path.read_text(encoding="utf-8")
            for word in ("pickle", "marshal", "shelve", "torch.load", "np.load(", "joblib", "eval(", "yaml"):
                assert word not in text.replace(".eval(", "").replace("literal_eval(", ""), f"{path} has {word}"


def test_a_bad_id_is_told_with_its_line_and_its_file(write_claims: Callable[..., Path]) -> None:
    (broken,) = from_file(write_claims(GOOD.replace("mine/good", "a b")))
    assert broken.kind.flaw.startswith("the id 'a b' is not allowed")
    assert broken.kind.flaw.endswith(f"({broken.key.replace('-', ' ')} of mine.py).")
