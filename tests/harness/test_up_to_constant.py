"""Statements up to a constant: the largest ratio is found, what is bounded is not refuted, what grows is."""

import math
from functools import cache

import pytest
import torch

from harness import ClaimError, check, claim, grid, up_to_constant
from harness.judges.conformance import NO_GPU
from harness.kinds import UpToConstant
from harness.report.explain import explain
from harness.report.html import fragment
from harness.run.api import check_all, settings_for
from harness.run.replaying import replay
from harness.testing import check_contract
from harness.verdict import Status, Verdict

SIZES = [4, 8, 16, 32, 64, 128]


def norms(exponent: float):
    @claim("mine/norms", up_to_constant("n"), over=grid(n=SIZES))
    def made(forall, *, n):
        """|x|_1 <= C n^exponent |x|_2; true from 1/2 on, with C = 1."""
        x = forall.ball("x", n)
        return x.abs().sum(-1), n**exponent * x.norm(dim=-1)

    return made


@cache
def judged(exponent: float, seed: int = 0) -> Verdict:
    """Of `norms`, by several tests."""
    return check(norms(exponent), effort="quick", seed=seed)


@pytest.mark.parametrize("seed", range(2))
def test_the_largest_ratio_decides(seed: int) -> None:
    true = judged(0.5, seed)
    assert true.status is Status.HOLDS
    assert true.cells[0].details.constant == pytest.approx(1.0, abs=1e-6)
    assert "smallest C seen 1;" in explain(true)
    false = judged(0.25, seed)
    assert false.status is Status.REFUTED
    found = false.cells[0].details
    assert found.exponent == pytest.approx(0.25, abs=1e-3)
    assert found.ratio == pytest.approx([n**0.25 for n in SIZES], rel=1e-4)
    assert "it keeps growing with n" in explain(false)


@claim("mine/assumed", up_to_constant("n"), over=grid(n=[2, 4, 8, 16, 32]))
def assumed(forall, *, n):
    """n <= C n where sin(pi x) > 0, which only rounding says of x = 1; there the left side would be n^2."""
    x = forall.interval("x", 0.5, 1.0)
    forall.assume(torch.sin(torch.pi * x) > 0)
    return torch.where(x >= 1.0, 1.0 * n * n, 1.0 * n), n + 0 * x


@claim("mine/undefined", up_to_constant("n"), over=grid(n=[2, 4, 8, 16, 32]))
def pole(forall, *, n):
    """1 + n (1 - x)^(n^2 / x) <= C over 0 < x <= 1: at most 1 + n exp(-n^2), but 1 + n in floats at the pole x = 0."""
    x = forall.interval("x", 0.0, 1.0)
    return 1 + n * (1 - x) ** (n * n / x), 1 + 0 * x


@pytest.mark.in_turn
@pytest.mark.parametrize("made", [assumed, pole], ids=lambda made: made.id)
def test_no_ratio_rests_on_an_assumption_or_a_pole_that_rounding_decides(made) -> None:
    assert check(made, effort="quick").status is not Status.REFUTED


