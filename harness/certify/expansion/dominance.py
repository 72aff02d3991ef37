"""Signs of polynomials by their terms: inequalities of two means, coefficients over simplices, squares of roots.

All arithmetic is that of rational numbers. What is shown holds for all inputs at which the polynomial is defined:
generators are then real numbers, and roots are not negative. Workspaces with complex numbers, in which a root of what
is negative is a number as well, are left alone (`may_be_told`).
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator

from flint import fmpq

from harness.certify.expansion.forms import Form
from harness.certify.expansion.polynomials import IMAGINARY, Polynomial, Product, added, generators, merged

MOST = 2000  # terms of what is shown by its terms
PAIRS = 20_000  # pairs of terms that are looked at
PRODUCTS = 1000  # of terms, in the square of a root
FINE = 2**40  # denominators of shares of terms
COEFFICIENTS = 64  # over simplices
Terms = dict[Product, fmpq]


def may_be_told(a: Form) -> bool:
    """Whether generators stand for real numbers wherever a is defined."""
    return a.below is None and not a.space.turned and len(a.above) <= MOST


def signed_generators(a: Form) -> set[int]:
    """Generators that are not negative: inputs by their range, and roots."""
    ring = a.space.ring
    roots = {number for key, number in a.space.known.items() if key[0] in {"root", "surd"}}
    return roots | {number for number, (low, _) in ring.ranges.items() if low >= 0}


def is_dominated_by_its_squares(a: Form) -> bool:
    """Whether a >= 0, by inequalities of two means term by term.

    A term with a positive coefficient whose powers are even, or of generators that are not negative, is not negative.
    Any other term c m e^(i t) is at least -|c| |m| (a is real, so that real parts of its terms add up to it), and
    |m| = sqrt(p q) where m^2 = p q for products p, q that are not negative. As u p + v q >= 2 sqrt(u v p q), it is
    outweighed by the parts u p and v q of two terms if 4 u v >= c^2; every part is used once.
    """
    split = _split(a)
    if split is None:
        return False
    left, rest = split
    if len(left) ** 2 > PAIRS:
        return False
    pairs: dict[Product, list[tuple[Product, Product]]] = {}
    for first, second in itertools.combinations_with_replacement(left, 2):
        middle = half(merged(first, second))
        if middle in rest:
            pairs.setdefault(middle, []).append((first, second))
    order = sorted(rest, key=lambda product: (len(pairs.get(product, ())), product))
    return all(_outweigh(left, rest[product], pairs.get(product, [])) for product in order)


def _split(a: Form) -> tuple[Terms, Terms] | None:
    """Coefficients of products that are not negative, sizes of the coefficients of others; None without phases."""
    known = signed_generators(a)
    units = {number for number, values in a.space.ring.values.items() if all(abs(v) == 1 for v in values)} | {IMAGINARY}
    found: Terms = {}
    rest: Terms = {}
    for (product, exponent), value in a.above.items():
        if not all((IMAGINARY, 1) in inner for inner, _ in exponent):
            return None
        bare = tuple((number, power) for number, power in product if number not in units)
        steady = not exponent and len(bare) == len(product) and all(p % 2 == 0 or n in known for n, p in product)
        if steady:
            found[product] = found.get(product, fmpq(0)) + value
        else:
            rest[bare] = rest.get(bare, fmpq(0)) + abs(value)
    for product in [product for product, value in found.items() if value < 0]:
        rest[product] = rest.get(product, fmpq(0)) - found.pop(product)
    return found, rest


def half(product: Product) -> Product | None:
    """The product whose square it is, up to its sign; None where a power is odd."""
    if any(power % 2 for _, power in product):
        return None
    return tuple((number, power // 2) for number, power in product)


def _outweigh(left: Terms, size: fmpq, pairs: list[tuple[Product, Product]]) -> bool:
    """Take parts of terms that outweigh one of this size: first from a single one, then from pairs."""
    for first, second in sorted(pairs, key=lambda pair: pair[0] != pair[1]):
        if first == second:
            part = min(left[first], size)
            left[first] -= part
        else:
            part = _taken(left, first, second, size)
        size -= part
        if size == 0:
            return True
    return False


def _taken(left: Terms, first: Product, second: Product, size: fmpq) -> fmpq:
    """The part of a term that u of the first and v of the second outweigh, both taken off: 4 u v >= part^2."""
    a, b = left[first], left[second]
    if a <= 0 or b <= 0:
        return fmpq(0)
    if min(a, b) >= size / 2:
        u = v = size / 2
    elif size * size >= 4 * a * b:
        u, v = a, b
        root = fmpq(math.isqrt(int((4 * a * b * FINE**2).floor())), FINE)
        size = size if size * size == 4 * a * b else root
    else:
        share = fmpq(math.isqrt(int((size * size / (4 * a * b) * FINE**2).floor())) + 1, FINE)
        u, v = (min(share, fmpq(1)) * part for part in (a, b))
    if 4 * u * v < size * size:
        return fmpq(0)
    left[first], left[second] = a - u, b - v
    return size


def coefficients_over_simplices(a: Form) -> list[Form] | None:
    """Coefficients of a, homogeneous in the entries of each simplex: a >= 0 where all are; None where they are many.

    With w_0 = 1 - w_1 - ... - w_k and a of degree d in w_1, ..., w_k, a term c w^b is c w^b (w_0 + ... + w_k)^m, where
    m = d - |b|.
    Products of entries are not negative, so a sum of those with coefficients that are not negative is not either.
    """
    parts = [a]
    for entries in a.space.ring.simplices:
        inside = [number for number in entries if any(number in generators(part.above) for part in parts)]
        if not inside:
            continue
        degree = max(sum(p for n, p in product if n in inside) for part in parts for product, _ in part.above)
        if len(parts) * math.comb(degree + len(inside), degree) > COEFFICIENTS:
            return None
        parts = [found for part in parts for found in _homogeneous(part, inside, degree)]
    return parts


def _homogeneous(a: Form, entries: list[int], degree: int) -> list[Form]:
    """The coefficients of all products of this degree of the entries and what they leave of 1."""
    found: dict[tuple[int, ...], Polynomial] = {}
    for (product, exponent), value in a.above.items():
        powers = [dict(product).get(number, 0) for number in entries]
        rest = tuple(factor for factor in product if factor[0] not in entries)
        missing = degree - sum(powers)
        for more in itertools.product(range(missing + 1), repeat=len(entries)):
            if sum(more) <= missing:
                ways = math.factorial(missing) // math.prod(math.factorial(k) for k in (*more, missing - sum(more)))
                whole = tuple(p + q for p, q in zip(powers, more, strict=True))
                found[whole] = added(found.get(whole, {}), {(rest, exponent): value * ways})
    return [Form(a.space, part) for part in found.values() if part]


def along_a_root(a: Form) -> Iterator[tuple[Form, Callable[[], Form]]]:
    """u and what makes u^2 - v^2 r^2, for roots r with a = u + v r: if both are not negative, |v r| <= u, so a >= 0."""
    roots = sorted({number for key, number in a.space.known.items() if key[0] == "root"} & generators(a.above))
    for number in reversed(roots):
        without: Polynomial = {}
        along: Polynomial = {}
        for (product, exponent), value in a.above.items():
            rest = tuple(factor for factor in product if factor[0] != number)
            (along if len(rest) < len(product) else without)[rest, exponent] = value
        if len(without) ** 2 + len(along) ** 2 * len(a.space.ring.powers[number][1]) <= PRODUCTS:
            yield Form(a.space, without), functools.partial(_difference_of_squares, a, without, along, number)


def _difference_of_squares(a: Form, without: Polynomial, along: Polynomial, number: int) -> Form:
    ring = a.space.ring
    square = ring.times(ring.times(along, along), ring.powers[number][1])
    return Form(a.space, added(ring.times(without, without), square, fmpq(-1)))
