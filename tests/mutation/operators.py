"""Wrong variants of an expression: each operator maps one expression of a formula to what a slip would make of it.

Constants are halved and doubled, exponents moved by 1/2, terms and factors dropped, operands and arguments swapped,
signs, `min` and `max`, branches, and strict and weak inequalities exchanged.
"""

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Node = TypeVar("Node", bound=ast.expr)
Change = tuple[str, ast.expr]
"""What was done, and the expression that stands there instead."""

NAMED_CONSTANTS = ("math.e", "math.pi", "math.tau", "np.e", "np.pi")
FUNCTIONS = ("math.", "np.", "numpy.", "special.", "scipy.")
_EXCHANGED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div}
_STRICTNESS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)


def changes(expression: ast.expr) -> Iterator[Change]:
    """All wrong variants of this expression itself; its parts have their own."""
    for kind, variants in _OPERATORS:
        if isinstance(expression, kind):
            yield from variants(expression)


def _constants(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return
    if node.value == 0:
        yield "constant 0 to 1", _number(type(node.value)(1))
        return
    yield "constant halved", _number(node.value // 2 if node.value % 2 == 0 else node.value / 2)
    yield "constant doubled", _number(2 * node.value)


def _named_constants(node: ast.Attribute) -> Iterator[Change]:
    if ast.unparse(node) in NAMED_CONSTANTS:
        yield "constant halved", ast.BinOp(node, ast.Div(), _number(2))
        yield "constant doubled", ast.BinOp(_number(2), ast.Mult(), node)


def _arithmetic(node: ast.BinOp) -> Iterator[Change]:
    left, right = node.left, node.right
    if isinstance(node.op, ast.Pow):
        yield "exponent + 1/2", ast.BinOp(left, node.op, ast.BinOp(right, ast.Add(), _number(0.5)))
        yield "exponent - 1/2", ast.BinOp(left, node.op, ast.BinOp(right, ast.Sub(), _number(0.5)))
        yield "exponent dropped", left
    elif isinstance(node.op, ast.Add | ast.Sub):
        yield "term dropped", left
        yield "term dropped", right if isinstance(node.op, ast.Add) else ast.UnaryOp(ast.USub(), right)
    elif isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv):
        yield "factor dropped", left
        yield "factor dropped", right if isinstance(node.op, ast.Mult) else ast.BinOp(_number(1), node.op, right)
    if type(node.op) in _EXCHANGED:
        yield "operator exchanged", ast.BinOp(left, _EXCHANGED[type(node.op)](), right)
    if isinstance(node.op, _ORDERED):
        yield "operands swapped", ast.BinOp(right, node.op, left)


def _signs(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, ast.USub):
        yield "sign dropped", node.operand


def _calls(node: ast.Call) -> Iterator[Change]:
    name = ast.unparse(node.func)
    if name in ("min", "max"):
        yield "min and max exchanged", _with(node, func=ast.Name("max" if name == "min" else "min", ast.Load()))
        for argument in node.args if len(node.args) > 1 else []:
            yield "min or max dropped", argument
        return
    if name == "math.sqrt":
        yield "exponent - 1/2", _number(1.0)
    if name.startswith(FUNCTIONS) and len(node.args) == 1:
        yield "function dropped", node.args[0]
    for i, j in itertools.combinations(range(len(node.args)), 2):
        yield "arguments swapped", _with(node, args=_swapped(node.args, i, j))


def _branches(node: ast.IfExp) -> Iterator[Change]:
    yield "branches swapped", ast.IfExp(node.test, node.orelse, node.body)


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for index, op in enumerate(node.ops):
        if type(op) in _STRICTNESS:
            ops = [*node.ops[:index], _STRICTNESS[type(op)](), *node.ops[index + 1 :]]
            yield "strictness exchanged", _with(node, ops=ops)


def parameter_swaps(function: ast.FunctionDef) -> Iterator[tuple[str, list[ast.arg]]]:
    """Signatures with two positional parameters exchanged: what a caller who mixes them up computes."""
    for i, j in itertools.combinations(range(len(function.args.args)), 2):
        yield "parameters swapped", _swapped(function.args.args, i, j)


def _swapped(items: list[Item], i: int, j: int) -> list[Item]:
    twin = list(items)
    twin[i], twin[j] = items[j], items[i]
    return twin


def _number(value: float) -> ast.expr:
    return ast.Constant(value)


def _with(node: Node, **fields: object) -> Node:
    twin = copy.copy(node)
    for name, value in fields.items():
        setattr(twin, name, value)
    return twin


_OPERATORS: tuple[tuple[type[ast.expr], Callable[..., Iterator[Change]]], ...] = (
    (ast.Constant, _constants),
    (ast.Attribute, _named_constants),
    (ast.BinOp, _arithmetic),
    (ast.UnaryOp, _signs),
    (ast.Call, _calls),
    (ast.IfExp, _branches),
    (ast.Compare, _comparisons),
)
