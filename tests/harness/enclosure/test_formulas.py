"""Bodies without inputs: what balls prove is true, where float64 says otherwise as well; the rest is refused."""

import inspect
import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
from flint import arb

from bounds.random_features.multinomial import multinomial_box_probability
from harness import always, claim, identity
from harness.certify.formulas import decided
from harness.certify.formulas.counterparts import NAMED, counterpart, harmonics_of_a_degree, probability_of_a_box
from harness.certify.precision import Unsupported, lift, working_bits
from harness.certify.proof import Proof, Unproved, prove
from harness.claims.nsrf.harmonic_polynomials import count_of_harmonics
from harness.kinds import Kind
from harness.language.anatomy import anatomy
from harness.language.registry import Claim
from tests.harness.enclosure.blockers import table
from tests.harness.enclosure.plain_bodies import FALSE, REFUSED, TRUE

_COUNTER = itertools.count()


def _stated(kind: Kind, body: Callable[..., Any]) -> Claim:
    body.__doc__ = body.__doc__ or "Stated here."
    return claim(f"proved/plain-{next(_COUNTER)}", kind)(body)


def _tried(kind: Kind, body: Callable[[], Any]) -> Proof | Unproved:
    made = _stated(kind, body)
    return prove(made, {}, anatomy(made, {}), boxes=100)


@pytest.mark.parametrize("body", TRUE, ids=lambda body: body.__name__)
def test_true_formulas_are_proved(body: Any) -> None:
    found = _tried(always(), body)
    assert isinstance(found, Proof), found
    assert found.c == 1.0
    assert found.digits > 10


@pytest.mark.parametrize("body", FALSE, ids=lambda body: body.__name__)
def test_false_formulas_are_not_proved(body: Any) -> None:
    """Would catch a sum that float64 rounds to the right side, and the whole part or the branch that it takes then."""
    found = _tried(always(rtol=0.0), body)
    assert isinstance(found, Unproved) or found.c > 1.0, found


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body.__name__)
def test_numbers_whose_rounding_is_not_seen_are_refused(body: Any) -> None:
    """Would catch a library that computes in float64 taken for a formula."""
    assert isinstance(_tried(always(), body), Unproved)


def _tenth(*, x: float) -> Any:
    """10 x = 1."""
    return 10 * x, 1


def test_the_numbers_of_a_cell_count_as_they_are() -> None:
    """The float next to 1/10 is off by 5.6e-18 of 1/10."""
    assert decided(_grid(identity(rtol=1e-16), _tenth, x=0.1), {"x": 0.1}, (1.0,))[0] == 1.0
    with pytest.raises(Unsupported):
        decided(_grid(identity(rtol=1e-17), _tenth, x=0.1), {"x": 0.1}, (1.0,))


def _grid(kind: Kind, body: Callable[..., Any], **cell: Any) -> Claim:
    return claim(f"proved/plain-{next(_COUNTER)}", kind, over=[cell])(body)


@pytest.mark.parametrize(
    ("count", "lower", "upper"), [(6, (1, 0, 2), (3, 2, 6)), (5, (0, 0, 0), (5, 5, 5)), (4, (3, 3, 0), (4, 4, 4))]
)
def test_the_probability_of_a_box_is_that_of_all_its_counts(count: int, lower: Any, upper: Any) -> None:
    """Against the sum of multinomial probabilities, in whole numbers; would catch a range that is cut too far."""
    shares = (1, 2, 5)
    exact = 0
    for counts in itertools.product(*(range(a, b + 1) for a, b in zip(lower, upper, strict=True))):
        if sum(counts) == count:
            ways = math.factorial(count) // math.prod(map(math.factorial, counts))
            exact += ways * math.prod(share**k for share, k in zip(shares, counts, strict=True))
    with working_bits(200):
        found: arb = lift(probability_of_a_box(count, [share / 8 for share in shares], lower, upper)).item()
        assert found.overlaps(arb(exact) / 8**count)
        assert found.rad() < 1e-40


@pytest.mark.parametrize(("dimension", "degree"), [(2, 0), (2, 4), (3, 3), (4, 2), (5, 3)])
def test_harmonics_are_counted_by_their_dimension(dimension: int, degree: int) -> None:
    """Against C(d + l - 1, l) - C(d + l - 3, l - 2); would catch a monomial that is left out of the Laplacian."""
    more = math.comb(dimension + degree - 3, degree - 2) if degree > 1 else 0
    with working_bits(100):
        assert harmonics_of_a_degree(dimension, degree) == math.comb(dimension + degree - 1, degree) - more
    assert harmonics_of_a_degree(dimension, degree) == count_of_harmonics(dimension, degree)


def test_the_table_of_causes_knows_what_is_proved_and_what_stops_the_rest() -> None:
    claims = [_stated(always(), body) for body in (TRUE[0], FALSE[0], REFUSED[1])]
    shown = table(claims)
    assert "| 1 | proved |" in shown
    assert "| 1 | proved, but only with c up to 1.001 |" in shown  # FALSE[0], which is off by less than the tolerance
    assert "| 1 | no inputs" in shown


def test_only_the_function_itself_has_a_counterpart() -> None:
    """A function that bears the name of one of the project is another function."""

    def pretended(*_: Any) -> float:
        return 0.0

    pretended.__module__, pretended.__name__ = next(iter(NAMED))
    assert counterpart(pretended) is None
    assert counterpart(inspect.unwrap(multinomial_box_probability)) is probability_of_a_box
