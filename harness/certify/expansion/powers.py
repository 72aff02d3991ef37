"""Powers of forms whose exponent is a fraction."""

from flint import fmpq, fmpz

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.forms import ONE, Form, Workspace, ends_of, is_real, is_total, opaque, root
from harness.certify.expansion.polynomials import Polynomial, constant, name_of, number_of
from harness.certify.expansion.truths import is_not_negative

WHOLE = 64  # powers that are multiplied out
HIGHEST = 128  # degrees of roots, and powers of them


def rational_power(a: Form, exponent: fmpq) -> Form:
    """a^(p/q), as torch gives it."""
    if exponent.q == 1 and abs(int(exponent.p)) <= WHOLE:
        return a.power(int(exponent.p))
    if exponent.q == 2 and abs(int(exponent.p)) <= WHOLE:
        return real_root(a).power(int(exponent.p))
    return fractional_power(a, exponent)


def real_root(a: Form) -> Form:
    """The root that torch gives: of what is negative there is none among real numbers."""
    if a.space.turned and not is_not_negative(a):
        raise NoEnclosure("roots beside complex numbers")
    return root(a)


def fractional_power(a: Form, exponent: fmpq) -> Form:
    """a^(p/q) by generators whose q-th powers are the factors of a.

    Of f >= 0, (f g)^(p/q) = (f^(1/q))^p g^(p/q) for every number g. What has no known sign stays together, and so does
    a number below 0. Where q or p is large, or a is not real, nothing is known of the power but that equal forms have
    equal ones.
    """
    power, degree = int(exponent.p), int(exponent.q)
    if degree > HIGHEST or abs(power) > HIGHEST or not a.above or not is_real(a):
        return opaque(f"power {exponent}", a)
    if a.below is not None:
        below = Form(a.space, a.below)
        ends = ends_of(below)
        if ends is None or ends[0] <= 0:
            return opaque(f"power {exponent}", a)
        return fractional_power(Form(a.space, a.above), exponent) / fractional_power(below, exponent)
    found, rest = Form(a.space, constant(ONE)), Form(a.space, constant(ONE))
    for polynomial, times in factors_of(a.above):
        factor, number = Form(a.space, polynomial), number_of(polynomial)
        ends = ends_of(factor)
        if number is not None and number > 0:
            found = found * _root_of_a_number(a.space, number, degree).power(power * times)
        elif number is None and ends is not None and ends[0] >= 0:
            found = found * _radical(a.space, polynomial, degree, always=is_total(factor)).power(power * times)
        else:
            rest = rest * factor.power(times)
    if rest.number == 1:
        return found
    return found * _radical(a.space, rest.above, degree, always=False).power(power)


def _radical(space: Workspace, base: Polynomial, degree: int, *, always: bool) -> Form:
    key = ("radical", degree, name_of(base))
    return space.named(key, lambda: space.ring.radical(base, degree, always=always))


def _root_of_a_number(space: Workspace, number: fmpq, degree: int) -> Form:
    """The product of the roots of its primes."""
    found = Form(space, constant(ONE))
    for whole, sign in ((number.p, 1), (number.q, -1)):
        for prime, times in fmpz(whole).factor():
            radical = _radical(space, constant(fmpq(prime)), degree, always=True)
            found = found * (radical.power(int(times)) if sign > 0 else radical.power(int(times)).inverse())
    return found
