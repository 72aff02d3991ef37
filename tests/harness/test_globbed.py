"""Globs of files of claims: as the shell has them, and no way through links that lead up."""

import os
from pathlib import Path

import pytest

from harness.run.selection import globbed


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("one.py", "a/two.py", "a/b/three.py", ".hidden/four.py", "a/.five.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for place in ("a", "a/b"):
        (tmp_path / place / "up").symlink_to("..", target_is_directory=True)
        (tmp_path / place / "again").symlink_to("..", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_stars_follow_no_link(tree: Path) -> None:
    """Two links up in each of two folders made it look into every path of up to forty of them."""
    assert [str(f) for f in globbed("**/*.py")] == ["a/b/three.py", "a/two.py", "one.py"]
    assert len(globbed(f"{tree}/**/*.py")) == 3


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["one.py"]),
        ("a/*.py", ["a/two.py"]),
        ("./a/t?o.py", ["a/two.py"]),
        ("a/.*.py", ["a/.five.py"]),
        ("[ab]/*/*.py", ["a/again/one.py", "a/b/three.py", "a/up/one.py"]),
        ("none/*.py", []),
    ],
)
def test_a_glob_names_what_the_shell_would(tree: Path, pattern: str, found: list[str]) -> None:
    assert [str(f) for f in globbed(pattern)] == found
    assert os.getcwd() == str(tree)


def test_a_glob_may_begin_above(tree: Path) -> None:
    assert [f.name for f in globbed(f"../{tree.name}/*.py")] == ["one.py"]