def test_every_ratio_is_searched_as_far_as_enumeration_finds() -> None:
    """Over signs the largest ratio is known from all of them."""

    def sides(e: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        k = torch.arange(1, n + 1, dtype=torch.float64)
        return (e / k).sum(-1).abs(), 1.0 + (e * k).sum(-1).abs() / n

    @claim("mine/signs", up_to_constant("n"), over=grid(n=[2, 4, 6, 8, 10]))
    def made(forall, *, n):
        """|sum e_k / k| <= C (1 + |sum k e_k| / n)."""
        return sides(forall.signs("e", n), n)

    found = check(made, effort="quick").cells[0].details
    for n, ratio in zip(found.n, found.ratio, strict=True):
        lhs, rhs = sides(torch.cartesian_prod(*[torch.tensor([-1.0, 1.0], dtype=torch.float64)] * int(n)), int(n))
        assert ratio == pytest.approx(float((lhs / rhs).max()), rel=1e-12)


def test_a_statement_without_inputs() -> None:
    @claim("mine/harmonic", up_to_constant("n"), over=grid(n=[10, 30, 100, 300, 1000]))
    def made(*, n):
        """1 + ... + 1/n <= C."""
        return math.fsum(1.0 / k for k in range(1, n + 1)), 1.0

    verdict = check(made, effort="quick")
    assert verdict.status is Status.REFUTED
    assert "it keeps growing with log n" in explain(verdict)
    assert replay(made, {}, {}).violated


def test_what_grows_faster_than_powers_is_said_to() -> None:
    @claim("mine/powers", up_to_constant("n"), over=grid(n=[4, 6, 8, 10, 12]))
    def made(*, n):
        """2^n <= C."""
        return 2.0**n, 1.0

    said = explain(check(made, effort="quick"))
    assert "REFUTED: smallest C seen 4096; it keeps growing faster than n^2.5" in said


def collector(power: float, sizes: list[int] = SIZES):
    @claim("mine/collector", up_to_constant("n"), over=grid(n=sizes))
    def made(draw, *, n):
        """n times the smallest of n exponential numbers is on average at most C n^power."""
        return n * (-torch.log1p(-draw.uniform("u", n))).amin(-1), (1.0 + math.log(n)) * n**power / math.log(n + 1)

    return made


@pytest.mark.parametrize("seed", range(2))
def test_with_draws_the_sides_are_means(seed: int) -> None:
    verdict = check(collector(0.0), effort="quick", seed=seed)
    assert verdict.status in (Status.HOLDS, Status.UNDECIDED)
    found = verdict.cells[0].details
    for n, ratio, error in zip(found.n, found.ratio, found.error, strict=True):
        assert abs(ratio - math.log(n + 1) / (1.0 + math.log(n))) < 6.0 * error  # the mean is exactly 1
    false = check(collector(-1.5), effort="quick", seed=seed)
    assert false.status is Status.REFUTED
    assert replay(made := collector(-1.5), {}, {}, trials=20_000).violated
    assert "in all" in made.kind.tried(false)[0]


def test_a_pole_has_no_constant() -> None:
    @claim("mine/pole", up_to_constant("n"), over=grid(n=SIZES))
    def made(forall, *, n):
        """x <= C x^2."""
        x = forall.interval("x", 0.0, 1.0)
        return x, x**2

    verdict = check(made, effort="quick")
    assert verdict.status is Status.REFUTED
    shown = verdict.counterexample
    assert shown is not None
    assert replay(made, {}, shown.counterexample.values).violated
    assert "that is no constant" in explain(verdict)


def test_rounding_is_no_ratio() -> None:
    """Near zero both sides are rounding, and their quotient anything."""

    @claim("mine/cancelling", up_to_constant("n"), over=grid(n=SIZES))
    def made(forall, *, n):
        """(1 + x) - 1 <= C ((1 + 2 x) - 1)."""
        x = forall.interval("x", 0.0, 1.0)
        return (1.0 + x) - 1.0, (1.0 + 2.0 * x) - 1.0

    verdict = check(made, effort="quick")
    assert verdict.status is Status.HOLDS
    assert verdict.cells[0].details.constant == pytest.approx(0.5, rel=1e-5)


def test_a_left_side_that_is_never_positive_needs_no_constant() -> None:
    @claim("mine/negative", up_to_constant("n"), over=grid(n=SIZES))
    def made(forall, *, n):
        """-x^2 <= 0."""
        return -(forall.interval("x", 0.0, 1.0) ** 2), 0.0

    assert check(made, effort="quick").status is Status.HOLDS


def test_a_counterexample_is_replayed_at_its_values() -> None:
    made, shown = norms(0.25), judged(0.25).counterexample
    assert shown is not None
    values = shown.counterexample.values
    assert sorted(values) == sorted(f"n={n}: x" for n in SIZES)
    again = replay(made, {}, values)
    assert again.violated
    assert "n = 128: 3.36" in again.sentence
    basis = {name: [1.0] + [0.0] * (len(value) - 1) for name, value in values.items()}
    assert not replay(made, {}, basis).violated
    with pytest.raises(ClaimError, match="outside its set"):
        replay(made, {}, {"n=4: x": [1.0, 1.0, 1.0, 1.0]})
    with pytest.raises(ClaimError, match="named as in 'n=4: x'"):
        replay(made, {}, {"x": [1.0]})


@pytest.mark.parametrize(
    ("wants", "over", "sentence"),
    [
        (("forall",), grid(n=[2, 4, 8, 16]), "at least 5 numbers above 1"),
        (("forall",), grid(n=[1, 2, 4, 8, 16]), "at least 5 numbers above 1"),
        (("forall",), grid(m=[2, 4, 8, 16, 32]), "at least 5 numbers above 1"),
        (("forall", "draw"), grid(n=SIZES), "takes `forall` and `draw`"),
        (("draw", "within"), grid(n=SIZES), "takes `within`"),
    ],
)
def test_what_cannot_be_of_this_kind_is_refused(wants, over, sentence: str) -> None:
    with pytest.raises(ClaimError, match=sentence):
        up_to_constant("n").refuse("mine/x", frozenset(wants), over)


def test_a_margin_is_positive_and_a_right_side_is_not_negative() -> None:
    with pytest.raises(ClaimError, match=r"margin=0\.0 must lie in \(0, inf\)"):
        up_to_constant("n", margin=0.0)

    @claim("mine/below", up_to_constant("n"), over=grid(n=SIZES))
    def made(forall, *, n):
        """x <= -C x."""
        x = forall.interval("x", 0.1, 1.0)
        return x, -x

    verdict = check(made, effort="quick")
    assert verdict.status is Status.ERROR
    assert "its right side is -" in verdict.reason


def test_the_contract_is_looked_at_and_the_verdict_drawn() -> None:
    assert set(check_contract(norms(0.5))) <= {NO_GPU}
    verdict = judged(0.25)
    assert isinstance(verdict.claim.kind, UpToConstant)
    assert "<path" in fragment(verdict)


def test_stored_rows_are_used_again(tmp_path) -> None:
    made = norms(0.5)
    first, again = (check_all([made], settings=settings_for(effort="quick"), folder=tmp_path)[0] for _ in range(2))
    assert again.cells == first.cells
