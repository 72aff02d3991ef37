"""What the rows of a claim depend on: the import closure of its file, the judges, and the versions of libraries.

The closure is read from the source, nothing is imported: the import statements of the claim's file, of every module of
ours that they reach, and of a user's modules beside the file or elsewhere in the project. A module given by name alone
(`importlib.import_module("name")`) counts. What it misses of a user's, `harness.run.witness` has seen being read.
"""

import ast
import hashlib
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import NamedTuple

from harness.language.registry import Claim
from harness.origins import OURS, ROOT, is_ours, library_folders, place_of
from harness.run.typed import reached
from harness.run.witness import LOADED, UNKNOWN, Inputs, recorded

SHOWN = "harness.report"  # verdicts are displayed through it; no row depends on how they look
LIBRARIES = ("torch", "numpy", "scipy", "flint")
_DISTRIBUTIONS = {"flint": "python-flint", "sklearn": "scikit-learn"}  # looking the others up takes a second
_DYNAMIC = (b"import_module", b"__import__")
_NEXT_STATEMENT = re.compile(rb"(?m)^[A-Za-z_@]")


class Import(NamedTuple):
    """One import statement: `from ..module import names`, with the number of dots."""

    module: str
    names: tuple[str, ...] = ()
    dots: int = 0


class Module(NamedTuple):
    """A module: its dotted name (empty for a user's claim file), its file, and where a package's modules lie.

    A built-in module has no file, nor has a package without `__init__.py`. A claim file may lie `within` a package.
    """

    name: str
    path: str
    inside: tuple[str, ...] | None = None
    within: str = ""

    @property
    def package(self) -> str:
        """What dots in its imports are relative to."""
        return self.name if self.inside is not None else self.name.rpartition(".")[0] or self.within


@dataclass(frozen=True)
class Closure:
    """The modules that a file reaches, and the top-level names of the libraries among its imports."""

    modules: frozenset[Module]
    libraries: frozenset[str]

    @property
    def siblings(self) -> tuple[Module, ...]:
        """The user's own modules, without the claim's file."""
        return tuple(m for m in self.modules if m.name and m.name.partition(".")[0] not in OURS)


def source_hashes(claims: Iterable[Claim], *, session: bool = False) -> dict[str, str]:
    """By key of a claim, the hash of what its rows depend on besides the seed, the device, the cell and the task.

    What a body reads when it is run is not known before: the row says it. In a session that judges claims in its own
    process, the values that they reach may have been changed since they were loaded.
    """
    ours = Finder()  # one for all claims of ours: they share most of what they reach
    engine = _hash(platform.python_version(), closure(ROOT / "harness" / "__init__.py", ours))
    by_module: dict[str, str] = {}
    found = {}
    for claim in claims:
        module = claim.body.__module__
        whole_file = is_ours(claim.file) or (module in LOADED and not session)
        if module not in by_module or not whole_file:
            by_module[module] = _source_hash(claim, ours, whole_file=whole_file)
        found[claim.key] = hashlib.sha256(f"{claim.key} {by_module[module]} {engine}".encode()).hexdigest()[:16]
    return found


def _source_hash(claim: Claim, ours: "Finder", *, whole_file: bool) -> str:
    """Of a file: all that it imports, and what was read when it was loaded. Of other claims: all that they reach."""
    within = closure(Path(claim.file), ours) if Path(claim.file).is_file() else Closure(frozenset(), frozenset())
    read = _seen_from(os.path.dirname(os.path.abspath(claim.file)), LOADED.get(claim.body.__module__, {}))
    if whole_file:
        return _hash(read, within)
    text, modules = reached(claim.body)
    others = _reached(sorted(modules), Finder())
    return _hash(read + text, Closure(within.modules | others.modules, within.libraries | others.libraries))


def _seen_from(folder: str, read: Inputs) -> str:
    """What was read, with files named from a folder, so that it can be moved; never the same if it is not known."""
    found = [(key.replace(f" {folder}{os.sep}", " "), value) for key, value in read.items() if key != "here"]
    return repr(sorted(found)) + (os.urandom(16).hex() if UNKNOWN in read.values() else "")


