"""Wrong variants of functions: where an expression hangs in a tree, and computing with other code for a moment."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType

VALIDATORS = "_check"
"""How the names of functions begin that return nothing and raise on bad input."""


@dataclass(frozen=True)
class Site:
    """Where an expression hangs in the tree."""

    parent: ast.AST
    field: str
    index: int | None
    expression: ast.expr

    def put(self, expression: ast.expr) -> None:
        """Let another expression hang there."""
        if self.index is None:
            setattr(self.parent, self.field, expression)
        else:
            getattr(self.parent, self.field)[self.index] = expression


def sites(node: ast.AST) -> Iterator[Site]:
    """Every expression below a node that takes part in a value: no annotation, no text, nothing that only validates."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _only_validates(child):
                continue
            if isinstance(child, ast.expr):
                yield Site(node, name, index, child)
            yield from sites(child)


def _only_validates(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return not node.orelse and isinstance(node.body[-1], ast.Raise)
    if isinstance(node, ast.Expr):
        call = node.value
        return isinstance(call, ast.Constant) or (
            isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2].startswith(VALIDATORS)
        )
    return isinstance(node, ast.Raise | ast.JoinedStr)


@contextmanager
def other_code(function: FunctionType, changed: FunctionType) -> Iterator[None]:
    """Compute with the code and the defaults of another function inside the block, whoever calls this one.

    A function keeps its identity, so that modules which imported it by name compute with the other code too.
    """
    kept = function.__code__, function.__defaults__, function.__kwdefaults__
    try:
        function.__code__, function.__defaults__ = changed.__code__, changed.__defaults__
        function.__kwdefaults__ = changed.__kwdefaults__
        yield
    finally:
        function.__code__, function.__defaults__, function.__kwdefaults__ = kept
