"""The package as others get it: built from its own sdist, installed elsewhere, and run outside the checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SDIST = "import sys, setuptools.build_meta as backend; backend.build_sdist(sys.argv[1])"


def _run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """A command that must succeed, with no import from the checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=kept | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.nightly
def test_a_wheel_built_from_the_sdist_judges_a_claim_outside_the_checkout(tmp_path: Path) -> None:
    """A package, a template or a file that the build forgets is missed here."""
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "results", "build", "*.egg-info", "__pycache__"))
    _run(sys.executable, "-c", SDIST, tmp_path, cwd=source)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    _run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, unpacked, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    _run(*pip, "install", "--no-deps", "--no-index", "--target", site, wheel, cwd=tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    script = "import harness, sys; from harness.cli import main; print(harness.__file__, file=sys.stderr); main()"
    check = ["check", "--quick", "--jobs", "2", "lkrf/tab-1", "--json", "out.json"]
    _run(sys.executable, "-c", script, *check, cwd=outside, PYTHONPATH=str(site))
    payload = json.loads((outside / "out.json").read_text(encoding="utf-8"))
    assert [claim["status"] for claim in payload["claims"]] == ["HOLDS"]
    assert payload["version"] == PROJECT["version"]
    assert (outside / "results" / "report" / "index.html").stat().st_size > 1000
    where = _run(sys.executable, "-c", "import harness; print(harness.__file__)", cwd=outside, PYTHONPATH=str(site))
    assert Path(where.strip()).is_relative_to(site)


def test_every_dependency_states_the_oldest_version_that_works() -> None:
    own = {"tightrope[test,lint,bench,docs]"}
    for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        for requirement in set(group) - own:
            assert re.fullmatch(r"[A-Za-z0-9._-]+>=[0-9.]+", requirement), requirement


def test_every_dependency_is_imported_by_the_packages() -> None:
    """What only the tests use (hypothesis, once) must not be installed beside the packages."""
    files = [path for name in ("algos", "bounds", "harness", "signatures") for path in (ROOT / name).rglob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    modules = {"scikit-learn": "sklearn", "python-flint": "flint", "pillow": "PIL"}
    for requirement in PROJECT["dependencies"]:
        name = requirement.partition(">=")[0]
        assert re.search(rf"^\s*(import|from) {modules.get(name, name)}\b", code, re.MULTILINE), name


def test_the_versions_of_python_are_stated() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    stated = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
    assert stated == ["3.11", "3.12", "3.13"]
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in stated
