"""What balls say of a claim without inputs refutes it, also where float64 rounds its violation away."""

import math
from typing import Any

import pytest

from harness import always, check, claim, grid, identity
from harness.kinds import Kind
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check


def _cancelled() -> Any:
    """1e16 + 1 - 1e16 <= .5."""
    return 1e16 + 1 - 1e16, 0.5


def _vanished() -> Any:
    """(1 + 2^-60)^(2^60) <= 2."""
    return (1 + 2.0**-60) ** (2**60), 2.0


def _ramanujan() -> Any:
    """744 <= exp(pi sqrt 163) - 640320^3, which is false by 7.5e-13."""
    return 744, math.exp(math.pi * math.sqrt(163)) - 640320**3


def _of_a_cell(*, n: int) -> Any:
    """n + 1 - n <= .5."""
    return float(n) + 1 - float(n), 0.5


def _equality() -> Any:
    """1e16 + 1 - 1e16 = 0."""
    return 1e16 + 1 - 1e16, 0.0


FALSE: list[tuple[Kind, Any]] = [
    (always(), _cancelled),
    (always(), _vanished),
    (always(rtol=0.0), _ramanujan),
    (identity(), _equality),
]


def _stated(name: str, kind: Kind, body: Any) -> Claim:
    return claim(f"contradicted/{name}", kind)(body)


@pytest.mark.parametrize("number", range(len(FALSE)))
def test_what_balls_contradict_is_refuted(number: int) -> None:
    kind, body = FALSE[number]
    found = bare_check(_stated(f"false-{number}", kind, body))
    assert found.status is Status.REFUTED
    shown = found.counterexample
    assert shown is not None
    assert shown.counterexample is not None
    assert shown.counterexample.certificate.verdict == "confirmed"


def test_each_cell_has_its_numbers() -> None:
    made = claim("contradicted/cell", always(), over=grid(n=[10**15, 10**17]))(_of_a_cell)
    assert bare_check(made).status is Status.REFUTED


def _tenths() -> Any:
    """(.1 + .2 - .3) 1e20 <= 1000: true of decimals, not of the floats."""
    return (0.1 + 0.2 - 0.3) * 1e20, 1000.0


def _true() -> Any:
    """The harmonic sum of ten is at most 3."""
    return sum(1 / k for k in range(1, 11)), 3.0


def _exactly() -> Any:
    """exp(pi sqrt 163) - 640320^3 <= 744."""
    return math.exp(math.pi * math.sqrt(163)) - 640320**3, 744


TRUE = {_tenths: (Status.UNDECIDED, Status.HOLDS), _true: (Status.PROVED,), _exactly: (Status.PROVED,)}


@pytest.mark.parametrize("body", TRUE, ids=lambda body: body.__name__)
def test_what_is_true_of_decimals_is_not_refuted(body: Any) -> None:
    found = check(_stated(body.__name__.strip("_"), always(), body), effort="quick")
    assert found.status in TRUE[body]
