"""The mechanism: `checked` reads a signature once and holds every call to it, arguments and result.

An annotation `Annotated[type, domain]` is checked by its domain, `Literal[...]`, `bool`, classes and callables by
themselves, `X | None` by X. What is annotated `Any`, or not at all, is not checked. Missing and unknown arguments are
left to Python, whose TypeError names them.
"""

import functools
import inspect
import math
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from signatures.domains import Acceptor, Domain, DomainError, Kind, Optional, Options, Plain, is_tensor, shown

P = ParamSpec("P")
R = TypeVar("R")

_SIZELESS = (Callable, Sequence, Iterable)


class Unbounded:
    """Marks a result that may be infinite for finite arguments: `Annotated[Any, Unbounded()]`."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Hold each call of a function to its signature.

    Raises, from the function that is returned
    ------------------------------------------
    DomainError : a ValueError that names the argument and its range; or, when a result would be nan, complex, or
        infinite although every argument is finite, one that names the arguments whose combination leaves float64.
    DomainTypeError : a TypeError that names the argument.
    """
    signature = inspect.signature(function)
    accepts = {p.name: acceptor_of(p.name, p.annotation) for p in signature.parameters.values()}
    positional = [accepts[p.name] for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        positional += positional[-1:] * 32  # axes of a shape
    unbounded = any(isinstance(mark, Unbounded) for mark in getattr(signature.return_annotation, "__metadata__", ()))
    names = tuple(accepts)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given: list[Any] = [accept(value) for accept, value in zip(positional, args, strict=False)]
        if len(given) < len(args):
            given += args[len(given) :]
        for name, value in kwargs.items():
            if name in accepts:
                kwargs[name] = accepts[name](value)
        try:
            result: Any = function(*given, **kwargs)
        except (ArithmeticError, DomainError) as error:
            raise _left_range(names, given, kwargs, str(error)) from error
        if type(result) is float and math.isfinite(result):
            return result  # type: ignore[no-any-return]
        fault = _fault(result)
        if fault and not (fault == "infinite" and (unbounded or not _all_finite((*given, *kwargs.values())))):
            raise _left_range(names, given, kwargs, f"the result is {fault}")
        return result

    return call


def acceptor_of(name: str, annotation: Any) -> Acceptor:
    """What an annotation asks of an argument."""
    domain = _domain(annotation)
    return _anything if domain is None else domain.acceptor(name)


def _anything(value: Any) -> Any:
    return value


def _domain(annotation: Any) -> Domain | None:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return next((mark for mark in annotation.__metadata__ if hasattr(mark, "acceptor")), None)
    if origin is Literal:
        return Options(arguments)
    if origin in (Union, types.UnionType):
        inner = [_domain(part) for part in arguments if part is not types.NoneType]
        if len(inner) == 1 and inner[0] is not None and len(arguments) == 2:
            return Optional(inner[0])
        return None
    if annotation is bool:
        return Kind((bool,))
    if annotation is int:
        return Plain("[-inf, inf]", whole=True)
    if annotation is float:
        return Plain("(-inf, inf)")
    if origin is not None and getattr(origin, "__name__", "") == "Callable":
        return Kind()
    if isinstance(annotation, type) and annotation is not inspect.Parameter.empty and annotation is not object:
        return None if getattr(annotation, "_is_protocol", False) else Kind((annotation,))
    return None


def _fault(result: Any) -> str:
    """What is wrong with a number or an array of numbers; tensors and other objects are not read."""
    if isinstance(result, complex | np.complexfloating):
        return "complex"
    if isinstance(result, float):
        return "" if math.isfinite(result) else "infinite" if not math.isnan(result) else "no number"
    if isinstance(result, np.ndarray) and result.dtype.kind in "fc":
        if result.dtype.kind == "c":
            return "complex"
        return "no number" if np.isnan(result).any() else "infinite" if np.isinf(result).any() else ""
    return ""


def _all_finite(values: Iterable[Any]) -> bool:
    return all(
        (not isinstance(value, float) or math.isfinite(value))
        and (not isinstance(value, np.ndarray) or value.dtype.kind != "f" or bool(np.isfinite(value).all()))
        and (not isinstance(value, list) or _all_finite(value))
        and not is_tensor(value)
        for value in values
    )


def _left_range(names: tuple[str, ...], given: Sequence[Any], kwargs: dict[str, Any], reason: str) -> DomainError:
    arguments = {**dict(zip(names, given, strict=False)), **kwargs}
    text = ", ".join(f"{name} = {shown(value)}" for name, value in arguments.items())
    return DomainError(f"{text} leave the range of float64 ({reason}): choose less extreme numbers.")
