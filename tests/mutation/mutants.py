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

from tests.mutation.operators import changes, parameter_swaps

VALIDATORS = "_check"
"""How the names of functions begin that return nothing and raise on bad input."""


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


@dataclass(frozen=True)
class _Site:
    """Where an expression hangs in the tree."""

    parent: ast.AST
    field: str
    index: int | None
    expression: ast.expr

    def put(self, expression: ast.expr) -> None:
        if self.index is None:
            setattr(self.parent, self.field, expression)
        else:
            getattr(self.parent, self.field)[self.index] = expression


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
    for site in list(_sites(statement)):
        before = ast.unparse(site.expression)
        for operator, changed in changes(site.expression):
            site.put(changed)
            yield from mutant(site.expression.lineno, operator, before, ast.unparse(changed))
        site.put(site.expression)


def _names(arguments: list[ast.arg]) -> str:
    return f"({', '.join(argument.arg for argument in arguments)})"


def _sites(node: ast.AST) -> Iterator[_Site]:
    """Every expression below a node that takes part in a value."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _only_validates(child):
                continue
            if isinstance(child, ast.expr):
                yield _Site(node, name, index, child)
            yield from _sites(child)


def _only_validates(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return not node.orelse and isinstance(node.body[-1], ast.Raise)
    if isinstance(node, ast.Expr):
        call = node.value
        return isinstance(call, ast.Constant) or (
            isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2].startswith(VALIDATORS)
        )
    return isinstance(node, ast.Raise | ast.JoinedStr)
