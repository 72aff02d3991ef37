"""Functions compiled again from their source, with every statement of their body transformed."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import Any

_FACTORY = "_tightrope_factory"
Body = Callable[..., Any]


def recompiled(body: Body, transform: type[ast.NodeTransformer], hooks: Mapping[str, Any]) -> FunctionType | None:
    """The function with its statements transformed, in its own globals and closure with `hooks` beside them.

    Decorators and annotations are left out, defaults stay. None where there is no readable source of one function, or a
    variable of the closure has no value yet.
    """
    if not isinstance(body, FunctionType):
        return None
    return _made(body, transform, {**body.__globals__, **hooks})


def recompiled_with_helpers(
    body: Body, transform: type[ast.NodeTransformer], hooks: Mapping[str, Any]
) -> FunctionType | None:
    """As `recompiled`, the functions of its module that it calls by name transformed as well, and those that they call.

    What cannot be transformed, such as a function behind a decorator, stays as it is.
    """
    if not isinstance(body, FunctionType):
        return None
    namespace = {**body.__globals__, **hooks}
    for name, helper in _helpers(body).items():
        namespace[name] = _made(helper, transform, namespace) or helper
    return _made(body, transform, namespace)


def _helpers(body: FunctionType) -> dict[str, FunctionType]:
    """By name, the functions of its module that a function can reach; itself among them where it calls itself."""
    found: dict[str, FunctionType] = {}
    waiting: list[FunctionType] = [body]
    while waiting:
        function = waiting.pop()
        for name in _names_in(function.__code__):
            helper = body.__globals__.get(name)
            if not isinstance(helper, FunctionType) or name in found:
                continue
            if helper.__globals__ is body.__globals__ and not hasattr(helper, "__wrapped__"):
                found[name] = helper
                waiting.append(helper)
    return found


def _names_in(code: CodeType) -> set[str]:
    """The names that code refers to, that of functions inside it too."""
    inner = [_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


def _made(body: FunctionType, transform: type[ast.NodeTransformer], namespace: dict[str, Any]) -> FunctionType | None:
    """The function, transformed, in a namespace."""
    code = _factory(body, transform)  # type: ignore[arg-type]
    if code is None:
        return None
    exec(code, namespace)
    try:
        cells = [cell.cell_contents for cell in body.__closure__ or ()]
    except ValueError:  # an empty cell
        return None
    made: FunctionType = namespace[_FACTORY](*cells)
    made.__defaults__, made.__kwdefaults__ = body.__defaults__, body.__kwdefaults__
    return made


@functools.cache
def _factory(body: FunctionType, transform: type[ast.NodeTransformer]) -> Any:
    """Code that defines a factory: closure variables in, function out."""
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
    function.body = [transform().visit(statement) for statement in function.body]
    inner = ast.Return(ast.Name(function.name, ast.Load()))
    names = [ast.arg(name) for name in body.__code__.co_freevars]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    factory = ast.FunctionDef(name=_FACTORY, args=arguments, body=[function, inner], decorator_list=[])
    module = ast.fix_missing_locations(ast.Module([factory], []))
    try:
        return compile(module, f"<{body.__name__}, recompiled>", "exec")
    except (SyntaxError, ValueError):
        return None
