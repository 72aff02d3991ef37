"""Planted errors: claims that are sharp notice them, loose ones do not, and the share counts who says so."""

import math
import os
from dataclasses import replace

import msgspec
import pytest
import torch
from click.testing import CliRunner

from harness import Row, always, check, claim, grid, identity, rate, reproduction, tail
from harness.cli import main
from harness.language.quantifiers import Draw
from harness.language.registry import Claim
from harness.run.examination import Answer, Question, examine, examined, status_of
from harness.run.sensitivity import ERRORS, Finding, Planted, Sensitivity, halved, powered, sensitivity, shrunk, slipped
from harness.run.slips import SORTS, Slip, function_at, installed, slips_in
from harness.run.survey import HOMES, survey
from harness.run.workers import Workers
from harness.settings import GLANCE, QUICK, Settings
from harness.testing import instance
from harness.verdict import Status

QUICKLY = Settings(effort=QUICK.bare())


@claim("mine/sharp", always(), over=grid(n=[1, 4]))
def sharp(forall, *, n):  # type: ignore[no-untyped-def]
    """|sum x| <= n on the cube."""
    return forall.interval("x", -1.0, 1.0, n).sum(-1).abs(), float(n)


@claim("mine/loose", always(), over=grid(n=[4]), unnoticed="the constant is a hundred times too large")
def loose(forall, *, n):  # type: ignore[no-untyped-def]
    """|sum x| <= 100 n on the cube."""
    return forall.interval("x", -1.0, 1.0, n).sum(-1).abs(), 100.0 * n


@claim("mine/quiet", always())
def quiet(forall):  # type: ignore[no-untyped-def]
    """x^2 <= 3 on the unit interval."""
    return forall.interval("x", 0.0, 1.0) ** 2, 3.0


@claim("mine/square", identity())
def square(forall):  # type: ignore[no-untyped-def]
    """(1 + x)^2 = 1 + 2 x + x^2."""
    x = forall.interval("x", 1.0, 2.0)
    return (1.0 + x) ** 2, 1.0 + 2.0 * x + x**2


@claim("mine/table", reproduction(sided="at least"))
def table():  # type: ignore[no-untyped-def]
    """A row that reaches its limit."""
    return [Row("accuracy", 0.9, printed=0.8)]


@claim("mine/decay", rate("n", -1.0), over=grid(n=[10, 100, 1000, 10000]))
def decay(draw, *, n):  # type: ignore[no-untyped-def]
    """The variance of a mean falls as 1/n."""
    return draw.normal("x", 1).squeeze(-1) ** 2 / n


def found(claim: Claim, *errors: str) -> list[Finding]:
    """What becomes of errors, planted and judged in this process."""
    results = msgspec.convert(examined(Question(claim, errors, QUICKLY)).data, Answer).results
    return [Finding(claim, error, each.status, spared=each.spared) for error, each in results.items()]


def test_half_of_the_right_side_is_noticed_where_a_claim_is_sharp() -> None:
    findings = [each for made in (sharp, loose, quiet, square, table) for each in found(made, "half", "power")]
    halves = sensitivity("half", findings)
    assert halves.noticed == ("mine/sharp", "mine/square", "mine/table")
    assert halves.declared == ("mine/loose",)
    assert halves.silent == ("mine/quiet",)
    assert halves.share == pytest.approx(4 / 5)
    by_power = sensitivity("power", findings)
    assert by_power.noticed == ("mine/sharp",)
    assert by_power.declared == ("mine/loose",)


def test_a_claim_that_notices_although_it_says_otherwise_is_named() -> None:
    wrong = replace(sharp, unnoticed="nobody looked")
    assert sensitivity("half", found(wrong, "half")).stale == ("mine/sharp",)


def test_errors_that_do_not_fit_are_not_planted() -> None:
    assert powered(square) is None
    assert powered(decay) is None
    assert halved(decay).claim.kind.exponent == -1.5  # type: ignore[attr-defined]


