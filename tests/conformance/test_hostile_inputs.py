"""Every public function on degenerate and absurd arguments: an error that names the argument, or the right answer."""

import dataclasses
import inspect
import math
import zlib
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import algos
import bounds
from algos.fourier.feature_families import FeatureFamily
from signatures.checked import acceptors
from tests.bounds.orderings import ORDERINGS, Ordering
from tests.conformance import hostile, hostile_objects, hostile_tensors, properties, shadows
from tests.helpers import public_classes, public_functions

BOUNDS, ALGOS = public_functions(bounds), public_functions(algos)
every_algorithm = pytest.mark.parametrize("function", ALGOS, ids=lambda f: f"{f.__module__}.{f.__name__}")
every_bound = pytest.mark.parametrize("function", BOUNDS, ids=lambda f: f"{f.__module__}.{f.__name__}")
PER_FUNCTION, PER_FUNCTION_NIGHTLY = 40, 500
EXTREMES = (0.0, 1e-300, 1e-160, 1e-20, 1e-8, 0.5, 1.0, 2.0, 1e3, 1e8, 1e20, 1e160, 1e300, 1 - 2**-53, 1 + 2**-52)
COUNTS = (1, 2, 3, 10, 10**4, 10**9, 10**18, 10**100, 10**300)


def _generator(function: Any, salt: int) -> np.random.Generator:
    return _named_generator(function.__qualname__, salt)


def _named_generator(name: str, salt: int) -> np.random.Generator:
    return np.random.default_rng([zlib.crc32(name.encode()), salt])


@every_bound
def test_no_bound_fails_in_silence(function: Any) -> None:
    _, failures = hostile.tally(function, _generator(function, 0), PER_FUNCTION)
    assert not failures, "\n".join(failures)


@pytest.mark.nightly
@every_bound
def test_no_bound_fails_in_silence_at_night(function: Any) -> None:
    _, failures = hostile.tally(function, _generator(function, 1), PER_FUNCTION_NIGHTLY)
    assert not failures, "\n".join(failures)


def _compare(function: Any, rng: np.random.Generator, count: int) -> tuple[Counter[str], list[str]]:
    """Answers at extreme arguments beside those of 60 digits."""
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    given = hostile.ordinary(function, rng)
    for _ in range(count):
        arguments = {name: _extreme(value, rng) for name, value in given.items()}
        try:
            result = function(**arguments)
        except ValueError:
            ends["refused"] += 1
            continue
        right = math.isinf(result) or shadows.explained(function, arguments, result)
        ends["right" if right else "wrong"] += 1
        if not right:
            wrong.append(f"{function.__name__}({arguments}) = {result}")
    return ends, wrong


def _extreme(value: Any, rng: np.random.Generator) -> Any:
    if rng.random() < 0.5 or isinstance(value, str | list) or value is None:
        return value
    if isinstance(value, int):
        return COUNTS[rng.integers(len(COUNTS))]
    return EXTREMES[rng.integers(len(EXTREMES))] if rng.random() < 0.7 else math.exp(rng.uniform(-30, 30))


SHADOWED = [f for f in BOUNDS if f.__name__ not in shadows.WITHOUT]


@pytest.mark.parametrize("function", SHADOWED, ids=lambda f: f.__name__)
def test_answers_at_extremes_are_those_of_sixty_digits(function: Any) -> None:
    ends, wrong = _compare(function, _generator(function, 2), 25)
    assert not wrong, "\n".join(wrong)
    assert ends["right"], ends


@pytest.mark.nightly
@pytest.mark.parametrize("function", SHADOWED, ids=lambda f: f.__name__)
def test_answers_at_extremes_are_those_of_sixty_digits_at_night(function: Any) -> None:
    _, wrong = _compare(function, _generator(function, 3), 300)
    assert not wrong, "\n".join(wrong)


def _broken(name: str, rng: np.random.Generator, count: int) -> list[str]:
    """Properties of a bound that fail, from ordinary arguments to the ends of float64."""
    function = BY_NAME[name]
    found: list[str] = []
    for turn in range(count):
        if turn % 5 == 0:
            usual = hostile.ordinary(function, rng)
        given = {key: _extreme(value, rng) for key, value in usual.items()}
        fresh = hostile.ordinary(function, rng)
        found += properties.broken(name, function, given, lambda key, fresh=fresh: _extreme(fresh[key], rng), rng)
    return found


BY_NAME = {f"{f.__module__.split('.')[1]}.{f.__name__}": f for f in BOUNDS}


