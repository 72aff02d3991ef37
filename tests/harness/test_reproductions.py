"""Rows of a table are judged within the limits of their expectations: exactly for shares, never by errors of zero."""

import math
from statistics import NormalDist

import numpy as np
import pytest
import torch
from scipy.stats import binom

from harness import Estimate, Row, claim, reproduction
from harness.errors import ClaimError
from harness.kinds.table import limits
from harness.run.api import check
from harness.verdict import Status


def status(row: Row, **options: object) -> Status:
    """The verdict on a table of one row."""

    def rows() -> list[Row]:
        """One row."""
        return [row]

    return check(claim("reproductions/one", reproduction(**options), cite="none")(rows)).status  # type: ignore[arg-type]


@pytest.mark.parametrize("printed", [0.0, 0.9, 1.0, 2.0])
def test_trials_that_are_all_equal_decide_nothing(printed: float) -> None:
    """Four flips of a coin of bias .9 are alike two times in three: that is no proof of anything."""
    assert status(Row("bias", Estimate.mean([1.0] * 4), printed=printed), tolerance=0.05) is Status.UNDECIDED


def test_a_number_without_trials_is_exact() -> None:
    assert status(Row("perimeter", 3.14, printed=3.14)) is Status.HOLDS
    assert status(Row("perimeter", 3.15, printed=3.14)) is Status.REFUTED


@pytest.mark.parametrize("trials", [2, 7, 40])
@pytest.mark.parametrize("level", [1e-6, 0.01, 0.2])
def test_limits_of_a_share_miss_its_probability_at_most_as_often_as_they_may(trials: int, level: float) -> None:
    """By the binomial law itself, on either side and whatever the probability is; and there are shares that decide."""
    events = range(trials + 1)
    low, high = np.transpose([limits(Row("hits", Estimate.share(k, trials)).stored(), level) for k in events])
    chances = np.linspace(0.0, 1.0, 301)[:, None]
    mass = binom.pmf(np.arange(trials + 1), trials, chances)
    assert (mass * (low > chances)).sum(1).max() <= level * (1 + 1e-9)
    assert (mass * (high < chances)).sum(1).max() <= level * (1 + 1e-9)
    assert low[-1] == pytest.approx(level ** (1 / trials))
    assert high[0] == pytest.approx(1 - level ** (1 / trials))


def test_a_share_is_judged_by_its_limits() -> None:
    """32 of 32 show more than one half at the level of this claim, 2 of 2 do not."""
    assert status(Row("hits", Estimate.share(32, 32), printed=0.5), sided="at least") is Status.HOLDS
    assert status(Row("hits", Estimate.share(2, 2), printed=0.5), sided="at least") is Status.UNDECIDED
    assert status(Row("hits", Estimate.share(0, 32), printed=0.5), sided="at least") is Status.REFUTED


@pytest.mark.parametrize(("sided", "sides"), [("two", 2), ("at most", 1)])
def test_both_directions_share_the_error(sided: str, sides: int) -> None:
    """A normal number of known error is judged off with probability alpha, however the row is judged."""
    quantile = -NormalDist().inv_cdf(0.01 / sides)
    for factor, found in ((0.999, Status.UNDECIDED), (1.001, Status.REFUTED)):
        assert status(Row("z", factor * quantile, 1.0, 0.0), sided=sided) is found


@pytest.mark.parametrize("values", [torch.zeros(4, 2), [], torch.tensor(1.0)])
def test_a_mean_takes_one_number_for_each_trial(values: object) -> None:
    with pytest.raises(ClaimError, match="one number for each independent trial"):
        Estimate.mean(values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("events", "trials"), [(3, 2), (-1, 2), (1, 1), (0.5, 2)])
def test_a_share_counts(events: object, trials: int) -> None:
    with pytest.raises(ClaimError, match="0 <= events <= trials"):
        Estimate.share(events, trials)  # type: ignore[arg-type]


@pytest.mark.parametrize("tolerance", [-1.0, math.nan, math.inf, "0.1"])
def test_a_tolerance_is_a_number(tolerance: object) -> None:
    with pytest.raises(ClaimError, match="tolerance="):
        reproduction(tolerance=tolerance)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"trials": "3"}, {"trials": 2.5}, {"at": {"T": math.nan}}, {"at": {"T": "x"}}, {"at": 3}, {"at": {}}]
)
def test_what_is_wrong_with_a_row_is_said(wrong: dict[str, object]) -> None:
    """And is no failure of the judge."""
    with pytest.raises(ClaimError, match="the row 'x'"):
        Row("x", 1.0, 0.1, 1.0, **wrong).stored()  # type: ignore[arg-type]


def test_a_refuted_table_names_what_is_refuted() -> None:
    """Not what is undecided in another cell."""

    def rows(*, n: int) -> list[Row]:
        """One row in each cell."""
        return [Row("unsure", 0.0, 1.0, 0.0)] if n == 1 else [Row("off", 1.0, printed=0.0)]

    made = claim("reproductions/two", reproduction(), cite="none", over=[{"n": 1}, {"n": 2}])(rows)
    assert check(made).reason == "refuted at: off"
