"""The mechanism: `checked` reads a signature once and checks the arguments and result of every call against it.

An annotation `Annotated[type, domain]` is checked by its domain, `Literal[...]`, `bool`, classes and callables by
themselves, `X | None` by X. What is annotated `Any`, or not at all, is not checked. Missing and unknown arguments are
left to Python, whose TypeError names them.
"""

import functools
import inspect
import math
import numbers
import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from signatures.domains import Acceptor, Domain, DomainError, Function, Kind, Optional, Options, Plain, is_tensor, shown

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_MISSING = object()
_LARGEST = float(np.finfo(np.float64).max)


class Unbounded:
    """Marks a result that may be infinite for finite arguments, or hold nan where its docstring says so."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Hold each call of a function to its signature; about half a microsecond for two numbers.

    Raises, from the function that is returned
    ------------------------------------------
    DomainError : a ValueError that names the argument and its range; or, when a result would be nan, complex, or
        infinite although every argument is finite, one that names the arguments whose combination leaves float64.
    DomainTypeError : a TypeError that names the argument.
    """
    signature = inspect.signature(function)
    examine = functools.partial(_examined, unbounded=_unbounded(signature))
    namespace: dict[str, Any] = {
        "_function": function,
        "_plain": inspect.unwrap(function),
        "_examine": examine,
        "_left_range": _left_range,
        "_ended": _ended,
        "_check_broadcast": _check_broadcast,
        "_failures": (ArithmeticError, DomainError),
        "_missing": _MISSING,
        "_largest": _LARGEST,
        "_explained": _left_range,
        "_insides": (),
    }
    source = _source(signature, namespace)
    exec(compile(source, f"<signature of {function.__qualname__}>", "exec"), namespace)
    call: Callable[P, R] = functools.wraps(function)(namespace["_call"])
    return call


def checked_fields(record: type[T]) -> type[T]:
    """Hold each construction of a dataclass to the annotations of its fields."""
    record.__init__ = checked(record.__init__)  # type: ignore[method-assign]
    return record


def acceptors(function: Callable[..., Any]) -> dict[str, Acceptor]:
    """The check of each parameter that declares a domain, for values that are kept before they are used."""
    parameters = inspect.signature(function).parameters.values()
    domains = {p.name: _domain(p.annotation) for p in parameters}
    return {name: domain.acceptor(name) for name, domain in domains.items() if domain is not None}


def _source(signature: inspect.Signature, namespace: dict[str, Any]) -> str:
    """A function of the same parameters, which checks them in turn; defaults are left to the function itself."""
    parameters = list(signature.parameters.values())
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is not p.empty]
    domains = [(p, _domain(p.annotation)) for p in parameters]
    checks = [line for p, domain in domains for line in _checks(p, domain, positional, namespace)]
    joint = [fit for p, domain in domains if (fit := _joint(p.name, domain)) is not None]
    together = ", ".join(name for name, _, _ in joint)
    given = f"dict({', '.join(f'{p.name}={p.name}' for p in parameters if p.name != 'self')})"
    undefined = []
    if joint:
        namespace["_fit"] = joint[0][1].joint(joint)
        namespace.update(joint[0][1].inside())
        checks.append(f"{together}{',' if len(joint) == 1 else ''} = _fit({together})")
        if not _unbounded(signature):
            undefined = [
                f"if _fit.undefined(_result, {together}):",
                f"    raise _left_range({given}, 'a result is nan')",
            ]
    body = [
        *checks,
        "try:",
        f"    _result = _function({', '.join(map(_passed, parameters))})",
        "except _failures as _error:",
        f"    raise _ended({given}, _error) from _error",
        "except _insides as _error:",
        f"    raise _explained({given}, _error) from _error",
        "except ValueError as _error:",
        f"    _check_broadcast({given}, _error)",
        "    raise",
        "if type(_result) is float and -_largest <= _result <= _largest:",
        "    return _result",
        *undefined,
        f"return _examine(_result, {given})",
    ]
    return f"def _call({', '.join(_heads(parameters))}):\n" + "".join(f"    {line}\n" for line in body)


def _starred(p: inspect.Parameter) -> str:
    return f"*{p.name}" if p.kind is p.VAR_POSITIONAL else p.name


def _passed(p: inspect.Parameter) -> str:
    """An argument as the call passes it on."""
    return f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else _starred(p)


def _heads(parameters: list[inspect.Parameter]) -> list[str]:
    """The parameters as the call declares them: the same names and kinds, each default a mark of absence."""
    heads: list[str] = []
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and "*" not in "".join(heads):
            heads.append("*")
        heads.append(_starred(p) + ("" if p.default is p.empty else "=_missing"))
    return heads


def _joint(name: str, domain: Domain | None) -> tuple[str, Any, bool] | None:
    """The name, domain and optionality of a parameter that is checked together with others."""
    inner = domain.domain if isinstance(domain, Optional) else domain
    return (name, inner, inner is not domain) if hasattr(inner, "joint") else None


