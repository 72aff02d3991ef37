"""Polynomials in the inputs of a claim and in exponentials of such polynomials, with rational coefficients.

A polynomial is a dict from terms to coefficients that are not 0. A term is a product of powers of generators, a tuple
of (generator, power), times the exponential of a polynomial without exponentials, a tuple of (product, coefficient).
So products of exponentials, hence the addition theorems of sine and cosine, need no rule. Some powers of a generator
may be known: i^2 = -1, r^2 = p for a root, (y - 1)(y - 2)(y - 3) = 0 for a variable with three values. They are reduced
at once, so that polynomials that are equal under these rules differ by the empty dict.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from harness.certify.enclosure.refusal import NoEnclosure

Product: TypeAlias = tuple[tuple[int, int], ...]
Exponent: TypeAlias = tuple[tuple[Product, fmpq], ...]
Term: TypeAlias = tuple[Product, Exponent]
Polynomial: TypeAlias = dict[Term, fmpq]

UNIT: Term = ((), ())
ZERO = fmpq(0)
IMAGINARY = 0
"""The generator whose square is -1."""
LARGEST, WIDEST = 4000, 30_000  # terms of one polynomial; of one without exponentials
LONG = 512  # binary digits from which a product of two numbers takes longer
WIDE, FASTER = 12, 40  # terms of both factors from which a library multiplies, how many times as fast


class Hashed(tuple[tuple[Product, fmpq], ...]):
    """An exponent whose hash is computed once, and of whole numbers: that of a fraction takes longer than a product."""

    def __hash__(self) -> int:
        try:
            return self.known
        except AttributeError:
            self.known: int = hash(tuple((product, int(value.p), int(value.q)) for product, value in self))
            return self.known


def constant(value: fmpq) -> Polynomial:
    return {UNIT: value} if value != 0 else {}


def generator(number: int) -> Polynomial:
    return {(((number, 1),), ()): fmpq(1)}


def merged(a: Product, b: Product) -> Product:
    """The product of both."""
    if not a or not b:
        return a or b
    powers = dict(a)
    for number, power in b:
        powers[number] = powers.get(number, 0) + power
    return tuple(sorted(powers.items()))


def joined(a: Exponent, b: Exponent) -> Exponent:
    if not a or not b:
        return a or b
    parts = dict(a)
    for product, coefficient in b:
        parts[product] = parts.get(product, ZERO) + coefficient
    return Hashed(sorted((p, c) for p, c in parts.items() if c != 0))


def added(a: Polynomial, b: Polynomial, factor: fmpq | None = None) -> Polynomial:
    """a + factor b."""
    out = dict(a)
    _add_to(out, b, factor)
    return out


def _add_to(out: Polynomial, b: Polynomial, factor: fmpq | None = None) -> None:
    for term, coefficient in b.items():
        change = coefficient if factor is None else factor * coefficient
        before = out.get(term)
        value = change if before is None else before + change
        if value == 0:
            del out[term]
        else:
            out[term] = value


def name_of(a: Polynomial) -> frozenset[Any]:
    """Equal for equal polynomials, and hashed without fractions."""
    return frozenset((term, int(value.p), int(value.q)) for term, value in a.items())


def scaled(a: Polynomial, factor: fmpq) -> Polynomial:
    return {term: coefficient * factor for term, coefficient in a.items()} if factor != 0 else {}


def _parts(a: Polynomial) -> int:
    """Parts of the exponents of all terms."""
    return sum(len(exponent) for _, exponent in a)


def _digits(*factors: Polynomial) -> int:
    """How many times as much as one of few digits a product of coefficients takes, by the first of each factor."""
    first = [next(iter(a.values()), ZERO) for a in factors]
    return 1 + sum(int(value.p).bit_length() + int(value.q).bit_length() for value in first) // LONG


def _short(a: Polynomial, most: int) -> Polynomial:
    if len(a) > most:
        raise NoEnclosure(f"an expansion of more than {most} terms")
    return a


class Ring:
    """The generators of one proof, the powers that are known of some, and what is left of its budget of work."""

    def __init__(self, work: int, faster: int = FASTER, hashed: int = 0) -> None:
        self.powers: dict[int, tuple[int, Polynomial]] = {IMAGINARY: (2, constant(fmpq(-1)))}
        self.values: dict[int, tuple[fmpq, ...]] = {}
        self.ranges: dict[int, tuple[fmpq, fmpq]] = {}  # ends of inputs
        self.simplices: list[list[int]] = []  # entries but the last of each simplex among the inputs
        self.divisors: dict[frozenset[Any], bool] = {}  # whether polynomials may be divided by
        self.steady: dict[Any, bool] = {}  # whether forms vanish for no input, by their keys
        self.partial: set[int] = set()  # generators for what is not defined, or not finite, for all inputs
        self.lower: dict[Term, tuple[Polynomial, int]] = {}  # terms with powers that are known, reduced, and their work
        self.count = 1
        self.faster = faster
        self.hashed = hashed  # products of terms that are charged for each part of an exponent
        self.work = work

    def new(self) -> int:
        """A generator about which nothing is known."""
        self.count += 1
        return self.count - 1

    def rooted(self, square: Polynomial, *, always: bool = False) -> int:
        """A generator with this square, which may be negative for some inputs (not `always` defined)."""
        number = self.new()
        if not always:
            self.partial.add(number)
        self.powers[number] = 2, square
        return number

    def radical(self, base: Polynomial, degree: int, *, always: bool) -> int:
        """A generator whose power of this degree is the polynomial, which is not zero."""
        number = self.new()
        if not always:
            self.partial.add(number)
        self.powers[number] = degree, base
        return number

    def finite(self, values: tuple[fmpq, ...]) -> int:
        """A generator with finitely many values: it is a root of the product of its distances from them."""
        number = self.new()
        product = constant(fmpq(1))
        for value in values:
            product = self.times(product, added(generator(number), constant(value), fmpq(-1)))
        highest: Term = (((number, len(values)),), ())
        self.values[number] = values
        self.ranges[number] = min(values), max(values)
        self.powers[number] = len(values), scaled({t: c for t, c in product.items() if t != highest}, fmpq(-1))
        return number

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """a b, reduced."""
        if min(len(a), len(b)) >= WIDE and not (has_exponentials(a) or has_exponentials(b)):
            self._spend(_digits(a, b) * len(a) * len(b) // self.faster)
            flat = Flat(a, b)
            return self._reduced(_short(flat.back(flat(a) * flat(b)), WIDEST))
        self._spend(_digits(a, b) * len(a) * len(b) + self.hashed * (_parts(a) * len(b) + len(a) * _parts(b)))
        out: Polynomial = {}
        for (first, exponent), x in a.items():
            for (second, other), y in b.items():
                term = merged(first, second), joined(exponent, other)
                out[term] = out.get(term, ZERO) + x * y
        return self._reduced(
            {
                term: value
                for term, value in _short(out, LARGEST if has_exponentials(out) else WIDEST).items()
                if value != 0
            }
        )

    def sum(self, a: Polynomial, b: Polynomial, factor: fmpq | None = None) -> Polynomial:
        """a + factor b, within the budget."""
        self._spend((len(a) + len(b)) // 4)
        return added(a, b, factor)

    def _spend(self, products: int) -> None:
        self.work -= products + 1
        if self.work < 0:
            raise NoEnclosure("an expansion beyond its budget of terms")

    def _reduced(self, a: Polynomial) -> Polynomial:
        powers = self.powers
        high = [
            term for term in a for number, power in term[0] if number in powers and power >= powers[number][0]
        ]  # once for every factor of it
        if not high:
            return a
        out = dict(a)
        for term in dict.fromkeys(high):
            del out[term]
        for term in dict.fromkeys(high):
            _add_to(out, self._reduced_term(term), a[term])
        return out

    def _is_high(self, number: int, power: int) -> bool:
        known = self.powers.get(number)
        return known is not None and power >= known[0]

    def _reduced_term(self, term: Term) -> Polynomial:
        """One power that is known, replaced; what comes out is reduced, and kept: the same terms come again and again.

        The budget is charged as if it were not kept.
        """
        if term in self.lower:
            found, work = self.lower[term]
            self._spend(work - 1)
            return found
        before = self.work
        number, power = next(factor for factor in term[0] if self._is_high(*factor))
        degree, known = self.powers[number]
        rest = tuple(
            sorted((n, p) for n, p in ((*term[0], (number, power - degree))) if p and (n, p) != (number, power))
        )
        found = self.times({(rest, term[1]): fmpq(1)}, known)
        self.lower[term] = found, before - self.work
        return found

    def power(self, a: Polynomial, exponent: int) -> Polynomial:
        out = constant(fmpq(1))
        while exponent:
            if exponent % 2:
                out = self.times(out, a)
            exponent //= 2
            if exponent:
                a = self.times(a, a)
        return out

    def is_divisor(self, a: Polynomial) -> bool:
        """Whether a may be divided by: it does not vanish in any of the cases that known powers make.

        The product of a over all cases of each such generator, its norm, then is not 0.
        """
        name = name_of(a)
        if name not in self.divisors:
            self.divisors[name] = self._has_a_norm(a)
        return self.divisors[name]

    def _has_a_norm(self, a: Polynomial) -> bool:
        for number in sorted(generators(a) & set(self.powers), reverse=True):
            if number in self.values:
                norm = constant(fmpq(1))
                for value in self.values[number]:
                    norm = self.times(norm, self.at(a, {number: value}))
                a = norm
            elif self.powers[number][0] > 2:
                return len(a) == 1 or (generators(a) & set(self.powers) == {number} and self._is_irreducible(number))
            else:
                without, along = split(a, number)
                square = self.times(self.times(along, along), self.powers[number][1])
                a = added(self.times(without, without), square, fmpq(-1))
        return bool(a)

    def _is_irreducible(self, number: int) -> bool:
        """Whether y^q - p is irreducible for a root of degree q of p, so that no polynomial of lower degree in y is 0.

        By Eisenstein's criterion where p, without powers that are known, has an irreducible factor once: as p itself
        does with two terms of which one is a number and the other an exponential or a generator.
        """
        base = self.powers[number][1]
        others = [term for term in base if term != UNIT]
        if len(base) != 2 or len(others) != 1 or generators(base) & set(self.powers):
            return False
        product, exponent = others[0]
        return (not product and bool(exponent)) or (not exponent and len(product) == 1 and product[0][1] == 1)

    def at(self, a: Polynomial, values: dict[int, fmpq]) -> Polynomial:
        """a with numbers in the place of some generators of its products."""
        out: Polynomial = {}
        for (product, exponent), coefficient in a.items():
            value = coefficient
            for number, power in product:
                if number in values:
                    value = value * values[number] ** power
            rest = tuple(factor for factor in product if factor[0] not in values)
            if value != 0:
                _add_to(out, {(rest, exponent): value})
        return out


def split(a: Polynomial, number: int) -> tuple[Polynomial, Polynomial]:
    """a = first + generator * second, for a generator that occurs to the first power at most."""
    without: Polynomial = {}
    along: Polynomial = {}
    for (product, exponent), value in a.items():
        rest = tuple(factor for factor in product if factor[0] != number)
        (along if len(rest) < len(product) else without)[rest, exponent] = value
    return without, along


class Flat:
    """Polynomials without exponentials as those of a library, which multiplies, divides and factors them faster.

    What is known of powers of generators is not used.
    """

    def __init__(self, *polynomials: Polynomial) -> None:
        self.numbers = sorted(set().union(*map(generators, polynomials)))
        names = [f"x{number}" for number in self.numbers] or ["x"]
        self.ring = fmpq_mpoly_ctx.get(names, Ordering.degrevlex)

    def __call__(self, a: Polynomial) -> fmpq_mpoly:
        places = {number: place for place, number in enumerate(self.numbers)}
        terms = {}
        for (product, _), coefficient in a.items():
            powers = [0] * max(len(self.numbers), 1)
            for number, power in product:
                powers[places[number]] = power
            terms[tuple(powers)] = coefficient
        return self.ring.from_dict(terms)

    def back(self, a: fmpq_mpoly) -> Polynomial:
        return {
            (tuple((self.numbers[k], int(power)) for k, power in enumerate(powers) if power), ()): fmpq(coefficient)
            for powers, coefficient in a.to_dict().items()
        }


def over_their_greatest_common_divisor(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both, divided by it; as they are where one has exponentials."""
    if has_exponentials(a) or has_exponentials(b) or not a or not b:
        return a, b
    flat = Flat(a, b)
    first, second = flat(a), flat(b)
    common = first.gcd(second)
    return (a, b) if common.is_constant() else (flat.back(first / common), flat.back(second / common))


