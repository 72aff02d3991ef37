"""Sums of logarithms that are never negative: Gibbs' inequality, relative entropies and their like.

For w >= 0 and u > 0, w log(u) >= w (1 - 1/u). So a sum of w_g C_g with C_g = k_g log(u_g), k_g > 0, is at least
sum k_g (w_g - w_g / u_g), a fraction without logarithms of inputs: for KL(q || p) it is sum q - sum p = 0.

Where the argument of a logarithm is 0, what a body computes is finite only if it multiplies that logarithm by 0
(`xlogy`), so that any number may stand for it. Then the weights w_g of all C_g that contain it are 0, as it is asked to
have coefficients of one sign in them or an argument that is positive everywhere; and 0 >= -k_g w_g / u_g, as these
fractions in lowest terms are asked to have a numerator that is not negative and a denominator that is positive.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from harness.certify.expansion.exponentials import exponential
from harness.certify.expansion.factors import factors_of
from harness.certify.expansion.forms import ONE, Form
from harness.certify.expansion.lowest_terms import in_lowest_terms
from harness.certify.expansion.polynomials import (
    Exponent,
    Polynomial,
    Product,
    Term,
    added,
    constant,
    generators,
    has_exponentials,
)
from harness.certify.expansion.truths import by_exponent, is_not_negative, is_positive, with_known_signs

MOST = 400  # terms of what is looked at
Part = tuple[Form, Form]  # a weight that is not negative, and what it multiplies


def least_without_logarithms(a: Form) -> Iterator[Form]:
    """Fractions without logarithms of inputs that a is never less than, wherever it is a number."""
    a = in_lowest_terms(a)
    known = set(a.space.logarithms)
    if a.space.turned or len(a.above) > MOST or not generators(a.above) & known:
        return
    if known & {n for _, exponent in a.above for product, _ in exponent for n, _ in product}:
        return
    if a.below is not None and not is_positive(Form(a.space, a.below)):
        return
    whole = Form(a.space, a.above)
    for parts in _groupings(whole):
        found = _bound(parts, whole)
        if found is not None:
            yield found


def _groupings(a: Form) -> Iterator[list[Part]]:
    """Ways to write a as a sum of weights times logarithms: by exponentials, entries of a simplex, monomials."""
    groups = by_exponent(a)
    factored = [_factored(a, exponent, rest) for exponent, rest in groups.items()]
    found = [part for part in factored if part is not None]
    if len(found) == len(groups):
        yield found
    if len(groups) == 1 and not has_exponentials(a.above):
        for entries in a.space.ring.simplices:
            inside = set(entries)
            degrees = {sum(power for number, power in product if number in inside) for product, _ in a.above}
            if entries and max(degrees) == 1:
                yield _over_a_simplex(a, entries)
    yield _by_monomials(a)


def _factored(a: Form, exponent: Exponent, rest: Polynomial) -> Part | None:
    """The factors that are not negative, with the exponential, and the one that has logarithms."""
    weight, inner = Form(a.space, {((), exponent): ONE}), Form(a.space, constant(ONE))
    if not generators(rest) & set(a.space.logarithms):
        return weight, Form(a.space, rest)
    for factor, power in with_known_signs(Form(a.space, rest)):
        if generators(factor.above) & set(a.space.logarithms):
            if power > 1 or inner.number is None:
                return None
            inner = factor * inner
        elif is_not_negative(factor):
            weight = weight * factor.power(power)
        elif factor.number is not None:
            inner = factor * inner
        else:
            return None
    return weight, inner


def _by_monomials(a: Form) -> list[Part]:
    """Each monomial times what of logarithms stands beside it, and all that has none."""
    rest: Polynomial = {}
    beside: dict[Term, Polynomial] = {}
    for (product, exponent), value in a.above.items():
        held = tuple(factor for factor in product if factor[0] in a.space.logarithms)
        if held:
            monomial = tuple(factor for factor in product if factor not in held), exponent
            beside.setdefault(monomial, {})[held, ()] = value
        else:
            rest[product, exponent] = value
    found = [(Form(a.space, {term: ONE}), Form(a.space, inner)) for term, inner in beside.items()]
    return [*found, (Form(a.space, constant(ONE)), Form(a.space, rest))]


def _over_a_simplex(a: Form, entries: list[int]) -> list[Part]:
    """a = w_0 P_0 + sum w_i (P_0 + P_i) for a = P_0 + sum w_i P_i, w_0 = 1 - sum w_i."""
    parts: dict[int | None, Polynomial] = {entry: {} for entry in (None, *entries)}
    for (product, _), value in a.above.items():
        here = next((number for number, _ in product if number in parts), None)
        parts[here][tuple(factor for factor in product if factor[0] != here), ()] = value
    last = constant(ONE)
    for entry in entries:
        last = added(last, {(((entry, 1),), ()): ONE}, fmpq(-1))
    found = [(Form(a.space, last), Form(a.space, parts[None]))]
    for entry in entries:
        weight: Polynomial = {(((entry, 1),), ()): ONE}
        found.append((Form(a.space, weight), Form(a.space, added(parts[None], parts[entry]))))
    return found


@dataclass
class _Logarithm:
    """k log(u) with k > 0, a fraction times roots of whole numbers; log(u) by multiples of logarithms and a rest."""

    scale: Form
    powers: dict[int, int]
    rest: Form


def _as_logarithm(a: Form) -> _Logarithm | None:
    """A sum of logarithms whose coefficients are multiples of one, and of a polynomial."""
    space, coefficients, roots = a.space, dict[int, fmpq](), set[Product]()
    rest: Polynomial = {}
    for (product, exponent), value in a.above.items():
        held = [factor for factor in product if factor[0] in space.logarithms]
        if exponent or len(held) > 1 or any(power > 1 for _, power in held):
            return None
        if not held:
            rest[product, ()] = value
            continue
        others = tuple(factor for factor in product if factor not in held)
        if any(number not in space.surds for number, _ in others) or held[0][0] in coefficients:
            return None
        coefficients[held[0][0]] = value
        roots.add(others)
    if len(roots) > 1:
        return None
    least = min((abs(value) for value in coefficients.values()), default=ONE)
    if any((value / least).q != 1 for value in coefficients.values()):
        return None
    scale = Form(space, {(next(iter(roots), ()), ()): least})
    powers = {number: int((value / least).p) for number, value in coefficients.items()}
    return _Logarithm(scale, powers, Form(space, rest) / scale)


def _is_a_product(a: Form) -> bool:
    """Whether all factors of a polynomial are shown not to be negative, or have even powers."""
    if is_not_negative(a):
        return True
    factors = [(Form(a.space, factor), power) for factor, power in factors_of(a.above)]
    return all(power % 2 == 0 or is_not_negative(factor) for factor, power in factors)


def _bound(parts: list[Part], a: Form) -> Form | None:
    """sum k (w - w / u), if all of what it rests on is shown."""
    found = Form(a.space, {})
    signs: dict[int, set[bool]] = {}
    for weight, inner in parts:
        if not inner.above:
            continue
        if not generators(inner.above) & set(a.space.logarithms):
            found = found + weight * inner
            continue
        logarithm = _as_logarithm(inner)
        if logarithm is None:
            return None
        share = _share(weight, logarithm)
        if share is None:
            return None
        found = found + (weight - share) * logarithm.scale
        for number, power in logarithm.powers.items():
            signs.setdefault(number, set()).add(power > 0)
    if any(len(kinds) > 1 and not is_positive(a.space.logarithms[number]) for number, kinds in signs.items()):
        return None
    return in_lowest_terms(found)


def _share(weight: Form, logarithm: _Logarithm) -> Form | None:
    """w / u for a weight that is not negative: a quotient of what is not negative and what is positive."""
    space = weight.space
    if not is_not_negative(weight):
        return None
    share, others = weight, exponential(-logarithm.rest)
    for number, power in logarithm.powers.items():
        argument = space.logarithms[number]
        if power > 0 and not is_positive(argument):  # has to be a factor of the weight
            share = in_lowest_terms(share * argument.power(-power))
        elif power > 0 or is_not_negative(argument):
            others = others * argument.power(-power)
        else:
            return None
    if not _is_a_product(Form(space, share.above)):
        return None
    if share.below is not None and not is_positive(Form(space, share.below)):
        return None
    return share * others
