"""Positive semidefinite forms in monomials with phases: sum_jk H_jk v_j conj(v_k), v_j a monomial times exp(i t_j).

So a sum of m |sum_j a_j exp(i <w, x_j>)|^2 is never negative, however its products are written. The monomials are the
roots of the terms that are squares; a term u_j u_k cos(t) gives H_jk, and t has to be t_j - t_k. What is found is
expanded again and compared, and H is decomposed in rational arithmetic, so that nothing rests on how it was found.
"""

from collections.abc import Iterable

import numpy as np
from flint import fmpq

from harness.certify.expansion.dominance import Terms, half, may_be_told, signed_generators
from harness.certify.expansion.forms import Form
from harness.certify.expansion.polynomials import (
    IMAGINARY,
    Exponent,
    Hashed,
    Polynomial,
    Product,
    Term,
    added,
    conjugated,
    joined,
    merged,
)

MOST = 40  # monomials
Phase = tuple[frozenset[int], Exponent]
Pairs = dict[tuple[int, int], tuple[Phase, fmpq]]


def is_a_semidefinite_form(a: Form) -> bool:
    """Whether a polynomial is such a form, or a sum of several with factors that are not negative."""
    if not may_be_told(a) or any((IMAGINARY, 1) in product for product, _ in a.above):
        return False
    if any((IMAGINARY, 1) not in inner for _, exponent in a.above for inner, _ in exponent):
        return False
    known = signed_generators(a)
    groups: dict[Product, Polynomial] = {}
    for (product, exponent), value in a.above.items():
        factor = tuple((number, 1) for number, power in product if power % 2 and number in known)
        inside = dict(factor)
        rest = tuple((n, p - inside.get(n, 0)) for n, p in product if p > inside.get(n, 0))
        groups.setdefault(factor, {})[rest, exponent] = value
    whole = all(_is_one_form(Form(a.space, part)) for part in groups.values())
    return whole or (len(groups) > 1 and _is_one_form(a))


def _is_one_form(a: Form) -> bool:
    units = {number for number, values in a.space.ring.values.items() if all(abs(value) == 1 for value in values)}
    squares, pairs = _read(a, units)
    if pairs is None or len(squares) > MOST:
        return False
    phases = _phases(len(squares), pairs)
    if phases is None:
        return False
    monomials = list(squares)
    matrix = np.full((len(monomials),) * 2, fmpq(0), dtype=object)
    for k, monomial in enumerate(monomials):
        matrix[k, k] = squares[monomial]
    for (j, k), (_, value) in pairs.items():
        matrix[j, k] = matrix[k, j] = value
    vectors = [_vector(monomial, phase) for monomial, phase in zip(monomials, phases, strict=True)]
    return is_semidefinite(matrix.copy()) and _expanded(a, matrix, vectors) == a.above


def _read(a: Form, units: set[int]) -> tuple[Terms, Pairs | None]:
    """The squares among the terms, by their roots, and for the others H_jk and the phase of a pair of those."""
    squares: Terms = {}
    others: list[tuple[Term, fmpq]] = []
    for term, value in a.above.items():
        root = half(term[0])
        if term[1] or value < 0 or root is None:
            others.append((term, value))
        else:
            squares[root] = value
    if len(squares) > MOST:
        return squares, None
    monomials = list(squares)
    places: dict[Product, list[tuple[int, int]]] = {}
    for j in range(len(monomials)):
        for k in range(j + 1, len(monomials)):
            places.setdefault(merged(monomials[j], monomials[k]), []).append((j, k))
    pairs: Pairs = {}
    for (product, exponent), value in others:
        bare = tuple(factor for factor in product if factor[0] not in units)
        phase = frozenset(number for number, _ in product if number in units), exponent
        here = next(
            (pair for pair in places.get(bare, ()) if pairs.get(pair, (_opposite(phase),))[0] == _opposite(phase)), None
        )
        if here is None:
            return squares, None
        if here not in pairs:
            pairs[here] = phase, value if exponent else value / 2
    return squares, pairs


def _opposite(phase: Phase) -> Phase:
    return phase[0], Hashed((inner, -value) for inner, value in phase[1])


def _times(first: Phase, second: Phase) -> Phase:
    return first[0] ^ second[0], joined(first[1], second[1])


def _phases(count: int, pairs: Pairs) -> list[Phase] | None:
    """Phases t_j with t_j - t_k that of each pair, or its opposite, as far as the first choice goes."""
    found: list[Phase | None] = [None] * count
    links: dict[int, list[tuple[int, Phase]]] = {j: [] for j in range(count)}
    for (j, k), (phase, _) in pairs.items():
        links[j].append((k, phase))
        links[k].append((j, phase))
    for first in range(count):
        waiting = [first] if found[first] is None else []
        while waiting:
            j = waiting.pop(0)
            if found[j] is None:
                known = [(found[k], phase) for k, phase in links[j]]
                found[j] = _fitting([(other, phase) for other, phase in known if other is not None])
                if found[j] is None:
                    return None
                waiting.extend(k for k, _ in links[j] if found[k] is None)
    return [phase for phase in found if phase is not None]


def _fitting(known: Iterable[tuple[Phase, Phase]]) -> Phase | None:
    """A phase at the given ones from others, with either sign."""
    known = list(known)
    if not known:
        return frozenset(), Hashed()
    other, phase = known[0]
    for here in (_times(other, phase), _times(other, _opposite(phase))):
        if all(_times(here, _opposite(each)) in (step, _opposite(step)) for each, step in known):
            return here
    return None


def _vector(monomial: Product, phase: Phase) -> Polynomial:
    units: Product = tuple((number, 1) for number in sorted(phase[0]))
    return {(merged(monomial, units), phase[1]): fmpq(1)}


def _expanded(a: Form, matrix: np.ndarray, vectors: list[Polynomial]) -> Polynomial:
    """sum_jk H_jk v_j conj(v_k)."""
    found: Polynomial = {}
    for j, k in zip(*np.nonzero(matrix != 0), strict=True):
        found = added(found, a.space.ring.times(vectors[j], conjugated(vectors[k])), matrix[j, k])
    return found


def is_semidefinite(matrix: np.ndarray) -> bool:
    """Whether a symmetric matrix of fractions has no negative pivot, and no row beside a pivot 0; it is overwritten."""
    for k in range(len(matrix)):
        pivot, row = matrix[k, k], matrix[k, k + 1 :].copy()
        if pivot < 0 or (pivot == 0 and any(value != 0 for value in row)):
            return False
        if pivot > 0:
            matrix[k + 1 :, k + 1 :] -= np.outer(row, row) / pivot
    return True