def generators(a: Polynomial) -> set[int]:
    """Those of products; an exponential of a generator with known powers has no cases of its own."""
    return {number for product, _ in a for number, _ in product}


def everywhere(a: Polynomial) -> set[int]:
    """Those of products and of exponents."""
    return generators(a) | {number for _, exponent in a for product, _ in exponent for number, _ in product}


def finite_generators(ring: Ring, a: Polynomial) -> list[int] | None:
    """The generators of a if all of them have finitely many values and there are no exponentials."""
    found = generators(a)
    if has_exponentials(a) or any(number not in ring.values for number in found):
        return None
    return sorted(found)


def conjugated(a: Polynomial) -> Polynomial:
    """a with -i in the place of i."""

    def sign(product: Product) -> int:
        return -1 if (IMAGINARY, 1) in product else 1

    return {
        (product, Hashed((inner, value * sign(inner)) for inner, value in exponent)): coefficient * sign(product)
        for (product, exponent), coefficient in a.items()
    }


def has_exponentials(a: Iterable[Term]) -> bool:
    return any(exponent for _, exponent in a)


def number_of(a: Polynomial) -> fmpq | None:
    """The number that a polynomial is, if it is one."""
    if not a:
        return fmpq(0)
    return a[UNIT] if len(a) == 1 and UNIT in a else None
