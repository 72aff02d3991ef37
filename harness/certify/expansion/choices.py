"""Truth values of forms: comparisons, logic, and choices between forms."""

# ruff: noqa: FBT002  (parameters and their defaults are torch's)

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.truths import is_truth, require_room, require_truths
from harness.certify.expansion.forms import Form, Workspace
from harness.certify.expansion.operations import operation
from harness.certify.expansion.tensor import OPERATIONS, Expanded, each, lift, mapped, plain, reduced, space_of
from harness.certify.expansion.truths import truth_of


def _not(a: Form) -> Form:
    return a.space.number(1) - a


def _both(a: Form, b: Form) -> Form:
    return a * b


def _either(a: Form, b: Form) -> Form:
    return a + b - a * b


def _equal(a: Form, b: Form) -> Form:
    difference = a - b
    first = min(difference.above, default=None)
    return truth_of(-difference if first is not None and difference.above[first] < 0 else difference, "eq")


_COMPARISONS: dict[str, Callable[..., Form]] = {
    **dict.fromkeys(("gt", "greater"), lambda a, b: truth_of(a - b, "gt")),
    **dict.fromkeys(("lt", "less"), lambda a, b: truth_of(b - a, "gt")),
    **dict.fromkeys(("ge", "greater_equal"), lambda a, b: _not(truth_of(b - a, "gt"))),
    **dict.fromkeys(("le", "less_equal"), lambda a, b: _not(truth_of(a - b, "gt"))),
    "eq": _equal,
    **dict.fromkeys(("ne", "not_equal"), lambda a, b: _not(_equal(a, b))),
    **dict.fromkeys(("isnan", "isinf"), lambda a: a.space.number(0)),  # what may be undefined was refused before
    "isfinite": lambda a: a.space.number(1),
}
OPERATIONS.update({name: mapped(function, truths=True) for name, function in _COMPARISONS.items()})


def _truth_values(value: Any, space: Workspace) -> np.ndarray:
    """Truth values as forms; of numbers, whether they are not 0."""
    found = lift(value, space)
    return found if is_truth(value) else each(lambda a: _not(_equal(a, space.number(0))), found)


def _logical(function: Callable[..., Form], *bits: str, numbers: str) -> None:
    """Register a logical operation, under `bits` for truth values alone: of whole numbers torch takes each bit."""

    def on_both(*values: Any) -> Expanded:
        space = space_of(*values)
        return Expanded(each(function, *(_truth_values(value, space) for value in values)), space, truths=True)

    def on_truths(*values: Any) -> Expanded:
        require_truths(*values)
        return on_both(*values)

    operation(numbers)(on_both)
    operation(*bits)(on_truths)


_logical(_both, "and", "rand", "bitwise_and", numbers="logical_and")
_logical(_either, "or", "ror", "bitwise_or", numbers="logical_or")
_logical(_not, "invert", "bitwise_not", numbers="logical_not")


def _of_lines(function: Callable[[list[Form]], Form]) -> Callable[..., Expanded]:
    def found(input: Any, dim: Any = None, keepdim: Any = False) -> Expanded:
        if dim == ():
            raise NoEnclosure("truth values along no axis")
        truths = Expanded(_truth_values(input, input.space), input.space)
        line = reduced(function, truths, dim, keepdim)
        return Expanded(line.array, line.space, truths=True)

    return found


operation("all")(_of_lines(lambda line: functools.reduce(_both, line)))
operation("any")(_of_lines(lambda line: _not(functools.reduce(_both, map(_not, line)))))


@operation("__bool__")
def _decision(input: Any) -> bool:
    value = input.array.reshape(()).item().number if input.array.size == 1 else None
    if value is None:
        raise NoEnclosure("a decision that depends on inputs")
    return bool(value != 0)


@operation("where")
def _where(condition: Any, input: Any, other: Any) -> Expanded:
    """t a + (1 - t) b, with t the truth value; where nan may be chosen, what is not nan, undefined for some inputs."""
    require_truths(condition)
    space, undefined = space_of(condition, input, other), False

    def chosen(t: Form, a: Form | float, b: Form | float) -> Form:
        nonlocal undefined
        decided = t.number
        if decided is not None:
            return as_form(space, b if decided == 0 else a)
        if _is_nan(a) or _is_nan(b):
            undefined = True
            return as_form(space, b if _is_nan(a) else a)
        a, b = as_form(space, a), as_form(space, b)
        return t * a + _not(t) * b

    found = each(chosen, lift(condition, space), *(_unlifted(value) for value in (input, other)))
    return Expanded(found, space, truths=is_truth(input) and is_truth(other), undefined=undefined)


@operation("Tensor.where")
def _chosen(input: Any, condition: Any, other: Any) -> Expanded:
    """`input` where the condition holds: `input.where(condition, other)`."""
    return _where(condition, input, other)  # type: ignore[no-any-return]


@operation("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Expanded:
    require_room(input, value)
    return _where(mask, value, input)  # type: ignore[no-any-return]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _unlifted(value: Any) -> np.ndarray:
    """Forms, or the numbers of a plain tensor as they are."""
    if isinstance(value, Expanded):
        return value.array
    return np.asarray(plain(value)).astype(object)


def as_form(space: Workspace, value: Any) -> Form:
    """A form, or a plain number as one."""
    if isinstance(value, Form):
        return value
    return space.complex_number(value) if isinstance(value, complex) else space.number(float(value))