def test_a_constant_is_shrunk_and_an_exponent_grows() -> None:
    @claim("mine/tail", tail())
    def coin(draw):  # type: ignore[no-untyped-def]
        """P(x = 1) <= 1/2."""
        return draw.bernoulli("x", 0.5) == 1.0, 0.5

    assert shrunk(decay, 0.8).claim.kind.exponent == -1.25  # type: ignore[attr-defined]
    assert shrunk(coin, 0.8).claim(draw=Draw(3, ()))[1] == 0.5**1.25
    with_half = shrunk(sharp, 0.5).claim(forall=instance(x=[1.0]), n=1)
    assert with_half[1] == 0.5


def test_the_original_is_left_as_it_was() -> None:
    """A planted rate had moved its original's body into another module, where no worker finds it."""
    halved(decay)
    assert decay.body.__module__ == __name__
    assert halved(table).claim.body() == [Row("accuracy", 0.9, printed=pytest.approx(1.6))]


def test_the_algorithms_of_a_user_are_changed_in_other_files_than_the_claim_s(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "helping.py").write_text("def spread(x):\n    return x.square().mean(-1) - x.mean(-1) ** 2\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "from helping import spread\nfrom harness import always, claim\n\n\n"
        '@claim("mine/spread", always())\ndef spread_is_bounded(forall):\n'
        '    """The variance of numbers in [0, 1] is at most 1/4."""\n'
        '    return spread(forall.interval("x", 0.0, 1.0, 3)), 2.0 / 9.0\n',
        encoding="utf-8",
    )
    done = CliRunner().invoke(main, ["sensitivity", "--errors", "sign,factor,index", str(file)])
    assert done.exit_code == 0, done.output
    assert "| sign | 1 | 1 | 0 | 0 | 100% |" in done.output
    assert "| factor | 0 | 0 | 0 | 0 | - |" in done.output  # nothing is multiplied in spread
    assert "No claim has a place for it." in done.output


def test_a_share_of_nothing_is_whole() -> None:
    assert Sensitivity("half", (), (), (), (), ()).share == 1.0


