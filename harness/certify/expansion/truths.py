"""Signs, comparisons and logarithms of forms."""

from collections.abc import Callable, Iterator

from flint import fmpq

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.forms import Form, by_table, ends_of, is_real, is_total, logarithm_of_a_number, opaque
from harness.certify.expansion.polynomials import (
    IMAGINARY,
    Exponent,
    Polynomial,
    everywhere,
    generators,
    has_exponentials,
)

VERTICES = 32  # exponentials of what is looked at there


def is_not_negative(a: Form) -> bool:
    """Whether the ends of inputs show that a polynomial in them and in real exponentials is not negative."""
    lows = _least_coefficients(a)
    return lows is not None and min(lows) >= 0


def is_positive(a: Form) -> bool:
    """Whether they show that it is positive: with a coefficient that is, and none that may be negative.

    Or that it is at all vertices of a simplex in whose entries it is linear.
    """
    lows = _least_coefficients(a)
    if lows is None or min(lows) < 0:
        return False
    return max(lows) > 0 or any(all(map(is_positive, at_vertices)) for at_vertices in _vertices(a))


def _vertices(a: Form) -> Iterator[list[Form]]:
    """What a polynomial is at the vertices of each simplex in whose entries it is linear, with exponentials or none."""
    if not a.above or (has_exponentials(a.above) and len(by_exponent(a)) > VERTICES):
        return
    inner = {number for _, exponent in a.above for product, _ in exponent for number, _ in product}
    for entries in a.space.ring.simplices:
        inside = set(entries)
        degrees = {sum(power for number, power in product if number in inside) for product, _ in a.above}
        if max(degrees) == 1 and not inside & inner:
            corners = [{other: fmpq(int(other == entry)) for other in entries} for entry in (None, *entries)]
            yield [Form(a.space, a.space.ring.at(a.above, corner)) for corner in corners]


def _least_coefficients(a: Form) -> list[fmpq] | None:
    """Lower ends of the coefficients of all exponentials, which are positive where their exponents are real."""
    if not has_exponentials(a.above):
        ends = ends_of(a)
        return None if ends is None else [ends[0]]
    if a.below is not None or a.space.turned:
        return None
    parts = by_exponent(a)
    if any((IMAGINARY, 1) in product for exponent in parts for product, _ in exponent):
        return None
    ends_of_parts = [ends_of(Form(a.space, part)) for part in parts.values()]
    lows = [ends[0] for ends in ends_of_parts if ends is not None]
    return lows if len(lows) == len(parts) else None


def by_exponent(a: Form) -> dict[Exponent, Polynomial]:
    """The coefficient of each exponential."""
    parts: dict[Exponent, Polynomial] = {}
    for (product, exponent), value in a.above.items():
        parts.setdefault(exponent, {})[product, ()] = value
    return parts


def may_be_undefined(a: Form) -> bool:
    """Whether a form shows that it may be no finite number for some inputs: by a partial function, or a denominator."""
    if a.space.ring.partial and a.space.ring.partial & everywhere(a.above):
        return True
    return a.below is not None and not never_vanishes(Form(a.space, a.below))


def never_vanishes(a: Form) -> bool:
    """Whether the ends of inputs show that a form is a number other than 0 for all inputs."""
    if a.number is not None:
        return bool(a.number != 0)
    steady = a.space.ring.steady
    if a.key not in steady:
        steady[a.key] = is_total(a) and (_is_unit(a) or is_positive(a) or is_positive(-a))
    return steady[a.key]


def _is_unit(a: Form) -> bool:
    """Whether a polynomial is a number times roots of whole numbers and an exponential."""
    return len(a.above) == 1 and all(number in a.space.surds for number in generators(a.above))


def values_of(a: Form) -> set[fmpq] | None:
    """The values of a form whose variables have finitely many values; None of others."""
    found: set[fmpq] = set()
    table = by_table(a, lambda value: found.add(value) or 0)  # type: ignore[func-returns-value]
    return None if table is None else found


def logarithm(a: Form) -> Form:
    """log of a: the exponent of an exponential, sums of logarithms of primes and of factors that are not negative."""
    if a.number is not None:
        return opaque("log", a) if a.number <= 0 else logarithm_of_a_number(a.space, a.number)
    if a.below is None and len(a.above) == 1 and is_real(a):
        (((product, exponent), coefficient),) = a.above.items()
        if not product and coefficient == 1:
            return Form(a.space, {(inner, ()): value for inner, value in exponent})
    if a.below is not None:
        below = Form(a.space, a.below)
        return logarithm(Form(a.space, a.above)) - logarithm(below) if is_not_negative(below) else opaque("log", a)
    groups = by_exponent(a)
    if len(groups) == 1 and has_exponentials(a.above) and is_real(a):  # one exponential times what is free of them
        ((exponent, rest),) = groups.items()
        return Form(a.space, {(inner, ()): value for inner, value in exponent}) + logarithm(Form(a.space, rest))
    parts = with_known_signs(a)
    if len(parts) == 1 or not all(is_not_negative(factor) for factor, _ in parts):
        return _own_logarithm(a)
    found = a.space.number(0)
    for factor, power in parts:
        found = found + (_own_logarithm(factor) if factor.number is None else logarithm(factor)) * a.space.number(power)
    return found


def with_known_signs(a: Form) -> list[tuple[Form, int]]:
    """Factors, a number first, with -f for a factor f that is not positive, and its sign in the number."""
    number, parts = a.space.number(1), list[tuple[Form, int]]()
    for polynomial, power in factors_of(a.above):
        factor = Form(a.space, polynomial)
        if factor.number is not None:
            number = number * factor.power(power)
        elif not is_not_negative(factor) and is_not_negative(-factor):
            number = -number if power % 2 else number
            parts.append((-factor, power))
        else:
            parts.append((factor, power))
    return parts if number.number == 1 else [(number, 1), *parts]


def _own_logarithm(a: Form) -> Form:
    found = opaque("log", a)
    a.space.logarithms[next(iter(generators(found.above)))] = a
    return found


RELATIONS: dict[str, Callable[[fmpq], int]] = {
    "gt": lambda value: int(value > 0),
    "eq": lambda value: int(value == 0),
}


def truth_of(a: Form, relation: str) -> Form:
    """1 where a > 0 (a = 0), 0 elsewhere."""
    found = by_table(a, RELATIONS[relation])
    if found is not None:
        return found
    ends = ends_of(a) if is_total(a) else None  # a root that is not defined is nan, which is no more than its ends
    if ends is not None and (ends[0] > 0 or ends[1] < 0 or (relation == "gt" and ends[1] <= 0)):
        return a.space.number(int(relation == "gt" and ends[0] > 0))
    if not is_real(a):
        raise NoEnclosure("a comparison of complex numbers")
    if not is_total(a):  # nan is neither more nor less, nor equal
        raise NoEnclosure("a comparison of numbers that may be undefined")
    return a.space.named((relation, a.key), lambda: a.space.ring.finite((fmpq(0), fmpq(1))))
