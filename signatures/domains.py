"""Sets that an argument lies in: intervals of numbers, whole numbers, sequences, options, types.

A domain makes an acceptor: a function of a value that returns it, in float64 where it was a shorter or an integer
array, or raises a DomainError (a ValueError) or a DomainTypeError (a TypeError) that names the argument.
"""

import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import FunctionType
from typing import Any, Protocol, TypeAlias

import numpy as np

Acceptor: TypeAlias = Callable[[Any], Any]
Usual: TypeAlias = tuple[type, float, float]
_SMALL, _LARGE = 1e-150, 1e150
_EXACT = 2**53
"""Up to here a float holds every integer."""


class DomainError(ValueError):
    """A number outside its range, or a result outside that of float64, and then the reason for that."""

    reason = ""


class DomainTypeError(TypeError):
    """An argument of another kind than the signature says."""


class Domain(Protocol):
    """What can be declared of an argument."""

    @property
    def usual(self) -> Usual | None:
        """A type and an interval of it that need no acceptor, so that the usual case costs one comparison."""

    def acceptor(self, name: str) -> Acceptor:
        """The check of one argument, made once per function."""


def shown(value: object) -> str:
    """A value in an error message: short, in one line."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return f"an integer of {int(abs(value).bit_length() * math.log10(2)) + 1} digits"
    if isinstance(value, np.ndarray) or is_tensor(value):
        return f"an array of shape {tuple(getattr(value, 'shape', ()))} and dtype {getattr(value, 'dtype', None)}"
    if isinstance(value, FunctionType):
        return f"the function {value.__qualname__}"
    text = " ".join((str(value) if isinstance(value, numbers.Number) else repr(value)).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor of torch or behaves like one, found out without torch."""
    return hasattr(type(value), "__torch_function__")


class Interval:
    """An interval of floats in the usual notation: "(0, 1]", "[0, inf)" for finite numbers, "[0, inf]" for all.

    Open ends are turned into the neighbouring float, so that a check is two comparisons, which nan fails. A `scaled`
    interval holds only numbers whose squares keep all digits of float64: zero and magnitudes from 1e-150 to 1e150.
    """

    def __init__(self, text: str, *, scaled: bool = False) -> None:
        self.scaled = scaled
        low, high = (float(end) for end in text[1:-1].split(","))
        self.text = text
        self.low = math.nextafter(low, math.inf) if text[0] == "(" else low
        self.high = math.nextafter(high, -math.inf) if text[-1] == ")" else high

    def __contains__(self, value: Any) -> bool:
        if self.scaled and value and not _SMALL <= abs(value) <= _LARGE:
            return False
        return bool(self.low <= value <= self.high)

    @property
    def usual(self) -> tuple[float, float]:
        """Ends of a part that needs no further look."""
        return (max(self.low, _SMALL), min(self.high, _LARGE)) if self.scaled else (self.low, self.high)

    def outside(self, values: np.ndarray) -> np.ndarray:
        """The entries that do not lie inside."""
        inside = (self.low <= values) & (values <= self.high)
        if self.scaled:
            size = np.abs(values)
            inside &= (values == 0) | ((size >= _SMALL) & (size <= _LARGE))
        return values[~inside]

    def refusal(self, name: str, value: object, why: str = "") -> DomainError:
        """What is said of a value outside."""
        return DomainError(f"{name} = {shown(value)} must {self._rule(value)}{f': {why}' if why else ''}.")

    def _rule(self, value: Any) -> str:
        low, high = (end.strip() for end in self.text[1:-1].split(","))
        if self.scaled and self.low <= value <= self.high and math.isfinite(value):
            return "be 0 or of a magnitude from 1e-150 to 1e150, where squares keep their digits"
        if high != "inf":
            return f"lie in {self.text}"
        if isinstance(value, float) and math.isnan(value):
            return "be a number"
        if value > self.high or low == "-inf":
            return "be finite, in the range of float64"
        if self.text[0] == "[":
            return f"be at least {low}"
        return "be positive" if low == "0" else f"be above {low}"


