"""Decide a cell without inputs: lhs <= c rhs, or lhs = rhs, between two numbers."""

import math
from collections.abc import Sequence
from typing import Any

from flint import arb, ctx

from harness.certify.formulas.calls import exact, scalar
from harness.certify.formulas.statements import Reader, bare
from harness.certify.precision import BITS, Unsupported, working_bits
from harness.language.kind import Comparison
from harness.language.registry import Claim, Parameters

WORK = 4_000_000.0  # operations on balls of 200 bits


def decided(claim: Claim, params: Parameters, ladder: Sequence[float]) -> tuple[float, int]:
    """The least constant of `ladder` for which a cell without inputs is true, and how many digits of it were enclosed.

    Both sides are evaluated in balls from the numbers of the body and of the cell on, with more bits as long as they
    leave it open; the last bits decide that it is not proved. Raises Unsupported, with what stopped it.
    """
    kind, signal = claim.kind, Unsupported("balls that leave both sides open")
    assert isinstance(kind, Comparison)
    if claim.wants:
        raise Unsupported("inputs, although it names none")
    for bits in BITS[:2]:
        with working_bits(bits, WORK):
            try:
                lhs, rhs = _sides(claim, params)
            except Unsupported as found:
                signal = found
                if not found.undecided:
                    break
                continue
            for c in (1.0,) if kind.two_sided else ladder:
                if _is_true(kind, lhs, rhs, c):
                    known = min(lhs.rel_accuracy_bits(), rhs.rel_accuracy_bits(), ctx.prec)
                    return c, max(int(known * math.log10(2.0)), 1)
    raise signal


def _sides(claim: Claim, params: Parameters) -> tuple[arb, arb]:
    body = bare(claim.body)
    reader = Reader(body.__module__)
    sides: Any = reader.rewritten(body)(**{name: exact(value) for name, value in params.items()})
    lhs, rhs = (scalar(exact(side)) for side in sides)
    if not (lhs.is_finite() and rhs.is_finite()):
        raise Unsupported("a side that could not be enclosed", undecided=True)
    return lhs, rhs


def _is_true(kind: Comparison, lhs: arb, rhs: arb, c: float) -> bool:
    """Whether all numbers in both balls fulfil the statement, to the tolerance of the kind."""
    larger = arb(c) * rhs if c > 1.0 and rhs >= 0 else rhs
    gap = abs(lhs - larger) if kind.two_sided else lhs - larger
    allowed = arb(kind.rtol) * abs(lhs).max(abs(rhs)) + arb(kind.atol)
    return bool(gap <= allowed)
