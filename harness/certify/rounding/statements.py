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

import ast
import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import torch
from torch import Tensor

from harness.certify.recompiled import Body, can_follow, recompiled_with_helpers
from harness.certify.rounding.inputs import LAST_PLACES
from harness.certify.rounding.libraries import chooses, copies, of_ties, seen, terms
from harness.certify.rounding.operations import names
from harness.certify.rounding.short import NEXT_TO, coarse_number, moved_array, scattered
from harness.certify.rounding.ties import COMPARING, Compared, Ties, plain

_HOOK, _COMBINE, _WHOLE = "_tightrope_named", "_tightrope_combined", "_tightrope_whole"
_CALL, _SEEN, _COMPARE = "_tightrope_called", "_tightrope_seen", "_tightrope_compared"
_TRUTH = "_tightrope_truth"
_SATURATING = names(
    """
    exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh asin acos atan arctanh atanh
    erf erfc erfcx expit logit ndtr log_ndtr gammainc gammaincc gamma lgamma gammaln loggamma betainc stdtr chdtr chdtrc
    cdf sf logcdf logsf pdf logpdf ppf isf logaddexp softmax log_softmax logsumexp xlogy xlog1py power pow j0 i0
    """
)
_FRAMES = frozenset(("super", "locals", "globals", "vars", "dir", "eval", "exec"))  # look at who calls them
_TO_INTEGERS = frozenset(("int", "round", "ceil", "floor", "trunc", "rint"))
_COMPARISONS = {"Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}
_OPERATORS = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod"}
_OPERATORS |= {"Pow": "pow", "MatMult": "matmul", "LShift": "lshift", "RShift": "rshift"}
_OPERATORS |= {"BitAnd": "and_", "BitOr": "or_", "BitXor": "xor"}


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
    hooks: dict[str, Any] = {
        _HOOK: functools.partial(_named, share),
        _COMBINE: functools.partial(_combined, share),
        _WHOLE: _whole if share.sign else lambda value: value,  # as it is, where nothing is moved
    }
    hooks |= {_COMPARE: functools.partial(_compared, ties), _TRUTH: functools.partial(_truth, ties)}
    hooks |= {_CALL: functools.partial(_called, share), _SEEN: functools.partial(_seen, share, _Followed(hooks))}
    return recompiled_with_helpers(body, _Wrap, hooks)


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


class _Followed:
    """The functions of the user's other modules, with the same hooks, as they are met."""

    def __init__(self, hooks: dict[str, Any]) -> None:
        self.hooks = hooks
        self.known: dict[FunctionType, Any] = {}

    def __call__(self, function: Any) -> Any:
        if isinstance(function, MethodType):
            return MethodType(self(function.__func__), function.__self__)
        if isinstance(function, functools.partial):
            return functools.partial(self(function.func), *function.args, **function.keywords)
        if isinstance(function, type):
            return self._constructor(function)
        called = vars(type(function)).get("__call__")
        if isinstance(called, FunctionType) and can_follow(called):
            return MethodType(self(called), function)
        if not isinstance(function, FunctionType) or _HOOK in function.__globals__:
            return function
        if function not in self.known:
            made = recompiled_with_helpers(function, _Wrap, self.hooks) if can_follow(function) else None
            self.known[function] = made or function
        return self.known[function]

    def _constructor(self, made: type) -> Callable[..., Any]:
        """Of a plain class of the user's, with what its `__init__` does followed."""
        begin = made.__init__  # type: ignore[misc]
        usual = type(made) is type and "__new__" not in set().union(*map(vars, made.__mro__[:-1]))
        if not (usual and isinstance(begin, FunctionType) and can_follow(begin)):
            return made

        def constructor(*args: Any, **kwargs: Any) -> Any:
            new: Any = object.__new__(made)
            self(begin)(new, *args, **kwargs)
            return new

        return constructor


def _moved(share: Shares, value: Any, lost: Any = False) -> Any:  # noqa: FBT002
    """The value moved by shares of its last place; short ones stay, unless what they were made from was lost."""
    return _moved_by(share, lambda value: share(np.shape(value)), value, lost)


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
    return share.note(value) if type(value) is int or isinstance(value, np.int64) else value


def _moved_in_place(share: Shares, value: Any, lost: Any = False) -> Any:  # noqa: FBT002
    """The value itself, whose numbers are new, if it is an array."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        value[...] = moved_array(value, share(value.shape), lost)
        return share.note(share.keep(value))
    return _moved(share, value, lost)


def _called(share: Shares, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function of plain numbers that saturates, moved: that `np.tanh(40.0)` is short does not make it exact.

    At whole numbers from -2 to 2 what is short stays.
    """
    value = function(*args, **kwargs)
    if kwargs.get("out") is value:
        return _moved_in_place(share, value)
    if type(value) is Tensor and isinstance(function, np.ufunc):  # computed by numpy, and wrapped
        return torch.from_numpy(np.asarray(_called(share, lambda *_: value.numpy(force=True), *args)))
    first = args[0].numpy(force=True) if type(args[0]) is Tensor else plain(args[0])
    numbers = isinstance(value, float | np.ndarray) and isinstance(first, float | int | np.number | np.ndarray)
    if not numbers or np.shape(first) != np.shape(value):
        return _moved(share, value)
    with np.errstate(all="ignore"):
        return _moved(share, value, ~((first == np.rint(first)) & (np.abs(first) <= 2.0)))


def _seen(share: Shares, followed: _Followed, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Any other function, moved, and inside where it is the user's; what libraries err by is seen from their inputs.

    What only chooses among numbers has rounded nothing, and a copy is moved as a name is.
    """
    if share.ties is not None:
        args = of_ties(share.ties, function, args, kwargs)
    found = seen(share, followed(function), args, kwargs, share.ties)
    if kwargs.get("out") is found:
        return _moved_in_place(share, found)
    if chooses(function):
        real = isinstance(found, float | int) or (isinstance(found, np.ndarray) and found.dtype.kind in "if")
        return share.note(plain(found)) if real else found
    return _named(share, found) if copies(function) else _moved(share, found)


def _combined(share: Shares, name: str, left: Any, right: Any) -> Any:
    """`left name right`, moved; "iadd" and the like change their left operand, as the statement would."""
    left, right = plain(left), plain(right)
    outside = not (isinstance(left, Tensor) or isinstance(right, Tensor))
    if outside and share.sign and name in ("floordiv", "ifloordiv") and (type(left) is float or type(right) is float):
        found = np.floor(_whole(left / right))
        return found if isinstance(found, np.ndarray) else float(found)
    if outside and name in ("matmul", "imatmul"):
        left, right = terms(share, left), terms(share, right)
    if share.ties is not None and name in ("truediv", "itruediv") and not isinstance(right, Tensor):
        right = share.ties.of_divisor(right)
    kept = left.copy() if name in ("iadd", "isub") and type(left) is np.ndarray else left
    out = getattr(operator, name)(left, right)
    return (_moved_in_place if out is left else _moved)(share, out, _lost(name, kept, right, out))


def _compared(ties: Ties | None, name: str, left: Any, right: Any) -> Any:
    """A comparison, of which ties know; those of tensors they are told of elsewhere."""
    if ties is None or isinstance(left, Tensor) or isinstance(right, Tensor):
        return COMPARING[name](left, right)
    return ties.of_numbers(name, left, right)


def _truth(ties: Ties | None, value: Any) -> Any:
    """Whether a float is not zero, of which ties know; other values as they are."""
    return _compared(ties, "ne", value, 0.0) if isinstance(value, float) else value


def _whole(value: Any) -> Any:
    """Plain numbers next to a whole one, or to a half, as that number; everything else as it is."""
    value = plain(value)
    if type(value) is float or isinstance(value, np.float64) or (type(value) is np.ndarray and value.dtype.kind == "f"):
        nearest = 0.5 * np.rint(2.0 * value)
        settled = np.where(np.abs(value - nearest) <= NEXT_TO * np.maximum(np.abs(value), 1.0), nearest, value)
        return settled if type(value) is np.ndarray else type(value)(settled)
    return value


def _lost(name: str, left: Any, right: Any, out: Any) -> Any:
    """Where a sum or difference of plain numbers is not exact: 1e8 + 1e-10 is as short as 1e8."""
    if not all(isinstance(operand, float | int | np.float64 | np.ndarray) for operand in (left, right, out)):
        return False
    if name in ("add", "iadd"):
        return (out - right != left) | (out - left != right)
    if name in ("sub", "isub"):
        return (out + right != left) | (left - out != right)
    return False


class _Wrap(ast.NodeTransformer):
    """Wraps every arithmetic operation and call, every decimal, and every name that may stand for one from outside."""

    def __init__(self) -> None:
        self.own: set[str] | None = None  # names that the function sets itself: their values have been moved

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if self.own is None:
            inside = list(ast.walk(node))
            stored = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            self.own = stored - {each.arg for each in inside if isinstance(each, ast.arg)}
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self._wrapped(node) if isinstance(node.value, float) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        outside = isinstance(node.ctx, ast.Load) and node.id not in (self.own or ())
        return self._wrapped(node) if outside else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return self._written_into(node)
        self.generic_visit(node)
        return self._wrapped(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self.generic_visit(node) if isinstance(node.ctx, ast.Load) else self._written_into(node)

    def _written_into(self, node: ast.expr) -> ast.expr:
        """What a statement writes into is the thing itself, and no moved copy of it."""
        if isinstance(node, ast.Name):
            return node
        if not isinstance(node, ast.Attribute | ast.Subscript):
            return self.visit(node)  # type: ignore[no-any-return]
        node.value = self._written_into(node.value)
        if isinstance(node, ast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node  # a pattern is no expression; what is matched with it compares itself

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._combination("", node.op, self.visit(node.left), self.visit(node.right))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        self.generic_visit(node)
        if function in _SATURATING and node.args and not isinstance(node.args[0], ast.Starred):
            call = ast.Call(ast.Name(_CALL, ast.Load()), [node.func, *node.args], node.keywords)
            return ast.copy_location(call, node)
        if function in _TO_INTEGERS and node.args:
            first = node.args[0]
            node.args[0] = ast.copy_location(ast.Call(ast.Name(_WHOLE, ast.Load()), [first], []), first)
        if function in _FRAMES:
            return self._wrapped(node)
        call = ast.Call(ast.Name(_SEEN, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(call, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = _COMPARISONS.get(type(node.ops[0]).__name__)
        if name is None or len(node.ops) > 1:
            return node
        call = ast.Call(ast.Name(_COMPARE, ast.Load()), [ast.Constant(name), node.left, node.comparators[0]], [])
        return ast.copy_location(call, node)

    def _visit_branch(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.test = self._truth_of(node.test)
        return node  # type: ignore[no-any-return]

    visit_If = visit_IfExp = visit_While = _visit_branch  # noqa: N815

    def _truth_of(self, test: ast.expr) -> ast.expr:
        """A condition, with the truth of its plain numbers."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._truth_of(value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._truth_of(test.operand)
            return test
        return ast.copy_location(ast.Call(ast.Name(_TRUTH, ast.Load()), [test], []), test)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`t[i] += x` and `t.a += x` look t and i up once."""
        value, target, before = self.visit(node.value), self.visit(node.target), list[ast.stmt]()

        def once(part: ast.expr) -> ast.expr:
            name = f"_tightrope_part_{len(before)}"
            before.append(ast.Assign([ast.Name(name, ast.Store())], part))
            return ast.Name(name, ast.Load())

        read = written = target
        if isinstance(target, ast.Name):
            read = ast.Name(target.id, ast.Load())
        elif isinstance(target, ast.Attribute):
            owner = once(target.value)
            read, written = (ast.Attribute(owner, target.attr, context()) for context in (ast.Load, ast.Store))
        elif isinstance(target, ast.Subscript):
            owner, index = once(target.value), once(_index(target.slice))
            read, written = (ast.Subscript(owner, index, context()) for context in (ast.Load, ast.Store))
        changed = ast.Assign([written], self._combination("i", node.op, read, value))
        return [ast.copy_location(each, node) for each in (*before, changed)]

    @staticmethod
    def _combination(prefix: str, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
        name = prefix + _OPERATORS[type(op).__name__].rstrip("_" if prefix else "")
        return ast.copy_location(ast.Call(ast.Name(_COMBINE, ast.Load()), [ast.Constant(name), left, right], []), left)

    @staticmethod
    def _wrapped(node: ast.AST) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(_HOOK, ast.Load()), [node], []), node)  # type: ignore[list-item]


def _index(node: ast.expr) -> ast.expr:
    """What stands in brackets as an expression of its own: `1:3` as `slice(1, 3, None)`."""
    if isinstance(node, ast.Tuple):
        return ast.Tuple([_index(each) for each in node.elts], ast.Load())
    if isinstance(node, ast.Slice):
        ends = [end or ast.Constant(None) for end in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Name("slice", ast.Load()), ends, [])
    return node