@dataclass(frozen=True)
class Plain:
    """One plain number in an interval.

    With `whole`, an integer; with `exact`, fractions and integers stay such; `scaled` as for `Interval`.
    """

    interval: str
    why: str = ""
    whole: bool = False
    exact: bool = False
    scaled: bool = False

    @property
    def usual(self) -> Usual:
        """Integers, or floats."""
        return (int if self.whole else float), *Interval(self.interval, scaled=self.scaled).usual

    def acceptor(self, name: str) -> Acceptor:
        """Return numbers as Python's: floats for real ones, integers for whole ones."""
        interval = Interval(self.interval, scaled=self.scaled)

        def accept(value: Any) -> Any:
            number = self._number(name, value)
            if number not in interval:
                raise interval.refusal(name, number, self.why)
            return number

        return accept

    def _number(self, name: str, value: Any) -> Any:
        kind = "a whole number" if self.whole else "a real number"
        if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
            raise DomainTypeError(f"{name} = {shown(value)} must be {kind}, not of type {type(value).__name__}.")
        if self.whole and not isinstance(value, numbers.Integral):
            if not isinstance(value, float) or not value.is_integer():  # 1e4 is how some write 10000
                raise DomainError(f"{name} = {shown(value)} must be a whole number.")
            return int(value)
        if isinstance(value, numbers.Integral) and (self.whole or self.exact):
            return int(value)
        return value if self.exact and isinstance(value, Fraction) else as_float(name, value)


def as_float(name: str, value: Any) -> float:
    """A real number as a float.

    Raises
    ------
    DomainError : if it is beyond the range of float64.
    """
    try:
        return float(value)
    except OverflowError:
        raise DomainError(f"{name} = {shown(value)} is beyond the range of float64: make it smaller.") from None


@dataclass(frozen=True)
class Elementwise:
    """A number, an array or a tensor in an interval, entry by entry.

    Tensors are not read: claims hand over batches in which an instance may be out of range, and has for itself alone
    what the formula gives there, which may be nan. Their dtype is.
    """

    interval: str
    why: str = ""
    scaled: bool = False

    @property
    def usual(self) -> Usual:
        """Floats."""
        return Plain(self.interval, scaled=self.scaled).usual

    def acceptor(self, name: str) -> Acceptor:
        """Return floats, integers and tensors as they are, fractions too, arrays in float64."""
        plain = Plain(self.interval, self.why, exact=True, scaled=self.scaled).acceptor(name)
        interval, low, high = (span := Interval(self.interval, scaled=self.scaled)), span.low, span.high

        def accept(value: Any) -> Any:
            if type(value) is int and low <= value <= high and -_EXACT <= value <= _EXACT:
                return value
            if isinstance(value, np.ndarray):
                array = as_array(name, value)
                if (outside := interval.outside(array)).size:
                    raise interval.refusal(name, outside.flat[0], self.why)
                return array
            if is_tensor(value):
                return real_tensor(name, value)
            number = plain(value)
            return as_float(name, number) if isinstance(number, int) and abs(number) > _EXACT else number

        return accept


def real_tensor(name: str, value: Any) -> Any:
    """A tensor of real numbers, integers in float64: their products do not wrap round, their quotients are not short.

    Raises
    ------
    DomainTypeError : for truth values and complex numbers.
    """
    dtype = value.dtype
    if dtype.is_floating_point:
        return value
    if dtype.is_complex or str(dtype) == "torch.bool":
        raise DomainTypeError(f"{name} has dtype {dtype}, but must hold real numbers: convert it to float64.")
    return value.double()


