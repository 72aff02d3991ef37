"""What is skipped, an error, UNDECIDED or without a verdict of its own, and what agrees with an expectation."""

import math
from collections.abc import Callable

import pytest
import torch
from click.testing import CliRunner

from harness import Estimate, Row
from harness.cli import main
from harness.errors import skip
from harness.judges.deterministic import SAMPLED
from harness.kinds import always, expectation, rate, reproduction, untestable
from harness.language.registry import claim, grid
from harness.run.api import check
from harness.verdict import Status, Verdict, combine
from tests.harness.judges.false_claims import twice_delta
from tests.harness.judges.true_claims import centred_normal, exact_delta


def test_skipped_claims_carry_their_reason() -> None:
    @claim("judges/skips", always())
    def skips(forall):
        """Needs data."""
        raise skip("set TIGHTROPE_DATA")

    @claim("judges/untestable", untestable("the constant is not named"))
    def body():
        """There is a constant."""

    for made, reason in ((skips, "set TIGHTROPE_DATA"), (body, "the constant is not named")):
        verdict = check(made)
        assert verdict.status is Status.SKIPPED
        assert verdict.reason == reason
        assert verdict.as_expected is None


def test_one_skipped_cell_does_not_hide_the_others() -> None:
    @claim("judges/half-skipped", always(), over=grid(n=[1, 2]))
    def half(forall, *, n):
        """Only n = 1 can be evaluated."""
        if n == 2:
            raise skip("no data for n = 2")
        return forall.interval("x", 0.0, 1.0), 1.0

    verdict = check(half, effort="quick")
    assert verdict.status is Status.HOLDS
    assert [cell.status for cell in verdict.cells] == [Status.PROVED, Status.SKIPPED]


