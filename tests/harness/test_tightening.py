"""Best constants that are known in closed form lie between the two ends, and these lie close together."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from harness import always, claim, grid, high_probability, identity
from harness.cli import main
from harness.language.quantifiers import Draw, Forall
from harness.settings import QUICK, Settings
from harness.tightening import tighten_by_judging, tighten_ratio
from harness.tightening.scaled import has_constant, scaled, with_constant
from tests.harness.enclosure.stating import Body, stated

CLOSED: dict[str, tuple[Body, float]] = {
    "a parabola": (lambda f: ((p := f.interval("p", 0.0, 1.0)) * (1.0 - p), 1.0 + 0.0 * p), 0.25),
    "means": (
        lambda f: (((x := f.interval("x", 0.1, 10.0)) * (y := f.interval("y", 0.1, 10.0))).sqrt(), (x + y) / 2.0),
        1.0,
    ),
    "x exp(-x)": (lambda f: ((x := f.interval("x", 0.0, 10.0)) * (-x).exp(), 1.0 + 0.0 * x), math.exp(-1.0)),
    "sine and cosine": (lambda f: ((x := f.interval("x", 0.0, 6.0)).sin() + x.cos(), 1.0 + 0.0 * x), math.sqrt(2.0)),
    "a bump": (lambda f: ((x := f.interval("x", 0.0, 50.0)), 1.0 + x.square()), 0.5),
    "log cosh": (lambda f: ((t := f.interval("t", 1.0, 10.0)).cosh().log(), t.square()), math.log(math.cosh(1.0))),
    "entropy": (lambda f: (-((p := f.simplex("p", 3)).clamp_min(1e-300).log() * p).sum(-1), 1.0), math.log(3.0)),
    "a product on the simplex": (lambda f: (f.simplex("p", 3).prod(-1), 1.0), 1.0 / 27.0),
    "a sum in the ball": (lambda f: (f.ball("x", 2).sum(-1), 1.0), math.sqrt(2.0)),
    "a sum on the sphere": (lambda f: (f.sphere("x", 3).sum(-1), 1.0), math.sqrt(3.0)),
    "an inner product": (lambda f: ((f.interval("a", -1.0, 1.0, 2) * f.signs("s", 2)).sum(-1), 1.0), 2.0),
    "whole numbers": (
        lambda f: ((n := f.integers("n", 1, 30)) * (-n / 4.0).exp(), 1.0 + 0.0 * n),
        4.0 * math.exp(-1.0),
    ),
    "an inequality that is false": (lambda f: ((x := f.interval("x", 1.0, 3.0)) ** 3, x), 9.0),
}


@pytest.mark.parametrize("name", CLOSED)
def test_the_best_constant_is_enclosed_to_a_percent(name: str) -> None:
    body, constant = CLOSED[name]
    found = tighten_ratio(stated(always(), body), {}, Settings(effort=QUICK), rtol=0.01)
    assert found.rigorous == (True, True)
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= constant * (1.0 + 1e-15)
    assert constant <= found.upper * (1.0 + 1e-9)
    assert found.width <= 0.01
    assert found.ratio is not None
    assert found.ratio >= 0.999 * constant


def test_without_a_proof_only_the_lower_end_is_rigorous_and_the_reason_is_said() -> None:
    body: Body = lambda f: ((x := f.interval("x", 0.0, 1.0)), 2.0 + torch.special.bessel_j0(x))  # noqa: E731
    found = tighten_ratio(stated(always(), body), {}, Settings(effort=QUICK))
    assert found.lower is not None
    assert found.upper is None
    assert found.rigorous == (True, False)
    assert "bessel_j0" in found.upper_by


def test_what_is_rounding_alone_is_no_ratio() -> None:
    """Pinsker's inequality, whose sides are both zero where q = p, and there nothing but rounding in floats."""

    def body(f: Forall) -> tuple[torch.Tensor, torch.Tensor]:
        q, p = f.interval("q", 0.01, 0.99), f.interval("p", 0.01, 0.99)
        return 2.0 * (q - p).square(), q * (q / p).log() + (1.0 - q) * ((1.0 - q) / (1.0 - p)).log()

    found = tighten_ratio(stated(always(), body), {}, Settings(effort=QUICK))
    assert found.rigorous[0]
    assert found.lower is not None
    assert 0.99 <= found.lower <= 1.0


