"""Functions compiled again from their source, with every statement of their body transformed."""

import ast
import copy
import functools
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from torch import Tensor

from harness.certify.caches import fresh_cells, fresh_defaults, fresh_globals
from harness.origins import is_ours, library_folders

_FACTORY, _MADE = "_tightrope_factory", "_tightrope_made"
CACHES = "_tightrope_caches"
"""The hook that holds what functions which are compiled together have for the caches of their modules."""

_ARRAYS = (Tensor, np.ndarray)
Body = Callable[..., Any]


def recompiled(body: Body, transform: type[ast.NodeTransformer], hooks: Mapping[str, Any]) -> FunctionType | None:
    """The function with its statements transformed, in its own globals and closure with `hooks` beside them.

    Decorators and annotations are left out, defaults stay, caches are new ones. None where there is no readable source
    of one function, or a variable of the closure has no value yet.
    """
    if not isinstance(body, FunctionType):
        return None
    return _made(body, transform, {**body.__globals__, **fresh_globals(body, hooks.get(CACHES)), **hooks})


def recompiled_with_helpers(
    body: Body, transform: type[ast.NodeTransformer], hooks: Mapping[str, Any]
) -> FunctionType | None:
    """As `recompiled`, the functions of its module that it calls by name transformed as well, and those that they call.

    What cannot be transformed, such as what a decorator of a library has made, stays as it is.
    """
    if not isinstance(body, FunctionType):
        return None
    namespace = {**body.__globals__, **fresh_globals(body, hooks.get(CACHES)), **hooks}
    for name, helper in _helpers(body).items():
        namespace[name] = _made(helper, transform, namespace) or helper
    return _made(body, transform, namespace)


def computed_outside(body: Body) -> list[str]:
    """By name, the numbers, arrays and tensors that were computed before the body is called, and whose rounding is not.

    Those of its module but for what is written down there as a number, and tensors and arrays of its closure.
    """
    body = inspect.unwrap(body)
    if not isinstance(body, FunctionType):
        return []
    reached = [body, *_helpers(body).values()]
    used = set().union(*(_names_in(function.__code__) for function in reached)) & body.__globals__.keys()
    written = _written_down(body)
    cells = inspect.getclosurevars(body).nonlocals
    found = [name for name in used - written if isinstance(body.__globals__[name], (*_ARRAYS, int, float))]
    return sorted({*found, *(name for name, value in cells.items() if isinstance(value, _ARRAYS))})


@functools.cache
def calls_of(body: Body, libraries: tuple[str, ...]) -> bool:
    """Whether a body, or a function of the user's that it reaches, names something of these libraries."""
    body, inside = inspect.unwrap(body), tuple(f"{library}." for library in libraries)
    if not isinstance(body, FunctionType):
        return False
    return any(f"{found}.".startswith(inside) for function in _reached(body) for found in _named_in(function))


def names_of(body: Body) -> set[str]:
    """The names of functions and attributes in a body and in the functions of the user's that it reaches."""
    body = inspect.unwrap(body)
    if not isinstance(body, FunctionType):
        return set()
    waiting, found = [function.__code__ for function in _reached(body)], set[str]()
    while waiting:
        code = waiting.pop()
        found.update(code.co_names)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def can_follow(function: FunctionType) -> bool:
    """Whether a function is of the user's own code, and none of a library."""
    file = function.__code__.co_filename
    return not (file.startswith(library_folders()) or is_ours(file))


def _reached(body: FunctionType) -> list[FunctionType]:
    """The body, the functions of its module that it can reach, and those of the user's other modules."""
    found = dict.fromkeys([body, *_helpers(body).values()])
    waiting = list(found)
    while waiting:
        for function in _functions_in(_referred_to(waiting.pop())):
            if function not in found and can_follow(function):
                found[function] = None
                waiting.append(function)
    return list(found)


def _functions_in(values: Iterable[Any]) -> Iterator[FunctionType]:
    """Functions among the values, and those that classes among them define."""
    for value in values:
        inner = vars(value).values() if isinstance(value, type) else (value,)
        yield from (each for each in inner if isinstance(each, FunctionType))


def _referred_to(function: FunctionType) -> Iterator[Any]:
    """What the names of a function stand for, and what they name inside modules."""
    meant = _meant_by(function)
    for value in meant.values():
        yield value
        if isinstance(value, ModuleType):
            yield from (vars(value)[inner] for inner in meant.keys() & vars(value).keys())


def _meant_by(function: FunctionType) -> dict[str, Any]:
    """What the names in a function stand for in its module, or as modules that it imports; None for any other."""
    names = _names_in(function.__code__)
    return {name: function.__globals__.get(name, sys.modules.get(name)) for name in names}


def _named_in(function: FunctionType) -> Iterator[str]:
    """The full names of what a function refers to: modules, also those that it imports, and functions."""
    meant = _meant_by(function)
    for name, value in meant.items():
        if not isinstance(value, ModuleType):
            yield name if value is None else f"{getattr(value, '__module__', None)}.{getattr(value, '__name__', '')}"
            continue
        yield value.__name__
        for inner in meant:
            part = getattr(value, inner, None)
            yield part.__name__ if isinstance(part, ModuleType) else f"{value.__name__}.{inner}"


def _written_down(body: FunctionType) -> set[str]:
    """The names that stand for nothing but numbers written in the body's file; all, where it has no readable one."""
    try:
        tree = _file_of(body)
    except (OSError, SyntaxError):
        return set(body.__globals__)
    found, computed = set[str](), set[str]()
    for node in _outside_functions(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.asname or alias.name for alias in node.names}
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name, value in _assigned(target, node.value):
                    (found if _is_literal(value) else computed).add(name)
    return found - computed


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside, but for functions and classes."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield child
            yield from _outside_functions(child)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names and what they are set to."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        values = value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) else []
        for index, each in enumerate(target.elts):
            yield from _assigned(each, values[index] if values else value)


