"""Exponentials of forms, and sine and cosine by those of imaginary numbers."""

from harness.certify.expansion.forms import HALF, ONE, Form, opaque
from harness.certify.expansion.polynomials import (
    IMAGINARY,
    Exponent,
    Hashed,
    Product,
    constant,
    generator,
    has_exponentials,
)
from harness.certify.expansion.powers import rational_power
from harness.certify.expansion.truths import is_not_negative

HIGHEST = 128  # powers of arguments of logarithms, and degrees of roots of them


def _as_exponent(a: Form) -> tuple[Form, Exponent]:
    """A form as an exponent: as it is if it is a polynomial without exponentials, else by a generator of its own."""
    if a.below is not None or has_exponentials(a.above):
        a = opaque("itself", a)
    return a, Hashed(sorted((product, value) for (product, _), value in a.above.items()))


def exponential(a: Form) -> Form:
    """exp(a); of n log(b) + c with a whole n it is b^n exp(c), for n > 0 where b >= 0 everywhere, or a number b > 0.

    With a fraction for n it is so without a condition: both are undefined where b < 0.
    """
    if a.below is None and not has_exponentials(a.above):
        for term, value in a.above.items():
            inner = _argument(a, term[0])
            if inner is None or value.q > HIGHEST or abs(value) > HIGHEST:
                continue
            if value.q != 1 or inner.number is not None or (value > 0 and is_not_negative(inner)):
                rest = {other: part for other, part in a.above.items() if other != term}
                return rational_power(inner, value) * exponential(Form(a.space, rest))
    _, exponent = _as_exponent(a)
    return Form(a.space, {((), exponent): ONE})


def _argument(a: Form, product: Product) -> Form | None:
    """That of the logarithm that a product is, if it is one."""
    return a.space.logarithms.get(product[0][0]) if len(product) == 1 and product[0][1] == 1 else None


def _turned(a: Form) -> tuple[Form, Form]:
    """exp(i a) and exp(-i a)."""
    plain, _ = _as_exponent(a)
    turned = Form(a.space, generator(IMAGINARY)) * plain
    return exponential(turned), exponential(-turned)


def cosine(a: Form) -> Form:
    forward, backward = _turned(a)
    return (forward + backward) * Form(a.space, constant(HALF))


def sine(a: Form) -> Form:
    forward, backward = _turned(a)
    return (backward - forward) * Form(a.space, {(((IMAGINARY, 1),), ()): HALF})
