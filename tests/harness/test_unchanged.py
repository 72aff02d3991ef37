"""A command that would repeat its last run shows what that printed; whatever may have changed, it runs again."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.run.unchanged import FILE, Watch, watch

HOLDS = '''
from harness import always, claim
from beside import TOP

@claim("mine/holds", always())
def holds(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), TOP
'''
OPTIONS = dict.fromkeys(("executor", "budget", "profile", "self_test", "contract")) | {"seed": "0", "device": "cpu"}
TERMINAL = (False, 140, None)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of claims and a module that it imports; no data set is named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)
    (tmp_path / "claims.py").write_text(HOLDS)
    (tmp_path / "beside.py").write_text("TOP = 1.0\n")
    (tmp_path / "results").mkdir()
    return tmp_path


def _watch(*patterns: str, **options: Any) -> Watch | None:
    return watch(patterns or ("claims.py",), {**OPTIONS, "out": Path("results"), **options}, TERMINAL)


def _keep(seen: Watch, written: list[Path]) -> None:
    memory = seen.noted("1 HOLDS\n", 0, written, {})
    assert memory is not None
    Path("results", FILE).write_text(memory)


def _remember(**options: Any) -> None:
    seen = _watch(**options)
    assert seen is not None
    report = Path("results/report.html")
    report.write_text("as it was written")
    _keep(seen, [report])


def _known(**options: Any) -> bool:
    seen = _watch(**options)
    return seen is not None and seen.past() is not None


def test_a_run_is_known_with_its_text_and_its_exit_code(mine: Path) -> None:
    _remember()
    seen = _watch()
    assert seen is not None
    past = seen.past()
    assert past is not None
    assert (past.text, past.code) == ("1 HOLDS\n", 0)


def test_a_new_file_that_nothing_imports_is_no_change(mine: Path) -> None:
    _remember()
    (mine / "notes.txt").write_text("to do")
    (mine / ".cache").mkdir()
    (mine / "__pycache__").mkdir()
    assert _known()


def _same_size_at_once(folder: Path) -> None:
    path = folder / "claims.py"
    before = path.stat()
    path.write_text(HOLDS.replace("x <= 1", "x <= 2"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "the file of claims": lambda folder: (folder / "claims.py").write_text(HOLDS + "\n"),
    "the file, to the same size, with its old time": _same_size_at_once,
    "a module that it imports": lambda folder: (folder / "beside.py").write_text("TOP = 2.0\n"),
    "a new module beside it": lambda folder: (folder / "scipy.py").write_text(""),
    "the report is gone": lambda folder: (folder / "results/report.html").unlink(),
    "the report was edited": lambda folder: (folder / "results/report.html").write_text("as it was forged!"),
    "the memory is damaged": lambda folder: (folder / "results" / FILE).write_text("{"),
    "the memory is none": lambda folder: (folder / "results" / FILE).write_text("[1]"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_any_file_is_noticed(mine: Path, change: Callable[[Path], object]) -> None:
    _remember()
    assert _known()
    change(mine)
    assert not _known()


def test_the_environment_the_options_and_the_terminal_belong_to_a_command(
    mine: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _remember()
    assert not _known(seed="1")
    seen = watch(("claims.py",), {**OPTIONS, "out": Path("results")}, (True, 80, "truecolor"))
    assert seen is not None
    assert seen.past() is None
    monkeypatch.setenv("TIGHTROPE_FULL", "1")
    assert not _known()


@pytest.mark.parametrize("options", [{"seed": "fresh"}, {"device": "cuda"}, {"budget": "10m"}, {"profile": True}])
def test_what_looks_at_more_than_files_is_not_remembered(mine: Path, options: dict[str, Any]) -> None:
    assert _watch(**options) is None


@pytest.mark.parametrize("pattern", [".", "*.py", "./"])
def test_folders_and_globs_are_known_by_all_their_files(
    mine: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    def keep() -> None:
        seen = _watch(pattern)
        assert seen is not None
        _keep(seen, [])

    def known() -> bool:
        seen = _watch(pattern)
        return seen is not None and seen.past() is not None

    keep()
    assert known()
    (mine / "more.py").write_text("x = 1\n")
    assert not known()
    keep()
    (mine / "more.py").write_text("x = 2\n")
    assert not known()
    monkeypatch.setattr("harness.run.unchanged.LARGEST", 2)
    assert _watch(pattern) is None


def test_absent_files_and_data_sets_are_not_remembered(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _watch("nothing.py") is None
    assert _watch("*.txt") is not None  # a pattern of the ledger, which matches nothing
    monkeypatch.setenv("TIGHTROPE_DATA", str(mine))
    assert _watch() is None


def test_a_change_during_the_run_is_noticed(mine: Path) -> None:
    seen = _watch()
    assert seen is not None
    (mine / "beside.py").write_text("TOP = 3.0\n")
    _keep(seen, [])
    assert not _known()


def test_the_latest_commands_are_kept(mine: Path) -> None:
    for seed in range(12):
        _remember(seed=str(seed))
    assert len(json.loads(Path("results", FILE).read_text())) == 8


def test_what_cannot_be_looked_at_stops_no_run(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    _remember()
    monkeypatch.setattr("os.scandir", refused)
    assert not _known()
    monkeypatch.undo()
    (mine / "gone").mkdir()
    monkeypatch.chdir(mine / "gone")
    (mine / "gone").rmdir()
    assert _watch() is None


def test_a_second_command_prints_the_same_without_torch(mine: Path) -> None:
    start = "from harness.cli import main; main()"
    command = [sys.executable, "-X", "importtime", "-c", start, "check", "claims.py", "--jobs", "1", "--quick"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=mine, env=environment, capture_output=True, text=True, check=False)

    first, second = run(), run()
    assert first.returncode == second.returncode == 0
    assert re.search(r"\| +torch\n", first.stderr)
    assert not re.search(r"\| +torch\n", second.stderr)
    assert second.stdout.startswith(first.stdout)
    assert second.stdout.removeprefix(first.stdout).startswith("unchanged: ")
    (past,) = json.loads((mine / "results" / FILE).read_text()).values()
    pages = [str(page.relative_to(mine)) for page in (mine / "results/report").rglob("*.*")]
    assert len(pages) > 1
    assert set(pages) <= set(past["files"])  # a page that is missing is written again
    (mine / "beside.py").write_text("TOP = 0.5\n")
    third = run()
    assert third.returncode == 1
    assert "REFUTED" in third.stdout