def _hash(more: str, reached: Closure) -> str:
    """Hash of the modules' content and of the libraries' versions."""
    contents = sorted((module.name, _read(module.path).digest) for module in reached.modules)
    installed = sorted((name, version_of(name)) for name in reached.libraries)
    return hashlib.sha256(repr([more, contents, installed]).encode()).hexdigest()


def versions() -> dict[str, str]:
    """The versions that every row depends on, as they are written beside it."""
    return {"python": platform.python_version()} | {_DISTRIBUTIONS.get(n, n): version_of(n) for n in LIBRARIES}


def closure(file: Path, ours: "Finder | None" = None) -> Closure:
    """The closure of a file: one of Tightrope's, or a user's, whose imports are first looked for beside it.

    `ours` has looked at files of Tightrope's, and remembers what it found.
    """
    path = file.resolve()
    if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        return _reached([name], ours or Finder())
    root, package = place_of(path)
    start = Module("", str(path), within=package)
    finder = Finder(str(path.parent), str(root))
    within = _reached([package, *finder.imports(start)], finder)
    return Closure(within.modules | {start}, within.libraries)


class Finder:
    """Where names are imported from: Tightrope first, then the folders `beside` a user's file, then the path.

    It looks at each name and at each module once.
    """

    def __init__(self, *beside: str) -> None:
        self.beside = beside
        self._found: dict[str, Module | None] = {}
        self._imports: dict[Module, tuple[str, ...]] = {}
        self._run_by: dict[str, list[Module]] = {}

    def imports(self, module: Module) -> tuple[str, ...]:
        """The dotted names that a module imports; a name taken from a package may be a module of it."""
        if module not in self._imports:
            self._imports[module] = tuple(dict.fromkeys(self._names(module)))
        return self._imports[module]

    def _names(self, module: Module) -> Iterator[str]:
        for statement in _read(module.path).imports:
            base = statement.module
            if statement.dots:
                base = f"{module.package.rsplit('.', statement.dots - 1)[0]}.{base}".strip(".")
            yield base
            taken_from = self.find(base) if statement.names and base else None
            if taken_from is not None and taken_from.inside is not None:
                yield from (f"{base}.{name}" for name in statement.names)

    def run_by(self, name: str) -> list[Module]:
        """The modules that importing a dotted name runs, its packages first."""
        if name not in self._run_by:
            parts = name.split(".")
            chain = (self.find(".".join(parts[:count])) for count in range(1, len(parts) + 1))
            self._run_by[name] = [module for module in chain if module is not None and module.path]
        return self._run_by[name]

    def find(self, name: str) -> Module | None:
        """The module of a name, or None where there is none."""
        if name.partition(".")[0] in OURS:
            return _module_of_ours(name)
        if name not in self._found:
            self._found[name] = self._look_for(name)
        return self._found[name]

    def _look_for(self, name: str) -> Module | None:
        above = name.rpartition(".")[0]
        if above:
            return _within(self.find(above), name)
        spec = _loaded_library(name) or (PathFinder.find_spec(name, self.beside) if self.beside else None)
        try:
            return _module(name, spec or importlib.util.find_spec(name))
        except (ImportError, ValueError):  # __main__ and its like
            return None


