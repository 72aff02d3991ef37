"""The manual builds without a warning, and its pages need no network."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness import __all__ as words
from tests.documents.test_pages import PAGES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("mkdocs", "material", "mkdocstrings")),
    reason="mkdocs, its theme or mkdocstrings is not installed: pip install -c constraints.txt -e '.[docs]'",
)
ELSEWHERE = r"""=["']?(?:https?:)?//"""
LOADED = re.compile(rf"<(?:script|img|iframe)[^>]*\ssrc{ELSEWHERE}|<link[^>]*stylesheet[^>]*href{ELSEWHERE}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, built with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},  # an announcement of the theme, not about these pages
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_there_and_in_the_navigation(site: Path) -> None:
    """mkdocs warns of a page that the navigation leaves out, and the fixture fails."""
    made = {path.relative_to(site).with_suffix(".md").as_posix() for path in site.rglob("*.html")}
    assert made - {"404.md"} == set(PAGES)


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    """No fonts, scripts, styles or images of another machine, and a search that works where pages are files."""
    for path in site.rglob("*.html"):
        assert LOADED.search(path.read_text(encoding="utf-8")) is None, path.name
    for path in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", path.read_text(encoding="utf-8")), path.name
    assert (site / "search" / "search_index.js").exists()
    assert (site / "site" / "iframe-worker.js").exists()
    assert not (site / "site" / "hooks.py").exists()


def test_every_public_word_has_an_entry(site: Path) -> None:
    """A name that is also a module would be lost (`tail`)."""
    pages = "".join(path.read_text(encoding="utf-8") for path in (site / "api").glob("harness*.html"))
    assert [word for word in words if not re.search(rf'id="harness\.(?:[\w.]+\.)?{word}[".]', pages)] == []
