"""Which functions of ours the body of a claim can call, read from compiled code: nothing is run."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, FunctionType
from typing import Any

OURS = ("algos.", "harness.claims.")


def algorithms(body: Callable[..., Any]) -> frozenset[str]:
    """Dotted names of the public modules of `algos` whose functions or classes a body reaches, through helpers too."""
    modules = {function.__module__ for function in _reached(body)}
    return frozenset(name for name in modules if name.startswith("algos.") and "._" not in name)


def _reached(body: Callable[..., Any]) -> set[FunctionType]:
    """The functions of ours that a function names, directly or not; names of attributes are taken for globals too."""
    found: set[FunctionType] = set()
    start = list(_functions(body))
    waiting = list(start)
    while waiting:
        function = waiting.pop()
        if function in found or not (function in start or function.__module__.startswith(OURS)):
            continue
        found.add(function)
        for code in _codes(function.__code__):
            for name in code.co_names:
                waiting += _functions(function.__globals__.get(name))
        for cell in function.__closure__ or ():
            waiting += _functions(cell.cell_contents)
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _functions(value: Any) -> Iterator[FunctionType]:
    """The functions behind a value: of a decorator, a partial application, a class, an object, or in a table."""
    value = inspect.unwrap(value) if callable(value) else value
    if isinstance(value, FunctionType):
        yield value
    elif isinstance(value, partial):
        yield from _functions(value.func)
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _functions(each)
    elif isinstance(value, type):
        for base in value.__mro__:
            if base.__module__.startswith(OURS):
                yield from (f for f in map(_plain, vars(base).values()) if isinstance(f, FunctionType))
    elif type(value).__module__.startswith(OURS):
        yield from _functions(type(value))


def _plain(attribute: Any) -> Any:
    """The function of a method, a class method or a property."""
    return getattr(attribute, "fget", getattr(attribute, "__func__", attribute))
