"""Estimators of scikit-learn, and functions of other libraries that say by `tol` when they stop.

What an estimator has fitted, predicts or transforms is moved by its `tol`, as what solvers of scipy return is. What it
is given is moved by a last place, and by single precision where it computes in that: trees cast their points.

The `tol` of an estimator that does not iterate is no stop but a cut-off: what is smaller, such as a singular value
beside the largest, is zero to it, and what it fits then may be wrong by any amount: least squares on the columns
(1e-8, 0) and (0, 1) leaves the first one out. Nothing is moved by that `tol`. Every evaluation but the plain one has
the cut-off of rounding instead, as functions of numpy do, and differs from the plain one where that makes a difference.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any

import numpy as np

from harness.certify.rounding.inputs import LAST_PLACES
from harness.certify.rounding.nudged import Share, nudged

_SHORT = ("sklearn.tree", "sklearn.ensemble")
_OF_SHORT = 1e-7  # of 1 and of the largest entry, within which trees take two numbers for one
_GIVEN = frozenset(("classes_", "alphas_", "support_vectors_", "n_iter_", "X_fit_", "X_train_", "y_train_", "X_min_"))
_OF_CLASSES = ("predict", "fit_predict", "score")
_WITHOUT_OWN = ("torch", "numpy", "scipy", "builtins")
_LEAST_CUT = 8  # last places: more than moves of single ones make of a zero, fewer than amplified ones do


def is_estimator(function: Callable[..., Any]) -> bool:
    """Whether a function is a method of an estimator of scikit-learn."""
    return type(getattr(function, "__self__", None)).__module__.startswith("sklearn.")


def within_fit(share: Share, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a method of an estimator returns; the points that it is given are moved, and targets that are no classes."""
    owner: Any = function.__self__  # type: ignore[attr-defined]
    classifies = _classifies(owner)
    reach = _OF_SHORT if type(owner).__module__.startswith(_SHORT) else LAST_PLACES
    points = (_moved(share, each, reach) for each in args[:1])
    targets = args[1:] if classifies else (_moved(share, each, LAST_PLACES) for each in args[1:])
    found, tolerance = function(*points, *targets, **kwargs), _tolerance(owner)
    if found is not owner:
        return found if classifies and function.__name__ in _OF_CLASSES else nudged(share, found, tolerance)
    for name, value in list(vars(owner).items()):
        if name.endswith("_") and name[0] != "_" and name not in _GIVEN and isinstance(value, float | np.ndarray):
            setattr(owner, name, nudged(share, value, tolerance))
    return owner


def cut_at_rounding(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> AbstractContextManager[None]:
    """In this context, estimators that take small numbers for zero do so only with what rounding may have made.

    That is a share of as many last places as there are rows or columns of the points that the function is given, which
    is a method of an estimator or is given one.
    """
    base = sys.modules.get("sklearn.base")
    if base is None:
        return nullcontext()
    given = (getattr(function, "__self__", None), *args, *kwargs.values())
    estimators = [each for each in given if issubclass(type(each), base.BaseEstimator)]
    sides = [side for each in given for side in _sides(each)] if estimators else []
    if not sides:
        return nullcontext()
    cutting = [part for each in estimators for part in _parts(each) if _cuts(part)]
    return _with_tolerance(cutting, LAST_PLACES * max(_LEAST_CUT, *sides))


@contextmanager
def _with_tolerance(estimators: Sequence[Any], most: float) -> Iterator[None]:
    usual = [(each, each.tol) for each in estimators if isinstance(getattr(each, "tol", None), float | int)]
    for each, tolerance in usual:
        each.tol = min(tolerance, most)
    try:
        yield
    finally:
        for each, tolerance in usual:
            each.tol = tolerance


def stops_within(function: Callable[..., Any]) -> float | None:
    """The usual `tol` of a function of another library; None where it has none."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str) or not _is_installed(module) or is_estimator(function):
        return None
    try:
        return _usual_tolerance(function)
    except TypeError:  # no key
        return None


@cache
def _is_installed(module: str) -> bool:
    """Whether a module is of a library that is not looked at otherwise; asked of modules, for functions come and go."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return module.partition(".")[0] not in _WITHOUT_OWN and "site-packages" in file


@cache
def _usual_tolerance(function: Callable[..., Any]) -> float | None:
    try:
        usual = inspect.signature(function).parameters["tol"].default
    except (KeyError, TypeError, ValueError):
        return None
    return float(usual) if isinstance(usual, float) else None


def _sides(value: Any) -> tuple[int, ...]:
    """How many rows and columns an array has, how many entries a list."""
    shape = (len(value),) if isinstance(value, list) else getattr(value, "shape", ())
    return tuple(side for side in shape if isinstance(side, int)) if isinstance(shape, tuple) else ()


def _parts(estimator: Any) -> Iterator[Any]:
    """An estimator and those that it is made of, each once."""
    try:
        every = (estimator, *estimator.get_params().values())
    except (AttributeError, RuntimeError):  # a user's own, whose arguments are not what it keeps
        every = (estimator,)
    yield from {id(part): part for part in every if hasattr(part, "get_params")}.values()


def _cuts(estimator: Any) -> bool:
    """Whether the `tol` of an estimator is a cut-off."""
    kind: Any = type(estimator)
    return _never_iterates(kind)


@cache
def _never_iterates(kind: type) -> bool:
    """Whether a class is of scikit-learn, or made from one, that has a usual `tol` and nothing to iterate."""
    return any(
        _usual_tolerance(each) is not None and not any("iter" in name for name in inspect.signature(each).parameters)
        for each in kind.__mro__
        if each.__module__.startswith("sklearn.")
    )


def _classifies(owner: Any) -> bool:
    base = sys.modules["sklearn.base"]
    return bool(base.is_classifier(owner))


def _tolerance(owner: Any) -> float:
    """The largest `tol` of an estimator and of its parts, but for cut-offs."""
    named = (getattr(part, "tol", None) for part in _parts(owner) if not _cuts(part))
    return max((float(value) for value in named if isinstance(value, float)), default=0.0)


def _moved(share: Share, value: Any, reach: float) -> Any:
    """Points or targets, moved; whole numbers, which may be classes, as they are."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.size or not reach:
        return value
    size = np.abs(value).max(initial=1.0 if reach == _OF_SHORT else 0.0, where=np.isfinite(value))
    return (value + reach * size * share(value.shape)).astype(value.dtype)
