"""Functions outside torch that err by more than a rounding of their result, and how they are seen to.

Sums err with their largest terms. Solves, eigenvalues, transforms and roots of numpy and scipy are backward stable:
what they return is exact for inputs that differ by about a last place of the largest one. Whole numbers do not differ
by rounding, and are moved all the same: the roots of (x - 1)^3 err by 1e-5, whose coefficients are exact.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import Any

import numpy as np
from torch import Tensor

from harness.certify.rounding.inputs import LAST_PLACES
from harness.certify.rounding.nudged import Share
from harness.certify.rounding.solvers import is_solver, within_tolerance
from harness.certify.rounding.ties import Ties, is_real

_POLYNOMIALS = ("numpy.polynomial", "numpy.roots", "numpy.poly", "numpy.polyfit", "numpy.polyval")
_OF_DISTANCES = "sklearn.metrics.pairwise"  # by squares and products
_STABLE = (
    "numpy.linalg",
    "numpy.fft",
    "scipy.linalg",
    "scipy.fft",
    "scipy.sparse.linalg",
    _OF_DISTANCES,
    *_POLYNOMIALS,
)
ELSEWHERE = ("numpy.linalg", "numpy.fft", "scipy", *_POLYNOMIALS)
"""Modules and functions of which a body without inputs is taken to leave torch."""

_LIBRARIES = ("builtins", "numpy", "scipy", "statistics")
_COUNTING = frozenset(("norm", "matrix_rank"))  # |x|_0 and the rank tell whole numbers from their neighbours
_SUMS = frozenset(
    (
        *("sum", "nansum", "mean", "nanmean", "average", "var", "std", "cumsum", "dot", "vdot", "inner", "matmul"),
        *("einsum", "tensordot", "convolve", "correlate", "trapezoid", "trace", "bincount", "interp", "simpson"),
        *("fmean", "variance", "pvariance", "stdev", "pstdev", "covariance", "correlation"),
        *("fftconvolve", "lfilter", "convolve1d", "correlate1d", "uniform_filter1d", "gaussian_filter1d", "cityblock"),
        *("cumulative_trapezoid", "cumulative_simpson", "sum_labels", "standard_deviation", "center_of_mass"),
    )
)
_FOLDING = (sum, math.fsum, functools.reduce, itertools.accumulate)
_PRODUCTS = _SUMS & frozenset(
    (
        *("var", "std", "dot", "vdot", "inner", "matmul", "einsum", "tensordot", "convolve", "correlate", "trapezoid"),
        *("interp", "simpson", "variance", "pvariance", "stdev", "pstdev", "covariance", "correlation", "fftconvolve"),
        *("lfilter", "convolve1d", "correlate1d", "gaussian_filter1d", "average"),
    )
)
ADDED, MULTIPLIED = 52, 26
"""Bits of the sum of terms that add up exactly, and of those whose products do."""

_CHOICES = frozenset(
    (
        *("max", "min", "amax", "amin", "nanmax", "nanmin", "maximum", "minimum", "fmax", "fmin", "sorted", "sort"),
        *("partition", "abs", "fabs", "absolute", "clip", "reshape", "ravel", "flatten", "squeeze", "transpose"),
        *("take", "item", "tolist", "copy", "unique", "flip", "roll", "diagonal", "where", "choose", "numpy", "float"),
    )
)
_SEARCHES = frozenset(
    (
        *("unique", "unique_values", "unique_counts", "unique_inverse", "unique_all", "isin", "in1d", "intersect1d"),
        *("setdiff1d", "setxor1d", "union1d", "searchsorted", "digitize", "array_equal", "rankdata", "mode", "ecdf"),
        *("find_repeats", "kendalltau", "spearmanr", "mannwhitneyu", "wilcoxon", "kruskal", "friedmanchisquare"),
        *("ks_2samp", "tiecorrect", "weightedtau", "somersd", "argmax", "argmin", "nanargmax", "nanargmin", "argsort"),
        *("argpartition", "lexsort", "histogram", "histogram2d", "histogramdd"),
    )
)
_INVERTING = frozenset(
    ("solve", "inv", "cholesky", "slogdet", "tensorinv", "lu_factor", "cho_factor", "solve_triangular")
)
_ITERATORS = (iter, zip, enumerate, reversed, list, tuple)
_CONTAINERS = (set, frozenset, Counter, dict.fromkeys)
_TRUTHS = frozenset(
    (
        *("any", "all", "count_nonzero", "nonzero", "flatnonzero", "argwhere", "logical_not", "logical_and"),
        *("logical_or", "logical_xor"),
    )
)
_COPIES = frozenset(("array", "asarray", "stack", "concatenate", "hstack", "vstack", "column_stack", "repeat", "tile"))


def of_ties(ties: Ties, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What ties make of the arguments of a function that looks for equals or zeros, or hands out numbers one by one."""
    name = getattr(function, "__name__", "")
    order = next(iter(args[1:2]), kwargs.get("ord"))
    truths = name in _TRUTHS or (name == "norm" and isinstance(order, int | float) and order == 0)
    lists = name in _SEARCHES  # Python's own containers compare what is in a list themselves
    arrays = among(function, (*_CONTAINERS, *_ITERATORS))
    if not arrays and not ((truths or lists or name == "sign") and library_of(function)):
        return args
    found = [
        plain_numbers(arg) if _is_fractional(arg) and (lists or isinstance(arg, np.ndarray)) else None for arg in args
    ]
    if name == "sign":  # of zero it is another one
        args = tuple(ties.of_numbers("sign", a, 0.0) if is_real(a) else a for a in args)
    if truths:
        return tuple(a if x is None else ties.of_numbers("ne", x, 0.0) for a, x in zip(args, found, strict=True))
    if among(function, _ITERATORS):  # a row of a matrix may be written into
        same = (x is not None and x.ndim == 1 and x.dtype == arg.dtype for arg, x in zip(args, found, strict=True))
        found = [x if is_one else None for x, is_one in zip(found, same, strict=True)]
    merged = iter(ties.merged([x for x in found if x is not None]) if any(x is not None for x in found) else ())
    return tuple(arg if x is None else next(merged) for arg, x in zip(args, found, strict=True))


