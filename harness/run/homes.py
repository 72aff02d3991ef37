"""Where a user's file of claims is at home: the modules that it imports, the path it imports from, and what it sets.

Two files may each have a `helper.py` beside them. So every file is loaded with its own modules, as they are now, and
whenever one of its claims is judged in this process, these are the modules that `import` finds, not those of the file
that was loaded last. What was read by then is remembered with the file. What it sets, such as the precision of
decimals, is set for its own claims alone.
"""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from harness.origins import is_ours, library_folders, place_of
from harness.run.closure import closure
from harness.run.witness import LOADED, digest, is_users, note, noting, unheard

if TYPE_CHECKING:
    from harness.run.surroundings import Setting

PREFIX = "tightrope_user_"


class Afresh(SourceFileLoader):
    """Compiles a user's file as it is now: bytecode would not tell two versions of one size and one second apart."""

    def path_stats(self, path: str) -> Any:
        if is_ours(path):
            return super().path_stats(path)
        raise OSError(f"no bytecode is kept for {path}")

    def get_data(self, path: str) -> bytes:
        """The bytes that are compiled are what was read, whatever becomes of the file meanwhile."""
        with unheard():
            content = super().get_data(path)
        if not is_ours(path):
            note(f"source {os.path.abspath(path)}", digest(content))
        return content


class Home:
    """The modules, the path and the settings of a file of claims."""

    def __init__(self) -> None:
        self.settings: list[Setting] = []
        self.modules: dict[str, ModuleType] = {}
        self.path: list[str] = []
        self.added = set[str]()  # to the path


_HOMES: dict[str, Home] = {}
_current = Home()
_displaced: dict[str, ModuleType] = {}  # what stands where the current home has modules, when it is left


@contextmanager
def at_home(module: str) -> Iterator[None]:
    """Let imports within find what the file of claims found that was loaded as `module`."""
    home = _HOMES.get(module)
    if home is None:
        _leave()
        try:
            yield
        finally:
            _enter()
        return
    if home is not _current:
        _move(home)
    with _settling(home):
        yield


@contextmanager
def built(module: str, path: Path) -> Iterator[None]:
    """Load a file of claims within: it imports what stands beside it, as it is now, and nothing of another file's.

    Beside it: in its folder, and in the folder of the package that it lies in.
    """
    from harness.run.surroundings import noticing  # noqa: PLC0415  (with torch, which a file of claims takes anyway)

    _compile_afresh()
    importlib.invalidate_caches()
    (root, package), folder = place_of(path), path.resolve().parent
    own = root / package.partition(".")[0] if package else folder
    home = _HOMES[module] = Home()
    _move(home)
    for sibling in closure(path).siblings:
        loaded = getattr(sys.modules.get(sibling.name), "__file__", None)
        if loaded != sibling.path or Path(sibling.path).is_relative_to(own):
            sys.modules.pop(sibling.name, None)
    LOADED[module] = {}
    # what is set is asked for outside, where asking for the environment is not noted as the file's
    with noticing(home.settings), noting(LOADED[module], LOADED[module]), _settling(home):
        first = list(dict.fromkeys([str(folder), str(root)]))
        sys.path[:] = [*first, *(entry for entry in sys.path if entry not in first)]
        yield


def _move(home: Home) -> None:
    """Put the modules of the current home away, back what they displaced, and those of another in place."""
    global _current  # noqa: PLW0603  (of the process, as sys.modules is)
    _leave()
    for name, module in _current.modules.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
    for name, module in _displaced.items():
        sys.modules.setdefault(name, module)
    _displaced.clear()
    _displaced.update({name: sys.modules[name] for name in home.modules if name in sys.modules})
    sys.modules.update(home.modules)
    others = [entry for entry in sys.path if entry not in _current.added]
    sys.path[:] = [*home.path, *(entry for entry in others if entry not in home.path)]
    _current = home
    _enter()


def leave() -> None:
    """Put away what the current home has in this process: no file of claims is at home then."""
    _move(Home())


def _leave() -> None:
    """Set what was set before the current home."""
    for setting in reversed(_current.settings):
        setting.leave()


def _enter() -> None:
    """Set what the current home has set."""
    for setting in _current.settings:
        setting.enter()


@contextmanager
def _settling(home: Home) -> Iterator[None]:
    """What is imported within is the home's."""
    before, path = dict(sys.modules), set(sys.path)
    try:
        yield
    finally:
        if len(sys.modules) != len(before):
            new = {name: module for name, module in list(sys.modules.items()) if before.get(name) is not module}
            home.modules |= {name: module for name, module in new.items() if _of_users(name, module)}
        home.path = list(sys.path)
        home.added |= set(sys.path) - path


def _of_users(name: str, module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    places = [file] if isinstance(file, str) else list(getattr(module, "__path__", None) or ())
    return not name.startswith(PREFIX) and bool(places) and all(is_users(str(place)) for place in places)


@cache
def _compile_afresh() -> None:
    """Have the modules of users compiled anew in this process, wherever they lie."""
    finder = FileFinder.path_hook(
        (ExtensionFileLoader, EXTENSION_SUFFIXES), (Afresh, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES)
    )

    def hook(folder: str) -> Any:
        if f"{folder}/".startswith(library_folders()):
            raise ImportError("the modules of libraries come with their bytecode")
        return finder(folder)

    sys.path_hooks.insert(0, hook)
    for folder in [each for each in sys.path_importer_cache if not f"{each}/".startswith(library_folders())]:
        del sys.path_importer_cache[folder]
