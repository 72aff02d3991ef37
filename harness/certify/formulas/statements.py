"""Bodies rewritten so that no statement of theirs computes in float64.

Every literal, name, attribute, entry, operation between numbers and call goes through a hook. A decimal becomes a ball
that holds exactly this float, an operation between numbers one between balls, and a call is one of these:

- a function of the project: rewritten by the same rules, without the check of its signature;
- a function of `harness.certify.formulas.calls`, which gives the enclosure of what Python or torch would compute;
- a method of a tensor of balls, or of a container;
- anything else is refused, so that no number comes from where its rounding is not seen.

Whole numbers stay whole numbers; their quotients become balls.
"""

import ast
import dataclasses
import dis
import functools
import inspect
import operator
from collections.abc import Hashable
from fractions import Fraction
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.certify.formulas.calls import CONTAINERS, TABLE, are_whole, exact, is_floating, point, scalar
from harness.certify.formulas.counterparts import counterpart
from harness.certify.precision import Precise, Unsupported
from harness.certify.recompiled import CACHES, augmented, index_of, recompiled
from harness.certify.rounding.short import is_long
from harness.origins import library_folders

_VALUE, _COMBINE, _CHANGE = "_tightrope_value", "_tightrope_combined", "_tightrope_changed"
_CALL = "_tightrope_call"
_ATTRIBUTE, _ITEM, _EACH, _COMPARED = (f"_tightrope_{name}" for name in ("attribute", "item", "each", "compared"))
_PROJECT = frozenset(("bounds", "algos", "harness"))
_OPERATORS = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod"}
_OPERATORS |= {"Pow": "pow", "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}
_ROUNDED = frozenset(("truediv", "pow"))
_DIVISIONS = frozenset(("truediv", "floordiv", "mod"))
STEPS = 200_000
"""Operations of one evaluation: halving a number until it is zero has no end where nothing underflows."""

_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_CONSTANTS = {"pi", "e", "tau"}
_CONVERSIONS = tuple(
    f"__{name}__" for name in ("float", "int", "index", "abs", "round", "floor", "ceil", "trunc", "len", "iter", "bool")
)


class Reader:
    """Rewrites functions, and hands the hooks out to what they call."""

    def __init__(self, home: str) -> None:
        self.home = home.partition(".")[0]
        self.known: dict[Any, FunctionType] = {}
        self.caches: dict[Any, Any] = {}
        self.properties: dict[tuple[int, str], tuple[Any, Any]] = {}  # of objects that are kept, so that no id returns
        self.steps = 0
        self.hooks: dict[str, Any] = {CACHES: {}, _VALUE: exact, _COMBINE: self.combined, _CALL: self.call}
        self.hooks |= {_CHANGE: self.changed, _ATTRIBUTE: self.attribute, _ITEM: self.item}
        self.hooks |= {_EACH: each, _COMPARED: compared}

    def rewritten(self, function: FunctionType) -> FunctionType:
        """The function by the rules above."""
        if function not in self.known:
            if sets_globals(function.__code__):
                raise Unsupported(f"{function.__qualname__}, which sets variables of its module")
            made = recompiled(function, _Hooks, self.hooks)
            if made is None:
                raise Unsupported(f"{function.__qualname__}, whose source cannot be rewritten")
            self.known[function] = made
        return self.known[function]

    def attribute(self, owner: Any, name: str) -> Any:
        """What an attribute holds, or its property computes: decimals as balls, constants of math as what they mean."""
        declared = inspect.getattr_static(type(owner), name, None)
        if isinstance(declared, property | functools.cached_property):
            function = declared.fget if isinstance(declared, property) else declared.func
            if isinstance(function, FunctionType) and not isinstance(owner, Tensor):
                return self._property(declared, bare(function), owner, name)
        if written(type(owner), "__getattr__", "__getattribute__"):
            raise Unsupported(f"attributes of {type(owner).__name__}")
        found = getattr(owner, name)
        if isinstance(owner, ModuleType) and name in _CONSTANTS and isinstance(found, float):
            return TABLE[name]()
        return exact(found)

    def _property(self, declared: Any, function: FunctionType, owner: Any, name: str) -> Any:
        """What a property computes; a cached one does so once."""
        if isinstance(declared, property):
            return self._of_python(function, (owner,), {})
        place = id(owner), name
        if place not in self.properties:
            self.properties[place] = owner, self._of_python(function, (owner,), {})
        return self.properties[place][1]

    def item(self, owner: Any, index: Any) -> Any:
        """What stands in brackets."""
        if written(type(owner), "__getitem__") and not isinstance(owner, Tensor):
            return self._of_python(bare(type(owner).__getitem__), (owner, index), {})
        return exact(owner[index])

    def combined(self, name: str, left: Any, right: Any) -> Any:
        """`left name right` without rounding."""
        self.steps += 1
        if self.steps > STEPS:
            raise Unsupported("a loop that is long, or has no end in exact numbers")
        if any(isinstance(x, CONTAINERS) for x in (left, right)) or are_whole(left, right):
            return getattr(operator, name)(left, right)
        if any(dataclasses.is_dataclass(x) for x in (left, right)):
            return self._of_objects(name, left, right)
        left, right = exact(left), exact(right)
        if name in _DIVISIONS and _is_number(right) and not scalar(right) != 0:
            raise Unsupported("a division by zero", undecided=True)
        kinds = {type(left), type(right)}
        if Fraction in kinds and kinds <= {int, Fraction}:
            return getattr(operator, name)(left, right) if name != "pow" else Precise(left) ** Precise(right)
        whole = [isinstance(x, int) for x in (left, right)]
        if all(whole) and (name not in _ROUNDED or (name == "pow" and right >= 0)):
            return getattr(operator, name)(left, right)
        if not all(whole) and not any(isinstance(x, Tensor) for x in (left, right)):
            raise Unsupported(f"an operation between {type(left).__name__} and {type(right).__name__}")
        if name in _ROUNDED or any(is_floating(x) for x in (left, right)):
            left = left if isinstance(left, Precise) else Precise(left)
            right = right if isinstance(right, Precise) or (name == "pow" and whole[1]) else Precise(right)
        return getattr(operator, name)(left, right)

    def changed(self, name: str, left: Any, right: Any) -> Any:
        """What `left name= right` leaves: what can be changed is, also under its other names; a number is another one.

        Balls are changed nowhere: a tensor of them is refused.
        """
        operation = f"i{name.rstrip('_')}"
        if isinstance(left, Precise):
            if not left.plain:
                raise Unsupported("a tensor that is changed in place")
        elif isinstance(left, Tensor | np.ndarray):
            if not all(isinstance(x, int) or _is_whole(x) for x in (left, right)):
                raise Unsupported("an array that is changed in place")
            return getattr(operator, operation)(left, right)
        elif isinstance(left, CONTAINERS):
            return getattr(operator, operation)(left, right)
        elif written(type(left), f"__{operation}__"):
            raise Unsupported(f"an operator of {type(left).__name__}")
        return self.combined(name, left, right)

    def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """What a call gives."""
        args = tuple(self._handed(exact(arg)) for arg in args)
        kwargs = {key: self._handed(exact(value)) for key, value in kwargs.items()}
        if inspect.ismethod(function) and isinstance(function.__func__, FunctionType) and is_made(function.__self__):
            return self._of_python(bare(function.__func__), (function.__self__, *args), kwargs)
        if isinstance(function, functools._lru_cache_wrapper):
            alone = len(args) == 1 and not kwargs
            given = {key: Argument(value) for key, value in kwargs.items()}
            return self._cache_of(function)(*(Argument(arg, alone=alone) for arg in args), **given)
        if isinstance(function, Hashable) and function in TABLE:
            if any(written(type(arg), *_CONVERSIONS) and not isinstance(arg, Tensor) for arg in args):
                raise Unsupported("a conversion of an object")
            return TABLE[function](*args, **kwargs)
        plain = bare(function)
        if isinstance(plain, FunctionType):
            known = counterpart(plain)
            return self._of_python(plain, args, kwargs) if known is None else known(*args, **kwargs)
        owner = getattr(function, "__self__", None)
        if isinstance(owner, Tensor):
            return self._of_a_tensor(owner, function.__name__, args, kwargs)
        if isinstance(owner, functools._lru_cache_wrapper):
            return getattr(self._cache_of(owner), function.__name__)()
        if isinstance(owner, (*CONTAINERS, np.random.Generator)):
            return function(*args, **kwargs)
        if isinstance(function, type) and (
            issubclass(function, Exception) or dataclasses.is_dataclass(function) or hasattr(function, "_fields")
        ):
            return function(*args, **kwargs)
        if self._is_of_torch(function) and any(isinstance(x, Precise) for x in _leaves(args, kwargs)):
            return exact(function(*args, **kwargs))
        raise Unsupported(f"a call of {getattr(function, '__qualname__', type(function).__name__)}")

    def _cache_of(self, function: Any) -> Any:
        """A cache like the one that a function is behind, empty at first: it is called as often as Python calls it."""
        settings, plain = function.cache_parameters(), bare(function)
        if settings["typed"]:
            raise Unsupported("a cache that tells types apart")

        def asked(*args: Argument, **kwargs: Argument) -> Any:
            return self.call(plain, *(arg.value for arg in args), **{name: arg.value for name, arg in kwargs.items()})

        if function not in self.caches:
            self.caches[function] = functools.lru_cache(settings["maxsize"])(asked)
        return self.caches[function]

    def _of_objects(self, name: str, left: Any, right: Any) -> Any:
        """An operator that a class of the project defines."""
        name = name.rstrip("_")
        for of, other, method in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
            function = getattr(type(of), method, None)
            if isinstance(function, FunctionType):
                found = self._of_python(bare(function), (of, other), {})
                if found is not NotImplemented:
                    return found
        raise Unsupported(f"an operation between {type(left).__name__} and {type(right).__name__}")

    def _of_python(self, function: FunctionType, args: Any, kwargs: Any) -> Any:
        if _CALL in function.__globals__:
            return function(*args, **kwargs)
        if function.__module__ and function.__module__.partition(".")[0] in _PROJECT | {self.home}:
            return self.rewritten(function)(*args, **kwargs)
        if self._is_of_torch(function) and any(isinstance(x, Precise) for x in _leaves(args, kwargs)):
            return exact(function(*args, **kwargs))
        raise Unsupported(f"a call of {function.__qualname__}")

    def _of_a_tensor(self, owner: Tensor, name: str, args: Any, kwargs: Any) -> Any:
        if is_floating(owner) and not isinstance(owner, Precise):
            owner = Precise(owner)
        if isinstance(owner, Precise) and name in ("item", "tolist"):
            if name == "item":
                return point(scalar(owner))
            raise Unsupported("a list made of a tensor")
        found = getattr(owner, name)(*args, **kwargs)
        if is_floating(found) and not isinstance(found, Precise):
            if name not in ("to", "double", "type") or is_long(owner):  # others may have rounded
                raise Unsupported(f"torch.{name} of whole numbers")
            return Precise(found)
        return found

    @staticmethod
    def _is_of_torch(function: Any) -> bool:
        return (getattr(function, "__module__", None) or "").partition(".")[0] == "torch" or (
            getattr(torch, getattr(function, "__name__", ""), None) is function
        )

    def _handed(self, value: Any) -> Any:
        """Functions that are handed on are called by the same rules."""
        if isinstance(value, type) or not callable(value) or isinstance(value, Tensor):
            return value
        return lambda *args, **kwargs: self.call(value, *args, **kwargs)


class Argument:
    """An argument as a cache compares it: a number by its ball; a whole one that is `alone` is no float."""

    def __init__(self, value: Any, *, alone: bool = False) -> None:
        self.value = value
        self.key = value
        if isinstance(value, Precise):
            ball = scalar(value)
            if not (value.plain and ball.is_finite()):
                raise Unsupported("a tensor, or no finite number, as a key")
            whole = ball.unique_fmpz() if ball.is_exact() else None
            number = tuple(map(int, (*ball.mid().man_exp(), *ball.rad().man_exp()))) if whole is None else int(whole)
            self.key = (number,) if alone else number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Argument) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def bare(function: Any) -> Any:
    """A function behind the check of its signature and a cache; what another decorator does to it is not known."""
    while hasattr(function, "__wrapped__") and not isinstance(function, type):
        code = getattr(function, "__code__", None)
        checked = code is not None and code.co_filename.startswith("<signature of ")
        if not (checked or isinstance(function, functools._lru_cache_wrapper)):
            raise Unsupported(f"{getattr(function, '__qualname__', 'a function')} behind a decorator")
        function = function.__wrapped__
    return function


