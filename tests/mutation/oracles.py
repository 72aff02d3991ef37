"""Reference values: a folder of JSON files, one per module of `bounds`, each beside the script that made it."""

import importlib
import json
import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

from harness.errors import UsageError


@dataclass(frozen=True)
class Case:
    """The true value of one function at one point."""

    function: str
    arguments: tuple[Any, ...]
    value: float
    options: dict[str, Any] = field(default_factory=dict)
    rtol: float = 1e-12
    atol: float = 0.0

    @classmethod
    def of(cls, row: dict[str, Any]) -> Self:
        """A case as it is stored, its value as text."""
        return cls(**{**row, "arguments": tuple(row["arguments"]), "value": float(row["value"])})

    def __str__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self.options.items()]
        return f"{self.function}({', '.join([*map(repr, self.arguments), *options])}) = {self.value!r}"

    def error(self, module: str) -> str | None:
        """What is wrong with the function of this name in a module; None if it returns the value."""
        try:
            found = getattr(importlib.import_module(module), self.function)
            ours = found(*self.arguments, **self.options) if callable(found) else found
            right = math.isclose(ours, self.value, rel_tol=self.rtol, abs_tol=self.atol)
        except (ArithmeticError, ValueError, TypeError, LookupError, NameError, MemoryError) as error:
            return f"{self}: raised {type(error).__name__}"
        return None if right else f"{self}: got {ours!r}"


@cache
def load_cases(folder: Path, module: str) -> tuple[Case, ...]:
    """The cases of one module; `bounds.random_features.rates` stand in `random_features/rates.json`.

    Raises
    ------
    UsageError : if the file is missing or malformed.
    """
    path = folder / f"{module.removeprefix('bounds.').replace('.', '/')}.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["cases"]
        return tuple(map(Case.of, rows))
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); write it with {folder / 'make.py'}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} holds no oracle values ({error}); write it with {folder / 'make.py'}.") from error
