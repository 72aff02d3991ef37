"""Commands that are suggested run when they are copied."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.report.table import next_steps
from harness.run.api import check
from harness.run.loading import from_file
from harness.shell import operand, quoted

WORDS = ["a", "a b", "it's", 'a"b', "a\nb", "\x1b[31m'\\", "n\u00e4\u2028", "$(x) *", "-x", ""]
GOOD = """
from harness import always, claim

@claim("mine/c", always())
def c(forall):
    \"\"\"x <= 1.\"\"\"
    return forall.interval("x", 0.0, 1.0), 1.0
"""


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_read_as_it_is_meant(word: str) -> None:
    line = f"printf %s {quoted(word)}"
    assert line.isprintable()
    assert subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout.decode() == word


def test_a_path_is_no_option() -> None:
    assert operand("-x/a.py") == "./-x/a.py"
    assert operand("x/a.py") == "x/a.py"


@pytest.mark.parametrize("folder", ["-dash", "new\nline"])
def test_the_next_step_names_a_file_wherever_it_lies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir()
    file = Path(folder, "mine.py")
    file.write_text(GOOD)
    (step,) = next_steps([check(from_file(file)[0], effort="quick")], Path(folder, "out"))
    assert step.isprintable()
    line = step.removeprefix("next: tightrope ").partition("  # ")[0]
    words = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True).stdout.decode()
    result = CliRunner().invoke(main, words.split("\0")[:-1])
    assert result.exit_code == 0, result.output


def test_a_file_that_is_made_is_named_so_that_it_can_be_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-dash").mkdir()
    result = CliRunner().invoke(main, ["new", "./-dash/coins.py"])
    assert "tightrope check ./-dash/coins.py" in result.output
