"""A verdict is used again only if another run would give it: small projects that are judged, changed and judged again.

Each was once given the verdict of before its change.
"""

import json
import os
import py_compile
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.errors import UsageError
from harness.language.registry import Claim, forget
from harness.run.api import check_all, settings_for
from harness.run.closure import source_hashes
from harness.run.loading import from_file, ledger
from harness.run.unchanged import watch
from harness.run.witness import noting

CLAIM = '''
{before}
from harness import always, claim, grid
@claim("mine/{name}", always(), over=grid(n=[2])){decorator}
def t(forall, *, n):
    """|x|_1 <= C |x|_2: true for C = 2, and false for C = 1."""
    {inside}
    x = forall.ball("x", n)
    return x.abs().sum(-1), {constant} * x.norm(dim=-1)
'''
HOLDS, REFUTED = {"mine/c": "HOLDS"}, {"mine/c": "REFUTED"}
BESIDE = "from pathlib import Path\nHERE = Path(__file__).parent\n"
ONE, TWO = "C = 1.0\n", "C = 2.0\n"


def _claim(before: str = "", *, inside: str = "", name: str = "c", decorator: str = "", constant: str = "C") -> str:
    decorator = decorator and f"\n{decorator}"
    return CLAIM.format(before=before, inside=inside, name=name, decorator=decorator, constant=constant)


def _write(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


Edit = Callable[[pytest.MonkeyPatch], object]


@dataclass(frozen=True)
class Project:
    """Files, a command, a change, and the verdicts before and after it."""

    files: Mapping[str, str]
    edit: Mapping[str, str] | Edit = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=lambda: HOLDS)
    after: Mapping[str, str] = field(default_factory=lambda: REFUTED)
    command: tuple[str, ...] = ("c.py",)
    then: tuple[str, ...] = ()  # another command, after the change
    prepare: Callable[[pytest.MonkeyPatch], object] = lambda _: None
    steady: bool = True  # without a change, the run is remembered


def _set(name: str, value: str) -> Edit:
    return lambda monkeypatch: monkeypatch.setenv(name, value)


def _with_old_bytecode(_: object) -> None:
    py_compile.compile("helper.py")