def test_an_error_in_one_cell_is_the_claims_error_with_its_cell() -> None:
    @claim("judges/half-broken", always(), over=grid(n=[1, 2]))
    def half(forall, *, n):
        """Divides by n - 2."""
        return forall.interval("x", 0.0, 1.0) / (1 if n == 1 else 0 // (n - 2)), 1.0

    verdict = check(half, effort="quick")
    assert verdict.status is Status.ERROR
    assert "at n=2 raised" in verdict.reason
    assert "ZeroDivisionError" in verdict.reason


BAD_TABLES: dict[str, tuple[Callable[[], object], str]] = {
    "number": (lambda: 3.0, "non-empty list of harness.Row"),
    "empty": (list, "non-empty list of harness.Row"),
    "no row": (lambda: [("pi", 3.14, 0.0, 3.14)], "harness.Row(label, ours, error, printed)"),
    "text": (lambda: [Row("pi", "3.14", printed=3.14)], "pi"),
    "nan": (lambda: [Row("pi", math.nan, printed=3.14)], "pi"),
    "infinite error": (lambda: [Row("pi", 3.14, math.inf)], "must be finite"),
    "negative error": (lambda: [Row("pi", 3.14, -0.1)], ">= 0"),
    "no trials": (lambda: [Row("pi", 3.14, 0.1, trials=0)], "an int >= 1"),
    "estimate and print for its error": (lambda: [Row("pi", Estimate(3.14, 0.1), 3.14)], "printed="),
    "two axes": (lambda: [Row("pi", 3.14, at={"n": 1, "T": 2})], "name one axis"),
    "no label": (lambda: [Row(3, 3.14)], "label of type int"),
}


@pytest.mark.parametrize(("rows", "words"), BAD_TABLES.values(), ids=BAD_TABLES.keys())
def test_a_table_that_is_none_is_an_error(rows: Callable[[], object], words: str) -> None:
    @claim("judges/table", reproduction())
    def body():
        """A table."""
        return rows()

    verdict = check(body)
    assert verdict.status is Status.ERROR
    assert "judges/table" in verdict.reason
    assert words in verdict.reason


def test_a_table_within_its_standard_error_is_undecided() -> None:
    @claim("judges/noisy-table", reproduction())
    def body():
        """One noisy row."""
        return [Row("pi", 3.1, 0.1, 3.14)]

    verdict = check(body)
    assert verdict.status is Status.UNDECIDED
    assert "pi" in verdict.reason


@pytest.mark.parametrize(("trials", "status"), [(3, Status.UNDECIDED), (30, Status.REFUTED), (None, Status.REFUTED)])
def test_five_standard_errors_of_three_trials_refute_nothing(trials: int | None, status: Status) -> None:
    @claim("judges/few-trials", reproduction())
    def body():
        """One noisy row."""
        return [Row("x", Estimate(0.5, 0.1, trials), printed=0.0)]

    assert check(body).status is status


def test_a_mean_brings_its_error_and_its_trials() -> None:
    assert Estimate.mean([1.0, 3.0]) == Estimate(2.0, pytest.approx(1.0), 2)
    assert Estimate.mean([1.0, 3.0], least=5.0) == Estimate(2.0, 5.0, 2)
    assert Estimate.mean([1.0], least=0.5) == Estimate(1.0, 0.5)
    row = Row("x", Estimate(2.0, 1.0, 7), printed=0.0, at={"n": 3}).stored()
    assert (row.label, row.ours, row.standard_error, row.printed, row.trials) == ("x, n = 3", 2.0, 1.0, 0.0, 7)


def test_a_table_without_a_printed_number_says_that_nothing_is_judged() -> None:
    @claim("judges/shown", reproduction())
    def body():
        """A number with nothing to compare it with."""
        return [Row("ours", 1.0, 0.1)]

    verdict = check(body)
    assert verdict.status is Status.UNDECIDED
    assert verdict.reason == "no row is judged: all are shown"


def test_a_mean_outside_its_stated_range_is_an_error_because_the_evidence_rests_on_it() -> None:
    @claim("judges/range", expectation((-1.0, 1.0)))
    def body(draw):
        """E z <= 0."""
        return 3.0 * draw.normal("z"), 0.0

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "widen range=" in verdict.reason


def test_a_mean_without_upper_end_holds_by_the_limit_theorem_and_says_so() -> None:
    assert "asymptotic" in check(centred_normal).cells[0].reason

    @claim("judges/mean-from-below", expectation((-2.0, math.inf)))
    def loose(draw):
        """E |z| <= 2."""
        return draw.normal("z").abs(), 2.0

    for made in (centred_normal, loose):
        verdict = check(made)
        assert verdict.status is Status.HOLDS
        assert "no upper end of the range" in verdict.cells[0].reason


@pytest.mark.parametrize("ends", [None, (-math.inf, 9.0), (-math.inf, math.inf)], ids=str)
def test_a_mean_is_never_refuted_without_a_lower_end_and_the_verdict_says_what_is_missing(ends) -> None:
    """No sample refutes the mean of what may be -9999 once in ten thousand trials, however sure it looks."""

    @claim("judges/mean-without-lower-end", expectation(ends))
    def body(draw):
        """E (u + 1) <= 1/2: each single trial violates it."""
        return draw.uniform("u") + 1.0, 0.5

    verdict = check(body)
    assert verdict.status is Status.UNDECIDED
    assert "asymptotic evidence against" in verdict.reason
    assert "range=(low, math.inf)" in verdict.reason
    assert verdict.counterexample is None
    assert all(cell.log_e == -math.inf for cell in verdict.cells)


def test_one_infinite_end_is_a_range_and_is_enforced_at_the_other() -> None:
    """The bets against the mean are scaled by the lower end: beyond it, wealth could turn negative."""

    @claim("judges/mean-below-its-end", expectation((-0.5, math.inf)))
    def body(draw):
        """E z <= 0."""
        return draw.normal("z"), 0.0

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "widen range=" in verdict.reason


def test_a_rate_that_returns_nan_is_an_error() -> None:
    @claim("judges/nan-rate", rate("n", -1.0), over=grid(n=[1, 2, 4, 8]))
    def body(draw, *, n):
        """NaN at n = 8."""
        return draw.normal("z").abs() / n + (math.nan if n == 8 else 0.0)

    verdict = check(body, effort="quick")
    assert verdict.status is Status.ERROR
    assert "non-finite" in verdict.reason


def test_cells_that_convict_together_refute_the_claim() -> None:
    """Averaged e-values: many cells, each a little too often violated."""
    template = check(exact_delta, effort="quick")
    cells = [template.cells[0].__class__({}, Status.UNDECIDED, log_e=8.0) for _ in range(3)]
    assert combine(exact_delta, cells, 7.9, 0.0).status is Status.REFUTED
    assert combine(exact_delta, cells, 8.1, 0.0).status is Status.UNDECIDED


EXPECTATIONS = [
    ("holds", Status.HOLDS, True),
    ("holds", Status.PROVED, True),
    (None, Status.PROVED, True),
    ("refuted", Status.PROVED, False),
    ("undecided", Status.PROVED, False),
    ("vacuous", Status.PROVED, False),
    (None, Status.HOLDS, True),
    (None, Status.VACUOUS, True),
    ("refuted", Status.REFUTED, True),
    (None, Status.REFUTED, False),
    ("refuted", Status.HOLDS, False),
    ("refuted", Status.UNDECIDED, False),
    ("undecided", Status.UNDECIDED, True),
    ("vacuous", Status.VACUOUS, True),
    ("vacuous", Status.HOLDS, False),
    (None, Status.UNDECIDED, None),
    ("refuted", Status.SKIPPED, None),
    (None, Status.ERROR, None),
]


@pytest.mark.parametrize(("expected", "status", "agrees"), EXPECTATIONS)
def test_what_agrees_with_an_expectation(expected: str | None, status: Status, agrees: bool | None) -> None:  # noqa: FBT001
    def body():
        """A claim."""

    made = claim(f"expected/{expected}", always(), expected=expected)(body)  # type: ignore[arg-type]
    assert Verdict(made, status, ()).as_expected is agrees


def test_more_claims_need_more_evidence() -> None:
    """m is the number of registered claims: a family of a million convicts later."""
    alone, among_many = check(twice_delta, seed=1), check(twice_delta, seed=1, family=10**6)
    assert among_many.status is Status.REFUTED
    assert among_many.trials >= alone.trials


def test_the_command_line_explains_a_missing_instance() -> None:
    result = CliRunner().invoke(main, ["replay", "no/such-claim"])
    assert result.exit_code == 2
    assert "no claim is called" in result.output


def test_a_proof_ends_the_climb() -> None:
    """What is proved is looked at everywhere and by one finder, for how close its sides come; the rest by all."""

    @claim("judges/proved", always())
    def proved(forall):
        """By enclosures."""
        x = forall.interval("x", -1.0, 1.0)
        return x * x, x * x + 1.0

    @claim("judges/searched", always())
    def searched(forall):
        """The norm has no enclosure."""
        x = forall.interval("x", -1.0, 1.0, 2)
        return torch.linalg.matrix_norm(x.unsqueeze(-1) * x.unsqueeze(-2), 2), 3.0

    first, second = (check(each, effort="quick") for each in (proved, searched))
    assert (first.status, second.status) == (Status.PROVED, Status.HOLDS)
    assert set(first.cells[0].details.finders) == {*SAMPLED, "bfgs"}
    assert set(second.cells[0].details.finders) == {*SAMPLED, "bfgs", "local_search", "cma_es"}
