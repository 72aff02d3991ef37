"""The functions and classes of the user's that a body calls, with the same hooks in them as the body has."""

import contextlib
import copy
import functools
import inspect
from abc import ABCMeta
from collections.abc import Callable
from types import CellType, FunctionType, MethodType, SimpleNamespace
from typing import Any

import numpy as np

from harness.certify.caches import fresh_attributes
from harness.certify.recompiled import can_follow, recompiled_with_helpers
from harness.certify.rounding.rewriting import HOOK, Wrap

_FUNCTIONS = (FunctionType, MethodType, functools.partial)
CACHED = type(functools.lru_cache(len))
"""The type of what `functools.cache` and `lru_cache` make."""


class Followed:
    """Those of other modules are compiled as they are met, each once.

    A cache gets a new one in its place, since what it holds has been rounded as usual. A class gets a subclass that has
    all its methods and properties anew, so that operators and `len` are followed, too, and an object of the file one of
    that, which begins as it is.
    """

    def __init__(self, hooks: dict[str, Any]) -> None:
        self.hooks = hooks
        self.known: dict[Any, Any] = {}
        self.objects: dict[int, tuple[Any, Any]] = {}  # by their ids, with those that stand for them

    def __call__(self, function: Any) -> Any:
        if isinstance(function, MethodType):
            return MethodType(self(function.__func__), self.named(function.__self__))
        if isinstance(function, functools.partial):
            return functools.partial(self(function.func), *function.args, **function.keywords)
        if isinstance(function, type):
            return self._once(function, self._class)
        if isinstance(function, CACHED):
            return self._once(function, self._cached)
        if isinstance(function, np.vectorize):
            return self._once(function, self._vectorized)
        called = vars(type(function)).get("__call__")
        if isinstance(called, FunctionType) and can_follow(called):
            return MethodType(self(called), function)
        if not isinstance(function, FunctionType) or HOOK in function.__globals__:
            return function
        return self._once(function, self._dispatched if hasattr(function, "dispatch") else self._function)

    def named(self, value: Any) -> Any:
        """What a name stands for: in the place of a function or an object of the user's, one that is followed."""
        kind = type(value)
        if kind in _FUNCTIONS:
            return self(value)
        if kind.__module__ == "builtins" or self(kind) is kind:
            return value
        if id(value) not in self.objects:
            self.objects[id(value)] = value, self._object(value, self(kind))
        return self.objects[id(value)][1]

    def attribute(self, owner: Any, name: str) -> Any:
        """What an attribute is, of an object or of what stands for it; what `super()` finds as well."""
        if type(owner) is super:
            found: Any = owner
            line = type(found.__self__).__mro__ if found.__self__ is not None else ()
            after = line[line.index(found.__thisclass__) + 1 :] if found.__thisclass__ in line else ()
            declared = next((vars(base)[name] for base in after if name in vars(base)), None)
            if isinstance(declared, property):
                return self(declared.fget)(found.__self__)
        return getattr(self.named(owner), name)

    def listed(self, values: Any) -> Any:
        """The same of the objects in a list or a tuple, if the first of them is one of the user's."""
        if type(values) not in (list, tuple) or not values or self.named(values[0]) is values[0]:
            return values
        return type(values)(map(self.named, values))

    def _object(self, plain: Any, kind: type) -> Any:
        """Another object in the same state, but for properties that are kept."""
        try:
            new = _begun(plain, kind)
        except TypeError:  # of a type that makes its objects otherwise
            return plain
        kept = {name for base in kind.__mro__ for name, value in vars(base).items() if _is_kept(value)}
        state = {name: value for name, value in getattr(plain, "__dict__", {}).items() if name not in kept}
        slots = {name for base in type(plain).__mro__ for name in _slots_of(base) if hasattr(plain, name)}
        for name, value in [*state.items(), *((name, getattr(plain, name)) for name in slots)]:
            object.__setattr__(new, name, value)
        return new

    def _dispatched(self, function: Any) -> Any:
        """A function that chooses among others by the type of its first argument."""
        if not hasattr(function, "registry"):
            return self._function(function)
        return lambda first, *args, **kwargs: self(function.dispatch(type(first)))(first, *args, **kwargs)

    def _vectorized(self, plain: np.vectorize) -> Any:
        """A loop over a function that is followed."""
        new: Any = copy.copy(plain)
        new.pyfunc, new._ufunc = self(new.pyfunc), {}
        return new

    def _once(self, what: Any, make: Callable[[Any], Any]) -> Any:
        if what not in self.known:
            self.known[what] = make(what)
        return self.known[what]

    def _function(self, function: FunctionType) -> Any:
        if can_follow(function):
            return recompiled_with_helpers(function, Wrap, self.hooks) or function
        return self._wrapper(function) if hasattr(function, "__wrapped__") else function

    def _wrapper(self, function: FunctionType) -> Any:
        """What a decorator of a library has made, around functions that are followed."""
        cells = list(function.__closure__ or ())
        for place, cell in enumerate(cells):
            with contextlib.suppress(ValueError):  # an empty one
                held = cell.cell_contents
                if isinstance(held, FunctionType) and can_follow(held):
                    cells[place] = CellType(self(held))
        if cells == list(function.__closure__ or ()):
            return function
        code, defaults = function.__code__, function.__defaults__
        made = FunctionType(code, function.__globals__, function.__name__, defaults, tuple(cells))
        made.__kwdefaults__ = function.__kwdefaults__
        return made

    def _cached(self, cache: Any) -> Any:
        """One that begins anew, unless what it keeps depends on nothing: that is data, read once."""
        if _takes_nothing(cache.__wrapped__):
            return cache
        inner = self(cache.__wrapped__)
        return cache if inner is cache.__wrapped__ else functools.lru_cache(**cache.cache_parameters())(inner)

    def _class(self, plain: type) -> type:
        bases = plain.__mro__[:-1]
        inherited = {name: value for base in reversed(bases) for name, value in vars(base).items()}
        makers = (getattr(inherited.get(name), "__func__", None) for name in ("__init_subclass__", "__new__"))
        own = any(isinstance(each, FunctionType) and _is_written(each) for each in makers)  # may keep a list of them
        if type(plain) not in (type, ABCMeta) or own:
            return plain
        members = {name: (value, self._member(value)) for name, value in inherited.items()}
        changed: dict[str, Any] = {name: new for name, (old, new) in members.items() if new is not old}
        changed |= {name: new for base in reversed(bases) for name, new in fresh_attributes(base).items()}
        if not changed:
            return plain
        if "__float__" in changed:
            changed["__float__"] = functools.partialmethod(_as_float, changed["__float__"])
        usual = {"__slots__": (), "__module__": plain.__module__, "__doc__": plain.__doc__, "__hash__": plain.__hash__}
        try:
            made: type = type(plain)(plain.__name__, (plain,), usual | changed)
        except TypeError:  # one that must not be derived from
            return plain
        self.known[made] = made
        return made

    def _member(self, value: Any) -> Any:
        """A method or a property, or what else a class has, as it is where nothing in it is the user's."""
        if isinstance(value, FunctionType | CACHED):
            return self(value)
        if isinstance(value, staticmethod | classmethod):
            inner = self(value.__func__)
            return value if inner is value.__func__ else type(value)(inner)
        if isinstance(value, property):
            old = value.fget, value.fset, value.fdel
            get, put, delete = (part and self(part) for part in old)
            return value if (get, put, delete) == old else property(get, put, delete, value.__doc__)
        if isinstance(value, functools.singledispatchmethod):
            new = copy.copy(value)
            new.dispatcher = SimpleNamespace(dispatch=lambda kind: self(value.dispatcher.dispatch(kind)))  # type: ignore[assignment]
            return new
        if isinstance(value, functools.cached_property):
            inner = self(value.func)
            return value if inner is value.func else functools.cached_property(inner)
        return value


def _as_float(of: Any, method: Callable[[Any], float]) -> float:
    """A float of Python's own: of another type it is none."""
    return float.__float__(method(of))


def _begun(plain: Any, kind: type) -> Any:
    """An object with the same items, without attributes yet."""
    if isinstance(plain, tuple):
        return tuple.__new__(kind, plain)
    make: Any = kind.__new__ if isinstance(plain, list | dict | set) else object.__new__
    new = make(kind)
    if isinstance(plain, list):
        new.extend(plain)
    elif isinstance(plain, dict | set):
        new.update(plain)
    return new


def _is_written(function: FunctionType) -> bool:
    return can_follow(function) and not function.__code__.co_filename.startswith("<")


def _takes_nothing(function: Any) -> bool:
    """Whether a function has no arguments."""
    return isinstance(function, FunctionType) and not inspect.signature(function).parameters


def _is_kept(value: Any) -> bool:
    return isinstance(value, functools.cached_property)


def _slots_of(made: type) -> tuple[str, ...]:
    slots = vars(made).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