def _loaded_library(name: str) -> ModuleSpec | None:
    """An installed library that this process has loaded, which stays what `import` finds, whatever file hides it."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    installed = isinstance(spec, ModuleSpec) and (spec.origin or "").startswith(library_folders())
    return spec if installed and name not in sys.stdlib_module_names else None


@cache
def _module_of_ours(name: str) -> Module | None:
    above = name.rpartition(".")[0]
    return _within(_module_of_ours(above), name) if above else _module(name, PathFinder.find_spec(name, [str(ROOT)]))


def _within(package: Module | None, name: str) -> Module | None:
    """A module of a package; looked for by its last name, since the package itself is not imported."""
    if package is None or package.inside is None:
        return None
    return _module(name, PathFinder.find_spec(name.rpartition(".")[2], list(package.inside)))


def _module(name: str, spec: ModuleSpec | None) -> Module | None:
    if spec is None:
        return None
    places = spec.submodule_search_locations
    origin = spec.origin if spec.has_location else None
    return Module(name, origin or "", None if places is None else tuple(places))


def _reached(names: Iterable[str], finder: Finder) -> Closure:
    """What importing some names brings in."""
    waiting, seen = list(names), set[str]()
    modules, libraries = set[Module](), set[str]()
    while waiting:
        name = waiting.pop()
        if not name or name in seen or f"{name}.".startswith(f"{SHOWN}."):
            continue
        seen.add(name)
        top = name.partition(".")[0]
        if top not in OURS and _is_library(finder.find(top)):
            libraries |= {top} - sys.stdlib_module_names
            continue
        for module in finder.run_by(name):
            if module not in modules:
                modules.add(module)
                waiting += finder.imports(module)
    return Closure(frozenset(modules), frozenset(libraries))


def _is_library(top: Module | None) -> bool:
    """Whether a top-level module comes with Python or was installed: its version stands for its content."""
    if top is None:
        return False
    places = top.inside or ((top.path,) if top.path else ())
    return not places or any(_was_installed(place) for place in places)


@cache
def _was_installed(place: str) -> bool:
    """Whether a module's file, or a package's folder, is where libraries are installed, or in the record of one."""
    return place.startswith(library_folders()) or any(
        f"{file}/".startswith(f"{place}/") for file in recorded(os.path.dirname(place))
    )


class Source(NamedTuple):
    """A file's hash and what it imports."""

    digest: str
    imports: tuple[Import, ...]


def _read(path: str) -> Source:
    """A file in its current state, or the archive that it is in; read again only when it has changed."""
    try:
        stat = os.stat(path)
    except NotADirectoryError:
        path = next(str(place) for place in Path(path).parents if place.is_file())
        stat = os.stat(path)
    return _parsed(path, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, stat.st_size)


@cache
def _parsed(path: str, *_state: int) -> Source:
    content = Path(path).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    tree = _tree(_head(content)) or _tree(content)
    if tree is None:  # a compiled module
        return Source(digest, ())
    found = [statement for node in _statements(tree.body) for statement in _imported(node)]
    if any(word in content for word in _DYNAMIC):
        found += _imported_by_name(tree)
    return Source(digest, tuple(found))


def _tree(content: bytes) -> ast.Module | None:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError):
        return None


def _head(content: bytes) -> bytes:
    """A source up to the statement after the last word `import`: the rest contains none and takes long to parse."""
    following = _NEXT_STATEMENT.search(content, content.rfind(b"import") + 1)
    return content[: following.start()] if following else content


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every statement; expressions are skipped, since they are most of the tree and contain no imports."""
    for node in body:
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, block, None)
            if isinstance(inside, list):
                yield from _statements(inside)


def _imported(node: ast.AST) -> list[Import]:
    if isinstance(node, ast.Import):
        return [Import(alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [Import(node.module or "", tuple(alias.name for alias in node.names), node.level)]
    return []


def _imported_by_name(tree: ast.Module) -> list[Import]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    named = [(ast.unparse(call.func).rpartition(".")[2], call.args[0]) for call in calls]
    return [
        Import(first.value)
        for function, first in named
        if function in ("import_module", "__import__") and isinstance(first, ast.Constant)
        if isinstance(first.value, str)
    ]


@cache
def version_of(library: str) -> str:
    """The installed version of the distribution that a top-level module belongs to."""
    try:
        return version(_DISTRIBUTIONS.get(library, library))
    except PackageNotFoundError:
        return ", ".join(f"{name} {version(name)}" for name in sorted(packages_distributions().get(library, ())))
