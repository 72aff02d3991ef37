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

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from harness.errors import ClaimError

Sided: TypeAlias = Literal["two", "at most", "at least"]


@dataclass(frozen=True)
class Identity:
    """lhs = rhs for all inputs, to relative error `rtol`."""

    name: ClassVar[str] = "identity"
    rtol: float = 1e-9


@dataclass(frozen=True)
class Always:
    """lhs <= rhs for all inputs; a violation must exceed the relative tolerance `rtol`."""

    name: ClassVar[str] = "always"
    rtol: float = 1e-9


@dataclass(frozen=True)
class HighProbability:
    """P(lhs <= rhs) >= 1 - delta, where the grid parameter `parameter` holds delta."""

    name: ClassVar[str] = "high probability"
    parameter: str


@dataclass(frozen=True)
class Expectation:
    """E lhs <= E rhs. `range` bounds lhs - rhs; HOLDS certifies E lhs <= E rhs + `margin`."""

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


def identity(rtol: float = 1e-9) -> Identity:
    """lhs = rhs for all inputs."""
    return Identity(rtol)


def always(rtol: float = 1e-9) -> Always:
    """lhs <= rhs for all inputs."""
    return Always(rtol)


def high_probability(parameter: str) -> HighProbability:
    """For all inputs, P(lhs <= rhs) >= 1 - delta; `parameter` is the name of the grid parameter that holds delta."""
    return HighProbability(parameter)


def expectation(range: tuple[float, float] | None = None, *, margin: float = 0.0) -> Expectation:
    """For all inputs, E lhs <= E rhs.

    `range` = (low, high) bounds lhs - rhs; without it the verdict rests on the central limit theorem and says so.
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