def _checks(p: inspect.Parameter, domain: Domain | None, positional: list[str], namespace: dict[str, Any]) -> list[str]:
    """Lines that put the default of one parameter in its place, or check its argument by itself."""
    name = p.name
    lines: list[str] = []
    if p.default is not p.empty:
        place = f"__defaults__[{positional.index(name)}]" if name in positional else f"__kwdefaults__[{name!r}]"
        lines += [f"if {name} is _missing:", f"    {name} = _plain.{place}"]
    if domain is None or _joint(name, domain) is not None:
        return lines
    namespace[f"_accept_{name}"] = domain.acceptor(name)
    if p.kind is p.VAR_POSITIONAL:
        return [*lines, f"{name} = tuple(map(_accept_{name}, {name}))"]
    kind = f"_type_{name}"
    namespace[kind], namespace[f"_low_{name}"], namespace[f"_high_{name}"] = domain.usual or (_MISSING, 0.0, 0.0)
    outside = f"type({name}) is not {kind} or not _low_{name} <= {name} <= _high_{name}"
    return [*lines, f"{'elif' if lines else 'if'} {outside}:", f"    {name} = _accept_{name}({name})"]


def _unbounded(signature: inspect.Signature) -> bool:
    marks = getattr(signature.return_annotation, "__metadata__", ())
    return any(isinstance(mark, Unbounded) for mark in marks)


def _examined(result: Any, arguments: dict[str, Any], *, unbounded: bool) -> Any:
    """The result, or an error if it is out of range."""
    fault = _fault(result)
    if fault == "infinite" and (unbounded or not _all_finite(arguments.values())):
        return result
    if fault:
        raise _left_range(arguments, f"the result is {fault}")
    return result


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
        return Function(_result_types(arguments[-1]))
    if isinstance(annotation, type) and annotation not in (inspect.Parameter.empty, object, Any):
        if getattr(annotation, "_is_protocol", False):
            return Kind(attributes=tuple(name for name in vars(annotation) if name == "__call__" or name[0] != "_"))
        return Kind((annotation,))
    return None


def _result_types(annotation: Any) -> tuple[type, ...]:
    """The types that an annotation of a result names; none where it says nothing that can be looked at."""
    union = get_origin(annotation) in (Union, types.UnionType)
    parts = [get_origin(part) or part for part in (get_args(annotation) if union else (annotation,))]
    if not all(isinstance(part, type) and part not in (types.NoneType, Any) for part in parts):
        return ()
    return tuple(numbers.Real if part is float else part for part in parts)


def _fault(result: Any) -> str:
    """What is wrong with a number, an array of numbers or a record with numbers; tensors are not read."""
    if isinstance(result, complex | np.complexfloating):
        return "complex"
    if isinstance(result, float):
        return "" if math.isfinite(result) else "infinite" if not math.isnan(result) else "no number"
    if isinstance(result, np.ndarray) and result.dtype.kind in "fc":
        if result.dtype.kind == "c":
            return "complex"
        return "no number" if np.isnan(result).any() else "infinite" if np.isinf(result).any() else ""
    entries = [getattr(result, name) for name in getattr(type(result), "__dataclass_fields__", ())]
    return "no number" if any(isinstance(entry, float) and math.isnan(entry) for entry in entries) else ""


def _all_finite(values: Iterable[Any]) -> bool:
    return all(
        (not isinstance(value, float) or math.isfinite(value))
        and (not isinstance(value, np.ndarray) or value.dtype.kind != "f" or bool(np.isfinite(value).all()))
        and (not isinstance(value, list) or _all_finite(value))
        and not is_tensor(value)
        for value in values
    )


def _check_broadcast(arguments: dict[str, Any], error: ValueError) -> None:
    """Explain an error of numpy by the shapes of the arrays, where they do not fit together."""
    shapes = {name: value.shape for name, value in arguments.items() if isinstance(value, np.ndarray)}
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        text = ", ".join(f"{name} has shape {shape}" for name, shape in shapes.items())
        raise DomainError(f"{text}, but arrays must broadcast together: give them one shape.") from error


def _ended(arguments: dict[str, Any], error: Exception) -> DomainError:
    """Why a computation has ended, by the arguments of the function that was called."""
    if isinstance(error, DomainError):
        if not error.reason:
            return DomainError(f"{_written(arguments)} do not fit: within, {error}")
        reason = error.reason
    elif isinstance(error, OverflowError):
        reason = "an intermediate number is infinite"
    elif isinstance(error, ZeroDivisionError):
        reason = "an intermediate divisor is zero"
    else:
        reason = str(error).rstrip(".")
    return _left_range(arguments, reason)


def _left_range(arguments: dict[str, Any], reason: str) -> DomainError:
    error = DomainError(f"{_written(arguments)} give no answer in this precision ({reason}): choose other values.")
    error.reason = reason
    return error


def _written(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {shown(value)}" for name, value in arguments.items())
