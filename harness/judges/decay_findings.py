"""The tasks of a rate, and what they find."""

import msgspec

from harness.judges.base import Data, Task
from harness.numbers import Instance
from harness.verdict import Counterexample, Details


class Anatomy(Task, frozen=True, kw_only=True):
    """See whether the body keeps the contract, and what it quantifies."""


class Worst(Task, frozen=True, kw_only=True):
    """Search for the input with the largest mean at one value of the parameter."""

    at: int | float
    count: int
    steps: int
    start: list[tuple[float, Instance]]  # values of the parameter, and the worst inputs there


class Point(Task, frozen=True, kw_only=True):
    """Replicates of the quantity at one value of the parameter along which the rate is measured."""

    index: int | str
    at: int | float
    reps: int
    instance: Instance


class Rounding(Task, frozen=True, kw_only=True):
    """Measure the rounding of some replicates, before a rate is refuted."""

    at: int | float
    instance: Instance


class Kept(Data, frozen=True, kw_only=True):
    """The body keeps the contract; its sets at each value, and the bytes that one replicate of every point writes."""

    shapes: list[dict[str, tuple[int, ...]]]
    written: int


class Frozen(Data, frozen=True, kw_only=True):
    """The input with the largest mean that was found, and how many were tried."""

    values: Instance
    tried: int


class Noise(Data, frozen=True, kw_only=True):
    """How far rounding may take the mean at one value of the parameter."""

    noise: float


class Slope(Data, frozen=True, kw_only=True):
    """The exponent of a fresh curve with its interval."""

    exponent: float
    interval: tuple[float, float]
    claimed: float


class Fitted(Details, frozen=True, kw_only=True):
    """The curve and its fit: means with standard errors at each n, the exponent with its interval, local exponents.

    `at` is "most", "least" or "exactly"; `power` that of n in the lower-order term; `inputs` the worst ones found.
    """

    exponent: float | None
    interval: tuple[float | None, float | None]
    claimed: float
    log_power: float
    margin: float
    misfit: float | None
    leading: float | None
    correction: float | None
    along: str
    slopes: list[float | None]
    n: list[float]
    mean: list[float]
    error: list[float]
    replicates: list[int]
    at: str = "most"
    power: float | None = None
    inputs: Instance = msgspec.field(default_factory=dict)
    tried: int = 0


class Astray(Counterexample, frozen=True, kw_only=True):
    """The exponent with its interval, which lies beyond the claimed one, at `values` where inputs are quantified."""

    exponent: float
    interval: tuple[float | None, float | None]
    claimed: float
