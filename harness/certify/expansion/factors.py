"""Factors of polynomials, and what the sets of inputs say about their signs."""

from flint import fmpq

from harness.certify.expansion.polynomials import Flat, Polynomial, constant, generators, has_exponentials, number_of

WIDEST, MOST = 80, 40  # terms and generators of what is factored


def factors_of(a: Polynomial, widest: int = WIDEST) -> list[tuple[Polynomial, int]]:
    """a as a product of powers, a number first; a alone where it is not factored.

    Factors are those over the rational numbers with generators taken as free, so that their product is a under
    whatever is known of powers of generators as well.
    """
    if not a or has_exponentials(a) or len(a) > widest or len(generators(a)) > MOST or number_of(a) is not None:
        return [(a, 1)]
    flat = Flat(a)
    content, parts = flat(a).factor()
    number = fmpq(content)
    found = [(flat.back(part), int(power)) for part, power in parts]
    return found if number == 1 else [(constant(number), 1), *found]
