"""Prove that both sides of an identity expand to the same fraction, or to fractions that are close everywhere."""

from collections.abc import Sequence

import numpy as np
from flint import fmpq

from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.statement import Statement
from harness.certify.expansion import (  # noqa: F401  (they register torch's functions)
    choices,
    entries,
    matrices,
    operations,
    reductions,
)
from harness.certify.expansion.forms import Form, Workspace, ends_of, is_real, rational
from harness.certify.expansion.polynomials import (
    added,
    constant,
    generator,
    generators,
    over_their_greatest_common_divisor,
    scaled,
)
from harness.certify.expansion.positivity import is_dominated, is_never_negative
from harness.certify.expansion.tensor import Expanded, lift
from harness.language.anatomy import Anatomy
from harness.language.spaces import Ball, Choice, Integers, Interval, PositiveSemidefinite, Signs, Simplex, Space

FEW = 16  # values that a whole number may have to be told apart
SYSTEMS, MULTIPLES = 2, (1.0, -1.0)  # linear systems that are tried, and multiples of what they say
SHORT = 40  # bits of a number that was never rounded
ROUNDED = 2.0**-44  # relative: what numbers of float64, rounded some hundred times, differ by


def expansion_gap(statement: Statement, anatomy: Anatomy, *, work: int) -> float | None:
    """0 if lhs - rhs is 0 after expansion, for all inputs; the tolerance of the kind if it is at most that; else None.

    Raises NoEnclosure where the body does not expand. Inputs are generators: of a simplex the last is 1 less the
    others, of a sphere the last has its square, signs and whole numbers of a short range have finitely many values.
    Numbers of the body are rational ones (`harness.certify.expansion.forms.rational`).
    """
    first, second = _sides(statement, anatomy, Workspace(work))
    difference = first - second
    if difference.vanishes() or _has_no_square(difference):
        return 0.0
    kind = statement.kind
    if kind.rtol > kind.rtol_of_whole and _has_short_numbers(difference):
        return None  # nothing was rounded: it is another number
    return kind.rtol if _is_small(difference, second, kind.rtol) else None


