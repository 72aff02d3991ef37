"""Rounding of plain Python and numpy numbers in a body: every literal, result and call is perturbed.

A dispatch mode of torch cannot see `math.sqrt(2) ** 2 - 2` or `np.log(x)`. The body's source is parsed, every binary
operation, call and decimal is wrapped, and every name of what the function has not made itself, and the function is
compiled again in the same globals and closure, and so are the functions of the user's that it calls, of other modules
when they are met. What installed libraries do inside is not seen, but for those that are backward stable
(`libraries.py`). Bodies without readable source are taken as they are.

A result is moved once, where it is made, and one number by one share wherever it is named: the largest of some scores
is still one of them. An array that has been moved is handed on itself, since others may write into it.

`math.ceil(n * (1 - delta))` is 9 for n = 10 and delta = 1/10, and 10 if the last place of the product is moved: numbers
next to a whole one are that number before they are rounded to one. Where float64 itself goes wrong there, as in
`math.ceil(3 * 0.1 * 10)`, the body differs from its copies, and what it says counts as rounding.
"""

import functools
import math
import operator
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import torch
from torch import Tensor

from harness.certify.recompiled import CACHES, Body, recompiled_with_helpers
from harness.certify.rounding.decimals import is_of_decimals, moved_if_rounded
from harness.certify.rounding.decimals import settled as settled_decimal
from harness.certify.rounding.estimators import cut_at_rounding
from harness.certify.rounding.followed import CACHED, Followed
from harness.certify.rounding.inputs import LAST_PLACES
from harness.certify.rounding.libraries import MULTIPLIED, among, chooses, copies, of_ties, seen, terms
from harness.certify.rounding.overflow import check_call, check_operation
from harness.certify.rounding.products import regrouped
from harness.certify.rounding.rewriting import (
    ATTRIBUTE,
    CALL,
    COMBINE,
    COMPARE,
    EACH,
    HOOK,
    SATURATING,
    SEEN,
    TRUTH,
    WHOLE,
    Wrap,
)
from harness.certify.rounding.short import NEXT_TO, coarse_number, moved_array, moved_complex, scattered
from harness.certify.rounding.ties import COMPARING, Compared, Ties, is_real, plain
from harness.certify.rounding.whole import (
    EXACT,
    POSITIVE,
    hypotenuse_is_rounded,
    is_cut,
    perhaps_another,
    quotient_is_rounded,
    refilled,
    root_is_rounded,
    vanishes,
)

_OF_TERMS = (sum, math.fsum, math.prod)
_CHANGING = ("iadd", "isub")  # what is asked for what they have lost
_OF_FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    f"{prefix}{each.__name__}": each
    for each in (operator.add, operator.sub, operator.mul, operator.truediv)
    for prefix in ("", "i")
}
_STANDING_FOR = (
    *((each, each.__name__) for each in (operator.add, operator.sub, operator.mul, operator.truediv)),
    *((np.add, "add"), (np.subtract, "sub"), (np.multiply, "mul"), (np.divide, "truediv")),
)
_ELEMENTARY = ("math", "cmath")
_TO_WHOLE = (int, round, math.floor, math.ceil, math.trunc)


def rounded_differently(
    body: Body, seed: int, *, sign: float = 1.0, directed: bool = False, ties: Ties | None = None
) -> Body | None:
    """The body with its plain numbers moved by random shares of their last place; None where it cannot be rewritten.

    `sign`, `directed` and `ties` as for `harness.certify.rounding.tensors.moved`.
    """
    return rounded_by(body, Shares(seed, sign, directed), ties)


def rounded_by(body: Body, share: "Shares", ties: Ties | None = None) -> Body | None:
    """The body with its plain numbers moved by these shares, which are told of every one."""
    share.ties = ties
    hooks: dict[str, Any] = {CACHES: {}}
    followed = Followed(hooks)
    hooks |= {COMPARE: functools.partial(_compared, ties), TRUTH: functools.partial(_truth, ties)}
    hooks |= {COMBINE: functools.partial(_combined, share), WHOLE: functools.partial(_whole, share)}
    following: dict[str, Callable[..., Any]] = {HOOK: _outside, ATTRIBUTE: _attribute, EACH: _each}
    following |= {CALL: _called, SEEN: _seen}
    hooks |= {name: functools.partial(hook, share, followed) for name, hook in following.items()}
    return recompiled_with_helpers(body, Wrap, hooks)


