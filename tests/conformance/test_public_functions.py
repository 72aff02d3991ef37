"""Generic checks over every public function of `bounds` and `algos`: a new function is tested by being there."""

import inspect
import itertools
import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import algos
import bounds
from signatures.domains import Elementwise, Interval, Plain
from tests.conformance import hostile
from tests.helpers import public_functions, public_modules

BOUNDS, ALGOS = public_functions(bounds), public_functions(algos)
every_bound = pytest.mark.parametrize("function", BOUNDS, ids=lambda f: f"{f.__module__}.{f.__name__}")
every_function = pytest.mark.parametrize("function", BOUNDS + ALGOS, ids=lambda f: f"{f.__module__}.{f.__name__}")

ORDINARY: dict[str, Any] = {
    "ambient_dimension": 3,
    "approximation": 0.02,
    "bandwidth": 0.8,
    "bound": 1.5,
    "box": 2.0,
    "capacity": 20.0,
    "cells": 4,
    "classes": 3,
    "common_ratio": 0.5,
    "complexity": 0.2,
    "constant": 1.5,
    "count": 12,
    "decay": 2.0,
    "degree": 6,
    "delta": 0.05,
    "deviation": 0.3,
    "diameter": 3.0,
    "dimension": 4.0,
    "divergence": 0.7,
    "divergences": [0.3, 0.7],
    "double_moment": 0.9,
    "effective_dimension": 5.0,
    "eigenvalues": [0.5, 0.2, 0.05],
    "empirical_loss": 0.3,
    "enlargement": 2.0,
    "epsilon": 0.4,
    "exponent": 0.5,
    "feature_bound": 1.5,
    "features": 30,
    "fixed_point": 0.03,
    "gap": 0.1,
    "half_range": 0.5,
    "ideal": 0.4,
    "inverse_temperature": 3.0,
    "landmarks": 5,
    "largest_divergence": 9.0,
    "largest_phase": 0.7,
    "last_step": 0.01,
    "level": 0.5,
    "lipschitz": 2.0,
    "loss_range": 1.0,
    "lower": [0, 0, 0],
    "margin": 0.4,
    "mass": 1,
    "minority": 3,
    "moment": 0.6,
    "multiple": 12.0,
    "n": 20,
    "norm": 0.8,
    "offset": 0.5,
    "order": 3.0,
    "orders": [1.5, 2.0],
    "peak": 0.4,
    "peak_gap": 0.01,
    "points": 10_000,
    "power": 2.0,
    "probabilities": [0.2, 0.3, 0.5],
    "probability": 0.25,
    "proxy": 0.25,
    "radius": 1.5,
    "rank": 5,
    "ratio": 2.0,
    "regret": 0.2,
    "regularisation": 0.01,
    "regularisation_exponent": 0.4,
    "regularisation_log_power": 1,
    "residual_risk": 0.2,
    "rho": 0.5,
    "rounds": 100,
    "sample_size": 20,
    "sample_variance": 0.1,
    "sampling_dimension": 8.0,
    "scale": 1.0,
    "settings": 10,
    "smoothness": 2.5,
    "spectral_mass": 1.5,
    "spread": 3.0,
    "squared_gradients": 50.0,
    "squared_norm": 0.8,
    "squared_radius": 2.0,
    "target_bound": 1.0,
    "total": 0.8,
    "total_mass": 2.0,
    "trace": 3.0,
    "truncation": 16.0,
    "two_norm": 0.9,
    "upper": [4, 12, 12],
    "value": 0.6,
    "variance": 0.5,
    "variance_factor": 1.5,
    "weight_sum": 3.0,
    "weighted_squares": 4.0,
    "width": 1.5,
}
"""One ordinary value per parameter name: names are the field's, so one name means one thing."""

IMPOSSIBLE: dict[str, tuple[Any, ...]] = {
    "delta": (0.0, -0.1, 1.5, math.nan),
    "epsilon": (0.0, -0.5, math.nan),
    "sample_size": (0, 1, -3),
}
"""Values that no plain number of that name can have; a bound that went on would return nonsense."""


