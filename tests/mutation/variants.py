"""Put a mutant in place for the duration of a check, wherever the function is known by name, and take it out again."""

import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType

from harness.run.mutation import other_code
from tests.mutation.mutants import Mutant

HOLDERS = ("bounds", "harness.claims", "tests.bounds")
"""Packages whose modules may hold a constant of `bounds` under its own name."""


@contextmanager
def installed(mutant: Mutant) -> Iterator[None]:
    """Compute with the mutant inside the block, and with the original afterwards, whatever happens.

    A function keeps its identity and changes its code, so that modules which imported it by name compute with the
    mutant too. A constant is rebound in every module of `HOLDERS` that holds the very same object.

    Raises
    ------
    TypeError : if the name is bound to something else than a function or a number.
    """
    module = importlib.import_module(mutant.module)
    namespace = dict(vars(module))
    exec(mutant.code, namespace)
    original, changed = inspect.unwrap(getattr(module, mutant.name)), inspect.unwrap(namespace[mutant.name])
    if isinstance(original, FunctionType):
        with other_code(original, changed):
            yield
    elif isinstance(original, int | float):
        with _other_value(mutant.name, original, changed):
            yield
    else:
        raise TypeError(f"{mutant.module}.{mutant.name} is {original!r}, but only functions and numbers are mutated.")


@contextmanager
def _other_value(name: str, original: float, changed: float) -> Iterator[None]:
    holders = [module for module in _holders() if vars(module).get(name) is original]
    try:
        for module in holders:
            setattr(module, name, changed)
        yield
    finally:
        for module in holders:
            setattr(module, name, original)


def _holders() -> list[ModuleType]:
    return [
        module for name, module in list(sys.modules.items()) if f"{name}.".startswith(tuple(f"{h}." for h in HOLDERS))
    ]