@pytest.mark.parametrize("name", properties.PROPERTIES)
def test_properties_hold_from_one_end_of_float64_to_the_other(name: str) -> None:
    broken = _broken(name, _named_generator(name, 10), 8)
    assert not broken, "\n".join(broken)


@pytest.mark.nightly
@pytest.mark.parametrize("name", properties.PROPERTIES)
def test_properties_hold_from_one_end_of_float64_to_the_other_at_night(name: str) -> None:
    broken = _broken(name, _named_generator(name, 11), 300)
    assert not broken, "\n".join(broken)


@pytest.mark.nightly
@pytest.mark.parametrize("ordering", ORDERINGS, ids=str)
def test_orderings_hold_wherever_they_are_asked_at_night(ordering: Ordering) -> None:
    """At random places of their ranges and at corners; `tests/bounds/test_orderings.py` has the evenly spread ones."""
    rng = _named_generator(str(ordering), 12)
    for _ in range(100):
        shares = {name: float(rng.choice([0.0, 1.0, rng.random(), rng.random()])) for name in ordering.over}
        assert ordering.error(ordering.values(shares)) is None


def test_what_has_no_shadow_is_public() -> None:
    assert set(shadows.WITHOUT) <= {f.__name__ for f in BOUNDS}


def _failures_of_tensors(function: Any, salt: int, count: int) -> list[str]:
    rng = _generator(function, salt)
    failures = []
    for arguments, junk in hostile_tensors.calls(function, rng, count):
        end = hostile_tensors.end(function, arguments, junk=junk)
        if end not in ("named", "answered"):
            failures.append(f"{end}: {function.__module__}.{function.__name__}({arguments!r:.600})")
    return failures


@every_algorithm
def test_no_algorithm_fails_in_silence(function: Any) -> None:
    failures = _failures_of_tensors(function, 4, 25)
    assert not failures, "\n".join(failures)


@pytest.mark.nightly
@every_algorithm
def test_no_algorithm_fails_in_silence_at_night(function: Any) -> None:
    failures = _failures_of_tensors(function, 5, 200)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("name", hostile_objects.PLAYERS)
def test_no_class_fails_in_silence(name: str) -> None:
    failures = hostile_objects.failures_of_class(name, _named_generator(name, 6), 8)
    assert not failures, "\n".join(failures)


@pytest.mark.nightly
@pytest.mark.parametrize("name", hostile_objects.PLAYERS)
def test_no_class_fails_in_silence_at_night(name: str) -> None:
    failures = hostile_objects.failures_of_class(name, _named_generator(name, 7), 150)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("name", hostile_objects.LEARNERS)
def test_no_learner_fails_in_silence(name: str) -> None:
    failures = hostile_objects.failures_of_learner(name, _named_generator(name, 8), 6)
    assert not failures, "\n".join(failures)


@pytest.mark.nightly
@pytest.mark.parametrize("name", hostile_objects.LEARNERS)
def test_no_learner_fails_in_silence_at_night(name: str) -> None:
    failures = hostile_objects.failures_of_learner(name, _named_generator(name, 9), 400)
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("function", BOUNDS + ALGOS, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_every_public_function_is_checked(function: Any) -> None:
    """A new function that forgets `@checked` would be no part of this."""
    assert hasattr(function, "__wrapped__"), "decorate it with signatures.checked.checked"


def _classes(package: ModuleType) -> Iterator[type]:
    """Public classes with a constructor of their own; records, protocols and abstract classes only hold or describe."""
    for found in public_classes(package):
        described = inspect.isabstract(found) or getattr(found, "_is_protocol", False) or issubclass(found, tuple)
        if not described and not dataclasses.is_dataclass(found):
            yield found


def test_every_public_class_is_fuzzed() -> None:
    known = {type_.__name__ for type_, _, _ in hostile_objects.PLAYERS.values()}
    known |= {type(learner).__name__ for learner in hostile_objects.LEARNERS.values()}
    assert {found.__name__ for found in _classes(algos)} <= known


def test_every_family_of_features_is_fuzzed() -> None:
    assert {family.__name__ for family in FeatureFamily.__subclasses__()} <= set(hostile_objects.PLAYERS)


@pytest.mark.parametrize("learner", hostile_objects.LEARNERS.values(), ids=list(hostile_objects.LEARNERS))
def test_every_parameter_of_a_learner_is_declared(learner: Any) -> None:
    """`random_state`, and those that are a number or a name, are looked at by the learner itself."""
    undeclared = set(learner.get_params()) - set(acceptors(type(learner).__init__))
    assert undeclared <= {"random_state", "n_landmarks", "step"}
