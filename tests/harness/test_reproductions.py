"""Rows of a table are judged within the limits of their expectations: exactly for shares, never by errors of zero."""

import json
import math
import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
import torch
from scipy.stats import binom

from harness import Estimate, Row, claim, reproduction
from harness.errors import ClaimError
from harness.evidence.betting import FRACTIONS
from harness.kinds.table import FIRST_LOOK, limits
from harness.language.registry import Claim
from harness.run.api import check, settings_for
from harness.run.replaying import replay
from harness.run.runner import Silent, run
from harness.verdict import Status


def one_row(row: Row, **options: object) -> Claim:
    """A table of one row."""

    def rows() -> list[Row]:
        """One row."""
        return [row]

    return claim("reproductions/one", reproduction(**options), cite="none")(rows)  # type: ignore[arg-type]


def status(row: Row, **options: object) -> Status:
    """The verdict on it."""
    return check(one_row(row, **options)).status


@pytest.mark.parametrize("printed", [0.0, 0.9, 1.0, 2.0])
def test_trials_that_are_all_equal_decide_nothing(printed: float) -> None:
    """Four flips of a coin of bias .9 are alike two times in three: that is no proof of anything."""
    assert status(Row("bias", Estimate.mean([1.0] * 4), printed=printed), tolerance=0.05) is Status.UNDECIDED


def test_a_single_trial_decides_nothing_unless_its_error_is_known() -> None:
    assert status(Row("mean", Estimate.mean([9.0]), printed=0.0)) is Status.UNDECIDED
    assert status(Row("mean", 9.0, 0.1, 0.0, trials=1)) is Status.UNDECIDED
    assert status(Row("mean", Estimate.mean([9.0], least=0.1), printed=0.0)) is Status.REFUTED


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Row("one", Estimate.mean([9.0]), printed=0.0), "of a single trial"),
        (Row("equal", Estimate.mean([9.0] * 4), printed=0.0), "its 4 trials are all equal"),
        (Row("edge", 1.0, 0.5, 1.0, trials=4), "no number of trials"),
        (Row("known", 1.0, 0.5, 0.0), "undecided at: known$"),
    ],
)
def test_an_undecided_row_says_what_it_lacks(row: Row, words: str) -> None:
    assert re.search(words, check(one_row(row, sided="at most")).reason)


@pytest.mark.parametrize(("value", "trials"), [(1.0, 4), (0.1, 9)])
def test_the_number_of_trials_that_decides_a_mean_is_the_least_that_does(value: float, trials: int) -> None:
    """If mean and spread stay: one fewer leaves it open."""
    reason = check(one_row(Row("m", value, 0.5, 0.0, trials=trials), sided="at most")).reason
    needed = int(re.search(r"of \d+ trials; (\d+) would decide it", reason)[1])  # type: ignore[index]
    spread = 0.5 * math.sqrt(trials)
    for count, found in ((needed - 1, Status.UNDECIDED), (needed, Status.REFUTED)):
        assert status(Row("m", value, spread / math.sqrt(count), 0.0, trials=count), sided="at most") is found


