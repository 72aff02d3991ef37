"""Rows are used again when nothing that they depend on has changed, and only then."""

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.kinds import always
from harness.language.registry import Claim, claim
from harness.run import closure as closures
from harness.run.closure import closure, source_hashes, version_of, versions
from harness.run.loading import from_file, ledger

ROOT = Path(__file__).resolve().parents[2]

MINE = '''
from harness import claim, identity
from algos.fourier.sums import fourier_sums
from bounds.divergence_ball.moments import *
import helper
from parts import deep

@claim("mine/x", identity())
def mine(forall):
    """x - x = 0."""
    x = forall.interval("x", 0.0, helper.HIGH + deep.NOTHING)
    return x - x, 0.0 * x
'''
BESIDE = {
    "mine.py": MINE,
    "helper.py": "HIGH = 1.0\n",
    "parts/__init__.py": "",
    "parts/deep.py": "from .deeper import NOTHING\n",
    "parts/deeper.py": "NOTHING = 0.0\n",
    "unrelated.py": "HIGH = 2.0\n",
}
DRIVER = """
import json, sys
from pathlib import Path
from harness.run.loading import from_file, ledger
from harness.run.runner import Inline, run
from harness.settings import QUICK, Settings
from harness.run.store import Store

class Counting(Inline):
    count = 0
    def submit(self, *arguments, **options):
        Counting.count += 1
        return super().submit(*arguments, **options)

def tasks_by_claim():
    chosen = [c for c in ledger() if c.id in ("lkrf/tab-1", "nsrf/thm-4.4")] + [*from_file(Path("mine.py"))]
    counts = {}
    for claim in chosen:
        Counting.count = 0
        run([claim], Settings(effort=QUICK, family=3), store=Store(Path("results")), executor=Counting())
        counts[claim.id] = Counting.count
    return counts

found = {"": tasks_by_claim()}
for name in json.loads(sys.argv[1]):
    path = Path(name)
    text = path.read_text()
    path.write_text(text + "\\n# edited\\n")
    found[name] = tasks_by_claim()
    path.write_text(text)
found["again"] = tasks_by_claim()
print(json.dumps(found))
"""
ALL = {"lkrf/tab-1", "nsrf/thm-4.4", "mine/x"}
EDITS = {
    "harness/claims/placement.py": {"nsrf/thm-4.4"},  # a helper that the papers share
    "harness/claims/lkrf/defects.py": {"lkrf/tab-1"},
    "harness/claims/lkrf/__init__.py": {"lkrf/tab-1", "nsrf/thm-4.4"},
    "harness/claims/lkrf/multinomial_laws.py": {"nsrf/thm-4.4"},  # another paper's test bed
    "bounds/_ranges.py": {"nsrf/thm-4.4", "mine/x"},
    "bounds/divergence_ball/moments.py": {"mine/x"},
    "signatures/domains.py": {"nsrf/thm-4.4", "mine/x"},
    "algos/fourier/sums.py": {"mine/x"},
    "harness/judges/deterministic.py": ALL,
    "harness/certify/rounding/spread.py": ALL,
    "mine.py": {"mine/x"},
    "helper.py": {"mine/x"},
    "parts/__init__.py": {"mine/x"},
    "parts/deeper.py": {"mine/x"},
    "unrelated.py": set(),
    "harness/claims/uarff/risk.py": set(),
    "algos/best_response/langevin.py": set(),
    "bounds/pac_bayes/tuning.py": set(),
    "harness/cli/check.py": set(),
    "harness/report/html/page.py": set(),
    "harness/selftest/entries.py": set(),
}


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, int]]:
    """Tasks executed per claim, in a copy of the project, after each edit (undone before the next)."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("algos", "bounds", "harness", "signatures"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    _write(folder, BESIDE)
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(list(EDITS))],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, int]] = json.loads(done.stdout)
    return found


def test_an_unchanged_project_computes_nothing_again(tasks: dict[str, dict[str, int]]) -> None:
    assert all(count > 0 for count in tasks[""].values())
    assert tasks["again"] == dict.fromkeys(ALL, 0)


@pytest.mark.parametrize(("name", "expected"), EDITS.items(), ids=EDITS.keys())
def test_an_edit_computes_again_what_it_reaches_and_nothing_else(
    tasks: dict[str, dict[str, int]], name: str, expected: set[str]
) -> None:
    assert {claim_id for claim_id, count in tasks[name].items() if count > 0} == expected


IMPORTS: dict[str, tuple[str, set[str]]] = {
    "plain": ("import helper", {"helper"}),
    "several": ("import helper, parts.deep as d", {"helper", "parts", "parts.deep", "parts.deeper"}),
    "a module of a package": ("from parts import deeper", {"parts", "parts.deeper"}),
    "a name of a module": ("from parts.deeper import NOTHING", {"parts", "parts.deeper"}),
    "in a body": ("def f():\n    try:\n        import helper\n    finally:\n        pass", {"helper"}),
    "after a matching case": ("match 1:\n    case 1:\n        import helper", {"helper"}),
    "by name": ("import importlib\nh = importlib.import_module('helper')", {"helper"}),
    "after a text that looks like code": ('x = """\nimport nothing\nclass"""\nif x: import helper', {"helper"}),
    "behind a semicolon": ("x = 1; import helper", {"helper"}),
    "nowhere": ("import no_such_module", set()),
    "a library": ("import numpy", set()),
    "its own file": ("import mine", {"mine"}),
}


@pytest.mark.parametrize(("text", "expected"), IMPORTS.values(), ids=IMPORTS.keys())
def test_every_form_of_import_is_followed(tmp_path: Path, text: str, expected: set[str]) -> None:
    _write(tmp_path, BESIDE | {"mine.py": text})
    found = {module.name for module in closure(tmp_path / "mine.py").siblings}
    assert found == expected


def test_a_folder_without_init_and_a_project_on_the_path_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(
        tmp_path,
        {
            "claims/mine.py": "from project.core import a",
            "project/core/a.py": "",
            "lib/x.dist-info/RECORD": "installed.py,,\n",
        },
    )
    _write(tmp_path, {"claims/yours.py": "import installed", "lib/installed.py": "import helper"})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "lib")
    assert {m.name for m in closure(tmp_path / "claims" / "mine.py").siblings} == {"project.core.a"}
    assert closure(tmp_path / "claims" / "yours.py").siblings == ()  # installed: its version stands for it
    assert "installed" in closure(tmp_path / "claims" / "yours.py").libraries


def test_libraries_count_by_their_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, {"mine.py": MINE.replace("import helper", "import helper, sklearn.svm"), **BESIDE_ONLY})
    (mine,) = from_file(tmp_path / "mine.py")
    before = source_hashes([mine])
    for library in ("torch", "numpy", "scipy", "flint", "sklearn"):
        with monkeypatch.context() as patched:
            patched.setattr(closures, "version_of", lambda n, x=library: "0" if n == x else version_of(n))
            assert source_hashes([mine]) != before, library
    assert source_hashes([mine]) == before
    assert set(versions()) == {"python", "torch", "numpy", "scipy", "python-flint"}
    assert all(versions().values())


BESIDE_ONLY = {name: text for name, text in BESIDE.items() if name != "mine.py"}


def test_a_user_s_file_imports_what_stands_beside_it_as_it_is_now(tmp_path: Path) -> None:
    """Two folders with a helper of one name, and a helper edited between two loads: stale modules would be judged."""
    for folder, high in (("one", 1.0), ("two", 2.0)):
        _write(tmp_path / folder, BESIDE | {"helper.py": f"HIGH = {high}\n"})

    def high(folder: str) -> float:
        (mine,) = from_file(tmp_path / folder / "mine.py")
        found: float = mine.body.__globals__["helper"].HIGH
        return found

    assert [high("one"), high("two"), high("one")] == [1.0, 2.0, 1.0]
    (tmp_path / "one" / "helper.py").write_text("HIGH = 3.25\n")
    assert high("one") == 3.25


def test_a_module_beside_that_does_not_import_is_one_sentence(tmp_path: Path) -> None:
    from harness.errors import UsageError

    _write(tmp_path, BESIDE | {"helper.py": "def broken(:"})
    with pytest.raises(UsageError, match="does not import: SyntaxError"):
        from_file(tmp_path / "mine.py")


def test_the_whole_ledger_takes_less_than_parsing_the_package_once() -> None:
    """In processor time, with nothing remembered: what every `tightrope check` pays before it starts, .6 s of it."""
    closures._parsed.cache_clear()
    closures._module_of_ours.cache_clear()
    claims = ledger()
    start = time.process_time()
    hashes = source_hashes(claims)
    middle = time.process_time()
    for top in ("algos", "bounds", "harness", "signatures"):
        for file in (ROOT / top).rglob("*.py"):
            ast.parse(file.read_bytes())
    assert middle - start < time.process_time() - middle
    assert len(set(hashes.values())) == len(claims)


TYPED = """
LEVEL = {level}
def helper(x):
    return {inside}
