"""The logic of a statement: what a claim returns and what decides it.

| kind | statement | what decides |
|---|---|---|
| `identity` | lhs = rhs for all inputs | relative error over random, adversarial and degenerate inputs |
| `always` | lhs <= rhs for all inputs | one replayed counterexample refutes |
| `high_probability` | for all inputs, P(lhs <= rhs) >= 1 - delta | Bernoulli e-processes both ways |
| `expectation` | for all inputs, E lhs <= E rhs | betting e-processes both ways |
| `rate` | E lhs decays at least as fast as n^exponent | slope interval of a fit with a correction term |
| `reproduction` | a table or figure of a paper | our number beside the paper's |
| `untestable` | cannot be evaluated | SKIPPED with the reason |
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from harness.errors import ClaimError

Sided: TypeAlias = Literal["two", "at most", "at least"]


@dataclass(frozen=True)
class Identity:
    """lhs = rhs for all inputs, to relative error `rtol` and absolute error `atol`."""

    name: ClassVar[str] = "identity"
    rtol: float = 1e-9
    atol: float = 0.0


@dataclass(frozen=True)
class Always:
    """lhs <= rhs for all inputs; a violation must exceed the relative tolerance `rtol` and the absolute one `atol`."""

    name: ClassVar[str] = "always"
    rtol: float = 1e-9
    atol: float = 0.0


@dataclass(frozen=True)
class HighProbability:
    """P(lhs <= rhs) >= 1 - delta, where the grid parameter `parameter` holds delta."""

    name: ClassVar[str] = "high probability"
    parameter: str


@dataclass(frozen=True)
class Expectation:
    """E lhs <= E rhs. `range` bounds lhs - rhs, each end finite or not; HOLDS certifies E lhs <= E rhs + `margin`."""

    name: ClassVar[str] = "expectation"
    range: tuple[float, float] | None = None
    margin: float = 0.0


@dataclass(frozen=True)
class Rate:
    """E of the quantity decays at least as fast as along^exponent x log^log_power, up to `margin` in the exponent."""

    name: ClassVar[str] = "rate"
    along: str
    exponent: float
    log_power: float = 0.0
    correction: float = 0.5
    margin: float = 0.05


@dataclass(frozen=True)
class Reproduction:
    """Rows (label, ours, standard error, printed), each judged within `tolerance` or in one direction."""

    name: ClassVar[str] = "reproduction"
    tolerance: float = 0.0
    sided: Sided = "two"


@dataclass(frozen=True)
class Untestable:
    """A statement that cannot be evaluated, with the reason."""

    name: ClassVar[str] = "untestable"
    reason: str


Kind: TypeAlias = Identity | Always | HighProbability | Expectation | Rate | Reproduction | Untestable


def identity(rtol: float = 1e-9, atol: float = 0.0) -> Identity:
    """lhs = rhs for all inputs.

    A difference counts beyond `rtol` max(|lhs|, |rhs|) + `atol` and beyond its own rounding, which is measured.
    """
    return Identity(_tolerance("rtol", rtol), _tolerance("atol", atol))


def always(rtol: float = 1e-9, atol: float = 0.0) -> Always:
    """lhs <= rhs for all inputs.

    A violation counts beyond `rtol` max(|lhs|, |rhs|) + `atol` and beyond its own rounding, which is measured.
    """
    return Always(_tolerance("rtol", rtol), _tolerance("atol", atol))


def _tolerance(name: str, value: float) -> float:
    if not 0.0 <= value < math.inf:
        raise ClaimError(f"{name}={value} must be a finite number that is not negative.")
    return value


def high_probability(parameter: str) -> HighProbability:
    """For all inputs, P(lhs <= rhs) >= 1 - delta; `parameter` is the name of the grid parameter that holds delta."""
    return HighProbability(parameter)


def expectation(range: tuple[float, float] | None = None, *, margin: float = 0.0) -> Expectation:
    """For all inputs, E lhs <= E rhs.

    `range` = (low, high) bounds lhs - rhs; either end may be infinite. A finite low end is needed to refute: no sample
    refutes the mean of a variable that may be -9999 once in ten thousand trials. A finite high end is needed to
    certify; without it HOLDS rests on the central limit theorem and says so.
    No finite sample certifies an exact equality: `margin` > 0 states the slack at which HOLDS is certified.
    """
    if range is not None and not range[0] < 0.0 < range[1]:
        raise ClaimError(f"expectation(range={range}) must be (low, high) with low < 0 < high, the range of lhs - rhs.")
    if margin < 0.0:
        raise ClaimError(f"expectation(margin={margin}) must not be negative.")
    return Expectation(range, margin)


def rate(along: str, exponent: float, *, log_power: float = 0.0, correction: float = 0.5, margin: float = 0.05) -> Rate:
    """E of the returned quantity decays at least as fast as along^exponent x log(along)^log_power."""
    return Rate(along, exponent, log_power, correction, margin)


def reproduction(*, tolerance: float = 0.0, sided: Sided = "two") -> Reproduction:
    """A table or figure: rows (label, ours, standard error, printed), judged within `tolerance` or in a direction."""
    if sided not in ("two", "at most", "at least"):
        raise ClaimError(f"reproduction(sided={sided!r}) must be 'two', 'at most' or 'at least'.")
    return Reproduction(tolerance, sided)


def untestable(reason: str) -> Untestable:
    """A statement that no program can evaluate as printed (free constants, missing data), with the reason."""
    return Untestable(reason)
