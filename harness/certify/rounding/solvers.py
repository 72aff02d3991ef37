"""Solvers stop within a tolerance, far above the last place: what they return is moved by as much."""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness.certify.rounding.estimators import is_estimator, stops_within, within_fit
from harness.certify.rounding.nudged import Share, nudged

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

_WITHOUT_GAP = {"mip_rel_gap": 0.0}
"""Of a program in whole numbers, which scipy takes for solved a share of 1e-4 below its optimum: where that is another
solution, it is so in all evaluations but the plain one."""

_WITH_ERROR = frozenset(("quad", "dblquad", "tplquad", "nquad", "quad_vec"))
_OF_SAMPLES = frozenset(("simpson", "trapezoid", "cumulative_trapezoid", "cumulative_simpson", "romb", "newton_cotes"))
_OF_A_STEP = 0.1  # of what solve_ivp and solve_bvp allow, how much is usual


def is_solver(function: Callable[..., Any]) -> bool:
    """Whether a function searches, iterates, or integrates what it may evaluate, or an estimator fits."""
    if is_estimator(function) or stops_within(function) is not None:
        return True
    module = getattr(function, "__module__", None)
    name = getattr(function, "__name__", "")
    if not isinstance(module, str) or not module.startswith(tuple(_USUAL)):
        return False
    return name in _ITERATIVE if module.startswith("scipy.sparse") else name not in _OF_SAMPLES


def within_tolerance(share: Share, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a solver returns, moved by shares of its tolerance, or of the error that it names itself."""
    if is_estimator(function):
        return within_fit(share, function, args, kwargs)
    if (usual := stops_within(function)) is not None:
        given = kwargs.get("tol", usual)
        found, tolerance = function(*args, **kwargs), float(given if isinstance(given, float) else usual)
        parts = found if type(found) is tuple else (found,)
        moved = tuple(nudged(share, value, tolerance) for value in parts)
        return moved if type(found) is tuple else moved[0]
    name = function.__name__
    if name == "milp" or kwargs.get("integrality") is not None:
        kwargs = kwargs | {"options": {**(kwargs.get("options") or {}), **_WITHOUT_GAP}}
    found = function(*args, **kwargs)
    usual = next(value for library, value in _USUAL.items() if function.__module__.startswith(library))
    tolerance = _TOLERANCES.get(name, usual)
    if name in _NAMED:
        tolerance = float(np.max(kwargs.get(_NAMED[name], tolerance)))
    if name in ("solve_ivp", "solve_bvp"):
        tolerance *= _OF_A_STEP
    if name in _WITH_ERROR and isinstance(found, tuple) and len(found) > 1:
        return (nudged(share, found[0], max(tolerance, float(np.max(found[1])))), *found[1:])
    if isinstance(found, dict):  # an OptimizeResult
        return type(found)({key: nudged(share, value, tolerance) for key, value in found.items()})
    if isinstance(found, tuple):
        return tuple(nudged(share, value, tolerance) for value in found)
    return nudged(share, found, tolerance)
