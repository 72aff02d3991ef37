"""The functions and classes of the user's that a body calls, with the same hooks in them as the body has."""

import functools
from abc import ABCMeta
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from harness.certify.caches import fresh_attributes
from harness.certify.recompiled import can_follow, recompiled_with_helpers
from harness.certify.rounding.rewriting import HOOK, Wrap

CACHED = type(functools.lru_cache(len))
"""The type of what `functools.cache` and `lru_cache` make."""


class Followed:
    """Those of other modules are compiled as they are met, each once.

    A cache gets a new one in its place, since what it holds has been rounded as usual. A class gets a subclass that has
    all its methods and properties anew, so that operators and `len` are followed, too.
    """

    def __init__(self, hooks: dict[str, Any]) -> None:
        self.hooks = hooks
        self.known: dict[Any, Any] = {}

    def __call__(self, function: Any) -> Any:
        if isinstance(function, MethodType):
            return MethodType(self(function.__func__), function.__self__)
        if isinstance(function, functools.partial):
            return functools.partial(self(function.func), *function.args, **function.keywords)
        if isinstance(function, type):
            return self._once(function, self._class)
        if isinstance(function, CACHED):
            return self._once(function, self._cached)
        called = vars(type(function)).get("__call__")
        if isinstance(called, FunctionType) and can_follow(called):
            return MethodType(self(called), function)
        if not isinstance(function, FunctionType) or HOOK in function.__globals__:
            return function
        return self._once(function, self._function)

    def _once(self, what: Any, make: Callable[[Any], Any]) -> Any:
        if what not in self.known:
            self.known[what] = make(what)
        return self.known[what]

    def _function(self, function: FunctionType) -> Any:
        return (recompiled_with_helpers(function, Wrap, self.hooks) if can_follow(function) else None) or function

    def _cached(self, cache: Any) -> Any:
        inner = self(cache.__wrapped__)
        return cache if inner is cache.__wrapped__ else functools.lru_cache(**cache.cache_parameters())(inner)

    def _class(self, plain: type) -> type:
        bases = plain.__mro__[:-1]
        inherited = {name: value for base in reversed(bases) for name, value in vars(base).items()}
        derived = getattr(inherited.get("__init_subclass__"), "__func__", None)  # may keep a list of what is derived
        own = isinstance(derived, FunctionType) and can_follow(derived)
        if type(plain) not in (type, ABCMeta) or "__new__" in inherited or own:
            return plain
        members = {name: (value, self._member(value)) for name, value in inherited.items()}
        changed: dict[str, Any] = {name: new for name, (old, new) in members.items() if new is not old}
        changed |= {name: new for base in reversed(bases) for name, new in fresh_attributes(base).items()}
        if not changed:
            return plain
        usual = {"__slots__": (), "__module__": plain.__module__, "__doc__": plain.__doc__, "__hash__": plain.__hash__}
        try:
            return type(plain)(plain.__name__, (plain,), usual | changed)
        except TypeError:  # one that must not be derived from
            return plain

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
        if isinstance(value, functools.cached_property):
            inner = self(value.func)
            return value if inner is value.func else functools.cached_property(inner)
        return value