def among(function: Any, some: Sequence[Any]) -> bool:
    """Whether a function is one of these, without asking an object of the user's: it may compare itself."""
    return any(function is each for each in some) or (isinstance(function, BuiltinFunctionType) and function in some)


def _is_fractional(value: Any) -> bool:
    """Whether some number of an array or a list is no whole one by its type."""
    return any(map(_is_fractional, value)) if isinstance(value, list | tuple) else is_real(value)


def chooses(function: Callable[..., Any]) -> bool:
    """Whether a function of Python or numpy, or a method of an array, returns some of the numbers that it is given."""
    return getattr(function, "__name__", "") in _CHOICES and library_of(function) in ("builtins", "numpy", "torch")


def copies(function: Callable[..., Any]) -> bool:
    """Whether a function of numpy makes an array of numbers that it is given, perhaps of such as nothing has moved."""
    return getattr(function, "__name__", "") in _COPIES and library_of(function) == "numpy"


def library_of(function: Callable[..., Any]) -> str:
    """The library among `_LIBRARIES` that a function is of, or a method by its object; empty if it is of none."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, Tensor):
        return "torch"
    if isinstance(owner, np.ndarray | np.number) or isinstance(function, np.ufunc):
        return "numpy"
    library = str(getattr(function, "__module__", None)).partition(".")[0]
    return library if library in _LIBRARIES else ""


def seen(
    share: Share,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    ties: Ties | None = None,
) -> Any:
    """What a call returns where its vectors and matrices are moved by shares of a last place of their largest entry.

    Of sums every term is moved by a share of its own last place, but for those that add up exactly; of solvers what
    they return. As it is for other functions. `ties` are told of matrices that are inverted.
    """
    if is_solver(function):
        return within_tolerance(share, function, args, kwargs)
    if _is_sum(function):
        bits = MULTIPLIED if getattr(function, "__name__", "") in _PRODUCTS else ADDED
        moved, owner = functools.partial(terms, share, bits=bits), getattr(function, "__self__", None)
        function = getattr(moved(owner), function.__name__) if isinstance(owner, np.ndarray) else function
    elif _is_stable(function):
        moved = functools.partial(_moved, share)
    elif "weights" in kwargs and library_of(function) == "numpy":  # of a histogram
        return function(*args, **kwargs | {"weights": terms(share, kwargs["weights"])})
    else:
        return function(*args, **kwargs)
    args, kwargs = tuple(map(moved, args)), {name: moved(value) for name, value in kwargs.items()}
    if ties is not None and args and isinstance(args[0], np.ndarray) and function.__name__ in _INVERTING:
        args = (ties.of_matrices(args[0]), *args[1:])
    found = function(*args, **kwargs)
    return _of_squares(share, args, found) if function.__name__ == "euclidean_distances" else found


def _of_squares(share: Share, args: tuple[Any, ...], distances: np.ndarray) -> np.ndarray:
    """Distances by |x|^2 + |y|^2 - 2 <x, y>: the square is moved relative to the squares of the points."""
    size = sum(float(np.square(x).sum(-1).max()) for x in map(plain_numbers, args) if x is not None)
    changed = np.square(distances) + 4.0 * LAST_PLACES * size * share(distances.shape)
    return np.asarray(np.sqrt(np.maximum(changed, 0.0)))


def terms(share: Share, value: Any, *, bits: int = ADDED) -> Any:
    """The terms of a sum, moved; whole numbers, and others of one grid whose sum has so many bits, as they are."""
    numbers = plain_numbers(value)
    if numbers is None or numbers.dtype.kind == "c" or _adds_up(numbers, bits):
        return value
    found = numbers * (1.0 + LAST_PLACES * share(numbers.shape))
    return found.tolist() if isinstance(value, list | tuple) and numbers.ndim == 1 else found


def _adds_up(numbers: np.ndarray, bits: int) -> bool:
    """Whether the numbers are multiples of one power of two that is not too small for sums of them of so many bits."""
    total = float(np.abs(numbers).sum())
    if not np.isfinite(total) or total == 0.0:
        return True
    scaled = np.ldexp(numbers, bits - int(np.frexp(total)[1]))
    return bool((scaled == np.rint(scaled)).all())


def _is_sum(function: Callable[..., Any]) -> bool:
    """Whether a function of numpy, scipy or Python, or a method of an array, adds up."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return owner is np.add and name != "at"  # which writes into what it is given
    return among(function, _FOLDING) or (name in _SUMS and library_of(function) in ("numpy", "scipy", "statistics"))


def _is_stable(function: Callable[..., Any]) -> bool:
    """Whether a function is of a library whose errors are those of its inputs."""
    name = getattr(function, "__name__", "")
    place = f"{getattr(function, '__module__', None)}.{name}."
    return name not in _COUNTING and place.startswith(tuple(f"{known}." for known in _STABLE))


def _moved(share: Share, value: Any) -> Any:
    """A vector, matrix or stack of matrices moved by shares of a last place of its largest entry."""
    numbers = plain_numbers(value)
    if numbers is None:
        return value
    axes = tuple(range(max(numbers.ndim - 2, 0), numbers.ndim))
    size = np.abs(numbers).max(axis=axes, keepdims=True, initial=0.0, where=np.isfinite(numbers))
    change = LAST_PLACES * size * share(numbers.shape)
    return numbers + (1j * change[..., ::-1] + change if np.iscomplexobj(numbers) else change)


def plain_numbers(value: Any) -> np.ndarray | None:
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
