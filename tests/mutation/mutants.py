"""All mutants of a module: one function or constant of it, compiled with one expression changed.

Not mutated, because no bound's value depends on them: docstrings, annotations, texts, and *validation* (an `if` that
only raises, a `_check...` function and a bare call of one). Where a boundary of validation lies is a matter of what an
error message promises, and the tests of bad input hold it.
"""

import ast
import importlib
import inspect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType

from harness.run.mutation import VALIDATORS, sites
from tests.mutation.operators import changes, parameter_swaps


@dataclass(frozen=True)
class Mutant:
    """One wrong variant of one top-level name of a module."""

    module: str
    name: str  # the function or constant that is changed
    line: int
    operator: str
    before: str  # source text of the changed expression
    after: str
    occurrence: int  # of this change within the function, from 1
    code: CodeType = field(repr=False, compare=False)  # defines the name, to be run in the module's namespace

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What names the mutant as long as the function is not rewritten, wherever its lines move."""
        return self.module, self.name, self.before, self.after, self.occurrence

    @property
    def label(self) -> str:
        """Where and what, in one line."""
        return f"{self.module}.{self.name}:{self.line}: {self.before} -> {self.after}"


def mutants_of(module: str) -> tuple[Mutant, ...]:
    """Every mutant of a module, in the order of its source, each different from the original and from the others."""
    source = inspect.getsource(importlib.import_module(module))
    found: list[Mutant] = []
    for statement in ast.parse(source).body:
        name = _defined_name(statement)
        if name is not None:
            found += _mutants(module, name, statement)
    return tuple(found)


def _defined_name(statement: ast.stmt) -> str | None:
    """The function or constant that a statement defines, if it takes part in values."""
    if isinstance(statement, ast.FunctionDef):
        return None if statement.name.startswith(VALIDATORS) else statement.name
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value is not None:
        return statement.target.id
    return None


def _mutants(module: str, name: str, statement: ast.stmt) -> Iterator[Mutant]:
    seen = {ast.unparse(statement)}
    occurrences: Counter[tuple[str, str]] = Counter()

    def mutant(line: int, operator: str, before: str, after: str) -> Iterator[Mutant]:
        text = ast.unparse(statement)
        if text not in seen:
            seen.add(text)
            occurrences[before, after] += 1
            tree = ast.fix_missing_locations(ast.Module([statement], []))
            code = compile(tree, f"<mutant of {module}>", "exec")
            yield Mutant(module, name, line, operator, before, after, occurrences[before, after], code)

    if isinstance(statement, ast.FunctionDef):
        original = statement.args.args
        for operator, swapped in parameter_swaps(statement):
            statement.args.args = swapped
            yield from mutant(statement.lineno, operator, _names(original), _names(swapped))
        statement.args.args = original
    for site in list(sites(statement)):
        before = ast.unparse(site.expression)
        for operator, changed in changes(site.expression):
            site.put(changed)
            yield from mutant(site.expression.lineno, operator, before, ast.unparse(changed))
        site.put(site.expression)


def _names(arguments: list[ast.arg]) -> str:
    return f"({', '.join(argument.arg for argument in arguments)})"
