"""Rows of tables and figures: our number beside the paper's."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.numbers import number

MOST_VALUES = 10_000
"""Trials of a range, whose values are kept until they are judged."""


class Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a row lies on a curve: the curve, the name of its horizontal axis, the value there, and a unit or none."""

    series: str
    axis: str
    value: float
    unit: str = ""


class StoredRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A row as it is kept, and after it was judged: "HOLDS", "REFUTED", "UNDECIDED", or "shown" without a number."""

    label: str
    ours: float
    standard_error: float
    printed: float | None
    status: str = ""
    place: Place | None = None
    trials: int | None = None
    proportion: bool = False
    between: tuple[float, float] | None = None
    values: list[float] | None = None  # of the trials that lie between; dropped once the row is judged


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error, and of how many independent trials that was computed: `Row(label, estimate)`.

    Parameters
    ----------
    value : the estimate, a float or a tensor with one entry.
    error : its standard error, >= 0.
    trials : at least 1. With few of them an error is itself uncertain: the row is judged by Student's t with trials - 1
        degrees of freedom; a single trial, and trials that are all equal, decide nothing. None where the error is
        known, or rests on so many that this does not matter.
    proportion : whether the value is a share of the trials, which Clopper and Pearson's limits judge; see `share`.
    between : two ends within which every trial lies for certain, which judge it whatever the law of the trials is.
    values : of the trials, where they lie between two ends.
    """

    value: Any
    error: Any = 0.0
    trials: int | None = None
    proportion: bool = False
    between: tuple[float, float] | None = None
    values: tuple[float, ...] | None = None

    @classmethod
    def mean(
        cls, values: Sequence[float] | Tensor, *, least: float = 0.0, between: tuple[float, float] | None = None
    ) -> "Estimate":
        """Mean of independent trials with its standard error, or `least` where that is larger.

        A single trial says nothing of its error: `least` is taken for known, and without it the row decides nothing.
        Events are trials that may all be equal though their probability is not 1: use `share` for them.

        Student's t, which judges the mean, is misled by trials that are seldom large, such as runs of which 3 % fail.
        With `between=(0, 1)`, for what lies between these ends by its nature (an error rate, a probability), no law is
        assumed: bets on the mean of bounded trials judge it (Waudby-Smith and Ramdas 2024). The limits are wider.

        Raises
        ------
        ClaimError
            If the values are no sequence of numbers, one for each trial; if one lies outside of `between`, or this is
            given beside `least` or for more than 10,000 trials.
        """
        numbers = torch.as_tensor(values if isinstance(values, Tensor) else list(values), dtype=torch.float64)
        if numbers.ndim != 1 or not len(numbers):
            raise ClaimError(
                f"Estimate.mean got values of shape {tuple(numbers.shape)}; give one number for each "
                "independent trial: the mean over what belongs to one, x.mean(-1), comes first."
            )
        mean, trials = float(numbers.mean()), len(numbers)
        error = float(numbers.std()) / math.sqrt(trials) if trials > 1 else 0.0
        if between is not None:
            return cls(mean, error, trials, between=_ends(between, numbers, least), values=tuple(numbers.tolist()))
        if trials < 2:
            return cls(mean, least, None if least else 1)
        return cls(mean, max(error, least), trials)

    @classmethod
    def share(cls, events: int, trials: int) -> "Estimate":
        """In how many of independent trials an event happened, for its probability; judged exactly, however few.

        Raises
        ------
        ClaimError
            Unless 0 <= events <= trials and there are two trials or more.
        """
        if not (isinstance(events, int) and isinstance(trials, int) and 0 <= events <= trials and trials >= 2):
            raise ClaimError(
                f"Estimate.share({events!r}, {trials!r}) takes 0 <= events <= trials, two or more, as int."
            )
        value = events / trials
        return cls(value, math.sqrt(value * (1.0 - value) / trials), trials, proportion=True)


def _ends(between: tuple[float, float], numbers: Tensor, least: float) -> tuple[float, float]:
    """The ends of the range of some trials, once it is clear that they are."""
    if least:
        raise ClaimError("Estimate.mean takes least= or between=: a range makes no use of a standard error.")
    if len(numbers) > MOST_VALUES:
        raise ClaimError(
            f"Estimate.mean got {len(numbers):,} trials and a range; give means of blocks of equal size, "
            f"{MOST_VALUES:,} at most: they lie in the same range."
        )
    low, high = (float(end) for end in between)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ClaimError(f"Estimate.mean got between={between!r}; give two finite ends, the lower one first.")
    if not bool(((numbers >= low) & (numbers <= high)).all()):
        raise ClaimError(
            f"Estimate.mean got trials from {number(float(numbers.min()))} to {number(float(numbers.max()))}, which do "
            f"not lie between {number(low)} and {number(high)}."
        )
    return low, high


