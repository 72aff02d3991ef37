"""Rows of tables and figures: our number beside the paper's."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.numbers import number


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


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error, and of how many independent trials that was computed: `Row(label, estimate)`.

    Parameters
    ----------
    value : the estimate, a float or a tensor with one entry.
    error : its standard error, >= 0.
    trials : at least 2. With few of them an error is itself uncertain: the row is judged by Student's t with trials - 1
        degrees of freedom. None where the error is known, or rests on so many that this does not matter.
    """

    value: Any
    error: Any = 0.0
    trials: int | None = None

    @classmethod
    def mean(cls, values: Sequence[float] | Tensor, *, least: float = 0.0) -> "Estimate":
        """Mean of independent trials with its standard error, or `least` where that is larger.

        A single trial says nothing of its error: `least` is taken for known, zero for a number without one.
        """
        numbers = torch.as_tensor(values, dtype=torch.float64)
        mean, trials = float(numbers.mean()), len(numbers)
        if trials < 2:
            return cls(mean, least)
        return cls(mean, max(float(numbers.std()) / math.sqrt(trials), least), trials)


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
    """

    label: str
    ours: Any
    error: Any = None
    printed: Any = None
    at: Mapping[str, float] | None = None
    unit: str = ""
    trials: int | None = None

    def __post_init__(self) -> None:
        estimate = self.ours
        if not isinstance(estimate, Estimate):
            estimate = Estimate(self.ours, 0.0 if self.error is None else self.error, self.trials)
        elif (self.error, self.trials) != (None, None):
            raise ClaimError(
                f"the row {self.label!r} has an estimate, which brings its error and trials, and {self.error!r} as "
                "its error; the paper's number is printed=."
            )
        for name, value in (("ours", estimate.value), ("error", estimate.error), ("trials", estimate.trials)):
            object.__setattr__(self, name, value)

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
            If a number is not finite, an error negative or computed of fewer than two trials, or `at` does not name one
            axis.
        """
        if not isinstance(self.label, str):
            raise ClaimError(f"a row has a label of type {type(self.label).__name__}; give a text.")
        if self.at is not None and len(self.at) != 1:
            raise ClaimError(f"the row {self.label!r} lies at {dict(self.at)}; name one axis: at={{'T': 100}}.")
        try:
            ours, error = (float(torch.as_tensor(value, dtype=torch.float64)) for value in (self.ours, self.error))
            printed = None if self.printed is None else float(self.printed)
        except (TypeError, ValueError, RuntimeError):
            ours = error = math.nan
            printed = None
        if not all(math.isfinite(value) for value in (ours, error, printed or 0.0)):
            raise ClaimError(
                f"the row {self.name!r} is ({self.ours!r}, {self.error!r}, {self.printed!r}); ours, error and printed "
                "must be finite numbers (printed may be None)."
            )
        if error < 0 or (self.trials is not None and self.trials < 2):
            raise ClaimError(
                f"the row {self.name!r} has the error {number(error)} of {self.trials} trials; a standard error is "
                ">= 0 and needs two trials or more (trials=None where it is known)."
            )
        return StoredRow(
            label=self.name,
            ours=ours,
            standard_error=error,
            printed=printed,
            place=self._place(self.at),
            trials=self.trials,
        )

    def _place(self, at: Mapping[str, float] | None) -> Place | None:
        return (
            None
            if at is None
            else Place(series=self.label, axis=next(iter(at)), value=at[next(iter(at))], unit=self.unit)
        )
