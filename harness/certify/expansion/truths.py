"""Signs, comparisons and logarithms of forms."""

from collections.abc import Callable

from flint import fmpq

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.forms import Form, by_table, ends_of, is_real, is_total, logarithm_of_a_number, opaque


def is_not_negative(a: Form) -> bool:
    """Whether the ends of inputs show that a form is not negative."""
    ends = ends_of(a)
    return ends is not None and ends[0] >= 0


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
    parts = [(Form(a.space, factor), power) for factor, power in factors_of(a.above)]
    if len(parts) == 1 or not all(is_not_negative(factor) for factor, _ in parts):
        return opaque("log", a)
    found = a.space.number(0)
    for factor, power in parts:
        found = found + (opaque("log", factor) if factor.number is None else logarithm(factor)) * a.space.number(power)
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
