"""Rules that a reader of the source relies on, checked on the syntax trees of the four packages."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path for package in ("signatures", "bounds", "algos", "harness") for path in (ROOT / package).rglob("*.py")
)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_file = pytest.mark.parametrize("path", FILES, ids=_name)


def _files(*, but: Collection[str] = (), below: str = "") -> pytest.MarkDecorator:
    """Those under a folder, without some."""
    some = [path for path in FILES if _name(path).startswith(below) and not _name(path).startswith(tuple(but))]
    return pytest.mark.parametrize("path", some, ids=_name)


WRITERS = {"write_text", "write_bytes", "mkdir", "makedirs", "unlink", "rmtree", "rename", "replace_file", "touch"}
MODULE_WRITERS = {
    "os": {"open", "write", "replace", "rename", "remove", "mkdir", "makedirs", "chmod", "unlink"},
    "np": {"save", "savez", "savez_compressed", "savetxt"},
    "torch": {"save"},
    "json": {"dump"},
    "pickle": {"dump"},
    "tempfile": {"mkstemp", "mkdtemp", "TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory"},
    "shutil": {"copy", "copyfile", "copytree", "move", "rmtree"},
}
MAY_WRITE = {
    "harness/files.py",
    "harness/run/store.py",
    "harness/run/workers/work.py",  # its own standard streams, nothing else
    "harness/report/terminal.py",  # to the null device
    "harness/benchmarks/",
}

GENERATORS = {"Generator", "default_rng", "SeedSequence", "Philox", "PCG64", "BitGenerator", "RandomState"}
SEEDED = {"default_rng", "RandomState", "SeedSequence", "Philox", "PCG64"}
READINGS = {"printed", "published", "paper", "as printed", "corrected", "repaired", "improved", "sharp", "reading"}
"""What no argument is called or may be: a reading of a theorem is a function of its own."""
TORCH_GLOBAL = {"rand", "randn", "randint", "randperm", "rand_like", "randn_like", "bernoulli", "multinomial", "normal"}


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(_tree(path)) if isinstance(node, ast.Call))


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _opens_for_writing(call: ast.Call) -> bool:
    if not (isinstance(call.func, ast.Name) and call.func.id == "open") and not _dotted(call.func).endswith(".open"):
        return False
    texts = [a.value for a in [*call.args, *(k.value for k in call.keywords)] if isinstance(a, ast.Constant)]
    return any(isinstance(text, str) and set(text) <= set("rwxabt+") and set(text) & set("wxa+") for text in texts)


@_files(but=MAY_WRITE)
def test_one_module_touches_the_disk_for_results(path: Path) -> None:
    """Anything else that wrote files would escape atomic writing, healing and the read-only message."""
    name = _name(path)
    for call in _calls(path):
        dotted = _dotted(call.func)
        module, _, function = dotted.rpartition(".")
        writes = (
            _opens_for_writing(call)
            or (isinstance(call.func, ast.Attribute) and call.func.attr in WRITERS)
            or function in MODULE_WRITERS.get(module, ())
        )
        assert not writes, f"{name}:{call.lineno} writes with {dotted or 'open'}; go through harness.run.store"


@_files(but=("harness/run/surroundings.py",))  # which reads their states and puts them back, so that nobody else can
def test_nobody_calls_a_global_random_generator(path: Path) -> None:
    """A verdict must depend on (seed, claim, cell, block) alone."""
    name = _name(path)
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            assert all(alias.name.split(".")[0] != "random" for alias in node.names), f"{name}:{node.lineno}"
        if isinstance(node, ast.ImportFrom):
            assert node.module != "random", f"{name}:{node.lineno}"
        if not isinstance(node, ast.Call):
            continue
        dotted = _dotted(node.func)
        where = f"{name}:{node.lineno} calls {dotted}"
        keywords = {keyword.arg for keyword in node.keywords}
        if dotted.startswith(("np.random.", "numpy.random.")):
            assert dotted.rsplit(".", 1)[1] in GENERATORS, where
        if dotted.rpartition(".")[2] in SEEDED:
            assert node.args or node.keywords, f"{where} without a seed"
        if dotted in {"torch.manual_seed", "torch.seed", "torch.cuda.manual_seed_all", "torch.random.manual_seed"}:
            assert name == "harness/language/quantifiers.py", where
        module, _, function = dotted.rpartition(".")
        if module == "torch" and function in TORCH_GLOBAL and not name.startswith("harness/benchmarks/"):  # only timed
            assert "generator" in keywords, f"{where} without a generator"


def _formulas() -> list[Path]:
    return [path for path in FILES if path.relative_to(ROOT).parts[0] in ("bounds", "algos")]


@pytest.mark.parametrize("path", _formulas(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_reading_is_a_function_and_no_argument(path: Path) -> None:
    """The bare name is what holds, `printed_...` is the paper's: a flag could be forgotten, its default be false."""
    for node in ast.walk(_tree(path)):
        words = [node.arg] if isinstance(node, ast.arg | ast.keyword) else []
        words += [node.value] if isinstance(node, ast.Constant) else []
        assert not READINGS.intersection(words), f"{path.name}:{node.lineno} has {words}; write printed_... instead"


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("open('x', 'w')", "disk"),
        ("path.open(mode='a')", "disk"),
        ("path.write_text('x')", "disk"),
        ("os.replace('a', 'b')", "disk"),
        ("np.save('x', a)", "disk"),
        ("import random", "random"),
        ("np.random.rand(3)", "random"),
        ("np.random.default_rng()", "random"),
        ("np.random.RandomState()", "random"),
        ("torch.manual_seed(0)", "random"),
        ("torch.randn(3)", "random"),
        ("def f(printed: bool = False): ...", "reading"),
        ("def f(constant: Literal['printed', 'safe']): ...", "reading"),
        ("f(1.0, reading=None)", "reading"),
    ],
)
def test_the_rules_see_what_they_forbid(source: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that matches nothing would pass for ever."""
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: source)
    check = {
        "disk": test_one_module_touches_the_disk_for_results,
        "random": test_nobody_calls_a_global_random_generator,
        "reading": test_a_reading_is_a_function_and_no_argument,
    }
    with pytest.raises(AssertionError):
        check[rule](ROOT / "harness" / "anything.py")


@_files(below="harness/claims/")
def test_claims_hold_no_statistics(path: Path) -> None:
    """A ledger module names bounds, algorithms and the interface; evidence and search are none of its business."""
    name = _name(path)
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness"):
            allowed = ("harness.claims", "harness.data", "harness.language.defects", "harness.language.papers")
            assert node.module == "harness" or node.module.startswith(allowed), name
        if isinstance(node, ast.Import):
            assert all(not alias.name.startswith("harness.") for alias in node.names), name
