"""Slips in a formula or an algorithm: one expression of a function, ours or the user's, as a tired author would err.

A *term* of a sum is dropped; a *sign* is turned; a *factor* of two appears where something is multiplied or divided;
an *index* (or the bound of a slice, or an axis) is off by one.
"""

import ast
import importlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from harness.language.registry import Claim
from harness.run.mutation import VALIDATORS, other_code, sites

AXES = ("dim", "axis")  # keywords that hold an index


@dataclass(frozen=True)
class Slip:
    """One changed expression."""

    sort: str  # a key of SORTS
    module: str
    function: str  # its qualified name
    before: str
    after: str
    occurrence: int  # of this change within the function, from 1

    def __str__(self) -> str:
        times = f" #{self.occurrence}" if self.occurrence > 1 else ""
        return f"{self.module}.{self.function}: {self.before} -> {self.after}{times}"


def _terms(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield node.left
        if isinstance(node.op, ast.Add):
            yield node.right


def _signs(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand


def _factors(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.MatMult):
        yield ast.BinOp(ast.Constant(2.0), ast.Mult(), node)


def _indices(node: ast.AST) -> Iterator[ast.expr]:
    number = _integer(node)
    if number is not None:
        yield ast.Constant(number + 1 if number >= 0 else number - 1)


def _integer(node: ast.AST) -> int | None:
    """The whole number that is written there, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _integer(node.operand)
        return None if inner is None else -inner
    whole = isinstance(node, ast.Constant) and type(node.value) is int
    return node.value if whole else None  # type: ignore[attr-defined]


SORTS: dict[str, Callable[[ast.AST], Iterator[ast.expr]]] = {
    "term": _terms,
    "sign": _signs,
    "factor": _factors,
    "index": _indices,
}


def slips_in(module: str, function: str, sort: str) -> Iterator[Slip]:
    """Every slip of one sort in a function, each different from the original and from the others."""
    for slip, _ in _variants(module, function, sort):
        yield slip


def installed(slip: Slip) -> AbstractContextManager[None]:
    """Compute with the slip inside the block, wherever the function is known by name.

    What `functools.cache` has kept is not forgotten: install a slip in a process that has computed nothing before.
    """
    original = function_at(slip.module, slip.function)
    assert original is not None
    return other_code(original, _changed(slip))


@cache
def _changed(slip: Slip) -> FunctionType:
    original = function_at(slip.module, slip.function)
    code = next(code for found, code in _variants(slip.module, slip.function, slip.sort) if found == slip)
    assert original is not None
    changed = FunctionType(code, original.__globals__, original.__name__, original.__defaults__, original.__closure__)
    changed.__kwdefaults__ = original.__kwdefaults__
    return changed


def function_at(module: str, function: str) -> FunctionType | None:
    """The plain function of this qualified name, below its decorators; None where there is none."""
    value: Any = importlib.import_module(module)
    for part in function.split("."):
        value = vars(value).get(part) if hasattr(value, "__dict__") else None
    value = value.body if isinstance(value, Claim) else value
    value = value.fget if isinstance(value, property) else getattr(value, "func", value)
    value = inspect.unwrap(getattr(value, "__func__", value)) if value is not None else None
    return value if isinstance(value, FunctionType) else None


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


def _definition(module: str, function: str) -> ast.FunctionDef | None:
    found: ast.AST | None = _tree(module)
    for part in function.split("."):
        inside = getattr(found, "body", [])
        found = next((s for s in inside if isinstance(s, ast.FunctionDef | ast.ClassDef) and s.name == part), None)
    return found if isinstance(found, ast.FunctionDef) else None


@cache
def _variants(module: str, function: str, sort: str) -> tuple[tuple[Slip, CodeType], ...]:
    definition, original = _definition(module, function), function_at(module, function)
    if definition is None or original is None or definition.name.startswith(VALIDATORS):
        return ()
    found: list[tuple[Slip, CodeType]] = []
    seen, occurrences = {ast.unparse(definition)}, Counter[tuple[str, str]]()
    indices = set(map(id, _places_of_indices(definition)))
    for site in list(sites(ast.Module(definition.body, []))):
        if sort == "index" and id(site.expression) not in indices:
            continue
        for changed in SORTS[sort](site.expression):
            before, after = ast.unparse(site.expression), ast.unparse(changed)
            site.put(changed)
            text, code = ast.unparse(definition), _compiled(definition, module)
            site.put(site.expression)
            if text not in seen and code.co_freevars == original.__code__.co_freevars:
                seen.add(text)
                occurrences[before, after] += 1
                found.append((Slip(sort, module, function, before, after, occurrences[before, after]), code))
    return tuple(found)


def _places_of_indices(definition: ast.FunctionDef) -> Iterator[ast.expr]:
    """Indices, bounds of slices, and axes: by keyword, or a negative number given to a method."""
    for node in ast.walk(definition):
        if isinstance(node, ast.Subscript):
            for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                yield from filter(None, (part.lower, part.upper)) if isinstance(part, ast.Slice) else (part,)
        elif isinstance(node, ast.keyword) and node.arg in AXES:
            yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield from (argument for argument in node.args if (_integer(argument) or 0) < 0)


def _compiled(definition: ast.FunctionDef, module: str) -> CodeType:
    """The code of a function, without its decorators and annotations."""
    decorators, definition.decorator_list = definition.decorator_list, []
    try:
        tree = ast.fix_missing_locations(ast.Module([definition], []))
        code = compile(tree, f"<a slip in {module}>", "exec")
    finally:
        definition.decorator_list = decorators
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == definition.name)
