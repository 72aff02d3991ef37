"""Ends between which polynomials in inputs lie, from the ranges of the inputs and the vertices of simplices."""

import math

from flint import fmpq

from harness.certify.expansion.polynomials import Polynomial, Ring, generators, has_exponentials

FEW = 64  # terms of polynomials whose ends are looked for at vertices
SHORT = 2**26  # denominators of ends of roots


def ends_between(ring: Ring, a: Polynomial) -> tuple[fmpq, fmpq] | None:
    """Ends of a polynomial by its terms, or at vertices of a simplex where that is closer; None of others."""
    ranges = ring.ranges
    if has_exponentials(a) or not generators(a) <= set(ranges):
        return None
    low, high = fmpq(0), fmpq(0)
    for (product, _), coefficient in a.items():
        below, above = coefficient, coefficient
        for number, power in product:
            first, last = ranges[number]
            ends = sorted((first**power, last**power))
            if power % 2 == 0 and first < 0 < last:
                ends[0] = fmpq(0)
            corners = [x * y for x in (below, above) for y in ends]
            below, above = min(corners), max(corners)
        low, high = low + below, high + above
    return _between_vertices(ring, a, low, high) if low < 0 < high and len(a) <= FEW else (low, high)


def _between_vertices(ring: Ring, a: Polynomial, low: fmpq, high: fmpq) -> tuple[fmpq, fmpq]:
    """Ends of a polynomial that is linear in the entries of a simplex: between its points it is a mean of vertices."""
    for entries in ring.simplices:
        inside = set(entries)
        degrees = {sum(power for number, power in product if number in inside) for product, _ in a}
        if len(entries) < 2 or max(degrees) != 1:
            continue
        vertices = [{other: fmpq(int(other == entry)) for other in entries} for entry in (None, *entries)]
        ends = [ends_between(ring, ring.at(a, vertex)) for vertex in vertices]
        known = [pair for pair in ends if pair is not None]
        low, high = max(low, min(pair[0] for pair in known)), min(high, max(pair[1] for pair in known))
    return low, high


def root_above(square: fmpq) -> fmpq:
    """A fraction whose square is at least a number that is not negative."""
    return fmpq(math.isqrt(int((square * SHORT**2).ceil())) + 1, SHORT)


def root_below(square: fmpq) -> fmpq:
    """A fraction that is not negative, and whose square is at most a number that is not negative."""
    return fmpq(math.isqrt(int((square * SHORT**2).floor())), SHORT)
