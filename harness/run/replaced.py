"""Functions of libraries, which no body and no file may replace: other results depend on them.

At every task those are compared that claims and judges use most, and ours; when a file is imported, those of all
modules of the numerical libraries and of some of Python's.
"""

import contextlib
import functools
import inspect
import itertools
import math
import operator
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from harness.errors import ClaimError
from harness.run.witness import is_users, unheard

_TORCH = str(Path(torch.__file__).parent)
_OURS = ("harness", "algos", "bounds")
_NUMERICAL = ("numpy", "scipy", "sklearn", "networkx", "mpmath", "sympy", "statsmodels")
_OF_TORCH = ("torch", "torch.distributions", "torch.autograd", "torch.func", "torch.nn")
_OF_PYTHON = frozenset(("builtins", "bisect", "cmath", "collections", "decimal", "fractions", "functools", "heapq"))
_OF_PYTHON |= {"itertools", "math", "operator", "random", "statistics"}
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    np.ufunc,
    type(np.mean),
    property,
    staticmethod,
    type,
)
_OF_DTYPE = "torch.Storage"  # what the default dtype makes it
_CONSTANTS = (int, float, str, tuple)  # of a module; those of a class count things

Holders = list[tuple[Any, str]]
"""Modules, classes and objects with functions in them, and their names."""


@contextlib.contextmanager
def unpatched(whoever: str) -> Iterator[None]:
    """Refuse, in a ClaimError, that code replaces functions that other results depend on, and restore them."""
    entries, others, loaded = Entries.of_judges(), Entries.of(_libraries(len(sys.modules))), set(sys.modules)
    try:
        yield
    finally:
        with unheard():  # what is asked here is no business of the file's
            changed = [*put_back(entries), *put_back(others, by=_is_anothers)]
            changed += _unload_replaced(sys.modules.keys() - loaded)
    if changed:
        raise ClaimError(
            f"{whoever} changes {changed[0]}, on which other results depend; give what it does a name of its own."
        )


@functools.lru_cache(maxsize=1)
def _judges(_loaded: int) -> Holders:
    """What claims and judges use most, and what is ours; `_loaded` modules."""
    libraries: Holders = [
        (torch, "torch"),
        (torch.Tensor, "torch.Tensor"),
        (torch.linalg, "torch.linalg"),
        (torch.special, "torch.special"),
        (torch.fft, "torch.fft"),
        (functional, "torch.nn.functional"),
        (np, "numpy"),
        (np.linalg, "numpy.linalg"),
        (math, "math"),
    ]
    own = [(module, name) for name, module in list(sys.modules.items()) if name.split(".", 1)[0] in _OURS]
    return [*libraries, *own, *_classes(own)]


@functools.lru_cache(maxsize=1)
def _libraries(_loaded: int) -> Holders:
    """The modules that numbers come from, their classes, and the distributions of scipy."""
    return _holders([(module, name) for name, module in list(sys.modules.items()) if _gives_numbers(name)])


def _holders(modules: Holders) -> Holders:
    laws = [
        (value, f"{name}.{entry}")
        for module, name in modules
        if name == "scipy.stats"
        for entry, value in vars(module).items()
        if type(value).__module__.startswith("scipy.stats") and hasattr(value, "__dict__")
    ]
    return [*modules, *_classes(modules), *laws]


def _gives_numbers(module: str) -> bool:
    return (
        module in _OF_PYTHON
        or module.split(".", 1)[0] in _NUMERICAL
        or any(module == name or (name != "torch" and module.startswith(f"{name}.")) for name in _OF_TORCH)
    )


def _classes(modules: Iterable[tuple[Any, str]]) -> Holders:
    return [
        (value, f"{name}.{value.__name__}")
        for module, name in modules
        for value in list(vars(module).values())
        if isinstance(value, type) and value.__module__ == name
    ]