def _arguments(function: Callable[..., Any]) -> dict[str, Any]:
    """Ordinary arguments for every parameter; of a Literal, the first option."""
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        options = getattr(parameter.annotation, "__args__", None)
        if options and isinstance(options[0], str):
            arguments[name] = options[0]
        else:
            assert name in ORDINARY, f"{function.__name__}: give the parameter {name!r} an ordinary value here"
            arguments[name] = ORDINARY[name]
    return arguments


@every_function
def test_a_docstring_says_first_what_it_computes(function: Callable[..., Any]) -> None:
    text = inspect.getdoc(function) or ""
    first = text.split("\n\n")[0].strip()
    assert first
    assert first.endswith((".", ":")), first


@every_bound
def test_a_bound_is_a_finite_number_at_ordinary_arguments(function: Callable[..., Any]) -> None:
    value = function(**_arguments(function))
    assert isinstance(value, float | int | np.floating | Fraction)
    assert math.isfinite(value)
    assert value == function(**_arguments(function))


def _restricted() -> Iterator[Any]:
    """Every bound with each of its arguments that has impossible values."""
    for function in BOUNDS:
        parameters = inspect.signature(function).parameters
        for name in IMPOSSIBLE:
            if name in parameters and parameters[name].annotation is not Any:
                yield pytest.param(function, name, id=f"{name}-{function.__module__}.{function.__name__}")


@pytest.mark.parametrize(("function", "name"), list(_restricted()))
def test_impossible_numbers_are_refused_by_name(function: Callable[..., Any], name: str) -> None:
    arguments = _arguments(function)
    for value in IMPOSSIBLE[name]:
        with pytest.raises(ValueError) as caught:
            function(**{**arguments, name: value})
        assert str(value) in str(caught.value)  # the message names the offending value
        assert "\n" not in str(caught.value)


def _outside(interval: Interval, *, whole: bool) -> list[float]:
    """The nearest numbers beyond both ends, where there are such, and what is no number."""
    below, above = (
        (interval.low - 1, interval.high + 1)
        if whole
        else (math.nextafter(interval.low, -math.inf), math.nextafter(interval.high, math.inf))
    )
    return [math.nan, *(end for end in (below, above) if math.isfinite(end) and end not in interval)]


@every_bound
def test_what_lies_just_outside_its_range_is_refused_by_name(function: Callable[..., Any]) -> None:
    """Each argument alone, the others ordinary: the first numbers beyond the declared ends."""
    for name, parameter in inspect.signature(function).parameters.items():
        domain = hostile.domain_of(parameter.annotation)
        if isinstance(domain, Plain | Elementwise):
            whole = isinstance(domain, Plain) and domain.whole
            for value in _outside(Interval(domain.interval), whole=whole):
                with pytest.raises(ValueError, match=rf"^{name} = "):
                    function(**{**_arguments(function), name: value})


@every_bound
def test_quantified_arguments_may_be_arrays_and_tensors(function: Callable[..., Any]) -> None:
    """Claims hand over tensors where an argument is quantified; the result must be that of each number."""
    parameters = inspect.signature(function).parameters
    arguments = _arguments(function)
    quantified = [n for n, p in parameters.items() if p.annotation is Any and isinstance(arguments[n], float)]
    for name, make in itertools.product(quantified, (np.array, lambda v: torch.tensor(v, dtype=torch.float64))):
        points = [arguments[name], 1.1 * arguments[name], 0.7 * arguments[name]]
        together = function(**{**arguments, name: make(points)})
        alone = [float(function(**{**arguments, name: point})) for point in points]
        together = np.broadcast_to(np.asarray(together, dtype=float), (3,))
        assert together == pytest.approx(alone, rel=1e-12)


def test_a_folder_that_cannot_be_imported_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its functions would be missing from every test of this file, and from the mutants, without a word."""
    whole = ModuleType("whole")
    whole.__path__ = [str(tmp_path)]
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text("from math import no_such_name\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "whole", whole)
    with pytest.raises(ImportError, match="no_such_name"):
        public_modules(whole)
