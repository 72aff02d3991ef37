"""Matrices without the factorisation that a body asks for: NaN for these alone, no exception for their whole batch."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

SAID = ("has illegal value", "on lu_solve would result in a division by zero")
"""Of NaN by LAPACK, and of a singular matrix by `lu_factor`, where torch raises no LinAlgError."""


def undefined(error: BaseException) -> bool:
    """Whether an exception of torch says that some matrix has no such inverse, solution or factorisation."""
    if isinstance(error, torch.linalg.LinAlgError):  # type: ignore[attr-defined]
        return True
    return isinstance(error, RuntimeError) and any(said in str(error) for said in SAID)


class NanWhereUndefined(TorchFunctionMode):
    """Inverses, solutions and factorisations that do not exist, or do not converge, are NaN, matrix by matrix.

    torch raises `LinAlgError` for a batch as soon as one of its matrices is singular, indefinite or not finite. Such a
    matrix is a wall of the set that is searched, like a logarithm of zero, and says nothing about the others.
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: Sequence[type], args: Any = (), kwargs: Any = None
    ) -> Any:
        del types
        kwargs = kwargs or {}
        try:
            return func(*args, **kwargs)
        except RuntimeError as error:
            if not undefined(error):
                raise
            if func in _TELLING and "out" not in kwargs:
                return _where_told(_TELLING[func], args, kwargs)
            return _by_halves(lambda *some: func(*some, **kwargs), list(args))


# What raises for a batch, and what tells of each of its matrices: an exception for each takes .2 ms.
_TELLING: dict[Callable[..., Any], Callable[..., Any]] = {
    torch.inverse: torch.linalg.inv_ex,
    torch.Tensor.inverse: torch.linalg.inv_ex,
    torch.linalg.inv: torch.linalg.inv_ex,
    torch.linalg.solve: torch.linalg.solve_ex,
    torch.linalg.cholesky: torch.linalg.cholesky_ex,
}


def _where_told(func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Tensor:
    """The result, NaN for the matrices that have none."""
    result, info = func(*args, **kwargs)
    given = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, Tensor)]
    axes = 1 if any(arg.ndim > result.ndim for arg in given) else 2  # of one result: solutions for a vector have one
    return torch.where(info.reshape(*info.shape, *[1] * axes) == 0, result, torch.nan)


def _by_halves(func: Callable[..., Any], args: list[Any]) -> Any:
    """The results of the halves of a batch, down to the matrices for which there is none."""
    try:
        return func(*args)
    except RuntimeError as error:
        if not undefined(error):
            raise
        matrices = next(arg for arg in args if isinstance(arg, Tensor))
        batch = _batch(args, matrices)
        if matrices.ndim < 3:
            return _nothing(func, args, matrices)
        if batch == 1:
            parts = [_by_halves(func, [_rows(arg, matrices, 1, 0) for arg in args])]
            return _joined(parts, lambda results: results[0].unsqueeze(0))
        middle = batch // 2
        parts = [
            _by_halves(func, [_rows(arg, matrices, batch, some) for arg in args])
            for some in (slice(0, middle), slice(middle, None))
        ]
        return _joined(parts, torch.cat)


def _carries(arg: Any, matrices: Tensor) -> bool:
    """Whether the first axis of an argument is that of the batch, for matrices or for vectors beside them."""
    if not isinstance(arg, Tensor):
        return False
    vectors = arg.ndim == matrices.ndim - 1 and arg.shape[-1] == matrices.shape[-1]
    return arg.ndim == matrices.ndim or (vectors and arg.ndim > 1 and arg.shape[0] in (1, matrices.shape[0]))


def _batch(args: list[Any], matrices: Tensor) -> int:
    return max(int(arg.shape[0]) for arg in args if _carries(arg, matrices))


def _rows(arg: Any, matrices: Tensor, batch: int, some: slice | int) -> Any:
    if not _carries(arg, matrices):
        return arg
    if arg.shape[0] == batch:
        return arg[some]
    return arg[0] if isinstance(some, int) else arg  # one for the whole batch


def _nothing(func: Callable[..., Any], args: list[Any], matrices: Tensor) -> Any:
    """NaN in the shape of the result for a matrix that is as regular as can be; its pivots are that one's."""
    like = [torch.eye(*arg.shape[-2:], dtype=arg.dtype, device=arg.device) if arg is matrices else arg for arg in args]
    return _joined([func(*like)], lambda found: found[0] * torch.nan if found[0].is_floating_point() else found[0])


def _joined(parts: list[Any], join: Callable[[list[Tensor]], Tensor]) -> Any:
    """Results of one function as one: tensors, or tuples of them."""
    if isinstance(parts[0], Tensor):
        return join(parts)
    fields = [join(list(field)) for field in zip(*parts, strict=True)]
    kind = type(parts[0])
    return kind(fields) if kind is not tuple else tuple(fields)
