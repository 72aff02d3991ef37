"""What several modules of tests use."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any


def public_modules(package: ModuleType) -> list[str]:
    """Dotted names of the modules of a package, inside its folders too, none of them private; folders are left out."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return sorted(m.name for m in found if not m.ispkg and not any(p.startswith("_") for p in m.name.split(".")))


def public_functions(package: ModuleType) -> list[Callable[..., Any]]:
    """Every function that a public module of a package defines under a public name, in order.

    What serves the learners takes learners, not tensors, and is left out.
    """
    names = [name for name in public_modules(package) if not name.startswith("algos.estimators.")]
    modules = [importlib.import_module(name) for name in names]
    return [
        function
        for module in modules
        for name, function in list(vars(module).items())
        if not name.startswith("_") and inspect.isfunction(function) and function.__module__ == module.__name__
    ]


def public_classes(package: ModuleType) -> list[type]:
    """Every class that a public module of a package defines under a public name, in order of the modules."""
    modules = [importlib.import_module(name) for name in public_modules(package)]
    return [
        found
        for module in modules
        for name, found in inspect.getmembers(module, inspect.isclass)
        if not name.startswith("_") and found.__module__ == module.__name__
    ]
