"""Fractions in lowest terms, exponentials included.

Exponentials exp(c_1 p_1 + ...) with rational c and products p are products of powers of the generators exp(p / d), d a
common denominator for each p. Multiplied by an exponential, which is never 0, polynomials in them have no negative
power and are those of a library, which finds their greatest common divisor: it is one under any relations as well.
"""

import math

from flint import fmpq

from harness.certify.expansion.forms import Form
from harness.certify.expansion.polynomials import (
    Exponent,
    Hashed,
    Polynomial,
    Product,
    Term,
    has_exponentials,
    over_their_greatest_common_divisor,
    scaled,
)

WIDEST, MOST = 1500, 40  # terms of what is divided, parts of exponents


def in_lowest_terms(a: Form) -> Form:
    """The same fraction, above and below divided by what they have in common; large ones as they are."""
    if a.below is None:
        return a
    above, below = a.above, a.below
    if has_exponentials(above) or has_exponentials(below):
        if len(above) + len(below) > WIDEST:
            return a
        parts = sorted({inner for side in (above, below) for _, exponent in side for inner, _ in exponent})
        if len(parts) > MOST:
            return a
        scales = _Exponentials(parts, above, below)
        above, below = over_their_greatest_common_divisor(scales.bare(above), scales.bare(below))
        above, below = scales.back(above), scales.back(below)
    else:
        above, below = over_their_greatest_common_divisor(above, below)
    if below[min(below)] < 0:
        above, below = scaled(above, fmpq(-1)), scaled(below, fmpq(-1))
    return Form(a.space, above) * Form(a.space, below).inverse() if len(below) == 1 else Form(a.space, above, below)


class _Exponentials:
    """Generators in the place of exp(p / d) for each part p of some exponents."""

    def __init__(self, parts: list[Product], *sides: Polynomial) -> None:
        values = [(inner, value) for side in sides for _, exponent in side for inner, value in exponent]
        self.parts = parts
        self.common = {part: math.lcm(*(int(value.q) for inner, value in values if inner == part)) for part in parts}
        powers = [self._powers(term) for side in sides for term in side]
        self.least = [min(column) for column in zip(*powers, strict=True)]
        self.first = 1 + max((n for side in sides for product, _ in side for n, _ in product), default=0)

    def bare(self, a: Polynomial) -> Polynomial:
        """a times an exponential, the same for both sides, with generators for exponentials."""
        found: Polynomial = {}
        for term, value in a.items():
            above = [power - low for power, low in zip(self._powers(term), self.least, strict=True)]
            more = tuple((self.first + k, power) for k, power in enumerate(above) if power)
            found[term[0] + more, ()] = value
        return found

    def _powers(self, term: Term) -> list[int]:
        held = dict(term[1])
        return [int((held[part] * self.common[part]).p) if part in held else 0 for part in self.parts]

    def back(self, a: Polynomial) -> Polynomial:
        """With exponentials again."""
        found: Polynomial = {}
        for (product, _), value in a.items():
            plain = tuple((number, power) for number, power in product if number < self.first)
            exponent: Exponent = Hashed(
                (self.parts[number - self.first], fmpq(power, self.common[self.parts[number - self.first]]))
                for number, power in product
                if number >= self.first
            )
            found[plain, Hashed(sorted(exponent))] = value
        return found