def test_the_number_of_trials_that_decides_a_share_is_about_right() -> None:
    reason = check(one_row(Row("s", Estimate.share(3, 4), printed=0.5), sided="at least")).reason
    needed = int(re.search(r"of 4 trials; (\d+) would decide it", reason)[1])  # type: ignore[index]
    more = 4 * -(-needed // 4)
    assert status(Row("s", Estimate.share(3 * more // 4, more), printed=0.5), sided="at least") is Status.HOLDS
    fewer = 4 * (needed // 8)
    assert status(Row("s", Estimate.share(3 * fewer // 4, fewer), printed=0.5), sided="at least") is Status.UNDECIDED


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


@pytest.mark.parametrize("trials", [1, 7, 40])
@pytest.mark.parametrize("level", [1e-6, 0.01, 0.2])
@pytest.mark.parametrize("ends", [(0.0, 1.0), (-3.0, 5.0)])
def test_limits_of_trials_in_a_range_miss_their_mean_at_most_as_often_as_they_may(
    trials: int, level: float, ends: tuple[float, float]
) -> None:
    """By the binomial law, for all laws on both ends and for those on an end and a place between them."""
    for lower, upper in (ends, (ends[0], sum(ends) / 3), (sum(ends) / 3, ends[1])):
        samples = [[upper] * k + [lower] * (trials - k) for k in range(trials + 1)]
        rows = [Row("hits", Estimate.mean(values, between=ends)).stored() for values in samples]
        low, high = np.transpose([limits(row, level) for row in rows])
        chances = np.linspace(0.0, 1.0, 301)[:, None]
        means = lower + (upper - lower) * chances
        mass = binom.pmf(np.arange(trials + 1), trials, chances)
        assert (mass * (low > means + 1e-12)).sum(1).max() <= level * (1 + 1e-9)
        assert (mass * (high < means - 1e-12)).sum(1).max() <= level * (1 + 1e-9)


def test_the_limit_of_two_trials_is_where_the_averaged_bets_reach_one_over_the_level() -> None:
    """By hand: sum_f (1 + f (.8 / m - 1)) (1 + f (.6 / m - 1)) / k = 1 / level, a quadratic in 1 / m."""
    bets = np.append(FRACTIONS, 1.0)
    square, linear, constant = (
        (0.48 * bets**2).mean(), (1.4 * bets * (1 - bets)).mean(), ((1 - bets) ** 2).mean() - 1 / 0.05
    )  # fmt: skip
    by_hand = 1 / np.roots([square, linear, constant]).max()
    row = Row("two", Estimate.mean([0.8, 0.6], between=(0, 1))).stored()
    assert limits(row, 0.05)[0] == pytest.approx(by_hand, rel=1e-6)


def test_trials_that_are_seldom_large_refute_no_true_table_once_their_range_is_stated() -> None:
    """3 % of the runs fail with an error of 1: without a failure among 32 Student's t is sure of what is false."""
    small = torch.linspace(0.0, 0.01, 32)
    mean = 0.03 + 0.97 * 0.005
    assert status(Row("error", Estimate.mean(small), printed=mean), tolerance=0.002) is Status.REFUTED
    made = check(one_row(Row("error", Estimate.mean(small, between=(0, 1)), printed=mean), tolerance=0.002))
    assert made.status is Status.UNDECIDED
    needed = int(re.search(r"of 32 trials; (\d+) would decide it", made.reason)[1])  # type: ignore[index]
    for times, found in ((needed // 32, Status.UNDECIDED), (needed // 32 + 1, Status.REFUTED)):
        row = Row("error", Estimate.mean(small.repeat(times), between=(0, 1)), printed=mean)
        assert status(row, tolerance=0.002) is found
    (cell,) = made.cells
    assert [(kept.values, kept.between) for kept in cell.details.rows] == [(None, (0.0, 1.0))]


@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        ([0.5, 1.5], {"between": (0, 1)}, "do not lie between 0 and 1"),
        ([0.5, 0.6], {"between": (1, 0)}, "two finite ends"),
        ([0.5, 0.6], {"between": (0, math.inf)}, "two finite ends"),
        ([0.5, 0.6], {"between": (0, 1), "least": 0.1}, "least= or between="),
        ([0.5] * 10_001, {"between": (0, 1)}, "means of blocks"),
    ],
)
def test_a_range_that_is_none_is_an_error(values: list[float], options: dict[str, object], words: str) -> None:
    with pytest.raises(ClaimError, match=words):
        Estimate.mean(values, **options)  # type: ignore[arg-type]


def test_a_share_is_judged_by_its_limits() -> None:
    """32 of 32 show more than one half at the level of this claim, 2 of 2 do not."""
    assert status(Row("hits", Estimate.share(32, 32), printed=0.5), sided="at least") is Status.HOLDS
    assert status(Row("hits", Estimate.share(2, 2), printed=0.5), sided="at least") is Status.UNDECIDED
    assert status(Row("hits", Estimate.share(0, 32), printed=0.5), sided="at least") is Status.REFUTED


@pytest.mark.parametrize(("sided", "sides"), [("two", 2), ("at most", 1)])
def test_both_directions_share_the_error(sided: str, sides: int) -> None:
    """A normal number of known error is judged off with probability .9 alpha, however the row is judged."""
    quantile = -NormalDist().inv_cdf(FIRST_LOOK * 0.01 / sides)
    for factor, found in ((0.999, Status.UNDECIDED), (1.001, Status.REFUTED)):
        assert status(Row("z", factor * quantile, 1.0, 0.0), sided=sided) is found


def test_all_looks_together_err_as_often_as_one_may() -> None:
    """With --budget, or by running again with a larger one, a table is looked at after every doubling."""

    def rows(draw) -> list[Row]:
        """One row."""
        return [Row("z", Estimate.mean(draw.normal("z")), printed=0.0)]

    made, settings = claim("reproductions/looks", reproduction(), cite="none")(rows), settings_for()
    efforts = [settings.effort.doubled(times) for times in range(50)]
    levels = [made.kind.judge(made, {}, replace(settings, effort=effort))._level() for effort in efforts]
    assert levels[0] == FIRST_LOOK * settings.alpha / settings.family
    assert 0.999 * settings.alpha < settings.family * sum(levels) <= settings.alpha * (1 + 1e-12)


def test_what_no_larger_effort_can_change_is_not_judged_again() -> None:
    """A table without draws: a run with a budget of ten minutes ends after one pass."""

    class Passes(Silent):
        seen = 0

        def started(self, claims: Sequence[Claim], effort: str) -> None:
            self.seen += 1

    passes = Passes()
    unsure = one_row(Row("unsure", 0.0, 1.0, 0.0))
    (verdict,) = run([unsure], settings_for(), observer=passes, deadline=time.monotonic() + 600.0)
    assert verdict.status is Status.UNDECIDED
    assert passes.seen == 1


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


def test_a_table_refuted_by_many_draws_is_replayed_with_as_many() -> None:
    """A mean of .1 beside 0: 32 draws leave it open, 4096 refute it, and so does the command that is printed."""

    def rows(draw) -> list[Row]:
        """One row."""
        return [Row("z", Estimate.mean(draw.normal("z") + 0.1), printed=0.0)]

    made, settings = claim("reproductions/drift", reproduction(), cite="none")(rows), settings_for()
    assert check(made).status is Status.UNDECIDED
    (verdict,) = run([made], replace(settings, effort=settings.effort.doubled(7)))
    assert verdict.status is Status.REFUTED
    words = shlex.split(verdict.cells[0].replay or "")
    assert words[-2:] == ["--trials", "4096"]
    again = replay(made, {}, {}, trials=4096)
    assert again.violated
    assert json.loads(again.sentence)[0]["ours"] == verdict.cells[0].details.rows[0].ours
    with pytest.raises(ClaimError, match="quantifies over nothing"):
        replay(made, {}, {"z": 3.0})