@dataclass(frozen=True)
class Row:
    """A row of a table, or a point of a curve, as a reproduction returns it; a `harness.Panel` may stand between rows.

    Parameters
    ----------
    label : what the number is; with `at`, the name of the curve.
    ours : our number, a float or a tensor with one entry, or a `harness.Estimate`, which brings error and trials.
    error : its standard error, >= 0; zero where it is left out. An estimate brings its own.
    printed : the paper's number, or the limit in a direction; None where the row is only shown.
    at : where the row lies on its curve: the name of the horizontal axis and the value there, `{"T": 100}`. Two rows or
        more with the same label, axis and unit are drawn as a curve.
    unit : of the number, shown after `at`.
    trials : of how many independent trials the error was computed, as in `harness.Estimate`.
    proportion : as in `harness.Estimate`, which brings it, as it does the range of trials and their values.
    """

    label: str
    ours: Any
    error: Any = None
    printed: Any = None
    at: Mapping[str, float] | None = None
    unit: str = ""
    trials: int | None = None
    proportion: bool = False
    between: tuple[float, float] | None = field(default=None, init=False)
    values: tuple[float, ...] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        estimate = self.ours
        if not isinstance(estimate, Estimate):
            error = 0.0 if self.error is None else self.error
            estimate = Estimate(self.ours, error, self.trials, self.proportion)
        elif (self.error, self.trials) != (None, None):
            raise ClaimError(
                f"the row {self.label!r} has an estimate, which brings its error and trials, and {self.error!r} as "
                "its error; the paper's number is printed=."
            )
        object.__setattr__(self, "ours", estimate.value)
        for name in ("error", "trials", "proportion", "between", "values"):
            object.__setattr__(self, name, getattr(estimate, name))

    @property
    def name(self) -> str:
        """The label with the place on the curve: "test, T = 100, accuracy in %"."""
        if self.at is None:
            return self.label
        ((axis, value),) = self.at.items()
        shown = str(value) if isinstance(value, int) else number(value)
        return f"{self.label}, {axis} = {shown}" + (f", {self.unit}" if self.unit else "")

    def stored(self) -> StoredRow:
        """The form that is kept.

        Raises
        ------
        ClaimError
            If a number is not finite, an error negative, `trials` no whole number >= 1, or `at` does not give one axis
            a number.
        """
        if not isinstance(self.label, str):
            raise ClaimError(f"a row has a label of type {type(self.label).__name__}; give a text.")
        if self.at is not None and not _is_place(self.at):
            raise ClaimError(f"the row {self.label!r} is at {self.at!r}; name one axis and a number: at={{'T': 100}}.")
        if self.trials is not None and not (type(self.trials) is int and self.trials >= 1):
            raise ClaimError(
                f"the row {self.label!r} has trials={self.trials!r}; give their number, an int >= 1, or None."
            )
        try:
            ours, error = (float(torch.as_tensor(value, dtype=torch.float64)) for value in (self.ours, self.error))
            if isinstance(self.printed, str):
                raise TypeError
            printed = None if self.printed is None else float(self.printed)
        except (TypeError, ValueError, RuntimeError):
            ours = error = math.nan
            printed = None
        if not all(math.isfinite(value) for value in (ours, error, printed or 0.0)):
            raise ClaimError(
                f"the row {self.name!r} is ({self.ours!r}, {self.error!r}, {self.printed!r}); ours, error and printed "
                "must be finite numbers (printed may be None)."
            )
        if error < 0:
            raise ClaimError(f"the row {self.name!r} has the error {number(error)}; a standard error is >= 0.")
        return StoredRow(
            label=self.name,
            ours=ours,
            standard_error=error,
            printed=printed,
            place=self._place(self.at),
            trials=self.trials,
            proportion=self.proportion,
            between=self.between,
            values=None if self.values is None else list(self.values),
        )

    def _place(self, at: Mapping[str, float] | None) -> Place | None:
        return (
            None
            if at is None
            else Place(series=self.label, axis=next(iter(at)), value=at[next(iter(at))], unit=self.unit)
        )


def _is_place(at: Any) -> bool:
    """Whether it is {"T": 100}: one axis by name, and a finite number."""
    if not isinstance(at, Mapping) or len(at) != 1:
        return False
    ((axis, value),) = at.items()
    return isinstance(axis, str) and isinstance(value, int | float) and math.isfinite(value)