def test_the_command_writes_its_page_and_fails_where_too_many_are_silent(tmp_path) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "sensitivity.md"
    done = CliRunner().invoke(main, ["sensitivity", "nsrf/l1-norm", "--page", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert "| half | 1 | 1 | 0 | 0 | 100% |" in text
    assert "| sign |" in text
    file = tmp_path / "mine.py"
    file.write_text(
        "from harness import always, claim\n\n\n"
        '@claim("mine/quiet-file", always())\ndef quiet(forall):\n'
        '    """x^2 <= 3 on the unit interval."""\n'
        '    return forall.interval("x", 0.0, 1.0) ** 2, 3.0\n',
        encoding="utf-8",
    )
    done = CliRunner().invoke(main, ["sensitivity", "--errors", "half", str(file)])
    assert done.exit_code == 1, done.output
    assert "Neither notice nor say so: `mine/quiet-file`." in done.output


def test_an_unknown_error_is_refused() -> None:
    done = CliRunner().invoke(main, ["sensitivity", "nsrf/l1-norm", "--errors", "half,typo"])
    assert done.exit_code == 2
    assert "typo" in done.output


@claim("mine/steps", always(), over=grid(n=[1, 2, 3, 4, 5]))
def steps(forall, *, n):  # type: ignore[no-untyped-def]
    """x <= 1 on the unit interval, and far from it but in the last cell."""
    asked.append(n)
    return forall.interval("x", 0.0, 1.0), 100.0 if n < 5 else 1.0


asked: list[object] = []


def test_cells_are_judged_until_one_notices() -> None:
    """The last of five cells notices: all are asked. Of a claim that is sharp in its first cell that one alone."""
    assert status_of(halved(steps), QUICKLY) is Status.REFUTED
    assert list(dict.fromkeys(asked)) == [1, 2, 3, 4, 5]
    asked.clear()
    status_of(halved(replace(steps, cells=steps.cells[::-1])), QUICKLY)
    assert set(asked) == {5}


@claim("mine/drawn-table", reproduction(sided="at most"))
def drawn_table(draw):  # type: ignore[no-untyped-def]
    """A row below its limit."""
    asked.append(draw.reps)
    return [Row("share", float(draw.uniform("x").mean()), printed=1.0)]


def test_the_rows_of_a_table_are_computed_once_for_the_survey_and_the_right_side() -> None:
    asked.clear()
    assert [each.error for each in found(drawn_table, *ERRORS)] == ["half"]
    assert asked == [QUICK.replicates]


def lesson(x, y):  # type: ignore[no-untyped-def]
    """Something of every sort, and numbers and texts that are no slips."""
    if x < 0:
        raise ValueError(f"x is {x + 1}")
    values = [x, y, x * y]
    return values[1] + 3 * values[-1] - sum(values[:2], -y)


SLIPS = {
    "term": ["values[1] + 3 * values[-1]", "values[1]", "3 * values[-1]"],
    "sign": ["values[1] + 3 * values[-1] + sum(values[:2], -y)", "values[1] - 3 * values[-1]", "y"],
    "factor": ["2.0 * (x * y)", "2.0 * (3 * values[-1])"],
    "index": ["2", "-2", "3"],
}


@pytest.mark.parametrize("sort", SORTS)
def test_slips_are_made_where_something_is_computed(sort: str) -> None:
    assert [slip.after for slip in slips_in(__name__, "lesson", sort)] == SLIPS[sort]


def test_a_slip_is_computed_with_inside_its_block_alone() -> None:
    """values[1] + 3 values[-1] - (x + y - y) at (2, 5) is 5 + 30 - 2; below zero it raises."""
    slip = next(slip for slip in slips_in(__name__, "lesson", "sign") if slip.after == "y")
    with installed(slip):
        assert lesson(2, 5) == 5 + 30 - (2 + 5 + 5)
    with pytest.raises(ValueError, match="x is 0"), installed(slip):
        lesson(-1, 5)
    assert lesson(2, 5) == 33


@pytest.mark.parametrize("name", ["nowhere", "SLIPS", "Sensitivity.judged.inner", "sharp", "_Fixed.interval"])
def test_what_is_no_function_of_the_module_has_no_slips(name: str) -> None:
    """A claim stands for its body; a method is a function. Neither of these two adds anything."""
    assert list(slips_in(__name__, name, "term")) == []
    assert (function_at(__name__, name) is not None) == (name in ("sharp", "_Fixed.interval"))


@claim("mine/sum", always(), over=grid(n=[3]))
def summed(forall, *, n):  # type: ignore[no-untyped-def]
    """x + x^2 <= 1 + x on the unit interval: the right side without its 1 is too small, without its x as well."""
    x = forall.interval("x", 0.0, 1.0)
    return x + x**2, 1.0 + x


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slips are looked for in this module."""
    monkeypatch.setattr("harness.run.survey.OURS", (__name__,))
    for sort in ("term", "factor"):
        monkeypatch.setitem(HOMES, sort, (__name__,))


@pytest.mark.usefixtures("here")
def test_a_survey_finds_the_term_that_matters_and_leaves_no_trace() -> None:
    """In the left side there is a term as well: dropping it changes the left side, so that it is not chosen."""
    seen = survey(summed, QUICK.replicates)
    assert seen is not None
    hit = seen.first("term", lambda slip: slipped(summed, slip).claim)
    assert hit is not None
    assert hit.slip.before == "1.0 + x"
    assert hit.slip.after in ("1.0", "x")
    x = torch.tensor([0.5], dtype=torch.float64)
    assert [float(side) for side in summed.body(forall=_Fixed(x), n=3)] == [0.75, 1.5]


def test_a_rate_is_not_surveyed() -> None:
    assert survey(decay, QUICK.replicates) is None


@claim("mine/doubled", always())
def doubled(forall):  # type: ignore[no-untyped-def]
    """x / 10 <= 1 on an interval: a factor of two in the left side doubles it."""
    return 0.1 * forall.interval("x", 0.5, 1.0), 1.0


@claim("mine/multiplied", always())
def multiplied(forall):  # type: ignore[no-untyped-def]
    """8^x <= 10 on an interval: a factor of two in the exponent does more than doubling."""
    return torch.exp2(3.0 * forall.interval("x", 0.5, 1.0)), 10.0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("made", "spared"), [(doubled, True), (multiplied, False)], ids=["doubled", "multiplied"])
def test_what_says_that_it_is_loose_is_spared_errors_that_at_most_double_a_ratio(made: Claim, spared: bool) -> None:  # noqa: FBT001
    (only,) = found(replace(made, unnoticed="it is loose"), "factor")
    assert only.spared is spared
    assert only.status is (None if spared else Status.REFUTED)
    assert sensitivity("factor", [only]).declared == ((made.key,) if spared else ())
    assert not found(made, "factor")[0].spared


class _Fixed:
    def __init__(self, x: torch.Tensor) -> None:
        self.x = x

    def interval(self, *_: object) -> torch.Tensor:
        return self.x


@pytest.mark.usefixtures("here")
def test_a_dropped_term_is_noticed_in_a_process_of_its_own() -> None:
    with Workers(1) as workers:
        (only,) = [each for some in examine([summed], ("term",), QUICKLY, workers) for each in some]
    assert only.status is Status.REFUTED
    assert sensitivity("term", [only]).noticed == ("mine/sum",)
    assert "1.0 + x" in only.detail


@claim("mine/deadly", always())
def deadly(forall):  # type: ignore[no-untyped-def]
    """x <= 1 on the unit interval, where no survey looks at it."""
    if asked == ["deadly"]:
        os._exit(3)
    asked[:] = ["deadly"]
    return forall.interval("x", 0.0, 1.0), 1.0


def test_a_claim_whose_process_is_lost_is_asked_about_each_error_and_then_not_judged() -> None:
    with Workers(1) as workers:
        found = [each for some in examine([deadly], ("half", "sign"), QUICKLY, workers) for each in some]
    assert {each.error: each.status for each in found} == dict.fromkeys(("half", "sign"))
    assert sensitivity("half", found).skipped == ("mine/deadly",)


@claim("mine/endless", always(), over=grid(n=[4]))
def endless(forall, *, n):  # type: ignore[no-untyped-def]
    """x <= 1 on the unit interval, where half of the right side takes for ever."""
    while asked and asked[0] == "half":
        math.sqrt(2.0)
    return forall.interval("x", 0.0, 1.0), 1.0


def test_after_an_interruption_another_process_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.run.examination.LIMIT", 0.1)
    monkeypatch.setattr("harness.run.overdue.GRACE", 60.0)  # the process of the tests must outlive it
    asked[:] = ["half"]
    answer = msgspec.convert(examined(Question(endless, ("half", "power"), QUICKLY)).data, Answer)
    assert answer.results["half"].status is None
    assert answer.left == ["power"]
    with Workers(1) as workers:
        found = [each for some in examine([endless], ("half", "power"), QUICKLY, workers) for each in some]
    assert {each.error: each.status for each in found} == {"half": None, "power": None}


def test_what_is_missed_is_told_with_its_slip() -> None:
    slip = Slip("factor", __name__, "lesson", "x * y", "2.0 * (x * y)", 1)
    planted = slipped(quiet, slip)
    found = sensitivity("factor", [Finding(quiet, "factor", Status.HOLDS, planted.detail)])
    assert found.silent == ("mine/quiet",)
    assert str(slip) in found.details["mine/quiet"]


def test_a_body_that_breaks_under_a_slip_has_noticed_it() -> None:
    assert sensitivity("index", [Finding(quiet, "index", Status.ERROR)]).noticed == ("mine/quiet",)
    assert sensitivity("half", [Finding(quiet, "half", Status.ERROR)]).skipped == ("mine/quiet",)


def test_a_bare_effort_searches_as_much_and_says_less() -> None:
    """No proof, no looseness, and the counterexample as it was found; whatever the budget doubles stays as it is."""
    bare = replace(QUICK.bare(), name=QUICK.name)
    assert (bare.boxes, bare.simplifications, bare.tight, bare.minimum_trials) == (0, 0, 0, 0)
    assert replace(bare, boxes=250, simplifications=60, tight=1, minimum_trials=1_000) == QUICK
    assert (QUICK.doubled(2).simplifications, QUICK.doubled(2).tight) == (QUICK.simplifications, QUICK.tight)
    assert GLANCE.doubled(2).groups == 1
    assert check(square, effort="quick").status is Status.PROVED
    assert status_of(Planted(square, square, "half"), QUICKLY) is Status.HOLDS
