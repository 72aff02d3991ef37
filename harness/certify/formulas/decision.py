"""Decide a cell without inputs: lhs <= c rhs, or lhs = rhs, between two numbers."""

import functools
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import torch
from flint import arb, ctx

from harness.certify.formulas.calls import exact, scalar
from harness.certify.formulas.statements import Reader, bare
from harness.certify.precision import BITS, Unsupported, plain_numbers, rounded_to_floats, working_bits
from harness.certify.rounding.short import coarse_number
from harness.errors import TightropeError
from harness.language.evaluation import cell_name, evaluate
from harness.language.kept import Kept
from harness.language.kind import Comparison
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, Parameters

WORK = 4_000_000.0  # operations on balls of 200 bits
MOVES = 8  # evaluations with plain numbers that are rounded otherwise
LAST_PLACES = 2.0**-52
DIFFERENT = 50.0  # times what rounding of its numbers makes, by which two sides are different
STEP_BITS = 128  # of a step before it is rounded to a float
ROUNDED = 1e-6  # within which balls that are rounded to floats end where float64 ends
DIGITS = 15  # of a decimal that is a float exactly, at most, for it to be meant as it stands


class Contradiction(NamedTuple):
    """Both sides of a cell without inputs that is false, by how much beyond the tolerance, and a bound of it.

    `moves` is how far rounding of the plain numbers of the body takes lhs - rhs: those that are no short decimals.
    """

    lhs: arb
    rhs: arb
    beyond: arb
    moves: arb

    @property
    def digits(self) -> int:
        """Those that are proved of both sides."""
        return _digits(self.lhs, self.rhs)


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
                lhs, rhs = _met(claim, params, bits)
            except Unsupported as found:
                signal = found
                if not found.undecided:
                    break
                continue
            for c in (1.0,) if kind.two_sided else ladder:
                if _is_true(kind, lhs, rhs, c):
                    _require_same(claim, params)
                    if c == 1.0 and _differ(claim, params, lhs, rhs):
                        signal = Unsupported("balls that keep both sides apart, by less than the tolerance")
                        continue
                    return c, _digits(lhs, rhs)
    raise signal


def contradicted(claim: Claim, params: Parameters) -> Contradiction | None:
    """How balls contradict a cell without inputs; None where they do not, or do not decide it."""
    kind = claim.kind
    assert isinstance(kind, Comparison)
    for bits in () if claim.wants else BITS[:2]:
        with working_bits(bits, WORK):
            try:
                lhs, rhs = _met(claim, params, bits)
                beyond = kind.gap(lhs, rhs) - tolerated(kind, lhs, rhs)
                if beyond > 0:
                    _require_same(claim, params)
            except Unsupported as found:
                if not found.undecided:
                    return None
                continue
            except Exception:  # the body runs in float64, so this is a limit of balls, not of the claim
                return None
            if beyond > 0:
                return Contradiction(lhs, rhs, beyond, _moves(claim, params, lhs - rhs))
            if beyond <= 0:
                return None
    return None


def _require_same(claim: Claim, params: Parameters) -> None:
    """Raise Unsupported where balls compute something else than the body does in float64.

    Rounded to a float after each step they end where float64 ends, also at a wrong limit; if not, a statement of
    the body means something else in balls.
    """
    met, cell = _same.of(claim.body), cell_name(claim, params)
    if cell not in met:
        met[cell] = _is_same(claim, params)
    if not met[cell]:
        raise Unsupported("balls that end elsewhere than float64, when they are rounded as floats are")


_same: Kept[tuple[str, str], bool] = Kept()


def _is_same(claim: Claim, params: Parameters) -> bool:
    try:
        with working_bits(STEP_BITS, 2.0 * WORK), rounded_to_floats():
            balls = _sides(claim, params)
        with torch.no_grad():
            floats = evaluate(claim, params, {}, Draw(1, ()), 1)
    except (TightropeError, Unsupported, ArithmeticError):
        return False
    return all(
        not math.isfinite(side) or abs(float(ball) - side) <= ROUNDED * (1.0 + abs(side))
        for ball, side in zip(balls, (float(floats.lhs), float(floats.rhs)), strict=True)
    )


