"""Exponentials of forms, and sine and cosine by those of imaginary numbers."""

from harness.certify.expansion.forms import HALF, ONE, Form, opaque
from harness.certify.expansion.polynomials import IMAGINARY, Exponent, Hashed, constant, generator, has_exponentials


def _as_exponent(a: Form) -> tuple[Form, Exponent]:
    """A form as an exponent: as it is if it is a polynomial without exponentials, else by a generator of its own."""
    if a.below is not None or has_exponentials(a.above):
        a = opaque("itself", a)
    return a, Hashed(sorted((product, value) for (product, _), value in a.above.items()))


def exponential(a: Form) -> Form:
    _, exponent = _as_exponent(a)
    return Form(a.space, {((), exponent): ONE})


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