@dataclass
class Shares:
    """Random shares of a last place, or whole ones, in one direction or the other; and what they have moved."""

    seed: int
    sign: float = 1.0
    directed: bool = False
    moved: list[np.ndarray] | None = None  # plain numbers and arrays, as they are then, if they are wanted
    ties: Ties | None = None  # that plain numbers tell of comparisons

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self._arrays: WeakValueDictionary[int, np.ndarray] = WeakValueDictionary()  # moved ones, by their addresses

    def __call__(self, shape: tuple[int, ...] = ()) -> Any:
        return self.sign * (np.ones(shape) if self.directed else 2.0 * self.rng.random(shape) - 1.0)

    def of(self, value: Any) -> Any:
        """The shares of a number or an array, the same for the same numbers, and the other way for the next seed."""
        mirror = (-1.0) ** self.seed
        return self.sign * (np.ones(np.shape(value)) if self.directed else mirror * scattered(value, self.seed // 2))

    def note(self, value: Any) -> Any:
        """The value, noted."""
        if self.moved is not None and not (isinstance(value, int) and abs(value) >= 2**63):
            self.moved.append(np.array(value))
        return value if self.ties is None or type(value) is not float else Compared(value, self.ties)

    def keep(self, array: np.ndarray) -> np.ndarray:
        """The array, which is moved from here on: others may write into it, and would write into a copy."""
        self._arrays[id(array)] = array
        return array

    def keeps(self, array: Any) -> bool:
        """Whether an array, or the one that it is a view of, has been moved."""
        while isinstance(array, np.ndarray):
            if self._arrays.get(id(array)) is array:
                return True
            array = array.base
        return False


def _moved(share: Shares, value: Any, lost: Any = False) -> Any:  # noqa: FBT002
    """The value moved by shares of its last place; short ones stay, unless what they were made from was lost."""
    return _moved_by(share, lambda value: share(np.shape(value)), value, lost)


def _outside(share: Shares, followed: Followed, value: Any) -> Any:
    """What a name from outside stands for."""
    return _named(share, value if type(value) is float else followed.named(value))


def _attribute(share: Shares, followed: Followed, owner: Any, name: str) -> Any:
    """What an attribute is."""
    return _outside(share, followed, followed.attribute(owner, name))


def _named(share: Shares, value: Any) -> Any:
    """The value of a name or a decimal, moved by the same shares wherever it is named."""
    return _moved_by(share, share.of, value)


def _moved_by(share: Shares, shares: Callable[[Any], Any], value: Any, lost: Any = False) -> Any:  # noqa: FBT002
    value = plain(value)
    if type(value) is float or isinstance(value, np.float64):
        if (coarse_number(float(value)) and not lost) or not np.isfinite(value):
            return share.note(value)
        return share.note(type(value)(value * (1.0 + float(shares(value)) * LAST_PLACES)))
    if type(value) is np.ndarray and value.dtype == np.float64:
        return share.note(value if share.keeps(value) else share.keep(moved_array(value, shares(value), lost)))
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and not share.keeps(value):  # a matrix, or masked
        found = value.copy()
        _write(found, moved_array(np.asarray(value), shares(np.asarray(value)), lost))
        return share.note(share.keep(found))
    if isinstance(value, complex) or (type(value) is np.ndarray and value.dtype == np.complex128):
        return moved_complex(share, value)
    return share.note(value) if type(value) is int or isinstance(value, np.int64) else value


def _moved_in_place(share: Shares, value: Any, lost: Any = False) -> Any:  # noqa: FBT002
    """The value itself, whose numbers are new, if it is an array."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        _write(value, moved_array(np.asarray(value), share(value.shape), lost))
        return share.note(share.keep(value))
    return _moved(share, value, lost)


def _write(array: np.ndarray, numbers: np.ndarray) -> None:
    """Put numbers into an array, under its mask too."""
    array.view(np.ndarray)[...] = numbers


def _called(share: Shares, followed: Followed, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """A function of plain numbers that saturates, moved: that `np.tanh(40.0)` is short does not make it exact.

    At whole numbers from -2 to 2 what is short stays, and so does an exact root. A user's own of such a name is none.
    """
    if isinstance(function, FunctionType | MethodType | CACHED) and followed(function) != function:
        return _seen(share, followed, function, *args, **kwargs)
    return _saturated(share, function, args, kwargs)


def _saturated(share: Shares, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value = function(*args, **kwargs)
    check_call(function, args, kwargs, value)
    if kwargs.get("out") is value:
        return _moved_in_place(share, value)
    if type(value) is Tensor and isinstance(function, np.ufunc):  # computed by numpy, and wrapped
        return torch.from_numpy(np.asarray(_saturated(share, lambda *_: value.numpy(force=True), args, {})))
    first = args[0].numpy(force=True) if type(args[0]) is Tensor else plain(args[0])
    if is_cut(first):
        return _moved(share, value, lost=True)
    if isinstance(value, complex):
        return moved_complex(share, value, lost=np.ndim(first) > 0 or first not in {-2, -1, 0, 1, 2})
    numbers = isinstance(value, float | np.ndarray) and isinstance(first, float | int | np.number | np.ndarray)
    if not numbers or np.shape(first) != np.shape(value):
        return _moved(share, value)
    name = getattr(function, "__name__", "")
    if name in POSITIVE and share.sign and np.any(value == 0.0):
        value = refilled(share, value, (value == 0.0) & np.isfinite(first))
    if name == "sqrt":
        return _moved(share, value, root_is_rounded(first, value))
    if name == "hypot":
        return _moved(share, value, hypotenuse_is_rounded(args, value))
    with np.errstate(all="ignore"):
        return _moved(share, value, ~((first == np.rint(first)) & (np.abs(first) <= 2.0)))


def _seen(share: Shares, followed: Followed, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Any other function, moved, and inside where it is the user's; what libraries err by is seen from their inputs.

    What only chooses among numbers has rounded nothing, and a copy is moved as a name is.
    """
    if is_of_decimals(function):
        return moved_if_rounded(share, lambda: function(*args, **kwargs))
    if len(args) == 2 and kwargs.keys() <= {"out"} and (name := _operator(function, args)):
        return _written(share, name, function, args, kwargs) if kwargs else _combined(share, name, *args)
    if getattr(function, "__name__", "") in SATURATING and getattr(function, "__module__", "") in _ELEMENTARY:
        return _saturated(share, function, args, kwargs)
    if share.ties is not None:
        args = of_ties(share.ties, function, args, kwargs)
    args = _listed(function, tuple(map(followed.listed, args)))
    with cut_at_rounding(function, args, kwargs) if share.sign else nullcontext():
        found = seen(share, followed(function), args, kwargs, share.ties)
    found = regrouped(function, args, found) if share.sign else found
    check_call(function, args, kwargs, found)
    if kwargs.get("out") is found:
        return _moved_in_place(share, found)
    if isinstance(function, BuiltinFunctionType | type):
        if is_real(found) and any(map(is_cut, args)):
            return _moved(share, found, lost=True)
        if among(function, _TO_WHOLE) and isinstance(args[0], float) and not coarse_number(args[0]):
            found = perhaps_another(share, plain(args[0]), found)
    if chooses(function):
        real = isinstance(found, float | int) or (isinstance(found, np.ndarray) and found.dtype.kind in "if")
        return share.note(plain(found)) if real else _noted(share, found) if type(found) is list else found
    return _named(share, found) if copies(function) else _moved(share, found)


def _operator(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The operator that a function of two plain numbers stands for; empty if none."""
    name = next((name for known, name in _STANDING_FOR if function is known), "")
    return name if name and all(isinstance(x, float | int | np.number | np.ndarray) for x in args) else ""


def _written(
    share: Shares, name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """What a function that stands for an operator writes into `out`, moved as what the operator makes is."""
    left, right = (x.copy() if isinstance(x, np.ndarray) else plain(x) for x in args)
    found = function(*args, **kwargs)
    check_call(function, args, kwargs, found)
    return _moved_in_place(share, found, _lost(name, left, right, found))


def _noted(share: Shares, numbers: Any) -> Any:
    """What `tolist` makes of an array or a tensor, whose numbers tell of comparisons."""
    return [_noted(share, each) for each in numbers] if type(numbers) is list else share.note(numbers)


def _listed(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What Python adds up or multiplies as a list, the terms of which can be seen."""
    listed = among(function, _OF_TERMS) and args and isinstance(args[0], Iterator)
    return (list(args[0]), *args[1:]) if listed else args


def _combined(share: Shares, name: str, left: Any, right: Any) -> Any:
    """`left name right`, moved; "iadd" and the like change their left operand, as the statement would."""
    left, right = plain(left), plain(right)
    operate = _OF_FLOATS.get(name)
    if operate is not None and type(left) is float and (type(right) is float or _is_small(right)):
        return _of_floats(share, operate, left, right)
    if operate is not None and type(right) is float and _is_small(left):
        return _of_floats(share, operate, left, right)
    outside = not (isinstance(left, Tensor) or isinstance(right, Tensor))
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        return moved_if_rounded(share, lambda: getattr(operator, name)(left, right))
    if outside and share.sign and name in ("floordiv", "ifloordiv") and (type(left) is float or type(right) is float):
        found = np.floor(_whole(share, left / right))
        return found if isinstance(found, np.ndarray) else float(found)
    if outside and name in ("matmul", "imatmul"):
        left, right = (terms(share, each, bits=MULTIPLIED) for each in (left, right))
    if share.ties is not None and name in ("truediv", "itruediv") and not isinstance(right, Tensor):
        right = share.ties.of_divisor(right)
    kept = left.copy() if name in _CHANGING and isinstance(left, np.ndarray) else left
    out = getattr(operator, name)(left, right)
    check_operation(name, kept, right, out)
    if out is left:
        return _moved_in_place(share, out, _lost(name, kept, right, out))
    if isinstance(out, float | np.ndarray) and share.sign:
        gone = vanishes(name, left, right, out) if _are_plain(left, right, out) else False
        out = refilled(share, out, gone) if np.any(gone) else out
    return _moved(share, out, _lost(name, kept, right, out))


def _is_small(value: Any) -> bool:
    """Whether a number is a whole one that floats hold."""
    return type(value) is int and -EXACT <= value <= EXACT


def _of_floats(share: Shares, operate: Callable[[Any, Any], Any], left: float, right: float) -> Any:
    """The same of two plain numbers, one of them a float, without asking what else they might be: loops have many."""
    if operate is operator.truediv and share.ties is not None:
        right = share.ties.of_divisor(right)
    out, lost = operate(left, right), False
    if operate is operator.add:
        lost = out - right != left or out - left != right
    elif operate is operator.sub:
        lost = out + right != left or left - out != right
    elif out == 0.0 and left != 0.0 and share.sign and vanishes(operate.__name__, left, right, out):
        out = refilled(share, out, where=True)
    if (not lost and coarse_number(out)) or not math.isfinite(out):
        return share.note(out)
    return share.note(out * (1.0 + float(share()) * LAST_PLACES))


def _are_plain(*values: Any) -> bool:
    """Whether all are plain numbers or arrays of numbers."""
    return all(
        isinstance(x, float | int | np.number) or (isinstance(x, np.ndarray) and x.dtype.kind in "biuf") for x in values
    )


def _compared(ties: Ties | None, name: str, left: Any, right: Any) -> Any:
    """A comparison, of which ties know; those of tensors they are told of elsewhere."""
    if ties is None or isinstance(left, Tensor) or isinstance(right, Tensor):
        return COMPARING[name](left, right)
    return ties.of_numbers(name, left, right)


def _truth(ties: Ties | None, value: Any) -> Any:
    """Whether a float is not zero, of which ties know; other values as they are."""
    return _compared(ties, "ne", value, 0.0) if isinstance(value, float) else value


def _each(share: Shares, followed: Followed, value: Any) -> Any:
    """What a loop goes through: of an array ties know which of its numbers may be one and the same."""
    value = followed.listed(value)
    return value if share.ties is None else of_ties(share.ties, iter, (value,), {})[0]


def _whole(share: Shares, value: Any) -> Any:
    """Plain numbers next to a whole one, or to a half, as that number; the rest as it is, and all if none is moved.

    Where rounding decides whether they are, ties put them beside it as well.
    """
    value = plain(value)
    if type(value) is float or isinstance(value, np.float64) or (type(value) is np.ndarray and value.dtype.kind == "f"):
        nearest = 0.5 * np.rint(2.0 * value)
        near = np.asarray(np.abs(value - nearest) <= NEXT_TO * np.maximum(np.abs(value), 1.0))
        ties = share.ties
        settled = np.where(near, nearest, value) if ties is None else ties.of_whole(value, nearest, near=near)
        moved = settled if type(value) is np.ndarray else type(value)(settled)
        return moved if share.sign else value
    return settled_decimal(value) if isinstance(value, Decimal) and share.sign else value


def _lost(name: str, left: Any, right: Any, out: Any) -> Any:
    """Where a result of plain numbers is not exact though it is short: 1e8 + 1e-10 is as short as 1e8."""
    if not _are_plain(left, right, out):
        return False
    if is_cut(left) or is_cut(right):
        return is_real(out)
    if name in ("truediv", "itruediv") and isinstance(out, float):
        return quotient_is_rounded(left, right, out)
    if name in ("add", "iadd"):
        return (out - right != left) | (out - left != right)
    if name in ("sub", "isub"):
        return (out + right != left) | (left - out != right)
    return False
