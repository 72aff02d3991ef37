"""Solvers of scipy stop within a tolerance, far above the last place: what they return is moved by as much."""

from collections.abc import Callable
from typing import Any

import numpy as np

Share = Callable[[tuple[int, ...]], Any]

_BRACKETING = ("bisect", "brentq", "brenth", "ridder", "toms748", "newton", "root_scalar")
_PROGRAMS = ("linprog", "milp", "nnls", "lsq_linear")
_EXACT = ("linear_sum_assignment", "quadratic_assignment", "approx_fprime", "check_grad")
_TOLERANCES = dict.fromkeys(_BRACKETING, 1e-12) | dict.fromkeys(_PROGRAMS, 1e-8) | dict.fromkeys(_EXACT, 0.0)
_USUAL = {"scipy.optimize": 1e-6, "scipy.integrate": 1e-8}
"""Of 1 and of the largest entry of a result; a violation is more than rounding from 50 times that on."""

_WITH_ERROR = frozenset(("quad", "dblquad", "tplquad", "nquad", "quad_vec"))
_OF_SAMPLES = frozenset(("simpson", "trapezoid", "cumulative_trapezoid", "cumulative_simpson", "romb", "newton_cotes"))
_RELATIVE, _OF_A_STEP = 1e-3, 0.1  # what solve_ivp allows if it is told nothing, and how much of it is usual


def is_solver(function: Callable[..., Any]) -> bool:
    """Whether a function of scipy searches, or integrates what it may evaluate."""
    module = getattr(function, "__module__", None)
    inside = isinstance(module, str) and module.startswith(tuple(_USUAL))
    return inside and getattr(function, "__name__", "") not in _OF_SAMPLES


def within_tolerance(share: Share, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a solver returns, moved by shares of its tolerance, or of the error that it names itself."""
    found = function(*args, **kwargs)
    name, library = function.__name__, ".".join(function.__module__.split(".")[:2])
    tolerance = _TOLERANCES.get(name, _USUAL[library])
    if name == "solve_ivp":
        tolerance = _OF_A_STEP * float(np.max(kwargs.get("rtol", _RELATIVE)))
    if name in _WITH_ERROR and isinstance(found, tuple) and len(found) > 1:
        return (_nudged(share, found[0], max(tolerance, float(np.max(found[1])))), *found[1:])
    if isinstance(found, dict):  # an OptimizeResult
        return type(found)({key: _nudged(share, value, tolerance) for key, value in found.items()})
    if isinstance(found, tuple):
        return tuple(_nudged(share, value, tolerance) for value in found)
    return _nudged(share, found, tolerance)


def _nudged(share: Share, value: Any, tolerance: float) -> Any:
    """Real numbers and arrays of them, moved; anything else as it is."""
    if not isinstance(value, float | np.ndarray) or not np.size(value) or np.asarray(value).dtype.kind != "f":
        return value
    size = max(1.0, float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value))))
    moved = value + tolerance * size * share(np.shape(value))
    return moved if np.ndim(value) else type(value)(moved)
