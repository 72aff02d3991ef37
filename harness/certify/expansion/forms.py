"""Fractions of polynomials, and the functions of one number that have a place among them."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from flint import fmpq, fmpz

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.ends import ends_between, root_above
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.polynomials import (
    FASTER,
    IMAGINARY,
    Hashed,
    Polynomial,
    Ring,
    added,
    conjugated,
    constant,
    everywhere,
    finite_generators,
    generator,
    generators,
    name_of,
    number_of,
    over_their_greatest_common_divisor,
    scaled,
)

ONE, HALF = fmpq(1), fmpq(1, 2)
SIMPLE = 1000
NEAR = 2.0**-51  # relative: two places
LOGARITHMS = {sign * math.log(k): fmpq(k) ** sign for k in range(2, SIMPLE + 1) for sign in (1, -1)}
SMALL, SHORT = 1e-2, 2**26  # sizes of roots that are told, denominators of numbers that are meant as they stand
PRIMES, PLACES = (2, 3, 5, 7, 11, 13), 128  # places of the ends of roots of whole numbers
CASES = 64  # of the values of finite variables that one table may have
Key: TypeAlias = tuple[frozenset[Any], frozenset[Any]]


def rational(value: float) -> fmpq:
    """A float as the fraction with a denominator up to `SIMPLE` to which it is the nearest float, else as it is.

    Two places further counts as well where such a fraction is no float, as 1 - 1 / 3 is not the float nearest to 2 / 3.
    So 1 / 3 in a body means a third, and 2**0.5 the root of 2 (`Workspace.number`). Two such fractions are at least
    1e-6 apart, so that another number is hardly ever taken for one.
    """
    if not math.isfinite(value):
        raise NoEnclosure("a number that is not finite")
    simple = Fraction(value).limit_denominator(SIMPLE)
    near = abs(float(simple) - float(value)) <= NEAR * abs(value) and simple.denominator & (simple.denominator - 1)
    exact = simple if near or float(simple) == float(value) else Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def _square_of(value: float) -> fmpq | None:
    """The fraction, of a denominator up to `SIMPLE`, whose irrational root has this float as its nearest."""
    if not math.isfinite(value) or value == 0.0 or not SMALL < abs(value) < 1.0 / SMALL:
        return None
    if float(Fraction(value).limit_denominator(SIMPLE)) == float(value):
        return None
    square = (Fraction(value) ** 2).limit_denominator(SIMPLE)
    if math.sqrt(square) != abs(value) or Fraction(value).denominator <= SHORT:
        return None
    return fmpq(square.numerator, square.denominator)


class Workspace:
    """What the forms of one proof share: their ring, and the generators that stand for functions of forms."""

    def __init__(self, work: int, faster: int = FASTER, hashed: int = 0) -> None:
        self.ring = Ring(work, faster, hashed)
        self.known: dict[Any, int] = {}
        self.factors: dict[Any, Any] = {}  # where triangular matrices come from
        self.surds: dict[int, tuple[fmpq, fmpq]] = {}  # ends of roots of whole numbers
        self.sizes: dict[int, Polynomial] = {}  # what some generators are the absolute values of,
        self.logarithms: dict[int, Form] = {}  # and the logarithms
        self.systems: list[Any] | None = None  # linear systems whose solutions have names, where those are wanted
        self.turned = False  # whether numbers may be complex: a root of what is negative then is no real number

    def number(self, value: float) -> "Form":
        """A number of the body: as a rational one, or as the root or logarithm that it is the nearest float to."""
        square = _square_of(value)
        if square is None and value in LOGARITHMS:
            return logarithm_of_a_number(self, LOGARITHMS[value])
        if square is None:
            return Form(self, constant(rational(value)))
        found = _root_of(self, square)
        assert found is not None
        return found if value > 0.0 else -found

    def complex_number(self, value: complex) -> "Form":
        self.turned = True
        turned = scaled(generator(IMAGINARY), rational(value.imag))
        return Form(self, added(constant(rational(value.real)), turned))

    def variable(self, low: float = -math.inf, high: float = math.inf) -> "Form":
        """An input, between two ends."""
        number = self.ring.new()
        if math.isfinite(low) and math.isfinite(high):
            self.ring.ranges[number] = rational(low), rational(high)
        return Form(self, generator(number))

    def finite(self, values: tuple[float, ...]) -> "Form":
        """A variable with finitely many values."""
        return Form(self, generator(self.ring.finite(tuple(rational(value) for value in values))))

    def named(self, key: Any, make: Callable[[], int]) -> "Form":
        """The generator that stands for what `key` names."""
        if key not in self.known:
            self.known[key] = make()
        return Form(self, generator(self.known[key]))


class Form:
    """A fraction; the denominator is 1 (None) or may be divided by."""

    __slots__ = ("__dict__", "above", "below", "space")

    def __init__(self, space: Workspace, above: Polynomial, below: Polynomial | None = None) -> None:
        self.space, self.above, self.below = space, above, below

    @cached_property
    def key(self) -> Key:
        """Equal keys stand for equal forms."""
        return name_of(self.above), name_of(self.below or {})

    @property
    def number(self) -> fmpq | None:
        """The number that a form is, if it is one."""
        return number_of(self.above) if self.below is None else None

    def _other(self, other: Any) -> "Form":
        return other if isinstance(other, Form) else self.space.number(other)

    def __add__(self, other: Any) -> "Form":
        return self._plus(self._other(other), None)

    def __sub__(self, other: Any) -> "Form":
        return self._plus(self._other(other), fmpq(-1))

    def _plus(self, other: "Form", factor: fmpq | None) -> "Form":
        times = self.space.ring.times
        if self.below == other.below:
            return Form(self.space, self.space.ring.sum(self.above, other.above, factor), self.below)
        if self.below is None:
            return Form(self.space, added(times(self.above, other.below or {}), other.above, factor), other.below)
        if other.below is None:
            return Form(self.space, added(self.above, times(other.above, self.below), factor), self.below)
        first, second = over_their_greatest_common_divisor(self.below, other.below)
        above = added(times(self.above, second), times(other.above, first), factor)
        above, below = over_their_greatest_common_divisor(above, times(self.below, second))
        value = number_of(below)
        return Form(self.space, above, below) if value is None else Form(self.space, scaled(above, 1 / value))

    def __mul__(self, other: Any) -> "Form":
        b, times = self._other(other), self.space.ring.times
        if self.below is not None and self.below == b.above:
            return Form(self.space, self.above, b.below)
        if b.below is not None and b.below == self.above:
            return Form(self.space, b.above, self.below)
        below = b.below if self.below is None else self.below if b.below is None else times(self.below, b.below)
        return Form(self.space, times(self.above, b.above), below)

    def __truediv__(self, other: Any) -> "Form":
        return self * self._other(other).inverse()

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> "Form":
        return Form(self.space, scaled(self.above, fmpq(-1)), self.below)

    def inverse(self) -> "Form":
        value = self.number
        if value is not None:
            if value == 0:
                raise NoEnclosure("division by 0")
            return Form(self.space, constant(1 / value))
        above = self.below if self.below is not None else constant(ONE)
        if len(self.above) == 1:
            (((product, exponent), coefficient),) = self.above.items()
            if not product:  # an exponential has an inverse of its own kind
                minus = Hashed((inner, -part) for inner, part in exponent)
                return Form(self.space, self.space.ring.times(above, {((), minus): 1 / coefficient}))
            if not exponent and all(number in self.space.surds for number, _ in product):  # 1 / sqrt(m) = sqrt(m) / m
                square = number_of(self.space.ring.times(self.above, self.above))
                assert square is not None
                return Form(self.space, self.space.ring.times(above, scaled(self.above, 1 / square)))
        if not self.space.ring.is_divisor(self.above):
            raise NoEnclosure("division by what may vanish throughout a case")
        return Form(self.space, above, self.above)

    def power(self, exponent: int) -> "Form":
        if exponent < 0:
            return self.inverse().power(-exponent)
        below = None if self.below is None else self.space.ring.power(self.below, exponent)
        return Form(self.space, self.space.ring.power(self.above, exponent), below)

    def vanishes(self) -> bool:
        """Whether the form is 0 for all inputs for which it is defined."""
        return not self.above


def root(a: Form, *, always: bool = False) -> Form:
    """The root of a form (`always` defined or not): its rational content taken out, the rest a generator."""
    tabulated = None if a.number is None else _root_of(a.space, a.number)
    if tabulated is not None:
        return tabulated
    if a.below is not None:  # the root of a / b is that of a b, by the size of b
        return root(Form(a.space, a.space.ring.times(a.above, a.below))) / size(Form(a.space, a.below))
    parts = factors_of(a.above)
    return _root_of_factors(a, parts, always=always) if _are_several(parts) else _own_root(a, always=always)


def _own_root(a: Form, *, always: bool) -> Form:
    """The root of a polynomial as a generator, with its rational content taken out."""
    content, ends = abs(a.above[min(a.above)]), ends_of(a)
    inner = scaled(a.above, 1 / content)
    always = always or (is_total(a) and ends is not None and ends[0] >= 0)
    found = a.space.named(("root", name_of(inner)), lambda: a.space.ring.rooted(inner, always=always))
    _note_range(found, Form(a.space, inner))
    scale = _root_of(a.space, content)
    assert scale is not None
    return found * scale


def _note_range(root: Form, inner: Form) -> None:
    """A root lies between 0 and a number whose square is at least what it is the root of."""
    ends = ends_of(inner)
    if ends is not None and ends[1] >= 0:
        root.space.ring.ranges.setdefault(next(iter(generators(root.above))), (fmpq(0), root_above(ends[1])))


def _are_several(parts: list[tuple[Polynomial, int]]) -> bool:
    """Whether factors are more than a number and one other."""
    return sum(power for factor, power in parts if number_of(factor) is None) > 1


def _root_of_factors(a: Form, parts: list[tuple[Polynomial, int]], *, always: bool) -> Form:
    """sqrt(prod f^m), f of known sign: prod sqrt(|f|)^m times the root of the others, |f|^(m // 2) taken out of it.

    Of f >= 0, sqrt(f g) = sqrt(f) sqrt(g) for every number g, and sqrt(f^2 g) = |f| sqrt(g).
    """
    space = a.space
    outside, rest = Form(space, constant(ONE)), Form(space, constant(ONE))
    for polynomial, power in parts:
        factor = Form(space, polynomial)
        ends = ends_of(factor)
        if number_of(polynomial) is None and ends is not None and (ends[0] >= 0 or ends[1] <= 0):
            known = factor if ends[0] >= 0 else -factor
            outside = outside * _own_root(known, always=is_total(known)).power(power)
            rest = rest if ends[0] >= 0 or power % 2 == 0 else -rest
        else:
            outside = outside * size(factor).power(power // 2)
            rest = rest * factor if power % 2 else rest
    number = rest.number
    if number is None:
        return outside * _own_root(rest, always=always)
    plain = _root_of(space, number)
    return _own_root(a, always=always) if plain is None else outside * plain


def _root_of(space: Workspace, value: fmpq) -> Form | None:
    """The root of a number that is not negative: a fraction times roots of primes."""
    if value < 0:
        return None
    rest, outside = int(value.p) * int(value.q), fmpq(1, int(value.q))
    if rest == 0:
        return space.number(0)
    whole = math.isqrt(rest)
    if whole * whole == rest:
        return Form(space, constant(outside * whole))
    found = Form(space, constant(outside))
    for prime in PRIMES:
        while rest % (prime * prime) == 0:
            rest //= prime * prime
            found = found * Form(space, constant(fmpq(prime)))
        if rest % prime == 0:
            rest //= prime
            found = found * _surd(space, prime)
    return found if rest == 1 else found * _surd(space, rest)


def _surd(space: Workspace, value: int) -> Form:
    found = space.named(("surd", value), lambda: space.ring.rooted(constant(fmpq(value)), always=True))
    whole = math.isqrt(value << 2 * PLACES)
    space.surds[next(iter(generators(found.above)))] = fmpq(whole, 2**PLACES), fmpq(whole + 1, 2**PLACES)
    return found


def logarithm_of_a_number(space: Workspace, value: fmpq) -> Form:
    """Of a positive number: the sum of those of its primes."""
    found = Form(space, {})
    for whole, sign in ((value.p, 1), (value.q, -1)):
        for prime, times in fmpz(whole).factor():
            part = space.named(("log", int(prime)), space.ring.new)
            space.logarithms[next(iter(generators(part.above)))] = Form(space, constant(fmpq(int(prime))))
            found = found + part * Form(space, constant(fmpq(sign * int(times))))
    return found


def conjugate(a: Form) -> Form:
    """The conjugate, for real inputs."""
    return Form(a.space, conjugated(a.above), None if a.below is None else conjugated(a.below))


def is_real(a: Form) -> bool:
    return (conjugate(a) - a).vanishes()


def size(a: Form) -> Form:
    """The absolute value, defined wherever the form is."""
    tabulated, ends = by_table(a, abs), ends_of(a)
    if tabulated is not None:
        return tabulated
    if ends is not None and (ends[0] >= 0 or ends[1] <= 0):
        return a if ends[0] >= 0 else -a
    if not is_real(a):
        return root(a * conjugate(a), always=is_total(a))
    if a.below is not None:
        return size(Form(a.space, a.above)) / size(Form(a.space, a.below))
    if len(a.above) == 1:
        (((product, exponent), coefficient),) = a.above.items()
        if not product and exponent:
            return a if coefficient > 0 else -a
    parts = factors_of(a.above)
    if _are_several(parts):
        found = Form(a.space, constant(ONE))
        for factor, power in parts:
            found = found * size(Form(a.space, factor)).power(power)
        return found
    return _own_size(a, a.space.ring)


def _own_size(a: Form, ring: Ring) -> Form:
    """The absolute value of a polynomial as a generator, with its rational content taken out."""
    content = a.above[min(a.above)]
    inner = scaled(a.above, 1 / content)
    square = ring.times(inner, inner)
    found = a.space.named(("root", name_of(square)), lambda: ring.rooted(square, always=is_total(a)))
    a.space.sizes[next(iter(generators(found.above)))] = inner
    _note_range(found, Form(a.space, square))
    return found * Form(a.space, constant(abs(content)))


def by_table(a: Form, function: Callable[[fmpq], Any]) -> Form | None:
    """A function of a form all of whose variables have finitely many values: by interpolation; None of others."""
    if a.below is not None:
        return None
    ring = a.space.ring
    numbers = finite_generators(ring, a.above)
    if numbers is None or math.prod(len(ring.values[number]) for number in numbers) > CASES:
        return None
    out: Polynomial = {}
    for case in itertools.product(*(ring.values[number] for number in numbers)):
        value = number_of(ring.at(a.above, dict(zip(numbers, case, strict=True))))
        assert value is not None
        found = fmpq(function(value))
        if found == 0:
            continue
        indicator = constant(found)
        for number, at in zip(numbers, case, strict=True):
            for other in ring.values[number]:
                if other != at:
                    factor = added(generator(number), constant(other), fmpq(-1))
                    indicator = ring.times(indicator, scaled(factor, 1 / (at - other)))
        out = added(out, indicator)
    return Form(a.space, out)


def ends_of(a: Form) -> tuple[fmpq, fmpq] | None:
    """Ends between which a polynomial in inputs lies; None of others."""
    return None if a.below is not None else ends_between(a.space.ring, a.above)


def is_total(a: Form) -> bool:
    """Whether a form is a finite number for all inputs: a polynomial in such numbers and their exponentials."""
    return a.below is None and not a.space.ring.partial & everywhere(a.above)


def opaque(name: str, a: Form) -> Form:
    """A function of a form about which nothing is known but that equal arguments have equal values."""
    if not is_real(a):
        raise NoEnclosure(f"torch.{name} of complex numbers")
    found = a.space.named((name, a.key), a.space.ring.new)
    a.space.ring.partial |= everywhere(found.above)
    return found
