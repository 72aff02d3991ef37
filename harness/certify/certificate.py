"""Certify a counterexample: both sides in ball arithmetic, at inputs that lie on their sets exactly."""

import contextlib
import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import msgspec
import numpy as np
import torch
from flint import arb, ctx
from torch import Tensor

from harness.certify.formulas import contradicted
from harness.certify.formulas.decision import decided, tolerated
from harness.certify.precision import BITS, Precise, Unsupported, each, eigenvalues, lift, plain_numbers, working_bits
from harness.certify.rounding.digits import lose_digits
from harness.certify.rounding.shares import TWINS
from harness.certify.rounding.short import coarse_number, moved_array
from harness.certify.rounding.spread import CLEAR, twin_of
from harness.certify.rounding.tensors import moved
from harness.language.kind import Comparison
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Ball, Choice, Interval, PositiveSemidefinite, Simplex, Space

SHOWN = 30  # digits of each side in the report
AGREEMENT = 0.5  # how far the violation in balls may lie from what float64 saw, relative to that
LAST_PLACES = 2.0**-52
NEAR = 8 * LAST_PLACES  # within this of an end of an interval, relative to it, an input moves with the end


class Certificate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What ball arithmetic says about a counterexample.

    Attributes
    ----------
    digits : proved of both sides; 0 where the body has no enclosure, and the counterexample rests on float64.
    reason : why there are none.
    lhs, rhs : both sides as text.
    excess : a lower bound of the violation beyond the stated tolerance; None where there is no finite one.
    verdict : "confirmed" (proved positive, in agreement with the violation that float64 saw, and more than the rounding
        of the body's plain numbers can do), "contradicted" (proved not positive, or far from what float64 saw) or
        "open"; empty without digits.
    """

    digits: int
    reason: str = ""
    lhs: str = ""
    rhs: str = ""
    excess: float | None = None
    verdict: Literal["", "confirmed", "contradicted", "open"] = ""

    @property
    def sentence(self) -> str:
        if not self.digits:
            return f"No certificate: {self.reason}."
        if self.reason:
            return f"The enclosures say that {self.reason}."
        sides = f"lhs = {self.lhs}, rhs = {self.rhs}"
        if self.verdict == "confirmed":
            return (
                f"Certified by enclosures: {sides}, each proved to all digits shown, at inputs exactly on their sets."
            )
        return f"The enclosures do not decide it: {sides}."


class Excluded(Exception):  # noqa: N818  (a signal)
    """An instance that is none of those that the claim is assumed for."""


def certify(
    claim: Claim, params: Parameters, spaces: Sequence[Space], values: Mapping[str, Tensor], *, gap: float
) -> Certificate:
    """Enclose both sides of a deterministic claim at one instance (batch of one), its inputs exactly on their sets.

    `gap` is the violation that float64 saw.
    """
    if not isinstance(claim.kind, Comparison):
        raise TypeError(f"only deterministic claims can be certified, {claim.key!r} is {claim.kind.name!r}.")
    found = Certificate(digits=0, reason="no precision was tried")
    for bits in BITS:
        with working_bits(bits):
            try:
                found = _enclosed(claim, params, spaces, values, gap)
            except Excluded:
                return Certificate(digits=1, verdict="contradicted", reason="what is assumed does not hold there")
            except Unsupported as signal:
                if not found.digits:  # what fewer bits have enclosed stays
                    found = Certificate(digits=0, reason=f"its body uses {signal}, for which there is no enclosure")
                if not signal.undecided:
                    break
            except Exception as error:  # the body runs in float64, so this is a limit of `Precise`, not of the claim
                reason = f"its body does not run in ball arithmetic ({type(error).__name__}: {error})"
                return Certificate(digits=0, reason=reason)
        if found.verdict in ("confirmed", "contradicted"):
            break
    return found


def certify_without_inputs(claim: Claim, params: Parameters) -> Certificate | None:
    """Enclose both sides of a deterministic claim without inputs, from its numbers on; None where that refutes nothing.

    What float64 sees of it is disregarded, as it may round a violation away. It is open where rounding decides a
    comparison or a whole number: ten times .1 is 1, and ten floats next to it are more.
    """
    with working_bits(BITS[0]):
        found = contradicted(claim, params)
        if found is None:
            return None
        sure = found.beyond > found.moves * CLEAR and not lose_digits(claim, params, ())
        return Certificate(
            digits=found.digits,
            lhs=found.lhs.mid().str(SHOWN, radius=False),
            rhs=found.rhs.mid().str(SHOWN, radius=False),
            excess=math.nextafter(float(found.beyond.lower()), -math.inf),
            verdict="confirmed" if sure else "open",
        )


def denied(claim: Claim, params: Parameters) -> Certificate | None:
    """What encloses both sides of a deterministic claim without inputs that is true; None where nothing does.

    A loop that float64 takes to a wrong limit, such as Muller's recurrence, looks as stable as one that it does not.
    """
    with contextlib.suppress(Exception):  # balls that leave it open, or do not run the body
        digits = decided(claim, params, (1.0,))[1]
        return Certificate(digits=digits, reason="the statement is true", verdict="contradicted")
    return None


def least_ratio(
    claim: Claim, params: Parameters, spaces: Sequence[Space], values: Mapping[str, Tensor]
) -> float | None:
    """A lower bound of lhs/rhs at one instance (batch of one) exactly on its sets; None where there is none.

    The right side is positive there for certain, and plain numbers of the body count as they are.
    """
    for bits in BITS:
        with working_bits(bits), contextlib.suppress(Exception):  # a body that does not run in balls has no bound
            lhs, rhs = _placed_sides(claim, params, spaces, values)
            if rhs > 0:
                return math.nextafter(float((lhs / rhs).lower()), -math.inf)
    return None


def _placed_sides(
    claim: Claim, params: Parameters, spaces: Sequence[Space], values: Mapping[str, Tensor]
) -> tuple[arb, arb]:
    """Both sides as finite balls, the inputs exactly on their sets."""
    lhs, rhs = _sides(claim, params, {space.name: placed(space, lift(values[space.name])) for space in spaces})
    if not (lhs.is_finite() and rhs.is_finite()):
        raise Unsupported("a side that could not be enclosed", undecided=True)
    return lhs, rhs


def _enclosed(
    claim: Claim, params: Parameters, spaces: Sequence[Space], values: Mapping[str, Tensor], gap: float
) -> Certificate:
    lhs, rhs = _placed_sides(claim, params, spaces, values)
    assert isinstance(claim.kind, Comparison)
    difference = claim.kind.gap(lhs, rhs)
    beyond = difference - tolerated(claim.kind, lhs, rhs)
    away, allowed = abs(difference - arb(gap)), arb(AGREEMENT) * abs(arb(gap))
    verdict: Literal["confirmed", "contradicted", "open"] = "open"
    if beyond <= 0 or (math.isfinite(gap) and away > allowed):
        verdict = "contradicted"
    elif beyond > 0 and math.isfinite(gap) and away <= allowed:
        moves = _rounding(claim, params, spaces, values, lhs - rhs)
        verdict = "confirmed" if beyond > moves * CLEAR else "open"
    bits = min(lhs.rel_accuracy_bits(), rhs.rel_accuracy_bits(), ctx.prec)  # exact numbers claim infinitely many
    excess = math.nextafter(float(beyond.lower()), -math.inf)
    return Certificate(
        digits=max(int(bits * math.log10(2.0)), 1),
        lhs=lhs.mid().str(SHOWN, radius=False),
        rhs=rhs.mid().str(SHOWN, radius=False),
        excess=excess if math.isfinite(excess) else None,
        verdict=verdict,
    )


def _rounding(claim: Claim, params: Parameters, spaces: Sequence[Space], values: Mapping[str, Tensor], gap: arb) -> arb:
    """How far lhs - rhs moves with what is no real number of the claim but the rounding of one.

    These are plain Python and torch numbers of the body (math.sqrt(2), 0.1, math.pi), also in functions that it calls;
    and ends of intervals, radii, traces and instances written by hand, in the inputs. Each moves by random last places.
    """
    spread = arb(0)
    for seed in range(TWINS + 2):  # the last two upwards and downwards throughout
        rng, directed = np.random.default_rng(seed), seed >= TWINS
        sign = (-1.0) ** seed if directed else 1.0
        try:
            inputs = {space.name: _otherwise(space, values[space.name], rng) for space in spaces}
            twin, mode = twin_of(claim, seed, sign=sign, directed=directed), moved(seed, sign=sign, directed=directed)
            with mode, plain_numbers(functools.partial(_moved, rng=rng)):
                lhs, rhs = _sides(twin, params, inputs)
        except Exception:  # a decision inside the body that holds with its own numbers only
            return arb("inf")
        spread = spread.max(abs((lhs - rhs) - gap))
    return spread


def _moved(number: float, rng: np.random.Generator) -> float:
    """A plain number moved by a random share of its last place; short ones are taken to be meant."""
    if coarse_number(number) or not math.isfinite(number):
        return number
    return number * (1.0 + (2.0 * rng.random() - 1.0) * LAST_PLACES)


def _otherwise(space: Space, value: Tensor, rng: np.random.Generator) -> np.ndarray:
    """The instance on the set as it would be with the numbers that describe the set rounded differently."""
    x = value.detach().cpu().numpy()
    if isinstance(space, Interval):
        for end in (space.low, space.high):
            x = np.where(abs(x - end) <= NEAR * abs(end), x + (_moved(end, rng) - end), x)
    elif isinstance(space, Choice):
        x = moved_array(x, 2.0 * rng.random(x.shape) - 1.0)
    elif isinstance(space, Ball):
        space = replace(space, radius=_moved(space.radius, rng))
    elif isinstance(space, PositiveSemidefinite) and space.trace is not None:
        space = replace(space, trace=_moved(space.trace, rng))
    return placed(space, lift(x))


def _sides(claim: Claim, params: Parameters, exact: Mapping[str, np.ndarray]) -> tuple[arb, arb]:
    forall = Forall(from_values({name: Precise(value) for name, value in exact.items()}))
    # with gradients enabled, algorithms take their differentiable form, which changes nothing in place
    with Unsupported.heeded(), torch.enable_grad(), _double_precision():
        sides = claim.body(**({"forall": forall} if "forall" in claim.wants else {}), **params)
    if not all(bool(mask.all()) for mask in forall.masks):
        raise Excluded
    if not any(isinstance(side, Precise) for side in sides):
        raise Unsupported("plain float64 numbers on both sides")
    lhs, rhs = (_number(side) for side in sides)
    return lhs, rhs


@contextlib.contextmanager
def _double_precision() -> Iterator[None]:
    """torch.tensor(0.7) in a body means 0.7, as in `harness.language.evaluation`."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _number(side: Any) -> arb:
    """One side as a ball; a plain number is taken as it is."""
    balls = lift(side)
    if balls.shape not in ((), (1,)):
        raise Unsupported(f"a side of shape {balls.shape}")
    ball: arb = balls.reshape(()).item()
    return ball


def placed(space: Space, x: np.ndarray) -> np.ndarray:
    """A float64 element (batch of one) moved onto its set: what is left of the set's equations is their enclosure."""
    if isinstance(space, Simplex):
        return np.asarray(x / x.sum(axis=-1, keepdims=True))
    if isinstance(space, Ball):
        squares = (x * x).sum(axis=-1, keepdims=True)
        radius = arb(space.radius)
        return np.asarray(x * each(lambda square: _onto(square.sqrt(), radius, surface=space.surface), squares))
    if isinstance(space, PositiveSemidefinite):
        return np.stack([_semidefinite(matrix, space.trace) for matrix in x])
    if space.accuracy == "size":  # where its elements lie exactly, only the set knows
        raise Unsupported(f"elements of a set of type {type(space).__name__}")
    return x


def _onto(norm: arb, radius: arb, *, surface: bool) -> arb:
    """The factor that brings a vector of this norm to the sphere, or back into the ball."""
    if (norm - radius).is_zero() or (not surface and norm <= radius):
        return arb(1)
    return radius / norm


def _semidefinite(matrix: np.ndarray, trace: float | None) -> np.ndarray:
    """A symmetric matrix with its lowest eigenvalue raised to 0, and its trace to the one wanted."""
    symmetric = (matrix + matrix.T) / 2
    lowest = eigenvalues(symmetric)[0].lower()
    if lowest < 0:
        symmetric = symmetric - lowest * lift(np.eye(len(matrix)))
    return np.asarray(symmetric if trace is None else symmetric * (arb(trace) / symmetric.trace()))
