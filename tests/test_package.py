"""What is published holds what it should and nothing else, and works where there is no checkout."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("algos", "bounds", "harness", "signatures")
BESIDE = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "constraints.txt"}
"""What an sdist has beside the packages, pyproject.toml, and what setuptools writes."""
BUILD = "import sys; from setuptools import build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


def _run(command: list[str | Path], folder: Path, **options: object) -> subprocess.CompletedProcess[str]:
    texts = [str(part) for part in command]
    return subprocess.run(texts, cwd=folder, capture_output=True, text=True, check=False, timeout=1200, **options)  # type: ignore[call-overload,no-any-return]


def _sources() -> set[str]:
    """The files of the repository, new ones included."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout, so nothing says which files belong to it")
    done = _run([git, "ls-files", "--cached", "--others", "--exclude-standard"], ROOT)
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}


def _built(what: str, source: Path, folder: Path) -> Path:
    done = _run([sys.executable, "-c", BUILD, what, folder], source)
    assert done.returncode == 0, done.stderr[-2000:]
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of what stands in the repository, built without network."""
    setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed, and a build would need network")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip(f"setuptools {setuptools.__version__} is older than pyproject.toml asks for")
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("sdist")
    for name in _sources():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    return _built("build_sdist", source, folder)


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the sdist: neither git nor the repository is there."""
    source = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(source, filter="data")
    (unpacked,) = source.iterdir()
    return _built("build_wheel", unpacked, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    """Would catch a template, a table or a marker that is not listed as package data, and a test that slipped in."""
    names = set(zipfile.ZipFile(wheel).namelist())
    written = {name for name in names if re.match(r"tightrope-[^/]+\.dist-info/", name)}
    assert names - written == {name for name in _sources() if name.startswith(tuple(f"{p}/" for p in PACKAGES))}
    assert {Path(name).name for name in written} >= {"METADATA", "RECORD", "entry_points.txt", "LICENSE"}


def test_the_sdist_holds_what_a_build_needs_and_nothing_else(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()} - {""}
    files = {name for name in names if not any(other.startswith(f"{name}/") for other in names)}
    assert {name for name in files if "/" not in name} == BESIDE | {"pyproject.toml", "setup.cfg"}
    assert {name.partition("/")[0] for name in files if "/" in name} == {*PACKAGES, "tightrope.egg-info"}


def _version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def test_there_is_one_version() -> None:
    """In pyproject.toml, in CITATION.cff, and in the tag of this commit, if it has one."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.M) == [_version()]
    git = shutil.which("git")
    if git is not None and (ROOT / ".git").exists():
        tags = _run([git, "tag", "--points-at", "HEAD", "--list", "v[0-9]*"], ROOT).stdout.split()
        assert set(tags) <= {f"v{_version()}"}


def test_the_citation_file_is_one() -> None:
    """The keys that the Citation File Format 1.2.0 requires, and types of references that it knows."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed; asv brings it")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"authors", "message", "title"} <= set(citation)
    for entry in citation["references"]:
        assert {"authors", "title", "type", "year"} <= set(entry)
        assert entry["type"] in ("article", "conference-paper")
        assert all({"given-names", "family-names"} == set(author) for author in entry["authors"])


@pytest.mark.parametrize(("command", "file"), [("record", "statements.toml"), ("bench asv", "asv.conf.json")])
def test_commands_that_need_the_repository_say_so(
    command: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from harness.cli import main

    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, command.split(), catch_exceptions=False)
    assert result.exit_code == 2
    assert f"`tightrope {command}` works on a checkout of the repository" in result.output
    assert file in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_the_installed_wheel_judges_a_claim_outside_a_checkout(wheel: Path, tmp_path: Path) -> None:
    """In a clean environment: would catch a dependency that is not declared, and a file that only a checkout has."""
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    work = tmp_path / "work"
    work.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    python = binaries / "python"
    done = _run([python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel], work, env=environment)
    if done.returncode and re.search("connection|network|resolution|No matching distribution", done.stderr):
        pytest.skip(f"the dependencies cannot be fetched here: {done.stderr.strip().splitlines()[-1][:200]}")
    assert done.returncode == 0, done.stderr[-2000:]
    tightrope = binaries / "tightrope"
    for command, code, words in (
        ([python, "-m", "pip", "check"], 0, "No broken requirements"),
        ([tightrope, "new", "theorem.py", "--kind", "always", "--no-test"], 0, "wrote theorem.py"),
        ([tightrope, "check", "--quick", "--jobs", "1", "theorem.py", "--junit", "out.xml"], 0, "1 HOLDS"),
        ([tightrope, "show", "theorem.py"], 0, "mine/theorem: HOLDS"),
        ([tightrope, "report", "--format", "latex"], 0, "\\begin{longtable}"),
        ([tightrope, "check", "--quick", "--jobs", "1", "lkrf/c-rho"], 0, "next: tightrope show lkrf/c-rho"),
        ([tightrope, "report", "--format", "bibtex"], 0, "@inproceedings{lkrf"),
        ([tightrope, "list", "classics"], 0, "classics/hoeffding"),
        ([tightrope, "record"], 2, "works on a checkout"),
        ([tightrope, "bench", "asv"], 2, "works on a checkout"),
    ):
        ran = _run(command, work, env=environment)
        assert ran.returncode == code, f"{command}: {ran.stdout}{ran.stderr}"
        assert words in ran.stdout + ran.stderr
