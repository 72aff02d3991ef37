"""What the body of a claim without a file of its own reaches by name, as text that is the same in every process.

`exec` and some notebooks leave no file behind, and a module that the user has imported may have been changed since. So
the code and the values that the body reaches are written out: containers, arrays, functions and classes of the user's,
and whatever can be copied by what its copy is made from. Of the rest nothing is known: its text never comes again.
"""

import functools
import os
import sys
from collections.abc import Callable
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

from harness.origins import OURS
from harness.run.witness import digest, is_users

_PLAIN = (bool, int, float, complex, str, bytes, bytearray, range, slice, type(None), type(...), type(NotImplemented))
_OF_CLASSES = frozenset({"__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__", "_abc_impl"})


def reached(body: Callable[..., Any]) -> tuple[str, frozenset[str]]:
    """The text of what a body reaches, and the modules of others among it."""
    modules = set[str]()
    text = _Writer(modules).text(body)
    return digest(text.encode(errors="surrogateescape")), frozenset(modules)


class _Writer:
    def __init__(self, modules: set[str]) -> None:
        self.modules = modules
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no number is given twice

    def text(self, value: Any) -> str:
        if isinstance(value, _PLAIN) and type(value) in _PLAIN:
            return f"{type(value).__name__}:{value!r}"
        if id(value) in self._seen:
            return f"again:{self._seen[id(value)]}"
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        try:
            return f"{type(value).__qualname__}({self._parts(value)})"
        except Exception:  # it does not say what it is
            return os.urandom(16).hex()

    def _all(self, values: Any) -> str:
        return ",".join([self.text(value) for value in values])

    def _parts(self, value: Any) -> str:
        if isinstance(value, ModuleType):
            return self._module(value)
        if isinstance(value, FunctionType | type) and not self._typed(value.__module__):
            self.modules.add(value.__module__)
            return f"{value.__module__}.{value.__qualname__}"
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, type):
            named = sorted((name, each) for name, each in vars(value).items() if name not in _OF_CLASSES)
            return self._all([value.__qualname__, value.__bases__, *(part for pair in named for part in pair)])
        if type(value) in (list, tuple):
            return self._all(value)
        if type(value) in (dict, MappingProxyType):
            return self._all(part for pair in value.items() for part in pair)
        if type(value) in (set, frozenset):
            return ",".join(sorted(_Writer(self.modules).text(each) for each in value))
        return self._array(value) or self._wrapper(value) or self._reduced(value)

    def _function(self, function: FunctionType) -> str:
        names = sorted(_names_of(function.__code__) & function.__globals__.keys())
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        values = [function.__globals__[name] for name in names]
        around = [names, values, cells, function.__defaults__, function.__kwdefaults__, vars(function)]
        return f"{_text_of(function.__code__)},{self._all(around)}"

    def _module(self, module: ModuleType) -> str:
        if not self._typed(module.__name__):
            self.modules.add(module.__name__)
            return module.__name__
        named = sorted((n, each) for n, each in vars(module).items() if not (n.startswith("__") and n.endswith("__")))
        return self._all(part for pair in named for part in pair)

    def _typed(self, module: str | None) -> bool:
        """Whether what is called so is a user's: it has no file, or one that belongs to no library and not to us."""
        top = (module or "").partition(".")[0]
        file = getattr(sys.modules.get(module or ""), "__file__", None)
        return top not in sys.stdlib_module_names | OURS and (not isinstance(file, str) or is_users(file))

    def _array(self, value: Any) -> str:
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            plain = value.detach().cpu().contiguous()
            about = (value.dtype, tuple(value.shape), str(value.device), value.requires_grad)
            return f"{about},{digest(plain.reshape(-1).view(torch.uint8).numpy().tobytes())}"
        if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
            content = self._all(value.tolist()) if value.dtype.hasobject else digest(value.tobytes())
            return f"{value.dtype},{value.shape},{content}"
        return ""

    def _wrapper(self, value: Any) -> str:
        if isinstance(value, classmethod | staticmethod):
            return self.text(value.__func__)
        if isinstance(value, property):
            return self._all([value.fget, value.fset, value.fdel])
        if isinstance(value, MethodType):
            return self._all([value.__func__, value.__self__])
        if isinstance(value, functools.partial):
            return self._all([value.func, value.args, value.keywords])
        return self.text(value.__wrapped__) if "__wrapped__" in getattr(value, "__dict__", ()) else ""

    def _reduced(self, value: Any) -> str:
        reduced = value.__reduce_ex__(4)
        if isinstance(reduced, str):  # a name in a module
            module = getattr(value, "__module__", None) or type(value).__module__
            if self._typed(module):
                raise TypeError(f"{reduced} is found by name alone")
            self.modules.add(module)
            return f"{module}.{reduced}"
        return self._all(part if part is None or i < 3 else list(part) for i, part in enumerate(reduced))


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _names_of(code: CodeType) -> set[str]:
    return set(code.co_names).union(*map(_names_of, _inner(code)))


def _text_of(code: CodeType) -> str:
    """Code as text that is the same in every process."""
    constants = [_constant(constant) for constant in code.co_consts if not isinstance(constant, CodeType)]
    inner = [_text_of(each) for each in _inner(code)]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, inner))


def _constant(value: Any) -> Any:
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value
