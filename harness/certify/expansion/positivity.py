"""Prove that a polynomial in inputs is never negative: by ends, factors, squares, terms or Bernstein coefficients.

All arithmetic is that of rational numbers.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from flint import fmpq

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.expansion.dominance import (
    along_a_root,
    coefficients_over_simplices,
    is_dominated_by_its_squares,
    may_be_told,
)
from harness.certify.expansion.entropy import least_without_logarithms
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.forms import ONE, Form, ends_of
from harness.certify.expansion.hermitian import is_a_semidefinite_form, is_semidefinite
from harness.certify.expansion.polynomials import (
    Polynomial,
    Product,
    added,
    generators,
    has_exponentials,
    number_of,
    split,
)

WIDEST = 2000  # Bernstein coefficients
LARGEST = 400  # terms of a polynomial that is factored
CASES = 32
DOMINATING = 40  # terms of a polynomial that dominates another one
SQUARES = 60  # generators of a quadratic form
SIZES = 2  # absolute values that are replaced one after the other
ROOTS = 2  # roots that are squared away one after the other


def is_never_negative(a: Form) -> bool:
    """Whether A/B >= 0 wherever it is a number is proved: by signs, either sign of a size, or without logarithms."""
    if _has_one_sign(a) or _with_either_sign(a, SIZES):
        return True
    return outweighs_its_logarithms(a)


def outweighs_its_logarithms(a: Form) -> bool:
    """Whether what a fraction with logarithms is never less than is 0, or never negative."""
    if a.space.turned or not generators(a.above) & set(a.space.logarithms):
        return False
    try:
        return any(not least.above or _has_one_sign(least) for least in least_without_logarithms(a))
    except NoEnclosure:
        return False


def _has_one_sign(a: Form) -> bool:
    """Whether A and B keep their signs, so that A/B >= 0 wherever B is not 0."""
    if a.below is None:
        return _sign(a) > 0
    return _sign(Form(a.space, a.above)) * _sign(Form(a.space, a.below)) > 0


def _with_either_sign(a: Form, sizes: int) -> bool:
    """Whether a >= 0 with x as with -x in the place of some |x|, which is one of the two."""
    held = sorted(generators(a.above) & set(a.space.sizes))
    if a.below is not None or a.space.turned or not 0 < len(held) <= sizes or len(a.above) > DOMINATING:
        return False
    for number in held:
        without, along = split(a.above, number)
        inner = a.space.ring.times(along, a.space.sizes[number])
        both = [Form(a.space, added(without, inner, fmpq(sign))) for sign in (1, -1)]
        if all(
            _has_one_sign(form) or outweighs_its_logarithms(form) or _with_either_sign(form, sizes - 1) for form in both
        ):
            return True
    return False


def is_dominated(a: Form, b: Form, factor: fmpq) -> bool:
    """|a| <= factor b for polynomials, term by term: b is a sum of products m, c m >= 0, that divide those of a.

    A term e m q of a, with |q| at most its largest size between the ends of inputs, takes |e| |q| of the factor c that
    m has. What all of them take is left over in the end, so |a| <= sum |e| |q| m <= sum factor c m = factor b. Roots of
    whole numbers count as the fractions that enclose them.
    """
    if any(form.below is not None or has_exponentials(form.above) or len(form.above) > WIDEST for form in (a, b)):
        return False
    left = {}
    for product, (low, _) in _enclosed_coefficients(b).items():
        ends = ends_of(Form(b.space, {(product, ()): ONE}))
        if low <= 0 or ends is None or ends[0] < 0:
            return False
        left[product] = low * factor
    if len(left) > DOMINATING:
        return False
    for product, ends in _enclosed_coefficients(a).items():
        taken = {
            divisor: left[divisor] - max(abs(end) for end in ends) * most for divisor, most in _over(a, product, left)
        }
        best = max(taken, key=lambda divisor: taken[divisor], default=None)
        if best is None or taken[best] < 0:
            return False
        left[best] = taken[best]
    return True


def _enclosed_coefficients(a: Form) -> dict[Product, tuple[fmpq, fmpq]]:
    """Ends of the coefficients, with roots of whole numbers among them, by what else stands in the products."""
    surds = a.space.surds
    found: dict[Product, tuple[fmpq, fmpq]] = {}
    for (product, _), value in a.above.items():
        low, high = value, value
        for number, power in product:
            if number in surds:
                first, last = surds[number]
                corners = [end * part**power for end in (low, high) for part in (first, last)]
                low, high = min(corners), max(corners)
        rest = tuple((number, power) for number, power in product if number not in surds)
        before = found.get(rest, (fmpq(0), fmpq(0)))
        found[rest] = before[0] + low, before[1] + high
    return found


def _over(a: Form, product: Product, divisors: Iterable[Product]) -> Iterator[tuple[Product, fmpq]]:
    """The divisors of a product, and how large the quotient may be in size."""
    for divisor in divisors:
        rest = dict(product)
        for number, power in divisor:
            rest[number] = rest.get(number, 0) - power
        if min(rest.values(), default=0) >= 0:
            quotient = tuple(sorted((number, power) for number, power in rest.items() if power))
            ends = ends_of(Form(a.space, {(quotient, ()): ONE}))
            if ends is not None:
                yield divisor, max(abs(end) for end in ends)


def _sign(a: Form) -> int:
    """1 (-1) if a polynomial is proved never to be negative (positive), by the product of its factors; else 0."""
    if not a.above:
        return 1
    found = _sign_of_one(a)
    if found:
        return found
    parts = factors_of(a.above, widest=LARGEST)
    if len(parts) < 2 and all(power == 1 for _, power in parts):
        return 0
    found = 1
    for factor, power in parts:
        if power % 2:
            found *= _sign_of_one(Form(a.space, factor))
    return found


def _sign_of_one(a: Form) -> int:
    for sign, form in ((1, a), (-1, -a)):
        ends = ends_of(form)
        if ends is not None and ends[0] >= 0:
            return sign
        if _is_sum_of_squares(form.above):
            return sign
    told = _sign_at_vertices(a) or _sign_in_cases(a)
    if told:
        return told
    found = next((sign for sign, form in ((1, a), (-1, -a)) if _has_bernstein_coefficients(form)), 0)
    return found or next((sign for sign, form in ((1, a), (-1, -a)) if _is_outweighed(form, ROOTS)), 0)


def _is_outweighed(a: Form, roots: int) -> bool:
    """Whether a >= 0 by its terms, at once, after a change of basis in entries of simplices, or with a root squared."""
    if not may_be_told(a):
        return False
    if _is_told(a):
        return True
    parts = coefficients_over_simplices(a)
    if parts is not None and len(parts) > 1 and all(map(_is_told, parts)):
        return True
    return roots > 0 and any(
        bool(rest.above) and _is_outweighed(rest, 0) and _is_outweighed_squared(square, roots - 1)
        for rest, square in along_a_root(a)
    )


def _is_told(a: Form) -> bool:
    return is_dominated_by_its_squares(a) or is_a_semidefinite_form(a)


def _is_outweighed_squared(square: Callable[[], Form], roots: int) -> bool:
    try:
        return _is_outweighed(square(), roots)
    except NoEnclosure:
        return False


def _sign_at_vertices(a: Form) -> int:
    """The sign that a polynomial has at all vertices of a simplex in whose entries it is linear: that between them."""
    for entries in a.space.ring.simplices:
        inside = set(entries)
        degrees = {sum(power for number, power in product if number in inside) for product, _ in a.above}
        if has_exponentials(a.above) or max(degrees) != 1:
            continue
        vertices = [{other: fmpq(int(other == entry)) for other in entries} for entry in (None, *entries)]
        signs = {_sign(Form(a.space, a.space.ring.at(a.above, vertex))) for vertex in vertices}
        if signs in ({1}, {-1}):
            return signs.pop()
    return 0


def _sign_in_cases(a: Form) -> int:
    """The sign that a polynomial has for all values of its variables with finitely many of them."""
    ring = a.space.ring
    numbers = sorted(generators(a.above) & set(ring.values))
    if not numbers or math.prod(len(ring.values[number]) for number in numbers) > CASES:
        return 0
    signs = set()
    for case in itertools.product(*(ring.values[number] for number in numbers)):
        signs.add(_sign(Form(a.space, ring.at(a.above, dict(zip(numbers, case, strict=True))))))
        if signs not in ({1}, {-1}):
            return 0
    return signs.pop()


def _is_sum_of_squares(a: Polynomial) -> bool:
    """Whether a quadratic polynomial is one: its symmetric matrix has no negative pivot, and no row beside a pivot 0.

    Generators may have any real values, so that what is known of them is not needed.
    """
    numbers = sorted(generators(a))
    if has_exponentials(a) or len(numbers) > SQUARES or any(sum(p for _, p in product) > 2 for product, _ in a):
        return False
    places = {number: k + 1 for k, number in enumerate(numbers)}  # 0 stands for the number 1
    matrix = np.full((len(numbers) + 1,) * 2, fmpq(0), dtype=object)
    for (product, _), value in a.items():
        i, j = ([0, 0] + [places[n] for n, p in product for _ in range(p)])[-2:]
        matrix[i, j] += value / 2
        matrix[j, i] += value / 2
    return is_semidefinite(matrix)


def _has_bernstein_coefficients(a: Form) -> bool:
    """Whether all coefficients in the Bernstein basis of the box of inputs are not negative.

    The basis is a partition of 1 by polynomials that are not negative on the box, so the values lie between the
    smallest and the largest coefficient.
    """
    ranges, numbers = a.space.ring.ranges, sorted(generators(a.above))
    if has_exponentials(a.above) or not set(numbers) <= set(ranges) or number_of(a.above) is not None:
        return False
    degrees = [max(dict(product).get(number, 0) for product, _ in a.above) for number in numbers]
    if math.prod(degree + 1 for degree in degrees) > WIDEST:
        return False
    table = np.full([degree + 1 for degree in degrees], fmpq(0), dtype=object)
    for (product, _), value in a.above.items():
        table[tuple(dict(product).get(number, 0) for number in numbers)] += value
    for axis, (number, degree) in enumerate(zip(numbers, degrees, strict=True)):
        change = _change_of_basis(degree, *ranges[number])
        table = np.moveaxis(np.tensordot(change, table, axes=(1, axis)), 0, axis)
    return all(value >= 0 for value in table.reshape(-1))


def _change_of_basis(degree: int, low: fmpq, high: fmpq) -> np.ndarray:
    """From coefficients of x^j to those of the Bernstein basis of [low, high]: x = low + (high - low) t.

    t^m = sum_(i >= m) C(i, m) / C(d, m) B_i.
    """
    out = np.full((degree + 1, degree + 1), fmpq(0), dtype=object)
    for j, m in itertools.product(range(degree + 1), repeat=2):
        if m <= j:
            part = math.comb(j, m) * low ** (j - m) * (high - low) ** m
            for i in range(m, degree + 1):
                out[i, j] += part * fmpq(math.comb(i, m), math.comb(degree, m))
    return out