def _moves(claim: Claim, params: Parameters, gap: arb) -> arb:
    """How far lhs - rhs moves with the rounding of plain numbers; anywhere, where a decision hangs on it."""
    found = arb(0)
    for seed in range(MOVES):
        try:
            with (
                working_bits(ctx.prec, WORK),
                plain_numbers(functools.partial(_moved, rng=np.random.default_rng(seed))),
            ):
                lhs, rhs = _sides(claim, params)
        except Exception:
            return arb("inf")
        found = found.max(abs((lhs - rhs) - gap))
    return found


def _moved(number: float, rng: np.random.Generator) -> float:
    """A plain number moved by a random share of its last place, unless it is meant as it stands."""
    if not math.isfinite(number) or coarse_number(number) or _is_decimal(number):
        return number
    return number * (1.0 + (2.0 * rng.random() - 1.0) * LAST_PLACES)


def _is_decimal(number: float) -> bool:
    """Whether a float is a short decimal exactly, as 1e16 is and .1 is not."""
    digits = repr(number).partition("e")[0].replace(".", "").strip("-0")
    return len(digits) <= DIGITS and Fraction(repr(number)) == Fraction(number)


def _digits(lhs: arb, rhs: arb) -> int:
    known = min(lhs.rel_accuracy_bits(), rhs.rel_accuracy_bits(), ctx.prec)  # exact numbers claim infinitely many
    return max(int(known * math.log10(2.0)), 1)


def _met(claim: Claim, params: Parameters, bits: int) -> tuple[arb, arb]:
    """Both sides with so many bits, evaluated once: a cell that is not refuted is tried to be proved."""
    met, key = _evaluated.of(claim.body), (claim.key, json.dumps(params, sort_keys=True), bits)
    if key not in met:
        try:
            met[key] = _sides(claim, params)
        except Unsupported as signal:
            met[key] = signal
    found = met[key]
    if isinstance(found, Unsupported):
        raise found
    return found


_evaluated: Kept[tuple[str, str, int], tuple[arb, arb] | Unsupported] = Kept()


def _sides(claim: Claim, params: Parameters) -> tuple[arb, arb]:
    body = bare(claim.body)
    reader = Reader(body.__module__)
    with Unsupported.heeded():
        sides: Any = reader.rewritten(body)(**{name: exact(value) for name, value in params.items()})
    lhs, rhs = (scalar(exact(side)) for side in sides)
    if not (lhs.is_finite() and rhs.is_finite()):
        raise Unsupported("a side that could not be enclosed", undecided=True)
    return lhs, rhs


def _is_true(kind: Comparison, lhs: arb, rhs: arb, c: float) -> bool:
    """Whether all numbers in both balls fulfil the statement, to the tolerance of the kind."""
    larger = arb(c) * rhs if c > 1.0 and rhs >= 0 else rhs
    return bool(kind.gap(lhs, larger) <= tolerated(kind, lhs, rhs))


def _differ(claim: Claim, params: Parameters, lhs: arb, rhs: arb) -> bool:
    """Whether the statement is false by more than what rounding of the numbers of the body makes, if by little."""
    kind = claim.kind
    assert isinstance(kind, Comparison)
    gap = kind.gap(lhs, rhs)
    usual = kind.rtol > kind.rtol_of_whole
    return bool(usual and gap > arb(kind.atol) and gap > DIFFERENT * _moves(claim, params, lhs - rhs))


def tolerated(kind: Comparison, lhs: arb, rhs: arb) -> arb:
    """What two sides may differ by; of numbers that are whole for certain, see `Comparison.rtol_of_whole`."""
    whole = lhs.is_exact() and rhs.is_exact() and lhs.is_integer() and rhs.is_integer()
    return arb(kind.rtol_of_whole if whole else kind.rtol) * abs(lhs).max(abs(rhs)) + arb(kind.atol)