class Entries(NamedTuple):
    """Holders of functions with their names, and what their entries were: names and values one after another.

    Some 25,000 entries are noted and compared at every task, in two lists: that takes half of a copy of each holder.
    """

    holders: Holders
    entries: list[Mapping[str, Any]]
    sizes: list[int]
    names: list[str]
    values: list[Any]

    @classmethod
    def of_judges(cls) -> "Entries":
        """What is compared at every task."""
        return cls.of(_judges(len(sys.modules)))

    @classmethod
    def of(cls, holders: Holders) -> "Entries":
        """The entries of these, as they are now."""
        entries: list[Mapping[str, Any]] = [vars(holder) for holder, _ in holders]
        names = list(itertools.chain.from_iterable(entries))
        return cls(holders, entries, list(map(len, entries)), names, _values(entries))

    def same(self) -> bool:
        """Whether every holder has as many entries, each of them the object that it was."""
        if list(map(len, self.entries)) != self.sizes:
            return False
        return all(map(operator.is_, self.values, _values(self.entries)))

    def before(self) -> Iterator[tuple[Any, str, dict[str, Any]]]:
        """Each holder, its name, and its entries as they were."""
        start = 0
        for (holder, name), size in zip(self.holders, self.sizes, strict=True):
            part = slice(start, start + size)
            yield holder, name, dict(zip(self.names[part], self.values[part], strict=True))
            start += size


def _values(entries: list[Mapping[str, Any]]) -> list[Any]:
    values: list[Any] = []
    for each in entries:
        values.extend(each.values())
    return values


def put_back(entries: Entries, by: Callable[[Any, Any], bool] = lambda *_: True) -> list[str]:
    """Restore what was replaced, and return its names; `by` whom, says what is there now and what was before.

    What is new replaces nothing, for modules load parts on demand, unless it hides what a class has inherited, or a
    method of an object.
    """
    if entries.same():
        return []
    changed = []
    for holder, name, before in entries.before():
        now = vars(holder)
        for entry in _hiding(holder, now, before):
            if by(now[entry], getattr(type(holder), entry, None)):
                delattr(holder, entry)
                changed.append(f"{name}.{entry}")
        if len(now) >= len(before) and all(map(operator.is_, before.values(), now.values())):
            continue
        kinds = (*_FUNCTIONS, *_CONSTANTS) if isinstance(holder, types.ModuleType) else _FUNCTIONS
        for entry, value in before.items():
            found = now.get(entry)
            if f"{name}.{entry}" == _OF_DTYPE or found is value or not isinstance(value, kinds):
                continue
            if not _by_torch(found, value) and by(found, value):
                with contextlib.suppress(AttributeError, TypeError):
                    setattr(holder, entry, value)
                changed.append(f"{name}.{entry}")
    return changed


def _unload_replaced(new: Iterable[str]) -> list[str]:
    """The functions of users in modules that numbers come from and that are new; these are to be loaded again."""
    changed = []
    for module in filter(_gives_numbers, new):
        holders = _holders([(sys.modules[module], module)])
        found = [
            f"{name}.{entry}" for holder, name in holders for entry, value in vars(holder).items() if _is_users(value)
        ]
        if found:
            del sys.modules[module]
        changed += found
    return changed


def _hiding(holder: Any, now: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    """What is new in a class or in an object and hides a function of the classes that it is made from."""
    if len(now) <= len(before) or isinstance(holder, types.ModuleType):
        return []
    bases = holder.__mro__[1:] if isinstance(holder, type) else type(holder).__mro__
    inherited = {entry: value for base in bases for entry, value in vars(base).items() if isinstance(value, _FUNCTIONS)}
    return [entry for entry in now if entry not in before and entry in inherited]


def _is_anothers(now: Any, before: Any) -> bool:
    """Whether what stands in the place of something was not made by the same library, which may load parts late."""
    if hasattr(now, "__code__"):
        return _is_users(now)
    places = [str(getattr(each, "__module__", None) or "").split(".", 1)[0] for each in (now, before)]
    return now is not None and places[0] != places[1]


def _is_users(function: Any) -> bool:
    """Whether a function was written in a file of a user's; compiled ones name files that are not there."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType) or not os.path.exists(code.co_filename):
        return False
    return is_users(os.path.abspath(code.co_filename))


def _by_torch(now: Any, before: Any) -> bool:
    """Whether torch has wrapped its own function: its compiler does when it is loaded."""
    code = getattr(now, "__code__", None)
    return code is not None and code.co_filename.startswith(_TORCH) and inspect.unwrap(now) is before
