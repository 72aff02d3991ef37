"""Containers in which functions keep what they have computed, found by where their file says that they begin empty.

What such a cache holds was rounded as usual, and hides how it was made: a function that is compiled again gets a new
one, be it a variable of its module, of the function around it, or the default of an argument. Those of this package
keep data, and stay.
"""

import ast
import copy
import functools
import inspect
from collections import deque
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from harness.origins import is_ours

_CONTAINERS = (dict, list, set, deque)
_EMPTY = frozenset(("dict", "list", "set", "deque", "OrderedDict", "Counter", "defaultdict"))


def fresh_globals(function: FunctionType, shared: dict[Any, Any] | None = None) -> dict[str, Any]:
    """By name, new containers for those of its module that begin empty, and that nothing but functions fills.

    Functions that are compiled together have them in common by what they `shared` before.
    """
    known: dict[Any, Any] = {} if shared is None else shared
    tree = None if is_ours(function.__code__.co_filename) else _tree(function.__code__)
    names = _of_module(tree) if tree is not None else ()
    found = {name: function.__globals__.get(name) for name in names}
    return {name: known.setdefault(id(kept), _emptied(kept)) for name, kept in found.items() if _is_cache(kept)}


def fresh_cells(function: FunctionType) -> list[Any]:
    """What the variables of its closure hold, with new containers where the function around it begins with empty ones.

    Raises ValueError where one holds nothing yet.
    """
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    kept = is_ours(function.__code__.co_filename) or not any(map(_is_cache, held))
    if kept or (tree := _tree(function.__code__)) is None:
        return held
    line, begun = function.__code__.co_firstlineno, set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno < line <= (node.end_lineno or 0):
            begun |= {name for statement in node.body for name in _begun(statement)}
    names = function.__code__.co_freevars
    return [
        _emptied(value) if name in begun and _is_cache(value) else value
        for name, value in zip(names, held, strict=True)
    ]


def fresh_attributes(made: type) -> dict[str, Any]:
    """By name, new containers for those of a class that begin empty in its statement."""
    functions = [value for value in vars(made).values() if isinstance(value, FunctionType)]
    tree = None if not functions or is_ours(functions[0].__code__.co_filename) else _tree(functions[0].__code__)
    line, found = functions[0].__code__.co_firstlineno if functions else 0, dict[str, Any]()
    named = (node for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.ClassDef))
    for node in (each for each in named if each.name == made.__name__):
        if node.lineno <= line <= (node.end_lineno or 0):
            begun = (name for statement in node.body for name in _begun(statement))
            found |= {name: _emptied(vars(made)[name]) for name in begun if _is_cache(vars(made).get(name))}
    return found


def fresh_defaults(function: FunctionType, definition: ast.arguments) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The defaults of its arguments, those by name apart, with new containers for empty ones."""
    plain, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    written = dict(zip((each.arg for each in definition.kwonlyargs), definition.kw_defaults, strict=True))
    return (
        tuple(_unless_empty(value, node) for value, node in zip(plain, definition.defaults, strict=True)),
        {name: _unless_empty(value, written.get(name)) for name, value in named.items()},
    )


def _unless_empty(value: Any, written: ast.expr | None) -> Any:
    return _emptied(value) if written is not None and _is_empty(written) and _is_cache(value) else value


def _is_cache(value: Any) -> bool:
    return isinstance(value, _CONTAINERS)


def _emptied(value: Any) -> Any:
    new = copy.copy(value)
    new.clear()
    return new


def _is_empty(value: ast.expr) -> bool:
    """Whether an expression makes an empty container."""
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.List):
        return not value.elts
    if not isinstance(value, ast.Call) or value.keywords:
        return False
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return name in _EMPTY and len(value.args) <= (name == "defaultdict")


def _begun(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement gives an empty container to."""
    if isinstance(statement, ast.Assign) and _is_empty(statement.value):
        yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value is not None:
        yield from [statement.target.id] if _is_empty(statement.value) else []


@functools.lru_cache(maxsize=64)
def _of_module(tree: ast.Module) -> frozenset[str]:
    """The names of a module that begin empty, and that it mentions nowhere else but in functions and classes."""
    begun = [name for statement in tree.body for name in _begun(statement)]
    mentioned = [
        node.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    ]
    return frozenset(name for name in begun if mentioned.count(name) == 1)


@functools.lru_cache(maxsize=256)
def _tree(code: CodeType) -> ast.Module | None:
    """What the file of a function says; None where it cannot be read."""
    try:
        return ast.parse("".join(inspect.findsource(code)[0]))
    except (OSError, SyntaxError, TypeError):
        return None
