"""Evaluate a claim's body in 50-digit arithmetic, to certify a counterexample beyond any doubt about rounding.

`Precise` is a tensor whose numbers are mpmath numbers. It answers to the operations that closed-form claims use,
through torch's own `__torch_function__` protocol, so that the same body runs unchanged. It says that it requires a
gradient, which steers algorithms to their plain path. A body that leaves this set of operations (numpy, an in-place
update) raises `Unsupported`; the counterexample then rests on float64 alone, and the verdict says so. Constants that a
body computes as plain Python floats enter with their own rounding, about 1e-16.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import mpmath
import numpy as np
import torch
from torch import Tensor

DIGITS = 50


class Unsupported(Exception):  # noqa: N818  (a signal: this body has no closed form here)
    """An operation that `Precise` does not know."""


class Precise(Tensor):
    """A tensor of 50-digit numbers; floats are taken exactly."""

    array: np.ndarray

    @staticmethod
    def __new__(cls, value: Any) -> "Precise":
        array = lift(value)
        made: Precise = torch.Tensor._make_subclass(cls, torch.zeros(array.shape, dtype=torch.float64))
        made.array = array
        return made

    def __init__(self, value: Any) -> None:
        pass

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", str(func))
        if name in ("__get__", "__set__"):
            name = func.__self__.__name__
        name = name.removeprefix("__").removesuffix("__").removeprefix("linalg_")
        if name == "requires_grad":
            return True
        if name in _METADATA:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        if name not in _OPERATIONS:
            raise Unsupported(f"torch.{name}")
        return _wrapped(_OPERATIONS[name](*args, **(kwargs or {})))


def lift(value: Any) -> np.ndarray:
    """Any operand as an object array of mpmath numbers (truth values and integers included)."""
    if isinstance(value, Precise):
        return value.array
    if isinstance(value, Tensor):
        value = value.detach().cpu().numpy()
    array = np.asarray(value)
    return array if array.dtype == object else each(lambda v: mpmath.mpf(float(v)), array)


def each(function: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    """Apply elementwise with broadcasting, keeping the shape even of scalars."""
    wide = np.broadcast_arrays(*arrays)
    result = np.empty(wide[0].shape, dtype=object)
    for index in np.ndindex(result.shape):
        result[index] = function(*(array[index] for array in wide))
    return result


def _wrapped(result: Any) -> Any:
    """Object arrays as `Precise`, truth values and indices as ordinary tensors."""
    if isinstance(result, np.ndarray):
        return Precise(result) if result.dtype == object else torch.as_tensor(result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_wrapped, result))
    return tuple(map(_wrapped, result)) if isinstance(result, tuple) else result


_METADATA = frozenset(
    {
        "shape",
        "ndim",
        "dtype",
        "device",
        "dim",
        "size",
        "numel",
        "element_size",
        "is_cuda",
        "is_complex",
        "is_leaf",
        "is_floating_point",
        "layout",
        "len",
        "is_sparse",
        "names",
        "grad_fn",
        "is_contiguous",
    }
)
_Operation = Callable[..., Any]


def _unary(function: Callable[[Any], Any]) -> _Operation:
    return lambda x, **_: each(function, lift(x))


def _binary(function: Callable[[Any, Any], Any]) -> _Operation:
    return lambda x, y, **_: each(function, lift(x), lift(y))


def _swapped(function: Callable[[Any, Any], Any]) -> _Operation:
    return lambda x, y, **_: each(function, lift(y), lift(x))


def _compared(function: Callable[[Any, Any], Any]) -> _Operation:
    return lambda x, y: each(function, lift(x), lift(y)).astype(bool)


def _divide(a: Any, b: Any) -> Any:
    if b == 0:
        return mpmath.nan if a == 0 or mpmath.isnan(a) else mpmath.sign(a) * mpmath.inf
    return a / b


def _power(a: Any, b: Any) -> Any:
    return a ** int(b) if b == mpmath.nint(b) else mpmath.power(a, b)


def _axes(dim: Any, ndim: int) -> tuple[int, ...] | None:
    if dim is None or dim == ():
        return None
    return tuple(d % ndim for d in ((dim,) if isinstance(dim, int) else dim))


def _reduced(function: Callable[..., Any]) -> _Operation:
    def operation(x: Any, dim: Any = None, keepdim: Any = None, **_: Any) -> np.ndarray:
        array = lift(x)
        return np.asarray(function(array, axis=_axes(dim, array.ndim), keepdims=bool(keepdim)), dtype=object)

    return operation


_SUM, _LARGEST, _SMALLEST = _reduced(np.sum), _reduced(np.max), _reduced(np.min)


def _mean(x: Any, dim: Any = None, keepdim: Any = None, **_: Any) -> np.ndarray:
    array = lift(x)
    axes = _axes(dim, array.ndim)
    count = array.size if axes is None else math.prod(array.shape[a] for a in axes)
    return np.asarray(_SUM(array, dim, keepdim) / count, dtype=object)


def _norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = None, **_: Any) -> np.ndarray:
    if ord not in (2, 2.0, "fro", None):
        raise Unsupported(f"a norm of order {ord}")
    return each(mpmath.sqrt, _SUM(lift(x) ** 2, dim, keepdim))


def _clamp(x: Any, min: Any = None, max: Any = None) -> np.ndarray:
    array = lift(x)
    if min is not None:
        array = each(lambda a, b: a if a >= b else b, array, lift(min))
    return array if max is None else each(lambda a, b: a if a <= b else b, array, lift(max))


def _where(condition: Any, x: Any, y: Any) -> np.ndarray:
    truth = np.asarray(condition.detach().numpy(), dtype=bool)
    return each(lambda c, a, b: a if c else b, truth, lift(x), lift(y))


class Sorted(NamedTuple):
    """What torch.sort and torch.max over an axis return."""

    values: Any
    indices: Any


def _argsort(x: Any, dim: int = -1, descending: Any = None, **_: Any) -> np.ndarray:
    array = lift(x)
    order = np.argsort(-array if descending else array, axis=dim, kind="stable")
    return np.asarray(order, dtype=np.int64)


def _sort(x: Any, dim: int = -1, descending: Any = None, **_: Any) -> Sorted:
    order = _argsort(x, dim, descending)
    return Sorted(np.take_along_axis(lift(x), order, axis=dim), order)


def _extreme(reduction: _Operation, pick: Callable[[Any, Any], Any], find: Callable[..., Any]) -> _Operation:
    """torch.max and torch.min: of everything, over an axis, or of two tensors."""

    def operation(x: Any, dim: Any = None, keepdim: Any = None, **_: Any) -> Any:
        if dim is None:
            return reduction(x)
        if isinstance(dim, Tensor):
            return each(pick, lift(x), lift(dim))
        array = lift(x)
        index = np.asarray(find(array, axis=dim, keepdims=bool(keepdim)), dtype=np.int64)
        return Sorted(reduction(x, dim, keepdim), index)

    return operation


def _sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else tuple(shape)


def _expand(x: Any, *shape: Any) -> np.ndarray:
    array, sizes = lift(x), _sizes(shape)
    own = (1,) * (len(sizes) - array.ndim) + array.shape
    return np.broadcast_to(array, tuple(o if s == -1 else s for s, o in zip(sizes, own, strict=True)))


def _squeeze(x: Any, dim: Any = None) -> np.ndarray:
    array = lift(x)
    axes = range(array.ndim) if dim is None else _axes(dim, array.ndim) or ()
    return np.squeeze(array, axis=tuple(a for a in axes if array.shape[a] == 1))


def _item(x: Any, index: Any) -> np.ndarray:
    parts = index if isinstance(index, tuple) else (index,)
    plain = tuple(p.numpy() if isinstance(p, Tensor) else p for p in parts)
    return np.asarray(lift(x)[plain], dtype=object)


def _matrices(*arrays: np.ndarray) -> Iterator[tuple[Any, tuple[np.ndarray, ...]]]:
    """Matching matrices over broadcast leading axes."""
    lead = np.broadcast_shapes(*(a.shape[:-2] for a in arrays))
    wide = [np.broadcast_to(a, lead + a.shape[-2:]) for a in arrays]
    for index in np.ndindex(lead):
        yield index, tuple(a[index] for a in wide)


def _solve(matrix: Any, target: Any, **_: Any) -> np.ndarray:
    """Linear systems by elimination; triangular ones are solved as general ones."""
    a, b = lift(matrix), lift(target)
    vector = b.ndim == a.ndim - 1 and b.ndim >= 1
    b = b[..., None] if vector else b
    result = np.empty(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], dtype=object)
    for index, (left, right) in _matrices(a, b):
        square = mpmath.matrix(left.tolist())
        columns = [list(mpmath.lu_solve(square, mpmath.matrix(column.tolist()))) for column in right.T]
        result[index] = np.array(columns, dtype=object).T.reshape(right.shape)
    return result[..., 0] if vector else result


def _cholesky(matrix: Any, **_: Any) -> np.ndarray:
    a = lift(matrix)
    result = np.empty(a.shape, dtype=object)
    for index, (square,) in _matrices(a):
        result[index] = np.array(mpmath.cholesky(mpmath.matrix(square.tolist())).tolist(), dtype=object)
    return result


class CholeskyInfo(NamedTuple):
    """What torch.linalg.cholesky_ex returns."""

    L: Any
    info: Any


def _cholesky_ex(matrix: Any, **_: Any) -> CholeskyInfo:
    return CholeskyInfo(_cholesky(matrix), np.zeros(lift(matrix).shape[:-2], dtype=np.int32))


def _cholesky_solve(target: Any, factor: Any, **_: Any) -> np.ndarray:
    lower = lift(factor)
    return _solve(np.swapaxes(lower, -1, -2), _solve(lower, target))


def _eigenvalues(matrix: Any, **_: Any) -> np.ndarray:
    a = lift(matrix)
    result = np.empty(a.shape[:-1], dtype=object)
    for index, (square,) in _matrices(a):
        values = mpmath.eigsy(mpmath.matrix(square.tolist()), eigvals_only=True)
        result[index] = np.array(sorted(values), dtype=object)
    return result


def _filled(value: float) -> _Operation:
    return lambda x, **_: each(lambda _: mpmath.mpf(value), lift(x))


_OPERATIONS: dict[str, _Operation] = {
    **dict.fromkeys(("add", "radd", "iadd"), _binary(lambda a, b: a + b)),
    **dict.fromkeys(("mul", "rmul", "multiply", "imul"), _binary(lambda a, b: a * b)),
    **dict.fromkeys(("sub", "subtract", "isub"), _binary(lambda a, b: a - b)),
    **dict.fromkeys(("div", "truediv", "true_divide", "itruediv"), _binary(_divide)),
    **dict.fromkeys(("pow",), _binary(_power)),
    **dict.fromkeys(("rsub",), _swapped(lambda a, b: a - b)),
    **dict.fromkeys(("rdiv", "rtruediv"), _swapped(_divide)),
    **dict.fromkeys(("rpow",), _swapped(_power)),
    **dict.fromkeys(("neg", "negative"), _unary(lambda a: -a)),
    **dict.fromkeys(("abs", "absolute"), _unary(abs)),
    **{name: _unary(getattr(mpmath, name)) for name in ("sqrt", "exp", "log", "cos", "sin", "tan", "expm1", "sign")},
    "log1p": _unary(mpmath.log1p),
    "floor": _unary(mpmath.floor),
    "ceil": _unary(mpmath.ceil),
    "round": _unary(mpmath.nint),
    "square": _unary(lambda a: a * a),
    "reciprocal": _unary(lambda a: _divide(mpmath.mpf(1), a)),
    "rsqrt": _unary(lambda a: _divide(mpmath.mpf(1), mpmath.sqrt(a))),
    "lt": _compared(lambda a, b: a < b),
    "le": _compared(lambda a, b: a <= b),
    "gt": _compared(lambda a, b: a > b),
    "ge": _compared(lambda a, b: a >= b),
    "eq": _compared(lambda a, b: a == b),
    "ne": _compared(lambda a, b: a != b),
    "isfinite": lambda x: each(mpmath.isfinite, lift(x)).astype(bool),
    "isnan": lambda x: each(mpmath.isnan, lift(x)).astype(bool),
    "bool": lambda x: bool(lift(x).reshape(-1)[0] != 0),
    "maximum": _binary(lambda a, b: a if a >= b else b),
    "minimum": _binary(lambda a, b: a if a <= b else b),
    "clamp": _clamp,
    "clip": _clamp,
    "clamp_min": lambda x, min: _clamp(x, min=min),
    "clamp_max": lambda x, max: _clamp(x, max=max),
    "relu": lambda x: _clamp(x, min=0.0),
    "where": _where,
    "masked_fill": lambda x, mask, value: _where(mask, each(lambda _: mpmath.mpf(float(value)), lift(x)), x),
    "broadcast_tensors": lambda *tensors: tuple(np.broadcast_arrays(*map(lift, tensors))),
    "diff": lambda x, n=1, dim=-1: np.diff(lift(x), n=n, axis=dim),
    "unique": lambda x, **_: np.unique(lift(x)),
    "sum": _SUM,
    "prod": _reduced(np.prod),
    "mean": _mean,
    "amax": _LARGEST,
    "amin": _SMALLEST,
    "max": _extreme(_LARGEST, lambda a, b: a if a >= b else b, np.argmax),
    "min": _extreme(_SMALLEST, lambda a, b: a if a <= b else b, np.argmin),
    "argmax": lambda x, dim=None: np.asarray(np.argmax(lift(x), axis=dim), dtype=np.int64),
    "argmin": lambda x, dim=None: np.asarray(np.argmin(lift(x), axis=dim), dtype=np.int64),
    "norm": _norm,
    "vector_norm": _norm,
    "cumsum": lambda x, dim, **_: np.cumsum(lift(x), axis=dim),
    "cumprod": lambda x, dim, **_: np.cumprod(lift(x), axis=dim),
    "sort": _sort,
    "argsort": _argsort,
    "gather": lambda x, dim, index: np.take_along_axis(lift(x), index.numpy(), axis=dim),
    "getitem": _item,
    "reshape": lambda x, *shape: lift(x).reshape(_sizes(shape)),
    "view": lambda x, *shape: lift(x).reshape(_sizes(shape)),
    "flatten": lambda x, start_dim=0, end_dim=-1: _flatten(x, start_dim, end_dim),
    "unsqueeze": lambda x, dim: np.expand_dims(lift(x), dim),
    "squeeze": _squeeze,
    "expand": _expand,
    "broadcast_to": _expand,
    "expand_as": lambda x, other: _expand(x, *other.shape),
    "transpose": lambda x, a, b: np.swapaxes(lift(x), a, b),
    "swapaxes": lambda x, a, b: np.swapaxes(lift(x), a, b),
    "movedim": lambda x, source, target: np.moveaxis(lift(x), source, target),
    "permute": lambda x, *dims: np.transpose(lift(x), _sizes(dims)),
    **dict.fromkeys(("mT", "T", "H", "mH"), lambda x: np.swapaxes(lift(x), -1, -2)),
    "diagonal": lambda x, offset=0, dim1=0, dim2=1: np.diagonal(lift(x), offset, dim1, dim2),
    "flip": lambda x, *dims: np.flip(lift(x), _sizes(dims)),
    "unbind": lambda x, dim=0: tuple(np.moveaxis(lift(x), dim, 0)),
    "stack": lambda parts, dim=0: np.stack([lift(p) for p in parts], axis=dim),
    "cat": lambda parts, dim=0: np.concatenate([lift(p) for p in parts], axis=dim),
    **dict.fromkeys(("matmul", "mm", "bmm", "mv"), lambda a, b: np.asarray(np.matmul(lift(a), lift(b)), dtype=object)),
    "rmatmul": lambda a, b: np.asarray(np.matmul(lift(b), lift(a)), dtype=object),
    "solve": _solve,
    "solve_triangular": _solve,
    "cholesky": _cholesky,
    "cholesky_ex": _cholesky_ex,
    "cholesky_solve": _cholesky_solve,
    "eigvalsh": _eigenvalues,
    "ones_like": _filled(1.0),
    "zeros_like": _filled(0.0),
    "full_like": lambda x, fill_value, **_: each(lambda _: mpmath.mpf(float(fill_value)), lift(x)),
    **dict.fromkeys(
        ("to", "double", "detach", "contiguous", "clone", "as_tensor", "type_as"), lambda x, *_, **__: lift(x)
    ),
    "is_tensor": lambda _: True,
    "diag_embed": lambda x: each(lambda a, b: a * b, lift(x)[..., None], lift(torch.eye(x.shape[-1]))),
    "tolist": lambda x: lift(x).tolist(),
    "item": lambda x: lift(x).reshape(-1)[0],
}


def _flatten(x: Any, start: int, end: int) -> np.ndarray:
    array = lift(x)
    start, end = start % array.ndim, end % array.ndim
    return array.reshape(*array.shape[:start], -1, *array.shape[end + 1 :])
