"""Every kind of bad input: one sentence, exit code 2, the other claims judged, nothing computed lost."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.cli import main

GOOD = '''
import torch
from harness import always, claim, grid, high_probability

@claim("mine/good", always(), over=grid(n=[1, 2]))
def good(forall, *, n):
    """sum x <= n."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), n
'''
BAD = '''
@claim("mine/bad", always())
def bad(forall):
    """Something is wrong with it."""
    x = forall.interval("x", 0.0, 1.0)
    return {}
'''


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _tightrope(*arguments: str | Path) -> Result:
    """Uncaught exceptions would escape here: a traceback is never what a user sees."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def _check(*arguments: str | Path) -> Result:
    return _tightrope("check", "--jobs", "1", "--quick", *arguments)


BODIES: dict[str, tuple[str, str, str]] = {
    "raises": ("1 / 0", "raised ZeroDivisionError: division by zero", "run the function by hand"),
    "NaN": ("x * float('nan'), 1.0", "nowhere finite", "guard the formula"),
    "infinite": ("x + float('inf'), 1.0", "nowhere finite", "guard the formula"),
    "wrong shape": ("x[:, None] * torch.ones(3), 1.0", "has shape", "reduce the other axes"),
    "non-tensor": ("'abc', 1.0", "str 'abc'", "return a tensor or a number"),
    "nothing": ("None", "NoneType", "return (lhs, rhs)"),
    "one side": ("x", "one tensor of shape", "return (lhs, rhs)"),
    "complex": ("x * 1j, 1.0", "complex", "real part"),
    "same variable twice": ("forall.interval('x', 0, 1), 1.0", "quantified twice", "its own name"),
    "empty set": ("forall.interval('y', 1, 0), 1.0", "is empty", "low must not exceed high"),
    "an interruption of its own": ("exec('raise KeyboardInterrupt')", "the body raised KeyboardInterrupt", "by hand"),
    "unknown method": ("forall.gaussian('y'), 1.0", "AttributeError", "run the function by hand"),
}


@pytest.mark.parametrize(("body", "value", "remedy"), BODIES.values(), ids=BODIES.keys())
def test_a_bad_claim_is_one_sentence_and_its_neighbour_is_judged(
    write_claims: Callable[..., Path], body: str, value: str, remedy: str
) -> None:
    result = _check(write_claims(GOOD + BAD.format(body)), "--json", "out.json")
    assert result.exit_code == 2
    (sentence,) = [line for line in result.output.splitlines() if line.startswith("ERROR: ")]
    for word in ("mine/bad", value, remedy):
        assert word in sentence
    claims = json.loads(Path("out.json").read_text())["claims"]
    assert {claim["id"]: claim["status"] for claim in claims} == {"mine/good": "PROVED", "mine/bad": "ERROR"}
    assert "Traceback" not in result.output


FILES: dict[str, tuple[str, str]] = {
    "an empty grid": ("from harness import grid\n\ngrid(n=[])", "mine.py (line 3): grid(n=[]) must be a non-empty"),
    "a line of the file": ("def f():\n    return g()\n\nf()", "name 'g' is not defined (line 2); run `python"),
    "syntax error": ("def broken(:", "does not import: SyntaxError"),
    "raises on import": ("raise RuntimeError('boom')", "does not import: RuntimeError: boom"),
    "missing module": ("import no_such_module_at_all", "does not import: ModuleNotFoundError"),
    "exits": ("import sys; sys.exit(3)", "does not import: SystemExit"),
    "exits at once": ("import os; os._exit(0)", "does not import: SystemExit: os._exit(0)"),
    "exits at once in a child as well": (
        "import os\nif os.fork() == 0: os._exit(0)\nos.wait()\nos._exit(0)",
        "does not import: SystemExit: os._exit(0)",
    ),
    "ends a generator": ("raise GeneratorExit", "does not import: GeneratorExit (line 1);"),
    "an exception that is none": (
        "class Odd(BaseException): pass\nraise Odd('odd')",
        "does not import: Odd: odd (line 2);",
    ),
    "an exception without a text": (
        "class Mute(Exception):\n  def __str__(self): return 1 / 0\nraise Mute",
        "does not import: Mute: (its text cannot be made) (line 3);",
    ),
    "an exception of many lines": ("raise ValueError('one\\ntwo')", "does not import: ValueError: one two (line 1);"),
    "no claims": ("x = 1", "has no @claim functions"),
}


@pytest.mark.parametrize(("text", "words"), FILES.values(), ids=FILES.keys())
def test_a_file_that_makes_no_claims_is_one_sentence(write_claims: Callable[..., Path], text: str, words: str) -> None:
    result = _check(write_claims(text))
    assert result.exit_code == 2
    assert words in result.output
    assert result.output.startswith("error: ")
    assert result.output.count("\n") == 1
    assert "mine.py" in result.output


BROKEN: dict[str, tuple[str, str, str]] = {
    "grid mismatch": (
        BAD.format("x, 1.0").replace("always()", "always(), over=grid(m=[1])"),
        "mine/bad",
        "(line 10 of",
    ),
    "a grid as a mapping": (
        BAD.format("x, 1.0").replace("always()", "always(), over={'n': [1]}"),
        "mine/bad",
        "over={'n': [1]} is no list of cells; write over=grid(n=[10, 100]) (line 10",
    ),
    "a grid that is a number": (BAD.replace("always()", "always(), over=5"), "mine/bad", "over=5 is no list of cells"),
    "a grid of numbers": (BAD.replace("always()", "always(), over=[1]"), "mine/bad", "over=[1] is no list of cells"),
    "delta missing": (
        BAD.format("x, 1.0").replace("always()", "high_probability('delta')").replace("(forall)", "(forall, draw)"),
        "mine/bad",
        "needs a grid parameter of that name",
    ),
    "no docstring": ("@claim('mine/bad', always())\ndef bad(): return 0, 1", "mine/bad", "has no docstring"),
    "a kind that is not called": (BAD.replace("always()", "always"), "mine/bad", "such as always()"),
    "an id that is no name": (BAD.replace("mine/bad", "mein böses"), "line-10", "the id 'mein böses' is not allowed"),
    "a reading that is none": (
        BAD.replace("always()", "always(), reading='prnted'"),
        "line-10",
        "claim 'mine/bad': reading='prnted' must be one of",
    ),
    "twice the same id": (
        BAD.format("x, 1.0") + BAD.format("x, 0.5").replace("def bad", "def again"),
        "mine/bad",
        "registered twice (lines 10 and 16)",
    ),
    "twice the same function": (
        BAD.format("x, 0.5") + BAD.format("x, 1.0"),
        "mine/bad",
        "registered twice (lines 10 and 16)",
    ),
    "a loop that forgets the id": (
        "for c in (0.5, 1.0):" + BAD.format("x, c").replace("\n", "\n  "),
        "mine/bad",
        "registered twice (line 10)",
    ),
}


@pytest.mark.parametrize(("text", "key", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_claim_that_cannot_be_made_is_an_error_and_its_neighbour_is_judged(
    write_claims: Callable[..., Path], text: str, key: str, words: str
) -> None:
    result = _check(write_claims(GOOD + text), "--json", "out.json", "--junit", "out.xml")
    assert result.exit_code == 2
    (sentence,) = [line for line in result.output.splitlines() if line.startswith("ERROR: ")]
    assert words in sentence
    claims = json.loads(Path("out.json").read_text())["claims"]
    assert {claim["id"]: claim["status"] for claim in claims} == {"mine/good": "PROVED", key: "ERROR"}
    assert 'tests="2" failures="0" errors="1"' in Path("out.xml").read_text()
    broken = f"mine.py::{key}"
    for command, code in ((["show", broken], 0), (["replay", broken], 2), (["tighten", broken], 2)):
        said = _tightrope(*command)
        assert (said.exit_code, words in said.output) == (code, True), said.output
    assert words in _tightrope("check", "mine.py", "--contract").output


USAGE: dict[str, Any] = {
    "unknown id": (["check", "no-such/claim"], "no claim matches 'no-such/claim'"),
    "misspelt id": (["check", "pbrff/prop-77"], "did you mean pbrff/prop-7"),
    "absent folder": (["check", "absent/"], "absent/ is no folder here"),
    "a pattern of the self-test": (["check", "mine.py", "--self-test"], "leave out mine.py"),
    "an effort of the self-test": (["check", "--self-test", "--quick"], "leave out --quick"),
    "absent file": (["check", "absent.py"], "there is no file absent.py"),
    "unknown claim in a file": (["check", "mine.py::mine/other"], "no claim matches"),
    "seed": (["check", "mine.py", "--seed", "x"], "--seed 'x' must be a non-negative integer"),
    "seed that is a digit and no number": (["check", "mine.py", "--seed", "²"], "--seed '²' must be a non-negative"),
    "a folder as json": (["check", "mine.py", "--json", "."], "cannot write . (it is a folder)"),
    "a folder as junit": (["check", "mine.py", "--junit", "."], "cannot write . (it is a folder)"),
    "diff of a run of the future": (["diff", "new.json", "new.json"], "was written by a newer version (schema 99"),
    "badge of a run of the future": (["report", "--format", "badge", "--from", "new.json"], "newer version (schema 99"),
    "diff of a list": (["diff", "list.json", "list.json"], "wrote (it is of another form)"),
    "budget": (["check", "mine.py", "--budget", "10"], "must be a number with a unit"),
    "time limit": (["check", "mine.py", "--time-limit", "0s"], "--time-limit '0s' must be a number with a unit"),
    "memory limit": (["check", "mine.py", "--memory-limit", "8"], "--memory-limit '8' must be a number with a unit"),
    "no gpu": (["check", "mine.py", "--device", "cuda"], "use --device cpu"),
    "executor": (["check", "mine.py", "--executor", "http://x"], "must look like dask://"),
    "output folder is a file": (["check", "mine.py", "--out", "mine.py"], "not writable"),
    "output folder is a link to itself": (["check", "mine.py", "--out", "loop"], "Too many levels of symbolic links"),
    "report into a link to itself": (["report", "--out", "loop"], "Too many levels of symbolic links"),
    "json is a link to itself": (["check", "mine.py", "--json", "loop"], "Too many levels of symbolic links"),
    "unwritable json": (["check", "mine.py", "--quick", "--jobs", "1", "--json", "mine.py/x.json"], "cannot write"),
    "replay of an unknown id": (["replay", "no-such/claim"], "no claim is called 'no-such/claim'"),
    "replay without a cell": (["replay", "mine.py"], "needs a value for 'n'; give it in --params"),
    "replay of an unknown parameter": (
        ["replay", "mine.py", "--params", '{"m": 1}'],
        "has no parameter 'm'; its parameters are ['n']",
    ),
    "replay without values": (["replay", "mine.py", "--params", '{"n": 1}'], "needs a value for 'x'"),
    "replay of an unknown variable": (
        ["replay", "mine.py", "--params", '{"n": 1}', "--values", '{"y": 1}'],
        "has no variable 'y'",
    ),
    "replay of a wrong shape": (
        ["replay", "mine.py", "--params", '{"n": 2}', "--values", '{"x": [0.5]}'],
        "has shape (1,), expected (2,)",
    ),
    "replay outside the set": (
        ["replay", "mine.py", "--params", '{"n": 1}', "--values", '{"x": [1.5]}'],
        "lies outside its set",
    ),
    "replay of a ragged value": (
        ["replay", "mine.py", "--params", '{"n": 2}', "--values", '{"x": [[1], 2]}'],
        "'x'",
    ),
    "replay of a text": (["replay", "mine.py", "--params", '{"n": 1}', "--values", '{"x": "a"}'], "'x'"),
    "params no JSON": (["replay", "mine.py", "--params", "n=1"], "is not JSON"),
    "params with a word that JSON has not": (["replay", "mine.py", "--params", '{"n": Infinity}'], "is not JSON"),
    "values no object": (["replay", "mine.py", "--values", "[1]"], "must be a JSON object"),
    "nothing stored": (["replay", "mine.py", "--params", '{"n": 1}', "--stored"], "run `tightrope check` first"),
    "report without a run": (["report"], "run `tightrope check` first"),
    "diff of absent files": (["diff", "a.json", "b.json"], "cannot read a.json"),
    "diff of something else": (["diff", "other.json", "other.json"], "other.json is not a file that"),
    "show of an unknown id": (["show", "no-such/claim"], "no claim is called"),
}


@pytest.mark.parametrize(("arguments", "words"), USAGE.values(), ids=USAGE.keys())
def test_bad_usage_is_one_sentence_with_exit_code_2(
    write_claims: Callable[..., Path], arguments: list[str], words: str
) -> None:
    write_claims(GOOD)
    Path("other.json").write_text('{"a": 1}')
    Path("list.json").write_text("[1]")
    Path("new.json").write_text('{"schema": 99, "claims": []}')
    Path("loop").symlink_to("loop")
    result = _tightrope(*arguments)
    assert result.exit_code == 2
    (sentence,) = [line for line in result.output.splitlines() if "error: " in line]
    assert words in sentence
    assert "Traceback" not in result.output
    assert "HOLDS" not in result.output  # nothing was judged before


@pytest.mark.parametrize("argument", ["some/", "some/*.py"])
def test_what_is_no_file_does_not_keep_others_from_being_judged(
    write_claims: Callable[..., Path], argument: str
) -> None:
    """A folder or a pipe that is called as a file would be is none; a link that leads nowhere is named."""
    Path("some/folder.py").mkdir(parents=True)
    write_claims(GOOD).rename("some/mine.py")
    assert _check(argument).exit_code == 0
    Path("some/link.py").symlink_to("nowhere.py")
    result = _check(argument)
    assert result.exit_code == 2
    assert "there is no file some/link.py (No such file or directory)" in result.output
    assert "PROVED" in result.output


ARGUMENTS = ["absent.py", "broken.py", "no-such/claim", "empty/"]


@pytest.fixture
def bad_arguments(write_claims: Callable[..., Path]) -> None:
    write_claims("def broken(:", "broken.py")
    Path("empty").mkdir()


@pytest.mark.parametrize("other", ARGUMENTS)
def test_one_bad_argument_does_not_keep_the_others_from_being_judged(
    write_claims: Callable[..., Path], bad_arguments: None, other: str
) -> None:
    result = _check(write_claims(GOOD), other, "--json", "out.json", "--junit", "out.xml")
    assert result.exit_code == 2
    assert other in result.output
    run = json.loads(Path("out.json").read_text())
    assert [claim["status"] for claim in run["claims"]] == ["PROVED"]
    ((argument, sentence),) = (complaint.values() for complaint in run["complaints"])
    assert (argument, f"error: {sentence}" in result.output) == (other, True)
    root = ET.parse("out.xml").getroot()
    assert (root.get("tests"), root.get("errors")) == ("2", "1")
    assert [(case.get("name"), len(case)) for case in root.iter("testcase")] == [("good", 0), (other, 1)]


def test_bad_arguments_alone_replace_what_another_run_has_written(
    write_claims: Callable[..., Path], bad_arguments: None
) -> None:
    _check(write_claims(GOOD), "--json", "out.json", "--junit", "out.xml")
    result = _check(*ARGUMENTS, "--json", "out.json", "--junit", "out.xml")
    assert (result.exit_code, result.output.count("error: ")) == (2, len(ARGUMENTS))
    run = json.loads(Path("out.json").read_text())
    assert (run["claims"], [complaint["argument"] for complaint in run["complaints"]]) == ([], [*ARGUMENTS])
    assert 'tests="4" failures="0" errors="4"' in Path("out.xml").read_text()


def test_a_truncated_results_line_is_named_dropped_and_healed(write_claims: Callable[..., Path]) -> None:
    path = write_claims(GOOD)
    _check(path, "--json", "a.json")
    (rows,) = Path("results/rows").glob("*.jsonl")
    rows.write_bytes(rows.read_bytes()[:-30])
    result = _check(path, "--json", "b.json")
    assert result.exit_code == 0  # all that was lost is there again
    (warning,) = [line for line in result.output.splitlines() if line.startswith("warning: ")]
    for word in ("mine/good", str(rows), "line", "computed again"):
        assert word in warning
    assert _check(path, "--json", "c.json").exit_code == 0
    a, b, c = (json.loads(Path(name).read_text()) for name in ("a.json", "b.json", "c.json"))
    for payload in (a, b, c):
        for claim in payload["claims"]:
            del claim["seconds"]
    assert a == b == c


def test_the_table_is_said_where_the_run_cannot_be_written(write_claims: Callable[..., Path]) -> None:
    write_claims(GOOD + "\nfrom pathlib import Path\nPath('results/verdicts.json').mkdir(parents=True)\n")
    result = _check(Path("mine.py"))
    assert result.exit_code == 2
    assert "cannot write results/verdicts.json" in result.output
    assert "mine/good" in result.output


def test_a_comment_in_another_encoding_is_one_sentence(write_claims: Callable[..., Path]) -> None:
    """Python compiles it, although it refuses to read it from standard input."""
    path = write_claims(GOOD)
    path.write_bytes(b"# caf\xe9\n" + path.read_bytes())
    result = _check(path)
    assert result.exit_code == 2
    assert "mine.py cannot be decoded (" in result.output
