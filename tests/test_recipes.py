"""The recipes of CONTRIBUTING run as printed: its code by itself, and the paper in a scratch copy of the ledger."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>(?:# (?P<file>[\w/]+\.\w+))?.*?)^```", re.MULTILINE | re.DOTALL)


def code_of(recipe: str) -> str:
    """The code under a heading that names no file of its own."""
    found = BLOCK.finditer(CONTRIBUTING.split(f"## {recipe}\n")[1].split("\n## ")[0])
    return "".join(block["text"] for block in found if block["language"] == "python" and not block["file"])


RECIPES = [recipe for recipe in re.findall(r"^## (.*)$", CONTRIBUTING, re.MULTILINE) if code_of(recipe)]


def test_what_is_added_most_often_has_code() -> None:
    names = {f"Add a {name}" for name in ("bound", "claim", "kind", "space", "data set", "benchmark")}
    assert {*names, "Add an algorithm"} == set(RECIPES)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_code_of_a_recipe_runs_as_printed(recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its assertions hold, and its tests, where it has any, pass."""
    path = tmp_path / f"{recipe.lower().replace(' ', '_')}.py"
    path.write_text(code_of(recipe), encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": path.stem}
    exec(compile(code_of(recipe), str(path), "exec"), namespace)
    fixtures = {"tmp_path": tmp_path, "monkeypatch": monkeypatch}
    for test in [value for name, value in namespace.items() if name.startswith("test_")]:
        test(**{name: fixtures[name] for name in inspect.signature(test).parameters})


def in_scratch(root: Path, *arguments: str) -> str:
    """What Python prints there; an error if it does not exit with 0."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_paper_added_by_the_recipe_is_found_judged_and_reported(tmp_path: Path) -> None:
    """Every block goes into the file that it names, nothing else changes, and the tests of the papers pass there."""
    for name in ("harness", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("README.md", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("bounds", "algos", "signatures", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "tests" / "harness").mkdir(parents=True)
    for name in ("conftest.py", "turns.py", "harness/test_papers.py", "harness/test_errata.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    for name, text in [(b["file"], b["text"].partition("\n")[2]) for b in BLOCK.finditer(CONTRIBUTING) if b["file"]]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")
    judging = "from harness.cli import main; main()"
    out = in_scratch(
        tmp_path, "-c", judging, "check", "coins", "--quick", "--jobs", "1", "--out", str(tmp_path / "out")
    )
    assert re.search(r"^PROVED +coins/lem-1", out, re.MULTILINE)
    assert re.search(r"^HOLDS +coins/thm-2", out, re.MULTILINE)
    assert "A Note on Coins" in (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    said = in_scratch(tmp_path, "-m", "pytest", "-p", "no:cacheprovider", "-k", "test_papers or list_of_statements")
    assert re.search(r"^\d+ passed", said, re.MULTILINE), said
