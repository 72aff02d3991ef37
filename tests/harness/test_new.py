"""What `tightrope new` writes works as it is: the claim holds, and its test passes."""

import ast
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness import check
from harness.cli import main
from harness.cli.starting import FEWEST, SETS, STARTS, claim_text, grid_of
from harness.judges import constant, decay
from harness.language.kind import NAMED
from harness.run.loading import from_file
from harness.testing import claims_in
from harness.verdict import Status


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _new(*arguments: str, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["new", *arguments], input=answers, catch_exceptions=False)


def test_every_kind_that_judges_something_can_be_started() -> None:
    ours = {name.replace(" ", "_") for name, kind in NAMED.items() if kind.__module__.startswith("harness.kinds.")}
    assert ours - {"broken", "untestable"} == set(STARTS)
    assert {"rate": decay.FEWEST, "up_to_constant": constant.FEWEST} == FEWEST


def test_the_claim_of_each_kind_holds_and_its_test_passes() -> None:
    """The tests run as a user's would: by pytest, in a folder of their own; all at once, since torch takes seconds.

    They judge each claim as `tightrope check --quick --strict` does, which is asked about those that are judged soon.
    """
    files = [f"theorem_{kind}.py" for kind in STARTS]
    for kind, file in zip(STARTS, files, strict=True):
        assert _new(file, "--kind", kind).exit_code == 0
    soon = [f"theorem_{kind}.py" for kind in ("identity", "always", "rate", "reproduction")]
    checked = CliRunner().invoke(main, ["check", "--quick", "--jobs", "1", "--strict", *soon])
    assert checked.exit_code == 0, checked.output
    done = _pytest(*(f"test_{file}" for file in files))
    assert done.returncode == 0, done.stdout
    assert f"{len(STARTS)} passed" in done.stdout


def _pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_spoilt_claim_fails_its_test() -> None:
    """Would catch a test that judges nothing."""
    assert _new("my-claims.py", "--kind", "always").exit_code == 0
    text = Path("my-claims.py").read_text()
    Path("my-claims.py").write_text(text.replace("math.sqrt(n)", "0.5 * math.sqrt(n)"))
    done = _pytest("test_my-claims.py")
    assert done.returncode == 1
    assert "tightrope replay" in done.stdout


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", sorted(STARTS.keys() - {"reproduction"}))
@pytest.mark.parametrize("inputs", SETS)
def test_every_kind_holds_for_every_set(kind: str, inputs: str) -> None:
    """The mean of s_i x_i is 1/n for the worst x of a ball, whatever the signs: the rate of that stayed open.

    So did that of flips at n = 4 to 64, where what is small beside the mean bends the curve.
    """
    Path("mine.py").write_text(claim_text("mine.py", "mine", kind, inputs, grid_of(kind, [])), encoding="utf-8")
    (claim,) = from_file(Path("mine.py"))
    for effort in ("quick", "standard"):
        assert check(claim, effort=effort).status in (Status.PROVED, Status.HOLDS)


@pytest.mark.parametrize("kind", STARTS)
@pytest.mark.parametrize("inputs", SETS)
def test_every_set_makes_a_claim_with_the_grid_that_was_given(kind: str, inputs: str) -> None:
    grid = grid_of(kind, ["n=2,3,5,7,11", "m=1.5"])
    Path("mine.py").write_text(claim_text("mine.py", "mine", kind, inputs, grid), encoding="utf-8")
    (claim,) = from_file(Path("mine.py"))
    assert claim.id == "mine/mine"
    assert {cell["n"] for cell in claim.cells} == {2, 3, 5, 7, 11}
    assert {cell["m"] for cell in claim.cells} == {1.5}
    assert claims_in("mine.py")[0].key == claim.key


def test_on_a_terminal_it_asks_for_what_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cli.new._on_a_terminal", lambda: True)
    result = _new("a.py", "--no-test", answers="tail\nball\nn=7\n")
    assert result.exit_code == 0
    text = Path("a.py").read_text()
    assert "tail(), over=grid(n=[7])" in text
    assert 'forall.ball("x", n)' in text
    assert not Path("test_a.py").exists()
    assert _new("b.py", answers="\n\n\n").exit_code == 0  # the defaults: what is written without a terminal
    monkeypatch.setattr("harness.cli.new._on_a_terminal", lambda: False)
    assert _new("c.py").exit_code == 0
    assert Path("b.py").read_text().replace("b.py", "c.py").replace("mine/b", "mine/c") == Path("c.py").read_text()
    monkeypatch.setattr("harness.cli.new._on_a_terminal", lambda: True)
    told = _new("d.py", "--kind", "reproduction", "--grid", "n=3", answers="")
    assert told.exit_code == 0
    assert "For all" not in told.output


@pytest.mark.parametrize("name", ["my claims.py", 'a"b.py', "it's.py"])
def test_the_commands_that_are_told_are_those_of_a_shell(name: str) -> None:
    told = _new(name).output.splitlines()
    assert [shlex.split(line.partition(": ")[2])[-1] for line in told] == [name, f"test_{name}"]
    (claim,) = from_file(Path(name))
    docstring = ast.get_docstring(ast.parse(Path(name).read_text())) or ""
    assert shlex.split(docstring.partition("tightrope check ")[2]) == [name]
    assert claim.id.startswith("mine/")
    compile(Path(f"test_{name}").read_text(), name, "exec")


BAD = {
    "nothing but an end": ([".py"], "must be a name that ends in .py"),
    "an axis twice": (["a.py", "--grid", "n=1,2", "--grid", "n=3"], "write all values at once, --grid n=1,2,3"),
    "no Python file": (["a.txt"], "a.txt must be a name that ends in .py"),
    "inputs of a table": (["a.py", "--kind", "reproduction", "--inputs", "ball"], "quantifies over nothing"),
    "unknown kind": (["a.py", "--kind", "guess"], "'guess' is not one of"),
    "no name": (["a.py", "--grid", "10"], "--grid '10' is not of the form n=10,100"),
    "a keyword": (["a.py", "--grid", "class=3,4"], "with a name that an argument may have"),
    "a word of the language": (["a.py", "--grid", "draw=1"], "is not of the form"),
    "a module of Python": (["json.py"], "would hide the module 'json'"),
    "a library": (["torch.py"], "would hide the module 'torch'"),
    "no number": (["a.py", "--grid", "n=1,x"], "'x' is not a finite number"),
    "an infinite number": (["a.py", "--grid", "k=inf"], "'inf' is not a finite number"),
    "no count": (["a.py", "--grid", "n=0.5"], "whole numbers from 1"),
    "no probability": (["a.py", "--grid", "delta=2.0"], "between 0 and 1"),
    "too few": (["a.py", "--kind", "rate", "--grid", "n=2,4,8"], "must hold 4 numbers above 1"),
}


@pytest.mark.parametrize(("arguments", "words"), BAD.values(), ids=BAD.keys())
def test_what_makes_no_claim_is_refused_in_a_sentence(arguments: list[str], words: str) -> None:
    result = _new(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
    assert not list(Path().iterdir())


def test_nothing_is_overwritten() -> None:
    Path("test_a.py").write_text("mine")
    result = _new("a.py")
    assert result.exit_code == 2
    assert "test_a.py exists already" in result.output
    assert not Path("a.py").exists()
    assert _new("a.py", "--no-test").exit_code == 0