def as_array(name: str, value: Any) -> np.ndarray:
    """An array of real numbers in float64.

    Raises
    ------
    DomainTypeError : for other entries.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise DomainTypeError(f"{name} has entries of type {array.dtype}, but must hold real numbers.")
    return array if array.dtype == np.float64 else array.astype(np.float64)


@dataclass(frozen=True)
class Series:
    """A sequence of plain numbers (a list, a tuple, an array of one axis), each in the domain of `item`."""

    item: Plain
    least: int = 0
    most: int = 10**7

    @property
    def usual(self) -> None:
        """Every value is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return a list of checked numbers."""
        each = self.item.acceptor(f"an entry of {name}")

        def accept(value: Any) -> Any:
            if isinstance(value, np.ndarray) and value.ndim == 1:
                value = value.tolist()
            if isinstance(value, str | bytes) or not isinstance(value, Sequence):
                raise DomainTypeError(f"{name} = {shown(value)} must be a sequence of numbers.")
            if not self.least <= len(value) <= self.most:
                raise DomainError(f"{name} has {len(value)} entries, but must have {self.least} to {self.most}.")
            return [each(entry) for entry in value]

        return accept


@dataclass(frozen=True)
class Options:
    """One of finitely many values, such as those of a Literal."""

    options: tuple[Any, ...]

    @property
    def usual(self) -> None:
        """Every value is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return the option."""
        text = ", ".join(map(repr, self.options))

        def accept(value: Any) -> Any:
            for option in self.options:
                alike = type(value) is type(option) or (isinstance(value, str) and isinstance(option, str))
                if value is option or (alike and value == option):
                    return value
            if not any(isinstance(value, type(option)) for option in self.options):
                raise DomainTypeError(f"{name} = {shown(value)} must be one of {text}.")
            raise DomainError(f"{name} = {shown(value)} must be one of {text}.")

        return accept


@dataclass(frozen=True)
class Kind:
    """An object of a type, one that has certain attributes, or anything that can be called."""

    kinds: tuple[type, ...] = ()
    attributes: tuple[str, ...] = ()

    @property
    def usual(self) -> None:
        """Every value is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return the object."""
        text = " or ".join(map(_full_name, self.kinds)) or "a function"
        if self.attributes:
            text = f"an object with {', '.join(self.attributes)}"

        def accept(value: Any) -> Any:
            if self.attributes:
                fits = not isinstance(value, type) and all(hasattr(value, name) for name in self.attributes)
            else:
                fits = isinstance(value, self.kinds) if self.kinds else callable(value)
            if fits:
                return value
            raise DomainTypeError(f"{name} = {shown(value)} must be {text}, not of type {type(value).__name__}.")

        return accept


def _full_name(kind: type) -> str:
    """A class with the library that it is of: numpy has a Generator, too."""
    library = kind.__module__.partition(".")[0]
    return kind.__name__ if library == "builtins" else f"{library}.{kind.__name__}"


@dataclass(frozen=True)
class Function:
    """A function as an argument: what it returns is of the declared types, and its own complaints name it."""

    returns: tuple[type, ...] = ()

    @property
    def usual(self) -> None:
        """Every value is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return the function, held to its result at each call."""
        text = " or ".join(kind.__name__ for kind in self.returns)

        def accept(value: Any) -> Any:
            if not callable(value):
                raise DomainTypeError(
                    f"{name} = {shown(value)} must be a function, not of type {type(value).__name__}."
                )

            def held(*arguments: Any, **named: Any) -> Any:
                try:
                    result = value(*arguments, **named)
                except (TypeError, ValueError) as error:
                    kind = DomainTypeError if isinstance(error, TypeError) else DomainError
                    raise kind(f"{name} has failed when it was called: {' '.join(str(error).split())}") from error
                if self.returns and not isinstance(result, self.returns):
                    raise DomainTypeError(f"{name} must return {text}, but has returned {shown(result)}.")
                return result

            held.__qualname__ = getattr(value, "__qualname__", type(value).__name__)
            return held

        return accept


@dataclass(frozen=True)
class Optional:
    """None, or something of a domain."""

    domain: Domain

    @property
    def usual(self) -> None:
        """Every value is looked at."""

    def acceptor(self, name: str) -> Acceptor:
        """Return None or what the domain accepts."""
        inner = self.domain.acceptor(name)
        return lambda value: None if value is None else inner(value)