def expansion_constant(statement: Statement, anatomy: Anatomy, ladder: Sequence[float], *, work: int) -> float | None:
    """The least c of `ladder` for which c rhs - lhs is proved never to be negative after expansion; None without one.

    Where c > 1, rhs has to be proved not to be negative as well. Products in a library are charged as slower ones, and
    so are those of exponentials: most inequalities that take many have no certificate in the end.
    """
    space = Workspace(work, faster=8, hashed=1)
    try:
        first, second = _sides(statement, anatomy, space)
        for c in ladder:
            if c > 1.0 and not is_never_negative(second):
                break
            if is_never_negative(second * Form(second.space, constant(fmpq(*c.as_integer_ratio()))) - first):
                return c
    except NoEnclosure:
        if not space.factors:
            raise
    return 1.0 if space.factors and _with_named_solutions(statement, anatomy, work // 2) else None


def _with_named_solutions(statement: Statement, anatomy: Anatomy, work: int) -> bool:
    """Whether rhs - lhs is never negative with solutions of linear systems as unknowns x of A x = b.

    As x' (A x - b) = 0, any multiple of it may be added: |w|^2 - b'x with b = Z w and A = Z Z' + r is less this the sum
    of squares |w - Z'x|^2 + r |x|^2. Where A has no inverse, sides that rest on x are no numbers.
    """
    space = Workspace(work, faster=8, hashed=1)
    space.systems = []
    first, second = _sides(statement, anatomy, space)
    difference = second - first
    return any(
        is_never_negative(difference + system.energy() * space.number(multiple))
        for system in space.systems[:SYSTEMS]
        for multiple in MULTIPLES
    )


def _sides(statement: Statement, anatomy: Anatomy, space: Workspace) -> tuple[Form, Form]:
    """Both sides as forms."""
    values = {s.name: Expanded(_inputs(s, space)[None, ...], space) for s in anatomy.spaces}
    lhs, rhs = statement.sides(values)
    if not (isinstance(lhs, Expanded) or isinstance(rhs, Expanded)):
        raise NoEnclosure("plain float64 numbers on both sides")
    left, right = (lift(side, space) for side in (lhs, rhs))
    if any(side.shape not in ((), (1,)) for side in (left, right)):
        raise NoEnclosure(f"a side of shape {left.shape}")
    return left.reshape(()).item(), right.reshape(()).item()


def _has_no_square(difference: Form) -> bool:
    """Whether the square of a form is 0, and so is the form: (x - |x|) sqrt(x + |x|) = 0 is seen in this way."""
    few = len(difference.above) <= FEW * FEW
    return few and (difference * difference).vanishes() and is_real(difference)


def _has_short_numbers(form: Form) -> bool:
    """Whether all numbers of a form are quotients of small whole ones."""
    parts = (form.above, *(() if form.below is None else (form.below,)))
    numbers = (number for part in parts for number in part.values())
    return all(int(number.p).bit_length() <= SHORT and int(number.q).bit_length() <= SHORT for number in numbers)


def _is_small(difference: Form, side: Form, rtol: float) -> bool:
    """|A/B| <= rtol |C/D|: where rounded numbers of the body differ.

    At most rtol of the smaller side is at most what the kind allows, rtol of the larger one. Ends of A D and of C B may
    show it. Where both sides vanish somewhere, the difference has to be no more than rounded numbers make, ROUNDED:
    terms of C B may dominate those of A D. Else, with A D = g a and C B = g b, where g vanishes both vanish; elsewhere
    it is |a| <= ROUNDED |b|, which ends of a and b show, or that neither ROUNDED |b| - a nor ROUNDED |b| + a is ever
    negative.
    """
    space, one = difference.space, Form(difference.space, constant(rational(1.0)))
    (a, b), (c, d) = (
        (Form(f.space, f.above), one if f.below is None else Form(f.space, f.below)) for f in (difference, side)
    )
    first, second, least = a * d, c * b, fmpq(*min(rtol, ROUNDED).as_integer_ratio())
    if is_dominated(first, second, least):
        return True
    if max(len(form.above) for form in (a, b, c, d)) > FEW * FEW:
        return False
    small, large = ends_of(first), ends_of(second)
    if small and large and max(map(abs, small)) <= fmpq(*rtol.as_integer_ratio()) * max(large[0], -large[1]):
        return True
    above, below = over_their_greatest_common_divisor(first.above, second.above)
    found, whole = Form(space, above), Form(space, below)
    small, large = ends_of(found), ends_of(whole)
    if small is None or large is None:
        return False
    if max(abs(end) for end in small) <= least * max(large[0], -large[1]):
        return True
    allowed = Form(space, scaled(below, least if large[0] >= 0 else -least))
    return is_real(found) and is_never_negative(allowed - found) and is_never_negative(allowed + found)


def _inputs(s: Space, space: Workspace) -> np.ndarray:
    """One element of a set, as forms."""
    found = np.empty(s.shape, dtype=object)
    if isinstance(s, Integers) and s.high - s.low < FEW:
        fill(found, lambda: space.finite(tuple(float(value) for value in range(s.low, s.high + 1))))
    elif isinstance(s, Interval | Integers):
        fill(found, lambda: space.variable(s.low, s.high))
    elif isinstance(s, Signs):
        fill(found, lambda: space.finite((-1.0, 1.0)))
    elif isinstance(s, Simplex):
        for line in np.ndindex(s.shape[:-1]):
            fill(found[line][:-1], lambda: space.variable(0.0, 1.0))
            found[line][-1] = sum((-part for part in found[line][:-1]), space.number(1))
            space.ring.simplices.append([next(iter(generators(part.above))) for part in found[line][:-1]])
    elif isinstance(s, Ball):
        for line in np.ndindex(s.shape[:-1]):
            fill(found[line][:-1], lambda: space.variable(-s.radius, s.radius))
            found[line][-1] = (
                _on_sphere(found[line][:-1], s.radius, space) if s.surface else space.variable(-s.radius, s.radius)
            )
    elif isinstance(s, PositiveSemidefinite):
        for i in range(s.shape[0]):
            for j in range(i + 1):
                found[i, j] = found[j, i] = space.variable()
    elif isinstance(s, Choice) and len(s.options) == 1:
        flat = [space.number(value) for value in s.options[0]]
        found.reshape(-1)[:] = flat
    else:
        raise NoEnclosure(f"a set of type {type(s).__name__}")
    return found


def fill(part: np.ndarray, make: object) -> None:
    """A new generator for every entry."""
    assert callable(make)
    for index in np.ndindex(part.shape):
        part[index] = make()


def _on_sphere(others: np.ndarray, radius: float, space: Workspace) -> Form:
    """The last coordinate: its square is that of the radius less those of the others."""
    square = constant(rational(radius) ** 2)
    for other in others.reshape(-1):
        square = added(square, scaled((other * other).above, rational(-1)))
    last = space.ring.rooted(square, always=True)
    space.ring.ranges[last] = -rational(radius), rational(radius)
    return Form(space, generator(last))
