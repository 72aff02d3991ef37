"""Whose code a file is: Python's and installed libraries', this package's, or the user's."""

import os
import site
import sysconfig
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OURS = frozenset({"algos", "bounds", "harness", "signatures"})
CLAIMS = f"{ROOT / 'harness' / 'claims'}{os.sep}"
"""Where the claims of the papers lie, which are read as those of a user are."""


@cache
def library_folders() -> tuple[str, ...]:
    """Where Python's modules and installed ones lie."""
    known = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    known += [*site.getsitepackages(), site.getusersitepackages()]
    return tuple({f"{place}{os.sep}" for each in known for place in (each, os.path.realpath(each))})


def is_ours(path: str) -> bool:
    """Whether a file is one of this package."""
    return path.startswith(_packages())


class Place(NamedTuple):
    """Where a file's package begins: the folder to import from, and its dotted name, empty where there is none."""

    root: Path
    package: str


def place_of(file: Path) -> Place:
    """The place of a file: its package goes up as far as folders have an `__init__.py`, as pytest takes it."""
    root, names = file.resolve().parent, list[str]()
    while root.name.isidentifier() and (root / "__init__.py").is_file():
        names.insert(0, root.name)
        root = root.parent
    return Place(root, ".".join(names))


@cache
def _packages() -> tuple[str, ...]:
    return tuple(f"{ROOT / top}{os.sep}" for top in OURS)
