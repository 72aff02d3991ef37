"""Estimators of scikit-learn, and functions of other libraries that say by `tol` when they stop.

What an estimator has fitted, predicts or transforms is moved by its `tol`, as what solvers of scipy return is. What it
is given is moved by a last place, and by single precision where it computes in that: trees cast their points.
"""

import inspect
import sys
from collections.abc import Callable
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


def _classifies(owner: Any) -> bool:
    base = sys.modules["sklearn.base"]
    return bool(base.is_classifier(owner))


def _tolerance(owner: Any) -> float:
    """The largest `tol` of an estimator and of its parts."""
    if not hasattr(owner, "get_params"):
        return 0.0
    named = (value for name, value in owner.get_params().items() if name == "tol" or name.endswith("__tol"))
    return max((float(value) for value in named if isinstance(value, float)), default=0.0)


def _moved(share: Share, value: Any, reach: float) -> Any:
    """Points or targets, moved; whole numbers, which may be classes, as they are."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.size or not reach:
        return value
    size = np.abs(value).max(initial=1.0 if reach == _OF_SHORT else 0.0, where=np.isfinite(value))
    return (value + reach * size * share(value.shape)).astype(value.dtype)
