"""Rounding of plain Python and numpy numbers in a body: every number written, every result and call is moved.

A dispatch mode of torch cannot see `math.sqrt(2) ** 2 - 2` or `np.log(x)`. The body's source is parsed, every binary
operation, call, name and decimal is wrapped, and the function is compiled again in the same globals and closure. What
the functions that it calls do inside is not seen. Bodies without readable source are taken as they are.
"""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from harness.rounding.tensors import coarse_number, moved_array

_HOOK, _FACTORY = "_tightrope_moved", "_tightrope_factory"
Body = Callable[..., Any]


def rounded_differently(body: Body, seed: int, *, sign: float = 1.0, directed: bool = False) -> Body | None:
    """The body with its plain numbers moved by random shares of their last place; None where it cannot be rewritten.

    `sign` and `directed` as for `harness.rounding.tensors.moved`.
    """
    code = _rewritten(body)
    if code is None:
        return None
    rng = np.random.default_rng(seed)

    def share(shape: tuple[int, ...] = ()) -> Any:
        return sign * (np.ones(shape) if directed else 2.0 * rng.random(shape) - 1.0)

    namespace = {**body.__globals__, _HOOK: functools.partial(_moved, share)}
    exec(code, namespace)
    try:
        cells = [cell.cell_contents for cell in body.__closure__ or ()]
    except ValueError:  # an empty cell
        return None
    made: FunctionType = namespace[_FACTORY](*cells)
    made.__defaults__, made.__kwdefaults__ = body.__defaults__, body.__kwdefaults__
    return made


def _moved(share: Callable[..., Any], value: Any) -> Any:
    if type(value) is float or isinstance(value, np.float64):
        if coarse_number(float(value)) or not np.isfinite(value):
            return value
        return type(value)(value * (1.0 + float(share()) * 2.0**-52))
    if type(value) is np.ndarray and value.dtype == np.float64:
        return moved_array(value, share(value.shape))
    return value


class _Wrap(ast.NodeTransformer):
    """Wraps every arithmetic operation and call, every decimal, and every name that may stand for one."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self._wrapped(node) if isinstance(node.value, float) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._wrapped(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return self._wrapped(node) if isinstance(node.ctx, ast.Load) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._wrapped(self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._wrapped(self.generic_visit(node))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        node.value = self.visit(node.value)
        if not isinstance(node.target, ast.Name):
            return node
        again = ast.Assign([ast.Name(node.target.id, ast.Store())], self._wrapped(ast.Name(node.target.id, ast.Load())))
        return [node, ast.copy_location(again, node)]

    @staticmethod
    def _wrapped(node: ast.AST) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(_HOOK, ast.Load()), [node], []), node)  # type: ignore[list-item]


@functools.cache
def _rewritten(body: Body) -> Any:
    """Code that defines a factory: closure variables in, function out."""
    if not isinstance(body, FunctionType):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(body)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef) or tree.body[0].name != body.__name__:
        return None
    function = tree.body[0]
    function.decorator_list, function.returns = [], None
    function.args.defaults = [ast.Constant(None) for _ in function.args.defaults]
    function.args.kw_defaults = [d and ast.Constant(None) for d in function.args.kw_defaults]
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    wrapped = [_Wrap().visit(statement) for statement in function.body]
    function.body = [part for found in wrapped for part in (found if isinstance(found, list) else [found])]
    inner = ast.Return(ast.Name(function.name, ast.Load()))
    names = [ast.arg(name) for name in body.__code__.co_freevars]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    factory = ast.FunctionDef(name=_FACTORY, args=arguments, body=[function, inner], decorator_list=[])
    module = ast.fix_missing_locations(ast.Module([factory], []))
    try:
        return compile(module, f"<{body.__name__}, rounded differently>", "exec")
    except (SyntaxError, ValueError):
        return None