def test_no_constant_where_the_right_side_vanishes_and_the_left_one_does_not() -> None:
    body: Body = lambda f: ((x := f.interval("x", -1.0, 1.0)) + 2.0, 0.0 * x)  # noqa: E731
    found = tighten_ratio(stated(always(), body), {}, Settings(effort=QUICK))
    assert found.lower is None
    assert "not positive" in found.lower_by


def test_nothing_to_tighten_where_the_left_side_is_never_positive() -> None:
    body: Body = lambda f: ((x := f.interval("x", 0.0, 3.0)) - 3.0, x - 1.0)  # noqa: E731
    found = tighten_ratio(stated(always(), body), {}, Settings(effort=QUICK))
    assert found.lower is None
    assert "no ratio is positive" in found.lower_by


@claim("tightened/coins", high_probability("delta"), over=grid(delta=[0.05]))
def coins(forall: Forall, draw: Draw, *, delta: float) -> Any:
    """Hoeffding's inequality for a hundred coins."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, 100).mean(-1) - p).abs(), math.sqrt(math.log(2.0 / delta) / 200.0)


@claim("tightened/cosh", always(), over=grid(c=[1.0]))
def cosh(forall: Forall, *, c: float) -> Any:
    """log cosh t <= c t^2."""
    t = forall.interval("t", 1.0, 10.0)
    return t.cosh().log(), c * t.square()


def test_a_claim_that_draws_is_bracketed_by_judgements() -> None:
    """|mean - 1/2| of 100 fair flips exceeds .1 with probability .0352 and .09 with .0569: c* = .1/.1358 at p = 1/2."""
    params = coins.cells[0]
    found = tighten_by_judging(lambda c: scaled(coins, params, c), params, Settings(effort=QUICK), rtol=0.1)
    assert found.rigorous == (True, False)
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower < 0.1 / math.sqrt(math.log(40.0) / 200.0) * 1.02
    assert found.upper >= 0.1 / math.sqrt(math.log(40.0) / 200.0)
    assert found.width < 0.1


def test_a_number_of_the_grid_is_tightened_by_judgements() -> None:
    found = tighten_by_judging(lambda c: with_constant(cosh, {"c": 1.0}, "c", c), {}, Settings(effort=QUICK))
    assert found.rigorous == (True, True)
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= math.log(math.cosh(1.0)) <= found.upper
    assert found.width <= 0.01


FILE = '''
from harness import always, claim, grid, identity, rate

@claim("mine/parabola", always(), over=grid(k=[1, 2]))
def parabola(forall, *, k):
    """p (1 - p) <= k."""
    p = forall.interval("p", 0.0, 1.0)
    return p * (1.0 - p), k + 0.0 * p

@claim("mine/same", identity())
def same(forall):
    """p = p."""
    p = forall.interval("p", 0.0, 1.0)
    return p, p
'''


def test_the_command_prints_draws_and_writes_both_ends(tmp_path: Path) -> None:
    file, picture, ends = tmp_path / "mine.py", tmp_path / "ends.svg", tmp_path / "ends.json"
    file.write_text(FILE)
    arguments = ["tighten", f"{file}::mine/parabola", "--quick", "--plot", str(picture), "--json", str(ends)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "k=1: c* in [0.249999, 0.252250]; lower end certified by enclosures" in result.output
    assert 'approached at {"p": 0.5}' in result.output
    assert "<svg" in picture.read_text()
    cells = json.loads(ends.read_text())["cells"]
    assert [cell["params"] for cell in cells] == [{"k": 1}, {"k": 2}]
    assert cells[1]["upper"] == pytest.approx(0.126, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine/same"], "has no constant"),
        (["mine/parabola", "--constant", "delta"], "no number 'delta'"),
        (["mine/parabola", "--params", '{"k": 3}'], "is no cell"),
        (["mine/parabola", "--plot", "ends.txt"], "--plot needs a file"),
        (["mine/parabola", "--rtol", "0"], "--rtol 0.0 must be positive"),
    ],
)
def test_bad_usage_names_the_remedy(tmp_path: Path, arguments: list[str], words: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    result = CliRunner().invoke(main, ["tighten", f"{file}::{arguments[0]}", *arguments[1:]])
    assert result.exit_code == 2
    assert words in result.output


def test_which_kinds_have_a_constant() -> None:
    assert has_constant(coins)
    assert has_constant(cosh)
    assert not has_constant(stated(identity(), lambda f: (f.interval("x", 0.0, 1.0), 0.5)))
