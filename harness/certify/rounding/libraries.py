"""Functions outside torch that err by more than a rounding of their result, and how they are seen to.

Sums err with their largest terms. Solves, eigenvalues, transforms and roots of numpy and scipy are backward stable:
what they return is exact for inputs that differ by about a last place of the largest one. Whole numbers do not differ
by rounding, and are moved all the same: the roots of (x - 1)^3 err by 1e-5, whose coefficients are exact.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from torch import Tensor

from harness.certify.rounding.inputs import LAST_PLACES
from harness.certify.rounding.solvers import Share, is_solver, within_tolerance

_POLYNOMIALS = ("numpy.polynomial", "numpy.roots", "numpy.poly", "numpy.polyfit", "numpy.polyval")
_STABLE = ("numpy.linalg", "numpy.fft", "scipy.linalg", "scipy.fft", "scipy.sparse.linalg", *_POLYNOMIALS)
ELSEWHERE = ("numpy.linalg", "numpy.fft", "scipy", *_POLYNOMIALS)
"""Modules and functions of which a body without inputs is taken to leave torch."""

_COUNTING = frozenset(("norm", "matrix_rank"))  # |x|_0 and the rank tell whole numbers from their neighbours
_SUMS = frozenset(
    (
        *("sum", "nansum", "mean", "nanmean", "average", "var", "std", "cumsum", "dot", "vdot", "inner", "matmul"),
        *("einsum", "tensordot", "convolve", "correlate", "trapezoid", "trace", "bincount", "interp", "simpson"),
        *("fftconvolve", "lfilter", "convolve1d", "correlate1d", "uniform_filter1d", "gaussian_filter1d", "cityblock"),
    )
)


def seen(share: Share, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call returns where its vectors and matrices are moved by shares of a last place of their largest entry.

    Of sums every term is moved by a share of its own last place, but for those that add up exactly; of solvers what
    they return. As it is for other functions.
    """
    if is_solver(function):
        return within_tolerance(share, function, args, kwargs)
    if _is_sum(function):
        moved, owner = functools.partial(terms, share), getattr(function, "__self__", None)
        function = getattr(moved(owner), function.__name__) if isinstance(owner, np.ndarray) else function
    elif _is_stable(function):
        moved = functools.partial(_moved, share)
    else:
        return function(*args, **kwargs)
    return function(*map(moved, args), **{name: moved(value) for name, value in kwargs.items()})


def terms(share: Share, value: Any) -> Any:
    """The terms of a sum, moved; whole numbers, and others of one grid that add up exactly, as they are."""
    numbers = _numbers(value)
    if numbers is None or numbers.dtype.kind == "c" or _adds_up(numbers):
        return value
    return numbers * (1.0 + LAST_PLACES * share(numbers.shape))


def _adds_up(numbers: np.ndarray) -> bool:
    """Whether the numbers are multiples of one power of two that is not too small for sums of them."""
    total = float(np.abs(numbers).sum())
    if not np.isfinite(total) or total == 0.0:
        return True
    scaled = np.ldexp(numbers, 52 - int(np.frexp(total)[1]))
    return bool((scaled == np.rint(scaled)).all())


def _is_sum(function: Callable[..., Any]) -> bool:
    """Whether a function of numpy, scipy or Python, or a method of an array, adds up."""
    if function is sum:
        return True
    inside = str(getattr(function, "__module__", None)).startswith(("numpy", "scipy"))
    return getattr(function, "__name__", "") in _SUMS and (
        inside or isinstance(getattr(function, "__self__", None), np.ndarray)
    )


def _is_stable(function: Callable[..., Any]) -> bool:
    """Whether a function is of a library whose errors are those of its inputs."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", "")
    if not isinstance(module, str) or not module.startswith(("numpy", "scipy")) or name in _COUNTING:
        return False
    return f"{module}.{name}.".startswith(tuple(f"{known}." for known in _STABLE))


def _moved(share: Share, value: Any) -> Any:
    """A vector, matrix or stack of matrices moved by shares of a last place of its largest entry."""
    numbers = _numbers(value)
    if numbers is None:
        return value
    axes = tuple(range(max(numbers.ndim - 2, 0), numbers.ndim))
    size = np.abs(numbers).max(axis=axes, keepdims=True, initial=0.0, where=np.isfinite(numbers))
    change = LAST_PLACES * size * share(numbers.shape)
    return numbers + (1j * change[..., ::-1] + change if np.iscomplexobj(numbers) else change)


def _numbers(value: Any) -> np.ndarray | None:
    """The numbers of an array, of a tensor or of a list of numbers; None for what is nothing of these."""
    if isinstance(value, Tensor):
        value = value.detach().numpy(force=True)
    if isinstance(value, list | tuple):
        if not _is_plain(value):
            return None
        try:
            value = np.array(value)
        except ValueError:  # of several shapes
            return None
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fiuc" or not value.ndim or not value.size:
        return None
    return value.astype(np.complex128 if value.dtype.kind == "c" else np.float64)


def _is_plain(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list, and those in it, hold plain numbers and arrays: a sum of tensors is torch's."""
    return all(
        _is_plain(value) if isinstance(value, list | tuple) else isinstance(value, int | float | np.number | np.ndarray)
        for value in values
    )