def sets_globals(code: CodeType) -> bool:
    """Whether a function, or one inside of it, sets variables of its module, which another one may read."""
    inner = any(sets_globals(each) for each in code.co_consts if isinstance(each, CodeType))
    return inner or any(each.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") for each in dis.get_instructions(code))


def is_made(value: Any) -> bool:
    """Whether an object is made of its fields alone."""
    return dataclasses.is_dataclass(value) or hasattr(type(value), "_fields") or isinstance(value, CONTAINERS)


def written(kind: type, *names: str) -> bool:
    """Whether a class has a method of such a name that is written in Python: what it computes in floats is not seen."""
    found = (inspect.getattr_static(kind, name, None) for name in names)
    elsewhere = ("<", *library_folders())
    return any(isinstance(each, FunctionType) and not each.__code__.co_filename.startswith(elsewhere) for each in found)


def each(value: Any) -> Any:
    """What a loop goes through."""
    if written(type(value), "__iter__", "__next__", "__getitem__") and not isinstance(value, Tensor):
        raise Unsupported(f"a loop over {type(value).__name__}")
    return value


def compared(name: str, left: Any, right: Any) -> Any:
    """The outcome of a comparison, unless objects would compare by themselves."""
    for of, method in ((left, f"__{name}__"), (right, f"__{_MIRRORED.get(name, name)}__")):
        if written(type(of), method) and not isinstance(of, Tensor):
            raise Unsupported(f"a comparison of {type(of).__name__}")
    return getattr(operator, name)(left, right)


def _is_number(value: Any) -> bool:
    """Whether a value is a number of Python, whose division by zero raises."""
    return value.plain if isinstance(value, Precise) else isinstance(value, int | Fraction)


def _is_whole(value: Any) -> bool:
    """Whether a value is an array or a tensor of whole numbers."""
    if isinstance(value, Tensor):
        return not (value.is_floating_point() or value.is_complex())
    return isinstance(value, np.ndarray) and value.dtype.kind in "iub"


def _leaves(*values: Any) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if isinstance(value, dict):
            found += _leaves(*value.values())
        elif isinstance(value, list | tuple):
            found += _leaves(*value)
        else:
            found.append(value)
    return found


class _Hooks(ast.NodeTransformer):
    """Puts the hooks in."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self._hooked(node) if isinstance(node.value, float) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._hooked(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        read = isinstance(node.ctx, ast.Load)
        return self._hooked(node, _ITEM, node.value, index_of(node.slice)) if read else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        read = isinstance(node.ctx, ast.Load)
        return self._hooked(node, _ATTRIBUTE, node.value, ast.Constant(node.attr)) if read else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = _COMPARISONS.get(type(node.ops[0]).__name__)
        if name is None or len(node.ops) > 1:
            return node
        return self._hooked(node, _COMPARED, ast.Constant(name), node.left, node.comparators[0])

    def _visit_loop(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._hooked(node.iter, _EACH, node.iter)
        return node  # type: ignore[no-any-return]

    visit_For = visit_comprehension = _visit_loop  # noqa: N815

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._combination(node.op, self.visit(node.left), self.visit(node.right))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        return augmented(node, lambda read, value: self._combination(node.op, self.visit(read), value, _CHANGE))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        call = ast.Call(ast.Name(_CALL, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(call, node)

    @staticmethod
    def _combination(op: ast.operator, left: ast.expr, right: ast.expr, hook: str = _COMBINE) -> ast.expr:
        name = _OPERATORS.get(type(op).__name__)
        if name is None:
            raise SyntaxError("an operation on bits")
        return ast.copy_location(ast.Call(ast.Name(hook, ast.Load()), [ast.Constant(name), left, right], []), left)

    @staticmethod
    def _hooked(node: ast.expr, hook: str = _VALUE, *parts: ast.expr) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(hook, ast.Load()), list(parts) or [node], []), node)
