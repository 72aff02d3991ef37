"""Planted errors: claims that are sharp notice them, loose ones do not, and the share counts who says so."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from harness import always, claim, grid, identity, rate, reproduction, tail
from harness.cli import main
from harness.language.quantifiers import Draw
from harness.run.api import check_all
from harness.run.sensitivity import Sensitivity, halved, plant, powered, sensitivity, shrunk
from harness.settings import QUICK, Settings
from harness.testing import instance


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
    return [("accuracy", 0.9, 0.0, 0.8)]


@claim("mine/decay", rate("n", -1.0), over=grid(n=[10, 100, 1000, 10000]))
def decay(draw, *, n):  # type: ignore[no-untyped-def]
    """The variance of a mean falls as 1/n."""
    return draw.normal("x", 1).squeeze(-1) ** 2 / n


def test_half_of_the_right_side_is_noticed_where_a_claim_is_sharp() -> None:
    planted = plant([sharp, loose, quiet, square, table])
    verdicts = check_all([p.claim for p in planted], settings=Settings(effort=QUICK))
    found = sensitivity("half", planted, verdicts)
    assert found.noticed == ("mine/sharp", "mine/square", "mine/table")
    assert found.declared == ("mine/loose",)
    assert found.silent == ("mine/quiet",)
    assert found.share == pytest.approx(4 / 5)
    by_power = sensitivity("power", planted, verdicts)
    assert by_power.noticed == ("mine/sharp",)
    assert by_power.declared == ("mine/loose",)


def test_a_claim_that_notices_although_it_says_otherwise_is_named() -> None:
    wrong = replace(sharp, unnoticed="nobody looked")
    planted = plant([wrong])
    verdicts = check_all([p.claim for p in planted], settings=Settings(effort=QUICK))
    assert sensitivity("half", planted, verdicts).stale == ("mine/sharp",)


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


def test_the_original_is_left_as_it_was_and_rows_may_be_lists() -> None:
    """A planted rate had moved its original's body into another module, where no worker finds it."""
    halved(decay)
    assert decay.body.__module__ == __name__
    listed = replace(table, body=lambda: [["accuracy", 0.9, 0.0, 0.8]])
    assert halved(listed).claim.body() == [("accuracy", 0.9, 0.0, pytest.approx(1.6))]


def test_a_share_of_nothing_is_whole() -> None:
    assert Sensitivity("half", (), (), (), (), ()).share == 1.0


def test_the_command_writes_its_page_and_fails_where_too_many_are_silent(tmp_path) -> None:  # type: ignore[no-untyped-def]
    page = tmp_path / "sensitivity.md"
    done = CliRunner().invoke(main, ["sensitivity", "nsrf/l1-norm", "--page", str(page)])
    assert done.exit_code == 0, done.output
    assert "1 judged: 1 notice" in page.read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(
        "from harness import always, claim\n\n\n"
        '@claim("mine/quiet-file", always())\ndef quiet(forall):\n'
        '    """x^2 <= 3 on the unit interval."""\n'
        '    return forall.interval("x", 0.0, 1.0) ** 2, 3.0\n',
        encoding="utf-8",
    )
    done = CliRunner().invoke(main, ["sensitivity", str(file)])
    assert done.exit_code == 1, done.output
    assert "Neither: `mine/quiet-file`." in done.output