def body(forall):
    'x <= 1.'
    return (lambda y: helper(y))(forall.interval('x', 0, 1)), LEVEL
"""


def _typed(module: str = "typed_in", **parts: str) -> Claim:
    """A claim typed into a session: `exec` and some notebooks leave no file behind."""
    namespace: dict[str, object] = {"__name__": module}
    exec(TYPED.format_map({"level": "1.0", "inside": "x"} | parts), namespace)
    return claim(f"typed/{module}", always())(namespace["body"])  # type: ignore[arg-type]


def test_a_claim_typed_into_a_session_depends_on_what_is_typed_beside_it() -> None:
    def hashed(made: Claim) -> str:
        return source_hashes([made])[made.key]

    plain = hashed(_typed("one"))
    assert hashed(_typed("one")) == plain
    assert hashed(_typed("one", level="2.0")) != plain
    assert hashed(_typed("one", inside="2 * x")) != plain


def test_a_paper_s_beds_are_part_of_what_uses_them() -> None:
    """On the ledger itself: every module of ours that a loaded claim module holds is in its closure."""
    of_file = {file: closure(Path(file)) for file in {made.file for made in ledger()}}
    for made in ledger():
        held = {
            value.__name__
            for value in made.body.__globals__.values()
            if isinstance(value, type(os)) and value.__name__.partition(".")[0] in closures.OURS
        }
        held |= {
            value.__module__
            for value in made.body.__globals__.values()
            if callable(value) and str(getattr(value, "__module__", "")).partition(".")[0] in closures.OURS
        }
        assert held <= {module.name for module in of_file[made.file].modules}, made.key


WriteClaims = Callable[..., Path]


def test_a_changed_claim_is_another_claim(write_claims: WriteClaims, coin_text: str) -> None:
    (before,) = from_file(write_claims(coin_text))
    first = source_hashes([before])
    (same,) = from_file(write_claims(coin_text))
    assert source_hashes([same]) == first
    (changed,) = from_file(write_claims(coin_text.replace("2 * n", "8 * n")))
    assert source_hashes([changed]) != first
