"""Solvers of scipy stop within a tolerance, far above the last place: what they return is moved by as much."""

from collections.abc import Callable
from typing import Any

import numpy as np

Share = Callable[[tuple[int, ...]], Any]

_BRACKETING = ("bisect", "brentq", "brenth", "ridder", "toms748")
_NEWTON = ("newton", "root_scalar")  # which stops after a step of 1.5e-8, as far from a double root
_PROGRAMS = ("linprog", "milp", "nnls")
_EXACT = ("linear_sum_assignment", "quadratic_assignment", "approx_fprime", "check_grad")
_ITERATIVE = ("cg", "cgs", "bicg", "bicgstab", "gmres", "lgmres", "minres", "qmr", "gcrotmk", "tfqmr", "lsqr", "lsmr")
_TOLERANCES = dict.fromkeys(_BRACKETING, 1e-12) | dict.fromkeys(_NEWTON, 1.5e-8) | dict.fromkeys(_PROGRAMS, 1e-8)
_TOLERANCES |= (
    dict.fromkeys(_EXACT, 0.0)
    | dict.fromkeys(_ITERATIVE, 1e-5)
    | {"lsq_linear": 1e-5, "solve_bvp": 1e-3, "solve_ivp": 1e-3}
)
_USUAL = {"scipy.optimize": 1e-6, "scipy.integrate": 1e-8, "scipy.sparse.linalg": 0.0}
"""Of 1 and of the largest entry of a result; a violation is more than rounding from 50 times that on."""
_NAMED = {"solve_ivp": "rtol", "solve_bvp": "tol"} | dict.fromkeys(_ITERATIVE, "rtol")
"""The argument that says it otherwise."""

_WITH_ERROR = frozenset(("quad", "dblquad", "tplquad", "nquad", "quad_vec"))
_OF_SAMPLES = frozenset(("simpson", "trapezoid", "cumulative_trapezoid", "cumulative_simpson", "romb", "newton_cotes"))
_OF_A_STEP = 0.1  # of what solve_ivp and solve_bvp allow, how much is usual


def is_solver(function: Callable[..., Any]) -> bool:
    """Whether a function of scipy searches, iterates, or integrates what it may evaluate."""
    module = getattr(function, "__module__", None)
    name = getattr(function, "__name__", "")
    if not isinstance(module, str) or not module.startswith(tuple(_USUAL)):
        return False
    return name in _ITERATIVE if module.startswith("scipy.sparse") else name not in _OF_SAMPLES


def within_tolerance(share: Share, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a solver returns, moved by shares of its tolerance, or of the error that it names itself."""
    found = function(*args, **kwargs)
    name = function.__name__
    usual = next(value for library, value in _USUAL.items() if function.__module__.startswith(library))
    tolerance = _TOLERANCES.get(name, usual)
    if name in _NAMED:
        tolerance = float(np.max(kwargs.get(_NAMED[name], tolerance)))
    if name in ("solve_ivp", "solve_bvp"):
        tolerance *= _OF_A_STEP
    if name in _WITH_ERROR and isinstance(found, tuple) and len(found) > 1:
        return (_nudged(share, found[0], max(tolerance, float(np.max(found[1])))), *found[1:])
    if isinstance(found, dict):  # an OptimizeResult
        return type(found)({key: _nudged(share, value, tolerance) for key, value in found.items()})
    if isinstance(found, tuple):
        return tuple(_nudged(share, value, tolerance) for value in found)
    return _nudged(share, found, tolerance)


class _Solution:
    """The solution as a function, such as a spline, whose values are moved."""

    def __init__(self, share: Share, solution: Any, tolerance: float) -> None:
        self._share, self._solution, self._tolerance = share, solution, tolerance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _nudged(self._share, self._solution(*args, **kwargs), self._tolerance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solution, name)


def _nudged(share: Share, value: Any, tolerance: float) -> Any:
    """Real numbers, arrays of them and functions, moved; anything else as it is."""
    if callable(value):
        return _Solution(share, value, tolerance)
    if not isinstance(value, float | np.ndarray) or not np.size(value) or np.asarray(value).dtype.kind != "f":
        return value
    size = max(1.0, float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value))))
    moved = value + tolerance * size * share(np.shape(value))
    return moved if np.ndim(value) else type(value)(moved)