def _keeping_its_time(_: object) -> None:
    before = os.stat("helper.py")
    Path("helper.py").write_text(ONE)
    os.utime("helper.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def _zip(text: str) -> Edit:
    def packed(monkeypatch: pytest.MonkeyPatch) -> None:
        with zipfile.ZipFile("lib.zip", "w") as archive:
            archive.writestr("zhelper.py", text)
        monkeypatch.syspath_prepend(str(Path("lib.zip").resolve()))

    return packed


def _on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(os.getcwd())


def _linked(_: object) -> None:
    Path("helper.py").unlink()
    Path("helper.py").symlink_to("other.py")


LOGGED = """
import functools
def logged(f):
    @functools.wraps(f)
    def g(*a, **k):
        return f(*a, **k)
    return g
"""
READ = 'C = float((HERE / "k.txt").read_text())'
REPLACING = "import math\nbefore = math.sqrt\nmath.sqrt = lambda x: 2.0 * before(x)\nC = 2.0"
REWRITTEN = f"""{BESIDE}
C = 2.0
path = Path(__file__)
path.write_text(path.read_text().replace("C = 2" + ".0", "C = 1" + ".0"))
"""
CAT = "from subprocess import check_output"
FULL = "from harness.claims.full_size import full_size"
PROJECTS = {
    "a decorator of another file": Project(
        {"c.py": _claim("from helper import logged\n" + TWO, decorator="@logged"), "helper.py": LOGGED},
        {"c.py": _claim("from helper import logged\n" + ONE, decorator="@logged")},
    ),
    "a decorator of a library": Project(
        {"c.py": _claim("import torch\n" + TWO, decorator="@torch.enable_grad()")},
        {"c.py": _claim("import torch\n" + ONE, decorator="@torch.enable_grad()")},
    ),
    "a variable of the environment": Project(
        {"c.py": _claim('import os\nC = float(os.environ.get("MY_C", "2.0"))')}, _set("MY_C", "1.0")
    ),
    "a variable that a body asks for": Project(
        {"c.py": _claim("import os", inside='C = float(os.getenv("MY" + "_C", "2.0"))')}, _set("MY_C", "1.0")
    ),
    "whether all variables are": Project(
        {"c.py": _claim("import os", inside="C = 1.0 if 'MY_C' in dict(os.environ) else 2.0")}, _set("MY_C", "1.0")
    ),
    "the full size": Project(
        {"c.py": _claim(FULL, inside="C = 1.0 if full_size() else 2.0")}, _set("TIGHTROPE_FULL", "1")
    ),
    "a file that is read when loading": Project({"c.py": _claim(BESIDE + READ), "k.txt": "2.0"}, {"k.txt": "1.0"}),
    "a file that a body reads": Project({"c.py": _claim(BESIDE, inside=READ), "k.txt": "2.0"}, {"k.txt": "1.0"}),
    "a file that a body reads, from a library": Project(
        {"c.py": _claim(BESIDE + "import numpy", inside='C = float(numpy.loadtxt(HERE / "k.txt"))'), "k.txt": "2.0"},
        {"k.txt": "1.0"},
    ),
    "a file that is not there yet": Project(
        {"c.py": _claim(BESIDE, inside='C = 1.0 if (HERE / "k.txt").exists() else 2.0')}, {"k.txt": ""}
    ),
    "what is in a folder": Project(
        {"c.py": _claim(BESIDE, inside='C = 2.0 / len(list((HERE / "k").glob("*.txt")))'), "k/1.txt": ""},
        {"k/2.txt": ""},
    ),
    "a copy that reads another file": Project(
        {f"{folder}/c.py": _claim(BESIDE + READ) for folder in "ab"} | {"a/k.txt": "2.0", "b/k.txt": "1.0"},
        command=("a/c.py",),
        then=("b/c.py",),
    ),
    "a copy whose body reads another file": Project(
        {f"{folder}/c.py": _claim(BESIDE, inside=READ) for folder in "ab"} | {"a/k.txt": "2.0", "b/k.txt": "1.0"},
        command=("a/c.py",),
        then=("b/c.py",),
    ),
    "what another process says": Project(
        {"c.py": _claim(BESIDE + CAT, inside='C = float(check_output(["cat", HERE / "k.txt"]))'), "k.txt": "2.0"},
        {"k.txt": "1.0"},
        steady=False,
    ),
    "a folder on the path": Project(
        {"c.py": _claim(BESIDE + 'import sys\nsys.path.insert(0, str(HERE / "lib"))\nfrom consts import C')}
        | {"lib/consts.py": TWO},
        {"lib/consts.py": ONE},
    ),
    "a module that a star brings": Project(
        {"c.py": _claim("from pk import *\nC = sub.C"), "pk/__init__.py": '__all__ = ["sub"]', "pk/sub.py": TWO},
        {"pk/sub.py": ONE},
    ),
    "a name relative to a package": Project(
        {"c.py": _claim("from pk import C"), "pk/sub.py": TWO}
        | {"pk/__init__.py": 'import importlib\nC = importlib.import_module(".sub", __package__).C'},
        {"pk/sub.py": ONE},
    ),
    "another name for the import": Project(
        {"c.py": _claim('from importlib import import_module as load\nC = load("su" + "b").C'), "sub.py": TWO},
        {"sub.py": ONE},
    ),
    "a file that is run": Project(
        {"c.py": _claim(BESIDE + 'import runpy\nC = runpy.run_path(str(HERE / "sub.py"))["C"]'), "sub.py": TWO},
        {"sub.py": ONE},
    ),
    "a folder with the metadata of a library": Project(
        {"c.py": _claim("from helper import C"), "helper.py": TWO, "x.dist-info/RECORD": "x.py,,"}, {"helper.py": ONE}
    ),
    "such a folder on the path": Project(
        {"c.py": _claim("from helper import C"), "helper.py": TWO, "x.dist-info/RECORD": "x.py,,"},
        {"helper.py": ONE},
        prepare=_on_the_path,
    ),
    "a helper of one name in two folders": Project(
        {f"{name}/c.py": _claim(name=name, inside="from helper import C") for name in "ab"}
        | {"a/helper.py": TWO, "b/helper.py": ONE},
        before={"mine/a": "HOLDS", "mine/b": "REFUTED"},
        after={"mine/a": "HOLDS"},
        command=("a/c.py", "b/c.py"),
        then=("a/c.py",),
        steady=False,
    ),
    "old bytecode": Project(
        {"c.py": _claim("from helper import C"), "helper.py": TWO}, _keeping_its_time, prepare=_with_old_bytecode
    ),
    "a link": Project({"c.py": _claim("from helper import C"), "helper.py": TWO, "other.py": ONE}, _linked),
    "a file that changes while it is loaded": Project({"c.py": _claim(REWRITTEN)}, steady=False),
    "an archive": Project({"c.py": _claim("from zhelper import C")}, _zip(ONE), prepare=_zip(TWO)),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are remembered as if torch were not loaded."""

    def watched(patterns: tuple[str, ...], options: dict[str, object]) -> object:
        return watch(patterns, options, (False, 140, None))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.cli.check._watched", watched)
    for name in ("TIGHTROPE_DATA", "TIGHTROPE_FULL", "MY_C"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def _check(*files: str) -> tuple[str, dict[str, str]]:
    """What a run prints, and its verdicts; each begins with the same path, as a new process would."""
    path = list(sys.path)
    done = CliRunner().invoke(main, ["check", *files, "--quick", "--jobs", "1"])
    sys.path[:] = path
    assert done.exit_code in (0, 1), done.output
    claims = json.loads(Path("results/verdicts.json").read_text())["claims"]
    return done.output, {claim["id"]: claim["status"] for claim in claims}


@pytest.mark.in_turn
@pytest.mark.parametrize("project", PROJECTS.values(), ids=PROJECTS)
def test_what_has_changed_is_judged_again(project: Project, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(project.files)
    project.prepare(monkeypatch)
    assert _check(*project.command)[1] == project.before
    if project.steady:
        said, again = _check(*project.command)
        assert re.search("^unchanged: ", said, re.MULTILINE)
        assert again == project.before
    if callable(project.edit):
        project.edit(monkeypatch)
    else:
        _write(project.edit)
    assert _check(*(project.then or project.command))[1] == project.after


def test_rows_are_reused_when_what_a_body_reads_is_the_same(folder: Path) -> None:
    _write({"c.py": _claim(BESIDE, inside=READ), "k.txt": "2.0"})
    _check("c.py")
    rows = Path("results/rows/mine%2Fc.jsonl").read_text()
    Path("results/unchanged.json").unlink()
    _check("c.py")
    assert Path("results/rows/mine%2Fc.jsonl").read_text() == rows


def test_a_file_that_replaces_functions_is_an_error_and_spares_the_others(folder: Path) -> None:
    half = _claim("import math", name="b", constant="math.sqrt(n) / 2")
    _write({"a.py": _claim(REPLACING, name="a"), "b.py": half})
    done = CliRunner().invoke(main, ["check", "a.py", "b.py", "--quick", "--jobs", "1"])
    assert done.exit_code == 2
    assert "a.py: importing it changes math.sqrt, on which other results depend" in done.output
    assert "REFUTED   mine/b" in done.output


def test_a_decorated_claim_belongs_to_its_own_file(folder: Path) -> None:
    _write({"c.py": _claim("from helper import logged\n" + TWO, decorator="@logged"), "helper.py": LOGGED})
    (made,) = from_file(Path("c.py"))
    assert Path(made.file).name == "c.py"


def test_the_ledgers_read_nothing_while_they_are_imported() -> None:
    """What a module of this package reads then is in no hash."""
    read: dict[str, str] = {}
    ledger.cache_clear()
    with noting(read):
        ledger()
        ledger("classics")
    assert read == {}


VALUES = {
    "a tensor": ("C = torch.tensor({})", "C"),
    "an array": ("C = np.array([{}])", "float(C[0])"),
    "a long array in a list": ("s = [np.r_[np.zeros(600), {}, np.zeros(600)]]", "float(s[0].max())"),
    "partial": ("f = functools.partial(lambda c: c, {})", "f()"),
    "a namespace": ("s = types.SimpleNamespace(c={})", "s.c"),
    "a fraction": ("s = fractions.Fraction({})", "float(s)"),
    "a set": ("s = {{{}}}", "max(s)"),
    "an instance": ("class K:\n    def __init__(s, c): s.c = c\nk = K({})", "k.c"),
    "an attribute of a class": ("class K:\n    c = {}", "K.c"),
    "a default of a dataclass": ("@dataclasses.dataclass\nclass K:\n    c: float = {}", "K().c"),
    "a class method": ("class K:\n    @classmethod\n    def f(c): return {}", "K.f()"),
    "a property": ("class K:\n    @property\n    def f(c): return {}", "K().f"),
    "a static method": ("class K:\n    @staticmethod\n    def f(): return {}", "K.f()"),
    "lru_cache": ("@functools.lru_cache\ndef f(): return {}", "f()"),
    "a closure": ("def make(c):\n    return lambda: c\nf = make({})", "f()"),
}
LIBRARIES = "import dataclasses, fractions, functools, types\nimport numpy as np\nimport torch\n"


def _typed(text: str, constant: str) -> Claim:
    forget("typed_again")
    namespace: dict[str, object] = {"__name__": "typed_again"}
    exec(_claim(LIBRARIES + text, constant=constant), namespace)
    made = namespace["t"]
    assert isinstance(made, Claim)
    return made


@pytest.mark.parametrize(("text", "constant"), VALUES.values(), ids=VALUES)
def test_a_claim_typed_into_a_session_depends_on_every_value(text: str, constant: str) -> None:
    one, again, two = (
        source_hashes([_typed(text.format(value), constant)])["mine/c"] for value in ("1.0", "1.0", "2.0")
    )
    assert one == again
    assert one != two


def test_what_cannot_be_written_out_is_never_the_same() -> None:
    text = "import threading\ns = threading.Lock()\nC = 1.0"
    made = _typed(text, "(C if s else C)")
    assert source_hashes([made]) != source_hashes([made])


def test_a_value_that_a_session_has_changed_is_seen(folder: Path) -> None:
    _write({"c.py": _claim("import consts", constant="consts.C"), "consts.py": TWO})
    (made,) = from_file(Path("c.py"))

    def status() -> str:
        return check_all([made], folder=Path("kept"), settings=settings_for(effort="quick"))[0].status.name

    assert status() == "HOLDS"
    made.body.__globals__["consts"].C = 1.0
    assert status() == "REFUTED"


def test_a_file_does_not_import_from_what_another_has_put_on_the_path(folder: Path) -> None:
    on_path = f'{BESIDE}import sys\nsys.path.insert(0, str(HERE / "lib"))\nfrom consts import C'
    _write({"a/c.py": _claim(on_path, name="a"), "a/lib/consts.py": TWO, "b/c.py": _claim("from consts import C")})
    from_file(Path("a/c.py"))
    with pytest.raises(UsageError, match="No module named 'consts'"):
        from_file(Path("b/c.py"))
