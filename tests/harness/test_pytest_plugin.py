"""`pytest --tightrope` in a project of its own: what is collected, and how each verdict comes out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

CLAIMS = '''
from harness import always, claim, grid, high_probability, skip

@claim("mine/holds", always(), over=grid(n=[1, 2]))
def holds(forall, *, n):
    """x <= n."""
    return forall.interval("x", 0.0, 1.0), float(n)

@claim("mine/false", always())
def false(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9

@claim("mine/known", always(), expected="refuted", reading="corrected")
def known(forall):
    """x <= 0.8 is known to be false."""
    return forall.interval("x", 0.0, 1.0), 0.8

@claim("mine/open", high_probability("delta"), over=grid(delta=[0.2]))
def exact(draw, *, delta):
    """P(u < delta) = delta exactly: no finite sample decides."""
    return (draw.uniform("u") < delta).double(), 0.5

@claim("mine/absent", always())
def absent():
    """A data set is missing."""
    raise skip("there is no data here")
'''
TESTS = "def test_of_their_own():\n    assert True\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "claims_mine.py").write_text(CLAIMS)
    (folder / "named.py").write_text(CLAIMS.replace("mine/", "named/"))
    (folder / "claims_broken.py").write_text("import no_such_module\n")
    (folder / "test_theirs.py").write_text(TESTS)
    return folder


def run(project: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout


def test_nothing_is_collected_without_the_option(project: Path) -> None:
    code, text = run(project)
    assert code == 0
    assert "1 passed" in text
    assert "claims_" not in text


@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_verdicts_are_outcomes(project: Path, spread: tuple[str, ...]) -> None:
    code, text = run(project, "--tightrope", "--ignore", "claims_broken.py", *spread)
    assert code == 1
    assert re.search(r"^PASSED claims_mine.py::mine/holds", text, re.M)
    assert re.search(r"^PASSED claims_mine.py::mine/known\[corrected\]", text, re.M)
    assert re.search(r"^FAILED claims_mine.py::mine/false", text, re.M)
    assert re.search(r"^FAILED claims_mine.py::mine/open", text, re.M)
    assert re.search(r"^SKIPPED .* there is no data here", text, re.M)
    assert re.search(r"tightrope replay .*claims_mine.py::mine/false", text)
    assert "PASSED test_theirs.py::test_of_their_own" in text
    assert "named.py" not in text


def test_a_file_that_is_named_is_judged_at_the_effort_that_is_asked_for(project: Path) -> None:
    code, text = run(project, "--tightrope", "--tightrope-effort", "standard", "named.py", "-k", "holds")
    assert code == 0
    assert "PASSED named.py::named/holds" in text


def test_a_claim_that_cannot_be_made_fails_alone_also_where_its_file_is_named(tmp_path: Path) -> None:
    """And what pytest finds in such a file is still its own."""
    mute = '@claim("mine/mute", always())\ndef mute(forall):\n    return 0.0, 1.0\n'
    (tmp_path / "claims_mine.py").write_text(f"{CLAIMS}\n{mute}")
    (tmp_path / "claims_yours.py").write_text(f"{CLAIMS}\n{TESTS}")
    code, text = run(tmp_path, "--tightrope", "claims_mine.py", "-k", "mute or holds")
    assert (code, "1 failed, 1 passed" in text) == (1, True), text
    assert "has no docstring" in text
    code, text = run(tmp_path, "--tightrope", "claims_yours.py", "-k", "their_own or holds")
    assert (code, "2 passed" in text) == (0, True), text


def test_a_file_that_does_not_import_is_one_sentence(project: Path) -> None:
    code, text = run(project, "--tightrope", "claims_broken.py")
    assert code == 2
    assert "claims_broken.py does not import: ModuleNotFoundError" in text


def test_a_file_without_claims_stops_nothing_unless_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "claims_helpers.py").write_text("X = 1\n")
    (tmp_path / "test_theirs.py").write_text(TESTS)
    code, text = run(tmp_path, "--tightrope")
    assert (code, "1 passed" in text) == (0, True)
    code, text = run(tmp_path, "--tightrope", "claims_helpers.py")
    assert code != 0
    assert "has no @claim functions" in text


NEIGHBOURS = """
import sys

import pytest

import helper

FIRST = sys.modules["helper"]


def test_a_neighbour_is_found_when_it_is_needed():
    import late
    assert late.WHOSE == "theirs"


def test_a_module_is_still_the_one_that_was_imported():
    import helper
    assert helper is FIRST
    assert helper.WHOSE == "theirs"


def test_what_claims_import_is_theirs_alone():
    with pytest.raises(ModuleNotFoundError):
        import beside
    from decimal import getcontext
    assert getcontext().prec == 28
"""


@pytest.mark.parametrize("mode", ["prepend", "append"])
def test_other_tests_import_as_they_do_without_claims(tmp_path: Path, mode: str) -> None:
    """Whether claims are collected or judged before them, in their folder or below it."""
    below = tmp_path / "below"
    below.mkdir()
    for folder, whose in ((tmp_path, "theirs"), (below, "the claims'")):
        for name in ("helper", "late"):
            (folder / f"{name}.py").write_text(f"WHOSE = {whose!r}\n")
    (below / "beside.py").write_text("from decimal import getcontext\ngetcontext().prec = 5\n")
    (tmp_path / "claims_a.py").write_text(CLAIMS.replace("mine/", "above/"))
    (below / "claims_b.py").write_text(f"import beside, helper\n{CLAIMS.replace('x <= n', 'x <= n, ')}")
    for name in ("test_a_first.py", "test_z_last.py"):
        (tmp_path / name).write_text(NEIGHBOURS)
    options = ["-k", "holds or test", f"--import-mode={mode}"]
    for order in ([], ["test_z_last.py", "below", "claims_a.py", "test_a_first.py"]):
        code, text = run(tmp_path, "--tightrope", *options, *order)
        assert code == 0, text
        assert "8 passed" in text