def _is_literal(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


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
            if helper.__globals__ is body.__globals__:
                found[name] = helper
                waiting.append(helper)
    return found


def _names_in(code: CodeType) -> set[str]:
    """The names that code refers to, that of functions inside it too."""
    inner = [_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*inner)


def _made(body: FunctionType, transform: type[ast.NodeTransformer], namespace: dict[str, Any]) -> FunctionType | None:
    """The function, transformed, in a namespace."""
    found = _factory(body, transform)  # type: ignore[arg-type]
    if found is None:
        return None
    code, arguments = found
    exec(code, namespace)
    try:
        cells = fresh_cells(body)
    except ValueError:  # an empty cell
        return None
    made: FunctionType = namespace[_FACTORY](*cells)
    made.__defaults__, made.__kwdefaults__ = fresh_defaults(body, arguments)
    made.__name__, made.__qualname__ = body.__name__, body.__qualname__
    return made


class _Mangled(ast.NodeTransformer):
    """Private names of a class as Python spells them inside of it, for a method that is compiled outside."""

    def __init__(self, method: FunctionType) -> None:
        outer = method.__qualname__.split(".")[-2:-1]
        self.prefix = f"_{outer[0].lstrip('_')}" if outer and outer[0] != "<locals>" else ""

    def _spelt(self, name: str) -> str:
        private = self.prefix and name.startswith("__") and not name.endswith("__")
        return f"{self.prefix}{name}" if private else name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._spelt(node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._spelt(node.id)
        return node


def _definition(body: FunctionType) -> ast.FunctionDef | None:
    """The statement that defines a function."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(body.__code__)))  # of the function itself, none that it wraps
    found = tree.body[0] if len(tree.body) == 1 else None
    return found if isinstance(found, ast.FunctionDef) and found.name == body.__code__.co_name else None


def _lambda(body: FunctionType) -> ast.FunctionDef | None:
    """A lambda as a function that returns its expression; told from others of its line by where that stands."""
    code = body.__code__
    of_line = [
        each for each in ast.walk(_file_of(body)) if isinstance(each, ast.Lambda) and each.lineno == code.co_firstlineno
    ]
    places = set(code.co_positions())

    def stands_there(body: ast.expr) -> bool:
        return (body.lineno, body.end_lineno, body.col_offset, body.end_col_offset) in places

    found = of_line if len(of_line) == 1 else [each for each in of_line if stands_there(each.body)]
    if len(found) != 1:
        return None
    returned: list[ast.stmt] = [ast.Return(found[0].body)]
    return ast.FunctionDef(name="_tightrope_lambda", args=found[0].args, body=returned, decorator_list=[])


def augmented(node: ast.AugAssign, combined: Callable[[ast.expr, ast.expr], ast.expr]) -> list[ast.stmt]:
    """`t[i] += x` and `t.a += x` as assignments that look t and i up once; `combined` of what is there and of x."""
    target, before = node.target, list[ast.stmt]()

    def once(part: ast.expr) -> ast.expr:
        name = f"_tightrope_part_{len(before)}"
        before.append(ast.Assign([ast.Name(name, ast.Store())], part))
        return ast.Name(name, ast.Load())

    read: ast.expr
    written: ast.expr = target
    if isinstance(target, ast.Name):
        read = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Attribute):
        owner = once(target.value)
        read, written = (ast.Attribute(owner, target.attr, context()) for context in (ast.Load, ast.Store))
    else:
        owner, index = once(target.value), once(index_of(target.slice))
        read, written = (ast.Subscript(owner, index, context()) for context in (ast.Load, ast.Store))
    changed = ast.Assign([written], combined(read, node.value))
    return [ast.copy_location(each, node) for each in (*before, changed)]


def index_of(node: ast.expr) -> ast.expr:
    """What stands in brackets as an expression of its own: `1:3` as `slice(1, 3, None)`."""
    if isinstance(node, ast.Tuple):
        return ast.Tuple([index_of(each) for each in node.elts], ast.Load())
    if isinstance(node, ast.Slice):
        ends = [end or ast.Constant(None) for end in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), ends, [])
    return node


def _file_of(body: FunctionType) -> ast.Module:
    """What the whole file of a function says."""
    return ast.parse("".join(inspect.findsource(body)[0]))


@functools.cache
def _factory(body: FunctionType, transform: type[ast.NodeTransformer]) -> Any:
    """Code that defines a factory, closure variables in, function out; and the arguments of that as written."""
    try:
        function = _lambda(body) if body.__code__.co_name == "<lambda>" else _definition(body)
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if function is None:
        return None
    written = copy.deepcopy(function.args)
    _Mangled(body).visit(function)
    function.decorator_list, function.returns = [], None
    function.args.defaults = [ast.Constant(None) for _ in function.args.defaults]
    function.args.kw_defaults = [d and ast.Constant(None) for d in function.args.kw_defaults]
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function = transform().visit(function)
    function.name = _MADE  # a method may call a function of its own name
    inner = ast.Return(ast.Name(function.name, ast.Load()))
    names = [ast.arg(name) for name in body.__code__.co_freevars]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    factory = ast.FunctionDef(name=_FACTORY, args=arguments, body=[function, inner], decorator_list=[])
    module = ast.fix_missing_locations(ast.Module([factory], []))
    try:
        return compile(module, f"<{body.__name__}, recompiled>", "exec"), written
    except (SyntaxError, ValueError):
        return None
